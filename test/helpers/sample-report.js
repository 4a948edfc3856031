// Makes reports for the tests of formats: a small shop's, and arbitrary ones whose every text is hostile.

import { formats } from '../../lib/index.js';
import fc from './property.js';
import { SourceFile } from './read-source.js';

/** @import { Finding } from '../../lib/engine/findings/finding.js' */
/** @import { RenderOptions, Report } from '../../lib/reports/report.js' */
/** @import { Place } from '../../lib/shared/source-file.js' */

const MAP = `function (doc) {
  if (doc.type === 'order') {
    emit(doc.customer, doc);
  }
}`;

const ORDERS = JSON.stringify(
  { _id: '_design/orders', views: { by_customer: { map: MAP }, totals: { map: MAP, reduce: '_sumx' } } },
  null,
  2,
);

export const ordersFile = new SourceFile('ddocs/orders.json', `${ORDERS}\n`);
export const stockFile = new SourceFile(
  'ddocs/stock/views/low/map.js',
  "function (doc) {\n\tif (doc.count < 3) emit('在庫', doc.shelf.row);\n}\n",
);

/**
 * @param {SourceFile} file
 * @param {string} text that stands in the file; its first place is taken
 * @returns {Place}
 */
export function placeOf(file, text) {
  const start = file.text.indexOf(text);
  if (start === -1) throw new Error(`${file.path} has no ${text}`);
  return file.place(start, start + text.length);
}

/**
 * @param {Partial<Finding>} parts instead of those of an ordinary finding
 * @returns {Finding}
 */
export function makeFinding(parts = {}) {
  return {
    key: 'view/emit-whole-doc#copies-document:1a2b3c4d5e',
    rule: 'view/emit-whole-doc',
    outcome: 'copies-document',
    severity: 'warning',
    certainty: 'medium',
    title: 'The whole document as value',
    message: '`by_customer` emits the whole document as its value',
    why: 'Every row of the index then holds a copy of the document, and each update writes the copy again.',
    advice: 'Emit `null` and query with `include_docs=true`.',
    subject: { kind: 'view', designDoc: '_design/orders', view: 'by_customer' },
    place: placeOf(ordersFile, 'doc);'),
    related: [],
    path: [
      {
        question: 'whole-document',
        fact: 'view.emitsWholeDoc',
        value: true,
        basis: 'inferred',
        answer: 'yes',
        operator: 'is',
        operand: true,
        because: 'the value is stored in each row',
        place: placeOf(ordersFile, 'doc);'),
      },
    ],
    sources: ['https://docs.couchdb.org/en/stable/ddocs/views/intro.html'],
    ...parts,
  };
}

/**
 * @param {Partial<Report>} parts instead of those of the shop's report
 * @returns {Report}
 */
export function makeReport(parts = {}) {
  return {
    version: 1,
    tool: { version: '0.1.0' },
    target: { version: '3.5.2' },
    findings: [],
    errors: [],
    notes: [],
    cannotTell: [],
    read: { designDocs: 2, views: 3, files: 2 },
    silenced: { ignored: 0, baseline: 0 },
    sources: new Map([ordersFile, stockFile].map((file) => [file.path, file])),
    rules: [
      { id: 'view/emit-whole-doc', title: 'The whole document as value', severity: 'warning' },
      {
        id: 'reduce/unknown-builtin',
        title: 'A built-in reduce that does not exist',
        severity: 'error',
        docs: 'https://docs.couchdb.org/en/stable/ddocs/ddocs.html#reduce-functions',
      },
      { id: 'map/unguarded-access', title: 'A read that throws', severity: 'error' },
    ],
    failOn: 'error',
    ...parts,
  };
}

