// Renders a range of a file with line numbers, exactly, with the places of findings marked in it. Long parts without
// findings are left out, and their length is shown.

import { samePlaces } from '../../engine/findings/finding.js';
import { code, html, Markup } from '../../shared/markup.js';
import { countOf } from '../../shared/units.js';

/** @import { Severity } from '../../engine/findings/finding.js' */
/** @import { SourceFile } from '../../shared/source-file.js' */
/** @import { Anchored, Part } from './sections.js' */

/** @typedef {{start: number, end: number, severity: Severity, anchor?: string, rule: string}} Mark offsets into the file; with `anchor`, it leads there */
/** @typedef {{start: number, end: number, marks: Mark[]}} Stretch of one line, in offsets */

/** A source with more lines than this is shown around its findings only. */
const MAX_LINES = 300;
/** Lines around a finding that are shown then. */
const LINES_AROUND = 3;
/** A longer line is shown around its findings only: a dump may stand on one line. */
const MAX_CHARACTERS = 4000;
/** Of the blanks a line begins with, so many are repeated. */
const MAX_INDENT = 24;
/** Characters around a finding that are shown then. */
const CHARACTERS_AROUND = 240;
/** Of a line of an excerpt. */
const EXCERPT_AROUND = 110;
const EXCERPT_CHARACTERS = 320;
/** An excerpt shows so many lines of a finding that covers more. */
const MAX_EXCERPT_LINES = 4;

/** @type {Record<Severity, number>} */
const RANK = { info: 1, warning: 2, error: 3 };
/** @type {Record<Severity, string>} */
export const SIGNS = { error: '×', warning: '!', info: 'i' };

/**
 * @param {Part} part
 * @param {Anchored[]} findings of any file
 * @returns {Markup}
 */
export function renderSource({ file, start, end }, findings) {
  const marks = findings.flatMap((finding) =>
    [finding, ...samePlaces(finding)].flatMap(({ place }) => {
      const mark = markOf({ ...finding, place }, file, finding.anchor);
      return mark && mark.start < Math.max(end, start + 1) && mark.end > start ? [mark] : [];
    }),
  );
  const first = file.position(start).line;
  const last = file.position(Math.max(start, end - 1)).line;
  const lines = last - first < MAX_LINES ? undefined : linesAround(marks, file, LINES_AROUND);
  /** @type {Markup[]} */
  const shown = [];
  let hidden = 0;
  const tellHidden = () => {
    if (hidden > 0) shown.push(html`<span class="cut">… ${countOf(hidden, 'line')} without findings</span>`);
    hidden = 0;
  };
  const byLine = groupByLine(marks, file);
  for (let line = first; line <= last; line += 1) {
    if (lines && !lines.has(line)) {
      hidden += 1;
      continue;
    }
    tellHidden();
    const range = lineRange(file, line);
    const own = { start: Math.max(start, range.start), end: Math.min(end, range.end), marks: byLine.get(line) ?? [] };
    shown.push(renderLine(file, line, own, MAX_CHARACTERS, CHARACTERS_AROUND));
    const begun = own.marks.filter(({ start: from }) => from >= own.start);
    if (begun.length > 0) shown.push(renderNotes(begun));
  }
  tellHidden();
  return html`<pre class="source">${shown}</pre>`;
}

/**
 * @param {SourceFile | undefined} file
 * @param {Anchored} finding
 * @returns {Markup | undefined} the lines it is about; undefined where there is no text to show
 */
export function renderExcerpt(file, finding) {
  const mark = file && markOf(finding, file, undefined);
  if (!file || !mark) return undefined;
  const first = file.position(mark.start).line;
  const end = file.position(Math.max(mark.start, mark.end - 1)).line;
  const last = Math.min(end, first + MAX_EXCERPT_LINES - 1);
  /** @type {Markup[]} */
  const lines = [];
  for (let line = first; line <= last; line += 1) {
    const own = { ...lineRange(file, line), marks: [mark] };
    lines.push(renderLine(file, line, own, EXCERPT_CHARACTERS, EXCERPT_AROUND));
  }
  if (last < end) lines.push(html`<span class="cut">… ${countOf(end - last, 'more line')}</span>`);
  return html`<pre class="source excerpt">${lines}</pre>`;
}

/**
 * @param {Anchored} finding
 * @param {SourceFile} file
 * @param {string | undefined} anchor
 * @returns {Mark | undefined} undefined where the file has no such place
 */
function markOf({ place, severity, rule }, file, anchor) {
  const { file: path, line, column, endLine, endColumn } = place;
  const from = file.lineStarts[line - 1];
  if (path !== file.path || from === undefined || file.text === '') return undefined;
  const start = Math.min(file.text.length, from + column - 1);
  const to = endLine === undefined ? undefined : file.lineStarts[endLine - 1];
  const end = to === undefined || endColumn === undefined ? start : Math.min(file.text.length, to + endColumn - 1);
  // What has no length is shown by the character it stands before.
  return { start, end: Math.max(end, start + 1), severity, rule, ...(anchor ? { anchor } : {}) };
}

/**
 * @param {Mark[]} marks
 * @param {SourceFile} file
 * @returns {Map<number, Mark[]>} by number of each line that they touch
 */
function groupByLine(marks, file) {
  /** @type {Map<number, Mark[]>} */
  const byLine = new Map();
  for (const mark of marks) {
    const last = file.position(mark.end - 1).line;
    for (let line = file.position(mark.start).line; line <= last; line += 1) {
      const list = byLine.get(line) ?? [];
      list.push(mark);
      byLine.set(line, list);
    }
  }
  return byLine;
}

