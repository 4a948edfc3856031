import { describe, expect, test } from 'vitest';
import { claimOf, meaningOf } from '../../lib/proof/claims.js';
import { describeForm } from '../../lib/proof/describe-form.js';
import { evaluateForm } from '../../lib/proof/evaluate-form.js';
import { runPass } from '../../lib/proof/run-pass.js';
import { emittedValues, parseFunction } from '../helpers/internals.js';

const NUMBER = "function (doc) { if (typeof doc.total === 'number') emit(doc.customer, doc.total); }";
const ANY = 'function (doc) { emit(doc.customer, doc.total); }';
const PAIR =
  "function (doc) { if (typeof doc.net === 'number' && typeof doc.tax === 'number') emit(1, { net: doc.net, tax: doc.tax }); }";

/**
 * @param {string} source
 * @param {string} [map]
 * @param {string} [target]
 */
function read(source, map = NUMBER, target = '3.4.3') {
  const tree = parseFunction(source);
  if (!tree.ok || !tree.fn) throw new Error(`no function: ${source}`);
  const [first, second] = [runPass(tree.fn, false), runPass(tree.fn, true)];
  if ('bailout' in first) return { bailout: first.bailout };
  const emitted = emittedValues(map);
  const meaning = meaningOf(first, emitted, target);
  if ('bailout' in second) return { bailout: second.bailout, meaning };
  return { claim: claimOf(first, () => second, emitted, target), meaning };
}

/** @param {string} body of a loop over the values @returns {string} */
const adding = (body) => `function (k, values) { var t = 0; values.forEach(function (v) { ${body} }); return t; }`;

describe('the normal form finds the built-in of', () => {
  test.each([
    ['sum()', '(k, v) => sum(v)', '_sum'],
    ['a loop', 'function (k, v) { var t = 0; for (var i = 0; i < v.length; i++) t += v[i]; return t; }', '_sum'],
    [
      'a loop to the last row',
      'function (k, v) { var t = 0; for (var i = 0; i <= v.length - 1; i++) t += v[i]; return t; }',
      '_sum',
    ],
    [
      'a loop with let',
      '(k, v) => { let t = 0; for (let i = 0; i < v.length; i += 1) { const x = v[i]; t = t + x; } return t; }',
      '_sum',
    ],
    ['a helper', 'function (k, v) { function add(a, b) { return a + b; } return v.reduce(add, 0); }', '_sum'],
    ['a helper called at once', 'function (k, v) { return (function (list) { return sum(list); })(v); }', '_sum'],
    [
      'an accumulator',
      'function (k, v) { return v.reduce(function (acc, x) { acc.t += x; return acc; }, { t: 0 }).t; }',
      '_sum',
    ],
    ['a default', adding('t += v || 0;'), '_sum'],
    ['a guard', adding("if (typeof v === 'number') t += v;"), '_sum'],
    ['Number()', adding('t += Number(v);'), '_sum'],
    ['what is subtracted twice', adding('t -= -v;'), '_sum'],
    ['a filter of falsy values', '(k, v) => sum(v.filter((x) => x))', '_sum'],
    ['the length', '(k, v, r) => r ? sum(v) : v.length', '_count'],
    ['the length of the keys', '(k, v, r) => r ? sum(v) : k.length', '_count'],
    ['ones', 'function (k, v, r) { var n = 0; for (var i in v) { n += r ? v[i] : 1; } return n; }', '_count'],
    ['null keys', 'function (k, v) { if (k) { return v.length; } return sum(v); }', '_count'],
  ])('%s', (_, source, builtin) => {
    const { claim } = read(source);
    expect(claim?.verdict === 'equal' ? claim.builtin : undefined).toBe(builtin);
  });

  test('lists of the greatest, from 3.5 on', () => {
    const source = '(k, v, r) => [Math.max.apply(null, r ? v.map((x) => x[0]) : v)]';
    expect(read(source, NUMBER, '3.5.0').claim).toMatchObject({ verdict: 'equal', builtin: '_top_1' });
    expect(read(source, NUMBER, '3.4.3').claim).toMatchObject({ verdict: 'equalAfterRewrite', builtin: '_stats' });
  });

  test('objects of sums, only where the map emits exactly their members', () => {
    const source = (/** @type {string} */ more) =>
      `function (k, v) { var r = { net: 0, tax: 0 }; v.forEach(function (x) { r.net += x.net; r.tax += x.tax; ${more} }); return r; }`;
    expect(read(source(''), PAIR).claim).toMatchObject({
      verdict: 'equal',
      builtin: '_sum',
      condition: 'every value is an object with a number in `net`, `tax`, and nothing else',
      holds: { isNumber: 'always' },
    });
    expect(read(source('r.net += 1;'), PAIR).claim).toBeUndefined();
    expect(read(source(''), NUMBER).claim).toBeUndefined();
  });
});

