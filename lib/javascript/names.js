// Resolves the names of a text: where each is declared, and where it is read and written. Everything that needs to know
// what a name means builds on it. Walks the tree without recursion, so that no nesting is too deep for it.

import { declaredByTypeScript, withoutAccess } from './typescript.js';
import { pushChildren, turnAround } from './walk.js';

/** @import { AnyNode, Identifier } from 'acorn' */

/**
 * @typedef {object} Binding A declared name.
 * @property {string} name
 * @property {'parameter' | 'variable' | 'function' | 'class' | 'catch' | 'import'} kind of the first declaration
 * @property {ScopeNode} scope the function, block or text that declares it
 * @property {Identifier[]} declarations where it is declared, in the order of the text
 * @property {boolean} isThereOnEntry whether it is declared for the whole scope. False for the own name of a function or
 *   class expression, which is there before, and for a function that a block, a label or an `if` hands to the scope when it
 *   is reached (ECMA-262 B.3.3)
 * @property {Reference[]} references every use, in the order of the text; a declaration with a value counts as a write
 */

/**
 * @typedef {object} Reference One use of a name.
 * @property {string} name
 * @property {Identifier} node
 * @property {Binding | undefined} binding undefined where no part of the text declares the name
 * @property {boolean} reads
 * @property {boolean} writes
 * @property {boolean} declares whether the write is that of the declaration itself (`var total = 0`)
 */

/**
 * @typedef {object} ScopeNode
 * @property {AnyNode | undefined} node undefined for the text as a whole
 * @property {ScopeNode | undefined} parent
 * @property {Map<string, Binding>} bindings
 * @property {boolean} isFunction whether `var` belongs to it: functions, static blocks and the text as a whole
 */

/**
 * @typedef {object} Names
 * @property {AnyNode[]} nodes every node, parents before children, in the order of the text
 * @property {Map<AnyNode, AnyNode>} parents
 * @property {Reference[]} references
 * @property {Map<Identifier, Reference>} byNode
 * @property {Map<Identifier, Binding>} declared by each identifier that declares one
 * @property {Map<AnyNode, ScopeNode>} scopes of functions and blocks, by their node
 * @property {ScopeNode} top the text as a whole
 */

const FUNCTION_TYPES = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);
const BLOCK_SCOPES = new Set([
  'BlockStatement',
  'ForStatement',
  'ForInStatement',
  'ForOfStatement',
  'SwitchStatement',
  'CatchClause',
  'StaticBlock',
  'TSModuleBlock',
]);

/**
 * @param {readonly AnyNode[]} roots
 * @returns {Names}
 */
export function resolveNames(roots) {
  /** @type {ScopeNode} */
  const top = { node: undefined, parent: undefined, bindings: new Map(), isFunction: true };
  /** @type {Names} */
  const names = {
    nodes: [],
    parents: new Map(),
    references: [],
    byNode: new Map(),
    declared: new Map(),
    scopes: new Map(),
    top,
  };
  /** @type {{node: Identifier, scope: ScopeNode}[]} */
  const uses = [];
  const waiting = [...roots].reverse();
  // The scopes that the waiting nodes stand in: what one node adds is all in one scope.
  const scopes = waiting.map(() => top);
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    const outer = /** @type {ScopeNode} */ (scopes.pop());
    names.nodes.push(node);
    const scope = scopeFor(node, outer, names.parents);
    if (scope !== outer) names.scopes.set(node, scope);
    declare(node, scope, outer, names);
    if (node.type === 'Identifier') {
      if (isUse(node, names.parents)) uses.push({ node, scope });
      continue;
    }
    const from = waiting.length;
    pushChildren(node, waiting);
    turnAround(waiting, from);
    for (let at = from; at < waiting.length; at += 1) {
      names.parents.set(/** @type {AnyNode} */ (waiting[at]), node);
      scopes.push(scope);
    }
  }
  for (const { node, scope } of uses) addReference(names, node, scope);
  return names;
}

/**
 * @param {AnyNode} node
 * @returns {node is import('./parse.js').FunctionNode}
 */
export function isFunction(node) {
  return FUNCTION_TYPES.has(node.type);
}

/**
 * @param {AnyNode} node
 * @param {ScopeNode} outer
 * @param {Map<AnyNode, AnyNode>} parents
 * @returns {ScopeNode} the scope its children are in
 */
function scopeFor(node, outer, parents) {
  if (isFunction(node)) return { node, parent: outer, bindings: new Map(), isFunction: true };
  const isNamedClass = node.type === 'ClassExpression' && Boolean(node.id);
  if (!isNamedClass && !BLOCK_SCOPES.has(node.type)) return outer;
  // The body of a function and its parameters are one scope here: no caller needs the difference.
  const parent = parents.get(node);
  if (node.type === 'BlockStatement' && parent && isFunction(parent)) return outer;
  return { node, parent: outer, bindings: new Map(), isFunction: node.type === 'StaticBlock' };
}

