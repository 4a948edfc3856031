import { expect, test } from 'vitest';
import { applyEdits } from '../../../lib/engine/fixes/edit.js';
import { patchOf, unifiedDiff } from '../../../lib/engine/fixes/unified-diff.js';
import fc from '../../helpers/property.js';
import { SourceFile } from '../../helpers/read-source.js';

test('a patch of a line in the middle has its line numbers and three lines around it', () => {
  const file = new SourceFile('orders.js', Array.from({ length: 20 }, (_, at) => `line ${at + 1}\n`).join(''));
  const start = file.text.indexOf('line 10');
  expect(patchOf([{ file, start, end: start + 7, text: 'order' }])).toBe(
    [
      '--- a/orders.js',
      '+++ b/orders.js',
      '@@ -7,7 +7,7 @@',
      ' line 7',
      ' line 8',
      ' line 9',
      '-line 10',
      '+order',
      ' line 11',
      ' line 12',
      ' line 13',
      '',
    ].join('\n'),
  );
});

test('edits of several files give one patch', () => {
  const files = ['a.js', 'b.js'].map((name) => new SourceFile(name, 'emit(doc);\n'));
  const patch = patchOf(files.map((file) => ({ file, start: 5, end: 8, text: 'null' })));
  expect(patch.match(/^---.*/gm)).toEqual(['--- a/a.js', '--- a/b.js']);
});

test('edits that change nothing give nothing', () => {
  const file = new SourceFile('a.js', 'emit(doc);\n');
  expect(patchOf([{ file, start: 0, end: 4, text: 'emit' }])).toBe('');
});

test('a line that is taken out of many equal ones is shown with three lines behind the last of them', () => {
  const file = new SourceFile('orders.js', `first\n${'}\n'.repeat(9)}a\nb\nc\nd\ne\n`);
  expect(patchOf([{ file, start: 6, end: 8, text: '' }])).toBe(
    '--- a/orders.js\n+++ b/orders.js\n@@ -7,7 +7,6 @@\n }\n }\n }\n-}\n a\n b\n c\n',
  );
});

test('it is the patch of the whole file, wherever the edit is', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', '', 'stock'), { maxLength: 20 });
  fc.assert(
    fc.property(
      lines,
      fc.boolean(),
      fc.nat(60),
      fc.nat(12),
      fc.constantFrom('', 'x', 'a\nb', '\n'),
      (own, ends, at, length, text) => {
        const file = new SourceFile('orders.js', own.join('\n') + (ends ? '\n' : ''));
        const start = Math.min(at, file.text.length);
        const edit = { file, start, end: Math.min(start + length, file.text.length), text };
        const whole = unifiedDiff('orders.js', file.text, applyEdits(file.text, [edit]).text);
        expect(patchOf([edit])).toBe(whole);
      },
    ),
  );
});
