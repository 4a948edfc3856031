// Applies operators to symbols. Computes only what is certain: there is at least one row, and everything else may be
// anything.

import { bounded, constant, isSame, opaque } from './symbols.js';

/** @import { Symbol_ } from './symbols.js' */

/** Kinds that are true and equal to no constant: lists, objects, functions. */
const OBJECTS = new Set(['rows', 'chosen', 'reference', 'function', 'global', 'object', 'array']);

/**
 * @param {Symbol_} symbol
 * @returns {boolean | undefined} undefined where it can be either
 */
export function truthOf(symbol) {
  if (symbol.kind === 'constant') return Boolean(symbol.value);
  // A reduce is never called for no rows (couch_mrview_util.erl, couch_btree.erl: a node has one member at least).
  if (symbol.kind === 'length' || OBJECTS.has(symbol.kind)) return true;
  if (symbol.kind !== 'unary' || symbol.op !== '!') return undefined;
  const inner = truthOf(symbol.of);
  return inner === undefined ? undefined : !inner;
}

/**
 * @param {string} op
 * @param {Symbol_} left
 * @param {Symbol_} right
 * @returns {Symbol_}
 */
export function operate(op, left, right) {
  if (left.kind === 'constant' && right.kind === 'constant') return fold(op, left.value, right.value);
  const distance = addLinear(op, left, right);
  if (distance) return distance;
  const known = compareLength(op, left, right) ?? compareObject(op, left, right) ?? compareMissing(op, left, right);
  if (known !== undefined) return constant(known);
  if ((op === '===' || op === '==') && isSame(left, right) && left.kind !== 'element') return constant(true);
  return bounded({ kind: 'binary', op, left, right });
}

/**
 * @param {string} op
 * @param {Symbol_} of
 * @returns {Symbol_}
 */
export function operateOne(op, of) {
  if (op === '!') {
    const truth = truthOf(of);
    return truth === undefined ? bounded({ kind: 'unary', op, of }) : constant(!truth);
  }
  if (op === 'void') return constant(undefined);
  if (of.kind === 'constant') {
    const { value } = of;
    if (op === '-') return constant(-Number(value));
    if (op === '+') return constant(Number(value));
    if (op === 'typeof') return constant(typeof value);
  }
  if (op === 'typeof' && of.kind === 'length') return constant('number');
  if (op === 'typeof' && OBJECTS.has(of.kind)) {
    return constant(of.kind === 'function' || of.kind === 'global' ? 'function' : 'object');
  }
  if (op === '+') return isNumeric(of) ? of : bounded({ kind: 'unary', op: 'Number', of });
  if (op === '-' && of.kind === 'unary' && of.op === '-') return operateOne('+', of.of);
  if (op === '-' || op === 'typeof') return bounded({ kind: 'unary', op, of });
  return opaque(`it uses the operator ${op}`);
}

/** Operators that always make a number; there are no bigints. */
const NUMERIC = new Set(['-', '*', '/', '%', '**', '|', '&', '^', '<<', '>>', '>>>']);

/**
 * @param {Symbol_} symbol
 * @returns {boolean} whether it is a number whatever the rows hold
 */
function isNumeric(symbol) {
  if (symbol.kind === 'unary') return symbol.op === '-' || symbol.op === 'Number' || symbol.op === 'parseFloat';
  if (symbol.kind === 'binary') return NUMERIC.has(symbol.op) || linearOf(symbol) !== undefined;
  return symbol.kind === 'index' || symbol.kind === 'length';
}

/**
 * @param {string} op
 * @param {unknown} left
 * @param {unknown} right
 * @returns {Symbol_}
 */
function fold(op, left, right) {
  // Only constants of the text come here: none of them is an object.
  const [a, b] = [/** @type {any} */ (left), /** @type {any} */ (right)];
  switch (op) {
    case '+':
      return constant(a + b);
    case '-':
      return constant(a - b);
    case '*':
      return constant(a * b);
    case '/':
      return constant(a / b);
    case '%':
      return constant(a % b);
    case '<':
      return constant(a < b);
    case '>':
      return constant(a > b);
    case '<=':
      return constant(a <= b);
    case '>=':
      return constant(a >= b);
    case '===':
      return constant(a === b);
    case '!==':
      return constant(a !== b);
    case '==':
      // biome-ignore lint/suspicious/noDoubleEquals: it is the operator of the function that is read
      return constant(a == b);
    case '!=':
      // biome-ignore lint/suspicious/noDoubleEquals: it is the operator of the function that is read
      return constant(a != b);
    case '|':
      return constant(a | b);
    default:
      return opaque(`it uses the operator ${op}`);
  }
}

