// What a configuration extends: presets, files and packages; and configurations that are code.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { loadRules } from '../../lib/index.js';
import { serverPreset } from '../helpers/rule-folders.js';
import { root, runCli } from '../helpers/run-cli.js';
import { runMain } from '../helpers/run-main.js';
import { createProject, ordersWith } from '../helpers/temporary-project.js';

/** @import { Files } from '../helpers/temporary-project.js' */

const RULE = 'reduce/unknown-builtin';
const OTHER = 'view/emit-whole-doc';
const CONFIG = 'couch-advisor.config.json';
const ERROR = { rules: { [RULE]: 'error' } };
const OFF = { rules: { [RULE]: 'off' } };

/** @param {Files} files */
const shop = (files) => createProject({ 'ddocs/orders.json': ordersWith('_sum;'), ...files });

/** @param {Files} files @param {string[]} [argv] @returns {Promise<string[]>} the severities of what is found */
const severitiesOf = async (files, argv) =>
  (await shop(files).lint(argv)).findings.filter(({ rule }) => rule === RULE).map(({ severity }) => severity);

describe('extends', () => {
  test.each(
    /** @type {[string, Files][]} */ ([
      ['a file', { [CONFIG]: { extends: './base.json' }, 'base.json': ERROR }],
      ['a file above', { 'ddocs/package.json': { 'couch-advisor': { extends: '../base.json' } }, 'base.json': ERROR }],
      ['a list', { [CONFIG]: { extends: ['./base.json'] }, 'base.json': ERROR }],
      [
        'a file that extends another, from its own folder',
        { [CONFIG]: { extends: './team/a.json' }, 'team/a.json': { extends: './b.json' }, 'team/b.json': ERROR },
      ],
      [
        'a package',
        {
          [CONFIG]: { extends: 'couch-advisor-shop' },
          'node_modules/couch-advisor-shop/package.json': { name: 'couch-advisor-shop', main: 'shop.json' },
          'node_modules/couch-advisor-shop/shop.json': ERROR,
        },
      ],
      [
        'a file of a package with a scope',
        {
          [CONFIG]: { extends: '@shop/advice/strict.json' },
          'node_modules/@shop/advice/package.json': { name: '@shop/advice' },
          'node_modules/@shop/advice/strict.json': ERROR,
        },
      ],
      [
        'the package.json of another project',
        { [CONFIG]: { extends: './till/package.json' }, 'till/package.json': { 'couch-advisor': ERROR } },
      ],
    ]),
  )('takes %s', async (_, files) => {
    const { cwd } = shop(files);
    const { stdout } = await runMain(['lint', '--format', 'json'], { cwd: path.join(cwd, 'ddocs') });
    expect(JSON.parse(stdout).findings).toMatchObject([{ rule: RULE, severity: 'error' }]);
  });

  test.each(
    /** @type {[string, Files, string[]][]} */ ([
      ['the last of a list', { [CONFIG]: { extends: ['./a.json', './b.json'] }, 'a.json': ERROR, 'b.json': OFF }, []],
      ['and then the configuration itself', { [CONFIG]: { extends: './a.json', ...ERROR }, 'a.json': OFF }, ['error']],
      [
        'also over the overrides of what it extends',
        {
          [CONFIG]: { extends: './a.json', ...ERROR },
          'a.json': { overrides: [{ files: ['ddocs/**'], rules: { [RULE]: 'off' } }] },
        },
        ['error'],
      ],
      [
        'but not over what it does not speak of',
        { [CONFIG]: { extends: './a.json', rules: { [OTHER]: 'off' } }, 'a.json': ERROR },
        ['error'],
      ],
    ]),
  )('%s wins', async (_, files, expected) => {
    expect(await severitiesOf(files)).toEqual(expected);
  });

  test('joins severity and thresholds, ignores, exclusions and targets; paths start from the file that names them', async () => {
    const project = createProject({
      [CONFIG]: {
        extends: './team/base.json',
        target: { engine: 'quickjs' },
        exclude: ['ddocs/old'],
        ignore: [{ rule: RULE, designDoc: 'stock', reason: 'is replaced soon' }],
        maxWarnings: 3,
      },
      'team/base.json': {
        target: { version: '3.3' },
        exclude: ['ddocs/older'],
        ignore: [{ rule: RULE, designDoc: 'till', reason: 'is replaced soon' }],
        paths: ['../ddocs'],
        failOn: 'never',
        maxWarnings: 0,
      },
      ...Object.fromEntries(
        ['orders', 'stock', 'till', 'old/a', 'older/b'].map((name) => [
          `ddocs/${name}.json`,
          ordersWith('_first', name.replace('/', '-')),
        ]),
      ),
      'elsewhere.json': ordersWith('_first', 'elsewhere'),
    });
    const { findings, silenced, exitCode, stderr } = await project.lint();
    // `_first` is too new for 3.3.
    expect(findings.map(({ place }) => place.file)).toEqual(['ddocs/orders.json']);
    expect(silenced.ignored).toBe(2);
    expect(stderr).not.toContain('--max-warnings');
    expect(exitCode).toBe(0);
  });

  test('globs start from the configuration that extends', async () => {
    const files = {
      [CONFIG]: { extends: './team/base.json' },
      'team/base.json': { overrides: [{ files: ['ddocs/*'], rules: { [RULE]: 'info' } }] },
    };
    expect(await severitiesOf(files)).toEqual(['info']);
  });

  test.each(
    /** @type {[string, Files, string, string, string][]} */ ([
      [
        'itself',
        { [CONFIG]: { extends: `./${CONFIG}` } },
        `the configuration extends itself: ${CONFIG} → ${CONFIG}`,
        `${CONFIG}:2:3`,
        'remove one of them from `extends`',
      ],
      [
        'one that extends it again',
        {
          [CONFIG]: { extends: ['strict', './a.json'] },
          'a.json': { extends: './b.json' },
          'b.json': { extends: './a.json' },
        },
        'the configuration extends itself: a.json → b.json → a.json',
        'b.json:2:3',
        'remove one of them from `extends`',
      ],
      [
        'a file that is not there',
        { [CONFIG]: { extends: ['recommended', './bsae.json'] } },
        'cannot read the configuration file bsae.json (ENOENT)',
        `${CONFIG}:4:5`,
        'relative to the file that extends it',
      ],
      [
        'a folder',
        { [CONFIG]: { extends: '..' } },
        'cannot read the configuration file .. (a folder)',
        `${CONFIG}:2:3`,
        'relative to the file that extends it',
      ],
      [
        'a package that is not installed',
        { [CONFIG]: { extends: 'couch-advisor-shop' } },
        'cannot find the package `couch-advisor-shop` named in `extends`',
        `${CONFIG}:2:3`,
        'install it; the presets are recommended, strict, server',
      ],
      [
        'a module of Node.js',
        { [CONFIG]: { extends: 'fs' } },
        'cannot find the package `fs` named in `extends`',
        `${CONFIG}:2:3`,
        'install it',
      ],
      [
        'a misspelt preset',
        { [CONFIG]: { extends: 'recomended' } },
        'the package `recomended`',
        `${CONFIG}:2:3`,
        'did you mean `recommended`?',
      ],
      [
        'a file without ./',
        { [CONFIG]: { extends: 'base.json' }, 'base.json': ERROR },
        'the package `base.json`',
        `${CONFIG}:2:3`,
        'for a file, write `./base.json`',
      ],
      [
        'a number',
        { [CONFIG]: { extends: 3 } },
        '`extends` must be a string or an array, not a number',
        `${CONFIG}:2:3`,
        'later ones win',
      ],
      [
        'a file with an unknown rule',
        { [CONFIG]: { extends: './a.json' }, 'a.json': { rules: { 'reduce/unknown-bultin': 'off' } } },
        'unknown rule `reduce/unknown-bultin`',
        'a.json:3:5',
        `did you mean \`${RULE}\`?`,
      ],
      [
        'a file that is not understood',
        { [CONFIG]: { extends: './a.json' }, 'a.json': { rulez: {} } },
        'unknown key `rulez`',
        'a.json:2:3',
        'did you mean `rules`?',
      ],
      [
        'code, without being named itself',
        { [CONFIG]: { extends: './a.mjs' }, 'a.mjs': 'throw new Error("was run")' },
        'a.mjs is code and is only run with an explicit --config',
        `${CONFIG}:2:3`,
        `--config ${CONFIG}`,
      ],
    ]),
  )('refuses %s', async (_, files, message, place, hint) => {
    const { stdout, stderr, exitCode } = await shop(files).run(['lint']);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toContain(message);
    expect(stderr).toContain(`  at ${place}\n`);
    expect(stderr).toContain(hint);
  });

  test('ends where files extend each other without end', async () => {
    const twice = (/** @type {number} */ at) => [`${at}.json`, { extends: [`./${at + 1}.json`, `./${at + 1}.json`] }];
    const files = Object.fromEntries(Array.from({ length: 20 }, (_, at) => twice(at)));
    const { stderr, exitCode } = await shop({ ...files, '20.json': {}, [CONFIG]: { extends: './0.json' } }).run([
      'lint',
    ]);
    expect(stderr).toContain('extends more than 100 files');
    expect(exitCode).toBe(2);
  });
});

