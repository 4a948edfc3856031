// Documents and requests are the same for the same seed, and placeholders mean what they say.

import { describe, expect, test } from 'vitest';
import { documentId, makeDocument, makeLoad, makeRequests } from '../../helpers/internals.js';
import { shopExperiment } from './shop-experiment.js';

/** @import { ArmRequest, GivenData } from '../../../lib/measure/experiments/experiment.js' */

const dataset = { documents: 1000, paddingBytes: 50, groups: 10 };
const options = { seed: '1', round: 0, documents: 1000, count: 3, designDoc: 'orders' };

/** @param {Partial<ArmRequest>} request @returns {ArmRequest} */
const requestOf = (request) => ({ method: 'GET', path: '', ...request });

test('a document is the same again, and another one for another seed or number', () => {
  const document = makeDocument(dataset, '1', 7);
  expect(makeDocument(dataset, '1', 7)).toEqual(document);
  expect(makeDocument(dataset, '2', 7)).not.toEqual(document);
  expect(document).toMatchObject({ type: 'order', number: 7, customer: 'customer-00007' });
  expect(document['client']).toBe(document['customer']);
  expect(String(document['note'])).toHaveLength(50);
});

test('ids in order are in order, random ones are not, and all are equally long', () => {
  for (const ids of /** @type {const} */ (['sequential', 'random'])) {
    const all = Array.from({ length: 500 }, (_, at) => documentId('1', at, ids));
    expect(new Set(all).size).toBe(500);
    expect(new Set(all.map((id) => id.length))).toEqual(new Set([16]));
    expect(all.every((id, at) => at === 0 || id > (all[at - 1] ?? ''))).toBe(ids === 'sequential');
  }
});

test.each([
  [250, 100, ['_bulk_docs', '_bulk_docs', '_bulk_docs'], [100, 100, 50]],
  [2, 1, ['order-0000000000', 'order-0000000001'], [undefined, undefined]],
])('a load of %i in batches of %i', (documents, batch, paths, counts) => {
  const load = [...makeLoad(dataset, { seed: '1', documents, ids: 'sequential', batch })];
  expect(load.map(({ path }) => path)).toEqual(paths);
  expect(load.map(({ body = '{}' }) => JSON.parse(body).docs?.length)).toEqual(counts);
});

test('arms of one round are asked for the same things', () => {
  const requests = shopExperiment().arms.flatMap(({ request }) => request ?? []);
  const [asIs, advised] = requests.map((request) => makeRequests(request, dataset, options));
  expect(advised?.map(({ path }) => path)).toEqual(asIs?.map(({ path }) => path.replace('&include_docs=true', '')));
  expect(asIs?.[0]?.path).toMatch(/^_design\/orders\/_view\/rows\?startkey=\d+&limit=10&include_docs=true$/);
  expect(makeRequests(requestOf(requests[0] ?? {}), dataset, { ...options, round: 1 })).not.toEqual(asIs);
});

describe('a placeholder', () => {
  test.each([
    ['{id}', /^order-0000000\d{3}$/],
    ['_all_docs', /^_all_docs$/],
  ])('in a path: %s', (path, pattern) => {
    for (const request of makeRequests(requestOf({ path }), dataset, options)) expect(request.path).toMatch(pattern);
  });

  test('of ids gives as many as it says', () => {
    const [request] = makeRequests(
      requestOf({ method: 'POST', body: { keys: '{ids:5}', docs: '{idObjects:3}' } }),
      dataset,
      options,
    );
    const body = JSON.parse(request?.body ?? '');
    expect(body.keys).toHaveLength(5);
    expect(body.docs.map(Object.keys)).toEqual([['id'], ['id'], ['id']]);
  });

  test('of a number leaves rows behind it, a deep one has most before it', () => {
    const requests = makeRequests(requestOf({ query: { near: '{number}', deep: '{deepNumber}' } }), dataset, {
      ...options,
      count: 50,
    });
    for (const { path } of requests) {
      const parameters = new URLSearchParams(path.slice(1));
      expect(Number(parameters.get('near'))).toBeLessThan(600);
      expect(Number(parameters.get('deep'))).toBeGreaterThanOrEqual(700);
    }
  });

  test('in a query is JSON for keys and a plain word for filters', () => {
    const query = { key: '{customer}', filter: '{designDoc}/mine', group: true };
    const [request] = makeRequests(requestOf({ path: '_changes', query }), dataset, options);
    expect(decodeURIComponent(request?.path ?? '')).toMatch(
      /^_changes\?key="customer-0000\d"&filter=orders\/mine&group=true$/,
    );
  });

  test('of a view of the user is a key that it emits, or several, or two with a tenth of them between', () => {
    const keys = Array.from({ length: 50 }, (_, at) => at);
    const given = { ...dataset, given: { documents: [], keys } };
    const range = { startkey: '{rangeStart}', endkey: '{rangeEnd}' };
    const query = { key: '{key}', keys: '{keys:3}', ...range, limit: '{keyAt:500}' };
    for (const { path } of makeRequests(requestOf({ query }), given, { ...options, count: 50 })) {
      const parameters = Object.fromEntries(
        [...new URLSearchParams(path.slice(1))].map(([name, value]) => [name, JSON.parse(value)]),
      );
      expect(keys).toContain(parameters['key']);
      expect(parameters['keys']).toHaveLength(3);
      expect(parameters['endkey'] - parameters['startkey']).toBe(5);
      expect(parameters['limit']).toBe(24);
    }
  });

  test('that does not exist is a fault', () => {
    expect(() => makeRequests(requestOf({ query: { key: '{price}' } }), dataset, options)).toThrow(
      '{price} is no placeholder',
    );
  });
});

describe('a load that was given', () => {
  const ids = ['order:2', 'ä', 'b', 'order:10', 'a'];
  /** @type {GivenData} */
  const given = { documents: ids.map((_id, at) => ({ _id, at })), keys: [], requestEnds: [2, 3, 5] };
  /** @param {import('../../../lib/measure/experiments/experiment.js').LoadIds} kind @param {number | 'given'} batch @returns {[string, number][][]} */
  const written = (kind, batch) =>
    [...makeLoad({ documents: 5, given }, { seed: '1', documents: 5, ids: kind, batch })].map(({ body = '' }) =>
      JSON.parse(body).docs.map((/** @type {{_id: string, at: number}} */ { _id, at }) => [_id, at]),
    );

  test('is written in its order and its own requests', () => {
    expect(written('given', 'given')).toEqual([
      [
        ['order:2', 0],
        ['ä', 1],
      ],
      [['b', 2]],
      [
        ['order:10', 3],
        ['a', 4],
      ],
    ]);
  });

  test('is sorted as a whole by the bytes of its ids', () => {
    expect(written('sorted', 10)).toEqual([
      [
        ['a', 4],
        ['b', 2],
        ['order:10', 3],
        ['order:2', 0],
        ['ä', 1],
      ],
    ]);
  });

  test('gets numbers of the mean length of its ids, which count up', () => {
    expect(written('counted', 10).flat()).toEqual(ids.map((_, at) => [`000${at}`, at]));
  });

  test('is written one by one where its batch is one', () => {
    const puts = [...makeLoad({ documents: 5, given }, { seed: '1', documents: 5, ids: 'given', batch: 1 })];
    expect(puts.map(({ method, path }) => [method, path])).toEqual(ids.map((id) => ['PUT', encodeURIComponent(id)]));
  });
});
