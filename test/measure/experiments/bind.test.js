// An experiment about the very view, filter or load of a finding: its functions, its documents and keys, its queries as logged.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { bindExperiment } from '../../../lib/measure/experiments/bind.js';
import { bindFilter } from '../../../lib/measure/experiments/bind-filter.js';
import { bindLoad } from '../../../lib/measure/experiments/bind-load.js';
import { queriesOf } from '../../../lib/measure/experiments/experiment.js';
import { makeLoad, makeRequests } from '../../helpers/internals.js';
import { root } from '../../helpers/run-cli.js';

/** @import { BoundView } from '../../../lib/measure/experiments/bind.js' */
/** @import { BoundLoad } from '../../../lib/measure/experiments/bind-load.js' */
/** @import { Experiment } from '../../../lib/measure/experiments/experiment.js' */
/** @import { LoggedQuery } from '../../../lib/measure/experiments/logged-queries.js' */

/** @param {string} rule @returns {Experiment} */
function read(rule) {
  return JSON.parse(readFileSync(path.join(root, 'rules', rule, 'experiment.json'), 'utf8'));
}

/** @param {string} query `?group=true` @param {Partial<LoggedQuery>} [other] @returns {LoggedQuery} */
function logged(query, other) {
  const parameters = query.slice(1).split('&').filter(Boolean);
  const base = { method: 'GET', endpoint: '_view', count: 10, weight: 0.1, limit: undefined, skip: undefined };
  return { ...base, rows: undefined, parameters, ...other };
}

/** @param {Partial<BoundView>} [other] @returns {BoundView} */
function view(other) {
  const map = 'function (doc) { emit(doc.status, null); }';
  return {
    name: '_design/app/_view/by_status',
    maps: {
      'as-is': map,
      fields: map.replace('null', '{ a: doc.a }'),
      document: map.replace('null', 'doc'),
      null: map,
    },
    reduce: undefined,
    builtin: undefined,
    queries: undefined,
    data: { documents: [{ _id: 'order-0' }, { _id: 'order-1' }], keys: ['open', 'paid', 'sent'] },
    notes: ['2 of your documents'],
    assumed: [],
    ...other,
  };
}

/** @param {Experiment | {reason: string}} bound @returns {Experiment} */
function whole(bound) {
  if ('reason' in bound) throw new Error(bound.reason);
  return bound;
}

describe('a bound experiment', () => {
  const queries = [logged('?include_docs=true&limit&startkey', { limit: 7 })];
  const bound = whole(bindExperiment(read('view/include-docs-hot'), view({ queries })));

  test('has the functions of the view, which differ in one thing', () => {
    expect(bound.id).toBe('view/include-docs-hot at _design/app/_view/by_status');
    expect(bound.arms.map(({ designDoc }) => designDoc?.views?.['rows']?.map)).toEqual([
      'function (doc) { emit(doc.status, null); }',
      'function (doc) { emit(doc.status, { a: doc.a }); }',
      'function (doc) { emit(doc.status, doc); }',
    ]);
    expect(bound.arms.map(({ about }) => about)).toEqual([
      '`?include_docs=true&limit&startkey`',
      'the same without `include_docs`, emits two fields',
      'the same without `include_docs`, emits the document',
    ]);
  });

  test('asks for its keys, with the limit of the log, and each arm for what it is about', () => {
    const asked = bound.arms.map((arm) =>
      queriesOf(arm).flatMap(({ request }) =>
        makeRequests(request, bound.dataset, { seed: '1', round: 0, documents: 2, count: 40, designDoc: 'a' }),
      ),
    );
    const paths = asked.map((requests) => [...new Set(requests.map((one) => decodeURIComponent(one.path)))].sort());
    const expected = (/** @type {string} */ docs) =>
      ['open', 'paid', 'sent'].map((key) => `_design/a/_view/rows?${docs}limit=7&startkey="${key}"`);
    expect(paths).toEqual([expected('include_docs=true&'), expected(''), expected('')]);
  });

  test('writes the documents that it was given, once each, under their ids', () => {
    const [load] = makeLoad(bound.dataset, { seed: '1', documents: 2, ids: 'given', batch: 10 });
    expect(JSON.parse(load?.body ?? '{}').docs).toEqual([{ _id: 'order-0' }, { _id: 'order-1' }]);
    expect(bound.dataset.documents).toBe(2);
  });

  test('says nothing was assumed where all is of the user', () => {
    expect([bound.about, bound.assumed, bound.notes]).toEqual([
      '_design/app/_view/by_status',
      [],
      ['2 of your documents'],
    ]);
  });
});

