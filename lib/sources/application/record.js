// Defines what the code of an application gives: a record for each call of a CouchDB client, and one of all names of views. Types only.

/** @import { Place, SourceFile } from '../../shared/source-file.js' */
/** @import { ObjectNode, StringNode, ValueNode } from '../record.js' */

/** The name of a client of lib/clients, or `http`: a request that the code builds itself, with `fetch`, axios or the like. @typedef {string} ClientName */

/**
 * What a call does, in one vocabulary for all clients. `get`, `head`, `insert` and `remove` are about one document, `view` is a
 * query of a stored view, `temporary-query` one whose map is in the call; `destroy` removes a database, `connect` makes a client,
 * `other` is a request for settings, sessions, design documents or tasks, or one of which the code does not show what it is about.
 * @typedef {'view' | 'temporary-query' | 'all-docs' | 'find' | 'create-index' | 'get' | 'head' | 'insert' | 'remove' | 'bulk-read' | 'bulk-write' | 'changes' | 'replicate' | 'sync' | 'attachment' | 'search' | 'show' | 'update' | 'destroy' | 'create-database' | 'info' | 'compact' | 'other' | 'connect'} CallMethod
 */

/**
 * How it is known that the receiver is a CouchDB client: its value was followed to the import of one (`traced`), TypeScript says so
 * (`annotated`), the call has an option or a URL that only CouchDB has (`option`). A name alone makes no record.
 * @typedef {'traced' | 'annotated' | 'option'} ReceiverBasis
 */

/**
 * `http`: a server answers, CouchDB or Cloudant; `local`: PouchDB in the process or browser. PouchDB is both.
 * @typedef {'http' | 'local' | 'unknown'} CallLocation
 */

/**
 * @typedef {object} CallRecord One call of a CouchDB client in JavaScript or TypeScript.
 * @property {'call'} kind
 * @property {SourceFile} file
 * @property {number} start of the call expression, as an offset into the file
 * @property {number} end
 * @property {string} name the method and what it is about, as it is written: `db.view('orders', 'by_status')`
 * @property {string} on the receiver, as it is written: `this.db`
 * @property {string | null} functionName of the function that the call stands in: `loadOrders`, `Orders.load`
 * @property {ClientName | null} client null where only an option shows that it is one
 * @property {CallMethod} method
 * @property {ReceiverBasis} receiver
 * @property {CallLocation} location
 * @property {string | null} database where it is literal
 * @property {string | null} designDoc id of it, `_design/orders`, where it is literal
 * @property {string | null} view where it is literal
 * @property {ValueNode[]} arguments as they are written; what only running would show is unknown, with its reason
 * @property {CallOptions} options
 * @property {StringNode | null} map that a temporary query sends
 * @property {CallLocation} feedLocation of the database whose changes are read, by `changes`, `replicate` and `sync`
 * @property {Place | null} indexBefore of a Mango query: the index that its function creates each time before it
 * @property {ValueNode | undefined} target what one document is named by, or the document itself; of `bulk-write` the documents
 * @property {string[] | null} handledEvents of a feed: the events of it that code handles; null where that was not followed
 * @property {boolean | null} mayStartAgain of a replication: whether code that runs when it has ended may start it again; null where that was not followed
 * @property {Connection | null} connection of `connect`, and of a replication or sync with a URL
 * @property {CallTimer | null} timer that repeats it for as long as the program runs
 * @property {Place | null} handler the parameters of the function around it that answers requests
 * @property {string | null} through what that timer or handler calls, where the call stands in a function of its own: `loadOrders`
 * @property {CallLoop | null} loop the innermost that repeats the call
 * @property {CallRetry | null} retry of a call that a loop repeats until it succeeds
 * @property {CallResult} result
 * @property {CallWrite | null} write what it writes, of calls that write documents
 * @property {Place | null} newestRevision of a write: where the document gets the revision of one that was read for that alone
 * @property {{reads: 'error' | 'result' | 'nothing', written: string, place: Place} | null} unchecked what the callback reads of the error or the
 *   answer, before it has looked whether the request failed; `nothing`: that of a write goes on without a look at either
 * @property {{in: 'program' | 'route', isPromise: boolean, place: Place} | null} unhandled where its promise is dropped, or that of the function
 *   around it, so that nothing handles a failure; `route`: by Express, up to version 4; `isPromise`: whether the code shows that it returns one
 * @property {Record<string, number>} majors of packages, the lowest major version that the nearest package.json asks for
 * @property {{for: 'component', place: Place} | 'closed' | null} reopenedIn of a feed: what opens it for each component of a page; `closed` where something in the
 *   file may close it
 * @property {WrittenRegExp[]} regExps in the selector of a Mango query
 * @property {WrittenCall} written as it is written
 * @property {'none' | 'constant' | 'grows' | 'unknown'} skip `grows`: it depends on the page: `page * size`, `skip += rows.length`
 * @property {boolean} isSetUp whether the file is code that runs once, by its path: migrations, seeds, examples
 * @property {boolean} isScript whether it is a program that runs from top to bottom and ends, by its text
 */

