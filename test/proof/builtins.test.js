import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { builtinOf, reduceBuiltin } from '../../lib/proof/builtins.js';

/** @import { BuiltinTree } from '../../lib/proof/builtins.js' */

const NEW = '3.5.0';
const OLD = '3.4.3';

/** @param {unknown[]} values @returns {{id: string, key: unknown, value: unknown}[]} */
const rowsOf = (values) => values.map((value, at) => ({ id: `order-${at}`, key: at, value }));

/** @param {...unknown[]} lists @returns {BuiltinTree} one part for each list */
const inParts = (...lists) => {
  const rows = rowsOf(lists.flat());
  return { parts: lists.map((list) => ({ rows: rows.splice(0, list.length) })) };
};

/** What a client would see: the value, or the kind of the failure. @param {string} name @param {BuiltinTree} tree @param {string} [target] */
function seen(name, tree, target = NEW) {
  const answer = reduceBuiltin(name, tree, target);
  if ('unknown' in answer) return answer;
  if ('value' in answer) return { value: answer.value };
  return answer.error.row === undefined ? { fails: answer.error.kind } : { value: answer.error.row };
}

describe('_sum', () => {
  test.each(
    /** @type {[string, unknown[][], unknown][]} */ ([
      ['numbers', [[1, 2], [3]], 6],
      ['no rows', [[]], 0],
      ['negative zero, which is written as 0', [[-0]], 0],
      ['floats in the order of the rows', [[0.1, 0.2, 0.3]], 0.6000000000000001],
      ['floats in another order', [[0.1], [0.2, 0.3]], 0.6],
      ['what is no JSON number as an error', [[1, Number.NaN]], expect.objectContaining({ caused_by: null })],
      ['whole numbers beyond 2^53 exactly', [[2 ** 53, 1, 1, 1]], 2 ** 53 + 4],
      ['what was lost above 2^53 before the sum stays lost', [[2 ** 53, 1, -(2 ** 53)]], 1],
      ['great floats as floats', [[1e21, 1, -1e21]], 0],
      ['arrays of unequal length', [[[1, 2]], [[3]]], [4, 2]],
      ['a number and an array', [[5, [1, 2]]], [6, 2]],
      ['an empty array with the first 0', [[[]]], [0]],
      ['objects by their members', [[{ a: 1, b: 2 }], [{ b: 3, c: 4 }]], { a: 1, b: 5, c: 4 }],
      ['nested objects', [[{ a: { b: 1 } }, { a: { b: 2, c: [1] } }]], { a: { b: 3, c: [1] } }],
      ['a lone object unseen', [[{ a: null }]], { a: null }],
      ['a member that only one has unseen', [[{ a: 'x' }], [{ b: 1 }]], { a: 'x', b: 1 }],
      ['an object behind zeros', [[0, 0, { a: 1 }]], { a: 1 }],
      ['what only the longer array has unseen', [[[1], [2, 'x']]], [3, 'x']],
    ]),
  )('adds %s', (_, lists, value) => {
    expect(seen('_sum', inParts(...lists))).toEqual({ value });
  });

  test.each(
    /** @type {[string, unknown[][], unknown][]} */ ([
      ['null', [[1, null, 2]], null],
      ['a text of digits', [['1', '2']], '1'],
      ['true', [[true]], true],
      [
        'a text in an array, told with what follows in the sum',
        [
          [
            [1, 2, 3],
            ['x', 5],
          ],
        ],
        [1, 2, 3],
      ],
      ['a number behind an object', [[{ a: 1 }, 5]], 5],
      ['an array behind an object in an object', [[{ a: { b: 1 } }, { a: [1] }]], [1]],
    ]),
  )('answers %s with a row that tells the error', (_, lists, caused_by) => {
    const answer = reduceBuiltin('_sum', inParts(...lists), NEW);
    expect(answer).toEqual({
      error: {
        kind: 'errorRow',
        message: expect.stringContaining('requires that map values be numbers'),
        row: { error: 'builtin_reduce_error', reason: expect.any(String), caused_by },
      },
    });
  });

  test('hands the error of a part on, whatever the other parts are', () => {
    expect(seen('_sum', inParts([1], [null], [2]))).toEqual(seen('_sum', inParts([null])));
  });

  test('takes an error that the map emits for one of its own', () => {
    const row = { error: 'builtin_reduce_error', reason: 'the shop is closed' };
    expect(reduceBuiltin('_sum', inParts([1, row, 2]), NEW)).toEqual({
      error: { kind: 'errorRow', message: 'the shop is closed', row },
    });
  });

  test.each(
    /** @type {[string, unknown[][], string][]} */ ([
      ['an object behind a number', [[5, { a: 1 }]], 'caseClause'],
      ['an object behind 0 as a float', [[1.5, -1.5, { a: 1 }]], 'caseClause'],
      ['another member "error"', [[{ error: 'sold out' }]], 'caseClause'],
      ['floats beyond their range', [[1e308, 1e308]], 'badarith'],
    ]),
  )('fails on %s', (_, lists, fails) => {
    expect(seen('_sum', inParts(...lists))).toEqual({ fails });
  });

  const wide = (/** @type {number} */ from, /** @type {number} */ count) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`article-${from + at}`, 1]));

  test('overflows where the sum is great and does not shrink', () => {
    expect(reduceBuiltin('_sum', inParts([wide(0, 200), wide(200, 200)]), NEW)).toMatchObject({
      error: { kind: 'overflow', row: { error: 'builtin_reduce_error' } },
    });
  });

  test.each([
    ['is small', [wide(0, 100), wide(100, 100)]],
    ['shrinks', Array.from({ length: 5 }, () => wide(0, 400))],
  ])('does not overflow where the sum %s', (_, values) => {
    expect(reduceBuiltin('_sum', { rows: rowsOf(values) }, NEW)).toHaveProperty('value');
  });

  test('knows members called __proto__ for members', () => {
    const value = JSON.parse('{"__proto__": 1}');
    const sum = seen('_sum', inParts([value, value]));
    expect(JSON.stringify(sum)).toBe('{"value":{"__proto__":2}}');
    expect(Object.getPrototypeOf(/** @type {{value: object}} */ (sum).value)).toBe(Object.prototype);
  });
});

