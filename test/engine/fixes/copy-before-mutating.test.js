import { expect, test } from 'vitest';
import { copyBeforeMutating } from '../../../lib/engine/fixes/copy-before-mutating.js';
import { factsOf, functionSubject } from '../../helpers/function-facts.js';
import { editedText } from '../../helpers/sample-fix-targets.js';

/** @param {string} body */
function fixed(body) {
  const source = `function (doc) { ${body}; }`;
  const [item] = factsOf(source).list('function.mutations');
  if (!item) throw new Error('no mutation');
  const text = editedText(copyBeforeMutating.apply({ subject: functionSubject(source), item }));
  return text && JSON.parse(text).views.all.map.slice('function (doc) { '.length, -'; }'.length);
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
])('%s becomes %s', (body, expected) => {
  expect(fixed(body)).toBe(expected);
});

test('nothing is done without an item', () => {
  expect(
    copyBeforeMutating.apply({ subject: functionSubject('function (doc) { emit(doc.tags.sort()); }') }),
  ).toBeUndefined();
});
