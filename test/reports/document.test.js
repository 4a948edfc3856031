// The document model: one tree of blocks as text, Markdown and HTML; names stay text in each, and lines fit the terminal.

import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  chart,
  code,
  codeBlock,
  details,
  facts,
  list,
  NONE,
  notes,
  orderedList,
  pageSection,
  paragraph,
  section,
  span,
  table,
} from '../../lib/reports/document/blocks.js';
import { renderCsvDocument } from '../../lib/reports/document/csv.js';
import { renderHtmlDocument, renderMarkdownDocument, renderTextDocument } from '../helpers/internals.js';

/** @import { Block, Document } from '../../lib/reports/document/blocks.js' */

/** Markup, commands of CI, colors, a turn of the writing direction. */
const HOSTILE = '</h1><script>alert(1)</script><style>*{}</style>\u202e\u001b[2J\n::error::x | @team `tick';

/** @param {...(Block | false)} blocks @returns {Document} */
const documentOf = (...blocks) => ({ title: 'Stock', blocks });

const row = (/** @type {string} */ text) => [code(text), { shown: text, sort: 3 }];

/** @type {Document} */
const hostile = {
  title: HOSTILE,
  lead: HOSTILE,
  facts: [{ name: HOSTILE, value: [HOSTILE, code(HOSTILE), span(HOSTILE, 'warning'), span(HOSTILE, 'muted')] }],
  blocks: [
    section(
      HOSTILE,
      paragraph(HOSTILE),
      facts([{ name: HOSTILE, value: HOSTILE }]),
      list([HOSTILE, { item: HOSTILE, below: [HOSTILE] }]),
      orderedList([HOSTILE]),
      notes([HOSTILE]),
      notes([HOSTILE], 'warning'),
      codeBlock(HOSTILE, 'sh'),
      details(HOSTILE, paragraph(HOSTILE)),
      table({
        caption: HOSTILE,
        columns: [{ label: HOSTILE }, { label: 'time', isNumber: true }],
        rows: [row(HOSTILE)],
      }),
      table({ columns: [{ label: 'source', isCode: true }], rows: [[HOSTILE]] }),
      table({
        isSearched: true,
        caption: HOSTILE,
        columns: [{ label: HOSTILE }, { label: 'time' }],
        rows: [row(HOSTILE)],
      }),
      chart(
        'bars',
        { title: HOSTILE, axis: { label: HOSTILE }, rows: [{ label: HOSTILE, values: [{ value: 1 }] }] },
        HOSTILE,
      ),
      false,
    ),
  ],
};

test('no text becomes markup on a page', () => {
  const page = renderHtmlDocument(hostile);
  expect(page.match(/<script/g)).toHaveLength(2);
  expect(page).not.toMatch(/[\u202e\u001b]/);
  expect(page.match(/<style>/g)).toHaveLength(1);
  expect(page.match(/<h1>/g)).toHaveLength(1);
});

