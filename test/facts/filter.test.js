import { describe, expect, test } from 'vitest';
import { factsOf, UNKNOWN } from '../helpers/facts-of.js';

/** @import { ShortFact } from '../helpers/facts-of.js' */

/**
 * @param {string} filter
 * @param {Record<string, ShortFact>} expected
 */
function expectFacts(filter, expected) {
  expect(factsOf({ filters: { orders: filter } }, 'filter', Object.keys(expected))).toEqual(expected);
}

/** @param {string} body @returns {string} */
const es3 = (body) => `function (doc, req) { ${body} }`;

describe('reads that throw', () => {
  test.each([
    ['a member of a member', 'return doc.address.town === "Bath";', ['doc.address']],
    ['a call', 'return doc.type.indexOf("order") === 0;', ['doc.type']],
    ['a callback', 'return doc.tags.some(function (t) { return t === "new"; });', ['doc.tags']],
  ])('are found: %s', (_, body, unguardedReads) => {
    expectFacts(es3(body), { unguardedReads });
  });

  test.each([
    ['the request', 'return doc.town === req.query.town.toLowerCase();'],
    ['the user', 'return doc.owner === req.userCtx.name.first;'],
    ['the id', 'return doc._id.indexOf("order:") === 0;'],
    ['a test before', 'return doc.address && doc.address.town === "Bath";'],
    ['a test of the type before', 'if (doc.type !== "order") return false; return doc.address.town === "Bath";'],
    [
      'a test of the request before',
      'if (!req.query.town) { return true; } return doc.address.town === req.query.town;',
    ],
    ['a test of the id before', 'return doc._id === "stock" && doc.levels.low > 3;'],
  ])('are not found: %s', (_, body) => {
    expectFacts(es3(body), { unguardedReads: [] });
  });
});

describe('parameters that the request may lack', () => {
  test.each([
    ['a call', 'return req.query.ids.split(",").indexOf(doc._id) >= 0;', ['req.query.ids']],
    ['a call through a variable', 'var ids = req.query.ids; return ids.indexOf(doc._id) >= 0;', ['req.query.ids']],
    ['an alias of the query', 'var q = req.query; return q.ids.indexOf(doc._id) >= 0;', ['q.ids']],
    ['a member by a constant name', 'return req.query["ids"].length > 0;', ['req.query["ids"]']],
    [
      'behind a test of the document',
      'return doc.type === "order" && doc.town === req.query.town.toLowerCase();',
      ['req.query.town'],
    ],
    [
      'a helper',
      'function list(text) { return text.split(","); } return list(req.query.ids).length > 1;',
      ['req.query.ids'],
    ],
    ['JSON', 'return JSON.parse(req.query.ids).indexOf(doc._id) >= 0;', ['req.query.ids']],
    [
      'two of them',
      'var a = req.query.a.length, b = req.query.b.length; return a > b;',
      ['req.query.a', 'req.query.b'],
    ],
  ])('are found: %s', (_, body, unguardedParameters) => {
    expectFacts(es3(body), { unguardedParameters, unguardedReads: [] });
  });

  test.each([
    ['a comparison', 'return doc.town === req.query.town;'],
    ['a test before', 'return req.query.ids && req.query.ids.split(",").length > 1;'],
    ['a default', 'return (req.query.ids || "").split(",").indexOf(doc._id) >= 0;'],
    ['an early return', 'if (!req.query.ids) return true; return req.query.ids.indexOf(doc._id) >= 0;'],
    [
      'a throw of its own',
      'if (!req.query.ids) throw({ forbidden: "ids" }); return req.query.ids.indexOf(doc._id) >= 0;',
    ],
    [
      'a test of another parameter',
      'if (req.query.by === "id") return req.query.ids.indexOf(doc._id) >= 0; return true;',
    ],
    ['a test by `in`', 'return "ids" in req.query ? req.query.ids.indexOf(doc._id) >= 0 : true;'],
    ['a test of the user', 'if (req.userCtx.name) return true; return req.query.ids.indexOf(doc._id) >= 0;'],
    ['a try', 'try { return req.query.ids.indexOf(doc._id) >= 0; } catch (e) { return false; }'],
    ['an optional read', 'return req.query.ids?.includes(doc._id);'],
    ['the user', 'return doc.owner === req.userCtx.name.first || req.userCtx.roles.indexOf("sales") >= 0;'],
    ['headers and the like', 'return req.headers.Host.length > 0 && req.info.db_name.length > 0;'],
    ['a method that every value has', 'return String(req.query.ids).split(",").length > 1;'],
  ])('are not found: %s', (_, body) => {
    expectFacts(es3(body), { unguardedParameters: [], unguardedReads: [] });
  });
});