describe('a preset', () => {
  const read = (/** @type {string} */ file) => JSON.parse(readFileSync(path.join(root, 'share/presets', file), 'utf8'));

  test('is one of three', () => {
    expect(readdirSync(path.join(root, 'share/presets')).sort()).toEqual([
      'recommended.json',
      'server.json',
      'strict.json',
    ]);
  });

  test('recommended is what holds without a configuration', () => {
    expect(read('recommended.json')).toEqual({});
  });

  test('strict fails for every finding', async () => {
    const project = shop({ [CONFIG]: { extends: 'strict' } });
    expect((await project.lint()).exitCode).toBe(1);
    expect((await project.lint(['--no-config'])).exitCode).toBe(0);
    project.write({ [CONFIG]: { extends: 'strict', failOn: 'error' } });
    expect((await project.lint()).exitCode).toBe(0);
  });

  test('server leaves on what needs the configuration of a server or a server that answers, and nothing else', async () => {
    const { rules } = await loadRules();
    expect(read('server.json')).toEqual(serverPreset(rules));
    const { codes } = await shop({
      [CONFIG]: { extends: 'server' },
      'local.ini': '[uuids]\nalgorithm = chance\n',
    }).lint();
    expect(codes).toEqual(['config/uuid-algorithm#unknown-algorithm']);
  });
});

