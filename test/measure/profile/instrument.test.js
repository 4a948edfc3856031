// Probes change nothing of what a function does, and count what it does.

import { afterAll, describe, expect, test } from 'vitest';
import { makeFigures, readNotes } from '../../../lib/measure/profile/figures.js';
import { instrument } from '../../../lib/measure/profile/instrument.js';
import { lineFinder } from '../../../lib/measure/profile/source-texts.js';
import { openSandbox } from '../../helpers/internals.js';
import { FunctionWriter, randomDocument, randomOf } from '../../helpers/random-functions.js';

/** @import { Instrumented } from '../../../lib/measure/profile/instrument.js' */

const sandbox = openSandbox();
afterAll(() => sandbox.close());

const order = { isTimed: false, rounds: 1, spendMs: 0, mostMs: 10_000, warmUp: 0, keepCharacters: 1e6 };

/**
 * @param {string} source
 * @param {unknown[]} docs
 */
async function runBoth(source, docs) {
  const made = instrument([{ name: 'map', text: source, isModule: false }], 'map');
  if ('fault' in made) throw new Error(made.fault);
  const inputs = docs.map((doc) => JSON.stringify(doc));
  const limits = { callSteps: 20_000_000, jobSteps: 200_000_000 };
  const run = async (/** @type {{source: string, prefix?: string}} */ given) => {
    const figures = await sandbox.profile({ kind: 'map', ...given, inputs, order, limits });
    if ('error' in figures) throw new Error(figures.error.message);
    return figures;
  };
  const plain = await run({ source });
  const probed = await run({ source: String(made.texts[0]), prefix: made.prefix });
  const { watched: _, ...outcome } = probed;
  const { watched: __, ...due } = plain;
  return { outcome, due, made, watched: probed.watched.flat() };
}

/**
 * @param {string} source
 * @param {{made: Instrumented, watched: string[]}} run
 */
function figuresOf(source, { made, watched }) {
  return makeFigures(readNotes(watched), [], made, { lineOf: lineFinder([source]), runNs: 0 });
}

/** Functions whose text is easily broken by putting something in. @type {[string, string][]} */
const tricky = [
  ['nothing in it', 'function (doc) {}'],
  ['a directive alone', 'function (doc) { "use strict" }'],
  [
    'a directive and no semicolons',
    'function (doc) {\n"use strict"\nvar a = 1\nemit(a, (function () { return this === undefined })())\n}',
  ],
  ['if and else without braces', 'function (doc) { if (doc.a) emit(1); else if (doc.b) emit(2)\nelse emit(3) }'],
  [
    'loops without braces',
    'function (doc) { var n = 0; for (var i = 0; i < 3; i++) n += i; while (n < 9) n++; do n--; while (n > 4); emit(n) }',
  ],
  ['loops without a body', 'function (doc) { var i = 0; for (; i < 5; i++); while (i++ < 8); emit(i) }'],
  ['a loop without anything', 'function (doc) { var i = 0; for (;;) { if (i++ > 3) break; } emit(i) }'],
  ['for in and for of', 'function (doc) { for (var k in { a: 1, b: 2 }) emit(k); for (const v of [1, 2]) emit(v) }'],
  [
    'closures over a loop variable',
    'function (doc) { var f = []; for (let i = 0; i < 3; i++) f.push(function () { return i }); f.forEach(function (g) { emit(g()) }) }',
  ],
  [
    'labels',
    'function (doc) { outer: for (var i = 0; i < 3; i++) { for (var j = 0; j < 3; j++) { if (j === 1) continue outer; if (i === 2) break outer; emit([i, j]) } } }',
  ],
  ['a label on a block', 'function (doc) { block: { if (doc.a) break block; emit(1) } emit(2) }'],
  [
    'switch with falling through',
    'function (doc) { switch (doc.a) { case 1: emit(1); case 2: emit(2); break; default: emit(3) } }',
  ],
  [
    'try, catch, finally',
    'function (doc) { try { if (doc.a) throw new Error("x"); emit(1) } catch (e) { emit(e.message) } finally { emit(2) } }',
  ],
  ['a throw that goes out', 'function (doc) { function f() { throw new Error("deep") } if (doc.a) f(); emit(1) }'],
  [
    'functions that are used before they are written',
    'function (doc) { emit(f(2)); function f(n) { return n < 1 ? 0 : n + f(n - 1) } }',
  ],
  ['a function of a block', 'function (doc) { if (doc.a) { function g() { return 1 } emit(g()) } emit(typeof g) }'],
  ['arrows', 'doc => [1, 2].map(x => ({ x })).forEach(o => emit(o.x, ((a, b) => a + b)(o.x, 1)))'],
  ['a comma and a condition', 'function (doc) { emit((1, doc.a ? doc.b ? 1 : 2 : (3, 4))) }'],
  [
    'the right sides of && and ||',
    'function (doc) { doc.a && emit(1); doc.b || emit(2); emit(doc.c ?? doc.d?.e ?? "none") }',
  ],
  [
    'arguments and defaults',
    'function (doc) { function f(a = 1, ...b) { return [a, b.length, arguments.length] } emit(f(), f(2, 3, 4)) }',
  ],
  [
    'getters, methods and classes',
    'function (doc) { class A { constructor(n) { this.n = n } get two() { return this.n * 2 } static of(n) { return new A(n) } } class B extends A { constructor() { super(4); this.m = 1 } } emit(A.of(3).two, new B().two + { get x() { return 1 } }.x) }',
  ],
  ['generators', 'function (doc) { function* g() { yield 1; yield 2 } for (var v of g()) emit(v) }'],
  ['regular expressions and templates', 'function (doc) { emit(`${doc.a ? `x${1}` : /}{/.test("}{")}`) }'],
  [
    'no semicolons',
    'function (doc) {\n  var a = 1\n  var b = a\n  ++b\n  emit(a, b)\n  ;[1].forEach(function (x) { emit(x) })\n}',
  ],
  ['with', 'function (doc) { with ({ inner: 3 }) emit(inner) }'],
  ['its own text', 'function (doc) { emit(typeof doc, arguments.length) }'],
  ['a name', 'function map(doc) { emit(typeof map) }'],
  ['parentheses', '(function (doc) { emit(1) })'],
  ['code before it', 'var rate = 3 || 4; (function (doc) { emit(rate) })'],
  ['code behind it', 'function (doc) { emit(helper()) }\nfunction helper() { return 5 }'],
  ['names like those of the probes', 'function (doc) { var __profilep = 1; emit(__profilep, typeof __profilee) }'],
  ['comments at the ends', 'function (doc) { // first\n emit(1) /* last */ }// end'],
  ['var and a function of one name', 'function (doc) { emit(typeof f); var f = 1; function f() {} emit(typeof f) }'],
  ['a delete and a void', 'function (doc) { var o = { a: 1 }; delete o.a; emit(void 0, "a" in o) }'],
  [
    'new and calls of members',
    'function (doc) { function P(n) { if (!(this instanceof P)) return new P(n); this.n = n } emit(P(3).n, (doc.a || {}).toString()) }',
  ],
];

