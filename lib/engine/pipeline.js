// Joins the stages: records to facts, facts to findings, findings to a report. Knows no command line and prints nothing.

import { cutOffs } from '../facts/bailouts.js';
import { factsAbout } from '../facts/catalog.js';
import { createAsk } from '../facts/collect.js';
import { evidenceQuestions } from '../facts/function/evidence.js';
import { rowQuestions } from '../facts/function/rows.js';
import { findIgnoreComments } from '../facts/ignores.js';
import { requestCosts, requestsAbout } from '../facts/request/cost.js';
import { sendersOf } from '../facts/request/sender.js';
import { createSubjects } from '../facts/subjects.js';
import { writeQuestions } from '../facts/validate.js';
import { witnessQuestions } from '../facts/view/witness.js';
import { findWitness, WITNESS_VERSION } from '../proof/evidence/find-witness.js';
import { EVIDENCE_VERSION, nameOfDocuments, runFunction } from '../proof/evidence/run-function.js';
import { shapeOf } from '../proof/evidence/shape.js';
import { tryWrites, WRITES_VERSION } from '../proof/evidence/try-writes.js';
import { proveViews, tryDocumentsOn } from '../proof/prove-views.js';
import { answerAll } from '../proof/synthesis/answer-all.js';
import { TRIAL_VERSION, tryRows } from '../proof/synthesis/try-rows.js';
import { groupBy } from '../shared/group-by.js';
import { firstAddress } from '../shared/page-address.js';
import { walkRule } from './evaluate.js';
import { byPlace } from './findings/order.js';
import { gatherLinks } from './gather.js';
import { hideSecrets, maskFindings, maskOf, maskReported } from './hide-secrets.js';
import { describeSubject, judge, usesSource } from './judge.js';
import { findMutes, isMuted } from './mute.js';
import { selectedIds } from './rule-selectors.js';

/** @import { Ask, Fact, IgnoreSubject, RunSubject, SourceName, Subject, Target, ViewSubject } from '../facts/fact.js' */
/** @import { CannotTell, JudgeOptions, Link } from './judge.js' */
/** @import { Mute } from './mute.js' */
/** @import { Rule } from './rule.js' */
/** @import { Settings } from './settings.js' */
/** @import { FindingSubject } from './findings/finding.js' */
/** @import { Opened } from '../sources/open.js' */
/** @import { SourceRecord } from '../sources/record.js' */
/** @import { FactCatalog } from '../facts/catalog.js' */
/** @import { OpenDocuments } from '../proof/prove-views.js' */
/** @import { SecretMask } from '../shared/mask-secrets.js' */
/** @import { Place } from '../shared/source-file.js' */
/** @import { Report, Wanted } from '../reports/report.js' */

/** Proofs and trials of earlier runs, by their questions. @typedef {{get: (question: string) => any, set: (question: string, answer: {verdict: string}) => void}} AnswerMemory */
/** @typedef {() => Promise<AnswerMemory>} OpenProofs */
/** How many functions have been run, of how many. @typedef {(progress: {done: number, total: number}) => void} OnProgress */
/** Does the work and keeps its time, by what it was for. @typedef {<T>(kind: 'stage' | 'rule' | 'fact', name: string, work: () => T) => T} Measure */
/** What is opened where it is needed. @typedef {{openProofs?: OpenProofs | undefined, openDocuments?: OpenDocuments | undefined, onProgress?: OnProgress | undefined}} Opening */
/** So many calls in the code are named with what logs show of them. */
const MAX_SENDERS = 3;

/** So many queries that are near to a threshold are reported. */
const MAX_BELOW = 20;

/** What is left of the report for others to add: how it is to be judged as a whole. @typedef {Omit<Report, 'failOn'>} PartialReport */

/**
 * @typedef {object} Analysis
 * @property {PartialReport} report
 * @property {Link[]} links the findings of the report with what a fix needs, in the same order
 * @property {RunSubject} run
 * @property {Ask} ask
 * @property {Link[]} known what was found again of the baseline
 * @property {number} staleBaselineCount findings of the baseline that were not found again
 * @property {SecretMask} mask of the secrets in what was read: whatever else is shown of it goes through this
 */

