// The table of reducers against a real CouchDB: what it calls equal answers as the built-in does, and what it calls wrong
// does answer something else than the same function over the same rows in one go.

import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withChanges } from '../../lib/proof/rewrite-map.js';
import { isSameValue } from '../../lib/proof/trials-compare.js';
import { COUCHDB_URL, ScratchDatabase } from '../helpers/couchdb.js';
import { proveReduce } from '../helpers/internals.js';
import { PLAIN_SANDBOX } from '../helpers/plain-sandbox.js';
import { REDUCERS, TARGET } from '../proof/reducers/all.js';
import { allowed, isOnly } from '../proof/reducers/allowed.js';
import { emittedRows, shopDocuments } from '../proof/reducers/documents.js';

/** @import { TrialRow } from '../../lib/proof/trial-values.js' */
/** @import { ReducerRow } from '../proof/reducers/maps.js' */

const DOCUMENTS = shopDocuments(300);
/** So few rows that a first pass is all that a shard needs, of both signs. @type {Record<string, unknown>[]} */
const FEW = DOCUMENTS.slice(0, 12).map((doc, at) => ({ ...doc, total: at % 2 === 0 ? 5 + at : -4 - at }));

/** Built-ins that older servers do not know, and targets that ask for them, are left out there. */
const NEWER = /^_(first|last|top|bottom)/;

/** Ways to ask: everything, each key, a range of keys, its end only, and downwards. */
const QUERIES = [
  '',
  '?group=true',
  '?startkey="b"&endkey="d"',
  '?startkey="bo"&group=true',
  '?descending=true',
  '?startkey="order-0003"&endkey="order-0200"',
];

/** @param {unknown} one @param {unknown} other */
function expectSame(one, other) {
  expect(isSameValue(one, other, 1000), `${JSON.stringify(one)} and ${JSON.stringify(other)}`).toBe(true);
}

/** @param {ReducerRow} row @returns {boolean} */
function canBeMet(row) {
  return !(allowed(row, 'conditionHolds') ?? []).includes('not');
}

/**
 * @param {TrialRow[]} emitted
 * @returns {[string, TrialRow[][]][]} queries, and the rows of each of their answers in the order of the view
 */
function groupings(emitted) {
  const order = (/** @type {TrialRow} */ { key, id }) => `${key} ${id}`;
  const rows = [...emitted].sort((a, b) => (order(a) < order(b) ? -1 : 1));
  const keys = [...new Set(rows.map(({ key }) => key))];
  return [
    ['', [rows]],
    ['?group=true', keys.map((key) => rows.filter((row) => row.key === key))],
  ];
}

