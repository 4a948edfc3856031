// `couch-advisor bench` from the arguments to the exit code, on the embedded server: every scenario, small; and query servers alone.

import { existsSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { SCENARIOS } from '../../lib/measure/scenarios/list.js';
import { isLong, sample } from '../helpers/long.js';
import { root, startCli } from '../helpers/run-cli.js';
import { runMain } from '../helpers/run-main.js';
import { createProject } from '../helpers/temporary-project.js';

/** As little as can be measured. @type {Record<string, string[]>} */
const SMALL = {
  'include-docs': ['--size', '40', '--rounds', '2', '--pages', '1,20,100', '--requests', '2'],
  'bulk-load': ['--size', '40', '--rounds', '2', '--batch', '20', '--batches', '1,20,100'],
  'index-build': ['--size', '20', '--large-size', '3', '--rounds', '2', '--document-bytes', '500,20000'],
  coupons: ['--size', '60', '--rounds', '2', '--batch', '20'],
  'request-overhead': ['--rounds', '6', '--connections', '4', '--requests', '3', '--pause', '0'],
};

const fake = (/** @type {string} */ mode) =>
  `"${process.execPath}" "${path.join(root, 'test/helpers/fake-query-server.js')}" ${mode}`;

test('alone lists all scenarios with what may be set', async () => {
  const { stdout, stderr, exitCode } = await runMain(['bench'], { cwd: root });
  expect([stderr, exitCode]).toEqual(['', 0]);
  for (const { name, about, defaults } of SCENARIOS) {
    expect(stdout).toContain(`${name}\n  ${about}\n`);
    for (const setting of Object.keys(defaults)) expect(stdout).toContain(`    --${setting} `);
  }
});

test('its help is short, and has an option for each setting', async () => {
  const { stdout } = await runMain(['bench', '--help'], { cwd: root });
  expect(stdout.split('\n').length).toBeLessThanOrEqual(51);
  for (const { defaults } of SCENARIOS)
    for (const setting of Object.keys(defaults)) expect(stdout).toContain(`--${setting} <`);
});

describe('on the embedded server', () => {
  test.each(
    sample(
      SCENARIOS.map(({ name }) => name),
      1,
    ),
  )('%s runs, and writes its page and pictures', async (name) => {
    const project = createProject({});
    const given = [
      'bench',
      name,
      ...(SMALL[name] ?? []),
      '--format',
      'json',
      '--output',
      'report.html',
      '--svg',
      'curve.svg',
    ];
    const { stdout, stderr, exitCode } = await project.run(given);
    expect([stderr, exitCode]).toEqual(['', 0]);
    const result = JSON.parse(stdout);
    expect(result).toMatchObject({
      version: 1,
      scenario: name,
      state: 'done',
      failure: null,
      environment: { server: { kind: 'embedded' } },
    });
    expect(result.samples.length).toBeGreaterThan(4);
    expect(result.samples.every((/** @type {any} */ sample) => sample.ms > 0 && sample.errors === undefined)).toBe(
      true,
    );
    expect(result.tables[0].rows.length).toBeGreaterThan(1);
    expect(project.read('report.html')).toContain(`couch-advisor bench ${name}`);
    expect(project.read('curve.svg')).toMatch(/^<svg /);
  });

  const lacks = /** @type {[string, RegExp][]} */ ([
    ['coupons', /no shards/],
    ['bulk-load', /no append-only B-tree files/],
    ['index-build', /no query servers/],
  ]);
  test.each(isLong ? lacks : [])('%s says what it lacks, and compares nothing', async (name, missing) => {
    const { stdout } = await createProject({}).run(['bench', name, ...(SMALL[name] ?? [])]);
    expect(stdout).toMatch(/^note: not available here: /m);
    expect(stdout.replace(/\s+/g, ' ')).toMatch(missing);
    if (name !== 'coupons') expect(stdout).not.toContain('Comparison with the published figures');
  });

  test.runIf(isLong)('published ratios stand beside the measured ones, and no published time does', async () => {
    const { stdout } = await createProject({}).run(['bench', 'include-docs', ...(SMALL['include-docs'] ?? [])]);
    expect(stdout).toMatch(/all rows: with include_docs \/ emits the document\n +8\.33 +\d/);
    expect(stdout).not.toContain('5.821');
    expect(stdout).not.toContain('48.49');
    expect(stdout).toContain('note: a page of 100 rows was skipped: there are only 40 documents');
  });

  test.runIf(isLong)('own documents are loaded without what belongs to their database', async () => {
    const project = createProject({
      'own.jsonl': '{"_id":"a","_rev":"1-x","_attachments":{},"article":"cup"}\n{"_id":"b","article":"jug"}\n',
    });
    const { stdout, stderr, exitCode } = await project.run([
      'bench',
      'bulk-load',
      ...(SMALL['bulk-load'] ?? []),
      '--docs',
      'own.jsonl',
      '--format',
      'json',
    ]);
    expect([stderr, exitCode]).toEqual(['', 0]);
    const [sample] = JSON.parse(stdout).samples;
    // 40 documents of an id and one short word, in two requests.
    expect(sample.bytes).toBeLessThan(40 * 80);
  });

  test.runIf(isLong)('commands bring the server into both states, in each pair once', async () => {
    const project = createProject({});
    const [before, after] = ['before', 'after'].map((state) => `echo ${state} >> states.txt`);
    const given = [
      'bench',
      'request-overhead',
      ...(SMALL['request-overhead'] ?? []),
      '--before',
      before ?? '',
      '--after',
      after ?? '',
    ];
    const { stdout, exitCode } = await project.run(given);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^Verdict: \w+/m);
    const states = project.read('states.txt').trim().split('\n');
    expect(states.slice(0, 2)).toEqual(['before', 'after']);
    // Six pairs, mirrored: one change within each pair, and none between two pairs but where the first pair begins with the other state.
    expect(states.length).toBeGreaterThanOrEqual(8);
    expect(states.length).toBeLessThanOrEqual(12);
    expect(states.some((state, at) => at > 0 && state === states[at - 1])).toBe(false);
  });

  test.runIf(isLong)('with --blocks the change is made once, after a first look at both states', async () => {
    const project = createProject({});
    const given = [
      'bench',
      'request-overhead',
      ...(SMALL['request-overhead'] ?? []),
      '--blocks',
      '--before',
      'echo before >> states.txt',
      '--after',
      'echo after >> states.txt',
    ];
    await project.run(given);
    expect(project.read('states.txt').trim().split('\n')).toEqual(['before', 'after', 'before', 'after']);
  });

  test.runIf(isLong)('a command that fails ends the run, with what it said', async () => {
    const given = [
      'bench',
      'request-overhead',
      ...(SMALL['request-overhead'] ?? []),
      '--after',
      'echo no such service >&2; exit 5',
    ];
    const { stderr, exitCode } = await createProject({}).run(given);
    expect(stderr).toContain('ended with exit code 5: no such service');
    expect(exitCode).toBe(3);
  });

  test.runIf(isLong && process.platform !== 'win32')(
    'an interrupt ends it, and what was measured is told',
    async () => {
      const project = createProject({});
      const given = [
        'bench',
        'request-overhead',
        '--connections',
        '2',
        '--requests',
        '2',
        '--pause',
        '1',
        '--before',
        'echo x >> started.txt',
      ];
      const { child, ended } = startCli(given, { cwd: project.cwd });
      for (let waited = 0; waited < 600 && !existsSync(path.join(project.cwd, 'started.txt')); waited += 1) {
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      await new Promise((resolve) => setTimeout(resolve, 1500));
      child.kill('SIGINT');
      const { stdout, stderr, exitCode } = await ended;
      expect(stderr).toContain('the run was interrupted; its databases were dropped');
      expect(stdout).toContain('request-overhead');
      expect(exitCode).toBe(3);
    },
  );
});

describe('query servers alone', () => {
  test.runIf(isLong)(
    'are measured without a database; a broken one is told, with what it wrote to standard error',
    async () => {
      const given = [
        'bench',
        'index-build',
        ...(SMALL['index-build'] ?? []),
        '--query-server',
        fake('good'),
        '--query-server',
        fake('exits'),
      ];
      const { stdout, exitCode } = await createProject({}).run(given);
      expect(exitCode).toBe(0);
      expect(stdout).toContain('no database, query servers alone');
      expect(stdout).toMatch(/fake-query-server\.js" good\n[\s\S]*? external +[\d,]+/);
      expect(stdout.replace(/\s+/g, ' ')).toMatch(
        /not available here: .*exits.*: it exited with code 3; it wrote to standard error: fatal: out of memory/,
      );
    },
  );

  test('of which none works end the run', async () => {
    const { stderr, exitCode } = await createProject({}).run([
      'bench',
      'index-build',
      '--query-server',
      'echo "Usage: couchpy" >&2; exit 1',
    ]);
    expect(stderr).toContain('no command worked as a query server');
    expect(stderr).toContain('Usage: couchpy');
    expect(exitCode).toBe(3);
  });
});

describe('a command line that cannot be used', () => {
  test.each(
    /** @type {[string, string[], string, string][]} */ ([
      ['an unknown scenario', ['bulk-loads'], 'unknown scenario `bulk-loads`', 'did you mean `bulk-load`?'],
      ['a setting of another scenario', ['coupons', '--pages', '1'], 'coupons has no option --pages', '--shards'],
      ['a size of nothing', ['bulk-load', '--size', '0'], 'invalid --size 0: must be between 1 and', '--size 1'],
      ['a list that is none', ['bulk-load', '--batches', '1;2'], 'invalid --batches 1;2', '--batches 1'],
      [
        'more requests than can be kept',
        ['request-overhead', '--connections', '1000', '--requests', '2000'],
        'exceeds 1,000,000',
        '--requests 1000',
      ],
      [
        'more documents than memory holds',
        ['index-build', '--query-server', 'x', '--large-size', '9000'],
        'exceed 500 MB',
        '--large-size 1666',
      ],
      [
        'an option of another scenario',
        ['coupons', '--before', 'true'],
        '--before has no effect on coupons',
        'request-overhead',
      ],
      [
        'two ways to name a change',
        ['request-overhead', '--url', 'http://127.0.0.1:1', '--other-url', 'http://127.0.0.1:2', '--after', 'x'],
        '--other-url requires --url',
        '--other-url http',
      ],
      [
        'a query server and a database',
        ['index-build', '--query-server', 'x', '--url', 'http://127.0.0.1:1'],
        '--query-server cannot be combined with --url or --docs',
        '',
      ],
      [
        'a configuration of the embedded server',
        ['bulk-load', '--change-config'],
        '--change-config requires a CouchDB server',
        '',
      ],
      [
        'documents that are none',
        ['bulk-load', '--docs', 'nothing.jsonl'],
        'no documents in nothing.jsonl',
        'JSON lines',
      ],
      ['documents for coupons', ['coupons', '--docs', 'x'], '--docs has no effect on coupons', ''],
      [
        'a server that is none',
        ['bulk-load', '--url', 'http://127.0.0.1:9'],
        'request to http://127.0.0.1:9 failed',
        'check the address and port',
      ],
    ]),
  )('%s is told, with a way out', async (_, args, message, hint) => {
    const { stderr, exitCode } = await runMain(['bench', ...args], { cwd: root });
    expect(stderr).toContain(message);
    expect(stderr).toContain(hint);
    expect(stderr).not.toContain('This is a bug');
    expect(exitCode).toBe(message.endsWith('failed') ? 3 : 2);
  });

  test('a page whose folder is missing is told before anything is measured', async () => {
    const given = ['bench', 'coupons', '--output', 'no-such-folder/report.html'];
    const { stdout, stderr, exitCode } = await runMain(given, { cwd: root });
    expect(stdout).toBe('');
    expect(stderr).toContain('cannot write no-such-folder/report.html');
    expect(exitCode).toBe(3);
  });
});
