// Replicates once between two scratch databases, takes its time, and compares what arrived in two of them.

import { formatCount } from '../../../shared/units.js';
import { cpuOfTrees } from '../../servers/server-processes.js';

/** @import { Target } from '../../servers/target.js' */
/** @import { Answers } from '../experiment.js' */
/** @import { Request } from '../workload.js' */
/** @import { RunOptions } from './run-experiment.js' */

/** Between looks whether the job has begun, in milliseconds. */
const LOOK_EVERY = 10;

/**
 * A job sleeps up to `startup_jitter`, 5 seconds by default, before it does anything, and is among the active tasks from then on
 * (couch_replicator_scheduler_job.erl do_init, 3.4.3 and 3.5.2): its time begins there. It ends with the answer.
 * @param {Target} target
 * @param {Request | undefined} request of `_changes`: its filter becomes that of the job
 * @param {{from: string, to: string}} databases
 * @param {Pick<RunOptions, 'clocks' | 'pause'>} options
 * @returns {Promise<{took?: number, cpuMs?: number}>} milliseconds; none where the job ended before it was seen. `cpuMs`: processor time of the
 *   server on this machine
 */
export async function replicate(target, request, { from, to }, { clocks, pause }) {
  const { processes = [] } = target.server;
  const cpu = () => (processes.length === 0 ? undefined : cpuOfTrees(processes));
  /** @type {{ended?: number, error?: unknown}} */
  const end = {};
  const running = target.replicate(from, to, jobOf(request)).then(
    () => {
      end.ended = clocks.steady();
    },
    (error) => {
      end.error = error;
    },
  );
  const isOver = () => end.ended !== undefined || end.error !== undefined;
  /** @type {number | undefined} */
  let began;
  while (began === undefined && !isOver()) {
    const { body: tasks } = await target.server.ask('GET', '_active_tasks');
    const isSeen = Array.isArray(tasks) && tasks.some((task) => String(task?.target).includes(to));
    if (isSeen && !isOver()) began = clocks.steady();
    else await pause(LOOK_EVERY);
  }
  const before = cpu();
  await running;
  const after = cpu();
  if (end.error !== undefined) throw end.error;
  if (began === undefined || end.ended === undefined) return {};
  const cpuMs = before === undefined || after === undefined ? undefined : after - before;
  return { took: end.ended - began, ...(cpuMs === undefined ? {} : { cpuMs }) };
}

/** @param {Request | undefined} request @returns {object} what a replication with the filter of the request passes */
function jobOf(request) {
  const { filter, ...parameters } = Object.fromEntries(new URLSearchParams(request?.path.split('?')[1]));
  if (request?.body !== undefined) return { selector: JSON.parse(request.body).selector };
  return { filter, ...(Object.keys(parameters).length > 0 ? { query_params: parameters } : {}) };
}

/**
 * @param {Target} target
 * @param {string} database
 * @returns {Promise<string[]>} id and revision of each document
 */
export async function readRevisions(target, database) {
  const { rows } = await target.read(database, '_all_docs');
  return (Array.isArray(rows) ? rows : []).map((row) => `${row?.id} ${row?.value?.rev}`);
}

/**
 * @param {ReadonlyMap<string, string[]>} arrived what each arm replicated
 * @returns {Answers}
 */
export function compareArrived(arrived) {
  const [first = [], second = []] = [...arrived.values()].slice(0, 2).map((revisions) => revisions.toSorted());
  const isSame = first.length === second.length && first.every((revision, at) => revision === second[at]);
  if (isSame) return { same: 1, differences: [], uncompared: [] };
  const missing = first.filter((revision) => !second.includes(revision)).length;
  const [before, after] = [formatCount(first.length), formatCount(second.length)];
  const difference = `${before} documents arrived through the function, ${after} through the selector, ${formatCount(missing)} of them missing`;
  return { same: 0, differences: [difference], uncompared: [] };
}
