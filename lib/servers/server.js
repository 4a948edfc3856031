// What experiments need of a server, whichever it is. Types only.

/** @import { Mechanism } from '../experiments/experiment.js' */
/** @import { ServerAbout } from '../experiments/environment.js' */
/** @import { JsonAnswer } from './json-request.js' */

/**
 * @typedef {object} Server
 * @property {'couchdb' | 'embedded'} kind
 * @property {string} origin without credentials
 * @property {Record<string, string>} headers what authorises; to be shown nowhere
 * @property {ReadonlySet<Mechanism>} mechanisms
 * @property {string} advice what to run instead where a mechanism is missing
 * @property {ServerAbout} about
 * @property {Ask} ask
 * @property {() => Promise<Record<string, number> | undefined>} readCounters the server's own, by name; undefined where it has none
 * @property {() => Promise<number | undefined>} [readFreeBytes] what is left on its disks; undefined where it does not tell
 * @property {() => Promise<string[]>} findSignsOfUse why it looks as if people depended on it; nothing where it does not
 * @property {() => Promise<void>} close
 */

/**
 * Reads anything; writes into scratch databases and nowhere else. The path is encoded and has no slash at its head:
 * `couch-advisor-scratch-1/_all_docs`.
 * @typedef {(method: 'GET' | 'PUT' | 'POST' | 'DELETE', path: string, body?: unknown) => Promise<JsonAnswer>} Ask
 */

export {};
