// Renders a plan of `advise` for people at a terminal: the steps in order, each with what it saves, costs and rests on.

import { printable } from '../shared/printable.js';
import { createColors } from './colors.js';
import { displayWidth, wrap } from './display-width.js';
import { describeQuery, factsOfPlan, figuresOfStep, figuresOfTotal, nameQuery, summarizePlan } from './plan-words.js';

/** @import { Plan, PlanStep } from '../advise/plan.js' */
/** @import { Colors } from './colors.js' */
/** @import { PlanFact } from './plan-words.js' */

/** So many candidates that are not in the plan are listed. */
const MAX_REJECTED = 5;
const USUAL_WIDTH = 80;
/** Of the labels, in columns. */
const LABEL_WIDTH = 11;

/** @typedef {{colors: Colors, width: number}} Look */

/**
 * @param {Plan} plan
 * @param {{color?: boolean, width?: number}} [options]
 * @returns {string} ending in a line feed; no line is longer than the width but for words that are
 */
export function renderPlanText(plan, { color = false, width = USUAL_WIDTH } = {}) {
  const look = { colors: createColors(color), width };
  const { steps, rejected, cheapest, notes } = plan;
  const rest = rejected.length - MAX_REJECTED;
  const blocks = [
    [
      ...wrap(summarizePlan(plan), width).map(look.colors.bold),
      ...factsOfPlan(plan).flatMap((fact) => labelled(fact, look)),
    ],
    ...steps.map((step) => stepLines(step, plan, look)),
    ...(steps.length > 1
      ? [[look.colors.bold('All steps'), ...figuresOfTotal(plan).flatMap((fact) => labelled(fact, look))]]
      : []),
    ...(cheapest === null ? [] : [hanging(`The cheapest useful change: ${cheapest}`, '', look)]),
    ...(rejected.length === 0
      ? []
      : [
          [
            look.colors.bold('Not in the plan:'),
            ...rejected
              .slice(0, MAX_REJECTED)
              .flatMap(({ title, reason }) => hanging(`${title}: ${reason}`, '  ', look)),
            ...(rest > 0 ? [`  and ${rest} more; --format json lists them`] : []),
          ],
        ]),
    ...(notes.length === 0 ? [] : [notes.flatMap((note) => hanging(`note: ${note}`, '', look))]),
  ];
  return blocks.map((block) => `${block.join('\n')}\n`).join('\n');
}

/**
 * @param {PlanStep} step
 * @param {Plan} plan
 * @param {Look} look
 * @returns {string[]}
 */
function stepLines(step, { queries }, look) {
  const { number, title, change, because, findings, files } = step;
  const head = `${number}. `;
  const [first = '', ...more] = wrap(printable(title), look.width - head.length);
  /** @type {PlanFact[]} */
  const facts = [
    { label: 'database', value: change.database ?? 'unknown' },
    ...(change.file === undefined ? [] : [{ label: 'defined in', value: change.file }]),
    ...figuresOfStep(step),
    ...step.queries.flatMap((query) => [
      { label: 'query', value: `${nameQuery(query, queries)}: ${describeQuery(query)}` },
      ...query.mustChange.map((value) => ({ label: 'change', value })),
    ]),
    ...because.map((value) => ({ label: 'because', value })),
    ...findings.map((value) => ({ label: 'settles', value })),
    ...files.map(({ path }) => ({ label: 'file', value: path })),
  ];
  return [
    `${head}${look.colors.bold(first)}`,
    ...more.map((line) => `${' '.repeat(head.length)}${look.colors.bold(line)}`),
    ...facts.flatMap((fact) => labelled(fact, look)),
  ];
}

/**
 * @param {PlanFact} fact
 * @param {Look} look
 * @returns {string[]} the value beside its label, and further lines below it
 */
function labelled({ label, value }, { colors, width }) {
  const [first = '', ...rest] = wrap(printable(value), width - LABEL_WIDTH - 3);
  const gap = ' '.repeat(Math.max(1, LABEL_WIDTH - displayWidth(label)));
  return [`   ${colors.cyan(label)}${gap}${first}`, ...rest.map((line) => `   ${' '.repeat(LABEL_WIDTH)}${line}`)];
}

/**
 * @param {string} text
 * @param {string} margin
 * @param {Look} look
 * @returns {string[]} further lines stand two columns to the right
 */
function hanging(text, margin, { width }) {
  const [first = '', ...rest] = wrap(printable(text), width - margin.length - 2);
  return [`${margin}${first}`, ...rest.map((line) => `${margin}  ${line}`)];
}
