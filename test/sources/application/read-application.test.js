// Calls of CouchDB clients in the code of an application: how receivers are known, what a call is, which loop repeats it, what is used of its answer.

import { describe, expect, test } from 'vitest';
import { callsIn, readTexts } from '../../helpers/application-code.js';

/** @import { CallRecord } from '../../../lib/sources/application/record.js' */

/**
 * @param {string} text
 * @param {string} [path]
 * @returns {Promise<CallRecord>}
 */
async function lastCall(text, path = 'orders.ts') {
  const call = (await callsIn(text, path)).at(-1);
  if (!call) throw new Error('no call was found');
  return call;
}

const SHOP = "const nano = require('nano'); const shop = nano(process.env.COUCHDB_URL).use('shop');";

describe('the receiver is known', () => {
  test.each([
    [
      'nano and `use`',
      "const shop = require('nano')('http://localhost:5984').use('shop'); shop.get('a');",
      'traced nano http shop',
    ],
    [
      'nano with the database in the URL',
      "const shop = require('nano')('http://localhost:5984/shop'); shop.get('a');",
      'traced nano http shop',
    ],
    [
      '`server.db.use`',
      "import nano from 'nano'; const server = nano(url); server.db.use('shop').get('a');",
      'traced nano http shop',
    ],
    [
      'PouchDB with a name',
      "import PouchDB from 'pouchdb'; const db = new PouchDB('shop'); db.get('a');",
      'traced pouchdb local shop',
    ],
    [
      'PouchDB with a URL',
      "const PouchDB = require('pouchdb').default; new PouchDB('http://host/shop').get('a');",
      'traced pouchdb http shop',
    ],
    [
      'PouchDB with an unknown name',
      "import PouchDB from 'pouchdb'; new PouchDB(name).get('a');",
      'traced pouchdb unknown null',
    ],
    [
      'PouchDB with options of HTTP alone',
      "import PouchDB from 'pouchdb'; new PouchDB(url, { skip_setup: true }).get('a');",
      'traced pouchdb http null',
    ],
    [
      'PouchDB with plugins',
      "const PouchDB = require('pouchdb-core').plugin(require('x')); new PouchDB('shop').get('a');",
      'traced pouchdb local shop',
    ],
    [
      'PouchDB with a prefix',
      "const PouchDB = require('pouchdb').defaults({ prefix: 'https://host/' }); new PouchDB('shop').get('a');",
      'traced pouchdb http shop',
    ],
    ['PouchDB of a script of the page', "const db = new PouchDB('shop'); db.get('a');", 'traced pouchdb local shop'],
    [
      'Cloudant',
      "const Cloudant = require('@cloudant/cloudant'); const c = Cloudant({ account }); c.db.use('shop').get('a');",
      'traced cloudant http shop',
    ],
    [
      'node-couchdb',
      "const Couch = require('node-couchdb'); const couch = new Couch({ auth }); couch.mango('shop', { selector });",
      'traced node-couchdb http null',
    ],
    [
      'cradle',
      "const cradle = require('cradle'); const db = new (cradle.Connection)().database('shop'); db.get('a');",
      'traced cradle http shop',
    ],
    [
      'IBM Cloudant',
      "import { CloudantV1 } from '@ibm-cloud/cloudant'; const c = CloudantV1.newInstance({}); c.getDocument({ db: 'shop', docId: 'a' });",
      'traced ibm-cloud http shop',
    ],
    ['`import x = require`', "import Nano = require('nano'); Nano(url).use('shop').get('a');", 'traced nano http shop'],
    [
      'a variable that is assigned later',
      "import nano from 'nano'; let shop; function open() { shop = nano(url).use('shop'); } shop.get('a');",
      'traced nano http shop',
    ],
    [
      'a function that returns it',
      "import nano from 'nano'; const open = async () => nano(url).use('shop'); (await open()).get('a');",
      'traced nano http shop',
    ],
    [
      'what a promise resolves to',
      "import nano from 'nano'; async function open() { const s = nano(url); return s.use('shop'); } async function f() { const shop = await open(); shop.get('a'); }",
      'traced nano http shop',
    ],
    [
      'a field of a class',
      "import nano from 'nano'; class A { shop = nano(url).use('shop'); load() { return this.shop.get('a'); } }",
      'traced nano http shop',
    ],
    [
      'a private field',
      "import nano from 'nano'; class A { #shop; constructor() { this.#shop = nano(url).use('shop'); } load() { return this.#shop.get('a'); } }",
      'traced nano http shop',
    ],
    [
      'a getter',
      "import nano from 'nano'; class A { get shop() { return nano(url).use('shop'); } load() { return this.shop.get('a'); } }",
      'traced nano http shop',
    ],
    [
      'a member of a class above',
      "import nano from 'nano'; class A { shop = nano(url).use('shop'); } class B extends A { load() { return this.shop.get('a'); } }",
      'traced nano http shop',
    ],
    [
      'a parameter that a call in the file gives',
      `${SHOP} function load(db, id) { return db.get(id); } load(shop, 'a');`,
      'traced nano http shop',
    ],
    [
      'a type of PouchDB',
      "import type PouchDB from 'pouchdb'; function load(db: PouchDB.Database<Order>) { return db.get('a'); }",
      'annotated pouchdb unknown null',
    ],
    [
      'a global type of PouchDB',
      "function load(db: PouchDB.Database) { return db.get('a'); }",
      'annotated pouchdb unknown null',
    ],
    [
      'a type of nano',
      "import { DocumentScope } from 'nano'; class A { constructor(private shop: DocumentScope<Order>) {} f() { this.shop.get('a'); } }",
      'annotated nano http null',
    ],
    [
      'a type of a server of nano',
      "import * as Nano from 'nano'; function f(server: Nano.ServerScope) { server.use('shop').get('a'); }",
      'annotated nano http shop',
    ],
    [
      'a type of a promise',
      "import { DocumentScope } from 'nano'; declare function open(): void; async function f(shop: Promise<DocumentScope<X>>) { (await shop).get('a'); }",
      'annotated nano http null',
    ],
    ['an option that only CouchDB has', 'db.allDocs({ include_docs: true });', 'option pouchdb unknown null'],
  ])('from %s', async (_, text, expected) => {
    const { receiver, client, location, database } = await lastCall(text);
    expect(`${receiver} ${client} ${location} ${database}`).toBe(expected);
  });

  test.each([
    ['a name alone', "couch.get('a'); db.view('orders', 'by_status');"],
    ['a list of the language', 'import nano from "nano"; const items = new Map(); items.get("a"); [1].find(Boolean);'],
    [
      'another class with the same methods',
      "import nano from 'nano'; class Cache { get(id) {} } const db = new Cache(); db.get('a');",
    ],
    ['another package', "import nano from 'nano'; import axios from 'axios'; axios.get('a');"],
    ['a name that another scope has', `${SHOP} function f(shop) { return shop.get('a'); }`],
  ])('not from %s', async (_, text) => {
    expect(await callsIn(text, 'orders.ts')).toEqual([]);
  });
});

