// Facts about full-text indexes: what their functions do with documents that lack something, and what is stored.

import { expect, test } from 'vitest';
import { readFiles, UNKNOWN } from '../helpers/facts-of.js';

/**
 * @param {'indexes' | 'nouveau'} group
 * @param {string} body of the function
 * @param {Record<string, unknown>} [definition]
 * @returns {(fact: string) => unknown} the value; of a list its items; `UNKNOWN` where it is
 */
function indexOf(group, body, definition = {}) {
  const designDoc = {
    _id: '_design/search',
    [group]: { orders: { ...definition, index: `function (doc) { ${body} }` } },
  };
  const { subjects, shortFact } = readFiles({ 'search.json': designDoc });
  expect(subjects.find(({ kind }) => kind === 'search-index')?.name).toBe(`${group}.orders`);
  return (fact) => shortFact('search-index', `searchindex.${fact}`);
}

/** @type {['indexes' | 'nouveau', string, string, string[] | typeof UNKNOWN][]} */
const REFUSED = [
  [
    'nouveau',
    'String for a number',
    "index('double', 'price', String(doc.price));",
    ["index('double', 'price', String(doc.price))"],
  ],
  ['nouveau', 'a number for a string', "index('string', 'size', doc.lines.length + 1);", []],
  ['nouveau', 'a number for a text', "index('text', 'size', 7);", ["index('text', 'size', 7)"]],
  ['nouveau', 'a boolean', "index('string', 'paid', !!doc.paid);", ["index('string', 'paid', !!doc.paid)"]],
  ['nouveau', 'a date', "index('string', 'day', new Date(doc.day));", ["index('string', 'day', new Date(doc.day))"]],
  ['nouveau', 'an array', "index('text', 'tags', [doc.a, doc.b]);", ["index('text', 'tags', [doc.a, doc.b])"]],
  ['nouveau', 'no value', "index('text', 'name');", ["index('text', 'name')"]],
  [
    'nouveau',
    'the arguments of Clouseau',
    "index('name', doc.name, { store: true });",
    ["index('name', doc.name, { store: true })"],
  ],
  ['nouveau', 'a type that there is not', "index('number', 'price', 1);", ["index('number', 'price', 1)"]],
  ['nouveau', 'a type that is computed', 'index(doc.type, doc.name, 1);', []],
  ['nouveau', 'a reserved name', "index('string', '_id', doc._id);", ["index('string', '_id', doc._id)"]],
  [
    'nouveau',
    'what is sound',
    "index('string', 'id', doc._id); index('double', 'price', Number(doc.price)); index('stored', 'a', 1);",
    [],
  ],
  [
    'nouveau',
    'a type that was tested',
    "if (typeof doc.price === 'string') index('double', 'price', doc.price);",
    ["index('double', 'price', doc.price)"],
  ],
  ['nouveau', 'what is caught', "try { index('double', 'price', 'x'); } catch (e) {}", []],
  ['nouveau', 'arguments that are spread', "index(...['double', 'price', 'x']);", []],
  ['indexes', 'an object', "index('address', { town: doc.town });", ["index('address', { town: doc.town })"]],
  ['indexes', 'null', "index('address', null);", ["index('address', null)"]],
  ['indexes', 'a name that is a number', "index(7, 'x');", ["index(7, 'x')"]],
  ['indexes', 'options that are none', "index('name', doc.name, 'yes');", ["index('name', doc.name, 'yes')"]],
  [
    'indexes',
    'what is sound',
    "index('a', 1); index('b', true); index('c', doc._id + 'x', { store: 'yes' }); index('d', doc.d || 'none');",
    [],
  ],
  ['indexes', 'a call in a loop over members', 'for (var name in doc) { index(name, doc[name]); }', []],
  ['indexes', 'a call of what was not read', "require('x').all(doc);", UNKNOWN],
];

