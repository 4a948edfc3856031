// Reads and writes files of the cache folder. A file is read only if this user wrote it and it is complete; what cannot be read counts as absent, and
// what cannot be written is no fault. The folder may be shared, or made by somebody else.

import { closeSync, existsSync, lstatSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { openFile, readOpened } from '../../files/open-file.js';
import { hashText } from '../../shared/hash-text.js';

/** Others may not write into it. */
const WRITABLE_BY_OTHERS = 0o022;
/** In such a folder only the owner of a file may rename or remove it. */
const STICKY = 0o1000;
/** Of the cache folder. */
export const FOLDER_MODE = 0o700;

/** The user that this process runs as; undefined on Windows, where files have no such owner. */
const user = process.getuid?.();

/**
 * @param {string} file
 * @param {number | undefined} [owner] who must have written it
 * @returns {string | undefined} undefined where it is not there, or others may have written it
 */
export function readOwnFile(file, owner = user) {
  return readOwnBytes(file, owner)?.toString('utf8');
}

/**
 * @param {string} file
 * @param {number | undefined} [owner] who must have written it
 * @returns {Buffer | undefined} undefined where it is not there, or others may have written it
 */
export function readOwnBytes(file, owner = user) {
  let opened;
  try {
    opened = openFile(file, { followsLinks: false });
    const { uid, mode } = opened.stats;
    return owner === undefined || (uid === owner && (mode & WRITABLE_BY_OTHERS) === 0) ? readOpened(opened) : undefined;
  } catch {
    return undefined;
  } finally {
    if (opened) closeSync(opened.handle);
  }
}

/**
 * @param {string} file is replaced as a whole: two runs may write it at once
 * @param {string | Buffer} content
 * @returns {boolean} whether it is written
 */
export function writeOwnFile(file, content) {
  // A name of its own. In a folder where others may make links, `wx` makes a new file or none.
  const temporary = `${file}.${process.pid}-${Math.random().toString(36).slice(2)}.tmp`;
  try {
    makeFolder(path.dirname(file), FOLDER_MODE);
    writeFileSync(temporary, content, { flag: 'wx', mode: 0o600 });
    renameSync(temporary, file);
    return true;
  } catch {
    discard(temporary);
    return false;
  }
}

/**
 * Makes a folder and those above it. Node's own `recursive` never ends where a file system answers that a folder is missing, whatever is made before it,
 * as /proc does (tried with 20.20).
 * @param {string} folder
 * @param {number} mode of those that are made
 * @throws {Error} where it cannot be made
 */
export function makeFolder(folder, mode) {
  const make = () => mkdirSync(folder, { mode });
  try {
    make();
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code === 'EEXIST') return;
    const parent = path.dirname(folder);
    if (code !== 'ENOENT' || parent === folder) throw error;
    makeFolder(parent, mode);
    if (!existsSync(folder)) make();
  }
}

/**
 * @param {string} folder
 * @param {number | undefined} [owner] whose it must be
 * @returns {boolean} whether it is there, and neither it nor a folder above it can be written or replaced by others, or is that of a repository: its files
 * belong to this user, but others wrote them
 */
export function makeOwnFolder(folder, owner = user) {
  try {
    const isOfOthers =
      !path.isAbsolute(folder) || foldersAbove(folder).some((above) => existsSync(path.join(above, '.git')));
    if (isOfOthers) return false;
    makeFolder(folder, FOLDER_MODE);
    if (owner === undefined) return true;
    const stats = lstatSync(folder);
    const isOwn = stats.isDirectory() && stats.uid === owner && (stats.mode & WRITABLE_BY_OTHERS) === 0;
    return isOwn && foldersAbove(folder).every((above) => isSafe(above, owner));
  } catch {
    return false;
  }
}

/**
 * @param {string} folder
 * @param {number} owner
 * @returns {boolean} whether others can rename nothing in it
 */
function isSafe(folder, owner) {
  const { uid, mode } = statSync(folder);
  return (uid === owner || uid === 0) && ((mode & WRITABLE_BY_OTHERS) === 0 || (mode & STICKY) !== 0);
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function foldersAbove(folder) {
  const parent = path.dirname(folder);
  return parent === folder ? [] : [parent, ...foldersAbove(parent)];
}

/** @param {string} file that may be there */
function discard(file) {
  try {
    rmSync(file, { force: true });
  } catch {
    // What cannot be written to cannot be removed either.
  }
}

/**
 * A value that is noticed when a part of it is lost or changed by accident.
 * @param {string} tool version of the program; values of other versions are not used
 * @param {unknown} value
 * @returns {string}
 */
export function seal(tool, value) {
  const content = JSON.stringify(value);
  return JSON.stringify({ tool, check: hashText(`${tool} ${content}`), content });
}

/**
 * @param {string} tool
 * @param {string | undefined} text
 * @returns {any} the value; undefined where it is damaged, or was written by another version
 */
export function unseal(tool, text) {
  try {
    const { tool: writer, check, content } = JSON.parse(text ?? '');
    return writer === tool && check === hashText(`${tool} ${content}`) ? JSON.parse(content) : undefined;
  } catch {
    return undefined;
  }
}
