// What is typed for a scenario becomes settings, or is told to be wrong.

import { expect, test } from 'vitest';
import { SCENARIOS } from '../../../lib/measure/scenarios/list.js';
import { findScenario, readSettings, SETTING_NAMES } from '../../../lib/measure/scenarios/settings.js';

const bulkLoad = findScenario('bulk-load');
const read = (/** @type {[string, string | number][]} */ ...given) => readSettings(bulkLoad, new Map(given));

test('where nothing is said, sizes are small; --full has the published ones', () => {
  expect(read()).toEqual(bulkLoad.defaults);
  expect(readSettings(bulkLoad, new Map([['size', 500]]), { isFull: true })).toEqual({ ...bulkLoad.full, size: 500 });
});

test('lists are sorted, and have each number once', () => {
  expect(read(['batches', '1000, 10,10,1'])['batches']).toEqual([1, 10, 1000]);
});

test.each(
  /** @type {[string, string | number, string][]} */ ([
    ['size', 0, 'bad-number'],
    ['size', 100_000_000, 'bad-number'],
    ['batches', '', 'bad-number'],
    ['batches', '10,,20', 'bad-number'],
    ['batches', '10,ten', 'bad-number'],
    ['batches', '-5', 'bad-number'],
    ['batches', '1e3', 'bad-number'],
    ['pages', '1', 'unused-option'],
    ['__proto__', '1', 'unused-option'],
  ]),
)('--%s %s is refused', (name, value, code) => {
  expect(() => read([name, value])).toThrow(expect.objectContaining({ code }));
});

test('two sizes of documents are two', () => {
  const indexBuild = findScenario('index-build');
  expect(() => readSettings(indexBuild, new Map([['document-bytes', '1000']]))).toThrow(
    expect.objectContaining({ code: 'bad-list' }),
  );
  expect(readSettings(indexBuild, new Map([['document-bytes', '5000,200']]))['document-bytes']).toEqual([200, 5000]);
});

test('a scenario that is misspelt is guessed', () => {
  expect(() => findScenario('bulkload')).toThrow(
    expect.objectContaining({ code: 'no-scenario', hint: expect.stringContaining('did you mean `bulk-load`?') }),
  );
});

test('every setting of every scenario can be set, has a full size, and its own values are within the limits', () => {
  for (const scenario of SCENARIOS) {
    expect(Object.keys(scenario.full)).toEqual(Object.keys(scenario.defaults));
    for (const settings of [scenario.defaults, scenario.full]) {
      const given = new Map(
        Object.entries(settings).map(([name, value]) => [name, Array.isArray(value) ? value.join(',') : String(value)]),
      );
      expect(readSettings(scenario, given)).toEqual(settings);
    }
  }
  const used = new Set(SCENARIOS.flatMap(({ defaults }) => Object.keys(defaults)));
  expect([...used].toSorted()).toEqual(SETTING_NAMES.toSorted());
});
