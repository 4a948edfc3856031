import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { sampleDocuments } from '../../../lib/sources/loads/sample-documents.js';
import { sample } from '../../helpers/long.js';

const folder = mkdtempSync(path.join(tmpdir(), 'couch-advisor-lines-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** One line more than is held in memory. */
const LONG = Buffer.alloc(70 * 1024 * 1024, 'a');
const FIRST = Buffer.from('{"_id":"order-1","total":3}\n');

test.each(
  sample(
    [
      ['long.jsonl', LONG, []],
      ['behind.jsonl', Buffer.concat([FIRST, LONG]), [{ _id: 'order-1', total: 3 }]],
      ['packed.jsonl.gz', gzipSync(Buffer.concat([FIRST, LONG])), [{ _id: 'order-1', total: 3 }]],
    ],
    1,
  ),
)(
  'a line that is too long is not held in memory, and what stands before it is read: %s',
  async (name, bytes, wanted) => {
    const file = path.join(folder, name);
    writeFileSync(file, bytes);
    expect(await sampleDocuments([file], 10)).toEqual(wanted);
  },
);
