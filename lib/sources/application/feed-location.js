// Knows whose changes a feed or replication reads: those of its receiver, of an argument, or of both.

import { clientNamed } from '../../clients/index.js';
import { bare, memberName } from '../../javascript/parse.js';
import { locationOf } from './locations.js';

/** @import { AnyNode, CallExpression } from 'acorn' */
/** @import { Code } from './code.js' */
/** @import { CallLocation, CallRecord } from './record.js' */
/** @import { Tracer } from './trace.js' */

/**
 * @param {CallExpression} node
 * @param {Pick<CallRecord, 'method' | 'client' | 'location'>} record
 * @param {Code} code
 * @param {Tracer} tracer
 * @returns {CallLocation} `http` where a server reads or filters changes
 */
export function feedLocation(node, { method, client, location }, code, tracer) {
  if (method === 'changes') return location;
  if (method !== 'replicate' && method !== 'sync') return 'unknown';
  // Other clients have the server replicate.
  if (!clientNamed(client)?.local) return location;
  const at = (/** @type {number} */ index) => argumentLocation(node.arguments[index], code, tracer);
  const callee = bare(node.callee);
  const name = callee.type === 'MemberExpression' ? memberName(callee) : undefined;
  if (name === 'from') return at(0);
  if (name === 'to') return location;
  // `PouchDB.sync(a, b)` and `PouchDB.replicate(a, b)`, `db.sync(b)`
  const isStatic = callee.type === 'MemberExpression' && tracer.start(callee.object, code)?.is !== 'database';
  if (name === 'replicate') return isStatic ? at(0) : 'unknown';
  return either(isStatic ? at(0) : location, at(isStatic ? 1 : 0));
}

/** @param {CallLocation} first @param {CallLocation} second @returns {CallLocation} */
function either(first, second) {
  if (first === 'http' || second === 'http') return 'http';
  return first === 'local' && second === 'local' ? 'local' : 'unknown';
}

/**
 * @param {AnyNode | undefined} node a database, its name or its URL
 * @param {Code} code
 * @param {Tracer} tracer
 * @returns {CallLocation}
 */
function argumentLocation(node, code, tracer) {
  if (!node) return 'unknown';
  const value = tracer.start(node, code);
  return value?.is === 'database' ? value.location : locationOf(tracer, node, code, 0);
}
