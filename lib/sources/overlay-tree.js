// Shows the disk with some files in another version: those of another state of the checkout, or those of the git index.
// The versions are passed in.

import { isAbsolute, posix } from 'node:path';
import { matchesGlob } from '../shared/glob.js';
import { joinPath } from './design-docs/couchapp-tree.js';
import { DiskTree } from './disk-tree.js';

/** @import { Dirent } from 'node:fs' */

/**
 * @typedef {object} Overlay Paths are relative to the working directory, with forward slashes.
 * @property {ReadonlyMap<string, Buffer>} files what replaces the contents on disk
 * @property {ReadonlySet<string>} absent files that are not there; a folder where it ends in a slash
 */

export class OverlayTree extends DiskTree {
  /** Names of what is laid over each folder; true for folders. @type {Map<string, Map<string, boolean>>} */
  #added = new Map();
  /** @type {Overlay} */
  #overlay;

  /**
   * @param {string} cwd absolute
   * @param {Overlay} overlay
   */
  constructor(cwd, overlay) {
    super(cwd);
    this.#overlay = overlay;
    for (const file of overlay.files.keys()) this.#addNames(file);
  }

  /**
   * @override
   * @param {string} folder
   * @returns {Dirent[]}
   */
  entries(folder) {
    const added = this.#added.get(folder);
    const onDisk = this.#entriesOfDisk(folder, added !== undefined).filter((item) => {
      const path = joinPath(folder, item.name);
      if (item.isDirectory()) return !this.#overlay.absent.has(`${path}/`) && added?.get(item.name) !== false;
      return !this.#overlay.absent.has(path) && !added?.has(item.name);
    });
    const names = new Set(onDisk.map(({ name }) => name));
    const others = [...(added ?? [])].filter(([name]) => !names.has(name));
    const entries = [...onDisk, ...others.map(([name, isFolder]) => entryOf(name, isFolder))];
    return entries.sort((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)));
  }

  /**
   * @override
   * @param {string} shown
   * @returns {Buffer}
   */
  bytes(shown) {
    return this.#overlay.files.get(shown) ?? super.bytes(shown);
  }

  /**
   * @override
   * @param {string} shown
   * @returns {number}
   */
  size(shown) {
    return this.#overlay.files.get(shown)?.length ?? super.size(shown);
  }

  /**
   * @override
   * @param {string} shown
   * @returns {boolean}
   */
  isFolder(shown) {
    if (this.#overlay.files.has(shown)) return false;
    if (this.#added.has(shown)) return true;
    if (!this.#overlay.absent.has(shown)) return super.isFolder(shown);
    throw Object.assign(new Error(`${shown} is not there`), { code: 'ENOENT' });
  }

  /**
   * @override
   * @param {string[]} paths
   * @param {string} pattern
   * @returns {string[]}
   */
  matching(paths, pattern) {
    const { files, absent } = this.#overlay;
    const onDisk = paths.filter(
      (path) => !absent.has(path) && !foldersOf(path).some((folder) => absent.has(`${folder}/`)),
    );
    return [
      ...new Set([...onDisk, ...[...files.keys()].filter((path) => matchesGlob(path, posix.normalize(pattern)))]),
    ];
  }

  /**
   * @param {string} folder
   * @param {boolean} mayBeAbsent whether it may be there in this tree alone
   * @returns {Dirent[]}
   */
  #entriesOfDisk(folder, mayBeAbsent) {
    if (this.#overlay.absent.has(`${folder}/`)) return [];
    try {
      return super.entries(folder);
    } catch (error) {
      if (mayBeAbsent) return [];
      throw error;
    }
  }

  /** @param {string} file */
  #addNames(file) {
    let inner = file;
    for (const folder of foldersOf(file)) {
      const names = this.#added.get(folder) ?? new Map();
      this.#added.set(folder, names.set(posix.basename(inner), inner !== file));
      inner = folder;
    }
  }
}

/** @param {string} path @returns {string[]} the folders it is in, from the innermost outwards */
function foldersOf(path) {
  const folders = [];
  for (let folder = posix.dirname(path); ; folder = posix.dirname(folder)) {
    folders.push(folder);
    if (folder === '.' || isAbsolute(folder) || posix.basename(folder) === '..') return folders;
  }
}

/**
 * @param {string} name
 * @param {boolean} isFolder
 * @returns {Dirent}
 */
function entryOf(name, isFolder) {
  const entry = {
    name,
    isDirectory: () => isFolder,
    isFile: () => !isFolder,
    isSymbolicLink: () => false,
  };
  // Callers that list folders need no more than this.
  return /** @type {Dirent} */ (/** @type {unknown} */ (entry));
}
