// Determines what the values that a map emits can be, as far as reading the code shows. Never runs it.

import { followFlow } from '../javascript/flow.js';
import { parseFunction } from '../javascript/parse.js';
import { typeAt } from '../javascript/path-facts.js';
import { alternatives } from '../javascript/values.js';

/** @import { PathFacts } from '../javascript/path-facts.js' */
/** @import { Value } from '../javascript/values.js' */
/** @import { ValueSpec } from './trial-values.js' */

/**
 * Whether a value is a number: `always` by the map's code, `if` the field is one (or something else holds that reading does
 * not tell, where there is no field), `not`. `open`: why reading could not determine it, where that is so.
 * @typedef {{isNumber: 'always' | 'if' | 'not', field?: string | undefined, open?: string | undefined}} Numeric
 */

/**
 * @typedef {object} Emitted
 * @property {Numeric} number about the values as they are
 * @property {Map<string, Numeric> | undefined} members of the values, where all are objects, or all are lists, with exactly
 *   these
 * @property {Value[] | undefined} values all of them; undefined where the map could not be read
 * @property {boolean} isPlain whether a test in the map finds of each value what one in the reduce finds, undefined taken for null:
 *   NaN, infinite numbers and dates become something else in JSON
 * @property {ValueSpec | undefined} spec to draw values from; undefined where some are not known
 * @property {ValueSpec[]} guesses the same with numbers, and with texts, for fields in objects and lists that may hold
 *   anything; empty where these are not all that is unknown
 */

/**
 * @param {string} open why nothing is known
 * @returns {Emitted}
 */
function nothingKnown(open) {
  return {
    number: { isNumber: 'if', open },
    members: undefined,
    values: undefined,
    isPlain: false,
    spec: undefined,
    guesses: [],
  };
}

/**
 * @param {string | undefined} source of the map
 * @returns {Emitted}
 */
export function emittedValues(source) {
  if (source === undefined) return nothingKnown('the view has no JavaScript map');
  const tree = parseFunction(source);
  if (!tree.ok || !tree.fn) return nothingKnown('the map could not be analyzed');
  const flow = followFlow(tree, ['doc']);
  if ('unknown' in flow) return nothingKnown(flow.unknown);
  if (flow.emits.length === 0) return nothingKnown('no `emit` was found in the map');
  /** @type {Numeric[]} */
  const numbers = [];
  /** @type {(Map<string, Numeric> | undefined)[]} */
  const shapes = [];
  /** @type {((guess?: ValueSpec) => ValueSpec | undefined)[]} */
  const specs = [];
  let isPlain = true;
  for (const { value, pathFacts } of flow.emits) {
    for (const item of alternatives(value)) {
      isPlain &&= isPlainValue(item);
      numbers.push(numericOf(item, pathFacts));
      shapes.push(membersOf(item, pathFacts));
      specs.push((guess) => specOf(item, pathFacts, 0, guess));
    }
  }
  const spec = anyOf(specs.map((draw) => draw()));
  /** @type {ValueSpec[]} */
  const kinds = [{ kind: 'number' }, { kind: 'string' }];
  const guesses = kinds.map((kind) => anyOf(specs.map((draw) => draw(kind))));
  return {
    number: inAll(numbers),
    members: commonMembers(shapes),
    values: flow.emits.flatMap(({ value }) => alternatives(value)),
    isPlain,
    spec,
    guesses: spec ? [] : guesses.filter((guess) => guess !== undefined),
  };
}

/**
 * @param {Value} value
 * @returns {boolean}
 */
function isPlainValue(value) {
  switch (value.kind) {
    case 'constant':
      return typeof value.value !== 'number' || Number.isFinite(value.value);
    case 'typed':
      return value.type === 'number' || value.type === 'string' || value.type === 'boolean';
    case 'document':
    case 'copy':
    case 'path':
    case 'object':
    case 'array':
      return true;
    case 'union':
      return value.of.every(isPlainValue);
    default:
      return false;
  }
}

/**
 * @param {(ValueSpec | undefined)[]} specs
 * @returns {ValueSpec | undefined} undefined where one is
 */
function anyOf(specs) {
  const known = specs.filter((spec) => spec !== undefined);
  if (known.length < specs.length) return undefined;
  return known.length === 1 ? known[0] : { kind: 'oneOf', of: known };
}

/**
 * @param {Numeric[]} all
 * @returns {Numeric}
 */
export function inAll(all) {
  const worst = all.find(({ isNumber }) => isNumber === 'not') ?? all.find(({ isNumber }) => isNumber === 'if');
  // One value that was seen to need a test says more than one that could not be read.
  const seen = worst?.isNumber === 'if' ? all.find(({ isNumber, open }) => isNumber === 'if' && !open) : undefined;
  return seen ?? worst ?? { isNumber: 'always' };
}

