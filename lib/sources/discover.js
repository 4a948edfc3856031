// Searches a folder for what may hold design documents, indexes or settings: couchapp folders, and single files by
// their names and a look at their texts. Follows no links and reports what it skips.

import { isClientItself } from '../clients/index.js';
import { unreadable } from '../files/open-file.js';
import { scriptsOf } from '../javascript/parse.js';
import { SourceFile } from '../shared/source-file.js';
import { UserError } from '../shared/user-error.js';
import { belongsToCouchapp, holdsFunctions, recogniseCouchapp } from './design-docs/couchapp-recognise.js';
import { joinPath } from './design-docs/couchapp-tree.js';
import { MAX_FOUND_BYTES } from './disk-tree.js';
import { foreignClient, mayBeForeign } from './foreign-clients.js';
import { IgnoreRules } from './ignore-rules.js';
import { MAX_CODE_LENGTH, TOO_MUCH_CODE } from './open-application.js';
import {
  isBuilt,
  isCode,
  isMinified,
  isTestCode,
  kindByName,
  mayBeSource,
  mayHoldCalls,
  mayMatter,
} from './read-file.js';
import { decodeText, isBinary, isUtf16 } from './read-text.js';
import { isRecording, RECORDED } from './record.js';
import { hashOf, MARK_FILE, MAX_MARK_BYTES, readMark, WRITTEN } from './written-files.js';

/** @import { Dirent } from 'node:fs' */
/** @import { DiskTree } from './disk-tree.js' */
/** @import { Exclusion } from './ignore-rules.js' */
/** @import { ReadError } from './record.js' */

/** @typedef {{path: string, reason: string}} Note something that was skipped, and why */
/** @typedef {{path: string, isWhole: boolean}} CouchappPath */
/** Collects code: a project may have 100 MB of it, so no text of it is kept here. @typedef {{add(path: string, text: string): void}} CodeCollector */

/**
 * @typedef {object} Discovered
 * @property {CouchappPath[]} couchapps
 * @property {SourceFile[]} files that are worth reading
 * @property {boolean} hasCode whether code was added that may call a client of CouchDB, or give one to other code
 * @property {ReadError[]} errors
 * @property {Note[]} notes
 * @property {Note[]} [passed] what is no source as a matter of course, with `--debug`
 * @property {string} [start] the folder that is searched
 * @property {Map<string, string>} [written] hashes of what `advise --write` wrote, by path
 */

const NO_SOURCE_NAME = 'not a supported file name';
const NO_SOURCE_TEXT = 'no sign of a design document, Mango index or CouchDB configuration';

/** Folders of installed packages and of version control. */
const SKIPPED_FOLDERS = new Map([
  ['node_modules', 'installed packages'],
  ['bower_components', 'installed packages'],
  ['jspm_packages', 'installed packages'],
  ['.git', undefined],
  ['.hg', undefined],
  ['.svn', undefined],
]);

/**
 * @param {DiskTree} tree
 * @param {string} folder as it is shown
 * @param {{exclude: Exclusion[], passed: Note[] | undefined}} options `passed` gets what is no source as a matter of course
 * @param {CodeCollector} code
 * @returns {Promise<Discovered>} in the order of the paths
 */
export async function discover(tree, folder, { exclude, passed }, code) {
  const rules = await IgnoreRules.create(tree.cwd, tree.absolute(folder), exclude);
  /** @type {Discovered} */
  const found = {
    couchapps: [],
    files: [],
    hasCode: false,
    errors: [],
    notes: [],
    passed,
    start: folder,
    written: new Map(),
  };
  await walk(tree, folder, rules, found, code);
  const noted = new Set(found.notes.map(({ path }) => path));
  for (const { file, reason } of rules.unread) {
    if (!noted.has(tree.shown(file))) found.notes.push({ path: tree.shown(file), reason });
  }
  return found;
}

