import { expect, test } from 'vitest';
import { findingKey } from '../../../lib/engine/findings/finding.js';

const orders = {
  rule: 'view/emit-whole-doc',
  outcome: 'copies-document',
  subject: { kind: 'view', designDoc: '_design/orders', view: 'by_date' },
  place: { file: 'orders.json' },
};
const key = findingKey(orders, 'emit(doc.date, doc)', 0);

test('names rule and outcome', () => {
  expect(key).toMatch(/^view\/emit-whole-doc#copies-document:[0-9a-f]{10}$/);
});

test.each([
  ['the file is moved', { ...orders, place: { file: 'ddocs/orders.json' } }, 'emit(doc.date, doc)'],
  ['the code is laid out anew', orders, '  emit(doc.date,\n    doc)'.replace('\n    ', ' ')],
])('stays when %s', (_, finding, detail) => {
  expect(findingKey(finding, detail, 0)).toBe(key);
});

test.each([
  ['view', { ...orders, subject: { ...orders.subject, view: 'by_customer' } }, 'emit(doc.date, doc)', 0],
  [
    'design document',
    { ...orders, subject: { ...orders.subject, designDoc: '_design/stock' } },
    'emit(doc.date, doc)',
    0,
  ],
  ['rule', { ...orders, rule: 'view/other' }, 'emit(doc.date, doc)', 0],
  ['outcome', { ...orders, outcome: 'several-copies' }, 'emit(doc.date, doc)', 0],
  ['code', orders, 'emit(doc.total, doc)', 0],
  ['number among equals', orders, 'emit(doc.date, doc)', 1],
])('changes with another %s', (_, finding, detail, ordinal) => {
  expect(findingKey(finding, detail, ordinal)).not.toBe(key);
});

test('goes by the file where the document has no id', () => {
  const nameless = { ...orders, subject: { kind: 'view', view: 'by_date' } };
  const moved = { ...nameless, place: { file: 'stock.json' } };
  expect(findingKey(nameless, 'x', 0)).not.toBe(findingKey(moved, 'x', 0));
});
