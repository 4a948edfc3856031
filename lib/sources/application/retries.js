// Finds retries that send the revision again that CouchDB has just refused: after a conflict, with the same document.

import { clientNamed } from '../../clients/index.js';
import { bindingAt, isFunction } from '../../javascript/names.js';
import { bare, memberName } from '../../javascript/parse.js';
import { nameOf } from './code.js';
import { mentions } from './depends.js';
import { functionAround, isWithin } from './enclosing.js';
import { callsOfItself } from './loop-purpose.js';
import { findLoop } from './loops.js';

/** @import { AnyNode, CallExpression } from 'acorn' */
/** @import { Binding } from '../../javascript/names.js' */
/** @import { FunctionNode } from '../../javascript/parse.js' */
/** @import { Code } from './code.js' */
/** @import { Found } from './loops.js' */
/** @import { CallRetry, ClientName } from './record.js' */

/** Members of errors of these clients, and what a conflict has there (nano 11.0, PouchDB 9.0). */
const OF_CONFLICT = new Map(
  /** @type {[string, number | string][]} */ ([
    ['status', 409],
    ['statusCode', 409],
    ['error', 'conflict'],
    ['name', 'conflict'],
  ]),
);

/** What a test says of a conflict: undefined where that depends on something else. @typedef {boolean | undefined} Verdict */

/** Where an error of the call is handled. @typedef {{statements: AnyNode[], error: Binding | undefined}} Handler */

/** What was seen on the way to the retry. @typedef {{namesConflict: boolean, isUnknown: boolean, again: ReadonlySet<AnyNode>, error: Binding | undefined}} Way */

/**
 * @param {CallExpression} call that a loop repeats until it succeeds
 * @param {Code} code
 * @param {{client: ClientName | null, isClientCall: (node: CallExpression) => boolean}} about
 * @returns {CallRetry | null} null where it is no retry after an error of this very call
 */
export function retryOf(call, code, { client, isClientCall }) {
  const found = findLoop(call, code, isClientCall);
  const known = clientNamed(client);
  if (!found || !('form' in found) || !known || known.sendsOwnRevision) return null;
  const again = found.form === 'recursion' ? callsOfItself(/** @type {FunctionNode} */ (found.loop), code) : [];
  const handlers = found.form === 'recursion' ? again.map((node) => handlerAround(node, call, found, code)) : [];
  const handler = found.form === 'recursion' ? handlers[0] : catchOf(call, found, code);
  if (!handler || handlers.some((other) => other?.error !== handler.error)) return null;
  return {
    errors: retriedErrors(handler, again, code),
    sendsSameRevision: call.arguments
      .slice(0, 2)
      .every((node) => isFunction(node) || isSame(node, call, found, again, code)),
  };
}

/** @param {CallExpression} call @param {Found} found @param {Code} code @returns {Handler | undefined} of the innermost `try` of the loop */
function catchOf(call, { loop }, code) {
  for (let at = code.parentOf(call); at && at !== loop; at = code.parentOf(at)) {
    if (at.type !== 'TryStatement' || !at.handler || !isWithin(call, at.block)) continue;
    return { statements: at.handler.body.body, error: bindingOf(at.handler.param, code) };
  }
  return undefined;
}

/**
 * @param {AnyNode} again where the function calls itself
 * @param {CallExpression} call
 * @param {Found} found
 * @param {Code} code
 * @returns {Handler | undefined} what the function does after an error of the call: `catch (err) {…}`, `.catch((err) => …)`, its callback
 */
function handlerAround(again, call, { loop }, code) {
  for (let at = code.parentOf(again); at && at !== loop; at = code.parentOf(at)) {
    const parent = code.parentOf(at);
    if (at.type === 'CatchClause' && parent?.type === 'TryStatement')
      return isWithin(call, parent.block) ? { statements: at.body.body, error: bindingOf(at.param, code) } : undefined;
    if (!isFunction(at) || parent?.type !== 'CallExpression') continue;
    const callee = bare(parent.callee);
    const name = callee.type === 'MemberExpression' ? memberName(callee) : undefined;
    const isCatch = name === 'catch' || (name === 'then' && parent.arguments[1] === at);
    if (parent !== call && !(isCatch && isWithin(call, callee))) continue;
    const body = /** @type {AnyNode} */ (at.body);
    return { statements: body.type === 'BlockStatement' ? body.body : [body], error: bindingOf(at.params[0], code) };
  }
  return undefined;
}

