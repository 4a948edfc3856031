// Facts about query patterns, builds and logs: what is counted, what the address says, what is joined to views and filters,
// and unknown where logs cannot tell.

import { describe, expect, test } from 'vitest';
import { APP, line, shapeOf, subjectsOf, UNKNOWN } from '../../helpers/logged-facts.js';
import { createProject } from '../../helpers/temporary-project.js';

describe('misspelt parameters', () => {
  test.each([
    ['_design/app/_view/by_date?startKey=1&limit=2', 'startKey', 'startkey'],
    ['_design/app/_view/by_date?include-docs=true', 'include-docs', 'include_docs'],
    ['_all_docs?groupLevel=2', 'groupLevel', 'group_level'],
    ['_design/app/_view/by_date?start_key=1&end_key=2&_=17', 'none', UNKNOWN],
    ['_changes?startKey=1&filter=app/mine', 'none', UNKNOWN],
    ['_design/app/_list/page/by_date?Limit=1', 'none', UNKNOWN],
  ])('in %s', async (target, misspelt, meant) => {
    const fact = await shapeOf([line(`GET /shop/${target} 200 5`, 0)]);
    expect(fact('misspeltParameter')).toBe(misspelt);
    expect(fact('meantParameter')).toBe(meant);
  });
});

describe('what is counted', () => {
  test('requests, rates, times and statuses', async () => {
    const lines = Array.from({ length: 61 }, (_, at) =>
      line(`GET /shop/_design/app/_view/by_date?limit=20 ${at === 0 ? 500 : 200} ${10 + at}`, at * 20),
    );
    const fact = await shapeOf(lines);
    expect(fact('count')).toBe(61);
    expect(fact('ratePerMinuteMean')).toBe(3.05);
    expect(fact('ratePerMinutePeak')).toBe(3);
    expect(fact('ratePerMinuteBusy')).toBe(3);
    expect(fact('totalMs')).toBe(61 * 10 + 30 * 61);
    expect(fact('latencyMsP50')).toBe(40);
    expect(fact('errorShare')).toBe(1 / 61);
    expect(fact('serverErrorShare')).toBe(1 / 61);
    expect(fact('refusedShare')).toBe(0);
    expect(fact('errorStatus')).toBe('500');
    expect(fact('exampleLines')).toEqual(['couch.log:1', 'couch.log:2', 'couch.log:3']);
    expect(fact('bytesMean')).toBe(UNKNOWN);
  });

  test('the busiest ten minutes, and not one burst or the whole day', async () => {
    // A hundred in the ninth hour, one an hour before.
    const quiet = Array.from({ length: 9 }, (_, at) => line('GET /shop/_design/app/_view/by_date 200 5', at * 3600));
    const busy = Array.from({ length: 100 }, (_, at) =>
      line('GET /shop/_design/app/_view/by_date 200 5', 9 * 3600 + at * 5),
    );
    const fact = await shapeOf([...quiet, ...busy]);
    expect(fact('ratePerMinuteBusy')).toBe(10);
    expect(fact('ratePerMinutePeak')).toBe(12);
    expect(fact('ratePerMinuteMean')).toBeCloseTo(109 / (9 * 60 + 8.25), 3);
  });

  test('a document that is not there is no refusal, a view that is not there is one', async () => {
    expect((await shapeOf([line('GET /shop/cart 404 2', 0)]))('refusedShare')).toBe(0);
    expect((await shapeOf([line('GET /shop/_design/app/_view/nope 404 2', 0)]))('refusedShare')).toBe(1);
  });

  test('what a `_find` read, by its reports', async () => {
    const stats = (/** @type {string} */ nonce, /** @type {number} */ read) =>
      `[report] 2026-03-02T08:00:00.000000Z couchdb@127.0.0.1 <0.2.0> ${nonce} [mango-stats dbname="shop" execution_time_ms=2.5 nonce="${nonce}" results_returned=5 total_docs_examined=${read} total_keys_examined=0 total_quorum_docs_examined=0]`;
    const fact = await shapeOf([
      stats('aaaaaaaaaa', 100),
      line('POST /shop/_find 200 5', 0, 'aaaaaaaaaa'),
      stats('bbbbbbbbbb', 300),
      line('POST /shop/_find 200 5', 1, 'bbbbbbbbbb'),
    ]);
    expect(fact('findDocsExamined')).toBe(200);
    expect(fact('findResults')).toBe(5);
    expect(fact('findDocsPerResult')).toBe(40);
    expect(fact('rowsP50')).toBe(5);
  });
});

