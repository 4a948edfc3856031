// What the table says of QuickJS is what QuickJS answers; expressions are recognized only where they are certain.

import quickjs from '@jitl/quickjs-wasmfile-release-sync';
import { newQuickJSWASMModuleFromVariant } from 'quickjs-emscripten-core';
import { afterAll, describe, expect, test } from 'vitest';
import { namesOf } from '../../lib/javascript/analyse.js';
import { ANSWERS, listAnswers } from '../../lib/javascript/engine-answers.js';
import { openSandbox, parseFunction } from '../helpers/internals.js';

describe('the table of answers', () => {
  const engine = newQuickJSWASMModuleFromVariant(/** @type {any} */ (quickjs));
  const sandbox = openSandbox();
  afterAll(() => sandbox.close());

  test.each(Object.entries(ANSWERS))('%s: QuickJS answers so', async (_, { example, answers }) => {
    const code = `(function () { try { return JSON.stringify(${example}); } catch (e) { return 'an error'; } })()`;
    expect((await engine).evalCode(code) ?? 'undefined').toBe(answers.quickjs);
  });

  const foreign = Object.entries(ANSWERS).flatMap(([name, row]) =>
    'hint' in row ? Object.entries(row.answers).map(([engine, given]) => ({ name, row, engine, given })) : [],
  );
  const told = foreign.filter(({ row, given }) => given !== row.answers.quickjs);
  test.each(told)('$name: the sandbox answers as $engine where it is to', async ({ name, row, engine, given }) => {
    const [answer] = await sandbox.map({
      libraries: { days: 'Date.prototype.inDays = function () {};' },
      source: `function () { require('views/lib/days'); var text; try { text = JSON.stringify(${row.example}); } catch (e) { text = 'an error'; } emit(text); }`,
      docs: [{}],
      foreign: { names: [name], isOld: engine === 'spidermonkey-1.8.5' },
    });
    expect(answer).toMatchObject({ emits: [{ key: given }] });
  });

  // Tried on couchjs of 3.4.3 and 3.5.2 with both engines, and on that of 2.3.1 with 1.8.5: the others answer as the function's own realm does.
  test('in QuickJS each module has built-in objects and global names of its own', async () => {
    const sandbox = openSandbox();
    const libraries = {
      days: "Date.prototype.inDays = function () { return 3; }; shop = 'Corner'; exports.own = new Date().inDays();",
      lists: 'exports.isList = function (list) { return list instanceof Array; };',
      other: "exports.shop = typeof shop; exports.days = require('./days').own;",
    };
    const source = `function () {
      var days = require('views/lib/days'), other = require('views/lib/other');
      emit([days.own, typeof new Date().inDays, typeof shop, require('views/lib/lists').isList([]), other.shop, other.days]);
    }`;
    const keys = [];
    for (const foreign of [{ names: [] }, { names: [], hasOwnRealms: true }]) {
      const [answer] = await sandbox.map({ libraries, source, docs: [{}], foreign });
      keys.push(answer && 'emits' in answer && answer.emits[0]?.key);
    }
    await sandbox.close();
    expect(keys).toEqual([
      [3, 'function', 'string', true, 'string', 3],
      [3, 'undefined', 'undefined', false, 'undefined', 3],
    ]);
  });
});

test.each([
  ['Date.prototype.inDays = 1', ['built-in object extended in a module']],
  ['Array.prototype.map = 1; String.isBlank = 1', ['built-in object extended in a module']],
  ['Order.prototype.total = 1; var Date = {}; Date.prototype.inDays = 1', []],
  ['var n = {}; n[doc.year] = 1; for (var year in n) send(year)', ['order of keys']],
  ['var n = {}; n[doc.year]++; Object.keys(n).forEach(send)', ['order of keys']],
  ['var n = {}; n[doc.year]++; Object.keys(n).sort().forEach(send)', []],
  ['var n = {}; n[doc.year]++; for (var year in n) total += n[year]', []],
  ['var n = []; n[doc.at] = 1; for (var at in n) send(at)', []],
  ['RegExp.$1', ['last match']],
  ['var RegExp = {}; RegExp.$1', []],
  ['doc.price.toLocaleString("en")', ['number in a locale']],
  ['doc.price.toLocaleString()', []],
  ['new Date(doc.day).toLocaleString()', ['date and time in a locale']],
  ['doc.days.sort(function (a, b) { return a.day > b.day; })', ['sort by a test']],
  ['doc.days.sort((a, b) => a < b)', ['sort by a test']],
  ['doc.days.sort(function (a, b) { return a - b; })', ['sort of an array of the document']],
  ['doc.days.sort()', ['sort of an array of the document']],
  ['[].concat(doc.days).sort()', []],
  ['try { new XML(doc.page); ok = true; } catch (e) { ok = false; }', ['E4X in a try']],
  ['emit(new XML(doc.page))', []],
  ['doc.day.toLocaleDateString()', ['date in a locale']],
  ['new Date(doc.day).toString()', ['date as a string']],
  ['doc.day.toString()', []],
  ['String(new Date())', ['date as a string']],
  ['Date()', ['date as a string']],
  ["'' + new Date()", ['date as a string']],
  ["var at = new Date(doc.at); emit(at + '')", ['date as a string']],
  ['`on ${new Date(doc.at)}`', ['date as a string']],
  ['tag`on ${new Date(doc.at)}`', []],
  ["new Date() - start + ''", []],
  ['doc.at.toLocaleTimeString()', ['time in a locale']],
  ["function total() {} emit(total + '')", ['text of a function']],
  ['(function () {}).toString()', ['text of a function']],
  ['try { doc.a.b; } catch (e) { emit(e.message); }', ['text of an error']],
  ["try { doc.a.b; } catch (e) { emit('failed: ' + e); log(e.message); }", ['text of an error']],
  ['try { doc.a.b; } catch (e) { throw e; }', []],
  ['var at = new Date(doc.at); isNaN(at)', ['test of a date']],
  ['isNaN(Date.parse(doc.day))', ['test of a date']],
  ['isNaN(new Date(doc.day).getTime())', ['test of a date']],
  ['isNaN(doc.day)', []],
  ['isNaN(new Date(doc.year, 1))', []],
  ['eval(doc.code)', ['code in a string']],
  ['new Function("return 1")', ['code in a string']],
  ['Function("return 1")', ['code in a string']],
  ['parseInt(doc.n)', ['number without a radix']],
  ['parseInt(doc.n, 10)', []],
  ['doc.text.match(doc.pattern)', ['match of undefined']],
  ['doc.date.toISOString()', ['invalid date in ISO format']],
])('%s has %j', (code, expected) => {
  const tree = parseFunction(`function (doc) { ${code}; }`);
  expect(tree.ok && listAnswers(namesOf(tree)).map(({ name }) => name)).toEqual(expected);
});
