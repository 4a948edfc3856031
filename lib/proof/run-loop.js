// Determines what a loop over the rows leaves behind: each place that a turn changes becomes a fold, or opaque.

import { foldPlace, isAccumulator } from './fold.js';
import { evaluate } from './run-expression.js';
import { nextTurn, runStatement } from './run-pass.js';
import { RunState, Unclear } from './run-state.js';
import { loopScope } from './run-unrolled.js';
import { constant, holds, isSame, opaque, UNDEFINED } from './symbols.js';

/** @import { AnyNode, ForInStatement, ForOfStatement, ForStatement, WhileStatement } from 'acorn' */
/** @import { Scope } from '../javascript/scope.js' */
/** @import { Budget } from './run-pass.js' */
/** @import { Symbol_, ConstantSymbol } from './symbols.js' */

/** @type {Symbol_} */
const INDEX = { kind: 'index' };

/** Rounds until no further place is found that a turn changes. */
const MAX_ROUNDS = 8;

/**
 * @param {Budget} budget
 * @param {RunState} before
 * @param {object} loop
 * @param {0 | 1} loop.from the first row it looks at
 * @param {boolean} loop.isCounted whether the number of the turn is a number, as it is not in `for (i in values)`
 * @param {(state: RunState) => void} loop.run one turn
 * @returns {RunState} after the loop
 * @throws {Unclear}
 */
