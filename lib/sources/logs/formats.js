// The formats of lines that are known, by name. HAR is not among them: it is one JSON document, `har.js` reads it.

import { combined, combinedMicros, combinedSeconds } from './combined.js';
import { couchdb } from './couchdb.js';
import { couchdb1x } from './couchdb-1x.js';
import { couchdbJournal } from './couchdb-journal.js';
import { couchdbSyslog } from './couchdb-syslog.js';
import { haproxy } from './haproxy.js';

/** @import { LogFormat } from './log-line.js' */

/** What `--log-format` takes. */
export const FORMAT_NAMES = [
  'couchdb',
  'couchdb-syslog',
  'couchdb-journal',
  'couchdb-1x',
  'combined',
  'combined-seconds',
  'combined-micros',
  'haproxy',
  'har',
];

/**
 * @param {number} latest milliseconds since 1970, after which no line was written; dates without a year need it
 * @returns {LogFormat[]} those that are looked for, no two of which read the same line as a request
 */
export function lineFormats(latest) {
  return [couchdb, combined, couchdb1x, couchdbSyslog, couchdbJournal(latest), haproxy];
}

/**
 * @param {string} name
 * @param {number} latest
 * @returns {LogFormat | undefined} undefined for `har` and for what is no format
 */
export function formatNamed(name, latest) {
  return [...lineFormats(latest), combinedSeconds, combinedMicros].find((format) => format.name === name);
}
