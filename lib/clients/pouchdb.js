// What is known of PouchDB, a database in the process or browser that is also a client of CouchDB (API reference of 9.0; READMEs of pouchdb-authentication
// 1.1 and pouchdb-upsert 2.2).

/** @import { Client } from './client.js' */

/** @type {Client} */
export const pouchdb = {
  name: 'pouchdb',
  packages: {
    pouchdb: 'database',
    'pouchdb-core': 'database',
    'pouchdb-browser': 'database',
    'pouchdb-node': 'database',
    'pouchdb-http': 'database',
    '@craftzdog/pouchdb-core-react-native': 'database',
    'pouchdb-react-native': 'database',
    'pouchdb-memory': 'database',
  },
  packageWords: /(?:@[\w-]+\/)?pouchdb[\w./-]*/,
  files: /^pouchdb(?:-browser|-node|-core)?\/(?:dist|lib)\//,
  global: 'PouchDB',
  // Of versions before 1.0, and the license of each file that is built.
  copy: /\bPouch\.adapter\(['"]|\(c\) 2012-\d+ Dale Harvey and the PouchDB team/,
  // README of angular-pouchdb 6.
  service: { name: /^pouch[dD][bB]$/, makes: 'database' },
  makerWords: /pouch/,
  types: {},
  namespaceTypes: { Database: 'database', PouchDB: 'database', RelDatabase: 'database' },
  methods: {
    allDocs: { method: 'all-docs', options: 0 },
    bulkDocs: { method: 'bulk-write', target: 0, options: 1 },
    bulkGet: { method: 'bulk-read', options: 0 },
    changes: { method: 'changes', options: 0 },
    compact: { method: 'compact' },
    createIndex: { method: 'create-index', options: 0 },
    deleteIndex: { method: 'other' },
    destroy: { method: 'destroy' },
    explain: { method: 'other' },
    find: { method: 'find', options: 0 },
    get: { method: 'get', target: 0, options: 1 },
    getAttachment: { method: 'attachment' },
    getIndexes: { method: 'other' },
    getSession: { method: 'other' },
    info: { method: 'info' },
    logIn: { method: 'other' },
    logOut: { method: 'other' },
    post: { method: 'insert', target: 0, options: 1 },
    put: { method: 'insert', target: 0, options: 1 },
    putAttachment: { method: 'attachment' },
    putIfNotExists: { method: 'other' },
    query: { method: 'view', path: 0, options: 1 },
    remove: { method: 'remove', target: 0 },
    removeAttachment: { method: 'attachment' },
    signUp: { method: 'other' },
    sync: { method: 'sync', options: 1 },
    upsert: { method: 'other' },
    viewCleanup: { method: 'compact' },
  },
  serverMethods: {},
  ownMethods: ['allDocs', 'bulkDocs', 'viewCleanup'],
  databaseMakers: [],
  groups: { replicate: 'replicate' },
  groupMethods: ['from', 'to'],
  local: {
    // Of the HTTP adapter alone (pouchdb-adapter-http 9.0).
    remoteOptions: ['auth', 'ajax', 'fetch', 'skip_setup'],
    remotePackages: ['pouchdb-http'],
    corePackage: 'pouchdb-core',
    adapterPackage: /^pouchdb-adapter-(\w+)/,
  },
  callbacks: 'also',
  live: { options: ['live', 'continuous'], type: 'boolean' },
  takesViewAsFilter: true,
  advice: {
    readMany: ({ on }, ids) => `${on}.allDocs({ keys: ${ids}, include_docs: true })`,
    writeMany: ({ on }, docs) => `${on}.bulkDocs(${docs})`,
    find: ({ on }, query) => `${on}.find({ ${query} })`,
    remove: (document, { on }) => `${on}.remove(${document})`,
    storedView: (view) => `query('${view}', …)`,
    // It has no `startkey_docid`.
    afterLastKey: ['skip: seen'],
    changesBySelector: (_, selector) => `{ selector: ${selector} }`,
  },
};
