// A small plan for tests: an index for the shop's orders, and what tests change of it.

/** @import { Plan, PlanStep, StepQuery } from '../../../lib/advise/plan.js' */
/** @import { ArmRequest } from '../../../lib/measure/experiments/experiment.js' */

/** @param {Record<string, unknown>} body @returns {ArmRequest} */
export const find = (body) => ({ method: 'POST', path: '_find', body });

/** @param {string} view `orders/by_status` @param {Record<string, unknown>} [query] @returns {ArmRequest} */
export function viewRequest(view, query = {}) {
  return { method: 'GET', path: `_design/${view.replace('/', '/_view/')}`, query };
}

/**
 * @param {Partial<StepQuery>} [changes]
 * @returns {StepQuery} of `q1`, with the same request before and after
 */
export function stepQuery(changes = {}) {
  const request = find({ selector: { status: 'open' } });
  return {
    query: 'q1',
    before: null,
    after: null,
    msBefore: 30,
    msAfter: 3,
    servedBy: {},
    requests: { before: [request], after: [request] },
    mustChange: [],
    ...changes,
  };
}

/**
 * @param {Partial<PlanStep>} [changes]
 * @returns {PlanStep}
 */
export function planStep(changes = {}) {
  return {
    number: 1,
    change: {
      kind: 'create-index',
      database: 'shop',
      designDoc: '_design/by_status',
      name: 'by_status',
      index: { fields: ['status'] },
    },
    title: 'create index by_status on status',
    savedMsPerDay: 27_000,
    savedShare: 0.4,
    requestsPerDay: 1000,
    cost: { bytes: null, bytesPer1000Writes: null, writeMsPerDay: null, buildSeconds: null, peakBytes: null },
    queries: [stepQuery()],
    because: [],
    findings: [],
    files: [],
    ...changes,
  };
}

/**
 * @param {PlanStep[]} steps
 * @param {Partial<Plan>} [changes]
 * @returns {Plan} with `q1` to `q9`, 1,000 requests a day each
 */
export function shopPlan(steps = [planStep()], changes = {}) {
  return {
    version: 1,
    kind: 'plan',
    tool: '0.1.0',
    target: '3.5.0',
    workload: {
      from: null,
      to: null,
      minutes: 60,
      requests: 1000,
      hasTimes: true,
      msPerDay: 67_000,
      writesPerDay: null,
      files: [],
    },
    documents: { files: ['orders.jsonl'], sampled: 10, total: 10 },
    budget: { diskBytes: null, maxIndexes: null, writeShare: null, freeBytes: null },
    queries: Array.from({ length: 9 }, (_, at) => ({
      id: `q${at + 1}`,
      name: `form ${at + 1}`,
      database: 'shop',
      kind: 'find',
      source: 'logs',
      places: [],
      perDay: 1000,
      msEach: 30,
    })),
    steps,
    total: {
      savedMsPerDay: 27_000,
      savedShare: 0.4,
      bytes: null,
      writeMsPerDay: null,
      buildSeconds: null,
      peakBytes: null,
    },
    rejected: [],
    considered: steps.length,
    cheapest: null,
    notes: [],
    ...changes,
  };
}

/** @param {number} count @returns {{_id: string, status: string, total: number, customer: string}[]} every fourth is open */
export function shopOrders(count) {
  return Array.from({ length: count }, (_, at) => ({
    _id: `order-${String(at).padStart(4, '0')}`,
    status: at % 4 === 0 ? 'open' : 'paid',
    total: at,
    customer: `c${at % 10}`,
  }));
}
