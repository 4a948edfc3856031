// Facts about how much a call reads, and what the program does with the list that comes back.

import { expect, test } from 'vitest';
import { createProject } from '../../helpers/temporary-project.js';

const SHOP = "const nano = require('nano');\nconst shop = nano(process.env.COUCHDB_URL).use('shop');\n";

/**
 * @param {string} code of a function
 * @param {string} [head] what stands before it
 * @returns {Promise<Record<string, unknown>>} facts of its last call by their ids; `unknown` for the others
 */
async function factsOf(code, head = SHOP) {
  const { stdout } = await createProject({ 'a.js': `${head}async function f(id, page, size) {\n${code}\n}\n` }).run([
    'facts',
    '--format',
    'json',
  ]);
  const call = JSON.parse(stdout).subjects.findLast((/** @type {{kind: string}} */ { kind }) => kind === 'call');
  return Object.fromEntries(
    Object.entries(/** @type {Record<string, {value?: unknown}>} */ (call.facts)).map(([id, { value = 'unknown' }]) => {
      return [id, Array.isArray(value) ? value.map((item) => item.value ?? item) : value];
    }),
  );
}

test.each([
  ['const { docs } = await shop.find({ selector: {} }); docs.forEach(print);', { 'call.listUse': 'all' }],
  ['const { docs } = await shop.find({ selector: {} }); docs.forEach((doc) => print(doc));', { 'call.listUse': 'all' }],
  ['return (await shop.find({ selector: {} })).docs.length;', { 'call.listUse': 'counted' }],
  ['return (await shop.find({ selector: {} })).docs[0].total;', { 'call.listUse': 'one' }],
  ['return (await shop.find({ selector: {} })).docs.length > 0;', { 'call.listUse': 'none' }],
  ['return shop.find({ selector: {} });', { 'call.listUse': 'unknown' }],
  [
    'await shop.find({ selector: { _id: id }, bookmark });',
    {
      'call.continues': true,
      'call.selectsOneId': true,
      'call.findInPages': 'await shop.find({ selector: { _id: id }, limit: 200, bookmark })',
    },
  ],
  ['await shop.find({ selector: { _id: { $eq: id } } });', { 'call.continues': false, 'call.selectsOneId': true }],
  ["await shop.find({ selector: { _id: { $gt: 'order' } } });", { 'call.selectsOneId': false }],
  ['await shop.find({ selector: { _id: size < 0 ? id : { $gte: id, $lt: page } } });', { 'call.selectsOneId': false }],
  ['await shop.find({ selector: { _id: id ? { $gte: id } : page } });', { 'call.selectsOneId': false }],
  ['await shop.find({ selector: { _id: id ? `order:${id}` : page } });', { 'call.selectsOneId': true }],
  ['await shop.find({ selector: { _id: id?.of({ page: {} }) } });', { 'call.selectsOneId': true }],
  [
    'await shop.find({ selector, skip: page * 50, limit: 50 });',
    { 'call.findInPages': 'await shop.find({ selector, limit: 50, bookmark })' },
  ],
  [
    'shop.find({ selector, sort }, (error, body) => print(body));',
    { 'call.findInPages': 'shop.find({ selector, sort, limit: 200, bookmark }, …)' },
  ],
  ['await shop.find(query);', { 'call.findInPages': 'await shop.find({ ...query, limit: 200, bookmark })' }],
  ['await shop.find({ selector: { type: 1 }, skip: 20 });', { 'call.selectsOneId': false, 'call.continues': true }],
  ['await shop.find({ selector });', { 'call.selectsOneId': 'unknown' }],
  ['await shop.find(query);', { 'call.selectsOneId': 'unknown', 'call.continues': 'unknown' }],
  [
    "await shop.partitionedFind('a', { selector: {} });",
    { 'call.findInPages': "await shop.partitionedFind('a', { selector: {}, limit: 200, bookmark })" },
  ],
])('%s', async (code, expected) => {
  expect(await factsOf(code)).toMatchObject(expected);
});

