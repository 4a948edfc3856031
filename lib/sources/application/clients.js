// What is known of the clients of CouchDB: the packages they come in, and what their methods do and take.
// Sources: nano 11.0 README, PouchDB 9.0 API reference, cradle 0.7 README, @cloudant/cloudant 4.3 and @ibm-cloud/cloudant 0.12 README.

/** @import { CallMethod, ClientName } from './record.js' */

/**
 * @typedef {object} MethodShape Which argument of a method is what.
 * @property {CallMethod} method
 * @property {number} [target] the id or the document; of a bulk write the documents
 * @property {number} [options]
 * @property {number} [designDoc]
 * @property {number} [view]
 * @property {number} [path] `orders/by_status`, or a function for a temporary query
 * @property {string} [idOption] the option that has the id, where all arguments stand in one object
 */

/** What a package gives: a function that makes a server, a class of databases, a class of servers. @typedef {{client: ClientName, makes: 'server' | 'database' | 'namespace'}} ClientPackage */

/** @type {ReadonlyMap<string, ClientPackage>} */
const PACKAGES = new Map([
  ['nano', { client: 'nano', makes: 'server' }],
  ['@cloudant/cloudant', { client: 'cloudant', makes: 'server' }],
  ['cloudant', { client: 'cloudant', makes: 'server' }],
  ['cradle', { client: 'cradle', makes: 'namespace' }],
  ['@ibm-cloud/cloudant', { client: 'ibm-cloud', makes: 'namespace' }],
  ['pouchdb', { client: 'pouchdb', makes: 'database' }],
  ['pouchdb-core', { client: 'pouchdb', makes: 'database' }],
  ['pouchdb-browser', { client: 'pouchdb', makes: 'database' }],
  ['pouchdb-node', { client: 'pouchdb', makes: 'database' }],
  ['pouchdb-http', { client: 'pouchdb', makes: 'database' }],
  ['@craftzdog/pouchdb-core-react-native', { client: 'pouchdb', makes: 'database' }],
  ['pouchdb-react-native', { client: 'pouchdb', makes: 'database' }],
  ['pouchdb-memory', { client: 'pouchdb', makes: 'database' }],
]);

/**
 * @param {string} name as it is imported
 * @returns {ClientPackage | undefined}
 */
export function clientPackage(name) {
  const known = PACKAGES.get(name);
  if (known) return known;
  return /^pouchdb(?:-browser|-node|-core)?\/(?:dist|lib)\//.test(name) ? PACKAGES.get('pouchdb') : undefined;
}

/** By how they are called. @typedef {'fetch' | 'axios' | 'got' | 'superagent' | 'request' | 'http'} RequestLibrary */

/** Packages that send requests, with URLs that code builds itself. @type {ReadonlyMap<string, RequestLibrary>} */
const REQUEST_LIBRARIES = new Map([
  ['node-fetch', 'fetch'],
  ['cross-fetch', 'fetch'],
  ['isomorphic-fetch', 'fetch'],
  ['isomorphic-unfetch', 'fetch'],
  ['axios', 'axios'],
  ['@angular/common/http', 'axios'],
  ['got', 'got'],
  ['superagent', 'superagent'],
  ['request', 'request'],
  ['request-promise', 'request'],
  ['request-promise-native', 'request'],
  ['http', 'http'],
  ['https', 'http'],
  ['node:http', 'http'],
  ['node:https', 'http'],
]);

/**
 * @param {string} name as it is imported
 * @returns {RequestLibrary | undefined}
 */
export function requestLibrary(name) {
  return REQUEST_LIBRARIES.get(name);
}

