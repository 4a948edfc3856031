// The pieces of the storage model by themselves: how lists are cut, where bytes land, what a tree keeps, which shard a document has.

import { describe, expect, test } from 'vitest';
import { AppendOnlyFile } from '../../lib/storage-model/append-only-file.js';
import { crc32 } from '../../lib/storage-model/crc32.js';
import { shardOf } from '../../lib/storage-model/load-table.js';
import { countedIds, orderById } from '../../lib/storage-model/other-ids.js';
import { rankTexts } from '../../lib/storage-model/rank-texts.js';
import { evenEnds, replay } from '../../lib/storage-model/replay.js';
import { ServerIds } from '../../lib/storage-model/server-ids.js';
import { chunkEnds, Tree } from '../../lib/storage-model/tree.js';
import { isLong } from '../helpers/long.js';
import fc from '../helpers/property.js';
import { columnsOf } from '../helpers/storage-model.js';

/** @import { NodePacker } from '../../lib/storage-model/node-packer.js' */
/** @import { TreeNode } from '../../lib/storage-model/tree.js' */

/** @param {number[]} sizes @returns {number[]} */
const cut = (sizes) => chunkEnds(sizes.length, 7 + sizes.reduce((sum, size) => sum + size, 0), (at) => sizes[at] ?? 0);

describe('a list of entries', () => {
  test.each([
    ['of 1,279 bytes stays whole', [636, 636], [2]],
    ['of more is cut', [400, 400, 400, 400, 400, 400], [4, 6]],
    ['gives the entry that is too much to the part before', [300, 300, 300, 300, 300], [3, 5]],
    ['leaves no last entry alone', [600, 600, 600, 10], [2, 4]],
    ['puts a last entry that would be alone into the part before', [400, 400, 400, 400, 400], [3, 5]],
    ['of one long entry stays whole', [5000], [1]],
  ])('%s', (_, sizes, ends) => {
    expect(cut(sizes)).toEqual(ends);
  });

  test('is cut into parts that make it up', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 1, maxLength: 200 }), (sizes) => {
        const ends = cut(sizes);
        expect(ends.at(-1)).toBe(sizes.length);
        for (const [at, end] of ends.entries()) expect(end).toBeGreaterThan(ends[at - 1] ?? 0);
      }),
    );
  });
});

describe('an append-only file', () => {
  test('has a byte in front of each block', () => {
    const file = new AppendOnlyFile();
    expect(file.append(10)).toBe(15);
    expect(file.append(4070)).toBe(4074);
    expect(file.position).toBe(4089);
    expect(file.append(8200)).toBe(4 + 8200 + 3);
  });

  test('begins the next block where something ends just at the end of one', () => {
    const file = new AppendOnlyFile();
    file.append(4091);
    expect(file.position).toBe(4097);
  });

  test('has headers at the begin of blocks', () => {
    const file = new AppendOnlyFile();
    file.append(10);
    file.writeHeader(100);
    expect(file.position).toBe(4096 + 5 + 16 + 100);
    expect(file.headerBytes).toBe(file.position - 15);
    const empty = new AppendOnlyFile();
    empty.writeHeader(100);
    expect(empty.position).toBe(121);
  });
});

const NOT_PACKED = {
  leafLength: (/** @type {number[]} */ _, /** @type {number} */ bytes) => bytes,
  innerLength: (/** @type {TreeNode[]} */ _, /** @type {number} */ bytes) => bytes,
};

/** @returns {Tree} of keys that are their own items, 120 bytes each */
function numbers() {
  return new Tree(
    new AppendOnlyFile(),
    {
      keys: Float64Array.from({ length: 5000 }, (_, at) => at),
      entryBytes: new Int32Array(5000).fill(120),
      keyBytes: () => 5,
      reduce: (node) => {
        node.count = node.items?.length ?? (node.children ?? []).reduce((sum, child) => sum + child.count, 0);
        node.reductionBytes = 5;
      },
    },
    /** @type {NodePacker} */ (/** @type {unknown} */ (NOT_PACKED)),
  );
}

/** @param {TreeNode | undefined} node @returns {number[]} */
const itemsBelow = (node) => node?.items ?? node?.children?.flatMap(itemsBelow) ?? [];

describe('a tree', () => {
  test('holds what was added and not removed, in order, whatever the order of changes', () => {
    fc.assert(
      fc.property(
        fc.array(fc.uniqueArray(fc.integer({ min: 0, max: 999 }), { maxLength: 60 }), { maxLength: 30 }),
        (commits) => {
          const tree = numbers();
          /** @type {Set<number>} */
          const model = new Set();
          for (const keys of commits) {
            const actions = keys
              .sort((one, other) => one - other)
              .map((key) => (model.has(key) && key % 3 === 0 ? -1 - key : key));
            tree.modify(actions);
            for (const action of actions) action < 0 ? model.delete(-1 - action) : model.add(action);
          }
          expect(itemsBelow(tree.root)).toEqual([...model].sort((one, other) => one - other));
          expect(tree.root?.count ?? 0).toBe(model.size);
        },
      ),
      { numRuns: 200 },
    );
  });

  test('that only grows at its end leaves full nodes alone', () => {
    const tree = numbers();
    for (let at = 0; at < 1000; at += 100) tree.modify(Array.from({ length: 100 }, (_, step) => at + step));
    const growing = tree.nodes;
    const shuffled = numbers();
    for (let at = 0; at < 10; at += 1) shuffled.modify(Array.from({ length: 100 }, (_, step) => step * 10 + at));
    expect(tree.replaced).toBeLessThan(growing / 5);
    expect(shuffled.nodes).toBeGreaterThan(3 * growing);
  });
});

