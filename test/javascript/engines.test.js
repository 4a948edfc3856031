// What engines are held to take and refuse here was tried with couchjs of CouchDB 3.5.0 (SpiderMonkey 78 and 102, QuickJS).

import { describe, expect, test } from 'vitest';
import { listApis } from '../../lib/javascript/apis.js';
import { ENGINES, engineNames, enginesOfVersion, judgeEngine } from '../../lib/javascript/engines.js';
import { listShapeFaults } from '../../lib/javascript/shape.js';
import { listFeatures } from '../../lib/javascript/syntax.js';
import { parseFunction, parseModule, resolveNames } from '../helpers/internals.js';

/** @import { EngineName, FunctionRole } from '../../lib/javascript/engines.js' */

/** Engines by the letters of the tables: o 1.8.5, then 60, 78, 91, and q QuickJS. @type {Map<string, EngineName>} */
const LETTERS = new Map([
  ['o', 'spidermonkey-1.8.5'],
  ['6', 'spidermonkey-60'],
  ['7', 'spidermonkey-78'],
  ['9', 'spidermonkey-91'],
  ['q', 'quickjs'],
]);

/**
 * @param {string} text
 * @param {FunctionRole} [role]
 */
function needsOf(text, role = 'map') {
  const isModule = role === 'library';
  const parsed = isModule ? parseModule(text) : parseFunction(text);
  if (!parsed.ok) throw new Error(parsed.message);
  const names = resolveNames(parsed.roots);
  const shapeFaults = isModule ? [] : listShapeFaults(parsed);
  return {
    features: listFeatures(parsed, names),
    apis: listApis(names, isModule),
    shapeFaults,
    legacy: undefined,
  };
}

/**
 * @param {string} text
 * @param {FunctionRole} [role]
 * @returns {string} the letters of the engines that refuse it or on which it throws
 */
function failing(text, role = 'map') {
  const needs = needsOf(text, role);
  return [...LETTERS]
    .filter(([, engine]) => judgeEngine(engine, needs, role).failures.length > 0)
    .map(([letter]) => letter)
    .join('');
}

describe('syntax', () => {
  test.each([
    ['emit(doc._id);', ''],
    ['const price = 1;', ''],
    ['let price = 1;', 'o'],
    ['emit(`order`);', 'o'],
    ['emit(2 ** 3);', 'o'],
    ['emit((-2) ** 2);', 'o679'],
    ['emit({ ...doc });', 'o679'],
    ['emit(doc?.price);', 'o679'],
    ['try { emit(1); } catch {}', 'o679'],
    ['emit(1n);', 'o679'],
    ['emit(1_000);', 'o679'],
    ['emit(new.target);', 'o679'],
    ["emit('\u2028');", 'o679'],
    ['emit(/(?<year>a)/);', 'o6'],
    ['emit(/a/s);', 'o6'],
    ['emit(/a/d);', 'o67'],
    ['emit(/(?i:a)/);', 'o679'],
    ["import('tax');", 'o679'],
  ])('%s fails on "%s"', (body, engines) => {
    expect(failing(`function (doc) { ${body} }`)).toBe(engines);
  });

  test.each([
    ['exports.copy = function (doc) { return { ...doc }; };', 'o'],
    ['try { exports.tax = 19; } catch {}', 'o'],
    ['exports.price = function (doc) { return doc?.price; };', 'o6'],
    ['exports.price = function (doc) { doc.price ??= 1; };', 'o67'],
    ["exports.line = '\u2028';", 'o6'],
  ])('the module %s, which no esprima reads, fails on "%s"', (text, engines) => {
    expect(failing(text, 'library')).toBe(engines);
  });
});

describe('shapes', () => {
  test.each([
    ['function (doc) { emit(1); }', ''],
    ['(function map(doc) { emit(1); });', ''],
    ['function map(doc) { emit(1); }', 'o679q'],
    ['function map(doc) { emit(tax()); } function tax() {}', 'o679q'],
    ['function (doc) { emit(tax()); } function tax() {}', '679'],
    ['function tax() {} function (doc) { emit(tax()); }', ''],
    ['function (doc) { emit(tax); } var tax = 19;', ''],
    ['function (doc) { emit(1); } if (x) a', 'q'],
    ['function map(doc) { emit(1); } if (x) a', 'o679q'],
    ['function (doc) { emit(1); } try { exports.x = 1; } catch (e) {}', '679q'],
    ['function (doc) { emit(1); }\n(1)', '679q'],
    ['function (doc) {} function (doc) { emit(1); }', '679'],
    ['function map(doc) { emit(1); } map', ''],
    ['(function (doc) { emit(1); }); var tax = 1;', ''],
    ['function\n(doc) { emit(1); }', 'q'],
    ['(function\n(doc) { emit(1); })', ''],
    ['function* (doc) { emit(1); }', 'oq'],
    ['(function* (doc) { emit(1); })', 'o'],
    ['(async function (doc) { emit(1); })', 'oq'],
    ['async (doc) => { emit(1); }', 'oq'],
  ])('%j fails on "%s"', (text, engines) => {
    expect(failing(text)).toBe(engines);
  });
});

