import { expect, test } from 'vitest';
import { shapeOf } from '../../../lib/proof/evidence/shape.js';

test('members, how many documents have them, and types of their values', () => {
  const documents = [
    { _id: 'a', _rev: '1-a', total: 5, items: [{ price: 1 }, { price: '2' }], customer: { name: 'Ann' } },
    { _id: 'b', total: null, items: [] },
    { _id: '_design/orders', views: {} },
  ];
  expect(shapeOf(documents)).toEqual([
    { path: '_id', documents: 2, types: { string: 2 } },
    { path: 'total', documents: 2, types: { number: 1, null: 1 } },
    { path: 'items', documents: 2, types: { array: 2 } },
    { path: 'items[]', documents: 1, types: { object: 2 } },
    { path: 'items[].price', documents: 1, types: { number: 1, string: 1 } },
    { path: 'customer', documents: 1, types: { object: 1 } },
    { path: 'customer.name', documents: 1, types: { string: 1 } },
  ]);
});

test('a table with names without end ends', () => {
  const table = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`key-${at}`, at]));
  expect(shapeOf([{ _id: 'a', table }]).length).toBe(300);
});
