// Defines what readers return: values with places, and the records made of them. Types, small accessors, the limit of
// errors of one file, and pairs of two versions of a document; a reader never judges what it reads.

import { groupBy } from '../shared/group-by.js';

/** @import { SourceFile, Place } from '../shared/source-file.js' */
/** @import { MappedText } from '../shared/mapped-text.js' */
/** @import { CallRecord, CodeRecord } from './application/record.js' */
/** @import { ReplicationRecord } from './design-docs/replication.js' */
/** @import { DatabaseRecord, LiveRecord } from './live/record.js' */

/**
 * @typedef {object} NodeBase
 * @property {SourceFile} file
 * @property {number} start offset in the file
 * @property {number} end offset behind the last character
 */

/** @typedef {{key: string, keyStart: number, keyEnd: number, node: ValueNode, isOpen?: boolean}} Entry `isOpen`: only running the
 *  program would show the key, which then is the expression in brackets */
/** @typedef {NodeBase & {type: 'object', entries: Entry[], isOpen?: boolean}} ObjectNode keys in the order of the file, duplicates kept;
 *  `isOpen`: only running the program would show all of them */
/** @typedef {NodeBase & {type: 'array', items: ValueNode[]}} ArrayNode */
/** @typedef {NodeBase & {type: 'string', value: string, text: MappedText, lines?: boolean, isFunction?: boolean, isConverted?: boolean, inlinable?: ReadonlySet<string>}} StringNode
 *  `lines`: written as an array of lines; `isFunction`: written as a JavaScript function, not as a string; `isConverted`: such a
 *  function that its program itself turns into a string; `inlinable`: in a program that has to be compiled, where the text is or holds
 *  a function: names that the compiler may replace by values. What CouchDB gets is then the same code in another spelling */
/** @typedef {NodeBase & {type: 'number', value: number}} NumberNode */
/** @typedef {NodeBase & {type: 'boolean', value: boolean}} BooleanNode */
/** @typedef {NodeBase & {type: 'null'}} NullNode */
/** @typedef {NodeBase & {type: 'unknown', reason: string}} UnknownNode a value that reading without running cannot determine */
/** @typedef {ObjectNode | ArrayNode | StringNode | NumberNode | BooleanNode | NullNode | UnknownNode} ValueNode */

/**
 * @typedef {object} DesignDocRecord
 * @property {'design-doc'} kind
 * @property {string | null} id `_design/orders`; null where the file names none
 * @property {'json' | 'dump' | 'couchapp' | 'module'} origin
 * @property {ObjectNode} node the whole document
 * @property {SourceFile} file the file findings without a better place are put in
 * @property {string} group documents of one group are known to live in one database: the dump's path, else the folder
 * @property {boolean} sameDatabase true where the group is one dump of one database, false where it is only a folder
 * @property {DatabaseRecord} [database] the one it was read from, where that was on a server
 * @property {DesignDocRecord} [original] an equal one of another database, read before it
 */

/**
 * @typedef {object} MangoIndexRecord A body of `POST /db/_index`.
 * @property {'mango-index'} kind
 * @property {string | null} name
 * @property {string | null} ddoc
 * @property {ObjectNode} node open where code creates an index whose definition only running would show
 * @property {SourceFile} file
 * @property {string} group
 * @property {boolean} [isInCode] whether a call in code creates it
 * @property {string} [database] the one it was read from, where that was on a server
 */

/**
 * @typedef {object} ConfigOption
 * @property {string} section
 * @property {string} key
 * @property {string} value
 * @property {Place} place of the whole line
 * @property {Place} valuePlace
 * @property {number} valueStart offset in the file
 * @property {number} valueEnd
 */

/**
 * @typedef {object} ServerConfigRecord One CouchDB `.ini` file.
 * @property {'server-config'} kind
 * @property {SourceFile} file
 * @property {boolean} [isYaml] whether the options stand in YAML, so that no edit for an `.ini` file fits them
 * @property {{name: string, place: Place}[]} sections
 * @property {ConfigOption[]} options in the order of the file; the last of equal names wins, as in CouchDB
 */

