// Facts about what code does around its queries and feeds.

import { describe, expect, test } from 'vitest';
import { createProject } from '../../helpers/temporary-project.js';

const NANO =
  "const nano = require('nano');\nconst server = nano(process.env.COUCHDB_URL);\nconst shop = server.use('shop');\n";
const INDEX = "{ index: { fields: ['email'] } }";

/**
 * @param {string} text
 * @param {string} method
 * @returns {Promise<Record<string, {value?: unknown}>>} facts of the last call that does this
 */
async function factsOf(text, method) {
  const { stdout } = await createProject({ 'a.js': text }).run(['facts', '--format', 'json']);
  const { subjects } = JSON.parse(stdout);
  return subjects.findLast(
    (/** @type {{facts: Record<string, {value?: unknown}>}} */ { facts }) => facts['call.method']?.value === method,
  )?.facts;
}

describe('an index is created before each query', () => {
  test.each([
    [
      'in a function that queries for its parameter',
      `async function byEmail(email) { await shop.createIndex(${INDEX}); return shop.find({ selector: { email } }); }`,
      true,
    ],
    [
      'with the query in a variable',
      `async function byEmail(email) { const q = { selector: { email } }; await shop.createIndex(${INDEX}); return shop.find(q); }`,
      true,
    ],
    [
      'in a chain of promises',
      `const byEmail = (email) => shop.createIndex(${INDEX}).then(() => shop.find({ selector: { email } }));`,
      true,
    ],
    [
      'in a callback',
      `function byEmail(email, done) { shop.createIndex(${INDEX}, () => { shop.find({ selector: { email } }, done); }); }`,
      true,
    ],
    [
      'in a handler',
      `app.get('/open', async (req, res) => { await shop.createIndex(${INDEX}); res.json(await shop.find({ selector: { open: true } })); });`,
      true,
    ],
    [
      'in a method',
      `class A { async find(email) { await shop.createIndex(${INDEX}); return shop.find({ selector: { email } }); } }`,
      true,
    ],
    [
      'not in a function that sets up',
      `async function initShop(email) { await shop.createIndex(${INDEX}); return shop.find({ selector: { email } }); }`,
      false,
    ],
    [
      'not where nothing shows that it runs again',
      `async function report() { await shop.createIndex(${INDEX}); return shop.find({ selector: { email: 'a' } }); }`,
      false,
    ],
    [
      'not in a callback that waits for a start',
      `server.on('ready', async () => { await shop.createIndex(${INDEX}); await shop.find({ selector: {} }); });`,
      false,
    ],
    [
      'not where it is remembered',
      `let made; async function byEmail(email) { made ??= await shop.createIndex(${INDEX}); return shop.find({ selector: { email } }); }`,
      false,
    ],
    [
      'not behind a condition',
      `async function byEmail(email) { if (!made) await shop.createIndex(${INDEX}); return shop.find({ selector: { email } }); }`,
      false,
    ],
    [
      'not where the query waits for a request',
      `async function routes(app) { await shop.createIndex(${INDEX}); app.get('/', ({ email }) => shop.find({ selector: { email, app } })); }`,
      false,
    ],
    [
      'not of another database',
      `async function byEmail(email) { await other.createIndex(${INDEX}); return shop.find({ selector: { email } }); } const other = server.use('b');`,
      false,
    ],
    [
      'not of a database that callers choose',
      `async function byEmail(tenant, email) { const db = server.use(tenant); await db.createIndex(${INDEX}); return db.find({ selector: { email } }); }`,
      false,
    ],
    [
      'not behind the query',
      `async function byEmail(email) { const found = await shop.find({ selector: { email } }); await shop.createIndex(${INDEX}); return found; }`,
      false,
    ],
    [
      'not in the module itself',
      `await shop.createIndex(${INDEX}); export const found = await shop.find({ selector: {} });`,
      false,
    ],
  ])('%s', async (_, code, expected) => {
    expect((await factsOf(`${NANO}${code}\n`, 'find'))['call.createsIndexBefore']?.value).toBe(expected);
  });
});

