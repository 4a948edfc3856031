// Determines what a loop over the rows leaves behind: each place that an iteration changes becomes a fold, or opaque.

import { namesIn } from '../javascript/names.js';
import { isAccumulator, summarizePlace } from './loop-summary.js';
import { nextIteration } from './run-completions.js';
import { counterOf } from './run-counter.js';
import { evaluate } from './run-expression.js';
import { inBranches } from './run-member.js';
import { EvaluationBailout, mergeStates, RunState } from './run-state.js';
import { runStatement } from './run-statements.js';
import { bindLoopTarget, loopScope } from './run-unrolled.js';
import { holds, isSame, opaque, UNDEFINED } from './symbols.js';

/** @import { AnyNode, DoWhileStatement, ForInStatement, ForOfStatement, ForStatement, WhileStatement } from 'acorn' */
/** @import { Scope } from '../javascript/scope.js' */
/** @import { EvaluationContext } from './run-pass.js' */
/** @import { ChosenSymbol, RowsSymbol, Symbol_ } from './symbols.js' */

/** What `for … in` gives: the number of the row, as a string. @type {Symbol_} */
const NAME = { kind: 'name' };

/** Rounds until no further place is found that an iteration changes. */
const MAX_ROUNDS = 8;

/**
 * @param {EvaluationContext} context
 * @param {RunState} before
 * @param {object} loop
 * @param {0 | 1} loop.from the first row it looks at
 * @param {boolean} loop.isUp whether it begins with the first row
 * @param {(state: RunState) => void} loop.run one iteration
 * @returns {RunState} after the loop
 * @throws {EvaluationBailout}
 */
export function summarizeLoop(context, before, { from, isUp, run }) {
  const start = before.copy();
  /** @type {Set<string>} */
  const tracked = new Set();
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const iteration = start.copy();
    for (const place of tracked) iteration.put(place, { kind: 'accumulator', place });
    const held = iteration.places();
    run(iteration);
    const isNew = addMissing(context, start, iteration);
    let isStable = !isNew;
    for (const [place, value] of iteration.places()) {
      const old = held.get(place);
      if (tracked.has(place) || !old || old === value || isSame(old, value)) continue;
      tracked.add(place);
      isStable = false;
    }
    if (isStable) return afterIterations(start, iteration, tracked, { from, isUp });
  }
  throw new EvaluationBailout('a loop changes more and more variables');
}

/**
 * @param {EvaluationContext} context
 * @param {RunState} start what an iteration made that outlives it is added, as it is before the first iteration
 * @param {RunState} iteration
 * @returns {boolean} whether something was added
 */
function addMissing({ undeclared }, start, iteration) {
  let isNew = false;
  for (const variable of iteration.variables.keys()) {
    if (start.variables.has(variable)) continue;
    // What a called function, or a block, declares for itself is gone after the iteration.
    if (!undeclared.has(variable)) {
      iteration.variables.delete(variable);
      continue;
    }
    start.variables.set(variable, UNDEFINED);
    isNew = true;
  }
  for (const [id, { members }] of start.heap) {
    for (const name of iteration.heap.get(id)?.members.keys() ?? []) {
      if (members.has(name)) continue;
      members.set(name, UNDEFINED);
      isNew = true;
    }
  }
  return isNew;
}

/**
 * @param {RunState} start
 * @param {RunState} iteration after one iteration, with accumulators for what was there before
 * @param {Set<string>} tracked
 * @param {{from: 0 | 1, isUp: boolean}} loop
 * @returns {RunState}
 */
function afterIterations(start, iteration, tracked, { from, isUp }) {
  const [held, reached] = [start.places(), iteration.places()];
  /** Places that distinguish the first iteration from the others. @type {Map<string, boolean>} */
  const flags = new Map();
  for (const place of tracked) {
    const [old, now] = [held.get(place), reached.get(place)];
    if (old?.kind !== 'constant' || now?.kind !== 'constant' || Boolean(old.value) === Boolean(now.value)) continue;
    flags.set(place, Boolean(old.value));
  }
  const isStart = (/** @type {Symbol_} */ test) => {
    if (test.kind === 'accumulator') return flags.get(test.place) === true;
    if (test.kind !== 'binary' || !isUp || !/^===?$/.test(test.op) || from !== 0) return false;
    const [one, other] = test.left.kind === 'index' ? [test.left, test.right] : [test.right, test.left];
    return one.kind === 'index' && other.kind === 'constant' && other.value === 0;
  };
  const after = start.copy();
  for (const place of tracked) {
    const [old = UNDEFINED, now = UNDEFINED] = [held.get(place), reached.get(place)];
    after.put(place, placeAfter(place, old, now, { from, isStart }));
  }
  return after;
}

/**
 * @param {string} place
 * @param {Symbol_} start
 * @param {Symbol_} next
 * @param {import('./loop-summary.js').Iteration} iteration
 * @returns {Symbol_}
 */
function placeAfter(place, start, next, iteration) {
  if (holds(next, addsToItself)) throw new EvaluationBailout('a value may double with each row and become too large');
  if (holds(next, isAccumulator)) return summarizePlace(place, next, start, iteration);
  // There is one iteration at least.
  return next.kind === 'constant' && iteration.from === 0
    ? next
    : opaque('it uses what the last iteration of a loop left');
}

/** @param {Symbol_} part @returns {boolean} */
function addsToItself(part) {
  return (
    part.kind === 'binary' && part.op === '+' && holds(part.left, isAccumulator) && holds(part.right, isAccumulator)
  );
}

