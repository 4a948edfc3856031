// What is known of cradle, an older client that gives its answers to callbacks (README of 0.7).

import { AFTER_LAST_ROW } from './client.js';

/** @import { Client } from './client.js' */

/** @type {Client} */
export const cradle = {
  name: 'cradle',
  packages: { cradle: 'namespace' },
  packageWords: /cradle/,
  makerWords: /cradle|connection/,
  classes: ['Connection'],
  types: {},
  methods: {
    all: { method: 'all-docs', options: 0 },
    changes: { method: 'changes', options: 0 },
    create: { method: 'create-database' },
    destroy: { method: 'destroy' },
    exists: { method: 'other' },
    get: { method: 'get', target: 0 },
    getAttachment: { method: 'attachment' },
    head: { method: 'head', target: 0 },
    info: { method: 'info' },
    // Reads the document, too: it is not among what can be written together.
    merge: { method: 'update' },
    put: { method: 'insert', target: 0 },
    post: { method: 'insert', target: 0 },
    remove: { method: 'remove', target: 0 },
    removeAttachment: { method: 'attachment' },
    replicate: { method: 'replicate', options: 1 },
    save: { method: 'insert', target: 0, takesList: true },
    saveAttachment: { method: 'attachment' },
    temporaryView: { method: 'temporary-query', options: 0 },
    view: { method: 'view', path: 0, options: 1 },
  },
  serverMethods: { replicate: { method: 'replicate', options: 2 } },
  databaseMakers: ['database'],
  groups: {},
  groupMethods: [],
  callbacks: 'always',
  sendsOwnRevision: true,
  live: { options: ['feed'], type: 'string' },
  followsWithoutCallback: true,
  emitsUnhandledErrors: true,
  advice: {
    readMany: ({ on }, ids) => `${on}.get(${ids})`,
    writeMany: ({ on }, docs) => `${on}.save(${docs})`,
    storedView: (view) => `view('${view}/${view}', …)`,
    afterLastKey: AFTER_LAST_ROW,
  },
};
