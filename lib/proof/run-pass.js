// Symbolic execution of one pass of a reduce function: returns its result as a symbol. Reads the syntax tree as the engine would run it, with the
// rows unknown; never runs anything, and ends in a bailout where it does not understand.

import { namesIn, resolveNames } from '../javascript/names.js';
import { Scope } from '../javascript/scope.js';
import { Bailout, bailoutReason, TOO_LARGE } from '../shared/bailout.js';
import { choose } from './operate.js';
import { evaluate, makeArray } from './run-expression.js';
import { bindPattern } from './run-patterns.js';
import { EvaluationBailout, mergeStates, RunState } from './run-state.js';
import { runStatements } from './run-statements.js';
import { hiddenChange, isLexical, isStrict } from './self-contained.js';
import { constant, ELEMENT, UNDEFINED } from './symbols.js';

/** @import { AnyNode, Statement } from 'acorn' */
/** @import { Names } from '../javascript/names.js' */
/** @import { FunctionNode } from '../javascript/parse.js' */
/** @import { PathTests } from './decide.js' */
/** @import { Form } from './forms.js' */
/** @import { Completion } from './run-completions.js' */
/** @import { Symbol_ } from './symbols.js' */

/**
 * What a run may cost, and what it has found beside its value.
 * @typedef {object} EvaluationContext
 * @property {Names} names of the whole function
 * @property {number} steps
 * @property {number} nextId
 * @property {number} depth
 * @property {Set<symbol>} undeclared names that it makes without declaring them
 * @property {Map<string, readonly string[]>} used members of the rows' values that it reads a member of, or computes with:
 *   some values cannot stand that
 * @property {boolean} isStrict
 * @property {PathTests} path tests on the way to the place that is run
 * @property {Map<string, Listed>} listed what must be one of some strings, or the run is not as it was read
 * @property {Form | undefined} answers what the values are in a second pass, where that is known
 */

/** Values, or members of them at a path, that must be one of these strings. @typedef {{path: readonly string[], names: string[]}} Listed */

const MAX_STEPS = 20_000;
const MAX_CALLS = 12;

/** What a pass returns, and what it uses of the rows' values. @typedef {{value: Symbol_, used: (readonly string[])[], listed: Listed[]}} Pass */

/**
 * @param {FunctionNode} fn
 * @param {boolean} isRereduce
 * @param {Form} [answers] what first passes return, where this is a second one and that is known
 * @returns {Pass | {bailout: string, limit?: string}} `limit`: the one that it exceeds
 */
export function runPass(fn, isRereduce, answers) {
  const state = new RunState();
  /** @type {EvaluationContext} */
  const context = {
    names: resolveNames([/** @type {AnyNode} */ (fn)]),
    steps: 0,
    nextId: 1,
    depth: 0,
    undeclared: new Set(),
    used: new Map(),
    isStrict: isStrict(fn),
    path: [],
    listed: new Map(),
    answers,
  };
  /** @type {Symbol_[]} */
  const given = [
    isRereduce ? constant(null) : { kind: 'rows', of: { kind: 'key' }, from: 0 },
    { kind: 'rows', of: ELEMENT, from: 0 },
    constant(isRereduce),
  ];
  try {
    const hidden = hiddenChange(fn);
    if (hidden !== undefined) throw new EvaluationBailout(hidden);
    const { value } = callFunction(context, fn, new Scope(), given, state);
    return {
      value: settle(context, value, state, 0),
      used: [...context.used.values()],
      listed: [...context.listed.values()],
    };
  } catch (error) {
    if (error instanceof EvaluationBailout) return { bailout: error.message };
    const limit = bailoutReason(error);
    if (limit !== undefined) return { bailout: limit, limit };
    throw error;
  }
}

/**
 * @param {EvaluationContext} context
 * @throws {Bailout}
 */
export function countStep(context) {
  context.steps += 1;
  if (context.steps > MAX_STEPS) throw new Bailout(TOO_LARGE);
}

/**
 * @param {EvaluationContext} context
 * @param {FunctionNode} fn
 * @param {Scope} outer
 * @param {Symbol_[]} given
 * @param {RunState} state changed
 * @returns {{value: Symbol_}}
 * @throws {EvaluationBailout}
 */