/**
 * @param {AnyNode} node
 * @param {ScopeNode} scope the scope inside the node
 * @param {ScopeNode} outer the scope it stands in
 * @param {Names} names `declared` is filled
 */
function declare(node, scope, outer, names) {
  switch (node.type) {
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression': {
      for (const param of node.params) for (const id of boundIn(param)) add(names, scope, id, 'parameter');
      if (node.type === 'ArrowFunctionExpression' || !node.id) break;
      if (node.type === 'FunctionExpression') add(names, scope, node.id, 'function', false);
      else {
        // In sloppy code a function in a block is seen in the whole function (ECMA-262 B.3.3).
        const owner = functionScope(outer);
        const parent = names.parents.get(node)?.type;
        add(names, outer, node.id, 'function', parent !== 'LabeledStatement' && parent !== 'IfStatement');
        if (owner !== outer) add(names, owner, node.id, 'function', false);
      }
      break;
    }
    case 'ClassDeclaration':
      if (node.id) add(names, outer, node.id, 'class');
      break;
    case 'ClassExpression':
      if (node.id) add(names, scope, node.id, 'class', false);
      break;
    case 'VariableDeclaration': {
      const owner = node.kind === 'var' ? functionScope(outer) : outer;
      for (const { id } of node.declarations) for (const name of boundIn(id)) add(names, owner, name, 'variable');
      break;
    }
    case 'CatchClause':
      if (node.param) for (const id of boundIn(node.param)) add(names, scope, id, 'catch');
      break;
    case 'ImportDeclaration':
      for (const { local } of node.specifiers) add(names, scope, local, 'import');
      break;
    default: {
      const declared = declaredByTypeScript(node);
      if (declared) add(names, outer, declared.id, declared.kind);
    }
  }
}

/**
 * @param {ScopeNode} scope
 * @returns {ScopeNode}
 */
function functionScope(scope) {
  let at = scope;
  while (!at.isFunction && at.parent) at = at.parent;
  return at;
}

/**
 * @param {Names} names
 * @param {ScopeNode} scope
 * @param {Identifier} id
 * @param {Binding['kind']} kind
 * @param {boolean} [isThereOnEntry]
 */
function add({ declared }, scope, id, kind, isThereOnEntry = true) {
  const { name } = id;
  let binding = scope.bindings.get(name);
  if (!binding) {
    binding = { name, kind, scope, declarations: [], isThereOnEntry: false, references: [] };
    scope.bindings.set(name, binding);
  }
  binding.declarations.push(id);
  binding.isThereOnEntry ||= isThereOnEntry;
  if (!declared.has(id)) declared.set(id, binding);
}

/**
 * @param {AnyNode} node a pattern
 * @returns {Identifier[]} the names it binds
 */
export function boundIn(node) {
  const pattern = withoutAccess(node);
  switch (pattern.type) {
    case 'Identifier':
      return [pattern];
    case 'ObjectPattern':
      return pattern.properties.flatMap((item) => boundIn(item.type === 'Property' ? item.value : item.argument));
    case 'ArrayPattern':
      return pattern.elements.flatMap((item) => (item ? boundIn(item) : []));
    case 'AssignmentPattern':
      return boundIn(pattern.left);
    case 'RestElement':
      return boundIn(pattern.argument);
    default:
      return [];
  }
}

/**
 * @param {AnyNode} pattern
 * @returns {string[]} the names it binds
 */
export function namesIn(pattern) {
  return boundIn(pattern).map(({ name }) => name);
}

/**
 * @param {Identifier} node
 * @param {Map<AnyNode, AnyNode>} parents
 * @returns {boolean} whether it means a variable: no member name, key, label or name of a function
 */
function isUse(node, parents) {
  const parent = parents.get(node);
  switch (parent?.type) {
    case 'MemberExpression':
      return parent.object === node || parent.computed;
    case 'Property':
    case 'MethodDefinition':
    case 'PropertyDefinition':
      return parent.value === node || parent.computed;
    case 'LabeledStatement':
    case 'BreakStatement':
    case 'ContinueStatement':
    case 'MetaProperty':
    case 'ImportSpecifier':
    case 'ImportDefaultSpecifier':
    case 'ImportNamespaceSpecifier':
    case 'ImportAttribute':
    case 'ExportAllDeclaration':
      return false;
    case 'ExportSpecifier': {
      const declaration = parents.get(parent);
      return parent.local === node && declaration?.type === 'ExportNamedDeclaration' && !declaration.source;
    }
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ClassDeclaration':
    case 'ClassExpression':
      return parent.id !== node;
    default:
      return !parent || declaredByTypeScript(parent)?.id !== node;
  }
}

