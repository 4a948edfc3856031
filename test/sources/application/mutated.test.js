// Code that is cut, swapped and torn: reading its calls never throws, ends, and names places inside the file.

import { describe, expect, test } from 'vitest';
import { readTexts } from '../../helpers/application-code.js';
import { turns } from '../../helpers/long.js';
import fc from '../../helpers/property.js';

/** @import { CallRecord } from '../../../lib/sources/application/record.js' */
/** @import { ValueNode } from '../../../lib/sources/record.js' */

/** Parts of programs that use clients in every way that is followed. */
const PARTS = [
  "import nano, { DocumentScope } from 'nano';",
  "import PouchDB from 'pouchdb';",
  "const { load, Orders } = require('./b');",
  "export * from './b';",
  "export { shop as db } from './a';",
  "module.exports = require('./b');",
  "const shop = nano(process.env.COUCHDB_URL).use('shop');",
  "let db = new PouchDB(isRemote ? `${url}/shop` : 'shop', { adapter });",
  'db = db || shop;',
  'interface Deps { db: DocumentScope<Order>; open(): Promise<Deps> }',
  'type Shop = DocumentScope<Order> | Shop;',
  'export abstract class Orders extends Base { #db = shop; constructor(private readonly db: Shop, { a = db } = {}) { super(db); this.db = db; } get main() { return this.db; } abstract x(): void; async load(ids: string[]) { for (const id of ids) await this.main.get(id); } }',
  'export function load(deps: Deps, ids) { return Promise.all(ids.map((id) => deps.db.get(id))); }',
  'class Base extends Orders { open() { return super.main; } }',
  "shop.view('orders', 'by_status', { include_docs: true, limit: 10, limit: 20, ...rest }).then(({ rows }) => rows.map((row) => row.doc.name));",
  'for (let skip = 0; ; skip += 10) { const { docs } = await db.find({ selector, skip }); if (docs.length === 0) break; }',
  'fetch(`${url}/shop/_design/orders/_view/by_status?include_docs=true&skip=${page * 10}`, { method, body: JSON.stringify({ keys }) });',
  "axios.create({ baseURL }).post('/shop/_find', { selector });",
  'new Orders(shop); load({ db: shop }, [1, 2]);',
  'const store = { open() { this.db = new PouchDB(`shop-${user}`); }, all: () => store.db.allDocs() };',
  'while (queue.length) { const doc = queue.pop(); doc.a = 1; await shop.insert(doc); }',
  'enum Kind { A = `a` } namespace N { export const db = shop; }',
  '@Injectable() class S { @Inject() db: PouchDB.Database; }',
  'const view = <T,>(props: T) => db.query<T>(function (doc, emit) { emit(doc.a); }, props as any);',
];
/** What is put in or over them. */
const SCRAPS = [
  '{',
  '}',
  '(',
  ')',
  '`',
  '${',
  "'",
  '=>',
  '...',
  'this.',
  'await ',
  '\u2028',
  '\ud800',
  '/*',
  '</',
  '?.',
  '#db',
  'super',
  '=',
  ';',
  '\0',
  'import ',
  'db.get(',
];

const part = fc.constantFrom(...PARTS);
const program = fc
  .tuple(
    fc.array(part, { minLength: 1, maxLength: 8 }),
    fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(6), fc.constantFrom('', ...SCRAPS)), {
      maxLength: 3,
    }),
  )
  .map(([parts, edits]) =>
    edits.reduce((text, [where, length, scrap]) => {
      const at = Math.floor(where * text.length);
      return text.slice(0, at) + scrap + text.slice(at + length);
    }, parts.join('\n')),
  );

/**
 * @param {CallRecord} call
 * @returns {{start: number, end: number, file: {text: string}}[]} all places that it names as offsets
 */
function rangesOf({ file, start, end, arguments: given, options, target }) {
  const nodes = [...given, ...(target ? [target] : []), ...(options.node ? [options.node] : [])];
  return [{ file, start, end }, ...nodes.flatMap(rangesIn)];
}

/** @param {ValueNode} node @returns {{start: number, end: number, file: {text: string}}[]} */
function rangesIn(node) {
  const inner =
    node.type === 'object'
      ? node.entries.flatMap((entry) => [
          { file: node.file, start: entry.keyStart, end: entry.keyEnd },
          ...rangesIn(entry.node),
        ])
      : [];
  return [node, ...inner, ...(node.type === 'array' ? node.items.flatMap(rangesIn) : [])];
}

describe.each(['ts', 'js', 'tsx'])('code in .%s files', (ending) => {
  test('that is torn, and imports itself in circles', async () => {
    await fc.assert(
      fc.asyncProperty(program, program, program, async (a, b, c) => {
        const { records, unparsed } = await readTexts({ [`a.${ending}`]: a, [`b.${ending}`]: b, 'c.js': c });
        for (const { file, offset } of unparsed) expect(offset).toBeLessThanOrEqual(file.text.length);
        for (const record of records) {
          for (const { start, end, file } of rangesOf(record))
            expect(0 <= start && start <= end && end <= file.text.length).toBe(true);
          const { docPlaces } = record.result;
          for (const place of [record.loop?.place, ...docPlaces]) {
            if (place) expect(place.line).toBeLessThanOrEqual(record.file.lineStarts.length);
          }
        }
      }),
      { numRuns: turns({ short: 80, long: 3000 }) },
    );
  });
});

test('every part is read', async () => {
  const { unparsed } = await readTexts(
    Object.fromEntries(
      PARTS.map((text, at) => [`part${at}.${text.includes('<T,>') ? 'tsx' : 'ts'}`, `${text} db.get('a'); // PouchDB`]),
    ),
  );
  expect(unparsed).toEqual([]);
});
