import { expect, test } from 'vitest';
import fc from '../helpers/property.js';
import { hostileReport, makeFinding, makeReport, RAW_CONTROL, reportAs, shopReport } from '../helpers/sample-report.js';

const renderGitlab = reportAs('gitlab');

test('each finding and each error is an issue', async () => {
  const issues = JSON.parse(await renderGitlab(shopReport()));
  expect(issues[0]).toEqual({
    description: '`by_customer` emits the whole document as its value. Emit `null` and query with `include_docs=true`.',
    check_name: 'view/emit-whole-doc#copies-document',
    fingerprint: 'view/emit-whole-doc#copies-document:1a2b3c4d5e',
    severity: 'minor',
    location: { path: 'ddocs/orders.json', lines: { begin: 5 } },
  });
  expect(issues.map((/** @type {{severity: string}} */ issue) => issue.severity)).toEqual([
    'minor',
    'info',
    'major',
    'major',
  ]);
  expect(issues[3].location).toEqual({ path: 'ddocs/customers.json', lines: { begin: 7 } });
});

test('a clean run is an empty list', async () => {
  expect(JSON.parse(await renderGitlab(makeReport()))).toEqual([]);
});

test('fingerprints are unique even where keys are not, and an error without a place has a path', async () => {
  const error = { code: 'invalid-json', message: 'broken' };
  const report = makeReport({ findings: [makeFinding(), makeFinding()], errors: [error, error] });
  const issues = JSON.parse(await renderGitlab(report));
  const fingerprints = issues.map((/** @type {{fingerprint: string}} */ issue) => issue.fingerprint);
  expect(new Set(fingerprints).size).toBe(4);
  expect(issues[2].location).toEqual({ path: '.', lines: { begin: 1 } });
});

test('whatever the input holds, it stays text', async () => {
  await fc.assert(
    fc.asyncProperty(hostileReport, async (report) => {
      const text = await renderGitlab(report);
      expect(text).not.toMatch(RAW_CONTROL);
      expect(JSON.parse(text)[0].location.path).toBe(report.findings[0]?.place.file);
    }),
  );
});
