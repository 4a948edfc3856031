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

const renderGithub = reportAs('github');

/**
 * Reads a line as the runner does: name, properties, message, and the escapes undone.
 * @param {string} line
 * @returns {{name: string, properties: Map<string, string>, message: string}}
 */
function readCommand(line) {
  const end = line.indexOf('::', 2);
  const [name = '', rest = ''] = line.slice(2, end).split(/ (.*)/s);
  const pairs = rest.split(',').map((pair) => {
    const [key = '', value = ''] = pair.split('=', 2);
    return /** @type {[string, string]} */ ([key, decode(pair.slice(key.length + 1)) || decode(value)]);
  });
  return { name, properties: new Map(pairs), message: decode(line.slice(end + 2)) };
}

/**
 * @param {string} text
 * @returns {string}
 */
function decode(text) {
  return text
    .replaceAll('%0D', '\r')
    .replaceAll('%0A', '\n')
    .replaceAll('%3A', ':')
    .replaceAll('%2C', ',')
    .replaceAll('%25', '%');
}

test('one command a finding, infos as notices', async () => {
  expect(`\n${await renderGithub(shopReport())}`).toMatchInlineSnapshot(`
    "
    ::warning file=ddocs/orders.json,line=5,endLine=5,col=87,endColumn=92,title=view/emit-whole-doc#copies-document::\`by_customer\` emits the whole document as its value%0AEvery row of the index then holds a copy of the document, and each update writes the copy again.%0AEmit \`null\` and query with \`include_docs=true\`.
    ::notice file=ddocs/orders.json,line=9,endLine=9,col=17,endColumn=24,title=reduce/unknown-builtin#works-by-prefix::\`_sumx\` runs as \`_sum\` only because names match by their beginning%0ACouchDB compares the beginning of the name.%0AWrite the exact name.
    ::error file=ddocs/stock/views/low/map.js,line=2,endLine=2,col=32,endColumn=45,title=map/unguarded-access#nested::\`doc.shelf.row\` throws where \`doc.shelf\` is missing%0AThe document drops out of the index, and each throw is written to the log.%0ATest \`doc.shelf\` first.
    ::error file=ddocs/customers.json,line=7,col=1,title=truncated-json::the JSON ends before the \`{\` of line 1, column 1 is closed%0Awrite the file anew
    "
  `);
});

test('a clean run says nothing', async () => {
  expect(await renderGithub(makeReport())).toBe('');
});

test('a stretch of several lines has no columns, which the runner would refuse', async () => {
  const place = ordersFile.place(0, ordersFile.text.indexOf('views'));
  const { properties } = readCommand(
    (await renderGithub(makeReport({ findings: [makeFinding({ place })] }))).trimEnd(),
  );
  expect([...properties.keys()]).toEqual(['file', 'line', 'endLine', 'title']);
});

test('percent signs, line ends, colons and commas in names come out as they were', async () => {
  const file = 'a,b:c%0A\n\r.json';
  const finding = makeFinding({
    place: { file, line: 3, column: 4 },
    message: '100 % of\nit: a,b %0A',
    why: '',
    advice: '',
  });
  const line = (await renderGithub(makeReport({ findings: [finding] }))).trimEnd();
  const { name, properties, message } = readCommand(line);
  expect(name).toBe('warning');
  expect(properties).toEqual(
    new Map([
      ['file', file],
      ['line', '3'],
      ['col', '4'],
      ['title', 'view/emit-whole-doc#copies-document'],
    ]),
  );
  expect(message).toBe('100 % of\nit: a,b %0A');
});

test('whatever the input holds, each line is one command of ours', async () => {
  await fc.assert(
    fc.asyncProperty(hostileReport, async (report) => {
      const text = await renderGithub(report);
      expect(text).not.toMatch(RAW_CONTROL);
      const lines = text.split(/\r\n|\n|\r/);
      expect(lines.pop()).toBe('');
      expect(lines).toHaveLength(report.findings.length + report.errors.length);
      for (const line of lines) {
        expect(line).toMatch(
          /^::(error|warning|notice) file=x[^:,]*,line=\d+(,endLine=\d+)?(,col=\d+)?(,endColumn=\d+)?,title=[^:,]*::/,
        );
      }
    }),
  );
});
