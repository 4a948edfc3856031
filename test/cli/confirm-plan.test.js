// `couch-advisor confirm --plan` from the file to the exit code, on the embedded server.

import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { isLong } from '../helpers/long.js';
import { runMain } from '../helpers/run-main.js';
import { createProject } from '../helpers/temporary-project.js';
import { find, planStep, shopOrders, shopPlan, stepQuery, viewRequest } from '../measure/experiments/shop-plan.js';

/** As little as can be measured. */
const FEW = ['--runs', '1', '--budget', '1', '--connections', '1'];

const jsonLines = (/** @type {object[]} */ list) => list.map((one) => JSON.stringify(one)).join('\n');
const orders = jsonLines(shopOrders(120));
const map = 'function (doc) { emit(doc.status, doc.total); }';

const [index, changed] = [
  planStep({ queries: [stepQuery({ requests: sameRequests(find({ selector: { status: 'open' }, limit: 50 })) })] }),
  planStep({
    number: 2,
    title: 'emit the total of open orders alone',
    change: {
      kind: 'change-view',
      database: 'shop',
      designDoc: '_design/orders',
      name: 'by_status',
      view: { map: map.replace('emit', "if (doc.status === 'open') emit") },
      replaces: { view: { map } },
    },
    queries: [stepQuery({ query: 'q2', requests: sameRequests(viewRequest('orders/by_status')) })],
  }),
];

/** @param {import('../../lib/measure/experiments/experiment.js').ArmRequest} request */
function sameRequests(request) {
  return { before: [request], after: [request] };
}

/** @param {string} text @returns {any[]} */
const linesOf = (text) =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

/** @param {string} page */
const unwrapped = (page) => page.replaceAll(/\s+/g, ' ');

test('documents are looked for where the plan was made and beside it, and named where they are missing', async () => {
  const plan = shopPlan([], { documents: { files: ['loads/orders.jsonl'], sampled: 120, total: 5000 } });
  const full = { ...plan, steps: shopPlan().steps };
  const project = createProject({ 'plans/A.json': full });
  const { stderr } = await project.run(['confirm', '--plan', 'plans/A.json', ...FEW]);
  expect(stderr).toContain('loads/orders.jsonl is neither here nor beside the plan');
});

describe('on the embedded server', () => {
  test.runIf(isLong)('each step is measured, then all of them, with what the plan predicted', async () => {
    const plan = shopPlan([index, changed], {
      documents: { files: ['loads/orders.jsonl'], sampled: 120, total: 5000 },
    });
    const project = createProject({ 'plans/plan.json': plan, 'loads/orders.jsonl': orders });
    // The documents are above the folder of the plan, and not here.
    const args = ['confirm', '--plan', 'plan.json', ...FEW, '--journal', '../rounds.jsonl'];
    const from = { cwd: path.join(project.cwd, 'plans') };
    const { stdout: page, stderr, exitCode } = await runMain(args, from);
    expect([stderr, exitCode]).toEqual(['', 0]);
    expect(page).toMatch(/^2 steps of plan\.json\nserver {3}embedded PouchDB /);
    expect(page.split('\n').every((line) => line.length <= 80)).toBe(true);
    const stdout = unwrapped(page);
    expect(stdout).toContain('step 1: create index by_status on status inconclusive');
    expect(stdout).toMatch(/predicted 10\.0 times faster for 5,000 documents, measured [\d.]+ times (?:fast|slow)er/);
    expect(stdout).toMatch(/saves a day predicted 27\.0 s for 5,000 documents, measured -?[\d.]+ m?s/);
    expect(stdout).toContain('answers the same for 1 pair of requests');
    expect(stdout).toContain('data 120 of your documents');
    expect(stdout).toContain('step 2: emit the total of open orders alone refuted');
    expect(stdout).toContain('the answers differ: q2 (form 2): 120 results before, 30 after');
    expect(stdout).toContain('the whole plan refuted');
    expect(stdout).toContain('1 inconclusive, 2 refuted');
    const lines = linesOf(project.read('rounds.jsonl'));
    const samples = lines.filter(({ type }) => type === 'sample');
    expect(new Set(samples.map(({ experiment }) => experiment))).toEqual(
      new Set(['step 1: create index by_status on status']),
    );
    const again = await runMain([...args, '--resume'], from);
    expect(unwrapped(again.stdout)).toContain('the answers differ: q2 (form 2): 120 results before, 30 after');
    expect(linesOf(project.read('rounds.jsonl')).filter(({ type }) => type === 'sample')).toHaveLength(samples.length);
  });

  test.runIf(isLong)('the JSON has the steps with prediction, verdict and answers', async () => {
    const project = createProject({ 'plan.json': shopPlan([index]), 'orders.jsonl': orders });
    const { stdout } = await project.run(['confirm', '--plan', 'plan.json', ...FEW, '--format', 'json']);
    expect(JSON.parse(stdout)).toMatchObject({
      version: 1,
      tool: { name: 'couch-advisor' },
      plan: 'plan.json',
      run: { seed: '1', environment: { server: { kind: 'embedded' } } },
      experiments: [
        {
          step: 1,
          id: 'step 1: create index by_status on status',
          predicted: { ratio: 10, savedMsPerDay: 27_000, documents: 10 },
          savedMsPerDay: expect.any(Number),
          answers: { same: 1, differences: [], uncompared: [] },
          verdict: { word: 'inconclusive', rounds: 1 },
          documents: 120,
        },
      ],
    });
    expect(JSON.parse(stdout).experiments[0]).not.toHaveProperty('rule');
  });
});

