// Turns the query patterns that logs or code have of one view into requests to measure, in their mix. What a log does not have
// (values of keys, how far a range reaches, bodies) is replaced by something that is named. Pure.

/** @import { ArmRequest, Assumption, MixedRequest } from './experiment.js' */

/**
 * @typedef {object} LoggedQuery One form of query of a view.
 * @property {string} method
 * @property {string} endpoint `_view`, `_view/queries`, `_list`
 * @property {string[]} parameters names, and `name=value` where the value is known
 * @property {number} count requests that were not refused
 * @property {number} weight share of the time of the log, or of its requests where it has no times
 * @property {number | undefined} limit the median, where requests gave one
 * @property {number | undefined} skip
 * @property {number | undefined} rows of an answer, the median, where they were counted
 */

/** More forms than this leave too little time for each; those that take most of the time are measured. */
const MAX_FORMS = 4;
/** Keys of a request with `keys` where the log does not show how many. */
const USUAL_KEYS = 10;

/** Placeholders of the first and the last key of a view. */
const FIRST_KEY = '{keyAt:0}';
const LAST_KEY = '{keyAt:1000}';

/** Written as they are in the log. */
const KEPT = new Set(
  'include_docs descending inclusive_end update stable stale conflicts attachments update_seq sorted'.split(' '),
);
const OF_REDUCE = new Set(['reduce', 'group', 'group_level']);

/**
 * @param {readonly LoggedQuery[]} logged at least one
 * @param {{hasReduce: boolean, wantsRows: boolean, source?: 'logs' | 'code'}} view `wantsRows`: whether only queries for rows are compared, of an index without the reduce
 * @returns {{queries: MixedRequest[], assumed: Assumption[], readsReduce: boolean} | {reason: string}} `readsReduce`: whether one of them does
 */
export function mixQueries(logged, { hasReduce, wantsRows, source = 'logs' }) {
  const hidden = source === 'code' ? 'the code does not show' : 'the logs do not show';
  const answered = logged.filter(({ count }) => count > 0);
  if (answered.length === 0) return { reason: 'all logged queries failed' };
  const repeatable = answered.filter((one) => isRepeatable(one) && !(wantsRows && readsReduce(one, hasReduce)));
  const taken = repeatable.toSorted((one, other) => other.weight - one.weight).slice(0, MAX_FORMS);
  const [all, of] = [answered, taken].map((list) => list.reduce((sum, { count }) => sum + count, 0));
  if (taken.length === 0 || all === undefined || of === undefined) {
    return {
      reason:
        source === 'code'
          ? 'the query returns reduced values, or is of one partition'
          : 'the logs do not show the parameters of its queries: they are in request bodies or go through functions',
    };
  }
  /** @type {Assumption[]} */
  const assumed = [];
  if (of < all) {
    const share = Math.max(1, Math.round((1 - of / all) * 100));
    assumed.push({
      part: 'query',
      text: `${share} % of its requests are skipped: rare or not repeatable`,
    });
  }
  const written = taken.map((one) => ({ one, ...writeQuery(one, { hasReduce: hasReduce && !wantsRows, hidden }) }));
  assumed.push(...written.flatMap((one) => one.assumed));
  return {
    queries: written.map(({ one, request }) => ({ share: one.count / of, shape: shapeOf(one), request })),
    assumed: [...new Map(assumed.map((one) => [one.text, one])).values()],
    readsReduce: taken.some((one) => readsReduce(one, hasReduce)),
  };
}

/**
 * @param {Pick<LoggedQuery, 'parameters'>} query
 * @returns {string} `?group=true`
 */
export function shapeOf({ parameters }) {
  return `?${parameters.join('&')}`;
}

/** @param {LoggedQuery} query @returns {boolean} whether the address says all, or nearly */
function isRepeatable({ method, endpoint, parameters }) {
  return method === 'GET' && endpoint === '_view' && !parameters.includes('partition');
}

/** @param {LoggedQuery} query @param {boolean} hasReduce */
function readsReduce({ parameters }, hasReduce) {
  return hasReduce && !parameters.includes('reduce=false');
}

/**
 * @param {LoggedQuery} logged
 * @param {{hasReduce: boolean, hidden: string}} about `hidden`: what does not show the rest
 * @returns {{request: ArmRequest, assumed: Assumption[]}}
 */
function writeQuery(logged, { hasReduce, hidden }) {
  /** @type {Record<string, unknown>} */
  const query = {};
  /** @type {Assumption[]} */
  const assumed = [];
  const assume = (/** @type {string} */ text) => assumed.push({ part: 'query', text });
  const names = new Set(logged.parameters.map((text) => text.split('=', 1)[0] ?? ''));
  for (const text of logged.parameters) {
    const [name = '', value] = text.split('=', 2);
    // Without a reduce the server refuses these.
    const isKept = KEPT.has(name) || (hasReduce && OF_REDUCE.has(name));
    if (isKept && value !== undefined && value !== '?') query[name] = readValue(value);
  }
  if (names.has('limit') && logged.limit !== undefined) query['limit'] = logged.limit;
  if (names.has('skip') && logged.skip !== undefined) query['skip'] = logged.skip;
  if (names.has('key')) query['key'] = '{key}';
  if (names.has('keys')) {
    const many = Math.max(1, Math.round(logged.rows ?? USUAL_KEYS));
    query['keys'] = `{keys:${many}}`;
    if (logged.rows === undefined) assume(`${hidden} the number of \`keys\`; ${many} were used`);
  }
  if (!names.has('startkey') && !names.has('endkey')) return { request: requestOf(query), assumed };
  const isRange = names.has('startkey') && names.has('endkey');
  if (query['skip'] !== undefined) {
    // A part of the keys may have fewer rows than are skipped.
    const ends = query['descending'] === true ? [LAST_KEY, FIRST_KEY] : [FIRST_KEY, LAST_KEY];
    for (const [at, name] of ['startkey', 'endkey'].entries()) if (names.has(name)) query[name] = ends[at];
    assume(`${hidden} the range of the skipped rows; all keys were used`);
    return { request: requestOf(query), assumed };
  }
  if (!isRange) query[names.has('startkey') ? 'startkey' : 'endkey'] = '{key}';
  else if (logged.rows !== undefined && !readsReduce(logged, hasReduce)) {
    query['startkey'] = '{key}';
    query['limit'] ??= Math.max(1, Math.round(logged.rows));
  } else {
    const ends = query['descending'] === true ? ['{rangeEnd}', '{rangeStart}'] : ['{rangeStart}', '{rangeEnd}'];
    [query['startkey'], query['endkey']] = ends;
    if (query['limit'] === undefined) {
      assume(`${hidden} the range from \`startkey\` to \`endkey\`; a tenth of the keys was used`);
    }
  }
  return { request: requestOf(query), assumed };
}

/** @param {Record<string, unknown>} query @returns {ArmRequest} */
function requestOf(query) {
  return { method: 'GET', path: '{designDoc}/_view/rows', query };
}

/** @param {string} text @returns {unknown} as JSON, or the word itself */
function readValue(text) {
  if (text === 'true') return true;
  if (text === 'false') return false;
  return /^\d+$/.test(text) ? Number(text) : text;
}