/**
 * @param {object} options
 * @param {Opened} options.opened what was read
 * @param {Rule[]} options.rules
 * @param {Settings} options.settings
 * @param {string} options.version of couch-advisor
 * @param {ReadonlySet<string>} [options.baseline] keys of findings that are not reported
 * @param {OpenProofs} [options.openProofs] what was proved and tried in earlier runs, opened where it is needed
 * @param {OpenDocuments} [options.openDocuments] documents to try functions on
 * @param {OnProgress} [options.onProgress] receives how many functions were run on these, or on documents that were made for them
 * @param {boolean} [options.skipsRuns] whether functions are not to be run on documents, given or made: that takes a while where nothing was kept
 * @param {Measure} [options.measure] with `--timing`
 * @returns {Promise<Analysis>}
 */
export async function analyze({
  opened,
  rules,
  settings,
  version,
  baseline,
  openProofs,
  openDocuments,
  onProgress,
  skipsRuns,
  measure,
}) {
  const { target, targetOf, isSelected, settingOf } = settings;
  const run = createSubjects(opened.records, target, targetOf);
  const given = givenSources(run, openDocuments !== undefined);
  const active = rules.filter(
    ({ id, needs }) =>
      isSelected(id) &&
      (given.logs || !needs.includes('logs')) &&
      (given.documents || !needs.includes('loads')) &&
      (given.server || !needs.includes('live-server')),
  );
  /** @type {Mute[]} */
  const mutes = [];
  const ignores = findMutes(findIgnoreComments(run), { run, settings, rules, active }, mutes).map(
    (ignore) =>
      /** @type {IgnoreSubject} */ ({ kind: 'ignore', name: ignore.rule, ignore, place: ignore.place, parent: run }),
  );
  const catalog = factsAbout([run, ...run.subjects, ...ignores].map(({ kind }) => kind));
  const needs = (/** @type {SourceName} */ source) => active.some((rule) => usesSource(rule, source, catalog));
  /** @type {Stage} */
  const stage = (name, work) => (measure ? measure('stage', name, work) : work());
  await runFunctions(run, { openProofs, openDocuments, onProgress }, { needs, stage, skipsRuns });
  const ask = createAsk(measure ? measuredFacts(catalog, measure) : catalog);
  /** @type {JudgeOptions['walk']} */
  const walk = measure && ((rule, getFact) => measure('rule', rule.id, () => walkRule(rule, getFact)));
  /** @type {Link[]} */
  const silenced = [];
  /** @param {Subject[]} subjects @returns {ReturnType<typeof judge>} without what is silenced */
  const judgeAll = (subjects) => {
    const { links, ...rest } = judge({ rules: active, subjects, ask, catalog, targetOf, settingOf, walk });
    /** @type {Link[]} */
    const spoken = [];
    for (const link of links) (isMuted(link.finding, mutes) ? silenced : spoken).push(link);
    return { links: spoken, ...rest };
  };

  const { links, cannotTell, below } = stage('judge', () => judgeAll(run.subjects));
  // An ignore is judged when it is known what it silenced; so those that silence what is said of others come last.
  const ofIgnores = rules.filter((rule) => rule.subject === 'ignore').map((rule) => rule.id);
  const isOfIgnores = (/** @type {string} */ selector) => selectedIds(selector, ofIgnores).length > 0;
  for (const isLast of [false, true]) {
    links.push(...judgeAll(ignores.filter(({ ignore }) => isOfIgnores(ignore.rule) === isLast)).links);
  }

  links.sort((first, second) => byPlace(first.finding, second.finding));
  const isKnown = (/** @type {Link} */ { finding }) => baseline?.has(finding.key) === true;
  const inBaseline = links.filter(isKnown);
  const fresh = gatherLinks(links.filter((link) => !isKnown(link)));
  addCosts(fresh, run, new Set(active.flatMap(({ id, needs }) => (needs.includes('logs') ? [id] : []))));
  const keys = new Set([...links, ...silenced].map(({ finding }) => finding.key));
  const known = gatherLinks(inBaseline);
  const mask = maskOf(opened.files.values(), opened.records);
  maskFindings([...fresh, ...known], mask);
  return {
    report: {
      version: 1,
      tool: { version },
      target,
      findings: fresh.map(({ finding }) => finding),
      errors: maskReported(opened.errors, mask),
      notes: maskReported([...opened.notes, ...cutOffs(run)], mask),
      cannotTell: maskReported(cannotTell, mask),
      wanted: wantedSources(cannotTell, catalog, given),
      below: maskReported(below.sort((first, second) => second.part - first.part).slice(0, MAX_BELOW), mask),
      read: opened.counts,
      silenced: { ignored: silenced.length, baseline: inBaseline.length },
      sources: hideSecrets(opened.files, opened.records, mask),
      rules: active.map(({ id, title, severity, page, saves, sources }) => {
        return { id, title, severity, page, docs: firstAddress(sources), saves };
      }),
    },
    links: fresh,
    known,
    run,
    ask,
    staleBaselineCount: [...(baseline ?? [])].filter((key) => !keys.has(key)).length,
    mask,
  };
}

