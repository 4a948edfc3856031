import { expect, test } from 'vitest';
import { renderFactsJson, renderFactsText } from '../../lib/reports/facts.js';
import fc from '../helpers/property.js';
import { hostileText, RAW_CONTROL } from '../helpers/sample-report.js';
import { shopSubjects } from '../helpers/sample-subjects.js';

test('facts for people', () => {
  expect(`\n${renderFactsText(shopSubjects())}`).toMatchInlineSnapshot(`
    "
    design-doc _design/orders ddocs/orders.json:1:1
      ddoc.viewCount  2  declared

    view _design/orders by_customer ddocs/orders.json:4:5
      view.emitsWholeDoc  true  inferred  5:87
      view.emittedKeys    1  inferred  4:5
        - doc.customer  5:73
      none:
        reduce.kind, view.unguardedReads
      1 unknown fact; --verbose lists them

    server local.ini local.ini:1:1
      config.corsOpen  1  declared
        - [cors]  other.ini:3:1
    "
  `);
});

test('all facts for people, the unknown ones by their reason', () => {
  const text = renderFactsText(shopSubjects(), { verbose: true });
  expect(text).toContain('\n  view.unguardedReads  none  inferred\n');
  expect(text).toContain('\n  unknown: no document was measured\n    view.valueBytes\n');
});

test('facts for programs', () => {
  const { version, subjects } = JSON.parse(renderFactsJson(shopSubjects()));
  expect(version).toBe(1);
  expect(subjects[0]).toEqual({
    kind: 'design-doc',
    name: 'orders',
    designDoc: '_design/orders',
    place: { file: 'ddocs/orders.json', line: 1, column: 1 },
    facts: { 'ddoc.viewCount': { value: 2, basis: 'declared' } },
  });
  expect(subjects[1].facts['view.valueBytes']).toEqual({ unknown: 'no document was measured' });
  expect(subjects[2].facts['config.corsOpen'].value).toEqual([
    { value: '[cors]', place: { file: 'other.ini', line: 3, column: 1 }, detail: { key: 'origins' } },
  ]);
});

test('nothing read gives an empty list', () => {
  expect(JSON.parse(renderFactsJson([]))).toEqual({ version: 1, subjects: [] });
  expect(renderFactsText([])).toBe('');
});

test('colours change nothing but colours', () => {
  const colored = renderFactsText(shopSubjects(), { color: true });
  expect(colored).toContain('\x1b[1m');
  expect(colored.replace(/\x1b\[\d+m/g, '')).toBe(renderFactsText(shopSubjects()));
});

test('whatever the input holds, nothing of it works on a terminal, and names such as __proto__ stay names', () => {
  fc.assert(
    fc.property(hostileText, hostileText, (name, value) => {
      const place = { file: `x${name}`, line: 1, column: 1 };
      const facts = new Map([
        [name, { value, basis: 'declared' }],
        ['__proto__', { value: [{ value, place }], basis: 'inferred' }],
        ['view.other', { unknown: value, place }],
      ]);
      const subjects = [{ kind: 'view', designDoc: name, view: name, place, facts }];
      expect(renderFactsText(subjects)).not.toMatch(RAW_CONTROL);
      const json = renderFactsJson(subjects);
      expect(json).not.toMatch(RAW_CONTROL);
      const [read] = JSON.parse(json).subjects;
      expect(Object.keys(read.facts).sort()).toEqual([...facts.keys()].sort());
      expect(read.designDoc).toBe(name);
    }),
  );
});