/** @param {AnyNode | null | undefined} pattern @param {Code} code @returns {Binding | undefined} */
function bindingOf(pattern, code) {
  return pattern?.type === 'Identifier' ? bindingAt(pattern, code.resolved) : undefined;
}

/**
 * @param {Handler} handler
 * @param {CallExpression[]} again
 * @param {Code} code
 * @returns {CallRetry['errors']}
 */
function retriedErrors({ statements, error }, again, code) {
  /** @type {Way} */
  const way = { namesConflict: false, isUnknown: false, again: new Set(again), error };
  const ends = endsOf(statements, way, code);
  if (way.isUnknown) return 'unknown';
  // The end of a `catch` in a loop is its next turn.
  if (!ends.has('retry') && !(again.length === 0 && ends.has('end'))) return 'others';
  return way.namesConflict ? 'conflicts' : 'all';
}

/**
 * @param {AnyNode[]} statements
 * @param {Way} way
 * @param {Code} code
 * @returns {Set<'retry' | 'leave' | 'end'>} how they may end after a conflict
 */
function endsOf(statements, way, code) {
  /** @type {Set<'retry' | 'leave' | 'end'>} */
  const ends = new Set();
  for (const statement of statements) {
    const found = endsOfOne(statement, way, code);
    for (const end of found) if (end !== 'end') ends.add(end);
    if (!found.has('end')) return ends;
  }
  return ends.add('end');
}

/**
 * @param {AnyNode} node
 * @param {Way} way
 * @param {Code} code
 * @returns {Set<'retry' | 'leave' | 'end'>}
 */
function endsOfOne(node, way, code) {
  switch (node.type) {
    case 'BlockStatement':
      return endsOf(node.body, way, code);
    case 'IfStatement':
    case 'ConditionalExpression': {
      const verdict = verdictOf(node.test, way, code);
      const parts = [
        ...(verdict === false ? [] : [node.consequent]),
        ...(verdict === true ? [] : [node.alternate ?? undefined]),
      ];
      return new Set(parts.flatMap((part) => (part ? [...endsOfOne(part, way, code)] : ['end'])));
    }
    case 'ContinueStatement':
      return new Set(['retry']);
    case 'ReturnStatement':
      return node.argument && endsOfOne(node.argument, way, code).has('retry')
        ? new Set(['retry'])
        : new Set(['leave']);
    case 'ThrowStatement':
    case 'BreakStatement':
      return new Set(['leave']);
    case 'SwitchStatement':
    case 'TryStatement':
      way.isUnknown = true;
      return new Set(['end']);
    default: {
      const isAgain = [node, ...code.nodesWithin(node)].some((inner) => way.again.has(inner));
      return new Set([isAgain ? 'retry' : 'end']);
    }
  }
}

/**
 * @param {AnyNode} written
 * @param {Way} way
 * @param {Code} code
 * @returns {Verdict} what the test is if the error is a conflict
 */
function verdictOf(written, way, code) {
  const node = bare(written);
  if (node.type === 'UnaryExpression' && node.operator === '!') {
    const inner = verdictOf(node.argument, way, code);
    return inner === undefined ? undefined : !inner;
  }
  if (node.type === 'LogicalExpression' && node.operator !== '??') {
    const decisive = node.operator === '||';
    const sides = [node.left, node.right].map((side) => verdictOf(side, way, code));
    if (sides.includes(decisive)) return decisive;
    return sides.includes(undefined) ? undefined : !decisive;
  }
  if (node.type === 'BinaryExpression' && /^[!=]==?$/.test(node.operator)) {
    const compared = comparisonOf(node, way, code);
    if (compared !== undefined) return compared === node.operator.startsWith('=');
  }
  if (!way.error || !mentions(node, new Set([way.error]), code)) return undefined;
  if (node.type === 'Identifier') return true;
  // `isConflict(err)`
  const callee = node.type === 'CallExpression' ? code.source(node.callee) : '';
  if (/conflict/i.test(callee)) way.namesConflict = true;
  else way.isUnknown = true;
  return /conflict/i.test(callee) ? true : undefined;
}

/**
 * @param {import('acorn').BinaryExpression} node
 * @param {Way} way
 * @param {Code} code
 * @returns {Verdict} whether both sides are equal if the error is a conflict: `err.status === 409`
 */
