// Makes records of replications: documents of `_replicator`, bodies of `_replicate`, answers of `_scheduler/docs` and `_scheduler/jobs`, and what code
// has a server replicate. A record holds no password, token or header; `secrets` says where its file does, so that no report shows them.

import { member, nodePlace, plainValue } from '../record.js';

/** @import { Place, SourceFile } from '../../shared/source-file.js' */
/** @import { ObjectNode, ValueNode } from '../record.js' */

/**
 * @typedef {object} ReplicationEndpoint The source or target of a replication, without credentials.
 * @property {boolean} isRemote whether it is an address; else it is the name of a database
 * @property {string} address `https://host:6984/shop`, or the name
 * @property {string | null} host
 * @property {string} database
 * @property {string | null} user in the address
 * @property {boolean} hasPassword whether the address holds a password
 * @property {boolean} isPlaceholder whether what stands there seems to stand for one
 * @property {boolean} hasHeaders whether headers or credentials stand beside the address
 * @property {Place} place
 */

/**
 * @typedef {object} ReplicationRecord
 * @property {'replication'} kind
 * @property {SourceFile} file
 * @property {Place} place
 * @property {string} name the id of its document, or its databases
 * @property {boolean} isInCode
 * @property {boolean | null} isDocument whether it is a document of `_replicator`, not a body of `_replicate`; null where it may be either
 * @property {boolean} isAnswer whether the scheduler of a server says so, so that the job may stand in a document as well
 * @property {string | null} jobId by which the scheduler knows it
 * @property {boolean} isTransient whether the scheduler says that no document started it
 * @property {number | null} pending changes that it has yet to replicate, as the scheduler says
 * @property {{pending: number | null, minutes: number}} [earlier] what an earlier recording says of it
 * @property {boolean} [isGone] whether an earlier recording of the server has it, and this one does not
 * @property {ReplicationEndpoint | undefined} source undefined where only running would show it
 * @property {ReplicationEndpoint | undefined} target
 * @property {string | null} filter `orders/open`
 * @property {Place | undefined} filterPlace
 * @property {string} selects what it replicates of the source: equal for two that replicate the same
 * @property {number | null} docIds how many ids it names
 * @property {Map<string, {value: string | number | boolean, place: Place}>} settings numbers and switches, by their names
 * @property {string | null} state `running`, `crashing`, `failed`, …
 * @property {number | null} errors crashes in a row, as `_scheduler/docs` counts them
 * @property {string | null} reason the kind of the last error
 * @property {{start: number, end: number}[]} secrets stretches of the file that no report may show
 */

