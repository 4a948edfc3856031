// Loop summaries: recognizes what the iterations of a loop do to a place as one fold over all rows: a sum, the greatest, the least.

import { assuming, comparisonOf } from './decide.js';
import { choose, operate, operateOne } from './operate.js';
import { constant, holds, identity, isSame, opaque, rebuild } from './symbols.js';

/** @import { Symbol_ } from './symbols.js' */

/**
 * What else is known of the loop.
 * @typedef {object} Iteration
 * @property {0 | 1} from the first row that it looks at
 * @property {(test: Symbol_) => boolean} isStart whether a test is true at the first iteration and false after
 */

/**
 * @param {'+' | 'max' | 'min'} op
 * @param {Symbol_} of what is taken of each row
 * @param {Symbol_} start what comes before the first row
 * @param {0 | 1} [from] the first row that is taken
 * @returns {Symbol_}
 */
export function makeFold(op, of, start, from = 0) {
  if (holds(of, isNever)) return makeFold(op, withoutNever(of), start, from);
  if (!isOfRow(of)) return opaque('the loop combines something other than the current row');
  const first = atFirst(of);
  if (op === '+') {
    if (from === 0) return { kind: 'fold', op, of: byCases(of), start };
    // Of one row nothing is added: what is no number stays as it is.
    const isNumber = first.kind !== 'constant' || typeof first.value === 'number';
    return isNumber && isSame(start, first)
      ? { kind: 'fold', op, of, start: constant(0) }
      : opaque('it sums only some of the rows');
  }
  const neutral = op === 'max' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  const isNeutral = start.kind === 'constant' && start.value === neutral;
  if (isSame(start, first) || (isNeutral && from === 0)) return { kind: 'fold', op, of, start: first };
  return from === 0 ? { kind: 'fold', op, of, start } : opaque('it takes the extreme of only some of the rows');
}

/**
 * @param {string} place
 * @param {Symbol_} next what the place holds after an iteration
 * @param {Symbol_} start what it held before the loop
 * @param {Iteration} iteration
 * @returns {Symbol_} what it holds after the loop
 */
export function summarizePlace(place, next, start, iteration) {
  const isOwn = (/** @type {Symbol_} */ symbol) => symbol.kind === 'accumulator' && symbol.place === place;
  const added = addition(next, isOwn);
  if (added) return makeFold('+', added, start, iteration.from);
  const extreme = extremeIn(next, start, isOwn, iteration);
  return extreme ?? opaque('a value is created in a loop');
}

/**
 * @param {Symbol_} next
 * @param {(symbol: Symbol_) => boolean} isOwn
 * @returns {Symbol_ | undefined} what each iteration adds, where it adds something and does nothing else
 */
function addition(next, isOwn) {
  if (isOwn(next)) return constant(0);
  if (next.kind === 'binary' && next.op === '+') {
    const { left, right } = next;
    const [own, other] = holds(left, isOwn) ? [left, right] : [right, left];
    if (holds(other, isAccumulator)) return undefined;
    const before = addition(own, isOwn);
    return before && plus(before, other);
  }
  if (next.kind === 'binary' && next.op === '-' && !holds(next.right, isAccumulator)) {
    const before = addition(next.left, isOwn);
    return before && plus(before, operateOne('-', next.right));
  }
  if (next.kind !== 'choice' || holds(next.test, isAccumulator)) return undefined;
  const [yes, no] = [addition(next.yes, isOwn), addition(next.no, isOwn)];
  return yes && no ? choose(next.test, yes, no) : undefined;
}

/**
 * @param {Symbol_} one
 * @param {Symbol_} other
 * @returns {Symbol_}
 */
function plus(one, other) {
  if (one.kind === 'constant' && one.value === 0) return other;
  return operate('+', one, other);
}

/**
 * @param {Symbol_} next
 * @param {Symbol_} start
 * @param {(symbol: Symbol_) => boolean} isOwn
 * @param {Iteration} iteration
 * @returns {Symbol_ | undefined}
 */
function extremeIn(next, start, isOwn, iteration) {
  if (next.kind !== 'choice') return undefined;
  const { test, yes, no } = next;
  // `if (max === undefined || value > max)`, `if (first) … else if (value > max)`
  const starts = (/** @type {Symbol_} */ symbol) => iteration.isStart(symbol) || testsForStart(symbol, start, isOwn);
  const [head, ...tail] = alternativesOf(test);
  if (head && starts(head)) {
    const rest = tail.length > 0 ? tail.reduceRight((right, left) => choose(left, left, right)) : undefined;
    const inner = rest ? choose(rest, yes, no) : no;
    const found = extremeIn(inner, atFirst(yes), isOwn, { ...iteration, from: 0 });
    return found?.kind === 'fold' && isSame(found.of, yes) ? found : undefined;
  }
  if (test.kind !== 'binary') return undefined;
  const isTurned = isOwn(test.left);
  const value = isTurned ? test.right : test.left;
  if (!isOwn(isTurned ? test.left : test.right) || holds(value, isAccumulator)) return undefined;
  const greater = test.op === '>' || test.op === '>=';
  if (!greater && test.op !== '<' && test.op !== '<=') return undefined;
  const takesGreater = greater !== isTurned;
  if (isSame(yes, value) && isOwn(no)) return makeFold(takesGreater ? 'max' : 'min', value, start, iteration.from);
  if (isOwn(yes) && isSame(no, value)) return makeFold(takesGreater ? 'min' : 'max', value, start, iteration.from);
  return undefined;
}

