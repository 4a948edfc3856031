// Walks a syntax tree without judging it: the children of a node, every node of a tree. Works without recursion, so
// that no nesting is too deep for it.

import { isTypeNode, TYPESCRIPT_PLACES } from './typescript.js';

/** @import { AnyNode } from 'acorn' */

/** Where nodes of a type keep their children, in the order of the text. @type {Map<string, readonly string[]>} */
const PLACES = new Map(
  Object.entries({
    ArrayExpression: 'elements',
    ArrayPattern: 'elements',
    ArrowFunctionExpression: 'params body',
    AssignmentExpression: 'left right',
    AssignmentPattern: 'left right',
    BinaryExpression: 'left right',
    BlockStatement: 'body',
    BreakStatement: 'label',
    CallExpression: 'callee arguments',
    CatchClause: 'param body',
    ConditionalExpression: 'test consequent alternate',
    ContinueStatement: 'label',
    DebuggerStatement: '',
    DoWhileStatement: 'body test',
    EmptyStatement: '',
    ExpressionStatement: 'expression',
    ForInStatement: 'left right body',
    ForOfStatement: 'left right body',
    ForStatement: 'init test update body',
    FunctionDeclaration: 'id params body',
    FunctionExpression: 'id params body',
    Identifier: '',
    IfStatement: 'test consequent alternate',
    LabeledStatement: 'label body',
    Literal: '',
    LogicalExpression: 'left right',
    MemberExpression: 'object property',
    NewExpression: 'callee arguments',
    ObjectExpression: 'properties',
    ObjectPattern: 'properties',
    ParenthesizedExpression: 'expression',
    Property: 'key value',
    ReturnStatement: 'argument',
    SequenceExpression: 'expressions',
    SpreadElement: 'argument',
    SwitchCase: 'test consequent',
    SwitchStatement: 'discriminant cases',
    ThisExpression: '',
    ThrowStatement: 'argument',
    TryStatement: 'block handler finalizer',
    UnaryExpression: 'argument',
    UpdateExpression: 'argument',
    VariableDeclaration: 'declarations',
    VariableDeclarator: 'id init',
    WhileStatement: 'test body',
    ...TYPESCRIPT_PLACES,
  }).map(([type, places]) => [type, places === '' ? [] : places.split(' ')]),
);

/**
 * @param {AnyNode} node
 * @returns {AnyNode[]} its direct children, in the order of the text
 */
export function childrenOf(node) {
  /** @type {AnyNode[]} */
  const children = [];
  pushChildren(node, children);
  return children;
}

/**
 * @param {AnyNode} node
 * @param {AnyNode[]} list its children are added to the end of it, in the order of the text
 */
export function pushChildren(node, list) {
  const fields = /** @type {Record<string, unknown>} */ (/** @type {unknown} */ (node));
  const places = PLACES.get(node.type);
  if (places) for (const place of places) pushNodes(fields[place], list);
  else pushChildrenOfRareNode(node, list);
}

/**
 * @param {unknown} value a node, a list of nodes with holes, or nothing
 * @param {AnyNode[]} list
 */
function pushNodes(value, list) {
  if (Array.isArray(value)) for (const item of value) pushNodes(item, list);
  else if (isNode(value)) list.push(value);
}

/**
 * Looks everywhere: templates hold their texts and their values in two lists, and editions to come have nodes of their own.
 * Types are left out: no name in them is a variable.
 * @param {AnyNode} node
 * @param {AnyNode[]} list
 */
function pushChildrenOfRareNode(node, list) {
  if (isTypeNode(node)) return;
  /** @type {AnyNode[]} */
  const children = [];
  for (const value of Object.values(node)) pushNodes(value, children);
  // `export { orders }` has one node in two places.
  list.push(
    ...[...new Set(children)].filter((child) => !isTypeNode(child)).sort((first, second) => first.start - second.start),
  );
}

/**
 * @param {unknown} value
 * @returns {value is AnyNode}
 */
function isNode(value) {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

/**
 * @param {readonly AnyNode[]} roots
 * @param {(node: AnyNode) => void} visit called with each node, in the order of the text
 */
export function walkNodes(roots, visit) {
  const open = [...roots].reverse();
  for (let node = open.pop(); node; node = open.pop()) {
    visit(node);
    const from = open.length;
    pushChildren(node, open);
    turnAround(open, from);
  }
}

/**
 * @param {AnyNode} root
 * @param {(node: AnyNode) => boolean} fits
 * @returns {boolean} whether it, or a node in it, fits
 */
export function someNode(root, fits) {
  let found = false;
  walkNodes([root], (node) => {
    found ||= fits(node);
  });
  return found;
}

/**
 * @param {unknown[]} list
 * @param {number} from the items from here to the end change their order
 */
export function turnAround(list, from) {
  for (let low = from, high = list.length - 1; low < high; low += 1, high -= 1) {
    const item = list[low];
    list[low] = list[high];
    list[high] = item;
  }
}
