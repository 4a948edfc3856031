import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { shellWord } from '../../lib/shared/shell-word.js';

/** @type {{name: string}[]} */
const names = JSON.parse(readFileSync(new URL('../../fixtures/hostile/names.json', import.meta.url), 'utf8'));

test.each(names.filter(({ name }) => !/\0|\p{Surrogate}/u.test(name)))('$name is one word of a shell', ({ name }) => {
  const printed = execFileSync('/bin/sh', ['-c', `printf '%s' ${shellWord(name)}`], { encoding: 'utf8' });
  expect(printed).toBe(name.startsWith('-') ? `./${name}` : name);
});

test.each([
  ['orders.json', 'orders.json'],
  ['ddocs/by day.json', "'ddocs/by day.json'"],
  ["it's", "'it'\\''s'"],
  ['--fix', './--fix'],
])('%s is written %s', (text, word) => {
  expect(shellWord(text)).toBe(word);
});
