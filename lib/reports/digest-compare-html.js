// Renders the comparison of two digests as one self-contained page: what changed, the factors with their intervals, and what could not be compared.

import { code, html } from '../shared/markup.js';
import { nameOf } from '../shared/query-name.js';
import { figure, intervalPlot, list, paragraph, renderPage, table } from './charts/index.js';
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
import { countOf } from './report.js';

/** @import { Cell } from './charts/page.js' */
/** @import { ReportedChange, ReportedComparison, ReportedTimes } from './digest-compare-words.js' */

/** @typedef {{name: string, cost: string, change: ReportedChange, about: {old?: ReportedTimes | undefined, new?: ReportedTimes | undefined, unit?: string}}} Line */

/** So many factors are drawn, those of what costs most. */
const MAX_DRAWN = 20;
const MAX_ROWS = 1000;
/** A narrow page scrolls the table; columns of one word a line would make it endless. */
const STYLE = 'td:not(.number){min-width:8rem}td:nth-child(4){min-width:16rem}\n';

/**
 * @param {ReportedComparison} comparison
 * @returns {string}
 */
export function renderComparePage(comparison) {
  const { old, new: fresh } = comparison;
  const lines = linesOf(comparison);
  const drawn = lines.filter(
    ({ change: { ratio, low, high } }) => ratio !== null && ratio > 0 && low > 0 && high !== null,
  );
  const unknown = describeUnknown(comparison);
  return renderPage({
    title: 'couch-advisor digest: what changed',
    lead: `${describeCompared(comparison).replace(/^q/, 'Q')}.`,
    facts: [
      { name: 'old', value: `${old.name}: ${describeSide(old)}` },
      { name: 'new', value: `${fresh.name}: ${describeSide(fresh)}` },
    ],
    sections: [
      {
        title: 'What changed',
        blocks: [
          isUnchanged(comparison) &&
            paragraph(`${describeNothing(comparison).replace(/^./, (first) => first.toUpperCase())}.`),
          drawn.length > 0 &&
            figure('factors', (size) =>
              intervalPlot({
                ...size,
                title: 'Factors, with their intervals',
                axis: { label: 'new / old' },
                rows: drawn.slice(0, MAX_DRAWN).map(({ name, change }) => ({
                  label: `${describeChange(change).title}: ${name}`,
                  estimate: change.ratio ?? 1,
                  low: change.low,
                  high: change.high ?? change.low,
                })),
                reference: { value: 1, label: 'no change' },
              }),
            ),
          lines.length > 0 &&
            table({
              caption: `${countOf(lines.length, 'change')}, those of the largest change of time per day first`,
              columns: [
                { label: 'query' },
                { label: 'change' },
                { label: 'factor' },
                { label: 'before and now' },
                { label: 'per day', isNumber: true },
              ],
              rows: lines.slice(0, MAX_ROWS).map(rowOf),
            }),
        ],
      },
      ...(unknown.length > 0 ? [{ title: 'What could not be compared', blocks: [list(unknown)] }] : []),
      { title: 'Method', blocks: [list(methodOf(comparison))] },
    ],
    style: STYLE,
  });
}

/** @param {ReportedComparison} comparison @returns {string[]} */
function methodOf(comparison) {
  const method = describeMethod(comparison);
  return [`${countOf(comparison.tests, 'question')} were tested together.`, ...method];
}

/** @param {ReportedComparison} comparison @returns {Line[]} */
function linesOf({ traffic, shapes, indexes, queryServers }) {
  const lines = (
    /** @type {string} */ name,
    /** @type {string} */ cost,
    /** @type {ReportedChange[]} */ changes,
    /** @type {Line['about']} */ about,
  ) => changes.map((change) => ({ name, cost, change, about }));
  return [
    ...lines('all requests', '', traffic, {}),
    ...shapes.flatMap((shape) =>
      lines(nameOf(shape), describePerDay(shape), shape.changes, {
        old: shape.old?.latencyMs,
        new: shape.new?.latencyMs,
      }),
    ),
    ...indexes.flatMap((index) => {
      const about = { old: index.old?.updateMs, new: index.new?.updateMs, unit: 'updates' };
      return lines(
        `index updates of ${index.database ?? ''} ${index.designDoc}`,
        describePerDay(index),
        index.changes,
        about,
      );
    }),
    ...queryServers.flatMap(({ kind, changes }) =>
      lines(`query server failures: ${kind}`, '', changes, { unit: 'failures' }),
    ),
  ];
}

/** @param {Line} line @returns {Cell[]} */
function rowOf({ name, cost, change, about }) {
  const { title, values, factor } = describeChange(change, about);
  return [html`<code>${code(name)}</code>`, title, factor, values, cost];
}
