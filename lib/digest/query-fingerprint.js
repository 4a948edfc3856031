// Reads the fingerprint of one request from its path and query: what is requested, without ids, keys and other literals, and how
// many rows an answer can have. The careful reading; `scan-target.js` recognizes at speed what was read here before.

import { attempt } from '../shared/attempt.js';
import { isDatabaseName } from '../shared/fold-database.js';
import { fingerprintParameters } from './parameters.js';

/** @import { TargetScan } from './scan-target.js' */

/**
 * @typedef {object} QueryFingerprint What a request wants from a database or from the server.
 * @property {string} endpoint `_view`, `_find`, `document`, `database`, `_up`, …; `/` for the root, `other` for what is
 *   no address of CouchDB
 * @property {string} designDoc `_design/orders`; empty where none is named
 * @property {string} view the view of `_view` and `_list`
 * @property {string} functionName of `_list`, `_show`, `_update`, the index of `_search` and `_nouveau`
 * @property {string[]} parameters names, and `name=value` where the value is kept
 * @property {boolean} byReplicator only replicators send such requests (couch_replicator_api_wrap.erl, 3.5.0, and those that follow it):
 *   for missing revisions, checkpoints, documents with their histories, and for a database with a slash behind its name
 */

/** @typedef {{database: string | null, fingerprint: QueryFingerprint}} ReadTarget */

/** Addresses of the server (chttpd_httpd_handlers.erl and others, 3.5.0; the last ones of 1.x). */
const SERVER_ENDPOINTS = new Set(
  `_up _all_dbs _dbs_info _session _replicate _active_tasks _scheduler _uuids _stats _log _config _utils _node _nodes _membership
  _cluster_setup _reshard _search_analyze _nouveau_analyze _db_updates _restart _oauth`.split(/\s+/),
);

/** Addresses of a database (chttpd_httpd_handlers.erl, mango, dreyfus, nouveau, 3.5.0; `_temp_view` of 1.x). */
const DATABASE_ENDPOINTS = new Set(
  `_all_docs _design_docs _local_docs _changes _find _explain _index _bulk_docs _bulk_get _revs_diff _missing_revs _revs_limit
  _purge _purged_infos_limit _compact _view_cleanup _ensure_full_commit _security _shards _sync_shards _temp_view _search_cleanup
  _nouveau_cleanup _auto_purge _design _local _partition`.split(/\s+/),
);

/** Addresses of a design document that run or describe something. */
const DESIGN_ENDPOINTS = new Set(
  '_view _list _show _update _rewrite _info _search _search_info _nouveau _nouveau_info _spatial _geo'.split(' '),
);

const REPLICATOR_ENDPOINTS = new Set(['_revs_diff', '_missing_revs', '_local', '_ensure_full_commit']);

/** @type {QueryFingerprint} */
export const OTHER_FINGERPRINT = {
  endpoint: 'other',
  designDoc: '',
  view: '',
  functionName: '',
  parameters: [],
  byReplicator: false,
};

/**
 * @param {string} text
 * @returns {string} with its percent escapes replaced; as it was where they are wrong
 */
export function decode(text) {
  if (!text.includes('%')) return text;
  return attempt(() => decodeURIComponent(text), text);
}

/**
 * @param {string} target path and query; empty segments do not count, as in CouchDB (string:tokens in chttpd.erl)
 * @returns {ReadTarget}
 */
export function readTarget(target) {
  const mark = target.indexOf('?');
  const path = mark === -1 ? target : target.slice(0, mark);
  const parameters = mark === -1 ? [] : fingerprintParameters(target.slice(mark + 1), decode);
  const segments = path.split('/').filter((segment) => segment !== '');
  const [first = '', ...rest] = segments.map(decode);
  if (first === '') return { database: null, fingerprint: make('/', { parameters }) };
  const isDatabase = isDatabaseName(first);
  if (!isDatabase) {
    const endpoint = SERVER_ENDPOINTS.has(first) ? first : 'other';
    return { database: null, fingerprint: endpoint === 'other' ? OTHER_FINGERPRINT : make(endpoint, { parameters }) };
  }
  const fingerprint = readDatabasePath(rest, parameters);
  const byReplicator =
    REPLICATOR_ENDPOINTS.has(fingerprint.endpoint) ||
    (fingerprint.endpoint === '_bulk_get' && parameters.includes('revs')) ||
    (fingerprint.endpoint === 'database' && path.endsWith('/'));
  return { database: first, fingerprint: { ...fingerprint, byReplicator } };
}

/**
 * @param {string[]} segments behind the database, decoded
 * @param {string[]} parameters
 * @returns {QueryFingerprint}
 */
