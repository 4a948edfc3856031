// Computes tails and quantiles of the normal, Student's t and the beta distribution, also far out, where tests of many shapes at once look.
// Formulas: Abramowitz and Stegun, Handbook of Mathematical Functions, 26.2.10 and 26.2.14 (normal), 26.5.8 (beta), 26.7.1 (t).

const MAX_TERMS = 20_000;
const TINY = 1e-300;
const PRECISION = 1e-13;
/** From here on the continued fraction of the normal tail is exact to 13 digits with few terms. */
const FAR = 3;
const FRACTION_TERMS = 200;
const HALVINGS = 200;

/** Coefficients of Lanczos for g = 7. */
const LANCZOS = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];

/**
 * @param {number} value above 0
 * @returns {number} the logarithm of the gamma function
 */
function logGamma(value) {
  const x = value - 1;
  const base = x + 7.5;
  const sum = LANCZOS.slice(1).reduce((total, factor, at) => total + factor / (x + at + 1), LANCZOS[0] ?? 0);
  return 0.5 * Math.log(2 * Math.PI) + (x + 0.5) * Math.log(base) - base + Math.log(sum);
}

/**
 * @param {number} z
 * @returns {number} the chance that a standard normal value is above z
 */
export function normalTail(z) {
  if (z < 0) return 1 - normalTail(-z);
  const density = Math.exp(-(z * z) / 2) / Math.sqrt(2 * Math.PI);
  if (z > FAR) {
    let fraction = 0;
    for (let term = FRACTION_TERMS; term >= 1; term -= 1) fraction = term / (z + fraction);
    return density / (z + fraction);
  }
  let sum = 0;
  let part = z;
  for (let odd = 3; part > 1e-17; odd += 2) {
    sum += part;
    part *= (z * z) / odd;
  }
  return 0.5 - density * sum;
}

/**
 * @param {number} chance above 0, up to 0.5
 * @returns {number} the value that a standard normal one is above with that chance
 */
export function normalQuantile(chance) {
  return findZero((z) => normalTail(z) > chance);
}

/**
 * @param {number} x 0 to 1
 * @param {number} a above 0
 * @param {number} b above 0
 * @returns {number} the chance that a value of the beta distribution is at most x: the regularized incomplete beta function
 */
export function betaBelow(x, a, b) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
  return x < (a + 1) / (a + b + 2) ? (front * betaFraction(x, a, b)) / a : 1 - (front * betaFraction(1 - x, b, a)) / b;
}

/**
 * @param {number} x
 * @param {number} a
 * @param {number} b
 * @returns {number} the continued fraction of the incomplete beta function, by Lentz's method
 */
function betaFraction(x, a, b) {
  const bounded = (/** @type {number} */ value) => (Math.abs(value) < TINY ? TINY : value);
  let c = 1;
  let d = 1 / bounded(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let term = 1; term <= MAX_TERMS; term += 1) {
    const even = (term * (b - term) * x) / ((a + 2 * term - 1) * (a + 2 * term));
    d = 1 / bounded(1 + even * d);
    c = bounded(1 + even / c);
    fraction *= d * c;
    const odd = (-(a + term) * (a + b + term) * x) / ((a + 2 * term) * (a + 2 * term + 1));
    d = 1 / bounded(1 + odd * d);
    c = bounded(1 + odd / c);
    const step = d * c;
    fraction *= step;
    if (Math.abs(step - 1) < PRECISION) break;
  }
  return fraction;
}

/**
 * @param {number} chance above 0, up to 0.5
 * @param {number} a above 0
 * @param {number} b above 0
 * @returns {number} the value that one of the beta distribution is below with that chance
 */
export function betaQuantile(chance, a, b) {
  // On the scale of logits, as small chances lie close to 0.
  const logit = bisect((at) => betaBelow(1 / (1 + Math.exp(-at)), a, b) < chance, -700, 700);
  return 1 / (1 + Math.exp(-logit));
}

/**
 * @param {number} t
 * @param {number} freedom above 0
 * @returns {number} the chance that a value of Student's t distribution is above t
 */
export function studentTail(t, freedom) {
  if (t < 0) return 1 - studentTail(-t, freedom);
  return betaBelow(freedom / (freedom + t * t), freedom / 2, 0.5) / 2;
}

/**
 * @param {number} chance above 0, up to 0.5
 * @param {number} freedom above 0
 * @returns {number} the value that one of Student's t distribution is above with that chance
 */
export function studentQuantile(chance, freedom) {
  return findZero((t) => studentTail(t, freedom) > chance);
}

/**
 * @param {(value: number) => boolean} isBelow what is searched
 * @returns {number} from 0 on
 */
function findZero(isBelow) {
  let high = 1;
  while (high < 1e150 && isBelow(high)) high *= 2;
  return bisect(isBelow, 0, high);
}

/**
 * @param {(value: number) => boolean} isBelow what is searched
 * @param {number} low
 * @param {number} high
 * @returns {number}
 */
function bisect(isBelow, low, high) {
  let [from, to] = [low, high];
  for (let turn = 0; turn < HALVINGS; turn += 1) {
    const middle = (from + to) / 2;
    if (middle === from || middle === to) break;
    if (isBelow(middle)) from = middle;
    else to = middle;
  }
  return (from + to) / 2;
}

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
