// The signature that is computed from a design document is the one that CouchDB has.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signatureOf } from '../../lib/cli/ci/index-builds.js';
import { indexGroupsOf } from '../../lib/facts/index-groups/index-groups.js';
import { COUCHDB_URL, ScratchDatabase } from '../helpers/couchdb.js';
import { readJson } from '../helpers/internals.js';
import { SourceFile } from '../helpers/read-source.js';

const MAP = "function (doc) { if (doc.type === 'order') emit(doc.date, null); }";
const byDate = { map: MAP };
const total = { map: 'function (doc) { emit(doc.customer, doc.total); }', reduce: '_sum' };

/** @type {[string, object | string][]} */
const VARIANTS = [
  ['one view', { views: { by_date: byDate } }],
  ['white space in a map', { views: { by_date: { map: `${MAP} ` } } }],
  ['another name of the view', { views: { by_day: byDate } }],
  ['two views', { views: { by_date: byDate, total } }],
  ['two views in another order', { views: { total, by_date: byDate } }],
  [
    'three views of one map, with and without reduce',
    { views: { a: byDate, b: { ...byDate, reduce: '_count' }, c: byDate, d: { ...byDate, reduce: '_sum' } } },
  ],
  [
    'views of one map in another order',
    { views: { c: byDate, d: { ...byDate, reduce: '_sum' }, a: byDate, b: { ...byDate, reduce: '_count' } } },
  ],
  ['members of a view in another order', { views: { total: { reduce: '_sum', map: total.map } } }],
  ['a language that is named', { language: 'javascript', views: { by_date: byDate } }],
  ['another language', { language: 'javascript_quickjs', views: { by_date: byDate } }],
  ['options', { options: { local_seq: true, include_design: false }, views: { by_date: byDate } }],
  ['options in another order', { options: { include_design: false, local_seq: true }, views: { by_date: byDate } }],
  [
    'options of other types',
    {
      options: {
        a: 255,
        b: 256,
        c: -1,
        d: 2147483648,
        e: -2147483649,
        f: 1.5,
        g: null,
        h: [1, 2, 3],
        i: [],
        j: [1, 256],
        k: {},
        l: [{ m: 'ü€😀' }],
        n: 12345678901234,
      },
      views: { by_date: byDate },
    },
  ],
  [
    'numbers as they are written',
    '{"options":{"a":1.0,"b":1e2,"c":1E-2,"d":-0,"e":-0.0,"f":123456789012345678901234567890,"g":0.1,"h":100},"views":{"v":{"map":"function (doc) {}"}}}',
  ],
  ['options of a view', { views: { by_date: { ...byDate, options: { collation: 'raw', n: 1 } }, other: byDate } }],
  [
    'options of views that differ in the type of a number',
    '{"views":{"a":{"map":"function (doc) {}","options":{"n":1}},"b":{"map":"function (doc) {}","options":{"n":1.0}}}}',
  ],
  ['a library', { views: { lib: { b: 'exports.b = 1;', a: 'exports.a = 1;' }, by_date: byDate } }],
  [
    'a library with folders',
    {
      views: {
        by_date: byDate,
        lib: { z: 'exports.z = 1;', money: { tax: 'exports.tax = 1;', empty: {}, round: 'exports.round = 1;' } },
      },
    },
  ],
  ['a library with a module called map', { views: { lib: { map: 'function (doc) {}' }, by_date: byDate } }],
  [
    'a filter and a validation beside it',
    {
      filters: { open: 'function (doc) { return true; }' },
      validate_doc_update: 'function () {}',
      views: { by_date: byDate },
    },
  ],
  ['attachments and members of its own', { note: 'ours', views: { by_date: byDate } }],
  [
    'a text with every kind of character',
    {
      views: {
        by_date: { map: `function (doc) { emit("äß€😀\\u0000\\n\\t\\"\\\\", null); } // ${'x'.repeat(70_000)}` },
      },
    },
  ],
  [
    'names with umlauts, whose bytes have another order',
    {
      views: {
        ä: { map: 'function (doc) { /* 1 */ }' },
        z: { map: 'function (doc) { /* 2 */ }' },
        '😀': { map: 'function (doc) { /* \ufb00 */ }' },
        '\ufb00': { map: 'function (doc) { /* 😀 */ }' },
      },
    },
  ],
  [
    'a name twice in one object',
    '{"views":{"a":{"map":"function (doc) { /* 1 */ }"},"b":{"map":"function (doc) {}"},"a":{"map":"function (doc) { /* 2 */ }","map":"function (doc) { /* 3 */ }"}},"options":{"x":1,"y":2,"x":3}}',
  ],
  [
    'the name __proto__',
    '{"views":{"__proto__":{"map":"function (doc) {}"},"constructor":{"map":"function (doc) {}"}},"options":{"__proto__":1}}',
  ],
  [
    'three hundred views',
    {
      views: Object.fromEntries(
        Array.from({ length: 300 }, (_, n) => [
          `v${n}`,
          { map: `function (doc) { emit(${n}); }`, ...(n % 3 ? { reduce: '_count' } : {}) },
        ]),
      ),
    },
  ],
  ['an Erlang view', { language: 'erlang', views: { by_date: { map: 'fun({Doc}) -> Emit(1, null) end.' } } }],
  [
    'a Mango index',
    {
      language: 'query',
      views: {
        'by-date': {
          map: { fields: { date: 'asc', customer: 'asc' }, partial_filter_selector: { type: { $eq: 'order' } } },
          reduce: '_count',
          options: { def: { fields: ['date', 'customer'] } },
        },
      },
    },
  ],
  [
    'two Mango indexes',
    {
      language: 'query',
      views: {
        b: { map: { fields: { date: 'asc' } }, reduce: '_count', options: { def: { fields: ['date'] } } },
        a: {
          map: { fields: { customer: 'desc' } },
          reduce: '_count',
          options: { def: { fields: [{ customer: 'desc' }] } },
        },
      },
    },
  ],
];

describe.skipIf(!COUCHDB_URL)('the signature that couch-advisor computes is that of `_info`', () => {
  const database = new ScratchDatabase(COUCHDB_URL ?? 'http://localhost');
  beforeAll(async () => {
    await database.create();
  });
  afterAll(async () => {
    await database.drop();
  });

  test.each(VARIANTS)('of %s', async (_name, document) => {
    const text = typeof document === 'string' ? document : JSON.stringify(document);
    const withId = text.replace('{', '{"_id":"_design/orders",');
    const { records } = await readJson(new SourceFile('orders.json', withId), { isDiscovered: false });
    const [record] = records;
    if (record?.kind !== 'design-doc') throw new Error('no design document was read');
    const [group] = indexGroupsOf(record);
    const id = `/_design/${VARIANTS.findIndex(([name]) => name === _name)}`;
    // As it is written: JSON.parse would lose what is under test.
    const answer = await fetch(`${database.origin}/${database.name}${id}`, {
      method: 'PUT',
      headers: { authorization: database.authorization, 'content-type': 'application/json' },
      body: text,
    });
    expect(await answer.json()).toMatchObject({ ok: true });
    const info = await database.ask('GET', `${id}/_info`);
    expect(group && signatureOf(group)).toBe(info.answer.view_index.signature);
  });
});
