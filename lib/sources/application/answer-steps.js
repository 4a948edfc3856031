// Knows the steps that an answer takes to the code that reads it: of promises, observables and libraries of requests, and functions that get it.

import { clientNamed } from '../../clients/index.js';
import { isFunction } from '../../javascript/names.js';
import { bare } from '../../javascript/parse.js';
import { nameOf, propertyName } from './code.js';
import { mayBeFunction } from './handed-on.js';

/** @import { AnyNode, CallExpression } from 'acorn' */
/** @import { FunctionNode } from '../../javascript/parse.js' */
/** @import { Code } from './code.js' */
/** @import { ClientName } from './record.js' */

/**
 * @typedef {object} Step
 * @property {FunctionNode[]} functions that get the answer
 * @property {number} index of their parameter
 * @property {boolean} isSame whether the call gives the answer again
 * @property {boolean} isMapped whether it gives what the functions return
 */

/** Methods that give a promise of the same: of promises, jQuery and AngularJS, `fetch`, got, observables, and those that set options of superagent. */
const SAME = new Set(
  'catch finally fail error always json toPromise clone query send set auth accept type retry timeout withCredentials buffer'.split(
    ' ',
  ),
);
/** Methods that give the answer to a function, and a promise of the same: jQuery, AngularJS, RxJS, superagent. */
const GIVES = new Set(['success', 'done', 'subscribe', 'end', 'tap']);
/** Methods of promises and observables, which lists do not have. */
export const SETTLES = /^(?:then|catch|finally|pipe|subscribe|toPromise)$/;
/** Functions that give what they are given, read or waited for. */
const PASSES = /^(?:JSON\.parse|Promise\.resolve|firstValueFrom|lastValueFrom|from|angular\.fromJson|\$\.parseJSON)$/;
/** Operators of RxJS that give what they are given. */
const OPERATORS = new Set(['catchError', 'retry', 'timeout', 'share', 'shareReplay', 'take', 'first', 'finalize']);
const ERROR = /^(?:e|er|err|error)$|^_?err|Error$/;
/** Options that get an answer, and those that get something else of a request. */
const TAKES_ANSWER = new Set(['success', 'done', 'next']);
const TAKES_OTHER = new Set(['error', 'beforeSend', 'fail', 'xhr', 'dataFilter']);

/**
 * @param {CallExpression} call of a method of an answer
 * @param {string | undefined} name
 * @returns {Step | undefined} undefined where it is not followed
 */
export function stepOf(call, name = '') {
  const [first] = call.arguments;
  if (SAME.has(name)) return { functions: [], index: 0, isSame: true, isMapped: false };
  if (name === 'pipe') return pipedThrough(call);
  const given = first && functionsIn(first);
  if (!given) return undefined;
  if (GIVES.has(name)) {
    const [fn] = given;
    const index = name === 'end' && fn && fn.params.length > 1 ? 1 : 0;
    return { functions: given, index, isSame: true, isMapped: false };
  }
  return name === 'then' || name === 'map' ? { functions: given, index: 0, isSame: false, isMapped: true } : undefined;
}

/** @param {AnyNode} node @returns {FunctionNode[] | undefined} that get an answer: `(rows) => …`, `{ next: (rows) => … }` */
function functionsIn(node) {
  if (isFunction(node)) return [node];
  return node.type === 'ObjectExpression' ? functionsOfOptions([node]) : undefined;
}

/** @param {CallExpression} call `….pipe(map((response) => response.rows), retry(2))` @returns {Step | undefined} */
function pipedThrough(call) {
  /** @type {FunctionNode[]} */
  const functions = [];
  let isMapped = false;
  for (const item of call.arguments) {
    const callee = item.type === 'CallExpression' ? bare(item.callee) : undefined;
    if (item.type !== 'CallExpression' || callee?.type !== 'Identifier') return undefined;
    const [fn] = item.arguments;
    if (OPERATORS.has(callee.name)) continue;
    // Behind the first `map` it is another value.
    if ((callee.name !== 'map' && callee.name !== 'tap') || isMapped || !fn || !isFunction(fn)) return undefined;
    isMapped = callee.name === 'map';
    functions.push(fn);
  }
  return { functions, index: 0, isSame: !isMapped, isMapped };
}

/**
 * @param {CallExpression} call
 * @param {AnyNode} node that it is given
 * @param {Code} code
 * @returns {boolean} whether it gives the same: `JSON.parse(body)`
 */
export function passesOn(call, node, code) {
  return call.arguments[0] === node && PASSES.test(code.source(call.callee));
}

