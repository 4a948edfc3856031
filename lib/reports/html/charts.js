// Draws the small charts of the evidence behind a finding, in the colors of the page.

import { html, Markup } from '../../shared/markup.js';
import { histogram, intervalPlot, lineChart } from '../charts/index.js';
import { CHART_STYLE } from '../charts/style.js';

/** @import { LogEvidence } from '../../facts/log/evidence.js' */

const BAR_WIDTH = 60;
/** Of a chart that stands beside another. */
const WIDTH = 360;
const MS_PER_MINUTE = 60_000;

/** @param {number} share 0 to 1 @returns {Markup} a bar beside a figure that says the same */
export function renderShare(share) {
  const width = Math.min(BAR_WIDTH, Math.max(1, share * BAR_WIDTH)).toFixed(1);
  return html`<svg class="bar" width="${BAR_WIDTH}" height="10" viewBox="0 0 ${BAR_WIDTH} 10" aria-hidden="true"><rect class="rail" width="${BAR_WIDTH}" height="10" rx="2"/><rect class="fill" width="${width}" height="10" rx="2"/></svg>`;
}

/**
 * @param {NonNullable<LogEvidence['rate']>} rate
 * @param {string} id
 * @returns {Markup}
 */
export function renderRate({ from, stepMinutes, counts }, id) {
  const first = from / MS_PER_MINUTE;
  const points = counts.map((count, at) => ({ x: first + at * stepMinutes, y: count / stepMinutes }));
  const [day, lastDay] = [first, first + counts.length * stepMinutes].map((minute) => clock(minute).slice(0, 10));
  const format = (/** @type {number} */ minute) => clock(minute).slice(day === lastDay ? 11 : 5);
  const x = { label: day === lastDay ? `UTC, ${day}` : 'UTC', format };
  const y = { label: 'requests per minute', fromZero: true };
  const series = [{ name: 'requests per minute', points }];
  const chart = lineChart({ id: `${id}r`, title: 'Requests over time', x, y, series, width: WIDTH });
  return html`<figure>${embed(chart)}</figure>`;
}

/**
 * @param {LogEvidence['latency']} classes
 * @param {string} id
 * @returns {Markup}
 */
export function renderLatency(classes, id) {
  // Where zero begins is nowhere on an axis of powers of ten.
  const bins = classes.map(({ fromMs, belowMs, count }) => ({ from: fromMs || belowMs / 2, to: belowMs, count }));
  const axis = { label: 'request time', unit: 'ms', scale: /** @type {const} */ ('log') };
  const chart = histogram({
    id: `${id}l`,
    title: 'Request times',
    axis,
    bins,
    countLabel: 'requests',
    width: WIDTH,
  });
  return html`<figure>${embed(chart)}</figure>`;
}

/**
 * @param {number} ratio how many times faster the advised way is
 * @param {[number, number]} interval of it
 * @param {string} id
 * @returns {Markup}
 */
export function renderInterval(ratio, [low, high], id) {
  const rows = [{ label: 'as advised', estimate: ratio, low, high }];
  const axis = { label: 'times faster than the code as it is' };
  return html`<figure>${embed(intervalPlot({ id: `${id}i`, title: 'How much faster', axis, rows, width: 520 }))}</figure>`;
}

/**
 * @param {string} svg of our own making
 * @returns {Markup} without its style, which would be the page's only as often as there are charts; the page has colors for it
 */
function embed(svg) {
  return new Markup(svg.replace(`<style>${CHART_STYLE}</style>`, ''));
}

/**
 * @param {number} minute since 1970
 * @returns {string} `2026-11-21 10:49`
 */
function clock(minute) {
  return new Date(minute * MS_PER_MINUTE).toISOString().slice(0, 16).replace('T', ' ');
}
