// Facts about a load, the documents that are to be written: how many there are and of what size, how they are split
// into requests, and in what order their ids come.

import { drawEvenly } from '../../shared/draw.js';
import { remember } from '../../shared/recent-memory.js';
import { formatShare } from '../../shared/units.js';
import { estimateLoad } from '../../storage-model/estimate-sample.js';
import { factsOf, isKnown } from '../fact.js';
import { kindOfIds, MIN_IDS } from './id-kind.js';

/** @import { LoadIds, LoadRecord } from '../../sources/record.js' */
/** @import { Ask, DeclareFact, Extracted, Fact, FactDeclaration, LoadSubject } from '../fact.js' */

/** Examples that are shown. */
const MAX_EXAMPLES = 3;

/** How people call documents that hold where others are found. `by-` is left out: it begins too many other names. */
const INDEX_ID = /^(idx|index|lookup)[-_:./]/i;

/** What a load without bodies of requests cannot show. */
const NO_BATCHES = 'the file has documents, not bodies of `_bulk_docs` requests';

/** Measured, from the load alone. @type {DeclareFact<LoadSubject, (record: LoadRecord) => Extracted>} */
const loadFact = factsOf(
  { subject: 'load', sources: ['loads'], basis: 'measured' },
  (extract) =>
    ({ record }) =>
      extract(record),
);

/** @type {DeclareFact<LoadSubject>} */
const ownLoadFact = factsOf({ subject: 'load', sources: ['loads', 'documents'], basis: 'measured' });

