// Builds the document of a comparison of two digests: what changed, the costliest first, and what could not be compared.

import { nameOf } from '../shared/query-name.js';
import { countOf, formatCount, formatMilliseconds, formatShare } from '../shared/units.js';
import { shareOf, short, timeOf } from './digest-figures.js';
import { chart, code, list, NONE, numbers, section, span, table } from './document/blocks.js';

/** @import { Block, Cell, Document, Inline, Span } from './document/blocks.js' */
/** @import { NamedQuery } from '../shared/query-name.js' */

/**
 * @typedef {object} ReportedChange
 * @property {'rate' | 'share' | 'time' | 'errors'} what
 * @property {'more' | 'less' | 'appeared' | 'vanished' | 'slower' | 'faster'} direction
 * @property {number} [status]
 * @property {number} old
 * @property {number} new
 * @property {number | null} ratio
 * @property {number} low
 * @property {number | null} high
 */

/** @typedef {{p50: number, p95: number, total: number, max: number}} ReportedTimes */
/** @typedef {{count: number, ratePerMinute: number, statuses: Record<string, number>, latencyMs?: ReportedTimes}} ReportedFigures */
/** @typedef {{old: number, new: number, change: number}} PerDay */
/** @typedef {{changes: ReportedChange[], dayMs?: PerDay, dayRequests?: PerDay}} Changed */
/** @typedef {NamedQuery & Changed & {old: ReportedFigures | null, new: ReportedFigures | null}} ChangedShape */
/** @typedef {{updates: number, updateMs?: ReportedTimes}} ReportedUpdates */
/** @typedef {Changed & {database: string | null, designDoc: string, old: ReportedUpdates | null, new: ReportedUpdates | null}} ChangedIndex */

/**
 * @typedef {object} ReportedSide
 * @property {string} name
 * @property {string | null} from
 * @property {string | null} to
 * @property {number} minutes
 * @property {number} requests
 */

/**
 * @typedef {object} ReportedComparison The part of the JSON that people read.
 * @property {ReportedSide} old
 * @property {ReportedSide} new
 * @property {number} confidence
 * @property {number} leastRatio
 * @property {number} tests
 * @property {{about: string, reason: string}[]} unknown
 * @property {string[]} notes
 * @property {ReportedChange[]} traffic
 * @property {{both: number, oldOnly: number, newOnly: number}} compared
 * @property {ChangedShape[]} shapes
 * @property {ChangedIndex[]} indexes
 * @property {{kind: string, old: number, new: number, changes: ReportedChange[]}[]} queryServers
 * @property {{name: string}[]} [digests] all that were compared, if more than two
 * @property {(NamedQuery & {found: number, counts: number[], typicalMs: (number | null)[]})[]} [queries] of these, the costliest first
 */

/** @typedef {{name: string | Span, about: Described, changed: Changed}} Line */
/** @typedef {{old?: ReportedTimes | undefined, new?: ReportedTimes | undefined, unit?: string}} Described times of both; `unit`: what is counted */

/** So many factors are drawn, those of what costs most. */
const MAX_DRAWN = 20;
/** So many changes are listed where room is short; all are in the JSON. */
const MAX_LISTED = 50;
/** So many queries of more than two digests. */
const MAX_QUERIES = 25;
/** What is worse for a server. */
const WORSE = new Set(['slower', 'more', 'appeared']);

/** @type {Record<string, string>} */
const TOPICS = {
  everything: 'cannot be compared',
  rates: 'rates',
  times: 'response times',
  indexes: 'index updates and query server failures',
};

/**
 * @param {ReportedComparison} comparison
 * @returns {Document}
 */
