// One job in, what its calls cost out: times of phases, counts and times of probes, and which inputs gave no answer. Runs in the thread of
// the sandbox.

import { FOREIGN_NOW } from './limits.js';
import { JobRun } from './run-job.js';
import { Stopwatch } from './stopwatch.js';

/** @import { QuickJSWASMModule } from 'quickjs-emscripten-core' */
/** @import { SandboxError } from './limits.js' */
/** @import { Job, JobAnswer } from './run-job.js' */

/**
 * @typedef {object} ProfileOrder
 * @property {boolean} isTimed whether the clock ticks; else nothing depends on it
 * @property {number} rounds how often all inputs are run, at most: as often as there is time for in `spendMs`, but once
 * @property {number} spendMs
 * @property {number} warmUp inputs that are run before anything is measured
 * @property {number} keepCharacters of answers that are given back; 0 for none
 */

/**
 * @typedef {object} ProfileFigures
 * @property {number} calls of the first round
 * @property {{input: number, error: SandboxError}[]} failures of the first round
 * @property {number} failed how many failed in the first round
 * @property {number} notRun inputs that were not come to, as too many took too long
 * @property {number[][]} rounds nanoseconds of each phase, a list for each round
 * @property {string[][]} watched what the probes noted: for each round, a text for each pair of realms
 * @property {number} rows that a map emitted in the first round
 * @property {number} answerCharacters of the first round
 * @property {number} longestAnswer in characters
 * @property {{input: number, text: string}[]} answers of the first round, as far as they were asked for
 * @property {boolean} isCut whether answers were left out as too long
 */

/** After so many calls that did not end the rest is not tried. */
const MOST_HANGING = 2;
/** Of failures that are told one by one. */
const MOST_TOLD = 20;
/** For reading the figures, which foreign code might hinder. */
const READ_MS = 1000;
/** A function left in many realms has as many figures; more are not kept. */
const MOST_WATCHED = 2000;

/**
 * @param {QuickJSWASMModule} quickjs
 * @param {Job} job
 * @param {ProfileOrder} order
 * @returns {{answers: JobAnswer[], isSpent: boolean}} one answer, with figures as JSON
 */
export function runProfile(quickjs, job, order) {
  const frozen = Date.now;
  const run = new ProfileRun(quickjs, job, order);
  try {
    const figures = run.measure();
    const answer = 'error' in figures ? figures : { text: JSON.stringify(figures) };
    return { answers: [{ ...answer, calls: run.calls }], isSpent: !run.close() };
  } finally {
    Date.now = frozen;
  }
}

class ProfileRun extends JobRun {
  /** @param {QuickJSWASMModule} quickjs @param {Job} job @param {ProfileOrder} order */
  constructor(quickjs, job, order) {
    super(quickjs, job);
    this.order = order;
    /** @type {ProfileFigures} */
    this.figures = {
      calls: 0,
      failures: [],
      failed: 0,
      notRun: 0,
      rounds: [],
      watched: [],
      rows: 0,
      answerCharacters: 0,
      longestAnswer: 0,
      answers: [],
      isCut: false,
    };
    /** @type {number[]} */
    this.phases = [];
    this.isMeasuring = false;
    /** Inputs that never end are not run again. @type {Set<number>} */
    this.hanging = new Set();
  }

  /** @override */
  open() {
    // The engine takes the seed of its random numbers from the clock.
    Date.now = () => FOREIGN_NOW;
    const opened = super.open();
    if (this.order.isTimed) Date.now = nanoseconds;
    return opened;
  }

  /** @override */
  leave() {
    this.collect();
    super.leave();
  }