/**
 * @param {Names} names
 * @param {Identifier} node
 * @param {ScopeNode} scope
 */
function addReference(names, node, scope) {
  const role = roleOf(node, names.parents);
  if (!role) return;
  /** @type {Binding | undefined} */
  let binding;
  for (let at = /** @type {ScopeNode | undefined} */ (scope); at && !binding; at = at.parent) {
    binding = at.bindings.get(node.name);
  }
  const reference = { name: node.name, node, binding, ...role };
  names.references.push(reference);
  names.byNode.set(node, reference);
  binding?.references.push(reference);
}

/**
 * @param {Identifier} node
 * @param {Map<AnyNode, AnyNode>} parents
 * @returns {{reads: boolean, writes: boolean, declares: boolean} | undefined} undefined for a mere declaration
 */
function roleOf(node, parents) {
  /** @type {AnyNode} */
  let at = node;
  let parent = parents.get(at);
  // Climbs from a name inside a pattern to what the pattern is for.
  while (
    parent &&
    (withoutAccess(parent) === at ||
      parent.type === 'ObjectPattern' ||
      parent.type === 'ArrayPattern' ||
      parent.type === 'RestElement' ||
      (parent.type === 'AssignmentPattern' && parent.left === at) ||
      (parent.type === 'Property' && parent.value === at && parents.get(parent)?.type === 'ObjectPattern'))
  ) {
    at = parent;
    parent = parents.get(at);
  }
  const read = { reads: true, writes: false, declares: false };
  if (!parent) return read;
  switch (parent.type) {
    case 'AssignmentExpression':
      if (parent.left !== at) return read;
      return { reads: parent.operator !== '=', writes: true, declares: false };
    case 'UpdateExpression':
      return { reads: true, writes: true, declares: false };
    case 'ForInStatement':
    case 'ForOfStatement':
      return parent.left === at ? { reads: false, writes: true, declares: false } : read;
    case 'VariableDeclarator': {
      if (parent.id !== at) return read;
      const loop = parents.get(/** @type {AnyNode} */ (parents.get(parent)));
      const isLoop = loop?.type === 'ForInStatement' || loop?.type === 'ForOfStatement';
      return parent.init || isLoop ? { reads: false, writes: true, declares: true } : undefined;
    }
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      return parent.body === at ? read : undefined;
    case 'CatchClause':
      return undefined;
    default:
      return read;
  }
}

/**
 * @param {Identifier} id
 * @param {Names} names of the text that it stands in
 * @returns {Binding | undefined} what is declared or used there; undefined where no part of the text declares the name
 */
export function bindingAt(id, names) {
  return names.byNode.get(id)?.binding ?? names.declared.get(id);
}

/**
 * @param {AnyNode} node
 * @param {Names['parents']} parents
 * @returns {boolean} whether the node is strict code: in a class, or under `"use strict"`
 */
export function isStrict(node, parents) {
  for (let at = /** @type {AnyNode | undefined} */ (node); at; at = parents.get(at)) {
    if (at.type === 'ClassBody') return true;
    if (!isFunction(at) || at.body.type !== 'BlockStatement') continue;
    for (const statement of at.body.body) {
      if (statement.type !== 'ExpressionStatement' || !('directive' in statement)) break;
      if (statement.directive === 'use strict') return true;
    }
  }
  return false;
}

/**
 * @param {Binding} binding
 * @param {Names} names
 * @returns {AnyNode | undefined} the value of a variable that is declared with it and never given another
 */
export function onlyValueOf(binding, names) {
  const [write, ...others] = binding.references.filter(({ writes }) => writes);
  if (binding.kind !== 'variable' || !write?.declares || others.length > 0) return undefined;
  const declarator = names.parents.get(write.node);
  return declarator?.type === 'VariableDeclarator' ? (declarator.init ?? undefined) : undefined;
}

/**
 * @param {Names} names
 * @returns {Set<string>} the names that the text does not declare and tests the type of, which throws for no name
 */
export function typeofNames({ references, parents }) {
  const tested = references.filter(({ node, binding }) => !binding && isTypeTested(node, parents));
  return new Set(tested.map(({ name }) => name));
}

/**
 * @param {AnyNode} node
 * @param {Names['parents']} parents
 * @returns {boolean} whether it is `typeof node`, or `typeof (node)`, which throws for no name
 */
export function isTypeTested(node, parents) {
  let parent = parents.get(node);
  while (parent?.type === 'ParenthesizedExpression') parent = parents.get(parent);
  return parent?.type === 'UnaryExpression' && parent.operator === 'typeof';
}
