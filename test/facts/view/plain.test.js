import { describe, expect, test } from 'vitest';
import { factsOf, readDocument, UNKNOWN } from '../../helpers/facts-of.js';

/**
 * @param {string} body of a map
 * @param {string} name of a fact of the view
 */
function factOf(body, name) {
  return factsOf({ views: { orders: { map: `function (doc) {\n  ${body}\n}` } } }, 'view', [name])[name];
}

describe('what of the id the key is', () => {
  test.each([
    ['the id', 'emit(doc._id, null);', 'whole'],
    ['the id without a value', 'emit(doc._id);', 'whole'],
    ['the id by another name', 'var id = doc._id; emit(id, null);', 'whole'],
    ['the id in brackets', "emit(doc['_id'], null);", 'whole'],
    ['all parts', "emit(doc._id.split(':'), null);", 'parts'],
    ['the first part', "emit(doc._id.split(':')[0], null);", 'parts'],
    ['parts from the left', "var p = doc._id.split(':'); emit([p[0], p[1]], null);", 'parts'],
    ['the start', 'emit(doc._id.slice(0, 8), null);', 'parts'],
    ['what is behind a prefix', "if (doc._id.indexOf('order:') === 0) emit(doc._id.slice(6), null);", 'parts'],
    ['the part behind a prefix', "if (doc._id.indexOf('order:') === 0) emit(doc._id.split(':')[1], null);", 'parts'],
    ['the parts behind one', "var p = doc._id.split(':'); if (p[0] === 'order') emit([p[1], p[2]], null);", 'parts'],
    ['the second part', "emit(doc._id.split(':')[1], null);", 'other'],
    ['the part after the next', "if (doc._id.indexOf('order:') === 0) emit(doc._id.split(':')[2], null);", 'other'],
    ['parts in another order', "var p = doc._id.split(':'); emit([p[1], p[0]], null);", 'other'],
    ['parts with one left out', "var p = doc._id.split(':'); emit([p[0], p[2]], null);", 'other'],
    ['parts by two separators', "emit([doc._id.split(':')[0], doc._id.split('-')[1]], null);", 'other'],
    ['a list with a hole', 'emit([, doc._id], null);', 'other'],
    ['an empty list', 'emit([], null);', 'other'],
    ['some of the prefix', "if (doc._id.indexOf('order:') === 0) emit(doc._id.slice(3), null);", 'other'],
    ['the end', 'emit(doc._id.slice(-4), null);', 'other'],
    ['a part as a number', "emit(Number(doc._id.split(':')[0]), null);", 'other'],
    ['split by a pattern', 'emit(doc._id.split(/[:-]/), null);', 'other'],
    ['its letters', "emit(doc._id.split(''), null);", 'other'],
    ['split with a limit', "emit(doc._id.split(':', 2), null);", 'other'],
    ['a field', 'emit(doc.date, null);', 'other'],
    ['a field of that name deeper down', 'emit(doc.customer._id, null);', 'other'],
    ['no key', 'emit();', 'other'],
    ['an emit in a loop', 'for (var i in doc.lines) emit(doc._id, null);', UNKNOWN],
    ['two emits', 'emit(doc._id, null); emit(doc.date, null);', UNKNOWN],
    ['an emit on the other branch too', 'if (doc.date) { log(1); } else { emit(doc._id); }', UNKNOWN],
    ['something else that is done', 'count(doc); emit(doc._id, null);', UNKNOWN],
    ['something done after it', 'emit(doc._id, null); doc.date.getTime();', UNKNOWN],
    ['a spread', 'emit(...[doc._id]);', UNKNOWN],
    ['an emit of its own', 'var emit = function () {}; emit(doc._id, null);', UNKNOWN],
    ['another document', 'doc = doc.order; emit(doc._id, null);', UNKNOWN],
    ['names that stand for each other', 'var a = b, b = a; emit(a, null);', 'other'],
  ])('%s', (_, body, expected) => {
    expect(factOf(body, 'idKey')).toBe(expected);
  });

  test.each([
    ['an arrow function', '(doc) => emit(doc._id, null)', 'whole'],
    ['one with a test', "(doc) => doc._id.startsWith('order:') && emit(doc._id, null)", 'whole'],
    ['a pattern as parameter', '({ _id }) => emit(_id, null)', UNKNOWN],
    ['code beside it', 'function (doc) { emit(doc._id, null); } var x = 1;', UNKNOWN],
    ['no function', '1 + 1', UNKNOWN],
    ['nothing that parses', 'function (doc) {', UNKNOWN],
  ])('in %s', (_, map, expected) => {
    expect(factsOf({ views: { orders: { map } } }, 'view', ['idKey'])['idKey']).toBe(expected);
  });
});

