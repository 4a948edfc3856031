import { expect, test } from 'vitest';
import { factsOf } from '../../helpers/function-facts.js';

/** @import { EngineName } from '../../../lib/javascript/engines.js' */

const SPREAD = 'function (doc) { emit(doc._id, { ...doc }); emit({ ...doc }); }';

test('a thing that engines lack is one item, with its engines, first place and count', () => {
  const [item, ...others] = factsOf(SPREAD).list('function.engineFailures');
  expect(others).toEqual([]);
  expect(item).toMatchObject({
    value: 'object spread (SpiderMonkey 60, 78, 91+)',
    start: 33,
    end: 39,
    detail: { feature: 'object spread', effect: 'rejected at save', count: 2 },
  });
  expect(item?.place).toMatchObject({ file: 'ddocs/orders.json', line: 1 });
});

test.each(
  /** @type {[string, string, EngineName | undefined, boolean[]][]} */ ([
    ['emit(doc._id)', '3.5.2', undefined, [false, false]],
    ['emit({ ...doc })', '3.5.2', undefined, [false, true]],
    ['emit({ ...doc })', '3.5.2', 'quickjs', [false, false]],
    ['emit({ ...doc })', '3.5.2', 'spidermonkey-91', [true, true]],
    ['emit({ ...doc })', '3.3.3', undefined, [true, true]],
    ['let price = 1', '2.3.1', undefined, [true, true]],
    ['const tax = 2', '2.3.1', undefined, [false, false]],
    ['var f = () => 1', '3.5.2', undefined, [false, false]],
    ['var f = () => 1', '3.3.3', undefined, [false, true]],
    ['var f = () => 1', '2.3.1', undefined, [true, true]],
    ['for each (var line in doc.lines) emit(line)', '3.5.2', undefined, [true, true]],
    ['for each (var line in doc.lines) emit(line)', '2.3.1', undefined, [false, false]],
    ['emit(RegExp.$1)', '3.5.2', 'quickjs', [false, false]],
    ['(function () { emit(new XML(doc.page)); })()', '3.5.2', undefined, [true, true]],
    ['(function () { emit(new XML(doc.page)); })()', '2.3.1', undefined, [false, false]],
    ['try { emit(new XML(doc.page)); } catch (e) { emit(null); }', '3.5.2', undefined, [true, true]],
    ['try { emit(new XML(doc.page)); } catch (e) { emit(null); }', '3.3.3', undefined, [false, false]],
    ['try { emit(uneval(doc)); } catch (e) { emit(null); }', '3.5.2', undefined, [false, false]],
    ['try { emit(uneval(doc)); } catch (e) { emit(null); }', '3.5.2', 'quickjs', [true, true]],
    ['try { emit(uneval(doc)); } catch (e) {}', '3.5.2', undefined, [false, true]],
  ]),
)('%s on CouchDB %s with %s', (body, version, engine, expected) => {
  const { value } = factsOf(`function (doc) { ${body}; }`, 'map', {}, { version, engine });
  const ids = ['failsOnEveryEngine', 'failsOnSomeEngine'];
  expect(ids.map((id) => value(`function.${id}`))).toEqual(expected);
});

test('a use whose `catch` gives another result says so', () => {
  expect(
    factsOf('function (doc) { try { emit(new XML(doc.page)); } catch (e) { emit(null); } }').items(
      'function.engineFailures',
    ),
  ).toEqual(['`XML`, so that the `catch` always runs (SpiderMonkey 60, 78, 91+ and QuickJS)']);
});

test('the language of the document may name the engine', () => {
  const on = (/** @type {string} */ language) =>
    factsOf(SPREAD, 'map', { language }).value('function.failsOnSomeEngine');
  expect(on('javascript_quickjs')).toBe(false);
  expect(on('javascript_spidermonkey')).toBe(true);
  const prices = 'function (doc) { emit(doc.name.localeCompare("a")); }';
  const target = { version: '3.5.2', engine: /** @type {const} */ ('quickjs') };
  const fails = (/** @type {string} */ language) =>
    factsOf(prices, 'map', { language }, target).value('function.failsOnSomeEngine');
  expect([fails('javascript'), fails('javascript_spidermonkey')]).toEqual([true, false]);
});

test.each([
  ['function (doc) { emit(1); }', false],
  ['function map(doc) { emit(1); }', true],
  ['(function map(doc) { emit(1); })', false],
  ['function map(doc) { emit(tax()); } function tax() {}', true],
  ['function (doc) { emit(tax()); } function tax() {}', false],
  ['function (doc) { emit(1); } var tax = 19;', false],
])('the name blocks the compilation of %s: %s', (text, expected) => {
  expect(factsOf(text).value('function.nameBlocksCompilation')).toBe(expected);
});

test('SpiderMonkey 1.8.5 takes no name either', () => {
  const { value } = factsOf('function map(doc) { emit(1); }', 'map', {}, { version: '2.3.1' });
  expect(value('function.nameBlocksCompilation')).toBe(true);
});

test('a syntax error fails everywhere, and nothing else is told of it', () => {
  const { items, value } = factsOf('function (doc) { emit(doc._id; }');
  expect(items('function.engineFailures')).toEqual(['a syntax error (SpiderMonkey 60, 78, 91+ and QuickJS)']);
  expect(value('function.failsOnEveryEngine')).toBe(true);
  expect(value('function.nameBlocksCompilation')).toBe(false);
});

test('what is nested too deeply to be read is unknown', () => {
  const deep = 50_000;
  const { fact } = factsOf(`function (doc) { emit(${'('.repeat(deep)}1${')'.repeat(deep)}); }`);
  expect(fact('function.failsOnEveryEngine')).toEqual({ unknown: 'the function is nested too deeply to be analyzed' });
});

test('what couchdb-lucene runs is not judged by the engines of CouchDB', () => {
  const { fact } = factsOf('function (doc) { return { ...doc }; }', 'lucene');
  expect(fact('function.failsOnSomeEngine')).toEqual({ unknown: 'couchdb-lucene runs it, in a different engine' });
});