/** @returns {Report} with a finding of each severity, a fix of each kind, an error and an open question */
export function shopReport() {
  return makeReport({
    findings: [
      makeFinding(),
      makeFinding({
        key: 'reduce/unknown-builtin#works-by-prefix:0f0f0f0f0f',
        rule: 'reduce/unknown-builtin',
        outcome: 'works-by-prefix',
        severity: 'info',
        certainty: 'high',
        message: '`_sumx` runs as `_sum` only because names match by their beginning',
        why: 'CouchDB compares the beginning of the name.',
        advice: 'Write the exact name.',
        subject: { kind: 'view', designDoc: '_design/orders', view: 'totals' },
        place: placeOf(ordersFile, '"_sumx"'),
        fix: { id: 'exact-builtin-name', safe: true, title: 'Write the exact name of the built-in' },
      }),
      makeFinding({
        key: 'map/unguarded-access#nested:aaaaaaaaaa',
        rule: 'map/unguarded-access',
        outcome: 'nested',
        severity: 'error',
        certainty: 'low',
        message: '`doc.shelf.row` throws where `doc.shelf` is missing',
        why: 'The document drops out of the index, and each throw is written to the log.',
        advice: 'Test `doc.shelf` first.',
        subject: { kind: 'function', name: 'views.low.map', designDoc: '_design/stock', view: 'low' },
        place: placeOf(stockFile, 'doc.shelf.row'),
        related: [{ message: 'only `doc.count` is tested', place: placeOf(stockFile, 'doc.count < 3') }],
        fix: { id: 'guard-read', safe: false, title: 'Test the parent first' },
      }),
    ],
    errors: [
      {
        code: 'truncated-json',
        message: 'the JSON ends before the `{` of line 1, column 1 is closed',
        place: { file: 'ddocs/customers.json', line: 7, column: 1 },
        hint: 'write the file anew',
      },
    ],
    notes: [{ path: 'ddocs/logo.png', reason: 'a binary file' }],
    cannotTell: [
      {
        rule: 'view/emit-whole-doc',
        subject: { kind: 'view', designDoc: '_design/stock', view: 'low' },
        fact: 'view.emitsWholeDoc',
        words: 'whether an emitted value is the document',
        reason: 'the value is computed by a helper',
      },
    ],
    silenced: { ignored: 1, baseline: 2 },
  });
}

/** Pieces that break out of terminals, logs, XML, JSON, Markdown and workflow commands where they are not escaped. */
// biome-ignore format: a list to read as a block
const HOSTILE_PIECES = [
  '\x1b[31m', '\x1b]0;title\x07', '\n', '\r\n', '\t', '\0', '\x7f', '\x9b', '\u202e', '\u2066', '\u2028', '\ufeff', '\ud800',
  '\ufffe', '\n::error::gone', '::stop-commands::x', '##[add-mask]x', '%0A', '%', ',', ':', ']]>', '<!--', '-->', '<script>',
  '&amp;', '&', '"', "'", '`', '```', '~~~', '|', '@team', '[a](https://example.org)', '![](x)', 'www.example.org', '#12', '\\',
  '$&', '{item}', '__proto__', '/', '../', ' ', '在庫', '🙂', 'e\u0301', 'order',
];

/** @type {fc.Arbitrary<string>} */
export const hostileText = fc.oneof(
  fc.array(fc.constantFrom(...HOSTILE_PIECES), { maxLength: 8 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 20 }),
);

/** @type {fc.Arbitrary<SourceFile>} */
const hostileFile = fc
  .tuple(hostileText, hostileText)
  .map(([path, text]) => new SourceFile(`x${path}`, text.repeat(3)));

/** @type {fc.Arbitrary<Report>} */
export const hostileReport = fc
  .record({
    file: hostileFile,
    texts: fc.array(hostileText, { minLength: 8, maxLength: 8 }),
    start: fc.nat(60),
    length: fc.nat(60),
    severity: fc.constantFrom(
      /** @type {const} */ ('error'),
      /** @type {const} */ ('warning'),
      /** @type {const} */ ('info'),
    ),
    isSafe: fc.option(fc.boolean(), { nil: undefined }),
  })
  .map(({ file, texts, start, length, severity, isSafe }) => {
    const [name = '', message = '', why = '', advice = '', source = '', reason = '', title = '', hint = ''] = texts;
    const place = file.place(start, start + length);
    const subject = { kind: 'view', designDoc: `_design/${name}`, view: name };
    const fix = isSafe === undefined ? undefined : { id: 'exact-builtin-name', safe: isSafe, title };
    const related = [{ message: reason, place }];
    return makeReport({
      findings: [
        makeFinding({ severity, message: `\`${name}\` is wrong`, why, advice, subject, place, related, fix, path: [] }),
        makeFinding({ severity, message, why: `a${why}`, advice: `b${advice}`, place, sources: [source], path: [] }),
      ],
      errors: [{ code: 'invalid-json', message, place, hint }],
      notes: [{ path: name, reason }],
      cannotTell: [{ rule: 'view/emit-whole-doc', subject, fact: 'view.emitsWholeDoc', reason }],
      sources: new Map([[file.path, file]]),
    });
  });

/** What no report may hold raw: everything that works on a terminal, line feeds apart. */
export const RAW_CONTROL = /[\0-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/;

/**
 * @param {string} name of a format
 * @returns {(report: Report, options?: RenderOptions) => Promise<string>}
 */
export function reportAs(name) {
  return async (report, options) => (await formats.get(name)?.render(report, options)) ?? '';
}
