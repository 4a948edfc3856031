// Finds what a program keeps by name: `cache[name] = server.use(name)`, `databases.set(name, db)`. Any of it may be what is taken out again.

import { bindingAt } from '../../javascript/names.js';
import { bare } from '../../javascript/parse.js';
import { propertyName } from './code.js';
import { joined, somewhere } from './locations.js';

/** @import { AnyNode } from 'acorn' */
/** @import { Code } from './code.js' */
/** @import { Tracer } from './trace.js' */
/** @import { Value } from './value.js' */

/** What is stored, by the text of the object. @type {WeakMap<Code, Map<string, {holder: AnyNode, value: AnyNode}[]>>} */
const STORED = new WeakMap();

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
  return found.is === 'database' ? { ...somewhere(found), database: null } : found;
}

/** @param {Code} code @returns {Map<string, {holder: AnyNode, value: AnyNode}[]>} */
function storesIn(code) {
  const known = STORED.get(code);
  if (known) return known;
  /** @type {Map<string, {holder: AnyNode, value: AnyNode}[]>} */
  const found = new Map();
  STORED.set(code, found);
  for (const node of code.resolved.nodes) {
    const item = storeOf(node);
    if (!item) continue;
    const key = code.source(item.holder);
    found.set(key, [...(found.get(key) ?? []), item]);
  }
  return found;
}

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