function comparisonOf({ left, right }, way, code) {
  const [member, value] = [left, right].map((side) => bare(/** @type {AnyNode} */ (side)));
  if (!way.error || member?.type !== 'MemberExpression' || value?.type !== 'Literal') return undefined;
  const object = bare(member.object);
  const expected = OF_CONFLICT.get(memberName(member) ?? '');
  if (expected === undefined || object.type !== 'Identifier' || bindingAt(object, code.resolved) !== way.error)
    return undefined;
  const isConflict = String(value.value) === String(expected);
  way.namesConflict ||= isConflict;
  return isConflict;
}

/**
 * @param {AnyNode} written the document, its id or its revision
 * @param {CallExpression} call
 * @param {Found} found
 * @param {CallExpression[]} again
 * @param {Code} code
 * @returns {boolean} whether each turn certainly sends the same id and revision
 */
function isSame(written, call, found, again, code) {
  const node = bare(written);
  switch (node.type) {
    case 'Literal':
      return true;
    case 'MemberExpression':
      return memberName(node) !== undefined && isSame(node.object, call, found, again, code);
    case 'Identifier': {
      const binding = bindingAt(node, code.resolved);
      return binding !== undefined && keepsValue(binding, node, call, found, again, code);
    }
    case 'ObjectExpression':
      return (
        node.properties.some((item) => item.type === 'SpreadElement' || nameOf(item.key) === '_id') &&
        node.properties.every((item) => {
          if (item.type === 'SpreadElement') return isSame(item.argument, call, found, again, code);
          if (item.computed) return false;
          return !['_id', '_rev'].includes(nameOf(item.key) ?? '') || isSame(item.value, call, found, again, code);
        })
      );
    default:
      return false;
  }
}

/**
 * @param {Binding} binding
 * @param {AnyNode} written the name, in the call
 * @param {CallExpression} call
 * @param {Found} found
 * @param {CallExpression[]} again
 * @param {Code} code
 * @returns {boolean} whether the name has the same value in each turn, and the document in it the same id and revision
 */
function keepsValue(binding, written, call, { loop, body }, again, code) {
  const around = loop === body || isFunction(loop) ? loop : functionAround(loop, code);
  const index = isFunction(loop) ? loop.params.findIndex((param) => bindingOf(plain(param), code) === binding) : -1;
  const isOwn = binding.declarations.some((id) => isWithin(id, loop));
  if (isOwn && (index === -1 || again.length === 0)) return false;
  if (index >= 0 && !again.every(({ arguments: given }) => isName(given, index, binding, code))) return false;
  return binding.references.every(({ node, writes, declares }) => {
    if (declares) return true;
    const isInLoop = isWithin(node, loop);
    if (writes) return !isInLoop && functionAround(node, code) === around;
    const use = useOf(node, code);
    // An id is a string, which nothing can change.
    if (use === 'given' && call.arguments[1] === written) return true;
    if (isWithin(node, call) || again.some((other) => other.arguments.includes(/** @type {never} */ (node))))
      return true;
    // What other code gets it, inside of the loop, may change it; so may a function that runs meanwhile.
    return use === 'read' || (!isInLoop && (use === 'given' || functionAround(node, code) === around));
  });
}

/** @param {AnyNode} param @returns {AnyNode} */
function plain(param) {
  return param.type === 'AssignmentPattern' ? param.left : param;
}

/** @param {AnyNode[]} given @param {number} index @param {Binding} binding @param {Code} code @returns {boolean} whether the name itself stands there */
function isName(given, index, binding, code) {
  const isPlain = given.slice(0, index + 1).every(({ type }) => type !== 'SpreadElement');
  return isPlain && bindingOf(given[index], code) === binding;
}

/**
 * @param {AnyNode} node a name
 * @param {Code} code
 * @returns {'read' | 'given' | 'changed'} `read`: a member of it is used, or one that is neither id nor revision is set
 */
function useOf(node, code) {
  const member = code.parentOf(node);
  if (member?.type !== 'MemberExpression' || member.object !== node) return 'given';
  const name = memberName(member);
  const outer = code.parentOf(member);
  const isSet =
    (outer?.type === 'AssignmentExpression' && outer.left === member) ||
    (outer?.type === 'UnaryExpression' && outer.operator === 'delete') ||
    outer?.type === 'UpdateExpression';
  if (isSet) return name === undefined || name === '_rev' || name === '_id' ? 'changed' : 'read';
  return outer?.type === 'CallExpression' && outer.callee === member ? 'changed' : 'read';
}
