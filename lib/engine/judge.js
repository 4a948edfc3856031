// Runs rules over subjects and makes findings of the outcomes that are problems.

import { isKnown } from '../facts/fact.js';
import { phraseOf } from '../facts/phrases.js';
import { groupBy } from '../shared/group-by.js';
import { compareVersions } from '../shared/version.js';
import { belowThreshold } from './below-threshold.js';
import { CANNOT_TELL, pathOf, walkRule } from './evaluate.js';
import { findingKey } from './findings/finding.js';
import { fillTemplate, formatFact, formatItem, LONGEST_IN_TEXT } from './message.js';

/** @import { Ask, Fact, FactDeclaration, Item, SourceName, Subject, Target } from '../facts/fact.js' */
/** @import { FactCatalog } from '../facts/catalog.js' */
/** @import { Certainty, Finding, FindingSubject, Severity, Step } from './findings/finding.js' */
/** @import { Place } from '../shared/source-file.js' */
/** @import { BelowThreshold } from './below-threshold.js' */
/** @import { Outcome, Rule } from './rule.js' */

/** More places than these explain nothing. */
const MAX_RELATED = 5;

/**
 * @typedef {object} Link A finding with what its fix needs.
 * @property {Finding} finding
 * @property {Subject} subject
 * @property {Item | undefined} item
 * @property {Outcome['oncePer']} oncePer
 * @property {Link[]} [others] findings of the same cause that this one speaks for (engine/gather.js)
 */
/** @typedef {{rule: string, subject: FindingSubject, fact: string, words?: string, reason: string}} CannotTell `words`: what the fact says, for people */
/** What holds for a rule at a subject. @typedef {{severity: Severity | 'off' | undefined, thresholds: ReadonlyMap<string, number> | undefined}} RuleSetting */

/** @typedef {{rule: Rule, setting: RuleSetting, adjusted: Rule}} ActiveRule `adjusted`: with the numbers of the setting */

/**
 * @typedef {object} JudgeOptions
 * @property {Rule[]} rules
 * @property {Subject[]} subjects
 * @property {Ask} ask
 * @property {FactCatalog} catalog the facts that rules can use
 * @property {(file: string) => Target} targetOf
 * @property {(rule: Rule, file: string) => RuleSetting} settingOf
 * @property {typeof walkRule} [walk] does as `walkRule`, and more
 */

/**
 * @param {JudgeOptions} options
 * @returns {{links: Link[], cannotTell: CannotTell[], below: BelowThreshold[]}} links in no order that means anything; `below`: queries that
 *   are near to what is reported
 */