describe('across files, the receiver comes from', () => {
  test.each([
    [
      'a named export',
      { 'db.js': `${SHOP} exports.shop = shop;`, 'a.js': "const { shop } = require('./db'); shop.get('a');" },
    ],
    [
      'all that a module exports',
      { 'db.js': `${SHOP} module.exports = shop;`, 'a.js': "var db = require('./db'), x = 1; db.get('a');" },
    ],
    [
      'all that a module exports, beside a name',
      { 'db.js': `${SHOP} module.exports = shop; module.exports.limit = 10;`, 'a.js': "require('./db').get('a');" },
    ],
    [
      'all that a module of a module exports',
      {
        'db.js': `${SHOP} module.exports = shop;`,
        'index.js': "module.exports = require('./db');",
        'a.js': "const db = require('./index'); db.get('a');",
      },
    ],
    [
      'a name beside a function that is exported',
      {
        'db.js': `${SHOP} module.exports = function () {}; module.exports.shop = shop;`,
        'a.js': "const db = require('./db'); db.shop.get('a');",
      },
    ],
    [
      'the exported object',
      { 'db.js': `${SHOP} module.exports = { shop };`, 'a.js': "const db = require('./db'); db.shop.get('a');" },
    ],
    [
      'a default export',
      {
        'db.mjs': "import nano from 'nano'; export default nano(url).use('shop');",
        'a.ts': "import db from './db.mjs'; db.get('a');",
      },
    ],
    [
      'a function',
      {
        'db.ts': "import nano from 'nano'; export function open() { return nano(url).use('shop'); }",
        'a.ts': "import { open } from './db'; open().get('a');",
      },
    ],
    [
      'TypeScript by its later name',
      {
        'db.ts': "import nano from 'nano'; export const shop = nano(url).use('shop');",
        'a.ts': "import { shop } from './db.js'; shop.get('a');",
      },
    ],
    [
      'an index',
      {
        'db/index.ts': "export * from './shop';",
        'db/shop.ts': "import nano from 'nano'; export const shop = nano(url).use('shop');",
        'a.ts': "import { shop } from './db'; shop.get('a');",
      },
    ],
    [
      'an export under another name',
      {
        'db.ts': "import nano from 'nano'; const shop = nano(url).use('shop'); export { shop as main };",
        'index.ts': "export { main as first } from './db';",
        'a.ts': "import { first } from './index'; first.get('a');",
      },
    ],
    [
      'a class that is given by its type',
      {
        'db.ts': "import nano from 'nano'; export class Db { shop = nano(url).use('shop'); }",
        'a.ts':
          "import { Db } from './db'; class A { constructor(private db: Db) {} f() { return this.db.shop.get('a'); } }",
      },
    ],
    [
      'the root of the project',
      {
        'src/lib/db.ts': "import nano from 'nano'; export const shop = nano(url).use('shop');",
        'src/a.ts': "import { shop } from '@/lib/db'; shop.get('a');",
      },
    ],
  ])('%s', async (_, files) => {
    const { records } = await readTexts(files);
    expect(records.map(({ receiver, location, database }) => [receiver, location, database])).toEqual([
      ['traced', 'http', 'shop'],
    ]);
  });

  test('files that import each other', async () => {
    const { records } = await readTexts({
      'a.js': "const { b } = require('./b'); exports.a = b; exports.nano = require('nano'); b.get('x');",
      'b.js': "const { a } = require('./a'); exports.b = a; a.get('x');",
    });
    expect(records).toEqual([]);
  });
});

