import { expect, test } from 'vitest';
import { member } from '../../helpers/internals.js';
import { isLong } from '../../helpers/long.js';
import fc from '../../helpers/property.js';
import { readFixture } from '../../helpers/read-fixture.js';
import { readText, SourceFile } from '../../helpers/read-source.js';
import { checkReadResult } from '../../helpers/value-places.js';

/** @import { DesignDocRecord, MangoIndexRecord, ReadResult, ValueNode } from '../../../lib/sources/record.js' */

/** @param {string} path below `fixtures/design-docs/` */
async function read(path) {
  const file = readFixture(`design-docs/${path}`);
  const result = await readText(file);
  checkReadResult(file, result);
  return { file, ...result, docs: designDocs(result), indexes: mangoIndexes(result) };
}

/** @param {ReadResult} result @returns {DesignDocRecord[]} */
const designDocs = ({ records }) => records.filter((record) => record.kind === 'design-doc');

/** @param {ReadResult} result @returns {MangoIndexRecord[]} */
const mangoIndexes = ({ records }) => records.filter((record) => record.kind === 'mango-index');

/** @param {ValueNode | undefined} node @param {string[]} keys @returns {ValueNode | undefined} */
const at = (node, ...keys) => keys.reduce(member, node);

test.each([
  ['json-single/orders.json', '_design/orders'],
  ['json-single/orders-with-bom.json', '_design/orders'],
  ['json-single/without-id.json', null],
  ['json-single/mango-design-document.json', '_design/customers-by-city'],
  ['json-single/own-names.json', '_design/constructor'],
])('one design document in a file: %s', async (path, id) => {
  const { docs, records, errors, file } = await read(path);
  expect(errors).toEqual([]);
  expect(records).toHaveLength(1);
  expect(docs).toMatchObject([{ id, origin: 'json', group: 'design-docs/json-single', sameDatabase: false }]);
  expect(docs[0]?.file).toBe(file);
});

test('extra keys are kept, and names of built-in members are views like others', async () => {
  expect(at((await read('json-single/orders.json')).docs[0]?.node, 'project', 'owner')).toMatchObject({
    value: 'shop team',
  });
  const views = member((await read('json-single/own-names.json')).docs[0]?.node, 'views');
  expect(at(views, '__proto__', 'map')).toMatchObject({ value: 'function (doc) { emit(doc._id); }' });
  expect(at(views, 'constructor', 'map')).toMatchObject({ value: 'function (doc) { emit(doc.sku); }' });
});

test('a design document with members like those of a row is no row', async () => {
  const text =
    '{"_id": "_design/orders", "id": "o", "doc": {"_id": "_design/stock"}, "docs": [{"_id": "_design/customers"}]}';
  expect((await readText(text, 'a.json')).records).toMatchObject([{ id: '_design/orders' }]);
});

test.each([
  'json-wrapped/array.json',
  'json-wrapped/docs.json',
  'json-wrapped/all-docs.json',
  'json-wrapped/bulk-get.json',
  'json-wrapped/find.json',
  'json-wrapped/changes.json',
  'json-wrapped/php-dump.json',
])('design documents among others are found in a dump of one database: %s', async (path) => {
  const { docs, records, errors } = await read(path);
  expect(errors).toEqual([]);
  expect(records).toHaveLength(2);
  const shared = { origin: 'dump', group: `design-docs/${path}`, sameDatabase: true };
  expect(docs).toMatchObject([
    { id: '_design/orders', ...shared },
    { id: '_design/stock', ...shared },
  ]);
  expect(at(docs[1]?.node, 'views', 'all', 'map')).toMatchObject({
    value: 'function (doc) { emit(doc.stock, null); }',
  });
});

test('an array of one document is no dump', async () => {
  expect((await read('json-wrapped/array-of-one.json')).docs).toMatchObject([{ origin: 'json', sameDatabase: false }]);
});

