// Renders how much disk space a load will take, as text for a terminal.

import { printable } from '../shared/printable.js';
import { formatBytes, formatCount } from '../shared/units.js';
import { renderIndexLines } from './predict-indexes.js';
import { perRequest } from './predict-json.js';

/** @import { IndexReport } from './predict-indexes.js' */

/**
 * @typedef {object} ReplayFigures Bytes, but for nodes and commits.
 * @property {number} file
 * @property {number} bodies
 * @property {number} idTree
 * @property {number} seqTree
 * @property {number} headers
 * @property {number} active
 * @property {number} external
 * @property {number} nodes
 * @property {number} replacedNodes
 * @property {number} commits
 */

/** @typedef {{file: number, compacted: number, compactsItself: boolean}} OrderFigures bytes right after the load, and after compaction */

/**
 * @typedef {object} PredictReport
 * @property {string[]} sources the files, as they are shown
 * @property {number} documents that were replayed
 * @property {number} jsonBytes
 * @property {number} shards
 * @property {string} target version of CouchDB
 * @property {number | undefined} batch documents in a request; undefined where the file has its own requests
 * @property {{list: IndexReport[], documents: number, sampled: number, rate: string | undefined}} [indexes] of `--views`
 * @property {number} guessed documents whose stored size was taken from others of their length
 * @property {{withoutId: number, withoutDocument: number, local: number, withAttachments: number, largest: number, beyond: number}} counts
 * @property {{
 *   load: {loaded: ReplayFigures, compacted: ReplayFigures | undefined, requests: number, written: number, updates: number, conflicts: number},
 *   given: OrderFigures, sorted: OrderFigures, counted: OrderFigures,
 *   batches: {batch: number, given: number, counted: number, isReplayed: boolean}[],
 *   growth: {count: number, given: number | undefined, counted: number | undefined} | undefined,
 * }} prediction
 */

/** Larger documents are mentioned. */
const HUGE_BYTES = 8_000_000;

/**
 * @param {PredictReport} report
 * @returns {string}
 */
export function renderPredictText(report) {
  const { prediction, batch } = report;
  const { load, given, sorted, counted, batches, growth } = prediction;
  const { loaded } = load;
  const request = perRequest(report);
  const lines = [
    `${report.sources.map((source) => printable(source)).join(', ')}: ${describeLoad(report)}`,
    '',
    ...align([
      ['', 'after the load', 'after compaction', 'vs sequential ids'],
      [
        'these ids, in this order',
        formatBytes(given.file),
        formatBytes(given.compacted),
        times(given.file, counted.file),
      ],
      [
        'the whole load sorted by id',
        formatBytes(sorted.file),
        formatBytes(sorted.compacted),
        times(sorted.file, counted.file),
      ],
      ['sequential ids', formatBytes(counted.file), formatBytes(counted.compacted), ''],
    ]),
    ...describeCompaction(prediction),
    '',
    `Of ${formatBytes(loaded.file)}: documents ${formatBytes(loaded.bodies)}, by-id B-tree ${formatBytes(loaded.idTree)},`,
    `by-seq B-tree ${formatBytes(loaded.seqTree)}, headers ${formatBytes(loaded.headers)}. Active: ${formatBytes(loaded.active)}.`,
    `A request writes ${formatBytes(Math.round(request.bytes))}: ${group(request.nodes)} B-tree nodes, ${group(request.replacedNodes)} of which replace older ones.`,
    '',
    ...align([
      ['documents per request', 'these ids', 'sequential ids'],
      ...batches.map((row) => [
        `${group(row.batch)}${row.batch === batch ? ' (this load)' : ''}`,
        `${row.isReplayed ? '' : '~ '}${formatBytes(row.given)}`,
        `${row.isReplayed ? '' : '~ '}${formatBytes(row.counted)}`,
      ]),
    ]),
  ];
  if (growth) lines.push('', ...describeGrowth(growth));
  if (report.indexes) lines.push('', ...renderIndexLines(report.indexes.list, report.indexes));
  const notes = notesOf(report);
  if (notes.length > 0) lines.push('', ...notes.map((note) => `note: ${note}`));
  return `${lines.join('\n')}\n`;
}

