// A plan of `advise` for the shop, as its renderers get it, and plans at the ends of what there can be.

import { planFiles } from '../../lib/advise/plan-files.js';
import { renderHtml } from '../../lib/reports/html/page.js';
import { makeReport } from './sample-report.js';

/** @import { Plan, PlanChange, PlanStep } from '../../lib/advise/plan.js' */

const STATUS_INDEX = {
  fields: ['status', { date: /** @type {const} */ ('asc') }],
  partial_filter_selector: { type: 'order' },
};
const FIND = { selector: { type: 'order', status: 'open' }, limit: 25 };

/** @type {PlanChange[]} */
const CHANGES = [
  {
    kind: 'create-index',
    database: 'shop',
    designDoc: '_design/orders-index',
    name: 'orders-by-status',
    index: STATUS_INDEX,
  },
  {
    kind: 'change-view',
    database: 'shop',
    designDoc: '_design/app',
    name: 'totals',
    view: { map: 'function (doc) {\n  emit(doc.date, doc.total);\n}', reduce: '_sum' },
    replaces: {
      view: {
        map: 'function (doc) {\n  emit(doc.date, doc.total);\n}',
        reduce: 'function (keys, values) {\n  return sum(values);\n}',
      },
    },
    file: 'design-docs/app.json:14',
  },
  {
    kind: 'drop-index',
    database: 'shop',
    designDoc: '_design/orders-index',
    name: 'orders-by-customer',
    replaces: { index: { fields: ['customer', 'date'] } },
    file: 'indexes/orders-by-customer.json',
  },
];

/** @returns {Plan} */
export function shopPlan() {
  const document = {
    _id: '_design/app',
    _rev: '3-1f',
    language: 'javascript',
    views: {
      totals: {
        map: 'function (doc) {\n  emit(doc.date, doc.total);\n}',
        reduce: 'function (keys, values) {\n  return sum(values);\n}',
      },
    },
  };
  const files = planFiles(CHANGES, (_, id) => (id === '_design/app' ? document : undefined));
  /** @type {Omit<PlanStep, 'number' | 'change' | 'files'>[]} */
  const steps = [
    {
      title: 'create index orders-by-status on status, date',
      savedMsPerDay: 3_120_000,
      savedShare: 0.241,
      requestsPerDay: 9823,
      cost: {
        bytes: 41_200_000,
        bytesPer1000Writes: 212_000,
        writeMsPerDay: 12_300,
        buildSeconds: 41,
        peakBytes: 61_000_000,
      },
      queries: [
        {
          query: 'q1',
          before: { rows: 5012, documents: 5012, results: 25, basis: 'measured' },
          after: { rows: 25, documents: 25, results: 25, basis: 'estimated' },
          msBefore: 121.5,
          msAfter: 3.2,
          servedBy: {},
          requests: {
            before: [{ method: 'POST', path: '_find', body: FIND }],
            after: [
              { method: 'POST', path: '_find', body: { ...FIND, use_index: ['orders-index', 'orders-by-status'] } },
            ],
          },
          mustChange: [
            'add `"use_index": ["orders-index", "orders-by-status"]`: CouchDB takes the partial index only then',
          ],
        },
      ],
      because: [
        '`status` is compared with `$eq`, and `date` sorts',
        'rows after the change: counted over 2,000 sample documents, 1 of 200 of which match',
      ],
      findings: ['mango/no-index:shop:status'],
    },
    {
      title: 'use the built-in _sum in view app/totals',
      savedMsPerDay: 412_000,
      savedShare: 0.032,
      requestsPerDay: 1440,
      cost: { bytes: 0, bytesPer1000Writes: 0, writeMsPerDay: -3400, buildSeconds: 190, peakBytes: 25_300_000 },
      queries: [
        {
          query: 'q2',
          before: { rows: 120_000, documents: 0, results: 365, basis: 'measured' },
          after: { rows: 120_000, documents: 0, results: 365, basis: 'measured' },
          msBefore: 930,
          msAfter: null,
          servedBy: {
            view: {
              map: 'function (doc) {\n  emit(doc.date, doc.total);\n}',
              reduce: 'function (keys, values) {\n  return sum(values);\n}',
            },
          },
          requests: { before: [], after: [] },
          mustChange: [],
        },
      ],
      because: ['the reduce equals `_sum` for every number'],
      findings: [],
    },
    {
      title: 'drop index orders-by-customer',
      savedMsPerDay: 0,
      savedShare: 0,
      requestsPerDay: 0,
      cost: { bytes: -18_400_000, bytesPer1000Writes: -96_000, writeMsPerDay: -5100, buildSeconds: 0, peakBytes: 0 },
      queries: [],
      because: [
        'no query of the logs or of the code uses it',
        'the logs cover 10 minutes: a job that runs each night is not in them',
      ],
      findings: [],
    },
  ];
  return {
    version: 1,
    kind: 'plan',
    tool: '0.1.0',
    target: '3.5.0',
    workload: {
      from: '2026-03-02T08:00:01.316Z',
      to: '2026-03-02T08:09:59.178Z',
      minutes: 10,
      requests: 12_430,
      hasTimes: true,
      msPerDay: 12_946_000,
      writesPerDay: 43_200,
      files: ['logs/couch.log', 'client/orders.js'],
    },
    documents: { files: ['loads/orders.jsonl'], sampled: 2000, total: 120_000 },
    budget: { diskBytes: 2_000_000_000, maxIndexes: 5, writeShare: 0.1, freeBytes: 40_000_000_000 },
    queries: [
      {
        id: 'q1',
        name: 'POST shop/_find status:eq sort:date',
        database: 'shop',
        kind: 'find',
        source: 'logs',
        places: ['logs/couch.log:11', 'client/orders.js:40:3'],
        perDay: 9823,
        msEach: 121.5,
      },
      {
        id: 'q2',
        name: 'GET shop/_design/app/_view/totals?group=true',
        database: 'shop',
        kind: 'view',
        source: 'logs',
        places: ['logs/couch.log:1'],
        perDay: 1440,
        msEach: 930,
      },
    ],
    steps: steps.map((step, at) => ({
      number: at + 1,
      change: /** @type {PlanChange} */ (CHANGES[at]),
      ...step,
      files: files[at] ?? [],
    })),
    total: {
      savedMsPerDay: 3_532_000,
      savedShare: 0.273,
      bytes: 22_800_000,
      writeMsPerDay: 3800,
      buildSeconds: 231,
      peakBytes: 61_000_000,
    },
    rejected: Array.from({ length: 7 }, (_, at) => ({
      title: `create index orders-by-${at} on field${at}`,
      reason:
        at % 2 === 0 ? 'orders-by-status serves its queries better' : 'costs more to keep up to date than it saves',
    })),
    considered: 10,
    cheapest: null,
    notes: [
      'no bodies of requests in `logs/couch.log`: selectors come from the code; `[log] level = debug` would log them',
    ],
  };
}

