import { afterAll, expect, test } from 'vitest';
import { tryDocuments } from '../../lib/proof/try-documents.js';
import { openSandbox } from '../helpers/internals.js';

const sandbox = openSandbox();
afterAll(() => sandbox.close());

const SUM = {
  map: 'function (doc) { if (doc.type !== "note") emit(doc.customer, doc.total); }',
  reduce: 'function (keys, values) { return sum(values); }',
  builtin: '_sum',
  target: '3.5.0',
};
/** @param {unknown[]} totals */
const orders = (totals) => totals.map((total, at) => ({ _id: `o-${at + 1}`, customer: 'mara', total }));

test('documents that meet the condition are counted', async () => {
  const documents = [...orders([20, 12.5, 0, -3]), { _id: 'n-1', type: 'note' }];
  expect(await tryDocuments(SUM, documents, sandbox)).toEqual({ documents: 5, rows: 4 });
});

test.each([
  ['a text of digits', '12.50', '"12.50"'],
  ['null', null, 'null'],
  ['true', true, 'true'],
])('the first document with %s is named', async (_, total, value) => {
  const trial = await tryDocuments(SUM, orders([20, total, 'later']), sandbox);
  expect(trial).toMatchObject({ documents: 3, rows: 3, failing: { id: 'o-2', value } });
  expect(trial.failing?.answer).toContain('error');
});

test('a document without the field emits null', async () => {
  const trial = await tryDocuments(SUM, [{ _id: 'o-1', customer: 'noor' }], sandbox);
  expect(trial.failing).toMatchObject({ id: 'o-1', value: 'null' });
});

test('a document without an id is known by its number', async () => {
  const trial = await tryDocuments(SUM, [{ total: 1 }, { total: 'two' }], sandbox);
  expect(trial.failing?.id).toBe('number 2');
});

test('a map that throws for a document has no rows of it', async () => {
  const map = 'function (doc) { emit(doc.address.town, doc.total); }';
  const documents = [
    { _id: 'o-1', total: 'x' },
    { _id: 'o-2', address: { town: 'Bonn' }, total: 4 },
  ];
  expect(await tryDocuments({ ...SUM, map }, documents, sandbox)).toEqual({ documents: 2, rows: 1 });
});
