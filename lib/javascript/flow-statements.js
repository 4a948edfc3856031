// Walks statements in the order they run, with both branches where the data decide.

import { unsettle } from './assignments.js';
import { takesLabels } from './completions.js';
import { followClass } from './flow-classes.js';
import { evaluate } from './flow-expressions.js';
import { insideLoop } from './flow-loops.js';
import { bind, noteRead } from './flow-members.js';
import { binary, elementOf, isField, truthOf } from './flow-operators.js';
import { copy, countStep, GivenUp, join } from './flow-state.js';
import { narrowByEquality, test } from './flow-tests.js';
import { walkTry } from './flow-try.js';
import { both, withPresent, withTest, withTestsOf } from './path-facts.js';
import { Scope } from './scope.js';
import { UNDEFINED } from './values.js';

/** @import { AnyNode, BlockStatement, BreakStatement, ContinueStatement, DoWhileStatement, ForInStatement, ForOfStatement, ForStatement, IfStatement, LabeledStatement, Pattern, SwitchStatement, WhileStatement } from 'acorn' */
/** @import { Frame, State, Target, FlowWalk } from './flow-state.js' */
/** @import { FunctionNode } from './parse.js' */
/** @import { Value } from './values.js' */

/**
 * @param {FlowWalk} walk
 * @param {FunctionNode} fn
 * @param {State} state used up
 * @param {Frame} frame
 * @returns {State | undefined} undefined where the end cannot be reached
 */
export function walkBody(walk, fn, state, frame) {
  if (fn.body.type !== 'BlockStatement') {
    const value = evaluate(walk, fn.body, state, frame);
    frame.exits.push({ node: fn.body, argument: fn.body, value, state });
    return state;
  }
  frame.scope.declareNamesOf(walk.names, fn);
  return walkStatements(walk, fn.body.body, state, frame);
}

/**
 * @param {FlowWalk} walk
 * @param {readonly AnyNode[]} statements
 * @param {State} state used up
 * @param {Frame} frame
 * @returns {State | undefined}
 */
export function walkStatements(walk, statements, state, frame) {
  for (const statement of statements) {
    if (statement.type === 'FunctionDeclaration' && statement.id) {
      const variable = frame.scope.declare(statement.id.name);
      state.values.set(variable, { kind: 'function', node: statement, scope: frame.scope });
    }
  }
  /** @type {State | undefined} */
  let current = state;
  for (const statement of statements) {
    if (!current) return undefined;
    current = walkStatement(walk, statement, current, frame, []);
  }
  return current;
}

/**
 * @param {FlowWalk} walk
 * @param {AnyNode} statement
 * @param {State} state used up
 * @param {Frame} frame
 * @param {string[]} labels that stand before it
 * @returns {State | undefined}
 */
export function walkStatement(walk, statement, state, frame, labels) {
  countStep(walk);
  switch (statement.type) {
    case 'ExpressionStatement':
      evaluate(walk, statement.expression, state, frame);
      return unlessOver(state);
    case 'VariableDeclaration':
      for (const { id, init } of statement.declarations) {
        if (!init && statement.kind === 'var') continue;
        bind(walk, id, init ? evaluate(walk, init, state, frame) : UNDEFINED, state, frame);
      }
      return unlessOver(state);
    case 'ReturnStatement': {
      const value = statement.argument ? evaluate(walk, statement.argument, state, frame) : UNDEFINED;
      frame.exits.push({ node: statement, argument: statement.argument ?? undefined, value, state });
      return undefined;
    }
    case 'ThrowStatement': {
      const { argument } = statement;
      const value = evaluate(walk, argument, state, frame);
      if (!state.isOver) walk.throws.push({ node: statement, argument, value, isCaught: frame.isCaught });
      return undefined;
    }
    case 'BlockStatement':
      return walkBlock(walk, statement, state, frame);
    case 'LabeledStatement':
      return walkLabeled(walk, statement, state, frame, labels);
    case 'IfStatement':
      return walkIf(walk, statement, state, frame);
    case 'BreakStatement':
    case 'ContinueStatement':
      leave(statement, state, frame);
      return undefined;
    case 'ForStatement':
    case 'WhileStatement':
    case 'DoWhileStatement':
      return walkLoop(walk, statement, state, frame, labels);
    case 'ForInStatement':
    case 'ForOfStatement':
      return walkForEach(walk, statement, state, frame, labels);
    case 'SwitchStatement':
      return walkSwitch(walk, statement, state, frame);
    case 'TryStatement':
      return walkTry(walk, statement, state, frame);
    case 'WithStatement':
      throw new GivenUp('the function uses `with`');
    case 'ClassDeclaration': {
      const value = followClass(walk, statement, state, frame);
      if (statement.id) state.values.set(frame.scope.declare(statement.id.name), value);
      return state;
    }
    default:
      return state;
  }
}

