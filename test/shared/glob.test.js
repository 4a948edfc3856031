import { expect, test } from 'vitest';
import { matchesGlob } from '../../lib/shared/glob.js';

test.each([
  ['ddocs/orders.json', 'ddocs/*.json', true],
  ['ddocs/old/orders.json', 'ddocs/*.json', false],
  ['ddocs/old/orders.json', 'ddocs/**', true],
  ['ddocs/old/2019/orders.json', '**/old/**', true],
  ['orders.json', '{orders,stock}.json', true],
  ['.couchapp/orders.json', '.couchapp/*.json', true],
  ['.hidden/orders.json', '**/*.json', true],
  ['ordersxjson', 'orders.json', false],
])('whether %s fits %s: %s', (path, glob, expected) => {
  expect(matchesGlob(path, glob)).toBe(expected);
});
