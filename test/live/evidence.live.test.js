// What running functions on documents says is what a real CouchDB does with them: which documents throw, what is emitted, which values a built-in
// refuses, what filters let through and what validation functions answer.

import { afterAll, describe, expect, test } from 'vitest';
import { runFunction } from '../../lib/proof/evidence/run-function.js';
import { COUCHDB_URL, ScratchDatabase } from '../helpers/couchdb.js';
import { openSandbox } from '../helpers/internals.js';
import { randomOf } from '../helpers/random-functions.js';
import { GuardedMapWriter, guardedDocument } from '../helpers/random-guarded-maps.js';

/** @import { FunctionQuestion } from '../../lib/proof/evidence/run-function.js' */

const SETS = 25;
const DOCUMENTS = 14;
const RANDOM_MAPS = 6;

/** Each throws on some documents of a set, and emits for others. */
const MAPS = [
  'function (doc) { emit(doc.o.n.toFixed(1), 1); }',
  'function (doc) {\n  emit("first", 1);\n  doc.items.forEach(function (item) { emit(item.t.toUpperCase(), item.n); });\n}',
  'function (doc) { for (var i = 0; i < doc.v.length; i++) emit([doc.k, doc.v[i]], doc.n); }',
  'function (doc) { if (doc.k === "north") emit(doc.s.split("/")[1].length, null); }',
  'function (doc) { var o = doc.o || {}; emit(Math.max(o.n, o.q), { s: doc.s }); }',
  'function (doc) { if (doc.n > 2) throw { forbidden: "no" }; emit(doc.n); }',
  'function (doc) { doc.v.push(1); emit(doc.v.length); }',
];
const BUILTINS = ['_sum', '_stats'];
const FILTERS = [
  'function (doc, req) { if (doc.views || doc.filters) return false; return doc.o.n.toFixed(0) > 1; }',
  'function (doc, req) { if (doc.views || doc.filters) return false; return doc.n > 1 && doc.k === "north"; }',
];
const VALIDATE =
  'function (doc, old, user, sec) { if (doc.n > 2) throw { forbidden: "n" }; if (doc.k.length > 9) throw { unauthorized: "k" }; if (doc.s === "") throw "s"; if (doc.o.n.toFixed(0) > 1) return false; }';

const [version] = COUCHDB_URL ? [await versionOf(COUCHDB_URL)] : ['3.5.0'];
const sandbox = openSandbox();
let pairs = 0;
afterAll(async () => {
  await sandbox.close();
  if (COUCHDB_URL) console.log(`${pairs} pairs of a view and a set of documents on CouchDB ${version}`);
});

/** @param {string} url @returns {Promise<string>} */
async function versionOf(url) {
  const { origin } = new URL(url);
  const { version: told } = /** @type {{version: string}} */ (await (await fetch(origin)).json());
  return told;
}

/** @param {Partial<FunctionQuestion> & {source: string}} question @param {Record<string, unknown>[]} docs */
function run(question, docs) {
  return runFunction(
    { role: 'map', designDoc: {}, builtin: undefined, target: version ?? '3.5.0', ...question },
    docs,
    sandbox,
  );
}

/** @param {number} set @returns {Record<string, unknown>[]} */
function documentsOf(set) {
  const random = randomOf(1000 + set);
  return Array.from({ length: DOCUMENTS }, (_, at) => {
    const { _rev, ...doc } = guardedDocument(random);
    return JSON.parse(JSON.stringify({ ...doc, _id: `order-${at}` }));
  });
}

/** A view that emits for each document on which a map throws. @param {string} map */
function catching(map) {
  return `function (doc) { var isThrown = false; try { (${map})(doc); } catch (e) { isThrown = true; } if (isThrown) emit(["threw"], null); }`;
}

