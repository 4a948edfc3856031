// Parses JSON text into a tree of values with their exact offsets, and reports an error with its place for whatever is
// wrong. Never throws on input, however broken or deep it is.

import { printParseErrorCode, visit } from 'jsonc-parser';
import { MappedText } from '../../shared/mapped-text.js';
import { formatCount } from '../../shared/units.js';
import { limitErrors, MAX_ERRORS } from '../record.js';
import { findNesting } from './json-scan.js';

/** @import { JSONVisitor } from 'jsonc-parser' */
/** @import { SourceFile } from '../../shared/source-file.js' */
/** @import { ArrayNode, Entry, ObjectNode, ReadError, ValueNode } from '../record.js' */

/** Far more than any design document needs, and far less than what would overflow the stack of the parser. */
export const MAX_DEPTH = 500;

/** Of one value with all that is in it: up to 300 bytes are kept of each. */
const MAX_VALUES = 300_000;

const BYTE_ORDER_MARK = 0xfeff;

/** Longest part of a key that is shown in a message. */
const SHOWN_KEY_LENGTH = 60;

/** What the parser expected or found, by the name jsonc-parser gives its error. @type {Map<string, string>} */
const PROBLEMS = new Map([
  ['InvalidSymbol', 'invalid JSON value'],
  ['InvalidNumberFormat', 'invalid JSON number'],
  ['PropertyNameExpected', 'expected a key in double quotes'],
  ['ValueExpected', 'expected a value'],
  ['ColonExpected', 'expected a colon'],
  ['CommaExpected', 'expected a comma'],
  ['CloseBraceExpected', 'expected a closing brace'],
  ['CloseBracketExpected', 'expected a closing bracket'],
  ['EndOfFileExpected', 'unexpected text after the end of the JSON value'],
  ['UnexpectedEndOfComment', 'this comment is never closed'],
  ['UnexpectedEndOfString', 'this string is not closed on its line'],
  ['UnexpectedEndOfNumber', 'this number lacks digits'],
  ['InvalidUnicode', 'this string has a `\\u` without four hexadecimal digits'],
  ['InvalidCharacter', 'this string has a control character and an invalid escape'],
  ['InvalidEscapeCharacter', 'this string has an invalid escape'],
]);

/** Thrown by our own callback to leave the parser at the first error it cannot recover from, and caught right there. */
const STOP = new Error('stop');

/**
 * Reads one JSON value. Comments, trailing commas and control characters in strings are errors, yet leave no doubt about
 * the value, so it is given all the same. After any other error there is no value: what a parser makes of the rest would
 * be a guess. Each kind of error is reported once, at its first place; duplicate keys each.
 * @param {SourceFile} file
 * @param {number} [start] offset of the text to read; a byte order mark there is skipped
 * @param {number} [end] offset behind it
 * @returns {{node?: ValueNode, errors: ReadError[]}}
 */
export function parseJsonTree(file, start = 0, end = file.text.length) {
  const builder = new TreeBuilder(file);
  const { errors, isBroken } = findSyntaxErrors(file, start, end, builder);
  return isBroken ? { errors } : { node: builder.root, errors: builder.addDuplicates(errors) };
}

/**
 * What is wrong with the text, but for duplicate keys.
 * @param {SourceFile} file
 * @param {number} start
 * @param {number} end
 * @param {TreeBuilder} [builder] is given every value
 * @returns {{errors: ReadError[], isBroken: boolean}} `isBroken`: no value can be made of the text
 */
export function findSyntaxErrors(file, start, end, builder) {
  const from = file.text.charCodeAt(start) === BYTE_ORDER_MARK ? start + 1 : start;
  const text = file.text.slice(from, end);
  const found = new SyntaxErrors(file, from, text);
  if (text.trim() === '') return { errors: [found.at('empty-json', 'the JSON is empty', 0)], isBroken: true };
  const { tooDeep, unclosed } = findNesting(text, { start: 0, end: text.length }, MAX_DEPTH);
  if (tooDeep !== undefined) {
    const message = `brackets are nested deeper than ${MAX_DEPTH} levels`;
    return { errors: [found.at('too-deep-json', message, tooDeep, tooDeep + 1)], isBroken: true };
  }
  try {
    visit(text, visitorOf(found, unclosed, from, builder), { allowTrailingComma: true });
  } catch (error) {
    if (error !== STOP) throw error;
  }
  const { fatal, recoverable } = found;
  return fatal ? { errors: [fatal], isBroken: true } : { errors: [...recoverable.values()], isBroken: false };
}