/**
 * @param {readonly AnyNode[]} given objects that may have functions for the answer among their members
 * @returns {FunctionNode[] | undefined} these; undefined where it cannot be seen which there are
 */
function functionsOfOptions(given) {
  /** @type {FunctionNode[]} */
  const found = [];
  for (const property of given.flatMap((node) => (node.type === 'ObjectExpression' ? node.properties : []))) {
    if (property.type !== 'Property') return undefined;
    const name = nameOf(property.key) ?? '';
    const takes = TAKES_ANSWER.has(name);
    if (takes && isFunction(property.value)) found.push(property.value);
    else if (takes || (isFunction(property.value) && !TAKES_OTHER.has(name))) return undefined;
  }
  return found.length > 0 ? found : undefined;
}

/**
 * @param {CallExpression} call of a request that the code builds itself
 * @param {Code} code
 * @returns {boolean} whether the answer may come to a function that stands elsewhere: `xhr.open('GET', url)`, `$.ajax(settings);`
 */
function mayAnswerElsewhere(call, code) {
  const callee = bare(call.callee);
  if (callee.type === 'MemberExpression' && propertyName(callee) === 'open') return true;
  const isStatement = code.parentOf(call)?.type === 'ExpressionStatement';
  return isStatement && call.arguments.some(({ type }) => type === 'Identifier');
}

/** What gets the answer of a call. `isHidden`: whether code that is not followed does, too; `givesAnswer`: whether the call gives it, or a promise of it @typedef {{functions: FunctionNode[], parts: ('answer' | undefined)[], isHidden: boolean, givesAnswer: boolean}} Receivers */

/**
 * @param {CallExpression} call
 * @param {ClientName | null} client
 * @param {Code} code
 * @returns {Receivers}
 */
export function receiversOf(call, client, code) {
  const style = clientNamed(client)?.callbacks ?? 'also';
  const given = call.arguments.at(-1);
  // `db.view('orders', 'by_status', (error, body) => …)`
  if (given && isFunction(given)) {
    const parts = client === 'http' ? partsOfCallback(given, call) : [undefined, /** @type {const} */ ('answer')];
    return { functions: [given], parts, isHidden: false, givesAnswer: style === 'also' };
  }
  // `$.ajax({ url, success: (body) => … })`
  const functions = functionsOfOptions(call.arguments) ?? [];
  const isOpen =
    (client === 'http' && mayAnswerElsewhere(call, code)) ||
    // `db.bulk({ docs }, done)`
    (call.arguments.length > 1 && mayBeFunction(given, code)) ||
    hasCallbackOption(call, code) ||
    (style === 'options' && given !== undefined && !isWritten(given));
  return { functions, parts: ['answer'], isHidden: functions.length === 0 && isOpen, givesAnswer: true };
}

/**
 * @param {FunctionNode} callback of a request that the code builds itself
 * @param {CallExpression} call
 * @returns {('answer' | undefined)[]} what its parameters are given: of jQuery the answer first, else the error
 */
function partsOfCallback(callback, { callee }) {
  const called = bare(callee);
  const object = called.type === 'MemberExpression' ? bare(/** @type {AnyNode} */ (called.object)) : undefined;
  const isJquery = object?.type === 'Identifier' && ['$', 'jQuery'].includes(object.name);
  if (isJquery) return ['answer'];
  const [first] = callback.params;
  const hasError = callback.params.length > 1 || (first?.type === 'Identifier' && ERROR.test(first.name));
  return [hasError ? undefined : 'answer', 'answer', 'answer'];
}

/** Options of jQuery and its like that get the answer. */
const CALLBACKS = /^(?:success|complete|done|callback|onload)$/;

/**
 * @param {CallExpression} call
 * @param {Code} code
 * @returns {boolean} whether it is one as `$.ajax({ url, success: done })` or `ajax({ url }, options, message)`
 */
function hasCallbackOption(call, code) {
  return call.arguments.some((node) => {
    // Also `axios.post(url, docs)`: data that is not shown is no callback there, but behind options it may hold one.
    if (node.type !== 'ObjectExpression')
      return call.arguments[0]?.type === 'ObjectExpression' && mayBeFunction(node, code);
    return node.properties.some(
      (property) =>
        property.type === 'Property' && property.key.type === 'Identifier' && CALLBACKS.test(property.key.name),
    );
  });
}

/**
 * @param {AnyNode} node the last argument of a call
 * @returns {boolean} whether all of its members are there to be seen: options in a name may have a function among them
 */
function isWritten(node) {
  if (node.type === 'ObjectExpression') return node.properties.every(({ type }) => type === 'Property');
  return node.type === 'Literal' || node.type === 'TemplateLiteral';
}