/**
 * @typedef {object} CallOptions The options of a call, wherever the client takes them.
 * @property {ObjectNode | null} node the object, with keys that are given twice; null where the call has none
 * @property {boolean} isOpen whether there may be others: an object is spread into it, or it comes from elsewhere. What
 *   `node` has is then known, and what it lacks is not
 */

/**
 * How code gets an answer: in a function that it gives, with `await`, or from a promise where `await` is not possible.
 * @typedef {'callback' | 'await' | 'promise'} AnswerStyle
 */

/** One option, as it is written; the key is null for a spread and a computed key. @typedef {{key: string | null, text: string}} WrittenOption */

/**
 * @typedef {object} WrittenCall A call as text; `…` stands for what is long or may hold a password.
 * @property {string} callee `shop.view`
 * @property {string[]} arguments in front of the options, without a callback
 * @property {WrittenOption[]} options `...page` for options that stand elsewhere
 * @property {AnswerStyle} answer how the code gets the answer of this call
 * @property {AnswerStyle} answerBeforeLoop how it can get that of a call in front of the loop
 */

/**
 * @typedef {object} Connection What a client is made with, or a replication sent to.
 * @property {'http' | 'https' | null} protocol where the address is literal
 * @property {string | null} host
 * @property {{user: string, password: string, node: Pick<ValueNode, 'file' | 'start' | 'end'>, start: number, end: number} | null} credentials where both are literal;
 *   `start` and `end`: the stretch of the file of `node` that no report may show
 * @property {boolean} hasCredentials whether there are any, literal or not
 */

/**
 * @typedef {object} CallTimer `setInterval`, or a `setTimeout` that a function sets for itself
 * @property {number | null} everyMs milliseconds, where they are literal
 * @property {Place} place
 */

/**
 * @typedef {object} CallLoop
 * @property {'for' | 'for-in' | 'for-of' | 'while' | 'callback' | 'recursion'} form `callback`: the function is given to `map`, `forEach`
 *   and the like; `recursion`: the function that has the call calls itself
 * @property {'each' | 'retry' | 'pages' | 'unknown'} purpose `each`: it goes through a list; `retry`: it ends when the call succeeds;
 *   `pages`: each turn goes on where the last one stopped
 * @property {string | null} over source text of the list, where it goes through one
 * @property {string | null} targets code for the list of what the calls are about, where it can be written before the loop: `rows.map((row) => row.id)`
 * @property {number | 'unknown' | null} times how many turns, where the list is written in the code; unknown where other code may change it
 * @property {boolean} isConcurrent whether all turns run at once: `Promise.all(ids.map(…))`
 * @property {boolean | null} changesTarget whether the id, the key or the document of the call depends on the turn; null where that is unknown
 * @property {boolean | null} changesReceiver whether the database does
 * @property {string | null} through what the loop calls, where the call itself stands in a function of its own: `loadOrder`
 * @property {boolean} endsEarly whether it may stop before the end of the list
 * @property {boolean} isFallback whether it runs where a request for all of the documents has failed
 * @property {boolean} waitsForMore of a write: whether a turn waits for other work, which may have to come before or after the write
 * @property {RowQuery | null} rowQuery of a read: the query of the same database whose rows the loop goes through, each for its own document
 * @property {Place} place of the loop, without its body
 */

/**
 * @typedef {object} CallRetry
 * @property {'conflicts' | 'all' | 'others' | 'unknown'} errors after which it is sent again: `conflicts` where a test names them, `others` where
 *   it leaves these out
 * @property {boolean} sendsSameRevision whether each turn certainly sends the same id and revision
 */

