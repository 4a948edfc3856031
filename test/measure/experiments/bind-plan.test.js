// A plan becomes experiments: of each step its own queries today and with the step, under the names that they use.

import { describe, expect, test } from 'vitest';
import { bindPlan } from '../../../lib/measure/experiments/bind-plan.js';
import { makeExamples } from '../../helpers/internals.js';
import { find, planStep, shopOrders, shopPlan, stepQuery, viewRequest } from './shop-plan.js';

/** @import { PlanChange, PlanStep } from '../../../lib/advise/plan.js' */
/** @import { ArmRequest, Experiment } from '../../../lib/measure/experiments/experiment.js' */

const data = { documents: shopOrders(8), notes: ['8 of your documents'], assumed: [] };
const map = 'function (doc) { emit(doc.status, null); }';
const reduce = 'function (keys, values) { return sum(values); }';

/** @param {PlanStep[]} steps @param {Parameters<typeof shopPlan>[1]} [changes] */
const bind = (steps, changes) => bindPlan(shopPlan(steps, changes), data);

/** @param {PlanStep} step @returns {Experiment} */
function bindOne(step) {
  const [bound] = bind([step]);
  if (!bound) throw new Error('nothing bound');
  return bound;
}

/** @param {Experiment} experiment */
const setups = ({ arms }) => arms.map(({ setup }) => setup);

/** @param {Partial<PlanChange>} changes @returns {PlanChange} of the view `orders/by_status` */
const viewChange = (changes) => ({
  kind: 'change-view',
  database: 'shop',
  designDoc: '_design/orders',
  name: 'by_status',
  ...changes,
});

/** @param {ArmRequest[]} before @param {ArmRequest[]} [after] */
const requests = (before, after = before) => ({ requests: { before, after } });

test('an index is set against nothing, each in a database of its own', () => {
  const bound = bindOne(planStep());
  expect(bound).toMatchObject({
    id: 'step 1: create index by_status on status',
    about: 'step 1: create index by_status on status',
    isSeparate: true,
    mechanisms: ['kept-index'],
    effect: 1.1,
    effectMs: 1,
    dataset: { documents: 8, given: { documents: data.documents } },
    counters: ['mango.docs_examined', 'mango.keys_examined'],
    predicted: { step: 1, ratio: 10, savedMsPerDay: 27_000, requestsPerDay: 1000, documents: 10 },
    assumed: [],
  });
  expect(bound.obstacle).toBeUndefined();
  expect(setups(bound)).toEqual([
    { designDocs: [], indexes: [] },
    { designDocs: [], indexes: [{ designDoc: 'by_status', name: 'by_status', fields: ['status'] }] },
  ]);
  expect(bound.arms.map(({ about }) => about)).toEqual(['with no index', 'with index `by_status`']);
  expect(bound.answers).toHaveLength(1);
});

describe('what serves the queries now', () => {
  test.each([
    ['by its design document', 'now', { designDoc: 'now', name: 'now' }, 'with index `now`'],
    ['by both names', ['_design/now', 'old'], { designDoc: 'now', name: 'old' }, 'with index `old`'],
    ['not at all', undefined, { designDoc: 'now-1', name: 'now-1' }, 'with index on customer'],
  ])('is an index that the request names %s', (_, used, names, about) => {
    const request = find({ selector: {}, ...(used ? { use_index: used } : {}) });
    const index = { fields: ['customer'], partial_filter_selector: { type: 'order' } };
    const bound = bindOne(planStep({ queries: [stepQuery({ servedBy: { index }, ...requests([request]) })] }));
    expect(setups(bound)[0]).toEqual({ designDocs: [], indexes: [{ ...names, ...index }] });
    expect(setups(bound)[1]?.indexes).toHaveLength(2);
    expect(bound.arms[0]?.about).toBe(about);
  });

  test('is one index where two queries have the same', () => {
    const servedBy = { index: { fields: ['customer'] } };
    const queries = [stepQuery({ servedBy }), stepQuery({ query: 'q2', servedBy })];
    expect(setups(bindOne(planStep({ queries })))[0]?.indexes).toHaveLength(1);
  });

  test('is a view under the name in the path', () => {
    const query = stepQuery({ servedBy: { view: { map } }, ...requests([viewRequest('orders/by%2Fstatus')]) });
    expect(setups(bindOne(planStep({ queries: [query] })))[0]).toEqual({
      designDocs: [{ id: 'orders', views: { 'by/status': { map } } }],
      indexes: [],
    });
  });

  test('is replaced where the step changes it', () => {
    const change = viewChange({ view: { map, reduce: '_sum' }, replaces: { view: { map, reduce } } });
    const path = '{designDoc}/_view/by_status';
    const query = stepQuery(requests([{ method: 'GET', path, query: { group: true } }]));
    const bound = bindOne(planStep({ change, queries: [query] }));
    expect(setups(bound).map((setup) => setup?.designDocs)).toEqual([
      [{ id: 'orders', views: { by_status: { map, reduce } } }],
      [{ id: 'orders', views: { by_status: { map, reduce: '_sum' } } }],
    ]);
    expect(bound.mechanisms).toEqual(['kept-index', 'query-server']);
    expect(bound.counters).toEqual(['couchdb.query_server.calls.reduce']);
    expect(bound.arms[0]?.queries?.[0]?.request.path).toBe('_design/orders/_view/by_status');
  });
});

