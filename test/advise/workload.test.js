// The workload of logs: which requests count, how often they come a day, and which query of the code they are.

import { describe, expect, test } from 'vitest';
import { adviseOn, firstIndex, linesOf, SCAN_MS } from '../helpers/advise.js';
import { harOfDay, shopOrders } from '../helpers/find-traffic.js';
import { isLong, sample } from '../helpers/long.js';

/** @import { Traffic } from '../helpers/find-traffic.js' */

/** @type {Traffic} */
const equal = { body: { selector: { customer: 'customer-7' } }, times: 1000, ms: SCAN_MS };
const client = "const shop = require('nano')(process.env.COUCHDB_URL).use('shop');\n";
const FIND = linesOf(`POST /shop/_find 200 ${SCAN_MS}`, { times: 1000 });

describe('two sources of the same traffic', () => {
  const har = harOfDay([equal, { method: 'GET', target: '/shop/order-1', times: 100, ms: 3 }]);
  const lines = har.log.entries.map((/** @type {any} */ { startedDateTime, time, request }) => {
    const { pathname } = new URL(request.url);
    const end = new Date(Date.parse(startedDateTime) + time).toISOString();
    return `[notice] ${end} couchdb@127.0.0.1 <0.200.0> 1a2b3c4d5e db.shop.example:5984 10.0.0.9 web ${request.method} ${pathname} 200 ok ${time}`;
  });
  const files = { 'a.har': har, 'couch.log': `${lines.join('\n')}\n` };

  test.runIf(isLong)('count it once, and say so', async () => {
    const once = await adviseOn({ files, args: ['--log', 'a.har'] });
    const { plan } = await adviseOn({ files, args: ['--log', 'a.har', '--log', 'couch.log'] });
    expect(plan.steps.map(({ savedMsPerDay }) => savedMsPerDay)).toEqual(
      once.plan.steps.map(({ savedMsPerDay }) => expect.closeTo(savedMsPerDay ?? 0, -4)),
    );
    expect(plan.workload.requests).toBe(1100);
    expect(plan.notes).toContain('1,100 logged requests are in a HAR file too, and count once');
  });

  test('count what only one of them has', async () => {
    const other = linesOf('GET /shop/order-2 200 3', { times: 50 });
    const more = { ...files, 'couch.log': `${[...lines, ...other].join('\n')}\n` };
    const { plan } = await adviseOn({ files: more, args: ['--log', 'a.har', '--log', 'couch.log'] });
    expect(plan.workload.requests).toBe(1150);
  });
});

describe('what the code says of a logged query', () => {
  const open = { body: { selector: { status: 'new', customer: 'customer-7' } }, times: 1000, ms: SCAN_MS };
  const code = (/** @type {string} */ status) => ({
    'lib/a.js': `${client}exports.of = (customer) => shop.find({ selector: { status: ${status}, customer } });\n`,
  });
  const documents = Array.from({ length: 2000 }, (_, at) => ({
    _id: `order-${at}`,
    status: at % 50 === 0 ? 'new' : 'sent',
    customer: `customer-${at % 20}`,
  }));

  test('a literal makes a partial index possible, and the full one is named', async () => {
    const { plan } = await adviseOn({ traffic: [open], documents, files: code("'new'"), args: ['lib'] });
    expect(firstIndex(plan)).toEqual(['customer', { status: 'new' }]);
    expect(plan.steps[0]?.because.join()).toMatch(
      /chosen instead of "create index .*?", which takes [\d.]+ .?B and grows by/,
    );
    expect(plan.queries[0]?.places).toEqual([
      'shop.har:1',
      'shop.har:2',
      'shop.har:3',
      expect.stringMatching(/^lib\/a\.js:2:\d+$/),
    ]);
  });

  const lost = /"an index on customer for the status that all 1,000 logged requests have", which takes .*: a value/;
  test('a value that varies does not: the partial index of the logged value is named, as the one that lost', async () => {
    const { plan } = await adviseOn({ traffic: [open], documents, files: code('process.argv[2]'), args: ['lib'] });
    const [step, ...others] = plan.steps;
    expect(others).toEqual([]);
    expect(step?.change.index?.partial_filter_selector).toBeUndefined();
    expect(step?.because).toContainEqual(expect.stringMatching(lost));
    expect(step?.because.join()).not.toContain('new');
    expect(plan.considered).toBeGreaterThan(0);
  });

  test.each(
    sample(
      [
        [
          'another value',
          [
            { ...open, times: 999 },
            { ...open, times: 1, body: { selector: { status: 'sent', customer: 'customer-7' } } },
          ],
        ],
        ['few requests', [{ ...open, times: 99 }]],
      ],
      1,
    ),
  )('%s names none', async (_, traffic) => {
    const { plan } = await adviseOn({ traffic, documents });
    expect(plan.steps.length).toBe(1);
    expect(plan.steps[0]?.because.join()).not.toContain('the status that all');
  });
});

