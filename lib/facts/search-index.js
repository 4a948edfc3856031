// Facts about full-text indexes of Clouseau (`indexes`) and Nouveau: where their functions throw, what the query server
// refuses of what they index, and what they store.

import { isWhole } from '../javascript/flow-operators.js';
import { typeAt } from '../javascript/path-facts.js';
import { alternatives } from '../javascript/values.js';
import { member } from '../sources/record.js';
import { factsOf } from './fact.js';
import { flowFacts, riskyReads, sourceItem } from './function/flow.js';

/** @import { EmitSite } from '../javascript/flow.js' */
/** @import { PathFacts } from '../javascript/path-facts.js' */
/** @import { Value } from '../javascript/values.js' */
/** @import { DeclareFlowFact, Followed } from './function/flow.js' */
/** @import { DeclareFact, FactDeclaration, Item, SearchIndexSubject } from './fact.js' */

/** @typedef {SearchIndexSubject['engine']} Engine */

/** What `index` takes, by position (share/server/dreyfus.js and nouveau.js, 3.5.2; the same since 3.0 and 3.4). */
const ARGUMENTS = /** @type {const} */ ({
  clouseau: { type: -1, name: 0, value: 1, options: 2 },
  nouveau: { type: 0, name: 1, value: 2, options: 3 },
});
const CLOUSEAU_TYPES = ['string', 'number', 'boolean'];
/** What `typeof` of a value may be, by the type of its field (nouveau.js `index`, 3.4.3 and 3.5.2). @type {Map<unknown, string[]>} */
const NOUVEAU_TYPES = new Map([
  ['double', ['number']],
  ['string', ['string']],
  ['text', ['string']],
  ['stored', ['number', 'string']],
]);
/** The type of a field is that of its first value; another one keeps the index from being built (ddocs/nouveau.rst, 3.5.2). */
const INDEXED_TYPES = new Set(['double', 'string', 'text']);

/** @type {DeclareFlowFact<SearchIndexSubject>} */
const flowFact = flowFacts('search-index', ['doc'], (subject) => subject.function);

/**
 * @param {string} id
 * @param {Pick<FactDeclaration, 'meaning' | 'phrases'> & {find: (sites: Site[], followed: Followed) => Site[]}} about
 * @returns {FactDeclaration<SearchIndexSubject>} calls of `index`, as they are written
 */
function callsFact(id, { find, ...about }) {
  return flowFact(id, 'list', {
    ...about,
    extract: (followed, _, { engine }) => {
      const sites = sitesOf(followed, engine);
      return 'unknown' in sites ? sites : { value: find(sites, followed).map((site) => itemOf(site, followed)) };
    },
  });
}

/** @type {DeclareFact<SearchIndexSubject>} */
const searchIndexFact = factsOf({ subject: 'search-index', sources: ['design-docs'], basis: 'declared' });

/** @type {FactDeclaration<SearchIndexSubject>[]} */
export const searchIndexFacts = [
  searchIndexFact('searchindex.isLucene9', 'boolean', {
    meaning: 'Whether it is an index of Nouveau with `"lucene_version": 9`.',
    phrases: ['the index demands Lucene 9', 'the index does not demand Lucene 9'],
    extract: ({ engine, node }) => {
      const version = member(node, 'lucene_version');
      if (engine !== 'nouveau' || version?.type !== 'number' || version.value !== 9) return { value: false };
      return { value: true, place: version.file.place(version.start, version.end) };
    },
  }),
  flowFact('searchindex.unguardedReads', 'list', {
    meaning: 'Fields that may be missing and have a member read, or are iterated over, without a check before.',
    phrases: '{value} may be missing',
    extract: riskyReads(false),
  }),
  callsFact('searchindex.refusedCalls', {
    meaning:
      'Calls of `index` that the query server refuses whatever the document holds: a value, name or options of a type that it does not take.',
    phrases: '{value} throws',
    find: (sites) => sites.filter(isRefused),
  }),
  callsFact('searchindex.uncheckedValues', {
    meaning:
      'Calls of `index` with a field of the document that may be missing, without any check before, where the function has other calls; a missing value throws.',
    phrases: '{value} is not checked',
    find: (sites) => (new Set(sites.map(({ node }) => node)).size > 1 ? sites.filter(isUnchecked) : []),
  }),
  callsFact('searchindex.typeChanges', {
    meaning: 'Calls of `index` of Nouveau that give a field another type than a call before.',
    phrases: '{value} changes the type of the field',
    find: typeChanges,
  }),
  callsFact('searchindex.storedDocs', {
    meaning: 'Calls of `index` that store the text of the whole document.',
    phrases: '{value} stores the document',
    find: (sites) => sites.filter(storesDocument),
  }),
];