describe('a function with', () => {
  test.each(tricky)('%s does the same', async (_, source) => {
    const { outcome, due } = await runBoth(source, [{ _id: 'a' }, { _id: 'b', a: 1 }, { _id: 'c', a: 2, b: 3 }]);
    expect(outcome).toEqual(due);
  });
});

test('functions made at random do the same', async () => {
  for (let seed = 1; seed <= 60; seed += 1) {
    const random = randomOf(seed);
    const source = new FunctionWriter(random).map().replaceAll('/*tick*/', '');
    const { outcome, due } = await runBoth(
      source,
      Array.from({ length: 6 }, () => randomDocument(random)),
    );
    expect(outcome, source).toEqual(due);
  }
});

test('lines, functions and operations are counted', async () => {
  const source = `function (doc) {
  var total = 0;
  for (var i = 0; i < doc.lines.length; i++) {
    total += price(doc.lines[i]);
  }
  if (total > 5) emit(doc._id, total);
  function price(line) {
    return line.free ? 0 : line.price * line.count;
  }
}`;
  const docs = [
    { _id: 'a', lines: [{ price: 2, count: 3 }, { free: true }] },
    { _id: 'b', lines: [{ price: 1, count: 1 }] },
  ];
  const { functions, lines, operations, calls } = figuresOf(source, await runBoth(source, docs));
  expect(functions.map(({ name, line, calls: times }) => [name, line, times])).toEqual([
    ['map', 1, 2],
    ['price', 7, 3],
  ]);
  expect(Object.fromEntries(lines.map(({ line, times }) => [line, times]))).toEqual({ 2: 2, 3: 5, 4: 3, 6: 2, 8: 3 });
  // Line 8: `line.free` and the choice each time; price, count and their product where it is not free.
  expect(lines.find(({ line }) => line === 8)?.operations).toBe(3 * 2 + 2 * 3);
  expect(operations).toBe(lines.reduce((sum, line) => sum + line.operations, 0));
  expect(calls).toMatchObject([{ name: 'map', callees: [{ name: 'price', calls: 3 }] }]);
});

test('a function that calls itself is one frame, and two that call each other end somewhere', async () => {
  const source =
    'function (doc) { function down(n) { if (n > 0) down(n - 1) } function a(n) { if (n > 0) b(n - 1) } function b(n) { if (n > 0) a(n - 1) } down(50); a(400); emit(1) }';
  const { functions, calls } = figuresOf(source, await runBoth(source, [{ _id: 'a' }]));
  expect(Object.fromEntries(functions.map(({ name, calls: times }) => [name, times]))).toMatchObject({ down: 51 });
  expect(functions.reduce((sum, { calls: times }) => sum + times, 0)).toBe(1 + 51 + 401);
  expect(calls[0]?.callees.find(({ name }) => name === 'down')?.callees).toEqual([]);
});

test.each([
  ['what does not parse', 'function (doc) { emit( }', 'Unexpected token'],
  ['no function', '1 + 1', 'the source is not a function'],
  [
    'code nested too deeply',
    `function (doc) { emit(${'['.repeat(20_000)}${']'.repeat(20_000)}) }`,
    'nested too deeply',
  ],
])('%s is told', (_, text, told) => {
  expect(instrument([{ name: 'map', text, isModule: false }], 'map')).toMatchObject({
    fault: expect.stringContaining(told),
  });
});
