// Summarizes the samples of `include-docs`: tables, ratios beside the published ones, a picture. Pure.

import { compare, middle, ratioOf, samplesAt, timeEach } from './compare.js';
import { pointOf } from './picture.js';
import { INCLUDE_DOCS } from './published.js';

/** @import { BenchSample, BenchTable, Comparison, Findings, Settings } from './scenario.js' */

export const SETS = { all: 'all rows', build: 'build' };

/** The published three, under their names there. */
export const ARMS = [
  { id: 'emitdoc', view: 'emitdoc', query: '' },
  { id: 'emitnull', view: 'emitnull', query: '' },
  { id: 'emitnull + include_docs', view: 'emitnull', query: 'include_docs=true' },
];

const [DOC, NULL, INCLUDED] = /** @type {[string, string, string]} */ (ARMS.map(({ id }) => id));

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
        title: 'A request with include_docs, beside the same rows of a view that holds the documents',
        kind: 'bars',
        x: { label: 'rows of a request' },
        y: { label: 'times as long as emitnull' },
        series: [DOC, INCLUDED].map((arm) => ({
          name: arm,
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
    ARMS.map(({ id: arm }) => [
      set,
      arm,
      middle(samples, { set, arm }),
      ratioOf(samples, { set, arm }, { set, arm: NULL })?.ratio ?? null,
      middle(samples, { set, arm }, cpuShare),
      middle(samples, { set, arm }, ({ bytes, things }) => (bytes === undefined ? undefined : bytes / things)),
    ]),
  );
  return {
    title: 'Reading',
    columns: [
      { title: 'request', unit: 'text' },
      { title: 'view', unit: 'text' },
      { title: 'each', unit: 'ms' },
      { title: 'to emitnull', unit: 'times' },
      { title: 'server CPU', unit: 'share' },
      { title: 'answer', unit: 'bytes' },
    ],
    rows,
    notes: ['server CPU is processor time of the server by time of the requests; 100 % is one processor'],
  };
}

/** @param {readonly BenchSample[]} samples @returns {BenchTable} */
function buildTable(samples) {
  const rows = [DOC, NULL].flatMap((arm) =>
    samplesAt(samples, { set: SETS.build, arm }).map(({ ms, things, sizes }) => [
      arm,
      ms,
      (things * 1000) / ms,
      sizes?.['index'] ?? null,
    ]),
  );
  return {
    title: 'What the two indexes cost, built once',
    columns: [
      { title: 'view', unit: 'text' },
      { title: 'build', unit: 'ms' },
      { title: 'documents', unit: 'perSecond' },
      { title: 'file', unit: 'bytes' },
    ],
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
    ? 'published: guessed from what top showed'
    : 'the processor time of this server cannot be read from here';
  return [
    compare('all rows: include_docs / emitdoc', time.included / time.doc, ratioOf(samples, included, doc)),
    compare('all rows: include_docs / emitnull', time.included / time.nothing, ratioOf(samples, included, nothing)),
    compare('all rows: emitdoc / emitnull', time.doc / time.nothing, ratioOf(samples, doc, nothing)),
    compare(
      'all rows, server CPU time: include_docs / emitdoc',
      work / (cpu.emitdoc * time.doc),
      ratioOf(samples, included, doc, ({ cpuMs }) => cpuMs),
      cpuNote,
    ),
    // Of small numbers of rows the post says that the latency "probably isn't going to matter", and gives no figure: all rows stand beside.
    ...pages.map((page) =>
      compare(
        `${page}: include_docs / emitdoc`,
        time.included / time.doc,
        ratioOf(samples, { set: page, arm: INCLUDED }, { set: page, arm: DOC }),
        'published: of all rows; the post expects less of few rows',
      ),
    ),
  ];
}

/** @type {import('./compare.js').Metric} */
function cpuShare(sample) {
  return sample.cpuMs === undefined || timeEach(sample) === undefined ? undefined : sample.cpuMs / sample.ms;
}
