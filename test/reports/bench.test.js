// Results of scenarios as text, JSON and pages: figures, and names that try to be more than names.

import { describe, expect, test } from 'vitest';
import { compare } from '../../lib/measure/scenarios/compare.js';
import {
  benchCharts,
  benchDocument,
  benchJson,
  comparisonCells,
  formatCell,
  formatRatio,
  tellConfidence,
  tellDifferences,
} from '../../lib/reports/bench.js';
import { sampleOf } from '../helpers/bench-samples.js';
import { drawChart, renderHtmlDocument, renderTextDocument } from '../helpers/internals.js';

/** @import { BenchResult } from '../../lib/measure/scenarios/scenario.js' */

const HOSTILE = '\u001b[31m<script>alert(1)</script>\u202e|';

/** @type {BenchResult} */
const result = {
  version: 1,
  scenario: 'index-build',
  question: 'What is slow?',
  at: '2026-11-21T12:00:00.000Z',
  seed: HOSTILE,
  settings: { size: 10, 'document-bytes': [1000, 300_000] },
  environment: {
    tool: '0.1.0',
    node: '20.20.2',
    system: 'linux x64 6.1',
    processor: 'Processor',
    processors: 2,
    memoryBytes: 1,
    loadAverage: 0.5,
    server: { name: 'CouchDB 3.5.0', kind: 'couchdb', version: '3.5.0', settings: {} },
  },
  state: 'done',
  failure: null,
  published: 'a post',
  missing: [`no ${HOSTILE}`],
  notes: ['a note'],
  warnings: [{ code: 'busy-machine', message: 'the machine was busy with other work' }],
  tables: [
    {
      title: 'Speed',
      columns: [
        { title: 'query server', unit: 'text' },
        { title: 'speed', unit: 'perSecond' },
      ],
      rows: [
        [HOSTILE, 19_821.25],
        ['couchjs', null],
      ],
      notes: ['of a round'],
    },
    { title: 'Empty', columns: [{ title: 'nothing', unit: 'text' }], rows: [] },
  ],
  comparisons: [
    compare('a / b', 2, { ratio: 2.1, interval: [1.9, 2.3], confidence: 0.96875, rounds: 6 }),
    compare('c / d', 3, null, `there is no ${HOSTILE}`),
  ],
  pictures: [
    {
      title: 'Speed',
      kind: 'bars',
      x: { label: 'query server' },
      y: { label: 'documents per second' },
      series: [{ name: 'map', points: [{ x: HOSTILE, y: 5, low: 4, high: 6 }] }],
    },
    {
      title: 'Nothing',
      kind: 'lines',
      x: { label: 'time' },
      y: { label: 'speed' },
      series: [{ name: 'map', points: [] }],
    },
  ],
  samples: [sampleOf('documents of 1 kB', HOSTILE, { ms: 1.23456789012 })],
};
const environment = [{ name: 'server', value: 'CouchDB 3.5.0' }];
/** @param {BenchResult} given @param {{color?: boolean}} [look] */
const render = (given, look) => renderTextDocument(benchDocument(given, environment), look);

describe('text', () => {
  const text = render(result);

  test('has figures, ratios, what is missing and warnings', () => {
    expect(text).toContain(
      'What is slow?\nscenario  index-build\nserver    CouchDB 3.5.0\ndate      2026-11-21 12:00 UTC\nsizes     size 10, document-bytes 1000,300000\nseed      ',
    );
    expect(text).toMatch(/ {2}a \/ b +2 +2\.1 +1\.9 to 2\.3 +as published\n/);
    expect(text).toMatch(/ {2}c \/ d +3 +- +- +not measured\n/);
    expect(text).toContain('confidence of the intervals: at least 96 %, from at least 6 rounds');
    expect(text).toContain('warning: the machine was busy with other work (`busy-machine`)');
    expect(text).not.toContain('Empty');
  });

  test('no name works on a terminal', () => {
    const codes = [...text].map((character) => character.codePointAt(0) ?? 0);
    expect(codes.filter((code) => (code < 32 && code !== 10) || (code >= 0x202a && code <= 0x202e))).toEqual([]);
  });

  test('colours are only where they are wanted', () => {
    expect(text).not.toContain('\u001b');
    expect(render(result, { color: true })).toContain('\u001b[32mas published\u001b[39m');
  });

  test('a run without samples compares nothing', () => {
    expect(render({ ...result, samples: [] })).not.toContain('Comparison with the published');
  });
});