describe('queries of the logs', () => {
  const reduce = 'function (k, v) { return sum(v); }';
  /** @param {LoggedQuery[] | undefined} queries */
  const sum = (queries) =>
    bindExperiment(read('reduce/custom-sum'), view({ reduce, builtin: '_sum', queries, connections: 3 }));

  test('are measured in their mix, with both reduces', () => {
    const bound = whole(sum([logged('?group=true', { count: 30 }), logged('?reduce=false&key', { count: 10 })]));
    expect(bound.connections).toBe(3);
    expect(bound.arms.map(({ designDoc }) => designDoc?.views?.['rows']?.reduce)).toEqual([
      reduce,
      '_sum',
      reduce,
      '_sum',
    ]);
    const [asIs, advised, build] = bound.arms;
    expect(asIs?.queries).toEqual(advised?.queries);
    expect(asIs?.queries?.map(({ share, request }) => [share, request.query])).toEqual([
      [0.75, { group: true }],
      [0.25, { reduce: false, key: '{key}' }],
    ]);
    expect(build?.queries).toBeUndefined();
    expect(asIs?.about).toBe('`?group=true` (75 %), `?reduce=false&key` (25 %), with its JavaScript reduce');
    expect(bound.notes).toEqual(['2 of your documents']);
  });

  test('of which none reads the reduce say so', () => {
    const bound = whole(sum([logged('?reduce=false&key')]));
    expect(bound.notes).toContain('no logged query uses the reduce: only index builds differ');
    expect(bound.arms[1]?.queries?.map(({ request }) => request.query)).toEqual([{ reduce: false, key: '{key}' }]);
  });

  test('that there are none of leave nothing to measure', () => {
    const bound = whole(sum([]));
    expect(bound.obstacle).toBe('the logs contain no query of this view');
  });

  test('that are not known are those of the pattern, and it is said', () => {
    const bound = whole(sum(undefined));
    expect(bound.arms[0]?.request?.query).toEqual({ group: true });
    expect(bound.assumed).toEqual([{ part: 'query', text: 'no logged queries, so `?group=true` was measured' }]);
  });

  test.each([
    ['a key', '?key', {}, { key: '{key}' }, []],
    ['a page', '?descending=true&limit&skip', { limit: 20, skip: 40 }, { descending: true, limit: 20, skip: 40 }, []],
    [
      'a range with rows',
      '?endkey&startkey',
      { rows: 12 },
      { startkey: '{rangeStart}', endkey: '{rangeEnd}' },
      [/a tenth/],
    ],
    ['groups of a level', '?group_level=2', {}, { group_level: 2 }, []],
    ['keys', '?group=true&keys', { rows: 5 }, { group: true, keys: '{keys:5}' }, []],
    ['keys that were not counted', '?group=true&keys', {}, { group: true, keys: '{keys:10}' }, [/the number of/]],
    ['words', '?stale=ok&update=lazy', {}, { stale: 'ok', update: 'lazy' }, []],
    ['a value that is not known', '?group=?', {}, {}, []],
  ])('for %s are repeated', (_, query, other, expected, assumed) => {
    const bound = whole(sum([logged(query, other)]));
    expect(bound.arms[0]?.queries?.[0]?.request.query).toEqual(expected);
    expect((bound.assumed ?? []).map(({ text }) => text)).toEqual(assumed.map((one) => expect.stringMatching(one)));
  });

  test('for rows of a range have as many as were counted', () => {
    const bound = whole(
      bindExperiment(read('view/include-docs-hot'), view({ queries: [logged('?endkey&startkey', { rows: 12 })] })),
    );
    expect(bound.arms[0]?.queries?.[0]?.request.query).toEqual({ startkey: '{key}', limit: 12 });
  });

  test('that cannot be repeated are left out, and it is said', () => {
    const bound = whole(sum([logged('?group=true', { count: 60 }), logged('', { method: 'POST', count: 40 })]));
    expect(bound.arms[0]?.queries?.map(({ share }) => share)).toEqual([1]);
    expect(bound.assumed?.[0]?.text).toBe('40 % of its requests are skipped: rare or not repeatable');
    expect(sum([logged('', { method: 'POST' })])).toEqual({ reason: expect.stringContaining('in request bodies') });
    expect(sum([logged('?group=true', { count: 0 })])).toEqual({ reason: 'all logged queries failed' });
  });

  test('for groups are no queries for rows', () => {
    const both = [logged('?group=true', { count: 10 }), logged('?limit&reduce=false', { count: 10, limit: 5 })];
    const bound = whole(bindExperiment(read('view/emit-whole-doc'), view({ reduce, queries: both })));
    expect(bound.arms.map(({ queries }) => queries?.map(({ request }) => request.query))).toEqual([
      [{ limit: 5 }],
      [{ limit: 5 }],
      [{ limit: 5 }],
      [{ limit: 5, include_docs: true }],
    ]);
    expect(bound.arms[0]?.designDoc?.views?.['rows']).not.toHaveProperty('reduce');
  });

  test('that skip rows are compared with those that begin where the page does', () => {
    const queries = [logged('?limit&skip', { limit: 20, skip: 900 })];
    const bound = whole(bindExperiment(read('query/skip-pagination'), view({ queries, rows: 1200 })));
    expect(bound.arms.map((arm) => arm.queries?.[0]?.request.query)).toEqual([
      { limit: 20, skip: 900 },
      { limit: 20, startkey: '{keyAt:750}' },
    ]);
  });

  test.each([
    [
      '?endkey&limit&skip&startkey',
      { limit: 20, skip: 300, startkey: '{keyAt:0}', endkey: '{keyAt:1000}' },
      { limit: 20, startkey: '{keyAt:250}', endkey: '{keyAt:1000}' },
    ],
    [
      '?descending=true&endkey&limit&skip&startkey',
      { descending: true, limit: 20, skip: 300, startkey: '{keyAt:1000}', endkey: '{keyAt:0}' },
      { descending: true, limit: 20, startkey: '{keyAt:750}', endkey: '{keyAt:0}' },
    ],
  ])('that skip rows of a range, %s, begin within the range', (query, asIs, advised) => {
    const queries = [logged(query, { limit: 20, skip: 300 })];
    const bound = whole(bindExperiment(read('query/skip-pagination'), view({ queries, rows: 1200 })));
    expect(bound.arms.map((arm) => arm.queries?.[0]?.request.query)).toEqual([asIs, advised]);
    expect(bound.assumed?.map(({ text }) => text)).toEqual([
      'the logs do not show the range of the skipped rows; all keys were used',
    ]);
  });

  test('that skip more rows than the view has here skip fewer, and it is said', () => {
    const queries = [logged('?limit&skip', { limit: 20, skip: 30_000 })];
    const bound = whole(bindExperiment(read('query/skip-pagination'), view({ queries, rows: 20_000 })));
    expect(bound.arms[0]?.queries?.[0]?.request.query).toEqual({ limit: 20, skip: 15_000 });
    expect(bound.assumed?.map(({ text }) => text)).toEqual([
      'the view has about 20,000 rows here, so 15,000 were skipped instead of 30,000',
    ]);
  });

  test('that skip rows of one key are not compared: how many it has is unknown', () => {
    const queries = [logged('?key&limit&skip', { limit: 20, skip: 900 })];
    expect(bindExperiment(read('query/skip-pagination'), view({ queries, rows: 1200 }))).toEqual({
      reason: 'the number of rows of `?key&limit&skip` is unknown',
    });
  });
});

