// Maps of a shop that the rows of this folder share, by what is known of the values they emit.

/** @typedef {'equal' | 'equalAfterRewrite' | 'wrong' | 'grows' | 'custom' | 'unknown'} VerdictKind */

/**
 * What CouchDB's semantics say of a reducer. A list means that each of its members is a true answer.
 * @typedef {object} ExpectedAnswer
 * @property {VerdictKind | VerdictKind[]} verdict
 * @property {string | string[]} [builtin]
 * @property {string | string[]} [conditionHolds] `always`, `if` or `not`
 * @property {string} [basis] `proved` or `trials`
 * @property {RegExp} [rewrite] what its text must hold
 */

/** @typedef {{name: string, map: string, reduce: string, target?: string, expect: ExpectedAnswer}} ReducerRow */

/** Any value that a document can hold, or null where it has no such field. */
export const ANY_TOTAL = 'function (doc) { emit(doc.customer, doc.total); }';
/** A number whatever the document holds. */
export const NUMBER_TOTAL = "function (doc) { if (typeof doc.total === 'number') emit(doc.customer, doc.total); }";
export const ONE = "function (doc) { if (doc.type === 'order') emit(doc.customer, 1); }";
export const NULL = "function (doc) { if (doc.type === 'order') emit(doc.customer, null); }";
export const NOTHING = 'function (doc) { emit(doc.customer); }';
export const TEXT = "function (doc) { emit(doc.customer, 'order'); }";
export const TRUE = 'function (doc) { emit(doc.customer, true); }';
export const DATE_TEXT = "function (doc) { if (typeof doc.placed === 'string') emit(doc.customer, doc.placed); }";
export const STATUS = 'function (doc) { if (doc.status) emit(doc.customer, doc.status); }';
export const SUM_AND_COUNT =
  "function (doc) { if (typeof doc.total === 'number') emit(doc.customer, { sum: doc.total, count: 1 }); }";
export const ANY_SUM_AND_COUNT = 'function (doc) { emit(doc.customer, { sum: doc.total, count: 1 }); }';
export const TWO_NUMBERS = `function (doc) {
  if (typeof doc.net === 'number' && typeof doc.tax === 'number') emit(doc.customer, [doc.net, doc.tax]);
}`;
export const ANY_TWO = 'function (doc) { emit(doc.customer, [doc.net, doc.tax]); }';
export const ORDER =
  'function (doc) { emit(doc.customer, { placed: doc.placed, total: doc.total, status: doc.status }); }';
