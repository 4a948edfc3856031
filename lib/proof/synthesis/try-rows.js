// Tries whether calls of the clock or of random numbers, and what one document leaves to the next, change the rows of a
// map and its reduce. Runs fitting documents in the sandbox, as CouchDB would see them at one moment and at another.

import { isCutOff, mayDifferAfter } from '../../sandbox/limits.js';
import { withinLimits } from '../../shared/bailout.js';
import { findChoices, singleChanges, withRevision } from './find-choices.js';
import { readNeeds } from './read-needs.js';
import { searchBudget } from './search-budget.js';
import { DocumentWriter } from './write-document.js';

/** @import { MapAnswer, ReduceTree, Sandbox } from '../../sandbox/sandbox.js' */

/**
 * What a call gives: milliseconds (`Date.now()`), a date (`new Date()`), a text (`Date()`), a number below 1 (`Math.random()`).
 * @typedef {'milliseconds' | 'date' | 'text' | 'random'} MomentKind
 */

/** @typedef {{start: number, end: number, kind: MomentKind}} MomentCall offsets in the text it stands in */

/**
 * @typedef {object} RowQuestion
 * @property {string} map
 * @property {string | undefined} reduce where it is the reduce that is tried, over the rows of the map
 * @property {Record<string, unknown>} libraries `views.lib`
 * @property {MomentCall[]} calls in the reduce where there is one, else in the map
 * @property {boolean} carries whether a read of a variable can come before its write
 */

/** Whether something changes the rows: `rolls over` where only the day of the month or its length does, `unknown` where no document that was tried
 *  reaches it. @typedef {'changes' | 'rolls over' | 'same' | 'unknown'} Influence */

/** A document and what a map emits for it if the clock stands at two moments. @typedef {{document: object, moments: [string, string], rows: [string, string]}} RowExample */

/**
 * @typedef {object} RowTrial
 * @property {'tried' | 'not tried'} verdict
 * @property {Influence[]} calls one for each call of the question
 * @property {Influence} state whether rows of a document depend on the documents before it
 * @property {RowExample} [rollover] of the first call that rolls over
 * @property {boolean} [mayDiffer] whether a limit of time or memory cut calls off: another run may show more
 * @property {string} [bailout] why no documents were made, where the map is too large for that
 */

/** Goes up with every change that may change an answer. */
export const TRIAL_VERSION = 3;

/** The same question has the same answer. */
const SEED = 'rows';
/** Documents that differ in one part from a document that fits, and those that fit, of each choice. */
const MAX_VARIED = 120;
const FITTING = 3;
/** Documents whose rows are compared with those that they have alone. */
const MAX_ALONE = 24;
/** Rows that a reduce is given. */
const MAX_ROWS = 60;
const MAX_CALLS = 12;

/** Moments between which an index can be built: another weekday and hour, another year, one before and one after all dates of the documents. */
const MOMENTS = [
  Date.UTC(2025, 0, 1),
  Date.UTC(2025, 0, 2, 7, 13, 11, 271),
  Date.UTC(2026, 4, 17, 22, 41, 59, 3),
  Date.UTC(2001, 8, 9, 1, 46, 40),
  Date.UTC(2139, 10, 28, 16, 5, 37, 901),
  // In seconds still later than the milliseconds of a document.
  8_000_000_000_000_000,
  // Only for `tryDays`: a day that half of the months do not have, and a month that does not have all days.
  Date.UTC(2027, 0, 31, 9),
  Date.UTC(2027, 1, 10, 9),
];
/** At this one no date can be computed with as usual: what throws there says nothing. */
const FARTHEST = 5;
const CHANCES = [0.5, 0.003, 0.27, 0.81, 0.999, 0.12, 0.4, 0.6];

/** Emitted where a call is reached. No map of a user emits it. */
const MARK = '\u0001couch-advisor moment';

/**
 * @param {RowQuestion} question
 * @param {Pick<Sandbox, 'map' | 'reduce'>} sandbox
 * @returns {Promise<RowTrial>}
 */
