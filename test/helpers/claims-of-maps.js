// Checks what reading claims of the values that a map emits against the rows that it emitted.

import { typeAt } from '../../lib/javascript/path-facts.js';
import { alternatives } from '../../lib/javascript/values.js';

/** @import { Flow } from '../../lib/javascript/flow.js' */
/** @import { PathFacts } from '../../lib/javascript/path-facts.js' */
/** @import { Value } from '../../lib/javascript/values.js' */

/** @typedef {{key: unknown, value: unknown}} Row as JSON has it */

/**
 * @template {Row} R
 * @param {Flow} flow of a map whose emits have literal keys, each its own
 * @param {R[]} rows that it emitted
 * @returns {R | undefined} the first row that the flow says cannot be
 */
export function findContradiction(flow, rows) {
  if (flow.emits.some(({ node }) => node === undefined)) return undefined;
  return rows.find(
    ({ key, value }) =>
      !flow.emits.some((site) => mayBe(site.key, key, site.pathFacts) && mayBe(site.value, value, site.pathFacts)),
  );
}

/**
 * @param {Value} claim
 * @param {unknown} json undefined for a member that is not there
 * @param {PathFacts} pathFacts
 * @returns {boolean} whether the claim allows the value
 */
function mayBe(claim, json, pathFacts) {
  return alternatives(claim).some((item) => mayBeOne(item, json, pathFacts));
}

/**
 * @param {Value} item
 * @param {unknown} json
 * @param {PathFacts} pathFacts
 * @returns {boolean}
 */
function mayBeOne(item, json, pathFacts) {
  switch (item.kind) {
    case 'constant': {
      const written = JSON.stringify([item.value]);
      return written === JSON.stringify([json]) || (json === null && item.value === undefined);
    }
    case 'path': {
      const type = typeAt(pathFacts, item);
      return type === undefined || typeof json === type;
    }
    case 'typed':
      if (item.type === 'number') return typeof json === 'number';
      if (item.type === 'maybe-number') return typeof json === 'number' || json === null;
      if (item.type === 'date') return typeof json === 'string' || json === null;
      return typeof json === (item.type === 'error' ? 'object' : item.type);
    case 'array':
      if (!Array.isArray(json)) return false;
      if (!item.open && json.length !== item.items.length) return false;
      return json.every((part, at) =>
        item.open
          ? item.items.length === 0 || item.items.some((each) => mayBe(each, part, pathFacts))
          : mayBe(/** @type {Value} */ (item.items[at]), part, pathFacts),
      );
    case 'object': {
      if (json === null || typeof json !== 'object' || Array.isArray(json)) return false;
      const members = /** @type {Record<string, unknown>} */ (json);
      if (!item.open && Object.keys(members).some((name) => !item.members.has(name))) return false;
      return [...item.members].every(([name, member]) => mayBe(member, members[name], pathFacts));
    }
    case 'document':
    case 'copy':
      return typeof json === (item.kind === 'copy' && item.isText ? 'string' : 'object');
    case 'function':
    case 'emit':
      return json === null || json === undefined;
    default:
      return true;
  }
}
