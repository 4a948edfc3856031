import { beforeAll, expect, test } from 'vitest';
import { loadDialect } from '../../../lib/javascript/dialects.js';
import { member, parseFile } from '../../helpers/internals.js';
import { placeOf, plain } from '../../helpers/memory-tree.js';
import fc from '../../helpers/property.js';
import { readText } from '../../helpers/read-source.js';
import { checkInside } from '../../helpers/value-places.js';

/** @import { DesignDocRecord, ValueNode } from '../../../lib/sources/record.js' */

beforeAll(() => Promise.all(['a.ts', 'a.tsx', 'a.jsx'].map((path) => loadDialect(path, ''))));

const MAP = "function (doc) { if (doc.type === 'order') emit(doc.status); }";
const TYPED = "function (doc: Order): void { if (doc.type === 'order') emit(doc.status as string); }";
const VIEWS = `{by_status: {map: ${TYPED}}}`;

/**
 * @param {string} text
 * @param {string} path
 * @returns {Promise<DesignDocRecord[]>}
 */
async function read(text, path) {
  const { records, errors } = await readText(text, path);
  expect(errors).toEqual([]);
  return records.flatMap((record) => (record.kind === 'design-doc' ? [record] : []));
}

/**
 * @param {DesignDocRecord | undefined} record
 * @param {string[]} path
 */
function at(record, ...path) {
  return path.reduce((/** @type {ValueNode | undefined} */ inner, key) => member(inner, key), record?.node);
}

