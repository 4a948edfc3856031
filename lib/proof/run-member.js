// Reads members of what a reduce reads or made as symbols, and stores what is assigned to them.

import { bindingAt } from '../javascript/names.js';
import { makeFold } from './loop-summary.js';
import { choose, operate } from './operate.js';
import { evaluate, GLOBALS } from './run-expression.js';
import { readByName, writeByName, writeToChosen } from './run-names.js';
import { EvaluationBailout } from './run-state.js';
import { isConstant, isLexical } from './self-contained.js';
import { constant, LENGTH, NEVER, opaque, partsOf, rebuild, UNDEFINED } from './symbols.js';

/** @import { AnyNode, MemberExpression } from 'acorn' */
/** @import { Scope } from '../javascript/scope.js' */
/** @import { EvaluationContext } from './run-pass.js' */
/** @import { Made, RunState } from './run-state.js' */
/** @import { Symbol_ } from './symbols.js' */

/** What every object, or list, has without having it made. */
const INHERITED = {
  object: new Set(Object.getOwnPropertyNames(Object.prototype)),
  array: new Set([...Object.getOwnPropertyNames(Object.prototype), ...Object.getOwnPropertyNames(Array.prototype)]),
};

/**
 * Notes that the function does something with values of rows that some values cannot stand: it reads their members, or
 * computes with them.
 * @param {EvaluationContext} context changed
 * @param {Symbol_} symbol
 */
export function noteUse(context, symbol) {
  if (symbol.kind === 'element' || symbol.kind === 'first' || symbol.kind === 'last')
    context.used.set(JSON.stringify(symbol.path), symbol.path);
  // What a test does with values was noted where it was made.
  const parts = symbol.kind === 'choice' ? [symbol.yes, symbol.no] : partsOf(symbol);
  for (const part of parts) noteUse(context, part);
}

/**
 * @param {EvaluationContext} context
 * @param {MemberExpression} node
 * @param {Scope} scope
 * @param {RunState} state
 * @returns {Symbol_}
 */
export function memberName(context, { property, computed }, scope, state) {
  if (computed) return evaluate(context, property, scope, state);
  if (property.type !== 'Identifier') throw new EvaluationBailout('it reads a private member');
  return constant(property.name);
}

/**
 * @param {EvaluationContext} context
 * @param {Symbol_} object
 * @param {Symbol_} name
 * @param {RunState} state
 * @returns {Symbol_}
 * @throws {EvaluationBailout}
 */
export function readMember(context, object, name, state) {
  if (object.kind === 'rows') return readRow(object, name);
  if (object.kind === 'chosen') {
    const isLength = name.kind === 'constant' && name.value === 'length';
    return isLength
      ? makeFold('+', choose(object.test, constant(1), constant(0)), constant(0))
      : opaque('it picks a row');
  }
  if (object.kind === 'never') return NEVER;
  if (name.kind === 'choice') {
    const [yes, no] = inBranches(context, name.test, [name.yes, name.no], (one) =>
      readMember(context, object, one, state),
    );
    return choose(name.test, yes, no);
  }
  if (object.kind === 'choice') {
    const [yes, no] = inBranches(context, object.test, [object.yes, object.no], (one) =>
      readMember(context, one, name, state),
    );
    return choose(object.test, yes, no);
  }
  noteUse(context, object);
  if (name.kind !== 'constant') {
    const made = object.kind === 'reference' ? state.heap.get(object.id) : undefined;
    const chosen = made && name.kind === 'element' ? readByName(context, made, name) : undefined;
    if (chosen) return chosen;
    if (!isObject(object)) throw new EvaluationBailout('it reads a member by a computed name');
    return opaque('it reads a member by a computed name');
  }
  return readKey(object, String(name.value), state);
}

/**
 * @param {Symbol_} object
 * @param {string} key
 * @param {RunState} state
 * @returns {Symbol_}
 * @throws {EvaluationBailout}
 */
function readKey(object, key, state) {
  switch (object.kind) {
    case 'element':
    case 'first':
    case 'last':
      // A text or list has a length of its own, which is no member of an object.
      if (INHERITED.array.has(key)) return opaque('it reads a member that every value inherits');
      return { ...object, path: [...object.path, key] };
    case 'key':
      return opaque('it reads a part of a key');
    case 'reference': {
      const made = state.heap.get(object.id);
      if (made?.kind === 'array' && key === 'length') return constant(made.members.size);
      const member = made?.members.get(key);
      if (!member && made && INHERITED[made.kind].has(key))
        throw new EvaluationBailout('it reads a member that every object inherits');
      return member ?? UNDEFINED;
    }
    case 'global':
      if (object.name === 'Number') {
        if (key === 'MAX_VALUE') return constant(Number.MAX_VALUE);
        if (key === 'MIN_VALUE') return constant(Number.MIN_VALUE);
        if (key === 'POSITIVE_INFINITY') return constant(Number.POSITIVE_INFINITY);
        if (key === 'NEGATIVE_INFINITY') return constant(Number.NEGATIVE_INFINITY);
      }
      return { kind: 'global', name: `${object.name}.${key}` };
    case 'length':
    case 'index':
    case 'name':
    case 'function':
      return opaque('it reads a member of a computed value');
    default:
      throw new EvaluationBailout('it reads a member of a value that may be null');
  }
}

/** @param {Symbol_} symbol whether it has members without doubt @returns {boolean} */
function isObject({ kind }) {
  return kind === 'reference' || kind === 'key';
}

/**
 * @param {import('./symbols.js').RowsSymbol} rows
 * @param {Symbol_} name
 * @returns {Symbol_}
 */
