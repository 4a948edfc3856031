import { expect, test } from 'vitest';
import { renderFrame } from '../../lib/reports/code-frame.js';
import { createColors } from '../../lib/reports/colors.js';
import { displayWidth } from '../../lib/reports/display-width.js';
import fc from '../helpers/property.js';
import { SourceFile } from '../helpers/read-source.js';

const colors = createColors(false);

/**
 * @param {string} text
 * @param {string} marked stretch of the text that is pointed at
 * @param {number} [width]
 * @returns {string}
 */
function frame(text, marked, width = 60) {
  const file = new SourceFile('ddocs/orders.json', text);
  const start = text.indexOf(marked);
  const place = file.place(start, start + marked.length);
  return `\n${renderFrame(file, place, { width, colors, mark: (line) => line }).join('\n')}\n`;
}

const ESCAPED = JSON.stringify({
  map: `function (doc) {\n  if (doc.type !== 'order') return;\n  for (var i = 0; i < doc.lines.length; i++) {\n    emit(doc.lines[i].article, doc);\n  }\n}`,
});

test('a stretch is underlined between its neighbours', () => {
  expect(frame('{\n  "language": "javascript",\n  "views": []\n}\n', '[]')).toMatchInlineSnapshot(`
    "
      2 │   "language": "javascript",
    > 3 │   "views": []
        │            ^^
      4 │ }
    "
  `);
});

test('numbers are aligned, and blank neighbours left out', () => {
  expect(frame(`${'\n'.repeat(8)}{\n"views": 1}`, '1')).toMatchInlineSnapshot(`
    "
       9 │ {
    > 10 │ "views": 1}
         │          ^
    "
  `);
});

test('tabs are spaces and the mark stands below what it marks', () => {
  expect(frame('if (x) {\n\temit(doc._id,\tdoc);\n}', 'doc);')).toMatchInlineSnapshot(`
    "
      1 │ if (x) {
    > 2 │     emit(doc._id,   doc);
        │                     ^^^^^
      3 │ }
    "
  `);
});

test('wide and combining characters keep the mark in place', () => {
  expect(frame("emit('在庫', 'e\u0301', doc.shelf.row)", 'doc.shelf')).toMatchInlineSnapshot(`
    "
    > 1 │ emit('在庫', 'é', doc.shelf.row)
        │                   ^^^^^^^^^
    "
  `);
});

test('control characters are shown and the mark moves with them', () => {
  expect(frame("emit('\x1b[31m\u202e', doc)", 'doc')).toMatchInlineSnapshot(`
    "
    > 1 │ emit('␛[31m<U+202E>', doc)
        │                       ^^^
    "
  `);
});

test('a long line is cut before the statement that is marked', () => {
  expect(frame(ESCAPED, 'doc);')).toMatchInlineSnapshot(`
    "
    > 1 │ …++) {\\n    emit(doc.lines[i].article, doc);\\n  }\\n}"}
        │                                        ^^^^^
    "
  `);
});

test('a long line without line ends is cut around the mark', () => {
  expect(frame(`${'a.b;'.repeat(100)}emit(doc);${'c.d;'.repeat(100)}`, 'emit(doc)')).toMatchInlineSnapshot(`
    "
    > 1 │ …b;a.b;a.b;a.b;a.b;emit(doc);c.d;c.d;c.d;c.d;c.d;c.d;…
        │                    ^^^^^^^^^
    "
  `);
});

test('a mark that is longer than the line has room for is shown by its beginning', () => {
  expect(frame(`"map": "${'x'.repeat(200)}"`, `"${'x'.repeat(200)}"`)).toMatchInlineSnapshot(`
    "
    > 1 │ "map": "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…
        │        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    "
  `);
});

test('a stretch of several lines is marked at each line and underlined in the first', () => {
  expect(frame('a\nemit(\n  doc._id,\n  doc\n);\nb', 'emit(\n  doc._id,\n  doc\n)')).toMatchInlineSnapshot(`
    "
      1 │ a
    > 2 │ emit(
        │ ^^^^^
    > 3 │   doc._id,
    > 4 │   doc
    > 5 │ );
      6 │ b
    "
  `);
});

test('of a very long stretch the first lines are shown, and the number of the others', () => {
  const text = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`).join('\n');
  expect(frame(text, text.slice(text.indexOf('line 3'), text.indexOf('line 18')))).toMatchInlineSnapshot(`
    "
      2 │ line 2
    > 3 │ line 3
        │ ^^^^^^
    > 4 │ line 4
    > 5 │ line 5
    > 6 │ line 6
        │ … 12 more lines
    "
  `);
});

test('the end of the file can be pointed at', () => {
  const file = new SourceFile('ddocs/orders.json', '{\r\n"views": {\r\n');
  const lines = renderFrame(file, file.place(file.text.length), { width: 60, colors, mark: (line) => line });
  expect(lines).toEqual(['  2 │ "views": {', '> 3 │', '    │ ^']);
});

test('a line that the file does not have gives no frame', () => {
  const file = new SourceFile('ddocs/orders.json', '{}');
  const place = { file: file.path, line: 9, column: 1 };
  expect(renderFrame(file, place, { width: 60, colors, mark: (line) => line })).toEqual([]);
});

test('the mark stands below its own characters wherever they are, and no line is too wide', () => {
  const piece = fc.constantFrom('a', ' ', '\\n', '\\\\', '\t', '庫', '🙂', '\x1b', 'e\u0301', 'emit(doc);', '\u202e');
  const text = fc.array(piece, { maxLength: 120 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, text, fc.integer({ min: 40, max: 120 }), (before, after, width) => {
      // The marked stretch is told from all the rest by its letters.
      const file = new SourceFile('ddocs/orders.json', `${before}MARKED${after}`);
      const place = file.place(before.length, before.length + 'MARKED'.length);
      const [source = '', mark = ''] = renderFrame(file, place, { width, colors, mark: (line) => line });
      expect(displayWidth(source)).toBeLessThanOrEqual(width);
      expect(displayWidth(mark)).toBeLessThanOrEqual(width);
      expect(mark.trimStart()).toMatch(/^│ +\^{6}$|^│ \^{6}$/);
      expect(displayWidth(source.slice(0, source.indexOf('MARKED')))).toBe(mark.indexOf('^'));
    }),
  );
});
