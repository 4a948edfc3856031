// Binds the names of declarations, parameters and assignments to values, and takes the values apart that patterns name parts of.

import { someNode } from '../javascript/walk.js';
import { operate, truthOf } from './operate.js';
import { chooseBetween, evaluate } from './run-expression.js';
import { noteUse, readMember, write } from './run-member.js';
import { EvaluationBailout } from './run-state.js';
import { constant, UNDEFINED } from './symbols.js';

/** @import { AnyNode, ArrayPattern, AssignmentPattern, ObjectPattern } from 'acorn' */
/** @import { Scope } from '../javascript/scope.js' */
/** @import { EvaluationContext } from './run-pass.js' */
/** @import { RunState } from './run-state.js' */
/** @import { Symbol_ } from './symbols.js' */

/**
 * @param {EvaluationContext} context
 * @param {AnyNode} pattern of a declaration, a parameter or `catch`; or the target of an assignment
 * @param {Symbol_} value
 * @param {Scope} scope
 * @param {RunState} state changed
 * @param {boolean} [isAssigned] whether the names were declared elsewhere
 * @throws {EvaluationBailout}
 */
export function bindPattern(context, pattern, value, scope, state, isAssigned = false) {
  const bind = (/** @type {AnyNode} */ inner, /** @type {Symbol_} */ part) =>
    bindPattern(context, inner, part, scope, state, isAssigned);
  switch (pattern.type) {
    case 'Identifier':
      if (isAssigned) write(context, pattern, value, scope, state);
      else state.variables.set(scope.find(pattern.name) ?? scope.declare(pattern.name), value);
      return;
    case 'AssignmentPattern':
      bind(pattern.left, valueOrDefault(context, pattern, value, scope, state));
      return;
    case 'ObjectPattern':
      bindMembers(context, pattern, value, state, bind);
      return;
    case 'ArrayPattern':
      bindItems(context, pattern, value, state, bind);
      return;
    default:
      if (!isAssigned) throw new EvaluationBailout('a pattern is not supported');
      write(context, pattern, value, scope, state);
  }
}

/**
 * @param {EvaluationContext} context
 * @param {AssignmentPattern} pattern
 * @param {Symbol_} value
 * @param {Scope} scope
 * @param {RunState} state changed
 * @returns {Symbol_}
 */
function valueOrDefault(context, { right }, value, scope, state) {
  // Its scope is not that of the function's body.
  if (someNode(right, ({ type }) => type === 'FunctionExpression' || type === 'ArrowFunctionExpression'))
    throw new EvaluationBailout('a default value is a function');
  const isMissing = operate('===', value, UNDEFINED);
  const truth = truthOf(isMissing);
  if (truth !== undefined) return truth ? evaluate(context, right, scope, state) : value;
  return chooseBetween(context, isMissing, state, [(at) => evaluate(context, right, scope, at), () => value]);
}

/** @typedef {(inner: AnyNode, part: Symbol_) => void} Bind */

/**
 * @param {EvaluationContext} context
 * @param {ObjectPattern} pattern
 * @param {Symbol_} value
 * @param {RunState} state
 * @param {Bind} bind
 */
function bindMembers(context, { properties }, value, state, bind) {
  if (properties.length === 0) throw new EvaluationBailout('an empty pattern may throw');
  for (const property of properties) {
    if (property.type !== 'Property' || property.computed)
      throw new EvaluationBailout('a pattern takes members by computed names');
    const { key } = property;
    if (key.type !== 'Identifier' && key.type !== 'Literal')
      throw new EvaluationBailout('a member has a computed name');
    const name = key.type === 'Identifier' ? key.name : String(key.value);
    bind(property.value, readMember(context, value, constant(name), state));
  }
}

/**
 * @param {EvaluationContext} context
 * @param {ArrayPattern} pattern
 * @param {Symbol_} value
 * @param {RunState} state
 * @param {Bind} bind
 */
function bindItems(context, { elements }, value, state, bind) {
  const made = value.kind === 'reference' ? state.heap.get(value.id) : undefined;
  const isRow = value.kind === 'element' || value.kind === 'first' || value.kind === 'last';
  if (elements.length === 0 || !(value.kind === 'rows' || made?.kind === 'array' || isRow))
    throw new EvaluationBailout('a pattern takes apart something other than an array');
  for (const [at, element] of elements.entries()) {
    if (!element) continue;
    if (element.type === 'RestElement') {
      bind(element.argument, itemsFrom(value, at));
      continue;
    }
    const item = readMember(context, value, constant(at), state);
    // Only an array has them without doubt: a number, or an object, cannot be taken apart so.
    if (isRow) noteUse(context, item);
    bind(element, item);
  }
}

/**
 * @param {Symbol_} list
 * @param {number} at
 * @returns {Symbol_} what the pattern leaves
 */
function itemsFrom(list, at) {
  if (list.kind !== 'rows' || list.from + at > 1) throw new EvaluationBailout('a pattern takes the rest of an array');
  return { ...list, from: list.from === 1 || at === 1 ? 1 : 0 };
}
