// Draws seeded rows of values that a map can emit. Draws values only; runs nothing and judges nothing.

import { drawEmittedLists, variedRows } from './emitted-lists.js';

/** @import { RandomSource } from '../shared/seeded-random.js' */

/**
 * What the values of a view can be. `any` is every JSON value and always holds the traps; `number` holds the traps among
 * numbers; `array` has as many members as it has specs, `list` has any number of members of one spec; `object` has exactly
 * these members, in order; `record` has any of some names; `emitted` are rows that a map emitted, which are taken as they are.
 * @typedef {{kind: 'any' | 'number' | 'integer' | 'string' | 'digits' | 'boolean' | 'null' | 'date'}} ScalarSpec
 * @typedef {ScalarSpec | {kind: 'literal', value: unknown} | {kind: 'array', items: ValueSpec[]} | {kind: 'list' | 'record', of: ValueSpec} | {kind: 'object', members: [string, ValueSpec][]} | {kind: 'oneOf', of: ValueSpec[]} | {kind: 'emitted', rows: readonly TrialRow[]}} ValueSpec
 */

/**
 * One row of a view: what its map emitted, and the document it emitted it for, where there is one.
 * @typedef {{id: string, key: unknown, value: unknown, document?: Record<string, unknown>}} TrialRow
 */

/** Numbers on which sums, comparisons and printing differ: -0 (JSON has `0` for it), floats whose sum depends on the
 *  order, numbers far below zero. */
const NUMBERS = [
  0, 1, 2, 3, 5, 7, 12, -1, -4, -0, 0.1, 0.2, 0.3, 0.125, 0.5, 1.5, 2.71875, 19.99, -2.25, 1000, -41, -300.5,
  -123_456.75,
];
/** Whole numbers that a double cannot count on from (Erlang can). Beside them a small difference is lost: they are in few lists. */
const LARGE = [4503599627370497, 9007199254740992, 9007199254740994, 1e15, 1e21];
const LARGE_EVERY = 6;
const STRINGS = ['', 'pear', 'apple', 'quince', 'plum', 'Apple', 'é'];
const DIGITS = ['', '0', '7', '12', '3.5', '-1', '1e3'];
const DATES = ['2026-01-31', '2025-11-02', '2026-03-09', '1999-12-31', '2026-01-01'];
const NAMES = ['open', 'paid', 'sent', 'returned'];

/** The values that reducers are not written for. NaN, undefined and Infinity reach a reducer as null: the rows are JSON. */
const TRAPS = [
  null,
  '',
  '7',
  '12',
  'pear',
  true,
  false,
  [],
  [1],
  [1, 2],
  [1, 2, 3],
  [null],
  ['a', 1],
  {},
  { count: 2 },
  { sum: 3, count: 2 },
  { sum: 3, count: 2, min: 1, max: 2, sumsqr: 5 },
  { error: 'none' },
  { a: { b: [1, { c: null }] } },
];

/** @type {ValueSpec} */
export const ANY = { kind: 'any' };

/**
 * @param {ValueSpec} spec
 * @param {RandomSource} random
 * @param {boolean} [hasLarge] whether some numbers are so large that rounding shows
 * @returns {unknown} a JSON value
 */
export function drawValue(spec, random, hasLarge = false) {
  const draw = (/** @type {ValueSpec} */ inner) => drawValue(inner, random, hasLarge);
  switch (spec.kind) {
    case 'literal':
      return asJson(spec.value);
    case 'array':
      return spec.items.map(draw);
    case 'list':
      return Array.from({ length: random.below(random.below(6) === 0 ? 9 : 4) }, () => draw(spec.of));
    case 'object':
      return asObject(spec.members.map(([name, of]) => [name, draw(of)]));
    case 'record':
      return asObject(NAMES.slice(random.below(4)).map((name) => [name, draw(spec.of)]));
    case 'oneOf':
      return spec.of.length === 0 ? null : draw(random.pick(spec.of));
    case 'emitted':
      return random.pick(spec.rows).value;
    default:
      return drawScalar(spec.kind, random, hasLarge);
  }
}

/**
 * @param {ScalarSpec['kind']} kind
 * @param {RandomSource} random
 * @param {boolean} hasLarge
 * @returns {unknown}
 */
