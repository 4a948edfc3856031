import { expect, test } from 'vitest';
import fc from '../helpers/property.js';
import { readXml } from '../helpers/read-xml.js';
import { hostileReport, makeReport, RAW_CONTROL, reportAs, shopReport } from '../helpers/sample-report.js';

const renderJunit = reportAs('junit');

test('a suite a file, a case a finding; what does not fail the run is output', async () => {
  expect(`\n${await renderJunit(shopReport())}`).toMatchInlineSnapshot(`
    "
    <?xml version="1.0" encoding="UTF-8"?>
    <testsuites name="couch-advisor" tests="4" failures="1" errors="1">
      <testsuite name="ddocs/orders.json" tests="2" failures="0" errors="0">
        <testcase name="view/emit-whole-doc#copies-document at 5:87" classname="ddocs/orders.json" file="ddocs/orders.json">
          <system-out>warning: ddocs/orders.json:5:87
    \`by_customer\` emits the whole document as its value
    Every row of the index then holds a copy of the document, and each update writes the copy again.
    Emit \`null\` and query with \`include_docs=true\`.
    view/emit-whole-doc#copies-document:1a2b3c4d5e</system-out>
        </testcase>
        <testcase name="reduce/unknown-builtin#works-by-prefix at 9:17" classname="ddocs/orders.json" file="ddocs/orders.json">
          <system-out>info: ddocs/orders.json:9:17
    \`_sumx\` runs as \`_sum\` only because names match by their beginning
    CouchDB compares the beginning of the name.
    Write the exact name.
    reduce/unknown-builtin#works-by-prefix:0f0f0f0f0f</system-out>
        </testcase>
      </testsuite>
      <testsuite name="ddocs/stock/views/low/map.js" tests="1" failures="1" errors="0">
        <testcase name="map/unguarded-access#nested at 2:32" classname="ddocs/stock/views/low/map.js" file="ddocs/stock/views/low/map.js">
          <failure message="\`doc.shelf.row\` throws where \`doc.shelf\` is missing" type="error">ddocs/stock/views/low/map.js:2:32
    \`doc.shelf.row\` throws where \`doc.shelf\` is missing
    The document drops out of the index, and each throw is written to the log.
    Test \`doc.shelf\` first.
    map/unguarded-access#nested:aaaaaaaaaa</failure>
        </testcase>
      </testsuite>
      <testsuite name="ddocs/customers.json" tests="1" failures="0" errors="1">
        <testcase name="truncated-json at 7:1" classname="ddocs/customers.json" file="ddocs/customers.json">
          <error message="the JSON ends before the \`{\` of line 1, column 1 is closed" type="truncated-json">ddocs/customers.json:7:1
    the JSON ends before the \`{\` of line 1, column 1 is closed
    write the file anew</error>
        </testcase>
      </testsuite>
    </testsuites>
    "
  `);
});

test('a clean run has one passed case', async () => {
  expect(`\n${await renderJunit(makeReport())}`).toMatchInlineSnapshot(`
    "
    <?xml version="1.0" encoding="UTF-8"?>
    <testsuites name="couch-advisor" tests="1" failures="0" errors="0">
      <testsuite name="couch-advisor" tests="1" failures="0" errors="0">
        <testcase name="lint" classname="couch-advisor"/>
      </testsuite>
    </testsuites>
    "
  `);
});

test.each([
  ['error', 1],
  ['warning', 2],
  ['info', 3],
  ['never', 0],
])('with --fail-on %s there are %i failures', async (failOn, failures) => {
  const report = { ...shopReport(), failOn: /** @type {'error' | 'warning' | 'info' | 'never'} */ (failOn) };
  expect(readXml(await renderJunit(report)).attributes.get('failures')).toBe(String(failures));
});

test('whatever the input holds, the XML is well formed and says what was found', async () => {
  await fc.assert(
    fc.asyncProperty(hostileReport, async (report) => {
      const xml = await renderJunit(report);
      expect(xml).not.toMatch(RAW_CONTROL);
      const root = readXml(xml);
      expect(root.attributes.get('tests')).toBe('3');
      const [suite] = root.children;
      const file = report.findings[0]?.place.file ?? '';
      expect(suite?.attributes.get('name')).toBe(
        file.replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Surrogate}/gu, '\ufffd'),
      );
      expect(suite?.children.map((element) => element.name)).toEqual(['testcase', 'testcase', 'testcase']);
    }),
  );
});