test('code that does not parse is named with its place, and the rest is read', async () => {
  const { records, unparsed } = await readTexts({
    'broken.js': `${SHOP} shop.get(`,
    'sound.js': `${SHOP} shop.get('a');`,
  });
  expect(records).toHaveLength(1);
  expect(unparsed).toMatchObject([{ path: 'broken.js', reason: 'Unexpected token' }]);
});

describe('a call is', () => {
  test.each([
    [
      "shop.view('orders', 'by_status', { key: 'open' })",
      { method: 'view', designDoc: '_design/orders', view: 'by_status' },
    ],
    ["shop.view('_design/orders', 'by_status')", { method: 'view', designDoc: '_design/orders' }],
    ['shop.view(ddoc, view)', { method: 'view', designDoc: null, view: null }],
    ["shop.destroy('a', rev)", { method: 'remove' }],
    ['shop.list({ include_docs: true })', { method: 'all-docs' }],
    ['shop.bulk({ docs })', { method: 'bulk-write' }],
    ['shop.fetch({ keys })', { method: 'bulk-read' }],
    ["shop.attachment.insert('a', 'b.png', data, 'image/png')", { method: 'attachment' }],
    ["nano(url).db.destroy('shop')", { method: 'destroy' }],
    ["pouch.query('orders/by_status')", { method: 'view', designDoc: '_design/orders', view: 'by_status' }],
    ["pouch.query('orders')", { method: 'view', designDoc: '_design/orders', view: 'orders' }],
    ['pouch.query(function (doc, emit) { emit(doc.name); })', { method: 'temporary-query', view: null }],
    ['pouch.query({ map: function (doc, emit) { emit(doc.name); } })', { method: 'temporary-query' }],
    ['pouch.replicate.to(url)', { method: 'replicate' }],
    ['pouch.sync(url)', { method: 'sync' }],
    ['pouch.destroy()', { method: 'destroy' }],
  ])('%s', async (text, expected) => {
    const call = await lastCall(`import PouchDB from 'pouchdb'; const pouch = new PouchDB('shop'); ${SHOP} ${text};`);
    expect(call).toMatchObject(expected);
  });

  test('what IBM Cloudant is given in one object', async () => {
    const call = await lastCall(
      "import { CloudantV1 } from '@ibm-cloud/cloudant'; const c = CloudantV1.newInstance({}); c.postView({ db: 'shop', ddoc: 'orders', view: 'by_status', includeDocs: true });",
    );
    expect(call).toMatchObject({ method: 'view', database: 'shop', designDoc: '_design/orders', view: 'by_status' });
    expect(call.options.node?.entries.map(({ key }) => key)).toContain('include_docs');
  });

  test('what its function is called', async () => {
    const calls = await callsIn(
      `${SHOP} function load() { shop.get('a'); } const save = () => shop.insert({}); class Orders { remove() { ids.map(() => shop.destroy('a')); } } shop.head('a');`,
    );
    expect(calls.map(({ functionName }) => functionName)).toEqual(['load', 'save', 'Orders.remove', null]);
  });
});

describe('options', () => {
  test.each([
    ["{ key: 'a', key: 'b' }", ['key', 'key'], false],
    ['{ limit: 10, ...rest }', ['limit'], true],
    ['{ [name]: 1 }', [], true],
    ['rest', undefined, true],
    ["{ 'limit': 10 }", ['limit'], false],
  ])('%s', async (text, keys, isOpen) => {
    const { options } = await lastCall(`${SHOP} shop.view('orders', 'by_status', ${text});`);
    expect(options.node?.entries.map(({ key }) => key)).toEqual(keys);
    expect(options.isOpen).toBe(isOpen);
  });

  test('none', async () => {
    const { options } = await lastCall(`${SHOP} shop.view('orders', 'by_status');`);
    expect(options).toEqual({ node: null, isOpen: false });
  });
});

