// Pages of couchapps: their scripts are read, with the client that CouchDB gave them; copies of clients are not.

import { expect, test } from 'vitest';
import { createProject } from '../../helpers/temporary-project.js';

const APP = {
  'app/_id': '_design/app',
  'app/views/by_status/map.js': 'function (doc) { if (doc.status) emit(doc.status, null); }',
};
const OPEN = "var db = $.couch.db('shop');\n";

/** @param {Record<string, string>} files @returns {Promise<{findings: string[], calls: number}>} */
async function lint(files) {
  const project = createProject({ ...APP, ...files });
  const { stdout } = await project.run(['lint', '--format', 'json', '--rule', 'call/*', '--no-cache']);
  const { findings, read } = JSON.parse(stdout);
  return {
    findings: findings.map((/** @type {{rule: string, outcome: string}} */ one) => `${one.rule}#${one.outcome}`),
    calls: read.calls ?? 0,
  };
}

test('scripts of a couchapp are read', async () => {
  const { findings, calls } = await lint({
    'app/_attachments/page.js': `${OPEN}(function ($) {
  function show(ids) { ids.forEach(function (id) { db.openDoc(id, { success: draw }); }); }
  $('#all').click(function () { $.couch.db('stock').view('app/by_status', { include_docs: true, success: draw }); });
})(jQuery);`,
    'app/_attachments/menu.json': '{"_id": "_design/menu", "views": {"a": {"map": "broken("}}}',
  });
  expect(findings).toEqual(['call/get-in-loop#documents-one-by-one']);
  expect(calls).toBe(2);
});

test.each([
  ['a page', '<p>$.couch</p><!-- <script>$.couch.db("old").info()</script> -->\n<script src="a.js"></script>', '', 1],
  ['a page with data', '<script type="text/x-template">$.couch.db("a").info()</script>', ' type="module"', 1],
  ['what CouchApp gives', '', '', 1, "$.couch.app(function (app) { app.db.openDoc('1'); });"],
  ['what a server gives', '', '', 1, "$.couch.userDb(function (db) { db.openDoc('1'); });"],
  ['requests about the server', '', '', 2, '$.couch.allDbs(); $.couch.session();'],
])('scripts of %s are read', async (_, before, attributes, expected, code = `${OPEN}db.openDoc('1');`) => {
  const page = `<html>${before}<script${attributes}>\n${code}\n</script></html>`;
  expect(await lint({ 'app/_attachments/index.html': page })).toEqual({ findings: [], calls: expected });
});

test.each([
  ['of jQuery', "$.extend($.couch, { query: function (map) { return ajax({ url: this.uri + '_temp_view' }); } });"],
  ['of CouchDB', "function CouchDB(name, httpHeaders) {\n  this.request('POST', this.uri + '_temp_view', {});\n}"],
  [
    'of PouchDB',
    "//    (c) 2012-2018 Dale Harvey and the PouchDB team\n\nfetch(host + '/shop/_temp_view', { method: 'POST' });",
  ],
])('a copy of the client %s is not judged', async (_, text) => {
  expect(await lint({ 'app/_attachments/client.js': text })).toEqual({ findings: [], calls: 0 });
});

test.each([
  ['a name', 'var options = { include_docs: true, success: draw };', 'options'],
  ['a spread', '', '{ ...more, include_docs: true }'],
  ['a function of jQuery', '', '$.extend({ success: draw }, { include_docs: true })'],
])('what becomes of an answer is unknown where options are %s', async (_, before, options) => {
  const code = `${OPEN}${before}\nfunction load() { db.view('app/by_status', ${options}); }`;
  expect((await lint({ 'app/_attachments/page.js': code })).findings).toEqual([]);
});

test('an answer that nothing gets is reported', async () => {
  const code = `${OPEN}function load() { db.view('app/by_status', { include_docs: true }).then(function (body) { body.rows.forEach(function (row) { show(row.key); }); }); }`;
  expect((await lint({ 'app/_attachments/page.js': code })).findings).toEqual(['call/include-docs#not-used']);
});

test('programs beside the functions of a couchapp are read, functions and the libraries of CouchApp are not', async () => {
  const READ = 'db.openDoc(id, { success: draw });';
  const { calls } = await lint({
    'app/evently/orders/click.js': 'function (e, id) {\n  $$(this).app.db.openDoc(id, { success: draw });\n}',
    'app/scripts/load.js':
      "const db = require('nano')('http://localhost:5984').use('shop');\nexports.load = (id) => db.get(id);",
    'app/vendor/shop/_attachments/shop.js': OPEN + READ,
    'app/push.js': OPEN + READ,
    'app/vendor/couchapp/lib/cache.js': OPEN + READ,
    'app/lists/orders.js': `function (head, req) { ${OPEN + READ} }`,
    'app/validate_doc_update.js': `function (doc) { ${OPEN + READ} }`,
  });
  expect(calls).toBe(4);
});
