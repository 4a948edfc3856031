// Renders how much disk space a load will take, as a page or as the picture alone: the length of the files over the
// size of requests.

import { formatBytes } from '../shared/units.js';
import { barChart, figure, lineChart, list, paragraph, renderPage, table } from './charts/index.js';
import { nameOf } from './predict-indexes.js';
import { perRequest } from './predict-json.js';
import { describeLoad, group, notesOf } from './predict-text.js';

/** @import { PredictReport } from './predict-text.js' */

const MEGABYTE = 1_000_000;

/**
 * @param {PredictReport} report
 * @param {{id: string, width?: number}} [size]
 * @returns {string} an `<svg>`: the curve over sizes of requests
 */
export function renderPredictSvg(report, size = { id: 'predict' }) {
  const { batches } = report.prediction;
  return lineChart({
    ...size,
    title: 'Predicted file size by batch size',
    x: { label: 'documents per _bulk_docs request', scale: 'log' },
    y: { label: 'file size of all shards, before compaction', unit: 'MB', scale: 'log' },
    series: [
      { name: 'these ids', points: batches.map(({ batch, given }) => ({ x: batch, y: given / MEGABYTE })) },
      { name: 'sequential ids', points: batches.map(({ batch, counted }) => ({ x: batch, y: counted / MEGABYTE })) },
    ],
    note: `${group(report.documents)} documents, ${group(report.shards)} ${report.shards === 1 ? 'shard' : 'shards'}.${batches.every((row) => row.isReplayed) ? '' : ' Batch sizes other than that of this load are extrapolated from its first documents.'}`,
  });
}

/**
 * @param {PredictReport} report
 * @returns {string}
 */
export function renderPredictPage(report) {
  const { prediction, sources, target } = report;
  const { load, given, sorted, counted, batches, growth } = prediction;
  const { loaded } = load;
  const request = perRequest(report);
  const notes = notesOf(report);
  return renderPage({
    title: 'Predicted database size after this load',
    lead: `${describeLoad(report)}: ${formatBytes(given.file)}, after compaction ${formatBytes(given.compacted)}. With sequential ids: ${formatBytes(counted.file)}.`,
    facts: [
      { name: 'files', value: sources.join(', ') },
      { name: 'CouchDB', value: target },
      { name: 'written per request', value: formatBytes(Math.round(request.bytes)) },
      {
        name: 'nodes per request',
        value: `${group(request.nodes)}, ${group(request.replacedNodes)} of which replace older ones`,
      },
    ],
    sections: [
      {
        title: 'Order of ids',
        blocks: [
          table({
            caption: 'File size',
            columns: [
              { label: 'ids' },
              { label: 'after the load', isNumber: true },
              { label: 'after compaction', isNumber: true },
              { label: 'vs sequential ids', isNumber: true },
            ],
            rows: [
              { name: 'these ids, in this order', figures: given },
              { name: 'the whole load sorted by id', figures: sorted },
              { name: 'sequential ids', figures: counted },
            ].map(({ name, figures }) => [
              name,
              formatBytes(figures.file),
              formatBytes(figures.compacted),
              (figures.file / counted.file).toFixed(2),
            ]),
          }),
          figure('parts', (size) =>
            barChart({
              ...size,
              title: 'What the bytes are used for',
              axis: { label: 'bytes written by the load', unit: 'MB' },
              rows: [
                { label: 'documents', bytes: loaded.bodies },
                { label: 'by-id B-tree', bytes: loaded.idTree },
                { label: 'by-seq B-tree', bytes: loaded.seqTree },
                { label: 'headers', bytes: loaded.headers },
              ].map(({ label, bytes }) => ({ label, values: [{ value: bytes / MEGABYTE, text: formatBytes(bytes) }] })),
            }),
          ),
        ],
      },
      {
        title: 'Batch size',
        blocks: [
          figure('batches', (size) => renderPredictSvg(report, size)),
          table({
            caption: 'File size after the load',
            columns: [
              { label: 'documents per request' },
              { label: 'these ids', isNumber: true },
              { label: 'sequential ids', isNumber: true },
            ],
            rows: batches.map((row) => [
              group(row.batch),
              `${row.isReplayed ? '' : '~ '}${formatBytes(row.given)}`,
              `${row.isReplayed ? '' : '~ '}${formatBytes(row.counted)}`,
            ]),
          }),
          growth &&
            paragraph(
              growth.given === undefined || growth.counted === undefined
                ? `With ${group(growth.count)} documents: unknown, the load has too few requests to extrapolate from.`
                : `With ${group(growth.count)} such documents: about ${formatBytes(growth.given)}; with sequential ids ${formatBytes(growth.counted)}.`,
            ),
        ],
      },
      ...indexSections(report),
      {
        title: 'Method',
        blocks: [
          paragraph(
            'No server was used: the writes of CouchDB were replayed node by node, following its source code. For the accuracy see docs/storage-model.md.',
          ),
          notes.length > 0 && list(notes),
        ],
      },
    ],
  });
}

/**
 * @param {PredictReport} report
 * @returns {{title: string, blocks: ReturnType<typeof table>[]}[]} none without `--views`
 */
function indexSections({ indexes }) {
  if (!indexes) return [];
  const columns = ['rows', 'after compaction', 'after the build', 'growth per 1,000 updates'];
  return [
    {
      title: 'Indexes',
      blocks: [
        table({
          caption: `Index files of ${group(indexes.documents)} documents`,
          columns: [{ label: 'index' }, ...columns.map((label) => ({ label, isNumber: true }))],
          rows: indexes.list.map((index) => {
            const { prediction, unknown = '' } = index;
            if (!prediction) return [`${nameOf(index)}: ${unknown}`, '', '', '', ''];
            const { low, high } = prediction.buildBytes;
            return [
              nameOf(index),
              group(prediction.rows),
              formatBytes(prediction.fileBytes),
              `${formatBytes(low)} to ${formatBytes(high)}`,
              formatBytes(prediction.bytesPer1000Writes.updated.hundred),
            ];
          }),
        }),
      ],
    },
  ];
}
