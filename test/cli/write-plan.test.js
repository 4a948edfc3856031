// `advise --write`: all files of a plan or none, below its folder, and never over a file that is there.

import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { writePlan } from '../../lib/cli/commands/advise/write-plan.js';
import { shopPlan } from '../helpers/sample-plan.js';
import { createProject } from '../helpers/temporary-project.js';

const NAMES = ['shop/indexes/orders-by-status.json', 'shop/design/app.json'];

/** @param {Record<string, string>} files content by path @returns {Parameters<typeof writePlan>[0]} */
function planOf(files) {
  const [step] = shopPlan().steps;
  if (!step) throw new Error('no step');
  return { steps: Object.entries(files).map(([name, content]) => ({ ...step, files: [{ path: name, content }] })) };
}

test('writes all files, makes the folder, and leaves them as they are the second time', () => {
  const { cwd, list } = createProject();
  expect(writePlan(shopPlan(), 'deep/plan', cwd)).toEqual({ written: NAMES, unchanged: [] });
  const before = list();
  expect(writePlan(shopPlan(), 'deep/plan', cwd)).toEqual({ written: [], unchanged: NAMES });
  expect(list()).toEqual(before);
  for (const { files } of shopPlan().steps)
    for (const file of files) expect(readFileSync(path.join(cwd, 'deep/plan', file.path), 'utf8')).toBe(file.content);
});

test('takes the same content with other line ends for the same', () => {
  const { cwd, write, read } = createProject();
  write({ 'out/a.json': '{\r\n}\r\n' });
  expect(writePlan(planOf({ 'a.json': '{\n}\n' }), 'out', cwd)).toEqual({ written: [], unchanged: ['a.json'] });
  expect(read('out/a.json')).toBe('{\r\n}\r\n');
});

test('of two steps with one file writes that of the later one', () => {
  const { cwd, read } = createProject();
  const { steps } = planOf({ 'a.json': 'one' });
  writePlan({ steps: [...steps, ...planOf({ 'a.json': 'two' }).steps] }, '.', cwd);
  expect(read('a.json')).toBe('two');
});

test('writes nothing where one file is there with another content, and names it', () => {
  const { cwd, write, list, read } = createProject();
  write({ [`out/${NAMES[1]}`]: '{}' });
  const before = list();
  expect(() => writePlan(shopPlan(), 'out', cwd)).toThrow(
    expect.objectContaining({ code: 'would-overwrite', message: expect.stringContaining(NAMES[1] ?? '') }),
  );
  expect(list()).toEqual(before);
  expect(read(`out/${NAMES[1]}`)).toBe('{}');
});

test('says so where the folder is a file, and makes none below it', () => {
  const { cwd, write, list } = createProject();
  write({ 'plan.json': '{}' });
  const before = list();
  expect(() => writePlan(shopPlan(), 'plan.json', cwd)).toThrow(
    expect.objectContaining({ code: 'cannot-write', message: expect.stringContaining('(ENOTDIR)') }),
  );
  expect(list()).toEqual(before);
});

test.runIf(process.platform === 'linux')('says so where the file system makes no folders', () => {
  expect(() => writePlan(shopPlan(), '/proc/plan', '/')).toThrow(expect.objectContaining({ code: 'cannot-write' }));
});

describe('a path that leads out of the folder is refused, and nothing is written', () => {
  test.each([
    '../a.json',
    '/tmp/a.json',
    'a/../../b.json',
    'a//b.json',
    './a.json',
    '..',
    '',
    'C:\\a.json',
    'a\\..\\b',
    'a\0b',
  ])('%j', (name) => {
    const { cwd, list } = createProject();
    const before = list();
    expect(() => writePlan(planOf({ 'good.json': '{}', [name]: '{}' }), 'out', cwd)).toThrow(
      expect.objectContaining({ code: 'bad-plan-path' }),
    );
    expect(list()).toEqual(before);
  });

  test.each(['a folder', 'a file', 'a file that is missing'])('a symbolic link to %s', (kind) => {
    const { cwd, write, list, read } = createProject();
    write({ 'outside/a.json': 'kept', 'out/b.json': '{}' });
    if (kind === 'a folder') symlinkSync(path.join(cwd, 'outside'), path.join(cwd, 'out/shop'));
    else {
      mkdirSync(path.join(cwd, 'out/shop'));
      symlinkSync(
        path.join(cwd, kind === 'a file' ? 'outside/a.json' : 'outside/new.json'),
        path.join(cwd, 'out/shop/a.json'),
      );
    }
    const before = list();
    expect(() => writePlan(planOf({ 'shop/a.json': '{}' }), 'out', cwd)).toThrow(
      expect.objectContaining({ code: 'bad-plan-path', message: expect.stringContaining('symbolic link') }),
    );
    expect(list()).toEqual(before);
    expect(read('outside/a.json')).toBe('kept');
  });
});

