// Renders how many findings each rule has, the most frequent first: where a project has hundreds, what to look at first.

import { groupBy } from '../shared/group-by.js';
import { printable } from '../shared/printable.js';
import { formatCount } from '../shared/units.js';
import { countSeverities, summarize } from './report.js';

/** @import { Finding, Severity } from '../engine/findings/finding.js' */
/** @import { RenderOptions, Report } from './report.js' */

/** @type {Severity[]} the worst first */
const SEVERITIES = ['error', 'warning', 'info'];

/**
 * @param {Report} report
 * @param {RenderOptions} [options]
 * @returns {string} `12  warning  view/emit-whole-doc  The whole document as value (3 can be fixed)`, and the summary below
 */
export function renderStatistics(report, { quiet = false } = {}) {
  const rows = [...groupBy(report.findings, ({ rule }) => rule)].map(([rule, findings]) => ({
    rule,
    title: findings[0]?.title ?? '',
    count: findings.length,
    severity: worstOf(findings),
    fixes: findings.filter(({ fix }) => fix).length,
  }));
  rows.sort((one, other) => {
    const bySeverity = SEVERITIES.indexOf(one.severity) - SEVERITIES.indexOf(other.severity);
    return other.count - one.count || bySeverity || (one.rule < other.rule ? -1 : 1);
  });
  const widthOf = (/** @type {string[]} */ texts) => Math.max(0, ...texts.map(({ length }) => length));
  const [counts, names] = [rows.map(({ count }) => formatCount(count)), rows.map(({ rule }) => rule)];
  const lines = rows.map(({ rule, title, severity, fixes }, at) => {
    const fixable = fixes === 0 ? '' : ` (${formatCount(fixes)} can be fixed)`;
    return `${(counts[at] ?? '').padStart(widthOf(counts))}  ${severity.padEnd(7)}  ${rule.padEnd(widthOf(names))}  ${title}${fixable}`;
  });
  for (const { message, place } of report.errors) lines.push(`unreadable  ${place ? `${place.file}: ` : ''}${message}`);
  if (!quiet) lines.push(...(lines.length > 0 ? [''] : []), summarize(report));
  return lines.map((line) => `${printable(line)}\n`).join('');
}

/** @param {Finding[]} findings @returns {Severity} */
function worstOf(findings) {
  const counts = countSeverities(findings);
  return SEVERITIES.find((severity) => counts[severity] > 0) ?? 'info';
}