describe('the loop', () => {
  test.each([
    [
      'for (const id of ids) await shop.get(id);',
      { form: 'for-of', purpose: 'each', changesTarget: true, over: 'ids', changesReceiver: false },
    ],
    [
      'for (let i = 0; i < ids.length; i++) await shop.get(ids[i]);',
      { form: 'for', purpose: 'each', changesTarget: true },
    ],
    ['for (const id of ids) { const key = `order:${id}`; await shop.get(key); }', { changesTarget: true }],
    [
      'for (const id of ids) { const doc = await read(id); doc.x = 1; await shop.insert(doc); }',
      { changesTarget: true },
    ],
    ['for (const id of ids) await shop.get("settings");', { changesTarget: false }],
    [
      'await Promise.all(ids.map((id) => shop.get(id)));',
      { form: 'callback', isConcurrent: true, changesTarget: true },
    ],
    ['ids.forEach(async (id) => { await shop.get(id); });', { form: 'callback', isConcurrent: false }],
    ['ids.reduce((last, id) => last.then(() => shop.get(id)), start);', { form: 'callback', changesTarget: true }],
    [
      'async.eachSeries(ids, (id, done) => shop.get(id, done));',
      { form: 'callback', over: 'ids', changesTarget: true },
    ],
    ['ids.map((id) => new Promise((done) => shop.get(id, done)));', { form: 'callback', changesTarget: true }],
    ['ids.forEach((id) => other(id).then((doc) => shop.insert(doc)));', { form: 'callback', changesTarget: true }],
    ['for (const name of names) await server.use(name).get("a");', { changesReceiver: true }],
    ['for (const name of names) { const db = server.use(name); await db.get(name); }', { changesReceiver: true }],
    ["for (const id of ['a', 'b']) await shop.get(id);", { times: 2 }],
    [
      'for (let attempt = 0; attempt < 3; attempt++) await shop.get(id);',
      { form: 'for', purpose: 'unknown', changesTarget: false },
    ],
    ['for await (const id of ids) await shop.get(id);', { form: 'for-of', purpose: 'unknown' }],
    ['while (more) await shop.get(id);', { form: 'while', purpose: 'unknown' }],
    ['for (const id of ids) { if (await shop.get(id)) break; }', { endsEarly: true }],
    ['for (const id of ids) { try { await shop.get(id); } catch { break; } }', { endsEarly: false }],
    ['for (const id of ids) { for (;;) { await other(id); break; } await shop.get(id); }', { endsEarly: false }],
    [
      'for (let i = 0, n = ids.length; i < n; i++) await shop.get(ids[i]);',
      { purpose: 'each', over: 'ids', targets: 'ids' },
    ],
    [
      'let i; for (i = 0; i < rows.length; i++) await shop.get(rows[i].id);',
      { targets: 'rows.map((item) => item.id)' },
    ],
    ['for (let i = ids.length - 1; i >= 0; i--) await shop.get(ids[i]);', { purpose: 'each', over: 'ids' }],
    [
      'const ids = await all(); while (ids.length > 0) { const id = ids.pop(); await shop.get(id); }',
      { form: 'while', purpose: 'each', over: 'ids' },
    ],
    [
      'const ids = await all(); while (ids.length) { const id = ids.shift(); const { next } = await shop.get(id); ids.push(next); }',
      { purpose: 'unknown' },
    ],
    [
      'let last; for (const row of rows) { last = await shop.insert({ ...row, last: last.id }); }',
      { purpose: 'unknown' },
    ],
    [
      'let last; for (const row of rows) { const { id } = await shop.insert({ ...row, last }); last = id; }',
      { purpose: 'unknown' },
    ],
    [
      'let order; for (const id of ids) { order = await read(id); await shop.insert(order); }',
      { purpose: 'each', targets: null },
    ],
    [
      'const pLimit = require("p-limit"); const limit = pLimit(3); await Promise.all(ids.map((id) => limit(() => shop.get(id))));',
      { purpose: 'each', isConcurrent: true },
    ],
    ['const map = require("p-map"); await map(ids, (id) => shop.get(id));', { form: 'callback', over: 'ids' }],
    ['const { eachLimit } = require("async"); eachLimit(ids, 3, (id, done) => shop.get(id, done));', { over: 'ids' }],
    ['await Promise.map(ids, (id) => shop.get(id));', { form: 'callback', over: 'ids' }],
    ['await Promise.all(Array.from(ids, (id) => shop.get(id)));', { form: 'callback', targets: 'ids' }],
    ['_(ids).each((id) => shop.get(id));', { over: 'ids' }],
    ['const tasks = []; for (const id of ids) tasks.push((done) => shop.get(id, done));', { purpose: 'each' }],
    ['for (const id in orders) await shop.get(id);', { targets: 'Object.keys(orders)' }],
    ['for (const { id } of rows) await shop.get(id);', { targets: 'rows.map(({ id }) => id)' }],
    ['for (const row of rows) { const id = key(row); await shop.get(id); }', { targets: null }],
    [
      'for (;;) { try { return await shop.get(id); } catch (error) { if (error.statusCode === 404) throw error; } }',
      { purpose: 'retry' },
    ],
    [
      'for (let n = 0; n < 3; n++) { try { await shop.insert(order); break; } catch (error) { await wait(n); } }',
      { purpose: 'retry' },
    ],
    [
      'let done = false; while (!done) { try { await shop.insert(order); done = true; } catch {} }',
      { purpose: 'retry' },
    ],
    ['for (;;) { try { await shop.get(id); } catch (error) { throw error; } }', { purpose: 'unknown' }],
    [
      'async function save(order) { try { await shop.insert(order); } catch { return save(order); } }',
      { form: 'recursion', purpose: 'retry' },
    ],
    ['function save(order) { return shop.insert(order).catch(() => save(order)); }', { purpose: 'retry' }],
    ['function save(order) { shop.insert(order, (error) => { if (error) save(order); }); }', { purpose: 'retry' }],
    [
      'function page(skip) { return shop.list({ skip }).then(({ rows }) => rows.length && page(skip + 100)); }',
      { purpose: 'pages' },
    ],
    [
      'let bookmark; do { const page = await shop.find({ selector, bookmark }); bookmark = page.bookmark; } while (bookmark);',
      { purpose: 'pages' },
    ],
    [
      'const options = { limit: 9 }; for (;;) { const { rows } = await shop.list(options); if (!rows.length) break; options.startkey = rows.at(-1).key; }',
      { purpose: 'pages' },
    ],
    ['for (let skip = 0; skip < total; skip += 100) await shop.list({ skip, limit: 100 });', { purpose: 'pages' }],
  ])('%s', async (text, expected) => {
    const { loop } = await lastCall(
      `const server = require('nano')(url); ${SHOP} async function f() { ${text} }`,
      'orders.js',
    );
    expect(loop).toMatchObject(expected);
  });

  test.each([
    ['a function that is only declared in it', 'for (const id of ids) button.on("click", () => shop.get(id));'],
    ['the list of it', 'for (const row of await shop.list()) print(row);'],
    ['its start', 'for (let rest = shop.get("a"); rest; rest = rest.next) print(rest);'],
    ['no loop', 'await shop.get("a");'],
  ])('is none for %s', async (_, text) => {
    const { loop } = await lastCall(`${SHOP} async function f() { ${text} }`, 'orders.js');
    expect(loop).toBeNull();
  });
});

