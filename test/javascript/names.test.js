import { describe, expect, test } from 'vitest';
import { Scope } from '../../lib/javascript/scope.js';
import { bindingAt, parseFile, parseFunction, resolveNames } from '../helpers/internals.js';

/** @import { AnyNode } from 'acorn' */

/** @param {string} text @returns {ReturnType<typeof resolveNames>} */
function namesOf(text) {
  const tree = parseFunction(text);
  if (!tree.ok) throw new Error(tree.message);
  return resolveNames(tree.roots);
}

/**
 * @param {ReturnType<typeof resolveNames>} names
 * @param {string} name
 * @returns {string | undefined} what the last use of the name stands for
 */
function lastUse(names, name) {
  const binding = names.references.findLast((reference) => reference.name === name)?.binding;
  return binding && `${binding.kind} of ${binding.scope.node?.type ?? 'the text'}`;
}

describe('a name stands for', () => {
  test.each([
    ['a parameter', 'function (doc) { emit(doc); }', 'doc', 'parameter of FunctionExpression'],
    [
      'a `var` of a block as one of the function',
      'function () { { var a = 1; } return a; }',
      'a',
      'variable of FunctionExpression',
    ],
    ['a `let` inside its block', 'function (a) { { let a = 1; emit(a); } }', 'a', 'variable of BlockStatement'],
    [
      'what is outside of the block behind it',
      'function (a) { { let a = 1; } emit(a); }',
      'a',
      'parameter of FunctionExpression',
    ],
    ['a loop’s own variable', 'function () { for (let i = 0; ; ) emit(i); }', 'i', 'variable of ForStatement'],
    ['nothing behind that loop', 'function () { for (let i = 0; ; ) break; emit(i); }', 'i', undefined],
    ['a caught error', 'function () { try { emit(); } catch (e) { log(e); } }', 'e', 'catch of CatchClause'],
    [
      'a part of a pattern',
      'function ({ a: { b = c, ...rest } }) { emit(rest); }',
      'rest',
      'parameter of FunctionExpression',
    ],
    [
      'a function of a block, behind it',
      'function () { { function f() {} } f(); }',
      'f',
      'function of FunctionExpression',
    ],
    [
      'a class expression within itself',
      'function () { emit(class Row { copy() { return Row; } }); }',
      'Row',
      'class of ClassExpression',
    ],
    ['nothing outside of that class', 'function () { emit(class Row {}); emit(Row); }', 'Row', undefined],
    [
      'a `var` of a static block within it alone',
      'function () { class Row { static { var a = 1; } } emit(a); }',
      'a',
      undefined,
    ],
    ['nothing as a key or a member', 'function (a) { emit({ a: 1 }, doc.a); }', 'a', undefined],
  ])('%s', (_, text, name, expected) => {
    expect(lastUse(namesOf(text), name)).toBe(expected);
  });

  test('an import, and an export names what is exported', () => {
    const parsed = parseFile(
      "import first, { b as second } from './b.js'; export { first, second as third }; export { second as fourth } from 'x';",
    );
    if (!parsed.ok) throw new Error(parsed.message);
    const names = resolveNames(parsed.program.body);
    expect(names.references.map(({ name, binding }) => [name, binding?.kind])).toEqual([
      ['first', 'import'],
      ['second', 'import'],
    ]);
  });

  test('what it declares, where it is declared', () => {
    const names = namesOf('function (doc) { var total; { let total; } }');
    const found = [...names.declared.keys()].map((id) => `${id.name} ${bindingAt(id, names)?.scope.node?.type}`);
    expect(found).toEqual(['doc FunctionExpression', 'total FunctionExpression', 'total BlockStatement']);
  });
});

describe('a scope that is entered declares', () => {
  test.each([
    [
      'its parameters, variables and functions',
      'function (doc) { var a; { var b; let c; } function d() {} const e = 1; class F {} }',
      'FunctionExpression',
      'doc a b d e F',
    ],
    ['no own name of a function', 'function map(doc) {}', 'FunctionExpression', 'doc'],
    ['its own name where a variable has it too', 'function map(doc) { var map; }', 'FunctionExpression', 'doc map'],
    [
      'no function that a block, a label or an `if` declares',
      'function () { { function a() {} } b: function b() {} if (1) function c() {} }',
      'FunctionExpression',
      '',
    ],
    ['the functions of a block', 'function () { { function a() {} let b; var c; } }', 'BlockStatement', 'a b'],
    ['the variables of a loop', 'function () { for (const [a, b] of c) { let d; } }', 'ForOfStatement', 'a b'],
    [
      'those of all cases',
      'function () { switch (1) { case 1: let a; default: function b() {} } }',
      'SwitchStatement',
      'a b',
    ],
    ['a caught error', 'function () { try {} catch ({ message }) { let a; } }', 'CatchClause', 'message'],
  ])('%s', (_, text, type, expected) => {
    const names = namesOf(text);
    const node = /** @type {AnyNode} */ ([...names.scopes.keys()].find((candidate) => candidate.type === type));
    const scope = new Scope().declareNamesOf(names, node);
    const all = new Set([...names.declared.keys()].map(({ name }) => name));
    expect([...all].filter((name) => scope.find(name)).join(' ')).toBe(expected);
  });
});
