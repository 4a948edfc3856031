// Watches what a server does by itself or for one request: polls _active_tasks, adds up what the indexers of all shards
// have done, and notices compactions.

import { performance } from 'node:perf_hooks';

/** @import { CurvePoint } from '../scenario.js' */
/** @import { Workbench } from './workbench.js' */

/** Between two looks, in milliseconds. The indexer updates its task every 500 (couch_mrview_updater.erl, set_update_frequency, CouchDB 3.5.0). */
const LOOK_EVERY = 250;

/**
 * @template T
 * @param {Workbench} bench
 * @param {(tasks: unknown, ms: number) => void} look is given all tasks of the server, and the time since the start
 * @param {() => T} result
 * @returns {{stop: () => Promise<T>}} may be stopped twice
 */
function watchTasks({ server }, look, result) {
  const started = performance.now();
  let isOver = false;
  /** @type {() => void} */
  let wake = () => {};
  const over = new Promise((resolve) => {
    wake = () => resolve(undefined);
  });
  const watching = (async () => {
    while (!isOver) {
      /** @type {NodeJS.Timeout | undefined} */
      let timer;
      const pause = new Promise((resolve) => {
        timer = setTimeout(resolve, LOOK_EVERY);
      });
      await Promise.race([over, pause]);
      clearTimeout(timer);
      if (isOver) return;
      const { status, body } = await server.ask('GET', '_active_tasks').catch(() => ({ status: 0, body: undefined }));
      if (status !== 200 || isOver) return;
      look(body, performance.now() - started);
    }
  })();
  return {
    stop: async () => {
      isOver = true;
      wake();
      await watching;
      return result();
    },
  };
}

/**
 * @param {Workbench} bench
 * @param {{database: string, designDoc: string}} index
 * @returns {{stop: () => Promise<CurvePoint[]>}} what was done by when
 */
export function watchIndexers(bench, index) {
  /** @type {CurvePoint[]} */
  const curve = [];
  /** What each shard had done when it was seen last: one that is through is not shown any more. @type {Map<string, number>} */
  const shards = new Map();
  const look = (/** @type {unknown} */ tasks, /** @type {number} */ ms) => {
    addTasks(shards, tasks, index);
    const done = [...shards.values()].reduce((sum, count) => sum + count, 0);
    if (done > 0) curve.push({ ms, done });
  };
  return watchTasks(bench, look, () => curve);
}

/**
 * @param {Workbench} bench
 * @param {string} database
 * @returns {{stop: () => Promise<boolean>}} whether the server was seen to compact it
 */
export function watchCompactions(bench, database) {
  let wasSeen = false;
  const look = (/** @type {unknown} */ tasks) => {
    wasSeen ||=
      Array.isArray(tasks) && tasks.some((task) => task?.type === 'database_compaction' && isOf(task, database));
  };
  return watchTasks(bench, look, () => wasSeen);
}

/**
 * @param {Map<string, number>} shards by the name of the shard; changed
 * @param {unknown} tasks
 * @param {{database: string, designDoc: string}} index
 */
export function addTasks(shards, tasks, index) {
  for (const { shard, done } of indexersOf(tasks, index)) shards.set(shard, Math.max(shards.get(shard) ?? 0, done));
}

/**
 * @param {unknown} tasks of a server
 * @param {{database: string, designDoc: string}} index
 * @returns {{shard: string, done: number, total: number}[]} changes that its indexers have done, and will have; copies of a shard have one
 *   each. `total` is 0 where the server does not say
 */
export function indexersOf(tasks, { database, designDoc }) {
  if (!Array.isArray(tasks)) return [];
  return tasks.flatMap((task) => {
    if (task?.type !== 'indexer' || task.design_document !== `_design/${designDoc}`) return [];
    if (!isOf(task, database) || typeof task.changes_done !== 'number') return [];
    const total = typeof task.total_changes === 'number' ? task.total_changes : 0;
    return [{ shard: String(task.database), done: task.changes_done, total }];
  });
}

/**
 * @param {{database?: unknown}} task
 * @param {string} database
 * @returns {boolean}
 */
function isOf(task, database) {
  // `shards/00000000-7fffffff/name.1700000000` on a server with shards, the name itself on others.
  const name = String(task.database);
  return (
    name === database ||
    name
      .split('/')
      .at(-1)
      ?.replace(/\.\d+$/, '') === database
  );
}