describe('a loop that calls the function', () => {
  const LOAD = 'const load = async (id) => { const key = `order:${id}`; return shop.get(key); };';
  test.each([
    [
      'in the same file',
      { 'a.js': `${SHOP} ${LOAD} async function f(ids) { for (const id of ids) await load(id); }` },
      { form: 'for-of', purpose: 'each', over: 'ids', through: 'load', changesTarget: true, targets: null },
    ],
    [
      'with the id itself',
      { 'a.js': `${SHOP} const load = (id) => shop.get(id); const f = (rows) => rows.map((row) => load(row.id));` },
      { form: 'callback', through: 'load', targets: 'rows.map((row) => row.id)' },
    ],
    [
      'given as it is',
      {
        'a.js': `${SHOP} async function load(id) { return shop.get(id); } const f = (ids) => Promise.all(ids.map(load));`,
      },
      { form: 'callback', isConcurrent: true, through: 'load', targets: 'ids' },
    ],
    [
      'in another file',
      {
        'a.js': `${SHOP} exports.load = (id) => shop.get(id);`,
        'b.js':
          "const { load } = require('./a'); exports.all = async (ids) => { for (const id of ids) await load(id); };",
      },
      { form: 'for-of', through: 'load', place: { file: 'b.js', line: 1 } },
    ],
    [
      'a method of a class',
      {
        'a.ts':
          "import nano from 'nano'; export class Orders { shop = nano(url).use('shop'); load(id: string) { return this.shop.get(id); } all(ids: string[]) { return Promise.all(ids.map((id) => this.load(id))); } }",
      },
      { form: 'callback', through: 'this.load' },
    ],
    [
      'through a second function',
      {
        'a.js': `${SHOP} async function load({ id }) { return shop.get(id); } const total = async (id) => (await load({ id })).total; async function f(ids) { for (const id of ids) await total(id); }`,
      },
      { through: 'total' },
    ],
    [
      'that writes after a read of the client',
      {
        'a.js': `${SHOP} async function save(order) { const { _rev } = await shop.get(order._id); await shop.insert({ ...order, _rev }); } async function f(orders) { for (const order of orders) await save(order); }`,
      },
      { through: 'save' },
    ],
  ])('%s', async (_, files, expected) => {
    const { records } = await readTexts(files);
    expect(records.at(-1)?.loop).toMatchObject(expected);
  });

  test.each([
    [
      'another thing each turn',
      'const load = (id) => shop.get(id); for (const name of names) print(name, await load("settings"));',
    ],
    [
      'another database each turn',
      'const load = (db, id) => db.get(id); load(shop, "a"); for (const name of names) await load(server.use(name), name);',
    ],
    [
      'what the turn needs first',
      'async function save(order) { await pay(order); await shop.insert(order); } for (const order of orders) await save(order);',
    ],
    [
      'an answer of its own',
      'async function load(id) { const row = await find(id); return shop.get(row.id); } for (const id of ids) await load(id);',
    ],
    [
      'design documents',
      'const save = (doc) => shop.insert(doc); for (const name of names) await save({ _id: `_design/${name}` });',
    ],
    [
      'another function of that name',
      'const orders = { load: (id) => shop.get(id) }; for (const id of ids) await cache.load(id);',
    ],
    [
      'a write of what it read',
      'async function close(id) { const order = await shop.get(id); await shop.insert({ ...order, open: false }); return shop.get(id); } for (const id of ids) await close(id);',
    ],
    [
      'a write of what it read, in a then',
      'const close = (id) => shop.get(id).then((order) => shop.destroy(order._id, order._rev)); for (const id of ids) await close(id);',
    ],
    [
      'a callback that writes what it read',
      'const close = (id, done) => shop.get(id, (error, order) => shop.insert({ ...order, open: false }, done)); for (const id of ids) close(id, print);',
    ],
    [
      'a write through functions',
      'const save = (order) => shop.insert(order); const load = (id) => shop.get(id); async function close(id) { const order = await load(id); await save({ ...order, open: false }); return load(id); } for (const id of ids) await close(id);',
    ],
    [
      'a function that opens a database',
      'async function open(id) { const { name } = await shop.get(id); return server.use(name); } for (const id of ids) await open(id);',
    ],
    ['a retry', 'const load = (id) => shop.get(id); for (;;) { try { return await load(id); } catch {} }'],
  ])('is none with %s', async (_, text) => {
    const { records } = await readTexts({
      'a.js': `${SHOP} const server = require('nano')(url); async function f(id) { ${text} }`,
    });
    expect(records.filter(({ method }) => method === 'get').every(({ loop }) => loop === null)).toBe(true);
    expect(records.at(-1)?.loop).toBeNull();
  });

  test('is one where the loop itself writes what the function read', async () => {
    const text = 'const load = (id) => shop.get(id); for (const id of ids) await shop.insert(changed(await load(id)));';
    const { records } = await readTexts({ 'a.js': `${SHOP} async function f(ids) { ${text} }` });
    expect(records.find(({ method }) => method === 'get')?.loop).toMatchObject({ through: 'load' });
  });

  test('is none in code that runs once', async () => {
    const { records } = await readTexts({
      'a.js': `${SHOP} exports.load = (id) => shop.get(id);`,
      'scripts/all.js': "const { load } = require('../a'); for (const id of ids) load(id);",
    });
    expect(records[0]?.loop).toBeNull();
  });
});

