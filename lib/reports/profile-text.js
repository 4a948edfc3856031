// Renders profiles of views as text for a terminal: how they went, where an index build spends its time, functions, and
// the source with counts and times beside its lines.

import { printable } from '../shared/printable.js';
import { formatBytes, formatCount, formatShare } from '../shared/units.js';
import { createColors } from './colors.js';
import { displayWidth } from './display-width.js';
import { countOf } from './report.js';

/** @import { Conclusion } from '../measure/profile/conclude.js' */
/** @import { FunctionProfile, ProfiledLine, Span, ViewProfile } from '../measure/profile/profile.js' */
/** @import { Colors } from './colors.js' */

/** @typedef {ViewProfile & {conclusions: {map: Conclusion | undefined, reduce: Conclusion | undefined}}} ConcludedView */

const ENGINES = { quickjs: 'QuickJS', v8: 'V8' };
/** share/server/views.js runReduce, CouchDB 3.5.0. */
export const REDUCE_NOTE =
  'CouchDB recompiles a reduce for each call, which these times do not include; measure it with --query-server';
/** Of functions. */
const MAX_SHOWN = 12;
/** Longer lines are cut. */
const LINE_WIDTH = 160;
/** Lines around those that were reached; long texts are not shown whole. */
const MAX_LINES = 400;

/**
 * @param {ConcludedView[]} views
 * @param {{color?: boolean}} [options]
 * @returns {string}
 */
export function renderProfileText(views, { color = false } = {}) {
  const paint = createColors(color);
  /** @type {string[]} */
  const out = [];
  for (const { map, reduce, builtin, conclusions, name, documents, notes } of views) {
    out.push(
      paint.bold(`${printable(name)}`),
      ` (${countOf(documents, 'document')})\n`,
      ...notes.map((note) => `  ${printable(note)}\n`),
    );
    out.push(renderFunction(map, conclusions.map, paint));
    if (builtin !== undefined) {
      out.push(`  reduce: ${printable(builtin)} is built in and runs in Erlang, not in a query server\n\n`);
    }
    if (reduce) out.push(renderFunction(reduce, conclusions.reduce, paint));
  }
  return out.join('');
}

/**
 * @param {FunctionProfile} profile
 * @param {Conclusion | undefined} conclusion
 * @param {Colors} paint
 * @returns {string}
 */
function renderFunction(profile, conclusion, paint) {
  const { role, fault, sources, unmeasured } = profile;
  const place = sources[0]?.place;
  const where = place ? ` ${paint.dim(printable(`${place.file}:${place.line}`))}` : '';
  const head = `\n  ${paint.bold(role)}${where}\n`;
  if (fault !== undefined) return `${head}  cannot be profiled: ${printable(fault)}\n\n`;
  const parts = [head, ...outcomeLines(profile)];
  if (conclusion)
    parts.push(`  ${paint.bold(printable(conclusion.sentence))}\n`, '\n', renderPhases(profile, conclusion));
  for (const text of unmeasured) parts.push(`  not measured: ${printable(text)}\n`);
  if (profile.functions.length > 0) parts.push('\n', renderFunctions(profile));
  parts.push('\n', renderSources(profile), '\n');
  return parts.join('');
}

/**
 * @param {FunctionProfile} profile
 * @returns {string[]} lines
 */
function outcomeLines(profile) {
  const { role, inputs, failed, notRun, failures, rows, operations, answerCharacters, longestAnswer } = profile;
  const called = inputs - notRun;
  const each = called > 0 ? Math.round(operations / called) : 0;
  const wrote = role === 'map' ? `${countOf(rows, 'row')} of ` : 'results of ';
  const lines = [
    `  ${countOf(called, 'call')}, ${wrote}${formatBytes(answerCharacters)}, the longest result ${formatBytes(longestAnswer)}; ${countOf(each, 'operation')} per call\n`,
  ];
  if (failed > 0) {
    lines.push(`  ${countOf(failed, 'call')} failed\n`);
    for (const { input, kind, message } of failures.slice(0, 5)) {
      lines.push(`    ${printable(input)}: ${kind === 'threw' ? `threw ${printable(message)}` : printable(message)}\n`);
    }
    if (failed > 5) lines.push(`    and ${formatCount(failed - 5)} more\n`);
  }
  if (notRun > 0)
    lines.push(`  ${countOf(notRun, 'call')} skipped: earlier calls did not return, or the time limit was reached\n`);
  return lines;
}

/**
 * @param {FunctionProfile} profile
 * @param {Conclusion} conclusion
 * @returns {string}
 */