test.each([
  ['views.by_date.map', 'function (doc) {\n  emit(doc.date, "é\\t");\n}'],
  ['views.by_date.reduce', 'function (keys, values) {\n  return sum(values);\n}'],
  ['views.lib.tax', 'exports.rate = 0.2;\nexports.of = function (n) { return n * 0.2; };'],
  ['views.lib.deep.names', 'exports.a = 1;'],
  ['filters.paid', 'function (doc) {\n  return doc.paid;\n}'],
  ['updates.touch', "function (doc, req) {\n  return [doc, 'ok'];\n}"],
  ['shows.one', 'function (doc) {\n  return doc._id;\n}'],
  ['lists.csv', "function (head) {\n  return '';\n}"],
  ['validate_doc_update', "function (doc) {\n\n  if (!doc.type) throw({forbidden: 'type'});\n}"],
  ['rewrites', "function (req) {\n  return '/';\n}"],
  ['indexes.text.index', "function (doc) {\n  index('default', doc.note);\n}"],
  ['nouveau.text.index', "function (doc) {\n  index('string', 'a', doc.a);\n}"],
  ['fulltext.text.index', 'function (doc) {\n  return new Document();\n}'],
  ['lib.dates', 'exports.year = 1;'],
])('an array of lines is one text in %s', async (path, value) => {
  const { docs } = await read('json-lines-of-function/orders.json');
  expect(at(docs[0]?.node, ...path.split('.'))).toMatchObject({ type: 'string', lines: true, value });
});

test('a place in an array of lines is that of its own string', async () => {
  const { docs, file } = await read('json-lines-of-function/orders.json');
  const map = at(docs[0]?.node, 'views', 'by_date', 'map');
  if (map?.type !== 'string') throw new Error('no map');
  const emit = map.value.indexOf('doc.date');
  const line = file.text.split('\n').findIndex((text) => text.includes('doc.date')) + 1;
  const column = (file.text.split('\n')[line - 1] ?? '').indexOf('doc.date') + 1;
  expect(map.text.place(emit, emit + 8)).toMatchObject({ line, column, endLine: line, endColumn: column + 8 });
  // The line feed stands between the strings.
  const feed = map.value.indexOf('\n');
  expect(map.text.place(feed, feed + 1)).toMatchObject({ line: line - 1, endLine: line });
});

test('arrays that are no lines of a function stay arrays', async () => {
  expect(member((await read('json-lines-of-function/orders.json')).docs[0]?.node, 'tags')?.type).toBe('array');
  const node = (await read('json-lines-of-function/kept-arrays.json')).docs[0]?.node;
  for (const path of [['rewrites'], ['views', 'mixed', 'map'], ['views', 'empty', 'map'], ['tags']]) {
    expect(at(node, ...path)?.type).toBe('array');
  }
});

test.each([
  ['mango-index/orders-by-customer.json', [['by-customer', 'orders-index']]],
  ['mango-index/fields-only.json', [[null, null]]],
  ['mango-index/text.json', [['all-text', null]]],
  [
    'mango-index/array.json',
    [
      ['by-sku', null],
      [null, 'customers'],
    ],
  ],
])('index definitions of Mango: %s', async (path, wanted) => {
  const { indexes, records, errors } = await read(path);
  expect(errors).toEqual([]);
  expect(indexes.map(({ name, ddoc }) => [name, ddoc])).toEqual(wanted);
  expect(indexes).toHaveLength(records.length);
  expect(indexes[0]?.group).toBe('design-docs/mango-index');
});

test.each([
  'package.json',
  'stock.geojson.json',
  'express-config.json',
  'translations.json',
  'dashboard.json',
  'search-settings.json',
  'vue-component.json',
  'data-document.json',
  'replication.json',
  'bulk-answer.json',
  'tsconfig.json',
])('what is not for CouchDB gives nothing: %s', async (name) => {
  expect(await read(`not-couchdb/${name}`)).toMatchObject({ records: [], errors: [] });
});