describe('the written documents', () => {
  const HEAD = `import nano from 'nano'; import { v4 as uuid, v7 } from 'uuid'; import { nanoid } from 'nanoid'; import crypto, { randomUUID } from 'node:crypto'; const shop = nano(url).use('shop');`;
  test.each([
    [
      'shop.bulk({ docs: orders.map((order) => ({ ...order, _id: uuid() })) });',
      { idSource: 'random', idCode: 'uuid()', isIdRepeated: true },
    ],
    [
      'const docs = []; for (const order of orders) docs.push({ _id: nanoid(), order }); shop.bulk({ docs });',
      { idSource: 'random', isIdRepeated: true },
    ],
    [
      'const list = all(); for (const order of list) order._id = randomUUID(); shop.bulk({ docs: list });',
      { idSource: 'random' },
    ],
    [
      'const list = all(); list.forEach((order) => { order._id = crypto.randomUUID(); }); shop.bulk({ docs: list });',
      { idSource: 'random' },
    ],
    [
      'const id = () => Math.random().toString(36).slice(2); shop.bulk({ docs: list.map((item) => ({ _id: id(), item })) });',
      { idSource: 'random', idCode: 'id()' },
    ],
    [
      'shop.bulk({ docs: list.map((item) => ({ _id: `order:${uuid()}`, item })) });',
      { idSource: 'random', idCode: 'uuid()' },
    ],
    ["shop.bulk({ docs: list.map((item) => ({ _id: 'order:' + uuid(), item })) });", { idSource: 'random' }],
    ['shop.bulk({ docs: list.map((item) => ({ _id: `${item.customer}:${uuid()}`, item })) });', { idSource: 'other' }],
    ['shop.bulk({ docs: list.map((item) => ({ _id: `${Date.now()}-${uuid()}`, item })) });', { idSource: 'other' }],
    ['shop.bulk({ docs: list.map((item) => ({ _id: item._id ?? uuid(), item })) });', { idSource: 'other' }],
    ['shop.bulk({ docs: list.map((item) => ({ _id: v7(), item })) });', { idSource: 'other' }],
    ['shop.bulk({ docs: list.map((item) => ({ _id: hash(item), item })) });', { idSource: 'other' }],
    ['shop.bulk({ docs: list.map((item) => ({ item })) });', { idSource: 'none', hasOnlyNewDocuments: true }],
    ['shop.bulk({ docs: list });', { idSource: 'none', hasOnlyNewDocuments: null }],
    ['const list = await load(); shop.bulk({ docs: list });', { idSource: 'none', hasOnlyNewDocuments: false }],
    ['shop.bulk({ docs: rows.map((row) => Object.assign(row.doc, { sent: true })) });', { hasOnlyNewDocuments: false }],
    [
      'shop.bulk({ docs: rows.map((row) => Object.assign({}, row.doc, { _deleted: true })) });',
      { hasOnlyNewDocuments: false },
    ],
    ['shop.bulk({ docs: list.map((item) => ({ _id: new Date().toISOString(), item })) });', { idSource: 'clock' }],
    ['shop.bulk({ docs: list.map((item) => ({ _id: String(item.number), item })) });', { idSource: 'other' }],
    ['for (const order of orders) await shop.insert(order, uuid());', { idSource: 'random', isIdRepeated: true }],
    ['shop.insert({ _id: uuid(), order });', { idSource: 'random', isIdRepeated: false }],
    [
      'const order = await shop.get(id); await shop.insert({ ...order, _deleted: true });',
      { deletionCode: '{ ...order, _deleted: true }', changesKnownDocuments: true },
    ],
    [
      'const order = await shop.get(id); order._deleted = true; await shop.insert(order);',
      { deletionCode: 'order._deleted = true' },
    ],
    [
      'const order = await shop.get(id); await shop.insert(Object.assign({}, order, { _deleted: true }));',
      { deletionCode: 'Object.assign({}, order, { _deleted: true })' },
    ],
    [
      'const docs = rows.map(({ doc }) => ({ ...doc, _deleted: true })); await shop.bulk({ docs });',
      { deletionCode: '{ ...doc, _deleted: true }' },
    ],
    [
      'const docs = rows.map((row) => ({ ...row.doc, _deleted: true })); await shop.bulk({ docs });',
      { deletionCode: '{ ...row.doc, _deleted: true }' },
    ],
    [
      'const docs = rows.map((row) => ({ _id: row.id, _rev: row.value.rev, _deleted: true })); await shop.bulk({ docs });',
      { deletionCode: null, changesKnownDocuments: true },
    ],
    ['const order = { _id: id, _rev: rev }; order._deleted = true; await shop.insert(order);', { deletionCode: null }],
    [
      'const body = { docs: [] }; rows.forEach((row) => { row.doc._deleted = true; body.docs.push(row.doc); }); await shop.bulk(body);',
      { deletionCode: 'row.doc._deleted = true' },
    ],
    [
      'const docs = []; for (const row of rows) { row.doc._deleted = row.isOld; docs.push(row.doc); } await shop.bulk({ docs });',
      { deletionCode: null },
    ],
    ['const keys = { _id: id, _rev: rev }; await shop.insert({ ...keys, _deleted: true });', { deletionCode: null }],
    ['const order = await shop.get(id); await shop.insert({ ...order, _deleted: isOld });', { deletionCode: null }],
  ])('%s', async (text, expected) => {
    const { write } = await lastCall(`${HEAD} async function f() { ${text} }`, 'orders.mjs');
    expect(write).toMatchObject(expected);
  });

  test.each([
    ['await shop.bulk({ docs });', 'dropped'],
    ['void shop.bulk({ docs });', 'dropped'],
    ['await shop.bulk({ docs }).catch(log);', 'dropped'],
    ['shop.bulk({ docs }).then(() => done());', 'dropped'],
    ['shop.bulk({ docs }, (error) => done(error));', 'dropped'],
    ['const rows = await shop.bulk({ docs });', 'dropped'],
    ['shop.bulk({ docs }, (error, rows) => done(error));', 'dropped'],
    ['load().then(function () { return shop.bulk({ docs }); }).then(function () { done(); });', 'dropped'],
    ['load().then(() => shop.bulk({ docs })).catch(log).then(() => done());', 'dropped'],
    ['await load().then(() => shop.bulk({ docs }));', 'dropped'],
    ['await Promise.all([shop.info(), shop.bulk({ docs })]);', 'dropped'],
    ['const rows = await shop.bulk({ docs }); check(rows);', 'used'],
    ['shop.bulk({ docs }).then((rows) => check(rows));', 'used'],
    ['shop.bulk({ docs }).then(check);', 'used'],
    ['shop.bulk({ docs }).then(function () { check(arguments[0]); });', 'used'],
    ['shop.bulk({ docs }).then((...all) => check(all));', 'used'],
    ['shop.bulk({ docs }, (error, rows) => done(rows));', 'used'],
    ['shop.bulk({ docs }, (...answer) => done(answer));', 'used'],
    ['shop.bulk({ docs }, done);', 'used'],
    ['const [row] = await shop.bulk({ docs });', 'used'],
    ['if (await shop.bulk({ docs })) done();', 'used'],
    ['load().then(() => shop.bulk({ docs })).then((rows) => check(rows));', 'used'],
    ['load().then(() => shop.bulk({ docs })).then(check);', 'used'],
    ['const all = await Promise.all([shop.bulk({ docs })]); check(all);', 'used'],
    ['return shop.bulk({ docs });', 'returned'],
    ['return load().then(() => shop.bulk({ docs }));', 'returned'],
    ['await Promise.all(lists.map((docs) => shop.bulk({ docs })));', 'returned'],
    ['await retry(() => shop.bulk({ docs }));', 'returned'],
  ])('the answer of %s is %s', async (text, use) => {
    const { result } = await lastCall(`${HEAD} async function f() { ${text} }`, 'orders.mjs');
    expect(result.use).toBe(use);
  });
});

