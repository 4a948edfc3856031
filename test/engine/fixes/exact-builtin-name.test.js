import { expect, test } from 'vitest';
import { fixedText } from '../../helpers/fixed.js';

/**
 * @param {string} reduce as written in JSON, without quotes
 * @returns {string}
 */
function document(reduce) {
  return `{ "views": { "totals": { "map": "function (doc) {}", "reduce": "${reduce}" } } }\r\n`;
}

test.each([
  ['_sumx', '_sum'],
  ['_sum;', '_sum'],
  ['_sum()', '_sum'],
  [' _sum ', '_sum'],
  ['\\n_count\\n', '_count'],
  ['\\u0020_stats', '_stats'],
  ['_countdown', '_count'],
  ['_approx_count_distinct_keys', '_approx_count_distinct'],
  [' _top_5', '_top_5'],
  ['_firstly', '_first'],
])('`%s` becomes `%s`, and nothing else changes', async (written, name) => {
  expect(await fixedText('exact-builtin-name', document(written))).toBe(document(name));
});

test.each(['_sum', '_average', 'function (keys, values) { return sum(values); }', ''])(
  '`%s` is left as it is',
  async (written) => {
    expect(await fixedText('exact-builtin-name', document(written))).toBeUndefined();
  },
);
