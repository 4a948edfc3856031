// Extrapolates the growth of files in a replay to more documents. What a document costs grows with the logarithm of how many there are: each level of
// a tree has so many times more nodes than the one above it. docs/storage-model.md has the errors.

/** @import { Checkpoint } from './replay.js' */

/** The curve is fitted from this share of the replay on: before, trees have too few levels. */
const FITTED_FROM = 1 / 8;
/** Points of the curve. */
const POINTS = 24;

/**
 * @typedef {object} Growth Bytes a document, with `n` documents there: `constant + slope * ln n`.
 * @property {number} constant
 * @property {number} slope
 * @property {Checkpoint} last what was replayed
 */

/**
 * @param {number} count documents of a replay
 * @returns {number[]} where the length of the files is to be noted, evenly spread over their logarithms
 */
export function checkpointsFor(count) {
  /** @type {number[]} */
  const points = [];
  for (let at = 0; at <= POINTS; at += 1) points.push(Math.round(count * FITTED_FROM ** (1 - at / POINTS)));
  return points.filter((point, at) => point > 0 && point !== points[at - 1]);
}

/**
 * Least squares, each stretch between two points weighted by its documents.
 * @param {Checkpoint[]} curve at the points of `checkpointsFor`
 * @returns {Growth | undefined} undefined where there are too few points: in a load of a few requests
 */
export function fitGrowth(curve) {
  const points = curve.filter((point, at) => point.documents > (curve[at - 1]?.documents ?? 0));
  const last = points.at(-1);
  if (points.length < 4 || !last) return undefined;
  let weights = 0;
  let x = 0;
  let y = 0;
  let xx = 0;
  let xy = 0;
  for (const [at, point] of points.entries()) {
    const before = points[at - 1];
    if (!before) continue;
    const weight = point.documents - before.documents;
    const cost = (point.file - before.file) / weight;
    const logarithm = integral(before.documents, point.documents) / weight;
    weights += weight;
    x += weight * logarithm;
    y += weight * cost;
    xx += weight * logarithm * logarithm;
    xy += weight * logarithm * cost;
  }
  const slope = (weights * xy - x * y) / (weights * xx - x * x);
  return { slope, constant: (y - slope * x) / weights, last };
}

/**
 * @param {Growth} growth
 * @param {number} count documents, more than were replayed
 * @returns {number} bytes
 */
export function extrapolate({ constant, slope, last }, count) {
  return last.file + constant * (count - last.documents) + slope * integral(last.documents, count);
}

/** @param {number} from @param {number} to @returns {number} the integral of the logarithm */
function integral(from, to) {
  return to * Math.log(to) - to - (from * Math.log(from) - from);
}
