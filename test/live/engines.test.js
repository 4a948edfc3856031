import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COUCHDB_URL, ScratchDatabase } from '../helpers/couchdb.js';
import { factsOf } from '../helpers/function-facts.js';

/** @import { EngineName } from '../../lib/javascript/engines.js' */

/** @type {(body: string) => string} */
const inside = (body) => `function (doc) { ${body}; emit(1); }`;

/** How the function stands in its text. */
const SHAPES = [
  'function (doc) { emit(1); }',
  'function (doc) { emit(1); };',
  '// by date\nfunction (doc) { emit(1); } // end',
  'function map(doc) { emit(1); }',
  '(function map(doc) { emit(1); })',
  'function map(doc) { emit(1); } map',
  'function (doc) { emit(one()); } function one() { return 1; }',
  'function one() { return 1; } function (doc) { emit(one()); }',
  'function one() { return 1; } function map(doc) { emit(one()); }',
  '(function (doc) { emit(one()); }); function one() { return 1; }',
  'function (doc) { emit(1); } function (doc) { emit(2); }',
  'function (doc) { emit(1); }; var total = 1;',
  'function (doc) { emit(1); }; 42;',
  'var total = 1; function (doc) { emit(total); }',
  'const total = 1; (function (doc) { emit(total); })',
  '"use strict"; function (doc) { emit(1); }',
  'var map = function (doc) { emit(1); };',
  'var map = function (doc) { emit(1); }; map',
  'doc => emit(1)',
  '(doc) => { emit(1); }',
  'const map = (doc) => { emit(1); }',
  'map(doc) { emit(1); }',
  'map: function (doc) { emit(1); }',
  'async function (doc) { emit(1); }',
  '(async function (doc) { emit(1); })',
  'async (doc) => { emit(1); }',
  'function* (doc) { emit(1); }',
  '(function () { return function (doc) { emit(1); }; })()',
  '({ map: function (doc) { emit(1); } }).map',
  '42',
  '({})',
  'class Order {}',
];

/** Syntax inside the function. */
const SYNTAX = [
  'var a = { ...doc }',
  'var { a, ...rest } = doc',
  'doc?.a',
  'doc.f?.()',
  'doc.a ?? 1',
  'var a; a ??= 1',
  'var a; a ||= 1',
  'class Order { total = 1 }',
  'class Order { static total = 1 }',
  'class Order { #total }',
  'class Order { static {} }',
  'Number(1n)',
  '1_000',
  'try { doc() } catch { }',
  'async function f() { for await (var a of []) {} }',
  'async function* f() {}',
  'async function f() { await 1; }',
  'function* f() { yield 1; }',
  'function f() { return new.target; }',
  'function f() { import("a"); }',
  "var a = '\u2028'",
  '(-1) ** 2',
  '2 ** 3',
  'for each (var a in doc) {}',
  'function f(a) a + 1',
  'try { } catch (e if e) { }',
  'var a = [x for (x in doc)]',
  'var a = <order/>',
  'let a = 1; const b = `${a}`',
  'for (const [name, value] of Object.entries(doc)) {}',
  'function f({ a = 1 }, [b] = [], ...rest) {}',
  'class Order extends Array { constructor() { super(); } get ["a"]() { return 1; } static b() {} }',
  'var a = 1; var b = { a, ["c" + a]: 1, d() {}, *e() {}, async f() {} }',
  'String(1,); var f = (a,) => a',
  '/(?<year>a)(?<=a)/su.test("a")',
  '0b1 + 0o7',
  'var a = 010',
  'with (doc) {}',
  'label: for (;;) { break label; }',
];

/** What throws when it runs, so that the document has no row. */
const CALLS = [
  "'a'.normalize()",
  "'a'.localeCompare('b')",
  'Intl.Collator()',
  'new Promise(function () {})',
  'new Uint8Array(1)',
  'new Proxy({}, {})',
  '[1].at(0)',
  'Object.fromEntries([])',
  '[1].flat()',
  "'a'.padStart(2)",
  'new Map()',
  'BigInt(1)',
  'Object.hasOwn(doc, "a")',
  '(function () { return uneval(doc); })()',
  '[1].map(function (a) { return new XML(a); })',
  'item(1); function item(a) { return a.toSource(); }',
  '(function () { return new Date(0).toLocaleFormat("%Y"); })()',
  'function item() { return new XML(doc); }',
  'var text; try { text = uneval(doc); } catch (e) { text = JSON.stringify(doc); }',
  'try { new XML(doc); } catch (e) { log(e); return; }',
];

describe.skipIf(!COUCHDB_URL).each(['javascript', 'javascript_quickjs'])('functions of the language %s', (language) => {
  const database = new ScratchDatabase(COUCHDB_URL ?? 'http://localhost');
  /** @type {EngineName | undefined} */
  let engine;
  let version = '';

  beforeAll(async () => {
    await database.create();
    await database.ask('PUT', '/order-1', { date: '2026-01-02' });
    const response = await fetch(`${database.origin}/_node/_local/_versions`, {
      headers: { authorization: database.authorization },
    });
    const { javascript_engine: own } = /** @type {{javascript_engine: {name: string, version: string}}} */ (
      await response.json()
    );
    engine = engineCalled(own.name, own.version);
    const welcome = await fetch(database.origin, { headers: { authorization: database.authorization } });
    version = /** @type {{version: string}} */ (await welcome.json()).version.replace(/[^0-9.].*$/, '');
  });
  afterAll(() => database.drop());

  /**
   * @param {string} map
   * @returns {{isRefused: boolean, throws: boolean}} what is said of it
   */
  function said(map) {
    const facts = factsOf(map, 'map', { language }, { version, engine });
    const effects = facts.list('function.engineFailures').map(({ detail }) => detail?.['effect']);
    const isRefused = effects.includes('rejected at save') || facts.value('function.isFunction') === false;
    return { isRefused, throws: effects.includes('throws when run') };
  }

  test.each([...SHAPES, ...SYNTAX.map(inside)])('a map is refused where it is said to be: %s', async (map) => {
    const { status } = await database.save({ language, views: { all: { map } } });
    expect({ isRefused: status === 400 }).toEqual({ isRefused: said(map).isRefused });
  });

  test.each(CALLS)('a map has no row where it is said to throw: %s', async (call) => {
    const map = inside(call);
    const { id } = await database.save({ language, views: { all: { map } } });
    const { answer } = await database.ask('GET', `/${id}/_view/all`);
    expect({ throws: answer.rows.length === 0 }).toEqual({ throws: said(map).throws });
  });
});

/**
 * @param {string} name
 * @param {string} version
 * @returns {EngineName | undefined}
 */
function engineCalled(name, version) {
  if (name === 'quickjs') return 'quickjs';
  const number = Number.parseFloat(version);
  if (number < 60) return 'spidermonkey-1.8.5';
  if (number < 78) return 'spidermonkey-60';
  return number < 91 ? 'spidermonkey-78' : 'spidermonkey-91';
}
