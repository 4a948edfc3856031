import { expect, test } from 'vitest';
import { rewriteView } from '../../../lib/engine/fixes/rewrite-view.js';
import { editedText, subjectOf } from '../../helpers/sample-fix-targets.js';

/** @import { Proof } from '../../../lib/proof/proof.js' */

const MAP = 'function (doc) { emit(doc.customer, doc.state); }';
const start = MAP.indexOf('doc.state');
const CHANGES = [{ start, end: start + 'doc.state'.length, text: "{ open: doc.state == 'open' ? 1 : 0 }" }];
const REWRITE = { text: 'the map emits something else', changesShape: false, changes: CHANGES };

/** @param {Partial<Proof>} proof @returns {string | undefined} */
function fixed(proof) {
  const text = JSON.stringify({ views: { states: { map: MAP, reduce: 'function () { return {}; }' } } });
  const subject = subjectOf(text, 'view');
  const whole = { verdict: 'equalAfterRewrite', basis: 'proved', builtin: '_sum', trials: 1, steps: [], ...proof };
  return editedText(rewriteView.apply({ subject: Object.assign(subject, { proof: whole }) }));
}

test('both functions of a view are rewritten', () => {
  const { states } = JSON.parse(fixed({ rewrite: REWRITE }) ?? '{}').views;
  expect(states).toEqual({
    map: "function (doc) { emit(doc.customer, { open: doc.state == 'open' ? 1 : 0 }); }",
    reduce: '_sum',
  });
});

test.each([
  ['whose map was not tried', { text: 'as it is', changesShape: false }],
  ['whose clients would read another answer', { ...REWRITE, changesShape: true }],
])('a view is left as it is %s', (_, rewrite) => {
  expect(fixed({ rewrite })).toBeUndefined();
});

test('a view without a rewrite is left as it is', () => {
  expect(fixed({})).toBeUndefined();
});