  /** @returns {ProfileFigures | {error: SandboxError}} */
  measure() {
    const { inputs } = this.job;
    const texts = inputs.map((input) => (typeof input === 'string' ? input : ''));
    for (const text of texts.slice(0, this.order.warmUp)) {
      const reply = this.call(text);
      if (this.fault) return { error: this.fault };
      if ('error' in reply && reply.error.kind === 'timeout') break;
    }
    this.forget();
    this.calls = 0;
    this.isMeasuring = true;
    const spent = new Stopwatch(this.order.spendMs);
    for (let round = 0; round < this.order.rounds && (round === 0 || !spent.isOver()); round++) {
      this.phases = [0, 0, 0, 0];
      this.figures.watched.push([]);
      this.runAll(texts, round === 0);
      if (this.fault) return { error: this.fault };
      this.collect();
      this.figures.rounds.push(this.phases);
      if (this.batch.isOver()) break;
    }
    this.isMeasuring = false;
    return this.figures;
  }

  /** @param {string[]} texts @param {boolean} isFirst */
  runAll(texts, isFirst) {
    const { figures } = this;
    for (const [at, text] of texts.entries()) {
      if (this.hanging.has(at)) continue;
      if (this.hanging.size >= MOST_HANGING || this.batch.isOver()) {
        if (isFirst) figures.notRun += 1;
        continue;
      }
      const reply = this.call(text);
      if (this.fault) return;
      if ('error' in reply && reply.error.kind === 'timeout') {
        // There was no time left for it: it may be as good as the others.
        if (this.batch.isOver()) {
          if (isFirst) figures.notRun += 1;
          continue;
        }
        this.hanging.add(at);
      }
      if (!isFirst) continue;
      figures.calls += 1;
      if ('error' in reply) {
        figures.failed += 1;
        if (figures.failures.length < MOST_TOLD) figures.failures.push({ input: at, error: reply.error });
        continue;
      }
      figures.answerCharacters += reply.text.length;
      figures.longestAnswer = Math.max(figures.longestAnswer, reply.text.length);
      if (this.order.keepCharacters === 0) continue;
      if (figures.answerCharacters > this.order.keepCharacters) figures.isCut = true;
      else figures.answers.push({ input: at, text: reply.text });
    }
  }

  /** Takes the figures of the realms that there are, and has them begin anew. */
  collect() {
    if (!this.isMeasuring || !this.realms) return;
    const text = this.askServed('figures');
    if (text === undefined) return;
    /** @type {unknown} */
    let told;
    try {
      told = JSON.parse(text.slice(1));
    } catch {
      return;
    }
    const [phases, watched, rows] = Array.isArray(told) ? told : [];
    if (this.figures.watched.length === 1) this.figures.rows += Number(rows) || 0;
    if (Array.isArray(phases)) {
      for (const [at, value] of phases.slice(0, 4).entries()) this.phases[at] = (this.phases[at] ?? 0) + Number(value);
    }
    const ofRound = this.figures.watched.at(-1);
    if (typeof watched === 'string' && ofRound && ofRound.length < MOST_WATCHED) ofRound.push(watched);
    this.forget();
  }

  forget() {
    if (this.realms) this.askServed('forget');
  }

  /**
   * @param {'figures' | 'forget'} name
   * @returns {string | undefined}
   */
  askServed(name) {
    const { server, served } = /** @type {NonNullable<typeof this.realms>} */ (this.realms);
    const [current, batch] = [this.current, this.batch];
    this.isLate = false;
    this.current = new Stopwatch(READ_MS);
    this.batch = this.current;
    const asked = server.getProp(served, name);
    try {
      const result = server.callFunction(asked, server.undefined);
      if (result.error) {
        result.error.dispose();
        return undefined;
      }
      const text = server.typeof(result.value) === 'string' ? server.getString(result.value) : undefined;
      result.value.dispose();
      return text;
    } finally {
      asked.dispose();
      this.current = current;
      this.batch = batch;
      this.isLate = false;
    }
  }
}

/** @returns {number} of a clock that QuickJS takes for one of milliseconds */
function nanoseconds() {
  return Math.round(performance.now() * 1e6);
}
