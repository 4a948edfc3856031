// Renders how much disk space a load will take as JSON: bytes and counts, nothing rounded.

import { indexesForJson } from './predict-indexes.js';
import { stringifyJson } from './stringify-json.js';

/** @import { PredictReport } from './predict-text.js' */

/**
 * @param {PredictReport} report
 * @returns {string}
 */
export function renderPredictJson(report) {
  const { prediction, indexes, ...source } = report;
  const { load, given, sorted, counted, batches, growth } = prediction;
  return stringifyJson({
    $schemaVersion: 1,
    ...source,
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
  });
}

/**
 * @param {PredictReport} report
 * @returns {{bytes: number, nodes: number, replacedNodes: number}} the mean of a request
 */
export function perRequest({ prediction: { load } }) {
  const { requests, loaded } = load;
  return {
    bytes: loaded.file / requests,
    nodes: loaded.nodes / requests,
    replacedNodes: loaded.replacedNodes / requests,
  };
}
