// Facts about what happens if a request fails or others have written meanwhile, and about what reaches a call again and again.

import { expect, test } from 'vitest';
import { createProject } from '../../helpers/temporary-project.js';

const SHOP = "const nano = require('nano');\nconst shop = nano(process.env.COUCHDB_URL).use('shop');\n";
const STOCK = "import PouchDB from 'pouchdb';\nconst stock = new PouchDB('stock');\n";

/**
 * @param {Record<string, string>} files
 * @param {string} fact
 * @returns {Promise<unknown[]>} its value for each call
 */
async function valuesOf(files, fact) {
  const { stdout } = await createProject(files).run(['facts', '--format', 'json']);
  return JSON.parse(stdout).subjects.flatMap(
    (/** @type {{kind: string, facts: Record<string, {value?: unknown}>}} */ { kind, facts }) =>
      kind === 'call' ? [facts[fact]?.value ?? 'unknown'] : [],
  );
}

test.each([
  ['doc => { const old = await shop.get(doc._id); doc._rev = old._rev; return shop.insert(doc); }', true],
  ['(doc, id) => { const { _rev } = await shop.get(id); return shop.insert({ ...doc, _id: id, _rev }); }', true],
  [
    'doc => { const old = await shop.get(doc._id); return shop.insert(Object.assign({}, doc, { _rev: old._rev })); }',
    true,
  ],
  ['doc => { const old = await shop.get(doc._id); if (old) doc._rev = old._rev; await shop.insert(doc); }', true],
  [
    'doc => { const old = await shop.get(doc._id); if (old != null) doc._rev = old._rev; await shop.insert(doc); }',
    true,
  ],
  [
    'doc => { const old = await shop.get(doc._id); if (old === doc.old) doc._rev = old._rev; await shop.insert(doc); }',
    false,
  ],
  ['doc => shop.get(doc._id, (err, old) => { if (!err) doc._rev = old._rev; shop.insert(doc, done); })', true],
  ['doc => shop.get(doc._id).then((old) => { doc._rev = old._rev; return shop.insert(doc); })', true],
  ['doc => shop.get(doc._id).then((old) => { doc._rev = old._rev; }).catch(() => shop.insert(doc))', false],
  ['id => { const old = await shop.get(id); return shop.insert({ ...old, sent: true }); }', false],
  ['(doc, id) => { const old = await shop.get(id); return shop.insert({ ...old, ...doc, _rev: old._rev }); }', false],
  [
    '(doc, id) => { const old = await shop.get(id); return shop.insert({ ...doc, items: old.items, _rev: old._rev }); }',
    false,
  ],
  ['(title, id) => { const { _rev } = await shop.get(id); return shop.insert({ _id: id, _rev, title }); }', false],
  [
    '(title, id) => { const doc = { _id: id, title }; const old = await shop.get(id); doc._rev = old._rev; await shop.insert(doc); }',
    false,
  ],
  [
    'doc => { const old = await shop.get(doc._id); if (old._rev !== doc._rev) throw old; doc._rev = old._rev; await shop.insert(doc); }',
    false,
  ],
  [
    'doc => { const old = await shop.get(doc._id); doc._rev = old._rev; doc._deleted = true; await shop.insert(doc); }',
    false,
  ],
  ['doc => { const old = await shop.get(doc._id); check(old); doc._rev = old._rev; await shop.insert(doc); }', false],
  [
    'doc => { if (!doc._rev) { const old = await shop.get(doc._id); doc._rev = old._rev; } await shop.insert(doc); }',
    false,
  ],
  ['doc => { doc._rev = revs.get(doc._id); await shop.insert(doc); }', false],
  [
    'function () { const old = await shop.get(this.order._id); this.order._rev = old._rev; await shop.insert(this.order); }',
    true,
  ],
  [
    'function () { this.order = await shop.get(this.id); const old = await shop.get(this.id); this.order._rev = old._rev; await shop.insert(this.order); }',
    true,
  ],
  [
    'function () { const old = await shop.get(this.order._id); this.order = { _id: old._id }; this.order._rev = old._rev; await shop.insert(this.order); }',
    false,
  ],
  [
    'doc => { if (doc._id) { const old = await shop.get(doc._id); doc._rev = old._rev; await shop.bulk([doc]); } else { await shop.insert(doc); } }',
    false,
  ],
  [
    'function () { const old = await shop.get(this.order._id); this.other._rev = old._rev; await shop.insert(this.order); }',
    false,
  ],
])('a write takes over the newest revision: %s', async (code, expected) => {
  const values = await valuesOf({ 'a.js': `${SHOP}exports.save = async ${code};\n` }, 'call.takesNewestRevision');
  expect(values.at(-1)).toBe(expected);
});

