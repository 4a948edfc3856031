// Ratios of paired samples and how they stand to published ones.

import { describe, expect, test } from 'vitest';
import { compare, middle, ratioOf, standingOf, timeEach } from '../../../lib/measure/scenarios/compare.js';
import { sampleOf } from '../../helpers/bench-samples.js';

const set = 'all rows';
const at = (/** @type {string} */ arm) => ({ set, arm });

test('a ratio is of pairs: a machine that slows down slows both', () => {
  const samples = [1, 2, 4, 8].flatMap((slow, round) => [
    sampleOf(set, 'view', { round, ms: 10 * slow }),
    sampleOf(set, 'scan', { round, ms: 30 * slow }),
  ]);
  expect(ratioOf(samples, at('scan'), at('view'))).toMatchObject({
    ratio: expect.closeTo(3, 9),
    interval: [expect.closeTo(3, 9), expect.closeTo(3, 9)],
    rounds: 4,
  });
  expect(ratioOf(samples, at('view'), at('scan'))?.ratio).toBeCloseTo(1 / 3, 9);
});

test('time is that of a thing, as arms may have unequal numbers of them', () => {
  const samples = [sampleOf(set, 'view', { ms: 100, things: 10 }), sampleOf(set, 'scan', { ms: 100, things: 5 })];
  expect(ratioOf(samples, at('scan'), at('view'))?.ratio).toBeCloseTo(2, 9);
});

test('only rounds that both arms have count, and none of another set', () => {
  const samples = [
    sampleOf(set, 'view', { round: 0, ms: 10 }),
    sampleOf(set, 'scan', { round: 0, ms: 20 }),
    sampleOf(set, 'scan', { round: 1, ms: 1000 }),
    sampleOf('pages', 'view', { round: 1, ms: 10 }),
  ];
  expect(ratioOf(samples, at('scan'), at('view'))).toMatchObject({ rounds: 1, confidence: 0 });
  expect(ratioOf(samples, at('scan'), at('nothing'))).toBeNull();
});

test('a sample with failed requests is no time', () => {
  const failed = sampleOf(set, 'view', { ms: 1, errors: 2 });
  expect(timeEach(failed)).toBeUndefined();
  expect(middle([failed], at('view'))).toBeNull();
  expect(ratioOf([failed, sampleOf(set, 'scan', { ms: 20 })], at('scan'), at('view'))).toBeNull();
});

test('a figure that was not read leaves no ratio of it', () => {
  const samples = [sampleOf(set, 'view', { cpuMs: 5 }), sampleOf(set, 'scan', {})];
  expect(ratioOf(samples, at('scan'), at('view'), ({ cpuMs }) => cpuMs)).toBeNull();
});

describe('the standing', () => {
  test.each(
    /** @type {[number, [number, number], string][]} */ ([
      [8, [7, 9], 'as published'],
      [6, [2.8, 3], 'weaker'],
      [6, [3.9, 4.2], 'weaker'],
      [6, [4.1, 8.8], 'as published'],
      [6, [3.9, 8.8], 'unclear'],
      [8, [11, 12.1], 'stronger'],
      [8, [7, 14], 'unclear'],
      [8, [0.4, 0.6], 'reversed'],
      [8, [0.97, 0.99], 'gone'],
      [8, [1.01, 1.03], 'gone'],
      [8, [0.9, 1.1], 'gone'],
      [8, [0.9, 2.5], 'unclear'],
      [8, [1.2, 2.5], 'weaker'],
      [1.29, [1.47, 1.59], 'as published'],
      [1.29, [1.7, 1.9], 'stronger'],
      [0.7, [0.7, 0.72], 'as published'],
      [0.7, [0.89, 0.91], 'weaker'],
      [0.7, [0.39, 0.41], 'stronger'],
      [0.7, [1.2, 1.4], 'reversed'],
      [1, [1.005, 1.02], 'as published'],
      [1, [0.99, 1.03], 'as published'],
      [1, [1.9, 2.1], 'new'],
      [1, [0.5, 3], 'unclear'],
    ]),
  )('of %f published and %j measured is `%s`', (published, interval, standing) => {
    expect(standingOf(published, { interval, confidence: 0.96 })).toBe(standing);
  });

  test.each([0, 0.5, 0.75, 0.94])('of an interval at %f is unclear, whatever it is', (confidence) => {
    expect(standingOf(8, { interval: [7.9, 8.1], confidence })).toBe('unclear');
    expect(standingOf(1.1, { interval: [0.879, 0.882], confidence })).toBe('unclear');
  });

  test('of nothing is told with its reason', () => {
    expect(compare('scan / view', 8, null, 'there is no view')).toEqual({
      what: 'scan / view',
      published: 8,
      measured: null,
      interval: null,
      confidence: 0,
      rounds: 0,
      standing: 'not measured',
      note: 'there is no view',
    });
  });
});