/** @type {FactDeclaration<LoadSubject>[]} */
export const bulkLoadFacts = [
  ownLoadFact('load.members', 'list', {
    meaning:
      'Members of the first 1,000 documents of `--docs` over all files, with the share of documents that have them and their types.',
    forOwnRules: 'what documents have to look like is a matter of the project',
    extract: ({ shape, place }) => {
      if (!shape) return { unknown: 'the documents were not read in this run' };
      const { documents, members } = shape;
      return {
        value: members.map(({ path, documents: having, types }) => ({
          value: `${path} (${formatShare(having / documents)}): ${describeTypes(types)}`,
          detail: { documents: having, ...types },
        })),
        place,
      };
    },
  }),
  loadFact('load.docCount', 'count', {
    meaning: 'Number of documents in the load, without design documents and `_local` documents.',
    phrases: '{value} {document|documents} in the load',
    extract: (record) => ({ value: record.documents }),
  }),
  loadFact('load.docBytesP50', 'bytes', {
    meaning: 'Median size of a document as JSON, without whitespace and attachments.',
    phrases: 'the median document has {value}',
    extract: ({ documentBytes }) =>
      documentBytes.median === undefined
        ? { unknown: 'the file has ids without documents' }
        : { value: documentBytes.median },
  }),
  loadFact('load.docBytesMax', 'bytes', {
    meaning: 'Size of the largest document as JSON, without whitespace and attachments.',
    phrases: 'the largest document has {value}',
    extract: ({ documentBytes }) =>
      documentBytes.median === undefined
        ? { unknown: 'the file has ids without documents' }
        : { value: documentBytes.most },
  }),
  loadFact('load.batchSizeP50', 'count', {
    meaning: 'Median number of documents in a `_bulk_docs` request.',
    phrases: 'half of the requests have at most {value} {document|documents}',
    extract: ({ batches }) => (batches?.median === undefined ? { unknown: NO_BATCHES } : { value: batches.median }),
  }),
  loadFact('load.batchSizeMax', 'count', {
    meaning: 'Number of documents in the largest `_bulk_docs` request.',
    phrases: 'the largest request has {value} {document|documents}',
    extract: ({ batches }) => (batches ? { value: batches.most } : { unknown: NO_BATCHES }),
  }),
  loadFact('load.batchBytesMax', 'bytes', {
    meaning: 'Size of the largest `_bulk_docs` body, without whitespace.',
    phrases: 'the largest request has {value}',
    extract: ({ batches }) => (batches ? { value: batches.mostBytes } : { unknown: NO_BATCHES }),
  }),
  loadFact('load.singleWriteShare', 'share', {
    meaning: 'Share of documents that are alone in their `_bulk_docs` request.',
    phrases: '{value} of the documents are sent alone',
    extract: (record) =>
      record.batches
        ? { value: share(record.batches.single, record.documents + record.designDocuments) }
        : { unknown: NO_BATCHES },
  }),
  loadFact('load.serverAssignedShare', 'share', {
    meaning: 'Share of documents without `_id`, for which the server generates one.',
    phrases: '{value} of the documents have no `_id`',
    extract: (record) =>
      record.documents === 0
        ? { unknown: 'the file has only design documents' }
        : { value: share(record.withoutId, record.documents) },
  }),
  loadFact('load.revisionShare', 'share', {
    meaning: 'Share of documents with a `_rev`, the revision that they replace.',
    phrases: '{value} of the documents are updates',
    extract: (record) =>
      record.documents === 0
        ? { unknown: 'the file has only design documents' }
        : { value: share(record.withRevision, record.documents) },
  }),
  loadFact('load.isRestore', 'boolean', {
    meaning: 'Whether a body has `"new_edits": false`, as when a backup is restored.',
    phrases: ['the load restores a backup', 'the load does not restore a backup'],
    extract: (record) => ({ value: record.isRestore }),
  }),
  loadFact('load.idScatterShare', 'share', {
    meaning: 'Share of ids that hit a different B-tree leaf than the ids written with them, at most 1,000 at a time.',
    phrases: '{value} of the inserts hit another B-tree leaf',
    extract: ({ ids, batches }) => {
      if (ids.placed > 0) return { value: share(ids.scattered, ids.placed) };
      const isOne = batches?.count === 1 && ids.count >= MIN_IDS;
      return { unknown: isOne ? 'all ids are in one request, and CouchDB sorts the ids of a request' : fewIds(ids) };
    },
  }),
  loadFact('load.idKind', 'text', {
    meaning:
      'The kind of most ids: `uuid4`, `uuid7`, `uuid1`, `ulid`, `ksuid`, `objectid`, `snowflake`, `hexRandom`, `base64Random`, `hash`, `sequence` (of one length), `sequenceUnpadded`, `prefixedSequence`, `timestamp`, `couchSequential`, `natural` (such as names), `mixed`, or `serverAssigned`.',
    phrases: 'most ids are of the kind `{value}`',
    basis: 'inferred',
    extract: idKind,
  }),
  loadFact('load.indexIdShare', 'share', {
    meaning:
      'Share of ids that start like those of hand-made index documents: `idx`, `index` or `lookup`, and a separator.',
    phrases: '{value} of the ids look like those of index documents',
    basis: 'inferred',
    extract: ({ ids }) => {
      if (ids.sample.length < MIN_IDS) return { unknown: fewIds(ids) };
      return { value: share(ids.sample.filter(({ id }) => INDEX_ID.test(id)).length, ids.sample.length) };
    },
  }),
  loadFact('load.exampleIndexIds', 'list', {
    meaning: 'The first ids that start like those of index documents.',
    extract: ({ ids }) => {
      const found = ids.sample.filter(({ id }) => INDEX_ID.test(id)).slice(0, MAX_EXAMPLES);
      return { value: found.map(({ id }) => ({ value: readable(id) })) };
    },
  }),
  loadFact('load.exampleIds', 'list', {
    meaning: 'The first ids of the load.',
    extract: ({ ids }) => ({ value: ids.first.slice(0, MAX_EXAMPLES).map((id) => ({ value: readable(id) })) }),
  }),
  loadFact('load.predictedFileBytes', 'bytes', {
    meaning:
      'Size of the database files after the load and before compaction, as the storage model estimates it from a sample of the ids.',
    basis: 'inferred',
    extract: predictedFile,
  }),
  loadFact('load.predictedFileRatio', 'count', {
    meaning: 'That size divided by the size with sequential ids, by the same estimate, to one decimal place.',
    basis: 'inferred',
    extract: predictedRatio,
  }),
  ownLoadFact('load.serverIdsAreRandom', 'boolean', {
    sources: ['server-config'],
    basis: 'declared',
    meaning: 'Whether the configuration that was read makes the server generate random ids.',
    phrases: ['the server creates random ids', 'the server creates ids in order'],
    extract: serverIdsAreRandom,
  }),
];