/**
 * @param {State} state
 * @returns {State | undefined}
 */
function unlessOver(state) {
  return state.isOver ? undefined : state;
}

/**
 * @param {FlowWalk} walk
 * @param {BlockStatement} block
 * @param {State} state used up
 * @param {Frame} frame
 * @returns {State | undefined}
 */
function walkBlock(walk, block, state, frame) {
  const scope = new Scope(frame.scope).declareNamesOf(walk.names, block);
  return walkStatements(walk, block.body, state, { ...frame, scope });
}

/**
 * @param {FlowWalk} walk
 * @param {LabeledStatement} statement
 * @param {State} state used up
 * @param {Frame} frame
 * @param {string[]} labels that stand before it
 * @returns {State | undefined}
 */
function walkLabeled(walk, { label, body }, state, frame, labels) {
  const all = [...labels, label.name];
  if (takesLabels(body)) return walkStatement(walk, body, state, frame, all);
  const target = newTarget('labelled', all);
  const end = walkStatement(walk, body, state, { ...frame, targets: [target, ...frame.targets] }, []);
  return join(walk, [end, ...target.breaks]);
}

/**
 * @param {FlowWalk} walk
 * @param {IfStatement} statement
 * @param {State} state used up
 * @param {Frame} frame
 * @returns {State | undefined}
 */
function walkIf(walk, statement, state, frame) {
  const { yes, no } = test(walk, statement.test, state, frame);
  const then = yes && walkStatement(walk, statement.consequent, yes, frame, []);
  const otherwise = no && statement.alternate ? walkStatement(walk, statement.alternate, no, frame, []) : no;
  return join(walk, [then, otherwise]);
}

/**
 * @param {Target['kind']} kind
 * @param {string[]} labels
 * @returns {Target}
 */
export function newTarget(kind, labels) {
  return { kind, labels, breaks: [], continues: [] };
}

/**
 * @param {BreakStatement | ContinueStatement} statement
 * @param {State} state where it stands
 * @param {Frame} frame
 * @throws {GivenUp} where engines of CouchDB deviate from ECMAScript (tried on couchjs_mainjs): the QuickJS of 3.4.3 leaves the labelled statement
 *   alone at a `break` without a label inside of it; that of 3.4.3 and 3.5.0 refuses a `continue` to any but the last label of a loop
 */
function leave({ type, label }, state, frame) {
  const isBreak = type === 'BreakStatement';
  const index = frame.targets.findIndex(({ kind, labels }) =>
    label ? labels.includes(label.name) : kind === 'loop' || (isBreak && kind === 'switch'),
  );
  const target = frame.targets[index];
  if (isBreak && !label && frame.targets.slice(0, index).some(({ kind }) => kind === 'labelled'))
    throw new GivenUp('engines of CouchDB differ in what a `break` without a label leaves inside a labelled statement');
  if (!isBreak && label && target?.labels.at(-1) !== label.name)
    throw new GivenUp('an engine of CouchDB refuses a `continue` to the first of several labels');
  if (isBreak) target?.breaks.push(state);
  else target?.continues.push(state);
}

/**
 * @param {FlowWalk} walk
 * @param {ForStatement | WhileStatement | DoWhileStatement} statement
 * @param {State} state used up
 * @param {Frame} outer
 * @param {string[]} labels
 * @returns {State | undefined}
 */
