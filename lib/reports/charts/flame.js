// Draws a flame graph of a tree of calls: each call as wide as its cost, what it called below it.

import { html } from '../../shared/markup.js';
import { formatShare } from '../../shared/units.js';
import { closePicture, MARGIN, openPicture, renderLegend, text } from './frame.js';
import { FONT, round } from './style.js';
import { shortenEnd, textWidth } from './text-size.js';

/** @import { Markup } from '../../shared/markup.js' */
/** @import { LegendEntry, Picture } from './frame.js' */

/**
 * @typedef {object} Frame
 * @property {string} name
 * @property {number} value its own cost, without that of its children
 * @property {string} [kind] what it is: frames of one kind look the same, in the order in which the kinds are given
 * @property {Frame[]} children
 */

/**
 * @typedef {object} FlameDetails
 * @property {Frame} root
 * @property {(value: number) => string} format of a cost: `1.2 ms`
 * @property {string[]} [kinds] for the legend
 */

/** @typedef {Picture & FlameDetails} FlameGraph */

/** @typedef {{frame: Frame, total: number, x: number, depth: number}} Placed */

const ROW = 19;
/** Narrower frames are not drawn: nobody could see them. */
const MIN_WIDTH = 0.7;
const MAX_FRAMES = 4000;
/** Letters of a name that is cut, with the `…`. */
const MIN_LABEL = 5;
const MAX_DEEP = 120;
/** Looks of the kinds. */
const LOOKS = 3;
/** So many are named in the description, for readers who do not see the picture. */
const MAX_TOLD = 12;

/**
 * @param {FlameGraph} chart
 * @returns {string} an `<svg>`
 */
export function flameGraph(chart) {
  const { root, title, format, kinds = [] } = chart;
  const { id, width, title: heading } = openPicture(chart);
  const legend = renderLegend(kinds.map(sampleOf), width, heading.bottom + 4);
  const top = legend.bottom + 8;
  const totals = addUp(root);
  const whole = totals.get(root) ?? 0;
  const placed = place(root, totals, whole > 0 ? (width - 2 * MARGIN) / whole : 0);
  const deepest = placed.reduce((most, { depth }) => Math.max(most, depth), 0);
  const tell = (/** @type {Placed} */ { frame, total }) => `${frame.name}: ${format(total)}, ${share(total, whole)}`;
  return closePicture({
    id,
    width,
    height: top + (deepest + 1) * ROW,
    title,
    description: chart.description ?? describe(placed, tell),
    note: chart.note,
    body: [
      heading.markup,
      legend.markup,
      placed.map((one) => {
        const wide = (one.total / (whole || 1)) * (width - 2 * MARGIN);
        return renderFrame(one, wide, top + one.depth * ROW, Math.max(0, kinds.indexOf(one.frame.kind ?? '')), {
          title: tell(one),
          part: share(one.total, whole),
        });
      }),
    ],
  });
}

/**
 * @param {Frame} root
 * @returns {Map<Frame, number>} the cost of each with its children
 */
function addUp(root) {
  /** @type {Map<Frame, number>} */
  const totals = new Map();
  const order = [root];
  for (let at = 0; at < order.length; at += 1) {
    for (const child of /** @type {Frame} */ (order[at]).children) order.push(child);
  }
  for (const frame of order.reverse()) {
    const own = Number.isFinite(frame.value) && frame.value > 0 ? frame.value : 0;
    totals.set(
      frame,
      frame.children.reduce((sum, child) => sum + (totals.get(child) ?? 0), own),
    );
  }
  return totals;
}

/**
 * @param {Frame} root
 * @param {Map<Frame, number>} totals
 * @param {number} scale pixels for a unit of cost
 * @returns {Placed[]} those that can be seen, parents first
 */
function place(root, totals, scale) {
  /** @type {Placed[]} */
  const placed = [{ frame: root, total: totals.get(root) ?? 0, x: MARGIN, depth: 0 }];
  for (let at = 0; at < placed.length && placed.length < MAX_FRAMES; at += 1) {
    const { frame, x, depth } = /** @type {Placed} */ (placed[at]);
    if (depth >= MAX_DEEP) continue;
    let next = x;
    for (const child of frame.children) {
      const total = totals.get(child) ?? 0;
      if (total * scale >= MIN_WIDTH) placed.push({ frame: child, total, x: next, depth: depth + 1 });
      next += total * scale;
    }
  }
  return placed;
}

/**
 * @param {Placed} placed
 * @param {number} width
 * @param {number} y
 * @param {number} kind
 * @param {{title: string, part: string}} texts `part`: of the whole
 * @returns {Markup}
 */
function renderFrame({ frame, x }, width, y, kind, { title, part }) {
  const room = width - 8;
  const full = `${frame.name} ${part}`;
  const fits = textWidth(full, FONT.small) <= room;
  const label = fits ? full : room > 14 ? shortenEnd(frame.name, room, FONT.small) : '';
  // Of a name that is cut to two letters nobody has anything.
  const isTold = fits || label === frame.name || label.length >= MIN_LABEL;
  return html`<g><title>${title}</title><rect class="cx-frame${kind % LOOKS}" x="${round(x)}" y="${round(y)}" width="${round(Math.max(0.5, width - 0.5))}" height="${ROW - 1}"/>${
    isTold && text(label, x + 4, y + FONT.small + 2.5, { className: 'cx-small cx-plain' })
  }</g>`;
}

/**
 * @param {string} label
 * @param {number} kind
 * @returns {LegendEntry}
 */
function sampleOf(label, kind) {
  return {
    label,
    width: 22,
    draw: (x, y) =>
      html`<rect class="cx-frame${kind % LOOKS}" x="${round(x)}" y="${round(y - 7)}" width="22" height="14"/>`,
  };
}

/**
 * @param {number} part
 * @param {number} whole
 * @returns {string}
 */
function share(part, whole) {
  return formatShare(whole > 0 ? part / whole : 0);
}

/**
 * @param {Placed[]} placed
 * @param {(placed: Placed) => string} tell
 * @returns {string}
 */
function describe(placed, tell) {
  const [root, ...others] = placed;
  const widest = others.toSorted((one, other) => other.total - one.total).slice(0, MAX_TOLD);
  return `Flame graph of ${root ? tell(root) : 'nothing'}. The widest frames: ${widest.map(tell).join('; ')}.`;
}
