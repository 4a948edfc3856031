// The storage model against a real CouchDB: loads of other shapes than those of fixtures/storage-model.
// COUCHDB_URL=http://admin:password@localhost:5984 npx vitest run test/live/storage-model.live.test.js

import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { replay } from '../../lib/storage-model/replay.js';
import { COUCHDB_URL, ScratchDatabase } from '../helpers/couchdb.js';
import { columnsOf, mulberry32 } from '../helpers/storage-model.js';

/** @typedef {Record<string, unknown> & {_id: string, _rev?: string}} Doc */

/** A server that is at its defaults compacts files of more than 1 MB when they have become twice what is in use; all of these stay below. */
const MAX_DEVIATION = 0.15;
const WORDS = ['kettle', 'teapot', 'saucer', 'café', 'Übergröße', '日本', '“quoted”', 'line\nbreak', '\u0001', '😀'];

const random = mulberry32(7);
const below = (/** @type {number} */ limit) => random() % limit;
const hex = (/** @type {number} */ length) => {
  let digits = '';
  while (digits.length < length) digits += random().toString(16).padStart(8, '0');
  return digits.slice(0, length);
};
const text = (/** @type {number} */ words) => Array.from({ length: words }, () => WORDS[below(WORDS.length)]).join(' ');
const many = (/** @type {number} */ count, /** @type {(at: number) => Doc} */ make) =>
  Array.from({ length: count }, (_, at) => make(at));

/** @param {number} at @returns {Doc} */
const order = (at) => ({
  _id: `order-${hex(12)}`,
  customer: { name: text(2), address: { street: text(3), place: [below(180) / 1.5 + 0.1, -0.25] } },
  lines: Array.from({ length: 1 + below(6) }, () => ({
    article: hex(8),
    price: below(9999) / 100,
    gift: below(2) === 1,
    note: null,
  })),
  at: 1_700_000_000_000 + at,
  bytes: [1, 2, 3, 255],
  large: 9_007_199_254_740_991,
  empty: {},
  none: [],
});

/** @type {[string, {docs: Doc[], batch: number, shards: number, rounds?: (base: Doc[]) => Doc[][]}][]} */
const LOADS = [
  ['orders with nested values, random ids', { docs: many(3000, order), batch: 500, shards: 4 }],
  [
    'articles of some kilobytes, in order',
    { docs: many(800, (at) => ({ _id: String(at).padStart(8, '0'), body: text(700) })), batch: 100, shards: 4 },
  ],
  [
    'small documents with ids of all lengths',
    { docs: many(8000, (at) => ({ _id: `${at}-${hex(1 + below(40))}`, at })), batch: 2000, shards: 3 },
  ],
  ['single writes', { docs: many(200, (at) => ({ _id: hex(32), at })), batch: 1, shards: 2 }],
  ['one document', { docs: [{ _id: 'kettle', stock: 3 }], batch: 1, shards: 1 }],
  [
    'updates of all documents, twice',
    {
      docs: many(600, (at) => ({ _id: `stock-${hex(10)}`, count: at })),
      batch: 300,
      shards: 2,
      rounds: (base) => [1, 2].map((round) => base.map((doc) => ({ ...doc, round }))),
    },
  ],
  [
    'deletions of half of the documents',
    {
      docs: many(1000, (at) => ({ _id: `stock-${hex(10)}`, count: at })),
      batch: 250,
      shards: 2,
      rounds: (base) => [base.slice(0, 500).map(({ _id }) => ({ _id, _deleted: true }))],
    },
  ],
];

describe.skipIf(COUCHDB_URL === undefined)('predicted within 15 % of what a real CouchDB has', () => {
  test.each(LOADS)('%s', { timeout: 120_000 }, async (_, { docs, batch, shards, rounds }) => {
    const database = new ScratchDatabase(COUCHDB_URL ?? '');
    await database.ask('PUT', `?q=${shards}`);
    try {
      const written = [...docs, ...(rounds?.(docs) ?? []).flat()];
      await write(database, written, batch);
      const before = await sizes(database);
      const load = columnsOf(written.map((doc) => ({ id: doc._id, json: JSON.stringify(doc) })));
      const { loaded, compacted } = replay(load, { shards, batch, compact: true });
      expectNear(loaded.file, before.file);
      expectNear(loaded.active, before.active);
      expect(loaded.external).toBe(before.external);
      await database.ask('POST', '/_compact', {});
      expectNear(compacted?.file ?? 0, (await settledSizes(database)).file);
    } finally {
      await database.drop();
    }
  });
});

/**
 * @param {number} predicted
 * @param {number} measured
 */
function expectNear(predicted, measured) {
  expect(Math.abs(predicted / measured - 1), `${predicted} predicted, ${measured} measured`).toBeLessThan(
    MAX_DEVIATION,
  );
}

/**
 * Writes documents in requests; where an id came before, with the revision that it has.
 * @param {ScratchDatabase} database
 * @param {Doc[]} docs
 * @param {number} batch
 */
async function write(database, docs, batch) {
  /** @type {Map<string, string>} */
  const revisions = new Map();
  for (let start = 0; start < docs.length; start += batch) {
    const part = docs.slice(start, start + batch);
    const withRevisions = part.map((doc) => (revisions.has(doc._id) ? { ...doc, _rev: revisions.get(doc._id) } : doc));
    const { answer } = await database.ask('POST', '/_bulk_docs', { docs: withRevisions });
    for (const { id, rev, error } of answer) {
      expect(error).toBeUndefined();
      revisions.set(id, rev);
    }
  }
}

/** @param {ScratchDatabase} database @returns {Promise<{file: number, active: number, external: number}>} */
async function sizes(database) {
  return (await database.ask('GET', '')).answer.sizes;
}

/** @param {ScratchDatabase} database @returns {Promise<{file: number}>} once compaction is over */
async function settledSizes(database) {
  const before = await sizes(database);
  const info = await settled(
    async () => (await database.ask('GET', '')).answer,
    (answer) => !answer.compact_running && answer.sizes.file !== before.file,
  );
  return info.sizes;
}

/**
 * @param {() => Promise<any>} ask
 * @param {(answer: any) => boolean} isOver
 * @returns {Promise<any>} the first answer after which nothing changed for a while
 */
async function settled(ask, isOver) {
  let answer = await ask();
  for (let tries = 0; tries < 20; tries += 1) {
    await pause(300);
    const next = await ask();
    if (isOver(next) && next.sizes.file === answer.sizes.file) return next;
    answer = next;
  }
  return answer;
}
