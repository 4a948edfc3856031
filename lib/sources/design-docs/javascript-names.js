// A program's syntax tree in, its names with what is written to them out, and the expressions that may be design
// documents. Follows scopes as JavaScript does; runs nothing and evaluates nothing.

/** @import { AnyNode, AssignmentExpression, CallExpression, MemberExpression, ObjectExpression, Program } from 'acorn' */

/**
 * @typedef {object} Binding One declared name.
 * @property {string} name
 * @property {Written[]} values each value it is given; a name is only followed where there is exactly one
 * @property {string} [reason] why no value can be told: a parameter, an import
 * @property {Member[]} members written to the object that it holds
 */
/** @typedef {{node: AnyNode, scope: Scope}} Written an expression, and the scope its names belong to */
/** @typedef {{path: string[], value: Written, target: AnyNode, keyStart: number, keyEnd: number}} Member a value written below an object */
/** @typedef {{parent: Scope | undefined, isFunction: boolean, names: Map<string, Binding>}} Scope */

/**
 * @typedef {object} Names
 * @property {Binding} exports what the module exports, CommonJS or ES
 * @property {Binding[]} bindings
 * @property {{target: MemberExpression, value: Written}[]} memberWrites `x.y = value`, in the order of the text
 * @property {{node: ObjectExpression, scope: Scope}[]} objects every object literal
 * @property {{node: CallExpression, scope: Scope}[]} calls every call with arguments
 */

/** Nodes with names of their own. A function's body is a block inside the function's scope. */
const BLOCKS = new Set(['BlockStatement', 'ForStatement', 'ForInStatement', 'ForOfStatement', 'SwitchStatement']);

/**
 * @param {Program} program
 * @returns {Names}
 */
export function collectNames(program) {
  /** @type {Names} */
  const names = { exports: createBinding('exports'), bindings: [], memberWrites: [], objects: [], calls: [] };
  /** @type {Scope} */
  const root = { parent: undefined, isFunction: true, names: new Map() };
  /** @type {{node: AssignmentExpression, scope: Scope}[]} */
  const assignments = [];
  /** @type {{name: string, scope: Scope}[]} */
  const otherWrites = [];

  // A stack and no recursion: chains of members may be deeper than the stack of the program.
  /** @type {{node: AnyNode, scope: Scope}[]} */
  const stack = [{ node: program, scope: root }];
  for (let item = stack.pop(); item; item = stack.pop()) {
    const { node } = item;
    const scope = enterScope(node, item.scope, names);
    if (node.type === 'ObjectExpression') names.objects.push({ node, scope });
    else if (node.type === 'CallExpression' && node.arguments.length > 0) names.calls.push({ node, scope });
    else if (node.type === 'AssignmentExpression') assignments.push({ node, scope });
    else if (node.type === 'UpdateExpression' && node.argument.type === 'Identifier') {
      otherWrites.push({ name: node.argument.name, scope });
    } else if (node.type === 'ForInStatement' || node.type === 'ForOfStatement') {
      for (const name of patternNames(node.left)) otherWrites.push({ name, scope });
    }
    for (const child of childrenOf(node).reverse()) stack.push({ node: child, scope });
  }
  // Only now are all declarations known: a function may write to a name that is declared below it.
  for (const { name, scope } of otherWrites) {
    const binding = findBinding(scope, name);
    if (binding) binding.reason = `\`${name}\` changes as the program runs`;
  }
  for (const { node, scope } of assignments) addAssignment(node, scope, root, names);
  return names;
}

/**
 * @param {Scope | undefined} scope
 * @param {string} name
 * @returns {Binding | undefined} what the name stands for in that scope
 */
export function findBinding(scope, name) {
  for (let at = scope; at; at = at.parent) {
    const binding = at.names.get(name);
    if (binding) return binding;
  }
  return undefined;
}

/**
 * Declares what the node declares.
 * @param {AnyNode} node
 * @param {Scope} scope the scope it stands in
 * @param {Names} names
 * @returns {Scope} the scope of what stands inside the node
 */
function enterScope(node, scope, names) {
  /** @param {Scope} where @param {string} name @param {Written | undefined} value @param {string} [reason] */
  const declare = (where, name, value, reason) => {
    const known = where.names.get(name);
    const binding = known ?? createBinding(name);
    if (value) binding.values.push(value);
    if (reason) binding.reason = reason;
    if (known) return;
    where.names.set(name, binding);
    names.bindings.push(binding);
  };
  switch (node.type) {
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression': {
      /** @type {Scope} */
      const inner = { parent: scope, isFunction: true, names: new Map() };
      if (node.type === 'FunctionDeclaration' && node.id) declare(scope, node.id.name, { node, scope });
      else if (node.type === 'FunctionExpression' && node.id) declare(inner, node.id.name, { node, scope });
      for (const param of node.params) {
        for (const name of patternNames(param)) declare(inner, name, undefined, `\`${name}\` is a parameter`);
      }
      return inner;
    }
    case 'ClassDeclaration':
      if (node.id) declare(scope, node.id.name, undefined, `\`${node.id.name}\` is a class`);
      return scope;
    case 'CatchClause': {
      const inner = childScope(scope);
      for (const name of patternNames(node.param)) declare(inner, name, undefined, `\`${name}\` is a caught error`);
      return inner;
    }
    case 'ImportDeclaration':
      for (const { local } of node.specifiers) {
        declare(scope, local.name, undefined, `\`${local.name}\` comes from ${String(node.source.raw)}`);
      }
      return scope;
    case 'VariableDeclaration': {
      const where = node.kind === 'var' ? functionScope(scope) : scope;
      for (const { id, init } of node.declarations) {
        if (id.type === 'Identifier') declare(where, id.name, init ? { node: init, scope } : undefined);
        else
          for (const name of patternNames(id))
            declare(where, name, undefined, `\`${name}\` is taken out of another value`);
      }
      return scope;
    }
    case 'ExportNamedDeclaration':
      addExports(node, scope, names);
      return scope;
    case 'ExportDefaultDeclaration':
      names.exports.values.push({ node: node.declaration, scope });
      return scope;
    default:
      return BLOCKS.has(node.type) ? childScope(scope) : scope;
  }
}

