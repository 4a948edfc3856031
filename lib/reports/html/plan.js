// Renders a plan of `advise` as a section of the page of `lint`.

import { code, html, prose } from '../../shared/markup.js';
import {
  describeBytes,
  describeQuery,
  factsOfPlan,
  figuresOfStep,
  figuresOfTotal,
  formatTime,
  nameQuery,
  summarizePlan,
} from '../plan-words.js';
import { renderBars } from './charts.js';

/** @import { Plan, PlanStep } from '../../advise/plan.js' */
/** @import { Markup } from '../../shared/markup.js' */
/** @import { PlanFact } from '../plan-words.js' */

/** So many steps have a bar: of a longer plan the first ones save nearly all. */
const MAX_BARS = 12;
/** So many candidates that are not in the plan are listed at once. */
const MAX_REJECTED = 5;
/** Units of an axis, the largest first, by what one of them is. @type {Record<'time' | 'disk', [string, number][]>} */
const UNITS = {
  time: [
    ['h', 3_600_000],
    ['min', 60_000],
    ['s', 1000],
    ['ms', 1],
  ],
  disk: [
    ['GB', 1e9],
    ['MB', 1e6],
    ['kB', 1000],
  ],
};

/**
 * @param {Plan} plan
 * @returns {Markup} a section in the style of the page of `lint`, with the id `plan`
 */
export function planSection(plan) {
  const { steps, cheapest, rejected, notes } = plan;
  return html`<section id="plan" aria-labelledby="plan-title"><h2 id="plan-title">Plan of changes</h2>
<p><b>${summarizePlan(plan)}</b></p>
${renderFacts(factsOfPlan(plan))}
${steps.length > 0 && renderSteps(plan)}
${steps.length > 0 && renderCharts(steps)}
${steps.map((step) => renderStep(step, plan))}
${cheapest !== null && html`<p>The cheapest useful change: ${prose(cheapest)}</p>`}
${rejected.length > 0 && renderRejected(rejected)}
${notes.length > 0 && html`<h3>Notes</h3><ul>${notes.map((note) => html`<li>${prose(note)}</li>`)}</ul>`}
</section>
`;
}

/** @param {PlanFact[]} facts @returns {Markup} */
function renderFacts(facts) {
  return html`<dl class="plan-facts">${facts.map(({ label, value }) => html`<dt>${label}</dt><dd>${prose(value)}</dd>`)}</dl>`;
}

/**
 * @param {Plan} plan
 * @returns {Markup} a table
 */
function renderSteps(plan) {
  const rows = plan.steps.map((step) => {
    const { number, title } = step;
    return html`<tr><td class="number">${number}</td><td><a href="#plan-${number}">${prose(title)}</a></td>${renderCells(figuresOfStep(step), step.cost.bytes)}</tr>`;
  });
  const total =
    rows.length > 1 &&
    html`<tr><td></td><td><b>All steps</b></td>${renderCells(figuresOfTotal(plan), plan.total.bytes)}</tr>`;
  return html`<div class="scroll" role="region" tabindex="0" aria-label="Steps"><table class="steps"><thead><tr><th scope="col" class="number">Step</th><th scope="col">Change</th><th scope="col">Saves</th><th scope="col" class="number">Disk</th><th scope="col">Writes</th><th scope="col">Build</th></tr></thead><tbody>${rows}${total}</tbody></table></div>`;
}

/**
 * @param {PlanFact[]} figures
 * @param {number | null} bytes
 * @returns {Markup[]}
 */
function renderCells(figures, bytes) {
  const values = new Map(figures.map(({ label, value }) => [label, value]));
  return [
    html`<td>${values.get('saves')}</td>`,
    html`<td class="number">${describeBytes(bytes)}</td>`,
    html`<td>${values.get('writes')}</td>`,
    html`<td>${values.get('build')}</td>`,
  ];
}

/**
 * @param {PlanStep[]} steps
 * @returns {Markup} what each saves, and what it takes of the disk
 */
