// Finds the events that code handles of what a call returns.

import { bindingAt, isFunction } from '../../javascript/names.js';
import { memberName } from '../../javascript/parse.js';
import { LOGS } from './unchecked.js';

/** @import { AnyNode, CallExpression } from 'acorn' */
/** @import { Code } from './code.js' */

const LISTENS = new Set(['on', 'once', 'addListener', 'prependListener']);

/**
 * @param {CallExpression} call
 * @param {Code} code
 * @returns {string[] | null} null where what it returns goes to code that was not followed
 */
export function handledEvents(call, code) {
  const { events, end } = chainFrom(call, code);
  if (events === null) return null;
  const parent = code.parentOf(end);
  if (parent?.type === 'ExpressionStatement') return events;
  if (parent?.type !== 'VariableDeclarator' || parent.id.type !== 'Identifier') return null;
  for (const { node, declares } of bindingAt(parent.id, code.resolved)?.references ?? []) {
    if (declares) continue;
    const later = chainFrom(node, code);
    const statement = code.parentOf(later.end);
    if (later.events === null || later.end === node || statement?.type !== 'ExpressionStatement') return null;
    events.push(...later.events);
  }
  const declaration = code.parentOf(parent);
  const holder = declaration && code.parentOf(declaration);
  return holder?.type === 'ExportNamedDeclaration' ? null : events;
}

/** Methods that are given what runs when a feed has ended. */
const SETTLES = new Set(['then', 'catch', 'finally']);

/**
 * @param {CallExpression} call that starts a feed
 * @param {Code} code
 * @returns {boolean | null} whether code that runs when it has ended does more than to write a message; null where that was not followed
 */
export function mayStartAgain(call, code) {
  if (handledEvents(call, code) === null) return null;
  const names = code.parentOf(chainFrom(call, code).end);
  const id =
    names?.type === 'VariableDeclarator' && names.id.type === 'Identifier'
      ? bindingAt(names.id, code.resolved)
      : undefined;
  const starts = [call, ...(id?.references ?? []).flatMap(({ node, declares }) => (declares ? [] : node))];
  return starts.some((start) => chainFrom(start, code).handlers.some((handler) => !writesOnly(handler, code)));
}

/** @param {AnyNode | undefined} handler @param {Code} code @returns {boolean} whether it is a function that at most writes a message */
function writesOnly(handler, code) {
  if (!handler || !isFunction(handler)) return LOGS.test(handler ? code.source(handler) : '');
  return code.nodesWithin(handler).every((node) => {
    if (node.type === 'AssignmentExpression' || node.type === 'NewExpression') return false;
    return (
      node.type !== 'CallExpression' ||
      LOGS.test(code.source(node.callee)) ||
      /stringify$/.test(code.source(node.callee))
    );
  });
}

/**
 * @param {AnyNode} first
 * @param {Code} code
 * @returns {{events: string[] | null, end: AnyNode, handlers: (AnyNode | undefined)[]}} of the calls that follow in a chain:
 *   `feed.on('change', show).on('error', stop)`; `handlers`: what runs at the end of the feed
 */
function chainFrom(first, code) {
  /** @type {string[]} */
  const events = [];
  /** @type {(AnyNode | undefined)[]} */
  const handlers = [];
  let end = first;
  for (;;) {
    const member = code.parentOf(end);
    if (member?.type !== 'MemberExpression' || member.object !== end) return { events, end, handlers };
    const call = code.parentOf(member);
    if (call?.type !== 'CallExpression' || call.callee !== member) return { events: null, end, handlers };
    const name = memberName(member);
    const [event] = call.arguments;
    if (name === undefined || name === 'pipe') return { events: null, end, handlers };
    if (LISTENS.has(name)) {
      if (event?.type !== 'Literal') return { events: null, end, handlers };
      events.push(String(event.value));
      if (/^(?:error|complete|denied)$/.test(String(event.value))) handlers.push(call.arguments[1]);
    }
    if (SETTLES.has(name)) handlers.push(...call.arguments);
    end = call;
  }
}
