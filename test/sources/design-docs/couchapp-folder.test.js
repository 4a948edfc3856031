import { expect, test } from 'vitest';
import { readCouchappFolder } from '../../../lib/sources/design-docs/couchapp-folder.js';
import { DiskTree } from '../../../lib/sources/disk-tree.js';
import { member } from '../../helpers/internals.js';
import { createTree, placeOf, plain } from '../../helpers/memory-tree.js';

/** @import { ValueNode } from '../../../lib/sources/record.js' */

const MAP = 'function (doc) {\n  emit(doc.customer, null);\n}\n';

/**
 * @param {Record<string, string>} texts
 * @param {string} [path]
 * @param {import('../../../lib/sources/design-docs/couchapp-folder.js').CouchappOptions} [options]
 */
async function read(texts, path = 'ddocs/orders', options = {}) {
  const { records, errors, files } = await readCouchappFolder(createTree(texts), path, options);
  const [record] = records;
  if (record && record.kind !== 'design-doc') throw new Error('no design document');
  return { record, errors, files, value: plain(record?.node) };
}

/**
 * @param {ValueNode | undefined} node
 * @param {string[]} path
 */
function at(node, ...path) {
  return path.reduce((/** @type {ValueNode | undefined} */ inner, key) => member(inner, key), node);
}

test('a folder becomes a document as couchapp tools make it', async () => {
  const { records, errors } = await readCouchappFolder(
    new DiskTree(process.cwd()),
    'fixtures/design-docs/couchapp/orders',
  );
  expect(errors).toEqual([]);
  const [record] = records;
  expect(record).toMatchObject({
    kind: 'design-doc',
    id: '_design/orders',
    origin: 'couchapp',
    group: 'fixtures/design-docs/couchapp',
    sameDatabase: false,
    file: { path: 'fixtures/design-docs/couchapp/orders/_id' },
  });
  expect(record?.kind === 'design-doc' && plain(record.node)).toEqual({
    _id: '_design/orders',
    couchapp: { name: 'orders of the shop' },
    filters: { orders: "function (doc, req) {\n  return doc.type === 'order';\n}" },
    language: 'javascript',
    lib: { price: 'exports.round = function (price) {\n  return Math.round(price);\n};' },
    lists: { table: "function (head, req) {\n  send('orders');\n}" },
    rewrites: [{ from: '/', to: '_list/table/by_day' }],
    shows: { order: 'function (doc, req) {\n  return doc.customer;\n}' },
    templates: { order: '<b>{{customer}}</b>' },
    updates: { pay: "function (doc, req) {\n  return [doc, 'done'];\n}" },
    validate_doc_update: "function (newDoc, oldDoc, userCtx) {\n  if (!newDoc.type) throw({ forbidden: 'type' });\n}",
    vendor: { tax: { germany: { rate: 0.19 } } },
    views: {
      by_customer: {
        map: "function (doc) {\n  if (doc.type === 'order') {\n    emit(doc.customer, doc.total);\n  }\n}",
        reduce: '_sum',
      },
      by_day: {
        map: "function (doc) {\n  var days = require('views/lib/days');\n  emit(days.of(doc.placed), null);\n}",
        reduce: '_count',
      },
      lib: { days: 'exports.of = function (time) {\n  return time.slice(0, 10);\n};' },
    },
  });
});

test('each function is placed in its own file', async () => {
  const { records } = await readCouchappFolder(new DiskTree(process.cwd()), 'fixtures/design-docs/couchapp/orders');
  const node = records[0]?.kind === 'design-doc' ? records[0].node : undefined;
  const folder = 'fixtures/design-docs/couchapp/orders';
  expect(placeOf(at(node, 'views', 'by_customer', 'map'), 'emit')).toBe(`${folder}/views/by_customer/map.js:3:5`);
  expect(placeOf(at(node, 'views', 'by_customer', 'reduce'), '_sum')).toBe(`${folder}/views/by_customer/reduce:1:1`);
  expect(at(node, 'views', 'by_customer')?.file.path).toBe(`${folder}/views/by_customer/map.js`);
  expect(at(node, 'rewrites')).toMatchObject({ start: 0, file: { path: `${folder}/rewrites.json` } });
});

test.each([
  ['the folder', {}, '_design/orders'],
  ['the first line of _id', { 'ddocs/orders/_id': '\n_design/sales\nmore' }, '_design/sales'],
  ['the folder where _id is empty', { 'ddocs/orders/_id': ' \n' }, '_design/orders'],
])('the id is that of %s', async (_name, texts, id) => {
  const { record, value } = await read({ 'ddocs/orders/views/all/map.js': MAP, ...texts });
  expect(record?.id).toBe(id);
  expect(value).toMatchObject({ _id: id });
});

test('the working directory itself has the name that it is given', async () => {
  const { record } = await read({ 'views/all/map.js': MAP }, '.', { name: 'stock' });
  expect(record).toMatchObject({ id: '_design/stock', group: '.', file: { path: 'views/all/map.js' } });
});

