// Searches for choices whose documents the map emits. Tries them in the sandbox, round by round: what gets further is
// changed further.

import { isCutOff } from '../../sandbox/limits.js';
import { createRandom, randomInteger } from '../../shared/seeded-random.js';
import { MARK, markSteps } from './mark-steps.js';

/** @import { Random } from '../../shared/seeded-random.js' */
/** @import { MapAnswer, Sandbox } from '../../sandbox/sandbox.js' */
/** @import { Choice, DocumentWriter } from './write-document.js' */

const ROUNDS = 12;
/** Rounds in a row that get no further, after which the search ends. Of 1,100 maps that a document was found for, public and generated ones, one needed five. */
const MAX_IDLE = 7;
/** Choices of a round that differ from the best in one thing, and those that differ in several from any good one. */
const MAX_SINGLE = 120;
const MAX_MIXED = 40;
/** Good choices that are kept from round to round, and those that emit which are looked for. */
const POOL = 6;
const WANTED = 6;
/** After these there is no use in other documents. */
const FINAL = new Set(['syntax', 'notAFunction']);

/** A revision as CouchDB gives to what is written first. */
const REVISION = '1-967a00dff5e02add41819138abb3284d';

/** @typedef {{choice: Choice, score: number, isEmitting: boolean}} Tried */

/**
 * @param {string} map
 * @param {DocumentWriter} writer
 * @param {{seed: string, sandbox: Pick<Sandbox, 'map'>}} options
 * @returns {Promise<{choices: Choice[]} | {reason: string}>} those found first come first
 */
export async function findChoices(map, writer, { seed, sandbox }) {
  const random = createRandom(`${seed} choices`);
  const source = markSteps(map) ?? map;
  /** @type {Set<string>} */
  const known = new Set();
  /** @type {Tried[]} */
  let pool = [];
  /** @type {Choice[]} */
  let next = [new Map()];
  let fault = '';
  let farthest = Number.NEGATIVE_INFINITY;
  let idle = 0;
  for (let round = 0; round <= ROUNDS && next.length > 0 && idle < MAX_IDLE; round += 1) {
    for (const choice of next) known.add(nameOf(choice));
    const docs = next.map((choice) => withRevision(writer.write(choice, 0)));
    const answers = await sandbox.map({ source, docs });
    const reason = hopeless(answers);
    // The first document alone may be one that the map hangs on.
    if (reason !== undefined && (round > 0 || isFinal(answers[0]))) return { reason };
    const tried = next.map((choice, at) => judge(choice, answers[at]));
    fault = faultOf(answers) || fault;
    pool = [...pool, ...tried].sort((one, other) => other.score - one.score);
    const emitting = pool.filter(({ isEmitting }) => isEmitting);
    if (emitting.length > 0) return { choices: emitting.slice(0, WANTED).map(({ choice }) => choice) };
    pool = pool.slice(0, POOL);
    const score = pool[0]?.score ?? farthest;
    idle = score > farthest ? 0 : idle + 1;
    farthest = Math.max(score, farthest);
    next = changed(pool, writer, random).filter((choice) => !known.has(nameOf(choice)));
  }
  const because = fault ? `; ${fault}` : '';
  return { reason: `no documents could be generated for which its map emits${because}` };
}

/**
 * @param {object} document
 * @returns {object} as a map sees it, once CouchDB has given it a revision
 */
export function withRevision(document) {
  return { ...document, _rev: REVISION };
}

/**
 * @param {MapAnswer[]} answers
 * @returns {string | undefined} why trying is of no use
 */
export function hopeless(answers) {
  const [first] = answers;
  if (!first || !('error' in first)) return undefined;
  const { message } = first.error;
  // A map that fails so on each document of a round is given up.
  const isCostly = answers.every((answer) => 'error' in answer && isCutOff(answer.error));
  return isFinal(first) || isCostly ? `its map cannot be run: ${message}` : undefined;
}

/** @param {MapAnswer | undefined} answer @returns {boolean} whether the text gives no function */
function isFinal(answer) {
  return answer !== undefined && 'error' in answer && FINAL.has(answer.error.kind);
}

/**
 * @param {Choice} choice
 * @param {MapAnswer | undefined} answer
 * @returns {Tried} the score counts the steps that it came to; what was emitted before an error does not count, as in CouchDB
 */
function judge(choice, answer) {
  if (!answer || 'error' in answer) return { choice, score: -1, isEmitting: false };
  const steps = new Set();
  let rows = 0;
  let hasThrown = false;
  for (const { key } of answer.emits) {
    if (!isMark(key)) rows += 1;
    else if (key[1] === 'threw') hasThrown = true;
    else steps.add(key[1]);
  }
  return { choice, score: steps.size + (hasThrown ? 0 : 0.5), isEmitting: rows > 0 && !hasThrown };
}

/** @param {unknown} key @returns {key is unknown[]} */
function isMark(key) {
  return Array.isArray(key) && key[0] === MARK;
}

/** @param {MapAnswer[]} answers @returns {string} what went wrong first */
function faultOf(answers) {
  for (const answer of answers) {
    if ('error' in answer) return isCutOff(answer.error) ? answer.error.message : `it threw: ${answer.error.message}`;
    const thrown = answer.emits.find(({ key }) => isMark(key) && key[1] === 'threw');
    if (thrown) return `it threw: ${String(thrown.value)}`;
  }
  return '';
}

/**
 * @param {Tried[]} pool
 * @param {DocumentWriter} writer
 * @param {Random} random
 * @returns {Choice[]} the best with one thing changed, first those changes that are likeliest; then others with several
 */
function changed(pool, writer, random) {
  const open = writer.open();
  const best = pool[0]?.choice ?? new Map();
  const single = singleChanges(best, writer, MAX_SINGLE);
  /** @type {Choice[]} */
  const mixed = [];
  for (let count = 0; count < MAX_MIXED && open.length > 0; count += 1) {
    let choice = pool[randomInteger(random, 0, pool.length)]?.choice ?? best;
    for (let changes = randomInteger(random, 2, 4); changes > 0; changes -= 1) {
      const [path, candidates] = open[randomInteger(random, 0, open.length)] ?? ['', []];
      choice = withOne(choice, path, randomInteger(random, 0, candidates.length));
    }
    mixed.push(choice);
  }
  return [...single, ...mixed];
}

/**
 * @param {Choice} choice
 * @param {DocumentWriter} writer
 * @param {number} most
 * @returns {Choice[]} those that differ from it in one part, for all parts the likeliest values first, and no more than so many
 */
export function singleChanges(choice, writer, most) {
  const open = writer.open();
  /** @type {Choice[]} */
  const single = [];
  const deepest = open.reduce((longest, [, { length }]) => Math.max(longest, length), 0);
  for (let candidate = 0; candidate < deepest; candidate += 1) {
    for (const [path, candidates] of open) {
      if (candidate >= candidates.length || candidate === (choice.get(path) ?? 0)) continue;
      if (single.length === most) return single;
      single.push(withOne(choice, path, candidate));
    }
  }
  return single;
}

/** @param {Choice} choice @param {string} path @param {number} candidate @returns {Choice} */
function withOne(choice, path, candidate) {
  const copy = new Map(choice);
  if (candidate === 0) copy.delete(path);
  else copy.set(path, candidate);
  return copy;
}

/** @param {Choice} choice @returns {string} */
function nameOf(choice) {
  return JSON.stringify([...choice].sort(([one], [other]) => (one < other ? -1 : 1)));
}