/** Each gives `_design/orders` with the view `by_status`, whose map is MAP once its types are gone. @type {[string, string][]} */
const FORMS = [
  ['passed to put', `await db.put({_id: '_design/orders', views: ${VIEWS}});`],
  ['passed to insert, with its id beside it', `await db.insert({views: ${VIEWS}}, '_design/orders');`],
  ['passed to insert, with a name for its id', `const ID = '_design/orders';\nawait db.insert({views: ${VIEWS}}, ID);`],
  [
    'passed to insert as any',
    `const ddoc = {views: ${VIEWS}};\nawait db.insert(ddoc as any, '_design/orders' as string);`,
  ],
  ['passed to insert with a type', `await db.insert<Ddoc>({views: ${VIEWS}} as Ddoc, '_design/orders');`],
  ['passed to post', `db.post({_id: '_design/orders', views: ${VIEWS}} satisfies Ddoc);`],
  [
    'in the body of a request',
    `await service.putDesignDocument({db: 'shop', ddoc: 'orders', designDocument: {_id: '_design/orders', views: ${VIEWS}}});`,
  ],
  [
    'in a body for fetch',
    `fetch(url, {method: 'PUT', body: JSON.stringify({_id: '_design/orders', views: ${VIEWS}})});`,
  ],
  ['among those of a bulk request', `db.bulkDocs([{_id: 'a'}, {_id: '_design/orders', views: ${VIEWS}}]);`],
  ['in the docs of a bulk request', `db.bulk({docs: [{_id: '_design/orders', views: ${VIEWS}}]});`],
  ['in a const with a type', `const ddoc: DesignDocument<Order> = {_id: '_design/orders', views: ${VIEWS}};`],
  ['as const', `export const ddoc = {_id: '_design/orders', views: ${VIEWS}} as const;`],
  ['with satisfies', `export default {_id: '_design/orders', views: ${VIEWS}} satisfies DesignDocument;`],
  ['with an assertion in front', `export const ddoc = <DesignDocument>{_id: '_design/orders', views: ${VIEWS}};`],
  ['in a list with a type', `export const ddocs: Ddoc[] = [{_id: '_design/orders', views: ${VIEWS}}];`],
  ['in a record', `export const ddocs: Record<string, Ddoc> = {orders: {_id: '_design/orders', views: ${VIEWS}}};`],
  ['in an export of TypeScript', `const ddoc = {_id: '_design/orders', views: ${VIEWS}};\nexport = ddoc;`],
  ['in a static field', `class Orders { static readonly ddoc = {_id: '_design/orders', views: ${VIEWS}}; }`],
  ['in a field', `class Orders { private ddoc: Ddoc = {_id: '_design/orders', views: ${VIEWS}}; }`],
  [
    'with its id in a static field',
    `class Orders { static readonly ID = '_design/orders'; make() { return {_id: Orders.ID, views: ${VIEWS}}; } }`,
  ],
  [
    'with its name in a field',
    `class Orders { private readonly name = 'orders'; constructor(private db: Db) {}\n  make() { this.db.put({_id: \`_design/\${this.name}\`, views: ${VIEWS}}); } }`,
  ],
  [
    'with its name in an enum',
    `enum Ddoc { Orders = 'orders' }\ndb.put({_id: \`_design/\${Ddoc.Orders}\`, views: ${VIEWS}});`,
  ],
  [
    'with its name in a const enum',
    `const enum Ddoc { Orders = '_design/orders' }\ndb.put({_id: Ddoc.Orders, views: ${VIEWS}});`,
  ],
  [
    'with its name in a namespace of constants',
    `const NAMES = {orders: 'orders'} as const;\ndb.put({_id: '_design/' + NAMES.orders, views: ${VIEWS}});`,
  ],
  [
    'with its view in a namespace of constants',
    `const VIEW = {status: 'by_status'} as const;\ndb.put({_id: '_design/orders', views: {[VIEW.status]: {map: ${TYPED}}}});`,
  ],
  [
    'in a function that returns it',
    `export function ordersDdoc(): Ddoc { return {_id: '_design/orders', views: ${VIEWS}}; }`,
  ],
  ['in an arrow function', `export const ordersDdoc = (): Ddoc => ({_id: '_design/orders', views: ${VIEWS}});`],
  [
    'in a function that is called twice',
    `const make = () => ({_id: '_design/orders', views: ${VIEWS}});\na.put(make()); b.put(make());`,
  ],
  [
    'with a function made a string',
    `db.put({_id: '_design/orders', views: {by_status: {map: (${TYPED}).toString()}}});`,
  ],
  ['with String()', `db.put({_id: '_design/orders', views: {by_status: {map: String(${TYPED})}}});`],
  ['with a template', `db.put({_id: '_design/orders', views: {by_status: {map: \`\${${TYPED}}\`}}});`],
  [
    'with a name made a string',
    `const map = ${TYPED};\ndb.put({_id: '_design/orders', views: {by_status: {map: map.toString()}}});`,
  ],
  [
    'with a name in a template',
    `const map = ${TYPED};\ndb.put({_id: '_design/orders', views: {by_status: {map: \`\${map}\`}}});`,
  ],
  [
    'with a function that is asserted to be a string',
    `db.put({_id: '_design/orders', views: {by_status: {map: ${TYPED} as unknown as string}}});`,
  ],
  [
    'beside a declared emit',
    `declare function emit(key: any, value?: any): void;\ndb.put({_id: '_design/orders', views: ${VIEWS}});`,
  ],
  [
    'under a comment for a coverage tool',
    `db.put({_id: '_design/orders', views: {by_status: {map: /* istanbul ignore next */ ${TYPED}}}});`,
  ],
  [
    'as an assignment to a member',
    `const ddoc: any = {_id: '_design/orders', views: {}};\nddoc.views.by_status = {map: ${TYPED}};`,
  ],
  [
    'as an assignment to a computed member',
    `const ddoc = {_id: '_design/orders', views: {}} as Ddoc;\nconst name = 'by_status';\n(ddoc.views as any)[name] = {map: ${TYPED}};`,
  ],
  [
    'as an assignment to what is not null',
    `const ddoc: Ddoc = {_id: '_design/orders', views: {}};\nddoc.views!.by_status = {map: ${TYPED}};`,
  ],
  [
    'with views that are spread into it',
    `const shared = ${VIEWS};\ndb.put({_id: '_design/orders', views: {...shared}});`,
  ],
  [
    'with Object.assign',
    `const base = {language: 'javascript'};\ndb.put(Object.assign({}, base, {_id: '_design/orders', views: ${VIEWS}}));`,
  ],
  [
    'with a helper',
    `const ddoc = (name: string, views: Views) => ({_id: \`_design/\${name}\`, views});\ndb.put(ddoc('orders', ${VIEWS}));`,
  ],
  [
    'with a helper that takes an object',
    `function ddoc({ name, views }: Options) { return {_id: '_design/' + name, views}; }\nexport default ddoc({name: 'orders', views: ${VIEWS}});`,
  ],
  [
    'with a helper for a view',
    `const view = (map: MapFunction, reduce?: string) => ({map: map.toString(), reduce});\ndb.put({_id: '_design/orders', views: {by_status: view(${TYPED})}});`,
  ],
  [
    'with a helper with defaults',
    `const ddoc = (views: Views, name = 'orders') => ({_id: '_design/' + name, views});\ndb.put(ddoc(${VIEWS}));`,
  ],
  [
    'as in a guide for index functions',
    `function createDesignDoc(name: string, mapFunction: Function) {
       const ddoc = {_id: '_design/' + name, views: {} as any};
       ddoc.views['by_' + 'status'] = { map: mapFunction.toString() };
       return ddoc;
     }
     const designDoc = createDesignDoc('orders', ${TYPED});
     db.put(designDoc).then(() => undefined);`,
  ],
  [
    'with a method as helper',
    `class Shop { private ddoc(name: string, views: Views): Ddoc { return {_id: '_design/' + name, views}; }
       async install() { await this.db.put(this.ddoc('orders', ${VIEWS})); } }`,
  ],
  [
    'with a static method as helper',
    `class Shop { static ddoc(name: string, views: Views) { return {_id: '_design/' + name, views}; } }
     db.put(Shop.ddoc('orders', ${VIEWS}));`,
  ],
];

