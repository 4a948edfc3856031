// What a turn of a loop does beside a call: whether it stands in for a failed request, waits for other work, or reads what its query could have.

import { describe, expect, test } from 'vitest';
import { readTexts } from '../../helpers/application-code.js';

const NANO = "const server = require('nano')(process.env.COUCHDB_URL); const shop = server.use('shop');";
const CRADLE =
  "const cradle = require('cradle'); const shop = new cradle.Connection('http://localhost').database('shop');";

/**
 * @param {string} text of an async function; the last call in a loop counts
 * @param {{head?: string, others?: Record<string, string>}} [files]
 * @returns {Promise<import('../../../lib/sources/application/record.js').CallLoop>}
 */
async function loopIn(text, { head = NANO, others = {} } = {}) {
  const { records } = await readTexts({
    'orders.js': `${head} exports.f = async (orders, rest) => { ${text} };`,
    ...others,
  });
  const loop = records.findLast((record) => record.loop)?.loop;
  if (!loop) throw new Error('no loop was found');
  return loop;
}

describe('a loop is a fallback', () => {
  const EACH = 'for (const order of orders) await shop.insert(order);';
  const GET = 'for (const { id } of orders) await shop.get(id);';

  test.each([
    ['where the bulk request threw', `try { await shop.bulk({ docs: orders }); } catch { ${EACH} }`],
    [
      'where its promise is rejected',
      'await shop.bulk({ docs: orders }).catch(() => Promise.all(orders.map((order) => shop.insert(order))));',
    ],
    [
      'where the second function of `then` gets the error',
      'await shop.bulk({ docs: orders }).then(show, () => Promise.all(orders.map((order) => shop.insert(order))));',
    ],
    [
      'where its callback gets an error',
      'shop.bulk({ docs: orders }, (error) => { if (error && error.statusCode === 413) orders.forEach((order) => shop.insert(order)); });',
    ],
    [
      'where its callback gets one that is compared',
      'shop.bulk({ docs: orders }, (error) => { if (error !== null) orders.forEach((order) => shop.insert(order)); });',
    ],
    ['where documents were requested together', `try { await shop.fetch({ keys: orders }); } catch { ${GET} }`],
    ['where they were listed', `try { await shop.list({ keys: orders }); } catch { ${GET} }`],
    [
      'that calls a function',
      'const save = (order) => shop.insert(order); try { await shop.bulk({ docs: orders }); } catch { for (const order of orders) await save(order); }',
    ],
  ])('%s', async (_, text) => {
    expect((await loopIn(text)).isFallback).toBe(true);
  });

  test('where a list was saved with cradle', async () => {
    const text = 'shop.save(orders, (error) => { if (error) orders.forEach((order) => shop.save(order, show)); });';
    expect((await loopIn(text, { head: CRADLE })).isFallback).toBe(true);
  });

  test.each([
    ['no request failed', EACH],
    ['something else failed', `try { await pay(orders); } catch { ${EACH} }`],
    ['it stands before', `try { ${EACH} } catch { await shop.bulk({ docs: orders }); }`],
    ['another database failed', `try { await server.use('other').bulk({ docs: orders }); } catch { ${EACH} }`],
    ['the documents were read before', `try { await shop.list({ keys: orders }); } catch { ${EACH} }`],
    ['documents were written before', `try { await shop.bulk({ docs: orders }); } catch { ${GET} }`],
    [
      'the request had no error',
      'shop.bulk({ docs: orders }, (error) => { if (!error) orders.forEach((order) => shop.insert(order)); });',
    ],
    [
      'its error is null',
      'shop.bulk({ docs: orders }, (error) => { if (error === null) orders.forEach((order) => shop.insert(order)); });',
    ],
    [
      'the request was answered',
      'await shop.bulk({ docs: orders }).then(() => Promise.all(rest.map((order) => shop.insert(order))), show);',
    ],
  ])('is none where %s', async (_, text) => {
    expect((await loopIn(text)).isFallback).toBe(false);
  });

  test('is none where a document was saved before, and others are read', async () => {
    const text = 'shop.save(rest, (error) => { if (error) orders.forEach(({ id }) => shop.get(id, show)); });';
    expect((await loopIn(text, { head: CRADLE })).isFallback).toBe(false);
  });
});

describe('each turn of a loop with a write', () => {
  test.each([
    ['pays', 'for (const order of orders) { await pay(order); await shop.insert(order); }'],
    ['sends mail afterwards', 'for (const order of orders) { await shop.insert(order); await sendMail(order); }'],
    ['pays, with a promise', 'orders.map((order) => pay(order).then(() => shop.insert(order)));'],
    [
      'sends a request',
      "for (const order of orders) { await fetch(url, { method: 'PUT' }); await shop.insert(order); }",
    ],
    [
      'calls a function of the project that pays',
      'const settle = async (order) => { await pay(order); await shop.get(order._id); }; for (const order of orders) { await settle(order); await shop.insert(order); }',
    ],
    [
      'calls a function that pays, and one that writes',
      'const save = (order) => shop.insert(order); for (const order of orders) { await pay(order); await save(order); }',
    ],
  ])('waits for more where it %s', async (_, text) => {
    expect((await loopIn(text)).waitsForMore).toBe(true);
  });

  test.each([
    ['writes', 'for (const order of orders) await shop.insert(order);'],
    [
      'reads before',
      'for (const { id } of orders) { const order = await shop.get(id); await shop.insert({ ...order }); }',
    ],
    [
      'reads several documents at once',
      'for (const order of orders) { const lines = await Promise.all(order.lines.map((id) => shop.get(id))); await shop.insert({ ...order, lines }); }',
    ],
    [
      'loads a file',
      'for (const file of orders) { const text = await readFile(file); await shop.insert(JSON.parse(text)); }',
    ],
    [
      'gets a page',
      'for (const url of orders) { const page = await fetch(url); await shop.insert(await page.json()); }',
    ],
    [
      'calls a function of the project that is about the database alone',
      'const renew = async ({ id }) => { const order = await shop.get(id); return order; }; for (const row of orders) { await shop.insert(await renew(row)); }',
    ],
    [
      'writes in a function',
      'const save = (order) => shop.insert(order); for (const order of orders) await save(order);',
    ],
    [
      'reads, and writes in a function',
      'const save = (order) => shop.insert(order); for (const { id } of orders) { const order = await shop.get(id); await save({ ...order, id }); }',
    ],
    ['handles its errors', 'for (const order of orders) await shop.insert(order).catch(show).then(show);'],
  ])('does not wait for more where it %s', async (_, text) => {
    expect((await loopIn(text)).waitsForMore).toBe(false);
  });

  test('waits for more is not said of reads', async () => {
    const loop = await loopIn('for (const { id } of orders) { await pay(id); await shop.get(id); }');
    expect(loop.waitsForMore).toBe(false);
  });
});

