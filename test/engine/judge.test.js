import { describe, expect, test } from 'vitest';
import { judge } from '../../lib/engine/judge.js';
import { copyRule } from '../helpers/hand-made-rule.js';
import { factCatalog } from '../helpers/internals.js';

/** @import { Fact, Subject } from '../../lib/facts/fact.js' */
/** @import { JudgeOptions } from '../../lib/engine/judge.js' */
/** @import { Outcome, Question, Rule } from '../../lib/engine/rule.js' */

/**
 * @param {number} line
 * @param {number} [column]
 */
const at = (line, column = 1) => ({ file: 'orders.json', line, column });

/**
 * @param {string} name
 * @returns {Subject}
 */
const view = (name) =>
  /** @type {Subject} */ (
    /** @type {unknown} */ ({
      kind: 'view',
      name,
      place: at(4, 5),
      parent: { kind: 'design-doc', name: 'orders', record: { id: '_design/orders' }, place: at(1) },
    })
  );

/** @type {Record<string, Fact>} */
const copying = {
  'view.emitsWholeDoc': { value: true, basis: 'declared', place: at(5, 40) },
  'ddoc.wholeDocViewCount': { value: 3, basis: 'declared' },
};

/**
 * @param {Rule} rule
 * @param {Record<string, Fact>} [facts]
 * @param {Partial<JudgeOptions>} [options]
 */
const judgeOne = (rule, facts = copying, options = {}) =>
  judge({
    rules: [rule],
    subjects: [view('by_date')],
    ask: (_, id) => /** @type {Fact} */ (facts[id]),
    catalog: factCatalog,
    targetOf: () => ({ version: '3.5.2' }),
    settingOf: () => ({ severity: undefined, thresholds: undefined }),
    ...options,
  });

/**
 * @param {Partial<Outcome>} change
 * @returns {Rule}
 */
const withOutcome = (change) => {
  const { outcomes } = copyRule();
  return copyRule({
    outcomes: { ...outcomes, 'many-copies': { .../** @type {Outcome} */ (outcomes['many-copies']), ...change } },
  });
};