test.each(FORMS)('a design document %s is read, each character at its place', async (_name, text) => {
  const code = `/* first line */\n${text}`;
  const records = await read(code, 'src/orders.ts');
  expect(records.map(({ id }) => id)).toEqual(['_design/orders']);
  const map = at(records[0], 'views', 'by_status', 'map');
  expect(map).toMatchObject({ type: 'string', value: MAP });
  const lines = code.slice(0, code.indexOf('emit(doc.status')).split('\n');
  expect(placeOf(map, 'emit(')).toBe(`src/orders.ts:${lines.length}:${(lines.at(-1)?.length ?? 0) + 1}`);
  expect(map).toHaveProperty('inlinable');
});

/** Those without other TypeScript than the types in the function. */
const PLAIN_FORMS = FORMS.flatMap(([name, text]) => {
  const code = text.replaceAll(TYPED, MAP);
  return parseFile(code, 'a.js').ok ? [[name, code]] : [];
});

test('more than a dozen of the forms are JavaScript, too', () => {
  expect(PLAIN_FORMS.length).toBeGreaterThan(12);
});

test.each(PLAIN_FORMS)(
  'a design document %s is read from JavaScript, and nothing of it is compiled',
  async (_name, code = '') => {
    const [record, ...others] = await read(code, 'src/orders.js');
    expect(others).toEqual([]);
    const map = at(record, 'views', 'by_status', 'map');
    expect(map).toMatchObject({ type: 'string', value: MAP });
    expect(map).not.toHaveProperty('inlinable');
  },
);