describe('which documents are emitted', () => {
  test.each([
    ['no test', '', 'none'],
    ['a test of the id', 'if (!doc._id) return;', 'none'],
    ['a test of the document', 'if (!doc) return;', 'none'],
    ['a test for deletions', 'if (doc._deleted) return;', 'none'],
    ['no design documents', "if (doc._id.indexOf('_design/') === 0) return;", 'none'],
    ['none, by the first letter', "if (doc._id[0] === '_') return;", 'none'],
    ['none, by a position that is false', "if (!doc._id.indexOf('_design')) return;", 'none'],
    ['none, by a pattern', 'if (/^_design/.test(doc._id)) return;', 'none'],
    ['indexOf', "if (doc._id.indexOf('order:') !== 0) return;", 'prefix'],
    ['lastIndexOf', "if (doc._id.lastIndexOf('order:', 0) !== 0) return;", 'prefix'],
    ['startsWith', "if (!doc._id.startsWith('order:')) return;", 'prefix'],
    ['substr', "if (doc._id.substr(0, 6) != 'order:') return;", 'prefix'],
    ['a constant on the left', "if ('order:' != doc._id.substring(0, 6)) return;", 'prefix'],
    ['the first letter', "if (doc._id.charAt(0) !== 'o') return;", 'prefix'],
    ['the first part', "if (doc._id.split(':')[0] !== 'order') return;", 'prefix'],
    ['a pattern', 'if (!/^order\\/.*/.test(doc._id)) return;', 'prefix'],
    ['match', 'if (!doc._id.match(/^order:/)) return;', 'prefix'],
    ['the id and its start', "if (!doc._id || doc._id.indexOf('order:') !== 0) return;", 'prefix'],
    ['two starts', "if (doc._id[0] !== 'o' || doc._id.substr(0, 2) !== 'or') return;", 'other'],
    ['one of two', "if (doc._id[0] !== 'o' && doc._id[0] !== 'c') return;", 'other'],
    ['any other start', "if (doc._id.indexOf('order:') === 0) return;", 'other'],
    ['a text anywhere', "if (doc._id.indexOf('order') === -1) return;", 'other'],
    ['a position that is true', "if (doc._id.indexOf('order')) return;", 'prefix'],
    ['a position from elsewhere', "if (doc._id.indexOf('order', 3) !== 0) return;", 'other'],
    ['a start of another length', "if (doc._id.substr(0, 5) !== 'order:') return;", 'other'],
    ['a pattern of several texts', 'if (!/^orders?:/.test(doc._id)) return;', 'other'],
    ['a pattern of any case', 'if (!/^order:/i.test(doc._id)) return;', 'other'],
    ['a pattern anywhere', 'if (!/order:/.test(doc._id)) return;', 'other'],
    ['a start in another field', "if (doc.sku.indexOf('order:') !== 0) return;", 'other'],
    ['a type', "if (doc.type !== 'order') return;", 'other'],
    ['a start and a type', "if (doc._id.indexOf('order:') !== 0 || !doc.type) return;", 'other'],
  ])('%s', (_, test_, filter) => {
    expect(factOf(`${test_} emit(doc._id, null);`, 'idFilter')).toBe(filter);
  });
});

