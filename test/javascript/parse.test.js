import { expect, test } from 'vitest';
import { parseFunction, parseModule } from '../helpers/internals.js';

test.each([
  ['function (doc) { emit(doc._id); }', 'expression', 0],
  ['  // stock\nfunction (doc) { emit(doc._id); };;', 'expression', 11],
  ['(function (doc) { emit(doc._id); });', 'expression', 1],
  ['doc => emit(doc._id)', 'expression', 0],
  ['function* (doc) { emit(doc._id); }', 'expression', 0],
  ['function map(doc) { emit(doc._id); }', 'named', 0],
  ['(function map(doc) { emit(doc._id); })', 'named', 1],
  ['function (doc) { emit(price(doc)); } function price(doc) { return 1; }', 'code-after', 0],
  ['function map(doc) { emit(price(doc)); } function price(doc) { return 1; }', 'code-after', 0],
  ['function (doc) { emit(1); } if (x) a', 'code-after', 0],
  ['function price(doc) { return 1; } function (doc) { emit(price(doc)); }', 'statements', 34],
  ['var tax = 19; function (doc) { emit(tax); }', 'statements', 14],
  ['var tax = 19; (function (doc) { emit(tax); })', 'statements', 15],
  ['function map(doc) { emit(1); } map', 'statements', 0],
  ['var map = function (doc) { emit(1); }; map;', 'statements', 10],
  ['map = function (doc) { emit(1); }', 'statements', 6],
])('%s is of shape %s, its function at %i', (text, shape, start) => {
  const parsed = parseFunction(text);
  expect(parsed.ok && { shape: parsed.shape, start: parsed.fn?.start }).toEqual({ shape, start });
});

test.each(['', '  ', 'var map = function (doc) {}', '(function () { return doc; })()', 'class Order {}', '1; 2'])(
  '%j gives no function',
  (text) => {
    const parsed = parseFunction(text);
    expect(parsed.ok && { shape: parsed.shape, fn: parsed.fn }).toEqual({ shape: 'none', fn: undefined });
  },
);

test.each([
  ['function (doc) { emit(doc._id; }', 29],
  ['orders: function (doc) { emit(1); }', 17],
  ['async function (doc) { emit(1); }', 15],
  ['function (doc) { function (line) {} }', 26],
  ['if (true) function (doc) {}', 19],
  ['return 1', 0],
])('%s stops the parser at %i', (text, offset) => {
  const parsed = parseFunction(text);
  expect(parsed.ok ? 'it parses' : parsed.offset).toBe(offset);
});

test('code that exhausts the stack is an error with a message and no throw', () => {
  const deep = 50_000;
  const parsed = parseFunction(`function (doc) { emit(${'('.repeat(deep)}1${')'.repeat(deep)}); }`);
  expect(parsed.ok ? '' : parsed.message).toBe('The code is nested too deeply to be parsed');
});

test('a module is statements, and may return', () => {
  const parsed = parseModule('exports.tax = 19; if (exports.tax) return;');
  expect(parsed.ok && [parsed.roots.length, parsed.shape]).toEqual([2, 'none']);
});

test('a function without a name is no statement of a module', () => {
  expect(parseModule('function (doc) {}').ok).toBe(false);
});
