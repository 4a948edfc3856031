// Summarizes the samples of `bulk-load`: kinds of ids against each other, bulk inserts against single ones, the curve
// over batch sizes, files before and after compaction. Pure.

import { columnsOf, compare, middle, pointOfRounds, ratioOf, samplesAt, timeEach } from './compare.js';
import { BULK_LOAD } from './published.js';

/** @import { BenchSample, BenchTable, Comparison, Findings, Settings } from './scenario.js' */

export const SETS = { ids: 'ids' };

/** The kinds of ids on the curve over batch sizes. */
export const CURVE_KINDS = /** @type {const} */ (['random', 'sequential']);

/** @param {number} batch @returns {string} */
export function setOfBatch(batch) {
  return `batches of ${batch}`;
}

/**
 * @param {number} batch
 * @param {number} documents of the whole load
 * @returns {number} so many are loaded for one point of the curve: small batches take long for few documents
 */
export function documentsOfPoint(batch, documents) {
  return Math.min(documents, Math.max(batch * 500, 1000));
}

/**
 * @param {readonly BenchSample[]} samples
 * @param {Settings} settings
 * @param {{hasTrees: boolean}} server whether it keeps trees in append-only files: else nothing here is what was published about
 * @returns {Findings}
 */
export function summarize(samples, settings, { hasTrees }) {
  const batches = /** @type {number[]} */ (settings['batches']).filter((batch) =>
    samples.some(({ set }) => set === setOfBatch(batch)),
  );
  return {
    tables: [idTable(samples), bulkTable(samples, settings, batches), curveTable(samples, batches)],
    comparisons: hasTrees ? comparisonsOf(samples, settings, batches) : [],
    pictures: [
      {
        title: 'Documents per second by batch size',
        kind: 'lines',
        x: { label: 'documents per batch', isLogarithmic: true },
        y: { label: 'documents per second' },
        series: CURVE_KINDS.map((arm) => ({
          name: `${arm} ids`,
          points: batches.flatMap((batch) => {
            const times = samplesAt(samples, { set: setOfBatch(batch), arm }).flatMap(
              (sample) => timeEach(sample) ?? [],
            );
            // Made of times, as in the table: the middle of two speeds is another figure.
            return pointOfRounds(batch, times).map(({ x, y, low = y, high = y }) => ({
              x,
              y: 1000 / y,
              low: 1000 / high,
              high: 1000 / low,
            }));
          }),
        })),
      },
    ],
  };
}

/** @param {readonly BenchSample[]} samples @returns {BenchTable} */
function idTable(samples) {
  const set = SETS.ids;
  const arms = [...new Set(samples.filter((sample) => sample.set === set).map(({ arm }) => arm))].sort(byOrder);
  return {
    title: 'Load by kind of id',
    columns: columnsOf({
      ids: 'text',
      'load time': 'ms',
      'documents per second': 'perSecond',
      'time vs. sequential': 'times',
      'file size': 'bytes',
      'file vs. sequential': 'times',
      'after compaction': 'bytes',
    }),
    rows: arms.map((arm) => {
      const place = { set, arm };
      const each = middle(samples, place);
      return [
        arm,
        middle(samples, place, ({ ms }) => ms),
        each === null ? null : 1000 / each,
        ratioOf(samples, place, { set, arm: 'sequential' })?.ratio ?? null,
        middle(samples, place, fileSize),
        ratioOf(samples, place, { set, arm: 'sequential' }, fileSize)?.ratio ?? null,
        middle(samples, place, ({ sizes }) => sizes?.['compacted']),
      ];
    }),
  };
}

/** One `PUT` a document. */
const SINGLE = 1;

/**
 * @param {readonly BenchSample[]} samples
 * @param {Settings} settings
 * @param {number[]} batches
 * @returns {BenchTable} without rows where one of the two was not measured
 */
function bulkTable(samples, settings, batches) {
  const batch = /** @type {number} */ (settings['batch']);
  const [single, bulk] = [SINGLE, batch].map(setOfBatch);
  const hasBoth = batches.includes(SINGLE) && batches.includes(batch);
  const places = (/** @type {string} */ arm) => [
    { set: single ?? '', arm },
    { set: bulk ?? '', arm },
  ];
  return {
    title: 'Bulk inserts compared with single inserts, documents per second',
    columns: columnsOf({
      ids: 'text',
      '1 per request': 'perSecond',
      [`${batch} per request`]: 'perSecond',
      'times as fast': 'times',
    }),
    rows: hasBoth
      ? CURVE_KINDS.map((arm) => {
          const [one, many] = places(arm).map((place) => middle(samples, place));
          const [over, under] = places(arm);
          const ratio = over && under ? ratioOf(samples, over, under) : null;
          return [arm, one ? 1000 / one : null, many ? 1000 / many : null, ratio?.ratio ?? null];
        })
      : [],
  };
}