describe('a feed is filtered', () => {
  const POUCH = `${NANO}const PouchDB = require('pouchdb');
const local = new PouchDB('shop');
const remote = new PouchDB('https://db.shop.example/orders');
`;
  test.each([
    [
      "shop.changes({ filter: 'orders/open' });",
      ['http', 'design', false, 'shop.changesReader.start({ selector: … })'],
    ],
    ['shop.changes({ since });', ['http', 'none', false, undefined]],
    ["server.db.changes('shop', { filter: 'orders/open' });", ['http', 'design', false, undefined]],
    ['shop.changes(options);', ['http', 'unknown', false, undefined]],
    ['remote.changes({ filter });', ['http', 'unknown', false, undefined]],
    ['local.changes({ filter: (doc) => doc.open });', ['local', 'program', false, undefined]],
    [
      "remote.changes({ filter: (doc) => doc.status === 'open' });",
      ['http', 'program', true, '{ selector: {"status":"open"} }'],
    ],
    ["remote.changes({ filter: '_selector', selector: {} });", ['http', 'builtin', false, undefined]],
    ['remote.changes({ doc_ids: ids });', ['http', 'builtin', false, undefined]],
    ["remote.changes({ view: 'orders/open' });", ['http', 'view', false, undefined]],
    ["local.sync(remote, { filter: 'orders/open' });", ['http', 'design', false, '{ selector: … }']],
    ["local.sync('https://db.shop.example/orders');", ['http', 'none', false, undefined]],
    ['local.sync(other);', ['unknown', 'none', false, undefined]],
    ["local.sync('copy');", ['local', 'none', false, undefined]],
    ["PouchDB.sync('shop', 'https://db.shop.example/orders');", ['http', 'none', false, undefined]],
    ["local.replicate.to(remote, { filter: 'orders/open' });", ['local', 'design', false, undefined]],
    ["local.replicate.from(remote, { filter: 'orders/open' });", ['http', 'design', false, undefined]],
    ["PouchDB.replicate('shop', remote);", ['local', 'none', false, undefined]],
    ["server.db.replicate('a', 'b', { filter: 'orders/open' });", ['http', 'design', false, '{ selector: … }']],
  ])('%s', async (code, [location, kind, fits, selector]) => {
    const name = /\.(changes|replicate|sync)/.exec(code)?.[1] ?? '';
    const facts = await factsOf(`${POUCH}${code}\n`, name);
    const values = ['feedLocation', 'filterKind', 'filterFitsSelector'].map(
      (id) => facts[`call.${id}`]?.value ?? 'unknown',
    );
    expect(values).toEqual([location, kind, fits]);
    if (selector !== undefined) expect(facts['call.withSelector']?.value).toBe(selector);
  });

  test('by a function that was read', async () => {
    const ddoc = { _id: '_design/orders', filters: { open: "function (doc) { return doc.status === 'open'; }" } };
    const { stdout } = await createProject({
      'a.js': `${NANO}shop.changes({ filter: 'orders/open' });\n`,
      'orders.json': ddoc,
    }).run(['lint', '--rule', 'call/changes-filter=info', '--format', 'compact']);
    expect(stdout).toContain('call/changes-filter#design-selector');
  });
});

describe('a feed begins', () => {
  const CLIENTS = `${NANO}const PouchDB = require('pouchdb');
const cradle = require('cradle');
const remote = new PouchDB('https://db.shop.example/orders');
const old = new (cradle.Connection)().database('shop');
`;
  test.each([
    ['remote.changes({ live: true });', [true, 'start']],
    ["remote.changes({ live: true, since: 'now' });", [true, 'now']],
    ['remote.changes({ live: true, since: 0 });', [true, 'start']],
    ['remote.changes({ live: true, since: last });', [true, 'later']],
    ['remote.changes({ continuous: true, limit: 10 });', [true, 'later']],
    ['remote.changes({ live: isLive });', ['unknown', 'start']],
    ['remote.changes(options);', ['unknown', 'unknown']],
    ['remote.changes({ live: true, ...options });', [true, 'unknown']],
    ['remote.changes({ include_docs: true });', [false, 'start']],
    ['shop.follow({ include_docs: true });', [true, 'start']],
    ['const feed = shop.follow({ include_docs: true }); feed.since = last;', [true, 'unknown']],
    ["shop.follow({ since: 'now' });", [true, 'now']],
    ['shop.changesReader.start();', [true, 'now']],
    ["shop.changesReader.start({ since: '0', includeDocs: true });", [true, 'start']],
    ["shop.changesReader.spool({ since: '0' });", [false, 'start']],
    ["shop.changes({ feed: 'longpoll', since: '12-abc' });", [true, 'later']],
    ["shop.changes({ feed: 'normal' });", [false, 'start']],
    ["old.changes({ include_docs: true }).on('change', show);", [true, 'start']],
    ['old.changes({ include_docs: true }, (error, list) => show(list));', [false, 'start']],
    ['old.changes(done);', [false, 'unknown']],
  ])('%s', async (code, expected) => {
    const facts = await factsOf(`${CLIENTS}${code}\n`, 'changes');
    expect(['keepsListening', 'since'].map((id) => facts[`call.${id}`]?.value ?? 'unknown')).toEqual(expected);
  });
});

