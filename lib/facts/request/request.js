// Facts about one shape of query: how often it is sent, how long it takes, how it ends. All counted in the logs of the
// run.

import { threeDigits } from '../../shared/units.js';
import { linePlace } from '../subjects.js';

/** @import { RequestRecord } from '../../sources/record.js' */
/** @import { Extracted, FactDeclaration, FactValue, RequestSubject } from '../fact.js' */

const NO_TIMES = 'the logs have no response times';
const NO_FINDS = "the logs have no `mango-stats` report for it, which only CouchDB's own log contains";

/**
 * @param {string} id
 * @param {FactDeclaration['type']} type
 * @param {string} meaning
 * @param {(record: RequestRecord) => FactValue | {unknown: string}} take
 * @returns {FactDeclaration<RequestSubject>} measured; numbers are placed at the first line of the shape
 */
export function requestFact(id, type, meaning, take) {
  return {
    id,
    type,
    subject: 'request',
    sources: ['logs'],
    basis: 'measured',
    meaning,
    extract: ({ record, place }) => withPlace(take(record), place),
  };
}

/**
 * @param {FactValue | {unknown: string}} taken
 * @param {RequestSubject['place']} place
 * @returns {Extracted}
 */
function withPlace(taken, place) {
  if (typeof taken === 'object' && 'unknown' in taken) return taken;
  return typeof taken === 'number' ? { value: taken, place } : { value: taken };
}

/** @type {FactDeclaration<RequestSubject>[]} */
export const requestFacts = [
  requestFact('request.method', 'text', 'Its method.', ({ method }) => method),
  requestFact(
    'request.endpoint',
    'text',
    'The endpoint: `_view`, `_find`, `_all_docs`, `_changes`, `document`, `database`, `_bulk_docs` and so on.',
    ({ endpoint }) => endpoint,
  ),
  requestFact('request.database', 'text', 'The database, or a pattern for several.', ({ database }) =>
    database === null ? { unknown: 'it is a request to the server, not to a database' } : database,
  ),
  requestFact('request.isReplication', 'boolean', 'Whether a replicator sends it.', (record) => record.isReplication),
  requestFact('request.count', 'count', 'Number of requests.', ({ count }) => count),
  requestFact(
    'request.ratePerMinuteMean',
    'count',
    'Requests per minute over the whole log, counted as at least one minute.',
    (record) => (record.log.from === null ? noClock() : threeDigits(record.ratePerMinute.mean)),
  ),
  requestFact('request.ratePerMinutePeak', 'count', 'Requests in its busiest minute.', (record) =>
    record.log.from === null ? noClock() : threeDigits(record.ratePerMinute.peak),
  ),
  requestFact(
    'request.ratePerMinuteBusy',
    'count',
    'Requests per minute in its busiest ten minutes, or over the whole log if that is shorter.',
    (record) => (record.log.from === null ? noClock() : threeDigits(record.ratePerMinute.busy)),
  ),
  requestFact(
    'request.timeShare',
    'share',
    'Its share of the time of all requests, or of their number if the logs have no response times.',
    ({ share }) => share,
  ),
  latencyFact('request.totalMs', 'Total response time.', 'total'),
  latencyFact('request.latencyMsP50', 'Median response time.', 'p50'),
  latencyFact('request.latencyMsP95', '95th percentile of the response time (p95).', 'p95'),
  latencyFact('request.latencyMsP99', '99th percentile of the response time (p99).', 'p99'),
  latencyFact('request.latencyMsMax', 'Response time of the slowest request.', 'max'),
  requestFact('request.bytesMean', 'bytes', 'Mean size of a response.', ({ bytesMean }) =>
    bytesMean === undefined ? { unknown: 'the logs have no response sizes' } : bytesMean,
  ),
  requestFact('request.errorShare', 'share', 'Share of responses with a status of 400 or above.', (record) =>
    statusShare(record, (status) => status >= 400),
  ),
  requestFact('request.serverErrorShare', 'share', 'Share of responses with a status of 500 or above.', (record) =>
    statusShare(record, (status) => status >= 500),
  ),
  requestFact('request.conflictShare', 'share', 'Share of responses with status 409.', (record) =>
    statusShare(record, (status) => status === 409),
  ),
  requestFact(
    'request.refusedShare',
    'share',
    'Share of responses with status 400, 401, 403, 405, 406, 412, 413, 415 or 416, which a retry does not change, or 404 for anything other than a document or attachment.',
    (record) => statusShare(record, (status) => isRefused(status, record.endpoint)),
  ),
  requestFact('request.errorStatus', 'text', 'The most frequent status of 400 or above.', ({ statuses }) => {
    const [most] = [...statuses].filter(([status]) => status >= 400).sort(([a, n], [b, m]) => m - n || a - b);
    return most ? String(most[0]) : { unknown: 'no response has such a status' };
  }),
  requestFact(
    'request.distinctKeys',
    'count',
    'Number of different keys or documents that are requested.',
    ({ distinctKeys }) => (distinctKeys === undefined ? { unknown: 'its URL names no key' } : distinctKeys),
  ),
  requestFact('request.lookBackMinutes', 'count', 'Time from the first line of the logs to the last.', ({ log }) =>
    log.from === null ? noClock() : threeDigits(log.minutes),
  ),
  requestFact(
    'request.findDocsExamined',
    'count',
    'Mean number of documents that a `_find` examines, by `mango-stats`.',
    ({ find }) => (find && find.reports > 0 ? Math.round(find.docsExamined / find.reports) : { unknown: NO_FINDS }),
  ),
  requestFact('request.findResults', 'count', 'Mean number of results of a `_find`.', ({ find }) =>
    find && find.reports > 0 ? Math.round(find.results / find.reports) : { unknown: NO_FINDS },
  ),
  requestFact(
    'request.findDocsPerResult',
    'count',
    'Documents examined per result; the documents examined if there are no results.',
    ({ find }) =>
      find && find.reports > 0 ? threeDigits(find.docsExamined / Math.max(1, find.results)) : { unknown: NO_FINDS },
  ),
  requestFact('request.exampleLines', 'list', 'Its first lines in the logs.', ({ examples }) =>
    examples.map((example) => ({ value: `${example.file}:${example.line}`, place: linePlace(example) })),
  ),
];

/**
 * @param {string} id
 * @param {string} meaning
 * @param {'p50' | 'p95' | 'p99' | 'max' | 'total'} figure
 * @returns {FactDeclaration<RequestSubject>}
 */
function latencyFact(id, meaning, figure) {
  return requestFact(id, 'ms', meaning, ({ latencyMs }) => latencyMs?.[figure] ?? { unknown: NO_TIMES });
}

/**
 * @param {RequestRecord} record
 * @param {(status: number) => boolean} fits
 * @returns {number | {unknown: string}}
 */
function statusShare({ statuses }, fits) {
  let all = 0;
  let some = 0;
  for (const [status, times] of statuses) {
    all += times;
    if (fits(status)) some += times;
  }
  return all === 0 ? { unknown: 'the logs have no status for it' } : some / all;
}

/**
 * @param {number} status
 * @param {string} endpoint
 * @returns {boolean}
 */
function isRefused(status, endpoint) {
  // That a document is not there is an answer.
  if (status === 404) return endpoint !== 'document' && endpoint !== 'attachment' && endpoint !== '_local';
  return [400, 401, 403, 405, 406, 412, 413, 415, 416].includes(status);
}

/** @returns {{unknown: string}} */
function noClock() {
  return { unknown: 'the log lines have no timestamps' };
}
