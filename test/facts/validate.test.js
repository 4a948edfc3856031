import { describe, expect, test } from 'vitest';
import { factsOf, UNKNOWN } from '../helpers/facts-of.js';

/** @import { ShortFact } from '../helpers/facts-of.js' */

/**
 * @param {string} source
 * @param {Record<string, ShortFact>} expected
 */
function expectFacts(source, expected) {
  expect(factsOf({ validate_doc_update: source }, 'validate', Object.keys(expected))).toEqual(expected);
}

/** @param {string} body @returns {string} */
const es3 = (body) => `function (newDoc, oldDoc, userCtx, secObj) { ${body} }`;

describe('reads that throw by accident', () => {
  test.each([
    ['a member of a member', 'if (newDoc.address.town === "") throw { forbidden: "town" };', ['newDoc.address']],
    ['the old document', 'if (newDoc.type !== oldDoc.type) throw { forbidden: "type" };', ['oldDoc']],
    ['the old document by name', 'if (oldDoc["type"]) throw { forbidden: "type" };', ['oldDoc']],
    ['a member below it, once', 'if (oldDoc.a.b) throw { forbidden: "a" };', ['oldDoc']],
    [
      'the old document behind a test of a field',
      'if (newDoc.type === "order" && oldDoc.paid) throw { forbidden: "paid" };',
      ['oldDoc'],
    ],
    ['a pattern of the old document', 'const { type } = oldDoc; if (type) throw { forbidden: "type" };', ['oldDoc']],
    [
      'the old document in a helper',
      'function same(f) { if (newDoc[f] !== oldDoc[f]) throw { forbidden: f }; } same("type");',
      ['oldDoc'],
    ],
    // A deletion can be all that replication brings of a document.
    [
      'the old document behind a test of deletion',
      'if (newDoc._deleted === true) { if (userCtx.name == oldDoc.name) return; throw { forbidden: "no" }; }',
      ['oldDoc'],
    ],
    ...[
      'newDoc._deleted',
      '!newDoc._deleted',
      '"paid" in newDoc',
      'newDoc.hasOwnProperty("paid")',
      'newDoc.type.indexOf("order") === 0',
      'newDoc.lines.length > 3',
      'Array.isArray(newDoc.lines)',
      '/^order/.test(newDoc.type)',
      'newDoc._id.split(":")[0] === "order"',
    ].map(
      (asked) =>
        /** @type {[string, string, string[]]} */ ([
          `the old document behind ${asked}`,
          `if (newDoc.type && newDoc.lines) { if (${asked}) { if (oldDoc.paid) throw { forbidden: "paid" }; } }`,
          ['oldDoc'],
        ]),
    ),
    [
      'the old document in a switch',
      'switch (newDoc.type) { case "order": if (oldDoc.paid) throw { forbidden: "paid" }; }',
      ['oldDoc'],
    ],
    [
      'a member of a member behind a test that only rules deletions out',
      'if (newDoc._deleted) return; if (newDoc.address.town === "") throw { forbidden: "town" };',
      ['newDoc.address'],
    ],
    ['a member of what may stand for the old document', 'var old = oldDoc || {}; old.address.town;', ['old.address']],
    [
      'what a catch throws on',
      'try { if (oldDoc.type) throw { forbidden: "type" }; } catch (e) { log(e); throw e; }',
      ['oldDoc'],
    ],
    ['the revision of a document that is created', 'newDoc._rev.split("-"); newDoc._id.split(":");', ['newDoc._rev']],
    ['the other branch of a test', 'if (!oldDoc) { log(oldDoc.type); }', []],
  ])('are found: %s', (_, body, unguardedReads) => {
    expectFacts(es3(body), { unguardedReads });
  });

  test.each([
    ['if', 'if (oldDoc) { if (oldDoc.type !== newDoc.type) throw { forbidden: "type" }; }'],
    ['&&', 'if (oldDoc && oldDoc.type !== newDoc.type) throw { forbidden: "type" };'],
    ['!!', 'if (!!oldDoc && oldDoc.type) throw { forbidden: "type" };'],
    ['||', 'if (!oldDoc || oldDoc.type) throw { forbidden: "type" };'],
    ['?:', 'var type = oldDoc ? oldDoc.type : null; if (type) throw { forbidden: "type" };'],
    ['?.', 'if (oldDoc?.type) throw { forbidden: "type" };'],
    ['a default', 'var old = oldDoc || {}; if (old.type) throw { forbidden: "type" };'],
    ['a default in place', 'if ((oldDoc || {}).type) throw { forbidden: "type" };'],
    ['a comparison with null', 'if (oldDoc !== null && oldDoc.type) throw { forbidden: "type" };'],
    ['a loose comparison with null', 'if (oldDoc != null) { if (oldDoc.type) throw { forbidden: "type" }; }'],
    ['typeof', 'if (typeof oldDoc === "object" && oldDoc.type) throw { forbidden: "type" };'],
    ['early return', 'if (!oldDoc) return; if (oldDoc.type) throw { forbidden: "type" };'],
    ['early throw', 'if (oldDoc == null) throw { forbidden: "new" }; if (oldDoc.type) throw { forbidden: "type" };'],
    [
      'a throwing helper',
      'function no(m) { throw { forbidden: m }; } if (!oldDoc) no("new"); if (oldDoc.type) no("type");',
    ],
    ['a variable', 'var isNew = !oldDoc; if (!isNew && oldDoc.type) throw { forbidden: "type" };'],
    [
      'a variable of two tests',
      'var was = oldDoc && !oldDoc._deleted; if (was && oldDoc.type) throw { forbidden: "type" };',
    ],
    [
      'a helper',
      'function exists() { return oldDoc !== null; } if (exists() && oldDoc.type) throw { forbidden: "type" };',
    ],
    ['a test of the revision', 'if (newDoc._rev && oldDoc.type) throw { forbidden: "type" };'],
    [
      'a test of the revisions',
      'if (newDoc._revisions && newDoc._revisions.start > 1 && oldDoc.type) throw { forbidden: "type" };',
    ],
    ['a test of the user', 'if (userCtx.roles.indexOf("_admin") === -1 && oldDoc.type) throw { forbidden: "type" };'],
    [
      'a test of the user and a field',
      'if (newDoc.owner !== userCtx.name && oldDoc.type) throw { forbidden: "type" };',
    ],
    ['a test of the revision by name', 'if (newDoc["_rev"] && oldDoc.type) throw { forbidden: "type" };'],
    [
      'a test of the revision by a method',
      'if (newDoc.hasOwnProperty("_rev") && oldDoc.type) throw { forbidden: "type" };',
    ],
    [
      'a test of a list of the old one',
      'if (Object.keys(oldDoc || {}).length && oldDoc.type) throw { forbidden: "a" };',
    ],
    ['a catch that looks at what it throws', 'try { oldDoc.type; } catch (e) { if (e.forbidden) throw e; }'],
    ['a try', 'try { if (oldDoc.type) throw { forbidden: "type" }; } catch (e) { throw { forbidden: "old" }; }'],
    ['an unknown test', 'if (isUpdate(newDoc, oldDoc) && oldDoc.type) throw { forbidden: "type" };'],
    [
      'a helper with its own name for it',
      'function same(a, b) { return b && a.type === b.type; } if (!same(newDoc, oldDoc)) throw { forbidden: "type" };',
    ],
  ])('are not found behind %s', (_, body) => {
    expectFacts(es3(body), { unguardedReads: [] });
  });

  test('of the user and the security object are not found', () => {
    expectFacts(es3('if (secObj.members.roles.indexOf(userCtx.roles[0]) === -1) throw { forbidden: "no" };'), {
      unguardedReads: [],
    });
  });
});

