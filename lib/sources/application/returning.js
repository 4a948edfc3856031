// Follows rows and documents that a function returns to its callers in other files: `for (const order of await orders.findOpen())`.

import { calledName } from './enclosing.js';
import { resultOf } from './results.js';

/** @import { Code } from './code.js' */
/** @import { Follower } from './often.js' */
/** @import { CallRecord } from './record.js' */
/** @import { Returned } from './results.js' */

/**
 * @param {CallRecord} record
 * @param {readonly Returned[]} returned
 * @param {Code} code
 * @returns {Follower[]} the functions that have a name
 */
export function returningFunctions(record, returned, code) {
  const { path } = code.file;
  return returned.flatMap(({ fn, part }) => {
    const name = calledName(fn, code);
    if (name === undefined) return [];
    /** @type {Follower['follow']} */
    const follow = (node, of, forwardedAt) => {
      const call = of.parentOf(node);
      if (call?.type !== 'CallExpression' || call.callee !== node) return [];
      const own = forwardedAt(call, of.file.path);
      // What callers in the file of the function do is known.
      if (path === of.file.path && !own) return [];
      const found = resultOf(call, record.client, of, part);
      if (own) own.result = found.result;
      else record.result.lists.push(...found.result.lists.filter(({ kind }) => kind !== 'given'));
      return returningFunctions(own ?? record, found.returned, of);
    };
    return { path, start: fn.start, name, follow };
  });
}
