import { afterAll, describe, expect, test } from 'vitest';
import { findWitness } from '../../../lib/proof/evidence/find-witness.js';
import { openSandbox } from '../../helpers/internals.js';

const sandbox = openSandbox();
afterAll(() => sandbox.close());

/** @param {string} body @param {Record<string, unknown>} [libraries] */
function witnessOf(body, libraries = {}) {
  return findWitness({ map: `function (doc) { ${body} }`, libraries }, sandbox);
}

describe('a document that differs in one thing', () => {
  test.each([
    ["if (doc.type === 'order') emit(doc.customer.name, null);", 'customer', 'missing'],
    ["if (doc.type === 'order') emit(doc.items[0].article, null);", 'items', 'missing'],
    ["if (doc.type === 'order' && doc.items) emit(doc.items[0].article, null);", 'items', 'an empty array'],
    [
      "if (doc.type === 'order') doc.items.forEach(function (item) { emit(item.name.toLowerCase(), 1); });",
      'items',
      'missing',
    ],
    [
      'if (doc.items) doc.items.forEach(function (item) { emit(item.name.toLowerCase(), 1); });',
      'items[].name',
      'missing',
    ],
    ['if (doc.name !== undefined) emit(doc.name.toLowerCase(), 1);', 'name', 'null'],
    ['if (doc.name) emit(doc.name.toLowerCase(), 1);', 'name', 'of another type'],
    ['emit(new Date(doc.created_at).toISOString(), 1);', 'created_at', 'missing'],
    ["for (var i = 1; i < 9; i++) emit(doc['Task' + i].name, 1);", 'Task1', 'missing'],
    [
      "if (doc.type === 'plan') for (let i = 0; i <= 2; i++) { const name = `task${i}`, task = doc[name]; emit(task.name, 1); }",
      'task0',
      'missing',
    ],
    [
      "if (doc.type === 'order') { if (!doc.name) throw 'no name'; emit(doc.name, doc.total.amount); }",
      'total',
      'missing',
    ],
  ])('%s', async (body, member, change) => {
    const { thrown } = await witnessOf(body);
    expect({ member: thrown?.member, change: thrown?.change }).toEqual({ member, change });
  });

  test.each([
    "if (doc.type === 'order' && doc.customer) emit(doc.customer.name, null);",
    "if (doc.type === 'order') emit(doc.customer, doc.total);",
    "for (var i = 0; i < 5; i++) if (doc['Task' + i]) emit(doc['Task' + i].name, 1);",
    'if (Array.isArray(doc.items)) emit(doc.items.length, null);',
    'emit(doc._id.length, null);',
    // Another branch throws, whether the member is missing or has another value.
    "if (doc.kind === 'order') emit(doc._id, 1); else emit(doc.items.reduce(function (a, b) { return a + b; }), 2);",
    "if (doc.form && doc.form.id === 'profile') return emit(doc._id, true); doc.items.forEach(function (item) { emit(item.name, 1); });",
    // It throws on purpose.
    "if (!doc.price) throw new Error('no price'); emit(doc.price, 1);",
    "if (!doc.price) throw 'no price'; emit(doc.price, 1);",
    'try { if (!doc.price) throw { skip: true }; emit(doc.price, 1); } catch (error) { throw error; }',
  ])('none for %s', async (body) => {
    expect(await witnessOf(body)).toMatchObject({ verdict: 'tried' });
    expect((await witnessOf(body)).thrown).toBeUndefined();
  });

  test.each([
    ["if (typeof doc.address === 'object') emit(doc.address.town, 1);", ['address']],
    ["if (typeof doc.address === 'object' && doc.address) emit(doc.address.town, 1);", []],
    ["if (typeof doc.lines === 'object') for (var at in doc.lines) emit(at, doc.lines[at]);", []],
  ])('null where %s', async (body, members) => {
    const { nulls } = await witnessOf(body);
    expect([...new Set(nulls.map(({ member }) => member))]).toEqual(members);
  });

  test('none where no document can be made that it emits for', async () => {
    expect(await witnessOf('if (doc.a && !doc.a) emit(doc.b.c);')).toMatchObject({ verdict: 'not tried' });
  });

  test('none, and nothing is run, where the text shows that it never throws', async () => {
    const map = 'function (doc) { if (doc.a) emit(doc.a.b, doc.c); }';
    /** @type {any} */
    const sandbox = { forView: () => expect.fail('a sandbox was asked for') };
    expect(await findWitness({ map, libraries: {} }, sandbox)).toMatchObject({ verdict: 'tried', neverThrows: true });
  });
});

test.each([
  ['emit(doc.a, 1);', [], true],
  ['emit(doc.a.b, 1);', [], false],
  ['if (doc.a) emit(lookup(doc.a), 1); else emit(doc._id);', ['lookup'], false],
  ['if (doc._id.length < 1) lookup(doc); emit(doc.a, 1);', [], true],
  ['for (var k in {}) { lookup(doc); doc.a.b.c; } emit(doc.a, 1);', [], true],
])('what was not defined, and whether it threw: %s', async (body, undefinedNames, neverThrows) => {
  expect(await witnessOf(body)).toMatchObject({ verdict: 'tried', undefinedNames, neverThrows });
});

describe('the clock and the time zone', () => {
  test.each([
    ['emit(doc.date, null);', 'same', 'same'],
    ['var now = Date.now; if (doc.due < now()) emit(doc.due, null);', 'changes', 'same'],
    ["emit(require('views/lib/clock').day(), null);", 'changes', 'changes'],
    ["var p = String(doc.date).split('-'); emit(new Date(p[0], p[1] - 1, p[2]), null);", 'same', 'changes'],
    ["var p = String(doc.date).split('-'); emit(new Date(p[0], p[1] - 1, p[2]).getMonth(), null);", 'same', 'same'],
    ["var p = String(doc.date).split('-'); emit(Date.UTC(p[0], p[1] - 1, p[2]), null);", 'same', 'same'],
    ['var d = new Date(doc.date); emit([d.getUTCFullYear(), d.getUTCDate()], null);', 'same', 'same'],
    ['emit(new Date(doc.y, doc.m, doc.d).getTime(), null);', 'same', 'changes'],
    ['emit(Date.UTC(doc.y, doc.m, doc.d), null);', 'same', 'same'],
    ['var d = new Date(doc.date); emit([d.getFullYear(), d.getDate()], null);', 'same', 'changes'],
    // A text that only some engines take for a date.
    ['emit([new Date(doc.due).getUTCDate()], null);', 'same', 'same'],
  ])('%s', async (body, clock, zone) => {
    const libraries = { clock: 'exports.day = function () { return new Date().getHours(); };' };
    expect(await witnessOf(body, libraries)).toMatchObject({ clock, zone });
  });
});