describe('a problem', () => {
  test('becomes a finding', () => {
    const { links, cannotTell } = judgeOne(copyRule());
    expect(cannotTell).toEqual([]);
    expect(links).toHaveLength(1);
    expect(links[0]?.finding).toMatchObject({
      key: expect.stringMatching(/^view\/copies#many-copies:[0-9a-f]{10}$/),
      rule: 'view/copies',
      outcome: 'many-copies',
      severity: 'warning',
      certainty: 'high',
      title: 'A view that copies',
      message: '`by_date` is one of 3 that copy',
      why: 'It costs room.',
      advice: 'Emit `null`.',
      subject: { kind: 'view', designDoc: '_design/orders', view: 'by_date' },
      place: at(5, 40),
      related: [],
      sources: ['https://docs.couchdb.org/en/stable/'],
      fix: undefined,
    });
    expect(links[0]?.finding.path.map(({ question, answer }) => [question, answer])).toEqual([
      ['copies', 'yes'],
      ['copy-count', 'yes'],
    ]);
  });

  test('of a list becomes a finding for each item, at its place', () => {
    const reads = [
      { value: 'doc.a.b', place: at(6, 10) },
      { value: 'doc.c.d', place: at(7, 10) },
      { value: 'doc.a.b', place: at(8, 10) },
    ];
    const { links } = judgeOne(withOutcome({ message: '`{item}` throws', each: 'view.unguardedReads' }), {
      ...copying,
      'view.unguardedReads': { value: reads, basis: 'inferred' },
    });
    expect(links.map(({ finding }) => [finding.message, finding.place.line])).toEqual([
      ['`doc.a.b` throws', 6],
      ['`doc.c.d` throws', 7],
      ['`doc.a.b` throws', 8],
    ]);
    expect(links.map(({ item }) => item)).toEqual(reads);
    expect(new Set(links.map(({ finding }) => finding.key)).size).toBe(3);
  });

  test('of a list whose items cannot be told gives none', () => {
    const rule = withOutcome({ each: 'view.unguardedReads' });
    expect(judgeOne(rule, { ...copying, 'view.unguardedReads': { unknown: 'it does not parse' } }).links).toEqual([]);
  });

  test('names its fix', () => {
    expect(judgeOne(withOutcome({ fix: 'rename-key' })).links[0]?.finding.fix).toMatchObject({ id: 'rename-key' });
  });
});

describe('the place of a finding', () => {
  const placed = {
    ...copying,
    'ddoc.wholeDocViewCount': { value: 3, basis: /** @type {const} */ ('declared'), place: at(9) },
  };

  test('is that of the last placed fact on the path', () => {
    expect(judgeOne(copyRule(), placed).links[0]?.finding.place).toEqual(at(9));
  });

  test('is that of the fact the outcome names', () => {
    expect(judgeOne(withOutcome({ place: 'view.emitsWholeDoc' }), placed).links[0]?.finding.place).toEqual(at(5, 40));
  });

  test('is that of the subject where no fact has one', () => {
    const { place: _, ...nowhere } = /** @type {import('../../lib/facts/fact.js').KnownFact} */ (
      copying['view.emitsWholeDoc']
    );
    expect(judgeOne(copyRule(), { ...copying, 'view.emitsWholeDoc': nowhere }).links[0]?.finding.place).toEqual(
      at(4, 5),
    );
  });

  test('leaves the others as related, with what is known from there', () => {
    expect(judgeOne(copyRule(), placed).links[0]?.finding.related).toEqual([{ message: '', place: at(5, 40) }]);
  });

  test('leaves the others in words, where the fact has some', () => {
    const { questions } = copyRule();
    const count = {
      .../** @type {Question} */ (questions['copy-count']),
      fact: 'view.isSortedByBytes',
      operator: 'is',
      value: true,
    };
    const rule = copyRule({ questions: { ...questions, 'copy-count': /** @type {Question} */ (count) } });
    rule.outcomes['many-copies'] = {
      .../** @type {Outcome} */ (rule.outcomes['many-copies']),
      message: 'x',
      place: 'view.emitsWholeDoc',
    };
    const facts = {
      ...copying,
      'view.isSortedByBytes': { value: true, basis: /** @type {const} */ ('declared'), place: at(9) },
    };
    expect(judgeOne(rule, facts).links[0]?.finding.related).toEqual([
      { message: 'its collation is `raw`', place: at(9) },
    ]);
  });

  test('leaves the items of a list on the path as related', () => {
    const { questions } = copyRule();
    const list = { .../** @type {Question} */ (questions['copy-count']), fact: 'view.duplicateElsewhere', value: 0 };
    const rule = copyRule({ questions: { ...questions, 'copy-count': list } });
    rule.outcomes['many-copies'] = { .../** @type {Outcome} */ (rule.outcomes['many-copies']), message: 'x' };
    const twin = { value: 'view by_day of _design/stock', place: { file: 'stock.json', line: 2, column: 3 } };
    const facts = {
      ...copying,
      'view.duplicateElsewhere': { value: [twin], basis: /** @type {const} */ ('declared') },
    };
    expect(judgeOne(rule, facts).links[0]?.finding.related).toEqual([
      { message: '`view by_day of _design/stock` has the same map', place: twin.place },
    ]);
  });
});

describe('certainty', () => {
  test.each(
    /** @type {[string, Record<string, Fact>, string][]} */ ([
      ['high where all is declared', copying, 'high'],
      [
        'high where something is measured or proved',
        { ...copying, 'ddoc.wholeDocViewCount': { value: 3, basis: 'proved' } },
        'high',
      ],
      [
        'medium where something is inferred',
        { ...copying, 'ddoc.wholeDocViewCount': { value: 3, basis: 'inferred' } },
        'medium',
      ],
      ['low where something is unknown', { ...copying, 'ddoc.wholeDocViewCount': { unknown: 'not read' } }, 'low'],
    ]),
  )('is %s', (_, facts, expected) => {
    expect(judgeOne(copyRule(), facts).links[0]?.finding.certainty).toBe(expected);
  });

  test('is not lowered by a question that says so', () => {
    const rule = copyRule();
    for (const question of Object.values(rule.questions)) question.unknownLowersCertainty = false;
    const facts = { ...copying, 'ddoc.wholeDocViewCount': { unknown: 'not read' } };
    expect(judgeOne(rule, facts).links[0]?.finding.certainty).toBe('high');
  });
});

describe('severity', () => {
  const few = { ...copying, 'ddoc.wholeDocViewCount': { value: 1, basis: /** @type {const} */ ('declared') } };

  test('is the rule’s, the outcome’s before it, the user’s before both', () => {
    expect(judgeOne(copyRule()).links[0]?.finding.severity).toBe('warning');
    expect(judgeOne(copyRule(), few).links[0]?.finding.severity).toBe('info');
    const settingOf = () => ({ severity: /** @type {const} */ ('error'), thresholds: undefined });
    expect(judgeOne(copyRule(), few, { settingOf }).links[0]?.finding.severity).toBe('error');
  });

  test('is info behind an assumption, which the message names, unless the user sets one', () => {
    const rule = copyRule();
    for (const question of Object.values(rule.questions)) question.unknownAssumes = 'the view is old';
    const facts = { ...copying, 'ddoc.wholeDocViewCount': { unknown: 'not read' } };
    const { severity, certainty, message } = judgeOne(rule, facts).links[0]?.finding ?? {};
    expect([severity, certainty]).toEqual(['info', 'low']);
    expect(message).toMatch(/ \(if the view is old\)$/);
    const settingOf = () => ({ severity: /** @type {const} */ ('error'), thresholds: undefined });
    expect(judgeOne(rule, facts, { settingOf }).links[0]?.finding.severity).toBe('error');
    expect(judgeOne(rule).links[0]?.finding.message).not.toMatch(/\(if /);
  });

  test('off means that nothing is asked', () => {
    const settingOf = () => ({ severity: /** @type {const} */ ('off'), thresholds: undefined });
    const ask = () => expect.fail('a fact was asked for');
    expect(judgeOne(copyRule(), copying, { settingOf, ask }).links).toEqual([]);
  });

  test('is looked up by the file of the subject', () => {
    /** @type {string[]} */
    const files = [];
    const settingOf = (/** @type {Rule} */ _, /** @type {string} */ file) => {
      files.push(file);
      return { severity: undefined, thresholds: undefined };
    };
    judgeOne(copyRule(), copying, { settingOf });
    expect(files).toEqual(['orders.json']);
  });
});

test('a threshold of the user takes the place of the rule’s', () => {
  const settingOf = () => ({ severity: undefined, thresholds: new Map([['copy-count', 3]]) });
  const { finding } = judgeOne(copyRule(), copying, { settingOf }).links[0] ?? {};
  expect(finding?.outcome).toBe('few-copies');
  expect(finding?.path[1]).toMatchObject({ question: 'copy-count', operand: 3, answer: 'no' });
});

describe('a rule is not asked', () => {
  test.each(
    /** @type {[string, Partial<Rule>][]} */ ([
      ['where the target is too old', { appliesTo: { from: '3.6' } }],
      ['where the target is too new', { appliesTo: { before: '3.5.2' } }],
      ['when it is retired', { status: 'retired', replacedBy: 'view/other' }],
      ['when it is a draft', { status: 'draft' }],
      ['about subjects of another kind', { subject: 'function' }],
    ]),
  )('%s', (_, change) => {
    expect(judgeOne(copyRule(change)).links).toEqual([]);
  });

  test('but for a draft that the user gives a severity', () => {
    const settingOf = () => ({ severity: /** @type {const} */ ('info'), thresholds: undefined });
    expect(judgeOne(copyRule({ status: 'draft' }), copying, { settingOf }).links).toHaveLength(1);
  });

  test('but on the edges of the versions it holds for', () => {
    expect(judgeOne(copyRule({ appliesTo: { from: '3.5.2', before: '3.5.3' } })).links).toHaveLength(1);
  });
});

describe('what is unknown', () => {
  const subject = { kind: 'view', designDoc: '_design/orders', view: 'by_date' };
  const words = 'whether an emitted value is the document or a copy of it';

  test('is listed with the fact and the reason', () => {
    const { links, cannotTell } = judgeOne(copyRule(), { 'view.emitsWholeDoc': { unknown: 'it does not parse' } });
    expect(links).toEqual([]);
    expect(cannotTell).toEqual([
      { rule: 'view/copies', subject, fact: 'view.emitsWholeDoc', words, reason: 'it does not parse' },
    ]);
  });

  test('is listed once for an outcome that says so', () => {
    const { outcomes } = copyRule();
    const rule = copyRule({ outcomes: { ...outcomes, 'no-copy': { verdict: 'cannot-tell', message: 'it may copy' } } });
    const { cannotTell } = judgeOne(rule, { 'view.emitsWholeDoc': { value: false, basis: 'declared' } });
    expect(cannotTell).toEqual([
      { rule: 'view/copies', subject, fact: 'view.emitsWholeDoc', words, reason: 'it may copy' },
    ]);
  });
});

test('equal findings of two documents of one name have keys of their own', () => {
  const { links } = judgeOne(copyRule(), copying, { subjects: [view('by_date'), view('by_date')] });
  expect(new Set(links.map(({ finding }) => finding.key)).size).toBe(2);
});
