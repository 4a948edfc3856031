// Calls whose receiver is known by a cache, by `this` under another name, by other calls of it, or by a function of the project that hands its arguments on.

import { describe, expect, test } from 'vitest';
import { readTexts } from '../../helpers/application-code.js';

/**
 * @param {Record<string, string>} texts by path
 * @returns {Promise<string[]>} of each call: where, how it is known, the client, what it does, place and database
 */
async function calls(texts) {
  const { records } = await readTexts(texts);
  return records
    .filter(({ method }) => method !== 'connect')
    .map(({ receiver, client, method, location, database }) =>
      [receiver, client, method, location, database].join(' '),
    );
}

const NANO = "const nano = require('nano')(process.env.COUCHDB_URL);";
const POUCH = "import PouchDB from 'pouchdb';";

describe('a client that is kept by name', () => {
  test.each([
    [
      'in an object',
      `${NANO} const open = {}; function shop(n) { if (!open[n]) open[n] = nano.use(n); return open[n]; } shop('a').get('1');`,
    ],
    [
      'in a Map',
      `${NANO} const open = new Map(); function shop(n) { if (!open.has(n)) open.set(n, nano.use(n)); return open.get(n); } shop('a').get('1');`,
    ],
    [
      'in a member',
      `${NANO} class Shops { open = {}; of(n) { this.open[n] ??= nano.use(n); return this.open[n]; } load(n) { return this.of(n).get('1'); } }`,
    ],
    ['by a function that remembers', `${NANO} const shop = memoize((n) => nano.use(n)); shop('a').get('1');`],
  ])('%s', async (_, text) => {
    expect(await calls({ 'shops.js': text })).toEqual(['traced nano get http ']);
  });

  test('a Map of other things is none', async () => {
    expect(await calls({ 'shops.js': `${NANO} const seen = new Map(); seen.set('a', 1); seen.get('a');` })).toEqual([]);
  });
});

describe('a value that is taken out of several', () => {
  test.each([
    ["const [shop, stock] = await Promise.all([nano.use('shop'), nano.use('stock')]); stock.get('1');"],
    ["let stock; [, stock] = await Promise.all([nano.use('shop'), nano.use('stock')]); stock.get('1');"],
    ["let stock; ({ stock } = { stock: nano.use('stock') }); stock.get('1');"],
  ])('%s', async (text) => {
    expect(await calls({ 'stock.js': `${NANO} ${text}` })).toEqual(['traced nano get http stock']);
  });
});

describe('`this`', () => {
  test.each([
    [
      'of a function that `new` is used with',
      "function Shop() { this.db = new PouchDB('shop'); this.load = function (id) { return this.db.get(id); }; }",
    ],
    [
      'by another name',
      "function Shop() { const self = this; self.db = new PouchDB('shop'); self.load = (id) => self.db.get(id); }",
    ],
    [
      'of a prototype',
      "function Shop() { this.db = new PouchDB('shop'); } Shop.prototype.load = function (id) { return this.db.get(id); };",
    ],
    [
      'in a class',
      "class Shop { constructor() { const self = this; self.db = new PouchDB('shop'); } load(id) { return this.db.get(id); } }",
    ],
  ])('%s', async (_, text) => {
    expect(await calls({ 'shop.js': `${POUCH} ${text}` })).toEqual(['traced pouchdb get local shop']);
  });
});

describe('by other calls of the same receiver', () => {
  test.each([
    ['a parameter', 'export async function load(db, id) { await db.allDocs(); return db.get(id); }'],
    [
      'a member',
      'export class Orders { constructor(db) { this.db = db; } all() { return this.db.allDocs(); } get(id) { return this.db.get(id); } }',
    ],
    [
      'a function',
      'export const all = () => DB({ remote: true }).allDocs(); export const load = (id) => DB().get(id);',
    ],
    [
      'what such a function gives',
      'export const all = () => DB().allDocs(); export function load(id) { const db = DB(); return db.get(id); }',
    ],
  ])('%s', async (_, text) => {
    expect(await calls({ 'orders.js': text })).toEqual([
      'option pouchdb all-docs unknown ',
      'option pouchdb get unknown ',
    ]);
  });

  test.each([
    ['another name', 'export function load(db, cache, id) { db.allDocs(); return cache.get(id); }'],
    [
      'the same name in another function',
      'export const all = (db) => db.allDocs(); export const load = (db, id) => db.get(id);',
    ],
    [
      'a function with another string',
      "export const all = () => inject('db').allDocs(); export const load = (id) => inject('cache').get(id);",
    ],
  ])('not %s', async (_, text) => {
    expect(await calls({ 'orders.js': text })).toEqual(['option pouchdb all-docs unknown ']);
  });

  test('a class of the project with a method of that name is none', async () => {
    const text =
      'class Store { allDocs() { return []; } get(id) { return id; } } const store = new Store(); store.allDocs(); store.get(1);';
    expect(await calls({ 'store.js': text })).toEqual([]);
  });

  test.each([
    ['export class Cache { async allDocs(options) { return []; } }'],
    ['export function Cache() { this.allDocs = function (name) { return []; }; }'],
    ['export const cache = { allDocs: (name) => [] };'],
  ])('a method of that name that the project has itself may be another one: %s', async (store) => {
    const files = {
      'cache.js': store,
      'orders.js': 'export const load = (cache, id) => [cache.allDocs(), cache.get(id)];',
    };
    expect(await calls(files)).toEqual([]);
  });

  test('a client that only its options show has no name where another has these methods, too', async () => {
    const text = 'export function follow(db) { db.changes({ include_docs: true }); return db.get(id); }';
    expect(await calls({ 'follow.js': text })).toEqual(['option  changes unknown ', 'option  get unknown ']);
  });
});

