import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { member } from '../../helpers/internals.js';
import { placeOf, plain } from '../../helpers/memory-tree.js';
import fc from '../../helpers/property.js';
import { readText, SourceFile } from '../../helpers/read-source.js';
import { checkInside } from '../../helpers/value-places.js';

/** @import { DesignDocRecord, ValueNode } from '../../../lib/sources/record.js' */

const FIXTURE = 'fixtures/design-docs/module/orders.js';
const MAP = 'function (doc) { emit(doc._id); }';

/**
 * @param {string} text
 * @param {string} [path]
 * @returns {Promise<DesignDocRecord[]>}
 */
async function read(text, path = 'couch/orders.js') {
  const { records, errors } = await readText(text, path);
  expect(errors).toEqual([]);
  return records.flatMap((record) => (record.kind === 'design-doc' ? [record] : []));
}

/**
 * @param {DesignDocRecord | undefined} record
 * @param {string[]} path
 */
function at(record, ...path) {
  return path.reduce((/** @type {ValueNode | undefined} */ inner, key) => member(inner, key), record?.node);
}

/**
 * @param {string} expression what the map is
 * @param {string} [before] statements before the document
 */
async function readMap(expression, before = '') {
  const [record] = await read(
    `${before}\nmodule.exports = {_id: '_design/orders', views: {all: {map: ${expression}}}};`,
  );
  return at(record, 'views', 'all', 'map');
}

test('a module is read with all that is written to its design document', async () => {
  const text = readFileSync(FIXTURE, 'utf8');
  const [record, ...others] = await read(text, FIXTURE);
  expect(others).toEqual([]);
  expect(record).toMatchObject({
    kind: 'design-doc',
    id: '_design/orders',
    origin: 'module',
    group: 'fixtures/design-docs/module',
    sameDatabase: false,
  });
  expect(plain(record?.node)).toEqual({
    _id: '_design/orders',
    views: {
      byCustomer: {
        map: "function (doc) {\n        if (doc.type === 'order') emit(doc.customer, doc.total);\n      }",
        reduce: '_sum',
      },
      byDay: { map: 'map(doc) {\n        emit(doc.placed.slice(0, 10));\n      }' },
      byType: { map: 'function (doc) {\n  if (doc.type === "order") emit(doc.type);\n}' },
      byStatus: { map: 'function mapStatus(doc) {\n  emit(doc.status);\n}', reduce: '_count' },
      byShop: { map: 'function (doc) {\n  emit(doc.shop);\n}' },
    },
    prices: { unknown: "'./prices.json' is loaded when the program runs" },
  });
  expect(placeOf(at(record, 'views', 'byCustomer', 'map'), 'emit')).toBe(`${FIXTURE}:12:35`);
  expect(placeOf(at(record, 'views', 'byDay', 'map'), 'emit')).toBe(`${FIXTURE}:18:9`);
  expect(placeOf(at(record, 'views', 'byType', 'map'), 'order')).toBe(`${FIXTURE}:4:15`);
  expect(placeOf(at(record, 'views', 'byType', 'map'), 'emit')).toBe(`${FIXTURE}:27:31`);
  expect(placeOf(at(record, 'views', 'byStatus', 'map'), 'emit')).toBe(`${FIXTURE}:35:3`);
  expect(placeOf(at(record, 'views', 'byShop', 'map'), 'emit')).toBe(`${FIXTURE}:32:52`);
});

const DOC = `{_id: '_design/orders', views: {all: {map: ${MAP}}}}`;

