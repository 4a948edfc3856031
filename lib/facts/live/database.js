// Facts about a database of a server: what it holds, how it is stored on disk, who may read it.

import { needsUser } from '../server/limits.js';
import { declareAbout, figureAt, fileFacts, ratio } from './server-figures.js';

/** @import { DatabaseSubject, Extracted, FactDeclaration } from '../fact.js' */
/** @import { DatabaseRecord, DesignDocSketch } from '../../sources/live/record.js' */
/** @import { DeclareFact } from './server-figures.js' */

/** A shard holds so much with ease: the rule of thumb of config/shards. */
const SHARD_BYTES = 10e9;
const SHARD_DOCUMENTS = 1e6;

/** @type {DeclareFact<DatabaseSubject>} */
const fact = declareAbout('database', 'database');

/** @type {FactDeclaration<DatabaseSubject>[]} */
export const databaseFacts = [
  fact('docCount', 'count', 'How many documents it has, design documents too.', (record) =>
    figureAt(record, record.docCount, 'doc_count'),
  ),
  fact('deletedCount', 'count', 'How many documents were deleted; each leaves a tombstone.', (record) =>
    figureAt(record, record.deletedCount, 'doc_del_count'),
  ),
  fact('deletedShare', 'share', 'The share of tombstones among all documents.', (record) => {
    const all = record.docCount === undefined ? undefined : record.docCount + (record.deletedCount ?? 0);
    return figureAt(record, ratio(record.deletedCount, all), 'doc_del_count');
  }),
  ...fileFacts(fact, {
    files: 'The size of its files, indexes apart.',
    shardFile: 'The mean size of the file of a shard.',
    shardCount: (record) => record.shardCount,
  }),
  fact('meanDocBytes', 'bytes', 'The mean size of a document, unpacked, with its attachments.', (record) => {
    const mean = ratio(record.sizes.external, record.docCount);
    return figureAt(record, mean === undefined ? undefined : Math.round(mean), 'sizes', 'external');
  }),
  fact('shardCount', 'count', 'Into how many shards it is split (`q`).', (record) =>
    figureAt(record, record.shardCount, 'cluster', 'q'),
  ),
  fact('copyCount', 'count', 'How many copies there are of each shard (`n`).', (record) =>
    figureAt(record, record.copyCount, 'cluster', 'n'),
  ),
  fact(
    'wantedShardCount',
    'count',
    'The power of two that gives shards of at most 10 GB and a million documents, and at least 2.',
    wantedShardCount,
  ),
  fact(
    'shardsTimesWanted',
    'count',
    'How many times more shards it has than it needs by that; below 1 where it has fewer.',
    (record) => {
      const wanted = wantedShards(record);
      return figureAt(record, wanted === undefined ? undefined : ratio(record.shardCount, wanted), 'cluster', 'q');
    },
  ),
  fact('serverDatabaseCount', 'count', 'How many databases the server has.', ({ server }) =>
    server?.databaseCount === undefined
      ? { unknown: 'it is not known how many databases the server has' }
      : { value: server.databaseCount },
  ),
  fact('serverNodeCount', 'count', 'How many nodes the server has.', ({ server }) =>
    server?.nodeCount === undefined ? { unknown: 'the server does not tell its nodes' } : { value: server.nodeCount },
  ),
  fact(
    'isPublic',
    'boolean',
    'Whether `_security` names no members, so that everybody whom the server lets in may read.',
    (record) =>
      record.security
        ? { value: record.security.isPublic, place: record.security.placeOf('members') }
        : { unknown: 'its `_security` may not be read' },
  ),
  fact(
    'serverNeedsUser',
    'boolean',
    'Whether the configuration of the server asks each request for a user (`require_valid_user`).',
    (_, subject) => serverNeedsUser(subject),
  ),
  fact('designDocCount', 'count', 'How many design documents with views it has.', (record) =>
    record.designDocs ? { value: withViews(record).length } : { unknown: 'its design documents may not be read' },
  ),
  fact(
    'singleViewDesignDocs',
    'list',
    'Its design documents with one view of JavaScript each; those that hold Mango indexes are not counted.',
    (record) => listOf(record, ({ viewCount, language }) => viewCount === 1 && language.startsWith('javascript')),
  ),
  fact('validatingDesignDocs', 'list', 'Its design documents with a `validate_doc_update`.', (record) =>
    listOf(record, ({ hasValidate }) => hasValidate),
  ),
];

/** @param {DatabaseRecord} record @returns {Extracted} */
function wantedShardCount(record) {
  return figureAt(record, wantedShards(record), 'sizes', 'active');
}

/** @param {DatabaseRecord} record @returns {number | undefined} */
function wantedShards({ sizes, docCount }) {
  if (sizes.active === undefined || docCount === undefined) return undefined;
  const least = Math.max(sizes.active / SHARD_BYTES, docCount / SHARD_DOCUMENTS, 2);
  return 2 ** Math.ceil(Math.log2(least));
}

/** @param {DatabaseRecord} record @returns {DesignDocSketch[]} */
function withViews({ designDocs = [] }) {
  return designDocs.filter(({ viewCount }) => viewCount > 0);
}

/**
 * @param {DatabaseRecord} record
 * @param {(document: DesignDocSketch) => boolean} fits
 * @returns {Extracted}
 */
function listOf({ designDocs }, fits) {
  if (!designDocs) return { unknown: 'its design documents may not be read' };
  return { value: designDocs.filter(fits).map(({ id }) => ({ value: id })) };
}

/** @param {DatabaseSubject} subject @returns {Extracted} */
function serverNeedsUser({ record, parent }) {
  const run = parent.kind === 'run' ? parent : parent.parent;
  const origin = record.server?.origin;
  for (const { kind, record: config } of run.subjects.flatMap((subject) =>
    subject.kind === 'server' ? [subject] : [],
  )) {
    if (kind !== 'server' || origin === undefined || !config.file.path.startsWith(`${origin}/`)) continue;
    return needsUser(config.options, run.target.version);
  }
  return { unknown: 'the configuration of the server may not be read' };
}
