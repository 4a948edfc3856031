import { describe, expect, test } from 'vitest';
import { factsOf, readDocument, UNKNOWN } from '../../helpers/facts-of.js';

/** @import { ShortFact } from '../../helpers/facts-of.js' */

/**
 * @param {string} map
 * @param {Record<string, ShortFact>} expected
 */
function expectFacts(map, expected) {
  expect(factsOf({ views: { orders: { map } } }, 'view', Object.keys(expected))).toEqual(expected);
}

/** @param {string} body @returns {string} */
const es3 = (body) => `function (doc) {\n  ${body}\n}`;

describe('what is emitted', () => {
  test.each([
    ['the document itself', 'emit(doc._id, doc);', true],
    ['an alias', 'var order = doc; emit(order.date, order);', true],
    ['an alias that is assigned later', 'var order; order = doc; emit(order.date, order);', true],
    ['the document on one branch only', 'var row = null; if (doc.total) { row = doc; } emit(doc.date, row);', true],
    [
      'the document out of a switch',
      'var v = null; switch (doc.type) { case "order": v = doc; break; } emit(1, v);',
      true,
    ],
    ['a spread copy', 'emit(doc.date, { ...doc, _rev: undefined });', true],
    ['the rest of the document', 'const { _rev, ...rest } = doc; emit(doc.date, rest);', true],
    ['a copy by Object.assign', 'emit(doc.date, Object.assign({}, doc));', true],
    ['a copy through JSON', 'emit(doc.date, JSON.parse(JSON.stringify(doc)));', true],
    ['the document as text', 'emit(doc.date, JSON.stringify(doc));', true],
    ['the document as text of the query server', 'emit(doc.date, toJSON(doc));', true],
    ['the document from a helper', 'function row(d) { return d; } emit(doc.date, row(doc));', true],
    ['the document through an IIFE', '(function (order) { emit(order.date, order); })(doc);', true],
    [
      'the document through a callback',
      'doc.lines && doc.lines.forEach(function (l) { emit(l.article, doc); });',
      true,
    ],
    ['the document by a choice', 'emit(doc.date, doc.total > 5 ? doc : null);', true],
    ['the document by &&', 'emit(doc.date, doc.total && doc);', true],
    ['the document by emit.call', 'emit.call(null, doc.date, doc);', true],
    ['the document by emit.apply', 'emit.apply(this, [doc.date, doc]);', true],
    ['the document by an alias of emit', 'var send = emit; send(doc.date, doc);', true],
    [
      'the document with the help of a table of functions',
      'var t = { order: function (d) { emit(d._id, d); } }; t[doc.type] && t[doc.type](doc);',
      true,
    ],
    [
      'the document from a method of an object',
      'var shop = { row: function () { return doc; } }; emit(1, shop.row());',
      true,
    ],
    ['a field', 'emit(doc.date, doc.total);', false],
    ['nothing', 'emit(doc.date);', false],
    ['an object that holds fields', 'emit(doc.date, { total: doc.total });', false],
    [
      'a name that hides the document',
      'var doc2 = doc; (function (doc) { emit(doc.date, doc); })({ date: 1 });',
      false,
    ],
    ['a parameter of an inner function called doc', 'function send(doc) { emit(1, doc); } send(null);', false],
    ['the length of the document as text', 'emit(doc.date, JSON.stringify(doc).length);', false],
    ['a list of keys', 'emit(doc.date, Object.keys(doc));', false],
    ['what an unknown function makes', 'emit(doc.date, shape(doc));', UNKNOWN],
    ['a copy made in a loop', 'var row = {}; for (var k in doc) row[k] = doc[k]; emit(doc.date, row);', UNKNOWN],
    ['something assigned in a loop', 'var row; for (var i = 0; i < 3; i++) { emit(i, row); row = make(i); }', UNKNOWN],
    ['arguments of its own', 'emit(doc.date, arguments[0]);', UNKNOWN],
    ['spread arguments', 'var row = [doc.date, doc]; emit(...row);', UNKNOWN],
    ['something by a callback of emit', 'doc.lines && doc.lines.forEach(emit);', UNKNOWN],
    ['something through emit handed away', 'require("views/lib/rows").send(doc, emit);', UNKNOWN],
    ['a variable nobody declares', 'emit(doc.date, row);', UNKNOWN],
    ['a variable that only the function assigns', 'row = doc; emit(doc.date, row);', true],
    ['what a with makes uncertain', 'with (doc) { emit(date, total); }', UNKNOWN],
    ['what eval makes uncertain', 'var row = null; eval("row = doc"); emit(doc.date, row);', UNKNOWN],
  ])('is not guessed: %s', (_, body, emitsWholeDoc) => {
    expectFacts(es3(body), { emitsWholeDoc });
  });

  test.each([
    ['one call', 'emit(1, 1);', { emitCount: 1, neverEmits: false }],
    ['two calls', 'emit(1, 1); if (doc.total) emit(2, 2);', { emitCount: 2 }],
    ['one call in a helper that runs twice', 'function send(k) { emit(k, 1); } send(1); send(2);', { emitCount: 1 }],
    ['no call', 'var total = doc.total;', { emitCount: 0, neverEmits: true, mapIsEmpty: false }],
    ['no statement', '', { neverEmits: true, mapIsEmpty: true }],
    ['a method of dates on a string', 'emit(Date().getTime(), 1);', { emitCount: 0, neverEmits: true }],
    ['a method of arrays on the id', 'doc._id.forEach(emit);', { neverEmits: true }],
    ['a method of strings on the id', 'emit(doc._id.split(":")[0]);', { neverEmits: false }],
    ['a call that cannot be reached', 'return; emit(1, 1);', { emitCount: 0, neverEmits: true }],
    ['a call behind a constant', 'var DEBUG = false; if (DEBUG) { emit(1, 1); }', { neverEmits: true }],
    [
      'an emit of its own',
      'var emit = function (k, v) { return k; }; emit(1, doc);',
      { emitCount: 0, emitsWholeDoc: false },
    ],
    ['a helper that is never called', 'function send() { emit(1, 1); }', { neverEmits: true }],
    ['a library that may emit', 'require("views/lib/orders").index(doc);', { neverEmits: UNKNOWN }],
    ['a free function that may emit', 'index(doc);', { neverEmits: UNKNOWN }],
    ['a class', 'class Row { send() { emit(1, doc); } } new Row().send();', { neverEmits: false, emitsWholeDoc: true }],
    ['a class that does not emit here', 'class Row {} new Row().send();', { neverEmits: UNKNOWN }],
    ['recursion', 'function walk(n) { emit(n.name, 1); (n.parts || []).forEach(walk); } walk(doc);', { emitCount: 1 }],
    [
      'mutual recursion',
      'function a(n) { if (n) b(n - 1); } function b(n) { emit(n, 1); a(n); } a(3);',
      { neverEmits: false },
    ],
    ['a call in a finally', 'try { doc.lines.sort(); } finally { emit(1, 1); }', { emitCount: 1 }],
    ['a call in a catch', 'try { JSON.parse(doc.text); } catch (e) { emit("broken", 1); }', { emitCount: 1 }],
    [
      'a call in every case',
      'switch (doc.type) { case "a": emit(1); case "b": emit(2); break; default: emit(3); }',
      { emitCount: 3 },
    ],
    ['a call behind a labelled break', 'out: { if (doc.total) break out; emit(1, 1); } emit(2, 2);', { emitCount: 2 }],
    ['a call in a do', 'do { emit(1, 1); } while (doc.more);', { emitCount: 1 }],
    ['a call in a comma', 'doc.total, emit(1, 1);', { emitCount: 1 }],
    ['a call in a template', 'var t = `${emit(1, 1)}`;', { emitCount: 1 }],
    ['a call in a getter', 'var row = { get total() { emit(1, 1); return 1; } }; row.total;', { neverEmits: UNKNOWN }],
    ['a call in a sort', '(doc.lines || []).sort(function (a, b) { emit(a, b); return 0; });', { emitCount: 1 }],
    ['a call in a generator', 'function* rows() { emit(1, 1); } for (const row of rows()) {}', { neverEmits: false }],
    ['a call through bind', 'var send = emit.bind(null, doc.date); send(1);', { neverEmits: false }],
  ])('is counted: %s', (_, body, expected) => {
    expectFacts(es3(body), expected);
  });

  test.each([
    ['a generator', 'function* (doc) { emit(doc.date, doc); }'],
    ['an async function', 'async (doc) => { await doc.ready; emit(doc.date, doc); }'],
    ['a function that does not parse', 'function (doc) { emit(doc.date, }'],
    ['a text that is no function', '"emit(doc)"'],
  ])('is not told of %s', (_, map) => {
    expectFacts(map, { emitCount: UNKNOWN, emitsWholeDoc: UNKNOWN, unguardedReads: UNKNOWN, valueType: UNKNOWN });
  });

  test.each([
    ['an arrow', '(doc) => emit(doc.date, doc)', true],
    ['an arrow with a block', 'doc => { emit(doc.date, doc); }', true],
    ['a parenthesised function', '(function (doc) { emit(doc.date, doc); })', true],
    ['a named function', 'function map(doc) { emit(doc.date, doc); }', true],
    ['a destructured document', '({ date, total }) => { if (date) emit(date, total); }', false],
    ['a default', '({ total = 0 } = {}) => emit(total, null)', false],
    ['another name for the document', 'function (order) { emit(order.date, order); }', true],
    ['helpers behind it', 'function (doc) { emit(doc.date, row(doc)); } function row(d) { return d.total; }', false],
    ['helpers before it', 'function row(d) { return d; }\nfunction (doc) { emit(doc.date, row(doc)); }', true],
    ['constants before it', 'var ROW = null;\nfunction (doc) { emit(doc.date, ROW); }', false],
  ])('is found in %s', (_, map, emitsWholeDoc) => {
    expectFacts(map, { emitsWholeDoc });
  });

  test.each([
    ['no value', 'emit(doc.date);', true],
    ['null', 'emit(doc.date, null);', true],
    ['undefined', 'emit(doc.date, undefined);', true],
    ['void 0', 'emit(doc.date, void 0);', true],
    ['a variable without a value', 'var row; emit(doc.date, row);', true],
    ['one of two', 'emit(doc.date, 1); emit(doc.customer);', true],
    ['a field', 'emit(doc.date, doc.total);', false],
    ['null only now and then', 'emit(doc.date, doc.total > 1 ? 1 : null);', false],
    [
      'a variable that a switch sets',
      'var v = null; switch (doc.type) { case "a": v = 1; break; default: v = 2; } emit(1, v);',
      false,
    ],
    ['a variable that a helper sets', 'var v = null; function set() { v = 1; } set(); emit(1, v);', false],
    [
      'a variable that a callback may set',
      'var v = null; (doc.lines || []).forEach(function (l) { v = 1; }); emit(1, v);',
      UNKNOWN,
    ],
    ['a variable that try sets', 'var v = null; try { v = doc.a.b; } catch (e) { v = 0; } emit(1, v);', false],
    ['a variable that a labelled loop sets', 'var v = null; a: for (;;) { v = 1; break a; } emit(1, v);', false],
  ])('may be missing: %s', (_, body, emitsMissingValue) => {
    expectFacts(es3(body), { emitsMissingValue });
  });

  test.each([
    ['a link', 'emit(doc.date, { _id: doc.customer });', { emitsLinkedDoc: true }],
    ['a link that is made by assignment', 'var l = {}; l._id = doc.customer; emit(1, l);', { emitsLinkedDoc: true }],
    ['a link through an alias', 'var l = {}; var m = l; m._id = doc.customer; emit(1, l);', { emitsLinkedDoc: true }],
    [
      'a link through a helper',
      'function link(row) { row._id = doc.customer; } var r = {}; link(r); emit(1, r);',
      { emitsLinkedDoc: true },
    ],
    ['no link', 'emit(doc.date, { id: doc.customer });', { emitsLinkedDoc: false }],
    ['a member taken away', 'var l = { _id: 1, total: 2 }; delete l._id; emit(1, l);', { emitsLinkedDoc: false }],
  ])('is told apart: %s', (_, body, expected) => {
    expectFacts(es3(body), expected);
  });
});