test.each([
  ['module.exports', `module.exports = ${DOC};`],
  ['exports and module.exports', `exports = module.exports = ${DOC};`],
  ['a member of exports', `exports.orders = ${DOC};`],
  ['members of exports', `exports._id = '_design/orders';\nexports.views = {all: {map: ${MAP}}};`],
  ['a default export', `export default ${DOC};`],
  ['a named export', `export const ddoc = ${DOC};`],
  ['named exports of the members', `export const _id = '_design/orders', views = {all: {map: ${MAP}}};`],
  ['names exported later', `const a = '_design/orders', b = {all: {map: ${MAP}}};\nexport {a as _id, b as views};`],
  ['an old global', `ddoc = {_id: '_design/orders'};\nddoc.views = ddoc.views || {};\nddoc.views.all = {map: ${MAP}};`],
  ['a name declared first', `let ddoc;\nddoc = ${DOC};`],
  ['an argument', `db.put(${DOC});`],
  ['an argument in a function', `async function install(db) { await db.put(${DOC}); }`],
  ['an array', `export default [${DOC}];`],
  ['an id beside it', `db.insert({views: {all: {map: ${MAP}}}}, '_design/orders', done);`],
  ['an id before it', `db.save('_design/orders', {views: {all: {map: ${MAP}}}});`],
  ['an id before views alone', `db.save('_design/orders', {all: {map: ${MAP}}});`],
  ['a name given with an id', `const ddoc = {views: {all: {map: ${MAP}}}};\ndb.insert(ddoc, '_design/orders');`],
  ['views under their own name', `const views = {all: {map: ${MAP}}};\nexport default {_id: '_design/orders', views};`],
  [
    'another name for the views',
    `const d = {_id: '_design/orders', views: {}}; const v = d.views; v.all = {map: ${MAP}};`,
  ],
  [
    'parts spread into it',
    `const base = {views: {all: {map: ${MAP}}}};\nexport default {_id: '_design/orders', ...base};`,
  ],
  [
    'a name that is exported at once',
    `const d = module.exports = {_id: '_design/orders', views: {}};\nd.views.all = {map: ${MAP}};`,
  ],
  ['a frozen object', `export default Object.freeze(${DOC});`],
  ['a program with a first line for the shell', `#!/usr/bin/env node\nmodule.exports = ${DOC};`],
  ['a byte order mark', `\ufeffmodule.exports = ${DOC};`],
  ['a sloppy script', `with (shop) {}\nmodule.exports = ${DOC};`],
])('a design document is found in %s', async (_name, text) => {
  const records = await read(text);
  expect(records.map(({ id }) => id)).toEqual(['_design/orders']);
  expect(plain(at(records[0], 'views'))).toEqual({ all: { map: MAP } });
  expect(placeOf(at(records[0], 'views', 'all', 'map'), 'emit')).toMatch(/^couch\/orders\.js:/);
});

test.each([
  ['a page with views', "export default {views: {home: {map: 'shop.png'}, list: {map: renderMap}}};"],
  ['a component that emits', "export default {views: {home: {map: function () { this.emit('moved'); }}}};"],
  ['a text that is no function', "compare({id: 'a', views: {a: {map: 'emit(doc._id)'}}});"],
  ['an id alone', "db.get({_id: '_design/orders', rev: 1});"],
  ['a document of data', `db.put({_id: 'order-1', views: {all: {map: ${MAP}}}});`],
  ['a call with an id and no document', "db.view('_design/orders', {key: 1});"],
  [
    'a document whose functions are parameters',
    "function f(n, m) { return {_id: '_design/' + n, views: {[n]: {map: String(m)}}}; }",
  ],
])('%s is no design document', async (_name, text) => {
  expect(await read(text)).toEqual([]);
});

test.each([
  ['an object', `module.exports = {all: {map: ${MAP}}, byDay: {map: day}};`],
  ['members', `exports.all = {map: ${MAP}}; exports.byDay = {map: day};`],
  ['members of another name', `var v = module.exports = exports = {};\nv.all = {map: ${MAP}}; v.byDay = {map: day};`],
])('views that a module exports as %s are read without a document', async (_name, text) => {
  const [record] = await read(text);
  expect(record).toMatchObject({ id: null });
  expect(plain(record?.node)).toEqual({
    views: { all: { map: MAP }, byDay: { map: { unknown: '`day` is not defined in this file' } } },
  });
});

test('several documents come in the order of the file', async () => {
  const text = "db.put({_id: '_design/b', views: {}});\nconst a = {_id: '_design/a', views: {}};\na.views.x = {};";
  expect((await read(text)).map(({ id }) => id)).toEqual(['_design/b', '_design/a']);
});

test.each([
  ['its name', 'couch/_design/stock.js', '_design/stock'],
  ['nothing', 'couch/stock.js', null],
])('without an id the document gets that of %s', async (_name, path, id) => {
  expect((await read(`module.exports = {views: {low: {map: ${MAP}}}};`, path))[0]?.id).toBe(id);
});

test('a document whose id is computed has none, and what is known of it is read', async () => {
  const [record] = await read(
    `db.put({_id: '_design/' + shop, views: {[shop]: {map: ${MAP}}, low: {map: lowStock}}});`,
  );
  expect(record?.id).toBeNull();
  expect(plain(at(record, 'views'))).toEqual({
    '[shop]': { map: MAP },
    low: { map: { unknown: '`lowStock` is not defined in this file' } },
  });
});

test.each([
  ['a function', MAP, MAP],
  ['an arrow function', 'doc => emit(doc._id)', 'doc => emit(doc._id)'],
  ['a function made a string', `${MAP.replace('function', '(function')}).toString()`, MAP],
  ['String()', `String(${MAP})`, MAP],
  ['a sum with nothing', `'' + ${MAP}`, MAP],
  ['a template of the function', `\`\${${MAP}}\``, MAP],
])('%s is a function', async (_name, expression, expected) => {
  expect(await readMap(expression)).toMatchObject({ type: 'string', value: expected, isFunction: true });
});

