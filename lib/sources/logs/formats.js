// Lists the known line formats. HAR is not among them: it is one JSON document, which `har.js` reads.

import { combined, combinedMicros, combinedSeconds } from './combined.js';
import { couchdb } from './couchdb.js';
import { couchdb1x } from './couchdb-1x.js';
import { couchdbJournal } from './couchdb-journal.js';
import { couchdbSyslog } from './couchdb-syslog.js';
import { haproxy } from './haproxy.js';
import { traefik } from './traefik.js';

/** @import { LogFormat } from './log-line.js' */

/** Those that are detected: no two of them read the same line as a request. @type {LogFormat[]} */
export const DETECTED_FORMATS = [couchdb, combined, couchdb1x, couchdbSyslog, couchdbJournal, haproxy, traefik];

/** @type {LogFormat[]} */
export const LINE_FORMATS = [...DETECTED_FORMATS, combinedSeconds, combinedMicros];

/**
 * @param {string | undefined} name
 * @returns {LogFormat | undefined} undefined for `har` and for what is no format
 */
export function formatNamed(name) {
  return LINE_FORMATS.find((format) => format.name === name);
}
