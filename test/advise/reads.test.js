// What a query is estimated to read, against what CouchDB reads of the same documents (rows-read.js, which live tests compare with servers).

import { describe, expect, test } from 'vitest';
import { OPEN, selectorOf } from '../../lib/advise/find.js';
import { canUse } from '../../lib/advise/index-for.js';
import { bindingsOf } from '../../lib/advise/parameter-bindings.js';
import { readsOf } from '../../lib/advise/reads.js';
import { Sample } from '../../lib/advise/sample.js';
import { chooseIndex } from '../../lib/facts/mango/planner.js';
import { createRandom, shuffle } from '../helpers/internals.js';
import fc from '../helpers/property.js';
import { countReads } from '../helpers/rows-read.js';

/** @import { Clause, Find } from '../../lib/advise/find.js' */
/** @import { ServingIndex } from '../../lib/advise/reads.js' */

const VERSION = '3.5.0';
const FIELDS = ['a', 'b', 'c', 'n.x', '_id'];
const RANGES = new Set(['gt', 'gte', 'lt', 'lte', 'beginsWith']);

/** @param {Partial<Find>} parts @returns {Find} */
function findWith(parts) {
  const none = { clauses: [], isWhole: true, sort: [], fields: undefined, hint: undefined };
  return { ...none, instead: undefined, limit: 1000, skip: 0, examples: [], ...parts };
}

const value = fc.oneof(fc.integer({ min: 0, max: 6 }), fc.constantFrom('a', 'ab', 'b', null, true, false));
const document = fc
  .record({ a: value, b: value, c: value, x: value }, { requiredKeys: [] })
  .map((/** @type {Record<string, unknown>} */ { x, ...fields }) =>
    x === undefined ? fields : { ...fields, n: { x } },
  );
const documents = fc
  .array(document, { minLength: 1, maxLength: 40 })
  .map((/** @type {object[]} */ list) =>
    list.map((fields, at) => ({ _id: `d${String(at).padStart(2, '0')}`, ...fields })),
  );
const plainField = fc.constantFrom(...FIELDS.slice(0, 4));
/** @type {import('fast-check').Arbitrary<Clause>} */
const clause = fc.oneof(
  fc.record({
    field: plainField,
    operator: fc.constantFrom('eq', 'eq', 'ne', 'gt', 'gte', 'lt', 'lte'),
    operand: value,
  }),
  fc.record({ field: plainField, operator: fc.constantFrom('in', 'nin'), operand: fc.array(value, { maxLength: 3 }) }),
  fc.record({ field: plainField, operator: fc.constant('exists'), operand: fc.boolean() }),
  fc.record({ field: plainField, operator: fc.constant('beginsWith'), operand: fc.constantFrom('a', 'b') }),
  fc.record({
    field: fc.constant('_id'),
    operator: fc.constantFrom('gte', 'lt', 'eq'),
    operand: fc.constantFrom('d03', 'd17', 'd9'),
  }),
);
const between = fc
  .record({ field: plainField, low: fc.integer({ min: 0, max: 3 }), high: fc.integer({ min: 4, max: 6 }) })
  .map((/** @type {{field: string, low: number, high: number}} */ { field, low, high }) => [
    { field, operator: 'gte', operand: low },
    { field, operator: 'lt', operand: high },
  ]);
/** One condition or one range for each field: of conditions that exclude each other CouchDB reads something else. */
const clauses = fc
  .uniqueArray(fc.oneof({ weight: 5, arbitrary: clause.map((/** @type {Clause} */ one) => [one]) }, between), {
    minLength: 1,
    maxLength: 4,
    selector: (/** @type {Clause[]} */ [one]) => one?.field,
  })
  .map((/** @type {Clause[][]} */ lists) => lists.flat());
const columns = fc.uniqueArray(plainField, { minLength: 1, maxLength: 3 });
const filter = fc.record({ a: fc.integer({ min: 0, max: 3 }) });
/** @type {import('fast-check').Arbitrary<ServingIndex>} */
const index = fc.record({ columns, filter }, { requiredKeys: ['columns'] });

/**
 * @param {Find} find
 * @param {ServingIndex | undefined} serving
 * @returns {{query: import('../../lib/facts/mango/planner.js').MangoQuery, choice: import('../../lib/facts/mango/planner.js').IndexChoice} | undefined}
 *   undefined where CouchDB does not read by it
 */
