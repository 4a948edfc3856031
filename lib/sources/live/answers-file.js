// Keeps the responses of a server in a file: written line by line while a server is read, and read again to resume, or
// to judge them elsewhere. A line, or a file that is one JSON object, holds responses by their path.

import { closeSync, constants, existsSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { MAX_BYTES, openFile, reasonOf, tooLarge } from '../../files/open-file.js';
import { parseJson } from '../../shared/parse-json.js';
import { UserError } from '../../shared/user-error.js';
import { asCount, asObject } from '../../shared/values.js';
import { parseJsonTree } from '../design-docs/value-tree.js';
import { ANSWERS_MARK, isRecording, limitErrors } from '../record.js';
import { textsOf } from './answer-parts.js';

/** @import { SourceFile } from '../../shared/source-file.js' */
/** @import { ReadError } from '../record.js' */

/** Answers by path: `/shop/_security`; of a query that was planned `/shop/_explain` and its body. @typedef {Map<string, unknown>} Answers */
/** @typedef {{origin: string, at: string | undefined, databases: number | undefined, own: string[] | undefined, parts: Answers[], errors: ReadError[]}} Recorded
 *  `at`: when, as ISO 8601; `databases`: how many the server has, `own`: which of those of CouchDB itself, where that was known */

/** Of such files. */
const VERSION = 1;

const APPEND = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);

/** Bytes that are read at once. */
const CHUNK = 1024 * 1024;

/**
 * @param {SourceFile} file
 * @returns {Recorded} what can be read of it; a line that is cut short or broken is an error and nothing else
 */
export function readAnswersFile(file) {
  const whole = parseLine(file.text);
  /** @type {ReadError[]} */
  const errors = [];
  /** @type {unknown[]} */
  const objects = [];
  if (whole !== undefined) objects.push(whole);
  else {
    for (let start = 0; start < file.text.length; ) {
      const lineEnd = file.text.indexOf('\n', start);
      const end = lineEnd === -1 ? file.text.length : lineEnd;
      const line = file.text.slice(start, end);
      const object = line.trim() === '' ? {} : parseLine(line);
      if (object !== undefined) objects.push(object);
      else errors.push(...parseJsonTree(file, start, end).errors.slice(0, 1));
      start = end + 1;
    }
  }
  const head = asObject(objects[0]);
  const version = head?.[ANSWERS_MARK];
  const origin = typeof head?.['origin'] === 'string' ? head['origin'] : 'http://server';
  if (version !== VERSION) {
    const message = `the recording has format version ${JSON.stringify(version)}; this release reads version ${VERSION}`;
    errors.push({ code: 'answers-version', message, place: file.place(0), hint: 'record it again with this release' });
    return { origin, at: undefined, databases: undefined, own: undefined, parts: [], errors };
  }
  return {
    origin,
    at: timeOf(head?.['at']),
    databases: asCount(head?.['databases']),
    own: Array.isArray(head?.['own']) ? textsOf(head['own']) : undefined,
    parts: objects.map(answersOf),
    errors: limitErrors(errors),
  };
}

/** Writes answers as they come, each line whole or not at all as far as the disk allows it. */
class AnswersWriter {
  #file;

  /** @param {number} file descriptor, at the end of what is there */
  constructor(file) {
    this.#file = file;
  }

