import { describe, expect, test } from 'vitest';
import { functionFacts } from '../../../lib/facts/function/function.js';
import { factsOf, functionSubject, itemsOf } from '../../helpers/function-facts.js';

describe('local time', () => {
  test.each([
    ['emit(new Date(doc.seen).getHours())', ['new Date(doc.seen).getHours()']],
    ['var seen = new Date(doc.seen); emit([seen.getFullYear(), seen.getUTCMonth()])', ['seen.getFullYear()']],
    ['const seen = (new Date(doc.seen)); seen.setHours(0)', ['seen.setHours(0)']],
    ['emit(new Date(doc.seen).toLocaleDateString())', ['new Date(doc.seen).toLocaleDateString()']],
    ['emit(new Date(doc.seen).toString())', ['new Date(doc.seen).toString()']],
    ['emit(new Date(doc.seen).getTimezoneOffset())', ['new Date(doc.seen).getTimezoneOffset()']],
    ['emit(new Date(doc.seen).toISOString())', []],
    ['emit(new Date(doc.seen).getTime())', []],
    ['emit(new Date(doc.year, doc.month, 1).getDay())', []],
    ['emit(doc.seen.getHours())', []],
    ['emit(doc.price.toLocaleString())', []],
    ['var seen = new Date(doc.seen); seen = doc.clock; emit(seen.getHours())', []],
    ['var Date = doc.Date; emit(new Date(doc.seen).getHours())', []],
    ['function hour(date) { return date.getHours(); } emit(hour(new Date(doc.seen)))', ['date.getHours()']],
    ['function hour(date) { return date.getHours(); } emit(hour(doc.clock))', []],
    ['function hour(date) { date = doc.clock; return date.getHours(); } emit(hour(new Date(doc.seen)))', []],
    ['function same(date) { return same(date); } emit(same(doc.seen).getHours())', []],
    ['emit(new Date(...doc.parts).getDay())', []],
    ['emit(new Date(doc.year, doc.month).getTime() - new Date(doc.year, 0).getTime())', []],
    ['var day = new Date(doc.year, 0); day.setUTCFullYear(doc.year, 0, 1); emit(day.toISOString())', []],
    ['var day = new Date(doc.year, 0); day.setTime(Date.UTC(doc.year, 0)); emit(day.toISOString())', []],
  ])('%s has %j', (body, expected) => {
    expect(itemsOf(`function (doc) { ${body}; }`, 'function.localTime')).toEqual(expected);
  });
});

describe('dates in local time that are read in universal time', () => {
  test.each([
    ['emit(new Date(doc.year, doc.month, 1).toISOString())', ['new Date(doc.year, doc.month, 1)']],
    [
      'var day = new Date(doc.year, 0, 1); emit([day.getUTCFullYear(), day.getUTCDate()])',
      ['new Date(doc.year, 0, 1)'],
    ],
    [
      'function month(date) { return date.getUTCMonth(); } emit(month(new Date(doc.year, 1)))',
      ['new Date(doc.year, 1)'],
    ],
    ['var made = function () { return new Date(doc.year, 0); }; emit(made().toJSON())', ['new Date(doc.year, 0)']],
    ["emit(new Date(doc.date + 'T00:00:00').toISOString())", ["new Date(doc.date + 'T00:00:00')"]],
    ["emit(new Date('2020/01/31').getUTCDay())", ["new Date('2020/01/31')"]],
    ["emit(new Date(doc.date + 'T00:00:00Z').toISOString())", []],
    ["emit(new Date('2020-01-31').getUTCDay())", []],
    ['emit(new Date(doc.date).toISOString())', []],
    ['emit(new Date(doc.year, 0).getFullYear())', []],
    ["emit(new Date('2020/01/31').getFullYear())", []],
    ['emit(new Date(Date.UTC(doc.year, 0)).toISOString())', []],
    ['emit(new Date(doc.year, doc.month).getTime() - new Date(doc.year, 0).getTime())', []],
    ['var day = new Date(doc.year, 0); day.setUTCFullYear(doc.year, 0, 1); emit(day.toISOString())', []],
    ['emit(new Date(...doc.parts).toISOString())', []],
  ])('%s has %j', (body, expected) => {
    expect(itemsOf(`function (doc) { ${body}; }`, 'function.localDates')).toEqual(expected);
  });
});