function choiceFor({ clauses: list, fields, limit, skip }, serving) {
  const query = {
    selector: selectorOf(list),
    limit,
    skip,
    ...(fields ? { fields } : {}),
    ...(serving ? { useIndex: ['i', 'i'] } : {}),
  };
  const def = serving && {
    fields: serving.columns.map((column) => ({ [column]: 'asc' })),
    ...(serving.filter ? { partial_filter_selector: serving.filter } : {}),
  };
  const choice = chooseIndex(query, def ? [{ ddoc: '_design/i', name: 'i', type: 'json', def }] : [], VERSION);
  if (!('index' in choice) || (choice.index.type === 'json') !== (serving !== undefined)) return undefined;
  return { query, choice };
}

/**
 * @param {Clause[]} list
 * @param {string[]} names columns
 * @returns {boolean} whether a column behind a range has one too: the server starts and ends between the rows of the first one's bounds
 */
function isRangeBehindRange(list, names) {
  const has = (/** @type {string} */ name) =>
    list.some(({ field, operator }) => field === name && (operator === 'eq' || RANGES.has(operator)));
  const first = names.findIndex((name) => !list.some(({ field, operator }) => field === name && operator === 'eq'));
  return first !== -1 && names.slice(first + 1).some(has);
}

describe('with all documents and all values known, an estimate is what CouchDB reads', () => {
  test.each([
    ['by an index', index, 400],
    ['without one', fc.constant(undefined), 2000],
  ])('%s', (_, indexes, numRuns) => {
    // What CouchDB does not read this way is drawn anew, so that each run compares.
    fc.assert(
      fc.property(
        documents,
        clauses,
        indexes,
        fc.option(fc.subarray(FIELDS, { minLength: 1 }), { nil: undefined }),
        fc.nat(3),
        (
          /** @type {any[]} */ all,
          /** @type {Clause[]} */ list,
          /** @type {ServingIndex | undefined} */ serving,
          /** @type {string[] | undefined} */ fields,
          /** @type {number} */ skip,
        ) => {
          const find = findWith({ clauses: list, fields, skip });
          const made = choiceFor(find, serving);
          if (!made) return fc.pre(false);
          const exact = countReads(made.query, made.choice, all);
          if ('unknown' in exact) return fc.pre(false);
          const sample = new Sample(all, all.length);
          const bindings = bindingsOf(find, sample);
          if (serving) expect(canUse(find, bindings, serving, VERSION)).toBe(true);
          const reads = readsOf(find, bindings, serving, { sample, version: VERSION });
          expect(reads?.results).toBe(exact.ids.length);
          if (isRangeBehindRange(list, serving?.columns ?? ['_id'])) {
            expect(reads?.rows).toBeGreaterThanOrEqual(exact.keysExamined);
          } else {
            expect(reads?.rows).toBe(exact.keysExamined);
            expect(reads?.documents).toBe(exact.docsExamined);
          }
        },
      ),
      { numRuns },
    );
  });
});

describe('a limit', () => {
  test('ends reading one result behind it, as CouchDB does, where the results lie evenly', () => {
    const all = Array.from({ length: 1000 }, (_, at) => ({
      _id: `d${String(at).padStart(4, '0')}`,
      a: at % 10,
      b: at % 7,
    }));
    const sample = new Sample(all, all.length);
    for (const [limit, skip, serving] of /** @type {[number, number, ServingIndex | undefined][]} */ ([
      [5, 0, undefined],
      [5, 20, undefined],
      [3, 0, { columns: ['b'] }],
      [3, 9, { columns: ['b'] }],
      [30, 0, undefined],
      [100, 0, undefined],
    ])) {
      const find = findWith({
        clauses: [
          { field: 'a', operator: 'eq', operand: 3 },
          { field: 'b', operator: 'gte', operand: 0 },
        ],
        limit,
        skip,
      });
      const made = choiceFor(find, serving);
      const exact = made && countReads(made.query, made.choice, all);
      if (!exact || 'unknown' in exact) throw new Error('it can be counted');
      const reads = readsOf(find, bindingsOf(find, sample), serving, { sample, version: VERSION });
      expect(reads?.results).toBe(exact.ids.length);
      expect(Number(reads?.rows) / exact.keysExamined).toBeGreaterThan(0.8);
      expect(Number(reads?.rows) / exact.keysExamined).toBeLessThan(1.7);
    }
  });

  test('ends nothing where a part of the conditions is unknown', () => {
    const all = Array.from({ length: 100 }, (_, at) => ({ _id: `d${at}`, a: 1 }));
    const sample = new Sample(all, 100);
    const find = findWith({ clauses: [{ field: 'a', operator: 'eq', operand: 1 }], isWhole: false, limit: 5 });
    expect(readsOf(find, bindingsOf(find, sample), undefined, { sample, version: VERSION })?.rows).toBe(100);
  });
});

