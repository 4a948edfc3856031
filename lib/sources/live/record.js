// Types of what is read from a server: records of the server, its databases, indexes and planned queries.

/** @import { EngineName } from '../../javascript/engines.js' */
/** @import { Place, SourceFile } from '../../shared/source-file.js' */

/**
 * @typedef {object} Shown An answer as people see it: its JSON laid out in lines, at its own address.
 * @property {SourceFile} file
 * @property {(...members: string[]) => Place} placeOf the place of a member, or of the first one around it that is there
 */

/** Sizes in bytes; undefined where the server does not report them. @typedef {{file: number | undefined, active: number | undefined, external: number | undefined}} Sizes */

/** @typedef {Shown & NodeParts} NodeRecord The server as the node that answered describes it. */
/**
 * @typedef {object} NodeParts
 * @property {'node'} kind
 * @property {string} origin
 * @property {string | undefined} version
 * @property {EngineName | undefined} engine what runs its JavaScript, as in the target
 * @property {number | undefined} databaseCount how many there are; undefined where they may not be listed
 * @property {string[] | undefined} own databases of CouchDB itself that it has, such as `_users`
 * @property {number | undefined} nodeCount of the cluster
 * @property {string[] | undefined} downNodes of the cluster, those that the node which answered is not connected to
 * @property {string[] | undefined} members of the cluster, by name
 * @property {{name: string, waiting: number, running: number}[] | undefined} compactions by channel of smoosh; 3.4 and later
 * @property {{at: string | undefined, records: readonly import('../record.js').SourceRecord[]}} recording when it was read, as ISO 8601, and all that was
 * @property {boolean} hasAllJobs whether the records have all its running replications
 * @property {{node: NodeRecord, minutes: number}} [earlier] the same server in an earlier recording, and how much time lies between
 * @property {ReadonlyMap<string, number>} counters and gauges of the node that answered: `couchdb.password_hashing_slow`
 */

/**
 * `changes`: how many of the newest were looked at, one a document; `several`: how many of these have several leaves; `documents`: some of
 * them, the one with most and others by chance, with the number of their conflicts. A recording has no ids.
 * @typedef {{changes: number, several: number, documents: {id?: string | undefined, conflicts: number, isMost: boolean}[]}} ConflictSample
 */

/** @typedef {{id: string, language: string, viewCount: number, hasValidate: boolean, isUpdatedAlone: boolean, revision: string | null}} DesignDocSketch */

/** @typedef {Shown & DatabaseParts} DatabaseRecord */
/**
 * @typedef {object} DatabaseParts
 * @property {'database'} kind
 * @property {string} name
 * @property {NodeRecord | undefined} server
 * @property {number | undefined} docCount
 * @property {number | undefined} deletedCount
 * @property {Sizes} sizes
 * @property {number | undefined} shardCount `q`
 * @property {number | undefined} copyCount `n`
 * @property {boolean | undefined} isPartitioned
 * @property {boolean | undefined} isCompacting
 * @property {(Shown & {isPublic: boolean, admins: string[]}) | undefined} security `admins`: names and roles beside server admins
 * @property {ConflictSample | undefined} conflicts undefined where they were not looked for
 * @property {number | undefined} revsLimit read only of databases with documents that have several leaves
 * @property {ConflictSample} [earlierConflicts] those of an earlier recording
 * @property {DesignDocSketch[] | undefined} designDocs undefined where they could not be read
 * @property {string | undefined} unread why what is missing was not read, where it was left out; undefined where it is for the user's rights
 */

/** @typedef {Shown & ViewIndexParts} ViewIndexRecord The index of a design document as it lies on the server. */
/**
 * @typedef {object} ViewIndexParts
 * @property {'view-index'} kind
 * @property {string} designDoc id
 * @property {DatabaseRecord} database
 * @property {Sizes} sizes
 * @property {number | undefined} pendingCount changes that are not in it yet
 * @property {boolean | undefined} isUpdating
 * @property {boolean | undefined} isCompacting
 */

/** @typedef {Shown & FindQueryParts} FindQueryRecord A Mango query and how the server would run it. */
/**
 * @typedef {object} FindQueryParts
 * @property {'find-query'} kind
 * @property {string} name the selector as JSON
 * @property {DatabaseRecord} database
 * @property {unknown} selector as it was declared
 * @property {{name: string, type: string, fields: string[]}} index that it would use
 * @property {boolean | undefined} readsWholeIndex whether the range of keys has no bound at either end
 * @property {{name: string, fields: string[]}[]} unusable indexes with a field that the query lacks: reported by the server from 3.4 on
 */

/** @typedef {NodeRecord | DatabaseRecord | ViewIndexRecord | FindQueryRecord} LiveRecord */
export {};
