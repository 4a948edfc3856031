// Writes a filter function as a Mango selector, where one passes the same documents whatever they hold.

import { memberName } from '../../javascript/parse.js';
import { all, any } from './selector-parts.js';

/** @import { BinaryExpression, Expression, Statement } from 'acorn' */
/** @import { FunctionNode } from '../../javascript/parse.js' */
/** @import { Selector } from './selector-parts.js' */

/** Names a selector would take for something else: a path, an operator, a prototype; and the length, which no field has. */
const NO_FIELD = /[.\\]|^\$|^__proto__$|^length$/;

/** Of the members CouchDB adds, a filter and a selector are shown only these alike (couch_changes.erl filter, 3.5.2). */
const SYSTEM_FIELD = /^_(?!id$|rev$|deleted$)/;

/** Tests after which a filter is too large to be worth a selector. */
const MAX_TESTS = 300;

/** Thrown inside this module at what has no selector. */
class NoSelector extends Error {}

/** Comparisons of numbers, which a selector makes as JavaScript does. @type {Record<string, string>} */
const OPERATORS = { '<': '$lt', '<=': '$lte', '>': '$gt', '>=': '$gte' };
const MIRRORED = /** @type {Record<string, string>} */ ({ '<': '>', '<=': '>=', '>': '<', '>=': '<=' });
const NEGATED = /** @type {Record<string, string>} */ ({ '<': '>=', '<=': '>', '>': '<=', '>=': '<' });

/** Types that `typeof` and `$type` call by the same name, and mean the same by. */
const SAME_TYPES = ['number', 'string', 'boolean'];

const NOT_DELETED = { _deleted: { $exists: false } };

/** @typedef {{doc: string, req: string | undefined, count: number}} Names of the parameters, and how many tests were read */
/** @typedef {ReadonlySet<string>} Numbers fields that are numbers wherever the test is reached */

/**
 * @param {FunctionNode} fn a filter
 * @returns {{selector: Selector} | {unknown: string}} values from the request stand as `<req.query.name>`
 */
export function filterSelector(fn) {
  const [doc, req] = fn.params.map((param) => (param.type === 'Identifier' ? param.name : undefined));
  if (doc === undefined || doc === req) return { unknown: 'the filter has no plain first parameter' };
  if (fn.async || fn.generator) return { unknown: 'the filter is an async function or a generator' };
  try {
    const names = { doc, req, count: 0 };
    const { body } = fn;
    const selector =
      body.type === 'BlockStatement' ? resultOf(body.body, names, new Set()) : translate(body, true, names, new Set());
    if (typeof selector !== 'boolean') return { selector };
    return { unknown: `the filter passes ${selector ? 'every document' : 'no document'}` };
  } catch (error) {
    if (error instanceof NoSelector) return { unknown: error.message };
    if (error instanceof RangeError) return { unknown: 'the filter is nested too deeply' };
    throw error;
  }
}

/**
 * @param {readonly Statement[]} statements
 * @param {Names} names
 * @param {Numbers} numbers
 * @returns {Selector | boolean} what they let through: returns behind tests, and nothing else
 */
function resultOf(statements, names, numbers) {
  const [first, ...rest] = statements;
  if (!first) return false;
  if (first.type === 'ReturnStatement') return first.argument ? translate(first.argument, true, names, numbers) : false;
  if (first.type === 'BlockStatement' && rest.length === 0) return resultOf(first.body, names, numbers);
  if (first.type !== 'IfStatement' || !alwaysReturns(first.consequent))
    throw new NoSelector('the filter does more than return comparisons');
  const { test, consequent, alternate } = first;
  return choose(
    test,
    (known) => resultOf([consequent], names, known),
    (known) => resultOf(alternate ? [alternate, ...rest] : rest, names, known),
    names,
    numbers,
  );
}

/**
 * @param {Statement} statement
 * @returns {boolean}
 */
function alwaysReturns(statement) {
  if (statement.type === 'BlockStatement') return statement.body.some(alwaysReturns);
  if (statement.type === 'IfStatement')
    return alwaysReturns(statement.consequent) && Boolean(statement.alternate && alwaysReturns(statement.alternate));
  return statement.type === 'ReturnStatement';
}

/**
 * @param {Expression} test
 * @param {(numbers: Numbers) => Selector | boolean} consequent
 * @param {(numbers: Numbers) => Selector | boolean} alternate
 * @param {Names} names
 * @param {Numbers} numbers
 * @returns {Selector | boolean}
 */