/** @typedef {<T>(name: string, work: () => T) => T} Stage */
/** @typedef {Record<Wanted['source'], boolean>} Given what the user gave beside the sources */

/** @param {RunSubject} run @param {boolean} hasSample @returns {Given} */
function givenSources({ subjects }, hasSample) {
  return {
    logs: subjects.some(({ kind }) => kind === 'log'),
    documents: hasSample || subjects.some(({ kind }) => kind === 'load'),
    server: subjects.some(({ kind }) => kind === 'node' || kind === 'database'),
  };
}

/**
 * Proves and tries what rules need to know of functions.
 * @param {RunSubject} run changed
 * @param {Opening} opening
 * @param {{needs: (source: SourceName) => boolean, stage: Stage, skipsRuns?: boolean | undefined}} how
 */
async function runFunctions(run, opening, { needs, stage, skipsRuns }) {
  if (needs('proof')) await stage('prove reduces', () => proveReduces(run, opening));
  if (needs('trials')) await stage('try functions', () => tryFunctions(run, opening.openProofs));
  if (needs('documents') && !skipsRuns) await stage('run on documents', () => runOnDocuments(run, opening));
  if (needs('witnesses') && !skipsRuns) await stage('look for witnesses', () => findWitnesses(run, opening));
}

/** What supplies facts, by what a user would give. */
const SUPPLIES = /** @type {const} */ ([
  ['logs', 'logs'],
  ['loads', 'documents'],
  ['live-server', 'server'],
]);

/**
 * @param {CannotTell[]} cannotTell
 * @param {FactCatalog} catalog
 * @param {Given} given
 * @returns {Wanted[]} what was not given and would answer some of the questions
 */
function wantedSources(cannotTell, catalog, given) {
  return SUPPLIES.flatMap(([supply, source]) => {
    if (given[source]) return [];
    const open = cannotTell.filter(({ fact }) => catalog.get(fact)?.sources.includes(supply));
    return open.length > 0 ? [{ source, questions: open.length }] : [];
  });
}

/**
 * @param {FactCatalog} catalog
 * @param {Measure} measure
 * @returns {FactCatalog}
 */
function measuredFacts(catalog, measure) {
  return new Map(
    [...catalog].map(([id, declaration]) => [
      id,
      { ...declaration, extract: (subject, ask) => measure('fact', id, () => declaration.extract(subject, ask)) },
    ]),
  );
}

/**
 * @param {Link[]} links whose findings get what they cost, where logs show it, and the code that causes it
 * @param {RunSubject} run
 * @param {ReadonlySet<string>} ofLogs ids of the rules that are about logs
 */
function addCosts(links, run, ofLogs) {
  if (links.length === 0 || !run.subjects.some((subject) => subject.kind === 'request')) return;
  const costOf = requestCosts(run);
  const requestsOf = requestsAbout(run);
  for (const { finding, subject } of links) {
    const cost = costOf(subject);
    if (cost) finding.cost = cost;
    if (!ofLogs.has(finding.rule) || subject.kind === 'call') continue;
    for (const { name, place } of sendersOf(run, requestsOf(subject)).slice(0, MAX_SENDERS)) {
      finding.related.push({ message: `\`${name}\` sends this query`, place });
    }
  }
}

