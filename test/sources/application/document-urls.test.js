// Requests for single documents with URLs that code builds itself, where the server is surely CouchDB.

import { describe, expect, test } from 'vitest';
import { callsIn } from '../../helpers/application-code.js';

/** @param {string} text @returns {Promise<string[]>} */
async function requests(text) {
  const calls = (await callsIn(text)).filter(({ method }) => method !== 'connect');
  return calls.map(({ client, method, location, database }) => [client, method, location, database].join(' '));
}

const AXIOS = "import axios from 'axios';";

describe('the server is known', () => {
  test.each([
    ['by its port', "fetch('http://localhost:5984/shop/' + id)", 'http get http shop'],
    ['by its port, with credentials', '`http://${user}:${password}@couch:5984/shop/${id}`', 'http get http shop'],
    ['by a host of Cloudant', '`https://${account}.cloudant.com/shop/${encodeURIComponent(id)}`', 'http get http shop'],
    ['by its name', '`${process.env.COUCHDB_URL}/shop/${id}`', 'http get http shop'],
    ['by its name in a configuration', "config.couchdb.url + '/shop/order:' + id", 'http get http shop'],
    ['with an open database', '`${couchUrl}/${db}/${id}`', 'http get http '],
    ['by a name for all of it', 'fetch(url); const url = `${COUCH_URL}/shop/${id}`', 'http get http shop'],
  ])('%s', async (_, written, expected) => {
    expect(await requests(/^fetch/.test(written) ? `${written};` : `fetch(${written});`)).toEqual([expected]);
  });

  test.each([
    ['`${axiosUrl}/shop/${id}`', 'another name'],
    ['`${couchbaseUrl}/shop/${id}`', 'another database'],
  ])('not by %s: %s', async (url) => {
    expect(await requests(`fetch(${url});`)).toEqual([]);
  });

  test.each([
    ['one part, which may be a database or a document', '`${COUCH_URL}/${id}`', ''],
    ['a part that may be more than one', '`${COUCH_URL}/shop/${path}`', 'shop'],
    ['parts that are not apart', '`${COUCH_URL}/shop/${id}${query}`', 'shop'],
    ['an attachment', '`${COUCH_URL}/shop/${id}/photo.png`', 'shop'],
    ['settings of a database', '`${COUCH_URL}/shop/_security`', 'shop'],
    ['something else of a server', '`${COUCH_URL}/_users/${id}/_session`', ''],
    ['options that are not shown', '`${COUCH_URL}/shop/${id}`, options', 'shop'],
    ['a database', "`${COUCH_URL}/shop`, { method: 'PUT' }", 'shop'],
    ['all databases', "couchdbPath + '_all_dbs'", ''],
    ['statistics of the server', '`${COUCH_URL}/_node/_local/_stats`', ''],
  ])('a request for %s is one, and no more is known', async (_, url, database) => {
    expect(await requests(`fetch(${url});`)).toEqual([`http other http ${database}`]);
  });

  test('by the port of a library that takes it apart', async () => {
    expect(
      await requests(
        "require('http').request({ host: 'localhost', port: 5984, path: '/shop/' + id, method: 'GET' }, done);",
      ),
    ).toEqual(['http get http shop']);
  });

  test.each([
    ['axios', 'axios.create({ baseURL: `${process.env.COUCH_URL}/shop` })', "get('/' + id)"],
    ['axios, without a slash', 'axios.create({ baseURL: COUCH_URL })', 'get(`shop/${id}`)'],
    ['request', "require('request').defaults({ baseUrl: COUCH_URL })", 'get(`/shop/${id}`)'],
  ])('by what all requests of a client have: %s', async (_, made, call) => {
    expect(await requests(`${AXIOS} const api = ${made}; api.${call};`)).toEqual(['http get http shop']);
  });

  test('documents of databases of the server itself', async () => {
    expect(await requests("fetch(base + '/_users/org.couchdb.user:' + name);")).toEqual(['http get http _users']);
  });
});