/** @returns {Plan} nothing is known, and the budget allows nothing */
export function emptyPlan() {
  const plan = shopPlan();
  return {
    ...plan,
    workload: {
      from: null,
      to: null,
      minutes: 0,
      requests: 0,
      hasTimes: false,
      msPerDay: null,
      writesPerDay: null,
      files: [],
    },
    documents: { files: [], sampled: 0, total: 0 },
    budget: { diskBytes: 1000, maxIndexes: null, writeShare: null, freeBytes: null },
    queries: [],
    steps: [],
    total: {
      savedMsPerDay: null,
      savedShare: null,
      bytes: null,
      writeMsPerDay: null,
      buildSeconds: null,
      peakBytes: null,
    },
    rejected: [
      { title: 'create index orders-by-status on status, date', reason: 'over the disk budget: needs 41.2 MB' },
    ],
    considered: 1,
    cheapest: 'create index orders-by-status on status, date: 41.2 MB of disk',
    notes: ['the logs have no times'],
  };
}

/** @returns {Plan} with every figure of its steps unknown */
export function unknownPlan() {
  const plan = shopPlan();
  const cost = { bytes: null, bytesPer1000Writes: null, writeMsPerDay: null, buildSeconds: null, peakBytes: null };
  return {
    ...plan,
    total: emptyPlan().total,
    steps: plan.steps.slice(0, 1).map((step) => ({
      ...step,
      savedMsPerDay: null,
      savedShare: null,
      cost,
      queries: step.queries.map((query) => ({ ...query, before: null, after: null, msBefore: null, msAfter: null })),
    })),
    notes: ['no documents were given: sizes are unknown'],
  };
}

/**
 * @param {string} text
 * @returns {Plan} with this text in every place where text of the input may stand
 */
export function planWithText(text) {
  const plan = shopPlan();
  return {
    ...plan,
    workload: { ...plan.workload, files: [text] },
    documents: { ...plan.documents, files: [text] },
    queries: plan.queries.map((query) => ({ ...query, name: text, database: text, places: [text] })),
    steps: plan.steps.map((step) => ({
      ...step,
      change: { ...step.change, name: text, file: text },
      title: text,
      queries: step.queries.map((query) => ({ ...query, mustChange: [text] })),
      because: [text],
      findings: [text],
      files: [{ path: text, content: text }],
    })),
    rejected: [{ title: text, reason: text }],
    cheapest: text,
    notes: [text],
  };
}

/** @param {Plan} plan @returns {string} the page that `advise --format html` writes */
export function planPage(plan) {
  return renderHtml(makeReport({ findings: [], plan }));
}
