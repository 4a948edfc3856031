import { expect, test } from 'vitest';
import { fixedFunction } from '../../helpers/fixed.js';

/** @param {string} body */
async function fixed(body) {
  const source = await fixedFunction('copy-before-mutating', 'map', `function (doc) { ${body}; }`);
  return source?.slice('function (doc) { '.length, -'; }'.length);
}

test.each([
  ['emit(doc.tags.sort(), "a\\n")', 'emit(doc.tags.slice().sort(), "a\\n")'],
  ['emit(doc.lines[0].tags.reverse())', 'emit(doc.lines[0].tags.slice().reverse())'],
  ['var tags = doc.tags.sort(); emit(tags)', 'var tags = doc.tags.slice().sort(); emit(tags)'],
  ['doc.tags.sort(); emit(doc.tags)', undefined],
  ['var tags = doc.tags; emit(tags.sort())', 'var tags = doc.tags; emit(tags.slice().sort())'],
  ['emit(doc.tags.sort()); emit(doc.tags)', undefined],
  ['emit(doc.tags.push(1))', undefined],
  ['emit(doc[doc.name].sort())', 'emit(doc[doc.name].slice().sort())'],
])('%s becomes %s', async (body, expected) => {
  expect(await fixed(body)).toBe(expected);
});
