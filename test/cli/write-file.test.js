import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { writeChanges } from '../../lib/cli/commands/lint/write-changes.js';
import { writeFileAtomically } from '../../lib/cli/write-file.js';
import { SourceFile } from '../helpers/read-source.js';
import { createProject } from '../helpers/temporary-project.js';

/** @param {import('../helpers/temporary-project.js').Files} files */
function folderWith(files) {
  const project = createProject(files);
  /** @param {string} name */
  const at = (name) => path.join(project.cwd, name);
  return { ...project, at };
}

describe('a file', () => {
  test('that is new is made', () => {
    const { at, read } = folderWith({});
    writeFileAtomically(at('orders.json'), 'ä\n');
    expect(read('orders.json')).toBe('ä\n');
  });

  test('that is there is replaced, with its mode, and nothing is left beside it', () => {
    const { at, cwd } = folderWith({ 'orders.json': 'old' });
    chmodSync(at('orders.json'), 0o640);
    const before = statSync(at('orders.json'));
    writeFileAtomically(at('orders.json'), 'new');
    const after = statSync(at('orders.json'));
    expect(readFileSync(at('orders.json'), 'utf8')).toBe('new');
    expect({ mode: after.mode, uid: after.uid, gid: after.gid }).toEqual({
      mode: before.mode,
      uid: before.uid,
      gid: before.gid,
    });
    expect(after.ino).not.toBe(before.ino);
    expect(readdirSync(cwd).sort()).toEqual(['.git', 'orders.json']);
  });

  test('behind a link is not written', () => {
    const { at, read } = folderWith({ 'shared/orders.json': 'old' });
    symlinkSync('shared/orders.json', at('first.json'));
    symlinkSync('nowhere.json', at('second.json'));
    for (const name of ['first.json', 'second.json']) {
      expect(() => writeFileAtomically(at(name), 'new', name)).toThrow(
        expect.objectContaining({ code: 'cannot-write', message: `cannot write ${name}: it is a symbolic link` }),
      );
    }
    expect(read('shared/orders.json')).toBe('old');
  });

  test.each([
    ['in no folder', 'none/orders.json', 'ENOENT'],
    ['that is a folder', 'folder', 'EISDIR'],
    ['below a file', 'file/orders.json', 'ENOTDIR'],
  ])('%s is an error that names it as people know it', (_, name, code) => {
    const { at, cwd } = folderWith({ file: 'old' });
    mkdirSync(at('folder'));
    expect(() => writeFileAtomically(at(name), 'new', name)).toThrow(
      expect.objectContaining({ code: 'cannot-write', message: `cannot write ${name} (${code})` }),
    );
    expect(readdirSync(cwd).sort()).toEqual(['.git', 'file', 'folder']);
  });
});

describe('changes', () => {
  /** @param {ReturnType<typeof folderWith>} folder @param {Record<string, string>} texts */
  function write({ cwd }, texts) {
    /** @type {string[]} */
    const told = [];
    const stderr = /** @type {import('node:stream').Writable} */ ({
      write: (/** @type {string} */ text) => told.push(text) > 0,
    });
    const changes = Object.entries(texts).map(([name, text]) => ({ file: new SourceFile(name, 'old'), text }));
    writeChanges(changes, { cwd, stderr });
    return told.join('');
  }

  test('are written and told', () => {
    const folder = folderWith({ 'a.json': 'old', 'b.json': 'old' });
    expect(write(folder, { 'a.json': 'new', 'b.json': 'newer' })).toBe('fixed a.json\nfixed b.json\n');
    expect([folder.read('a.json'), folder.read('b.json')]).toEqual(['new', 'newer']);
  });

  test('are not written at all where one file changed since it was read', () => {
    const folder = folderWith({ 'a.json': 'old', 'b.json': 'other' });
    expect(() => write(folder, { 'a.json': 'new', 'b.json': 'new' })).toThrow(
      expect.objectContaining({ code: 'changed-since-read' }),
    );
    expect([folder.read('a.json'), folder.read('b.json')]).toEqual(['old', 'other']);
  });

  test('are not written where a file is gone', () => {
    const folder = folderWith({ 'a.json': 'old' });
    expect(() => write(folder, { 'a.json': 'new', 'b.json': 'new' })).toThrow(
      expect.objectContaining({ code: 'cannot-write' }),
    );
    expect(folder.read('a.json')).toBe('old');
  });
});
