import { expect, test } from 'vitest';
import { factsOf, UNKNOWN } from '../../helpers/facts-of.js';

/**
 * @param {string} body of a map
 * @param {string} name of a fact of the view
 */
function factOf(body, name) {
  return factsOf({ views: { orders: { map: `function (doc) {\n  ${body}\n}` } } }, 'view', [name])[name];
}

/** @param {string} inner @returns {string} two loops of functions */
const colours = (inner) => `doc.colours.forEach(function (c) { doc.sizes.forEach(function (s) { ${inner} }); });`;

test.each([
  ['two lists, by callbacks', colours('emit([c, s]);'), ['emit([c, s])']],
  [
    'two lists, by positions',
    'for (var i = 0; i < doc.a.length; i++) for (var j = 0; j < doc.b.length; j++) emit([doc.a[i], doc.b[j]]);',
    ['emit([doc.a[i], doc.b[j]])'],
  ],
  [
    'lengths that are kept',
    'for (let i = 0, n = doc.a.length; i < n; i++) for (let j = doc.b.length; j > 0; j--) emit([i, j]);',
    ['emit([i, j])'],
  ],
  ['two lists, by for-of', 'for (const a of doc.a) for (const b of doc.b) emit([a, b]);', ['emit([a, b])']],
  ['two lists, by for-in', 'for (var a in doc.a) for (var b in doc.b) emit([a, b]);', ['emit([a, b])']],
  ['each pair of one list', 'for (const a of doc.a) for (const b of doc.a) emit([a, b]);', ['emit([a, b])']],
  [
    'lists that may be missing',
    '(doc.a || []).map(function (a) { (doc.b || []).map(function (b) { emit([a, b]); }); });',
    ['emit([a, b])'],
  ],
  [
    'a list and a list in another one',
    'for (const t of doc.tags) for (const o of doc.orders) for (const l of o.lines) emit([t, l]);',
    ['emit([t, l])'],
  ],
  ['pairs within each order', 'for (const o of doc.os) for (const l of o.ls) for (const m of o.ls) emit([l, m]);', 1],
  ['a helper of its own', 'function row(c, s) { emit([c, s]); } '.concat(colours('row(c, s);')), ['emit([c, s])']],
  ['one list', 'for (const a of doc.a) emit(a);', []],
  ['two lists, one after the other', 'for (const a of doc.a) emit(a); for (const b of doc.b) emit(b);', []],
  ['lists inside a list', 'for (const o of doc.orders) for (const l of o.lines) emit(l);', []],
  [
    'lists inside a list, by positions',
    'for (var i = 0; i < doc.o.length; i++) for (var j = 0; j < doc.o[i].l.length; j++) emit(doc.o[i].l[j]);',
    [],
  ],
  ['lists that belong to the elements', 'for (var i in doc.names) for (var j in doc.lists[i]) emit(j);', []],
  ['what is looked for', 'for (const a of doc.a) for (const b of doc.b) if (a.id === b.id) emit(a);', []],
  ['what is looked for by position', colours('if (doc.known.indexOf(s) > -1) emit([c, s]);'), []],
  ['the first that fits', 'for (const a of doc.a) for (const b of doc.b) { emit([a, b]); break; }', []],
  [
    'a callback that ends the search',
    'doc.a.forEach(function (a) { doc.b.some(function (b) { emit([a, b]); }); });',
    [],
  ],
  ['a type that is asked for', colours("if (typeof s === 'string') emit([c, s]);"), ['emit([c, s])']],
  ['a fixed number of times', 'for (var i = 0; i < 7; i++) for (const b of doc.b) emit([i, b]);', []],
  ['a list of its own', "['a', 'b'].forEach(function (a) { doc.b.forEach(function (b) { emit([a, b]); }); });", []],
  [
    'an element that the inner loop does not use',
    "const all = 5; for (const a of doc.a) if (a.name === 'x') for (const b of doc.b) if (b) emit([b, all]);",
    [],
  ],
  [
    'an element that a variable keeps',
    'var c; for (const a of doc.a) { c = a; for (const b of doc.b) emit([c, b]); }',
    1,
  ],
  [
    'an element that no inner loop uses',
    "for (const a of doc.a) if (a.name === 'x') for (const o of doc.os) if (o.ls) for (const l of o.ls) emit(l.id);",
    [],
  ],
  ['an element behind two names', 'for (const a of doc.a) { const c = a.id; for (const b of doc.b) emit([c, b]); }', 1],
  ['a position from outside', 'var i = 0; for (; i < doc.a.length; i++) for (const b of doc.b) emit([i, b]);', 1],
  ['a loop beside the emit', 'for (const a of doc.a) { for (const b of doc.b) { log(b); } emit(a); }', []],
  ['a function that is too odd', 'with (doc) { emit(1); }', UNKNOWN],
])('a product: %s', (_, body, expected) => {
  const found = factOf(body, 'emitsInProduct');
  if (typeof expected === 'number') expect(found).toHaveLength(expected);
  else expect(found).toEqual(expected);
});

