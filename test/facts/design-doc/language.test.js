import { expect, test } from 'vitest';
import { readFiles, UNKNOWN } from '../../helpers/facts-of.js';

const VIEWS = { by_date: { map: 'function (doc) { emit(doc.date); }' } };

/**
 * @param {Record<string, unknown>} document
 * @param {string} name
 * @param {string} [version]
 * @param {Record<string, string>} [others] files
 * @returns {unknown}
 */
function factOf(document, name, version, others) {
  const files = { 'orders.json': { _id: '_design/orders', ...document }, ...others };
  return readFiles(files, version).shortFact('design-doc', `ddoc.${name}`);
}

/**
 * @param {unknown} language
 * @param {string} version
 * @param {string} [ini]
 * @returns {unknown}
 */
function stateOf(language, version, ini) {
  /** @type {Record<string, string>} */
  const others = ini === undefined ? {} : { 'local.ini': ini };
  return factOf({ language, views: VIEWS }, 'languageState', version, others);
}

test.each([
  [undefined, '3.5.2', 'offered'],
  ['javascript', '1.6.1', 'offered'],
  ['coffeescript', '3.5.2', 'offered'],
  ['query', '3.5.2', 'offered'],
  ['JavaScript', '3.5.2', 'offered'],
  ['JavaScript', '2.3.0', 'offered'],
  ['JavaScript', '2.2.0', 'misspelt'],
  ['javascript_quickjs', '3.3.3', 'later'],
  ['javascript_quickjs', '3.4.0', 'offered'],
  ['javascript_spidermonkey', '3.4.0', 'offered'],
  ['javascript-quickjs', '3.5.2', 'misspelt'],
  ['javscript', '3.5.2', 'misspelt'],
  ['', '3.5.2', 'misspelt'],
  ['javascript6', '3.5.2', UNKNOWN],
  ['js', '3.5.2', UNKNOWN],
  ['python', '3.5.2', UNKNOWN],
  ['erlang', '3.5.2', UNKNOWN],
  ['__proto__', '3.5.2', UNKNOWN],
  [7, '3.5.2', UNKNOWN],
])('language %j on CouchDB %s without a configuration: %s', (language, version, expected) => {
  expect(stateOf(language, version)).toBe(expected);
});

test.each([
  ['erlang', 'enable_erlang_query_server = true', '3.5.2', 'offered'],
  ['Erlang', 'enable_erlang_query_server = true', '3.5.2', 'offered'],
  ['erlang', 'enable_erlang_query_server = false', '3.5.2', 'off'],
  ['erlang', 'erlang = {couch_native_process, start_link, []}', '3.5.2', 'offered'],
  ['erlang', 'erlang = {other_process, start_link, []}', '3.5.2', UNKNOWN],
  ['erlang', 'erlang = {other_process, start_link, []}', '2.2.0', 'offered'],
  ['erlang', 'enable_erlang_query_server = true', '2.2.0', UNKNOWN],
  ['erlang', 'other = 1', '3.5.2', UNKNOWN],
  ['stocklang', 'stocklang = {stock, start_link, []}', '2.2.0', 'offered'],
  ['stocklang', 'stocklang = {stock, start_link, []}', '2.3.0', UNKNOWN],
])('%s with [native_query_servers] %s on %s: %s', (language, line, version, expected) => {
  expect(stateOf(language, version, `[native_query_servers]\n${line}\n`)).toBe(expected);
});

test.each([
  ['2.2.0', 'offered'],
  ['2.3.0', 'unread'],
  ['3.5.2', 'unread'],
])('a query server of [query_servers] on %s: %s', (version, expected) => {
  expect(stateOf('python', version, '[query_servers]\npython = couchpy\n')).toBe(expected);
});

test.each([
  [{}, 'off'],
  [{ native_query_servers: { enable_erlang_query_server: 'true' } }, 'offered'],
  [undefined, UNKNOWN],
])('Erlang on a server with the configuration %j: %s', (config, expected) => {
  const doc = { _id: '_design/orders', language: 'erlang', views: { by_date: { map: 'fun({Doc}) -> ok end.' } } };
  const answers = {
    '/': { couchdb: 'Welcome', version: '3.5.0' },
    ...(config ? { '/_node/_local/_config': { couchdb: { max_dbs_open: '500' }, ...config } } : {}),
    '/shop': { db_name: 'shop', doc_count: 1, doc_del_count: 0, cluster: { q: 2, n: 1 } },
    '/shop/_all_docs?startkey=%22_design%2F%22&endkey=%22_design0%22&include_docs=true': { rows: [{ doc }] },
  };
  const recorded = { 'answers.json': { 'couch-advisor-answers': 1, origin: 'http://db:5984', answers } };
  const stateIn = (/** @type {Record<string, string | object>} */ files) =>
    readFiles(files, '3.5.0').shortFact('design-doc', 'ddoc.languageState');
  expect(stateIn(recorded)).toBe(expected);
  // A file of another project says nothing about this server.
  const ini = '[native_query_servers]\nenable_erlang_query_server = true';
  expect(stateIn({ ...recorded, 'local.ini': ini })).toBe(expected);
});

test.each([
  ['javscript', 'javascript'],
  ['', 'javascript'],
  ['Erlan', 'erlang'],
  ['cofeescript', 'coffeescript'],
  ['python', UNKNOWN],
])('%j was meant as %s', (language, expected) => {
  expect(factOf({ language, views: VIEWS }, 'languageMeant')).toBe(expected);
});

test.each([
  [{ views: VIEWS }, true],
  [{ views: { lib: { tax: 'exports.rate = 1' } } }, false],
  [{ views: {} }, false],
  [{ filters: { open: 'function (doc) { return true; }' } }, true],
  [{ validate_doc_update: 'function () {}' }, true],
  [{ indexes: { search: { index: 'function (doc) {}' } } }, true],
  [{ title: 'orders' }, false],
])('%j has functions: %s', (document, expected) => {
  expect(factOf({ language: 'erlang', ...document }, 'usesQueryServer')).toBe(expected);
});

test.each([
  ['javascript', ['longest']],
  ['erlang', []],
])('views of a document in %s with a reduce in JavaScript: %j', (language, expected) => {
  const map = 'function (doc) { emit(doc.date, 1); }';
  const views = {
    count: { map, reduce: '_count' },
    longest: { map, reduce: 'function (k, v) { return v; }' },
    all: { map },
  };
  expect(factOf({ language, views }, 'customReduces', '3.2.2')).toEqual(expected);
});
