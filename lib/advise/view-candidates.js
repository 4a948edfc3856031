// Proposes changes of views for the queries of a workload: a built-in reduce, fields instead of documents, one map text for two views,
// and views and indexes that nothing needs.

import { fieldsOfCalls } from '../facts/call/reported.js';
import { isKnown } from '../facts/fact.js';
import { viewInUse, viewOf } from '../facts/request/view.js';
import { documentName, emitInstead, fieldsOf } from '../proof/synthesis/emitted-value.js';
import { joinWords } from '../shared/join-words.js';
import { member, plainValue } from '../sources/record.js';
import { afterFactor, savesOfBuiltin, viewTimes } from './costs.js';
import { readFieldCandidates } from './read-fields.js';
import { changeOf, definitionOf, nameOfView } from './view-change.js';

/** @import { Ask, IndexSubject, RunSubject, Subject, ViewSubject } from '../facts/fact.js' */
/** @import { Outcome } from '../engine/rule.js' */
/** @import { Finding } from '../engine/findings/finding.js' */
/** @import { IndexDefinition, PlanChange, Reads, StepQuery } from './plan.js' */
/** @import { Statement } from './workload.js' */

/** @typedef {{finding: Finding, subject: Subject}} FindingLink */

/**
 * @typedef {object} ViewCandidate
 * @property {string} id
 * @property {Pick<PlanChange, 'kind' | 'designDoc' | 'name' | 'view' | 'replaces' | 'file'>} change
 * @property {string} title
 * @property {ViewSubject | undefined} view that is changed or dropped
 * @property {IndexSubject | undefined} index that is dropped
 * @property {{statement: Statement, saved: number | null, effect: Pick<StepQuery, 'before' | 'after' | 'msBefore' | 'msAfter' | 'mustChange'>}[]} serves
 * @property {string | undefined} alternative of candidates with the same word only one is chosen
 * @property {string[]} because
 * @property {string[]} findings
 */

/**
 * @param {FindingLink[]} links findings of the run
 * @param {Statement[]} statements
 * @param {{run: RunSubject, ask: Ask, changeFor: (finding: Finding) => Outcome['change'], savesOf: (rule: string) => number | undefined}} about
 *   `savesOf`: how many times less a request takes, as measured
 * @returns {{candidates: ViewCandidate[], notes: string[]}}
 */
export function viewCandidates(links, statements, { run, ask, changeFor, savesOf }) {
  /** @type {Map<string, ViewCandidate>} */
  const candidates = new Map();
  /** @type {Set<string>} */
  const notes = new Set();
  const add = (/** @type {ViewCandidate | undefined} */ candidate) => {
    if (!candidate) return;
    const known = candidates.get(candidate.id);
    if (known) known.findings.push(...candidate.findings);
    else candidates.set(candidate.id, candidate);
  };
  for (const { finding, subject } of links) {
    const about = viewAbout(subject);
    const view = about && viewInUse(about);
    switch (changeFor(finding)) {
      case 'builtin-reduce':
        add(
          view &&
            withBuiltin(view, finding, {
              statements,
              ask,
              saves: savesOfBuiltin(savesOf(finding.rule) ?? 1, run.target.engine),
            }),
        );
        break;
      case 'emit-fields': {
        const found = view && subject.kind !== 'view' && withFields(view, finding, { run, statements, ask });
        if (typeof found === 'string') notes.add(found);
        else add(found || undefined);
        break;
      }
      case 'share-map':
        add(view && withSharedMap(view, finding, ask));
        break;
      case 'drop-view':
        add(view && withoutView(view, finding));
        break;
      case 'drop-index':
        add(
          subject.kind === 'index'
            ? withoutIndex(subject, finding.message.replaceAll('`', ''), [finding.key])
            : undefined,
        );
        break;
      default:
    }
  }
  const read = readFieldCandidates(links, { run, ask, changeFor });
  for (const found of read.candidates) add(found);
  for (const note of read.notes) notes.add(note);
  const sized = [...candidates.values()].flatMap((candidate) => {
    const known = candidate.serves.filter(({ saved }) => saved !== null);
    if (known.length === candidate.serves.length) return [candidate];
    notes.add(`what "${candidate.title}" saves is unknown for some queries: the log does not show their rows or times`);
    return known.length > 0 ? [{ ...candidate, serves: known }] : [];
  });
  return { candidates: sized, notes: [...notes] };
}

