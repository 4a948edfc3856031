import { expect, test } from 'vitest';
import fc from '../helpers/property.js';
import {
  hostileReport,
  makeFinding,
  makeReport,
  ordersFile,
  RAW_CONTROL,
  reportAs,
  shopReport,
} from '../helpers/sample-report.js';

const renderText = reportAs('text');

test('a report for people', async () => {
  expect(`\n${await renderText(shopReport(), { width: 80 })}`).toMatchInlineSnapshot(`
    "
    ddocs/orders.json:5:87 warning view/emit-whole-doc#copies-document
      ! \`by_customer\` emits the whole document as its value

        4 │     "by_customer": {
      > 5 │ …emit(doc.customer, doc);\\n  }\\n}"
          │                     ^^^^^
        6 │     },

      why:  Every row of the index then holds a copy of the document, and each
            update writes the copy again.
      help: Emit \`null\` and query with \`include_docs=true\`.
      docs: https://docs.couchdb.org/en/stable/ddocs/views/intro.html

    ddocs/orders.json:9:17 info reduce/unknown-builtin#works-by-prefix
      i \`_sumx\` runs as \`_sum\` only because names match by their beginning

         8 │       "map": "function (doc) {\\n  if (doc.type === 'order') {\\n    emi…
      >  9 │       "reduce": "_sumx"
           │                 ^^^^^^^
        10 │     }

      why:  CouchDB compares the beginning of the name.
      help: Write the exact name.
      fix:  Write the exact name of the built-in (safe, run with --fix)
      docs: https://docs.couchdb.org/en/stable/ddocs/ddocs.html#reduce-functions

    ddocs/stock/views/low/map.js:2:32 error map/unguarded-access#nested (low certainty)
      × \`doc.shelf.row\` throws where \`doc.shelf\` is missing

        1 │ function (doc) {
      > 2 │     if (doc.count < 3) emit('在庫', doc.shelf.row);
          │                                     ^^^^^^^^^^^^^
        3 │ }

      why:  The document drops out of the index, and each throw is written to the
            log.
      help: Test \`doc.shelf\` first.
      because: only \`doc.count\` is tested (ddocs/stock/views/low/map.js:2:6)
      fix:  Test the parent first (may change results, run with --fix-unsafe)
      docs: https://docs.couchdb.org/en/stable/ddocs/views/intro.html

    ddocs/customers.json:7:1 unreadable truncated-json
      × the JSON ends before the \`{\` of line 1, column 1 is closed
      help: write the file anew

    1 error, 1 warning, 1 info in 2 design documents (3 views, 2 files); 1 read
    error; 1 can be fixed with --fix, 1 more with --fix-unsafe; 1 ignored, 2 in the
    baseline
    1 check lacked input; --verbose lists them
    "
  `);
});

test('with verbose, keys and open questions are listed', async () => {
  const report = makeReport({ findings: [makeFinding({ sources: [] })], cannotTell: shopReport().cannotTell });
  expect(`\n${await renderText(report, { verbose: true })}`).toMatchInlineSnapshot(`
    "
    ddocs/orders.json:5:87 warning view/emit-whole-doc#copies-document
      ! \`by_customer\` emits the whole document as its value

        4 │     "by_customer": {
      > 5 │       "map": "function (doc) {\\n  if (doc.type === 'order') {\\n    emit(doc.customer, doc);…
          │                                                                                       ^^^^^
        6 │     },

      why:  Every row of the index then holds a copy of the document, and each update writes the copy
            again.
      help: Emit \`null\` and query with \`include_docs=true\`.
      key:  view/emit-whole-doc#copies-document:1a2b3c4d5e

    Open questions:
      view low of _design/stock view/emit-whole-doc
        whether an emitted value is the document: the value is computed by a helper

    1 warning in 2 design documents (3 views, 2 files)
    "
  `);
});

const PAGE = 'https://git.example/couch-advisor/blob/v0.1.0/rules/view/emit-whole-doc/README.md';

/** @returns {import('../../lib/reports/report.js').Report} with three findings of one outcome, and one of another */
function repeatingReport() {
  const fix = { id: 'exact-builtin-name', safe: true, title: 'Emit `null`' };
  return makeReport({
    findings: [
      makeFinding({ why: 'Each row holds a copy. Seen at `a.log:1`.', fix }),
      makeFinding({ message: '`totals` emits it too', why: 'Each row holds a copy. Seen at `b. B.log:1`.', fix }),
      makeFinding({ message: '`by_day` emits it too', why: 'Each row holds a copy.', advice: 'Emit the day.' }),
      makeFinding({ outcome: 'copies-most', why: 'Each row holds a copy.', place: { file: 'x', line: 1, column: 1 } }),
    ],
    rules: [{ id: 'view/emit-whole-doc', title: 'The whole document as value', severity: 'warning', page: PAGE }],
  });
}