test.each([
  ['a string', String.raw`'emit("\x61\n")'`, 'emit("a\n")'],
  ['a template', '`emit(\\`a\\`)`', 'emit(`a`)'],
  ['a sum', "'emit(' + 1 + ')' + null", 'emit(1)null'],
  ['a sum of lines', "'function (doc) {\\n' +\n  'emit(1);\\n' +\n  '}'", 'function (doc) {\nemit(1);\n}'],
  ['lines', "['emit(1)', 'emit(2)']", 'emit(1)\nemit(2)'],
  ['lines joined', "['emit(1)', 'emit(2)'].join(';')", 'emit(1);emit(2)'],
  ['lines joined by nothing told', "['emit(1)', 2].join()", 'emit(1),2'],
  ['a function in parentheses', `'(' + ${MAP} + ')'`, `(${MAP})`],
])('%s is text', async (_name, expression, expected) => {
  const node = await readMap(expression);
  expect(node).toMatchObject({ type: 'string', value: expected });
  expect(node).not.toHaveProperty('isFunction');
});

test.each([
  ['a condition', 'old ? a : b', 'it depends on a condition'],
  ['a call', 'build()', 'it is the result of a call'],
  ['another file', "require('./map')", "'./map' is loaded when the program runs"],
  ['an import', 'imported', "`imported` comes from './maps.js'"],
  ['a name that changes', 'changing', '`changing` is assigned more than once'],
  ['a counter', 'count', '`count` changes while the program runs'],
  ['a name without a value', 'empty', '`empty` has no value here'],
  ['a name that is defined by itself', 'self', '`self` is defined in terms of itself'],
  ['a part of another value', 'part', '`part` is destructured from another value'],
  ['a member that is not there', 'maps.c', 'no such member is defined in this file'],
  ['a name of nobody', 'nobody', '`nobody` is not defined in this file'],
  ['a text with an unknown part', '`emit(${nobody})`', '`nobody` is not defined in this file'],
  ['a sum with an unknown part', "'emit(' + nobody", '`nobody` is not defined in this file'],
  ['a sum of numbers', "1 + 2 + 'a'", 'it is computed when the program runs'],
  ['an object made a string', 'String({})', 'an object is converted to a string'],
  ['a class', 'Shop', '`Shop` is a class'],
  ['a function of a block', 'late', '`late` is declared in a block that may not run'],
  ['the name of a class expression', 'Stock', '`Stock` is not defined in this file'],
  ['an expression', '/emit/', 'JSON has no such value'],
])('%s is unknown, and says why', async (_name, expression, reason) => {
  const before = `import imported from './maps.js';
    let changing = 'a'; changing = 'b';
    let count = 1; count++;
    let empty; const self = self + 'a'; const { part } = nobody;
    const maps = { a: 'b' }; class Shop {}
    if (imported) { function late() {} }
    use(class Stock {});`;
  expect(await readMap(expression, before)).toMatchObject({ type: 'unknown', reason });
});

test('a name stands for what its own scope says', async () => {
  const text = `const map = 'outer';
    function a(map) { return {_id: '_design/a', views: {x: {map}}}; }
    function b() { const map = 'inner'; return {_id: '_design/b', views: {x: {map}}}; }
    { let map = 'block'; db.put({_id: '_design/c', views: {x: {map}}}); }
    db.put({_id: '_design/d', views: {x: {map}}});`;
  expect((await read(text)).map((record) => plain(at(record, 'views', 'x', 'map')))).toEqual([
    { unknown: '`map` is a parameter' },
    'inner',
    'block',
    'outer',
  ]);
});

test('names that objects have already are keys like any other', async () => {
  const [record] = await read(
    `module.exports = {_id: '_design/orders', views: {constructor: {map: ${MAP}}, ['__proto__']: {map: ${MAP}}, __proto__: null}};`,
  );
  const views = at(record, 'views');
  expect(views?.type === 'object' && views.entries.map(({ key }) => key)).toEqual(['constructor', '__proto__']);
});

test('a key and a value stand where they are written', async () => {
  const text = `const d = {_id: '_design/a', views: {}};\nd.views['by day'] = {map: 'emit'};`;
  const views = at((await read(text))[0], 'views');
  const entry = views?.type === 'object' ? views.entries[0] : undefined;
  expect(text.slice(entry?.keyStart, entry?.keyEnd)).toBe("'by day'");
  expect(text.slice(entry?.node.start, entry?.node.end)).toBe("{map: 'emit'}");
});

