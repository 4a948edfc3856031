// Judges after a change what a plan promised: compares the promised time of each query with what logs of before and after show. Pure.

import { MINUTES_PER_DAY } from '../shared/units.js';

/** @import { Answer } from '../digest/compare/compare-digests.js' */
/** @import { Plan, PlanStep, Range, StepQuery } from './plan.js' */

/** @typedef {'held' | 'not held' | 'unknown'} Verdict */

/** @typedef {{database: string | null, designDoc: string, updates: number, longestMs: number}} Updates of an index, in the logs after the change */

/**
 * @typedef {object} JudgedQuery
 * @property {string} query name
 * @property {Verdict} verdict
 * @property {string | null} reason why it is unknown, or what to look at
 * @property {{msBefore: number, msAfter: Range, ratio: Range} | null} promised
 * @property {Answer['time']} time
 * @property {[number, number]} requests that the logs have, before and after
 * @property {{promised: number | null, before: number | null, after: number | null}} reads documents that a request examines
 * @property {{before: number, after: number} | null} msPerDay typical time of all its requests
 */

/**
 * @typedef {object} JudgedStep
 * @property {number} number
 * @property {string} title
 * @property {Verdict} verdict `held`: of all its queries; `not held`: of one
 * @property {string | null} reason
 * @property {JudgedQuery[]} queries
 * @property {{promised: Range | null, seconds: number} | null} build the longest update of its index; null where the logs have none
 */

/** A log has a share of the requests of a query that is this much less than all: it has others too. */
const NEARLY_ALL = 0.9;

/**
 * @param {Plan} plan
 * @param {{shown: Answer[], updates: Updates[], hasUpdates: boolean, unknown: string | undefined}} logs `hasUpdates`: whether the logs after the change
 *   have lines besides requests; `unknown`: why times cannot be compared at all
 * @returns {JudgedStep[]}
 */
export function judgePlan(plan, logs) {
  return plan.steps.map((step) => {
    const queries = step.queries.map((query) => judgeQuery(query, plan, logs));
    const { designDoc, database } = step.change;
    const own = logs.updates.find((one) => one.designDoc === designDoc && one.database === database);
    const build =
      own && own.longestMs > 0 ? { promised: step.cost.buildRange ?? null, seconds: own.longestMs / 1000 } : null;
    const base = { number: step.number, title: step.title, queries, build };
    if (queries.length === 0) return { ...base, ...judgeWithout(step, own, logs.hasUpdates) };
    const verdicts = queries.map(({ verdict }) => verdict);
    const verdict = verdicts.includes('not held')
      ? /** @type {const} */ ('not held')
      : verdicts.includes('unknown')
        ? /** @type {const} */ ('unknown')
        : /** @type {const} */ ('held');
    const isMissing = verdict !== 'held' && logs.updates.length > 0 && !own && step.change.kind.endsWith('index');
    return {
      ...base,
      verdict,
      reason: isMissing ? `no update of ${designDoc} in the logs after it: it may not be deployed` : null,
    };
  });
}

/**
 * @param {PlanStep} step that makes no query faster
 * @param {Updates | undefined} own
 * @param {boolean} hasUpdates
 * @returns {{verdict: Verdict, reason: string | null}}
 */
function judgeWithout({ change: { kind, designDoc } }, own, hasUpdates) {
  if (kind !== 'drop-index') return { verdict: 'unknown', reason: 'it saves space or writing, which logs do not show' };
  if (!hasUpdates) return { verdict: 'unknown', reason: 'the logs after it have no lines but requests' };
  return own
    ? { verdict: 'not held', reason: `${designDoc} is still updated` }
    : { verdict: 'held', reason: `${designDoc} is not updated any more` };
}

/**
 * @param {StepQuery} stepQuery
 * @param {Plan} plan
 * @param {{shown: Answer[], unknown: string | undefined}} logs
 * @returns {JudgedQuery}
 */
function judgeQuery({ query: id, msBefore, msAfter, msAfterRange, after }, { queries, workload }, { shown, unknown }) {
  const query = queries.find((one) => one.id === id);
  const name = query?.name ?? id;
  const logged = loggedName(name);
  const found = shown.find(({ names }) => names.includes(name)) ?? shown.find(({ names }) => names.includes(logged));
  const range = msAfter === null ? null : (msAfterRange ?? { low: msAfter, high: msAfter });
  const promised =
    msBefore === null || range === null
      ? null
      : { msBefore, msAfter: range, ratio: { low: range.low / msBefore, high: range.high / msBefore } };
  const [before, fresh] = [found?.old ?? null, found?.new ?? null];
  const time = found?.time ?? null;
  const perDay = (/** @type {{ratePerMinute: number} | null} */ one, /** @type {number} */ ms) =>
    (one?.ratePerMinute ?? 0) * MINUTES_PER_DAY * ms;
  const isPart =
    before !== null &&
    workload.minutes > 0 &&
    (query?.perDay ?? 0) < before.ratePerMinute * MINUTES_PER_DAY * NEARLY_ALL;
  return {
    query: name,
    ...judgeTime(promised, { before, fresh, time, unknown, isPart: isPart && query?.source === 'code' }),
    promised,
    time,
    requests: [before?.count ?? 0, fresh?.count ?? 0],
    reads: { promised: after?.documents ?? null, before: found?.reads[0] ?? null, after: found?.reads[1] ?? null },
    msPerDay: time && { before: perDay(before, time.old), after: perDay(fresh, time.new) },
  };
}

/** @param {string} name of a query of a plan @returns {string} as the log has it, where its selector is from the code */
export function loggedName(name) {
  return name.replace(/[?&]find\..*$/, '');
}

/**
 * @param {JudgedQuery['promised']} promised
 * @param {{before: Answer['old'], fresh: Answer['new'], time: Answer['time'], unknown: string | undefined, isPart: boolean}} logs
 * @returns {{verdict: Verdict, reason: string | null}}
 */
function judgeTime(promised, { before, fresh, time, unknown, isPart }) {
  const cannot = (/** @type {string} */ reason) => ({ verdict: /** @type {const} */ ('unknown'), reason });
  if (!promised) return cannot('the plan promises no time');
  if (unknown !== undefined) return cannot(unknown);
  if (!before) return cannot('no request of it in the logs before');
  if (!fresh) return cannot('no request of it in the logs after');
  if (isPart) return cannot('the log does not distinguish it from other queries of the endpoint');
  if (!time) return cannot('too few requests: ten with times are needed on each side');
  if (time.high !== null && time.high <= promised.ratio.high) return { verdict: 'held', reason: null };
  if (time.low > promised.ratio.high) return { verdict: 'not held', reason: null };
  return cannot('the interval includes both: a longer log is needed');
}