/**
 * @param {readonly BenchSample[]} samples
 * @param {number[]} batches
 * @returns {BenchTable}
 */
function curveTable(samples, batches) {
  return {
    title: 'Load by batch size',
    columns: [
      ...columnsOf({ 'documents per batch': 'count', 'documents loaded': 'count' }),
      ...CURVE_KINDS.flatMap((kind) =>
        columnsOf({ [`${kind} ids, per second`]: 'perSecond', 'file size per document': 'bytes' }),
      ),
    ],
    rows: batches.map((batch) => {
      const set = setOfBatch(batch);
      const documents = samples.find((sample) => sample.set === set)?.things ?? null;
      return [
        batch,
        documents,
        ...CURVE_KINDS.flatMap((arm) => {
          const each = middle(samples, { set, arm });
          const file = middle(samples, { set, arm }, (sample) => {
            const size = fileSize(sample);
            return size === undefined ? undefined : size / sample.things;
          });
          return [each === null ? null : 1000 / each, file === null ? null : Math.round(file)];
        }),
      ];
    }),
    notes: ['small batches load fewer documents'],
  };
}

/**
 * @param {readonly BenchSample[]} samples
 * @param {Settings} settings
 * @param {number[]} batches
 * @returns {Comparison[]}
 */
function comparisonsOf(samples, settings, batches) {
  const set = SETS.ids;
  const [random, sequential, ten] = ['random', 'sequential', 'ten-digits'].map((arm) => ({ set, arm }));
  if (!random || !sequential || !ten) return [];
  const { minutes, singleMinutes, fileRatio, peakBatch } = BULK_LOAD;
  const batch = /** @type {number} */ (settings['batch']);
  const hasFiles = samples.some((sample) => fileSize(sample) !== undefined);
  const noFile = hasFiles ? undefined : 'this server does not report file sizes';
  const size = 'published: for 1.9 million documents; a deeper B-tree has more nodes to rewrite';
  return [
    compare(
      'time: random ids / ten sequential digits',
      minutes.random / minutes.sequential,
      ratioOf(samples, random, ten),
      size,
    ),
    compare(
      'time: random ids / sequential of the same length',
      minutes.random / minutes.sequential,
      ratioOf(samples, random, sequential),
    ),
    compare(
      'file: random ids / ten sequential digits',
      fileRatio,
      ratioOf(samples, random, ten, fileSize),
      noFile ?? size,
    ),
    compare(
      `time per document, random ids: 1 per request / ${batch} per request`,
      singleMinutes / minutes.random,
      ratioOf(samples, { set: setOfBatch(SINGLE), arm: 'random' }, { set: setOfBatch(batch), arm: 'random' }),
      batches.includes(SINGLE) && batches.includes(batch)
        ? 'published: about 8 hours and 42 minutes'
        : `published: about 8 hours and 42 minutes; add 1 and ${batch} to --batches`,
    ),
    ...peakOf(samples, batches, peakBatch),
  ];
}

/**
 * The peak was one of time: batches of 3,000 took longer than those on both sides.
 * @param {readonly BenchSample[]} samples
 * @param {number[]} batches
 * @param {number} peak
 * @returns {Comparison[]}
 */
function peakOf(samples, batches, peak) {
  const below = batches.filter((batch) => batch < peak).at(-1);
  const above = batches.find((batch) => batch > peak);
  const arm = 'sequential';
  // The post shows the peak as a picture without figures: a tenth above the neighbors is the least that shows there.
  const published = 1.1;
  return [below, above].map((batch, at) => {
    const what = `time per document: batches of ${peak} / of ${batch ?? (at === 0 ? 'fewer' : 'more')}`;
    const found =
      batch === undefined ? null : ratioOf(samples, { set: setOfBatch(peak), arm }, { set: setOfBatch(batch), arm });
    const note = 'published: a peak in a chart without figures, taken as 1.1 here';
    return compare(what, published, found, found ? note : `${note}; add ${peak} and its neighbors to --batches`);
  });
}

/** @type {import('./compare.js').Metric} */
function fileSize(sample) {
  return timeEach(sample) === undefined ? undefined : sample.sizes?.['file'];
}

const ORDER = ['random', 'sequential', 'ten-digits', 'time-ordered'];

/** @param {string} first @param {string} second */
function byOrder(first, second) {
  const place = (/** @type {string} */ arm) => (ORDER.includes(arm) ? ORDER.indexOf(arm) : ORDER.length);
  return place(first) - place(second);
}
