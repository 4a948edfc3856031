// Types of what a load generator receives and returns, shared by the real one and the scripted one.

/** @import { Request } from './workload.js' */

/**
 * @typedef {object} LoadOrder One round: all requests, each once, in order on each connection.
 * @property {string} origin of the server, without credentials
 * @property {string} database name of a scratch database
 * @property {Record<string, string>} headers the credentials are here, and nowhere in results
 * @property {Request[]} requests
 * @property {number} connections
 * @property {number} timeoutSeconds for each request
 * @property {AbortSignal} [signal]
 */

/**
 * @typedef {object} LoadAnswer
 * @property {number[]} latencies milliseconds of each answer with success
 * @property {number} requests sent
 * @property {number} elapsedMs from the first request to the last answer
 * @property {number} errors connections that failed, and time-outs
 * @property {number} timeouts
 * @property {number} refused answers other than 2xx
 * @property {number} bytes
 * @property {string | undefined} firstRefusal what the first such answer said
 */

/** @typedef {{run: (order: LoadOrder) => Promise<LoadAnswer>}} LoadGenerator */

export {};
