// Facts about calls: options, loops, and what is used of an answer, joined with the view that is queried.

import { expect, test } from 'vitest';
import { createProject } from '../../helpers/temporary-project.js';

const SHOP = "const nano = require('nano');\nconst shop = nano(process.env.COUCHDB_URL).use('shop');\n";
const DDOC = {
  _id: '_design/orders',
  views: {
    by_status: { map: "function (order) {\n  if (order.type === 'order') emit(order.status, null);\n}" },
    lines: { map: 'function (doc) {\n  emit(doc.order, { _id: doc.article });\n}' },
    whole: { map: 'function (doc) {\n  emit(doc.status, doc);\n}' },
  },
};

/**
 * @param {string} code of a function
 * @returns {Promise<Record<string, unknown>>} facts of its last call by their ids; `unknown` for the others
 */
async function factsOf(code) {
  const text = `${SHOP}async function f() {\n${code}\n}\n`;
  const { stdout } = await createProject({ 'a.js': text, 'orders.json': DDOC }).run(['facts', '--format', 'json']);
  const { subjects } = JSON.parse(stdout);
  const call = subjects.findLast((/** @type {{kind: string}} */ { kind }) => kind === 'call');
  return Object.fromEntries(
    Object.entries(/** @type {Record<string, {value?: unknown}>} */ (call.facts)).map(([id, { value = 'unknown' }]) => {
      return [id, Array.isArray(value) ? value.map((item) => item.value ?? item) : value];
    }),
  );
}

/** Where the ids cannot be written before the loop. */
const KEYS_LEFT_OPEN = 'await shop.fetch({ keys: … })';

const UNKNOWN_TIMES = { 'call.loopTimes': 'unknown' };
const QUERY = "shop.view('orders', 'by_status', { include_docs: true })";

