// Each type of node that acorn can return is in the random maps of the oracle, or what comes from it is unknown.

import { describe, expect, test } from 'vitest';
import { emittedValues, parseFunction } from '../helpers/internals.js';
import { randomMapCase } from '../helpers/map-oracle.js';
import { addTypes, nodeTypes } from '../helpers/node-types.js';

/** @param {string} value @param {string} [before] @returns {string} */
const emitting = (value, before = '') => `function (doc) { ${before} emit(1, ${value}); }`;

/** Maps with the nodes that no random map has: none of their values is certain to be a number. @type {Record<string, string>} */
const UNKNOWN = {
  AwaitExpression: emitting('f()', 'async function f() { return await 1; }'),
  ImportExpression: emitting("import('x')"),
  MetaProperty: emitting('new.target'),
  PrivateIdentifier: emitting('new A().read()', 'class A { #a = 1; read() { return this.#a; } }'),
  PropertyDefinition: emitting('new A().a', 'class A { a = 1; }'),
  Super: emitting('({ a() { return super.b; } }).a()'),
  ThisExpression: emitting('this'),
  WithStatement: emitting('x', 'var x = 1; with (doc) { x = 1; }'),
  YieldExpression: emitting('f().next().value', 'function* f() { yield 1; }'),
};

/** Nodes that do nothing to a value. @type {Record<string, string>} */
const WITHOUT_EFFECT = {
  DebuggerStatement: emitting('x', 'var x = 1; debugger;'),
  EmptyStatement: emitting('x', 'var x = 1; ;'),
  ParenthesizedExpression: emitting('(((1)))'),
};

/** They stand only in modules, which a map is not, or around all of the text. */
const OUTSIDE = /^(Export|Import(?!Expression))|^Program$/;

/** Enough random maps for each type that they have. */
const MAPS = 1500;

test('each type is in random maps, is unknown, or has no effect', () => {
  const drawn = new Set();
  const named = { ...UNKNOWN, ...WITHOUT_EFFECT };
  let missing = nodeTypes().filter((type) => !OUTSIDE.test(type) && !Object.hasOwn(named, type));
  for (let seed = 1; seed <= MAPS && missing.length > 0; seed += 1) {
    const tree = parseFunction(`(${randomMapCase(seed).source})`);
    if (tree.ok) addTypes(tree.roots, drawn);
    missing = missing.filter((type) => !drawn.has(type));
  }
  expect(missing).toEqual([]);
});

describe('a type that random maps lack', () => {
  /** @param {string} source @returns {Set<string>} */
  const typesOf = (source) => {
    const tree = parseFunction(source);
    const found = new Set();
    if (tree.ok) addTypes(tree.roots, found);
    return found;
  };

  test.each(Object.entries(UNKNOWN))('makes the value unknown: %s', (type, source) => {
    expect([...typesOf(source)]).toContain(type);
    expect(emittedValues(source).number.isNumber).not.toBe('always');
  });

  test.each(Object.entries(WITHOUT_EFFECT))('has no effect: %s', (_, source) => {
    expect(emittedValues(source).number.isNumber).toBe('always');
  });
});
