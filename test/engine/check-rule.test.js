import { expect, test } from 'vitest';
import { ruleFaults } from '../../lib/engine/check-rule.js';
import { copyRule } from '../helpers/hand-made-rule.js';

/** @import { FactDeclaration, FactType, SubjectKind } from '../../lib/facts/fact.js' */
/** @import { Outcome, Question, Rule } from '../../lib/engine/rule.js' */

/**
 * @param {string} id
 * @param {FactType} type
 * @param {SubjectKind} subject
 * @returns {[string, FactDeclaration]}
 */
const declare = (id, type, subject) => [
  id,
  /** @type {FactDeclaration} */ ({
    id,
    type,
    subject,
    sources: ['design-docs'],
    meaning: 'For tests.',
    extract: () => ({ value: 0 }),
  }),
];

const known = {
  facts: new Map([
    declare('view.emitsWholeDoc', 'boolean', 'view'),
    declare('ddoc.wholeDocViewCount', 'count', 'design-doc'),
    declare('view.unguardedReads', 'list', 'view'),
    declare('reduce.kind', 'text', 'view'),
    declare('target.version', 'version', 'run'),
    declare('server.optionCount', 'count', 'server'),
  ]),
  fixes: new Set(['rename-key']),
};

/**
 * @param {string} id
 * @param {Partial<Question>} change
 * @returns {Partial<Rule>}
 */
const question = (id, change) => {
  const { questions } = copyRule();
  return { questions: { ...questions, [id]: { .../** @type {Question} */ (questions[id]), ...change } } };
};

/**
 * @param {string} id
 * @param {Partial<Outcome>} change
 * @returns {Partial<Rule>}
 */
const outcome = (id, change) => {
  const { outcomes } = copyRule();
  return { outcomes: { ...outcomes, [id]: { .../** @type {Outcome} */ (outcomes[id]), ...change } } };
};

test('finds nothing in a sound rule', () => {
  expect(ruleFaults(copyRule(), 'view/copies', known)).toEqual([]);
});

test.each(
  /** @type {[string, Partial<Rule>, string, string?][]} */ ([
    ['another id than the folder', { id: 'view/copys' }, 'the id `view/copys` does not match its folder `view/copies`'],
    ['a retired rule without heir', { status: 'retired' }, 'a retired rule must name its replacement'],
    [
      'a start that is no question',
      { start: 'copie' },
      '`start` must be a question, but `copie` is not',
      'did you mean `copies`?',
    ],
    [
      'a branch to nowhere',
      question('copy-count', { unknown: 'few-copie' }),
      '`copy-count` leads to `few-copie`, which is neither a question nor an outcome',
      'did you mean `few-copies`?',
    ],
    ['a circle', question('copy-count', { unknown: 'copies' }), 'the tree has a cycle: `copies`, `copy-count`'],
    [
      'an answer that does not matter',
      question('copies', { no: 'copy-count' }),
      '`copies` leads to `copy-count` for both answers',
    ],
    ['an outcome nobody reaches', question('copies', { no: 'few-copies' }), 'nothing leads to `no-copy`'],
    [
      'a fact that does not exist',
      question('copies', { fact: 'view.emitsWholeDocs' }),
      '`copies` uses the unknown fact `view.emitsWholeDocs`',
      'did you mean `view.emitsWholeDoc`?',
    ],
    [
      'a fact of something else',
      question('copy-count', { fact: 'server.optionCount' }),
      '`copy-count` uses `server.optionCount`, a fact about a server, but the rule is about a view',
    ],
    [
      'an operator that does not fit',
      question('copies', { operator: 'atLeast' }),
      '`copies` compares `view.emitsWholeDoc`, a boolean, with `atLeast`',
      'operators of a boolean: is',
    ],
    [
      'false where true says the same',
      question('copies', { value: false }),
      '`copies` compares `view.emitsWholeDoc`, a boolean, with false',
      'write `true`, and swap `yes` and `no` if it was `false`',
    ],
    [
      'a text for a number',
      question('copy-count', { value: '2' }),
      '`copy-count` compares `ddoc.wholeDocViewCount`, a count, with "2"',
      'write a number',
    ],
    [
      'a version that is none',
      question('copies', { fact: 'target.version', operator: 'atLeast', value: 'three' }),
      '`copies` compares `target.version`, a version, with "three"',
      'write a version like "3.2"',
    ],
    [
      'a choice of one',
      question('copies', { fact: 'reduce.kind', operator: 'isOneOf', value: ['custom'] }),
      '`copies` compares `reduce.kind`, a text, with ["custom"]',
      'write an array of at least two strings',
    ],
    [
      'a fix that does not exist',
      outcome('few-copies', { fix: 'rename-keys' }),
      '`few-copies` refers to the unknown fix `rename-keys`',
      'did you mean `rename-key`?',
    ],
    [
      'a finding for each item of no list',
      outcome('few-copies', { each: 'ddoc.wholeDocViewCount' }),
      '`few-copies` reports each item of `ddoc.wholeDocViewCount`, which is not a list',
    ],
    [
      'an item without a list',
      outcome('few-copies', { message: '`{item}` is copied' }),
      '`few-copies` uses the placeholder `{item}`, which is not known on every path',
      'add a list fact as `each`',
    ],
    [
      'a fact in a text that one path does not ask for',
      outcome('few-copies', { why: 'There are {reduce.kind}.' }),
      '`few-copies` uses the placeholder `{reduce.kind}`, which is not known on every path',
      'add the fact to `evidence`',
    ],
    [
      'a fact in a text that may be unknown there',
      outcome('few-copies', { message: '`{subject}` and {ddoc.wholeDocViewCount} copy' }),
      '`few-copies` uses the placeholder `{ddoc.wholeDocViewCount}`, which is not known on every path',
      'add the fact to `evidence`',
    ],
    [
      'advice where nothing is wrong',
      outcome('no-copy', { advice: 'Go on.' }),
      '`no-copy` has `advice`, which only problems may have',
    ],
  ]),
)('notices %s', (_, change, message, hint) => {
  const faults = ruleFaults(copyRule(change), 'view/copies', known);
  expect(faults.map((fault) => fault.message)).toContain(message);
  if (hint) expect(faults.find((fault) => fault.message === message)?.hint).toBe(hint);
});