/** @type {Record<string, MethodShape>} */
const NANO = {
  atomic: { method: 'update' },
  bulk: { method: 'bulk-write', target: 0, options: 0 },
  changes: { method: 'changes', options: 0 },
  changesAsStream: { method: 'changes', options: 0 },
  compact: { method: 'compact' },
  createIndex: { method: 'create-index', options: 0 },
  destroy: { method: 'remove', target: 0 },
  fetch: { method: 'bulk-read', target: 0, options: 1 },
  fetchRevs: { method: 'bulk-read', target: 0, options: 1 },
  find: { method: 'find', options: 0 },
  findAsStream: { method: 'find', options: 0 },
  follow: { method: 'changes', options: 0 },
  get: { method: 'get', target: 0, options: 1 },
  head: { method: 'head', target: 0 },
  info: { method: 'info' },
  insert: { method: 'insert', target: 0, options: 1 },
  list: { method: 'all-docs', options: 0 },
  listAsStream: { method: 'all-docs', options: 0 },
  partitionedFind: { method: 'find', options: 1 },
  partitionedList: { method: 'all-docs', options: 1 },
  partitionedView: { method: 'view', designDoc: 1, view: 2, options: 3 },
  replicate: { method: 'replicate', options: 1 },
  search: { method: 'search', designDoc: 0, view: 1, options: 2 },
  show: { method: 'show' },
  update: { method: 'update' },
  view: { method: 'view', designDoc: 0, view: 1, options: 2 },
  viewAsStream: { method: 'view', designDoc: 0, view: 1, options: 2 },
  viewWithList: { method: 'view', designDoc: 0, view: 1, options: 3 },
};

/** @type {Record<string, MethodShape>} */
const POUCHDB = {
  allDocs: { method: 'all-docs', options: 0 },
  bulkDocs: { method: 'bulk-write', target: 0, options: 1 },
  bulkGet: { method: 'bulk-read', options: 0 },
  changes: { method: 'changes', options: 0 },
  compact: { method: 'compact' },
  createIndex: { method: 'create-index', options: 0 },
  destroy: { method: 'destroy' },
  find: { method: 'find', options: 0 },
  get: { method: 'get', target: 0, options: 1 },
  getAttachment: { method: 'attachment' },
  info: { method: 'info' },
  post: { method: 'insert', target: 0, options: 1 },
  put: { method: 'insert', target: 0, options: 1 },
  putAttachment: { method: 'attachment' },
  query: { method: 'view', path: 0, options: 1 },
  remove: { method: 'remove', target: 0 },
  removeAttachment: { method: 'attachment' },
  sync: { method: 'sync', options: 1 },
  viewCleanup: { method: 'compact' },
};

/** @type {Record<string, MethodShape>} */
const CRADLE = {
  all: { method: 'all-docs', options: 0 },
  changes: { method: 'changes', options: 0 },
  create: { method: 'create-database' },
  destroy: { method: 'destroy' },
  get: { method: 'get', target: 0 },
  head: { method: 'head', target: 0 },
  info: { method: 'info' },
  // Reads the document, too: it is not among what can be written together.
  merge: { method: 'update' },
  put: { method: 'insert', target: 0 },
  post: { method: 'insert', target: 0 },
  remove: { method: 'remove', target: 0 },
  replicate: { method: 'replicate', options: 1 },
  save: { method: 'insert', target: 0 },
  temporaryView: { method: 'temporary-query', options: 0 },
  view: { method: 'view', path: 0, options: 1 },
};

/** All arguments stand in one object, in camel case. @type {Record<string, MethodShape>} */
const IBM_CLOUD = {
  deleteDocument: { method: 'remove', options: 0, idOption: 'doc_id' },
  getAllDocs: { method: 'all-docs', options: 0 },
  getDocument: { method: 'get', options: 0, idOption: 'doc_id' },
  headDocument: { method: 'head', options: 0, idOption: 'doc_id' },
  postAllDocs: { method: 'all-docs', options: 0 },
  postBulkDocs: { method: 'bulk-write', options: 0 },
  postBulkGet: { method: 'bulk-read', options: 0 },
  postChanges: { method: 'changes', options: 0 },
  postDocument: { method: 'insert', options: 0, idOption: 'document' },
  postFind: { method: 'find', options: 0 },
  postIndex: { method: 'create-index', options: 0 },
  postSearch: { method: 'search', options: 0 },
  postView: { method: 'view', options: 0 },
  putDocument: { method: 'insert', options: 0, idOption: 'document' },
};

/** @type {Record<Exclude<ClientName, 'http'>, Record<string, MethodShape>>} */
const METHODS = { nano: NANO, cloudant: NANO, pouchdb: POUCHDB, cradle: CRADLE, 'ibm-cloud': IBM_CLOUD };