/**
 * @param {SyntaxErrors} found is given what is wrong
 * @param {number | undefined} unclosed offset of the bracket that is never closed
 * @param {number} from offset of the text in its file
 * @param {TreeBuilder} [builder]
 * @returns {JSONVisitor}
 */
function visitorOf(found, unclosed, from, builder) {
  /** Where the last token was a comma. @type {number | undefined} */
  let comma;
  /** @param {number} offset of a value */
  const begin = (offset) => {
    comma = undefined;
    if (!builder || builder.size < MAX_VALUES) return;
    found.stop(found.at('json-too-large', `the JSON has more than ${formatCount(MAX_VALUES)} values`, offset));
  };
  /** @param {number} offset @param {number} length */
  const close = (offset, length) => {
    if (comma !== undefined) {
      found.report(found.at('json-trailing-comma', 'JSON does not allow a trailing comma', comma, comma + 1));
    }
    comma = undefined;
    builder?.close(from + offset + length);
  };
  return {
    onObjectBegin: (offset) => {
      begin(offset);
      builder?.openObject(from + offset);
    },
    onArrayBegin: (offset) => {
      begin(offset);
      builder?.openArray(from + offset);
    },
    onObjectProperty: (key, offset, length) => {
      comma = undefined;
      builder?.setKey(key, from + offset, from + offset + length);
    },
    onLiteralValue: (value, offset, length) => {
      begin(offset);
      builder?.addLiteral(value, from + offset, from + offset + length);
    },
    onSeparator: (separator, offset) => {
      comma = separator === ',' ? offset : undefined;
    },
    onObjectEnd: close,
    onArrayEnd: close,
    onComment: (offset, length) =>
      found.report(found.at('json-comment', 'JSON does not allow comments', offset, offset + length)),
    onError: (code, offset, length) => found.add(printParseErrorCode(code), offset, length, unclosed),
  };
}

/** Collects what is wrong with a text while it is parsed. */
class SyntaxErrors {
  /** The first of each kind that leaves no doubt about the value. @type {Map<string, ReadError>} */
  recoverable = new Map();
  /** @type {ReadError | undefined} */
  fatal;
  #file;
  #from;
  #text;

  /** @param {SourceFile} file @param {number} from where the text begins in it @param {string} text */
  constructor(file, from, text) {
    this.#file = file;
    this.#from = from;
    this.#text = text;
  }

  /** @param {string} code @param {string} message @param {number} at @param {number} [until] @returns {ReadError} */
  at(code, message, at, until = at) {
    return { code, message, place: this.#file.place(this.#from + at, this.#from + until) };
  }

  /** @param {ReadError} error */
  report(error) {
    if (!this.recoverable.has(error.code)) this.recoverable.set(error.code, error);
  }

  /** @param {ReadError} error @returns {never} */
  stop(error) {
    this.fatal = error;
    throw STOP;
  }

  /**
   * @param {string} name of an error of the parser
   * @param {number} offset
   * @param {number} length
   * @param {number | undefined} unclosed
   */
  add(name, offset, length, unclosed) {
    const text = this.#text;
    // The parser reports the last error of a string only: there may be a wrong escape before the control character.
    if (name === 'InvalidCharacter' && hasTrueEscapes(text.slice(offset, offset + length))) {
      const message = 'this string has a control character that must be escaped in JSON';
      this.report(this.at('json-control-character', message, offset, offset + length));
      return;
    }
    const stopsMidway = length === 0 || name === 'InvalidSymbol' || name.startsWith('UnexpectedEnd');
    if (unclosed !== undefined && stopsMidway && text.slice(offset + length).trim() === '') {
      const { line, column } = this.#file.position(this.#from + unclosed);
      const message = `the JSON ends before the \`${text[unclosed]}\` of line ${line}, column ${column} is closed`;
      this.stop(this.at('truncated-json', message, text.trimEnd().length));
    }
    this.stop(this.at('invalid-json', PROBLEMS.get(name) ?? name, offset, offset + length));
  }
}

/**
 * @param {string} literal a string with its quotes
 * @returns {boolean}
 */
function hasTrueEscapes(literal) {
  return !literal.replaceAll(/\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})/g, '').includes('\\');
}