/**
 * @param {LoadRecord} record
 * @returns {Extracted}
 */
function idKind({ documents, withoutId, ids }) {
  if (documents >= MIN_IDS && withoutId > documents / 2) return { value: 'serverAssigned' };
  const kind = kindOfIds(ids);
  return kind === undefined ? { unknown: fewIds(ids) } : { value: kind };
}

/**
 * @param {LoadSubject} subject
 * @param {Ask} ask
 * @returns {Extracted}
 */
function serverIdsAreRandom({ parent }, ask) {
  const servers = parent.subjects.filter((subject) => subject.kind === 'server');
  // Settings are spread over several files, and CouchDB merges them all.
  for (const server of servers) {
    /** @type {Fact} */
    const isRandom = ask(server, 'config.uuidAlgorithmIsRandom');
    if (isKnown(isRandom)) return isRandom;
  }
  return {
    unknown:
      servers.length === 0 ? 'no configuration was read' : 'no configuration that was read sets `[uuids] algorithm`',
  };
}

/**
 * @param {LoadIds} ids
 * @returns {string}
 */
function fewIds({ count }) {
  return `${count} ${count === 1 ? 'id is' : 'ids are'} too few to judge`;
}

/**
 * @param {number} part
 * @param {number} whole
 * @returns {number} 0 to 1
 */
function share(part, whole) {
  return whole === 0 ? 0 : part / whole;
}

/**
 * @param {string} id its bytes, one a character
 * @returns {string}
 */
function readable(id) {
  return new TextDecoder().decode(Uint8Array.from(id, (character) => character.charCodeAt(0)));
}

/**
 * @param {Partial<Record<string, number>>} types
 * @returns {string} `number, string 2 %`: the share of each but the most frequent
 */
function describeTypes(types) {
  const sorted = Object.entries(types).sort(([, one = 0], [, other = 0]) => other - one);
  const all = sorted.reduce((sum, [, count = 0]) => sum + count, 0);
  return sorted.map(([type, count = 0], at) => (at === 0 ? type : `${type} ${formatShare(count / all)}`)).join(', ');
}

/** Documents a request where the file does not say: what most tools send. */
const USUAL_BATCH = 1000;
/** More ids of a sample cost time and change little. */
const MAX_IDS = 3000;

const estimateOnce = remember(estimate);

/** @param {LoadRecord} record @returns {Extracted} */
function predictedFile(record) {
  const estimate = estimateOnce(record);
  return 'unknown' in estimate ? estimate : { value: estimate.file };
}

/** @param {LoadRecord} record @returns {Extracted} */
function predictedRatio(record) {
  const estimate = estimateOnce(record);
  return 'unknown' in estimate ? estimate : { value: Number((estimate.file / estimate.counted).toFixed(1)) };
}

/** @param {LoadRecord} record @returns {{file: number, counted: number} | {unknown: string}} */
function estimate({ ids, documents, documentBytes, batches }) {
  if (documentBytes.median === undefined) return { unknown: 'the file has ids without documents' };
  if (ids.sample.length < MIN_IDS)
    return { unknown: `${ids.count} ${ids.count === 1 ? 'id is' : 'ids are'} too few for an estimate` };
  return estimateLoad({
    ids: drawEvenly(ids.sample, MAX_IDS).map(({ id }) => id),
    documents,
    batch: batches?.median ?? USUAL_BATCH,
    documentBytes: documentBytes.median,
  });
}
