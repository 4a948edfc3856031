// Workloads from which a needed index or change of a view was taken away: it is proposed, as the first step.

import { describe, expect, test } from 'vitest';
import { adviseOn, firstIndex, linesOf, SCAN_MS } from '../helpers/advise.js';
import { isLong, sample } from '../helpers/long.js';

/** @import { Traffic } from '../helpers/find-traffic.js' */

/** @param {object} body @param {Partial<Traffic>} [more] @returns {Traffic} */
const find = (body, more) => ({ body, times: 1000, ms: SCAN_MS, ...more });
const write = { method: 'PUT', target: '/shop/order-1', body: {}, times: 100 };
const noise = [find({ selector: { _id: 'order-000007' } }, { ms: 6 }), write];

/** @type {[string, object, unknown[]][]} */
const queries = [
  ['equality', { selector: { customer: 'customer-7' } }, ['customer']],
  ['equality written as $eq', { selector: { customer: { $eq: 'customer-7' } } }, ['customer']],
  [
    'two equalities, the narrower first',
    { selector: { status: 'new', customer: 'customer-7' } },
    ['customer', 'status'],
  ],
  [
    'two equalities in $and',
    { selector: { $and: [{ status: 'new' }, { customer: 'customer-7' }] } },
    ['customer', 'status'],
  ],
  [
    'equality and a range',
    { selector: { date: { $gte: '2026-02-20' }, status: 'new' }, limit: 200 },
    ['status', 'date'],
  ],
  ['a range with both ends', { selector: { date: { $gte: '2026-02-20', $lt: '2026-02-23' } }, limit: 200 }, ['date']],
  ['$in beside an equality', { selector: { customer: 'customer-7', status: { $in: ['new', 'paid'] } } }, ['customer']],
  ['$ne beside an equality', { selector: { customer: 'customer-7', status: { $ne: 'new' } } }, ['customer']],
  ['$or beside an equality', { selector: { customer: 'customer-7', $or: [{ total: 1 }, { total: 2 }] } }, ['customer']],
  ['$beginsWith', { selector: { date: { $beginsWith: '2026-02-1' } }, limit: 200 }, ['date']],
  [
    'fields that the index can hold too',
    { selector: { status: 'new', total: { $gte: 100 }, date: { $gt: null } }, fields: ['total', 'date'], limit: 400 },
    ['status', 'total', 'date'],
  ],
  ['a nested field', { selector: { address: { city: 'city-7' } } }, ['address.city']],
];

/** Sorted queries are answered only where an index sorts them: this one is there. */
const BY_DATE = {
  'indexes/by-date.json': { index: { fields: ['date'] }, ddoc: 'by-date', name: 'by-date', type: 'json' },
};

/** @type {[string, object, unknown[]][]} */
const sorted = [
  [
    'equality and a sort',
    { selector: { customer: 'customer-7', date: { $gt: null } }, sort: ['date'], limit: 10 },
    ['customer', 'date'],
  ],
  [
    'equality and a descending sort',
    { selector: { customer: 'customer-7', date: { $gt: null } }, sort: [{ date: 'desc' }], limit: 10 },
    ['customer', 'date'],
  ],
  [
    'a sort alone, with fields that the index can hold too',
    { selector: { date: { $gt: null }, total: { $gt: null } }, fields: ['total', 'date'], sort: ['date'], limit: 400 },
    ['date', 'total'],
  ],
];

const orders = Array.from({ length: 2000 }, (_, at) => ({
  _id: `order-${String(at).padStart(6, '0')}`,
  type: at % 10 === 0 ? 'customer' : 'order',
  customer: `customer-${(at * 7) % 200}`,
  status: ['new', 'paid', 'sent'][(at * 11) % 3],
  date: new Date(Date.UTC(2026, 1, 28) - ((at * 13) % 300) * 86_400_000).toISOString().slice(0, 10),
  total: (at * 17) % 500,
  address: { city: `city-${at % 100}` },
}));

describe('the index that a Mango query needs is proposed first', () => {
  test.each(sample(queries, 2))('%s', async (_, body, columns) => {
    const { plan } = await adviseOn({ documents: orders, traffic: [find(body), ...noise] });
    expect(firstIndex(plan)).toEqual(columns);
    expect(plan.steps[0]?.queries.map(({ query }) => plan.queries.find(({ id }) => id === query)?.perDay)).toEqual([
      expect.closeTo(1000, -1),
    ]);
    expect(plan.steps).toHaveLength(1);
  });

  test.each(sample(sorted, 1))('%s', async (_, body, columns) => {
    const { plan } = await adviseOn({ documents: orders, files: BY_DATE, traffic: [find(body), ...noise] });
    expect(firstIndex(plan)).toEqual(columns);
    expect(plan.steps[0]?.queries[0]?.servedBy).toEqual({ index: { fields: ['date'] } });
    expect(plan.steps).toHaveLength(1);
  });

  test('of a literal in the code, a partial index that the query must name', async () => {
    const { plan } = await adviseOn({
      documents: orders,
      log: [
        ...linesOf('POST /shop/_find 200 150', { times: 1000 }),
        ...linesOf('PUT /shop/order-1 201 5', { times: 100 }),
      ],
      files: {
        'lib/orders.js': `const shop = require('nano')(process.env.COUCHDB_URL).use('shop');
exports.load = (name) => shop.find({ selector: { type: 'customer', customer: name } });
`,
      },
      args: ['lib'],
    });
    expect(firstIndex(plan)).toEqual(['customer', { type: 'customer' }]);
    expect(plan.steps[0]?.queries[0]?.mustChange).toEqual([expect.stringContaining('"use_index"')]);
    expect(plan.queries[0]).toMatchObject({ source: 'code', places: ['lib/orders.js:2:26'] });
  });
});