describe('_count', () => {
  test.each([
    ['any values', [[null, 'x'], [{}]], 3],
    ['no rows', [[]], 0],
  ])('counts %s', (_, lists, value) => {
    expect(seen('_count', inParts(...lists))).toEqual({ value });
  });
});

describe('_stats', () => {
  const counted = { sum: 10, count: 2, min: 4, max: 6, sumsqr: 52 };

  test.each(
    /** @type {[string, unknown[][], unknown][]} */ ([
      ['numbers', [[1, 2], [3]], { sum: 6, count: 3, min: 1, max: 3, sumsqr: 14 }],
      ['no rows', [[]], { sum: 0, count: 0, min: 0, max: 0, sumsqr: 0 }],
      ['what was counted before', [[counted, 7]], { sum: 17, count: 3, min: 4, max: 7, sumsqr: 101 }],
      ['what was counted before, without other members', [[{ other: 1, ...counted }]], counted],
      [
        'arrays by place',
        [[[1, 2]], [[3, 4]]],
        [
          { sum: 4, count: 2, min: 1, max: 3, sumsqr: 10 },
          { sum: 6, count: 2, min: 2, max: 4, sumsqr: 20 },
        ],
      ],
      ['empty arrays', [[[], []]], []],
      ['arrays of arrays', [[[[2]]]], [[{ sum: 2, count: 1, min: 2, max: 2, sumsqr: 4 }]]],
    ]),
  )('counts %s', (_, lists, value) => {
    expect(seen('_stats', inParts(...lists))).toEqual({ value });
  });

  test.each(
    /** @type {[string, unknown[][], string][]} */ ([
      ['null in front', [[null, 1]], 'invalidValue'],
      ['null behind', [[1, null]], 'invalidValue'],
      ['a text of digits', [[1, '2']], 'invalidValue'],
      ['arrays of unequal length', [[[1], [1, 2]]], 'functionClause'],
      ['arrays of unequal length in two parts', [[[1]], [[1, 2]]], 'functionClause'],
      ['null in the shorter of two arrays', [[[1, 2], [null]]], 'invalidValue'],
      ['a number behind an array', [[[1], 2]], 'invalidValue'],
      ['an array behind a number', [[2, [1]]], 'invalidValue'],
      ['an array in one part and a number in the other', [[[1]], [2]], 'invalidValue'],
      ['an object that lacks a number', [[{ sum: 10, count: 2 }]], 'invalidValue'],
      ['an object with a text for a number', [[{ ...counted, min: '4' }]], 'invalidValue'],
      ['squares beyond the range of floats', [[1e200]], 'badarith'],
    ]),
  )('fails on %s', (_, lists, fails) => {
    expect(seen('_stats', inParts(...lists))).toEqual({ fails });
  });
});

