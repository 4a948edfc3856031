// Makes the JSON of how much disk space a load will take: bytes and counts, nothing rounded.

import { perRequest } from './predict.js';

/** @import { IndexReport, PredictReport } from './predict.js' */

/**
 * @param {PredictReport} report
 * @returns {object}
 */
export function predictJson(report) {
  const { prediction, indexes, ...source } = report;
  const { load, given, sorted, counted, batches, growth } = prediction;
  return {
    $schemaVersion: 1,
    ...source,
    target: report.target.version,
    targetSource: report.target.source ?? null,
    batch: report.batch ?? null,
    requests: load.requests,
    written: load.written,
    updates: load.updates,
    conflicts: load.conflicts,
    file: load.loaded,
    compacted: load.compacted,
    perRequest: perRequest(report),
    orders: { given, sorted, counted },
    batches,
    ...(indexes
      ? {
          indexes: indexesForJson(indexes.list),
          indexedDocuments: indexes.documents,
          sampledDocuments: indexes.sampled,
        }
      : {}),
    growth: growth ? { ...growth, given: growth.given ?? null, counted: growth.counted ?? null } : null,
  };
}

/**
 * @param {IndexReport[]} indexes
 * @returns {object[]} as `ci --sizes` reads them
 */
function indexesForJson(indexes) {
  return indexes.map(({ prediction, unknown, buildSeconds, ...index }) => ({
    ...index,
    ...(unknown === undefined ? {} : { unknown }),
    ...prediction,
    ...(prediction ? { buildSeconds: buildSeconds ?? null } : {}),
  }));
}
