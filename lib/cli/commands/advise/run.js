// `couch-advisor advise`: proposes the few indexes and changes of views that save a workload most, with what they cost.

import { withCloudant } from '../../../advise/cloudant.js';
import { databasesOf } from '../../../advise/databases.js';
import { inProject } from '../../../advise/in-project.js';
import { existingIndexes } from '../../../advise/index-for.js';
import { loggedRates } from '../../../advise/logged-rates.js';
import { chooseProposals, makePlan } from '../../../advise/make-plan.js';
import { mangoCandidates } from '../../../advise/mango-candidates.js';
import { proposeIndex, proposeView, rivalOf } from '../../../advise/proposal.js';
import { Sample } from '../../../advise/sample.js';
import { MIN_MINUTES, unusedIndexes } from '../../../advise/unused-indexes.js';
import { viewCandidates, withoutIndex } from '../../../advise/view-candidates.js';
import { workloadOf } from '../../../advise/workload.js';
import { costliest } from '../../../engine/findings/order.js';
import { analyze } from '../../../engine/pipeline.js';
import { knownIndexes } from '../../../facts/mango/choice.js';
import { planFolder } from '../../../reports/plan-folder.js';
import { describeTargetSource } from '../../../reports/report.js';
import { foldDatabase } from '../../../shared/fold-database.js';
import { matchesGlob } from '../../../shared/glob.js';
import { formatCount } from '../../../shared/units.js';
import { UserError } from '../../../shared/user-error.js';
import { plainValue } from '../../../sources/record.js';
import { completeReport } from '../../complete-report.js';
import { describeError } from '../../describe-error.js';
import { readDestinations, writeReports } from '../../destinations.js';
import { EXIT } from '../../exit-codes.js';
import { liveReader } from '../../live-reader.js';
import { findRate } from '../../measured-rate.js';
import { prepare } from '../../prepare.js';
import { readSize } from '../../read-size.js';
import { reportCutOffs, reportSources } from '../../report-sources.js';
import { withVerdicts } from '../../verdict-memory.js';
import { version } from '../../version.js';
import { deployScript } from './deploy-script.js';
import { costIndexes } from './index-costs.js';
import { addLoggedValues } from './logged-selectors.js';
import { indexNotes, missingNotes, sampleNotes, unseenNotes } from './notes.js';
import { planFormats } from './plan-formats.js';
import { writePlan } from './write-plan.js';

/** @import { SetOf } from '../../../advise/databases.js' */
/** @import { ExistingIndex } from '../../../advise/index-for.js' */
/** @import { Plan } from '../../../advise/plan.js' */
/** @import { Proposal } from '../../../advise/proposal.js' */
/** @import { Workload } from '../../../advise/workload.js' */
/** @import { Subject } from '../../../facts/fact.js' */
/** @import { Analysis } from '../../../engine/pipeline.js' */
/** @import { LiveOptions } from '../../live.js' */
/** @import { Surroundings } from '../../main.js' */
/** @import { Prepared, SourceOptions } from '../../prepare.js' */

/**
 * @typedef {SourceOptions & LiveOptions & {
 *   disk?: string, maxIndexes?: number, writeCost?: string, free?: string, documents?: number, docsPerSecond?: number,
 *   format?: string[], output?: string[], write?: string, color?: boolean, since?: string, begin?: string, logFormat?: string, logField?: string,
 * }} AdviseOptions
 */

/** Documents that reads are counted over. */
const MAX_SAMPLED = 20_000;
/** Proposals whose files are sized and among which is chosen: the most useful ones. */
const MAX_PROPOSALS = 200;
const MAX_INDEXES = 1000;
/** Findings whose requests take less of the logged time are not worth a line. */
const MIN_SHARE = 0.001;

/**
 * @param {AdviseOptions} options
 * @param {string[]} paths
 * @param {Surroundings} surroundings
 * @returns {Promise<number>}
 * @throws {UserError} where there is no workload, or options are not sound
 */
