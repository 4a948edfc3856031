import { describe, expect, test } from 'vitest';
import { functionRowFacts, rowQuestions } from '../../../lib/facts/function/rows.js';
import { readEffects } from '../../../lib/javascript/effects.js';
import { readDocument } from '../../helpers/facts-of.js';
import { functionSubject } from '../../helpers/function-facts.js';
import { parseFunction, resolveNames } from '../../helpers/internals.js';

/** @import { Influence, RowTrial } from '../../../lib/proof/synthesis/try-rows.js' */

describe('calls that read the clock or give a random number', () => {
  test.each([
    ['Date()', ['Date() text']],
    ['Date().slice(0, 3)', ['Date() text']],
    ['Date().getTime()', []],
    ['(Date()).toISOString()', []],
    ['(function () { var now = Date(); return now.substr(1) + now.length })()', ['Date() text']],
    ['(function () { var now = Date(); emit(now); return now.getTime() })()', []],
    ['Date(1)', ['Date(1) text']],
    ['new Date()', ['new Date() date']],
    ['new Date', ['new Date date']],
    ['Date.now()', ['Date.now() milliseconds']],
    ['Date["now"]()', ['Date["now"]() milliseconds']],
    ['Math.random() + Math.random()', ['Math.random() random', 'Math.random() random']],
    ['(Date).now()', ['(Date).now() milliseconds']],
    ['Date(Date.now()) + Date.now()', ['Date(Date.now()) text', 'Date.now() milliseconds']],
    ['new Date(doc.date)', []],
    ['new Date(Date.now())', ['Date.now() milliseconds']],
    ['Date.parse(doc.date)', []],
    ['Math.floor(doc.price)', []],
    ['doc.now()', []],
    ['doc.Date.now()', []],
    ['(function (Date) { return Date.now(); })(doc)', []],
    ['Date = doc.Date, Date.now()', []],
  ])('%s: %j', (expression, expected) => {
    const text = `function (doc) { emit(${expression}, null); }`;
    const tree = parseFunction(text);
    if (!tree.ok) throw new Error(text);
    const { moments } = readEffects(tree, resolveNames(tree.roots));
    expect(moments.map(({ node, kind }) => `${text.slice(node.start, node.end)} ${kind}`)).toEqual(expected);
  });
});

/**
 * @param {string} id
 * @param {string} source
 * @param {Partial<RowTrial>} [trial] none where nothing was tried
 * @param {string} [role]
 */
function factOf(id, source, trial, role = 'map') {
  const subject = functionSubject(source, role, { views: { all: { map: 'function (doc) { emit(doc._id, 1); }' } } });
  if (trial) subject.trial = { verdict: 'tried', calls: [], state: 'unknown', ...trial };
  const declaration = functionRowFacts.find((candidate) => candidate.id === id);
  const fact = declaration?.extract(subject, () => ({ unknown: 'asked for nothing else' }));
  if (!fact || 'unknown' in fact) return fact;
  return { ...fact, value: Array.isArray(fact.value) ? fact.value.map(({ value }) => value) : fact.value };
}

describe('function.nondeterministic', () => {
  const MAP = 'function (doc) { if (doc.open) emit(Date.now(), Math.random()); }';
  const fact = factOf.bind(undefined, 'function.nondeterministic');

  test.each(
    /** @type {[Influence[], string[], string][]} */ ([
      [['changes', 'changes'], ['Date.now()', 'Math.random()'], 'proved'],
      [['same', 'changes'], ['Math.random()'], 'proved'],
      [['same', 'same'], [], 'proved'],
      [['unknown', 'same'], ['Date.now()'], 'inferred'],
      [['unknown', 'unknown'], ['Date.now()', 'Math.random()'], 'inferred'],
    ]),
  )('trials that say %j leave %j, which is %s', (calls, value, basis) => {
    expect(fact(MAP, { calls })).toEqual({ value, basis });
  });

  test.each([
    ['function (doc) { emit(doc._id); return; emit(Date.now()); }', []],
    ['function (doc) { log(Date.now()); emit(doc._id); }', []],
    ['function (doc) { if (doc.due < Date.now()) emit(doc._id); }', ['Date.now()']],
  ])('where no document fits the code is followed: %s', (source, value) => {
    expect(fact(source, { verdict: 'not tried', calls: ['unknown'] })).toEqual({ value, basis: 'inferred' });
  });

  test.each([
    ['function (keys, values) { return [sum(values), Date.now()]; }', ['Date.now()']],
    ['function (keys, values) { var now = Date.now(); return values.map(function (v) { return v; }); }', []],
    ['function (keys, values) { return values.map(function (v) { return Date.now(); }); }', []],
    ['(keys, values) => values.length + Date.now()', ['Date.now()']],
  ])('and that of a reduce to what it returns: %s', (source, value) => {
    expect(fact(source, { verdict: 'not tried', calls: ['unknown'] }, 'reduce')).toEqual({ value, basis: 'inferred' });
  });

  test('is unknown where nothing was tried, and known where there is nothing to try', () => {
    expect(fact(MAP)).toEqual({ unknown: 'the function was not run in this run' });
    expect(fact('function (doc) { emit(new Date(doc.date)); }')).toEqual({ value: [], basis: 'proved' });
    expect(fact('function (doc) { emit(')).toEqual({ unknown: 'the function does not parse' });
    expect(fact(MAP, {}, 'filter')).toEqual({ unknown: 'CouchDB stores only the results of maps and reduces' });
  });
});

