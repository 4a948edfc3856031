import { expect, test } from 'vitest';
import { belowThreshold } from '../../lib/engine/below-threshold.js';
import { walkRule } from '../../lib/engine/evaluate.js';

/** @import { Fact } from '../../lib/facts/fact.js' */

/** @type {any} Flags many requests for many keys, and rare ones that are slow. */
const RULE = {
  start: 'rare',
  questions: {
    rare: { fact: 'perMinute', operator: 'below', value: 1, yes: 'slow', no: 'often' },
    often: { fact: 'perMinute', operator: 'atLeast', value: 600, yes: 'keys', no: 'few' },
    keys: { fact: 'keys', operator: 'atLeast', value: 50, yes: 'one-by-one', no: 'same' },
    slow: { fact: 'ms', operator: 'atMost', value: 1000, yes: 'fast', no: 'waits' },
  },
  outcomes: {
    few: { verdict: 'fine' },
    same: { verdict: 'fine' },
    fast: { verdict: 'fine' },
    'one-by-one': { verdict: 'problem' },
    waits: { verdict: 'problem' },
  },
};

/** @param {Record<string, number | boolean | undefined>} values */
function near(values) {
  const getFact = (/** @type {string} */ id) =>
    /** @type {Fact} */ (values[id] === undefined ? { unknown: 'no log' } : { value: values[id], basis: 'measured' });
  return belowThreshold(RULE, walkRule(RULE, getFact), getFact);
}

test('a query below a threshold has its value and the value that would be reported', () => {
  expect(near({ perMinute: 80, keys: 470 })).toEqual({
    fact: 'perMinute',
    value: 80,
    reportedAt: 'at least 600',
    part: 0.13,
  });
  expect(near({ perMinute: 700, keys: 49 })).toMatchObject({ fact: 'keys', reportedAt: 'at least 50', part: 0.98 });
});

test('a limit from above is one, too', () => {
  expect(near({ perMinute: 0.5, ms: 800 })).toMatchObject({ fact: 'ms', reportedAt: 'above 1000', part: 0.8 });
});

test.each([
  ['less than a tenth of the way', { perMinute: 59, keys: 470 }],
  ['reported', { perMinute: 600, keys: 470 }],
  ['fine for another reason as well', { perMinute: 80, keys: 2 }],
  ['unknown', { perMinute: undefined, keys: 470 }],
  ['unknown behind the threshold', { perMinute: 80, keys: undefined }],
])('nothing is said of one that is %s', (_, values) => {
  expect(near(values)).toBeUndefined();
});