function drawScalar(kind, random, hasLarge) {
  switch (kind) {
    case 'number':
      return asJson(hasLarge && random.below(4) === 0 ? random.pick(LARGE) : random.pick(NUMBERS));
    case 'integer':
      return random.below(60) - 10;
    case 'string':
      return random.pick(STRINGS);
    case 'digits':
      return random.pick(DIGITS);
    case 'date':
      return random.pick(DATES);
    case 'boolean':
      return random.below(2) === 0;
    case 'null':
      return null;
    case 'any':
      return random.below(3) === 0 ? drawScalar('number', random, hasLarge) : structuredClone(random.pick(TRAPS));
  }
}

/**
 * Further lists of rows, for a reducer that does something else from some number of rows, or for some key or id.
 * @typedef {object} Edges
 * @property {readonly number[]} [lengths] numbers of rows
 * @property {readonly unknown[]} [keys] JSON values, each the key of all rows of one list
 * @property {readonly string[]} [ids] each begins the ids of the rows of one list
 * @property {readonly unknown[]} [literals] constants, each the only one of its type in the rows of one list: an extreme that begins with one of
 *   them is right as long as another value is beyond it
 */

/** Rows of a list whose key or id is given. */
const AT_EDGE = 3;

/**
 * Lists of values for one spec, the same for the same seed: none of them empty, for a view with no rows has no answer;
 * first a list of one row, then two equal rows, then lists of a few, of one kind each where the spec leaves a choice, and
 * now and then of a mixture.
 * @param {ValueSpec} spec
 * @param {RandomSource} random
 * @param {number} count of lists
 * @param {Edges} [edges] further lists: their rows differ from each other, so that none can be left out unnoticed
 * @returns {TrialRow[][]}
 */
export function drawRowLists(spec, random, count, { lengths = [], keys = [], ids = [], literals = [] } = {}) {
  if (spec.kind === 'emitted') return drawEmittedLists(spec.rows, random, count, lengths);
  const choices = listChoices(spec);
  /** @type {TrialRow[][]} */
  const lists = [];
  for (let at = 0; at < count; at++) {
    const chosen = at % 3 === 2 ? spec : /** @type {ValueSpec} */ (choices[at % choices.length]);
    const length = at < 2 ? at + 1 : 2 + random.below(at % 7 === 6 ? 30 : 6);
    const hasLarge = at % LARGE_EVERY === LARGE_EVERY - 1;
    const values = Array.from({ length }, () => drawValue(chosen, random, hasLarge));
    if (length === 2 && at === 1) values[1] = structuredClone(values[0]);
    lists.push(rowsOf(values, random));
  }
  for (const literal of literals.slice(0, MAX_ALONE)) {
    const only = withOnly(spec, literal);
    lists.push(rowsOf([drawValue(only, random), drawValue(only, random)], random));
  }
  for (const length of lengths) lists.push(drawVariedRows(spec, random, length));
  for (const key of keys) lists.push(drawVariedRows(spec, random, AT_EDGE).map((row) => ({ ...row, key })));
  for (const id of ids) {
    // The key is the id in the last of them: some maps emit it.
    const rows = drawVariedRows(spec, random, AT_EDGE).map((row, at) => ({
      ...row,
      id: at === 0 ? id : `${id}-${at}`,
    }));
    lists.push(
      rows,
      rows.map((row) => ({ ...row, key: row.id })),
    );
  }
  return lists;
}

/** Lists of rows of one constant. */
const MAX_ALONE = 60;

/**
 * @param {ValueSpec} spec
 * @param {unknown} literal
 * @returns {ValueSpec} with that instead of all numbers, or all strings; what can only be one of some constants stays one of them
 */
function withOnly(spec, literal) {
  const deeper = (/** @type {ValueSpec} */ inner) => withOnly(inner, literal);
  /** @type {ValueSpec} */
  const only = { kind: 'literal', value: literal };
  switch (spec.kind) {
    case 'array':
      return { ...spec, items: spec.items.map(deeper) };
    case 'oneOf': {
      if (spec.of.every((inner) => inner.kind === 'literal'))
        return spec.of.find((inner) => inner.kind === 'literal' && inner.value === literal) ?? spec;
      const isAlike = (/** @type {ValueSpec} */ inner) =>
        inner.kind === 'literal' && typeof inner.value === typeof literal;
      return { ...spec, of: spec.of.map((inner) => (isAlike(inner) ? only : deeper(inner))) };
    }
    case 'list':
    case 'record':
      return { ...spec, of: deeper(spec.of) };
    case 'object':
      return { ...spec, members: spec.members.map(([name, of]) => [name, deeper(of)]) };
    case 'any':
      return only;
    default:
      return spec.kind === typeof literal ? only : spec;
  }
}

