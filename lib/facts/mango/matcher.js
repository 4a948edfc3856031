// Turns a normalized Mango selector into a function that matches documents, with CouchDB's order of values and its
// treatment of missing fields (mango_selector:match/3, 3.5.0).

import { jsonTypeOf } from '../../shared/values.js';
import { compareKeys } from '../../storage-model/view-keys.js';
import { compareBytes, compareTerms } from '../index-groups/erlang-term.js';
import { BAD_PATH, fieldAt, NOT_FOUND, parsePath } from './field-path.js';
import { matcherOfRegex } from './regex.js';

/** @import { Term } from '../index-groups/erlang-term.js' */

/** @typedef {true | false | {unknown: string}} MatchResult */
/** @typedef {(value: any) => MatchResult} Matcher */
/** @typedef {(first: unknown, second: unknown) => number} Comparison */

/** @type {Matcher} */
const never = () => false;
/** @type {Matcher} */
const always = () => true;

/**
 * @param {import('./selector.js').Selector} selector normalized
 * @returns {Matcher}
 */
export function compileMatcher(selector) {
  return Object.keys(selector).length === 0 ? always : compile(selector, compareKeys);
}

/**
 * @param {import('./selector.js').Selector} condition
 * @param {Comparison} compare
 * @returns {Matcher}
 */
function compile(condition, compare) {
  const [name, operand] = /** @type {[string, any]} */ (Object.entries(condition)[0]);
  const make = OPERATORS.get(name);
  if (make) return make(operand, compare);
  // What stands under an operator for elements has no name (norm_fields/2).
  if (name === '') return compile(operand, compare);
  return compileField(name, operand, compare);
}

/**
 * @param {string} field
 * @param {any} condition
 * @param {Comparison} compare
 * @returns {Matcher}
 */
function compileField(field, condition, compare) {
  const path = parsePath(field);
  if (path === undefined) {
    const failure = { unknown: `CouchDB refuses the field name \`${field}\` (invalid_field_name)` };
    return () => failure;
  }
  const [operator, operand] = /** @type {[string, any]} */ (Object.entries(condition)[0]);
  const ifMissing = operator === '$exists' && operand === false;
  const inner = compile(condition, field === '_id' ? compareRaw : compare);
  return (value) => {
    const found = fieldAt(value, path);
    if (found === NOT_FOUND) return ifMissing;
    return found === BAD_PATH ? false : inner(found);
  };
}

/**
 * Tries one after the other until one gives `decisive`, as `lists:all/2` and `lists:any/2` do.
 * @param {Matcher[]} parts
 * @param {boolean} decisive
 * @returns {Matcher}
 */
function untilDecided(parts, decisive) {
  return (value) => {
    for (const part of parts) {
      const result = part(value);
      if (result !== !decisive) return result;
    }
    return !decisive;
  };
}

/**
 * @param {Matcher} inner
 * @param {boolean} decisive of one element
 * @returns {(values: unknown[]) => MatchResult}
 */
function elements(inner, decisive) {
  return (values) => {
    for (const value of values) {
      const result = inner(value);
      if (result !== !decisive) return result;
    }
    return !decisive;
  };
}

/**
 * @param {(order: number) => boolean} test
 * @returns {(operand: any, compare: Comparison) => Matcher}
 */
function comparing(test) {
  return (operand, compare) => (value) => test(compare(value, operand));
}

/** @param {Matcher} matcher @returns {Matcher} */
function not(matcher) {
  return (value) => {
    const result = matcher(value);
    return typeof result === 'boolean' ? !result : result;
  };
}

/** @param {any[]} operands @param {Comparison} compare @returns {Matcher} */
function isIn(operands, compare) {
  const isOne = (/** @type {unknown} */ value) => operands.some((operand) => compare(value, operand) === 0);
  return (value) => (Array.isArray(value) ? value.some(isOne) : isOne(value));
}

