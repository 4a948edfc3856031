// Helps facts about a server: declares them, and returns a figure that the server reported with its place, or the
// reason why there is none.

/** @import { About, Ask, DatabaseSubject, Extracted, FactDeclaration, FindQuerySubject, NodeSubject, ViewIndexSubject } from '../fact.js' */
/** @import { Shown, Sizes } from '../../sources/live/record.js' */

/** @typedef {Shown & {sizes: Sizes, isCompacting: boolean | undefined}} Files what CouchDB reports alike for the files of a database and of an index */

/**
 * Declares one fact: the name in its id, its type, and how it is read from the record.
 * @template {DatabaseSubject | FindQuerySubject | NodeSubject | ViewIndexSubject} S
 * @typedef {(name: string, type: FactDeclaration['type'], about: About<(record: S['record'], subject: S, ask: Ask) => Extracted>) => FactDeclaration<S>} DeclareFact
 */

/**
 * @template {DatabaseSubject | FindQuerySubject | NodeSubject | ViewIndexSubject} S
 * @param {S['kind']} subject
 * @param {string} prefix of the ids
 * @returns {DeclareFact<S>} for facts that were measured on a server
 */
export function declareAbout(subject, prefix) {
  return (name, type, { extract, ...rest }) => ({
    id: `${prefix}.${name}`,
    type,
    subject,
    sources: ['live-server'],
    basis: 'measured',
    ...rest,
    extract: (about, ask) => extract(about.record, about, ask),
  });
}

/**
 * @param {Shown} record
 * @param {boolean | number | string | undefined} value
 * @param {string[]} members where it stands in the answer
 * @returns {Extracted}
 */
export function figureAt(record, value, ...members) {
  if (value === undefined) return { unknown: `the server does not report \`${members.join('.')}\`` };
  return { value, place: record.placeOf(...members) };
}

/**
 * @param {number | undefined} part
 * @param {number | undefined} whole
 * @returns {number | undefined} undefined where one is not known, or the whole is nothing
 */
export function ratio(part, whole) {
  return part === undefined || whole === undefined || whole === 0 ? undefined : part / whole;
}

/**
 * @param {number | undefined} number
 * @returns {number | undefined} with one digit behind the point, as people say it
 */
function rounded(number) {
  return number === undefined ? undefined : Math.round(number * 10) / 10;
}

/**
 * @template {Files} R
 * @template S
 * @param {(name: string, type: FactDeclaration['type'], about: About<(record: R) => Extracted>) => S} fact declares one
 * @param {object} about
 * @param {string} about.files what `fileBytes` is
 * @param {string} about.shardFile what `shardFileBytes` is
 * @param {string} about.whole that which has the files, as a phrase calls it
 * @param {string} about.shard one of its shards, too
 * @param {(record: R) => number | undefined} about.shardCount how many shards the files belong to
 * @returns {S[]} facts about files of a database or an index
 */
export function fileFacts(fact, { files, shardFile, whole, shard, shardCount }) {
  return [
    fact('fileBytes', 'bytes', {
      meaning: files,
      extract: (record) => figureAt(record, record.sizes.file, 'sizes', 'file'),
    }),
    fact('shardFileBytes', 'bytes', {
      meaning: shardFile,
      phrases: `${shard} has {value} on average`,
      extract: (record) => {
        const mean = ratio(record.sizes.file, shardCount(record) ?? 1);
        return figureAt(record, mean === undefined ? undefined : Math.round(mean), 'sizes', 'file');
      },
    }),
    fact('activeBytes', 'bytes', {
      meaning: 'Size of the data in use within its files.',
      phrases: `{value} of ${whole} are in use`,
      extract: (record) => figureAt(record, record.sizes.active, 'sizes', 'active'),
    }),
    fact('fileTimesActive', 'count', {
      meaning: 'Size of its files divided by the size of the data in use.',
      phrases: 'the files are {value} times the data in use',
      extract: (record) => figureAt(record, rounded(ratio(record.sizes.file, record.sizes.active)), 'sizes', 'file'),
    }),
    fact('isCompacting', 'boolean', {
      meaning: 'Whether a compaction is running.',
      phrases: ['a compaction is running', 'no compaction is running'],
      extract: (record) => figureAt(record, record.isCompacting, 'compact_running'),
    }),
  ];
}
