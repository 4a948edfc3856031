// Makes records of the Mango indexes that code creates: of calls whose definition is literal, and of the places where code creates others.

import { CLIENT_WORDS, clientNamed, INDEX_WORDS } from '../../clients/index.js';
import { entry, member } from '../record.js';

/** @import { Entry, MangoIndexRecord, ObjectNode, ValueNode } from '../record.js' */
/** @import { SourceFile } from '../../shared/source-file.js' */
/** @import { CallRecord } from './record.js' */

const CREATES = new RegExp(INDEX_WORDS, 'g');

/**
 * @param {Iterable<SourceFile>} files
 * @param {readonly CallRecord[]} calls
 * @returns {MangoIndexRecord[]} one for each place that creates indexes; those whose definition only running would show are open. None for
 *   databases of PouchDB itself: queries of a server do not use these
 */
export function indexesInCode(files, calls) {
  const own = calls.filter(({ method }) => method === 'create-index');
  const found = own.flatMap((call) => (call.location === 'local' ? [] : indexOf(call)));
  for (const file of files) {
    // Other databases have indexes, too.
    if (calls.length === 0 && !CLIENT_WORDS.test(file.text)) continue;
    for (const { index: at, 0: text } of file.text.matchAll(CREATES)) {
      if (own.some((call) => call.file === file && call.start <= at && at < call.end)) continue;
      found.push(openIndex(file, at, at + text.length));
    }
  }
  return found;
}

/**
 * @param {CallRecord} call
 * @returns {MangoIndexRecord}
 */
function indexOf({ file, start, end, options, client, database, location }) {
  const { node, isOpen } = options;
  // PouchDB may keep it on a server or not.
  const parts =
    node && !isOpen && location === 'http' ? partsOf(node, clientNamed(client)?.hasNamedArguments === true) : undefined;
  if (!node || !parts) return openIndex(file, start, end);
  const { index, ...named } = parts;
  const entries = [...node.entries.filter(({ key }) => key !== 'index' && key !== 'fields'), index];
  return {
    kind: 'mango-index',
    ...named,
    node: { ...node, entries: entries.toSorted((one, other) => one.keyStart - other.keyStart) },
    file,
    // Databases that are computed may be any.
    group: database === null ? `${file.path}:${start}` : `database ${database}`,
    isInCode: true,
  };
}

/**
 * @param {ObjectNode} node
 * @param {boolean} isCamelCase
 * @returns {{name: string | null, ddoc: string | null, index: Entry} | undefined} undefined where a part of it is not literal
 */
function partsOf(node, isCamelCase) {
  const [name, ddoc, type] = ['name', 'ddoc', 'type'].map((key) => member(node, key));
  if ([name, ddoc, type].some((part) => part !== undefined && part.type !== 'string')) return undefined;
  const fields = entry(node, 'fields');
  // PouchDB takes the fields without `index` around them.
  const given = entry(node, 'index') ?? (fields && { ...fields, key: 'index', node: { ...node, entries: [fields] } });
  if (given?.node.type !== 'object') return undefined;
  const { entries } = given.node;
  const index = { ...given.node, entries: isCamelCase ? entries.map(withUnderscores) : entries };
  return isWhole(index) ? { name: textOf(name), ddoc: textOf(ddoc), index: { ...given, node: index } } : undefined;
}

/**
 * @param {ValueNode} node
 * @returns {boolean} whether all of it is known
 */
function isWhole(node) {
  if (node.type === 'array') return node.items.every(isWhole);
  if (node.type !== 'object') return node.type !== 'unknown';
  return !node.isOpen && node.entries.every((item) => !item.isOpen && isWhole(item.node));
}

/**
 * @param {SourceFile} file
 * @param {number} start
 * @param {number} end
 * @returns {MangoIndexRecord} of which nothing is known but that there is one
 */
function openIndex(file, start, end) {
  /** @type {ObjectNode} */
  const node = { type: 'object', file, start, end, entries: [], isOpen: true };
  return { kind: 'mango-index', name: null, ddoc: null, node, file, group: `${file.path}:${start}`, isInCode: true };
}

/** @param {Entry} item @returns {Entry} */
function withUnderscores(item) {
  return { ...item, key: item.key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) };
}

/** @param {ValueNode | undefined} node @returns {string | null} */
function textOf(node) {
  return node?.type === 'string' ? node.value : null;
}
