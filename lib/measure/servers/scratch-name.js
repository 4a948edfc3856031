// Names scratch databases, and guards every write: a request that would change anything else is a fault of this program
// and is never sent.

import { hashText } from '../../shared/hash-text.js';

/** What all names begin with. */
export const SCRATCH_PREFIX = 'couch-advisor-scratch-';

/**
 * @param {string} run id of the run, lower-case letters and digits
 * @param {number} number of the database within the run
 * @returns {string} with a check of the rest at its end, which nobody gives a database by chance
 */
export function scratchName(run, number) {
  return `${SCRATCH_PREFIX}${run}-${number}-${checkOf(`${run}-${number}`)}`;
}

/**
 * @param {string} name
 * @returns {boolean} whether this program made the name
 */
export function isMadeName(name) {
  const [, rest, check] = /^couch-advisor-scratch-(.+)-([0-9a-f]{8})$/.exec(name) ?? [];
  return rest !== undefined && isScratchName(name) && check === checkOf(rest);
}

/** @param {string} text @returns {string} */
function checkOf(text) {
  return hashText(`scratch ${text}`).slice(0, 8);
}

/**
 * @param {string} name
 * @returns {boolean}
 */
export function isScratchName(name) {
  return /^couch-advisor-scratch-[a-z0-9]+(-[a-z0-9]+)*$/.test(name);
}

/**
 * @param {string} method
 * @param {string} path of a request, without a slash at its head
 * @param {unknown} [body]
 * @throws {Error} where it may change something that is no scratch database
 */
export function guardRequest(method, path, body) {
  if (method === 'GET' || method === 'HEAD') return;
  if (method === 'POST' && path === '_replicate' && isOfScratch(body)) return;
  const [database = ''] = path.split(/[/?#]/);
  // A path that climbs would be another one by the time it is sent.
  const climbs = path.split(/[/?#]/).some((part) => /^(\.|%2e){1,2}$/i.test(part));
  if (isScratchName(database) && !climbs) return;
  throw new Error(`refused: ${method} of something that is not a scratch database`);
}

/** What a replication of ours has beside its source and target: nothing that cancels another one, creates a database or stays. */
const JOB_KEYS = new Set(['filter', 'query_params', 'selector', 'use_checkpoints']);

/**
 * @param {unknown} body of `_replicate`
 * @returns {boolean} whether it replicates once, from a scratch database of the server that runs it to another one
 */
function isOfScratch(body) {
  const { source, target, ...rest } = /** @type {Record<string, any>} */ (body ?? {});
  return (
    Object.keys(rest).every((key) => JOB_KEYS.has(key)) &&
    [source, target].every((end) =>
      isScratchName(/^http:\/\/127\.0\.0\.1:\d{1,5}\/([^/]+)$/.exec(String(end?.url))?.[1] ?? ''),
    )
  );
}
