// Searches for documents, made to fit a map, that show a problem: one that differs in one thing from a document that it emits for and makes it throw,
// and documents whose rows depend on the clock or on the time zone of the server. Runs the map in the sandbox only, and only where its text leaves
// open what it does.

import { namesOf } from '../../javascript/analyse.js';
import { throwsNever } from '../../javascript/never-throws.js';
import { parseFunction } from '../../javascript/parse.js';
import { isKnownGlobal } from '../../javascript/query-server.js';
import { isCutOff, mayDifferAfter } from '../../sandbox/limits.js';
import { documentsFor } from '../synthesis/try-rows.js';

/** @import { ParsedFunction } from '../../javascript/parse.js' */
/** @import { MapAnswer, Sandbox } from '../../sandbox/sandbox.js' */
/** @import { ForeignClock } from '../../sandbox/foreign-clock.js' */
/** @import { Influence } from '../synthesis/try-rows.js' */
/** @import { Document, Fault } from './run-function.js' */

/** What was changed of a document, the likeliest to happen first. @typedef {'missing' | 'an empty array' | 'null' | 'of another type'} Change */

/** `member`: `customer.name`, `items[].price` @typedef {{member: string, change: Change, document: Document, fault: Pick<Fault, 'message' | 'frames'>}} Thrown */

/**
 * @typedef {object} Witness
 * @property {'tried' | 'not tried'} verdict not tried where no document can be made that the map emits for, and its text leaves open whether it throws
 * @property {Thrown} [thrown] the likeliest
 * @property {Thrown[]} nulls those where a member is null
 * @property {Influence} clock
 * @property {Influence} zone
 * @property {string[]} [undefinedNames] names that it read and that are not defined, on any document that was tried
 * @property {boolean} [neverThrows] whether its text shows that, or it throws on none of them and each of their members was changed
 * @property {string} [cutOff] the limit of the sandbox that ended the trial
 * @property {boolean} [mayDiffer] whether another run may not meet that limit
 * @property {string} [bailout] why no documents were made, where the map is too large for that
 */

/** @typedef {{map: string, libraries: Record<string, unknown>}} WitnessQuestion */

/** Goes up with every change that may change an answer. */
export const WITNESS_VERSION = 6;

/** Documents whose members are changed, and changes of all of them. */
const MAX_CHANGED = 4;
const MAX_CHANGES = 160;
const DEEPEST = 4;
/** Documents whose rows are compared at other moments and in other zones. */
const MAX_COMPARED = 60;

const NOON = Date.UTC(2024, 1, 29, 12, 0, 0);
/** @type {ForeignClock} */
const BASE = { now: NOON, zoneMinutes: 0 };
/** Other hours, weekdays and years, before and after the dates of the documents. @type {ForeignClock[]} */
const CLOCKS = [
  Date.UTC(2031, 6, 4, 21, 47, 13, 5),
  Date.UTC(2001, 8, 9, 1, 46, 40),
  Date.UTC(2139, 10, 28, 16, 5),
].map((now) => ({ now, zoneMinutes: 0 }));
/** India, the west of America, and the east of Kiribati: whatever hour a date has, its day is another in one of them. @type {ForeignClock[]} */
const ZONES = [
  { now: NOON, zoneMinutes: 330 },
  { now: NOON, zoneMinutes: -480 },
  { now: NOON, zoneMinutes: 840 },
];
/** Work on all documents of one map: fitting takes most of it. */
const LIMITS = { functionSteps: 10_000_000, callSteps: 200_000 };

/** There is no other way to the clock and to the zone, but for names that are put together. */
const DATE = /\bDate\b/;

const ISO_MOMENT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/**
 * @param {WitnessQuestion} question
 * @param {Pick<Sandbox, 'forView'>} sandbox
 * @returns {Promise<Witness>}
 */
