// Builds the document of `advise --since`: what each step of a plan promised, what the logs show, and whether it held.

import { wordQuery } from '../shared/query-name.js';
import { countOf, formatCount, formatDuration, formatMilliseconds, formatShare } from '../shared/units.js';
import { code, details, facts, list, NONE, section, sharedSection, span, table } from './document/blocks.js';
import { formatRange, formatTime } from './plan-figures.js';

/** @import { Document, Fact, Inline } from './document/blocks.js' */
/** @import { JudgedQuery, JudgedStep, Verdict } from '../advise/judge-plan.js' */

/** @typedef {{from: string | null, to: string | null, minutes: number, requests: number}} JudgedSide */

/**
 * @typedef {object} JudgedPlan
 * @property {1} version
 * @property {'plan-since'} kind
 * @property {string} tool version of couch-advisor
 * @property {string} plan the file
 * @property {JudgedSide} before
 * @property {JudgedSide} after
 * @property {number} confidence of all intervals together
 * @property {JudgedStep[]} steps
 * @property {string[]} notes
 */

/** @type {Record<Verdict, string>} */
const WORDS = { held: 'held', 'not held': 'not held', unknown: 'cannot be determined' };
/** @type {Record<Verdict, import('./document/blocks.js').Span['as']>} */
const STYLES = { held: 'good', 'not held': 'warning', unknown: 'muted' };

const COLUMNS = ['step', 'query', 'result', 'promised', 'logged', 'factor', 'reads', 'a day'];

/**
 * @param {JudgedPlan} judged
 * @returns {Document}
 */
export function sinceDocument({ plan, before, after, confidence, steps, notes }) {
  const counted = /** @type {const} */ (['held', 'not held', 'unknown']).flatMap((verdict) => {
    const count = steps.filter((step) => step.verdict === verdict).length;
    return count > 0 ? [`${formatCount(count)} ${WORDS[verdict]}`] : [];
  });
  return {
    title: 'couch-advisor advise: what the plan promised',
    mark: 'couch-advisor advise --since',
    lead: steps.length === 0 ? 'The plan has no steps.' : `Of ${countOf(steps.length, 'step')}: ${counted.join(', ')}.`,
    facts: [
      { name: 'plan', value: code(plan) },
      { name: 'before', value: describeSide(before) },
      { name: 'after', value: describeSide(after) },
    ],
    blocks: [
      steps.length > 0 &&
        sharedSection('Steps', table({ columns: COLUMNS, rows: steps.flatMap(rowsOf), noun: 'query' })),
      ...steps.map((step) =>
        details(
          `${step.number}. ${step.title}: ${WORDS[step.verdict]}`,
          ...rowsOf(step).map(([, ...cells]) => facts(factsOf(cells))),
        ),
      ),
      section('Method', list([...methodOf(confidence), ...notes])),
    ],
  };
}

/** @param {number} confidence @returns {string[]} */
function methodOf(confidence) {
  return [
    'held: the whole interval of the factor is within the promise; not held: all of it is above it',
    `in parentheses: interval of the factor, from the geometric means of the times, as digest --compare computes it; all hold together with ${formatShare(confidence)} confidence`,
  ];
}

/** @param {JudgedSide} side @returns {string} */
function describeSide({ from, to, minutes, requests }) {
  const period =
    from && to ? `, ${from.slice(0, 16).replace('T', ' ')} to ${to.slice(0, 16).replace('T', ' ')} UTC` : '';
  return `${countOf(requests, 'request')} in ${formatDuration(minutes * 60)}${period}`;
}

/** @param {JudgedStep} step @returns {Inline[][]} one for each query, and one for its build; NONE where nothing is known */
function rowsOf({ number, title, verdict, reason, queries, build }) {
  const name = `${number}. ${title}`;
  const rows = queries.map((query) => {
    const [about, ...cells] = cellsOf(query);
    return [name, about ?? NONE, resultOf(query.verdict, query.reason ?? reason), ...cells];
  });
  if (rows.length === 0) rows.push([name, NONE, resultOf(verdict, reason)]);
  if (build) {
    const promised = build.promised ? formatRange(build.promised, 0, formatDuration) : NONE;
    rows.push([name, 'index build', NONE, promised, formatDuration(build.seconds)]);
  }
  return rows.map((row) => COLUMNS.map((_, at) => row[at] ?? NONE));
}

/** @param {Inline[]} cells of a row, without the name of the step @returns {Fact[]} what is known of it */
function factsOf(cells) {
  return cells.flatMap((value, at) => (value === NONE ? [] : [{ name: COLUMNS[at + 1] ?? '', value }]));
}

/** @param {Verdict} verdict @param {string | null} reason @returns {Inline} */
function resultOf(verdict, reason) {
  return [span(WORDS[verdict], STYLES[verdict]), ...(reason === null ? [] : [`: ${reason}`])];
}

/** @param {JudgedQuery} query @returns {Inline[]} */
function cellsOf({ query, promised, time, reads, msPerDay }) {
  const count = (/** @type {number | null} */ value) => (value === null ? '?' : formatCount(Math.round(value)));
  return [
    code(wordQuery(query)),
    promised
      ? `${formatMilliseconds(promised.msBefore)} → ${formatRange(promised.msAfter, 0, formatMilliseconds)}`
      : NONE,
    time ? `${formatMilliseconds(time.old)} → ${formatMilliseconds(time.new)}` : NONE,
    time?.ratio
      ? `${factor(time.ratio)} (${factor(time.low)} to ${time.high === null ? 'any' : factor(time.high)})`
      : NONE,
    reads.before === null && reads.after === null
      ? NONE
      : `${count(reads.before)} → ${count(reads.after)} documents (promised ${count(reads.promised)})`,
    msPerDay ? `${formatTime(msPerDay.before)} → ${formatTime(msPerDay.after)}` : NONE,
  ];
}

/** @param {number} value @returns {string} */
function factor(value) {
  return String(Number(value.toPrecision(2)));
}
