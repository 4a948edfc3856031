// What `lint` reads and writes: standard input, formats and files, what fails a run, what is said beside the report.

import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { formats } from '../../lib/index.js';
import { sample } from '../helpers/long.js';
import { root } from '../helpers/run-cli.js';
import { createProject, ordersWith } from '../helpers/temporary-project.js';

const bin = path.join(root, 'bin/couch-advisor.js');
const validate = new Ajv2020({ allErrors: true, strict: false, validateFormats: false }).compile(
  JSON.parse(readFileSync(path.join(root, 'share/schemas/lint.schema.json'), 'utf8')),
);

describe('standard input', () => {
  const text = JSON.stringify(ordersWith('_total'));

  test('is read for -', async () => {
    const { findings, exitCode } = await createProject().lint(['-'], text);
    expect(findings).toMatchObject([{ place: { file: '<stdin>', line: 1 } }]);
    expect(exitCode).toBe(1);
  });

  test('counts as --stdin-filename says, with its overrides', async () => {
    const project = createProject({
      'couch-advisor.config.json': { overrides: [{ files: ['ddocs/*'], rules: { 'reduce/unknown-builtin': 'info' } }] },
    });
    const { findings } = await project.lint(['-', '--stdin-filename', 'ddocs/orders.json'], text);
    expect(findings).toMatchObject([{ place: { file: 'ddocs/orders.json' }, severity: 'info' }]);
  });

  test.each([
    ['a module', 'orders.js', `module.exports = ${text};`, 'reduce/unknown-builtin#refused'],
    ['a configuration', 'local.ini', '[uuids]\nalgorithm = chance\n', 'config/uuid-algorithm#unknown-algorithm'],
    ['JSON lines', 'backup.jsonl', `[${text}]\n`, 'reduce/unknown-builtin#refused'],
  ])('may be %s', async (_, name, input, expected) => {
    expect((await createProject().lint(['-', '--stdin-filename', name], input)).codes).toEqual([expected]);
  });

  test('may stand among other paths, and counts once', async () => {
    const project = createProject({ 'stock.json': ordersWith('_total', 'stock') });
    expect((await project.lint(['-', 'stock.json', '-'], text)).codes).toHaveLength(2);
  });

  test.each([
    ['empty', ''],
    ['truncated', text.slice(0, 40)],
    ['binary', Buffer.from([0, 1, 2, 3, 255])],
    ['nothing of CouchDB', '{"order": 1}'],
  ])('that is %s is an error', async (_, input) => {
    const { stdout, exitCode } = await createProject().run(['lint', '-'], input);
    expect(exitCode).toBe(3);
    expect(stdout).toContain('unreadable');
  });
});

describe('a target of two parts is the newest release of its line', () => {
  test.each([
    ['3.5', []],
    ['3.5.1', []],
    ['3', []],
    ['3.5.0', ['config/uuid-algorithm#unknown-algorithm']],
    ['3.4', ['config/uuid-algorithm#unknown-algorithm']],
  ])('%s', async (version, codes) => {
    const project = createProject({ 'local.ini': '[uuids]\nalgorithm = uuid_v7\n' });
    expect((await project.lint(['local.ini', '--target', version])).codes).toEqual(codes);
    const configured = createProject({
      'local.ini': '[uuids]\nalgorithm = uuid_v7\n',
      'couch-advisor.config.json': { target: { version } },
    });
    expect((await configured.lint(['local.ini'])).codes).toEqual(codes);
  });
});

describe('what a map never does on generated documents is not reported', () => {
  test.each(
    sample(
      [
        ['if (doc._id.length < 1) lookup(doc);', []],
        ['for (var k in {}) lookup(doc.a.b);', []],
        ['if (doc.a) lookup(doc);', ['map/undeclared-name#map-throws']],
        ['log(doc.a.b);', ['map/unguarded-access#throws']],
      ],
      3,
    ),
  )('%s', async (body, expected) => {
    const map = `function (doc) { ${body} emit(doc.day, null); }`;
    const project = createProject({ 'ddoc.json': { _id: '_design/shop', views: { all: { map } } } });
    const { codes } = await project.lint();
    expect(codes.filter((code) => /undeclared|unguarded/.test(code))).toEqual(expected);
  });
});