describe('functions that fail whatever is written', () => {
  test.each([
    ['a member of null', 'null.x;', true],
    ['a member of a variable without a value', 'var rates; log(rates.eur);', true],
    ['JSON that is none', "var rates = JSON.parse('{'); if (newDoc.a) log(rates);", true],
    ['a method that strings lack', 'newDoc._id.forEach(log);', true],
    ['a loop without an end', 'while (true) {}', true],
    ['a pattern of null', 'var { a } = null;', true],
    ['an error in each of two branches', 'if (newDoc.a) null.x; else undefined.y;', true],
    ['an error in a catch', 'try { null.x; } catch (e) { null.y; }', true],
    ['an error that is caught', 'try { null.x; } catch (e) { }', false],
    ['an error in one branch', 'if (newDoc.a) null.x;', false],
    ['JSON', "JSON.parse('{}');", false],
    ['a field that may be missing', 'newDoc.a.b;', false],
    ['a rejection of every write', "throw { forbidden: 'read only' };", false],
    ['an unknown call', 'check(newDoc); null.x;', false],
    ['nothing', '', false],
  ])('%s', (_, body, alwaysFails) => {
    expectFacts(es3(body), { alwaysFails });
    if (alwaysFails) expectFacts(es3(body), { canReject: UNKNOWN });
  });
});

