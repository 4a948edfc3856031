// Converts JSON values to the Erlang terms that CouchDB computes with, and back, and gives their order and their size.
// Pure.

/**
 * Whole numbers are bigints here, for Erlang's have no limit; all other numbers are floats. JavaScript writes a whole number
 * below 1e21 as digits, which CouchDB reads as a whole number, and 1e+21 and beyond as a float.
 * @typedef {null | boolean | bigint | number | string | TermList | Props} Term
 */

/** A list of terms; JSDoc knows no array type that holds itself, so itemsOf declares what is in it. @typedef {unknown[]} TermList */

/** @type {(list: TermList) => Term[]} */
export const itemsOf = (list) => /** @type {Term[]} */ (list);

/** Where JavaScript begins to write whole numbers with an exponent. */
const EXPONENT_FROM = 1e21;

/** An object: its members in the order in which they were written, which CouchDB keeps. */
export class Props {
  /** @param {[string, Term][]} members */
  constructor(members) {
    this.members = members;
  }

  /** @param {string} name @returns {Term | undefined} */
  get(name) {
    return this.members.find((member) => member[0] === name)?.[1];
  }
}

/**
 * @param {unknown} value what a map emits, read from JSON; what is no JSON value counts as null, as JSON.stringify writes it
 * @returns {Term}
 */
export function toTerm(value) {
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) return null;
    // The digits as JavaScript writes them, which beyond 2^53 are not those of the double: so read CouchDB them.
    return Number.isInteger(value) && Math.abs(value) < EXPONENT_FROM ? BigInt(String(value)) : value;
  }
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.map(toTerm);
  if (typeof value !== 'object' || value === null) return null;
  return new Props(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .map(([name, member]) => [name, toTerm(member)]),
  );
}

/**
 * @param {Term} term
 * @returns {unknown} the value as a client reads it from JSON: whole numbers beyond 2^53 become the nearest double
 */
export function fromTerm(term) {
  if (typeof term === 'bigint') return Number(term);
  if (Array.isArray(term)) return itemsOf(term).map(fromTerm);
  if (term instanceof Props) return Object.fromEntries(term.members.map(([name, member]) => [name, fromTerm(member)]));
  return term;
}

/** What CouchDB cannot compute: the request fails. */
export class BuiltinFailure extends Error {
  /** @param {'invalidValue' | 'badarith' | 'caseClause' | 'functionClause'} kind @param {string} message */
  constructor(kind, message) {
    super(message);
    this.kind = kind;
  }
}

/** @param {Term | undefined} term @returns {term is bigint | number} */
export function isNumber(term) {
  return typeof term === 'bigint' || typeof term === 'number';
}

/**
 * Erlang's sum: exact for whole numbers, else that of doubles, which fails where it leaves their range.
 * @param {bigint | number} one
 * @param {bigint | number} other
 * @returns {bigint | number}
 * @throws {BuiltinFailure} badarith
 */
export function add(one, other) {
  if (typeof one === 'bigint' && typeof other === 'bigint') return one + other;
  return finite(Number(one) + Number(other));
}

/**
 * @param {bigint | number} one
 * @returns {bigint | number} one times itself
 * @throws {BuiltinFailure} badarith
 */
export function square(one) {
  return typeof one === 'bigint' ? one * one : finite(one * one);
}

/** @param {number} result */
function finite(result) {
  if (!Number.isFinite(result)) throw new BuiltinFailure('badarith', 'the result is beyond the range of floats');
  return result;
}

/**
 * @param {Term} term
 * @returns {string} the value as JSON, cut, for messages
 */
export function printTerm(term) {
  const text = JSON.stringify(fromTerm(term));
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}

/** Unicode's root order at full strength, as `ucol_open("")` gives it (couch_ejson_compare.c, 3.5.0). */
let collator = /** @type {Intl.Collator | undefined} */ (undefined);

