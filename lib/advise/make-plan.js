// Makes the plan: chooses among proposals, orders the steps, and says what each rests on.

import { deployCost } from '../shared/deploy-cost.js';
import { formatBytes, formatCount, threeDigits } from '../shared/units.js';
import { actionsOf, nameFileOf, nameFiles } from './actions.js';
import { chooseChanges } from './choice.js';
import { indexesMade, indexFor } from './index-for.js';
import { bindingsOf } from './parameter-bindings.js';
import { planFiles } from './plan-files.js';
import { rivalOf } from './proposal.js';
import { queryNotes } from './query-notes.js';
import { savedRange, sizeRange, sumOfRanges, timeRange } from './ranges.js';
import { requestsOf } from './requests.js';
import { sideEffects } from './side-effects.js';
import { wordCheapest, wordRejection } from './word-reasons.js';

/** @import { IndexDeploy } from '../shared/deploy-cost.js' */
/** @import { Choice } from './choice.js' */
/** @import { ExistingIndex } from './index-for.js' */
/** @import { Plan, PlanQuery, PlanStep, StepCost, StepQuery } from './plan.js' */
/** @import { IndexCost, Proposal } from './proposal.js' */
/** @import { Sample } from './sample.js' */
/** @import { Workload } from './workload.js' */

/**
 * @typedef {object} PlanOptions
 * @property {string} tool version of couch-advisor
 * @property {string} target version of CouchDB
 * @property {string} [targetSource] what names it
 * @property {Workload} workload
 * @property {string[]} logs
 * @property {(settled: ReadonlySet<string>, indexed: ReadonlySet<object>) => Plan['others']} [othersFor] findings with a cost, without those that steps settle; `indexed`: requests that get an index
 * @property {Proposal[]} proposals
 * @property {Choice} choice among them
 * @property {Map<string, IndexCost>} costs by id of the proposal
 * @property {Plan['budget']} budget
 * @property {Plan['documents']} documents
 * @property {(database: string | null) => Sample | undefined} sampleOf
 * @property {(database: string | null) => ExistingIndex[]} indexesOf
 * @property {(database: string | null, designDoc: string) => Record<string, unknown> | undefined} documentOf the design document that is there now
 * @property {(proposal: Proposal) => unknown[]} keysOf keys that the view of a proposal emits of the sample
 * @property {(change: Proposal['change']) => string | undefined} [inProject] what to change in the project, so that its next deploy does not undo the step
 * @property {string[]} [selected] names and globs of the databases that it is about, of `--db`
 * @property {string[]} notes
 */

/** Rejected candidates that are named. */
const MAX_REJECTED = 20;

/**
 * @param {Proposal[]} proposals
 * @param {Pick<PlanOptions, 'costs' | 'budget' | 'workload'>} about
 * @returns {Choice}
 */
export function chooseProposals(proposals, { costs, budget, workload: { msPerDay } }) {
  const { writeShare, diskBytes, maxIndexes } = budget;
  const sure = proposals.filter(({ constants }) => constants === undefined);
  return chooseChanges(
    sure.map((proposal) => candidateOf(proposal, costs.get(proposal.id))),
    {
      bytes: diskBytes ?? undefined,
      indexes: maxIndexes ?? undefined,
      writeCost: writeShare === null || msPerDay === null ? undefined : writeShare * msPerDay,
    },
  );
}

/**
 * @param {PlanOptions} options
 * @returns {Plan}
 */
