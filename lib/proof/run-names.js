// Handles a member of an object that the function made, chosen by a string of the row at hand (`counts[value.state]`):
// one case for each member that the object has. What the string must be for that is noted as a condition.

import { assuming, comparisonOf, isImpossible, isPlainName, pathAssuming, selects } from './decide.js';
import { choose } from './operate.js';
import { EvaluationBailout } from './run-state.js';
import { constant, holds, identity, NEVER, UNDEFINED } from './symbols.js';

/** @import { EvaluationContext } from './run-pass.js' */
/** @import { Made } from './run-state.js' */
/** @import { ElementSymbol, Symbol_ } from './symbols.js' */

/** Objects of more members are no counters that people read. */
const MAX_NAMES = 20;

/** What every object has without having it made. */
const INHERITED = new Set(Object.getOwnPropertyNames(Object.prototype));

/**
 * @param {Made} made
 * @returns {string[] | undefined} its names, where a string selects one of them or none
 */
function namesOf({ kind, members }) {
  const names = [...members.keys()];
  const isClosed = kind === 'object' && names.length > 0 && names.length <= MAX_NAMES;
  return isClosed && names.every((name) => isPlainName(name) && !INHERITED.has(name)) ? names : undefined;
}

/**
 * @param {EvaluationContext} context changed: the name must be one of the object's
 * @param {Made} made
 * @param {ElementSymbol} name
 * @returns {Symbol_ | undefined} undefined where its members cannot be distinguished so
 */
export function readByName(context, made, name) {
  const names = namesOf(made);
  if (!names) return undefined;
  noteListed(context, name, names);
  return names.reduceRight(
    (/** @type {Symbol_} */ rest, member) => choose(selects(name, member), made.members.get(member) ?? NEVER, rest),
    NEVER,
  );
}

/**
 * @param {EvaluationContext} context changed: the name must be one of the object's
 * @param {Made} made changed
 * @param {ElementSymbol} name
 * @param {Symbol_} value
 * @throws {EvaluationBailout}
 */
export function writeByName(context, made, name, value) {
  const names = namesOf(made);
  if (!names) throw new EvaluationBailout('it assigns to a member by a computed name');
  noteListed(context, name, names);
  for (const member of names) {
    const test = selects(name, member);
    const before = made.members.get(member) ?? NEVER;
    made.members.set(member, choose(test, assuming(value, test, true), before));
  }
}

/**
 * Writes to one of several objects, or by one of several names. For each of them, the write holds on the path where the tests chose it; everywhere
 * else the member keeps its value.
 * @param {EvaluationContext} context
 * @param {Symbol_} chosen a choice of objects or names
 * @param {Symbol_} value
 * @param {(leaf: Symbol_) => Made | undefined} madeOf the object that is written to where the choice is that one
 * @param {(made: Made, leaf: Symbol_, value: Symbol_) => void} write
 * @throws {EvaluationBailout}
 */
export function writeToChosen(context, chosen, value, madeOf, write) {
  const { path } = context;
  for (const { leaf, tests } of leavesOf(chosen, [])) {
    if (leaf.kind === 'never') continue;
    const made = madeOf(leaf);
    if (!made) throw new EvaluationBailout('it assigns to a member of a value that may not be an object');
    const before = new Map(made.members);
    context.path = [...path, ...tests];
    const narrowed = tests.reduce((known, [test, truth]) => assuming(known, test, truth), value);
    write(made, leaf, narrowed);
    for (const [name, after] of made.members) {
      const old = before.get(name) ?? UNDEFINED;
      if (after === old) continue;
      const guarded = (/** @type {Symbol_} */ inner, /** @type {readonly [Symbol_, boolean]} */ [test, truth]) =>
        truth ? choose(test, inner, old) : choose(test, old, inner);
      made.members.set(name, tests.reduceRight(guarded, after));
    }
  }
  context.path = path;
}

/**
 * @param {Symbol_} symbol
 * @param {(readonly [Symbol_, boolean])[]} tests that lead to it
 * @returns {{leaf: Symbol_, tests: (readonly [Symbol_, boolean])[]}[]} with the tests that are needed
 */
function leavesOf(symbol, tests) {
  if (symbol.kind !== 'choice') return [{ leaf: symbol, tests }];
  // That it is not another name says nothing that the test for this name does not.
  const kept = tests.filter(([test, truth]) => truth || assuming(test, symbol.test, true).kind !== 'constant');
  return [
    ...leavesOf(symbol.yes, [...kept, [symbol.test, true]]),
    ...leavesOf(symbol.no, [...tests, [symbol.test, false]]),
  ];
}

/**
 * @param {EvaluationContext} context changed
 * @param {ElementSymbol} name
 * @param {string[]} names
 */
function noteListed(context, name, names) {
  const unlisted = names.reduce((path, member) => pathAssuming(path, selects(name, member), false), context.path);
  if (isImpossible(unlisted)) return;
  // `if (state !== 'draft') counts[state] += 1`
  const skipped = comparedWith(context.path, name).filter((other) => {
    return isPlainName(other) && isImpossible(pathAssuming(unlisted, selects(name, other), true));
  });
  const allowed = [...names, ...skipped];
  const place = identity(name);
  const known = context.listed.get(place)?.names;
  context.listed.set(place, {
    path: name.path,
    names: known ? known.filter((other) => allowed.includes(other)) : [...new Set(allowed)],
  });
}

/**
 * @param {import('./decide.js').PathTests} path
 * @param {Symbol_} of
 * @returns {string[]} strings that it is compared with on the way
 */
function comparedWith(path, of) {
  /** @type {string[]} */
  const found = [];
  for (const [test] of path) {
    holds(test, (part) => {
      const comparison = comparisonOf(part);
      if (comparison && identity(comparison.of) === identity(of)) found.push(comparison.name);
      return false;
    });
  }
  return found;
}

/**
 * @param {Made} made
 * @param {Symbol_} name
 * @returns {Symbol_ | undefined} whether it has a member of that name of its own; undefined where that is not known
 */
export function hasOwn(made, name) {
  if (name.kind === 'constant') return constant(made.members.has(String(name.value)));
  const names = namesOf(made);
  if (name.kind !== 'element' || !names) return undefined;
  return names.reduceRight(
    (/** @type {Symbol_} */ rest, member) => choose(selects(name, member), constant(true), rest),
    constant(false),
  );
}