test.each([
  ['const { rows } = await shop.list({ skip: page * size });', 'grows'],
  ['const skip = (page - 1) * size; await shop.list({ skip });', 'grows'],
  ['let skip = 0; for (;;) { await shop.list({ skip }); skip += 5; }', 'grows'],
  ['let at = 0; for (;;) { await shop.list({ skip: at }); at = at + size; }', 'grows'],
  ['await shop.list({ skip: Number(req.query.skip) || 0 });', 'grows'],
  ['await shop.list({ skip: this.at }); this.at += 5;', 'grows'],
  ['await shop.list({ skip: parseInt(page, 10) * 20 });', 'grows'],
  ['const { skip = 0 } = req.query; await shop.list({ skip });', 'grows'],
  ['const skip = Number(event.queryStringParameters.offset); await shop.list({ skip });', 'grows'],
  ['function page(skip, limit) { return shop.list({ skip, limit }); }', 'grows'],
  ['function page({ offset = 0 }) { return shop.list({ skip: offset }); }', 'grows'],
  ['function page(skip, startkey) { return shop.list({ skip, startkey }); }', 'unknown'],
  ['function page(first) { return shop.list({ skip: first }); }', 'unknown'],
  ['const { skip } = settings; await shop.list({ skip });', 'unknown'],
  ['await shop.list({ skip: 1 });', 'constant'],
  ['await shop.list({ skip: id ? 1 : 0 });', 'constant'],
  ['const skip = id ? 1 : undefined; await shop.list({ skip });', 'constant'],
  ['await shop.list({ skip: id && 1 });', 'constant'],
  ['await shop.list({ skip: page });', 'unknown'],
  ['await shop.list({ skip: skipOf(page) });', 'unknown'],
  ['await shop.list({ skip: -page });', 'unknown'],
  ['await shop.list(options);', 'unknown'],
  ['await shop.list({ limit: 5 });', 'none'],
])('call.skip of %s', async (code, expected) => {
  expect((await factsOf(code))['call.skip']).toBe(expected);
});

const VIEW = "shop.view('orders', 'by_date', ";

test.each([
  [`${VIEW}{ startKey: id })`, 'startKey', 'startkey'],
  [`${VIEW}{ startkey: id, include_doc: true })`, 'include_doc', 'include_docs'],
  ['shop.list({ includeDocs: true })', 'includeDocs', 'include_docs'],
  [`${VIEW}{ dcscending: true })`, 'dcscending', 'descending'],
  [`${VIEW}{ start_kye: id })`, 'start_kye', 'startkey'],
  [`${VIEW}{ inclued_docs: true })`, 'inclued_docs', 'include_docs'],
  [`${VIEW}{ end_kye: id })`, 'end_kye', 'endkey'],
  [`${VIEW}{ sort_key: id, reduced: true, staged: 1, key_field: 2, dates: 3 })`, 'none', 'unknown'],
  [`${VIEW}{ start_key: id, include_docs: true, my_own: 1 })`, 'none', 'unknown'],
  // Another reader may know it.
  [`${VIEW}{ startKey: id, startkey: id })`, 'none', 'unknown'],
  ['shop.find({ selector: {}, Limit: 1 })', 'none', 'unknown'],
])('call.misspeltOption of %s', async (code, misspelt, meant) => {
  expect(await factsOf(code)).toMatchObject({ 'call.misspeltOption': misspelt, 'call.meantOption': meant });
});

test('an object of which only an option is known, and the client of IBM, have names of their own', async () => {
  expect(await factsOf('cache.list({ include_docs: true, startKey: id });')).toMatchObject({
    'call.misspeltOption': 'none',
  });
  const ibm = "const { CloudantV1 } = require('@ibm-cloud/cloudant');\nconst c = CloudantV1.newInstance({});\n";
  expect(await factsOf("c.postView({ db: 'a', ddoc: 'b', view: 'c', startKey: id });", ibm)).toMatchObject({
    'call.misspeltOption': 'none',
  });
});

