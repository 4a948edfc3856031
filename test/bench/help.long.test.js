// Benchmarks say what they do for `--help`, and begin nothing for a command line that is wrong.

import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { expect, test } from 'vitest';
import { createProject } from '../helpers/temporary-project.js';

const BENCHMARKS = [
  'application',
  'choice',
  'equal-arms',
  'json-readers',
  'logs',
  'logs-generate',
  'proofs',
  'rule-figures',
  'run',
  'storage-model',
  'planted',
];

/** @param {string} name @param {string[]} args @param {string} cwd */
function start(name, args, cwd) {
  const file = path.join(import.meta.dirname, `${name}.js`);
  return spawnSync(process.execPath, [file, ...args], {
    cwd,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] ?? '' },
  });
}

test.each(BENCHMARKS)('%s --help', (name) => {
  const { cwd } = createProject();
  const { status, stdout, stderr } = start(name, ['--help'], cwd);
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^[A-Z][^\n]+\.\n\n {2}\S/);
  expect(readdirSync(cwd)).toEqual(['.git']);
});

test.each(BENCHMARKS)('%s with an option that does not exist', (name) => {
  const { cwd } = createProject();
  const { status, stdout, stderr } = start(name, ['--nonsense'], cwd);
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).toContain("'--nonsense'");
  expect(readdirSync(cwd)).toEqual(['.git']);
});

test.each([
  ['equal-arms', ['many']],
  ['logs', ['--lines', 'many']],
  ['logs-generate', ['a.log', '0']],
  ['logs-generate', []],
  ['run', ['--runs', '0']],
  ['planted', []],
])('%s %j', (name, args) => {
  const { cwd } = createProject();
  const { status, stderr } = start(name, args, cwd);
  expect(status).toBe(2);
  expect(stderr).toContain(name === 'run' ? 'npm run bench' : 'node test/bench');
  expect(readdirSync(cwd)).toEqual(['.git']);
});
