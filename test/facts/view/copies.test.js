import { describe, expect, test } from 'vitest';
import { factsOf, readDocument, UNKNOWN } from '../../helpers/facts-of.js';

/**
 * @param {Record<string, string | {map: string, options?: object}>} maps bodies of maps by the names of their views
 * @returns {Record<string, string[]>} for each view the others that may keep copies of the same documents
 */
function othersOf(maps) {
  const views = Object.fromEntries(
    Object.entries(maps).map(([name, given]) => {
      const view = typeof given === 'string' ? { map: given } : given;
      return [name, { ...view, map: `function (doc) { ${view.map} }` }];
    }),
  );
  const { subjects, ask } = readDocument({ views });
  return Object.fromEntries(
    subjects.flatMap((subject) => {
      if (subject.kind !== 'view') return [];
      const fact = ask(subject, 'view.otherCopies');
      const value = 'value' in fact && Array.isArray(fact.value) ? fact.value.map((item) => item.value) : [];
      return [[subject.name, value]];
    }),
  );
}

describe('view.copiesDocs', () => {
  test.each(
    /** @type {[string, boolean | string][]} */ ([
      ['emit(doc.date, doc);', true],
      ['if (doc.type === "order") emit(doc.date, doc);', true],
      ['if (doc._id !== "settings") emit(doc.date, doc);', true],
      ['if (doc._id === "a-1" || doc._id === "b-2") emit(doc.date, doc);', true],
      ['try { emit(doc.lines.length, doc); } catch (error) { log(error); }', true],
      ['emit(doc.date, null);', false],
      ['if (doc._id == "settings") emit([0], doc);', false],
      ['if (doc._id !== "settings") return; emit([0], doc);', false],
      ['switch (doc._id) { case "settings": emit([0], doc); }', false],
      ['if (doc.open && "settings" === doc._id) { [1].forEach(function () { emit([0], doc); }); }', false],
      ['try { emit(doc.lines.length, null); } catch (error) { emit("failed", doc); }', false],
      ['if (doc._id === "settings") emit(0, doc); else emit(doc.date, doc);', true],
      ['if (doc._id === 7) emit(0, doc);', true],
      ['require("x").go(emit, doc); emit(doc.date, helper(doc));', UNKNOWN],
    ]),
  )('%s: %s', (body, expected) => {
    const map = `function (doc) { ${body} }`;
    expect(factsOf({ views: { all: { map } } }, 'view', ['copiesDocs'])).toEqual({ copiesDocs: expected });
  });
});

