import { describe, expect, test } from 'vitest';
import { signatureOf } from '../../../lib/cli/ci/index-builds.js';
import { indexGroupsOf, sameIndex } from '../../../lib/facts/index-groups/index-groups.js';
import { readText } from '../../helpers/read-source.js';

const MAP = "function (doc) { if (doc.type === 'order') emit(doc.date, null); }";

/** @param {object | string} document */
async function groupsOf(document) {
  const text = typeof document === 'string' ? document : JSON.stringify({ _id: '_design/orders', ...document });
  const { records } = await readText(text);
  const [record] = records;
  if (record?.kind !== 'design-doc') throw new Error('no design document was read');
  return indexGroupsOf(record);
}

/** @param {object | string} document */
async function onlyGroupOf(document) {
  const [group, ...others] = await groupsOf(document);
  if (!group || others.length > 0) throw new Error('not one group');
  return group;
}

describe('the signature', () => {
  // As CouchDB 3.5.0 tells it of a database of its own; test/live/signature.live.test.js asks it anew.
  test('of a view is the one that CouchDB has', async () => {
    const group = await onlyGroupOf({ views: { a: { map: 'function(d){emit(d.a)}' } } });
    expect(signatureOf(group)).toBe('6f2610230ff4066fdda6f01a56648634');
  });

  const index = 'function (doc) { index("default", doc.name); }';
  // Hashes of the terms of dreyfus_index.erl and nouveau_util.erl, made by Erlang/OTP 25.
  test.each([
    ['search', { indexes: { by_name: { index } } }, '1b10fbb0566c0d55512de59d5ea65a1e'],
    [
      'search',
      { indexes: { by_name: { index, analyzer: { name: 'perfield', default: 'english' } } } },
      '1bce9cfec663d029aa771c82d6b18008',
    ],
    [
      'nouveau',
      { nouveau: { by_name: { index } } },
      '7c6b500dd97f69f9da3faf00d364dd4fbf511817b0269e3cb98b041d6e7d298b',
    ],
    [
      'nouveau',
      { nouveau: { by_name: { index, default_analyzer: 'english', field_analyzers: { name: 'simple' } } } },
      'b1cb4c2dae1219f758ac4f1a8d9a5f0e242deac0022da80e7e2a9a56b772f7a5',
    ],
  ])('of an index for %s is that of its term', async (kind, document, signature) => {
    const group = await onlyGroupOf(document);
    expect(group).toMatchObject({ kind, name: 'by_name' });
    expect(signatureOf(group)).toBe(signature);
  });
});

describe('the index', () => {
  const orders = { views: { by_date: { map: MAP }, total: { map: MAP, reduce: '_count' } } };
  const spaced = { views: { by_date: { map: `${MAP}\n` }, total: { map: MAP, reduce: '_count' } } };

  test.each([
    ['filters', { ...orders, filters: { open: 'function () { return true; }' } }],
    ['a validation', { ...orders, validate_doc_update: 'function () {}' }],
    ['members in another order', { views: { total: { reduce: '_count', map: MAP }, by_date: { map: MAP } } }],
  ])('is kept for %s', async (_, document) => {
    expect(sameIndex(await onlyGroupOf(orders), await onlyGroupOf(document))).toBe(true);
  });

  test.each([
    ['white space in a map', spaced],
    ['the name of a view', { views: { by_day: { map: MAP }, total: { map: MAP, reduce: '_count' } } }],
    ['a reduce', { views: { by_date: { map: MAP }, total: { map: MAP, reduce: '_sum' } } }],
    ['a language that is named', { ...orders, language: 'javascript_quickjs' }],
    ['options', { ...orders, options: { local_seq: true } }],
    ['a library', { views: { ...orders.views, lib: { money: 'exports.tax = 1;' } } }],
  ])('is another one for %s', async (_, document) => {
    expect(sameIndex(await onlyGroupOf(orders), await onlyGroupOf(document))).toBe(false);
  });

  test('is the same whether the usual language is named or not', async () => {
    expect(sameIndex(await onlyGroupOf(orders), await onlyGroupOf({ language: 'javascript', ...orders }))).toBe(true);
  });
});

describe('what is unknown', () => {
  const half = '{"_id":"_design/orders","views":{"by_date":{"map":"function (doc) { emit(\'\\ud800\'); }"}}}';
  const number = `{"_id":"_design/orders","options":{"n":1e400},"views":{"by_date":{"map":"function (doc) {}"}}}`;
  const digits = `{"_id":"_design/orders","options":{"n":${'9'.repeat(2000)}},"views":{"by_date":{"map":"function (doc) {}"}}}`;
  const list = '{"_id":"_design/orders","options":[],"views":{"by_date":{"map":"function (doc) {}"}}}';
  test.each([
    ['half a pair of surrogates', half, 'a string in it is not valid Unicode'],
    ['a number that is too large', number, 'a number in it is too large'],
    ['a number that is too long', digits, 'a number in it is too long'],
    ['options that are a list', list, 'its `options` are not an object'],
  ])('is said: %s', async (_, text, unknown) => {
    const group = await onlyGroupOf(text);
    expect(group).toMatchObject({ term: undefined, unknown });
    expect(signatureOf(group)).toBeUndefined();
    expect(sameIndex(group, await onlyGroupOf(text))).toBe(true);
    expect(sameIndex(group, await onlyGroupOf(text.replace('by_date', 'by_day')))).toBe(false);
  });

  test('is a map that is computed', async () => {
    const text = "module.exports = { _id: '_design/orders', views: { by_date: { map: make() } } };";
    const { records } = await readText(text, 'orders.js');
    const [record] = records;
    if (record?.kind !== 'design-doc') throw new Error('no design document was read');
    const [group] = indexGroupsOf(record);
    expect(group?.term).toBeUndefined();
    expect(group?.unknown).toEqual(expect.any(String));
  });
});

test('a document without views has no index', async () => {
  expect(await groupsOf({ filters: { open: 'function () {}' } })).toEqual([]);
  expect(
    await groupsOf({ views: { lib: { money: 'exports.tax = 1;' } }, filters: { a: 'function (doc) {}' } }),
  ).toEqual([]);
});