describe.skipIf(!COUCHDB_URL)('on a real CouchDB with two shards', { timeout: 60_000 }, () => {
  const database = new ScratchDatabase(COUCHDB_URL ?? 'http://localhost');
  const few = new ScratchDatabase(COUCHDB_URL ?? 'http://localhost');
  let version = '0';
  let compared = 0;
  beforeAll(async () => {
    for (const [scratch, docs] of /** @type {const} */ ([
      [database, DOCUMENTS],
      [few, FEW],
    ])) {
      expect((await scratch.ask('PUT', '?q=2')).status).toBe(201);
      expect((await scratch.ask('POST', '/_bulk_docs', { docs })).status).toBe(201);
    }
    const welcome = await fetch(database.origin);
    version = /** @type {{version: string}} */ (await welcome.json()).version;
  });
  afterAll(async () => {
    await database.drop();
    await few.drop();
  });

  /** @param {ScratchDatabase} scratch @param {ReducerRow} row @param {Record<string, string>} reduces */
  async function answers(scratch, row, reduces) {
    const views = Object.fromEntries(Object.entries(reduces).map(([name, reduce]) => [name, { map: row.map, reduce }]));
    const { id, status, answer } = await scratch.save({ views });
    expect([status, answer]).toEqual([201, expect.anything()]);
    return (/** @type {string} */ name, /** @type {string} */ query) =>
      scratch.ask('GET', `/${id}/_view/${name}${query}`);
  }

  const equal = REDUCERS.filter((row) => isOnly(row, 'equal') && canBeMet(row));
  test.each(equal.map((row) => /** @type {[string, ReducerRow]} */ ([row.name, row])))(
    'the built-in answers the same: %s',
    async (_, row) => {
      const builtin = String(allowed(row, 'builtin')?.[0]);
      if (NEWER.test(builtin) && Number.parseFloat(version) < 3.5) return;
      for (const scratch of [database, few]) {
        const ask = await answers(scratch, row, { custom: row.reduce, builtin });
        for (const query of QUERIES) {
          const [custom, native] = [await ask('custom', query), await ask('builtin', query)];
          expect([custom.status, native.status]).toEqual([200, 200]);
          expectSame(custom.answer.rows, native.answer.rows);
        }
      }
    },
  );

  const rewritten = REDUCERS.filter((row) => isOnly(row, 'equalAfterRewrite') && canBeMet(row));
  test.each(rewritten.map((row) => /** @type {[string, ReducerRow]} */ ([row.name, row])))(
    'the rewritten view answers the same: %s',
    async (_, row) => {
      const target = row.target ?? TARGET;
      const question = { reduce: { source: row.reduce }, map: { source: row.map }, target };
      const { builtin = '', rewrite } = await proveReduce(question, { sandbox: PLAIN_SANDBOX, seed: 20 });
      const map = rewrite?.emitted === undefined ? row.map : rewrite.changes && withChanges(row.map, rewrite.changes);
      if (!rewrite || map === undefined || (NEWER.test(builtin) && Number.parseFloat(version) < 3.5)) return;
      const { answer = 'value' } = rewrite;
      const read = (/** @type {unknown} */ value) => {
        const text = runInNewContext(`var value = JSON.parse(text); JSON.stringify(${answer})`, {
          text: JSON.stringify(value),
        });
        return JSON.parse(text ?? 'null');
      };
      const views = { custom: { map: row.map, reduce: row.reduce }, builtin: { map, reduce: builtin } };
      for (const scratch of [database, few]) {
        const { id, status } = await scratch.save({ views });
        expect(status).toBe(201);
        for (const query of QUERIES) {
          const [custom, native] = [
            await scratch.ask('GET', `/${id}/_view/custom${query}`),
            await scratch.ask('GET', `/${id}/_view/builtin${query}`),
          ];
          expect([custom.status, native.status]).toEqual([200, 200]);
          const answers = native.answer.rows.map((/** @type {{value: unknown}} */ item) => ({
            ...item,
            value: read(item.value),
          }));
          expectSame(custom.answer.rows, answers);
        }
      }
      compared += 1;
    },
  );

  test('several rewritten views were compared', () => expect(compared).toBeGreaterThan(6));

  const wrong = REDUCERS.filter((row) => isOnly(row, 'wrong'));
  test.each(wrong.map((row) => /** @type {[string, ReducerRow]} */ ([row.name, row])))(
    'the answer is wrong: %s',
    async (_, row) => {
      /** @type {unknown[]} */
      const seen = [];
      for (const [scratch, docs] of /** @type {const} */ ([
        [database, DOCUMENTS],
        [few, FEW],
      ])) {
        const ask = await answers(scratch, row, { custom: row.reduce });
        for (const [query, groups] of groupings(emittedRows(row.map, docs))) {
          const { status, answer } = await ask('custom', query);
          expect(status).toBe(200);
          const inOneGo = await PLAIN_SANDBOX.reduce({ source: row.reduce, trees: groups.map((rows) => ({ rows })) });
          expect(answer.rows.length).toBe(groups.length);
          for (const [at, own] of inOneGo.entries()) {
            const value = 'value' in own ? own.value : undefined;
            if (!isSameValue(answer.rows[at].value, value)) return;
            seen.push(value);
          }
        }
      }
      expect(seen, 'every answer was as in one go').toEqual([]);
    },
  );

  test('a reduce that throws answers null', async () => {
    const row = { map: 'function (doc) { emit(doc._id, 1); }', reduce: "function () { throw new Error('no'); }" };
    const ask = await answers(few, /** @type {ReducerRow} */ (row), { custom: row.reduce });
    expect((await ask('custom', '')).answer.rows).toEqual([{ key: null, value: null }]);
  });

  test('a query reduces values in reverse order of their keys', async () => {
    const ask = await answers(few, /** @type {any} */ ({ map: 'function (doc) { emit(doc._id, doc._id); }' }), {
      custom: "function (keys, values) { return values.join(' '); }",
    });
    const shards = (await ask('custom', '')).answer.rows[0].value.split(' ');
    const sorted = FEW.map(({ _id }) => String(_id)).sort();
    expect([...shards].sort()).toEqual(sorted);
    expect(shards).not.toEqual(sorted);
  });
});

test('the table knows what the versions before 3.5 have', () => {
  expect(NEWER.test(TARGET)).toBe(false);
  const older = REDUCERS.filter(({ target = TARGET }) => Number.parseFloat(target) < 3.5);
  for (const row of older) {
    if (isOnly(row, 'equal')) expect(allowed(row, 'builtin')?.some((name) => !NEWER.test(String(name)))).toBe(true);
  }
});
