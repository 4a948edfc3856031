// Puts values of sample documents in for those of a query that neither log nor code has.

import { drawEvenly } from '../shared/draw.js';
import { createRandom, shuffle } from '../shared/seeded-random.js';
import { compareKeys } from '../storage-model/view-keys.js';
import { OPEN } from './find.js';

/** @import { Clause, Find } from './find.js' */
/** @import { Sample } from './sample.js' */

/** @typedef {{clauses: Clause[], from: number | undefined}} ParameterBindings `from`: the document whose values they are; undefined where all were known */

/** More say little more of the mean. */
const MAX_BINDINGS = 5;
/** Documents that are tried for each, as some lack a field. */
const TRIES = 40;
/** Characters that a `$beginsWith` has, where none are known. */
const PREFIX = 3;
/** Of two documents, each is the bound of a range about so far apart as any two are. */
const APART = 7919;

/**
 * @param {Find} find
 * @param {Sample} sample
 * @returns {ParameterBindings[]} none where no document has the fields
 */
export function bindingsOf({ clauses, examples }, sample) {
  if (clauses.every(({ operand }) => operand !== OPEN)) return [{ clauses, from: undefined }];
  // What a log asks for may lie outside of the sample.
  const logged = examples.filter((example) => matchesSome(example, sample));
  if (logged.length > 0) return logged.slice(0, MAX_BINDINGS).map((example) => ({ clauses: example, from: undefined }));
  /** @type {ParameterBindings[]} */
  const bindings = [];
  // From all of the sample, whatever order it has.
  const places = Array.from({ length: sample.size }, (_, at) => at);
  for (const from of shuffle(createRandom('bindings'), drawEvenly(places, TRIES))) {
    if (bindings.length >= MAX_BINDINGS) break;
    const filled = fill(clauses, from, sample);
    if (filled) bindings.push({ clauses: filled, from });
  }
  return bindings;
}

/** @param {Clause[]} clauses @param {Sample} sample @returns {boolean} */
function matchesSome(clauses, sample) {
  const selected = clauses.map((clause) => sample.selectedBy(clause));
  return sample.documents.some((_, at) => selected.every((bits) => bits?.[at] === 1));
}

/**
 * @param {Clause[]} clauses
 * @param {number} from
 * @param {Sample} sample
 * @returns {Clause[] | undefined} undefined where the document lacks a field
 */
function fill(clauses, from, sample) {
  /** @type {Clause[]} */
  const filled = [];
  for (const clause of clauses) {
    if (clause.operand !== OPEN) {
      filled.push(clause);
      continue;
    }
    const operand = operandFor(clause, clauses, from, sample);
    if (operand === undefined) return undefined;
    filled.push({ ...clause, operand });
  }
  return filled;
}

/**
 * @param {Clause} clause
 * @param {Clause[]} clauses
 * @param {number} from
 * @param {Sample} sample
 * @returns {unknown} undefined where there is none
 */
function operandFor({ field, operator }, clauses, from, sample) {
  const values = sample.valuesOf(field);
  const own = values[from];
  if (own === undefined) return undefined;
  switch (operator) {
    case 'in':
      return [own];
    case 'beginsWith':
      return typeof own === 'string' && own !== '' ? own.slice(0, PREFIX) : undefined;
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte': {
      const isLower = operator.startsWith('g');
      const isBetween = clauses.some(
        (other) => other.field === field && other.operator.startsWith(isLower ? 'l' : 'g'),
      );
      if (!isBetween) return own;
      const other = values[(from + APART) % values.length] ?? own;
      return compareKeys(own, other) < 0 === isLower ? own : other;
    }
    default:
      return own;
  }
}