export function makePlan(options) {
  const { tool, target, workload, logs, proposals, choice, costs, budget, documents, selected } = options;
  const { minutes, msPerDay } = workload;
  const { from, to, requests, hasTimes } = workload.log;
  const byId = new Map(proposals.map((proposal) => [proposal.id, proposal]));
  const titleOf = (/** @type {string} */ id) => byId.get(id)?.title ?? id;
  const all = choice.chosen.flatMap((id) => byId.get(id) ?? []);
  const files = planFiles(
    all.map(({ change }) => change),
    options.documentOf,
  );
  const steps = all.map((proposal, at) => {
    const own = files[at] ?? [];
    const step = { ...stepOf(proposal, at + 1, { ...options, all }), files: own };
    const superfluous = superfluousAfter(proposal, { ...options, all });
    const actions = actionsOf(step, superfluous, { inProject: options.inProject?.(proposal.change), selected });
    return { ...step, files: [...own, ...nameFiles(nameFileOf(at + 1), step.databases)], actions };
  });
  const queries = queriesOf(steps, workload);
  const indexed = all.flatMap(({ change, serves }) =>
    change.kind === 'create-index' ? serves.map(({ statement }) => statement.subject) : [],
  );
  const stepCosts = all.map(({ id }) => costs.get(id));
  const room = budget.freeBytes === null || steps.length === 0 ? [] : roomNotes(steps, stepCosts, budget.freeBytes);
  return {
    version: 1,
    kind: 'plan',
    tool,
    target,
    ...(options.targetSource ? { targetSource: options.targetSource } : {}),
    workload: {
      ...{ from, to, minutes, requests, hasTimes, msPerDay },
      writesPerDay: [...workload.writes.values()].reduce((sum, { documents: count }) => sum + count, 0),
      files: logs,
      ...(selected && { databases: selected }),
    },
    documents,
    budget,
    queries,
    steps,
    total: totalOf(steps, stepCosts, budget.freeBytes),
    rejected: choice.rejected
      .slice(0, MAX_REJECTED)
      .map((rejection) => ({ title: titleOf(rejection.id), reason: wordRejection(rejection, titleOf) })),
    considered: proposals.filter(({ constants }) => constants === undefined).length,
    others: options.othersFor?.(new Set(steps.flatMap(({ findings }) => findings)), new Set(indexed)),
    cheapest: choice.cheapest && wordCheapest(choice.cheapest, titleOf(choice.cheapest.id)),
    notes: [
      ...workload.notes,
      ...budgetNotes(budget, workload),
      ...queryNotes(workload.statements, options),
      ...room,
      ...sideEffects(steps, workload.statements, options),
      ...options.notes,
    ],
  };
}

/** @param {Plan['budget']} budget @param {Workload} workload @returns {string[]} what cannot be kept to */
function budgetNotes({ writeShare }, { msPerDay }) {
  return writeShare === null || msPerDay !== null
    ? []
    : ['the log has no times: --write-cost, which is a share of them, does not limit the plan'];
}

/**
 * @param {Proposal} proposal
 * @param {IndexCost | undefined} cost
 */
function candidateOf({ id, change, serves, alternative, writeMsPerDay }, cost) {
  return {
    id,
    savings: new Map(serves.map(({ statement, saved }) => [statement.query.id, saved ?? 0])),
    bytes: cost?.bytes ?? 0,
    writeCost: writeMsPerDay,
    isIndex: change.kind === 'create-index' || change.kind === 'create-view',
    ...(alternative === undefined ? {} : { alternative }),
  };
}

/**
 * @param {Proposal} proposal
 * @param {number} number
 * @param {PlanOptions & {all: Proposal[]}} options
 * @returns {Omit<PlanStep, 'files'>}
 */
function stepOf(proposal, number, options) {
  const { workload, costs, all } = options;
  const { change, title, because, findings, writeMsPerDay, databases } = proposal;
  const cost = costs.get(proposal.id);
  const costOf = (/** @type {IndexCost | undefined} */ one, /** @type {number} */ writes) => ({
    bytes: one?.bytes ?? null,
    bytesRange: sizeRange(one?.bytes ?? null),
    bytesPer1000Writes: one?.bytesPer1000Writes ?? null,
    writeMsPerDay: writes,
    ...deployOf(one && (one.deploy ? [one.deploy] : []), options.budget.freeBytes),
  });
  // A query that another step serves better is not saved twice.
  const serves = proposal.serves.filter(({ statement }) => bestFor(statement.query.id, all) === proposal);
  const known = serves.flatMap(({ saved }) => saved ?? []);
  const ranges = serves.map(({ statement, saved, effect }) =>
    saved === null ? null : savedRange(statement, { ...effect, saved }, workload.minutes),
  );
  const savedMsPerDay = serves.length > 0 && known.length === 0 ? null : known.reduce((sum, ms) => sum + ms, 0);
  return {
    number,
    change,
    title,
    savedMsPerDay,
    savedRange: savedMsPerDay === null ? null : sumOfRanges(ranges),
    savedShare: savedMsPerDay === null || !workload.msPerDay ? null : savedMsPerDay / workload.msPerDay,
    requestsPerDay:
      serves.reduce((sum, { statement }) => sum + statement.query.perDay, 0) * (databases.count / databases.all),
    databases,
    cost: costOf(cost, writeMsPerDay),
    ...(databases.all > 1 ? { costEach: costOf(cost?.each ?? cost, writeMsPerDay / databases.count) } : {}),
    queries: serves.map((one) => stepQuery(one, proposal, options)),
    because: [...because, ...groundsOf(proposal, options)],
    findings,
  };
}

