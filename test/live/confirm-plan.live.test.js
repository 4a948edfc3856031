// `confirm --plan` on a real CouchDB: steps that help are confirmed, those that do not are not, and a step that changes answers is refuted.

import { describe, expect, test } from 'vitest';
import { COUCHDB_URL } from '../helpers/couchdb.js';
import { startCli } from '../helpers/run-cli.js';
import { createProject } from '../helpers/temporary-project.js';
import { find, planStep, shopPlan, stepQuery, viewRequest } from '../measure/experiments/shop-plan.js';

/** @import { PlanStep } from '../../lib/advise/plan.js' */
/** @import { ArmRequest } from '../../lib/measure/experiments/experiment.js' */

const DOCUMENTS = 4000;
const orders = Array.from({ length: DOCUMENTS }, (_, at) => ({
  _id: `order-${String(at).padStart(6, '0')}`,
  type: 'order',
  status: at % 400 === 0 ? 'open' : 'paid',
  date: new Date(Date.UTC(2025, 0, 1 + (at % 365))).toISOString().slice(0, 10),
  customer: `c${at % 40}`,
  total: at / 100,
  note: 'n'.repeat(2000),
}));

/** @param {ArmRequest[]} before @param {ArmRequest[]} [after] */
const requests = (before, after = before) => ({ requests: { before, after } });
const orderMap = (/** @type {string} */ emitted) => `function (doc) { if (doc.type === 'order') emit(${emitted}); }`;
/** @param {string[]} fields @param {string} name @returns {Pick<PlanStep, 'change' | 'title'>} */
const newIndex = (fields, name) => ({
  title: `create index ${name}`,
  change: { kind: 'create-index', database: 'shop', designDoc: `_design/${name}`, name, index: { fields } },
});
/** @param {string} name @param {object} view @param {object} [before] @returns {Pick<PlanStep, 'change' | 'title'>} */
const newView = (name, view, before) => ({
  title: `${before ? 'change' : 'create'} view ${name}`,
  change: {
    kind: before ? 'change-view' : 'create-view',
    database: 'shop',
    designDoc: '_design/orders',
    name,
    view: /** @type {{map: string}} */ (view),
    ...(before ? { replaces: { view: /** @type {{map: string}} */ (before) } } : {}),
  },
});

const customers = ['c1', 'c2', 'c3'];
const byCustomer = { map: orderMap('doc.customer, null') };
const withTotal = { map: orderMap('doc.customer, {date: doc.date, total: doc.total}') };
const revenue = { map: orderMap('doc.status, doc.total') };
const javascript = 'function (keys, values) { return sum(values); }';
const sorted = find({
  selector: { status: 'open', date: { $gte: '2025-03-01' } },
  sort: ['status', 'date'],
  limit: 20,
});

