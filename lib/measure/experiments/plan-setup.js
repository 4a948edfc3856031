// Collects the indexes and views that a plan is about, under the names that its requests use: what is there now, and what is there with
// some of its steps. Pure.

import { printable } from '../../shared/printable.js';

/** @import { IndexDefinition, PlanStep, StepQuery, ViewDefinition } from '../../advise/plan.js' */
/** @import { ArmRequest, ArmSetup } from './experiment.js' */

/** @typedef {{designDoc: string, name: string, index?: IndexDefinition, view?: ViewDefinition}} Entry `designDoc` without `_design/` */
/** By name. @typedef {Map<string, Entry>} Entries */

/** Names in a description. */
const MAX_NAMED = 3;

/**
 * @param {PlanStep[]} steps
 * @returns {Entries} what serves their queries now, and what they replace
 */
export function entriesNow(steps) {
  /** @type {Entries} */
  const entries = new Map();
  for (const { change, queries } of steps) {
    if (change.replaces) add(entries, { ...namesOf(change), ...change.replaces });
    for (const query of queries) addServing(entries, query);
  }
  return entries;
}

/**
 * @param {Entries} now
 * @param {PlanStep[]} steps
 * @returns {Entries}
 */
export function entriesWith(now, steps) {
  const entries = new Map(now);
  for (const { change } of steps) {
    const { kind, index, view } = change;
    const entry = { ...namesOf(change), ...(index ? { index } : {}), ...(view ? { view } : {}) };
    if (kind === 'drop-index' || kind === 'drop-view') entries.delete(keyOf(entry));
    else entries.set(keyOf(entry), entry);
  }
  return entries;
}

/**
 * @param {Entries} entries
 * @returns {ArmSetup}
 */
export function setupOf(entries) {
  /** @type {Map<string, ArmSetup['designDocs'][number]>} */
  const designDocs = new Map();
  /** @type {ArmSetup['indexes']} */
  const indexes = [];
  for (const { designDoc, name, index, view } of entries.values()) {
    if (index) {
      const { fields, partial_filter_selector: partial } = index;
      indexes.push({ designDoc, name, fields, ...(partial ? { partial_filter_selector: partial } : {}) });
    }
    if (!view) continue;
    const { map, reduce } = view;
    const own = designDocs.get(designDoc) ?? { id: designDoc, views: {} };
    own.views[name] = { map, ...(reduce === undefined ? {} : { reduce }) };
    designDocs.set(designDoc, own);
  }
  return { designDocs: [...designDocs.values()], indexes };
}

/**
 * @param {Entries} entries
 * @returns {string} `no index`, or names
 */
export function describeEntries(entries) {
  const names = [...entries.values()].map(({ designDoc, name, index, view }) => {
    if (view) return `view \`${printable(`${designDoc}/${name}`)}\``;
    return isUnnamed(name) && index
      ? `index on ${printable(columnsOf(index).join(', '))}`
      : `index \`${printable(name)}\``;
  });
  if (names.length === 0) return 'no index';
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : '';
  return `${names.slice(0, MAX_NAMED).join(', ')}${more}`;
}

/** @param {string} name @returns {boolean} whether it was made here, as the plan has none */
function isUnnamed(name) {
  return /^now-\d+$/.test(name);
}

/** @param {IndexDefinition} index @returns {string[]} */
function columnsOf({ fields }) {
  return fields.map((field) => (typeof field === 'string' ? field : (Object.keys(field)[0] ?? '')));
}

/**
 * @param {ArmRequest} request
 * @param {Entries} entries of its database
 * @returns {string | undefined} why the database cannot answer it
 */
export function reasonAgainst(request, entries) {
  const names = viewOf(request);
  if (!names) return undefined;
  const { view } = entries.get(keyOf(names)) ?? {};
  const shown = `\`_design/${names.designDoc}/_view/${names.name}\``;
  if (!view) return `the plan does not define ${shown}`;
  return /\brequire\s*\(/.test(view.map) ? `the map of ${shown} uses require()` : undefined;
}

/**
 * @param {Entries} entries
 * @param {StepQuery} query
 */
function addServing(entries, { servedBy, requests }) {
  const [first] = requests.before;
  const names = first && viewOf(first);
  if (servedBy.view && names) add(entries, { ...names, view: servedBy.view });
  if (!servedBy.index) return;
  const named = first && usedIndex(first);
  const text = JSON.stringify(servedBy.index);
  const isThere = [...entries.values()].some(({ index }) => index && JSON.stringify(index) === text);
  if (!named && isThere) return;
  const number = entries.size + 1;
  add(entries, { ...(named ?? { designDoc: `now-${number}`, name: `now-${number}` }), index: servedBy.index });
}

/** @param {Entries} entries @param {Entry} entry unless one of that name is there */
function add(entries, entry) {
  if (!entries.has(keyOf(entry)) && (entry.index || entry.view)) entries.set(keyOf(entry), entry);
}

/** @param {{designDoc: string, name: string}} names */
function keyOf({ designDoc, name }) {
  return JSON.stringify([designDoc, name]);
}

/** @param {{designDoc: string, name: string}} names @returns {{designDoc: string, name: string}} */
function namesOf({ designDoc, name }) {
  return { designDoc: plainName(designDoc), name };
}

/** @param {string} designDoc @returns {string} */
function plainName(designDoc) {
  return designDoc.replace(/^_design\//, '');
}

/** @param {ArmRequest} request with a path that can be decoded @returns {{designDoc: string, name: string} | undefined} */
function viewOf({ path }) {
  const [, designDoc, name] = /^_design\/([^/]+)\/_view\/([^/]+)$/.exec(path) ?? [];
  if (designDoc === undefined || name === undefined) return undefined;
  return { designDoc: decodeURIComponent(designDoc), name: decodeURIComponent(name) };
}

/** @param {ArmRequest} request @returns {{designDoc: string, name: string} | undefined} the index that it names */
function usedIndex({ body }) {
  const { use_index: used } = /** @type {{use_index?: unknown}} */ (body ?? {});
  const [designDoc, name] = (Array.isArray(used) ? used : [used]).map(String);
  if (used === undefined || designDoc === undefined) return undefined;
  return { designDoc: plainName(designDoc), name: name ?? plainName(designDoc) };
}