export async function findWitness({ map: source, libraries }, sandbox) {
  const readsDates = DATE.test(source) || DATE.test(JSON.stringify(libraries));
  const tree = parseFunction(source);
  const isTotal = tree.ok && throwsNever(tree);
  /** @type {Witness} */
  const shown = { verdict: 'tried', clock: 'same', zone: 'same', nulls: [], undefinedNames: [], neverThrows: true };
  if (isTotal && !readsDates) return shown;
  const own = sandbox.forView(LIMITS);
  const run = (/** @type {object[]} */ docs, /** @type {ForeignClock} */ clock, given = source) =>
    own.map({ source: given, libraries, docs, traces: true, ...(readsDates ? { clock } : {}) });
  const made = await documentsFor(source, {
    map: ({ source: given, docs: some }) => run(/** @type {object[]} */ (some), BASE, given),
  });
  /** @type {Witness} */
  const notTried = { verdict: 'not tried', clock: 'unknown', zone: 'unknown', nulls: [] };
  if ('unknown' in made) return { ...notTried, bailout: made.unknown };
  const fitting = /** @type {Document[]} */ (made.fitting);
  if (fitting.length === 0) return withLimit(notTried, own);
  const wantsNulls = TYPEOF.test(source);
  const wantsAll = !tree.ok || hasStrayNames(tree) || (wantsNulls && Object.keys(libraries).length > 0);
  /** @type {Trial} */
  const trial = { source, wantsAll, wantsNulls, run: (docs) => run(docs, BASE) };
  const early = wantsAll || readsDates ? undefined : await tryEarly(fitting, trial);
  if (early?.thrown) {
    return withLimit({ ...shown, neverThrows: false, thrown: early.thrown, nulls: wantsNulls ? early.nulls : [] }, own);
  }

  const varied = await made.vary();
  if ('unknown' in varied) return { ...notTried, bailout: varied.unknown };
  const docs = [...fitting, .../** @type {Document[]} */ (varied)];
  const compared = [...docs.slice(0, MAX_COMPARED), ...docs.slice(0, MAX_CHANGED).map(daysOnly)];
  const base = await run(compared, BASE);
  // Code that did not read the clock, or the zone, runs alike at any other.
  const { now, zone } = { ...own.clockReads };
  const changesAt = async (/** @type {ForeignClock[]} */ clocks) => {
    for (const clock of clocks) if (differ(base, await run(compared, clock))) return 'changes';
    return 'same';
  };
  if (now) shown.clock = await changesAt(CLOCKS);
  if (zone) shown.zone = await changesAt(ZONES);
  if (isTotal) return withLimit(shown, own);
  const changes = changesOf(docs, base);
  // Those of the documents that fit come first.
  const tried = early?.changes.length === changes.length ? early : await tryChanges(changes, trial);
  const { thrown, nulls } = tried;
  const others = thrown && !wantsAll ? [] : await trial.run(docs.slice(MAX_COMPARED));
  const all = [...base, ...others, ...tried.answers];
  const neverThrows = changes.length < MAX_CHANGES && all.every((answer) => 'emits' in answer);
  const undefinedOnes = undefinedNames(all);
  return withLimit({ ...shown, ...(thrown ? { thrown } : {}), nulls, undefinedNames: undefinedOnes, neverThrows }, own);
}

/**
 * Whether facts need every answer, or every null that throws, beside the first change that throws.
 * @typedef {{source: string, wantsAll: boolean, wantsNulls: boolean, run: (documents: Document[]) => Promise<MapAnswer[]>}} Trial
 */

/** `nulls`: all of them where they are wanted. @typedef {{changes: Changed[], answers: MapAnswer[], thrown: Thrown | undefined, nulls: Thrown[]}} Tried */

/**
 * @param {Document[]} fitting
 * @param {Trial} trial
 * @returns {Promise<Tried | undefined>} with changes of these alone; undefined where nulls in other documents count too
 */
async function tryEarly(fitting, trial) {
  const answers = await trial.run(fitting.slice(0, 2 * MAX_CHANGED));
  if (trial.wantsNulls && answers.filter(emitsRows).length < MAX_CHANGED) return undefined;
  return tryChanges(changesOf(fitting, answers), trial);
}

/**
 * Tries the likeliest changes first, and no more than is wanted once one of them is due: the others would be shown after it.
 * @param {Changed[]} changes of several documents
 * @param {Trial} trial
 * @returns {Promise<Tried>}
 */
async function tryChanges(changes, { source, wantsAll, wantsNulls, run }) {
  const isFirst = (/** @type {Changed} */ { change, base }) => change === RANK[0] && base === changes[0]?.base;
  const byRank = RANK.map((rank) => changes.filter((one) => one.change === rank && !isFirst(one)));
  /** @type {Thrown[]} */
  const due = [];
  /** @type {MapAnswer[]} */
  const answers = [];
  for (const some of wantsAll ? [changes] : [changes.filter(isFirst), ...byRank]) {
    if (due.length > 0 && !(wantsNulls && some[0]?.change === 'null')) continue;
    const given = some.length > 0 ? await run(some.map(({ document }) => document)) : [];
    answers.push(...given);
    const thrown = some.flatMap((change, at) => {
      const fault = faultOf(given[at]);
      return fault && !isOnPurpose(fault, source) ? [{ ...change, fault }] : [];
    });
    due.push(...(await dueTo(thrown, run)));
  }
  return { changes, answers, thrown: due[0], nulls: due.filter(({ change }) => change === 'null') };
}

