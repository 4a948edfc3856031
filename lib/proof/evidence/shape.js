// Describes the shape of documents: which members they have, how often, and of which types.

import { typeOf } from './row-figures.js';

/** @import { TypeCounts } from './row-figures.js' */
/** @import { Document } from './run-function.js' */

/** `path` of a member: `customer.name`, `items[].price`; `documents` that have it at least once; `types` of its values, of all items of a list. @typedef {{path: string, documents: number, types: TypeCounts}} MemberShape */

/** Members of objects that are used as tables have no end. */
const MAX_MEMBERS = 300;
const DEEPEST = 4;
const MAX_ITEMS = 20;

/**
 * @param {Document[]} documents
 * @returns {MemberShape[]} the most frequent first, members below others behind them; without design documents and members of CouchDB's own but `_id`
 */
export function shapeOf(documents) {
  /** @type {Map<string, MemberShape & {last: number}>} */
  const members = new Map();
  /** @param {string} path @param {unknown} value @param {number} at @param {number} depth */
  const visit = (path, value, at, depth) => {
    const known = members.get(path);
    if (!known && members.size >= MAX_MEMBERS) return;
    const member = known ?? { path, documents: 0, types: {}, last: -1 };
    members.set(path, member);
    const type = typeOf(value);
    member.types[type] = (member.types[type] ?? 0) + 1;
    if (member.last !== at) member.documents += 1;
    member.last = at;
    if (depth < DEEPEST) visitParts(path, value, at, depth);
  };
  /** @param {string} path @param {unknown} value @param {number} at @param {number} depth */
  const visitParts = (path, value, at, depth) => {
    if (Array.isArray(value)) for (const item of value.slice(0, MAX_ITEMS)) visit(`${path}[]`, item, at, depth + 1);
    else if (typeof value === 'object' && value !== null)
      for (const [name, part] of Object.entries(value))
        visit(path === '' ? name : `${path}.${name}`, part, at, depth + 1);
  };
  for (const [at, document] of documents.entries()) {
    if (String(document['_id']).startsWith('_design/')) continue;
    const shown = Object.entries(document).filter(([name]) => !name.startsWith('_') || name === '_id');
    visitParts('', Object.fromEntries(shown), at, 0);
  }
  return [...members.values()]
    .map(({ last: _, ...member }) => member)
    .sort((one, other) => other.documents - one.documents);
}
