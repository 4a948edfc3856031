// Random documents, functions and settings through the whole program: it never fails, every place lies inside its file,
// and what has been mended stays mended.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { generateDesignDocs } from './bench/generate.js';
import fc from './helpers/property.js';
import { runMain } from './helpers/run-main.js';

/** @typedef {{file: string, line: number, column: number, endLine?: number, endColumn?: number}} Place */
/** @typedef {{place: Place, related?: {place: Place}[], rule: string, message: string, fix?: {id: string}, path: {place?: Place}[]}} Finding */
/** @typedef {{findings: Finding[], errors: {code: string, message: string, place?: Place}[], read: {designDocs: number}}} Report */

const RUNS = 150;

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'couch-advisor-fuzz-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Names that real documents have, and names that break careless programs. */
const KEYS = [
  ...['_id', '_rev', 'language', 'views', 'map', 'reduce', 'options', 'filters', 'lists', 'shows', 'updates', 'lib'],
  ...['validate_doc_update', 'rewrites', 'index', 'fields', 'ddoc', 'docs', 'rows', 'doc', 'indexes', 'partitioned'],
  ...['__proto__', 'constructor', 'hasOwnProperty', 'toString', 'by_date', '', '\u0000', '\u2028', 'viewz'],
];
const TEXTS = [
  ...[
    '_design/orders',
    'javascript',
    'query',
    'erlang',
    '_sum',
    '_sum;',
    '_count',
    '_stats',
    '_top_0',
    '_max',
    ' _sum',
    '{',
    '(',
    '/*',
  ],
  ...[
    'function (doc) { emit(doc._id, doc); }',
    '(doc) => emit(doc.a.b, 1)',
    'function f(doc) { doc.a.sort(); }',
    'function',
  ],
  ...[
    'function (k, v, r) { return v.length; }',
    'function (n, o) { throw new Error(o.a); }',
    '\u001b[31m',
    '\ud800',
    'exports.a = 1;',
  ],
];

/** Functions as real projects have them. */
const FUNCTIONS = [
  ...generateDesignDocs({ documents: 8, views: 10, seed: 11 }).flatMap((document) =>
    Object.values(document.views).flatMap((view) => Object.values(view)),
  ),
  "function (newDoc, oldDoc) {\n  if (!newDoc.customer) throw new Error('no customer');\n  if (oldDoc.type !== newDoc.type) return false;\n}",
  'function (doc, req) {\n  return doc.customer === req.query.customer;\n}',
  'function (doc) {\n  // couch-advisor-ignore-next-line view/emit-whole-doc -- small\n  emit(doc._id, doc);\n}',
];

/**
 * JSON values whose objects have the keys of design documents.
 * @type {{value: fc.Arbitrary<unknown>, object: fc.Arbitrary<Record<string, unknown>>}}
 */
const likely = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(...TEXTS),
    fc.constantFrom(...FUNCTIONS),
    fc.constantFrom(null, true, false, 0, -1.5, 1e300),
    fc.array(tie('value'), { maxLength: 4 }),
    tie('object'),
  ),
  object: fc
    .array(fc.tuple(fc.constantFrom(...KEYS), tie('value')), { maxLength: 5 })
    // `__proto__` must become a key, which an assignment would not make it.
    .map((entries) => Object.fromEntries(entries)),
}));

/** A document that is surely taken for a design document, with anything in it. */
const designDocument = fc
  .tuple(likely.value, likely.value, likely.value, likely.object)
  .map(([views, filters, validate, rest]) => ({
    views: { by_date: views, by_city: { map: views, reduce: filters } },
    filters: { mine: filters },
    validate_doc_update: validate,
    ...rest,
    _id: '_design/fuzz',
  }));

/** @type {fc.Arbitrary<{at: number, length: number, insert: string}>} places as shares of the text's length */
const change = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.nat({ max: 12 }),
  insert: fc.oneof(
    fc.constant(''),
    fc.constantFrom(
      '(',
      ')',
      '{',
      '}',
      ';',
      '=>',
      '.',
      '?.',
      '...',
      '`',
      '"',
      "'",
      '/',
      '\\',
      '\n',
      '\r\n',
      '//',
      '/*',
      '0',
      'doc',
    ),
    fc.constantFrom(
      'emit(doc, doc);',
      'return ',
      'var ',
      'let doc = doc;',
      'throw ',
      'new Date()',
      'doc.a.b.c',
      'async ',
      'function ',
    ),
    fc.string({ maxLength: 4, unit: 'binary' }),
  ),
});

