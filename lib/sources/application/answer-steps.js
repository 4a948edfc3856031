// Knows the steps that an answer takes through promises, observables and responses: `.then(…)`, `.pipe(map(…))`, `response.json()`.

import { isFunction } from '../../javascript/names.js';
import { bare, memberName } from '../../javascript/parse.js';
import { functionAround } from './enclosing.js';

/** @import { AnyNode, CallExpression } from 'acorn' */
/** @import { FunctionNode } from '../../javascript/parse.js' */
/** @import { Code } from './code.js' */

/** What a step gives on: `gets` are functions that get it, as the parameter of that index; `isSame` whether its own value is or holds it, too. @typedef {{gets: {fn: FunctionNode, index: number}[], isSame: boolean}} Step */

/** Methods whose value is what they are called on, or holds it: of promises, of responses of `fetch`, of superagent and of observables. */
const SAME = new Set(
  'catch finally json text toPromise promise query send set auth type accept timeout retry'.split(' '),
);
/** Methods of promises and observables, which lists do not have. */
export const STEPS = new Set(['then', 'catch', 'finally', 'pipe', 'subscribe', 'toPromise']);
/** Operators of RxJS that give on what their function returns, and those that give on what they get. */
const MAPPING = new Set(['map', 'switchMap', 'mergeMap', 'concatMap', 'exhaustMap']);
const PASSING = new Set(
  'tap catchError retry finalize first take shareReplay share timeout delay takeUntil'.split(' '),
);

/**
 * @param {CallExpression} call of a method of what holds the answer
 * @param {string | undefined} name
 * @returns {Step | undefined} undefined where it is none that is known
 */
export function stepOf(call, name) {
  const [first] = call.arguments;
  if (SAME.has(name ?? '')) return { gets: [], isSame: true };
  if (name === 'pipe') return operatorsFrom(call, 0);
  const fn = first && (isFunction(first) ? first : name === 'subscribe' ? nextOf(first) : undefined);
  if (!fn || !['then', 'subscribe', 'end'].includes(name ?? '')) return undefined;
  // superagent's `end` has the error first.
  return { gets: [{ fn, index: name === 'end' ? 1 : 0 }], isSame: false };
}

/** @param {AnyNode} observer @returns {FunctionNode | undefined} `{ next: (body) => … }` */
function nextOf(observer) {
  for (const property of observer.type === 'ObjectExpression' ? observer.properties : []) {
    const isNext = property.type === 'Property' && property.key.type === 'Identifier' && property.key.name === 'next';
    if (isNext && isFunction(property.value)) return property.value;
  }
  return undefined;
}

/**
 * @param {CallExpression} pipe `observable.pipe(map(…), tap(…))`
 * @param {number} start the first operator that gets the answer
 * @returns {Step | undefined}
 */
function operatorsFrom(pipe, start) {
  /** @type {Step['gets']} */
  const gets = [];
  for (const operator of pipe.arguments.slice(start)) {
    const callee = operator.type === 'CallExpression' ? bare(operator.callee) : undefined;
    const name = callee?.type === 'Identifier' ? callee.name : '';
    const fn = operator.type === 'CallExpression' ? operator.arguments[0] : undefined;
    if (fn && isFunction(fn) && (MAPPING.has(name) || name === 'tap')) gets.push({ fn, index: 0 });
    else if (!PASSING.has(name)) return undefined;
    if (MAPPING.has(name)) return { gets, isSame: false };
  }
  return { gets, isSame: true };
}

/**
 * @param {AnyNode} node a return statement, or the expression that an arrow function returns
 * @param {Code} code
 * @returns {{call: CallExpression, step: Step | undefined} | undefined} the step that its function is, a `then`, a `catch` or an operator of
 *   a `pipe`, and what gets its value
 */
export function stepAround(node, code) {
  const fn = functionAround(node, code);
  const call = fn && code.parentOf(fn);
  if (call?.type !== 'CallExpression' || !call.arguments.includes(/** @type {never} */ (fn))) return undefined;
  if (call.callee.type === 'MemberExpression')
    return ['then', 'catch'].includes(memberName(call.callee) ?? '')
      ? { call, step: { gets: [], isSame: true } }
      : undefined;
  const pipe = code.parentOf(call);
  if (call.callee.type !== 'Identifier' || !MAPPING.has(call.callee.name)) return undefined;
  if (pipe?.type !== 'CallExpression' || pipe.callee.type !== 'MemberExpression') return undefined;
  if (memberName(pipe.callee) !== 'pipe') return undefined;
  return { call: pipe, step: operatorsFrom(pipe, pipe.arguments.indexOf(/** @type {never} */ (call)) + 1) };
}

/**
 * `const [orders] = await Promise.all([db.find(…), …])`
 * @param {import('acorn').ArrayExpression} list
 * @param {AnyNode} node one item
 * @param {Code} code
 * @returns {AnyNode | 'nothing' | undefined} the pattern that gets the answer of the item; `nothing` where all of it is a statement
 */
export function gatheredInto(list, node, code) {
  const call = code.parentOf(list);
  const callee = call?.type === 'CallExpression' ? code.source(call.callee) : '';
  const around = call && code.parentOf(call);
  const outer = around?.type === 'AwaitExpression' ? code.parentOf(around) : around;
  if (!/^Promise\.all(?:Settled)?$/.test(callee)) return undefined;
  if (outer?.type === 'ExpressionStatement') return 'nothing';
  const isSpread = list.elements.some((item) => item?.type === 'SpreadElement');
  if (callee !== 'Promise.all' || isSpread) return undefined;
  if (outer?.type !== 'VariableDeclarator' || outer.id.type !== 'ArrayPattern') return undefined;
  return outer.id.elements[list.elements.indexOf(/** @type {never} */ (node))] ?? undefined;
}
