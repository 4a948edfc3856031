import { expect, test } from 'vitest';
import { makeFinding, makeReport, reportAs } from '../helpers/sample-report.js';

const renderStatistics = reportAs('statistics');

const fix = { id: 'exact-builtin-name', safe: true, title: 'Emit `null`' };
const findings = [
  makeFinding({ rule: 'view/fan-out', title: 'Many rows' }),
  makeFinding({ rule: 'view/emit-whole-doc', title: 'The whole document', fix }),
  makeFinding({ rule: 'view/emit-whole-doc', title: 'The whole document' }),
  makeFinding({ rule: 'reduce/unknown-builtin', title: 'No such built-in', severity: 'error' }),
];

test('rules are sorted by their findings, equal ones by severity', async () => {
  expect(await renderStatistics(makeReport({ findings }), { quiet: true })).toBe(
    `2  warning  view/emit-whole-doc     The whole document (1 can be fixed)
1  error    reduce/unknown-builtin  No such built-in
1  warning  view/fan-out            Many rows
`,
  );
});

test('the summary stands below, and alone where nothing was found', async () => {
  expect(await renderStatistics(makeReport({ findings }))).toMatch(/\n\n1 error, 3 warnings in /);
  expect(await renderStatistics(makeReport())).toMatch(/^no problems in .*\n$/);
  expect(await renderStatistics(makeReport(), { quiet: true })).toBe('');
});

test('control characters of names are shown as text', async () => {
  const text = await renderStatistics(makeReport({ findings: [makeFinding({ title: '\u001b[31mred' })] }));
  expect(text).not.toContain('\u001b');
});
