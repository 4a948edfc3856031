// Clients that come into a file as arguments of its functions and classes.

import { describe, expect, test } from 'vitest';
import { callsIn, readTexts } from '../../helpers/application-code.js';

const START = "const nano = require('nano'); const shop = nano(url).use('shop');";

describe('a client is given to', () => {
  test.each([
    ['a function', 'exports.load = (db, id) => db.get(id);', "const { load } = require('./orders'); load(shop, 'a');"],
    [
      'what a module exports',
      'module.exports = function (db) { return { load: (id) => db.get(id) }; };',
      "require('./orders')(shop);",
    ],
    [
      'a class',
      'exports.Orders = class { constructor(db) { this.db = db; } load(id) { return this.db.get(id); } };',
      "const { Orders } = require('./orders'); new Orders(shop);",
    ],
    [
      'a class with an object',
      'module.exports = class Orders { constructor({ db }) { this.db = db; } load(id) { return this.db.get(id); } };',
      "const Orders = require('./orders'); new Orders({ db: shop, log });",
    ],
    [
      'a class above it',
      'module.exports = class Orders { constructor(db) { this.db = db; } load(id) { return this.db.get(id); } };',
      "const Orders = require('./orders'); exports.Shop = class extends Orders { constructor() { super(shop); } };",
    ],
    [
      'a member of what is given',
      'module.exports = (context) => ({ load: (id) => context.db.get(id) });',
      "const orders = require('./orders'); orders({ db: shop });",
    ],
    [
      'a function of a namespace',
      'exports.load = function load(db) { return db.get(1); };',
      "const orders = require('./orders'); orders.load(shop);",
    ],
  ])('%s of another file', async (_, orders, start) => {
    const { records } = await readTexts({ 'orders.js': orders, 'start.js': `${START} ${start}` });
    expect(records.map(({ file, receiver, location, database }) => [file.path, receiver, location, database])).toEqual([
      ['orders.js', 'traced', 'http', 'shop'],
    ]);
  });

  test('a class in TypeScript, and a file below that', async () => {
    const { records } = await readTexts({
      'start.ts':
        "import nano from 'nano'; import { Orders } from './orders'; export const orders = new Orders(nano(url).use('shop'));",
      'orders.ts':
        "import { Reader } from './reader'; export class Orders { reader; constructor(private readonly db) { this.reader = new Reader(this.db); } }",
      'reader.ts': 'export class Reader { constructor(private db) {} load(id: string) { return this.db.get(id); } }',
    });
    expect(records.map(({ file, database }) => [file.path, database])).toEqual([['reader.ts', 'shop']]);
  });

  test('a class in the same file', async () => {
    const calls = await callsIn(
      `${START} class Orders { constructor(db) { this.db = db; } load(id) { return this.db.get(id); } } new Orders(shop);`,
    );
    expect(calls.map(({ database }) => database)).toEqual(['shop']);
  });

  test('files that give it to each other', async () => {
    const { records } = await readTexts({
      'a.js': `${START} const b = require('./b'); exports.load = (db) => b.load(db); b.load(shop);`,
      'b.js': "const a = require('./a'); exports.load = (db) => { a.load(db); return db.get('a'); };",
    });
    expect(records.map(({ file }) => file.path)).toEqual(['b.js']);
  });
});

describe('its place is unknown', () => {
  const LOCAL = "const PouchDB = require('pouchdb'); const { load } = require('./orders');";

  test('where one file gives a local one, another one a remote', async () => {
    const { records } = await readTexts({
      'orders.js': 'exports.load = (db, id) => db.get(id);',
      'a.js': `${LOCAL} load(new PouchDB('shop'));`,
      'b.js': `${LOCAL} load(new PouchDB('http://localhost/shop'));`,
    });
    const sent = records.filter(({ method }) => method !== 'connect');
    expect(sent.map(({ file, location }) => [file.path, location])).toEqual([['orders.js', 'unknown']]);
  });

  test.each([
    [
      'another value may take its place',
      "class Orders { constructor(db) { this.db = db || new PouchDB('shop'); } load() { return this.db.get('a'); } }",
    ],
    ['something unknown is assigned later', "let db = new PouchDB('shop'); db = open(); db.get('a');"],
    [
      'a class that extends it assigns another',
      "class Orders { constructor() { this.db = new PouchDB('shop'); } load() { return this.db.get('a'); } } class Remote extends Orders { constructor() { super(); this.db = new PouchDB('http://host/shop'); } }",
    ],
  ])('where %s', async (_, text) => {
    const calls = await callsIn(`const PouchDB = require('pouchdb'); ${text}`);
    const sent = calls.filter(({ method }) => method !== 'connect');
    expect(sent.map(({ location }) => location)).toEqual(['unknown']);
  });

  test.each([
    ['a singleton', "let db = null; function open() { db = db || new PouchDB('shop'); return db; } open().get('a');"],
    ['another singleton', "let db; const open = () => (db ??= new PouchDB('shop')); open().get('a');"],
    [
      'a member that is closed',
      "class Orders { open() { this.db = new PouchDB('shop'); } close() { this.db = null; } load() { return this.db.get('a'); } }",
    ],
  ])('not where it is %s', async (_, text) => {
    const calls = await callsIn(`const PouchDB = require('pouchdb'); ${text}`);
    expect(calls.map(({ location }) => location)).toEqual(['local']);
  });
});

