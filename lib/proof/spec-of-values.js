// Derives from emitted values a spec that draws others of the same kinds: for trials that search for a difference from
// a built-in, where values other than those do no harm.

import { groupBy } from '../shared/group-by.js';
import { ANY } from './trial-values.js';

/** @import { ValueSpec } from './trial-values.js' */

const DATE = /^\d{4}-\d{2}-\d{2}/;
/** Lists of more items, objects of more members, and values nested deeper are any. */
const MAX_MEMBERS = 20;
const MAX_DEPTH = 4;

/**
 * @param {readonly unknown[]} values JSON values, at least one
 * @param {number} [depth]
 * @returns {ValueSpec}
 */
export function specOfValues(values, depth = 0) {
  if (depth > MAX_DEPTH) return ANY;
  const specs = [...groupBy(values, typeName)].map(([type, some]) => specOfType(type, some, depth));
  return specs.length === 1 ? /** @type {ValueSpec} */ (specs[0]) : { kind: 'oneOf', of: specs };
}

/** @param {unknown} value @returns {string} */
function typeName(value) {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'list' : typeof value;
}

/**
 * @param {string} type
 * @param {unknown[]} values of this type
 * @param {number} depth
 * @returns {ValueSpec}
 */
function specOfType(type, values, depth) {
  switch (type) {
    case 'number':
    case 'boolean':
    case 'null':
      return { kind: type };
    case 'string':
      return { kind: values.every((value) => DATE.test(String(value))) ? 'date' : 'string' };
    case 'list': {
      const lists = /** @type {unknown[][]} */ (values);
      const [first = []] = lists;
      const isFixed = lists.every(({ length }) => length === first.length) && first.length > 0;
      if (isFixed && first.length <= MAX_MEMBERS) {
        return {
          kind: 'array',
          items: first.map((_, at) =>
            specOfValues(
              lists.map((list) => list[at]),
              depth + 1,
            ),
          ),
        };
      }
      const items = lists.flat();
      return { kind: 'list', of: items.length > 0 ? specOfValues(items, depth + 1) : ANY };
    }
    default: {
      const objects = /** @type {Record<string, unknown>[]} */ (values);
      const names = new Set(objects.flatMap(Object.keys));
      const members = [...names].map((name) =>
        objects.flatMap((object) => (Object.hasOwn(object, name) ? [object[name]] : [])),
      );
      if (members.length > MAX_MEMBERS) return { kind: 'record', of: specOfValues(members.flat(), depth + 1) };
      return {
        kind: 'object',
        members: [...names].map((name, at) => [name, specOfValues(/** @type {unknown[]} */ (members[at]), depth + 1)]),
      };
    }
  }
}