test('the newest revision comes from a function that reads one document', async () => {
  const text = `${STOCK}export class Items {
  get(id) { return stock.get(id); }
  put(item) { return this.get(item._id).then((old) => { item._rev = old._rev; return stock.put(item); }); }
}
`;
  expect((await valuesOf({ 'a.js': text }, 'call.takesNewestRevision')).at(-1)).toBe(true);
});

test.each([
  ['(err, body) => { done(body.rows); }', 'result'],
  ['(_, body) => done(body.rows)', 'result'],
  ['(err, body) => { console.log(err); done(body.rows); }', 'result'],
  ['(err, body) => { if (err) { console.log(err); } done(body.rows); }', 'result'],
  ['(err, body) => { if (err.statusCode === 404) return done(); done(body.rows); }', 'error'],
  ['(err, body) => { if (err) return done(err); done(body.rows); }', 'none'],
  ['(err, body) => { if (err) throw err; done(body.rows); }', 'none'],
  ['(err, body) => { if (err) { process.exit(1); } done(body.rows); }', 'none'],
  ['(err, body) => { if (!err) { done(body.rows); } }', 'none'],
  ['(err, body) => { if (body) done(body.rows); }', 'none'],
  ['(err, body) => { if (!body) return; done(body.rows); }', 'none'],
  ['(err, body) => done(err, body && body.rows)', 'none'],
  ['(err, body) => done(err, body.rows)', 'result'],
  ['(err, body) => { done(err); show(body.rows); }', 'none'],
  ['(err, body) => done(err ? [] : body.rows)', 'none'],
  ['(err, body) => done(err, body?.rows)', 'none'],
  ['(err, body) => { check(err); done(body.rows); }', 'none'],
  ['(err, body) => { try { done(body.rows); } catch { done(err); } }', 'none'],
  ['(err, body) => { if (err && err.statusCode === 404) return done(); done(err, body); }', 'none'],
  ['(err, body) => { if (err) done(err); else done(null, body.rows); }', 'none'],
  ['(err, body) => { body = body || {}; done(body.rows); }', 'none'],
  ['(err, body) => { later(() => done(body.rows)); }', 'none'],
  ['(err, { rows }) => done(rows)', 'none'],
  ['done', 'none'],
])('a callback reads unchecked: %s', async (code, expected) => {
  expect(
    await valuesOf({ 'a.js': `${SHOP}exports.load = (done) => shop.list(${code});\n` }, 'call.readsUnchecked'),
  ).toEqual([expected]);
});

test.each([
  ['() => done()', 'nothing'],
  ['(err) => { done(); }', 'nothing'],
  ['function () { res.json({ saved: true }); }', 'nothing'],
  ['(err, body) => done(null, body)', 'nothing'],
  ['(err, body) => done(null, body.id)', 'result'],
  ['(err, body) => done(body)', 'none'],
  ['(err, body) => { if (body) done(); }', 'none'],
  ['(err) => done(err)', 'none'],
  ['(_err) => done()', 'none'],
  ['() => {}', 'none'],
  ["() => console.log('saved')", 'none'],
  ['function () { done(arguments[0]); }', 'none'],
  ['(...all) => done()', 'none'],
])('the callback of a write reads: %s', async (code, expected) => {
  const files = { 'a.js': `${SHOP}exports.save = (order, res, done) => shop.insert(order, ${code});\n` };
  expect(await valuesOf(files, 'call.readsUnchecked')).toEqual([expected]);
});

test('design documents that are installed without a look at the error are left alone', async () => {
  const write = "shop.insert({ views }, '_design/orders', () => done())";
  const files = { 'a.js': `${SHOP}exports.install = (views, done) => ${write};\n` };
  expect(await valuesOf(files, 'call.readsUnchecked')).toEqual(['none']);
});

