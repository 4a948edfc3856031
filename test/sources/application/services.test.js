// Clients that AngularJS gives to functions by the names of their parameters, and what is known of functions only after other files were read.

import { describe, expect, test } from 'vitest';
import { readTexts } from '../../helpers/application-code.js';

/**
 * @param {Record<string, string>} texts by path
 * @returns {Promise<string[]>} of each call: where, what it is, the client, what it does, the place
 */
async function calls(texts) {
  const { records } = await readTexts(texts);
  return records
    .filter(({ method }) => method !== 'connect')
    .map(({ file, name, client, method, location }) => [file.path, name, client, method, location].join(' '));
}

const REGISTER = "angular.module('shop').factory('Orders', function (pouchDB) { return pouchDB('orders'); });";

describe('a service of AngularJS', () => {
  test.each([
    ["angular.module('shop').controller('C', function ($scope, pouchDB) { pouchDB('orders').get('1'); });"],
    [
      "angular.module('shop').controller('C', ['$scope', 'pouchDB', function (scope, open) { open('orders').get('1'); }]);",
    ],
    ["function C(pouchDB) { pouchDB('orders').get('1'); } angular.module('shop').controller('C', C);"],
    [
      "function C(open) { open('orders').get('1'); } C.$inject = ['pouchDB']; angular.module('shop').controller('C', C);",
    ],
    ["angular.module('shop').run(function (pouchdb) { var db = pouchdb.create('orders'); db.get('1'); });"],
  ])('%s', async (text) => {
    expect(await calls({ 'c.js': text })).toEqual([expect.stringMatching(/^c\.js .* pouchdb get local$/)]);
  });

  test.each([
    ['a factory that returns a database', REGISTER, 'Orders.get(id)', 'local'],
    [
      'a factory that returns a function',
      "angular.module('shop').factory('Orders', function (pouchDB) { var open = {}; return function (name) { if (!open[name]) open[name] = pouchDB(name); return open[name]; }; });",
      "Orders('a').get(id)",
      'unknown',
    ],
    [
      'a service with a member',
      "angular.module('shop').service('Orders', function (pouchDB) { this.db = pouchDB('orders'); });",
      'Orders.db.get(id)',
      'local',
    ],
    ['a value', "angular.module('shop').value('Orders', new PouchDB('orders'));", 'Orders.get(id)', 'local'],
  ])('%s', async (_, register, call, place) => {
    const use = `angular.module('shop').controller('C', function (Orders) { this.load = function (id) { return ${call}; }; });`;
    const found = await calls({ 'use.js': use, 'orders.js': register });
    expect(found).toEqual([expect.stringMatching(`^use.js .* pouchdb get ${place}$`)]);
  });

  test.each([
    ['of another name', REGISTER, "angular.module('shop').controller('C', function (Stock) { Stock.get('1'); });"],
    ['in code without AngularJS', REGISTER, "exports.load = function (Orders) { Orders.get('1'); };"],
    [
      'that is no client',
      "angular.module('shop').factory('Orders', function ($http) { return $http; }); // PouchDB",
      "angular.module('shop').controller('C', function (Orders) { Orders.get('1'); });",
    ],
  ])('none %s', async (_, register, use) => {
    expect(await calls({ 'use.js': use, 'orders.js': register })).toEqual([]);
  });
});

describe('a function of the project', () => {
  const FIND =
    "const nano = require('nano')(process.env.COUCHDB_URL);\nexports.findAll = (query) => nano.use('orders').find(query);\n";
  const USE = "const { findAll } = require('./NAME');\nconst db = require('./NAME');\nfindAll({ selector: {} });\n";

  test.each(['a.js', 'z.js'])('is known in all files, whatever is read first: %s', async (name) => {
    const found = await calls({ [name]: FIND, 'm.js': `${USE.replaceAll('NAME', name.slice(0, 1))}require('nano');` });
    expect(found.filter((one) => one.startsWith('m.js'))).toEqual(['m.js findAll(…)  find http']);
  });
});

describe('a database', () => {
  test.each([
    [
      'of a server whose URL may name it',
      "const db = require('nano')(process.env.SHOP_URL); db.get('1');",
      'nano get http',
    ],
    ['behind a listener', "const db = new PouchDB('shop').on('error', log); db.get('1');", 'pouchdb get local'],
    [
      'beside a class that stands in for it',
      "class Archive { get() {} } const open = () => { if (isArchived) return new Archive(); return new PouchDB('https://a.example.org/shop'); }; open().put({});",
      'pouchdb insert http',
    ],
    [
      'with options of requests, and a name that may be a URL',
      "function open(name, secure) { let at = name; if (secure) at = `https://${name}`; return new PouchDB(at, { ajax: { cache: false } }); } open('x', y).get('1');",
      'pouchdb get http',
    ],
  ])('%s', async (_, text, expected) => {
    expect(await calls({ 'a.js': text })).toEqual([expect.stringMatching(`${expected}$`)]);
  });

  test('that replaces its server under the same name', async () => {
    const text = `class Orders {
      async open(name) { const nano = require('nano')(process.env.COUCHDB_URL); this.db = nano.db; await this.db.create(name); this.db = this.db.use(name); }
      remove(order) { return this.db.destroy(order._id, order._rev); }
    }`;
    const found = await calls({ 'a.js': text });
    expect(found.map((one) => one.split(' ').at(-2))).toEqual(['create-database', 'remove']);
  });

  test('no document is read of the list of databases', async () => {
    expect(
      await calls({ 'a.js': "const nano = require('nano')(process.env.COUCHDB_URL); nano.db.get('shop');" }),
    ).toEqual(["a.js nano.db.get('shop') nano other http"]);
  });
});

test('a package of the same repository is found by its name', async () => {
  const found = await calls({
    'packages/shop/src/index.ts':
      "import nano from 'nano';\nexport const shop = nano(process.env.COUCHDB_URL!).use('shop');\n",
    'apps/web/src/orders.ts': "import { shop } from '@acme/shop';\nshop.get('1');\n",
  });
  expect(found).toEqual(["apps/web/src/orders.ts shop.get('1') nano get http"]);
});
