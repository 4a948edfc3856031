import { afterAll, describe, expect, test } from 'vitest';
import { isProof } from '../../lib/proof/proof.js';
import { openSandbox, proveReduce } from '../helpers/internals.js';

const sandbox = openSandbox();
afterAll(() => sandbox.close());

const BY_DATE = 'function (doc) { emit([doc.customer, doc.date], { date: doc.date, total: doc.total }); }';
const LATEST = `function (keys, values) {
  var latest = values[0];
  for (var i = 1; i < values.length; i++) if (values[i].date > latest.date) latest = values[i];
  return latest;
}`;

/** @param {string} reduce @param {string} map @param {string} [target] */
function prove(reduce, map, target = '3.5.0') {
  return proveReduce({ reduce: { source: reduce }, map: { source: map }, target }, { sandbox, seed: 5 });
}

describe('a reduce that picks a row', () => {
  test('by the last element of the key is `_last` after trials, under a condition', async () => {
    const proof = await prove(LATEST, BY_DATE);
    expect(proof).toMatchObject({
      verdict: 'equalAfterRewrite',
      basis: 'tried',
      builtin: '_last',
      conditionHolds: 'if',
      rewrite: { pattern: 'pick', text: 'clients query with `group_level=1`', changesShape: false },
    });
    expect(proof.condition?.text).toMatch(
      /`value\.date` is a string .* no two rows of a group have the same `value\.date`/,
    );
    expect(proof.trials).toBeGreaterThan(200);
    expect(isProof(JSON.parse(JSON.stringify(proof)))).toBe(true);
  });

  test('says what both answer of two rows with one key', async () => {
    const { rewrite } = await prove(LATEST, BY_DATE);
    expect(rewrite?.outside).toMatch(/the reduce returns .*, and `_last` after the rewrite returns /);
  });

  test.each([
    ['the least', LATEST.replace('>', '<'), BY_DATE, '_first', '`group_level=1`'],
    [
      'a number, and the document',
      LATEST.replaceAll('.date', '.number'),
      'function (doc) { if (doc.type === "order") emit([doc.shop, doc.customer, doc.number], doc); }',
      '_last',
      '`group_level=2`',
    ],
    [
      'all rows',
      LATEST,
      'function (doc) { emit(doc.date, { date: doc.date, total: doc.total }); }',
      '_last',
      'without groups',
    ],
  ])('of %s', async (_, reduce, map, builtin, query) => {
    const proof = await prove(reduce, map);
    expect([proof.builtin, proof.rewrite?.pattern]).toEqual([builtin, 'pick']);
    expect(proof.condition?.text).toContain(query);
  });

  test.each([
    ['before CouchDB 3.5', LATEST, BY_DATE, '3.4.3'],
    ['by another member than that of the key', LATEST.replaceAll('.date', '.total'), BY_DATE, '3.5.0'],
    [
      'by an element that is not the last',
      LATEST,
      'function (doc) { emit([doc.date, doc.customer], { date: doc.date, customer: doc.customer }); }',
      '3.5.0',
    ],
    ['by the length of a text', LATEST.replaceAll('.date', '.date.length'), BY_DATE, '3.5.0'],
    ['and changes it', LATEST.replace('return latest', 'return { date: latest.date }'), BY_DATE, '3.5.0'],
    ['of rows whose keys fall back to a number', LATEST, BY_DATE.replaceAll('doc.date', '(doc.date || 0)'), '3.5.0'],
    [
      'of rows whose keys fall back to a number by an assignment',
      LATEST,
      'function (doc) { var date = doc.date; if (!date) date = -1; emit([doc.customer, date], { date: date, total: doc.total }); }',
      '3.5.0',
    ],
    [
      'of rows whose keys fall back to null',
      LATEST,
      'function (doc) { var date = doc.date ? doc.date : null; emit([doc.customer, date], { date: date, total: doc.total }); }',
      '3.5.0',
    ],
    ['by its place', 'function (keys, values) { return values[0]; }', BY_DATE, '3.5.0'],
    [
      'by the opposite in a rereduce',
      LATEST.replace('(keys, values)', '(keys, values, again)').replace(
        'values[i].date > latest.date',
        'again ? values[i].date < latest.date : values[i].date > latest.date',
      ),
      BY_DATE,
      '3.5.0',
    ],
  ])('%s is nothing of the kind', async (_, reduce, map, target) => {
    const proof = await prove(reduce, map, target);
    expect(proof.rewrite?.pattern).toBeUndefined();
    expect(proof.verdict).not.toMatch(/^equal/);
  });
});