describe('calls of emit', () => {
  test.each([
    ['emit(doc._id); [1].forEach(function () { (emit)(1) })', ['emit(doc._id)', '(emit)(1)']],
    ['var emit = doc.emit; emit(1)', []],
    ['[1].forEach(function (emit) { emit(1); })', []],
    ['doc.emit(1)', []],
  ])('%s has %j', (body, expected) => {
    expect(itemsOf(`function (doc) { ${body}; }`, 'function.emitCalls')).toEqual(expected);
  });
});

describe('changes of the document', () => {
  test.each([
    ['doc.tags.sort()', ['doc.tags.sort()']],
    ['emit(doc.lines[0].tags.reverse())', ['doc.lines[0].tags.reverse()']],
    ['var tags = doc.tags; tags.push("x")', ['tags.push("x")']],
    ['var lines = (doc.lines || []); lines.pop()', ['lines.pop()']],
    ['(doc.tags || []).sort()', ['(doc.tags || []).sort()']],
    ['doc["tags"].splice(0, 1)', ['doc["tags"].splice(0, 1)']],
    ['doc.tags?.sort()', ['doc.tags?.sort()']],
    ['Object.assign(doc, { a: 1 })', ['Object.assign(doc, { a: 1 })']],
    ['doc.tags.slice().sort()', []],
    ['[].concat(doc.tags).sort()', []],
    ['[...doc.tags].sort()', []],
    ['Object.keys(doc.stock).sort()', []],
    ['doc.tags.filter(Boolean).sort()', []],
    ['var tags = []; tags.push(doc.tag); tags.sort()', []],
    ['var tags = doc.tags; tags = []; tags.push(1)', []],
    ['doc = JSON.parse(JSON.stringify(doc)); doc.tags.sort()', []],
    ['Object.assign({}, doc)', []],
    ['doc.sort()', []],
    ['(function (doc) { doc.tags.sort(); })({ tags: [] })', []],
  ])('%s: mutations %j', (body, expected) => {
    expect(itemsOf(`function (doc) { ${body}; }`, 'function.mutations')).toEqual(expected);
  });

  test.each([
    ['doc.total = 1', ['doc.total = 1']],
    ['doc.lines[0].price += 1', ['doc.lines[0].price += 1']],
    ['doc.count++', ['doc.count++']],
    ['delete doc.secret', ['delete doc.secret']],
    ['var address = doc.address; address.town = "x"', ['address.town = "x"']],
    ['var total = doc.total || {}; total.price = 1', []],
    ['var copy = {}; copy.total = doc.total', []],
    ['doc.total == 1', []],
  ])('%s: ignored mutations %j', (body, expected) => {
    expect(itemsOf(`function (doc) { ${body}; }`, 'function.ignoredMutations')).toEqual(expected);
    expect(itemsOf(`function (doc) { 'use strict'; ${body}; }`, 'function.mutations')).toEqual(expected);
  });
});

describe('unknown names', () => {
  test.each([
    ['map', 'emit(LARGE, _.map(doc))', ['LARGE', '_']],
    ['map', 'console.log(doc); console.log(1)', ['console']],
    ['map', 'emit(doc.a, Array.isArray(doc) ? isArray : sum([1]))', []],
    ['map', 'if (typeof console !== "undefined") console.log(doc)', []],
    ['map', 'try { emit(lookup(doc)) } catch (error) { log(error) }', []],
    ['map', 'total = 1; emit(total)', []],
    ['map', 'index("a", 1)', []],
    ['filter', 'index("a", 1)', ['index']],
    ['map', 'emit((() => arguments.length)())', []],
    ['search', 'index("a", 1)', []],
    ['map', 'module.exports = 1', ['module']],
    ['library', 'module.exports = exports', []],
    ['map', 'emit({ key: doc.key }[doc.name], arguments.length)', []],
    ['map', 'class Order { total() { return this.price; } } emit(new Order())', []],
    ['map', 'var fn = function again(n) { return again(n - 1); }; emit(fn(1))', []],
    ['map', 'emit(__proto__); emit(hasOwnProperty)', []],
  ])('a %s with %s has %j', (role, body, expected) => {
    const source = role === 'library' ? body : `function (doc) { ${body}; }`;
    expect(itemsOf(source, 'function.unknownNames', role)).toEqual(expected);
  });
});

