// Tries a reducer on values that its map can emit, to find where it disagrees with itself or with a built-in, and how its output grows. Runs foreign
// code only through the sandbox it is given. Trials show differences; they never prove that there is none.

import { isCutOff } from '../sandbox/limits.js';
import { randomFrom } from '../shared/seeded-random.js';
import { reduceBuiltin } from './builtins.js';
import { shrink } from './counterexample.js';
import { haveSameOrder, splitsFor } from './splits.js';
import { drawRowLists, drawVariedRows } from './trial-values.js';
import { greatestNumber, isSameAnswer } from './trials-compare.js';
import { measureGrowth } from './trials-growth.js';

/** @import { SandboxError } from '../sandbox/limits.js' */
/** @import { Sandbox } from '../sandbox/sandbox.js' */
/** @import { Counterexample } from './counterexample.js' */
/** @import { ReduceTree } from './splits.js' */
/** @import { TrialRow, ValueSpec } from './trial-values.js' */
/** @import { TrialAnswer } from './trials-compare.js' */
/** @import { Growth } from './trials-growth.js' */

/** What the sandbox returns for one tree. @typedef {{value: unknown} | {error: SandboxError}} SandboxAnswer */

/**
 * The part of the sandbox that trials need.
 * @typedef {object} TrialSandbox
 * @property {(asked: {source: string, libraries?: Record<string, unknown>, trees: ReduceTree[], isFresh?: boolean, goesOn?: boolean}) => Promise<SandboxAnswer[]>} reduce
 *   one answer for each tree; `isFresh` gives each call globals of its own, as CouchDB does, and costs more;
 *   `goesOn` makes null of a part that threw, as CouchDB does
 * @property {Sandbox['map']} map
 */

/**
 * @typedef {object} TrialRequest
 * @property {string} source of the reduce
 * @property {Record<string, unknown>} [libraries] `views.lib`
 * @property {ValueSpec} values what its map emits
 * @property {string} [builtin] to compare with
 * @property {string} target version of CouchDB
 * @property {TrialSandbox} sandbox
 * @property {number} seed
 * @property {number} count of lists of rows; each is split in about a dozen ways
 * @property {readonly number[]} [lengths] of further lists of rows
 * @property {readonly number[]} [bounds] numbers of rows about the constants of the reducer, which its output may be bounded by
 * @property {readonly unknown[]} [keys] of further lists of rows
 * @property {readonly string[]} [ids] of further lists of rows
 * @property {readonly unknown[]} [literals] of further lists of rows
 * @property {boolean} [growth] whether growth is measured too, true where left out
 */

/**
 * @typedef {object} TrialResult
 * @property {number} trials splits that were reduced and compared
 * @property {Counterexample} [splitDisagreement] with itself, the same rows in another grouping or order
 * @property {Counterexample} [disagreement] with the built-in
 * @property {Growth} [growth]
 * @property {(SandboxError & {count: number})[]} errors of the sandbox, each kind once
 */

/** Errors of the text, which no call can change. */
/** @type {ReadonlySet<string>} */
const NO_FUNCTION = new Set(['syntax', 'notAFunction']);

/** Lists of rows where each call has globals of its own, which costs some 20 times as much. */
const FEW = 10;

/** Rows whose trees go to the sandbox together, counted once for each tree, and lists of them. */
const BATCH_ROWS = 4000;
const BATCH_LISTS = 12;

/** @typedef {{rows: TrialRow[], splits: ReduceTree[]}} Trial */

/**
 * @param {TrialRequest} request
 * @returns {Promise<TrialResult>}
 * @throws {Error} where the sandbox throws
 */
export async function runTrials(request) {
  const result = await tryOut(request, false);
  const found = [result.splitDisagreement, result.disagreement].filter((example) => example !== undefined);
  for (const { answers } of found) {
    const own = answers.filter(({ by }) => by === 'reduce');
    const again = await request.sandbox.reduce({
      source: request.source,
      ...(request.libraries ? { libraries: request.libraries } : {}),
      trees: own.map(({ split }) => split),
      isFresh: true,
      goesOn: true,
    });
    // What one call leaves in globals is gone before the next in CouchDB: only such differences count.
    if (!own.every(({ answer }, at) => isSameAnswer(answer, readAnswer(again[at])))) return tryOut(request, true);
  }
  return result;
}

/**
 * @param {TrialRequest} request
 * @param {boolean} isFresh whether each call has globals of its own
 * @returns {Promise<TrialResult>}
 */
async function tryOut(request, isFresh) {
  const random = randomFrom(request.seed);
  const count = isFresh ? Math.min(request.count, FEW) : request.count;
  /** @type {Trial[]} */
  const all = drawRowLists(request.values, random, count, request).map((rows, at) => ({
    rows,
    splits: splitsFor(rows, random, at < count),
  }));
  const state = new Findings(request, isFresh);
  await state.ask(all[0]?.splits.slice(0, 2) ?? []);
  for (const batch of batchesOf(all)) {
    if (state.isFinished) break;
    const answers = await state.ask(batch.flatMap(({ splits }) => splits));
    let at = 0;
    for (const trial of batch) {
      state.look(trial, answers.slice(at, at + trial.splits.length));
      at += trial.splits.length;
    }
  }
  return state.finish();
}

/**
 * @param {Trial[]} trials
 * @returns {Generator<Trial[]>} neighbours that are no more work than one request to the sandbox may be
 */
