// An experiment about the very view of a finding: its functions, its keys, the query as logged.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { bindExperiment, bindLoad } from '../../lib/experiments/bind.js';
import { makeLoad, makeRequests } from '../../lib/experiments/workload.js';
import { root } from '../helpers/run-cli.js';

/** @import { BoundView } from '../../lib/experiments/bind.js' */
/** @import { Experiment } from '../../lib/experiments/experiment.js' */

/** @param {string} rule @returns {Experiment} */
function read(rule) {
  return JSON.parse(readFileSync(path.join(root, 'rules', rule, 'experiment.json'), 'utf8'));
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
    query: {},
    data: { documents: [{ _id: 'doc-0' }, { _id: 'doc-1' }], keys: ['open', 'paid', 'sent'] },
    notes: ['made up'],
    ...other,
  };
}

/** @param {Experiment | {reason: string}} bound @returns {Experiment} */
function whole(bound) {
  if ('reason' in bound) throw new Error(bound.reason);
  return bound;
}

describe('a bound experiment', () => {
  const bound = whole(bindExperiment(read('view/include-docs-hot'), view({ query: { limit: 7 } })));

  test('has the functions of the view, which differ in one thing', () => {
    expect(bound.id).toBe('view/include-docs-hot at _design/app/_view/by_status');
    expect(bound.arms.map(({ designDoc }) => designDoc?.views?.['rows']?.map)).toEqual([
      'function (doc) { emit(doc.status, null); }',
      'function (doc) { emit(doc.status, { a: doc.a }); }',
      'function (doc) { emit(doc.status, doc); }',
    ]);
    expect(bound.arms.map(({ about }) => about)).toEqual([
      '7 rows with `include_docs=true`',
      '7 rows with two fields emitted',
      '7 rows with the document emitted',
    ]);
  });

  test('asks for its keys, with the limit of the log', () => {
    const [asIs] = bound.arms;
    const requests = asIs
      ? makeRequests(asIs, bound.dataset, { seed: '1', round: 0, documents: 2, count: 40, designDoc: 'as-is' })
      : [];
    const asked = new Set(requests.map((request) => decodeURIComponent(request.path)));
    expect([...asked].sort()).toEqual(
      ['open', 'paid', 'sent'].map((key) => `_design/as-is/_view/rows?startkey="${key}"&limit=7&include_docs=true`),
    );
  });

  test('loads the documents it was given, over and over under other ids', () => {
    const [load] = makeLoad(bound.dataset, { seed: '1', documents: 5, ids: 'sequential', batch: 10 });
    const { docs } = JSON.parse(load?.body ?? '{}');
    expect(docs.map((/** @type {{_id: string}} */ { _id }) => _id)).toEqual([
      'doc-0',
      'doc-1',
      'doc-0-1',
      'doc-1-1',
      'doc-0-2',
    ]);
  });
});

test('a reduce is set against the built-in that is proved to equal it', () => {
  const reduce = 'function (k, v) { return sum(v); }';
  const bound = whole(
    bindExperiment(
      read('reduce/custom-sum'),
      view({ reduce, builtin: '_sum', query: { groupLevel: 2 }, connections: 3 }),
    ),
  );
  expect(bound.connections).toBe(3);
  const reduces = bound.arms.map(({ designDoc }) => designDoc?.views?.['rows']?.reduce);
  expect(reduces).toEqual([reduce, '_sum', reduce, '_sum']);
  expect(bound.arms.map(({ measure }) => measure)).toEqual(['requests', 'requests', 'build', 'build']);
  expect(bound.arms.slice(0, 2).map(({ about }) => about)).toEqual([
    'its reduce in JavaScript, by groups',
    '`_sum`, by groups',
  ]);
  const queries = bound.arms.map(({ request }) => request?.query);
  expect(queries.slice(0, 2)).toEqual([{ group_level: 2 }, { group_level: 2 }]);
});

test.each([
  [
    'without a built-in',
    'reduce/custom-sum',
    view({ reduce: 'function () {}' }),
    'no built-in is proved to equal its reduce',
  ],
  ['without keys', 'view/include-docs-hot', view({ data: { documents: [], keys: [] } }), 'its map emits too few rows'],
  [
    'where the map cannot be rewritten',
    'view/include-docs-hot',
    view({ maps: { 'as-is': 'function (doc) { emit(...doc.a); }' } }),
    'its map cannot be rewritten to emit fields alone',
  ],
  ['of a pattern', 'mango/full-scan', view(), 'the experiment is about the pattern as such'],
  ['of a load', 'write/random-ids', view(), 'arm `as-is` is bound to no view'],
])('it is not bound %s', (_, rule, given, reason) => {
  expect(bindExperiment(read(rule), given)).toEqual({ reason });
});

test.each([
  ['small documents in large requests', { bytes: 120, batch: 1000 }, [5000, 0, 1000]],
  ['large documents', { bytes: 100_000, batch: 100 }, [200, 99_730, 100]],
  ['documents one by one', { bytes: 500, batch: 1 }, [400, 230, 1]],
  ['a file that tells no requests', { bytes: 500, batch: undefined }, [5000, 230, 100]],
  ['requests of all documents', { bytes: 500, batch: 1_000_000 }, [5000, 230, 2000]],
])('a load with %s is written as it is', (_, load, [documents, paddingBytes, batch]) => {
  const bound = whole(bindLoad(read('write/random-ids'), { name: 'orders.jsonl', ...load }));
  expect(bound.dataset).toMatchObject({ documents, paddingBytes });
  expect(bound.arms.map((arm) => arm.load)).toEqual([
    { ids: 'random', batch },
    { ids: 'sequential', batch },
  ]);
  expect(bound.arms[0]?.about).toBe(`random ids, batches of ${batch}`);
});

test.each([
  ['about a view', 'view/include-docs-hot', 500, 'the experiment is about the pattern as such'],
  ['about the size of requests itself', 'write/bulk-batch-size', 500, 'the experiment is about the pattern as such'],
  ['of a file without documents', 'write/random-ids', undefined, 'the load has ids without documents'],
])('an experiment %s is not bound to a load', (_, rule, bytes, reason) => {
  expect(bindLoad(read(rule), { name: 'orders.jsonl', bytes, batch: 100 })).toEqual({ reason });
});
