// Builds the document of what a load will take on the disk: file sizes by the order of ids and the size of requests, and indexes.

import { formatBytes, formatCount } from '../shared/units.js';
import { chart, code, facts, notes, numbers, paragraph, section, table } from './document/blocks.js';
import { describeTarget } from './report.js';

/** @import { Target } from '../facts/fact.js' */
/** @import { Chart, Document, Optional } from './document/blocks.js' */

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
 * @property {Target} target
 * @property {string} [shardsFile] which names the number of shards
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

const MEGABYTE = 1_000_000;
/** Larger documents are mentioned. */
const HUGE_BYTES = 8_000_000;

/**
 * @param {PredictReport} report
 * @returns {Document}
 */
export function predictDocument(report) {
  const { prediction, sources, target, documents, jsonBytes, batch, shards, shardsFile } = report;
  const { load, given, counted, growth } = prediction;
  const request = perRequest(report);
  const requests = many(load.requests, 'request');
  const remarks = notesOf(report);
  return {
    title: 'couch-advisor predict',
    lead: `${formatBytes(given.file)} after the load, ${formatBytes(given.compacted)} after compaction; with sequential ids ${formatBytes(counted.file)}.`,
    facts: [
      { name: 'files', value: code(sources.join(', ')) },
      {
        name: 'load',
        value: `${many(documents, 'document')}, ${formatBytes(jsonBytes)} of JSON, in ${batch === undefined ? `its own ${requests}` : `${requests} of ${group(batch)}`}`,
      },
      {
        name: 'database',
        value: `${many(shards, 'shard')}${shardsFile === undefined ? '' : ` as ${shardsFile} says`}, ${describeTarget(target)}`,
      },
      {
        name: 'a request writes',
        value: `${formatBytes(Math.round(request.bytes))}: ${group(request.nodes)} B-tree nodes, ${group(request.replacedNodes)} of which replace older ones`,
      },
    ],
    blocks: [
      section('Order of ids', orderTable(report), ...compaction(prediction), ...partsOf(load.loaded)),
      section('Batch size', batchChart(report), batchTable(report), growth && paragraph(describeGrowth(growth))),
      ...indexSections(report.indexes),
      remarks.length > 0 && notes(remarks),
      paragraph('No server was used: the writes of CouchDB were replayed. For the accuracy see docs/storage-model.md.'),
    ],
  };
}

/** @param {PredictReport} report @returns {Optional} */
function orderTable({ prediction: { given, sorted, counted } }) {
  const rows = [
    { name: 'these ids, in this order', figures: given },
    { name: 'these ids, sorted', figures: sorted },
    { name: 'sequential ids', figures: counted },
  ];
  const labels = ['after the load', 'after compaction', 'vs sequential ids'];
  return table({
    columns: ['ids', ...numbers(...labels)],
    rows: rows.map(({ name, figures }) => [
      name,
      formatBytes(figures.file),
      formatBytes(figures.compacted),
      figures === counted ? '' : times(figures.file, counted.file),
    ]),
  });
}

/**
 * @param {PredictReport['prediction']} prediction
 * @returns {Optional[]} what the server's own compaction makes of these sizes
 */
function compaction({ given, sorted, counted }) {
  const ids = [
    ...(given.compactsItself ? ['these ids'] : []),
    ...(sorted.compactsItself ? ['the sorted load'] : []),
    ...(counted.compactsItself ? ['sequential ids'] : []),
  ];
  if (ids.length === 0) return [];
  return [
    paragraph(
      `By default CouchDB compacts a shard automatically, even during the load, once its file exceeds 1 MiB and twice the active size. This applies to ${ids.join(', ')}: after the load, the file size is between the two figures.`,
    ),
  ];
}

/** @param {ReplayFigures} loaded @returns {Optional[]} what the bytes are used for */
function partsOf({ file, bodies, idTree, seqTree, headers, active }) {
  const parts = [
    { label: 'documents', bytes: bodies },
    { label: 'by-id B-tree', bytes: idTree },
    { label: 'by-seq B-tree', bytes: seqTree },
    { label: 'headers', bytes: headers },
  ];
  const list = parts.map(({ label, bytes }) => `${label} ${formatBytes(bytes)}`).join(', ');
  return [
    paragraph(`Of ${formatBytes(file)}: ${list}. Active: ${formatBytes(active)}.`),
    chart('bars', {
      title: 'What the bytes are used for',
      axis: { label: 'bytes written by the load', unit: 'MB' },
      rows: parts.map(({ label, bytes }) => ({
        label,
        values: [{ value: bytes / MEGABYTE, text: formatBytes(bytes) }],
      })),
    }),
  ];
}

/**
 * @param {PredictReport} report
 * @returns {Chart} the curve over sizes of requests
 */
export function batchChart({ documents, shards, prediction: { batches } }) {
  const rest = batches.every((row) => row.isReplayed)
    ? ''
    : ' Batch sizes other than that of this load are extrapolated from its first documents.';
  return chart('lines', {
    title: 'Predicted file size by batch size',
    x: { label: 'documents per _bulk_docs request', scale: 'log' },
    y: { label: 'file size of all shards, before compaction', unit: 'MB', scale: 'log' },
    series: [
      { name: 'these ids', points: batches.map(({ batch, given }) => ({ x: batch, y: given / MEGABYTE })) },
      { name: 'sequential ids', points: batches.map(({ batch, counted }) => ({ x: batch, y: counted / MEGABYTE })) },
    ],
    note: `${many(documents, 'document')}, ${many(shards, 'shard')}.${rest}`,
  });
}

