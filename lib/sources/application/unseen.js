// Lists calls that look like those of a client whose receiver is unknown: they are counted and explained, never judged.

import { isReceiverName, mayBeMethod } from '../../clients/index.js';
import { bare } from '../../javascript/parse.js';
import { propertyName } from './code.js';
import { shownCallee } from './shown-name.js';
import { traceEnd } from './trace-end.js';

/** @import { AnyNode, CallExpression } from 'acorn' */
/** @import { Place } from '../../shared/source-file.js' */
/** @import { Code } from './code.js' */
/** @import { Tracer } from './trace.js' */

/**
 * @typedef {object} UnseenReceiver
 * @property {string} receiver the expression at which the trace ended, as it is written
 * @property {string} reason why no more is known of it, as a clause
 * @property {Place} place of that expression
 * @property {{name: string, place: Place}[]} calls `db.get`
 */

/** Receivers that are called so and are something else. */
const OTHER =
  /mongo|sql|postgres|knex|prisma|sequelize|typeorm|fire(?:base|store)|dynamo|elastic|neo4j|dexie|indexeddb|forage|lowdb|nedb|level|redis/i;

/**
 * @param {Code} code
 * @param {Tracer} tracer
 * @param {(node: CallExpression) => boolean} isSeen
 * @returns {UnseenReceiver[]} each with one call
 */
export function unseenCalls(code, tracer, isSeen) {
  return code.resolved.nodes.flatMap((node) => {
    if (node.type !== 'CallExpression') return [];
    const callee = bare(node.callee);
    const name = callee.type === 'MemberExpression' ? propertyName(callee) : undefined;
    if (callee.type !== 'MemberExpression' || callee.object.type === 'Super' || name === undefined) return [];
    const { object } = callee;
    if (!mayBeMethod(name) || !isReceiverName(lastName(object)) || isSeen(node)) return [];
    const value = tracer.start(object, code);
    // What the project makes itself is known to be no client.
    if (value && value.is !== 'type') return [];
    const { node: end, code: at, reason } = traceEnd(object, code, tracer);
    const receiver = shownCallee(end, at);
    if (isOther(end, at)) return [];
    if (OTHER.test(receiver) || OTHER.test(reason) || OTHER.test(code.source(object))) return [];
    const place = at.file.place(end.start, end.end);
    return {
      receiver,
      reason,
      place,
      calls: [{ name: `${shownCallee(object, code)}.${name}`, place: code.file.place(node.start, node.end) }],
    };
  });
}

/** @param {AnyNode} node @param {Code} code @returns {boolean} whether it is certainly no client: a value, or what is made of a class that is not called like one */
function isOther(node, code) {
  return node.type === 'Literal' || (node.type === 'NewExpression' && !isReceiverName(code.source(node.callee)));
}

/** @param {AnyNode} written @returns {string} `db` of `this.db`, `getDb` of `getDb()` */
function lastName(written) {
  const node = bare(written);
  if (node.type === 'Identifier') return node.name;
  if (node.type === 'MemberExpression') return propertyName(node) ?? lastName(/** @type {AnyNode} */ (node.object));
  if (node.type === 'CallExpression') return lastName(/** @type {AnyNode} */ (node.callee));
  return node.type === 'AwaitExpression' ? lastName(node.argument) : '';
}

/**
 * @param {readonly UnseenReceiver[]} all
 * @returns {UnseenReceiver[]} those with the same end together, those with the most calls first
 */
export function groupUnseen(all) {
  /** @type {Map<string, UnseenReceiver>} */
  const found = new Map();
  for (const one of all) {
    const key = JSON.stringify([one.receiver, one.reason]);
    const known = found.get(key);
    if (known) known.calls.push(...one.calls);
    else found.set(key, { ...one, calls: [...one.calls] });
  }
  return [...found.values()].sort((a, b) => b.calls.length - a.calls.length);
}
