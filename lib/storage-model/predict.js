// Predicts the files that a load leaves: as it comes, under other ids, in requests of other sizes, and with more
// documents.

import { CAREFUL, QUICK } from './node-packer.js';
import { countedIds, firstDocuments, orderById } from './other-ids.js';
import { replay } from './replay.js';

/** @import { FileFigures } from './database-file.js' */
/** @import { LoadColumns } from './load-table.js' */
/** @import { Checkpoint, Replayed } from './replay.js' */

/** Larger loads are replayed as a whole once; for other sizes of requests only their first documents are. */
const MAX_COMPARED = 200_000;
/** So many documents then, or so many requests where that is more. */
const COMPARED_DOCUMENTS = 100_000;
const COMPARED_REQUESTS = 20;

/**
 * @typedef {object} PredictOptions
 * @property {number} shards
 * @property {number[]} batches documents in a request; the first is that of the load, the others are compared
 * @property {ArrayLike<number>} [requestEnds] where the load's own requests end, which then replace the first
 * @property {number} [count] how many documents there will be, if more than the load has
 */

/**
 * @typedef {object} OrderFigures Bytes.
 * @property {number} file right after the load, if nothing was compacted during it
 * @property {number} compacted after compaction
 * @property {boolean} compactsItself whether CouchDB compacts it by itself, by default, perhaps while it is loaded: then it is between the two
 */

/**
 * @typedef {object} BatchFigures
 * @property {number} batch
 * @property {number} given bytes, with the ids of the load
 * @property {number} counted with ids that count up
 * @property {boolean} isReplayed false where it was computed from the first documents
 */

/**
 * @typedef {object} Prediction
 * @property {Replayed} load
 * @property {OrderFigures} given
 * @property {OrderFigures} sorted the same ids, the whole load sorted by them
 * @property {OrderFigures} counted ids that count up
 * @property {BatchFigures[]} batches by size
 * @property {{count: number, given: number | undefined, counted: number | undefined} | undefined} growth bytes with so many
 *   documents; undefined where the load is too small to know
 */

/**
 * @param {LoadColumns} load of at least one document
 * @param {PredictOptions} options
 * @returns {Prediction}
 */
export function predict(load, { shards, batches, requestEnds, count }) {
  const [main = 1000] = batches;
  const batch = requestEnds ?? main;
  const checkpoints = checkpointsFor(load.count);
  const given = replay(load, { shards, batch, compact: true, checkpoints });
  const care = load.count > MAX_COMPARED ? QUICK : CAREFUL;
  const order = orderById(load);
  const sorted = isRising(order) ? given : replay(load, { shards, batch, order, care, compact: true });
  const counted = countedIds(load);
  const inOrder = replay(counted, { shards, batch, care, compact: true, checkpoints });
  const compared = batches.slice(requestEnds ? 0 : 1).map((size) => {
    const one = compare(load, shards, size);
    const other = compare(counted, shards, size);
    return { batch: size, given: one.file, counted: other.file, isReplayed: one.isReplayed };
  });
  if (!requestEnds) {
    compared.push({ batch: main, given: given.loaded.file, counted: inOrder.loaded.file, isReplayed: true });
  }
  const isMore = count !== undefined && count > load.count;
  return {
    load: given,
    given: orderFigures(given, shards),
    sorted: orderFigures(sorted, shards),
    counted: orderFigures(inOrder, shards),
    batches: compared.sort((one, other) => one.batch - other.batch),
    growth: isMore ? { count, given: grown(given, count), counted: grown(inOrder, count) } : undefined,
  };
}

/**
 * @param {LoadColumns} load
 * @param {number} shards
 * @param {number} batch
 * @returns {{file: number, isReplayed: boolean}}
 */
function compare(load, shards, batch) {
  if (load.count <= MAX_COMPARED) return { file: replay(load, { shards, batch }).loaded.file, isReplayed: true };
  const count = Math.min(load.count, Math.max(COMPARED_DOCUMENTS, COMPARED_REQUESTS * batch));
  const { curve, loaded } = replay(firstDocuments(load, count), {
    shards,
    batch,
    care: QUICK,
    checkpoints: checkpointsFor(count),
  });
  if (count === load.count) return { file: loaded.file, isReplayed: true };
  const growth = fitGrowth(curve);
  const file = growth ? extrapolate(growth, load.count) : (loaded.file / count) * load.count;
  return { file: Math.round(file), isReplayed: false };
}

/** @param {Replayed} replayed @param {number} count @returns {number | undefined} */
function grown({ curve }, count) {
  const growth = fitGrowth(curve);
  return growth && Math.round(extrapolate(growth, count));
}

/** @param {Replayed} replayed @param {number} shards @returns {OrderFigures} */
function orderFigures({ loaded, compacted }, shards) {
  return {
    file: loaded.file,
    compacted: /** @type {FileFigures} */ (compacted).file,
    compactsItself: compactsItself(loaded, shards),
  };
}

/** @param {Uint32Array} order @returns {boolean} */
function isRising(order) {
  for (let at = 1; at < order.length; at += 1)
    if (/** @type {number} */ (order[at]) < /** @type {number} */ (order[at - 1])) return false;
  return true;
}

/** Smaller files of a shard are left as they are: `min_size`. */
const MIN_SIZE = 1_048_576;
/** `[smoosh.ratio_dbs] min_priority`: how many times what is in use the file must exceed. */
const MIN_RATIO = 2;
/** `[smoosh.slack_dbs] min_priority`: how many unused bytes the file must exceed. */
const MIN_SLACK = 536_870_912;

/**
 * @param {{file: number, active: number}} figures of all shards together
 * @param {number} shards
 * @returns {boolean} whether a shard of the mean size is compacted, unless the server's configuration says otherwise
 */
export function compactsItself({ file, active }, shards) {
  const [size, used] = [file / shards, active / shards];
  return size > MIN_SIZE && (size / used > MIN_RATIO || size - used > MIN_SLACK);
}

// Extrapolates the growth of files in a replay to more documents. What a document costs grows with the logarithm of how many there are: each level of
// a tree has so many times more nodes than the one above it. docs/storage-model.md has the errors.

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
