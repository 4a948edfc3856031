// Gives access to files and folders on disk by the paths that are shown to people. Reads each file once. Follows a link
// only to what lies inside the project, and never in a circle.

import { readdirSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { mayRead } from '../files/confinement.js';
import { isWithin, linkTarget, projectAround } from '../files/links.js';
import { fault, MAX_STRING_LENGTH, OUTSIDE, readFile, unreadable } from '../files/open-file.js';
import { SourceFile } from '../shared/source-file.js';
import { UserError } from '../shared/user-error.js';
import { joinPath } from './design-docs/couchapp-tree.js';
import { decodeText } from './read-text.js';

/** @import { Dirent } from 'node:fs' */
/** @import { TreeEntry } from './design-docs/couchapp-tree.js' */

/** Larger files that nobody named are data, not design documents. */
export const MAX_FOUND_BYTES = 64 * 1024 * 1024;

export class DiskTree {
  /** @type {Map<string, SourceFile | UserError>} */
  #files = new Map();
  /** @type {Map<string, Dirent[] | Error>} */
  #folders = new Map();
  /** Folders that links may lead into, without links. @type {Set<string>} */
  #roots = new Set();
  /** What the user named. @type {Set<string>} */
  #named = new Set();

  /** @param {string} cwd absolute path of the working directory, which paths are relative to */
  constructor(cwd) {
    this.cwd = cwd;
  }

  /**
   * Lets links lead into the project of a path of the command line or the configuration.
   * @param {string} shown
   * @param {boolean} [isNamed] whether the user named it: then it may be a pipe, and larger than what is merely found
   * @returns {boolean} whether it is a folder
   * @throws the error of the file system
   */
  enterProject(shown, isNamed = false) {
    if (isNamed) this.#named.add(shown);
    const isFolder = this.isFolder(shown);
    const absolute = this.absolute(shown);
    // Hooks name what a commit brings: a link that is named may be somebody else's.
    const isLink = linkTarget(this.cwd, absolute) !== undefined;
    const around = isFolder ? absolute : path.dirname(absolute);
    this.#roots.add(projectAround(isLink || (!isFolder && isWithin(this.cwd, absolute)) ? this.cwd : around));
    return isFolder;
  }

  /** @returns {string[]} the folders that were looked into, and those of the files that were read, absolute */
  get folders() {
    const ofFiles = [...this.#files.keys()].map((file) => path.dirname(file));
    return [...new Set([...this.#folders.keys(), ...ofFiles])].map((folder) => this.absolute(folder));
  }

  /**
   * @param {string} shown
   * @returns {string}
   */
  absolute(shown) {
    return path.resolve(this.cwd, shown);
  }

  /**
   * @param {string} absolutePath
   * @returns {string} relative to the working directory, with forward slashes
   */
  shown(absolutePath) {
    const relative = path.relative(this.cwd, absolutePath);
    return relative === '' ? '.' : relative.split(path.sep).join('/');
  }

  /**
   * @param {string} folder
   * @returns {Dirent[]} what the folder holds, in the order of names
   * @throws the error of the file system
   */
  entries(folder) {
    let known = this.#folders.get(folder);
    if (!known) {
      try {
        const absolute = this.absolute(folder);
        if (!mayRead(absolute)) throw fault(OUTSIDE);
        known = readdirSync(absolute, { withFileTypes: true });
        known.sort((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)));
      } catch (error) {
        known = /** @type {Error} */ (error);
      }
      this.#folders.set(folder, known);
    }
    if (known instanceof Error) throw known;
    return known;
  }

  /**
   * @param {string} folder
   * @returns {TreeEntry[]} links followed, but for those that lead to a folder above; reading what is no regular file gives the error; empty where the
   *   folder cannot be read
   */
  list(folder) {
    try {
      return this.entries(folder).flatMap((item) => {
        if (item.isSymbolicLink()) return this.#followLink(folder, item.name);
        return [{ name: item.name, isFolder: item.isDirectory() }];
      });
    } catch {
      return [];
    }
  }

  /**
   * @param {string} shown
   * @returns {SourceFile}
   * @throws {UserError}
   */
  read(shown) {
    let known = this.#files.get(shown);
    if (!known) {
      try {
        known = new SourceFile(shown, decodeText(this.bytes(shown), shown));
      } catch (error) {
        if (!(error instanceof UserError)) throw error;
        known = error;
      }
      this.#files.set(shown, known);
    }
    if (known instanceof UserError) throw known;
    return known;
  }

  /**
   * @param {string} shown
   * @returns {Buffer}
   * @throws {UserError}
   */
  bytes(shown) {
    const absolute = this.absolute(shown);
    const isNamed = this.#named.has(shown);
    const maxBytes = isNamed ? MAX_STRING_LENGTH : MAX_FOUND_BYTES;
    try {
      // A shell hands over the output of a command behind links of its own.
      const real = isNamed && statSync(absolute).isFIFO() ? undefined : linkTarget(this.cwd, absolute);
      if (real !== undefined && !this.#isInside(real)) throw linkOutside(shown);
      return readFile(real ?? absolute, { isNamed, maxBytes });
    } catch (error) {
      throw error instanceof UserError ? error : unreadable(shown, error);
    }
  }

  /**
   * @param {string} shown
   * @returns {number} in bytes
   * @throws the error of the file system
   */
  size(shown) {
    return statSync(this.absolute(shown)).size;
  }

  /**
   * @param {string} shown
   * @returns {boolean} links followed
   * @throws the error of the file system
   */
  isFolder(shown) {
    return statSync(this.absolute(shown)).isDirectory();
  }

  /**
   * @param {string[]} paths of the disk that match a pattern, as they are shown
   * @param {string} _pattern
   * @returns {string[]} those that this tree has
   */
  matching(paths, _pattern) {
    return paths;
  }

  /**
   * @param {string} shown
   * @returns {SourceFile | undefined} the file, if it was read before
   */
  known(shown) {
    const file = this.#files.get(shown);
    return file instanceof UserError ? undefined : file;
  }

  /** @param {SourceFile} file whose text is used instead of what the disk has: an editor's, on standard input */
  remember(file) {
    this.#files.set(file.path, file);
  }

  /**
   * @param {string} folder
   * @param {string} name
   * @returns {TreeEntry[]}
   */
  #followLink(folder, name) {
    const target = this.absolute(joinPath(folder, name));
    try {
      const stats = statSync(target);
      if (!stats.isDirectory()) return [{ name, isFolder: false }];
      const real = realpathSync(target);
      // Reading it gives the error.
      if (!this.#isInside(real)) return [{ name, isFolder: false }];
      for (let above = this.absolute(folder); ; above = path.dirname(above)) {
        if (realpathSync(above) === real) return [];
        if (above === path.dirname(above)) return [{ name, isFolder: true }];
      }
    } catch {
      // A link to nowhere.
      return [];
    }
  }

  /** @param {string} real @returns {boolean} */
  #isInside(real) {
    return [...this.#roots].some((root) => isWithin(root, real));
  }
}

/** @param {string} shown @returns {UserError} */
function linkOutside(shown) {
  return new UserError('link-outside', `${shown} is a link to outside of the project, which is not followed`, {
    place: { file: shown, line: 1, column: 1 },
    hint: 'name the file that it leads to, copy it into the project, or exclude the link with `exclude` in the configuration',
  });
}