test.each([
  ['Maybe(id).map((one) => shop.get(one))', 'none'],
  ['Option.of(id).filter(isOpen).map((one) => shop.get(one))', 'none'],
  ['maybe(ids).map((one) => shop.get(one))', 'each'],
])('what holds one value or none is no list: %s', async (code, expected) => {
  const files = { 'a.js': `${SHOP}exports.load = (id, ids) => ${code};\n` };
  expect(await valuesOf(files, 'call.loopPurpose')).toEqual([expected]);
});

test('the function of an upsert gets no error', async () => {
  const files = { 'a.js': `${STOCK}export const act = (id) => stock.upsert(id, (item) => item.count + 1);\n` };
  expect(await valuesOf(files, 'call.readsUnchecked')).toEqual(['none']);
});

test('reads that go on without a look at the error are left alone', async () => {
  const files = { 'a.js': `${SHOP}exports.load = (done) => shop.list(() => done());\n` };
  expect(await valuesOf(files, 'call.readsUnchecked')).toEqual(['none']);
});

test.each([
  ['const query = { selector }; return shop.find(query);', false],
  ['const query = { selector }; console.log(query, query.selector); return shop.find(query);', false],
  ['const query = { selector, limit: 50 }; return shop.find(query);', true],
  ['const query = { selector }; query.limit = size; return shop.find(query);', true],
  ['const query = { selector }; delete query.selector; return shop.find(query);', 'unknown'],
  ['const query = { selector }; narrow(query); return shop.find(query);', 'unknown'],
  ['const query = { selector }; const all = query; all.limit = 1; return shop.find(query);', true],
  ['let query = { selector }; if (size) query = { selector, limit: size }; return shop.find(query);', 'unknown'],
  ['const query = { selector, ...more }; return shop.find(query);', 'unknown'],
])('options that have a name have a limit: %s', async (code, expected) => {
  const files = { 'a.js': `${SHOP}exports.load = (selector, size, more) => { ${code} };\n` };
  expect(await valuesOf(files, 'call.hasLimit')).toEqual([expected]);
});

test.each([
  ['axios.post(`${process.env.COUCHDB_URL}/shop/_find`, { selector }, config)', false],
  ['axios.post(`${process.env.COUCHDB_URL}/shop/_find`, { selector, limit: 50 }, config)', true],
  ['axios.post(`${process.env.COUCHDB_URL}/shop/_find`, query, config)', 'unknown'],
  ["axios({ url: 'http://localhost:5984/shop/_find', method: 'post', data: { selector }, ...config })", 'unknown'],
])('the limit of a request for a Mango query is that of its body: %s', async (code, expected) => {
  const text = `const axios = require('axios');\nexports.load = (selector, config, query) => ${code};\n`;
  expect((await valuesOf({ 'a.js': text }, 'call.hasLimit')).at(-1)).toBe(expected);
});

test('options that other files may change are open', async () => {
  const files = {
    'a.js': `${SHOP}export const query = { selector: {} };\nexport const load = () => shop.find(query);\n`,
  };
  expect(await valuesOf(files, 'call.hasLimit')).toEqual(['unknown']);
});

test.each([
  ["stock.sync('https://couch.shop.io/stock', { live: true });", false],
  ["stock.sync('https://couch.shop.io/stock', { live: true }).on('error', (err) => console.error(err));", false],
  ["stock.sync('https://couch.shop.io/stock', { live: true }).on('error', console.error);", false],
  ["stock.sync('https://couch.shop.io/stock', { live: true }).on('change', show);", false],
  ["stock.sync('https://couch.shop.io/stock', { live: true }).on('error', (err) => LogService.fatal(err));", false],
  ["stock.sync('https://couch.shop.io/stock', { live: true }).on('error', start);", true],
  [
    "stock.sync('https://couch.shop.io/stock', { live: true }).on('complete', () => { setTimeout(start, 5000); });",
    true,
  ],
  ["stock.sync('https://couch.shop.io/stock', { live: true }).catch((err) => start(err));", true],
  [
    "const feed = stock.sync('https://couch.shop.io/stock', { live: true }); feed.on('error', () => { start(); });",
    true,
  ],
  [
    "const feed = stock.sync('https://couch.shop.io/stock', { live: true }); feed.on('error', (err) => { console.log(err); });",
    false,
  ],
  ["use(stock.sync('https://couch.shop.io/stock', { live: true }));", 'unknown'],
])('the end of a replication is handled: %s', async (code, expected) => {
  const files = { 'a.js': `${STOCK}export function start() {\n${code}\n}\n` };
  expect(await valuesOf(files, 'call.mayStartAgain')).toEqual([expected]);
  expect(await valuesOf(files, 'call.isLiveReplication')).toEqual([true]);
  expect(await valuesOf(files, 'call.retries')).toEqual([false]);
});

