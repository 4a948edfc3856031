// The package as it is published: what is in it, and that it installs and works in a folder that knows nothing of this one.

import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from './helpers/run-cli.js';

/** What an install without the embedded server may be at most; two packages of 0.3 MB parse TypeScript and JSX, one YAML. */
const MAX_PACKAGES = 93;
const MAX_BYTES = 20_000_000;

const folder = mkdtempSync(path.join(os.tmpdir(), 'couch-advisor-package-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** What is published itself. */
const MAX_FILES = 600;
const MAX_UNPACKED_BYTES = 7_000_000;

/** Sample projects. */
const projects = readdirSync(path.join(root, 'fixtures/projects'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** @type {{filename: string, files: {path: string}[], unpackedSize: number}} */
let packed;

/**
 * @param {string} command
 * @param {string[]} args
 * @param {string} [cwd]
 * @returns {string}
 */
function run(command, args, cwd = folder) {
  return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/**
 * @param {string} below
 * @returns {string[]} every file
 */
function filesIn(below) {
  return readdirSync(below, { recursive: true })
    .map((name) => path.join(below, String(name)))
    .filter((file) => lstatSync(file).isFile());
}

beforeAll(() => {
  // The last line is what npm prints; before it may stand what the package is made with.
  const printed = run('npm', ['pack', '--json', '--pack-destination', folder], root);
  [packed] = JSON.parse(printed.slice(printed.indexOf('[\n')));
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ name: 'shop', private: true, type: 'module' }));
  run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', path.join(folder, packed.filename)]);
});

describe('what is published', () => {
  test('is what is needed to run, and its licence', () => {
    const tops = new Set(packed.files.map(({ path: file }) => file.split('/')[0]));
    expect([...tops].sort()).toEqual(['LICENSE', 'README.md', 'bin', 'dist', 'docs', 'package.json', 'rules', 'share']);
    expect(packed.files.filter(({ path: file }) => /^rules\/.*\/cases\.json$|\.test\.js$/.test(file))).toEqual([]);
  });

  test(`is at most ${MAX_FILES} files and ${MAX_UNPACKED_BYTES / 1e6} MB`, () => {
    expect(packed.files.length).toBeLessThanOrEqual(MAX_FILES);
    expect(packed.unpackedSize).toBeLessThanOrEqual(MAX_UNPACKED_BYTES);
  });

  test('leaves nothing of the packing behind', () => {
    for (const name of ['lib', 'rules']) expect(existsSync(path.join(root, name, '.npmignore'))).toBe(false);
  });

  test('runs nothing when it is installed', () => {
    for (const file of filesIn(path.join(folder, 'node_modules'))) {
      if (path.basename(file) !== 'package.json') continue;
      const { scripts = {} } = JSON.parse(readFileSync(file, 'utf8'));
      const isPackage = path.dirname(file).split('node_modules/').at(-1)?.split('/').length ?? 0;
      if (isPackage > 2) continue;
      for (const name of ['preinstall', 'install', 'postinstall'])
        expect([file, scripts[name]]).toEqual([file, undefined]);
    }
  });

  test(`is at most ${MAX_PACKAGES} packages and ${MAX_BYTES / 1e6} MB with all it needs`, () => {
    const { packages } = JSON.parse(readFileSync(path.join(folder, 'node_modules/.package-lock.json'), 'utf8'));
    // One of them is ours.
    expect(Object.keys(packages).length - 1).toBeLessThanOrEqual(MAX_PACKAGES);
    const bytes = filesIn(path.join(folder, 'node_modules')).reduce((sum, file) => sum + lstatSync(file).size, 0);
    expect(bytes).toBeLessThanOrEqual(MAX_BYTES);
  });
});

describe('in a folder of its own', () => {
  test('it lints', () => {
    cpSync(path.join(root, 'fixtures/projects/shop'), path.join(folder, 'shop'), { recursive: true });
    const printed = run('npx', ['--no-install', 'couch-advisor', 'lint', 'shop', '--fail-on', 'never']);
    expect(printed).toContain('view/include-docs-hot#often-asked');
    expect(printed).toMatch(/\d+ errors, \d+ warnings/);
  });

  test('linting loads nothing of the servers for assistants and editors', () => {
    const coverage = path.join(folder, 'coverage');
    const program = path.join(folder, 'node_modules/couch-advisor');
    const args = [path.join(program, 'bin/couch-advisor.js'), 'lint', 'fixtures/projects/shop', '--fail-on', 'never'];
    spawnSync(process.execPath, args, { cwd: root, env: { ...process.env, NODE_V8_COVERAGE: coverage } });
    const loaded = readdirSync(coverage)
      .flatMap((file) => JSON.parse(readFileSync(path.join(coverage, file), 'utf8')).result)
      .flatMap(({ url }) => (url.startsWith('file:') ? fileURLToPath(url) : []))
      .filter((file) => file.includes('/couch-advisor/dist/'));
    const holds = (/** @type {string} */ file, /** @type {string} */ text) => readFileSync(file, 'utf8').includes(text);
    for (const text of ['notifications/roots/list_changed', 'workspace/executeCommand']) {
      const all = filesIn(path.join(program, 'dist')).filter((file) => file.endsWith('.cjs') && holds(file, text));
      expect(all.length).toBeGreaterThan(0);
      expect(loaded.filter((file) => holds(file, text))).toEqual([]);
    }
    expect(loaded.some((file) => holds(file, 'Model Context Protocol'))).toBe(true);
  });

  test.each(projects.flatMap((project) => ['json', 'html'].map((format) => [project, format])))(
    'it prints what a checkout prints: %s as %s',
    (project, format) => {
      const of = (/** @type {string} */ bin) => {
        const args = [bin, 'lint', '--format', format, '--no-cache', '--fail-on', 'never'];
        return spawnSync(process.execPath, args, {
          cwd: path.join(root, 'fixtures/projects', project),
          encoding: 'utf8',
        });
      };
      const [packed, checkout] = [path.join(folder, 'node_modules/couch-advisor'), root].map((program) =>
        of(path.join(program, 'bin/couch-advisor.js')),
      );
      // Pages say when they were made.
      const printed = (/** @type {string | undefined} */ text = '') => text.replace(/<time .*?<\/time>/, '');
      const expected = checkout?.stdout.replaceAll(root, path.join(folder, 'node_modules/couch-advisor'));
      expect(printed(packed?.stdout)).toBe(printed(expected));
      expect(packed?.stderr).toBe(checkout?.stderr);
      expect(packed?.status).toBe(checkout?.status);
    },
  );

  test('it reports faults of configurations, rules and digests as a checkout does', () => {
    const cwd = path.join(folder, 'faults');
    mkdirSync(path.join(cwd, 'rules/shop/tidy'), { recursive: true });
    writeFileSync(path.join(cwd, 'wrong.json'), '{"target": {"versoin": "3.3"}}');
    writeFileSync(path.join(cwd, 'rules.json'), '{"ruleFolders": ["rules"]}');
    writeFileSync(path.join(cwd, 'rules/shop/tidy/rule.json'), '{"id": "shop/tidy", "severity": "warn"}');
    writeFileSync(path.join(cwd, 'digest.json'), '{"version": 2}');
    for (const args of [
      ['lint', '--config', 'wrong.json'],
      ['rules', '--config', 'rules.json'],
      ['digest', '--merge', 'digest.json'],
    ]) {
      const [packed, checkout] = [path.join(folder, 'node_modules/couch-advisor'), root].map((program) => {
        const bin = path.join(program, 'bin/couch-advisor.js');
        return spawnSync(process.execPath, [bin, ...args], { cwd, encoding: 'utf8' });
      });
      expect(packed?.stderr).toMatch(/^error: /);
      expect([packed?.stderr, packed?.status]).toEqual([checkout?.stderr, checkout?.status]);
    }
  });

  test('it says what to install for the embedded server', () => {
    expect(() => run('npx', ['--no-install', 'couch-advisor', 'confirm', 'shop'])).toThrow(
      /npm install --save-dev.* pouchdb-core/s,
    );
  });

  test('the library has types', () => {
    writeFileSync(
      path.join(folder, 'example.ts'),
      `import { lint, lintText, fix, loadRules, type Finding, type LintOptions, type Report, type Rule } from 'couch-advisor';
const options: LintOptions = { paths: ['shop'], target: { version: '3.3' }, rules: { 'map/unguarded-access': 'error' } };
const report: Report = await lint(options);
const first: Finding | undefined = report.findings[0];
const { rules, errors } = await loadRules(['/rules']);
const stable: Rule[] = rules.filter(({ status }) => status === 'stable');
console.log(first?.key, stable.map(({ id, questions }) => [id, Object.keys(questions)]), errors.map(({ message }) => message));
// @ts-expect-error: there is no such status
console.log(rules.filter(({ status }) => status === 'beta'));
for (const { rule, severity, place, cost } of report.findings) {
  const text: string = \`\${place.file}:\${place.line} \${severity} \${rule} \${cost?.requests ?? 0}\`;
  console.log(text.toUpperCase());
}
const { changes } = await fix({ ...options, unsafe: true });
console.log(changes.map(({ after }) => after.length));
// @ts-expect-error: there is no such severity
await lintText('{}', { rules: { 'map/unguarded-access': 'fatal' } });
// @ts-expect-error: findings have no such member
console.log(report.findings[0]?.colour);
`,
    );
    const options = { module: 'nodenext', target: 'es2022', strict: true, noEmit: true, types: [] };
    writeFileSync(
      path.join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: options, files: ['example.ts'] }),
    );
    const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
    expect(() => run(process.execPath, [tsc, '-p', '.'])).not.toThrow();
  });

  test('the library works', () => {
    writeFileSync(
      path.join(folder, 'example.js'),
      `import { lint } from 'couch-advisor';
const { findings } = await lint({ paths: ['shop/design-docs'] });
console.log(findings.length > 5);
`,
    );
    expect(run(process.execPath, ['example.js'])).toBe('true\n');
  });
});

