// Loads in every form that they come in are read as a stream, and what is broken in one is told and does not hide the rest.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { openLoads } from '../../../lib/sources/loads/open-loads.js';
import { readLoad, readLoadPieces } from '../../../lib/sources/loads/read-load.js';
import { isLong } from '../../helpers/long.js';
import { makeIds } from '../../helpers/make-ids.js';
import fc from '../../helpers/property.js';

/** @import { LoadRecord } from '../../../lib/sources/record.js' */
/** @import { LoadResult } from '../../../lib/sources/loads/read-load.js' */

const fixtures = path.resolve(import.meta.dirname, '../../../fixtures/loads');
const folder = mkdtempSync(path.join(os.tmpdir(), 'couch-advisor-loads-'));
afterAll(() => rmSync(folder, { recursive: true }));

/**
 * @param {string | Uint8Array} content
 * @param {number} [size] of the pieces that it is read in
 * @returns {Promise<LoadResult>}
 */
function read(content, size = Number.POSITIVE_INFINITY) {
  const bytes = Buffer.from(content);
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += size) yield Buffer.from(bytes.subarray(at, at + size));
  }
  return readLoadPieces(pieces(), 'load.json');
}

/**
 * @param {string} content
 * @returns {Promise<LoadRecord>}
 */
async function readSound(content) {
  const { record, errors } = await read(content);
  expect(errors).toEqual([]);
  if (!record) throw new Error('no record');
  return record;
}

/** @param {string} name @returns {string} */
function fixture(name) {
  return readFileSync(path.join(fixtures, name), 'utf8');
}

describe('the forms of a load', () => {
  test('lines with a document each; those without id, design documents and _local ones are counted apart', async () => {
    const record = await readSound(fixture('orders.jsonl'));
    expect(record).toMatchObject({
      documents: 3,
      withoutId: 1,
      designDocuments: 2,
      withRevision: 0,
      batches: undefined,
    });
    expect(record.ids.first).toEqual(['order:00000001', 'order:00000002']);
  });

  test('a body of _bulk_docs over many lines; attachments are not counted in the sizes', async () => {
    const record = await readSound(fixture('bulk-docs.json'));
    expect(record.ids.first).toEqual(['customer:anton', 'customer:milena']);
    expect(record.batches).toMatchObject({ count: 1, median: 2, most: 2, single: 0 });
    expect(record.documentBytes.most).toBeLessThan(110);
    expect(record.batches?.mostBytes).toBe(JSON.stringify(JSON.parse(fixture('bulk-docs.json'))).length);
  });

  test('lines with a body each', async () => {
    const record = await readSound(fixture('bulk-docs-lines.jsonl'));
    expect(record).toMatchObject({ documents: 5, batches: { count: 3, single: 1, median: 2, most: 2 } });
  });

  test('a restore, whose ids are what they are', async () => {
    expect(await readSound(fixture('restore.json'))).toMatchObject({ isRestore: true, withRevision: 1 });
    expect(await readSound('{"new_edits":false,"docs":[{"_id":"a"}]}')).toMatchObject({ isRestore: true });
    expect(await readSound('{"new_edits":true,"docs":[{"_id":"a"}]}')).toMatchObject({ isRestore: false });
    expect(await readSound('{"_id":"a","new_edits":false}')).toMatchObject({ isRestore: false });
  });

  test('lines of couchbackup, which are no requests', async () => {
    const record = await readSound(fixture('couchbackup.jsonl'));
    expect(record).toMatchObject({ documents: 3, withoutId: 0, batches: undefined });
  });

  test('an answer of _all_docs with its documents, and without', async () => {
    const record = await readSound(fixture('all-docs.json'));
    expect(record).toMatchObject({ documents: 3, withRevision: 2, batches: undefined });
    expect(record.ids.first).toEqual(['order:1', 'order:2', 'order:3']);
    const bare = await readSound(
      '{"rows":[{"id":"order:1","key":"order:1","value":{"rev":"1-a"}},{"key":"x","error":"not_found"}]}',
    );
    expect(bare).toMatchObject({ documents: 1, documentBytes: { median: undefined } });
  });

  test('an array of documents, and an answer of _find: no requests', async () => {
    expect(await readSound('[{"_id":"a"},{"_id":"b"}]')).toMatchObject({ documents: 2, batches: undefined });
    expect(await readSound('{"docs":[{"_id":"a"}],"bookmark":"nil"}')).toMatchObject({
      documents: 1,
      batches: undefined,
    });
  });

  test('a document that has a list called docs or rows is a document', async () => {
    const record = await readSound(
      '{"_id":"order:1","docs":[{"_id":"leaflet"}]}\n{"type":"order","rows":[{"id":"x"}]}\n{"docs":3}\n',
    );
    expect(record).toMatchObject({ documents: 3, withoutId: 2 });
    expect(record.ids.first).toEqual(['order:1']);
  });

  test('ids with escapes and other letters are the bytes that CouchDB compares', async () => {
    const record = await readSound('{"_id":"caf\\u00e9 \\"8\\""}\n{"_id":"čajník"}\n{"_id":"\ud83e\uded6"}\n');
    const asBytes = (/** @type {string} */ id) => Buffer.from(id).toString('latin1');
    expect(record.ids.first).toEqual(['café "8"', 'čajník', '\ud83e\uded6'].map(asBytes));
  });

  test('a byte order mark and Windows line ends change nothing', async () => {
    const text = fixture('orders.jsonl');
    expect(await readSound(`\ufeff${text.replaceAll('\n', '\r\n')}`)).toEqual(await readSound(text));
  });
});