/**
 * @param {PredictReport['prediction']} prediction
 * @returns {string[]} what the server's own compaction makes of these sizes
 */
function describeCompaction({ given, sorted, counted }) {
  const ids = [
    ...(given.compactsItself ? ['these ids'] : []),
    ...(sorted.compactsItself ? ['the sorted load'] : []),
    ...(counted.compactsItself ? ['sequential ids'] : []),
  ];
  if (ids.length === 0) return [];
  return [
    '',
    'By default CouchDB compacts a shard automatically, even during the load, once its file exceeds 1 MiB',
    `and twice the active size. This applies to ${ids.join(', ')}: after the load, the file size`,
    'is between the two figures.',
  ];
}

/**
 * @param {PredictReport} report
 * @returns {string}
 */
export function describeLoad({ documents, jsonBytes, batch, shards, target, prediction: { load } }) {
  const requests =
    batch === undefined
      ? `its own ${many(load.requests, 'request')}`
      : `${many(load.requests, 'request')} of ${group(batch)}`;
  return `${many(documents, 'document')}, ${formatBytes(jsonBytes)} of JSON, in ${requests}, ${many(shards, 'shard')}, CouchDB ${target}`;
}

/**
 * @param {NonNullable<PredictReport['prediction']['growth']>} growth
 * @returns {string[]}
 */
function describeGrowth({ count, given, counted }) {
  if (given === undefined || counted === undefined)
    return [`With ${group(count)} documents: unknown, the load has too few requests to extrapolate from.`];
  return [
    `With ${group(count)} such documents: about ${formatBytes(given)}; with sequential ids ${formatBytes(counted)}`,
    '(extrapolated from the growth of the files; for the error see docs/storage-model.md).',
  ];
}

/**
 * @param {PredictReport} report
 * @returns {string[]} what was assumed, left out or done by the server
 */
export function notesOf({ counts, guessed, documents, prediction: { load, batches } }) {
  const notes = [];
  if (counts.withoutId > 0)
    notes.push(
      `without \`_id\`: ${many(counts.withoutId, 'document')}; ids are generated as by \`[uuids] algorithm = sequential\``,
    );
  if (load.updates > 0)
    notes.push(`repeated id: ${many(load.updates, 'document')}, treated as updates with the current revision`);
  if (load.conflicts > 0)
    notes.push(
      `repeated id within a request: ${many(load.conflicts, 'document')} not written, since CouchDB returns a conflict`,
    );
  if (counts.withAttachments > 0)
    notes.push(`with attachments: ${many(counts.withAttachments, 'document')}; add the size of the attachments`);
  if (counts.local > 0) notes.push(`skipped: ${many(counts.local, '`_local` document')}`);
  if (counts.withoutDocument > 0) notes.push(`skipped: ${many(counts.withoutDocument, 'row')} without a document`);
  if (counts.largest >= HUGE_BYTES)
    notes.push(
      `the largest document has ${formatBytes(counts.largest)}; CouchDB rejects documents above \`[couchdb] max_document_size\`, 8 MB by default`,
    );
  if (counts.beyond > 0)
    notes.push(
      `replayed: the first ${group(documents)} documents; the figure for ${group(documents + counts.beyond)} includes the rest`,
    );
  if (guessed > 0) notes.push(`stored size estimated from documents of the same length: ${many(guessed, 'document')}`);
  if (batches.some((row) => !row.isReplayed))
    notes.push('~ extrapolated from the growth of the files with the first documents');
  if (documents === 1) notes.push('a single document has no order, so all rows are equal');
  return notes;
}

/** @param {number} file @param {number} other @returns {string} */
function times(file, other) {
  return `${(file / other).toFixed(file / other < 10 ? 2 : 1)} times`;
}

/** @param {number} count @param {string} name @returns {string} */
function many(count, name) {
  return `${group(count)} ${name}${count === 1 ? '' : 's'}`;
}

/** @param {number} number @returns {string} with commas; below 10 with one digit behind the point */
export function group(number) {
  if (number < 10 && !Number.isInteger(number)) return number.toFixed(1);
  return formatCount(Math.round(number));
}

/** @param {string[][]} rows @returns {string[]} the first column to the left, the others to the right */
function align(rows) {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}
