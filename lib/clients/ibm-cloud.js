// What is known of Cloudant's newer client, whose calls have all arguments in one object (README of @ibm-cloud/cloudant 0.12).

import { AFTER_LAST_ROW, databaseOption } from './client.js';

/** @import { Client } from './client.js' */

/** About databases, their settings, design documents and indexes. */
const OTHERS = [
  'deleteDatabase',
  'deleteDesignDocument',
  'deleteIndex',
  'getAllDbs',
  'getDatabaseInformation',
  'getDesignDocument',
  'getIndexesInformation',
  'getSecurity',
  'getServerInformation',
  'getSessionInformation',
  'headDatabase',
  'headDesignDocument',
  'postDesignDocs',
  'postExplain',
  'postRevsDiff',
  'putDatabase',
  'putDesignDocument',
  'putSecurity',
];

/** @type {Client} */
export const ibmCloud = {
  name: 'ibm-cloud',
  packages: { '@ibm-cloud/cloudant': 'namespace' },
  packageWords: /@ibm-cloud\/cloudant/,
  makerWords: /cloudant|newInstance/,
  classes: ['CloudantV1'],
  types: { CloudantV1: 'database' },
  methods: {
    ...Object.fromEntries(OTHERS.map((name) => [name, { method: /** @type {const} */ ('other') }])),
    deleteAttachment: { method: 'attachment' },
    deleteDocument: { method: 'remove', options: 0, idOption: 'doc_id' },
    getAttachment: { method: 'attachment' },
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
    putAttachment: { method: 'attachment' },
    putDocument: { method: 'insert', options: 0, idOption: 'document' },
  },
  serverMethods: {},
  ownMethods: ['postAllDocs', 'postBulkDocs', 'postBulkGet'],
  databaseMakers: [],
  groups: {},
  groupMethods: [],
  serverIsDatabase: true,
  hasNamedArguments: true,
  callbacks: 'also',
  sendsOwnRevision: true,
  live: { options: ['feed'], type: 'string' },
  checksOptions: true,
  answerMember: 'result',
  advice: {
    readMany: (call, ids) => `${call.on}.postAllDocs({ ${databaseOption(call)}, keys: ${ids}, includeDocs: true })`,
    writeMany: (call) => `${call.on}.postBulkDocs({ ${databaseOption(call)}, bulkDocs: { docs } })`,
    find: (call, query) => `${call.on}.postFind({ ${databaseOption(call)}, ${query} })`,
    afterLastKey: AFTER_LAST_ROW,
    changesBySelector: (_, selector) => `{ filter: '_selector', selector: ${selector} }`,
  },
};