export async function tryRows(question, sandbox) {
  const { map, libraries, calls, carries } = question;
  const unknown = { verdict: /** @type {const} */ ('not tried'), calls: calls.map(() => UNKNOWN), state: UNKNOWN };
  let mayDiffer = false;
  /** @type {Run} */
  const run = async (source, given) => {
    const answers = await sandbox.map({ source, docs: given, libraries });
    mayDiffer ||= answers.some(
      (answer) => 'error' in answer && isCutOff(answer.error) && mayDifferAfter(answer.error).mayDiffer,
    );
    return answers;
  };
  const made = await documentsFor(map, {
    map: (request) => run(request.source, /** @type {object[]} */ (request.docs)),
  });
  if ('unknown' in made) return { ...withCut(unknown, mayDiffer), bailout: made.unknown };
  if (made.fitting.length === 0) return withCut(unknown, mayDiffer);
  const varied = await made.vary();
  if ('unknown' in varied) return { ...withCut(unknown, mayDiffer), bailout: varied.unknown };
  const docs = [...made.fitting, ...varied];
  const rowsOf = (/** @type {string} */ source) => run(source, docs);
  const tried =
    question.reduce === undefined
      ? await tryMap(map, calls, { docs, run })
      : { calls: await tryReduce(question, sandbox, await rowsOf(map)) };
  const state = carries ? await tryState(map, docs, run) : UNKNOWN;
  return withCut({ verdict: 'tried', ...tried, state }, mayDiffer);
}

/** @param {RowTrial} trial @param {boolean} mayDiffer @returns {RowTrial} */
function withCut(trial, mayDiffer) {
  return mayDiffer ? { ...trial, mayDiffer } : trial;
}

/** @type {Influence} */
const UNKNOWN = 'unknown';

/** @typedef {(source: string, docs: object[]) => Promise<MapAnswer[]>} Run */

/** `fitting`: the map emits for these, none where there are none; `vary` makes such as differ from one of them in a single part, as far as the map is not too large. @typedef {{fitting: object[], vary: () => Promise<object[] | {unknown: string}>}} MadeDocuments */

/**
 * @param {string} map
 * @param {Pick<Sandbox, 'map'>} sandbox
 * @returns {Promise<MadeDocuments | {unknown: string}>} unknown where the map is too large to make some
 */
export function documentsFor(map, sandbox) {
  return withinLimits(() => makeDocuments(map, sandbox));
}

/**
 * @param {string} map
 * @param {Pick<Sandbox, 'map'>} sandbox
 * @returns {Promise<MadeDocuments>}
 * @throws {Bailout}
 */
async function makeDocuments(map, sandbox) {
  const none = { fitting: [], vary: async () => [] };
  const budget = searchBudget(MAX_VARIED);
  const needs = readNeeds(map, budget);
  if ('reason' in needs) return none;
  const writer = new DocumentWriter(needs, { seed: SEED, count: MAX_VARIED, paddingBytes: 0, budget });
  const found = await findChoices(map, writer, { seed: SEED, sandbox });
  if ('reason' in found) return none;
  const fitting = found.choices.flatMap((choice) =>
    Array.from({ length: FITTING }, (_, number) => withRevision(writer.write(choice, number))),
  );
  const [best = new Map()] = found.choices;
  return {
    fitting,
    vary: () =>
      withinLimits(async () =>
        singleChanges(best, writer, MAX_VARIED).map((choice, at) => withRevision(writer.write(choice, FITTING + at))),
      ),
  };
}

/**
 * @param {string} map
 * @param {MomentCall[]} calls
 * @param {{docs: object[], run: Run}} given
 * @returns {Promise<Pick<RowTrial, 'calls' | 'rollover'>>}
 */
