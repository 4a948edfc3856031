// What the table says of QuickJS is what QuickJS answers; expressions are recognized only where they are certain.

import quickjs from '@jitl/quickjs-wasmfile-release-sync';
import { newQuickJSWASMModuleFromVariant } from 'quickjs-emscripten-core';
import { afterAll, describe, expect, test } from 'vitest';
import { namesOf } from '../../lib/javascript/analyse.js';
import { ANSWERS, listAnswers } from '../../lib/javascript/engine-answers.js';
import { parseFunction } from '../../lib/javascript/parse.js';
import { openSandbox } from '../../lib/sandbox/sandbox.js';

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
      source: `function () { var text; try { text = JSON.stringify(${row.example}); } catch (e) { text = 'an error'; } emit(text); }`,
      docs: [{}],
      foreign: { names: [name], isOld: engine === 'spidermonkey-1.8.5' },
    });
    expect(answer).toMatchObject({ emits: [{ key: given }] });
  });
});

test.each([
  ['RegExp.$1', ['last match']],
  ['var RegExp = {}; RegExp.$1', []],
  ['doc.price.toLocaleString("en")', ['number in a locale']],
  ['doc.price.toLocaleString()', []],
  ['new Date(doc.day).toLocaleString()', ['date and time in a locale']],
  ['doc.days.sort(function (a, b) { return a.day > b.day; })', ['sort by a test']],
  ['doc.days.sort((a, b) => a < b)', ['sort by a test']],
  ['doc.days.sort(function (a, b) { return a - b; })', []],
  ['doc.days.sort()', []],
  ['try { new XML(doc.page); ok = true; } catch (e) { ok = false; }', ['E4X in a try']],
  ['emit(new XML(doc.page))', []],
  ['doc.day.toLocaleDateString()', ['date in a locale']],
  ['new Date(doc.day).toString()', ['date as a string']],
  ['doc.day.toString()', []],
  ['String(new Date())', ['date as a string']],
  ['Date()', ['date as a string']],
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
