// Finds what a function does with a document that it has read: the functions that get it or something made from it.

import { isFunction } from '../../javascript/names.js';
import { bare } from '../../javascript/parse.js';
import { unwrapType } from '../../javascript/typescript.js';
import { propertyName } from './code.js';
import { dependentNames, mentions } from './depends.js';
import { isWithin } from './enclosing.js';

/** @import { AnyNode, CallExpression } from 'acorn' */
/** @import { FunctionNode } from '../../javascript/parse.js' */
/** @import { Code } from './code.js' */

/** Methods of the clients that write a document (lib/clients). */
const WRITE_NAME =
  /^(?:put|post|insert|save|merge|update|remove|destroy|bulk|bulkDocs|putDocument|postDocument|deleteDocument|postBulkDocs)(?:Async)?$/;

/** @param {string} name @returns {boolean} */
export const isWriteName = (name) => WRITE_NAME.test(name);

/**
 * @param {FunctionNode} fn
 * @param {(node: AnyNode) => boolean} isRead whether it reads the document
 * @param {Code} code
 * @returns {string[]} names of the functions and methods that get an answer of these reads, or something made from it
 */
export function functionsGiven(fn, isRead, code) {
  const body = /** @type {AnyNode} */ (fn.body);
  const calls = [body, ...code.nodesWithin(body)].flatMap((node) => (node.type === 'CallExpression' ? [node] : []));
  const reads = calls.filter((node) => isRead(node));
  const answers = dependentNames(
    reads.flatMap((read) => patternsOf(read, code)),
    body,
    code,
  );
  return calls.flatMap((call) => {
    const isGiven = call.arguments.some((item) => {
      return !isFunction(bare(item)) && (mentions(item, answers, code) || reads.some((read) => isWithin(read, item)));
    });
    const name = isGiven && !reads.includes(call) ? calleeName(bare(call.callee)) : undefined;
    return name === undefined ? [] : [name];
  });
}

/**
 * @param {CallExpression} read
 * @param {Code} code
 * @returns {AnyNode[]} patterns that get the answer: of a variable, of the function that is given or of a `then`
 */
export function patternsOf(read, code) {
  const last = read.arguments.at(-1);
  if (last && isFunction(last)) return last.params.slice(1);
  /** @type {AnyNode} */
  let inner = read;
  for (let at = code.parentOf(inner); at; inner = at, at = code.parentOf(at)) {
    if (at.type === 'VariableDeclarator') return [at.id];
    if (at.type === 'AssignmentExpression') return at.right === inner ? [at.left] : [];
    /** @type {AnyNode | undefined} */
    const call = at.type === 'MemberExpression' && at.object === inner ? code.parentOf(at) : undefined;
    if (at.type === 'MemberExpression' && call?.type === 'CallExpression' && call.callee === at) {
      const [first] = call.arguments;
      if (propertyName(at) === 'then') return first && isFunction(first) ? first.params : [];
      at = call;
      continue;
    }
    const isPassedOn = ['AwaitExpression', 'ParenthesizedExpression', 'ChainExpression'].includes(at.type);
    if (!isPassedOn && unwrapType(at) !== inner && at.type !== 'LogicalExpression') return [];
  }
  return [];
}

/** @param {AnyNode} callee @returns {string | undefined} */
function calleeName(callee) {
  if (callee.type === 'Identifier') return callee.name;
  return callee.type === 'MemberExpression' ? propertyName(callee) : undefined;
}
