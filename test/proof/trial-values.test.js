import { describe, expect, test } from 'vitest';
import { drawRowLists, drawValue, drawVariedRows, rowsOf, withLiterals } from '../../lib/proof/trial-values.js';
import { suggestValues } from '../../lib/proof/trial-values-suggest.js';
import { parseFunction, randomFrom } from '../helpers/internals.js';

/** @import { ValueSpec } from '../../lib/proof/trial-values.js' */

/** @param {ValueSpec} spec @param {number} [count] */
function draw(spec, count = 400) {
  const random = randomFrom(11);
  return Array.from({ length: count }, () => drawValue(spec, random));
}

describe('a random source', () => {
  test('gives the same numbers for the same seed', () => {
    const [one, two] = [randomFrom(9), randomFrom(9)];
    expect([one.next(), one.below(100), one.shuffle([1, 2, 3, 4])]).toEqual([
      two.next(),
      two.below(100),
      two.shuffle([1, 2, 3, 4]),
    ]);
  });

  test('spreads over its range', () => {
    const random = randomFrom(1);
    const counts = [0, 0, 0, 0];
    for (let at = 0; at < 4000; at++) {
      const number = random.below(4);
      counts[number] = (counts[number] ?? 0) + 1;
    }
    for (const count of counts) expect(count).toBeGreaterThan(850);
  });
});

