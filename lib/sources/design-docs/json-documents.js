// Makes records of the documents in a range of JSON text, with an error for whatever is wrong in the range. Trees are
// built only for design documents and index definitions.

import { dirname } from 'node:path';
import { limitErrors, member } from '../record.js';
import { findCandidates } from './candidates.js';
import { joinFunctionLines } from './function-lines.js';
import { isDesignDoc, isMangoIndex } from './recognise.js';
import { replicationOf } from './replication.js';
import { findSyntaxErrors, parseJsonTree } from './value-tree.js';

/** @import { SourceFile } from '../../shared/source-file.js' */
/** @import { ObjectNode, ReadError, SourceRecord, ValueNode } from '../record.js' */

/**
 * @typedef {object} JsonOptions
 * @property {boolean} [isDiscovered] true for a file nobody named: it may be anything, and what is wrong with its JSON is
 *   reported only where it seems to have to do with CouchDB
 */

/** @typedef {{group: string, isExport: boolean}} ReadOptions `isExport`: all documents of the file are of one database */

/** Characters that are checked by parsing, which is fast: empty arrays take 14 times as much memory as their text. */
const MAX_PARSED = 8 * 1024 * 1024;

/** Sets of words; a file with design documents or index definitions has all of one set. */
const COUCHDB_WORDS = [
  ['"_design/'],
  ['"_design\\/'],
  ['"validate_doc_update"'],
  ['"views"', '"map"'],
  ['"index"', '"fields"', '"ddoc"'],
  ['"source"', '"target"', '"_replication_'],
];

/**
 * @param {SourceFile} file
 * @param {boolean} [isExport]
 * @returns {ReadOptions}
 */
export function createReadOptions(file, isExport = false) {
  return { group: dirname(file.path), isExport };
}

/**
 * @param {string} text of a file that could not be read
 * @returns {boolean} whether it seems to be meant for CouchDB
 */
export function looksLikeCouchdb(text) {
  return COUCHDB_WORDS.some((words) => words.every((word) => text.includes(word)));
}

/**
 * @param {SourceFile} file
 * @param {number} start
 * @param {number} end
 * @param {ReadOptions} options
 * @returns {{records: SourceRecord[], errors: ReadError[], isBroken: boolean}} `isBroken`: the stretch as a whole is no
 *   JSON value; documents in it that are whole are given all the same
 */
export function readDocuments(file, start, end, { group, isExport }) {
  const syntax = isValidJson(file.text, start, end)
    ? { errors: [], isBroken: false }
    : findSyntaxErrors(file, start, end);
  const { ranges, isDump } = findCandidates(file.text, start, end);
  /** @type {SourceRecord[]} */
  const records = [];
  /** By what and where, since the first error of the whole is an error of one of its documents too. @type {Map<string, ReadError>} */
  const errors = new Map();
  /** @param {ReadError} error */
  const add = (error) => {
    const key = `${error.code} ${error.place?.line} ${error.place?.column}`;
    if (!errors.has(key)) errors.set(key, error);
  };
  syntax.errors.forEach(add);
  // Comments in the settings of some other tool are no concern of ours.
  let isReported = syntax.isBroken;
  for (const range of ranges) {
    const tree = parseJsonTree(file, range.start, range.end);
    const record = tree.node && createRecord(tree.node, group, isDump || isExport);
    if (record) records.push(record);
    if (record || !tree.node) tree.errors.forEach(add);
    isReported ||= record !== undefined || !tree.node;
  }
  return { records, errors: isReported ? limitErrors([...errors.values()]) : [], isBroken: syntax.isBroken };
}

/**
 * @param {string} text
 * @param {number} start
 * @param {number} end
 * @returns {boolean} false as well where it is too long to be parsed as a whole
 */
function isValidJson(text, start, end) {
  if (end - start > MAX_PARSED) return false;
  try {
    JSON.parse(text.slice(text.charCodeAt(start) === 0xfeff ? start + 1 : start, end));
    return true;
  } catch {
    return false;
  }
}

/**
 * @param {ValueNode} node
 * @param {string} group
 * @param {boolean} isDump
 * @returns {SourceRecord | undefined} undefined where the value is neither a design document nor an index definition nor a replication
 */
function createRecord(node, group, isDump) {
  if (node.type !== 'object') return undefined;
  const { file } = node;
  if (isDesignDoc(node)) {
    joinFunctionLines(node);
    return {
      kind: 'design-doc',
      id: stringMember(node, '_id'),
      origin: isDump ? 'dump' : 'json',
      node,
      file,
      group: isDump ? file.path : group,
      sameDatabase: isDump,
    };
  }
  if (isMangoIndex(node)) {
    return {
      kind: 'mango-index',
      name: stringMember(node, 'name'),
      ddoc: stringMember(node, 'ddoc'),
      node,
      file,
      group,
    };
  }
  return replicationOf(node);
}

/** @param {ObjectNode} node @param {string} key @returns {string | null} */
function stringMember(node, key) {
  const value = member(node, key);
  return value?.type === 'string' ? value.value : null;
}
