// Adds to a plan what it means on Cloudant, where requests are counted by class: reads, writes and global queries a second.

import { joinWords } from '../shared/join-words.js';
import { formatCount, MINUTES_PER_DAY, threeDigits } from '../shared/units.js';

/** @import { RunSubject } from '../facts/fact.js' */
/** @import { RequestRecord } from '../sources/record.js' */
/** @import { Plan, PlanStep, Reads } from './plan.js' */

/** @typedef {'read' | 'write' | 'global query'} RequestClass as the header `X-Cloudant-Request-Class` has it (Usage and charges, ibm-cloud-docs/Cloudant, 2026-07-06) */

const HOST = /(?:^|\.)cloudant(?:nosqldb)?\.[a-z.]+$/;
const CLIENTS = new Set(['cloudant', 'ibm-cloud']);
const QUERIES = new Set(['_find', '_view', '_view/queries', '_all_docs', '_search']);
/** @type {Record<RequestClass, string>} */
const PLURALS = { read: 'reads', write: 'writes', 'global query': 'global queries' };
/** Rows of an index that a partition query reads for one unit. */
const ROWS_OF_UNIT = 100;
const TOO_MANY = 429;

/**
 * @param {Plan} plan
 * @param {RunSubject} run
 * @param {string | undefined} url of the server
 * @returns {Plan} the same where nothing names Cloudant
 */
export function withCloudant(plan, { subjects }, url) {
  const ground = groundOf(subjects, url);
  if (ground === undefined) return plan;
  const records = subjects.flatMap((one) => (one.kind === 'request' ? [one.record] : []));
  const partitioned = new Set(records.filter(isPartitioned).map(({ name }) => name));
  const queries = plan.queries.map((query) => ({
    ...query,
    requestClass: /** @type {RequestClass} */ (partitioned.has(query.name) ? 'read' : 'global query'),
  }));
  const steps = plan.steps.map((step) => ({ ...step, because: [...step.because, ...unitsOf(step, queries)] }));
  const minutes = Math.max(1, plan.workload.minutes);
  const perDay = countsOf(records, ({ count }) => (count / minutes) * MINUTES_PER_DAY);
  const refused = countsOf(records, ({ statuses }) => statuses.get(TOO_MANY) ?? 0);
  return {
    ...plan,
    queries,
    steps,
    notes: [
      ...plan.notes,
      `on Cloudant (${ground}) the logged requests are ${perDay || 'of no known class'} a day; capacity is counted by the second, in units of 100 reads, 50 writes and 5 global queries`,
      ...(refused === '' ? [] : [`answered 429, as the capacity of their class was used up: ${refused}`]),
    ],
  };
}

/** @param {RunSubject['subjects']} subjects @param {string | undefined} url @returns {string | undefined} what names Cloudant */
function groundOf(subjects, url) {
  const host = url !== undefined && URL.canParse(url) ? new URL(url).hostname : '';
  if (HOST.test(host)) return host;
  const call = subjects.find((one) => one.kind === 'call' && CLIENTS.has(one.record.client ?? ''));
  return call && `${call.place.file}:${call.place.line} uses its client`;
}

/** @param {RequestRecord} record @returns {boolean} */
function isPartitioned({ parameters }) {
  return parameters.includes('partition');
}

/** @param {RequestRecord} record @returns {RequestClass | undefined} undefined where the documentation names none */
function classOf(record) {
  const { endpoint, method } = record;
  if (QUERIES.has(endpoint)) return isPartitioned(record) ? 'read' : 'global query';
  if (endpoint === '_bulk_docs' || (endpoint === 'database' && method === 'POST')) return 'write';
  if (endpoint === '_bulk_get') return 'read';
  if (endpoint === 'document') return method === 'GET' || method === 'HEAD' ? 'read' : 'write';
  return undefined;
}

/** @param {RequestRecord[]} records @param {(record: RequestRecord) => number} take @returns {string} `120 reads and 3 global queries`; empty where there are none */
function countsOf(records, take) {
  /** @type {Map<RequestClass, number>} */
  const counts = new Map();
  for (const record of records) {
    const own = classOf(record);
    if (own && take(record) > 0) counts.set(own, (counts.get(own) ?? 0) + take(record));
  }
  return joinWords(
    [...counts].map(([own, count]) => `${formatCount(threeDigits(count))} ${count === 1 ? own : PLURALS[own]}`),
  );
}

/** @param {PlanStep} step @param {Plan['queries']} queries @returns {string[]} what it saves in units */
function unitsOf(step, queries) {
  const lines = step.queries.map(({ query: id, before, after }) => {
    const query = queries.find((one) => one.id === id);
    if (query?.requestClass !== 'read')
      return 'on Cloudant its queries are one global query a request, before and after: the step saves time and no units';
    if (!before || !after)
      return 'on Cloudant its queries are reads by partition: how many units each takes is unknown';
    const [old, next] = [readUnits(before), readUnits(after)];
    const saved = formatCount(threeDigits(Math.max(0, old - next) * query.perDay));
    return `on Cloudant a request takes ${formatCount(old)} reads now and ${formatCount(next)} then: the step saves ${saved} reads a day`;
  });
  return [...new Set(lines)];
}

/** @param {Reads} reads of a partition query @returns {number} one for each hundred rows, and one for each document; at least one */
function readUnits({ rows, documents }) {
  return Math.max(1, Math.ceil(rows / ROWS_OF_UNIT) + Math.round(documents));
}
