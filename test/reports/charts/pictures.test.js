// Every picture is whole, keeps its text inside and apart, escapes what it is given, and is the same for the same figures.

import { describe, expect, test } from 'vitest';
import { barChart, flameGraph, histogram, intervalPlot, lineChart } from '../../../lib/reports/charts/index.js';
import { textWidth } from '../../../lib/reports/charts/text-size.js';

const HOSTILE = '</title><script>alert("1")</script> & \u202e\u0000 `x` constructor';
const times = Array.from({ length: 300 }, (_, at) => Math.exp(((at * 7919) % 997) / 250));
const batches = [1, 10, 100, 1000, 10_000];

/** @type {[string, (size: {id: string, width?: number}) => string][]} */
const pictures = [
  [
    'bars',
    (size) =>
      barChart({
        ...size,
        title: 'Reading orders',
        axis: { label: 'time', unit: 's' },
        series: ['measured', 'published'],
        rows: [
          { label: 'emit the document', values: [{ value: 1.2, low: 1, high: 1.5 }, { value: 5.8 }] },
          { label: 'emit null, include_docs=true', values: [{ value: 8, low: 7, high: 9 }, { value: 48.5 }] },
          { label: 'constructor', values: [{ value: undefined }, { value: -3 }] },
        ],
        note: 'Bars: median of 12 rounds.',
      }),
  ],
  [
    'points on a logarithmic axis',
    (size) =>
      barChart({
        ...size,
        title: 'Changes a second',
        axis: { label: 'changes per second', scale: 'log' },
        rows: [5800, 648, 0].map((value) => ({ label: `orders ${value}`, values: [{ value }] })),
        reference: { value: 1000, label: 'published' },
      }),
  ],
  [
    'lines',
    (size) =>
      lineChart({
        ...size,
        title: 'File size by batch size',
        x: { label: 'documents in a batch', scale: 'log' },
        y: { label: 'file size', unit: 'MB', scale: 'log' },
        series: [
          {
            name: 'random',
            points: batches.map((x) => ({ x, y: 5000 / x + 80, low: 4000 / x + 70, high: 6000 / x + 90 })),
          },
          { name: 'sequential', points: batches.map((x) => ({ x, y: 900 / x + 25 })) },
          {
            name: 'UUID 7',
            points: batches.map((x) => ({ x, y: 900 / x + 25.2, low: 20, high: 1000 })),
            intervals: 'band',
          },
        ],
      }),
  ],
  [
    'intervals',
    (size) =>
      intervalPlot({
        ...size,
        title: 'What each change would win',
        axis: { label: 'time before ÷ time after' },
        rows: [
          { label: 'built-in _sum', estimate: 12.3, low: 11, high: 14 },
          { label: 'smaller batches', estimate: 0.98, low: 0.9, high: 1.06 },
          { label: 'shards', estimate: undefined, text: 'not measurable here' },
        ],
      }),
  ],
  [
    'a histogram',
    (size) =>
      histogram({
        ...size,
        title: 'Times',
        axis: { label: 'time', unit: 'ms', scale: 'log' },
        countLabel: 'requests',
        values: times,
        marks: [{ value: 7, label: 'median' }],
      }),
  ],
  [
    'hostile texts',
    (size) =>
      barChart({
        ...size,
        title: HOSTILE,
        description: HOSTILE,
        note: HOSTILE,
        axis: { label: HOSTILE, unit: HOSTILE },
        series: [HOSTILE, 'W'.repeat(300)],
        reference: { value: 1, label: HOSTILE },
        rows: [
          { label: HOSTILE.repeat(3), values: [{ value: 3, text: '<b>' }] },
          { label: '注文'.repeat(80), values: [{ value: Number.NaN }] },
        ],
      }),
  ],
  [
    'values out of any scale',
    (size) =>
      lineChart({
        ...size,
        title: 'Ends',
        x: { label: 'x' },
        y: { label: 'y' },
        series: [
          {
            name: 'all',
            points: [
              { x: 1, y: 1e308 },
              { x: 2, y: -1e308 },
              { x: Number.POSITIVE_INFINITY, y: 1 },
              { x: 3, y: Number.NaN },
            ],
          },
        ],
      }),
  ],
  [
    'no points at all',
    (size) =>
      lineChart({
        ...size,
        title: 'None',
        x: { label: 'x', scale: 'log' },
        y: { label: 'y' },
        series: [{ name: 'n', points: [{ x: 0, y: 0 }] }],
      }),
  ],
  [
    'a flame graph',
    (size) =>
      flameGraph({
        ...size,
        title: 'Where the time goes',
        format: (value) => `${value} ms`,
        kinds: ['function', 'line'],
        root: {
          name: 'orders/by_customer',
          value: 0,
          children: [
            { name: 'read the document', value: 30, kind: 'function', children: [] },
            {
              name: HOSTILE,
              value: 5,
              kind: 'function',
              children: Array.from({ length: 200 }, (_, at) => ({
                name: `line ${at}`,
                value: at,
                kind: 'line',
                children: [],
              })),
            },
            { name: 'W'.repeat(500), value: 8000, children: [{ name: 'bad', value: Number.NaN, children: [] }] },
          ],
        },
      }),
  ],
  [
    'a flame graph of nothing',
    (size) => flameGraph({ ...size, title: 'None', format: String, root: { name: 'r', value: 0, children: [] } }),
  ],
  ['no rows', (size) => barChart({ ...size, title: 'None', axis: { label: 'time' }, rows: [] })],
  ['no bins', (size) => histogram({ ...size, title: 'None', axis: { label: 'time' }, values: [] })],
];
const sizes = [320, 460, 720, 1200].flatMap((width) =>
  pictures.map(([name, draw]) => /** @type {const} */ ([name, width, draw])),
);