test('a replication of a server is none of PouchDB', async () => {
  const files = { 'a.js': `${SHOP}shop.replicate('https://couch.shop.io/stock', { continuous: true });\n` };
  expect(await valuesOf(files, 'call.isLiveReplication')).toEqual([false]);
});

const REPOSITORY = `${SHOP}async function all() { return shop.list({ include_docs: true }); }
async function outer() { return all(); }
module.exports = { all, outer };\n`;

test.each([
  ["app.get('/', async (req, res) => res.json(await repository.all()));", true, false],
  ["app.get('/', async (req, res) => res.json(await repository.outer()));", true, false],
  ["app.get('/', (req, res, next) => repository.all().then((body) => res.json(body), next));", true, false],
  ['repository.all();', false, false],
  ['setInterval(() => repository.all(), 5000);', false, true],
  ["cron.schedule('*/5 * * * *', () => repository.all());", false, true],
  ['setTimeout(() => repository.all(), 5000);', false, false],
])('a call is reached through functions of another file: %s', async (code, isInHandler, isPolled) => {
  const files = { 'a.js': REPOSITORY, 'b.js': `const repository = require('./a');\n${code}\n` };
  expect(await valuesOf(files, 'call.isInHandler')).toEqual([isInHandler]);
  expect(await valuesOf(files, 'call.isPolled')).toEqual([isPolled]);
});

test('a decorator makes a method a handler', async () => {
  const files = {
    'service.ts':
      "import nano from 'nano';\nexport class Orders {\n  db = nano(process.env.URL!).use('shop');\n  all() { return this.db.list(); }\n  one() { return this.db.view('a', 'b'); }\n}\n",
    'controller.ts':
      "import { Orders } from './service';\n@Controller('orders')\nexport class Shown {\n  constructor(private orders: Orders) {}\n  @Get()\n  all() { return this.orders.all(); }\n  one() { return this.orders.one(); }\n}\n",
  };
  expect(await valuesOf(files, 'call.isInHandler')).toEqual([true, false]);
  expect(await valuesOf(files, 'call.reachedThrough')).toEqual(['this.orders.all', 'unknown']);
});

test.each([
  ['* * * * *', 60_000],
  ['*/5 * * * *', 300_000],
  ['*/10 * * * * *', 10_000],
  ['0 * * * *', 3_600_000],
  ['30 3 * * *', 86_400_000],
  ['0 3 1 * *', 86_400_000],
])('the schedule %s', async (time, everyMs) => {
  const files = { 'a.js': `${SHOP}cron.schedule('${time}', async () => { await shop.list(); });\n` };
  expect(await valuesOf(files, 'call.pollIntervalMs')).toEqual([everyMs]);
});

test.each([
  ['{ limit: 10000 }', true],
  ['{ limit: 9999 }', false],
  ['{ limit: size }', false],
  ['{ limit: 99999, startkey: "a" }', false],
  ['{}', true],
])('a limit from 10,000 on bounds nothing: %s', async (options, expected) => {
  expect(
    await valuesOf({ 'a.js': `${SHOP}exports.f = (size) => shop.list(${options});\n` }, 'call.isUnbounded'),
  ).toEqual([expected]);
});

test.each([
  ["{ type: 'order', total: { $gt: 5 } }", true],
  ["{ type: 'order', owner: user }", false],
  ['{ $or: [{ a: 1 }, { b: user }] }', false],
  ['{ ...base }', false],
])('a selector is the same each time: %s', async (selector, expected) => {
  const files = { 'a.js': `${SHOP}exports.f = (user, base) => shop.find({ selector: ${selector} });\n` };
  expect(await valuesOf(files, 'call.selectorIsConstant')).toEqual([expected]);
});

test('a callback that a function of the project wraps gets the rows', async () => {
  const code =
    "exports.f = (done) => shop.view('a', 'b', { include_docs: true }, wrapped((err, body) => done(err, body.rows.map((row) => row.doc))));\n";
  expect(await valuesOf({ 'a.js': SHOP + code }, 'call.usesDocs')).toEqual(['unknown']);
});

