import { afterAll, describe, expect, test } from 'vitest';
import { fitDocuments } from '../../../lib/proof/synthesis/fit-documents.js';
import { openSandbox } from '../../helpers/internals.js';
import { FITTABLE, UNFITTABLE } from './shop-maps.js';

const sandbox = openSandbox();
afterAll(() => sandbox.close());

/**
 * @param {string} map
 * @param {{samples?: object[], seed?: string, count?: number, paddingBytes?: number}} [options]
 */
async function made(map, options) {
  const fitted = await fitDocuments({ map, seed: '7', count: 300, sandbox, ...options });
  if ('reason' in fitted) throw new Error(fitted.reason);
  return fitted;
}

describe('a map that asks for', () => {
  test.each(FITTABLE)('%s emits for what is made', async (_, map) => {
    const { documents, emitShare, keys } = await made(map);
    expect(emitShare).toBeGreaterThan(0.95);
    expect(documents).toHaveLength(300);
    expect(new Set(documents.map(({ _id }) => _id)).size).toBe(300);
    expect(documents.some((document) => '_rev' in document)).toBe(false);
    expect(keys.length).toBeGreaterThanOrEqual(150);
    expect(keys.length).toBeLessThanOrEqual(200);
    // The same documents, asked once more, as CouchDB will show them.
    const docs = documents.slice(-20).map((document) => ({ ...document, _rev: '1-00000000000000000000000000000000' }));
    const answers = await sandbox.map({ source: map, docs });
    expect(answers.filter((answer) => 'emits' in answer && answer.emits.length > 0).length).toBeGreaterThan(18);
  });
});

describe('no documents are made for', () => {
  test.each(UNFITTABLE)('%s', async (_, map, reason) => {
    const fitted = await fitDocuments({ map, seed: '7', count: 300, sandbox });
    expect(fitted).toEqual({ reason: expect.stringMatching(reason) });
  });

  test.each([0, -1, Number.NaN])('a count of %s', async (count) => {
    const fitted = await fitDocuments({ map: 'function (doc) { emit(doc._id); }', seed: '7', count, sandbox });
    expect(fitted).toEqual({ reason: 'no documents were requested' });
  });
});

describe('what is made', () => {
  const map = "function (doc) { if (doc.type === 'order') emit([doc.customer, doc.date], doc.total); }";

  test('is the same for the same seed, and another for another', async () => {
    const first = await made(map);
    expect(await made(map)).toEqual(first);
    expect((await made(map, { seed: '8' })).documents).not.toEqual(first.documents);
  });

  test('has ids in order, of 14 characters', async () => {
    const { documents } = await made(map, { count: 3 });
    expect(documents.map(({ _id }) => _id)).toEqual(['doc-0000000000', 'doc-0000000001', 'doc-0000000002']);
  });

  test('shares texts between about 20 documents, and has dates that rise', async () => {
    const { documents } = await made(map, { count: 400 });
    expect(new Set(documents.map((document) => document['customer'])).size).toBe(20);
    const dates = documents.map((document) => String(document['date']));
    expect(dates).toEqual([...dates].sort());
    expect(new Set(dates).size).toBe(400);
  });

  test('is padded with text that the map does not read', async () => {
    const { documents } = await made(map, { paddingBytes: 120 });
    expect(documents.every((document) => String(document['note']).length === 120)).toBe(true);
    const reading = await made('function (doc) { if (doc.note > 5) emit(doc.note); }', { paddingBytes: 30 });
    expect(reading.documents[0]).toMatchObject({ note: expect.any(Number), remark: expect.stringMatching(/^.{30}$/) });
  });

  test('is of all kinds that the map asks for', async () => {
    const { documents, notes } = await made(
      "function (doc) { if (['new', 'paid', 'sent'].indexOf(doc.state) > -1) emit(doc.state); }",
    );
    expect(new Set(documents.map((document) => document['state']))).toEqual(new Set(['new', 'paid', 'sent']));
    expect(notes.join(' ')).toContain('3 kinds');
  });

  test('shows what its ids look like where they are not plain', async () => {
    const { notes } = await made("function (doc) { if (doc._id.indexOf('order:') === 0) emit(doc._id); }");
    expect(notes).toContain('Ids look like "order:00000000", because the map tests for it.');
  });

  test('does not take names of objects for members', async () => {
    const { documents } = await made(
      'function (doc) { if (doc.__proto__ && doc.constructor) emit(doc.total, doc.toString()); }',
    );
    expect(Object.getPrototypeOf(documents[0])).toBe(Object.prototype);
  });
});

