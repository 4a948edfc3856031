// Facts about how much a call reads, and what the program does with the list that comes back.

import { expect, test } from 'vitest';
import { createProject } from '../../helpers/temporary-project.js';

const SHOP = "const nano = require('nano');\nconst shop = nano(process.env.COUCHDB_URL).use('shop');\n";

/**
 * @param {string} code of a function
 * @param {string} [head] what stands before it
 * @returns {Promise<Record<string, unknown>>} facts of its last call by their ids; `unknown` for the others
 */
async function factsOf(code, head = SHOP) {
  const { stdout } = await createProject({ 'a.js': `${head}async function f(id, page, size) {\n${code}\n}\n` }).run([
    'facts',
    '--format',
    'json',
  ]);
  const call = JSON.parse(stdout).subjects.findLast((/** @type {{kind: string}} */ { kind }) => kind === 'call');
  return Object.fromEntries(
    Object.entries(/** @type {Record<string, {value?: unknown}>} */ (call.facts)).map(([id, { value = 'unknown' }]) => {
      return [id, Array.isArray(value) ? value.map((item) => item.value ?? item) : value];
    }),
  );
}

test.each([
  ['const { docs } = await shop.find({ selector: {} }); docs.forEach(print);', { 'call.listUse': 'all' }],
  ['const { docs } = await shop.find({ selector: {} }); docs.forEach((doc) => print(doc));', { 'call.listUse': 'all' }],
  ['return (await shop.find({ selector: {} })).docs.length;', { 'call.listUse': 'counted' }],
  ['return (await shop.find({ selector: {} })).docs[0].total;', { 'call.listUse': 'one' }],
  ['return (await shop.find({ selector: {} })).docs.length > 0;', { 'call.listUse': 'none' }],
  ['return shop.find({ selector: {} });', { 'call.listUse': 'unknown' }],
  [
    'await shop.find({ selector: { _id: id }, bookmark });',
    {
      'call.continues': true,
      'call.selectsOneId': true,
      'call.findInPages': 'shop.find({ selector, limit: 200, bookmark })',
    },
  ],
  ['await shop.find({ selector: { _id: { $eq: id } } });', { 'call.continues': false, 'call.selectsOneId': true }],
  ["await shop.find({ selector: { _id: { $gt: 'order' } } });", { 'call.selectsOneId': false }],
  ['await shop.find({ selector: { type: 1 }, skip: 20 });', { 'call.selectsOneId': false, 'call.continues': true }],
  ['await shop.find({ selector });', { 'call.selectsOneId': 'unknown' }],
  ['await shop.find(query);', { 'call.selectsOneId': 'unknown', 'call.continues': 'unknown' }],
  [
    "await shop.partitionedFind('a', { selector: {} });",
    { 'call.findInPages': 'shop.partitionedFind(partition, { selector, limit: 200, bookmark })' },
  ],
])('%s', async (code, expected) => {
  expect(await factsOf(code)).toMatchObject(expected);
});
