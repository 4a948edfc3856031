import { expect, test } from 'vitest';
import { fixedText } from '../../helpers/fixed.js';

/**
 * @param {string} reduce as written in JSON, without quotes
 * @param {string} [value] that the map emits
 * @returns {string}
 */
function document(reduce, value = '1') {
  return `{\r\n\t"views": { "totals": { "reduce": "${reduce}", "map": "function (doc) { emit(doc._id, ${value}); }" } } }\r\n`;
}

test.each([
  'function (keys, values) {\\n  return sum(values);\\n}',
  '\\n(k, v) => sum(v)',
  '(function(k, v) { return sum(v) })',
])('in JSON `%s` becomes `_sum`, and nothing else changes', async (written) => {
  const before = /^\\n/.exec(written)?.[0] ?? '';
  expect(await fixedText('use-builtin', document(written))).toBe(document(`${before}_sum`));
});

test('where the values decide whether the built-in answers the same, a fix is offered too', async () => {
  const written = 'function (k, v) { return sum(v); }';
  expect(await fixedText('use-builtin-if', document(written, 'doc.total'))).toBe(document('_sum', 'doc.total'));
});

test('a reduce that no built-in equals is left as it is', async () => {
  const views = ['function (k, v) { return v[0]; }', 'function (k, v) { return v.join(); }'];
  for (const id of ['use-builtin', 'use-builtin-if'])
    for (const reduce of views) expect(await fixedText(id, document(reduce)), `${id}: ${reduce}`).toBeUndefined();
});

test.each([
  ['reduce: function (k, v) { return sum(v); }', "reduce: '_sum'"],
  ['reduce: (k, v) => sum(v)', "reduce: '_sum'"],
  ['reduce: `function (k, v) { return sum(v); }`', 'reduce: `_sum`'],
  ["reduce: 'function (k, v) { return sum(v); }'", "reduce: '_sum'"],
  // A function that something else may call, or that is written as a method, stays.
  ['reduce(k, v) { return sum(v); }', undefined],
  ['reduce: total', undefined],
])('in a module `%s` becomes `%s`', async (written, fixed) => {
  const module = (/** @type {string} */ reduce) =>
    `function total(k, v) { return sum(v); }\nmodule.exports = { _id: '_design/orders', views: { totals: { map: function (doc) { emit(doc._id, 1); }, ${reduce} } } };\n`;
  expect(await fixedText('use-builtin', module(written), 'orders.js')).toBe(fixed && module(fixed));
});
