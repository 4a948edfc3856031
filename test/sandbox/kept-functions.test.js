// Functions that are kept answer as CouchDB's do, and what is wrong with them harms nobody.

import { beforeAll, describe, expect, test } from 'vitest';
import { keepFunctions } from '../../lib/sandbox/kept-functions.js';

/** @import { KeptFunctions } from '../../lib/sandbox/kept-functions.js' */

/** @type {KeptFunctions} */
let functions;
beforeAll(async () => {
  functions = await keepFunctions();
});

describe('a map', () => {
  const map = () => functions.map("function (doc) { if (doc.type === 'order') emit(doc.total, { of: doc._id }); }");

  test('emits for each document', () => {
    const call = map();
    expect(call({ _id: 'order-1', type: 'order', total: 5 })).toEqual([[5, { of: 'order-1' }]]);
    expect(call({ _id: 'customer-1', type: 'customer' })).toEqual([]);
  });

  test.each([
    ['throws', 'function (doc) { emit(1, 1); throw new Error(doc.none.none); }'],
    ['is none', 'order by total'],
    ['never ends', 'function (doc) { while (true) {} }'],
    ['takes all memory', 'function (doc) { var all = [doc]; while (true) all = all.concat(all); }'],
    ['calls itself for ever', 'function again(doc) { return again(doc) + 1; }'],
    ['looks for the process', 'function (doc) { emit(process.env, require("fs")); }'],
    ['leaves by a constructor', 'function (doc) { emit(sum.constructor.constructor("return process")().pid, 1); }'],
  ])(
    'that %s emits nothing, and the next one works',
    (_, source) => {
      expect(functions.map(source)({ _id: 'order-1' })).toEqual([]);
      expect(map()({ _id: 'order-2', type: 'order', total: 1 })).toHaveLength(1);
    },
    30_000,
  );
});

describe('a reduce', () => {
  test('answers both passes', () => {
    const reduce = functions.reduce(
      'function (keys, values, rereduce) { return rereduce ? sum(values) : values.length; }',
    );
    expect(reduce([['ada', 'order-1']], [5, 7], false)).toBe(2);
    expect(reduce(null, [2, 3], true)).toBe(5);
  });

  test('that throws says what', () => {
    expect(() => functions.reduce('function () { throw new Error("out of stock"); }')(null, [], true)).toThrow(
      'out of stock',
    );
  });
});

test('more functions than are kept can be used in turn', () => {
  for (let round = 0; round < 2; round += 1) {
    for (let number = 0; number < 20; number += 1) {
      expect(functions.map(`function (doc) { emit(${number}, doc.count); }`)({ count: 1 })).toEqual([[number, 1]]);
    }
  }
});
