// Finds the comments that silence a rule at the line below them, in functions and in `.ini` files.

import { parseFunction, parseModule } from './javascript/parse.js';

/** @import { Place } from '../shared/source-file.js' */
/** @import { FunctionSubject, RunSubject, ServerSubject } from './fact.js' */

/**
 * @typedef {object} IgnoreComment
 * @property {string} rule one rule id; a comment that names several gives one of these for each
 * @property {string | undefined} reason what stands behind ` -- `
 * @property {Place} place of the comment
 * @property {Place} covers the line it speaks of; inside a JSON string that is a stretch of one file line
 */

const MARK = 'couch-advisor-ignore-next-line';

/**
 * @param {RunSubject} run
 * @returns {IgnoreComment[]} in the order of the subjects
 */
export function findIgnoreComments(run) {
  return run.subjects.flatMap((subject) => {
    if (subject.kind === 'function') return inFunction(subject);
    return subject.kind === 'server' ? inConfig(subject) : [];
  });
}

/**
 * @param {FunctionSubject} subject
 * @returns {IgnoreComment[]}
 */
function inFunction({ text, isModule }) {
  if (!text.text.includes(MARK)) return [];
  const { comments } = isModule ? parseModule(text.text) : parseFunction(text.text);
  return comments.flatMap((comment) => {
    const place = text.place(comment.start, comment.end);
    const lineStart = text.text.indexOf('\n', comment.end) + 1;
    if (!place || lineStart === 0) return [];
    const lineEnd = text.text.indexOf('\n', lineStart);
    const covers = text.place(lineStart, lineEnd === -1 ? text.text.length : lineEnd);
    return covers ? readComment(comment.value, place, covers) : [];
  });
}

/**
 * @param {ServerSubject} subject
 * @returns {IgnoreComment[]}
 */
function inConfig({ record: { file } }) {
  if (!file.text.includes(MARK)) return [];
  return file.lineStarts.flatMap((start, index) => {
    const next = file.lineStarts[index + 1];
    if (next === undefined) return [];
    const line = file.text.slice(start, next).trim();
    const after = file.lineStarts[index + 2] ?? file.text.length;
    return line.startsWith(';') ? readComment(line.slice(1), file.place(start, next - 1), file.place(next, after)) : [];
  });
}

/**
 * @param {string} comment its text
 * @param {Place} place
 * @param {Place} covers
 * @returns {IgnoreComment[]}
 */
function readComment(comment, place, covers) {
  const words = comment.trim();
  if (!words.startsWith(MARK)) return [];
  const [ids = '', ...reasons] = words.slice(MARK.length).split(' -- ');
  const reason = reasons.join(' -- ').trim() || undefined;
  return ids
    .split(/[\s,]+/)
    .filter((rule) => rule !== '')
    .map((rule) => ({ rule, reason, place, covers }));
}
