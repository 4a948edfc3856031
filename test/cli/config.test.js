// The configuration: where it is found, what it may say, and how its faults are told.

import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { runMain } from '../helpers/run-main.js';
import { createProject, ordersWith } from '../helpers/temporary-project.js';

const RULE = 'reduce/unknown-builtin';
const CONFIG = 'couch-advisor.config.json';
const OFF = { rules: { [RULE]: 'off' } };

/** @param {object} config @param {object} [more] */
const projectWith = (config, more = {}) =>
  createProject({ [CONFIG]: config, 'ddocs/orders.json': ordersWith('_sum;'), ...more });

describe('it is found', () => {
  test.each([
    ['beside the working directory', CONFIG, '.', true],
    ['above it', CONFIG, 'ddocs', true],
    ['in package.json', 'package.json', 'ddocs', true],
  ])('%s', async (_, file, folder) => {
    const content = file === CONFIG ? OFF : { name: 'shop', 'couch-advisor': OFF };
    const { cwd } = createProject({ [file]: content, 'ddocs/orders.json': ordersWith('_sum;') });
    const { stdout, exitCode } = await runMain(['lint'], { cwd: path.join(cwd, folder) });
    expect(stdout).toContain('no problems in 1 design document');
    expect(exitCode).toBe(0);
  });

  test.each([
    ['the root of the repository ends the search', { 'shop/.git/HEAD': '', [CONFIG]: OFF }],
    [
      'a package.json without the key is passed over',
      { 'package.json': { devDependencies: { 'couch-advisor': '1' } } },
    ],
    ['a broken package.json that does not speak of it is passed over', { 'package.json': '{"name": "shop",' }],
  ])('but %s', async (_, files) => {
    const { cwd } = createProject({ ...files, 'shop/orders.json': ordersWith('_sum;') });
    const { stdout } = await runMain(['lint'], { cwd: path.join(cwd, 'shop') });
    expect(stdout).toContain('1 warning in 1 design document');
  });

  test('that of a folder that is named comes first, and else that of the working directory', async () => {
    const { lint } = createProject({
      [CONFIG]: { rules: { [RULE]: 'error' } },
      [`shop/${CONFIG}`]: OFF,
      'shop/orders.json': ordersWith('_sum;'),
      'stock/orders.json': ordersWith('_sum;'),
    });
    expect((await lint(['shop'])).findings).toEqual([]);
    expect((await lint(['shop/orders.json'])).findings).toEqual([]);
    expect((await lint(['shop', 'stock'])).findings).toMatchObject([{ place: { file: 'stock/orders.json' } }]);
    expect((await lint(['stock'])).findings).toMatchObject([{ severity: 'error' }]);
    expect((await lint(['shop', '--no-config'])).findings).toMatchObject([{ severity: 'warning' }]);
  });

  test('the nearest wins', async () => {
    const project = createProject({
      [CONFIG]: { rules: { [RULE]: 'error' } },
      'ddocs/package.json': { 'couch-advisor': OFF },
      'ddocs/orders.json': ordersWith('_sum;'),
    });
    expect((await runMain(['lint'], { cwd: path.join(project.cwd, 'ddocs') })).exitCode).toBe(0);
    expect((await project.lint()).exitCode).toBe(0);
    expect((await project.lint(['--config', CONFIG])).exitCode).toBe(1);
  });

  test('--config names another, --no-config none', async () => {
    const project = projectWith({ rules: { [RULE]: 'error' } }, { 'ci/strict.json': OFF });
    expect((await project.lint()).findings).toMatchObject([{ severity: 'error' }]);
    expect((await project.lint(['--config', 'ci/strict.json'])).findings).toEqual([]);
    expect((await project.lint(['--no-config'])).findings).toMatchObject([{ severity: 'warning' }]);
  });

  test('--verbose says which it is', async () => {
    const project = projectWith({});
    expect((await project.run(['lint', '--verbose'])).stderr).toContain(`configuration: ${CONFIG}\n`);
    expect((await project.run(['lint', '--verbose', '--no-config'])).stderr).toContain('configuration: none\n');
  });
});

