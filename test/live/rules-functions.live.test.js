// What rules say of filters, shows, lists, updates and partitioned views, checked on a real CouchDB.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { COUCHDB_URL, ScratchDatabase } from '../helpers/couchdb.js';
import { askServer, countersDuring } from '../helpers/live-server.js';

const PROMPTS = 'couchdb.query_server.process_prompts';
const MAP = 'function (doc) { emit(doc.number, 1); }';

describe.skipIf(!COUCHDB_URL)('functions of a real CouchDB', { timeout: 120_000 }, () => {
  /** @type {ScratchDatabase} */
  let database;
  /** @param {string} path @param {string} [method] @param {unknown} [body] */
  const ask = (path, method = 'GET', body = undefined) => askServer(method, `/${database.name}${path}`, body);
  /** @param {number} count @param {object} [more] */
  const load = (count, more) =>
    ask('/_bulk_docs', 'POST', {
      docs: Array.from({ length: count }, (_, number) => ({ _id: `order-${number}`, number, ...more })),
    });

  beforeEach(() => {
    database = new ScratchDatabase(COUCHDB_URL ?? 'http://localhost');
  });
  afterEach(() => database.drop());

  test('a filter that throws ends the feed: with 500 if nothing was sent yet, else with 200 and a body that is cut off', async () => {
    await ask('?q=1', 'PUT');
    await ask('/_design/shop', 'PUT', { filters: { town: "function (doc) { return doc.address.town !== ''; }" } });
    await load(200, { address: { town: 'Riga' }, note: 'x'.repeat(200) });
    await ask('/without-address', 'PUT', {});
    // The design document, which has no address either, is the first change.
    expect((await ask('/_changes?filter=shop/town')).status).toBe(500);
    const { last_seq: since } = (await ask('/_changes?limit=1')).answer;
    const rest = `/_changes?filter=shop/town&since=${encodeURIComponent(since)}`;
    const { authorization } = database;
    const feed = await fetch(`${database.origin}/${database.name}${rest}`, { headers: { authorization } });
    expect(feed.status).toBe(200);
    await expect(feed.text().then(JSON.parse)).rejects.toThrow();
    expect((await ask(`${rest}&limit=10`)).answer.results).toHaveLength(10);
  });

  test('a filter that reads a parameter which the request lacks answers 500, with the reason only if it throws one', async () => {
    await ask('', 'PUT');
    const read = "req.query.ids.split(',').indexOf(doc._id) >= 0";
    await ask('/_design/shop', 'PUT', {
      filters: {
        some: `function (doc, req) { return ${read}; }`,
        named: `function (doc, req) { if (!req.query.ids) throw(['error', 'bad_request', 'ids is missing']); return ${read}; }`,
      },
    });
    expect(await ask('/_changes?filter=shop/some')).toMatchObject({
      status: 500,
      text: expect.stringContaining('TypeError'),
    });
    expect(await ask('/_changes?filter=shop/named')).toMatchObject({
      status: 500,
      text: expect.stringContaining('ids is missing'),
    });
    expect((await ask('/_changes?filter=shop/some&ids=_design/shop')).answer.results).toHaveLength(1);
  });

  test('a map gets conflicts and attachments, no revisions, no deletions, and the sequence only with the option', async () => {
    const special = "Object.keys(doc).filter(function (name) { return name.charAt(0) === '_'; }).sort().join()";
    const views = { seen: { map: `function (doc) { emit(doc._id, ${special}); }` } };
    await ask('?q=1', 'PUT');
    await ask('/order-1', 'PUT', { town: 'Riga' });
    const branch = { _id: 'order-1', _rev: '1-0123456789abcdef0123456789abcdef', town: 'Bath' };
    await ask('/_bulk_docs', 'POST', { docs: [branch], new_edits: false });
    await ask('/order-2', 'PUT', { _attachments: { note: { content_type: 'text/plain', data: 'eA==' } } });
    const { rev } = (await ask('/order-3', 'PUT', {})).answer;
    await ask(`/order-3?rev=${rev}`, 'DELETE');
    expect((await ask('/order-4', 'PUT', { _seq: 1 })).status).toBe(400);
    await ask('/_design/plain', 'PUT', { views });
    await ask('/_design/counted', 'PUT', { views, options: { local_seq: true } });
    const seenBy = async (/** @type {string} */ name) => {
      const { rows } = (await ask(`/_design/${name}/_view/seen`)).answer;
      return rows.map((/** @type {{id: string, value: string}} */ { id, value }) => `${id} ${value}`);
    };
    expect(await seenBy('plain')).toEqual(['order-1 _conflicts,_id,_rev', 'order-2 _attachments,_id,_rev']);
    expect(await seenBy('counted')).toEqual([
      'order-1 _conflicts,_id,_local_seq,_rev',
      'order-2 _attachments,_id,_local_seq,_rev',
    ]);
    const feed = (await ask('/_changes?filter=_view&view=plain/seen')).answer.results;
    expect(feed.map((/** @type {{id: string}} */ { id }) => id)).toContain('order-3');
  });

  test('shows, lists and updates load any module of their design document, in a query server', async () => {
    await ask('', 'PUT');
    await load(20);
    const use = "require('lib/texts').hello";
    await ask('/_design/shop', 'PUT', {
      lib: { texts: "exports.hello = 'hello';" },
      views: { all: { map: MAP } },
      shows: { page: `function (doc, req) { return ${use}; }` },
      lists: { page: `function (head, req) { while (getRow()); send(${use}); }` },
      updates: { page: `function (doc, req) { return [null, ${use}]; }` },
    });
    await ask('/_design/shop/_view/all');
    for (const [path, method] of [
      ['_show/page/order-1', 'GET'],
      ['_list/page/all', 'GET'],
      ['_update/page', 'POST'],
    ]) {
      let text = '';
      const grown = await countersDuring(async () => {
        ({ text } = await ask(`/_design/shop/${path}`, method, method === 'POST' ? {} : undefined));
      });
      expect([path, text]).toEqual([path, 'hello']);
      expect([path, grown(PROMPTS) > 0]).toEqual([path, true]);
    }
  });

  test('a longpoll feed waits until something changes', async () => {
    await ask('', 'PUT');
    const feed = ask('/_changes?feed=longpoll&since=now&timeout=50000');
    await new Promise((resolve) => setTimeout(resolve, 1000));
    await ask('/order-1', 'PUT', {});
    expect((await feed).answer.results).toMatchObject([{ id: 'order-1' }]);
  });

  test('a partitioned view is refused with 400 without a partition, unless its design document says `partitioned: false`', async () => {
    await ask('?partitioned=true', 'PUT');
    await ask('/riga:order-1', 'PUT', { number: 1 });
    const views = { all: { map: MAP, reduce: '_sum' } };
    await ask('/_design/parts', 'PUT', { views });
    await ask('/_design/whole', 'PUT', { views, options: { partitioned: false } });
    for (const [path, method, body] of /** @type {[string, string, object?][]} */ ([
      ['/_design/parts/_view/all', 'GET'],
      ['/_design/parts/_view/all?reduce=false', 'GET'],
      ['/_design/parts/_view/all', 'POST', { keys: [1] }],
      ['/_design/parts/_view/all/queries', 'POST', { queries: [{}] }],
    ])) {
      const { status, answer } = await ask(path, method, body);
      expect([path, status, answer.reason]).toEqual([
        path,
        400,
        '`partition` parameter is mandatory for queries to this view.',
      ]);
    }
    expect((await ask('/_partition/riga/_design/parts/_view/all')).answer.rows[0].value).toBe(1);
    expect((await ask('/_design/whole/_view/all')).answer.rows[0].value).toBe(1);
  });

  test('a database without partitions refuses a design document that says `partitioned: true`', async () => {
    await ask('', 'PUT');
    const saved = await ask('/_design/parts', 'PUT', { views: { all: { map: MAP } }, options: { partitioned: true } });
    expect(saved.status).toBe(400);
  });
});