test.each([
  [
    "await shop.get('a');",
    {
      'call.method': 'get',
      'call.client': 'nano',
      'call.location': 'http',
      'call.receiver': 'traced',
      'call.includeDocs': false,
      'call.loopPurpose': 'none',
      'call.loopTimes': 'unknown',
    },
  ],
  [
    "await shop.view('orders', 'by_status', options);",
    { 'call.includeDocs': 'unknown', 'call.hasLimit': 'unknown', 'call.limit': 'unknown' },
  ],
  [
    "await shop.view('orders', 'by_status', { limit: 5, key: 'a', include_docs: false });",
    { 'call.limit': 5, 'call.hasLimit': true, 'call.hasOneKey': false, 'call.includeDocs': false },
  ],
  ["await shop.view('orders', 'by_status', { limit: size });", { 'call.limit': 'unknown', 'call.hasLimit': true }],
  [
    'const { rows } = await shop.list(); for (const row of rows) await shop.get(row.id);',
    {
      'call.readsOwnRows': true,
      'call.rowsWithDocs': 'await shop.list({ include_docs: true })',
      'call.isFallback': false,
    },
  ],
  [
    'try { await shop.bulk({ docs }); } catch { for (const doc of docs) await shop.insert(doc); }',
    { 'call.isFallback': true, 'call.turnWaitsForMore': false },
  ],
  [
    'for (const order of orders) { await pay(order); await shop.insert(order); }',
    { 'call.turnWaitsForMore': true, 'call.isSetUp': false, 'call.hasSetUpName': false },
  ],
  [
    'const [, , id] = process.argv; await shop.get(id);',
    {
      'call.isSetUp': true,
      'call.hasSetUpName': false,
      'call.isFallback': 'unknown',
      'call.turnWaitsForMore': 'unknown',
      'call.readsOwnRows': 'unknown',
      'call.rowsWithDocs': 'unknown',
    },
  ],
  [
    'for (const id of ids) await shop.get(id);',
    {
      'call.readsOwnRows': false,
      'call.rowsWithDocs': 'unknown',
      'call.loopPurpose': 'each',
      'call.loopOver': 'ids',
      'call.loopListIsLiteral': false,
      'call.turnChangesTarget': true,
      'call.turnChangesDatabase': false,
      'call.loopEndsEarly': false,
      'call.targetKind': 'document',
      'call.readsTogether': 'await shop.fetch({ keys: ids })',
    },
  ],
  [
    "for (const row of rows) await shop.view('orders', 'by_status', { key: row.id });",
    {
      'call.hasOneKey': true,
      'call.queriesTogether': "await shop.view('orders', 'by_status', { keys: rows.map((row) => row.id) })",
      'call.isInFunction': false,
      'call.loopCalls': 'unknown',
    },
  ],
  [
    'for (const order of orders) await shop.insert({ ...order, sent });',
    {
      'call.writesTogether': 'await shop.bulk({ docs: orders.map((order) => ({ ...order, sent })) })',
      'call.targetKind': 'document',
    },
  ],
  [
    'for (const order of orders) await shop.insert(order, order.number);',
    { 'call.writesTogether': 'await shop.bulk({ docs })' },
  ],
  [
    'for (const order of orders) await shop.insert(order, (error) => log(error));',
    { 'call.writesTogether': 'shop.bulk({ docs: orders }, …)' },
  ],
  [
    'for (const { id, rev } of rows) await shop.destroy(id, rev);',
    { 'call.writesTogether': 'await shop.bulk({ docs })' },
  ],
  ['for (const { id, rev } of revs) await shop.get(id, { rev });', { 'call.targetKind': 'revision' }],
  ['for (const ddoc of ddocs) await shop.insert(ddoc);', { 'call.targetKind': 'design' }],
  ['for (const view of views) await shop.insert(view);', { 'call.targetKind': 'design' }],
  [
    'await shop.bulk({ docs: list.map((item) => ({ _id: crypto.randomUUID(), item })) });',
    {
      'call.writesMany': true,
      'call.writesAtOnce': true,
      'call.idSource': 'random',
      'call.idCode': 'crypto.randomUUID()',
      'call.answerIsDropped': true,
      'call.keepsDeletedBody': false,
      'call.deletionCode': 'unknown',
      'call.hasOnlyNewDocuments': false,
    },
  ],
  ['await shop.bulk({ docs: articles });', { 'call.hasOnlyNewDocuments': 'unknown' }],
  [
    'for (const item of list) await shop.insert({ _id: Date.now().toString(), item });',
    { 'call.writesMany': true, 'call.writesAtOnce': false, 'call.idSource': 'clock' },
  ],
  [
    'const order = await shop.get(id); await shop.insert({ ...order, _deleted: true });',
    { 'call.writesMany': false, 'call.keepsDeletedBody': true, 'call.deletionCode': '{ ...order, _deleted: true }' },
  ],
  ['await shop.bulk({ docs, new_edits: false });', { 'call.isWithoutNewEdits': true, 'call.writesMany': false }],
  ['await shop.get(id);', { 'call.idSource': 'unknown', 'call.isWithoutNewEdits': false }],
  ["for (const id of ['a', 'b', 'c']) await shop.get(id);", { 'call.loopListIsLiteral': true, 'call.loopTimes': 3 }],
  ["for (const order of [require('./a.js')]) await shop.insert(order);", { 'call.loopTimes': 1 }],
  ['for (const order of [first, last()]) await shop.insert(order);', { 'call.loopTimes': 2 }],
  ['const both = [first, last]; for (const order of both) await shop.insert(order);', { 'call.loopTimes': 2 }],
  ['const both = [first]; both.push(last); for (const order of both) await shop.insert(order);', UNKNOWN_TIMES],
  ['const both = [first]; fill(both); for (const order of both) await shop.insert(order);', UNKNOWN_TIMES],
  [
    'const both = [first, last]; log(both.length); for (const order of both) await shop.insert(order);',
    { 'call.loopTimes': 2 },
  ],
  [
    'const both = []; both.push(last); for (const order of both) await shop.insert(order);',
    { 'call.loopListIsLiteral': false },
  ],
  [
    'const both = [first]; fill(both); for (const order of both) await shop.insert(order);',
    { 'call.loopListIsLiteral': 'unknown' },
  ],
  ['for (const order of [first, ...others]) await shop.insert(order);', UNKNOWN_TIMES],
  ['for (const id of Object.keys({ ...prices, a: 1 })) await shop.get(id);', UNKNOWN_TIMES],
  ['while (more()) await shop.get(id);', { 'call.loopPurpose': 'unknown' }],

  ['for (const name of names) await shop.insert(doc, `_design/${name}`);', { 'call.targetKind': 'design' }],

  ['for (const name of names) await shop.insert({ _id: `_local/${name}` });', { 'call.targetKind': 'local' }],
  [
    `for (const { doc } of (await ${QUERY}).rows) print(doc._id, doc.total);`,
    {
      'call.docFields': ['total'],
      'call.usesDocs': true,
      'call.isOnlyCounted': false,
      'call.viewIsRead': true,
      'call.viewEmitsWholeDoc': false,
      'call.viewEmitsLinkedDoc': false,
      'call.viewEmitCount': 1,
      'call.viewEmitsInstead': 'emit(order.status, { total: order.total })',
    },
  ],
  [`for (const { doc } of (await ${QUERY}).rows) print(doc._id);`, { 'call.docFields': 'unknown' }],
  [`for (const { doc } of (await ${QUERY}).rows) print(doc._rev, doc.total);`, { 'call.docFields': 'unknown' }],
  [`print((await ${QUERY}).rows.length);`, { 'call.isOnlyCounted': true, 'call.usesDocs': false }],
  [`return ${QUERY};`, { 'call.usesDocs': 'unknown', 'call.docFields': 'unknown' }],
  [`await ${QUERY.replace('by_status', 'lines')};`, { 'call.viewEmitsLinkedDoc': true }],
  [`await ${QUERY.replace('by_status', 'whole')};`, { 'call.viewEmitsWholeDoc': true }],
  [`await ${QUERY.replace('by_status', 'absent')};`, { 'call.viewIsRead': false, 'call.viewEmitsWholeDoc': 'unknown' }],
  ['await shop.view(ddoc, view);', { 'call.viewIsRead': false }],
])('%s', async (code, expected) => {
  expect(await factsOf(code)).toMatchObject(expected);
});