describe('the rate of a query', () => {
  test('is that of a day, however long the log is', async () => {
    const { log } = harOfDay([equal]);
    const half = { log: { entries: log.entries.slice(0, 500) } };
    const { plan } = await adviseOn({ files: { 'a.har': half }, args: ['--log', 'a.har'] });
    expect(plan.queries[0]?.perDay).toBeCloseTo(1000, -1);
    expect(plan.workload.minutes).toBeCloseTo(720, -1);
  });

  test('leaves refused requests out', async () => {
    const { log } = harOfDay([equal]);
    const entries = log.entries.map((entry, at) => (at % 4 === 0 ? { ...entry, response: { status: 500 } } : entry));
    const { plan } = await adviseOn({ files: { 'a.har': { log: { entries } } }, args: ['--log', 'a.har'] });
    expect(plan.queries[0]?.perDay).toBeCloseTo(750, -1);
  });

  test('of a short log is noted', async () => {
    const { log } = harOfDay([equal]);
    const { plan } = await adviseOn({
      files: { 'a.har': { log: { entries: log.entries.slice(0, 20) } } },
      args: ['--log', 'a.har'],
    });
    expect(plan.notes).toContainEqual(expect.stringMatching(/^the log covers 27 min; figures a day assume/));
  });
});

describe('what is no reading of the application does not count', () => {
  test.each(
    sample(
      [
        ['a feed that waits', '/shop/_changes?feed=longpoll&since=5'],
        ['a continuous feed', '/shop/_changes?feed=continuous&since=5'],
      ],
      1,
    ),
  )('%s', async (_, target) => {
    const quiet = await adviseOn({ traffic: [equal] });
    const { plan } = await adviseOn({ traffic: [equal, { method: 'GET', target, times: 100, ms: 60_000 }] });
    expect(plan.workload.msPerDay).toBeCloseTo(Number(quiet.plan.workload.msPerDay), -3);
  });

  test('a replication', async () => {
    const { log } = harOfDay([equal]);
    const entries = log.entries.map((/** @type {any} */ entry) => ({
      ...entry,
      request: { ...entry.request, headers: [{ name: 'User-Agent', value: 'CouchDB-Replicator/3.5.0' }] },
    }));
    const { plan } = await adviseOn({ files: { 'a.har': { log: { entries } } }, args: ['--log', 'a.har'] });
    expect(plan.steps).toEqual([]);
  });
});

describe('writes are counted', () => {
  test.each(
    sample(
      [
        ['PUT of a document', { method: 'PUT', target: '/shop/order-1', body: {}, times: 300 }, 300, false],
        ['DELETE of a document', { method: 'DELETE', target: '/shop/order-1?rev=1-a', times: 300 }, 300, false],
        ['POST to the database', { method: 'POST', target: '/shop', body: {}, times: 300 }, 300, false],
        [
          '_bulk_docs, as one document at least',
          { target: '/shop/_bulk_docs', body: { docs: [] }, times: 300 },
          300,
          true,
        ],
        ['none of GET', { method: 'GET', target: '/shop/order-1', times: 300 }, 0, false],
        [
          'of another database too, which cost this one nothing',
          { method: 'PUT', target: '/archive/a', times: 300 },
          300,
          false,
        ],
      ],
      4,
    ),
  )('%s', async (title, traffic, perDay, isLeast) => {
    const { plan } = await adviseOn({ traffic: [equal, traffic] });
    expect(plan.workload.writesPerDay).toBeCloseTo(perDay, -1);
    expect(Number(plan.steps[0]?.cost.writeMsPerDay) > 0).toBe(perDay > 0 && !title.includes('another database'));
    expect(plan.steps[0]?.because.some((text) => text.includes('_bulk_docs'))).toBe(isLeast);
  });
});