/** @param {string} svg @returns {{content: string, from: number, to: number, y: number, height: number}[]} */
function textsOf(svg) {
  return [...svg.matchAll(/<text x="([-\d.]+)" y="([-\d.]+)"([^>]*)>([^<]*)<\/text>/g)].map(
    ([, x = '', y = '', attributes = '', escaped = '']) => {
      const content = escaped
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&quot;', '"')
        .replaceAll('&amp;', '&');
      const size = attributes.includes('cx-title') ? 15 : attributes.includes('cx-small') ? 11 : 12;
      const width = textWidth(content, size, attributes.includes('cx-title'));
      const from = Number(x) - (attributes.includes('"end"') ? width : attributes.includes('"middle"') ? width / 2 : 0);
      return { content, from, to: from + width, y: Number(y), height: size };
    },
  );
}

/** @param {string} markup @returns {string[]} tags that are not closed or opened as they should be */
function unbalanced(markup) {
  /** @type {string[]} */
  const open = [];
  for (const [, closing, name = '', single] of markup.matchAll(/<(\/?)([a-zA-Z]+)(?:\s[^<>]*?)?(\/?)>/g)) {
    if (closing) {
      const last = open.pop();
      if (last !== name) return [`${last} ends as ${name}`];
    } else if (!single) open.push(name);
  }
  return open;
}