/**
 * @param {DiskTree} tree
 * @param {string} folder
 * @param {IgnoreRules} rules
 * @param {Discovered} found added to
 * @param {CodeCollector} code
 */
async function walk(tree, folder, rules, found, code) {
  const absolute = tree.absolute(folder);
  /** @type {Dirent[]} */
  let entries;
  try {
    entries = tree.entries(folder);
  } catch (error) {
    found.errors.push(toReadError(unreadable(folder, error)));
    return;
  }
  const couchapp = await recogniseCouchapp(tree, folder, absolute);
  if (couchapp) found.couchapps.push({ path: folder, isWhole: couchapp.isWhole });
  if (couchapp?.isWhole) {
    await walkCode(tree, folder, entries, rules, found, code);
    return;
  }

  // Who names the folder wants to see what was written there.
  const isNamed = folder === found.start && folder !== '.';
  if (!isNamed && entries.some((item) => item.name === MARK_FILE && item.isFile())) addWritten(tree, folder, found);
  await rules.enter(absolute);
  for (const item of entries) {
    const { name } = item;
    const path = joinPath(folder, name);
    const isFolder = item.isDirectory();
    if (couchapp && belongsToCouchapp(couchapp, name)) continue;
    if (isFolder && SKIPPED_FOLDERS.has(name)) {
      const reason = SKIPPED_FOLDERS.get(name);
      if (reason) found.notes.push({ path, reason });
      continue;
    }
    if (name === MARK_FILE) continue;
    if (!isFolder && !item.isSymbolicLink() && !mayBeSource(name) && !mayBeForeign(name)) {
      found.passed?.push({ path, reason: NO_SOURCE_NAME });
      continue;
    }
    const reason = kindOf(item) ?? rules.reasonFor(tree.absolute(path), isFolder);
    if (reason) found.notes.push({ path, reason });
    else if (isFolder) await walk(tree, path, rules, found, code);
    else await look(tree, path, found, code);
  }
  rules.leave(absolute);
}

/**
 * Collects the code of a couchapp that is no function of the design document: what runs in the browser, and programs beside it.
 * @param {DiskTree} tree
 * @param {string} folder of the couchapp, or its `vendor`
 * @param {Dirent[]} entries of it
 * @param {IgnoreRules} rules
 * @param {Discovered} found added to
 * @param {CodeCollector} code
 */
async function walkCode(tree, folder, entries, rules, found, code) {
  const absolute = tree.absolute(folder);
  await rules.enter(absolute);
  const collected = { ...found, couchapps: [], files: [] };
  for (const item of entries) {
    const { name } = item;
    const path = joinPath(folder, name);
    if (kindOf(item) || holdsFunctions(name) || rules.reasonFor(tree.absolute(path), item.isDirectory())) continue;
    if (name === 'vendor' && item.isDirectory()) await walkCode(tree, path, tree.entries(path), rules, collected, code);
    else if (item.isDirectory() && !SKIPPED_FOLDERS.has(name)) await walk(tree, path, rules, collected, code);
    else if (item.isFile() && isCode(name)) await look(tree, path, collected, code);
  }
  found.hasCode = collected.hasCode;
  rules.leave(absolute);
}

/**
 * @param {DiskTree} tree
 * @param {string} folder with a mark
 * @param {Discovered} found added to
 */
function addWritten(tree, folder, { written }) {
  const mark = joinPath(folder, MARK_FILE);
  try {
    if (tree.size(mark) > MAX_MARK_BYTES) return;
    for (const [path, hash] of readMark(tree.bytes(mark).toString('utf8'))) written?.set(joinPath(folder, path), hash);
  } catch {
    // Without it they are sources.
  }
}

/** @param {Dirent} item @returns {string | undefined} why it is not looked into, whatever it is called */
function kindOf(item) {
  if (item.isSymbolicLink()) return 'a symbolic link';
  return item.isDirectory() || item.isFile() ? undefined : 'not a regular file';
}