/** Makes the nodes from what the parser meets, in its order. */
class TreeBuilder {
  /** @type {ValueNode | undefined} */
  root;
  /** Values so far. */
  size = 0;
  /** @type {SourceFile} */
  #file;
  /** @type {(ObjectNode | ArrayNode)[]} */
  #open = [];
  /** The keys met so far in each open object, and the one whose value comes next. @type {(Set<string> | undefined)[]} */
  #keys = [];
  /** @type {Omit<Entry, 'node'>[]} */
  #pending = [];
  /** As many as are reported and one more. @type {ReadError[]} */
  #duplicates = [];
  #duplicateCount = 0;

  /** @param {SourceFile} file */
  constructor(file) {
    this.#file = file;
  }

  /** @param {number} start */
  openObject(start) {
    /** @type {ObjectNode} */
    const node = { type: 'object', file: this.#file, start, end: start, entries: [] };
    this.#add(node);
    this.#open.push(node);
    this.#keys.push(new Set());
  }

  /** @param {number} start */
  openArray(start) {
    /** @type {ArrayNode} */
    const node = { type: 'array', file: this.#file, start, end: start, items: [] };
    this.#add(node);
    this.#open.push(node);
    this.#keys.push(undefined);
  }

  /** @param {number} end */
  close(end) {
    this.#keys.pop();
    const node = this.#open.pop();
    if (node) node.end = end;
  }

  /** @param {string} key @param {number} keyStart @param {number} keyEnd */
  setKey(key, keyStart, keyEnd) {
    this.#pending.push({ key, keyStart, keyEnd });
    const keys = this.#keys.at(-1);
    if (keys?.has(key)) this.#addDuplicate(key, keyStart, keyEnd);
    keys?.add(key);
  }

  /** @param {unknown} value @param {number} start @param {number} end */
  addLiteral(value, start, end) {
    const base = { file: this.#file, start, end };
    if (typeof value === 'string') {
      const text = MappedText.literal(value, this.#file, start, end);
      this.#add({ ...base, type: 'string', value, text });
    } else if (typeof value === 'number') this.#add({ ...base, type: 'number', value });
    else if (typeof value === 'boolean') this.#add({ ...base, type: 'boolean', value });
    else this.#add({ ...base, type: 'null' });
  }

  /**
   * @param {ReadError[]} errors
   * @returns {ReadError[]} these, and one for each key that stands twice, in the order of the file
   */
  addDuplicates(errors) {
    return limitErrors([...errors, ...this.#duplicates], errors.length + this.#duplicateCount);
  }

  /** @param {string} key @param {number} keyStart @param {number} keyEnd */
  #addDuplicate(key, keyStart, keyEnd) {
    this.#duplicateCount += 1;
    if (this.#duplicateCount > MAX_ERRORS + 1) return;
    const shown = key.length > SHOWN_KEY_LENGTH ? `${key.slice(0, SHOWN_KEY_LENGTH)}…` : key;
    const message = `duplicate key \`${shown}\`: CouchDB keeps only the last one`;
    this.#duplicates.push({ code: 'duplicate-key', message, place: this.#file.place(keyStart, keyEnd) });
  }

  /** @param {ValueNode} node */
  #add(node) {
    this.size += 1;
    const parent = this.#open.at(-1);
    if (!parent) this.root = node;
    else if (parent.type === 'array') parent.items.push(node);
    else {
      const pending = this.#pending.pop();
      if (pending) parent.entries.push({ ...pending, node });
    }
  }
}