export async function run(options, paths, surroundings) {
  const { since } = options;
  if (since !== undefined) {
    // Loaded for this option only.
    const { judgeSince } = await import('./since.js');
    return judgeSince({ ...options, since }, paths, surroundings);
  }
  if (options.begin !== undefined)
    throw new UserError('unused-option', '--begin needs --since: it is when the change was deployed');
  const { stderr, cwd, env } = surroundings;
  /** @type {Plan | undefined} */
  let plan;
  const destinations = readDestinations(
    options,
    planFormats(() => /** @type {Plan} */ (plan)),
  );
  const budget = readBudget(options);
  const { db, ...others } = options;
  const live = liveReader(options.url === undefined ? others : options, surroundings);
  const prepared = await prepare(options, paths, surroundings, { ...live, logDatabases: db });
  reportSources(prepared, { isDiscovery: paths.length === 0, ...options }, surroundings);
  const analysis = withVerdicts(await analyze({ ...prepared, version: version() }), prepared, surroundings);
  reportCutOffs(analysis.run, stderr);
  const isWanted = (/** @type {string | null} */ name) => db === undefined || (name !== null && isSelected(name, db));
  const workload = workloadOf(analysis.run, analysis.ask, isWanted);
  if ('unknown' in workload) {
    stderr.write(analysis.report.errors.map(describeError).join(''));
    if (analysis.report.errors.length > 0) return EXIT.INCOMPLETE;
    throw new UserError('no-workload', `nothing to advise on: ${workload.unknown}`, {
      hint: 'add the log of your CouchDB: npx --no-install couch-advisor advise --log couch.log',
    });
  }
  if (db !== undefined && workload.statements.length === 0) {
    throw new UserError('no-workload', `the log has no queries of databases that match ${db.join(', ')}`, {
      hint: 'npx --no-install couch-advisor digest LOG lists the databases; quote globs',
    });
  }
  await addLoggedValues(workload.statements, cwd);
  plan = await planFor(workload, { analysis, prepared, options, budget, env, cwd, isWanted });
  const report = await completeReport(analysis, { rules: prepared.rules, failOn: 'never', destinations });
  await writeReports(report, destinations, options, surroundings);
  if (options.write !== undefined) {
    const { written, unchanged } = writePlan(
      { steps: [...plan.steps, { files: planFolder(plan) }] },
      options.write,
      cwd,
    );
    stderr.write(
      `wrote ${formatCount(written.length)} ${written.length === 1 ? 'file' : 'files'}${unchanged.length > 0 ? `, ${formatCount(unchanged.length)} unchanged` : ''}\n`,
    );
  }
  stderr.write(analysis.report.errors.map(describeError).join(''));
  return analysis.report.errors.length > 0 ? EXIT.INCOMPLETE : EXIT.CLEAN;
}

/** @param {string} name of a database or pattern of the logs @param {string[]} globs @returns {boolean} patterns are of those that were selected */
function isSelected(name, globs) {
  return globs.some((glob) => matchesGlob(name, glob)) || (name.includes('*') && name !== '*');
}

/**
 * @param {Workload} workload
 * @param {Analysis} analysis
 * @param {{rules: Prepared['rules'], sampleOf: (database: string | null) => Sample | undefined, setOf: SetOf, known: ExistingIndex[], isUnclear: boolean}} about
 * @returns {{proposals: ReturnType<typeof mostUseful>, notes: string[]}} changes that may be worth making
 */
