// Finds dates that start as the current moment and are then set part by part, so that a day which the month does not have
// rolls over into the next one.

import { bindingAt, isFunction, onlyValueOf } from './names.js';
import { bare, memberName } from './parse.js';

/** @import { AnyNode, CallExpression, NewExpression } from 'acorn' */
/** @import { MomentCall } from './effects.js' */
/** @import { Binding, Names } from './names.js' */

/** @typedef {{moment: NewExpression, setter: CallExpression}} Rollover `setter` is the call that may roll over */

/** @typedef {{call: CallExpression, method: string, part: 'FullYear' | 'Month' | 'Date', parts: number}} DaySetter */

/** Setters that move the day (ECMA-262, 21.4.4): those of hours, set from a clock, move it by their overflow only. */
const DAY_SETTER = /^set(?:UTC)?(FullYear|Month|Date)$/;
/** What replaces the whole date. */
const WHOLE = /^set(?:Time|Year)$/;
/** Months of 31 days, which no day overflows. */
const LONG_MONTHS = new Set([0, 2, 4, 6, 7, 9, 11]);
const SHORTEST_MONTH = 28;

/**
 * @param {Names} names
 * @param {MomentCall[]} moments
 * @returns {Rollover[]} one for each date, where it is certain that it can roll over
 */
export function listRollovers(names, moments) {
  return moments.flatMap(({ node, kind }) => {
    if (kind !== 'date' || node.type !== 'NewExpression') return [];
    const binding = bindingOf(node, names);
    const setter = binding && rollingSetter(binding, node, names);
    return setter ? [{ moment: node, setter }] : [];
  });
}

/**
 * @param {NewExpression} node
 * @param {Names} names
 * @returns {Binding | undefined} the variable that has it as its only value
 */
function bindingOf(node, names) {
  const parent = names.parents.get(node);
  if (parent?.type !== 'VariableDeclarator' || parent.id.type !== 'Identifier') return undefined;
  const binding = bindingAt(parent.id, names);
  return binding && onlyValueOf(binding, names) === node ? binding : undefined;
}

/**
 * Year, month and day have to be set one by one, each once and one after the other in the same block.
 * @param {Binding} binding
 * @param {NewExpression} moment its value
 * @param {Names} names
 * @returns {CallExpression | undefined}
 */
function rollingSetter(binding, moment, names) {
  const setters = daySetters(binding, functionAround(moment, names), names);
  if (!setters || setters.some(({ parts }) => parts !== 1)) return undefined;
  const order = setters.map(({ part }) => part);
  if (new Set(order).size !== order.length) return undefined;
  const month = setters.find(({ part }) => part === 'Month');
  const day = setters.find(({ part }) => part === 'Date');
  if (!month || !day || order.length < 3 || blockOf(month.call, names) !== blockOf(day.call, names)) return undefined;
  if (setters.indexOf(month) < setters.indexOf(day))
    return LONG_MONTHS.has(constantOf(month.call)) ? undefined : month.call;
  return constantOf(day.call) <= SHORTEST_MONTH ? undefined : day.call;
}

/**
 * @param {Binding} binding
 * @param {AnyNode | undefined} fn the function that makes the date
 * @param {Names} names
 * @returns {DaySetter[] | undefined} in the order of the text; undefined where the date may be changed elsewhere
 */
function daySetters({ references }, fn, names) {
  /** @type {DaySetter[]} */
  const setters = [];
  let isPassedOn = false;
  for (const { node, writes } of references.toSorted((one, other) => one.node.start - other.node.start)) {
    if (writes) continue;
    const member = names.parents.get(node);
    const call = member && names.parents.get(member);
    const isCall =
      member?.type === 'MemberExpression' && call?.type === 'CallExpression' && bare(call.callee) === member;
    if (!isCall) {
      isPassedOn = true;
      continue;
    }
    const method = memberName(member) ?? '';
    const [, part] = DAY_SETTER.exec(method) ?? [];
    if (WHOLE.test(method)) return undefined;
    if (!part) continue;
    // What got hold of it before may have set the day.
    if (isPassedOn || functionAround(call, names) !== fn) return undefined;
    setters.push({ call, method, part: /** @type {DaySetter['part']} */ (part), parts: call.arguments.length });
  }
  return setters;
}

/**
 * @param {AnyNode} node
 * @param {Names} names
 * @returns {AnyNode | undefined}
 */
function functionAround(node, { parents }) {
  let at = parents.get(node);
  while (at && !isFunction(at)) at = parents.get(at);
  return at;
}

/**
 * @param {AnyNode} call
 * @param {Names} names
 * @returns {AnyNode | undefined} the block that it is a statement of
 */
function blockOf(call, { parents }) {
  const statement = parents.get(call);
  return statement?.type === 'ExpressionStatement' ? parents.get(statement) : undefined;
}

/**
 * @param {CallExpression} call
 * @returns {number} its first argument; NaN where it is no constant
 */
function constantOf({ arguments: [first] }) {
  const value = first && bare(/** @type {AnyNode} */ (first));
  return value?.type === 'Literal' && typeof value.value === 'number' ? value.value : Number.NaN;
}
