// Renders the evidence behind a finding: requests of the logs, the proof of a reduce, the verdict of a measurement.

import { html, prose } from '../../shared/markup.js';
import { countOf, formatMilliseconds, formatShare } from '../../shared/units.js';
import { renderInterval, renderLatency, renderRate, renderShare } from './charts.js';

/** @import { Detail, ShownProof } from '../../engine/details.js' */
/** @import { LoggedShape } from '../../facts/log/evidence.js' */
/** @import { MeasuredVerdict } from '../../engine/findings/finding.js' */
/** @import { Markup } from '../../shared/markup.js' */

/**
 * @param {NonNullable<Detail['logs']>} logs
 * @param {{id: string, isOpen: boolean, isDrawn: boolean}} options `id`: prefix of the names in its charts
 * @returns {Markup}
 */
export function renderLogs({ shapes, moreShapes, rate, latency }, { id, isOpen, isDrawn }) {
  const requests = shapes.reduce((sum, shape) => sum + shape.requests, 0);
  const charts = isDrawn
    ? [rate && renderRate(rate, id), latency.length > 0 && renderLatency(latency, id)].filter(Boolean)
    : [];
  return html`<details class="evidence"${isOpen && html` open=""`}><summary>In the logs <span class="count">${countOf(requests, 'request')}</span></summary>
${charts.length > 0 && html`<div class="charts">${charts}</div>`}
<ul class="shapes">${shapes.map(renderShape)}</ul>
${moreShapes > 0 && html`<p class="hint">and ${countOf(moreShapes, 'more query pattern')}</p>`}</details>`;
}

/**
 * @param {LoggedShape} shape
 * @returns {Markup}
 */
function renderShape({ name, requests, share, ratePerMinute, latencyMs, examples }) {
  const times = latencyMs && [
    ['median', latencyMs.p50],
    ['p95', latencyMs.p95],
    ['longest', latencyMs.max],
  ];
  const figures = [
    countOf(requests, 'request'),
    `${short(ratePerMinute.mean)} per minute`,
    ...(times ?? []).map(([name, ms]) => `${name} ${formatMilliseconds(Number(ms))}`),
  ];
  const lines = examples.map(({ file, line }) => `${file}:${line}`).join(', ');
  return html`<li><span class="share">${renderShare(share)} <b>${formatShare(share)}</b></span><span class="what"><code>${name}</code> <span class="hint">${figures.join(' · ')} · first seen at <span class="place">${lines}</span></span></span></li>`;
}

/** What a reduce was found to be. @type {Record<ShownProof['verdict'], string>} */
const PROOFS = {
  equal: 'returns the same results as',
  equalAfterRewrite: 'returns the same results, after a rewrite of the map, as',
  wrong: 'returns results that depend on how rows are grouped or ordered',
  grows: 'returns results that grow with the number of rows',
  custom: 'equals no built-in',
  unknown: 'cannot be analyzed',
};

/**
 * @param {ShownProof} proof
 * @returns {Markup}
 */
export function renderProof({ verdict, isProved, builtin, condition, steps, counterexample, trials }) {
  const names = verdict === 'equal' || verdict === 'equalAfterRewrite';
  const others = steps.filter((line) => !counterexample.includes(line));
  const title = counterexample.length > 0 ? 'Counterexample' : isProved ? 'Proof' : 'Evidence';
  const basis = isProved ? 'from the code' : countOf(trials, 'trial');
  return html`<details class="proof"><summary>${title} <span class="count">${basis}</span></summary>
<p>This reduce ${PROOFS[verdict]}${names && builtin !== undefined && html` <code>${builtin}</code>`}.${condition !== undefined && html` Condition: ${prose(condition)}.`}</p>
${counterexample.length > 0 && html`<p>Check it by hand:</p><ol class="rows">${counterexample.map((line) => html`<li>${line}</li>`)}</ol>`}
${others.length > 0 && html`<p>${counterexample.length > 0 ? 'What the analysis shows' : 'Step by step'}:</p><ol>${others.map((line) => html`<li>${prose(line)}</li>`)}</ol>`}</details>`;
}

/** Names of the arms of an experiment that the findings are about. @type {Record<string, string>} */
const ARMS = { 'as-is': 'as it is', advised: 'as advised' };

/**
 * @param {MeasuredVerdict} verdict
 * @param {string} id prefix of the names in its chart
 * @param {{isPattern?: boolean}} [options] whether other functions and documents were measured than those of the finding
 * @returns {Markup}
 */
export function renderVerdict(verdict, id, { isPattern = false } = {}) {
  const { word, reason, ratio, interval, rounds, server, counters, warnings, at, assumed = [] } = verdict;
  const arms = Object.entries(counters ?? {}).filter(([, values]) => Object.keys(values).length > 0);
  const names = [...new Set(arms.flatMap(([, values]) => Object.keys(values)))];
  return html`<div class="verdict"><p><b>${isPattern ? 'This pattern, measured elsewhere:' : 'Measured:'}</b> <span class="word ${word.split(' ')[0]}">${word}</span>${ratio !== null && html` ${describeRatio(ratio, word)}`}</p>
${reason !== undefined && html`<p>${prose(reason)}</p>`}
${assumed.length > 0 && html`<p class="hint">Not from your project: ${assumed.map(({ part, text }) => `${part} (${text})`).join('; ')}</p>`}
${ratio !== null && interval !== null && renderInterval(ratio, interval, id)}
<p class="hint">${countOf(rounds, 'pair')} of rounds on ${server}${at !== null && html`, <time datetime="${at}">${at.slice(0, 10)}</time>`}</p>
${
  names.length > 0 &&
  html`<table><thead><tr><th scope="col">Server counters, per response</th>${arms.map(([arm]) => html`<th scope="col" class="number">${ARMS[arm] ?? arm}</th>`)}</tr></thead><tbody>${names.map(
    (name) =>
      html`<tr><td><code>${name}</code></td>${arms.map(([, values]) => html`<td class="number">${values[name] === undefined ? '–' : short(values[name])}</td>`)}</tr>`,
  )}</tbody></table>`
}
${warnings.length > 0 && html`<ul class="hint">${warnings.map(({ message }) => html`<li>${prose(message)}</li>`)}</ul>`}</div>`;
}

/**
 * @param {number} ratio
 * @param {string} word of the verdict
 * @returns {string}
 */
function describeRatio(ratio, word) {
  const [times, direction] = ratio >= 1 ? [ratio, 'faster'] : [1 / ratio, 'slower'];
  const isClaim = word === 'confirmed' || word === 'refuted';
  return `${isClaim ? '' : 'best estimate: '}${short(times)} times ${direction} as advised`;
}

/**
 * @param {number} number
 * @returns {string} with three digits that count
 */
function short(number) {
  return number >= 1000 ? String(Math.round(number)) : String(Number(number.toPrecision(3)));
}
