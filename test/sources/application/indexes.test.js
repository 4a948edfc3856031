// Mango indexes that code creates: those whose definition is literal are read, the others are known to be there.

import { describe, expect, test } from 'vitest';
import { member } from '../../helpers/internals.js';
import { plain } from '../../helpers/memory-tree.js';
import { openTexts } from '../../helpers/read-source.js';

/** @import { MangoIndexRecord } from '../../../lib/sources/record.js' */

const SHOP = "const shop = require('nano')(process.env.COUCHDB_URL).use('shop');\n";

/**
 * @param {string} text
 * @returns {Promise<MangoIndexRecord[]>}
 */
async function indexesIn(text) {
  const { records } = await openTexts({ 'shop.js': text });
  return records.filter((record) => record.kind === 'mango-index');
}

describe('an index is read', () => {
  test.each([
    [
      'of nano',
      `${SHOP}shop.createIndex({ index: { fields: ['type', { date: 'desc' }] }, ddoc: 'orders', name: 'by-date', type: 'json' });`,
      ['by-date', 'orders', { fields: ['type', { date: 'desc' }] }, 'database shop'],
    ],
    [
      'with a filter',
      `${SHOP}shop.createIndex({ index: { fields: ['date'], partial_filter_selector: { type: 'order' } } });`,
      [null, null, { fields: ['date'], partial_filter_selector: { type: 'order' } }, 'database shop'],
    ],
    [
      'with a name for its definition',
      `${SHOP}const FIELDS = ['type'];\nshop.createIndex({ index: { fields: FIELDS } });`,
      [null, null, { fields: ['type'] }, 'database shop'],
    ],
    [
      'of PouchDB, in the short form',
      "const db = new (require('pouchdb'))('https://db.shop.example/shop');\ndb.createIndex({ fields: ['type'], name: 'types' });",
      ['types', null, { fields: ['type'] }, 'database shop'],
    ],
    [
      'of IBM Cloudant',
      "import { CloudantV1 } from '@ibm-cloud/cloudant';\nconst c = CloudantV1.newInstance({});\nc.postIndex({ db: 'shop', ddoc: 'orders', name: 'open', index: { fields: [{ date: 'asc' }], partialFilterSelector: { open: true } } });",
      ['open', 'orders', { fields: [{ date: 'asc' }], partial_filter_selector: { open: true } }, 'database shop'],
    ],
  ])('%s', async (_, text, expected) => {
    const [record, ...others] = await indexesIn(text);
    expect(others).toEqual([]);
    const { name, ddoc, node, group, isInCode } = /** @type {NonNullable<typeof record>} */ (record);
    const index = member(node, 'index');
    expect([name, ddoc, index && plain(index), group]).toEqual(expected);
    expect(isInCode).toBe(true);
    expect(node.isOpen).toBeFalsy();
    expect(text.slice(node.start, node.end)).toMatch(/^\{.*\}$/s);
  });

  test('each at its own place, of databases that are computed', async () => {
    const call = "nano(url).use(name).createIndex({ index: { fields: ['type'] } });\n";
    const records = await indexesIn(`const nano = require('nano');\n${call}${call}`);
    expect(new Set(records.map(({ group }) => group)).size).toBe(2);
  });
});

describe('that there is an index is known', () => {
  test.each([
    [
      'where PouchDB may be anywhere',
      "const db = new (require('pouchdb'))(name);\ndb.createIndex({ index: { fields: ['type'] } });",
    ],
    ['where it is computed', `${SHOP}shop.createIndex(index);`],
    ['where its fields are computed', `${SHOP}shop.createIndex({ index: { fields } });`],
    ['where one of its fields is computed', `${SHOP}shop.createIndex({ index: { fields: ['type', field] } });`],
    ['where its name is computed', `${SHOP}shop.createIndex({ index: { fields: ['type'] }, name });`],
    ['where more is spread into it', `${SHOP}shop.createIndex({ ...more, index: { fields: ['type'] } });`],
    ['of an unknown receiver', `${SHOP}shop.info(); other.createIndex({ index: { fields: ['type'] } });`],
    ['in a request', `${SHOP}shop.info(); post('/shop/_index', { index: { fields: ['type'] } });`],
  ])('%s', async (_, text) => {
    const records = await indexesIn(text);
    expect(records.map(({ node, name }) => [node.isOpen, node.entries.length, name])).toEqual([[true, 0, null]]);
  });
});

test.each([
  ['in PouchDB itself', "new (require('pouchdb'))('shop').createIndex({ index: { fields: ['type'] } });"],
  ['of IndexedDB', `${SHOP}shop.info(); store.createIndex('seq', 'seq', { unique: true });`],
  ['of a project without CouchDB', 'orders.createIndex({ email: 1 });'],
])('an index %s is none of the project', async (_, text) => {
  expect(await indexesIn(text)).toEqual([]);
});