describe('of the answer', () => {
  const QUERY = "shop.view('orders', 'by_status', { include_docs: true })";
  test.each([
    ['return (await Q).rows.map((row) => row.doc.name);', ['doc'], ['name']],
    [
      'const { rows } = await Q; for (const { id, doc } of rows) print(id, doc.name, doc.total);',
      ['id', 'doc'],
      ['name', 'total'],
    ],
    ['const r = await Q; r.rows.forEach(({ doc: { name, ...rest } }) => print(name, rest));', ['doc'], null],
    ['const docs = (await Q).rows.map((r) => r.doc); docs.forEach((d) => print(d.name));', ['doc'], ['name']],
    ['const docs = (await Q).rows.map(({ doc }) => doc); print(docs[0].name);', ['doc'], ['name']],
    ['return (await Q).rows.map((row) => row.doc);', ['doc'], null],
    ['print(await Q);', null, null],
    ['return Q;', null, null],
    ['const r = await Q; for (const row of r.rows) row.doc.total && print(row.doc?.total);', ['doc'], ['total']],
    ['Q.then(({ rows }) => print(rows[0].doc.name));', ['doc'], ['name']],
    [
      'shop.view("orders", "by_status", { include_docs: true }, (error, body) => body.rows.forEach((row) => print(row.doc.name)));',
      ['doc'],
      ['name'],
    ],
    ['(await Q).rows.filter((row) => row.doc.paid).map((row) => row.id);', ['doc', 'id'], ['paid']],
    [
      '(await Q).rows.sort((a, b) => a.doc.date - b.doc.date).forEach((row) => print(row.id));',
      ['doc', 'id'],
      ['date'],
    ],
    ['(await Q).rows.reduce((sum, row) => sum + row.doc.total, 0);', ['doc'], ['total']],
    ['(await Q).rows.reduce((a, b) => (a.doc.total > b.doc.total ? a : b));', null, null],
    ['const r = await Q; return { ...r };', null, null],
    ['(await Q).rows.map((row) => ({ ...row.doc }));', ['doc'], null],
    ['const r = await Q; r.rows.map((row) => row.doc!.name as string);', ['doc'], ['name']],
  ])('%s', async (text, rowMembers, docFields) => {
    const { result } = await lastCall(`${SHOP} async function f() { ${text.replace('Q', QUERY)} }`);
    expect(result.rowMembers && [...result.rowMembers].sort()).toEqual(rowMembers && [...rowMembers].sort());
    expect(result.docFields).toEqual(docFields);
  });

  test.each([
    ['return (await Q).rows.map((row) => row.value.name);', ['name']],
    ['for (const { key, value } of (await Q).rows) print(key, value.name, value.total);', ['name', 'total']],
    ['(await Q).rows.forEach(({ value: { name, total: sum } }) => print(name, sum));', ['name', 'total']],
    ['const all = (await Q).rows.map((row) => row.value); all.forEach((one) => print(one.name));', ['name']],
    ['for (const one of (await Q).rows.map(({ value }) => value)) print(one.address.city);', ['address']],
    ['const r = await Q; print(r.rows[0].value?.name, r.rows.length);', ['name']],
    ['(await Q).rows.map((row) => row.doc.name);', []],
    ['return (await Q).rows.length;', []],
    ['return (await Q).rows.map((row) => row.value);', null],
    ['(await Q).rows.map((row) => row.value[field]);', null],
    ['(await Q).rows.map((row) => ({ ...row.value }));', null],
    ['for (const { value } of (await Q).rows) print(JSON.stringify(value));', null],
    ['(await Q).rows.forEach(({ value: { name, ...rest } }) => print(name, rest));', null],
    ['(await Q).rows.map((row) => row.value.toString());', null],
    ['(await Q).rows.reduce((sum, row) => sum + row.value, 0);', null],
    ['const all = (await Q).rows.map((row) => row.value); print(all);', null],
    ['print(await Q);', null],
    ['return Q;', null],
  ])('the fields of values that %s reads', async (text, fields) => {
    const { result } = await lastCall(`${SHOP} async function f() { ${text.replace('Q', QUERY)} }`);
    expect(result.valueFields).toEqual(fields);
    expect(result.use).not.toBe('dropped');
  });

  test.each([
    ['return (await Q).rows.length;', true],
    ['const { total_rows } = await Q; print(total_rows);', true],
    ['const { rows } = await Q; return rows.length > 0 ? rows[0].id : undefined;', false],
    ['const result = await Q; print(result.rows.length, result);', false],
    ['await Q;', false],
  ])('only the number of rows is used in %s: %s', async (text, expected) => {
    const { result } = await lastCall(`${SHOP} async function f() { ${text.replace('Q', QUERY)} }`);
    expect(result.isOnlyCounted).toBe(expected);
  });
});

