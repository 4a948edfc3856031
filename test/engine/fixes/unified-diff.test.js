import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { unifiedDiff } from '../../../lib/engine/fixes/unified-diff.js';
import fc from '../../helpers/property.js';

const folder = mkdtempSync(path.join(tmpdir(), 'couch-advisor-diff-'));
afterAll(() => rmSync(folder, { recursive: true }));

/**
 * @param {string} name
 * @param {string} before
 * @param {string} diff
 * @returns {string} the file after `git apply`
 */
function applyWithGit(name, before, diff) {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, before);
  // No repository of the surroundings may have a say.
  const env = { PATH: process.env['PATH'], GIT_CEILING_DIRECTORIES: path.dirname(folder) };
  execFileSync('git', ['apply', '--whitespace=nowarn', '-'], { cwd: folder, input: diff, env });
  return readFileSync(file, 'utf8');
}

/**
 * Applies a diff by the book: every line of context and every removed line must be there.
 * @param {string} before
 * @param {string} diff
 * @returns {string}
 */
function applyByHand(before, diff) {
  const source = before.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  /** @type {string[]} */
  const result = [];
  let at = 0;
  const parts = diff.split(/^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@\n/m);
  for (let index = 1; index < parts.length; index += 5) {
    const [start, count = '1', newStart, newCount = '1', body = ''] = parts.slice(index, index + 5);
    const first = Number(count) === 0 ? Number(start) : Number(start) - 1;
    result.push(...source.slice(at, first));
    at = first;
    expect(result.length).toBe(Number(newCount) === 0 ? Number(newStart) : Number(newStart) - 1);
    const lines = (body.match(/[^\n]*\n/g) ?? []).reduce((/** @type {string[]} */ list, line) => {
      if (line === '\\ No newline at end of file\n') list.push((list.pop() ?? '').slice(0, -1));
      else list.push(line);
      return list;
    }, []);
    expect(lines.filter((line) => line[0] !== '+')).toHaveLength(Number(count));
    expect(lines.filter((line) => line[0] !== '-')).toHaveLength(Number(newCount));
    for (const line of lines) {
      if (line[0] !== '+') expect(source[at++]).toBe(line.slice(1));
      if (line[0] !== '-') result.push(line.slice(1));
    }
  }
  return [...result, ...source.slice(at)].join('');
}

const line = fc.constantFrom(
  'a',
  'b',
  'c',
  '',
  '  "views": {',
  '-',
  '+x',
  '\\',
  '@@ -1 +1 @@',
  'a\r',
  '在庫',
  '--- a/x',
);
const text = fc
  .tuple(fc.array(line, { maxLength: 30 }), fc.boolean())
  .map(([lines, ends]) => lines.join('\n') + (ends && lines.length > 0 ? '\n' : ''));

test('equal texts have no diff', () => {
  expect(unifiedDiff('ddocs/orders.json', '{}\n', '{}\n')).toBe('');
});

test('a change stands between three lines of context', () => {
  const before = Array.from({ length: 12 }, (_, index) => `line ${index + 1}\n`).join('');
  const after = before.replace('line 6\n', 'line six\nand more\n');
  expect(unifiedDiff('ddocs/orders.json', before, after)).toMatchInlineSnapshot(`
    "--- a/ddocs/orders.json
    +++ b/ddocs/orders.json
    @@ -3,7 +3,8 @@
     line 3
     line 4
     line 5
    -line 6
    +line six
    +and more
     line 7
     line 8
     line 9
    "
  `);
});

test('changes far from one another are hunks of their own', () => {
  const before = Array.from({ length: 30 }, (_, index) => `line ${index + 1}\n`).join('');
  const diff = unifiedDiff('ddocs/orders.json', before, before.replace('line 2\n', '').replace('line 28\n', 'x\n'));
  expect(diff.match(/^@@.*@@$/gm)).toEqual(['@@ -1,5 +1,4 @@', '@@ -25,6 +24,6 @@']);
});

test('a missing line end is told', () => {
  expect(unifiedDiff('map.js', 'emit(doc)', 'emit(null)\n')).toMatchInlineSnapshot(`
    "--- a/map.js
    +++ b/map.js
    @@ -1 +1 @@
    -emit(doc)
    \\ No newline at end of file
    +emit(null)
    "
  `);
});

test.each([
  ['an ordinary path', 'ddocs/orders.json', '--- a/ddocs/orders.json\n'],
  ['a path with spaces ends in a tab', 'my ddocs/a.json', '--- a/my ddocs/a.json\t\n'],
  ['a path with control characters is quoted', 'a\n"b\\.json', '--- "a/a\\012\\"b\\\\.json"\n'],
])('%s', (_, name, head) => {
  expect(unifiedDiff(name, 'a\n', 'b\n').startsWith(head)).toBe(true);
});

test('by hand, the diff makes the new text of the old one', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      expect(applyByHand(before, unifiedDiff('x', before, after))).toBe(after);
    }),
    { numRuns: 500 },
  );
});

test('git makes the new text of the old one', () => {
  const name = fc.constantFrom('ddocs/orders.json', 'my ddocs/a b.json', 'quote"d.json', '在庫.json');
  fc.assert(
    fc.property(name, text, text, (file, before, after) => {
      // git takes a file that becomes empty for one that is removed.
      fc.pre(before !== after && before !== '' && after !== '');
      expect(applyWithGit(file, before, unifiedDiff(file, before, after))).toBe(after);
    }),
    { numRuns: 40 },
  );
});

test('no line more than needed is touched', () => {
  const diff = unifiedDiff('x', 'a\nb\nc\na\nb\nb\na\n', 'c\nb\na\nb\na\nc\n');
  // The example of Myers' paper: its shortest edit script has five steps.
  expect(diff.match(/^[-+](?![-+])/gm)).toHaveLength(5);
});

test('texts that differ everywhere are told apart all the same', () => {
  const before = Array.from({ length: 3000 }, (_, index) => `old ${index}\n`).join('');
  const after = Array.from({ length: 3000 }, (_, index) => `new ${index}\n`).join('');
  expect(applyByHand(before, unifiedDiff('x', before, after))).toBe(after);
});
