// Documents from all over a database, by reading alone.

import { expect, test } from 'vitest';
import { sampleDatabase } from '../../../lib/measure/servers/sample-database.js';

/** @import { Server } from '../../../lib/measure/servers/server.js' */

/**
 * @param {Record<string, object>} documents
 * @param {number} [status]
 */
function serverWith(documents, status = 200) {
  const asked = /** @type {string[]} */ ([]);
  /** @type {Pick<Server, 'ask'>} */
  const server = {
    ask: async (method, path) => {
      asked.push(`${method} ${path}`);
      if (status !== 200) return { status, body: { reason: 'You are not allowed to access this db.' } };
      const { searchParams, pathname } = new URL(path, 'http://shop.example');
      if (!pathname.endsWith('/_all_docs')) return { status, body: { doc_count: Object.keys(documents).length } };
      const start = JSON.parse(searchParams.get('startkey') ?? '""');
      const end = JSON.parse(searchParams.get('endkey') ?? 'null');
      const ids = Object.keys(documents)
        .filter((id) => id >= start && (end === null || id < end))
        .sort();
      const rows = ids.slice(0, Number(searchParams.get('limit'))).map((id) => ({ id, doc: documents[id] }));
      return { status, body: { rows } };
    },
  };
  return { server: /** @type {Server} */ (server), asked };
}

test('takes some of each first character, no document twice, no design document', async () => {
  const documents = Object.fromEntries(
    [...'abcxyz'].flatMap((letter) =>
      Array.from({ length: 100 }, (_, at) => [`${letter}-${at}`, { _id: `${letter}-${at}` }]),
    ),
  );
  const { server, asked } = serverWith({ ...documents, '_design/app': { _id: '_design/app' } });
  const { documents: found, total } = await sampleDatabase(server, 'shop/eu', 200);
  expect([found.length, total]).toEqual([200, 601]);
  expect(new Set(found.map(({ _id }) => String(_id).slice(0, 1)))).toEqual(new Set([...'abcxyz']));
  expect(new Set(found.map(({ _id }) => _id)).size).toBe(200);
  expect(asked.every((request) => /^GET shop%2Feu(\/_all_docs\?|$)/.test(request))).toBe(true);
});

test('ids that all begin alike are read as far as wanted, and a small database as a whole', async () => {
  const orders = Object.fromEntries(Array.from({ length: 1300 }, (_, at) => [`order-${at}`, { _id: `order-${at}` }]));
  orders['_design/app'] = { _id: '_design/app' };
  const some = await sampleDatabase(serverWith(orders).server, 'shop', 1000);
  expect([some.documents.length, some.total]).toEqual([1000, 1301]);
  const all = await sampleDatabase(serverWith(orders).server, 'shop', 5000);
  expect([all.documents.length, all.total]).toEqual([1300, 1300]);
});

test('an empty database and one that may not be read are told', async () => {
  await expect(sampleDatabase(serverWith({}).server, 'shop', 10)).rejects.toMatchObject({ code: 'sample-empty' });
  await expect(sampleDatabase(serverWith({}, 403).server, 'shop', 10)).rejects.toMatchObject({
    code: 'sample-unreadable',
    message: expect.stringContaining('403: You are not allowed'),
  });
});

test('a server that returns the same full page again and again is read to an end', async () => {
  let requests = 0;
  const server = /** @type {Server} */ (
    /** @type {unknown} */ ({
      ask: async (/** @type {string} */ _, /** @type {string} */ path) => {
        requests += 1;
        const limit = Number(/limit=(\d+)/.exec(path)?.[1] ?? 0);
        const rows = Array.from({ length: limit }, (__, at) => ({ id: `order-${at}`, doc: { _id: `order-${at}` } }));
        return { status: 200, body: { rows, doc_count: 5000 } };
      },
    })
  );
  const { documents } = await sampleDatabase(server, 'shop', 1000);
  expect(documents.length).toBe(100);
  expect(requests).toBeLessThan(200);
});