/** @param {string} query @param {Proposal[]} all @returns {Proposal | undefined} the one that saves most for it */
function bestFor(query, all) {
  let [best, most] = [/** @type {Proposal | undefined} */ (undefined), Number.NEGATIVE_INFINITY];
  for (const proposal of all) {
    for (const { statement, saved } of proposal.serves) {
      if (statement.query.id === query && (saved ?? 0) > most) [best, most] = [proposal, saved ?? 0];
    }
  }
  return best;
}

/**
 * @param {Proposal['serves'][number]} served
 * @param {Proposal} proposal
 * @param {PlanOptions & {all: Proposal[]}} options
 * @returns {StepQuery}
 */
function stepQuery({ statement, effect }, proposal, { sampleOf, indexesOf, all, target, keysOf }) {
  const { change } = proposal;
  const { find, query } = statement;
  const known = indexesOf(query.database);
  const sample = find && sampleOf(query.database);
  const bindings = find && sample ? bindingsOf(find, sample) : [];
  const now = find && find.instead === undefined ? indexFor(find, bindings, known, target) : undefined;
  // CouchDB refuses a sort that no index serves: there is nothing to compare with.
  const isRefused = find !== undefined && find.sort.length > 0 && !now;
  const mustChange = [...effect.mustChange];
  let isNamed = false;
  if (find && change.kind === 'create-index') {
    const made = indexesMade(
      all.map((one) => one.change),
      query.database,
    );
    const chosen = indexFor({ ...find, hint: undefined }, bindings, [...known, ...made], target);
    isNamed = chosen?.name !== change.name || find.hint !== undefined;
    if (isNamed) {
      mustChange.push(
        `add \`"use_index": ${JSON.stringify([change.designDoc.slice('_design/'.length), change.name])}\`: without it CouchDB ${chosen ? `uses ${chosen.label}` : 'reads all documents'}`,
      );
    }
  }
  const { before, after } = requestsOf(statement, change, { bindings, isNamed, keys: keysOf(proposal) });
  return {
    query: query.id,
    before: rounded(effect.before),
    after: rounded(effect.after),
    msBefore: effect.msBefore,
    msAfter: effect.msAfter,
    msAfterRange: timeRange(effect.msAfter, effect.msBefore),
    servedBy: now ? { index: definitionOf(now) } : change.replaces?.view ? { view: change.replaces.view } : {},
    requests: isRefused ? { before: [], after: [] } : { before, after },
    mustChange,
  };
}

/**
 * @param {Proposal} proposal
 * @param {PlanOptions & {all: Proposal[]}} options
 * @returns {ExistingIndex[]} that serve logged queries now and none with all steps
 */
function superfluousAfter({ change, serves }, { workload, indexesOf, sampleOf, all, target }) {
  if (change.kind !== 'create-index') return [];
  const { database } = change;
  const [known, sample] = [indexesOf(database), sampleOf(database)];
  const changes = all.map((one) => one.change);
  const after = [...known, ...indexesMade(changes, database)];
  const finds = workload.statements.flatMap(({ find, query }) => (find && query.database === database ? [find] : []));
  const usedBy = (/** @type {ExistingIndex[]} */ indexes) =>
    new Set(finds.map((find) => indexFor(find, sample ? bindingsOf(find, sample) : [], indexes, target)));
  const [before, then] = [usedBy(known), usedBy(after)];
  const isServed = serves.length > 0;
  return known.filter((index) => isServed && before.has(index) && !then.has(index));
}

/** @param {ExistingIndex} index @returns {import('./plan.js').IndexDefinition} */
function definitionOf({ columns, filter }) {
  return { fields: columns, ...(filter ? { partial_filter_selector: filter } : {}) };
}

/** @param {StepQuery['before']} reads @returns {StepQuery['before']} */
function rounded(reads) {
  if (!reads) return null;
  const [rows, documents, results] = [reads.rows, reads.documents, reads.results].map((value) =>
    Number(threeDigits(value)),
  );
  return { rows: rows ?? 0, documents: documents ?? 0, results: results ?? 0, basis: reads.basis };
}

