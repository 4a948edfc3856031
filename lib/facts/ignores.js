// Finds the comments that silence a rule at the line below them: in functions, in JavaScript modules, in `.ini` files.

import { findComments } from './javascript/comments.js';
import { parseFunction, parseModule } from './javascript/parse.js';

/** @import { Place, SourceFile } from '../shared/source-file.js' */
/** @import { FunctionSubject, RunSubject } from './fact.js' */

/**
 * @typedef {object} IgnoreComment
 * @property {string} rule one rule id; a comment that names several gives one of these for each, one that names none
 *   gives `(none)`
 * @property {string | undefined} reason what stands behind ` -- `
 * @property {Place} place of the comment
 * @property {Place | undefined} covers the line it speaks of; inside a JSON string that is a stretch of one file line;
 *   undefined where no line follows
 */

const MARK = 'couch-advisor-ignore-next-line';

/** What a comment ignores that names no rule: there is no such rule, and it is told. */
const NO_RULE = '(none)';

/** Between the rules and the reason, as in ESLint's comments. */
const REASON = /(?:^|\s)--(?:\s|$)/;

/**
 * @param {RunSubject} run
 * @returns {IgnoreComment[]} in the order of the subjects, each comment once
 */
export function findIgnoreComments(run) {
  /** @type {Map<string, IgnoreComment[]>} */
  const byPlace = new Map();
  /** @param {IgnoreComment[]} found by one comment */
  const add = (found) => {
    const [first] = found;
    // A module's comments are met in its functions again, and code that is shared in each document that has it.
    if (first) byPlace.set(`${first.place.line}:${first.place.column}:${first.place.file}`, found);
  };
  /** @type {Set<SourceFile>} */
  const modules = new Set();
  for (const subject of run.subjects) {
    if (subject.kind === 'function') inFunction(subject).forEach(add);
    else if (subject.kind === 'server') inConfig(subject.record.file).forEach(add);
    else if (subject.kind === 'design-doc' && subject.record.origin === 'module') modules.add(subject.record.file);
  }
  for (const file of modules) inModule(file).forEach(add);
  return [...byPlace.values()].flat();
}

/**
 * @param {FunctionSubject} subject
 * @returns {IgnoreComment[][]} those of each comment
 */
function inFunction({ text, isModule }) {
  if (!text.text.includes(MARK)) return [];
  const { comments } = isModule ? parseModule(text.text) : parseFunction(text.text);
  return comments.map((comment) => {
    const place = text.place(comment.start, comment.end);
    const line = lineBelow(text.text, comment.end);
    return place ? readComment(comment.value, place, line && text.place(...line)) : [];
  });
}

/**
 * @param {SourceFile} file a JavaScript module
 * @returns {IgnoreComment[][]}
 */
function inModule(file) {
  if (!file.text.includes(MARK)) return [];
  return findComments(file.text).map((comment) => {
    const line = lineBelow(file.text, comment.end);
    return readComment(comment.value, file.place(comment.start, comment.end), line && file.place(...line));
  });
}

/**
 * @param {SourceFile} file
 * @returns {IgnoreComment[][]}
 */
function inConfig(file) {
  if (!file.text.includes(MARK)) return [];
  return file.lineStarts.map((start) => {
    const line = file.text.slice(start, endOfLine(file.text, start)).trimEnd();
    if (!line.startsWith(';')) return [];
    const end = start + line.length;
    const below = lineBelow(file.text, end);
    return readComment(line.slice(1), file.place(start, end), below && file.place(...below));
  });
}

/**
 * @param {string} text
 * @param {number} offset
 * @returns {[number, number] | undefined} the first and the last offset of the line below; undefined where there is none
 */
function lineBelow(text, offset) {
  const start = endOfLine(text, offset) + 1;
  return start > text.length ? undefined : [start, endOfLine(text, start)];
}

/**
 * @param {string} text
 * @param {number} offset
 * @returns {number}
 */
function endOfLine(text, offset) {
  const end = text.indexOf('\n', offset);
  return end === -1 ? text.length : end;
}

/**
 * @param {string} comment its text
 * @param {Place} place
 * @param {Place | undefined} covers
 * @returns {IgnoreComment[]}
 */
function readComment(comment, place, covers) {
  const words = comment.trim();
  const behind = words.slice(MARK.length);
  if (!words.startsWith(MARK) || /^\S/.test(behind)) return [];
  const separator = REASON.exec(behind);
  const ids = separator ? behind.slice(0, separator.index) : behind;
  const reason = separator ? behind.slice(separator.index + separator[0].length).trim() : '';
  const rules = ids.split(/[\s,]+/).filter((rule) => rule !== '');
  return (rules.length > 0 ? rules : [NO_RULE]).map((rule) => ({ rule, reason: reason || undefined, place, covers }));
}
