import { expect, test } from 'vitest';
import { FEATURES } from '../../lib/javascript/features.js';
import { listFeatures } from '../../lib/javascript/syntax.js';
import { parseFunction, resolveNames } from '../helpers/internals.js';

/** @param {string} text */
function featuresOf(text) {
  const parsed = parseFunction(text);
  if (!parsed.ok) throw new Error(parsed.message);
  return listFeatures(parsed, resolveNames(parsed.roots));
}

/** One body for each feature. @type {Record<keyof typeof FEATURES, string>} */
const EXAMPLES = {
  let: 'let price = 1;',
  const: 'const price = 1;',
  destructuring: 'var [price] = doc.prices;',
  'arrow function': 'emit(() => 1);',
  class: 'class Order {}',
  'template literal': 'emit(`order`);',
  'for-of loop': 'for (var line of doc.lines) emit(line);',
  'default parameter': 'function tax(rate = 19) {}',
  'rest parameter': 'function total(...prices) {}',
  'default value in a pattern': 'var { price = 1 } = doc;',
  'rest in a pattern': 'var [first, ...others] = doc.lines;',
  spread: 'emit(Math.max(...doc.prices));',
  'shorthand property': 'emit({ doc });',
  'method shorthand': 'emit({ price() {} });',
  'computed property name': 'emit({ [doc._id]: 1 });',
  'generator function': 'function* lines() {}',
  'octal or binary number': 'emit(0o17);',
  'code point escape': "emit('\\u{1F600}');",
  'new.target': 'emit(new.target);',
  'regular expression flag u': 'emit(/a/u);',
  'regular expression flag y': 'emit(/a/y);',
  'exponent operator': 'emit(2 ** 3);',
  'exponent of a signed number': 'emit((-2) ** 2);',
  'async function': 'emit(async function () {});',
  'trailing comma in a call or in parameters': 'emit(doc._id /* , */ ,);',
  'object spread': 'emit({ ...doc });',
  'object rest': 'var { _rev, ...others } = doc;',
  'async iteration': 'emit(async function* () {});',
  'regular expression flag s': 'emit(/a/s);',
  'Unicode property escape': 'emit(/\\p{L}/u);',
  lookbehind: 'emit(/(?<!a)b/);',
  'named group': 'emit(/(?<year>[0-9]+)/);',
  'catch without a parameter': 'try { emit(1); } catch {}',
  'line separator in a string': "emit('\u2028');",
  'optional chaining': 'emit(doc?.price);',
  'nullish coalescing': 'emit(doc.price ?? 0);',
  BigInt: 'emit(1n);',
  'dynamic import': "import('tax');",
  'logical assignment': 'doc.price ||= 1;',
  'numeric separator': 'emit(1_000);',
  'class field': 'class Order { price = 1 }',
  'private name': 'class Order { #price() {} }',
  'static block': 'class Order { static {} }',
  'regular expression flag d': 'emit(/a/d);',
  'regular expression flag v': 'emit(/a/v);',
  'regular expression modifiers': 'emit(/(?i:a)/);',
  'using declaration': '{ using order = doc; }',
};

test.each(Object.entries(EXAMPLES))('%s in %s', (feature, body) => {
  const text = `function (doc) { ${body} }`;
  expect(featuresOf(text).map((use) => use.feature)).toContain(feature);
});

test.each([
  'function (doc) { var total = 0; for (var i in doc.lines) { total += doc.lines[i].price; } emit(doc._id, total); }',
  'function (doc) { emit({ get price() { return 1; }, "tax": 2, default: 3 }); }',
  'function (doc) { if (/[(?<a>)]|\\(?<b>|\\p{L}/gim.test(doc._id)) emit([1, 2, ], { a: 1, }); }',
  "function (doc) { emit('\\\\u{41}', 017, 0x1F, 1e3, '\\u0041', \"a_b\"); }",
  'function (doc) { Math.max((1, 2) /* , */); (function (a, b) {})(1, /* , */ 2); }',
  'function (doc) { a: for (;;) { break a; } try {} catch (e) {} finally {} }',
])('%s is ES5', (text) => {
  expect(featuresOf(text)).toEqual([]);
});

test('a feature stands where it is used', () => {
  const text = 'function (doc) { emit(doc._id, { ...doc, total: 1 }); }';
  expect(featuresOf(text)).toEqual([{ feature: 'object spread', start: 33, end: 39 }]);
  expect(text.slice(33, 39)).toBe('...doc');
});
