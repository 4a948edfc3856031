import { expect, test } from 'vitest';
import { applyEdits, chooseFixes } from '../../../lib/engine/fixes/edit.js';
import fc from '../../helpers/property.js';
import { SourceFile } from '../../helpers/read-source.js';

/** @typedef {{start: number, end: number, text: string}} Edit */

test.each([
  ['nothing to do', 'orders', [], 'orders'],
  ['a replacement', 'emit(doc)', [{ start: 5, end: 8, text: 'null' }], 'emit(null)'],
  [
    'edits in any order',
    'abc',
    [
      { start: 2, end: 3, text: 'C' },
      { start: 0, end: 1, text: 'A' },
    ],
    'AbC',
  ],
  [
    'edits that touch',
    'abc',
    [
      { start: 0, end: 1, text: 'A' },
      { start: 1, end: 2, text: 'B' },
    ],
    'ABc',
  ],
  [
    'an insertion before a replacement',
    'abc',
    [
      { start: 1, end: 1, text: '-' },
      { start: 1, end: 2, text: 'B' },
    ],
    'a-Bc',
  ],
  [
    'an insertion behind a replacement',
    'abc',
    [
      { start: 1, end: 2, text: 'B' },
      { start: 2, end: 2, text: '-' },
    ],
    'aB-c',
  ],
  [
    'insertions at both ends',
    'b',
    [
      { start: 1, end: 1, text: 'c' },
      { start: 0, end: 0, text: 'a' },
    ],
    'abc',
  ],
  [
    'equal edits count once',
    'abc',
    [
      { start: 1, end: 2, text: '' },
      { start: 1, end: 2, text: '' },
    ],
    'ac',
  ],
])('%s', (_, text, edits, expected) => {
  expect(applyEdits(text, edits)).toEqual({ text: expected, deferred: [] });
});

test.each([
  [
    'edits that share a character',
    [
      { start: 0, end: 2, text: 'x' },
      { start: 1, end: 3, text: 'y' },
    ],
    'xc',
  ],
  [
    'an edit inside another',
    [
      { start: 0, end: 3, text: 'x' },
      { start: 1, end: 1, text: 'y' },
    ],
    'x',
  ],
  [
    'two texts for one stretch',
    [
      { start: 0, end: 1, text: 'x' },
      { start: 0, end: 1, text: 'y' },
    ],
    'xbc',
  ],
  [
    'two insertions at one place',
    [
      { start: 1, end: 1, text: 'x' },
      { start: 1, end: 1, text: 'y' },
    ],
    'axbc',
  ],
])('of %s the first is done and the second handed back', (_, edits, expected) => {
  expect(applyEdits('abc', edits)).toEqual({ text: expected, deferred: [edits[1]] });
});

test.each([
  ['behind the end', { start: 2, end: 9, text: 'x' }],
  ['before the beginning', { start: -1, end: 1, text: 'x' }],
  ['that ends before it starts', { start: 2, end: 1, text: 'x' }],
])('an edit %s is handed back', (_, edit) => {
  expect(applyEdits('abc', [edit])).toEqual({ text: 'abc', deferred: [edit] });
});

test('what is done and what is handed back are all the edits, and the rest of the text stays', () => {
  const text = 'The quick brown fox sells shoes, and the slow one buys them.';
  const edit = fc
    .tuple(fc.nat(text.length), fc.nat(4), fc.stringMatching(/^[A-Z]{0,3}$/))
    .map(([start, length, replacement]) => ({ start, end: Math.min(start + length, text.length), text: replacement }));
  fc.assert(
    fc.property(fc.uniqueArray(edit, { selector: JSON.stringify }), (edits) => {
      const { text: edited, deferred } = applyEdits(text, edits);
      const done = edits.filter((candidate) => !deferred.includes(candidate));
      const change = done.reduce((sum, { start, end, text: added }) => sum + added.length - (end - start), 0);
      expect(edited.length).toBe(text.length + change);
      expect(applyEdits(text, done)).toEqual({ text: edited, deferred: [] });
      for (const left of deferred) expect(applyEdits(text, [...done, left]).deferred).toHaveLength(1);
    }),
  );
});

const orders = new SourceFile('ddocs/orders.json', 'function (doc) { emit(doc.total, 1); }');
const stock = new SourceFile('ddocs/stock.json', '{}');

/**
 * @param {SourceFile} file
 * @param {number} start
 * @param {number} end
 * @param {string} text
 * @returns {import('../../../lib/shared/source-file.js').TextEdit}
 */
function edit(file, start, end, text) {
  return { file, start, end, text };
}

test('a fix of several edits is done as a whole or not at all', () => {
  const wraps = [edit(orders, 17, 17, 'if (doc.total) { '), edit(orders, 36, 36, ' }')];
  const renames = [edit(orders, 22, 25, 'row'), edit(orders, 36, 36, '!')];
  const elsewhere = [edit(stock, 1, 1, '"_id":"_design/stock"')];
  const { chosen, deferred } = chooseFixes([wraps, renames, elsewhere]);
  expect(deferred).toEqual([renames]);
  expect(applyEdits(orders.text, chosen.get(orders) ?? []).text).toBe(
    'function (doc) { if (doc.total) { emit(doc.total, 1); } }',
  );
  expect(chosen.get(stock)).toEqual(elsewhere);
});

test('a fix that another has done already is neither done twice nor left over', () => {
  const fix = () => [edit(orders, 0, 8, 'function map')];
  expect(chooseFixes([fix(), fix()])).toEqual({ chosen: new Map([[orders, fix()]]), deferred: [] });
});

test('a fix whose own edits overlap, and one without edits, change nothing', () => {
  const broken = [edit(orders, 0, 8, 'a'), edit(orders, 4, 9, 'b')];
  expect(chooseFixes([broken, []])).toEqual({ chosen: new Map(), deferred: [broken] });
});
