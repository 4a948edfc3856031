// A syntax tree in, every use of a name out, with the variable it means or none for a free name. Says nothing of values.

import { namesIn } from './scope.js';
import { childrenOf } from './walk.js';

/** @import { AnyNode, Class, Expression, Function as AnyFunction, Identifier, Pattern } from 'acorn' */

/**
 * @typedef {object} Variable
 * @property {string} name
 * @property {'parameter' | 'local'} kind
 * @property {number} writeCount how many places give it a value, its declaration with a value and a parameter included
 * @property {Expression | undefined} init the value it is declared with, where its declaration is a plain `name = value`
 */

/**
 * @typedef {object} Reference
 * @property {Identifier} node
 * @property {Variable | undefined} variable undefined for a free name
 * @property {boolean} isRead
 * @property {boolean} isWrite
 * @property {boolean} isTypeof whether only its type is asked for, which throws for no name
 * @property {boolean} isCaught whether it stands in a `try` whose errors are caught
 */

/**
 * @typedef {object} Scopes
 * @property {Reference[]} references in the order of the text, declarations without a value left out
 * @property {Map<Identifier, Reference>} byNode
 * @property {Set<string>} typeofNames free names whose type is asked for somewhere
 * @property {boolean} hasWith whether a `with` makes names uncertain
 */

class Scope {
  /** @type {Map<string, Variable>} */
  #variables = new Map();

  /** @param {Scope} [parent] */
  constructor(parent) {
    this.parent = parent;
  }

  /**
   * @param {string} name
   * @param {Variable['kind']} kind
   * @returns {Variable} the same for a name that is declared again
   */
  declare(name, kind) {
    let variable = this.#variables.get(name);
    if (!variable) {
      variable = { name, kind, writeCount: kind === 'parameter' ? 1 : 0, init: undefined };
      this.#variables.set(name, variable);
    }
    return variable;
  }

  /**
   * @param {string} name
   * @returns {Variable | undefined}
   */
  find(name) {
    /** @type {Scope | undefined} */
    let scope = this;
    while (scope) {
      const variable = scope.#variables.get(name);
      if (variable) return variable;
      scope = scope.parent;
    }
    return undefined;
  }
}

/** @typedef {{scope: Scope, isCaught: boolean}} Context */

/**
 * @param {readonly AnyNode[]} roots statements, or one function
 * @returns {Scopes}
 */
export function readScopes(roots) {
  const reader = new ScopeReader();
  const scope = new Scope();
  hoist(scope, roots);
  for (const root of roots) reader.visit(root, { scope, isCaught: false });
  return reader;
}

/** @implements {Scopes} */
class ScopeReader {
  /** @type {Reference[]} */
  references = [];
  /** @type {Map<Identifier, Reference>} */
  byNode = new Map();
  /** @type {Set<string>} */
  typeofNames = new Set();
  hasWith = false;

