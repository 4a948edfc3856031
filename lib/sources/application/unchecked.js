// Finds callbacks that read the answer of a request without a look at its error, the error without a look whether there is one, or that ignore
// both.

import { clientNamed } from '../../clients/index.js';
import { bindingAt, isFunction } from '../../javascript/names.js';
import { isWithin } from './enclosing.js';
import { usesArguments } from './handed-on.js';

/** @import { AnyNode, CallExpression } from 'acorn' */
/** @import { FunctionNode } from '../../javascript/parse.js' */
/** @import { Code } from './code.js' */
/** @import { CallRecord, ClientName } from './record.js' */

/** What code calls to write a message: `console.log`, `logger.warn`, `res.app.log.error`. */
export const LOGS =
  /(?:^|\.|_)(?:console|log(?:ger|ging|s|_?service)?|debug|winston|print(?:ln)?|alert)(?:\.\w+)*$|\.(?:log|warn|debug)$/i;
/** Statements after which the rest of a block is not reached; a call such as `done(err)` is not one of them. */
const EXITS = new Set(['ReturnStatement', 'ThrowStatement', 'BreakStatement', 'ContinueStatement']);
const ENDS_PROCESS = /^(?:process\.(?:exit|abort)|assert\b.*|(?:t|test|should|expect)\b.*)$/;

/**
 * @param {CallExpression} call
 * @param {ClientName | null} client
 * @param {boolean} isWrite whether it writes documents
 * @param {Code} code
 * @returns {CallRecord['unchecked']}
 */
export function uncheckedAnswer(call, client, isWrite, code) {
  const style = clientNamed(client)?.callbacks;
  const fn = call.arguments.at(-1);
  if (!style || style === 'options' || !fn || !isFunction(fn) || usesArguments(fn, code)) return null;
  const uses = usesOf(fn, code);
  if (!uses) return null;
  // That of a design document is often tried at each start, and refused if it is there.
  const isInstalled = call.arguments.some((item) => /_design\//.test(code.source(item).slice(0, 200)));
  if (isWrite && !isInstalled && ignoresAnswer(fn, uses, code))
    return { reads: 'nothing', written: code.source(call.callee), place: code.file.place(fn.start, fn.body.start) };
  // What stands before decides whether the next is reached.
  for (const [at, use] of uses.entries()) {
    const member = code.parentOf(use.node);
    const isRead = member?.type === 'MemberExpression' && member.object === use.node && !member.optional;
    if (!isRead || isGuarded(use.node, fn, uses, code)) {
      if (decides(use.node, fn, code, uses.slice(at + 1))) return null;
      continue;
    }
    if (use.is === 'error' && uses.slice(0, at).some(({ is }) => is === 'result')) return null;
    return { reads: use.is, written: code.source(member), place: code.file.place(member.start, member.end) };
  }
  return null;
}

/**
 * @param {FunctionNode} fn `(error, body) => …`
 * @param {Code} code
 * @returns {{node: AnyNode, is: 'error' | 'result'}[] | undefined} where the names of both are read, in the order of the text
 */
function usesOf({ params: [first, second] }, code) {
  if (!first) return [];
  if (first.type !== 'Identifier' || (second && second.type !== 'Identifier')) return undefined;
  const uses = [first, ...(second ? [second] : [])].flatMap((id) => {
    const references = bindingAt(id, code.resolved)?.references ?? [];
    return references.map(({ node, reads }) => ({ node, reads, is: id === first ? 'error' : 'result' }));
  });
  // What is given another value may be anything.
  if (uses.some(({ reads }) => !reads)) return undefined;
  const found = /** @type {{node: AnyNode, is: 'error' | 'result'}[]} */ (uses);
  return found.sort((one, other) => one.node.start - other.node.start);
}

/**
 * @param {FunctionNode} fn
 * @param {readonly {node: AnyNode, is: 'error' | 'result'}[]} uses
 * @param {Code} code
 * @returns {boolean} whether it goes on without a look at either: at most it hands the answer on behind a `null`, as `done(null, body)`.
 *   A name such as `_err` says that this is meant
 */
function ignoresAnswer({ params: [first], body }, uses, code) {
  if (first?.type === 'Identifier' && /^_|ignore/i.test(first.name)) return false;
  const isUnseen = uses.every(({ node, is }) => {
    const parent = code.parentOf(node);
    const [before] = parent?.type === 'CallExpression' && parent.callee !== node ? parent.arguments : [];
    return is === 'result' && before?.type === 'Literal' && before.value === null;
  });
  return (
    isUnseen &&
    [body, ...code.nodesWithin(body)].some((node) => {
      return node.type === 'CallExpression' && !LOGS.test(code.source(node.callee));
    })
  );
}

/**
 * @param {AnyNode} node a name of error or answer
 * @param {FunctionNode} fn the callback
 * @param {Code} code
 * @param {readonly {node: AnyNode}[]} later uses
 * @returns {boolean} whether it may keep what follows from being reached: any use but a message, and a test whose branch goes on. A call
 *   that is given what follows, too, is only made behind it: `done(err, body.rows)`
 */
function decides(node, fn, code, later) {
  /** @type {AnyNode} */
  let inner = node;
  for (let at = code.parentOf(inner); at && at !== fn; inner = at, at = code.parentOf(at)) {
    if (at.type === 'CallExpression' && at.callee !== inner)
      return !LOGS.test(code.source(at.callee)) && !later.some((use) => isWithin(use.node, at));
    if (at.type === 'IfStatement' && at.test === inner) return [at.consequent, at.alternate].some(leaves);
    if (at.type === 'IfStatement') return false;
    if (isFunction(at)) return true;
  }
  return true;

  /** @param {AnyNode | null | undefined} branch @returns {boolean} */
  function leaves(branch) {
    return branch
      ? [branch, ...code.nodesWithin(branch)].some((one) => {
          const isEnd = one.type === 'CallExpression' && ENDS_PROCESS.test(code.source(one.callee));
          return EXITS.has(one.type) || isEnd;
        })
      : false;
  }
}

/**
 * @param {AnyNode} node
 * @param {FunctionNode} fn the callback
 * @param {readonly {node: AnyNode}[]} uses
 * @param {Code} code
 * @returns {boolean} whether it is only reached by a test of error or answer, or within code that catches or that was not followed
 */
function isGuarded(node, fn, uses, code) {
  const isTested = (/** @type {AnyNode | null} */ test) => test && uses.some((use) => isWithin(use.node, test));
  /** @type {AnyNode} */
  let inner = node;
  for (let at = code.parentOf(inner); at && at !== fn; inner = at, at = code.parentOf(at)) {
    if (isFunction(at) || at.type === 'TryStatement' || at.type === 'SwitchStatement') return true;
    if (at.type === 'IfStatement' || at.type === 'ConditionalExpression') {
      if (inner !== at.test && isTested(at.test)) return true;
    } else if (at.type === 'LogicalExpression' && inner === at.right && isTested(at.left)) return true;
    else if (at.type === 'UnaryExpression' && at.operator === 'typeof') return true;
  }
  return false;
}