test.each([
  [`${VIEW}{ limit: 5, key: id, limit: 10 })`, ['limit']],
  ['shop.find({ selector: { $or: [1], type: 2, $or: [3] } })', ['$or']],
  ['shop.find({ selector: { $and: [{ date: { $gt: 1 }, date: { $lt: 2 } }] } })', ['date']],
  [`${VIEW}{ limit: 5, limit: 5 })`, []],
  [`${VIEW}{ ...page, limit: 5 })`, []],
  [`const first = { limit: 1 }; ${VIEW}{ ...first, limit: 5 })`, []],
  [`${VIEW}{ [id]: 5, [page]: 6 })`, []],
])('call.repeatedKeys of %s', async (code, expected) => {
  expect((await factsOf(`${code};`))['call.repeatedKeys']).toEqual(expected);
});

/** @type {[string, {operators?: string[], values?: string[], instead: unknown}][]} */
const REGULAR_EXPRESSIONS = [
  ['{ a: { $regex: /^a.b$/ } }', { operators: ['/^a.b$/'], instead: ["'^a.b$'"] }],
  ['{ a: { $regex: /a\\.\\/b/i } }', { operators: ['/a\\.\\/b/i'], instead: ["'(?i)a\\\\./b'"] }],
  ["{ a: { $regex: /it's/gs } }", { operators: ["/it's/gs"], instead: ["'(?s)it\\'s'"] }],
  ['{ a: { $regex: /a/y } }', { operators: ['/a/y'], instead: 'unknown' }],
  ['{ a: { $regex: /\\u0041/ } }', { operators: ['/\\u0041/'], instead: 'unknown' }],
  ['{ a: { $regex: /[^]/ } }', { operators: ['/[^]/'], instead: 'unknown' }],
  ['{ a: { $regex: /[äö]/ } }', { operators: ['/[äö]/'], instead: 'unknown' }],
  ["{ a: { $regex: new RegExp('^a', 'i') } }", { operators: ["new RegExp('^a', 'i')"], instead: ["'(?i)^a'"] }],
  ['{ a: { $regex: RegExp(`^${id}`) } }', { operators: ['RegExp(`^${id}`)'], instead: ['`^${id}`'] }],
  [
    "{ a: { $regex: new RegExp('^' + id, 'i') } }",
    { operators: ["new RegExp('^' + id, 'i')"], instead: ["'(?i)' + '^' + id"] },
  ],
  ['{ a: { $regex: new RegExp(id, size) } }', { operators: ['new RegExp(id, size)'], instead: 'unknown' }],
  ['{ a: /x/, b: { $in: [/y/] } }', { values: ['/x/', '/y/'], instead: 'unknown' }],
  ["{ a: { $regex: '^a' }, b: { $regex: id }, c: new Date() }", { instead: 'unknown' }],
];

test.each(REGULAR_EXPRESSIONS)('regular expressions of %s', async (selector, expected) => {
  const { operators = [], values = [], instead } = expected;
  expect(await factsOf(`const selector = ${selector}; await shop.find({ selector });`)).toMatchObject({
    'call.regExpOperators': operators,
    'call.regExpValues': values,
    'call.regExpInstead': instead,
  });
});

