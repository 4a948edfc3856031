// Design documents in TypeScript: findings about what a function does stand at their places, and nothing is said about how a compiler
// will spell it.

import { describe, expect, test } from 'vitest';
import { createProject } from '../helpers/temporary-project.js';

/** @import { Finding } from '../../lib/engine/findings/finding.js' */

/** @param {Finding[]} findings */
const brief = (findings) =>
  findings.map(({ rule, outcome, place }) => [`${rule}#${outcome}`, place?.line, place?.column]);

/**
 * @param {string} map an expression
 * @param {string} [before] statements
 * @param {string} [rest] of the view
 */
const ddoc = (map, before = '', rest = '') =>
  `${before}\nexport const ddoc: DesignDocument = { _id: '_design/orders', views: { by_status: {\n  map: ${map},${rest}\n} } };\n`;

/** @param {string} text @param {string[]} [options] */
const lint = (text, options = []) => createProject({ 'src/orders.ts': text }).lint(options);

test.each([
  [
    'the whole document',
    'function (doc: any) { emit(doc.type as string, doc) }',
    'view/emit-whole-doc#copies-document',
    3,
    55,
  ],
  [
    'a moment',
    'function (doc: any) { emit(doc.type, Date.now() as number) }',
    'map/nondeterministic#frozen-moment',
    3,
    45,
  ],
  [
    'a name of the module',
    'function (doc: any) { emit(doc.type!, FIELD as any) }',
    'map/undeclared-name#map-throws',
    3,
    46,
  ],
])('an emit of %s is found in TypeScript', async (_name, map, finding, line, column) => {
  const { findings } = await lint(ddoc(map, 'const FIELD = 1, field: string = "a";').replace(/FIELD/g, 'field2'));
  expect(brief(findings)).toContainEqual([finding, line, column]);
});

test('a string in TypeScript is sent as it is, and judged as it is', async () => {
  const options = ['--target', '2.3.1', '--rule', 'map/engine-incompatible'];
  const { findings } = await lint(ddoc('`(doc) => { emit(doc.status, null); }`'), options);
  expect(findings).toMatchObject([{ rule: 'map/engine-incompatible', place: { file: 'src/orders.ts', line: 3 } }]);
});

describe('what a compiler decides is unknown', () => {
  const MODERN = '(doc: any) => { const { status, ...rest } = doc; emit(status ?? null, Object.keys(rest).length); }';

  test('the syntax that an engine takes', async () => {
    const options = ['--target', '2.3.1', '--rule', 'map/engine-incompatible'];
    expect((await lint(ddoc(MODERN), options)).findings).toEqual([]);
    const { findings } = await createProject({
      'src/orders.js': ddoc(MODERN.replace(': any', '')).replace(': DesignDocument', ''),
    }).lint(options);
    expect(findings.length).toBeGreaterThan(0);
  });

  test('whether a method stays one', async () => {
    const text = ddoc('0').replace('map: 0,', 'map(doc: any) { emit(doc.status, null); },');
    expect((await lint(text)).findings).toEqual([]);
  });

  test.each([
    ['an enum', 'enum Kind { Order = "order" }'],
    ['a const enum', 'const enum Kind { Order = "order" }'],
    ['an import', "import { Kind } from './kinds';"],
  ])('a name of %s, which it may replace by its value', async (_name, before) => {
    const map = 'function (doc: any) { if (doc.kind === Kind.Order) emit(doc.status, null); }';
    expect((await lint(ddoc(map, before), ['--rule', 'map/undeclared-name'])).findings).toEqual([]);
  });
});

test('a reduce in TypeScript is proved, and not replaced where a type would be lost', async () => {
  const reduce =
    'function (keys: any, values: number[], rereduce?: boolean): number { return sum(values as number[]); }';
  const text = ddoc('function (doc: any) { emit(doc.status, 1); }', '', `\n  reduce: ${reduce}`);
  const { findings } = await lint(text, ['--rule', 'reduce/custom-sum']);
  expect(brief(findings)).toEqual([['reduce/custom-sum#equal', 4, 11]]);
  expect(findings[0]).not.toHaveProperty('fix');
});
