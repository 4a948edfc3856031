import { expect, test } from 'vitest';
import { emittedValues } from '../helpers/internals.js';

test.each([
  ['a constant', 'function (doc) { emit(doc._id, 1); }', { isNumber: 'always' }],
  ['a field', 'function (doc) { emit(doc._id, doc.total); }', { isNumber: 'if', field: 'doc.total' }],
  [
    'a tested field',
    "function (doc) { if (typeof doc.total === 'number') emit(doc._id, doc.total); }",
    { isNumber: 'always' },
  ],
  ['null', 'function (doc) { emit(doc._id, null); }', { isNumber: 'not' }],
  ['nothing', 'function (doc) { emit(doc._id); }', { isNumber: 'not' }],
  ['a text', "function (doc) { emit(doc._id, 'order'); }", { isNumber: 'not' }],
  ['an object', 'function (doc) { emit(doc._id, { total: 1 }); }', { isNumber: 'not' }],
  ['the document', 'function (doc) { emit(doc._id, doc); }', { isNumber: 'not' }],
  [
    'NaN, which JSON has not',
    'function (doc) { emit(doc._id, 0 / 0); }',
    expect.not.objectContaining({ isNumber: 'always' }),
  ],
  ['no map', 'not a map', { isNumber: 'if', open: 'the map could not be analyzed' }],
  [
    'a loop of old engines, which is not followed',
    'function (doc) { for each (var line in doc.lines) emit(line, 1); }',
    { isNumber: 'if', open: 'the map could not be analyzed' },
  ],
  ['nothing that is seen', 'function (doc) {}', { isNumber: 'if', open: 'no `emit` was found in the map' }],
  [
    'a helper that is not known',
    'function (doc) { emit(1, price(doc)); }',
    { isNumber: 'if', open: expect.any(String) },
  ],
  [
    'a field beside a helper that is not known',
    'function (doc) { emit(1, price(doc)); emit(2, doc.total); }',
    { isNumber: 'if', field: 'doc.total' },
  ],
])('of %s it is known whether it is a number', (_, map, number) => {
  expect(emittedValues(map).number).toEqual(number);
});

test.each([
  ['a field', 'emit(1, doc.total)', true],
  ['nothing', 'emit(1)', true],
  ['constants', "emit(1, 'x'); emit(2, null); emit(3, doc.isPaid ? 1 : true)", true],
  ['the document', 'emit(1, doc)', true],
  ['a list', 'emit(1, [doc.total])', true],
  ['a date', 'emit(1, new Date(doc.placed))', false],
  ['a number of a text, which may be NaN', 'emit(1, Number(doc.total))', false],
  ['Infinity', 'emit(1, 1 / 0)', false],
  ['what a function gives', 'emit(1, doc.lines.pop())', false],
  ['a field or a date', 'emit(1, doc.placed || new Date(0))', false],
])('of %s it is known whether JSON has it as it is', (_, body, isPlain) => {
  expect(emittedValues(`function (doc) { ${body}; }`).isPlain).toBe(isPlain);
});

test('the members of objects are told where all have the same', () => {
  const one = "function (doc) { if (typeof doc.net === 'number') emit(1, { net: doc.net, tax: doc.tax }); }";
  expect([...(emittedValues(one).members ?? [])]).toEqual([
    ['net', { isNumber: 'always' }],
    ['tax', { isNumber: 'if', field: 'doc.tax' }],
  ]);
  const two = 'function (doc) { if (doc.isPaid) emit(1, { paid: 1 }); else emit(1, { open: 1 }); }';
  expect(emittedValues(two).members).toBeUndefined();
});

test.each([
  [
    'function (doc) { emit(1, 1); emit(2, null); }',
    {
      kind: 'oneOf',
      of: [
        { kind: 'literal', value: 1 },
        { kind: 'literal', value: null },
      ],
    },
  ],
  [
    'function (doc) { emit(1, [1, 2]); }',
    {
      kind: 'array',
      items: [
        { kind: 'literal', value: 1 },
        { kind: 'literal', value: 2 },
      ],
    },
  ],
  ['function (doc) { emit(1, doc.total); }', undefined],
])('values to try are drawn from %s only where they are known', (map, spec) => {
  expect(emittedValues(map).spec).toEqual(spec);
});