describe('a database of other requests of the file', () => {
  test.each([
    ['the same name in front', '`${shop}/${id}`', ['http find http ', 'http get http ']],
    ['a part of an object', '`${shop}/${id}?rev=${rev}`', ['http find http ', 'http get http ']],
    ['another name in front', '`${stock}/${id}`', ['http find http ']],
    ['more of the path', '`${shop}/${id}/photo`', ['http find http ']],
  ])('%s', async (_, url, expected) => {
    expect(
      await requests(`${AXIOS} export const find = (q) => axios.post(\`\${shop}/_find\`, q); axios.get(${url});`),
    ).toEqual(expected);
  });

  test.each([
    ['documents', "load(this.dburl + '/' + id)", 'get'],
    ['documents with a name', "load(this.dburl + '/settings')", 'get'],
    ['the database', 'load(this.dburl)', 'other'],
  ])('of a path that CouchDB alone has: %s', async (_, call, method) => {
    const text = `${AXIOS} const load = (url) => axios.get(url); class Shop { all() { return load(this.dburl + '/_all_docs'); } one(id) { return ${call}; } }`;
    expect(await requests(text)).toContain(`http ${method} http `);
  });

  test.each([
    ['a list of databases', '/_all_dbs'],
    ['a database with any name', '/${name}/_all_docs'],
  ])('a server that %s shows', async (_, path) => {
    expect(await requests(`fetch(\`\${base}${path}\`); fetch(\`\${base}/shop/\${id}\`);`)).toContain(
      'http get http shop',
    );
  });

  test('by a class of the project that sends', async () => {
    expect(
      await requests(`class Server { get(path) {} post(path, body) {} }
        class Shop { constructor() { this.server = new Server(); }
          find(q) { return this.server.post(\`\${this.name}/_find\`, q); }
          load(id) { return this.server.get(\`\${this.name}/\${id}\`, { params }); }
          add(doc) { return this.server.post(\`\${this.name}\`, doc); }
          drop(id) { return this.server.delete(\`\${this.name}/\${id}\`); } }`),
    ).toEqual(['http find http ', 'http get http ', 'http insert http ', 'http remove http ']);
  });
});

test.each([
  ["fetch(`${COUCH_URL}/shop/${id}`, { method: 'PUT', body: JSON.stringify(doc) })", 'insert'],
  ["fetch(`${COUCH_URL}/shop`, { method: 'POST', body: JSON.stringify(doc) })", 'insert'],
  ["fetch(`${COUCH_URL}/shop/${id}?rev=${rev}`, { method: 'DELETE' })", 'remove'],
  [
    "const request = require('request'); request({ method: 'PUT', url: `${COUCH_URL}/shop/${id}`, json: doc }, done)",
    'insert',
  ],
  ["require('axios').head(`${COUCH_URL}/shop/${id}`)", 'head'],
  ["couchFetch('/shop/' + id)", 'get'],
  ["couchDBPut('/shop/' + id, doc)", 'insert'],
])('%s', async (text, method) => {
  const [call] = await callsIn(`${text};`);
  expect(call?.method).toBe(method);
});

test('a loop repeats it for other documents', async () => {
  const [read] = await callsIn('async function f() { for (const id of ids) await fetch(`${COUCH_URL}/shop/${id}`); }');
  expect(read?.loop).toMatchObject({ form: 'for-of', changesTarget: true, targets: 'ids' });
  const [same] = await callsIn(
    'async function f(id) { for (const x of list) await fetch(`${COUCH_URL}/shop/${id}`); }',
  );
  expect(same?.loop?.changesTarget).not.toBe(true);
  const [other] = await callsIn(
    'async function f(id) { for (const db of list) await fetch(`${COUCH_URL}/${db}/${id}`); }',
  );
  expect(other?.loop).toMatchObject({ changesTarget: false, changesReceiver: true });
});

test('a revision in the query string shows it, and other documents of the database', async () => {
  expect(
    await requests(
      `${AXIOS} axios.delete('shop/' + id + '?rev=' + rev); axios.get(\`shop/\${id}\`); axios.get('stock/' + id);`,
    ),
  ).toEqual(['http remove http shop', 'http get http shop']);
});

test.each([
  '`${shopUrl}/${id}/${property}?rev=${rev}`',
  '`${attachmentUrl}/${name}?rev=${rev}`',
  '`${photos}/${id}/${photo}?rev=${rev}`',
])('an attachment has a revision, too: %s', async (url) => {
  expect(await requests(`${AXIOS} axios.delete(${url});`)).toEqual([]);
});

test('a path that other servers have, too, and a function that is given any path', async () => {
  expect(
    await requests(
      "api.post('/files/_find', {}); api.delete('/files/' + id); couchFetch('/stock/_find'); couchFetch('/stock/' + id);",
    ),
  ).toEqual(['http find http files', 'http find http stock', 'http get http stock']);
  expect(
    await requests(
      "class Shop { send(path, body) { return this.api.post(path, body); } find(path) { return this.api.post(path + '/_find'); } }",
    ),
  ).toEqual(['http find http ']);
});

test('a route of a server is none', async () => {
  expect(await requests("app.get('http://localhost:5984/shop/:id', show);")).toEqual([]);
});