describe('samples', () => {
  const map = "function (doc) { if (doc.type === 'order' && doc.paid) emit(doc.customer, doc.total); }";
  const order = (/** @type {number} */ at) => ({
    _id: `order:${at}`,
    _rev: `1-${at}`,
    _attachments: {},
    type: 'order',
    paid: true,
    customer: `mara-keller-${at}`,
    total: 10 + at,
  });
  const note = { _id: 'note:1', type: 'note', text: 'call back' };

  test('are used as they are, under their own ids and without what CouchDB adds', async () => {
    const samples = [order(1), order(2), note, { type: 'note' }, note];
    const fitted = await made(map, { samples: [...samples, order(3), order(4), order(5)], count: 7 });
    expect(fitted.documents).toEqual([
      { _id: 'order:1', type: 'order', paid: true, customer: 'mara-keller-1', total: 11 },
      { _id: 'order:2', type: 'order', paid: true, customer: 'mara-keller-2', total: 12 },
      { _id: 'note:1', type: 'note', text: 'call back' },
      { _id: 'doc-0000000003', type: 'note' },
      { _id: 'doc-0000000004', type: 'note', text: 'call back' },
      { _id: 'order:3', type: 'order', paid: true, customer: 'mara-keller-3', total: 13 },
      { _id: 'order:4', type: 'order', paid: true, customer: 'mara-keller-4', total: 14 },
      { _id: 'order:5', type: 'order', paid: true, customer: 'mara-keller-5', total: 15 },
    ]);
    expect(fitted.areOwn).toBe(true);
    expect(fitted.emitShare).toBeCloseTo(5 / 8);
    expect(fitted.keys).toEqual([1, 2, 3, 4, 5].map((at) => `mara-keller-${at}`));
  });

  test('are never multiplied: ten documents stay ten, in as many groups', async () => {
    const samples = Array.from({ length: 10 }, (_, at) => ({ ...order(at), customer: `mara-keller-${at % 3}` }));
    const { documents, keys, areOwn } = await made(map, { samples, count: 2000 });
    expect([documents.length, new Set(keys).size, areOwn]).toEqual([10, 3, true]);
  });

  test('of which few emit will do where the rows are enough', async () => {
    const samples = Array.from({ length: 200 }, (_, at) =>
      at % 10 === 0 ? order(at) : { ...note, _id: `note:${at}` },
    );
    const { documents, emitShare, areOwn } = await made(map, { samples, count: 2000 });
    expect([documents.length, emitShare, areOwn]).toEqual([200, 0.1, true]);
  });

  test('of which hardly any emit are replaced, and it is said', async () => {
    const { documents, emitShare, areOwn, notes } = await made(map, { samples: [note, note, order(1)], count: 50 });
    expect([emitShare, areOwn]).toEqual([1, false]);
    expect(documents[0]).toMatchObject({ _id: 'doc-0000000000', type: 'order' });
    expect(notes[0]).toBe('The map emits for only 1 of 3 given documents, so others were generated.');
  });

  test('that are no documents are passed over', async () => {
    const samples = /** @type {object[]} */ ([
      null,
      'order',
      [],
      { _id: '_design/orders', views: {} },
      { _id: 'x', _deleted: true },
    ]);
    const { documents } = await made(map, { samples, count: 2 });
    expect(documents[0]).toMatchObject({ type: 'order' });
  });
});
