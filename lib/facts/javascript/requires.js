// What a function loads with `require`, and whether CouchDB finds it in the design document. Loads nothing.

import { member } from '../../sources/record.js';
import { isInTry } from './apis.js';
import { typeofNames } from './references.js';

/** @import { CallExpression } from 'acorn' */
/** @import { ValueNode } from '../../sources/record.js' */
/** @import { FunctionSubject } from '../fact.js' */
/** @import { Names } from './references.js' */

/**
 * @typedef {object} Require A call of the global `require`.
 * @property {string | undefined} path undefined where it is computed
 * @property {CallExpression} node
 * @property {boolean} isGuarded whether the function is written to do without it too
 */

/**
 * @param {Names} names
 * @returns {Require[]}
 */
export function listRequires(names) {
  const isAsked = typeofNames(names).has('require');
  return names.references.flatMap(({ name, node, binding }) => {
    const call = names.parents.get(node);
    if (name !== 'require' || binding || call?.type !== 'CallExpression' || call.callee !== node) return [];
    const [argument] = call.arguments;
    const isGuarded = isAsked || isInTry(call, names.parents);
    return [{ path: argument && constantText(argument), node: call, isGuarded }];
  });
}

/**
 * Whether CouchDB finds what a function requires (share/server/util.js resolveModule and state.js addFun, 3.5.2): a map
 * sees `views.lib` alone, a reduce has no `require`, the others see the whole document.
 * @param {FunctionSubject} subject
 * @param {string} path as it is written
 * @returns {boolean | undefined} undefined where the document cannot be read there
 */
export function canRequire(subject, path) {
  if (subject.role === 'reduce') return false;
  const names = path.split('/');
  if (subject.role === 'map' || subject.role === 'search') {
    if (names[0] !== 'views' || names[1] !== 'lib') return false;
  }
  const root = subject.parent.record.node;
  const isRelative = names[0] === '.' || names[0] === '..';
  // The tools of couchapps put vendored modules into the document when they push it.
  if (names[0] === 'vendor' && subject.parent.record.origin === 'couchapp') return undefined;
  const own = isRelative ? pathOf(root, subject) : [];
  // The parent of what is no module is not there, and asking for it throws.
  if (!own || (isRelative && own.length === 0)) return false;
  /** @type {string[]} */
  const at = own.slice(0, -1);
  for (const name of names) {
    if (name === '.') {
      if (at.length < 1) return false;
    } else if (name === '..') {
      if (at.length < 2) return false;
      at.pop();
    } else {
      at.push(name);
      const found = follow(root, at);
      if (found === 'none') return false;
      if (found.type === 'unknown' || found.type === 'array') return undefined;
    }
  }
  const found = follow(root, at);
  return found !== 'none' && found.type === 'string';
}

/**
 * @param {ValueNode} root
 * @param {string[]} path
 * @returns {ValueNode | 'none'} an unknown value on the way stands for all below it
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
 * @param {ValueNode} root
 * @param {FunctionSubject} subject
 * @returns {string[] | undefined} the names that lead to the module; undefined for what is no module
 */
function pathOf(root, { text, isModule }) {
  if (!isModule) return undefined;
  const lib = member(member(root, 'views'), 'lib');
  /** @type {{node: ValueNode, path: string[]}[]} */
  const open = lib ? [{ node: lib, path: ['views', 'lib'] }] : [];
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
