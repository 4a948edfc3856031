// Writes the edits of one fix as a patch. Looks only at the lines around the edits, because a file may have many fixes.

import { applyEdits } from './edit.js';
import { CONTEXT, unifiedDiff } from './unified-diff.js';

/** @import { SourceFile, TextEdit } from '../../shared/source-file.js' */

/** A patch whose last change has all the lines behind it that a patch shows. */
const ENDS_IN_CONTEXT = new RegExp(`(?:^ .*\\n){${CONTEXT}}$(?!.|\\n)`, 'm');

/**
 * @param {TextEdit[]} edits of one fix, over any number of files
 * @returns {string} a unified diff for `git apply` or `patch -p1`; empty where they change nothing
 */
export function patchOf(edits) {
  /** @type {Map<SourceFile, TextEdit[]>} */
  const byFile = new Map();
  for (const edit of edits) byFile.set(edit.file, [...(byFile.get(edit.file) ?? []), edit]);
  return [...byFile].map(([file, own]) => patchOfFile(file, own)).join('');
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
