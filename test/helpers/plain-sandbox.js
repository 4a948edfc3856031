// Replaces the sandbox for reducers that the tests themselves wrote: runs them in this process, with CouchDB's
// functions and JSON between the passes, and without any limits.

import { runInNewContext } from 'node:vm';

/** @import { ReduceTree } from '../../lib/proof/splits.js' */
/** @import { TrialSandbox } from '../../lib/proof/trials.js' */

const ENVIRONMENT =
  'var sum = function (values) { var rv = 0; for (var i in values) { rv += values[i]; } return rv; };' +
  'var log = function () {}, isArray = Array.isArray, toJSON = JSON.stringify; delete globalThis.console;';

/** @type {TrialSandbox} */
export const PLAIN_SANDBOX = {
  reduce: async ({ source, trees }) => {
    try {
      const text = source.trimEnd().replace(/;$/, '');
      const run = runInNewContext(`${ENVIRONMENT}
        (function (f) {
          return function (keys, values, again) {
            try { var out = JSON.stringify(f(JSON.parse(keys), JSON.parse(values), again)); return out === undefined ? 'null' : out; }
            catch (error) { return 'null'; }
          };
        })((${text}))`);
      return trees.map((tree) => ({ value: answer(run, tree) }));
    } catch (error) {
      return trees.map(() => ({ error: { kind: 'syntax', message: String(error) } }));
    }
  },
  map: async ({ source, docs }) => {
    const run = runInNewContext(`${ENVIRONMENT}
      var rows, emit = function (key, value) { rows.push([key, value]); };
      (function (f) {
        return function (doc) {
          rows = [];
          try { f(JSON.parse(doc)); } catch (error) { return 'null'; }
          return JSON.stringify(rows);
        };
      })((${source.trimEnd().replace(/;$/, '')}))`);
    return docs.map((doc) => {
      const rows = JSON.parse(run(JSON.stringify(doc)));
      if (rows === null) return { error: { kind: 'threw', message: 'it threw' } };
      return { emits: rows.map((/** @type {unknown[]} */ [key, value]) => ({ key, value })) };
    });
  },
};

/**
 * @param {(keys: string, values: string, rereduce: boolean) => string} run
 * @param {ReduceTree} tree
 * @returns {unknown}
 */
function answer(run, tree) {
  if ('parts' in tree) {
    return JSON.parse(run('null', JSON.stringify(tree.parts.map((part) => answer(run, part))), true));
  }
  const keys = tree.rows.map(({ id, key }) => [key, id]);
  return JSON.parse(run(JSON.stringify(keys), JSON.stringify(tree.rows.map(({ value }) => value)), false));
}
