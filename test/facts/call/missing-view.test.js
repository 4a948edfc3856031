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
/** Code that writes the document into the database that it queries. */
const DEPLOY = `${SHOP}exports.deploy = () => shop.insert(${JSON.stringify(ORDERS)});\n`;

const TOWN = "shop.view('orders', 'by_town')";

/**
 * @param {string} call
 * @param {Record<string, string | object>} [files]
 * @returns {Promise<string[]>} outcomes and lines
 */
async function found(call, files = { 'src/deploy.js': DEPLOY }) {
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
    const project = createProject({ 'orders.js': `${SHOP}shop.view('orders', 'by_town');\n`, 'deploy.js': DEPLOY });
    const { stdout } = await project.run(['lint', '--rule', 'call/missing-view']);
    expect(stdout).toContain('orders.js:3:1 warning call/missing-view#missing');
    expect(stdout).toContain('because: the design document does not have the view (deploy.js:3:');
  });
});

describe('a document is known to be deployed where the code writes it into that database', () => {
  const DOC = JSON.stringify(ORDERS);
  test.each([
    ['by a constant', `const orders = ${DOC};\nshop.insert(orders);`],
    ['with the id as an argument', `shop.insert({ views: ${JSON.stringify(views('by_date'))} }, '_design/orders');`],
    ['with others', `shop.bulk({ docs: [{ _id: 'a' }, ${DOC}] });`],
  ])('%s', async (_, code) => {
    expect(await found(TOWN, { 'src/deploy.js': `${SHOP}${code}\n` })).toEqual([expect.stringContaining('missing: ')]);
  });
});

describe('nothing is reported', () => {
  test.each([
    ['of a document in a file, which may be for another database', TOWN, { 'design/orders.json': ORDERS }],
    ['of a document that is written into another database', TOWN, { 'a.js': DEPLOY.replace("'shop'", "'archive'") }],
    ['of a document that is written into an unknown database', TOWN, { 'a.js': DEPLOY.replace("'shop'", 'name') }],
    ['of a document that a migration writes', TOWN, { 'migrations/1.js': DEPLOY }],
    ['where the database is unknown', "nano(url).use(name).view('orders', 'by_town')", undefined],
    [
      'where a file has the next version of the document',
      TOWN,
      { 'a.js': DEPLOY, 'b/orders.json': { _id: '_design/orders', views: views('by_town') } },
    ],
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
      'where views of the document come from elsewhere',
      TOWN,
      {
        'deploy.js': DEPLOY,
        'ddoc.js': `const more = require('more');\nmodule.exports = {_id: '_design/orders', views: {...more, a: {map: ${MAP}}}};`,
      },
    ],
    [
      'where members of the document come from elsewhere',
      TOWN,
      {
        'deploy.js': DEPLOY,
        'ddoc.js': `module.exports = {...require('more'), _id: '_design/orders', filters: {a: ${MAP}}};`,
      },
    ],
    [
      'where names of views are computed',
      TOWN,
      {
        'deploy.js': DEPLOY,
        'ddoc.js': `module.exports = {_id: '_design/orders', views: {a: {map: ${MAP}}, [name()]: {map: ${MAP}}}};`,
      },
    ],
    [
      'where a document without a literal id has it',
      TOWN,
      {
        'deploy.js': DEPLOY,
        'ddoc.js': `module.exports = {_id: '_design/' + name, views: {by_town: {map: ${MAP}}}};`,
      },
    ],
  ])('%s', async (_, call, files) => {
    expect(await found(call, files)).toEqual([]);
  });

  test('in a migration', async () => {
    const files = { 'deploy.js': DEPLOY, 'migrations/2.js': `${SHOP}${TOWN};\n` };
    expect(await found('shop.info()', files)).toEqual([]);
  });
});
