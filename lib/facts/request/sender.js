// Decides which logged requests a call in the code may have sent: by the view or endpoint, the database, and the options as far as the code shows them.

import { entries } from '../subjects.js';

/** @import { RequestRecord, ValueNode } from '../../sources/record.js' */
/** @import { CallRecord } from '../../sources/application/record.js' */
/** @import { CallSubject, RunSubject } from '../fact.js' */

/** What a call requests, where it names no document: of documents one at a time a log has the requests of all calls together. @type {Partial<Record<CallRecord['method'], readonly string[]>>} */
const ENDPOINTS = {
  view: ['_view', '_list'],
  'all-docs': ['_all_docs'],
  changes: ['_changes'],
};

/** Two names of one parameter (couch_mrview_http:parse_param/4, 3.5.0). @type {ReadonlyMap<string, string>} */
const ALIASES = new Map([
  ['start_key', 'startkey'],
  ['end_key', 'endkey'],
  ['start_key_doc_id', 'startkey_docid'],
  ['end_key_doc_id', 'endkey_docid'],
]);

/** Options whose names the logs keep. Others, of clients alone, show nothing. */
const KEPT = new Set(
  (
    'include_docs reduce group group_level descending update stable stale feed filter view style conflicts attachments inclusive_end update_seq ' +
    'sorted since doc_ids key startkey endkey startkey_docid endkey_docid limit skip keys'
  ).split(' '),
);

/** Of these the logs keep the value. */
const WITH_VALUE = new Set(
  'include_docs reduce group group_level descending stable conflicts attachments inclusive_end update_seq'.split(' '),
);

/**
 * @param {RequestRecord} request
 * @param {CallRecord} call
 * @returns {boolean}
 */
export function mayBeSentBy(request, call) {
  if (call.location === 'local' || request.isReplication) return false;
  if (!ENDPOINTS[call.method]?.includes(request.endpoint) || !isSameTarget(request, call)) return false;
  const given = optionsOf(call);
  const sent = new Map(request.parameters.map((text) => splitParameter(text)));
  // The body of a POST is not in a log.
  const isWhole = request.method !== 'POST';
  for (const [name, node] of given) {
    if (!sent.has(name)) {
      if (isWhole && isLiteral(node)) return false;
    } else if (WITH_VALUE.has(name) && isLiteral(node) && sent.get(name) !== String(node.value)) return false;
  }
  return call.options.isOpen || [...sent.keys()].every((name) => given.has(name) || !KEPT.has(name));
}

/**
 * @param {RunSubject} run
 * @param {readonly RequestRecord[]} requests
 * @returns {CallSubject[]} the calls that may have sent one of them, in the order of the code
 */
export function sendersOf({ subjects }, requests) {
  return subjects
    .filter((subject) => subject.kind === 'call')
    .filter(({ record }) => requests.some((request) => mayBeSentBy(request, record)));
}

/**
 * @param {RequestRecord} request
 * @param {CallRecord} call
 * @returns {boolean}
 */
function isSameTarget(request, { method, designDoc, view, database }) {
  const isSameDatabase = database !== null && request.database === database;
  if (method !== 'view') return isSameDatabase;
  // Databases of a pattern have one shape together.
  const mayBeSame = isSameDatabase || database === null || request.database === null || request.database.includes('*');
  return mayBeSame && view !== null && designDoc === request.designDoc && view === request.view;
}

/**
 * @param {CallRecord} call
 * @returns {Map<string, ValueNode>} those that logs show, by the name that they have there
 */
function optionsOf({ options }) {
  const all = entries(options.node ?? undefined).map(({ key, node }) => {
    return /** @type {const} */ ([ALIASES.get(key) ?? key, node]);
  });
  return new Map(all.filter(([name]) => KEPT.has(name)));
}

/**
 * @param {ValueNode} node
 * @returns {node is Extract<ValueNode, {type: 'boolean' | 'number' | 'string'}>} whether it is sent as it is written
 */
function isLiteral(node) {
  const { type } = node;
  return type === 'boolean' || type === 'number' || type === 'string';
}

/** @param {string} text `name=value` or `name` @returns {[string, string]} */
function splitParameter(text) {
  const at = text.indexOf('=');
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}
