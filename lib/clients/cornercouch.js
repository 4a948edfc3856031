// What is known of CornerCouch, a client for AngularJS that injects `cornercouch` (its angular-cornercouch.js).

import { AFTER_LAST_ROW } from './client.js';

/** @import { Client } from './client.js' */

/** Its documents load, save and remove themselves. It has nothing to write several of them together. @type {Client} */
export const cornercouch = {
  name: 'cornercouch',
  packages: { 'angular-cornercouch': 'server' },
  packageWords: /angular-cornercouch/,
  copy: /\.\s*factory\(\s*['"]cornercouch['"]\s*,\s*\[\s*['"]\$http['"]/,
  service: { name: /^cornercouch$/, makes: 'server' },
  makerWords: /cornercouch/,
  types: {},
  methods: {
    attach: { method: 'attachment' },
    detach: { method: 'attachment' },
    getDoc: { method: 'get', target: 0 },
    getInfo: { method: 'info' },
    list: { method: 'view', designDoc: 0, view: 2, options: 3 },
    load: { method: 'get', target: 0, options: 1 },
    query: { method: 'view', designDoc: 0, view: 1, options: 2 },
    queryAll: { method: 'all-docs', options: 0 },
    queryNext: { method: 'other' },
    queryPrev: { method: 'other' },
    queryRefresh: { method: 'other' },
    queryView: { method: 'other' },
    remove: { method: 'remove' },
    save: { method: 'insert' },
  },
  serverMethods: {
    createDB: { method: 'create-database' },
    getDatabases: { method: 'other' },
    getInfo: { method: 'other' },
    getUUIDs: { method: 'other' },
    getUserDoc: { method: 'get' },
    login: { method: 'other' },
    logout: { method: 'other' },
    session: { method: 'other' },
  },
  databaseMakers: ['getDB', 'getUserDB', 'getUserDoc'],
  documentMakers: ['getDoc', 'getQueryDoc', 'newDoc'],
  groups: {},
  groupMethods: [],
  callbacks: 'also',
  live: { options: [], type: 'boolean' },
  sendsOwnRevision: true,
  advice: {
    readMany: ({ on }, ids) => `${on}.queryAll({ keys: ${ids}, include_docs: true })`,
    writeMany: () => 'POST /db/_bulk_docs',
    storedView: (view) => `query('${view}', '${view}', …)`,
    afterLastKey: AFTER_LAST_ROW,
  },
};