describe('comments and trailing commas', () => {
  test.each(['couch-advisor.config.json', 'couch-advisor.config.jsonc'])('may stand in %s', async (name) => {
    const text = `{\n  // the till sends it\n  "rules": { /* soon gone */ "${RULE}": "error", },\n}\n`;
    expect(await severitiesOf({ [name]: text })).toEqual(['error']);
    const { stderr } = await shop({ [name]: text.replace('"error"', '"eror"') }).run(['lint']);
    expect(stderr).toContain(`  at ${name}:3:30\n`);
  });

  test('may not stand in package.json, which npm reads too', async () => {
    const { stderr, exitCode } = await shop({ 'package.json': '{\n  // no\n  "couch-advisor": {}\n}' }).run(['lint']);
    expect(stderr).toContain('  at package.json:2:3\n  hint: comments and trailing commas are not allowed');
    expect(exitCode).toBe(2);
  });
});

describe('a configuration that is code', () => {
  const text = `const severity = ['err', 'or'].join('');\nexport default { rules: { '${RULE}': severity } };\n`;

  /** @param {Files} files @param {string} name */
  const lintNaming = (files, name) => shop(files).run(['lint', '--config', name, '--format', 'json']);

  test.each([
    ['couch-advisor.config.mjs', text],
    ['couch-advisor.config.cjs', text.replace('export default', 'module.exports =')],
    ['config/shop.js', text.replace('export default', 'module.exports =')],
  ])('%s is run where it is named', async (name, code) => {
    const { stdout } = await lintNaming({ [name]: code }, name);
    expect(JSON.parse(stdout).findings).toMatchObject([{ severity: 'error' }]);
  });

  test('may be what a configuration extends that is named', () => {
    const { cwd } = shop({ [CONFIG]: { extends: './team.mjs' }, 'team.mjs': text });
    const { stdout } = runCli(['lint', '--config', CONFIG, '--format', 'json'], { cwd });
    expect(JSON.parse(stdout).findings).toMatchObject([{ severity: 'error' }]);
  });

  test.each(['js', 'mjs', 'cjs', 'ts', 'mts', 'cts'])('is not run where it is only found: .%s', async (ending) => {
    const name = `couch-advisor.config.${ending}`;
    const project = shop({ [name]: "require('node:fs').writeFileSync('was-run', '');" });
    const { stdout, stderr, exitCode } = await project.run(['lint']);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toContain(`${name} is code and is only run with an explicit --config`);
    expect(stderr).toContain(`hint: --config ${name}\n`);
    expect(project.list()).not.toContain('was-run');
  });

  test('in TypeScript is run where Node.js runs it, and else the error names the versions', async () => {
    const name = 'couch-advisor.config.ts';
    const code = `const severity: string = 'error';\nexport default { rules: { '${RULE}': severity } };\n`;
    const { stdout, stderr } = await lintNaming({ [name]: code, 'package.json': { type: 'module' } }, name);
    const runsTypes = Boolean(/** @type {{typescript?: unknown}} */ (process.features).typescript);
    if (runsTypes) expect(JSON.parse(stdout).findings).toMatchObject([{ severity: 'error' }]);
    else
      expect(stderr).toContain(
        `requires Node.js 22.18, 23.6 or newer to run TypeScript; this is ${process.versions.node}`,
      );
  });

  test.each([
    ['throws', 'throw new Error("no till");', 'cannot run shop.mjs: no till'],
    ['is no JavaScript', 'export default {', 'cannot run shop.mjs'],
    ['exports nothing', 'export const rules = {};', 'has no default export'],
    ['exports a function', 'export default () => ({});', 'does not export plain data: it is a function'],
    [
      'exports a function in it',
      'export default { rules: () => ({}) };',
      'does not export plain data: `rules` is a function',
    ],
    ['exports a circle', 'const a = {}; a.a = a; export default a;', 'does not export plain data: Converting circular'],
    ['exports a number', 'export default 3;', 'the configuration must be an object, not a number'],
    ['exports an unknown key', 'export default { rulez: {} };', 'unknown key `rulez`'],
    ['names an unknown rule', 'export default { rules: { "till/open": "off" } };', 'unknown rule `till/open`'],
  ])('and %s is an error', async (_, code, message) => {
    const { stdout, stderr, exitCode } = await lintNaming({ 'shop.mjs': code }, 'shop.mjs');
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toContain(message);
    expect(stderr).toContain('  at shop.mjs:1:1\n');
    expect(stderr).toContain('  hint: ');
  });
});

test('two configurations in one folder are an error', async () => {
  const { stderr, exitCode } = await shop({ [CONFIG]: OFF, 'couch-advisor.config.mjs': '' }).run(['lint']);
  expect(stderr).toContain('contains two configuration files, couch-advisor.config.json and couch-advisor.config.mjs');
  expect(stderr).toContain('keep one of them');
  expect(exitCode).toBe(2);
});