test.each([
  ['{ include_docs: true }', "shop.view('orders', 'by_status')"],
  ["{ key: 'open', include_docs: true }", "shop.view('orders', 'by_status', { key: 'open' })"],
  ['{ include_docs: true, limit: 5, key }', "shop.view('orders', 'by_status', { limit: 5, key })"],
  ['{ ...page, include_docs: true }', "shop.view('orders', 'by_status', { ...page, include_docs: false })"],
  ['page', "shop.view('orders', 'by_status', { ...page, include_docs: false })"],
  ['{ include_docs: true }, (error, body) => done(body)', "shop.view('orders', 'by_status', …)"],
])('call.withoutDocs of %s', async (options, expected) => {
  expect((await factsOf(`await shop.view('orders', 'by_status', ${options});`))['call.withoutDocs']).toBe(expected);
});

test.each([
  // The callback of nano 6 is all there is: no promise to await.
  [
    'ids.forEach((id) => shop.get(id, (error, order) => print(order)));',
    'readsTogether',
    'shop.fetch({ keys: ids }, …)',
  ],
  ['ids.forEach((id) => shop.get(id, done));', 'readsTogether', 'shop.fetch({ keys: ids }, …)'],
  [
    'for (const row of rows) { const key = row.id; await shop.get(key); }',
    'readsTogether',
    'await shop.fetch({ keys: rows.map((row) => row.id) })',
  ],
  ['for (const row of rows) { const key = await idOf(row); await shop.get(key); }', 'readsTogether', KEYS_LEFT_OPEN],
  ['for (const row of rows) { let key = row.id; key += 1; await shop.get(key); }', 'readsTogether', KEYS_LEFT_OPEN],
  [
    "for (const id of ids) await shop.view('orders', 'by_status', { key: id, include_docs: true });",
    'queriesTogether',
    "await shop.view('orders', 'by_status', { include_docs: true, keys: ids })",
  ],
  [
    "ids.forEach((id) => shop.view('orders', 'by_status', { key: id, limit }, (error, body) => print(body)));",
    'queriesTogether',
    "shop.view('orders', 'by_status', { limit, keys: ids }, …)",
  ],
  [
    'for (const id of ids) await shop.view(ddoc, view, query);',
    'queriesTogether',
    'await shop.view(ddoc, view, { …, keys: … })',
  ],
])('%s: %s', async (code, fact, expected) => {
  expect((await factsOf(code))[`call.${fact}`]).toBe(expected);
});

