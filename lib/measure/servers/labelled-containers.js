// Finds and removes the containers that this program started, by their labels: no other container is ever touched.

import { parseJson } from '../../shared/parse-json.js';
import { UserError } from '../../shared/user-error.js';
import { runProgram } from './container-program.js';

/** @import { Program } from './container-program.js' */
/** @import { Mark } from './target.js' */

/** @typedef {{id: string, labels: Record<string, string>}} Labelled */

const RUN = 'couch-advisor.run';
const HOST = 'couch-advisor.host';
const PID = 'couch-advisor.pid';
const AT = 'couch-advisor.at';

/** A removal may meet that of `--rm`; it is looked again after a pause. */
const ATTEMPTS = 5;
const PAUSE_MS = 500;

/**
 * @param {Mark} mark
 * @returns {string[]} arguments of `run`
 */
export function labelArguments({ run, host, pid, at }) {
  const labels = { [RUN]: run, [HOST]: host, [PID]: String(pid), [AT]: at };
  return Object.entries(labels).flatMap(([name, value]) => ['--label', `${name}=${value}`]);
}

/**
 * @param {Program} program
 * @param {string} [run] only those of this run
 * @returns {Promise<Labelled[]>} running or not
 * @throws {UserError} where the engine does not answer
 */
async function findLabelled(program, run) {
  const filter = run === undefined ? RUN : `${RUN}=${run}`;
  const listed = await runProgram(program, ['ps', '--all', '--quiet', '--no-trunc', '--filter', `label=${filter}`]);
  if (listed.code !== 0) {
    const message = `\`${program.name} ps\` failed: ${listed.stderr.trim().slice(0, 200)}`;
    throw new UserError('container-failed', message, { hint: `try it by hand: ${program.name} ps` });
  }
  const ids = listed.stdout.split(/\s+/).filter((word) => /^[0-9a-f]{12,64}$/.test(word));
  /** @type {Labelled[]} */
  const found = [];
  for (const id of new Set(ids)) {
    // The filter is the engine's; what is removed is checked here.
    const { stdout } = await runProgram(program, ['inspect', '--format', '{{json .Config.Labels}}', id]);
    const labels = /** @type {Record<string, string> | null | undefined} */ (parseJson(stdout));
    const own = labels?.[RUN];
    if (labels && typeof own === 'string' && (run === undefined || own === run)) found.push({ id, labels });
  }
  return found;
}

/**
 * @param {Program} program
 * @param {string} run
 * @returns {Promise<string[]>} ids of those that are still there
 */
export async function removeOfRun(program, run) {
  for (let attempt = 1; ; attempt += 1) {
    const found = await findLabelled(program, run);
    if (found.length === 0 || attempt === ATTEMPTS) return found.map(({ id }) => id.slice(0, 12));
    if (attempt > 1) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    for (const { id } of found) await remove(program, id);
  }
}

/**
 * Removes what killed runs have left: containers of dead processes of this machine.
 * @param {Program} program
 * @param {{host: string, isAlive: (pid: number) => boolean}} options
 * @returns {Promise<{removed: string[], kept: string[]}>} ids; `kept`: of runs that may go on, on this machine or another
 */
export async function removeLeftovers(program, { host, isAlive }) {
  /** @type {string[]} */
  const removed = [];
  /** @type {string[]} */
  const kept = [];
  for (const { id, labels } of await findLabelled(program)) {
    const pid = Number(labels[PID]);
    const isDead = labels[HOST] === host && Number.isInteger(pid) && pid > 0 && !isAlive(pid);
    const shown = id.slice(0, 12);
    if (isDead && (await remove(program, id))) removed.push(shown);
    else kept.push(shown);
  }
  return { removed, kept };
}

/**
 * @param {Program} program
 * @param {string} id
 * @returns {Promise<boolean>} with its anonymous volume: the image declares one for its data
 */
async function remove(program, id) {
  return (await runProgram(program, ['rm', '--force', '--volumes', id])).code === 0;
}