async function tryMap(map, calls, { docs, run }) {
  const reached = new Set();
  for (const answer of await run(withMarks(map, calls), docs)) {
    if (!('emits' in answer)) continue;
    for (const { key } of answer.emits) if (Array.isArray(key) && key[0] === MARK) reached.add(key[1]);
  }
  const tried = calls.slice(0, MAX_CALLS);
  const base = await run(withValues(map, calls, []), docs);
  /** @type {Influence[]} */
  const influences = [];
  /** @type {RowExample | undefined} */
  let rollover;
  for (const at of tried.keys()) {
    /** @type {Influence} */
    let influence = reached.has(at) ? 'same' : UNKNOWN;
    for (let turn = 1; turn <= FARTHEST && influence === 'same'; turn += 1) {
      const answers = await run(withValues(map, calls, [[at, turn]]), docs);
      const isChanged = answers.some(
        (answer, number) => (turn < FARTHEST || 'emits' in answer) && differ(answer, base[number]),
      );
      if (isChanged) influence = 'changes';
    }
    const example =
      influence === 'same' ? await tryDays(map, calls, at, { docs: docs.flatMap(inOtherMonths), run }) : undefined;
    if (example) influence = 'rolls over';
    rollover ??= example;
    influences.push(influence);
  }
  return {
    calls: [...influences, ...calls.slice(MAX_CALLS).map(() => UNKNOWN)],
    ...(rollover ? { rollover } : {}),
  };
}

/**
 * @param {string} map
 * @param {MomentCall[]} calls
 * @param {number} at the call that is tried
 * @param {{docs: object[], run: Run}} given
 * @returns {Promise<RowExample | undefined>} a document whose rows depend on the day of the month, or on how many the month has
 */
async function tryDays(map, calls, at, { docs, run }) {
  const base = await run(withValues(map, calls, []), docs);
  for (let turn = FARTHEST + 1; turn < MOMENTS.length; turn += 1) {
    const answers = await run(withValues(map, calls, [[at, turn]]), docs);
    const changed = answers.findIndex((answer, number) => differ(answer, base[number]));
    if (changed < 0) continue;
    const dayOf = (/** @type {number | undefined} */ moment) => new Date(moment ?? 0).toISOString().slice(0, 10);
    return {
      document: docs[changed] ?? {},
      moments: [dayOf(MOMENTS[0]), dayOf(MOMENTS[turn])],
      rows: [rowsIn(base[changed]) ?? '', rowsIn(answers[changed]) ?? ''],
    };
  }
  return undefined;
}

const ISO_DAY = /^\d{4}-\d\d-\d\d(?=T|$)/;
/** Days of short months and of long ones. */
const DAYS = ['2021-02-03', '2021-06-30', '2021-10-31'];

/**
 * @param {object} document
 * @returns {object[]} with other days where it has dates, with a time and without
 */
function inOtherMonths(document) {
  const text = JSON.stringify(document);
  return DAYS.flatMap((day) =>
    [day, undefined].map((whole) =>
      JSON.parse(text, (_, part) =>
        typeof part === 'string' && ISO_DAY.test(part) ? (whole ?? part.replace(ISO_DAY, day)) : part,
      ),
    ),
  );
}

/**
 * @param {RowQuestion} question
 * @param {Pick<Sandbox, 'reduce'>} sandbox
 * @param {MapAnswer[]} answers of the map
 * @returns {Promise<Influence[]>} a call that is not reached changes nothing; it cannot be distinguished from one that is
 */
async function tryReduce({ reduce = '', calls }, sandbox, answers) {
  const rows = answers
    .flatMap((answer, at) => ('emits' in answer ? answer.emits.map((row) => ({ ...row, id: `doc-${at}` })) : []))
    .slice(0, MAX_ROWS);
  const half = rows.length >> 1;
  /** @type {ReduceTree[]} */
  const trees = [{ rows }, { parts: [{ rows: rows.slice(0, half) }, { rows: rows.slice(half) }] }];
  const answersOf = (/** @type {[number, number][]} */ changes) =>
    sandbox.reduce({ source: withValues(reduce, calls, changes), trees, goesOn: true, isFresh: true });
  const base = await answersOf([]);
  if (base.every((answer) => 'error' in answer)) return calls.map(() => UNKNOWN);
  /** @type {Influence[]} */
  const influences = [];
  for (const at of calls.slice(0, MAX_CALLS).keys()) {
    let isChanged = false;
    for (let turn = 1; turn <= FARTHEST && !isChanged; turn += 1) {
      const others = await answersOf([[at, turn]]);
      isChanged = others.some((answer, number) => {
        const before = base[number];
        return (
          'value' in answer &&
          before &&
          'value' in before &&
          JSON.stringify(answer.value) !== JSON.stringify(before.value)
        );
      });
    }
    influences.push(isChanged ? 'changes' : 'same');
  }
  return [...influences, ...calls.slice(MAX_CALLS).map(() => UNKNOWN)];
}