/** @param {Proposal} proposal @param {PlanOptions} options @returns {string[]} */
function groundsOf(proposal, { documents, workload, proposals, costs }) {
  const { serves, change } = proposal;
  const grounds = [];
  const rival = rivalOf(proposal, proposals);
  const cost = rival && costs.get(rival.id);
  if (rival && cost) {
    const growth = cost.bytesPer1000Writes;
    const grows = growth === null ? '' : ` and grows by ${formatBytes(Math.round(growth))} per 1,000 writes`;
    const why =
      rival.constants === undefined
        ? ''
        : ': a value that all of these have is no promise, but a literal in the code is';
    grounds.push(
      `chosen instead of "${rival.title}", which takes ${formatBytes(Math.round(cost.bytes))}${grows}${why}`,
    );
  }
  const { each, bytes, deploy } = costs.get(proposal.id) ?? {};
  if (change.kind === 'change-view' && deploy && bytes !== 0) {
    const [now, then] = [(each?.deploy ?? deploy).oldBytes, deploy.newBytes].map((one) => formatBytes(Math.round(one)));
    grounds.push(
      `the index of ${change.designDoc} takes ${now} now and ${then} then${each ? ', in each database' : ''}`,
    );
  }
  if (serves.some(({ effect }) => effect.after?.basis === 'estimated')) {
    const share = documents.sampled < documents.total ? ` of ${formatCount(documents.total)}` : '';
    grounds.push(`reads are estimated from ${formatCount(documents.sampled)}${share} documents`);
  }
  if (serves.some(({ effect }) => effect.before?.basis === 'measured'))
    grounds.push('what its queries read now is in the log');
  if (!workload.log.hasTimes && serves.length > 0)
    grounds.push('the log has no times: they are estimated from the documents and rows read');
  if (workload.writes.get(change.database)?.isLeast) {
    grounds.push('the log does not show how many documents each `_bulk_docs` request writes: it counts as one');
  }
  return grounds;
}

/** @param {PlanStep[]} steps @param {Workload} workload @returns {PlanQuery[]} */
function queriesOf(steps, { statements }) {
  const used = new Set(steps.flatMap(({ queries }) => queries.map(({ query }) => query)));
  return statements.map(({ query }) => query).filter(({ id }) => used.has(id));
}

/**
 * @param {PlanStep[]} steps
 * @param {(IndexCost | undefined)[]} costs of the steps
 * @param {number | null} free bytes
 * @returns {Plan['total']} null where one of the figures is unknown
 */
function totalOf(steps, costs, free) {
  const sum = (/** @type {(step: PlanStep) => number | null} */ take) => {
    const values = steps.map(take);
    return values.includes(null)
      ? null
      : values.reduce((/** @type {number} */ total, value) => total + (value ?? 0), 0);
  };
  return {
    savedMsPerDay: sum(({ savedMsPerDay }) => savedMsPerDay),
    savedShare: sum(({ savedShare }) => savedShare),
    savedRange: sumOfRanges(steps.map((step) => step.savedRange ?? null)),
    bytesRange: sumOfRanges(steps.map(({ cost }) => cost.bytesRange ?? null)),
    bytes: sum(({ cost }) => cost.bytes),
    writeMsPerDay: sum(({ cost }) => cost.writeMsPerDay),
    ...deployOf(costs.includes(undefined) ? undefined : deploysOf(steps, costs), free),
  };
}

/**
 * @param {PlanStep[]} steps
 * @param {(IndexCost | undefined)[]} costs
 * @returns {IndexDeploy[]} one for each design document, as several changes of one are deployed at once
 */
function deploysOf(steps, costs) {
  /** @type {Map<string, IndexDeploy>} */
  const byDocument = new Map();
  for (const [at, { change }] of steps.entries()) {
    const deploy = costs[at]?.deploy;
    const key = JSON.stringify([change.database, change.designDoc]);
    const other = byDocument.get(key);
    if (deploy && (!other || other.buildBytes.high < deploy.buildBytes.high)) byDocument.set(key, deploy);
  }
  return [...byDocument.values()];
}

/**
 * @param {PlanStep[]} steps
 * @param {(IndexCost | undefined)[]} costs
 * @param {number} free
 * @returns {string[]} whether the deploy fits on the disk
 */
function roomNotes(steps, costs, free) {
  if (costs.includes(undefined)) return ['whether the deploy fits on the disk is unknown: add --docs'];
  const { fits, reason } = deployCost(deploysOf(steps, costs), free);
  const answer = fits === undefined ? 'may not fit' : fits ? 'fits' : 'does not fit';
  return [`the deploy ${answer} on the disk: ${reason}`];
}

/**
 * @param {IndexDeploy[] | undefined} deploys undefined where sizes are unknown
 * @param {number | null} free
 * @returns {Pick<StepCost, 'buildSeconds' | 'buildRange' | 'peakBytes'>}
 */
function deployOf(deploys, free) {
  if (!deploys) return { buildSeconds: null, buildRange: null, peakBytes: null };
  const buildRange = sumOfRanges(
    deploys.map(({ documents = 0, rates }) =>
      rates ? { low: documents / rates.high, high: documents / rates.low } : null,
    ),
  );
  const { buildSeconds, moreBytes } = deployCost(deploys, free ?? undefined);
  return { buildSeconds: buildSeconds ?? null, buildRange, peakBytes: moreBytes.high };
}
