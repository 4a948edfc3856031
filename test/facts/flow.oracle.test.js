// What the facts say of a function, held against what the function does: random functions are run with random documents.

import { compileFunction } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { factsOf, UNKNOWN } from '../helpers/facts-of.js';
import { turns } from '../helpers/long.js';
import { FunctionWriter, randomDocument, randomOf } from '../helpers/random-functions.js';

/** @import { ShortFact } from '../helpers/facts-of.js' */

/** Raise it to search on. */
const FUNCTION_COUNT = Number(process.env['COUCH_ADVISOR_ORACLE_RUNS'] ?? turns({ short: 30, long: 250 }));
const DOCUMENTS_EACH = 30;

/** Steps after which a function that is run counts as endless. */
const MAX_TICKS = 3000;

/** @typedef {{key: unknown, value: unknown, document: Record<string, unknown>}} Row `value` as JSON has it */

class Endless extends Error {}

/**
 * @template T
 * @param {T} value
 * @returns {T} frozen, as CouchDB hands documents to views
 */
function freeze(value) {
  if (value !== null && typeof value === 'object') for (const member of Object.values(value)) freeze(member);
  return Object.freeze(value);
}

/**
 * @param {string} source
 * @param {unknown[]} values what it is called with
 * @param {(key: unknown, value: unknown) => void} [emit]
 * @returns {{result?: unknown, error?: unknown}}
 */
function run(source, values, emit = () => {}) {
  let ticks = 0;
  const tick = () => {
    ticks += 1;
    if (ticks > MAX_TICKS) throw new Endless();
  };
  const code = `return (${source.replaceAll('/*tick*/', 'tick();')});`;
  try {
    const fn = compileFunction(code, ['tick', 'emit', 'isArray'])(tick, emit, Array.isArray);
    return { result: fn(...values) };
  } catch (error) {
    return { error };
  }
}

/**
 * @param {string} source of a map
 * @param {Record<string, unknown>[]} documents
 * @returns {Row[]}
 */
function rowsOf(source, documents) {
  /** @type {Row[]} */
  const rows = [];
  for (const document of documents) {
    run(source, [document], (key, value) => {
      rows.push({ key, value: JSON.parse(JSON.stringify(value ?? null) ?? 'null'), document });
      if (rows.length > MAX_TICKS) throw new Endless();
    });
  }
  return rows;
}

/** @param {number} seed @returns {Record<string, unknown>[]} */
function documentsFor(seed) {
  const random = randomOf(seed + 1);
  const documents = Array.from({ length: DOCUMENTS_EACH }, () => randomDocument(random));
  return [...documents, { _id: 'order:2', _rev: '1-a' }].map(freeze);
}

/** @param {unknown} value @returns {boolean} whether all in it is numbers */
function isNumeric(value) {
  if (typeof value === 'number') return true;
  return value !== null && typeof value === 'object' && Object.values(value).every(isNumeric);
}

/** What each type of an emitted value promises. @type {Record<string, (value: unknown) => boolean>} */
const PROMISES = {
  number: (value) => typeof value === 'number',
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  array: (value) => Array.isArray(value) && isNumeric(value),
  object: (value) => value !== null && !Array.isArray(value) && isNumeric(value),
};

/** Statements about maps that can be wrong. @type {Record<string, (fact: ShortFact, rows: Row[]) => boolean>} */
const MAP_FACTS = {
  neverEmits: (fact, rows) => fact !== true || rows.length === 0,
  emitsWholeDoc: (fact, rows) =>
    fact !== false ||
    // A document of two members is no copy worth the name: an object may have them by chance.
    rows.every(({ value, document }) => Object.keys(document).length < 4 || !holdsAll(value, document)),
  valueType: (fact, rows) => rows.every(({ value }) => PROMISES[String(fact)]?.(value) ?? true),
};

/** @param {unknown} value @param {Record<string, unknown>} document @returns {boolean} */
function holdsAll(value, document) {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return false;
  return Object.keys(document).every((key) => key in value);
}

const seeds = Array.from({ length: FUNCTION_COUNT }, (_, index) => index + 1);

describe('functions that were run', () => {
  test('emit nothing that the facts of the map deny', () => {
    for (const seed of seeds) {
      const source = new FunctionWriter(randomOf(seed)).map();
      const rows = rowsOf(source, documentsFor(seed));
      const facts = factsOf({ views: { orders: { map: source } } }, 'view', Object.keys(MAP_FACTS));
      for (const [name, holds] of Object.entries(MAP_FACTS)) {
        const fact = facts[name];
        if (fact === undefined || fact === UNKNOWN) continue;
        expect(holds(fact, rows), `seed ${seed}: ${name} is ${fact} of\n${source}`).toBe(true);
      }
    }
  });

  test('never let a deletion through where the facts of the filter say so', () => {
    const deletion = { _id: 'order:1', _rev: '2-a', _deleted: true };
    let count = 0;
    for (const seed of seeds) {
      const source = new FunctionWriter(randomOf(seed)).filter();
      const { rejectsTombstones } = factsOf({ filters: { all: source } }, 'filter', ['rejectsTombstones']);
      if (rejectsTombstones !== true) continue;
      count += 1;
      const { result } = run(source, [deletion, { query: {} }]);
      expect(Boolean(result), `seed ${seed}\n${source}`).toBe(false);
    }
    expect(count).toBeGreaterThan(0);
  });

  test('reject nothing where the facts of the validation deny it, and deletions where they say so', () => {
    const users = [[], ['_admin']].map((roles) => ({ name: 'clerk', roles }));
    const deletion = { _id: 'order:1', _rev: '2-a', _deleted: true };
    const counts = { cannotReject: 0, refusesDeletes: 0, alwaysFails: 0 };
    for (const seed of seeds) {
      const source = new FunctionWriter(randomOf(seed)).validation();
      const documents = documentsFor(seed);
      const facts = factsOf({ validate_doc_update: source }, 'validate', [
        'canReject',
        'refusesDeletes',
        'alwaysFails',
      ]);
      /** @param {Record<string, unknown>} document @returns {unknown[]} what is thrown at writes of it */
      const thrownAt = (document) =>
        users.flatMap((user) =>
          [null, ...documents.slice(0, 5)].flatMap((old) => run(source, [document, old, user, {}]).error ?? []),
        );
      /** What JavaScript throws by itself is no rejection. @param {unknown} error */
      const isMeant = (error) => !(error instanceof Error);
      if (facts['canReject'] === false) {
        counts.cannotReject += 1;
        expect(documents.flatMap(thrownAt).filter(isMeant), `seed ${seed}: canReject is false of\n${source}`).toEqual(
          [],
        );
      }
      if (facts['alwaysFails'] === true) {
        counts.alwaysFails += 1;
        for (const document of documents) {
          const thrown = thrownAt(document);
          expect(thrown.length, `seed ${seed}: alwaysFails is true of\n${source}`).toBe(12);
          expect(thrown.filter(isMeant)).toEqual([]);
        }
      }
      if (facts['refusesDeletes'] === true) {
        counts.refusesDeletes += 1;
        expect(thrownAt(deletion), `seed ${seed}: refusesDeletes is true of\n${source}`).not.toEqual([]);
      }
    }
    expect(Math.min(...Object.values(counts))).toBeGreaterThan(0);
  });
});
