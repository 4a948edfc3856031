// What helps when a run is not as expected: --print-config, --debug and --timing.

import { describe, expect, test } from 'vitest';
import { Timing } from '../../lib/cli/commands/lint/timing.js';
import { createProject, ordersWith } from '../helpers/temporary-project.js';

const RULE = 'reduce/unknown-builtin';
const OTHER = 'view/emit-whole-doc';
const CONFIG = 'couch-advisor.config.json';

describe('--print-config', () => {
  const files = {
    [CONFIG]: {
      extends: './base.json',
      failOn: 'warning',
      exclude: ['ddocs/old'],
      rules: { [RULE]: { severity: 'error' }, [OTHER]: { thresholds: { 'copy-count': 3 } } },
      overrides: [{ files: ['ddocs/**'], rules: { [OTHER]: 'off' } }],
      ignore: [
        { rule: RULE, file: 'stock/*', reason: 'is replaced soon' },
        { rule: RULE, view: 'revenue', reason: 'is read by nobody' },
      ],
    },
    'base.json': { target: { version: '3.3' }, logs: ['logs/*.log'], rules: { [RULE]: 'info' } },
    [`till/${CONFIG}`]: { rules: { [RULE]: 'info' } },
  };
  /** @param {string[]} argv */
  const print = async (...argv) => {
    const { stdout, stderr, exitCode } = await createProject(files).run(['lint', '--print-config', ...argv]);
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    return JSON.parse(stdout);
  };

  test('prints what holds for a file, and where it was set', async () => {
    const printed = await print('ddocs/orders.json');
    expect(printed).toMatchObject({
      version: 1,
      file: 'ddocs/orders.json',
      configurations: ['base.json', CONFIG],
      isExcluded: false,
      target: { version: '3.3' },
      failOn: 'warning',
      exclude: ['ddocs/old'],
      logs: ['logs/*.log'],
      ignore: [{ view: 'revenue', from: `${CONFIG}:33:5` }],
      from: { target: 'base.json:2:3', failOn: `${CONFIG}:3:3` },
    });
    expect(printed.ignore).toHaveLength(1);
    expect(printed.rules[RULE]).toEqual({ severity: 'error', from: `${CONFIG}:8:5` });
    expect(printed.rules[OTHER]).toEqual({
      severity: 'off',
      thresholds: { 'copy-count': 3 },
      from: `${CONFIG}:23:9`,
    });
    expect(printed.rules['reduce/custom-sum']).toEqual({ severity: 'warning' });
  });

  test('honors overrides, exclusions and the configuration of the folder', async () => {
    expect((await print('other.json')).rules[OTHER]).toMatchObject({ severity: 'info', from: `${CONFIG}:11:5` });
    expect((await print('ddocs/old/a.json')).isExcluded).toBe(true);
    expect(await print('till/orders.json')).toMatchObject({
      configurations: [`till/${CONFIG}`],
      rules: { [RULE]: { severity: 'info', from: `till/${CONFIG}:3:5` } },
      failOn: 'error',
    });
  });

  test('honors the command line', async () => {
    const argv = ['--target', '3.5', '--fail-on', 'never', '--rule', `${RULE}=warning`];
    expect(await print('other.json', ...argv)).toMatchObject({
      target: { version: '3.5' },
      failOn: 'never',
      rules: { [RULE]: { severity: 'warning', from: '--rule' } },
    });
    expect((await print('other.json', '--rule', OTHER)).rules[RULE].severity).toBe('off');
    expect((await print('other.json', '--no-config')).configurations).toEqual([]);
  });

  test.each([
    ['a folder', ['ddocs'], 'requires a file; `ddocs` is a folder', 'use a file in it'],
    ['a file and a path', ['a.json', 'b.json'], 'takes no paths, but `b.json` was given', 'put one file'],
  ])('refuses %s', async (_, argv, message, hint) => {
    const project = createProject({ ...files, 'ddocs/orders.json': ordersWith() });
    const { stdout, stderr, exitCode } = await project.run(['lint', '--print-config', ...argv]);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toContain(message);
    expect(stderr).toContain(hint);
  });
});