test('a folder that is itself a link is followed: it is the one that was named', () => {
  const { cwd, read } = createProject({ 'real/x': '' });
  symlinkSync(path.join(cwd, 'real'), path.join(cwd, 'out'));
  expect(writePlan(planOf({ 'a.json': '{}' }), 'out', cwd).written).toEqual(['a.json']);
  expect(read('real/a.json')).toBe('{}');
});

test.each([
  ['a folder stands where a file goes', { 'out/a.json/x': '' }, { 'a.json': '{}' }],
  ['a file stands where a folder goes', { 'out/shop': '' }, { 'shop/a.json': '{}' }],
  ['two paths differ in case only', {}, { 'a.json': '{}', 'A.json': '{}' }],
])('writes nothing where %s', (_, there, files) => {
  const { cwd, write, list } = createProject();
  write(there);
  const before = list();
  expect(() => writePlan(planOf(files), 'out', cwd)).toThrow(expect.objectContaining({ code: 'bad-plan-path' }));
  expect(list()).toEqual(before);
});

test('removes what it wrote, folders too, where a later file cannot be written', () => {
  const { cwd, list } = createProject();
  const before = list();
  // The second file needs the first as its folder.
  expect(() => writePlan(planOf({ 'new/a': '{}', 'new/a/b.json': '{}' }), 'out', cwd)).toThrow(
    expect.objectContaining({ code: 'cannot-write', message: expect.stringContaining('nothing was written') }),
  );
  expect(list()).toEqual(before);
  expect(existsSync(path.join(cwd, 'out'))).toBe(false);
});

describe('what advise --write wrote is no source of the next lint', () => {
  const design = JSON.stringify({
    _id: '_design/app',
    views: { by_date: { map: 'function (doc) { emit(doc, doc); }' } },
  });

  /** @param {string} folder */
  function written(folder) {
    const project = createProject({ 'ddocs/app.json': design });
    writePlan(planOf({ 'shop/design/app.json': `${design}\n` }), folder, project.cwd);
    return project;
  }

  test.each([['plan'], ['.'], ['out/plan']])('in %s: it is skipped by name', async (folder) => {
    const { stdout, stderr } = await written(folder).run(['lint']);
    expect(stdout).toContain('in 1 design document (1 view, 1 file)');
    expect(stderr).toContain('skipped 1 path: written by advise --write and not changed since');
    const verbose = await written(folder).run(['lint', '--verbose']);
    expect(verbose.stderr).toContain(`${path.posix.join(folder, 'shop/design/app.json')}: written by advise --write`);
  });

  test.each([['plan'], ['plan/shop'], ['plan/shop/design/app.json'], ['plan/**/*.json']])(
    '%s is read where it is named',
    async (name) => {
      expect((await written('plan').run(['lint', name])).stdout).toContain('in 1 design document (1 view, 1 file)');
    },
  );

  test('one that was changed, or moved, is a source', async () => {
    const project = written('plan');
    project.write({
      'plan/shop/design/app.json': design.replace('by_date', 'by_day'),
      'moved/app.json': design.replace('app', 'other'),
    });
    expect((await project.run(['lint'])).stdout).toContain('in 3 design documents');
  });

  test('a second plan keeps the mark of the first', async () => {
    const project = written('plan');
    writePlan(planOf({ 'shop/design/other.json': `${design.replace('app', 'other')}\n` }), 'plan', project.cwd);
    const { stdout, stderr } = await project.run(['lint']);
    expect(stdout).toContain('in 1 design document (1 view, 1 file)');
    expect(stderr).toContain('skipped 2 paths');
  });

  test.each([['[]'], ['{"version": 2}'], ['{'], ['{"version": 1, "files": {"../ddocs/app.json": 1}}']])(
    'a mark that holds %s skips nothing',
    async (text) => {
      const project = createProject({ 'ddocs/app.json': design, 'ddocs/.couch-advisor-written.json': text });
      expect((await project.run(['lint'])).stdout).toContain('in 1 design document (1 view, 1 file)');
    },
  );
});
