// Compares two versions of a text and writes a unified diff that `git apply` and `patch -p1` accept. For the edits of one fix it looks only at the
// lines around them, because a file may have many fixes.

import { structuredPatch } from 'diff';
import { groupBy } from '../../shared/group-by.js';
import { applyEdits } from './edit.js';

/** @import { StructuredPatchHunk } from 'diff' */
/** @import { SourceFile, TextEdit } from '../../shared/source-file.js' */

/** Unchanged lines around a change. */
const CONTEXT = 3;
/** With more changed lines than this the shortest diff takes too long: the text is then replaced as a whole. */
const MAX_DIFFERENCES = 1000;
const NO_NEWLINE = '\\ No newline at end of file';

/**
 * @param {string} path as shown behind `a/` and `b/`
 * @param {string} before
 * @param {string} after
 * @param {number} [firstLine] the number of the first line of both, where they are cut out of a file
 * @returns {string} empty where nothing differs. Lines stand in it as they are, control characters too: a patch must.
 */
export function unifiedDiff(path, before, after, firstLine = 1) {
  if (before === after) return '';
  const options = { context: CONTEXT, maxEditLength: MAX_DIFFERENCES };
  const hunks = structuredPatch('', '', before, after, '', '', options)?.hunks ?? [replaced(before, after)];
  const written = hunks.map(({ oldStart, oldLines, newStart, newLines, lines }) => {
    const [old, now] = [rangeOf(oldStart, oldLines, firstLine), rangeOf(newStart, newLines, firstLine)];
    return `@@ -${old} +${now} @@\n${lines.join('\n')}\n`;
  });
  return `--- ${fileName(`a/${path}`)}\n+++ ${fileName(`b/${path}`)}\n${written.join('')}`;
}

/**
 * @param {string} before
 * @param {string} after
 * @returns {Set<number>} numbers of the lines of `after` that are not in `before`
 */
export function changedLines(before, after) {
  const options = { context: 0, maxEditLength: MAX_DIFFERENCES };
  const hunks =
    before === '' ? [replaced(before, after)] : structuredPatch('', '', before, after, '', '', options)?.hunks;
  // Where the shortest difference takes too long no line is known to differ.
  const ranges = (hunks ?? []).map(({ newStart, newLines }) =>
    Array.from({ length: newLines }, (_, at) => newStart + at),
  );
  return new Set(ranges.flat());
}

/**
 * @param {string} before
 * @param {string} after
 * @returns {StructuredPatchHunk} the one by the other, as a whole
 */
function replaced(before, after) {
  const [old, now] = [linesOf(before), linesOf(after)];
  const lines = [...signed('-', old), ...signed('+', now)];
  return { oldStart: 1, oldLines: old.length, newStart: 1, newLines: now.length, lines };
}

/** @param {string} text @returns {string[]} lines with their line feeds; the last may have none */
function linesOf(text) {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** @param {'-' | '+'} sign @param {string[]} lines @returns {string[]} */
function signed(sign, lines) {
  return lines.flatMap((line) => {
    return line.endsWith('\n') ? [`${sign}${line.slice(0, -1)}`] : [`${sign}${line}`, NO_NEWLINE];
  });
}

/**
 * @param {number} start
 * @param {number} count
 * @param {number} firstLine
 * @returns {string} `start,count` as diff writes it: an empty range stands behind the line before it, `,1` is left out
 */
function rangeOf(start, count, firstLine) {
  const first = start - 1 + firstLine;
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
