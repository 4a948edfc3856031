import { expect, test } from 'vitest';
import { exactBuiltinName } from '../../../lib/engine/fixes/exact-builtin-name.js';
import { factCatalog } from '../../../lib/facts/catalog.js';
import { editedText, subjectOf } from '../../helpers/sample-fix-targets.js';

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
])('`%s` becomes `%s`, and nothing else changes', (written, name) => {
  const subject = subjectOf(document(written), 'view');
  const text = editedText(exactBuiltinName.apply({ subject }));
  expect(text).toBe(document(name));
  const kind = factCatalog.get('reduce.kind')?.extract(subjectOf(text ?? '', 'view'), () => ({ unknown: '' }));
  expect(kind).toMatchObject({ value: 'builtin' });
});

test.each(['_sum', '_average', 'function (keys, values) { return sum(values); }', ''])(
  '`%s` is left as it is',
  (written) => {
    expect(editedText(exactBuiltinName.apply({ subject: subjectOf(document(written), 'view') }))).toBeUndefined();
  },
);

test('a view without a reduce, and another subject, are left as they are', () => {
  const text = '{ "views": { "all": { "map": "function (doc) {}" } } }';
  expect(exactBuiltinName.apply({ subject: subjectOf(text, 'view') })).toBeUndefined();
  expect(exactBuiltinName.apply({ subject: subjectOf(text, 'design-doc') })).toBeUndefined();
});
