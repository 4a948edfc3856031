// Reads the design documents written in a JavaScript module, with exact places. The module is never run; what only
// running would show is an unknown value with its reason.

import { basename, dirname, extname } from 'node:path';
import { bare, parseFile } from '../../javascript/parse.js';
import { member } from '../record.js';
import { joinFunctionLines } from './function-lines.js';
import { isMadeOfArguments } from './javascript-calls.js';
import { ProgramNames } from './javascript-names.js';
import { ValueReader } from './javascript-values.js';
import { isDesignId } from './recognise.js';

/** @import { AnyNode, CallExpression } from 'acorn' */
/** @import { FunctionNode } from '../../javascript/parse.js' */
/** @import { SourceFile } from '../../shared/source-file.js' */
/** @import { DesignDocRecord, ObjectNode, ReadResult, ValueNode } from '../record.js' */

/**
 * @typedef {object} ModuleOptions
 * @property {boolean} [isNamed] true where the user named the file: then a module that does not parse is an error
 */

/** @typedef {{node: ObjectNode, id: string | undefined}} Found `id` where it is given beside the document */

/** Members of which a design document has at least one (CouchDB 3.5 documentation, ddocs/ddocs; Clouseau; Nouveau). */
const DESIGN_MEMBERS = [
  'views',
  'filters',
  'updates',
  'shows',
  'lists',
  'validate_doc_update',
  'rewrites',
  'language',
  'options',
  'autoupdate',
  'indexes',
  'nouveau',
  'fulltext',
];

/** Objects in objects are searched so deep: `module.exports = {designDocs: {orders: {…}}}`. */
const SEARCH_DEPTH = 4;

/**
 * @param {SourceFile} file its dialect was loaded
 * @param {ModuleOptions} [options]
 * @returns {ReadResult} an object is taken for a design document where its `_id` begins with `_design/`, where such an id
 *   stands beside it in a call, or where it has a view whose map emits
 */
export function readJsModule(file, options = {}) {
  const parsed = parseFile(file.text, file.path);
  if (!parsed.ok) {
    const place = file.place(parsed.offset);
    const message = `invalid JavaScript: ${parsed.message}`;
    return { records: [], errors: options.isNamed ? [{ code: 'invalid-javascript', message, place }] : [] };
  }
  const names = new ProgramNames(parsed.program);
  const reader = new ValueReader(file, names);
  const found = findDesignDocs(names, reader);
  const isAlone = found.length === 1;
  const records = found.map((item) => createRecord(item, file, isAlone));
  return { records, errors: [] };
}

/**
 * @param {ProgramNames} names
 * @param {ValueReader} reader
 * @returns {Found[]} in the order of the file
 */
function findDesignDocs(names, reader) {
  /** Documents by the offset of their object, or of the call that fills it, so that none is given twice. @type {Map<number, Found>} */
  const found = new Map();
  /** Offsets of objects in helpers that calls have made documents of. @type {Set<number>} */
  const used = new Set();
  /** @param {ObjectNode} node @param {string} [id] */
  const add = (node, id) => {
    const object = reader.madeBy.get(node.start);
    if (object !== undefined) used.add(object);
    if (!found.has(node.start)) found.set(node.start, { node, id });
  };
  for (const node of names.calls) {
    const given = readCallWithId(node, reader);
    if (given) add(given.node, given.id);
  }
  for (const node of names.calls) {
    const helper = names.helperOf(node.callee);
    if (!helper || !mayMakeDesignDoc(helper, reader)) continue;
    for (const made of searchDesignDocs(reader.read(node), SEARCH_DEPTH))
      if (isMadeOfArguments(made, helper)) add(made);
  }
  // Names come before bare objects: only by its name is an object known with the members that are written to it.
  for (const holder of names.holders) {
    const [value] = holder.values;
    if (holder.members.length === 0 || !value) continue;
    for (const node of searchDesignDocs(reader.readHolder(holder, value), SEARCH_DEPTH)) add(node);
  }
  const exported = reader.readExports();
  for (const node of exported ? searchDesignDocs(exported, SEARCH_DEPTH) : []) add(node);
  for (const node of names.objects) {
    if (found.has(node.start) || used.has(node.start) || !hasTellingKey(node)) continue;
    const designDoc = asDesignDoc(reader.read(node));
    if (designDoc) add(designDoc);
  }
  // Views in a file of their own, which another module makes a design document of.
  if (found.size === 0 && exported && hasView(exported)) add(wrapViews(exported));
  return withoutParts([...found.values()], reader.spreadObjects).sort((a, b) => a.node.start - b.node.start);
}

