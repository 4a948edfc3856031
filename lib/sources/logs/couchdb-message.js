// Reads what CouchDB 2 and 3 write after the head of a line, whichever writer wrote it: requests, reports, index builds, failures of query servers.
// The forms are those of chttpd.erl, mango_execution_stats.erl, couch_index_updater.erl and couch_os_process.erl, 2.3.1 to 3.5.0.

import { digits, isMethod, isTarget } from './byte-fields.js';
import { LINE } from './log-line.js';
import { serverReports } from './server-reports.js';

/** @import { LogLine } from './log-line.js' */

const SPACE = 32;
const INDEX = /^(Starting index update|Index update finished) for db: (\S+) idx: (.+)$/;
const FAILURE = /os_process_error|OS Process (?:Error|died|\S+ (?:Timed out|Fatal Error))|OS process timed out/;
/** Longer messages are cut before they are looked at: what matters comes first. */
const MAX_MESSAGE = 4096;
/** Reports of a comparison hold both results, the first of which may be long. */
const MAX_REPORT = 65_536;

/**
 * @param {Buffer} bytes
 * @param {number} start of the message, behind the nonce
 * @param {number} end
 * @param {LogLine} line has the process, gets what the message says
 * @returns {number} of LINE
 */
export function scanMessage(bytes, start, end, line) {
  if (scanRequest(bytes, start, end, line)) return LINE.REQUEST;
  const first = bytes[start];
  if (first === 91) return scanReport(bytes.toString('latin1', start, Math.min(end, start + MAX_MESSAGE)), line);
  if (first === 83 || first === 73) {
    const found = INDEX.exec(bytes.toString('utf8', start, Math.min(end, start + MAX_MESSAGE)));
    if (found) {
      const [, what = '', database = '', designDoc = ''] = found;
      const pid = bytes.toString('latin1', line.pidStart, line.pidEnd);
      line.evidence = { index: { pid, database, designDoc } };
      return what.startsWith('S') ? LINE.INDEX_START : LINE.INDEX_FINISH;
    }
  }
  const text = bytes.toString('latin1', start, Math.min(end, start + MAX_MESSAGE));
  if (FAILURE.test(text)) {
    line.evidence = { failure: failureKind(text) };
    return LINE.QUERY_SERVER;
  }
  if (isCutRequest(text)) return LINE.MALFORMED;
  const reports = serverReports(bytes.toString('utf8', start, Math.min(end, start + MAX_REPORT)));
  if (reports.length === 0) return LINE.OTHER;
  line.evidence = { reports };
  return LINE.SERVER_REPORT;
}

/**
 * `localhost:5984 127.0.0.1 admin GET /shop 200 ok 12`, read from its end: names of users may have spaces.
 * @param {Buffer} bytes
 * @param {number} start
 * @param {number} end
 * @param {LogLine} line
 * @returns {boolean}
 */
function scanRequest(bytes, start, end, line) {
  const last = bytes[end - 1] ?? 0;
  if (last < 48 || last > 57) return false;
  const time = spaceBefore(bytes, start, end);
  const word = spaceBefore(bytes, start, time);
  const code = spaceBefore(bytes, start, word);
  const target = spaceBefore(bytes, start, code);
  const method = spaceBefore(bytes, start, target);
  if (method < start || code - target < 2 || !isMethod(bytes, method + 1, target)) return false;
  const ms = digits(bytes, time + 1, end);
  const status = word - code === 4 ? digits(bytes, code + 1, word) : -1;
  if (ms < 0 || status < 100 || !isTarget(bytes, target + 1, code)) return false;
  // Host, peer, user. A second head among them means that two lines were written into one another.
  const host = spaceFrom(bytes, start, method);
  const peer = spaceFrom(bytes, host + 1, method);
  if (peer >= method) return false;
  if (method - start > 100 && /\[\w+\] |<\d+\.\d+\.\d+>/.test(bytes.toString('latin1', start, method))) return false;
  line.peerStart = host + 1;
  line.peerEnd = peer;
  line.userStart = peer + 1;
  line.userEnd = method;
  line.methodStart = method + 1;
  line.methodEnd = target;
  line.targetStart = target + 1;
  line.targetEnd = code;
  line.status = status;
  line.micros = ms * 1000;
  return true;
}

/**
 * @param {Buffer} bytes
 * @param {number} start
 * @param {number} end
 * @returns {number} the offset of the last space before `end`, less than `start` where there is none
 */
function spaceBefore(bytes, start, end) {
  let at = end - 1;
  while (at >= start && bytes[at] !== SPACE) at -= 1;
  return at;
}

/**
 * @param {Buffer} bytes
 * @param {number} start
 * @param {number} end
 * @returns {number} the offset of the next space, `end` or more where there is none before
 */
function spaceFrom(bytes, start, end) {
  let at = start;
  while (at < end && bytes[at] !== SPACE) at += 1;
  return at;
}

/**
 * `[mango-stats dbname="shop" nonce="685d6f9f83" results_returned=25 total_docs_examined=178 …]`; with an enterprise number
 * the name has `-DB@…` behind it.
 * @param {string} text
 * @param {LogLine} line
 * @returns {number} of LINE
 */
function scanReport(text, line) {
  if (!text.startsWith('[mango-stats')) return LINE.OTHER;
  const number = (/** @type {string} */ name) =>
    Number(new RegExp(` ${name}=(\\d+(?:\\.\\d+)?)[ \\]]`).exec(text)?.[1] ?? Number.NaN);
  const nonce = / nonce="([^"]*)"/.exec(text)?.[1];
  const find = {
    docsExamined: number('total_docs_examined'),
    keysExamined: number('total_keys_examined') || 0,
    quorumDocsExamined: number('total_quorum_docs_examined') || 0,
    results: number('results_returned'),
    executionMicros: Math.round((number('execution_time_ms') || 0) * 1000),
  };
  if (nonce === undefined || Number.isNaN(find.results) || Number.isNaN(find.docsExamined)) return LINE.MALFORMED;
  line.evidence = { nonce, find };
  return LINE.FIND_REPORT;
}

/**
 * @param {string} text
 * @returns {string} `timeout`, `exit` or `error`
 */
function failureKind(text) {
  if (/timed out/i.test(text)) return 'timeout';
  return /exit_status|died with status/.test(text) ? 'exit' : 'error';
}

/**
 * @param {string} text
 * @returns {boolean} whether a request begins there whose end is missing or broken
 */
function isCutRequest(text) {
  return /^\S+ \S+ (?:\S+ )?(?:GET|POST|PUT|DELETE|HEAD|COPY|OPTIONS) (?:\/|$)/.test(text);
}
