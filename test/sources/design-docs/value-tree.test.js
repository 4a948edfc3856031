import { expect, test } from 'vitest';
import { MAX_DEPTH, parseJsonTree } from '../../../lib/sources/design-docs/value-tree.js';
import { member, nodePlace } from '../../helpers/internals.js';
import fc from '../../helpers/property.js';
import { SourceFile } from '../../helpers/read-source.js';
import { checkNode, checkPlace } from '../../helpers/value-places.js';

/** @import { ValueNode } from '../../../lib/sources/record.js' */

/** @param {string} text */
const parse = (text) => parseJsonTree(new SourceFile('orders.json', text));

/** @param {ValueNode | undefined} node @returns {unknown} */
function plain(node) {
  if (node?.type === 'object') return node.entries.map(({ key, node: value }) => [key, plain(value)]);
  if (node?.type === 'array') return node.items.map(plain);
  if (node?.type === 'null' || node?.type === 'unknown' || !node) return null;
  return node.value;
}

test('values keep their type, order and place', () => {
  const { node, errors } = parse('{\n  "sku": ["a", -1.5e2, true, null],\n  "open": {}\n}');
  expect(errors).toEqual([]);
  expect(plain(node)).toEqual([
    ['sku', ['a', -150, true, null]],
    ['open', []],
  ]);
  const open = member(node, 'open');
  expect(open && nodePlace(open)).toEqual({ file: 'orders.json', line: 3, column: 11, endLine: 3, endColumn: 13 });
});

test('a place inside a string counts its escapes', () => {
  const { node } = parse('["a\\u00e9\\"\\n!"]');
  const item = node?.type === 'array' ? node.items[0] : undefined;
  expect(item?.type === 'string' && item.value).toBe('aé"\n!');
  expect(item?.type === 'string' && item.text.place(4, 5)).toMatchObject({ column: 14, endColumn: 15 });
});

test('a stretch of a file is read with the offsets of the file', () => {
  const file = new SourceFile('orders.json', 'xx{"a": 1}yy');
  const { node, errors } = parseJsonTree(file, 2, 10);
  expect(errors).toEqual([]);
  expect(node).toMatchObject({ start: 2, end: 10 });
});

test('a byte order mark is taken and counted as a character of its line', () => {
  const { node, errors } = parse('\ufeff{"a": 1}');
  expect(errors).toEqual([]);
  const value = member(node, 'a');
  expect(value && nodePlace(value)).toMatchObject({ line: 1, column: 8 });
});

test('names of built-in members are keys like others', () => {
  const { node } = parse('{"__proto__": 1, "constructor": 2, "hasOwnProperty": 3}');
  expect(plain(node)).toEqual([
    ['__proto__', 1],
    ['constructor', 2],
    ['hasOwnProperty', 3],
  ]);
});

test('duplicate keys are kept, the second is an error and the last is the one that counts', () => {
  const { node, errors } = parse('{"a": 1,\n "b": {"a": 2}, "\\u0061": 3}');
  expect(errors).toMatchObject([{ code: 'duplicate-key', place: { line: 2, column: 17, endColumn: 25 } }]);
  expect(errors[0]?.message).toContain('`a`');
  expect(plain(node)).toEqual([
    ['a', 1],
    ['b', [['a', 2]]],
    ['a', 3],
  ]);
  expect(member(node, 'a')).toMatchObject({ value: 3 });
});

test('many duplicate keys give a list that ends with their number', () => {
  const { errors } = parse(`{${'"a": 1,'.repeat(1000)}"a": 1}`);
  expect(errors).toHaveLength(21);
  expect(errors.at(-1)).toMatchObject({
    code: 'more-errors',
    message: expect.stringContaining('980 more'),
    place: { line: 1, column: 149 },
  });
});

test.each([
  ['a line comment', '{"a": 1 // first\n}', 'json-comment', 1, 9],
  ['a block comment', '{/* "{ */"a": 1}', 'json-comment', 1, 2],
  ['a comma behind the last member', '{"a": 1,\n}', 'json-trailing-comma', 1, 8],
  ['a comma behind the last item', '{"a": [1, ]}', 'json-trailing-comma', 1, 9],
  ['a tab in a string', '{"a": "x\ty"}', 'json-control-character', 1, 7],
])('%s is an error, and the value is read all the same', (_, text, code, line, column) => {
  const { node, errors } = parse(text);
  expect(errors).toMatchObject([{ code, place: { line, column } }]);
  expect(member(node, 'a')).toBeDefined();
  if (node) checkNode(node);
});

