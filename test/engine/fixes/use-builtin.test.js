import { expect, test } from 'vitest';
import { useBuiltin } from '../../../lib/engine/fixes/use-builtin.js';
import { useBuiltinIf } from '../../../lib/engine/fixes/use-builtin-if.js';
import { createSubjects } from '../../../lib/facts/subjects.js';
import { openSources } from '../../../lib/sources/open.js';
import { editedText, subjectOf } from '../../helpers/sample-fix-targets.js';
import { createProject } from '../../helpers/temporary-project.js';

/** @import { ViewSubject } from '../../../lib/facts/fact.js' */
/** @import { Proof } from '../../../lib/proof/proof.js' */

/** @type {Proof} */
const SUM = { verdict: 'equal', basis: 'proved', builtin: '_sum', trials: 1, steps: [] };

/**
 * @param {string} reduce as written in JSON, without quotes
 * @returns {string}
 */
function document(reduce) {
  return `{\r\n\t"views": { "totals": { "reduce": "${reduce}", "map": "function (doc) {}" } } }\r\n`;
}

/**
 * @param {string} text
 * @param {Proof} [proof]
 * @returns {ViewSubject}
 */
function viewIn(text, proof = SUM) {
  const subject = /** @type {ViewSubject} */ (subjectOf(text, 'view'));
  return Object.assign(subject, { proof });
}

test.each([
  'function (keys, values) {\\n  return sum(values);\\n}',
  '\\n(k, v) => sum(v)',
  '(function(k, v) { return sum(v) })',
])('in JSON `%s` becomes `_sum`, and nothing else changes', (written) => {
  const before = /^\\n/.exec(written)?.[0] ?? '';
  expect(editedText(useBuiltin.apply({ subject: viewIn(document(written)) }))).toBe(document(`${before}_sum`));
});

test.each(['equalAfterRewrite', 'custom', 'wrong', 'grows', 'unknown'])('nothing is done for what is %s', (verdict) => {
  const proof = /** @type {Proof} */ ({ ...SUM, verdict });
  expect(useBuiltinIf.apply({ subject: viewIn(document('function (k, v) {}'), proof) })).toBeUndefined();
});

test('a view of which nothing was proved, and another subject, are left as they are', () => {
  const text = document('function (k, v) { return sum(v); }');
  expect(useBuiltin.apply({ subject: subjectOf(text, 'view') })).toBeUndefined();
  expect(useBuiltin.apply({ subject: subjectOf(text, 'design-doc') })).toBeUndefined();
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
  const { cwd } = createProject({ 'orders.js': module(written) });
  const { records } = await openSources({ paths: ['orders.js'], cwd });
  const view = createSubjects(records, { version: '3.5.0' }).subjects.find(({ kind }) => kind === 'view');
  const subject = Object.assign(/** @type {ViewSubject} */ (view), { proof: SUM });
  expect(editedText(useBuiltin.apply({ subject }))).toBe(fixed && module(fixed));
});
