import { expect, test } from 'vitest';
import { fixFunctions } from '../../helpers/fixed.js';

/** The body of a map, and what it becomes. @type {[string, string | undefined][]} */
const BODIES = [
  ['emit(doc.tags.sort(), "a\\n")', 'emit(doc.tags.slice().sort(), "a\\n")'],
  ['emit(doc.lines[0].tags.reverse())', 'emit(doc.lines[0].tags.slice().reverse())'],
  ['var tags = doc.tags.sort(); emit(tags)', 'var tags = doc.tags.slice().sort(); emit(tags)'],
  ['doc.tags.sort(); emit(doc.tags)', undefined],
  ['var tags = doc.tags; emit(tags.sort())', 'var tags = doc.tags; emit(tags.slice().sort())'],
  ['emit(doc.tags.sort()); emit(doc.tags)', undefined],
  ['emit(doc.tags.push(1))', undefined],
  ['emit(doc[doc.name].sort())', 'emit(doc[doc.name].slice().sort())'],
];

test('a copy is sorted where nothing else reads the list', async () => {
  const results = await fixFunctions(
    'copy-before-mutating',
    'map',
    BODIES.map(([body]) => `function (doc) { ${body}; }`),
  );
  expect(results).toEqual(
    BODIES.map(([, expected]) => ({ isReported: true, after: expected && `function (doc) { ${expected}; }` })),
  );
});
