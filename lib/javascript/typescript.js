// Knows the nodes of TypeScript: which of them hold code that runs, and what an expression is without its types.

/** @import { AnyNode, Identifier } from 'acorn' */

/**
 * A node of TypeScript, as acorn-typescript makes it. Acorn's own types know none of them.
 * @typedef {object} TypeScriptNode
 * @property {string} type
 * @property {number} start
 * @property {number} end
 * @property {AnyNode} [expression] what a type is written to
 * @property {AnyNode} [parameter] of a parameter property
 * @property {AnyNode} [id]
 */

/** Nodes with code in them and where they keep it, in the order of the text. All other nodes of TypeScript are types. */
export const TYPESCRIPT_PLACES = Object.freeze({
  TSAsExpression: 'expression',
  TSEnumDeclaration: 'id members',
  TSEnumMember: 'initializer',
  TSExportAssignment: 'expression',
  TSExternalModuleReference: 'expression',
  TSImportEqualsDeclaration: 'id moduleReference',
  TSInstantiationExpression: 'expression',
  TSModuleBlock: 'body',
  TSModuleDeclaration: 'body',
  TSNonNullExpression: 'expression',
  TSParameterProperty: 'parameter',
  TSSatisfiesExpression: 'expression',
  TSTypeAssertion: 'expression',
});

/** Expressions with a type, which have the value of the expression in them. */
const WRAPPERS = new Set([
  'TSAsExpression',
  'TSInstantiationExpression',
  'TSNonNullExpression',
  'TSSatisfiesExpression',
  'TSTypeAssertion',
]);

/** What declares a name, and as what. @type {Map<string, 'variable' | 'import'>} */
const DECLARING = new Map([
  ['TSEnumDeclaration', 'variable'],
  ['TSImportEqualsDeclaration', 'import'],
  ['TSModuleDeclaration', 'variable'],
]);

/**
 * @param {{type: string}} node
 * @returns {boolean} whether it is a type, or a declaration of one: nothing of it runs
 */
export function isTypeNode({ type }) {
  return type.startsWith('TS') && !Object.hasOwn(TYPESCRIPT_PLACES, type);
}

/**
 * @param {AnyNode} node
 * @returns {AnyNode | undefined} the expression in `value as T`, `value!`, `<T>value`, `value satisfies T` and `value<T>`
 */
export function unwrapType(node) {
  return WRAPPERS.has(node.type) ? asTypeScript(node).expression : undefined;
}

/**
 * @param {AnyNode} node
 * @returns {AnyNode} the parameter in `constructor(private db: Database)`, or the node itself
 */
export function withoutAccess(node) {
  const typed = asTypeScript(node);
  return typed.type === 'TSParameterProperty' && typed.parameter ? typed.parameter : node;
}

/**
 * @param {AnyNode} node
 * @returns {{id: Identifier, kind: 'variable' | 'import'} | undefined} the name that an enum, a namespace or
 *   `import x = require('x')` declares
 */
export function declaredByTypeScript(node) {
  const { type, id } = asTypeScript(node);
  const kind = DECLARING.get(type);
  return kind && id?.type === 'Identifier' ? { id, kind } : undefined;
}

/**
 * @param {AnyNode} node
 * @returns {TypeScriptNode}
 */
function asTypeScript(node) {
  return /** @type {TypeScriptNode} */ (/** @type {unknown} */ (node));
}