describe('throws that CouchDB does not understand', () => {
  test.each([
    ['a text', 'throw "no";', ['throw "no"']],
    ['a joined text', 'throw "no " + newDoc._id;', ['throw "no " + newDoc._id']],
    ['an error', 'throw new Error("no");', ['throw new Error("no")']],
    ['an error without new', 'throw Error("no");', ['throw Error("no")']],
    ['a type error', 'throw new TypeError("no");', ['throw new TypeError("no")']],
    ['an error in a variable', 'var e = new Error("no"); throw e;', ['throw e']],
    ['a number', 'throw 403;', ['throw 403']],
    ['null', 'throw null;', ['throw null']],
    ['another member', 'throw { error: "no" };', ['throw { error: "no" }']],
    ['a misspelt member', 'throw({ Forbidden: "no" });', ['throw({ Forbidden: "no" })']],
    ['two members', 'throw { forbidden: "no", reason: "why" };', ['throw { forbidden: "no", reason: "why" }']],
    ['no member', 'throw {};', ['throw {}']],
    ['a list', 'throw ["forbidden", "no"];', ['throw ["forbidden", "no"]']],
    [
      'both members',
      'throw { forbidden: "no", unauthorized: "no" };',
      ['throw { forbidden: "no", unauthorized: "no" }'],
    ],
    ['a member that JSON leaves out', 'throw { forbidden: undefined };', ['throw { forbidden: undefined }']],
    [
      'another member beside one that may be left out',
      'throw { forbidden: why(), code: 1 };',
      ['throw { forbidden: why(), code: 1 }'],
    ],
    ['JSON', 'throw JSON.stringify({ forbidden: "no" });', ['throw JSON.stringify({ forbidden: "no" })']],
    ['one of two', 'if (newDoc.a) throw { forbidden: "a" }; throw "b";', ['throw "b"']],
    ['one in a helper', 'function no(m) { throw m + "!"; } no("a");', ['throw m + "!"']],
    ['a choice of texts', 'throw newDoc.a ? "a" : "b";', ['throw newDoc.a ? "a" : "b"']],
    ['one in a callback', '(newDoc.lines || []).forEach(function (l) { if (!l.sku) throw "sku"; });', ['throw "sku"']],
  ])('are found: %s', (_, body, badThrows) => {
    expectFacts(es3(body), { badThrows, canReject: true });
  });

  test.each([
    ['forbidden', 'throw { forbidden: "no" };'],
    ['forbidden in parentheses', 'throw({ forbidden: "no" });'],
    ['forbidden in quotes', 'throw { "forbidden": "no" };'],
    ['unauthorized', 'throw { unauthorized: "who" };'],
    ['a variable', 'var no = { forbidden: "no" }; throw no;'],
    ['a member given later', 'var no = {}; no.forbidden = "no"; throw no;'],
    ['a computed member', 'var kind = "forbidden"; throw { [kind]: "no" };'],
    ['a member by a computed name', 'var no = {}; no[newDoc.kind] = "no"; throw no;'],
    ['an object of a helper', 'function no(m) { return { forbidden: m }; } throw no("a");'],
    ['a choice', 'throw userCtx.name ? { forbidden: "no" } : { unauthorized: "who" };'],
    ['a second member that JSON leaves out', 'throw { forbidden: "no", code: undefined };'],
    ['a second member that JSON may leave out', 'function no(m, c) { throw { forbidden: m, code: c }; } no("a");'],
    ['a second member that may come out as nothing', 'throw { forbidden: "no", code: codeOf(newDoc) };'],
    ['1, which CouchDB takes for consent', 'throw 1;'],
    ['true, which CouchDB takes for consent', 'throw true;'],
    ['what was caught', 'try { check(newDoc); } catch (e) { throw e; }'],
    ['what an unknown function makes', 'throw rejection("no");'],
    ['something of its own kind', 'throw new Forbidden("no");'],
    ['an error with a member of its own', 'var e = new Error("no"); e.forbidden = "no"; throw e;'],
    ['a helper of the name Error', 'function Error(m) { return { forbidden: m }; } throw Error("no");'],
    ['a copy with more', 'var base = { forbidden: "no" }; throw { ...base };'],
  ])('are not found: %s', (_, body) => {
    expectFacts(es3(body), { badThrows: [], canReject: true });
  });

  test('are not found where they are caught', () => {
    expectFacts(es3('try { throw "no"; } catch (e) { log(e); }'), { badThrows: [], canReject: false });
  });
});

