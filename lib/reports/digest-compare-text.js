// Renders the comparison of two digests as text: what changed, what costs most first, and what could not be compared.

import { printable } from '../shared/printable.js';
import { nameOf } from '../shared/query-name.js';
import { createColors } from './colors.js';
import {
  describeChange,
  describeCompared,
  describeMethod,
  describeNothing,
  describePerDay,
  describeSide,
  describeUnknown,
  isUnchanged,
} from './digest-compare-words.js';
import { fitLines } from './fit-lines.js';
import { countOf } from './report.js';

/** @import { Colors } from './colors.js' */
/** @import { ReportedChange, ReportedComparison, ReportedTimes } from './digest-compare-words.js' */

const USUAL_WIDTH = 80;
/** So many shapes and indexes are listed; all are in the JSON. */
const MAX_LISTED = 25;

/** @typedef {{old?: ReportedTimes | undefined, new?: ReportedTimes | undefined, unit?: string}} About */

/**
 * @param {ReportedComparison} comparison
 * @param {{color?: boolean, width?: number | undefined}} [options] `width`: columns that lines may take, unless one word takes more
 * @returns {string}
 */
export function renderCompareText(comparison, { color = false, width = USUAL_WIDTH } = {}) {
  const colors = createColors(color);
  const { old, new: fresh, traffic, shapes, indexes, queryServers } = comparison;
  const fold = (/** @type {string[]} */ lines) => fitLines(lines.map(printable), width);
  const block = (/** @type {string} */ head, /** @type {ReportedChange[]} */ changes, /** @type {About} */ about) => [
    ...fold([head]).map(colors.bold),
    ...changes.flatMap((change) => sentenceOf(change, about, { colors, fold, margin: '  ' })),
  ];
  const left = shapes.length - MAX_LISTED;
  const blocks = [
    fold([
      `old: ${old.name}: ${describeSide(old)}`,
      `new: ${fresh.name}: ${describeSide(fresh)}`,
      describeCompared(comparison),
    ]),
    isUnchanged(comparison) ? fold([describeNothing(comparison)]) : [],
    ...(traffic.length > 0 ? [block('all requests', traffic, {})] : []),
    ...shapes.slice(0, MAX_LISTED).map((shape) => {
      const about = { old: shape.old?.latencyMs, new: shape.new?.latencyMs };
      return block(headOf(describePerDay(shape), nameOf(shape)), shape.changes, about);
    }),
    left > 0 ? [`and ${countOf(left, 'more shape')}; use --format json for all`] : [],
    ...indexes.slice(0, MAX_LISTED).map((index) => {
      const about = { old: index.old?.updateMs, new: index.new?.updateMs, unit: 'updates' };
      const name = `index updates of ${index.database ?? ''} ${index.designDoc}`;
      return block(headOf(describePerDay(index), name), index.changes, about);
    }),
    ...queryServers.map(({ kind, changes }) => block(`query server failures: ${kind}`, changes, { unit: 'failures' })),
    fold(describeUnknown(comparison).map((line) => `unknown: ${line}`)),
    fold(describeMethod(comparison)),
  ];
  return blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join('\n')}\n`)
    .join('\n');
}

/**
 * @param {string} cost
 * @param {string} name
 * @returns {string}
 */
function headOf(cost, name) {
  return cost === '' ? name : `${cost}  ${name}`;
}

/** What is worse for a server. */
const WORSE = new Set(['slower', 'more', 'appeared']);

/**
 * @param {ReportedChange} change
 * @param {About} about
 * @param {{colors: Colors, fold: (lines: string[]) => string[], margin: string}} look
 * @returns {string[]} its lines
 */
function sentenceOf(change, about, { colors, fold, margin }) {
  const { title, values, factor } = describeChange(change, about);
  const paint = WORSE.has(change.direction) ? colors.yellow : colors.green;
  const [first = '', ...rest] = fold([`${margin}${title}: ${factor}; ${values}`]);
  return [`${margin}${paint(title)}${first.slice(margin.length + title.length)}`, ...rest];
}