function choose(test, consequent, alternate, names, numbers) {
  const then = consequent(new Set([...numbers, ...numbersBy(test, true, names)]));
  const otherwise = alternate(new Set([...numbers, ...numbersBy(test, false, names)]));
  const when = (/** @type {boolean} */ wanted) => translate(test, wanted, names, numbers);
  if (then === otherwise) return then;
  // Not every test can be turned round.
  if (then === true) return any([when(true), otherwise]);
  if (then === false) return all([when(false), otherwise]);
  if (otherwise === true) return any([when(false), then]);
  if (otherwise === false) return all([when(true), then]);
  return any([all([when(true), then]), all([when(false), otherwise])]);
}

/**
 * @param {Expression} node
 * @param {boolean} wanted
 * @param {Names} names
 * @param {Numbers} numbers
 * @returns {Selector | boolean} of the documents for which the expression is true, or is not, as `wanted` says
 */
function translate(node, wanted, names, numbers) {
  names.count += 1;
  if (names.count > MAX_TESTS) throw new NoSelector('the filter has too many conditions');
  switch (node.type) {
    case 'ParenthesizedExpression':
    case 'ChainExpression':
      return translate(node.expression, wanted, names, numbers);
    case 'UnaryExpression':
      if (node.operator !== '!') break;
      return translate(node.argument, !wanted, names, numbers);
    case 'Literal':
      if (typeof node.value !== 'boolean') break;
      return node.value === wanted;
    case 'LogicalExpression': {
      if (node.operator === '??') break;
      const isAnd = node.operator === '&&';
      const known = new Set([...numbers, ...numbersBy(node.left, isAnd, names)]);
      const parts = [translate(node.left, wanted, names, numbers), translate(node.right, wanted, names, known)];
      return isAnd === wanted ? all(parts) : any(parts);
    }
    case 'ConditionalExpression':
      return choose(
        node.test,
        (known) => translate(node.consequent, wanted, names, known),
        (known) => translate(node.alternate, wanted, names, known),
        names,
        numbers,
      );
    case 'BinaryExpression':
      return comparison(node, wanted, names, numbers);
    case 'MemberExpression':
      // It is true, or is not there.
      if (fieldOf(node, names.doc) === '_deleted') return wanted ? { _deleted: true } : NOT_DELETED;
      break;
    default:
  }
  throw new NoSelector('the filter tests more than comparisons of fields');
}

/**
 * @param {BinaryExpression} node
 * @param {boolean} wanted
 * @param {Names} names
 * @param {Numbers} numbers
 * @returns {Selector | boolean}
 */
function comparison(node, wanted, names, numbers) {
  const { left, right } = node;
  if (left.type === 'PrivateIdentifier') throw new NoSelector('the filter reads a private member');
  const typed = typeTest(node, names);
  if (typed) return equality(typed.field, { $type: typed.type }, typed.isEqual === wanted);
  const leftField = fieldOf(left, names.doc);
  const field = leftField ?? fieldOf(right, names.doc);
  const other = leftField === undefined ? left : right;
  if (field === undefined) throw new NoSelector('the filter compares something other than a field of the document');
  const operator = leftField === undefined ? (MIRRORED[node.operator] ?? node.operator) : node.operator;
  const value = constantOf(other, names.req);
  if (field === '_deleted' && typeof value === 'boolean' && /^[!=]==?$/.test(operator)) {
    // What is not there is no constant, and equal to none.
    const isDeleted = value && operator.startsWith('=') === wanted;
    if (isDeleted) return { _deleted: true };
    return value ? NOT_DELETED : operator.startsWith('!') === wanted;
  }
  // The id and the revision are texts: nothing else can be like a text.
  const isStrict = operator.length === 3 || (/^_(?:id|rev)$/.test(field) && typeof value === 'string');
  if (isStrict && /^[!=]/.test(operator)) return equality(field, value, operator.startsWith('=') === wanted);
  if (operator === '==' || operator === '!=')
    throw new NoSelector(`the filter uses \`${operator}\`, which converts strings, numbers and arrays`);
  const turned = wanted ? operator : (NEGATED[operator] ?? operator);
  const name = OPERATORS[turned];
  if (name === undefined) throw new NoSelector(`the filter uses \`${operator}\``);
  if (typeof value !== 'number')
    throw new NoSelector('the filter orders strings by code unit, and a selector by Unicode collation');
  if (!numbers.has(field))
    throw new NoSelector(
      `\`${operator}\` converts strings, booleans and null to numbers unless a \`typeof\` before it rules them out`,
    );
  return { [field]: { [name]: value, $type: 'number' } };
}

