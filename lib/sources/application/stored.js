// Finds what a program keeps by name: `cache[name] = server.use(name)`, `databases.set(name, db)`. Any of it may be what is taken out again.

import { bindingAt } from '../../javascript/names.js';
import { bare } from '../../javascript/parse.js';
import { groupBy } from '../../shared/group-by.js';
import { remember } from '../../shared/recent-memory.js';
import { propertyName } from './code.js';
import { isNothing } from './enclosing.js';
import { joined } from './locations.js';

/** @import { AnyNode } from 'acorn' */
/** @import { Code } from './code.js' */
/** @import { Tracer } from './trace.js' */
/** @import { Value } from './value.js' */

/**
 * @param {Tracer} tracer
 * @param {AnyNode} holder an object or a `Map`: a name, or a member of `this`
 * @param {Code} code
 * @param {number} depth
 * @returns {Value | undefined} a client that is stored in it, whatever its name
 */
export function storedIn(tracer, holder, code, depth) {
  const node = bare(holder);
  if (node.type !== 'Identifier' && node.type !== 'MemberExpression') return undefined;
  const binding = node.type === 'Identifier' ? bindingAt(node, code.resolved) : undefined;
  const values = (storesIn(code).get(code.source(node)) ?? []).flatMap((item) =>
    item.holder.type === 'Identifier' && bindingAt(item.holder, code.resolved) !== binding
      ? []
      : tracer.value(item.value, code, depth),
  );
  const found = joined(values);
  if (found?.is !== 'database' && found?.is !== 'server' && found?.is !== 'instance') return undefined;
  // Each name has another database.
  return found.is === 'database' ? { ...found, database: null } : found;
}

/**
 * @param {Tracer} tracer
 * @param {import('acorn').MemberExpression} node `shop.db`
 * @param {Code} code
 * @param {number} depth
 * @returns {Value | undefined} what the file writes to this member: `shop.db = server.use('shop')`; `deferred.promise` is what resolves it
 */
export function writtenTo(tracer, node, code, depth) {
  const root = rootOf(node);
  const binding = root.type === 'Identifier' ? bindingAt(root, code.resolved) : undefined;
  if (!binding) return undefined;
  const values = (writesIn(code).get(code.source(node)) ?? []).flatMap((item) =>
    item.root.type === 'Identifier' && bindingAt(item.root, code.resolved) === binding
      ? [tracer.value(item.value, code, depth)]
      : [],
  );
  if (values.length === 0 && propertyName(node) === 'promise')
    return resolvedBy(tracer, /** @type {AnyNode} */ (node.object), code, depth);
  return joined(values);
}

/**
 * @param {Tracer} tracer
 * @param {AnyNode | undefined} resolve the name of what settles a promise
 * @param {Code} code
 * @param {number} depth
 * @returns {Value | undefined} what it is called with: `new Promise((resolve) => resolve(db))`, `deferred.resolve(db)`
 */
export function resolvedBy(tracer, resolve, code, depth) {
  const uses = resolve?.type === 'Identifier' ? (bindingAt(resolve, code.resolved)?.references ?? []) : [];
  const values = uses.flatMap(({ node }) => {
    const parent = code.parentOf(node);
    const isMethod =
      parent?.type === 'MemberExpression' && parent.object === node && propertyName(parent) === 'resolve';
    const callee = isMethod ? parent : node;
    const call = code.parentOf(callee);
    const isCalled = call?.type === 'CallExpression' && call.callee === callee;
    return (isCalled && tracer.value(call.arguments[0], code, depth)) || [];
  });
  return joined(values.filter(({ is }) => is !== 'text'));
}

/**
 * @param {AnyNode} object
 * @param {string} key
 * @param {Code} code
 * @returns {AnyNode[]} what the file always writes to a member of the object's name: `const shop = {}; shop.find = (query) => …`
 */
export function writtenToNameOf(object, key, code) {
  const parent = code.parentOf(object);
  const id = parent?.type === 'VariableDeclarator' && parent.init === object ? parent.id : undefined;
  if (id?.type !== 'Identifier') return [];
  const binding = bindingAt(id, code.resolved);
  return (writesIn(code).get(`${id.name}.${key}`) ?? []).flatMap(({ root, value }) =>
    root.type === 'Identifier' && bindingAt(root, code.resolved) === binding && isAlwaysRun(value, code) ? [value] : [],
  );
}

/** @param {AnyNode} value that is assigned @param {Code} code @returns {boolean} whether the assignment is a statement of the file, in no function and under no condition */
function isAlwaysRun(value, code) {
  const assignment = code.parentOf(value);
  const statement = assignment && code.parentOf(assignment);
  return statement?.type === 'ExpressionStatement' && (code.parentOf(statement)?.type ?? 'Program') === 'Program';
}

/** What is written to members, by the text of the member. */
const writesIn = remember((/** @type {Code} */ code) => {
  const writes = code.resolved.nodes.flatMap((node) =>
    node.type !== 'AssignmentExpression' || node.left.type !== 'MemberExpression' || isNothing(node.right)
      ? []
      : [{ text: code.source(node.left), root: rootOf(node.left), value: node.right }],
  );
  return groupBy(writes, ({ text }) => text);
});

/** @param {AnyNode} written @returns {AnyNode} `shop` of `shop.open.db` */
function rootOf(written) {
  let node = bare(written);
  while (node.type === 'MemberExpression' && !node.computed && node.object.type !== 'Super') node = bare(node.object);
  return node;
}

/** What is stored, by the text of the object. */
const storesIn = remember((/** @type {Code} */ code) =>
  groupBy(
    code.resolved.nodes.flatMap((node) => storeOf(node) ?? []),
    ({ holder }) => code.source(holder),
  ),
);

/** @param {AnyNode} node @returns {{holder: AnyNode, value: AnyNode} | undefined} */
function storeOf(node) {
  if (node.type === 'AssignmentExpression' && node.left.type === 'MemberExpression') {
    const { computed, object, property } = node.left;
    if (!computed || property.type === 'Literal' || object.type === 'Super') return undefined;
    return { holder: bare(object), value: node.right };
  }
  if (node.type !== 'CallExpression' || node.arguments.length !== 2) return undefined;
  const callee = bare(node.callee);
  const [, value] = node.arguments;
  if (callee.type !== 'MemberExpression' || propertyName(callee) !== 'set' || !value) return undefined;
  return callee.object.type === 'Super' ? undefined : { holder: bare(callee.object), value };
}