export function judge({ rules, subjects, ask, catalog, targetOf, settingOf, walk = walkRule }) {
  /** @type {Link[]} */
  const links = [];
  /** @type {CannotTell[]} */
  const cannotTell = [];
  /** @type {BelowThreshold[]} */
  const below = [];
  /** @type {Map<string, number>} */
  const ordinals = new Map();
  const rulesOfKind = groupBy(rules, ({ subject }) => subject);
  /** The last answer serves all subjects of a kind in one file. @type {Map<string, {file: string, active: ActiveRule[]}>} */
  const activeOfKind = new Map();
  /** @param {Subject} subject @returns {ActiveRule[]} the rules to ask of it */
  const rulesFor = ({ kind, place: { file } }) => {
    const known = activeOfKind.get(kind);
    if (known?.file === file) return known.active;
    const active = (rulesOfKind.get(kind) ?? []).flatMap((rule) => {
      const setting = settingOf(rule, file);
      return isActive(rule, setting, targetOf(file))
        ? [{ rule, setting, adjusted: withThresholds(rule, setting) }]
        : [];
    });
    activeOfKind.set(kind, { file, active });
    return active;
  };
  // All rules of one subject before the next: its facts are forgotten when the run has moved on.
  for (const subject of subjects) {
    const getFact = (/** @type {string} */ id) => ask(subject, id);
    for (const { rule, setting, adjusted } of rulesFor(subject)) {
      const evaluation = walk(adjusted, getFact);
      if (evaluation.missing) {
        const { fact } = evaluation.missing;
        const about = { rule: rule.id, subject: describeSubject(subject) };
        cannotTell.push({ ...about, ...evaluation.missing, ...wordsOf(catalog.get(fact)) });
      }
      if (evaluation.outcome === CANNOT_TELL && !rule.outcomes[CANNOT_TELL]) continue;
      const outcome = /** @type {Outcome} */ (rule.outcomes[evaluation.outcome]);
      if (outcome.verdict === 'cannot-tell') {
        const last = rule.questions[evaluation.trail.at(-1)?.question ?? ''];
        const fact = last?.fact ?? '';
        const about = { rule: rule.id, subject: describeSubject(subject) };
        cannotTell.push({ ...about, fact, ...wordsOf(catalog.get(fact)), reason: outcome.message });
      }
      if (outcome.verdict === 'fine' && subject.kind === 'request') {
        const near = belowThreshold(adjusted, evaluation, getFact);
        if (near) {
          const about = { rule: rule.id, subject: describeSubject(subject), requests: subject.record.count };
          const fact = getFact(near.fact);
          const { type = 'text', phrases = '' } = catalog.get(near.fact) ?? {};
          const words = isKnown(fact) ? phraseOf(phrases, near.value, formatFact(fact, type)) : '';
          below.push({ ...about, ...near, ...(words === '' ? {} : { words }) });
        }
      }
      if (outcome.verdict !== 'problem') continue;
      const path = pathOf(adjusted, evaluation.trail);
      for (const item of itemsOf(outcome, getFact)) {
        const about = { rule, outcomeId: evaluation.outcome, outcome, subject, item, getFact, catalog, setting, path };
        const finding = makeFinding(about, ordinals);
        links.push({ finding, subject, item, oncePer: outcome.oncePer });
      }
    }
  }
  return { links, cannotTell, below };
}

/**
 * @param {Rule} rule
 * @param {RuleSetting} setting
 * @param {Target} target
 * @returns {boolean} whether the rule runs at all where the setting holds
 */
export function isActive(rule, setting, target) {
  // A draft is off until somebody gives it a severity.
  const isOff = setting.severity === 'off' || (rule.status === 'draft' && setting.severity === undefined);
  return !isOff && rule.status !== 'retired' && holdsFor(rule, target);
}

/**
 * @param {Outcome} outcome
 * @param {(id: string) => Fact} getFact
 * @returns {(Item | undefined)[]} what to make findings of: the items of a list, or the subject once
 */
function itemsOf(outcome, getFact) {
  if (!outcome.each) return [undefined];
  const fact = getFact(outcome.each);
  return isKnown(fact) && Array.isArray(fact.value) ? fact.value : [];
}

/**
 * @typedef {object} Making
 * @property {Rule} rule
 * @property {string} outcomeId
 * @property {Outcome} outcome
 * @property {Subject} subject
 * @property {Item | undefined} item
 * @property {(id: string) => Fact} getFact
 * @property {FactCatalog} catalog
 * @property {RuleSetting} setting
 * @property {Step[]} path
 */

/**
 * @param {Making} making
 * @param {Map<string, number>} ordinals how many findings of equal parts there are so far
 * @returns {Finding}
 */