describe('the condition on the values', () => {
  test.each([
    [NUMBER, 'always', undefined],
    [ANY, 'if', 'doc.total'],
    ['function (doc) { emit(1, null); }', 'not', undefined],
    ['function (doc) { emit(1); }', 'not', undefined],
    ['function (doc) { emit(1, { total: 1 }); }', 'not', undefined],
  ])('of a sum over %s holds %s', (map, isNumber, field) => {
    expect(read('(k, v) => sum(v)', map).claim?.holds).toEqual({ isNumber, ...(field ? { field } : {}) });
  });

  test.each([NUMBER, ANY, 'function (doc) { emit(1, null); }', 'not a map'])(
    'of a count over %s always holds',
    (map) => {
      expect(read('(k, v, r) => r ? sum(v) : v.length', map).claim).toMatchObject({
        condition: 'any value',
        holds: { isNumber: 'always' },
      });
    },
  );

  test('of a count that reads the values is more than that they are there', () => {
    const source =
      'function (k, v, r) { if (r) return sum(v); var n = 0; v.forEach(function (x) { x.total; n++; }); return n; }';
    // It throws for null, and the answer is null.
    expect(read(source, ANY).claim?.verdict).not.toBe('equal');
    expect(read(source, NUMBER).claim).toMatchObject({ builtin: '_count', condition: 'every value is a number' });
  });
});

describe('a rewrite', () => {
  test.each([
    [
      'an average with its parts',
      '(k, v, r) => { let s = 0, n = 0; v.forEach((x) => { if (r) { s += x.s; n += x.n; } else { s += x; n++; } }); return { s, n, a: s / n }; }',
      '_stats',
      undefined,
      '{ s: value.sum, n: value.count, a: value.sum / value.count }',
    ],
    ['the greatest', '(k, v) => Math.max(...v)', '_stats', undefined, 'value.max'],
    ['two for each', '(k, v, r) => r ? sum(v) : v.length * 2', '_count', undefined, 'value * 2'],
    [
      'what passes a test',
      '(k, v, r) => r ? sum(v) : v.filter((x) => x > 9).length',
      '_sum',
      '(value > 9) ? 1 : 0',
      undefined,
    ],
    [
      'what is not null',
      '(k, v, r) => r ? sum(v) : v.filter((x) => x !== null).length',
      '_sum',
      'value != null ? 1 : 0',
      undefined,
    ],
    [
      'what is null',
      '(k, v, r) => r ? sum(v) : v.filter((x) => null === x).length',
      '_sum',
      'value == null ? 1 : 0',
      undefined,
    ],
    [
      'what is an object',
      "(k, v, r) => r ? sum(v) : v.filter((x) => typeof x === 'object').length",
      '_sum',
      "(value == null || typeof value === 'object') ? 1 : 0",
      undefined,
    ],
    [
      'what is no object',
      "(k, v, r) => r ? sum(v) : v.filter((x) => typeof x !== 'object').length",
      '_sum',
      "value != null && typeof value !== 'object' ? 1 : 0",
      undefined,
    ],
  ])('says what the map emits and what clients read of %s', (_, source, builtin, emitted, answer) => {
    const { claim } = read(source);
    expect([claim?.verdict, claim?.builtin, claim?.rewrite?.emitted, claim?.rewrite?.answer]).toEqual([
      'equalAfterRewrite',
      builtin,
      emitted,
      answer,
    ]);
    expect(claim?.rewrite?.changesShape).toBe(answer !== undefined);
  });

  test('takes two members of each value together', () => {
    const source = '(k, v, r) => r ? sum(v) : sum(v.map((x) => x.net + x.tax))';
    expect(read(source, PAIR).claim?.rewrite).toEqual({
      emitted: 'value.net + value.tax',
      text: 'the map emits `value.net + value.tax`, where `value` is what it emits now',
      changesShape: false,
    });
  });

  test.each(['() => null', '() => true', 'function () {}', 'function () { return; }', '() => ({})'])(
    'leaves the reduce %s to the keys',
    (source) => {
      expect(read(source).claim).toMatchObject({
        verdict: 'equalAfterRewrite',
        builtin: '_count',
        condition: 'any value',
      });
    },
  );
});