describe('built-in objects and methods', () => {
  test.each([
    ['emit(Object.keys(doc))', ''],
    ['emit(Object.entries(doc))', 'o'],
    ['emit(Object.fromEntries(doc.lines))', 'o6'],
    ['emit(Object.hasOwn(doc, "tax"))', 'o67'],
    ['emit(Array.slice(doc.lines, 1))', '79q'],
    ['emit(new Map())', 'o'],
    ['new Promise(tax)', 'oq'],
    ['emit(new Uint8Array(1))', 'q'],
    ['emit(new WeakRef(doc))', 'o679q'],
    ['emit(new XML(doc.page))', '679q'],
    ['emit(/a/(doc._id))', '679q'],
    ['emit(doc.name.match(/(a)/), RegExp.$1)', 'q'],
    ['emit(doc.name.localeCompare("a"))', 'q'],
    ['emit(doc.name.normalize())', 'oq'],
    ['emit(String(doc.price).padStart(8, "0"))', 'o'],
    ['var tags = doc.tags; emit(tags.flatMap(String))', 'o6'],
    ['emit("a-b".replaceAll("-", ""))', 'o6'],
    ['emit(doc.tags.at(-1))', 'o67'],
    ['emit(new Date(doc.date).toLocaleFormat("%Y"))', '679q'],
    ['(function () { emit(new XML(doc.page)); })()', '679q'],
    ['(function () { emit(uneval(this)); }).call(doc)', 'q'],
    ['doc.pages.forEach(function (page) { emit(new XML(page)); })', '679q'],
    ['emit(doc.pages.map(page)); function page(text) { return new XML(text); }', '679q'],
    ['var title = function (text) { return new XML(text).title; }; emit(title(doc.page))', '679q'],
    ['function Page() { this.xml = new XML(doc.page); } emit(new Page().xml.title)', '679q'],
    ['function outer() { inner(); } function inner() { emit(uneval(doc)); } outer()', 'q'],
    ['try { emit(new Promise(doc.f)); } catch (e) {}', 'oq'],
    ['try { var page = new XML(doc.page); emit(page.title); } catch (e) { log(e); }', '679q'],
    ['try { var page = new XML(doc.page); } catch (e) { log(e); return; } emit(page.title)', '679q'],
    ['try { emit(new XML(doc.page)); } catch (e) { throw { forbidden: e }; }', '679q'],
    ['try { doc.pages.forEach(function (page) { emit(new XML(page)); }); } catch (e) {}', '679q'],
  ])('%s fails on "%s"', (body, engines) => {
    expect(failing(`function (doc) { ${body}; }`)).toBe(engines);
  });

  test.each([
    'if (typeof Promise !== "undefined") emit(new Promise(doc.f))',
    'var text; try { text = uneval(doc); } catch (e) { text = JSON.stringify(doc); } emit(text)',
    'var hasXml = false; try { new XML("<a/>"); hasXml = true; } catch (e) {} if (hasXml) emit(new XML(doc.page))',
    'function page() { return new XML(doc.page); } try { emit(page()); } catch (e) { emit(doc.page); }',
    'function text() { return doc.tags.at(-1); } try { emit(text()); } catch (e) { emit(doc.tags[0]); }',
    'function page() { return new XML(doc.page); } emit(1)',
    'function page() { return page() + new XML(doc.page); } emit(1)',
    'var lib = { page: function () { return new XML(doc.page); } }; emit(1)',
    '[].forEach(function (page) { emit(new XML(page)); })',
    'if (this.Promise) emit(new Promise(doc.f))',
    'var f = doc.a ? function () { return new XML(1); } : String; emit(f(1))',
    'var Promise = doc.Promise; emit(new Promise(doc.f))',
    'var Object = doc.Object; emit(Object.entries(doc))',
    'if (Object.entries) emit(Object.entries(doc))',
    'if (doc.name.padStart) emit(doc.name.padStart(8))',
    'String.prototype.padStart = function () {}; emit(doc.name.padStart(8))',
    'var price = { at: function () {} }; emit(price.at(1))',
    'emit(this.tags.at(-1))',
    'var list = require("views/lib/list"); emit(list.at(doc))',
    'var list = require("views/lib/list"); emit(list(doc).includes(1))',
    'emit(doc.tags.at)',
    'emit(doc.Promise)',
  ])('%s is not certain to fail', (body) => {
    expect(failing(`function (doc) { ${body}; }`)).toBe('');
  });

  test.each([
    ['try { emit(new XML(doc.page).title); } catch (e) { emit(null); }', [true]],
    ['try { return new XML(doc.page).title; } catch (e) { return false; }', [true]],
    ['try { emit(doc.pages.at(-1)); } catch (e) { emit(doc.pages[0]); }', [true]],
    ['emit(new XML(doc.page).title);', [false]],
    ['try { emit(new XML(doc.page).title); } catch (e) {}', [false]],
    ['try { page = new XML(doc.page); } catch (e) { page = null; } emit(page)', []],
  ])('whether the catch of %s gives another result: %j', (body, replaced) => {
    const { apis } = needsOf(`function (doc) { ${body} }`);
    expect(apis.map(({ isReplaced }) => isReplaced)).toEqual(replaced);
  });

  test('a module may be given objects with methods of their own', () => {
    expect(failing('exports.last = function (list) { return list.at(-1); };', 'library')).toBe('');
    expect(failing('exports.last = function () { return [1].at(-1); };', 'library')).toBe('o67');
    expect(failing('if (exports.crypto) exports.fill(new Uint32Array(1));', 'library')).toBe('');
  });
});

