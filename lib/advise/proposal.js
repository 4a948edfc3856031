// Brings the candidates of all kinds into one form, with the space and the writing that each costs.

import { writeMs } from './costs.js';
import { indexName } from './index-name.js';

/** @import { MangoCandidate, Served } from './mango-candidates.js' */
/** @import { IndexDeploy } from '../shared/deploy-cost.js' */
/** @import { PlanChange } from './plan.js' */
/** @import { ViewCandidate } from './view-candidates.js' */
/** @import { Workload, Writes } from './workload.js' */

/**
 * @typedef {object} IndexCost What a change of an index takes on the disk.
 * @property {number} bytes more than now, in the end; below 0 where it frees space
 * @property {number | null} bytesPer1000Writes null where it was not computed; by which the file grows more than now, with single updates, before it is compacted
 * @property {IndexDeploy | undefined} deploy undefined where nothing is built
 */

/**
 * @typedef {object} Proposal
 * @property {string} id
 * @property {PlanChange} change
 * @property {string} title
 * @property {Served[]} serves
 * @property {string | undefined} alternative
 * @property {string[]} because
 * @property {string[]} findings
 * @property {number} writeMsPerDay below 0 where it saves writing
 * @property {ViewCandidate | undefined} ofView
 */

/** Queries a day that are assumed to read an index that no log shows: it is kept up to date in the background. */
const UNQUERIED = 0;

/**
 * @param {MangoCandidate} candidate
 * @param {Workload} workload
 * @returns {Proposal}
 */
export function proposeIndex({ id, database, columns, filter, serves }, { writes }) {
  const name = indexName(columns, filter);
  const queriesPerDay = serves.reduce((sum, { statement }) => sum + statement.query.perDay, 0);
  return {
    id,
    change: {
      kind: 'create-index',
      database,
      designDoc: `_design/${name}`,
      name,
      index: { fields: columns, ...(filter ? { partial_filter_selector: filter } : {}) },
    },
    title: `create index ${name} on ${columns.join(', ')}${filter ? `, for ${describeFilter(filter)}` : ''}`,
    serves,
    alternative: undefined,
    because: [],
    findings: [],
    writeMsPerDay: writeMs(writes.get(database), { kind: 'mango', queriesPerDay }),
    ofView: undefined,
  };
}

/** @param {Record<string, unknown>} filter @returns {string} */
function describeFilter(filter) {
  return Object.entries(filter)
    .map(([field, value]) => `${field} = ${JSON.stringify(value)}`)
    .join(', ');
}

/**
 * @param {ViewCandidate} candidate
 * @param {Workload} workload
 * @returns {Proposal}
 */
export function proposeView(candidate, workload) {
  const { id, change, title, serves, alternative, because, findings } = candidate;
  const database = serves[0]?.statement.query.database ?? databaseOf(candidate, workload);
  return {
    id,
    change: { ...change, database },
    title,
    serves,
    alternative,
    because,
    findings,
    writeMsPerDay: writesSaved(candidate, workload.writes.get(database)),
    ofView: candidate,
  };
}

/**
 * @param {ViewCandidate} candidate
 * @param {Workload} workload
 * @returns {string | null} the database whose requests name its design document; null where there are several or none
 */
function databaseOf({ change }, { statements }) {
  const named = statements.filter(({ subject }) => subject.record.designDoc === change.designDoc);
  const databases = new Set(named.map(({ query }) => query.database));
  const all = new Set(statements.map(({ query }) => query.database));
  const [only] = databases.size > 0 ? databases : all;
  return (databases.size > 0 ? databases : all).size === 1 ? (only ?? null) : null;
}

/**
 * @param {ViewCandidate} candidate
 * @param {Writes | undefined} writes
 * @returns {number} below 0 where an index less is kept up to date; 0 where as many are
 */
function writesSaved({ change, serves, index }, writes) {
  const isLess =
    change.kind === 'drop-index' ||
    change.kind === 'drop-view' ||
    (change.kind === 'change-view' && serves.length === 0);
  return isLess ? -writeMs(writes, { kind: index ? 'mango' : 'javascript', queriesPerDay: UNQUERIED }) : 0;
}
