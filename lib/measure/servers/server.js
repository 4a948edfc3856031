// Types of what experiments need of a server, whichever it is.

/** @import { Mechanism } from '../experiments/experiment.js' */
/** @import { ServerAbout } from '../experiments/environment.js' */
/** @import { JsonAnswer } from './json-request.js' */

/**
 * @typedef {object} Counters
 * @property {Record<string, number>} values by name, of all nodes that reported theirs together
 * @property {number} read nodes that reported theirs
 * @property {number} nodes of the cluster
 */

/**
 * @typedef {object} Server
 * @property {'couchdb' | 'embedded'} kind
 * @property {string} origin without credentials
 * @property {Record<string, string>} headers what authorises; to be shown nowhere
 * @property {ReadonlySet<Mechanism>} mechanisms
 * @property {string} advice what to run instead where a mechanism is missing
 * @property {ServerAbout} about
 * @property {Ask} ask
 * @property {() => Promise<Counters | undefined>} readCounters the server's own; undefined where it has none
 * @property {number[] | undefined} processes ids of its processes on this machine: none of a server elsewhere, undefined where they cannot be seen
 * @property {() => Promise<number | undefined>} [readFreeBytes] what is left on its disks; undefined where it does not report it
 * @property {() => Promise<string[]>} findSignsOfUse why it looks as if people depended on it; nothing where it does not
 * @property {() => Promise<void>} close
 */

/**
 * Reads anything; writes into scratch databases and nowhere else. The path is encoded and has no slash at its head:
 * `couch-advisor-scratch-1/_all_docs`.
 * @typedef {(method: 'GET' | 'PUT' | 'POST' | 'DELETE', path: string, body?: unknown) => Promise<JsonAnswer>} Ask
 */

export {};