/** Where a test of a type may let null through, each null is shown; a module that it loads may read names that are not defined. */
const TYPEOF = /\btypeof\b/;

/** @param {ParsedFunction} tree @returns {boolean} whether it reads names that may not be defined: each answer may name them */
function hasStrayNames(tree) {
  return namesOf(tree).references.some(({ name, binding }) => !binding && !isKnownGlobal(name) && !DEFINED.has(name));
}

/** What is defined in a map beside the globals that do nothing. */
const DEFINED = new Set(['emit', 'undefined', 'NaN', 'Infinity', 'arguments']);

/** @param {MapAnswer | undefined} answer @returns {Pick<Fault, 'message' | 'frames'> | undefined} what it threw, if it did */
function faultOf(answer) {
  if (!answer || !('error' in answer) || answer.error.kind !== 'threw') return undefined;
  return { message: answer.error.message, frames: answer.error.frames ?? [] };
}

/** Errors that engines throw; `throw` statements throw them seldom. */
const OF_ENGINES = /^(?:Type|Range|Reference|Syntax|URI|Internal)Error\b/;

/** @param {Pick<Fault, 'message'>} fault @param {string} source @returns {boolean} whether a `throw` of the map itself threw it: it means to leave the document out */
function isOnPurpose({ message }, source) {
  return /\bthrow\b/.test(source) && !OF_ENGINES.test(message);
}

/**
 * @param {(Changed & {fault: Pick<Fault, 'message' | 'frames'>})[]} thrown
 * @param {(documents: Document[]) => Promise<MapAnswer[]>} run
 * @returns {Promise<Thrown[]>} those that are due to their change, the likeliest first: not where the map throws the same for another
 *   value of the same kind, since the change then only led to a branch that expects other documents
 */
async function dueTo(thrown, run) {
  if (thrown.length === 0) return [];
  const ranked = thrown.sort((one, other) => RANK.indexOf(one.change) - RANK.indexOf(other.change));
  const answers = await run(ranked.map(({ path, base }) => redrawn(base, path)));
  const due = ranked.filter(({ fault }, at) => JSON.stringify(faultOf(answers[at])) !== JSON.stringify(fault));
  return due.map(({ path, change, document, fault }) => ({ member: nameOf(path), change, document, fault }));
}

/** As QuickJS words it. */
const NOT_DEFINED = /ReferenceError: '?([\w$]+)'? is not defined/;

/** @param {MapAnswer[]} answers @returns {string[]} */
function undefinedNames(answers) {
  const names = answers.flatMap((answer) =>
    'error' in answer ? (NOT_DEFINED.exec(answer.error.message)?.[1] ?? []) : [],
  );
  return [...new Set(names)];
}

/** @type {Change[]} */
const RANK = ['missing', 'an empty array', 'null', 'of another type'];

/** @param {Witness} witness @param {Pick<Sandbox, 'cutOff'>} sandbox @returns {Witness} */
function withLimit(witness, { cutOff }) {
  return cutOff ? { ...witness, cutOff: cutOff.error.message, ...mayDifferAfter(cutOff.error) } : witness;
}

/** @param {MapAnswer | undefined} answer @returns {boolean} */
function emitsRows(answer) {
  return answer !== undefined && 'emits' in answer && answer.emits.length > 0;
}

/**
 * @param {MapAnswer[]} some
 * @param {MapAnswer[]} others of the same documents
 * @returns {boolean} whether they have other rows; what a limit cut off has none to compare
 */
function differ(some, others) {
  return some.some((answer, at) => {
    const [one, other] = [rowsOf(answer), rowsOf(others[at])];
    return one !== undefined && other !== undefined && one !== other;
  });
}

/** @param {MapAnswer | undefined} answer @returns {string | undefined} */
function rowsOf(answer) {
  if (!answer) return undefined;
  if ('emits' in answer) return JSON.stringify(answer.emits);
  return isCutOff(answer.error) ? undefined : '[]';
}

