// The predicted index files against those of a real CouchDB: after a build, after compaction, and after documents were written.
// COUCHDB_URL=http://admin:password@localhost:5984 npx vitest run test/live/index-sizes.live.test.js

import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { mangoRows } from '../../lib/facts/mango/index-rows.js';
import { predictIndex } from '../../lib/storage-model/predict-index.js';
import { COUCHDB_URL, ScratchDatabase } from '../helpers/couchdb.js';
import { mulberry32 } from '../helpers/storage-model.js';

/** @import { PredictedIndex } from '../../lib/storage-model/predict-index.js' */

/** @typedef {{_id: string, _rev?: string, customer: string, status: string, total: number, count: number, at: number}} Doc */
/** @typedef {[view: number, key: unknown, value: unknown]} Emitted */
/** @typedef {{file: number, active: number, external: number}} Sizes */

const DOCUMENTS = 2000;
const BATCH = 500;
const WRITTEN = 200;
/** Of the file after compaction: 0.3 % was measured, and a block is 4,096 bytes. */
const MAX_DEVIATION = 0.05;
/** Of the growth: the documents that are written are others than those of the prediction. */
const MAX_GROWTH_DEVIATION = 0.25;

const random = mulberry32(11);
const below = (/** @type {number} */ limit) => random() % limit;
const hex = () => [0, 0, 0, 0].map(() => random().toString(16).padStart(8, '0')).join('');

/** @param {string} id @returns {Doc} */
const order = (id) => ({
  _id: id,
  customer: `customer-${below(200)}`,
  status: ['new', 'paid', 'sent'][below(3)] ?? '',
  total: below(100_000) / 100,
  count: below(20),
  at: 1_700_000_000_000 + below(1_000_000),
});

/**
 * @typedef {object} Index
 * @property {Record<string, {map: string, reduce?: string}>} [views]
 * @property {string[]} [fields] of a Mango index
 * @property {(string | undefined)[]} reduces
 * @property {(doc: Doc) => Emitted[]} emit
 */

/** @type {[string, Index][]} */
const INDEXES = [
  [
    'a view of times',
    {
      views: { byTime: { map: 'function (doc) { emit(doc.at, null); }' } },
      reduces: [undefined],
      emit: (doc) => [[0, doc.at, null]],
    },
  ],
  [
    'a sum by customer and time',
    {
      views: { a: { map: 'function (doc) { emit([doc.customer, doc.at], doc.count); }', reduce: '_sum' } },
      reduces: ['_sum'],
      emit: (doc) => [[0, [doc.customer, doc.at], doc.count]],
    },
  ],
  [
    'three views, two with reduces, one that emits a key twice',
    {
      views: {
        a: { map: 'function (doc) { emit(doc.status, doc.total); }', reduce: '_stats' },
        b: { map: 'function (doc) { emit(doc.customer, {count: doc.count}); }', reduce: '_count' },
        c: { map: 'function (doc) { emit(doc.count, 1); emit(doc.count, 2); }' },
      },
      reduces: ['_stats', '_count', undefined],
      emit: (doc) => [
        [0, doc.status, doc.total],
        [1, doc.customer, { count: doc.count }],
        [2, doc.count, 1],
        [2, doc.count, 2],
      ],
    },
  ],
  ...[['status'], ['customer', 'total'], ['customer', 'status', 'at']].map(
    (fields) =>
      /** @type {[string, Index]} */ ([
        `a Mango index of ${fields.join(', ')}`,
        {
          fields,
          reduces: ['_count'],
          emit: (doc) => {
            const rows = mangoRows({ fields }, doc);
            return 'unknown' in rows ? [] : rows.map(({ key, value }) => [0, key, value]);
          },
        },
      ]),
  ),
];

