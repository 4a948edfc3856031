import { expect, test } from 'vitest';
import { fixedText } from '../../helpers/fixed.js';
import { createProject } from '../../helpers/temporary-project.js';

/**
 * @param {string} map
 * @param {string} reduce
 * @returns {string} a design document with one view
 */
const viewOf = (map, reduce) => JSON.stringify({ _id: '_design/payments', views: { paid: { map, reduce } } });

const MAP =
  'function (doc) { if (typeof doc.paid === "number" && typeof doc.fee === "number") emit(doc.customer, { paid: doc.paid, fee: doc.fee }); }';
const PAID =
  'function (keys, values, rereduce) { if (rereduce) return sum(values); return values.reduce(function (total, value) { return total + value.paid; }, 0); }';

test('both functions of a view are rewritten', async () => {
  expect(await fixedText('rewrite-view', viewOf(MAP, PAID))).toBe(
    viewOf(MAP.replace('{ paid: doc.paid, fee: doc.fee }', 'doc.paid'), '_sum'),
  );
});

test('a map that counts states emits one number for each', async () => {
  const map = 'function (doc) { emit(doc.customer, doc.state); }';
  const reduce =
    'function (keys, values, rereduce) { var counts = { open: 0, paid: 0 }; for (var i = 0; i < values.length; i++) { if (rereduce) { for (var state in counts) counts[state] += values[i][state]; } else { counts[values[i]] += 1; } } return counts; }';
  const counted = "{ open: doc.state == 'open' ? 1 : 0, paid: doc.state == 'paid' ? 1 : 0 }";
  expect(await fixedText('rewrite-view', viewOf(map, reduce))).toBe(
    viewOf(map.replace('doc.state)', `${counted})`), '_sum'),
  );
});

test('a function that other views may have is left as it is', async () => {
  const text = `const map = ${MAP};\nmodule.exports = { _id: '_design/payments', views: { paid: { map, reduce: ${PAID} } } };`;
  expect(await fixedText('rewrite-view', text, 'payments.js')).toBeUndefined();
});

test('a view whose clients would read another answer is left as it is', async () => {
  const twice = 'function (k, v, r) { return r ? sum(v) : sum(v) * 2; }';
  const text = viewOf('function (doc) { if (typeof doc.paid === "number") emit(doc.customer, doc.paid); }', twice);
  expect((await createProject({ 'payments.json': text }).lint()).codes).toContain('reduce/custom-sum#after-rewrite');
  expect(await fixedText('rewrite-view', text)).toBeUndefined();
});
