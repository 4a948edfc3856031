// Evaluates calls of `Math`, `Number`, `Array` and the like to symbols.

import { makeFold } from './fold.js';
import { choose, operate } from './operate.js';
import { evaluate } from './run-expression.js';
import { atEnd, noteUse } from './run-member.js';
import { Unclear } from './run-state.js';
import { memberNames } from './run-unrolled.js';
import { constant, opaque, UNDEFINED } from './symbols.js';

/** @import { Expression, SpreadElement } from 'acorn' */
/** @import { Scope } from '../javascript/scope.js' */
/** @import { Budget } from './run-pass.js' */
/** @import { RunState } from './run-state.js' */
/** @import { Symbol_ } from './symbols.js' */

/**
 * @param {Budget} budget
 * @param {string} name
 * @param {(Expression | SpreadElement)[]} nodes
 * @param {Scope} scope
 * @param {RunState} state changed
 * @returns {Symbol_}
 */
export function callMath(budget, name, nodes, scope, state) {
  const isExtreme = /^Math\.(max|min)(\.apply|\.call)?$/.exec(name);
  const op = /** @type {'max' | 'min'} */ (isExtreme?.[1]);
  const [only] = nodes;
  if (isExtreme && nodes.length === 1 && only?.type === 'SpreadElement') {
    return extremeOf(op, evaluate(budget, only.argument, scope, state));
  }
  if (nodes.some(({ type }) => type === 'SpreadElement')) throw new Unclear('it spreads arguments');
  const given = nodes.map((item) => evaluate(budget, item, scope, state));
  if (name === 'Object.keys') return keysOf(budget, given[0] ?? UNDEFINED, state);
  if (name !== 'Array.isArray') for (const item of given) noteUse(budget, item);
  const [first = UNDEFINED, second] = given;
  if (isExtreme?.[2] === '.apply') return second ? extremeOf(op, second) : opaque(`it calls ${name}`);
  if (isExtreme && !isExtreme[2] && second && given.length === 2) return extremeOfTwo(op, first, second);
  if (name === 'Array.isArray') return { kind: 'unary', op: 'isArray', of: first };
  if (name === 'Number.isFinite' || name === 'Number.isNaN') return { kind: 'unary', op: name.slice(7), of: first };
  if (name === 'Math.round' && given.length === 1) return { kind: 'unary', op: name, of: first };
  if (name === 'Math.pow' && second?.kind === 'constant' && second.value === 2) return operate('*', first, first);
  if (/^(Math|Number|JSON)\./.test(name)) return opaque(`it calls ${name}`);
  throw new Unclear(`it calls \`${name}\``);
}

/**
 * @param {Budget} budget
 * @param {Symbol_} object
 * @param {RunState} state changed
 * @returns {Symbol_} a list of the names of its members, where all are known
 */
function keysOf(budget, object, state) {
  noteUse(budget, object);
  const names = memberNames(budget, object, state);
  if (!names) return opaque('it calls Object.keys');
  const id = budget.nextId;
  budget.nextId += 1;
  state.heap.set(id, { kind: 'array', members: new Map(names.map((name, at) => [String(at), constant(name)])) });
  return { kind: 'reference', id };
}

/**
 * @param {'max' | 'min'} op
 * @param {Symbol_} first
 * @param {Symbol_} second
 * @returns {Symbol_} as a choice, by which loops are recognised: the same where both are numbers
 */
function extremeOfTwo(op, first, second) {
  const [one, other] = [first, second].map((item) => (item.kind === 'constant' ? constant(Number(item.value)) : item));
  if (!one || !other) return opaque('an extreme');
  const isNot = (/** @type {Symbol_} */ item) => item.kind === 'constant' && Number.isNaN(item.value);
  if (isNot(one) || isNot(other)) return constant(Number.NaN);
  return choose(operate(op === 'max' ? '>' : '<', one, other), one, other);
}

/**
 * @param {'max' | 'min'} op
 * @param {Symbol_} list
 * @returns {Symbol_}
 */
function extremeOf(op, list) {
  if (list.kind !== 'rows' || list.from !== 0) return opaque(`it takes the ${op} of an array of its own`);
  return makeFold(op, list.of, atEnd(list.of, 'first'));
}
