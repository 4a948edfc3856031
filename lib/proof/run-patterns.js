// Binds the names of declarations, parameters and assignments to values, and takes the values apart that patterns name parts of.

import { someNode } from '../javascript/walk.js';
import { operate, truthOf } from './operate.js';
import { chooseBetween, evaluate } from './run-expression.js';
import { noteUse, readMember, write } from './run-member.js';
import { Unclear } from './run-state.js';
import { constant, UNDEFINED } from './symbols.js';

/** @import { AnyNode, ArrayPattern, AssignmentPattern, ObjectPattern } from 'acorn' */
/** @import { Scope } from '../javascript/scope.js' */
/** @import { Budget } from './run-pass.js' */
/** @import { RunState } from './run-state.js' */
/** @import { Symbol_ } from './symbols.js' */

/**
 * @param {Budget} budget
 * @param {AnyNode} pattern of a declaration, a parameter or `catch`; or the target of an assignment
 * @param {Symbol_} value
 * @param {Scope} scope
 * @param {RunState} state changed
 * @param {boolean} [isAssigned] whether the names were declared elsewhere
 * @throws {Unclear}
 */
export function bindPattern(budget, pattern, value, scope, state, isAssigned = false) {
  const bind = (/** @type {AnyNode} */ inner, /** @type {Symbol_} */ part) =>
    bindPattern(budget, inner, part, scope, state, isAssigned);
  switch (pattern.type) {
    case 'Identifier':
      if (isAssigned) write(budget, pattern, value, scope, state);
      else state.variables.set(scope.find(pattern.name) ?? scope.declare(pattern.name), value);
      return;
    case 'AssignmentPattern':
      bind(pattern.left, valueOrDefault(budget, pattern, value, scope, state));
      return;
    case 'ObjectPattern':
      bindMembers(budget, pattern, value, state, bind);
      return;
    case 'ArrayPattern':
      bindItems(budget, pattern, value, state, bind);
      return;
    default:
      if (!isAssigned) throw new Unclear('a pattern is not supported');
      write(budget, pattern, value, scope, state);
  }
}

/**
 * @param {Budget} budget
 * @param {AssignmentPattern} pattern
 * @param {Symbol_} value
 * @param {Scope} scope
 * @param {RunState} state changed
 * @returns {Symbol_}
 */
function valueOrDefault(budget, { right }, value, scope, state) {
  // Its scope is not that of the function's body.
  if (someNode(right, ({ type }) => type === 'FunctionExpression' || type === 'ArrowFunctionExpression'))
    throw new Unclear('a default value is a function');
  const isMissing = operate('===', value, UNDEFINED);
  const truth = truthOf(isMissing);
  if (truth !== undefined) return truth ? evaluate(budget, right, scope, state) : value;
  return chooseBetween(budget, isMissing, state, [(at) => evaluate(budget, right, scope, at), () => value]);
}

/** @typedef {(inner: AnyNode, part: Symbol_) => void} Bind */

/**
 * @param {Budget} budget
 * @param {ObjectPattern} pattern
 * @param {Symbol_} value
 * @param {RunState} state
 * @param {Bind} bind
 */
function bindMembers(budget, { properties }, value, state, bind) {
  if (properties.length === 0) throw new Unclear('an empty pattern may throw');
  for (const property of properties) {
    if (property.type !== 'Property' || property.computed)
      throw new Unclear('a pattern takes members by computed names');
    const { key } = property;
    if (key.type !== 'Identifier' && key.type !== 'Literal') throw new Unclear('a member has a computed name');
    const name = key.type === 'Identifier' ? key.name : String(key.value);
    bind(property.value, readMember(budget, value, constant(name), state));
  }
}

/**
 * @param {Budget} budget
 * @param {ArrayPattern} pattern
 * @param {Symbol_} value
 * @param {RunState} state
 * @param {Bind} bind
 */
function bindItems(budget, { elements }, value, state, bind) {
  const made = value.kind === 'reference' ? state.heap.get(value.id) : undefined;
  const isRow = value.kind === 'element' || value.kind === 'first' || value.kind === 'last';
  if (elements.length === 0 || !(value.kind === 'rows' || made?.kind === 'array' || isRow))
    throw new Unclear('a pattern takes apart something other than an array');
  for (const [at, element] of elements.entries()) {
    if (!element) continue;
    if (element.type === 'RestElement') {
      bind(element.argument, itemsFrom(value, at));
      continue;
    }
    const item = readMember(budget, value, constant(at), state);
    // Only an array has them without doubt: a number, or an object, cannot be taken apart so.
    if (isRow) noteUse(budget, item);
    bind(element, item);
  }
}

/**
 * @param {Symbol_} list
 * @param {number} at
 * @returns {Symbol_} what the pattern leaves
 */
function itemsFrom(list, at) {
  if (list.kind !== 'rows' || list.from + at > 1) throw new Unclear('a pattern takes the rest of an array');
  return { ...list, from: list.from === 1 || at === 1 ? 1 : 0 };
}