/** @param {PredictReport} report @returns {Optional} */
function batchTable({ batch, prediction: { batches } }) {
  return table({
    columns: ['documents per request', ...numbers('these ids', 'sequential ids')],
    rows: batches.map((row) => [
      `${group(row.batch)}${row.batch === batch ? ' (this load)' : ''}`,
      ...[row.given, row.counted].map((bytes) => `${row.isReplayed ? '' : '~ '}${formatBytes(bytes)}`),
    ]),
  });
}

/** @param {PredictReport['indexes']} indexes @returns {Optional[]} none without `--views` */
function indexSections(indexes) {
  if (!indexes) return [];
  const { list, documents, sampled, rate } = indexes;
  const of = sampled < documents ? `, extrapolated from ${formatCount(sampled)}` : '';
  const help =
    'Build time: unknown, requires the number of documents indexed per second (run `npx --no-install couch-advisor confirm --url`).';
  return [
    section(
      `Indexes of ${many(documents, 'document')}${of}`,
      ...list.map((index) => indexSection(index, rate)),
      rate === undefined && paragraph(help),
    ),
  ];
}

/** @param {IndexReport} index @param {string | undefined} rate @returns {Optional} */
function indexSection(index, rate) {
  const { prediction, unknown, buildSeconds, notes: remarks } = index;
  const notesOfIndex = remarks.length > 0 && notes(remarks);
  if (!prediction) return section([code(nameOf(index))], paragraph(`unknown: ${unknown ?? ''}`), notesOfIndex);
  const { buildBytes, bytesPer1000Writes } = prediction;
  const grown = (/** @type {WriteGrowth} */ { hundred, single }) =>
    `${formatBytes(hundred)} per 1,000 documents if the view is queried every 100, ${formatBytes(single)} if after each`;
  return section(
    [code(nameOf(index))],
    facts([
      {
        name: 'rows',
        value: `${formatCount(prediction.rows)} of ${formatBytes(Math.round(prediction.rowBytes))} each on average`,
      },
      {
        name: 'after compaction',
        value: `${formatBytes(prediction.fileBytes)}, of which ${formatBytes(prediction.activeBytes)} active`,
      },
      { name: 'after the build', value: `${formatBytes(buildBytes.low)} to ${formatBytes(buildBytes.high)}` },
      { name: 'growth by inserts', value: grown(bytesPer1000Writes.inserted) },
      { name: 'growth by updates', value: grown(bytesPer1000Writes.updated) },
      ...(buildSeconds === undefined || rate === undefined
        ? []
        : [{ name: 'build time', value: `about ${formatCount(Math.max(1, Math.round(buildSeconds)))} s (${rate})` }]),
    ]),
    notesOfIndex,
  );
}

/** @param {IndexReport} index @returns {string} */
function nameOf({ designDoc, name, kind, views, file }) {
  if (kind === 'mango') return `Mango index ${name === '' ? `in ${file}` : name}`;
  return `${designDoc ?? file} (${views.join(', ')})`;
}

/**
 * @param {NonNullable<PredictReport['prediction']['growth']>} growth
 * @returns {string}
 */
function describeGrowth({ count, given, counted }) {
  if (given === undefined || counted === undefined)
    return `With ${group(count)} documents: unknown, the load has too few requests to extrapolate from.`;
  return `With ${group(count)} such documents: about ${formatBytes(given)}; with sequential ids ${formatBytes(counted)} (extrapolated from the growth of the files; for the error see docs/storage-model.md).`;
}

/**
 * @param {PredictReport} report
 * @returns {string[]} what was assumed, left out or done by the server
 */
function notesOf({ counts, guessed, documents, prediction: { load, batches } }) {
  const all = [];
  if (counts.withoutId > 0)
    all.push(
      `without \`_id\`: ${many(counts.withoutId, 'document')}; ids are generated as by \`[uuids] algorithm = sequential\``,
    );
  if (load.updates > 0)
    all.push(`repeated id: ${many(load.updates, 'document')}, treated as updates with the current revision`);
  if (load.conflicts > 0)
    all.push(
      `repeated id within a request: ${many(load.conflicts, 'document')} not written, since CouchDB returns a conflict`,
    );
  if (counts.withAttachments > 0)
    all.push(`with attachments: ${many(counts.withAttachments, 'document')}; add the size of the attachments`);
  if (counts.local > 0) all.push(`skipped: ${many(counts.local, '`_local` document')}`);
  if (counts.withoutDocument > 0) all.push(`skipped: ${many(counts.withoutDocument, 'row')} without a document`);
  if (counts.largest >= HUGE_BYTES)
    all.push(
      `the largest document has ${formatBytes(counts.largest)}; CouchDB rejects documents above \`[couchdb] max_document_size\`, 8 MB by default`,
    );
  if (counts.beyond > 0)
    all.push(
      `replayed: the first ${group(documents)} documents; the figure for ${group(documents + counts.beyond)} includes the rest`,
    );
  if (guessed > 0) all.push(`stored size estimated from documents of the same length: ${many(guessed, 'document')}`);
  if (batches.some((row) => !row.isReplayed))
    all.push('~ extrapolated from the growth of the files with the first documents');
  if (documents === 1) all.push('a single document has no order, so all rows are equal');
  return all;
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
function group(number) {
  if (number < 10 && !Number.isInteger(number)) return number.toFixed(1);
  return formatCount(Math.round(number));
}

/**
 * @param {PredictReport} report
 * @returns {{bytes: number, nodes: number, replacedNodes: number}} the mean of a request
 */
function perRequest({ prediction: { load } }) {
  const { requests, loaded } = load;
  return {
    bytes: loaded.file / requests,
    nodes: loaded.nodes / requests,
    replacedNodes: loaded.replacedNodes / requests,
  };
}

// Makes the JSON of how much disk space a load will take: bytes and counts, nothing rounded.

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
