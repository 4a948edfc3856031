// Defines a figure: documents, arms, and how often each is run. Types, and the documents that most figures share.

/** @import { ScratchDatabase } from '../../helpers/couchdb.js' */

/**
 * @typedef {object} Site A database and ways to talk to it; each throws for a status from 400 on.
 * @property {ScratchDatabase} database
 * @property {string} language of design documents
 * @property {(path: string) => Promise<string>} get
 * @property {(method: string, path: string, body?: unknown) => Promise<string>} send
 * @property {(docs: object[], batch?: number) => Promise<void>} load
 * @property {(name: string, view: {map: string, reduce?: string}, more?: object) => Promise<string>} view saves and builds it
 */

/**
 * @typedef {object} Figure
 * @property {string} id
 * @property {string} about sizes, in words
 * @property {(site: Site) => Promise<unknown>} [prepare]
 * @property {Record<string, (site: Site, run: number) => Promise<unknown>>} arms the first is what the others are compared with
 * @property {number | Record<string, number>} [runs] of an arm in a sample: so many that its processor time can be read in steps of 10 ms
 * @property {boolean} [isOptional] whether it is measured only where it is named: it needs a server of its own kind
 * @property {boolean} [fresh] whether each sample has a database of its own
 */

/**
 * @param {number} count
 * @param {number} [paddingBytes]
 * @returns {object[]} orders of a shop, of about 330 bytes without more padding, ids in order
 */
export function orders(count, paddingBytes = 150) {
  return Array.from({ length: count }, (_, at) => ({ _id: idOf(at), ...orderBody(at, paddingBytes) }));
}

/** @param {number} at @returns {string} */
export function idOf(at) {
  return `order-${String(at).padStart(8, '0')}`;
}

/**
 * @param {number} at
 * @param {number} [paddingBytes]
 * @returns {object}
 */
export function orderBody(at, paddingBytes = 150) {
  return {
    type: 'order',
    number: at,
    customer: `customer-${at % 500}`,
    customerId: idOf((at * 7) % 100),
    date: `2026-${String((at % 12) + 1).padStart(2, '0')}-${String((at % 28) + 1).padStart(2, '0')}`,
    status: at % 10 === 0 ? 'open' : 'paid',
    total: at % 997,
    note: 'x'.repeat(paddingBytes),
  };
}
