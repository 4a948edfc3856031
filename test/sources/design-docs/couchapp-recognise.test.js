import { expect, test } from 'vitest';
import { belongsToCouchapp, recogniseCouchapp } from '../../../lib/sources/design-docs/couchapp-recognise.js';
import { createTree } from '../../helpers/memory-tree.js';

const MAP = '// orders by customer\n/* all */\nfunction (doc) { emit(doc.customer, null); }';

/**
 * @param {Record<string, string>} texts below `shop/app`
 * @param {string} [folder]
 */
function recognise(texts, folder = 'shop/app') {
  const below = Object.entries(texts).map(([path, text]) => [`${folder}/${path}`, text]);
  return recogniseCouchapp(createTree(Object.fromEntries(below)), folder);
}

test.each([
  ['an id', { _id: '_design/app\n' }],
  ['a view and an id', { _id: '_design/app', 'views/all/map.js': MAP }],
  ['a view and a language', { language: 'javascript\n', 'views/all/map.js': 'anything' }],
  ['a view and the file of a tool', { '.couchapprc': '{}', 'views/all/map.js': 'anything' }],
  [
    'a validation function and the file of a tool',
    { 'couchapp.json': '{}', 'validate_doc_update.js': 'function () {}' },
  ],
  ['filters and a language', { language: 'javascript', 'filters/all.js': 'function (doc) {}' }],
  ['updates in Erlang', { language: 'erlang', 'updates/all.erl': 'fun() -> ok end.' }],
])('%s make a couchapp', async (_name, texts) => {
  expect(await recognise(texts)).toEqual({ isWhole: true });
});

test.each([
  ['a map', { 'views/all/map.js': MAP }],
  ['a map without ending', { 'views/all/map': MAP }],
  ['a map that is an arrow function', { 'views/all/map.js': '(doc) => { emit(doc._id); }' }],
  ['a map with a macro', { 'views/all/map.js': '// !code lib/a.js\nfunction(doc) { emit(1); }' }],
  ['a map in Erlang', { 'views/all/map.erl': 'fun({Doc}) -> Emit(1, null) end.' }],
  ['a map in Python', { 'views/all/map.py': 'def fun(doc):\n  yield doc["_id"], None' }],
  ['a map in CoffeeScript', { 'views/all/map.coffee': '# all\n(doc) -> emit doc._id, null' }],
])('%s alone makes a couchapp of the members that are known', async (_name, texts) => {
  expect(await recognise(texts)).toEqual({ isWhole: false });
});

test.each([
  ['_design', { 'filters/all.js': 'function (doc) {}' }],
  ['ddocs', { 'validate_doc_update.js': 'function () {}' }],
  ['ddocs', { 'views/all/map.js': 'anything' }],
])('a folder in %s is a couchapp by its functions', async (holder, texts) => {
  expect(await recognise(texts, `shop/${holder}/orders`)).toEqual({ isWhole: true });
});

test.each([
  [
    'templates of a web application',
    { 'views/orders/index.ejs': '<h1>', 'views/orders/map.ejs': '<div>', 'app.js': '' },
  ],
  ['a page with a map', { 'views/places/map.js': "import L from 'leaflet';\nexport default { emit: ['moved'] };" }],
  ['a component that emits', { 'views/places/map.js': 'const map = new Map();\nmap.emit("moved");' }],
  ['a CommonJS component', { 'views/places/map.js': "function map() { require('a').emit(1); }" }],
  ['modules of a web application', { 'lib/price.js': '', 'filters/price.js': '', 'views/order.pug': '' }],
  [
    'a Django application',
    { 'filters/__init__.py': '', 'views/orders.py': '', 'lists/a.py': '', 'language/de.po': '' },
  ],
  ['filters of templates beside views', { 'filters/date.js': '', 'views/order.html': '' }],
  ['a validation function alone', { 'validate_doc_update.js': 'function () {}' }],
  ['a language of the users', { language: 'German', 'lists/all.js': '' }],
  ['an id of another document', { _id: 'order-1', 'filters/all.js': '' }],
  ['a folder of a tool without functions', { '.couchapprc': '{}', 'index.html': '' }],
  ['an empty folder in one for design documents', {}],
])('%s is no couchapp', async (_name, texts) => {
  expect(await recognise(texts)).toBeUndefined();
});

test('the name of the folder above comes from the absolute path', async () => {
  const tree = createTree({ 'filters/all.js': 'function (doc) {}' });
  expect(await recogniseCouchapp(tree, '.')).toBeUndefined();
  expect(await recogniseCouchapp(tree, '.', '/home/shop/ddocs/orders')).toEqual({ isWhole: true });
});

test.each([
  ['views', true, true],
  ['validate_doc_update.js', true, true],
  ['_id', true, true],
  ['server', true, false],
  ['_attachments', false, false],
  ['.git', false, false],
])('%s belongs to a whole couchapp: %s, to the known members: %s', (name, whole, known) => {
  expect(belongsToCouchapp({ isWhole: true }, name)).toBe(whole);
  expect(belongsToCouchapp({ isWhole: false }, name)).toBe(known);
});