/**
 * @param {ClientName} client
 * @param {string} name
 * @returns {MethodShape | undefined} of a method of a database
 */
export function databaseMethod(client, name) {
  const methods = client === 'http' ? {} : METHODS[client];
  return Object.hasOwn(methods, name) ? methods[name] : undefined;
}

/** Methods of nano and Cloudant that stand in objects of a database: `db.attachment.insert`. @type {Record<string, CallMethod>} */
export const GROUPS = {
  attachment: 'attachment',
  changesReader: 'changes',
  multipart: 'attachment',
  replication: 'replicate',
};

/** Names of types, as nano and `@types/pouchdb` export them. @type {ReadonlyMap<string, {client: ClientName, is: 'database' | 'server'}>} */
export const TYPES = new Map([
  ['nano DocumentScope', { client: 'nano', is: 'database' }],
  ['nano ServerScope', { client: 'nano', is: 'server' }],
  ['cloudant DocumentScope', { client: 'cloudant', is: 'database' }],
  ['cloudant ServerScope', { client: 'cloudant', is: 'server' }],
  ['pouchdb Database', { client: 'pouchdb', is: 'database' }],
]);

/**
 * Options that only CouchDB's queries have (CouchDB 3.5 documentation, api/ddoc/views and api/database/bulk-api), and the methods that take them.
 */
const QUERY_OPTIONS = [
  'include_docs',
  'startkey_docid',
  'endkey_docid',
  'start_key_doc_id',
  'end_key_doc_id',
  'inclusive_end',
  'group_level',
  'update_seq',
];

/** What a method of an unknown object does, where the call has one of the options above. @type {ReadonlyMap<string, MethodShape>} */
const BY_OPTION = new Map([
  ['allDocs', { method: 'all-docs', options: 0 }],
  ['list', { method: 'all-docs', options: 0 }],
  ['query', { method: 'view', path: 0, options: 1 }],
  ['view', { method: 'view', designDoc: 0, view: 1, options: 2 }],
  ['changes', { method: 'changes', options: 0 }],
  ['bulkGet', { method: 'bulk-read', options: 0 }],
]);

/**
 * @param {string} name of a method
 * @returns {MethodShape | undefined} what it does if it is one of CouchDB, which one of its options has to show
 */
export function methodByOption(name) {
  return BY_OPTION.get(name);
}

/**
 * @param {readonly string[]} keys
 * @returns {boolean}
 */
export function hasQueryOption(keys) {
  return keys.some((key) => QUERY_OPTIONS.includes(key));
}

/** Parts of a path that only CouchDB has. */
export const ENDPOINT_WORDS =
  /[/'"`]_(?:all_docs|bulk_docs|bulk_get|temp_view|find|changes)\b|\/_(?:view|list|search|nouveau|show|update)\//;

/** Client packages, their types, and options of queries: a file without any of these is read only where it imports one that has. */
export const CLIENT_WORDS = new RegExp(
  `\\b(?:PouchDB|DocumentScope|ServerScope|CloudantV1|${QUERY_OPTIONS.join('|')})\\b|['"](?:nano|cradle|cloudant|@cloudant/cloudant|@ibm-cloud/cloudant|(?:@[\\w-]+/)?pouchdb[\\w./-]*)['"]|${ENDPOINT_WORDS.source}`,
);

/** Methods of databases, as they are called: a file without any of these has no calls. */
export const METHOD_WORDS =
  /\.\s*(?:all|allDocs|bulk|bulkDocs|bulkGet|changes\w*|createIndex|delete\w*|destroy|fetch\w*|find\w*|follow|from|get\w*|head\w*|insert|list\w*|merge|partitioned\w+|post\w*|put\w*|query|remove|replicate|save|search|spool|start|sync|temporaryView|to|view\w*)\s*(?:<|\()/;

/** Creates an index of CouchDB, if the receiver is a database of it; a string first is a column of another database. */
export const INDEX_WORDS = /\.\s*(?:createIndex|postIndex)\s*(?:<[^()<>]*>\s*)?\(\s*(?!['"`])|\/_index['"`?]/;

/** Addresses, credentials and limits of revisions that a client may be made with. */
export const CONNECTION_WORDS = /https?:\/\/|\bpass(?:word)?\b|\brevs_limit\b/i;
