// Reads the requests of a HAR document (HTTP Archive 1.2). Bodies are read for the number of rows and keys, and for
// what they request, without values.

import { parseBounded } from '../../shared/bounded-json.js';
import { MAX_VALUES, parseJson } from '../../shared/parse-json.js';
import { SourceFile } from '../../shared/source-file.js';
import { UserError } from '../../shared/user-error.js';
import { bodyParameters } from './har-body.js';
import { readEntriesBeforeFault } from './har-entries.js';

/** @import { SoundEntries } from './har-entries.js' */

/**
 * @typedef {object} HarRequest One entry; what it does not have is -1.
 * @property {string} method
 * @property {string} path and query, as they were sent
 * @property {string} target the same with what the body requests
 * @property {number} status
 * @property {number} time milliseconds since 1970
 * @property {number} micros
 * @property {number} size bytes of the answer's body
 * @property {number} rows counted in the body of the answer
 * @property {number} keyCount counted in the body of the request
 * @property {boolean} isReplicator
 */

/** A HAR file is read as one text. */
export const MAX_HAR_BYTES = 64 * 1024 * 1024;

/** What was read, and where it ends too early the reason. @typedef {{requests: (HarRequest | undefined)[], error: UserError | undefined}} HarReading */

/**
 * @param {string} source
 * @param {string} path as it is shown
 * @returns {HarReading} requests in the order of the file, undefined for an entry that is none; with an error of code
 *   `cut-short` those before the place where the file is cut or damaged
 * @throws {UserError} of code `bad-har` where it is no such document
 */
export function readHar(source, path) {
  const text = source.replace(/^\ufeff/, '');
  /** @type {unknown} */
  let value;
  try {
    value = parseBounded(text, path, { hint: 'save the requests of CouchDB alone', maxValues: MAX_VALUES });
  } catch (error) {
    if (error instanceof UserError) throw error;
    const found = readEntriesBeforeFault(text);
    if (found) return { requests: found.entries.map(readEntry), error: cutShort(path, text, found) };
    throw badHar(path, `it is not valid JSON (${error instanceof Error ? error.message.slice(0, 100) : ''})`);
  }
  const entries = memberOf(memberOf(value, 'log'), 'entries');
  if (!Array.isArray(entries)) throw badHar(path, 'it has no `log.entries` array');
  return { requests: entries.map(readEntry), error: undefined };
}

/**
 * @param {string} source
 * @returns {Map<number, unknown>} bodies of requests, with their values, by the number of the entry from 1; none where the file cannot be read
 */
export function readHarBodies(source) {
  const text = source.replace(/^\ufeff/, '');
  const whole = memberOf(memberOf(parseJson(text), 'log'), 'entries');
  const entries = Array.isArray(whole) ? whole : (readEntriesBeforeFault(text)?.entries ?? []);
  return new Map(
    entries.flatMap((/** @type {unknown} */ entry, /** @type {number} */ at) => {
      const posted = memberOf(memberOf(memberOf(entry, 'request'), 'postData'), 'text');
      return typeof posted === 'string' ? [/** @type {[number, unknown]} */ ([at + 1, parseJson(posted)])] : [];
    }),
  );
}

/**
 * @param {unknown} entry
 * @returns {HarRequest | undefined}
 */
