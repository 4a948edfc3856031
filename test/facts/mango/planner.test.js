// The planner of Mango against what a real CouchDB said, recorded by test/tools/record-mango-cases.js; test/live/mango-planner.live.test.js
// compares both with random cases.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { isUsable } from '../../../lib/facts/mango/choice.js';
import { chooseIndex } from '../../../lib/facts/mango/planner.js';
import { plannedHere, queryOf } from '../../helpers/mango-cases.js';
import { countReads, prepareIndex } from '../../helpers/rows-read.js';

/** @type {any[]} */
const lines = readFileSync(path.join(import.meta.dirname, 'planner-cases.jsonl'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line));
const recorded = {
  version: lines.find(({ version }) => version).version,
  indexes: lines.flatMap(({ index }) => index ?? []),
  documents: lines.flatMap(({ document }) => document ?? []),
};
/** @type {{title: string, body: any, plan: any, reads: any}[]} */
const cases = lines.flatMap((line) => line.case ?? []);

/** @param {any} body @param {any[]} [indexes] @param {string} [version] @returns {any} */
const choose = (body, indexes = recorded.indexes, version = recorded.version) =>
  chooseIndex(queryOf(body), indexes, version);

/** @param {string[]} fields @param {object} [rest] @returns {any} */
const json = (fields, rest) => ({ ddoc: '_design/d', name: fields.join(), type: 'json', def: { fields }, ...rest });

describe('as CouchDB 3.5.0 does', () => {
  test.each(cases)('$title', ({ body, plan, reads }) => {
    const choice = choose(body);
    expect(plannedHere(choice)).toEqual(plan);
    if (reads) expect(countReads(body, choice, recorded.documents)).toEqual(reads);
  });

  test('a prepared index gives the same figures', () => {
    const { body, reads } = /** @type {typeof cases[0]} */ (cases.find((one) => one.reads?.keysExamined > 5));
    const choice = choose(body);
    expect(countReads(body, choice, prepareIndex(choice.index, recorded.documents))).toEqual(reads);
  });
});

describe('versions', () => {
  const object = { selector: { a: { $eq: { b: 1, c: 2 } } } };
  test.each([
    ['3.4 has covering indexes', { selector: { a: 1 }, fields: ['a'] }, '3.4.0', { isCovering: true }],
    ['3.3 has none', { selector: { a: 1 }, fields: ['a'] }, '3.3.3', { isCovering: false }],
    ['3.4 knows $beginsWith', { selector: { a: { $beginsWith: 'x' } } }, '3.4.0', { low: ['x'] }],
    ['3.3 does not', { selector: { a: { $beginsWith: 'x' } } }, '3.3.3', { error: 'invalid_operator' }],
    [
      '3.1 does not know $keyMapMatch',
      { selector: { a: { $keyMapMatch: {} } } },
      '3.1.2',
      { error: 'invalid_operator' },
    ],
    ['3.4.3 knows allow_fallback', { selector: {}, allow_fallback: true }, '3.4.3', { low: [null] }],
    ['3.4.2 does not', { selector: {}, allow_fallback: true }, '3.4.2', { error: 'invalid_key' }],
    [
      '3.4 looks at values for every index',
      { selector: { b: object.selector.a } },
      '3.4.0',
      { error: 'unknown_error', status: 500 },
    ],
    [
      '3.3 only for one on the field',
      { selector: { b: object.selector.a } },
      '3.3.3',
      { index: { name: '_all_docs' } },
    ],
    ['and fails there too', object, '3.3.3', { error: 'unknown_error', status: 500 }],
  ])('%s', (_, body, version, told) => {
    expect(choose(body, [json(['a'])], version)).toMatchObject(told);
  });
});

describe('indexes', () => {
  test.each([
    [
      'a text index may serve what no JSON index does',
      [json(['b']), json(['a'], { type: 'text' })],
      { selector: { a: 1 } },
      { unknown: expect.any(String) },
    ],
    [
      'a JSON index is preferred to a text index',
      [json(['a']), json(['b'], { type: 'text' })],
      { selector: { a: 1 } },
      { index: { name: 'a' } },
    ],
    [
      'an index of partitions does not serve a global query',
      [json(['a'], { partitioned: true })],
      { selector: { a: 1 } },
      { index: { name: '_all_docs' } },
    ],
    [
      'and serves one of a partition',
      [json(['a'], { partitioned: true })],
      { selector: { a: 1 }, partition: 'p' },
      { index: { name: 'a' } },
    ],
    [
      'an empty filter is none',
      [json(['a'], { def: { fields: ['a'], partial_filter_selector: {} } })],
      { selector: { a: 1 } },
      { index: { name: 'a' } },
    ],
    [
      'columns of a view are an object',
      [json(['a'], { def: { fields: { a: 'asc' } } })],
      { selector: { a: 1 } },
      { index: { name: 'a' }, low: [1] },
    ],
    [
      'a selector that is nested too deeply is unknown',
      [],
      { selector: nest(300) },
      { unknown: expect.stringContaining('levels') },
    ],
  ])('%s', (_, indexes, body, told) => {
    expect(choose(body, indexes)).toMatchObject(told);
  });

  test('all that can serve are listed, the best first', () => {
    const indexes = [
      json(['a', 'b']),
      json(['c']),
      json(['b'], { ddoc: '_design/z' }),
      json(['b']),
      json(['a', 'b', '_id']),
    ];
    const { usable } = choose({ selector: { a: 1, b: { $gt: 1 } } }, indexes);
    expect(usable).toEqual([indexes[0], indexes[4], indexes[3], indexes[2]]);
  });
});

describe('a shape without values', () => {
  test.each([
    ['each column is tested', ['a', 'b'], ['a:eq', 'b:ne'], [], true],
    ['a column is not', ['a', 'b'], ['a:eq'], [], false],
    ['a column must be missing', ['a'], ['a:missing'], [], false],
    ['every document has the column', ['a', '_id'], ['a:in'], [], true],
    ['the sort makes up for the condition', ['a', 'b'], ['a:eq'], ['b'], true],
    ['the sort follows a column with a range', ['a', 'b'], ['a:gt'], ['b'], false],
    ['the sort is of fewer columns', ['a', 'b'], ['b:gt'], ['a'], true],
    ['the sort is of more', ['a'], ['a:gt'], ['a', 'b'], false],
  ])('is served: %s', (_, columns, conditions, sort, told) => {
    const shape = conditions.map((one) => ({ field: one.split(':')[0] ?? '', operator: one.split(':')[1] ?? '' }));
    const order = sort.map((field) => ({ field, isDescending: false }));
    expect(isUsable(columns, shape, order)).toBe(told);
  });
});

/** @param {number} levels @returns {any} */
function nest(levels) {
  let selector = /** @type {any} */ ({ a: 1 });
  for (let level = 0; level < levels; level += 1) selector = { $and: [selector] };
  return selector;
}