function findProposals(workload, { run, ask, links }, { rules, sampleOf, setOf, known, isUnclear }) {
  const target = run.target.version;
  const ruleBy = new Map(rules.map((rule) => [rule.id, rule]));
  const ofViews = viewCandidates(links, workload.statements, {
    run,
    ask,
    changeFor: ({ rule, outcome }) => ruleBy.get(rule)?.outcomes[outcome]?.change,
    savesOf: (rule) => ruleBy.get(rule)?.saves,
  });
  const ofIndexes = isUnclear
    ? { candidates: [], notes: [] }
    : mangoCandidates(workload.statements, { sampleOf, setOf, version: target });
  const unseen = unusedIndexes(run, workload, known, target);
  const isLong = workload.minutes >= MIN_MINUTES;
  const unused = (isLong ? unseen : [])
    .filter(({ index }) => !ofViews.candidates.some((candidate) => candidate.index === index))
    .map(({ index, days }) => withoutIndex(index, `no query of the logs (${days} days) or of the code uses it`, []));
  const inFiles = known.filter(({ database }) => database === undefined);
  const proposals = mostUseful([
    ...ofIndexes.candidates.map((candidate) => proposeIndex(candidate, workload, { setOf, inFiles })),
    ...ofViews.candidates.map((candidate) => proposeView(candidate, workload, setOf)),
    ...unused.flatMap((candidate) => (candidate ? [proposeView(candidate, workload, setOf)] : [])),
  ]);
  return {
    proposals,
    notes: [...ofIndexes.notes, ...ofViews.notes, ...(isLong ? [] : unseenNotes(unseen, run, workload))],
  };
}

/**
 * @param {Workload} workload
 * @param {{analysis: Analysis, prepared: Prepared, options: AdviseOptions, budget: Plan['budget'], env: Surroundings['env'], cwd: string, isWanted: (database: string | null) => boolean}} about
 * @returns {Promise<Plan>}
 */
async function planFor(workload, { analysis, prepared, options, budget, env, cwd, isWanted }) {
  const { run, ask } = analysis;
  const drawn = /** @type {Record<string, unknown>[]} */ ((await prepared.openDocuments?.(MAX_SAMPLED)) ?? []);
  // Files that were joined have a document several times: the last one is what the database has.
  const documents = [...new Map(drawn.map((document, at) => [document['_id'] ?? at, document])).values()];
  const read = knownIndexes(run, ask);
  const known = 'unknown' in read ? [] : existingIndexes(read);
  const target = run.target.version;
  const setOf = databasesOf(run, known);
  const totalOf = totalsOf(run, setOf, options.documents ?? prepared.config.documents);
  const sample = documents.length > 0 ? new Sample(documents, documents.length) : undefined;
  const sampleOf = (/** @type {string | null} */ database) => sample?.ofTotal(totalOf(database));
  // Where one index cannot be interpreted, nobody knows which queries it serves.
  const isUnclear = 'unknown' in read && run.subjects.some(({ kind }) => kind === 'index');
  const found = findProposals(workload, analysis, { rules: prepared.rules, sampleOf, setOf, known, isUnclear });
  const { proposals } = found;
  const main = workload.statements[0]?.query.database ?? null;
  const rate = findRate(options.docsPerSecond, prepared.config.documentsPerSecond, env);
  const sizing = { documents, totalOf, rate, logged: loggedRates(run, known, totalOf), target: run.target };
  const { costs, keysOf, notes, choice } = await chooseSized(proposals, sizing, { budget, workload });
  const plan = makePlan({
    tool: version(),
    target,
    targetSource: describeTargetSource(run.target),
    workload,
    logs: filesOf(run),
    othersFor: (settled, indexed) => otherFindings(analysis, prepared.rules, { settled, indexed, isWanted }),
    proposals,
    choice,
    costs,
    budget,
    documents: { files: loadsOf(run), sampled: documents.length, total: totalOf(main) },
    sampleOf,
    indexesOf: (database) => setOf(database).indexes,
    keysOf,
    documentOf: (database, designDoc) => documentOf(run, database, designDoc),
    inProject: (change) => inProject(change, run, deployScript(cwd)),
    ...(options.db ? { selected: options.db } : {}),
    notes: [
      ...missingNotes(workload, sample),
      ...sampleNotes({
        files: loadsOf(run),
        cwd,
        drawn: drawn.length,
        kept: documents.length,
        total: totalOf(main),
        from: workload.log.from,
      }),
      ...(setOf(main).read.length > 0 ? [] : indexNotes(workload, read, isUnclear)),
      ...found.notes,
      ...notes,
    ],
  });
  return withCloudant(plan, run, options.url);
}

