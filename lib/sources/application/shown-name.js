// Names a call as it is written, and the function that it stands in. What may hold a password is left out.

import { bare } from '../../javascript/parse.js';
import { oneLine } from '../../shared/printable.js';
import { nameOf, propertyName } from './code.js';
import { functionAround } from './enclosing.js';

/** @import { AnyNode, CallExpression } from 'acorn' */
/** @import { Code } from './code.js' */

/** Characters of a name that are shown. */
const MAX_NAME = 60;

/**
 * @param {CallExpression} node
 * @param {Code} code
 * @returns {string} `db.view('orders', 'by_status', …)`
 */
export function shownName(node, code) {
  const literals = [];
  for (const item of node.arguments) {
    if (item.type !== 'Literal' || typeof item.value !== 'string') break;
    literals.push(isAddress(item) ? '…' : code.source(item));
  }
  const rest = literals.length < node.arguments.length ? [...literals, '…'] : literals;
  const name = `${shownCallee(node.callee, code)}(${rest.join(', ')})`;
  return oneLine(name, MAX_NAME);
}

/**
 * @param {AnyNode} node
 * @param {Code} code
 * @returns {string} as it is written, without addresses and options, which may hold a password
 */
export function shownCallee(node, code) {
  const inner = bare(node);
  if (inner.type === 'AwaitExpression') return `(await ${shownCallee(inner.argument, code)})`;
  if (inner.type === 'MemberExpression') {
    const key = code.source(inner.property);
    return shownCallee(inner.object, code) + (inner.computed ? `[${key}]` : `.${key}`);
  }
  if (inner.type !== 'CallExpression' && inner.type !== 'NewExpression') return onOneLine(code.source(inner));
  const isPlain = inner.arguments.every(
    (item) => (item.type === 'Literal' && !isAddress(item)) || ['Identifier', 'MemberExpression'].includes(item.type),
  );
  const given = isPlain ? inner.arguments.map((item) => code.source(item)).join(', ') : '…';
  return `${inner.type === 'NewExpression' ? 'new ' : ''}${shownCallee(inner.callee, code)}(${given})`;
}

/** @param {string} text @returns {string} */
function onOneLine(text) {
  return text.replace(/\s*\n\s*/g, '').replace(/\s+/g, ' ');
}

/** @param {import('acorn').Literal} literal @returns {boolean} */
function isAddress({ value }) {
  return typeof value === 'string' && value.includes('//');
}

/**
 * @param {AnyNode} node
 * @param {Code} code
 * @returns {string | null} of the function that it stands in: `loadOrders`, `Orders.load`
 */
export function functionName(node, code) {
  for (let fn = functionAround(node, code); fn; fn = functionAround(fn, code)) {
    if ('id' in fn && fn.id) return fn.id.name;
    const parent = code.parentOf(fn);
    if (parent?.type === 'VariableDeclarator' && parent.id.type === 'Identifier') return parent.id.name;
    if (parent?.type === 'Property' || parent?.type === 'PropertyDefinition') return nameOf(parent.key) ?? null;
    if (parent?.type === 'MethodDefinition') {
      const owner = code.parentOf(/** @type {AnyNode} */ (code.parentOf(parent)));
      const name = nameOf(parent.key) ?? null;
      const isNamed = (owner?.type === 'ClassDeclaration' || owner?.type === 'ClassExpression') && owner.id;
      return isNamed && name !== null ? `${isNamed.name}.${name}` : name;
    }
    if (parent?.type === 'AssignmentExpression' && parent.left.type === 'MemberExpression')
      return propertyName(parent.left) ?? null;
  }
  return null;
}