describe.skipIf(!COUCHDB_URL)('documents that are given, beside a real CouchDB', () => {
  test.each(Array.from({ length: SETS }, (_, set) => set))(
    'documents throw, emit and count as the sandbox says: set %i',
    async (set) => {
      const docs = documentsOf(set);
      const writer = new GuardedMapWriter(randomOf(5000 + set));
      const random = Array.from({ length: RANDOM_MAPS }, () => writer.map().replaceAll('/*tick*/', ''));
      const database = new ScratchDatabase(COUCHDB_URL ?? '');
      await database.ask('PUT', '?q=1');
      try {
        const maps = [...MAPS];
        for (const map of random) {
          // SpiderMonkey does not know all that they are written with; and one that does not end fails the whole document.
          const { status } = await database.save({ views: { map: { map } } });
          const once = await run({ source: map }, docs);
          // Both views of a map run in one process: what one leaves in globals, the other sees.
          const twice = await run({ source: map }, [...docs, ...docs]);
          const isAlone =
            twice.throwing === 2 * once.throwing && twice.rows?.rows === 2 * (once.rows?.rows ?? Number.NaN);
          if (status === 201 && once.cutOff === undefined && isAlone) maps.push(map);
        }
        await database.ask('POST', '/_bulk_docs', { docs });
        const views = Object.fromEntries(
          maps.flatMap((map, at) => [
            [`plain${at}`, { map }],
            [`caught${at}`, { map: catching(map) }],
          ]),
        );
        const { id, status } = await database.save({ views });
        expect(status).toBe(201);
        for (const [at, source] of maps.entries()) {
          const plain = await database.ask('GET', `/${id}/_view/plain${at}`);
          const caught = await database.ask('GET', `/${id}/_view/caught${at}`);
          expect([plain.status, caught.status], `${source} ${JSON.stringify(caught.answer)}`).toEqual([200, 200]);
          const thrown = caught.answer.rows.filter(
            (/** @type {{key: unknown}} */ { key }) => JSON.stringify(key) === '["threw"]',
          );
          const evidence = await run({ source }, docs);
          const told = { threw: evidence.throwing, rows: evidence.rows?.rows, emitting: evidence.rows?.emitting };
          const emitting = new Set(plain.answer.rows.map((/** @type {{id: string}} */ row) => row.id)).size;
          pairs += 1;
          expect(told, source).toEqual({ threw: thrown.length, rows: plain.answer.rows.length, emitting });
        }
        for (const builtin of BUILTINS) {
          const source = 'function (doc) { emit(doc.k, doc.n); }';
          const saved = await database.save({ views: { totals: { map: source, reduce: builtin } } });
          const { status: answered, answer } = await database.ask('GET', `/${saved.id}/_view/totals`);
          const isRefused = answered !== 200 || answer.rows[0]?.value?.error !== undefined;
          const { rows } = await run({ source, builtin }, docs);
          expect(rows?.refused !== undefined, `${builtin} ${JSON.stringify(answer)}`).toBe(isRefused);
        }
        for (const source of FILTERS) {
          const saved = await database.save({ filters: { some: source } });
          const url = `/_changes?filter=${saved.id.replace('_design/', '')}/some`;
          const answered = await database.ask('GET', url).catch(() => ({ status: 500, answer: { results: [] } }));
          const evidence = await run({ role: 'filter', source }, docs);
          // Design documents pass through filters, too.
          const own = (answered.answer.results ?? []).filter(
            (/** @type {{id: string}} */ row) => !row.id.startsWith('_'),
          );
          if (evidence.throwing > 0) expect(answered.status, source).toBe(500);
          else expect(own, source).toHaveLength(evidence.passing ?? 0);
        }
        await database.save({ validate_doc_update: VALIDATE });
        const statuses = [];
        for (const doc of docs)
          statuses.push((await database.ask('PUT', `/new-${doc['_id']}`, { ...doc, _id: undefined })).status);
        const { throwing, passing } = await run({ role: 'validate', source: VALIDATE }, docs);
        expect({ throwing, passing }).toEqual({
          throwing: statuses.filter((one) => one === 500).length,
          passing: statuses.filter((one) => one === 201).length,
        });
      } finally {
        await database.drop();
      }
    },
    120_000,
  );
});
