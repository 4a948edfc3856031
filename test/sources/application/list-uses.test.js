// What a program does with the rows or documents of an answer as a list: all, some by their fields, their number, one.

import { expect, test } from 'vitest';
import { readTexts } from '../../helpers/application-code.js';

const SHOP = "const nano = require('nano'); const shop = nano(process.env.COUCHDB_URL).use('shop');";
const LIST = 'await shop.list({ include_docs: true })';
const FIND = "await shop.find({ selector: { type: 'order' } })";

/**
 * @param {string} text
 * @returns {Promise<string>} the uses of the last call: `picked{status: 'open'} all`
 */
async function usesIn(text) {
  const { records } = await readTexts({ 'a.js': `${SHOP} ${text}` });
  const uses = records.at(-1)?.result.lists ?? [];
  return uses
    .map(({ kind, conditions }) => {
      const texts = conditions.map(({ field, selector }) => `${field}: ${selector}`);
      return texts.length > 0 ? `${kind}{${texts.join(', ')}}` : kind;
    })
    .join(' ');
}

/** @param {string} text @returns {string} */
const inFunction = (text) => `async function f() { ${text} }`;

test.each([
  ['return A.rows.filter((row) => row.doc.status === "open").map((row) => row.doc);', 'picked{status: "open"}'],
  [
    'return A.rows.map(({ doc }) => doc).find((doc) => doc.mail === mail && doc.age > 17);',
    'picked{mail: mail, age: { $gt: 17 }}',
  ],
  ['return A.rows.some(({ doc }) => 5 < doc.total);', 'picked{total: { $gt: 5 }}'],
  ['return A.rows.filter(({ doc: { status } }) => status === s);', 'picked{status: s}'],
  ['return A.rows.filter((row) => { return row.doc.address.city === city; });', 'picked{address.city: city}'],
  ['return A.rows.filter((row) => row.doc.status === "a" || row.doc.status === "b");', 'picked{status: null}'],
  ['return A.rows.filter((row) => row.doc.from === row.doc.to);', 'picked{from: null, to: null}'],
  ['return A.rows.filter((row) => row.doc.name.startsWith(prefix));', 'picked{name: null}'],
  ['return A.rows.filter((row) => row.doc.lines.length > 3);', 'picked{lines: null}'],
  ['return A.rows.every((row) => row.doc.done === true);', 'picked{done: null}'],
  ['return A.rows.filter((row) => !row.id.startsWith("_design/"));', 'picked given'],
  ['return A.rows.filter((row) => row.doc._id === id);', 'picked given'],
  ['return A.rows.filter(isOpen);', 'picked given'],
  ['return A.rows.filter((row) => row.doc.name);', 'picked given'],
  ['return A.rows.filter(({ doc }) => !doc.name && doc.size > 3);', 'picked{size: { $gt: 3 }}'],
  ['(A).rows.forEach((row) => { if (row.doc.name) names.push(row.doc.name); });', 'all'],
  ['return A.rows.filter(({ doc }) => { return doc.name ? doc.size : doc.weight; });', 'picked given'],
  [
    'for (const { doc } of (A).rows) { if (!doc || doc.type !== "order") continue; save(doc); }',
    'picked{type: "order"}',
  ],
  ['for (const { doc } of (A).rows) { const { total } = doc; if (total > 5) save(doc); }', 'picked{total: { $gt: 5 }}'],
  ['for (const { doc } of (A).rows) { if (doc.total > 5) save(doc); else drop(doc); }', 'all'],
  ['for (const { doc } of (A).rows) { count(doc); if (doc.total > 5) save(doc); }', 'all'],
  ['(A).rows.forEach((row) => { if (row.doc.type === t) save(row.doc); });', 'picked{type: t}'],
  ['(A).rows.forEach((row) => save(row.doc));', 'all'],
  [
    'for (const { id, doc } of (A).rows) { if (!doc || id.startsWith("_")) continue; if (doc.type === t) save(doc); }',
    'picked{type: t}',
  ],
  [
    'for (const { doc } of (A).rows) { if (doc.type !== t) continue; if (doc.size > 3) save(doc); }',
    'picked{type: t, size: { $gt: 3 }}',
  ],
  [
    'for (const { doc } of (A).rows) { if (doc.size < 3) continue; if (doc.size > 9) save(doc); }',
    'picked{size: null}',
  ],
])('of all documents: %s', async (text, expected) => {
  expect(await usesIn(inFunction(text.replace(/\bA\b/, `(${LIST})`)))).toBe(expected);
});

test.each([
  ['return docs.length;', 'counted'],
  ['print(`${docs.length} orders`);', 'counted'],
  ['return docs.length > limit;', 'counted'],
  ['return docs.length === 30;', 'counted'],
  ['return docs.length > 0;', 'tested'],
  ['if (docs.length !== 1) throw new Error(); return docs[0];', 'tested first'],
  ['if (!docs.length) return; print(docs.at(0));', 'tested first given'],
  ['return docs.length && docs[0].total;', 'tested first'],
  ['const last = docs[docs.length - 1]; print(last.total);', 'first first'],
  ['for (let i = 0; i < docs.length; i += 1) print(docs[i].total);', 'all first'],
  ['for (const i in docs) print(docs[i].total);', 'all first'],
  ['docs.map(print);', 'all given'],
  ['return docs.slice(0, 3).map((doc) => doc.total);', ''],
  ['return docs;', 'given'],
  ['all.push(...docs);', 'given'],
])('of a Mango query: %s', async (text, expected) => {
  expect(await usesIn(inFunction(`const { docs } = ${FIND}; ${text}`))).toBe(expected);
});

test.each([
  [
    `async function open() { const a = ${FIND}; return a.docs; } async function f() { for (const d of await open()) drop(d); }`,
    'given all',
  ],
  [
    `const open = async () => (${FIND}).docs; async function f() { const found = await open(); return found.length; }`,
    'given counted',
  ],
  [`const open = () => shop.find({ selector: {} }); open().then(({ docs }) => docs.forEach(drop));`, 'given all given'],
  [
    `class A { async open() { return ${FIND}; } async f() { const { docs } = await this.open(); return docs.length; } }`,
    'given counted',
  ],
  [
    `class A { async open() { return ${FIND}; } async f() { const { docs } = await other.open(); return docs.length; } }`,
    'given',
  ],
  [
    `async function open() { return ${FIND}; } async function f() { return await open(); } f().then((a) => a.docs.length);`,
    'given given counted',
  ],
])('callers in the file count: %s', async (text, expected) => {
  expect(await usesIn(text)).toBe(expected);
});

test('functions that call each other in a circle end', async () => {
  const text = `async function a() { const x = ${FIND}; return x.docs ?? b(); } async function b() { return a(); }`;
  expect(await usesIn(text)).toMatch(/^given/);
});