test.each([
  ['src/orders.js', false],
  ['migrations/2024-orders.js', true],
  ['scripts/seed.js', true],
  ['src/examples/orders.ts', true],
  ['src/imports.js', false],
])('code in %s runs once: %s', async (path, expected) => {
  expect((await lastCall(`${SHOP} shop.get('a');`, path)).isSetUp).toBe(expected);
});

test.each([
  ['#!/usr/bin/env node', true],
  ['const [, , id] = process.argv;', true],
  ["const program = require('commander'); program.parse();", true],
  ["import { parseArgs } from 'node:util'; const { values } = parseArgs();", true],
  ['#!/usr/bin/env node\nawait new Promise((resolve) => setTimeout(resolve, 100));', true],
  ['#!/usr/bin/env node\nexport {};', true],
  ['', false],
  ['#!/usr/bin/env node\nmodule.exports = { load };', false],
  ['#!/usr/bin/env node\nexport const load = () => 1;', false],
  ['#!/usr/bin/env node\nserver.listen(Number(process.argv[2]));', false],
  ['#!/usr/bin/env node\nsetInterval(load, 1000);', false],
  ['#!/usr/bin/env node\nfunction load() { setTimeout(load, 1000); }', false],
  ['#!/usr/bin/env node\nother.changes({ live: true });', false],
  ["#!/usr/bin/env node\nother.changes({ feed: 'continuous' });", false],
  ['#!/usr/bin/env node\nother.changesReader.start();', false],
])('a script runs once: %j: %s', async (head, expected) => {
  const { isSetUp, isScript } = await lastCall(`${head}\n${SHOP} shop.get('a');`, 'orders.js');
  expect([isSetUp, isScript]).toEqual([false, expected]);
});

test('a function that only a script calls in a loop has none', async () => {
  const { records } = await readTexts({
    'a.js': `${SHOP} exports.load = (id) => shop.get(id);`,
    'bin/all.js': "#!/usr/bin/env node\nconst { load } = require('../a'); for (const id of ids) load(id);",
  });
  expect(records[0]?.loop).toBeNull();
});