test('text that several findings share is printed once, and with it the page of the rule', async () => {
  const [first = '', second = '', third = '', other = ''] = (await renderText(repeatingReport())).split(
    /^(?=ddocs|x:|3 w|4 w)/m,
  );
  expect(first).toMatch(
    /why:.*copy\. Seen at `a\.log:1`\.\n {2}help: Emit `null` and query.*\n {2}fix: {2}Emit `null` \(safe/,
  );
  expect(first).toContain(`  rule: ${PAGE}\n  docs: https://docs.couchdb.org/`);
  expect(second.split('\n').slice(8)).toEqual([
    '  why:  Seen at `b. B.log:1`. For the rest see ddocs/orders.json:5:87.',
    '  fix:  safe, run with --fix',
    '',
    '',
  ]);
  expect(third.split('\n').slice(8)).toEqual([
    '  why:  see ddocs/orders.json:5:87 (or --verbose)',
    '  help: Emit the day.',
    '',
    '',
  ]);
  expect(second).toMatch(/> 5 │/);
  expect(other).toContain('why:  Each row holds a copy.');
  expect(other).toContain('rule: ');
});

test('with verbose it is printed with each', async () => {
  const text = await renderText(repeatingReport(), { verbose: true });
  expect(text.match(/why: {2}Each row holds a copy\./g)).toHaveLength(4);
  expect(text.split(PAGE)).toHaveLength(5);
  expect(text).not.toContain('or --verbose');
});

test('a clean run says so', async () => {
  expect(await renderText(makeReport())).toBe('no problems in 2 design documents (3 views, 2 files)\n');
});

test('a run without design documents counts files', async () => {
  const report = makeReport({ read: { designDocs: 0, views: 0, files: 1 } });
  expect(await renderText(report)).toBe('no problems in 1 file\n');
});

test('an error without a place is shown all the same', async () => {
  const report = makeReport({ errors: [{ code: 'too-many-files', message: 'there are too many files' }] });
  expect(`\n${await renderText(report)}`).toMatchInlineSnapshot(`
    "
    unreadable too-many-files
      × there are too many files

    no findings in 2 design documents (3 views, 2 files); 1 read error
    "
  `);
});

test('blocks are parted by one blank line, also where nothing follows the source', async () => {
  const place = ordersFile.place(0, 1);
  const report = makeReport({ errors: [{ code: 'invalid-json', message: 'invalid JSON value', place }] });
  expect(`\n${await renderText(report)}`).toMatchInlineSnapshot(`
    "
    ddocs/orders.json:1:1 unreadable invalid-json
      × invalid JSON value

      > 1 │ {
          │ ^
        2 │   "_id": "_design/orders",

    no findings in 2 design documents (3 views, 2 files); 1 read error
    "
  `);
});

test('a file that begins like a command of a CI runner is named by another path', async () => {
  const place = { file: '::error::gone.json', line: 1, column: 1 };
  expect(await renderText(makeReport({ findings: [makeFinding({ place })] }))).toMatch(
    /^\.\/::error::gone\.json:1:1 warning/,
  );
});

test('there are colours only where they are asked for', async () => {
  const escapes = /\x1b\[\d+m/g;
  const plain = await renderText(shopReport(), { color: false });
  const colored = await renderText(shopReport(), { color: true });
  expect(plain).not.toMatch(escapes);
  expect(colored).toMatch(escapes);
  expect(colored.replace(escapes, '')).toBe(plain);
});

test.each([
  [10, 40],
  [40, 40],
  [72, 72],
  [100, 100],
  [500, 100],
])('in a terminal of %i columns lines are at most %i wide', async (width, most) => {
  const prose = 'Each row of the index holds a copy of the document. '.repeat(10).trim();
  const sources = ['CouchDB 3.5.2'];
  const finding = makeFinding({ message: prose, why: prose, advice: prose, rule: 'a/b', sources });
  const lines = (await renderText(makeReport({ findings: [finding] }), { width })).trimEnd().split('\n');
  expect(Math.max(...lines.slice(1).map((line) => line.length))).toBeLessThanOrEqual(most);
});

test('whatever the input holds, nothing of it works on a terminal or a CI runner', async () => {
  await fc.assert(
    fc.asyncProperty(hostileReport, fc.boolean(), async (report, verbose) => {
      const text = await renderText(report, { verbose });
      expect(text).not.toMatch(RAW_CONTROL);
      expect(text).not.toMatch(/^\s*(::|##\[)/m);
      expect(text).not.toMatch(/\p{Surrogate}/u);
    }),
  );
});