function readDatabasePath([endpoint = '', second = '', ...rest], parameters) {
  if (endpoint === '') return make('database', { parameters });
  if (endpoint === '_partition') return readDatabasePath(rest, [...parameters, 'partition'].sort());
  if (endpoint === '_design' && second !== '') return readDesignPath(second, rest, parameters);
  // `_design%2Forders` is the same document (chttpd_db.erl, 3.5.0).
  if (endpoint.startsWith('_design/'))
    return readDesignPath(endpoint.slice(8), second === '' ? [] : [second, ...rest], parameters);
  if (endpoint.startsWith('_local/')) return make('_local', { parameters });
  if (endpoint.startsWith('_')) {
    if (!DATABASE_ENDPOINTS.has(endpoint)) return OTHER_FINGERPRINT;
    return make(second === 'queries' && endpoint.endsWith('_docs') ? `${endpoint}/queries` : endpoint, { parameters });
  }
  return make(second === '' ? 'document' : 'attachment', { parameters });
}

/**
 * @param {string} name of the design document
 * @param {string[]} segments behind it
 * @param {string[]} parameters
 * @returns {QueryFingerprint}
 */
function readDesignPath(name, [endpoint = '', first = '', second = ''], parameters) {
  const designDoc = `_design/${name}`;
  if (endpoint === '') return make('_design', { designDoc, parameters });
  if (!DESIGN_ENDPOINTS.has(endpoint)) return make('attachment', { designDoc, parameters });
  if (endpoint === '_view') {
    return make(second === 'queries' ? '_view/queries' : '_view', { designDoc, view: first, parameters });
  }
  // `_list/format/view`, and `_list/format/otherdoc/view`, which the next segment would show; the name before it will do.
  if (endpoint === '_list') return make('_list', { designDoc, functionName: first, view: second, parameters });
  if (endpoint === '_rewrite' || endpoint === '_info') return make(endpoint, { designDoc, parameters });
  return make(endpoint, { designDoc, functionName: first, parameters });
}

/**
 * @param {string} endpoint
 * @param {Partial<QueryFingerprint>} parts
 * @returns {QueryFingerprint}
 */
function make(endpoint, { designDoc = '', view = '', functionName = '', parameters = [] }) {
  return { endpoint, designDoc, view, functionName, parameters, byReplicator: false };
}

/**
 * The fewest bytes of a row in an answer: `{"id":"a","key":1,"value":1},\r\n` and so on. An answer has at most its size divided
 * by it rows (couch_mrview_http:row_to_json/2 and fabric_view_changes, 3.5.0).
 */
const BYTES_OF_ROW = new Map([
  ['_view', 22],
  ['_all_docs', 70],
  ['_design_docs', 70],
  ['_local_docs', 40],
  ['_changes', 40],
]);
/** What `include_docs` adds at least: `,"doc":null`. */
const BYTES_OF_DOC = 11;

export class KnownFingerprint {
  /**
   * @param {QueryFingerprint} fingerprint
   * @param {boolean} isWhole whether it is an address of the server and needs no database
   */
  constructor(fingerprint, isWhole) {
    this.fingerprint = fingerprint;
    this.isWhole = isWhole;
    const { endpoint, parameters } = fingerprint;
    this.isFind = endpoint === '_find';
    this.isOneDocument = endpoint === 'document' || endpoint === '_design' || endpoint === '_local';
    const bytes = BYTES_OF_ROW.get(endpoint) ?? 0;
    this.rowBytes = bytes === 0 ? 0 : bytes + (parameters.includes('include_docs=true') ? BYTES_OF_DOC : 0);
    this.isOneKey = parameters.includes('key') && endpoint === '_all_docs';
  }

  /**
   * @param {TargetScan} scan
   * @param {number} size of the answer in bytes, -1 where it is unknown
   * @param {number} keys how many keys were requested, -1 where it is unknown
   * @returns {number} the most rows the answer can have, -1 where it is unknown
   */
  rowsAtMost(scan, size, keys) {
    if (this.isOneDocument) return 1;
    if (this.rowBytes === 0) return -1;
    let most = size < 0 ? -1 : Math.floor(size / this.rowBytes);
    if (scan.limit >= 0 && (most < 0 || scan.limit < most)) most = scan.limit;
    if (this.isOneKey && most !== 0) most = 1;
    // Views may have many rows of one key; `_all_docs` has one.
    if (keys >= 0 && this.fingerprint.endpoint === '_all_docs' && (most < 0 || keys < most)) most = keys;
    return most;
  }
}
