// Normalizes Mango selectors and matches documents against them as CouchDB does (mango_selector.erl, 3.4.3 and 3.5.0,
// which are the same).

import { isDeeperThan } from '../../shared/nesting.js';
import { remember } from '../../shared/recent-memory.js';
import { compareVersions, NEWEST_COUCHDB } from '../../shared/version.js';
import { compileMatcher } from './matcher.js';
import { readRegex } from './regex.js';

/** @import { MatchResult } from './matcher.js' */

/** One condition: an object with a single member, an operator or a field; or no member, which matches everything. @typedef {{[name: string]: any}} Selector */
/** What CouchDB responds with. `error` as in its body. @typedef {{error: string, status: number, reason: string}} Refusal */

/** Deeper selectors are not followed: people write a dozen levels. */
const MAX_DEPTH = 200;

/** Thrown inside this module, and by the planner where the server fails in the same way. */
export class QueryError extends Error {
  /**
   * @param {string} error
   * @param {string} reason
   * @param {number} [status] of HTTP
   */
  constructor(error, reason, status = 400) {
    super(reason);
    this.error = error;
    this.status = status;
  }

  /** @returns {Refusal} */
  get refusal() {
    return { error: this.error, status: this.status, reason: this.message };
  }
}

/** Operators that are refused, but not as unknown ones. */
const UNSUPPORTED = new Set(['$where', '$geoWithin', '$geoIntersects', '$near', '$nearSphere']);
/** Operators whose operands are any JSON. */
const COMPARISONS = new Set(['$lt', '$lte', '$eq', '$ne', '$gte', '$gt']);
/** Operators that were added; the first version that has them (whatsnew/3.2.rst, whatsnew/3.4.rst). */
const SINCE = new Map([
  ['$keyMapMatch', '3.2.0'],
  ['$beginsWith', '3.4.0'],
]);

const isList = Array.isArray;
const isText = (/** @type {unknown} */ value) => typeof value === 'string';
/** @param {unknown} value @returns {value is {[name: string]: any}} */
const isObject = (value) => typeof value === 'object' && value !== null && !isList(value);
/** A number written as `5.0` is no integer for CouchDB; JavaScript cannot distinguish it. From 1e21 on it writes an exponent. */
const isInteger = (/** @type {unknown} */ value) => Number.isInteger(value) && Math.abs(Number(value)) < 1e21;

/** What operators demand of their operand. @type {[string, (operand: any) => boolean][]} */
const DEMANDS = [
  ['$and', isList],
  ['$or', isList],
  ['$nor', isList],
  ['$not', isObject],
  ['$in', isList],
  ['$nin', isList],
  ['$all', isList],
  ['$exists', (operand) => typeof operand === 'boolean'],
  ['$type', isText],
  ['$mod', (operand) => isList(operand) && operand.length === 2 && operand.every(isInteger)],
  ['$regex', (operand) => isText(operand) && readRegex(operand) !== 'invalid'],
  ['$elemMatch', isObject],
  ['$allMatch', isObject],
  ['$keyMapMatch', isObject],
  ['$size', (operand) => isInteger(operand) && operand >= 0],
  ['$text', (operand) => ['string', 'number', 'boolean'].includes(typeof operand)],
  ['$beginsWith', isText],
];
const OPERANDS = new Map(DEMANDS);

/** Operators whose operand is one selector for what a field holds. */
const INNER = new Set(['$elemMatch', '$allMatch', '$keyMapMatch']);
/** Operators whose operand is a list of selectors. */
const JOINING = new Set(['$and', '$or', '$nor']);

const NEGATED = new Map([
  ['$lt', '$gte'],
  ['$lte', '$gt'],
  ['$eq', '$ne'],
  ['$ne', '$eq'],
  ['$gte', '$lt'],
  ['$gt', '$lte'],
  ['$in', '$nin'],
  ['$nin', '$in'],
]);

/**
 * Translates a selector into conditions on fields, each with one operator, as CouchDB does before it plans
 * (mango_selector:normalize/1). It does so twice, when it reads the request and when it makes the cursor.
 * @param {unknown} selector as in the body of a request
 * @param {string} [version] of CouchDB
 * @returns {{selector: Selector} | Refusal | {unknown: string}} the selector as `_explain` prints it; the response of the
 *   server where it refuses it (`bad_arg`, `invalid_operator`, `not_supported`, `bad_field`, `invalid_selector`,
 *   `invalid_selector_json`)
 */
export function normalizeSelector(selector, version = NEWEST_COUCHDB) {
  if (!isObject(selector)) {
    return new QueryError('invalid_selector_json', 'the selector is no JSON object').refusal;
  }
  if (isDeeperThan(selector, MAX_DEPTH)) return { unknown: `the selector has more than ${MAX_DEPTH} levels` };
  try {
    return { selector: normalizeOnce(normalizeOnce(selector, version), version) };
  } catch (error) {
    if (error instanceof QueryError) return error.refusal;
    throw error;
  }
}

