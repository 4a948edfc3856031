// What is known of felix-couchdb, an older client that gives its answers to callbacks and sends one request at a time (lib/couchdb.js of 1.0.8).

import { AFTER_LAST_ROW, docsMember } from './client.js';

/** @import { Client } from './client.js' */

/** @type {Client} */
export const felixCouchdb = {
  name: 'felix-couchdb',
  packages: { 'felix-couchdb': 'namespace' },
  packageWords: /felix-couchdb/,
  makerWords: /couch|client/i,
  classes: ['createClient'],
  types: {},
  methods: {
    allDocs: { method: 'all-docs', options: 0 },
    bulkDocs: { method: 'bulk-write', target: 0 },
    changes: { method: 'changes', options: 0 },
    changesStream: { method: 'changes', options: 0 },
    compact: { method: 'other' },
    copyDoc: { method: 'other' },
    create: { method: 'create-database' },
    exists: { method: 'other' },
    getAttachment: { method: 'attachment' },
    getDoc: { method: 'get', target: 0 },
    info: { method: 'info' },
    list: { method: 'other' },
    remove: { method: 'destroy' },
    removeAttachment: { method: 'attachment' },
    removeDoc: { method: 'remove', target: 0 },
    request: { method: 'other' },
    saveAttachment: { method: 'attachment' },
    saveDesign: { method: 'insert' },
    saveDoc: { method: 'insert', target: 0 },
    tempView: { method: 'temporary-query', options: 1 },
    view: { method: 'view', designDoc: 0, view: 1, options: 2 },
    viewCleanup: { method: 'other' },
  },
  serverMethods: { replicate: { method: 'replicate', options: 2 } },
  databaseMakers: ['db'],
  groups: {},
  groupMethods: [],
  callbacks: 'always',
  live: { options: ['feed'], type: 'string' },
  advice: {
    readMany: ({ on }, ids) =>
      `${on}.request({ method: 'POST', path: '/_all_docs', query: { include_docs: true }, data: { keys: ${ids} } })`,
    writeMany: ({ on }, docs) => `${on}.bulkDocs({ ${docsMember(docs)} })`,
    storedView: (view) => `view('${view}', '${view}', …)`,
    afterLastKey: AFTER_LAST_ROW,
  },
};
