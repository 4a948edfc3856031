// Evaluates method calls: of the arrays of rows, of `Math`, and of arrays and objects that the function made.

import { makeFold } from './loop-summary.js';
import { choose, operate } from './operate.js';
import { evaluate } from './run-expression.js';
import { atEnd, memberName, noteUse } from './run-member.js';
import { hasOwn } from './run-names.js';
import { callFunction } from './run-pass.js';
import { callOnRows } from './run-rows.js';
import { EvaluationBailout } from './run-state.js';
import { forEachItem, memberNames } from './run-unrolled.js';
import { constant, isSame, opaque, UNDEFINED } from './symbols.js';

/** @import { AnyNode, CallExpression, Expression, SpreadElement } from 'acorn' */
/** @import { Scope } from '../javascript/scope.js' */
/** @import { EvaluationContext } from './run-pass.js' */
/** @import { RunState } from './run-state.js' */
/** @import { Symbol_ } from './symbols.js' */

/**
 * @param {EvaluationContext} context
 * @param {CallExpression} node
 * @param {Scope} scope
 * @param {RunState} state changed
 * @returns {Symbol_}
 */
export function call(context, node, scope, state) {
  const callee = /** @type {AnyNode} */ (node.callee);
  if (callee.type === 'MemberExpression') {
    const object = evaluate(context, callee.object, scope, state);
    const name = memberName(context, callee, scope, state);
    if (name.kind !== 'constant') throw new EvaluationBailout('it calls a method by a computed name');
    return callMethod(context, object, String(name.value), node.arguments, scope, state);
  }
  const target = evaluate(context, callee, scope, state);
  if (node.arguments.some(({ type }) => type === 'SpreadElement')) throw new EvaluationBailout('it spreads arguments');
  const given = node.arguments.map((item) => evaluate(context, item, scope, state));
  if (target.kind === 'function') return callFunction(context, target.node, target.scope, given, state).value;
  if (target.kind !== 'global') throw new EvaluationBailout('it calls an unknown function');
  return callGlobal(context, target.name, given);
}

/**
 * @param {EvaluationContext} context
 * @param {string} name
 * @param {Symbol_[]} given
 * @returns {Symbol_}
 */
export function callGlobal(context, name, [first = UNDEFINED, second]) {
  if (name !== 'log' && name !== 'isArray' && name !== 'Boolean') noteUse(context, first);
  switch (name) {
    case 'sum':
      return sumOf(first);
    case 'log':
      return UNDEFINED;
    case 'parseFloat':
    case 'Number':
      return ['element', 'first', 'last', 'fold'].includes(first.kind) || isFixed(first)
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
      throw new EvaluationBailout(`it calls \`${name}\``);
  }
}

/**
 * @param {Symbol_} of a fold, which is a number where the values are
 * @param {Symbol_[]} given
 * @returns {Symbol_} the string that `toFixed` makes of it
 */
function fixedPlaces(of, [places]) {
  const isKnown = places?.kind === 'constant' && Number.isInteger(places.value) && Number(places.value) < 10;
  if (!isKnown || Number(places.value) < 0)
    throw new EvaluationBailout('it calls `.toFixed()` with a computed number of digits');
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
  if (list.kind !== 'rows') return opaque('it sums an array of its own');
  const whole = makeFold('+', list.of, constant(0));
  return list.from === 0 ? whole : operate('-', whole, atEnd(list.of, 'first'));
}

/**
 * @param {EvaluationContext} context
 * @param {Symbol_} object
 * @param {string} name
 * @param {(Expression | SpreadElement)[]} nodes
 * @param {Scope} scope
 * @param {RunState} state changed
 * @returns {Symbol_}
 */
function callMethod(context, object, name, nodes, scope, state) {
  if (object.kind === 'global') return callMath(context, `${object.name}.${name}`, nodes, scope, state);
  if (nodes.some(({ type }) => type === 'SpreadElement')) throw new EvaluationBailout('it spreads arguments');
  const given = nodes.map((item) => evaluate(context, item, scope, state));
  if (object.kind === 'fold' && name === 'toFixed') return fixedPlaces(object, given);
  if (object.kind === 'rows' || object.kind === 'chosen') return callOnRows(context, object, name, given, state);
  if (object.kind === 'reference') {
    const made = state.heap.get(object.id);
    const [first] = given;
    if (made?.kind === 'object' && name === 'hasOwnProperty' && first) {
      const found = hasOwn(made, first);
      if (found) return found;
    }
    if (made?.kind === 'array' && name === 'forEach' && first?.kind === 'function') {
      forEachItem(
        context,
        object,
        state,
        (items, at) => void callFunction(context, first.node, first.scope, items, at),
      );
      return UNDEFINED;
    }
    // `[].concat(values)` copies the rows; of one value it would make an array.
    if (made?.kind === 'array' && name === 'concat' && made.members.size === 0 && given.length === 1 && first) {
      if (first.kind === 'rows' || first.kind === 'chosen') return first;
    }
    if (made?.kind === 'array' && name === 'push') throw new EvaluationBailout('it appends to an array');
    throw new EvaluationBailout(`it calls \`.${name}()\` on an object`);
  }
  throw new EvaluationBailout(`it calls \`.${name}()\` on an unknown value`);
}

