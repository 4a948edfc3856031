// What is known of nano, the client of the CouchDB project (README and lib/nano.js of 11.0).

import { AFTER_LAST_ROW, docsMember } from './client.js';

/** @import { Client } from './client.js' */

/** @type {Client} */
export const nano = {
  name: 'nano',
  packages: { nano: 'server' },
  packageWords: /nano/,
  makerWords: /nano/,
  types: { DocumentScope: 'database', ServerScope: 'server' },
  methods: {
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
  },
  serverMethods: {
    changes: { method: 'changes', options: 1 },
    compact: { method: 'compact' },
    create: { method: 'create-database' },
    destroy: { method: 'destroy' },
    'db.get': { method: 'other' },
    'db.list': { method: 'other' },
    replicate: { method: 'replicate', options: 2 },
    'replication.enable': { method: 'replicate', options: 2 },
    session: { method: 'other' },
    uuids: { method: 'other' },
  },
  ownMethods: ['fetchRevs', 'viewAsStream', 'viewWithList'],
  databaseMakers: ['use', 'scope'],
  groups: { attachment: 'attachment', changesReader: 'changes', multipart: 'attachment', replication: 'replicate' },
  groupMethods: ['disable', 'enable', 'getAsStream', 'insertAsStream', 'spool', 'start'],
  urlMayNameDatabase: true,
  // Up to 10.1; 11 calls none (migration_guide_v10_to_v11.md).
  callbacks: 'instead',
  takesId: true,
  live: { options: ['feed'], type: 'string' },
  // `changesReader` (lib/changesreader.js), and `Feed` of follow 1.1 (lib/feed.js), which nano had up to 8.
  emitsUnhandledErrors: true,
  advice: {
    readMany: ({ on }, ids) => `${on}.fetch({ keys: ${ids} })`,
    writeMany: ({ on }, docs) => `${on}.bulk({ ${docsMember(docs)} })`,
    find: ({ on }, query) => `${on}.find({ ${query} })`,
    afterLastKey: AFTER_LAST_ROW,
    changesBySelector: (receiver, selector) => `${receiver}.changesReader.start({ selector: ${selector} })`,
  },
};
