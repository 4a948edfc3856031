// Runs one experiment on one server: create, load, build, warm up, interleaved rounds, drop. Every sample is passed on
// as soon as it exists. Judges only when it may stop, and whether the machine was busy with something else.

import { planRounds, planSteps } from '../plan.js';
import { median } from '../statistics.js';
import { logRatiosOf } from '../summary.js';
import { effectOf, looksOf, MIN_PAIRS, maySettle } from '../verdict.js';
import { DISTURBED } from '../warnings.js';
import { compareArms } from './compare-arms.js';
import { RoundMeter } from './measure-round.js';
import { compareArrived } from './replicate.js';

/** @import { MachineWatch } from '../../servers/server-processes.js' */
/** @import { Target } from '../../servers/target.js' */
/** @import { Answers, Arm, Crowd, Ending, Experiment, Sample } from '../experiment.js' */
/** @import { LoadGenerator } from '../load-order.js' */
/** @import { RoundStep, Step } from '../plan.js' */
/** @import { Built } from '../summary.js' */

/**
 * @typedef {object} RunOptions
 * @property {Target} target
 * @property {LoadGenerator} generator
 * @property {string} seed
 * @property {number} documents
 * @property {number} connections
 * @property {number} [crowd] connections of a few pairs more, after the others
 * @property {number} pairs the most
 * @property {number} budgetMs after so long no new pair is begun, once there are enough that could settle it
 * @property {number} margin below which no difference is believed, however much it would be worth
 * @property {number} experiments how many the run has
 * @property {{steady: () => number, wall: () => number}} clocks milliseconds; `steady` never runs back
 * @property {(milliseconds: number) => Promise<void>} pause
 * @property {MachineWatch} [machine] where it is known what others do meanwhile
 * @property {readonly Sample[]} [earlier] whole pairs of a run that was cut short; it goes on behind them
 * @property {(sample: Sample) => void} [onSample]
 * @property {(step: Step) => void} [onStep]
 * @property {AbortSignal} [signal]
 */

/**
 * @typedef {object} Run
 * @property {Sample[]} samples
 * @property {Map<string, Built>} built
 * @property {Crowd | null} crowd null where it was not requested, or would take too long
 * @property {boolean} isStopped whether it was interrupted
 * @property {Ending} ended what ended the rounds
 * @property {string | undefined} firstRefusal what the first answer other than 2xx said
 * @property {string[]} left names of databases that could not be dropped
 * @property {boolean} isShared whether the server answered others meanwhile
 * @property {{read: number, nodes: number} | undefined} counted nodes whose counters were read, of how many
 * @property {Answers | undefined} answers undefined where none were compared
 * @property {number} setupMs until the first round began
 * @property {number} msOfPair how long a pair took on average; 0 where there is none
 * @property {{wallMs: number, steadyMs: number}} clocks what two clocks say it took
 */

/** Between rounds, in milliseconds: what the last one set going ends. */
const COOL_DOWN = 20;
/** Pairs of rounds with many connections, and how long one of these rounds may take, in milliseconds. */
const CROWD_PAIRS = 3;
const LONGEST_CROWD_ROUND = 2000;
/** Rounds of one experiment that are measured again because others worked; on a machine that is always busy no more would help. */
const MAX_REPEATS = 12;
/** So many times its budget an experiment may take to reach its first look. */
const OVERRUN = 3;

/**
 * @param {Experiment} experiment
 * @param {RunOptions} options
 * @returns {Promise<Run>}
 * @throws {UserError} where the server refuses or is lost; its databases are dropped as far as it lets them
 */