function readRow({ of, from }, name) {
  if (name.kind === 'index' || name.kind === 'name')
    return from === 0 ? of : opaque('it reads a row of only some of the rows');
  if (name.kind === 'constant') {
    if (name.value === 'length') return from === 0 ? LENGTH : operate('-', LENGTH, constant(1));
    if ((name.value === 0 || name.value === '0') && from === 0) return atEnd(of, 'first');
    return opaque('it reads a row by its position');
  }
  const isLast =
    name.kind === 'binary' &&
    name.op === '-' &&
    name.left.kind === 'length' &&
    name.right.kind === 'constant' &&
    name.right.value === 1;
  return isLast && from === 0 ? atEnd(of, 'last') : opaque('it reads a row by a computed position');
}

/**
 * @param {Symbol_} of what is taken of each row
 * @param {'first' | 'last'} end
 * @returns {Symbol_} the same of that row
 */
export function atEnd(of, end) {
  return rebuild(of, (part) => {
    if (part.kind === 'element') return { kind: end, path: part.path };
    return part.kind === 'key' || part.kind === 'index' || part.kind === 'name'
      ? opaque('it reads the key of one row')
      : part;
  });
}

/**
 * @param {EvaluationContext} context
 * @param {AnyNode} target
 * @param {Symbol_} value
 * @param {Scope} scope
 * @param {RunState} state changed
 * @throws {EvaluationBailout}
 */
export function write(context, target, value, scope, state) {
  if (target.type === 'ParenthesizedExpression') {
    write(context, target.expression, value, scope, state);
    return;
  }
  if (target.type === 'Identifier') {
    writeName(context, target, value, scope, state);
    return;
  }
  if (target.type !== 'MemberExpression') throw new EvaluationBailout('it assigns by destructuring');
  const object = evaluate(context, target.object, scope, state);
  writeTo(context, object, memberName(context, target, scope, state), value, state);
}

/**
 * @param {EvaluationContext} context
 * @param {import('acorn').Identifier} target
 * @param {Symbol_} value
 * @param {Scope} scope
 * @param {RunState} state changed
 * @throws {EvaluationBailout} where that throws: of a constant, and of what is not declared yet
 */
function writeName(context, target, value, scope, state) {
  const binding = bindingAt(target, context.names);
  const variable = scope.find(target.name);
  if (binding && isConstant(binding, context.names)) throw new EvaluationBailout(`\`${target.name}\` is a constant`);
  if (binding && variable && !state.variables.has(variable) && isLexical(binding, context.names))
    throw new EvaluationBailout(`\`${target.name}\` may not be initialized yet`);
  state.variables.set(variable ?? declareFree(context, target.name, scope), value);
}

/**
 * @param {EvaluationContext} context
 * @param {Symbol_} object
 * @param {Symbol_} name
 * @param {Symbol_} value
 * @param {RunState} state changed
 * @throws {EvaluationBailout}
 */
export function writeTo(context, object, name, value, state) {
  const madeOf = (/** @type {Symbol_} */ symbol) =>
    symbol.kind === 'reference' ? state.heap.get(symbol.id) : undefined;
  if (object.kind === 'choice') {
    writeToChosen(context, object, value, madeOf, (made, _, own) => writeNamed(context, made, name, own));
    return;
  }
  const made = madeOf(object);
  if (!made) throw new EvaluationBailout('it assigns to a member');
  writeNamed(context, made, name, value);
}

/**
 * @param {EvaluationContext} context
 * @param {Made} made changed
 * @param {Symbol_} name
 * @param {Symbol_} value
 * @throws {EvaluationBailout}
 */
function writeNamed(context, made, name, value) {
  if (name.kind === 'constant') writeMember(made, String(name.value), value);
  else if (name.kind === 'element') writeByName(context, made, name, value);
  else if (name.kind === 'choice')
    writeToChosen(
      context,
      name,
      value,
      () => made,
      (own, leaf, chosen) => writeNamed(context, own, leaf, chosen),
    );
  else throw new EvaluationBailout('it assigns to a member by a computed name');
}

/**
 * @template T, R
 * @param {EvaluationContext} context
 * @param {Symbol_} test
 * @param {[T, T]} sides
 * @param {(side: T) => R} run
 * @returns {[R, R]} what comes of each side, run as where the test came to that
 */
export function inBranches(context, test, [yes, no], run) {
  const { path } = context;
  context.path = [...path, [test, true]];
  const first = run(yes);
  context.path = [...path, [test, false]];
  const second = run(no);
  context.path = path;
  return [first, second];
}

/**
 * @param {Made} made changed
 * @param {string} key
 * @param {Symbol_} value
 */
function writeMember(made, key, value) {
  if (INHERITED[made.kind].has(key)) throw new EvaluationBailout('it overwrites a member that every object inherits');
  // Lists stay without gaps.
  if (made.kind === 'array' && !made.members.has(key) && key !== String(made.members.size)) {
    throw new EvaluationBailout('it leaves a hole in an array');
  }
  made.members.set(key, value);
}

/**
 * A name that is declared nowhere is there from now on, until the call is over.
 * @param {EvaluationContext} context
 * @param {string} name
 * @param {Scope} scope
 * @returns {symbol}
 */
function declareFree(context, name, scope) {
  if (GLOBALS.has(name)) throw new EvaluationBailout(`it assigns to \`${name}\``);
  if (context.isStrict) throw new EvaluationBailout(`\`${name}\` is not declared`);
  let top = scope;
  while (top.parent) top = top.parent;
  const variable = top.declare(name);
  context.undeclared.add(variable);
  return variable;
}
