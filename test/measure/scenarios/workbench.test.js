// Scenarios write into scratch databases of their own run and nowhere else; time is that of an answer to its last byte.

import { createServer } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { TimedRequests } from '../../../lib/measure/scenarios/run/timed-requests.js';
import { Workbench } from '../../../lib/measure/scenarios/run/workbench.js';
import { scratchName } from '../../../lib/measure/servers/scratch-name.js';

/** @type {{method: string | undefined, url: string | undefined}[]} */
let seen = [];
/** @type {import('node:http').Server} */
let server;
let origin = '';

beforeEach(async () => {
  seen = [];
  server = createServer(async (request, response) => {
    for await (const _ of request);
    seen.push({ method: request.method, url: request.url });
    if (request.url?.includes('refused')) {
      response.statusCode = 403;
      response.end('{"error":"forbidden","reason":"not yours"}');
      return;
    }
    response.write('{"rows":');
    // What comes late belongs to the answer.
    setTimeout(() => response.end('[]}'), request.url?.includes('late') ? 120 : 0);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = server.address();
  origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** @param {Record<string, unknown>} [rest] */
function makeBench(rest = {}) {
  /** @type {string[]} */
  const asked = [];
  /** @type {any} as much of a server as is used */
  const fake = {
    kind: 'couchdb',
    origin,
    headers: {},
    mechanisms: new Set(['scatter-gather']),
    about: { name: 'CouchDB', settings: {} },
    ask: async (/** @type {string} */ method, /** @type {string} */ path) => {
      asked.push(`${method} ${path}`);
      return { status: 200, body: {} };
    },
  };
  const bench = new Workbench({
    server: fake,
    mark: { run: 'abc', host: 'here', pid: 1, at: '' },
    seed: '1',
    settings: { size: 5, shards: [1, 4] },
    ownDocuments: [],
    mayChangeConfig: false,
    cwd: '/',
    onProgress: () => {},
    pause: async () => {},
    ...rest,
  });
  return { bench, asked };
}

describe('databases', () => {
  test('are made with as many shards as wanted, each under a name of its own, and all dropped', async () => {
    const { bench, asked } = makeBench();
    const names = [await bench.create(1), await bench.create(4), await bench.create(4), await bench.create()];
    expect(names).toEqual([
      scratchName('abc-q1', 1),
      scratchName('abc-q4', 1),
      scratchName('abc-q4', 2),
      scratchName('abc', 1),
    ]);
    const queries = ['?q=1', '?q=4', '?q=4', ''];
    expect(asked.filter((one) => !one.includes('_local'))).toEqual(
      names.map((name, at) => `PUT ${name}${queries[at]}`),
    );
    expect(await bench.dropAll()).toEqual([]);
    expect(asked.filter((one) => one.startsWith('DELETE'))).toHaveLength(4);
  });

  test('of others are not touched', async () => {
    const { bench } = makeBench();
    await expect(bench.time('POST', 'orders', '_bulk_docs', { body: { docs: [] } })).rejects.toThrow('refused');
    expect(() => bench.write('couch-advisor-scratch-xyz-1', 'PUT', 'a', {})).toThrow('refused');
    expect(() => bench.drop('orders')).toThrow('refused');
    expect(seen).toEqual([]);
  });
});

describe('a timed request', () => {
  test('is timed to its last byte, and counts bytes', async () => {
    const requests = new TimedRequests({ origin, headers: {} });
    const answer = await requests.send('GET', 'late');
    expect(answer).toMatchObject({ status: 200, bytes: 11, text: '' });
    expect(answer.ms).toBeGreaterThan(100);
    expect((await requests.send('GET', 'late', { keeps: true })).text).toBe('{"rows":[]}');
    requests.close();
  });

  test.each([
    ['PUT', 'orders'],
    ['POST', 'orders/_bulk_docs'],
    ['DELETE', 'orders'],
    ['POST', 'couch-advisor-scratch-abc-1/../orders/_bulk_docs'],
  ])('%s %s is never sent', async (method, target) => {
    const requests = new TimedRequests({ origin, headers: {} });
    expect(() => requests.send(/** @type {'PUT'} */ (method), target)).toThrow('refused');
    expect(seen).toEqual([]);
  });

  test('that is refused is told with the reason', async () => {
    const { bench } = makeBench();
    const database = await bench.create();
    await expect(bench.time('GET', database, 'refused')).rejects.toThrow(/GET refused failed \(403: .*not yours/);
    await bench.dropAll();
  });

  test('to a server that is gone is told', async () => {
    const requests = new TimedRequests({ origin: 'http://127.0.0.1:9', headers: {} });
    await expect(requests.send('GET', '')).rejects.toThrow(expect.objectContaining({ code: 'server-lost' }));
  });

  test('ends with the run', async () => {
    const controller = new AbortController();
    const { bench } = makeBench({ signal: controller.signal });
    const database = await bench.create();
    const timing = bench.time('GET', database, 'late');
    controller.abort();
    await expect(timing).rejects.toThrow(expect.objectContaining({ code: 'interrupted' }));
    await expect(bench.create()).rejects.toThrow(expect.objectContaining({ code: 'interrupted' }));
    expect(await bench.dropAll()).toEqual([]);
  });
});
