// What holds for every plan: no step costs more than it saves, and none can be left out without loss.

import { describe, expect, test } from 'vitest';
import { databasesOf } from '../../lib/advise/databases.js';
import { chooseProposals, makePlan } from '../../lib/advise/make-plan.js';
import { mangoCandidates } from '../../lib/advise/mango-candidates.js';
import { proposeIndex } from '../../lib/advise/proposal.js';
import { Sample } from '../../lib/advise/sample.js';
import { shopOrders } from '../helpers/find-traffic.js';
import fc from '../helpers/property.js';

/** @import { Clause } from '../../lib/advise/find.js' */
/** @import { Proposal } from '../../lib/advise/proposal.js' */
/** @import { Statement, Workload } from '../../lib/advise/workload.js' */

const VERSION = '3.5.0';
const sample = new Sample(shopOrders(400), 4000);

const equality = fc.oneof(
  fc.nat(199).map((/** @type {number} */ at) => eq('customer', `customer-${at}`)),
  fc.constantFrom('new', 'paid', 'sent').map((/** @type {string} */ state) => eq('status', state)),
  fc.constantFrom('order', 'customer').map((/** @type {string} */ type) => eq('type', type)),
  fc.nat(499).map((/** @type {number} */ total) => eq('total', total)),
);
const range = fc
  .record({
    operator: fc.constantFrom('gte', 'lt'),
    operand: fc.constantFrom('2025-08-01', '2026-01-01', '2026-02-25'),
  })
  .map((/** @type {Omit<Clause, 'field'>} */ one) => ({ field: 'date', ...one }));
const statement = fc.record({
  clauses: fc.uniqueArray(fc.oneof({ weight: 3, arbitrary: equality }, range), {
    minLength: 1,
    maxLength: 3,
    selector: (/** @type {Clause} */ { field }) => field,
  }),
  perDay: fc.integer({ min: 1, max: 3000 }),
  msEach: fc.integer({ min: 6, max: 400 }),
  limit: fc.constantFrom(1, 25, 1000),
});
const workloads = fc.record({
  queries: fc.array(statement, { minLength: 1, maxLength: 7 }),
  writes: fc.integer({ min: 0, max: 30_000 }),
  maxIndexes: fc.option(fc.nat(3), { nil: null }),
});

/** @param {string} field @param {unknown} operand @returns {Clause} */
function eq(field, operand) {
  return { field, operator: 'eq', operand };
}

/** @param {any} about @returns {Workload} */
function workloadOf({ queries, writes }) {
  const log = { from: null, to: null, requests: 1, hasTimes: true };
  const statements = queries.map((/** @type {any} */ { clauses, perDay, msEach, limit }, /** @type {number} */ at) => ({
    query: { id: `q${at}`, name: `q${at}`, database: 'shop', kind: 'find', source: 'logs', places: [], perDay, msEach },
    subject: { record: {} },
    find: { clauses, isWhole: true, sort: [], fields: undefined, hint: undefined, limit, skip: 0, examples: [] },
    call: undefined,
    unknown: undefined,
  }));
  return /** @type {any} */ ({
    log,
    minutes: 1440,
    msPerDay: 1e7,
    statements,
    writes: new Map([['shop', { requests: writes, documents: writes, isLeast: false }]]),
    notes: [],
  });
}

/** @param {any} about */
function planOf(about) {
  const workload = workloadOf(about);
  const setOf = databasesOf(/** @type {any} */ ({ subjects: [] }), []);
  const known = { sampleOf: () => sample, setOf, version: VERSION };
  const { candidates } = mangoCandidates(/** @type {Statement[]} */ (workload.statements), known);
  const proposals = candidates.map((one) => proposeIndex(one, workload, { setOf, inFiles: [] }));
  const costs = new Map();
  const budget = { diskBytes: null, maxIndexes: about.maxIndexes, writeShare: null, freeBytes: null };
  const plan = makePlan({
    choice: chooseProposals(proposals, { costs, budget, workload }),
    tool: '1.0.0',
    target: VERSION,
    workload,
    logs: [],
    proposals,
    costs,
    budget,
    documents: { files: [], sampled: sample.size, total: sample.total },
    sampleOf: () => sample,
    indexesOf: () => [],
    documentOf: () => undefined,
    keysOf: () => [],
    notes: [],
  });
  const byTitle = new Map(proposals.map((one) => [one.title, one]));
  return { plan, chosen: plan.steps.map(({ title }) => /** @type {Proposal} */ (byTitle.get(title))), proposals };
}

/** @param {Proposal[]} proposals @returns {number} milliseconds a day that they save together: of each query the best, less all writing */
function worthOf(proposals) {
  /** @type {Map<string, number>} */
  const best = new Map();
  for (const { serves } of proposals) {
    for (const { statement: one, saved } of serves) {
      best.set(one.query.id, Math.max(best.get(one.query.id) ?? 0, saved ?? 0));
    }
  }
  const saved = [...best.values()].reduce((sum, one) => sum + one, 0);
  return proposals.reduce((sum, { writeMsPerDay }) => sum - writeMsPerDay, saved);
}

describe('of random workloads', () => {
  test('each step saves more than it costs, all are needed, and none is missing', () => {
    let steps = 0;
    let empty = 0;
    fc.assert(
      fc.property(workloads, (/** @type {any} */ about) => {
        const { plan, chosen, proposals } = planOf(about);
        steps += chosen.length;
        empty += chosen.length === 0 ? 1 : 0;
        const worth = worthOf(chosen);
        for (const [at, step] of plan.steps.entries()) {
          expect(step.savedMsPerDay).toBeGreaterThan(Number(step.cost.writeMsPerDay));
          const others = chosen.filter((_, other) => other !== at);
          expect(worthOf(others)).toBeLessThan(worth + 1e-6);
          if (others.length < chosen.length && step.cost.writeMsPerDay !== 0)
            expect(worthOf(others)).toBeLessThan(worth);
        }
        if (about.maxIndexes === null || chosen.length < about.maxIndexes) {
          for (const one of proposals) expect(worthOf([...chosen, one])).toBeLessThanOrEqual(worth + 1e-6);
        }
        if (about.maxIndexes !== null) expect(chosen.length).toBeLessThanOrEqual(about.maxIndexes);
      }),
      { numRuns: 200 },
    );
    // Of 25 workloads there are about 20.
    expect(steps).toBeGreaterThan(0);
    expect(empty).toBeGreaterThan(0);
  });

  test('the figures add up, and each query is in one step', () => {
    fc.assert(
      fc.property(workloads, (/** @type {any} */ about) => {
        const { plan, chosen } = planOf(about);
        const { savedMsPerDay, writeMsPerDay } = plan.total;
        expect(Number(savedMsPerDay) - Number(writeMsPerDay)).toBeCloseTo(worthOf(chosen), 3);
        const used = plan.steps.flatMap(({ queries }) => queries.map(({ query }) => query));
        expect(new Set(used).size).toBe(used.length);
        expect(plan.queries.map(({ id }) => id).toSorted()).toEqual(used.toSorted());
        for (const { queries } of plan.steps) {
          for (const { msBefore, msAfter, before, after } of queries) {
            expect(Number(msAfter)).toBeLessThan(Number(msBefore));
            expect(after?.results).toBe(before?.results);
          }
        }
      }),
      { numRuns: 100 },
    );
  });
});
