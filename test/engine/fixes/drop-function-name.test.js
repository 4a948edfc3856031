import { expect, test } from 'vitest';
import { fixedText, fixFunctions } from '../../helpers/fixed.js';

/** What is reported, and what it becomes; undefined where it is left as it is. @type {[string, string | undefined][]} */
const FUNCTIONS = [
  ['function map(doc) { emit("a\\n", doc._id); }', 'function (doc) { emit("a\\n", doc._id); }'],
  ['/* "a" */ function map(doc) { emit("b"); }', '/* "a" */ function (doc) { emit("b"); }'],
  ['// orders\nfunction map (doc) { emit(1); };', '// orders\nfunction  (doc) { emit(1); };'],
  ['function map(doc) { if (doc.next) map(doc.next); }', '(function map(doc) { if (doc.next) map(doc.next); })'],
  ['function\nmap(doc) { emit(1); }', '(function\nmap(doc) { emit(1); })'],
  ['function map(doc) { emit(tax()); }\nfunction tax() {}', undefined],
  ['function (doc) { emit(tax()); } function tax() {}', undefined],
  ['function map(doc) {} function all() { map(); }', undefined],
  ['function (doc) { emit(1); } if (x) a', undefined],
  ['function map(doc { }', undefined],
];

test('the name of a function goes, and nothing else', async () => {
  const results = await fixFunctions(
    'drop-function-name',
    'map',
    FUNCTIONS.map(([source]) => source),
  );
  expect(results).toEqual(FUNCTIONS.map(([, after]) => ({ isReported: true, after })));
});

/** @param {string} map @param {string} [before] @returns {string} a module with one view */
const module = (map, before = '') =>
  `${before}module.exports = { _id: '_design/orders', views: { all: { map: ${map} } } };`;

test.each([
  [module("'function map(doc) { map(doc); }'"), module("'(function map(doc) { map(doc); })'")],
  [module('(function map(doc) { emit(1); }).toString()'), module('(function (doc) { emit(1); }).toString()')],
  [module('(function map(doc) { map(doc); }).toString()'), undefined],
  [module('map.toString()', 'function map(doc) { emit(1); } '), undefined],
  // What sends the function may leave out its name.
  [module('function map(doc) { emit(1); }'), undefined],
])('in a module %s becomes %s', async (before, after) => {
  expect(await fixedText('drop-function-name', before, 'orders.js')).toBe(after);
});
