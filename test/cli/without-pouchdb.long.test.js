// Without the optional packages of the embedded server `confirm` and `bench` end at once, with the command that installs them.

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { expect, test } from 'vitest';
import { CACHE_ENV } from '../helpers/cache-folder.js';
import { root } from '../helpers/run-cli.js';
import { createProject } from '../helpers/temporary-project.js';

const COMMAND = 'npm install --save-dev pouchdb-core pouchdb-adapter-memory pouchdb-abstract-mapreduce pouchdb-find';

test('the program says which packages are missing before it reads anything, and goes on without them where it can', () => {
  const { cwd } = createProject({ 'orders.json': '{' });
  // A copy of the program, as the packages are looked for beside it.
  const copy = path.join(cwd, 'program');
  for (const name of ['bin', 'lib', 'rules', 'share', 'package.json']) {
    cpSync(path.join(root, name), path.join(copy, name), { recursive: true });
  }
  const modules = path.join(copy, 'node_modules');
  mkdirSync(modules);
  for (const name of readdirSync(path.join(root, 'node_modules'))) {
    if (!name.startsWith('pouchdb-'))
      symlinkSync(path.join(root, 'node_modules', name), path.join(modules, name), 'dir');
  }
  const run = (/** @type {string[]} */ ...args) => {
    const argv = [path.join(copy, 'bin/couch-advisor.js'), ...args];
    const { stdout, stderr, status } = spawnSync(process.execPath, argv, {
      cwd,
      encoding: 'utf8',
      env: { ...process.env, ...CACHE_ENV },
    });
    return { stdout, stderr, status };
  };
  const missing = {
    stdout: '',
    stderr: `error: the embedded server requires PouchDB, but pouchdb-core, pouchdb-adapter-memory, pouchdb-abstract-mapreduce, pouchdb-find are not installed\n  hint: ${COMMAND}\n`,
    status: 2,
  };
  // The file is broken, which is not said, as it is not read.
  expect(run('confirm', 'orders.json')).toEqual(missing);
  expect(run('bench', 'include-docs', '--docs', 'nothing.json')).toEqual(missing);
  expect(run('bench').status).toBe(0);
  expect(run('confirm', '--url', 'http://127.0.0.1:9', 'orders.json').stderr).toContain('orders.json');
});
