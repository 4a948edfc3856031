// Detects what makes a function depend on more than its parameters: names and objects from outside, of which trials alone
// show little, and parts that change what names mean away from where they are written.

import { resolveNames } from '../javascript/names.js';
import { someNode, walkNodes } from '../javascript/walk.js';

/** @import { AnyNode } from 'acorn' */
/** @import { Binding, Names } from '../javascript/names.js' */
/** @import { FunctionNode } from '../javascript/parse.js' */

/** Names that are the same in every query server, and do the same each time. */
const PLAIN = new Set(
  (
    'Math JSON Number String Boolean Object Array RegExp parseFloat parseInt isNaN isFinite undefined NaN Infinity ' +
    'sum log isArray toJSON arguments Error TypeError RangeError'
  ).split(' '),
);

/**
 * @param {FunctionNode} fn
 * @returns {string | undefined} undefined where it looks at nothing else, and changes nothing else
 */
export function foreignTie(fn) {
  const names = resolveNames([/** @type {AnyNode} */ (fn)]);
  for (const { name, binding, reads, writes } of names.references) {
    if (binding) continue;
    if (writes) return `it assigns to \`${name}\`, which is not declared`;
    if (reads && !PLAIN.has(name)) return `it uses \`${name}\``;
  }
  for (const node of names.nodes) {
    if (node.type === 'ThisExpression') return 'it uses `this`';
    if (node.type === 'MemberExpression' && isRandom(node)) return 'it uses `Math.random`';
    const target =
      node.type === 'AssignmentExpression' ? node.left : node.type === 'UpdateExpression' ? node.argument : undefined;
    const root = target?.type === 'MemberExpression' ? rootOf(target) : undefined;
    if (root?.type !== 'Identifier') continue;
    if (!names.byNode.get(root)?.binding) return `it changes \`${root.name}\``;
  }
  return undefined;
}

/** @param {AnyNode} node @returns {boolean} */
function isRandom(node) {
  if (node.type !== 'MemberExpression' || node.object.type !== 'Identifier' || node.object.name !== 'Math')
    return false;
  // `Math[name]` may be it.
  return node.computed || (node.property.type === 'Identifier' && node.property.name === 'random');
}

/** @param {AnyNode} node @returns {AnyNode} what stands before all dots */
function rootOf(node) {
  let at = node;
  while (at.type === 'MemberExpression') at = at.object;
  return at;
}

/**
 * @param {FunctionNode} fn
 * @returns {string | undefined} what of the function is not followed wherever it stands, for it takes effect before it is
 *   reached: functions declared in blocks (which engines hoist, each in its way), `with`, `eval`
 */
export function hiddenChange(fn) {
  /** @type {Set<AnyNode>} */
  const bodies = new Set();
  let why = '';
  walkNodes([fn], (node) => {
    if ('params' in node && node.body.type === 'BlockStatement') {
      for (const statement of node.body.body) bodies.add(statement);
    }
    if (node.type === 'FunctionDeclaration' && !bodies.has(node)) why ||= 'a function is declared in a block';
    if (node.type === 'ClassDeclaration') why ||= 'a class is declared';
    if (node.type === 'WithStatement') why ||= 'it uses `with`';
    if (node.type === 'Identifier' && node.name === 'eval') why ||= 'it runs a string as code';
  });
  return why || (changesArguments(fn) ? 'it uses `arguments` as more than an array that stays' : undefined);
}

/**
 * `arguments` and parameters change with each other in sloppy code, so it is followed where neither changes.
 * @param {FunctionNode} fn
 * @returns {boolean} whether it is used for anything but `arguments[1]` and `arguments.length`
 */
function changesArguments(fn) {
  const names = resolveNames([/** @type {AnyNode} */ (fn)]);
  const uses = names.nodes.filter((node) => node.type === 'Identifier' && node.name === 'arguments');
  if (uses.length === 0) return false;
  const isRead = uses.every((node) => {
    const member = names.parents.get(node);
    if (member?.type !== 'MemberExpression' || member.object !== node) return false;
    const { property, computed } = member;
    const holder = names.parents.get(member);
    const isTarget =
      (holder?.type === 'AssignmentExpression' && holder.left === member) ||
      holder?.type === 'UpdateExpression' ||
      holder?.type === 'UnaryExpression' ||
      (holder?.type === 'CallExpression' && holder.callee === member) ||
      /Pattern$|^RestElement$|^For(In|Of)Statement$|^Property$/.test(holder?.type ?? '');
    if (isTarget) return false;
    return computed
      ? property.type === 'Literal' && Number.isInteger(property.value) && Number(property.value) >= 0
      : property.type === 'Identifier' && property.name === 'length';
  });
  return !isRead || names.references.some(({ binding, writes }) => writes && binding?.kind === 'parameter');
}

/**
 * @param {Binding} binding
 * @param {Names} names
 * @returns {boolean} whether it is one of `let`, `const` or `class`, which cannot be used before they are reached
 */
export function isLexical(binding, names) {
  return binding.kind === 'class' || /^(let|const|using|await using)$/.test(kindOf(binding, names));
}

/**
 * @param {Binding} binding
 * @param {Names} names
 * @returns {boolean} whether to assign to it throws; a function's own name counts, where that does nothing or throws
 */
export function isConstant(binding, names) {
  const isOwnName = binding.kind === 'function' && !binding.isThereOnEntry;
  return isOwnName || /^(const|using|await using)$/.test(kindOf(binding, names));
}

/** @param {Binding} binding @param {Names} names @returns {string} `var` where no declaration says otherwise */
function kindOf({ declarations }, names) {
  for (let at = /** @type {AnyNode | undefined} */ (declarations[0]); at; at = names.parents.get(at)) {
    if (at.type === 'VariableDeclaration') return at.kind;
    if ('params' in at) break;
  }
  return 'var';
}

/**
 * @param {FunctionNode} fn
 * @returns {boolean} whether it sets strict mode
 */
export function isStrict(fn) {
  return someNode(fn, (node) => node.type === 'ExpressionStatement' && node.directive === 'use strict');
}