/**
 * @typedef {object} ContainerRecord A container with CouchDB, as a Compose file, a Kubernetes manifest or a Dockerfile describes it.
 * @property {'container'} kind
 * @property {SourceFile} file
 * @property {string} name of the service or the container
 * @property {'compose' | 'kubernetes' | 'image'} platform `image`: of a Dockerfile
 * @property {string} image
 * @property {string | undefined} version of CouchDB, where the tag says it
 * @property {Place} place of the image
 * @property {number | undefined} memoryBytes its limit
 * @property {Place | undefined} memoryPlace
 * @property {boolean | undefined} hasFileLimit of open files; undefined where the manifest cannot tell
 * @property {string[]} variables names of those in its environment; without values, which may be secrets
 * @property {string[]} configPaths files and folders with settings that are mounted into it, as this program names them
 */

/**
 * @typedef {object} LoadRecord What a file has to be written into a database: counts and samples, not the documents. Design
 *   documents and `_local` documents are counted apart and nowhere else. Sizes are in bytes.
 * @property {'load'} kind
 * @property {SourceFile} file without text: it may be larger than memory
 * @property {number} documents
 * @property {number} designDocuments with `_local` documents
 * @property {number} withoutId documents whose id is left to the server
 * @property {number} withRevision documents that say which revision they replace
 * @property {boolean} isRestore whether a body says `"new_edits": false`
 * @property {{count: number, single: number, median: number | undefined, most: number, mostBytes: number} | undefined} batches
 *   documents a request, where the file has bodies of requests; `single`: how many documents come alone in theirs
 * @property {{median: number | undefined, most: number}} documentBytes as JSON without blanks and attachments
 * @property {LoadIds} ids
 */

/**
 * @typedef {object} LoadIds The ids of a load in the order of the file, each as its UTF-8 bytes, one a character, and cut at 1,024.
 * @property {number} count
 * @property {string[]} first the ids at the head of the file
 * @property {{id: string, at: number}[]} sample evenly spread over the file, in its order; `at`: number of the id, from 0
 * @property {number} placed ids that were looked at beside those written with them
 * @property {number} scattered those of them that belong between other ids than all before them that are written with them
 */

/** @typedef {{p50: number, p95: number, p99: number, max: number, mean: number, total: number}} LatencyFigures in milliseconds */
/** @typedef {{file: string, line: number}} LogLinePlace */

/**
 * @typedef {object} RequestSpread How requests lie in time, and how long they took.
 * @property {number} stepMinutes how long a step is: a power of two
 * @property {[number, number][]} steps number of the step since 1970 and requests in it, ascending; steps without requests are left out
 * @property {{fromMs: number, belowMs: number, count: number}[]} latency classes of time, ascending; none where the logs have no times
 */

/**
 * @typedef {object} RequestRecord One query pattern of the logs of a run, all logs together.
 * @property {'request'} kind
 * @property {SourceFile} file the log of the first example, without text
 * @property {string} name `GET shop/_design/orders/_view/by_status?include_docs=true&key`
 * @property {string} method
 * @property {string | null} database name, or pattern of several; null for the server itself
 * @property {string} endpoint `_view`, `_find`, `document`, `database`, `_changes`, …
 * @property {string} designDoc id; empty where none is named
 * @property {string} view
 * @property {string[]} parameters names, and `name=value` where the value is kept
 * @property {boolean} isReplication
 * @property {number} count
 * @property {Map<number, number>} statuses
 * @property {LatencyFigures | undefined} latencyMs
 * @property {{mean: number, peak: number, busy: number}} ratePerMinute over all of the log, in the busiest minute, in the busiest ten
 * @property {number} share of all time; of all requests where the log has no times
 * @property {{isMeasured: boolean, p50: number, p95: number} | undefined} rows counted, or the most there can have been
 * @property {{p50: number, p95: number, max: number} | undefined} limit as requests gave it, where they did
 * @property {number} limitCount how many requests gave one
 * @property {{p50: number, p95: number, max: number} | undefined} skip
 * @property {number | undefined} bytesMean of an answer
 * @property {number | undefined} distinctKeys
 * @property {{reports: number, docsExamined: number, results: number} | undefined} find
 * @property {LogLinePlace[]} examples the first lines
 * @property {() => RequestSpread} spread made on demand: few shapes are drawn
 * @property {LogRecord} log
 */

/**
 * @typedef {object} BuildRecord The updates of one index that the logs show.
 * @property {'build'} kind
 * @property {SourceFile} file the log, without text
 * @property {string} name `shop _design/orders`
 * @property {string | null} database
 * @property {string} designDoc
 * @property {LatencyFigures | undefined} buildMs
 * @property {string | null} longestFrom when the longest one began
 * @property {LogRecord} log
 */

