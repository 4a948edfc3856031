// Budgets, bad options and the files of `couch-advisor advise`, and logs that lack something.

import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { adviseOn, linesOf, runAdvise, SCAN_MS } from '../helpers/advise.js';
import { harOfDay } from '../helpers/find-traffic.js';
import { isLong, sample } from '../helpers/long.js';

/** @import { Traffic } from '../helpers/find-traffic.js' */

/** @param {object} body @param {Partial<Traffic>} [more] @returns {Traffic} */
const find = (body, more) => ({ body, times: 1000, ms: SCAN_MS, ...more });

/** Three indexes are worth making: by customer most, then by date, then by total. */
const traffic = [
  find({ selector: { customer: 'customer-7' } }),
  find({ selector: { date: '2026-02-20' } }, { times: 500 }),
  find({ selector: { total: 34 } }, { times: 250 }),
  { method: 'PUT', target: '/shop/order-1', body: {}, times: 200, ms: 5 },
];
const ALL = ['create index by_customer on customer', 'create index by_date on date', 'create index by_total on total'];

/** @type {[string, string[], string[]][]} */
const budgets = [
  ['no limit', [], ALL],
  ['indexes', ['--max-indexes', '2'], ALL.slice(0, 2)],
  ['disk', ['--disk', '100kB'], ALL.slice(0, 1)],
  ['ample disk', ['--disk', '2GB'], ALL],
  ['write cost', ['--write-cost', '0.15%'], ALL.slice(0, 2)],
  ['ample write cost', ['--write-cost', '100%'], ALL],
];

describe('a budget', () => {
  test.each(sample(budgets, 2))('of %s: %s', async (_, args, titles) => {
    const made = await adviseOn({ traffic, args });
    expect(made.titles).toEqual(titles);
    expect(made.plan.cheapest).toBe(null);
    expect(made.plan.rejected.filter(({ reason }) => reason.startsWith('exceeds --'))).toHaveLength(
      ALL.length - titles.length,
    );
  });

  test.each(
    sample(
      [
        ['--disk', '1kB', /^create index by_\w+ on \w+: needs [\d.]+ kB of disk, saves/],
        ['--max-indexes', '0', /^create index by_customer on customer: needs 1 index, saves/],
        ['--write-cost', '0%', /^create index by_\w+ on \w+: needs [\d.]+ \w+ of index updates a day, saves/],
      ],
      2,
    ),
  )('that cannot be met says what the cheapest change needs: %s %s', async (option, value, needs) => {
    const { plan, titles, exitCode } = await adviseOn({ traffic, args: [option, value] });
    expect(titles).toEqual([]);
    expect(plan.cheapest).toMatch(needs);
    expect(exitCode).toBe(0);
  });

  test.runIf(isLong)('of free disk is compared with what the deploy needs', async () => {
    const { plan } = await adviseOn({ traffic, args: ['--free', '40GB'] });
    expect(plan.notes).toContainEqual(expect.stringMatching(/^the deploy fits on the disk: /));
    const { plan: tight } = await adviseOn({ traffic, args: ['--free', '1kB'] });
    expect(tight.notes).toContainEqual(expect.stringMatching(/^the deploy (?:may not|does not) fit on the disk: /));
  });
});

describe('an option that is no budget is an error', () => {
  test.each([
    ['--disk', 'much'],
    ['--disk', '-1GB'],
    ['--max-indexes', '-1'],
    ['--max-indexes', '1001'],
    ['--max-indexes', 'x'],
    ['--write-cost', '10'],
    ['--write-cost', '101%'],
    ['--write-cost', '-1%'],
    ['--free', 'x'],
    ['--format', 'xml'],
    ['--documents', '-5'],
    ['--docs-per-second', '-1'],
  ])('%s %s', async (option, value) => {
    const { stdout, stderr, exitCode } = await runAdvise({ traffic, args: [option, value] });
    expect(stdout).toBe('');
    expect(stderr).toContain(option === '--format' ? 'unknown format' : option);
    expect(exitCode).toBe(2);
  });
});

