// Documents of a shop whose fields have the types that the maps of this folder hope for, and what a map emits for them.

import { runInNewContext } from 'node:vm';
import { randomFrom } from '../../../lib/shared/seeded-random.js';

/** Numbers whose sums, squares and roundings tell reducers apart. */
const TOTALS = [0, 1, 2, 3, 7, 12.5, 0.125, 99.99, 150, 0.1, 0.2, -4, -0.375, 1000];
const STATUSES = ['open', 'paid', 'sent', 'returned'];
const CUSTOMERS = ['ada', 'bo', 'cy', 'di', 'ed'];

/**
 * @param {number} count
 * @param {number} [seed]
 * @returns {Record<string, unknown>[]}
 */
export function shopDocuments(count, seed = 1) {
  const random = randomFrom(seed);
  return Array.from({ length: count }, (_, at) => ({
    _id: `order-${String((at * 37) % count).padStart(4, '0')}`,
    type: 'order',
    customer: random.pick(CUSTOMERS),
    name: random.pick(['Ada', 'Bo', 'Cy']),
    total: random.pick(TOTALS),
    net: random.pick(TOTALS),
    tax: random.pick(TOTALS),
    price: random.pick(TOTALS),
    quantity: 1 + random.below(9),
    flags: random.below(16),
    status: random.pick(STATUSES),
    placed: `2026-0${1 + random.below(9)}-${10 + random.below(19)}`,
    isPaid: random.below(2) === 0,
    isReturned: random.below(5) === 0,
    lines: [{ sku: random.pick(CUSTOMERS), quantity: 1 + random.below(5) }],
  }));
}

/**
 * Runs one of the table's own maps in this process.
 * @param {string} map
 * @param {Record<string, unknown>[]} docs
 * @returns {{id: string, key: unknown, value: unknown}[]} rows as JSON keeps them, in the order of their emits
 */
export function emittedRows(map, docs) {
  const text = runInNewContext(
    `var rows = [], id; function emit(key, value) { rows.push([id, key, value === undefined ? null : value]); }
    var map = (${map});
    JSON.parse(docs).forEach(function (doc) { id = doc._id; try { map(doc); } catch (error) {} });
    JSON.stringify(rows)`,
    { docs: JSON.stringify(docs) },
  );
  return JSON.parse(text).map((/** @type {[string, unknown, unknown]} */ [id, key, value]) => ({ id, key, value }));
}