describe('_approx_count_distinct', () => {
  test('gives the exact number of keys and says that CouchDB estimates it', () => {
    const rows = ['a', 'b', 'a', null, [1], [1]].map((key, at) => ({ id: String(at), key, value: null }));
    const tree = { parts: [{ rows: rows.slice(0, 2) }, { rows: rows.slice(2) }] };
    expect(reduceBuiltin('_approx_count_distinct', tree, OLD)).toEqual({ value: 4, isApproximate: true });
  });
});

describe('_first and _last', () => {
  /** @type {[unknown, string, string][]} */
  const made = [
    ['b', 'order-1', 'second'],
    ['a', 'order-2', 'first'],
    ['a', 'order-3', 'middle'],
    ['B', 'order-0', 'last'],
  ];
  const rows = made.map(([key, id, value]) => ({ key, id, value }));

  test.each([
    ['_first', 'first'],
    ['_last', 'last'],
  ])('%s goes by key, then id, however the rows are split', (name, value) => {
    expect(seen(name, { rows })).toEqual({ value });
    expect(seen(name, { parts: [{ rows: [...rows].reverse() }] })).toEqual({ value });
    expect(seen(name, { parts: [{ rows: rows.slice(1) }, { rows: rows.slice(0, 1) }] })).toEqual({ value });
  });

  test.each([
    ['_first', 'one'],
    ['_last', 'two'],
  ])('of rows with one key and one id %s takes the one at its end', (name, value) => {
    const twice = ['one', 'two'].map((text) => ({ key: 1, id: 'order', value: text }));
    expect(seen(name, { rows: twice })).toEqual({ value });
  });

  test('a view without rows gives an empty list', () => {
    expect(seen('_first', { rows: [] })).toEqual({ value: [] });
  });
});

describe('_top_N and _bottom_N', () => {
  test.each([
    ['_top_2', [3, 2]],
    ['_bottom_2', [1, 2]],
    ['_top_9', [3, 2, 1]],
  ])('%s gives each value once', (name, value) => {
    expect(seen(name, inParts([1, 3], [3, 2, 1]))).toEqual({ value });
  });

  test('orders types as keys are ordered', () => {
    const values = [{ a: 1 }, [1], 'b', 'a', 'B', 2, true, false, null];
    expect(seen('_bottom_9', inParts(values))).toEqual({
      value: [null, false, true, 2, 'a', 'b', 'B', [1], { a: 1 }],
    });
  });
});

