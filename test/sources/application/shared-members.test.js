// Clients that a program keeps where all of it finds them.

import { describe, expect, test } from 'vitest';
import { readTexts } from '../../helpers/application-code.js';

/** @param {Record<string, string>} texts by path @returns {Promise<string[]>} */
async function calls(texts) {
  const { records } = await readTexts(texts);
  return records.map(({ file, client, method, location, database }) =>
    [file.path, client, method, location, database].join(' '),
  );
}

const NANO = "const shop = require('nano')(process.env.COUCHDB_URL).use('shop');";

describe('a client is found again as a member of', () => {
  test.each([
    ['the request', 'app.use((req, res, next) => { req.db = shop; next(); })', 'req.db'],
    ['the request, by its long name', 'app.use((req, res, next) => { req.db = shop; next(); })', 'request.db'],
    ['the context', 'app.context.shop = shop', 'ctx.shop'],
    ['the locals of the app', 'app.locals.db = shop', 'req.app.locals.db'],
    ['the settings of the app', "app.set('db', shop)", "req.app.get('db')"],
    ['a decorated app', "fastify.decorate('shop', shop)", 'request.server.shop'],
    ['globals', 'global.shop = shop', 'shop'],
    ['prototypes of Vue', 'Vue.prototype.$shop = shop', 'this.$shop'],
    ['the state of a store', 'const store = new Store({ state: { db: shop } })', 'this.$store.state.db'],
    [
      'a mutation of a store',
      'const store = new Store({ mutations: { open(state) { state.db = shop; } } })',
      'store.state.db',
    ],
  ])('%s', async (_, given, used) => {
    expect(
      await calls({
        'app.js': `${NANO} ${given};`,
        'orders.js': `module.exports = { load(request, ctx, id) { return ${used}.get(id); } };`,
      }),
    ).toEqual(['orders.js nano get http shop']);
  });

  test('a name that is taken out of it', async () => {
    expect(
      await calls({
        'app.js': `${NANO} app.locals.db = shop;`,
        'orders.js': 'module.exports = (req, res) => { const { db } = req.app.locals; db.list().then(res.json); };',
      }),
    ).toEqual(['orders.js nano all-docs http shop']);
  });

  test('a variable of another script of the page', async () => {
    expect(
      await calls({ 'db.js': "var shop = new PouchDB('shop');", 'orders.js': "shop.get('a').then(show);" }),
    ).toEqual(['orders.js pouchdb get local shop']);
  });
});

describe('nothing is known', () => {
  test.each([
    ['of another member', 'req.db = shop', 'req.cache'],
    ['of something else with that member', 'req.db = shop', 'order.db'],
    ['of the state of one component', 'state.db = shop', 'this.state.db'],
  ])('%s', async (_, given, used) => {
    expect(
      await calls({ 'app.js': `${NANO} app.use((req, state) => { ${given}; });`, 'orders.js': `${used}.get('a');` }),
    ).toEqual([]);
  });

  test('where other code gives it something else', async () => {
    expect(
      await calls({
        'app.js': `${NANO} app.use((req) => { req.db = shop; });`,
        'mongo.js': "app.use((req) => { req.db = mongo.db('shop'); }); req.db.insert({});",
        'orders.js': "req.db.get('a');",
      }),
    ).toEqual([]);
  });

  test('of a variable of a module', async () => {
    expect(
      await calls({
        'db.js': "import PouchDB from 'pouchdb'; var shop = new PouchDB('shop');",
        'orders.js': "shop.get('a');",
      }),
    ).toEqual([]);
  });
});