/** A number: that of the row at hand, or of all rows, and a distance; a number alone has no base. @typedef {{base: 'index' | 'length' | undefined, plus: number}} Linear */

/**
 * @param {Symbol_} symbol
 * @returns {Linear | undefined}
 */
export function linearOf(symbol) {
  if (symbol.kind === 'index' || symbol.kind === 'length') return { base: symbol.kind, plus: 0 };
  if (symbol.kind === 'constant') {
    return Number.isSafeInteger(symbol.value) ? { base: undefined, plus: Number(symbol.value) } : undefined;
  }
  if (symbol.kind !== 'binary' || (symbol.op !== '+' && symbol.op !== '-')) return undefined;
  const [own, distance] = [linearOf(symbol.left), linearOf(symbol.right)];
  if (!own?.base || !distance || distance.base) return undefined;
  return { base: own.base, plus: own.plus + (symbol.op === '+' ? distance.plus : -distance.plus) };
}

/**
 * @param {string} op
 * @param {Symbol_} left
 * @param {Symbol_} right
 * @returns {Symbol_ | undefined} the sum or difference in one form: `length - 1`, `index + 1`
 */
function addLinear(op, left, right) {
  const isTurned = op === '+' && left.kind === 'constant';
  const [own, distance] = (isTurned ? [right, left] : [left, right]).map(linearOf);
  if ((op !== '+' && op !== '-') || !own?.base || !distance || distance.base) return undefined;
  const plus = own.plus + (op === '+' ? distance.plus : -distance.plus);
  /** @type {Symbol_} */
  const base = { kind: own.base };
  if (plus === 0) return base;
  return { kind: 'binary', op: plus > 0 ? '+' : '-', left: base, right: constant(Math.abs(plus)) };
}

/** @type {Record<string, string>} */
const TURNED = { '<': '>', '>': '<', '<=': '>=', '>=': '<=' };

/**
 * @param {string} op
 * @param {Symbol_} left
 * @param {Symbol_} right
 * @returns {boolean | undefined} where it compares the number of rows, which is 1 or more, with a constant
 */
function compareLength(op, left, right) {
  if (right.kind === 'length' && left.kind === 'constant') return compareLength(TURNED[op] ?? op, right, left);
  if (left.kind !== 'length' || right.kind !== 'constant') return undefined;
  const { value } = right;
  const isNone = value === null || value === undefined;
  if (/^[=!]==?$/.test(op)) {
    const isNever = isNone || (typeof value === 'number' && value < 1);
    return isNever ? op.startsWith('!') : undefined;
  }
  if (typeof value !== 'number') return undefined;
  if ((op === '>' && value < 1) || (op === '>=' && value <= 1)) return true;
  return (op === '<' && value <= 1) || (op === '<=' && value < 1) ? false : undefined;
}

/**
 * @param {string} op
 * @param {Symbol_} left
 * @param {Symbol_} right
 * @returns {boolean | undefined} where it compares a list or object with null or undefined
 */
function compareObject(op, left, right) {
  if (!/^[=!]==?$/.test(op)) return undefined;
  const [object, other] = left.kind === 'constant' ? [right, left] : [left, right];
  if (!OBJECTS.has(object.kind) || other.kind !== 'constant') return undefined;
  // `list == '1,2'` compares the list's text.
  if (op.length === 2 && other.value !== null && other.value !== undefined) return undefined;
  return op.startsWith('!');
}

/**
 * @param {string} op
 * @param {Symbol_} left
 * @param {Symbol_} right
 * @returns {boolean | undefined} where it tests whether the value of a row is undefined: values are JSON, which has none
 */
function compareMissing(op, left, right) {
  if (op !== '===' && op !== '!==') return undefined;
  const [of, constant] = left.kind === 'constant' ? [right, left] : [left, right];
  if (constant.kind !== 'constant') return undefined;
  const isType = of.kind === 'unary' && of.op === 'typeof';
  const element = isType ? of.of : of;
  if (element.kind !== 'element' || element.path.length > 0) return undefined;
  return constant.value === (isType ? 'undefined' : undefined) ? op === '!==' : undefined;
}

/**
 * @param {Symbol_} test
 * @param {Symbol_} yes
 * @param {Symbol_} no
 * @returns {Symbol_}
 */
export function choose(test, yes, no) {
  const truth = truthOf(test);
  if (truth !== undefined) return truth ? yes : no;
  if (isSame(yes, no)) return yes;
  if (test.kind === 'unary' && test.op === '!') return choose(test.of, no, yes);
  return bounded({ kind: 'choice', test, yes, no });
}
