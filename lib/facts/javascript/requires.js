// Lists what a function loads with `require`, and what CouchDB finds for it in the design document. Loads nothing.

import { namesOf, parsed } from '../../javascript/analyse.js';
import { handledTry } from '../../javascript/caught.js';
import { typeofNames } from '../../javascript/names.js';
import { remember } from '../../shared/recent-memory.js';
import { holdsUnknown, member } from '../../sources/record.js';
import { isInCatch } from './required-values.js';

/** @import { CallExpression } from 'acorn' */
/** @import { StringNode, ValueNode } from '../../sources/record.js' */
/** @import { DesignDocSubject, FunctionSubject } from '../fact.js' */
/** @import { Names } from '../../javascript/names.js' */

/**
 * @typedef {object} Require A call of the global `require`.
 * @property {string | undefined} path undefined where it is computed
 * @property {CallExpression} node
 * @property {boolean} isGuarded whether the function is written to do without it too, or loads it only after something else has failed
 */

/** Names that lead to a module of the design document; `none` where CouchDB finds none, `unknown` where the document cannot be read there. @typedef {string[] | 'none' | 'unknown'} Found */

/** Functions that are given no modules of their design document. */
const WITHOUT_MODULES = new Set(['reduce', 'search']);

/**
 * @param {Names} names
 * @returns {Require[]} none where the text gives `require` a value of its own
 */
export function listRequires(names) {
  if (names.references.some(({ name, binding, writes }) => name === 'require' && !binding && writes)) return [];
  const isTypeTested = typeofNames(names).has('require');
  return names.references.flatMap(({ name, node, binding }) => {
    const call = names.parents.get(node);
    if (name !== 'require' || binding || call?.type !== 'CallExpression' || call.callee !== node) return [];
    const [argument] = call.arguments;
    const isGuarded = isTypeTested || isInCatch(call, names) || handledTry(call, names.parents) !== undefined;
    return [{ path: argument && constantText(argument), node: call, isGuarded }];
  });
}

/**
 * Whether CouchDB finds what a function requires (share/server/util.js resolveModule and state.js addFun, 3.5.2): a map
 * sees `views.lib` alone, a reduce has no `require`, a search index is given no modules (dreyfus_index_updater.erl and
 * nouveau_index_updater.erl send none), the others see the whole document.
 * @param {FunctionSubject} subject
 * @param {string} path as it is written
 * @returns {boolean | undefined} undefined where the document cannot be read there
 */
export function canRequire(subject, path) {
  // couchdb-lucene has an engine of its own.
  if (subject.role === 'search' && subject.name.startsWith('fulltext.')) return undefined;
  if (WITHOUT_MODULES.has(subject.role)) return false;
  const names = path.split('/');
  if (subject.role === 'map' && (names[0] !== 'views' || names[1] !== 'lib')) return false;
  const own = subject.isModule ? modulePath(subject) : [];
  const found = own ? findModule(subject.parent, own, names) : 'none';
  return found === 'unknown' ? undefined : found !== 'none';
}

/**
 * Whether some function of the design document loads a module: nothing else compiles it.
 * @param {FunctionSubject} subject a module
 * @returns {boolean | undefined} undefined where paths are computed, or functions were not read
 */
export function isRequired(subject) {
  const own = modulePath(subject);
  const { paths, isComplete } = requiredModules(subject.parent);
  if (own && paths.has(JSON.stringify(own))) return true;
  return isComplete ? false : undefined;
}

/** @typedef {{paths: Set<string>, isComplete: boolean}} Loaded modules by the names that lead to them, as JSON; not complete where some path is not known */

/**
 * @param {DesignDocSubject} designDoc
 * @returns {{name: string, node: StringNode}[]} modules outside of `views.lib` that a function of the document loads, by a path that is written out
 */
export function modulesElsewhere(designDoc) {
  return [...requiredModules(designDoc).paths].flatMap((text) => {
    /** @type {string[]} */
    const path = JSON.parse(text);
    const node = follow(designDoc.record.node, path);
    const isElsewhere = path[0] !== 'views' || path[1] !== 'lib';
    return isElsewhere && node !== 'none' && node.type === 'string' ? [{ name: path.join('.'), node }] : [];
  });
}

const requiredModules = remember((/** @type {DesignDocSubject} */ designDoc) =>
  modulesFrom(designDoc, designDoc.functions),
);

/** What one function loads. */
const modulesOf = remember((/** @type {FunctionSubject} */ subject) => modulesFrom(subject.parent, [subject]));

/**
 * @param {FunctionSubject} subject
 * @param {FunctionSubject} module of the same design document
 * @returns {boolean} whether it loads the module, or may
 */
export function mayLoad(subject, module) {
  const { paths, isComplete } = modulesOf(subject);
  return !subject.isModule && (!isComplete || paths.has(JSON.stringify(modulePath(module))));
}

