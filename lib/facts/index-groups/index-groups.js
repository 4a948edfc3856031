// Determines the indexes that CouchDB keeps for a design document, each with the term whose hash is its signature. Two
// versions of a document share an index where the terms are equal. Pure.

import { entry, member } from '../../sources/record.js';
import { entries, isBareMap } from '../subjects.js';
import { compareTerms, encodeTerm, membersOf, termOf, UnknownTerm } from './erlang-term.js';

/** @import { DesignDocRecord, ObjectNode, ValueNode } from '../../sources/record.js' */
/** @import { ViewSubject } from '../fact.js' */
/** @import { Term } from './erlang-term.js' */

/** `views`: one index for all views of the document; `search` (Clouseau) and `nouveau`: one each. @typedef {'views' | 'search' | 'nouveau'} IndexKind */

/**
 * @typedef {object} IndexGroup
 * @property {IndexKind} kind
 * @property {string} name of the index; empty for that of the views
 * @property {string[]} views what it serves; for `search` and `nouveau` empty
 * @property {Uint8Array | undefined} term in external format, what the signature is a hash of; undefined where it is unknown
 * @property {string | undefined} unknown why not
 * @property {string} text what the term is made of, to compare where there is no term
 */

/** What holds indexes of its own. @type {[string, IndexKind][]} */
const SEARCH_MEMBERS = [
  ['indexes', 'search'],
  ['nouveau', 'nouveau'],
];

/**
 * @param {Pick<DesignDocRecord, 'node' | 'origin'>} record
 * @returns {IndexGroup[]} that of the views first; none for a document without views and search indexes
 */
export function indexGroupsOf({ node, origin }) {
  /** @type {IndexGroup[]} */
  const groups = [];
  const views = member(node, 'views');
  const names = entries(views)
    .filter(({ node: view }) => entry(view, 'map') !== undefined || isBareMap({ origin }, view))
    .map(({ key }) => key);
  if (names.length > 0 || views?.type === 'unknown') {
    const text = ['views', 'language', 'options'].map((name) => spellingOf(member(node, name))).join('\n');
    groups.push({ kind: 'views', name: '', views: names, text, ...attempt(() => viewsTerm(node, origin)) });
  }
  for (const [name, kind] of SEARCH_MEMBERS) {
    for (const { key, node: index } of entries(member(node, name))) {
      if (index.type !== 'object' || !entry(index, 'index')) continue;
      const term = attempt(() => (kind === 'search' ? clouseauTerm(index) : nouveauTerm(index)));
      groups.push({ kind, name: key, views: [], text: spellingOf(index), ...term });
    }
  }
  return groups;
}

/**
 * @param {Pick<ViewSubject, 'map' | 'node'>} view
 * @returns {string} the same for views of a design document that CouchDB keeps in one B-tree: those of one map text and the same
 *   options (couch_mrview_util.erl ddoc_to_mrst, 3.5.2)
 */
export function treeOf({ map, node }) {
  const options = member(node, 'options');
  const hasOptions = options?.type !== 'object' || options.entries.length > 0;
  return JSON.stringify([map?.text.text, hasOptions ? spellingOf(options) : '']);
}

/**
 * @param {IndexGroup} first
 * @param {IndexGroup} second
 * @returns {boolean} whether both versions share one index
 */