function renderPhases({ role, engines, pipe, queryServer }, { calls }) {
  const isMap = role === 'map';
  /** @type {[string, Span[]][]} */
  const rows = [
    [
      isMap ? 'read the document (JSON.parse)' : 'read the rows (JSON.parse)',
      engines.map(({ phases }) => phases.parse),
    ],
    ...(isMap ? [/** @type {[string, Span[]]} */ (['freeze it', engines.map(({ phases }) => phases.freeze)])] : []),
    ['the function', engines.map(({ phases }) => phases.run)],
    [
      isMap ? 'write the rows (JSON.stringify)' : 'write the result (JSON.stringify)',
      engines.map(({ phases }) => phases.write),
    ],
    ...(pipe ? [/** @type {[string, Span[]]} */ (['round trip through a pipe', engines.map(() => pipe.ns)])] : []),
    ['total', calls.map(({ whole }) => whole)],
    [`with an empty ${role}`, calls.map(({ empty }) => empty)],
  ];
  const head = ['time per call', ...engines.flatMap(({ engine }) => [ENGINES[engine], 'share'])];
  const cells = rows.map(([name, spans]) => [
    name,
    ...spans.flatMap(({ middle }, at) => [formatNs(middle), shareOf(middle, calls[at]?.whole.middle ?? 0)]),
  ]);
  const lines = [renderTable([head, ...cells])];
  if (queryServer) {
    const floor = queryServer.floor ? `, with an empty ${role} ${formatNs(queryServer.floor.middle)}` : '';
    lines.push(
      `  ${printable(queryServer.command)}: ${formatNs(queryServer.ns.middle)} per call, round trip${floor}\n`,
    );
  }
  if (!isMap && !queryServer) lines.push(`  ${REDUCE_NOTE}\n`);
  return lines.join('');
}

/**
 * @param {FunctionProfile} profile
 * @returns {string}
 */
function renderFunctions({ functions, sources, operations, engines }) {
  const isTimed = engines.length > 0;
  const all = functions.reduce((sum, { ownNs }) => sum + (ownNs ?? 0), 0);
  const rows = functions
    .slice(0, MAX_SHOWN)
    .map(({ name, source, line, calls, operations: own, ownNs, totalNs }) => [
      `${printable(name)}, ${source === 0 ? '' : `${printable(sources[source]?.name ?? '')} `}line ${line}`,
      formatCount(calls),
      formatCount(own),
      shareOf(own, operations),
      ...(isTimed ? [shareOf(ownNs ?? 0, all), shareOf(totalNs ?? 0, all)] : []),
    ]);
  const head = ['function', 'calls', 'operations', 'share', ...(isTimed ? ['self time', 'total time'] : [])];
  const more = functions.length > MAX_SHOWN ? `  and ${functions.length - MAX_SHOWN} more\n` : '';
  return `${renderTable([head, ...rows])}${more}`;
}

/**
 * @param {FunctionProfile} profile
 * @returns {string}
 */
function renderSources({ sources, lines, engines }) {
  const all = lines.reduce((sum, { ns }) => sum + (ns ?? 0), 0);
  const isTimed = engines.length > 0;
  const cost = (/** @type {ProfiledLine | undefined} */ line) => [
    line ? formatCount(line.times) : '',
    line ? formatCount(line.operations) : '',
    ...(isTimed ? [line && line.ns !== undefined ? shareOf(line.ns, all) : ''] : []),
  ];
  return sources
    .map(({ name, lines: texts }, source) => {
      const known = new Map(lines.flatMap((line) => (line.source === source ? [[line.line, line]] : [])));
      if (source > 0 && known.size === 0) return '';
      const head = ['times', 'operations', ...(isTimed ? ['time'] : []), '', source === 0 ? '' : printable(name)];
      const rows = texts
        .slice(0, MAX_LINES)
        .map((text, at) => [...cost(known.get(at + 1)), String(at + 1), cut(printable(text.replaceAll('\t', '  ')))]);
      const more = texts.length > MAX_LINES ? `  … ${countOf(texts.length - MAX_LINES, 'line')} more\n` : '';
      return `${renderTable([head, ...rows], head.length - 1)}${more}`;
    })
    .join('\n');
}

/**
 * @param {string[][]} rows the first one names the columns
 * @param {number} [left] number of the column that stands to the left; the others stand to the right
 * @returns {string}
 */
function renderTable(rows, left = 0) {
  const columns = rows[0]?.length ?? 0;
  const widths = Array.from({ length: columns }, (_, at) =>
    rows.reduce((most, row) => Math.max(most, displayWidth(row[at] ?? '')), 0),
  );
  return rows
    .map((row) => {
      const cells = row.map((cell, at) => {
        const space = ' '.repeat(Math.max(0, (widths[at] ?? 0) - displayWidth(cell)));
        return at === left ? `${cell}${space}` : `${space}${cell}`;
      });
      return `  ${cells.join('  ').trimEnd()}\n`;
    })
    .join('');
}

/**
 * @param {string} text
 * @returns {string}
 */
function cut(text) {
  return text.length > LINE_WIDTH ? `${text.slice(0, LINE_WIDTH - 1)}…` : text;
}

/**
 * @param {number} part
 * @param {number} whole
 * @returns {string}
 */
function shareOf(part, whole) {
  return whole > 0 ? formatShare(part / whole) : '';
}

/**
 * @param {number} ns
 * @returns {string} `850 ns`, `12.3 µs`, `4.1 ms`
 */
export function formatNs(ns) {
  if (ns < 1000) return `${Math.round(ns)} ns`;
  if (ns < 1e6) return `${(ns / 1000).toFixed(ns < 100_000 ? 1 : 0)} µs`;
  if (ns < 1e9) return `${(ns / 1e6).toFixed(ns < 1e8 ? 1 : 0)} ms`;
  return `${(ns / 1e9).toFixed(1)} s`;
}