/**
 * @typedef {object} ReportFigures What CouchDB reports about itself, of one kind, database, design document and function.
 * @property {string} kind `engines-differ`, `conflicts`, `databases-open`, …
 * @property {string} database name, or pattern of several; empty where none is named
 * @property {string} designDoc
 * @property {string} detail
 * @property {number} most
 * @property {number} count lines
 * @property {string | null} from
 * @property {string | null} to
 * @property {LogLinePlace[]} examples
 */

/**
 * @typedef {object} LogRecord All logs of a run as a whole.
 * @property {'log'} kind
 * @property {SourceFile} file the first of them, without text
 * @property {string | null} from
 * @property {string | null} to
 * @property {number} minutes from its first line to its last; 0 where no line has the time
 * @property {number} requests
 * @property {boolean} hasTimes whether requests say how long they took
 * @property {ReadonlyMap<string, number>} databases how many names each pattern stands for, by the name or pattern that requests have
 * @property {number} [alsoInHar] requests of logs that a HAR file has too: they count once
 * @property {boolean} hasNames whether design documents are distinguished; not where there were too many shapes
 * @property {{kind: string, count: number, examples: LogLinePlace[]}[]} queryServerFailures
 * @property {ReportFigures[]} serverReports
 */

/**
 * @typedef {object} ChangeRecord A design document, and the version of it that is deployed.
 * @property {'change'} kind
 * @property {SourceFile} file that of the new version
 * @property {DesignDocRecord} before
 * @property {DesignDocRecord} after
 * @property {number | undefined} documents of the database, where that is known
 */

/** @typedef {DesignDocRecord | MangoIndexRecord | ServerConfigRecord | ContainerRecord | ReplicationRecord | LoadRecord | RequestRecord | BuildRecord | LogRecord | ChangeRecord | CallRecord | CodeRecord | LiveRecord} SourceRecord */

/**
 * @typedef {object} ReadError Something that could not be read; the rest is still judged.
 * @property {string} code
 * @property {string} message
 * @property {Place} [place]
 * @property {string} [hint]
 */

/**
 * @typedef {object} ReadResult
 * @property {SourceRecord[]} records
 * @property {ReadError[]} errors
 * @property {SourceFile[]} [shown] answers of a server that records stand in
 * @property {number} [databases] how many there were
 * @property {{path: string, reason: string}[]} [notes] what was skipped
 */

/** Members of a design document that CouchDB, Cloudant or the search engines beside them read, but for its revision and attachments. */
export const DESIGN_DOC_MEMBERS = Object.freeze([
  '_id',
  'autoupdate',
  'filters',
  'fulltext',
  'indexes',
  'language',
  'lib',
  'lists',
  'nouveau',
  'options',
  'rewrites',
  'shows',
  'st_indexes',
  'updates',
  'validate_doc_update',
  'views',
]);

/**
 * @param {Pick<ValueNode, 'file' | 'start' | 'end'>} node
 * @returns {Place}
 */
export function nodePlace(node) {
  return node.file.place(node.start, node.end);
}

/**
 * @param {Entry} item
 * @returns {import('../shared/source-file.js').Place} the place of its key, or of its value where the key is a file's name
 */
export function entryPlace(item) {
  return item.keyEnd > item.keyStart ? item.node.file.place(item.keyStart, item.keyEnd) : nodePlace(item.node);
}

/**
 * The member of an object as CouchDB sees it: the last of equal keys wins.
 * @param {ValueNode | undefined} node
 * @param {string} key
 * @returns {ValueNode | undefined} undefined where the node is no object or has no such member
 */
export function member(node, key) {
  return entry(node, key)?.node;
}

/**
 * The member of an object as `member` gives it, where its absence is to be judged.
 * @param {ValueNode | undefined} node
 * @param {string} key
 * @returns {ValueNode | undefined} unknown where the text lacks it, and only running the program would show whether the object has it
 */
export function memberOrOpen(node, key) {
  const found = member(node, key);
  if (found || node === undefined) return found;
  const { file, start, end } = node;
  if (node.type === 'unknown') return node;
  const isOpen = node.type === 'object' && (node.isOpen || node.entries.some((other) => other.isOpen));
  return isOpen ? { type: 'unknown', file, start, end, reason: `\`${key}\` may come from elsewhere` } : undefined;
}

/**
 * @param {ValueNode | undefined} node
 * @param {string} key
 * @returns {Entry | undefined}
 */
