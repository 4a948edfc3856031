// An experiment about a call in the code of an application: its options, the view that it queries, documents of the user.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { bindList, bindReads, bindTemporary, withoutMeasurement } from '../../../lib/measure/experiments/bind-call.js';
import { measures } from '../../../lib/measure/experiments/experiment.js';
import { makeRequests } from '../../helpers/internals.js';
import { root } from '../../helpers/run-cli.js';

/** @import { Experiment } from '../../../lib/measure/experiments/experiment.js' */

/** @param {string} rule @returns {Experiment} */
function read(rule) {
  return JSON.parse(readFileSync(path.join(root, 'rules', rule, 'experiment.json'), 'utf8'));
}

/** @param {Experiment | {reason: string}} bound @returns {Experiment} */
function whole(bound) {
  if ('reason' in bound) throw new Error(bound.reason);
  return bound;
}

const documents = Array.from({ length: 8 }, (_, at) => ({
  _id: `order-${at}`,
  status: at % 2 === 0 ? 'open' : 'paid',
}));
const call = {
  name: 'orders.js:7:3',
  data: { documents, keys: ['open', 'paid'] },
  notes: ['8 of your documents'],
  assumed: [],
};

/** @param {Experiment} bound @returns {{method: string, path: string, body?: any}[]} the first request of each arm */
function firstRequests({ arms, dataset }) {
  return arms.map(({ request }) => {
    if (!request) throw new Error('no request');
    const options = { seed: '1', round: 0, documents: dataset.documents, count: 1, designDoc: 'a' };
    const [made] = makeRequests(request, dataset, options);
    if (!made) throw new Error('nothing made');
    return { ...made, path: decodeURIComponent(made.path), body: made.body && JSON.parse(made.body) };
  });
}

describe('turns of a loop', () => {
  test('that read documents request those of the user, one by one and together', () => {
    const bound = whole(bindReads(read('call/get-in-loop'), { ...call, turns: 5 }));
    expect([bound.id, bound.about, bound.dataset.documents]).toEqual([
      'call/get-in-loop at orders.js:7:3',
      'orders.js:7:3',
      8,
    ]);
    const [each, together] = firstRequests(bound);
    expect(each).toMatchObject({ method: 'GET', path: expect.stringMatching(/^order-\d$/) });
    expect(together).toMatchObject({ method: 'POST', path: '_all_docs?include_docs=true' });
    expect(together?.body.keys).toHaveLength(5);
    expect(together?.body.keys.every((/** @type {string} */ id) => /^order-\d$/.test(id))).toBe(true);
    expect(bound.arms.map(({ request, about }) => [request?.answers, about])).toEqual([
      [undefined, 'one `GET` per document'],
      [5, '`_all_docs` with 5 `keys`'],
    ]);
  });

  const map = 'function (doc) { emit(doc.status, 1); }';

  test('that query keys have the view and options of the call', () => {
    const view = { map, reduce: undefined, query: { include_docs: true }, isReduced: false };
    const bound = whole(bindReads(read('call/get-in-loop'), { ...call, turns: 2, view }));
    const [each, together] = firstRequests(bound);
    expect(each?.path).toMatch(/^_design\/a\/_view\/rows\?include_docs=true&key="(open|paid)"$/);
    expect(together).toMatchObject({ method: 'POST', path: '_design/a/_view/rows?include_docs=true' });
    expect(together?.body.keys).toHaveLength(2);
    expect(bound.arms.map(({ designDoc }) => designDoc)).toEqual([
      { views: { rows: { map } } },
      { views: { rows: { map } } },
    ]);
  });

  test('that read a reduce are grouped by key together', () => {
    const view = { map, reduce: '_sum', query: {}, isReduced: true };
    const [each, together] = firstRequests(whole(bindReads(read('call/get-in-loop'), { ...call, turns: 2, view })));
    expect([each?.path.includes('group'), together?.path]).toEqual([false, '_design/a/_view/rows?group=true']);
  });

  test('are not bound to an experiment about something else', () => {
    const reason = 'the experiment measures the pattern in general';
    expect(bindReads(read('call/all-documents'), { ...call, turns: 5 })).toEqual({ reason });
    expect(bindList(read('call/get-in-loop'), { ...call, fields: ['a'], selector: {} })).toEqual({ reason });
  });
});

test('all documents are set against those that the program keeps, with an index on its fields', () => {
  const given = { ...call, fields: ['status'], selector: { status: 'open' } };
  const bound = whole(bindList(read('call/all-documents'), given));
  const [all, kept] = firstRequests(bound);
  expect(all).toMatchObject({ method: 'GET', path: '_all_docs?include_docs=true' });
  expect(kept).toMatchObject({ method: 'POST', path: '_find', body: { selector: { status: 'open' }, limit: 8 } });
  expect(bound.arms.map(({ index }) => index)).toEqual([undefined, { fields: ['status'] }]);
});

test('a map in a call is sent with each query, or stored', () => {
  const map = 'function (doc) { emit(doc.status); }';
  const given = { ...call, map, query: { key: '{key}', limit: 3 }, shape: '?key&limit' };
  const bound = whole(bindTemporary(read('call/temporary-query'), given));
  const [sent, stored] = firstRequests(bound);
  expect(sent).toMatchObject({ method: 'POST', body: { map } });
  expect(sent?.path).toMatch(/^_temp_view\?key="(open|paid)"&limit=3$/);
  expect(stored?.path).toMatch(/^_design\/a\/_view\/rows\?key="(open|paid)"&limit=3$/);
  expect(bound.arms.map(({ designDoc }) => designDoc)).toEqual([undefined, { views: { rows: { map } } }]);
  expect(bound.arms[0]?.about).toBe('`?key&limit`, the map in the query');
});

test('what cannot be measured has its reason, and no pattern instead', () => {
  const bound = withoutMeasurement(read('call/get-in-loop'), { name: 'orders.js:7:3', obstacle: 'no view' });
  expect([bound.about, bound.obstacle, bound.assumed]).toEqual(['orders.js:7:3', 'no view', []]);
});

test.each([
  ['call/skip-paging', 'skips-rows', true],
  ['call/skip-paging', 'skips-matches', false],
  ['call/all-documents', 'picked-in-program', true],
  ['call/all-documents', 'all-attachments', false],
  ['call/get-in-loop', 'keys-in-function', true],
  ['query/n-plus-one', 'keys-in-function', false],
])('the experiment of %s measures %s: %s', (rule, outcome, isMeasured) => {
  const finding = { rule: rule.startsWith('query/') ? 'call/get-in-loop' : rule, outcome };
  expect(measures(read(rule), finding)).toBe(isMeasured);
});