/**
 * `export const orders = …` and `export { orders }` are members of what the module exports.
 * @param {import('acorn').ExportNamedDeclaration} node
 * @param {Scope} scope
 * @param {Names} names
 */
function addExports(node, scope, names) {
  if (node.source) return;
  const declarators = node.declaration?.type === 'VariableDeclaration' ? node.declaration.declarations : [];
  for (const { id } of declarators) {
    if (id.type !== 'Identifier') continue;
    const value = { node: id, scope };
    names.exports.members.push({ path: [id.name], value, target: id, keyStart: id.start, keyEnd: id.end });
  }
  for (const { local, exported } of node.specifiers) {
    const name = exported.type === 'Identifier' ? exported.name : String(exported.value);
    const { start: keyStart, end: keyEnd } = exported;
    names.exports.members.push({ path: [name], value: { node: local, scope }, target: local, keyStart, keyEnd });
  }
}

/**
 * @param {AssignmentExpression} node
 * @param {Scope} scope
 * @param {Scope} root
 * @param {Names} names
 */
function addAssignment(node, scope, root, names) {
  const value = { node: node.right, scope };
  const { left } = node;
  if (left.type === 'MemberExpression') {
    if (node.operator !== '=') return;
    if (isModuleExports(left, scope)) names.exports.values.push(value);
    else names.memberWrites.push({ target: left, value });
    return;
  }
  for (const name of patternNames(left)) {
    let binding = findBinding(scope, name);
    // `exports = module.exports = {…}` is the usual spelling; the inner assignment says what is exported.
    if (!binding && name === 'exports') continue;
    if (!binding) {
      // An undeclared name is a global; old scripts keep their design document in one.
      binding = createBinding(name);
      root.names.set(name, binding);
      names.bindings.push(binding);
    }
    binding.values.push(value);
    if (left.type !== 'Identifier' || node.operator !== '=') binding.reason = `\`${name}\` is computed`;
  }
}

/**
 * @param {AnyNode} node
 * @param {Scope} scope
 * @returns {boolean} whether it is `module.exports`
 */
export function isModuleExports(node, scope) {
  return (
    node.type === 'MemberExpression' &&
    !node.computed &&
    node.object.type === 'Identifier' &&
    node.object.name === 'module' &&
    node.property.type === 'Identifier' &&
    node.property.name === 'exports' &&
    !findBinding(scope, 'module')
  );
}

/**
 * @param {AnyNode | null | undefined} pattern
 * @returns {string[]} the names that the pattern gives values to
 */
function patternNames(pattern) {
  /** @type {string[]} */
  const found = [];
  const stack = [pattern];
  while (stack.length > 0) {
    const node = stack.pop();
    if (node?.type === 'Identifier') found.push(node.name);
    else if (node?.type === 'AssignmentPattern') stack.push(node.left);
    else if (node?.type === 'RestElement') stack.push(node.argument);
    else if (node?.type === 'ArrayPattern') stack.push(...node.elements);
    else if (node?.type === 'ObjectPattern') {
      for (const property of node.properties) stack.push(property.type === 'Property' ? property.value : property);
    }
  }
  return found;
}

/**
 * @param {AnyNode} node
 * @returns {AnyNode[]} the nodes right below it
 */
function childrenOf(node) {
  /** @type {AnyNode[]} */
  const children = [];
  for (const value of Object.values(/** @type {Record<string, unknown>} */ (/** @type {unknown} */ (node)))) {
    if (Array.isArray(value)) {
      for (const item of value) if (isNode(item)) children.push(item);
    } else if (isNode(value)) children.push(value);
  }
  return children;
}

/**
 * @param {unknown} value
 * @returns {value is AnyNode}
 */
function isNode(value) {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

/**
 * @param {string} name
 * @returns {Binding}
 */
function createBinding(name) {
  return { name, values: [], members: [] };
}

/**
 * @param {Scope} parent
 * @returns {Scope} the scope of a block
 */
function childScope(parent) {
  return { parent, isFunction: false, names: new Map() };
}

/**
 * @param {Scope} scope
 * @returns {Scope} the scope that `var` declares in
 */
function functionScope(scope) {
  let at = scope;
  while (!at.isFunction && at.parent) at = at.parent;
  return at;
}
