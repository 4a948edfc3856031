// Walks statements in the order they run, with both branches where the data decide.

import { evaluate } from './flow-expressions.js';
import { bind, noteRead } from './flow-members.js';
import { elementOf, truthOf } from './flow-operators.js';
import { assignedIn, assignsOther, copy, countStep, holdsBreak, join } from './flow-state.js';
import { assume } from './flow-tests.js';
import { withPresent, withTest } from './knowledge.js';
import { declareAll, declareBlockNames, hoist, namesIn, Scope } from './scope.js';
import { isNumber, UNDEFINED, unknown } from './values.js';

/** @import { AnyNode, Expression, Pattern, Statement } from 'acorn' */
/** @import { Frame, State, Walk } from './flow-state.js' */
/** @import { FunctionNode } from './parse.js' */
/** @import { Value } from './values.js' */

/**
 * @param {Walk} walk
 * @param {FunctionNode} fn
 * @param {State} state
 * @param {Frame} frame
 * @returns {State | undefined} undefined where the end cannot be reached
 */
export function walkBody(walk, fn, state, frame) {
  if (fn.body.type !== 'BlockStatement') {
    const value = evaluate(walk, fn.body, state, frame);
    frame.returns.push({ node: fn.body, argument: fn.body, value });
    return state;
  }
  hoist(frame.scope, fn.body.body);
  return walkStatements(walk, fn.body.body, state, frame);
}

/**
 * @param {Walk} walk
 * @param {readonly AnyNode[]} statements
 * @param {State} state
 * @param {Frame} frame
 * @returns {State | undefined}
 */
export function walkStatements(walk, statements, state, frame) {
  for (const statement of statements) {
    if (statement.type === 'FunctionDeclaration' && statement.id) {
      state.values.set(frame.scope.declare(statement.id.name), {
        kind: 'function',
        node: statement,
        scope: frame.scope,
      });
    }
  }
  /** @type {State | undefined} */
  let current = state;
  for (const statement of statements) {
    if (!current) return undefined;
    current = walkStatement(walk, statement, current, frame);
  }
  return current;
}

/**
 * @param {Walk} walk
 * @param {AnyNode} statement
 * @param {State} state
 * @param {Frame} frame
 * @returns {State | undefined}
 */
export function walkStatement(walk, statement, state, frame) {
  countStep(walk);
  switch (statement.type) {
    case 'ExpressionStatement':
      evaluate(walk, statement.expression, state, frame);
      return assume(walk, statement.expression, undefined, state, frame);
    case 'VariableDeclaration':
      for (const { id, init } of statement.declarations) {
        if (!init && statement.kind === 'var') continue;
        bind(walk, id, init ? evaluate(walk, init, state, frame) : UNDEFINED, state, frame);
      }
      return state;
    case 'ReturnStatement': {
      const value = statement.argument ? evaluate(walk, statement.argument, state, frame) : UNDEFINED;
      frame.returns.push({ node: statement, argument: statement.argument ?? undefined, value });
      return undefined;
    }
    case 'ThrowStatement': {
      const value = evaluate(walk, statement.argument, state, frame);
      const { isCaught } = frame;
      walk.throws.push({
        node: statement,
        argument: statement.argument,
        value,
        isCaught,
        knowledge: state.knowledge,
      });
      return undefined;
    }
    case 'IfStatement': {
      const decided = truthOf(evaluate(walk, statement.test, state, frame));
      if (decided === true) return walkStatement(walk, statement.consequent, state, frame);
      if (decided === false)
        return statement.alternate ? walkStatement(walk, statement.alternate, state, frame) : state;
      const yes = walkStatement(
        walk,
        statement.consequent,
        assume(walk, statement.test, true, copy(state), frame),
        frame,
      );
      const otherwise = assume(walk, statement.test, false, copy(state), frame);
      const no = statement.alternate ? walkStatement(walk, statement.alternate, otherwise, frame) : otherwise;
      return join(yes, no);
    }
    case 'BlockStatement': {
      const inner = { ...frame, scope: new Scope(frame.scope) };
      for (const item of statement.body) declareLexical(inner.scope, item);
      return walkStatements(walk, statement.body, state, inner);
    }
    case 'ForStatement': {
      const inner = { ...frame, scope: new Scope(frame.scope) };
      if (statement.init?.type === 'VariableDeclaration') {
        if (statement.init.kind !== 'var') declareAll(inner.scope, statement.init);
        walkStatement(walk, statement.init, state, inner);
      } else if (statement.init) evaluate(walk, statement.init, state, inner);
      return walkLoop(walk, statement, statement.test ?? undefined, statement.update ?? undefined, state, inner);
    }
    case 'WhileStatement':
      return walkLoop(walk, statement, statement.test, undefined, state, frame);
    case 'DoWhileStatement':
      return walkLoop(walk, statement, undefined, statement.test, state, frame);
    case 'ForInStatement':
    case 'ForOfStatement': {
      const source = evaluate(walk, statement.right, state, frame);
      if (statement.type === 'ForOfStatement') noteRead(walk, statement.right, source, state, frame, true);
      const inner = { ...frame, scope: new Scope(frame.scope) };
      if (statement.left.type === 'VariableDeclaration' && statement.left.kind !== 'var')
        declareAll(inner.scope, statement.left);
      const body = beforeLoop(statement, state, inner);
      const element = statement.type === 'ForInStatement' ? { kind: 'typed', type: 'string' } : elementOf(source);
      const target =
        statement.left.type === 'VariableDeclaration' ? statement.left.declarations[0]?.id : statement.left;
      // Over something missing `for in` runs not once.
      if (source.kind === 'path') body.knowledge = withPresent(body.knowledge, source.path);
      if (target) bind(walk, /** @type {Pattern} */ (target), /** @type {Value} */ (element), body, inner);
      return join(walkStatement(walk, statement.body, copy(body), inner), body);
    }
    case 'SwitchStatement':
      return walkSwitch(walk, statement, state, frame);
    case 'TryStatement': {
      const isCaught = frame.isCaught || statement.handler !== null;
      const tried = walkStatement(walk, statement.block, copy(state), { ...frame, isCaught });
      let caught;
      if (statement.handler) {
        const inner = { ...frame, scope: new Scope(frame.scope) };
        const after = copy(state);
        if (statement.handler.param) {
          for (const name of namesIn(statement.handler.param)) inner.scope.declare(name);
          bind(walk, statement.handler.param, unknown('it was thrown'), after, inner);
        }
        caught = walkStatement(walk, statement.handler.body, after, inner);
      }
      const joined = join(tried, caught);
      return statement.finalizer
        ? walkStatement(walk, statement.finalizer, joined ?? copy(state), frame) && joined
        : joined;
    }
    case 'LabeledStatement':
      return walkStatement(walk, statement.body, state, frame);
    case 'BreakStatement':
    case 'ContinueStatement':
      return undefined;
    case 'ClassDeclaration':
      if (statement.id) state.values.set(frame.scope.declare(statement.id.name), unknown('it is a class'));
      return state;
    default:
      return state;
  }
}

