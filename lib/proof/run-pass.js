// Runs one pass of a reduce function symbolically and returns its result as a symbol. Reads the syntax tree as the
// engine would run it, with the rows unknown; never runs anything, and gives up where it does not understand.

import { resolveNames } from '../javascript/names.js';
import { Scope } from '../javascript/scope.js';
import { Bailout, bailoutReason, TOO_LARGE } from '../shared/bailout.js';
import { choose } from './operate.js';
import { goOn, runIf, runSwitch, runTry } from './run-branches.js';
import { evaluate } from './run-expression.js';
import { runLoop } from './run-loop.js';
import { mergeStates, RunState, Unclear } from './run-state.js';
import { unrollLoop } from './run-unrolled.js';
import { hiddenChange, isStrict } from './self-contained.js';
import { constant, ELEMENT, UNDEFINED } from './symbols.js';

/** @import { AnyNode, Statement } from 'acorn' */
/** @import { Names } from '../javascript/names.js' */
/** @import { FunctionNode } from '../javascript/parse.js' */
/** @import { PathTests } from './decide.js' */
/** @import { Form } from './forms.js' */
/** @import { Symbol_ } from './symbols.js' */

/**
 * How a stretch of code ends: it goes on, returns, goes to the next turn of its loop, leaves its loop or `switch`, throws, or
 * one of two by a test.
 * @typedef {{kind: 'next' | 'continue' | 'break', state: RunState} | {kind: 'return', value: Symbol_, state: RunState} | {kind: 'throw'} | {kind: 'choice', test: Symbol_, yes: Ending, no: Ending}} Ending
 */

/**
 * What a run may cost, and what it has found beside its value.
 * @typedef {object} Budget
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

/** A scope that knows what was declared in it. */
class FunctionScope extends Scope {
  /** @type {Set<symbol>} */
  declared = new Set();

  /**
   * @override
   * @param {string} name
   */
  declare(name) {
    const variable = super.declare(name);
    this.declared.add(variable);
    return variable;
  }
}

/** What a pass returns, and what it uses of the rows' values. @typedef {{value: Symbol_, used: (readonly string[])[], listed: Listed[]}} Pass */

/**
 * @param {FunctionNode} fn
 * @param {boolean} isRereduce
 * @param {Form} [answers] what first passes return, where this is a second one and that is known
 * @returns {Pass | {unclear: string, limit?: string}} `limit`: the one that it exceeds
 */
export function runPass(fn, isRereduce, answers) {
  const state = new RunState();
  /** @type {Budget} */
  const budget = {
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
    if (hidden !== undefined) throw new Unclear(hidden);
    const { value } = callFunction(budget, fn, new Scope(), given, state);
    return {
      value: settle(budget, value, state, 0),
      used: [...budget.used.values()],
      listed: [...budget.listed.values()],
    };
  } catch (error) {
    if (error instanceof Unclear) return { unclear: error.message };
    const limit = bailoutReason(error);
    if (limit !== undefined) return { unclear: limit, limit };
    throw error;
  }
}

/**
 * @param {Budget} budget
 * @throws {Bailout}
 */
export function countStep(budget) {
  budget.steps += 1;
  if (budget.steps > MAX_STEPS) throw new Bailout(TOO_LARGE);
}

/**
 * @param {Budget} budget
 * @param {FunctionNode} fn
 * @param {Scope} outer
 * @param {Symbol_[]} given
 * @param {RunState} state changed
 * @returns {{value: Symbol_}}
 * @throws {Unclear}
 */
export function callFunction(budget, fn, outer, given, state) {
  if (fn.async || fn.generator) throw new Unclear('a function is async or a generator');
  if (budget.depth >= MAX_CALLS) throw new Unclear('functions call each other');
  budget.depth += 1;
  const scope = new FunctionScope(outer);
  if (fn.id) state.variables.set(scope.declare(fn.id.name), { kind: 'function', node: fn, scope: outer });
  for (const [at, param] of fn.params.entries()) {
    if (param.type !== 'Identifier') throw new Unclear('a parameter is not a plain name');
    state.variables.set(scope.declare(param.name), given[at] ?? UNDEFINED);
  }
  if (fn.body.type !== 'BlockStatement') {
    const value = evaluate(budget, fn.body, scope, state);
    budget.depth -= 1;
    return { value };
  }
  const ending = runBody(budget, fn, fn.body.body, scope, state);
  budget.depth -= 1;
  const { value, after } = returned(ending);
  state.become(after);
  return { value };
}

/**
 * @param {Budget} budget
 * @param {FunctionNode} fn
 * @param {Statement[]} body
 * @param {FunctionScope} scope
 * @param {RunState} state
 * @returns {Ending}
 */