export async function runExperiment(experiment, options) {
  const { target, seed, pairs, clocks, signal } = options;
  const runner = new Runner(experiment, options);
  const wall = clocks.wall();
  const steady = clocks.steady();
  /** @type {Ending} */
  let ended = 'pairs';
  /** @type {Crowd | null} */
  let crowd = null;
  /** @type {string[]} */
  let left = [];
  try {
    for (const step of planSteps(experiment, { seed, pairs })) {
      if (step.step === 'drop') break;
      if (step.step === 'round' && runner.isKnown(step)) continue;
      if (signal?.aborted) {
        ended = 'interrupted';
        break;
      }
      const enough = step.step === 'round' ? runner.isEnough(step) : undefined;
      if (enough !== undefined) {
        ended = enough;
        break;
      }
      options.onStep?.(step);
      await runner.take(step);
      // Times of different answers say nothing.
      if (runner.answers && runner.answers.differences.length > 0) break;
    }
    const wantsCrowd = ended !== 'interrupted' && runner.samples.length > 0;
    if (wantsCrowd && options.crowd !== undefined) crowd = await runner.measureCrowd(options.crowd);
  } finally {
    options.onStep?.({ step: 'drop' });
    left = await target.dropAll();
  }
  return {
    samples: runner.samples,
    built: runner.built,
    crowd,
    isStopped: ended === 'interrupted' || signal?.aborted === true,
    ended,
    firstRefusal: runner.meter.firstRefusal,
    left,
    isShared: runner.meter.isShared,
    counted: runner.meter.counted,
    answers: runner.answers,
    setupMs: runner.setupMs,
    msOfPair: runner.msOfPair,
    clocks: { wallMs: clocks.wall() - wall, steadyMs: clocks.steady() - steady },
  };
}

class Runner {
  /** @type {Sample[]} */
  samples = [];
  /** @type {Map<string, Built>} */
  built = new Map();
  /** @type {Answers | undefined} */
  answers;
  #started;
  #repeats = 0;
  /** When the first round of this run began, and how many pairs were there by then. @type {{at: number, pairs: number} | undefined} */
  #rounds;

