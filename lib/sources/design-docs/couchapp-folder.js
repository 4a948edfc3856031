// Reads a couchapp folder as a design document: a file or folder for each member, as couchapp, erica, couchdb-compile
// and couchdb-push lay it out. Each value carries the file it came from.

import { posix } from 'node:path';
import { MappedText } from '../../shared/mapped-text.js';
import { SourceFile } from '../../shared/source-file.js';
import { UserError } from '../../shared/user-error.js';
import { member } from '../record.js';
import { expandMacros } from './couchapp-macros.js';
import { KNOWN_MEMBERS } from './couchapp-recognise.js';
import { joinPath, listSorted } from './couchapp-tree.js';
import { joinFunctionLines } from './function-lines.js';
import { entryOfName, textNode } from './text-nodes.js';
import { parseJsonTree } from './value-tree.js';

/** @import { Entry, ObjectNode, ReadError, ReadResult, StringNode, ValueNode } from '../record.js' */
/** @import { FileTree } from './couchapp-tree.js' */

/**
 * @typedef {object} CouchappOptions
 * @property {string} [name] the folder's name, where the path does not end in it (`.`)
 * @property {boolean} [isWhole] whether all that is in the folder belongs to the document; only the members that CouchDB and
 *   the tools know where false
 */

/** Endings of functions in other languages than JavaScript. */
const OTHER_LANGUAGES = new Map([
  ['.clj', 'Clojure'],
  ['.coffee', 'CoffeeScript'],
  ['.erl', 'Erlang'],
  ['.litcoffee', 'CoffeeScript'],
  ['.ls', 'LiveScript'],
  ['.lua', 'Lua'],
  ['.py', 'Python'],
  ['.rb', 'Ruby'],
  ['.ts', 'TypeScript'],
]);

/** Files that editors leave behind. They have the name of a member, too. */
const BACKUP = /~$|\.(?:bak|orig|rej|sw[op]|map)$/;

/** Limits against folders that lead into one another by links; the largest published couchapps have some hundred files. */
const MAX_FILES = 5000;
const MAX_DEPTH = 30;

/** @typedef {{tree: FileTree, files: SourceFile[], errors: ReadError[], foreign: Map<ValueNode, string>, isWhole: boolean}} Reading */

/**
 * @param {FileTree} tree
 * @param {string} path of the folder, as it is shown
 * @param {CouchappOptions} [options]
 * @returns {Promise<ReadResult & {files: SourceFile[]}>} one record, or none where the folder holds no text
 */
export async function readCouchappFolder(tree, path, options = {}) {
  const isWhole = options.isWhole ?? true;
  /** @type {Reading} */
  const reading = { tree, files: [], errors: [], foreign: new Map(), isWhole };
  const { files, errors } = reading;
  const idNode = await readId(reading, path);
  const entries = await readFolder(reading, path, 0);
  if (files.length >= MAX_FILES) {
    const message = `${path} contains more than ${MAX_FILES} files; the rest is not read`;
    errors.push({ code: 'couchapp-too-large', message, hint: 'use the folder of the design document itself' });
  }
  const file = (idNode ?? (entries.find(({ key }) => key === 'views') ?? entries[0])?.node)?.file;
  if (!file) return { records: [], errors, files };

  const folderName = options.name ?? posix.basename(path);
  const id = idNode?.value ?? `_design/${folderName}`;
  const idText = MappedText.opaque(id, file, 0, 0);
  /** @type {StringNode} */
  const idOfFolder = { type: 'string', file, start: 0, end: 0, value: id, text: idText };
  /** @type {ObjectNode} */
  const node = {
    type: 'object',
    file,
    start: 0,
    end: 0,
    entries: [entryOfName('_id', idNode ?? idOfFolder), ...entries],
  };
  dropOtherLanguages(node, reading.foreign);
  errors.push(...(await expandMacros(node, tree, path)));
  joinFunctionLines(node);
  const group = posix.dirname(path);
  const record = /** @type {const} */ ({ kind: 'design-doc', origin: 'couchapp', sameDatabase: false });
  return { records: [{ ...record, id, node, file, group }], errors, files };
}

/**
 * The id is the first line of `_id` (couchapp 1.0.2, localdoc.py get_id).
 * @param {Reading} reading
 * @param {string} path
 * @returns {Promise<StringNode | undefined>} undefined where there is no such file, or it is empty
 */
async function readId(reading, path) {
  const names = await reading.tree.list(path);
  if (!names.some(({ name, isFolder }) => name === '_id' && !isFolder)) return undefined;
  const file = await readText(reading, joinPath(path, '_id'));
  if (!file) return undefined;
  const lineEnd = file.text.trimStart().indexOf('\n');
  const start = file.text.length - file.text.trimStart().length;
  const node = textNode(file, start, lineEnd === -1 ? file.text.length : start + lineEnd);
  return node.value === '' ? undefined : node;
}