describe('values', () => {
  test.each(
    /** @type {[string, unknown][]} */ ([
      ['null', null],
      ['digits', '7'],
      ['an empty text', ''],
      ['true', true],
      ['an empty list', []],
      ['an empty object', {}],
      ['a list of one', [1]],
      ['a longer list', [1, 2, 3]],
      ['an object in a list in an object', { a: { b: [1, { c: null }] } }],
      ['figures already put together', { sum: 3, count: 2 }],
    ]),
  )('of any kind hold the trap %s', (_, trap) => {
    expect(draw({ kind: 'any' }, 3000)).toContainEqual(trap);
  });

  test('of numbers are large whole ones only where these are wanted', () => {
    const isLarge = (/** @type {unknown} */ value) => Number(value) > 1e9;
    expect(draw({ kind: 'number' }).some(isLarge)).toBe(false);
    const random = randomFrom(3);
    const list = Array.from({ length: 100 }, () => drawValue({ kind: 'list', of: { kind: 'number' } }, random, true));
    expect(list.flat()).toContain(9007199254740992);
  });

  test('of numbers are finite numbers, fractions and negative ones among them', () => {
    const values = draw({ kind: 'number' });
    expect(values.every((value) => Number.isFinite(value))).toBe(true);
    expect(values).toContain(0.1);
    expect(values.some((value) => Number(value) < -100)).toBe(true);
    expect(values.some((value) => Object.is(value, -0))).toBe(false);
  });

  test('of a literal are what JSON makes of it', () => {
    expect(draw({ kind: 'literal', value: undefined }, 1)).toEqual([null]);
    expect(draw({ kind: 'literal', value: Number.NaN }, 1)).toEqual([null]);
  });

  test('of an object have its members, whatever their names', () => {
    const [value] = draw({ kind: 'object', members: [['__proto__', { kind: 'null' }]] }, 1);
    expect(Object.keys(/** @type {object} */ (value))).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  test('of arrays are as long as their spec', () => {
    for (const value of draw({ kind: 'array', items: [{ kind: 'number' }, { kind: 'string' }] }, 50)) {
      expect([/** @type {unknown[]} */ (value).length, typeof (/** @type {unknown[]} */ (value)[1])]).toEqual([
        2,
        'string',
      ]);
    }
  });
});

describe('lists of rows', () => {
  const lists = drawRowLists({ kind: 'any' }, randomFrom(2), 40, {
    lengths: [77],
    keys: ['vip'],
    ids: ['draft'],
  });

  test('begin with a single row and with two equal ones, and none is empty', () => {
    expect(lists[0]?.length).toBe(1);
    expect(lists[1]?.[1]?.value).toEqual(lists[1]?.[0]?.value);
    expect(lists.every((rows) => rows.length > 0)).toBe(true);
  });

  test('hold the lengths, keys and ids that were asked for, with rows that differ', () => {
    expect(lists.map(({ length }) => length).slice(40)).toEqual([77, 3, 3, 3]);
    for (const rows of lists.slice(40)) {
      expect(new Set(rows.map(({ value }) => JSON.stringify(value))).size).toBe(rows.length);
    }
    expect(lists.at(-3)?.map(({ key }) => key)).toEqual(['vip', 'vip', 'vip']);
    expect(lists.at(-2)?.map(({ id }) => id)).toEqual(['draft', 'draft-1', 'draft-2']);
    expect(lists.at(-1)?.map(({ key }) => key)).toEqual(['draft', 'draft-1', 'draft-2']);
  });

  test('are in the order of the view', () => {
    for (const rows of lists.slice(0, 40)) {
      const order = rows.map(({ key, id }) => `${String(key).padStart(5, '0')} ${id}`);
      expect(order).toEqual([...order].sort());
    }
  });

  test('are the same for the same seed', () => {
    const asked = { lengths: [77], keys: ['vip'], ids: ['draft'] };
    expect(drawRowLists({ kind: 'any' }, randomFrom(2), 40, asked)).toEqual(lists);
  });

  test('of varied rows repeat no value', () => {
    const rows = drawVariedRows({ kind: 'object', members: [['status', { kind: 'string' }]] }, randomFrom(1), 500);
    expect(new Set(rows.map(({ value }) => JSON.stringify(value))).size).toBe(500);
  });

  test('have a key of their own each without a random source', () => {
    expect(rowsOf(['a', 'b']).map(({ key }) => key)).toEqual([1, 2]);
  });
});

test('constants join the values of their own type, and leave a literal alone', () => {
  /** @type {ValueSpec} */
  const spec = { kind: 'array', items: [{ kind: 'number' }, { kind: 'literal', value: 1 }] };
  const widened = withLiterals(spec, [12345, 'paid']);
  const values = draw(widened).map((value) => /** @type {unknown[]} */ (value));
  expect(values.some(([first]) => first === 12345)).toBe(true);
  expect(values.every(([first, second]) => first !== 'paid' && second === 1)).toBe(true);
});

describe('suggestions', () => {
  /** @param {string} source */
  const suggest = (source) => {
    const parsed = parseFunction(source);
    if (!parsed.ok || !parsed.fn) throw new Error(source);
    return suggestValues(parsed.fn);
  };

  test('are numbers first', () => {
    expect(suggest('function (keys, values) { return sum(values); }').specs[0]).toEqual({ kind: 'number' });
  });

  test('hold objects of the fields that are read', () => {
    const source = "function (k, v) { var t = 0; v.forEach(function (o) { t += o.net + o['tax']; }); return t; }";
    const members = ['net', 'tax'].map((name) => [name, { kind: 'number' }]);
    expect(suggest(source).specs).toContainEqual({ kind: 'object', members });
  });

  test('hold arrays as long as the greatest index that is read of a value', () => {
    const source = 'function (k, v) { var t = 0; v.forEach(function (o) { t += o[1]; }); return t; }';
    expect(suggest(source).specs).toContainEqual({ kind: 'array', items: [{ kind: 'number' }, { kind: 'number' }] });
    const first = suggest('function (k, v) { return v[0]; }').specs;
    expect(first).not.toContainEqual({ kind: 'array', items: [{ kind: 'number' }] });
  });

  test('end with lists, pairs and lists of pairs', () => {
    const kinds = suggest('function (keys, values) { return sum(values); }').specs.map(({ kind }) => kind);
    expect(kinds.slice(-5)).toEqual(['list', 'list', 'array', 'list', 'record']);
  });

  test('hold the numbers of rows and the constants at which a branch may turn', () => {
    const { lengths, literals, keys, ids } = suggest(
      "function (k, v) { return v.length > 100 && k[0][0] !== 'vip' ? 1 : 2; }",
    );
    expect(lengths).toEqual(expect.arrayContaining([100, 101, 200]));
    expect(literals).toEqual(expect.arrayContaining([100, 101, 99, 99.5, -100, -101, 'vip']));
    expect(literals.map((value) => (typeof value === 'string' ? value.length : 0))).toContain(101);
    expect(keys).toEqual(expect.arrayContaining(['vip', ['vip'], ['pear', 'vip'], ['pear', 'apple', 'vip']]));
    expect(ids).toContain('vip');
  });

  test.each([
    ['a number below zero', 'v[0] < -40', -40],
    ['a product', 'v.length > 60 * 5', 300],
    ['a power', 'v[0] > 2 ** 10', 1024],
    ['a sum of a difference', 'v[0] > 1 + (9 - 3)', 7],
  ])('hold the value of %s', (_, test_, value) => {
    expect(suggest(`function (k, v) { return ${test_} ? 1 : 2; }`).literals).toContain(value);
  });

  test('hold no more rows than can be tried', () => {
    const source = `function (k, v) { return v.length > 90000 || [${[300, 2500, 5000, 9000, 11000].join()}].length; }`;
    const { lengths } = suggest(source);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(12_000);
    expect(lengths.reduce((total, length) => total + length, 0)).toBeLessThanOrEqual(40_000);
    expect(lengths).toContain(2501);
  });

  test.each([
    ['(k, v) => sum(v)', false],
    ['(k, v) => k.length', true],
    ['function (k, v) { return arguments[0]; }', true],
    ['() => 1', false],
  ])('hold keys and ids only where the reducer looks at them: %s', (source, isRead) => {
    const { keys, ids } = suggest(source);
    expect([keys.length > 0, ids.length > 0]).toEqual([isRead, isRead]);
  });
});
