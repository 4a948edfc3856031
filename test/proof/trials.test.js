import { describe, expect, test } from 'vitest';
import { runTrials } from '../../lib/proof/trials.js';
import { isSameAnswer, isSameValue } from '../../lib/proof/trials-compare.js';
import { PLAIN_SANDBOX } from '../helpers/plain-sandbox.js';

/** @import { ValueSpec } from '../../lib/proof/trial-values.js' */
/** @import { TrialRequest, TrialSandbox } from '../../lib/proof/trials.js' */

/** @type {ValueSpec} */
const NUMBER = { kind: 'number' };

/** @param {string} source @param {Partial<TrialRequest>} [more] */
const run = (source, more = {}) =>
  runTrials({ source, values: NUMBER, target: '3.5.0', sandbox: PLAIN_SANDBOX, seed: 4, count: 30, ...more });

const SUM = 'function (keys, values) { return sum(values); }';
const COUNT = 'function (keys, values, rereduce) { return rereduce ? sum(values) : values.length; }';

describe('a reducer and its own answers', () => {
  test.each([SUM, COUNT, 'function () { return null; }', '(keys, values) => Math.max.apply(null, values)'])(
    'agree: %s',
    async (source) => {
      const result = await run(source);
      expect(result.splitDisagreement).toBeUndefined();
      expect(result.trials).toBeGreaterThan(300);
      expect(result.errors).toEqual([]);
    },
  );

  test('differ where it counts answers, in the smallest case there is', async () => {
    const { splitDisagreement } = await run('function (keys, values) { return values.length; }');
    expect(splitDisagreement?.cause).toBe('rereduce');
    expect(splitDisagreement?.text).toEqual([
      expect.stringMatching(/^Rows: 1 → 1, [12] → 1$/),
      'All rows at once: reduce([1, 1]) returns 2',
      'rereduce([2]) returns 1',
    ]);
    expect(splitDisagreement?.answers.map(({ answer }) => answer)).toEqual([{ value: 2 }, { value: 1 }]);
    expect(splitDisagreement?.split).toEqual({ parts: [{ rows: splitDisagreement?.rows }] });
  });

  test('differ for an average of averages, with rows that a person can check', async () => {
    const { splitDisagreement } = await run('function (keys, values) { return sum(values) / values.length; }');
    expect(splitDisagreement?.rows.length).toBe(3);
    expect(splitDisagreement?.cause).toBe('rereduce');
  });

  test('differ by order alone where the first value is taken', async () => {
    const { splitDisagreement } = await run('function (keys, values) { return values[0]; }');
    expect(splitDisagreement?.cause).toBe('order');
    expect(splitDisagreement?.rows.length).toBe(2);
  });

  test('differ where the keys of a second pass are read', async () => {
    const { splitDisagreement } = await run('function (keys, values) { return keys.length; }');
    expect(splitDisagreement?.text).toEqual([
      'Rows: 1 → 1',
      'All rows at once: reduce([1]) returns 1',
      'rereduce([1]) returns null',
    ]);
  });
});

describe('a reducer and a built-in', () => {
  test('agree where both sum numbers', async () => {
    expect((await run(SUM, { builtin: '_sum' })).disagreement).toBeUndefined();
  });

  test('agree where both count, whatever the values', async () => {
    expect((await run(COUNT, { builtin: '_count', values: { kind: 'any' } })).disagreement).toBeUndefined();
  });

  test('differ for null, which JavaScript adds', async () => {
    const { disagreement } = await run(SUM, { builtin: '_sum', values: { kind: 'null' } });
    expect(disagreement?.cause).toBe('builtin');
    expect(disagreement?.text.slice(0, 2)).toEqual(['Rows: 1 → null', 'reduce([null]) returns 0']);
    expect(disagreement?.text[2]).toMatch(/^_sum of the same rows returns .*builtin_reduce_error/);
  });

  test('differ where one adds only what is above 0', async () => {
    const source =
      'function (keys, values) { var t = 0; values.forEach(function (v) { if (v > 0) t += v; }); return t; }';
    const { disagreement } = await run(source, { builtin: '_sum' });
    expect(disagreement?.rows.length).toBe(1);
    expect(disagreement?.answers.map(({ by }) => by)).toEqual(['reduce', '_sum']);
  });

  test('differ at the number of rows that was asked for, and not below it', async () => {
    const source = 'function (k, v, r) { return Math.min(r ? sum(v) : v.length, 100); }';
    expect((await run(source, { builtin: '_count' })).disagreement).toBeUndefined();
    expect((await run(source, { builtin: '_count', lengths: [101] })).disagreement?.rows.length).toBe(101);
  });
});