function makeFinding({ rule, outcomeId, outcome, subject, item, getFact, catalog, setting, path }, ordinals) {
  const about = describeSubject(subject);
  const evidence = (outcome.evidence ?? []).map((id) => ({ id, fact: getFact(id) }));
  const place = item?.place ?? placeOf(outcome, path, getFact) ?? subject.place;
  const values = {
    subject: subject.name,
    item,
    fact: (/** @type {string} */ id) => ({ fact: getFact(id), type: catalog.get(id)?.type ?? 'text' }),
  };
  const severity = setting.severity === 'off' ? undefined : setting.severity;
  const identity = { rule: rule.id, outcome: outcomeId, subject: about, place };
  const detail = item?.value ?? '';
  const group = findingKey(identity, detail, 0);
  const ordinal = ordinals.get(group) ?? 0;
  ordinals.set(group, ordinal + 1);
  return {
    key: findingKey(identity, detail, ordinal),
    rule: rule.id,
    outcome: outcomeId,
    severity: severity ?? outcome.severity ?? rule.severity,
    certainty: certaintyOf(rule, path, evidence),
    title: rule.title,
    message: fillTemplate(outcome.message, values),
    why: fillTemplate(outcome.why ?? '', values, LONGEST_IN_TEXT),
    advice: fillTemplate(outcome.advice ?? '', values, LONGEST_IN_TEXT),
    subject: about,
    place,
    related: relatedPlaces(path, place, { getFact, catalog }, outcome.each),
    path,
    sources: rule.sources,
    fix: outcome.fix === undefined ? undefined : { id: outcome.fix, safe: false, title: '' },
  };
}

/**
 * @param {Outcome} outcome
 * @param {Step[]} path
 * @param {(id: string) => Fact} getFact
 * @returns {Place | undefined}
 */
function placeOf(outcome, path, getFact) {
  if (outcome.place !== undefined) return getFact(outcome.place).place;
  return path.findLast((step) => step.place !== undefined)?.place;
}

/**
 * @param {Rule} rule
 * @param {Step[]} path
 * @param {{fact: Fact}[]} evidence
 * @returns {Certainty}
 */
function certaintyOf({ questions }, path, evidence) {
  const isOpen = (/** @type {Step} */ { answer, question }) =>
    answer === 'unknown' && questions[question]?.unknownLowersCertainty === undefined;
  if (path.some(isOpen)) return 'low';
  const bases = [
    ...path.map((step) => step.basis),
    ...evidence.map(({ fact }) => (isKnown(fact) ? fact.basis : 'inferred')),
  ];
  return bases.includes('inferred') ? 'medium' : 'high';
}

/**
 * @param {Step[]} path
 * @param {Place} place of the finding itself
 * @param {Pick<Making, 'getFact' | 'catalog'>} about
 * @param {string | undefined} each the list whose items are findings of their own
 * @returns {Finding['related']} the other places on the path, each once, with what is known from there
 */
function relatedPlaces(path, place, about, each) {
  const seen = new Set([JSON.stringify(place)]);
  /** @type {Finding['related']} */
  const related = [];
  for (const { message, place: other } of path.flatMap((step) => evidenceOf(step, about, each))) {
    const key = JSON.stringify(other);
    if (!other || seen.has(key) || isAround(other, place)) continue;
    seen.add(key);
    related.push({ message, place: other });
  }
  return related.slice(0, MAX_RELATED);
}

/**
 * @param {FactDeclaration | undefined} fact
 * @returns {{words?: string}} what it says, as a part of a sentence: `whether the query sorts`
 */
function wordsOf(fact) {
  if (!fact) return {};
  // The list of possible values behind it is for those who write rules.
  const [what = ''] = fact.meaning.split(/[;:] |\.$/);
  return { words: what.replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase()) };
}

/**
 * @param {Step} step
 * @param {Pick<Making, 'getFact' | 'catalog'>} about
 * @param {string | undefined} each
 * @returns {{message: string, place: Place | undefined}[]}
 */
function evidenceOf(step, { getFact, catalog }, each) {
  const fact = getFact(step.fact);
  if (!isKnown(fact) || step.fact === each) return [];
  const { type = 'text', phrases = '' } = catalog.get(step.fact) ?? {};
  if (Array.isArray(fact.value)) {
    return fact.value.map((item) => {
      const shown = formatItem(item);
      return { message: phraseOf(phrases, item.value, shown) || shown, place: item.place };
    });
  }
  return [{ message: phraseOf(phrases, fact.value, formatFact(fact, type)), place: fact.place }];
}

