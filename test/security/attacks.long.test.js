// Runs a few attacks of every family; `npm run test:security` runs them in full.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { expect, test } from 'vitest';
import { FAMILIES } from './families.js';
import { readTable } from './table.js';
import { testFamilies } from './test-families.js';

testFamilies((_, at) => at % 2 === 0);

test('the table of docs/security.md has a row for each family', () => {
  const page = readFileSync(new URL('../../docs/security.md', import.meta.url), 'utf8');
  expect(readTable(page).map(({ id }) => id)).toEqual(FAMILIES.map(({ id }) => id));
});

test('the script explains itself and refuses what it does not know', () => {
  const script = new URL('run.js', import.meta.url).pathname;
  const run = (/** @type {string[]} */ ...args) =>
    execFileSync(process.execPath, [script, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  expect(run('--help')).toContain(`families: ${FAMILIES.map(({ id }) => id).join(' ')}`);
  for (const wrong of [['nothing'], ['--seed', 'x'], ['--write', '--short'], ['--wrong']])
    expect(() => run(...wrong)).toThrow(expect.objectContaining({ status: 2 }));
});
