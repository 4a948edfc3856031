// Compares two versions of a text and writes a unified diff that `git apply` and `patch -p1` accept: by Myers, "An
// O(ND) Difference Algorithm and Its Variations" (1986), on lines. For the edits of one fix it looks only at the lines
// around them, because a file may have many fixes.

import { groupBy } from '../../shared/group-by.js';
import { applyEdits } from './edit.js';

/** @import { SourceFile, TextEdit } from '../../shared/source-file.js' */

/** Unchanged lines around a change. */
const CONTEXT = 3;
/** With more changed lines than this the shortest diff costs too much memory: the middle is then replaced as a whole. */
const MAX_DIFFERENCES = 1000;
const NO_NEWLINE = '\\ No newline at end of file\n';

/** @typedef {{sign: ' ' | '-' | '+', line: string}} DiffLine */

/**
 * @param {string} path as shown behind `a/` and `b/`
 * @param {string} before
 * @param {string} after
 * @param {number} [firstLine] the number of the first line of both, where they are cut out of a file
 * @returns {string} empty where nothing differs. Lines stand in it as they are, control characters too: a patch must.
 */
export function unifiedDiff(path, before, after, firstLine = 1) {
  if (before === after) return '';
  const lines = diffLines(splitLines(before), splitLines(after));
  const hunks = hunkRanges(lines).map(([start, end]) => renderHunk(lines, start, end, firstLine));
  return `--- ${fileName(`a/${path}`)}\n+++ ${fileName(`b/${path}`)}\n${hunks.join('')}`;
}

/**
 * @param {string} text
 * @returns {string[]} lines with their line feeds; the last may have none
 */