describe('what the address says', () => {
  const view = '/shop/_design/app/_view/by_date';
  test.each([
    [
      `GET ${view}?include_docs=true 200 5`,
      { includeDocs: true, isBounded: false, rowsP50: UNKNOWN, rowsPerMinuteBusy: UNKNOWN },
    ],
    [`GET ${view}?limit=50 200 5`, { includeDocs: false, isBounded: true, rowsP50: 50, rowsPerMinuteBusy: 50 }],
    [`GET ${view}?key=%22a%22 200 5`, { hasKey: true, isBounded: true }],
    [`GET ${view}?startkey=1&endkey=2 200 5`, { hasKey: false, isBounded: true }],
    [`GET ${view}?startkey=1 200 5`, { isBounded: true }],
    [`GET ${view}?skip=700&limit=10 200 5`, { skipP95: 700 }],
    [`POST ${view} 200 5`, { includeDocs: UNKNOWN, hasKeys: UNKNOWN, isBounded: UNKNOWN }],
    [`POST ${view}?include_docs=true 200 5`, { includeDocs: true, hasKeys: UNKNOWN }],
    [`GET ${view}?stale=ok 200 5`, { stale: 'ok' }],
    [`GET ${view} 200 5`, { stale: 'none', skipP95: 0, feed: 'normal', filterKind: 'none' }],
    ['GET /shop/_changes?feed=longpoll&since=5 200 5', { feed: 'longpoll', hasSince: true }],
    ['GET /shop/_changes 200 5', { feed: 'normal', hasSince: false }],
    ['GET /shop/_changes?filter=_selector 200 5', { filterKind: 'builtin' }],
    ['GET /shop/_changes?filter=_view&view=app/by_date 200 5', { filterKind: 'view' }],
    ['GET /shop/_changes?filter=app/mine 200 5', { filterKind: 'javascript', filter: 'app/mine' }],
    ['GET /shop/_partition/p1/_all_docs 200 5', { isPartitioned: true, isBounded: true }],
    ['GET /shop/order-1 200 5', { endpoint: 'document', rowsP50: 1, distinctKeys: 1 }],
  ])('%s', async (request, expected) => {
    const fact = await shapeOf([line(request, 0)]);
    expect(Object.fromEntries(Object.keys(expected).map((name) => [name, fact(name)]))).toEqual(expected);
  });
});