/**
 * Looks into a file that nobody named.
 * @param {DiskTree} tree
 * @param {string} path
 * @param {Omit<Discovered, 'couchapps'>} found added to
 * @param {CodeCollector} code
 */
export async function look(tree, path, found, code) {
  const kind = kindByName(path);
  const mayCall = isCode(path);
  const isForeign = mayBeForeign(path);
  if (!kind && !mayCall && !isForeign) {
    found.passed?.push({ path, reason: NO_SOURCE_NAME });
    return;
  }
  try {
    const known = tree.known(path);
    if (known) {
      if (mayCall) {
        code.add(path, known.text);
        found.hasCode = true;
      }
      if (kind && (await mayMatter(kind, known.text))) found.files.push(known);
      else found.passed?.push({ path, reason: NO_SOURCE_TEXT });
      return;
    }
    const size = tree.size(path);
    if (size > MAX_FOUND_BYTES) {
      found.notes.push({ path, reason: `larger than ${MAX_FOUND_BYTES / 1024 / 1024} MB; pass its path to read it` });
      return;
    }
    const bytes = tree.bytes(path);
    if (isUtf16(bytes) || isBinary(bytes)) {
      found.notes.push({ path, reason: isUtf16(bytes) ? 'UTF-16 text; only UTF-8 is read' : 'a binary file' });
      return;
    }
    // Whatever the encoding: the words that are looked for are ASCII.
    const text = bytes.toString('utf8');
    const written = found.written?.get(path);
    if (written !== undefined && written === hashOf(text)) {
      found.notes.push({ path, reason: WRITTEN });
      return;
    }
    const foreign = isForeign ? foreignClient(path, text) : undefined;
    if (foreign) {
      found.notes.push({ path, reason: foreign });
      return;
    }
    if (mayCall && mayHoldCalls(scriptsOf(text, path)) && isWorthReading(path, text, found)) {
      code.add(path, text);
      found.hasCode = true;
    }
    if (!kind || !(await mayMatter(kind, text))) found.passed?.push({ path, reason: NO_SOURCE_TEXT });
    else if (isRecording(text)) found.notes.push({ path, reason: RECORDED });
    else if (kind === 'module' && isMinified(path, text)) found.notes.push({ path, reason: 'minified code' });
    else if (kind === 'module' && isTestCode(path))
      found.notes.push({ path, reason: 'test code; pass its path to read it' });
    else found.files.push(new SourceFile(path, decodeText(bytes, path, text)));
  } catch (error) {
    found.errors.push(toReadError(error instanceof UserError ? error : unreadable(path, error)));
  }
}

/**
 * @param {string} path
 * @param {string} text
 * @param {Pick<Discovered, 'notes' | 'passed'>} found added to
 * @returns {boolean} whether its calls are worth reading
 */
function isWorthReading(path, text, { notes, passed }) {
  if (isTestCode(path)) return false;
  if (text.length > MAX_CODE_LENGTH) notes.push({ path, reason: TOO_MUCH_CODE });
  else if (isBuilt(path, text))
    passed?.push({ path, reason: 'built from other code; pass its path to read its calls' });
  else if (isClientItself(text))
    passed?.push({ path, reason: 'a copy of a client library; pass its path to read its calls' });
  else return !isMinified(path, text);
  return false;
}

/**
 * @param {UserError} error
 * @returns {ReadError}
 */
function toReadError({ code, message, place, hint }) {
  return { code, message, place, hint };
}

/**
 * @param {Note[]} notes
 * @returns {Note[]} each once, in the order of paths: a recording is met by discovery and among loads
 */
export function sortedNotes(notes) {
  const byText = new Map(notes.map((note) => [`${note.path}\n${note.reason}`, note]));
  return [...byText.values()].sort((one, other) => (one.path < other.path ? -1 : Number(one.path > other.path)));
}
