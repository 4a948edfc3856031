// Requests that code builds itself: by which libraries, to which parts of CouchDB's API, with which options.

import { describe, expect, test } from 'vitest';
import { callsIn } from '../../helpers/application-code.js';

/** @import { CallRecord } from '../../../lib/sources/application/record.js' */

/**
 * @param {CallRecord | undefined} call
 * @returns {string[]} its options, with the text that each stands as
 */
function optionsOf(call) {
  return (call?.options.node?.entries ?? []).map(
    ({ key, node: { file, start, end } }) => `${key}: ${file.text.slice(start, end)}`,
  );
}

test.each([
  ['fetch', "fetch('http://localhost:5984/shop/_all_docs?limit=10')"],
  ['fetch of the page', "window.fetch('/shop/_all_docs?limit=10')"],
  ['fetch of a package', "const read = require('node-fetch'); read('/shop/_all_docs?limit=10')"],
  ['axios.get', "const axios = require('axios'); axios.get('/shop/_all_docs', { params: { limit: 10 } })"],
  ['axios', "import axios from 'axios'; axios({ url: '/shop/_all_docs', params: { limit: 10 } })"],
  [
    'an instance of axios',
    "import axios from 'axios'; const api = axios.create({ baseURL }); api.get('shop/_all_docs?limit=10')",
  ],
  ['axios.post', "import axios from 'axios'; axios.post('/shop/_all_docs', { limit: 10 })"],
  ['got', "import got from 'got'; got('/shop/_all_docs', { searchParams: { limit: 10 } }).json()"],
  ['got.post', "import got from 'got'; got.post('/shop/_all_docs', { json: { limit: 10 } })"],
  ['superagent', "const agent = require('superagent'); agent.get('/shop/_all_docs').query({ limit: 10 }).then(show)"],
  [
    'request',
    "const request = require('request'); request({ uri: '/shop/_all_docs', qs: { limit: 10 }, json: true }, done)",
  ],
  [
    'request.get',
    "const request = require('request-promise'); request.get('/shop/_all_docs?limit=10', (error, answer) => show(answer))",
  ],
  ['http.request', "const http = require('node:http'); http.request({ host, path: '/shop/_all_docs?limit=10' }, done)"],
  ["AngularJS's service", "$http({ method: 'GET', 'url': '/shop/_all_docs', params: { limit: 10 } })"],
  ["a method of AngularJS's service", "$http.get('/shop/_all_docs', { params: { limit: 10 } })"],
  ['a body as JSON', "fetch('/shop/_all_docs', { method: 'POST', body: JSON.stringify({ limit: 10 }) })"],
])('by %s', async (_, text) => {
  const calls = (await callsIn(`${text};`)).filter(({ method }) => method !== 'connect');
  expect(
    calls.map((call) => [
      call.client,
      call.receiver,
      call.location,
      call.method,
      call.database,
      ...optionsOf(call),
      call.options.isOpen,
    ]),
  ).toEqual([['http', 'option', 'http', 'all-docs', 'shop', 'limit: 10', false]]);
});

test("by Angular's client, which a type shows", async () => {
  const [call] = await callsIn(
    "import { HttpClient } from '@angular/common/http'; class Orders { constructor(private http: HttpClient) {} load() { return this.http.get(`${url}/_all_docs?limit=10`); } }",
    'orders.ts',
  );
  expect(call).toMatchObject({ client: 'http', method: 'all-docs', functionName: 'Orders.load' });
});