test.each(['logIn', 'logOut', 'getSession', 'signUp', 'upsert', 'putIfNotExists'])(
  'a plugin gives PouchDB %s',
  async (name) => {
    const files = { 'a.js': `${STOCK}export const act = (it) => stock.${name}(it);\n` };
    expect(await valuesOf(files, 'call.method')).toEqual(['other']);
  },
);

test.each([
  ['const { docs } = await shop.find({ selector }); res.json(docs);', 'all'],
  ['const found = await shop.find({ selector }); res.status(200).send(found.docs);', 'all'],
  ['shop.find({ selector }, (err, found) => (err ? next(err) : res.json(found.docs)));', 'all'],
  ['const found = await shop.find({ selector }); res.json(found);', 'unknown'],
  ['const { docs } = await shop.find({ selector }); show(docs);', 'unknown'],
  ['const { docs } = await shop.find({ selector }); res.json(docs[0]);', 'one'],
])('a list that answers a request is used as a whole: %s', async (code, expected) => {
  const files = { 'a.js': `${SHOP}exports.load = async (selector, res, next) => { ${code} };\n` };
  expect(await valuesOf(files, 'call.listUse')).toEqual([expected]);
});

test.each([
  ['shop.insert(doc);', true],
  ['shop.insert(doc).then(() => done());', true],
  ['shop.insert(doc).finally(done);', true],
  ['docs.forEach(async (one) => { await shop.insert(one); });', true],
  ['setTimeout(() => shop.insert(doc), 10);', true],
  ['(async () => { await shop.insert(doc); })();', true],
  ['save(doc); async function save(one) { await shop.insert(one); }', true],
  ['Promise.all(docs.map((one) => shop.insert(one)));', true],
  ['new Promise(async (resolve) => { resolve(await shop.insert(doc)); }).catch(done);', true],
  ['shop.insert(doc).catch(done);', false],
  ['shop.insert(doc).then(done).catch(done);', false],
  ['shop.insert(doc).then(done, done);', false],
  ['shop.insert(doc, done);', false],
  ['return shop.insert(doc);', false],
  ['const saved = shop.insert(doc); done(saved);', false],
  ['try { await shop.insert(doc); } catch (error) { done(error); }', false],
  ['(async () => { try { await shop.insert(doc); } catch (error) { done(error); } })();', false],
  ['await shop.insert(doc);', false],
  ['save(doc).catch(done); async function save(one) { await shop.insert(one); }', false],
  ['await Promise.all(docs.map((one) => shop.insert(one)));', false],
  ['await pMap(docs, async (one) => { await shop.insert(one); });', false],
  ["shop.insert(doc); process.on('unhandledRejection', done);", false],
])('nothing handles a failure: %s', async (body, expected) => {
  const files = {
    'package.json': '{ "dependencies": { "nano": "^10.0.0" } }',
    'a.js': `${SHOP}exports.save = async (doc, docs, done) => { ${body} };\n`,
  };
  expect(await valuesOf(files, 'call.isUnhandled')).toEqual([expected]);
});

test.each([
  ['6.4.3', 'unknown'],
  ['6 || 7', 'unknown'],
  ['^7.0.0', true],
  ['latest', 'unknown'],
])('a call of nano %s that nothing waits for returns a promise: %s', async (version, expected) => {
  const files = {
    'package.json': JSON.stringify({ dependencies: { nano: version } }),
    'src/a.js': `${SHOP}exports.save = (doc) => { shop.insert(doc); };\n`,
  };
  expect(await valuesOf(files, 'call.isUnhandled')).toEqual([expected]);
});

const LIST = 'exports.list = async (req, res) => { res.json(await shop.list({ limit: 9 })); };\n';
test.each([
  ["app.get('/', orders.list);", true],
  ["app.get('/', check, orders.list);", true],
  ["app.get('/', wrapped(orders.list));", false],
  ["app.get('/', (req, res, next) => orders.list(req, res).catch(next));", false],
])('Express gets an async handler of another file: %s', async (route, expected) => {
  const files = { 'orders.js': SHOP + LIST, 'app.js': `const orders = require('./orders.js');\n${route}\n` };
  expect(await valuesOf(files, 'call.isInExpressRoute')).toEqual([expected]);
});

