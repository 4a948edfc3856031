// Writes a filter function as a Mango selector, where it only compares fields with constants or with `req.query`.

/** @import { AnyNode, BinaryExpression, Expression, MemberExpression } from 'acorn' */
/** @import { FunctionNode } from './parse.js' */

/** @typedef {Record<string, unknown>} Selector */

/** Names a selector would take for something else: a path, an operator, a prototype; and the length, which no field has. */
const NO_FIELD = /[.\\]|^\$|^__proto__$|^length$/;

/** Thrown inside this module at what has no selector. */
class NoSelector extends Error {}

/** Comparisons that a selector makes as JavaScript does where both sides have one type. @type {Record<string, string>} */
const OPERATORS = { '<': '$lt', '<=': '$lte', '>': '$gt', '>=': '$gte' };
const MIRRORED = /** @type {Record<string, string>} */ ({ '<': '>', '<=': '>=', '>': '<', '>=': '<=' });

/**
 * @param {FunctionNode} fn a filter
 * @returns {{selector: Selector} | {unknown: string}} values from the request stand as `<req.query.name>`
 */
export function filterSelector(fn) {
  const [doc, req] = fn.params.map((param) => (param.type === 'Identifier' ? param.name : undefined));
  if (doc === undefined || doc === req) return { unknown: 'the filter has no plain first parameter' };
  if (fn.async || fn.generator) return { unknown: 'the filter is async, or a generator' };
  try {
    const expression = resultOf(fn);
    return { selector: translate(expression, doc, req) };
  } catch (error) {
    if (error instanceof NoSelector) return { unknown: error.message };
    if (error instanceof RangeError) return { unknown: 'the filter is nested too deeply' };
    throw error;
  }
}

/**
 * @param {FunctionNode} fn
 * @returns {Expression} what it returns, where it is one return, or `if (…) return true; return false;`
 */
function resultOf(fn) {
  if (fn.body.type !== 'BlockStatement') return fn.body;
  const [first, second, ...rest] = fn.body.body;
  if (first?.type === 'ReturnStatement' && first.argument && !second) return first.argument;
  if (first?.type === 'IfStatement' && rest.length === 0) {
    const other = first.alternate ?? second;
    const isOne = !(first.alternate && second);
    if (isOne && returned(first.consequent) === true && (other === undefined || returned(other) === false))
      return first.test;
  }
  throw new NoSelector('the filter does more than return one comparison');
}

/**
 * @param {AnyNode} statement
 * @returns {boolean | undefined} the constant it returns
 */
function returned(statement) {
  if (statement.type === 'BlockStatement' && statement.body.length === 1)
    return returned(/** @type {AnyNode} */ (statement.body[0]));
  if (statement.type !== 'ReturnStatement') return undefined;
  if (!statement.argument) return false;
  return statement.argument.type === 'Literal' && typeof statement.argument.value === 'boolean'
    ? statement.argument.value
    : undefined;
}

/**
 * @param {Expression} node
 * @param {string} doc name of the document's parameter
 * @param {string | undefined} req name of the request's parameter
 * @returns {Selector}
 */
function translate(node, doc, req) {
  if (node.type === 'ParenthesizedExpression') return translate(node.expression, doc, req);
  if (node.type === 'LogicalExpression' && node.operator !== '??') {
    const parts = [translate(node.left, doc, req), translate(node.right, doc, req)];
    if (node.operator === '||') return { $or: parts };
    const keys = parts.flatMap(Object.keys);
    return new Set(keys).size === keys.length ? Object.assign({}, ...parts) : { $and: parts };
  }
  if (node.type === 'BinaryExpression' && node.left.type !== 'PrivateIdentifier')
    return comparison(node, node.left, doc, req);
  throw new NoSelector('the filter tests more than comparisons of fields');
}

/**
 * @param {BinaryExpression} node
 * @param {Expression} left
 * @param {string} doc
 * @param {string | undefined} req
 * @returns {Selector}
 */
function comparison({ operator, right }, left, doc, req) {
  const leftField = fieldOf(left, doc);
  const field = leftField ?? fieldOf(right, doc);
  const other = leftField === undefined ? left : right;
  if (field === undefined) throw new NoSelector('the filter compares something other than a field of the document');
  const value = constantOf(other, req);
  if (operator === '===' || operator === '==') return { [field]: value };
  // A selector passes over what is missing (mango_selector.erl match, 3.5.2), and `!==` does not.
  if (operator === '!==' || operator === '!=') {
    return { $or: [{ [field]: { $exists: false } }, { [field]: { $ne: value } }] };
  }
  const turned = leftField === undefined ? (MIRRORED[operator] ?? operator) : operator;
  const name = OPERATORS[turned];
  if (name === undefined) throw new NoSelector(`the filter uses \`${operator}\``);
  return { [field]: { [name]: value } };
}

/**
 * @param {Expression} node
 * @param {string} doc
 * @returns {string | undefined} `address.town` for `doc.address.town`
 */
function fieldOf(node, doc) {
  if (node.type === 'ChainExpression' || node.type === 'ParenthesizedExpression') return fieldOf(node.expression, doc);
  if (node.type !== 'MemberExpression') return undefined;
  const name = nameOf(node);
  if (name === undefined || node.object.type === 'Super') return undefined;
  if (NO_FIELD.test(name)) throw new NoSelector(`a selector cannot name \`${name}\``);
  if (node.object.type === 'Identifier') return node.object.name === doc ? name : undefined;
  const parent = fieldOf(node.object, doc);
  return parent === undefined ? undefined : `${parent}.${name}`;
}

/**
 * @param {MemberExpression} node
 * @returns {string | undefined}
 */
function nameOf({ computed, property }) {
  if (!computed) return property.type === 'Identifier' ? property.name : undefined;
  return property.type === 'Literal' && typeof property.value === 'string' ? property.value : undefined;
}

/**
 * @param {Expression} node
 * @param {string | undefined} req
 * @returns {unknown}
 */
function constantOf(node, req) {
  if (node.type === 'ParenthesizedExpression') return constantOf(node.expression, req);
  if (node.type === 'UnaryExpression' && node.operator === '-' && node.argument.type === 'Literal') {
    if (typeof node.argument.value === 'number') return -node.argument.value;
  }
  if (
    node.type === 'Literal' &&
    (typeof node.value === 'string' || typeof node.value === 'number' || typeof node.value === 'boolean')
  ) {
    return node.value;
  }
  if (
    node.type === 'MemberExpression' &&
    node.object.type === 'MemberExpression' &&
    node.object.object.type === 'Identifier'
  ) {
    const name = nameOf(node);
    if (node.object.object.name === req && nameOf(node.object) === 'query' && name) return `<req.query.${name}>`;
  }
  throw new NoSelector('the filter compares a field with something other than a constant');
}