test('all that answers 500 stands in one list, in its order', () => {
  const body =
    'if (!newDoc.type) throw "type"; if (oldDoc.type !== newDoc.type) throw { forbidden: "type" }; throw "no";';
  expectFacts(es3(body), { faults: ['throw "type"', 'oldDoc.type', 'throw "no"'] });
});

describe('whether a write can be rejected', () => {
  test.each([
    ['nothing', '', false],
    ['a log', 'log(newDoc._id);', false],
    ['a throw', 'throw { forbidden: "no" };', true],
    ['a throw behind a test', 'if (!newDoc.type) throw { forbidden: "type" };', true],
    ['a throw that finally does not catch', 'try { throw { forbidden: "no" }; } finally { log(1); }', true],
    ['a throw in a catch', 'try { check(newDoc); } catch (e) { throw { forbidden: "no" }; }', true],
    ['a throw in a helper', 'function no() { throw { forbidden: "no" }; } if (newDoc.a) no();', true],
    [
      'a throw in a helper that calls itself',
      'function walk(n) { if (!n) throw { forbidden: "n" }; walk(n.next); } walk(newDoc);',
      true,
    ],
    [
      'a throw in a method',
      'var v = { need: function (f) { if (!newDoc[f]) throw { forbidden: f }; } }; v.need("type");',
      true,
    ],
    [
      'a throw in a table',
      'var by = { order: function () { throw { forbidden: "no" }; } }; by[newDoc.type] && by[newDoc.type]();',
      true,
    ],
    ['a throw in a callback', '["a"].forEach(function (f) { if (!newDoc[f]) throw { forbidden: f }; });', true],
    ['a throw in an IIFE', '(function () { if (!newDoc.a) throw { forbidden: "a" }; })();', true],
    ['a throw in a loop', 'for (var i = 0; i < 2; i++) { if (!newDoc["a" + i]) throw { forbidden: "a" }; }', true],
    [
      'a throw behind a flag that a callback sets',
      'var bad = false; (newDoc.lines || []).forEach(function (l) { if (!l) bad = true; }); if (bad) throw { forbidden: "l" };',
      true,
    ],
    [
      'a throw behind a flag that a helper sets in a loop',
      'var bad = false; function mark() { bad = true; } for (var k in newDoc) { if (bad) throw { forbidden: k }; mark(); }',
      true,
    ],
    [
      'a throw behind a flag that a switch sets',
      'var ok = false; switch (newDoc.type) { case "order": ok = true; break; } if (!ok) throw { forbidden: "type" };',
      true,
    ],
    [
      'a throw behind a list',
      'var errors = []; if (!newDoc.type) errors.push("type"); if (errors.length) throw { forbidden: errors.join() };',
      true,
    ],
    [
      'a throw in a helper of many levels',
      `${Array.from({ length: 30 }, (_, i) => `function f${i}() { f${i + 1}(); }`).join(' ')} function f30() { throw { forbidden: "no" }; } f0();`,
      UNKNOWN,
    ],
    ['a helper that is never called', 'function no() { throw { forbidden: "no" }; }', false],
    ['a throw that cannot be reached', 'return; throw { forbidden: "no" };', false],
    ['a library', 'require("lib/checks").order(newDoc);', UNKNOWN],
    ['a free function', 'checkOrder(newDoc);', UNKNOWN],
    ['a class', 'class Check { run() { throw { forbidden: "no" }; } } new Check().run();', true],
    ['methods of texts and lists', 'newDoc._id.split(":").slice(1).map(String).join("-").toLowerCase();', false],
  ])('%s', (_, body, canReject) => {
    expectFacts(es3(body), { canReject });
  });
});