describe('the type of the value', () => {
  test.each([
    ['a number', 'emit(1, 1);', 'number'],
    ['a negative number', 'emit(1, -1);', 'number'],
    ['a text', 'emit(1, "x");', 'string'],
    ['a joined text', 'emit(1, doc.first + " " + doc.last);', 'string'],
    ['a template', 'emit(1, `${doc.first} ${doc.last}`);', 'string'],
    ['a flag', 'emit(1, true);', 'boolean'],
    ['a comparison', 'emit(1, doc.total > 5);', 'boolean'],
    ['a negation', 'emit(1, !!doc.total);', 'boolean'],
    ['null', 'emit(1, null);', 'null'],
    ['the id', 'emit(1, doc._id);', 'string'],
    ['the document', 'emit(1, doc);', 'document'],
    ['a date', 'emit(1, new Date(doc.date));', 'string'],
    ['the year of a date', 'emit(1, new Date(doc.date).getFullYear());', 'maybe-number'],
    ['a length of what may be an object', 'emit(1, (doc.lines || []).length);', UNKNOWN],
    ['a length of a field', 'if (doc.lines) emit(1, doc.lines.length);', UNKNOWN],
    ['a length of a number', 'emit(1, (doc.a * 2).length);', UNKNOWN],
    ['a length of a list', 'if (Array.isArray(doc.lines)) emit(1, doc.lines.length);', 'number'],
    ['a length of a list by isArray', 'emit(1, isArray(doc.lines) ? doc.lines.length : 0);', 'number'],
    ['a length of a list by instanceof', 'if (doc.lines instanceof Array) emit(1, doc.lines.length);', 'number'],
    ['a length of a list by constructor', 'if (doc.lines.constructor === Array) emit(1, doc.lines.length);', 'number'],
    [
      'a length of a list by name',
      'if (Object.prototype.toString.call(doc.lines) === "[object Array]") emit(1, doc.lines.length);',
      'number',
    ],
    ['a length of a list where it is none', 'if (!Array.isArray(doc.lines)) emit(1, doc.lines.length);', UNKNOWN],
    ['a length of a text', 'if (typeof doc.name === "string") emit(1, doc.name.length);', 'number'],
    ['a length of the id', 'emit(1, doc._id.length);', 'number'],
    ['a length of parts', 'emit(1, doc._id.split(":").length);', 'number'],
    ['a list of the document', 'if (Array.isArray(doc.lines)) emit(1, doc.lines);', 'maybe-number'],
    ['how many keys', 'emit(1, Object.keys(doc.stock || {}).length);', 'number'],
    ['numbers of a choice', 'emit(1, doc.paid ? 1 : 0);', 'number'],
    ['a number and a text', 'emit(1, doc.paid ? 1 : "no");', 'mixed'],
    ['a field', 'emit(1, doc.total);', 'maybe-number'],
    ['a field or nought', 'emit(1, doc.total || 0);', 'maybe-number'],
    ['a product', 'emit(1, doc.price * doc.count);', 'maybe-number'],
    ['a parsed number', 'emit(1, parseFloat(doc.total));', 'maybe-number'],
    ['a number that is tested to be finite', 'var n = Number(doc.total); if (isFinite(n)) emit(1, n);', 'number'],
    ['a text that may read as Infinity, or nought', 'emit(1, parseFloat(doc.total) || 0);', 'maybe-number'],
    ['a number that is not NaN', 'var n = Number(doc.total); if (!isNaN(n)) emit(1, n);', 'maybe-number'],
    ['a number that is not 0', 'var n = parseInt(doc.total, 10); if (n) emit(1, n);', 'maybe-number'],
    [
      'a number of NaN that is a number by typeof',
      'var n = Number(doc.total); if (typeof n === "number") emit(1, n);',
      'maybe-number',
    ],
    ['a guarded field', 'if (typeof doc.total === "number") emit(1, doc.total);', 'number'],
    [
      'a product of guarded fields',
      'if (typeof doc.a === "number" && typeof doc.b === "number") emit(1, doc.a * doc.b);',
      'number',
    ],
    ['a field guarded by return', 'if (typeof doc.total !== "number") return; emit(1, doc.total);', 'number'],
    ['a field guarded by a choice', 'emit(1, typeof doc.total === "number" ? doc.total : 0);', 'number'],
    ['a guarded choice', 'var n = doc.ok ? 1 : "x"; if (typeof n === "number") emit(1, n);', 'number'],
    [
      'a choice guarded by typeof (n)',
      'var n = doc.ok ? 1 : "x"; if (typeof (n) === ("number")) emit(1, n);',
      'number',
    ],
    ['a guarded alias', 'var t = doc.total; if (typeof t == "number") { emit(1, t); }', 'number'],
    [
      'a guard kept in a variable',
      'var isSum = typeof doc.total === "number"; if (isSum) emit(1, doc.total);',
      'number',
    ],
    ['a type kept in a variable', 'var type = typeof doc.total; if (type === "number") emit(1, doc.total);', 'number'],
    [
      'a guard in a helper',
      'function isNumber(x) { return typeof x === "number"; } if (isNumber(doc.total)) emit(1, doc.total);',
      'number',
    ],
    ['Number.isFinite', 'if (Number.isFinite(doc.total)) emit(1, doc.total);', 'number'],
    ['a field that isFinite tests', 'if (isFinite(doc.total)) emit(1, doc.total);', 'maybe-number'],
    ['what isFinite tests, converted', 'if (isFinite(doc.total)) emit(1, Number(doc.total));', 'number'],
    ['what isFinite tests, by a sign', 'if (!isFinite(doc.total)) return; emit(1, +doc.total);', 'number'],
    ['what isFinite tests, parsed', 'if (isFinite(doc.total)) emit(1, parseFloat(doc.total));', 'maybe-number'],
    ['what isFinite tests of another field', 'if (isFinite(doc.tax)) emit(1, Number(doc.total));', 'maybe-number'],
    ['a field that equals its number', 'if (doc.total === +doc.total) emit(1, doc.total);', 'number'],
    ['a field that is not another', 'if (doc.total !== Number(doc.total)) return; emit(1, doc.total);', 'number'],
    ['a field that equals its digits', 'if (doc.total === parseInt(doc.total, 10)) emit(1, doc.total);', 'number'],
    ['a field that loosely equals its number', 'if (doc.total == +doc.total) emit(1, doc.total);', 'maybe-number'],
    ['a field that equals another', 'if (doc.total === doc.tax) emit(1, doc.total);', 'maybe-number'],
    [
      'elements that a filter keeps',
      'doc.sums.filter(x => typeof x === "number").forEach(function (x) { emit(1, x); });',
      'number',
    ],
    ['elements by Number.isFinite', 'for (const x of doc.sums.filter(Number.isFinite)) emit(1, x);', 'number'],
    ['elements by Boolean', 'for (const x of doc.sums.filter(Boolean)) emit(1, x);', 'maybe-number'],
    ['a flag as a number', 'emit(1, +!!doc.paid);', 'number'],
    ['a flag by Number', 'emit(1, Number(doc.total > 5));', 'number'],
    ['a sum of flags', 'emit(1, (doc.a > 1) + (doc.b > 1));', 'number'],
    ['a flag and a field', 'emit(1, (doc.a > 1) + doc.b);', UNKNOWN],
    ['the moment of a date, or nought', 'emit(1, new Date(doc.date).getTime() || 0);', 'number'],
    ['a parsed moment, or nought', 'emit(1, Date.parse(doc.date) || 0);', 'number'],
    ['days between dates', 'emit(1, Math.round((new Date(doc.b) - new Date(doc.a)) / 864e5) || 0);', 'number'],
    ['the current moment', 'emit(1, +new Date());', 'number'],
    ['the current year', 'emit(1, new Date().getFullYear());', 'number'],
    ['a current date that was set', 'var d = new Date(); d.setTime(doc.t); emit(1, +d);', 'maybe-number'],
    ['the current date as text, parsed', 'emit(1, parseInt(new Date()));', 'maybe-number'],
    ['a counter', 'var n = 0; for (var i = 0; i < 9; i++) { n++; } emit(1, n);', 'number'],
    [
      'a sum in a loop',
      'var n = 0; for (var i = 0; i < doc.lines.length; i++) { n += doc.lines[i].price; } emit(1, n);',
      UNKNOWN,
    ],
    [
      'a sum of numbers in a loop',
      'var n = 0; for (const l of doc.lines || []) { if (typeof l.price === "number") n += l.price; } emit(1, n);',
      'number',
    ],
    [
      'a sum of numbers in a loop, written out',
      'var n = 0; for (const l of doc.lines || []) { n = n + (typeof l.price === "number" ? l.price : 0) + 1; } emit(1, n);',
      'number',
    ],
    [
      'a sum of numbers in a callback',
      'var n = 0; (doc.lines || []).forEach(function (l) { if (Number.isFinite(l.price)) n += l.price; }); emit(1, n);',
      'number',
    ],
    [
      'two sums of which one grows by the other',
      'var a = 0, b = 0; for (const l of doc.lines || []) { b += a; a += l.price; } emit(1, b);',
      UNKNOWN,
    ],
    [
      'sums that grow by each other, many of them',
      `var ${Array.from({ length: 20 }, (_, i) => `v${i} = 0`).join()}; for (const l of doc.lines || []) { ${Array.from({ length: 19 }, (_, i) => `v${i} += v${i + 1};`).join(' ')} v19 += l.price; } emit(1, v0);`,
      UNKNOWN,
    ],
    [
      'a sum that is a product of a text',
      'var n = 0; for (const l of doc.lines || []) { emit(1, n * 2); n += l.price; }',
      'maybe-number',
    ],
    [
      'a sum by a helper in a callback',
      'var n = 0; function add(x) { n += x; } (doc.lines || []).forEach(function (l) { add(l.price); }); emit(1, n);',
      UNKNOWN,
    ],
    ['a sum by reduce', 'emit(1, doc.lines.reduce(function (a, l) { return a + l.price; }, 0));', UNKNOWN],
    [
      'a sum by reduce of numbers',
      'emit(1, (doc.lines || []).reduce(function (a, l) { return typeof l.price === "number" ? a + l.price : a; }, 0));',
      'number',
    ],
    ['a count by reduce', 'emit(1, (doc.lines || []).reduce(function (a) { return a + 1; }, 0));', 'number'],
    ['a sum by reduce without a start', 'emit(1, [1, 2].reduce(function (a, b) { return a + b; }));', UNKNOWN],
    [
      'what reduce carries along, where it may be a text',
      'doc.lines.reduce(function (a, l) { emit(1, a); return a + l.price; }, 0);',
      UNKNOWN,
    ],
    ['a list of numbers', 'emit(1, [1, 2]);', 'array'],
    ['a list of fields', 'emit(1, [doc.a, doc.b]);', UNKNOWN],
    ['an object of numbers', 'emit(1, { count: 1, sum: 2 });', 'object'],
    ['an object of fields', 'emit(1, { sum: doc.total });', UNKNOWN],
    ['a list filled in a loop', 'var l = []; for (var i = 0; i < 3; i++) { l.push(i); } emit(1, l);', UNKNOWN],
    [
      'a list filled in a callback',
      'var l = []; (doc.lines || []).forEach(function (x) { l.push(x); }); emit(1, l);',
      UNKNOWN,
    ],
    ['a rounded number', 'emit(1, Math.round(5 / 2));', 'number'],
    ['a division', 'emit(1, doc.total / doc.count);', 'maybe-number'],
    ['a part of a text', 'emit(1, doc._id.substr(0, 4));', 'string'],
    ['a slice of a field', 'emit(1, doc.date.slice(0, 10));', UNKNOWN],
    ['an unknown call', 'emit(1, price(doc));', UNKNOWN],
    ['no emit', 'var a = 1;', UNKNOWN],
  ])('%s', (_, body, valueType) => {
    expectFacts(es3(body), { valueType });
  });

  test.each([
    ['a field', 'emit(1, doc.total);', ['doc.total']],
    ['a field or nought', 'emit(1, doc.total || 0);', ['doc.total']],
    ['a field with a default', 'const { total = 0 } = doc; emit(1, total);', ['doc.total']],
    [
      'a field of a line',
      '(doc.lines || []).forEach(function (line) { emit(1, line.price); });',
      ['doc.lines[].price'],
    ],
    ['a field tested for its truth', 'if (doc.total) emit(1, doc.total);', ['doc.total']],
    ['one of two', 'if (typeof doc.a === "number") { emit(1, doc.a); } else { emit(2, doc.b); }', ['doc.b']],
    ['a guard of another field', 'if (typeof doc.a === "number") { emit(1, doc.b); }', ['doc.b']],
    ['a guard that ended', 'if (typeof doc.a === "number") { log(doc.a); } emit(1, doc.a);', ['doc.a']],
    ['the other branch of a guard', 'if (typeof doc.a === "number") { log(1); } else { emit(1, doc.a); }', ['doc.a']],
    ['a guarded field', 'if (typeof doc.total === "number") emit(1, doc.total);', []],
    [
      'a guarded field of a line',
      '(doc.lines || []).forEach(function (l) { if (typeof l.price === "number") emit(1, l.price); });',
      [],
    ],
    ['a guard that throws', 'if (typeof doc.a !== "number") throw "no number"; emit(1, doc.a);', []],
    [
      'a guard in a loop',
      '(doc.lines || []).forEach(function (l) { if (typeof l.price !== "number") return; emit(1, l.price); });',
      [],
    ],
    [
      'a guard with continue',
      'for (const l of doc.lines || []) { if (typeof l.price !== "number") continue; emit(1, l.price); }',
      [],
    ],
    ['a guard by switch', 'switch (typeof doc.a) { case "number": emit(1, doc.a); break; }', []],
    ['a guard by constructor', 'if (doc.a.constructor === Number) emit(1, doc.a);', []],
    ['two guards', 'if (typeof doc.a === "number" || typeof doc.a === "number") emit(1, doc.a);', []],
    ['an assigned field', 'doc.total = Number(doc.total); emit(1, doc.total);', []],
    ['a computed number', 'emit(1, Number(doc.total));', []],
    ['a field whose name has dots', 'emit(1, doc["shop.order"].total);', ["doc['shop.order'].total"]],
  ])('fields without a guard: %s', (_, body, valueFieldsUnguarded) => {
    expectFacts(es3(body), { valueFieldsUnguarded });
  });

  test.each([
    ['a test of truth', 'if (doc.total) emit(1, doc.total);', { valueGuardedByTruthiness: true }],
    ['no test', 'emit(1, doc.total);', { valueGuardedByTruthiness: false }],
    [
      'a test of truth for one of two',
      'if (doc.total) emit(1, doc.total); emit(2, doc.paid);',
      { valueGuardedByTruthiness: false },
    ],
    [
      'a test of truth beside a number',
      'if (doc.total) emit(1, doc.total); emit(2, 1);',
      { valueGuardedByTruthiness: true },
    ],
    ['numbers alone', 'emit(1, 1);', { valueGuardedByTruthiness: false }],
    ['lists of one length', 'emit(1, [1, 2]); emit(2, [3, 4]);', { valueArrayLengthsDiffer: false }],
    ['lists of two lengths', 'emit(1, [1, 2]); emit(2, [3]);', { valueArrayLengthsDiffer: true }],
    ['a list of open length', 'emit(1, [1, 2]); emit(2, [...doc.more]);', { valueArrayLengthsDiffer: UNKNOWN }],
    [
      'lists of two lengths beside an open one',
      'emit(1, [1, 2]); emit(2, [...doc.more]); emit(3, [1]);',
      { valueArrayLengthsDiffer: true },
    ],
    ['what may be a list', 'emit(1, [1, 2]); emit(2, levels(doc));', { valueArrayLengthsDiffer: UNKNOWN }],
    ['a number beside an object', 'emit(1, 1); emit(2, { a: 1 });', { valueMixesNumberAndObject: true }],
    ['a choice of both', 'emit(1, doc.total ? { a: 1 } : 0);', { valueMixesNumberAndObject: true }],
    ['two objects', 'emit(1, { a: 1 }); emit(2, { b: 1 });', { valueMixesNumberAndObject: false }],
    ['a field beside an object', 'emit(1, doc.total); emit(2, { a: 1 });', { valueMixesNumberAndObject: false }],
    ['a member error', 'emit(1, { error: 1 });', { valueObjectHasErrorKey: true }],
    ['a member error in quotes', 'emit(1, { "error": doc.errors });', { valueObjectHasErrorKey: true }],
    ['no member error', 'emit(1, { errors: 1 });', { valueObjectHasErrorKey: false }],
    [
      'a member error through an alias',
      'var a = {}; var b = a; b.error = 1; emit(1, a);',
      { valueObjectHasErrorKey: true },
    ],
    ['incomplete statistics', 'emit(1, { sum: 1, count: 1 });', { valueMissingStatsFields: true }],
    [
      'complete statistics',
      'emit(1, { sum: 1, count: 1, min: 1, max: 1, sumsqr: 1 });',
      { valueMissingStatsFields: false },
    ],
    [
      'statistics that a helper completes',
      'function fill(s) { s.count = s.min = s.max = s.sumsqr = 1; } var s = { sum: 1 }; fill(s); emit(1, s);',
      { valueMissingStatsFields: false },
    ],
    [
      'statistics out of an unknown function',
      'var s = { sum: 1 }; complete(s); emit(1, s);',
      { valueMissingStatsFields: false },
    ],
    ['statistics spread from somewhere', 'emit(1, { ...base(), sum: 1 });', { valueMissingStatsFields: false }],
    [
      'statistics filled by name',
      'var s = {}; ["sum", "count"].forEach(function (k) { s[k] = 1; }); emit(1, s);',
      { valueMissingStatsFields: false },
    ],
    [
      'an object inside another',
      'var o = { s: {} }; var p = { s: o.s }; p.s.error = 1; emit(1, o.s);',
      { valueObjectHasErrorKey: true },
    ],
  ])('is seen: %s', (_, body, expected) => {
    expectFacts(es3(body), expected);
  });
});

