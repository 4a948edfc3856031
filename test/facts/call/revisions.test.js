// Facts about the revisions that a database of PouchDB keeps, and whether the code replicates it.

import { describe, expect, test } from 'vitest';
import { createProject } from '../../helpers/temporary-project.js';

/**
 * @param {Record<string, string>} files
 * @returns {Promise<unknown[]>} limit and whether it is replicated, of what is opened; undefined where that is not known or there is no such call
 */
async function revisionsIn(files) {
  const { stdout } = await createProject(files).run(['facts', '--format', 'json']);
  const subjects = stdout.startsWith('{') ? JSON.parse(stdout).subjects : [];
  const opened = subjects.find((/** @type {{facts: Record<string, {value?: unknown}>}} */ { facts }) => {
    return facts['call.method']?.value === 'connect';
  });
  return ['revsLimit', 'databaseIsReplicated'].map((id) => opened?.facts[`call.${id}`]?.value);
}

const HEAD = "const PouchDB = require('pouchdb');\n";

describe('the limit of revisions', () => {
  test.each([
    ["new PouchDB('stock', { revs_limit: 1 }).sync(url);", [1, true]],
    ["const db = new PouchDB({ name: 'stock', revs_limit: 5 }); db.replicate.to(url);", [5, undefined]],
    ["const LIMIT = 3; const db = new PouchDB('stock', { revs_limit: LIMIT }); db.replicate.from(url);", [3, true]],
    ["new PouchDB('stock', { revs_limit: 1 }); PouchDB.sync('stock', url);", [1, true]],
    ["new PouchDB('stock', { revs_limit: 1 }); PouchDB.replicate(url, 'stock');", [1, true]],
    ["new PouchDB('stock', { revs_limit: 1 }); new PouchDB('orders').sync(url);", [1, false]],
    ["new PouchDB('stock', { revs_limit: 1 });", [1, false]],
    ["new PouchDB('stock', { revs_limit: limit() }).sync(url);", [undefined, true]],
    ['new PouchDB(name, { revs_limit: 1 }).sync(url);', [1, undefined]],
    ["new PouchDB('http://db.shop.io/stock', { revs_limit: 1 }).sync(url);", [1000, undefined]],
    ["new PouchDB('stock', { auto_compaction: true }).sync(url);", [undefined, undefined]],
  ])('%s', async (code, expected) => {
    expect(await revisionsIn({ 'a.js': HEAD + code })).toEqual(expected);
  });

  test('of a database that another file replicates', async () => {
    const files = {
      'database.mjs': "import PouchDB from 'pouchdb';\nexport const stock = new PouchDB('stock', { revs_limit: 2 });",
      'sync.mjs': "import { stock } from './database.mjs';\nstock.sync(process.env.COUCHDB_URL);",
    };
    expect(await revisionsIn(files)).toEqual([2, true]);
  });
});