/** @param {Subject} subject @returns {ViewSubject | undefined} */
function viewAbout(subject) {
  if (subject.kind === 'view') return subject;
  if (subject.kind === 'function' && subject.view !== undefined) {
    return subject.parent.views.find(({ name }) => name === subject.view);
  }
  const view = subject.kind === 'request' ? viewOf(subject) : undefined;
  return view && !('unknown' in view) ? view : undefined;
}

/**
 * @param {ViewSubject} view
 * @param {Statement[]} statements
 * @returns {Statement[]} that query it
 */
function queriesOf(view, statements) {
  return statements.filter(({ query, subject }) => query.kind === 'view' && viewOf(subject) === view);
}

/**
 * @param {ViewSubject} view
 * @param {Finding} finding
 * @param {{statements: Statement[], ask: Ask, saves: number}} about
 * @returns {ViewCandidate | undefined} only where the built-in is proved to return the same, on a condition that holds
 */
function withBuiltin(view, finding, { statements, ask, saves }) {
  const [verdict, builtin] = [ask(view, 'reduce.verdict'), ask(view, 'reduce.builtin')];
  const before = definitionOf(view);
  const answer =
    before && isKnown(verdict) && isKnown(builtin) ? answerOf(view, String(verdict.value), ask) : undefined;
  if (!before || answer === undefined || !isKnown(builtin)) return undefined;
  const [holds, onDocuments] = [ask(view, 'reduce.conditionHolds'), ask(view, 'reduce.documentsMeetCondition')];
  const isSure = isKnown(holds) && holds.value === 'always';
  if (!isSure && !(isKnown(onDocuments) && onDocuments.value === true)) return undefined;
  const reduce = String(builtin.value);
  const base = changeOf(view, [finding.key], {
    kind: 'change-view',
    suffix: reduce,
    title: `use ${reduce} as the reduce of ${nameOfView(view)}`,
    after: { map: before.map, reduce },
  });
  const mustChange = answer === '' ? [] : [`read \`row.${answer}\` instead of \`row.value\``];
  const serves = queriesOf(view, statements)
    .filter(({ subject }) => {
      const reduces = ask(subject, 'request.reduces');
      return isKnown(reduces) && reduces.value === true;
    })
    .map((statement) => serveFaster(statement, saves, mustChange));
  const condition = ask(view, 'reduce.condition');
  const rewritten = answer === '' ? '' : `, which is in ${answer} of its rows then`;
  const ground = isSure || !isKnown(condition) ? '' : ` if ${condition.value}, which the sample documents meet`;
  return (
    base && { ...base, serves, because: [`${reduce} is proved to return the same as its reduce${rewritten}${ground}`] }
  );
}

/** A rewrite that is for clients only. */
const READ_INSTEAD = /^clients read `(value[^`]*)` instead of `value`$/;

/**
 * @param {ViewSubject} view
 * @param {string} verdict
 * @param {Ask} ask
 * @returns {string | undefined} what clients then read, `value.max`; empty where they read what they read now, undefined where the map or more would change
 */
function answerOf(view, verdict, ask) {
  if (verdict === 'equal') return '';
  const [rewrite, isAvailable] = [ask(view, 'reduce.rewrite'), ask(view, 'reduce.builtinIsAvailable')];
  if (verdict !== 'equalAfterRewrite' || !isKnown(rewrite)) return undefined;
  if (isKnown(isAvailable) && isAvailable.value === false) return undefined;
  return READ_INSTEAD.exec(String(rewrite.value))?.[1];
}

/**
 * @param {Statement} statement
 * @param {number} saves how many times less a request takes, but for what every request takes
 * @param {string[]} mustChange
 * @returns {ViewCandidate['serves'][number]}
 */
function serveFaster(statement, saves, mustChange) {
  const { msEach, perDay } = statement.query;
  const msAfter = msEach === null ? null : afterFactor(msEach, saves);
  const saved = msEach === null || msAfter === null ? null : (msEach - msAfter) * perDay;
  return { statement, saved, effect: { before: null, after: null, msBefore: msEach, msAfter, mustChange } };
}

/**
 * @param {ViewSubject} view
 * @param {Finding} finding
 * @param {{run: RunSubject, statements: Statement[], ask: Ask}} about
 * @returns {ViewCandidate | string | undefined} or why there is none
 */
function withFields(view, finding, { run, statements, ask }) {
  const before = definitionOf(view);
  const document = before && documentName(before.map);
  if (!before || document === undefined) return undefined;
  const name = nameOfView(view);
  const fields = fieldsOfCalls(run, view, ask);
  if (fields.length === 0) {
    return `${name} reads a document for each row, but which fields its clients use is unknown: no change is proposed`;
  }
  const type = ask(view, 'view.valueType');
  // Clients and reduces may use the values that are there.
  const isFree = isKnown(type) && type.value === 'null' && (!before.reduce || before.reduce.trim() === '_count');
  const map = isFree ? emitInstead(before.map, fieldsOf(document, fields)) : undefined;
  if (map === undefined)
    return `${name} reads a document for each row, but clients may use the values that it emits: no change is proposed`;
  const base = changeOf(view, [finding.key], {
    kind: 'change-view',
    suffix: 'fields',
    title: `emit ${joinWords(fields)} in ${name}`,
    after: { ...before, map },
  });
  const shown = fields.map((field) => `\`row.value.${field}\``).join(', ');
  const serves = queriesOf(view, statements)
    .filter(({ subject }) => subject.record.parameters.includes('include_docs=true'))
    .map((statement) =>
      serveRows(statement, [`query without \`include_docs\`, and read ${shown} instead of \`row.doc\``]),
    );
  return base && { ...base, serves, because: [`the code reads only ${joinWords(fields)} of the documents`] };
}

