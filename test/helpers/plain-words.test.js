// Tests that the check of wording detects what it should, and nothing else.

import { readFileSync } from 'node:fs';
import { parse } from 'acorn';
import { full } from 'acorn-walk';
import { globSync } from 'tinyglobby';
import { expect, test } from 'vitest';
import { messageFaults, wordFaults } from './plain-words.js';
import { root } from './run-cli.js';

/** Not sentences: the start of a name in the samples of a scenario. */
const NAMES = new Set(['ask, ']);

test.each([
  'the view was asked twice',
  'Mend it.',
  'the index is built anew',
  'as the logs tell',
  'write it in place of the other',
  'take the view out',
  'it takes 3 ms in the mean',
])('%s', (text) => {
  expect(wordFaults(text)).not.toEqual([]);
});

test.each([
  'the task is masked, and basketball is retold',
  '`ask` and `tell()` are code',
  '```js\nask(anew);\n```',
  'it takes 3 ms; take the outer one',
])('%j is plain', (text) => {
  expect(wordFaults(text)).toEqual([]);
});

test('texts that the program prints have none of these words', () => {
  // The page has class names among its texts; its tests look at what it shows.
  const files = globSync('lib/**/*.js', { cwd: root, ignore: ['lib/reports/html/**'] });
  expect(files.length).toBeGreaterThan(400);
  const faults = files.flatMap((file) =>
    textsOf(readFileSync(`${root}/${file}`, 'utf8')).flatMap((text) =>
      wordFaults(text).map((fault) => `${file}: ${fault} in ${JSON.stringify(text)}`),
    ),
  );
  expect(faults).toEqual([]);
});

/** @param {string} source @returns {string[]} its strings and pieces of templates that have more than one word */
function textsOf(source) {
  /** @type {string[]} */
  const texts = [];
  full(parse(source, { ecmaVersion: 'latest', sourceType: 'module' }), (node) => {
    const { type, value } = /** @type {{type: string, value?: any}} */ (node);
    const text = type === 'TemplateElement' ? value.cooked : type === 'Literal' ? value : undefined;
    if (typeof text === 'string' && /\S\s+\S|\s$|^\s/.test(text) && !NAMES.has(text)) texts.push(text);
  });
  return texts;
}

test('a message is one short sentence that begins with code or a small letter', () => {
  expect(messageFaults('`{subject}` is never queried')).toEqual([]);
  expect(messageFaults('random ids (`a.b. c;`) of {load.count} documents')).toEqual([]);
  expect(messageFaults('The view is never queried')).toHaveLength(1);
  expect(messageFaults('a view; another')).toHaveLength(1);
  expect(messageFaults('a view.')).toHaveLength(1);
  expect(messageFaults(`a${'b'.repeat(100)}`)).toHaveLength(1);
});
