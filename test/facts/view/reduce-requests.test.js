// Who wants the reduce of a view: counted in logs, unknown where addresses do not show it.

import { describe, expect, test } from 'vitest';
import { APP, line, subjectsOf, UNKNOWN } from '../../helpers/logged-facts.js';

describe('who wants the reduce of a view', () => {
  const of = (/** @type {string} */ rest, method = 'GET') => `${method} /shop/_design/app/_view/counts${rest} 5`;
  test.each([
    ['switched off', [of('?reduce=false 200'), of('?reduce=False&limit=5 304')], 2, 0],
    ['wanted', [of(' 200'), of('?group=true 200'), of('?reduce=true 200')], 0, 3],
    ['both', [of('?reduce=false 200'), of('?group=true 200')], 1, 1],
    ['refused', [of('?reduce=false 200'), of('?reduce=false 404'), of('?include_docs=true 400')], 1, 0],
    ['wanted, and it failed', [of('?reduce=false 200'), of(' 500')], 1, 1],
    ['asked whether it may be', [of('?reduce=false 200', 'OPTIONS'), of(' 200', 'OPTIONS')], 0, 0],
    ['posted', [of('?reduce=false 200'), of(' 200', 'POST')], 1, UNKNOWN],
    ['posted, and wanted', [of(' 200', 'POST'), of(' 200')], 0, 1],
    ['posted, and off in the address', [of('?reduce=false 200', 'POST')], 1, 0],
    ['said twice', [of('?reduce=false&reduce=true 200')], 0, UNKNOWN],
    ['in a list of queries', [of('/queries?reduce=false 200', 'POST')], 0, UNKNOWN],
    ['in a list', ['GET /shop/_design/app/_list/csv/counts?reduce=false 200 5'], 1, 0],
    [
      'in a list of another document',
      [of('?reduce=false 200'), 'GET /shop/_design/csv/_list/csv/app/counts 200 5'],
      1,
      UNKNOWN,
    ],
    [
      'in a list of another document, for others',
      [of('?reduce=false 200'), 'GET /shop/_design/csv/_list/csv/stock/all 200 5'],
      1,
      0,
    ],
    ['behind a rewrite', [of('?reduce=false 200'), 'GET /shop/_design/app/_rewrite/all 200 5'], 1, UNKNOWN],
    [
      'of another view',
      ['GET /shop/_design/app/_view/totals 200 5', 'GET /shop/_design/stock/_view/counts 200 5'],
      0,
      0,
    ],
  ])('%s', async (_, requests, off, reduced) => {
    const subjects = await subjectsOf(requests.map((request, at) => line(request, at)));
    const facts = subjects.find(({ name }) => name === 'counts')?.facts;
    expect(facts?.get('view.reduceOffRequestCount')).toBe(off);
    expect(facts?.get('view.reducedRequestCount')).toBe(reduced);
  });

  test('and for whose documents requests were refused', async () => {
    const subjects = await subjectsOf([
      line(of('?include_docs=true 400'), 0),
      line(of('?include_docs=true 401'), 1),
      line(of('?include_docs=true&limit=5 400'), 2),
      line(of('?include_docs=true&skip=5 200'), 3),
      line('GET /shop/_design/app/_view/by_date?include_docs=true 400 5', 4),
    ]);
    const count = (/** @type {string} */ name) =>
      subjects.find((subject) => subject.name === name)?.facts.get('view.refusedDocsCount');
    expect([count('counts'), count('totals'), count('by_date')]).toEqual([2, 0, 0]);
  });

  test('not where several documents have the view', async () => {
    const subjects = await subjectsOf([line(of('?reduce=false 200'), 0)], [APP, APP]);
    const facts = subjects.find(({ name }) => name === 'counts')?.facts;
    for (const name of ['reduceOffRequestCount', 'reducedRequestCount', 'refusedDocsCount'])
      expect(facts?.get(`view.${name}`)).toBe(UNKNOWN);
  });
});
