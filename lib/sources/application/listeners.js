// Finds the events that code handles of what a call returns.

import { bindingAt } from '../../javascript/names.js';
import { memberName } from '../../javascript/parse.js';

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

/**
 * @param {AnyNode} first
 * @param {Code} code
 * @returns {{events: string[] | null, end: AnyNode}} of the calls that follow in a chain: `feed.on('change', show).on('error', stop)`
 */
function chainFrom(first, code) {
  /** @type {string[]} */
  const events = [];
  let end = first;
  for (;;) {
    const member = code.parentOf(end);
    if (member?.type !== 'MemberExpression' || member.object !== end) return { events, end };
    const call = code.parentOf(member);
    if (call?.type !== 'CallExpression' || call.callee !== member) return { events: null, end };
    const name = memberName(member);
    const [event] = call.arguments;
    if (name === undefined || name === 'pipe') return { events: null, end };
    if (LISTENS.has(name)) {
      if (event?.type !== 'Literal') return { events: null, end };
      events.push(String(event.value));
    }
    end = call;
  }
}
