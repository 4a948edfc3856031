// Computes medians, exact tests and intervals of paired measurements. Pure. The test is Wilcoxon's signed-rank test, the interval is that of Hodges
// and Lehmann from the same ranks, so the two never contradict each other (Hollander, Wolfe and Chicken, Nonparametric Statistical Methods, 3rd ed.,
// sections 3.1 to 3.3). It assumes nothing about the shape of the noise except that differences are symmetric.

/**
 * @param {readonly number[]} values
 * @returns {number} NaN of nothing
 */
export function median(values) {
  return quantile(values, 0.5);
}

/**
 * @param {readonly number[]} values
 * @param {number} share 0 to 1
 * @returns {number} between neighbours in proportion (type 7, as NumPy does); NaN of nothing
 */
export function quantile(values, share) {
  const sorted = values.toSorted((first, second) => first - second);
  const at = (sorted.length - 1) * share;
  const low = sorted[Math.floor(at)] ?? Number.NaN;
  const high = sorted[Math.ceil(at)] ?? Number.NaN;
  return low + (high - low) * (at - Math.floor(at));
}

/** How many subsets of ranks 1..n have each sum, as chances; kept, as it is needed again and again. @type {Map<number, number[]>} */
const tails = new Map();

/**
 * @param {number} n at most 200
 * @returns {number[]} at w: the chance that the ranks of positive differences come to at least w where there is no effect
 */
export function signedRankTail(n) {
  const known = tails.get(n);
  if (known) return known;
  const most = (n * (n + 1)) / 2;
  /** @type {number[]} */
  let chances = [1, ...Array.from({ length: most }, () => 0)];
  for (let rank = 1; rank <= n; rank += 1) {
    chances = chances.map((chance, sum) => (chance + (sum >= rank ? (chances[sum - rank] ?? 0) : 0)) / 2);
  }
  const tail = [...chances];
  for (let sum = most - 1; sum >= 0; sum -= 1) tail[sum] = (tail[sum] ?? 0) + (tail[sum + 1] ?? 0);
  tails.set(n, tail);
  return tail;
}

/**
 * The chance of differences at least so far above `shift` where they lie about it or below. Differences equal to `shift` speak
 * for neither side: each counts half, rounded against the claim, as do equal ones with their mean rank.
 * @param {readonly number[]} differences
 * @param {number} [shift]
 * @returns {number} one-sided; 1 of nothing
 */
export function chanceAbove(differences, shift = 0) {
  const n = differences.length;
  if (n === 0) return 1;
  const moved = differences.map((difference) => difference - shift);
  const order = moved.toSorted((first, second) => Math.abs(first) - Math.abs(second));
  let sum = 0;
  for (let at = 0; at < n; ) {
    let end = at + 1;
    while (end < n && Math.abs(order[end] ?? 0) === Math.abs(order[at] ?? 0)) end += 1;
    const rank = (at + 1 + end) / 2;
    for (; at < end; at += 1) {
      const value = order[at] ?? 0;
      if (value > 0) sum += rank;
      else if (value === 0) sum += rank / 2;
    }
  }
  return Math.min(1, signedRankTail(n)[Math.floor(sum)] ?? 1);
}

/**
 * @param {readonly number[]} differences
 * @param {number} [shift]
 * @returns {number} as `chanceAbove`, for differences below `shift`
 */
export function chanceBelow(differences, shift = 0) {
  return chanceAbove(
    differences.map((difference) => -difference),
    -shift,
  );
}

/**
 * @param {readonly number[]} differences
 * @param {number} confidence of both sides together
 * @returns {{estimate: number, low: number, high: number, confidence: number}} the median of all means of two; `confidence` is what
 *   the interval really has: where so few differences cannot give the requested one, it spans all of them and has less
 */
export function hodgesLehmann(differences, confidence) {
  const n = differences.length;
  const means = [];
  for (let first = 0; first < n; first += 1) {
    for (let second = first; second < n; second += 1) {
      means.push(((differences[first] ?? 0) + (differences[second] ?? 0)) / 2);
    }
  }
  means.sort((first, second) => first - second);
  const tail = signedRankTail(n);
  const most = means.length;
  // The k-th mean from either end: the greatest k whose two tails leave the requested confidence.
  let k = 0;
  while (k < most / 2 && 2 * (tail[most - k] ?? 1) <= 1 - confidence + 1e-12) k += 1;
  const cut = Math.max(1, k);
  return {
    estimate: median(means),
    low: means[cut - 1] ?? Number.NaN,
    high: means[most - cut] ?? Number.NaN,
    confidence: Math.max(0, 1 - 2 * (tail[most - cut + 1] ?? 0.5)),
  };
}