/**
 * @param {Symbol_} test
 * @returns {Symbol_[]} `a`, `b` of `a || b`
 */
function alternativesOf(test) {
  if (test.kind !== 'choice' || !isSame(test.test, test.yes)) return [test];
  return [...alternativesOf(test.test), ...alternativesOf(test.no)];
}

/**
 * @param {Symbol_} test
 * @param {Symbol_} start
 * @param {(symbol: Symbol_) => boolean} isOwn
 * @returns {boolean} whether it tests if the place holds what it held before the loop, null or undefined
 */
function testsForStart(test, start, isOwn) {
  if (test.kind !== 'binary' || start.kind !== 'constant' || (start.value !== null && start.value !== undefined)) {
    return false;
  }
  const [own, other] = isOwn(test.left) ? [test.left, test.right] : [test.right, test.left];
  if (!isOwn(own) || other.kind !== 'constant') return false;
  return test.op === '===' ? other.value === start.value : test.op === '==' && (other.value ?? null) === null;
}

/** @param {Symbol_} symbol */
export function isAccumulator({ kind }) {
  return kind === 'accumulator';
}

/** @param {Symbol_} symbol @returns {boolean} */
function isNever({ kind }) {
  return kind === 'never';
}

/**
 * @param {Symbol_} symbol
 * @returns {Symbol_} without the cases that the conditions rule out
 */
function withoutNever(symbol) {
  const left = rebuild(symbol, (part) => {
    if (part.kind !== 'choice') return part;
    if (isNever(part.yes)) return part.no;
    return isNever(part.no) ? part.yes : part;
  });
  return holds(left, isNever) ? opaque('a value that no row can have') : left;
}

/**
 * @param {Symbol_} of
 * @returns {boolean} whether it is made of the row at hand and constants alone
 */
function isOfRow(of) {
  const others = new Set([
    'accumulator',
    'first',
    'last',
    'length',
    'index',
    'name',
    'key',
    'opaque',
    'fold',
    'reference',
    'function',
    'global',
    'rows',
    'chosen',
  ]);
  return !holds(of, ({ kind }) => others.has(kind));
}

/**
 * @param {Symbol_} of
 * @returns {Symbol_} the same of the first row
 */
function atFirst(of) {
  return rebuild(of, (part) => (part.kind === 'element' ? { kind: 'first', path: part.path } : part));
}

/** Values that are compared, one within the cases of another. */
const MAX_DEPTH = 3;

/**
 * @param {Symbol_} symbol
 * @param {number} [depth]
 * @returns {Symbol_}
 */
function byCases(symbol, depth = 0) {
  const compared = comparisonsIn(symbol);
  const first = compared.find(({ isStrict }) => isStrict) ?? compared[0];
  if (!first || depth === MAX_DEPTH) return symbol;
  const { of, isStrict } = first;
  const own = compared.filter((other) => other.isStrict === isStrict && identity(other.of) === identity(of));
  const tests = [...new Set(own.map(({ name }) => name))].map((name) =>
    operate(isStrict ? '===' : '==', of, constant(name)),
  );
  const none = byCases(
    tests.reduce((rest, test) => assuming(rest, test, false), symbol),
    depth + 1,
  );
  /** @type {{tests: Symbol_[], result: Symbol_}[]} */
  const cases = [];
  for (const test of tests) {
    const result = byCases(assuming(symbol, test, true), depth + 1);
    if (isSame(result, none)) continue;
    const known = cases.find((other) => isSame(other.result, result));
    if (known) known.tests.push(test);
    else cases.push({ tests: [test], result });
  }
  return cases.reduceRight(
    (rest, { tests: some, result }) =>
      choose(
        some.reduceRight((or, test) => choose(test, test, or)),
        result,
        rest,
      ),
    none,
  );
}

/**
 * @param {Symbol_} symbol
 * @returns {import('./decide.js').Comparison[]} of values of the row at hand
 */
function comparisonsIn(symbol) {
  /** @type {import('./decide.js').Comparison[]} */
  const found = [];
  holds(symbol, (part) => {
    const comparison = comparisonOf(part);
    if (comparison?.of.kind === 'element') found.push(comparison);
    return false;
  });
  return found;
}