describe('what is joined', () => {
  const of = (/** @type {string} */ view, parameters = '') => `GET /shop/_design/app/_view/${view}${parameters} 200 5`;
  test.each([
    [
      of('by_date'),
      {
        viewIsRead: true,
        viewEmitsWholeDoc: false,
        viewEmits: ['emit(doc.date, null)'],
        viewEmitsInstead: 'emit(doc.date, { /* the fields that are read */ })',
        viewReduceKind: 'none',
        reduces: false,
      },
    ],
    [of('copies'), { viewEmitsWholeDoc: true }],
    [of('totals'), { viewReduceKind: 'custom', reduces: true }],
    [of('totals', '?reduce=false'), { viewReduceKind: 'custom', reduces: false }],
    [of('counts'), { viewReduceKind: 'builtin', reduces: true }],
    [of('nope'), { viewIsRead: false, viewEmits: UNKNOWN, reduces: UNKNOWN }],
    ['GET /shop/_changes?filter=app/mine 200 5', { filterFitsSelector: true, viewIsRead: false }],
    ['GET /shop/_changes?filter=app/nope 200 5', { filterFitsSelector: UNKNOWN }],
  ])('%s', async (request, expected) => {
    const fact = await shapeOf([line(request, 0)]);
    expect(Object.fromEntries(Object.keys(expected).map((name) => [name, fact(name)]))).toEqual(expected);
  });

  test('what two documents of the same id have in common', async () => {
    const fact = await shapeOf([line(of('by_date'), 0)], [APP, APP]);
    expect(fact('viewIsRead')).toBe(true);
  });
  test('nothing, where two documents of the same id differ', async () => {
    const other = { ...APP, views: { ...APP.views, by_date: APP.views.copies } };
    const fact = await shapeOf([line(of('by_date'), 0)], [APP, other]);
    expect(fact('viewIsRead')).toBe(false);
    expect(fact('viewEmits')).toBe(UNKNOWN);
  });

  test('views with what logs know of them', async () => {
    const subjects = await subjectsOf([
      ...[0, 1, 2, 3].map((at) => line(of('by_date', at > 1 ? '?limit=5' : ''), at * 1200)),
      line('GET /shop/_design/app/_list/csv/by_date 200 5', 4),
    ]);
    const facts = (/** @type {string} */ name) => subjects.find((subject) => subject.name === name)?.facts;
    expect(facts('by_date')?.get('view.requestCount')).toBe(5);
    expect(facts('by_date')?.get('view.ratePerMinuteMean')).toBe(0.0833);
    expect(facts('copies')?.get('view.requestCount')).toBe(0);
    expect(facts('copies')?.get('view.siblingRequestCount')).toBe(5);
    expect(facts('copies')?.get('view.isLogged')).toBe(true);
    expect(facts('copies')?.get('view.lookBackDays')).toBe(0.0417);
  });

  test.each([
    ['of a key', ['GET /shop/_design/app/_view/by_date?key=%22a%22 200 5'], false],
    ['of keys', ['GET /shop/_design/app/_view/by_date?keys=%5B%22a%22%5D 200 5'], false],
    ['of another view', ['GET /shop/_design/app/_view/copies 200 5'], false],
    ['of all rows', ['GET /shop/_design/app/_view/by_date 200 5'], true],
    ['of a range', ['GET /shop/_design/app/_view/by_date?startkey=%22a%22 200 5'], true],
    ['with a body', ['POST /shop/_design/app/_view/by_date 200 5'], true],
    ['of a list function', ['GET /shop/_design/app/_list/csv/by_date?key=%22a%22 200 5'], true],
    ['of a key, and of all', ['GET /shop/_design/app/_view/by_date?key=1 200 5', `${of('by_date')}`], true],
  ])('whether the order of rows may matter: %s', async (_, requests, expected) => {
    const subjects = await subjectsOf(requests.map((request, at) => line(request, at)));
    const view = subjects.find(({ kind, name }) => kind === 'view' && name === 'by_date');
    expect(view?.facts.get('view.isReadInOrder')).toBe(expected);
  });

  test('nothing about views, where no log was read', async () => {
    const project = createProject({ 'app.json': APP });
    const { stdout } = await project.run(['facts', 'app.json', '--format', 'json']);
    const view = JSON.parse(stdout).subjects.find((/** @type {any} */ subject) => subject.kind === 'view');
    expect(view.facts['view.requestCount']).toEqual({ unknown: 'no log was read' });
    expect(view.facts['view.isLogged'].value).toBe(false);
  });
});

describe('builds', () => {
  const build = (/** @type {string} */ time, /** @type {string} */ what) =>
    `[info] 2026-03-02T${time}Z couchdb@127.0.0.1 <0.310.0> -------- ${what} for db: shards/00000000-7fffffff/shop.1772438400 idx: _design/app`;

  test('with the request that waited longest beyond what is usual', async () => {
    const subjects = await subjectsOf([
      ...[1, 2, 3, 4].map((second) => line('GET /shop/_design/app/_view/by_date?limit=5 200 20', second)),
      build('08:00:10.000000', 'Starting index update'),
      build('08:00:40.000000', 'Index update finished'),
      line('GET /shop/_design/app/_view/by_date?limit=5 200 29000', 41),
    ]);
    const facts = subjects.find(({ kind }) => kind === 'build')?.facts;
    expect(facts?.get('build.msMax')).toBe(30000);
    expect(facts?.get('build.slowestRequestMs')).toBe(29000);
    expect(facts?.get('build.slowdown')).toBe(1450);
  });

  test('without one, where no shape was asked often enough', async () => {
    const subjects = await subjectsOf([
      line('GET /shop/_design/app/_view/by_date?limit=5 200 29000', 1),
      build('08:00:10.000000', 'Starting index update'),
      build('08:00:40.000000', 'Index update finished'),
    ]);
    const facts = subjects.find(({ kind }) => kind === 'build')?.facts;
    expect(facts?.get('build.msMax')).toBe(30_000);
    expect(facts?.get('build.slowestRequestMs')).toBe(UNKNOWN);
  });
});