/**
 * @template T
 * @param {T} value
 * @returns {T} with days where it has moments: `2020-01-01` is cut into parts more often
 */
function daysOnly(value) {
  return JSON.parse(JSON.stringify(value), (_, part) =>
    typeof part === 'string' && ISO_MOMENT.test(part) ? part.slice(0, 10) : part,
  );
}

/** `path`: of what was changed, `base`: the document before. @typedef {{path: (string | number)[], change: Change, document: Document, base: Document}} Changed */

/**
 * @param {Document[]} documents
 * @param {MapAnswer[]} answers of the map for them
 * @returns {Changed[]} documents that differ in one thing from one of those that the map emits for, as many as are tried
 */
function changesOf(documents, answers) {
  /** @type {Changed[]} */
  const found = [];
  for (const document of documents.filter((_, at) => emitsRows(answers[at])).slice(0, MAX_CHANGED)) {
    for (const changed of changesOfOne(document)) {
      if (found.length === MAX_CHANGES) return found;
      found.push(changed);
    }
  }
  return found;
}

/**
 * @param {Document} document
 * @returns {Generator<Changed>} documents that differ from it in one thing: each is a copy, made when it is wanted
 */
function* changesOfOne(document) {
  for (const { path, part } of partsOf(document, [])) {
    for (const [change, replacement] of replacementsOf(part, typeof path.at(-1) === 'number')) {
      yield { path, change, document: /** @type {Document} */ (replaced(document, path, replacement)), base: document };
    }
  }
}

/**
 * @param {unknown} value
 * @param {(string | number)[]} path
 * @returns {Generator<{path: (string | number)[], part: unknown}>} its members and what is in these, outer ones first
 */
function* partsOf(value, path) {
  if (typeof value !== 'object' || value === null || path.length > DEEPEST) return;
  // Of an array the first item represents all.
  for (const [name, part] of Array.isArray(value) ? [...value.entries()].slice(0, 1) : Object.entries(value)) {
    if (path.length === 0 && String(name).startsWith('_')) continue;
    const at = [...path, name];
    yield { path: at, part };
    yield* partsOf(part, at);
  }
}

/**
 * @param {unknown} value
 * @param {boolean} isItem whether it stands in a list, of which nothing can be missing
 * @returns {[Change, unknown][]}
 */
function replacementsOf(value, isItem) {
  /** @type {[Change, unknown][]} */
  const found = isItem ? [] : [['missing', undefined]];
  found.push(['null', null]);
  if (Array.isArray(value) && value.length > 0) found.push(['an empty array', []]);
  found.push(['of another type', typeof value === 'string' ? 7 : 'text']);
  return found;
}

/**
 * @param {unknown} value
 * @param {(string | number)[]} path
 * @param {unknown} replacement undefined to leave it out
 * @returns {unknown} a copy
 */
function replaced(value, path, replacement) {
  const [name, ...rest] = path;
  if (name === undefined) return replacement;
  if (Array.isArray(value)) return value.map((item, at) => (at === name ? replaced(item, rest, replacement) : item));
  const members = Object.entries(/** @type {Document} */ (value)).map(([own, part]) => [
    own,
    own === name ? replaced(part, rest, replacement) : part,
  ]);
  return Object.fromEntries(members.filter(([, part]) => part !== undefined));
}

/**
 * @param {Document} document
 * @param {(string | number)[]} path
 * @returns {Document} a copy with another value of the same kind there
 */
function redrawn(document, path) {
  const part = path.reduce((/** @type {any} */ at, name) => at[name], document);
  return /** @type {Document} */ (replaced(document, path, otherThan(part)));
}

/** @param {unknown} value @returns {unknown} another of its kind; dates stay dates, and digits digits */
function otherThan(value) {
  if (Array.isArray(value)) return value.map(otherThan);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, otherThan(part)]));
  if (typeof value === 'string')
    return /^\d{4}-/.test(value) ? `2019${value.slice(4)}` : `${value}${/^\d+$/.test(value) ? 1 : 'x'}`;
  if (typeof value === 'number') return value + 1;
  return typeof value === 'boolean' ? !value : value;
}

/** @param {(string | number)[]} path @returns {string} `items[].price` */
function nameOf(path) {
  return path
    .map((name) => (typeof name === 'number' ? '[]' : `.${name}`))
    .join('')
    .slice(1);
}