describe('what an engine refuses is certain', () => {
  const certainties = async (/** @type {string} */ map, /** @type {string[]} */ ...options) => {
    const project = createProject({ 'ddoc.json': { _id: '_design/shop', views: { all: { map } } } });
    const { findings } = await project.lint(['ddoc.json', '--rule', 'map/engine-incompatible=error', ...options]);
    return findings.map(({ outcome, certainty }) => `${outcome}: ${certainty}`);
  };

  test.each([
    ['function (doc) { for each (var line in doc.lines) emit(line, 1); }', ['refused: high']],
    ['function (doc) { emit(doc._id, { ...doc }); }', ['refused-by-some: high']],
    ['function (doc) { emit(doc.name.normalize(), 1); }', ['refused-by-some: medium']],
  ])('%s', async (map, expected) => {
    expect((await certainties(map)).filter((found) => found.startsWith('refused'))).toEqual(expected);
  });

  test('also where the engine is set', async () => {
    const spread = 'function (doc) { emit(doc._id, { ...doc }); }';
    expect(await certainties(spread, '--engine', 'spidermonkey-91')).toContain('refused: high');
  });
});

describe('formats', () => {
  const files = {
    'orders.json': ordersWith('_sum;'),
    'stock.json': ordersWith('_total', 'stock'),
    'cut.json': '{"views":{"a":{"map":',
  };
  const argv = ['lint', 'orders.json', 'stock.json', 'cut.json'];

  test.each([...formats.keys()])('%s tells of findings and of what could not be read', async (name) => {
    const { stdout, stderr, exitCode } = await createProject(files).run([...argv, '--format', name]);
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 3 });
    // Metrics and counts have no places of findings.
    /** @type {Record<string, string[]>} */
    const counts = {
      prometheus: ['rule="reduce/unknown-builtin"', 'read_errors 1'],
      statistics: ['2  error    reduce/unknown-builtin', 'unreadable  cut.json: '],
    };
    const told = counts[name] ?? ['orders.json', 'stock.json', 'cut.json', '_total'];
    for (const text of told) expect(stdout).toContain(text);
    expect(stdout.endsWith('\n')).toBe(true);
  });

  test('json is as its schema says', async () => {
    const { stdout } = await createProject(files).run([...argv, '--format', 'json']);
    const report = JSON.parse(stdout);
    expect(validate(report), JSON.stringify(validate.errors)).toBe(true);
    expect(report).toMatchObject({ version: 1, read: { designDocs: 2, views: 2, files: 2 } });
    expect(report.findings[0].path.length).toBeGreaterThan(0);
  });

  test('several at once, to standard output and to files', async () => {
    const project = createProject(files);
    const { stdout } = await project.run([
      ...argv,
      '--format',
      'json=a.json',
      '--format',
      'text',
      '--format',
      'sarif',
      '--output',
      'b=c.sarif',
    ]);
    expect(stdout).toContain('! `_sum;` runs as `_sum` only');
    expect(JSON.parse(project.read('a.json')).findings).toHaveLength(2);
    expect(JSON.parse(project.read('b=c.sarif')).version).toBe('2.1.0');
  });

  test('--output writes in the format of the ending, or in the one that is named; the text is printed', async () => {
    const project = createProject(files);
    const outputs = ['a.json', 'b.MD', 'markdown:c', 'd.sarif'].flatMap((file) => ['--output', file]);
    const { stdout } = await project.run([...argv, ...outputs]);
    expect(stdout).toContain('! `_sum;` runs as `_sum` only');
    expect(JSON.parse(project.read('a.json')).findings).toHaveLength(2);
    expect(project.read('b.MD')).toBe(project.read('c'));
    expect(project.read('c')).toContain('## couch-advisor');
    expect(JSON.parse(project.read('d.sarif')).version).toBe('2.1.0');
  });

  test.each([
    ['gitlab', 'report.json', 'fingerprint'],
    ['sarif', 'report.json', '2.1.0'],
    ['json', 'report', '"findings"'],
  ])('--format %s --output %s writes that format, and prints nothing', async (format, file, part) => {
    const project = createProject(files);
    const { stdout } = await project.run([...argv, '--format', format, '--output', file]);
    expect(stdout).toBe('');
    expect(project.read(file)).toContain(part);
  });

  test('--output alone takes the text', async () => {
    const project = createProject(files);
    const { stdout } = await project.run([...argv, '--output', 'out.txt']);
    expect(stdout).toBe('');
    expect(project.read('out.txt')).toContain('reduce/unknown-builtin');
  });

  test('a file that is there is replaced as a whole', async () => {
    const project = createProject({ ...files, 'out.json': 'x'.repeat(100_000) });
    await project.run([...argv, '--format', 'json=out.json']);
    expect(() => JSON.parse(project.read('out.json'))).not.toThrow();
    expect(project.list().filter((file) => file.includes('.tmp'))).toEqual([]);
  });

  test('a file that cannot be written is an error, and the rest is printed', async () => {
    const project = createProject(files);
    mkdirSync(path.join(project.cwd, 'folder'));
    for (const [file, code] of [
      ['none/a.json', 'ENOENT'],
      ['folder', 'EISDIR'],
    ]) {
      const { stdout, stderr, exitCode } = await project.run([
        'lint',
        'orders.json',
        '--format',
        `json=${file}`,
        '--format',
        'text',
      ]);
      expect(stdout).toContain('reduce/unknown-builtin');
      expect(stderr).toContain(`error: cannot write ${file} (${code})`);
      expect(exitCode).toBe(3);
    }
    expect(project.list().filter((file) => file.includes('.tmp'))).toEqual([]);
  });

  test('a pipe is written to and not replaced', () => {
    const project = createProject(files);
    const script = `mkfifo pipe && { cat pipe > copy.json & '${process.execPath}' '${bin}' ${argv.join(' ')} --format json=pipe; wait; test -p pipe; }`;
    const { status, stderr } = spawnSync('bash', ['-c', script], { cwd: project.cwd, encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(JSON.parse(project.read('copy.json')).findings).toHaveLength(2);
  });
});