describe.skipIf(COUCHDB_URL === undefined)('the files of an index of a real CouchDB', () => {
  test.each(INDEXES.flatMap(([name, index]) => [1, 2].map((shards) => ({ name, index, shards }))))(
    '$name in $shards shards',
    { timeout: 180_000 },
    async ({ index, shards }) => {
      const database = new ScratchDatabase(COUCHDB_URL ?? '');
      await database.ask('PUT', `?q=${shards}`);
      try {
        const docs = Array.from({ length: DOCUMENTS }, () => order(hex()));
        for (let at = 0; at < docs.length; at += BATCH) await write(database, docs.slice(at, at + BATCH));
        await createIndex(database, index);
        await query(database, index);
        const built = await sizes(database);
        const prediction = predictFor(index, bySequence(docs), shards);
        expect(built.file).toBeGreaterThan(prediction.buildBytes.low * 0.6);
        expect(built.file).toBeLessThan(prediction.buildBytes.high * 1.2);
        expectNear(prediction.externalBytes, built.external, 0.03);
        await database.ask('POST', '/_compact/shop', {});
        const compacted = await sizes(database);
        expectNear(prediction.fileBytes, compacted.file, MAX_DEVIATION);
        expectNear(prediction.activeBytes, compacted.active, MAX_DEVIATION);
        const again = docs.filter((_, at) => at % (DOCUMENTS / WRITTEN) === 0);
        for (let at = 0; at < WRITTEN; at += 100) {
          await write(
            database,
            again
              .slice(at, at + 100)
              .map(({ _id, _rev }) => ({ ...order(_id), ...(_rev === undefined ? {} : { _rev }) })),
          );
          await query(database, index);
        }
        const grown = ((await sizes(database)).file - compacted.file) * (1000 / WRITTEN);
        expectNear(prediction.bytesPer1000Writes.updated.hundred, grown, MAX_GROWTH_DEVIATION);
      } finally {
        await database.drop();
      }
    },
  );
});

/**
 * Sequence numbers follow the order of ids within a request.
 * @param {Doc[]} docs
 * @returns {Doc[]}
 */
function bySequence(docs) {
  const ordered = [];
  for (let at = 0; at < docs.length; at += BATCH)
    ordered.push(...docs.slice(at, at + BATCH).sort((one, other) => (one._id < other._id ? -1 : 1)));
  return ordered;
}

/**
 * @param {Index} index
 * @param {Doc[]} docs
 * @param {number} shards
 * @returns {PredictedIndex}
 */
function predictFor({ reduces, emit }, docs, shards) {
  const views = reduces.map((reduce, view) => ({
    rows: docs.flatMap((doc) =>
      emit(doc).flatMap(([at, key, value]) => (at === view ? [{ id: doc._id, key, value }] : [])),
    ),
    ...(reduce === undefined ? {} : { reduce }),
  }));
  return predictIndex({ views, documents: docs.length, documentBytes: 150, shards });
}

/** @param {ScratchDatabase} database @param {Index} index */
async function createIndex(database, { views, fields }) {
  if (views) await database.ask('PUT', '/_design/shop', { views });
  else await database.ask('POST', '/_index', { ddoc: 'shop', name: 'shop', index: { fields } });
}

/** @param {ScratchDatabase} database @param {Index} index */
async function query(database, { views, fields = [] }) {
  if (views) {
    await database.ask('GET', `/_design/shop/_view/${Object.keys(views)[0]}?limit=0&reduce=false`);
    return;
  }
  const selector = Object.fromEntries(fields.map((field) => [field, { $gt: null }]));
  await database.ask('POST', '/_find', { selector, use_index: ['shop', 'shop'], limit: 1 });
}

/** @param {ScratchDatabase} database @param {Doc[]} docs get their revisions */
async function write(database, docs) {
  const { answer } = await database.ask('POST', '/_bulk_docs', { docs });
  for (const [at, { rev, error }] of answer.entries()) {
    expect(error).toBeUndefined();
    const doc = docs[at];
    if (doc) doc._rev = rev;
  }
}

/** @param {ScratchDatabase} database @returns {Promise<Sizes>} once nothing runs any more, and the header of the last commit is written */
async function sizes(database) {
  let last = 0;
  for (let tries = 0; tries < 60; tries += 1) {
    // `[query_server_config] commit_freq` is 5 s.
    await pause(tries === 0 ? 6000 : 1000);
    const { view_index: info } = (await database.ask('GET', '/_design/shop/_info')).answer;
    if (!info.compact_running && !info.updater_running && info.sizes.file === last) return info.sizes;
    last = info.sizes.file;
  }
  throw new Error('the index did not come to rest');
}

/**
 * @param {number} predicted
 * @param {number} measured
 * @param {number} deviation
 */
function expectNear(predicted, measured, deviation) {
  expect(Math.abs(predicted / measured - 1), `${predicted} predicted, ${measured} measured`).toBeLessThan(deviation);
}
