import { expect, test } from 'vitest';
import { describeQuestion, drawTree } from '../../lib/engine/tree-picture.js';
import { copyRule } from '../helpers/hand-made-rule.js';
import { readRuleFolders } from '../helpers/rule-folders.js';

/** @import { Question } from '../../lib/engine/rule.js' */

test('draws questions, answers and outcomes', () => {
  expect(drawTree(copyRule())).toBe(
    [
      'copies: view.emitsWholeDoc?',
      '├─ yes: copy-count: ddoc.wholeDocViewCount above 2?',
      '│  ├─ yes: many-copies (warning): `{subject}` is one of {ddoc.wholeDocViewCount} that copy',
      '│  └─ no or unknown: few-copies (info): `{subject}` copies',
      '└─ no: no-copy (fine): nothing is copied',
    ].join('\n'),
  );
});

test('draws a question once, however many branches lead to it, and an unknown branch of its own', () => {
  const { questions } = copyRule();
  const first = { fact: 'view.isOld', operator: /** @type {const} */ ('is'), value: true, because: 'for tests' };
  const rule = copyRule({
    start: 'old',
    questions: { old: { ...first, yes: 'copies', no: 'no-copy', unknown: 'copies' }, ...questions },
  });
  expect(drawTree(rule)).toMatch(/^├─ yes or unknown: copies: /m);
  const other = copyRule({
    start: 'old',
    questions: { old: { ...first, yes: 'copies', no: 'copy-count', unknown: 'no-copy' }, ...questions },
  });
  expect(drawTree(other)).toMatch(/^├─ no: as at `copy-count` above$/m);
  expect(drawTree(other)).toMatch(/^└─ unknown: no-copy \(fine\)/m);
});

test('breaks long texts under their branch', () => {
  const { outcomes } = copyRule();
  const rule = copyRule({
    outcomes: { ...outcomes, 'no-copy': { verdict: 'fine', message: 'orders '.repeat(30).trim() } },
  });
  const lines = drawTree(rule).split('\n').slice(-3);
  expect(lines[0]).toMatch(/^└─ no: no-copy \(fine\): orders/);
  expect(lines[1]).toMatch(/^ {5}orders/);
});

test('stays within 100 columns for the bundled rules', () => {
  const wide = readRuleFolders().filter(({ rule }) =>
    drawTree(rule)
      .split('\n')
      .some((line) => line.length > 100),
  );
  expect(wide.map(({ id }) => id)).toEqual([]);
});

/** @type {[Pick<Question, 'fact' | 'operator' | 'value'>, string][]} */
const questions = [
  [{ fact: 'view.isOld', operator: 'is', value: true }, 'view.isOld'],
  [{ fact: 'reduce.kind', operator: 'is', value: 'custom' }, 'reduce.kind is custom'],
  [{ fact: 'reduce.kind', operator: 'isOneOf', value: ['_sum', '_stats'] }, 'reduce.kind is one of _sum, _stats'],
];

test.each(questions)('reads %o as %s', (question, expected) => {
  expect(describeQuestion(/** @type {Question} */ (question))).toBe(expected);
});