/**
 * @param {string} map
 * @param {object[]} docs those that fit first
 * @param {Run} run
 * @returns {Promise<Influence>} whether documents have other rows in a query server that saw others before, and itself
 */
async function tryState(map, docs, run) {
  const emitting = (await run(map, docs)).flatMap((answer, at) =>
    'emits' in answer && answer.emits.length > 0 ? [docs[at] ?? {}] : [],
  );
  // Documents without rows may leave something to those that have some.
  const some = [...emitting.slice(0, MAX_ALONE / 3), ...docs.slice(FITTING)];
  const chosen = [...new Set(some)].slice(0, MAX_ALONE);
  /** @type {Map<object, MapAnswer | undefined>} */
  const alone = new Map();
  for (const doc of chosen) alone.set(doc, (await run(map, [doc]))[0]);
  const order = [...chosen, ...chosen, ...chosen.toReversed()];
  const together = await run(map, order);
  return together.some((answer, at) => differ(answer, alone.get(order[at] ?? {}))) ? 'changes' : 'same';
}

/**
 * @param {MapAnswer | undefined} one
 * @param {MapAnswer | undefined} other
 * @returns {boolean} whether they give other rows; a map that throws gives none, one that takes too long gives no answer
 */
function differ(one, other) {
  const [first, second] = [rowsIn(one), rowsIn(other)];
  return first !== undefined && second !== undefined && first !== second;
}

/** @param {MapAnswer | undefined} answer @returns {string | undefined} */
function rowsIn(answer) {
  if (!answer) return undefined;
  if ('emits' in answer) return JSON.stringify(answer.emits);
  return answer.error.kind === 'threw' ? '[]' : undefined;
}

/**
 * @param {string} text
 * @param {MomentCall[]} calls
 * @param {[number, number][]} changes which call gives the value of which turn; all others give the first
 * @returns {string} the same text with a constant for each call
 */
function withValues(text, calls, changes) {
  const turns = new Map(changes);
  return replaced(text, calls, ({ kind }, at) => constantFor(kind, turns.get(at) ?? 0));
}

/**
 * @param {string} text
 * @param {MomentCall[]} calls
 * @returns {string} the same text, which emits a mark for each call that it reaches
 */
function withMarks(text, calls) {
  // The values become objects, which are true where the plain values are not: rows of this text count for nothing.
  return replaced(
    text,
    calls,
    ({ kind }, at) => `Object(emit([${JSON.stringify(MARK)},${at}])||${constantFor(kind, 0)})`,
  );
}

/**
 * What is put there begins with a name, as the call does: behind a line without a semicolon a parenthesis would be read as a call.
 * @param {MomentKind} kind
 * @param {number} turn
 * @returns {string} source of an expression
 */
function constantFor(kind, turn) {
  if (kind === 'random') return `Number(${CHANCES[turn]})`;
  const moment = MOMENTS[turn] ?? 0;
  if (kind === 'date') return `new Date(${moment})`;
  return kind === 'text' ? `String(new Date(${moment}))` : `Number(${moment})`;
}

/**
 * @param {string} text
 * @param {MomentCall[]} calls
 * @param {(call: MomentCall, at: number) => string} replacement
 * @returns {string} none of the calls stands in another
 */
function replaced(text, calls, replacement) {
  let written = '';
  let last = 0;
  for (const [at, call] of calls.entries()) {
    written += text.slice(last, call.start) + replacement(call, at);
    last = call.end;
  }
  return written + text.slice(last);
}
