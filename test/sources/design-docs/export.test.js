import { expect, test } from 'vitest';
import { looksLikeJsonLines } from '../../../lib/sources/design-docs/export.js';
import { member, nodePlace } from '../../helpers/internals.js';
import fc from '../../helpers/property.js';
import { readFixture } from '../../helpers/read-fixture.js';
import { readText, SourceFile } from '../../helpers/read-source.js';
import { checkReadResult } from '../../helpers/value-places.js';

test.each([
  ['json-lines/documents.jsonl', 2],
  ['json-lines/windows-line-ends.jsonl', 2],
  ['json-lines/couchbackup.txt', 2],
  ['json-lines/couchbackup-without-header.txt', 1],
  ['json-lines/changes-feed.jsonl', 2],
])('the design documents of an export are those of one database: %s', async (path, line) => {
  const file = readFixture(`design-docs/${path}`);
  const result = await readText(file);
  checkReadResult(file, result);
  expect(result.errors).toEqual([]);
  const shared = { origin: 'dump', sameDatabase: true, group: file.path, file };
  expect(result.records).toMatchObject([
    { id: '_design/orders', ...shared },
    { id: '_design/stock', ...shared },
  ]);
  const [orders] = result.records;
  expect(orders?.kind === 'design-doc' && nodePlace(orders.node).line).toBe(line);
  expect(orders?.kind === 'design-doc' && member(orders.node, 'views')?.type).toBe('object');
});

test('each broken line is one error with its place, and the other lines are read', async () => {
  const file = readFixture('design-docs/json-lines/two-broken-lines.jsonl');
  const { records, errors } = await readText(file);
  expect(records).toMatchObject([{ id: '_design/orders' }, { id: '_design/stock' }]);
  expect(errors).toMatchObject([
    { code: 'truncated-json', place: { line: 2 } },
    { code: 'invalid-json', place: { line: 3, column: 14 } },
  ]);
});

test('a thousand broken lines are twenty errors and one with the number of the others', async () => {
  const text = `{"_id": "_design/orders"}\n${'{"_id":,}\n'.repeat(1000)}{"_id": "_design/stock"}\n`;
  const { records, errors } = await readText(text, 'export.jsonl');
  expect(records).toHaveLength(2);
  expect(errors).toHaveLength(21);
  expect(errors.at(-1)).toMatchObject({ code: 'more-errors', place: { line: 22, column: 8 } });
  expect(errors.at(-1)?.message).toMatch(/^980 more/);
});

test('the reader of JSON reads an export too', async () => {
  const { text } = readFixture('design-docs/json-lines/couchbackup.txt');
  const lines = await readText(text, 'export.couchbackup');
  expect(lines.records).toHaveLength(2);
  expect((await readText(text, 'export.json')).records).toMatchObject([
    { id: '_design/orders' },
    { id: '_design/stock' },
  ]);
});

test('an export of other things that nobody named gives nothing', async () => {
  const file = new SourceFile('events.jsonl', '{"event": "open"}\n{"event": \n{"event": "close"}\n');
  expect(await readText(file, undefined, { isNamed: false })).toEqual({ records: [], errors: [] });
  expect((await readText(file)).errors).toHaveLength(1);
});

test.each([
  ['two documents', '{"_id": "o-1"}\n{"_id": "o-2"}\n', true],
  ['a mark before them', '\ufeff{"_id": "o-1"}\n{"_id": "o-2"}', true],
  ['blank lines between them', '\n{"_id": "o-1"}\r\n\r\n[{"_id": "o-2"}]\r\n', true],
  ['a first line that is broken', '{"_id": "o-1\n{"_id": "o-2"}\n', true],
  ['one document', '{"_id": "o-1"}\n', false],
  ['a document over several lines', '{\n  "_id": "o-1"\n}\n', false],
  ['an array with a document a line', '[\n{"_id": "o-1"},\n{"_id": "o-2"}\n]\n', false],
  ['an answer of _all_docs', '{"total_rows":1,"offset":0,"rows":[\n{"id":"o-1","key":"o-1","value":{}}\n]}\n', false],
  ['lines of which none is JSON', '{oops}\n{oops}\n', false],
  ['words', 'orders\nstock\n', false],
  ['nothing', '', false],
])('%s: JSON lines or not', (_, text, wanted) => {
  expect(looksLikeJsonLines(text)).toBe(wanted);
});

test('exports that were cut or changed at random never throw, and places stay in the file', async () => {
  const text = readFixture('design-docs/json-lines/couchbackup.txt').text;
  const added = fc.oneof(fc.string({ maxLength: 3 }), fc.constantFrom('"', '{', ']', '\\', '\n', '\r', '\ufeff'));
  await fc.assert(
    fc.asyncProperty(fc.nat(text.length), fc.nat(9), added, async (start, removed, more) => {
      const file = new SourceFile('export.txt', text.slice(0, start) + more + text.slice(start + removed));
      looksLikeJsonLines(file.text);
      checkReadResult(file, await readText(file));
    }),
    { numRuns: 300 },
  );
});