describe('returns that are lost', () => {
  const toForEach = 'doc.tags.forEach(function (tag) { if (tag === "new") { return true; } });';
  test.each([
    ['in a callback of forEach', `${toForEach} return false;`, ['return true']],
    ['with nothing behind', toForEach, ['return true']],
    ['in an arrow function', 'doc.tags.forEach((tag) => { return tag === "new"; });', ['return tag === "new"']],
    ['two of them', 'doc.tags.forEach(function (tag) { if (tag) { return 1; } return 2; });', ['return 1', 'return 2']],
    ['none where the filter may return something', `${toForEach} return doc.open;`, []],
    ['none where the filter returns true', `${toForEach} return true;`, []],
    ['none of a callback that is heard', 'doc.tags.some(function (tag) { return tag === "new"; }); return false;', []],
    ['none of a return without a value', 'doc.tags.forEach(function (tag) { if (!tag) return; log(tag); });', []],
    ['none where nothing goes through', 'return false;', []],
  ])('are %s', (_, body, lostReturns) => {
    expectFacts(es3(body), { lostReturns });
  });
});

describe('deletions', () => {
  test.each([
    ['a test of a type', 'return doc.type === "order";', false, true],
    ['a test of a type, the other way', 'return doc.type !== "order";', false, false],
    ['a test of truth', 'return doc.town;', false, true],
    ['a test of truth as a flag', 'return !!doc.town;', false, true],
    ['two tests', 'return doc.type === "order" && doc.open === true;', false, true],
    ['a choice of tests', 'return doc.type === "order" || doc.type === "offer";', false, true],
    ['a test with if', 'if (doc.type == "order") { return true; } return false;', false, true],
    ['a test with if and nothing behind', 'if (doc.type == "order") { return true; }', false, true],
    ['a test with if and else', 'if (doc.type == "order") { return true; } else { return false; }', false, true],
    ['a switch', 'switch (doc.type) { case "order": case "offer": return true; } return false;', false, true],
    ['a switch with a default', 'switch (doc.type) { case "order": return true; default: return false; }', false, true],
    ['a helper', 'function isOrder(d) { return d.type === "order"; } return isOrder(doc);', false, true],
    ['a pattern', 'const { type } = doc; return type === "order";', false, true],
    ['typeof', 'return typeof doc.total === "number";', false, true],
    ['a choice', 'return doc.type ? true : false;', false, true],
    ['hasOwnProperty', 'return doc.hasOwnProperty("total");', false, true],
    ['always false', 'return false;', false, true],
    ['the request', 'return doc.town === req.query.town;', false, false],
    ['a test of the request first', 'return req.query.all || doc.type === "order";', false, false],
    ['the id', 'return doc._id.indexOf("_design/") !== 0;', false, false],
    ['the id only', 'return doc._id !== "stock";', false, false],
    ['always true', 'return true;', false, false],
    ['nothing', '', false, true],
    ['a list of types', 'return ["order"].indexOf(doc.type) !== -1;', false, false],
    ['a test of deletion', 'return doc._deleted || doc.type === "order";', true, false],
    ['a test of deletion by name', 'return doc["_deleted"] === true || doc.type === "order";', true, false],
    ['a test of deletion with in', 'return "_deleted" in doc || doc.type === "order";', true, false],
    [
      'a test of deletion in a pattern',
      'const { _deleted, type } = doc; return _deleted || type === "order";',
      true,
      false,
    ],
    ['a test against deletion', 'return !doc._deleted;', true, true],
    [
      'a deletion in a helper',
      'function gone(d) { return d._deleted; } return gone(doc) || doc.type === "order";',
      true,
      false,
    ],
    ['an unknown helper', 'return wanted(doc);', UNKNOWN, false],
    ['a library', 'var f = require("lib/filters"); return f.wanted(doc);', UNKNOWN, false],
    ['a throw', 'if (!doc.type) throw "no type"; return true;', false, false],
  ])('%s', (_, body, mentionsDeleted, rejectsTombstones) => {
    expectFacts(es3(body), { mentionsDeleted, rejectsTombstones });
  });

  test.each([
    ['an arrow', '(doc) => doc.type === "order"', true],
    ['a named function', 'function orders(doc, req) { return doc.type === "order"; }', true],
    [
      'a helper behind it',
      'function (doc) { return isOrder(doc); } function isOrder(d) { return d.type === "order"; }',
      true,
    ],
    ['a generator', 'function* (doc) { return doc.type === "order"; }', UNKNOWN],
    ['no function', '"order"', UNKNOWN],
    ['broken code', 'function (doc) { return', UNKNOWN],
  ])('are told of %s', (_, filter, rejectsTombstones) => {
    expectFacts(filter, { rejectsTombstones });
  });
});

