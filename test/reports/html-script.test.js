import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import process from 'node:process';
import { expect, test } from 'vitest';
import { root } from '../helpers/run-cli.js';

test("the page's script is sound where its types are concerned: it runs in browsers, so it is checked apart", () => {
  const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  const project = path.join(root, 'test/browser');
  const { stdout, status } = spawnSync(process.execPath, [compiler, '--project', project], { encoding: 'utf8' });
  expect(stdout).toBe('');
  expect(status).toBe(0);
});
