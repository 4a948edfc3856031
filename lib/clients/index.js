// Lists the client libraries of CouchDB and the libraries of requests, and answers what a package, a type or a method is.

import { cloudant } from './cloudant.js';
import { cornercouch } from './cornercouch.js';
import { cradle } from './cradle.js';
import { felixCouchdb } from './felix-couchdb.js';
import { ibmCloud } from './ibm-cloud.js';
import { jqueryCouch } from './jquery-couch.js';
import { nano } from './nano.js';
import { nodeCouchdb } from './node-couchdb.js';
import { pouchdb } from './pouchdb.js';

/** @import { Client, Makes, MethodShape } from './client.js' */

/** @type {readonly Client[]} */
const CLIENTS = [nano, pouchdb, cradle, cloudant, ibmCloud, jqueryCouch, nodeCouchdb, felixCouchdb, cornercouch];

/** By name. @type {ReadonlyMap<string | null, Client>} */
const BY_NAME = new Map(CLIENTS.map((client) => [client.name, client]));

/** @type {ReadonlyMap<string, {client: Client, makes: Makes}>} */
const PACKAGES = new Map(
  CLIENTS.flatMap((client) => Object.entries(client.packages).map(([name, makes]) => [name, { client, makes }])),
);

/** Packages with versions that differ in how an answer is given. @type {readonly string[]} */
export const VERSIONED_PACKAGES = CLIENTS.flatMap((client) =>
  client.callbacksUntil === undefined ? [] : Object.keys(client.packages),
);

/**
 * @param {string | null} name of a record
 * @returns {Client | undefined} undefined for a request that the code builds itself, and where only an option shows that it is a call of CouchDB
 */
export function clientNamed(name) {
  return BY_NAME.get(name);
}

/**
 * @param {string} name as a configuration or a comment has it: that of a client, `pouchdb-http` for one on a server, `pouchdb-local` for one in the process
 * @returns {{client: string, location: 'http' | 'local' | 'unknown'} | undefined}
 */
export function declaredClient(name) {
  const [, base = '', place] = /^(.*?)(?:-(http|local))?$/.exec(name) ?? [];
  const client = BY_NAME.get(base);
  if (!client || (place && !client.local)) return undefined;
  return { client: base, location: client.local ? /** @type {'http' | 'local'} */ (place ?? 'unknown') : 'http' };
}

/**
 * @param {string} name as it is imported
 * @returns {{client: Client, makes: Makes} | undefined}
 */
export function clientPackage(name) {
  const known = PACKAGES.get(name);
  if (known) return known;
  const client = CLIENTS.find(({ files }) => files?.test(name));
  return client && { client, makes: 'database' };
}

/**
 * @param {string} name that nothing in the file declares
 * @returns {Client | undefined} whose script declares it for the page
 */
export function clientOfGlobal(name) {
  return CLIENTS.find(({ global }) => global === name);
}

/**
 * @param {string} name of a service of AngularJS
 * @returns {{client: Client, makes: 'server' | 'database'} | undefined} what it makes
 */
export function clientOfService(name) {
  const client = CLIENTS.find(({ service }) => service?.name.test(name));
  return client?.service && { client, makes: client.service.makes };
}

/**
 * @param {Client} client
 * @param {string} name as it is exported
 * @returns {'database' | 'server' | undefined} what a value of that type is
 */
