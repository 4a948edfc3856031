// Evaluates method calls: of the arrays of rows, of `Math`, and of arrays and objects that the function made.

import { foldPlace, makeFold } from './fold.js';
import { choose, operate } from './operate.js';
import { evaluate } from './run-expression.js';
import { foldTurns } from './run-loop.js';
import { atEnd, memberName, noteUse } from './run-member.js';
import { hasOwn } from './run-names.js';
import { callFunction } from './run-pass.js';
import { Unclear } from './run-state.js';
import { forEachItem, memberNames } from './run-unrolled.js';
import { constant, isSame, opaque, UNDEFINED } from './symbols.js';

/** @import { AnyNode, CallExpression, Expression, SpreadElement } from 'acorn' */
/** @import { Scope } from '../javascript/scope.js' */
/** @import { Budget } from './run-pass.js' */
/** @import { RunState } from './run-state.js' */
/** @import { RowsSymbol, Symbol_ } from './symbols.js' */

/**
 * @param {Budget} budget
 * @param {CallExpression} node
 * @param {Scope} scope
 * @param {RunState} state changed
 * @returns {Symbol_}
 */
export function call(budget, node, scope, state) {
  const callee = /** @type {AnyNode} */ (node.callee);
  if (callee.type === 'MemberExpression') {
    const object = evaluate(budget, callee.object, scope, state);
    const name = memberName(budget, callee, scope, state);
    if (name.kind !== 'constant') throw new Unclear('it calls a method by a computed name');
    return callMethod(budget, object, String(name.value), node.arguments, scope, state);
  }
  const target = evaluate(budget, callee, scope, state);
  if (node.arguments.some(({ type }) => type === 'SpreadElement')) throw new Unclear('it spreads arguments');
  const given = node.arguments.map((item) => evaluate(budget, item, scope, state));
  if (target.kind === 'function') return callFunction(budget, target.node, target.scope, given, state).value;
  if (target.kind !== 'global') throw new Unclear('it calls an unknown function');
  return callGlobal(budget, target.name, given);
}

/**
 * @param {Budget} budget
 * @param {string} name
 * @param {Symbol_[]} given
 * @returns {Symbol_}
 */
function callGlobal(budget, name, [first = UNDEFINED, second]) {
  if (name !== 'log' && name !== 'isArray' && name !== 'Boolean') noteUse(budget, first);
  switch (name) {
    case 'sum':
      return sumOf(first);
    case 'log':
      return UNDEFINED;
    case 'parseFloat':
    case 'Number':
      return ['element', 'first', 'last'].includes(first.kind) || isFixed(first)
        ? { kind: 'unary', op: name, of: first }
        : opaque(`it calls ${name}`);
    case 'isNaN':
    case 'isFinite':
      return { kind: 'unary', op: name, of: first };
    case 'isArray':
      return first.kind === 'rows' ? constant(true) : { kind: 'unary', op: 'isArray', of: first };
    case 'parseInt':
    case 'String':
    case 'Boolean':
    case 'toJSON':
      return opaque(`it calls ${name}${second ? ' with two arguments' : ''}`);
    default:
      throw new Unclear(`it calls \`${name}\``);
  }
}

/**
 * @param {Symbol_} of a fold, which is a number where the values are
 * @param {Symbol_[]} given
 * @returns {Symbol_} the string that `toFixed` makes of it
 */
function fixedPlaces(of, [places]) {
  const isKnown = places?.kind === 'constant' && Number.isInteger(places.value) && Number(places.value) < 10;
  if (!isKnown || Number(places.value) < 0) throw new Unclear('it calls `.toFixed()` with a computed number of digits');
  return { kind: 'unary', op: `toFixed ${places.value}`, of };
}

/** @param {Symbol_} symbol @returns {boolean} */
function isFixed(symbol) {
  return symbol.kind === 'unary' && symbol.op.startsWith('toFixed ');
}

