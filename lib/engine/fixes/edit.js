// Applies edits to a text. Edits that conflict are returned to the caller and never mixed.

/** @import { SourceFile, TextEdit } from '../../shared/source-file.js' */

/**
 * @template {Pick<TextEdit, 'start' | 'end' | 'text'>} E
 * @param {string} text
 * @param {E[]} edits in any order; equal ones count once
 * @returns {{text: string, deferred: E[]}} `deferred` were not done: they overlap an edit before them, insert where
 *   another inserts, or lie outside the text
 */
export function applyEdits(text, edits) {
  const sorted = edits
    .map((edit, index) => ({ edit, index }))
    .sort((a, b) => a.edit.start - b.edit.start || a.edit.end - b.edit.end || a.index - b.index);
  /** @type {E[]} */
  const deferred = [];
  /** @type {string[]} */
  const parts = [];
  /** @type {E | undefined} */
  let last;
  let done = 0;
  for (const { edit } of sorted) {
    if (last && isSame(last, edit)) continue;
    const isInside = edit.start >= 0 && edit.start <= edit.end && edit.end <= text.length;
    if (!isInside || (last && overlap(last, edit))) {
      deferred.push(edit);
      continue;
    }
    parts.push(text.slice(done, edit.start), edit.text);
    done = edit.end;
    last = edit;
  }
  parts.push(text.slice(done));
  return { text: parts.join(''), deferred };
}

/**
 * Chooses among fixes so that each is done as a whole or not at all: half a fix can break a function.
 * @param {TextEdit[][]} fixes the edits of each fix, over any number of files, the more important fix first
 * @returns {{chosen: Map<SourceFile, TextEdit[]>, deferred: TextEdit[][]}} `chosen` overlap nowhere; a fix whose edits all
 *   are chosen already is done by them
 */
export function chooseFixes(fixes) {
  /** @type {Map<SourceFile, TextEdit[]>} */
  const chosen = new Map();
  /** @type {TextEdit[][]} */
  const deferred = [];
  for (const edits of fixes) {
    const isDone = edits.every((edit) => chosen.get(edit.file)?.some((other) => isSame(edit, other)));
    if (isDone) continue;
    const isFree = edits.every((edit) => !chosen.get(edit.file)?.some((other) => overlap(edit, other)));
    if (!isFree || overlapThemselves(edits)) {
      deferred.push(edits);
      continue;
    }
    for (const edit of edits) {
      const list = chosen.get(edit.file) ?? [];
      list.push(edit);
      chosen.set(edit.file, list);
    }
  }
  return { chosen, deferred };
}

/**
 * @param {TextEdit[]} edits of one fix
 * @returns {boolean}
 */
function overlapThemselves(edits) {
  return edits.some((edit, index) =>
    edits.slice(index + 1).some((other) => other.file === edit.file && overlap(edit, other)),
  );
}

/** @typedef {Pick<TextEdit, 'start' | 'end' | 'text'>} Range */

/**
 * @param {Range} first
 * @param {Range} second
 * @returns {boolean}
 */
function isSame(first, second) {
  return first.start === second.start && first.end === second.end && first.text === second.text;
}

/**
 * @param {Range} first
 * @param {Range} second
 * @returns {boolean} true where they share a character, or both insert at one place and the order would be arbitrary
 */
function overlap(first, second) {
  if (first.start === second.start && first.end === second.end) return true;
  return first.start < second.end && second.start < first.end;
}
