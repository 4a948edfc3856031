// What is known of `$.couch`, the client of pages that CouchDB served itself until 1.7, and of most couchapps (share/www/script/jquery.couch.js of 1.6.1, jquery.couch.app.js of CouchApp 1.0).

import { AFTER_LAST_ROW, docsMember } from './client.js';

/** @import { Client } from './client.js' */

/** Without `changes`, which asks for the newest sequence first and goes on after errors by itself. @type {Client} */
export const jqueryCouch = {
  name: 'jquery-couch',
  packages: { 'jquery.couch': 'namespace', 'jquery-couch': 'namespace' },
  packageWords: /jquery[.-]couch/,
  member: { of: ['$', 'jQuery'], name: 'couch' },
  // Of Evently, whose functions are files of couchapps (jquery.evently.js of CouchApp 1.0).
  holder: { of: ['$$()'], name: 'app' },
  // And what pages have beside it: jquery.couch.app.js of CouchApp, couch.js of CouchDB 1.6.
  copy: /\.extend\(\s*(?:\$|jQuery)\.couch\s*,|\.couch\.app\s*=|^function CouchDB\(name, httpHeaders/m,
  makerWords: /couch/,
  types: {},
  methods: {
    allDocs: { method: 'all-docs', options: 0 },
    bulkRemove: { method: 'bulk-write', target: 0, options: 1 },
    bulkSave: { method: 'bulk-write', target: 0, options: 1 },
    compact: { method: 'compact' },
    create: { method: 'create-database' },
    drop: { method: 'destroy' },
    info: { method: 'info' },
    list: { method: 'other' },
    openDoc: { method: 'get', target: 0, options: 1 },
    query: { method: 'temporary-query', path: 0, options: 3 },
    removeDoc: { method: 'remove', target: 0 },
    saveDoc: { method: 'insert', target: 0, options: 1 },
    show: { method: 'show' },
    view: { method: 'view', path: 0, options: 1 },
    viewCleanup: { method: 'compact' },
  },
  serverMethods: {
    activeTasks: { method: 'other' },
    allDbs: { method: 'other' },
    login: { method: 'other' },
    logout: { method: 'other' },
    replicate: { method: 'replicate', options: 3 },
    session: { method: 'other' },
    signup: { method: 'other' },
  },
  // `app` of jquery.couch.app.js has the database of the page.
  gives: { app: 'holder', userDb: 'database' },
  databaseMakers: ['db'],
  groups: {},
  groupMethods: [],
  callbacks: 'options',
  // `changes` alone keeps a request open.
  live: { options: [], type: 'boolean' },
  advice: {
    readMany: ({ on }, ids) => `${on}.allDocs({ keys: ${ids}, include_docs: true })`,
    writeMany: ({ on }, docs) => `${on}.bulkSave({ ${docsMember(docs)} }, {})`,
    storedView: (view) => `view('${view}/${view}', …)`,
    afterLastKey: AFTER_LAST_ROW,
  },
};
