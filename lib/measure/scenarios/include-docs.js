// Summarizes the samples of `include-docs`: tables, ratios beside the published ones, a picture. Pure.

import { columnsOf, compare, middle, pointOf, ratioOf, samplesAt, timeEach } from './compare.js';
import { INCLUDE_DOCS } from './published.js';

/** @import { BenchSample, BenchTable, Comparison, Findings, Settings } from './scenario.js' */

export const SETS = { all: 'all rows', build: 'build' };

/** The published three, under their names there; `label`: the name that tables and charts show. */
export const ARMS = [
  { id: 'emitdoc', label: 'emits the document', view: 'emitdoc', query: '' },
  { id: 'emitnull', label: 'emits null', view: 'emitnull', query: '' },
  {
    id: 'emitnull + include_docs',
    label: 'emits null + include_docs',
    view: 'emitnull',
    query: 'include_docs=true',
  },
];

const [DOC, NULL, INCLUDED] = /** @type {[string, string, string]} */ (ARMS.map(({ id }) => id));

/** @param {string} id of an arm @returns {string} */
function labelOf(id) {
  return ARMS.find((arm) => arm.id === id)?.label ?? id;
}

/** @param {number} page rows @returns {string} */
export function setOfPage(page) {
  return page === 1 ? 'pages of 1 row' : `pages of ${page} rows`;
}

/**
 * @param {readonly BenchSample[]} samples
 * @param {Settings} settings
 * @returns {Findings}
 */
export function summarize(samples, settings) {
  const pages = /** @type {number[]} */ (settings['pages']).map(setOfPage);
  const sets = [SETS.all, ...pages].filter((set) => samples.some((sample) => sample.set === set));
  return {
    tables: [readTable(samples, sets), buildTable(samples)],
    comparisons: comparisonsOf(samples, pages),
    pictures: [
      {
        title: 'Time to read rows, relative to a view that emits null',
        kind: 'bars',
        x: { label: 'rows per request' },
        y: { label: 'time relative to the view that emits null', unit: 'times' },
        series: [DOC, INCLUDED].map((arm) => ({
          name: labelOf(arm),
          points: sets.flatMap((set) => pointOf(set, ratioOf(samples, { set, arm }, { set, arm: NULL }))),
        })),
      },
    ],
  };
}

/**
 * @param {readonly BenchSample[]} samples
 * @param {string[]} sets
 * @returns {BenchTable}
 */
function readTable(samples, sets) {
  const rows = sets.flatMap((set) =>
    ARMS.map(({ id: arm, label }) => [
      set,
      label,
      middle(samples, { set, arm }),
      ratioOf(samples, { set, arm }, { set, arm: NULL })?.ratio ?? null,
      middle(samples, { set, arm }, cpuShare),
      middle(samples, { set, arm }, ({ bytes, things }) => (bytes === undefined ? undefined : bytes / things)),
    ]),
  );
  return {
    title: 'Time to read rows',
    columns: columnsOf({
      request: 'text',
      view: 'text',
      'time per request': 'ms',
      'vs. emits null': 'times',
      'server CPU': 'share',
      response: 'bytes',
    }),
    rows,
    notes: ['server CPU: CPU time of the server divided by the time of the requests; 100 % is one processor'],
  };
}

/** @param {readonly BenchSample[]} samples @returns {BenchTable} */
function buildTable(samples) {
  const rows = [DOC, NULL].flatMap((arm) =>
    samplesAt(samples, { set: SETS.build, arm }).map(({ ms, things, sizes }) => [
      labelOf(arm),
      ms,
      (things * 1000) / ms,
      sizes?.['index'] ?? null,
    ]),
  );
  return {
    title: 'Time and file size of one index build',
    columns: columnsOf({
      view: 'text',
      'build time': 'ms',
      'documents per second': 'perSecond',
      'index file': 'bytes',
    }),
    rows,
  };
}

/**
 * @param {readonly BenchSample[]} samples
 * @param {string[]} pages
 * @returns {Comparison[]}
 */
function comparisonsOf(samples, pages) {
  const set = SETS.all;
  const [doc, nothing, included] = [DOC, NULL, INCLUDED].map((arm) => ({ set, arm }));
  const { seconds, cpuShare: cpu } = INCLUDE_DOCS;
  if (!doc || !nothing || !included) return [];
  const time = {
    doc: seconds.emitdoc,
    nothing: seconds.emitnull,
    included: seconds['emitnull + include_docs'],
  };
  const work = cpu['emitnull + include_docs'] * time.included;
  const cpuNote = samples.some(({ cpuMs }) => cpuMs !== undefined)
    ? 'published: estimated from the output of top'
    : 'the CPU time of this server cannot be read from here';
  return [
    compare(
      'all rows: with include_docs / emits the document',
      time.included / time.doc,
      ratioOf(samples, included, doc),
    ),
    compare(
      'all rows: with include_docs / emits null',
      time.included / time.nothing,
      ratioOf(samples, included, nothing),
    ),
    compare('all rows: emits the document / emits null', time.doc / time.nothing, ratioOf(samples, doc, nothing)),
    compare(
      'all rows, server CPU time: with include_docs / emits the document',
      work / (cpu.emitdoc * time.doc),
      ratioOf(samples, included, doc, ({ cpuMs }) => cpuMs),
      cpuNote,
    ),
    // Of small numbers of rows the post says that the latency "probably isn't going to matter", and gives no figure: all rows stand beside.
    ...pages.map((page) =>
      compare(
        `${page}: with include_docs / emits the document`,
        time.included / time.doc,
        ratioOf(samples, { set: page, arm: INCLUDED }, { set: page, arm: DOC }),
        'published: for all rows; the post expects a smaller difference for few rows',
      ),
    ),
  ];
}

/** @type {import('./compare.js').Metric} */
function cpuShare(sample) {
  return sample.cpuMs === undefined || timeEach(sample) === undefined ? undefined : sample.cpuMs / sample.ms;
}