test.each([
  [
    'without a built-in',
    'reduce/custom-sum',
    view({ reduce: 'function () {}' }),
    'no built-in is proven equal to its reduce',
  ],
  ['without keys', 'view/include-docs-hot', view({ data: { documents: [], keys: [] } }), 'its map emits too few rows'],
  [
    'where the map cannot be rewritten',
    'view/include-docs-hot',
    view({ maps: { 'as-is': 'function (doc) { emit(...doc.a); }' } }),
    'its map cannot be rewritten to emit fields alone',
  ],
  ['of a pattern', 'mango/full-scan', view(), 'the experiment measures the pattern in general'],
  ['of a load', 'write/random-ids', view(), 'arm `as-is` is not bound to a view'],
])('it is not bound %s', (_, rule, given, reason) => {
  expect(bindExperiment(read(rule), given)).toEqual({ reason });
});

describe('a load', () => {
  const documents = Array.from({ length: 1500 }, (_, at) => ({ _id: `m${at}`, total: at }));
  /** @param {Partial<BoundLoad>} [other] @returns {BoundLoad} */
  const load = (other) => ({
    name: 'orders.jsonl',
    outcome: 'partly-out-of-order',
    data: { documents, keys: [], requestEnds: [1000, 1500] },
    documents: 1500,
    assumed: [],
    ...other,
  });

  test('is written with its own documents, ids and requests, against the order that is advised', () => {
    const bound = whole(bindLoad(read('write/random-ids'), load()));
    expect(bound.arms.map((arm) => arm.load)).toEqual([
      { ids: 'given', batch: 'given' },
      { ids: 'sorted', batch: 'given' },
    ]);
    expect([bound.dataset.documents, bound.assumed]).toEqual([1500, []]);
    expect(bound.arms.map(({ about }) => about)).toEqual([
      'its ids in file order, its own requests',
      'sorted by `_id`, its own requests',
    ]);
    const sent = bound.arms.map((arm) => [
      ...makeLoad(bound.dataset, { seed: '1', documents: 1500, ids: arm.load?.ids ?? 'given', batch: 'given' }),
    ]);
    expect(sent.map((requests) => requests.length)).toEqual([2, 2]);
    const bytes = sent.map((requests) => requests.reduce((sum, { body = '' }) => sum + body.length, 0));
    expect(bytes[0]).toBe(bytes[1]);
  });

  test('of random ids is set against ids that count up', () => {
    const bound = whole(bindLoad(read('write/random-ids'), load({ outcome: 'random-ids' })));
    expect(bound.arms[1]?.load?.ids).toBe('counted');
  });

  test('without requests gets those of the pattern, and a large one is cut short; both are said', () => {
    const bound = whole(bindLoad(read('write/random-ids'), load({ data: { documents, keys: [] }, documents: 90_000 })));
    expect(bound.arms.map((arm) => arm.load?.batch)).toEqual([100, 100]);
    expect(bound.assumed).toEqual([
      { part: 'count', text: 'the first 1,500 of 90,000 documents, into an empty database' },
      { part: 'query', text: 'the file does not group documents into requests; 100 per request were used' },
    ]);
  });

  test('one by one is as long as its requests allow', () => {
    const requestEnds = documents.map((_, at) => at + 1);
    const bound = whole(bindLoad(read('write/bulk-batch-size'), load({ data: { documents, keys: [], requestEnds } })));
    expect(bound.dataset.documents).toBe(400);
    expect(bound.arms.map((arm) => arm.load?.batch)).toEqual(['given', 500, 100, 1000]);
  });

  test.each([
    ['about a view', 'view/include-docs-hot', load(), 'the experiment measures the pattern in general'],
    [
      'of ids alone',
      'write/random-ids',
      load({ data: { documents: [], keys: [] } }),
      'the load contains ids without documents',
    ],
  ])('%s is not bound', (_, rule, given, reason) => {
    expect(bindLoad(read(rule), given)).toEqual({ reason });
  });
});