test.each([
  ['ids.map((id) => shop.get(id).then(print));', 'shop.fetch({ keys: ids }).then(…)'],
  ['ids.map(async (id) => print(await shop.get(id)));', 'shop.fetch({ keys: ids }).then(…)'],
])('in a function that is not async, %s', async (code, expected) => {
  expect((await factsOf(`}\nfunction g(ids) {\n${code}`))['call.readsTogether']).toBe(expected);
});

test.each([
  [
    'const load = (id) => shop.get(id); const rows = ids.map((id) => load(id));',
    { 'call.loopCalls': 'load', 'call.readsTogether': 'await shop.fetch({ keys: ids })' },
  ],
  [
    'const load = (id, done) => shop.get(id, done); orders.forEach(({ id }) => load(id, print));',
    { 'call.readsTogether': 'shop.fetch({ keys: ids }, …)' },
  ],
  [
    "const find = (key) => shop.view('orders', 'by_status', { key: key.trim(), include_docs: true }); for (const name of names) print(await find(name));",
    { 'call.queriesTogether': "await shop.view('orders', 'by_status', { include_docs: true, keys })" },
  ],
  [
    'const save = (order) => shop.insert(order); for (const order of orders) await save(order);',
    { 'call.writesTogether': 'await shop.bulk({ docs })' },
  ],
])('of a function that a loop calls, which has names of its own: %s', async (code, expected) => {
  expect(await factsOf(code)).toMatchObject(expected);
});

test.each([
  ['await shop.bulk({ docs: orders });', 'const rows = await shop.bulk({ docs: orders })'],
  ['shop.bulk({ docs: orders }, (error) => done(error));', 'shop.bulk({ docs: orders }, (error, rows) => …)'],
  ['shop.bulk({ docs: orders }).then(() => done());', 'shop.bulk({ docs: orders }).then((rows) => …)'],
  [
    "await shop.bulk({ docs: [{ _id: 'a', from: 'https://shop.example' }] });",
    'const rows = await shop.bulk({ docs: … })',
  ],
])('the rows of %s', async (code, expected) => {
  expect((await factsOf(code))['call.rowsOfWrite']).toBe(expected);
});

test.each([
  [
    'const order = await shop.get(id); await shop.insert({ ...order, _deleted: true });',
    '{ _id: order._id, _rev: order._rev, _deleted: true }',
  ],
  [
    'const order = await shop.get(id); await shop.insert({ ...order, _deleted: true, by: user });',
    '{ _id: order._id, _rev: order._rev, _deleted: true, by: user }',
  ],
  [
    'const order = await shop.get(id); order._deleted = true; order.by = user; await shop.insert(order);',
    '{ _id: order._id, _rev: order._rev, _deleted: true, by: user }',
  ],
  [
    'const docs = rows.map((row) => Object.assign(row.doc, { _deleted: true })); await shop.bulk({ docs });',
    '{ _id: row.doc._id, _rev: row.doc._rev, _deleted: true }',
  ],
  [
    'const found = shop.get(id); await shop.insert({ ...(await found), _deleted: true });',
    '{ _id: doc._id, _rev: doc._rev, _deleted: true }',
  ],
  [
    "const till = new (require('pouchdb'))('till'); const order = await till.get(id); await till.put({ ...order, _deleted: true });",
    'await till.remove(order)',
  ],
])('instead of the deletion %s', async (code, expected) => {
  expect((await factsOf(code))['call.deletionInstead']).toBe(expected);
});