/**
 * @param {EvaluationContext} context
 * @param {ForInStatement | ForOfStatement | ForStatement | WhileStatement | DoWhileStatement} statement
 * @param {Scope} scope
 * @param {RunState} state
 * @param {readonly string[]} labels of the loop
 * @returns {RunState} after it
 * @throws {EvaluationBailout}
 */
export function runLoop(context, statement, scope, state, labels) {
  if (statement.type === 'ForInStatement') return runForIn(context, statement, scope, state, labels);
  if (statement.type === 'ForOfStatement') return runForOf(context, statement, scope, state, labels);
  const isFor = statement.type === 'ForStatement';
  const isTestedAfter = statement.type === 'DoWhileStatement';
  const inner = isFor ? loopScope(context, statement, statement.init, scope) : scope;
  if (isFor && statement.init) runInit(context, statement.init, inner, state);
  const { test } = statement;
  const { variable, from, isUp, at, next, condition } = counterOf(context, test, inner, state, isTestedAfter);
  const runTest = (/** @type {RunState} */ iteration) => {
    if (test && !isSame(evaluate(context, test, inner, iteration), condition))
      throw new EvaluationBailout('the end of a loop changes while it runs');
  };
  const run = (/** @type {RunState} */ iteration) => {
    const before = iteration.variables.get(variable) ?? UNDEFINED;
    iteration.variables.set(variable, at);
    if (!isTestedAfter) runTest(iteration);
    iteration.become(nextIteration(context, runStatement(context, statement.body, inner, iteration), labels));
    if (isFor && statement.update) evaluate(context, statement.update, inner, iteration);
    if (isTestedAfter) runTest(iteration);
    if (!isSame(iteration.variables.get(variable) ?? UNDEFINED, next)) {
      throw new EvaluationBailout('a loop does not step from row to row');
    }
    iteration.variables.set(variable, before);
  };
  return summarizeLoop(context, state, { from, isUp, run }).withOpaque(variable);
}

/**
 * @param {EvaluationContext} context
 * @param {ForInStatement} statement
 * @param {Scope} scope
 * @param {RunState} state
 * @param {readonly string[]} labels
 * @returns {RunState} after it
 */
function runForIn(context, statement, scope, state, labels) {
  const rows = evaluate(context, statement.right, scope, state);
  if (rows.kind !== 'rows' || rows.from !== 0)
    throw new EvaluationBailout('a loop iterates over something other than the rows');
  return runForEach(context, statement, rows, scope, state, (iteration, inner) => {
    bindLoopTarget(context, statement.left, NAME, inner, iteration);
    iteration.become(nextIteration(context, runStatement(context, statement.body, inner, iteration), labels));
  });
}

/**
 * @param {EvaluationContext} context
 * @param {ForOfStatement} statement
 * @param {Scope} scope
 * @param {RunState} state
 * @param {readonly string[]} labels
 * @returns {RunState} after it
 */
function runForOf(context, statement, scope, state, labels) {
  if (statement.await) throw new EvaluationBailout('a loop is async');
  const rows = evaluate(context, statement.right, scope, state);
  if (rows.kind !== 'rows' && rows.kind !== 'chosen')
    throw new EvaluationBailout('a loop iterates over something other than the rows');
  return runForEach(context, statement, rows, scope, state, (iteration, inner) =>
    onRow(context, rows, iteration, (at) => {
      bindLoopTarget(context, statement.left, rows.of, inner, at);
      at.become(nextIteration(context, runStatement(context, statement.body, inner, at), labels));
    }),
  );
}

/**
 * @param {EvaluationContext} context
 * @param {ForInStatement | ForOfStatement} statement
 * @param {RowsSymbol | ChosenSymbol} rows
 * @param {Scope} scope
 * @param {RunState} state
 * @param {(iteration: RunState, inner: Scope) => void} run one iteration
 * @returns {RunState}
 */
function runForEach(context, statement, rows, scope, state, run) {
  const { left } = statement;
  const isOwn = left.type === 'VariableDeclaration' && left.kind !== 'var';
  const target = left.type === 'VariableDeclaration' ? left.declarations[0]?.id : left;
  // Without names of its own, each iteration has those of the function.
  const names = isOwn || !target ? [] : namesIn(/** @type {AnyNode} */ (target));
  const variables = names.map((name) => scope.find(name) ?? scope.declare(name));
  for (const variable of variables) if (!state.variables.has(variable)) state.variables.set(variable, UNDEFINED);
  const after = summarizeLoop(context, state, {
    from: rows.kind === 'rows' ? rows.from : 0,
    isUp: true,
    run: (iteration) => {
      const held = variables.map((variable) => iteration.variables.get(variable) ?? UNDEFINED);
      run(iteration, loopScope(context, statement, left, scope));
      for (const [at, variable] of variables.entries()) iteration.variables.set(variable, held[at] ?? UNDEFINED);
    },
  });
  for (const variable of variables) after.withOpaque(variable);
  return after;
}

/**
 * @param {EvaluationContext} context
 * @param {RowsSymbol | ChosenSymbol} rows
 * @param {RunState} state changed
 * @param {(state: RunState) => void} run what is done with the row at hand, where it is one of them
 */
export function onRow(context, rows, state, run) {
  if (rows.kind === 'rows') {
    run(state);
    return;
  }
  const other = state.copy();
  inBranches(context, rows.test, [true, false], (isChosen) => {
    if (isChosen) run(state);
  });
  state.become(mergeStates(rows.test, state.copy(), other));
}

/**
 * @param {EvaluationContext} context
 * @param {AnyNode} init
 * @param {Scope} scope
 * @param {RunState} state changed
 */
function runInit(context, init, scope, state) {
  if (init.type === 'VariableDeclaration') runStatement(context, init, scope, state);
  else evaluate(context, init, scope, state);
}
