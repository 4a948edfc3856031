// Computes `_sum` and `_count` as CouchDB does (src/couch/src/couch_query_servers.erl, the same in 3.4.3 and 3.5.0).
// Pure.

import {
  add,
  BuiltinFailure,
  compareBytes,
  isNumber,
  itemsOf,
  listSize,
  Props,
  printTerm,
  termSize,
} from './builtin-terms.js';

/** @import { Term } from './builtin-terms.js' */
/** @import { Row } from './builtins.js' */

/** SUMERROR: the reason in the row that `_sum` gives for values it cannot add. */
const REASON =
  'The _sum function requires that map values be numbers, arrays of numbers, or objects. Objects cannot be mixed with ' +
  'other data structures. Objects can be arbitrarily nested, provided that the values for all fields are themselves ' +
  'numbers, arrays of numbers, or objects.';

/** The `error` of such rows. */
const ERROR = 'builtin_reduce_error';

/** How the reason of a row begins where the sum grew too large (log_sum_overflow). */
const OVERFLOW = 'Reduce output must shrink more rapidly: ';

/** Sums of more bytes are held against their input: 4906 in check_sum_overflow, not 4096. */
const OVERFLOW_FROM = 4906;

/** Ends a sum with the row that reports the error. */
class ErrorRow {
  /** @param {Props} row */
  constructor(row) {
    this.row = row;
  }
}

/**
 * @param {Row[]} rows
 * @returns {Term} the sum, or an object that reports an error: the request does not fail
 * @throws {BuiltinFailure} where CouchDB's code has no clause for the values: the request fails
 */
export function sumRows(rows) {
  const size = rows.reduce((total, { key, id, value }) => {
    const first = listSize(2, termSize(key) + termSize(id));
    return total + listSize(2, first + termSize(value));
  }, 0);
  return checkOverflow(1 + listSize(rows.length, size), sumAll(rows.map((row) => row.value)));
}

/**
 * @param {Term[]} sums
 * @returns {Term} as sumRows
 * @throws {BuiltinFailure}
 */
export function sumSums(sums) {
  const size = sums.reduce((/** @type {number} */ total, value) => total + listSize(2, 1 + termSize(value)), 0);
  return checkOverflow(1 + listSize(sums.length, size), sumAll(sums));
}

/**
 * builtin_sum_rows: the first error ends it.
 * @param {Term[]} values
 * @returns {Term}
 */
function sumAll(values) {
  /** @type {Term} */
  let sum = 0n;
  try {
    for (const value of values) sum = sumValues(value, sum);
  } catch (error) {
    if (error instanceof ErrorRow) return error.row;
    throw error;
  }
  return sum;
}

/**
 * sum_values, clause by clause. An object is taken unseen where nothing was added before: a lone `{"total": null}` stays.
 * @param {Term} value
 * @param {Term} sum
 * @returns {Term}
 */
function sumValues(value, sum) {
  if (isNumber(value) && isNumber(sum)) return add(sum, value);
  if (Array.isArray(value) && Array.isArray(sum)) return sumArrays(itemsOf(sum), itemsOf(value));
  if (isNumber(value) && Array.isArray(sum)) return sumArrays(itemsOf(sum), [value]);
  if (Array.isArray(value) && isNumber(sum)) return sumArrays([sum], itemsOf(value));
  if (!(value instanceof Props)) throw unsummable(value);
  const error = value.get('error');
  if (error === ERROR) throw new ErrorRow(value);
  if (error !== undefined)
    throw new BuiltinFailure('caseClause', `no clause for a member "error" of ${printTerm(error)}`);
  if (sum === 0n) return value;
  if (!(sum instanceof Props)) {
    throw new BuiltinFailure('caseClause', `no clause for an object behind ${printTerm(sum)}`);
  }
  return sumObjects(value, sum);
}

/**
 * sum_arrays: what one has beyond the end of the other is taken unseen.
 * @param {Term[]} sums
 * @param {Term[]} values
 * @returns {Term[]}
 */
function sumArrays(sums, values) {
  const longer = sums.length > values.length ? sums : values;
  return longer.map((item, at) => {
    const sum = sums[at];
    const value = values[at];
    if (sum === undefined || value === undefined) return item;
    if (!isNumber(sum) || !isNumber(value)) throw unsummable(sums.slice(at));
    return add(sum, value);
  });
}

/**
 * sum_objects: members in the order of their names.
 * @param {Props} value
 * @param {Props} sum
 * @returns {Props}
 */
function sumObjects(value, sum) {
  /** @type {Map<string, Term>} */
  const sums = new Map(sum.members);
  /** @type {[string, Term][]} */
  const added = [...value.members]
    .sort((one, other) => compareBytes(one[0], other[0]))
    .map(([name, member]) => {
      const before = sums.get(name);
      sums.delete(name);
      return [name, before === undefined ? member : sumValues(member, before)];
    });
  return new Props([...added, ...sums].sort((one, other) => compareBytes(one[0], other[0])));
}

/** @param {Term} cause */
function unsummable(cause) {
  return new ErrorRow(
    new Props([
      ['error', ERROR],
      ['reason', REASON],
      ['caused_by', cause],
    ]),
  );
}

/**
 * check_sum_overflow, with `reduce_limit` true as it is by default.
 * @param {number} inputSize bytes
 * @param {Term} sum
 * @returns {Term}
 */
function checkOverflow(inputSize, sum) {
  const size = 1 + termSize(sum);
  if (size <= OVERFLOW_FROM || size * 2 <= inputSize) return sum;
  return new Props([
    ['error', ERROR],
    ['reason', `${OVERFLOW}input size: ${inputSize} output size: ${size}`],
  ]);
}

/**
 * @param {Term} sum what `_sum` answered
 * @returns {{kind: 'errorRow' | 'overflow', message: string} | undefined} the error that it reports
 */
export function errorOfSum(sum) {
  if (!(sum instanceof Props) || sum.get('error') !== ERROR) return undefined;
  const reason = sum.get('reason');
  const message = typeof reason === 'string' ? reason : ERROR;
  return { kind: message.startsWith(OVERFLOW) ? 'overflow' : 'errorRow', message };
}
