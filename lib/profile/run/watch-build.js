// Watches the build of an index of the user on a running server, by GET of `_active_tasks` alone: how many changes it has done, again and again,
// until it is through. Starts no build.

import { indexersOf } from '../../scenarios/run/active-tasks.js';

/** @typedef {{ms: number, done: number, total: number}} BuildPoint `ms`: since the build was first seen */

/**
 * @typedef {object} WatchedBuild
 * @property {BuildPoint[]} points none where no build was seen
 * @property {number} shards that were seen
 * @property {boolean} isOver whether it was seen to end
 */

/** Between two looks, in milliseconds. The indexer says anew every 500 (couch_mrview_updater.erl, set_update_frequency, CouchDB 3.5.0). */
const LOOK_EVERY = 500;
/** Looks without a task after which a build that was seen is over: the next shard may begin later. */
const LOOKS_WITHOUT = 4;

/**
 * @param {(path: string) => Promise<{status: number, body: unknown}>} read
 * @param {{database: string, designDoc: string}} index
 * @param {object} options
 * @param {(milliseconds: number) => Promise<void>} options.pause
 * @param {() => number} options.clock milliseconds, which never run back
 * @param {number} options.patienceMs how long a build is waited for
 * @param {(point: BuildPoint) => void} options.onPoint
 * @param {AbortSignal} options.signal
 * @returns {Promise<WatchedBuild | {refused: number}>} `refused`: the status where the tasks may not be read
 */
export async function watchBuild(read, index, { pause, clock, patienceMs, onPoint, signal }) {
  const began = clock();
  /** @type {BuildPoint[]} */
  const points = [];
  /** What each shard was seen to have done: one that is through is not shown any more. @type {Map<string, {done: number, total: number}>} */
  const shards = new Map();
  /** @type {number | undefined} */
  let start;
  let without = 0;
  while (!signal.aborted && without < LOOKS_WITHOUT) {
    const { status, body } = await read('_active_tasks');
    if (status !== 200) return { refused: status };
    const found = indexersOf(body, index);
    for (const { shard, done, total } of found) {
      const known = shards.get(shard) ?? { done: 0, total: 0 };
      shards.set(shard, { done: Math.max(known.done, done), total: Math.max(known.total, total) });
    }
    if (found.length > 0) {
      start ??= clock();
      const [done, total] = sumsOf(shards);
      const point = { ms: clock() - start, done, total };
      points.push(point);
      onPoint(point);
      without = 0;
    } else if (start !== undefined) without += 1;
    else if (clock() - began > patienceMs) break;
    await pause(LOOK_EVERY);
  }
  return { points, shards: shards.size, isOver: without >= LOOKS_WITHOUT };
}

/** @param {Map<string, {done: number, total: number}>} shards @returns {[number, number]} done, total */
function sumsOf(shards) {
  const all = [...shards.values()];
  return [all.reduce((sum, { done }) => sum + done, 0), all.reduce((sum, { total }) => sum + total, 0)];
}