function* batchesOf(trials) {
  /** @type {Trial[]} */
  let batch = [];
  let work = 0;
  for (const trial of trials) {
    const more = trial.rows.length * trial.splits.length;
    if (batch.length > 0 && (batch.length === BATCH_LISTS || work + more > BATCH_ROWS)) {
      yield batch;
      batch = [];
      work = 0;
    }
    batch.push(trial);
    work += more;
  }
  yield batch;
}

/**
 * @param {SandboxAnswer | undefined} answer
 * @returns {TrialAnswer} null where the function threw, as CouchDB has it (share/server/views.js runReduce, 3.5.0); nobody
 *   knows what it would have answered where it was stopped
 */
function readAnswer(answer) {
  if (!answer) return { unknown: 'The sandbox returned no result' };
  if ('value' in answer) return { value: answer.value };
  return answer.error.kind === 'threw' ? { value: null } : { unknown: answer.error.message };
}

/** What was found so far; of several disagreements the one with the fewest rows. */
class Findings {
  /** @type {Map<string, SandboxError & {count: number}>} */
  #errors = new Map();
  #trials = 0;
  /** @type {[ReduceTree, ReduceTree] | undefined} */
  #split;
  /** @type {ReduceTree | undefined} */
  #against;

  /** @param {TrialRequest} request @param {boolean} isFresh */
  constructor(request, isFresh) {
    this.request = request;
    this.isFresh = isFresh;
  }

  /** Whether there is no function, or one that breaks limits: further calls would cost as much. */
  get cannotRun() {
    return [...this.#errors.values()].some((error) => NO_FUNCTION.has(error.kind) || isCutOff(error));
  }

  /** Whether nothing more can be learned: the function cannot be run, or every question is answered. */
  get isFinished() {
    return this.cannotRun || (this.#split !== undefined && (!this.request.builtin || this.#against));
  }

  /**
   * @param {ReduceTree[]} trees
   * @returns {Promise<TrialAnswer[]>}
   */
  ask = async (trees) => {
    const { source, libraries, sandbox } = this.request;
    const given = libraries ? { libraries } : {};
    const answers = await sandbox.reduce({ source, ...given, trees, isFresh: this.isFresh, goesOn: true });
    return trees.map((_, at) => {
      const answer = answers[at];
      if (answer && 'error' in answer) {
        const { kind, message } = answer.error;
        const known = this.#errors.get(kind);
        if (known) known.count++;
        else this.#errors.set(kind, { kind, message, count: 1 });
      }
      return readAnswer(answer);
    });
  };

  /** @param {ReduceTree} tree @returns {TrialAnswer} */
  askBuiltin = (tree) => reduceBuiltin(/** @type {string} */ (this.request.builtin), tree, this.request.target);

  /**
   * @param {Trial} trial
   * @param {TrialAnswer[]} answers one for each split
   */
  look({ rows, splits }, answers) {
    this.#trials += splits.length;
    const scale = greatestNumber(rows.map(({ value }) => value));
    splits.forEach((split, at) => {
      const answer = /** @type {TrialAnswer} */ (answers[at]);
      const [first, plain] = [splits[0], answers[0]];
      if (first && plain && !isSameAnswer(plain, answer, scale)) this.#keepSplit(first, split);
      if (!this.request.builtin || (this.#against && sizeOf(this.#against) <= rows.length)) return;
      if (!isSameAnswer(answer, this.askBuiltin(split), scale)) this.#against = split;
    });
  }

  /**
   * Keeps the pair that says most: one of another grouping in the same order before one of another order.
   * @param {ReduceTree} first
   * @param {ReduceTree} split
   */
  #keepSplit(first, split) {
    const kept = this.#split;
    if (!kept) {
      this.#split = [first, split];
      return;
    }
    const ordered = haveSameOrder(first, split);
    const keptOrdered = haveSameOrder(...kept);
    if (ordered !== keptOrdered ? ordered : sizeOf(first) < sizeOf(kept[0])) this.#split = [first, split];
  }

  /** @returns {Promise<TrialResult>} */
  async finish() {
    const { builtin, values, seed, growth = true } = this.request;
    const pool = values.kind === 'emitted' ? { pool: values.rows } : {};
    /** @type {TrialResult} */
    const result = { trials: this.#trials, errors: [] };
    if (this.#split) {
      const [one, other] = this.#split;
      const cause = haveSameOrder(one, other) ? 'rereduce' : 'order';
      result.splitDisagreement = await shrink({ one, other, cause, ask: this.ask, ...pool });
    }
    if (this.#against && builtin) {
      const compared = { builtin, askBuiltin: this.askBuiltin, ...pool };
      const split = this.#against;
      result.disagreement = await shrink({ one: split, other: split, cause: 'builtin', ask: this.ask, ...compared });
    }
    // What a map emitted are too few rows to measure with.
    if (growth && !this.cannotRun && values.kind !== 'emitted') {
      const draw = (/** @type {number} */ count) => drawVariedRows(values, randomFrom(seed), count);
      result.growth = await measureGrowth({ bounds: this.request.bounds, draw, ask: this.ask });
    }
    result.errors = [...this.#errors.values()];
    return result;
  }
}

/**
 * @param {ReduceTree} tree
 * @returns {number} rows in it
 */
function sizeOf(tree) {
  return 'rows' in tree ? tree.rows.length : tree.parts.reduce((size, part) => size + sizeOf(part), 0);
}