/**
 * The order of keys and of ranked values: null, false, true, numbers, texts, arrays, objects (couch_ejson_compare.c less_json,
 * 3.5.0). Texts compare as the ICU of this Node.js has it, which may be another version than that of a server.
 * @param {Term} one
 * @param {Term} other
 * @returns {number} below 0 where `one` comes first, 0 where they count as equal
 */
export function compareTerms(one, other) {
  const difference = rankOf(one) - rankOf(other);
  if (difference !== 0) return difference;
  if (isNumber(one) && isNumber(other)) return one < other ? -1 : Number(one > other);
  if (typeof one === 'string' && typeof other === 'string') {
    collator ??= new Intl.Collator('und');
    return collator.compare(one, other);
  }
  if (Array.isArray(one) && Array.isArray(other)) {
    for (let at = 0; at < one.length && at < other.length; at++) {
      const result = compareTerms(/** @type {Term} */ (one[at]), /** @type {Term} */ (other[at]));
      if (result !== 0) return result;
    }
    return one.length - other.length;
  }
  if (one instanceof Props && other instanceof Props) {
    for (let at = 0; at < one.members.length && at < other.members.length; at++) {
      const [name, value] = /** @type {[string, Term]} */ (one.members[at]);
      const [otherName, otherValue] = /** @type {[string, Term]} */ (other.members[at]);
      const result = compareTerms(name, otherName) || compareTerms(value, otherValue);
      if (result !== 0) return result;
    }
    return one.members.length - other.members.length;
  }
  return 0;
}

/** @param {Term} term @returns {number} */
function rankOf(term) {
  if (term === null) return 1;
  if (term === false) return 2;
  if (term === true) return 3;
  if (isNumber(term)) return 4;
  if (typeof term === 'string') return 5;
  return Array.isArray(term) ? 6 : 7;
}

/**
 * The order of Erlang's binaries: that of bytes in UTF-8, which is that of code points.
 * @param {string} one
 * @param {string} other
 * @returns {number}
 */
export function compareBytes(one, other) {
  if (one === other) return 0;
  const left = [...one];
  const right = [...other];
  for (let at = 0; at < left.length && at < right.length; at++) {
    const difference = (left[at]?.codePointAt(0) ?? 0) - (right[at]?.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/** Lists of bytes up to this length are written in a short form. */
const SHORT_LIST = 0xffff;

/**
 * What `erlang:external_size(Term, [{minor_version, 1}])` gives without its first byte (couch_db.hrl term_size, 3.5.0; the
 * forms are those of Erlang's External Term Format).
 * @param {Term} term
 * @returns {number} bytes
 */
export function termSize(term) {
  if (typeof term === 'bigint') return integerSize(term);
  if (typeof term === 'number') return 9;
  if (typeof term === 'string') return 5 + utf8Length(term);
  if (term === null || term === true) return 3 + 4;
  if (term === false) return 3 + 5;
  if (term instanceof Props) {
    const members = term.members.reduce((size, [name, value]) => size + 2 + termSize(name) + termSize(value), 0);
    return 2 + listSize(term.members.length, members);
  }
  const items = itemsOf(term);
  if (items.length > 0 && items.length <= SHORT_LIST && items.every(isByte)) return 3 + items.length;
  return listSize(
    items.length,
    items.reduce((/** @type {number} */ size, item) => size + termSize(item), 0),
  );
}

/**
 * @param {number} length
 * @param {number} items bytes of all items
 * @returns {number} bytes of the list
 */
export function listSize(length, items) {
  return length === 0 ? 1 : 6 + items;
}

/** @param {Term} term */
function isByte(term) {
  return typeof term === 'bigint' && term >= 0n && term < 256n;
}

/** @param {bigint} value */
function integerSize(value) {
  if (value >= 0n && value < 256n) return 2;
  if (value >= -0x80000000n && value < 0x80000000n) return 5;
  const digits = (value < 0n ? -value : value).toString(16).length;
  return 3 + Math.ceil(digits / 2);
}

/** @param {string} text */
function utf8Length(text) {
  let bytes = 0;
  for (const letter of text) {
    const code = letter.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}
