// Fixes: only the bytes that must change do, nothing is written by halves, and afterwards there is nothing left to fix.

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, lstatSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { root } from '../helpers/run-cli.js';
import { createProject, ordersWith } from '../helpers/temporary-project.js';

const CONFIG = 'couch-advisor.config.json';
const bin = path.join(root, 'bin/couch-advisor.js');
const isRoot = process.getuid?.() === 0;
const NOBODY = 65_534;
/** The superuser may write everywhere. */
const owner = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
/** Node.js may lie in a folder of the superuser, as a version that `npx` has fetched does. */
const ownerCanRun = spawnSync(process.execPath, [bin, '--version'], owner).status === 0;

/** Everything a careless writer would change: key order, tabs, escapes, numbers, line ends, no newline at the end. */
const ODD = [
  '{"views" :\t{"revenue":{ "reduce" : "_s\\u0075m;",',
  '\t\t"map":"function (doc) {\\n\\tif (typeof doc.total === \\"number\\") emit(\\u0027\\u00e4\\u0027, doc.total);\\n}"} },',
  '  "price": 1.0e+2, "_id":"_design\\/orders" , "language":"javascript"  }  ',
];

test.each([
  ['as they are', '\n', '', ''],
  ['with line ends of Windows', '\r\n', '', '\r\n'],
  ['with a byte order mark', '\n', '\ufeff', '\n'],
])('bytes outside of the edit stay as they are, %s', async (_, lineEnd, mark, end) => {
  const text = mark + ODD.join(lineEnd) + end;
  const project = createProject({ 'orders.json': Buffer.from(text) });
  const { stderr, exitCode } = await project.run(['lint', 'orders.json', '--fix']);
  expect(project.read('orders.json')).toBe(text.replace('"_s\\u0075m;"', '"_s\\u0075m"'));
  expect(stderr).toBe('fixed orders.json\n');
  expect(exitCode).toBe(0);
  expect(project.list().filter((file) => file.includes('orders'))).toEqual(['orders.json']);
});

test('safe fixes are made with --fix, the others with --fix-unsafe only', async () => {
  const { views, ...document } = /** @type {{views: object}} */ (ordersWith('_sum', 'stock'));
  const misspelt = { ...document, veiws: views };
  const project = createProject({ 'orders.json': ordersWith('_sum;'), 'stock.json': misspelt });
  expect((await project.lint()).findings.map(({ fix }) => fix?.safe)).toEqual([true, false]);
  const { findings } = await project.lint(['--fix']);
  expect(findings.map(({ fix }) => fix?.id)).toEqual(['rename-key']);
  expect(JSON.parse(project.read('orders.json'))).toEqual(ordersWith('_sum'));
  expect(JSON.parse(project.read('stock.json'))).toEqual(misspelt);
  expect((await project.lint(['--fix-unsafe'])).findings).toEqual([]);
  expect(JSON.parse(project.read('stock.json'))).toEqual(ordersWith('_sum', 'stock'));
});

test('a second run finds nothing to fix and writes nothing', async () => {
  const project = createProject({ 'orders.json': ordersWith('_sum;'), 'stock.json': ordersWith(' _stats', 'stock') });
  const first = await project.run(['lint', '--fix']);
  expect(first.stderr).toContain('fixed orders.json\nfixed stock.json\n');
  const before = ['orders.json', 'stock.json'].map((file) => statSync(path.join(project.cwd, file)).ino);
  const { stderr, stdout } = await project.run(['lint', '--fix-unsafe']);
  expect(stderr).not.toContain('fixed');
  expect(stdout).not.toContain('fix:');
  expect(['orders.json', 'stock.json'].map((file) => statSync(path.join(project.cwd, file)).ino)).toEqual(before);
});

test('a fix that another uncovers is made in the same run', async () => {
  const { views, ...document } = /** @type {{views: object}} */ (ordersWith('_sum;'));
  const project = createProject({ 'orders.json': { ...document, veiws: views } });
  const { findings } = await project.lint(['--fix-unsafe']);
  expect(findings).toEqual([]);
  expect(JSON.parse(project.read('orders.json'))).toEqual(ordersWith('_sum'));
});

