// Sends requests to a server, no faster than wanted, and none that is not on the list.

import { requestJson } from '../../measure/servers/json-request.js';
import { UserError } from '../../shared/user-error.js';
import { isAllowed } from './allowed-requests.js';

/** @import { JsonAnswer } from '../../measure/servers/json-request.js' */

/** @typedef {(method: 'GET' | 'POST', path: string, body?: unknown) => Promise<JsonAnswer>} Ask */

/**
 * @typedef {object} ClientOptions
 * @property {string} origin `http://host:5984`
 * @property {Record<string, string>} headers what authorises; shown nowhere
 * @property {number} rate requests a second, at most
 * @property {boolean} [onlyGets] whether a POST is refused, even one that reads
 * @property {number} [timeoutMs] until the whole of an answer is here
 * @property {number} [maxBytes] of one answer, unpacked
 * @property {number} [maxValues] in one answer
 */

/** Reading an answer takes no longer, in milliseconds. An `_info` waits for the index to be opened. */
const TIMEOUT_MS = 30_000;
/** Longer answers are refused: all design documents of a database are some kilobytes, a list of 1,000 databases 100; one document has at most 8 MB (`max_document_size`, 3.5.0). */
const MAX_BYTES = 16 * 1024 * 1024;
/** So are those with more values: 64,000 empty views, which are 192,000 values, take 620 MiB until they are judged. */
const MAX_VALUES = 90_000;
const TOO_LARGE = 'exclude this database: select the others with --db';

/**
 * @param {ClientOptions} options
 * @returns {Ask} rejects with a UserError where there is no response
 */
export function createClient({
  origin,
  headers,
  rate,
  onlyGets = false,
  timeoutMs = TIMEOUT_MS,
  maxBytes = MAX_BYTES,
  maxValues = MAX_VALUES,
}) {
  const waitForTurn = createPace(rate);
  return async (method, path, body) => {
    if (!isAllowed(method, path)) throw new Error(`refused: ${method} ${path} is not on the list of requests`);
    if (onlyGets && method !== 'GET') throw new UserError('only-gets', `${method} is not sent, only GET`);
    await waitForTurn();
    const limits = { timeoutMs, maxBytes, maxValues, tooLargeHint: TOO_LARGE };
    return requestJson({ origin, headers }, { method, path, body }, limits);
  };
}

/**
 * @param {number} rate turns a second
 * @returns {() => Promise<void>} resolves when it is the caller's turn
 */
function createPace(rate) {
  const gap = 1000 / rate;
  let next = 0;
  return async () => {
    const now = performance.now();
    const turn = Math.max(now, next);
    next = turn + gap;
    if (turn <= now) return;
    await new Promise((resolve) => setTimeout(resolve, turn - now));
  };
}