export function clientType({ types, namespaceTypes = {} }, name) {
  const all = { ...namespaceTypes, ...types };
  return Object.hasOwn(all, name) ? all[name] : undefined;
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
  ['@angular/http', 'axios'],
  ['ky', 'got'],
  ['got', 'got'],
  ['superagent', 'superagent'],
  ['request', 'request'],
  ['request-promise', 'request'],
  ['request-promise-native', 'request'],
  ['requestretry', 'request'],
  ['needle', 'axios'],
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

/**
 * @param {string | null} client
 * @param {string} name
 * @returns {MethodShape | undefined} of a method of a database
 */
export function databaseMethod(client, name) {
  const methods = clientNamed(client)?.methods ?? {};
  return Object.hasOwn(methods, name) ? methods[name] : undefined;
}

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

/** Clients by the names of methods that nothing else has. @type {ReadonlyMap<string, Client>} */
const BY_OWN_METHOD = new Map(CLIENTS.flatMap((client) => (client.ownMethods ?? []).map((method) => [method, client])));

/**
 * @param {string} name of a method
 * @returns {Client | undefined} that alone has a method of this name
 */
export function clientOfMethod(name) {
  return BY_OWN_METHOD.get(name);
}

/**
 * @param {string} name of a method that is given an object with `db`
 * @returns {Client | undefined} that has it
 */
export function clientWithNamedArguments(name) {
  return CLIENTS.find(({ hasNamedArguments, methods }) => hasNamedArguments && Object.hasOwn(methods, name));
}

const OWN_NAMES = [...BY_OWN_METHOD.keys()].join('|');
/** A function of the project with such a name: `async allDocs(options) {`, `allDocs: function`, `this.allDocs = function`. */
const DEFINES_OWN = new RegExp(
  `(?<![\\w$])(?:(?<!\\.)(${OWN_NAMES})\\s*(?:<[^<>()]*>)?\\s*\\([^()]*\\)\\s*(?::[^{};=]+)?\\{|(${OWN_NAMES})\\s*[:=]\\s*(?:async\\b|function\\b|\\())`,
  'g',
);

/**
 * @param {string} text of a file
 * @returns {string[]} names of these methods that it defines itself, so that they may be about something else
 */
export function ownMethodsDefined(text) {
  return [...new Set([...text.matchAll(DEFINES_OWN)].flatMap(([, method, member]) => method ?? member ?? []))];
}

/**
 * @param {ReadonlySet<string>} names of methods that are called on one object, of which one is surely CouchDB's
 * @returns {{client: Client, isOnly: boolean} | undefined} one that has most of them, and whether no other has as many
 */
export function clientWithMethods(names) {
  const count = (/** @type {Client} */ { methods }) => [...names].filter((name) => Object.hasOwn(methods, name)).length;
  // Whatever has methods such as `load` and `save` may be a document of one that has these.
  const likely = CLIENTS.filter(({ documentMakers }) => !documentMakers);
  const [client, second] = likely.sort((a, b) => count(b) - count(a));
  if (!client || count(client) === 0) return undefined;
  return { client, isOnly: !second || count(second) < count(client) };
}

/**
 * @param {string} name of a method of a database
 * @returns {boolean} whether no client that is a database in the process, too, has it: nano's `view`, which PouchDB calls `query`
 */
export function isOfServersOnly(name) {
  return CLIENTS.every(({ local, methods }) => !local || !Object.hasOwn(methods, name));
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
  /[/'"`]_(?:all_docs|bulk_docs|bulk_get|temp_view|find|changes|all_dbs|security|replicate|session|users)\b|\/_(?:view|list|search|nouveau|show|update)\/|\/_(?:design|active_tasks|membership|uuids|revs_limit|revs_diff|missing_revs|purge|index|explain|design_docs|local_docs|local|compact|view_cleanup|ensure_full_commit|db_updates|replicator|scheduler)\b/;

/** Ports that CouchDB listens on if nothing else is set (default.ini, 3.5), and hosts of IBM Cloudant. */
export const SERVER_PORTS = /:[56]984|\.cloudant\.com|\.cloudantnosqldb\.appdomain\.cloud/;

const ADDRESS = /(?:couch(?:_?db)?|cloudant)(?:\w*|\w*\.\w*)(?:ur[il]|host|base|server|endpoint|address|origin)/i;

/** `process.env.COUCHDB` */
const ENDS_IN_COUCH = /(?:^|[._])(?:couch(?:_?db)?|cloudant)$/i;

/** @param {string} expression @returns {boolean} whether it is called after the address of a server: `process.env.COUCH_URL`, `config.couchdb.url` */
export function isCouchAddress(expression) {
  return (ADDRESS.test(expression) || ENDS_IN_COUCH.test(expression)) && !/couchbase|couch\w*config/i.test(expression);
}

/** What may be the address of a server of CouchDB, or send to one: requests for single documents show in nothing else whose they are. */
export const ADDRESS_WORDS = new RegExp(
  `${SERVER_PORTS.source}|port['"]?\\s*[:=]\\s*['"]?[56]984|${ADDRESS.source}|[?&]rev=|couch(?:_?db)?_?(?:fetch|req|request|get|post|put|delete)\\s*[<(]`,
  'i',
);

/**
 * @param {string | null} client
 * @param {string} name as the code writes it
 * @returns {string} as CouchDB has it: `include_docs` for `includeDocs` of a client with named arguments
 */
export function optionName(client, name) {
  if (!clientNamed(client)?.hasNamedArguments) return name;
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/**
 * @param {string} name of a global, whatever it is called inside of a function that gets it, with `()` if it is called
 * @param {string} member of it that is used
 * @returns {{client: string, isHolder: boolean} | undefined} the client whose script adds it, and whether it has nothing of it but a database
 */
export function clientOfMember(name, member) {
  for (const { name: client, member: server, holder } of CLIENTS) {
    for (const added of [server, holder])
      if (added?.name === member && added.of.includes(name)) return { client, isHolder: added === holder };
  }
  return undefined;
}

const GIVERS = new Set(CLIENTS.flatMap(({ gives = {} }) => Object.keys(gives)));

/** @param {string} name of a method @returns {boolean} whether one of a client calls a function with a database */
export function givesClient(name) {
  return GIVERS.has(name);
}

/**
 * @param {string} name of a value
 * @param {string} member of it that is used
 * @returns {Client | undefined} that it is a server of, where both names are its own: `nano.use`, `nano.db`
 */
export function clientOfServer(name, member) {
  const client = BY_NAME.get(name);
  return client && (member === 'db' || client.databaseMakers.includes(member)) ? client : undefined;
}

/** @param {(client: Client) => readonly string[]} list @returns {string[]} of all clients, each once */
function ofAll(list) {
  return [...new Set(CLIENTS.flatMap(list))];
}

/**
 * @param {string} text of a file
 * @returns {boolean} whether it is, or has in it, a client itself
 */
export function isClientItself(text) {
  return CLIENTS.some(({ copy }) => copy?.test(text));
}

/** How these members are written. */
const MEMBERS = ofAll(({ member }) =>
  member ? [`(?:${member.of.join('|').replace('$', '\\$')})\\.${member.name}`] : [],
);
const HOLDERS = ofAll(({ holder }) => (holder ? [`\\.${holder.name}\\.db\\b`] : []));

/** Client packages, their types, and options of queries: a file without any of these is read only where it imports one that has. */
export const CLIENT_WORDS = new RegExp(
  `\\b(?:${[...ofAll(({ global, types }) => [...(global ? [global] : []), ...Object.keys(types)]), ...QUERY_OPTIONS].join('|')})\\b|['"](?:${ofAll(({ packageWords }) => [packageWords.source]).join('|')})['"]|\\.\\s*(?:${[...BY_OWN_METHOD.keys()].join('|')})\\s*[<(]|${MEMBERS.join('|')}\\b|${HOLDERS.join('|')}|\\b(?:nano|cloudant)\\.(?:use|db\\.(?:use|create|destroy))\\(|${ENDPOINT_WORDS.source}`,
);

/** Client packages, and what a script of the page declares: whether code uses a client at all. */
export const PACKAGE_WORDS = new RegExp(
  `['"](?:${ofAll(({ packageWords }) => [packageWords.source]).join('|')})['"]|\\b(?:${ofAll(({ global }) => (global ? [global] : [])).join('|')})\\b|${MEMBERS.join('|')}\\b`,
);

/** What makes a client, by its name; anything else is not followed. */
export const MAKER_WORDS = new RegExp(['couch', ...ofAll(({ makerWords }) => [makerWords.source])].join('|'), 'i');

const METHODS = ofAll(({ methods, serverMethods, groups, groupMethods }) => [
  ...Object.keys({ ...methods, ...serverMethods, ...groups }),
  ...groupMethods,
]);

/** Methods of clients, as they are called: a file without any of these has no calls. bluebird's `promisifyAll` adds `getAsync` to `get`. */
export const METHOD_WORDS = new RegExp(`\\.\\s*(?:${METHODS.join('|')})(?:Async)?\\s*(?:<|\\()`);

const RECEIVER = '(?:db|couch|pouch|cloudant|nano|database)';

/** A method of a client on what is called like one; a file without any has no call to be explained. */
export const RECEIVER_WORDS = new RegExp(
  `${RECEIVER}[\\w$]*(?:\\([^()\\n]{0,80}\\))?\\)?\\s*[!?]?\\.\\s*(?:${METHODS.join('|')})(?:Async)?\\s*[<(]`,
  'i',
);

/** @param {string} name of a receiver @returns {boolean} whether a word of it is what databases and clients of CouchDB are called */
export function isReceiverName(name) {
  return name
    .split(/_|(?<=[a-z\d])(?=[A-Z])/)
    .some((word) => /^(?:#?\$?dbs?|\w*couch(?:db)?|pouch(?:db)?s?|cloudant|nano|databases?)$/i.test(word));
}

const NAMES = new Set([...METHODS, ...BY_OPTION.keys()]);

/**
 * @param {string} name of a method of any object
 * @returns {boolean} whether a client has one of that name
 */
export function mayBeMethod(name) {
  return NAMES.has(name);
}

const CREATES_INDEX = ofAll(({ methods }) =>
  Object.entries(methods).flatMap(([name, { method }]) => (method === 'create-index' ? [name] : [])),
);

/** Creates an index of CouchDB, if the receiver is a database of it; a string first is a column of another database. */
export const INDEX_WORDS = new RegExp(
  `\\.\\s*(?:${CREATES_INDEX.join('|')})\\s*(?:<[^()<>]*>\\s*)?\\(\\s*(?!['"\`])|\\/_index['"\`?]`,
);

/** Addresses, credentials and limits of revisions that a client may be made with. */
export const CONNECTION_WORDS = /https?:\/\/|\bpass(?:word)?\b|\brevs_limit\b/i;