test.each([
  ['nothing', '', 'empty-json', 1, 1],
  ['only blanks and a mark', '\ufeff \n', 'empty-json', 1, 2],
  ['an object that is not closed', '{\n  "a": [1, 2\n', 'truncated-json', 2, 13],
  ['an array that ends behind a comma', '[1,', 'truncated-json', 1, 4],
  ['a string that is not closed', '{"a": "orde', 'truncated-json', 1, 12],
  ['a key without a value', '{"a":', 'truncated-json', 1, 6],
  ['half a word', '{"a": fal', 'truncated-json', 1, 10],
  ['half an escape', '{"a": "\\u00', 'truncated-json', 1, 12],
  ['a comment that is not closed', '{"a": 1 /* first', 'truncated-json', 1, 17],
  ['a missing comma', '{"a": 1\n "b": 2}', 'invalid-json', 2, 2],
  ['two commas', '[1,, 2]', 'invalid-json', 1, 4],
  ['a missing colon', '{"a" 1}', 'invalid-json', 1, 6],
  ['a key without quotes', '{a: 1}', 'invalid-json', 1, 2],
  ['single quotes', "{'a': 1}", 'invalid-json', 1, 2],
  ['a wrong escape', '["\\d"]', 'invalid-json', 1, 2],
  ['a wrong escape before a tab', '["\\d\t"]', 'invalid-json', 1, 2],
  ['half an escape before a tab', '["\\u00 \t"]', 'invalid-json', 1, 2],
  ['a line break in a string', '{"a": "x\ny"}', 'invalid-json', 1, 7],
  ['a bracket of the other kind', '{"a": [1, 2}', 'invalid-json', 1, 12],
  ['a second value', '{"a": 1} {"a": 2}', 'invalid-json', 1, 10],
  ['a function', '{"map": function (doc) {}}', 'invalid-json', 1, 9],
  ['a number without digits', '[1.]', 'invalid-json', 1, 2],
  ['a NUL character', '{"a": \0}', 'invalid-json', 1, 7],
])('%s is one error with its place and no value', (_, text, code, line, column) => {
  const { node, errors } = parse(text);
  expect(errors).toMatchObject([{ code, place: { line, column } }]);
  expect(node).toBeUndefined();
});

test('the error of a text that stops names the bracket that is never closed', () => {
  expect(parse('{\n  "views": {"a": [1], ').errors[0]?.message).toContain('`{` of line 2, column 12');
});

test.each([
  ['as deep as allowed', '[', ']', MAX_DEPTH, []],
  ['one level deeper', '[', ']', MAX_DEPTH + 1, ['too-deep-json']],
  ['10,000 arrays deep', '[', ']', 10_000, ['too-deep-json']],
  ['1,000,000 objects deep', '{"a":', '}', 1_000_000, ['too-deep-json']],
  ['1,000,000 deep and not closed', '[', '', 1_000_000, ['too-deep-json']],
])('nesting %s is read or is one error', (_, open, close, depth, codes) => {
  const { errors } = parse(`${open.repeat(depth)}${open === '[' ? '' : '1'}${close.repeat(depth)}`);
  expect(errors.map(({ code }) => code)).toEqual(codes);
});

test('brackets in strings and comments are no nesting', () => {
  const { node } = parse(`{"a": "${'[\\"'.repeat(2000)}", /* ${'{"'.repeat(1999)} */ "b": 1}`);
  expect(member(node, 'b')).toMatchObject({ value: 1 });
});

test('any JSON is read as JSON.parse reads it, without errors and with true places', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), fc.constantFrom(undefined, 1, '\t'), (value, indent) => {
      const file = new SourceFile('orders.json', JSON.stringify(value, null, indent));
      const { node, errors } = parseJsonTree(file);
      expect(errors).toEqual([]);
      expect(toValue(node)).toEqual(JSON.parse(file.text));
      if (node) checkNode(node);
    }),
  );
});

test('text that was cut or changed at random never throws, and its errors lie in the file', () => {
  const whole = JSON.stringify(
    { _id: '_design/o', views: { a: { map: 'f("\\u00e9\n")', n: [1, -2.5, null] } } },
    null,
    1,
  );
  fc.assert(
    fc.property(fc.nat(whole.length), fc.nat(4), fc.string({ maxLength: 4 }), (at, removed, added) => {
      const file = new SourceFile('orders.json', whole.slice(0, at) + added + whole.slice(at + removed));
      const { node, errors } = parseJsonTree(file);
      for (const { place } of errors) if (place) checkPlace(file, place);
      if (node) checkNode(node);
      expect(node === undefined && errors.length === 0).toBe(false);
      expect(isJson(file.text) && errors.some(({ code }) => code !== 'duplicate-key')).toBe(false);
      expect(!isJson(file.text) && errors.length === 0).toBe(false);
    }),
    { numRuns: 500 },
  );
});

/** @param {ValueNode | undefined} node @returns {unknown} the value that JSON.parse gives */
function toValue(node) {
  if (node?.type === 'array') return node.items.map(toValue);
  if (node?.type !== 'object') return plain(node);
  return Object.fromEntries(node.entries.map((item) => [item.key, toValue(item.node)]));
}

/** @param {string} text @returns {boolean} */
function isJson(text) {
  try {
    JSON.parse(text.replace(/^\ufeff/, ''));
    return true;
  } catch {
    return false;
  }
}

test('a value of more parts than any design document has is not built', () => {
  const { node, errors } = parse(`{"views": [${'[],'.repeat(300_000)}[]]}`);
  expect(node).toBeUndefined();
  expect(errors).toMatchObject([{ code: 'json-too-large', message: 'the JSON has more than 300,000 values' }]);
});