describe('the path is that of', () => {
  test.each([
    ['`${url}/shop/_design/orders/_view/by_status`', 'view shop _design/orders by_status'],
    ['`${url}/${db}/_design/${ddoc}/_view/by_status`', 'view null null by_status'],
    ["url + '/shop/_design/orders/_view/' + view", 'view shop _design/orders null'],
    ['`${ddocUrl}/_view/by_status`', 'view null null by_status'],
    ['`/shop/_design/orders/_list/names/by_status`', 'view shop _design/orders by_status'],
    ['`/shop/_design/orders/_update/close/${id}`', 'update shop _design/orders null'],
    ['`/shop/_design/orders/_search/names`', 'search shop _design/orders names'],
    ["new URL('/shop/_find', base)", 'find shop null null'],
    ["'http://localhost:5984/_all_docs'", 'all-docs null null null'],
    ['`/shop/_changes?since=${seq}`', 'changes shop null null'],
    ["'/shop/_bulk_get'", 'bulk-read shop null null'],
    ["'/shop/_design/orders'", 'other shop null null'],
    ["'/shop/_revs_diff'", 'other shop null null'],
    ["'http://localhost:5984/_replicate'", 'other null null null'],
    ['`/shop/_local/${id}`', 'other shop null null'],
  ])('%s', async (url, expected) => {
    const calls = (await callsIn(`fetch(${url});`)).filter(({ method }) => method !== 'connect');
    expect(calls.map(({ method, database, designDoc, view }) => `${method} ${database} ${designDoc} ${view}`)).toEqual([
      expected,
    ]);
  });

  test.each(["'/orders/_search'", "'/orders/list'", '`/shop/${id}`', "'/_views/by_status'", "'/a/_view/b'", 'url'])(
    'nothing that CouchDB alone has: %s',
    async (url) => {
      expect(await callsIn(`fetch(${url}); const other = '/_all_docs';`)).toEqual([]);
    },
  );

  test('a name for it, and what a function of others is given, is not', async () => {
    expect(await callsIn('const url = `${base}/shop/_all_docs`; fetch(url);')).toHaveLength(1);
    expect(await callsIn("load('/shop/_all_docs'); cache.get('/shop/_all_docs');")).toEqual([]);
  });
});

describe('options of the query string', () => {
  test.each([
    ['`/shop/_all_docs?include_docs=true&skip=${page * 10}`', ['include_docs: true', 'skip: page * 10'], false],
    ['`/shop/_all_docs${query}`', [], true],
    ['`/shop/_all_docs?${query}`', [], true],
    ['`/shop/_all_docs?limit=10${rest}`', ['limit: `/shop/_all_docs?limit=10${rest}`'], true],
    ["'/shop/_all_docs?' + 'limit=' + limit", ['limit: limit'], false],
    ["'/shop/_all_docs'", [], false],
    ["'/shop/_all_docs', options", [], true],
  ])('%s', async (text, options, isOpen) => {
    const [call] = await callsIn(`fetch(${text});`);
    expect(optionsOf(call)).toEqual(options);
    expect(call?.options.isOpen).toBe(isOpen);
  });

  test('are values where they are written', async () => {
    const [call] = await callsIn("fetch('/shop/_all_docs?include_docs=true&limit=10&startkey=%22a%22');");
    expect(call?.options.node?.entries.map(({ node }) => ('value' in node ? node.value : node.type))).toEqual([
      true,
      10,
      'unknown',
    ]);
  });
});

test.each([
  ["let url = `${base}/shop/_all_docs`; if (params) url += '?' + params; fetch(url);", 1],
  ['let url = `${base}/shop/_all_docs`; url = `${url}?${params}`; fetch(url);', 1],
  ["let url = `${base}/shop/_all_docs`; if (other) url = '/orders'; fetch(url);", 0],
])('a URL that more is appended to: %s', async (text, count) => {
  const calls = await callsIn(text);
  expect(calls.map(({ method, options }) => [method, options.isOpen])).toEqual(
    Array.from({ length: count }, () => ['all-docs', true]),
  );
});

test('the documents of a bulk write are its target', async () => {
  const [call] = await callsIn(
    "fetch('/shop/_bulk_docs', { method: 'POST', body: JSON.stringify({ docs: [{ _id: 'a' }] }) });",
  );
  expect(call).toMatchObject({ method: 'bulk-write', target: { type: 'array' } });
});

test('a loop repeats it with other keys', async () => {
  const [call] = await callsIn(
    'for (const key of keys) await fetch(`/shop/_design/orders/_view/by_status?key=${key}`);',
  );
  expect(call?.loop).toMatchObject({ form: 'for-of', changesTarget: true });
});