test.each([
  [
    'couchapp files',
    {
      'app/_id': '_design/orders',
      'app/views/a/map.js': 'function (doc) { emit(doc.date, null); }\n',
      'app/views/a/reduce.js': '_count;\n',
    },
    'app/views/a/reduce.js',
    '_count',
  ],
  [
    'modules',
    {
      'a.js': `module.exports = { _id: '_design/a', views: { a: { map: 'function (doc) { emit(doc.date, null); }', reduce: '_count;' } } };\n`,
    },
    'a.js',
    `reduce: '_count' }`,
  ],
])('%s are fixed too', async (_, files, file, expected) => {
  const project = createProject(files);
  expect((await project.lint(['--fix'])).codes).toEqual([]);
  expect(project.read(file)).toContain(expected);
});

test('the baseline and ignored findings are left alone', async () => {
  const project = createProject({ 'orders.json': ordersWith('_sum;') });
  await project.run(['lint', '--write-baseline', 'known.json']);
  await project.run(['lint', '--baseline', 'known.json', '--fix']);
  project.write({ [CONFIG]: { ignore: [{ rule: 'reduce/unknown-builtin', reason: 'later' }] } });
  await project.run(['lint', '--fix']);
  expect(project.read('orders.json')).toContain('_sum;');
});

describe('the file', () => {
  test('behind a link is not written, and the link stays', async () => {
    const project = createProject({ 'shared/orders.json': ordersWith('_sum;') });
    symlinkSync('shared/orders.json', path.join(project.cwd, 'orders.json'));
    const { exitCode, stderr } = await project.run(['lint', 'orders.json', '--fix']);
    expect(stderr).toContain('cannot fix orders.json: it is behind a symbolic link');
    expect(exitCode).not.toBe(0);
    expect(lstatSync(path.join(project.cwd, 'orders.json')).isSymbolicLink()).toBe(true);
    expect(project.read('shared/orders.json')).toContain('_sum;');
  });

  test('keeps its mode', async () => {
    const project = createProject({ 'orders.json': ordersWith('_sum;') });
    const file = path.join(project.cwd, 'orders.json');
    chmodSync(file, 0o664);
    await project.run(['lint', '--fix']);
    expect(statSync(file).mode & 0o777).toBe(0o664);
  });

  // Left out where the user without rights cannot run this Node.js.
  test.skipIf(!ownerCanRun).each([
    ['in a folder that is read-only', 0o555, 0o644],
    ['that is read-only', 0o755, 0o444],
  ])('%s is an error and stays as it is', (_, folderMode, fileMode) => {
    const project = createProject({ 'ddocs/orders.json': ordersWith('_sum;') });
    const folder = path.join(project.cwd, 'ddocs');
    chmodSync(project.cwd, 0o755);
    chmodSync(path.join(folder, 'orders.json'), fileMode);
    chmodSync(folder, folderMode);
    const { stderr, status } = spawnSync(process.execPath, [bin, 'lint', 'ddocs', '--fix'], {
      cwd: project.cwd,
      encoding: 'utf8',
      ...owner,
    });
    chmodSync(folder, 0o755);
    expect(stderr).toContain('error: cannot write ddocs/orders.json (EACCES)');
    expect(status).toBe(3);
    expect(project.read('ddocs/orders.json')).toContain('_sum;');
    expect(readdirSync(folder)).toEqual(['orders.json']);
  });

  test('that changed since it was read is refused, and no other is written', async () => {
    const project = createProject({ 'orders.json': ordersWith('_sum;'), 'stock.json': ordersWith('_sum;', 'stock') });
    const pipe = path.join(project.cwd, 'pipe.json');
    execFileSync('mkfifo', [pipe]);
    const child = spawn(process.execPath, [bin, 'lint', 'orders.json', 'stock.json', 'pipe.json', '--fix'], {
      cwd: project.cwd,
    });
    let stderr = '';
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    child.stdout.resume();
    const closed = once(child, 'close');
    // Opening waits for the reader, which by then has read the other two and waits for what the pipe gives.
    const writer = await open(pipe, 'w');
    const changed = project.read('stock.json').replace('_sum;', '_count');
    project.write({ 'stock.json': changed });
    await writer.writeFile(JSON.stringify(ordersWith('_sum', 'pipe')));
    await writer.close();
    const [exitCode] = await closed;
    expect(exitCode).toBe(3);
    expect(stderr).toBe('error: stock.json changed during the run and was not fixed\n  hint: run the command again\n');
    expect(project.read('stock.json')).toBe(changed);
    expect(project.read('orders.json')).toContain('_sum;');
  });
});

