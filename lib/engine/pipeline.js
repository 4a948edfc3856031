// Joins the stages: records to facts, facts to findings, findings to a report. Knows no command line and prints nothing.

import { cutOffs } from '../facts/bailouts.js';
import { factsAbout } from '../facts/catalog.js';
import { createAsk } from '../facts/collect.js';
import { findIgnoreComments } from '../facts/ignores.js';
import { requestCosts, requestsAbout } from '../facts/request/cost.js';
import { sendersOf } from '../facts/request/sender.js';
import { createSubjects } from '../facts/subjects.js';
import { firstAddress } from '../shared/page-address.js';
import { walkRule } from './evaluate.js';
import { byPlace } from './findings/order.js';
import { gatherLinks, gatherQuestions } from './gather.js';
import { hideSecrets, maskFindings, maskOf, maskReported } from './hide-secrets.js';
import { describeSubject, judge, usesSource } from './judge.js';
import { findMutes, isMuted } from './mute.js';
import { runFunctions } from './pipeline-functions.js';
import { selectedIds } from './rule-selectors.js';

/** @import { Ask, Fact, IgnoreSubject, RunSubject, SourceName, Subject, Target } from '../facts/fact.js' */
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
 * @property {string[]} staleBaseline keys of findings of the baseline that were not found again
 * @property {SecretMask} mask of the secrets in what was read: whatever else is shown of it goes through this
 */

/**
 * @typedef {object} AnalysisOptions
 * @property {Opened} opened what was read
 * @property {Rule[]} rules
 * @property {Settings} settings
 * @property {string} version of couch-advisor
 * @property {ReadonlySet<string>} [baseline] keys of findings that are not reported
 * @property {OpenProofs} [openProofs] what was proved and tried in earlier runs, opened where it is needed
 * @property {OpenDocuments} [openDocuments] documents to try functions on
 * @property {OnProgress} [onProgress] receives how many functions were run on these, or on documents that were made for them
 * @property {boolean} [skipsRuns] whether functions are not to be run on documents, given or made: that takes a while where nothing was kept
 * @property {Measure} [measure] with `--timing`
 */

/**
 * @param {AnalysisOptions} options
 * @returns {Promise<Analysis>}
 */
export async function analyze(options) {
  const { opened, rules, settings, skipsRuns, measure } = options;
  const { target, targetOf, settingOf } = settings;
  const run = createSubjects(opened.records, target, targetOf);
  const given = givenSources(run, options.openDocuments !== undefined);
  const active = rulesFor(given, rules, settings);
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
  await runFunctions(run, options, { needs, stage, skipsRuns });
  const ask = createAsk(measure ? measuredFacts(catalog, measure) : catalog);
  /** @type {JudgeOptions['walk']} */
  const walk = measure && ((rule, getFact) => measure('rule', rule.id, () => walkRule(rule, getFact)));
  const judged = stage('judge', () =>
    judgeRun({ run, ignores, mutes }, { rules: active, ask, catalog, targetOf, settingOf, walk }),
  );
  const wanted = wantedSources(judged.cannotTell, catalog, given);
  return { ...reportJudged({ ...judged, wanted }, { run, active }, options), run, ask };
}

/**
 * @param {Given} given
 * @param {Rule[]} rules
 * @param {Settings} settings
 * @returns {Rule[]} those that can say something about what was given
 */
function rulesFor(given, rules, { isSelected }) {
  return rules.filter(
    ({ id, needs }) =>
      isSelected(id) &&
      (given.logs || !needs.includes('logs')) &&
      (given.documents || !needs.includes('loads')) &&
      (given.server || !needs.includes('live-server')),
  );
}

/** @typedef {ReturnType<typeof judge> & {silenced: Link[]}} Judged `links` are without those that are silenced */

/**
 * @param {{run: RunSubject, ignores: IgnoreSubject[], mutes: Mute[]}} about
 * @param {Omit<JudgeOptions, 'subjects'>} options
 * @returns {Judged}
 */
function judgeRun({ run, ignores, mutes }, options) {
  /** @type {Link[]} */
  const silenced = [];
  /** @param {Subject[]} subjects @returns {ReturnType<typeof judge>} without what is silenced */
  const judgeAll = (subjects) => {
    const { links, ...rest } = judge({ ...options, subjects });
    /** @type {Link[]} */
    const spoken = [];
    for (const link of links) (isMuted(link.finding, mutes) ? silenced : spoken).push(link);
    return { links: spoken, ...rest };
  };
  const judged = judgeAll(run.subjects);
  // An ignore is judged when it is known what it silenced; so those that silence what is said of others come last.
  const ofIgnores = options.rules.filter((rule) => rule.subject === 'ignore').map((rule) => rule.id);
  const isOfIgnores = (/** @type {string} */ selector) => selectedIds(selector, ofIgnores).length > 0;
  for (const isLast of [false, true]) {
    judged.links.push(...judgeAll(ignores.filter(({ ignore }) => isOfIgnores(ignore.rule) === isLast)).links);
  }
  return { ...judged, silenced };
}

/**
 * @param {Judged & {wanted: Wanted[]}} judged
 * @param {{run: RunSubject, active: Rule[]}} about
 * @param {AnalysisOptions} options
 * @returns {Omit<Analysis, 'run' | 'ask'>} without secrets
 */
function reportJudged({ links, silenced, cannotTell, below, wanted }, { run, active }, options) {
  const { opened, baseline = new Set() } = options;
  links.sort((first, second) => byPlace(first.finding, second.finding));
  const isKnown = (/** @type {Link} */ { finding }) => baseline.has(finding.key);
  const inBaseline = links.filter(isKnown);
  const fresh = gatherLinks(links.filter((link) => !isKnown(link)));
  addCosts(fresh, run, new Set(active.flatMap(({ id, needs }) => (needs.includes('logs') ? [id] : []))));
  const keys = new Set([...links, ...silenced].map(({ finding }) => finding.key));
  const known = gatherLinks(inBaseline);
  // Whether the findings of rules that lacked their source are gone is not known.
  const hasChange = run.subjects.some(({ kind }) => kind === 'change');
  const isIdle = (/** @type {Rule} */ rule) => !active.includes(rule) || (rule.subject === 'change' && !hasChange);
  const idle = options.rules.filter(isIdle).map(({ id }) => id);
  const mask = maskOf(opened.files.values(), opened.records);
  maskFindings([...fresh, ...known], mask);
  return {
    report: {
      version: 1,
      tool: { version: options.version },
      target: options.settings.target,
      findings: fresh.map(({ finding }) => finding),
      errors: maskReported(opened.errors, mask),
      notes: maskReported([...opened.notes, ...cutOffs(run)], mask),
      cannotTell: maskReported(gatherQuestions(cannotTell), mask),
      wanted,
      below: maskReported(below.sort((first, second) => second.part - first.part).slice(0, MAX_BELOW), mask),
      read: opened.counts,
      unseen: maskReported(opened.unseen, mask),
      silenced: { ignored: silenced.length, baseline: inBaseline.length },
      sources: hideSecrets(opened.files, opened.records, mask),
      rules: active.map(({ id, title, severity, page, saves, sources }) => {
        return { id, title, severity, page, docs: firstAddress(sources), saves };
      }),
    },
    links: fresh,
    known,
    staleBaseline: [...baseline].filter((key) => !keys.has(key) && !idle.some((id) => key.startsWith(`${id}#`))),
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