describe('a fault in it is told with its place', () => {
  test.each([
    ['no JSON', '{\n  "rules": {,\n}', 'not valid JSON (value expected)', '2:13', 'trailing commas'],
    [
      'a comment without an end',
      '{\n  /* the shop\n}',
      'not valid JSON (unexpected end of comment)',
      '2:3',
      'comments',
    ],
    ['an empty file', '', 'not valid JSON', '1:1', 'comments'],
    ['a list', '[]', 'the configuration must be an object, not an array', '1:1', ''],
    [
      'an unknown key',
      '{\n  "rulez": {}\n}',
      'unknown key `rulez` in the configuration',
      '2:3',
      'did you mean `rules`?',
    ],
    [
      'an unknown key unlike any',
      '{"shop": 1}',
      'unknown key `shop`',
      '1:2',
      'known keys: $schema, extends, target, paths',
    ],
    [
      'an unknown key inside',
      '{"target": {"versoin": "3.3"}}',
      'unknown key `versoin` in `target`',
      '1:13',
      'did you mean `version`?',
    ],
    ['a key twice', '{"rules": {}, "rules": {}}', 'duplicate key `rules`', '1:15', 'keep one'],
    ['a wrong type', '{"exclude": "old"}', '`exclude` must be an array, not a string', '1:2', 'meaning: Globs'],
    [
      'a wrong severity',
      `{"rules": {"${RULE}": "warn"}}`,
      `invalid value "warn" for \`rules.${RULE}\``,
      '1:12',
      'must be one of off, error, warning, info',
    ],
    ['a misspelt severity', `{"rules": {"${RULE}": "eror"}}`, 'invalid value "eror"', '1:12', 'did you mean `error`?'],
    [
      'a wrong setting',
      `{"rules": {"${RULE}": {"severty": "off"}}}`,
      'unknown key `severty`',
      '1:39',
      'did you mean `severity`?',
    ],
    [
      'a wrong version',
      '{"target": {"version": "newest"}}',
      'invalid value "newest" for `target.version`',
      '1:13',
      'meaning: CouchDB version, e.g. "3.3"',
    ],
    [
      'a wrong engine',
      '{"target": {"engine": "v8"}}',
      'invalid value "v8" for `target.engine`',
      '1:13',
      'must be one of spidermonkey-1.8.5',
    ],
    [
      'an ignore without a reason',
      `{"ignore": [{"rule": "${RULE}"}]}`,
      'missing key `reason` in `ignore.0`',
      '1:13',
      'add it',
    ],
    [
      'an unknown rule',
      '{"rules": {"reduce/unknown-bultin": "off"}}',
      'unknown rule',
      '1:12',
      `did you mean \`${RULE}\`?`,
    ],
    [
      'an unknown rule of an override',
      '{"overrides": [{"files": ["a"], "rules": {"shop/tidy": "off"}}]}',
      'unknown rule',
      '1:43',
      'lists all rules',
    ],
    [
      'a rule called like a member of objects',
      '{"rules": {"__proto__": "off"}}',
      'unknown rule `__proto__`',
      '1:12',
      'lists all rules',
    ],
    [
      'an unknown question',
      '{"rules": {"view/emit-whole-doc": {"thresholds": {"copy-cuont": 3}}}}',
      'has no threshold `copy-cuont`',
      '1:51',
      'did you mean `copy-count`?',
    ],
    [
      'a threshold of a rule without any',
      `{"rules": {"${RULE}": {"thresholds": {"size": 3}}}}`,
      'has no threshold `size`',
      '1:54',
      'the rule has no thresholds',
    ],
    ['a negative number', '{"maxWarnings": -1}', '`maxWarnings` must be >= 0', '1:2', 'more warnings'],
  ])('%s', async (_, text, message, place, hint) => {
    const project = projectWith({}, { [CONFIG]: text });
    const { stdout, stderr, exitCode } = await project.run(['lint']);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toContain(message);
    expect(stderr).toContain(`  at ${CONFIG}:${place}\n`);
    expect(stderr).toContain(hint);
    expect(stderr.match(/^error: /gm)).toHaveLength(1);
  });

  test('in a file above the working directory', async () => {
    const { cwd } = createProject({ [CONFIG]: '{"rulez": {}}', 'ddocs/orders.json': ordersWith() });
    const { stderr } = await runMain(['lint'], { cwd: path.join(cwd, 'ddocs') });
    expect(stderr).toContain(`  at ../${CONFIG}:1:2\n`);
  });

  test('in package.json', async () => {
    const project = createProject({
      'package.json': '{\n  "couch-advisor": {\n    "rulez": {}\n  }\n}',
      'a.json': ordersWith(),
    });
    expect((await project.run(['lint'])).stderr).toContain('  at package.json:3:5\n');
    project.write({ 'package.json': '{\n  "couch-advisor": {' });
    expect((await project.run(['lint'])).stderr).toMatch(/not valid JSON .*\n {2}at package\.json:2:/);
    project.write({ 'package.json': '{}' });
    expect((await project.run(['lint', '--config', 'package.json'])).stderr).toContain('has no key `couch-advisor`');
  });

  test('a byte order mark is none', async () => {
    const project = projectWith({}, { [CONFIG]: `\ufeff${JSON.stringify(OFF)}` });
    expect((await project.lint()).findings).toEqual([]);
    project.write({ [CONFIG]: '\ufeff{"rulez": {}}' });
    expect((await project.run(['lint'])).stderr).toContain(`  at ${CONFIG}:1:3\n`);
  });

  test('brackets nested too deep are no crash', async () => {
    const project = projectWith({}, { [CONFIG]: `{"rules": ${'['.repeat(20_000)}` });
    const { stderr, exitCode } = await project.run(['lint']);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/nested too deep/);
  });
});

