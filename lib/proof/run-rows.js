// Evaluates methods of arrays that have one element for each row, or for each row that passes a test.

import { summarizePlace } from './loop-summary.js';
import { choose, truthOf } from './operate.js';
import { callGlobal } from './run-call.js';
import { onRow, summarizeLoop } from './run-loop.js';
import { atEnd } from './run-member.js';
import { callFunction } from './run-pass.js';
import { EvaluationBailout } from './run-state.js';
import { constant, isSame, opaque, UNDEFINED } from './symbols.js';

/** @import { EvaluationContext } from './run-pass.js' */
/** @import { RunState } from './run-state.js' */
/** @import { ChosenSymbol, RowsSymbol, Symbol_ } from './symbols.js' */

/** @typedef {(given: Symbol_[], state: RunState) => Symbol_} Callback */

/** Global functions that compute with their first argument alone, and may be a callback. */
const CALLBACKS = new Set(['Number', 'parseFloat', 'Boolean', 'isNaN', 'isFinite']);

/** @type {Symbol_} */
const POSITION = opaque('it reads a position in a filtered array');

/**
 * @param {EvaluationContext} context
 * @param {RowsSymbol | ChosenSymbol} rows
 * @param {string} name
 * @param {Symbol_[]} given
 * @param {RunState} state changed
 * @returns {Symbol_}
 */
export function callOnRows(context, rows, name, given, state) {
  const [first = UNDEFINED, second] = given;
  const copy = copyOf(rows, name, given);
  if (copy) return copy;
  if (name === 'hasOwnProperty' && rows.kind === 'rows' && rows.from === 0 && isNumberOfRow(first))
    return constant(true);
  const run = callbackOf(context, first);
  if (!run) throw new EvaluationBailout(`it calls \`.${name}()\` on the rows`);
  /** @type {Symbol_} */
  const index = rows.kind === 'rows' && rows.from === 0 ? { kind: 'index' } : POSITION;
  switch (name) {
    case 'forEach':
      state.become(
        summarizeLoop(context, state, {
          from: rows.kind === 'rows' ? rows.from : 0,
          isUp: true,
          run: (iteration) => onRow(context, rows, iteration, (at) => void run([rows.of, index, rows], at)),
        }),
      );
      return UNDEFINED;
    case 'map': {
      const of = apart(context, state, () => run([rows.of, index, rows], state));
      return of.kind === 'reference' ? opaque('it builds an array of objects') : { ...rows, of };
    }
    case 'filter':
      if (rows.kind === 'rows' && rows.from !== 0) throw new EvaluationBailout('it filters only some of the rows');
      return choosing(
        rows,
        apart(context, state, () => run([rows.of, index, rows], state)),
      );
    case 'reduce':
    case 'reduceRight':
      return reduceRows(context, rows, name, second, state, (accumulator) =>
        run([accumulator, rows.of, index, rows], state),
      );
    default:
      throw new EvaluationBailout(`it calls \`.${name}()\` on the rows`);
  }
}

/**
 * @param {RowsSymbol | ChosenSymbol} rows
 * @param {string} name
 * @param {Symbol_[]} given
 * @returns {Symbol_ | undefined} a copy of the rows, perhaps without the first: as good as they are, as neither is changed
 */
function copyOf(rows, name, [first = UNDEFINED, second]) {
  if (second !== undefined || first.kind !== 'constant') return undefined;
  if (name === 'concat') return first === UNDEFINED ? rows : undefined;
  if (name !== 'slice') return undefined;
  if (first.value === undefined || first.value === 0) return rows;
  if (rows.kind !== 'rows' || rows.from !== 0) throw new EvaluationBailout('it loops over only some of the rows');
  return first.value === 1 ? { ...rows, from: 1 } : opaque('it uses only some of the rows');
}

/** @param {Symbol_} symbol @returns {boolean} */
function isNumberOfRow({ kind }) {
  return kind === 'index' || kind === 'name';
}

/**
 * @param {EvaluationContext} context
 * @param {Symbol_} symbol
 * @returns {Callback | undefined}
 */
function callbackOf(context, symbol) {
  if (symbol.kind === 'function')
    return (given, at) => callFunction(context, symbol.node, symbol.scope, given, at).value;
  if (symbol.kind !== 'global' || !CALLBACKS.has(symbol.name)) return undefined;
  return ([first = UNDEFINED]) => (symbol.name === 'Boolean' ? first : callGlobal(context, symbol.name, [first]));
}

/**
 * @param {RowsSymbol | ChosenSymbol} rows
 * @param {Symbol_} test
 * @returns {Symbol_} those of them that pass
 */
function choosing(rows, test) {
  const truth = truthOf(test);
  if (truth === true) return rows;
  return { kind: 'chosen', of: rows.of, test: rows.kind === 'rows' ? test : choose(rows.test, test, rows.test) };
}

