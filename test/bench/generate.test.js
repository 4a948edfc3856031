import { parseExpressionAt } from 'acorn';
import { expect, test } from 'vitest';
import { createChance, generateDesignDocs } from './generate.js';
import { figures, interleave } from './measure.js';

const documents = generateDesignDocs({ documents: 40, views: 10, seed: 7 });
const views = documents.flatMap((document) => Object.values(document.views));
const functions = views.flatMap((view) => [view.map, view.reduce ?? '_']).filter((text) => !text.startsWith('_'));

test('the size is the one asked for', () => {
  expect(documents).toHaveLength(40);
  expect(views).toHaveLength(400);
  expect(new Set(documents.map((document) => document._id)).size).toBe(40);
});

test('equal seeds give equal documents, other seeds give others', () => {
  expect(generateDesignDocs({ documents: 40, views: 10, seed: 7 })).toEqual(documents);
  expect(generateDesignDocs({ documents: 40, views: 10, seed: 8 })).not.toEqual(documents);
});

test('every function is one that old engines parse', () => {
  for (const text of functions) {
    expect(() => parseExpressionAt(`(${text})`, 0, { ecmaVersion: 5 }), text).not.toThrow();
  }
});

test('functions are varied in text and in length', () => {
  expect(new Set(functions).size).toBeGreaterThan(functions.length * 0.75);
  const lengths = figures(functions.map((text) => text.length));
  expect(lengths.min).toBeLessThan(100);
  expect(lengths.max).toBeGreaterThan(1200);
});

test('chance stays below 1 and hits as often as it is told', () => {
  const chance = createChance(3);
  const values = Array.from({ length: 2000 }, () => chance.next());
  expect(Math.min(...values)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...values)).toBeLessThan(1);
  const hits = Array.from({ length: 2000 }, () => chance.hits(0.25)).filter(Boolean).length;
  expect(hits).toBeGreaterThan(400);
  expect(hits).toBeLessThan(600);
});

test.each([
  ['one value', [5], { min: 5, median: 5, max: 5 }],
  ['an odd number', [9, 1, 4], { min: 1, median: 4, max: 9 }],
  ['an even number', [10, 2, 4, 8], { min: 2, median: 6, max: 10 }],
])('figures of %s', (_, values, expected) => {
  expect(figures(values)).toEqual(expected);
});

test('runs are interleaved, turned about, and the first of each does not count', () => {
  /** @type {string[]} */
  const order = [];
  const results = interleave({ ours: () => order.push('ours'), other: () => order.push('other') }, 2);
  expect(order.join(' ')).toBe('ours other ours other other ours');
  expect(results).toEqual({ ours: [3, 6], other: [4, 5] });
});