describe('shards', () => {
  test('are chosen by CRC-32', () => {
    const bytes = Buffer.from('123456789');
    expect(crc32(bytes, 0, bytes.length)).toBe(0xcbf43926);
    expect(crc32(Buffer.from('x123456789x'), 1, 10)).toBe(0xcbf43926);
  });

  test.each([
    [0, 2, 0],
    [0x7fffffff, 2, 0],
    [0x80000000, 2, 1],
    [0xffffffff, 2, 1],
    [0xffffffff, 3, 2],
    [0x55555554, 3, 0],
    [0x55555555, 3, 1],
  ])('%i of %i shards', (hash, shards, shard) => {
    expect(shardOf(hash, shards)).toBe(shard);
  });
});

test('texts have the places that their bytes have', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 6 }), { maxLength: 80 }), (texts) => {
      const buffers = texts.map((text) => Buffer.from(text));
      let end = 0;
      const { ranks, distinct } = rankTexts(
        Buffer.concat(buffers),
        Float64Array.from(buffers, (buffer) => {
          end += buffer.length;
          return end;
        }),
      );
      for (const [at, one] of buffers.entries())
        for (const [other, two] of buffers.entries())
          expect(Math.sign(Buffer.compare(one, two))).toBe(Math.sign((ranks[at] ?? 0) - (ranks[other] ?? 0)));
      expect(distinct).toBe(new Set(buffers.map((buffer) => buffer.toString('hex'))).size);
    }),
  );
});

describe('a load', () => {
  const doc = (/** @type {string} */ id, rest = '') => ({ id, json: `{"_id":${JSON.stringify(id)},"stock":1${rest}}` });

  test('of an id twice in one request writes the first only', () => {
    const { written, conflicts, updates } = replay(columnsOf([doc('kettle'), doc('kettle'), doc('pot')]), {
      shards: 1,
      batch: 10,
    });
    expect({ written, conflicts, updates }).toEqual({ written: 2, conflicts: 1, updates: 0 });
  });

  test('of an id in two requests writes an update, whose older revision stays in the trees', () => {
    const once = replay(columnsOf([doc('kettle'), doc('pot')]), { shards: 1, batch: 1 });
    const twice = replay(columnsOf([doc('kettle'), doc('kettle')]), { shards: 1, batch: 1, compact: true });
    expect(twice).toMatchObject({ written: 2, updates: 1, conflicts: 0 });
    expect(twice.loaded.external).toBe(once.loaded.external / 2);
    expect(twice.compacted?.active).toBeLessThan(twice.loaded.active);
  });

  test.runIf(isLong)('of one document updated more often than revisions are kept stays bounded', () => {
    const { loaded } = replay(columnsOf(Array.from({ length: 1200 }, () => doc('kettle'))), { shards: 1, batch: 1 });
    expect(loaded.active).toBeLessThan(1000 * 120);
    expect(loaded.active).toBeGreaterThan(1000 * 30);
  });

  test('of tombstones counts them as deleted', () => {
    const { loaded } = replay(columnsOf([doc('kettle', ',"_deleted":true')]), { shards: 1, batch: 1 });
    expect(loaded.commits).toBe(1);
  });

  test('of no document has empty shards', () => {
    expect(replay(columnsOf([]), { shards: 2, batch: 10, compact: true })).toMatchObject({
      requests: 0,
      loaded: { file: 2 * 8350, external: 0 },
    });
  });

  test('can be put in order, and be given ids that count up', () => {
    const load = columnsOf(['pot', 'kettle', 'pot', 'cup'].map((id) => doc(id)));
    expect([...orderById(load)]).toEqual([3, 1, 0, 2]);
    const counted = countedIds(load);
    expect(Buffer.from(counted.ids).toString()).toBe('000000001000002');
    expect([...counted.ranks]).toEqual([0, 1, 0, 2]);
  });

  test('is cut into requests of one size', () => {
    expect(evenEnds(5, 2)).toEqual([2, 4, 5]);
    expect(evenEnds(4, 2)).toEqual([2, 4]);
    expect(evenEnds(0, 2)).toEqual([]);
  });
});

test('ids as the server makes them grow, and look as its own do', () => {
  const ids = new ServerIds();
  const made = Array.from({ length: 20_000 }, () => ids.next());
  expect(new Set(made).size).toBe(made.length);
  expect(made.every((id) => /^[0-9a-f]{32}$/.test(id))).toBe(true);
  const falling = made.filter((id, at) => at > 0 && id < (made[at - 1] ?? ''));
  expect(falling.length).toBeLessThan(5);
});
