// Finds the counter of a loop over the rows: a variable that steps by one, and a condition that is true for each row and for nothing else.

import { walkNodes } from '../javascript/walk.js';
import { linearOf, operate } from './operate.js';
import { evaluate } from './run-expression.js';
import { EvaluationBailout } from './run-state.js';
import { constant, isSame } from './symbols.js';

/** @import { AnyNode } from 'acorn' */
/** @import { Scope } from '../javascript/scope.js' */
/** @import { Linear } from './operate.js' */
/** @import { EvaluationContext } from './run-pass.js' */
/** @import { RunState } from './run-state.js' */
/** @import { Symbol_ } from './symbols.js' */

/**
 * @typedef {object} Counter
 * @property {symbol} variable
 * @property {0 | 1} from the first row that the loop looks at
 * @property {boolean} isUp whether it goes from the first row to the last
 * @property {Symbol_} at what the variable holds where the iteration begins: before the test, or before the body of `do … while`
 * @property {Symbol_} next what it must hold where the next one begins
 * @property {Symbol_} condition what the test must come to
 */

/** @type {Symbol_} */
const INDEX = { kind: 'index' };

/**
 * @param {EvaluationContext} context
 * @param {AnyNode | null | undefined} test of the loop
 * @param {Scope} scope
 * @param {RunState} state
 * @param {boolean} isTestedAfter whether the body runs before the test, as in `do … while`
 * @returns {Counter}
 * @throws {EvaluationBailout} where none is found
 */
export function counterOf(context, test, scope, state, isTestedAfter) {
  if (!test) throw new EvaluationBailout('a loop has no condition');
  for (const variable of variablesIn(test, scope)) {
    const value = state.variables.get(variable);
    const start = value && linearOf(value);
    for (const { from, isUp, at } of start ? startsOf(start, isTestedAfter) : []) {
      const next = operate(isUp ? '+' : '-', at, constant(1));
      // What comes before the test of a loop with the test behind: its body, which must step.
      const counter = { variable, from, isUp, at, next };
      const condition = conditionAt(context, test, scope, state, counter, isTestedAfter);
      if (condition && coversRows(condition, isUp, isTestedAfter ? 1 : 0)) return { ...counter, condition };
    }
  }
  throw new EvaluationBailout('a loop does not cover all rows');
}

/**
 * @param {AnyNode} test
 * @param {Scope} scope
 * @returns {Set<symbol>} variables that stand in it
 */
function variablesIn(test, scope) {
  /** @type {Set<symbol>} */
  const found = new Set();
  walkNodes([test], (node) => {
    const variable = node.type === 'Identifier' ? scope.find(node.name) : undefined;
    if (variable) found.add(variable);
  });
  return found;
}

/**
 * @param {Linear} start what the variable holds before the loop
 * @param {boolean} isTestedAfter
 * @returns {{from: 0 | 1, isUp: boolean, at: Symbol_}[]} how it may stand to the number of the row
 */
function startsOf({ base, plus }, isTestedAfter) {
  const at = (/** @type {number} */ shift) => operate('+', INDEX, constant(shift));
  if (base === 'length') return [{ from: 0, isUp: false, at: at(plus + 1) }];
  if (base !== undefined) return [];
  const whole = { from: /** @type {const} */ (0), isUp: true, at: at(plus) };
  // There may be no second row, where a loop runs its body before it tests.
  return isTestedAfter ? [whole] : [whole, { from: 1, isUp: true, at: at(plus - 1) }];
}

/**
 * @param {EvaluationContext} context
 * @param {AnyNode} test
 * @param {Scope} scope
 * @param {RunState} state
 * @param {Omit<Counter, 'condition'>} counter
 * @param {boolean} isTestedAfter
 * @returns {Symbol_ | undefined} what the test comes to; undefined where it changes more than the counter
 */
function conditionAt(context, test, scope, state, { variable, at, next }, isTestedAfter) {
  const iteration = state.copy();
  // `do { … i++ } while (i < n)` tests what the body left; `do { … } while (--i >= 0)` steps itself.
  const before = isTestedAfter && !steps(test) ? next : at;
  iteration.variables.set(variable, before);
  const held = iteration.places();
  const condition = evaluate(context, test, scope, iteration);
  iteration.variables.set(variable, before);
  for (const [place, value] of iteration.places()) {
    const old = held.get(place);
    if (old !== value && !(old && isSame(old, value))) return undefined;
  }
  return condition;
}

/** @param {AnyNode} test @returns {boolean} whether it changes something */
function steps(test) {
  let found = false;
  walkNodes([test], ({ type }) => {
    found ||= type === 'UpdateExpression' || type === 'AssignmentExpression';
  });
  return found;
}

/** @type {Record<string, string>} */
const TURNED = { '<': '>', '>': '<', '<=': '>=', '>=': '<=' };

/**
 * @param {Symbol_} condition
 * @param {boolean} isUp
 * @param {0 | 1} ahead 1 where it is about the next row
 * @returns {boolean} whether it is true for the number of each row, and false for the one behind the last, or before the first
 */
function coversRows(condition, isUp, ahead) {
  const alone = linearOf(condition);
  // `while (i--)`
  if (alone) return !isUp && alone.base === 'index' && alone.plus + ahead === 1;
  if (condition.kind !== 'binary') return false;
  const [left, right] = [linearOf(condition.left), linearOf(condition.right)];
  if (!left || !right) return false;
  const isTurned = right.base === 'index';
  const [own, end] = isTurned ? [right, left] : [left, right];
  const op = isTurned ? (TURNED[condition.op] ?? condition.op) : condition.op;
  if (own.base !== 'index' || end.base !== (isUp ? 'length' : undefined)) return false;
  // The row that it is about is compared with this: with the number of rows and a distance, or with a number.
  const limit = end.plus - (own.plus + (isUp ? -ahead : ahead));
  if (/^!==?$/.test(op)) return limit === (isUp ? 0 : -1);
  if (isUp) return (op === '<' && limit === 0) || (op === '<=' && limit === -1);
  return (op === '>' && limit === -1) || (op === '>=' && limit === 0);
}