test.each(REFUSED)('%s: %s is refused where it is certain', (group, _, body, calls) => {
  expect(indexOf(group, body)('refusedCalls')).toEqual(calls);
});

/** @type {['indexes' | 'nouveau', string, string, string[]][]} */
const UNCHECKED = [
  [
    'nouveau',
    'fields',
    "index('text', 'name', doc.name); index('double', 'price', doc.price);",
    ["index('text', 'name', doc.name)", "index('double', 'price', doc.price)"],
  ],
  ['nouveau', 'the only call', "index('text', 'name', doc.name);", []],
  ['nouveau', 'a field with a default', "index('text', 'name', doc.name || ''); index('string', 'id', doc._id);", []],
  ['nouveau', 'a test before', "if (doc.name) index('text', 'name', doc.name); index('string', 'id', doc._id);", []],
  [
    'nouveau',
    'a test of the type',
    "if (typeof doc.name === 'string') { index('text', 'name', doc.name); } index('string', 'id', doc._id);",
    [],
  ],
  [
    'nouveau',
    'a test of the kind of document',
    "if (doc.type !== 'order') return; index('text', 'name', doc.name); index('string', 'id', doc._id);",
    [],
  ],
  [
    'nouveau',
    'elements of a list',
    "(doc.tags || []).forEach(function (tag) { index('string', 'tag', tag); }); index('string', 'id', doc._id);",
    [],
  ],
  [
    'nouveau',
    'what is caught',
    "try { index('text', 'name', doc.name); } catch (e) {} index('string', 'id', doc._id);",
    [],
  ],
  [
    'indexes',
    'a field',
    "index('default', doc._id); index('name', doc.name, { store: true });",
    ["index('name', doc.name, { store: true })"],
  ],
];

test.each(UNCHECKED)('%s: %s that may be missing is found where other fields are lost', (group, _, body, calls) => {
  expect(indexOf(group, body)('uncheckedValues')).toEqual(calls);
});

test('reads of what may be missing are found as in maps', () => {
  expect(indexOf('indexes', "index('default', doc.name.first);")('unguardedReads')).toEqual(['doc.name']);
  expect(indexOf('nouveau', "index('text', 'a', doc.name && doc.name.first);")('unguardedReads')).toEqual([]);
  expect(indexOf('nouveau', "if (doc.type === 'x') index('text', 'a', doc.name.first);")('unguardedReads')).toEqual([]);
});

test('a field of Nouveau keeps its type', () => {
  const twice =
    "index('text', 'name', 'a'); index('string', 'name', 'b'); index('stored', 'name', 'c'); index('text', 'name', 'd');";
  expect(indexOf('nouveau', twice)('typeChanges')).toEqual(["index('string', 'name', 'b')"]);
  expect(indexOf('indexes', "index('name', 'a'); index('name', 1);")('typeChanges')).toEqual([]);
});

test('a document that is stored as text is found', () => {
  const stored = "index('stored', 'doc', JSON.stringify(doc));";
  expect(indexOf('nouveau', stored)('storedDocs')).toEqual(["index('stored', 'doc', JSON.stringify(doc))"]);
  expect(indexOf('indexes', "index('doc', JSON.stringify(doc), { store: true });")('storedDocs')).toHaveLength(1);
  expect(indexOf('indexes', "index('default', JSON.stringify(doc));")('storedDocs')).toEqual([]);
  expect(indexOf('indexes', "index('a', JSON.stringify(doc.address), { store: true });")('storedDocs')).toEqual([]);
});

test('an index that demands Lucene 9 is known', () => {
  expect(indexOf('nouveau', '', { lucene_version: 9 })('isLucene9')).toBe(true);
  expect(indexOf('nouveau', '', { lucene_version: 10 })('isLucene9')).toBe(false);
  expect(indexOf('nouveau', '')('isLucene9')).toBe(false);
  expect(indexOf('indexes', '', { lucene_version: 9 })('isLucene9')).toBe(false);
});