export function sameIndex(first, second) {
  const [a, b] = [first.term, second.term];
  if (!a || !b) return first.text === second.text;
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

/**
 * @param {() => Term} make
 * @returns {Pick<IndexGroup, 'term' | 'unknown'>}
 */
function attempt(make) {
  try {
    return { term: encodeTerm(make()), unknown: undefined };
  } catch (error) {
    if (!(error instanceof UnknownTerm)) throw error;
    return { term: undefined, unknown: error.message };
  }
}

/**
 * What the signature of the views is made of: `{Views, Language, DesignOpts, sort_lib(Lib)}` (couch_mrview_util.erl,
 * ddoc_to_mrst/2; the same from 3.0 to 3.5.2).
 * @param {ObjectNode} node
 * @param {DesignDocRecord['origin']} origin
 * @returns {Term}
 */
function viewsTerm(node, origin) {
  const raw = asObject(member(node, 'views'), 'its `views`');
  /** Views of one map and one set of options are one. @type {Map<string, {map: Term, options: Term[], names: Term[], reduces: Term[]}>} */
  const made = new Map();
  for (const { key, node: view } of entries(raw)) {
    const mapNode = isBareMap({ origin }, view) ? view : member(view, 'map');
    if (view.type === 'unknown') throw new UnknownTerm(view.reason);
    // CouchDB skips what has no map; so `lib` is no view.
    if (!mapNode) continue;
    const map = termOf(mapNode);
    const optionsNode = member(view, 'options');
    const options = optionsNode ? membersOf(asObject(optionsNode, 'the `options` of a view')) : [];
    // Equal is what has equal bytes: 1 and 1.0 are two keys of a dictionary.
    const identity = new TextDecoder('latin1').decode(encodeTerm({ tuple: [map, options] }));
    const one = made.get(identity) ?? { map, options, names: [], reduces: [] };
    made.set(identity, one);
    const reduce = member(view, 'reduce');
    // Each is put before those that were met earlier.
    if (reduce && reduce.type !== 'null') one.reduces.unshift({ tuple: [key, termOf(reduce)] });
    else one.names.unshift(key);
  }
  const inOrder = [...made.values()].sort((a, b) => compareTerms(a.map, b.map) || compareTerms(a.options, b.options));
  const views = inOrder.map(({ map, options, names, reduces }, number) => ({
    // -record(mrview, {id_num, update_seq, purge_seq, map_names, reduce_funs, def, btree, options}), couch_mrview.hrl
    tuple: [{ atom: 'mrview' }, BigInt(number), 0n, 0n, names, reduces, map, { atom: 'nil' }, options],
  }));
  const language = member(node, 'language');
  const designOptions = member(node, 'options');
  const lib = member(raw, 'lib');
  return {
    tuple: [
      views,
      language ? termOf(language) : 'javascript',
      designOptions ? membersOf(asObject(designOptions, 'its `options`')) : [],
      lib ? sortedLib(asObject(lib, 'its `views.lib`')) : [],
    ],
  };
}

/**
 * @param {ObjectNode} lib
 * @returns {Term[]} as `couch_index_util:sort_lib/1` gives it: objects become lists, sorted by name
 */
function sortedLib(lib) {
  /** @type {[string, Term][]} */
  const members = entries(lib).map(({ key, node }) => [key, node.type === 'object' ? sortedLib(node) : termOf(node)]);
  return members.sort(([a], [b]) => compareTerms(a, b)).map(([key, value]) => ({ tuple: [key, value] }));
}

/**
 * @param {ObjectNode} index
 * @returns {Term} `{Analyzer, Def}` (dreyfus_index.erl, design_doc_to_index/2, 3.5.2)
 */
function clouseauTerm(index) {
  return { tuple: [memberTerm(index, 'analyzer', 'standard'), memberTerm(index, 'index', '')] };
}

/**
 * @param {ObjectNode} index
 * @returns {Term} `{DefaultAnalyzer, FieldAnalyzers, Def}` (nouveau_util.erl, design_doc_to_index/3, 3.5.2)
 */
function nouveauTerm(index) {
  return {
    tuple: [
      memberTerm(index, 'default_analyzer', 'standard'),
      memberTerm(index, 'field_analyzers', { map: [] }),
      memberTerm(index, 'index', ''),
    ],
  };
}

/** @param {ObjectNode} node @param {string} name @param {Term} usual @returns {Term} */
function memberTerm(node, name, usual) {
  const found = member(node, name);
  return found ? termOf(found) : usual;
}

/** @param {ValueNode | undefined} node @param {string} what @returns {ObjectNode} */
function asObject(node, what) {
  if (node?.type === 'object') return node;
  throw new UnknownTerm(node?.type === 'unknown' ? node.reason : `${what} are not an object`);
}

/**
 * @param {ValueNode | undefined} node
 * @returns {string} the value as JSON; what is unknown as it is written
 */
export function spellingOf(node) {
  return node ? JSON.stringify(plainOf(node)) : '';
}

/** @param {ValueNode} node @returns {unknown} */
function plainOf(node) {
  if (node.type === 'object') return entries(node).map(({ key, node: value }) => [key, plainOf(value)]);
  if (node.type === 'array') return { list: node.items.map(plainOf) };
  if (node.type === 'unknown') return { unknown: node.file.text.slice(node.start, node.end) };
  return node.type === 'null' ? null : node.value;
}
