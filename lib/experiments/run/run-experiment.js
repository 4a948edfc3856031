// Runs one experiment on one server: create, load, build, warm up, interleaved rounds, drop. Every sample is handed on as soon as it
// is there. Judges nothing but when it may stop.

import { planRounds, planSteps } from '../plan.js';
import { median } from '../statistics.js';
import { logRatiosOf } from '../summary.js';
import { LEAST_PAIRS, looksOf, maySettle } from '../verdict.js';
import { makeLoad, makeRequests } from '../workload.js';
import { buildIndex, readDatabaseSizes, readIndexSizes, saveIndex } from './prepared-arm.js';

/** @import { Target } from '../../servers/target.js' */
/** @import { Arm, Crowd, Experiment, Sample } from '../experiment.js' */
/** @import { LoadAnswer, LoadGenerator } from '../load-order.js' */
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
 * @property {number} margin
 * @property {number} experiments how many the run has
 * @property {{steady: () => number, wall: () => number}} clocks milliseconds; `steady` never runs back
 * @property {(milliseconds: number) => Promise<void>} pause
 * @property {readonly Sample[]} [earlier] whole pairs of a run that was cut short; it goes on behind them
 * @property {(sample: Sample) => void} [onSample]
 * @property {(step: Step) => void} [onStep]
 * @property {AbortSignal} [signal]
 */

/**
 * @typedef {object} Run
 * @property {Sample[]} samples
 * @property {Map<string, Built>} built
 * @property {Crowd | null} crowd null where it was not asked for, or would take too long
 * @property {boolean} isStopped whether it was interrupted
 * @property {string | undefined} firstRefusal what the first answer other than 2xx said
 * @property {string[]} left names of databases that could not be dropped
 * @property {boolean} isShared whether the server answered others meanwhile
 * @property {{wallMs: number, steadyMs: number}} clocks what two clocks say it took
 */

/** A round of requests takes about so long, in milliseconds: long beside the noise of timers, short beside slow drifts. */
const ROUND_MS = 250;
const MOST_REQUESTS = 1000;
/** Documents a request while the data is loaded. */
const LOAD_BATCH = 500;
/** Between rounds, in milliseconds: what the last one set going ends. */
const COOL_DOWN = 20;
const TIMEOUT_SECONDS = 60;
/** Pairs of rounds with many connections, and how long one of these rounds may take, in milliseconds. */
const CROWD_PAIRS = 3;
const LONGEST_CROWD_ROUND = 2000;
/** The counter of all requests that the server answered. */
const ANSWERED = 'couchdb.httpd.requests';
/** Requests of others are noticed from this share of ours on, beside those that ask for the counters. */
const OTHERS = 0.05;
const ASKING = 2;
/** So many times its budget an experiment may take to come to its first look. */
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
  let isStopped = false;
  /** @type {Crowd | null} */
  let crowd = null;
  /** @type {string[]} */
  let left = [];
  try {
    for (const step of planSteps(experiment, { seed, pairs })) {
      if (step.step === 'drop') break;
      if (step.step === 'round' && runner.isKnown(step)) continue;
      if (signal?.aborted) {
        isStopped = true;
        break;
      }
      if (step.step === 'round' && runner.isEnough(step)) break;
      options.onStep?.(step);
      await runner.take(step);
    }
    if (!isStopped && options.crowd !== undefined) crowd = await runner.measureCrowd(options.crowd);
  } finally {
    options.onStep?.({ step: 'drop' });
    left = await target.dropAll();
  }
  return {
    samples: runner.samples,
    built: runner.built,
    crowd,
    isStopped: isStopped || signal?.aborted === true,
    firstRefusal: runner.firstRefusal,
    left,
    isShared: runner.isShared,
    clocks: { wallMs: clocks.wall() - wall, steadyMs: clocks.steady() - steady },
  };
}

class Runner {
  /** @type {Sample[]} */
  samples = [];
  /** @type {Map<string, Built>} */
  built = new Map();
  /** @type {string | undefined} */
  firstRefusal;
  isShared = false;
  #database = '';
  #builds = 0;
  #started;
  /** Requests of a round, by arm. @type {Map<string, number>} */
  #counts = new Map();

