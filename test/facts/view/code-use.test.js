// The use of views by the code of the application, beside logs that do not show it.

import { describe, expect, test } from 'vitest';
import { line } from '../../helpers/logged-facts.js';
import { createProject } from '../../helpers/temporary-project.js';

const ORDERS = {
  _id: '_design/orders',
  views: {
    by_date: { map: "function (doc) { if (doc.type === 'order') emit(doc.date, null); }" },
    by_status: { map: "function (doc) { if (doc.type === 'order') emit(doc.status, 1); }", reduce: '_sum' },
  },
};
const CLIENT = "const shop = require('nano')(process.env.COUCHDB_URL).use('shop');\n";
const DAYS = 10;

/**
 * @param {string | undefined} code of the application
 * @param {string} request of the logs
 * @returns {ReturnType<typeof createProject>} with logs of ten days in which nobody queries `by_status`
 */
function project(code, request = 'GET /shop/_design/orders/_view/by_date?limit=5 200 5') {
  const lines = [line(request, 0), line(request, DAYS * 24 * 60 * 60)];
  return createProject({
    'orders.json': ORDERS,
    'couch.log': `${lines.join('\n')}\n`,
    ...(code === undefined ? {} : { 'lib/shop.js': code, 'lib/other.js': "import './shop.js';\n" }),
  });
}

/**
 * @param {string | undefined} code
 * @returns {Promise<string>} the finding about `by_status`, if there is one
 */
async function unused(code) {
  const { stdout } = await project(code).run(['lint', '--log', 'couch.log', '--rule', 'view/unused']);
  return stdout.replace(/\s+/g, ' ');
}

describe('view/unused', () => {
  test.each([
    ['no code', undefined, 'Searched: 2 requests from 2026-03-02 to 2026-03-12.'],
    [
      'code that queries another view',
      `${CLIENT}shop.view('orders', 'by_date', {});`,
      'Searched: 2 requests from 2026-03-02 to 2026-03-12, and 2 files of code.',
    ],
    ['code that computes names in another design document', `${CLIENT}shop.view('stock', name);`, '2 files of code'],
  ])('is reported with %s', async (_, code, searched) => {
    const text = await unused(code);
    expect(text).toContain('`by_status` was not queried in 10 days');
    expect(text).toContain(searched);
  });

  test.each([
    ['a call', `${CLIENT}shop.view('orders', 'by_status', { limit: 5 });`],
    ['a call of an unknown receiver', "import x from './x';\nx.db.view('orders', 'by_status');"],
    ['a path', "import x from './x';\nx.load('orders/by_status');"],
    ['a URL', "import x from './x';\nx.get('/shop/_design/orders/_view/by_status');"],
    ['a computed name of a view', `${CLIENT}shop.view('orders', name);`],
    ['computed names', `${CLIENT}shop.view(ddoc, name, { limit: 5 });`],
    ['computed names of an unknown receiver', "import couch from './couch';\ncouch.view(ddoc, name);"],
  ])('is silent where the code has %s', async (_, code) => {
    expect(await unused(code)).not.toContain('by_status');
  });

  test('says why it cannot tell where a name is computed', async () => {
    const code = `${CLIENT}shop.view('orders', name);`;
    const args = ['lint', '--log', 'couch.log', '--format', 'json'];
    const { cannotTell } = JSON.parse((await project(code).run(args)).stdout);
    expect(cannotTell.find((/** @type {any} */ { rule }) => rule === 'view/unused')).toMatchObject({
      subject: { view: 'by_status' },
      fact: 'view.isQueriedByCode',
      reason: 'the code at lib/shop.js:2 may query it: it computes a name, or the design document has none',
    });
  });

  test('does not advise to delete a design document that code queries', async () => {
    const code = `${CLIENT}shop.view('orders', 'by_date');`;
    const stock = { _id: '_design/stock', views: { all: { map: 'function (doc) { emit(doc.sku, null); }' } } };
    const files = project(code, 'GET /shop/_design/stock/_view/all 200 5');
    files.write({ 'stock.json': stock });
    const { stdout } = await files.run(['lint', '--log', 'couch.log', '--rule', 'view/unused']);
    expect(stdout).toContain('view/unused#code-asks-others');
    expect(stdout).not.toContain('view/unused#nobody-asks-any');
  });
});

test('a view of a document without an id is not called unused', async () => {
  const files = project(`${CLIENT}shop.view('stock', 'all');`);
  files.write({ 'stock.json': { views: { by_sku: { map: 'function (doc) { emit(doc.sku, null); }' } } } });
  const { stdout } = await files.run(['lint', '--log', 'couch.log', '--rule', 'view/unused']);
  expect(stdout).toContain('`by_status` was not queried');
  expect(stdout).not.toContain('by_sku');
});

test('without logs no view is called unused, whatever the code queries', async () => {
  const { stdout } = await project(`${CLIENT}shop.view('orders', 'by_date');`).run(['lint']);
  expect(stdout).not.toContain('view/unused');
});

describe('the reduce of a view', () => {
  test.each([
    ['is used by a query without `reduce`', "shop.view('orders', 'by_status', { group: true })", true],
    ['is used by a query with `reduce: true`', "shop.view('orders', 'by_status', { reduce: true })", true],
    ['is not used with `reduce: false`', "shop.view('orders', 'by_status', { reduce: false })", false],
    ['may be used where options come from elsewhere', "shop.view('orders', 'by_status', options)", undefined],
    ['may be used where only the name is known', "load('orders/by_status')", undefined],
    ['is not used where another view is queried', "shop.view('orders', 'by_date')", false],
  ])('%s', async (_, call, value) => {
    const args = ['facts', '.', '--log', 'couch.log', '--format', 'json'];
    const { subjects } = JSON.parse((await project(`${CLIENT}${call};`).run(args)).stdout);
    const view = subjects.find((/** @type {any} */ subject) => subject.kind === 'view' && subject.view === 'by_status');
    expect(view.facts['view.isReducedByCode'].value).toBe(value);
  });
});
