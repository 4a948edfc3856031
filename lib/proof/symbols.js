// Symbolic values of the execution of a reduce: symbols represent expressions of a reduce while the rows are unknown: folds over them, their
// number, their members.

/** @import { FunctionNode } from '../javascript/parse.js' */
/** @import { Scope } from '../javascript/scope.js' */

/**
 * @typedef {object} FoldSymbol One value made of all rows: `of` is taken of each row, `start` comes before the first.
 * @property {'fold'} kind
 * @property {'+' | 'max' | 'min'} op
 * @property {Symbol_} of
 * @property {Symbol_} start
 */
/**
 * @typedef {{kind: 'constant', value: string | number | boolean | null | undefined}} ConstantSymbol
 * @typedef {{kind: 'rows', of: Symbol_, from: 0 | 1}} RowsSymbol a list with one member for each row: `element` of the values, `key` of the keys; `from` 1 leaves the first out
 * @typedef {{kind: 'chosen', of: Symbol_, test: Symbol_}} ChosenSymbol a list of what is taken of the rows that pass
 * @typedef {{kind: 'element', path: readonly string[]}} ElementSymbol of the value of the row at hand
 * @typedef {{kind: 'first' | 'last', path: readonly string[]}} EndSymbol of the value of the first or last row
 * @typedef {{kind: 'key'} | {kind: 'index'} | {kind: 'name'} | {kind: 'length'}} PlainSymbol the key or number of the row at hand, the number as a string; how many rows there are
 * @typedef {{kind: 'binary', op: string, left: Symbol_, right: Symbol_}} BinarySymbol
 * @typedef {{kind: 'unary', op: string, of: Symbol_}} UnarySymbol `typeof`, `!`, `-`, and what makes numbers: `Number`
 * @typedef {{kind: 'choice', test: Symbol_, yes: Symbol_, no: Symbol_}} ChoiceSymbol
 * @typedef {{kind: 'object', members: readonly (readonly [string, Symbol_])[]} | {kind: 'array', items: readonly Symbol_[]}} ShapeSymbol
 * @typedef {{kind: 'never'}} NeverSymbol what no row leads to that meets the conditions of the run
 * @typedef {{kind: 'accumulator', place: string}} AccumulatorSymbol what a place held before the row at hand
 * @typedef {{kind: 'reference', id: number}} ReferenceSymbol an object or list that the function made
 * @typedef {{kind: 'function', node: FunctionNode, scope: Scope}} FunctionSymbol
 * @typedef {{kind: 'global', name: string}} GlobalSymbol `Math.max`
 * @typedef {{kind: 'opaque', why: string}} OpaqueSymbol anything else
 * @typedef {FoldSymbol | ConstantSymbol | RowsSymbol | ChosenSymbol | ElementSymbol | EndSymbol | PlainSymbol | BinarySymbol | UnarySymbol | ChoiceSymbol | ShapeSymbol | AccumulatorSymbol | ReferenceSymbol | FunctionSymbol | GlobalSymbol | NeverSymbol | OpaqueSymbol} Symbol_
 */

/** @type {ElementSymbol} */
export const ELEMENT = { kind: 'element', path: [] };
/** @type {Symbol_} */
export const LENGTH = { kind: 'length' };

/**
 * @param {ConstantSymbol['value']} value
 * @returns {ConstantSymbol}
 */
export function constant(value) {
  return { kind: 'constant', value };
}

export const UNDEFINED = constant(undefined);

/** @type {Symbol_} */
export const NEVER = { kind: 'never' };

/**
 * @param {string} why
 * @returns {OpaqueSymbol}
 */
export function opaque(why) {
  return { kind: 'opaque', why };
}

/**
 * @param {Symbol_} one
 * @param {Symbol_} other
 * @returns {boolean} whether they certainly have the same value; two opaque ones never have
 */
export function isSame(one, other) {
  if (one === other) return one.kind !== 'opaque';
  if (one.kind !== other.kind || one.kind === 'opaque') return false;
  return identity(one) === identity(other) && !holdsOpaque(one);
}

/**
 * @param {Symbol_} symbol
 * @returns {string} the same for equal symbols
 */
export function identity(symbol) {
  return JSON.stringify(symbol, (key, value) => {
    if (key === 'scope' || key === 'node') return undefined;
    if (value === undefined) return '\u0000undefined';
    return typeof value === 'number' && (!Number.isFinite(value) || Object.is(value, -0))
      ? `\u0000${value} ${1 / value}`
      : value;
  });
}

/**
 * @param {Symbol_} symbol
 * @returns {Symbol_[]} what it is made of
 */
export function partsOf(symbol) {
  switch (symbol.kind) {
    case 'fold':
      return [symbol.of, symbol.start];
    case 'rows':
      return [symbol.of];
    case 'chosen':
      return [symbol.of, symbol.test];
    case 'binary':
      return [symbol.left, symbol.right];
    case 'unary':
      return [symbol.of];
    case 'choice':
      return [symbol.test, symbol.yes, symbol.no];
    case 'object':
      return symbol.members.map(([, member]) => member);
    case 'array':
      return [...symbol.items];
    default:
      return [];
  }
}

/** A symbol of more parts, counted as often as they stand in it, is nothing that a built-in computes. */
const MAX_PARTS = 1000;

/** @type {WeakMap<Symbol_, number>} */
const sizes = new WeakMap();

/**
 * @param {Symbol_} symbol
 * @returns {number} parts of it; those of what stands in it twice count twice
 */
function sizeOf(symbol) {
  let size = sizes.get(symbol);
  if (size === undefined) {
    size = partsOf(symbol).reduce((sum, part) => sum + sizeOf(part), 1);
    sizes.set(symbol, size);
  }
  return size;
}

/**
 * @param {Symbol_} symbol
 * @returns {Symbol_} opaque where it is too large: `x = x + x` doubles it each time
 */
export function bounded(symbol) {
  return sizeOf(symbol) > MAX_PARTS ? opaque('too much') : symbol;
}

/**
 * @param {Symbol_} symbol
 * @param {(symbol: Symbol_) => boolean} test
 * @returns {boolean} whether it, or a part of it, passes
 */
export function holds(symbol, test) {
  return test(symbol) || partsOf(symbol).some((part) => holds(part, test));
}

/**
 * @param {Symbol_} symbol
 * @returns {boolean}
 */
function holdsOpaque(symbol) {
  return holds(symbol, ({ kind }) => kind === 'opaque' || kind === 'function');
}

/**
 * @param {Symbol_} symbol
 * @param {(symbol: Symbol_) => Symbol_} change called with each part before what it is part of
 * @returns {Symbol_}
 */
export function rebuild(symbol, change) {
  const inner = (/** @type {Symbol_} */ part) => rebuild(part, change);
  switch (symbol.kind) {
    case 'fold':
      return change({ ...symbol, of: inner(symbol.of), start: inner(symbol.start) });
    case 'rows':
      return change({ ...symbol, of: inner(symbol.of) });
    case 'chosen':
      return change({ ...symbol, of: inner(symbol.of), test: inner(symbol.test) });
    case 'binary':
      return change({ ...symbol, left: inner(symbol.left), right: inner(symbol.right) });
    case 'unary':
      return change({ ...symbol, of: inner(symbol.of) });
    case 'choice':
      return change({ ...symbol, test: inner(symbol.test), yes: inner(symbol.yes), no: inner(symbol.no) });
    case 'object':
      return change({ ...symbol, members: symbol.members.map(([name, member]) => [name, inner(member)]) });
    case 'array':
      return change({ ...symbol, items: symbol.items.map(inner) });
    default:
      return change(symbol);
  }
}
