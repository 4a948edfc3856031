// Ids and documents of the scenarios: the same for the same seed, of the sizes they are said to have.

import { describe, expect, test } from 'vitest';
import { makeCoupon, makeRecord, makeScore, makeTiny } from '../../../lib/measure/scenarios/documents.js';
import { ID_KINDS, makeId } from '../../../lib/measure/scenarios/ids.js';
import { languageOf, markOf, rowOf } from '../../../lib/measure/scenarios/score-views.js';

const many = Array.from({ length: 2000 }, (_, number) => number);

describe('ids', () => {
  test.each(ID_KINDS)('%s ones differ, and are the same again', (kind) => {
    const ids = many.map((number) => makeId(kind, 'shop', number));
    expect(new Set(ids).size).toBe(ids.length);
    expect(many.map((number) => makeId(kind, 'shop', number))).toEqual(ids);
    expect(new Set(ids.map((id) => id.length))).toEqual(new Set([kind === 'ten-digits' ? 10 : 32]));
  });

  test.each(['sequential', 'ten-digits'])('%s ones are in order', (kind) => {
    const ids = many.map((number) => makeId(/** @type {'sequential'} */ (kind), 'shop', number));
    expect(ids.toSorted()).toEqual(ids);
  });

  test('random ones have no order', () => {
    const ids = many.map((number) => makeId('random', 'shop', number));
    const ascents = ids.filter((id, at) => at > 0 && id > (ids[at - 1] ?? '')).length;
    expect(ascents / ids.length).toBeCloseTo(0.5, 1);
  });

  test('time-ordered ones are UUIDs of version 7 without hyphens, in order but within a millisecond', () => {
    const ids = many.map((number) => makeId('time-ordered', 'shop', number));
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{12}7[0-9a-f]{3}8[0-9a-f]{15}$/);
    const times = ids.map((id) => id.slice(0, 12));
    expect(times.toSorted()).toEqual(times);
    expect(new Set(times).size).toBe(200);
  });
});

describe('documents', () => {
  const bytes = (/** @type {object} */ document) => JSON.stringify(document).length;

  test('tiny ones hold 16 letters', () => {
    expect(makeTiny('shop', 1)).toEqual({ value1: expect.stringMatching(/^[a-z]{16}$/) });
    expect(makeTiny('shop', 1)).toEqual(makeTiny('shop', 1));
    expect(makeTiny('shop', 1)).not.toEqual(makeTiny('shop', 2));
  });

  test('records have 256 bytes in the mean with a short id, and none has more than 512', () => {
    const sizes = many.map((number) =>
      bytes({ _id: makeId('ten-digits', '1', number), ...makeRecord('shop', number) }),
    );
    expect(sizes.reduce((sum, size) => sum + size, 0) / sizes.length).toBeGreaterThan(246);
    expect(sizes.reduce((sum, size) => sum + size, 0) / sizes.length).toBeLessThan(266);
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(90);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(512);
  });

  test.each([1000, 5000, 300_000])('scores of %i bytes have them, within five in a hundred', (wanted) => {
    for (const number of [0, 1, 2]) {
      const size = bytes({ _id: makeId('sequential', '1', number), ...makeScore('shop', number, wanted) });
      expect(Math.abs(size - wanted) / wanted).toBeLessThan(0.05);
    }
  });

  test('half of the coupons were redeemed fewer than 50 times', () => {
    const few = many.filter((number) => makeCoupon('shop', number).redeemed_count < 50).length;
    expect(few / many.length).toBeCloseTo(0.5, 1);
  });
});

describe('the score view', () => {
  test('gives the row that every language is to give', () => {
    expect(rowOf({ metadata: { createdAt: '2026-03-09' }, score: 12 })).toEqual([['2026', '03'], 12]);
  });

  test.each([
    ['javascript', 'javascript', '// a\n'],
    ['javascript_quickjs', 'javascript', '// a\n'],
    ['python', 'python', '# a\n'],
    ['python_simplejson', 'python', '# a\n'],
    ['erlang', 'erlang', '% a\n'],
  ])('%s is written in %s', (name, language, mark) => {
    expect(languageOf(name)).toBe(language);
    expect(markOf(languageOf(name), 'a')).toBe(mark);
  });
});
