import { beforeAll, describe, expect, test } from 'vitest';
import { dialectOf, loadDialect } from '../../lib/javascript/dialects.js';
import { TOO_DEEP } from '../../lib/shared/bailout.js';
import { bare, parseFile, resolveNames } from '../helpers/internals.js';

/** @import { AnyNode } from 'acorn' */

beforeAll(async () => {
  for (const path of ['a.ts', 'a.tsx', 'a.jsx']) await loadDialect(path, '');
});

/**
 * @param {string} text
 * @param {string} [path]
 * @returns {ReturnType<typeof resolveNames>}
 */
function namesOf(text, path = 'orders.ts') {
  const parsed = parseFile(text, path);
  if (!parsed.ok) throw new Error(`${parsed.message} at ${parsed.offset}`);
  return resolveNames(parsed.program.body);
}

test.each([
  ['lib/orders.js', 'javascript'],
  ['lib/orders.MJS', 'javascript'],
  ['lib/orders.cjs', 'javascript'],
  ['lib/Orders.jsx', 'jsx'],
  ['lib/orders.ts', 'typescript'],
  ['lib/orders.mts', 'typescript'],
  ['lib/orders.cts', 'typescript'],
  ['lib/Orders.tsx', 'tsx'],
  ['orders', 'javascript'],
  ['tsx', 'javascript'],
])('%s is %s', (path, dialect) => {
  expect(dialectOf(path)).toBe(dialect);
});

describe('is parsed:', () => {
  test.each([
    [
      'annotations',
      'orders.ts',
      'const db: PouchDB.Database<Order> = open(); function f(this: Shop, a?: string): void {}',
    ],
    ['a type assertion in brackets', 'orders.ts', 'const a = <Order>row.doc;'],
    ['decorators', 'orders.ts', '@service() class Orders { @inject() private db!: Database; @get() list() {} }'],
    [
      'overloads and abstract members',
      'orders.ts',
      'abstract class A { f(a: string): void; f(a: any) {} abstract g(): void; [key: string]: any; }',
    ],
    ['`import = require` and `export =`', 'orders.cts', "import nano = require('nano'); export = nano;"],
    ['`satisfies` and `as const`', 'orders.mts', 'const a = { limit: 1 } as const satisfies Options;'],
    [
      'JSX in TypeScript',
      'Orders.tsx',
      'const list = <T,>(rows: T[]) => <ul>{rows.map((row) => <li key={row.id}/>)}</ul>;',
    ],
    ['JSX', 'Orders.jsx', 'export default () => <Orders {...props} />;'],
    ['JSX in a file that is named .js', 'orders.js', 'export default () => <Orders />;'],
    ['a byte order mark', 'orders.ts', '\ufeffconst a: number = 1;'],
    ['a first line for the shell', 'orders.ts', '#!/usr/bin/env ts-node\nconst a: number = 1;'],
    [
      'decorators behind types without semicolons',
      'orders.ts',
      'type A = string\n\n@service()\nclass B {\n  @input() a: string\n  @input() @other\n  b: A[]\n\n  @input() c\n}',
    ],
    ['a `using` declaration', 'orders.ts', 'function f() { using db = open(); }'],
  ])('%s', (_, path, text) => {
    expect(parseFile(text, path)).toMatchObject({ ok: true });
  });

  test('comments, each once, with their offsets', () => {
    const text = 'const f = async (a /* one */) => a; // two\nfoo<Bar>(/* three */ 1);';
    const parsed = parseFile(text, 'orders.ts');
    expect(
      parsed.ok && parsed.comments.map(({ value, start }) => [value.trim(), text.slice(start, start + 2)]),
    ).toEqual([
      ['one', '/*'],
      ['two', '//'],
      ['three', '/*'],
    ]);
  });
});

test('an error has its offset', () => {
  expect(parseFile('const a: number = ;', 'orders.ts')).toMatchObject({ ok: false, offset: 18, limit: undefined });
});

test('code that is nested without end is an error', () => {
  const text = `const a = ${'['.repeat(50_000)}${']'.repeat(50_000)}`;
  expect(parseFile(text, 'orders.ts')).toMatchObject({ ok: false, limit: TOO_DEEP });
});

describe('names in TypeScript', () => {
  test('types are no uses', () => {
    const names = namesOf(
      'import { Order } from "./order"; interface Row extends Order { doc: Order } type A = Row; ' +
        'class Orders<T extends Order> extends Base<Order> implements Row { f(a: Order): a is Order { return a; } } const b = new Map<string, Order>(); let c = f<Order>(b as Order);',
    );
    expect(names.references.map(({ name }) => name).filter((name) => name === 'Order')).toEqual([]);
    expect(names.references.map(({ name }) => name)).toEqual(expect.arrayContaining(['Base', 'a', 'Map', 'b']));
  });

  test('an enum, a namespace and `import = require` declare one', () => {
    const names = namesOf(
      "enum Status { open = start() } namespace Shop { const x = 1; } import nano = require('nano');",
    );
    expect([...names.top.bindings].map(([name, { kind }]) => [name, kind])).toEqual([
      ['Status', 'variable'],
      ['Shop', 'variable'],
      ['nano', 'import'],
    ]);
    expect(names.references.map(({ name }) => name)).toEqual(['start', 'x']);
  });

  test('a parameter property is a parameter and no use', () => {
    const names = namesOf('class Orders { constructor(private readonly db: Database, public size = 3) { use(db); } }');
    const found = names.references.map(({ name, binding }) => [name, binding?.kind]);
    expect(found).toEqual([
      ['use', undefined],
      ['db', 'parameter'],
    ]);
  });

  test('code in decorators, in casts and in namespaces is walked', () => {
    const names = namesOf(
      '@service(one) class A { @get(two) f() {} } (three as any)!.g; namespace N { four(); } export = five;',
    );
    const used = names.references.map(({ name }) => name);
    expect(used).toEqual(expect.arrayContaining(['one', 'two', 'three', 'four', 'five']));
  });
});

test.each(['(row as Order)', 'row!', '<Order>row', '(row satisfies Order)', '(row as unknown as Order)!'])(
  '%s is the row',
  (text) => {
    const parsed = parseFile(`${text};`, 'orders.ts');
    const [statement] = parsed.ok ? parsed.program.body : [];
    const node = /** @type {AnyNode} */ (statement?.type === 'ExpressionStatement' ? statement.expression : undefined);
    expect(bare(node)).toMatchObject({ type: 'Identifier', name: 'row' });
  },
);
