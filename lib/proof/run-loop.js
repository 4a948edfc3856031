// Determines what a loop over the rows leaves behind: each place that a turn changes becomes a fold, or opaque.

import { namesIn } from '../javascript/names.js';
import { foldPlace, isAccumulator } from './fold.js';
import { nextIteration } from './run-completions.js';
import { counterOf } from './run-counter.js';
import { evaluate } from './run-expression.js';
import { inBranches } from './run-member.js';
import { mergeStates, RunState, Unclear } from './run-state.js';
import { runStatement } from './run-statements.js';
import { bindLoopTarget, loopScope } from './run-unrolled.js';
import { holds, isSame, opaque, UNDEFINED } from './symbols.js';

/** @import { AnyNode, DoWhileStatement, ForInStatement, ForOfStatement, ForStatement, WhileStatement } from 'acorn' */
/** @import { Scope } from '../javascript/scope.js' */
/** @import { Budget } from './run-pass.js' */
/** @import { ChosenSymbol, RowsSymbol, Symbol_ } from './symbols.js' */

/** What `for … in` gives: the number of the row, as a string. @type {Symbol_} */
const NAME = { kind: 'name' };

/** Rounds until no further place is found that a turn changes. */
const MAX_ROUNDS = 8;

/**
 * @param {Budget} budget
 * @param {RunState} before
 * @param {object} loop
 * @param {0 | 1} loop.from the first row it looks at
 * @param {boolean} loop.isUp whether it begins with the first row
 * @param {(state: RunState) => void} loop.run one turn
 * @returns {RunState} after the loop
 * @throws {Unclear}
 */
export function foldTurns(budget, before, { from, isUp, run }) {
  const start = before.copy();
  /** @type {Set<string>} */
  const tracked = new Set();
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const turn = start.copy();
    for (const place of tracked) turn.put(place, { kind: 'accumulator', place });
    const held = turn.places();
    run(turn);
    const isNew = addMissing(budget, start, turn);
    let isStable = !isNew;
    for (const [place, value] of turn.places()) {
      const old = held.get(place);
      if (tracked.has(place) || !old || old === value || isSame(old, value)) continue;
      tracked.add(place);
      isStable = false;
    }
    if (isStable) return afterTurns(start, turn, tracked, { from, isUp });
  }
  throw new Unclear('a loop changes more and more variables');
}

/**
 * @param {Budget} budget
 * @param {RunState} start what a turn made that outlives it is added, as it is before the first turn
 * @param {RunState} turn
 * @returns {boolean} whether something was added
 */
function addMissing({ undeclared }, start, turn) {
  let isNew = false;
  for (const variable of turn.variables.keys()) {
    if (start.variables.has(variable)) continue;
    // What a called function, or a block, declares for itself is gone after the turn.
    if (!undeclared.has(variable)) {
      turn.variables.delete(variable);
      continue;
    }
    start.variables.set(variable, UNDEFINED);
    isNew = true;
  }
  for (const [id, { members }] of start.heap) {
    for (const name of turn.heap.get(id)?.members.keys() ?? []) {
      if (members.has(name)) continue;
      members.set(name, UNDEFINED);
      isNew = true;
    }
  }
  return isNew;
}

/**
 * @param {RunState} start
 * @param {RunState} turn after one turn, with accumulators for what was there before
 * @param {Set<string>} tracked
 * @param {{from: 0 | 1, isUp: boolean}} loop
 * @returns {RunState}
 */