/**
 * @param {Symbol_} list
 * @returns {Symbol_} the sum as the query server's `sum` makes it: 0 plus each (share/server/util.js, 3.5.0)
 */
function sumOf(list) {
  if (list.kind === 'chosen') return makeFold('+', choose(list.test, list.of, constant(0)), constant(0));
  if (list.kind !== 'rows' || list.from !== 0) return opaque('it sums an array of its own');
  return makeFold('+', list.of, constant(0));
}

/**
 * @param {Budget} budget
 * @param {Symbol_} object
 * @param {string} name
 * @param {(Expression | SpreadElement)[]} nodes
 * @param {Scope} scope
 * @param {RunState} state changed
 * @returns {Symbol_}
 */
function callMethod(budget, object, name, nodes, scope, state) {
  if (object.kind === 'global') return callMath(budget, `${object.name}.${name}`, nodes, scope, state);
  if (nodes.some(({ type }) => type === 'SpreadElement')) throw new Unclear('it spreads arguments');
  const given = nodes.map((item) => evaluate(budget, item, scope, state));
  if (object.kind === 'fold' && name === 'toFixed') return fixedPlaces(object, given);
  if (object.kind === 'rows') return callOnRows(budget, object, name, given, state);
  if (object.kind === 'reference') {
    const made = state.heap.get(object.id);
    const [first] = given;
    if (made?.kind === 'object' && name === 'hasOwnProperty' && first) {
      const found = hasOwn(made, first);
      if (found) return found;
    }
    if (made?.kind === 'array' && name === 'forEach' && first?.kind === 'function') {
      forEachItem(budget, object, state, (items, at) => void callFunction(budget, first.node, first.scope, items, at));
      return UNDEFINED;
    }
    if (made?.kind === 'array' && name === 'push') throw new Unclear('it appends to an array');
    throw new Unclear(`it calls \`.${name}()\` on an object`);
  }
  throw new Unclear(`it calls \`.${name}()\` on an unknown value`);
}

/**
 * @param {Budget} budget
 * @param {RowsSymbol} rows
 * @param {string} name
 * @param {Symbol_[]} given
 * @param {RunState} state changed
 * @returns {Symbol_}
 */
function callOnRows(budget, rows, name, [first = UNDEFINED, second], state) {
  if (rows.from !== 0) throw new Unclear('it loops over only some of the rows');
  if (name === 'slice' && first.kind === 'constant' && second === undefined) {
    if (first.value === undefined || first.value === 0) return rows;
    return first.value === 1 ? { ...rows, from: 1 } : opaque('it uses only some of the rows');
  }
  if (name === 'hasOwnProperty' && first.kind === 'index') return constant(true);
  if (name === 'map' && first.kind === 'global' && (first.name === 'Number' || first.name === 'parseFloat')) {
    return { kind: 'rows', of: callGlobal(budget, first.name, [rows.of]), from: 0 };
  }
  if (first.kind !== 'function' || !['forEach', 'map', 'reduce', 'reduceRight', 'filter'].includes(name)) {
    throw new Unclear(`it calls \`.${name}()\` on the rows`);
  }
  const { node, scope } = first;
  /** @param {Symbol_[]} given @param {RunState} at */
  const run = (given, at) => callFunction(budget, node, scope, given, at).value;
  switch (name) {
    case 'forEach':
      state.become(
        foldTurns(budget, state, {
          from: 0,
          isCounted: true,
          run: (turn) => void run([rows.of, { kind: 'index' }, rows], turn),
        }),
      );
      return UNDEFINED;
    case 'map': {
      const before = state.places();
      const of = run([rows.of, { kind: 'index' }, rows], state);
      mustBeUntouched(before, state);
      return of.kind === 'reference' ? opaque('it builds an array of objects') : { kind: 'rows', of, from: 0 };
    }
    case 'filter': {
      const before = state.places();
      const test = run([rows.of, { kind: 'index' }, rows], state);
      mustBeUntouched(before, state);
      return { kind: 'chosen', of: rows.of, test };
    }
    default: {
      if (name === 'reduceRight' && !second) throw new Unclear('`.reduceRight()` starts with the last row');
      if (second?.kind === 'reference') {
        return reduceToShape(
          budget,
          second,
          (accumulator) => run([accumulator, rows.of, { kind: 'index' }, rows], state),
          state,
        );
      }
      const before = state.places();
      /** @type {Symbol_} */
      const accumulator = { kind: 'accumulator', place: 'reduce' };
      const next = run([accumulator, rows.of, { kind: 'index' }, rows], state);
      mustBeUntouched(before, state);
      const start = second ?? atEnd(rows.of, 'first');
      return foldPlace('reduce', next, start, { from: second ? 0 : 1, isStart: () => false });
    }
  }
}

