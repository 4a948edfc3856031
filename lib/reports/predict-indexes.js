// Renders the predicted index files of design documents and Mango indexes, as lines of text and as JSON.

import { printable } from '../shared/printable.js';
import { formatBytes, formatCount } from '../shared/units.js';

/** @typedef {{single: number, hundred: number}} WriteGrowth */

/**
 * @typedef {object} IndexPrediction Bytes of all shards, without copies on other nodes.
 * @property {number} fileBytes after compaction
 * @property {number} activeBytes
 * @property {{low: number, high: number}} buildBytes right after the build
 * @property {{inserted: WriteGrowth, updated: WriteGrowth}} bytesPer1000Writes
 * @property {number} rows
 * @property {number} rowBytes
 * @property {number} externalBytes
 * @property {boolean} isExtrapolated
 * @property {boolean} isReduceGuessed
 */

/**
 * @typedef {object} IndexReport
 * @property {string | null} designDoc id; null where a Mango index names none
 * @property {string} name of a Mango index; empty otherwise
 * @property {string} file where it is defined
 * @property {'views' | 'mango'} kind
 * @property {string[]} views
 * @property {string[]} notes what the figures leave out
 * @property {string} [unknown] why there is no prediction
 * @property {IndexPrediction} [prediction]
 * @property {number | undefined} [buildSeconds] undefined where no rate is known
 */

/**
 * @param {IndexReport[]} indexes
 * @param {{documents: number, sampled: number, rate: string | undefined}} about `rate`: who measured it
 * @returns {string[]}
 */
export function renderIndexLines(indexes, { documents, sampled, rate }) {
  const lines = [
    `Indexes of ${formatCount(documents)} documents${sampled < documents ? `, extrapolated from ${formatCount(sampled)}` : ''}:`,
  ];
  for (const index of indexes) {
    lines.push('', nameOf(index));
    const { prediction, unknown, notes } = index;
    if (!prediction) lines.push(`  unknown: ${printable(unknown ?? '')}`);
    else {
      const { buildBytes, bytesPer1000Writes } = prediction;
      const { inserted, updated } = bytesPer1000Writes;
      lines.push(
        `  ${formatCount(prediction.rows)} rows of ${formatBytes(Math.round(prediction.rowBytes))} each on average`,
        `  after compaction ${formatBytes(prediction.fileBytes)}, of which ${formatBytes(prediction.activeBytes)} active`,
        `  after the build ${formatBytes(buildBytes.low)} to ${formatBytes(buildBytes.high)}`,
        `  growth per 1,000 new documents: ${formatBytes(inserted.hundred)} indexed 100 at once, ${formatBytes(inserted.single)} one by one`,
        `  growth per 1,000 updates: ${formatBytes(updated.hundred)} indexed 100 at once, ${formatBytes(updated.single)} one by one`,
      );
      if (index.buildSeconds !== undefined && rate !== undefined)
        lines.push(
          `  build time about ${formatCount(Math.max(1, Math.round(index.buildSeconds)))} s (${printable(rate)})`,
        );
    }
    for (const note of notes) lines.push(`  note: ${printable(note)}`);
  }
  if (rate === undefined)
    lines.push(
      '',
      'Build time: unknown, requires the number of documents indexed per second (run `npx --no-install couch-advisor confirm --url`).',
    );
  return lines;
}

/** @param {IndexReport} index @returns {string} */
export function nameOf({ designDoc, name, kind, views, file }) {
  if (kind === 'mango') return printable(`Mango index ${name === '' ? `in ${file}` : name}`);
  return printable(`${designDoc ?? file} (${views.join(', ')})`);
}

/**
 * @param {IndexReport[]} indexes
 * @returns {object[]} as `ci --sizes` reads them
 */
export function indexesForJson(indexes) {
  return indexes.map(({ prediction, unknown, buildSeconds, ...index }) => ({
    ...index,
    ...(unknown === undefined ? {} : { unknown }),
    ...prediction,
    ...(prediction ? { buildSeconds: buildSeconds ?? null } : {}),
  }));
}