test.each([
  ['_attachments', 'ddocs/orders/_attachments/page.js'],
  ['_attachments in a vendor folder', 'ddocs/orders/vendor/tax/_attachments/page.js'],
  ['files that begin with a dot', 'ddocs/orders/views/all/.map.js'],
  ['special files of the tools', 'ddocs/orders/_docs/order.json'],
  ['installed packages', 'ddocs/orders/node_modules/tax/index.js'],
  ['what an editor leaves behind', 'ddocs/orders/views/all/map.js~'],
])('%s is no part of the document', async (_name, path) => {
  const { value, files } = await read({ 'ddocs/orders/views/all/map.js': MAP, [path]: '(' });
  expect(value).toEqual({ _id: '_design/orders', views: { all: { map: MAP.trim() } } });
  expect(files.map((file) => file.path)).toEqual(['ddocs/orders/views/all/map.js']);
});

test('a picture among the files is passed over', async () => {
  const { value, errors } = await read({ 'ddocs/orders/views/all/map.js': MAP, 'ddocs/orders/logo.png': '\x89PNG\0' });
  expect(value).toEqual({ _id: '_design/orders', views: { all: { map: MAP.trim() } } });
  expect(errors).toEqual([]);
});

test('only known members are read where the folder is not all couchapp', async () => {
  const texts = { 'app/views/all/map.js': MAP, 'app/server/index.js': 'start()', 'app/lib/price.js': 'exports.a = 1' };
  expect((await read(texts, 'app', { isWhole: false })).value).toEqual({
    _id: '_design/app',
    lib: { price: 'exports.a = 1' },
    views: { all: { map: MAP.trim() } },
  });
});

test('a JavaScript file comes before others of its name', async () => {
  const { value } = await read({
    'ddocs/orders/views/all/map.coffee': '(doc) -> emit 1',
    'ddocs/orders/views/all/map.js': MAP,
    'ddocs/orders/views/all/map.md': '# map',
  });
  expect(value).toMatchObject({ views: { all: { map: MAP.trim() } } });
});

test.each([
  ['map.erl', 'Erlang'],
  ['map.py', 'Python'],
  ['map.coffee', 'CoffeeScript'],
])('%s is not taken for JavaScript', async (name, language) => {
  const unknown = `it is written in ${language}, not JavaScript`;
  const path = `ddocs/orders/views/all/${name}`;
  expect((await read({ [path]: 'code' })).value).toMatchObject({ views: { all: { map: { unknown } } } });
  const javascript = { [path]: 'code', 'ddocs/orders/language': 'javascript\n' };
  expect((await read(javascript)).value).toMatchObject({ views: { all: { map: { unknown } } } });
  const declared = { [path]: 'code', 'ddocs/orders/language': `${language.toLowerCase()}\n` };
  expect((await read(declared)).value).toMatchObject({
    language: language.toLowerCase(),
    views: { all: { map: 'code' } },
  });
});

test('broken JSON is one error at its place, and the rest is read', async () => {
  const { value, errors } = await read({
    'ddocs/orders/views/all/map.js': MAP,
    'ddocs/orders/rewrites.json': '[{"a" 1}]',
  });
  expect(errors).toMatchObject([
    { code: 'invalid-json', place: { file: 'ddocs/orders/rewrites.json', line: 1, column: 7 } },
  ]);
  expect(value).toMatchObject({
    rewrites: { unknown: 'ddocs/orders/rewrites.json is not valid JSON' },
    views: { all: { map: MAP.trim() } },
  });
});

test('a file that cannot be read is one error, and the rest is read', async () => {
  const tree = createTree({ 'ddocs/orders/views/all/map.js': MAP });
  const { records, errors } = await readCouchappFolder(
    {
      list: (path) =>
        path === 'ddocs/orders' ? [...listOf(tree, path), { name: 'lib.js', isFolder: false }] : tree.list(path),
      read: tree.read,
    },
    'ddocs/orders',
  );
  expect(errors).toMatchObject([{ code: 'unreadable', message: 'ddocs/orders/lib.js cannot be read' }]);
  expect(records).toHaveLength(1);
});

test('an empty folder gives nothing', async () => {
  expect(await read({})).toEqual({ record: undefined, errors: [], files: [], value: undefined });
});

test('names that objects have already are members like any other', async () => {
  const { record } = await read({
    'ddocs/orders/views/__proto__/map.js': MAP,
    'ddocs/orders/views/constructor/map.js': MAP,
  });
  const views = member(record?.node, 'views');
  expect(views?.type === 'object' && views.entries.map((entry) => entry.key)).toEqual(['__proto__', 'constructor']);
});

test('a folder without end is read to a limit', async () => {
  /** @type {import('../../../lib/sources/design-docs/couchapp-tree.js').FileTree} */
  const tree = {
    list: (path) => [
      { name: 'again', isFolder: path.length < 20_000 },
      { name: 'other', isFolder: true },
      { name: 'note.txt', isFolder: false },
    ],
    read: createTree({}).read,
  };
  const endless = { ...tree, read: (/** @type {string} */ path) => createTree({ [path]: 'text' }).read(path) };
  const { errors, files } = await readCouchappFolder(endless, 'ddocs/orders');
  expect(files).toHaveLength(5000);
  expect(errors).toMatchObject([{ code: 'couchapp-too-large' }]);
});

/**
 * @param {import('../../../lib/sources/design-docs/couchapp-tree.js').FileTree} tree
 * @param {string} path
 * @returns {import('../../../lib/sources/design-docs/couchapp-tree.js').TreeEntry[]}
 */
function listOf(tree, path) {
  const entries = tree.list(path);
  return Array.isArray(entries) ? entries : [];
}
