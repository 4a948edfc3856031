// Makes records of what code has a server replicate: `nano.db.replicate(source, target, options)`, `nano.db.replication.enable(…)`, and documents that it writes into `_replicator`.

import { clientNamed } from '../../clients/index.js';
import { createReplication, mayBeReplication } from '../design-docs/replication.js';
import { member } from '../record.js';

/** @import { ObjectNode } from '../record.js' */
/** @import { ReplicationRecord } from '../design-docs/replication.js' */
/** @import { CallRecord } from './record.js' */

/**
 * @param {readonly CallRecord[]} calls
 * @returns {ReplicationRecord[]} none for PouchDB, which replicates itself
 */
export function replicationsInCode(calls) {
  return calls.flatMap((call) => {
    const record = call.method === 'replicate' ? ofReplicate(call) : ofInsert(call);
    if (!record) return [];
    const place = call.file.place(call.start, call.end);
    // `nano.db.replicate` sends a body of `_replicate`. `replication.enable` writes a document, but makes addresses of names (nano 11.0).
    return [{ ...record, name: call.name, isInCode: true, isDocument: call.method === 'insert', place }];
  });
}

/**
 * @param {CallRecord} call
 * @returns {ReplicationRecord | undefined} undefined where the call is not about two databases that it names
 */
function ofReplicate({ client, arguments: given, options, file, start, end, written }) {
  if (clientNamed(client)?.local || client === 'http') return undefined;
  // `db.replicate(target)` of one database leaves the source to the client.
  if (!/\.(?:replicate|replication\.enable)$/.test(written.callee) || given.length < 2 || given[1]?.type === 'object')
    return undefined;
  /** @type {ObjectNode} */
  const none = { type: 'object', file, start, end, entries: [] };
  const record = createReplication(options.node ?? none, { source: given[0], target: given[1] });
  return record.source && record.target ? record : undefined;
}

/**
 * @param {CallRecord} call
 * @returns {ReplicationRecord | undefined} undefined where it writes no document that replicates
 */
function ofInsert({ method, database, target }) {
  if (method !== 'insert' || database !== '_replicator' || target?.type !== 'object') return undefined;
  const keys = target.entries.map(({ key }) => key);
  if (!mayBeReplication([...keys, 'continuous'])) return undefined;
  return createReplication(target, { source: member(target, 'source'), target: member(target, 'target') });
}
