import { expect, test } from 'vitest';
import { nearest } from '../../lib/shared/nearest.js';

const rules = ['view/emit-whole-doc', 'view/duplicate-index', 'map/mutates-doc', 'reduce/grows'];

test.each([
  ['a letter too few', 'view/emit-whole-dc', 'view/emit-whole-doc'],
  ['a letter too many', 'reduce/growss', 'reduce/grows'],
  ['another letter', 'map/mutates-dok', 'map/mutates-doc'],
  ['two letters swapped', 'reduce/gorws', 'reduce/grows'],
  ['another case and other hyphens', 'View/Emit_Whole_Doc', 'view/emit-whole-doc'],
  ['the name itself', 'reduce/grows', 'reduce/grows'],
  ['three mistakes', 'view/emt-whol-dc', undefined],
  ['another name', 'view/unused', undefined],
  ['nothing', '', undefined],
])('%s', (_, word, expected) => {
  expect(nearest(word, rules)).toBe(expected);
});

test('takes the nearer of two', () => {
  expect(nearest('by_dates', ['by_data', 'by_date'])).toBe('by_date');
});

test('does not guess at words of a few letters', () => {
  expect(nearest('id', ['key', 'map'])).toBeUndefined();
});