/**
 * @param {Proposal[]} proposals
 * @param {Parameters<typeof costIndexes>[1]} sizing
 * @param {{budget: Plan['budget'], workload: Workload}} about
 * @returns {Promise<Awaited<ReturnType<typeof costIndexes>> & {choice: ReturnType<typeof chooseProposals>}>} what was chosen, and what was close to it, is
 *   sized from more documents; if the choice changes by that, so is what is chosen then
 */
async function chooseSized(proposals, sizing, { budget, workload }) {
  const { costs, keysOf, notes } = await costIndexes(proposals, sizing);
  /** @type {Set<Proposal>} */
  const sized = new Set();
  for (;;) {
    const choice = chooseProposals(proposals, { costs, budget, workload });
    const chosen = proposals.filter(({ id }) => choice.chosen.includes(id));
    const rivals = chosen.flatMap((proposal) => rivalOf(proposal, proposals) ?? []);
    const fresh = [...new Set([...chosen, ...rivals])].filter((proposal) => !sized.has(proposal));
    if (fresh.length === 0) return { costs, keysOf, notes, choice };
    const careful = await costIndexes(fresh, { ...sizing, from: 'chosen' });
    const grown = await costIndexes(fresh, { ...sizing, from: 'growth' });
    for (const proposal of fresh) {
      sized.add(proposal);
      const cost = careful.costs.get(proposal.id);
      const { bytesPer1000Writes = null } = grown.costs.get(proposal.id) ?? {};
      if (cost) costs.set(proposal.id, { ...cost, bytesPer1000Writes });
    }
  }
}

/**
 * @param {Analysis} analysis
 * @param {Prepared['rules']} rules
 * @param {{settled: ReadonlySet<string>, indexed: ReadonlySet<object>, isWanted: (database: string | null) => boolean}} about `settled`: keys of findings;
 *   `indexed`: requests that get an index: what is found of them is about what they do without it
 * @returns {NonNullable<Plan['others']>}
 */
function otherFindings({ report, links }, rules, { settled, indexed, isWanted }) {
  const isElsewhere = (/** @type {Subject} */ one) => one.kind === 'request' && !isWanted(one.record.database);
  const changed = new Set(
    links.flatMap(({ finding, subject }) => (indexed.has(subject) || isElsewhere(subject) ? [finding.key] : [])),
  );
  return costliest(report.findings, rules)
    .filter(({ finding, share }) => share >= MIN_SHARE && !settled.has(finding.key) && !changed.has(finding.key))
    .map(({ finding: { key, rule, outcome, message, place }, share }) => ({
      finding: key,
      code: `${rule}#${outcome}`,
      message,
      place: `${place.file}:${place.line}:${place.column}`,
      share,
    }));
}

/**
 * @param {Analysis['run']} run
 * @param {SetOf} setOf
 * @param {number | undefined} given with `--documents`
 * @returns {(database: string | null) => number} documents of each database of a name or pattern: as given, as the server says, as files have
 */
function totalsOf({ subjects }, setOf, given) {
  const loaded = subjects.reduce((sum, one) => sum + (one.kind === 'load' ? one.record.documents : 0), 0);
  const live = subjects.flatMap((one) => (one.kind === 'database' ? (one.record.docCount ?? []) : []));
  const [only] = live.length === 1 ? live : [];
  return (database) => given ?? Math.round(setOf(database).documents ?? only ?? loaded);
}

/**
 * @param {Analysis['run']} run
 * @param {string | null} database name or pattern
 * @param {string} designDoc
 * @returns {Record<string, unknown> | undefined} as the server has it, else as files do; undefined where it was not read, or several differ
 */