test('a fix of a text keeps the escapes of its literal', async () => {
  const text = String.raw`db.put({_id: '_design/a', views: {a: {map: 'emit(\'a\');'}}});`;
  const [record] = await read(text);
  const map = at(record, 'views', 'a', 'map');
  const edit = map?.type === 'string' ? map.text.edit(5, 8, "'b'") : undefined;
  expect(edit).toMatchObject({ text: String.raw`\'b\'` });
  expect(text.slice(edit?.start, edit?.end)).toBe(String.raw`\'a\'`);
});

test.each([
  ['a module that is no JavaScript', 'module.exports = {_id: "_design/a",', 1, 36],
  ['a function alone', 'function (doc) {\n  emit(doc._id);\n}', 1, 10],
])('%s is an error only where it was named', async (_name, text, line, column) => {
  const file = new SourceFile('couch/a.js', text);
  expect(await readText(file, undefined, { isNamed: false })).toEqual({ records: [], errors: [] });
  expect(await readText(file)).toMatchObject({
    records: [],
    errors: [{ code: 'invalid-javascript', place: { file: 'couch/a.js', line, column } }],
  });
});

test.each([
  ['nested calls', `module.exports = ${'f('.repeat(10_000)}1${')'.repeat(10_000)}; // _design/`],
  ['nested objects', `db.put({_id: '_design/a', views: ${'{a:'.repeat(2000)}1${'}'.repeat(2000)}});`],
  ['a long chain of members', `db.put({_id: '_design/a', views: a${'.a'.repeat(50_000)}});`],
  ['a long sum', `db.put({_id: '_design/a', views: {a: {map: ${"'a' + ".repeat(3000)}'b'}}});`],
  [
    'names that double',
    `const a0 = 'emit'; ${Array.from({ length: 60 }, (_, n) => `const a${n + 1} = a${n} + a${n};`).join('')}
     db.put({_id: '_design/a', views: {a: {map: a60}}});`,
  ],
  ['names in a circle', `const a = b; const b = a; a.views = {}; db.put({_id: '_design/a', views: a});`],
])('%s end', async (_name, text) => {
  expect((await readText(text, 'couch/a.js')).records.length).toBeLessThan(2);
});

test('a module that was changed anywhere never throws, and its places stay inside the file', async () => {
  const texts = [
    readFileSync(FIXTURE, 'utf8'),
    `exports._id = '_design/a';\nexports.views = {a: {map: ${MAP}}};\nexports.views.b = {};`,
  ];
  const words = [
    'views',
    '{',
    '}',
    '(',
    ')',
    '`',
    "'",
    '${',
    '+',
    '.map',
    '=',
    ' = ddoc',
    '...',
    'exports',
    '[',
    ']',
    ',',
    ';',
    '\\',
    '\n',
    '\ud800',
    '=>',
    'ddoc.views',
    'this',
    '?.',
    '??',
    '#a',
    'async ',
    '*',
    'get ',
  ];
  const edit = fc.record({ at: fc.nat(), length: fc.nat({ max: 12 }), word: fc.constantFrom(...words) });
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...texts),
      fc.array(edit, { minLength: 1, maxLength: 4 }),
      async (original, edits) => {
        let text = original;
        for (const { at: start, length, word } of edits) {
          const offset = start % (text.length + 1);
          text = text.slice(0, offset) + word + text.slice(offset + length);
        }
        for (const record of (await readText(text, 'couch/a.js')).records) {
          if (record.kind === 'design-doc') checkInside(record.node);
        }
      },
    ),
    { numRuns: 3000 },
  );
});

test('a shuffled program never throws', async () => {
  const pieces = [
    'ddoc.views.a = {map: m};',
    "const ddoc = {_id: '_design/a', views: {}};",
    'function m(doc) { emit(1); }',
    'ddoc = m;',
    'const { a } = ddoc;',
    'ddoc.views = ddoc;',
    'module.exports = ddoc;',
    'module.exports.x = module.exports;',
    'var views = ddoc.views;',
    'views[m] = views;',
    'export { ddoc };',
    'exports = exports.a;',
    "db.insert(ddoc, '_design/b');",
    'for (ddoc of ddoc) {}',
    'ddoc.views.a.map = `${m}${ddoc}`;',
  ];
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...pieces), { maxLength: 12 }), async (chosen) => {
      for (const record of (await readText(chosen.join('\n'), 'couch/a.js', { isNamed: false })).records) {
        if (record.kind === 'design-doc') checkInside(record.node);
      }
    }),
    { numRuns: 2000 },
  );
});