describe('a client is known through', () => {
  const TYPES = "import { DocumentScope } from 'nano';";

  test.each([
    [
      'a name for a type',
      `${TYPES} type Shop = DocumentScope<Order>; function load(shop: Shop) { return shop.get('a'); }`,
    ],
    [
      'an interface',
      `${TYPES} interface Deps { db: DocumentScope<Order>; log(): void } function load({ db }: Deps) { return db.get('a'); }`,
    ],
    [
      'a method of an interface',
      `${TYPES} interface Deps { open(): Promise<DocumentScope<Order>> } async function load(deps: Deps) { return (await deps.open()).get('a'); }`,
    ],
    [
      'a type of members',
      `${TYPES} class Orders { constructor(private readonly deps: { db: DocumentScope<Order> }) {} load() { return this.deps.db.get('a'); } }`,
    ],
    [
      '`promisifyAll`',
      "const Promise = require('bluebird'); const shop = Promise.promisifyAll(require('nano')(url).use('shop')); shop.getAsync('a');",
    ],
    ['a proxy', "const shop = new Proxy(require('nano')(url).use('shop'), handler); shop.get('a');"],
    ['a frozen object', "const dbs = Object.freeze({ shop: require('nano')(url).use('shop') }); dbs.shop.get('a');"],
    [
      'the next step of a promise',
      "async function open() { return require('nano')(url).use('shop'); } open().then((shop) => shop.get('a'));",
    ],
    [
      'what a promise is made into',
      "const dbs = open().then((server) => server.use('shop')); async function open() { return require('nano')(url); } dbs.then((shop) => shop.get('a'));",
    ],
    [
      'an object that keeps it',
      "const store = { open() { this.shop = require('nano')(url).use('shop'); }, load() { return this.shop.get('a'); } };",
    ],
  ])('%s', async (_, text) => {
    const calls = await callsIn(text, 'orders.ts');
    expect(calls.map(({ method, client, location }) => [method, client, location])).toEqual([['get', 'nano', 'http']]);
  });

  test('a type of another file', async () => {
    const { records } = await readTexts({
      'types.ts': `${TYPES} export interface Deps { db: DocumentScope<Order> } export type Shop = Deps['db'];`,
      'a.ts': "import type { Deps } from './types'; export const load = (deps: Deps) => deps.db.get('a');",
    });
    expect(records.map(({ file, receiver }) => [file.path, receiver])).toEqual([['a.ts', 'annotated']]);
  });

  test.each(['type A = A;', 'type A = A | A | B; type B = A | B | A;', 'interface A { b: B } type B = A;'])(
    'types of themselves end: %s',
    async (types) => {
      expect(
        await callsIn(`${types} const x: PouchDB.Core; function load(a: A) { return a.b.b.get('a'); }`, 'a.ts'),
      ).toEqual([]);
    },
  );
});

describe('a promise is what a function resolves it with', () => {
  test.each([
    [
      'new Promise',
      'const open = () => new Promise((resolve, reject) => { shop.info().then(() => resolve(shop), reject); });',
    ],
    ['deferred', 'function open() { const later = q.defer(); later.resolve(shop); return later.promise; }'],
  ])('%s', async (_, open) => {
    const calls = await callsIn(`${START} ${open} async function load(id) { return (await open()).get(id); }`);
    expect(calls.map(({ method, database }) => [method, database])).toContainEqual(['get', 'shop']);
  });

  test('something else is no client', async () => {
    const calls = await callsIn(
      `${START} const open = () => new Promise((resolve) => resolve(cache)); open().then((it) => it.get('a'));`,
    );
    expect(calls.filter(({ method }) => method === 'get')).toEqual([]);
  });
});

describe('a function of the project calls back with a client', () => {
  const OPEN = "function open(name, done) { server.db.create(name, () => done(null, server.use('shop'))); }";
  const SERVER = "const server = require('nano')(process.env.COUCHDB_URL);";

  test.each([
    ['of the same file', `${SERVER} ${OPEN} open('shop', (err, db) => db.get(id));`],
    [
      'where it is there',
      `${SERVER} const open = (done) => { if (done) done(server.use('shop')); }; open((db) => db.get(id));`,
    ],
    [
      'and waits for it',
      `${SERVER} class Orders { async inShop(work) { return await work(server.use('shop')); } load(id) { return this.inShop(async (db) => { await db.get(id); }); } }`,
    ],
  ])('%s', async (_, text) => {
    const found = (await callsIn(text)).filter(({ method }) => method === 'get');
    expect(found.map(({ database, location }) => [database, location])).toEqual([['shop', 'http']]);
  });

  test('of another file', async () => {
    const { records } = await readTexts({
      'db.js': `${SERVER} exports.open = function (done) { done(server.use('shop')); };`,
      'orders.js': "const { open } = require('./db'); open(function (db) { db.get('a'); });",
    });
    const found = records.filter(({ method }) => method === 'get');
    expect(found.map(({ file, database }) => [file.path, database])).toEqual([['orders.js', 'shop']]);
  });

  test.each([
    ['with something else', `${SERVER} const open = (done) => done({ get() {} }); open((db) => db.get(id));`],
    ['in another place', `${SERVER} const open = (done) => done(server.use('shop')); open((err, db) => db.get(id));`],
    ['with nothing', `${SERVER} const open = (done) => done(); open((db) => db.get(id));`],
  ])('not %s', async (_, text) => {
    expect((await callsIn(text)).filter(({ method }) => method === 'get')).toEqual([]);
  });
});
