// `advise --since plan.json`: what each step promised, and what the logs of before and after the change show.

import { describe, expect, test } from 'vitest';
import { judgePlan } from '../../lib/advise/judge-plan.js';
import { burstyLines } from '../helpers/bursty-traffic.js';
import { isLong } from '../helpers/long.js';
import { shopPlan } from '../helpers/sample-plan.js';
import { createProject } from '../helpers/temporary-project.js';

const TOTALS = 1;

/** @returns {Promise<ReturnType<typeof createProject>>} with the plan that replaces the reduce of `totals` */
async function planned() {
  const project = createProject({
    'app.json': {
      _id: '_design/app',
      views: {
        totals: {
          map: "function (doc) { if (typeof doc.total === 'number') emit(doc.customer, doc.total); }",
          reduce: 'function (keys, values) { return sum(values); }',
        },
      },
    },
    'old.log': `${burstyLines('before').join('\n')}\n`,
    'orders.jsonl': [...Array(50).keys()]
      .map((at) => JSON.stringify({ _id: `o${at}`, customer: 'a', total: at }))
      .join('\n'),
  });
  const made = await project.run([
    'advise',
    'app.json',
    '--log',
    'old.log',
    '--docs',
    'orders.jsonl',
    '--output',
    'plan.json',
  ]);
  expect(made.exitCode).toBe(0);
  return project;
}

test('a promise that held, one that did not, and one that the log is too short for', async () => {
  const project = await planned();
  project.write({
    'faster.log': `${burstyLines('after', { day: 7, factors: { [TOTALS]: { ms: 1 / 40 } } }).join('\n')}\n`,
    'same.log': `${burstyLines('after', { day: 7 }).join('\n')}\n`,
    'short.log': `${burstyLines('after', { day: 7, minutes: 2 }).join('\n')}\n`,
  });
  const judge = async (/** @type {string} */ log) =>
    project.run(['advise', '--since', 'plan.json', '--log', log, '--format', 'json']);
  const [step] = JSON.parse((await judge('faster.log')).stdout).steps;
  expect(step).toMatchObject({
    number: 1,
    verdict: 'held',
    queries: [{ query: 'GET shop/_design/app/_view/totals?group=true' }],
  });
  const [{ promised, time, msPerDay }] = step.queries;
  expect(time.high).toBeLessThanOrEqual(promised.ratio.high);
  expect(msPerDay.after).toBeLessThan(msPerDay.before / 20);
  expect(JSON.parse((await judge('same.log')).stdout).steps[0].verdict).toBe('not held');
  const short = JSON.parse((await judge('short.log')).stdout).steps[0];
  expect([short.verdict, short.queries[0].reason]).toEqual(['unknown', expect.stringContaining('too few requests')]);
  const files = ['a.md', 'a.csv', 'a.html'];
  const outputs = files.flatMap((file) => ['--output', file]);
  const { stdout } = await project.run(['advise', '--since', 'plan.json', '--log', 'faster.log', ...outputs]);
  expect(stdout).toMatch(
    /^Of 1 step: 1 held\.\n[\s\S]*_sum[\s\S]*\n {2}result +held\n {2}promised +1\.2 s → [\s\S]*factor +0\.0\d+ \(/,
  );
  for (const file of files)
    for (const text of ['held', 'totals', '1.2 s']) expect(project.read(file), file).toContain(text);
});

test.runIf(isLong)('one growing log has both times, and --begin names the deploy', async () => {
  const project = await planned();
  const late = burstyLines('after', { day: 7, factors: { [TOTALS]: { ms: 1 / 40 } } });
  project.write({
    'old.log': [...burstyLines('before'), ...burstyLines('undone', { day: 3 }), ...late, ''].join('\n'),
  });
  const args = ['advise', '--since', 'plan.json', '--log', 'old.log', '--format', 'json'];
  const { stdout } = await project.run([...args, '--begin', '2026-03-09']);
  const { before, after, steps } = JSON.parse(stdout);
  expect(before.to < after.from && after.from >= '2026-03-09').toBe(true);
  expect(steps[0].verdict).toBe('held');
  expect(JSON.parse((await project.run(args)).stdout).after.from < '2026-03-06').toBe(true);
});

describe('options', () => {
  test.each([
    [['--since', 'plan.json'], '--since needs the log after the change'],
    [['--since', 'plan.json', '--log', 'new.log', '--write', 'out'], '--since cannot be combined with --write'],
    [['--since', 'none.json', '--log', 'new.log'], 'none.json'],
    [['--begin', '2026-03-09'], '--begin needs --since'],
    [['--since', 'plan.json', '--log', 'new.log'], 'the logs of the plan are not here: logs/couch.log'],
  ])('%s', async (args, message) => {
    const project = createProject({ 'plan.json': shopPlan(), 'new.log': burstyLines('new', { day: 7 }).join('\n') });
    const { stderr, exitCode } = await project.run(['advise', ...args]);
    expect(stderr).toContain(message);
    expect(exitCode).toBe(2);
  });
});

describe('steps', () => {
  const plan = shopPlan();
  const logs = { shown: [], updates: [], hasUpdates: true, unknown: undefined };

  test('without a query: an index that is dropped is not updated any more', () => {
    const dropped = plan.steps.find(({ change }) => change.kind === 'drop-index');
    const { designDoc = '', database = null } = dropped?.change ?? {};
    const judge = (/** @type {Partial<Parameters<typeof judgePlan>[1]>} */ more) =>
      judgePlan(plan, { ...logs, ...more }).find(({ number }) => number === dropped?.number);
    expect(judge({})).toMatchObject({ verdict: 'held' });
    expect(judge({ hasUpdates: false })).toMatchObject({ verdict: 'unknown' });
    expect(judge({ updates: [{ database, designDoc, updates: 3, longestMs: 40 }] })).toMatchObject({
      verdict: 'not held',
    });
  });

  test('whose query is not in the logs, or cannot be compared, are unknown', () => {
    const [first] = judgePlan(plan, logs);
    expect([first?.verdict, first?.queries[0]?.reason]).toEqual(['unknown', 'no request of it in the logs before']);
    const [second] = judgePlan(plan, { ...logs, unknown: 'new.log has no response times' });
    expect(second?.queries[0]?.reason).toBe('new.log has no response times');
  });
});
