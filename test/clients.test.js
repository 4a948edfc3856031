// Each client library is known by its file alone: a sample of each is followed from the import to the calls.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { globSync } from 'tinyglobby';
import { expect, test } from 'vitest';
import { root } from './helpers/run-cli.js';
import { createProject } from './helpers/temporary-project.js';

/** @type {Record<string, {code: string, calls: Record<string, {method: string, location: string}>}>} calls by how they are shown */
const SAMPLES = {
  nano: {
    code: `const db = require('nano')('http://couchdb.internal:5984').use('orders');
export const open = () => db.view('orders', 'by_status', { key: 'open' });
export const add = (docs) => db.bulk({ docs });`,
    calls: {
      "require('nano')(…)": { method: 'connect', location: 'http' },
      "db.view('orders', 'by_status', …)": { method: 'view', location: 'http' },
      'db.bulk(…)': { method: 'bulk-write', location: 'http' },
    },
  },
  cloudant: {
    code: `const Cloudant = require('@cloudant/cloudant');
const db = Cloudant({ url: process.env.CLOUDANT_URL }).use('orders');
export const all = () => db.list({ include_docs: true });`,
    calls: { 'db.list(…)': { method: 'all-docs', location: 'http' } },
  },
  'ibm-cloud': {
    code: `import { CloudantV1 } from '@ibm-cloud/cloudant';
const service = CloudantV1.newInstance({});
export const open = () => service.postFind({ db: 'orders', selector: { status: 'open' } });`,
    calls: { 'service.postFind(…)': { method: 'find', location: 'http' } },
  },
  pouchdb: {
    code: `import PouchDB from 'pouchdb';
const db = new PouchDB('orders');
export const start = () => db.sync('https://couchdb.internal/orders', { live: true, retry: true });
export const copy = () => db.replicate.to('https://couchdb.internal/orders');`,
    calls: {
      'db.sync(…, …)': { method: 'sync', location: 'local' },
      'db.replicate.to(…)': { method: 'replicate', location: 'local' },
    },
  },
  'jquery-couch': {
    code: `(function ($) {
  var db = $.couch.db('orders');
  db.view('orders/by_status', { key: 'open', success: function (body) { show(body.rows); } });
  jQuery.couch.db('orders').openDoc('order-1', { success: show });
})(jQuery);`,
    calls: {
      "db.view('orders/by_status', …)": { method: 'view', location: 'http' },
      "jQuery.couch.db('orders').openDoc('order-1', …)": { method: 'get', location: 'http' },
    },
  },
  'node-couchdb': {
    code: `const NodeCouchDb = require('node-couchdb');
const couch = new NodeCouchDb({ host: 'db.example' });
couch.mango('orders', { selector: { status: 'open' } }).then(show);`,
    calls: { "couch.mango('orders', …)": { method: 'find', location: 'http' } },
  },
  'felix-couchdb': {
    code: `const couchdb = require('felix-couchdb');
const client = couchdb.createClient(5984, 'db.example');
const db = client.db('orders');
db.view('orders', 'by_status', { key: 'open' }, (error, body) => { if (error) throw error; show(body.rows); });
for (const id of ids) db.getDoc(id, (error, doc) => { if (error) throw error; show(doc); });`,
    calls: {
      "db.view('orders', 'by_status', …)": { method: 'view', location: 'http' },
      'db.getDoc(…)': { method: 'get', location: 'http' },
    },
  },
  cornercouch: {
    code: `angular.module('shop').factory('shop', ['cornercouch', '$q', function (cornercouch, $q) {
  var deferred = $q.defer();
  deferred.resolve({ 'db': cornercouch('http://db.example', 'GET').getDB('orders') });
  return deferred.promise;
}]).controller('Order', ['$scope', 'shop', function ($scope, shop) {
  shop.then(function (couch) {
    couch.db.query('orders', 'by_status', { key: 'open' }).success($scope.show);
    $scope.order = couch.db.newDoc();
    $scope.order.save();
  });
}]);`,
    calls: {
      'cornercouch(…)': { method: 'connect', location: 'http' },
      "couch.db.query('orders', 'by_status', …)": { method: 'view', location: 'http' },
      '$scope.order.save()': { method: 'insert', location: 'http' },
    },
  },
  cradle: {
    code: `const cradle = require('cradle');
const db = new cradle.Connection().database('orders');
db.save([{ status: 'open' }], (error) => { if (error) throw error; });`,
    calls: { 'db.save(…)': { method: 'insert', location: 'http' } },
  },
};

const names = readdirSync(path.join(root, 'lib/clients'))
  .map((file) => path.basename(file, '.js'))
  .filter((name) => name !== 'client' && name !== 'index');

test('each client has a sample', () => {
  expect(Object.keys(SAMPLES).sort()).toEqual(names.sort());
});

test.each(Object.entries(SAMPLES))('the calls of %s are followed', async (client, { code, calls }) => {
  const { stdout } = await createProject({ 'orders.js': code }).run(['facts', '--format', 'json', 'orders.js']);
  const subjects = JSON.parse(stdout).subjects.filter((/** @type {{kind: string}} */ { kind }) => kind === 'call');
  const found = subjects.map(
    (/** @type {{name: string, facts: Record<string, {value?: unknown}>}} */ { name, facts }) => {
      const [by, method, location] = ['client', 'method', 'location'].map((key) => facts[`call.${key}`]?.value);
      return [name, { client: by, method, location }];
    },
  );
  const expected = Object.entries(calls).map(([name, about]) => [name, { client, ...about }]);
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
});

test('no other module names a client', () => {
  const literal = new RegExp(`(?:===|!==|case|startsWith\\(|includes\\() ?'(?:${names.join('|')})'`);
  const modules = globSync('lib/**/*.js', { cwd: root }).filter((file) => !file.startsWith('lib/clients/'));
  expect(modules.filter((file) => literal.test(readFileSync(path.join(root, file), 'utf8')))).toEqual([]);
});