/** What only a replication has beside its source and target (couch_replicator_parse.erl and couch_replicator_docs.erl, 3.5.2). */
const OWN_KEYS = new Set([
  ...['continuous', 'create_target', 'create_target_params', 'doc_ids', 'selector', 'filter', 'query_params'],
  ...['use_checkpoints', 'checkpoint_interval', 'use_bulk_get', 'winning_revs_only', 'since_seq', 'worker_processes'],
  ...['worker_batch_size', 'http_connections', 'retries_per_request', 'connection_timeout', 'user_ctx', 'owner'],
  ...['_replication_id', '_replication_state', '_replication_state_reason', '_replication_state_time', 'cancel'],
  ...['source_proxy', 'target_proxy', 'doc_id', 'history'],
]);
/** Keys that the record keeps as they are: numbers and switches. */
const SETTINGS = [
  ...['continuous', 'create_target', 'use_checkpoints', 'checkpoint', 'checkpoint_interval', 'worker_processes'],
  ...['worker_batch_size', 'http_connections', 'retries_per_request', 'connection_timeout', 'winning_revs_only'],
];
/** The host of addresses in recordings, which stand for others. */
export const HIDDEN_HOST = 'hidden.invalid';
/** `https://user:password@host/db?query`. */
const ADDRESS = /^(https?):\/\/(?:([^/?#]*)@)?([^/?#]+)([^?#]*)/i;
/** Stands for credentials. */
const PLACEHOLDER = /[<>{}$%*…]|:(?:password|passwd|secret|pass|changeme|your.*)$/i;
/** What authorizes in a text as it is written, with slashes that may be escaped. */
const CREDENTIALS = /:(?:\\?\/){2}([^\s/"'`\\]{1,1000})@/g;
/** Parts of an error that may hold addresses, names and ids; and its first word of two parts, which names its kind: `db_not_found`. */
const VALUES = /`[^`]*`|"[^"]*"|https?:\S+/g;
const REASON = /\b[a-z]{1,30}(?:_[a-z]{1,30}){1,5}\b/;

/**
 * @param {Iterable<string>} keys of an object
 * @returns {boolean} whether it may be a replication
 */
export function mayBeReplication(keys) {
  const all = new Set(keys);
  return all.has('source') && all.has('target') && [...OWN_KEYS].some((key) => all.has(key));
}

/**
 * @param {ValueNode} node of JSON
 * @returns {ReplicationRecord | undefined} undefined where it is no replication: edges of graphs have a source and a target, too
 */
export function replicationOf(node) {
  if (node.type !== 'object' || !mayBeReplication(node.entries.map(({ key }) => key))) return undefined;
  const record = createReplication(node, { source: member(node, 'source'), target: member(node, 'target') });
  const { source, target } = record;
  // Somewhere an address must stand, or a word that no other program has.
  const isSure = source?.isRemote || target?.isRemote || record.state !== null || member(node, '_replication_id');
  return isSure && source && target ? record : undefined;
}

/**
 * @param {ObjectNode} node with the parameters
 * @param {{source: ValueNode | undefined, target: ValueNode | undefined}} ends
 * @returns {ReplicationRecord}
 */
export function createReplication(node, ends) {
  const [source, target] = [ends.source, ends.target].map(endpointOf);
  const filter = text(node, 'filter');
  const ids = member(node, 'doc_ids');
  const id = text(node, '_id') ?? text(node, 'doc_id');
  const jobId = text(node, 'id');
  const docId = member(node, 'doc_id');
  const isTransient = docId?.type === 'null';
  const { state, reason } = stateOf(node);
  return {
    kind: 'replication',
    file: node.file,
    place: id === null ? nodePlace(node) : nodePlace(member(node, '_id') ?? docId ?? node),
    name:
      id ?? (source?.host === HIDDEN_HOST ? jobId : null) ?? `${source?.database ?? '…'} to ${target?.database ?? '…'}`,
    isInCode: false,
    isDocument: member(node, '_id') ? true : docId ? !isTransient : null,
    isAnswer: docId !== undefined,
    jobId,
    isTransient,
    pending: countOf(member(member(node, 'info'), 'changes_pending')),
    source,
    target,
    filter,
    filterPlace: filter === null ? undefined : placeOf(node, 'filter'),
    selects: selection(node),
    docIds: ids?.type === 'array' ? ids.items.length : null,
    settings: new Map(
      SETTINGS.flatMap((key) => {
        const value = member(node, key);
        return value && (value.type === 'number' || value.type === 'boolean' || value.type === 'string')
          ? [[key, { value: value.value, place: nodePlace(value) }]]
          : [];
      }),
    ),
    state,
    errors: countOf(member(node, 'error_count')),
    reason,
    secrets: [node, ends.source, ends.target].flatMap(secretsOf),
  };
}

/**
 * @param {ValueNode | undefined} node `'https://host/db'`, `'db'` or `{"url": …}`
 * @returns {ReplicationEndpoint | undefined} undefined where reading does not show it
 */
function endpointOf(node) {
  const url = node?.type === 'object' ? member(node, 'url') : node;
  if (!node || url?.type !== 'string') return undefined;
  const [, protocol, credentials, host = '', path = ''] = ADDRESS.exec(url.value) ?? [];
  const isRemote = protocol !== undefined;
  const name = isRemote ? path.replace(/^\/+|\/+$/g, '') : url.value;
  return {
    isRemote,
    address: isRemote ? `${protocol.toLowerCase()}://${host.toLowerCase()}/${name}` : name,
    host: isRemote ? host.replace(/:\d+$/, '').toLowerCase() : null,
    database: isRemote ? (name.split('/').at(-1) ?? name) : name,
    user: credentials?.split(':', 1)[0] ?? null,
    hasPassword: credentials !== undefined && /:./.test(credentials),
    // Only said, never kept.
    isPlaceholder: credentials !== undefined && (PLACEHOLDER.test(credentials) || /^([^:]*):\1$/.test(credentials)),
    hasHeaders: node.type === 'object' && node.entries.some(({ key }) => key !== 'url'),
    place: nodePlace(url),
  };
}

/**
 * @param {ObjectNode} node
 * @returns {string} what it replicates, to tell replications of the same databases apart
 */
function selection(node) {
  const keys = ['filter', 'query_params', 'selector', 'doc_ids', 'continuous', 'since_seq', 'winning_revs_only'];
  return JSON.stringify(
    keys.map((key) => {
      const value = member(node, key);
      return value && !(value.type === 'boolean' && !value.value) ? plainValue(value) : null;
    }),
  );
}

/**
 * @param {ObjectNode} node
 * @returns {{state: string | null, reason: string | null}} as the document or the scheduler says; the newest entry of a job's history
 */
function stateOf(node) {
  const history = member(node, 'history');
  const newest = history?.type === 'array' ? history.items[0] : undefined;
  const type = text(newest, 'type');
  const state = type ?? text(node, 'state') ?? text(node, '_replication_state');
  const info = member(node, 'info');
  const written = type
    ? text(newest, 'reason')
    : (text(info, 'error') ?? text(node, '_replication_state_reason') ?? (info?.type === 'string' ? info.value : null));
  const words = (written ?? '').replace(VALUES, '');
  return { state, reason: / already started/.test(words) ? 'duplicate' : (REASON.exec(words)?.[0] ?? null) };
}

/**
 * @param {ValueNode | undefined} node
 * @returns {{start: number, end: number}[]} where it authorizes: in addresses, headers and `auth`
 */
function secretsOf(node) {
  if (node?.type === 'array') return node.items.flatMap(secretsOf);
  if (node?.type === 'object') {
    return node.entries.flatMap(({ key, node: value }) =>
      key === 'headers' || key === 'auth' ? stringsIn(value).map(inner) : secretsOf(value),
    );
  }
  if (node?.type !== 'string' || node.isFunction) return [];
  const written = node.file.text.slice(node.start, node.end);
  return [...written.matchAll(CREDENTIALS)].map(({ 0: whole, 1: found = '', index }) => {
    const end = node.start + index + whole.length - 1;
    return { start: end - found.length, end };
  });
}

/** @param {ValueNode} node @returns {ValueNode[]} all strings in it */
function stringsIn(node) {
  if (node.type === 'object') return node.entries.flatMap((entry) => stringsIn(entry.node));
  if (node.type === 'array') return node.items.flatMap(stringsIn);
  return node.type === 'string' ? [node] : [];
}

/** @param {ValueNode} node of a string @returns {{start: number, end: number}} without its quotation marks */
function inner({ start, end }) {
  return { start: start + 1, end: Math.max(start + 1, end - 1) };
}

/** @param {ValueNode | undefined} node @returns {number | null} */
const countOf = (node) => (node?.type === 'number' ? node.value : null);

/** @param {ValueNode | undefined} node @param {string} key @returns {string | null} */
function text(node, key) {
  const value = member(node, key);
  return value?.type === 'string' ? value.value : null;
}

/** @param {ObjectNode} node @param {string} key */
function placeOf(node, key) {
  const value = member(node, key);
  return value && nodePlace(value);
}