describe('a Mango index in place of the map', () => {
  test.each([
    ['a test of the field', 'if (doc.date) emit(doc.date, null);', { fields: ['date'] }],
    ['of a field deeper down', 'if (doc.a && doc.a.b) emit([doc.a.b, doc.c]);', { fields: ['a.b', 'c'] }],
    ['by `!= null`', 'if (doc.date != null) emit(doc.date);', { fields: ['date'] }],
    ['by `!== undefined`', 'if (doc.date !== undefined) emit(doc.date, undefined);', { fields: ['date'] }],
    ['by typeof', "if (typeof doc.date !== 'undefined') emit(doc.date);", { fields: ['date'] }],
    [
      'a type',
      "if (doc.type === 'order') emit(doc.date, null);",
      { fields: ['date'], partial_filter_selector: { type: 'order' } },
    ],
    [
      'a type that is no other',
      "if (doc.type !== 'order' || doc._deleted) return; emit(doc.date);",
      { fields: ['date'], partial_filter_selector: { type: 'order' } },
    ],
    [
      'a type by `==`',
      "if ('order' == doc.type) { emit([doc.date], null); }",
      { fields: ['date'], partial_filter_selector: { type: 'order' } },
    ],
    [
      'a type, and its truth before',
      "if (doc.type && doc.type === 'order') emit(doc.date);",
      { fields: ['date'], partial_filter_selector: { type: 'order' } },
    ],
    [
      'a flag and a number',
      'if (doc.paid === true && doc.state === 3) emit(doc.date);',
      { fields: ['date'], partial_filter_selector: { paid: true, state: 3 } },
    ],
    [
      'the truth of another field',
      'doc.paid && emit(doc.date);',
      { fields: ['date'], partial_filter_selector: { paid: { $nin: [null, false, 0, ''] } } },
    ],
    [
      'another field that is not null',
      'if (doc.paid != null) emit(doc.date);',
      { fields: ['date'], partial_filter_selector: { paid: { $ne: null } } },
    ],
    [
      'another field that is there',
      'if (doc.paid !== undefined) emit(doc.date);',
      { fields: ['date'], partial_filter_selector: { paid: { $exists: true } } },
    ],
    [
      'a type of the language',
      "if (typeof doc.total === 'number') emit(doc.total);",
      { fields: ['total'], partial_filter_selector: { total: { $type: 'number' } } },
    ],
    [
      'two types at once',
      "if (doc.type === 'order' && doc.type === 'return') emit(doc.date);",
      { fields: ['date'], partial_filter_selector: { $and: [{ type: 'order' }, { type: 'return' }] } },
    ],
  ])('%s', (_, body, index) => {
    expect(JSON.parse(String(factOf(body, 'mangoIndex')))).toEqual(index);
    expect(factOf(body, 'fitsMangoIndex')).toBe(true);
  });

  test.each([
    ['no test at all', 'emit(doc.date, null);'],
    ['a value', 'if (doc.date) emit(doc.date, doc.total);'],
    ['a number as value', 'if (doc.date) emit(doc.date, 1);'],
    ['a constant in the key', "if (doc.date) emit(['order', doc.date]);"],
    ['the same field twice', 'if (doc.date) emit([doc.date, doc.date]);'],
    ['no field', 'if (doc.date) emit([]);'],
    ['a text that is changed', 'if (doc.name) emit(doc.name.toLowerCase());'],
    ['the length of a field', 'if (doc.lines) emit(doc.lines.length);'],
    ['the id', 'if (doc.date) emit(doc._id);'],
    ['a position in a list', 'if (doc.lines) emit(doc.lines[0]);'],
    ['a name with a dot', "if (doc['a.b']) emit(doc['a.b']);"],
    ['the document', 'if (doc) emit(doc);'],
    ['a field that is not there', 'if (!doc.paid) emit(doc.date);'],
    ['a field that is null', 'if (doc.paid == null) emit(doc.date);'],
    ['`!== null`, which lets through what is missing', 'if (doc.paid !== null) emit(doc.date);'],
    ['another type', "if (doc.type !== 'order') emit(doc.date);"],
    ['one of two types', "if (doc.type === 'order' || doc.type === 'return') emit(doc.date);"],
    ['a number by `==`', 'if (doc.state == 3) emit(doc.date);'],
    ['a text like a number by `==`', "if (doc.state == '3') emit(doc.date);"],
    ['a flag by `==`', 'if (doc.paid == true) emit(doc.date);'],
    ['an order', 'if (doc.total > 3) emit(doc.date);'],
    ['a type that JSON has not', "if (typeof doc.lines === 'object') emit(doc.date);"],
    ['what is no number', "if (typeof doc.total !== 'number') emit(doc.date);"],
    ['two fields compared', 'if (doc.a === doc.b) emit(doc.date);'],
    ['the start of the id', "if (doc._id.indexOf('order:') === 0) emit(doc.date);"],
    ['a list', 'if (Array.isArray(doc.lines)) emit(doc.date);'],
    ['a pattern', 'if (doc.name === /a/) emit(doc.date);'],
  ])('none for %s', (_, body) => {
    expect(factOf(body, 'fitsMangoIndex')).toBe(UNKNOWN);
    expect(factOf(body, 'mangoIndex')).toBe(UNKNOWN);
  });
});

describe('what stands beside the map', () => {
  const map = 'function (doc) { emit(doc._id, null); }';

  test.each([
    ['one view', { ids: { map } }, false],
    ['the same map twice', { ids: { map }, count: { map, reduce: '_count' } }, true],
    ['a map that differs in a space', { ids: { map }, count: { map: `${map} ` } }, false],
  ])('an index is shared: %s', (_, views, expected) => {
    expect(factsOf({ views }, 'view', ['sharesIndex'])).toEqual({ sharesIndex: expected });
  });

  test.each([
    ['none', undefined, false],
    ['of one function', { rows: 'function (head, req) {}' }, true],
    ['of none', {}, false],
    ['no object', 'rows', false],
  ])('list functions: %s', (_, lists, expected) => {
    const { subjects, ask } = readDocument({ views: { ids: { map } }, lists });
    const [ddoc] = subjects;
    expect(ddoc && ask(ddoc, 'ddoc.hasLists')).toMatchObject({ value: expected });
  });

  test.each([
    ['none', undefined, false],
    ['`raw`', { collation: 'raw' }, true],
    ['another', { collation: 'icu' }, false],
    ['no text', { collation: ['raw'] }, false],
    ['no options', 'raw', false],
  ])('a collation: %s', (_, options, expected) => {
    const facts = factsOf({ views: { ids: { map, options } } }, 'view', ['isSortedByBytes']);
    expect(facts).toEqual({ isSortedByBytes: expected });
  });

  test('number and size of documents are not known for a design document in a file', () => {
    const facts = factsOf({ views: { ids: { map } } }, 'view', ['docCount', 'meanDocBytes']);
    expect(facts).toEqual({ docCount: UNKNOWN, meanDocBytes: UNKNOWN });
  });
});