  /**
   * @param {Experiment} experiment
   * @param {RunOptions} options
   */
  constructor(experiment, options) {
    this.experiment = experiment;
    this.options = options;
    this.#started = options.clocks.steady();
    this.samples.push(...(options.earlier ?? []).filter((sample) => this.#fits(sample)));
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
   * @returns {boolean} whether it need not be taken
   */
  isEnough({ pair }) {
    const { arms } = this.experiment;
    const isBetweenPairs = this.samples.length === pair * arms.length;
    if (!isBetweenPairs || pair === 0) return false;
    const { budgetMs, clocks, margin, experiments } = this.options;
    const [firstLook = LEAST_PAIRS] = looksOf(experiments);
    const spent = (clocks.steady() - this.#started) / budgetMs;
    // Before the first look nothing can be settled, and all the time would be lost: that is worth some more of it.
    if (spent >= 1 && (pair >= firstLook || spent >= OVERRUN)) return true;
    return maySettle(logRatiosOf(this.samples), { margin, effect: this.experiment.effect, experiments });
  }

  /** @param {Step} step */
  async take(step) {
    const { target, seed, documents } = this.options;
    if (step.step === 'create') this.#database = await target.create();
    else if (step.step === 'load') {
      const load = makeLoad(this.experiment.dataset, { seed, documents, ids: 'sequential', batch: LOAD_BATCH });
      for (const { path, body = '' } of load) await target.write(this.#database, 'POST', path, JSON.parse(body));
    } else if (step.step === 'build') await this.#build(this.#arm(step.arm));
    else if (step.step === 'warm-up') await this.#warmUp(this.#arm(step.arm));
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
      const measured = await this.#measureRequests(this.#arm(id), pair, connections);
      const sample = { arm: id, pair, position, at, ...measured, connections };
      samples.push(sample);
      onSample?.(sample);
    }
    const logRatios = logRatiosOf(samples);
    return { connections, logRatios, ratio: logRatios.length === 0 ? null : Math.exp(median(logRatios)) };
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

  /** @param {Arm} arm */
  async #build(arm) {
    const { target, clocks } = this.options;
    const started = clocks.steady();
    await saveIndex(target, this.#database, arm, arm.id);
    // A Mango index is built while it is saved (PouchDB), or from then on in the background (CouchDB).
    const savedMs = arm.index ? clocks.steady() - started : 0;
    const [request] = this.#requests(arm, { round: -1, count: 1 });
    if (!request) return;
    const buildMs = savedMs + (await buildIndex(target, this.#database, arm, request, clocks.steady));
    const hasViews = arm.index !== undefined || arm.designDoc?.views !== undefined;
    const sizes = hasViews ? await readIndexSizes(target, this.#database, arm.id) : {};
    this.built.set(arm.id, { sizes, buildMs: hasViews ? buildMs : null });
  }

  /** @param {Arm} arm */
  async #warmUp(arm) {
    if (arm.measure !== 'requests') {
      // The first build or load includes starting processes and growing tables.
      await this.#measure(arm, -1);
      return;
    }
    const { connections } = this.options;
    // The first opens files and starts processes; the next ones tell how many fit into a round.
    this.#note(await this.#send(this.#database, this.#requests(arm, { round: -1, count: 1 })));
    const probe = await this.#send(this.#database, this.#requests(arm, { round: -2, count: connections }));
    this.#note(probe);
    const each = probe.elapsedMs / connections;
    // Where nothing is answered with success, no time is known, and little is to be sent.
    const wanted = probe.latencies.length === 0 ? 1 : Math.round(ROUND_MS / Math.max(each, 0.1));
    const count = Math.max(connections, Math.min(MOST_REQUESTS, wanted));
    this.#counts.set(arm.id, count);
    this.#note(await this.#send(this.#database, this.#requests(arm, { round: -3, count })));
  }

  /** @param {RoundStep} step @param {Arm} arm */
  async #round({ pair, position }, arm) {
    const { clocks, onSample, pause } = this.options;
    await pause(COOL_DOWN);
    const at = new Date(clocks.wall()).toISOString();
    const measured = await this.#measure(arm, pair);
    const sample = { arm: arm.id, pair, position, at, ...measured };
    this.samples.push(sample);
    onSample?.(sample);
  }

  /**
   * @param {Arm} arm
   * @param {number} round
   * @returns {Promise<Omit<Sample, 'arm' | 'pair' | 'position' | 'at'>>}
   */
  async #measure(arm, round) {
    if (arm.measure === 'requests') return this.#measureRequests(arm, round);
    if (arm.measure === 'build') return this.#measureBuild(arm);
    return this.#measureLoad(arm, round);
  }

  /** @param {Arm} arm @param {number} round @param {number} [connections] */
  async #measureRequests(arm, round, connections = this.options.connections) {
    const count = Math.max(connections, this.#counts.get(arm.id) ?? 1);
    const requests = this.#requests(arm, { round, count });
    const before = await this.#counters();
    const answer = await this.#send(this.#database, requests, connections);
    this.#note(answer);
    const things = requests.length * (arm.request?.answers ?? 1);
    // Connections work side by side, so the time of one thing is that of the round through all of them.
    const ms = answer.elapsedMs / things;
    return {
      ...this.#told(answer, ms),
      counters: this.#grown(before, await this.#counters(), { things, sent: requests.length }),
    };
  }

  /** @param {Arm} arm */
  async #measureBuild(arm) {
    const { target, documents, clocks } = this.options;
    this.#builds += 1;
    // A text of its own, so that nothing is there yet.
    const name = `${arm.id}-${this.#builds}`;
    await saveIndex(target, this.#database, arm, name);
    const [request] = this.#requests(arm, { round: 0, count: 1, designDoc: name });
    const before = await this.#counters();
    const took = request ? await buildIndex(target, this.#database, arm, request, clocks.steady) : 0;
    const counters = this.#grown(before, await this.#counters(), { things: documents, sent: 1 });
    const answer = { latencies: [took], requests: 1, elapsedMs: took, errors: 0, timeouts: 0, refused: 0, bytes: 0 };
    const sizes = await readIndexSizes(target, this.#database, name);
    return { ...this.#told({ ...answer, firstRefusal: undefined }, took), counters, sizes };
  }

  /** @param {Arm} arm @param {number} round */
  async #measureLoad(arm, round) {
    const { target, documents, seed } = this.options;
    const { ids = 'sequential', batch = LOAD_BATCH } = arm.load ?? {};
    const database = await target.create();
    try {
      const requests = [...makeLoad(this.experiment.dataset, { seed: `${seed} ${round}`, documents, ids, batch })];
      const before = await this.#counters();
      const answer = await this.#send(database, requests, 1);
      this.#note(answer);
      const counters = this.#grown(before, await this.#counters(), { things: documents, sent: requests.length });
      const sizes = await readDatabaseSizes(target, database);
      return { ...this.#told(answer, answer.elapsedMs / documents), counters, sizes };
    } finally {
      await target.drop(database);
    }
  }

  /**
   * @param {Arm} arm
   * @param {{round: number, count: number, designDoc?: string}} options
   */
  #requests(arm, { round, count, designDoc = arm.id }) {
    const { seed, documents } = this.options;
    return makeRequests(arm, this.experiment.dataset, { seed, round, documents, count, designDoc });
  }

  /**
   * @param {string} database
   * @param {ReturnType<typeof makeRequests>} requests
   * @param {number} [connections]
   */
  #send(database, requests, connections = this.options.connections) {
    const { generator, target, signal } = this.options;
    target.own(database);
    const { origin, headers } = target.server;
    return generator.run({ origin, headers, database, requests, connections, timeoutSeconds: TIMEOUT_SECONDS, signal });
  }

  /** @param {LoadAnswer} answer */
  #note({ firstRefusal }) {
    this.firstRefusal ??= firstRefusal;
  }

  /**
   * @param {LoadAnswer} answer
   * @param {number} ms
   */
  #told({ latencies, requests, elapsedMs, errors, timeouts, refused, bytes }, ms) {
    // A round with failures took the time of other work than the one that is compared.
    const isUsable = latencies.length > 0 && errors === 0 && refused === 0 && latencies.length === requests;
    return { ms: isUsable ? ms : 0, isUsable, elapsedMs, requests, errors, timeouts, refused, bytes, latencies };
  }

  /** @returns {Promise<Record<string, number> | undefined>} */
  async #counters() {
    return this.experiment.counters.length > 0 ? this.options.target.server.readCounters() : undefined;
  }

  /**
   * @param {Record<string, number> | undefined} before
   * @param {Record<string, number> | undefined} after
   * @param {{things: number, sent: number}} round what it answered, and the requests for that
   * @returns {Record<string, number>}
   */
  #grown(before, after, { things, sent }) {
    if (!before || !after) return {};
    const answered = (after[ANSWERED] ?? 0) - (before[ANSWERED] ?? 0);
    if (answered > sent * (1 + OTHERS) + ASKING) this.isShared = true;
    const { counters } = this.experiment;
    const known = counters.filter((name) => after[name] !== undefined);
    return Object.fromEntries(known.map((name) => [name, ((after[name] ?? 0) - (before[name] ?? 0)) / things]));
  }
}