describe('the selector of a filter', () => {
  test.each([
    ['doc.type === "order"', { type: 'order' }],
    ['"order" === doc.type', { type: 'order' }],
    ['doc["type"] === "order"', { type: 'order' }],
    ['(doc.type) === ("order")', { type: 'order' }],
    ['doc.open === true', { open: true }],
    ['doc.type === "order" && doc.open === true', { type: 'order', open: true }],
    ['doc.type === "order" || doc.type === "offer"', { $or: [{ type: 'order' }, { type: 'offer' }] }],
    ['doc.address.town === "Bath"', { 'address.town': 'Bath' }],
    ['doc.address?.town === "Bath"', { 'address.town': 'Bath' }],
    ['doc.town === req.query.town', { town: '<req.query.town>' }],
    ['doc.town === req.query["town"]', { town: '<req.query.town>' }],
    ['typeof doc.total === "number"', { total: { $type: 'number' } }],
    ['typeof doc.total == "string"', { total: { $type: 'string' } }],
    ['"boolean" === typeof doc.open', { open: { $type: 'boolean' } }],
    [
      'typeof doc.total !== "number"',
      { $or: [{ total: { $exists: false } }, { total: { $not: { $type: 'number' } } }] },
    ],
    ['typeof doc.total === "number" && doc.total > 5', { total: { $gt: 5, $type: 'number' } }],
    ['typeof doc.total === "number" && 5 < doc.total', { total: { $gt: 5, $type: 'number' } }],
    ['typeof doc.total === "number" && doc.total <= -5', { total: { $lte: -5, $type: 'number' } }],
    [
      'typeof doc.total === "number" && doc.total >= 5 && doc.total < 9',
      { total: { $gte: 5, $lt: 9, $type: 'number' } },
    ],
    ['typeof doc.total === "number" && !(doc.total > 5)', { total: { $lte: 5, $type: 'number' } }],
    ['typeof doc.a.total === "number" && doc.a.total > 5', { 'a.total': { $gt: 5, $type: 'number' } }],
    [
      'typeof doc.total !== "number" || doc.total > 5',
      {
        $or: [
          { total: { $exists: false } },
          { total: { $not: { $type: 'number' } } },
          { total: { $gt: 5, $type: 'number' } },
        ],
      },
    ],
    ['doc._id == "stock"', { _id: 'stock' }],
    ['doc._id == req.query.id', { _id: '<req.query.id>' }],
    ['doc._deleted', { _deleted: true }],
    ['!doc._deleted', { _deleted: { $exists: false } }],
    ['!!doc._deleted', { _deleted: true }],
    ['doc._deleted === true', { _deleted: true }],
    ['doc._deleted == true', { _deleted: true }],
    ['doc._deleted !== true', { _deleted: { $exists: false } }],
    ['!doc._deleted && doc.type === "order"', { _deleted: { $exists: false }, type: 'order' }],
    ['doc._deleted || doc.type === "order"', { $or: [{ _deleted: true }, { type: 'order' }] }],
    ['doc._deleted ? true : doc.type === "order"', { $or: [{ _deleted: true }, { type: 'order' }] }],
    ['doc._deleted ? false : doc.type === "order"', { _deleted: { $exists: false }, type: 'order' }],
    ['!(doc.type === "order")', { $or: [{ type: { $exists: false } }, { type: { $ne: 'order' } }] }],
    [
      'doc.type === "order" || doc.type === "offer" || doc.open === true',
      { $or: [{ type: 'order' }, { type: 'offer' }, { open: true }] },
    ],
    // A missing field is unequal to anything.
    ['doc.type !== "order"', { $or: [{ type: { $exists: false } }, { type: { $ne: 'order' } }] }],
  ])('%s', (test, selector) => {
    for (const filter of [
      `function (doc, req) { return ${test}; }`,
      `(doc, req) => ${test}`,
      `function (doc, req) { if (${test}) { return true; } return false; }`,
      `function (doc, req) { if (${test}) return true; else return false; }`,
      `function (doc, req) { if (${test}) return true; }`,
    ]) {
      expectFacts(filter, { fitsSelector: true, selector: JSON.stringify(selector) });
    }
  });

  test.each([
    [
      'a return of true for deletions first',
      'if (doc._deleted) return true; return doc.type === "order";',
      { $or: [{ _deleted: true }, { type: 'order' }] },
    ],
    [
      'a return of true for deletions first, with else',
      'if (doc._deleted) { return true; } else { return doc.type === "order"; }',
      { $or: [{ _deleted: true }, { type: 'order' }] },
    ],
    [
      'a return of false for deletions first',
      'if (doc._deleted) return false; return doc.type === "order";',
      { _deleted: { $exists: false }, type: 'order' },
    ],
    [
      'a return of nothing for deletions first',
      'if (doc._deleted) return; if (doc.type === "order") { return true; }',
      { _deleted: { $exists: false }, type: 'order' },
    ],
    [
      'three returns',
      'if (doc._deleted) return true; if (doc.type === "order") return true; return doc.type === "offer";',
      { $or: [{ _deleted: true }, { type: 'order' }, { type: 'offer' }] },
    ],
    [
      'a return of false first',
      'if (doc.type === "order") return false; return true;',
      { $or: [{ type: { $exists: false } }, { type: { $ne: 'order' } }] },
    ],
  ])('is told of %s', (_, body, selector) => {
    expectFacts(es3(body), { fitsSelector: true, selector: JSON.stringify(selector) });
  });

  test('leaves out a type that is tested before', () => {
    expectFacts(es3('if (typeof doc.total !== "number") return false; return doc.total > 5;'), {
      selector: '{"total":{"$gt":5,"$type":"number"}}',
    });
  });

  test.each([
    ['a field against null, which a missing one is not', 'return doc.type == null;'],
    ['a field against undefined', 'return doc.type === undefined;'],
    ['a test of truth', 'return doc.open;'],
    ['a loose comparison, which a list of the text passes as well', 'return doc.type == "order";'],
    ['a loose comparison of the id with a number', 'return doc._id == 7;'],
    ['a loose inequality', 'return doc.type != "order";'],
    ['a number by order, which texts of digits pass as well', 'return doc.total > 5;'],
    ['a number by order behind a test of another type', 'return typeof doc.total === "string" && doc.total > 5;'],
    ['a number by order beside its type', 'return typeof doc.total === "number" || doc.total > 5;'],
    ['a number by order before its type', 'return doc.total > 5 && typeof doc.total === "number";'],
    ['texts by their order', 'return doc.date > "2020";'],
    ['texts by their order behind their type', 'return typeof doc.date === "string" && doc.date > "2020";'],
    ['a number of the request', 'return typeof doc.total === "number" && doc.total > req.query.least;'],
    ['what a field inside another is not', 'return doc.address?.town !== "Bath";'],
    ['what a field inside another is not, turned round', 'return !(doc.address.town === "Bath");'],
    ['a letter of a text', 'return doc.type["0"] === "o";'],
    ['a number that JavaScript rounds', 'return doc.total === 9007199254740993;'],
    ['a member that only filters are shown', 'return doc._revisions === 1;'],
    ['every document', 'return true;'],
    ['every document behind a test', 'if (doc._deleted) return true; return true;'],
    ['no document', 'return doc._deleted === false && doc.type === "order";'],
    ['an if that goes on', 'if (doc.type === "order") { log(doc._id); } return true;'],
    ['more tests than are worth it', `return ${Array(400).fill('doc.type === "order"').join(' || ')};`],
    ['two fields', 'return doc.a === doc.b;'],
    ['a call', 'return doc._id.indexOf("order") === 0;'],
    ['more statements', 'log(doc._id); return doc.type === "order";'],
    ['a name with a dot', 'return doc["a.b"] === 1;'],
    ['a name with a dollar', 'return doc.$or === 1;'],
    ['a variable', 'var type = "order"; return doc.type === type;'],
    ['a member of every object', 'return doc.__proto__ === 1;'],
    ['a length', 'return doc.lines.length === 1;'],
    ['NaN', 'return doc.total === NaN;'],
    ['another name from outside', 'return order.type === "order";'],
    ['instanceof', 'return doc.type instanceof String;'],
  ])('is not told: %s', (_, body) => {
    expectFacts(es3(body), { fitsSelector: UNKNOWN, selector: UNKNOWN });
  });

  test.each([
    ['a pattern as parameter', '({ type }) => type === "order"'],
    ['no parameter', '() => true'],
    ['a default', '(doc = {}) => doc.type === "order"'],
    ['a helper of the same name behind it', 'function (doc, doc) { return doc.type === "order"; }'],
    ['an async function', 'async (doc) => doc.type === "order"'],
  ])('is not told of %s', (_, filter) => {
    expectFacts(filter, { selector: UNKNOWN });
  });
});
