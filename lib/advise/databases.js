// Knows the databases that queries are about: how many a pattern of names stands for, how many documents each has, and which of them has which index
// and which version of a design document.

import { foldDatabase } from '../shared/fold-database.js';
import { groupBy } from '../shared/group-by.js';

/** @import { RunSubject } from '../facts/fact.js' */
/** @import { DatabaseRecord } from '../sources/live/record.js' */
/** @import { ExistingIndex } from './index-for.js' */
/** @import { StepDatabases } from './plan.js' */

/**
 * @typedef {object} DatabaseSet The databases of one name or pattern.
 * @property {string[]} names that the server has; none where no server was read
 * @property {number} count
 * @property {StepDatabases['basis']} basis who says how many there are
 * @property {number | undefined} documents of each, on average; undefined where no server was read
 * @property {string[]} read those whose indexes and design documents are known
 * @property {ExistingIndex[]} indexes that all of these have; of files where no server was read
 * @property {{index: ExistingIndex, have: string[]}[]} partly indexes that only some of them have
 * @property {(designDoc: string) => StepDatabases['revisions']} revisionsOf a design document, the most frequent first; `revision`: null where it is not there
 */

/** @typedef {(database: string | null) => DatabaseSet} SetOf by name or pattern */

/**
 * @param {RunSubject} run
 * @param {ExistingIndex[]} known indexes of files and of servers
 * @returns {SetOf}
 */
export function databasesOf({ subjects }, known) {
  const records = subjects.flatMap((one) => (one.kind === 'database' ? [one.record] : []));
  const log = subjects.find((one) => one.kind === 'log')?.record;
  /** @type {Map<string | null, DatabaseSet>} */
  const sets = new Map();
  return (database) => {
    const own = records.filter(({ name }) => isOne(name, database));
    const set = sets.get(database) ?? makeSet(own, log?.databases.get(database ?? ''), known);
    sets.set(database, set);
    return set;
  };
}

/** @param {string} name @param {string | null} database @returns {boolean} whether it is that database, or one of that pattern */
function isOne(name, database) {
  return name === database || (database?.includes('*') === true && foldDatabase(name) === database);
}

/**
 * @param {DatabaseRecord[]} records
 * @param {number | undefined} logged how many names the logs have
 * @param {ExistingIndex[]} known
 * @returns {DatabaseSet}
 */
function makeSet(records, logged, known) {
  const read = records.filter(({ unread, designDocs }) => unread === undefined && designDocs !== undefined);
  const names = new Set(read.map(({ name }) => name));
  const counts = records.flatMap(({ docCount }) => docCount ?? []);
  const groups = groupBy(
    known.filter(({ database }) => database !== undefined && names.has(database)),
    ({ ddoc, name, columns, filter }) => JSON.stringify([ddoc, name, columns, filter ?? null]),
  );
  const held = [...groups.values()].flatMap(([index, ...others]) =>
    index ? [{ index, have: [index, ...others].map(({ database }) => database ?? '').sort() }] : [],
  );
  return {
    names: records.map(({ name }) => name),
    count: records.length > 0 ? records.length : Math.max(1, logged ?? 1),
    basis: records.length > 0 ? 'server' : 'logs',
    documents: counts.length > 0 ? counts.reduce((sum, count) => sum + count, 0) / counts.length : undefined,
    read: [...names],
    indexes:
      read.length > 0
        ? held.filter(({ have }) => have.length === read.length).map(({ index }) => index)
        : known.filter(({ database }) => database === undefined),
    partly: held.filter(({ have }) => have.length < read.length),
    revisionsOf: (designDoc) => revisionsOf(read, designDoc),
  };
}

/** @param {DatabaseRecord[]} read @param {string} id @returns {StepDatabases['revisions']} */
function revisionsOf(read, id) {
  const groups = groupBy(read, ({ designDocs }) => designDocs?.find((one) => one.id === id)?.revision ?? null);
  return [...groups]
    .map(([revision, records]) => ({ revision, names: records.map(({ name }) => name) }))
    .sort((one, other) => other.names.length - one.names.length);
}

/** @param {{columns: string[], filter?: unknown}} index @returns {string} the same for indexes with the same rows */
export function keyOf({ columns, filter }) {
  return JSON.stringify([columns, filter ?? null]);
}
