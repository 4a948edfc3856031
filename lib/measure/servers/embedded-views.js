// Runs the functions of the embedded server: PouchDB keeps the indexes of views, their functions run in the sandbox and
// nowhere else; filter functions are not run.

import { FunctionCutOff } from '../../sandbox/kept-functions.js';

/** @import { KeptFunctions } from '../../sandbox/kept-functions.js' */

/** @typedef {(keys: unknown, values: any[], rereduce: boolean) => unknown} Reduce */

/** What is kept beside a database of which indexes it has. */
const LOCAL_DOCUMENT = 'mrviews';

/**
 * @param {PouchMapReduce} createMapReduce of pouchdb-abstract-mapreduce
 * @param {KeptFunctions} functions
 * @returns {object} a plugin of PouchDB
 */
export function createViews(createMapReduce, functions) {
  const { query, viewCleanup } = createMapReduce(LOCAL_DOCUMENT, mapper, reducer, checkView);
  /** Why a view of a database has not got all its rows. @type {WeakMap<PouchDatabase, FunctionCutOff>} */
  const cutOff = new WeakMap();
  /** @type {WeakSet<PouchDatabase>} */
  const heard = new WeakSet();
  return {
    /**
     * PouchDB goes on where a function throws, as CouchDB does; but what a limit of the sandbox cut off must not look like rows that were not emitted.
     * @this {PouchDatabase}
     * @param {unknown} view
     * @param {unknown} options
     */
    async query(view, options) {
      if (!heard.has(this)) {
        heard.add(this);
        this.on('error', (error) => void (error instanceof FunctionCutOff && cutOff.set(this, error)));
      }
      const answer = await query.call(this, view, options, undefined);
      const error = cutOff.get(this);
      if (error) throw failure(`${typeof view === 'string' ? view : 'a temporary view'}: ${error.message}`);
      return answer;
    },
    /** @this {PouchDatabase} @param {unknown} callback */
    viewCleanup(callback) {
      return viewCleanup.call(this, callback);
    },
  };

  /**
   * @param {unknown} source
   * @param {(key: unknown, value: unknown) => void} emit
   * @returns {(doc: unknown) => void}
   */
  function mapper(source, emit) {
    const map = functions.map(String(source));
    return (doc) => {
      for (const [key, value] of map(doc)) emit(key, value);
    };
  }

  /** @param {unknown} source @returns {Reduce} */
  function reducer(source) {
    const text = String(source);
    const builtin = BUILTINS.get(text.trim());
    if (!builtin && text.startsWith('_')) throw failure(`the embedded server has no ${text}`);
    return builtin ?? functions.reduce(text);
  }
}

/**
 * A plugin of PouchDB: its own code for filters makes functions out of their text in this process (pouchdb-changes-filter 9, evalFilter and evalView).
 * Selectors are compared with, not run.
 * @param {{_changesFilterPlugin: PouchChangesFilter}} PouchDB
 */
export function refuseFilterFunctions(PouchDB) {
  const { filter, ...others } = PouchDB._changesFilterPlugin;
  PouchDB._changesFilterPlugin = {
    ...others,
    filter(changes, options) {
      // By now PouchDB has given a selector without a filter this name.
      if (options.filter === '_selector/_selector' && options.selector) filter(changes, options);
      else options.complete(failure('filter functions are not run', 501));
    },
  };
}

/** The built-ins of PouchDB's own views, which never reduce reduced values again. @type {ReadonlyMap<string, Reduce>} */
const BUILTINS = new Map([
  ['_count', (_, values) => values.length],
  ['_sum', (_, values) => values.reduce(add, 0)],
  [
    '_stats',
    (_, values) => ({
      sum: values.reduce(add, 0),
      count: values.length,
      min: values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY),
      max: values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY),
      sumsqr: values.reduce((total, value) => total + value * value, 0),
    }),
  ],
]);

/**
 * @param {unknown} total
 * @param {unknown} value
 * @returns {unknown} lists are added place by place, as in CouchDB
 */
function add(total, value) {
  if (typeof total === 'number' && typeof value === 'number') return total + value;
  const [first, second] = [total, value].map((item) => (Array.isArray(item) ? item : [item]));
  const length = Math.max(first?.length ?? 0, second?.length ?? 0);
  return Array.from({ length }, (_, at) => {
    const [a = 0, b = 0] = [first?.[at], second?.[at]];
    if (typeof a !== 'number' || typeof b !== 'number')
      throw failure('a built-in requires numbers, or arrays of numbers');
    return a + b;
  });
}

/** @param {any} designDoc @param {string} view */
function checkView(designDoc, view) {
  if (typeof designDoc.views?.[view]?.map !== 'string') throw failure(`${designDoc._id} has no map for ${view}`, 404);
}

/** What CouchDB calls an error of this status. @type {Record<number, string>} */
const NAMES = { 404: 'not_found', 501: 'not_implemented' };

/** @param {string} message @param {number} [status] */
function failure(message, status = 500) {
  return Object.assign(new Error(message), { status, name: NAMES[status] ?? 'builtin_reduce_error' });
}