describe('view.otherCopies', () => {
  test('names the others, each index once', () => {
    const by_date = 'emit(doc.date, doc);';
    expect(othersOf({ by_date, by_town: 'emit(doc.town, doc);', by_name: 'emit(doc.name, null);' })).toEqual({
      by_date: ['by_town'],
      by_town: ['by_date'],
      by_name: [],
    });
    expect(othersOf({ by_date, again: by_date, by_town: 'emit(doc.town, doc);' })).toEqual({
      by_date: ['by_town'],
      again: ['by_town'],
      by_town: ['by_date'],
    });
  });

  test.each(
    /** @type {[object | undefined, object | undefined, boolean][]} */ ([
      [undefined, undefined, true],
      [undefined, {}, true],
      [{ collation: 'raw' }, { collation: 'raw' }, true],
      [undefined, { collation: 'raw' }, false],
    ]),
  )('views of one text with options %j and %j share their tree: %s', (one, other, areShared) => {
    const map = 'emit(doc.date, doc);';
    const made = othersOf({
      first: one ? { map, options: one } : map,
      second: other ? { map, options: other } : map,
    });
    expect(made).toEqual(areShared ? { first: [], second: [] } : { first: ['second'], second: ['first'] });
  });

  test('one space more makes another index', () => {
    expect(othersOf({ first: 'emit(doc.date, doc);', second: 'emit(doc.date,  doc);' }).first).toEqual(['second']);
  });

  test.each([
    ['if (doc.type === "order") emit(1, doc);', 'if (doc.type === "customer") emit(1, doc);'],
    ['if (doc.type == "order") emit(1, doc);', 'if (doc.type != "customer") return; emit(1, doc);'],
    [
      'if ("order" === doc.type && doc.open) emit(1, doc);',
      'if (doc.open) { if (doc.type === "customer") emit(1, doc); }',
    ],
    ['doc.type === "order" && emit(1, doc);', 'doc.type !== "customer" || emit(1, doc);'],
    [
      'var type = doc.type; if (type === "order") emit(1, doc);',
      'switch (doc.type) { case "note": case "customer": emit(1, doc); }',
    ],
    ['if (doc.type === "order" || doc.type === "refund") emit(1, doc);', 'if (doc.type === "customer") emit(1, doc);'],
    ['if (!(doc.type !== "order")) emit(1, doc);', 'if (doc.type !== "customer") { return; } emit(1, doc);'],
    ['if (doc.meta.kind === "order") emit(1, doc);', 'if (doc["meta"].kind === "customer") emit(1, doc);'],
    [
      'doc.type === "order" ? emit(1, doc) : log(1);',
      'if (!doc.type || doc.type !== "customer") return; emit(1, doc);',
    ],
  ])('no document passes both: %s and %s', (first, second) => {
    expect(othersOf({ first, second })).toEqual({ first: [], second: [] });
  });

  test.each([
    ['if (doc.type === "order") emit(1, doc);', 'if (doc.type === "order" && doc.open) emit(1, doc);'],
    ['if (doc.type === "order") emit(1, doc);', 'if (doc.type !== "customer") emit(1, doc);'],
    ['if (doc.type === "order") emit(1, doc);', 'if (doc.type === "customer") emit(1, doc); emit(2, doc);'],
    ['if (doc.type === "order" || doc.open) emit(1, doc);', 'if (doc.type === "customer") emit(1, doc);'],
    ['if (doc.type == 1) emit(1, doc);', 'if (doc.type == "1") emit(1, doc);'],
    ['if (doc.type === "order") log(1); emit(1, doc);', 'if (doc.type === "customer") emit(1, doc);'],
    ['if (doc.type !== "order") log(1); emit(1, doc);', 'if (doc.type === "customer") emit(1, doc);'],
    ['function row() { emit(1, doc); } if (doc.type === "order") row();', 'if (doc.type === "customer") emit(1, doc);'],
    [
      'switch (doc.type) { case "order": log(1); default: emit(1, doc); }',
      'if (doc.type === "customer") emit(1, doc);',
    ],
    ['if (doc["a.b"] === "x" && doc.open) emit(1, doc);', 'if (doc.open && doc.a.b === "y") emit(1, doc);'],
    ['if (doc.date && doc.town) emit(1, doc);', 'if (doc.town && doc.name) emit(1, doc);'],
    ['if (!doc.town) return; emit(1, doc);', 'var isOpen = doc.town; if (isOpen) emit(1, doc);'],
    ['if (doc.town) { log(1); } else return; emit(1, doc);', 'doc.town.name && emit(1, doc);'],
    ['doc.lines.forEach(function () { emit(1, doc); });', 'if (doc.town) emit(1, doc);'],
    ['if (isOrder(doc)) emit(1, doc);', 'if (isOrder(doc) && doc.town) emit(1, doc);'],
    ['switch (doc.state) { case 1: emit(1, doc); }', 'if (doc.state > 1) emit(1, doc);'],
    ['if (doc.type ?? doc.kind === "order") emit(1, doc);', 'if (doc.type === "customer") emit(1, doc);'],
  ])('some documents may pass both: %s and %s', (first, second) => {
    expect(othersOf({ first, second })).toEqual({ first: ['second'], second: ['first'] });
  });

  test.each([
    ['if (doc.type === "order") emit(1, doc);', 'if (doc.kind === "customer") emit(1, doc);'],
    ['if (doc.name && doc.email || doc.phone) emit(1, doc);', 'if (doc.price) emit(1, doc);'],
    ['if (isOrder(doc)) emit(1, doc);', 'if (doc.type === "customer") emit(1, doc);'],
    ['if (!doc.town) return; emit(1, doc);', 'doc.date ? emit(1, doc) : log(1);'],
  ])('nothing shows that both store the same documents: %s and %s', (first, second) => {
    expect(othersOf({ first, second })).toEqual({ first: [], second: [] });
  });
});
