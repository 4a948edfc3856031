// A CouchDB is recognised, described and refused as it should be; its answers here are those of a small HTTP server.

import { createServer } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { openCouchdb } from '../../../lib/measure/servers/couchdb.js';

/** @import { Server as HttpServer } from 'node:http' */

/** @type {HttpServer[]} */
const servers = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** @type {Record<string, unknown>} */
const COUCHDB = {
  '/': { couchdb: 'Welcome', version: '3.4.3' },
  '/_all_dbs': ['_users', 'orders'],
  '/_membership': { cluster_nodes: ['a', 'b', 'c'] },
  '/_node/_local/_versions': { javascript_engine: { name: 'quickjs', version: '2024' } },
  '/_node/_local/_config/cluster/q': '2',
  '/_node/_local/_stats': {
    couchdb: { database_reads: { value: 7, type: 'counter' }, request_time: { value: { n: 1 }, type: 'histogram' } },
    mango: { docs_examined: { value: 3, type: 'counter' } },
  },
  '/_active_tasks': [],
};

/**
 * @param {Record<string, unknown>} answers by path; others are 404, and a number is a status
 * @param {(request: import('node:http').IncomingMessage, response: import('node:http').ServerResponse) => boolean} [before] whether it has answered
 * @returns {Promise<{url: string, asked: {method: string | undefined, url: string | undefined, authorization: string | undefined}[]}>}
 */
