import { afterAll, describe, expect, test } from 'vitest';
import { openSandbox } from '../../lib/sandbox/sandbox.js';
import { fitDocuments } from '../../lib/synthesis/fit-documents.js';
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
    const began = performance.now();
    const fitted = await fitDocuments({ map, seed: '7', count: 300, sandbox });
    expect(fitted).toEqual({ reason: expect.stringMatching(reason) });
    expect(performance.now() - began).toBeLessThan(15_000);
  });

  test.each([0, -1, Number.NaN])('a count of %s', async (count) => {
    const fitted = await fitDocuments({ map: 'function (doc) { emit(doc._id); }', seed: '7', count, sandbox });
    expect(fitted).toEqual({ reason: 'no documents are wanted' });
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

  test('tells what its ids look like where they are not plain', async () => {
    const { notes } = await made("function (doc) { if (doc._id.indexOf('order:') === 0) emit(doc._id); }");
    expect(notes).toContain('Ids look like "order:00000000", because the map asks for it.');
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

  test('are used as they are, with ids in order and without what CouchDB adds', async () => {
    const { documents, emitShare, keys, notes } = await made(map, { samples: [order(1), order(2), note], count: 3 });
    expect(documents).toEqual([
      { _id: 'doc-0000000000', type: 'order', paid: true, customer: 'mara-keller-1', total: 11 },
      { _id: 'doc-0000000001', type: 'order', paid: true, customer: 'mara-keller-2', total: 12 },
      { _id: 'doc-0000000002', type: 'note', text: 'call back' },
    ]);
    expect(emitShare).toBeCloseTo(2 / 3);
    expect(keys).toEqual(['mara-keller-1', 'mara-keller-2']);
    expect(notes).toEqual(['Documents are copies of 3 that were given, under ids of their own.']);
  });

  test('become more by scrambled copies that the map still emits', async () => {
    const { documents, emitShare, keys, notes } = await made(map, { samples: [order(1), order(2)], count: 40 });
    expect(emitShare).toBe(1);
    expect(new Set(keys).size).toBeGreaterThan(30);
    expect(new Set(documents.map(({ _id }) => _id)).size).toBe(40);
    expect(notes.join(' ')).toContain('scrambled');
  });

  test('are copied as they are where the map asks for values that scrambling changes', async () => {
    const checks = 'function (doc) { if (doc.check % 97 === 0) emit(doc.customer); }';
    const { emitShare, keys, notes } = await made(checks, {
      samples: [{ _id: 'a', check: 970, customer: 'noor' }],
      count: 30,
    });
    expect(emitShare).toBe(1);
    expect(new Set(keys)).toEqual(new Set(['noor']));
    expect(notes.join(' ')).toContain('over and over');
  });

  test('keep the beginning of their ids where the map reads them', async () => {
    const byId = "function (doc) { if (doc._id.indexOf('order:') === 0) emit(doc._id); }";
    const { documents, emitShare } = await made(byId, { samples: [order(1)], count: 5 });
    expect(emitShare).toBe(1);
    expect(documents[4]?._id).toBe('order:00000004');
  });

  test('of which few emit are replaced, and it is said', async () => {
    const { documents, emitShare, notes } = await made(map, { samples: [note, note, order(1)], count: 50 });
    expect(emitShare).toBe(1);
    expect(documents[0]).toMatchObject({ _id: 'doc-0000000000', type: 'order' });
    expect(notes[0]).toContain('less than half of the 3 documents');
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
