// Design documents that a tool makes of programs and folders: what it changes, adds or leaves out is not held against them.

import { describe, expect, test } from 'vitest';
import { createProject } from '../helpers/temporary-project.js';

/** @import { Finding } from '../../lib/engine/findings/finding.js' */

/** @param {Finding[]} findings @returns {string[]} */
const codes = (findings) => findings.map(({ rule, outcome }) => `${rule}#${outcome}`);

/**
 * @param {Record<string, string | object>} files
 * @param {string} rule
 */
const lint = (files, rule) => createProject(files).lint(['--rule', rule]);

/** @param {string} map @param {string} [rest] of the program @returns {Record<string, string>} */
const program = (map, rest = '') => ({
  'stock.js': `exports._id = '_design/stock';\nexports.views = { by_shelf: { map: ${map} } };\n${rest}`,
});

describe('the name of a function', () => {
  const NAMED = 'function byShelf(doc) { if (doc.shelf) emit(doc.shelf, null); }';

  test('may be dropped on the way where it is a function of a program', async () => {
    const { findings, cannotTell } = await lint(program(NAMED), 'map/engine-incompatible');
    expect(codes(findings)).toEqual([]);
    expect(cannotTell).toEqual([]);
  });

  test.each([`${NAMED}.toString()`.replace('function', '(function').replace('}.', '}).'), `'' + ${NAMED}`])(
    'is sent where the program makes the text: %s',
    async (map) => {
      expect(codes((await lint(program(map), 'map/engine-incompatible')).findings)).toEqual([
        'map/engine-incompatible#name',
      ]);
    },
  );

  test('is an error of every request where CouchDB compiles the function at use', async () => {
    const files = { 'stock.json': { _id: '_design/stock', filters: { low: 'function low(doc) { return true; }' } } };
    const { findings } = await lint(files, 'map/engine-incompatible');
    expect(codes(findings)).toEqual(['map/engine-incompatible#name-at-use']);
    expect(findings[0]?.why).not.toContain('400');
  });
});

describe('a module below `views.lib` that does not parse', () => {
  const lib = { broken: 'exports.count = function (', first: "exports.second = require('./broken');" };
  /** @param {string} map @returns {Record<string, object>} */
  const document = (map) => ({ 'stock.json': { _id: '_design/stock', views: { lib, all: { map } } } });

  test.each([
    ['nothing loads it', 'function (doc) { emit(doc._id, null); }', []],
    ['a map loads it', "function (doc) { emit(require('views/lib/broken'), null); }", ['broken-module']],
    ['another module loads it', "function (doc) { emit(require('views/lib/first'), null); }", ['broken-module']],
    ['the path is computed', 'function (doc) { emit(require(doc.path), null); }', []],
  ])('%s', async (_, map, outcomes) => {
    const { findings } = await lint(document(map), 'map/engine-incompatible');
    expect(codes(findings)).toEqual(outcomes.map((outcome) => `map/engine-incompatible#${outcome}`));
  });
});

describe('modules that are not there', () => {
  const MAP = "function (doc) { emit(require('views/lib/prices').of(doc), null); }";
  const couchapp = { 'app/_id': '_design/stock', 'app/views/by_price/map.js': MAP };

  test.each(
    /** @type {[string, Record<string, string | object>, string[]][]} */ ([
      ['of a program, whose tool may add them', program(MAP), []],
      ['of a couchapp without such a folder', couchapp, []],
      ['of a couchapp with such a folder', { ...couchapp, 'app/views/lib/dates.js': '' }, ['missing']],
      ['of a document', { 'stock.json': { _id: '_design/stock', views: { all: { map: MAP } } } }, ['missing']],
    ]),
  )('%s', async (_, files, outcomes) => {
    const { findings } = await lint(files, 'map/require-scope');
    expect(codes(findings)).toEqual(outcomes.map((outcome) => `map/require-scope#${outcome}`));
  });

  test.each([
    ["require = function (field) { if (!doc[field]) throw { forbidden: field }; }; require('shelf');", []],
    ["function require(field) { if (!doc[field]) throw { forbidden: field }; } require('shelf');", []],
    ["require('shelf');", ['map/require-scope#missing-at-use']],
  ])('a validation function with %s', async (body, expected) => {
    const files = { 'stock.json': { _id: '_design/stock', validate_doc_update: `function (doc) { ${body} }` } };
    expect(codes((await lint(files, 'map/require-scope')).findings)).toEqual(expected);
  });
});