test.each([
  ["await shop.bulk({ docs: [{ _id: 'a', size: 3, at: { shelf: -1 } }, { _id: 'b', tags: ['x'] }] });", true],
  ["const docs = [{ _id: 'a', size: 3 }]; await shop.bulk({ docs });", true],
  ["const articles = [{ type: 'pen', size: 3 }]; await shop.bulk({ docs: articles });", true],
  // Other code may change what nothing declares.
  ["articles = [{ type: 'pen', size: 3 }]; await shop.bulk({ docs: articles });", false],
  ["await shop.bulk({ docs: [{ _id: 'a', size }] });", false],
  ["await shop.bulk({ docs: [{ _id: 'a', ...size }] });", false],
  ["const docs = [{ _id: 'a' }]; docs.push(order); await shop.bulk({ docs });", false],
  ["const docs = [{ _id: 'a' }]; docs[0].size = size; await shop.bulk({ docs });", false],
  ["await shop.bulk({ docs: [{ _id: 'a', _rev: '1-a' }] });", false],
  ['await shop.bulk({ docs: orders });', false],
  ['await shop.bulk(body);', false],
])('the documents of %s are literal: %s', async (code, expected) => {
  expect((await factsOf(code))['call.hasOnlyLiteralDocuments']).toBe(expected);
});

const LINE =
  '[notice] 2026-03-02T08:0MINUTE:00.000000Z couchdb@127.0.0.1 <0.2.0> 1a2b3c6c4d localhost:5984 10.0.0.9 web GET /shop/_design/orders/_view/by_status?include_docs=true 200 ok 85';
const LOG = Array.from({ length: 100 }, (_, at) => LINE.replace('MINUTE', String(Math.floor(at / 20)))).join('\n');

/**
 * @param {string} code
 * @param {string} view
 * @returns {Promise<[unknown, unknown]>} whether the log reports the last call, and what the view of the query should emit
 */
async function withLog(code, view = 'by_status') {
  const log = LOG.replaceAll('by_status', view);
  const project = createProject({ 'a.js': `${SHOP}${code}\n`, 'orders.json': DDOC, 'couch.log': `${log}\n` });
  const { stdout } = await project.run(['facts', '--format', 'json', '--log', 'couch.log', '.']);
  const { subjects } = JSON.parse(stdout);
  const last = (/** @type {string} */ wanted) =>
    subjects.findLast((/** @type {{kind: string}} */ { kind }) => kind === wanted);
  const shownOf = (/** @type {{value?: unknown}} */ fact) => fact?.value ?? 'unknown';
  return [
    shownOf(last('call')?.facts['call.isReportedFromLog']),
    shownOf(last('request')?.facts['request.viewEmitsInstead']),
  ];
}

const FEW = `async function a() { return (await ${QUERY}).rows.map((row) => row.doc.total); }`;
const UNKNOWN = 'emit(order.status, { /* the fields that are read */ })';

test.each([
  ['some fields', FEW, 'emit(order.status, { total: order.total })'],
  [
    'other fields elsewhere',
    `async function b() { for (const { doc } of (await ${QUERY}).rows) print(doc.customer); } ${FEW}`,
    'emit(order.status, { customer: order.customer, total: order.total })',
  ],
  ['whole documents elsewhere', `async function b() { return ${QUERY}; } ${FEW}`, UNKNOWN],
  [
    'options that are not known elsewhere',
    `async function b(o) { return shop.view('orders', 'by_status', o); } ${FEW}`,
    UNKNOWN,
  ],
  [
    'another view with documents',
    `async function b() { return ${QUERY.replace('by_status', 'lines')}; } ${FEW}`,
    'emit(order.status, { total: order.total })',
  ],
  [
    'six fields',
    `async function b() { for (const { doc } of (await ${QUERY}).rows) print(doc.a, doc.b, doc.c, doc.d, doc.e); } ${FEW}`,
    UNKNOWN,
  ],
])('a query of a log names the fields that calls read: %s', async (_, code, expected) => {
  expect((await withLog(code))[1]).toBe(expected);
});

test('a call is reported from the log where its query is frequent and has rows, or the view emits the documents', async () => {
  // Without a limit, the log does not show how many rows there are.
  expect((await withLog(FEW))[0]).toBe(false);
  expect((await withLog(FEW.replace('by_status', 'whole'), 'whole'))[0]).toBe(true);
  expect((await withLog(FEW.replace('by_status', 'whole')))[0]).toBe(false);
  expect((await withLog(FEW, 'by_status?limit=20'.replace('?limit=20', '')))[0]).toBe(false);
});
