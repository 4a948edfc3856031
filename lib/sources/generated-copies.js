// Leaves out design documents that a program of the same name generates: many projects keep both `orders.js` and the `orders.json` that it writes.
// The program is judged, since that is where people make changes; of TypeScript and the JavaScript that is compiled of it, the TypeScript. A script that
// reads the functions of a document from other files, to send it to a server, is left out in favor of those files. What a server has as a file has it
// is that file, which is then known to be in that database.

import { basename, extname } from 'node:path';
import { dialectOf } from '../javascript/dialects.js';
import { groupBy } from '../shared/group-by.js';

/** @import { DesignDocRecord, ObjectNode, SourceRecord, ValueNode } from './record.js' */

/**
 * @param {SourceRecord[]} records
 * @returns {{kept: SourceRecord[], copies: {copy: DesignDocRecord, original: DesignDocRecord}[]}} `kept` in the order of their files' paths,
 *   those of one file in the order of the file
 */
export function withoutCopies(records) {
  const documents = records.filter((record) => record.kind === 'design-doc');
  const programs = groupBy(
    documents.filter(({ origin }) => origin === 'module'),
    stemOf,
  );
  const byId = groupBy(documents, ({ id }) => id ?? '');
  /** @type {{copy: DesignDocRecord, original: DesignDocRecord}[]} */
  const copies = [];
  const files = documents.filter(({ database, id }) => database === undefined && id !== null);
  /** @type {Map<SourceRecord, SourceRecord>} */
  const deployed = new Map();
  const kept = records.filter((record) => {
    if (record.kind !== 'design-doc') return true;
    const original = record.database
      ? files.find((file) => file.id === record.id && isSame(file, record))
      : record.origin === 'json'
        ? programs.get(stemOf(record))?.find((candidate) => isSame(candidate, record))
        : record.origin === 'module' &&
          byId
            .get(record.id ?? '')
            ?.find((candidate) => isBuiltFrom(record, candidate) || isCompiledFrom(record, candidate));
    if (!original) return true;
    if (record.database && !deployed.has(original)) deployed.set(original, { ...original, database: record.database });
    copies.push({ copy: record, original });
    return false;
  });
  return { kept: kept.map((record) => deployed.get(record) ?? record).toSorted(inOrder), copies };
}

/** @param {SourceRecord} a @param {SourceRecord} b @returns {number} */
function inOrder(a, b) {
  const [first, second] = [a.file.path, b.file.path];
  return first < second ? -1 : Number(first > second) || startOf(a) - startOf(b);
}

/** @param {SourceRecord} record @returns {number} */
function startOf(record) {
  return 'start' in record ? record.start : 'node' in record ? record.node.start : 0;
}

/**
 * @param {DesignDocRecord} record
 * @returns {string} its path without the ending
 */
function stemOf({ file: { path } }) {
  return path.slice(0, path.length - extname(path).length);
}

/**
 * @param {DesignDocRecord} original
 * @param {DesignDocRecord} copy
 * @returns {boolean} whether they are one document: of one id, where both have one, with equal members
 */
function isSame(original, copy) {
  if (original.id !== null && copy.id !== null && original.id !== copy.id) return false;
  const text = textOf(original.node);
  return text !== undefined && text === textOf(copy.node);
}

/**
 * @param {DesignDocRecord} script
 * @param {DesignDocRecord} document
 * @returns {boolean} whether they are one document: of one id, where the script leaves open what the document says, and all that it
 *   says itself the document says too
 */
function isBuiltFrom(script, document) {
  if (script === document || script.id === null || script.id !== document.id) return false;
  if (script.database !== document.database || textOf(script.node) !== undefined) return false;
  return isPartOf(script.node, document.node, true);
}

/**
 * @param {DesignDocRecord} output
 * @param {DesignDocRecord} source of the same id
 * @returns {boolean} whether the output is JavaScript that a compiler made of the source: of one name, with the same members. The
 *   functions differ, as compilers spell them in their own way
 */
function isCompiledFrom(output, source) {
  const [compiled, written] = [output.file.path, source.file.path];
  if (dialectOf(compiled) !== 'javascript' || dialectOf(written) === 'javascript') return false;
  if (source.origin !== 'module' || basename(stemOf(output)) !== basename(stemOf(source))) return false;
  // Without an id they must stand beside each other.
  if (output.id === null && stemOf(output) !== stemOf(source)) return false;
  return outlineOf(output.node) === outlineOf(source.node);
}

/**
 * @param {ValueNode} node
 * @returns {string} the names of its members, and of theirs
 */
function outlineOf(node) {
  if (node.type !== 'object') return '';
  const members = [...membersOf(node, false)].map(([key, value]) => `${JSON.stringify(key)}:${outlineOf(value)}`);
  return `{${members.sort().join(',')}}`;
}

/**
 * @param {ValueNode} node
 * @param {ValueNode | undefined} whole
 * @param {boolean} [isDocument] whether `node` is the document
 * @returns {boolean} whether `whole` says all that `node` says, and what it leaves open
 */
function isPartOf(node, whole, isDocument = false) {
  if (whole === undefined || whole.type === 'unknown') return false;
  if (node.type === 'unknown') return textOf(whole) !== undefined;
  if (node.type === 'array' && whole.type === 'array') {
    return node.items.length === whole.items.length && node.items.every((item, at) => isPartOf(item, whole.items[at]));
  }
  if (node.type !== 'object' || whole.type !== 'object') return textOf(node, false) === textOf(whole, false);
  const known = membersOf(whole, isDocument);
  const open = new Set(node.entries.filter(({ isOpen }) => isOpen).map(({ key }) => key));
  // Of two that leave the same open neither is a copy of the other.
  if ((node.isOpen || open.size > 0) && textOf(whole, isDocument) === undefined) return false;
  return [...membersOf(node, isDocument)].every(([key, part]) => open.has(key) || isPartOf(part, known.get(key)));
}

/**
 * @param {ObjectNode} node
 * @param {boolean} isDocument then without id, revision and the usual language, which tools add, leave out or change
 * @returns {Map<string, ValueNode>} the last of equal keys, as it is the one that counts
 */
function membersOf({ entries }, isDocument) {
  const members = new Map(entries.map((entry) => [entry.key, entry.node]));
  if (!isDocument) return members;
  for (const key of ['_id', '_rev']) members.delete(key);
  const language = members.get('language');
  // As CouchDB takes a document without a language.
  if (language?.type === 'string' && language.value === 'javascript') members.delete('language');
  return members;
}

/**
 * @param {ValueNode} node
 * @param {boolean} [isWhole] whether it is the document
 * @returns {string | undefined} the same for equal values; undefined where one is not known
 */
function textOf(node, isWhole = true) {
  if (node.type === 'unknown') return undefined;
  if (node.type === 'array') return joined(node.items.map((item) => textOf(item, false)));
  if (node.type !== 'object') return node.type === 'null' ? 'null' : JSON.stringify(node.value);
  if (node.isOpen || node.entries.some(({ isOpen }) => isOpen)) return undefined;
  const members = membersOf(node, isWhole);
  const keys = [...members.keys()].sort();
  const parts = keys.map((key) => {
    const text = textOf(/** @type {ValueNode} */ (members.get(key)), false);
    return text === undefined ? undefined : `${JSON.stringify(key)}:${text}`;
  });
  const text = joined(parts);
  return text === undefined ? undefined : `{${text}}`;
}

/**
 * @param {(string | undefined)[]} parts
 * @returns {string | undefined}
 */
function joined(parts) {
  return parts.includes(undefined) ? undefined : `[${parts.join(',')}]`;
}