describe('unknown names that are reached', () => {
  test.each([
    ['map', 'emti(doc.k)', ['emti']],
    ['map', 'console.log(doc); emit(moment(doc.day), null)', ['console', 'moment']],
    ['map', 'doc.lines.forEach(function (line) { trace(line); emit(line, 1); })', ['trace']],
    ['map', 'function text(a) { return trim(a); } emit(text(doc.a), 1)', ['trim']],
    ['map', 'if (doc.a) emit(lookup(doc.a), 1)', ['lookup']],
    ['map', 'if (typeof console !== "undefined") console.log(1); emit(doc.a, 1)', []],
    ['map', 'try { console.log(1); } catch (error) {} emit(doc.a, 1)', []],
    ['map', 'function unused() { return trim(doc.a); } emit(doc.a, 1)', []],
    ['map', 'var unused = function () { trim(doc.a); }; emit(doc.a, 1)', []],
    ['map', 'var DEBUG = false; if (DEBUG) console.log(1); emit(doc.a, 1)', []],
    ['map', 'emit(doc.a, 1); return; console.log(1)', []],
    ['map', 'throw new Error(text); emit(doc.a)', ['text']],
    ['map', 'if (false && debug(doc)) emit(doc.a, 1)', []],
    ['map', 'delete counter; delete (counter); emit(doc.a, 1)', []],
    ['map', 'emit(typeof counter, typeof (counter))', []],
    ['map', 'emit(__proto__, constructor)', []],
    ['map', 'emit(doc._id ?? lookup(doc), doc._rev || lookup(doc))', []],
    ['map', 'emit(doc == null ? lookup(doc) : 1, typeof doc._id === "string" ? 1 : lookup(doc))', []],
    ['map', 'if (!doc._id || doc._rev === undefined) lookup(doc); emit(1 > 2 && lookup(doc))', []],
    ['map', 'emit(doc.a ?? lookup(doc), doc.b || lookup(doc))', ['lookup']],
    ['validate', 'if (!doc._id) lookup(doc); if (!doc._rev) trace(doc)', ['trace']],
    ['map', 'var a; a ??= 1; a ??= lookup(doc); a ||= lookup(doc); emit(a)', []],
    ['map', 'var a = null; a ??= lookup(doc); emit(a)', ['lookup']],
    ['map', 'var { a = lookup(doc) } = { a: 1 }; (function (b = trace(doc)) { emit(a, b); })(2)', []],
    ['map', 'var { a = lookup(doc) } = doc; emit(a)', ['lookup']],
    ['map', 'null?.name(lookup(doc)); emit(doc.a)', []],
    ['map', '[].forEach(function () { lookup(doc); }); emit(doc.a)', []],
    ['map', 'class A { a() { return lookup(doc); } } function* b() { trace(doc); } b(); emit(doc.a)', []],
    ['map', 'require("views/lib/all").each(doc, function () { lookup(doc); }); emit(doc.a)', []],
    ['search', 'index("a", lookup(doc.a))', ['lookup']],
    ['reduce', 'return total(doc)', ['total']],
    ['reduce', 'function total() { return _.sum(doc); } return sum(doc)', []],
    ['map', 'if (doc.total) { const total = doc.total; } emit(total)', ['total']],
    ['map', 'for (let at = 0; at < 3; at += 1) {} emit(at)', ['at']],
    ['map', 'try { let day = doc.day; } catch (error) {} emit(day)', ['day']],
    ['map', 'if (doc.total) { function total() {} } emit(total())', []],
    ['map', 'if (doc.total) { const total = 1; emit(total); }', []],
    ['map', 'var total; if (doc.total) { const total = 1; } emit(total)', []],
    ['map', 'if (doc.total) { const total = 1; } total = 2; emit(total)', []],
    ['validate', 'if (!doc.type) throw({ forbidden: MESSAGE })', ['MESSAGE']],
  ])('a %s with %s has %j', (role, body, expected) => {
    expect(itemsOf(`function (doc) { ${body}; }`, 'function.reachedUnknownNames', role)).toEqual(expected);
  });

  test.each([
    ['json', ['LIMIT', 'limit']],
    ['module', ['limit']],
  ])('a name in capitals may be replaced by the program that sends it: %s', (origin, expected) => {
    const subject = functionSubject('function (doc) { emit(LIMIT, limit); }');
    subject.parent.record = { ...subject.parent.record, origin: /** @type {'json' | 'module'} */ (origin) };
    const fact = functionFacts.find(({ id }) => id === 'function.reachedUnknownNames');
    const found = fact?.extract(subject, () => ({ unknown: '' }));
    expect(found && 'value' in found && Array.isArray(found.value) && found.value.map(({ value }) => value)).toEqual(
      expected,
    );
  });

  test.each([
    ['an assignment in another map', { views: { other: { map: 'function (doc) { rates = {}; }' } } }, ['limit']],
    ['an assignment in a module', { views: { lib: { money: 'rates = {}; exports.a = 1;' } } }, ['limit']],
    [
      'a declaration beside another map',
      { views: { other: { map: 'var rates = {}; (function (doc) {})' } } },
      ['limit'],
    ],
    [
      'a declaration inside of another map',
      { views: { other: { map: 'function (doc) { var rates; }' } } },
      ['rates', 'limit'],
    ],
    ['`this` of another map', { views: { other: { map: 'function (doc) { this.rates = 1; }' } } }, undefined],
    ['`globalThis` of a module', { views: { lib: { money: 'globalThis.rates = 1;' } } }, undefined],
    ['a module that does not parse', { views: { lib: { money: 'rates = ' } } }, undefined],
  ])('a name may come from %s', (_, designDoc, expected) => {
    const { items } = factsOf('function (doc) { emit(rates, limit); }', 'map', designDoc);
    expect(items('function.reachedUnknownNames')).toEqual(expected);
  });

  test.each(['this.rates = 1', 'var all = this; all.rates = 1', 'globalThis.rates = 1', 'Function("rates = 1")()'])(
    'what %s defines is unknown',
    (statement) => {
      const { fact } = factsOf(`function (doc) { ${statement}; emit(rates); }`);
      expect(fact('function.reachedUnknownNames')).toHaveProperty('unknown');
    },
  );

  test('what other functions are called with is not known', () => {
    const facts = factsOf('function (doc) { trace(doc); }', 'filter');
    expect(facts.fact('function.reachedUnknownNames')).toHaveProperty('unknown');
  });
});

