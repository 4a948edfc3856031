// Detects whether a folder is a couchapp. Decides narrowly: web applications have folders called `views`, `filters` and
// `lists` too.

import { basename, dirname } from 'node:path';
import { UserError } from '../../shared/user-error.js';
import { DESIGN_DOC_MEMBERS } from '../record.js';
import { joinPath, listSorted } from './couchapp-tree.js';
import { isDesignId } from './recognise.js';

/** @import { FileTree, TreeEntry } from './couchapp-tree.js' */

/**
 * @typedef {object} Couchapp
 * @property {boolean} isWhole whether all that is in the folder belongs to the design document: true where a tool's own file
 *   or the folder around it says so, false where it is only known by a view in it
 */

/** Members that CouchDB or a couchapp tool gives a meaning to. */
export const KNOWN_MEMBERS = new Set([...DESIGN_DOC_MEMBERS, 'couchapp', 'evently', 'spatial', 'templates', 'vendor']);

/** Files that only couchapp tools make. */
const TOOL_FILES = ['.couchapprc', '.couchappignore', 'couchapp.json', '.ericaignore'];
/** What holds functions that CouchDB runs, and the libraries that CouchApp puts into `vendor`. */
const FUNCTIONS =
  /^(?:views|fulltext|spatial|templates|filters|updates|shows|lists|couchapp|couchdb)$|^(?:validate_doc_update|rewrites)\./;
/** Folders whose folders are design documents: CouchDB's own prefix, and the usual name in projects. */
const HOLDERS = new Set(['_design', 'ddocs']);
const FUNCTION_FOLDERS = new Set(['filters', 'updates', 'shows', 'lists']);
const MAP_FILE = /^map(?:\.(?:js|erl|coffee|py))?$/;
const VALIDATE_FILE = /^validate_doc_update(?:\.(?:js|erl|coffee|py))?$/;
const FUNCTION_FILE = /\.(?:js|erl|coffee|py)$/;

/** More views than any design document has; a folder of more is something else, or looked at far enough. */
const MAX_VIEWS_LOOKED_AT = 200;

/**
 * @param {FileTree} tree
 * @param {string} path of the folder
 * @param {string} [location] its absolute path, where the path does not end in its name and that of the folder above it
 * @returns {Promise<Couchapp | undefined>} undefined where it is none
 */
export async function recogniseCouchapp(tree, path, location = path) {
  const entries = await listSorted(tree, path);
  const files = new Set(entries.filter(({ isFolder }) => !isFolder).map((entry) => entry.name));
  const folders = new Set(entries.filter(({ isFolder }) => isFolder).map((entry) => entry.name));
  if (files.has('_id') && isDesignId(await readStart(tree, joinPath(path, '_id')))) return { isWhole: true };

  const isMarked =
    TOOL_FILES.some((file) => files.has(file)) ||
    HOLDERS.has(basename(dirname(location))) ||
    (files.has('language') && isLanguage(await readStart(tree, joinPath(path, 'language'))));
  if (folders.has('views')) {
    const mapPaths = await listMaps(tree, joinPath(path, 'views'));
    if (mapPaths.length > 0 && isMarked) return { isWhole: true };
    for (const mapPath of mapPaths) {
      if (looksLikeMap(await readStart(tree, mapPath), mapPath)) return { isWhole: false };
    }
  }
  if (!isMarked) return undefined;
  if ([...files].some((file) => VALIDATE_FILE.test(file))) return { isWhole: true };
  for (const folder of folders) {
    if (!FUNCTION_FOLDERS.has(folder)) continue;
    const members = await tree.list(joinPath(path, folder));
    if (members.some((entry) => isFunctionFile(entry))) return { isWhole: true };
  }
  return undefined;
}

/**
 * @param {FileTree} tree
 * @param {string} views path of the folder
 * @returns {Promise<string[]>} the map files in its folders
 */
async function listMaps(tree, views) {
  /** @type {string[]} */
  const paths = [];
  const entries = await listSorted(tree, views);
  for (const { name, isFolder } of entries.slice(0, MAX_VIEWS_LOOKED_AT)) {
    if (!isFolder) continue;
    const view = joinPath(views, name);
    for (const entry of await tree.list(view)) {
      if (!entry.isFolder && MAP_FILE.test(entry.name)) paths.push(joinPath(view, entry.name));
    }
  }
  return paths;
}

/**
 * @param {FileTree} tree
 * @param {string} path
 * @returns {Promise<string>} the text without white space around it, empty where there is none
 */
async function readStart(tree, path) {
  try {
    return (await tree.read(path)).text.trim();
  } catch (error) {
    if (error instanceof UserError) return '';
    throw error;
  }
}

/**
 * A component of a web page may be called `views/places/map.js`, too; it imports and exports, and is no bare function.
 * @param {string} text
 * @param {string} path
 * @returns {boolean}
 */
function looksLikeMap(text, path) {
  if (path.endsWith('.erl')) return /\bfun\s*\(\s*\{/.test(text) && text.includes('Emit');
  if (path.endsWith('.py')) return /^def\s/m.test(text) && text.includes('yield');
  if (!/\bemit\b/.test(text) || /^(?:import|export)\b|\brequire\s*\(|module\.exports/m.test(text)) return false;
  const code = withoutComments(text);
  return path.endsWith('.coffee') ? code.startsWith('(') : /^(?:function\b|\(|\w+\s*=>)/.test(code);
}

/**
 * @param {string} text
 * @returns {string} from the first character on that is in no comment
 */
function withoutComments(text) {
  let at = 0;
  while (at < text.length) {
    const rest = text.slice(at, at + 2);
    let behind = -1;
    if (/^\s/.test(rest)) behind = at + 1;
    else if (rest === '//' || rest.startsWith('#')) behind = text.indexOf('\n', at);
    else if (rest === '/*') behind = text.indexOf('*/', at) + 2;
    else return text.slice(at);
    if (behind <= at) return '';
    at = behind;
  }
  return '';
}

/**
 * @param {string} text
 * @returns {boolean} whether the file `language` holds the name of a query server and no more
 */
function isLanguage(text) {
  return /^(?:javascript\w*|erlang|coffeescript|python|ruby|query)$/.test(text);
}

/**
 * @param {TreeEntry} entry
 * @returns {boolean}
 */
function isFunctionFile({ name, isFolder }) {
  return !isFolder && FUNCTION_FILE.test(name);
}

/**
 * @param {Couchapp} couchapp
 * @param {string} name of what is right below its folder
 * @returns {boolean} whether it is read as a part of the design document
 */
export function belongsToCouchapp(couchapp, name) {
  if (couchapp.isWhole) return !/^[._]/.test(name) || name === '_id';
  return KNOWN_MEMBERS.has(name.replace(/(?!^)\.[^.]*$/, ''));
}

/** @param {string} name of what is right below the folder of a couchapp, or its `vendor` @returns {boolean} whether no program of the project is in it */
export function holdsFunctions(name) {
  return FUNCTIONS.test(name);
}
