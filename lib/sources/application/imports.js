// Finds what the text of a file imports, and the file that an import means.

import { dirname, join, posix } from 'node:path';
import { clientPackage } from './clients.js';

/** @import { SourceFile } from '../../shared/source-file.js' */

/** What is imported: `from './db'`, `require('./db')`, `import('./db')`, `import './db'`. */
const IMPORTS = /(?:\bfrom|\brequire\s*\(|\bimport\s*\(?)\s*['"]([^'"\n]{1,300})['"]/g;

/** What a specifier may stand for, in this order. */
const ENDINGS = [
  '',
  '.ts',
  '.tsx',
  '.js',
  '.jsx',
  '.mjs',
  '.cjs',
  '.mts',
  '.cts',
  '/index.ts',
  '/index.js',
  '/index.tsx',
  '/index.jsx',
  '/index.mjs',
];

/**
 * @param {string} text
 * @returns {string[]} what it imports, found without parsing: what stands in a comment is found, too
 */
export function importsIn(text) {
  return [...text.matchAll(IMPORTS)].map(([, specifier = '']) => specifier);
}

/**
 * @param {string} specifier
 * @param {string} from path of the importing file
 * @returns {string[]} the paths that a relative import may mean, the likeliest first; none for packages
 */
export function candidatesOf(specifier, from) {
  if (!specifier.startsWith('.')) return [];
  return withEndings(posix.normalize(join(dirname(from), specifier).replaceAll('\\', '/')));
}

/** @param {string} path @returns {string[]} */
function withEndings(path) {
  // TypeScript is imported by the name that its JavaScript will have.
  const source = path.replace(/\.([cm]?)js(x?)$/, '.$1ts$2');
  return [...ENDINGS.map((ending) => path + ending), ...(source === path ? [] : [source])];
}

/** Finds the file that an import means. */
export class FileIndex {
  #files;
  /** Paths by their last part, for imports from the root of a project. @type {Map<string, string[]> | undefined} */
  #byName;

  /** @param {ReadonlyMap<string, SourceFile>} files */
  constructor(files) {
    this.#files = files;
  }

  /**
   * @param {string} specifier
   * @param {string} from path of the importing file
   * @returns {string | undefined}
   */
  resolve(specifier, from) {
    if (specifier.startsWith('.')) return candidatesOf(specifier, from).find((path) => this.#files.has(path));
    if (clientPackage(specifier) || !specifier.includes('/')) return undefined;
    // `@/lib/db`, `~/lib/db`, `src/lib/db` and `@app/lib/db` are paths from a root that a bundler or compiler knows.
    const path = specifier.replace(/^(?:@|~)\//, '');
    return (
      this.#fromRoot(path) ??
      (specifier.startsWith('@') ? this.#fromRoot(path.split('/').slice(1).join('/')) : undefined)
    );
  }

  /**
   * @param {string} path
   * @returns {string | undefined} the only file whose path ends with it
   */
  #fromRoot(path) {
    if (!path.includes('/')) return undefined;
    this.#byName ??= indexByName(this.#files.keys());
    const name = nameWithoutEnding(path);
    const found = (this.#byName.get(name) ?? []).filter((candidate) =>
      ENDINGS.some((ending) => `/${candidate}`.endsWith(`/${path}${ending}`)),
    );
    return found.length === 1 ? found[0] : undefined;
  }
}

/**
 * @param {Iterable<string>} paths
 * @returns {Map<string, string[]>} by the last part, without its ending; `index` by the folder too
 */
function indexByName(paths) {
  /** @type {Map<string, string[]>} */
  const found = new Map();
  for (const path of paths) {
    const name = nameWithoutEnding(path);
    for (const key of name === 'index' ? [name, posix.basename(posix.dirname(path))] : [name]) {
      const known = found.get(key);
      if (known) known.push(path);
      else found.set(key, [path]);
    }
  }
  return found;
}

/** @param {string} path @returns {string} */
function nameWithoutEnding(path) {
  return posix.basename(path).replace(/\.[cm]?[jt]sx?$/, '');
}
