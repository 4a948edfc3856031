// Says how far repeated times of one thing differ, so that no share is shown that is smaller.

/**
 * @param {{middle: number, low: number, high: number}} span the median of the rounds, with the quartiles
 * @returns {number} 0 to 1: half of the quartiles' distance, as a share of the median
 */
export function noiseOf({ middle, low, high }) {
  return middle > 0 ? (high - low) / 2 / middle : 0;
}