export function callFunction(context, fn, outer, given, state) {
  if (fn.async || fn.generator) throw new EvaluationBailout('a function is async or a generator');
  if (context.depth >= MAX_CALLS) throw new EvaluationBailout('functions call each other');
  context.depth += 1;
  const scope = new Scope(outer);
  if (fn.id) state.variables.set(scope.declare(fn.id.name), { kind: 'function', node: fn, scope: outer });
  // What each use of it may be is restricted in self-contained.js.
  if (fn.type !== 'ArrowFunctionExpression') {
    state.variables.set(scope.declare('arguments'), makeArray(context, given, state));
  }
  bindParameters(context, fn, given, scope, state);
  if (fn.body.type !== 'BlockStatement') {
    const value = evaluate(context, fn.body, scope, state);
    context.depth -= 1;
    return { value };
  }
  const completion = runBody(context, fn, fn.body.body, scope, state);
  context.depth -= 1;
  const { value, after } = returned(completion);
  state.become(after);
  return { value };
}

/**
 * @param {EvaluationContext} context
 * @param {FunctionNode} fn
 * @param {Symbol_[]} given
 * @param {Scope} scope
 * @param {RunState} state changed
 */
function bindParameters(context, { params }, given, scope, state) {
  for (const [at, param] of params.entries()) {
    if (param.type === 'RestElement') {
      bindPattern(context, param.argument, makeArray(context, given.slice(at), state), scope, state);
      continue;
    }
    for (const name of namesIn(param)) scope.declare(name);
    bindPattern(context, param, given[at] ?? UNDEFINED, scope, state);
  }
}

/**
 * @param {EvaluationContext} context
 * @param {FunctionNode} fn
 * @param {Statement[]} body
 * @param {Scope} scope
 * @param {RunState} state
 * @returns {Completion}
 */
function runBody(context, fn, body, scope, state) {
  scope.declareNamesOf(context.names, /** @type {AnyNode} */ (fn));
  for (const binding of context.names.scopes.get(/** @type {AnyNode} */ (fn))?.bindings.values() ?? []) {
    const variable = scope.declare(binding.name);
    // `let` and `const` hold nothing that can be read until they are reached.
    if (isLexical(binding, context.names) || state.variables.has(variable)) continue;
    state.variables.set(variable, UNDEFINED);
  }
  for (const statement of body) {
    if (statement.type !== 'FunctionDeclaration' || !statement.id) continue;
    state.variables.set(scope.declare(statement.id.name), { kind: 'function', node: statement, scope });
  }
  return runStatements(context, body, scope, state);
}

/**
 * @param {Completion} completion of a function
 * @returns {{value: Symbol_, after: RunState}}
 */
function returned(completion) {
  switch (completion.kind) {
    case 'normal':
      return { value: UNDEFINED, after: completion.state };
    case 'return':
      return { value: completion.value, after: completion.state };
    case 'choice': {
      const { test } = completion;
      const [yes, no] = [returned(completion.yes), returned(completion.no)];
      return { value: choose(test, yes.value, no.value), after: mergeStates(test, yes.after, no.after) };
    }
    case 'throw':
      throw new EvaluationBailout('the function may throw');
    default:
      throw new EvaluationBailout(`a \`${completion.kind}\` is outside a loop`);
  }
}

/**
 * @param {EvaluationContext} context
 * @param {Symbol_} value
 * @param {RunState} state
 * @param {number} depth
 * @returns {Symbol_} with what the function made instead of references to it
 * @throws {EvaluationBailout} for what holds itself
 */
function settle(context, value, state, depth) {
  countStep(context);
  if (depth > 8) throw new EvaluationBailout('the result contains itself');
  const inner = (/** @type {Symbol_} */ part) => settle(context, part, state, depth + 1);
  switch (value.kind) {
    case 'reference': {
      const made = state.heap.get(value.id);
      if (!made) throw new EvaluationBailout('an object could not be followed');
      if (made.kind === 'object') {
        return { kind: 'object', members: [...made.members].map(([name, member]) => [name, inner(member)]) };
      }
      return { kind: 'array', items: [...made.members.values()].map(inner) };
    }
    case 'choice':
      return { ...value, yes: inner(value.yes), no: inner(value.no) };
    case 'binary':
      return { ...value, left: inner(value.left), right: inner(value.right) };
    default:
      return value;
  }
}
