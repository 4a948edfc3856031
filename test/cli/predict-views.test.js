// `couch-advisor predict --views`: the indexes of design documents and Mango indexes.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isLong } from '../helpers/long.js';
import { runMain } from '../helpers/run-main.js';

const MAP = 'function (doc) { emit(doc.customer, doc.total); }';
let folder = '';

/** @param {string} name @param {unknown} value */
const put = (name, value) => writeFileSync(path.join(folder, name), JSON.stringify(value));
/** @param {object} views @param {object} [more] */
const orders = (views, more = {}) => ({ _id: '_design/orders', views, ...more });
/** @param {string[]} args */
const predict = (...args) => runMain(['predict', 'load.jsonl', ...args], { cwd: folder });

/** @param {string[]} args @returns {Promise<any>} */
async function predictJson(...args) {
  const { stdout, stderr } = await predict(...args, '--format', 'json');
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout);
}

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'couch-advisor-predict-views-'));
  const docs = Array.from({ length: 600 }, (_, at) => ({
    _id: `order-${String(at).padStart(6, '0')}`,
    customer: `c${(at * 7919) % 100}`,
    total: at,
    ...(at % 2 === 0 ? { paid: true } : {}),
  }));
  writeFileSync(path.join(folder, 'load.jsonl'), docs.map((doc) => `${JSON.stringify(doc)}\n`).join(''));
  put('package.json', { name: 'shop' });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('predict --views', () => {
  test('predicts the index of a design document', async () => {
    put('a.json', orders({ by_customer: { map: MAP, reduce: '_sum' } }));
    const { indexes } = await predictJson('--views', 'a.json', '--docs-per-second', '100');
    expect(indexes).toHaveLength(1);
    expect(indexes[0]).toMatchObject({
      designDoc: '_design/orders',
      kind: 'views',
      views: ['by_customer'],
      rows: 600,
      isExtrapolated: false,
      isReduceGuessed: false,
      notes: [],
      buildSeconds: 6,
    });
    expect(indexes[0].fileBytes).toBeGreaterThan(indexes[0].activeBytes);
    expect(indexes[0].buildBytes.high).toBeGreaterThanOrEqual(indexes[0].buildBytes.low);
    expect(indexes[0].bytesPer1000Writes.updated.single).toBeGreaterThan(0);
  });

  test.runIf(isLong)('extrapolates to --count', async () => {
    put('a.json', orders({ by_customer: { map: MAP } }));
    const [few, many] = await Promise.all(
      [[], ['--count', '60000']].map((more) => predictJson('--views', 'a.json', ...more)),
    );
    expect(many.indexes[0]).toMatchObject({ rows: 60_000, isExtrapolated: true });
    expect(many.indexes[0].activeBytes / few.indexes[0].activeBytes).toBeGreaterThan(60);
    expect(many.indexes[0].activeBytes / few.indexes[0].activeBytes).toBeLessThan(120);
  });

  test('counts views with the same map once, as CouchDB stores them', async () => {
    put('a.json', orders({ one: { map: MAP, reduce: '_sum' }, two: { map: MAP, reduce: '_count' } }));
    put('b.json', orders({ one: { map: MAP, reduce: '_sum' }, two: { map: `${MAP} `, reduce: '_count' } }));
    const [same] = (await predictJson('--views', 'a.json')).indexes;
    const [other] = (await predictJson('--views', 'b.json')).indexes;
    expect([same.rows, other.rows]).toEqual([600, 1200]);
  });

  test.each([
    [
      'that throws',
      'function (doc) { if (doc.total > 299) throw new Error("no"); emit(1, 1); }',
      300,
      'throws on 300 of 600',
    ],
    ['that emits nothing', 'function (doc) { if (doc.missing) emit(1, 1); }', 0, 'emits nothing'],
    [
      'that does not end',
      'function (doc) { if (doc.total === 9) while (true) {} emit(1, 1); }',
      9,
      'was stopped at document 10',
    ],
  ])('reports a map %s', async (_, map, rows, note) => {
    put('a.json', orders({ v: { map } }));
    const [index] = (await predictJson('--views', 'a.json')).indexes;
    expect(index.rows).toBe(rows);
    expect(index.notes[0]).toContain(note);
  });

  test('runs maps with their libraries', async () => {
    const lib = { key: 'exports.of = function (doc) { return doc.customer; };' };
    const map = "function (doc) { emit(require('views/lib/key').of(doc), null); }";
    put('a.json', orders({ lib, v: { map } }));
    expect((await predictJson('--views', 'a.json')).indexes[0]).toMatchObject({ rows: 600, notes: [] });
  });

  test.each([
    ['all documents', { fields: ['customer', 'total'] }, { rows: 600, notes: [] }],
    ['those that have the columns', { fields: ['paid'] }, { rows: 300, notes: [] }],
    ['none', { fields: ['nothing'] }, { rows: 0, notes: ['no document has all columns of the index'] }],
  ])('predicts a Mango index of %s', async (_, index, expected) => {
    put('m.json', { ddoc: 'find', name: 'i', index, type: 'json' });
    expect((await predictJson('--views', 'm.json')).indexes[0]).toMatchObject({
      designDoc: '_design/find',
      name: 'i',
      kind: 'mango',
      ...expected,
    });
  });

  test.each([
    [
      'a text index',
      { ddoc: 'x', name: 't', index: { fields: [{ name: 'a', type: 'string' }] }, type: 'text' },
      'another kind',
    ],
    ['a map in Erlang', orders({ v: { map: 'fun({Doc}) -> ok end.' } }, { language: 'erlang' }), 'not JavaScript'],
  ])('says that %s is unknown', async (_, value, reason) => {
    put('x.json', value);
    expect((await predictJson('--views', 'x.json')).indexes[0].unknown).toContain(reason);
  });

  test('reads Mango indexes as the server stores them', async () => {
    const view = { map: { fields: { customer: 'asc' }, partial_filter_selector: {} }, reduce: '_count', options: {} };
    put('a.json', { _id: '_design/find', language: 'query', views: { i: view } });
    expect((await predictJson('--views', 'a.json')).indexes[0]).toMatchObject({ rows: 600 });
  });

  test('prints text and a page', async () => {
    put('a.json', orders({ by_customer: { map: MAP, reduce: '_sum' } }));
    const { stdout, exitCode } = await predict('--views', 'a.json', '--output', 'page.html');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/_design\/orders \(by_customer\)\n {4}rows +600 of /);
    expect(stdout).toMatch(/growth by updates +[\d.]+ [kM]?B per 1,000 documents if the view/);
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      'Build time: unknown, requires the number of documents indexed per second',
    );
    expect(readFileSync(path.join(folder, 'page.html'), 'utf8')).toContain('_design/orders (by_customer)');
  });

  test('refuses paths without indexes', async () => {
    put('a.json', orders({}));
    const { stderr, exitCode } = await predict('--views', 'a.json');
    expect(stderr).toContain('no views and no Mango indexes');
    expect(exitCode).toBe(2);
  });
});
