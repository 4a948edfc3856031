import { expect, test } from 'vitest';
import { byPlace } from '../../lib/findings/order.js';

/** @import { Finding } from '../../lib/findings/finding.js' */

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
