// A view that stores whole documents of which the code reads a few fields: these are proposed, where all that reads its values is known.

import { expect, test } from 'vitest';
import { adviseOn } from '../helpers/advise.js';

const MAP = "function (doc) { if (doc.type === 'order') { emit(doc.customer, doc); } }";
const HEAD = "const shop = require('nano')('http://db:5984').use('shop');\n";
const READ = `exports.totals = async (customer) => {
  const { rows } = await shop.view('app', 'by_customer', { key: customer });
  return rows.map((row) => \`\${row.value.date} \${row.value.total}\`);
};
`;
const QUERY = { method: 'GET', target: '/shop/_design/app/_view/by_customer?key=%22a%22', times: 200, ms: 30 };

const documents = Array.from({ length: 400 }, (_, at) => ({
  _id: `order-${at}`,
  type: 'order',
  customer: `customer-${at % 20}`,
  date: `2026-02-${String((at % 28) + 1).padStart(2, '0')}`,
  total: at,
  note: `delivered to the back door by courier ${at * 7919}, please ring twice and leave the parcel with the neighbors`,
}));

/** @param {{map?: string, reduce?: string, code?: string, traffic?: object[], more?: object}} [about] */
async function planOf({ map = MAP, reduce, code = READ, traffic = [QUERY], more = {} } = {}) {
  const view = { map, ...(reduce === undefined ? {} : { reduce }) };
  const { plan } = await adviseOn({
    traffic,
    documents,
    files: { 'app.json': { _id: '_design/app', views: { by_customer: view }, ...more }, 'orders.js': HEAD + code },
  });
  return { plan, notes: plan.notes.filter((note) => note.startsWith('_design/app/_view/by_customer stores')) };
}

test('the fields that all queries read are emitted instead', async () => {
  const { plan, notes } = await planOf();
  const [step, ...others] = plan.steps;
  expect(others).toEqual([]);
  expect(step?.title).toBe('emit only date and total in _design/app/_view/by_customer');
  expect(step?.change.view?.map).toBe(MAP.replace(', doc)', ', { date: doc.date, total: doc.total })'));
  expect(step?.cost).toMatchObject({ bytes: expect.any(Number), writeMsPerDay: 0 });
  expect(step?.cost.bytes).toBeLessThan(-10_000);
  expect(step?.because[0]).toBe('all queries of it in the code and the logs read only date and total of its values');
  expect(step?.because).toContainEqual(
    expect.stringMatching(/^the index of _design\/app takes .+ kB now and .+ kB then$/),
  );
  expect(step?.findings).toEqual([expect.stringMatching(/^view\/emit-whole-doc#copies-document:/)]);
  expect(notes).toEqual([]);
});

test('a view of which only keys are read emits no value', async () => {
  const code = READ.replace(/`.*`/, 'row.id');
  const { plan } = await planOf({ code, reduce: '_count' });
  expect(plan.steps[0]?.title).toBe('emit no values in _design/app/_view/by_customer');
});

const whole = READ.replace(/`.*`/, 'row.value');
test.each([
  ['whole values go elsewhere', { code: whole }, 'whole values go to code that was not followed'],
  ['other code computes a name', { code: `${READ}exports.of = (name) => shop.view('app', name);\n` }, 'may query it'],
  [
    'a name stands elsewhere',
    { code: `${READ}exports.views = ['app/by_customer'];\n` },
    'what the name at orders.js:6',
  ],
  ['no code queries it', { code: '' }, 'no code that was read queries it'],
  ['a reduce reads the values', { reduce: 'function (keys, values) { return values.length; }' }, 'its reduce may read'],
  ['list functions read rows', { more: { lists: { table: 'function () {}' } } }, 'list functions may read'],
  [
    'others send requests',
    { traffic: [QUERY, { ...QUERY, target: '/shop/_design/app/_view/by_customer?limit=10' }] },
    'no query in the code has sent the request at shop.har:',
  ],
])('where %s, it is unknown and nothing is proposed', async (_, about, reason) => {
  const { plan, notes } = await planOf(about);
  expect(plan.steps.map(({ title }) => title).filter((title) => title.startsWith('emit'))).toEqual([]);
  expect(notes).toEqual([expect.stringContaining(reason)]);
});

test.each([
  [
    'a changed copy',
    'function (doc) { var one = JSON.parse(JSON.stringify(doc)); one.total = 1; emit(doc.customer, one); }',
  ],
  ['other values', 'function (doc) { emit(doc.customer, doc); emit(doc.date, doc.total); }'],
])('%s is no document', async (_, map) => {
  const { plan } = await planOf({ map });
  expect(plan.steps).toEqual([]);
});