test.each([
  ['a space', "doc.text.split(' ').forEach(function (w) { emit(w); });", 1],
  ['white space', 'var w = doc.text.split(/\\s+/); for (var i in w) emit(w[i]);', 1],
  ['no letters', 'doc.text.split(/[^a-z0-9]+/i).forEach(function (w) { emit(w); });', 1],
  ['a class with a space', 'doc.text.split(/[ ,.]+/).forEach(function (w) { emit(w); });', 1],
  ['a text that is cleaned first', "doc.text.replace(/-/g, ' ').split(/\\W/).map(function (w) { emit(w); });", 1],
  [
    'words that are picked',
    'doc.text.split(/\\W+/).filter(function (w) { return w.length > 2; }).sort().forEach(function (w) { emit(w); });',
    1,
  ],
  ['matches', '(doc.text.match(/\\w+/g) || []).forEach(function (w) { emit(w); });', 1],
  ['matches of a length', 'var w = doc.text.match(/[a-z]{3,}/g); for (var i = 0; i < w.length; i++) emit(w[i]);', 1],
  [
    'words that fit a pattern',
    "function mark(w) { var m = w.match(/^(\\w+)[+][+]$/); if (m) emit(m[1], 1); } doc.text.split(' ').forEach(mark);",
    0,
  ],
  [
    'words that fit a pattern, in a loop',
    "var w = doc.text.split(' '); for (var i in w) { var m = /^#(.*)/.exec(w[i]); if (m) emit(m[1]); }",
    0,
  ],
  ['a comma', "doc.tags.split(',').forEach(function (t) { emit(t); });", 0],
  ['a comma with a space', 'doc.tags.split(/,\\s*/).forEach(function (t) { emit(t); });', 0],
  ['a comma or a space', 'doc.tags.split(/[, ]/).forEach(function (t) { emit(t); });', 0],
  ['commas and spaces', 'doc.tags.split(/[\\s,;]+/).forEach(function (t) { emit(t); });', 0],
  ['marks and spaces', 'doc.text.split(/[\\s,.!?]+/).forEach(function (w) { emit(w); });', 1],
  ['a slash', "doc.path.split('/').forEach(function (p) { emit(p); });", 0],
  ['all but letters and spaces', 'doc.tags.split(/[^a-z ]+/).forEach(function (t) { emit(t); });', 0],
  ['one match', 'var m = doc.text.match(/\\w+/); for (var i in m) emit(m[i]);', 0],
  ['numbers', '(doc.text.match(/[0-9]+/g) || []).forEach(function (n) { emit(n); });', 0],
  ['a long pattern', `doc.text.split(/[ ${'a'.repeat(200)}]/).forEach(function (w) { emit(w); });`, 0],
  ...[
    'for (var i = 0; i < w.length; i++) { emit(w[i]); return; }',
    'for (var i = 0; i < w.length; i++) { emit(w[i]); break; }',
    'for (const word of w) { if (word.length > 3) { emit(word); break; } }',
    'for (const word of w) { if (word.length > 3) { emit(word); log(word); return; } }',
    'for (const word of w) if (word) return emit(word);',
    'out: for (const word of w) { for (const line of doc.lines) { emit(line, word); break out; } }',
    'for (const word of w) { switch (word) { case "a": emit(word); return; } }',
    'for (var i in w) { emit(w[i]); { break; } }',
    'while (w.length) { emit(w[0]); break; }',
    'w.some(function (word) { emit(word); return true; });',
    'w.find((word) => { if (word) { emit(word); return true; } });',
  ].map(
    (loop) => /** @type {[string, string, number]} */ ([`left: ${loop}`, `var w = doc.text.split(' '); ${loop}`, 0]),
  ),
  ...[
    'for (const word of w) { if (!word) break; emit(word); }',
    'for (const word of w) { emit(word); if (word === "end") break; }',
    'for (const word of w) { emit(word); continue; }',
    'for (const word of w) { switch (word) { case "a": emit(word); break; } }',
    'for (const word of w) { for (const line of doc.lines) { emit(line, word); break; } }',
    'for (const word of w) { emit(word); (function () { return; })(); }',
    'w.forEach(function (word) { emit(word); return; });',
    'for (const word of w) { doc.lines.forEach(function (line) { emit(word); return; }); }',
    'for (const word of w) { inner: { emit(word); break inner; } }',
  ].map(
    (loop) =>
      /** @type {[string, string, number]} */ ([`not left: ${loop}`, `var w = doc.text.split(' '); ${loop}`, 1]),
  ),
  ['words that are only counted', "emit(doc.text.split(' ').length);", 0],
  ['the first word', "emit(doc.text.split(' ')[0]);", 0],
])('words: %s', (_, body, count) => {
  expect(factOf(body, 'emitsOfWords')).toHaveLength(count);
});

