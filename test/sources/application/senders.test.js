// Functions of a project that hand a URL on to a library of requests, and functions that make URLs.

import { expect, test } from 'vitest';
import { readTexts } from '../../helpers/application-code.js';

/**
 * @param {Record<string, string>} texts by path
 * @returns {Promise<string[]>} its calls
 */
async function callsOf(texts) {
  const { records } = await readTexts(texts);
  return records.map(
    ({ file, method, database, view, name }) =>
      `${file.path} ${method} ${database} ${view} ${name.replace(/\(.*/, '')}`,
  );
}

const FETCH =
  'export async function load(url, options) { const answer = await fetch(url, options); return answer.json(); }';

test.each([
  ['a URL', FETCH, "load('/shop/_all_docs')", 'all-docs shop null load'],
  [
    'the end of a URL',
    'export const load = (path) => fetch(base + path);',
    "load('/shop/_all_docs')",
    'all-docs shop null load',
  ],
  [
    'options',
    'export const load = ({ url, json = true, ...more }) => fetch(url, { ...more });',
    "const url = base + '/shop/_find'; load({ url, method: 'POST', body: { selector } })",
    'find shop null load',
  ],
  [
    'options with more',
    "const request = require('request'); export const load = (options, done) => request(Object.assign({ json: true }, options), done);",
    "load({ url: '/shop/_all_docs' }, show)",
    'all-docs shop null load',
  ],
  [
    'options that are made by a function',
    "const request = require('request'); export const load = (options, done) => request(options, done);",
    "load(post({ url: '/shop/_find', body }), show)",
    'find shop null load',
  ],
  [
    'a method first',
    'export function load(method, path, body) { return fetch(`${base}/${path}`, { method, body }); }',
    "load('POST', 'shop/_find', query)",
    'find shop null load',
  ],
  [
    'a URL to another function',
    `${FETCH} export const read = (path) => load(base + path, {});`,
    "read('/shop/_design/orders/_view/by_status')",
    'view shop by_status read',
  ],
  [
    'a URL as a member',
    'const load = {}; load.json = (url) => fetch(url); module.exports = { load };',
    "load.json('/shop/_all_docs')",
    'all-docs shop null load.json',
  ],
])('a function is given %s', async (_, store, text, expected) => {
  const calls = await callsOf({
    'store.js': store,
    'orders.js': `import { load, read } from './store.js'; export function orders() { ${text}; }`,
  });
  expect(calls).toEqual([`orders.js ${expected}`]);
});

test('a method of a class that a type shows', async () => {
  const calls = await callsOf({
    'admin.ts':
      'export class Admin { url(path: string): URL { const made = new URL(path.startsWith("/") ? path : `/${path}`, this.base); return made; } async json(path: string, init?: any) { const url = this.url(path, init?.query); return fetch(url, { ...init }); } }',
    'orders.ts':
      "import type { Admin } from './admin.js'; export class Orders { constructor(private readonly admin: Admin) {} list() { return this.admin.json('/shop/_all_docs'); } }",
  });
  expect(calls).toEqual(['orders.ts all-docs shop null this.admin.json']);
});

test.each([
  ['shows it to a log', 'export const load = (url) => log(url);'],
  ['sends a part of it', 'export const load = (url) => fetch(base + url + "/status");'],
  ['sends something else', 'export const load = (url) => fetch(base, { method: "POST", body: url });'],
])('a function that %s sends no request', async (_, store) => {
  expect(
    await callsOf({ 'store.js': store, 'orders.js': "import { load } from './store.js'; load('/shop/_all_docs');" }),
  ).toEqual([]);
});

test.each([
  ["[base, 'shop', '_find'].join('/')", 'find shop null'],
  ["url.resolve(base, 'shop/_find')", 'find shop null'],
  ["urlTo(shop, '_find')", 'find null null'],
  ["getUrl('shop/_all_docs', false, 'limit=0')", 'all-docs shop null'],
  ["made('_all_docs')", 'all-docs shop null'],
  ["made('_design/orders/_view/by_status')", 'view shop by_status'],
  ["new URL('/shop/_find', base).toString()", 'find shop null'],
  ["path ? '/shop/_find' : null", null],
])('the URL %s', async (url, expected) => {
  const calls = await callsOf({
    'orders.js': `const made = (rest) => \`\${base}/shop/\${rest}\`; const answer = fetch(${url}, { method: 'POST', body });`,
  });
  expect(calls).toEqual(expected === null ? [] : [`orders.js ${expected} fetch`]);
});

test('what a function sends is read with its own method, and no more than it is given', async () => {
  const { records } = await readTexts({
    'store.js':
      "export const drop = (url, options) => send(url, 'DELETE', options); const send = (url, method, options) => fetch(url, Object.assign({ method }, options)); export const list = (path, query) => fetch(couchUrl + path + '?' + stringify(query));",
    'orders.js':
      "import { drop, list } from './store.js'; export const remove = (id, rev) => drop(`${shop}/${id}?rev=${rev}`); export const all = () => list('/shop/_all_docs');",
  });
  expect(
    records.flatMap(({ file, method, options }) => (file.path === 'orders.js' ? [`${method} ${options.isOpen}`] : [])),
  ).toEqual(['remove true', 'all-docs true']);
});

test('a request for an old revision shows that it is one', async () => {
  const { records } = await readTexts({
    'store.js': 'export const load = (path, init) => fetch(couchUrl + path, init);',
    'orders.js':
      "import { load } from './store.js'; export const old = (id, rev) => load(`/shop/${id}?rev=${rev}`); export const older = (id, rev) => load(`/shop/${id}`, { query: { rev } }); export const any = (id, init) => load(`/shop/${id}`, init);",
  });
  expect(
    records.map(({ method, options }) => [method, ...(options.node?.entries ?? []).map(({ key }) => key)]),
  ).toEqual([['other'], ['get', 'rev'], ['get', 'rev'], ['other']]);
});

test('a document by a function that takes any path, and not by one that takes an id', async () => {
  const { records } = await readTexts({
    'a.js': `class Shop {
  async send(method, path, body) { return fetch(\`\${this.url}/\${this.db}/\${path}\`, { method, body: JSON.stringify(body) }); }
  one(id) { return fetch(\`\${this.url}/\${this.db}/\${id}\`); }
  all() { return this.send('GET', '_all_docs'); }
  get(id) { return this.send('GET', id); }
  put(doc) { return this.send('PUT', doc._id, doc); }
  load() { return this.one('order-1'); }
}`,
  });
  expect(records.filter(({ name }) => name.startsWith('this.')).map(({ method, name }) => [method, name])).toEqual([
    ['all-docs', "this.send('GET', '_all_docs')"],
    ['get', "this.send('GET', …)"],
    ['insert', "this.send('PUT', …)"],
  ]);
});