/**
 * @param {FunctionNode} helper
 * @param {ValueReader} reader
 * @returns {boolean} a quick look before it is followed
 */
function mayMakeDesignDoc(helper, reader) {
  return /_design\/|\bviews\b/.test(reader.source(helper));
}

/**
 * `db.insert({views: …}, '_design/orders')`, `db.save('_design/orders', {…})`.
 * @param {CallExpression} call
 * @param {ValueReader} reader
 * @returns {Found | undefined}
 */
function readCallWithId(call, reader) {
  const idNode = call.arguments.find((node) => isDesignIdArgument(node, reader));
  if (!idNode) return undefined;
  const idValue = reader.read(idNode);
  for (const node of call.arguments) {
    const { type } = bare(node);
    if (node === idNode || (type !== 'ObjectExpression' && type !== 'Identifier')) continue;
    const value = reader.read(node);
    if (value.type !== 'object' || member(value, '_id')) continue;
    const id = idValue.type === 'string' ? idValue.value : undefined;
    if (hasView(member(value, 'views')) || (id !== undefined && hasFunctions(value))) return { node: value, id };
    // cradle takes the views alone and wraps them.
    if (hasView(value)) return { node: wrapViews(value), id };
  }
  return undefined;
}

/**
 * @param {AnyNode} argument
 * @param {ValueReader} reader
 * @returns {boolean} whether it is a string that begins with `_design/`, or a name for one
 */
function isDesignIdArgument(argument, reader) {
  const node = bare(argument);
  if (beginsWithDesign(reader.file, node.start)) return true;
  if (node.type !== 'Identifier' && node.type !== 'MemberExpression') return false;
  if (!reader.mentionsDesignIds) return false;
  const value = reader.read(node);
  return value.type === 'string' && !value.isFunction && isDesignId(value.value);
}

/**
 * @param {ObjectNode} node views alone
 * @returns {ObjectNode} a design document of them
 */
function wrapViews(node) {
  const { file, start, end } = node;
  return { type: 'object', file, start, end, entries: [{ key: 'views', keyStart: start, keyEnd: start, node }] };
}

/**
 * @param {ValueNode} node
 * @param {number} depth
 * @returns {ObjectNode[]} the node, or the design documents below it
 */
function searchDesignDocs(node, depth) {
  const designDoc = asDesignDoc(node);
  if (designDoc) return [designDoc];
  if (depth === 0) return [];
  if (node.type === 'object') return node.entries.flatMap((entry) => searchDesignDocs(entry.node, depth - 1));
  return node.type === 'array' ? node.items.flatMap((item) => searchDesignDocs(item, depth - 1)) : [];
}

/**
 * @param {ValueNode} node
 * @returns {ObjectNode | undefined} the node, where it is a design document
 */
function asDesignDoc(node) {
  if (node.type !== 'object') return undefined;
  return isDesignDoc(node) ? node : undefined;
}

/**
 * @param {ObjectNode} node
 * @returns {boolean}
 */
function isDesignDoc(node) {
  const id = member(node, '_id');
  if (id?.type === 'string') return isDesignId(id.value) && DESIGN_MEMBERS.some((key) => member(node, key));
  // `'_design/' + name` is no known id, but the documents made with it are design documents.
  if (id && beginsWithDesign(id.file, id.start)) return holdsText(member(node, 'views'));
  return hasView(member(node, 'views'));
}

