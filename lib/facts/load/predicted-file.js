// Predicts about how large the files of a load's database will be. Estimated once, at the first use.

import { estimateLoad } from '../../measure/storage-model/estimate-sample.js';
import { MIN_IDS } from './id-kind.js';

/** @import { LoadRecord } from '../../sources/record.js' */
/** @import { Extracted } from '../fact.js' */

/** Documents a request where the file does not say: what most tools send. */
const USUAL_BATCH = 1000;
/** More ids of a sample cost time and change little. */
const MAX_IDS = 3000;

/** @type {WeakMap<LoadRecord, {file: number, counted: number} | {unknown: string}>} */
const estimates = new WeakMap();

/** @param {LoadRecord} record @returns {Extracted} */
export function predictedFile(record) {
  const estimate = estimateOnce(record);
  return 'unknown' in estimate ? estimate : { value: estimate.file };
}

/** @param {LoadRecord} record @returns {Extracted} */
export function predictedRatio(record) {
  const estimate = estimateOnce(record);
  return 'unknown' in estimate ? estimate : { value: Number((estimate.file / estimate.counted).toFixed(1)) };
}

/** @param {LoadRecord} record @returns {{file: number, counted: number} | {unknown: string}} */
function estimateOnce(record) {
  const known = estimates.get(record) ?? estimate(record);
  estimates.set(record, known);
  return known;
}

/** @param {LoadRecord} record @returns {{file: number, counted: number} | {unknown: string}} */
function estimate({ ids, documents, documentBytes, batches }) {
  if (documentBytes.median === undefined) return { unknown: 'the file has ids without documents' };
  if (ids.sample.length < MIN_IDS)
    return { unknown: `${ids.count} ${ids.count === 1 ? 'id is' : 'ids are'} too few for an estimate` };
  const step = Math.ceil(ids.sample.length / MAX_IDS);
  return estimateLoad({
    ids: ids.sample.filter((_, at) => at % step === 0).map(({ id }) => id),
    documents,
    batch: batches?.median ?? USUAL_BATCH,
    documentBytes: documentBytes.median,
  });
}
