// Renders the lines around a place in a file with the place underlined. Long lines are cut around the place: a JSON
// design document keeps a whole function on one line.

import { printable } from '../shared/printable.js';
import { displayWidth } from './display-width.js';

/** @import { Place, SourceFile } from '../shared/source-file.js' */
/** @import { Colors, Paint } from './colors.js' */

/**
 * @typedef {object} Layout
 * @property {string} shown
 * @property {number} from first column of the marked stretch
 * @property {number} to column behind it
 * @property {boolean} showsStart whether the stretch begins in what is shown
 * @property {boolean} showsEnd
 */

/** Lines shown before and behind the place. */
const CONTEXT_LINES = 1;
/** A stretch of more lines is shown by its first ones. */
const MAX_MARKED_LINES = 4;
const TAB_WIDTH = 4;
const CUT = '…';

/**
 * @param {SourceFile} file
 * @param {Place} place
 * @param {object} options
 * @param {number} options.width columns for the whole frame
 * @param {Colors} options.colors
 * @param {Paint} options.mark paints what points at the place
 * @returns {string[]} the lines; none where the file has no such line
 */
export function renderFrame(file, place, { width, colors, mark }) {
  const lineCount = file.lineStarts.length;
  if (place.line < 1 || place.line > lineCount) return [];
  const endLine = Math.min(Math.max(place.endLine ?? place.line, place.line), lineCount);
  const lastMarked = Math.min(endLine, place.line + MAX_MARKED_LINES - 1);
  const lastShown = lastMarked < endLine ? lastMarked : Math.min(endLine + CONTEXT_LINES, lineCount);
  const digits = String(lastShown).length;
  const room = Math.max(20, width - digits - 5);
  const bar = colors.dim('│');
  const blank = ' '.repeat(digits + 2);

  /** @type {string[]} */
  const lines = [];
  for (let line = Math.max(1, place.line - CONTEXT_LINES); line <= lastShown; line += 1) {
    const text = lineText(file, line);
    const number = String(line).padStart(digits);
    if (line < place.line || line > endLine) {
      if (text.trim() === '') continue;
      const { shown } = layOut(text, 0, room, 0, 0);
      lines.push(`  ${colors.dim(number)} ${bar} ${colors.dim(shown)}`);
      continue;
    }
    const isFirst = line === place.line;
    const start = isFirst ? place.column - 1 : 0;
    const end = line < endLine ? text.length : (place.endColumn ?? place.column) - 1;
    const { shown, from, to } = showAround(text, start, Math.max(end, start), room);
    lines.push(`${mark('>')} ${number} ${bar} ${shown}`.trimEnd());
    if (isFirst) lines.push(`${blank} ${bar} ${' '.repeat(from)}${mark('^'.repeat(Math.max(1, to - from)))}`);
  }
  const hidden = endLine - lastMarked;
  if (hidden > 0) lines.push(`${blank} ${bar} ${colors.dim(`${CUT} ${hidden} more line${hidden === 1 ? '' : 's'}`)}`);
  return lines;
}

/**
 * @param {SourceFile} file
 * @param {number} line from 1
 * @returns {string} the line without its end
 */
function lineText(file, line) {
  const start = file.lineStarts[line - 1] ?? 0;
  const next = file.lineStarts[line];
  const end = next === undefined ? file.text.length : next - 1;
  return file.text.slice(start, end > start && file.text[end - 1] === '\r' ? end - 1 : end);
}

/**
 * @param {string} text a line
 * @param {number} start offset of the marked stretch
 * @param {number} end
 * @param {number} room columns
 * @returns {Layout} the line from its beginning where the stretch fits so, else from shortly before the stretch
 */
function showAround(text, start, end, room) {
  const whole = layOut(text, 0, room, start, end);
  if (whole.showsStart && (whole.showsEnd || whole.from <= room / 3)) return whole;
  return layOut(text, windowStart(text, start, room), room, start, end);
}

/**
 * @param {string} text
 * @param {number} start offset of the marked stretch
 * @param {number} room columns
 * @returns {number} offset to show the line from: behind the last `\n` escape, so that a statement of a function begins
 *   the window, or a third of the room before the stretch
 */
function windowStart(text, start, room) {
  // Only what is near is searched: a dump may hold all its documents on one line.
  const earliest = stepBack(text, start, Math.floor(room * 0.6));
  const near = text.slice(earliest, start);
  for (let at = near.lastIndexOf('\\n'); at !== -1; at = at === 0 ? -1 : near.lastIndexOf('\\n', at - 1)) {
    if (!isEscape(text, earliest + at)) continue;
    let begin = earliest + at + 2;
    while (begin < start && text[begin] === ' ') begin += 1;
    return begin;
  }
  // Near the end of the line there is room for more of what stands before.
  const rest = text.length - start < room ? columnsOf(text.slice(start)) : room;
  const begin = stepBack(text, start, Math.max(Math.floor(room / 3), room - rest - CUT.length));
  return begin > 0 && begin < start && text[begin - 1] === '\\' ? begin + 1 : begin;
}

/**
 * @param {string} text
 * @param {number} start
 * @param {number} columns
 * @returns {number} the first offset from which on the text before `start` takes at most so many columns
 */
function stepBack(text, start, columns) {
  let at = start;
  let left = columns;
  while (at > 0) {
    const isPair = at > 1 && /[\udc00-\udfff]/.test(text.charAt(at - 1)) && /[\ud800-\udbff]/.test(text.charAt(at - 2));
    const length = isPair ? 2 : 1;
    left -= columnsOf(text.slice(at - length, at));
    if (left < 0) break;
    at -= length;
  }
  return at;
}

/**
 * @param {string} text
 * @returns {number} the most columns it can take
 */
function columnsOf(text) {
  return displayWidth(printable(text.replaceAll('\t', ' '.repeat(TAB_WIDTH))));
}

/**
 * @param {string} text
 * @param {number} at offset of a backslash
 * @returns {boolean} whether it is not itself escaped
 */
function isEscape(text, at) {
  let before = at;
  while (before > 0 && text[before - 1] === '\\') before -= 1;
  return (at - before) % 2 === 0;
}

/**
 * @param {string} text
 * @param {number} begin offset to show from
 * @param {number} room columns
 * @param {number} start offset of the marked stretch
 * @param {number} end
 * @returns {Layout}
 */
function layOut(text, begin, room, start, end) {
  let shown = begin > 0 ? CUT : '';
  let column = begin > 0 ? 1 : 0;
  let from = -1;
  let to = -1;
  let at = begin;
  while (at < text.length) {
    const character = String.fromCodePoint(/** @type {number} */ (text.codePointAt(at)));
    const isTab = character === '\t';
    const cell = isTab ? ' '.repeat(TAB_WIDTH - (column % TAB_WIDTH)) : printable(character);
    const next = column + displayWidth(cell);
    const isLast = at + character.length >= text.length;
    if (next > (isLast ? room : room - 1)) break;
    if (from === -1 && at + character.length > start) from = column;
    shown += cell;
    column = next;
    at += character.length;
    if (at <= end || (from !== -1 && to === -1)) to = column;
  }
  const isCut = at < text.length;
  if (isCut) shown += CUT;
  const showsStart = from !== -1 || !isCut;
  if (from === -1) from = column;
  return { shown, from, to: end > start ? Math.max(from, to) : from, showsStart, showsEnd: at >= end };
}