test.runIf(isLong)('lines of documents that cannot be read are reported, and the others measured', async () => {
  const project = createProject({ 'plan.json': shopPlan([index]), 'orders.jsonl': `${orders}\n{"_id": "broken"\n` });
  const { stdout, stderr, exitCode } = await project.run(['confirm', '--plan', 'plan.json', ...FEW]);
  expect(stdout).toMatch(/data +120 of your documents/);
  expect(stderr).toContain('orders.jsonl:121');
  expect(exitCode).toBe(3);
});

test('a plan without steps has nothing to measure', async () => {
  const { stdout, stderr, exitCode } = await createProject({ 'plan.json': shopPlan([]) }).run([
    'confirm',
    '--plan',
    'plan.json',
  ]);
  expect([stdout, stderr, exitCode]).toEqual(['', 'the plan has no steps: nothing to measure\n', 0]);
});

test.each([
  ['with --all', ['--all'], '--plan cannot be combined with --all'],
  ['with a rule', ['--rule', 'mango/full-scan'], '--plan cannot be combined with --rule'],
  ['with a log', ['--log', 'couch.log'], '--plan cannot be combined with --log'],
  ['with paths', ['ddocs'], '--plan cannot be combined with paths'],
  [
    'with two sources of documents',
    ['--docs', 'a.jsonl', '--sample-from', 'shop', '--url', 'http://admin:secret@127.0.0.1:9'],
    'documents from --docs or --sample-from, not from both',
  ],
  [
    'with scrambled documents',
    ['--sample-from', 'shop', '--url', 'http://admin:secret@127.0.0.1:9'],
    '--plan with --sample-from requires --keep-values',
  ],
  ['without documents', [], 'no documents to measure plan.json with'],
  ['with documents that are not there', ['--docs', 'gone.jsonl'], 'gone.jsonl does not exist'],
  ['with a file that holds none', ['--docs', 'empty.jsonl'], 'no documents to measure plan.json with'],
  ['a second one, that does not exist,', ['--plan', 'gone.json'], 'cannot read the plan gone.json (ENOENT)'],
  ['a second one, that is no plan,', ['--plan', 'empty.jsonl'], 'empty.jsonl is not a couch-advisor plan'],
])('a plan %s is refused', async (_, args, told) => {
  const project = createProject({ 'plan.json': shopPlan(), 'empty.jsonl': '' });
  const { stdout, stderr, exitCode } = await project.run(['confirm', '--plan', 'plan.json', ...args]);
  expect([stdout, exitCode]).toEqual(['', told.startsWith('cannot read the plan') ? 3 : 2]);
  expect(stderr).toContain(told);
  expect(stderr).toContain('hint: ');
  expect(stderr).not.toContain('secret');
});
