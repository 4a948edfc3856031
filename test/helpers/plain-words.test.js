// Tests that the check of wording detects what it should, and nothing else.

import { expect, test } from 'vitest';
import { messageFaults, wordFaults } from './plain-words.js';

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

test('a message is one short sentence that begins with code or a small letter', () => {
  expect(messageFaults('`{subject}` is never queried')).toEqual([]);
  expect(messageFaults('random ids (`a.b. c;`) of {load.count} documents')).toEqual([]);
  expect(messageFaults('The view is never queried')).toHaveLength(1);
  expect(messageFaults('a view; another')).toHaveLength(1);
  expect(messageFaults('a view.')).toHaveLength(1);
  expect(messageFaults(`a${'b'.repeat(100)}`)).toHaveLength(1);
});