describe('JSON', () => {
  test('is whole, with figures of nine digits', () => {
    const { samples, comparisons } = /** @type {BenchResult} */ (benchJson(result));
    expect(samples).toEqual([{ ...result.samples[0], ms: 1.23456789 }]);
    expect(comparisons).toHaveLength(2);
  });
});

describe('a page', () => {
  test('has no markup of names, and no picture of nothing', () => {
    const page = renderHtmlDocument(benchDocument(result, environment));
    expect(page).not.toContain('<script>');
    expect(page).toContain('&lt;script&gt;');
    expect(page).not.toContain('Nothing');
    const [chart, ...others] = benchCharts(result);
    expect(others).toEqual([]);
    expect(chart && drawChart(chart, { id: 'a' })).not.toContain('<script>');
  });
});

describe('what came out otherwise than published', () => {
  const found = (/** @type {number} */ ratio) => ({
    ratio,
    interval: /** @type {[number, number]} */ ([ratio * 0.99, ratio * 1.01]),
    confidence: 0.97,
    rounds: 6,
  });

  test('is named with how', () => {
    const some = [
      compare('a / b', 8, found(8)),
      compare('c / d', 8, found(2)),
      compare('e / f', 8, null),
      compare('g / h', 8, found(0.5)),
    ];
    expect(tellDifferences(some)).toBe('not as published: c / d (weaker); g / h (reversed)');
  });

  test('is nothing where all stands, and nothing is claimed of what was not measured', () => {
    expect(tellDifferences([compare('a / b', 8, found(8)), compare('e / f', 8, null)])).toBe(
      '1 of 2 ratios are as published',
    );
    expect(tellDifferences([compare('e / f', 8, null)])).toBe('no ratio was measured');
  });

  test('says how many are unclear', () => {
    const open = Array.from({ length: 13 }, (_, at) => compare(`a${at} / b`, 8, { ...found(8), confidence: 0.75 }));
    expect(tellDifferences([compare('c / d', 8, found(2)), ...open])).toBe(
      'not as published: c / d (weaker); 13 of 14 ratios are unclear',
    );
    expect(tellDifferences(open)).toBe('no ratio is clear: 13 of 13 are unclear');
    expect(tellDifferences([compare('c / d', 8, found(8)), ...open])).toBe(
      '1 of 14 ratios are as published; 13 of 14 ratios are unclear',
    );
  });
});

describe('figures', () => {
  test.each(
    /** @type {[number | string | null, Parameters<typeof formatCell>[1], string][]} */ ([
      [null, 'ms', '-'],
      [Number.NaN, 'times', '-'],
      ['text', 'text', 'text'],
      [850.4, 'ms', '850 ms'],
      [48_492, 'ms', '48.5 s'],
      [25_285_030.4, 'bytes', '25.3 MB'],
      [1.4, 'share', '140 %'],
      [19_821.25, 'perSecond', '19,821'],
      [53.31, 'perSecond', '53.3'],
      [7, 'count', '7'],
      [0.02134, 'times', '0.0213'],
    ]),
  )('%s in %s is %s', (value, unit, shown) => {
    expect(formatCell(value, unit)).toBe(shown);
  });

  test('large ratios have no digits behind the point', () => {
    expect([formatRatio(1250.4), formatRatio(99.96), formatRatio(1)]).toEqual(['1,250', '100', '1']);
  });

  test('one round has no interval', () => {
    const [one] = [compare('a / b', 2, { ratio: 2, interval: [2, 2], confidence: 0, rounds: 1 })];
    expect(one && comparisonCells(one)).toEqual(['a / b', '2', '2', '-', 'unclear']);
    expect(tellConfidence(one ? [one] : [])).toBe('one round gives no interval');
  });
});