test('no text becomes markup, a link or a mention in Markdown', () => {
  const markdown = renderMarkdownDocument(hostile);
  expect(markdown.replace(/^(`{3,})sh\n[\s\S]*?\n\1$/m, '')).not.toMatch(/<script|<style|@team|[\u202e\u001b]/);
  expect(markdown.split('\n').filter((line) => /^\|/.test(line) && !/^(?:\|[^|]*){1,2}\|$/.test(line))).toEqual([]);
});

test('CSV has the tables: numbers as numbers, and no text becomes a formula, a column or a row', () => {
  const columns = [
    { label: 'query' },
    { label: 'total', isNumber: true, unit: 'ms' },
    { label: 'calls', isNumber: true },
  ];
  const rows = [
    [code('GET "a",b'), { shown: '1.5 s', sort: 1500 }, '1,234'],
    ['=HYPERLINK("x")', NONE, '-12'],
    ['@SUM(1)\n+2', { shown: '2 ms', sort: 2 }, NONE],
  ];
  const csv = renderCsvDocument(
    documentOf(table({ columns, rows }), section('A', table({ columns, rows: rows.slice(0, 1) }))),
  );
  const head = 'query,total (ms),calls';
  const first = '"GET ""a"",b",1500,1234';
  expect(csv.split('\r\n')).toEqual([head, first, `"'=HYPERLINK(""x"")",,-12`, "'@SUM(1)␊+2,2,", '', head, first, '']);
  expect(renderCsvDocument(hostile)).not.toMatch(/[\u202e\u001b]/);
  expect(renderCsvDocument(documentOf(paragraph('nothing')))).toBe('# no table\r\n');
});

test('no text works on a terminal or on a runner of CI', () => {
  for (const width of [40, 80, 200]) {
    const text = renderTextDocument(hostile, { width });
    expect(text).not.toMatch(/[\u202e\u001b]/);
    expect(text.split('\n').filter((line) => /^\s*(?:::error|##\[)/.test(line))).toEqual([]);
  }
});

test('the policy of a page allows its one style by its hash, and no script where no table is searched', () => {
  const page = renderHtmlDocument(documentOf(paragraph('x')));
  const style = /<style>([\s\S]*?)<\/style>/.exec(page)?.[1] ?? '';
  const hash = createHash('sha256').update(style).digest('base64');
  expect(page).toContain(
    `content="default-src &#39;none&#39;; style-src &#39;sha256-${hash}&#39;; base-uri &#39;none&#39;; form-action &#39;none&#39;"`,
  );
  expect(page).not.toMatch(/ style="| src=|<link|@import|url\((?!#)/);
});

test('a picture comes in three widths with names of their own, on pages only', () => {
  const bars = chart('bars', {
    title: 'Orders',
    axis: { label: 'count' },
    rows: [{ label: 'a', values: [{ value: 1 }] }],
  });
  const document = documentOf(section('Charts', bars, bars));
  const names = [...renderHtmlDocument(document).matchAll(/<title id="([\w-]+)-title">/g)].map(([, name]) => name);
  expect(new Set(names).size).toBe(6);
  expect(renderTextDocument(document)).toBe('');
  expect(renderMarkdownDocument(document)).toBe('## Stock\n');
});

test('parts that only a page has room for are left out elsewhere', () => {
  const document = documentOf(pageSection('Rows', paragraph('many')));
  expect(renderHtmlDocument(document)).toContain('many');
  expect(renderTextDocument(document) + renderMarkdownDocument(document)).not.toContain('many');
});

test('all three formats have the same sentences', () => {
  const document = { ...documentOf(section('Orders', paragraph('the view `orders`'), notes(['cold']))), lead: 'Fine.' };
  expect(renderTextDocument(document)).toBe('Fine.\n\nOrders\n  the view `orders`\n  note: cold\n');
  expect(renderMarkdownDocument(document)).toBe(
    '## Stock\n\n**Fine.**\n\n### Orders\n\nthe view <code>orders</code>\n\n> cold\n',
  );
  expect(renderHtmlDocument(document)).toContain('<p>the view <code>orders</code></p>\n<ul><li>cold</li></ul>');
});

const wide = table({
  noun: 'request',
  columns: [
    { label: 'query' },
    { label: 'p50', isNumber: true, spare: 2, legend: 'p50: the median' },
    { label: 'p99', isNumber: true, spare: 1, legend: 'p99: nearly all' },
    { label: 'none', isNumber: true },
    { label: 'calls', isNumber: true },
  ],
  rows: [
    [code('GET shop/_design/orders/_view/by_status?include_docs=true'), '10 ms', '1,000 ms', '-', '12'],
    [code('GET shop'), '9 ms', '100 ms', '-', '1,200'],
  ],
});

test('a table has one line a row where there is room, without columns that hold nothing', () => {
  expect(renderTextDocument(documentOf(wide), { width: 100 })).toBe(
    [
      'query                                                        p50       p99  calls',
      'GET shop/_design/orders/_view/by_status?include_docs=true  10 ms  1,000 ms     12',
      'GET shop                                                    9 ms    100 ms  1,200',
      '',
      'p50: the median',
      'p99: nearly all',
      '',
    ].join('\n'),
  );
});

test('where there is less room, figures stand below the name, and spare columns are left out', () => {
  expect(renderTextDocument(documentOf(wide), { width: 60 })).toContain(
    [
      'query',
      '      p50       p99  calls',
      'GET shop/_design/orders/_view/by_status?include_docs=true',
      '    10 ms  1,000 ms     12',
    ].join('\n'),
  );
  const narrow = table({
    ...wide,
    columns: wide.columns.map((column) => ({ ...column, label: `${column.label}-of-all-of-them` })),
  });
  expect(renderTextDocument(documentOf(narrow), { width: 40 })).toContain(
    'columns that do not fit:\n  p50-of-all-of-them,\n  p99-of-all-of-them; use --format json\n',
  );
});

test('labels take two lines, and rows of one name are a group, where that makes a table fit', () => {
  const grouped = table({
    columns: [
      { label: 'request' },
      { label: 'view' },
      { label: 'time per request', isNumber: true },
      { label: 'response', isNumber: true },
    ],
    rows: [
      [`pages of ${'1'.repeat(20)} rows`, 'emits null', '5 ms', '244 B'],
      [`pages of ${'1'.repeat(20)} rows`, 'emits the document', '12 ms', '255 B'],
    ],
  });
  expect(renderTextDocument(documentOf(grouped), { width: 46 })).toBe(
    [
      'request',
      '                        time per',
      '    view                 request  response',
      'pages of 11111111111111111111 rows',
      '    emits null              5 ms     244 B',
      '    emits the document     12 ms     255 B',
      '',
    ].join('\n'),
  );
});

test('sentences in cells stand below the name, and no line ends between a number and its unit', () => {
  const sentences = table({
    columns: [{ label: 'query' }, { label: 'change' }, { label: 'values' }, { label: 'per day', isNumber: true }],
    rows: [
      [code('GET shop'), span('slower', 'warning'), 'typically 450 ms before, 910 ms now; p95 2.9 s', '+1 h'],
      [code('GET shop'), span('new', 'warning'), 'none before', ''],
    ],
  });
  expect(renderTextDocument(documentOf(sentences), { width: 40 })).toBe(
    [
      'GET shop',
      '  slower: typically 450 ms before,',
      '    910 ms now; p95 2.9 s; per day +1 h',
      '  new: none before',
      '',
    ].join('\n'),
  );
});

test('colors change no line', () => {
  const plain = renderTextDocument(hostile, { width: 60 });
  const colored = renderTextDocument(hostile, { width: 60, color: true }).replace(/\u001b\[\d+m/g, '');
  expect(colored).toBe(plain);
});

test('Markdown is short enough for a comment, and counts what it leaves out', () => {
  const rows = Array.from({ length: 5000 }, (_, at) => [`query ${at}`, 'x'.repeat(20)]);
  const many = documentOf(
    section('Long', table({ columns: [{ label: 'a' }, { label: 'b' }], rows, noun: 'request' })),
    ...Array.from({ length: 3 }, () => details('more', paragraph('y'.repeat(30_000)))),
    section('End', paragraph('the end')),
  );
  const markdown = renderMarkdownDocument(many);
  expect(markdown.length).toBeLessThan(65_000);
  expect(markdown).toMatch(/[\d,]+ more requests not shown here/);
  expect(markdown).toContain('more parts not shown: the report would be too long.');
});
