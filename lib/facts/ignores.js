// Finds the comments that silence a rule at a line, in a range of lines or in a file: in functions, in JavaScript
// modules, in `.ini` files.

import { parseFile, parseFunction, parseModule } from '../javascript/parse.js';

/** @import { Place, SourceFile } from '../shared/source-file.js' */
/** @import { FunctionSubject, RunSubject } from './fact.js' */

/**
 * @typedef {object} IgnoreComment
 * @property {string} form the word that it begins with: `couch-advisor-ignore-line`
 * @property {string | undefined} nearestForm the form that was meant, where there is none like `form`
 * @property {string} rule one rule id; a comment that names several gives one of these for each, one that names none
 *   gives the empty text, and so does one of an unknown form
 * @property {string | undefined} reason what stands behind ` -- `
 * @property {Place} place of the comment
 * @property {Place | undefined} covers what it speaks of; inside a JSON string a line is a stretch of one file line; undefined
 *   where it speaks of nothing
 */

/** @typedef {{value: string, start: number, end: number}} Comment */
/** What comments stand in. @typedef {{text: string, comments: Comment[], place: (start: number, end: number) => Place | undefined}} Commented */
/** The words of one comment. @typedef {{form: string, rules: string[], reason: string | undefined}} Words */

const MARK = 'couch-advisor-';
const LINE = `${MARK}ignore-line`;
const NEXT_LINE = `${MARK}ignore-next-line`;
const FILE = `${MARK}ignore-file`;
const START = `${MARK}ignore-start`;
const END = `${MARK}ignore-end`;

/** Verbs that other linters use are read as well, to say which form is meant. */
const WORDS = /^\s*(couch-advisor-(?:ignore|disable|enable|suppress|allow)[\w-]*)(?!\S)(.*)$/s;

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
    else if (subject.kind === 'call') modules.add(subject.record.file);
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
  return readComments({ text: text.text, comments, place: (start, end) => text.place(start, end) });
}

/**
 * @param {SourceFile} file a JavaScript module
 * @returns {IgnoreComment[][]}
 */
function inModule(file) {
  if (!file.text.includes(MARK)) return [];
  const parsed = parseFile(file.text, file.path);
  // The reader of the file has reported what is no JavaScript.
  if (!parsed.ok) return [];
  return readComments({ text: file.text, comments: parsed.comments, place: (start, end) => file.place(start, end) });
}

/**
 * @param {SourceFile} file an `.ini` file: a comment is a line that begins with a semicolon, or stands behind ` ;` (config.erl, 3.5.0)
 * @returns {IgnoreComment[][]}
 */
function inConfig(file) {
  if (!file.text.includes(MARK)) return [];
  const comments = [...file.lineStarts].flatMap((start) => {
    const line = file.text.slice(start, endOfLine(file.text, start)).trimEnd();
    const at = line.search(/(?<=^|[ \t]);/);
    return at === -1 ? [] : [{ value: line.slice(at + 1), start: start + at, end: start + line.length }];
  });
  return readComments({ text: file.text, comments, place: (start, end) => file.place(start, end) });
}

/**
 * @param {Commented} commented
 * @returns {IgnoreComment[][]} those of each comment
 */
function readComments({ text, comments, place }) {
  const read = comments.flatMap((comment) => {
    const words = readWords(comment.value);
    return words ? [{ ...words, comment }] : [];
  });
  const ends = read.filter(({ form }) => form === END);
  return read.map(({ form, rules, reason, comment }, at) => {
    const own = place(comment.start, comment.end);
    if (!own) return [];
    const isOpen = read.slice(0, at).some((earlier) => earlier.form === START);
    const nearestForm = form === END && !isOpen ? START : nearestFormOf(form);
    if (form === END && isOpen) return [];
    const covers = coveredBy(form, comment, { text, place, own, ends });
    const named = nearestForm === undefined && rules.length > 0 ? rules : [''];
    return named.map((rule) => ({ form, nearestForm, rule, reason, place: own, covers }));
  });
}

/**
 * @param {string} comment its text
 * @returns {Words | undefined} undefined where it is no ignore
 */
function readWords(comment) {
  const [, form, behind = ''] = WORDS.exec(comment) ?? [];
  if (form === undefined) return undefined;
  const separator = REASON.exec(behind);
  const ids = separator ? behind.slice(0, separator.index) : behind;
  const reason = separator ? behind.slice(separator.index + separator[0].length).trim() : '';
  return { form, rules: ids.split(/[\s,]+/).filter((rule) => rule !== ''), reason: reason || undefined };
}

/**
 * @param {string} form
 * @returns {string | undefined} the form that is meant by one that does not exist
 */
function nearestFormOf(form) {
  if ([LINE, NEXT_LINE, FILE, START, END].includes(form)) return undefined;
  if (/next/.test(form)) return NEXT_LINE;
  if (/file|all/.test(form)) return FILE;
  if (/end|enable/.test(form)) return END;
  return /line/.test(form) ? LINE : START;
}

/**
 * @param {string} form
 * @param {Comment} comment
 * @param {Pick<Commented, 'text' | 'place'> & {own: Place, ends: {comment: Comment}[]}} around `ends`: the comments that end a stretch
 * @returns {Place | undefined}
 */
function coveredBy(form, { start, end }, { text, place, own, ends }) {
  if (form === LINE) return place(text.lastIndexOf('\n', start - 1) + 1, endOfLine(text, end));
  if (form === NEXT_LINE) {
    const below = endOfLine(text, end) + 1;
    return below > text.length ? undefined : place(below, endOfLine(text, below));
  }
  // A stretch that nothing ends goes on to the end of the function or module.
  if (form === START) return place(end, ends.find(({ comment }) => comment.start >= end)?.comment.start ?? text.length);
  return form === FILE ? { file: own.file, line: 1, column: 1, endLine: Number.POSITIVE_INFINITY } : undefined;
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