test.each([
  ['{"validate_doc_update": "function (n) {}"}', 1],
  ['{"validate_doc_update": "strict"}', 0],
  ['{"language": "javascript", "filters": {"paid": "function (doc) { return true; }"}}', 1],
  ['{"filters": {"paid": "function (doc) { return true; }"}}', 1],
  ['{"filters": {"currency": "function (value) { return value + 1; }"}}', 0],
  ['{"updates": {"touch": ["function (doc, req) {", "}"]}}', 1],
  ['{"indexes": {"a": {"index": "function (doc) { index(1); }"}}}', 1],
  ['{"indexes": {"a": {"index": "title => title.length"}}}', 0],
  ['{"language": "erlang", "views": {"a": {"map": "fun({Doc}) -> Emit(1, null) end."}}}', 1],
  ['{"language": "javascript", "indexes": {"a": {"index": "function (doc) { index(1); }"}}}', 1],
  ['{"language": "javascript", "nouveau": {"a": {"index": ["function (doc) {", "}"]}}}', 1],
  ['{"views": {"a": {"map": "doc => emit(doc._id)"}, "b": "oops"}}', 1],
  ['{"views": {"lib": {"a": "exports.a = 1"}}}', 0],
  ['{"language": "javascript", "views": {"lib": {"a": "exports.a = 1"}}}', 1],
  ['{"views": "oops", "_id": "_design/orders"}', 1],
  ['{"_id": "_design/orders", "_deleted": true}', 0],
  ['{"_id": 7, "views": {"a": {"map": "function (doc) {}"}}}', 0],
  ['{"index": {"fields": []}}', 0],
  ['{"index": {"fields": ["a"]}, "theme": "dark"}', 0],
  ['{"index": {"fields": [7]}}', 0],
  ['{"index": {}, "type": "json", "name": "a"}', 0],
  ['"_design/orders"', 0],
  ['null', 0],
])('%s gives %i records', async (text, count) => {
  expect((await readText(text, 'a.json')).records).toHaveLength(count);
});

test.each([
  ['truncated.json', 'truncated-json', 5, 56, 0],
  ['truncated-in-string.json', 'truncated-json', 3, 55, 0],
  ['truncated-dump.json', 'truncated-json', 3, 102, 1],
  ['duplicate-keys.json', 'duplicate-key', 5, 5, 1],
  ['tab-in-string.json', 'json-control-character', 3, 32, 1],
  ['missing-comma.json', 'invalid-json', 3, 3, 0],
  ['bad-escape.json', 'invalid-json', 3, 32, 0],
  ['javascript-function.json', 'invalid-json', 3, 32, 0],
  ['one-broken-of-three.json', 'invalid-json', 3, 31, 2],
  ['line-break-in-string.json', 'invalid-json', 3, 32, 0],
])('%s gives one clear error, and what is whole is read', async (name, code, line, column, count) => {
  const { errors, records } = await read(`json-broken/${name}`);
  expect(errors).toMatchObject([{ code, place: { line, column } }]);
  expect(records).toHaveLength(count);
});

test('comments and trailing commas are errors, and the document is read', async () => {
  const { errors, docs } = await read('json-broken/comments-and-commas.json');
  expect(errors).toMatchObject([
    { code: 'json-comment', place: { line: 2, column: 3 } },
    { code: 'json-trailing-comma', place: { line: 5, column: 60 } },
  ]);
  expect(docs).toMatchObject([{ id: '_design/orders' }]);
});

test('each broken document of an array is one error', async () => {
  const text =
    '[\n{"_id": "_design/orders" 1},\n{"_id": "_design/stock"},\n{"_id": "_design/customers", "a": [1 2]}\n]';
  const { errors, records } = await readText(text, 'a.json');
  expect(errors).toMatchObject([{ place: { line: 2, column: 26 } }, { place: { line: 4, column: 38 } }]);
  expect(records).toMatchObject([{ id: '_design/stock' }]);
});

test('what is wrong in a file nobody named is told only where the file seems to be for CouchDB', async () => {
  const broken = new SourceFile('a.json', '{"name": "shop",, }');
  expect((await readText(broken)).errors).toHaveLength(1);
  expect((await readText(broken, undefined, { isNamed: false })).errors).toEqual([]);
  const truncated = readFixture('design-docs/json-broken/truncated.json');
  expect((await readText(truncated, undefined, { isNamed: false })).errors).toHaveLength(1);
});

test('a data document 10,000 levels deep does not hide the design document beside it', async () => {
  const deep = `{"_id": "o-1", "a": ${'['.repeat(10_000)}${']'.repeat(10_000)}}`;
  const { records, errors } = await readText(`{"docs": [${deep}, {"_id": "_design/orders"}]}`);
  expect(errors).toEqual([]);
  expect(records).toMatchObject([{ id: '_design/orders' }]);
});

test('a design document 10,000 levels deep is one error', async () => {
  const text = `{"_id": "_design/orders", "a": ${'['.repeat(10_000)}${']'.repeat(10_000)}}`;
  const { records, errors } = await readText(text, 'a.json');
  expect(errors).toMatchObject([{ code: 'too-deep-json', place: { line: 1, column: 531 } }]);
  expect(records).toEqual([]);
});