describe('reads that throw where something is missing', () => {
  test.each([
    ['a member of a member', 'emit(doc.address.town, null);', ['doc.address']],
    ['a member by name', 'emit(doc["address"]["town"], null);', ['doc["address"]']],
    ['a call', 'emit(doc.name.toLowerCase(), null);', ['doc.name']],
    ['a callback', 'doc.lines.forEach(function (l) { emit(l.article); });', ['doc.lines']],
    ['a length', 'for (var i = 0; i < doc.lines.length; i++) emit(doc.lines[i]);', ['doc.lines']],
    ['an alias', 'var a = doc.address; emit(a.town);', ['doc.address']],
    ['a deep member, once', 'emit(doc.a.b.c.d, doc.a.b.e);', ['doc.a']],
    ['a pattern', 'const { address: { town } } = doc; emit(town);', ['doc.address']],
    ['a list pattern', 'const [first] = doc.lines; emit(first);', ['doc.lines']],
    ['for of', 'for (const line of doc.lines) emit(line.article);', ['doc.lines']],
    ['Object.keys', 'Object.keys(doc.stock).forEach(function (k) { emit(k); });', ['doc.stock']],
    ['Object.values', 'Object.values(doc.stock).forEach((count) => emit(count));', ['doc.stock']],
    ['a helper', 'function town(d) { return d.address.town; } emit(town(doc));', ['d.address']],
    ['a helper of a member', 'function town(a) { return a.town; } emit(town(doc.address));', ['doc.address']],
    ['two of them', 'emit(doc.address.town, doc.customer.name);', ['doc.address', 'doc.customer']],
    ['the first before a test', 'emit(doc.address.town); if (doc.customer) emit(doc.customer.name);', ['doc.address']],
    ['a read beside an unrelated default', 'var t = doc.total || 0; emit(doc.address.town, t);', ['doc.address']],
    ['a test of the document itself', 'if (doc) { emit(doc.address.town); }', ['doc.address']],
    ['a read in its own test', 'if (doc.address.town) emit(doc.address.town);', ['doc.address']],
    ['a read below what && gave', 'emit((doc.a && doc.b).c);', []],
    ['a member of a default', 'var a = doc.address || {}; emit(a.town.name);', ['a.town']],
    ['a member of a default in place', 'emit((doc.address || {}).town.name);', ['(doc.address || {}).town']],
    ['a variable that only one branch sets', 'var a; if (doc.paid) a = doc.address; emit(a.town);', []],
    ['what stands behind a default', 'var a = doc.a || {}; emit(doc.address.town, a);', ['doc.address']],
    ['what stands behind a call that throws', 'function no() { throw 1; } doc.a || no(); emit(doc.address.town);', []],
    [
      'what a default stood for',
      'var a = doc.lines || []; for (var i = 0; i < a.length; i++) emit(doc.lines[i].sku);',
      [],
    ],
    ['a member of a default that is tested', 'var a = doc.address || {}; if (a.town) emit(a.town.name);', []],
    ['a member of a default that may hold it', 'var a = doc.address || { town: {} }; emit(a.town.name);', []],
    ['a variable that is tested', 'var a; if (doc.paid) a = doc.address; if (a !== undefined) emit(a.town);', []],
    ['a read that catch throws on', 'try { emit(doc.address.town); } catch (e) { throw e; }', ['doc.address']],
    [
      'a read that catch logs and throws on',
      'try { emit(doc.address.town); } catch (e) { log(e); throw e; }',
      ['doc.address'],
    ],
    ['a read that catch may throw on', 'try { emit(doc.address.town); } catch (e) { if (doc.a) throw e; }', []],
    ['a read that catch throws on in a try', 'try { try { doc.a.b; } catch (e) { throw e; } } catch (e) {}', []],
    ...[
      '!doc._deleted',
      'doc._deleted !== true',
      '!("_deleted" in doc)',
      'typeof doc._deleted === "undefined"',
      '!doc.hasOwnProperty("_deleted")',
      'doc._id.indexOf("_design/") !== 0',
      'doc._id.indexOf("_design/") === -1',
      'doc._id.indexOf("_design/") < 0',
      '!(doc._id.indexOf("_design/") > -1)',
      'doc._id.indexOf("_design")',
      'doc._id.substr(0, 8) !== "_design/"',
      '"_design" !== doc._id.slice(0, 7)',
      'doc._id[0] !== "_"',
      'doc._id.charAt(0) != "_"',
      'doc._id.split("/")[0] !== "_design"',
      '!doc._id.startsWith("_design/")',
      '!/^_design/.test(doc._id)',
      '!doc._id.match(/^_design\\//)',
    ].map(
      (asked) =>
        /** @type {[string, string, string[]]} */ ([
          `a read behind a test that any document passes: ${asked}`,
          `if (${asked}) { emit(doc.address.town); }`,
          ['doc.address'],
        ]),
    ),
    ['a read behind a return for deletions', 'if (doc._deleted) return; emit(doc.address.town);', ['doc.address']],
    [
      'a read behind two such tests',
      'var isDesign = doc._id.indexOf("_design/") === 0; if (!isDesign && !doc._deleted) emit(doc.address.town);',
      ['doc.address'],
    ],
    ...[
      'doc._deleted',
      'doc._deleted === true',
      'doc._id.indexOf("_design/") === 0',
      'doc._id.indexOf("order:") === 0',
      'doc._id.indexOf("order:") !== 0',
      'doc._id.substr(0, 6) === "order:"',
      'doc._id.substr(3, 8) !== "_design/"',
      '/^_design/.test(doc._id)',
      '!/^order/.test(doc._id)',
      '!doc._deleted && doc.type === "order"',
    ].map(
      (asked) =>
        /** @type {[string, string, string[]]} */ ([
          `a read behind a test of more: ${asked}`,
          `if (${asked}) { emit(doc.address.town); }`,
          [],
        ]),
    ),
    ['the text of a date', 'emit(doc.date.split("-"));', ['doc.date']],
  ])('are found: %s', (_, body, unguardedReads) => {
    expectFacts(es3(body), { unguardedReads });
  });

  test.each([
    ['a member of the document', 'emit(doc.town, doc.total);'],
    ['the id', 'emit(doc._id.split(":")[0]);'],
    ['the revision', 'emit(doc._rev.split("-")[0]);'],
    ['a test', 'if (doc.address) emit(doc.address.town);'],
    ['a test of the member below', 'if (doc.address && doc.address.town) emit(doc.address.town);'],
    ['a test by &&', 'doc.address && emit(doc.address.town);'],
    ['a test by ||', '!doc.address || emit(doc.address.town);'],
    ['a test by ?:', 'emit(doc.address ? doc.address.town : null);'],
    ['a test by ?.', 'emit(doc.address?.town);'],
    ['a chain behind ?.', 'emit(doc.address?.town.name.first);'],
    ['a call by ?.', 'doc.lines?.forEach((line) => emit(line.article));'],
    ['a test by ??', 'emit((doc.address ?? {}).town);'],
    ['a default by ||', '(doc.lines || []).forEach(function (line) { emit(line.article); });'],
    ['an alias with a default', 'var lines = doc.lines || []; for (var i = 0; i < lines.length; i++) emit(lines[i]);'],
    ['for of with a default', 'for (const line of doc.lines || []) emit(line.article);'],
    ['keys with a default', 'Object.keys(doc.stock || {}).forEach(function (k) { emit(k, doc.stock[k]); });'],
    ['a pattern with a default', 'const { address: { town } = {} } = doc; emit(town);'],
    [
      'a chain of calls',
      '(doc.lines || []).filter(function (l) { return l.paid; }).map(function (l) { return l.sku; }).forEach(function (s) { emit(s); });',
    ],
    ['an early return', 'if (!doc.address) return; emit(doc.address.town);'],
    [
      'an early return of several',
      'if (!doc.address || !doc.lines) { return; } emit(doc.address.town, doc.lines.length);',
    ],
    ['typeof', 'if (typeof doc.address === "object") emit(doc.address.town);'],
    ['typeof undefined', 'if (typeof doc.address !== "undefined") emit(doc.address.town);'],
    ['a comparison with undefined', 'if (doc.address !== undefined) emit(doc.address.town);'],
    ['a comparison with null', 'if (doc.address != null) emit(doc.address.town);'],
    ['void 0', 'if (doc.address !== void 0) emit(doc.address.town);'],
    ['Array.isArray', 'if (Array.isArray(doc.lines)) doc.lines.forEach(function (l) { emit(l); });'],
    ['isArray', 'if (isArray(doc.lines)) { emit(doc.lines.length); }'],
    ['in', 'if ("address" in doc) emit(doc.address.town);'],
    ['hasOwnProperty', 'if (doc.hasOwnProperty("address")) emit(doc.address.town);'],
    ['hasOwnProperty by call', 'if (Object.prototype.hasOwnProperty.call(doc, "address")) emit(doc.address.town);'],
    ['Object.hasOwn', 'if (Object.hasOwn(doc, "address")) emit(doc.address.town);'],
    ['instanceof', 'if (doc.lines instanceof Array) emit(doc.lines.length);'],
    ['the length', 'if (doc.lines && doc.lines.length > 0) emit(doc.lines[0].article);'],
    ['a variable that holds the test', 'var has = !!doc.address; if (has) emit(doc.address.town);'],
    ['a helper that holds the test', 'function has(d) { return d.address; } if (has(doc)) emit(doc.address.town);'],
    ['a helper that stops', 'function need(x) { if (!x) throw "missing"; } need(doc.address); emit(doc.address.town);'],
    ['an unknown helper', 'if (isOrder(doc)) emit(doc.address.town);'],
    ['an unknown helper that may stop', 'check(doc); emit(doc.address.town);'],
    ['a try', 'try { emit(doc.address.town); } catch (e) {}'],
    ['a while', 'while (doc.next) { emit(doc.next.name); break; }'],
    ['for in', 'for (var k in doc.stock) emit(k, doc.stock[k].count);'],
    ['a switch', 'switch (doc.type) { case "order": emit(doc.address.town); }'],
    ['an assignment', 'doc.lines = doc.lines || []; doc.lines.forEach(function (l) { emit(l); });'],
    ['a test with assignment', 'var a; if ((a = doc.address)) emit(a.town);'],
    ['a test with bitwise and', 'if (doc.type == "order" & doc.state == "open") emit(doc.address.town);'],
    ['a list of types', 'if (["order", "offer"].indexOf(doc.type) !== -1) emit(doc.address.town);'],
    ['a nested function that hides doc', 'function f(doc) { return doc.a.b; } emit(f({ a: { b: 1 } }));'],
    ['a parameter', 'function f(row) { return row.a.b; } emit((doc.lines || []).map(f));'],
    ['an element', 'if (doc.lines) emit(doc.lines[0].article);'],
    ['a computed member', 'for (var i = 1; i < 4; i++) emit(doc["line" + i].article);'],
    ['an element, whose shape may be promised', 'for (var k in doc.lines) emit(doc.lines[k].article.name);'],
    ['an element in a callback', '(doc.lines || []).forEach(function (l) { emit(l.article.name); });'],
    ['arguments', 'emit(arguments[0].address.town);'],
    ['Object', 'emit(Object(doc.address).town); Object.keys(Object(doc.lines));'],
    [
      'a member that every object has',
      'emit(doc.constructor.name, doc.toString.length); emit(doc.a, doc["__proto__"].a);',
    ],
    ['a pattern of such a member', 'var { hasOwnProperty: { length } } = doc; emit(length);'],
    ['the id and the revision', 'emit(doc._id.length, doc._rev.split("-")[0]);'],
    ['a pattern of arguments', 'var order = Array.prototype.slice.call(arguments)[0]; emit(order.a.b);'],
  ])('are not found behind %s', (_, body) => {
    expectFacts(es3(body), { unguardedReads: [] });
  });

  test.each([
    ['a type', 'if (doc.type === "order") emit(doc.address.town);', ['doc.address']],
    ['a type and return', 'if (doc.type !== "order") return; emit(doc.address.town);', ['doc.address']],
    ['a type in &&', 'doc.type == "order" && emit(doc.address.town);', ['doc.address']],
    ['a type in a switch', 'switch (doc.type) { case "order": emit(doc.address.town); break; }', ['doc.address']],
    ['nothing', 'emit(doc.address.town);', []],
  ])('may be promised by a test of %s', (_, body, unguardedReadsBehindTypeTest) => {
    expectFacts(es3(body), { unguardedReadsBehindTypeTest });
  });
});