describe('what it says holds', () => {
  test.each([
    ['off', { rules: { [RULE]: 'off' } }, []],
    ['another severity', { rules: { [RULE]: 'error' } }, ['error']],
    ['another severity in an object', { rules: { [RULE]: { severity: 'info' } } }, ['info']],
  ])('a rule may get %s', async (_, config, severities) => {
    const { findings, exitCode } = await projectWith(config).lint();
    expect(findings.map(({ severity }) => severity)).toEqual(severities);
    expect(exitCode).toBe(severities.includes('error') ? 1 : 0);
  });

  test('a threshold moves the line', async () => {
    const map = 'function (doc) { emit(doc.date, doc); }';
    const copies = { _id: '_design/copies', views: { a: { map }, b: { map: map.replace('date', 'town') } } };
    const rule = 'view/emit-whole-doc';
    const outcomes = async (/** @type {object} */ config) => {
      const { codes } = await createProject({ [CONFIG]: config, 'copies.json': copies }).lint(['--rule', rule]);
      return new Set(codes);
    };
    expect(await outcomes({})).toEqual(new Set([`${rule}#several-copies`]));
    const thresholds = { 'copy-count': 3 };
    expect(await outcomes({ rules: { [rule]: { thresholds } } })).toEqual(new Set([`${rule}#copies-document`]));
    expect(await outcomes({ overrides: [{ files: ['copies.json'], rules: { [rule]: { thresholds } } }] })).toEqual(
      new Set([`${rule}#copies-document`]),
    );
  });

  test('overrides hold for the files of their globs, the last one wins', async () => {
    const project = projectWith(
      {
        overrides: [
          { files: ['ddocs/**'], rules: { [RULE]: 'error' } },
          { files: ['**/orders.json', 'none/*'], rules: { [RULE]: 'info' } },
          { files: ['ddocs/*'], rules: { 'view/emit-whole-doc': 'off' } },
        ],
      },
      { 'ddocs/stock.json': ordersWith('_sum;', 'stock'), 'other.json': ordersWith('_sum;', 'other') },
    );
    const expected = [
      ['ddocs/orders.json', 'info'],
      ['ddocs/stock.json', 'error'],
      ['other.json', 'warning'],
    ];
    const { findings } = await project.lint();
    expect(findings.map(({ place, severity }) => [place.file, severity])).toEqual(expected);
    // Globs start from the configuration, wherever the program is run.
    const { stdout } = await runMain(['lint', '--format', 'json'], { cwd: path.join(project.cwd, 'ddocs') });
    expect(JSON.parse(stdout).findings.map((/** @type {{severity: string}} */ { severity }) => severity)).toEqual([
      'info',
      'error',
    ]);
  });

  test.each([
    ['a folder', ['ddocs/old']],
    ['a name at any depth', ['old']],
    ['a glob', ['ddocs/**/old*.json', 'ddocs/old/**']],
  ])('exclude passes over %s', async (_, exclude) => {
    const files = { 'ddocs/old/a.json': ordersWith('_total', 'a'), 'ddocs/b.json': ordersWith('_total', 'b') };
    const project = createProject({ [CONFIG]: { exclude }, ...files });
    for (const argv of [[], ['ddocs'], ['ddocs/**/*.json']]) {
      const { findings } = await project.lint(argv);
      expect(findings.map(({ place }) => place.file)).toEqual(['ddocs/b.json']);
    }
    expect((await project.lint(['ddocs/old/a.json'])).findings).toHaveLength(1);
    const inside = await runMain(['lint', '--format', 'json'], { cwd: path.join(project.cwd, 'ddocs') });
    expect(JSON.parse(inside.stdout).findings).toHaveLength(1);
  });

  test('paths are read where the command line names none', async () => {
    const project = projectWith({ paths: ['ddocs/*.json'] }, { 'other.json': ordersWith('_total', 'other') });
    expect((await project.lint()).findings.map(({ place }) => place.file)).toEqual(['ddocs/orders.json']);
    expect((await project.lint(['other.json'])).findings.map(({ place }) => place.file)).toEqual(['other.json']);
    const inside = await runMain(['lint', '--format', 'json'], { cwd: path.join(project.cwd, 'ddocs') });
    expect(JSON.parse(inside.stdout).findings[0].place.file).toBe('orders.json');
  });

  test('a path that is not there is an error', async () => {
    const { errors, exitCode } = await projectWith({ paths: ['desings'] }).lint();
    expect(errors).toMatchObject([{ code: 'not-found' }]);
    expect(exitCode).toBe(3);
  });

  test('a file called - in paths is no standard input', async () => {
    const project = createProject({ [CONFIG]: { paths: ['-'] }, '-': JSON.stringify(ordersWith('_total')) });
    expect((await project.lint([], 'not read')).codes).toEqual([`${RULE}#refused`]);
  });

  test('the target is taken, and the command line wins', async () => {
    const project = projectWith({ target: { version: '3.3' } }, { 'ddocs/orders.json': ordersWith('_first') });
    expect((await project.lint()).codes).toEqual([`${RULE}#too-new`]);
    expect((await project.lint(['--target', '3.5'])).codes).toEqual([]);
    expect((await project.lint(['--no-config'])).codes).toEqual([]);
  });

  test('failOn and maxWarnings are taken, and the command line wins', async () => {
    const strict = projectWith({ failOn: 'warning' });
    expect((await strict.lint()).exitCode).toBe(1);
    expect((await strict.lint(['--fail-on', 'error'])).exitCode).toBe(0);
    const counting = projectWith({ maxWarnings: 0 });
    expect((await counting.lint()).exitCode).toBe(1);
    expect((await counting.lint(['--max-warnings', '1'])).exitCode).toBe(0);
  });
});