/**
 * @param {Mark[]} marks
 * @param {SourceFile} file
 * @param {number} around
 * @returns {Set<number>}
 */
function linesAround(marks, file, around) {
  /** @type {Set<number>} */
  const lines = new Set();
  for (const { start, end } of marks) {
    // Of a long stretch its beginning and its end show where it is.
    for (const line of [file.position(start).line, file.position(end - 1).line]) {
      for (let near = line - around; near <= line + around; near += 1) lines.add(near);
    }
  }
  return lines;
}

/**
 * @param {SourceFile} file
 * @param {number} line from 1
 * @returns {{start: number, end: number}} without its end
 */
function lineRange({ lineStarts, text }, line) {
  const start = lineStarts[line - 1] ?? text.length;
  const next = lineStarts[line];
  const end = next === undefined ? text.length : next - 1;
  return { start, end: end > start && text[end - 1] === '\r' ? end - 1 : end };
}

/**
 * @param {SourceFile} file
 * @param {number} line
 * @param {Stretch} stretch of it
 * @param {number} most characters that are shown whole
 * @param {number} around characters around a finding that are shown of a longer line
 * @returns {Markup}
 */
function renderLine(file, line, { start, end, marks }, most, around) {
  const isWhole = end - start <= most;
  const indent = isEscaped(file)
    ? `${/^[ \t]*/.exec(file.text.slice(start, start + MAX_INDENT))?.[0] ?? ''}  `
    : undefined;
  const windows = isWhole ? [{ start, end }] : windowsAround(marks, { start, end }, around);
  /** @type {Markup[]} */
  const parts = [];
  let done = start;
  for (const window of windows) {
    if (window.start > done) parts.push(html`<span class="gap">…</span>`);
    parts.push(...segments(file, { ...window, marks }, indent));
    done = window.end;
  }
  if (done < end) parts.push(html`<span class="gap">… ${end - done} characters</span>`);
  return html`<span class="line" data-line="${line}">${parts}\n</span>`;
}

/**
 * @param {Mark[]} marks
 * @param {{start: number, end: number}} range
 * @param {number} around
 * @returns {{start: number, end: number}[]} what is shown, in order, without overlaps
 */
function windowsAround(marks, { start, end }, around) {
  if (marks.length === 0) return [{ start, end: Math.min(end, start + around) }];
  /** @type {{start: number, end: number}[]} */
  const windows = [];
  for (const mark of [...marks].sort((one, other) => one.start - other.start)) {
    const from = Math.max(start, mark.start - around);
    const to = Math.min(end, Math.min(mark.end, Math.max(start, mark.start) + 2 * around) + around);
    const last = windows.at(-1);
    if (last && from <= last.end) last.end = Math.max(last.end, to);
    else windows.push({ start: from, end: to });
  }
  return windows;
}

/**
 * @param {SourceFile} file
 * @param {Stretch} stretch
 * @param {string | undefined} indent where strings of JSON go to a new line
 * @returns {Markup[]} its text, divided where marks begin and end
 */
function segments(file, { start, end, marks }, indent) {
  const inside = marks.filter((mark) => mark.start < end && mark.end > start);
  const cuts = new Set([start, end]);
  for (const mark of inside) {
    cuts.add(Math.max(start, mark.start));
    cuts.add(Math.min(end, mark.end));
  }
  const borders = [...cuts].sort((one, other) => one - other);
  return borders.slice(0, -1).map((from, at) => {
    const to = /** @type {number} */ (borders[at + 1]);
    const text = renderText(file.text.slice(from, to), indent);
    const own = inside.filter((mark) => mark.start <= from && mark.end >= to).sort(narrowest)[0];
    if (!own) return text;
    if (own.anchor === undefined) return html`<mark class="${own.severity}">${text}</mark>`;
    return html`<a class="mark ${own.severity}" href="#${own.anchor}">${text}</a>`;
  });
}

/** @param {Mark} one @param {Mark} other @returns {number} the one that says most about a stretch first */
function narrowest(one, other) {
  return one.end - one.start - (other.end - other.start) || RANK[other.severity] - RANK[one.severity];
}

/**
 * @param {string} text
 * @param {string | undefined} indent
 * @returns {Markup} exact; behind the line ends inside of strings of JSON the page goes to a new line, so that functions can be read
 */
function renderText(text, indent) {
  if (indent === undefined || !text.includes('\\n')) return code(text);
  const pieces = text.split(/(?<=(?<!\\)(?:\\\\)*\\n)/).map((piece) => {
    if (!piece.endsWith('\\n')) return code(piece);
    return html`${code(piece.slice(0, -2))}<span class="lf" data-indent="${new Markup(indent)}">\\n</span>`;
  });
  return html`${pieces}`;
}

/**
 * @param {SourceFile} file
 * @returns {boolean} whether functions are strings with escapes in it
 */
function isEscaped({ path, text }) {
  return /\.jsonl?$/i.test(path) || /^\ufeff?\s*[[{]/.test(text.slice(0, 200));
}

/**
 * @param {Mark[]} marks that begin on one line
 * @returns {Markup} which findings they are
 */
function renderNotes(marks) {
  const links = marks.map(
    ({ severity, anchor, rule }) =>
      html`<a class="${severity}" href="#${anchor}"><span aria-hidden="true">${SIGNS[severity]}</span> ${rule}</a> `,
  );
  return html`<span class="notes">${links}</span>`;
}
