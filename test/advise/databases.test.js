// `advise` with a server: files and a server are one project, and many databases of one pattern are one plan.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adviseOn, linesOf, runAdvise, SCAN_MS } from '../helpers/advise.js';
import { startFakeCouchdb } from '../helpers/fake-couchdb.js';
import { isLong } from '../helpers/long.js';

const TOTALS = {
  _id: '_design/app',
  language: 'javascript',
  views: {
    totals: {
      map: "function (doc) { if (typeof doc.total === 'number') emit(doc.date, doc.total); }",
      reduce: 'function (keys, values, rereduce) { return sum(values); }',
    },
  },
};
const BUILT_IN = { ...TOTALS, views: { totals: { ...TOTALS.views.totals, reduce: '_sum' } } };

describe('files beside their server', () => {
  /** @type {Awaited<ReturnType<typeof startFakeCouchdb>>} */
  let server;
  let deployed = TOTALS;
  beforeAll(async () => {
    server = await startFakeCouchdb({ designDocs: () => [{ ...deployed, _rev: '3-abc' }] });
  });
  afterAll(() => server.close());
  const about = { log: linesOf('GET /shop/_design/app/_view/totals?group=true 200 900', { times: 200 }) };

  test('a design document that both have is one, at its place in the file', async () => {
    const { plan } = await adviseOn({
      ...about,
      files: { 'app.json': TOTALS },
      args: ['app.json', '--url', server.origin],
    });
    expect(plan.steps).toMatchObject([
      {
        change: { kind: 'change-view', view: { reduce: '_sum' }, file: 'app.json:5' },
        files: [{ path: 'shop/design/app.json' }],
      },
    ]);
    expect(plan.steps[0]?.savedMsPerDay).toBeGreaterThan(100_000);
    expect(plan.others).toEqual([]);
  });

  test.each([
    ['what is deployed counts, not the file that is better', TOTALS, BUILT_IN, 1],
    ['what is deployed counts, not the file that is worse', BUILT_IN, TOTALS, 0],
  ])('%s', async (_, onServer, inFile, steps) => {
    deployed = onServer;
    const files = { 'app.json': inFile };
    const { plan } = await adviseOn({ ...about, files, args: ['app.json', '--url', server.origin] });
    expect(plan.steps).toHaveLength(steps);
    if (steps > 0) expect(plan.steps[0]?.change.file).toBe('app.json:5');
  });
});

describe('many databases of one pattern', () => {
  const databases = Array.from({ length: 30 }, (_, at) => `tenant-${String(at).padStart(2, '0')}`);
  const index = (/** @type {string[]} */ fields, /** @type {string} */ name) => ({
    ...{ ddoc: `_design/${name}`, name, type: 'json', def: { fields: fields.map((field) => ({ [field]: 'asc' })) } },
  });
  const held = new Map([['tenant-03', [index(['customer'], 'by_customer_3')]]]);
  /** @type {Awaited<ReturnType<typeof startFakeCouchdb>>} */
  let server;
  beforeAll(async () => {
    server = await startFakeCouchdb({
      databases,
      designDocs: () => [{ _id: '_design/by_customer_3', language: 'query', views: {} }],
      special: ({ path }) => {
        const [, name = '', last] = path.split('/');
        return last === '_index' ? { body: { indexes: held.get(name) ?? [] } } : undefined;
      },
    });
  });
  afterAll(() => server.close());
  const traffic = databases.map((name) => ({
    target: `/${name}/_find`,
    body: { selector: { customer: 'customer-7' }, limit: 200 },
    times: 40,
    ms: SCAN_MS,
  }));
  const plans = async (/** @type {string[]} */ ...args) =>
    (await adviseOn({ traffic, args: ['--url', server.origin, '--documents', '2000', ...args] })).plan;

  /** @type {ReturnType<typeof plans>} */
  let whole;
  test.runIf(isLong)('an index that one has is created in the others, with figures of all and of each', async () => {
    whole = plans();
    const [step] = (await whole).steps;
    expect(step?.change).toMatchObject({ database: 'tenant-*', name: 'by_customer_3' });
    expect(step?.databases).toMatchObject({ count: 29, all: 30, basis: 'server', done: ['tenant-03'] });
    expect(step?.cost.bytes).toBeCloseTo(29 * (step?.costEach?.bytes ?? 0), 0);
    expect(step?.cost.buildSeconds).toBeCloseTo(29 * (step?.costEach?.buildSeconds ?? 0), 3);
    expect(step?.requestsPerDay).toBeCloseTo(1190, -1);
    const names = step?.files.find(({ path }) => path.endsWith('.txt'))?.content.split('\n');
    expect(names).toHaveLength(30);
    expect(step?.actions?.flatMap(({ commands }) => commands).join('\n')).toContain(
      'for name in $(cat databases-of-step-1.txt); do',
    );
  });

  test.runIf(isLong)('the disk budget counts all of them', async () => {
    const bytes = (await whole).steps[0]?.costEach?.bytes ?? 0;
    const plan = await plans('--disk', `${Math.round(bytes * 10)}B`, '--free', `${Math.round(bytes * 10)}B`);
    expect(plan.steps).toEqual([]);
  });

  test('without a server the log says how many there are', async () => {
    const { plan } = await adviseOn({ traffic });
    expect(plan.steps[0]?.databases).toMatchObject({ count: 30, all: 30, basis: 'logs', names: [] });
    expect(plan.steps[0]?.actions?.[0]?.commands.join()).toContain("grep -E '^tenant-[0-9a-f-]+$'");
  });

  describe('--db selects by the real names, although those that differ in numbers are one pattern', () => {
    const both = ['m2', 'm3'].flatMap((area) =>
      ['01', '02', '03'].map((number) => ({
        target: `/${area}-${number}/_find`,
        body: { selector: { customer: 'customer-7' }, limit: 200 },
        times: area === 'm3' ? 40 : 60,
        ms: SCAN_MS,
      })),
    );

    test('of a log', async () => {
      const { plan } = await adviseOn({ traffic: both, args: ['--db', 'm3-*'] });
      const [step] = plan.steps;
      expect(step?.change.database).toBe('m*-*');
      expect(step?.databases).toMatchObject({ count: 3, all: 3 });
      expect(step?.requestsPerDay).toBeCloseTo(120, -1);
      expect(plan.total.savedShare).toBeLessThan(0.4);
      expect(plan.others).toEqual([]);
      expect(plan.workload.databases).toEqual(['m3-*']);
      expect(step?.actions?.[0]?.commands.join()).toMatch(/select\(test\("\^.*m3.*@uri/);
    });

    test('of a server as well', async () => {
      const names = both.map(({ target }) => target.split('/')[1] ?? '');
      const other = await startFakeCouchdb({ databases: names });
      const { plan } = await adviseOn({
        traffic: both,
        args: ['--url', other.origin, '--db', 'm3-*', '--documents', '2000'],
      });
      await other.close();
      expect(plan.steps[0]?.databases).toMatchObject({ count: 3, basis: 'server', names: ['m3-01', 'm3-02', 'm3-03'] });
      expect(plan.steps[0]?.requestsPerDay).toBeCloseTo(120, -1);
    });

    test('nothing of that name', async () => {
      const { stderr, exitCode } = await runAdvise({ traffic: both, args: ['--db', 'm4-*'] });
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining('no queries of databases that match m4-*')]);
    });
  });
});