/**
 * @param {Reading} reading
 * @param {string} path
 * @param {number} depth
 * @returns {Promise<Entry[]>}
 */
async function readFolder(reading, path, depth) {
  if (depth > MAX_DEPTH) return [];
  /** The best file for each member: `map.js` is meant where `map.coffee` stands beside it. @type {Map<string, {rank: number, path: string, extension: string, isFolder: boolean}>} */
  const members = new Map();
  for (const { name, isFolder } of await listSorted(reading.tree, path)) {
    // The tools skip what begins with a dot, and at the top over what begins with an underscore.
    const isSpecial = name.startsWith('.') || (depth === 0 && name.startsWith('_')) || name === '_attachments';
    if (isSpecial || (isFolder ? name === 'node_modules' : BACKUP.test(name))) continue;
    const extension = isFolder ? '' : posix.extname(name);
    const key = name.slice(0, name.length - extension.length);
    if (depth === 0 && !reading.isWhole && !KNOWN_MEMBERS.has(key)) continue;
    const rank = isFolder ? 0 : rankOf(extension);
    const known = members.get(key);
    if (!known || rank < known.rank) members.set(key, { rank, path: joinPath(path, name), extension, isFolder });
  }
  /** @type {Entry[]} */
  const entries = [];
  for (const [key, item] of members) {
    if (reading.files.length >= MAX_FILES) break;
    const node = item.isFolder
      ? folderNode(await readFolder(reading, item.path, depth + 1))
      : await readMember(reading, item.path, item.extension);
    if (node) entries.push(entryOfName(key, node));
  }
  return entries;
}

/**
 * @param {string} extension
 * @returns {number} lower for what is more likely meant, where two files give one member
 */
function rankOf(extension) {
  if (extension === '.js') return 1;
  if (extension === '') return 2;
  return extension === '.json' ? 3 : 4;
}

/**
 * @param {Entry[]} entries
 * @returns {ObjectNode | undefined} undefined for a folder without files, which is nowhere
 */
function folderNode(entries) {
  const [first] = entries;
  return first && { type: 'object', file: first.node.file, start: 0, end: 0, entries };
}

/**
 * @param {Reading} reading
 * @param {string} path
 * @param {string} extension
 * @returns {Promise<ValueNode | undefined>} undefined where the file is no text
 */
async function readMember(reading, path, extension) {
  const errors = reading.errors.length;
  const file = await readText(reading, path);
  if (!file) {
    const unread = { file: new SourceFile(path, ''), start: 0, end: 0, reason: `${path} cannot be read` };
    return reading.errors.length > errors ? { type: 'unknown', ...unread } : undefined;
  }
  if (extension === '.json') {
    const { node, errors } = parseJsonTree(file);
    reading.errors.push(...errors);
    return node ?? { type: 'unknown', file, start: 0, end: file.text.length, reason: `${path} is not valid JSON` };
  }
  const node = textNode(file, 0, file.text.length);
  const language = OTHER_LANGUAGES.get(extension);
  if (language) reading.foreign.set(node, language);
  return node;
}

/**
 * @param {Reading} reading
 * @param {string} path
 * @returns {Promise<SourceFile | undefined>} undefined where there is no text; then an error says so, but for pictures and
 *   the like
 */
async function readText(reading, path) {
  try {
    const file = await reading.tree.read(path);
    reading.files.push(file);
    return file;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const { code, message, place, hint } = error;
    if (code !== 'binary-file') reading.errors.push({ code, message, place, hint });
    return undefined;
  }
}

/**
 * The tools push functions of any language as they are, and `language` says what they are. Where it names JavaScript, or
 * nothing, an Erlang function is no JavaScript for all that.
 * @param {ObjectNode} designDoc changed in place
 * @param {Map<ValueNode, string>} foreign nodes of files in other languages
 */
function dropOtherLanguages(designDoc, foreign) {
  const language = member(designDoc, 'language');
  if (language?.type === 'string' && language.value !== '' && !language.value.startsWith('javascript')) return;
  if (foreign.size === 0) return;
  /** @type {ObjectNode[]} */
  const folders = [designDoc];
  for (const folder of folders) {
    for (const item of folder.entries) {
      const name = foreign.get(item.node);
      const { file, start, end } = item.node;
      if (name) item.node = { type: 'unknown', file, start, end, reason: `it is written in ${name}, not JavaScript` };
      else if (item.node.type === 'object') folders.push(item.node);
    }
  }
}
