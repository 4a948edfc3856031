// Reads which versions of packages the nearest package.json above a file asks for.

import { posix } from 'node:path';

/** @import { DiskTree } from './disk-tree.js' */

/** A manifest that is longer was made by a program. */
const MAX_MANIFEST = 200_000;

export class PackageVersions {
  /** By folder; null where there is no package.json in it or above. @type {Map<string, Record<string, unknown> | null>} */
  #byFolder = new Map();
  #tree;

  /** @param {DiskTree} tree */
  constructor(tree) {
    this.#tree = tree;
  }

  /**
   * @param {string} path of a file
   * @param {readonly string[]} names of packages
   * @returns {Record<string, number>} the lowest major version of each that the manifest allows; none of a range without a number (`latest`)
   */
  majorsFor(path, names) {
    /** @type {Record<string, number>} */
    const found = {};
    for (const name of names) {
      const major = this.#majorOf(posix.dirname(path), name);
      if (major !== undefined) found[name] = major;
    }
    return found;
  }

  /**
   * @param {string} folder
   * @param {string} name
   * @returns {number | undefined}
   */
  #majorOf(folder, name) {
    const asked = this.#dependenciesIn(folder)?.[name];
    if (typeof asked === 'string') {
      const majors = asked.split('||').map((part) => /^[\s^~>=v]*(\d+)(?:[.\s]|$)/.exec(part)?.[1]);
      return majors.includes(undefined) ? undefined : Math.min(...majors.map(Number));
    }
    const above = posix.dirname(folder);
    return above === folder || folder.startsWith('..') ? undefined : this.#majorOf(above, name);
  }

  /** @param {string} folder @returns {Record<string, unknown> | null} */
  #dependenciesIn(folder) {
    const known = this.#byFolder.get(folder);
    if (known !== undefined) return known;
    const read = this.#read(folder);
    this.#byFolder.set(folder, read);
    return read;
  }

  /** @param {string} folder @returns {Record<string, unknown> | null} */
  #read(folder) {
    const isThere = this.#tree.list(folder).some(({ name, isFolder }) => name === 'package.json' && !isFolder);
    if (!isThere) return null;
    try {
      const bytes = this.#tree.bytes(posix.join(folder, 'package.json'));
      const { dependencies, devDependencies } = JSON.parse(bytes.length > MAX_MANIFEST ? '{}' : bytes.toString('utf8'));
      return { ...devDependencies, ...dependencies };
    } catch {
      return null;
    }
  }
}