describe('function.carriedState', () => {
  const MAP = 'function (doc) { total += doc.n; emit(doc._id, total); }';
  const fact = factOf.bind(undefined, 'function.carriedState');

  test.each(
    /** @type {[Influence, string[], string][]} */ ([
      ['changes', ['total'], 'proved'],
      ['same', [], 'proved'],
      ['unknown', ['total'], 'inferred'],
    ]),
  )('a trial that says %s leaves %j', (state, value, basis) => {
    expect(fact(MAP, { state })).toEqual({ value, basis });
    expect(fact(MAP, { state }, 'reduce')).toEqual({ value: [], basis: 'inferred' });
  });

  test.each([
    ['function (doc) { for (i in doc) { k = doc[i]; emit(i, k); } }', []],
    ['function (doc) { with (doc) { total += 1; } emit(doc._id); }', []],
    ['function (doc) { if (first ||= doc._id) emit(first); }', ['first']],
    ['function (doc) { for (i in doc) {} emit(i); }', ['i']],
    ['function (doc) { if (doc.x) [first] = doc.x; emit(first); }', ['first']],
    ['function (doc) { emit(last); ({ last } = doc); }', ['last']],
    ['function (doc) { emit(++count); }', ['count']],
    ['function (doc) { emit(count--); }', ['count']],
    ['function (doc) { emit(mask); mask >>= 1; }', ['mask']],
    ['function (doc) { var a = 1, b = 2; b = 3; emit(a, b); }', []],
  ])('%s: %j', (source, value) => {
    expect(fact(source, { state: 'unknown' })).toEqual({ value, basis: 'inferred' });
  });

  test('is unknown where nothing was tried', () => {
    expect(fact(MAP)).toEqual({ unknown: 'the function was not run in this run' });
  });
});

test('what has to be tried is asked for with its modules, and nothing else', () => {
  const { subjects } = readDocument({
    views: {
      lib: { days: 'exports.day = 1;', more: { text: 'exports.text = 2;' } },
      due: { map: 'function (doc) { emit(Date.now()); }', reduce: 'function (k, v) { return Math.random(); }' },
      by_date: { map: 'function (doc) { var i = 0; for (i in doc) emit(i, new Date(doc.date)); }' },
      total: { map: 'function (doc) { total += 1; emit(total); }', reduce: '_sum' },
    },
    filters: { now: 'function (doc) { return doc.due < Date.now(); }' },
  });
  const run = /** @type {any} */ ({ subjects });
  const libraries = { days: 'exports.day = 1;', more: { text: 'exports.text = 2;' } };
  const due = 'function (doc) { emit(Date.now()); }';
  expect(rowQuestions(run).map(({ subject, question }) => [subject.name, question])).toEqual([
    [
      'views.due.map',
      {
        map: due,
        reduce: undefined,
        libraries,
        calls: [{ start: due.indexOf('Date'), end: due.indexOf(')', 30) + 1, kind: 'milliseconds' }],
        carries: false,
      },
    ],
    [
      'views.due.reduce',
      {
        map: due,
        reduce: 'function (k, v) { return Math.random(); }',
        libraries,
        calls: [{ start: 25, end: 38, kind: 'random' }],
        carries: false,
      },
    ],
    [
      'views.total.map',
      { map: 'function (doc) { total += 1; emit(total); }', reduce: undefined, libraries, calls: [], carries: true },
    ],
  ]);
});