/** @typedef {{node: NonNullable<EmitSite['node']>, type: unknown, name: Value | undefined, value: Value | undefined, options: Value | undefined, pathFacts: PathFacts, isCaught: boolean, engine: Engine}} Site
 *  `type`: as the call names it; undefined where it is not constant, or the engine has none */

/**
 * @param {Followed} followed
 * @param {Engine} engine
 * @returns {Site[] | {unknown: string}}
 */
function sitesOf({ flow }, engine) {
  if (flow.callsUnknown) return { unknown: 'the function calls functions that were not read' };
  const places = ARGUMENTS[engine];
  return flow.emits.flatMap(({ node, values, pathFacts, isCaught }) => {
    if (!node || !values) return [];
    const type = places.type === -1 ? undefined : constantOf(values[places.type]);
    const named = { name: values[places.name], value: values[places.value], options: values[places.options] };
    return [{ node, type, ...named, pathFacts, isCaught, engine }];
  });
}

/** @param {Site} site @param {Followed} followed @returns {Item} */
const itemOf = ({ node }, { text }) => sourceItem(text, node.start, node.end);

/** @param {Value | undefined} value @returns {unknown} undefined where it is no constant */
const constantOf = (value) => (value?.kind === 'constant' ? value.value : undefined);

/** @param {Site} site @returns {boolean} whether the query server throws for every document that comes here */
function isRefused({ engine, type, name, value, options, pathFacts, isCaught }) {
  if (isCaught) return false;
  const isOneOf = (/** @type {Value | undefined} */ item, /** @type {string[]} */ types) =>
    item !== undefined && alternatives(item).some((one) => [undefined, ...types].includes(typeofValue(one, pathFacts)));
  if (!isOneOf(name, ['string'])) return true;
  const named = constantOf(name);
  if (typeof named === 'string' && named.startsWith('_')) return true;
  if (engine === 'clouseau') {
    const given = constantOf(options);
    return !isOneOf(value, CLOUSEAU_TYPES) || (Boolean(given) && typeof given !== 'object');
  }
  if (type === undefined) return false;
  const types = NOUVEAU_TYPES.get(type);
  return !types || !isOneOf(value, types);
}

/**
 * @param {Value} value
 * @param {PathFacts} pathFacts
 * @returns {string | undefined} what `typeof` says of it; undefined where that depends on the document
 */
function typeofValue(value, pathFacts) {
  switch (value.kind) {
    case 'path':
      return /^doc\._(id|rev)$/.test(value.path) ? 'string' : typeAt(pathFacts, value);
    case 'constant':
      return typeof value.value;
    case 'typed':
      if (value.type === 'date' || value.type === 'error') return 'object';
      return value.type === 'maybe-number' ? 'number' : value.type;
    case 'copy':
      return value.isText ? 'string' : 'object';
    case 'document':
    case 'object':
    case 'array':
      return 'object';
    case 'function':
    case 'emit':
      return 'function';
    default:
      return undefined;
  }
}

/** @param {Site} site @returns {boolean} whether its value is a field that nothing says to be there */
function isUnchecked({ value, pathFacts, isCaught }) {
  if (isCaught || !value || pathFacts.isTested) return false;
  return alternatives(value).some(
    (item) =>
      item.kind === 'path' &&
      !item.present &&
      !item.path.includes('[]') &&
      !/^doc\._(id|rev)$/.test(item.path) &&
      !pathFacts.present.has(item.path) &&
      !pathFacts.assigned.has(item.path) &&
      typeAt(pathFacts, item) === undefined,
  );
}

/** @param {Site[]} sites @returns {Site[]} */
function typeChanges(sites) {
  /** @type {Map<string, unknown>} */
  const types = new Map();
  return sites.filter(({ type, name }) => {
    const field = constantOf(name);
    if (typeof field !== 'string' || !INDEXED_TYPES.has(String(type))) return false;
    const before = types.get(field) ?? type;
    types.set(field, before);
    return before !== type;
  });
}

/** @param {Site} site @returns {boolean} */
function storesDocument({ type, value, options }) {
  const store = options?.kind === 'object' ? options.members.get('store') : undefined;
  const isStored = type === 'stored' || constantOf(store) === true;
  return isStored && value !== undefined && alternatives(value).some((item) => isWhole(item) || item.kind === 'copy');
}