/** @type {[string, (operand: any, compare: Comparison) => Matcher][]} */
const MAKERS = [
  [
    '$and',
    (parts, compare) =>
      untilDecided(
        parts.map((/** @type {any} */ part) => compile(part, compare)),
        false,
      ),
  ],
  [
    '$or',
    (parts, compare) =>
      parts.length === 0
        ? always
        : untilDecided(
            parts.map((/** @type {any} */ part) => compile(part, compare)),
            true,
          ),
  ],
  ['$not', (operand, compare) => not(compile(operand, compare))],
  ['$lt', comparing((order) => order < 0)],
  ['$lte', comparing((order) => order <= 0)],
  ['$eq', comparing((order) => order === 0)],
  ['$ne', comparing((order) => order !== 0)],
  ['$gte', comparing((order) => order >= 0)],
  ['$gt', comparing((order) => order > 0)],
  ['$in', isIn],
  ['$nin', (operands, compare) => not(isIn(operands, compare))],
  ['$all', matchAll],
  ['$exists', (operand) => (operand ? always : never)],
  ['$type', (operand) => (value) => jsonTypeOf(value) === operand],
  ['$mod', ([divisor, rest]) => matchRemainder(divisor, rest)],
  ['$beginsWith', (prefix) => (value) => typeof value === 'string' && beginsWith(value, prefix)],
  ['$regex', (pattern) => matcherOfRegex(pattern)],
  ['$size', (size) => (value) => Array.isArray(value) && value.length === size],
  [
    '$elemMatch',
    (operand, compare) => {
      const match = elements(compile(operand, compare), true);
      return (value) => Array.isArray(value) && match(value);
    },
  ],
  [
    '$allMatch',
    (operand, compare) => {
      const match = elements(compile(operand, compare), false);
      return (value) => Array.isArray(value) && value.length > 0 && match(value);
    },
  ],
  [
    '$keyMapMatch',
    (operand, compare) => {
      const match = elements(compile(operand, compare), true);
      return (value) => jsonTypeOf(value) === 'object' && match(Object.keys(value));
    },
  ],
  // It is a text index that is believed to have searched for it.
  ['$default', () => always],
];
const OPERATORS = new Map(MAKERS);

/** @param {any[]} wanted @returns {Matcher} */
function matchAll(wanted) {
  if (wanted.length === 0) return never;
  const [first] = wanted;
  const isList = wanted.length === 1 && Array.isArray(first);
  return (values) =>
    Array.isArray(values) &&
    (wanted.every((one) => values.some((value) => isSameTerm(one, value))) || (isList && isSameTerm(first, values)));
}

/** From here on JavaScript writes a number with an exponent, which makes it a float for CouchDB. */
const MAX_INTEGER = 1e21;

/** @param {number} divisor @param {number} rest @returns {Matcher} */
function matchRemainder(divisor, rest) {
  return (value) => {
    if (!Number.isInteger(value) || Math.abs(value) >= MAX_INTEGER) return false;
    if (divisor === 0) return { unknown: 'CouchDB fails where it divides by zero ($mod)' };
    return value % divisor === rest;
  };
}

/** So many UTF-16 code units behind a prefix are looked at for marks that change its last character. */
const NEAR = 32;

/**
 * The last character of the prefix must be a whole one of the text: `e` is no prefix of `é` in two code points
 * (string:prefix/2 of OTP 25, which compares the last one as a grapheme cluster).
 * @param {string} text
 * @param {string} prefix
 * @returns {boolean}
 */
function beginsWith(text, prefix) {
  if (!text.startsWith(prefix)) return false;
  if (prefix === '' || text.length === prefix.length) return true;
  const last = String.fromCodePoint(prefix.codePointAt(prefix.length - 2) ?? 0);
  const end = last.length === 2 ? last : prefix.slice(-1);
  const rest = text.slice(prefix.length, prefix.length + NEAR);
  if (rest.charCodeAt(0) < 0x80 && end !== '\r') return true;
  const [cluster] = new Intl.Segmenter('und').segment(end + rest);
  return cluster?.segment === end;
}

// Compares JSON values in the order of Erlang's terms, as Mango compares `_id` and as `_all_docs` is sorted
// (mango_json:cmp_raw/2, 3.5.0): strings by their bytes, and above all other values.

/**
 * @param {unknown} first JSON
 * @param {unknown} second JSON
 * @returns {number} below 0, 0 or above 0
 */
export function compareRaw(first, second) {
  if (typeof first === 'string' && typeof second === 'string') return compareBytes(first, second);
  return compareTerms(ejson(first), ejson(second));
}

/** One of two values is of a selector, which has fewer levels (selector.js): below these nothing is compared. */
const MAX_LEVELS = 300;

/** @param {unknown} value JSON @param {number} [level] @returns {Term} as jiffy decodes it */
function ejson(value, level = 0) {
  if (typeof value === 'string' || typeof value === 'number') return value;
  if (typeof value !== 'object' || value === null || level > MAX_LEVELS)
    return { atom: typeof value === 'object' ? 'null' : String(value) };
  if (Array.isArray(value)) return value.map((item) => ejson(item, level + 1));
  return { tuple: [Object.entries(value).map(([name, member]) => ({ tuple: [name, ejson(member, level + 1)] }))] };
}

/**
 * @param {unknown} first JSON
 * @param {unknown} second JSON
 * @returns {boolean} whether Erlang finds them equal: members of objects in the same order
 */
function isSameTerm(first, second) {
  if (first === second) return true;
  if (typeof first !== 'object' || typeof second !== 'object' || first === null || second === null) return false;
  if (Array.isArray(first) !== Array.isArray(second)) return false;
  const [left, right] = [Object.entries(first), Object.entries(second)];
  return (
    left.length === right.length &&
    left.every(([name, member], at) => name === right[at]?.[0] && isSameTerm(member, right[at]?.[1]))
  );
}