function documentOf({ subjects }, database, designDoc) {
  const all = subjects.flatMap((one) => (one.kind === 'design-doc' && one.record.id === designDoc ? [one.record] : []));
  const onServer = all.filter((record) => record.database !== undefined);
  const here = onServer.filter((record) => foldDatabase(record.database?.name ?? '') === foldDatabase(database ?? ''));
  const [those = []] = [here, onServer, all].filter((list) => list.length > 0);
  const texts = new Map(
    those.map(({ node }) => {
      const { _rev, ...rest } = /** @type {Record<string, unknown>} */ (plainValue(node));
      return [JSON.stringify(rest), rest];
    }),
  );
  return texts.size === 1 ? [...texts.values()][0] : undefined;
}

/** @param {Proposal[]} proposals @returns {Proposal[]} those that save most; what drops something saves no reading and stays */
function mostUseful(proposals) {
  if (proposals.length <= MAX_PROPOSALS) return proposals;
  const savedBy = (/** @type {Proposal} */ { serves }) =>
    serves.reduce((sum, { saved, statement }) => sum + (saved ?? statement.query.perDay), 0);
  const drops = proposals.filter(({ serves }) => serves.length === 0);
  const others = proposals.filter(({ serves }) => serves.length > 0);
  others.sort((one, other) => savedBy(other) - savedBy(one) || (one.id < other.id ? -1 : 1));
  return [...others.slice(0, MAX_PROPOSALS - Math.min(drops.length, MAX_PROPOSALS / 2)), ...drops].slice(
    0,
    MAX_PROPOSALS,
  );
}

/**
 * @param {AdviseOptions} options
 * @returns {Plan['budget']}
 * @throws {UserError}
 */
function readBudget({ disk, maxIndexes, writeCost, free, documents, docsPerSecond }) {
  checkAtLeastOne('documents', documents);
  checkAtLeastOne('docs-per-second', docsPerSecond);
  if (maxIndexes !== undefined && !(maxIndexes >= 0 && maxIndexes <= MAX_INDEXES)) {
    throw new UserError('bad-number', `invalid --max-indexes ${maxIndexes}: must be between 0 and ${MAX_INDEXES}`, {
      hint: 'for example: --max-indexes 5',
    });
  }
  return {
    diskBytes: readSize('disk', disk) ?? null,
    maxIndexes: maxIndexes ?? null,
    writeShare: writeCost === undefined ? null : readShare(writeCost),
    freeBytes: readSize('free', free) ?? null,
  };
}

/** @param {string} option @param {number | undefined} value @throws {UserError} */
function checkAtLeastOne(option, value) {
  if (value === undefined || value >= 1) return;
  throw new UserError('bad-number', `invalid --${option} ${value}: must be at least 1`, {
    hint: `for example: --${option} 10000`,
  });
}

/** @param {string} text `10%` @returns {number} @throws {UserError} */
function readShare(text) {
  const percent = /^(\d{1,3}(?:\.\d+)?)\s*%$/.exec(text)?.[1];
  if (percent !== undefined && Number(percent) <= 100) return Number(percent) / 100;
  throw new UserError('bad-number', `invalid --write-cost ${JSON.stringify(text)}: must be between 0% and 100%`, {
    hint: 'for example: --write-cost 10%, of the time of all logged requests',
  });
}

/** @param {Analysis['run']} run @returns {string[]} files of documents that were read */
function loadsOf({ subjects }) {
  return subjects.flatMap((one) => (one.kind === 'load' ? [one.record.file.path] : []));
}

/** @param {Analysis['run']} run @returns {string[]} logs that were read */
function filesOf({ subjects }) {
  return [
    ...new Set(subjects.flatMap((one) => (one.kind === 'request' ? one.record.examples.map(({ file }) => file) : []))),
  ];
}