describe('a filter', () => {
  const filter = {
    name: '_design/app/filters/mine',
    source: "function (doc) { return doc.type === 'order'; }",
    selector: { type: 'order' },
    limit: /** @type {number | undefined} */ (5),
    isLogged: true,
    data: { documents: [{ _id: 'a' }, { _id: 'b' }], keys: [] },
    notes: [],
    assumed: [],
  };

  test('that is asked for five changes is measured on five', () => {
    const bound = whole(bindFilter(read('changes/js-filter'), filter));
    expect(bound.arms.map(({ request, designDoc }) => [request?.query, request?.body, designDoc?.filters])).toEqual([
      [{ filter: '{designDoc}/mine', limit: 5 }, undefined, { mine: filter.source }],
      [{ filter: '_selector', limit: 5 }, { selector: { type: 'order' } }, undefined],
    ]);
    expect(bound.arms[0]?.about).toBe('up to 5 changes through its function');
    expect([bound.dataset.documents, bound.assumed]).toEqual([2, []]);
  });

  test('without requests in the logs says so', () => {
    const bound = whole(bindFilter(read('changes/js-filter'), { ...filter, isLogged: false, limit: undefined }));
    expect(bound.assumed).toEqual([{ part: 'query', text: 'no logged request uses the filter: all changes are read' }]);
  });

  test('of a replication passes all changes, whatever the limit of logged requests', () => {
    const bound = whole(bindFilter(read('replication/filter-function'), { ...filter, isLogged: false }));
    expect(bound.arms.map(({ request }) => request?.query)).toEqual([
      { filter: '{designDoc}/mine' },
      { filter: '_selector' },
    ]);
    expect([bound.arms[0]?.about, bound.assumed]).toEqual(['a replication through its function', []]);
  });
});
