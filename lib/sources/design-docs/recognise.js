// Detects whether a value may be a design document, a Mango index definition or a replication. Decides narrowly: configuration, map data
// and translations have members called `views`, `filters` and `index` too.

import { member } from '../record.js';
import { mayBeReplication } from './replication.js';

/** @import { ValueNode } from '../record.js' */

const DESIGN_PREFIX = '_design/';

/** Names of query servers: those of CouchDB and PouchDB, and those in use with `COUCHDB_QUERY_SERVER_…` settings. */
const LANGUAGES = new Set([
  'javascript',
  'javascript_quickjs',
  'javascript_spidermonkey',
  'erlang',
  'query',
  'coffeescript',
  'python',
  'ruby',
  'lua',
  'clojure',
  'php',
]);

/** What the text of a function has in any of those languages. Only to recognise a document, never to judge it. */
const CODE = /\bfunction\b[^(]{0,200}\(|=>|\)\s*->|\bfun\s*\(|\bdef\s+\w+\s*\(|\bemit\b|\(fn\b|\blambda\b|\bexports\b/;

/** How functions of a design document begin, by the usual names of their first parameter. */
const DOC_FUNCTION = /^\s*\(?function\b[^(]{0,200}\(\s*(?:doc|head)\s*[,)]/;

/** Keys of a body of `POST /db/_index`; the server refuses others (mango_opts.erl validate_idx_create, 3.5.2). */
const INDEX_KEYS = new Set(['index', 'type', 'name', 'ddoc', 'w', 'partitioned', 'partial_filter_selector']);

/** Keys of which at least one stands in whatever is recognised here and has no `_id`. */
const TELLING_KEYS = new Set([
  'views',
  'validate_doc_update',
  'filters',
  'updates',
  'shows',
  'lists',
  'indexes',
  'nouveau',
  'fulltext',
  'index',
]);

/**
 * @param {string | undefined} id the value of `_id`; undefined where it is absent
 * @param {string[]} keys
 * @returns {boolean} false where the object is certainly neither a design document nor an index definition nor a replication
 */
export function mayMatter(id, keys) {
  const isDesign = id === undefined ? keys.some((key) => TELLING_KEYS.has(key)) : isDesignId(id);
  return isDesign || mayBeReplication(keys);
}

/**
 * @param {string | undefined} id
 * @returns {boolean}
 */
export function isDesignId(id) {
  return id?.startsWith(DESIGN_PREFIX) === true;
}

/**
 * @param {ValueNode} node
 * @returns {boolean} true for an object whose `_id` is that of a design document and that is not deleted, and
 *   for one without `_id` that has the functions of a design document
 */
export function isDesignDoc(node) {
  if (node.type !== 'object') return false;
  const id = member(node, '_id');
  if (id) {
    const deleted = member(node, '_deleted');
    return id.type === 'string' && isDesignId(id.value) && !(deleted?.type === 'boolean' && deleted.value);
  }
  const languageNode = member(node, 'language');
  const language =
    languageNode?.type === 'string' && LANGUAGES.has(languageNode.value) ? languageNode.value : undefined;
  if (isCode(member(node, 'validate_doc_update'))) return true;
  if (hasViews(member(node, 'views'), language)) return true;
  const isFunction = language === undefined ? isDocFunction : isCode;
  return (
    ['filters', 'updates', 'shows', 'lists'].some((group) => someEntry(member(node, group), isFunction)) ||
    ['indexes', 'nouveau', 'fulltext'].some((group) =>
      someEntry(member(node, group), (index) => isFunction(member(index, 'index'))),
    )
  );
}

/**
 * @param {ValueNode} node
 * @returns {boolean} true for a body of `POST /db/_index`
 */
export function isMangoIndex(node) {
  if (node.type !== 'object' || member(node, '_id')) return false;
  const index = member(node, 'index');
  if (index?.type !== 'object') return false;
  const isNamed = member(node, 'ddoc')?.type === 'string';
  if (!isNamed && !node.entries.every(({ key }) => INDEX_KEYS.has(key))) return false;
  const fields = member(index, 'fields');
  if (fields) {
    return fields.type === 'array' && fields.items.length > 0 && fields.items.every(isField);
  }
  // An index of all text fields names none (mango_idx_text.erl, opts/0, 3.5.2).
  const type = member(node, 'type');
  const isText = type?.type === 'string' && (type.value === 'text' || type.value === 'nouveau');
  return isText && (isNamed || member(node, 'name')?.type === 'string');
}

/**
 * @param {ValueNode | undefined} views
 * @param {string | undefined} language
 * @returns {boolean} true where at least one of the views has a map that is code, or fields in a Mango document
 */
function hasViews(views, language) {
  if (views?.type !== 'object') return false;
  return views.entries.some(({ key, node }) => {
    if (key === 'lib') return language !== undefined && someEntry(node, isCode);
    const map = member(node, 'map');
    if (language === 'query') return member(map, 'fields') !== undefined;
    return isCode(map);
  });
}

/** @param {ValueNode | undefined} node @returns {boolean} true for a string, or an array of lines, that is code */
function isCode(node) {
  return CODE.test(textOf(node));
}

/** @param {ValueNode | undefined} node @returns {boolean} true where there is no doubt that it is for CouchDB */
function isDocFunction(node) {
  return DOC_FUNCTION.test(textOf(node));
}

/** @param {ValueNode | undefined} node @returns {string} empty where the node is neither a string nor lines */
function textOf(node) {
  if (node?.type !== 'array') return node?.type === 'string' ? node.value : '';
  return node.items.every((item) => item.type === 'string') ? node.items.map(({ value }) => value).join('\n') : '';
}

/** @param {ValueNode} node @returns {boolean} true for a field of an index: `"name"` or `{"name": "asc"}` */
function isField(node) {
  return node.type === 'string' || (node.type === 'object' && node.entries.length > 0);
}

/** @param {ValueNode | undefined} node @param {(value: ValueNode) => boolean} test @returns {boolean} */
function someEntry(node, test) {
  return node?.type === 'object' && node.entries.some((item) => test(item.node));
}
