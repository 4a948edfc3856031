import { describe, expect, test } from 'vitest';
import { byPlace, costliest } from '../../../lib/engine/findings/order.js';

/** @import { Finding } from '../../../lib/engine/findings/finding.js' */

/**
 * @param {string} file
 * @param {number} line
 * @param {number} column
 * @param {string} key
 * @returns {Finding}
 */
const finding = (file, line, column, key) => /** @type {Finding} */ ({ key, place: { file, line, column } });

test('orders by file, line, column and key', () => {
  const ordered = [
    finding('Stock.json', 9, 9, 'b'),
    finding('orders.json', 2, 30, 'a'),
    finding('orders.json', 10, 3, 'b'),
    finding('orders.json', 10, 20, 'a'),
    finding('orders.json', 10, 20, 'b'),
  ];
  for (let turn = 0; turn < ordered.length; turn += 1) {
    const turned = [...ordered.slice(turn), ...ordered.slice(0, turn)].sort(byPlace);
    expect(turned).toEqual(ordered);
  }
});

/**
 * @param {string} rule
 * @param {Record<string, number>} shares by query pattern
 * @param {number | null} [ratio] that was measured of it
 * @returns {Finding}
 */
const costly = (rule, shares, ratio) => {
  const shapes = Object.entries(shares).map(([id, share]) => ({ id, share }));
  const share = shapes.reduce((sum, shape) => sum + shape.share, 0);
  const verdict = ratio === undefined ? {} : { verdict: { ratio } };
  return /** @type {any} */ ({
    rule,
    key: rule,
    place: { file: rule },
    cost: { share, requests: 1, shapes },
    ...verdict,
  });
};

describe('the costliest', () => {
  const rules = [{ id: 'page', saves: 32 }, { id: 'copy', saves: 1 }, { id: 'read', saves: 7.6 }, { id: 'other' }];
  const ranked = (/** @type {Finding[]} */ ...findings) =>
    costliest(findings, rules).map(({ finding, share }) => [finding.rule, share]);

  test('counts each request once, with the finding whose advice saves most', () => {
    expect(ranked(costly('read', { a: 0.5 }), costly('page', { a: 0.5 }), costly('other', { a: 0.5 }))).toEqual([
      ['page', 0.5],
    ]);
  });

  test('counts with others what is left of their requests', () => {
    expect(ranked(costly('read', { a: 0.5, b: 0.2 }), costly('page', { a: 0.5 }))).toEqual([
      ['page', 0.5],
      ['read', 0.2],
    ]);
  });

  test('names no finding whose advice changes nothing about requests', () => {
    expect(ranked(costly('copy', { a: 0.5 }))).toEqual([]);
    expect(ranked(costly('copy', { a: 0.5 }), costly('other', { a: 0.5 }))).toEqual([['other', 0.5]]);
  });

  test('goes by what was measured of the finding itself, where it was', () => {
    const [page, read] = [costly('page', { a: 0.5 }, 1.2), costly('read', { a: 0.5 }, 8)];
    expect(ranked(page, read)).toEqual([['read', 0.5]]);
    expect(ranked(costly('page', { a: 0.5 }, null), read)).toEqual([['page', 0.5]]);
  });
});