describe('a function of the project that hands its arguments on', () => {
  const service = `import { HttpClient } from '@angular/common/http';
    export class CouchService {
      constructor(private http: HttpClient) {}
      post(path: string, body: unknown) { return this.http.post('https://couch.example/' + path, body); }
      findAll(db: string, query: unknown) { return this.findRequest(db, query); }
      private findRequest(db: string, query: unknown) { return this.post(db + '/_find', query); }
    }`;

  test('to a request', async () => {
    const page = `import { CouchService } from './couch.service';
      export class Orders { constructor(private couch: CouchService) {}
        open() { return this.couch.findAll('orders', { selector: { status: 'open' } }); } }`;
    expect(await calls({ 'couch.service.ts': service, 'orders.ts': page })).toEqual([
      'traced  find http ',
      'option http find http ',
      'traced  find http orders',
    ]);
  });

  test('to a client, by the same name', async () => {
    const store = `${NANO} class Orders { constructor() { this.db = nano.use('orders'); } get(id) { return this.db.get(id); } view(v, options) { return this.db.view('orders', v, options); } } module.exports = { Orders };`;
    const page =
      "const { Orders } = require('./store'); const orders = new Orders(); orders.get('1'); orders.view('open', { limit: 5 });";
    expect(await calls({ 'store.js': store, 'page.js': page })).toEqual([
      'traced nano get http orders',
      'traced nano view http orders',
      'traced  get http orders',
      'traced  view http orders',
    ]);
  });

  test('the view of a request', async () => {
    const text =
      'export const byView = (db, view) => fetch(`${base}/${db}/_design/orders/_view/${encodeURIComponent(view)}`); byView("orders", "open");';
    expect(await calls({ 'orders.js': text })).toEqual(['option http view http ', 'traced  view http orders']);
  });

  test('a function that only gets the name of a database is not a call', async () => {
    const text =
      "export async function count(db) { const r = await fetch(`${base}/${db}/_all_docs`); return r.rows.length; } count('orders');";
    expect(await calls({ 'orders.js': text })).toEqual(['option http all-docs http ']);
  });

  test('a function of the project that writes a document is not a call', async () => {
    const text = `${NANO} const db = nano.use('orders'); function close(order) { return db.insert(order); } close({ _id: '1' });`;
    expect(await calls({ 'orders.js': text })).toEqual(['traced nano insert http orders']);
  });
});

describe('a path that only CouchDB has, given to what was not found', () => {
  test.each([
    ["couch.post('shop/_find', { selector: { a: 1 } });", 'option http find http shop'],
    ["client.fetchJSON('POST', '/shop/_bulk_docs', { docs });", 'option http bulk-write http shop'],
    ["couchRequest('/shop/_design/orders/_view/open');", 'option http view http shop'],
  ])('%s', async (text, expected) => {
    expect(await calls({ 'orders.js': text })).toEqual([expected]);
  });

  test.each([
    ["app.get('/shop/_all_docs', (req, res) => res.json([]));"],
    ["router.post('/:db/_find', find);"],
    ["cache.get('/shop/_all_docs');"],
    ["seen.has('/shop/_all_docs');"],
    ["load('/shop/_all_docs');"],
  ])('not %s', async (text) => {
    expect(await calls({ 'orders.js': text })).toEqual([]);
  });
});

