// Facts about a database of a server: what it holds, how it is stored on disk, who may read it.

import { needsUser } from '../server/limits.js';
import { NO_EARLIER } from './node.js';
import { declareAbout, figureAt, fileFacts, ratio } from './server-figures.js';

/** @import { DatabaseSubject, Extracted, FactDeclaration } from '../fact.js' */
/** @import { ConflictSample, DatabaseRecord, DesignDocSketch } from '../../sources/live/record.js' */
/** @import { DeclareFact } from './server-figures.js' */

/** A shard holds so much with ease: the rule of thumb of config/shards. */
const SHARD_BYTES = 10e9;
const SHARD_DOCUMENTS = 1e6;

/** A share of fewer documents means little. */
const MIN_CHANGES = 50;
/** One in twenty: what happens less often is not expected. */
const UNLIKELY = 0.05;

/** @type {DeclareFact<DatabaseSubject>} */
const fact = declareAbout('database', 'database');

/** @type {FactDeclaration<DatabaseSubject>[]} */
export const databaseFacts = [
  fact('docCount', 'count', {
    meaning: 'Number of documents, including design documents.',
    phrases: 'the database has {value} {document|documents}',
    extract: (record) => figureAt(record, record.docCount, 'doc_count'),
  }),
  fact('deletedCount', 'count', {
    meaning: 'Number of deleted documents; each leaves a tombstone.',
    phrases: '{value} {tombstone|tombstones}',
    extract: (record) => figureAt(record, record.deletedCount, 'doc_del_count'),
  }),
  fact('deletedShare', 'share', {
    meaning: 'Share of tombstones among all documents.',
    phrases: '{value} of the documents are tombstones',
    extract: (record) => {
      const all = record.docCount === undefined ? undefined : record.docCount + (record.deletedCount ?? 0);
      return figureAt(record, ratio(record.deletedCount, all), 'doc_del_count');
    },
  }),
  ...fileFacts(fact, {
    files: 'Size of the database files, without indexes.',
    shardFile: 'Mean size of a shard file.',
    whole: 'the database',
    shard: 'a shard',
    shardCount: (record) => record.shardCount,
  }),
  fact('shardCount', 'count', {
    meaning: 'Number of shards (`q`).',
    phrases: 'the database has {value} {shard|shards}',
    extract: (record) => figureAt(record, record.shardCount, 'cluster', 'q'),
  }),
  fact('copyCount', 'count', {
    meaning: 'Number of copies of each shard (`n`).',
    forOwnRules: 'how many copies are needed is a matter of the project',
    extract: (record) => figureAt(record, record.copyCount, 'cluster', 'n'),
  }),
  fact('wantedShardCount', 'count', {
    meaning:
      'The recommended number of shards: the smallest power of two that keeps shards at or below 10 GB and a million documents, and at least 2.',
    extract: wantedShardCount,
  }),
  fact('shardsTimesWanted', 'count', {
    meaning: 'Number of shards divided by the recommended number; below 1 if there are too few.',
    phrases: 'the database has {value} times the shards it needs',
    extract: (record) => {
      const wanted = wantedShards(record);
      return figureAt(record, wanted === undefined ? undefined : ratio(record.shardCount, wanted), 'cluster', 'q');
    },
  }),
  fact('serverDatabaseCount', 'count', {
    meaning: 'Number of databases on the server.',
    phrases: 'the server has {value} {database|databases}',
    extract: ({ server }) =>
      server?.databaseCount === undefined
        ? { unknown: 'the number of databases on the server is unknown' }
        : { value: server.databaseCount },
  }),
  fact('serverNodeCount', 'count', {
    meaning: 'Number of nodes of the server.',
    forOwnRules: 'what a database needs depends on the number of nodes',
    extract: ({ server }) =>
      server?.nodeCount === undefined
        ? { unknown: 'the server does not report its nodes' }
        : { value: server.nodeCount },
  }),
  fact('isPublic', 'boolean', {
    meaning: 'Whether `_security` names no members, so that everyone with access to the server may read the database.',
    phrases: ['`_security` names no members', '`_security` names members'],
    extract: (record) =>
      record.security
        ? { value: record.security.isPublic, place: record.security.placeOf('members') }
        : { unknown: record.unread ?? 'the user may not read its `_security`' },
  }),
  fact('serverNeedsUser', 'boolean', {
    meaning: 'Whether the server requires a user for every request (`require_valid_user`).',
    phrases: ['every request needs a user', 'requests need no user'],
    extract: (_, subject) => serverNeedsUser(subject),
  }),
  fact('mostConflictingRevisions', 'count', {
    meaning:
      'The largest number of conflicting revisions of a document, the winning one included, among its newest 200 changes; 0 where none has conflicts.',
    phrases: 'one document has {value} conflicting {revision|revisions}',
    extract: (record) => ofConflicts(record, mostRevisions),
  }),
  fact('revsLimit', 'count', {
    meaning:
      'How many revisions of a document it knows (`_revs_limit`); read only where documents have several revisions side by side.',
    phrases: 'it keeps {value} {revision|revisions}',
    extract: ({ revsLimit }) =>
      revsLimit === undefined ? { unknown: '`_revs_limit` was not read' } : { value: revsLimit },
  }),
  fact('conflictGrowth', 'count', {
    meaning:
      'By how many `database.mostConflictingRevisions` grew since an earlier recording, if it doubled; 0 where it did not.',
    phrases: 'it has {value} more than in an earlier recording',
    extract: (record) => {
      const { earlierConflicts } = record;
      if (!earlierConflicts) return { unknown: NO_EARLIER };
      return ofConflicts(record, (sample) => {
        const [now, before] = [mostRevisions(sample), mostRevisions(earlierConflicts)];
        return now >= 2 * before ? now - before : 0;
      });
    },
  }),
  fact('conflictedShareAtLeast', 'share', {
    meaning:
      'The lower end of the 95 % interval of the share of documents with conflicts among its newest 200 changes; up to three of them are read.',
    phrases: 'at least {value} of the documents that changed last have conflicts',
    extract: (record) =>
      record.conflicts && record.docCount !== 0 && record.conflicts.changes < MIN_CHANGES
        ? { unknown: `fewer than ${MIN_CHANGES} documents changed` }
        : ofConflicts(record, shareOfConflicts),
  }),
  fact('conflictedShareAtMost', 'share', {
    meaning: 'The upper end of the same interval: the share of documents with several revisions that may be conflicts.',
    phrases: 'at most {value} of the documents that changed last have conflicts',
    extract: (record) => ofConflicts(record, ({ changes, several }) => ratio(several, changes) ?? 0),
  }),
  fact('mostConflictedDocument', 'text', {
    meaning:
      'The id of the document with the most conflicts that was found; `{document}` in a recording, which has no ids.',
    extract: ({ conflicts }) => {
      const [first] = conflicts?.documents.toSorted((one, other) => other.conflicts - one.conflicts) ?? [];
      return { value: first?.id ?? '{document}' };
    },
  }),
  fact('singleViewDesignDocs', 'list', {
    meaning: 'Design documents with a single JavaScript view, without those that hold Mango indexes.',
    phrases: '{value} has one view',
    extract: (record) =>
      listOf(record, ({ viewCount, language }) => viewCount === 1 && language.startsWith('javascript')),
  }),
  fact('validatingDesignDocs', 'list', {
    meaning: 'Design documents with a `validate_doc_update`.',
    phrases: '{value} has a `validate_doc_update`',
    extract: (record) => listOf(record, ({ hasValidate }) => hasValidate),
  }),
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

/**
 * @param {DatabaseRecord} record
 * @param {(sample: ConflictSample) => number} extract
 * @returns {Extracted}
 */
function ofConflicts({ conflicts, docCount, unread }, extract) {
  if (docCount === 0) return { value: 0 };
  return conflicts ? { value: extract(conflicts) } : { unknown: unread ?? 'conflicts were not looked for' };
}

/** @param {ConflictSample} sample @returns {number} */
function mostRevisions({ documents }) {
  const most = documents.reduce((max, { conflicts }) => Math.max(max, conflicts), 0);
  return most === 0 ? 0 : most + 1;
}

/**
 * @param {ConflictSample} sample
 * @returns {number} what share of the changes has conflicts at least, with 95 % confidence
 */
function shareOfConflicts({ changes, several, documents }) {
  const found = documents.filter(({ conflicts }) => conflicts > 0).length;
  if (documents.length >= several) return found / changes;
  // The one with most leaves was not picked by chance. Exact for a sample that all have the property (Clopper and Pearson 1934).
  const picked = documents.filter(({ isMost }) => !isMost);
  const isAll = picked.length > 0 && picked.every(({ conflicts }) => conflicts > 0);
  return isAll ? (several / changes) * UNLIKELY ** (1 / picked.length) : found / changes;
}

/** @param {DatabaseRecord} record @returns {{unknown: string}} */
function unreadDesignDocs({ unread }) {
  return { unknown: unread ?? 'the user may not read its design documents' };
}

/**
 * @param {DatabaseRecord} record
 * @param {(document: DesignDocSketch) => boolean} fits
 * @returns {Extracted}
 */
function listOf(record, fits) {
  const { designDocs } = record;
  if (!designDocs) return unreadDesignDocs(record);
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
  return { unknown: 'the user may not read the configuration of the server' };
}