/** @param {Selector} selector @param {string} version @returns {Selector} */
function normalizeOnce(selector, version) {
  if (Object.keys(selector).length === 0) return {};
  const normal = pushNegations(joinFields(explicit(selector, version), ''));
  if (Object.hasOwn(normal, '')) {
    throw new QueryError('invalid_selector', 'One or more conditions is missing a field name.');
  }
  return normal;
}

/**
 * @param {Selector} condition with one member
 * @returns {[name: string, value: any]}
 */
export function onlyMember(condition) {
  return /** @type {[string, any]} */ (Object.entries(condition)[0]);
}

/**
 * Writes out what is implied: `$and` and `$eq` (norm_ops/1).
 * @param {any} value
 * @param {string} version
 * @returns {Selector}
 */
function explicit(value, version) {
  if (!isObject(value)) return { $eq: value };
  const members = Object.entries(value);
  if (members.length > 1) return { $and: members.map(([name, member]) => explicit({ [name]: member }, version)) };
  const [only] = members;
  if (only === undefined) return { $eq: value };
  const [name, operand] = only;
  if (!name.startsWith('$')) return { [name]: explicit(operand, version) };
  const isKnown = compareVersions(version, SINCE.get(name) ?? '0') >= 0;
  const isFit = isKnown ? OPERANDS.get(name) : undefined;
  const isRefused = isFit !== undefined && !isFit(operand);
  // Of `$beginsWith` it only knows the form with a text.
  if (isRefused && name !== '$beginsWith') throw new QueryError('bad_arg', `Bad argument for operator ${name}`);
  if (name === '$text') return { $default: { $text: operand } };
  if (JOINING.has(name)) return { [name]: operand.map((/** @type {any} */ part) => explicit(part, version)) };
  if (name === '$not' || (INNER.has(name) && isFit)) return { [name]: explicit(operand, version) };
  if ((isFit && !isRefused) || COMPARISONS.has(name) || name === '$default') return value;
  if (UNSUPPORTED.has(name)) throw new QueryError('not_supported', `Unsupported operator: ${name}`);
  throw new QueryError('invalid_operator', `Invalid operator: ${name}`);
}

/**
 * Joins the names of nested fields and moves them next to the operators (norm_fields/2).
 * @param {Selector} condition
 * @param {string} path so far
 * @returns {Selector}
 */
function joinFields(condition, path) {
  const [name, value] = onlyMember(condition);
  if (JOINING.has(name)) return { [name]: value.map((/** @type {Selector} */ part) => joinFields(part, path)) };
  if (name === '$not') return { [name]: joinFields(value, path) };
  if (INNER.has(name)) return { [path]: { [name]: joinFields(value, '') } };
  if (name === '$default') {
    if (path === '' && isObject(value) && Object.keys(value).join() === '$text') return condition;
    throw new QueryError('bad_field', 'Invalid field normalization on selector');
  }
  if (name.startsWith('$')) return { [path]: condition };
  return joinFields(value, path === '' ? name : `${path}.${name}`);
}

/** @param {Selector} condition @returns {Selector} without `$not` and `$nor` where that can be (norm_negations/1) */
function pushNegations(condition) {
  const [name, value] = onlyMember(condition);
  if (name === '$not') return negate(value);
  if (name === '$nor') return { $and: value.map(negate) };
  if (name === '$and' || name === '$or') return { [name]: value.map(pushNegations) };
  return INNER.has(name) ? { [name]: pushNegations(value) } : condition;
}

/** @param {Selector} condition @returns {Selector} */
function negate(condition) {
  const [name, value] = onlyMember(condition);
  if (name === '$not') return pushNegations(value);
  if (name === '$nor') return { $or: value.map(pushNegations) };
  if (name === '$and') return { $or: value.map(negate) };
  if (name === '$or') return { $and: value.map(negate) };
  if (name === '$default') throw new QueryError('bad_arg', 'Bad argument for operator $not');
  const opposite = NEGATED.get(name);
  if (opposite !== undefined) return { [opposite]: value };
  if (name === '$exists') return { $exists: !value };
  if (name.startsWith('$')) return { $not: condition };
  return { [name]: negate(value) };
}

const matcherOf = remember((/** @type {Selector} */ selector) => compileMatcher(selector));

/**
 * @param {Selector} selector as `normalizeSelector` gives it
 * @param {unknown} doc
 * @returns {MatchResult} `unknown` where a regular expression may differ between PCRE and JavaScript, or where CouchDB
 *   would fail on the document
 */
export function matchSelector(selector, doc) {
  return matcherOf(selector)(doc);
}