test.each([
  ['a map of blanks', `{"views": {"a": {"map": "function${' '.repeat(1_000_000)}"}}}`, 0],
  ['a filter of blanks', `{"filters": {"a": "function${' '.repeat(1_000_000)}"}}`, 0],
  ['a tab behind a million escapes', `{"_id": "_design/orders", "a": "${'\\n'.repeat(1_000_000)}\t"}`, 1],
  ['20,000 lines of a function', `{"validate_doc_update": [${'"",'.repeat(20_000)}"function (n) {}"]}`, 1],
])('%s is read in good time', async (_, text, count) => {
  expect((await readText(text, 'a.json')).records).toHaveLength(count);
});

test.runIf(isLong)('10,000 design documents in one array are all read, each at its place', async () => {
  const docs = Array.from({ length: 10_000 }, (_, index) => ({
    _id: `_design/orders-${index}`,
    views: { by_date: { map: 'function (doc) {\n  emit(doc.date, null);\n}' } },
  }));
  const result = await readText(JSON.stringify(docs, null, 1), 'a.json');
  expect(result.errors).toEqual([]);
  const ids = designDocs(result).map(({ id }) => id);
  expect(ids).toEqual(docs.map(({ _id }) => _id));
  const last = designDocs(result).at(-1);
  expect(last?.file.place(last.node.start).line).toBe(2 + 9999 * 8);
});

test.runIf(isLong)('a dump of 50 MB with three design documents is read whole', async () => {
  const { records, errors } = await readText(largeDump(50e6), 'dump.json');
  expect(errors).toEqual([]);
  expect(records).toMatchObject([{ id: '_design/orders' }, { id: '_design/customers' }, { id: '_design/stock' }]);
});

/** @param {number} size in characters @returns {string} an answer of `_all_docs?include_docs=true` */
function largeDump(size) {
  const row = (/** @type {{_id: string}} */ doc) =>
    JSON.stringify({ id: doc._id, key: doc._id, value: { rev: '1-a' }, doc });
  const view = { all: { map: 'function (doc) { emit(doc._id, null); }' } };
  const lines = Array.from({ length: 12 }, (_, line) => ({
    sku: `s-${line}`,
    note: 'a "red" one\n',
    price: line * 1.5,
  }));
  const data = row({ _id: 'o-1', ...{ customer: 'c-1', lines } });
  const part = `${data},\n`.repeat(Math.floor(size / 3 / data.length));
  const [orders, customers, stock] = ['orders', 'customers', 'stock'].map((name) =>
    row({ _id: `_design/${name}`, ...{ views: view } }),
  );
  return `{"total_rows":3,"offset":0,"rows":[\n${part}${orders},\n${part}${customers},\n${part}${stock}\n]}\n`;
}

test('documents that were cut or changed at random never throw, and places stay in the file', async () => {
  const texts = [
    'json-single/orders.json',
    'json-lines-of-function/orders.json',
    'json-wrapped/all-docs.json',
    'json-wrapped/bulk-get.json',
    'mango-index/orders-by-customer.json',
    'json-lines/documents.jsonl',
  ].map((path) => readFixture(`design-docs/${path}`).text);
  const added = fc.oneof(fc.string({ maxLength: 3 }), fc.constantFrom('"', '{', ']', '\\', '\n', '\ufeff', '\0', '//'));
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...texts), fc.nat(), fc.nat(9), added, async (text, offset, removed, more) => {
      const start = offset % (text.length + 1);
      const file = new SourceFile('a.json', text.slice(0, start) + more + text.slice(start + removed));
      checkReadResult(file, await readText(file));
      const cut = new SourceFile('a.json', text.slice(0, start));
      checkReadResult(cut, await readText(cut));
    }),
    { numRuns: 300 },
  );
});

test('any JSON is read without an error, also in the places of a design document', async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), fc.dictionary(fc.string(), fc.jsonValue()), async (value, extra) => {
      for (const whole of [
        value,
        { ...extra, _id: '_design/orders', views: value },
        {
          _id: '_design/orders',
          views: { a: value, lib: value },
          filters: value,
          rewrites: value,
          indexes: { a: value },
        },
        { docs: value },
        { rows: [value, { id: 'a', doc: value }] },
        { results: [value, { docs: value }] },
        { index: value, ddoc: 'a' },
        [value, { _id: '_design/orders' }],
      ]) {
        const file = new SourceFile('a.json', JSON.stringify(whole));
        const result = await readText(file);
        expect(result.errors).toEqual([]);
        checkReadResult(file, result);
      }
    }),
  );
});