test.each([
  [
    `await ${VIEW}{ skip: page * 5 })`,
    "await shop.view('orders', 'by_date', { startkey: last.key, startkey_docid: last.id, skip: 1, limit: … })",
  ],
  ['await shop.list({ skip: page * 50, limit: 50 })', 'await shop.list({ startkey: last.id, skip: 1, limit: 50 })'],
  [
    'await shop.list({ skip: page * size, limit: size })',
    'await shop.list({ startkey: last.id, skip: 1, limit: size })',
  ],
  ['await shop.list({ skip: page * limit, limit })', 'await shop.list({ startkey: last.id, skip: 1, limit })'],
  [
    "const ddoc = 'orders'; shop.view(ddoc, 'by_date', { skip: page * 5, limit: 5 }, done)",
    "shop.view(ddoc, 'by_date', { startkey: last.key, startkey_docid: last.id, skip: 1, limit: 5 }, …)",
  ],
])('call.pageByKey of %s', async (code, expected) => {
  expect((await factsOf(`${code};`))['call.pageByKey']).toBe(expected);
});

test('call.pageByKey of PouchDB, which does not send `startkey_docid`, and of the client of IBM', async () => {
  const pouchdb = "import PouchDB from 'pouchdb';\nconst shop = new PouchDB('http://localhost:5984/shop');\n";
  expect(await factsOf("await shop.query('orders', { skip: page * 5 });", pouchdb)).toMatchObject({
    'call.pageByKey': "await shop.query('orders', { startkey: last.key, skip: seen, limit: … })",
  });
  const ibm = "const { CloudantV1 } = require('@ibm-cloud/cloudant');\nconst c = CloudantV1.newInstance({});\n";
  expect(await factsOf("await c.postView({ db: 'a', ddoc: 'b', view: 'c', skip: page * 5 });", ibm)).toMatchObject({
    'call.pageByKey':
      "await c.postView({ db: 'a', ddoc: 'b', view: 'c', startKey: last.key, startKeyDocId: last.id, skip: 1, limit: … })",
  });
});

test.each([
  [
    "const { rows } = await shop.list({ include_docs: true }); return rows.filter(({ doc }) => doc.status === 'open');",
    { 'call.isUnbounded': true, 'call.readsAttachments': false, 'call.pickedFields': ['status'] },
    "await shop.find({ selector: { status: 'open' }, limit: 200 })",
  ],
  [
    'const { rows } = await shop.list({ include_docs: true }); return rows.find(({ doc }) => doc.address.city === id && doc.size.startsWith(id));',
    { 'call.pickedFields': ['address.city', 'size'] },
    "await shop.find({ selector: { 'address.city': id, size: … }, limit: 200 })",
  ],
  [
    'const { rows } = await shop.list({ include_docs: true }); rows.forEach(({ doc }) => { if (doc.size === size) print(doc); });',
    { 'call.pickedFields': ['size'] },
    'await shop.find({ selector: { size }, limit: 200 })',
  ],
  [
    'const { rows } = await shop.list({ include_docs: true }); const ids = []; for (const { doc } of rows) { if (doc.size === size) ids.push(doc._id); } return ids;',
    { 'call.pickedFields': ['size'] },
    "await shop.find({ selector: { size }, fields: ['_id'], limit: 200 })",
  ],
  // Used for more than one thing.
  [
    'const { rows } = await shop.list({ include_docs: true }); print(rows.length); return rows.filter(({ doc }) => doc.size > 3);',
    { 'call.pickedFields': 'unknown' },
    'unknown',
  ],
  [
    'const { rows } = await shop.list({ include_docs: true }); return [rows.filter(({ doc }) => doc.size > 3), rows.filter(({ doc }) => doc.size < 3)];',
    { 'call.pickedFields': 'unknown' },
    'unknown',
  ],
  [
    'const { rows } = await shop.list({ attachments: true, startkey: id }); return rows;',
    { 'call.isUnbounded': false, 'call.readsAttachments': true, 'call.pickedFields': 'unknown' },
    'unknown',
  ],
  ['return shop.list(options);', { 'call.isUnbounded': 'unknown', 'call.readsAttachments': 'unknown' }, 'unknown'],
])('documents that are picked: %s', async (code, expected, instead) => {
  expect(await factsOf(code)).toMatchObject({ ...expected, 'call.selectorInstead': instead });
});