function walkLoop(walk, statement, state, outer, labels) {
  const target = newTarget('loop', labels);
  const scope = new Scope(outer.scope).declareNamesOf(walk.names, statement);
  const frame = { ...outer, scope, targets: [target, ...outer.targets] };
  const init = statement.type === 'ForStatement' ? statement.init : undefined;
  if (init?.type === 'VariableDeclaration') walkStatement(walk, init, state, frame, []);
  else if (init) evaluate(walk, init, state, frame);
  const before = state.pathFacts;
  unsettle(walk, statement, state, frame.scope);

  const isTestedFirst = statement.type !== 'DoWhileStatement';
  const first =
    isTestedFirst && statement.test ? test(walk, statement.test, state, frame) : { yes: state, no: undefined };
  const inner = insideLoop(walk, statement, state, frame);
  const body = first.yes && walkStatement(walk, statement.body, copy(walk, first.yes), inner, []);
  let end = join(walk, [body, ...target.continues]);
  if (end && statement.type === 'ForStatement' && statement.update) evaluate(walk, statement.update, end, frame);
  if (!isTestedFirst && end) end = test(walk, statement.test, end, frame).no;
  // Without a test only `break` leads out of it.
  const left = isTestedFirst ? (statement.test ? [first.no, first.no && end] : []) : [end];
  const after = join(walk, [...left, ...target.breaks]);
  return after && { ...after, pathFacts: withTestsOf(after.pathFacts, before) };
}

/**
 * @param {FlowWalk} walk
 * @param {ForInStatement | ForOfStatement} statement
 * @param {State} state used up
 * @param {Frame} outer
 * @param {string[]} labels
 * @returns {State | undefined}
 */
function walkForEach(walk, statement, state, outer, labels) {
  const source = evaluate(walk, statement.right, state, outer);
  if (statement.type === 'ForOfStatement') noteRead(walk, statement.right, source, state, outer, statement.right);
  const target = newTarget('loop', labels);
  const scope = new Scope(outer.scope).declareNamesOf(walk.names, statement);
  const frame = { ...outer, scope, targets: [target, ...outer.targets] };
  const { left } = statement;
  unsettle(walk, statement, state, frame.scope);
  const inside = copy(walk, state);
  // Over something missing `for in` runs not once.
  if (source.kind === 'path') inside.pathFacts = withPresent(inside.pathFacts, source.path);
  /** @type {Value} */
  const element = statement.type === 'ForInStatement' ? { kind: 'typed', type: 'string' } : elementOf(source);
  const pattern = left.type === 'VariableDeclaration' ? left.declarations[0]?.id : left;
  if (pattern) bind(walk, /** @type {Pattern} */ (pattern), element, inside, frame);
  const loops = [...frame.loops, { node: statement, over: source }];
  const end = walkStatement(walk, statement.body, inside, { ...frame, loops }, []);
  return join(walk, [state, end, ...target.continues, ...target.breaks]);
}

/**
 * @param {FlowWalk} walk
 * @param {SwitchStatement} statement
 * @param {State} state used up
 * @param {Frame} outer
 * @returns {State | undefined}
 */
function walkSwitch(walk, statement, state, outer) {
  const value = evaluate(walk, statement.discriminant, state, outer);
  const target = newTarget('switch', []);
  const scope = new Scope(outer.scope).declareNamesOf(walk.names, statement);
  const frame = { ...outer, scope, targets: [target, ...outer.targets] };
  /** @type {State | undefined} */
  let unmatched = state;
  const matched = statement.cases.map((item) => {
    if (!item.test || !unmatched) return undefined;
    const other = evaluate(walk, item.test, unmatched, frame);
    const decided = truthOf(binary('===', value, other));
    if (decided === false) return undefined;
    const inside = copy(walk, unmatched);
    const isOther = !isField(value);
    inside.pathFacts = withTest(narrowByCase(value, other, true, inside.pathFacts), isOther);
    unmatched.pathFacts = withTest(narrowByCase(value, other, false, unmatched.pathFacts), isOther);
    if (decided) unmatched = undefined;
    return inside;
  });
  /** @type {State | undefined} */
  let fallen;
  statement.cases.forEach((item, index) => {
    const start = join(walk, [fallen, item.test ? matched[index] : unmatched && copy(walk, unmatched)]);
    fallen = start && walkStatements(walk, item.consequent, start, frame);
  });
  const hasDefault = statement.cases.some((item) => !item.test);
  return join(walk, [fallen, ...target.breaks, hasDefault ? undefined : unmatched]);
}

/**
 * @param {Value} value of the switch
 * @param {Value} other of the case
 * @param {boolean} isEqual
 * @param {import('./path-facts.js').PathFacts} pathFacts
 * @returns {import('./path-facts.js').PathFacts}
 */
function narrowByCase(value, other, isEqual, pathFacts) {
  // `switch (true)` has tests for cases.
  if (value.kind === 'constant' && value.value === true) return both(pathFacts, isEqual ? other.yes : other.no);
  return narrowByEquality(value, other, isEqual, pathFacts);
}