describe('a loop goes through the rows of', () => {
  test.each([
    [
      'await shop.list({ include_docs: true })',
      'const { rows } = await shop.list(); for (const row of rows) await shop.get(row.id);',
    ],
    [
      'await shop.list({ limit: 50, include_docs: true })',
      'const body = await shop.list({ limit: 50, }); for (const row of body.rows) await shop.get(row.key);',
    ],
    [
      "await shop.view('orders', 'by_status', { key: 'open', include_docs: true })",
      "const rows = (await shop.view('orders', 'by_status', { key: 'open' })).rows; for (let i = 0; i < rows.length; i++) await shop.get(rows[i].id);",
    ],
    [
      "await shop.view('orders', 'by_status', { include_docs: true })",
      "const { rows } = await shop.view('orders', 'by_status'); await Promise.all(rows.map(({ id }) => shop.get(id)));",
    ],
    [
      "await shop.view('orders', 'by_status', { include_docs: true })",
      "const { rows } = await shop.view('orders', 'by_status', {}); for (const row of rows || []) { const { id } = row; await shop.get(id); }",
    ],
    [
      'shop.list({ ...options, include_docs: true }, …)',
      'shop.list(options, (error, body) => { body.rows.forEach((row) => { const key = row.id; shop.get(key, show); }); });',
    ],
    [
      'shop.list({ include_docs: true })',
      'shop.list().then(({ rows }) => Promise.all(rows.map((row) => shop.get(row.id))));',
    ],
    [
      'shop.list({ include_docs: true })',
      'shop.list().catch(show).then((body) => Promise.all(body.rows.map((row) => shop.get(row.id))));',
    ],
    [
      "await shop.search('orders', 'text', { q: text, include_docs: true })",
      "const { rows } = await shop.search('orders', 'text', { q: text }); for (let i = 0; i < rows.length; i++) { const row = rows[i]; await shop.get(row.id); }",
    ],
    [
      'await shop.list({ …, include_docs: true })',
      "const { rows } = await shop.list({ startkey: 'orders:2026-01-01T00:00:00', endkey: 'orders:2026-02-01T00:00:00' }); for (const row of rows) await shop.get(row.id);",
    ],
  ])('%s', async (withDocs, text) => {
    expect((await loopIn(text)).rowQuery).toMatchObject({ withDocs, place: { file: 'orders.js' } });
  });

  test('cradle', async () => {
    const text = 'shop.all((error, body) => { body.rows.forEach((row) => shop.get(row.key, show)); });';
    expect((await loopIn(text, { head: CRADLE })).rowQuery?.withDocs).toBe('shop.all({ include_docs: true }, …)');
  });

  test.each([
    ['a list that comes from elsewhere', 'for (const row of orders.rows) await shop.get(row.id);'],
    [
      'another database',
      "const { rows } = await server.use('other').list(); for (const row of rows) await shop.get(row.id);",
    ],
    [
      'rows for other ids',
      'const { rows } = await shop.list(); for (const row of rows) await shop.get(row.value.order);',
    ],
    [
      'a view whose key is no id of the document',
      "const { rows } = await shop.view('orders', 'by_customer'); for (const row of rows) await shop.get(row.key);",
    ],
    [
      'rows that have their documents',
      'const { rows } = await shop.list({ include_docs: true }); for (const row of rows) await shop.get(row.id);',
    ],
    [
      'groups',
      "const { rows } = await shop.view('orders', 'by_status', { group: true }); for (const row of rows) await shop.get(row.id);",
    ],
    [
      'documents',
      'const { docs } = await shop.find({ selector }); for (const order of docs) await shop.get(order.id);',
    ],
    [
      'a name that changes',
      'let { rows } = await shop.list(); rows = orders; for (const row of rows) await shop.get(row.id);',
    ],
    [
      'a writing loop',
      'const { rows } = await shop.list(); for (const row of rows) await shop.destroy(row.id, row.value.rev);',
    ],
    [
      'another parameter',
      'shop.list((error, body, headers) => { headers.rows.forEach((row) => shop.get(row.id, show)); });',
    ],
    ['another member', 'const { total } = await shop.list(); for (const row of total) await shop.get(row.id);'],
    [
      'a name of a turn that is not the row',
      'const { rows } = await shop.list(); for (const row of rows) for (const item of orders) await shop.get(item.id);',
    ],
  ])('is not said of %s', async (_, text) => {
    expect((await loopIn(text)).rowQuery).toBeNull();
  });
});
