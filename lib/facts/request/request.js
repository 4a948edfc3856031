// Facts about one query pattern: how often it is sent, how long it takes, how it ends. All counted in the logs of the
// run.

import { threeDigits } from '../../shared/units.js';
import { factsOf } from '../fact.js';
import { linePlace } from '../subjects.js';

/** @import { RequestRecord } from '../../sources/record.js' */
/** @import { DeclareFact, Extracted, FactDeclaration, FactValue, RequestSubject } from '../fact.js' */

const NO_TIMES = 'the logs have no response times';
const NO_FINDS = "the logs have no `mango-stats` report for it, which only CouchDB's own log contains";

/** Measured; numbers are placed at the first line of the shape. @type {DeclareFact<RequestSubject, (record: RequestRecord) => FactValue | {unknown: string}>} */
export const requestFact = factsOf(
  { subject: 'request', sources: ['logs'], basis: 'measured' },
  (extract) =>
    ({ record, place }) =>
      withPlace(extract(record), place),
);

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
  requestFact('request.method', 'text', {
    meaning: 'Its method.',
    phrases: 'the method is `{value}`',
    extract: ({ method }) => method,
  }),
  requestFact('request.endpoint', 'text', {
    meaning: 'The endpoint: `_view`, `_find`, `_all_docs`, `_changes`, `document`, `database`, `_bulk_docs` and so on.',
    phrases: 'the endpoint is `{value}`',
    extract: ({ endpoint }) => endpoint,
  }),
  requestFact('request.database', 'text', {
    meaning: 'The database, or a pattern for several.',
    forOwnRules: 'which databases may be queried, and how, is a matter of the project',
    extract: ({ database }) =>
      database === null ? { unknown: 'it is a request to the server, not to a database' } : database,
  }),
  requestFact('request.isReplication', 'boolean', {
    meaning: 'Whether a replicator sends it.',
    phrases: ['the replicator sends these requests', 'clients send these requests'],
    extract: (record) => record.isReplication,
  }),
  requestFact('request.count', 'count', {
    meaning: 'Number of requests.',
    phrases: '{value} {request|requests} in the logs',
    extract: ({ count }) => count,
  }),
  requestFact('request.ratePerMinuteMean', 'count', {
    meaning: 'Requests per minute over the whole log, counted as at least one minute.',
    phrases: '{value} {request|requests} a minute on average',
    extract: (record) => (record.log.from === null ? noClock() : threeDigits(record.ratePerMinute.mean)),
  }),
  requestFact('request.ratePerMinutePeak', 'count', {
    meaning: 'Requests in its busiest minute.',
    phrases: '{value} {request|requests} in the busiest minute',
    extract: (record) => (record.log.from === null ? noClock() : threeDigits(record.ratePerMinute.peak)),
  }),
  requestFact('request.ratePerMinuteBusy', 'count', {
    meaning: 'Requests per minute in its busiest ten minutes, or over the whole log if that is shorter.',
    phrases: '{value} {request|requests} a minute when busy',
    extract: (record) => (record.log.from === null ? noClock() : threeDigits(record.ratePerMinute.busy)),
  }),
  requestFact('request.totalMs', 'ms', {
    meaning: 'Total response time.',
    forOwnRules: 'how much time one query may take of a server is a matter of the project',
    extract: latency('total'),
  }),
  requestFact('request.latencyMsP50', 'ms', {
    meaning: 'Median response time.',
    phrases: 'the median is {value}',
    extract: latency('p50'),
  }),
  requestFact('request.latencyMsP95', 'ms', {
    meaning: '95th percentile of the response time (p95).',
    phrases: 'p95 is {value}',
    extract: latency('p95'),
  }),
  requestFact('request.bytesMean', 'bytes', {
    meaning: 'Mean size of a response.',
    phrases: 'responses of {value} on average',
    extract: ({ bytesMean }) => (bytesMean === undefined ? { unknown: 'the logs have no response sizes' } : bytesMean),
  }),
  requestFact('request.errorShare', 'share', {
    meaning: 'Share of responses with a status of 400 or above.',
    forOwnRules: 'how often a query may fail is a matter of the project',
    extract: (record) => statusShare(record, (status) => status >= 400),
  }),
  requestFact('request.serverErrorShare', 'share', {
    meaning: 'Share of responses with a status of 500 or above.',
    phrases: '{value} of the responses are server errors',
    extract: (record) => statusShare(record, (status) => status >= 500),
  }),
  requestFact('request.conflictShare', 'share', {
    meaning: 'Share of responses with status 409.',
    phrases: '{value} of the responses are conflicts',
    extract: (record) => statusShare(record, (status) => status === 409),
  }),
  requestFact('request.refusedShare', 'share', {
    meaning:
      'Share of responses with status 400, 401, 403, 405, 406, 412, 413, 415 or 416, which a retry does not change. Also 404 for anything other than a document or attachment.',
    phrases: '{value} of the requests are refused',
    extract: (record) => statusShare(record, (status) => isRefused(status, record.endpoint)),
  }),
  requestFact('request.errorStatus', 'text', {
    meaning: 'The most frequent status of 400 or above.',
    extract: ({ statuses }) => {
      const [most] = [...statuses].filter(([status]) => status >= 400).sort(([a, n], [b, m]) => m - n || a - b);
      return most ? String(most[0]) : { unknown: 'no response has such a status' };
    },
  }),
  requestFact('request.distinctKeys', 'count', {
    meaning: 'Number of different keys or documents that are requested.',
    phrases: '{value} different {key|keys} requested',
    extract: ({ distinctKeys }) => (distinctKeys === undefined ? { unknown: 'its URL names no key' } : distinctKeys),
  }),
  requestFact('request.findDocsExamined', 'count', {
    meaning: 'Mean number of documents that a `_find` examines, by `mango-stats`.',
    phrases: 'examines {value} {document|documents} on average',
    extract: ({ find }) =>
      find && find.reports > 0 ? Math.round(find.docsExamined / find.reports) : { unknown: NO_FINDS },
  }),
  requestFact('request.findResults', 'count', {
    meaning: 'Mean number of results of a `_find`.',
    extract: ({ find }) => (find && find.reports > 0 ? Math.round(find.results / find.reports) : { unknown: NO_FINDS }),
  }),
  requestFact('request.findDocsPerResult', 'count', {
    meaning: 'Documents examined per result; the documents examined if there are no results.',
    phrases: 'examines {value} {document|documents} per result',
    extract: ({ find }) =>
      find && find.reports > 0 ? threeDigits(find.docsExamined / Math.max(1, find.results)) : { unknown: NO_FINDS },
  }),
  requestFact('request.exampleLines', 'list', {
    meaning: 'Its first lines in the logs.',
    extract: ({ examples }) =>
      examples.map((example) => ({ value: `${example.file}:${example.line}`, place: linePlace(example) })),
  }),
];

/**
 * @param {'p50' | 'p95' | 'p99' | 'max' | 'total'} figure
 * @returns {(record: RequestRecord) => number | {unknown: string}}
 */
function latency(figure) {
  return ({ latencyMs }) => latencyMs?.[figure] ?? { unknown: NO_TIMES };
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