describe('a log that lacks something', () => {
  test('times gives a plan by counts, and says so', async () => {
    const { log } = harOfDay(traffic);
    const timeless = { log: { entries: log.entries.map((entry) => ({ ...entry, time: -1 })) } };
    const { plan, titles } = await adviseOn({ files: { 'a.har': timeless }, args: ['--log', 'a.har'] });
    expect(titles).toEqual(ALL);
    expect(plan.workload).toMatchObject({ hasTimes: false, msPerDay: null });
    expect(plan.notes.join('\n')).toContain('the log has no times');
    expect(plan.steps[0]?.because.join('\n')).toContain('the log has no times');
    expect(plan.total).toMatchObject({ savedShare: null, savedMsPerDay: expect.any(Number) });
  });

  test('times cannot limit the share of time for writing, and says so', async () => {
    const { log } = harOfDay(traffic);
    const timeless = { log: { entries: log.entries.map((entry) => ({ ...entry, time: -1 })) } };
    const { plan } = await adviseOn({
      files: { 'a.har': timeless },
      args: ['--log', 'a.har', '--write-cost', '1%'],
    });
    expect(plan.notes.join('\n')).toContain('--write-cost');
  });

  test('dates of its requests gives a plan too', async () => {
    const { log } = harOfDay(traffic);
    const undated = { log: { entries: log.entries.map((entry) => ({ ...entry, startedDateTime: undefined })) } };
    const { plan, titles } = await adviseOn({ files: { 'a.har': undated }, args: ['--log', 'a.har'] });
    expect(titles[0]).toBe(ALL[0]);
    expect(plan.notes.join('\n')).toMatch(/figures a day assume/);
  });
});

/** A path to read, so that not all of the project is. */
const UNUSED = {
  'indexes/by-note.json': { index: { fields: ['note'] }, ddoc: 'by-note', name: 'by-note', type: 'json' },
};

describe('--write', () => {
  test('writes each index once, and changes nothing the second time', async () => {
    const { project, titles } = await adviseOn({ traffic, files: UNUSED, args: ['indexes', '--write', 'plan'] });
    const before = project.list().filter((name) => name.startsWith('plan'));
    expect(before).toEqual([
      'plan/.couch-advisor-written.json',
      'plan/README.md',
      ...titles.map((title) => `plan/shop/indexes/${title.split(' ')[2]}.json`),
      ...titles.flatMap((_, at) => [`plan/step-${at + 1}-undo.sh`, `plan/step-${at + 1}.sh`]),
    ]);
    expect(project.read('plan/README.md')).toContain('How to follow it');
    expect(project.read('plan/step-1.sh')).toMatch(
      /^# Step 1: create index .*\nset -eu\n[\s\S]*"\$DB\/_index"[\s\S]*"limit":0/,
    );
    expect(JSON.parse(project.read('plan/shop/indexes/by_customer.json'))).toEqual({
      index: { fields: ['customer'] },
      ddoc: 'by_customer',
      name: 'by_customer',
      type: 'json',
    });
    const args = ['advise', 'indexes', '--log', 'shop.har', '--docs', 'orders.jsonl', '--write', 'plan'];
    const again = await project.run(args);
    expect(again.stderr).toMatch(/wrote 0 files, \d+ unchanged/);
    expect(project.list().filter((name) => name.startsWith('plan'))).toEqual(before);
    project.write({ 'plan/shop/indexes/by_customer.json': '{}' });
    const refused = await project.run(args);
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain('by_customer.json');
    expect(project.read('plan/shop/indexes/by_customer.json')).toBe('{}');
  });

  test('what it wrote is read as indexes, and then nothing is left to do', async () => {
    const { project } = await adviseOn({ traffic, args: ['--write', 'plan'] });
    const given = ['advise', 'plan', '--log', 'shop.har', '--docs', 'orders.jsonl', '--format', 'json'];
    const { stdout } = await project.run(given);
    expect(JSON.parse(stdout).steps).toEqual([]);
    expect(existsSync(path.join(project.cwd, 'plan'))).toBe(true);
  });
});

describe('the same input gives the same plan', () => {
  test.runIf(isLong)('whatever the order of its lines and files is', async () => {
    const log = [
      ...linesOf('GET /shop/_design/app/_view/by_customer?key=%22a%22 200 4', { times: 40 }),
      ...linesOf('PUT /shop/order-1 201 5', { times: 40 }),
      ...linesOf('POST /shop/_find 200 90', { times: 40 }),
    ];
    const { log: har } = harOfDay(traffic);
    const plans = [];
    for (const turn of [0, 1]) {
      const order = (/** @type {any[]} */ list) => (turn === 0 ? list : list.toReversed());
      const { plan } = await adviseOn({
        log: order(log),
        files: { 'a.har': { log: { entries: order(har.entries) } } },
        args: ['--log', 'a.har'],
      });
      plans.push({
        ...plan,
        queries: plan.queries.map(({ places, ...query }) => query),
        workload: { ...plan.workload, files: plan.workload.files.toSorted() },
      });
    }
    expect(plans[1]).toEqual(plans[0]);
  });
});