test.each([
  ['//!json templates.row', []],
  ['// !json templates.row', []],
  ['// !code lib/rows.js', []],
  ['// json templates.row', ['ddoc/uncompiled-function#unknown-name']],
])('a function of a program with %s', async (comment, expected) => {
  const shows = `exports.shows = { row: function (doc) {\n${comment}\nreturn templates.row + doc._id; } };`;
  const map = 'function (doc) { emit(doc._id, null); }';
  expect(codes((await lint(program(map, shows), 'ddoc/uncompiled-function')).findings)).toEqual(expected);
});

test('a macro in what CouchDB keeps is a comment', async () => {
  const show = 'function (doc) {\n//!json templates.row\nreturn templates.row; }';
  const files = { 'stock.json': { _id: '_design/stock', shows: { row: show } } };
  expect(codes((await lint(files, 'ddoc/uncompiled-function')).findings)).toEqual([
    'ddoc/uncompiled-function#unknown-name',
  ]);
});

test('a file in the folder `views` is left out by some tools and sent by others', async () => {
  const files = {
    'app/_id': '_design/stock',
    'app/views/all/map.js': 'function (doc) { emit(doc._id, null); }',
    'app/views/low.js': 'function (doc) { emit(doc.low, null); }',
  };
  const { findings } = await lint(files, 'ddoc/invalid-structure');
  expect(findings).toMatchObject([
    { outcome: 'loose-file', severity: 'warning', place: { file: 'app/views/low.js', line: 1 } },
  ]);
});

describe('one document that is there twice', () => {
  const MAP = 'function (doc) { emit(doc.tags.sort(), null); }';
  /** @param {string} map */
  const json = (map) => ({ _id: '_design/stock', views: { by_shelf: { map } } });

  test.each([
    ['stock.json', MAP, 1],
    ['stock.json', MAP.replace('tags', 'marks'), 2],
    ['other.json', MAP, 2],
  ])('%s with %s gives %i documents', async (name, map, count) => {
    const { read, findings, notes } = await lint({ ...program(MAP), [name]: json(map) }, 'map/mutates-doc');
    expect([read.designDocs, read.views, findings.length]).toEqual([count, count, count]);
    if (count === 1) expect(notes).toContainEqual({ path: name, reason: 'same design document as stock.js' });
  });
});

test('code that a macro pastes into several functions is reported once', async () => {
  const files = {
    'app/_id': '_design/stock',
    'app/lib/lines.js': 'for each (var line in doc.lines) send(line);',
    'app/shows/a.js': 'function (doc) {\n// !code lib/lines.js\n}',
    'app/shows/b.js': 'function (doc) {\n// !code lib/lines.js\n}',
  };
  const { findings } = await lint(files, 'map/engine-incompatible');
  expect(findings).toMatchObject([{ place: { file: 'app/lib/lines.js', line: 1 } }]);
  expect(findings[0]?.related).toMatchObject([{ place: { file: 'app/lib/lines.js' }, key: expect.any(String) }]);
});

