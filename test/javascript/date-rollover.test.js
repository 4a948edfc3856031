import { expect, test } from 'vitest';
import { listRollovers } from '../../lib/javascript/date-rollover.js';
import { readEffects } from '../../lib/javascript/effects.js';
import { parseFunction, resolveNames } from '../helpers/internals.js';

test.each([
  ['the month before the day', 'd.setUTCMonth(m); d.setUTCDate(n);', ['d.setUTCMonth(m)']],
  ['local parts', 'd.setMonth(m); d.setDate(n);', ['d.setMonth(m)']],
  ['the day before the month', 'd.setUTCDate(n); d.setUTCMonth(m);', ['d.setUTCDate(n)']],
  ['a month of 30 days', 'd.setUTCMonth(5); d.setUTCDate(n);', ['d.setUTCMonth(5)']],
  ['a month of 31 days', 'd.setUTCMonth(11); d.setUTCDate(n);', []],
  ['the first day before the month', 'd.setUTCDate(1); d.setUTCMonth(m);', []],
  ['the first day before both', 'd.setUTCDate(1); d.setUTCMonth(m); d.setUTCDate(n);', []],
  ['both at once', 'd.setUTCMonth(m, n);', []],
  ['all at once', 'd.setUTCFullYear(y, m, n);', []],
  ['the month once more', 'd.setUTCMonth(m); d.setUTCDate(n); d.setUTCMonth(m);', []],
  ['the time as a whole', 'd.setTime(0); d.setUTCMonth(m); d.setUTCDate(n);', []],
  ['the month alone', 'd.setUTCMonth(m);', []],
  ['on different branches', 'if (m) { d.setUTCMonth(m); } else { d.setUTCDate(n); }', []],
  ['a date that another function may have changed', 'first(d); d.setUTCMonth(m); d.setUTCDate(n);', []],
  ['in a callback', 'doc.lines.forEach(function () { d.setUTCMonth(m); d.setUTCDate(n); });', []],
])('finds what can roll over: %s', (_, body, expected) => {
  const text = `function (doc) { var y = doc.y, m = doc.m, n = doc.n, d = new Date(); ${body} d.setUTCFullYear(y); emit(d, null); }`;
  const tree = parseFunction(text);
  if (!tree.ok) throw new Error(text);
  const names = resolveNames(tree.roots);
  const found = listRollovers(names, readEffects(tree, names).moments);
  expect(found.map(({ setter: { start, end } }) => text.slice(start, end))).toEqual(expected);
});

test.each([
  ['starts at a fixed moment', 'new Date(0); d.setUTCFullYear(doc.y);'],
  ['keeps the year of the clock', 'new Date();'],
])('finds none in a date that %s', (_, start) => {
  const tree = parseFunction(`function (doc) { var d = ${start} d.setUTCMonth(doc.m); d.setUTCDate(doc.n); emit(d); }`);
  if (!tree.ok) throw new Error('a function');
  const names = resolveNames(tree.roots);
  expect(listRollovers(names, readEffects(tree, names).moments)).toEqual([]);
});
