import { expect, test } from 'vitest';
import { readFiles } from '../../helpers/facts-of.js';

test.each([
  ['2.0.0', 200],
  ['2.1.0', 4096],
  ['3.4.3', 4096],
  ['3.5.0', 4096],
  ['3.5.1', 5000],
])('CouchDB %s checks the result of a reduce from %i characters on', (version, characters) => {
  const shop = { _id: '_design/shop', views: { totals: { map: 'function (doc) {}', reduce: '_sum' } } };
  expect(readFiles({ 'shop.json': shop }, version).shortFact('view', 'reduce.limitCharacters')).toBe(characters);
});
