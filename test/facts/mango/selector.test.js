// Matching of documents by Mango selectors and their normal form, where the recorded cases of the planner do not show it.

import { describe, expect, test } from 'vitest';
import { mangoRows } from '../../../lib/facts/mango/index-rows.js';
import { matchSelector, normalizeSelector } from '../../../lib/facts/mango/selector.js';
import { matches } from '../../helpers/mango-matches.js';

/** @param {any} selector @param {any} doc @returns {any} */
function match(selector, doc) {
  const normal = normalizeSelector(selector);
  return 'selector' in normal ? matchSelector(normal.selector, doc) : normal;
}

describe('a selector', () => {
  test.each(matches)('%s', (_, selector, doc, told) => {
    expect(match(selector, doc)).toBe(told);
  });

  test.each([
    ['a possessive quantifier', { a: { $regex: 'a*+b' } }, { a: 'aab' }],
    ['a reference', { a: { $regex: '(a)\\1' } }, { a: 'aa' }],
    ['a named class', { a: { $regex: '[[:alpha:]]' } }, { a: 'a' }],
    [
      'a group of loops in a loop',
      { a: { $regex: '^(a+)+$' } },
      { a: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab' },
    ],
    ['loops over a long text', { a: { $regex: 'a.*b.*c.*d' } }, { a: 'x'.repeat(1000) }],
    ['many parts that may be absent', { a: { $regex: `${'a?'.repeat(30)}${'a'.repeat(30)}` } }, { a: 'a'.repeat(30) }],
    ['optional parts in a loop', { a: { $regex: '^(a?a?)+$' } }, { a: `${'a'.repeat(40)}b` }],
    ['many alternatives', { a: { $regex: `${'(a|a)'.repeat(30)}b` } }, { a: 'a'.repeat(30) }],
    ['letters beyond ASCII', { a: { $regex: '\\w' } }, { a: 'é' }],
    ['a division by zero', { a: { $mod: [0, 1] } }, { a: 1 }],
    ['a field with an empty part', { 'a..b': 1 }, { a: 1 }],
    ['one of them under $not', { a: { $not: { $regex: 'a*+b' } } }, { a: 'a' }],
  ])('is unknown: %s', (_, selector, doc) => {
    expect(match(selector, doc)).toEqual({ unknown: expect.any(String) });
  });

  test.each([
    ['another test decides', { a: { $regex: 'a*+b' }, b: 1 }, { b: 2 }, false],
    ['the value is no text', { a: { $regex: 'a*+b' } }, { a: 1 }, false],
    ['the divisor is zero, but the value no integer', { a: { $mod: [0, 1] } }, { a: 'b' }, false],
  ])('is known where %s', (_, selector, doc, told) => {
    expect(match(selector, doc)).toBe(told);
  });
});

test('deeply nested documents are no problem', () => {
  let deep = /** @type {any} */ ([]);
  for (let level = 0; level < 100_000; level += 1) deep = [deep];
  expect(match({ a: { $elemMatch: { _id: { $gt: [[[]]] } } } }, { a: [{ _id: deep }] })).toBe(true);
  expect(match({ a: { $all: [[[]]] } }, { a: [deep] })).toBe(false);
  expect(match({ a: { $lt: [[[]]] } }, { a: deep })).toBe(false);
});

describe('a normalized selector', () => {
  test.each([
    ['an implied $eq', { a: 1 }, { a: { $eq: 1 } }],
    ['an implied $and', { a: 1, b: { $gt: 2 } }, { $and: [{ a: { $eq: 1 } }, { b: { $gt: 2 } }] }],
    ['nested fields', { a: { b: { c: 1 } } }, { 'a.b.c': { $eq: 1 } }],
    ['fields under operators', { a: { $or: [1, { b: 2 }] } }, { $or: [{ a: { $eq: 1 } }, { 'a.b': { $eq: 2 } }] }],
    [
      'De Morgan',
      { $not: { $and: [{ a: 1 }, { $nor: [{ b: 2 }] }] } },
      { $or: [{ a: { $ne: 1 } }, { $or: [{ b: { $eq: 2 } }] }] },
    ],
    ['fields of elements on their own', { a: { $elemMatch: { b: 1 } } }, { a: { $elemMatch: { b: { $eq: 1 } } } }],
    ['an object as a value', { a: { $eq: { b: 1 } } }, { a: { $eq: { b: 1 } } }],
    ['an own member __proto__', JSON.parse('{"__proto__": 1}'), JSON.parse('{"__proto__": {"$eq": 1}}')],
  ])('has %s', (_, selector, told) => {
    expect(normalizeSelector(selector)).toEqual({ selector: told });
  });
});

describe('rows of a Mango index', () => {
  const definition = { fields: ['a', { 'b.c': 'desc' }], partial_filter_selector: { d: { $gt: 1 } } };
  test.each([
    ['one with the values of all columns', { a: null, b: { c: [1] }, d: 2 }, [{ key: [null, [1]], value: null }]],
    ['none where a column is missing', { a: 1, d: 2 }, []],
    ['none where the filter does not match', { a: 1, b: { c: 1 }, d: 1 }, []],
    ['none of a design document', { _id: '_design/x', a: 1, b: { c: 1 }, d: 2 }, []],
  ])('%s', (_, doc, told) => {
    expect(mangoRows(definition, doc)).toEqual(told);
  });

  test('are unknown where the filter is', () => {
    expect(mangoRows({ fields: ['a'], partial_filter_selector: { a: { $foo: 1 } } }, { a: 1 })).toHaveProperty(
      'unknown',
    );
  });
});