export function compareDocument(comparison) {
  const { old, new: fresh, compared, unknown, tests, notes, digests } = comparison;
  const lines = linesOf(comparison);
  const changes = lines.flatMap(({ name, about, changed }) =>
    changed.changes.map((change) => ({ name, about, change })),
  );
  const { both, oldOnly, newOnly } = compared;
  return {
    title: 'couch-advisor digest: what changed',
    mark: 'couch-advisor digest --compare',
    lead:
      changes.length === 0
        ? describeNothing(comparison)
        : `${countOf(changes.length, 'change')}, the largest change of time per day first.`,
    facts: [
      ...(digests
        ? [{ name: 'digests', value: `${digests.length}; changes are those from the first to the last` }]
        : []),
      { name: 'old', value: describeSide(old) },
      { name: 'new', value: describeSide(fresh) },
      {
        name: 'query patterns',
        value: `${formatCount(both)} in both, ${formatCount(oldOnly)} only in the old one, ${formatCount(newOnly)} only in the new one`,
      },
    ],
    blocks: [
      changes.length > 0 &&
        section(
          'What changed',
          drawFactors(changes),
          table({
            columns: ['query', 'change', 'factor', 'before and now', ...numbers('per day')],
            rows: lines.flatMap(rowsOf),
            most: MAX_LISTED,
            noun: 'change',
          }),
        ),
      ...queriesOfAll(comparison),
      unknown.length > 0 &&
        section(
          'What could not be compared',
          list(unknown.map(({ about, reason }) => `${TOPICS[about] ?? about}: ${reason}`)),
        ),
      section(
        'Method',
        list([
          `tested together: ${countOf(tests, 'question')}`,
          ...(changes.length > 0 ? readingOf(comparison, changes) : []),
          ...notes,
        ]),
      ),
    ],
  };
}

/**
 * @param {ReportedComparison} comparison
 * @returns {Block[]} of more than two digests: in how many each query is, and how its time moved
 */
function queriesOfAll({ digests = [], queries = [] }) {
  if (digests.length === 0) return [];
  const rows = queries.map(({ found, counts, typicalMs, ...query }) => {
    const times = typicalMs.filter((time) => time !== null);
    const [first = 0, last = 0] = [times[0], times.at(-1)];
    return [
      code(nameOf(query)),
      { shown: `${found} of ${digests.length}`, sort: found },
      formatCount(counts.reduce((sum, count) => sum + count, 0)),
      ...(times.length === 0
        ? Array(4).fill(NONE)
        : [first, last, Math.min(...times), Math.max(...times)].map(timeCell)),
    ];
  });
  const figures = numbers('first', 'last', 'least', 'most').map((column) => ({ ...column, unit: 'ms' }));
  return [
    section(
      'All queries',
      table({
        caption:
          'The costliest first; typical times: in the first and last digest that has the query, the least and the most',
        columns: [
          'query',
          { label: 'found in', isNumber: true, unit: `of ${digests.length}` },
          ...numbers('calls'),
          ...figures,
        ],
        rows,
        most: MAX_QUERIES,
        noun: 'query pattern',
        isSearched: true,
      }),
    ),
  ];
}

/** @param {number} ms @returns {Cell} */
function timeCell(ms) {
  return { shown: typicalTime(ms), sort: ms };
}

/**
 * @param {{name: Line['name'], change: ReportedChange}[]} changes
 * @returns {Block | false} of those whose factor is known with both ends of its interval
 */
function drawFactors(changes) {
  const drawn = changes
    .filter(({ change: { ratio, low, high } }) => ratio !== null && ratio > 0 && low > 0 && high !== null)
    .slice(0, MAX_DRAWN);
  if (drawn.length === 0) return false;
  return chart('intervals', {
    title: 'Factors, with their intervals',
    axis: { label: 'new / old' },
    rows: drawn.map(({ name, change }) => ({
      label: `${titleOf(change)}: ${typeof name === 'string' ? name : name.text}`,
      estimate: change.ratio ?? 1,
      low: change.low,
      high: change.high ?? change.low,
    })),
    reference: { value: 1, label: 'no change' },
  });
}

/** @param {ReportedComparison} comparison @returns {Line[]} */
function linesOf({ traffic, shapes, indexes, queryServers }) {
  return [
    { name: 'all requests', about: {}, changed: { changes: traffic } },
    ...shapes.map((shape) => ({
      name: code(nameOf(shape)),
      about: { old: shape.old?.latencyMs, new: shape.new?.latencyMs },
      changed: shape,
    })),
    ...indexes.map((index) => ({
      name: code(`index updates of ${index.database ?? ''} ${index.designDoc}`),
      about: { old: index.old?.updateMs, new: index.new?.updateMs, unit: 'updates' },
      changed: index,
    })),
    ...queryServers.map(({ kind, changes }) => ({
      name: code(`query server failures: ${kind}`),
      about: { unit: 'failures' },
      changed: { changes },
    })),
  ];
}