const MAP = "function (doc) { if (doc.type === 'order') emit(doc.date, doc.total); }";
const BY_CUSTOMER = "function (doc) { if (doc.type === 'order') emit(doc.customer, null); }";
/** @param {Record<string, {map: string, reduce?: string}>} views */
const app = (views) => ({ 'app.json': { _id: '_design/app', language: 'javascript', views } });
const PUTS = linesOf('PUT /shop/order-1 201 5', { times: 100 });

/** @type {[string, import('../helpers/advise.js').Advised, object][]} */
const views = [
  [
    'a built-in for a reduce in JavaScript',
    {
      files: app({ revenue: { map: MAP, reduce: 'function (keys, values) { return sum(values); }' } }),
      log: [...linesOf('GET /shop/_design/app/_view/revenue?group=true 200 900', { times: 500 }), ...PUTS],
    },
    { kind: 'change-view', name: 'revenue', view: { map: MAP, reduce: '_sum' } },
  ],
  [
    'the fields that the code reads, emitted instead of documents',
    {
      files: {
        ...app({ by_customer: { map: BY_CUSTOMER } }),
        'lib/orders.js': `const shop = require('nano')(process.env.COUCHDB_URL).use('shop');
exports.totals = async (key) => {
  const { rows } = await shop.view('app', 'by_customer', { key, include_docs: true });
  return rows.map((row) => row.doc.total);
};
`,
      },
      traffic: [
        {
          method: 'GET',
          target: '/shop/_design/app/_view/by_customer?key=%22customer-7%22&include_docs=true',
          times: 20_000,
          ms: 12,
          answer: { rows: Array.from({ length: 10 }, () => ({})) },
        },
      ],
    },
    { kind: 'change-view', name: 'by_customer' },
  ],
  [
    'one text for two maps that differ only in spelling',
    {
      files: app({ by_customer: { map: BY_CUSTOMER }, customers: { map: BY_CUSTOMER.replaceAll('doc', 'd') } }),
      log: [
        ...linesOf('GET /shop/_design/app/_view/by_customer?key=%22a%22 200 4', { times: 500 }),
        ...linesOf('GET /shop/_design/app/_view/customers?key=%22a%22 200 4', { times: 500 }),
        ...PUTS,
      ],
    },
    { kind: 'change-view', name: 'customers', view: { map: BY_CUSTOMER } },
  ],
  [
    'to drop a view that ten days of logs do not query',
    {
      files: app({ by_customer: { map: BY_CUSTOMER }, revenue: { map: MAP, reduce: '_sum' } }),
      log: [
        ...linesOf('GET /shop/_design/app/_view/by_customer?key=%22a%22 200 4', { times: 500, days: 10 }),
        ...linesOf('PUT /shop/order-1 201 5', { times: 500, days: 10 }),
      ],
    },
    { kind: 'drop-view', name: 'revenue' },
  ],
  [
    'to drop an index that another one repeats',
    {
      files: {
        'indexes/one.json': { index: { fields: ['customer'] }, ddoc: 'one', name: 'one', type: 'json' },
        'indexes/two.json': { index: { fields: ['customer'] }, ddoc: 'two', name: 'two', type: 'json' },
      },
      traffic: [find({ selector: { customer: 'customer-7' } }, { ms: 8 }), write],
    },
    { kind: 'drop-index' },
  ],
];

describe('the change of a view that a workload needs is proposed first', () => {
  test.each(sample(views, 1))('%s', async (_, about, change) => {
    const { plan } = await adviseOn({ ...about, args: ['.'] });
    expect(plan.steps[0]?.change).toMatchObject(change);
    expect(plan.steps).toHaveLength(1);
    const { cost, savedMsPerDay } = plan.steps[0] ?? {};
    expect((savedMsPerDay ?? 0) - (cost?.writeMsPerDay ?? 0)).toBeGreaterThan(0);
  });

  test.runIf(isLong)('the map emits what the code reads', async () => {
    const [, about = {}] = views[1] ?? [];
    const { plan } = await adviseOn({ ...about, args: ['.'] });
    expect(plan.steps[0]?.change.view?.map).toContain('total: doc.total');
    expect(plan.steps[0]?.queries[0]).toMatchObject({
      before: { rows: 10, documents: 10, basis: 'measured' },
      after: { rows: 10, documents: 0 },
      mustChange: [expect.stringContaining('`row.value.total`')],
    });
  });
});