test('a clone of a project that it was packed into has it after npm ci, and the library with its types', () => {
  const [project, clone] = [path.join(folder, 'vendored'), path.join(folder, 'elsewhere/clone')];
  mkdirSync(path.join(project, 'ddocs'), { recursive: true });
  writeFileSync(
    path.join(project, 'package.json'),
    JSON.stringify({ name: 'vendored', private: true, type: 'module' }),
  );
  writeFileSync(path.join(project, '.gitignore'), 'node_modules\nvendor\n');
  writeFileSync(
    path.join(project, 'ddocs/orders.json'),
    '{"_id":"_design/orders","views":{"a":{"map":"function (d) {"}}}',
  );
  const git = (/** @type {string[]} */ ...args) =>
    run('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.example', ...args], project);
  git('init', '--quiet');
  const said = run('npm', ['run', '--silent', 'vendor', '--', project], root);
  const [, file = ''] = /git add --force (vendor\/\S+\.tgz)/.exec(said) ?? [];
  git('add', '.');
  git('add', '--force', file);
  git('commit', '--quiet', '--message', 'couch-advisor');
  run('git', ['clone', '--quiet', project, clone]);
  run('npm', ['ci', '--no-audit', '--no-fund', '--prefer-offline'], clone);
  const { status, stdout } = spawnSync('npx', ['--no-install', 'couch-advisor', 'lint'], {
    cwd: clone,
    encoding: 'utf8',
  });
  expect([status, stdout.includes('ddocs/orders.json')]).toEqual([1, true]);
  const library =
    "import { lint } from 'couch-advisor'; console.log((await lint({ paths: ['ddocs'] })).findings.length);";
  expect(run(process.execPath, ['--input-type=module', '--eval', library], clone)).toBe('1\n');
});

test('npm run vendor says what is wrong with the folder that it is given', () => {
  const { status, stderr } = spawnSync('npm', ['run', '--silent', 'vendor', '--', `${folder}/none`], {
    cwd: root,
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([2, expect.stringContaining('has no package.json')]);
});