function splitLines(text) {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/**
 * @param {string[]} before
 * @param {string[]} after
 * @returns {DiffLine[]} every line of both, shared ones once
 */
function diffLines(before, after) {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head += 1;
  let tail = 0;
  const most = Math.min(before.length, after.length) - head;
  while (tail < most && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1;
  const middle = diffMiddle(before.slice(head, before.length - tail), after.slice(head, after.length - tail));
  return [...mark(before.slice(0, head), ' '), ...middle, ...mark(before.slice(before.length - tail), ' ')];
}

/**
 * @param {string[]} before
 * @param {string[]} after
 * @returns {DiffLine[]}
 */
function diffMiddle(before, after) {
  const trace = findPath(before, after);
  if (!trace) return [...mark(before, '-'), ...mark(after, '+')];
  /** @type {DiffLine[]} */
  const reversed = [];
  let x = before.length;
  let y = after.length;
  for (let depth = trace.length - 1; depth >= 0; depth -= 1) {
    const reach = /** @type {Map<number, number>} */ (trace[depth]);
    const diagonal = x - y;
    const isInsert = comesByInsert(reach, diagonal, depth);
    const previous = isInsert ? diagonal + 1 : diagonal - 1;
    const previousX = depth === 0 ? 0 : (reach.get(previous) ?? 0);
    const previousY = depth === 0 ? 0 : previousX - previous;
    while (x > previousX && y > previousY) {
      x -= 1;
      y -= 1;
      reversed.push({ sign: ' ', line: before[x] ?? '' });
    }
    if (depth === 0) break;
    if (isInsert) reversed.push({ sign: '+', line: after[previousY] ?? '' });
    else reversed.push({ sign: '-', line: before[previousX] ?? '' });
    x = previousX;
    y = previousY;
  }
  return reversed.reverse();
}

/**
 * @param {string[]} before
 * @param {string[]} after
 * @returns {Map<number, number>[] | undefined} before each step, how far each diagonal had come; undefined where the texts
 *   differ too much
 */
function findPath(before, after) {
  /** @type {Map<number, number>[]} */
  const trace = [];
  /** @type {Map<number, number>} */
  let reach = new Map();
  for (let depth = 0; depth <= MAX_DIFFERENCES; depth += 1) {
    trace.push(reach);
    /** @type {Map<number, number>} */
    const next = new Map();
    for (let diagonal = -depth; diagonal <= depth; diagonal += 2) {
      let x = depth === 0 ? 0 : stepTo(reach, diagonal, depth);
      while (x < before.length && x - diagonal < after.length && before[x] === after[x - diagonal]) x += 1;
      next.set(diagonal, x);
      if (x >= before.length && x - diagonal >= after.length) return trace;
    }
    reach = next;
  }
  return undefined;
}

/**
 * @param {Map<number, number>} reach
 * @param {number} diagonal
 * @param {number} depth
 * @returns {boolean} whether the farthest way to the diagonal inserts a line, else it removes one
 */
function comesByInsert(reach, diagonal, depth) {
  if (diagonal === -depth) return true;
  return diagonal !== depth && (reach.get(diagonal - 1) ?? -1) < (reach.get(diagonal + 1) ?? -1);
}

/**
 * @param {Map<number, number>} reach
 * @param {number} diagonal
 * @param {number} depth
 * @returns {number} how many lines of the old text are behind after the step
 */
function stepTo(reach, diagonal, depth) {
  return comesByInsert(reach, diagonal, depth) ? (reach.get(diagonal + 1) ?? 0) : (reach.get(diagonal - 1) ?? 0) + 1;
}

/**
 * @param {string[]} lines
 * @param {DiffLine['sign']} sign
 * @returns {DiffLine[]}
 */
function mark(lines, sign) {
  return lines.map((line) => ({ sign, line }));
}

/**
 * @param {DiffLine[]} lines
 * @returns {[number, number][]} the changes with their context, joined where they touch
 */
function hunkRanges(lines) {
  /** @type {[number, number][]} */
  const ranges = [];
  for (const [index, { sign }] of lines.entries()) {
    if (sign === ' ') continue;
    const start = Math.max(0, index - CONTEXT);
    const end = Math.min(lines.length, index + 1 + CONTEXT);
    const last = ranges.at(-1);
    if (last && start <= last[1]) last[1] = end;
    else ranges.push([start, end]);
  }
  return ranges;
}

/**
 * @param {DiffLine[]} lines of the whole diff
 * @param {number} start
 * @param {number} end
 * @param {number} firstLine
 * @returns {string}
 */
function renderHunk(lines, start, end, firstLine) {
  const hunk = lines.slice(start, end);
  const old = lineRange(lines, start, hunk, '+', firstLine);
  const now = lineRange(lines, start, hunk, '-', firstLine);
  const body = hunk.map(({ sign, line }) => `${sign}${line.endsWith('\n') ? line : `${line}\n${NO_NEWLINE}`}`);
  return `@@ -${old} +${now} @@\n${body.join('')}`;
}

/**
 * @param {DiffLine[]} lines of the whole diff
 * @param {number} start of the hunk
 * @param {DiffLine[]} hunk
 * @param {DiffLine['sign']} absent sign of lines the version does not have
 * @param {number} firstLine
 * @returns {string} `start,count` as diff writes it: an empty range stands behind the line before it, `,1` is left out
 */
function lineRange(lines, start, hunk, absent, firstLine) {
  const countIn = (/** @type {DiffLine[]} */ part) => part.filter(({ sign }) => sign !== absent).length;
  const first = countIn(lines.slice(0, start)) + firstLine;
  const count = countIn(hunk);
  if (count === 0) return `${first - 1},0`;
  return count === 1 ? String(first) : `${first},${count}`;
}

/**
 * @param {string} path
 * @returns {string} quoted as git quotes names with control characters, quotes or backslashes; a tab ends a name with spaces
 */
function fileName(path) {
  if (!/[\0-\x1f\x7f"\\]/.test(path)) return path.includes(' ') ? `${path}\t` : path;
  const quoted = path.replace(/[\0-\x1f\x7f"\\]/g, (character) =>
    character === '"' || character === '\\'
      ? `\\${character}`
      : `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`,
  );
  return `"${quoted}"`;
}

/** A patch whose last change has all the lines behind it that a patch shows. */
const ENDS_IN_CONTEXT = new RegExp(`(?:^ .*\\n){${CONTEXT}}$(?!.|\\n)`, 'm');

/**
 * @param {TextEdit[]} edits of one fix, over any number of files
 * @returns {string} a unified diff for `git apply` or `patch -p1`; empty where they change nothing
 */
export function patchOf(edits) {
  return [...groupBy(edits, ({ file }) => file)].map(([file, own]) => patchOfFile(file, own)).join('');
}

/**
 * @param {SourceFile} file
 * @param {TextEdit[]} edits
 * @returns {string}
 */
function patchOfFile(file, edits) {
  const { lineStarts, text } = file;
  const first = Math.max(1, Math.min(...edits.map(({ start }) => file.position(start).line)) - CONTEXT);
  const last = Math.max(...edits.map(({ end }) => file.position(end).line));
  const from = lineStarts[first - 1] ?? 0;
  const moved = edits.map((edit) => ({ start: edit.start - from, end: edit.end - from, text: edit.text }));
  // A diff shows a line that was removed from many equal ones as the last of them, which may be far behind the edit. A patch with less
  // context behind its change than before it is taken for one of the end of the file, and refused elsewhere.
  for (let behind = CONTEXT; ; behind *= 2) {
    const before = text.slice(from, lineStarts[last + behind] ?? text.length);
    const patch = unifiedDiff(file.path, before, applyEdits(before, moved).text, first);
    if (last + behind >= lineStarts.length || ENDS_IN_CONTEXT.test(patch)) return patch;
  }
}