export function entry(node, key) {
  if (node?.type !== 'object') return undefined;
  const { entries } = node;
  if (entries.length < MANY) return entries.findLast((candidate) => candidate.key === key);
  let index = indexes.get(entries);
  // Entries are added at the end, or put in the place of one with the same key.
  if (index?.length !== entries.length) {
    index = { length: entries.length, at: new Map(entries.map((candidate, at) => [candidate.key, at])) };
    indexes.set(entries, index);
  }
  return entries[index.at.get(key) ?? entries.length];
}

/** From so many on an object is indexed: somebody who looks for each of its members would otherwise take the square of their number. */
const MANY = 50;
/** @type {WeakMap<readonly Entry[], {length: number, at: Map<string, number>}>} */
const indexes = new WeakMap();

/**
 * @param {ValueNode} node
 * @returns {boolean} whether a value in it cannot be known without running code
 */
export function holdsUnknown(node) {
  if (node.type === 'unknown') return true;
  return node.type === 'object' && node.entries.some((item) => holdsUnknown(item.node));
}

/**
 * @param {ValueNode} node
 * @returns {unknown} its value as JSON has it, the last of equal keys; null where it cannot be known
 */
export function plainValue(node) {
  switch (node.type) {
    case 'object':
      return Object.fromEntries(node.entries.map(({ key, node: value }) => [key, plainValue(value)]));
    case 'array':
      return node.items.map(plainValue);
    case 'null':
    case 'unknown':
      return null;
    default:
      return node.value;
  }
}

/** The member that says that a file has answers of a server, as `--record` saves them. */
export const ANSWERS_MARK = 'couch-advisor-answers';
export const RECORDED = 'saved by --record; pass its path to read it';
const ANSWERS_HEAD = new RegExp(`^\\ufeff?\\s*\\{\\s*"${ANSWERS_MARK}"`);

/** @param {string} text of a file, or its beginning @returns {boolean} whether it has answers of a server */
export function isRecording(text) {
  return ANSWERS_HEAD.test(text);
}

/** More than this of one file are counted and not reported each. */
export const MAX_ERRORS = 20;

/**
 * @param {ReadError[]} errors in the order in which they are reported; of more than `MAX_ERRORS` some may be left out
 * @param {number} [count] how many there are
 * @returns {ReadError[]} the same, or the first of them and one that counts the others and has the place of the first
 *   of those
 */
export function limitErrors(errors, count = errors.length) {
  const first = errors[MAX_ERRORS];
  if (!first) return errors;
  const message = `${count - MAX_ERRORS} more errors, the first of them here: ${first.message}`;
  return [...errors.slice(0, MAX_ERRORS), { code: 'more-errors', message, place: first.place }];
}

/** @typedef {{before: DesignDocRecord | undefined, after: DesignDocRecord | undefined}} VersionPair */

/**
 * @param {readonly SourceRecord[]} before
 * @param {readonly SourceRecord[]} after
 * @returns {VersionPair[]} those of `after` first, in its order
 */
export function pairVersions(before, after) {
  const old = before.filter((record) => record.kind === 'design-doc');
  const current = after.filter((record) => record.kind === 'design-doc');
  /** @type {Map<DesignDocRecord, DesignDocRecord>} */
  const earlier = new Map();
  /** @type {Set<DesignDocRecord>} */
  const taken = new Set();
  // First by id and folder; then, for what was moved, by an id that only one of each side still has.
  for (const nameOf of [nameInGroup, (/** @type {DesignDocRecord} */ { id }) => id]) {
    const oldOpen = old.filter((record) => !taken.has(record));
    const currentOpen = current.filter((record) => !earlier.has(record));
    const olds = groupBy(oldOpen, nameOf);
    for (const [name, [record, ...others]] of groupBy(currentOpen, nameOf)) {
      const [version, ...otherVersions] = olds.get(name) ?? [];
      if (name === null || !record || !version || others.length + otherVersions.length > 0) continue;
      earlier.set(record, version);
      taken.add(version);
    }
  }
  return [
    ...current.map((record) => ({ before: earlier.get(record), after: record })),
    ...old.filter((record) => !taken.has(record)).map((record) => ({ before: record, after: undefined })),
  ];
}

/** @param {DesignDocRecord} record @returns {string} what names it among the documents of one state */
function nameInGroup({ id, group, file }) {
  return JSON.stringify(id === null ? [file.path] : [id, group]);
}
