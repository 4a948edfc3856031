// Describes a client library of CouchDB: the shape of each file of this folder. What a client does, takes and is advised is said in its file alone.

/** @import { CallMethod, WrittenCall } from '../sources/application/record.js' */

/**
 * @typedef {object} MethodShape Which argument of a method is what.
 * @property {CallMethod} method
 * @property {number} [target] the id or the document; of a bulk write the documents
 * @property {number} [options]
 * @property {number} [designDoc]
 * @property {number} [view]
 * @property {number} [path] `orders/by_status`, or a function for a temporary query
 * @property {string} [idOption] the option that has the id, where all arguments stand in one object
 * @property {boolean} [takesList] whether it also takes a list of documents, and writes these together
 */

/** What a package gives: a function that makes a server, a class of databases, a namespace with classes. @typedef {'server' | 'database' | 'namespace'} Makes */

/** The call that advice is about: what it is called on, and how it is written. @typedef {{on: string, written: WrittenCall}} AdvisedCall */

/**
 * @typedef {object} Client
 * @property {string} name
 * @property {Readonly<Record<string, Makes>>} packages by the names they are imported by
 * @property {RegExp} packageWords how these packages, and files of them, are written in an import
 * @property {RegExp} [files] of these packages that are imported apart and give the same
 * @property {string} [global] the name that a script tag declares
 * @property {{of: readonly string[], name: string}} [member] the member of a global that a script tag adds, which is a server: `$.couch`
 * @property {{of: readonly string[], name: string}} [holder] a member that has nothing but a database, as its `db`: `$$(element).app`
 * @property {RegExp} [copy] what only the library itself has in it, whatever its file is called in a project
 * @property {{name: RegExp, makes: 'server' | 'database'}} [service] what AngularJS gives by a name of its own
 * @property {RegExp} makerWords what is in the name of what makes a server or database; what is called otherwise is not followed
 * @property {readonly string[]} [classes] of the namespace, that make a server
 * @property {Readonly<Record<string, 'database' | 'server'>>} types in TypeScript, by the names they are exported by
 * @property {Readonly<Record<string, 'database' | 'server'>>} [namespaceTypes] those with names that others have too: `PouchDB.Database`
 * @property {Readonly<Record<string, MethodShape>>} methods of a database
 * @property {Readonly<Record<string, MethodShape>>} serverMethods those of an object of the server with its name: `replication.enable`
 * @property {readonly string[]} [ownMethods] of a database, with names that nothing else in the registry of npm is known to use for other things
 * @property {Readonly<Record<string, 'database' | 'holder'>>} [gives] methods of a server that call a function with a database, or with what has one as its `db`
 * @property {readonly string[]} databaseMakers methods of a server that give a database
 * @property {readonly string[]} [documentMakers] methods of a database that give a document with methods of its own, which are among `methods`
 * @property {Readonly<Record<string, CallMethod>>} groups objects of a database with methods of their own: `db.attachment.insert`
 * @property {readonly string[]} groupMethods methods of these objects
 * @property {LocalDatabases} [local] of a client whose database may be in the process or browser: it replicates itself, and is on a server only if its name is a URL
 * @property {boolean} [serverIsDatabase] whether what its packages make has the methods of a database
 * @property {boolean} [urlMayNameDatabase] whether `nano('http://localhost:5984/shop')` makes a database
 * @property {string} [accountHost] the domain of the host, where only an account is given
 * @property {boolean} [hasNamedArguments] whether all arguments stand in one object, in camel case, the database among them
 * @property {'always' | 'instead' | 'also' | 'options'} callbacks whether each call takes a function for its answer, one with a function returns none, or returns it, too;
 *   `options`: the function stands among the options, and the call returns the answer, too
 * @property {number} [promisesSince] the first major version whose calls return promises, where not all do
 * @property {number} [callbacksUntil] the last major version that calls callbacks, where newer ones do not
 * @property {boolean} [sendsOwnRevision] whether a write sends a revision that is not the document's: one it reads itself, or one beside the document
 * @property {boolean} [takesId] whether the second argument of a write is the id of the document
 * @property {{options: readonly string[], type: 'boolean' | 'string'}} live options that keep a feed open
 * @property {boolean} [followsWithoutCallback] whether `changes` without a callback is a feed that emits `error`
 * @property {boolean} [emitsUnhandledErrors] whether an error of a feed ends the process where nothing handles it
 * @property {boolean} [takesViewAsFilter] whether `view` filters changes without `filter: '_view'`
 * @property {boolean} [checksOptions] whether it refuses options that it does not know
 * @property {string} [answerMember] the member of its answer that holds CouchDB's
 * @property {Advice} advice
 */

/**
 * @typedef {object} LocalDatabases
 * @property {readonly string[]} remoteOptions that only a database on a server takes
 * @property {readonly string[]} remotePackages whose databases are all on servers
 * @property {string} corePackage that opens nothing without an adapter
 * @property {RegExp} adapterPackage with the name of the adapter as its group
 */

/**
 * @typedef {object} Advice Code, without the way in which the answer is waited for; absent where the client has none of the kind.
 * @property {(call: AdvisedCall, ids: string) => string} readMany reads documents with one request
 * @property {(call: AdvisedCall, docs: string) => string} writeMany writes documents with one request; `docs` is the name of the list, or the list itself
 * @property {(call: AdvisedCall, query: string) => string} [find] `query` without braces
 * @property {(document: string, call: AdvisedCall) => string} [remove] deletes a document that was read
 * @property {(view: string) => string} [storedView] the query of `view/view`
 * @property {readonly string[]} afterLastKey the options that go on behind the last row of a view, beside `startkey`
 * @property {(receiver: string, selector: string) => string} [changesBySelector]
 */

/** Options that go on behind the last row, of which CouchDB 3.5's views have `startkey_docid`. */
export const AFTER_LAST_ROW = ['startkey_docid: last.id', 'skip: 1'];

/** @param {AdvisedCall} call @returns {string} the option that names the database, of a client with named arguments */
export function databaseOption({ written: { options } }) {
  return options.find(({ key }) => key === 'db')?.text ?? 'db: …';
}

/** @param {string} docs @returns {string} as a member of an object */
export function docsMember(docs) {
  return docs === 'docs' ? docs : `docs: ${docs}`;
}