/**
 * @param {ValueNode | undefined} views
 * @returns {boolean} whether at least one of them has a map that emits: modules without anything to do with CouchDB have
 *   views with maps, too
 */
function hasView(views) {
  if (views?.type !== 'object') return false;
  return views.entries.some(({ node }) => {
    const map = member(node, 'map');
    if (map?.type !== 'string' || !/(?:^|[^.\w$])emit\s*\(/.test(map.value)) return false;
    return map.isFunction === true || map.value.includes('function') || map.value.includes('=>');
  });
}

/**
 * @param {ObjectNode} node
 * @returns {boolean}
 */
function hasFunctions(node) {
  if (member(node, 'validate_doc_update')?.type === 'string') return true;
  return ['filters', 'updates', 'shows', 'lists'].some((key) => holdsText(member(node, key)));
}

/**
 * @param {ValueNode | undefined} node
 * @returns {boolean} whether a text stands anywhere below it
 */
function holdsText(node) {
  if (node?.type === 'object') return node.entries.some((entry) => holdsText(entry.node));
  return node?.type === 'string';
}

/**
 * @param {SourceFile} file
 * @param {number} start
 * @returns {boolean} whether a string that begins with `_design/` begins there
 */
function beginsWithDesign(file, start) {
  return file.text.startsWith('_design/', start + 1) && `'"\``.includes(file.text.charAt(start));
}

/**
 * @param {import('acorn').ObjectExpression} node
 * @returns {boolean} whether it may be a design document by the keys it is written with
 */
function hasTellingKey(node) {
  return node.properties.some((property) => {
    if (property.type !== 'Property') return true;
    const { key } = property;
    const name = key.type === 'Identifier' ? key.name : key.type === 'Literal' ? key.value : undefined;
    return name === '_id' || name === 'views';
  });
}

/**
 * @param {Found[]} found
 * @param {Set<number>} spreadObjects
 * @returns {Found[]} without the nameless that are part of another: `{_id: '_design/orders', ...base}`, `ddoc({name, views: {…}})`
 */
function withoutParts(found, spreadObjects) {
  const isNamed = (/** @type {Found} */ { node, id }) => id !== undefined || member(node, '_id') !== undefined;
  const parts = new Set(found.filter(isNamed).map(({ node }) => member(node, 'views')?.start));
  return found.filter((item) => {
    if (isNamed(item)) {
      if (spreadObjects.has(item.node.start)) return true;
      return !found.some((other) => spreadObjects.has(other.node.start) && isUpdateOf(item.node, other.node));
    }
    return !(spreadObjects.has(item.node.start) || parts.has(member(item.node, 'views')?.start));
  });
}

/**
 * @param {ObjectNode} node
 * @param {ObjectNode} other that was spread
 * @returns {boolean} whether it is the other with a revision: `{...ddoc, _rev: existing._rev}`
 */
function isUpdateOf(node, other) {
  const own = node.entries.filter(({ key }) => key !== '_rev');
  return own.every(({ key, node: value }) => member(other, key)?.start === value.start);
}

/**
 * @param {Found} found
 * @param {SourceFile} file
 * @param {boolean} isAlone whether it is the only one in its file
 * @returns {DesignDocRecord}
 */
function createRecord({ node, id: givenId }, file, isAlone) {
  joinFunctionLines(node);
  const idNode = member(node, '_id');
  const folder = dirname(file.path);
  // couchdb-compile and its like take the id from the path `_design/orders.js`.
  const pathId =
    isAlone && !idNode && basename(folder) === '_design' ? `_design/${basename(file.path, extname(file.path))}` : null;
  const id = idNode?.type === 'string' ? idNode.value : (givenId ?? pathId);
  return { kind: 'design-doc', id, origin: 'module', node, file, group: folder, sameDatabase: false };
}
