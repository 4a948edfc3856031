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
    ['a member of a member', 'return doc.address.town === "Bath";', ['doc.address.town']],
    ['a call', 'return doc.type.indexOf("order") === 0;', ['doc.type.indexOf']],
    ['a callback', 'return doc.tags.some(function (t) { return t === "new"; });', ['doc.tags.some']],
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
    ['doc.type == "order"', { type: 'order' }],
    ['"order" === doc.type', { type: 'order' }],
    ['doc["type"] === "order"', { type: 'order' }],
    ['(doc.type) === ("order")', { type: 'order' }],
    ['doc.open === true', { open: true }],
    ['doc.total > 5', { total: { $gt: 5 } }],
    ['5 < doc.total', { total: { $gt: 5 } }],
    ['doc.total >= 5 && doc.total < 9', { $and: [{ total: { $gte: 5 } }, { total: { $lt: 9 } }] }],
    ['doc.type === "order" && doc.open === true', { type: 'order', open: true }],
    ['doc.type === "order" || doc.type === "offer"', { $or: [{ type: 'order' }, { type: 'offer' }] }],
    ['doc.address.town === "Bath"', { 'address.town': 'Bath' }],
    ['doc.address?.town === "Bath"', { 'address.town': 'Bath' }],
    ['doc.town === req.query.town', { town: '<req.query.town>' }],
    ['doc.town === req.query["town"]', { town: '<req.query.town>' }],
    ['doc.date > "2020"', { date: { $gt: '2020' } }],
    // A missing field is unequal to anything.
    ['doc.type !== "order"', { $or: [{ type: { $exists: false } }, { type: { $ne: 'order' } }] }],
    ['"order" != doc.type', { $or: [{ type: { $exists: false } }, { type: { $ne: 'order' } }] }],
    ['doc.total <= -5', { total: { $lte: -5 } }],
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
    ['a field against null, which a missing one is not', 'return doc.type == null;'],
    ['a field against undefined', 'return doc.type === undefined;'],
    ['a test of truth', 'return doc.open;'],
    ['a negation', 'return !(doc.type === "order");'],
    ['two fields', 'return doc.a === doc.b;'],
    ['a call', 'return doc._id.indexOf("order") === 0;'],
    ['more statements', 'log(doc._id); return doc.type === "order";'],
    ['a return of false first', 'if (doc.type === "order") return false; return true;'],
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