test('takes `oncePer` only where the subject belongs to one', () => {
  const perDocument = outcome('few-copies', { oncePer: 'design-doc' });
  expect(ruleFaults(copyRule(perDocument), 'view/copies', known)).toEqual([]);
  const faults = ruleFaults(copyRule({ ...perDocument, subject: 'request' }), 'view/copies', known);
  expect(faults.map(({ message }) => message)).toContain(
    '`few-copies` is reported once per design-doc, but a request belongs to none',
  );
});

test('takes a fact in a text that is named as evidence', () => {
  const change = outcome('few-copies', { message: '`{subject}` is {reduce.kind}', evidence: ['reduce.kind'] });
  expect(ruleFaults(copyRule(change), 'view/copies', known)).toEqual([]);
});

test('does not let a rule name the outcome that every tree has', () => {
  const { outcomes } = copyRule();
  const rule = copyRule({
    ...question('copies', { no: 'cannot-tell' }),
    outcomes: { ...outcomes, 'cannot-tell': { verdict: 'fine', message: 'x' } },
  });
  expect(ruleFaults(rule, 'view/copies', known).map(({ pointer }) => pointer)).toContainEqual([
    'outcomes',
    'cannot-tell',
  ]);
});

test('looks at each question once, however many paths lead to it', () => {
  const count = 60;
  /** @type {Rule['questions']} */
  const questions = {};
  const ask = { fact: 'view.emitsWholeDoc', operator: /** @type {const} */ ('is'), value: true, because: 'for tests' };
  for (let index = 0; index < count; index += 1) {
    const next = index + 1 === count ? 'many-copies' : `left-${index + 1}`;
    questions[`left-${index}`] = { ...ask, yes: `right-${index}`, no: next };
    questions[`right-${index}`] = { ...ask, yes: next, no: 'no-copy' };
  }
  const { 'many-copies': many, 'no-copy': none } = copyRule().outcomes;
  const outcomes = {
    'many-copies': { .../** @type {Outcome} */ (many), message: '`{subject}` copies' },
    'no-copy': /** @type {Outcome} */ (none),
  };
  expect(ruleFaults(copyRule({ start: 'left-0', questions, outcomes }), 'view/copies', known)).toEqual([]);
});