describe('maps that are the same', () => {
  /**
   * @param {Record<string, unknown>} views
   * @param {string} name
   * @returns {unknown}
   */
  function duplicates(views, name) {
    const { subjects, ask } = readDocument({ views });
    const view = subjects.find((subject) => subject.kind === 'view' && subject.name === name);
    if (!view) throw new Error(`no view ${name}`);
    const fact = ask(view, 'view.duplicateInDocument');
    return 'value' in fact && Array.isArray(fact.value) ? fact.value.map(({ value }) => value) : fact;
  }

  const written = 'function (doc) { if (doc.total) { emit(doc.date, [doc.total, "a"]); } }';

  test.each([
    ['spaces', 'function(doc){if(doc.total){emit(doc.date,[doc.total,"a"]);}}'],
    ['comments', 'function (doc) { /* of the shop */ if (doc.total) { emit(doc.date, [doc.total, "a"]); } }'],
    ['quotes', "function (doc) { if (doc['total']) { emit(doc.date, [doc.total, 'a']); } }"],
    ['names', 'function (order) { if (order.total) { emit(order.date, [order.total, "a"]); } }'],
    ['a name of its own', 'function byDate(doc) { if (doc.total) { emit(doc.date, [doc.total, "a"]); } }'],
    ['semicolons', 'function (doc) { if (doc.total) { emit(doc.date, [doc.total, "a"]) };; }'],
    ['parentheses', '(function (doc) { if ((doc.total)) { (emit)(doc.date, [doc.total, "a"]); } })'],
    ['braces', 'function (doc) { if (doc.total) emit(doc.date, [doc.total, "a"]); }'],
    ['escapes', 'function (doc) { if (doc.total) { emit(doc.date, [doc.total, "\\u0061"]); } }'],
  ])('but for %s', (_, map) => {
    expect(duplicates({ by_date: { map: written }, again: { map } }, 'again')).toEqual(['by_date']);
  });

  test.each([
    ['another field', 'function (doc) { if (doc.total) { emit(doc.day, [doc.total, "a"]); } }'],
    ['another constant', 'function (doc) { if (doc.total) { emit(doc.date, [doc.total, "b"]); } }'],
    ['another type of constant', 'function (doc) { if (doc.total) { emit(doc.date, [doc.total, a]); } }'],
    ['another order', 'function (doc) { if (doc.date) { emit(doc.total, [doc.total, "a"]); } }'],
    ['another operator', 'function (doc) { if (!doc.total) { emit(doc.date, [doc.total, "a"]); } }'],
    ['another statement', 'function (doc) { while (doc.total) { emit(doc.date, [doc.total, "a"]); } }'],
    ['more of it', 'function (doc) { if (doc.total) { emit(doc.date, [doc.total, "a"]); } emit(1); }'],
    ['the very same text, which shares the index', written],
  ])('are not: %s', (_, map) => {
    expect(duplicates({ by_date: { map: written }, again: { map } }, 'again')).toEqual([]);
  });

  test.each([
    [
      'names that change places',
      'function (d) { var a = d.x, b = d.y; emit(a, b); }',
      'function (d) { var b = d.x, a = d.y; emit(a, b); }',
      [],
    ],
    [
      'names that are consistently others',
      'function (d) { var a = d.x, b = d.y; emit(a, b); }',
      'function (e) { var f = e.x, g = e.y; emit(f, g); }',
      ['one'],
    ],
    ['a free name that is like a number given', 'function (d) { emit($0); }', 'function (d) { emit(d); }', []],
    [
      'inner names that hide outer ones',
      'function (d) { var a = d.x; (function (a) { emit(a); })(1); }',
      'function (d) { var a = d.x; (function (b) { emit(a); })(1); }',
      [],
    ],
    [
      'shorthand',
      'function (d) { const { a } = d; emit(a); }',
      'function (e) { const { a: b } = e; emit(b); }',
      ['one'],
    ],
    ['regular expressions', 'function (d) { emit(/a/.test(d.x)); }', 'function (d) { emit(/a/i.test(d.x)); }', []],
    ['bigints', 'function (d) { emit(1n); }', 'function (d) { emit(2n); }', []],
    ['a text like a regular expression', 'function (d) { emit(/a/); }', 'function (d) { emit("/a/"); }', []],
    ['computed members', 'function (d) { emit(d[x]); }', 'function (d) { emit(d.x); }', []],
    [
      'labels',
      'function (d) { a: for (;;) { break a; } emit(d); }',
      'function (d) { b: for (;;) { break b; } emit(d); }',
      [],
    ],
    ['directives', 'function (d) { "use strict"; emit(d); }', 'function (d) { emit(d); }', []],
    ['arrows and functions', '(d) => { emit(d); }', 'function (d) { emit(d); }', ['one']],
  ])('by %s', (_, first, second, expected) => {
    expect(duplicates({ one: { map: first }, two: { map: second } }, 'two')).toEqual(expected);
  });

  test('with other options have indexes of their own for a reason', () => {
    const views = {
      plain: { map: written },
      local: { map: written.replaceAll(' ', '  '), options: { include_design: true } },
    };
    expect(duplicates(views, 'local')).toEqual([]);
  });

  test('are told of a map that does not parse', () => {
    expect(duplicates({ one: { map: 'function (' }, two: { map: 'function (' } }, 'two')).toHaveProperty('unknown');
  });
});

describe('places', () => {
  test('lead to the characters in the file', () => {
    const { subjects, ask } = readDocument({ views: { orders: { map: 'function (doc) {\n  emit("é\\n", doc);\n}' } } });
    const view = subjects.find((subject) => subject.kind === 'view');
    if (!view) throw new Error('no view');
    const fact = ask(view, 'view.emitsWholeDoc');
    const text = JSON.stringify({
      _id: '_design/shop',
      views: { orders: { map: 'function (doc) {\n  emit("é\\n", doc);\n}' } },
    });
    expect(fact.place).toMatchObject({ line: 1, column: text.indexOf(', doc);') + 3 });
  });
});
