// Lists the dates that a function makes, by how they depend on the time zone of the server.

import { bare, memberName } from './parse.js';

/** @import { AnyNode, NewExpression } from 'acorn' */
/** @import { Names } from './names.js' */

/**
 * How a date is made: of `parts` (`new Date(year, month, day)`) and of a `text` without a zone, both in local time; of an `other` value, which
 * may be a moment or a string.
 * @typedef {{node: NewExpression, kind: 'parts' | 'text' | 'other'}} MadeDate
 */

/** A day with a time, and days in the forms that engines read as local time (ECMA-262, 21.4.3.2; SpiderMonkey and QuickJS agree). */
const LOCAL_TEXT = /^(?:\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?|\d{4}\/\d\d?\/\d\d?|\d\d?\/\d\d?\/\d{4})$/;
/** The time behind a day: `doc.date + 'T00:00:00'` */
const LOCAL_END = /^T\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/;
/** Methods and functions that give a number. */
const NUMBER = /^(?:UTC|now|parse|getTime|valueOf|Number|parseInt|parseFloat)$/;
/** Methods of a date that use the local time zone (ECMA-262, 21.4.4), but for seconds, which no zone in use shifts. */
export const LOCAL_TIME_METHOD =
  /^(?:[gs]et(?:Hours|Minutes|Date|Day|Month|FullYear|Year)|getTimezoneOffset|toLocale\w*String|toLocaleFormat|to(?:Date|Time)?String)$/;

/**
 * @param {Names} names
 * @param {ReadonlySet<string>} written global names that the text gives a value
 * @returns {MadeDate[]} in the order of the text
 */
export function listDates({ nodes, byNode }, written) {
  return nodes.flatMap((node) => {
    if (node.type !== 'NewExpression') return [];
    const callee = bare(node.callee);
    const isDate = callee.type === 'Identifier' && callee.name === 'Date' && !byNode.get(callee)?.binding;
    if (!isDate || written.has('Date') || node.arguments.some(({ type }) => type === 'SpreadElement')) return [];
    return [{ node, kind: kindOf(node) }];
  });
}

/**
 * What can make the rows of a map depend on the time zone, where a trial has shown that they do.
 * @param {Names} names
 * @returns {NewExpression[]} none where a call of a local method can be the reason as well
 */
export function zoneCauses(names) {
  const usesLocal = names.nodes.some(
    (node) => node.type === 'MemberExpression' && LOCAL_TIME_METHOD.test(memberName(node) ?? ''),
  );
  if (usesLocal) return [];
  const dates = listDates(names, new Set());
  const local = dates.filter(({ kind }) => kind !== 'other');
  const texts = dates.filter(({ node }) => node.arguments.length === 1 && !isNumber(node.arguments[0]));
  return (local.length > 0 ? local : texts).map(({ node }) => node);
}

/**
 * @param {NewExpression} made
 * @returns {MadeDate['kind']}
 */
function kindOf({ arguments: given }) {
  const [first, second] = given;
  if (second) return 'parts';
  return first && isLocalText(bare(first)) ? 'text' : 'other';
}

/**
 * @param {AnyNode} node
 * @returns {boolean} whether it is certainly a date in local time
 */
function isLocalText(node) {
  if (node.type === 'Literal') return typeof node.value === 'string' && LOCAL_TEXT.test(node.value);
  if (node.type === 'TemplateLiteral')
    return node.expressions.length > 0 && LOCAL_END.test(node.quasis.at(-1)?.value.cooked ?? '');
  if (node.type !== 'BinaryExpression' || node.operator !== '+') return false;
  const end = bare(node.right);
  return end.type === 'Literal' && typeof end.value === 'string' && LOCAL_END.test(end.value);
}

/**
 * @param {AnyNode | undefined} node
 * @returns {boolean} whether it is certainly a number
 */
function isNumber(node) {
  const value = node && bare(node);
  if (value?.type === 'Literal') return typeof value.value === 'number';
  if (value?.type === 'UnaryExpression' || value?.type === 'UpdateExpression') return true;
  if (value?.type === 'BinaryExpression') return value.operator !== '+';
  if (value?.type !== 'CallExpression') return false;
  const callee = bare(value.callee);
  const name = callee.type === 'MemberExpression' ? memberName(callee) : callee.type === 'Identifier' && callee.name;
  return NUMBER.test(name || '');
}
