// Tests what of JSON is refused before it is parsed, against a count that goes character by character.

import { expect, test } from 'vitest';
import { findExcess, parseBounded } from '../../lib/shared/bounded-json.js';
import { createRandom, randomInteger } from '../helpers/internals.js';

const LETTERS = ['"', '\\', '[', ']', '{', '}', ',', ':', 'a', '\n', '\u4e2d'];

test('values, keys and brackets count, and escapes count an eighth', () => {
  expect(findExcess('[1,[],{"a":"b,:[{"}]', 7)).toBeUndefined();
  expect(findExcess('[1,[],{"a":"b,:[{"}]', 6)).toBe('has more than 6 values');
  expect(findExcess(JSON.stringify('\n'.repeat(8)), 2)).toBeUndefined();
  expect(findExcess(JSON.stringify('\n'.repeat(9)), 2)).toBe('has more than 2 values');
});

test('strings with any escapes end where they end', () => {
  const random = createRandom('escapes');
  for (let round = 0; round < 2000; round += 1) {
    const words = Array.from({ length: 4 }, () =>
      Array.from({ length: randomInteger(random, 0, 8) }, () => LETTERS[randomInteger(random, 0, 11)]).join(''),
    );
    const text = JSON.stringify(words);
    const escapes = text.match(/\\./g)?.length ?? 0;
    const values = 5 + escapes / 8;
    expect(findExcess(text, values)).toBeUndefined();
    expect(findExcess(text, values - 0.1)).toBeDefined();
  }
});

test('deep nesting is refused, and closed brackets are none', () => {
  expect(findExcess(`${'['.repeat(1001)}${']'.repeat(1001)}`)).toBe('is nested more than 1000 levels deep');
  expect(findExcess(`[${'[],'.repeat(5000)}0]`)).toBeUndefined();
});

test('what is no JSON is looked at to its end, and no further', () => {
  for (const text of ['', '"', '"\\', '\\', '"a\\"', '}}}]', '\\"[', '"\\\\'.repeat(50)])
    expect(findExcess(text)).toBeUndefined();
});

test('the error names what was read', () => {
  expect(parseBounded('{"rows":[1]}', 'x', { hint: '' })).toEqual({ rows: [1] });
  expect(() => parseBounded('{', 'x', { hint: '' })).toThrow(SyntaxError);
  expect(() => parseBounded('[1,2]', 'baseline.json', { hint: 'check it', maxValues: 2 })).toThrow(
    expect.objectContaining({
      code: 'json-too-large',
      message: 'baseline.json has more than 2 values',
      hint: 'check it',
    }),
  );
});
