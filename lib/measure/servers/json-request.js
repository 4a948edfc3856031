// Sends one request to a server and reads its JSON response, within a time and a size; each fault is one clear error. Follows no redirect, so
// credentials go to the server that was named and to no other. Uses Node's own fetch: nano 11.0.7 takes a cut JSON answer for an empty one, has no
// limit of size, and leaves rejections unhandled where a refusal is `null` or an answer that is no JSON is cut (responseHandler, lib/nano.js).

import { parseBounded } from '../../shared/bounded-json.js';
import { formatBytes } from '../../shared/units.js';
import { UserError } from '../../shared/user-error.js';
import { masksOf } from './credentials.js';

/** @import { SecretMask } from '../../shared/mask-secrets.js' */

/** @typedef {{status: number, body: any}} JsonAnswer the body as JSON was read, null where a refusal was none; who reads it checks it */

/**
 * @typedef {object} RequestLimits
 * @property {number} timeoutMs until the whole of an answer is here
 * @property {number} maxBytes of an answer, unpacked
 * @property {number} [maxValues] in it
 * @property {string} tooLargeHint what to do about a larger one
 */

/** `signal`: that the time is over; `masks`: of what was sent as a secret. @typedef {{origin: string, path: string, signal: AbortSignal, masks: ReturnType<typeof masksOf>} & RequestLimits} About */

/** Names of faults of certificates and of the TLS handshake, as Node.js 20 to 26 gives them. */
const TLS_FAULT = /CERT|TLS|SSL|EPROTO|UNABLE_TO_VERIFY/;

/** What the codes of a connection that fails mean. @type {Map<string, string>} */
const CONNECTION_FAULTS = new Map([
  ['ECONNREFUSED', 'connection refused'],
  ['ECONNRESET', 'connection closed'],
  ['EHOSTUNREACH', 'host unreachable'],
  ['ENETUNREACH', 'network unreachable'],
  ['ENOTFOUND', 'unknown host'],
  ['EAI_AGAIN', 'DNS lookup failed'],
  ['ETIMEDOUT', 'connection timed out'],
  ['UND_ERR_CONNECT_TIMEOUT', 'connection timed out'],
  ['UND_ERR_SOCKET', 'connection closed'],
]);

/**
 * @param {{origin: string, headers: Record<string, string>}} server `headers`: what authorises; shown nowhere
 * @param {{method: 'GET' | 'PUT' | 'POST' | 'DELETE', path: string, body?: unknown}} request `path` begins with a slash
 * @param {RequestLimits} limits
 * @returns {Promise<JsonAnswer>}
 * @throws {UserError} of code `server-lost`, `server-redirects`, `answer-too-large`, `json-too-large`, `answer-broken`, `no-couchdb` or `tls-failed`
 */
