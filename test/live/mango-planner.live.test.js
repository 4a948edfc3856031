// Whether the planner chooses the index and the range of keys that a real CouchDB does, and counts what it reads, for random indexes,
// documents and queries. MANGO_DATABASES is how many databases of 40 queries are tried.
// COUCHDB_URL=http://admin:password@localhost:5984 npx vitest run test/live/mango-planner.live.test.js

import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { COUCHDB_URL, ScratchDatabase } from '../helpers/couchdb.js';
import { anySelector, database } from '../helpers/mango-cases.js';
import { matches } from '../helpers/mango-matches.js';
import { compareWithServer } from '../helpers/mango-server.js';
import fc from '../helpers/property.js';

const url = COUCHDB_URL ?? 'http://localhost';
const DATABASES = Number(process.env['MANGO_DATABASES'] ?? 15);
const QUERIES = 40;
/** Unknown is an answer, but no way out: at most so many of a hundred. */
const MAX_UNKNOWN_PERCENT = 3;

/** @param {import('../helpers/mango-server.js').Compared[]} compared @returns {number} of a hundred */
function unknownPercent(compared) {
  const unknown = compared.filter(({ here, hereReads }) => 'unknown' in here || (hereReads && 'unknown' in hereReads));
  return (100 * unknown.length) / compared.length;
}

describe.skipIf(!COUCHDB_URL)('the planner of Mango and a real CouchDB', { timeout: 3_600_000 }, () => {
  test('agree on the index, the range of keys, and what is read', async () => {
    /** @type {import('../helpers/mango-server.js').Compared[]} */
    const all = [];
    const property = fc.asyncProperty(database(QUERIES), async (/** @type {any} */ made) => {
      const { compared } = await compareWithServer(url, made);
      all.push(...compared);
      for (const { body, server, here, serverReads, hereReads } of compared) {
        if ('unknown' in here) continue;
        expect(here, JSON.stringify(body)).toEqual(server);
        if (serverReads && hereReads && !('unknown' in hereReads)) {
          expect(hereReads, JSON.stringify(body)).toEqual(serverReads);
        }
        // What fails on the server must not get figures here.
        if (!serverReads && hereReads) expect(hereReads, JSON.stringify(body)).toHaveProperty('unknown');
      }
    });
    await fc.assert(property, { numRuns: DATABASES * 4, endOnFailure: true });
    expect(all.length).toBeGreaterThanOrEqual(DATABASES * QUERIES);
    expect(unknownPercent(all)).toBeLessThan(MAX_UNKNOWN_PERCENT);
  });

  test('agree on the documents that match a selector', async () => {
    const queries = fc.array(
      anySelector.map((/** @type {any} */ one) => ({ selector: JSON.parse(JSON.stringify(one)), limit: 1000 })),
      { minLength: QUERIES, maxLength: QUERIES },
    );
    const made = database(0).chain((/** @type {any} */ { documents }) =>
      fc.record({ documents: fc.constant(documents), queries }),
    );
    /** @type {import('../helpers/mango-server.js').Compared[]} */
    const all = [];
    const property = fc.asyncProperty(made, async (/** @type {any} */ { documents, queries: asked }) => {
      const { compared } = await compareWithServer(url, { indexes: [], documents, queries: asked });
      all.push(...compared);
      for (const { body, serverReads, hereReads } of compared) {
        if (!hereReads || 'unknown' in hereReads) continue;
        expect(hereReads, JSON.stringify(body)).toEqual(serverReads);
      }
    });
    await fc.assert(property, { numRuns: DATABASES * 4, endOnFailure: true });
    expect(all.some(({ serverReads }) => Array.isArray(serverReads?.['ids']) && serverReads['ids'].length > 0)).toBe(
      true,
    );
    expect(unknownPercent(all)).toBeLessThan(MAX_UNKNOWN_PERCENT);
  });
  test('agree on the index in a partitioned database', async () => {
    const property = fc.asyncProperty(database(QUERIES), async (/** @type {any} */ made) => {
      // All indexes of a design document are of one kind.
      const indexes = made.indexes.map((/** @type {any} */ one) => ({ ...one, partitioned: one.ddoc !== 'd1' }));
      const { compared } = await compareWithServer(url, { ...made, indexes, isPartitioned: true });
      for (const { body, server, here } of compared) {
        if (!('unknown' in here)) expect(here, JSON.stringify(body)).toEqual(server);
      }
    });
    await fc.assert(property, { numRuns: DATABASES * 4, endOnFailure: true });
  });

  test('agree on the table of selectors', async () => {
    const scratch = new ScratchDatabase(url);
    await scratch.create();
    try {
      for (const [title, one, doc, isMatch] of matches) {
        const { id = doc._id } = (await scratch.ask('POST', '', doc)).answer;
        const { answer } = await scratch.ask('POST', '/_find', { selector: one, limit: 1000 });
        expect(
          answer.docs.some((/** @type {any} */ { _id }) => _id === id),
          title,
        ).toBe(isMatch);
      }
    } finally {
      await scratch.drop();
    }
  });
});
