import { expect, test } from 'vitest';
import { toFact } from '../../lib/engine/cases.js';
import { evaluateRule } from '../../lib/engine/evaluate.js';
import { nearestFlip } from '../../lib/engine/nearest-flip.js';
import { copyRule } from '../helpers/hand-made-rule.js';

/** @import { Operator, Question } from '../../lib/engine/rule.js' */
/** @import { CaseFact } from '../../lib/engine/cases.js' */

/**
 * @param {import('../../lib/engine/rule.js').Rule} rule
 * @param {Record<string, CaseFact>} facts
 */
function flipOf(rule, facts) {
  const getFact = (/** @type {string} */ id) => toFact(facts[id] ?? { unknown: 'not given' });
  return nearestFlip(rule, evaluateRule(rule, getFact).path, getFact);
}

test('names the last number first, and where it would lead', () => {
  expect(flipOf(copyRule(), { 'view.emitsWholeDoc': true, 'ddoc.wholeDocViewCount': 5 })).toEqual({
    fact: 'ddoc.wholeDocViewCount',
    question: 'copy-count',
    change: 'at most 2',
    outcome: 'few-copies',
  });
});

test('goes by the threshold of the user where the path was walked with one', () => {
  const { questions } = copyRule();
  const asked = /** @type {Question} */ (questions['copy-count']);
  const ofUser = copyRule({ questions: { ...questions, 'copy-count': { ...asked, value: 7 } } });
  const getFact = (/** @type {string} */ id) => toFact(id === 'view.emitsWholeDoc' ? true : 5);
  const { path, outcome } = evaluateRule(ofUser, getFact);
  expect(outcome).toBe('few-copies');
  expect(nearestFlip(copyRule(), path, getFact)).toMatchObject({ change: 'above 7', outcome: 'many-copies' });
});

test('passes over what is unknown', () => {
  const facts = { 'view.emitsWholeDoc': true, 'ddoc.wholeDocViewCount': { unknown: 'not read' } };
  expect(flipOf(copyRule(), facts)).toMatchObject({ fact: 'view.emitsWholeDoc', change: 'false', outcome: 'no-copy' });
});

test('knows when there is none', () => {
  expect(flipOf(copyRule(), { 'view.emitsWholeDoc': { unknown: 'not read' } })).toBeUndefined();
});

/** @type {[string, Operator, Question['value'], CaseFact, string][]} */
const changes = [
  ['at least, reached', 'atLeast', 2, 2, 'below 2'],
  ['at least, missed', 'atLeast', 2, 1, 'at least 2'],
  ['above, passed', 'above', 2, 9, 'at most 2'],
  ['above, missed', 'above', 2, 2, 'above 2'],
  ['at most, kept', 'atMost', 2, 0, 'above 2'],
  ['at most, passed', 'atMost', 2, 3, 'at most 2'],
  ['below, kept', 'below', 2, 1, 'at least 2'],
  ['below, missed', 'below', 2, 2, 'below 2'],
  ['a share', 'below', 0.5, 0.7, 'below 0.5'],
  ['a list', 'above', 0, ['line'], 'at most 0'],
  ['an empty list', 'above', 0, [], 'above 0'],
  ['a version that is new enough', 'atLeast', '3.2', '3.3', 'below 3.2'],
  ['a version that is too old', 'atLeast', '3.2', '2.3', 'at least 3.2'],
  ['a version that is not above', 'above', '3.2', '3.2', 'above 3.2'],
  ['a text that is wanted', 'is', '_sum', '_sum', 'not `_sum`'],
  ['another text', 'is', '_sum', '_count', '`_sum`'],
  ['a text of a list', 'isOneOf', ['_sum', '_stats'], '_stats', 'none of `_sum`, `_stats`'],
  ['a text that is in no list', 'isOneOf', ['_sum', '_stats'], '_count', '`_sum`'],
];

test.each(changes)('turns round: %s', (_, operator, value, given, expected) => {
  const ask = { fact: 'view.something', operator, value, because: 'for tests', yes: 'many-copies', no: 'no-copy' };
  const rule = copyRule({ questions: { copies: ask } });
  expect(flipOf(rule, { 'view.something': given })?.change).toBe(expected);
});