/**
 * @param {Place} outer
 * @param {Place} inner
 * @returns {boolean} whether one place lies inside the other, and so says nothing more
 */
function isAround(outer, inner) {
  if (outer.file !== inner.file) return false;
  const startsBefore = outer.line < inner.line || (outer.line === inner.line && outer.column <= inner.column);
  const endLine = outer.endLine ?? outer.line;
  const innerEnd = inner.endLine ?? inner.line;
  const endsAfter = endLine > innerEnd || (endLine === innerEnd && (outer.endColumn ?? 0) >= (inner.endColumn ?? 0));
  return startsBefore && endsAfter;
}

/**
 * @param {Subject} subject
 * @returns {FindingSubject}
 */
export function describeSubject(subject) {
  switch (subject.kind) {
    case 'design-doc':
      return { kind: subject.kind, designDoc: subject.record.id ?? undefined, name: subject.name };
    case 'view':
      return { kind: subject.kind, designDoc: subject.parent.record.id ?? undefined, view: subject.name };
    case 'option':
      return describeSubject(subject.parent);
    case 'database':
      return { kind: subject.kind, name: subject.name, database: subject.name };
    case 'view-index':
    case 'find-query': {
      const { database } = subject.record;
      const designDoc = subject.kind === 'view-index' ? subject.record.designDoc : undefined;
      return { kind: subject.kind, name: subject.name, designDoc, database: database.name };
    }
    case 'search-index':
      return { kind: subject.kind, designDoc: subject.parent.record.id ?? undefined, name: subject.name };
    case 'change':
      return { kind: subject.kind, designDoc: subject.record.after.id ?? undefined, name: subject.name };
    case 'function':
      return {
        kind: subject.kind,
        name: subject.name,
        designDoc: subject.parent.record.id ?? undefined,
        view: subject.view,
      };
    case 'filter':
    case 'validate':
      return { kind: subject.kind, name: subject.name, designDoc: subject.parent.parent.record.id ?? undefined };
    case 'call': {
      const { designDoc, view, database } = subject.record;
      return {
        kind: subject.kind,
        name: subject.name,
        ...(designDoc === null ? {} : { designDoc }),
        ...(view === null ? {} : { view }),
        ...(database === null ? {} : { database }),
      };
    }
    case 'request':
    case 'build': {
      const { designDoc, database } = subject.record;
      return {
        kind: subject.kind,
        name: subject.name,
        ...(designDoc ? { designDoc } : {}),
        ...(subject.kind === 'request' && subject.record.view ? { view: subject.record.view } : {}),
        ...(database === null ? {} : { database }),
      };
    }
    default:
      return { kind: subject.kind, name: subject.name };
  }
}

/**
 * @param {Rule} rule
 * @param {Target} target
 * @returns {boolean}
 */
function holdsFor({ appliesTo }, { version }) {
  if (appliesTo?.from !== undefined && compareVersions(version, appliesTo.from) < 0) return false;
  return appliesTo?.before === undefined || compareVersions(version, appliesTo.before) < 0;
}

/**
 * @param {Rule} rule
 * @param {RuleSetting} setting
 * @returns {Rule} the rule with the numbers of the configuration instead of its own
 */
function withThresholds(rule, { thresholds }) {
  if (!thresholds || thresholds.size === 0) return rule;
  const questions = Object.entries(rule.questions).map(([id, question]) => {
    const value = thresholds.get(id);
    return [id, value === undefined ? question : { ...question, value }];
  });
  return { ...rule, questions: Object.fromEntries(questions) };
}

/**
 * @param {Rule} rule
 * @param {SourceName} source
 * @param {FactCatalog} catalog
 * @returns {boolean} whether some way through its tree uses a fact that needs this
 */
export function usesSource({ questions }, source, catalog) {
  return Object.values(questions).some(({ fact }) => catalog.get(fact)?.sources.includes(source));
}
