// Looks at the text of a file without parsing it: what it imports, whether it names a client. Finds the file that an import means.

import { dirname, join, posix } from 'node:path';
import {
  ADDRESS_WORDS,
  CLIENT_WORDS,
  CONNECTION_WORDS,
  clientOfService,
  clientPackage,
  ENDPOINT_WORDS,
  INDEX_WORDS,
  METHOD_WORDS,
  ownMethodsDefined,
  PACKAGE_WORDS,
  RECEIVER_WORDS,
} from '../../clients/index.js';
import { scriptsOf } from '../../javascript/parse.js';
import { servicesIn } from './services.js';

/** @import { DeclaredClients } from './declared-clients.js' */

/** What is imported: `from './db'`, `require('./db')`, `import('./db')`, `import './db'`. */
const IMPORTS = /(\bfrom|\brequire\s*\(|\bimport\s*\(?)\s*['"]([^'"\n]{1,300})['"]/g;

const EXTENDED = /\bextends\s+(?:[\w$]+\.)*([\w$]+)/g;
/** Members that a class assigns: `this.db = `. */
const ASSIGNS =
  /\bthis\.([\w$]+)\s*=(?![=>])|^\s*(?:(?:public|protected|readonly|override|static)\s+)+([\w$]+)[^()\n]*=(?![=>])/gm;

/** `const { shop } =` before a `require`. */
const TAKEN_OUT = /\{([^{}]{0,500})\}\s*=\s*(?:await\s+)?$/;
/** Characters before a `require` or a `from` that are looked at. */
const MAX_CLAUSE = 2_000;

/** `names`: what is taken of it, `default` included; undefined for all that it exports. @typedef {{specifier: string, names: string[] | undefined}} Import */

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
 * @typedef {object} Summary
 * @property {string} path
 * @property {readonly Import[]} imports
 * @property {readonly string[]} extended names of classes that it extends
 * @property {readonly string[]} assigned names of members that its classes assign, where it extends one
 * @property {readonly string[]} defines names of methods of a client that it has functions with
 * @property {boolean} namesClient whether the package, a type or an option of a client is in it
 * @property {boolean} importsClient whether it names a package of a client, or what a script of the page declares
 * @property {readonly string[]} registers names of services that it registers with AngularJS
 * @property {readonly string[]} injects names of what AngularJS may give to its functions
 * @property {boolean} mayHoldUnseen whether something that is called like a database has a method of one
 * @property {boolean} createsIndex whether it may create a Mango index
 * @property {boolean} catchesRejections whether it handles rejections that nothing else does, or wraps handlers of Express so that theirs are
 * @property {boolean} hasMethod whether something is called that has the name of a method of a database, a path of one is in it, or what a client may be made with
 */

/** A listener of the process or page, and packages and functions that hand a rejection of a handler to Express. */
const CATCHES_REJECTIONS =
  /unhandledrejection|['"](?:express-(?:async-\w+|promise-router)|@awaitjs\/express)['"]|\b(?:async_?handler|catch_?async|wrap_?async|async_?wrap\w*|async_?middleware)\s*\(/i;

/**
 * @param {string} text
 * @returns {Import[]} what it imports but for packages, found without parsing: what stands in a comment is found, too
 */
function importsIn(text) {
  /** @type {Import[]} */
  const found = [];
  for (const { 0: whole, 1: word = '', 2: specifier = '', index } of text.matchAll(IMPORTS)) {
    if (!specifier.startsWith('.') && !specifier.includes('/')) continue;
    const before = text.slice(Math.max(0, index - MAX_CLAUSE), index);
    const names = word === 'from' ? namesOfClause(before) : namesOfRequire(before, text, index + whole.length);
    found.push({ specifier: ownCopy(specifier), names: names?.map(ownCopy) });
  }
  return found;
}

/**
 * @param {string} path
 * @param {string} whole its text
 * @param {DeclaredClients} [clients] what the user says of them
 * @returns {Summary}
 */
export function summarize(path, whole, clients) {
  const text = scriptsOf(whole, path);
  const { registers, injects } = servicesIn(text);
  const hasAddress = ADDRESS_WORDS.test(text);
  const extended = [...text.matchAll(EXTENDED)].map(([, name = '']) => ownCopy(name));
  return {
    path,
    registers: registers.map(ownCopy),
    injects: injects.map(ownCopy),
    imports: importsIn(text),
    extended,
    assigned: assignedBelow(text),
    namesClient:
      hasAddress || CLIENT_WORDS.test(text) || injects.some(clientOfService) || clients?.mayBeIn(text) === true,
    importsClient: PACKAGE_WORDS.test(text) || injects.some(clientOfService),
    mayHoldUnseen: RECEIVER_WORDS.test(text),
    defines: ownMethodsDefined(text),
    createsIndex: INDEX_WORDS.test(text),
    catchesRejections: CATCHES_REJECTIONS.test(text),
    hasMethod: hasAddress || METHOD_WORDS.test(text) || ENDPOINT_WORDS.test(text) || CONNECTION_WORDS.test(text),
  };
}

/** @param {string} text @returns {string[]} names of members that are assigned behind the first class that extends one */
function assignedBelow(text) {
  const at = text.search(EXTENDED);
  const names =
    at === -1 ? [] : [...text.slice(at).matchAll(ASSIGNS)].map(([, one, other]) => ownCopy(one ?? other ?? ''));
  return [...new Set(names)];
}

/**
 * @param {string} part
 * @returns {string} the same characters: a part of a string keeps the whole string in memory
 */
function ownCopy(part) {
  return Buffer.from(part).toString();
}

/**
 * @param {string} before what stands before `from`
 * @returns {string[] | undefined}
 */
function namesOfClause(before) {
  const clause = before.slice(Math.max(before.lastIndexOf('import'), before.lastIndexOf('export')) + 'import'.length);
  if (clause.includes('*')) return undefined;
  const [outside = '', inside = ''] = clause.split('{');
  const names = namesIn(inside);
  return /^\s*(?:type\s+)?[\w$]/.test(outside) ? ['default', ...names] : names;
}

/**
 * @param {string} before what stands before `require('./db')` or `import('./db')`
 * @param {string} text
 * @param {number} end behind its specifier
 * @returns {string[] | undefined}
 */
function namesOfRequire(before, text, end) {
  const taken = TAKEN_OUT.exec(before)?.[1];
  if (taken !== undefined && !taken.includes('...')) return namesIn(taken);
  const [, name] = /^\s*\)\s*\.\s*([\w$]+)/.exec(text.slice(end, end + 100)) ?? [];
  return name === undefined || name === 'then' ? undefined : [name];
}

/** @param {string} list `a, b as c, type D, e: f = 1` @returns {string[]} the names before any `as` or `:` */
function namesIn(list) {
  return list.split(',').flatMap((item) => /^\s*(?:type\s+)?([\w$]+)/.exec(item)?.[1] ?? []);
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
  #paths;
  /** Paths by their last part, for imports from the root of a project. @type {Map<string, string[]> | undefined} */
  #byName;

  /** @param {ReadonlySet<string>} paths */
  constructor(paths) {
    this.#paths = paths;
  }

  /**
   * @param {string} specifier
   * @param {string} from path of the importing file
   * @returns {string | undefined}
   */
  resolve(specifier, from) {
    if (specifier.startsWith('.')) return candidatesOf(specifier, from).find((path) => this.#paths.has(path));
    if (clientPackage(specifier) || !specifier.includes('/')) return undefined;
    // `@/lib/db`, `~/lib/db`, `#lib/db`, `$lib/db` of SvelteKit, `src/lib/db` and `@app/lib/db` are paths from a root that a bundler, a compiler or Node.js knows.
    const path = specifier.replace(/^(?:[@~#]\/|#|\$(?=lib\/))/, '');
    return this.#fromRoot(path, from) ?? (/^[@#]/.test(specifier) ? this.#fromAlias(path, from) : undefined);
  }

  /**
   * @param {string} path whose first part stands for a folder: `#db/couch`, `@services/orders`
   * @param {string} from
   * @returns {string | undefined}
   */
  #fromAlias(path, from) {
    const rest = path.split('/').slice(1).join('/');
    return rest.includes('/') ? this.#fromRoot(rest, from) : nearest(this.#named(rest), from);
  }

  /**
   * @param {string} path
   * @param {string} from
   * @returns {string | undefined} the file whose path ends with it, the nearest if there are more
   */
  #fromRoot(path, from) {
    if (!path.includes('/')) return undefined;
    const endings = withEndings(path);
    const found = this.#named(path).filter((candidate) =>
      endings.some((ending) => `/${candidate}`.endsWith(`/${ending}`)),
    );
    return nearest(found, from);
  }

  /** @param {string} path @returns {string[]} the files with the last part of it as their name */
  #named(path) {
    this.#byName ??= indexByName(this.#paths);
    return this.#byName.get(nameWithoutEnding(path)) ?? [];
  }
}

/**
 * @param {string[]} paths
 * @param {string} from
 * @returns {string | undefined} the one that shares more folders with the importing file than any other
 */
function nearest(paths, from) {
  const parts = from.split('/');
  const shared = (/** @type {string} */ path) => {
    const others = path.split('/');
    const differs = parts.findIndex((part, at) => part !== others[at]);
    return differs === -1 ? parts.length : differs;
  };
  const [first, second] = [...paths].sort((a, b) => shared(b) - shared(a));
  return first !== undefined && (second === undefined || shared(first) > shared(second)) ? first : undefined;
}

/**
 * @param {Iterable<string>} paths
 * @returns {Map<string, string[]>} by the last part, without its ending; `index` by the folder too, of `shop/src/index.ts` by that of the package
 */
function indexByName(paths) {
  /** @type {Map<string, string[]>} */
  const found = new Map();
  for (const path of paths) {
    const name = nameWithoutEnding(path);
    for (const key of name === 'index' ? [name, ...foldersOf(path)] : [name]) {
      const known = found.get(key);
      if (known) known.push(path);
      else found.set(key, [path]);
    }
  }
  return found;
}

/** @param {string} path of an index @returns {string[]} its folder, and the one around `src` or `lib` */
function foldersOf(path) {
  const folder = posix.dirname(path);
  const name = posix.basename(folder);
  return name === 'src' || name === 'lib' ? [name, posix.basename(posix.dirname(folder))] : [name];
}

/** @param {string} path @returns {string} */
function nameWithoutEnding(path) {
  return posix.basename(path).replace(/\.[cm]?[jt]sx?$/, '');
}