function readEntry(entry) {
  const request = memberOf(entry, 'request');
  const response = memberOf(entry, 'response');
  const method = memberOf(request, 'method');
  const url = memberOf(request, 'url');
  if (typeof method !== 'string' || !/^[A-Z]{3,12}$/.test(method) || typeof url !== 'string') return undefined;
  const path = /^[a-z]+:\/\/[^/?#]*([^#]*)/i.exec(url)?.[1] ?? url;
  if (path !== '' && !path.startsWith('/') && !path.startsWith('?')) return undefined;
  const content = memberOf(response, 'content');
  const text = memberOf(content, 'text');
  const posted = memberOf(memberOf(request, 'postData'), 'text');
  const body = typeof posted === 'string' ? parseJson(posted) : undefined;
  const answer = typeof text === 'string' && memberOf(content, 'encoding') !== 'base64' ? parseJson(text) : undefined;
  const ms = memberOf(entry, 'time');
  const time = Date.parse(textOf(memberOf(entry, 'startedDateTime')));
  const status = wholeNumber(memberOf(response, 'status'));
  const size = wholeNumber(memberOf(content, 'size'));
  const bodySize = wholeNumber(memberOf(response, 'bodySize'));
  const sent = path.startsWith('/') ? path : `/${path}`;
  return {
    method,
    path: sent,
    target: withBody(sent, method, body, answer),
    status: status > 999 ? 0 : Math.max(0, status),
    time: Number.isNaN(time) || time < 0 ? -1 : time,
    micros: typeof ms === 'number' && ms >= 0 && ms < 1e12 ? Math.round(ms * 1000) : -1,
    size: size >= 0 ? size : bodySize,
    rows: countRows(answer),
    keyCount: countKeys(body),
    isReplicator: isReplicator(memberOf(request, 'headers')),
  };
}

/**
 * @param {unknown} answer its body
 * @returns {number} rows of a view, documents of `_find`, changes; -1 where it has none of these
 */
function countRows(answer) {
  for (const name of ['rows', 'docs', 'results']) {
    const list = memberOf(answer, name);
    if (Array.isArray(list)) return list.length;
  }
  return -1;
}

/**
 * @param {string} target
 * @param {string} method
 * @param {unknown} body of the request
 * @param {unknown} answer
 * @returns {string} with what the body requests, as if it were part of it
 */
function withBody(target, method, body, answer) {
  const [path = ''] = target.split('?', 1);
  const said = method === 'POST' ? bodyParameters(path, body, answer) : '';
  return said === '' ? target : `${target}${target.includes('?') ? '&' : '?'}${said}`;
}

/**
 * @param {unknown} body of a request
 * @returns {number}
 */
function countKeys(body) {
  const keys = memberOf(body, 'keys');
  return Array.isArray(keys) ? keys.length : -1;
}

/**
 * @param {unknown} headers
 * @returns {boolean}
 */
function isReplicator(headers) {
  return (
    Array.isArray(headers) &&
    headers.some(
      (header) =>
        textOf(memberOf(header, 'name')).toLowerCase() === 'user-agent' &&
        textOf(memberOf(header, 'value')).startsWith('CouchDB-Replicator'),
    )
  );
}

/**
 * @param {unknown} value
 * @param {string} name
 * @returns {unknown} undefined where the value has no such member of its own
 */
function memberOf(value, name) {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? /** @type {Record<string, unknown>} */ (value)[name]
    : undefined;
}

/**
 * @param {unknown} value
 * @returns {string} empty where it is none
 */
function textOf(value) {
  return typeof value === 'string' ? value : '';
}

/**
 * @param {unknown} value
 * @returns {number} -1 where it is none, or negative
 */
function wholeNumber(value) {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : -1;
}

/**
 * @param {string} path
 * @param {string} reason
 * @returns {UserError}
 */
function badHar(path, reason) {
  return new UserError('bad-har', `${path} is not a HAR file: ${reason}`, {
    place: { file: path, line: 1, column: 1 },
    hint: 'save it again from the network panel of the browser',
  });
}

/**
 * @param {string} path
 * @param {string} text
 * @param {SoundEntries} found
 * @returns {UserError}
 */
function cutShort(path, text, { entries, offset, isCut }) {
  const place = new SourceFile(path, text).place(offset);
  const count = entries.length === 1 ? '1 entry was read' : `${entries.length} entries were read`;
  const what = isCut ? 'is truncated' : 'is damaged';
  return new UserError(
    'cut-short',
    `${path} ${what} at line ${place.line}, column ${place.column}; ${count} before that`,
    {
      place,
      hint: 'save it again from the network panel of the browser',
    },
  );
}