/**
 * A `reduce` from an object or list, whose members are each folded.
 * @param {Budget} budget
 * @param {import('./symbols.js').ReferenceSymbol} start
 * @param {(accumulator: Symbol_) => Symbol_} run one turn
 * @param {RunState} state changed
 * @returns {Symbol_}
 * @throws {Unclear}
 */
function reduceToShape(budget, start, run, state) {
  const made = state.heap.get(start.id);
  if (!made) throw new Unclear('an object could not be followed');
  const before = state.places();
  const id = budget.nextId;
  budget.nextId += 1;
  const places = new Map([...made.members.keys()].map((name) => [name, `reduce ${id} ${name}`]));
  /** @type {(name: string, place: string) => [string, Symbol_]} */
  const accumulate = (name, place) => [name, { kind: 'accumulator', place }];
  const held = new Map([...places].map(([name, place]) => accumulate(name, place)));
  state.heap.set(id, { kind: made.kind, members: new Map(held) });
  const next = run({ kind: 'reference', id });
  mustBeUntouched(before, state);
  const reached = next.kind === 'reference' ? state.heap.get(next.id) : undefined;
  const own = state.heap.get(id);
  if (next.kind !== 'reference' || !reached || !own)
    throw new Unclear('a callback of `.reduce()` returns something other than its accumulator');
  // What one turn changes in the object it is given, and leaves behind for another, is not followed.
  const isChanged =
    own.members.size !== held.size || [...own.members].some(([name, value]) => value !== held.get(name));
  if (next.id !== id && isChanged) throw new Unclear('an object is changed but not returned');
  if (reached.kind !== made.kind || reached.members.size !== made.members.size) {
    throw new Unclear('members are added to an object');
  }
  /** @type {Map<string, Symbol_>} */
  const members = new Map();
  for (const [name, place] of places) {
    const [old, now] = [made.members.get(name), reached.members.get(name)];
    if (!old || !now) throw new Unclear('members are added to an object');
    members.set(name, isSame(now, held.get(name) ?? UNDEFINED) ? old : foldPlace(place, now, old, NO_START));
  }
  if (next.id === id) {
    // It is the object that was given: every holder of that sees the changes.
    state.heap.set(start.id, { kind: made.kind, members });
    return start;
  }
  state.heap.set(id, { kind: made.kind, members });
  return { kind: 'reference', id };
}

/** @type {import('./fold.js').Turn} */
const NO_START = { from: 0, isStart: () => false };

/**
 * @param {Map<string, Symbol_>} before
 * @param {RunState} state
 */
function mustBeUntouched(before, state) {
  const after = state.places();
  for (const [place, value] of before) {
    const now = after.get(place);
    if (!now || (now !== value && !isSame(now, value))) throw new Unclear('a callback changes variables outside of it');
  }
}

/**
 * @param {Budget} budget
 * @param {string} name
 * @param {(Expression | SpreadElement)[]} nodes
 * @param {Scope} scope
 * @param {RunState} state changed
 * @returns {Symbol_}
 */
function callMath(budget, name, nodes, scope, state) {
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