describe("of CouchDB's own log, which has no selectors,", () => {
  test('the only query of the code is taken', async () => {
    const { plan } = await adviseOn({
      log: FIND,
      files: { 'lib/a.js': `${client}exports.load = (name) => shop.find({ selector: { customer: name } });\n` },
      args: ['lib'],
    });
    expect(firstIndex(plan)).toEqual(['customer']);
    expect(plan.queries).toEqual([expect.objectContaining({ source: 'code', perDay: expect.closeTo(1000, -1) })]);
  });

  test('several queries of the code are assumed to be equally frequent', async () => {
    const { plan } = await adviseOn({
      log: FIND,
      files: {
        'lib/a.js': `${client}exports.one = (name) => shop.find({ selector: { customer: name } });
exports.two = (date) => shop.find({ selector: { date } });
`,
      },
      args: ['lib'],
    });
    expect(plan.queries.map(({ perDay }) => Math.round(perDay / 100))).toEqual([5, 5]);
    expect(plan.notes).toContainEqual(expect.stringContaining('the 2 queries of shop in the code are assumed'));
  });

  test('queries of another database, and selectors that are computed, are not taken', async () => {
    const { plan } = await adviseOn({
      log: FIND,
      files: {
        'lib/a.js': `const archive = require('nano')(process.env.COUCHDB_URL).use('archive');
${client}exports.one = (name) => archive.find({ selector: { customer: name } });
exports.two = (selector) => shop.find({ selector });
`,
      },
      args: ['lib'],
    });
    expect(plan.steps).toEqual([]);
    expect(plan.notes).toContainEqual(expect.stringContaining('the log does not show their selectors'));
  });
});

describe('databases', () => {
  test('of one pattern are advised on together', async () => {
    const traffic = Array.from({ length: 60 }, (_, at) => ({
      ...equal,
      target: `/userdb-${(0x10000000 + at * 7919).toString(16)}/_find`,
      times: 20,
    }));
    const { plan } = await adviseOn({ traffic });
    expect(plan.steps.map(({ change }) => change.database)).toEqual(['userdb-*']);
    expect(plan.steps[0]?.files[0]?.path).toBe('userdb-%2A/indexes/by_customer.json');
  });

  test('that differ have indexes of their own', async () => {
    const { plan } = await adviseOn({ traffic: [equal, { ...equal, target: '/archive/_find', times: 500 }] });
    expect(plan.steps.map(({ change }) => change.database)).toEqual(['shop', 'archive']);
  });
});

test('one request that waited for a build is named and left out', async () => {
  const { log } = harOfDay([equal]);
  const entries = log.entries.map((entry, at) => (at === 0 ? { ...entry, time: 55_000 } : entry));
  const { plan } = await adviseOn({ files: { 'a.har': { log: { entries } } }, args: ['--log', 'a.har'] });
  expect(plan.queries[0]?.msEach).toBeCloseTo(SCAN_MS, -1);
  expect(plan.notes.join()).toMatch(/\(a\.har:1\) once took 55\.0 s, \d+ times the median: left out/);
});

test('indexes without a request are named, with the days that are needed to call them unused', async () => {
  const files = { 'by-total.json': { index: { fields: ['total'] }, ddoc: 'by-total', name: 'by_total', type: 'json' } };
  const { plan } = await adviseOn({ traffic: [equal], files, args: ['by-total.json'] });
  expect(plan.notes).toContain(
    'by_total has no request in 24 h; seven days of logs are needed to say that it is unused',
  );
});

test('a document that comes again counts once', async () => {
  const documents = [...shopOrders(2000), ...shopOrders(500)];
  const { plan } = await adviseOn({ traffic: [equal], documents });
  expect(plan.documents.sampled).toBe(2000);
  expect(plan.notes).toContain(
    '500 of 2,500 sample documents have an id that comes again: the last one of each counts',
  );
});