export function foldTurns(budget, before, { from, isCounted, run }) {
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
    if (isStable) return afterTurns(start, turn, tracked, { from, isCounted });
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
 * @param {{from: 0 | 1, isCounted: boolean}} loop
 * @returns {RunState}
 */
function afterTurns(start, turn, tracked, { from, isCounted }) {
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
    if (test.kind !== 'binary' || !isCounted || !/^===?$/.test(test.op) || from !== 0) return false;
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
 * @param {ForStatement | ForInStatement | ForOfStatement | WhileStatement} statement
 * @param {Scope} scope
 * @param {RunState} state
 * @returns {RunState} after it
 * @throws {Unclear}
 */
export function runLoop(budget, statement, scope, state) {
  if (statement.type === 'ForInStatement' || statement.type === 'ForOfStatement') {
    const rows = evaluate(budget, statement.right, scope, state);
    if (rows.kind !== 'rows' || rows.from !== 0)
      throw new Unclear('a loop iterates over something other than the rows');
    const isIn = statement.type === 'ForInStatement';
    const inner = loopScope(budget, statement, statement.left, scope);
    const variable = loopVariable(statement.left, inner);
    if (!state.variables.has(variable)) state.variables.set(variable, UNDEFINED);
    return foldTurns(budget, state, {
      from: 0,
      isCounted: false,
      run: (turn) => {
        const before = turn.variables.get(variable) ?? UNDEFINED;
        turn.variables.set(variable, isIn ? INDEX : rows.of);
        turn.become(nextTurn(runStatement(budget, statement.body, inner, turn)));
        turn.variables.set(variable, before);
      },
    }).withOpaque(variable);
  }
  const inner = statement.type === 'ForStatement' ? loopScope(budget, statement, statement.init, scope) : scope;
  if (statement.type === 'ForStatement' && statement.init) runInit(budget, statement.init, inner, state);
  const counter = counterOf(budget, statement, inner, state);
  return foldTurns(budget, state, {
    from: counter.from,
    isCounted: true,
    run: (turn) => {
      const before = turn.variables.get(counter.variable) ?? UNDEFINED;
      turn.variables.set(counter.variable, INDEX);
      turn.become(nextTurn(runStatement(budget, statement.body, inner, turn)));
      if (statement.type === 'ForStatement' && statement.update) evaluate(budget, statement.update, inner, turn);
      // The test is evaluated again before each turn.
      const end = counter.end && evaluate(budget, counter.end, inner, turn);
      if (end && !isSame(end, counter.endValue)) throw new Unclear('the end of a loop changes while it runs');
      if (!isStep(turn.variables.get(counter.variable), counter.step)) {
        throw new Unclear('a loop does not step from row to row');
      }
      turn.variables.set(counter.variable, before);
    },
  }).withOpaque(counter.variable);
}

/**
 * @param {Budget} budget
 * @param {AnyNode} init
 * @param {Scope} scope
 * @param {RunState} state changed
 */
function runInit(budget, init, scope, state) {
  if (init.type === 'VariableDeclaration') nextTurn(runStatement(budget, init, scope, state));
  else evaluate(budget, init, scope, state);
}

/**
 * @param {AnyNode} left
 * @param {Scope} scope
 * @returns {symbol}
 */
function loopVariable(left, scope) {
  const target = left.type === 'VariableDeclaration' ? left.declarations[0]?.id : left;
  if (target?.type !== 'Identifier') throw new Unclear('a loop destructures its variable');
  return scope.find(target.name) ?? scope.declare(target.name);
}

/**
 * @param {Budget} budget
 * @param {ForStatement | WhileStatement} loop
 * @param {Scope} scope
 * @param {RunState} state
 * @returns {{variable: symbol, from: 0 | 1, step: 1 | -1 | 0, end?: AnyNode, endValue: Symbol_}} `step` 0 where the test itself counts down
 * @throws {Unclear}
 */
function counterOf(budget, { test }, scope, state) {
  if (!test) throw new Unclear('a loop has no condition');
  const condition = /** @type {AnyNode} */ (test);
  // `while (i--)`, with i the number of rows
  const down =
    condition.type === 'BinaryExpression' && isZero(condition.right) && condition.operator === '>'
      ? condition.left
      : condition;
  if (
    down.type === 'UpdateExpression' &&
    !down.prefix &&
    down.operator === '--' &&
    down.argument.type === 'Identifier'
  ) {
    const variable = scope.find(down.argument.name);
    const value = variable && state.variables.get(variable);
    if (variable && value?.kind === 'length') return { variable, from: 0, step: 0, endValue: UNDEFINED };
  }
  if (condition.type !== 'BinaryExpression') throw new Unclear('the condition of a loop is not supported');
  const { left, right, operator } = condition;
  const isLeft = left.type === 'Identifier' && /^(<=?|!==?|>=?)$/.test(operator);
  const name = isLeft ? left : right;
  if (name.type !== 'Identifier') throw new Unclear('the condition of a loop is not supported');
  const variable = scope.find(name.name);
  const value = variable && state.variables.get(variable);
  const endNode = /** @type {AnyNode} */ (isLeft ? right : left);
  const end = evaluate(budget, endNode, scope, state);
  if (!variable || !value) throw new Unclear('the condition of a loop is not supported');
  const isUp = isLeft ? operator === '<' || operator.startsWith('!') : operator === '>';
  // `i <= values.length - 1`
  const isToLast = isLeft && operator === '<=' && isLastRow(end);
  if (isToLast && isConstantSymbol(value, 0)) return { variable, from: 0, step: 1, end: endNode, endValue: end };
  if (isUp && end.kind === 'length' && value.kind === 'constant' && (value.value === 0 || value.value === 1)) {
    return { variable, from: value.value, step: 1, end: endNode, endValue: end };
  }
  const isDown =
    isLeft &&
    ((operator === '>=' && isConstantSymbol(end, 0)) ||
      ((operator === '>' || operator.startsWith('!')) && isConstantSymbol(end, -1)));
  if (isLastRow(value) && isDown) return { variable, from: 0, step: -1, end: endNode, endValue: end };
  throw new Unclear('a loop does not cover all rows');
}

/**
 * @param {Symbol_} symbol
 * @returns {boolean} whether it is the number of rows less 1
 */
function isLastRow(symbol) {
  return (
    symbol.kind === 'binary' && symbol.op === '-' && symbol.left.kind === 'length' && isConstantSymbol(symbol.right, 1)
  );
}

/** @param {AnyNode} node */
function isZero(node) {
  return node.type === 'Literal' && node.value === 0;
}

/**
 * @param {Symbol_} symbol
 * @param {ConstantSymbol['value']} value
 * @returns {boolean}
 */
function isConstantSymbol(symbol, value) {
  return isSame(symbol, constant(value));
}

/**
 * @param {Symbol_ | undefined} value
 * @param {1 | -1 | 0} step
 * @returns {boolean} whether it is the number of the next row
 */
function isStep(value, step) {
  if (step === 0) return value?.kind === 'index';
  if (value?.kind !== 'binary' || value.left.kind !== 'index' || !isConstantSymbol(value.right, 1)) return false;
  return value.op === (step === 1 ? '+' : '-');
}