/**
 * @param {EvaluationContext} context
 * @param {RowsSymbol | ChosenSymbol} rows
 * @param {'reduce' | 'reduceRight'} name
 * @param {Symbol_ | undefined} start
 * @param {RunState} state changed
 * @param {(accumulator: Symbol_) => Symbol_} run the callback
 * @returns {Symbol_}
 * @throws {EvaluationBailout}
 */
function reduceRows(context, rows, name, start, state, run) {
  const isAll = rows.kind === 'rows' && rows.from === 0;
  if (!start && name === 'reduceRight') throw new EvaluationBailout('`.reduceRight()` starts with the last row');
  if (!start && !isAll) throw new EvaluationBailout('`.reduce()` of no rows throws');
  if (start?.kind === 'reference') {
    if (!isAll) throw new EvaluationBailout('it reduces only some of the rows to an object');
    return reduceToShape(context, start, run, state);
  }
  const place = `reduce ${context.nextId}`;
  context.nextId += 1;
  /** @type {Symbol_} */
  const accumulator = { kind: 'accumulator', place };
  const result = apart(context, state, () => run(accumulator));
  const next = rows.kind === 'chosen' ? choose(rows.test, result, accumulator) : result;
  const from = rows.kind === 'rows' && start ? rows.from : start ? 0 : 1;
  return summarizePlace(place, next, start ?? atEnd(rows.of, 'first'), { from, isStart: () => false });
}

/**
 * A `reduce` from an object or list, whose members are each folded.
 * @param {EvaluationContext} context
 * @param {import('./symbols.js').ReferenceSymbol} start
 * @param {(accumulator: Symbol_) => Symbol_} run one iteration
 * @param {RunState} state changed
 * @returns {Symbol_}
 * @throws {EvaluationBailout}
 */
function reduceToShape(context, start, run, state) {
  const made = state.heap.get(start.id);
  if (!made) throw new EvaluationBailout('an object could not be followed');
  const id = context.nextId;
  context.nextId += 1;
  const places = new Map([...made.members.keys()].map((name) => [name, `reduce ${id} ${name}`]));
  /** @type {(name: string, place: string) => [string, Symbol_]} */
  const accumulate = (name, place) => [name, { kind: 'accumulator', place }];
  const held = new Map([...places].map(([name, place]) => accumulate(name, place)));
  const next = apart(context, state, () => {
    state.heap.set(id, { kind: made.kind, members: new Map(held) });
    return run({ kind: 'reference', id });
  });
  const reached = next.kind === 'reference' ? state.heap.get(next.id) : undefined;
  const own = state.heap.get(id);
  if (next.kind !== 'reference' || !reached || !own)
    throw new EvaluationBailout('a callback of `.reduce()` returns something other than its accumulator');
  // What one iteration changes in the object it is given, and leaves behind for another, is not followed.
  const isChanged =
    own.members.size !== held.size || [...own.members].some(([name, value]) => value !== held.get(name));
  if (next.id !== id && isChanged) throw new EvaluationBailout('an object is changed but not returned');
  if (reached.kind !== made.kind || reached.members.size !== made.members.size) {
    throw new EvaluationBailout('members are added to an object');
  }
  /** @type {Map<string, Symbol_>} */
  const members = new Map();
  for (const [name, place] of places) {
    const [old, now] = [made.members.get(name), reached.members.get(name)];
    if (!old || !now) throw new EvaluationBailout('members are added to an object');
    members.set(name, isSame(now, held.get(name) ?? UNDEFINED) ? old : summarizePlace(place, now, old, NO_START));
  }
  if (next.id === id) {
    // It is the object that was given: every holder of that sees the changes.
    state.heap.set(start.id, { kind: made.kind, members });
    return start;
  }
  state.heap.set(id, { kind: made.kind, members });
  return { kind: 'reference', id };
}

/** @type {import('./loop-summary.js').Iteration} */
const NO_START = { from: 0, isStart: () => false };

/**
 * @param {EvaluationContext} context
 * @param {RunState} state
 * @param {() => Symbol_} run a callback for the row at hand
 * @returns {Symbol_} what it returns
 * @throws {EvaluationBailout} where it changes something outside of it
 */
function apart({ undeclared }, state, run) {
  const before = state.places();
  const variables = new Set(state.variables.keys());
  const result = run();
  const after = state.places();
  for (const [place, value] of before) {
    const now = after.get(place);
    if (!now || (now !== value && !isSame(now, value)))
      throw new EvaluationBailout('a callback changes variables outside of it');
  }
  for (const variable of state.variables.keys()) {
    if (!variables.has(variable) && undeclared.has(variable))
      throw new EvaluationBailout('a callback changes variables outside of it');
  }
  return result;
}