const LIB = { dates: 'exports.day = 1', deep: { first: "require('./second')", second: 'exports.a = 1' }, list: 5 };

describe('modules that are required', () => {
  test.each([
    ['map', "require('views/lib/dates')", []],
    ['map', "require('views/lib/deep/first')", []],
    ['map', "require('views/lib/gone')", ['views/lib/gone']],
    ['map', "require('views/lib/list')", ['views/lib/list']],
    ['map', "require('views/lib')", ['views/lib']],
    ['map', "require('lib/other')", ['lib/other']],
    ['map', "require('./views/lib/dates')", ['./views/lib/dates']],
    ['map', 'require(`views/lib/gone`)', ['views/lib/gone']],
    ['map', 'require(doc.module)', []],
    ['map', "require('views/lib/__proto__')", ['views/lib/__proto__']],
    ['map', "try { require('gone') } catch (error) {}", []],
    // A fallback for Node, where the module of the design document is not found.
    [
      'map',
      "var d; try { d = require('views/lib/dates') } catch (error) { d = require('../lib/dates.js') } emit(d)",
      [],
    ],
    ['map', "var d; try { d = require('views/lib/dates') } finally { require('gone') }", ['gone']],
    ['map', "var require = doc.load; require('gone')", []],
    ['reduce', "require('views/lib/dates')", ['views/lib/dates']],
    ['filter', "require('lib/other')", []],
    ['filter', "require('views/lib/dates')", []],
    ['filter', "require('lib/gone')", ['lib/gone']],
    ['filter', "require('views')", ['views']],
  ])('a %s with %s misses %j', (role, body, expected) => {
    const facts = factsOf(`function (doc) { ${body}; }`, role, {
      views: { lib: LIB },
      lib: { other: 'exports.b = 1' },
    });
    expect(facts.items('function.missingRequires')).toEqual(expected);
  });

  test.each([
    ["require('./dates')", []],
    ["require('./deep/second')", []],
    ["require('../lib/dates')", []],
    ["require('../../lib/other')", ['../../lib/other']],
    ["require('./gone')", ['./gone']],
    ["require('views/lib/dates')", []],
  ])('a module with %s misses %j', (source, expected) => {
    const facts = factsOf(source, 'library', { views: { lib: LIB }, lib: { other: 'exports.b = 1' } });
    expect(facts.items('function.missingRequires')).toEqual(expected);
  });
});