/**
 * @typedef {object} RowQuery
 * @property {string} withDocs the query with `include_docs`, as code: `await db.list({ include_docs: true })`
 * @property {Place} place
 */

/**
 * Where an id comes from: a random function, the clock, something else, or nowhere: the server makes it.
 * @typedef {'random' | 'clock' | 'other' | 'none'} IdSource
 */

/**
 * @typedef {object} CallWrite The documents that a call writes, as far as the code of its function shows how they are made.
 * @property {IdSource} idSource
 * @property {string | null} idCode what makes a random id or one of the clock: `uuidv4()`
 * @property {Place | null} idPlace
 * @property {boolean} isIdRepeated whether that makes an id for each item of a list
 * @property {string | null} deletionCode what makes a deletion that keeps the fields of the document: `{ ...order, _deleted: true }`
 * @property {Place | null} deletionPlace
 * @property {string | null} deletionInstead a deletion with the same fields beside those of the document: `{ _id: order._id, … }`
 * @property {string | null} deletedName the document that is deleted, where nothing is written beside it: `order`
 * @property {boolean} isWrittenOut whether all keys of all documents are shown
 * @property {boolean | null} hasOnlyNewDocuments whether all documents are written out, without an id of their own; null where the code
 *   does not show where they come from
 * @property {boolean} hasOnlyLiteralDocuments whether each document is literal, with all of its values
 * @property {boolean} changesKnownDocuments whether documents have `_rev` or `_deleted`, so that they were there before
 */

/**
 * @typedef {object} CallResult What the code does with the answer.
 * @property {'used' | 'returned' | 'dropped' | 'unknown'} use `returned`: callers of the function may do more with it; `dropped`: nothing
 *   gets it, or what gets it does not read it; `unknown`: it was not followed
 * @property {string[] | null} rowMembers members of rows that are read: `id`, `key`, `value`, `doc`; null where rows go to code that
 *   was not followed
 * @property {string[] | null} docFields fields of the documents of rows that are read, in the order of the text; null where
 *   a whole document goes elsewhere, or rows do
 * @property {string[] | null} valueFields fields of the values of rows that are read; null where a whole value goes elsewhere, or rows do
 * @property {Place[]} docPlaces where these are read
 * @property {boolean} isOnlyCounted whether nothing but the number of rows or documents is used
 * @property {ListUse[]} lists what is done with the rows or documents as a list, in the order in which they are followed
 */

/**
 * @typedef {object} ListUse
 * @property {'all' | 'picked' | 'counted' | 'first' | 'tested' | 'given'} kind `all`: the code goes through all of them; `picked`: through all,
 *   to keep some; `counted`: takes their number; `first`: one of them, by its position; `tested`: sees whether there are any;
 *   `given`: the list goes to code that was not followed
 * @property {Place | undefined} place
 * @property {PickCondition[]} conditions on fields of documents, where some are picked by these
 */

/**
 * @typedef {object} PickCondition
 * @property {string} field `status`, `address.city`
 * @property {Place} place
 * @property {string | null} selector the value that a Mango selector has for it, as source text: `'open'`, `{ $gt: limit }`
 */

/**
 * @typedef {object} WrittenRegExp A regular expression where a selector needs a string.
 * @property {string} key `$regex`, or the field whose value it is
 * @property {number} start
 * @property {number} end
 * @property {string | null} pattern of a literal
 * @property {string | null} flags null where they are computed
 * @property {{text: string, isText: boolean} | null} from what `new RegExp` makes it of, as it is written; `isText`: certainly a string
 */

/**
 * @typedef {object} ViewMention A name of a view in the code, whatever has it.
 * @property {string} designDoc without `_design/`; `*` stands for what only running would show, here and in `view`
 * @property {string} view
 * @property {SourceFile} file
 * @property {number} start
 * @property {number} end
 * @property {Pick<ViewMention, 'file' | 'start' | 'end'>[]} again other places that have it
 */

/**
 * @typedef {object} CodeRecord What the code of an application says of views, as a whole; made where logs are read beside it.
 * @property {'code'} kind
 * @property {SourceFile} file the first that was read
 * @property {number} files how many were read
 * @property {ViewMention[]} mentions
 */

export {};