describe('queries', () => {
  test('count by how often they are sent, with all of their examples', () => {
    const [one, two] = [{ selector: { status: '{id}' } }, { selector: { status: 'paid' } }].map(find);
    const queries = [stepQuery(requests([/** @type {ArmRequest} */ (one), /** @type {ArmRequest} */ (two)]))];
    const known = shopPlan().queries.map((query) => ({ ...query, perDay: query.id === 'q2' ? 3000 : 1000 }));
    const [bound] = bind([planStep({ queries: [...queries, stepQuery({ query: 'q2', mustChange: ['use it'] })] })], {
      queries: known,
    });
    const mixed = bound?.arms[0]?.queries ?? [];
    expect(mixed.map(({ shape, share }) => [shape, share])).toEqual([
      ['form 2', 0.75],
      ['form 1', 0.25],
    ]);
    // What looks like a placeholder is a value.
    expect(makeExamples(mixed[1]?.examples ?? [], 3).map(({ body }) => JSON.parse(body ?? '').selector.status)).toEqual(
      ['{id}', 'paid', '{id}'],
    );
    expect(bound?.answers?.map(({ query, isChanged }) => [query, isChanged])).toEqual([
      ['q2 (form 2)', true],
      ['q1 (form 1)', false],
      ['q1 (form 1)', false],
    ]);
  });

  test('of many examples send a few, and of many forms those that take most of the time', () => {
    const many = Array.from({ length: 50 }, (_, at) => find({ selector: { total: at } }));
    const [few] = bindOne(planStep({ queries: [stepQuery(requests(many))] })).arms;
    expect(few?.queries?.[0]?.examples).toHaveLength(5);
    const queries = Array.from({ length: 30 }, (_, at) =>
      stepQuery({ query: `q${at}`, msBefore: at, ...requests(many) }),
    );
    const known = queries.map(({ query }) => ({ .../** @type {any} */ (shopPlan().queries[0]), id: query }));
    const [bound] = bind([planStep({ queries })], { queries: known });
    expect(bound?.arms[0]?.queries).toHaveLength(20);
    expect(bound?.arms[0]?.queries?.[0]?.examples).toHaveLength(1);
    expect(bound?.assumed).toEqual([
      { part: 'query', text: '20 of 30 forms of query, those that take most of the time' },
    ]);
  });

  test('that cannot be measured are named, and the others measured', () => {
    const queries = [stepQuery(), stepQuery({ query: 'q2', ...requests([]) })];
    const bound = bindOne(planStep({ queries }));
    expect(bound.obstacle).toBeUndefined();
    expect(bound.assumed).toEqual([
      { part: 'query', text: 'q2 (form 2) is not measured: the plan has no example of its requests' },
    ]);
    expect(bound.predicted?.requestsPerDay).toBe(1000);
  });

  test('of unknown times have no predicted ratio', () => {
    const queries = [stepQuery(), stepQuery({ query: 'q2', msBefore: null })];
    expect(bindOne(planStep({ queries })).predicted?.ratio).toBeNull();
  });
});

const not = 'q1 (form 1) is not measured: ';
test.each([
  ['no queries', planStep({ queries: [] }), 'the plan names no query that it is about'],
  ['no examples', planStep({ queries: [stepQuery(requests([]))] }), `${not}the plan has no example of its requests`],
  [
    'no examples with the step',
    planStep({ queries: [stepQuery(requests([find({})], []))] }),
    `${not}the plan has no example of its requests`,
  ],
  [
    'a view that is not defined',
    planStep({ queries: [stepQuery(requests([viewRequest('orders/gone')]))] }),
    `${not}the plan does not define \`_design/orders/_view/gone\``,
  ],
  [
    'a map with require()',
    planStep({
      queries: [
        stepQuery({
          servedBy: { view: { map: "function (doc) { require('views/lib/x'); }" } },
          ...requests([viewRequest('orders/lib')]),
        }),
      ],
    }),
    `${not}the map of \`_design/orders/_view/lib\` uses require()`,
  ],
  [
    'an index to drop that is not defined',
    planStep({ change: { ...planStep().change, kind: 'drop-index' } }),
    'the plan does not define what it drops',
  ],
])('a step with %s is not measured, and says why', (_, step, obstacle) => {
  expect(bindOne(step).obstacle).toBe(obstacle);
});