function afterTurns(start, turn, tracked, { from, isUp }) {
  const [held, reached] = [start.places(), turn.places()];
  /** Places that distinguish the first turn from the others. @type {Map<string, boolean>} */
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
 * @param {import('./fold.js').Turn} turn
 * @returns {Symbol_}
 */
function placeAfter(place, start, next, turn) {
  if (holds(next, addsToItself)) throw new Unclear('a value may double with each row and become too large');
  if (holds(next, isAccumulator)) return foldPlace(place, next, start, turn);
  // There is one turn at least.
  return next.kind === 'constant' && turn.from === 0 ? next : opaque('it uses what the last iteration of a loop left');
}

/** @param {Symbol_} part @returns {boolean} */
function addsToItself(part) {
  return (
    part.kind === 'binary' && part.op === '+' && holds(part.left, isAccumulator) && holds(part.right, isAccumulator)
  );
}

/**
 * @param {Budget} budget
 * @param {ForInStatement | ForOfStatement | ForStatement | WhileStatement | DoWhileStatement} statement
 * @param {Scope} scope
 * @param {RunState} state
 * @param {readonly string[]} labels of the loop
 * @returns {RunState} after it
 * @throws {Unclear}
 */
export function runLoop(budget, statement, scope, state, labels) {
  if (statement.type === 'ForInStatement') return runForIn(budget, statement, scope, state, labels);
  if (statement.type === 'ForOfStatement') return runForOf(budget, statement, scope, state, labels);
  const isFor = statement.type === 'ForStatement';
  const isTestedAfter = statement.type === 'DoWhileStatement';
  const inner = isFor ? loopScope(budget, statement, statement.init, scope) : scope;
  if (isFor && statement.init) runInit(budget, statement.init, inner, state);
  const { test } = statement;
  const { variable, from, isUp, at, next, condition } = counterOf(budget, test, inner, state, isTestedAfter);
  const runTest = (/** @type {RunState} */ turn) => {
    if (test && !isSame(evaluate(budget, test, inner, turn), condition))
      throw new Unclear('the end of a loop changes while it runs');
  };
  const run = (/** @type {RunState} */ turn) => {
    const before = turn.variables.get(variable) ?? UNDEFINED;
    turn.variables.set(variable, at);
    if (!isTestedAfter) runTest(turn);
    turn.become(nextIteration(budget, runStatement(budget, statement.body, inner, turn), labels));
    if (isFor && statement.update) evaluate(budget, statement.update, inner, turn);
    if (isTestedAfter) runTest(turn);
    if (!isSame(turn.variables.get(variable) ?? UNDEFINED, next)) {
      throw new Unclear('a loop does not step from row to row');
    }
    turn.variables.set(variable, before);
  };
  return foldTurns(budget, state, { from, isUp, run }).withOpaque(variable);
}

/**
 * @param {Budget} budget
 * @param {ForInStatement} statement
 * @param {Scope} scope
 * @param {RunState} state
 * @param {readonly string[]} labels
 * @returns {RunState} after it
 */
function runForIn(budget, statement, scope, state, labels) {
  const rows = evaluate(budget, statement.right, scope, state);
  if (rows.kind !== 'rows' || rows.from !== 0) throw new Unclear('a loop iterates over something other than the rows');
  return runForEach(budget, statement, rows, scope, state, (turn, inner) => {
    bindLoopTarget(budget, statement.left, NAME, inner, turn);
    turn.become(nextIteration(budget, runStatement(budget, statement.body, inner, turn), labels));
  });
}

/**
 * @param {Budget} budget
 * @param {ForOfStatement} statement
 * @param {Scope} scope
 * @param {RunState} state
 * @param {readonly string[]} labels
 * @returns {RunState} after it
 */
function runForOf(budget, statement, scope, state, labels) {
  if (statement.await) throw new Unclear('a loop is async');
  const rows = evaluate(budget, statement.right, scope, state);
  if (rows.kind !== 'rows' && rows.kind !== 'chosen')
    throw new Unclear('a loop iterates over something other than the rows');
  return runForEach(budget, statement, rows, scope, state, (turn, inner) =>
    onRow(budget, rows, turn, (at) => {
      bindLoopTarget(budget, statement.left, rows.of, inner, at);
      at.become(nextIteration(budget, runStatement(budget, statement.body, inner, at), labels));
    }),
  );
}

/**
 * @param {Budget} budget
 * @param {ForInStatement | ForOfStatement} statement
 * @param {RowsSymbol | ChosenSymbol} rows
 * @param {Scope} scope
 * @param {RunState} state
 * @param {(turn: RunState, inner: Scope) => void} run one iteration
 * @returns {RunState}
 */
function runForEach(budget, statement, rows, scope, state, run) {
  const { left } = statement;
  const isOwn = left.type === 'VariableDeclaration' && left.kind !== 'var';
  const target = left.type === 'VariableDeclaration' ? left.declarations[0]?.id : left;
  // Without names of its own, each iteration has those of the function.
  const names = isOwn || !target ? [] : namesIn(/** @type {AnyNode} */ (target));
  const variables = names.map((name) => scope.find(name) ?? scope.declare(name));
  for (const variable of variables) if (!state.variables.has(variable)) state.variables.set(variable, UNDEFINED);
  const after = foldTurns(budget, state, {
    from: rows.kind === 'rows' ? rows.from : 0,
    isUp: true,
    run: (turn) => {
      const held = variables.map((variable) => turn.variables.get(variable) ?? UNDEFINED);
      run(turn, loopScope(budget, statement, left, scope));
      for (const [at, variable] of variables.entries()) turn.variables.set(variable, held[at] ?? UNDEFINED);
    },
  });
  for (const variable of variables) after.withOpaque(variable);
  return after;
}

/**
 * @param {Budget} budget
 * @param {RowsSymbol | ChosenSymbol} rows
 * @param {RunState} state changed
 * @param {(state: RunState) => void} run what is done with the row at hand, where it is one of them
 */
export function onRow(budget, rows, state, run) {
  if (rows.kind === 'rows') {
    run(state);
    return;
  }
  const other = state.copy();
  inBranches(budget, rows.test, [true, false], (isChosen) => {
    if (isChosen) run(state);
  });
  state.become(mergeStates(rows.test, state.copy(), other));
}

/**
 * @param {Budget} budget
 * @param {AnyNode} init
 * @param {Scope} scope
 * @param {RunState} state changed
 */
function runInit(budget, init, scope, state) {
  if (init.type === 'VariableDeclaration') runStatement(budget, init, scope, state);
  else evaluate(budget, init, scope, state);
}
