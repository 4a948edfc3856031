// What rules say of calls that read, checked on a real CouchDB with the requests that clients make of them.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COUCHDB_URL, ScratchDatabase } from '../helpers/couchdb.js';

const orders = Array.from({ length: 30 }, (_, at) => ({
  _id: `order-${String(at).padStart(2, '0')}`,
  type: 'order',
  note: 'Abc',
}));
const map = "function (doc) {\n  if (doc.type === 'order') emit(doc._id, null);\n}";

describe.skipIf(!COUCHDB_URL)('calls that read, on a real CouchDB', { timeout: 120_000 }, () => {
  const database = new ScratchDatabase(COUCHDB_URL ?? 'http://localhost');
  /** @param {object} body */
  const find = (body) => database.ask('POST', '/_find', body);

  beforeAll(async () => {
    await database.ask('PUT', '?q=2');
    await database.ask('POST', '/_bulk_docs', {
      docs: [...orders, { _id: '_design/shop', views: { orders: { map } } }],
    });
  });
  afterAll(() => database.drop());

  test('a Mango query without `limit` returns 25 of 30 documents and nothing that shows it', async () => {
    const { status, answer } = await find({ selector: { type: 'order' } });
    expect([status, answer.docs.length]).toEqual([200, 25]);
    const whole = await find({ selector: { type: 'order' }, limit: 200 });
    expect(whole.answer.docs.length).toBe(30);
    expect(Object.keys(answer)).toEqual(Object.keys(whole.answer));
  });

  test('`$regex` with an empty object, which JSON makes of a RegExp, is refused with 400 `invalid_operator`', async () => {
    const { status, answer } = await find({ selector: { note: { $regex: /^abc/i } } });
    expect([status, answer.error, answer.reason]).toEqual([400, 'invalid_operator', 'Invalid operator: $regex']);
  });

  test('a RegExp as the value of a field is an empty object, which no text equals', async () => {
    const { status, answer } = await find({ selector: { note: /^abc/i } });
    expect([status, answer.docs]).toEqual([200, []]);
  });

  test.each([
    ['(?i)^abc', 25],
    ['^abc', 0],
    ['(?s)^A.c$', 25],
    ['^\\w+$', 25],
  ])('`$regex` takes flags and patterns as PCRE does: %s', async (pattern, count) => {
    expect((await find({ selector: { note: { $regex: pattern } } })).answer.docs.length).toBe(count);
  });

  test('views and `_all_docs` ignore a parameter of a name that they do not know', async () => {
    for (const path of ['/_all_docs', '/_design/shop/_view/orders']) {
      for (const query of [
        'includeDocs=true',
        'include_doc=true',
        'startKey=%22order-20%22',
        'limits=1',
        'descend=true',
      ]) {
        const { status, answer } = await database.ask('GET', `${path}?${query}`);
        expect([
          path,
          query,
          status,
          answer.rows.length >= 30,
          answer.rows.some((/** @type {object} */ row) => 'doc' in row),
        ]).toEqual([path, query, 200, true, false]);
      }
    }
  });

  test('`_find` refuses a key that it does not know with 400 `invalid_key`', async () => {
    for (const key of ['limt', 'include_docs', 'useIndex']) {
      const { status, answer } = await find({ selector: {}, [key]: 1 });
      expect([status, answer.error]).toEqual([400, 'invalid_key']);
    }
  });

  test('a write with the newest revision is accepted over a change that it does not have, and one with its own revision is refused', async () => {
    const first = await database.ask('PUT', '/shared', { total: 1 });
    const changed = await database.ask('PUT', '/shared', { _rev: first.answer.rev, total: 1, sent: true });
    const own = await database.ask('PUT', '/shared', { _rev: first.answer.rev, total: 2 });
    expect([own.status, own.answer.error]).toEqual([409, 'conflict']);
    const taken = await database.ask('PUT', '/shared', { _rev: changed.answer.rev, total: 2 });
    const { answer } = await database.ask('GET', '/shared');
    expect([taken.status, answer.total, answer.sent]).toEqual([201, 2, undefined]);
  });
});