describe('the answer is followed to its rows', () => {
  const url = "'/shop/_design/orders/_view/by_status?include_docs=true'";
  const rows = '.rows.map((row) => row.doc.status).join()';
  test.each([
    [
      'fetch',
      `async () => { const answer = await fetch(${url}); if (answer.ok) print((await answer.json())${rows}); };`,
    ],
    ['fetch with then', `fetch(${url}).then((answer) => answer.json()).then((body) => print(body${rows}));`],
    ['axios', `const axios = require('axios'); const { data } = await axios.get(${url}); print(data${rows});`],
    ['AngularJS', `$http.get(${url}).success(function (data) { print(data${rows}); }).error(fail);`],
    ['AngularJS with then', `$http({ 'url': ${url} }).then(function (answer) { print(answer.data${rows}); });`],
    [
      'request',
      `const request = require('request'); request(${url}, (error, _, body) => print(JSON.parse(body)${rows}));`,
    ],
    [
      'superagent',
      `const agent = require('superagent'); agent.get(${url}).end((error, answer) => print(answer.body${rows}));`,
    ],
    ['jQuery', `$.getJSON(${url}, function (body) { print(body${rows}); });`],
    ['jQuery with options', `$.ajax({ url: ${url}, success: function (body) { print(body${rows}); } });`],
    ['jQuery with done', `$.get(${url}).done(function (body) { print(body${rows}); });`],
  ])('by %s', async (_, text) => {
    const [call] = (await callsIn(text)).filter(({ method }) => method !== 'connect');
    expect(call?.result).toMatchObject({ use: 'used', rowMembers: ['doc'], docFields: ['status'] });
  });

  test("by an observable of Angular's client", async () => {
    const of = (/** @type {string} */ text) =>
      callsIn(
        `import { HttpClient } from '@angular/common/http'; class Orders { constructor(private http: HttpClient) {} load() { ${text} } }`,
        'orders.ts',
      );
    const [subscribed] = await of(`this.http.get(${url}).pipe(retry(2)).subscribe((body) => print(body${rows}));`);
    expect(subscribed?.result).toMatchObject({ docFields: ['status'] });
    const [mapped] = await of(
      `this.http.get(${url}).map((answer) => answer.json()).subscribe({ next: (body) => print(body${rows}) });`,
    );
    expect(mapped?.result).toMatchObject({ docFields: ['status'] });
    const [other] = await of(`this.http.get(${url}).pipe(switchMap(save)).subscribe((saved) => print(saved));`);
    expect(other?.result).toMatchObject({ docFields: null, rowMembers: null });
  });

  test.each([
    ['a stream', `const http = require('http'); http.get(${url}, (answer) => { answer.on('data', read); });`],
    ['a function that is not followed', `const rows = read(await fetch(${url}));`],
    ['a callback with a name', `$.getJSON(${url}, show);`],
    ['an option that is not followed', `$.ajax({ url: ${url}, success: show });`],
    ['the answer of a request in each step of a list', `const all = ids.map((id) => fetch(${url})); print(all.rows);`],
  ])('not by %s', async (_, text) => {
    const [call] = (await callsIn(text)).filter(({ method }) => method !== 'connect');
    expect(call?.result).toMatchObject({ rowMembers: null, docFields: null });
  });
});

test.each([
  ['a function that is called after CouchDB', "couchDBPost('/shop/_find', { selector: {} });", 'find'],
  ['the same for a list', "couch_get('/shop/_all_docs?limit=5');", 'all-docs'],
  [
    'a class of the project that is called a server',
    'class Server { post(path, body) {} } class Shop { server = new Server(); load() { return this.server.post(`${this.name}/_find`, {}); } }',
    'find',
  ],
])('by %s', async (_, text, method) => {
  expect((await callsIn(text)).map((call) => call.method)).toEqual([method]);
});

test('a route of a server is no request', async () => {
  expect(await callsIn("server.post('/shop/_find', answer); this.server.get(`${base}/_all_docs`);")).toEqual([]);
});