describe('the configuration of a folder', () => {
  const TILL = `till/${CONFIG}`;
  /** A warning in each folder. */
  const shops = {
    'orders.json': ordersWith('_sum;'),
    'till/ddocs/till.json': ordersWith('_sum;', 'till'),
    'till/bar/bar.json': ordersWith('_sum;', 'bar'),
    'stock/stock.json': ordersWith('_sum;', 'stock'),
  };
  /** @param {{place: {file: string}, severity: string}[]} findings */
  const byFile = (findings) => Object.fromEntries(findings.map(({ place, severity }) => [place.file, severity]));

  test('holds for its files, the nearest one alone', async () => {
    const project = createProject({
      ...shops,
      [CONFIG]: { rules: { [RULE]: 'error' } },
      [TILL]: OFF,
      'till/bar/package.json': { 'couch-advisor': { rules: { [RULE]: 'info' } } },
      'stock/couch-advisor.config.jsonc': '{} // the rule has its own severity\n',
    });
    const whole = await project.lint();
    expect(byFile(whole.findings)).toEqual({
      'orders.json': 'error',
      'till/bar/bar.json': 'info',
      'stock/stock.json': 'warning',
    });
    expect(byFile((await project.lint(['till/ddocs/till.json', 'orders.json'])).findings)).toEqual({
      'orders.json': 'error',
    });
    for (const argv of [['--config', CONFIG], ['--no-config']]) {
      expect((await project.lint(argv)).findings).toHaveLength(4);
    }
  });

  test('holds where there is none at the root', async () => {
    const { findings } = await createProject({ ...shops, [TILL]: { rules: { [RULE]: 'error' } } }).lint();
    expect(byFile(findings)).toEqual({
      'orders.json': 'warning',
      'till/ddocs/till.json': 'error',
      'till/bar/bar.json': 'error',
      'stock/stock.json': 'warning',
    });
  });

  test('may extend the one above, and has globs of its own', async () => {
    const { findings } = await createProject({
      ...shops,
      [CONFIG]: { rules: { [RULE]: 'error' } },
      [TILL]: { extends: `../${CONFIG}`, overrides: [{ files: ['bar/*'], rules: { [RULE]: 'info' } }] },
    }).lint();
    expect(byFile(findings)).toMatchObject({ 'till/ddocs/till.json': 'error', 'till/bar/bar.json': 'info' });
  });

  test('has a target of its own; the command line wins over all', async () => {
    const project = createProject({
      'orders.json': ordersWith('_first'),
      'till/till.json': ordersWith('_first', 'till'),
      [TILL]: { target: { version: '3.3' } },
    });
    const files = async (/** @type {string[]} */ argv) =>
      (await project.lint(argv)).findings.map(({ place }) => place.file);
    expect(await files([])).toEqual(['till/till.json']);
    expect(await files(['--target', '3.5'])).toEqual([]);
    expect(await files(['--target', '3.3'])).toEqual(['orders.json', 'till/till.json']);
    project.write({ [CONFIG]: { target: { version: '3.3' } }, [TILL]: {} });
    expect(await files([])).toEqual(['orders.json']);
    const { stdout } = await project.run(['facts', '--format', 'json']);
    /** @type {{kind: string, facts: Record<string, {value: unknown}>}[]} */
    const views = JSON.parse(stdout).subjects.filter((/** @type {{kind: string}} */ { kind }) => kind === 'view');
    expect(views.map(({ facts }) => facts['reduce.builtinIsAvailable']?.value)).toEqual([false, true]);
  });

  test('silences what it ignores in its folder, and an ignore of it that silences nothing is found', async () => {
    const reason = 'is replaced soon';
    const { findings, silenced } = await createProject({
      ...shops,
      [TILL]: {
        ignore: [
          { rule: RULE, reason },
          { rule: RULE, designDoc: 'stock', reason },
        ],
      },
    }).lint();
    expect(silenced.ignored).toBe(2);
    expect(findings.map(({ rule, place }) => [rule, place.file])).toEqual([
      [RULE, 'orders.json'],
      [RULE, 'stock/stock.json'],
      ['ignore/unused', TILL],
    ]);
  });

  test.each([
    ['everything', []],
    ['a folder', ['till']],
    ['globs', ['*.json', 'till/**/*.json', 'stock/*.json']],
    ['the files of a commit', ['--ignore-unknown', 'orders.json', 'till/bar/bar.json', 'till/ddocs/till.json']],
  ])('excludes files from %s', async (_, argv) => {
    const { findings } = await createProject({ ...shops, [CONFIG]: {}, [TILL]: { exclude: ['bar'] } }).lint(argv);
    const files = findings.map(({ place }) => place.file);
    expect(files).toContain('till/ddocs/till.json');
    expect(files).not.toContain('till/bar/bar.json');
  });

  test('may say things of a run, which are named where they are not used', async () => {
    const project = createProject({
      ...shops,
      [CONFIG]: { failOn: 'never', maxWarnings: 9 },
      [TILL]: { ...OFF, failOn: 'warning', maxWarnings: 0 },
      [`stock/${CONFIG}`]: { extends: `../${CONFIG}` },
    });
    const note = `not used in this run: failOn, maxWarnings in ${TILL}; to use it, run: npx --no-install couch-advisor lint till\n`;
    const whole = await project.run(['lint']);
    expect(whole.stderr).toContain(note);
    expect(whole.stderr.match(/not used in this run/g)).toHaveLength(1);
    expect(whole.exitCode).toBe(0);
    expect((await project.run(['lint', '--verbose'])).stderr).toContain(`configuration of till/: ${TILL}\n`);
    for (const argv of [
      ['lint', '--quiet'],
      ['lint', '--no-config'],
      ['lint', 'till'],
      ['lint', 'till/ddocs/till.json'],
    ]) {
      expect((await project.run(argv)).stderr).not.toContain('not used in this run');
    }
  });

  test.each([
    ['an unknown key', { [TILL]: '{"rulez": {}}' }, 'unknown key `rulez`', `${TILL}:1:2`],
    ['an unknown rule', { [TILL]: '{"rules": {"till/open": "off"}}' }, 'unknown rule `till/open`', `${TILL}:1:12`],
    ['an unknown target', { [TILL]: '{"target": {"version": "9.9"}}' }, 'unknown CouchDB version 9.9', `${TILL}:1:2`],
    [
      'code',
      { 'till/couch-advisor.config.mjs': 'throw new Error("was run")' },
      'is code and is only run with an explicit --config',
      '',
    ],
  ])('is an error with %s', async (_, files, message, place) => {
    const { stdout, stderr, exitCode } = await createProject({ ...shops, ...files }).run(['lint']);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toContain(message);
    if (place !== '') expect(stderr).toContain(`  at ${place}\n`);
  });

  test('is not read where nothing is read below it', async () => {
    const { findings } = await createProject({ ...shops, [`empty/${CONFIG}`]: '{' }).lint();
    expect(findings).toHaveLength(4);
  });
});