  /**
   * @param {AnyNode | null | undefined} node
   * @param {Context} context
   */
  visit(node, context) {
    if (!node) return;
    switch (node.type) {
      case 'Identifier':
        this.refer(node, context, { isRead: true });
        break;
      case 'MemberExpression':
        this.visitPath(node, context);
        break;
      case 'Property':
      case 'MethodDefinition':
      case 'PropertyDefinition':
        if (node.computed) this.visit(node.key, context);
        this.visit(node.value, context);
        break;
      case 'FunctionDeclaration':
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        this.visitFunction(node, context);
        break;
      case 'ClassDeclaration':
      case 'ClassExpression':
        this.visitClass(node, context);
        break;
      case 'VariableDeclarator':
        this.visit(node.init, context);
        if (node.init) this.write(node.id, context, node.init);
        else this.visitDefaults(node.id, context);
        break;
      case 'AssignmentExpression':
        this.write(node.left, context, undefined, node.operator !== '=');
        this.visit(node.right, context);
        break;
      case 'UpdateExpression':
        this.write(node.argument, context, undefined, true);
        break;
      case 'UnaryExpression':
        this.visitUnary(node, context);
        break;
      case 'ForInStatement':
      case 'ForOfStatement': {
        const inner = block(context, [node.left]);
        if (node.left.type === 'VariableDeclaration') {
          for (const { id } of node.left.declarations) this.write(id, inner);
        } else {
          this.write(node.left, inner);
        }
        this.visit(node.right, inner);
        this.visit(node.body, inner);
        break;
      }
      case 'ForStatement':
        this.visitAll(node, block(context, node.init ? [node.init] : []));
        break;
      case 'BlockStatement':
      case 'StaticBlock':
        this.visitAll(node, block(context, node.body));
        break;
      case 'SwitchStatement': {
        this.visit(node.discriminant, context);
        const inner = block(
          context,
          node.cases.flatMap(({ consequent }) => consequent),
        );
        for (const item of node.cases) this.visit(item, inner);
        break;
      }
      case 'TryStatement':
        this.visit(node.block, node.handler ? { ...context, isCaught: true } : context);
        this.visit(node.handler, context);
        this.visit(node.finalizer, context);
        break;
      case 'CatchClause': {
        const inner = { ...context, scope: new Scope(context.scope) };
        if (node.param) {
          for (const name of namesIn(node.param)) inner.scope.declare(name, 'parameter');
          this.visitDefaults(node.param, inner);
        }
        this.visit(node.body, inner);
        break;
      }
      case 'LabeledStatement':
        this.visit(node.body, context);
        break;
      case 'BreakStatement':
      case 'ContinueStatement':
      case 'MetaProperty':
        break;
      case 'WithStatement':
        this.hasWith = true;
        this.visitAll(node, context);
        break;
      default:
        this.visitAll(node, context);
    }
  }

  /**
   * @param {AnyNode} node
   * @param {Context} context
   */
  visitAll(node, context) {
    for (const child of childrenOf(node)) this.visit(child, context);
  }

  /**
   * A long chain of members is parsed without recursion, so it is read without recursion too.
   * @param {AnyNode} node
   * @param {Context} context
   */
  visitPath(node, context) {
    /** @type {Expression[]} */
    const keys = [];
    /** @type {AnyNode} */
    let at = node;
    while (at.type === 'MemberExpression') {
      if (at.computed && at.property.type !== 'PrivateIdentifier') keys.push(at.property);
      at = at.object;
    }
    this.visit(at, context);
    for (const key of keys.reverse()) this.visit(key, context);
  }

  /**
   * @param {AnyFunction} node
   * @param {Context} context
   */
  visitFunction(node, context) {
    const outer = new Scope(context.scope);
    if (node.type === 'FunctionExpression' && node.id) outer.declare(node.id.name, 'parameter');
    const scope = new Scope(outer);
    if (node.type !== 'ArrowFunctionExpression') scope.declare('arguments', 'parameter');
    for (const param of node.params) for (const name of namesIn(param)) scope.declare(name, 'parameter');
    // What a function does when it is called later is not caught where it is written.
    const inner = { scope, isCaught: context.isCaught };
    for (const param of node.params) this.visitDefaults(param, inner);
    if (node.body.type === 'BlockStatement') {
      hoist(scope, node.body.body);
      for (const statement of node.body.body) this.visit(statement, inner);
    } else {
      this.visit(node.body, inner);
    }
  }

  /**
   * @param {Class} node
   * @param {Context} context
   */
  visitClass(node, context) {
    const inner = { ...context, scope: new Scope(context.scope) };
    if (node.id) inner.scope.declare(node.id.name, 'parameter');
    this.visit(node.superClass, inner);
    this.visit(node.body, inner);
  }

  /**
   * @param {import('acorn').UnaryExpression} node
   * @param {Context} context
   */
  visitUnary({ operator, argument }, context) {
    const bare = withoutParentheses(argument);
    if (operator !== 'typeof' || bare.type !== 'Identifier') {
      this.visit(argument, context);
      return;
    }
    this.refer(bare, context, { isRead: true, isTypeof: true });
  }

