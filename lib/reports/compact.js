// Renders one line per finding, for people who know the rules, for `grep` and for the quickfix lists of editors.

import { printable } from '../shared/printable.js';
import { summarize } from './report.js';

/** @import { Place } from '../shared/source-file.js' */
/** @import { RenderOptions, Report } from './report.js' */

/**
 * @param {Report} report
 * @param {RenderOptions} [options]
 * @returns {string} `ddocs/orders.json:6:18 warning view/fan-out#many-rows each document has many rows`, and the summary below
 */
export function renderCompact(report, { quiet = false } = {}) {
  const lines = [
    ...report.findings.map(({ place, severity, rule, outcome, message }) =>
      renderLine(place, `${severity} ${rule}#${outcome} ${message}`),
    ),
    ...report.errors.map(({ place, code, message }) => renderLine(place, `unreadable ${code} ${message}`)),
    ...(quiet ? [] : [summarize(report)]),
  ];
  return lines.map((line) => `${printable(line)}\n`).join('');
}

/**
 * @param {Place | undefined} place
 * @param {string} text
 * @returns {string}
 */
function renderLine(place, text) {
  return place ? `${place.file}:${place.line}:${place.column} ${text}` : text;
}