/** @type {[string, Partial<PlanStep>, string, Record<string, unknown>][]} */
const steps = [
  [
    'an index for equality and a range',
    {
      ...newIndex(['status', 'date'], 'by_status_date'),
      queries: [stepQuery(requests([find({ selector: { status: 'open', date: { $gte: '2025-03-01' } }, limit: 50 })]))],
    },
    'confirmed',
    { same: 1 },
  ],
  [
    'an index for equality and sort beside one that only sorts',
    {
      ...newIndex(['status', 'date'], 'by_status_date'),
      queries: [
        stepQuery({
          servedBy: { index: { fields: ['date'] } },
          ...requests([find({ .../** @type {object} */ (sorted.body), sort: ['date'] })], [sorted]),
        }),
      ],
    },
    'confirmed',
    { same: 1 },
  ],
  [
    'an index that the query cannot use',
    {
      ...newIndex(['supplier'], 'by_supplier'),
      queries: [stepQuery(requests([find({ selector: { status: 'open' }, limit: 50 })]))],
    },
    'not confirmed',
    { same: 1 },
  ],
  [
    'fields in the value instead of documents',
    {
      ...newView('by_customer', withTotal, byCustomer),
      queries: [
        stepQuery({
          ...requests(
            customers.map((key) => viewRequest('orders/by_customer', { key, include_docs: true })),
            customers.map((key) => viewRequest('orders/by_customer', { key })),
          ),
          mustChange: ['read `date` and `total` in the value'],
        }),
      ],
    },
    'confirmed',
    { same: 3 },
  ],
  [
    'a view for a filter of the program',
    {
      ...newView('by_customer', byCustomer),
      queries: [
        stepQuery({
          ...requests(
            [{ method: 'GET', path: '_all_docs', query: { include_docs: true } }],
            [viewRequest('orders/by_customer', { key: 'c1', include_docs: true })],
          ),
          mustChange: ['query the view'],
        }),
      ],
    },
    'confirmed',
    { uncompared: [expect.stringContaining('q1 (form 1): the answer after has 100 of the 4,000 results')] },
  ],
  [
    'a built-in reduce',
    {
      ...newView('revenue', { ...revenue, reduce: '_sum' }, { ...revenue, reduce: javascript }),
      queries: [stepQuery(requests([viewRequest('orders/revenue', { group: true })]))],
    },
    'confirmed',
    { same: 1 },
  ],
  [
    'a reduce that gives something else',
    {
      ...newView('revenue', { ...revenue, reduce: '_count' }, { ...revenue, reduce: javascript }),
      queries: [stepQuery(requests([viewRequest('orders/revenue', { group: true })]))],
    },
    'refuted',
    { differences: [expect.stringMatching(/^q1 \(form 1\): result 1 has another value$/)] },
  ],
  [
    'a partial index that misses results',
    {
      ...newIndex(['status'], 'recent'),
      change: {
        .../** @type {PlanStep['change']} */ (newIndex(['status'], 'recent').change),
        index: { fields: ['status'], partial_filter_selector: { date: { $gte: '2025-06-01' } } },
      },
      queries: [
        stepQuery(
          requests(
            [find({ selector: { status: 'open' }, limit: 500 })],
            [find({ selector: { status: 'open' }, limit: 500, use_index: 'recent' })],
          ),
        ),
      ],
    },
    'refuted',
    { differences: [expect.stringMatching(/^q1 \(form 1\): \d+ results before, \d+ after$/)] },
  ],
];

describe.skipIf(!COUCHDB_URL)('confirm --plan on a real CouchDB', { timeout: 300_000 }, () => {
  const { username, password, origin } = new URL(COUCHDB_URL ?? 'http://localhost');
  const env = { COUCHDB_USER: decodeURIComponent(username), COUCHDB_PASSWORD: decodeURIComponent(password) };

  /** @param {PlanStep[]} list @param {string[]} args */
  async function confirm(list, args) {
    const { cwd } = createProject({
      'plan.json': shopPlan(list),
      'orders.jsonl': orders.map((one) => JSON.stringify(one)).join('\n'),
    });
    const given = ['confirm', '--plan', 'plan.json', '--url', origin, '--yes', '--format', 'json', ...args];
    const { stdout, stderr, exitCode } = await startCli([...given, '--journal', 'rounds.jsonl'], { cwd, env }).ended;
    expect(stderr).toBe('');
    return { exitCode, experiments: JSON.parse(stdout).experiments };
  }

  test.each(steps)('%s', async (_, changes, word, answers) => {
    const { exitCode, experiments } = await confirm([planStep(changes)], ['--budget', '20']);
    const [{ verdict, answers: compared, arms }] = experiments;
    if (word === 'not confirmed') expect(['no practical difference', 'inconclusive']).toContain(verdict.word);
    else expect([verdict.word, verdict.reason]).toEqual([word, expect.any(String)]);
    expect(exitCode).toBe(word === 'confirmed' ? 1 : 0);
    expect(compared).toMatchObject(answers);
    if (word === 'confirmed') expect(arms[1].sizes.index).toBeGreaterThan(0);
  });

  test('an index to drop is measured by writes, and the whole plan by the queries of all steps', async () => {
    const drop = planStep({
      number: 2,
      title: 'drop index by_note',
      change: {
        kind: 'drop-index',
        database: 'shop',
        designDoc: '_design/by_note',
        name: 'by_note',
        replaces: { index: { fields: ['note'] } },
      },
      queries: [],
    });
    const { experiments } = await confirm([planStep({ ...steps[0]?.[1] }), drop], ['--runs', '2']);
    expect(experiments.map((/** @type {any} */ { step }) => step)).toEqual([1, 2, null]);
    const [, writes, whole] = experiments;
    expect(writes.arms.map((/** @type {any} */ { ms }) => ms > 0)).toEqual([true, true]);
    expect(whole.answers).toEqual({ same: 1, differences: [], uncompared: [] });
  });
});