/** @param {Pick<FunctionSubject, 'text' | 'isModule'>} text @returns {{paths: (string | undefined)[]} | {unknown: true}} what it requires itself */
function requiredPaths(text) {
  const tree = parsed(text);
  return tree.ok ? { paths: listRequires(namesOf(tree)).map(({ path }) => path) } : { unknown: true };
}

/** A library is often as long as all functions that load it. */
const requiredByModule = remember((/** @type {FunctionSubject['text']} */ text) =>
  requiredPaths({ text, isModule: true }),
);

/**
 * @param {DesignDocSubject} designDoc
 * @param {FunctionSubject[]} functions of it
 * @returns {Loaded} what these load, directly or through another module
 */
function modulesFrom(designDoc, functions) {
  /** @type {Loaded} */
  const loaded = { paths: new Set(), isComplete: !holdsUnknown(designDoc.record.node) };
  /** @type {{own: string[], text: Pick<FunctionSubject, 'text' | 'isModule'>}[]} */
  const open = functions
    .filter(({ isModule, role }) => !isModule && !WITHOUT_MODULES.has(role))
    .map((text) => ({ own: [], text }));
  for (let next = open.pop(); next; next = open.pop()) {
    const required = next.text.isModule ? requiredByModule(next.text.text) : requiredPaths(next.text);
    if ('unknown' in required) loaded.isComplete = false;
    for (const path of 'paths' in required ? required.paths : []) {
      const found = path === undefined ? 'unknown' : findModule(designDoc, next.own, path.split('/'));
      if (found === 'unknown') loaded.isComplete = false;
      if (found === 'unknown' || found === 'none' || loaded.paths.has(JSON.stringify(found))) continue;
      loaded.paths.add(JSON.stringify(found));
      const node = follow(designDoc.record.node, found);
      if (node !== 'none' && node.type === 'string')
        open.push({ own: found, text: { text: node.text, isModule: true } });
    }
  }
  return loaded;
}

/**
 * @param {DesignDocSubject} designDoc
 * @param {string[]} own names that lead to the module that requires it; none for a function
 * @param {string[]} names of the path
 * @returns {Found}
 */
function findModule({ record }, own, names) {
  const isRelative = names[0] === '.' || names[0] === '..';
  // The parent of what is no module is not there, and requiring it throws.
  if (isRelative && own.length === 0) return 'none';
  // The tools of couchapps put vendored modules into the document when they push it.
  if (names[0] === 'vendor' && record.origin === 'couchapp') return 'unknown';
  /** @type {string[]} */
  const at = isRelative ? own.slice(0, -1) : [];
  for (const name of names) {
    if (name === '.') {
      if (at.length < 1) return 'none';
    } else if (name === '..') {
      if (at.length < 2) return 'none';
      at.pop();
    } else {
      at.push(name);
      const found = follow(record.node, at);
      if (found === 'none') return mayBeAdded(record, at) ? 'unknown' : 'none';
      if (found.type === 'unknown' || found.type === 'array') return 'unknown';
    }
  }
  const found = follow(record.node, at);
  return found !== 'none' && found.type === 'string' ? at : 'none';
}

/**
 * What a design document is made of in a project is often put together when it is pushed: modules come from other folders and packages.
 * @param {DesignDocSubject['record']} record
 * @param {string[]} path of what is not there
 * @returns {boolean} whether it may be there when the document is: it was not read as CouchDB keeps it, and nothing shows that its
 *   modules were read with it
 */
function mayBeAdded({ origin, node }, path) {
  if (origin === 'module') return true;
  if (origin !== 'couchapp') return false;
  const folder = path[0] === 'views' ? path.slice(0, 2) : path.slice(0, 1);
  return follow(node, folder) === 'none';
}

/**
 * @param {ValueNode} root
 * @param {string[]} path
 * @returns {ValueNode | 'none'} an unknown value on the way makes all below it unknown
 */
function follow(root, path) {
  let node = root;
  for (const name of path) {
    if (node.type === 'unknown' || node.type === 'array') return node;
    const next = member(node, name);
    if (!next) return 'none';
    node = next;
  }
  return node;
}

/**
 * @param {FunctionSubject} subject a module
 * @returns {string[] | undefined} the names that lead to it
 */
function modulePath({ text, parent }) {
  /** @type {{node: ValueNode, path: string[]}[]} */
  const open = [{ node: parent.record.node, path: [] }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { node, path } = next;
    if (node.type === 'string' && node.text === text) return path;
    if (node.type !== 'object') continue;
    for (const item of node.entries) open.push({ node: item.node, path: [...path, item.key] });
  }
  return undefined;
}

/**
 * @param {CallExpression['arguments'][number]} node
 * @returns {string | undefined}
 */
function constantText(node) {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node.type === 'TemplateLiteral' && node.expressions.length === 0)
    return node.quasis[0]?.value.cooked ?? undefined;
  return undefined;
}