test.each([
  ['for (const order of await orders.open()) print(order);', 'all'],
  ['orders.open().then((found) => print(found.length));', 'counted'],
  ['print(await orders.open());', 'unknown'],
])('documents that a function returns are followed to other files: %s', async (use, expected) => {
  const files = {
    'orders.js': `${SHOP}exports.open = async () => (await shop.find({ selector: { status: 'open' } })).docs;\n`,
    'app.js': `const orders = require('./orders.js');\nexports.run = async () => { ${use} };\n`,
  };
  expect(await valuesOf(files, 'call.listUse')).toEqual([expected]);
});

test.each([
  ['useEffect(() => { stock.changes({ live: true }).on("change", show); }, []);', 'component'],
  ['class List { componentDidMount() { stock.sync(url, { live: true, retry: true }); } }', 'component'],
  ['app.get("/", (req, res) => { stock.changes({ live: true }).on("change", show); });', 'request'],
  ['app.get("/", (req, res) => { start(); });\nfunction start() { stock.changes({ live: true }); }', 'request'],
  ['useEffect(() => { const feed = stock.changes({ live: true }); return () => feed.cancel(); }, []);', 'none'],
  ['app.get("/", (req, res) => { req.on("close", () => stock.changes({ live: true }).cancel()); });', 'none'],
  ['stock.changes({ live: true }).on("change", show);', 'none'],
])('what opens a feed again: %s', async (code, expected) => {
  expect(await valuesOf({ 'list.js': `${STOCK}${code}\n` }, 'call.reopenedFor')).toEqual([expected]);
});

test.each([
  ['shop.list({ startkey: "order:", endkey: "order;", include_docs: true })', true],
  ['shop.list({ startkey: "order:" + id, endkey: "order;" })', false],
  ['shop.list({ startkey: "order:", include_docs: true })', false],
  ['shop.list({ startkey: "order:", endkey: "order;", limit: 20 })', false],
  ['shop.list({ startkey: "order:", endkey: "order;", ...page })', 'unknown'],
])('a range that is the same each time: %s', async (call, expected) => {
  expect(await valuesOf({ 'a.js': `${SHOP}exports.a = (id, page) => ${call};\n` }, 'call.hasConstantRange')).toEqual([
    expected,
  ]);
});

test.each([
  ['limit: 1000', true],
  ['limit: 500', true],
  ['limit: 499', false],
  ['limit: 10000', false],
  ['limit: size', false],
  ['limit: 1000, sort: ["day"]', false],
  ['limit: 1000, bookmark', false],
  ['limit: 1000, ...page', 'unknown'],
])('a limit that is meant for all: %s', async (options, expected) => {
  const code = `exports.a = (size, page, bookmark) => shop.find({ selector: { status: 'open' }, ${options} });\n`;
  expect(await valuesOf({ 'a.js': SHOP + code }, 'call.limitIsForAll')).toEqual([expected]);
});

test.each([
  ['^11.0.0', false],
  ['>=11', false],
  ['10.1.4', true],
  ['10 || 11', true],
  ['latest', 'unknown'],
])('nano %s calls callbacks: %s', async (version, expected) => {
  const files = {
    'package.json': JSON.stringify({ dependencies: { nano: version } }),
    'src/a.js': `${SHOP}exports.a = (id, done) => shop.get(id, done);\n`,
  };
  expect(await valuesOf(files, 'call.callbackIsCalled')).toEqual([expected]);
});

test.each([
  ['for (const id of ids) await shop.list({ key: id, include_docs: true });', 'each'],
  ["for (const id of ids) await shop.view('o', 'by', { startkey: id, endkey: id });", 'each'],
  ['async.parallel(ids.map((id) => (done) => shop.get(id, done)), print);', 'each'],
  ['let i = 0; while (i < ids.length) { await shop.get(ids[i]); i++; }', 'each'],
  ['let i = 0; while (i < ids.length) { await shop.get(ids[i]); }', 'unknown'],
])('a loop reads what could be read together: %s', async (body, expected) => {
  const files = { 'a.js': `${SHOP}exports.a = async (ids) => { ${body} };\n` };
  expect(await valuesOf(files, 'call.loopPurpose')).toEqual([expected]);
});
