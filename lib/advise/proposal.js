// Brings the candidates of all kinds into one form, with the space and the writing that each costs.

import { foldDatabase } from '../shared/fold-database.js';
import { formatCount } from '../shared/units.js';
import { writeMs } from './costs.js';
import { keyOf } from './databases.js';
import { indexName } from './index-name.js';

/** @import { DatabaseSet, SetOf } from './databases.js' */
/** @import { ExistingIndex } from './index-for.js' */
/** @import { MangoCandidate, Served } from './mango-candidates.js' */
/** @import { IndexDeploy } from '../shared/deploy-cost.js' */
/** @import { PlanChange, StepDatabases } from './plan.js' */
/** @import { ViewCandidate } from './view-candidates.js' */
/** @import { Workload, Writes } from './workload.js' */

/**
 * @typedef {object} IndexCost What a change of an index takes on the disk.
 * @property {number} bytes more than now, in the end; below 0 where it frees space
 * @property {number | null} bytesPer1000Writes null where it was not computed; by which the file grows more than now, with single updates, before it is compacted
 * @property {IndexDeploy | undefined} deploy undefined where nothing is built
 * @property {IndexCost} [each] of one database, where this is of several
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
 * @property {number} [constants] logged requests that all have the value of its filter, which no code promises: it is never chosen
 * @property {StepDatabases} databases
 */

/** Queries a day that are assumed to read an index that no log shows: it is kept up to date in the background. */
const UNQUERIED = 0;

/**
 * @param {MangoCandidate} candidate
 * @param {Workload} workload
 * @param {{setOf: SetOf, inFiles: ExistingIndex[]}} about `inFiles`: indexes that files define, deployed or not
 * @returns {Proposal}
 */
export function proposeIndex(
  { id, database, columns, filter, serves, there, constants },
  { writes },
  { setOf, inFiles },
) {
  const set = setOf(database);
  const file = inFiles.find((index) => keyOf(index) === keyOf({ columns, filter }));
  const known = there?.index ?? file;
  const name = known?.name ?? indexName(columns, filter);
  const databases = { ...changedIn(set, there?.have ?? []), revisions: [] };
  const queriesPerDay = serves.reduce((sum, { statement }) => sum + statement.query.perDay, 0);
  return {
    id,
    change: {
      kind: 'create-index',
      database,
      designDoc: `_design/${known?.ddoc ?? name}`,
      name,
      ...(file?.place ? { file: `${file.place.file}:${file.place.line}` } : {}),
      index: { fields: columns, ...(filter ? { partial_filter_selector: filter } : {}) },
    },
    title:
      constants === undefined || !filter
        ? `create index ${name} on ${columns.join(', ')}${filter ? `, for ${describeFilter(filter)}` : ''}${inDatabases(databases)}`
        : `an index on ${columns.join(', ')} for the ${Object.keys(filter).join(', ')} that all ${formatCount(constants)} logged requests have`,
    serves,
    alternative: undefined,
    because: [
      ...(file?.place ? [`${file.place.file}:${file.place.line} defines it: it is not deployed`] : []),
      ...(there ? ['requests are assumed to be spread evenly over the databases'] : []),
    ],
    findings: [],
    writeMsPerDay:
      writeMs(writes.get(database), { kind: 'mango', queriesPerDay, databases: databases.count }) *
      (databases.count / databases.all),
    ofView: undefined,
    databases,
    ...(constants === undefined ? {} : { constants }),
  };
}

/**
 * @param {Proposal} proposal
 * @param {Proposal[]} proposals
 * @returns {Proposal | undefined} the index with all documents instead of a partial one, or the other way around, for the costliest query that both serve
 */
export function rivalOf({ change, serves }, proposals) {
  const filter = change.index?.partial_filter_selector;
  const [costliest] = serves;
  const rivals = proposals.filter(
    (other) =>
      change.kind === 'create-index' &&
      other.change.kind === 'create-index' &&
      other.change.database === change.database &&
      (other.change.index?.partial_filter_selector === undefined) !== (filter === undefined) &&
      other.serves.some(({ statement }) => statement === costliest?.statement),
  );
  const [first] = change.index?.fields ?? [];
  return rivals.find((other) => other.change.index?.fields[0] === first) ?? rivals[0];
}

/**
 * @param {DatabaseSet} set
 * @param {string[]} done names of those that need no change
 * @returns {Omit<StepDatabases, 'revisions'>}
 */
function changedIn({ names, count, basis }, done) {
  const left = names.filter((name) => !done.includes(name));
  return { count: count - done.length, all: count, basis, names: left, done };
}

/** @param {StepDatabases} databases @returns {string} for the title of a step */
function inDatabases({ count, all }) {
  return all === 1
    ? ''
    : count === all
      ? `, in ${formatCount(all)} databases`
      : `, in ${formatCount(count)} of ${formatCount(all)} databases`;
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
 * @param {SetOf} setOf
 * @returns {Proposal}
 */
export function proposeView(candidate, workload, setOf) {
  const { id, change, title, serves, alternative, because, findings, index } = candidate;
  const database = serves[0]?.statement.query.database ?? databaseOf(candidate, workload);
  const set = setOf(database);
  const revisions = index ? [] : set.revisionsOf(change.designDoc);
  const held =
    index &&
    [...set.indexes.map((one) => ({ index: one, have: set.read })), ...set.partly].find(
      (one) => one.index.name === change.name,
    );
  const without = held
    ? set.read.filter((name) => !held.have.includes(name))
    : revisions.flatMap(({ revision, names }) => (revision === null ? names : []));
  const databases = { ...changedIn(set, without), done: [], revisions };
  return {
    id,
    change: { ...change, database },
    databases,
    title: `${title}${inDatabases(databases)}`,
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
 * @returns {string | null} the database whose requests name its design document, or that has its index; null where there are several or none
 */
function databaseOf({ change, index }, { statements }) {
  const own = index?.record.database;
  if (own !== undefined)
    return statements.some(({ query }) => query.database === foldDatabase(own)) ? foldDatabase(own) : own;
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
function writesSaved({ change, view, index }, writes) {
  // With the text of another map it has an index with that one.
  const isShared = view?.parent.views.some((other) => other !== view && other.map?.text.text === change.view?.map);
  const isLess =
    change.kind === 'drop-index' || change.kind === 'drop-view' || (change.kind === 'change-view' && isShared === true);
  return isLess
    ? -writeMs(writes, { kind: index ? 'mango' : 'javascript', queriesPerDay: UNQUERIED, databases: 1 })
    : 0;
}