describe('a script that sends a document to a server', () => {
  const MAP = 'function (doc) { if (doc.customer) emit(doc.customer, doc.total); }';
  const file = {
    'design/orders.json': { _id: '_design/orders', views: { by_customer: { map: MAP, reduce: '_sum' } } },
  };
  const couchapp = {
    'design/orders/_id': '_design/orders',
    'design/orders/views/by_customer/map.js': MAP,
    'design/orders/views/by_customer/reduce.js': '_sum',
  };
  /** @param {string} views */
  const script = (views) => ({
    'scripts/push.js': `const fs = require('fs');\nconst read = (name) => fs.readFileSync(name, 'utf8');\nmodule.exports = { _id: '_design/orders', views: ${views} };\n`,
  });
  const VIEWS = "{ by_customer: { map: read('design/orders/views/by_customer/map.js'), reduce: '_sum' } }";

  test.each([
    ['of a file', file, VIEWS],
    ['of a couchapp', couchapp, VIEWS],
    ['and leaves all of its views open', file, "JSON.parse(read('views.json'))"],
    ['with the language that it has anyway', file, `${VIEWS}, language: 'javascript'`],
    ['and spreads what it has read', file, "{ ...JSON.parse(read('views.json')) }"],
    ['and computes the names of its views', couchapp, "{ [name]: { map: read(name), reduce: '_sum' } }"],
  ])('is not another document: %s', async (_, document, views) => {
    const { read, notes } = await createProject({ ...document, ...script(views) }).lint();
    expect(read).toMatchObject({ designDocs: 1, views: 1 });
    expect(notes).toEqual([
      { path: 'scripts/push.js', reason: expect.stringMatching(/^same design document as design\/orders/) },
    ]);
  });

  test('is not another document where it fills the views in a loop, in TypeScript', async () => {
    const text = `import { readFileSync, readdirSync } from 'node:fs';
const ddoc: DesignDocument = { _id: '_design/orders', views: {} };
for (const name of readdirSync('design/orders/views')) {
  (ddoc.views as Views)[name] = { map: readFileSync(\`design/orders/views/\${name}/map.js\`, 'utf8') };
}
await db.insert(ddoc as any);
`;
    const { read } = await createProject({ ...couchapp, 'scripts/push.ts': text }).lint();
    expect(read).toMatchObject({ designDocs: 1, views: 1 });
  });

  test('two that leave the same open are two: neither is known to be a copy', async () => {
    const text = "export default { _id: '_design/orders', views: { [name]: { map: read(name), reduce: '_sum' } } };";
    const { read } = await createProject({ 'a/push.js': text, 'b/push.js': text }).lint();
    expect(read).toMatchObject({ designDocs: 2 });
  });

  test.each([
    ['it says otherwise', "{ by_customer: { map: read('a.js'), reduce: '_count' } }"],
    ['it has a view of its own', "{ by_date: { map: read('a.js') } }"],
    ['it leaves nothing open', `{ by_customer: { map: '${MAP}', reduce: '_sum' } }`],
  ])('is one where %s', async (_, views) => {
    expect((await createProject({ ...file, ...script(views) }).lint()).read.designDocs).toBe(2);
  });
});

describe('JavaScript that is compiled from TypeScript', () => {
  const source = `export const ddoc = { _id: '_design/orders', views: { by_status: {
  map: function (doc: any): void { emit(doc.status as string, doc); }.toString() } } };`;
  /** @param {string} view */
  const output = (view) => `"use strict";
exports.ddoc = { _id: '_design/orders', views: { ${view}: {
        map: function (doc) { emit(doc.status, doc); }.toString()
    } } };`;

  test.each(['src/orders.js', 'build/orders.js'])('is not another document: %s', async (path) => {
    const { read, notes, findings } = await lint(
      { 'src/orders.ts': source, [path]: output('by_status') },
      'view/emit-whole-doc',
    );
    expect(read).toMatchObject({ designDocs: 1, views: 1 });
    expect(notes).toEqual([{ path, reason: 'same design document as src/orders.ts' }]);
    expect(findings).toMatchObject([{ place: { file: 'src/orders.ts', line: 2 } }]);
  });

  test.each([
    ['src/orders.js', 'by_day'],
    ['build/old-orders.js', 'by_status'],
  ])('is one where it has another name or other views: %s with %s', async (path, view) => {
    const { read } = await lint({ 'src/orders.ts': source, [path]: output(view) }, 'view/emit-whole-doc');
    expect(read).toMatchObject({ designDocs: 2 });
  });
});
