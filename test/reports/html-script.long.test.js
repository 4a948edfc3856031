import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import process from 'node:process';
import { expect, test } from 'vitest';
import { root } from '../helpers/run-cli.js';

/** Scripts that run in browsers, and are checked apart: the report's, and the playground's. */
const PROJECTS = ['test/browser', 'docs/playground'];

test.each(PROJECTS)('the script of a page is sound where its types are concerned: %s', (folder) => {
  const manifest = createRequire(import.meta.url).resolve('typescript/package.json');
  const compiler = path.join(path.dirname(manifest), 'bin/tsc');
  const project = path.join(root, folder);
  const { stdout, status } = spawnSync(process.execPath, [compiler, '--project', project], { encoding: 'utf8' });
  expect(stdout).toBe('');
  expect(status).toBe(0);
});
