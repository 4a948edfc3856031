// Makes a workload of the logs of a run: its forms of query with how often they come and how long they take, and the writes.

import { answeredOf } from '../facts/request/parts.js';
import { sendersOf } from '../facts/request/sender.js';
import { joinWords } from '../shared/join-words.js';
import { wordQuery } from '../shared/query-name.js';
import { formatCount, formatMilliseconds, MINUTES_PER_DAY } from '../shared/units.js';
import { findInstead, findOf, findOfCall, OPEN, parametersOf } from './find.js';
import { someOf } from './some-of.js';

/** @import { Ask, CallSubject, RequestSubject, RunSubject } from '../facts/fact.js' */
/** @import { LogRecord, RequestRecord } from '../sources/record.js' */
/** @import { Find } from './find.js' */
/** @import { PlanQuery } from './plan.js' */

/**
 * @typedef {object} Statement One form of query.
 * @property {PlanQuery} query
 * @property {RequestSubject} subject
 * @property {Find | undefined} find what it is as a Mango query
 * @property {CallSubject | undefined} call whose selector it is, where the log does not have that
 * @property {string | undefined} unknown why nothing can be computed for it
 */

/** @typedef {{requests: number, documents: number, isLeast: boolean}} Writes a day; `isLeast`: a log does not show how many documents a request has */

/**
 * @typedef {object} Workload
 * @property {LogRecord} log
 * @property {number} minutes
 * @property {number | null} msPerDay of all requests; null where the logs have no times
 * @property {Statement[]} statements the costliest first
 * @property {Map<string | null, Writes>} writes by database
 * @property {string[]} notes
 */

/** @type {Record<string, PlanQuery['kind']>} */
const KINDS = {
  _find: 'find',
  _view: 'view',
  '_view/queries': 'view',
  _list: 'view',
  _all_docs: 'all-docs',
  _changes: 'changes',
};

/** Feeds answer when something changes: their time is no work. */
const WAITING = new Set(['feed=longpoll', 'feed=continuous', 'feed=eventsource']);

/**
 * @param {RunSubject} run
 * @param {Ask} ask
 * @param {(database: string | null) => boolean} [isWanted] which databases it is about
 * @returns {Workload | {unknown: string}} unknown where no log was read
 */
export function workloadOf(run, ask, isWanted = () => true) {
  const log = run.subjects.find((subject) => subject.kind === 'log')?.record;
  if (!log) return { unknown: 'no log was read' };
  const all = run.subjects.filter((subject) => subject.kind === 'request');
  const requests = all.filter(({ record }) => isWanted(record.database) && !record.isReplication);
  const minutes = Math.max(1, log.minutes);
  const totalMs = all.reduce((sum, { record }) => sum + (isWaiting(record) ? 0 : timesOf(record).total), 0);
  /** @type {Set<string>} */
  const notes = new Set();
  for (const { record } of requests) {
    const { waited } = timesOf(record);
    if (waited === 0) continue;
    const [{ file, line } = { file: '', line: 0 }] = record.examples;
    notes.add(
      `${wordQuery(record.name)} (${file}:${line}) once took ${formatMilliseconds(waited)}, ${Math.round(waited / (record.latencyMs?.p50 || 1))} times the median: left out, as it waited for a build or a compaction`,
    );
  }
  const refused = requests.flatMap(({ record }) =>
    record.endpoint === '_find' && answeredOf(record) === 0 ? [wordQuery(record.name)] : [],
  );
  if (refused.length > 0) {
    notes.add(
      `every request of these queries was refused (${joinWords(someOf(refused))}): \`npx --no-install couch-advisor lint\` says why`,
    );
  }
  const statements = requests
    .flatMap((subject) => statementsOf(subject, { run, ask, minutes, notes }))
    .sort((one, other) => costOf(other) - costOf(one) || (one.query.name < other.query.name ? -1 : 1));
  for (const [at, { query }] of statements.entries()) query.id = `q${at + 1}`;
  const [first] = statements;
  if (log.alsoInHar) notes.add(`${formatCount(log.alsoInHar)} logged requests are in a HAR file too, and count once`);
  if (log.minutes < 60 && first) {
    notes.add(`the log covers ${Math.round(minutes)} min; figures a day assume that all day is like this`);
  }
  return {
    log,
    minutes,
    msPerDay: log.hasTimes ? (totalMs / minutes) * MINUTES_PER_DAY : null,
    statements,
    writes: writesOf(requests, minutes),
    notes: [...notes],
  };
}

/** @param {Statement} statement @returns {number} milliseconds a day; requests where there are no times */
function costOf({ query: { perDay, msEach } }) {
  return perDay * (msEach ?? 1);
}

/**
 * @param {RequestSubject} subject
 * @param {{run: RunSubject, ask: Ask, minutes: number, notes: Set<string>}} about
 * @returns {Statement[]} several where a log does not show which of the queries in the code it is
 */