/** A function that somebody's elbow has been on. */
const mutatedFunction = fc
  .tuple(fc.constantFrom(...FUNCTIONS), fc.array(change, { maxLength: 4 }))
  .map(([text, changes]) => changes.reduce(mutate, text));

/**
 * @param {string} text
 * @param {{at: number, length: number, insert: string}} given
 * @returns {string}
 */
function mutate(text, { at, length, insert }) {
  const start = Math.floor(at * text.length);
  return text.slice(0, start) + insert + text.slice(start + length);
}

const iniLine = fc.oneof(
  fc.constantFrom(
    '[cors]',
    '[chttpd]',
    '[uuids]',
    '[cors:shop.example]',
    '[',
    '[]',
    ']',
    '; text',
    '',
    '\u0000',
    '\ufeff',
  ),
  fc
    .tuple(
      fc.constantFrom('origins', 'credentials', 'enable_cors', 'algorithm', '__proto__', ''),
      fc.constantFrom(' = ', '=', ' =', ''),
      fc.constantFrom('*', 'true', 'false', 'random', 'utc_id', 'https://shop.example, *', 'null', '', '\u001b[0m'),
    )
    .map((parts) => parts.join('')),
  fc.constantFrom('; couch-advisor-ignore-next-line security/cors-any-origin -- local', '  continued', 'x'.repeat(500)),
  fc.string({ maxLength: 20, unit: 'binary' }),
);

/**
 * Lints one file and checks what must hold for every input.
 * @param {string} name
 * @param {string | Buffer} content
 * @returns {Promise<Report>}
 */
async function lint(name, content) {
  const file = path.join(folder, name);
  writeFileSync(file, content);
  const { stdout, stderr, exitCode } = await runMain(['lint', '--no-config', '--format', 'json', name], {
    cwd: folder,
  });
  expect(stderr).not.toContain('bug in couch-advisor');
  expect([0, 1, 3], stderr).toContain(exitCode);
  /** @type {Report} */
  const report = JSON.parse(stdout);
  expect(exitCode).toBe(report.errors.length > 0 ? 3 : report.findings.some(isError) ? 1 : 0);
  const lines = readFileSync(file, 'utf8').split('\n');
  for (const place of placesOf(report)) expectInside(place, name, lines);
  for (const { message } of [...report.findings, ...report.errors]) {
    expect(message).not.toMatch(/\{[a-z]+(\.[A-Za-z]+)?\}|undefined|\[object/);
  }
  return report;
}

/** @param {any} finding */
function isError(finding) {
  return finding.severity === 'error';
}

/**
 * @param {Report} report
 * @returns {Place[]}
 */
function placesOf({ findings, errors }) {
  return [
    ...findings.flatMap(({ place, related = [], path: steps }) => [
      place,
      ...related.map((item) => item.place),
      ...steps.map((step) => step.place),
    ]),
    ...errors.map((error) => error.place),
  ].filter((place) => place !== undefined);
}

/**
 * @param {Place} place
 * @param {string} name
 * @param {string[]} lines
 */
function expectInside(place, name, lines) {
  const { file, line, column, endLine = line, endColumn = column } = place;
  if (file === '.') return;
  expect(file).toBe(name);
  for (const [row, position] of [
    [line, column],
    [endLine, endColumn],
  ]) {
    const text = lines[Number(row) - 1];
    expect(text, `line ${row} of ${lines.length}`).toBeDefined();
    expect(position).toBeGreaterThanOrEqual(1);
    expect(position).toBeLessThanOrEqual(String(text).length + 1);
  }
  expect(endLine > line || (endLine === line && endColumn >= column), 'ends before it begins').toBe(true);
}

/**
 * @param {fc.IAsyncPropertyWithHooks<any>} property
 * @param {number} [numRuns]
 */
async function check(property, numRuns = RUNS) {
  await fc.assert(property, { numRuns });
}

test('any JSON value', async () => {
  await check(
    fc.asyncProperty(fc.oneof(fc.jsonValue(), likely.value), async (value) => {
      await lint('value.json', JSON.stringify(value));
    }),
  );
});

test('design documents with anything in them', async () => {
  await check(
    fc.asyncProperty(designDocument, fc.constantFrom(undefined, 1, '\t'), async (document, indent) => {
      const { read } = await lint('document.json', JSON.stringify(document, null, indent));
      expect(read.designDocs).toBe(1);
    }),
  );
});

test('JSON that has been cut or changed', async () => {
  await check(
    fc.asyncProperty(designDocument, fc.array(change, { minLength: 1, maxLength: 3 }), async (document, changes) => {
      await lint('changed.json', changes.reduce(mutate, JSON.stringify(document, null, 1)));
    }),
  );
});

test('bytes of no meaning', async () => {
  await check(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 200 }),
      fc.constantFrom('json', 'jsonl', 'js', 'ini'),
      async (bytes, ending) => {
        await lint(`bytes.${ending}`, Buffer.from(bytes));
      },
    ),
  );
});