export async function requestJson({ origin, headers }, { method, path, body }, limits) {
  const signal = AbortSignal.timeout(limits.timeoutMs);
  const masks = masksOf(headers);
  try {
    const response = await fetch(`${origin}${path}`, {
      method,
      headers: {
        accept: 'application/json',
        ...headers,
        ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
      },
      redirect: 'manual',
      signal,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return await readAnswer(response, { origin, path, signal, masks, ...limits });
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw describeFault(error, { origin, path, timeoutMs: limits.timeoutMs });
  }
}

/**
 * @param {Response} response
 * @param {About} about
 * @returns {Promise<JsonAnswer>}
 */
async function readAnswer(response, about) {
  const { origin, path, masks, maxValues, tooLargeHint } = about;
  const { status } = response;
  if (status >= 300 && status < 400) {
    await response.body?.cancel();
    const target = redirectTarget(response.headers.get('location'), `${origin}${path}`);
    throw new UserError('server-redirects', masks.words.text(`${origin}${shown(path)} redirects to ${target}`), {
      hint: 'CouchDB does not redirect here; use the target address, or the port of CouchDB itself',
    });
  }
  const text = await readText(response, about);
  /** @type {unknown} */
  let body;
  try {
    body = parseBounded(text, `${origin}${shown(path)}`, { maxValues, hint: tooLargeHint });
  } catch (error) {
    if (error instanceof UserError) throw error;
    // What a proxy says of its own is no JSON; its status says enough.
    if (status >= 400) return { status, body: null };
    throw notJson(text, response, `${origin}${shown(path)}`);
  }
  const mask = status >= 400 || path === '/' ? masks.words : masks.data;
  if (mask.isEmpty || (mask.text(text) === text && !HIDING_ESCAPE.test(text))) return { status, body };
  const [masked] = maskMembers([body], mask, masks.data);
  return { status, body: masked };
}

/** A secret may stand behind these, and not be seen in the text. */
const HIDING_ESCAPE = /\\(?:[\\/]|u00[2-7])/;

/**
 * Masks in place: a copy of a large answer would take its memory twice.
 * @template {object} T
 * @param {T} parent as JSON was read
 * @param {SecretMask} mask of texts
 * @param {SecretMask} keys of the names of members
 * @returns {T}
 */
function maskMembers(parent, mask, keys) {
  for (const key of Object.keys(parent)) {
    const member = /** @type {Record<string, unknown>} */ (parent)[key];
    if (typeof member === 'object' && member !== null) maskMembers(member, mask, keys);
    const name = keys.text(key);
    const value = typeof member === 'string' ? mask.text(member) : member;
    if (name === key && value === member) continue;
    if (name !== key) Reflect.deleteProperty(parent, key);
    // Assigned, a member called `__proto__` would be another thing.
    Object.defineProperty(parent, name, { value, writable: true, enumerable: true, configurable: true });
  }
  return parent;
}

/**
 * @param {Response} response
 * @param {About} about
 * @returns {Promise<string>}
 */
async function readText(response, { origin, path, signal, maxBytes, tooLargeHint }) {
  if (!response.body) return '';
  const reader = response.body.getReader();
  // Node.js 20 may forget the signal of a request once its body is being read.
  const stop = () => void reader.cancel().catch(() => {});
  signal.addEventListener('abort', stop, { once: true });
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      signal.throwIfAborted();
      if (done) return text + decoder.decode();
      size += value.length;
      if (size > maxBytes) {
        throw new UserError('answer-too-large', `${origin}${shown(path)} returned more than ${formatBytes(maxBytes)}`, {
          hint: tooLargeHint,
        });
      }
      text += decoder.decode(value, { stream: true });
    }
  } finally {
    signal.removeEventListener('abort', stop);
    stop();
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
    return new UserError('no-couchdb', `${address} returned a web page instead of JSON`, {
      hint: 'check the port, and whether there is a proxy in front of CouchDB',
    });
  }
  const isCut = /^\s*[[{]/.test(text);
  return new UserError('answer-broken', `${address} returned ${isCut ? 'truncated JSON' : 'invalid JSON'}`, {
    hint: 'request it with curl; a proxy may have truncated it',
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
    return new UserError('server-lost', `${origin}${shown(path)} did not respond ${time}`, {
      hint: 'test it with curl',
    });
  }
  const { code = '', message: reason = '' } = /** @type {{code?: string, message?: string}} */ (cause ?? {});
  if (TLS_FAULT.test(code) || /\bSSL\b|certificate/i.test(reason)) {
    return new UserError('tls-failed', `the TLS connection to ${origin} failed: ${code || reason.trim()}`, {
      hint: 'for a private CA set NODE_EXTRA_CA_CERTS=ca.pem; for a server without TLS use http://',
    });
  }
  // The body ends before its length, or the connection goes away in the middle of it.
  const isCut = message === 'terminated' || code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH';
  const detail = CONNECTION_FAULTS.get(code) ?? (isCut ? 'connection closed' : code || 'connection failed');
  return new UserError('server-lost', `request to ${origin} failed: ${detail}`, {
    hint: origin.startsWith('https:')
      ? 'check the address and port; use http:// for a server without TLS'
      : 'check the address and port, and that the server is running',
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
