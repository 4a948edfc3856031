// Makes the loads of fixtures/storage-model again, what the storage model predicts for them, and the tables of
// docs/storage-model.md.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { LoadTable } from '../../lib/storage-model/load-table.js';
import { firstDocuments } from '../../lib/storage-model/other-ids.js';
import { checkpointsFor, extrapolate, fitGrowth } from '../../lib/storage-model/predict.js';
import { replay } from '../../lib/storage-model/replay.js';
import { root } from './run-cli.js';

/** @import { LoadColumns } from '../../lib/storage-model/load-table.js' */

/** @typedef {'sequential' | 'random' | 'time-ordered'} IdOrder */

/**
 * @typedef {object} MeasuredRow Sizes in bytes.
 * @property {IdOrder} ids
 * @property {number} documents
 * @property {number} batch
 * @property {number} q
 * @property {number} file
 * @property {number} active
 * @property {number} external
 * @property {number} fileCompacted
 * @property {number} activeCompacted
 */

/** @type {MeasuredRow[]} */
export const measuredRows = JSON.parse(
  readFileSync(path.join(root, 'fixtures/storage-model/file-sizes-3.4.3.json'), 'utf8'),
).rows;

/**
 * @param {number} seed
 * @returns {() => number} mulberry32, as whole numbers of 32 bits
 */
export function mulberry32(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}

/**
 * @param {IdOrder} ids
 * @param {number} count
 * @returns {Generator<{id: string, json: string}>} the documents that were measured
 */
export function* scoreDocuments(ids, count) {
  const random = mulberry32(42);
  const hex = () => [0, 0, 0, 0].map(() => random().toString(16).padStart(8, '0')).join('');
  for (let number = 0; number < count; number += 1) {
    let id = String(number).padStart(10, '0');
    if (ids === 'random') id = hex();
    if (ids === 'time-ordered') id = (Date.UTC(2026, 0, 1) + number).toString(16).padStart(12, '0') + hex().slice(12);
    const month = String(1 + (number % 12)).padStart(2, '0');
    const user = String(number % 997).padStart(3, '0');
    const rest = `"metadata":{"docType":"score","createdAt":"2026-${month}-19"},"username":"user${user}","score":${number % 5000}`;
    yield { id, json: `{"_id":"${id}",${rest}}` };
  }
}

/**
 * @param {Iterable<{id: string, json: string}>} documents
 * @returns {LoadColumns}
 */
export function columnsOf(documents) {
  const table = new LoadTable();
  for (const { id, json } of documents) {
    const bytes = Buffer.from(json);
    table.add(Buffer.from(id).toString('latin1'), bytes, 0, bytes.length, json.includes('"_deleted":true'));
  }
  return table.columns();
}

/** @typedef {MeasuredRow & {predicted: number, predictedCompacted: number, predictedActive: number}} ComparedRow */

/**
 * @param {MeasuredRow} row
 * @returns {ComparedRow}
 */
export function compareRow(row) {
  const load = columnsOf(scoreDocuments(row.ids, row.documents));
  const { loaded, compacted } = replay(load, { shards: row.q, batch: row.batch, compact: true });
  return { ...row, predicted: loaded.file, predictedCompacted: compacted?.file ?? 0, predictedActive: loaded.active };
}

/** @param {number} predicted @param {number} measured @returns {string} `+0.04 %` */
function deviation(predicted, measured) {
  const share = (predicted / measured - 1) * 100;
  return `${share >= 0.005 ? '+' : ''}${share.toFixed(2).replace('-0.00', '0.00')} %`;
}

/** @param {number} bytes @returns {string} */
function inBytes(bytes) {
  return bytes.toString().replace(/\B(?=(\d{3})+$)/g, ',');
}

/**
 * @param {ComparedRow[]} rows
 * @returns {string} Markdown
 */
export function accuracyTable(rows) {
  return [
    '| Ids | Documents | A request | Shards | Measured | Predicted | | Compacted | Predicted | |',
    '|---|---|---|---|---|---|---|---|---|---|',
    ...rows.map(
      (row) =>
        `| ${row.ids} | ${inBytes(row.documents)} | ${inBytes(row.batch)} | ${row.q} | ${inBytes(row.file)} | ${inBytes(row.predicted)} | ${deviation(row.predicted, row.file)} | ${inBytes(row.fileCompacted)} | ${inBytes(row.predictedCompacted)} | ${deviation(row.predictedCompacted, row.fileCompacted)} |`,
    ),
  ].join('\n');
}

/** From how many documents to how many the formula is checked. */
export const GROWTH_STEPS = [10_000, 30_000, 100_000];
export const GROWTH_TARGET = 300_000;
/** @type {[IdOrder, number][]} */
export const GROWTH_ROWS = [
  ['random', 1000],
  ['time-ordered', 1000],
  ['sequential', 100],
];

/**
 * @param {IdOrder} ids
 * @param {number} batch
 * @returns {{ids: IdOrder, batch: number, errors: number[]}} of the formula, fitted on the steps, against the replay of the target
 */
export function growthErrors(ids, batch) {
  const load = columnsOf(scoreDocuments(ids, GROWTH_TARGET));
  const whole = replay(load, { shards: 2, batch }).loaded.file;
  const errors = GROWTH_STEPS.map((count) => {
    const growth = fitGrowth(
      replay(firstDocuments(load, count), { shards: 2, batch, checkpoints: checkpointsFor(count) }).curve,
    );
    return growth ? extrapolate(growth, GROWTH_TARGET) / whole - 1 : Number.NaN;
  });
  return { ids, batch, errors };
}

/**
 * @param {ReturnType<typeof growthErrors>[]} rows
 * @returns {string} Markdown
 */
export function growthTable(rows) {
  return [
    `| Ids | A request | ${GROWTH_STEPS.map((step) => `from ${inBytes(step)}`).join(' | ')} |`,
    `|---|---|${GROWTH_STEPS.map(() => '---').join('|')}|`,
    ...rows.map(
      ({ ids, batch, errors }) =>
        `| ${ids} | ${inBytes(batch)} | ${errors.map((error) => (Number.isNaN(error) ? 'too few requests' : deviation(1 + error, 1))).join(' | ')} |`,
    ),
  ].join('\n');
}