describe('how the function stands in its text', () => {
  test.each([
    ['function (doc) {}', true],
    ['(function map(doc) { emit(1); })', true],
    ['function map(doc) { emit(1); }', true],
    ['function (doc) { emit(1); } function helper() {}', true],
    ['function helper() {} function (doc) { emit(1); }', true],
    ['42', false],
    ['var map = function (doc) {};', false],
    ['exports.map = 1; "map"', false],
    ['({ map: 1 })', false],
    ['', false],
  ])('%s is a function: %s', (source, isFunction) => {
    expect(factsOf(source).value('function.isFunction')).toBe(isFunction);
    expect(factsOf(source).value('function.parses')).toBe(true);
  });

  test.each([
    '(function () { return function (doc) {}; })()',
    'make(); var total = 1;',
    'if (true) (function (doc) {})',
    '({ map: function (doc) {} }).map',
  ])('a text whose value is computed may be a function: %s', (source) => {
    expect(factsOf(source).fact('function.isFunction')).toHaveProperty('unknown');
  });

  test('a module gives no function', () => {
    expect(factsOf('exports.day = 1', 'library').fact('function.isFunction')).toHaveProperty('unknown');
  });

  test('what does not parse has the place where the parser stopped, and no lists', () => {
    const facts = factsOf('function (doc) { emit(doc.; }');
    expect(facts.fact('function.parses')).toMatchObject({ value: false, place: { line: 1 } });
    expect(facts.fact('function.isFunction')).toHaveProperty('unknown');
    expect(facts.fact('function.mutations')).toEqual({ unknown: 'the function does not parse' });
  });

  test.each(['arguments', '() => emit(arguments)'])('%s outside every function is no name', (source) => {
    expect(itemsOf(source, 'function.unknownNames')).toEqual(['arguments']);
  });

  test('a `with` makes names uncertain', () => {
    expect(factsOf('function (doc) { with (doc) { emit(total); } }').fact('function.unknownNames')).toHaveProperty(
      'unknown',
    );
  });

  test.each(['!', '(', '[', 'a.b.', 'function () { return '])('%s ten thousand times ends well', (part) => {
    const facts = factsOf(`function (doc) { ${part.repeat(10_000)} }`);
    expect(facts.fact('function.mutations')).toHaveProperty('unknown');
  });

  test('a long chain and a long sum are read, up to 500 levels', () => {
    expect(itemsOf(`function (doc) { doc${'.a'.repeat(450)}.sort(); }`, 'function.mutations')).toHaveLength(1);
    expect(
      itemsOf(`function (doc) { emit(${'doc.a + '.repeat(450)}doc.b.sort()); }`, 'function.mutations'),
    ).toHaveLength(1);
  });
});
