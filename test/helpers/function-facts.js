// Reads facts of one function from a design document that holds it.

import { functionFacts } from '../../lib/facts/function/function.js';
import { createSubjects } from '../../lib/facts/subjects.js';
import { parseJsonTree } from '../../lib/sources/design-docs/value-tree.js';
import { SourceFile } from './read-source.js';

/** @import { Extracted, FactValue, FunctionSubject, Item, Target } from '../../lib/facts/fact.js' */

/** Where a function of each role stands. @type {Record<string, string[]>} */
const PLACES = {
  map: ['views', 'all', 'map'],
  reduce: ['views', 'all', 'reduce'],
  library: ['views', 'lib', 'module'],
  filter: ['filters', 'some'],
  validate: ['validate_doc_update'],
  search: ['indexes', 'all', 'index'],
  lucene: ['fulltext', 'all', 'index'],
};

/**
 * @param {string} source
 * @param {string} [role]
 * @param {Record<string, unknown>} [designDoc] what else the document holds
 * @param {Target} [target]
 * @returns {FunctionSubject}
 */
export function functionSubject(source, role = 'map', designDoc = {}, target = { version: '3.5.2' }) {
  const document = structuredClone(designDoc);
  const path = PLACES[role] ?? [];
  /** @type {any} */
  let at = document;
  for (const name of path.slice(0, -1)) at = at[name] ??= {};
  at[path.at(-1) ?? ''] = source;
  const file = new SourceFile('ddocs/orders.json', JSON.stringify(document));
  const { node } = parseJsonTree(file);
  if (node?.type !== 'object') throw new Error('no object');
  const { subjects } = createSubjects(
    [{ kind: 'design-doc', id: '_design/orders', origin: 'json', node, file, group: '.', sameDatabase: false }],
    target,
  );
  const name = path.join('.');
  const found = subjects.find((subject) => subject.kind === 'function' && subject.name === name);
  if (found?.kind !== 'function') throw new Error(`no function ${name}`);
  return found;
}

/**
 * @param {string} source
 * @param {string} [role]
 * @param {Record<string, unknown>} [designDoc]
 * @param {Target} [target]
 * @returns {{fact: (id: string) => Extracted, value: (id: string) => FactValue | undefined, items: (id: string) => string[] | undefined, list: (id: string) => Item[]}}
 */
export function factsOf(source, role, designDoc, target) {
  const subject = functionSubject(source, role, designDoc, target);
  const fact = (/** @type {string} */ id) => {
    const declaration = functionFacts.find((candidate) => candidate.id === id);
    if (!declaration) throw new Error(`no fact ${id}`);
    return declaration.extract(subject, () => ({ unknown: 'asked for nothing else' }));
  };
  const value = (/** @type {string} */ id) => {
    const found = fact(id);
    return 'value' in found ? found.value : undefined;
  };
  const list = (/** @type {string} */ id) => {
    const found = value(id);
    return Array.isArray(found) ? found : [];
  };
  const items = (/** @type {string} */ id) => {
    const found = value(id);
    return Array.isArray(found) ? found.map((item) => item.value) : undefined;
  };
  return { fact, value, items, list };
}

/**
 * @param {string} source
 * @param {string} id of a list fact
 * @param {string} [role]
 * @returns {string[] | undefined} undefined where the fact is unknown
 */
export function itemsOf(source, id, role) {
  return factsOf(source, role).items(id);
}