describe.each(sizes)('%s, %d pixels wide', (_, width, draw) => {
  const svg = draw({ id: 'p1', width });

  test('is well-formed and brings nothing along', () => {
    expect(unbalanced(svg)).toEqual([]);
    expect(svg).not.toMatch(/<script|\son\w+=|href=|url\((?!#p1-)|style="|NaN|Infinity|undefined/);
    expect(svg.startsWith(`<svg xmlns="http://www.w3.org/2000/svg" class="cx" width="${width}"`)).toBe(true);
  });

  test('keeps all text inside', () => {
    const height = Number(/ height="(\d+)"/.exec(svg)?.[1]);
    const outside = textsOf(svg).filter(({ from, to, y }) => from < 0 || to > width || y > height || y < 8);
    expect(outside).toEqual([]);
  });

  test('writes no text over another', () => {
    const texts = textsOf(svg);
    const clashes = texts.flatMap((one, at) =>
      texts
        .slice(at + 1)
        .filter(
          (other) =>
            one.from < other.to &&
            other.from < one.to &&
            Math.abs(one.y - other.y) < Math.min(one.height, other.height),
        )
        .map((other) => `${one.content} / ${other.content}`),
    );
    expect(clashes).toEqual([]);
  });

  test('is named for screen readers', () => {
    expect(svg).toMatch(/role="img" aria-labelledby="p1-title p1-desc"/);
    expect(svg).toMatch(/<title id="p1-title">[^<]+<\/title>\n<desc id="p1-desc">[^<]+<\/desc>/);
  });

  test('is the same again', () => {
    expect(draw({ id: 'p1', width })).toBe(svg);
  });
});

test.each(pictures)('all names in %s begin with the prefix', (_, draw) => {
  const names = [...draw({ id: 'mine' }).matchAll(/ id="([^"]+)"/g)].map(([, name]) => name);
  expect(names.length).toBeGreaterThan(1);
  expect(names.filter((name) => !name?.startsWith('mine-'))).toEqual([]);
});

test('a prefix that is no name becomes one', () => {
  expect(barChart({ id: '1"><b>', title: 'Rounds', axis: { label: 'time' }, rows: [] })).toContain(
    'id="c1---b--title"',
  );
});

test('what was not measured is not drawn as nought', () => {
  const draw = (/** @type {number | undefined} */ value) =>
    barChart({ id: 'p', title: 'Orders', axis: { label: 'time' }, rows: [{ label: 'a', values: [{ value }] }] });
  expect(draw(0)).toContain('height="16"');
  expect(draw(undefined)).not.toContain('height="16"');
  expect(draw(undefined)).toContain('not measured');
});

test('points that a logarithmic axis cannot show are counted', () => {
  const svg = lineChart({
    id: 'p',
    title: 'Orders',
    x: { label: 'size' },
    y: { label: 'time', scale: 'log' },
    series: [
      {
        name: 'orders',
        points: [
          { x: 1, y: 0 },
          { x: 2, y: 10 },
          { x: 3, y: -1 },
          { x: 4, y: undefined },
        ],
      },
    ],
  });
  expect(svg).toContain('2 points cannot be shown on a logarithmic axis.');
});

test('lines differ without colour', () => {
  const series = Array.from({ length: 36 }, (_, at) => ({
    name: `way ${at}`,
    points: [
      { x: 1, y: at },
      { x: 2, y: at },
    ],
  }));
  const svg = lineChart({ id: 'p', title: 'Ways', x: { label: 'x' }, y: { label: 'y' }, series });
  const legend = [
    ...svg.matchAll(
      /<path class="cx-line cx-s\d"( stroke-dasharray="[^"]*")? d="M[\d.]+,[\d.]+h34"\/><path class="(cx-\w+) [^>]* d="([^"]+)"/g,
    ),
  ].map(([, dash = '', fill = '', shape]) => `${dash} ${fill.replace(/\d/, '')} ${shape}`);
  expect(legend).toHaveLength(36);
  expect(new Set(legend).size).toBe(36);
});

test('frames are as wide as they are dear, and children stand below their parents', () => {
  const leaf = (/** @type {string} */ name, /** @type {number} */ value) => ({ name, value, children: [] });
  const root = {
    name: 'all',
    value: 20,
    children: [leaf('map', 60), { ...leaf('reduce', 0), children: [leaf('sum', 20)] }],
  };
  const svg = flameGraph({ id: 'f', title: 'Orders', width: 516, format: (value) => `${value} ms`, root });
  const frames = [
    ...svg.matchAll(/<title>([^<]*)<\/title><rect class="cx-frame0" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)"/g),
  ];
  expect(frames.map(([, title, x, , width]) => [title, Number(x), Math.round(Number(width))])).toEqual([
    ['all: 100 ms, 100 %', 8, 500],
    ['map: 60 ms, 60 %', 8, 300],
    ['reduce: 20 ms, 20 %', 308, 100],
    ['sum: 20 ms, 20 %', 308, 100],
  ]);
  const labels = [...svg.matchAll(/class="cx-small cx-plain"[^>]*>([^<]*)</g)].map(([, label]) => label);
  expect(labels).toEqual(['all 100 %', 'map 60 %', 'reduce 20 %', 'sum 20 %']);
  const rows = frames.map(([, , , y]) => Number(y));
  expect(rows[1]).toBeGreaterThan(rows[0] ?? 0);
  expect(rows[2]).toBe(rows[1]);
  expect(rows[3]).toBeGreaterThan(rows[2] ?? 0);
});

test('a tree of calls that is very deep or very wide is drawn as far as can be seen', () => {
  /** @type {import('../../../lib/reports/charts/flame.js').Frame} */
  let deep = { name: 'end', value: 1, children: [] };
  for (let at = 0; at < 50_000; at += 1) deep = { name: `f${at}`, value: 0, children: [deep] };
  expect(flameGraph({ id: 'f', title: 'Deep', format: String, root: deep }).length).toBeLessThan(100_000);
  const wide = {
    name: 'r',
    value: 0,
    children: Array.from({ length: 200_000 }, () => ({ name: 'x', value: 1, children: [] })),
  };
  expect(flameGraph({ id: 'f', title: 'Wide', format: String, root: wide }).length).toBeLessThan(10_000);
});
