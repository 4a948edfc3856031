// Cost model: what reading and writing costs: the time of a request by what it reads, the time of keeping an index up to date. Only ratios of
// these figures decide where a log has times.

/** @import { Reads } from './plan.js' */
/** @import { Writes } from './workload.js' */

/**
 * Milliseconds of processor time on CouchDB 3.5.0, two shards, documents of 330 bytes, an idle machine
 * (`rule-figures.js --only advise-reads,advise-writes,advise-writes-mango,advise-writes-javascript`).
 */
const MS = {
  request: 4,
  /** A document of the tree of all documents, read in its order and compared with the selector. */
  scanned: 0.062,
  /** A row of a Mango index. */
  row: 0.031,
  /** A document that a row leads to. */
  fetched: 0.27,
  /** A row of a view that is queried, and a document that `include_docs` adds to it. */
  viewRow: 0.0125,
  viewDocument: 0.3,
  /** A document that an index takes up together with hundreds of others, by the kind of the index. */
  indexed: { mango: 0.137, javascript: 0.197 },
  /** Each time that an index is brought up to date, whatever came since. */
  update: { mango: 0.6, javascript: 8.3 },
};

/** How often an index is brought up to date although nobody queries it: every five seconds (`[ken] delay`, ken_server.erl, 3.5.0). */
const BACKGROUND_UPDATES_PER_DAY = 86_400 / 5;

/**
 * @param {Reads} reads of a request
 * @param {boolean} isScan whether it reads the tree of all documents
 * @returns {number} milliseconds
 */
function readMs({ rows, documents }, isScan) {
  return MS.request + (isScan ? documents * MS.scanned : rows * MS.row + documents * MS.fetched);
}

/**
 * @param {{reads: Reads, isScan: boolean}} before
 * @param {{reads: Reads, isScan: boolean}} after
 * @param {number | null} msBefore as logged
 * @returns {{msBefore: number, msAfter: number}} of a request
 */
export function timesOf(before, after, msBefore) {
  const [old, next] = [readMs(before.reads, before.isScan), readMs(after.reads, after.isScan)];
  return msBefore === null ? { msBefore: old, msAfter: next } : { msBefore, msAfter: scaled(msBefore, next / old) };
}

/**
 * @param {Reads} before of a request to a view
 * @param {Reads} after
 * @param {number | null} msBefore as logged
 * @returns {{msBefore: number, msAfter: number}}
 */
export function viewTimes(before, after, msBefore) {
  const msOf = (/** @type {Reads} */ { rows, documents }) =>
    MS.request + rows * MS.viewRow + documents * MS.viewDocument;
  const [old, next] = [msOf(before), msOf(after)];
  return msBefore === null ? { msBefore: old, msAfter: next } : { msBefore, msAfter: scaled(msBefore, next / old) };
}

/** No request takes less, however little it reads. */
const LEAST_MS = 1;

/** @param {number} ms as logged @param {number} ratio @returns {number} */
function scaled(ms, ratio) {
  return ratio >= 1 ? ms * ratio : Math.max(Math.min(ms, LEAST_MS), ms * ratio);
}

/**
 * By how much less a built-in saves where QuickJS ran the reduce: 15 times instead of 67 (processor time of the server and its query servers, 20,000
 * rows in 300 groups, CouchDB 3.5.2 with QuickJS and 3.4.3 with SpiderMonkey 78).
 */
const QUICKJS_SAVES_LESS = 67 / 15;

/**
 * @param {number} saves how many times less a built-in reduce takes than one in SpiderMonkey
 * @param {string | undefined} engine of the server; undefined where it is unknown
 * @returns {number} for that engine; between both where it is unknown
 */
export function savesOfBuiltin(saves, engine) {
  if (engine !== undefined && engine !== 'quickjs') return saves;
  return Math.max(1, saves / (engine === undefined ? Math.sqrt(QUICKJS_SAVES_LESS) : QUICKJS_SAVES_LESS));
}

/**
 * @param {number} msBefore of a request
 * @param {number} saves how many times less the work takes
 * @returns {number} what every request takes stays
 */
export function afterFactor(msBefore, saves) {
  const fixed = Math.min(msBefore, MS.request);
  return fixed + (msBefore - fixed) / Math.max(1, saves);
}

/**
 * @param {Writes | undefined} writes of the database
 * @param {{kind: 'mango' | 'javascript', queriesPerDay: number, databases: number}} index `queriesPerDay`: each takes what was written before it
 * @returns {number} milliseconds of processor time a day
 */
export function writeMs(writes, { kind, queriesPerDay, databases }) {
  if (!writes) return 0;
  const updates = Math.min(writes.requests, queriesPerDay + BACKGROUND_UPDATES_PER_DAY * databases);
  return writes.documents * MS.indexed[kind] + updates * MS.update[kind];
}
