// Reads lines of CouchDB 2 and 3 that went through systemd: bare as couch_log_writer_journald writes them (3.5.0), or
// as `journalctl` prints them, with date, host and program before the line of any writer.

import { scan as scanFileLine, scanNode } from './couchdb.js';
import { LINE } from './log-line.js';
import { readIsoTime, readSyslogTime } from './timestamps.js';

/** @import { LogFormat, LogLine } from './log-line.js' */

const SPACE = 32;
const COLON = 58;

/** @type {LogFormat} */
export const couchdbJournal = { name: 'couchdb-journal', scan };

/**
 * @param {Buffer} bytes
 * @param {number} start
 * @param {number} end
 * @param {LogLine} line
 * @returns {number}
 */
function scan(bytes, start, end, line) {
  if (bytes[start] === SPACE || bytes[start] === 9) return LINE.OTHER;
  // `<5>couchdb@host <0.169.3> …`: no time at all; the journal keeps it apart.
  if (bytes[start] === 60 && bytes[start + 2] === 62) return scanNode(bytes, start + 3, end, line);
  const time = readSyslogTime(bytes, start, end, line) || readIsoTime(bytes, start, end, line);
  if (time === 0 || bytes[time] !== SPACE) {
    // The same as `journalctl -o cat` and `-o json` have it.
    if (mayBeCouchdb(bytes, start, end)) return scanNode(bytes, start, end, line);
    // `-- Boot 0123… --`, `-- Journal begins at …`
    return bytes[start] === 45 && bytes[start + 1] === 45 && bytes[start + 2] === SPACE ? LINE.OTHER : LINE.MALFORMED;
  }
  // Host, then `couchdb[1234]: `.
  let at = time + 1;
  while (at < end && !(bytes[at] === COLON && bytes[at + 1] === SPACE)) at += 1;
  if (at >= end) return LINE.MALFORMED;
  at += 2;
  if (bytes[at] === 91) return scanFileLine(bytes, at, end, line);
  const kind = scanNode(bytes, at, end, line);
  // Other programs, and CouchDB's own further lines of one entry, stand in the journal too.
  return kind === LINE.MALFORMED && !mayBeCouchdb(bytes, at, end) ? LINE.OTHER : kind;
}

/**
 * @param {Buffer} bytes
 * @param {number} start
 * @param {number} end
 * @returns {boolean} whether the line names a node and a process
 */
function mayBeCouchdb(bytes, start, end) {
  return /^\S+@\S+ </.test(bytes.toString('latin1', start, Math.min(end, start + 300)));
}
