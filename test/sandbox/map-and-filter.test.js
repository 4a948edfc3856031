import { afterAll, describe, expect, test } from 'vitest';
import { openSandbox } from '../helpers/internals.js';

const sandbox = openSandbox();
afterAll(() => sandbox.close());

const order = { _id: 'order-1', total: 5, items: [{ name: 'cup' }] };

/** @param {string} body of a map @param {Record<string, unknown>} [libraries] */
async function mapBody(body, libraries) {
  const [answer] = await sandbox.map({ source: `function (doc) { ${body} }`, libraries, docs: [order] });
  return answer;
}

describe('a map', () => {
  test('emits for each document', async () => {
    const source = 'function (doc) { for (var i = 0; i < doc.count; i++) emit(doc._id, i); }';
    const docs = [
      { _id: 'a', count: 2 },
      { _id: 'b', count: 0 },
    ];
    expect(await sandbox.map({ source, docs })).toEqual([
      {
        emits: [
          { key: 'a', value: 0 },
          { key: 'a', value: 1 },
        ],
      },
      { emits: [] },
    ]);
  });

  test.each([
    ['no value', 'emit(doc.total)', { key: 5, value: null }],
    ['no key', 'emit()', { key: null, value: null }],
    ['NaN', 'emit(NaN, [NaN])', { key: null, value: [null] }],
    ['an error', 'emit(1, new TypeError("sold"))', { key: 1, value: { error: 'TypeError', message: 'sold' } }],
    ['a part of the document', 'emit(1, doc.items)', { key: 1, value: [{ name: 'cup' }] }],
    ['what is changed afterwards', 'var o = {}; emit(1, o); o.late = true', { key: 1, value: { late: true } }],
    [
      'a member called __proto__',
      `emit(1, JSON.parse('{"__proto__": 1}'))`,
      { key: 1, value: JSON.parse('{"__proto__": 1}') },
    ],
  ])('emits %s', async (_, body, row) => {
    expect(await mapBody(body)).toEqual({ emits: [row] });
  });

  test.each([
    ['a member', 'doc.total = 6; emit(doc.total)', 5],
    ['a new member', 'doc.sold = true; emit(doc.sold)', null],
    ['a nested member', 'doc.items[0].name = "jug"; emit(doc.items[0].name)', 'cup'],
    ['a missing member', 'delete doc.total; emit(doc.total)', 5],
  ])('cannot change %s of the document', async (_, body, key) => {
    expect(await mapBody(body)).toEqual({ emits: [{ key, value: null }] });
  });

  test('that changes the document in strict mode throws', async () => {
    expect(await mapBody('"use strict"; doc.total = 6;')).toMatchObject({ error: { kind: 'threw' } });
  });

  test('that throws loses what it emitted, and the next document is mapped', async () => {
    const source = 'function (doc) { emit(1); if (!doc.total) throw new Error("no total"); }';
    expect(await sandbox.map({ source, docs: [{}, order] })).toEqual([
      { error: { kind: 'threw', message: 'Error: no total' } },
      { emits: [{ key: 1, value: null }] },
    ]);
  });

  test('keeps what it keeps between documents, as in CouchDB', async () => {
    const source = '(function () { var seen = 0; return function (doc) { seen += 1; emit(seen); }; })()';
    const answers = await sandbox.map({ source, docs: [{}, {}] });
    expect(answers.map((answer) => 'emits' in answer && answer.emits[0]?.key)).toEqual([1, 2]);
  });

  test('that emits without end runs out of time or memory', async () => {
    expect(await mapBody('while (true) emit(doc, doc)')).toMatchObject({
      error: { kind: expect.toBeOneOf(['steps', 'memory']) },
    });
  });

  test('that emits too much is told so', async () => {
    expect(await mapBody('for (var i = 0; i < 20; i++) emit(i, new Array(1e5).join("x"))')).toMatchObject({
      error: { kind: 'tooLarge' },
    });
  });
});

describe('require', () => {
  const libraries = {
    dates: 'exports.day = function (text) { return text.slice(0, 10); };',
    money: {
      tax: 'var rates = require("./rates"); module.exports = function (net) { return net * rates.normal; };',
      rates: 'exports.normal = require("../dates").day("2025-01-01T00") === "2025-01-01" ? 2 : 3;',
    },
    first: 'exports.name = "first"; exports.other = require("./second").name;',
    second: 'exports.name = "second"; exports.seen = require("./first").name;',
    broken: 'throw new Error("sold out");',
    wrong: 'exports = {',
    count: 'exports.n = (exports.n || 0) + 1;',
  };

  test.each([
    ['a module', 'require("views/lib/dates").day("2025-02-03T04:05")', '2025-02-03'],
    ['modules that require others from where they stand', 'require("views/lib/money/tax")(5)', 10],
    ['modules that require each other', 'require("views/lib/first")', { name: 'first', other: 'second' }],
    ['a module once', '[require("views/lib/count").n, require("views/lib/count").n]', [1, 1]],
  ])('gives %s', async (_, expression, key) => {
    expect(await mapBody(`emit(${expression})`, libraries)).toEqual({ emits: [{ key, value: null }] });
  });

  test.each([
    ['a module that is missing', 'views/lib/stock', 'Object has no property "stock"'],
    ['a folder', 'views/lib/money', 'Must require a JavaScript string, not: object'],
    ['a module of Node.js', 'fs', 'Object has no property "fs"'],
    ['a path from nowhere', '../dates', 'Object has no parent'],
    ['a module that throws', 'views/lib/broken', 'raised error Error: sold out'],
    ['a module that cannot be read', 'views/lib/wrong', 'raised error SyntaxError'],
    ['a member of every object', 'views/lib/constructor', 'Must require a JavaScript string'],
  ])('refuses %s', async (_, path, message) => {
    expect(await mapBody(`emit(require("${path}"))`, libraries)).toEqual({
      error: { kind: 'threw', message: expect.stringContaining(message) },
    });
  });

  test('has nothing where there are no libraries', async () => {
    expect(await mapBody('require("views/lib/dates")')).toMatchObject({ error: { kind: 'threw' } });
  });
});

describe('a filter', () => {
  test('lets pass what it returns something true for', async () => {
    const source = 'function (doc, req) { return doc.type === req.query.type && doc.total; }';
    const docs = [{ type: 'order', total: 1 }, { type: 'order', total: 0 }, { type: 'customer' }];
    expect(await sandbox.filter({ source, docs, req: { query: { type: 'order' } } })).toEqual([
      { passes: true },
      { passes: false },
      { passes: false },
    ]);
  });

  test('may change its document, which is its own', async () => {
    const [answer] = await sandbox.filter({
      source: 'function (doc) { doc.seen = true; return doc.seen; }',
      docs: [order],
    });
    expect(answer).toEqual({ passes: true });
    expect(order).not.toHaveProperty('seen');
  });

  test('that throws is an error of its document', async () => {
    const source = 'function (doc, req) { return doc.items.length > 0 && Object.keys(req).length === 0; }';
    expect(await sandbox.filter({ source, docs: [{}, order] })).toEqual([
      { error: { kind: 'threw', message: expect.stringContaining('TypeError') } },
      { passes: true },
    ]);
  });
});