/**
 * @param {Walk} walk
 * @param {AnyNode & {body: Statement}} node
 * @param {Expression | undefined} test
 * @param {Expression | undefined} update
 * @param {State} state
 * @param {Frame} frame
 * @returns {State | undefined}
 */
export function walkLoop(walk, node, test, update, state, frame) {
  const before = beforeLoop(node, state, frame);
  if (test) evaluate(walk, test, before, frame);
  const inside = test ? assume(walk, test, true, copy(before), frame) : copy(before);
  const after = walkStatement(walk, node.body, inside, frame);
  if (update) evaluate(walk, update, after ?? copy(inside), frame);
  const left = join(after, before);
  // What follows a loop is reached with its test failed, or by a break: nothing is learned.
  return left && { ...left, knowledge: before.knowledge };
}

/**
 * Variables that a loop assigns may hold anything when it begins anew.
 * @param {AnyNode} node
 * @param {State} state
 * @param {Frame} frame
 * @returns {State}
 */
export function beforeLoop(node, state, frame) {
  const next = copy(state);
  for (const name of assignedIn(node)) {
    const variable = frame.scope.find(name);
    if (!variable) continue;
    const value = next.values.get(variable);
    // Counters stay numbers, texts that are added to stay texts.
    if (value && isNumber(value) && !assignsOther(node, name))
      next.values.set(variable, { kind: 'typed', type: 'number' });
    else next.values.set(variable, unknown(`\`${name}\` is assigned in a loop`));
  }
  return next;
}

/**
 * @param {Walk} walk
 * @param {import('acorn').SwitchStatement} statement
 * @param {State} state
 * @param {Frame} frame
 * @returns {State | undefined}
 */
export function walkSwitch(walk, statement, state, frame) {
  evaluate(walk, statement.discriminant, state, frame);
  const inner = { ...frame, scope: new Scope(frame.scope) };
  for (const item of statement.cases) for (const within of item.consequent) declareLexical(inner.scope, within);
  const tested = { ...state, knowledge: withTest(state.knowledge) };
  /** @type {State | undefined} */
  let fallen;
  /** @type {State | undefined} */
  let end = statement.cases.some((item) => !item.test) ? undefined : copy(state);
  for (const item of statement.cases) {
    if (item.test) evaluate(walk, item.test, state, inner);
    const start = /** @type {State} */ (join(fallen, copy(tested)));
    const hasBreak = item.consequent.some(holdsBreak);
    fallen = walkStatements(walk, item.consequent, start, inner);
    if (hasBreak) end = join(end, copy(tested));
  }
  return join(end, fallen);
}

/**
 * @param {Scope} scope
 * @param {AnyNode} statement
 */
export function declareLexical(scope, statement) {
  if (statement.type === 'VariableDeclaration' && statement.kind === 'var') return;
  declareBlockNames(scope, statement);
}