describe('what fails a run', () => {
  const map = 'function (doc) { emit(doc.date, doc); }';
  const copies = { _id: '_design/copies', views: { by_date: { map } } };
  const files = {
    'error.json': ordersWith('_total', 'error'),
    'warning.json': ordersWith('_sum;', 'warning'),
    'none.json': ordersWith('_sum', 'none'),
    'info.json': copies,
  };

  test.each([
    ['error', 1, 0, 0],
    ['warning', 1, 1, 0],
    ['info', 1, 1, 1],
    ['never', 0, 0, 0],
  ])('--fail-on %s', async (severity, ...expected) => {
    const project = createProject(files);
    for (const [index, name] of ['error', 'warning', 'info'].entries()) {
      const { exitCode } = await project.run(['lint', `${name}.json`, '--fail-on', severity]);
      expect(exitCode, name).toBe(expected[index]);
    }
    expect((await project.run(['lint', 'none.json', '--fail-on', severity])).exitCode).toBe(0);
  });

  test.each([
    ['0', 1],
    ['1', 0],
    ['10', 0],
  ])('one warning with --max-warnings %s ends with %i', async (most, expected) => {
    const { stderr, exitCode } = await createProject(files).run(['lint', 'warning.json', '--max-warnings', most]);
    expect(exitCode).toBe(expected);
    expect(stderr).toBe(expected === 1 ? `1 warning, more than --max-warnings ${most}\n` : '');
  });

  test('--fail-on never does not lift --max-warnings', async () => {
    const { exitCode } = await createProject(files).run([
      'lint',
      'warning.json',
      '--fail-on',
      'never',
      '--max-warnings',
      '0',
    ]);
    expect(exitCode).toBe(1);
  });
});