describe('what is broken', () => {
  test('is told with its line, and the rest is read', async () => {
    const { record, errors } = await read(fixture('broken.jsonl'));
    expect(record?.ids.first).toEqual(['order:1', 'order:3', 'order:5', 'order:6', 'order:7']);
    expect(errors.map(({ code, place }) => [code, place?.line])).toEqual([
      ['not-json', 2],
      ['not-json', 4],
      ['not-json', 6],
      ['not-json', 7],
      ['not-json', 9],
    ]);
    expect(errors[0]?.message).toContain('skipped the document that starts on line 2');
  });

  test('in a list in one line costs only its own document', async () => {
    const { record, errors } = await read(
      '{"docs":[{"_id":"a"},{"_id":"b",kettle},{"_id":"c"},5,[1],{"_id":"d","x":"\\q"},{"_id":"e"}]}',
    );
    expect(record?.ids.first).toEqual(['a', 'c', 'e']);
    expect(errors).toHaveLength(4);
  });

  test('in a list over many lines costs only its own document', async () => {
    const text =
      '{\n  "docs": [\n    {\n      "_id": "a"\n    },\n    {\n      "_id": "b",\n      "n": kettle,\n      "m": { "k": [\n        { "z": 1 }\n      ] }\n    },\n    {\n      "_id": "c"\n    }\n  ]\n}\n';
    const { record, errors } = await read(text);
    expect(record?.ids.first).toEqual(['a', 'c']);
    expect(errors).toMatchObject([{ place: { line: 8 } }]);
  });

  test('a body that is cut does not swallow the next', async () => {
    const { record, errors } = await read('{"docs":[{"_id":"a"},{"_id":"b"\n{"docs":[{"_id":"c"}]}\n');
    expect(record?.ids.first).toEqual(['a', 'c']);
    expect(errors).toHaveLength(1);
  });

  test.each([
    ['nothing', '', 'no-documents'],
    ['blanks', ' \n\n', 'no-documents'],
    ['no documents', '{"docs":[]}', 'no-documents'],
    ['UTF-16', Buffer.from('\ufeff{"_id":"a"}', 'utf16le'), 'not-utf8'],
    ['a number', '12', 'not-json'],
    ['bytes of no text', Buffer.from([0, 1, 2, 3, 127]), 'not-json'],
    ['what only begins like gzip', Buffer.from([0x1f, 0x8b, 8, 0, 1, 2, 3]), 'broken-gzip'],
  ])('a file of %s gives one error', async (_, content, code) => {
    const { record, errors } = await read(content);
    expect(record).toBeUndefined();
    expect(errors).toMatchObject([{ code, place: { file: 'load.json', line: 1 } }]);
  });

  test('in ten thousand places is told of twenty', async () => {
    const { record, errors } = await read('kettle\n{"_id":"a"}\n'.repeat(10_000));
    expect(record?.documents).toBe(10_000);
    expect(errors).toHaveLength(21);
    expect(errors.at(-1)?.message).toMatch(/^9980 more errors/);
  });

  test.each([1, 2, 3, 1000])('bytes that are no UTF-8 are told once, with the line, in pieces of %i', async (size) => {
    const sound = Buffer.from('{"_id":"čajník \ud83e\uded6"}\n');
    const bytes = Buffer.concat([sound, Buffer.from('{"_id":"caf\xe9"}\n{"_id":"\xff"}\n', 'latin1'), sound]);
    const { record, errors } = await read(bytes, size);
    expect(errors).toMatchObject([{ code: 'not-utf8', place: { line: 2 } }]);
    expect(record?.documents).toBe(4);
  });

  test('brackets 100,000 deep, and keys named __proto__, are read', async () => {
    const deep = `{"_id":"a","x":${'['.repeat(100_000)}${']'.repeat(100_000)}}\n{"__proto__":{"_id":"x"},"_id":"constructor"}\n`;
    expect((await readSound(deep)).ids.first).toEqual(['a', 'constructor']);
  });

  test('an id of a megabyte is not kept', async () => {
    const { ids } = await readSound(`{"_id":"${'k'.repeat(1_000_000)}"}`);
    expect(ids.first[0]).toHaveLength(1024);
  });
});

