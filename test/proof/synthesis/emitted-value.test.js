// A map with another value in its `emit`, and nothing else changed.

import { expect, test } from 'vitest';
import { documentName, emitInstead, fieldsOf } from '../../../lib/proof/synthesis/emitted-value.js';

test.each([
  ['a value', 'function (doc) { emit(doc.date, doc); }', 'function (doc) { emit(doc.date, null); }'],
  ['no value', 'function (doc) { emit(doc.date); }', 'function (doc) { emit(doc.date, null); }'],
  [
    'several calls',
    "function (doc) {\n  if (doc.a) emit([doc.a, 1], { a: doc.a });\n  else emit('b', doc.b); // emit(1, 2)\n}",
    "function (doc) {\n  if (doc.a) emit([doc.a, 1], null);\n  else emit('b', null); // emit(1, 2)\n}",
  ],
  ['an arrow', '(d) => emit(d._id, d.total)', '(d) => emit(d._id, null)'],
])('%s', (_, map, expected) => {
  expect(emitInstead(map, 'null')).toBe(expected);
});

test.each([
  ['a call that spreads', 'function (doc) { emit(...[doc.a, doc.b]); }'],
  ['no call', 'function (doc) { return doc; }'],
  ['a call in a value', 'function (doc) { emit(doc.a, emit(doc.b, 1)); }'],
  ['what is no function', 'function (doc) {'],
])('%s is left alone', (_, map) => {
  expect(emitInstead(map, 'null')).toBeUndefined();
});

test('the document is called as the map calls it', () => {
  expect(documentName('function (order) { emit(order.date); }')).toBe('order');
  expect(documentName('function ({ date }) { emit(date); }')).toBeUndefined();
  expect(documentName('function () {}')).toBeUndefined();
});

test('fields are read from it', () => {
  expect(fieldsOf('doc', ['date', 'a-b'])).toBe('{ date: doc.date, "a-b": doc["a-b"] }');
});