/** @param {Line} line @returns {Cell[][]} */
function rowsOf({ name, about, changed }) {
  return changed.changes.map((change, at) => [
    name,
    span(titleOf(change), WORSE.has(change.direction) ? 'warning' : 'good'),
    describeFactor(change),
    describeValues(change, about),
    at === 0 ? describePerDay(changed) : '',
  ]);
}

/**
 * @param {ReportedSide} side
 * @returns {Inline} `monday.log: 2,310 requests, 2026-03-02T08:00:00.000Z to 2026-03-02T09:00:00.000Z`
 */
function describeSide({ name, requests, from, to }) {
  return [code(name), `: ${countOf(requests, 'request')}, ${from && to ? `${from} to ${to}` : 'without timestamps'}`];
}

/**
 * @param {ReportedComparison} comparison
 * @returns {string} what it says where nothing is listed
 */
function describeNothing({ unknown, tests }) {
  if (unknown.some(({ about }) => about === 'everything')) return 'The two cannot be compared.';
  if (tests === 0) return 'Too few requests to say whether anything changed.';
  return 'No change beyond chance.';
}

/**
 * @param {ReportedComparison} comparison
 * @param {{change: ReportedChange}[]} changes
 * @returns {string[]} how to read it
 */
function readingOf({ confidence, leastRatio }, changes) {
  return [
    `in parentheses: interval of the factor; all of them hold together with ${formatShare(confidence)} confidence`,
    `not listed: changes below ${formatShare(leastRatio - 1)}, and what chance explains, as requests come in bursts`,
    ...(changes.some(({ change }) => change.what === 'time')
      ? ['typically: geometric mean of the response times']
      : []),
  ];
}

/** @param {ReportedChange} change @returns {string} `slower`, `new status 500` */
function titleOf({ what, direction, status }) {
  if (what === 'time') return direction;
  return what === 'errors'
    ? `${ERRORS[direction] ?? direction} status ${status ?? ''}`
    : (RATES[direction] ?? direction);
}

/**
 * @param {ReportedChange} change
 * @param {Described} about
 * @returns {string} `typically 450 ms before, 910 ms now`
 */
function describeValues({ what, direction, old, new: fresh }, { old: before, new: after, unit = '' }) {
  if (what === 'time') {
    const p95 = before && after ? `; p95 ${timeOf(before.p95)} before, ${timeOf(after.p95)} now` : '';
    return `typically ${typicalTime(old)} before, ${typicalTime(fresh)} now${p95}`;
  }
  const each = unit === '' ? '' : ` ${unit}`;
  const figure = (/** @type {number} */ value) =>
    what === 'rate'
      ? `${short(value)}${each} per minute`
      : `${shareOf(value)} of ${what === 'share' ? 'all' : 'its'} requests`;
  if (direction === 'appeared') return `${figure(fresh)}, none before`;
  return `${figure(old)} before, ${direction === 'vanished' ? 'none' : figure(fresh)} now`;
}

/** @type {Record<string, string>} */
const RATES = { more: 'more frequent', less: 'less frequent', appeared: 'new', vanished: 'gone' };
/** @type {Record<string, string>} */
const ERRORS = { more: 'more', less: 'fewer', appeared: 'new', vanished: 'no more' };

/** @param {number} ms @returns {string} */
function typicalTime(ms) {
  return ms < 1000 ? formatMilliseconds(Number(ms.toPrecision(ms < 10 ? 2 : 3))) : timeOf(ms);
}

/** @param {ReportedChange} change @returns {string} */
function describeFactor({ ratio, low, high }) {
  if (ratio === null) return `at least ${times(low)} times`;
  if (ratio === 0) return `at most ${times(high ?? 0)} times`;
  return `${times(ratio)} times (${times(low)} to ${high === null ? 'any' : times(high)})`;
}

/** @param {number} factor @returns {string} */
function times(factor) {
  return factor >= 100 ? formatCount(Math.round(factor)) : String(Number(factor.toPrecision(2)));
}

/**
 * @param {Changed} changed
 * @returns {string} `+1.3 h`, or requests where no times are known; empty where neither is
 */
function describePerDay({ dayMs, dayRequests }) {
  const change = dayMs?.change ?? dayRequests?.change;
  if (change === undefined) return '';
  const size = Math.abs(change);
  return `${change < 0 ? '−' : '+'}${dayMs ? timeOf(size) : countOf(size, 'request')}`;
}