describe('no built-in is found where', () => {
  test.each([
    ['the second pass counts answers', '(k, v) => v.length'],
    [
      'the second pass reads other members',
      'function (k, v) { var r = { n: 0 }; v.forEach(function (x) { r.n += x.net; }); return r; }',
    ],
    ['the sum starts elsewhere', '(k, v) => v.reduce((a, b) => a + b, 1)'],
    ['a row is left out', 'function (k, v) { var t = 0; for (var i = 1; i < v.length; i++) t += v[i]; return t; }'],
    [
      'the end of the loop moves',
      'function (k, v) { var t = 0, n = v.length; for (var i = 0; i < n; i++) { t += v[i]; n = 3; } return t; }',
    ],
    [
      'the counter moves twice',
      'function (k, v) { var t = 0; for (var i = 0; i < v.length; i++) { t += v[i]; i++; } return t; }',
    ],
    [
      'the loop may end early',
      'function (k, v) { var t = 0; for (var i = 0; i < v.length; i++) { if (v[i] > 9) break; t += v[i]; } return t; }',
    ],
    [
      'the greatest starts at 0',
      'function (k, v) { var m = 0; v.forEach(function (x) { if (x > m) m = x; }); return m; }',
    ],
    ['sum means something else', 'function (k, v) { var sum = function (l) { return l.length; }; return sum(v); }'],
    [
      'a block declares another sum',
      'function (k, v) { if (true) { function sum(l) { return l.length; } } return sum(v); }',
    ],
    ['a name is used before it is there', '(k, v) => { { t; let t = 1; } return sum(v); }'],
    ['the loop hides a name', '(k, v) => { var x = 5; for (let x of v) { x; } return x; }'],
    [
      'a target counts',
      'function (k, v) { var r = [0, 0], i = 0; v.forEach(function (x) { r[i++] += x; }); return r[0]; }',
    ],
    [
      'a member of every object is tested',
      'function (k, v) { var r = {}; if (r.constructor) { return v.length; } return sum(v); }',
    ],
    [
      'strict mode forbids the name',
      "function (k, v) { 'use strict'; t = 0; v.forEach(function (x) { t += x; }); return t; }",
    ],
    ['text is run', "function (k, v) { eval('v = [1]'); return sum(v); }"],
    ['keys are read in both passes', '(k, v) => { k.length; return sum(v); }'],
    [
      'an object stands for two',
      'function (k, v) { var a = { n: 0 }; v.reduce(function (acc, x) { acc.n += x; return { n: 0 }; }, a); return a.n; }',
    ],
    ['the loop goes over something else', '(k, v) => { var t = 0; for (var i in [1, 2]) t += i; return sum(v) + t; }'],
    ['the answer is a text', "(k, v) => '' + sum(v)"],
    ['two rows are compared', '(k, v) => v[0] === v[1] ? 0 : sum(v)'],
    ['it divides by nothing', '(k, v, r) => r ? sum(v) : sum(v) / 0'],
    ['an async callback counts', 'function (k, v) { var t = 0; v.forEach(async function (x) { t += x; }); return t; }'],
  ])('%s', (_, source) => {
    const { claim } = read(source);
    expect(claim?.verdict === 'equal' ? claim.builtin : undefined).toBeUndefined();
  });

  test('a constant comes of it all the same', () => {
    expect(read('(k, v) => { var x = 5; for (let x of v) { x; } return x; }').claim).toMatchObject({
      verdict: 'equalAfterRewrite',
      form: { value: 5 },
    });
  });
});

test.each([
  ['(k, v) => v.length', 'the number of rows', '_count'],
  ['(k, v) => sum(v) / v.length', 'the sum of the values / the number of rows', '_stats'],
  ['(k, v) => k.length', 'the number of rows', '_count'],
])('what %s means is known though it is wrong', (source, text, builtin) => {
  const { claim, meaning } = read(source);
  expect(claim).toBeUndefined();
  expect([meaning?.text, meaning?.builtin]).toEqual([text, builtin]);
});

test('a form can be worked out by hand, and told', () => {
  const { claim } = read(
    '(k, v, r) => { var s = 0, n = 0, m; v.forEach((x) => { s += r ? x[0] : x; n += r ? x[1] : x > 2 ? 1 : 0; }); return [s, n]; }',
  );
  if (!claim) throw new Error('no claim');
  expect(evaluateForm(claim.form, [1, 5, 3.5])).toEqual([9.5, 2]);
  expect(describeForm(claim.form)).toBe('[the sum of the values, the sum of `(value > 2) ? 1 : 0` over the rows]');
});

describe('hostile texts are given up in good time', () => {
  test.each([
    ['doubling', `(k, v) => { var x = v[0]; ${'x = x + x;'.repeat(200)} return x; }`],
    ['nesting', `(k, v) => ${'-('.repeat(121)}sum(v)${')'.repeat(121)}`],
    ['many branches', `(k, v) => { var t = 0; ${'if (v[0] > 1) { t = 1; return 1; }'.repeat(60)} return t; }`],
    [
      'lists in lists',
      `(k, v) => { var a = [1, 1, 1, 1, 1, 1, 1, 1]; ${'a = [a, a, a, a, a, a, a, a];'.repeat(7)} return a; }`,
    ],
    ['itself', '(k, v) => { var a = {}; a.a = a; return a; }'],
    ['recursion', 'function f(k, v) { return f(k, v); }'],
    ['names of prototypes', "(k, v) => { var r = {}; r['__proto__'] = sum(v); r.constructor = 1; return r; }"],
  ])('%s', (_, source) => {
    expect(read(source).claim?.verdict).not.toBe('equal');
  });
});