  /**
   * @param {Experiment} experiment
   * @param {RunOptions} options
   */
  constructor(experiment, options) {
    this.experiment = experiment;
    this.options = options;
    this.meter = new RoundMeter(experiment, options);
    this.#started = options.clocks.steady();
    this.samples.push(...(options.earlier ?? []).filter((sample) => this.#fits(sample)));
  }

  /** @returns {number} milliseconds until the first round began */
  get setupMs() {
    return (this.#rounds?.at ?? this.options.clocks.steady()) - this.#started;
  }

  /** @returns {number} milliseconds, on average; 0 where no pair was measured */
  get msOfPair() {
    if (!this.#rounds) return 0;
    const pairs = this.samples.length / this.experiment.arms.length - this.#rounds.pairs;
    return pairs > 0 ? (this.options.clocks.steady() - this.#rounds.at) / pairs : 0;
  }

  /** @param {Sample} sample of an earlier run */
  #fits({ pair, arm }) {
    const { experiment, options } = this;
    return pair < options.pairs && experiment.arms.some(({ id }) => id === arm);
  }

  /** @param {RoundStep} step @returns {boolean} whether an earlier run took it */
  isKnown({ pair }) {
    return (this.options.earlier ?? []).some((sample) => sample.pair === pair);
  }

  /**
   * @param {RoundStep} step the next one
   * @returns {'settled' | 'budget' | undefined} why it need not be taken; undefined where it must be
   */
  isEnough({ pair }) {
    const { arms } = this.experiment;
    const isBetweenPairs = this.samples.length === pair * arms.length;
    if (!isBetweenPairs || pair === 0) return undefined;
    const { budgetMs, clocks, margin, experiments } = this.options;
    const [firstLook = MIN_PAIRS] = looksOf(experiments);
    const spent = (clocks.steady() - this.#started) / budgetMs;
    const effect = effectOf(this.experiment, this.#msOf('advised'));
    const borders = { margin: Math.max(margin, effect), effect, experiments };
    if (maySettle(logRatiosOf(this.samples), borders)) return 'settled';
    // Before the first look little can be settled, and all the time would be lost: that is worth some more of it.
    return spent >= 1 && (pair >= firstLook || spent >= OVERRUN) ? 'budget' : undefined;
  }

  /** @param {Step} step */
  async take(step) {
    if (step.step === 'create') await this.meter.create();
    else if (step.step === 'load') await this.meter.load();
    else if (step.step === 'build') {
      const built = await this.meter.build(this.#arm(step.arm));
      if (built) this.built.set(step.arm, built);
    } else if (step.step === 'compare') {
      const { arrived } = this.meter;
      this.answers =
        arrived.size > 0 ? compareArrived(arrived) : await compareArms(this.experiment, this.meter, this.options);
    } else if (step.step === 'warm-up') await this.meter.warmUp(this.#arm(step.arm));
    else if (step.step === 'round') await this.#round(step, this.#arm(step.arm));
  }

  /**
   * The same requests from many connections at once.
   * @param {number} connections
   * @returns {Promise<Crowd | null>}
   */
  async measureCrowd(connections) {
    const { seed, clocks, pause, signal, onSample } = this.options;
    const arms = this.experiment.arms.slice(0, 2);
    // Where connections queue up, as many requests take as many times as long.
    const longest = Math.max(...arms.map(({ id }) => this.#msOfRequest(id))) * connections;
    const fits = longest <= LONGEST_CROWD_ROUND && connections > this.options.connections;
    if (!fits || arms.some(({ measure }) => measure !== 'requests')) return null;
    /** @type {Sample[]} */
    const samples = [];
    for (const { arm: id, pair, position } of planRounds({ id: 'crowd', arms }, { seed, pairs: CROWD_PAIRS })) {
      if (signal?.aborted) return null;
      await pause(COOL_DOWN);
      const at = new Date(clocks.wall()).toISOString();
      const measured = await this.meter.measure(this.#arm(id), pair, connections);
      const sample = { arm: id, pair, position, at, ...measured, connections };
      samples.push(sample);
      onSample?.(sample);
    }
    const logRatios = logRatiosOf(samples);
    return { connections, logRatios, ratio: logRatios.length === 0 ? null : Math.exp(median(logRatios)) };
  }

  /** @param {string} id of an arm @returns {number | null} milliseconds a thing */
  #msOf(id) {
    const rounds = this.samples.filter(({ arm, isUsable }) => arm === id && isUsable);
    return rounds.length === 0 ? null : median(rounds.map(({ ms }) => ms));
  }

  /** @param {string} id of an arm @returns {number} milliseconds; 0 where none was answered */
  #msOfRequest(id) {
    const rounds = this.samples.filter(({ arm, isUsable }) => arm === id && isUsable);
    return rounds.length === 0 ? 0 : median(rounds.map(({ elapsedMs, requests }) => elapsedMs / requests));
  }

  /** @param {string} id @returns {Arm} */
  #arm(id) {
    const arm = this.experiment.arms.find((candidate) => candidate.id === id);
    if (!arm) throw new TypeError(`no arm ${id}`);
    return arm;
  }

  /**
   * A round that met other work on the machine is measured again, as long as that may help: whether it did does not depend on its time.
   * @param {RoundStep} step
   * @param {Arm} arm
   */
  async #round({ pair, position }, arm) {
    const { clocks, onSample, pause, machine, signal } = this.options;
    this.#rounds ??= { at: clocks.steady(), pairs: this.samples.length / this.experiment.arms.length };
    for (;;) {
      await pause(COOL_DOWN);
      const at = new Date(clocks.wall()).toISOString();
      const before = machine?.read();
      const measured = await this.meter.measure(arm, pair);
      const others = machine?.othersSince(before) ?? null;
      if (others !== null && others > DISTURBED && this.#repeats < MAX_REPEATS && !signal?.aborted) {
        this.#repeats += 1;
        continue;
      }
      const sample = { arm: arm.id, pair, position, at, ...measured, ...(others === null ? {} : { others }) };
      this.samples.push(sample);
      onSample?.(sample);
      return;
    }
  }
}
