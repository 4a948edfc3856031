import { expect, test } from 'vitest';
import { findLegacy } from '../../lib/javascript/legacy.js';
import { parseFunction } from '../helpers/internals.js';

/** @param {string} text */
function legacyOf(text) {
  const parsed = parseFunction(text);
  if (parsed.ok) throw new Error(`${text} parses`);
  return findLegacy(text, parsed.offset);
}

test.each([
  ['function (doc) { for each (var line in doc.lines) emit(line); }', 'for each', 'each'],
  ['function (doc) { try { emit(1); } catch (e if e instanceof TypeError) {} }', 'catch with a condition', 'if'],
  ['function (doc) { emit([line.sku for each (line in doc.lines)]); }', 'array comprehension', 'for'],
  ['function (doc) { emit([line for (line in doc.lines) if (line)]); }', 'array comprehension', 'for'],
  ['function (doc) { emit(sum(line.price for (line in doc.lines))); }', 'generator expression', 'for'],
  ['orders: function (doc) { emit(1); }', 'a name before the function', '('],
  ['function (doc) { emit(doc.lines.map(function (line) line.price)); }', 'function without braces', 'line'],
  ['function (doc) { emit(doc.lines.map(function price(a, b) (a + b))); }', 'function without braces', '('],
  ['function (doc) { var page = <order/>; }', 'E4X', '<'],
  ['function (doc) { return <order>{doc._id}</order>; }', 'E4X', '<'],
  ['function (doc) { emit(doc.xml.(price)); }', 'E4X', '('],
  ['function (doc) { emit(doc.xml..price); }', 'E4X', '.'],
  ['function (doc) { emit(doc.xml.@id); }', 'E4X', '@'],
])('%s: %s', (text, name, at) => {
  const found = legacyOf(text);
  expect(found && [found.name, text.startsWith(at, found.start)]).toEqual([name, true]);
});

test.each([
  'function (doc) { emit(doc._id; }',
  'function (doc) { if (doc.price < ) emit(1); }',
  'function (doc) { each (var line in doc.lines) {} }',
  'function (doc) { emit(1) emit(2) }',
  'function (doc) { foo(1) bar }',
  'function (doc) { var r = /\\_/u; emit(1) }',
  'function (doc) { emit("one); }',
  'function (doc) {',
  '{ orders: function (doc) {} }',
  '%',
])('%s is a plain error', (text) => {
  expect(legacyOf(text)).toBeUndefined();
});