describe('files', () => {
  test('components of Vue and Svelte', async () => {
    const script = "import PouchDB from 'pouchdb'; const db = new PouchDB('shop'); db.get('1');";
    expect(
      await calls({
        'Shop.vue': `<template><p :a="b < c">{{ '</p>' }}</p></template>\n<script lang="ts">\n${script}\n</script>`,
      }),
    ).toEqual(['traced pouchdb get local shop']);
    expect(await calls({ 'Shop.svelte': `<script>\n${script}\n</script>\n{#if a}<p>{a}</p>{/if}` })).toEqual([
      'traced pouchdb get local shop',
    ]);
  });

  test('imports by an alias', async () => {
    const db = `${POUCH} export const shop = new PouchDB('shop');`;
    for (const name of ['#db/shop', '@services/shop', '@/services/shop', '#db/shop.js']) {
      const files = {
        'src/services/shop.ts': db,
        'stubs/shop.ts': 'export const shop = {};',
        'src/orders.ts': `import { shop } from '${name}'; shop.get('1');`,
      };
      expect(await calls(files), name).toEqual(['traced pouchdb get local shop']);
    }
  });

  test("imports by SvelteKit's `$lib`", async () => {
    const files = {
      'src/lib/db.js': `${POUCH} export const shop = browser ? new PouchDB('shop') : null;`,
      'src/routes/Orders.svelte': "<script>\nimport { shop } from '$lib/db'; shop.put(order);\n</script>",
    };
    expect(await calls(files)).toEqual(['traced pouchdb insert local shop']);
  });

  test('types that packages of the project declare', async () => {
    expect(
      await calls({
        'a.ts':
          "import PouchDB from 'pouchdb'; export const load = (db: PouchDB.RelDatabase, other: PouchDB) => [db.get('1'), other.get('2')];",
      }),
    ).toEqual(['annotated pouchdb get unknown ', 'annotated pouchdb get unknown ']);
  });
});

describe('what keeps a client', () => {
  test.each([
    ['a ref', "const shop = ref(new PouchDB('shop')); shop.value.get('1');"],
    ['a ref that is filled later', "const shop = shallowRef(); shop.value = new PouchDB('shop'); shop.value.get('1');"],
    ['a member that is filled later', "const open = load(); open.shop = new PouchDB('shop'); open.shop.get('1');"],
    ['a ref of React', "const shop = useRef(new PouchDB('shop')); shop.current.get('1');"],
    ['a state of React', "const [shop, setShop] = useState(() => new PouchDB('shop')); shop.get('1');"],
    ['what is made once', "const shop = useMemo(() => new PouchDB('shop'), []); shop.get('1');"],
  ])('%s', async (_, text) => {
    expect(await calls({ 'shop.js': `${POUCH} ${text}` })).toEqual(['traced pouchdb get local shop']);
  });

  test('by its type', async () => {
    expect(
      await calls({ 'shop.ts': `${POUCH} const shop = ref<PouchDB.Database | null>(null); shop.value!.get('1');` }),
    ).toEqual(['annotated pouchdb get unknown ']);
  });
});

test('a method of the client of IBM that is given its database by name', async () => {
  const text = 'export const find = (service, name) => service.postFind({ db: name, selector: {} });';
  expect(await calls({ 'a.js': `import '@ibm-cloud/cloudant'; ${text}` })).toEqual(['option ibm-cloud find http ']);
  expect(await calls({ 'a.js': `import '@ibm-cloud/cloudant'; ${text.replace('db:', 'topic:')}` })).toEqual([]);
});

test('a parameter that is called nano, of which a database is taken', async () => {
  const text =
    "class Shop { constructor(nano, name) { this.nano = nano; this.raw = nano.use(name); } load() { return this.raw.get('1'); } drop() { this.nano.db.destroy('shop'); } }";
  expect(await calls({ 'shop.js': text })).toEqual(['traced nano get http ', 'traced nano destroy http ']);
  expect(
    await calls({
      'shop.js': "class Shop { constructor(nano) { this.nano = nano; } load() { return this.nano.get('1'); } }",
    }),
  ).toEqual([]);
});

describe('a receiver that a revision shows', () => {
  test.each([
    ["store.destroy(doc._id, doc._rev); store.get('1');", ['option  remove unknown ', 'option  get unknown ']],
    ["store.put({ _id: 'a', _rev: rev }); store.get('1');", ['option  insert unknown ', 'option  get unknown ']],
    ["store.put({ _id: 'a', name }); store.get('1');", []],
    ["store.update({ _id: 'a', _rev: rev }); store.get('1');", []],
  ])('%s', async (text, expected) => {
    expect(
      await calls({ 'shop.js': `import { Database } from 'nano'; export function f(store, doc) { ${text} }` }),
    ).toEqual(expected);
  });
});

test.each([
  ['given behind the options', "ajax({ url: '/shop/_bulk_docs', type: 'POST', data }, options, 'not saved')", 'used'],
  ['given as an option', "ajax({ url: '/shop/_bulk_docs', type: 'POST', data, success: (all) => look(all) })", 'used'],
  ['given as an option by name', "ajax({ url: '/shop/_bulk_docs', type: 'POST', data, success: done })", 'used'],
  ['not given', "ajax({ url: '/shop/_bulk_docs', type: 'POST', data })", 'dropped'],
])('the answer of a function that sends requests may go to a callback: %s', async (_, call, use) => {
  const text = `import nano from 'nano';\nexport function save(data, options, done) { ${call}; }`;
  const { records } = await readTexts({ 'save.js': text });
  expect(records.map(({ result }) => result?.use)).toEqual([use]);
});