function runBody(budget, fn, body, scope, state) {
  scope.declareNamesOf(budget.names, /** @type {AnyNode} */ (fn));
  for (const variable of scope.declared) {
    if (!state.variables.has(variable)) state.variables.set(variable, UNDEFINED);
  }
  for (const statement of body) {
    if (statement.type !== 'FunctionDeclaration' || !statement.id) continue;
    state.variables.set(scope.declare(statement.id.name), { kind: 'function', node: statement, scope });
  }
  return runStatements(budget, body, scope, state);
}

/**
 * @param {Ending} ending of a function
 * @returns {{value: Symbol_, after: RunState}}
 */
function returned(ending) {
  switch (ending.kind) {
    case 'next':
      return { value: UNDEFINED, after: ending.state };
    case 'return':
      return { value: ending.value, after: ending.state };
    case 'choice': {
      const [yes, no] = [returned(ending.yes), returned(ending.no)];
      return { value: choose(ending.test, yes.value, no.value), after: mergeStates(ending.test, yes.after, no.after) };
    }
    case 'throw':
      throw new Unclear('the function may throw');
    default:
      throw new Unclear(`a \`${ending.kind}\` is outside a loop`);
  }
}

/**
 * @param {Ending} ending of a loop's body
 * @returns {RunState} where the next turn begins
 * @throws {Unclear} where the loop may be left early
 */
export function nextTurn(ending) {
  switch (ending.kind) {
    case 'next':
    case 'continue':
      return ending.state;
    case 'choice':
      return mergeStates(ending.test, nextTurn(ending.yes), nextTurn(ending.no));
    default:
      throw new Unclear('a loop may end early');
  }
}

/**
 * @param {Budget} budget
 * @param {Statement[]} statements
 * @param {Scope} scope
 * @param {RunState} state
 * @returns {Ending}
 */
export function runStatements(budget, statements, scope, state) {
  const [first, ...rest] = statements;
  if (!first) return { kind: 'next', state };
  return goOn(budget, runStatement(budget, first, scope, state), (after) => runStatements(budget, rest, scope, after));
}

/**
 * @param {Budget} budget
 * @param {Statement} statement
 * @param {Scope} scope
 * @param {RunState} state
 * @returns {Ending}
 */
export function runStatement(budget, statement, scope, state) {
  countStep(budget);
  switch (statement.type) {
    case 'EmptyStatement':
    case 'FunctionDeclaration':
      return { kind: 'next', state };
    case 'ExpressionStatement':
      evaluate(budget, statement.expression, scope, state);
      return { kind: 'next', state };
    case 'VariableDeclaration':
      for (const { id, init } of statement.declarations) {
        if (id.type !== 'Identifier') throw new Unclear('it declares variables by destructuring');
        // `var sum = sum(values)` reads the variable, which holds nothing yet; `var x;` keeps what it holds.
        const variable = scope.find(id.name) ?? scope.declare(id.name);
        // Evaluating may give the state other variables: they must be looked up behind it.
        const value = init && evaluate(budget, init, scope, state);
        if (value) state.variables.set(variable, value);
        else if (statement.kind !== 'var' || !state.variables.has(variable)) state.variables.set(variable, UNDEFINED);
      }
      return { kind: 'next', state };
    case 'ReturnStatement': {
      const value = statement.argument ? evaluate(budget, statement.argument, scope, state) : UNDEFINED;
      return { kind: 'return', value, state };
    }
    case 'BlockStatement':
      return runStatements(budget, statement.body, new Scope(scope).declareNamesOf(budget.names, statement), state);
    case 'IfStatement':
      return runIf(budget, statement, scope, state);
    case 'SwitchStatement':
      return runSwitch(budget, statement, scope, state);
    case 'TryStatement':
      return runTry(budget, statement, scope, state);
    case 'BreakStatement':
      if (statement.label) throw new Unclear('it breaks out of a labelled statement');
      return { kind: 'break', state };
    case 'ThrowStatement':
      return { kind: 'throw' };
    case 'ContinueStatement':
      if (statement.label) throw new Unclear('it continues a labelled loop');
      return { kind: 'continue', state };
    case 'ForStatement':
    case 'ForInStatement':
    case 'ForOfStatement':
    case 'WhileStatement':
      return (
        unrollLoop(budget, statement, scope, state) ?? { kind: 'next', state: runLoop(budget, statement, scope, state) }
      );
    default:
      throw new Unclear(`a ${statement.type} is not supported`);
  }
}

/**
 * @param {Budget} budget
 * @param {Symbol_} value
 * @param {RunState} state
 * @param {number} depth
 * @returns {Symbol_} with what the function made instead of references to it
 * @throws {Unclear} for what holds itself
 */
function settle(budget, value, state, depth) {
  countStep(budget);
  if (depth > 8) throw new Unclear('the result contains itself');
  const inner = (/** @type {Symbol_} */ part) => settle(budget, part, state, depth + 1);
  switch (value.kind) {
    case 'reference': {
      const made = state.heap.get(value.id);
      if (!made) throw new Unclear('an object could not be followed');
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
