// Orders the samples of a scenario, loads its documents into a database and counts them there. Loads are timed by their
// requests alone, without the time it takes to make the documents.

import { formatCount } from '../../../shared/units.js';
import { UserError } from '../../../shared/user-error.js';
import { planRounds } from '../../experiments/plan.js';
import { watchCompactions } from './active-tasks.js';

/** @import { Method } from './timed-requests.js' */
/** @import { Workbench } from './workbench.js' */

/**
 * @param {Workbench} bench
 * @param {string} set
 * @param {string[]} arms
 * @param {number} rounds
 * @returns {{arm: string, round: number}[]} interleaved, each round in the mirrored order of the one before
 */
export function interleave(bench, set, arms, rounds) {
  const named = arms.map((id) => ({ id, about: '', measure: /** @type {const} */ ('requests') }));
  return planRounds({ id: set, arms: named }, { seed: bench.options.seed, pairs: rounds }).map(({ arm, pair }) => ({
    arm,
    round: pair,
  }));
}

/** @typedef {{ms: number, bytes: number, requests: number}} Loaded */

/**
 * @param {Workbench} bench
 * @param {string} database
 * @param {object} load
 * @param {number} load.documents
 * @param {number} load.batch 1 is a request of its own for each
 * @param {(number: number) => Record<string, unknown>} load.make the document, with an id or without
 * @returns {Promise<Loaded>}
 */
export async function loadDocuments(bench, database, { documents, batch, make }) {
  let ms = 0;
  let bytes = 0;
  let requests = 0;
  for (let first = 0; first < documents; first += batch) {
    const docs = Array.from({ length: Math.min(batch, documents - first) }, (_, at) => make(first + at));
    const { method, path, body } = requestOf(docs, batch);
    const text = JSON.stringify(body);
    const answer = await bench.time(method, database, path, { text });
    ms += answer.ms;
    bytes += Buffer.byteLength(text);
    requests += 1;
  }
  return { ms, bytes, requests };
}

/**
 * Notices whether the server compacts the database while it is loaded: its size is then not that of the load.
 * @template T
 * @param {Workbench} bench
 * @param {string} database
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function watchLoad(bench, database, work) {
  if (bench.server.kind !== 'couchdb') return work();
  const watch = watchCompactions(bench, database);
  try {
    return await work();
  } finally {
    if (await watch.stop()) bench.wasCompacted = true;
  }
}

/** Between looks whether all documents are there, in milliseconds, and how often it is looked. */
const COUNT_EVERY = 100;
const MAX_COUNTS = 300;

/**
 * Waits for all documents of a load. A write is answered when most copies of a shard have it, and what is read of a cluster comes from any
 * copy, which may still be without (fabric_db_info.erl, 3.5.0).
 * @param {Workbench} bench
 * @param {string} database
 * @param {number} documents
 * @returns {Promise<any>} what the server says of the database
 * @throws {UserError} where fewer arrive, or more
 */
export async function countDocuments(bench, database, documents) {
  for (let look = 1; ; look += 1) {
    const info = await bench.read(database, '');
    if (info.doc_count === documents) return info;
    if (look === MAX_COUNTS) {
      throw new UserError(
        'wrong-answer',
        `only ${formatCount(Number(info.doc_count))} of ${formatCount(documents)} documents were stored`,
      );
    }
    await bench.options.pause(COUNT_EVERY);
    bench.check();
  }
}

/**
 * @param {Record<string, unknown>[]} docs
 * @param {number} batch
 * @returns {{method: Method, path: string, body: unknown}}
 */
function requestOf(docs, batch) {
  const [only] = docs;
  if (batch > 1 || !only) return { method: 'POST', path: '_bulk_docs', body: { docs } };
  const { _id, ...body } = only;
  return typeof _id === 'string'
    ? { method: 'PUT', path: encodeURIComponent(_id), body }
    : { method: 'POST', path: '', body };
}
