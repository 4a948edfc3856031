import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import fc from '../helpers/property.js';
import {
  hostileReport,
  makeFinding,
  makeReport,
  ordersFile,
  placeOf,
  RAW_CONTROL,
  reportAs,
  shopReport,
} from '../helpers/sample-report.js';

const renderSarif = reportAs('sarif');

const schema = JSON.parse(readFileSync(new URL('../schemas/sarif-schema-2.1.0.json', import.meta.url), 'utf8'));
// The schema is written for draft 4, of which it uses nothing that draft 7 reads otherwise but the name of its id.
const { $schema: _, id: $id, ...rest } = schema;
const ajv = new Ajv({ allErrors: true, strict: false });
addFormats.default(ajv);
const validate = ajv.compile({ $id, ...rest });

/**
 * @param {import('../../lib/reports/report.js').Report} report
 * @returns {Promise<any>} the only run
 */
async function runOf(report) {
  const log = JSON.parse(await renderSarif(report));
  expect(validate(log) ? [] : validate.errors).toEqual([]);
  return log.runs[0];
}

test('the official schema takes the report, and would not take a broken one', async () => {
  await runOf(shopReport());
  await runOf(makeReport());
  const log = JSON.parse(await renderSarif(shopReport()));
  log.runs[0].results[0].locations[0].physicalLocation.region.startLine = 0;
  expect(validate(log)).toBe(false);
});

test('a result has its rule, level, region, key and related places', async () => {
  const { results, columnKind, tool } = await runOf(shopReport());
  expect(columnKind).toBe('utf16CodeUnits');
  expect(results.map((/** @type {any} */ result) => result.level)).toEqual(['warning', 'note', 'error']);
  const [first, , third] = results;
  expect(tool.driver.rules[first.ruleIndex].id).toBe(first.ruleId);
  const { line, column, endLine, endColumn } = placeOf(ordersFile, 'doc);');
  expect(first.locations[0].physicalLocation).toEqual({
    artifactLocation: { uri: 'ddocs/orders.json', uriBaseId: 'SRCROOT' },
    region: { startLine: line, startColumn: column, endLine, endColumn },
  });
  expect(first.partialFingerprints).toEqual({ 'couchAdvisorKey/v1': 'view/emit-whole-doc#copies-document:1a2b3c4d5e' });
  expect(third.relatedLocations[0].message.text).toBe('only `doc.count` is tested');
  expect(first.message.text.split('\n')[0]).toBe('`by_customer` emits the whole document as its value');
});

test('rules have help, and an address where they have a page', async () => {
  const [first, second] = (await runOf(shopReport())).tool.driver.rules;
  expect(first.help.text).toContain('couch-advisor explain view/emit-whole-doc');
  expect('helpUri' in first).toBe(false);
  expect(second.helpUri).toBe('https://docs.couchdb.org/en/stable/ddocs/ddocs.html#reduce-functions');
  expect(second.defaultConfiguration.level).toBe('error');
});

test('the page of a rule is its help where it is an address', async () => {
  const rule = /** @type {const} */ ({
    id: 'view/fan-out',
    title: 'Many rows',
    severity: 'info',
    docs: 'https://docs.example/a',
  });
  const page = 'https://git.example/couch-advisor/blob/v0.1.0/rules/view/fan-out/README.md';
  const rules = [
    { ...rule, page },
    { ...rule, page: 'rules/view/fan-out/README.md' },
  ];
  const described = (await runOf(makeReport({ rules }))).tool.driver.rules;
  expect(described.map((/** @type {any} */ one) => one.helpUri)).toEqual([page, 'https://docs.example/a']);
  expect(described[0].help.markdown).toContain(`[Documentation](${page})`);
});

test('errors are notifications of a run that did not succeed', async () => {
  const [invocation] = (await runOf(shopReport())).invocations;
  expect(invocation.executionSuccessful).toBe(false);
  expect(invocation.toolExecutionNotifications[0].descriptor.id).toBe('truncated-json');
  expect((await runOf(makeReport())).invocations[0].executionSuccessful).toBe(true);
});

test('a finding of a rule that is not in the list has no index', async () => {
  const [result] = (await runOf(makeReport({ findings: [makeFinding()], rules: [] }))).results;
  expect('ruleIndex' in result).toBe(false);
});

test('edits become fixes, an empty region for what is only inserted', async () => {
  const report = shopReport();
  const key = 'reduce/unknown-builtin#works-by-prefix:0f0f0f0f0f';
  const at = ordersFile.text.indexOf('x"');
  const insertion = { file: ordersFile, start: 0, end: 0, text: ' ' };
  const edits = new Map([[key, [{ file: ordersFile, start: at, end: at + 1, text: '' }, insertion]]]);
  const { results } = await runOf({ ...report, edits });
  const { line, column } = ordersFile.position(at);
  expect(results[1].fixes[0].artifactChanges).toEqual([
    {
      artifactLocation: { uri: 'ddocs/orders.json', uriBaseId: 'SRCROOT' },
      replacements: [
        {
          deletedRegion: { startLine: line, startColumn: column, endLine: line, endColumn: column + 1 },
          insertedContent: { text: '' },
        },
        { deletedRegion: { startLine: 1, startColumn: 1, endLine: 1, endColumn: 1 }, insertedContent: { text: ' ' } },
      ],
    },
  ]);
  expect('fixes' in results[2]).toBe(false);
});

test.each([
  ['ddocs/my orders #1.json', { uri: 'ddocs/my%20orders%20%231.json', uriBaseId: 'SRCROOT' }],
  ['在庫/a:b?.json', { uri: '%E5%9C%A8%E5%BA%AB/a%3Ab%3F.json', uriBaseId: 'SRCROOT' }],
  ['/srv/couchdb/local.ini', { uri: 'file:///srv/couchdb/local.ini' }],
  ['<stdin>', { uri: '%3Cstdin%3E', uriBaseId: 'SRCROOT' }],
  ['half\ud83d.json', { uri: 'half%EF%BF%BD.json', uriBaseId: 'SRCROOT' }],
])('the path %s becomes an address', async (file, location) => {
  const report = makeReport({ findings: [makeFinding({ place: { file, line: 1, column: 1 } })] });
  expect((await runOf(report)).results[0].locations[0].physicalLocation.artifactLocation).toEqual(location);
});

test('whatever the input holds, the official schema takes the report', async () => {
  await fc.assert(
    fc.asyncProperty(hostileReport, async (report) => {
      expect(await renderSarif(report)).not.toMatch(RAW_CONTROL);
      expect((await runOf(report)).results).toHaveLength(report.findings.length);
    }),
    { numRuns: 50 },
  );
});