describe('returns that were meant to reject', () => {
  test.each([
    ['false', 'if (!newDoc.type) return false;', ['return false']],
    ['an object', 'if (!newDoc.type) return { forbidden: "type" };', ['return { forbidden: "type" }']],
    ['an object in parentheses', 'return ({ unauthorized: "who" });', ['return ({ unauthorized: "who" })']],
    [
      'an object of a helper',
      'function no(m) { return { forbidden: m }; } if (!newDoc.a) return no("a");',
      ['return no("a")'],
    ],
    ['an arrow', '', []],
    ['true', 'return true;', []],
    ['nothing', 'return;', []],
    ['null', 'return null;', []],
    ['a comparison', 'return newDoc.type === "order";', []],
    ['false of a callback', '(newDoc.lines || []).every(function (l) { return false; });', []],
    ['false of a helper', 'function ok() { return false; } if (ok()) throw { forbidden: "no" };', []],
    ['a rejecting call', 'function no(m) { throw { forbidden: m }; } if (!newDoc.a) return no("a");', []],
    ['an unknown call', 'return no("a");', []],
  ])('%s', (_, body, returnsRejection) => {
    expectFacts(es3(body), { returnsRejection });
  });

  test('of an arrow are seen', () => {
    expectFacts('(newDoc) => ({ forbidden: "no" })', { returnsRejection: ['({ forbidden: "no" })'], canReject: false });
  });
});

describe('deletions that are refused', () => {
  test.each([
    ['a required field', 'if (!newDoc.type) throw { forbidden: "type" };', true],
    ['a required type', 'if (newDoc.type !== "order") throw { forbidden: "type" };', true],
    [
      'a required type of several',
      'if (newDoc.type !== "order" && newDoc.type !== "offer") throw { forbidden: "type" };',
      true,
    ],
    ['a required kind of field', 'if (typeof newDoc.total !== "number") throw { forbidden: "total" };', true],
    [
      'a helper for required fields',
      'function need(f) { if (!newDoc[f]) throw { forbidden: f }; } need("type"); need("total");',
      true,
    ],
    [
      'a helper with a condition',
      'function require(ok, m) { if (!ok) throw { forbidden: m }; } require(newDoc.type, "type");',
      true,
    ],
    ['a list of required fields', '["type"].forEach(function (f) { if (!newDoc[f]) throw { forbidden: f }; });', false],
    [
      'a switch with a default',
      'switch (newDoc.type) { case "order": return; default: throw { forbidden: "type" }; }',
      true,
    ],
    ['hasOwnProperty', 'if (!newDoc.hasOwnProperty("type")) throw { forbidden: "type" };', true],
    ['in', 'if (!("type" in newDoc)) throw { forbidden: "type" };', true],
    ['a field that must not change', 'if (oldDoc && oldDoc.type !== newDoc.type) throw { forbidden: "type" };', false],
    [
      'an exception for administrators',
      'if (userCtx.roles.indexOf("_admin") !== -1) return; if (!newDoc.type) throw { forbidden: "type" };',
      UNKNOWN,
    ],
    [
      'an exception for members of the database',
      'if (secObj.members.names.length > 3) return; if (!newDoc.type) throw { forbidden: "type" };',
      UNKNOWN,
    ],
    [
      'a field required of all but who may read',
      'if (!newDoc.type) throw { forbidden: "type" }; if (userCtx.roles.length === 0) throw { unauthorized: "who" };',
      true,
    ],
    ['an optional field', 'if (newDoc.total && typeof newDoc.total !== "number") throw { forbidden: "total" };', false],
    ['a test of deletion', 'if (newDoc._deleted) return; if (!newDoc.type) throw { forbidden: "type" };', false],
    [
      'a test of deletion by name',
      'if (newDoc["_deleted"] === true) return; if (!newDoc.type) throw { forbidden: "type" };',
      false,
    ],
    ['a test of deletion in a condition', 'if (!newDoc._deleted && !newDoc.type) throw { forbidden: "type" };', false],
    ['a refusal of every write', 'throw { forbidden: "read only" };', false],
    ['a refusal that is caught', 'try { if (!newDoc.type) throw { forbidden: "type" }; } catch (e) { log(e); }', false],
    ['a log in a refusal', 'if (!newDoc.type) { log("no type"); throw { forbidden: "type" }; }', true],
    ['a throw by accident', 'if (newDoc.type.length < 3) throw { forbidden: "type" };', false],
    ['an unknown check', 'check(newDoc); if (!newDoc.type) throw { forbidden: "type" };', false],
    ['nothing', '', false],
  ])('%s', (_, body, refusesDeletes) => {
    expectFacts(es3(body), { refusesDeletes });
  });
});
