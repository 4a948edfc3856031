import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { lintText } from '../../lib/index.js';
import { COUCHDB_URL, ScratchDatabase } from '../helpers/couchdb.js';

/**
 * @param {Record<string, unknown>} designDoc
 * @returns {Promise<string[]>} the codes of the findings
 */
async function findingsOf(designDoc) {
  const text = JSON.stringify({ _id: '_design/shop', ...designDoc });
  const { findings } = await lintText(text, { filename: 'shop.json' });
  return findings.map(({ rule, outcome }) => `${rule}#${outcome}`);
}

describe.skipIf(!COUCHDB_URL)('on a real CouchDB', () => {
  /** @type {ScratchDatabase} */
  let database;
  beforeEach(async () => {
    database = new ScratchDatabase(COUCHDB_URL ?? 'http://localhost');
    await database.create();
  });
  afterEach(() => database.drop());

  test.each([
    ['security/vdu-breaks-writes#broken', 'function (newDoc) { if (newDoc.type { }', 500],
    ['security/vdu-breaks-writes#bad-throw', "function (newDoc) { if (!newDoc.customer) throw new Error('no'); }", 500],
    ['security/vdu-breaks-writes#bad-throw', "function (newDoc) { if (!newDoc.customer) throw 'no customer'; }", 500],
    [
      'security/vdu-breaks-writes#bad-throw',
      "function (newDoc) { if (!newDoc.customer) throw({ forbidden: 'no', field: 'customer' }); }",
      500,
    ],
    [
      'security/vdu-breaks-writes#throws-by-accident',
      "function (newDoc, oldDoc) { if (oldDoc.type === 'x') throw({ forbidden: 'no' }); }",
      500,
    ],
    [
      'security/vdu-breaks-writes#answers-500',
      "function (newDoc, oldDoc) { if (newDoc.type === 'x') throw 'no'; if (oldDoc.type) throw({ forbidden: 'no' }); }",
      500,
    ],
    ['security/vdu-breaks-writes#always-fails', "function (newDoc) { JSON.parse('{'); }", 500],
    ['security/vdu-breaks-writes#always-fails', 'function (newDoc) { var rates = null; return rates.eur; }', 500],
    ['security/vdu-breaks-writes#bad-throw', "function (newDoc) { throw ['forbidden', 'no']; }", 500],
    [
      '',
      "function (newDoc) { if (!newDoc._deleted) throw({ forbidden: 'no', field: newDoc.none || undefined }); }",
      403,
    ],
    ['', 'function (newDoc) { throw 1; }', 201],
    ['security/vdu-never-rejects#returns-only', 'function (newDoc) { return false; }', 201],
    ['security/vdu-never-rejects#returns-only', "function (newDoc) { return { forbidden: 'no' }; }", 201],
    ['security/vdu-never-rejects#no-throw', 'function (newDoc) {}', 201],
    ['', "function (newDoc) { if (!newDoc._deleted && !newDoc.customer) throw({ forbidden: 'no' }); }", 403],
  ])('a write answers with the status that the finding says: %s %s', async (code, source, status) => {
    const codes = await findingsOf({ validate_doc_update: source });
    if (code === '') expect(codes).toEqual([]);
    else expect(codes).toContain(code);
    expect((await database.save({ validate_doc_update: source })).status).toBe(201);
    expect((await database.ask('PUT', '/order-1', { type: 'order' })).status).toBe(status);
  });

  test.each([
    [
      'an owner that is null',
      "function (newDoc, oldDoc, userCtx) { if (newDoc.customer !== userCtx.name) throw({ forbidden: 'not yours' }); }",
    ],
    [
      'a check of users alone',
      "function (newDoc, oldDoc, userCtx) { if (userCtx.name && newDoc.customer !== 'c') throw({ forbidden: 'not yours' }); }",
    ],
  ])(
    'a write without a user is accepted in a database without members, and rejected for a user: %s',
    async (_, source) => {
      expect(await findingsOf({ validate_doc_update: source })).toContain('security/vdu-anonymous-writes#accepts');
      await database.save({ validate_doc_update: source });
      await database.ask('PUT', '/_security', { admins: {}, members: { names: [], roles: [] } });
      const order = { customer: null };
      expect((await database.ask('PUT', '/order-1', order)).status).toBe(403);
      const write = (/** @type {string} */ id) =>
        fetch(`${database.origin}/${database.name}/${id}`, {
          method: 'PUT',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(order),
        });
      expect((await write('order-1')).status).toBe(201);
      const fixed = source.replace('{ if', "{ if (!userCtx.name) throw({ unauthorized: 'log in first' }); if");
      expect(await findingsOf({ validate_doc_update: fixed })).not.toContain('security/vdu-anonymous-writes#accepts');
      await database.save({ validate_doc_update: fixed });
      expect((await write('order-2')).status).toBe(401);
    },
  );

  test('a deletion of a document that never existed has no `oldDoc`', async () => {
    const source = "function (newDoc, oldDoc) { if (newDoc._deleted && oldDoc.paid) throw({ forbidden: 'paid' }); }";
    expect(await findingsOf({ validate_doc_update: source })).toContain(
      'security/vdu-breaks-writes#throws-by-accident',
    );
    await database.save({ validate_doc_update: source });
    expect((await database.ask('PUT', '/order-1', { _deleted: true })).status).toBe(500);
  });

  test('a validation function that requires a field refuses deletions', async () => {
    const source = "function (newDoc) { if (!newDoc.customer) throw({ forbidden: 'no customer' }); }";
    expect(await findingsOf({ validate_doc_update: source })).toContain('security/vdu-breaks-writes#refuses-deletes');
    const { answer } = await database.ask('PUT', '/order-1', { customer: 'c' });
    await database.save({ validate_doc_update: source });
    expect((await database.ask('DELETE', `/order-1?rev=${answer.rev}`)).status).toBe(403);
  });

  test.each([
    ['map/unguarded-access#throws', 'function (doc) { emit(doc.address.town, null); }', 0],
    ['map/mutates-doc#throwing', 'function (doc) { emit(doc.tags.sort(), null); }', 0],
    ['map/require-scope#missing', "function (doc) { require('lib/dates'); emit(doc.date, null); }", 0],
    [
      'map/throws-if-missing#throws-if-null',
      "function (doc) { if (typeof doc.note === 'object') emit(doc.note.text, null); }",
      0,
    ],
    ['', 'function (doc) { if (doc.date) emit(doc.date, null); }', 1],
  ])('a view has the rows that the finding says: %s %s', async (code, map, rows) => {
    const codes = await findingsOf({ views: { all: { map } } });
    if (code === '') expect(codes).toEqual([]);
    else expect(codes).toContain(code);
    await database.ask('PUT', '/order-1', { date: '2026-01-02', tags: ['b', 'a'], note: null });
    const { id } = await database.save({ views: { all: { map } } });
    const { status, answer } = await database.ask('GET', `/${id}/_view/all`);
    expect([status, answer.rows.length]).toEqual([200, rows]);
  });

  test.each([
    ['function (keys, values) { return values.length; }', 50],
    ['function (keys, values) { return sum(values) / values.length; }', 1],
  ])('a reduce that ignores rereduce gives a wrong answer: %s', async (reduce, right) => {
    const view = { map: 'function (doc) { emit(doc.n, doc.n % 2 ? 0 : 2); }', reduce };
    expect(await findingsOf({ views: { all: view } })).toContain('reduce/ignores-rereduce#wrong');
    const docs = Array.from({ length: 50 }, (_, n) => ({ _id: `stock-${n}`, n }));
    await database.ask('POST', '/_bulk_docs', { docs: [...docs, { _id: 'stock-x', n: 1 }].slice(0, 50) });
    const { id } = await database.save({ views: { all: view } });
    const { answer } = await database.ask('GET', `/${id}/_view/all`);
    const isRight = answer.rows[0].value === right;
    // An average of averages is right where the shards happen to hold equally many rows.
    if (right === 50) expect(isRight).toBe(false);
  });

  test.each([
    ['reduce/sum-unsafe-values#no-value', 'function (doc) { emit(doc.n); }', '_sum'],
    ['reduce/sum-unsafe-values#not-a-number', "function (doc) { emit(doc.n, 'one'); }", '_sum'],
    ['reduce/stats-unsafe-values#no-value', 'function (doc) { emit(doc.n); }', '_stats'],
    ['reduce/stats-unsafe-values#incomplete-object', 'function (doc) { emit(doc.n, { min: 1, max: 2 }); }', '_stats'],
  ])('a built-in reduce fails as the finding says: %s %s', async (code, map, reduce) => {
    expect(await findingsOf({ views: { all: { map, reduce } } })).toContain(code);
    await database.ask('PUT', '/stock-1', { n: 1 });
    await database.ask('PUT', '/stock-2', { n: 2 });
    const { id } = await database.save({ views: { all: { map, reduce } } });
    const { status, answer } = await database.ask('GET', `/${id}/_view/all`);
    const isFailure = status >= 500 || typeof answer.rows?.[0]?.value?.error === 'string';
    expect(isFailure).toBe(true);
  });

  test.each([
    [500, 'changes/unsafe-filter#throws', 'function (doc) { return doc.address.town === "x"; }'],
    [200, 'changes/unsafe-filter#drops-deletions', 'function (doc) { return doc.type === "order"; }'],
  ])('a filtered feed answers with the status that the finding says: %i %s', async (status, code, filter) => {
    expect(await findingsOf({ filters: { some: filter } })).toContain(code);
    const { answer } = await database.ask('PUT', '/order-1', { type: 'order' });
    await database.ask('DELETE', `/order-1?rev=${answer.rev}`);
    const { id } = await database.save({ filters: { some: filter } });
    const feed = await database.ask('GET', `/_changes?filter=${id.replace('_design/', '')}/some`);
    expect(feed.status).toBe(status);
    if (status === 200) expect(feed.answer.results).toEqual([]);
  });
});