/**
 * @param {string} field
 * @param {unknown} condition
 * @param {boolean} isEqual
 * @returns {Selector}
 */
function equality(field, condition, isEqual) {
  if (isEqual) return { [field]: condition };
  // A selector skips what is missing, and over members of what is no object, whatever it tests
  // (mango_selector.erl match, 3.5.2): only a field of the document itself can be tested for presence.
  if (field.includes('.')) throw new NoSelector('the filter tests what a nested field is not');
  const other = condition !== null && typeof condition === 'object' ? { $not: condition } : { $ne: condition };
  return { $or: [{ [field]: { $exists: false } }, { [field]: other }] };
}

/**
 * @param {Expression} node
 * @param {boolean} holds whether it is true
 * @param {Names} names
 * @returns {string[]} fields that are numbers then
 */
function numbersBy(node, holds, names) {
  if (node.type === 'ParenthesizedExpression') return numbersBy(node.expression, holds, names);
  if (node.type === 'UnaryExpression' && node.operator === '!') return numbersBy(node.argument, !holds, names);
  if (node.type === 'LogicalExpression' && node.operator === (holds ? '&&' : '||'))
    return [...numbersBy(node.left, holds, names), ...numbersBy(node.right, holds, names)];
  const typed = node.type === 'BinaryExpression' ? typeTest(node, names) : undefined;
  return typed?.type === 'number' && typed.isEqual === holds ? [typed.field] : [];
}

/**
 * @param {BinaryExpression} node
 * @param {Names} names
 * @returns {{field: string, type: string, isEqual: boolean} | undefined} of `typeof doc.total === 'number'`
 */
function typeTest({ operator, left, right }, names) {
  if (!/^[!=]==?$/.test(operator)) return undefined;
  const [typeTest, type] = left.type === 'UnaryExpression' ? [left, right] : [right, left];
  if (typeTest.type !== 'UnaryExpression' || typeTest.operator !== 'typeof') return undefined;
  if (type.type !== 'Literal' || typeof type.value !== 'string' || !SAME_TYPES.includes(type.value)) return undefined;
  const field = fieldOf(typeTest.argument, names.doc);
  if (field === undefined || field.startsWith('_')) return undefined;
  return { field, type: type.value, isEqual: operator.startsWith('=') };
}

/**
 * @param {Expression} node
 * @param {string} doc
 * @returns {string | undefined} `address.town` for `doc.address.town`
 */
function fieldOf(node, doc) {
  if (node.type === 'ChainExpression' || node.type === 'ParenthesizedExpression') return fieldOf(node.expression, doc);
  if (node.type !== 'MemberExpression') return undefined;
  const name = memberName(node);
  if (name === undefined || node.object.type === 'Super') return undefined;
  if (NO_FIELD.test(name)) throw new NoSelector(`a selector cannot name \`${name}\``);
  if (node.object.type === 'Identifier' && SYSTEM_FIELD.test(name))
    throw new NoSelector(`a selector sees a different \`${name}\` than a filter`);
  if (node.object.type === 'Identifier') return node.object.name === doc ? name : undefined;
  const parent = fieldOf(node.object, doc);
  // Letters of a text have numbers for names; a selector finds none there.
  if (parent !== undefined && /^\d+$/.test(name)) throw new NoSelector(`a selector cannot use \`${name}\` of a string`);
  return parent === undefined ? undefined : `${parent}.${name}`;
}

/**
 * @param {Expression} node
 * @param {string | undefined} req
 * @returns {unknown}
 */
function constantOf(node, req) {
  if (node.type === 'ParenthesizedExpression') return constantOf(node.expression, req);
  if (node.type === 'UnaryExpression' && node.operator === '-' && node.argument.type === 'Literal') {
    const value = constantOf(node.argument, req);
    if (typeof value === 'number') return -value;
  }
  if (node.type === 'Literal') {
    const { value } = node;
    if (typeof value === 'string' || typeof value === 'boolean') return value;
    // JavaScript rounds larger ones, and a selector does not.
    if (typeof value === 'number' && value <= Number.MAX_SAFE_INTEGER) return value;
  }
  if (
    node.type === 'MemberExpression' &&
    node.object.type === 'MemberExpression' &&
    node.object.object.type === 'Identifier'
  ) {
    const name = memberName(node);
    if (node.object.object.name === req && memberName(node.object) === 'query' && name) return `<req.query.${name}>`;
  }
  throw new NoSelector('the filter compares a field with something other than a constant');
}
