import { describe, expect, test } from 'vitest';
import { runPass } from '../../lib/proof/run-pass.js';
import { parseFunction, randomFrom } from '../helpers/internals.js';
import { sample, turns } from '../helpers/long.js';
import { withMutatedProgram } from '../helpers/mutated-program.js';
import { addTypes, nodeTypes } from '../helpers/node-types.js';
import { randomReducer } from '../helpers/random-reducers.js';
import { contradiction, readReduce } from '../helpers/reduce-oracle.js';

const TARGET = '3.5.0';
const NUMBER = "function (doc) { if (typeof doc.total === 'number') emit(1, doc.total); }";
const MAPS = [NUMBER, 'function (doc) { emit(1, doc.total); }', 'function (doc) { emit(1, null); }'];

/** @param {string} source @returns {ReturnType<typeof runPass>} */
function firstPass(source) {
  const tree = parseFunction(source);
  if (!tree.ok || !tree.fn) throw new Error(`no function: ${source}`);
  return runPass(tree.fn, false);
}

/** @param {string} body @param {string} [more] @returns {string} */
const summing = (body, more = '') =>
  `function (keys, values, r) { var t = 0; values.forEach(function (v) { t += v; }); ${body} return t; ${more} }`;
/** @param {string} body @returns {string} */
const looping = (body) =>
  `function (keys, values, r) { var t = 0; all: for (var i = 0; i < values.length; i++) { ${body} } return t; }`;

describe('each completion goes where ECMAScript has it', () => {
  test.each([
    ['break leaves a labelled block', summing('a: { break a; t = 0; }')],
    ['break leaves a labelled if', summing('a: if (values.length > 1) { break a; }')],
    ['break leaves a labelled try', summing('a: try { break a; } finally { r = 1; }')],
    ['break leaves a labelled switch', summing('a: switch (t) { default: break a; case 1: }')],
    ['break leaves the outer of two labels', summing('a: b: { break a; } ')],
    ['break leaves a switch alone', summing('switch (1) { case 1: break; default: t = 0; }')],
    ['a case falls through', summing('t = 0; switch (r) { case true: case false: t = sum(values); default: t += 0; }')],
    [
      'default in the middle falls through',
      summing('var x = 0; switch (9) { default: x = 1; case 1: x += 1; } t += x - 2;'),
    ],
    ['continue names its loop', looping('t += values[i]; continue all;')],
    [
      'continue inside switch goes on with the loop',
      looping('switch (r) { case 3: t = 0; continue; } t += values[i];'),
    ],
    ['continue inside try runs finally', looping('try { continue; } finally { t += values[i]; }')],
    ['continue of an outer loop leaves the inner', looping('for (var a of [1, 2]) { t += values[i]; continue all; }')],
    ['finally runs behind return, and its return counts', summing('try { return 1; } finally { return t; }')],
    ['finally runs behind throw, and its return counts', summing('try { throw 1; } finally { return t; }')],
    ['finally runs behind break', summing('var x = 5; a: try { break a; } finally { x = 0; } t += x;')],
    ['finally leaves what was returned', summing('try { return t; } finally { t = 0; }')],
    ['finally replaces a throw by a break', summing('a: try { throw 1; } finally { break a; }')],
    ['catch gets what is thrown', summing('try { throw 0; } catch (e) { t += e; }')],
    [
      'what throws in catch runs finally',
      summing('try { try { throw 1; } catch (e) { throw 2; } finally { r = 0; } } catch (e) { r = e; }'),
    ],
    ['a try inside a try', summing('try { try { throw 1; } finally { r = 1; } } catch { r = 2; }')],
    [
      'a return in a callback ends the callback',
      'function (k, values) { var t = 0; values.forEach(function (v) { try { return; } finally { t += v; } }); return t; }',
    ],
  ])('%s', async (_, source) => {
    const claim = readReduce(source, NUMBER, TARGET);
    expect(claim?.builtin).toBe('_sum');
    expect(claim && (await contradiction(source, claim, 3))).toBeUndefined();
  });

  test.each([
    ['break leaves a loop over the rows', looping('if (i > 2) break; t += values[i];')],
    ['break with a label leaves a loop over the rows', looping('if (values[i] > 2) break all; t += values[i];')],
    ['return leaves a loop over the rows', looping('if (values[i] > 2) return t; t += values[i];')],
    ['throw leaves a loop over the rows', looping('if (values[i] > 2) throw 1; t += values[i];')],
    ['throw leaves the function', summing("if (values.length > 2) throw new Error('many');")],
    ['finally returns something else', summing('try { return t; } finally { return 1; }')],
    ['finally changes what is returned behind it', summing('try { t += 1; } finally { t += 1; }')],
    ['finally throws', summing('try { return t; } finally { throw 1; }')],
    ['finally breaks out of a return', summing('a: try { return t; } finally { break a; } t = 1;')],
    ['a case is left out', summing('switch (r) { case false: t = 0; }')],
    ['a name is used before it is there', summing('t += x; let x = 0;')],
    ['a constant is assigned to', summing('const x = 0; x = 1;')],
    ["CouchDB's QuickJS breaks out of the block alone", looping('t += values[i]; a: { break; }')],
    [
      "CouchDB's QuickJS knows one label of a loop",
      'function (k, values) { var t = 0; a: b: for (var v of values) { t += v; continue a; } return t; }',
    ],
    [
      'one row is no number',
      'function (k, values) { var t = values.map(function () { return null; }).reduce(function (a, b) { return a + b; }); return values.length > 1 ? 0 : t; }',
    ],
    ['a value that is converted runs code', summing('+{ valueOf: function () { t = 0; } };')],
    ['JSON runs code', summing('JSON.stringify(1, function () { t = 0; });')],
    ['a static block runs', summing('(class { static { t = 0; } });')],
    ['a tag runs', summing('(function () { t = 0; })``;')],
    ['a parameter is another name of arguments', 'function (k, values) { values = 1; return sum(arguments[1]); }'],
  ])('nothing is claimed where %s', (_, source) => {
    expect(readReduce(source, NUMBER, TARGET)?.verdict).not.toBe('equal');
  });
});

