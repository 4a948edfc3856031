// Rounds rates for display.

/**
 * @param {number} value
 * @returns {number} with three digits that count: more are noise in a rate
 */
export function threeDigits(value) {
  return value >= 100 ? Math.round(value) : Number(value.toPrecision(3));
}