test.each([
  ['the document', 'emit(doc);', 1],
  ['in a list', 'emit([doc.date, doc]);', 1],
  ['in an object', 'emit({ order: doc });', 1],
  ['as JSON', 'emit(JSON.stringify(doc));', 1],
  ['a copy', 'emit([Object.assign({}, doc)]);', 1],
  ['as value', 'emit(doc.date, doc);', 0],
  ['where something is thrown', 'try { emit(doc.lines.length); } catch (error) { emit(doc, error.message); }', 0],
  ['perhaps', 'emit(doc.date || doc);', 0],
  ['a field', 'emit([doc.date, doc.total]);', 0],
])('a document in the key: %s', (_, body, count) => {
  expect(factOf(body, 'emitsDocInKey')).toHaveLength(count);
});

test.each([
  ['a test of a member', 'if (doc.address && doc.address.town) emit(doc.address);', ['doc.address']],
  ['in a list', 'if (doc.address.town) emit([doc.date, doc.address]);', ['doc.address']],
  ['an element', 'doc.lines.forEach(function (l) { if (l.sku) emit(l); });', ['doc.lines[]']],
  ['a member of it', 'if (doc.address && doc.address.town) emit(doc.address.town);', []],
  ['no test', 'emit(doc.address);', []],
  ['a test of the length', 'if (doc.name.length) emit(doc.name);', []],
  ['a method of texts', 'if (doc.name.trim && doc.name.trim()) emit(doc.name);', []],
  ['one or the other', 'if (doc.name.first) emit(doc.short || doc.name);', []],
  ['the other branch', 'if (doc.name.first) { emit(doc.name.first); } else { emit(doc.name); }', []],
  ['emit as a callback', 'if (doc.address.town) [doc.address].forEach(emit);', []],
])('an object in the key: %s', (_, body, expected) => {
  expect(factOf(body, 'keyObjects')).toEqual(expected);
});