describe('growth', () => {
  test('is none where numbers only get longer', async () => {
    const { growth } = await run(SUM);
    expect(growth?.grows).toBe(false);
    expect(growth?.sizes.map(({ rows }) => rows)).toEqual([10, 100, 200, 400]);
  });

  test('is seen where every value is kept', async () => {
    const source = 'function (keys, values, rereduce) { return rereduce ? [].concat.apply([], values) : values; }';
    const { growth } = await run(source, { values: { kind: 'string' } });
    expect(growth?.grows).toBe(true);
    // Of each row some five characters more.
    const [middle, last] = growth?.sizes.slice(-2) ?? [];
    expect((last?.output ?? 0) - (middle?.output ?? 0)).toBeGreaterThan(2500);
  });

  test('counts the characters of the answer', async () => {
    const { growth } = await run("function () { return 'xxxx'; }");
    expect(growth?.sizes[0]).toEqual({ rows: 10, output: '["xxxx"]'.length });
  });

  test.each([
    ['none where a list is cut', 'values.concat().sort().slice(0, 150)', false],
    ['none where a long list is cut', 'values.slice(0, 1500)', false],
    ['some where each value is kept', 'values.slice(0)', true],
  ])('is %s', async (_, list, grows) => {
    const source = `function (keys, values, r) { if (r) values = [].concat.apply([], values); return ${list}; }`;
    const bounds = [150, 151, 300, 1500, 1501, 3000];
    const { growth } = await run(source, { lengths: bounds, bounds });
    expect(growth?.grows).toBe(grows);
  });

  test('is none where more values are kept than are tried first', async () => {
    const source =
      'function (keys, values, r) { if (r) values = [].concat.apply([], values); return values.length > 350 ? [] : values; }';
    const { growth } = await run(source);
    expect(growth?.grows).toBe(false);
  });

  test('can be left out', async () => {
    expect((await run(SUM, { growth: false })).growth).toBeUndefined();
  });
});

describe('what the sandbox cannot run', () => {
  test('is told once for each kind', async () => {
    const { errors, splitDisagreement, growth } = await run('function (keys, values) { return ');
    expect(errors).toEqual([{ kind: 'syntax', message: expect.any(String), count: expect.any(Number) }]);
    expect([splitDisagreement, growth]).toEqual([undefined, undefined]);
  });

  test('is never taken for a difference', async () => {
    /** @type {TrialSandbox} */
    const sandbox = {
      ...PLAIN_SANDBOX,
      reduce: async ({ trees }) =>
        trees.map((_, at) => (at % 2 ? { value: 1 } : { error: { kind: 'steps', message: 'took too long' } })),
    };
    const { splitDisagreement, errors } = await run(SUM, { sandbox });
    expect(splitDisagreement).toBeUndefined();
    expect(errors[0]?.kind).toBe('steps');
  });
});

test('the same seed finds the same', async () => {
  const source = 'function (keys, values) { return values.pop(); }';
  expect(await run(source)).toEqual(await run(source));
});

describe('answers are the same', () => {
  test.each([
    [0.1 + 0.2, 0.3, true],
    [0.3, 0.3001, false],
    [1e21, 1e21 + 1e6, true],
    [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
    [{ a: 1 }, { a: 1, b: null }, false],
    [[1, 2], [2, 1], false],
    [null, 0, false],
    ['1', 1, false],
    [[], {}, false],
    [JSON.parse('{"__proto__":1}'), {}, false],
  ])('%j and %j: %s', (one, other, expected) => {
    expect(isSameValue(one, other)).toBe(expected);
    expect(isSameAnswer({ value: one }, { value: other })).toBe(expected);
  });

  test('when one of them is not known', () => {
    expect(isSameAnswer({ unknown: 'took too long' }, { value: 1 })).toBe(true);
    expect(isSameAnswer({ error: { kind: 'errorRow', message: 'no sum' } }, { value: null })).toBe(false);
  });
});
