// Measures what the calls of one job cost: times of phases, counts and times of probes, and which inputs gave no
// answer. Runs in the thread of the sandbox.

import { parseJson } from '../shared/parse-json.js';
import { isOverrun, TAMPERED } from './limits.js';
import { JobRun } from './run-job.js';
import { openOwnClock } from './thread-clock.js';

/** @import { SandboxError } from './limits.js' */
/** @import { RealmSource } from './realms.js' */
/** @import { Job, JobResult } from './run-job.js' */

/**
 * @typedef {object} ProfileOrder
 * @property {boolean} isTimed whether the clock ticks; else nothing depends on it
 * @property {number} rounds how often all inputs are run, at most: as often as there is time for in `spendMs`, but once
 * @property {number} spendMs milliseconds of the processor
 * @property {number} mostMs milliseconds of the processor after which no further input is run
 * @property {number} warmUp inputs that are run before anything is measured
 * @property {number} keepCharacters of answers that are given back; 0 for none
 */

/**
 * @typedef {object} ProfileFigures
 * @property {number} calls of the first round
 * @property {{input: number, error: SandboxError}[]} failures of the first round
 * @property {number} failed how many failed in the first round
 * @property {number} notRun inputs that were not reached, as too many took too long
 * @property {number[][]} rounds nanoseconds of each phase, a list for each round
 * @property {string[][]} watched what the probes noted: for each round, a text for each pair of realms
 * @property {number} rows that a map emitted in the first round
 * @property {number} answerCharacters of the first round
 * @property {number} longestAnswer in characters
 * @property {{input: number, text: string}[]} answers of the first round, as far as they were requested
 * @property {boolean} isCut whether answers were left out as too long
 */

/** After so many calls that did not end the rest is not tried. */
const MAX_HANGING = 2;
/** Of failures that are reported one by one. */
const MAX_FAILURES = 20;
/** A function left in many realms has as many figures; more are not kept. */
const MAX_WATCHED = 2000;

/**
 * @param {RealmSource} source
 * @param {Job} job
 * @param {ProfileOrder} order
 * @returns {JobResult} one answer, with figures as JSON
 */
export function runProfile(source, job, order) {
  const frozen = Date.now;
  const run = new ProfileRun(source, job, order);
  try {
    const figures = run.measure();
    const isSpent = !run.close() || run.ranOutOfMemory;
    const trusted = run.isTampered ? TAMPERED : figures;
    const answer = 'error' in trusted ? trusted : { text: JSON.stringify(trusted) };
    return { answers: [{ ...answer, calls: run.calls }], steps: run.steps, clockReads: run.clockReads, isSpent };
  } finally {
    run.clock.close();
    Date.now = frozen;
  }
}

class ProfileRun extends JobRun {
  /** @param {RealmSource} source @param {Job} job @param {ProfileOrder} order */
  constructor(source, job, order) {
    super(source, job);
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
    this.end = Number.POSITIVE_INFINITY;
    this.clock = openOwnClock();
    /** Inputs that never end are not run again. @type {Set<number>} */
    this.hanging = new Set();
  }

  /** @override */
  open() {
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
      if ('error' in reply && isOverrun(reply.error)) break;
    }
    this.forget();
    this.calls = 0;
    this.isMeasuring = true;
    const { rounds, spendMs, mostMs } = this.order;
    const start = this.clock.read();
    this.end = start + mostMs;
    for (let round = 0; round < rounds && (round === 0 || this.clock.read() < start + spendMs); round++) {
      this.phases = [0, 0, 0, 0];
      this.figures.watched.push([]);
      const isWhole = this.runAll(texts, round === 0);
      if (this.fault) return { error: this.fault };
      this.collect();
      // A later round that is not finished says nothing.
      if (isWhole || round === 0) this.figures.rounds.push(this.phases);
      else this.figures.watched.pop();
      if (!isWhole) break;
    }
    this.isMeasuring = false;
    return this.figures;
  }

  /** Whether nothing more is to be run. */
  get isOver() {
    return this.steps > this.allowed.job || this.clock.read() > this.end;
  }

  /** @param {string[]} texts @param {boolean} isFirst @returns {boolean} whether nothing ended it early */
  runAll(texts, isFirst) {
    const { figures } = this;
    let isWhole = true;
    for (const [at, text] of texts.entries()) {
      if (this.hanging.has(at)) continue;
      if (this.hanging.size >= MAX_HANGING || this.isOver) {
        if (isFirst) figures.notRun += 1;
        isWhole = false;
        continue;
      }
      const reply = this.call(text);
      if (this.fault) return false;
      if ('error' in reply && isOverrun(reply.error)) {
        // The others left nothing for it: it may be as good as they are.
        if (this.isOver) {
          if (isFirst) figures.notRun += 1;
          isWhole = false;
          continue;
        }
        this.hanging.add(at);
      }
      if (!isFirst) continue;
      figures.calls += 1;
      if ('error' in reply) {
        figures.failed += 1;
        if (figures.failures.length < MAX_FAILURES) figures.failures.push({ input: at, error: reply.error });
        continue;
      }
      figures.answerCharacters += reply.text.length;
      figures.longestAnswer = Math.max(figures.longestAnswer, reply.text.length);
      if (this.order.keepCharacters === 0) continue;
      if (figures.answerCharacters > this.order.keepCharacters) figures.isCut = true;
      else figures.answers.push({ input: at, text: reply.text });
    }
    return isWhole;
  }

  /** Takes the figures of the existing realms, and resets them. */
  collect() {
    if (!this.isMeasuring || !this.realms) return;
    const text = this.read('figures');
    if (text === undefined) return;
    const parsed = parseJson(text.slice(1));
    const [phases, watched, rows] = Array.isArray(parsed) ? parsed : [];
    if (this.figures.watched.length === 1) this.figures.rows += Number(rows) || 0;
    if (Array.isArray(phases)) {
      for (const [at, value] of phases.slice(0, 4).entries()) this.phases[at] = (this.phases[at] ?? 0) + Number(value);
    }
    const ofRound = this.figures.watched.at(-1);
    if (typeof watched === 'string' && ofRound && ofRound.length < MAX_WATCHED) ofRound.push(watched);
    this.forget();
  }

  forget() {
    if (this.realms) this.read('forget');
  }
}

/** @returns {number} of a clock that QuickJS takes for one of milliseconds */
function nanoseconds() {
  return Math.round(performance.now() * 1e6);
}
