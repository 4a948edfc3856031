// Whether the view that a call queries is in the design documents of the project.

import { describe, expect, test } from 'vitest';
import { createProject } from '../../helpers/temporary-project.js';

const SHOP = "const nano = require('nano');\nconst shop = nano(process.env.COUCHDB_URL).use('shop');\n";
const MAP = "function (doc) { if (doc.type === 'order') emit(doc.status, null); }";

/** @param {...string} names @returns {object} */
function views(...names) {
  return Object.fromEntries(names.map((name) => [name, { map: MAP }]));
}

const ORDERS = { _id: '_design/orders', views: { ...views('by_status', 'by_date'), lib: { shop: 'exports.a = 1;' } } };

/**
 * @param {string} call
 * @param {Record<string, string | object>} [files]
 * @returns {Promise<string[]>} outcomes and lines
 */
async function found(call, files = { 'design/orders.json': ORDERS }) {
  const project = createProject({ 'src/orders.js': `${SHOP}${call};\n`, ...files });
  const { stdout } = await project.run(['lint', '--rule', 'call/missing-view', '--format', 'json']);
  return JSON.parse(stdout).findings.map((/** @type {any} */ { outcome, advice }) => `${outcome}: ${advice}`);
}

describe('a view that is not there is reported', () => {
  test.each([
    ['with the name that is near', "shop.view('orders', 'by_staus')", 'misspelt: Query `by_status` if'],
    ['in another case', "shop.view('orders', 'BY_STATUS', { limit: 5 })", 'misspelt: Query `by_status` if'],
    ['with the prefix of its document', "shop.view('_design/orders', 'by_town')", 'missing: Add `by_town`'],
    ['as a stream', "shop.viewAsStream('orders', 'by_town')", 'missing: Add `by_town`'],
    ['where it is the library', "shop.view('orders', 'lib')", 'missing: Add `lib`'],
    ['in PouchDB', "new (require('pouchdb'))('shop').query('orders/by_town')", 'missing: Add `by_town`'],
    ['in PouchDB with one name', "new (require('pouchdb'))('shop').query('orders')", 'missing: Add `orders`'],
  ])('%s', async (_, call, expected) => {
    const [finding, ...others] = await found(call);
    expect(others).toEqual([]);
    expect(finding).toContain(expected);
  });

  test('at the call, with the place of the design document', async () => {
    const project = createProject({
      'orders.js': `${SHOP}shop.view('orders', 'by_town');\n`,
      'design/orders.json': ORDERS,
    });
    const { stdout } = await project.run(['lint', '--rule', 'call/missing-view']);
    expect(stdout).toContain('orders.js:3:1 warning call/missing-view#missing');
    expect(stdout).toContain('because: the design document does not have the view (design/orders.json:2:');
  });
});

const TOWN = "shop.view('orders', 'by_town')";

describe('nothing is reported', () => {
  test.each([
    ['where it is there', "shop.view('orders', 'by_status')", undefined],
    ['of a document that is not in the project', "shop.view('stock', 'by_town')", undefined],
    ['where the name is computed', "shop.view('orders', name)", undefined],
    ['of a receiver that only its name shows', "db.view('orders', 'by_town')", undefined],
    ['of a receiver that only an option shows', "db.view('orders', 'by_town', { include_docs: true })", undefined],
    [
      'where another document of that id has it',
      TOWN,
      { 'a/orders.json': ORDERS, 'b/orders.json': { _id: '_design/orders', views: views('by_town') } },
    ],
    [
      'where the code queries that id in two databases',
      `${TOWN}; nano(url).use('archive').view('orders', 'by_status')`,
      undefined,
    ],
    [
      'where views of the document come from elsewhere',
      TOWN,
      {
        'ddoc.js': `const more = require('more');\nmodule.exports = {_id: '_design/orders', views: {...more, a: {map: ${MAP}}}};`,
      },
    ],
    [
      'where members of the document come from elsewhere',
      TOWN,
      { 'ddoc.js': `module.exports = {...require('more'), _id: '_design/orders', filters: {a: ${MAP}}};` },
    ],
    [
      'where names of views are computed',
      TOWN,
      { 'ddoc.js': `module.exports = {_id: '_design/orders', views: {a: {map: ${MAP}}, [name()]: {map: ${MAP}}}};` },
    ],
    [
      'where a document without a literal id has it',
      TOWN,
      {
        'orders.json': ORDERS,
        'ddoc.js': `module.exports = {_id: '_design/' + name, views: {by_town: {map: ${MAP}}}};`,
      },
    ],
  ])('%s', async (_, call, files) => {
    expect(await found(call, files)).toEqual([]);
  });

  test('in a migration', async () => {
    const files = { 'design/orders.json': ORDERS, 'migrations/2.js': `${SHOP}${TOWN};\n` };
    expect(await found('shop.info()', files)).toEqual([]);
  });
});