describe('--debug', () => {
  const files = {
    [CONFIG]: { exclude: ['old.json'], target: { version: '3.3' } },
    'orders.json': ordersWith(),
    'stock.json': ordersWith('_count', 'stock'),
    'cut.json': '{"_id": "_design/cut", "views": {"a": {"map":',
    'old.json': ordersWith('_sum', 'old'),
    'data.json': '{"order": 1}',
    'notes.txt': '_design/orders',
    'local.ini': '[uuids]\nalgorithm = sequential\n',
    'till/till.json': ordersWith('_sum', 'till'),
    [`till/${CONFIG}`]: { target: { version: '3.4' } },
  };

  test('prints of each file whether it was read, and why not', async () => {
    const project = createProject({ ...files, 'node_modules/a/b.json': ordersWith('_sum', 'b') });
    const { stdout, stderr } = await project.run(['lint', '--debug']);
    const lines = stderr.split('\n').filter((line) => line.startsWith('debug: '));
    for (const line of [
      `orders.json: read, 1 design-doc; ${CONFIG}, CouchDB 3.3`,
      `till/till.json: read, 1 design-doc; till/${CONFIG}, CouchDB 3.4`,
      `local.ini: read, 1 server-config; ${CONFIG}, CouchDB 3.3`,
      'old.json: not read, excluded by the configuration',
      'notes.txt: not read, not a supported file name',
      'node_modules: not read, installed packages',
    ]) {
      expect(lines).toContain(`debug: ${line}`);
    }
    expect(lines.find((line) => line.includes('data.json: '))).toMatch(/not read, .*design document/);
    expect(lines.find((line) => line.includes('cut.json: '))).toMatch(/: read, (?!part of|\d).+; /);
    for (const file of project.list().filter((name) => !/^(?:\.git|node_modules)\//.test(name))) {
      expect(lines.filter((line) => line.startsWith(`debug: ${file}: `))).toHaveLength(1);
    }
    expect(stdout).toBe((await project.run(['lint'])).stdout);
  });

  test('knows files that were named', async () => {
    const project = createProject(files);
    const { stderr } = await project.run([
      'lint',
      '--debug',
      '--ignore-unknown',
      'notes.txt',
      'data.json',
      'stock.json',
    ]);
    expect(stderr).toContain('debug: notes.txt: not read, not a supported file name\n');
    expect(stderr).toMatch(/debug: data\.json: not read, .*design document/);
    expect(stderr).toContain('debug: stock.json: read, 1 design-doc');
    expect(stderr).not.toContain('debug: orders.json');
  });
});

describe('--timing', () => {
  test('prints stages, rules and facts, and changes nothing else', async () => {
    const project = createProject({ 'orders.json': ordersWith('_sum;') });
    const plain = await project.run(['lint']);
    const { stdout, stderr, exitCode } = await project.run(['lint', '--timing']);
    expect({ stdout, exitCode }).toEqual({ stdout: plain.stdout, exitCode: plain.exitCode });
    expect(stderr).toMatch(/^Stage +\| Time \(ms\) \| Relative$/m);
    for (const name of ['read', 'judge', 'all'])
      expect(stderr).toMatch(new RegExp(`^${name} +\\| +[\\d.]+ \\| +[\\d.]+%$`, 'm'));
    const [, , rules = '', facts = ''] = stderr.split(/^(?:Stage|Rule|Fact)\b.*$/m);
    expect(rules).toMatch(/^(?:view|reduce|map|ddoc)\/[a-z-]+ +\|/m);
    expect(facts).toMatch(/^(?:view|reduce|function|ddoc)\.[a-zA-Z]+ +\|/m);
    for (const table of [rules, facts]) expect(table.match(/%/g)?.length).toBeLessThanOrEqual(10);
  });

  test('is printed of a run that fails, too', async () => {
    const { stderr, exitCode } = await createProject().run(['lint', '--timing']);
    expect(stderr).toMatch(/^Stage /m);
    expect(exitCode).toBe(2);
  });

  test('counts a fact without those that it asks for', async () => {
    let now = 0;
    const timing = new Timing(() => now);
    const work = (/** @type {number} */ ms) => {
      now += ms;
      return 'done';
    };
    const outer = () => {
      work(1);
      return timing.measure('fact', 'inner', () => work(20));
    };
    expect(timing.measure('rule', 'asking', () => timing.measure('fact', 'outer', outer))).toBe('done');
    expect(() => timing.measure('rule', 'broken', () => JSON.parse('{'))).toThrow(SyntaxError);
    expect(await timing.measure('stage', 'later', async () => work(19))).toBe('done');
    const printed = timing.render();
    const rowOf = (/** @type {string} */ name) =>
      new RegExp(`^${name} +\\| +([\\d.]+) \\| +([\\d.]+)%$`, 'm').exec(printed)?.slice(1);
    expect(rowOf('asking')).toEqual(['21.0', '52.5']);
    expect(rowOf('outer')).toEqual(['1.0', '2.5']);
    expect(rowOf('inner')).toEqual(['20.0', '50.0']);
    expect(rowOf('broken')).toEqual(['0.0', '0.0']);
    expect(rowOf('later')).toEqual(['19.0', '47.5']);
    expect(rowOf('all')).toEqual(['40.0', '100.0']);
  });
});
