// Names to variables: where each name of a function is declared. Says nothing of values.

/** @import { AnyNode, Pattern, Program, Statement, VariableDeclaration } from 'acorn' */

export class Scope {
  /** @type {Map<string, symbol>} */
  #names = new Map();

  /** @param {Scope} [parent] */
  constructor(parent) {
    this.parent = parent;
  }

  /**
   * @param {string} name
   * @returns {symbol} the variable, which stays the same when it is declared again
   */
  declare(name) {
    const known = this.#names.get(name);
    if (known) return known;
    const variable = Symbol(name);
    this.#names.set(name, variable);
    return variable;
  }

  /**
   * @param {string} name
   * @returns {symbol | undefined} the variable of the innermost scope that declares it; undefined for a free name
   */
  find(name) {
    return this.#names.get(name) ?? this.parent?.find(name);
  }
}

/**
 * @param {Pattern} pattern
 * @returns {string[]} the names it binds
 */
export function namesIn(pattern) {
  switch (pattern.type) {
    case 'Identifier':
      return [pattern.name];
    case 'ObjectPattern':
      return pattern.properties.flatMap((item) => namesIn(item.type === 'RestElement' ? item.argument : item.value));
    case 'ArrayPattern':
      return pattern.elements.flatMap((item) => (item ? namesIn(item) : []));
    case 'AssignmentPattern':
      return namesIn(pattern.left);
    case 'RestElement':
      return namesIn(pattern.argument);
    default:
      return [];
  }
}

/**
 * Declares what a function's body declares for the whole of it: its `var`s wherever they stand, and the functions,
 * classes, `let`s and `const`s of its outermost statements.
 * @param {Scope} scope
 * @param {readonly (Statement | Program['body'][number])[]} body
 */
export function hoist(scope, body) {
  for (const statement of body) {
    hoistVars(scope, statement);
    declareBlockNames(scope, statement);
  }
}

/**
 * @param {Scope} scope
 * @param {AnyNode} statement
 */
export function declareBlockNames(scope, statement) {
  if (statement.type === 'VariableDeclaration') declareAll(scope, statement);
  if ((statement.type === 'FunctionDeclaration' || statement.type === 'ClassDeclaration') && statement.id) {
    scope.declare(statement.id.name);
  }
}

/**
 * @param {Scope} scope
 * @param {VariableDeclaration} declaration
 */
export function declareAll(scope, declaration) {
  for (const { id } of declaration.declarations) for (const name of namesIn(id)) scope.declare(name);
}

/**
 * @param {Scope} scope
 * @param {AnyNode | null | undefined} node
 */
function hoistVars(scope, node) {
  if (!node) return;
  switch (node.type) {
    case 'VariableDeclaration':
      if (node.kind === 'var') declareAll(scope, node);
      break;
    case 'IfStatement':
      hoistVars(scope, node.consequent);
      hoistVars(scope, node.alternate);
      break;
    case 'ForStatement':
      hoistVars(scope, node.init);
      hoistVars(scope, node.body);
      break;
    case 'ForInStatement':
    case 'ForOfStatement':
      hoistVars(scope, node.left);
      hoistVars(scope, node.body);
      break;
    case 'WhileStatement':
    case 'DoWhileStatement':
    case 'LabeledStatement':
    case 'WithStatement':
      hoistVars(scope, node.body);
      break;
    case 'BlockStatement':
      for (const item of node.body) hoistVars(scope, item);
      break;
    case 'TryStatement':
      hoistVars(scope, node.block);
      hoistVars(scope, node.handler?.body);
      hoistVars(scope, node.finalizer);
      break;
    case 'SwitchStatement':
      for (const item of node.cases) for (const inner of item.consequent) hoistVars(scope, inner);
      break;
    default:
  }
}
