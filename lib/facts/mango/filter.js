// Reads the conditions of a partial index's filter: fields and operators, as shapes of queries keep those of selectors.

import { entries } from '../subjects.js';

/** @import { ValueNode } from '../../sources/record.js' */
/** @import { Condition } from './query.js' */

/** Filters may hold each other. */
const DEEPEST = 20;

/**
 * @param {ValueNode} filter
 * @returns {Condition[] | undefined} undefined where it joins conditions by other than `$and`, or cannot be read
 */
export function filterConditions(filter) {
  /** @type {Condition[]} */
  const found = [];
  return filter.type === 'object' && addConditions(filter, '', found, 0) ? found : undefined;
}

/**
 * @param {ValueNode} node
 * @param {string} field that it is about, empty at the top
 * @param {Condition[]} found
 * @param {number} depth
 * @returns {boolean} whether all of it was understood
 */
function addConditions(node, field, found, depth) {
  if (depth > DEEPEST || node.type === 'unknown') return false;
  const members = entries(node);
  if (node.type !== 'object' || members.length === 0) {
    found.push({ field, operator: 'eq' });
    return field !== '';
  }
  return members.every(({ key, node: inner }) => {
    if (key === '$and' && inner.type === 'array') {
      return inner.items.every((item) => addConditions(item, field, found, depth + 1));
    }
    if (!key.startsWith('$')) {
      return addConditions(inner, field === '' ? key : `${field}.${key}`, found, depth + 1);
    }
    const isMissing = key === '$exists' && inner.type === 'boolean' && !inner.value;
    found.push({ field, operator: isMissing ? 'missing' : key.slice(1) });
    return field !== '';
  });
}
