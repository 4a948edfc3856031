// Functions that are kept answer as CouchDB's do, and what is wrong with them harms nobody.

import { afterAll, describe, expect, test } from 'vitest';
import { FunctionCutOff, keepFunctions } from '../../lib/sandbox/kept-functions.js';
import { isLong } from '../helpers/long.js';

const functions = keepFunctions({ callCpuMs: 10_000 });
afterAll(() => functions.close());

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

describe('a map that a limit cuts off', () => {
  test.each([
    ['never ends', 'function (doc) { while (true) {} }', 'the map: the call took more than 5 million steps'],
    ...(isLong
      ? [
          [
            'takes all memory',
            'function (doc) { var all = [doc]; while (true) all = all.concat(all); }',
            'out of memory',
          ],
        ]
      : []),
    ['calls itself for ever', 'function again(doc) { return again(doc) + 1; }', 'stack overflow'],
    ['answers too much', 'function (doc) { emit(1, new Array(2e6).join("x")); }', 'characters long'],
  ])('because it %s says so, and the next one works', (_, source, message) => {
    const call = () => functions.map(source)({ _id: 'order-1' });
    expect(call).toThrow(FunctionCutOff);
    expect(() => functions.map('function (doc) { emit(doc.total, 1); }')({ total: 7 })).not.toThrow();
    expect(call).toThrow(message);
  });

  test('because it never comes back to the engine loses its thread, and is not run any more', async () => {
    const impatient = keepFunctions({ callCpuMs: 300 });
    const call = () => impatient.map('function (doc) { [].indexOf.call({ length: 9e15 }, 1); }')({ total: 7 });
    const reason = 'a call of the map took more than 0.3 s of processor time; not determined on this run';
    expect(call).toThrow(`the map: ${reason}`);
    expect(call).toThrow(`the map is no longer run: ${reason}`);
    expect(impatient.map('function (doc) { emit(doc.total, 1); }')({ total: 7 })).toEqual([[7, 1]]);
    await impatient.close();
  });

  test('again and again is not run any more', () => {
    const call = () => functions.map('function (doc) { while (doc.total > 5) {} emit(1, 1); }')({ total: 7 });
    for (let time = 0; time < 3; time += 1) expect(call).toThrow('the map: the call took more than');
    expect(call).toThrow('the map is no longer run: the call took more than 5 million steps');
  });

  test.runIf(isLong)('may have been kept from memory by others, and then runs', () => {
    const hoard = functions.map(
      '(function () { var all = []; return function (doc) { for (var i = 0; i < 40; i++) all.push(new Array(1 << 20).join("x") + i); emit(1, 1); }; })()',
    );
    expect(hoard({ _id: 'order-1' })).toEqual([[1, 1]]);
    const large = functions.map('function (doc) { emit(new Array(20 << 20).join("x").length, 1); }');
    expect(large({ _id: 'order-1' })).toEqual([[20 * 1024 * 1024 - 1, 1]]);
  });

  test.runIf(isLong)('has a total for all documents', () => {
    const call = functions.map('function (doc) { for (var i = 0; i < 2400000; i++) {} emit(1, 1); }');
    const answers = [];
    for (let number = 0; number < 25; number += 1) {
      try {
        answers.push(call({ _id: `order-${number}` }).length);
      } catch (error) {
        answers.push(error instanceof FunctionCutOff && error.message);
      }
    }
    expect(answers.slice(0, 20)).toEqual(Array(20).fill(1));
    expect(answers.at(-1)).toContain('all calls together took more than 100 million steps');
  });
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
