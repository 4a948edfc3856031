// What rules say of Mango queries, checked by `_explain`, execution statistics and statuses of a real CouchDB.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COUCHDB_URL, ScratchDatabase } from '../helpers/couchdb.js';
import { countersDuring } from '../helpers/live-server.js';

const orders = Array.from({ length: 2000 }, (_, at) => ({
  _id: `order-${String(at).padStart(5, '0')}`,
  type: 'order',
  customer: `customer-${at % 20}`,
  // Customer 7 has orders without a date.
  ...(at % 20 === 7 ? {} : { date: `2026-${String((at % 12) + 1).padStart(2, '0')}-01` }),
  status: at % 3 === 0 ? 'paid' : 'open',
  total: at % 97,
  note: 'x'.repeat(200),
}));

describe.skipIf(!COUCHDB_URL)('Mango queries on a real CouchDB', { timeout: 120_000 }, () => {
  const database = new ScratchDatabase(COUCHDB_URL ?? 'http://localhost');
  /** @param {object} body */
  const find = async (body) => {
    const { status, answer } = await database.ask('POST', '/_find', { execution_stats: true, limit: 5000, ...body });
    return { status, ...answer };
  };
  /** @param {object} body @returns {Promise<any>} */
  const explain = async (body) => (await database.ask('POST', '/_explain', body)).answer;
  /** @param {string} name @param {object} index */
  const addIndex = (name, index) => database.ask('POST', '/_index', { index, ddoc: name, name });

  beforeAll(async () => {
    await database.ask('PUT', '?q=2');
    await database.ask('POST', '/_bulk_docs', { docs: orders });
    await addIndex('customer', { fields: ['customer'] });
    await addIndex('date-customer', { fields: ['date', 'customer'] });
    await addIndex('customer-date', { fields: ['customer', 'date'] });
    await addIndex('date-total', { fields: ['date', 'total'] });
    await addIndex('open', { fields: ['customer'], partial_filter_selector: { status: 'open' } });
    for (const use of ['customer', 'date-customer', 'customer-date', 'date-total', 'open']) {
      const selector = { customer: { $gt: null }, date: { $gt: null }, total: { $gt: null } };
      await find({ selector, use_index: use, limit: 1 });
    }
  });
  afterAll(() => database.drop());

  test('an index with the range before the equality reads more than 10 times the keys and documents', async () => {
    const selector = { customer: 'customer-3', date: { $gte: '2026-06-01' } };
    const wrong = await find({ selector, use_index: 'date-customer' });
    const right = await find({ selector, use_index: 'customer-date' });
    expect(wrong.docs.length).toBe(right.docs.length);
    expect(right.execution_stats.total_keys_examined).toBe(right.docs.length);
    expect(wrong.execution_stats.total_keys_examined).toBeGreaterThan(10 * right.docs.length);
    expect(wrong.execution_stats.total_docs_examined).toBeGreaterThan(10 * right.docs.length);
  });

  test('a covered query reads no document; one more field, or `_rev`, reads all of them', async () => {
    const selector = { date: { $gt: '2026-06' }, total: { $gt: 0 } };
    const use_index = 'date-total';
    const covered = await find({ selector, use_index, fields: ['date', 'total'] });
    expect(covered.execution_stats.total_docs_examined).toBe(0);
    expect((await find({ selector, use_index, fields: ['_id', 'date'] })).execution_stats.total_docs_examined).toBe(0);
    for (const field of ['_rev', 'customer']) {
      const { execution_stats, docs } = await find({ selector, use_index, fields: ['date', field] });
      // Those with a total of 0 lie in the same range of keys.
      expect(execution_stats.total_docs_examined).toBeGreaterThanOrEqual(docs.length);
    }
  });

  test('with `r` above 1 the coordinator reads the documents, unless the index covers the query', async () => {
    const selector = { date: { $gt: '2026-06' }, total: { $gt: 0 } };
    const use_index = 'date-total';
    const { execution_stats, docs } = await find({ selector, use_index, fields: ['customer'], r: 2 });
    expect(execution_stats.total_quorum_docs_examined).toBeGreaterThanOrEqual(docs.length);
    const covered = await find({ selector, use_index, fields: ['date', 'total'], r: 2 });
    expect(covered.execution_stats.total_quorum_docs_examined).toBe(0);
  });

  test('an index with both directions is refused with 400 `unsupported_mixed_sort`, and one whose filter stands beside it with 400 `invalid_key`', async () => {
    const post = async (/** @type {object} */ body) => {
      const { status, answer } = await database.ask('POST', '/_index', body);
      return [status, answer.error];
    };
    const mixed = { fields: [{ type: 'asc' }, { total: 'desc' }] };
    expect(await post({ index: mixed })).toEqual([400, 'unsupported_mixed_sort']);
    expect(await post({ index: { fields: ['type', { total: 'desc' }] } })).toEqual([400, 'unsupported_mixed_sort']);
    const beside = { index: { fields: ['note'] }, partial_filter_selector: { status: 'open' } };
    expect(await post(beside)).toEqual([400, 'invalid_key']);
    const sort = await find({ selector: { type: 'order', total: { $gt: 0 } }, sort: mixed.fields });
    expect([sort.status, sort.error]).toEqual([400, 'unsupported_mixed_sort']);
    const down = { fields: [{ type: 'desc' }, { total: 'desc' }] };
    expect(await post({ index: down, ddoc: 'down', name: 'down' })).toEqual([200, undefined]);
  });

  test('an index is used only if the selector has each of its fields', async () => {
    await addIndex('status-total', { fields: ['status', 'total'] });
    expect((await explain({ selector: { status: 'open' } })).index.name).toBe('_all_docs');
    const whole = await explain({ selector: { status: 'open', total: { $exists: true } } });
    expect(whole.index.name).toBe('status-total');
    const candidates = (await explain({ selector: { status: 'open' } })).index_candidates;
    const missed = candidates.find((/** @type {any} */ { index }) => index.name === 'status-total');
    expect(missed.analysis.reasons.map((/** @type {any} */ { name }) => name)).toContain('field_mismatch');
  });

  test('without an index every document is read, and the answer has a warning; with one only the results are', async () => {
    const scanned = await find({ selector: { note: 'none' } });
    expect(scanned.warning).toMatch(/No matching index found/);
    expect(scanned.execution_stats.total_docs_examined).toBeGreaterThanOrEqual(2000);
    const indexed = await find({ selector: { customer: 'customer-3' } });
    expect(indexed.execution_stats.total_docs_examined).toBe(indexed.docs.length);
    const far = await find({ selector: { customer: { $gt: null }, total: 5, date: { $gt: null } } });
    expect(far.warning).toMatch(/examined is high in proportion to the number of results/);
  });

  test.each([
    ['$in', { customer: { $in: ['customer-1'] } }],
    ['$regex', { customer: { $regex: '^customer-1$' } }],
    ['$ne', { customer: { $ne: 'customer-1' } }],
    ['$nin', { customer: { $nin: ['customer-1'] } }],
    ['$exists', { customer: { $exists: true } }],
    ['$type', { customer: { $type: 'string' } }],
    ['$mod', { total: { $mod: [7, 1] }, customer: { $exists: true } }],
  ])('an operator that gives no range reads the whole index and each document behind it: %s', async (_, selector) => {
    const plan = await explain({ selector, use_index: 'customer' });
    expect(plan.index.name).toBe('customer');
    // What the range is depends on the version: none at the start, or null.
    const { execution_stats } = await find({ selector, use_index: 'customer' });
    expect(execution_stats.total_keys_examined).toBe(2000);
    expect(execution_stats.total_docs_examined).toBe(2000);
  });

  test.each([
    ['$eq', { customer: 'customer-1' }],
    ['$beginsWith', { customer: { $beginsWith: 'customer-19' } }],
    ['$gte and $lt', { customer: { $gte: 'customer-1', $lt: 'customer-10' } }],
  ])('an operator that gives a range of keys: %s', async (_, selector) => {
    const { execution_stats, docs } = await find({ selector, use_index: 'customer' });
    expect(execution_stats.total_keys_examined).toBeLessThan(400);
    expect(docs.length).toBeGreaterThan(0);
  });

  test('a range of `_id` reads only that range, a list of ids reads all documents', async () => {
    const ranged = await find({ selector: { _id: { $gte: 'order-00100', $lt: 'order-00110' } } });
    // The end of the range is read, and left out.
    expect([ranged.docs.length, ranged.execution_stats.total_docs_examined]).toEqual([10, 11]);
    const listed = await find({ selector: { _id: { $in: ['order-00100', 'order-00101'] } } });
    expect(listed.docs).toHaveLength(2);
    expect(listed.execution_stats.total_docs_examined).toBeGreaterThanOrEqual(2000);
  });

  test('a sort leaves out documents that lack one of its fields, and keeps null', async () => {
    const selector = { customer: 'customer-7' };
    expect((await find({ selector })).docs).toHaveLength(100);
    expect((await find({ selector, sort: ['customer', 'date'] })).docs).toEqual([]);
    await database.ask('PUT', '/dated-null', { customer: 'customer-7', date: null });
    expect((await find({ selector, sort: ['customer', 'date'] })).docs).toHaveLength(1);
  });

  test('a sort in two directions, without an index, or by `_id` alone is refused with 400', async () => {
    const selector = { customer: 'customer-1' };
    const mixed = await find({ selector, sort: [{ customer: 'asc' }, { date: 'desc' }] });
    expect([mixed.status, mixed.error]).toEqual([400, 'unsupported_mixed_sort']);
    const unserved = await find({ selector, sort: ['total'] });
    expect([unserved.status, unserved.error]).toEqual([400, 'no_usable_index']);
    expect((await find({ selector, sort: ['_id'] })).status).toBe(400);
    expect((await find({ selector: { ...selector, _id: { $gt: null } }, sort: ['_id'] })).status).toBe(200);
  });

  test('an index in `use_index` that is unknown or does not fit is replaced with a warning, or refused with `allow_fallback: false`', async () => {
    for (const use_index of ['nothing', 'date-total']) {
      const { status, warning, docs } = await find({ selector: { customer: 'customer-1' }, use_index });
      expect([status, docs.length, /was not used/.test(warning)]).toEqual([200, 100, true]);
      const strict = await find({ selector: { customer: 'customer-1' }, use_index, allow_fallback: false });
      expect([strict.status, strict.error]).toEqual([400, 'invalid_index']);
    }
    const none = await find({ selector: { note: 'none' }, allow_fallback: false });
    expect(none.status).toBe(400);
  });

  test('a partial index is used only if `use_index` names it, and its filter then applies', async () => {
    const open = orders.filter(({ customer, status }) => customer === 'customer-1' && status === 'open').length;
    expect((await find({ selector: { customer: 'customer-1' }, use_index: 'open' })).docs).toHaveLength(open);
    expect((await find({ selector: { customer: 'customer-1' } })).docs).toHaveLength(100);
    const plan = await explain({ selector: { customer: 'customer-1', status: 'open' } });
    expect(plan.index.name).not.toBe('open');
  });

  test('without `limit` an answer has 25 documents, and a bookmark in any case', async () => {
    const { answer } = await database.ask('POST', '/_find', { selector: { customer: 'customer-1' } });
    expect(answer.docs).toHaveLength(25);
    expect(Object.keys(answer).sort()).toEqual(['bookmark', 'docs']);
    const few = await database.ask('POST', '/_find', { selector: { customer: 'customer-1', total: 5 } });
    expect(few.answer).toHaveProperty('bookmark');
  });

  test('an index of the same fields under another name is created, in a design document of its own', async () => {
    const again = await database.ask('POST', '/_index', { index: { fields: ['customer'] }, name: 'again' });
    expect(again.answer.result).toBe('created');
    expect(again.answer.id).not.toBe('_design/customer');
    const same = await addIndex('customer', { fields: ['customer'] });
    expect(same.answer.result).toBe('exists');
  });

  test('an index has a row for every value of a field, and none for a document without the field', async () => {
    const own = new ScratchDatabase(COUCHDB_URL ?? 'http://localhost');
    await own.create();
    try {
      const values = [0, '', false, null, { a: 1 }];
      const docs = [...values.map((date) => ({ type: 'order', date })), { type: 'order' }];
      await own.ask('POST', '/_bulk_docs', { docs });
      const index = { fields: ['date'], partial_filter_selector: { type: 'order' } };
      await own.ask('POST', '/_index', { index, ddoc: 'dates', name: 'dates' });
      const body = { selector: { date: { $exists: true } }, use_index: 'dates', execution_stats: true };
      const { answer } = await own.ask('POST', '/_find', body);
      expect(answer.execution_stats.total_keys_examined).toBe(values.length);
    } finally {
      await own.drop();
    }
  });

  test('`_all_docs` with `keys` reads each document, with and without `include_docs`', async () => {
    const keys = orders.slice(0, 100).map(({ _id }) => _id);
    for (const more of ['', '?include_docs=true']) {
      const grown = await countersDuring(() => database.ask('POST', `/_all_docs${more}`, { keys }));
      expect(grown('couchdb.database_reads')).toBeGreaterThanOrEqual(100);
    }
    const ranged = await countersDuring(() => database.ask('GET', '/_all_docs?limit=100'));
    expect(ranged('couchdb.database_reads')).toBeLessThan(30);
  });
});
