// Corrects the chances of many tests that are read together.

/**
 * Holm's step-down correction: chances of many tests as if there were one.
 * @param {readonly number[]} chances
 * @returns {number[]} in the same order
 */
export function holm(chances) {
  const order = chances.map((chance, at) => ({ chance, at })).sort((first, second) => first.chance - second.chance);
  /** @type {number[]} */
  const corrected = [];
  let least = 0;
  for (const [step, { chance, at }] of order.entries()) {
    least = Math.max(least, Math.min(1, chance * (chances.length - step)));
    corrected[at] = least;
  }
  return corrected;
}
