// Renders a plan of `advise` as GitHub-flavored Markdown, for a pull request: a table of the steps, and the details of
// each folded up. Names from the input stay text.

import { code, escapeMarkdown, fence, withCode } from './markdown.js';
import {
  describeBytes,
  describeQuery,
  factsOfPlan,
  figuresOfStep,
  figuresOfTotal,
  nameQuery,
  summarizePlan,
} from './plan-words.js';

/** @import { Plan, PlanStep } from '../advise/plan.js' */

/** A comment on GitHub takes 65,536 characters; what is longer cannot be posted at all. */
const MAX_CHARACTERS = 60_000;
const MAX_REJECTED = 5;
/** A longer file is only named. */
const MAX_CONTENT = 4000;

/**
 * @param {Plan} plan
 * @returns {string} at most about 60,000 characters; the number of steps without details is shown
 */
export function renderPlanMarkdown(plan) {
  const { steps, rejected, cheapest, notes } = plan;
  const sections = [`## couch-advisor plan\n\n${withCode(summarizePlan(plan))}`];
  if (steps.length > 0) sections.push(renderSteps(plan));
  if (cheapest !== null) sections.push(`**The cheapest useful change:** ${withCode(cheapest)}`);
  const end = [];
  if (rejected.length > 0) {
    const items = rejected
      .slice(0, MAX_REJECTED)
      .map(({ title, reason }) => `- ${withCode(title)}: ${withCode(reason)}`);
    if (rejected.length > MAX_REJECTED) items.push(`- and ${rejected.length - MAX_REJECTED} more`);
    end.push(fold('Not in the plan', items.join('\n')));
  }
  if (notes.length > 0) end.push(notes.map((note) => `> ${withCode(note)}`).join('\n>\n'));
  const facts = factsOfPlan(plan).map(({ label, value }) => withCode(`${label}: ${value}`));
  end.push(`<sub>${facts.join(' · ')}</sub>`);
  let length = [...sections, ...end].join('\n\n').length;
  let left = steps.length;
  for (const step of steps) {
    const details = renderDetails(step, plan);
    length += details.length;
    if (length > MAX_CHARACTERS) break;
    sections.push(details);
    left -= 1;
  }
  if (left > 0)
    sections.push(
      `The details of ${left} ${left === 1 ? 'step' : 'steps'} are not shown: the report would be too long.`,
    );
  return `${[...sections, ...end].join('\n\n')}\n`;
}

/**
 * @param {Plan} plan
 * @returns {string} a table
 */
function renderSteps(plan) {
  const rows = ['| | Change | Saves | Disk | Build |', '| ---: | --- | --- | ---: | --- |'];
  for (const step of plan.steps) {
    const figures = new Map(figuresOfStep(step).map(({ label, value }) => [label, value]));
    const cells = [
      step.number,
      withCode(step.title),
      figures.get('saves'),
      describeBytes(step.cost.bytes),
      figures.get('build'),
    ];
    rows.push(`| ${cells.join(' | ')} |`);
  }
  if (plan.steps.length > 1) {
    const figures = new Map(figuresOfTotal(plan).map(({ label, value }) => [label, value]));
    rows.push(`| | **All steps** | ${figures.get('saves')} | ${figures.get('disk')} | ${figures.get('build')} |`);
  }
  return rows.join('\n');
}

/**
 * @param {PlanStep} step
 * @param {Plan} plan
 * @returns {string}
 */
function renderDetails(step, { queries }) {
  const { number, title, change, because, findings, files } = step;
  const items = [
    `- **Database:** ${change.database === null ? 'unknown' : code(change.database)}`,
    ...(change.file === undefined ? [] : [`- **Defined in:** ${code(change.file)}`]),
    ...figuresOfStep(step).map(
      ({ label, value }) => `- **${label.charAt(0).toUpperCase()}${label.slice(1)}:** ${value}`,
    ),
    ...step.queries.flatMap((query) => [
      `- **Query:** ${code(nameQuery(query, queries))}: ${escapeMarkdown(describeQuery(query))}`,
      ...query.mustChange.map((text) => `  - **Change:** ${withCode(text)}`),
    ]),
    ...because.map((text) => `- **Because:** ${withCode(text)}`),
    ...findings.map((key) => `- **Settles:** ${code(key)}`),
  ];
  const shown = files.map(({ path, content }) =>
    content.length > MAX_CONTENT ? `File ${code(path)}` : `File ${code(path)}:\n\n${fence(content.trimEnd())}`,
  );
  return fold(`${number}. ${withCode(title)}`, [items.join('\n'), ...shown].join('\n\n'));
}

/** @param {string} summary Markdown of one line @param {string} body @returns {string} */
function fold(summary, body) {
  return `<details><summary>${summary}</summary>\n\n${body}\n\n</details>`;
}