test.each([
  ['imported', "import { byStatus } from './maps';", 'byStatus.toString()', "`byStatus` comes from './maps'"],
  ['imported as a whole', "import * as maps from './maps';", 'maps.byStatus', "`maps` comes from './maps'"],
  [
    'required',
    "const byStatus = require('./maps/by-status');",
    'byStatus',
    "'./maps/by-status' is loaded when the program runs",
  ],
  [
    'read from a file',
    "import { readFileSync } from 'node:fs';",
    "readFileSync(path.join(__dirname, 'by-status.js'), 'utf8')",
    'it is the result of a call',
  ],
  [
    'changed after it was made a string',
    `const map = ${TYPED};`,
    "map.toString().replace('TYPE', type)",
    'it is the result of a call',
  ],
  [
    'a template with a name from elsewhere',
    "import { TYPE } from './types';",
    '`function (doc) { emit("${TYPE}"); }`',
    "`TYPE` comes from './types'",
  ],
  ['one of two', `const map: string = old ? '${'a'}' : 'b';`, 'map', 'it depends on a condition'],
  ['given later', 'let map: string;', 'map', '`map` has no value here'],
  ['declared and no more', 'declare const map: string;', 'map', '`map` has no value here'],
  [
    'a parameter property',
    'class A { constructor(private map: string) {} }',
    'this.map',
    'it is computed when the program runs',
  ],
  ['a getter', 'class A { static get map() { return build(); } }', 'A.map', '`A` is a class'],
  ['a field that changes', "class A { static map = 'a'; set() { A.map = 'b'; } }", 'A.map', '`A` is a class'],
  [
    'a function with a namespace in it',
    '',
    'function (doc: any) { enum E { A } emit(E.A); }',
    'it has TypeScript in it that compiles to other code',
  ],
  ['a recursive helper', 'const map = (n: number): string => map(n - 1);', 'map(1)', 'it is the result of a call'],
  [
    'a helper with two results',
    'function map(a: boolean) { if (a) return "a"; return "b"; }',
    'map(true)',
    'it is the result of a call',
  ],
  ['a helper of another file', "import { map } from './maps';", "map('orders')", 'it is the result of a call'],
  ['what a promise gives', '', 'await load()', 'it is computed when the program runs'],
])('a map that is %s is unknown, and says why', async (_name, before, expression, reason) => {
  const code = `${before}\ndb.put({_id: '_design/orders', views: {by_status: {map: ${expression}}}});`;
  const [record] = await read(code, 'src/orders.ts');
  expect(record?.id).toBe('_design/orders');
  expect(plain(at(record, 'views', 'by_status', 'map'))).toEqual({ unknown: reason });
});

test.each([
  ['a helper that nothing calls', `const ddoc = (name: string, views: Views) => ({_id: '_design/' + name, views});`],
  ['an interface', 'interface Ddoc { _id: "_design/orders"; views: { [name: string]: { map: string } } }'],
  [
    'a type',
    "type Ddoc = { _id: '_design/orders', views: { by_status: { map: 'function (doc) { emit(doc.a); }' } } };",
  ],
  ['a component', 'export const page = <Page views={{ home: { map: () => emit(1) } }} />;'],
  ['an id alone', "await db.get<Ddoc>('_design/orders');"],
  ['a query', "await db.view<Order>('orders', 'by_status', { keys: ['_design/orders'] });"],
])('%s is no design document', async (_name, text) => {
  expect((await read(text, 'src/orders.tsx')).map(({ id }) => id)).toEqual([]);
});

test('each call of a helper gives a document at its own place', async () => {
  const text = `const make = (name: string, map: Function) => ({
  _id: \`_design/\${name}\`,
  views: { [name]: { map: map.toString() } },
});
db.put(make('orders', function (doc: any) { emit(doc.order); }));
db.put(make('stock', function (doc: any) { emit(doc.sku); }));`;
  const records = await read(text, 'src/ddocs.ts');
  expect(records.map(({ id }) => id)).toEqual(['_design/orders', '_design/stock']);
  expect(records.map((record) => Object.keys(/** @type {object} */ (plain(at(record, 'views')))))).toEqual([
    ['orders'],
    ['stock'],
  ]);
  const [first, second] = records.map((record) => at(record, '_id'));
  expect(text.slice(first?.start, first?.end)).toBe("'orders'");
  expect(text.slice(second?.start, second?.end)).toBe("'stock'");
  expect(placeOf(at(records[1], 'views', 'stock', 'map'), 'emit')).toBe('src/ddocs.ts:6:44');
});

