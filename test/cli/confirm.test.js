// `couch-advisor confirm` from the arguments to the exit code, on the embedded server and on addresses where no server is.

import { describe, expect, test } from 'vitest';
import { isLong } from '../helpers/long.js';
import { createProject } from '../helpers/temporary-project.js';

/** As little as can be measured. */
const FEW = ['--max-docs', '100', '--runs', '1', '--budget', '1'];

const map = "function (doc) {\n  if (doc.type === 'order') emit(doc.date, doc);\n}";
const copying = { 'orders.json': { _id: '_design/orders', language: 'javascript', views: { by_date: { map } } } };
const sound = { 'orders.json': { _id: '_design/orders', views: { by_date: { map: map.replace('doc);', 'null);') } } } };

/** @param {string} text @returns {any[]} */
const linesOf = (text) =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

describe('on the embedded server', () => {
  test.runIf(isLong)('a finding is measured, and the server is named', async () => {
    const project = createProject(copying);
    const { stdout, stderr, exitCode } = await project.run([
      'confirm',
      'orders.json',
      ...FEW,
      '--journal',
      'rounds.jsonl',
    ]);
    expect([stderr, exitCode]).toEqual(['', 0]);
    expect(stdout).toMatch(/^1 experiment for 1 of 1 finding\nserver {3}embedded PouchDB /);
    expect(stdout).toContain('view/emit-whole-doc at _design/orders/_view/by_date\n  inconclusive: ');
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
    expect(stdout).toMatch(/assumed +documents: 100 documents generated from the fields/);
    expect(stdout).toMatch(/finding +orders\.json:6:/);
    expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(
      /measured on the embedded server \(PouchDB\).* npx --no-install couch-advisor confirm --docker/,
    );
    expect(stdout).toContain('all rounds are in rounds.jsonl');
    const lines = linesOf(project.read('rounds.jsonl'));
    expect(lines[0]).toMatchObject({
      type: 'run',
      version: 1,
      seed: '1',
      environment: { server: { kind: 'embedded' } },
    });
    const id = 'view/emit-whole-doc at _design/orders/_view/by_date';
    // Rounds with many connections come behind them.
    const rounds = lines.filter((line) => line.type === 'sample' && line.experiment === id && !line.connections);
    expect(rounds.map(({ arm }) => arm).toSorted()).toEqual(['advised', 'as-is', 'null', 'null-with-documents']);
    expect(rounds.every(({ latencies }) => latencies.length > 0)).toBe(true);
    expect(lines.at(-1)).toMatchObject({ type: 'verdict', experiment: id, rounds: 1 });
  });

  test.runIf(isLong)('the JSON has the shape of lint and a verdict in each finding', async () => {
    const project = createProject(copying);
    const { stdout } = await project.run(['confirm', ...FEW, '--format', 'json', '--seed', 'shop']);
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({
      version: 1,
      tool: { name: 'couch-advisor' },
      findings: [
        {
          rule: 'view/emit-whole-doc',
          verdict: {
            word: 'inconclusive',
            ratio: expect.any(Number),
            interval: null,
            rounds: 1,
            server: expect.stringContaining('embedded PouchDB'),
            counters: { 'as-is': {}, advised: {} },
            warnings: expect.arrayContaining([expect.objectContaining({ code: 'too-few-rounds' })]),
            at: expect.any(String),
          },
        },
      ],
      run: { seed: 'shop' },
      experiments: [{ rule: 'view/emit-whole-doc', documents: 100 }],
    });
  });

  test.runIf(isLong)('what is known is not measured again', async () => {
    const project = createProject(copying);
    const args = ['confirm', ...FEW, '--journal', 'rounds.jsonl'];
    await project.run(args);
    const before = linesOf(project.read('rounds.jsonl')).filter(({ type }) => type === 'sample').length;
    const { stdout } = await project.run([...args, '--resume']);
    const after = linesOf(project.read('rounds.jsonl')).filter(({ type }) => type === 'sample').length;
    expect(after).toBe(before);
    expect(stdout).toContain('(1 pair)');
    await project.run([...args, '--resume', '--seed', 'other']);
    expect(linesOf(project.read('rounds.jsonl')).filter(({ type }) => type === 'sample').length).toBeGreaterThan(after);
  });

  test('what it cannot measure it says', async () => {
    const { stdout, exitCode } = await createProject(sound).run([
      'confirm',
      '--all',
      '--rule',
      'reduce/custom-sum',
      ...FEW,
    ]);
    expect(stdout).toContain('reduce/custom-sum\n  not measurable here');
    expect(stdout.replace(/\n +/g, ' ')).toContain(
      'lacks a query server process: run it on CouchDB with --docker or --url',
    );
    expect(exitCode).toBe(0);
  });
});

test('without an experiment nothing is measured, and no server started', async () => {
  const { stdout, stderr, exitCode } = await createProject(sound).run(['confirm']);
  expect(stdout).toBe('');
  expect(stderr).toContain('none of the findings can be measured; --all runs every experiment');
  expect(exitCode).toBe(0);
});

test.each([
  ['a size that is too small', ['--max-docs', '5'], 'invalid --max-docs 5: must be between 100 and 100000'],
  ['a size that is too large', ['--max-docs', '5000000'], 'invalid --max-docs 5000000'],
  ['no rounds', ['--runs', '0'], 'invalid --runs 0'],
  ['no connections', ['--connections', '0'], 'invalid --connections 0'],
  ['an address that is none', ['--url', 'shop'], 'invalid --url: not a server address'],
  [
    'an address of a database',
    ['--url', 'http://admin:secret@localhost:9/shop'],
    '--url contains a path; only the server is needed',
  ],
  ['an address where nothing is', ['--url', 'http://admin:secret@127.0.0.1:9'], 'request to http://127.0.0.1:9 failed'],
  ['a budget that is no time', ['--budget', 'soon'], 'invalid --budget "soon": must be between 1s and 1d'],
  ['a budget of years', ['--budget', '99999m'], 'invalid --budget "99999m"'],
  ['a sample without a server', ['--sample-from', 'shop'], '--sample-from requires a server'],
  [
    'more data than is allowed',
    [...FEW, '--max-docs', '100000', '--max-bytes', '1000000'],
    'more than --max-bytes (1.0 MB)',
  ],
  ['cleaning without a server', ['--clean'], '--clean requires a server'],
  ['a file that cannot be written', ['--journal', 'orders.json/rounds', ...FEW], 'cannot write orders.json/rounds'],
  ['a rule that does not exist', ['--rule', 'view/none'], 'view/none'],
])('%s is refused', async (_, args, told) => {
  const { stdout, stderr, exitCode } = await createProject(copying).run(['confirm', ...args]);
  expect(stdout).toBe('');
  expect(stderr).toContain(told);
  expect(stderr).toContain('hint: ');
  expect(stderr).not.toContain('secret');
  expect([2, 3]).toContain(exitCode);
});

test.runIf(isLong)('all experiments need no sources, and rules without one are named', async () => {
  const all = await createProject().run(['confirm', '--all', '--rule', 'reduce/custom-sum', '--format', 'json']);
  expect(all.stderr).not.toContain('no design documents');
  expect(JSON.parse(all.stdout).experiments).toHaveLength(1);
  const none = await createProject().run(['confirm', '--all', '--rule', 'config/uuid-algorithm']);
  expect(none.stderr).not.toContain('--all runs every experiment');
});