describe('which built-ins there are', () => {
  test.each([
    ['_sum', '1.0', { kind: '_sum', count: 1 }],
    ['_sumx', NEW, { kind: '_sum', count: 1 }],
    ['_approx_count_distinct', '2.1', undefined],
    ['_approx_count_distinct', '2.2', { kind: '_approx_count_distinct', count: 1 }],
    ['_first', OLD, undefined],
    ['_first', '3.5', { kind: '_first', count: 1 }],
    ['_top_10', NEW, { kind: '_top', count: 10 }],
    ['_bottom_100', NEW, { kind: '_bottom', count: 100 }],
    ['_bottom_1', OLD, undefined],
    ['_top_0', NEW, undefined],
    ['_top_101', NEW, undefined],
    ['_top_', NEW, undefined],
    ['_max', NEW, undefined],
    ['constructor', NEW, undefined],
  ])('%s in %s', (name, target, builtin) => {
    expect(builtinOf(name, target)).toEqual(builtin);
  });

  test('one that is missing is an error', () => {
    expect(reduceBuiltin('_first', inParts([1]), OLD)).toMatchObject({ error: { kind: 'noBuiltin' } });
  });
});

test('values that are nested too deeply are unknown', () => {
  const deep = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000));
  expect(reduceBuiltin('_sum', inParts([[[deep]], [[deep]]]), NEW)).toEqual({ unknown: expect.any(String) });
});

const measured = path.resolve(import.meta.dirname, '../../../shared/data/couchdb/builtin-reduces.json');

/** @typedef {{status?: number, error?: string, value?: unknown} | 'no row'} Measured */

describe.skipIf(!existsSync(measured))('what real servers answered', () => {
  /** @type {{cases: {values: unknown[], answers: Record<string, Record<string, Measured>>}[]}} */
  const { cases } = existsSync(measured) ? JSON.parse(readFileSync(measured, 'utf8')) : { cases: [] };
  const answers = cases.flatMap(({ values, answers: byVersion }) =>
    Object.entries(byVersion).flatMap(([version, byName]) =>
      Object.entries(byName).map(([name, answer]) => ({ values, version, name, answer })),
    ),
  );
  // Three questions were put when their database was not there any more.
  const isLost = (/** @type {Measured} */ answer) => answer !== 'no row' && answer.status === 404;
  const asked = answers.filter(({ answer, values }) => values.length > 0 && !isLost(answer));

  test('are for 63 lists', () => {
    expect(cases.length).toBe(63);
    expect(answers.filter(({ answer }) => isLost(answer)).length).toBe(3);
  });

  test.each(asked)('$name in $version of $values', ({ values, version, name, answer }) => {
    const wanted = answerOf(answer);
    const possible = treesOf(rowsOf(values)).map((tree) => seen(name, tree, version));
    if (name === '_approx_count_distinct') {
      const { value } = /** @type {{value: number}} */ (wanted);
      for (const { value: exact } of /** @type {{value: number}[]} */ (possible)) {
        expect(Math.abs(value - exact)).toBeLessThanOrEqual(exact * 0.03);
      }
      return;
    }
    // How the rows were split is not known, so one of the ways in which they can be must give the answer.
    expect(possible).toContainEqual(wanted);
  });
});

/** @param {Measured} answer */
function answerOf(answer) {
  if (answer === 'no row' || answer.status === undefined) return { value: answer === 'no row' ? answer : answer.value };
  const error = String(answer.error);
  if (error.includes('case_clause')) return { fails: 'caseClause' };
  const kinds = { badarith: 'badarith', invalid_value: 'invalidValue', function_clause: 'functionClause' };
  return { fails: kinds[/** @type {keyof typeof kinds} */ (error)] ?? error };
}

/**
 * The trees of a small view on two shards: rows stand in a node in reverse, the answers of the shards in any order.
 * @param {{id: string, key: unknown, value: unknown}[]} rows
 * @returns {BuiltinTree[]}
 */
function treesOf(rows) {
  const count = rows.length <= 6 ? 2 ** rows.length : 64;
  return Array.from({ length: count }, (_, split) => {
    const isLeft = (/** @type {number} */ at) => ((split >> (at % 6)) & 1) === 1;
    const left = rows.filter((_, at) => isLeft(at)).reverse();
    const right = rows.filter((_, at) => !isLeft(at)).reverse();
    return { parts: [left, right].filter((part) => part.length > 0).map((part) => ({ rows: part })) };
  });
}