describe('what comes of it', () => {
  test.each(
    /** @type {[string, FunctionRole, EngineName, string][]} */ ([
      ['emit({ ...doc })', 'map', 'spidermonkey-78', 'rejected at save'],
      ['emit({ ...doc })', 'reduce', 'spidermonkey-78', 'rejected at save'],
      ['emit({ ...doc })', 'filter', 'spidermonkey-78', 'throws when run'],
      ['emit(/a/s)', 'map', 'spidermonkey-60', 'throws when run'],
      ['emit(/a/s)', 'map', 'spidermonkey-1.8.5', 'rejected at save'],
      ['emit(doc.tags.at(-1))', 'map', 'spidermonkey-78', 'throws when run'],
      ['emit(RegExp.$1)', 'map', 'quickjs', 'reads undefined'],
    ]),
  )('%s in a %s on %s is %s', (body, role, engine, effect) => {
    const { failures } = judgeEngine(engine, needsOf(`function (doc) { ${body}; }`, role), role);
    expect(failures.map((failure) => failure.effect)).toEqual([effect]);
  });

  test('what throws when run is accepted, what is refused is not', () => {
    const accepted = (/** @type {string} */ body) =>
      judgeEngine('spidermonkey-60', needsOf(`function (doc) { ${body}; }`), 'map').accepted;
    expect([accepted('emit(doc.tags.at(-1))'), accepted('emit(doc?.tags)')]).toEqual([true, false]);
  });
});

test.each([
  ['emit(1n)', '3.4.3', ['rejected at save']],
  ['emit(1n)', '3.5.0', []],
  ['emit(BigInt(1))', '3.4.3', ['throws when run']],
  ['emit(BigInt(1))', '3.5.0', []],
  ["emit('a'.localeCompare('b'))", '3.4.3', []],
  ["emit('a'.localeCompare('b'))", '3.5.0', ['throws when run']],
])('QuickJS differs by version of CouchDB: %s on %s', (body, version, effects) => {
  const { failures } = judgeEngine('quickjs', needsOf(`function (doc) { ${body}; }`), 'map', version);
  expect(failures.map(({ effect }) => effect)).toEqual(effects);
});

test.each([
  ['1.6.1', 'o'],
  ['2.3.1', 'o'],
  ['3.0.1', 'o6'],
  ['3.1', 'o6'],
  ['3.2.1', 'o67'],
  ['3.2.2', 'o679'],
  ['3.3.3', 'o679'],
  ['3.4.0', '679q'],
  ['3.5.2', '679q'],
])('CouchDB %s may run "%s"', (version, engines) => {
  const letters = [...LETTERS].filter(([, engine]) => enginesOfVersion(version).includes(engine));
  expect(letters.map(([letter]) => letter).join('')).toBe(engines);
});

test('engines are named for people', () => {
  expect(engineNames([...ENGINES])).toBe('SpiderMonkey 1.8.5, 60, 78, 91+ and QuickJS');
  expect(engineNames(['quickjs'])).toBe('QuickJS');
  expect(engineNames(['spidermonkey-60'])).toBe('SpiderMonkey 60');
});