/**
 * @param {Statement} statement
 * @param {string[]} mustChange
 * @returns {ViewCandidate['serves'][number]}
 */
function serveRows(statement, mustChange) {
  const { record } = statement.subject;
  const { msEach, perDay } = statement.query;
  const rows =
    record.rows && (record.rows.isMeasured || record.limitCount >= record.count) ? record.rows.p50 : undefined;
  if (rows === undefined) {
    return {
      statement,
      saved: null,
      effect: { before: null, after: null, msBefore: msEach, msAfter: null, mustChange },
    };
  }
  const basis = record.rows?.isMeasured ? 'measured' : 'estimated';
  /** @type {Reads} */
  const before = { rows, documents: rows, results: rows, basis };
  /** @type {Reads} */
  const after = { ...before, documents: 0 };
  const { msBefore, msAfter } = viewTimes(before, after, msEach);
  return { statement, saved: (msBefore - msAfter) * perDay, effect: { before, after, msBefore, msAfter, mustChange } };
}

/**
 * @param {ViewSubject} view whose map differs from that of an earlier view of its document only in spelling
 * @param {Finding} finding
 * @param {Ask} ask
 * @returns {ViewCandidate | undefined}
 */
function withSharedMap(view, finding, ask) {
  const twins = ask(view, 'view.duplicateInDocument');
  const [first] = isKnown(twins) && Array.isArray(twins.value) ? twins.value : [];
  const twin = view.parent.views.find(({ name }) => name === first?.value);
  const [before, map] = [definitionOf(view), twin?.map?.text.text];
  if (!before || map === undefined) return undefined;
  const base = changeOf(view, [finding.key], {
    kind: 'change-view',
    suffix: 'shared map',
    title: `give ${nameOfView(view)} the same map text as ${twin?.name}`,
    after: { ...before, map },
  });
  return base && { ...base, serves: [], because: ['both maps emit the same rows: with one text they share one index'] };
}

/** @param {ViewSubject} view @param {Finding} finding @returns {ViewCandidate | undefined} */
function withoutView(view, finding) {
  const base = changeOf(view, [finding.key], { kind: 'drop-view', suffix: 'drop', title: `drop ${nameOfView(view)}` });
  return base && { ...base, serves: [], because: [`${finding.message.replaceAll('`', '')}`] };
}

/**
 * @param {IndexSubject} index
 * @param {string} reason
 * @param {string[]} findings keys of findings that it settles
 * @returns {ViewCandidate | undefined} undefined where the server gave the index its name
 */
export function withoutIndex(index, reason, findings) {
  const { record, place } = index;
  const definition = member(record.node, 'index');
  if (record.name === null || record.ddoc === null || definition?.type !== 'object') return undefined;
  const designDoc = `_design/${record.ddoc.replace(/^_design\//, '')}`;
  return {
    id: `${designDoc} ${record.name} drop`,
    change: {
      kind: 'drop-index',
      designDoc,
      name: record.name,
      replaces: { index: /** @type {IndexDefinition} */ (plainValue(definition)) },
      file: `${place.file}:${place.line}`,
    },
    title: `drop index ${record.name}`,
    view: undefined,
    index,
    serves: [],
    alternative: undefined,
    because: [reason],
    findings,
  };
}
