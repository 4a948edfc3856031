// What rules say of documents and design documents: what is refused when, changes, writes, files, rights.

import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { COUCHDB_URL, ScratchDatabase } from '../helpers/couchdb.js';
import { askServer, comesTrue, countersDuring } from '../helpers/live-server.js';

const MAP = 'function (doc) { emit(doc.number, null); }';

describe.skipIf(!COUCHDB_URL)('documents of a real CouchDB', { timeout: 120_000 }, () => {
  /** @type {ScratchDatabase} */
  let database;
  /** @param {string} path @param {string} [method] @param {unknown} [body] */
  const ask = (path, method = 'GET', body = undefined) => database.ask(method, path, body);
  /** @param {number} count @param {(at: number) => string} [id] */
  const load = async (count, id = (at) => `order-${String(at).padStart(6, '0')}`) => {
    for (let first = 0; first < count; first += 1000) {
      const docs = Array.from({ length: Math.min(1000, count - first) }, (_, at) => ({
        _id: id(first + at),
        number: first + at,
        status: at % 10 === 0 ? 'open' : 'paid',
        note: 'x'.repeat(50),
      }));
      await ask('/_bulk_docs', 'POST', { docs });
    }
  };
  const sizes = async () => (await ask('')).answer.sizes;

  beforeEach(async () => {
    database = new ScratchDatabase(COUCHDB_URL ?? 'http://localhost');
    await ask('?q=2', 'PUT');
  });
  afterEach(() => database.drop());

  describe('languages', () => {
    test.each(['erlang', 'python', ''])(
      'a language that the server lacks is saved with 201, and each query answers 500 `unknown_query_language`: %j',
      async (language) => {
        const { id, status } = await database.save({ language, views: { all: { map: MAP } } });
        expect(status).toBe(201);
        const { status: asked, answer } = await ask(`/${id}/_view/all`);
        expect([asked, answer.error]).toEqual([500, 'unknown_query_language']);
      },
    );

    test.each(['JavaScript', 'javascript', 'javascript_quickjs', 'javascript_spidermonkey', 'coffeescript'])(
      'the languages that the server has: %s',
      async (language) => {
        const map = language === 'coffeescript' ? '(doc) -> emit doc.number, null' : MAP;
        const { id } = await database.save({ language, views: { all: { map } } });
        expect((await ask(`/${id}/_view/all`)).status).toBe(200);
      },
    );

    test('a validation function in a language that the server lacks makes every write answer 500', async () => {
      await database.save({ language: 'python', validate_doc_update: 'def fun(new, old): pass' });
      const { status, answer } = await ask('/order-1', 'PUT', {});
      expect([status, answer.error]).toEqual([500, 'unknown_query_language']);
    });
  });

  test('only views are compiled when a design document is saved; a filter, an update or a show with a syntax error answers 500 later', async () => {
    const broken = 'function (doc) { if (';
    expect((await database.save({ views: { all: { map: broken } } })).status).toBe(400);
    expect((await database.save({ views: { all: { map: '' } } })).status).toBe(404);
    const { id, status } = await database.save({
      filters: { all: broken },
      updates: { all: broken },
      shows: { all: broken },
    });
    expect(status).toBe(201);
    expect((await ask(`/_changes?filter=${id.slice(8)}/all`)).status).toBe(500);
    expect((await ask(`/${id}/_update/all`, 'POST', {})).status).toBe(500);
    expect((await ask(`/${id}/_show/all`)).status).toBe(500);
  });

  test('unknown members of a design document are kept and ignored', async () => {
    const { id, status } = await database.save({ view: { all: { map: MAP } }, filter: { all: 'x' } });
    expect(status).toBe(201);
    expect((await ask(`/${id}/_view/all`)).status).toBe(404);
  });

  test('unknown members of a view are kept and ignored', async () => {
    const { id, status } = await database.save({ views: { all: { map: MAP, redcue: '_count' } } });
    expect(status).toBe(201);
    await load(3);
    expect((await ask(`/${id}/_view/all`)).answer.rows).toHaveLength(3);
  });

  test('a validation function that reads a name which is declared nowhere makes the write answer 500', async () => {
    await database.save({ validate_doc_update: 'function (doc) { console.log(doc._id); }' });
    expect((await ask('/order-1', 'PUT', {})).status).toBe(500);
  });

  test('a function that reads a name which is declared nowhere answers 500', async () => {
    const { id } = await database.save({ filters: { all: 'function (doc) { return doc.status === OPEN; }' } });
    await load(1);
    expect((await ask(`/_changes?filter=${id.slice(8)}/all`)).status).toBe(500);
  });

  describe('changes', () => {
    test('a filter is called for each change, `_view` runs the map for each, and a selector calls no query server', async () => {
      await load(100);
      const filters = { open: "function (doc) { return doc.status === 'open'; }" };
      const views = { open: { map: "function (doc) { if (doc.status === 'open') emit(null); }" } };
      await ask('/_design/shop', 'PUT', { filters, views, autoupdate: false });
      const filtered = await countersDuring(() => ask('/_changes?filter=shop/open'));
      const selected = await countersDuring(() =>
        ask('/_changes?filter=_selector', 'POST', { selector: { status: 'open' } }),
      );
      const viewed = await countersDuring(() => ask('/_changes?filter=_view&view=shop/open'));
      const calls = 'couchdb.query_server.process_prompts';
      expect(filtered(calls)).toBeGreaterThanOrEqual(100);
      expect(viewed(calls)).toBeGreaterThanOrEqual(100);
      expect(selected(calls)).toBeLessThan(10);
      expect(
        (await ask('/_changes?filter=_selector', 'POST', { selector: { status: 'open' } })).answer.results,
      ).toHaveLength(10);
    });

    test('without `since` the feed returns all changes, deleted documents included, and a normal feed answers at once', async () => {
      await load(10);
      const { answer } = await ask('/order-000001');
      await ask(`/order-000001?rev=${answer._rev}`, 'DELETE');
      const all = await ask('/_changes');
      expect(all.answer.results).toHaveLength(10);
      expect(all.answer.results.filter((/** @type {any} */ { deleted }) => deleted)).toHaveLength(1);
      expect((await ask('/_changes?since=now')).answer.results).toEqual([]);
    });

    test('a tombstone is still counted and listed after compaction', async () => {
      await load(10);
      const { answer } = await ask('/order-000001');
      await ask(`/order-000001?rev=${answer._rev}`, 'DELETE');
      expect((await ask('/_compact', 'POST', {})).status).toBe(202);
      await comesTrue(async () => !(await ask('')).answer.compact_running);
      expect((await ask('')).answer).toMatchObject({ doc_count: 9, doc_del_count: 1 });
      expect((await ask('/_changes')).answer.results).toHaveLength(10);
      const kept = await ask('/_find', 'POST', { selector: { _deleted: { $exists: false } }, limit: 100 });
      expect(kept.answer.docs).toHaveLength(9);
    });

    test('a tombstone keeps the fields that it was written with', async () => {
      const { answer } = await ask('/order-1', 'PUT', { status: 'open' });
      await ask('/order-1', 'PUT', { _rev: answer.rev, _deleted: true, status: 'open' });
      await ask('/_design/shop', 'PUT', { filters: { open: "function (doc) { return doc.status === 'open'; }" } });
      expect((await ask('/_changes?filter=shop/open')).answer.results).toMatchObject([
        { id: 'order-1', deleted: true },
      ]);
    });

    test('a selector on `_deleted` leaves deletions out of the feed', async () => {
      await load(5);
      const { answer } = await ask('/order-000001');
      await ask(`/order-000001?rev=${answer._rev}`, 'DELETE');
      const selector = { _deleted: { $exists: false } };
      const feed = await ask('/_changes?filter=_selector', 'POST', { selector });
      expect(feed.answer.results.every((/** @type {any} */ { deleted }) => !deleted)).toBe(true);
      expect(feed.answer.results).toHaveLength(4);
    });
  });

  describe('writes', () => {
    test('500 documents written one by one make a file more than 5 times as large as its data, and as the file after one request', async () => {
      for (let at = 0; at < 500; at += 1) await ask(`/order-${String(at).padStart(6, '0')}`, 'PUT', { number: at });
      const single = await sizes();
      expect(single.file / single.active).toBeGreaterThan(5);
      const other = new ScratchDatabase(COUCHDB_URL ?? 'http://localhost');
      await other.ask('PUT', '?q=2');
      try {
        const docs = Array.from({ length: 500 }, (_, at) => ({
          _id: `order-${String(at).padStart(6, '0')}`,
          number: at,
        }));
        await other.ask('POST', '/_bulk_docs', { docs });
        expect(single.file / (await other.ask('GET', '')).answer.sizes.file).toBeGreaterThan(5);
      } finally {
        await other.drop();
      }
    });

    test('10,000 documents under random ids make a file more than 1.5 times as large as sorted ones, and sorting within requests gains nothing', async () => {
      const ids = Array.from({ length: 10_000 }, () => randomBytes(16).toString('hex'));
      const fileOf = async (/** @type {string[]} */ order) => {
        const own = new ScratchDatabase(COUCHDB_URL ?? 'http://localhost');
        await own.ask('PUT', '?q=2');
        try {
          for (let at = 0; at < order.length; at += 500) {
            const docs = order.slice(at, at + 500).map((_id) => ({ _id, note: 'x'.repeat(50) }));
            await own.ask('POST', '/_bulk_docs', { docs });
          }
          return (await own.ask('GET', '')).answer.sizes.file;
        } finally {
          await own.drop();
        }
      };
      const random = await fileOf(ids);
      const batches = Array.from({ length: 20 }, (_, at) => ids.slice(at * 500, (at + 1) * 500).sort());
      expect(random / (await fileOf(ids.toSorted()))).toBeGreaterThan(1.5);
      expect(random / (await fileOf(batches.flat()))).toBeLessThan(1.1);
    });

    test('`_bulk_docs` answers 201 even if documents are refused, and a single write 409', async () => {
      await ask('/order-1', 'PUT', {});
      const { status, answer } = await ask('/_bulk_docs', 'POST', { docs: [{ _id: 'order-1' }, { _id: 'order-2' }] });
      expect([status, answer[0].error, answer[1].ok]).toEqual([201, 'conflict', true]);
      expect((await ask('/order-1', 'PUT', {})).status).toBe(409);
    });

    test('`_revs_limit` is 1,000 by default', async () => {
      expect((await ask('/_revs_limit')).answer).toBe(1000);
    });

    test('a document above 8,000,000 bytes is refused with 413', async () => {
      expect((await ask('/large', 'PUT', { text: 'x'.repeat(7_900_000) })).status).toBe(201);
      const { status, answer } = await ask('/larger', 'PUT', { text: 'x'.repeat(8_000_001) });
      expect([status, answer.error]).toEqual([413, 'document_too_large']);
    });

    test('each document of a `_bulk_docs` is sent to each validation function', async () => {
      const validate = "function (newDoc) { if (!newDoc._id) throw({ forbidden: 'no id' }); }";
      const docs = (/** @type {string} */ prefix) =>
        Array.from({ length: 50 }, (_, at) => ({ _id: `${prefix}-${at}` }));
      for (const count of [1, 2]) {
        await database.save({ validate_doc_update: validate });
        const grown = await countersDuring(() => ask('/_bulk_docs', 'POST', { docs: docs(`load-${count}`) }));
        expect(grown('couchdb.query_server.calls.ddoc_vdu')).toBe(50 * count);
      }
    });

    test('a TypeError in a validation function answers 500 to a single write, and an error in its row of `_bulk_docs`', async () => {
      await database.save({ validate_doc_update: 'function (newDoc, oldDoc) { if (newDoc.n === 1) oldDoc.paid; }' });
      expect((await ask('/a', 'PUT', { n: 1 })).status).toBe(500);
      const docs = [
        { _id: 'a', n: 1 },
        { _id: 'b', n: 2 },
      ];
      const { status, answer } = await ask('/_bulk_docs', 'POST', { docs });
      expect([status, answer[0].error, answer[1].ok]).toEqual([201, 'TypeError', true]);
    });
  });

  describe('rights', () => {
    test('a database without members is read and written without a user, and its design documents are not', async () => {
      await load(1);
      const anonymous = () => askServer('GET', `/${database.name}/order-000000`, undefined, {});
      expect((await anonymous()).status).toBe(401);
      await ask('/_security', 'PUT', { admins: { names: [], roles: ['_admin'] }, members: { names: [], roles: [] } });
      expect((await anonymous()).status).toBe(200);
      const write = await askServer('PUT', `/${database.name}/stranger`, {}, {});
      expect(write.status).toBe(201);
      expect((await askServer('PUT', `/${database.name}/_design/x`, {}, {})).status).toBe(401);
    });
  });

  describe('requests', () => {
    test('a missing view answers 404, invalid parameters 400, a missing user 401', async () => {
      await ask('/_design/v', 'PUT', { views: { all: { map: MAP } } });
      expect((await ask('/_design/v/_view/none')).status).toBe(404);
      expect((await ask('/_design/v/_view/all?key=new')).status).toBe(400);
      expect((await ask('/_design/v/_view/all?group=true')).status).toBe(400);
      expect((await askServer('GET', `/${database.name}`, undefined, {})).status).toBe(401);
    });

    test('a database of 2 shards is split into 4 by `_reshard`', async () => {
      await ask('/_design/v', 'PUT', { views: { all: { map: MAP } } });
      expect((await ask('/_design_docs')).answer.rows).toHaveLength(1);
      expect((await ask('')).answer.cluster.q).toBe(2);
      const job = await askServer('POST', '/_reshard/jobs', { type: 'split', db: database.name });
      expect(job.status).toBe(201);
      const isSplit = async () =>
        (await ask('')).answer.cluster.q === 4 ||
        ((await ask('/_shards')).answer.shards && Object.keys((await ask('/_shards')).answer.shards).length === 4);
      expect(await comesTrue(isSplit)).toBe(true);
      for (const { id } of job.answer) await askServer('DELETE', `/_reshard/jobs/${id}`);
    });
  });
});