test.each([
  ['POST', '_bulk_docs', { docs: [] }],
  ['POST', '_purge', {}],
  ['PUT', 'order-1', {}],
  ['DELETE', 'order-1', undefined],
  ['POST', 'order-1', {}],
  ['GET', '../shop/_all_docs', undefined],
  ['GET', '%2e%2e', undefined],
  ['GET', '..', undefined],
  ['GET', '/shop/_all_docs', undefined],
  ['GET', '_design/..%2f/_view/x/../../../../_users', undefined],
  ['GET', '_all_docs?limit=1', undefined],
  ['GET', '_design/orders/_view/x#y', undefined],
  ['GET', 'order 1', undefined],
  ['GET', '%', undefined],
  ['GET', '', undefined],
  ['POST', '_find', undefined],
])('%s %s is not sent', (method, path, body) => {
  const request = /** @type {ArmRequest} */ ({ method, path, ...(body ? { body } : {}) });
  const bound = bindOne(planStep({ queries: [stepQuery(requests([request]))] }));
  expect(bound.obstacle).toBe(`${not}its requests are not of a kind that can be repeated`);
  expect(bound.arms.flatMap(({ queries }) => queries)).toEqual([]);
});

test('a feed that does not end is not sent', () => {
  const request = { method: /** @type {const} */ ('GET'), path: '_changes', query: { feed: 'continuous' } };
  expect(bindOne(planStep({ queries: [stepQuery(requests([request]))] })).obstacle).toContain('not of a kind');
  const once = { ...request, query: { feed: 'normal' } };
  expect(bindOne(planStep({ queries: [stepQuery(requests([once]))] })).obstacle).toBeUndefined();
});

test('an index that is dropped is measured by writes', () => {
  const { index, ...change } = planStep().change;
  const step = planStep({ change: { ...change, kind: 'drop-index', replaces: index ? { index } : {} }, queries: [] });
  const bound = bindOne(step);
  expect(bound).toMatchObject({ mechanisms: ['append-only-tree'], dataset: { documents: 8 } });
  expect(bound.obstacle).toBeUndefined();
  expect(bound.arms.map(({ measure, setup }) => [measure, setup?.indexes.length])).toEqual([
    ['load', 1],
    ['load', 0],
  ]);
});

describe('the whole plan', () => {
  const second = planStep({
    number: 2,
    change: viewChange({ kind: 'create-view', view: { map } }),
    title: 'create view by_status',
    queries: [
      stepQuery({
        msBefore: 3,
        msAfter: 1,
        ...requests([find({})], [viewRequest('orders/by_status')]),
        mustChange: ['x'],
      }),
      stepQuery({ query: 'q2', msBefore: 10, msAfter: 10 }),
    ],
  });

  test('is not measured apart from a single step', () => {
    expect(bind([planStep()])).toHaveLength(1);
  });

  test('has all indexes and all queries, as the last step about them leaves them', () => {
    const whole = bind([planStep(), second]).at(-1);
    expect(whole).toMatchObject({
      id: 'the whole plan',
      predicted: { step: null, ratio: 40 / 11, savedMsPerDay: 27_000, requestsPerDay: 2000 },
    });
    expect(whole?.effectMs).toBeUndefined();
    expect(whole && setups(whole)).toEqual([
      { designDocs: [], indexes: [] },
      {
        designDocs: [{ id: 'orders', views: { by_status: { map } } }],
        indexes: [{ designDoc: 'by_status', name: 'by_status', fields: ['status'] }],
      },
    ]);
    expect(whole?.answers?.map(({ query, after, isChanged }) => [query, after.path, isChanged])).toEqual([
      ['q1 (form 1)', '_design/orders/_view/by_status', true],
      ['q2 (form 2)', '_find', false],
    ]);
  });

  test('has what steps drop only before', () => {
    const drop = planStep({
      number: 2,
      change: viewChange({ kind: 'drop-view', replaces: { view: { map } } }),
      queries: [],
    });
    const whole = bind([planStep(), drop]).at(-1);
    expect(whole?.arms.map(({ about }) => about)).toEqual(['with view `orders/by_status`', 'with index `by_status`']);
    expect(whole && setups(whole).map((setup) => [setup?.designDocs.length, setup?.indexes.length])).toEqual([
      [1, 0],
      [0, 1],
    ]);
  });

  test('is measured for each database that has several steps', () => {
    const other = planStep({ number: 3, change: { ...planStep().change, database: 'crm' } });
    const bound = bind([planStep(), second, other]);
    expect(bound.map(({ predicted }) => predicted?.step)).toEqual([1, 2, 3, null]);
    expect(bound.at(-1)).toMatchObject({ id: 'all steps of shop', predicted: { savedMsPerDay: 54_000 } });
    expect(bound.at(-1)?.arms[1]?.setup?.indexes).toHaveLength(1);
  });

  test('of steps without queries is not measured', () => {
    const steps = [planStep({ queries: [] }), planStep({ number: 2, queries: [] })];
    expect(bind(steps).at(-1)?.obstacle).toBe('its steps are about no query');
  });
});
