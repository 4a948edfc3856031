// The sandbox answers as a real CouchDB does: what functions see there, and what becomes of their answers.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COUCHDB_URL, ScratchDatabase } from '../helpers/couchdb.js';
import { openSandbox } from '../helpers/internals.js';

const docs = [
  { _id: 'order-1', total: 5, items: [{ name: 'cup' }], at: '2025-01-01' },
  { _id: 'order-2', total: 0.5, items: [], at: null },
];

const libraries = {
  dates: 'exports.day = function (text) { return String(text).slice(0, 10); };',
  money: { tax: 'exports.of = function (n) { return n * require("./rates").normal; };', rates: 'exports.normal = 2;' },
  first: 'exports.other = require("./second").name; exports.name = "first";',
  second: 'exports.name = "second"; exports.seen = typeof require("./first").name;',
  deep: { er: { up: 'exports.day = require("../../dates").day;' } },
};

/** @type {[string, string][]} */
const REDUCES = [
  ['arguments of the first and the second pass', 'function (keys, values, again) { return [keys, values, again]; }'],
  [
    'arrays of another realm',
    'function (k, v) { return [v instanceof Array, v.constructor === Array, Array.isArray(v), isArray(v)]; }',
  ],
  ['no require', 'function () { return typeof require; }'],
  ['the list of functions as this', 'function () { return [this.length, typeof this[0]]; }'],
  ['sum of numbers', 'function (k, v, again) { return again ? v[0] : sum(v); }'],
  ['sum of odd things', 'function () { return [sum([]), sum(["1", 2]), sum({ a: 1, b: 2 })]; }'],
  ['undefined', 'function () {}'],
  ['what is no JSON in a list', 'function () { return [NaN, undefined, Infinity, function () {}]; }'],
  ['negative zero', 'function () { return [-0, 0]; }'],
  ['members that are undefined', 'function () { return { a: undefined, b: 1 }; }'],
  ['an object with toJSON', 'function () { return { toJSON: function () { return "told"; } }; }'],
  ['a semicolon behind the function', 'function (k, v) { return 1; };'],
  ['comments around the function', '// counts\nfunction (k, v) { return 1; } // orders'],
  [
    'types of what is there',
    'function () { return [typeof emit, typeof log, typeof toJSON, typeof JSON, typeof isArray, typeof send]; }',
  ],
  ['types of what is not', 'function () { return [typeof console, typeof process, typeof setTimeout, typeof print]; }'],
  ['no state between calls', 'function () { total = typeof total === "number" ? total + 1 : 1; return total; }'],
];

/** @type {[string, string][]} */
const MAPS = [
  ['no key and no value', 'function (doc) { emit(); emit(null); emit(doc.total); }'],
  [
    'changes of the document',
    'function (doc) { doc.total = 7; doc.sold = 1; delete doc.at; emit(doc.total, [doc.sold, doc.at]); }',
  ],
  [
    'changes deep in the document',
    'function (doc) { doc.items.length = 0; if (doc.items[0]) doc.items[0].name = "jug"; emit(1, doc.items); }',
  ],
  ['changes in strict mode', 'function (doc) { "use strict"; emit(1); if (doc.at) doc.total = 7; emit(2); }'],
  ['what is changed after it was emitted', 'function (doc) { var o = {}; emit(1, o); o.late = doc._id; }'],
  ['errors as values', 'function (doc) { emit(1, new TypeError("sold")); }'],
  ['what is no JSON', 'function (doc) { emit(NaN, [undefined, NaN]); emit([undefined], { a: undefined }); }'],
  ['an exception', 'function (doc) { emit(1); doc.missing.name; }'],
  ['a module', 'function (doc) { emit(require("views/lib/dates").day(doc.at)); }'],
  [
    'modules in folders',
    'function (doc) { emit(require("views/lib/money/tax").of(doc.total), require("views/lib/deep/er/up").day(doc._id)); }',
  ],
  [
    'modules that require each other',
    'function (doc) { emit(require("views/lib/first"), require("views/lib/second")); }',
  ],
  ['a module that is missing', 'function (doc) { emit(1); require("views/lib/stock"); }'],
  ['realms', 'function (doc) { emit([doc.items instanceof Array, isArray(doc.items)], doc.constructor === Object); }'],
  ['dates', 'function (doc) { emit(new Date(doc.at).getTime(), Date.UTC(2025, 0, 1)); }'],
];

describe.skipIf(!COUCHDB_URL)('the sandbox beside a real CouchDB', () => {
  const database = new ScratchDatabase(COUCHDB_URL ?? 'http://localhost');
  const sandbox = openSandbox();
  beforeAll(async () => {
    await database.ask('PUT', '?q=1');
    await database.ask('POST', '/_bulk_docs', { docs });
  });
  afterAll(async () => {
    await sandbox.close();
    await database.drop();
  });

  test.each(REDUCES)('reduce: %s', async (_, reduce) => {
    const map = 'function (doc) { emit(doc.total, doc.total); }';
    const { id, status } = await database.save({ views: { reduced: { map, reduce } } });
    expect(status).toBe(201);
    const { answer } = await database.ask('GET', `/${id}/_view/reduced`);
    // One node, whose rows a query takes in reverse: order-1 has the greater key.
    const rows = docs.map((doc) => ({ id: doc._id, key: doc.total, value: doc.total }));
    const [told] = await sandbox.reduce({ source: reduce, trees: [{ parts: [{ rows }] }], isFresh: true });
    expect(told).toEqual({ value: answer.rows[0].value });
  });

  test.each(MAPS)('map: %s', async (_, map) => {
    const { id, status } = await database.save({ views: { lib: libraries, mapped: { map } } });
    expect(status).toBe(201);
    const { answer } = await database.ask('GET', `/${id}/_view/mapped`);
    const answers = await sandbox.map({
      source: map,
      libraries,
      docs: (await database.ask('GET', '/_all_docs?include_docs=true')).answer.rows
        .map((/** @type {{doc: {_id: string}}} */ row) => row.doc)
        .filter((/** @type {{_id: string}} */ doc) => !doc._id.startsWith('_')),
    });
    const rows = answers.flatMap((told, at) =>
      'emits' in told ? told.emits.map((row) => ({ id: docs[at]?._id, ...row })) : [],
    );
    const inAnyOrder = (/** @type {unknown[]} */ list) =>
      list.map((row) => JSON.stringify(row, ['id', 'key', 'value'])).sort();
    expect(rows).toHaveLength(answer.rows.length);
    expect(inAnyOrder(rows)).toEqual(inAnyOrder(answer.rows));
    expect(rows).toEqual(expect.arrayContaining(answer.rows));
  });
});