describe('a call is polled', () => {
  test.each([
    ['setInterval(() => shop.find({ selector }), 5000);', [true, 5000]],
    [
      'const EVERY = 5 * 1000; setInterval(async () => { const { docs } = await shop.find({ selector }); }, EVERY);',
      [true, 5000],
    ],
    ['setInterval(poll, 1000); async function poll() { await shop.find({ selector }); }', [true, 1000]],
    ['setInterval(() => poll(), 1000); async function poll() { await shop.find({ selector }); }', [true, 1000]],
    ['async function poll() { await shop.find({ selector }); setTimeout(poll, 2000); }', [true, 2000]],
    ['const poll = () => shop.find({ selector }).then(() => setTimeout(() => poll(), 2000));', [true, 2000]],
    ['setInterval(() => shop.find({ selector }), config.interval);', [true, 'unknown']],
    [
      'async function load() { try { return await shop.find({ selector }); } catch { setTimeout(load, 100); } }',
      [false, 'unknown'],
    ],
    ['function load() { shop.find({ selector }).catch(() => setTimeout(load, 100)); }', [false, 'unknown']],
    [
      'async function load() { const { docs } = await shop.find({ selector }); if (!docs.length) setTimeout(load, 9); }',
      [false, 'unknown'],
    ],
    ['setTimeout(() => shop.find({ selector }), 5000);', [false, 'unknown']],
    ['setTimeout(load, 5000); function load() { return shop.find({ selector }); }', [false, 'unknown']],
    ['const setInterval = (f) => f(); setInterval(() => shop.find({ selector }), 5);', [false, 'unknown']],
  ])('%s', async (code, expected) => {
    const facts = await factsOf(`${NANO}${code}\n`, 'find');
    expect(['isPolled', 'pollIntervalMs'].map((id) => facts[`call.${id}`]?.value ?? 'unknown')).toEqual(expected);
  });
});

describe('an error of a feed ends the program', () => {
  test.each([
    ["shop.changesReader.start().on('change', show);", true],
    ["shop.changesReader.start().on('change', show).on('error', report);", false],
    ["shop.changesReader.get({ since }).on('batch', show).once('error', report);", false],
    ["const feed = shop.changesReader.start(); feed.on('change', show);", true],
    ["const feed = shop.changesReader.start(); feed.on('change', show); feed.on('error', report);", false],
    ["const feed = shop.changesReader.start(); feed.on('change', show).on('error', report);", false],
    ['const feed = shop.changesReader.start(); handle(feed);', 'unknown'],
    ['export const feed = shop.changesReader.start();', 'unknown'],
    ['export function listen() { return shop.changesReader.start(); }', 'unknown'],
    ['export const listen = () => shop.changesReader.start();', 'unknown'],
    ['for (const event of events) shop.changesReader.start().on(event, show);', 'unknown'],
    ["const feed = shop.follow({ since: 'now' }); feed.on('change', show); feed.follow();", true],
    [
      "const feed = shop.follow({ since: 'now' }); feed.on('change', show); feed.on('error', report); feed.follow();",
      false,
    ],
    ["shop.follow({ since: 'now' }, (error, change) => show(change));", false],
    ["shop.changes({ feed: 'longpoll' });", false],
  ])('%s', async (code, expected) => {
    expect((await factsOf(`${NANO}${code}\n`, 'changes'))['call.endsOnError']?.value ?? 'unknown').toBe(expected);
  });
});
