import { expect, test } from 'vitest';
import fc from '../helpers/property.js';
import { hostileReport, makeReport, RAW_CONTROL, reportAs, shopReport } from '../helpers/sample-report.js';

const renderCompact = reportAs('compact');

test('a finding is one line, and so is what could not be read', async () => {
  const report = shopReport();
  const lines = (await renderCompact(report)).trimEnd().split('\n');
  expect(lines).toHaveLength(report.findings.length + report.errors.length + 1);
  for (const [at, { place, severity, rule, outcome, message }] of report.findings.entries()) {
    expect(lines[at]).toBe(`${place.file}:${place.line}:${place.column} ${severity} ${rule}#${outcome} ${message}`);
  }
});

test('a report without findings is its summary', async () => {
  expect(await renderCompact(makeReport())).toBe('no problems in 2 design documents (3 views, 2 files)\n');
});

test('names with control characters stay in their line', async () => {
  await fc.assert(
    fc.asyncProperty(hostileReport, async (report) => {
      const text = await renderCompact(report);
      expect(text.split('\n')).toHaveLength(report.findings.length + report.errors.length + 2);
      expect(text.replaceAll('\n', '')).not.toMatch(RAW_CONTROL);
    }),
  );
});
