// Facts about what a query pattern requests: which part of an index, how many rows, how a feed is followed and
// filtered. The body of a POST is not in a log, so what it holds is unknown.

import { MISSPELT } from '../../shared/misspelt-parameters.js';
import { threeDigits } from '../../shared/units.js';
import { factsOf, isKnown } from '../fact.js';
import { requestFact } from './request.js';

/** @import { RequestRecord } from '../../sources/record.js' */
/** @import { DeclareFact, Extracted, FactDeclaration, RequestSubject } from '../fact.js' */

const IN_BODY = 'it may be set in the request body, which the logs do not have';

/** Filters of CouchDB's own that run no JavaScript (couch_changes.erl, 3.5.2). */
const BUILTIN_FILTERS = new Set(['_doc_ids', '_selector', '_design']);

/** Endpoints that ignore names they do not know; the others pass them to functions. */
const STRICT = new Set(['_view', '_all_docs', '_design_docs', '_local_docs']);

/** Endpoints whose query can stand in the body of a POST. */
const WITH_BODIES = new Set(['_view', '_all_docs', '_view/queries', '_all_docs/queries', '_design_docs', '_changes']);

/**
 * @param {RequestRecord} record
 * @param {string} name
 * @returns {string | undefined} the value that is kept, empty where only the name is; undefined where it is not given
 */
export function parameter({ parameters }, name) {
  for (const text of parameters) {
    if (text === name) return '';
    if (text.startsWith(`${name}=`)) return text.slice(name.length + 1);
  }
  return undefined;
}

/**
 * @param {RequestRecord} record
 * @param {string} name
 * @returns {boolean}
 */
function has(record, name) {
  return parameter(record, name) !== undefined;
}

/**
 * @param {RequestRecord} record
 * @param {boolean} isSaid in the address
 * @returns {boolean | {unknown: string}} unknown where it is not said and may stand in a body
 */
function saidOrInBody({ method, endpoint }, isSaid) {
  if (isSaid) return true;
  return method === 'POST' && WITH_BODIES.has(endpoint) ? { unknown: IN_BODY } : false;
}

/** @type {DeclareFact<RequestSubject>} */
const ownRequestFact = factsOf({ subject: 'request', sources: ['logs'], basis: 'measured' });

