// `upgrade` compares two versions of CouchDB for what is read; its table of changes is sound.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { readBundledRules } from '../../lib/engine/bundled-rules.js';
import { createProject } from '../helpers/temporary-project.js';

const ROOT = path.resolve(import.meta.dirname, '../..');
const read = (/** @type {string} */ file) => JSON.parse(readFileSync(path.join(ROOT, file), 'utf8'));
/** @typedef {import('../../lib/cli/commands/upgrade/changes.js').Change} Change */
/** @type {Change[]} */
const changes = read('share/upgrade/changes.json').changes;
/** @type {import('../../lib/cli/commands/upgrade/changes.js').OptionTable} */
const table = read('share/upgrade/options.json');
/** @param {Change} change @returns {any[]} */
const detectorsOf = ({ detector }) => (Array.isArray(detector) ? detector : [detector]);

/**
 * @param {Record<string, string | object>} files
 * @param {string[]} argv
 * @returns {Promise<{exitCode: number, stderr: string, items: import('../../lib/reports/upgrade.js').CheckItem[], defaults: {section: string, key: string, isSet: boolean}[], from: {version: string}, to: {version: string}, states: Record<string, string>}>}
 */
async function upgrade(files, argv) {
  const { stdout, stderr, exitCode } = await createProject(files).run(['upgrade', ...argv, '--format', 'json']);
  const result = stdout === '' ? { items: [] } : JSON.parse(stdout);
  const states = Object.fromEntries(result.items.map((/** @type {any} */ { id, state }) => [id, state]));
  return { ...result, exitCode, stderr, states };
}

const view = (/** @type {string} */ map) => ({ _id: '_design/orders', views: { by_day: { map } } });

describe('the table of changes', () => {
  test('keeps to its schema', () => {
    const check = new Ajv({ allErrors: true, allowUnionTypes: true, formats: { regex: true } }).compile(
      read('share/schemas/changes.schema.json'),
    );
    check({ changes });
    expect(check.errors).toBeNull();
    expect(new Set(changes.map(({ id }) => id)).size).toBe(changes.length);
  });

  test.each(changes.map((change) => /** @type {const} */ ([change.id, change])))(
    '%s has a detector, or a reason why there is none',
    (_, change) => {
      const rules = new Set(readBundledRules().map(({ id }) => id));
      const all = detectorsOf(change);
      for (const detector of all) {
        const { inBoth, ...ways } = detector;
        expect(Object.keys(ways)).toHaveLength(1);
        if (detector.rule) expect(rules).toContain(detector.rule);
        for (const pattern of [detector.code, detector.text]) expect(() => new RegExp(pattern ?? '')).not.toThrow();
        if (detector.default) {
          const [section, key] = detector.default.split('/');
          expect(table.options[section]?.[key]).toBeDefined();
        }
      }
      expect(all.length).toBeGreaterThan(0);
    },
  );

  test('each row names versions on which it was tried, or why there are none', () => {
    const wrong = changes.filter(({ triedOn, notTried }) => triedOn.length > 0 === (notTried !== undefined));
    expect(wrong.map(({ id }) => id)).toEqual([]);
  });
});

describe('the table of options', () => {
  test('is small, and knows what 3.5 made of options of 1.x', () => {
    expect(JSON.stringify(table).length).toBeLessThan(60_000);
    expect(table.releases.at(-1)).toBe('3.5.2');
    expect(table.options['cluster']?.['q']).toEqual([20, '8', 27, '2']);
    expect(table.options['couchdb']?.['delayed_commits']?.slice(-4)).toEqual([27, null, 27, 0]);
  });
});