function renderCharts(steps) {
  const shown = steps.slice(0, MAX_BARS);
  const left = steps.length - shown.length;
  const saving = axisOf(
    'time',
    shown.map(({ savedMsPerDay }) => savedMsPerDay),
  );
  const disk = axisOf(
    'disk',
    shown.map(({ cost }) => cost.bytes),
  );
  const times = shown.map(({ number, savedMsPerDay: ms }) => ({
    label: `step ${number}`,
    value: ms === null ? undefined : ms / saving.scale,
    text: ms === null ? 'unknown' : ms <= 0 ? 'none' : formatTime(ms),
  }));
  const sizes = shown.map(({ number, cost: { bytes } }) => ({
    label: `step ${number}`,
    value: bytes === null ? undefined : bytes / disk.scale,
    text: describeBytes(bytes),
  }));
  const isKnown = (/** @type {typeof times} */ bars) => bars.some(({ value }) => value !== undefined);
  return html`<div class="charts">${isKnown(times) && renderBars('Time that each step saves', { label: 'request time a day', unit: saving.unit }, times, 'plan-time')}${
    isKnown(sizes) &&
    renderBars(
      'Disk space that each step takes',
      { label: 'once built and compacted', unit: disk.unit },
      sizes,
      'plan-disk',
    )
  }</div>
${left > 0 && html`<p class="hint">The charts show the first ${MAX_BARS} steps.</p>`}`;
}

/**
 * @param {keyof typeof UNITS} kind
 * @param {(number | null)[]} values
 * @returns {{unit: string, scale: number}} the largest unit that the longest bar reaches
 */
function axisOf(kind, values) {
  const longest = Math.max(0, ...values.map((value) => Math.abs(value ?? 0)));
  const units = UNITS[kind];
  const [unit, scale] = units.find(([, one]) => longest >= one) ?? units.at(-1) ?? ['', 1];
  return { unit, scale };
}

/**
 * @param {PlanStep} step
 * @param {Plan} plan
 * @returns {Markup}
 */
function renderStep(step, { queries }) {
  const { number, title, change, because, findings, files } = step;
  const placesOf = new Map(queries.map(({ id, places }) => [id, places]));
  /** @type {PlanFact[]} */
  const facts = [
    { label: 'database', value: change.database === null ? 'unknown' : `\`${change.database}\`` },
    ...(change.file === undefined ? [] : [{ label: 'defined in', value: `\`${change.file}\`` }]),
    ...figuresOfStep(step),
    ...findings.map((key) => ({ label: 'settles', value: `\`${key}\`` })),
  ];
  const about = step.queries.map((query) => {
    const places = placesOf.get(query.query) ?? [];
    return html`<li><code>${nameQuery(query, queries)}</code>: ${describeQuery(query)}${places.length > 0 && html` <span class="hint">(${places.join(', ')})</span>`}${
      query.mustChange.length > 0 &&
      html`<ul>${query.mustChange.map((text) => html`<li>Change: ${prose(text)}</li>`)}</ul>`
    }</li>`;
  });
  return html`<article class="step" id="plan-${number}" aria-labelledby="plan-${number}t"><h3 id="plan-${number}t">${number}. ${prose(title)}</h3>
${renderFacts(facts)}
${about.length > 0 && html`<p class="related">Queries that it speeds up:</p><ul class="related">${about}</ul>`}
${because.length > 0 && html`<p class="related">Based on:</p><ul class="related">${because.map((text) => html`<li>${prose(text)}</li>`)}</ul>`}
${files.map(({ path, content }) => html`<details><summary>File <span class="place">${path}</span></summary><div class="patch"><pre>${code(content)}</pre></div></details>`)}
</article>
`;
}

/** @param {Plan['rejected']} rejected @returns {Markup} */
function renderRejected(rejected) {
  const items = rejected.map(({ title, reason }) => html`<li>${prose(title)}: ${prose(reason)}</li>`);
  const more = items.slice(MAX_REJECTED);
  return html`<h3>Not in the plan</h3><ul>${items.slice(0, MAX_REJECTED)}</ul>${
    more.length > 0 &&
    html`<details><summary>More <span class="count">${more.length}</span></summary><ul>${more}</ul></details>`
  }`;
}
