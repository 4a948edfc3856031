// Asks a server: requests in, answers out, no faster than told, none that is not on the list, and each fault a clear error.
// Node's own fetch is used and not nano: nano 11 takes a cut JSON answer for an empty one and has no limit of size.

import { formatBytes } from '../../shared/units.js';
import { UserError } from '../../shared/user-error.js';
import { isAllowed } from './allowed-requests.js';

/** @typedef {{status: number, body: unknown}} Answer the body as JSON was read */
/** @typedef {(method: 'GET' | 'POST', path: string, body?: unknown) => Promise<Answer>} Ask */

/**
 * @typedef {object} ClientOptions
 * @property {string} origin `http://host:5984`
 * @property {Record<string, string>} headers what authorises; shown nowhere
 * @property {number} rate requests a second, at most
 * @property {number} [timeoutMs] until the whole of an answer is here
 * @property {number} [mostBytes] of one answer, unpacked
 */

/** Reading an answer takes no longer, in milliseconds. An `_info` waits for the index to be opened. */
const TIMEOUT_MS = 30_000;
/** Longer answers are refused: all design documents of a database are some kilobytes, a list of 1,000 databases 100. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Names of faults of certificates and of the TLS handshake, as Node.js 20 to 26 gives them. */
const TLS_FAULT = /CERT|TLS|SSL|EPROTO|UNABLE_TO_VERIFY/;

/** What the codes of a connection that fails mean. @type {Map<string, string>} */
const CONNECTION_FAULTS = new Map([
  ['ECONNREFUSED', 'nothing listens there'],
  ['ECONNRESET', 'the connection was cut'],
  ['EHOSTUNREACH', 'the host cannot be reached'],
  ['ENETUNREACH', 'the network cannot be reached'],
  ['ENOTFOUND', 'there is no host of that name'],
  ['EAI_AGAIN', 'the name of the host cannot be looked up'],
  ['ETIMEDOUT', 'the host does not answer'],
  ['UND_ERR_CONNECT_TIMEOUT', 'the host does not answer'],
  ['UND_ERR_SOCKET', 'the connection was cut'],
]);

/**
 * @param {ClientOptions} options
 * @returns {Ask} rejects with a UserError where there is no answer to be had
 */
export function createClient({ origin, headers, rate, timeoutMs = TIMEOUT_MS, mostBytes = MOST_BYTES }) {
  const waitForTurn = createPace(rate);
  return async (method, path, body) => {
    if (!isAllowed(method, path)) throw new Error(`refused: ${method} ${path} is not on the list of what is asked`);
    await waitForTurn();
    try {
      const response = await fetch(`${origin}${path}`, {
        method,
        headers: { accept: 'application/json', ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return await readAnswer(response, { origin, path, mostBytes });
    } catch (error) {
      if (error instanceof UserError) throw error;
      throw describeFault(error, { origin, path, timeoutMs });
    }
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

/**
 * @param {Response} response
 * @param {{origin: string, path: string, mostBytes: number}} about
 * @returns {Promise<Answer>}
 */
async function readAnswer(response, { origin, path, mostBytes }) {
  const { status } = response;
  if (status >= 300 && status < 400) {
    await response.body?.cancel();
    const target = redirectTarget(response.headers.get('location'), `${origin}${path}`);
    throw new UserError('server-redirects', `${origin}${shown(path)} leads on to ${target}`, {
      hint: 'CouchDB does not do so; name the address that it leads to, or the port of CouchDB itself',
    });
  }
  const text = await readText(response, { origin, path, mostBytes });
  try {
    return { status, body: JSON.parse(text) };
  } catch {
    // What a proxy says of its own is no JSON; its status says enough.
    if (status >= 400) return { status, body: null };
    throw notJson(text, response, `${origin}${shown(path)}`);
  }
}

/**
 * @param {Response} response
 * @param {{origin: string, path: string, mostBytes: number}} about
 * @returns {Promise<string>}
 */
async function readText(response, { origin, path, mostBytes }) {
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  const reader = response.body?.getReader();
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
    if (done || !value) return text + decoder.decode();
    size += value.length;
    if (size > mostBytes) {
      await reader?.cancel();
      throw new UserError('answer-too-large', `${origin}${shown(path)} answers more than ${formatBytes(mostBytes)}`, {
        hint: 'leave the database out; name those to read with --db',
      });
    }
    text += decoder.decode(value, { stream: true });
  }
}

/**
 * @param {string} text
 * @param {Response} response
 * @param {string} address
 * @returns {UserError}
 */
function notJson(text, response, address) {
  const isHtml = /^\s*</.test(text) || response.headers.get('content-type')?.includes('html') === true;
  if (isHtml) {
    return new UserError('no-couchdb', `${address} answers with a web page, not with JSON`, {
      hint: 'check the port, and whether a proxy stands before CouchDB',
    });
  }
  const isCut = /^\s*[[{]/.test(text);
  return new UserError('answer-broken', `${address} answers ${isCut ? 'JSON that is cut short' : 'what is no JSON'}`, {
    hint: 'ask it with curl; a proxy may have cut it',
  });
}

/**
 * @param {unknown} error of fetch
 * @param {{origin: string, path: string, timeoutMs: number}} about
 * @returns {UserError}
 */
function describeFault(error, { origin, path, timeoutMs }) {
  const { name, message, cause } = /** @type {{name?: string, message?: string, cause?: unknown}} */ (error);
  if (name === 'TimeoutError' || name === 'AbortError') {
    const time = `within ${timeoutMs / 1000} s`;
    return new UserError('server-lost', `${origin}${shown(path)} does not answer ${time}`, {
      hint: 'try it with curl',
    });
  }
  const { code = '', message: reason = '' } = /** @type {{code?: string, message?: string}} */ (cause ?? {});
  if (TLS_FAULT.test(code) || /\bSSL\b|certificate/i.test(reason)) {
    return new UserError('tls-failed', `the connection to ${origin} cannot be made safe: ${code || reason.trim()}`, {
      hint: 'for a certificate of your own: NODE_EXTRA_CA_CERTS=ca.pem; for a server without TLS: http://',
    });
  }
  // The body ends before its length, or the connection goes away in the middle of it.
  const isCut = message === 'terminated' || code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH';
  const detail = CONNECTION_FAULTS.get(code) ?? (isCut ? 'the connection was cut' : code || 'the connection failed');
  return new UserError('server-lost', `${origin} does not answer: ${detail}`, {
    hint: origin.startsWith('https:')
      ? 'check its address and port; a server without TLS is named with http://'
      : 'check that the server runs and that its address and port are right',
  });
}

/**
 * @param {string | null} location
 * @param {string} from
 * @returns {string} without what may be secret in it
 */
function redirectTarget(location, from) {
  try {
    const { origin, pathname } = new URL(location ?? '', from);
    return `${origin}${pathname}`;
  } catch {
    return 'another address';
  }
}

/**
 * @param {string} path
 * @returns {string} without its query
 */
function shown(path) {
  return path.split('?')[0] ?? '';
}
