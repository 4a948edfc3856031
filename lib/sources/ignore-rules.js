// Decides whether a path is left out of discovery, by `.gitignore` files and the project's own exclusions. Reads only
// those files from disk, and needs no git.

import { existsSync } from 'node:fs';
import path from 'node:path';
import { readTextFile, reasonOf } from '../files/open-file.js';

/** @import { Ignore } from 'ignore' */

/** @typedef {{folder: string, rules: Ignore}} RuleFile `folder`: absolute path that the patterns are relative to */

/** @typedef {{patterns: string[], folder: string}} Exclusion in the form of `.gitignore`, relative to an absolute folder */

/** Why a path is skipped that the project itself excludes. */
export const EXCLUDED = 'excluded by the configuration';

/** Each line of it becomes a regular expression. */
const MAX_BYTES = 1024 * 1024;

export class IgnoreRules {
  /** From the outermost folder inwards. @type {RuleFile[]} */
  #files = [];
  /** @type {(absolutePath: string, isFolder: boolean) => boolean} */
  #isExcluded = () => false;
  /** Files of rules that could not be read. @type {{file: string, reason: string}[]} */
  unread = [];

  /**
   * @param {string} cwd absolute
   * @param {string} folder absolute path of the folder where discovery begins
   * @param {Exclusion[]} exclude
   * @returns {Promise<IgnoreRules>}
   */
  static async create(cwd, folder, exclude) {
    const rules = new IgnoreRules();
    rules.#isExcluded = await createExclusion(exclude);
    const root = findRoot(folder, cwd);
    await rules.#add(root, path.join(root, '.git', 'info', 'exclude'));
    for (const above of foldersBetween(root, folder)) await rules.enter(above);
    // Who names an ignored folder wants it read: then only the rules inside it count.
    if (folder !== root && rules.#isGitIgnored(folder, true)) rules.#files = [];
    return rules;
  }

  /**
   * Reads the folder's own `.gitignore`; folders are entered from the outside in.
   * @param {string} folder absolute
   */
  async enter(folder) {
    await this.#add(folder, path.join(folder, '.gitignore'));
  }

  /** @param {string} folder absolute; forgets the rules of this folder */
  leave(folder) {
    while (this.#files.length > 0 && this.#files.at(-1)?.folder === folder) this.#files.pop();
  }

  /**
   * @param {string} absolutePath
   * @param {boolean} isFolder
   * @returns {string | undefined} the reason why it is left out
   */
  reasonFor(absolutePath, isFolder) {
    if (this.#isExcluded(absolutePath, isFolder)) return EXCLUDED;
    return this.#isGitIgnored(absolutePath, isFolder) ? 'ignored by .gitignore' : undefined;
  }

  /**
   * @param {string} absolutePath
   * @param {boolean} isFolder
   * @returns {boolean}
   */
  #isGitIgnored(absolutePath, isFolder) {
    // The rules of the innermost folder have the last word (gitignore(5)).
    for (const { folder, rules } of this.#files.toReversed()) {
      const relative = relativePath(folder, absolutePath);
      if (!relative) continue;
      const { ignored, unignored } = rules.test(isFolder ? `${relative}/` : relative);
      if (ignored || unignored) return ignored;
    }
    return false;
  }

  /**
   * @param {string} folder
   * @param {string} file
   */
  async #add(folder, file) {
    let text;
    try {
      // Git follows no link here either (gitignore(5)).
      text = readTextFile(file, { followsLinks: false, maxBytes: MAX_BYTES });
    } catch (error) {
      const reason = reasonOf(error);
      // In a worktree or submodule `.git` is a file.
      if (reason !== 'ENOENT' && reason !== 'ENOTDIR') this.unread.push({ file, reason });
      return;
    }
    this.#files.push({ folder, rules: (await createIgnore()).add(text) });
  }
}

/**
 * @param {Exclusion[]} exclude
 * @returns {Promise<(absolutePath: string, isFolder: boolean) => boolean>} whether a path is excluded by one of them
 */
export async function createExclusion(exclude) {
  /** @type {RuleFile[]} */
  const files = [];
  for (const { patterns, folder } of exclude) {
    if (patterns.length > 0) files.push({ folder, rules: (await createIgnore()).add(patterns) });
  }
  return (absolutePath, isFolder) =>
    files.some(({ folder, rules }) => {
      const relative = relativePath(folder, absolutePath);
      return relative !== undefined && rules.ignores(isFolder ? `${relative}/` : relative);
    });
}

/** @returns {Promise<Ignore>} */
async function createIgnore() {
  const { default: ignore } = await import('ignore');
  return ignore({ ignorecase: false });
}

/**
 * @param {string} folder absolute
 * @param {string} cwd absolute
 * @returns {string} the root of the checkout that the folder is in; without one the working directory, or the folder
 *   where it lies outside of that
 */
function findRoot(folder, cwd) {
  for (let above = folder; ; above = path.dirname(above)) {
    if (existsSync(path.join(above, '.git'))) return above;
    if (above === path.dirname(above)) break;
  }
  return folder === cwd || relativePath(cwd, folder) ? cwd : folder;
}

/**
 * @param {string} root absolute
 * @param {string} folder absolute, the root or below it
 * @returns {string[]} the folders from the root down to the one above `folder`
 */
function foldersBetween(root, folder) {
  /** @type {string[]} */
  const folders = [];
  for (let above = folder; above !== root; ) {
    above = path.dirname(above);
    folders.unshift(above);
  }
  return folders;
}

/**
 * @param {string} folder absolute
 * @param {string} absolutePath
 * @returns {string | undefined} with forward slashes; undefined where it does not lie below the folder
 */
function relativePath(folder, absolutePath) {
  const relative = path.relative(folder, absolutePath);
  if (relative === '' || path.isAbsolute(relative)) return undefined;
  if (relative === '..' || relative.startsWith(`..${path.sep}`)) return undefined;
  return relative.split(path.sep).join('/');
}
