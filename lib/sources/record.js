// The shapes that readers give: values with places, and the records made of them. Types and small accessors only; a
// reader never judges what it reads.

/** @import { SourceFile, Place } from '../shared/source-file.js' */
/** @import { MappedText } from '../shared/mapped-text.js' */

/**
 * @typedef {object} NodeBase
 * @property {SourceFile} file
 * @property {number} start offset in the file
 * @property {number} end offset behind the last character
 */

/** @typedef {{key: string, keyStart: number, keyEnd: number, node: ValueNode}} Entry */
/** @typedef {NodeBase & {type: 'object', entries: Entry[]}} ObjectNode keys in the order of the file, duplicates kept */
/** @typedef {NodeBase & {type: 'array', items: ValueNode[]}} ArrayNode */
/** @typedef {NodeBase & {type: 'string', value: string, text: MappedText, lines?: boolean, isFunction?: boolean}} StringNode
 *  `lines`: written as an array of lines; `isFunction`: written as a JavaScript function, not as a string */
/** @typedef {NodeBase & {type: 'number', value: number}} NumberNode */
/** @typedef {NodeBase & {type: 'boolean', value: boolean}} BooleanNode */
/** @typedef {NodeBase & {type: 'null'}} NullNode */
/** @typedef {NodeBase & {type: 'unknown', reason: string}} UnknownNode a value that reading without running cannot tell */
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
 */

/**
 * @typedef {object} MangoIndexRecord A body of `POST /db/_index`.
 * @property {'mango-index'} kind
 * @property {string | null} name
 * @property {string | null} ddoc
 * @property {ObjectNode} node
 * @property {SourceFile} file
 * @property {string} group
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
 * @property {{name: string, place: Place}[]} sections
 * @property {ConfigOption[]} options in the order of the file; the last of equal names wins, as in CouchDB
 */

/** @typedef {DesignDocRecord | MangoIndexRecord | ServerConfigRecord} SourceRecord */

/**
 * @typedef {object} ReadError Something that could not be read; the rest is still judged.
 * @property {string} code
 * @property {string} message
 * @property {Place} [place]
 * @property {string} [hint]
 */

/** @typedef {{records: SourceRecord[], errors: ReadError[]}} ReadResult */

/**
 * @param {ValueNode} node
 * @returns {Place}
 */
export function nodePlace(node) {
  return node.file.place(node.start, node.end);
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
 * @param {ValueNode | undefined} node
 * @param {string} key
 * @returns {Entry | undefined}
 */
export function entry(node, key) {
  return node?.type === 'object' ? node.entries.findLast((candidate) => candidate.key === key) : undefined;
}
