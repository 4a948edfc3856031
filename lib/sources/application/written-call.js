// Reads how a call is written: its arguments and options as text, and how the code gets the answer. Advice repeats both, so that it runs
// where the call stands.

import { clientNamed, optionName } from '../../clients/index.js';
import { bindingAt, isFunction } from '../../javascript/names.js';
import { bare } from '../../javascript/parse.js';
import { nameOf, propertyName } from './code.js';
import { functionAround } from './enclosing.js';
import { findLoop } from './loops.js';
import { shownCallee } from './shown-name.js';

/** @import { AnyNode, CallExpression } from 'acorn' */
/** @import { MethodShape } from '../../clients/client.js' */
/** @import { Code } from './code.js' */
/** @import { AnswerStyle, ClientName, WrittenCall, WrittenOption } from './record.js' */

/** Characters of one argument or option that are repeated. */
const MAX_PART = 80;

/** What a name is called that is given as the function for the answer. */
const CALLBACK_NAME = /^(?:cb|callback|done|next|fn)$|(?:Callback|Cb)$/;

/**
 * @param {CallExpression} call
 * @param {MethodShape} shape
 * @param {Code} code
 * @param {{client: ClientName | null, isClientCall: (node: CallExpression) => boolean}} about
 * @returns {WrittenCall}
 */
export function writtenCall(call, shape, code, { client, isClientCall }) {
  const hasCallback = clientNamed(client)?.callbacks === 'always' || isCallback(call.arguments.at(-1), code);
  const given = call.arguments.filter((item) => !isCallback(item, code));
  const at = shape.options === undefined ? -1 : shape.options;
  const options = given[at];
  const loop = findLoop(call, code, isClientCall);
  const outer = loop && 'form' in loop ? loop.loop : call;
  return {
    callee: shownCallee(call.callee, code),
    arguments: (options ? given.slice(0, at) : given).map((item) => shown(item, code) ?? '…'),
    options: options ? optionsOf(options, client, code) : [],
    answer: hasCallback ? 'callback' : styleAt(call, code),
    answerBeforeLoop: hasCallback ? 'callback' : mayAwait(outer, code) ? 'await' : 'promise',
  };
}

/**
 * @param {AnyNode | undefined} item the last argument
 * @param {Code} code
 * @returns {boolean}
 */
function isCallback(item, code) {
  if (!item) return false;
  const given = bare(item);
  if (isFunction(given)) return true;
  if (given.type !== 'Identifier') return false;
  const [declared] = bindingAt(given, code.resolved)?.declarations ?? [];
  const parent = declared && code.parentOf(declared);
  const value = parent?.type === 'VariableDeclarator' && parent.init ? bare(parent.init) : parent;
  const isNamed = value !== undefined && isFunction(value) && !value.params.includes(/** @type {never} */ (declared));
  return isNamed || CALLBACK_NAME.test(given.name);
}

/** @param {CallExpression} call @param {Code} code @returns {AnswerStyle} */
function styleAt(call, code) {
  const parent = code.parentOf(call);
  const isChained = parent?.type === 'MemberExpression' && parent.object === call && propertyName(parent) === 'then';
  return !isChained && mayAwait(call, code) ? 'await' : 'promise';
}

/**
 * @param {AnyNode} node
 * @param {Code} code
 * @returns {boolean} whether `await` may be written there
 */
function mayAwait(node, code) {
  const fn = functionAround(node, code);
  return fn ? fn.async === true : code.parentOf(node)?.type === 'AwaitExpression' || isModule(node, code);
}

/** @param {AnyNode} node @param {Code} code @returns {boolean} whether the file is an ES module, where `await` needs no function */
function isModule(node, code) {
  let at = node;
  for (let outer = code.parentOf(at); outer; outer = code.parentOf(at)) at = outer;
  const isEs = (/** @type {{type: string}} */ { type }) => /^(?:Import|Export\w*)Declaration$/.test(type);
  return at.type === 'Program' && at.body.some(isEs);
}

/**
 * @param {AnyNode} given
 * @param {ClientName | null} client
 * @param {Code} code
 * @returns {WrittenOption[]} options that stand elsewhere are spread: `...page`
 */
function optionsOf(given, client, code) {
  const written = bare(given);
  if (written.type !== 'ObjectExpression') return [{ key: null, text: `...${shown(written, code) ?? '…'}` }];
  return written.properties.map((property) => {
    if (property.type === 'SpreadElement') return { key: null, text: shown(property, code) ?? '…' };
    const name = nameOf(property.key) ?? null;
    return {
      key: name === null ? null : optionName(client, name),
      text: shown(property, code) ?? (name === null ? '…' : `${name}: …`),
    };
  });
}

/**
 * @param {AnyNode} node
 * @param {Code} code
 * @returns {string | undefined} on one line, without addresses, which may have a password
 */
function shown(node, code) {
  const text = code.source(node);
  if (/\/[/*]/.test(text) || (text.includes('\n') && text.includes('`'))) return undefined;
  const line = text.replace(/\s*\n\s*/g, ' ').replace(/,(?= [}\])])/g, '');
  return line.length > MAX_PART ? undefined : line;
}

/**
 * @param {AnyNode | undefined} node the id, the key or the document
 * @param {Code} code
 * @returns {AnyNode | undefined} what its name stands for, so that it can be written elsewhere: `order.id` of `const id = order.id`
 */
export function meantBy(node, code) {
  if (node && [node, ...code.nodesWithin(node)].some(({ type }) => type === 'AwaitExpression')) return undefined;
  const name = node && bare(node);
  if (name?.type !== 'Identifier') return node;
  const binding = bindingAt(name, code.resolved);
  const [declared] = binding?.declarations ?? [];
  const parent = declared && code.parentOf(declared);
  if (parent?.type !== 'VariableDeclarator' || parent.id !== declared || !parent.init) return node;
  const isConstant = binding?.references.every(({ writes, declares }) => !writes || declares);
  const value = bare(parent.init);
  return isConstant && value.type === 'MemberExpression' ? value : node;
}
