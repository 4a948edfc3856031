// Computes `_stats` as CouchDB does (src/couch/src/couch_query_servers.erl, the same in 3.4.3 and 3.5.0). Pure.

import { add, BuiltinFailure, isNumber, itemsOf, Props, printTerm, square } from './builtin-terms.js';

/** @import { Term } from './builtin-terms.js' */

/** @typedef {bigint | number} Count */

/** The five numbers, until the answer is given. */
class Stats {
  /** @param {Count} sum @param {Count} count @param {Count} min @param {Count} max @param {Count} sumsqr */
  constructor(sum, count, min, max, sumsqr) {
    this.sum = sum;
    this.count = count;
    this.min = min;
    this.max = max;
    this.sumsqr = sumsqr;
  }
}

/** What is known so far: of numbers one, of arrays one for each place (each a StatsSoFar). @typedef {Stats | unknown[]} StatsSoFar */

/** The members that a value counted before must have, in the order in which they are looked for. */
const FIELDS = /** @type {const} */ (['sum', 'count', 'min', 'max', 'sumsqr']);

/**
 * The first pass: values of a map.
 * @param {Term[]} values
 * @returns {StatsSoFar}
 * @throws {BuiltinFailure} where CouchDB refuses a value: the request fails
 */
export function countValues(values) {
  const [first, ...rest] = values;
  if (first === undefined) return new Stats(0n, 0n, 0n, 0n, 0n);
  return rest.reduce((/** @type {StatsSoFar} */ sofar, value) => addValue(value, sofar), begin(first));
}

/**
 * The second pass: answers of others.
 * @param {StatsSoFar[]} parts
 * @returns {StatsSoFar}
 * @throws {BuiltinFailure}
 */
export function joinStats(parts) {
  const [first, ...rest] = parts;
  if (first === undefined) return new Stats(0n, 0n, 0n, 0n, 0n);
  return rest.reduce((sofar, part) => addValue(part, sofar), first);
}

/**
 * finalize and pack_stats.
 * @param {StatsSoFar | Term} stats
 * @returns {Term}
 */
export function packStats(stats) {
  if (Array.isArray(stats)) return stats.map((item) => packStats(/** @type {StatsSoFar | Term} */ (item)));
  return stats instanceof Stats ? new Props(FIELDS.map((name) => [name, stats[name]])) : stats;
}

/** stat_values, clause by clause. @param {Term | StatsSoFar} value @param {StatsSoFar} sofar @returns {StatsSoFar} */
function addValue(value, sofar) {
  if (Array.isArray(value) && Array.isArray(sofar)) {
    // lists:zipwith/3 notices that one is longer when it gets there.
    const both = value.slice(0, sofar.length).map((item, at) => {
      return addValue(/** @type {Term | StatsSoFar} */ (item), /** @type {StatsSoFar} */ (sofar[at]));
    });
    if (value.length === sofar.length) return both;
    throw new BuiltinFailure('functionClause', `arrays of ${value.length} and ${sofar.length} items`);
  }
  if (value instanceof Props) return addValue(unpack(value), sofar);
  if (isNumber(/** @type {Term} */ (value))) return addValue(statsOf(/** @type {Count} */ (value)), sofar);
  if (!(value instanceof Stats) || !(sofar instanceof Stats)) {
    throw new BuiltinFailure(
      'invalidValue',
      `The _stats function requires that map values be numbers or arrays of numbers, not '${printTerm(packStats(value))}'`,
    );
  }
  return new Stats(
    add(value.sum, sofar.sum),
    add(value.count, sofar.count),
    value.min <= sofar.min ? value.min : sofar.min,
    value.max >= sofar.max ? value.max : sofar.max,
    add(value.sumsqr, sofar.sumsqr),
  );
}

/** build_initial_accumulator. @param {Term} value @returns {StatsSoFar} */
function begin(value) {
  if (Array.isArray(value)) return itemsOf(value).map(begin);
  if (isNumber(value)) return statsOf(value);
  if (value instanceof Props) return unpack(value);
  throw new BuiltinFailure('invalidValue', `non-numeric _stats input: ${printTerm(value)}`);
}

/** @param {Count} value */
function statsOf(value) {
  return new Stats(value, 1n, value, value, square(value));
}

/** unpack_stats: other members are let go. @param {Props} value */
function unpack(value) {
  const [sum, count, min, max, sumsqr] = FIELDS.map((name) => {
    const member = value.get(name);
    if (isNumber(member)) return member;
    if (member === undefined) {
      throw new BuiltinFailure(
        'invalidValue',
        `user _stats input missing required field ${name} (${printTerm(value)})`,
      );
    }
    throw new BuiltinFailure('invalidValue', `non-numeric _stats input received for ${name}: ${printTerm(member)}`);
  });
  return new Stats(
    /** @type {Count} */ (sum),
    /** @type {Count} */ (count),
    /** @type {Count} */ (min),
    /** @type {Count} */ (max),
    /** @type {Count} */ (sumsqr),
  );
}