test('mutated functions in every place a function can be in', async () => {
  await check(
    fc.asyncProperty(
      fc.array(mutatedFunction, { minLength: 5, maxLength: 5 }),
      async ([map, reduce, filter, validate, library]) => {
        const document = {
          _id: '_design/fuzz',
          views: { lib: { dates: library }, first: { map, reduce: '_sum' }, second: { map: validate, reduce } },
          filters: { mine: filter },
          validate_doc_update: validate,
        };
        const { read } = await lint('functions.json', JSON.stringify(document, null, 2));
        expect(read.designDocs).toBe(1);
      },
    ),
  );
});

test('mutated functions in modules', async () => {
  await check(
    fc.asyncProperty(mutatedFunction, fc.array(change, { maxLength: 2 }), async (map, changes) => {
      const text = `var shared = ${JSON.stringify(map)};\nmodule.exports = {\n  _id: '_design/fuzz',\n  views: {\n    first: { map: ${map.startsWith('_') ? `'${map}'` : map} },\n    second: { map: shared + '', reduce: \`_count\` },\n  },\n};\n`;
      await lint('module.js', changes.reduce(mutate, text));
    }),
  );
});

test('settings', async () => {
  await check(
    fc.asyncProperty(fc.array(iniLine, { maxLength: 12 }), fc.constantFrom('\n', '\r\n'), async (lines, end) => {
      await lint('local.ini', lines.join(end));
    }),
  );
});

test('what has been mended stays mended', async () => {
  let mendedCount = 0;
  const untouched = fc.constantFrom(...FUNCTIONS);
  await check(
    fc.asyncProperty(
      fc.array(fc.oneof(untouched, mutatedFunction), { minLength: 4, maxLength: 4 }),
      async ([map, reduce, filter, validate]) => {
        const document = {
          _id: '_design/fuzz',
          views: { first: { map, reduce: '_sum;' }, second: { map: reduce, reduce } },
          filters: { mine: filter },
          validate_doc_update: validate,
        };
        const before = await lint('mend.json', JSON.stringify(document, null, 2));
        const args = ['lint', '--no-config', '--format', 'json', '--fix-unsafe', 'mend.json'];
        const first = await runMain(args, { cwd: folder });
        expect(first.stderr).not.toContain('bug in couch-advisor');
        const mended = readFileSync(path.join(folder, 'mend.json'), 'utf8');
        expect(() => JSON.parse(mended)).not.toThrow();

        const after = await lint('mend.json', mended);
        expect(
          after.findings.filter((finding) => finding.fix).map(({ rule, message }) => `${rule}: ${message}`),
        ).toEqual([]);
        await runMain(args, { cwd: folder });
        expect(readFileSync(path.join(folder, 'mend.json'), 'utf8')).toBe(mended);
        mendedCount += before.findings.filter((finding) => finding.fix).length;
      },
    ),
    60,
  );
  expect(mendedCount).toBeGreaterThan(0);
});