describe('upgrade', () => {
  test('reports what only the new engines refuse, and a name outside of its block', async () => {
    const files = {
      'a.json': view('function (doc) { for each (var item in doc.items) emit(item, null); }'),
      'b.json': view('function (doc) { if (doc.total) { const total = doc.total; } emit(total, null); }'),
    };
    const { states, exitCode, from, to } = await upgrade(files, ['--from', '2.3']);
    expect(states).toMatchObject({ 'engine-refuses': 'found', 'map/undeclared-name#map-throws': 'found' });
    expect([exitCode, from.version, to.version]).toEqual([1, '2.3.1', '3.5.2']);
  });

  test('finds nothing for a sound project, and lists what is checked by hand', async () => {
    const files = { 'a.json': view('function (doc) { emit(doc.day, null); }') };
    const { items, exitCode } = await upgrade(files, ['--from', '3.4.3', '--to', '3.5']);
    expect(items.filter(({ state }) => state === 'found').map(({ id }) => id)).toEqual([]);
    expect(items.filter(({ state }) => state === 'by-hand').map(({ id }) => id)).toEqual(
      expect.arrayContaining(['backup', 'one-node-at-a-time', 'check-after']),
    );
    expect(exitCode).toBe(0);
  });

  test('reads requests, calls and the text of code', async () => {
    const line = (/** @type {string} */ request) =>
      `[notice] 2026-11-01T10:00:00.000000Z couchdb@127.0.0.1 <0.1.0> aaaa000001 localhost:5984 127.0.0.1 shop ${request} 200 ok 12\n`;
    const files = {
      'couch.log': ['GET /_log', 'GET /_config', 'GET /shop/_all_docs', 'POST /_replicate'].map(line).join(''),
      'app.js':
        "import nano from 'nano';\nconst shop = nano('http://localhost:5984').use('shop');\nshop.info().then((info) => console.log(info.disk_size));\n",
    };
    const { states, items } = await upgrade(files, ['--from', '1.6', '--log', 'couch.log', 'app.js']);
    expect(states).toMatchObject({
      'through-2.3.1': 'by-hand',
      'log-endpoint': 'found',
      'node-endpoints': 'found',
      'replicate-login': 'found',
      'all-dbs-admin': 'clear',
      'database-sizes': 'found',
      'all-or-nothing': 'clear',
    });
    expect(items.find(({ id }) => id === 'database-sizes')?.evidence[0]?.place).toMatchObject({
      file: 'app.js',
      line: 3,
    });
  });

  const SWITCHED = ['--from', '3.3', '--from-engine', 'spidermonkey-78', '--engine', 'quickjs'];
  /** @param {Record<string, unknown>} designDoc @param {string[]} [argv] @returns {Promise<{shown: string[], open: string[]}>} */
  async function answers(designDoc, argv = SWITCHED) {
    const { items } = await upgrade({ 'a.json': { _id: '_design/orders', ...designDoc } }, argv);
    const textsOf = (/** @type {string} */ id) =>
      items.find((item) => item.id === id)?.evidence.map(({ text }) => text) ?? [];
    return { shown: textsOf('engine-answers'), open: textsOf('engine-answers-open') };
  }

  test('looks into modules that a function loads, wherever they are in the document', async () => {
    const { shown, open } = await answers({
      lib: {
        page: 'exports.render = function (text) { return new Function("row", text); };',
        other: 'exports.one = function () { return 1; }; exports.two = function (text) { return eval(text); };',
        unused: 'exports.render = function (text) { return eval(text); };',
      },
      shows: {
        page: "function (doc, req) { return require('lib/page').render('return 1')(); }",
        other: "function (doc, req) { if (req.query.all == 'yes') return require('lib/other').two('1'); return ''; }",
      },
    });
    expect(shown).toEqual(['`shows.page` of `orders`: `{}` gives an error in SpiderMonkey 78 and `[1]` in QuickJS']);
    // It is called for a request that was not made.
    expect(open).toEqual([
      "`lib.other` of `orders` has `eval(text)` in a part that may never be called: `eval('1 + 1')` is an error in SpiderMonkey 78 and 2 in QuickJS",
    ]);
  });

  test('names functions that no longer see what their modules add to built-in objects', async () => {
    const designDoc = {
      lib: {
        days: 'Date.prototype.inDays = function () { return 1; }; exports.own = function () { return new Date().inDays(); };',
        text: "String.prototype.initial = function () { return this.charAt(0); }; exports.first = function () { return 'a'.initial(); };",
      },
      shows: {
        direct: "function (doc, req) { require('lib/days'); return String(new Date(0).inDays()); }",
        own: "function (doc, req) { return String(require('lib/days').own() + require('lib/text').first()); }",
      },
      // A module sends rows, as the function does.
      views: { by_day: { map: 'function (doc) { if (doc.day) emit(doc.day, null); }' } },
      lists: { rows: "function (head, req) { require('lib/rows').sendAll(); }" },
    };
    Object.assign(designDoc.lib, {
      rows: 'exports.sendAll = function () { var row; while ((row = getRow())) send(row.key); };',
    });
    const loads = 'loads modules, which have built-in objects and global names of their own in QuickJS';
    expect(await answers(designDoc)).toEqual({
      shown: [
        `\`shows.direct\` of \`orders\` ${loads}: \`{}\` gives \`["1"]\` in SpiderMonkey 78 and an error in QuickJS`,
      ],
      open: [],
    });
    // A request that was not made may lead there.
    const { open } = await answers({
      ...designDoc,
      shows: {
        some: "function (doc, req) { var text = require('lib/text'); return req.query.all == 'yes' ? req.path.initial() : 'none'; }",
      },
    });
    expect(open).toEqual([expect.stringContaining('`lib.text` of `orders` has `String.prototype.initial`')]);
  });

  test('says nothing of what both engines refuse', async () => {
    const files = { 'a.json': view('function (doc) { for each (var item in doc.items) emit(item, null); }') };
    const { items } = await upgrade(files, [
      ...['--from', '3.2.3', '--from-engine', 'spidermonkey-78', '--engine', 'quickjs'],
    ]);
    expect(items.filter(({ state }) => state === 'found').map(({ id }) => id)).toEqual([]);
  });

  test.each([
    ['stops before that in the old one', "var rule = eval('(' + doc.rule + ')'); return uneval(rule);", []],
    ['stops there in the new one', 'return uneval(doc);', ['engine-refuses']],
    ['may not stop in the old one', 'if (doc.rule) doc.rule = eval(doc.rule); return uneval(doc);', ['engine-refuses']],
    ['is refused as a whole', 'eval(doc.code); for each (var item in doc) log(item);', []],
  ])('compares where a function stops in both engines: one that %s', async (_, code, expected) => {
    const files = { 'a.json': { _id: '_design/orders', shows: { page: `function (doc) { ${code} }` } } };
    const { items } = await upgrade(files, SWITCHED);
    const found = items.filter(({ state }) => state === 'found').map(({ id }) => id);
    expect(found.filter((id) => id === 'engine-refuses')).toEqual(expected);
  });

  test('shows a document for which the engine of today and the one to come answer differently', async () => {
    const views = {
      initial: { map: 'function (doc) { if (/^(.)/.test(doc.name)) emit(RegExp.$1, null); }' },
      by_day: { map: 'function (doc) { if (!isNaN(new Date(doc.day))) emit(doc.day, parseInt(doc.n)); }' },
      // The same in both engines.
      weekday: { map: 'function (doc) { if (doc.day) emit(new Date(doc.day).toString().slice(0, 3), null); }' },
    };
    const { shown, open } = await answers({ views });
    expect(shown).toEqual([
      expect.stringMatching(
        /^`views\.initial\.map` of `orders` has `RegExp\.\$1`: `\{"name":"(.).*"\}` gives `emit\("\1", null\)` in SpiderMonkey 78 and `emit\(null, null\)` in QuickJS$/,
      ),
      expect.stringMatching(
        /has `isNaN\(new Date\(doc\.day\)\)`: `\{"day":"2019-02-31","n":.*\}` gives no row in SpiderMonkey 78 and `emit\("2019-02-31", .*\)` in QuickJS$/,
      ),
    ]);
    expect(open).toEqual([]);
    expect((await answers({ views }, ['--from', '2.3'])).shown).toEqual([
      expect.stringMatching(
        /has `parseInt\(doc\.n\)`: .*"n":"08"\}` gives `emit\(.*, 0\)` in SpiderMonkey 1\.8\.5 and .* 8\)`/,
      ),
    ]);
    // SpiderMonkey 1.8.5 refuses it: nothing answered before.
    const modern = { by_day: { map: '(doc) => { emit(new Date(doc.day).toISOString(), parseInt(doc.n)); }' } };
    expect(await answers({ views: modern }, ['--from', '2.3'])).toEqual({ shown: [], open: [] });
    // The engine may stay as it is.
    expect(await answers({ views }, ['--from', '3.4'])).toEqual({ shown: [], open: [] });
  });

  test('names maps that sort an array of the document, which QuickJS refuses only if it moves a value', async () => {
    const sorted = 'all = all.sort(); for (var i in all) emit(all[i], null);';
    const views = {
      tags: { map: 'function (doc) { doc.tags.sort(); emit(doc.tags[0], null); }' },
      copy: { map: `function (doc) { var all = [].concat(doc.tags); ${sorted} }` },
      // Only a document without owners shows it, and has other members where the map emits.
      readers: {
        map: `function (doc) { var all = []; if (doc.readers) all = doc.readers; if (doc.owners) all = all.concat(doc.owners); if (all.length > 6) { ${sorted} } }`,
      },
    };
    // It is not frozen there.
    const filters = { by_tag: 'function (doc, req) { return doc.tags.sort()[0] == req.query.tag; }' };
    expect(await answers({ views, filters })).toEqual({
      shown: [
        '`views.tags.map` of `orders` has `doc.tags.sort()`: `{"tags":["a","b"]}` gives no row in SpiderMonkey 78 and `emit("a", null)` in QuickJS',
      ],
      open: [
        '`views.readers.map` of `orders` has `all.sort()`: `Object.freeze([1, 2]).sort()` is an error in SpiderMonkey 78 and [1,2] in QuickJS',
      ],
    });
  });

  test('lists functions that take every string for a date in one item, apart from those that test it', async () => {
    const map = 'function (doc) { if (doc.at) emit(new Date(doc.at).getTime(), null); }';
    const views = {
      by_time: { map },
      tested: { map: 'function (doc) { if (!isNaN(Date.parse(doc.at))) emit(doc.at, null); }' },
    };
    const { items } = await upgrade({ 'a.json': { _id: '_design/orders', views } }, SWITCHED);
    const found = (/** @type {string} */ id) => items.find((item) => item.id === id);
    expect(found('date-strings')).toMatchObject({
      state: 'by-hand',
      severity: 'info',
      evidence: [
        {
          text: '`views.by_time.map` of `orders`: `{"at":"2019-02-31"}` gives `emit(null, null)` in SpiderMonkey 78 and `emit(1551571200000, null)` in QuickJS',
        },
      ],
    });
    expect(found('engine-answers')?.evidence.map(({ text }) => text)).toEqual([
      expect.stringContaining('`views.tested.map`'),
    ]);
  });

  test('says what the new version can do instead of a reduce, and not that it changes the reduce', async () => {
    const reduce =
      'function (keys, values) { var top = values[0]; values.forEach(function (one) { if (one.at > top.at) top = one; }); return top; }';
    const map = 'function (doc) { if (doc.at) emit([doc.place, doc.at], { at: doc.at }); }';
    const files = { 'a.json': { _id: '_design/orders', views: { latest: { map, reduce } } } };
    const { items } = await upgrade(files, ['--from', '3.3']);
    expect(items.find(({ id }) => id.startsWith('reduce/custom-rank'))).toMatchObject({
      kind: 'better',
      phase: 'after',
    });
  });

  test('runs filters, lists, updates and reduces as well', async () => {
    const { shown } = await answers({
      views: {
        prices: {
          map: 'function (doc) { if (doc.price > 0) emit(doc.day, doc.price); }',
          reduce: "function (keys, values) { return sum(values).toLocaleString('en-US'); }",
        },
      },
      filters: { f: 'function (doc, req) { return String(new Date(doc.at)).length < 40; }' },
      lists: { l: "function (head, req) { var row; start({}); while (row = getRow()) send(eval('row.value')); }" },
      updates: { u: 'function (doc, req) { return [{ _id: "a", at: Date() }, "saved"]; }' },
      validate_doc_update: "function (doc) { if (isNaN(Date.parse(doc.day))) throw { forbidden: 'no day' }; }",
    });
    const pairs = shown.map((text) => [/`(\w+)/.exec(text)?.[1], /gives (.*)$/.exec(text)?.[1]]);
    expect(Object.fromEntries(pairs)).toEqual({
      views: expect.stringMatching(/^`"[\d,.]+"` in SpiderMonkey 78 and `"[\d.]+"` in QuickJS/),
      filters: 'left out in SpiderMonkey 78 and passed on in QuickJS',
      lists: expect.stringMatching(/^an error in SpiderMonkey 78 and `"[\d.]+"` in QuickJS/),
      updates: expect.stringContaining('GMT+0000 (Coordinated Universal Time)"},"saved"]]` in SpiderMonkey 78'),
      validate_doc_update: 'refused with {"forbidden":"no day"} in SpiderMonkey 78 and saved in QuickJS',
    });
  });

  test('names Mango queries that get another index, as 3.2.3 and 3.5.2 chose it', async () => {
    const index = (/** @type {string} */ name, /** @type {string[]} */ ...fields) => ({
      index: { fields },
      ddoc: name,
      name,
    });
    const files = {
      'app.js':
        "import nano from 'nano';\nconst shop = nano('http://localhost:5984').use('shop');\nexport const open = () => shop.find({ selector: { status: { $exists: true }, day: { $gt: '2026' } } });\nexport const of = (day) => shop.find({ selector: { day } });\n",
      'day.json': index('by-day', 'day'),
      'status.json': index('by-status', 'status', 'day'),
    };
    const other = async (/** @type {string} */ from) =>
      (await upgrade(files, ['--from', from])).items.find(({ id }) => id === 'other-index');
    expect((await other('3.3'))?.evidence.map(({ text }) => text)).toEqual([
      expect.stringContaining('uses `by-status` instead of `by-day`'),
    ]);
    expect(await other('2.3')).toMatchObject({ state: 'lacking' });
  });

  test('compares options: what is gone, and what a default becomes', async () => {
    const files = {
      'local.ini':
        '[couchdb]\ndelayed_commits = true\n[httpd]\ndefault_handler = {couch_httpd_db, handle_request}\n[cluster]\nq = 8\n',
    };
    const { items, defaults, states } = await upgrade(files, ['--from', '2.3.1', '--to', '3.5.2', 'local.ini']);
    expect(items.find(({ id }) => id === 'dead-options')?.evidence.map(({ place }) => place?.line)).toEqual([2, 4]);
    expect(defaults.find(({ key }) => key === 'q')).toMatchObject({
      section: 'cluster',
      before: '8',
      after: '2',
      isSet: true,
    });
    expect(states).toMatchObject({ shards: 'clear', 'document-size': 'by-hand' });
  });

  test('learns the version from a compose file, and stops where nothing says it', async () => {
    const files = {
      'a.json': view('function (doc) { emit(doc.day, null); }'),
      'docker-compose.yml': 'services:\n  couchdb:\n    image: couchdb:3.3.3\n',
    };
    expect((await upgrade(files, [])).from).toMatchObject({ version: '3.3.3', source: 'container' });
    const two = { ...files, Dockerfile: 'FROM couchdb:3.4.3\n' };
    expect((await upgrade(two, [])).stderr).toContain('container files name several versions');
    const without = await upgrade({ 'a.json': files['a.json'] }, []);
    expect([without.exitCode, without.stderr]).toEqual([2, expect.stringContaining('add --from VERSION')]);
  });

  test.each([
    ['a mapping', '      COUCHDB_USER: admin\n      COUCHDB_PASSWORD: hush\n', 'clear'],
    ['a list', '      - COUCHDB_USER=admin\n', 'clear'],
    ['another variable', '      NODENAME: node1\n', 'lacking'],
  ])('knows the administrator that a Compose file gives its image: %s', async (_, environment, state) => {
    const compose = `services:\n  couchdb:\n    image: couchdb:2.3.1\n    environment:\n${environment}`;
    expect((await upgrade({ 'docker-compose.yml': compose }, [])).states['admin-required']).toBe(state);
  });

  test.each([
    [['--from', 'new'], 'invalid --from `new`'],
    [['--from', '3.5', '--to', '3.3'], 'is not newer than'],
    [['--from', '3.5.2'], 'is not newer than'],
  ])('refuses %j', async (argv, message) => {
    const { exitCode, stderr } = await upgrade({ 'a.json': view('function (doc) { emit(1); }') }, argv);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  test('prints a check list as text, Markdown and a page', async () => {
    const project = createProject({ 'a.json': view('function (doc) { emit(eval(doc.code), null); }') });
    const { stdout, exitCode } = await project.run([
      ...['upgrade', '--from', '2.0', '--output', 'list.md', '--output', 'list.html', '--format', 'text'],
    ]);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('[ ] breaks `eval` and `new Function` throw in SpiderMonkey\n');
    expect(project.read('list.md')).toContain('- [ ] **breaks** <code>eval</code>');
    expect(project.read('list.html')).toContain('Before the upgrade');
  });
});

test('sections and options may have the names of members that every object has', async () => {
  const { exitCode, stderr } = await upgrade(
    {
      'local.ini':
        '[couchdb]\nmax_document_size = 8000000\n[chttpd]\nport = 5984\n[__proto__]\n__proto__ = 1\n[constructor]\nname = 1\n[log]\n__proto__ = 1\n',
    },
    ['--from', '2.3', '--to', '3.5'],
  );
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0, stderr: expect.not.stringContaining('bug') });
});