function statementsOf(subject, { run, ask, minutes, notes }) {
  const { record } = subject;
  const kind = KINDS[record.endpoint];
  const answered = answeredOf(record);
  if (kind === undefined || isWaiting(record) || answered === 0) return [];
  const perDay = (answered / minutes) * MINUTES_PER_DAY;
  const base = {
    subject,
    query: {
      id: '',
      name: record.name,
      database: record.database,
      kind,
      source: /** @type {const} */ ('logs'),
      places: record.examples.map(({ file, line }) => `${file}:${line}`),
      perDay,
      msEach: record.latencyMs && record.log.hasTimes ? timesOf(record).mean : null,
    },
    find: undefined,
    call: undefined,
    unknown: undefined,
  };
  if (kind === 'all-docs') return [{ ...base, ...selectedIn(subject, run, ask) }];
  if (kind !== 'find') return [base];
  const find = findOf(record);
  const calls = findCalls(run, record);
  if (!('unknown' in find)) {
    const senders = calls.filter((call) => parametersOf(call.find) === parametersOf(find));
    const places = [
      ...base.query.places,
      ...senders.map(({ call: { place } }) => `${place.file}:${place.line}:${place.column}`),
    ];
    return [{ ...base, query: { ...base.query, places }, find: withLiterals(find, senders) }];
  }
  if (calls.length === 0) return [{ ...base, unknown: find.unknown }];
  if (calls.length > 1) {
    notes.add(
      `the log does not show selectors: the ${calls.length} queries of ${record.database ?? 'one database'} in the code are assumed to be equally frequent`,
    );
  }
  return calls.map(({ call, find: ofCall }) => ({
    ...base,
    find: ofCall,
    call,
    query: {
      ...base.query,
      name: `${record.name}?${parametersOf(ofCall)}`,
      source: /** @type {const} */ ('code'),
      places: [`${call.place.file}:${call.place.line}:${call.place.column}`],
      perDay: perDay / calls.length,
    },
  }));
}

/**
 * @param {Find} find of the logs, without values
 * @param {{find: Find}[]} senders calls in the code that may send it
 * @returns {Find} with the values that all of these have as a literal
 */
function withLiterals(find, senders) {
  const clauses = find.clauses.map((clause) => {
    const values = senders.map(
      ({ find: other }) =>
        other.clauses.find(({ field, operator }) => field === clause.field && operator === clause.operator)?.operand,
    );
    const [first, ...others] = values;
    const isLiteral = ['string', 'number', 'boolean'].includes(typeof first) && others.every((one) => one === first);
    return clause.operand === OPEN && isLiteral ? { ...clause, operand: first } : clause;
  });
  return { ...find, clauses };
}

/**
 * @param {RequestSubject} subject a request for all documents
 * @param {RunSubject} run
 * @param {Ask} ask
 * @returns {Partial<Statement>} the query that could replace it, where one call in the code sends it and keeps some of the documents
 */
function selectedIn({ record }, run, ask) {
  const isWhole = record.parameters.every((text) => text === 'include_docs=true');
  const [call, ...others] = isWhole ? sendersOf(run, [record]) : [];
  const find =
    call && others.length === 0 && !call.record.isSetUp && !call.record.isScript ? findInstead(call, ask) : undefined;
  return find ? { find, call } : {};
}

/**
 * @param {RunSubject} run
 * @param {RequestRecord} request whose selector is not in the log
 * @returns {{call: CallSubject, find: Find}[]} Mango queries in the code that may be it
 */
function findCalls(run, request) {
  return run.subjects.flatMap((subject) => {
    if (subject.kind !== 'call' || subject.record.method !== 'find' || subject.record.location === 'local') return [];
    const { database, isSetUp, isScript } = subject.record;
    if ((database !== null && database !== request.database) || isSetUp || isScript) return [];
    const find = findOfCall(subject);
    return 'unknown' in find ? [] : [{ call: subject, find }];
  });
}

/** Of so many requests, one that takes so long, and so many times the median, waited for something else than its own work. */
const WAITED = { requests: 5, ms: 5000, times: 20 };

/**
 * @param {RequestRecord} record
 * @returns {{mean: number, total: number, waited: number}} milliseconds; without the one request that `waited` for a build or a compaction, where
 *   there is one
 */
function timesOf({ latencyMs, count, endpoint }) {
  if (!latencyMs) return { mean: 0, total: 0, waited: 0 };
  const { mean, total, max, p50 } = latencyMs;
  const isQuery = endpoint === '_find' || endpoint === '_view';
  // If there were two such requests, the others would show it: their mean is far from the median then.
  const others = (total - max) / Math.max(1, count - 1);
  const isOne =
    count >= WAITED.requests && max >= WAITED.ms && max >= p50 * WAITED.times && others * WAITED.times <= max;
  return isQuery && isOne ? { mean: others, total: total - max, waited: max } : { mean, total, waited: 0 };
}

/** @param {RequestRecord} record @returns {boolean} */
function isWaiting({ parameters }) {
  return parameters.some((parameter) => WAITING.has(parameter));
}

/**
 * @param {RequestSubject[]} requests
 * @param {number} minutes
 * @returns {Workload['writes']}
 */
function writesOf(requests, minutes) {
  /** @type {Workload['writes']} */
  const writes = new Map();
  for (const { record } of requests) {
    const { endpoint, method, database } = record;
    const isBulk = endpoint === '_bulk_docs' && method === 'POST';
    const isOne =
      (endpoint === 'document' && method !== 'GET' && method !== 'HEAD') ||
      (endpoint === 'database' && method === 'POST') ||
      endpoint === '_update';
    if (!isBulk && !isOne) continue;
    const perDay = (answeredOf(record) / minutes) * MINUTES_PER_DAY;
    const own = writes.get(database) ?? { requests: 0, documents: 0, isLeast: false };
    writes.set(database, {
      requests: own.requests + perDay,
      documents: own.documents + perDay,
      isLeast: own.isLeast || isBulk,
    });
  }
  return writes;
}