/** @type {FactDeclaration<RequestSubject>[]} */
export const requestPartFacts = [
  requestFact('request.includeDocs', 'boolean', {
    meaning: 'Whether the requests read the documents of the rows (`include_docs=true`).',
    phrases: ['requests have `include_docs=true`', 'requests have no `include_docs`'],
    extract: (record) => saidOrInBody(record, parameter(record, 'include_docs') === 'true'),
  }),
  requestFact('request.hasKey', 'boolean', {
    meaning: 'Whether it requests one key (`key`).',
    phrases: ['one key is requested', 'no single key is requested'],
    extract: (record) => saidOrInBody(record, has(record, 'key')),
  }),
  requestFact('request.hasKeys', 'boolean', {
    meaning: 'Whether it requests a list of keys (`keys`).',
    phrases: ['a list of keys is requested', 'no list of keys is requested'],
    extract: (record) => saidOrInBody(record, has(record, 'keys')),
  }),
  requestFact('request.isBounded', 'boolean', {
    meaning:
      'Whether all requests have a limit, keys, one end of a range or a partition, so that none reads the whole index.',
    phrases: ['every request is bounded', 'not every request is bounded'],
    extract: (record) => saidOrInBody(record, isBounded(record)),
  }),
  requestFact('request.isPartitioned', 'boolean', {
    meaning: 'Whether it queries one partition of a partitioned database.',
    phrases: ['one partition is queried', 'all partitions are queried'],
    extract: (record) => has(record, 'partition'),
  }),
  requestFact('request.skipP95', 'count', {
    meaning: '95th percentile of `skip`; 0 without any.',
    phrases: '`skip` is up to {value} in 95 % of the requests',
    extract: ({ skip }) => (skip ? skip.p95 : 0),
  }),
  ownRequestFact('request.rowsP50', 'count', {
    meaning:
      'Median number of rows in a response: counted in bodies or by `mango-stats`, otherwise the `limit`, which is assumed to be reached.',
    phrases: '{value} {row|rows} per response',
    extract: rows,
  }),
  ownRequestFact('request.rowsPerMinuteBusy', 'count', {
    meaning:
      'Rows returned per minute in its busiest ten minutes: median rows of a response times requests per minute.',
    phrases: '{value} {row|rows} a minute when busy',
    extract: (subject, ask) => {
      const [each, rate] = [ask(subject, 'request.rowsP50'), ask(subject, 'request.ratePerMinuteBusy')];
      if (!isKnown(each)) return each;
      return isKnown(rate) ? { ...each, value: threeDigits(Number(each.value) * Number(rate.value)) } : rate;
    },
  }),
  requestFact('request.rowsAtMostP50', 'count', {
    meaning: 'Median of the largest number of rows that a response can have.',
    phrases: 'up to {value} {row|rows} per response',
    extract: (record) => {
      if (record.rows) return record.rows.p50;
      return { unknown: 'the logs do not show how many rows its responses have' };
    },
  }),
  requestFact('request.groups', 'boolean', {
    meaning: 'Whether it requests groups of a reduce (`group` or `group_level`).',
    phrases: ['the query groups', 'the query does not group'],
    extract: (record) => {
      const level = parameter(record, 'group_level');
      return saidOrInBody(record, parameter(record, 'group') === 'true' || (level !== undefined && level !== '0'));
    },
  }),
  requestFact('request.reduceIsOff', 'boolean', {
    meaning: 'Whether it has `reduce=false`.',
    phrases: ['requests have `reduce=false`', 'requests do not turn the reduce off'],
    extract: (record) => saidOrInBody(record, parameter(record, 'reduce') === 'false'),
  }),
  requestFact('request.stale', 'text', {
    meaning: 'The value of `stale`; `none` without one.',
    phrases: '`stale` is `{value}`',
    extract: (record) => {
      const value = parameter(record, 'stale');
      return value === undefined ? 'none' : value;
    },
  }),
  requestFact('request.misspeltParameter', 'text', {
    meaning: 'The first parameter that CouchDB ignores because its name is misspelt; `none` without one.',
    phrases: { none: 'every parameter is known', '*': 'the parameter `{value}` is unknown' },
    extract: (record) => misspeltIn(record) ?? 'none',
  }),
  requestFact('request.meantParameter', 'text', {
    meaning: 'The parameter that was meant by the misspelt one.',
    extract: (record) => {
      const misspelt = misspeltIn(record);
      const meant = misspelt === undefined ? undefined : MISSPELT.get(misspelt);
      return meant ?? { unknown: 'no parameter is misspelt' };
    },
  }),
  requestFact('request.feed', 'text', {
    meaning: 'The `feed` of a changes request: `normal`, `longpoll`, `continuous`, …',
    phrases: 'the feed is `{value}`',
    extract: (record) => {
      const value = parameter(record, 'feed');
      return value === undefined || value === '' ? 'normal' : value;
    },
  }),
  requestFact('request.hasSince', 'boolean', {
    meaning: 'Whether the changes request has `since`.',
    phrases: ['requests have `since`', 'requests lack `since`'],
    extract: (record) => saidOrInBody(record, has(record, 'since') || has(record, 'last-event-id')),
  }),
  requestFact('request.filter', 'text', {
    meaning: 'The name of the filter; `none` without one.',
    forOwnRules: 'which filters feeds may use is a matter of the project',
    extract: (record) => {
      return parameter(record, 'filter') ?? 'none';
    },
  }),
  requestFact('request.filterKind', 'text', {
    meaning: 'What filters the changes: `none`, `builtin` (CouchDB itself), `view` (a map as filter) or `javascript`.',
    phrases: {
      none: 'changes are not filtered',
      builtin: 'the filter is built in',
      view: 'a map is the filter',
      javascript: 'the filter is written in JavaScript',
    },
    extract: (record) => {
      const name = parameter(record, 'filter');
      if (name === undefined || name === '') return 'none';
      if (BUILTIN_FILTERS.has(name)) return 'builtin';
      return name === '_view' ? 'view' : 'javascript';
    },
  }),
];

/**
 * @param {RequestRecord} record
 * @returns {string | undefined}
 */
function misspeltIn({ endpoint, parameters }) {
  return STRICT.has(endpoint) ? parameters.find((name) => MISSPELT.has(name)) : undefined;
}

/**
 * @param {RequestRecord} record
 * @returns {boolean}
 */
function isBounded(record) {
  const names = ['key', 'keys', 'startkey', 'endkey', 'partition', 'doc_ids'];
  return record.limitCount >= record.count || names.some((name) => has(record, name));
}

/**
 * @param {RequestSubject} subject
 * @returns {Extracted}
 */
function rows({ record, place }) {
  const { rows: counted, limit } = record;
  if (counted?.isMeasured) return { value: counted.p50, place };
  // One key of a map may have any number of rows; what is certain is that there are no more than the limit.
  if (counted && counted.p50 <= 1) return { value: counted.p50, place };
  if (limit && record.limitCount >= record.count) return { value: limit.p50, basis: 'inferred', place };
  return { unknown: 'the logs do not show how many rows its responses have' };
}

/** @param {Pick<RequestRecord, 'count' | 'statuses'>} record @returns {number} requests that were not refused */
export function answeredOf({ count, statuses }) {
  let refused = 0;
  for (const [status, times] of statuses) if (status >= 400) refused += times;
  return count - refused;
}