describe('an index that holds all fields', () => {
  const all = Array.from({ length: 100 }, (_, at) => ({ _id: `d${at}`, a: at % 4, b: at }));
  const sample = new Sample(all, 100);
  const find = findWith({ clauses: [{ field: 'a', operator: 'eq', operand: 1 }], fields: ['a', 'b'] });

  test.each([
    ['3.3.3', ['a', 'b'], 25],
    ['3.4.0', ['a', 'b'], 0],
    ['3.5.0', ['a', 'b'], 0],
    ['3.5.0', ['a'], 25],
  ])('on %s with columns %j reads %i documents', (version, names, read) => {
    const wide = findWith({ ...find, clauses: [...find.clauses, { field: 'b', operator: 'gte', operand: 0 }] });
    const reads = readsOf(wide, bindingsOf(wide, sample), { columns: names }, { sample, version });
    expect(reads).toMatchObject({ rows: 25, documents: read, results: 25 });
  });
});

describe('an estimate from a sample', () => {
  const TOTAL = 5000;
  const SAMPLED = 250;
  const SAMPLES = 600;
  /** Standard errors by which a mean over the samples may differ. */
  const TOLERANCE = 4;

  /** Few customers have many orders: the values are far from evenly spread. */
  const population = Array.from({ length: TOTAL }, (_, at) => ({
    _id: `d${String(at).padStart(5, '0')}`,
    customer: Math.floor((400 * ((at * 7919) % TOTAL) ** 2) / TOTAL ** 2),
    state: (at * 31) % 5,
  }));
  /** A query for the customer of an order: on average it reads as many rows as the customers of random orders have. */
  const perOrder = meanOfOwn(({ customer }) => String(customer));
  const perBoth = meanOfOwn(({ customer, state }) => `${customer} ${state}`);

  /** @param {(one: typeof population[number]) => string} keyOf @returns {number} documents with the key of a random document */
  function meanOfOwn(keyOf) {
    /** @type {Map<string, number>} */
    const counts = new Map();
    for (const one of population) counts.set(keyOf(one), (counts.get(keyOf(one)) ?? 0) + 1);
    return population.reduce((sum, one) => sum + (counts.get(keyOf(one)) ?? 0), 0) / TOTAL;
  }

  test.each([
    ['rows of one column', ['customer'], perOrder],
    ['rows of two columns', ['customer', 'state'], perBoth],
  ])('is right on average: %s', (_, names, truth) => {
    const random = createRandom('samples');
    const find = findWith({ clauses: [open('customer'), open('state')], limit: 10_000 });
    const estimates = Array.from({ length: SAMPLES }, () => {
      const sample = new Sample(shuffle(random, population).slice(0, SAMPLED), TOTAL);
      return readsOf(find, bindingsOf(find, sample), { columns: names }, { sample, version: VERSION })?.rows ?? 0;
    });
    const mean = estimates.reduce((sum, one) => sum + one, 0) / SAMPLES;
    const variance = estimates.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (SAMPLES - 1);
    expect(Math.abs(mean - truth)).toBeLessThan(TOLERANCE * Math.sqrt(variance / SAMPLES));
    // The test would see a bias of a quarter.
    expect(TOLERANCE * Math.sqrt(variance / SAMPLES)).toBeLessThan(truth / 4);
  });

  test('of a value that one document has finds that document, and no others', () => {
    const all = Array.from({ length: 100 }, (_, at) => ({ _id: `d${at}`, email: `${at}@shop.example` }));
    const sample = new Sample(all, 1_000_000);
    const find = findWith({ clauses: [open('email')], limit: 25 });
    const reads = readsOf(find, bindingsOf(find, sample), { columns: ['email'] }, { sample, version: VERSION });
    expect(reads).toMatchObject({ rows: 1, documents: 1, results: 1, basis: 'estimated' });
  });

  /** @param {string} field @returns {Clause} */
  function open(field) {
    return { field, operator: 'eq', operand: OPEN };
  }
});
