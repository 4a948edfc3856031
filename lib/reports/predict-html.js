// Renders how much disk space a load will take, as a page or as the picture alone: the length of the files over the
// size of requests.

import { formatBytes } from '../shared/units.js';
import { barChart, figure, lineChart, list, paragraph, renderPage, table } from './charts/index.js';
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
    title: 'Predicted length of the files, by size of requests',
    x: { label: 'documents in a _bulk_docs request', scale: 'log' },
    y: { label: 'all shards together, before compaction', unit: 'MB', scale: 'log' },
    series: [
      { name: 'these ids', points: batches.map(({ batch, given }) => ({ x: batch, y: given / MEGABYTE })) },
      { name: 'ids that count up', points: batches.map(({ batch, counted }) => ({ x: batch, y: counted / MEGABYTE })) },
    ],
    note: `${group(report.documents)} documents, ${group(report.shards)} ${report.shards === 1 ? 'shard' : 'shards'}.${batches.every((row) => row.isReplayed) ? '' : ' Other sizes than that of this load: worked out from its first documents.'}`,
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
    title: 'How large this load makes a database',
    lead: `${describeLoad(report)}: ${formatBytes(given.file)}, after compaction ${formatBytes(given.compacted)}. With ids that count up: ${formatBytes(counted.file)}.`,
    facts: [
      { name: 'files', value: sources.join(', ') },
      { name: 'CouchDB', value: target },
      { name: 'a request writes', value: formatBytes(Math.round(request.bytes)) },
      {
        name: 'nodes a request',
        value: `${group(request.nodes)}, ${group(request.replacedNodes)} in place of older ones`,
      },
    ],
    sections: [
      {
        title: 'Order of ids',
        blocks: [
          table({
            caption: 'Length of the files',
            columns: [
              { label: 'ids' },
              { label: 'after the load', isNumber: true },
              { label: 'after compaction', isNumber: true },
              { label: 'against ids that count up', isNumber: true },
            ],
            rows: [
              { name: 'these ids, in this order', figures: given },
              { name: 'the whole load sorted by id', figures: sorted },
              { name: 'ids that count up', figures: counted },
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
              title: 'What the bytes are',
              axis: { label: 'written by the load', unit: 'MB' },
              rows: [
                { label: 'documents', bytes: loaded.bodies },
                { label: 'tree of ids', bytes: loaded.idTree },
                { label: 'tree of sequence numbers', bytes: loaded.seqTree },
                { label: 'headers', bytes: loaded.headers },
              ].map(({ label, bytes }) => ({ label, values: [{ value: bytes / MEGABYTE, text: formatBytes(bytes) }] })),
            }),
          ),
        ],
      },
      {
        title: 'Size of requests',
        blocks: [
          figure('batches', (size) => renderPredictSvg(report, size)),
          table({
            caption: 'Length of the files after the load',
            columns: [
              { label: 'documents a request' },
              { label: 'these ids', isNumber: true },
              { label: 'ids that count up', isNumber: true },
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
                ? `With ${group(growth.count)} documents: unknown, the load has too few requests to see how it grows.`
                : `With ${group(growth.count)} documents of this kind, about ${formatBytes(growth.given)}; with ids that count up ${formatBytes(growth.counted)}.`,
            ),
        ],
      },
      {
        title: 'How it was found',
        blocks: [
          paragraph(
            'No server was asked: what CouchDB writes was replayed, node by node, by the rules of its source. How exact that is stands in docs/storage-model.md.',
          ),
          notes.length > 0 && list(notes),
        ],
      },
    ],
  });
}