/**
 * @param {EvaluationContext} context
 * @param {string} name
 * @param {(Expression | SpreadElement)[]} nodes
 * @param {Scope} scope
 * @param {RunState} state changed
 * @returns {Symbol_}
 */
function callMath(context, name, nodes, scope, state) {
  const isExtreme = /^Math\.(max|min)(\.apply|\.call)?$/.exec(name);
  const op = /** @type {'max' | 'min'} */ (isExtreme?.[1]);
  if (isExtreme && !isExtreme[2] && nodes.some(({ type }) => type === 'SpreadElement')) {
    return extremeOfMany(
      context,
      op,
      nodes.map((item) => ({
        isSpread: item.type === 'SpreadElement',
        value: evaluate(context, item.type === 'SpreadElement' ? item.argument : item, scope, state),
      })),
    );
  }
  if (nodes.some(({ type }) => type === 'SpreadElement')) throw new EvaluationBailout('it spreads arguments');
  const given = nodes.map((item) => evaluate(context, item, scope, state));
  // It may call them: `JSON.stringify(values, function (name, value) { … })`
  if (given.some(({ kind }) => kind === 'function')) throw new EvaluationBailout(`it passes a function to \`${name}\``);
  if (name === 'Object.keys') return keysOf(context, given[0] ?? UNDEFINED, state);
  if (name !== 'Array.isArray') for (const item of given) noteUse(context, item);
  const [first = UNDEFINED, second] = given;
  if (name === 'Array.from' && given.length === 1 && (first.kind === 'rows' || first.kind === 'chosen')) return first;
  if (isExtreme?.[2] === '.apply' && second) return extremeOfMany(context, op, [{ isSpread: true, value: second }]);
  if (isExtreme && !isExtreme[2] && second && given.length === 2) return extremeOfTwo(op, first, second);
  if (name === 'Array.isArray') return { kind: 'unary', op: 'isArray', of: first };
  if (name === 'Number.isFinite' || name === 'Number.isNaN') return { kind: 'unary', op: name.slice(7), of: first };
  if (name === 'Math.round' && given.length === 1) return { kind: 'unary', op: name, of: first };
  if (name === 'Math.pow' && second?.kind === 'constant' && second.value === 2) return operate('*', first, first);
  if (/^(Math|Number)\.|^JSON\.stringify$/.test(name)) return opaque(`it calls ${name}`);
  throw new EvaluationBailout(`it calls \`${name}\``);
}

/**
 * @param {EvaluationContext} context
 * @param {Symbol_} object
 * @param {RunState} state changed
 * @returns {Symbol_} a list of the names of its members, where all are known
 */
function keysOf(context, object, state) {
  noteUse(context, object);
  const names = memberNames(context, object, state);
  if (!names) return opaque('it calls Object.keys');
  const id = context.nextId;
  context.nextId += 1;
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
 * @param {EvaluationContext} context
 * @param {'max' | 'min'} op
 * @param {{isSpread: boolean, value: Symbol_}[]} given
 * @returns {Symbol_}
 * @throws {EvaluationBailout} where what is spread may be no array
 */
function extremeOfMany(context, op, given) {
  for (const { value } of given) noteUse(context, value);
  const lists = given.filter(({ isSpread }) => isSpread).map(({ value }) => value);
  const others = given.filter(({ isSpread }) => !isSpread).map(({ value }) => value);
  if (lists.some(({ kind }) => kind !== 'rows' && kind !== 'chosen'))
    throw new EvaluationBailout('it spreads arguments');
  const [list] = lists;
  if (lists.length > 1 || list?.kind !== 'rows') return opaque(`it takes the ${op} of an array of its own`);
  const first = atEnd(list.of, 'first');
  // What any number exceeds changes nothing.
  const neutral = constant(op === 'max' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY);
  const further = others.filter((item) => !isSame(item, neutral) && !(list.from === 0 && isSame(item, first)));
  if (list.from === 0)
    return makeFold(
      op,
      list.of,
      further.length === 0 ? first : further.length === 1 ? (further[0] ?? first) : opaque('more'),
    );
  return makeFold(op, list.of, further.length === 1 ? (further[0] ?? first) : opaque('an extreme of some rows'), 1);
}