/**
 * Every subject with every fact of its kind, for people who write rules.
 * @param {SourceRecord[]} records
 * @param {Target} target
 * @param {Opening & {targetOf?: Settings['targetOf']}} [opening]
 * @returns {Promise<(FindingSubject & {place: Place, facts: Map<string, Fact>})[]>}
 */
export async function collectAllFacts(records, target, opening) {
  const run = createSubjects(records, target, opening?.targetOf);
  const catalog = factsAbout([run, ...run.subjects].map(({ kind }) => kind));
  await runFunctions(run, opening ?? {}, { needs: () => true, stage: (_, work) => work() });
  const ask = createAsk(catalog);
  const subjects = run.subjects.map((subject) => ({
    ...describeSubject(subject),
    place: subject.place,
    facts: new Map(
      [...catalog.values()]
        .filter((declaration) => declaration.subject === subject.kind)
        .map(({ id }) => [id, ask(subject, id)]),
    ),
  }));
  return maskReported(subjects, maskOf([], records));
}

/**
 * @param {RunSubject} run its functions are changed
 * @param {OpenProofs} [openProofs]
 */
async function tryFunctions(run, openProofs) {
  if (!run.subjects.some(({ kind }) => kind === 'function')) return;
  const active = rowQuestions(run);
  if (active.length === 0) return;
  await answerAll(active, {
    about: ['rows', TRIAL_VERSION],
    answer: tryRows,
    give: (subject, trial) => {
      subject.trial = trial;
    },
    memory: await openProofs?.(),
  });
}

/**
 * Looks at the documents that were given, and runs maps, filters and validation functions on them.
 * @param {RunSubject} run its functions are changed
 * @param {Opening} [opening]
 */
async function runOnDocuments(run, { openProofs, openDocuments, onProgress } = {}) {
  const documents = (await openDocuments?.()) ?? [];
  if (documents.length === 0) return;
  const shape = { documents: documents.length, members: shapeOf(documents) };
  for (const subject of run.subjects) if (subject.kind === 'load') subject.shape = shape;
  const active = evidenceQuestions(run);
  await answerAll(active, {
    about: ['documents', EVIDENCE_VERSION, nameOfDocuments(documents)],
    answer: (question, sandbox) => runFunction(question, documents, sandbox),
    give: (subject, evidence) => {
      subject.evidence = evidence;
    },
    memory: await openProofs?.(),
    onProgress,
  });
}

/**
 * Looks for documents on which maps throw, for maps that depend on the clock or the time zone, and for writes that validation functions accept.
 * @param {RunSubject} run its functions are changed
 * @param {Opening} [opening]
 */
async function findWitnesses(run, { openProofs, onProgress } = {}) {
  if (!run.subjects.some(({ kind }) => kind === 'function')) return;
  const [maps, writes] = [witnessQuestions(run), writeQuestions(run)];
  if (maps.length === 0 && writes.length === 0) return;
  const memory = await openProofs?.();
  await answerAll(maps, {
    about: ['witness', WITNESS_VERSION],
    answer: findWitness,
    give: (subject, witness) => {
      subject.witness = witness;
    },
    memory,
    onProgress,
  });
  await answerAll(writes, {
    about: ['writes', WRITES_VERSION],
    answer: tryWrites,
    give: (subject, trial) => {
      subject.writes = trial;
    },
    memory,
  });
}

/**
 * @param {RunSubject} run its views are changed
 * @param {Opening} [opening]
 */
async function proveReduces(run, { openProofs, openDocuments } = {}) {
  const views = run.subjects.filter((subject) => subject.kind === 'view' && subject.reduce !== undefined);
  if (views.length === 0) return;
  const byTarget = groupBy(/** @type {ViewSubject[]} */ (views), ({ parent }) => parent.parent.target.version);
  for (const [target, asking] of byTarget) {
    await proveViews(asking, { target, memory: await openProofs?.() });
    if (openDocuments) await tryDocumentsOn(asking, { target, openDocuments });
  }
}
