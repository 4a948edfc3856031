// Renders the comparison of two digests as GitHub-flavored Markdown, short enough for a pull request: a table of what changed, then what could not be
// compared. Names from the logs stay text.

import { nameOf } from '../shared/query-name.js';
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
import { code, escapeMarkdown, MAX_CHARACTERS } from './markdown.js';
import { countOf } from './report.js';

/** @import { ReportedChange, ReportedComparison, ReportedTimes } from './digest-compare-words.js' */

/** @typedef {{old?: ReportedTimes | undefined, new?: ReportedTimes | undefined, unit?: string}} About */

/** By this mark a program that posts comments finds the one that it posted before. */
const MARK = '<!-- couch-advisor digest --compare -->';

/**
 * @param {ReportedComparison} comparison
 * @returns {string} at most about 60,000 characters
 */
export function renderCompareMarkdown(comparison) {
  const { old, new: fresh, traffic, shapes, indexes, queryServers } = comparison;
  const sides = [old, fresh].map(
    ({ name, ...side }) => `${code(name)}: ${escapeMarkdown(describeSide({ name, ...side }))}`,
  );
  const rows = [
    ...traffic.map((change) => rowOf('**all requests**', '', change, {})),
    ...shapes.flatMap((shape) => {
      const about = { old: shape.old?.latencyMs, new: shape.new?.latencyMs };
      return rowsOf(code(nameOf(shape)), describePerDay(shape), shape.changes, about);
    }),
    ...indexes.flatMap((index) => {
      const name = `index updates of ${code(`${index.database ?? ''} ${index.designDoc}`)}`;
      const about = { old: index.old?.updateMs, new: index.new?.updateMs, unit: 'updates' };
      return rowsOf(name, describePerDay(index), index.changes, about);
    }),
    ...queryServers.flatMap(({ kind, changes }) =>
      rowsOf(`query server: ${code(kind)}`, '', changes, { unit: 'failures' }),
    ),
  ];
  const sections = [`${MARK}\n## couch-advisor digest: what changed`, `${sides[0]} (old)\\\n${sides[1]} (new)`];
  if (isUnchanged(comparison)) sections.push(`**${capital(describeNothing(comparison))}.**`);
  else sections.push(tableOf(rows));
  const unknown = describeUnknown(comparison).map((line) => `- ${escapeMarkdown(line)}`);
  if (unknown.length > 0) sections.push(`Unknown:\n\n${unknown.join('\n')}`);
  const method = [describeCompared(comparison), ...describeMethod(comparison)].map((line) =>
    escapeMarkdown(capital(line)),
  );
  sections.push(`<sub>${method.join('. ')}.</sub>`);
  return `${sections.join('\n\n')}\n`;
}

/** @param {string[]} rows @returns {string} as many as fit */
function tableOf(rows) {
  const lines = ['| Query | Change | Factor | | Time or requests per day |', '| --- | --- | --- | --- | ---: |'];
  let length = 0;
  let kept = 0;
  for (const row of rows) {
    length += row.length;
    if (length > MAX_CHARACTERS) break;
    lines.push(row);
    kept += 1;
  }
  const left = rows.length - kept;
  return left > 0 ? `${lines.join('\n')}\n\n${countOf(left, 'more change')} not shown here.` : lines.join('\n');
}

/**
 * @param {string} name Markdown
 * @param {string} cost
 * @param {ReportedChange[]} changes
 * @param {About} about
 * @returns {string[]} rows; name and cost stand in the first one
 */
function rowsOf(name, cost, changes, about) {
  return changes.map((change, at) => rowOf(at === 0 ? name : '', at === 0 ? cost : '', change, about));
}

/**
 * @param {string} name Markdown
 * @param {string} cost
 * @param {ReportedChange} change
 * @param {About} about
 * @returns {string}
 */
function rowOf(name, cost, change, about) {
  const { title, values, factor } = describeChange(change, about);
  const cells = [name, `**${escapeMarkdown(title.replace(/:$/, ''))}**`, ...[factor, values, cost].map(escapeMarkdown)];
  return `| ${cells.join(' | ')} |`;
}

/** @param {string} text @returns {string} */
function capital(text) {
  return `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}`;
}
