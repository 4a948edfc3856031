// What an expression may be, as far as reading tells: the document, a path in it, a literal, a shape, or unknown.

/** @import { FunctionNode } from './parse.js' */

/**
 * @typedef {{kind: 'document', parameter: number}} DocumentValue the parameter of that position, as a whole
 * @typedef {{kind: 'path', path: string, present: boolean}} PathValue a member below a parameter: `doc.a.b`; `[]` stands for
 *   any element. `present`: it is there by the way the value was reached, as the left side of `||` is
 * @typedef {{kind: 'copy'}} CopyValue a copy of the document
 * @typedef {{kind: 'constant', value: string | number | boolean | null | undefined}} ConstantValue
 * @typedef {{kind: 'object', members: ReadonlyMap<string, Value>, open: boolean}} ObjectValue `open`: it may have others
 * @typedef {{kind: 'array', items: readonly Value[], open: boolean}} ArrayValue
 * @typedef {{kind: 'typed', type: 'number' | 'maybe-number' | 'string' | 'boolean' | 'date'}} TypedValue
 * @typedef {{kind: 'function', node: FunctionNode, scope: import('./scope.js').Scope}} FunctionValue
 * @typedef {{kind: 'emit'}} EmitValue CouchDB's own `emit`
 * @typedef {{kind: 'union', of: readonly Value[]}} UnionValue one of these
 * @typedef {{kind: 'unknown', reason: string}} UnknownValue
 * @typedef {DocumentValue | PathValue | CopyValue | ConstantValue | ObjectValue | ArrayValue | TypedValue | FunctionValue | EmitValue | UnionValue | UnknownValue} Value
 */

/** More alternatives than this say nothing any more. */
const MOST_ALTERNATIVES = 12;

/** @type {Value} */
export const UNDEFINED = { kind: 'constant', value: undefined };

/**
 * @param {string} reason
 * @returns {Value}
 */
export function unknown(reason) {
  return { kind: 'unknown', reason };
}

/**
 * @param {Value[]} values
 * @returns {Value} one value for all of them
 */
export function unite(values) {
  /** @type {Map<string, Value>} */
  const distinct = new Map();
  for (const value of values.flatMap(alternatives)) distinct.set(identity(value), value);
  const [first] = distinct.values();
  if (distinct.size === 1 && first) return first;
  if (distinct.size > MOST_ALTERNATIVES) return unknown('it has too many possible values');
  return { kind: 'union', of: [...distinct.values()] };
}

/**
 * @param {Value} value
 * @returns {readonly Value[]} the values it may be
 */
export function alternatives(value) {
  return value.kind === 'union' ? value.of : [value];
}

/** Objects get a number when they are first compared, so that equal-looking ones stay apart. @type {WeakMap<object, number>} */
const numbers = new WeakMap();
let lastNumber = 0;

/**
 * @param {Value} value
 * @returns {string}
 */
function identity(value) {
  switch (value.kind) {
    case 'path':
      return `path ${value.path} ${value.present}`;
    case 'constant':
      return `constant ${typeof value.value} ${String(value.value)}`;
    case 'typed':
      return `typed ${value.type}`;
    case 'document':
      return `document ${value.parameter}`;
    case 'unknown':
      return `unknown ${value.reason}`;
    case 'copy':
    case 'emit':
      return value.kind;
    default: {
      const known = numbers.get(value);
      if (known !== undefined) return `${value.kind} ${known}`;
      lastNumber += 1;
      numbers.set(value, lastNumber);
      return `${value.kind} ${lastNumber}`;
    }
  }
}

/** @typedef {'number' | 'maybe-number' | 'string' | 'boolean' | 'null' | 'array' | 'object' | 'document' | 'field'} ValueType
 *  `field`: whatever the document holds there */

/**
 * @param {Value} value
 * @param {(path: string) => 'number' | 'string' | 'boolean' | undefined} typeOfPath what guards say of a path
 * @returns {ValueType[] | {unknown: string}} the types it may have in JSON, each once
 */
export function typesOf(value, typeOfPath) {
  /** @type {Set<ValueType>} */
  const types = new Set();
  for (const item of alternatives(value)) {
    const type = typeOf(item, typeOfPath);
    if (typeof type === 'object') return type;
    types.add(type);
  }
  return [...types];
}

/**
 * @param {Value} value
 * @param {(path: string) => 'number' | 'string' | 'boolean' | undefined} typeOfPath
 * @returns {ValueType | {unknown: string}}
 */
function typeOf(value, typeOfPath) {
  switch (value.kind) {
    case 'document':
      return value.parameter === 0 ? 'document' : 'object';
    case 'copy':
      return 'document';
    case 'path':
      if (/^doc\._(id|rev)$/.test(value.path)) return 'string';
      return typeOfPath(value.path) ?? 'field';
    case 'constant':
      return constantType(value.value);
    case 'typed':
      // A date is written as ISO text, by its toJSON.
      return value.type === 'date' ? 'string' : value.type;
    case 'object':
      return 'object';
    case 'array':
      return 'array';
    case 'function':
    case 'emit':
      return 'null';
    default:
      return { unknown: value.kind === 'unknown' ? value.reason : 'it may be several things' };
  }
}

/**
 * @param {ConstantValue['value']} value
 * @returns {ValueType}
 */
function constantType(value) {
  if (typeof value === 'number') return Number.isFinite(value) ? 'number' : 'null';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'boolean';
  return 'null';
}

/**
 * @param {Value} value
 * @returns {boolean} whether it is a finite number whatever the document holds
 */
export function isNumber(value) {
  return alternatives(value).every(
    (item) =>
      (item.kind === 'typed' && item.type === 'number') ||
      (item.kind === 'constant' && typeof item.value === 'number' && Number.isFinite(item.value)),
  );
}

/**
 * @param {Value} value
 * @returns {boolean} whether it is text whatever the document holds
 */
export function isText(value) {
  return alternatives(value).every(
    (item) =>
      (item.kind === 'typed' && item.type === 'string') ||
      (item.kind === 'constant' && typeof item.value === 'string') ||
      (item.kind === 'path' && /^doc\._(id|rev)$/.test(item.path)),
  );
}
