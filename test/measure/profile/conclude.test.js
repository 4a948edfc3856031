// What a profile concludes: no difference that is smaller than what was measured as noise.

import { expect, test } from 'vitest';
import { conclude } from '../../../lib/measure/profile/conclude.js';

/** @import { FunctionProfile } from '../../../lib/measure/profile/profile.js' */

/** @param {number} spread of the quartiles, in ns @param {number} empty ns of a call of an empty function */
function profileWith(spread, empty) {
  const span = (/** @type {number} */ middle, difference = 0) => ({
    middle,
    low: middle - difference,
    high: middle + difference,
  });
  const phases = { parse: span(60), freeze: span(10), run: span(20), write: span(10), total: span(100, spread) };
  const floor = { ...phases, total: span(empty) };
  const profile = { role: 'map', rows: 5, engines: [{ engine: 'quickjs', phases, floor }] };
  return /** @type {FunctionProfile} */ (/** @type {unknown} */ (profile));
}

test.each([
  [
    2,
    90,
    'an empty map would still take 90 % of the time: reading documents and writing results dominates, not this code',
  ],
  [12, 90, 'an empty map would take as long: the difference is below the noise of 12 %'],
  [
    0,
    100,
    'an empty map would still take 100 % of the time: reading documents and writing results dominates, not this code',
  ],
  [12, 30, 'this code dominates: 70 % of the time goes into it and its results'],
])('with quartiles %i %% from the median and %i %% for an empty map', (spread, empty, sentence) => {
  expect(conclude(profileWith(spread, empty))?.sentence).toBe(sentence);
});
