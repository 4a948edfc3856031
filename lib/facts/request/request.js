// Facts about one shape of query: how often it is sent, how long it takes, how it ends. All counted in the logs of the
// run.

import { threeDigits } from '../../shared/units.js';
import { linePlace } from '../subjects.js';

/** @import { RequestRecord } from '../../sources/record.js' */
/** @import { Extracted, FactDeclaration, FactValue, RequestSubject } from '../fact.js' */

const NO_TIMES = 'the logs do not tell how long requests took';
const NO_FINDS = 'the logs have no report `mango-stats` on it, which only the log of CouchDB itself has';

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
    'What it asks: `_view`, `_find`, `_all_docs`, `_changes`, `document`, `database`, `_bulk_docs` and so on.',
    ({ endpoint }) => endpoint,
  ),
  requestFact('request.database', 'text', 'The database, or the pattern of several.', ({ database }) =>
    database === null ? { unknown: 'it asks the server and no database' } : database,
  ),
  requestFact('request.isReplication', 'boolean', 'Whether a replicator asks it.', (record) => record.isReplication),
  requestFact('request.count', 'count', 'How many requests there are of it.', ({ count }) => count),
  requestFact(
    'request.ratePerMinuteMean',
    'count',
    'Requests a minute over the whole log, which counts as one minute at least.',
    (record) => (record.log.from === null ? noClock() : threeDigits(record.ratePerMinute.mean)),
  ),
  requestFact('request.ratePerMinutePeak', 'count', 'Requests in its busiest minute.', (record) =>
    record.log.from === null ? noClock() : threeDigits(record.ratePerMinute.peak),
  ),
  requestFact(
    'request.ratePerMinuteBusy',
    'count',
    'Requests a minute in its busiest ten minutes, or over the log where that is shorter.',
    (record) => (record.log.from === null ? noClock() : threeDigits(record.ratePerMinute.busy)),
  ),
  requestFact(
    'request.timeShare',
    'share',
    'Its share of the time of all requests; of their number where the logs tell no times.',
    ({ share }) => share,
  ),
  latencyFact('request.totalMs', 'What all its requests took together.', 'total'),
  latencyFact('request.latencyMsP50', 'What half of its requests took at most.', 'p50'),
  latencyFact('request.latencyMsP95', 'What 95 % of its requests took at most.', 'p95'),
  latencyFact('request.latencyMsP99', 'What 99 % of its requests took at most.', 'p99'),
  latencyFact('request.latencyMsMax', 'What the slowest of its requests took.', 'max'),
  requestFact('request.bytesMean', 'bytes', 'The mean size of its answers.', ({ bytesMean }) =>
    bytesMean === undefined ? { unknown: 'the logs do not tell the size of answers' } : bytesMean,
  ),
  requestFact('request.errorShare', 'share', 'The share of answers with a status from 400 on.', (record) =>
    statusShare(record, (status) => status >= 400),
  ),
  requestFact('request.serverErrorShare', 'share', 'The share of answers with a status from 500 on.', (record) =>
    statusShare(record, (status) => status >= 500),
  ),
  requestFact('request.conflictShare', 'share', 'The share of answers with status 409.', (record) =>
    statusShare(record, (status) => status === 409),
  ),
  requestFact(
    'request.refusedShare',
    'share',
    'The share of answers with status 400, 401, 403, 405, 406, 412, 413, 415 or 416, which another try does not change, or 404 for anything but a document or attachment.',
    (record) => statusShare(record, (status) => isRefused(status, record.endpoint)),
  ),
  requestFact('request.errorStatus', 'text', 'The most frequent status from 400 on.', ({ statuses }) => {
    const [most] = [...statuses].filter(([status]) => status >= 400).sort(([a, n], [b, m]) => m - n || a - b);
    return most ? String(most[0]) : { unknown: 'no answer has such a status' };
  }),
  requestFact('request.distinctKeys', 'count', 'How many keys or documents are asked for.', ({ distinctKeys }) =>
    distinctKeys === undefined ? { unknown: 'its address names no key' } : distinctKeys,
  ),
  requestFact(
    'request.lookBackMinutes',
    'count',
    'How long the logs last, from the first line to the last.',
    ({ log }) => (log.from === null ? noClock() : threeDigits(log.minutes)),
  ),
  requestFact(
    'request.findDocsExamined',
    'count',
    'How many documents a `_find` of it reads, as `mango-stats` says; the mean.',
    ({ find }) => (find && find.reports > 0 ? Math.round(find.docsExamined / find.reports) : { unknown: NO_FINDS }),
  ),
  requestFact('request.findResults', 'count', 'How many results a `_find` of it gives; the mean.', ({ find }) =>
    find && find.reports > 0 ? Math.round(find.results / find.reports) : { unknown: NO_FINDS },
  ),
  requestFact(
    'request.findDocsPerResult',
    'count',
    'How many documents it reads for one result; for none at all, how many it reads.',
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
  return all === 0 ? { unknown: 'the logs tell no status of it' } : some / all;
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
  return { unknown: 'the lines of the logs tell no time' };
}