describe('--fix-dry-run', () => {
  /** @param {string} cwd @param {string} patch */
  const apply = (cwd, patch) => execFileSync('git', ['apply', '--whitespace=nowarn'], { cwd, input: patch });

  test.each([
    ['as they are', '\n', '', ''],
    ['with line ends of Windows', '\r\n', '', '\r\n'],
    ['with a byte order mark', '\n', '\ufeff', '\n'],
  ])('prints a patch that makes of files %s what --fix does', async (_, lineEnd, mark, end) => {
    const text = mark + ODD.join(lineEnd) + end;
    const files = { 'a b/orders.json': Buffer.from(text), 'stock.json': ordersWith(' _sum', 'stock') };
    const [patched, fixed] = [createProject(files), createProject(files)];
    const { stdout } = await patched.run(['lint', '--fix-dry-run']);
    expect(patched.read('a b/orders.json')).toBe(text);
    apply(patched.cwd, stdout);
    await fixed.run(['lint', '--fix']);
    for (const file of Object.keys(files)) expect(patched.read(file)).toBe(fixed.read(file));
  });

  test('shows what all rounds together do', async () => {
    const { views, ...document } = /** @type {{views: object}} */ (ordersWith('_sum;'));
    const project = createProject({ 'orders.json': { ...document, veiws: views } });
    const { stdout } = await project.run(['lint', '--fix-dry-run', '--fix-unsafe']);
    apply(project.cwd, stdout);
    expect(JSON.parse(project.read('orders.json'))).toEqual(ordersWith('_sum'));
  });

  test('prints no patch where nothing can be fixed, and writes nothing with --fix', async () => {
    const project = createProject({ 'orders.json': ordersWith('_total') });
    expect(await project.run(['lint', 'orders.json', '--fix-dry-run'])).toEqual({
      stdout: '',
      stderr: 'no fix for 1 finding\n',
      exitCode: 1,
    });
    project.write({ 'orders.json': ordersWith('_sum;') });
    expect((await project.run(['lint', '--fix', '--fix-dry-run'])).stdout).toMatch(/^--- a\/orders\.json/);
    expect(project.read('orders.json')).toContain('_sum;');
  });

  test.each([
    ['what it fixes and how to apply it', '_sum;', 'fixes 1 of 1 finding in 1 file (apply: --fix)'],
    ['that there is nothing to fix', '_sum', 'no findings, nothing to fix'],
  ])('says %s', async (_, reduce, expected) => {
    const project = createProject({ 'orders.json': ordersWith(reduce) });
    expect((await project.run(['lint', 'orders.json', '--fix-dry-run'])).stderr).toBe(`${expected}\n`);
  });

  test('says which option fixes the rest', async () => {
    const { views, ...document } = /** @type {{views: object}} */ (ordersWith('_sum;'));
    const project = createProject({ 'orders.json': { ...document, veiws: views } });
    const argv = ['lint', 'orders.json', '--fix-dry-run'];
    expect((await project.run(argv)).stderr).toBe('fixes of 1 finding may change results: add --fix-unsafe\n');
    expect((await project.run([...argv, '--fix-unsafe'])).stderr).toMatch(
      /^fixes 1 of 1 finding in 1 file \(apply: --fix-unsafe\)/,
    );
  });

  test('tells what could not be read', async () => {
    const project = createProject({ 'orders.json': '{"_id":"_design/orders",' });
    const { stdout, stderr, exitCode } = await project.run(['lint', 'orders.json', '--fix-dry-run']);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 3 });
    expect(stderr).toMatch(/^error: .*\n {2}at orders\.json:1:/);
  });

  test('gives a patch of standard input', async () => {
    const project = createProject({ 'orders.json': ordersWith('_sum;') });
    const argv = ['lint', '-', '--stdin-filename', 'orders.json', '--fix-dry-run'];
    const { stdout } = await project.run(argv, project.read('orders.json'));
    apply(project.cwd, stdout);
    expect(project.read('orders.json')).not.toContain('_sum;');
  });
});

test('what cannot be fixed is still reported', async () => {
  const project = createProject({ 'orders.json': ordersWith('_sum;'), 'stock.json': ordersWith('_total', 'stock') });
  expect(await project.lint(['--fix'])).toMatchObject({ codes: ['reduce/unknown-builtin#refused'], exitCode: 1 });
});
