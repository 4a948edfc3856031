// What is known of node-couchdb, whose methods take the name of the database first (README of 2.0).

/** @import { Client } from './client.js' */

/** `get` reads a document, a view or anything else by its path. It has nothing to read or write documents together. @type {Client} */
export const nodeCouchdb = {
  name: 'node-couchdb',
  packages: { 'node-couchdb': 'database' },
  packageWords: /node-couchdb/,
  makerWords: /couch/,
  types: {},
  methods: {
    createDatabase: { method: 'create-database' },
    del: { method: 'other' },
    dropDatabase: { method: 'destroy' },
    get: { method: 'other' },
    insert: { method: 'other' },
    insertAttachment: { method: 'attachment' },
    delAttachment: { method: 'attachment' },
    listDatabases: { method: 'other' },
    mango: { method: 'find', options: 1 },
    uniqid: { method: 'other' },
    update: { method: 'other' },
    updateFunction: { method: 'update' },
  },
  serverMethods: {},
  databaseMakers: [],
  groups: {},
  groupMethods: [],
  callbacks: 'also',
  live: { options: [], type: 'boolean' },
  answerMember: 'data',
  advice: {
    readMany: ({ on }, ids) => `${on}.mango(…, { selector: { _id: { $in: ${ids} } } })`,
    writeMany: ({ on }) => `${on}.update(…)`,
    afterLastKey: [],
  },
};
