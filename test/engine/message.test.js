import { describe, expect, test } from 'vitest';
import { fillTemplate, formatFact, formatText, grammarFaults, placeholdersOf } from '../../lib/engine/message.js';

/** @import { Fact, FactType } from '../../lib/facts/fact.js' */
/** @import { Outcome } from '../../lib/engine/rule.js' */

/**
 * @param {unknown} value
 * @returns {Fact}
 */
const known = (value) => /** @type {Fact} */ ({ value, basis: 'declared' });

test.each(
  /** @type {[string, Fact, FactType, string][]} */ ([
    ['a count', known(1200), 'count', '1,200'],
    ['bytes', known(2_170_193), 'bytes', '2.2 MB'],
    ['a time', known(1340), 'ms', '1.3 s'],
    ['a share', known(0.375), 'share', '38 %'],
    ['a version', known('3.5.1'), 'version', '3.5.1'],
    ['a list', known([{ value: 'lists' }, { value: 'shows' }]), 'list', '`lists` and `shows`'],
    ['a long list', known(['a', 'b', 'c', 'd', 'e'].map((value) => ({ value }))), 'list', '`a`, `b`, `c` and 2 more'],
    ['an unknown fact', { unknown: 'not read' }, 'count', 'unknown'],
  ]),
)('shows %s', (_, fact, type, expected) => {
  expect(formatFact(fact, type)).toBe(expected);
});

test('fills in subject, item and facts', () => {
  const text = fillTemplate('`{subject}` reads `{item}` {view.emitCount} times', {
    subject: 'by_date',
    item: { value: 'doc.a.b' },
    fact: () => ({ fact: known(2), type: 'count' }),
  });
  expect(text).toBe('`by_date` reads `doc.a.b` 2 times');
});

test('fills in details of an item', () => {
  const template = '`{item}` is not `{item.expected}`{item.other}';
  const item = { value: 'redcue', detail: { expected: 'reduce' } };
  const fact = () => ({ fact: known(1), type: /** @type {const} */ ('count') });
  expect(fillTemplate(template, { subject: 'orders', item, fact })).toBe('`redcue` is not `reduce`');
  expect(placeholdersOf(template)).toEqual(['item', 'item', 'item']);
});

test('leaves braces of code alone', () => {
  const template = 'Throw `{forbidden: "reason"}` where `{ sum }` is wrong.';
  expect(placeholdersOf(template)).toEqual([]);
  expect(fillTemplate(template, { subject: 'orders', fact: () => ({ fact: known(1), type: 'count' }) })).toBe(template);
});

describe('a value from outside', () => {
  test.each([
    ['is one line', 'function (doc) {\n  emit(1);\n}', 'function (doc) { emit(1); }'],
    ['sends nothing to the terminal', 'a\x1b[31mb', 'a␛[31mb'],
    ['does not turn text round', 'a\u202eb', 'a<U+202E>b'],
    ['is cut to 60 characters', 'x'.repeat(61), `${'x'.repeat(59)}…`],
    ['is kept at 60 characters', 'x'.repeat(60), 'x'.repeat(60)],
    ['is not cut inside a pair', `${'x'.repeat(58)}😀😀`, `${'x'.repeat(58)}…`],
  ])('%s', (_, text, expected) => {
    expect(formatText(text)).toBe(expected);
  });
});

describe('the grammar of texts', () => {
  /** @type {Outcome} */
  const sound = { verdict: 'problem', message: '`{subject}` copies', why: 'It costs room.', advice: 'Emit `null`.' };

  test('is kept by a sound outcome', () => {
    expect(grammarFaults(sound)).toEqual([]);
  });

  test.each(
    /** @type {[string, Partial<Outcome>][]} */ ([
      ['a long message', { message: 'x'.repeat(121) }],
      ['a message of two lines', { message: 'one\ntwo' }],
      ['a message that says should', { message: 'the map should not' }],
      ['a message that is a sentence', { message: 'It copies.' }],
      ['a placeholder that is none', { message: '{Subject} copies' }],
      ['a subject without backticks', { message: 'the view {subject} copies' }],
      ['no why', { why: undefined }],
      ['a why that is no sentence', { why: 'it costs room' }],
      ['no advice', { advice: undefined }],
      ['advice without a verb', { advice: '`null` is better.' }],
      ['advice without a full stop', { advice: 'Emit `null`' }],
    ]),
  )('notices %s', (_, change) => {
    expect(grammarFaults({ ...sound, ...change })).toHaveLength(1);
  });

  test('asks a fine outcome for neither why nor advice', () => {
    expect(grammarFaults({ verdict: 'fine', message: 'nothing is copied' })).toEqual([]);
  });
});

describe('a number', () => {
  /** @param {string} template @param {number} value @returns {string} */
  const fill = (template, value) =>
    fillTemplate(template, { subject: 'orders', fact: () => ({ fact: known(value), type: 'count' }) });

  test.each(
    /** @type {[string, number, string][]} */ ([
      ['reads {view.rows} rows', 1, 'reads 1 row'],
      ['reads {view.rows} rows', 2, 'reads 2 rows'],
      ['{view.rows} reads in {view.days} days', 1, '1 read in 1 day'],
      ['has {view.rows} deleted documents', 1, 'has 1 deleted document'],
      ['allows {view.rows} query server processes', 1, 'allows 1 query server process'],
      ['throws on {view.rows} of your documents', 1, 'throws on 1 of your documents'],
      ['emits {view.rows} values that', 12_345, 'emits 12,345 values that'],
      ['{view.rows} times the median', 10.5, '10.5 times the median'],
      ['{view.rows} rows a minute', 1234.5, '1,234.5 rows a minute'],
      ['set `q = {view.rows}` for {view.rows} rows', 10_000, 'set `q = 10000` for 10,000 rows'],
    ]),
  )('in "%s" is %d: %s', (template, value, expected) => {
    expect(fill(template, value)).toBe(expected);
  });
});