describe('any content', () => {
  /** What loads are made of, and what should not be among it. */
  const parts = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"',
    '\\',
    '\n',
    '  ',
    '"_id"',
    '"docs"',
    '"rows"',
    '"doc"',
    '"id"',
    '"_attachments"',
    '{"_id":"kettle"}',
    '{"docs":[',
    'null',
    'true',
    '-1.5e3',
    '01',
    'č',
    '\u0000',
  );

  test('is read the same in pieces of any size, and never throws', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(parts, { maxLength: 60 }), fc.integer({ min: 1, max: 9 }), async (list, size) => {
        const text = list.join('');
        expect(await read(text, size)).toEqual(await read(text));
      }),
      { numRuns: 1500 },
    );
  });

  test('that JSON.parse takes, a document a line, has each document found with its id and its size', async () => {
    const id = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).filter((text) => !text.startsWith('_'));
    const document = fc
      .tuple(id, fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true }))
      .map(([_id, rest]) => {
        const { _id: _, _attachments: _a, docs: _d, rows: _r, ...others } = rest;
        return { _id, ...others };
      });
    await fc.assert(
      fc.asyncProperty(
        fc.array(document, { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 1, max: 40 }),
        fc.boolean(),
        async (documents, size, isBody) => {
          const text = isBody
            ? JSON.stringify({ docs: documents }, null, 2)
            : documents.map((one) => JSON.stringify(one)).join('\n');
          const { record, errors } = await read(text, size);
          expect(errors).toEqual([]);
          expect(record?.ids.first.map((latin1) => Buffer.from(latin1, 'latin1').toString())).toEqual(
            documents.map(({ _id }) => Buffer.from(_id).toString()),
          );
          const sizes = documents.map((one) => Buffer.byteLength(JSON.stringify(one)));
          expect(record?.documentBytes.most).toBe(Math.max(...sizes));
        },
      ),
      { numRuns: 300 },
    );
  });

  test('broken at any place loses at most the lines that it touches', async () => {
    const lines = makeIds('sequence', 30).map((_id) =>
      JSON.stringify({ _id, type: 'order', lines: [{ stock: 'kettle' }] }),
    );
    const text = lines.join('\n');
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: text.length - 1 }),
        fc.constantFrom('', '{', '}', '[', ']', '"', ',', 'x', '\\', '\n'),
        async (at, put) => {
          const { record } = await read(text.slice(0, at) + put + text.slice(at + 1));
          expect(record?.documents).toBeGreaterThanOrEqual(28);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('files', () => {
  test('packed ones are unpacked, also of several members', async () => {
    const text = fixture('orders.jsonl');
    const plain = await readSound(text);
    expect((await read(gzipSync(text))).record).toEqual(plain);
    const [head = '', ...rest] = text.split('\n');
    const members = Buffer.concat([gzipSync(`${head}\n`), gzipSync(rest.join('\n'))]);
    expect(await read(members, 7)).toEqual({ record: plain, errors: [] });
  });

  test('a packed one that is cut short is read to there', async () => {
    const text = makeIds('uuid4', 5000)
      .map((_id) => JSON.stringify({ _id }))
      .join('\n');
    const packed = gzipSync(text);
    const { record, errors } = await read(packed.subarray(0, packed.length / 2), 1000);
    expect(record?.documents).toBeGreaterThan(1000);
    expect(errors.map(({ code }) => code)).toContain('broken-gzip');
  });

  test('are found by name and by glob, each once, and what is not there is told', async () => {
    const names = ['orders.jsonl', '*.jsonl', 'kettle.json', 'tea*pot.json'];
    const { records, errors } = await openLoads(names, fixtures);
    expect(records.map(({ file }) => file.path)).toEqual([
      'broken.jsonl',
      'bulk-docs-lines.jsonl',
      'couchbackup.jsonl',
      'orders.jsonl',
    ]);
    expect(errors.filter(({ code }) => code === 'not-found').map(({ message }) => message)).toEqual([
      'kettle.json does not exist',
      'no file matches tea*pot.json',
    ]);
  });

  test('a document that is too large to be held is only counted, and the others are given', async () => {
    async function* pieces() {
      yield Buffer.from('{"_id":"order-1","note":"tea"}\n{"_id":"order-2","note":"');
      const piece = Buffer.alloc(1024 * 1024, 'x');
      for (let at = 0; at < 65; at += 1) yield piece;
      yield Buffer.from('"}\n{"_id":"order-3","note":"tea"}\n');
    }
    /** @type {string[]} */
    const given = [];
    const { record, errors } = await readLoadPieces(pieces(), 'load.jsonl', {
      onDocument: ({ start, end }, bytes, offset) => given.push(bytes.toString('utf8', start - offset, end - offset)),
      onRequestEnd: () => {},
    });
    expect(given.map((text) => JSON.parse(text)._id)).toEqual(['order-1', 'order-3']);
    expect(record?.documents).toBe(3);
    const message = 'line 2: a document larger than 64 MiB, which is only counted';
    expect(errors).toMatchObject([{ code: 'too-large', message, place: { line: 2 } }]);
  });

  test('a folder is no load', async () => {
    expect(await readLoad(fixtures, 'loads')).toMatchObject({ record: undefined, errors: [{ code: 'unreadable' }] });
  });

  test.runIf(isLong)('of 30 MB are read in the memory of a few pieces', async () => {
    const file = path.join(folder, 'large.jsonl');
    const lines = makeIds('uuid4', 20_000).map((_id) =>
      JSON.stringify({ _id, note: 'Leave it at the door. '.repeat(12) }),
    );
    writeFileSync(file, `${lines.join('\n')}\n`.repeat(5));
    const before = process.memoryUsage().rss;
    const { record } = await readLoad(file, 'large.jsonl');
    expect(record?.documents).toBe(100_000);
    expect(record?.ids.sample.length).toBeLessThanOrEqual(4096);
    expect(process.memoryUsage().rss - before).toBeLessThan(60e6);
  });
});
