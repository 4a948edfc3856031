import { afterAll, describe, expect, test } from 'vitest';
import { nameOfDocuments, runFunction } from '../../../lib/proof/evidence/run-function.js';
import { openSandbox } from '../../helpers/internals.js';

/** @import { FunctionQuestion } from '../../../lib/proof/evidence/run-function.js' */

const sandbox = openSandbox();
afterAll(() => sandbox.close());

const DOCUMENTS = [
  { _id: 'order-1', total: 5, items: [{ name: 'cup' }, { name: 'jug' }], at: '2025-01-01' },
  { _id: 'order-2', total: 'on request', items: [] },
  { _id: 'order-3', total: null },
  { _id: 'order-4', _deleted: true },
  { _id: '_design/orders', views: {} },
];

/** @param {Partial<FunctionQuestion> & {source: string}} question @param {Record<string, unknown>[]} [documents] */
function run(question, documents = DOCUMENTS) {
  return runFunction(
    { role: 'map', designDoc: {}, builtin: undefined, target: '3.5.0', ...question },
    documents,
    sandbox,
  );
}

describe('a map', () => {
  test('is called with neither deletions nor design documents, and what it throws is counted by place', async () => {
    const evidence = await run({
      source: 'function (doc) {\n  emit(doc.total, 1);\n  doc.items.forEach(function (item) { emit(item.name); });\n}',
    });
    expect(evidence).toMatchObject({
      verdict: 'tried',
      documents: 3,
      throwing: 1,
      faults: [{ documents: 1, id: 'order-3', frames: [{ line: 3 }] }],
      rows: { rows: 4, emitting: 2, most: { rows: 3, id: 'order-1' } },
    });
    expect(evidence.faults[0]?.message).toContain('of undefined');
  });

  test('has types and sizes of keys and values, and of the members of array keys', async () => {
    const { rows } = await run({ source: 'function (doc) { emit([doc.total, doc._id], { at: doc.at }); }' });
    expect(rows).toMatchObject({
      keys: { types: { array: 3 }, maxBytes: 24 },
      values: { types: { object: 3 }, maxBytes: 19 },
      positions: { 'key[0]': { number: 1, string: 1, null: 1 }, 'key[1]': { string: 3 } },
    });
  });

  test.each([
    ['_stats', 'doc.total', { rows: 2, id: 'order-2', value: '"on request"', answer: 'status 500' }],
    ['_sum', 'doc.total', { rows: 2, id: 'order-2', answer: 'an error row' }],
    ['_count', 'doc.total', undefined],
    ['_stats', '(doc.items || []).length', undefined],
    // Each is taken alone, and they cannot be added.
    ['_sum', '(doc.total === 5 ? 5 : { error: 1 })', { rows: 2, answer: 'status 500' }],
  ])('%s of %s', async (builtin, value, refused) => {
    const { rows } = await run({ source: `function (doc) { emit(null, ${value}); }`, builtin });
    if (refused) expect(rows?.refused).toMatchObject(refused);
    else expect(rows?.refused).toBeUndefined();
  });

  test('that never ends is stopped, and says so', async () => {
    const evidence = await run({ source: 'function (doc) { while (true) {} }' });
    expect(evidence).toMatchObject({ documents: 0, throwing: 0 });
    expect(evidence.cutOff).toContain('steps');
  });

  test('gets its modules', async () => {
    const lib = { names: 'exports.of = function (doc) { return doc._id; };' };
    const source = 'function (doc) { emit(require("views/lib/names").of(doc)); }';
    expect(await run({ source, designDoc: { views: { lib } } })).toMatchObject({ throwing: 0, rows: { rows: 3 } });
  });
});

test('a filter is called with deletions, too', async () => {
  const evidence = await run({
    role: 'filter',
    source: 'function (doc, req) { return req.query.all || doc.total.length > 0; }',
  });
  expect(evidence).toMatchObject({ documents: 4, throwing: 2, passing: 1 });
});

test('a rejection of a validation function is none of its errors', async () => {
  const source =
    'function (doc, old, user) { if (doc.total === 5) throw { forbidden: "no" }; if (!doc._deleted && !old && doc.total === null) throw "no"; }';
  const evidence = await run({ role: 'validate', source });
  expect(evidence).toMatchObject({ documents: 4, throwing: 1, passing: 2, faults: [{ message: 'it throws "no"' }] });
});

test('other documents have another name', () => {
  expect(nameOfDocuments(DOCUMENTS)).toBe(nameOfDocuments(structuredClone(DOCUMENTS)));
  expect(nameOfDocuments(DOCUMENTS)).not.toBe(nameOfDocuments(DOCUMENTS.slice(1)));
  expect(nameOfDocuments([{ _id: 'a' }])).not.toBe(nameOfDocuments([{ _id: 'b' }]));
});