/**
 * Puts constants of a reducer's text among the values it may meet, where the map may emit them: a literal that a map emits
 * stays alone.
 * @param {ValueSpec} spec
 * @param {readonly unknown[]} literals
 * @returns {ValueSpec}
 */
export function withLiterals(spec, literals) {
  /** @param {ValueSpec} inner */
  const deeper = (inner) => withLiterals(inner, literals);
  switch (spec.kind) {
    case 'array':
    case 'oneOf':
      return spec.kind === 'array' ? { ...spec, items: spec.items.map(deeper) } : { ...spec, of: spec.of.map(deeper) };
    case 'list':
    case 'record':
      return { ...spec, of: deeper(spec.of) };
    case 'object':
      return { ...spec, members: spec.members.map(([name, of]) => [name, deeper(of)]) };
    case 'number':
    case 'string':
    case 'date':
    case 'any': {
      const type = spec.kind === 'date' ? 'string' : spec.kind;
      const fitting = literals.filter((value) => type === 'any' || typeof value === type);
      if (fitting.length === 0) return spec;
      return {
        kind: 'oneOf',
        of: [spec, spec, ...fitting.map((value) => /** @type {ValueSpec} */ ({ kind: 'literal', value }))],
      };
    }
    default:
      return spec;
  }
}

/**
 * Rows no two of which are alike as far as the spec allows it, to see what grows with their number.
 * @param {ValueSpec} spec
 * @param {RandomSource} random
 * @param {number} count
 * @returns {TrialRow[]} fewer where there are no more
 */
export function drawVariedRows(spec, random, count) {
  if (spec.kind === 'emitted') return variedRows(spec.rows).slice(0, count);
  return rowsOf(Array.from({ length: count }, (_, at) => varied(spec, random, at)));
}

/**
 * @param {ValueSpec} spec
 * @param {RandomSource} random
 * @param {number} at
 * @returns {unknown} another value for every `at`
 */
function varied(spec, random, at) {
  switch (spec.kind) {
    case 'number':
    case 'integer':
      return ((at * 7919) % 100003) + 1;
    case 'string':
    case 'any':
      return `pear-${at}`;
    case 'digits':
      return String(at);
    case 'date':
      return new Date(at * 86_400_000).toISOString().slice(0, 10);
    case 'array':
      return spec.items.map((item) => varied(item, random, at));
    case 'list':
      return [varied(spec.of, random, at)];
    case 'object':
      return asObject(spec.members.map(([name, of]) => [name, varied(of, random, at)]));
    case 'record':
      return asObject([[`name-${at}`, varied(spec.of, random, at)]]);
    case 'oneOf': {
      const chosen = spec.of[at % Math.max(1, spec.of.length)];
      return chosen === undefined ? null : varied(chosen, random, at);
    }
    default:
      return drawValue(spec, random);
  }
}

/**
 * @param {ValueSpec} spec
 * @returns {ValueSpec[]} the kinds one list may be of alone
 */
function listChoices(spec) {
  if (spec.kind === 'oneOf' && spec.of.length > 0) return spec.of.flatMap(listChoices);
  if (spec.kind === 'any') return [{ kind: 'number' }, { kind: 'oneOf', of: [{ kind: 'number' }, spec] }, spec];
  return [spec];
}

/**
 * Gives values the keys and ids of a view, in its order: by key, and by id where keys are equal.
 * @param {unknown[]} values in the order of the rows
 * @param {RandomSource} [random] for equal keys now and then; without it every row has a key of its own
 * @returns {TrialRow[]}
 */
export function rowsOf(values, random) {
  let key = 1;
  return values.map((value, at) => {
    if (at > 0 && !(random && random.below(4) === 0)) key++;
    return { id: `order-${String(at + 1).padStart(3, '0')}`, key, value };
  });
}

/**
 * @param {[string, unknown][]} entries
 * @returns {object} whose members are its own, whatever their names
 */
function asObject(entries) {
  return JSON.parse(
    `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')}}`,
  );
}

/**
 * @param {unknown} value
 * @returns {unknown} what it is behind JSON: `null` for undefined and NaN, 0 for -0
 */
function asJson(value) {
  const text = JSON.stringify(value);
  return text === undefined ? null : JSON.parse(text);
}
