// Watches an index build on a running server: polls `_active_tasks` until the build ends. It sends no other request, so
// it starts no build.

import { indexersOf } from '../../scenarios/run/active-tasks.js';

/**
 * @typedef {object} BuildPoint
 * @property {number} ms since the build was first seen
 * @property {number} done changes, of all shards together
 * @property {number} total 0 where the server does not say
 * @property {number | null} rate changes a second since the last point with progress; null at the first point and where nothing was done
 */

/**
 * @typedef {object} WatchedBuild
 * @property {BuildPoint[]} points none where no build was seen
 * @property {number} shards that were seen; of several copies of a shard, the one that is furthest counts
 * @property {boolean} isOver whether it was seen to end
 */

/** Between two polls, in milliseconds. An indexer updates its task every 500 (couch_mrview_updater.erl, set_update_frequency, CouchDB 3.5.0). */
const POLL_EVERY = 500;
/** After so many polls without a task, a build that was seen is over: the next shard may begin later. */
const POLLS_WITHOUT = 4;

/**
 * @param {(path: string) => Promise<{status: number, body: unknown}>} read
 * @param {{database: string, designDoc: string}} index
 * @param {object} options
 * @param {(milliseconds: number) => Promise<void>} options.pause
 * @param {() => number} options.clock milliseconds, which never run back
 * @param {number} options.patienceMs how long it waits for a build to begin
 * @param {(point: BuildPoint) => void} options.onPoint
 * @param {AbortSignal} options.signal
 * @returns {Promise<WatchedBuild | {refused: number}>} `refused`: the status of the answer where the tasks may not be read
 */
export async function watchBuild(read, index, { pause, clock, patienceMs, onPoint, signal }) {
  const began = clock();
  /** @type {BuildPoint[]} */
  const points = [];
  /** The last progress seen of each shard: a shard that is finished has no task any more. @type {Map<string, {done: number, total: number}>} */
  const shards = new Map();
  /** @type {{at: number, progress: {ms: number, done: number}} | undefined} */
  let seen;
  let without = 0;
  while (!signal.aborted && without < POLLS_WITHOUT) {
    const { status, body } = await read('_active_tasks');
    if (status !== 200) return { refused: status };
    const found = indexersOf(body, index);
    for (const { shard, done, total } of found) {
      const known = shards.get(shard) ?? { done: 0, total: 0 };
      shards.set(shard, { done: Math.max(known.done, done), total: Math.max(known.total, total) });
    }
    if (found.length > 0) {
      const now = clock();
      const { done, total } = addUp(shards);
      seen ??= { at: now, progress: { ms: 0, done } };
      const ms = now - seen.at;
      const { progress } = seen;
      const hasMoved = done > progress.done && ms > progress.ms;
      const rate = hasMoved ? ((done - progress.done) * 1000) / (ms - progress.ms) : null;
      if (hasMoved) seen.progress = { ms, done };
      const point = { ms, done, total, rate };
      points.push(point);
      onPoint(point);
      without = 0;
    } else if (seen) without += 1;
    else if (clock() - began > patienceMs) break;
    await pause(POLL_EVERY);
  }
  return { points, shards: shards.size, isOver: without >= POLLS_WITHOUT };
}

/** @param {Map<string, {done: number, total: number}>} shards @returns {{done: number, total: number}} */
function addUp(shards) {
  const all = [...shards.values()];
  return {
    done: all.reduce((sum, { done }) => sum + done, 0),
    total: all.reduce((sum, { total }) => sum + total, 0),
  };
}
