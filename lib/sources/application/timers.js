// Finds the timer that repeats a call: `setInterval`, a function that sets a timeout for itself, a schedule in the form of cron.

import { bindingAt, isFunction } from '../../javascript/names.js';
import { bare, memberName } from '../../javascript/parse.js';
import { functionAround } from './enclosing.js';

/** @import { AnyNode, CallExpression, Identifier, NewExpression } from 'acorn' */
/** @import { FunctionNode } from '../../javascript/parse.js' */
/** @import { Code } from './code.js' */
/** @import { CallTimer } from './record.js' */

/** Parents that make a timeout one of several ways on: a retry after an error, the end of a search. */
const BRANCHES = /^(?:IfStatement|ConditionalExpression|LogicalExpression|CatchClause|SwitchCase)$/;

/**
 * @param {CallExpression} call
 * @param {Code} code
 * @returns {CallTimer | null}
 */
export function timerAround(call, code) {
  for (let fn = functionAround(call, code); fn; fn = functionAround(fn, code)) {
    const timer = timerOf(fn, code);
    if (!timer) continue;
    const everyMs = scheduleOf(timer) ?? numberOf(timer.arguments[1], code);
    return { everyMs, place: code.file.place(timer.start, timer.end) };
  }
  return null;
}

/**
 * @param {FunctionNode} fn
 * @param {Code} code
 * @returns {CallExpression | NewExpression | undefined} what makes it run again and again
 */
function timerOf(fn, code) {
  const parent = code.parentOf(fn);
  if (isSchedule(parent, fn)) return /** @type {CallExpression} */ (parent);
  // `setInterval(() => …, 1000)`
  if (parent?.type === 'CallExpression' && parent.arguments[0] === fn)
    return isCallOf(parent, 'setInterval', code) ? parent : undefined;
  const id = 'id' in fn && fn.id ? fn.id : parent?.type === 'VariableDeclarator' ? parent.id : undefined;
  if (id?.type !== 'Identifier') return undefined;
  for (const { node } of bindingAt(/** @type {Identifier} */ (id), code.resolved)?.references ?? []) {
    const timer = timerThatRuns(node, code);
    if (!timer) continue;
    if (isSchedule(timer) || isCallOf(timer, 'setInterval', code)) return timer;
    const isOwn = timer.start > fn.start && timer.end < fn.end;
    if (isOwn && isCallOf(timer, 'setTimeout', code) && !isConditional(timer, fn, code)) return timer;
  }
  return undefined;
}

/**
 * @param {AnyNode} name of a function
 * @param {Code} code
 * @returns {CallExpression | NewExpression | undefined} `setTimeout(poll, 1000)`, `setTimeout(() => poll(), 1000)`, `cron.schedule('0 * * * *', poll)`
 */
function timerThatRuns(name, code) {
  let at = name;
  let parent = code.parentOf(at);
  if (parent?.type === 'CallExpression' && parent.callee === at) {
    const around = functionAround(parent, code);
    if (!around) return undefined;
    at = around;
    parent = code.parentOf(at);
  }
  if (isSchedule(parent, at)) return /** @type {CallExpression} */ (parent);
  return parent?.type === 'CallExpression' && parent.arguments[0] === at ? parent : undefined;
}

/** What node-cron, node-schedule and cron are called by, and a time as cron has it. */
const SCHEDULES = /^(?:schedule|scheduleJob|CronJob|Cron|job)$/;
const CRON = /^(?:[\d*/,-]+\s+){4,5}[\w*/,?#-]+$/;
const UNITS_MS = [1_000, 60_000, 3_600_000, 86_400_000];

/**
 * @param {AnyNode | undefined} node
 * @param {AnyNode} [fn] that it is to run
 * @returns {boolean} `cron.schedule('0 * * * *', fn)`, `new CronJob('0 * * * *', fn)`
 */
function isSchedule(node, fn) {
  if (node?.type !== 'CallExpression' && node?.type !== 'NewExpression') return false;
  const callee = bare(node.callee);
  const name = callee.type === 'Identifier' ? callee.name : callee.type === 'MemberExpression' && memberName(callee);
  const [time, run] = node.arguments;
  const isTime = time?.type === 'Literal' && CRON.test(String(time.value).trim());
  return isTime && SCHEDULES.test(name || '') && (fn === undefined || run === fn);
}

/** @param {CallExpression | NewExpression} timer @returns {number | undefined} how far two of its times are apart, about */
function scheduleOf(timer) {
  const [time] = timer.arguments;
  if (!isSchedule(timer) || time?.type !== 'Literal') return undefined;
  const fields = String(time.value).trim().split(/\s+/);
  const units = [...(fields.length === 6 ? [] : ['0']), ...fields].slice(0, 4);
  const at = units.findIndex((field) => field.startsWith('*'));
  if (at === -1) return UNITS_MS[3];
  return (UNITS_MS[at] ?? 0) * Number(/^\*\/(\d+)$/.exec(units[at] ?? '')?.[1] ?? 1);
}

/**
 * @param {CallExpression | NewExpression} call
 * @param {'setInterval' | 'setTimeout'} name
 * @param {Code} code
 * @returns {boolean}
 */
function isCallOf(call, name, code) {
  const callee = bare(call.callee);
  if (callee.type === 'Identifier') return callee.name === name && !bindingAt(callee, code.resolved);
  if (callee.type !== 'MemberExpression' || callee.computed) return false;
  const isGlobal = callee.object.type === 'Identifier' && ['window', 'globalThis', 'self'].includes(callee.object.name);
  return isGlobal && callee.property.type === 'Identifier' && callee.property.name === name;
}

/**
 * @param {AnyNode} node
 * @param {FunctionNode} fn
 * @param {Code} code
 * @returns {boolean} whether it is reached by some runs of the function only, by a callback for errors for example
 */
function isConditional(node, fn, code) {
  for (let at = code.parentOf(node); at && at !== fn; at = code.parentOf(at)) {
    if (BRANCHES.test(at.type)) return true;
    const parent = isFunction(at) ? code.parentOf(at) : undefined;
    const callee = parent?.type === 'CallExpression' ? bare(parent.callee) : undefined;
    if (
      callee?.type === 'MemberExpression' &&
      callee.property.type === 'Identifier' &&
      callee.property.name === 'catch'
    )
      return true;
  }
  return false;
}

/**
 * @param {AnyNode | undefined} node
 * @param {Code} code
 * @returns {number | null} a literal number, a name for one, or a product of such
 */
function numberOf(node, code) {
  if (!node) return null;
  const inner = bare(node);
  if (inner.type === 'BinaryExpression' && inner.operator === '*' && inner.left.type !== 'PrivateIdentifier') {
    const [left, right] = [numberOf(inner.left, code), numberOf(inner.right, code)];
    return left === null || right === null ? null : left * right;
  }
  if (inner.type === 'Identifier') {
    const declared = bindingAt(inner, code.resolved)?.declarations[0];
    const parent = declared && code.parentOf(declared);
    const isConstant = parent?.type === 'VariableDeclarator' && parent.id === declared;
    const declaration = isConstant ? code.parentOf(parent) : undefined;
    if (isConstant && parent.init && declaration?.type === 'VariableDeclaration' && declaration.kind === 'const')
      return parent.init.type === 'Identifier' ? null : numberOf(parent.init, code);
    return null;
  }
  const value = code.reader.read(inner);
  return value.type === 'number' ? value.value : null;
}
