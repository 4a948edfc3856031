import ts from '@typescript/typescript6';
import { Parser } from 'acorn';
import { beforeAll, expect, test } from 'vitest';
import { loadDialect } from '../../lib/javascript/dialects.js';
import { withoutTypes } from '../../lib/javascript/erase-types.js';
import { parseFile } from '../helpers/internals.js';
import fc from '../helpers/property.js';

beforeAll(() => loadDialect('a.ts', ''));

/**
 * @param {string} source of an expression that is a function
 * @returns {string | undefined} what is left of it
 */
function erase(source) {
  const text = `(${source}\n);`;
  const parsed = parseFile(text, 'a.ts');
  if (!parsed.ok) return undefined;
  const [statement] = parsed.program.body;
  if (statement?.type !== 'ExpressionStatement') return undefined;
  const parts = withoutTypes(text, statement.expression);
  return parts?.map(({ start, end }) => (start === end ? ' ' : text.slice(start, end))).join('');
}

/**
 * @param {string} source
 * @returns {string} the code in the spelling of the compiler of TypeScript
 */
function compile(source) {
  const options = { target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext, alwaysStrict: false };
  return ts.transpileModule(`(${source}\n);`, { compilerOptions: options }).outputText;
}

test.each([
  ['function (doc: Order): void { emit(doc.a) }', 'function (doc) { emit(doc.a) }'],
  ['function (doc?: any) { emit(doc.a as string) }', 'function (doc) { emit(doc.a) }'],
  ['function (doc) { emit((doc.a) as any as string) }', 'function (doc) { emit((doc.a)) }'],
  ['function (doc) { emit(<any>doc.a) }', 'function (doc) { emit(doc.a) }'],
  ['function (doc) { return<any>doc.a }', 'function (doc) { return doc.a }'],
  ['function (doc) { if (doc.a!in doc) emit(doc!.b!.c) }', 'function (doc) { if (doc.a in doc) emit(doc.b.c) }'],
  ['function <T extends Doc>(this: View, doc: T) { emit<string>(doc.a) }', 'function (doc) { emit(doc.a) }'],
  ['function (this: View) { emit(1) }', 'function () { emit(1) }'],
  ['<T,>(doc: T): doc is T => emit(doc.a satisfies string)', '(doc) => emit(doc.a)'],
  ['(doc: {\n  a: string;\n}): {\n b: 1 } => emit(doc.a)', '(doc) => emit(doc.a)'],
  [
    'function (doc) { let a!: number; const b: string = "1"; emit(a, b) }',
    'function (doc) { let a; const b = "1"; emit(a, b) }',
  ],
  [
    'function ({ a, b }: Doc, [c]: string[] = [], ...d: any[]) { emit(a) }',
    'function ({ a, b }, [c] = [], ...d) { emit(a) }',
  ],
  ['function (doc) { type A = string; interface B { a: A } emit(1) }', 'function (doc) {   emit(1) }'],
  [
    'function (doc) { for (const row of doc.rows as Row[]) emit(row.a) }',
    'function (doc) { for (const row of doc.rows) emit(row.a) }',
  ],
  ['function (doc) { try { emit(1) } catch (e: unknown) {} }', 'function (doc) { try { emit(1) } catch (e) {} }'],
  ['function (doc) { emit(+<any>+doc.a) }', 'function (doc) { emit(+ +doc.a) }'],
  ['function (doc) { (doc as any).a = 1; new Map<string, any>(); }', 'function (doc) { (doc).a = 1; new Map(); }'],
  ['function (doc) { emit(a ? (b as any) : c, (x: any): any => x) }', 'function (doc) { emit(a ? (b) : c, (x) => x) }'],
])('what is left of %s is its JavaScript', (source, expected) => {
  expect(erase(source)).toBe(expected);
});

test.each([
  ['an enum', 'function (doc) { enum A { B } emit(A.B) }'],
  ['a class', 'function (doc) { class A { b: string = "1" } emit(new A()) }'],
  ['a line that would go on', 'function (doc) { let a = doc.a as any\n(emit)(a) }'],
  ['a declaration', 'function (doc) { declare const a: string; emit(a) }'],
])('%s is not taken for plain code', (_name, source) => {
  expect(erase(source)).toBeUndefined();
});

/** Parts of maps, each an expression with types. */
const EXPRESSIONS = [
  'doc',
  'doc.a!',
  '(doc as any).b',
  '<string>doc.c',
  'doc.d! as string',
  '(doc satisfies Doc)',
  'get<string>(doc)',
  '((x: any): x is string => !!x)',
  'function <T>(this: any, a?: T, ...b: T[]): void { return }',
  '[1, 2 as number]',
  '{ a: doc as any, b(c?: number): number { return c! } }',
  '-(doc.e as number)',
  'new Set<any>([doc!])',
  '`${doc.f as string}`',
];
const STATEMENTS = [
  (/** @type {string} */ a, /** @type {string} */ b) => `emit(${a}, ${b});`,
  (/** @type {string} */ a, /** @type {string} */ b) => `const x: any = ${a} || ${b}`,
  (/** @type {string} */ a, /** @type {string} */ b) => `if (${a} as any) { emit(${b}) }`,
  (/** @type {string} */ a, /** @type {string} */ b) => `for (const y of ${a} as any[]) emit(y!, ${b})`,
  (/** @type {string} */ a, /** @type {string} */ b) => `type A = string; (${a})!.z = ${b};`,
  (/** @type {string} */ a, /** @type {string} */ b) => `return (${a})! < (${b} as number)`,
  (/** @type {string} */ a, /** @type {string} */ b) => `try { emit(${a}) } catch (e: unknown) { emit(${b}!) }`,
  (/** @type {string} */ a) => `let q: any = ${a} as any`,
];

test('what is left of any function is the code that the compiler of TypeScript makes of it', () => {
  const statement = fc
    .tuple(fc.constantFrom(...STATEMENTS), fc.constantFrom(...EXPRESSIONS), fc.constantFrom(...EXPRESSIONS))
    .map(([make, a, b]) => `{ ${make(a, b)}\n }`);
  let compared = 0;
  let all = 0;
  fc.assert(
    fc.property(fc.array(statement, { minLength: 1, maxLength: 4 }), (statements) => {
      const source = `function (doc: any): void {\n${statements.join('\n')}\n}`;
      const left = erase(source);
      all += 1;
      if (left === undefined) return;
      compared += 1;
      expect(shapeOf(`(${left});`)).toBe(shapeOf(compile(source)));
    }),
    { numRuns: 300 },
  );
  expect(compared / all).toBeGreaterThan(0.8);
});

/**
 * @param {string} code
 * @returns {string} its tree without places
 */
function shapeOf(code) {
  const tree = Parser.parse(code, { ecmaVersion: 'latest' });
  return JSON.stringify(tree, (key, value) => (key === 'start' || key === 'end' || key === 'raw' ? undefined : value));
}
