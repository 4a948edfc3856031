import { expect, test } from 'vitest';
import { factCatalog } from '../../../lib/facts/catalog.js';
import { createAsk } from '../../../lib/facts/collect.js';
import { createSubjects } from '../../../lib/facts/subjects.js';
import { SourceFile } from '../../../lib/shared/source-file.js';
import { readJson } from '../../../lib/sources/design-docs/json.js';
import { readAnswers } from '../../../lib/sources/live/read-answers.js';
import { readServerConfig } from '../../../lib/sources/server-config.js';

/** @import { SourceRecord } from '../../../lib/sources/record.js' */

const UNKNOWN = 'cannot be told';
const VIEWS = { by_date: { map: 'function (doc) { emit(doc.date); }' } };

/**
 * @param {SourceRecord[]} records
 * @param {string} name
 * @param {string} version
 * @returns {unknown}
 */
function factOf(records, name, version) {
  const { subjects } = createSubjects(records, { version });
  const subject = subjects.find(({ kind }) => kind === 'design-doc');
  if (!subject) throw new Error('no design document');
  const fact = createAsk(factCatalog)(subject, `ddoc.${name}`);
  return 'unknown' in fact ? UNKNOWN : fact.value;
}

/**
 * @param {Record<string, unknown>} document
 * @returns {SourceRecord[]}
 */
function documentOf(document) {
  return readJson(new SourceFile('orders.json', JSON.stringify({ _id: '_design/orders', ...document }))).records;
}

/**
 * @param {unknown} language
 * @param {string} version
 * @param {string} [ini]
 * @returns {unknown}
 */
function stateOf(language, version, ini) {
  const config = ini === undefined ? [] : readServerConfig(new SourceFile('local.ini', ini)).records;
  return factOf([...documentOf({ language, views: VIEWS }), ...config], 'languageState', version);
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
  const text = JSON.stringify({ 'couch-advisor-answers': 1, origin: 'http://db:5984', answers });
  const { records } = readAnswers(new SourceFile('answers.json', text));
  expect(factOf(records, 'languageState', '3.5.0')).toBe(expected);
  // A file of another project says nothing about this server.
  const ini = readServerConfig(
    new SourceFile('local.ini', '[native_query_servers]\nenable_erlang_query_server = true'),
  );
  expect(factOf([...records, ...ini.records], 'languageState', '3.5.0')).toBe(expected);
});

test.each([
  ['javscript', 'javascript'],
  ['', 'javascript'],
  ['Erlan', 'erlang'],
  ['cofeescript', 'coffeescript'],
  ['python', UNKNOWN],
])('%j was meant as %s', (language, expected) => {
  expect(factOf(documentOf({ language, views: VIEWS }), 'languageMeant', '3.5.2')).toBe(expected);
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
  expect(factOf(documentOf({ language: 'erlang', ...document }), 'usesQueryServer', '3.5.2')).toBe(expected);
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
  const found = /** @type {{value: string}[]} */ (factOf(documentOf({ language, views }), 'customReduces', '3.2.2'));
  expect(found.map(({ value }) => value)).toEqual(expected);
});