  /**
   * @param {AnyNode} target what is assigned to
   * @param {Context} context
   * @param {Expression} [init] of a declaration
   * @param {boolean} [isRead] whether the old value is read too
   */
  write(target, context, init, isRead = false) {
    switch (target.type) {
      case 'Identifier': {
        const { variable } = this.refer(target, context, { isRead, isWrite: true });
        if (!variable) break;
        variable.writeCount += 1;
        variable.init = variable.writeCount === 1 ? init : undefined;
        break;
      }
      case 'ParenthesizedExpression':
        this.write(target.expression, context, undefined, isRead);
        break;
      case 'ObjectPattern':
        for (const item of target.properties) {
          if (item.type === 'RestElement') {
            this.write(item.argument, context);
          } else {
            if (item.computed) this.visit(item.key, context);
            this.write(item.value, context);
          }
        }
        break;
      case 'ArrayPattern':
        for (const item of target.elements) if (item) this.write(item, context);
        break;
      case 'AssignmentPattern':
        this.visit(target.right, context);
        this.write(target.left, context);
        break;
      case 'RestElement':
        this.write(target.argument, context);
        break;
      default:
        this.visit(target, context);
    }
  }

  /**
   * The expressions in a pattern whose names have their values from elsewhere: parameters, a caught error.
   * @param {Pattern} pattern
   * @param {Context} context
   */
  visitDefaults(pattern, context) {
    switch (pattern.type) {
      case 'ObjectPattern':
        for (const item of pattern.properties) {
          if (item.type === 'RestElement') continue;
          if (item.computed) this.visit(item.key, context);
          this.visitDefaults(item.value, context);
        }
        break;
      case 'ArrayPattern':
        for (const item of pattern.elements) if (item) this.visitDefaults(item, context);
        break;
      case 'AssignmentPattern':
        this.visit(pattern.right, context);
        this.visitDefaults(pattern.left, context);
        break;
      case 'RestElement':
        this.visitDefaults(pattern.argument, context);
        break;
      default:
    }
  }

  /**
   * @param {Identifier} node
   * @param {Context} context
   * @param {{isRead?: boolean, isWrite?: boolean, isTypeof?: boolean}} use
   * @returns {Reference}
   */
  refer(node, { scope, isCaught }, { isRead = false, isWrite = false, isTypeof = false }) {
    const reference = { node, variable: scope.find(node.name), isRead, isWrite, isTypeof, isCaught };
    this.references.push(reference);
    this.byNode.set(node, reference);
    if (isTypeof && !reference.variable) this.typeofNames.add(node.name);
    return reference;
  }
}

/**
 * @param {Context} context
 * @param {readonly AnyNode[]} statements of the block
 * @returns {Context} with a scope of its own, where the block declares names
 */
function block(context, statements) {
  const scope = new Scope(context.scope);
  for (const statement of statements) declareLexical(scope, statement);
  return { ...context, scope };
}

/**
 * Declares what a body declares for the whole of it: its `var`s and functions at any depth of blocks (in sloppy code a
 * function in a block is seen outside it too), and what its outermost statements declare.
 * @param {Scope} scope
 * @param {readonly AnyNode[]} body
 */
function hoist(scope, body) {
  for (const statement of body) declareLexical(scope, statement);
  const open = [...body];
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.type === 'FunctionDeclaration') {
      if (node.id) scope.declare(node.id.name, 'local').writeCount += 1;
    } else if (node.type === 'VariableDeclaration' && node.kind === 'var') {
      for (const { id } of node.declarations) for (const name of namesIn(id)) scope.declare(name, 'local');
    } else if (/(?:Statement|Case|Clause)$/.test(node.type) && node.type !== 'ExpressionStatement') {
      open.push(...childrenOf(node));
    }
  }
}

/**
 * @param {Scope} scope
 * @param {AnyNode} statement
 */
function declareLexical(scope, statement) {
  if (statement.type === 'ClassDeclaration' && statement.id) {
    scope.declare(statement.id.name, 'local').writeCount += 1;
  } else if (statement.type === 'VariableDeclaration' && statement.kind !== 'var') {
    for (const { id } of statement.declarations) for (const name of namesIn(id)) scope.declare(name, 'local');
  }
}

/**
 * @param {Expression} node
 * @returns {Expression}
 */
export function withoutParentheses(node) {
  let bare = node;
  while (bare.type === 'ParenthesizedExpression') bare = bare.expression;
  return bare;
}
