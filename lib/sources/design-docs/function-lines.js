// Joins functions that a design document holds as an array of lines into one text. Lines are joined by line feeds;
// every character leads back to its own string in the file.

import { MappedText } from '../../shared/mapped-text.js';
import { entry, member } from '../record.js';

/** @import { ArrayNode, Entry, ObjectNode, StringNode, ValueNode } from '../record.js' */

/** Members of a design document that hold functions by name (CouchDB 3.5 documentation, ddocs/ddocs). */
const FUNCTION_GROUPS = ['filters', 'updates', 'shows', 'lists'];

/** Members that hold indexes by name, each with an `index` function: Clouseau, Nouveau, couchdb-lucene. */
const INDEX_GROUPS = ['indexes', 'nouveau', 'fulltext'];

/**
 * Joins the lines in every place where CouchDB has a function or a module. An array of strings anywhere else, and an
 * array with anything but strings, stays as it is.
 * @param {ObjectNode} designDoc changed in place
 */
export function joinFunctionLines(designDoc) {
  joinEntry(entry(designDoc, 'validate_doc_update'));
  joinEntry(entry(designDoc, 'rewrites'));
  for (const group of FUNCTION_GROUPS) eachEntry(member(designDoc, group), joinEntry);
  for (const group of INDEX_GROUPS) {
    eachEntry(member(designDoc, group), (index) => joinEntry(entry(index.node, 'index')));
  }
  eachEntry(member(designDoc, 'views'), (view) => {
    if (view.key === 'lib') joinModules(view.node);
    joinEntry(entry(view.node, 'map'));
    joinEntry(entry(view.node, 'reduce'));
  });
  joinModules(member(designDoc, 'lib'));
}

/** @param {ValueNode | undefined} node an object of modules and of further such objects */
function joinModules(node) {
  eachEntry(node, (item) => {
    joinEntry(item);
    joinModules(item.node);
  });
}

/** @param {ValueNode | undefined} node @param {(item: Entry) => void} visit */
function eachEntry(node, visit) {
  if (node?.type === 'object') for (const item of node.entries) visit(item);
}

/** @param {Entry | undefined} item */
function joinEntry(item) {
  if (item?.node.type === 'array') item.node = joinLines(item.node) ?? item.node;
}

/**
 * @param {ArrayNode} array
 * @returns {StringNode | undefined} undefined where the array is empty or not all of it are strings
 */
function joinLines(array) {
  const { file, start, end } = array;
  /** @type {MappedText[]} */
  const parts = [];
  let previousEnd = start;
  for (const item of array.items) {
    if (item.type !== 'string') return undefined;
    if (parts.length > 0) parts.push(MappedText.opaque('\n', file, previousEnd, item.start));
    parts.push(item.text);
    previousEnd = item.end;
  }
  if (parts.length === 0) return undefined;
  const text = MappedText.concat(parts);
  return { type: 'string', file, start, end, value: text.text, text, lines: true };
}
