// The embedded server answers CouchDB's paths as CouchDB does, as far as experiments use them, and the real load generator gets its
// times from it.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLoadGenerator } from '../../../lib/measure/experiments/run/load-generator.js';
import { openEmbedded } from '../../../lib/measure/servers/embedded.js';
import { Target } from '../../../lib/measure/servers/target.js';

/** @import { Server } from '../../../lib/measure/servers/server.js' */

const DOCS = [
  { _id: 'order-1', customer: 'ada', total: 5, number: 1 },
  { _id: 'order-2', customer: 'bob', total: 7, number: 2 },
  { _id: 'order-3', customer: 'ada', total: 1, number: 3 },
];

describe('the embedded server', () => {
  /** @type {Server} */
  let server;
  /** @type {Target} */
  let target;
  let name = '';

  beforeAll(async () => {
    server = await openEmbedded();
    target = new Target(server, { run: 'test', host: 'shop', pid: 1, at: '' });
    name = await target.create();
    await target.write(name, 'POST', '_bulk_docs', { docs: DOCS });
    await target.write(name, 'PUT', '_design/orders', {
      views: {
        totals: { map: 'function (doc) { emit(doc.customer, doc.total); }', reduce: '_sum' },
        numbers: { map: 'function (doc) { emit(doc.number, null); }' },
      },
    });
  });
  afterAll(() => server?.close());

  test('says what it is and what it lacks', async () => {
    expect(server.about).toMatchObject({ kind: 'embedded', name: expect.stringMatching(/^embedded PouchDB \d/) });
    expect([...server.mechanisms]).not.toContain('query-server');
    expect(await server.readCounters()).toBeUndefined();
    expect(new URL(server.origin).hostname).toBe('127.0.0.1');
  });

  const view = '_design/orders/_view';
  /** @type {[string, unknown][]} */
  const READS = [
    [
      `${view}/totals?group=true`,
      {
        rows: [
          { key: 'ada', value: 6 },
          { key: 'bob', value: 7 },
        ],
      },
    ],
    [`${view}/totals`, { rows: [{ key: null, value: 13 }] }],
    [`${view}/totals?reduce=false&key="bob"`, { rows: [{ id: 'order-2', key: 'bob', value: 7 }] }],
    [`${view}/numbers?startkey=2&limit=1&include_docs=true`, { rows: [{ key: 2, doc: { customer: 'bob' } }] }],
    [`${view}/numbers?skip=2`, { rows: [{ key: 3 }] }],
    [`${view}/numbers?descending=true&limit=1`, { rows: [{ key: 3 }] }],
    ['order-1', { customer: 'ada' }],
    ['_all_docs?keys=["order-3"]&include_docs=true', { rows: [{ id: 'order-3', doc: { total: 1 } }] }],
    ['_changes?since=0&limit=2', { results: [{ id: 'order-1' }, { id: 'order-2' }] }],
    ['', { doc_count: 4 }],
  ];

  test.each(READS)('answers GET %s', async (path, answer) => {
    expect(await target.read(name, path)).toMatchObject(/** @type {object} */ (answer));
  });

  test('answers POST requests of many documents', async () => {
    const keys = { keys: ['bob', 'ada'] };
    expect((await target.write(name, 'POST', `${view}/totals?reduce=false`, keys)).rows).toHaveLength(3);
    expect(await target.write(name, 'POST', '_all_docs', { keys: ['order-2'] })).toMatchObject({
      rows: [{ id: 'order-2' }],
    });
    expect(await target.write(name, 'POST', '_bulk_get', { docs: [{ id: 'order-2' }] })).toMatchObject({
      results: [{ id: 'order-2', docs: [{ ok: { customer: 'bob' } }] }],
    });
    const selector = { selector: { customer: 'ada' } };
    expect((await target.write(name, 'POST', '_changes?filter=_selector', selector)).results).toHaveLength(2);
  });

  test('answers a temporary view, and nothing but text as its map', async () => {
    const send = (/** @type {unknown} */ body) => server.ask('POST', `${name}/_temp_view?key="ada"`, body);
    const map = 'function (doc) { emit(doc.customer, doc.total); }';
    const { body } = await send({ map });
    expect(body.rows.map((/** @type {any} */ { value }) => value)).toEqual([5, 1]);
    expect((await send({ map, reduce: '_sum' })).body).toMatchObject({ rows: [{ value: 6 }] });
    for (const wrong of [{}, { map: 5 }, { map, reduce: {} }]) expect((await send(wrong)).status).toBe(400);
    expect((await send({ map: 'function (doc) { emit(process.pid); }' })).body.rows).toEqual([]);
  });

  test('finds with and without an index', async () => {
    const query = { selector: { customer: 'ada' } };
    expect((await target.write(name, 'POST', '_find', query)).docs).toHaveLength(2);
    await target.write(name, 'POST', '_index', {
      index: { fields: ['customer'] },
      ddoc: 'by-customer',
      name: 'by-customer',
    });
    expect((await target.write(name, 'POST', '_find', query)).docs).toHaveLength(2);
    expect((await target.read(name, '_index')).indexes).toHaveLength(2);
  });

  test.each([
    ['GET', 'couch-advisor-scratch-none-1', 404],
    ['GET', '{name}/order-9', 404],
    ['GET', '{name}/_design/orders/_view/none', 404],
    ['PUT', '{name}', 412],
    ['GET', '{name}/_design/orders/_view/numbers?limit=many', 400],
    ['GET', '{name}/_all_docs?limit=many', 400],
    ['GET', '{name}/_changes?filter=orders/mine', 501],
    ['GET', '{name}/_changes?filter=_view&view=orders/numbers', 501],
    ['GET', '{name}/_design/orders/_show/slip/order-1', 501],
    ['GET', '{name}/_design/orders/_list/slips/numbers', 501],
    ['GET', '_config', 404],
  ])('answers %s %s as a failure with its status', async (method, path, status) => {
    const answer = await server.ask(/** @type {'GET' | 'PUT'} */ (method), path.replace('{name}', name));
    expect(answer).toMatchObject({ status, body: { error: expect.any(String) } });
  });

  test.each(['filters', 'lists', 'rewrites', 'shows', 'updates', 'validate_doc_update'])(
    'refuses a design document with `%s`, and names it',
    async (member) => {
      const document = { _id: '_design/refused', [member]: { mine: 'function (doc) { return true; }' } };
      const answer = { status: 501, body: { error: 'not_implemented', reason: expect.stringContaining(member) } };
      expect(await server.ask('PUT', `${name}/_design/refused`, document)).toMatchObject(answer);
      expect(await server.ask('POST', `${name}/_bulk_docs`, { docs: [document] })).toMatchObject(answer);
      expect(await server.ask('GET', `${name}/_design/refused`)).toMatchObject({ status: 404 });
    },
  );

  test('answers nothing without its secret, which is another one in each run', async () => {
    const answer = await fetch(`${server.origin}/${name}`);
    expect(answer.status).toBe(401);
    expect([...answer.headers.keys()].filter((header) => /^access-control-/.test(header))).toEqual([]);
    const other = await openEmbedded();
    expect(other.headers).not.toEqual(server.headers);
    await other.close();
  });

  describe('under the load generator', () => {
    const generator = createLoadGenerator();
    /** @param {import('../../../lib/measure/experiments/workload.js').Request[]} requests @param {number} [connections] */
    const order = (requests, connections = 1) => ({
      origin: server.origin,
      headers: server.headers,
      database: name,
      requests,
      connections,
      timeoutSeconds: 10,
    });
    const reads = (/** @type {number} */ count) =>
      Array.from({ length: count }, (_, at) => ({
        method: /** @type {const} */ ('GET'),
        path: `order-${(at % 3) + 1}`,
      }));

    test('each request has its time, finer than a millisecond', async () => {
      const answer = await generator.run(order(reads(30)));
      expect(answer).toMatchObject({ requests: 30, errors: 0, refused: 0, timeouts: 0 });
      expect(answer.latencies).toHaveLength(30);
      expect(answer.latencies.some((latency) => latency % 1 !== 0)).toBe(true);
      expect(answer.elapsedMs).toBeGreaterThanOrEqual(Math.max(...answer.latencies));
    });

    test('connections share the requests out, and none is sent twice', async () => {
      const writes = Array.from({ length: 25 }, (_, at) => ({
        method: /** @type {const} */ ('PUT'),
        path: `stock-${at}`,
        body: '{"count":1}',
      }));
      expect(await generator.run(order(writes, 4))).toMatchObject({ requests: 25, errors: 0, refused: 0 });
      expect((await target.read(name, '_all_docs?startkey="stock-"&endkey="stock-z"')).rows).toHaveLength(25);
    });

    test('refusals are counted and have no time', async () => {
      const answer = await generator.run(order([...reads(2), { method: 'GET', path: 'none' }]));
      expect(answer).toMatchObject({ requests: 3, refused: 1, latencies: [expect.any(Number), expect.any(Number)] });
      expect(answer.firstRefusal).toMatch(/^404 .*not_found/);
    });

    test('a server that is gone gives errors', async () => {
      const answer = await generator.run({ ...order(reads(3)), origin: 'http://127.0.0.1:9' });
      expect(answer.errors).toBeGreaterThan(0);
      expect(answer.latencies).toEqual([]);
    });

    test('nothing but scratch databases is loaded', async () => {
      await expect(generator.run({ ...order(reads(1)), database: 'orders' })).rejects.toThrow('not a scratch database');
    });
  });

  test('ends when it is closed', async () => {
    const other = await openEmbedded();
    await other.close();
    await expect(other.ask('GET', '')).rejects.toMatchObject({ code: 'server-lost' });
  });
});