/** Nodes that no random program has: a reduce with each is unknown, or none can hold it. @type {Record<string, string>} */
const UNKNOWN = {
  AwaitExpression: summing('(async function () { await 1; })();'),
  ChainExpression: summing('values?.length;'),
  ClassDeclaration: summing('class A {}'),
  ClassBody: summing('class A {}'),
  DebuggerStatement: summing('debugger;'),
  ImportExpression: summing("import('x');"),
  MetaProperty: summing('new.target;'),
  MethodDefinition: summing('(class { a() {} });'),
  NewExpression: summing('new Date();'),
  PrivateIdentifier: summing('(class { #a = 1; });'),
  PropertyDefinition: summing('(class { a = 1; });'),
  StaticBlock: summing('(class { static { t = 0; } });'),
  Super: summing('({ a() { super.b; } }).a();'),
  TaggedTemplateExpression: summing('values``;'),
  ThisExpression: summing('this;'),
  WithStatement: summing('with (values) { t = 0; }'),
  YieldExpression: summing('(function* () { yield 1; })();'),
};
/** They stand only in modules, which a reduce is not, or around all of the text. */
const OUTSIDE = /^(Export|Import(?!Expression))|^Program$/;

describe('each type of node', () => {
  test('is in random programs, or is unknown', () => {
    const drawn = new Set(['ParenthesizedExpression']);
    const random = randomFrom(1);
    for (let at = 0; at < 600; at++) {
      const tree = parseFunction(`(${randomReducer(random)})`);
      if (tree.ok) addTypes(tree.roots, drawn);
    }
    const missing = nodeTypes().filter(
      (type) => !drawn.has(type) && !OUTSIDE.test(type) && !Object.hasOwn(UNKNOWN, type),
    );
    expect(missing).toEqual([]);
  });

  test.each(Object.entries(UNKNOWN))('that cannot be followed makes a reduce unknown: %s', (type, source) => {
    const tree = parseFunction(source);
    const found = new Set();
    if (tree.ok) addTypes(tree.roots, found);
    expect([...found]).toContain(type);
    expect(firstPass(source)).toHaveProperty('bailout');
  });
});

/** Random programs within which each mutant must be caught. */
const WITHIN = 5000;
const ON_NORMAL = "(plain.kind === 'normal' ? next(plain.state) : plain)";
/** What an evaluator does that drops one completion: what comes behind it is run all the same; or not at all, where it is the normal one. */
const DROPPED = ['break', 'continue', 'return', 'throw'].map((kind) => {
  return /** @type {[string, string]} */ ([
    kind,
    `(/^(normal|${kind})$/.test(plain.kind) ? next(plain.state) : plain)`,
  ]);
});
DROPPED.push(['normal', "(plain.kind === 'normal' && completion.kind !== 'choice' ? next(plain.state) : plain)"]);

describe('an evaluator that drops a completion is caught', () => {
  test.each(sample(DROPPED, 1))('%s', async (_, other) => {
    const caught = await withMutatedProgram('lib/proof/run-completions.js', [ON_NORMAL, other], async (load) => {
      const [{ runPass: run }, { claimOf }] = [await load('lib/proof/run-pass.js'), await load('lib/proof/claims.js')];
      const random = randomFrom(1);
      for (let at = 0; at < WITHIN; at++) {
        const source = randomReducer(random);
        const claim = readReduce(source, random.pick(MAPS), TARGET, { runPass: run, claimOf });
        const found = claim && (await contradiction(source, claim, at));
        if (found) return { at, source, found };
      }
      return undefined;
    });
    expect(caught).toBeDefined();
  });
});

/** Programs for each seed: other seeds were run in greater numbers. */
const COUNT = turns({ short: 120, long: 800 });

describe('no random program contradicts what was read in it', () => {
  test.each(sample([1, 2, 3], 1))('of seed %s', async (seed) => {
    const random = randomFrom(seed);
    let read = 0;
    for (let at = 0; at < COUNT; at++) {
      const [source, map] = [randomReducer(random), random.pick(MAPS)];
      const claim = readReduce(source, map, TARGET);
      if (!claim) continue;
      read++;
      expect([source, await contradiction(source, claim, at)]).toEqual([source, undefined]);
    }
    expect(read).toBeGreaterThan(COUNT / 20);
  });
});