describe('what is said beside the report', () => {
  const files = {
    '.gitignore': 'build/\n',
    'build/orders.json': ordersWith(),
    'node_modules/shop/orders.json': ordersWith(),
    'ddocs/orders.json': ordersWith('_sum;'),
    'ddocs/stock.json': ordersWith('_total', 'stock'),
  };

  test('what was found and what was skipped, and why', async () => {
    const { stderr } = await createProject(files).run(['lint']);
    expect(stderr).toBe(
      'read 2 design documents (2 views, 2 files)\nskipped 2 paths: ignored by .gitignore, installed packages; --verbose lists them\n',
    );
  });

  test('--verbose lists it, what could not be told, and the keys', async () => {
    const { stdout, stderr } = await createProject(files).run(['lint', '--verbose']);
    expect(stderr).toContain('  build: ignored by .gitignore\n  node_modules: installed packages\n');
    expect(stdout).toMatch(/key: {2}reduce\/unknown-builtin#refused:[0-9a-f]{10}/);
  });

  test('nothing where paths are named', async () => {
    expect((await createProject(files).run(['lint', 'ddocs'])).stderr).toBe('');
  });

  test('--quiet shows errors only, and nothing beside them', async () => {
    const { stdout, stderr, exitCode } = await createProject(files).run(['lint', '--quiet', '--format', 'json']);
    expect(JSON.parse(stdout).findings).toMatchObject([{ severity: 'error' }]);
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 1 });
  });

  test.each(['text', 'compact', 'github'])('--quiet prints nothing as %s where there is no error', async (format) => {
    const argv = ['lint', 'ddocs/orders.json', '--quiet', '--format', format];
    expect(await createProject(files).run(argv)).toEqual({ stdout: '', stderr: '', exitCode: 0 });
  });

  test.each(['text', 'compact'])('--quiet prints errors without a summary as %s', async (format) => {
    const { stdout } = await createProject(files).run(['lint', '--quiet', '--format', format]);
    expect(stdout).toContain('reduce/unknown-builtin');
    expect(stdout).not.toContain('1 error in');
  });

  test('documents keep the summary that they start with, which says how much --quiet hides', async () => {
    const argv = ['lint', 'ddocs/orders.json', '--quiet', '--format', 'markdown'];
    const { stdout } = await createProject(files).run(argv);
    expect(stdout).toContain('no errors in 1 design document (1 view, 1 file); 1 hidden by --quiet\n');
  });

  test('--quiet tells why a run fails that shows nothing', async () => {
    const { stderr, exitCode } = await createProject(files).run([
      'lint',
      'ddocs/orders.json',
      '--quiet',
      '--fail-on',
      'warning',
    ]);
    expect({ stderr, exitCode }).toEqual({
      stderr: '1 finding at or above --fail-on warning hidden by --quiet\n',
      exitCode: 1,
    });
  });

  test('control characters in names do not reach the terminal', async () => {
    const project = createProject({
      '.gitignore': '*red*\n',
      '\u001b[31mred.json': ordersWith(),
      '\u001b[32m.json': ordersWith('_sum;'),
    });
    for (const argv of [['--verbose'], ['--fix'], ['--format', 'json']]) {
      const { stdout, stderr } = await project.run(['lint', ...argv]);
      expect(stdout + stderr).not.toContain('\u001b');
    }
  });
});

describe('nothing to judge', () => {
  test.each([
    ['an empty folder', {}],
    ['other files', { 'package.json': { name: 'shop' }, 'order.json': { total: 1 }, 'readme.md': '# Shop' }],
    ['ignored files alone', { '.gitignore': '*.json', 'orders.json': ordersWith() }],
  ])('is bad usage for %s', async (_, files) => {
    for (const command of ['lint', 'facts']) {
      const { stdout, stderr, exitCode } = await createProject(files).run([command]);
      expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
      expect(stderr).toContain(
        'error: no design documents, calls of CouchDB clients, Mango indexes or configuration found\n',
      );
      expect(stderr.includes('skipped 1 path: ignored by .gitignore')).toBe('.gitignore' in files);
    }
  });

  test('writes no baseline', async () => {
    const project = createProject();
    expect((await project.run(['lint', '--write-baseline', 'known.json'])).exitCode).toBe(2);
    expect(project.list()).toEqual(['.git/HEAD']);
  });
});

test('--rule asks these rules only', async () => {
  const map = 'function (doc) { emit(doc.at.day, doc); }';
  const project = createProject({
    'orders.json': { _id: '_design/orders', views: { by_day: { map, reduce: '_total' } } },
  });
  const rules = async (/** @type {string[]} */ argv) =>
    new Set((await project.lint(argv)).findings.map(({ rule }) => rule));
  expect((await rules([])).size).toBeGreaterThan(2);
  expect(await rules(['--rule', 'view/emit-whole-doc', '--rule', 'map/unguarded-access'])).toEqual(
    new Set(['view/emit-whole-doc', 'map/unguarded-access']),
  );
});

test('says that functions were tried on a part of the documents', async () => {
  const reduce = 'function (keys, values, rereduce) { return sum(values); }';
  const documents = Array.from({ length: 1200 }, (_, at) => JSON.stringify({ _id: `order-${at}`, total: at }));
  const project = createProject({
    'orders.json': {
      _id: '_design/orders',
      views: { totals: { map: 'function (doc) { emit(doc._id, doc.total); }', reduce } },
    },
    'orders.jsonl': documents.join('\n'),
  });
  const reason = 'functions are tested on 1,000 of 1,200 documents';
  const { stdout, stderr } = await project.run(['lint', 'orders.json', '--docs', 'orders.jsonl', '--format', 'json']);
  expect(stderr).toBe(`${reason}\n`);
  expect(JSON.parse(stdout).notes).toContainEqual({ path: '--docs', reason });
});