  /** @param {Record<string, unknown>} head what begins the line beside the answers @param {Answers} answers */
  write(head, answers) {
    writeSync(this.#file, `${JSON.stringify({ ...head, answers: Object.fromEntries(answers) })}\n`);
  }

  /**
   * @param {{origin: string, at: string, databases: number | undefined, own: string[] | undefined}} about `at`: when, as ISO 8601
   * @param {Answers} answers of the server itself
   */
  writeHead(about, answers) {
    this.write({ [ANSWERS_MARK]: VERSION, ...about }, answers);
  }

  close() {
    closeSync(this.#file);
  }
}

/**
 * @param {string} path absolute
 * @param {string} shown as the user wrote it
 * @param {object} options
 * @param {string} options.origin of the server that is read now
 * @param {boolean} options.resume whether to go on with what is there
 * @param {(answers: Answers) => void} options.take is given every line of it but the first
 * @returns {AnswersWriter}
 * @throws {UserError} where it cannot be written, or holds something else
 */
export function openAnswersFile(path, shown, { origin, resume, take }) {
  const exists = existsSync(path);
  if (resume && !exists) {
    throw new UserError('nothing-to-resume', `cannot resume: ${shown} does not exist`, {
      hint: 'omit --resume to start a new recording',
    });
  }
  try {
    const end = exists ? readRecording(path, shown, { origin, resume, take }) : 0;
    // It shows a server's configuration and who may use it: for its owner's eyes only. Written through no link.
    const file = openSync(path, APPEND, 0o600);
    // A last line that was cut short is written again.
    ftruncateSync(file, end);
    return new AnswersWriter(file);
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError('cannot-write', `cannot write ${shown} (${reasonOf(error)})`, { hint: 'use another file' });
  }
}

/**
 * @param {string} path
 * @param {string} shown
 * @param {{origin: string, resume: boolean, take: (answers: Answers) => void}} options
 * @returns {number} bytes of it that stay
 * @throws {UserError} where it holds something else
 */
function readRecording(path, shown, { origin, resume, take }) {
  const { head, end, count } = readLines(path, resume ? take : () => {});
  if (end + count > 0 && !isRecording(head)) {
    throw new UserError('not-answers', `${shown} is not a recording of a server`, {
      hint: 'use another file with --record',
    });
  }
  if (!resume) return 0;
  const known = asObject(parseLine(head))?.['origin'];
  if (known === origin) return end;
  throw new UserError('other-server', `${shown} was recorded from ${String(known)}, not from ${origin}`, {
    hint: 'use another file with --record',
  });
}

/**
 * @param {string} path
 * @param {(answers: Answers) => void} take
 * @returns {{head: string, end: number, count: number}} the first line; bytes up to the end of the last whole line; bytes behind it
 */
function readLines(path, take) {
  const { handle } = openFile(path, { isNamed: true });
  try {
    return readLinesOf(handle, take);
  } finally {
    closeSync(handle);
  }
}

/** @param {number} file @param {(answers: Answers) => void} take @returns {ReturnType<typeof readLines>} */
function readLinesOf(file, take) {
  const buffer = Buffer.alloc(CHUNK);
  let rest = Buffer.alloc(0);
  let position = 0;
  let end = 0;
  /** @type {string | undefined} */
  let head;
  for (;;) {
    const size = readSync(file, buffer, 0, CHUNK, position);
    if (size === 0) return { head: head ?? rest.toString('utf8', 0, 4096), end, count: rest.length };
    position += size;
    rest = Buffer.concat([rest, buffer.subarray(0, size)]);
    for (let at = rest.indexOf(10); at !== -1; at = rest.indexOf(10)) {
      const line = rest.toString('utf8', 0, at);
      rest = rest.subarray(at + 1);
      end = position - rest.length;
      if (head === undefined) head = line;
      else {
        const object = parseLine(line);
        if (object !== undefined) take(answersOf(object));
      }
    }
    if (rest.length > MAX_BYTES) throw tooLarge(MAX_BYTES);
  }
}

/** @param {string} line @returns {unknown} undefined where it is no JSON */
function parseLine(line) {
  return parseJson(line.replace(/^\ufeff/, ''));
}

/** @param {unknown} value @returns {string | undefined} it, where it is a time as ISO 8601 */
function timeOf(value) {
  const isTime = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(value);
  return isTime && Number.isFinite(Date.parse(value)) ? value : undefined;
}

/** @param {unknown} object @returns {Answers} */
function answersOf(object) {
  return new Map(Object.entries(asObject(asObject(object)?.['answers']) ?? {}));
}
