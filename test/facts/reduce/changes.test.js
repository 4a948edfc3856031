import { describe, expect, test } from 'vitest';
import { readDocument } from '../../helpers/facts-of.js';

const MAP = 'function (doc) { emit(doc.day, doc.total); }';
const SUM = 'function (keys, values) { return sum(values); }';

/**
 * @param {Record<string, object>} views
 * @param {string} name of the view that is asked
 * @param {string} fact
 * @returns {string[] | 'unknown'}
 */
function itemsOf(views, name, fact) {
  const { subjects, ask } = readDocument({ views });
  const view = subjects.find((subject) => subject.kind === 'view' && subject.name === name);
  if (!view) throw new Error(`no view ${name}`);
  const found = ask(view, `reduce.${fact}`);
  return 'unknown' in found || !Array.isArray(found.value) ? 'unknown' : found.value.map(({ value }) => value);
}

describe('changes of the values', () => {
  test.each([
    ['values[0] = 6; return values[0];', ['values[0] = 6']],
    ['values.push(1); return values.length;', ['values.push(1)']],
    ['var t = 0; while (values.length) t += values.shift(); return t;', ['values.shift()']],
    [
      'for (var i = 1; i < values.length; i++) values[0].n += values[i].n; return values[0];',
      ['values[0].n += values[i].n'],
    ],
    ['var first = values[0]; first.n = 1; return first;', ['first.n = 1']],
    ['values.length = 0; return 1;', ['values.length = 0']],
    ['if (!rereduce) { values.pop(); } return 1;', ['values.pop()']],
    ['if (rereduce) { return sum(values); } else { values.pop(); } return 1;', ['values.pop()']],
    ['if (rereduce) values.pop(); return 1;', []],
    ['if (!rereduce) return sum(values); values.pop(); return 1;', []],
    ['values.sort(); return values[0];', []],
    ['values.reverse(); return values[0];', []],
    ['var list = values.slice(); list.shift(); return list[0];', []],
    ['var t = { n: 0 }; t.n += values[0].n; return t;', []],
    ['keys.length = 0; return 1;', []],
    ['return sum(values);', []],
    ['values = []; values.push(1); return values;', 'unknown'],
  ])('%s: %j', (body, expected) => {
    const reduce = `function (keys, values, rereduce) { ${body} }`;
    expect(itemsOf({ all: { map: MAP, reduce } }, 'all', 'valueChanges')).toEqual(expected);
  });
});

describe('views that get the same list after it', () => {
  test.each([
    ['before it', { total: { map: MAP, reduce: SUM }, all: { map: MAP, reduce: SUM } }, ['total']],
    ['behind it', { all: { map: MAP, reduce: SUM }, total: { map: MAP, reduce: SUM } }, []],
    ['a built-in', { total: { map: MAP, reduce: '_sum' }, all: { map: MAP, reduce: SUM } }, []],
    ['no reduce', { total: { map: MAP }, all: { map: MAP, reduce: SUM } }, []],
    ['another text', { total: { map: `${MAP} `, reduce: SUM }, all: { map: MAP, reduce: SUM } }, []],
    [
      'other options',
      { total: { map: MAP, reduce: SUM, options: { collation: 'raw' } }, all: { map: MAP, reduce: SUM } },
      [],
    ],
  ])('%s', (_, views, expected) => {
    expect(itemsOf(/** @type {Record<string, object>} */ (views), 'all', 'sharedValuesViews')).toEqual(expected);
  });
});

test.each([
  ['return { a: sum(values) / values.length, b: values[0] / values.length };', ['divides by `values.length`']],
  ['return keys.length / values.length;', ['divides by `values.length`', 'reads `keys`, which is null in a rereduce']],
  ['return sum(values);', []],
])('what a rereduce gets wrong is listed once: %s', (body, expected) => {
  const reduce = `function (keys, values) { ${body} }`;
  expect(itemsOf({ all: { map: MAP, reduce } }, 'all', 'rereduceFaults')).toEqual(expected);
});