test('a helper whose functions are its own gives one document, at its own place', async () => {
  const text = `const make = (shop: string) => ({_id: '_design/' + shop, views: ${VIEWS}});\na.put(make('north')); a.put(make('south'));`;
  const records = await read(text, 'src/ddocs.ts');
  expect(records.map(({ id }) => id)).toEqual([null]);
});

test.each([
  ['a revision', '{ ...ddoc, _rev: old._rev }', 1],
  ['a revision, by Object.assign', 'Object.assign({}, ddoc, { _rev: old._rev })', 1],
  ['another id', "{ ...ddoc, _id: '_design/copy' }", 2],
  ['another view', `{ ...ddoc, views: ${VIEWS} }`, 2],
])('a document that is spread into one with %s: %s', async (_name, update, count) => {
  const text = `const ddoc = {_id: '_design/orders', views: ${VIEWS}};\nawait db.insert(${update}, ddoc._id);\ndb.put(ddoc);`;
  expect((await read(text, 'src/ddocs.ts')).length).toBe(count);
});

test('a document of shared parts is there once, whatever it is spread into', async () => {
  const text = `const ID = '_design/orders', views = ${VIEWS};\nconst ddoc = {_id: ID, views};\nconst again = {...ddoc, _rev: a};\ndb.put({...ddoc, _rev: b});`;
  expect((await read(text, 'src/ddocs.ts')).map(({ id }) => id)).toEqual(['_design/orders']);
});

test('what is undefined is no member, as in JSON', async () => {
  const text = `const view = (map: Function, reduce?: string) => ({map: map.toString(), reduce});
db.put({_id: '_design/orders', views: {by_status: view(${TYPED}), total: view(${TYPED}, '_sum'), late: {map: undefined}}});`;
  const [record] = await read(text, 'src/ddocs.ts');
  expect(plain(at(record, 'views'))).toEqual({
    by_status: { map: MAP },
    total: { map: MAP, reduce: '_sum' },
    late: {},
  });
});

test('a function in TypeScript has no edit where a type stands, and one in the rest', async () => {
  const text = `db.put({_id: '_design/orders', views: ${VIEWS}});`;
  const map = at((await read(text, 'src/ddocs.ts'))[0], 'views', 'by_status', 'map');
  if (map?.type !== 'string') throw new TypeError('the map is no text');
  const type = map.value.indexOf("'order'");
  expect(map.text.edit(type, type + 7, "'stock'")).toMatchObject({ start: text.indexOf("'order'") });
  expect(map.text.edit(0, map.value.length, "'_count'")).toBeUndefined();
  const call = map.value.indexOf('emit(');
  expect(map.text.edit(call, map.value.indexOf(';', call), 'emit(1)')).toBeUndefined();
});

test('TypeScript that was changed anywhere never throws, and what is read of it stays inside the file', async () => {
  const words = [
    'as any',
    '!',
    '<T>',
    ': string',
    '?',
    'enum E { A = "a" }',
    'this.',
    'make(',
    ')',
    '{',
    '}',
    '=>',
    '`',
    '${',
    "'",
    '...',
  ];
  const edit = fc.record({ at: fc.nat(), length: fc.nat({ max: 12 }), word: fc.constantFrom(...words) });
  const form = fc.constantFrom(...FORMS.map(([, text]) => text));
  const path = fc.constantFrom('a.ts', 'a.tsx', 'a.jsx');
  await fc.assert(
    fc.asyncProperty(form, form, path, fc.array(edit, { maxLength: 4 }), async (first, second, name, edits) => {
      let text = `${first}\n${second}`;
      for (const { at: start, length, word } of edits) {
        const offset = start % (text.length + 1);
        text = text.slice(0, offset) + word + text.slice(offset + length);
      }
      for (const record of (await readText(text, name)).records) {
        if (record.kind === 'design-doc') checkInside(record.node);
      }
    }),
    { numRuns: 1500 },
  );
});
