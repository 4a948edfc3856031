// Records what a real CouchDB says of the Mango queries below, in test/facts/mango/planner-cases.jsonl, which tests of the planner read
// where no server is at hand. It reports where the planner differs, and then writes nothing.
// COUCHDB_URL=http://admin:password@localhost:5984 node test/tools/record-mango-cases.js

import { writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { isDeepStrictEqual } from 'node:util';
import { compareWithServer } from '../helpers/mango-server.js';

const FILE = path.join(import.meta.dirname, '..', 'facts', 'mango', 'planner-cases.jsonl');
const TYPES = ['order', 'order', 'order', 'invoice', 'customer'];
const TOWNS = ['Aachen', 'aachen', 'Örebro', 'Oslo', 'Zürich', null];

const documents = Array.from({ length: 30 }, (_, at) => ({
  type: TYPES[at % 5],
  customer: `c${at % 4}`,
  ...(at % 7 === 3 ? {} : { total: at % 6 === 5 ? String(at) : at % 13 }),
  ...(at % 3 === 0 ? { status: 'open' } : { status: 'paid' }),
  address: at % 8 === 7 ? 'none' : { town: TOWNS[at % 6], lines: [`house ${at}`, at] },
  tags: at % 9 === 8 ? null : ['red', 'green', 'blue'].slice(0, at % 4),
  lines: Array.from({ length: at % 3 }, (_unused, line) => ({ sku: `s${line}`, count: at + line })),
  'price.net': at / 2,
}));

const partial = { status: 'open' };
/** @param {string} ddoc @param {string} name @param {(string | Record<string, string>)[]} fields @param {object} [filter] */
const index = (ddoc, name, fields, filter) => ({
  ddoc,
  name,
  index: { fields, ...(filter ? { partial_filter_selector: filter } : {}) },
});
const indexes = [
  index('orders', 'type-alone', ['type']),
  index('orders', 'by-type-total', ['type', 'total']),
  index('orders', 'by-type-customer-total', ['type', 'customer', 'total']),
  index('orders', 'by-total', [{ total: 'desc' }]),
  index('Customers', 'by-customer', ['customer']),
  index('customers', 'by-customer', ['customer']),
  index('towns', 'by-town', ['address.town']),
  index('net', 'by-net', ['price\\.net']),
  index('open', 'open-by-customer', ['customer'], partial),
  index('open', 'open-by-total', ['total', 'customer'], partial),
];

/** What the case shows, and the body of its request. @type {[string, Record<string, unknown>][]} */
const cases = [
  ['an empty selector reads all documents', { selector: {} }],
  ['of two indexes the one whose columns use more conditions is used', { selector: { type: 'order', total: 3 } }],
  ['of two such indexes the one with fewer columns is used', { selector: { type: 'order' } }],
  ['of two alike the first by its design document, in the order of bytes', { selector: { customer: 'c1' } }],
  [
    'a column that is not tested leaves documents out, so the index is not used',
    { selector: { customer: 'c1', status: 'open' } },
  ],
  ['a partial index is not used unless it is named', { selector: { customer: { $gt: 'c1' }, status: 'open' } }],
  [
    'a partial index is used where it is named',
    { selector: { customer: { $gt: 'c1' } }, use_index: ['open', 'open-by-customer'] },
  ],
  ['a design document names several indexes', { selector: { customer: 'c1', total: { $gt: 1 } }, use_index: 'open' }],
  [
    'a name with its design document in one text',
    { selector: { type: 'order' }, use_index: '_design/orders/type-alone' },
  ],
  ['another index is used where the named one cannot serve', { selector: { customer: 'c1' }, use_index: 'towns' }],
  ['unless that is forbidden', { selector: { customer: 'c1' }, use_index: 'towns', allow_fallback: false }],
  [
    'without a name, forbidding another one needs two usable indexes',
    { selector: { status: 'open' }, allow_fallback: false },
  ],
  ['and is met where there are two', { selector: { type: 'order' }, allow_fallback: false }],
  ['a name in three parts is refused', { selector: {}, use_index: 'a/b/c' }],
  ['a range of a number', { selector: { total: { $gte: 2, $lt: 5 } } }],
  ['a range without an upper end', { selector: { total: { $gt: 5 } } }],
  ['a range without a lower end', { selector: { total: { $lte: 2 } } }],
  ['two conditions that make an equality', { selector: { total: { $gte: 3, $lte: 3 } } }],
  ['two conditions that exclude each other', { selector: { total: { $gt: 5, $lt: 2 } } }],
  ['ends that meet, the upper one left out', { selector: { total: { $gte: 3, $lt: 3 } } }],
  ['ends that meet, the lower one left out', { selector: { total: { $gt: 3, $lte: 3 } } }],
  ['ends that meet, the upper one first', { selector: { total: { $lt: 3, $gte: 3 } } }],
  ['ends that meet, the lower one second and left out', { selector: { total: { $lte: 3, $gt: 3 } } }],
  ['ends that meet in an equality, the upper one first', { selector: { total: { $lte: 3, $gte: 3 } } }],
  ['an equality at an end that is left out', { selector: { total: { $gt: 3, $eq: 3 } } }],
  ['an equality at an end that is read', { selector: { total: { $lte: 3, $eq: 3 } } }],
  ['an equality, then an end there that is left out', { selector: { total: { $eq: 3, $lt: 3 } } }],
  ['two equal ends, the second left out', { selector: { type: 'order', total: { $gte: 3, $gt: 3 } } }],
  [
    'of two that use as many conditions, the one with fewer columns',
    { selector: { type: 'order', total: { $ne: 3 } } },
  ],
  ['an equality and one of another value', { selector: { $and: [{ total: 1 }, { total: 2 }] } }],
  ['an exclusion on a second column', { selector: { type: 'order', total: { $gt: 5, $lt: 2 } } }],
  ['$ne has no range, but requires the field', { selector: { total: { $ne: 3 } } }],
  ['$in has no range', { selector: { customer: { $in: ['c1', 'c2'] } } }],
  ['$exists opens the whole index', { selector: { total: { $exists: true } } }],
  ['$exists: false cannot be served by an index', { selector: { total: { $exists: false } } }],
  ['$beginsWith is a range', { selector: { 'address.town': { $beginsWith: 'Aa' } } }],
  ['$beginsWith below another condition fails', { selector: { 'address.town': { $lt: 'A', $beginsWith: 'Z' } } }],
  ['nested fields', { selector: { address: { town: 'Oslo' } } }],
  ['a field with a dot in its name', { selector: { 'price\\.net': { $lt: 4 } } }],
  ['an item of an array', { selector: { 'address.lines.1': { $gt: 25 } } }],
  ['texts compare by collation', { selector: { 'address.town': { $gte: 'Ö' } } }],
  ['null is a value', { selector: { 'address.town': null } }],
  ['numbers come before texts', { selector: { total: { $gt: 9 } }, limit: 100 }],
  ['$or where both sides test the column', { selector: { $or: [{ total: 1 }, { total: { $gt: 10 } }] } }],
  ['$or where one side does not', { selector: { $or: [{ total: 1 }, { customer: 'c1' }] } }],
  ['an empty $or matches nothing', { selector: { $or: [] } }],
  ['an empty $or beside another condition is no condition', { selector: { customer: 'c1', $or: [] } }],
  ['$nor turns comparisons around', { selector: { $nor: [{ total: { $lt: 5 } }, { customer: 'c1' }] } }],
  ['$not of a comparison is the opposite one', { selector: { total: { $not: { $lt: 8 } } } }],
  ['$not of a regular expression stays', { selector: { customer: { $not: { $regex: '^c[12]$' } } } }],
  ['$elemMatch', { selector: { lines: { $elemMatch: { count: { $gt: 25 } } } } }],
  ['$allMatch needs an element', { selector: { lines: { $allMatch: { count: { $gt: 5 } } } } }],
  ['$keyMapMatch', { selector: { address: { $keyMapMatch: { $beginsWith: 'to' } } } }],
  ['$all', { selector: { tags: { $all: ['red', 'green'] } } }],
  ['$size', { selector: { tags: { $size: 0 } } }],
  ['$mod', { selector: { total: { $mod: [3, 1] } } }],
  ['$type', { selector: { total: { $type: 'string' } } }],
  ['$in on an array is met by one of its items', { selector: { tags: { $in: ['blue'] } } }],
  ['a range of ids', { selector: { _id: { $gte: 'doc-2', $lt: 'doc-3' } } }],
  ['a sort by a column', { selector: { total: { $gt: 1 } }, sort: ['total'], limit: 5 }],
  [
    'a sort in descending order turns the range',
    { selector: { type: 'order', total: { $gt: 1 } }, sort: [{ type: 'desc' }, { total: 'desc' }], limit: 4 },
  ],
  [
    'a sort behind a column that is compared by equality',
    { selector: { type: 'order', total: { $gt: 1 } }, sort: ['total'] },
  ],
  ['a sort alone makes an index usable', { selector: { status: 'open' }, sort: ['total'] }],
  ['a sort that no index serves', { selector: { status: 'open' }, sort: ['status'] }],
  ['a sort by _id needs a condition on it', { selector: { type: 'order' }, sort: ['_id'] }],
  ['with one it reads ids', { selector: { _id: { $gt: null } }, sort: [{ _id: 'desc' }], limit: 3 }],
  ['a sort in two directions', { selector: {}, sort: [{ type: 'asc' }, { total: 'desc' }] }],
  ['a sort that is no list', { selector: {}, sort: 'type' }],
  ['a sort with an unknown direction', { selector: {}, sort: [{ type: 'up' }] }],
  [
    'an index that holds all fields covers the query',
    { selector: { type: 'order', total: { $gt: 1 } }, fields: ['_id', 'total'], limit: 100 },
  ],
  [
    'a field that it does not hold is read from documents',
    { selector: { type: 'order', total: { $gt: 1 } }, fields: ['_id', 'status'] },
  ],
  ['an index covers a nested field', { selector: { 'address.town': { $gt: 'B' } }, fields: ['address.town', '_id'] }],
  ['a limit reads on to the result behind the last', { selector: { type: 'order', status: 'open' }, limit: 2 }],
  ['a limit of 0 reads to the first result', { selector: { status: 'open' }, limit: 0 }],
  ['what is skipped is read', { selector: { type: 'order' }, skip: 3, limit: 2 }],
  ['an object with two members as a value fails', { selector: { address: { $eq: { town: 'Oslo', lines: [] } } } }],
  ['null in $in fails', { selector: { 'address.town': { $in: [null, 'Oslo'] } } }],
  ['an unknown operator', { selector: { total: { $near: 1 }, type: { $foo: 1 } } }],
  ['$exists of a number', { selector: { total: { $exists: 1 } } }],
  ['a field without a name', { selector: { '': 1 } }],
  ['a field without a name among others is no error', { selector: { type: 'order', '': 1 } }],
  ['a regular expression that is none', { selector: { type: { $regex: '(' } } }],
  ['fields that are no list', { selector: {}, fields: 'type' }],
  ['$text without a text index', { selector: { $text: 'red' } }],
  ['$text beside a condition', { selector: { type: 'order', $text: 'red' } }],
];

const url = process.env['COUCHDB_URL'];
if (url === undefined) throw new Error('COUCHDB_URL names the server: http://admin:password@localhost:5984');
const recorded = await compareWithServer(url, { indexes, documents, queries: cases.map(([, body]) => body) });
const rows = recorded.compared.map(({ body, server, serverReads }, at) => ({
  title: cases[at]?.[0],
  body,
  plan: server,
  ...(serverReads && !('error' in server) ? { reads: serverReads } : {}),
}));
const different = recorded.compared.filter(
  ({ here, server, hereReads, serverReads }) =>
    !isDeepStrictEqual(here, server) || (serverReads && hereReads && !isDeepStrictEqual(hereReads, serverReads)),
);
for (const one of different) process.stdout.write(`${JSON.stringify(one, undefined, 2)}\n`);
if (different.length === 0) {
  const { version, indexes: listed, documents: stored } = recorded;
  const lines = [
    { version },
    ...listed.map((one) => ({ index: one })),
    ...stored.map((one) => ({ document: one })),
    ...rows.map((one) => ({ case: one })),
  ];
  writeFileSync(FILE, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}
process.stdout.write(`${rows.length} cases, ${different.length} differ\n`);