async function listen(answers, before = () => false) {
  /** @type {{method: string | undefined, url: string | undefined, authorization: string | undefined}[]} */
  const asked = [];
  const server = createServer((request, response) => {
    const { method, url = '' } = request;
    asked.push({ method, url, authorization: request.headers.authorization });
    if (before(request, response)) return;
    const answer = answers[url.split('?')[0] ?? ''];
    const status = typeof answer === 'number' ? answer : answer === undefined ? 404 : 200;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(status === 200 ? answer : { error: 'no', reason: 'none' }));
  });
  servers.push(server);
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = server.address();
  return { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`, asked };
}

test('a CouchDB is described', async () => {
  const { url } = await listen(COUCHDB);
  const server = await openCouchdb(url, {});
  expect(server.about).toEqual({
    name: 'CouchDB 3.4.3',
    kind: 'couchdb',
    version: '3.4.3',
    engine: 'quickjs 2024',
    nodes: 3,
    settings: { q: '2' },
  });
  // Of the other nodes it does not answer: what is told is that of one.
  const values = { 'couchdb.database_reads': 7, 'mango.docs_examined': 3 };
  expect(await server.readCounters()).toEqual({ values, read: 1, nodes: 3 });
});

test('counters are those of all nodes together, where these may be read', async () => {
  const counter = (/** @type {number} */ value) => ({ couchdb: { database_reads: { type: 'counter', value } } });
  const { url } = await listen({
    ...COUCHDB,
    '/_membership': { all_nodes: ['a', 'b', 'c'], cluster_nodes: ['a@shop', 'b@shop', 'c@shop'] },
    '/_node/a@shop/_stats': counter(87),
    '/_node/b@shop/_stats': counter(60),
    '/_node/c@shop/_stats': counter(53),
  });
  const server = await openCouchdb(url, {});
  expect(await server.readCounters()).toEqual({ values: { 'couchdb.database_reads': 200 }, read: 3, nodes: 3 });
});

test('credentials go into the header and nowhere else', async () => {
  const { url, asked } = await listen(COUCHDB);
  const server = await openCouchdb(url.replace('//', '//admin:secret@'), {});
  await server.ask('GET', '_all_dbs');
  expect(new Set(asked.map(({ authorization }) => authorization))).toEqual(new Set(['Basic YWRtaW46c2VjcmV0']));
  const { headers: _, ...told } = server;
  expect(JSON.stringify(told)).not.toContain('secret');
  expect(server.origin).toBe(url);
});

test.each([
  ['another server', { '/': { version: 1 } }, 'no-couchdb'],
  ['a server that lets nobody in', { '/': 401 }, 'not-allowed'],
  ['a server that shows its databases to admins', { ...COUCHDB, '/_all_dbs': 401 }, 'not-allowed'],
])('%s is refused', async (_, answers, code) => {
  const { url } = await listen(answers);
  await expect(openCouchdb(url, {})).rejects.toMatchObject({ code });
});

test('no server at all is told without credentials', async () => {
  const opening = openCouchdb('http://admin:secret@127.0.0.1:9', {});
  await expect(opening).rejects.toMatchObject({ code: 'server-lost', message: expect.not.stringContaining('secret') });
});

test('writes elsewhere than into scratch databases are never sent', async () => {
  const { url, asked } = await listen(COUCHDB);
  const server = await openCouchdb(url, {});
  const before = asked.length;
  await expect(server.ask('DELETE', 'orders')).rejects.toThrow('refused');
  expect(asked.length).toBe(before);
});

test.each([
  [
    'has no end',
    'answer-too-large',
    (/** @type {import('node:http').ServerResponse} */ response) => {
      const part = Buffer.alloc(4 * 1024 * 1024, 32);
      // It ends with its client: Node.js 26 calls back with the error, and leaves `destroyed` as it was.
      const write = (/** @type {Error | null | undefined} */ error) => {
        if (!error && response.socket?.destroyed === false) response.write(part, write);
      };
      write(undefined);
    },
  ],
  [
    'is cut',
    'server-lost',
    (/** @type {import('node:http').ServerResponse} */ response) => void response.write('{', () => response.destroy()),
  ],
  [
    'is cut and is no JSON',
    'server-lost',
    (/** @type {import('node:http').ServerResponse} */ response) => {
      response.setHeader('content-type', 'text/plain');
      response.write('o', () => response.destroy());
    },
  ],
])('an answer to a request that makes a database and %s is an error', async (_, code, answer) => {
  const { url } = await listen(COUCHDB, (request, response) => {
    if (request.method !== 'PUT') return false;
    response.setHeader('content-type', 'application/json');
    answer(response);
    return true;
  });
  const server = await openCouchdb(url, {});
  await expect(server.ask('PUT', 'couch-advisor-scratch-a-1')).rejects.toMatchObject({ code });
});

test('a request that makes a database and is refused with null is refused', async () => {
  const { url } = await listen(COUCHDB, (request, response) => {
    if (request.method !== 'PUT') return false;
    response.writeHead(500, { 'content-type': 'application/json' }).end('null');
    return true;
  });
  const server = await openCouchdb(url, {});
  expect(await server.ask('PUT', 'couch-advisor-scratch-a-1')).toEqual({ status: 500, body: null });
});

describe('signs that a server is in use', () => {
  test('are counted by what it answers within a second', async () => {
    const databases = (/** @type {string} */ prefix) => Array.from({ length: 30 }, (_, at) => `${prefix}${at}`);
    const rows = /** @type {const} */ ([
      ['none', {}, 0],
      ['many databases', { '/_all_dbs': databases('shop-') }, 1],
      ['scratch databases of ours are none', { '/_all_dbs': databases('couch-advisor-scratch-a-') }, 0],
      ['tasks', { '/_active_tasks': [{ type: 'replication', database: 'orders' }] }, 1],
    ]);
    const found = await Promise.all(
      rows.map(async ([name, changes]) => {
        const { url } = await listen({ ...COUCHDB, ...changes });
        const server = await openCouchdb(url, {});
        return [name, (await server.findSignsOfUse()).length];
      }),
    );
    expect(found).toEqual(rows.map(([name, , count]) => [name, count]));
  });

  test('requests of others', async () => {
    let requests = 0;
    const stats = {
      get couchdb() {
        requests += 500;
        return { httpd: { requests: { value: requests, type: 'counter' } } };
      },
    };
    const { url } = await listen({ ...COUCHDB, '/_node/_local/_stats': stats });
    const server = await openCouchdb(url, {});
    expect(await server.findSignsOfUse()).toEqual(['it served 499 requests in one second']);
  });
});