/** Sums of squares of smaller numbers stay within the range of numbers: they are below 10 to twice this power. */
const MAX_POWER = 100;

/** Why it is open whether sums of numbers are the same. */
export const TOO_LARGE = 'it emits numbers so large that sums of them are rounded, or leave the range of numbers';

/** @type {Numeric} */
const LARGE_NUMBER = { isNumber: 'if', open: TOO_LARGE };

/**
 * @param {Value} value
 * @param {PathFacts} pathFacts
 * @returns {Numeric}
 */
function numericOf(value, pathFacts) {
  switch (value.kind) {
    case 'constant':
      if (typeof value.value !== 'number' || !Number.isFinite(value.value)) return { isNumber: 'not' };
      // JavaScript rounds whole numbers beyond 2^53, Erlang has them exactly.
      return Math.abs(value.value) <= Number.MAX_SAFE_INTEGER ? { isNumber: 'always' } : LARGE_NUMBER;
    case 'path': {
      const type = typeAt(pathFacts, value);
      if (type === undefined) return { isNumber: 'if', field: value.path };
      return { isNumber: type === 'number' ? 'always' : 'not' };
    }
    case 'typed':
      if (value.type === 'number') return (value.power ?? 0) > MAX_POWER ? LARGE_NUMBER : { isNumber: 'always' };
      return { isNumber: value.type === 'maybe-number' ? 'if' : 'not' };
    case 'object':
    case 'array':
    case 'document':
    case 'copy':
    case 'function':
      return { isNumber: 'not' };
    case 'union':
      return inAll(value.of.map((item) => numericOf(item, pathFacts)));
    default:
      return { isNumber: 'if', open: value.kind === 'unknown' ? value.reason : 'what it emits could not be analyzed' };
  }
}

/**
 * @param {Value} value
 * @param {PathFacts} pathFacts
 * @returns {Map<string, Numeric> | undefined}
 */
function membersOf(value, pathFacts) {
  if ((value.kind !== 'object' && value.kind !== 'array') || value.open) return undefined;
  const pairs =
    value.kind === 'object'
      ? [...value.members]
      : value.items.map((item, at) => /** @type {const} */ ([String(at), item]));
  return new Map(
    pairs.map(([name, item]) => [name, inAll(alternatives(item).map((each) => numericOf(each, pathFacts)))]),
  );
}

/**
 * @param {(Map<string, Numeric> | undefined)[]} shapes
 * @returns {Map<string, Numeric> | undefined}
 */
function commonMembers([first, ...others]) {
  if (!first) return undefined;
  /** @type {Map<string, Numeric>} */
  const common = new Map(first);
  for (const shape of others) {
    if (shape?.size !== common.size) return undefined;
    for (const [name, numeric] of common) {
      const other = shape.get(name);
      if (!other) return undefined;
      common.set(name, inAll([numeric, other]));
    }
  }
  return common;
}

/**
 * @param {Value} value
 * @param {PathFacts} pathFacts
 * @param {number} depth
 * @param {ValueSpec} [guess] for members of which nothing is known
 * @returns {ValueSpec | undefined}
 */
function specOf(value, pathFacts, depth, guess) {
  if (depth > 3) return undefined;
  switch (value.kind) {
    case 'constant':
      return { kind: 'literal', value: value.value ?? null };
    case 'path': {
      const type = typeAt(pathFacts, value);
      return type && { kind: type };
    }
    case 'typed':
      if (value.type === 'number' || value.type === 'string' || value.type === 'boolean') return { kind: value.type };
      return value.type === 'date' ? { kind: 'date' } : undefined;
    case 'array':
    case 'object': {
      if (value.open) return undefined;
      const pairs =
        value.kind === 'object'
          ? [...value.members]
          : value.items.map((item, at) => /** @type {const} */ ([String(at), item]));
      /** @type {[string, ValueSpec][]} */
      const members = [];
      for (const [name, item] of pairs) {
        const of = specOf(item, pathFacts, depth + 1, guess) ?? (item.kind === 'path' ? guess : undefined);
        if (!of) return undefined;
        members.push([name, of]);
      }
      return value.kind === 'object'
        ? { kind: 'object', members }
        : { kind: 'array', items: members.map(([, of]) => of) };
    }
    case 'union': {
      return anyOf(value.of.map((item) => specOf(item, pathFacts, depth + 1, guess)));
    }
    default:
      return undefined;
  }
}
