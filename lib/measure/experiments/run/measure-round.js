// Measures one round of an arm: requests, a build or a load, with the server's counters and sizes around it. Plans
// nothing, judges nothing.

import { queriesOf } from '../experiment.js';
import { makeExamples, makeLoad, makeRequests } from '../workload.js';
import {
  buildIndex,
  buildSetup,
  designDocsOf,
  readDatabaseSizes,
  readIndexSizes,
  saveIndex,
  waitForDocuments,
  waitForIndexers,
} from './prepared-arm.js';
import { readRevisions, replicate } from './replicate.js';

/** @import { Counters } from '../../servers/server.js' */
/** @import { Arm, Experiment, MixedRequest, Sample } from '../experiment.js' */
/** @import { LoadAnswer } from '../load-order.js' */
/** @import { Built } from '../summary.js' */
/** @import { RunOptions } from './run-experiment.js' */

/** A round of requests takes about so long, in milliseconds: long beside the noise of timers, short beside slow drifts. */
const ROUND_MS = 250;
const MAX_REQUESTS = 1000;
/** Documents a request while the data is loaded. */
const LOAD_BATCH = 500;
const TIMEOUT_SECONDS = 60;
/** The counter of all requests that a server answered. */
const ANSWERED = 'couchdb.httpd.requests';
/** Requests of others are noticed from this share of ours on, beside those that read the counters of each node. */
const OTHERS = 0.05;
const ASKING = 2;

/** What a round gives, without its place in the run. @typedef {Omit<Sample, 'arm' | 'pair' | 'position' | 'at'>} Measured */

export class RoundMeter {
  /** @type {string | undefined} */
  firstRefusal;
  isShared = false;
  /** Nodes whose counters were read, of how many; undefined where none were. @type {{read: number, nodes: number} | undefined} */
  counted;
  /** What each arm replicated while it was warmed up: ids and revisions. @type {Map<string, string[]>} */
  arrived = new Map();
  /** Of all arms, or of each. @type {Map<string, string>} */
  #databases = new Map();
  #builds = 0;
  /** Requests of a round for each form of query, by arm. @type {Map<string, number[]>} */
  #counts = new Map();

  /**
   * @param {Experiment} experiment
   * @param {RunOptions} options
   */
  constructor(experiment, options) {
    this.experiment = experiment;
    this.options = options;
  }

  /** @returns {boolean} whether what is read may come from several copies */
  get #isCluster() {
    return (this.options.target.server.about.nodes ?? 1) > 1;
  }

  /** @param {Pick<Arm, 'id'>} arm @returns {string} the name of its database */
  databaseOf({ id }) {
    return this.#databases.get(this.experiment.isSeparate ? id : '') ?? '';
  }

  async create() {
    const { arms, isSeparate } = this.experiment;
    for (const name of isSeparate ? arms.map(({ id }) => id) : ['']) {
      this.#databases.set(name, await this.options.target.create());
    }
  }

  async load() {
    const { target, seed, documents } = this.options;
    const { dataset } = this.experiment;
    const load = makeLoad(dataset, { seed, documents, ids: dataset.given ? 'given' : 'sequential', batch: LOAD_BATCH });
    for (const { path, body = '' } of load) {
      for (const database of this.#databases.values()) await target.write(database, 'POST', path, JSON.parse(body));
    }
    for (const database of this.#databases.values()) {
      await waitForDocuments(target, database, documents, this.options.pause);
    }
  }

  /** @param {Arm} arm @returns {Promise<Built | undefined>} what its index cost; undefined where it has none */
  async build(arm) {
    const { target, clocks } = this.options;
    const database = this.databaseOf(arm);
    const started = clocks.steady();
    await saveIndex(target, database, arm, arm.id);
    if (arm.setup) {
      await buildSetup(target, database, arm.setup, clocks.steady);
      const buildMs = clocks.steady() - started;
      if (this.#isCluster) await waitForIndexers(target, database, this.options.pause);
      return { sizes: await readIndexSizes(target, database, designDocsOf(arm.setup)), buildMs };
    }
    // A Mango index is built while it is saved (PouchDB), or from then on in the background (CouchDB).
    const savedMs = arm.index ? clocks.steady() - started : 0;
    const [request] = this.#requests(arm, queriesOf(arm)[0], { round: -1, count: 1 });
    if (!request) return undefined;
    const buildMs = savedMs + (await buildIndex(target, database, arm, request, clocks.steady));
    if (this.#isCluster) await waitForIndexers(target, database, this.options.pause);
    const hasViews = arm.index !== undefined || arm.designDoc?.views !== undefined;
    const sizes = hasViews ? await readIndexSizes(target, database, [arm.id]) : {};
    return { sizes, buildMs: hasViews ? buildMs : null };
  }

  /** @param {Arm} arm */
  async warmUp(arm) {
    if (arm.measure !== 'requests') {
      // The first build or load includes starting processes and growing tables.
      await this.measure(arm, -1);
      return;
    }
    const { connections } = this.options;
    const queries = queriesOf(arm);
    /** @type {number[]} */
    const counts = [];
    for (const query of queries) {
      const send = async (/** @type {number} */ round, /** @type {number} */ count) => {
        const answer = await this.#send(this.databaseOf(arm), this.#requests(arm, query, { round, count }));
        this.#note(answer);
        return answer;
      };
      // The first opens files and starts processes; the next ones show how many fit into a round.
      await send(-1, 1);
      const probe = await send(-2, connections);
      const ms = probe.elapsedMs / connections;
      // Where nothing is answered with success, no time is known, and little is to be sent.
      const wanted = probe.latencies.length === 0 ? 1 : Math.round(ROUND_MS / queries.length / Math.max(ms, 0.1));
      // Each round has all examples equally often, or arms would be measured on different ones.
      const each = query.examples?.length ?? 1;
      const count = Math.ceil(Math.max(connections, Math.min(MAX_REQUESTS, wanted)) / each) * each;
      counts.push(count);
      await send(-3, count);
    }
    this.#counts.set(arm.id, counts);
  }

  /**
   * @param {Arm} arm
   * @param {number} round
   * @param {number} [connections] other than those of the run, for requests
   * @returns {Promise<Measured>}
   */
  async measure(arm, round, connections) {
    if (arm.measure === 'requests') return this.#measureRequests(arm, round, connections);
    if (arm.measure === 'build') return this.#measureBuild(arm);
    if (arm.measure === 'replicate') return this.#measureReplication(arm, round);
    return this.#measureLoad(arm, round);
  }

  /**
   * Each form of query is measured by itself and counts by its share: a rare one may be the slow one.
   * @param {Arm} arm
   * @param {number} round
   * @param {number} [connections]
   */
  async #measureRequests(arm, round, connections = this.options.connections) {
    const counts = this.#counts.get(arm.id) ?? [];
    /** @type {{share: number, ms: number, answer: LoadAnswer, counters: Record<string, number>}[]} */
    const parts = [];
    for (const [at, query] of queriesOf(arm).entries()) {
      const count = Math.max(connections, counts[at] ?? 1);
      const requests = this.#requests(arm, query, { round, count });
      const before = await this.#counters();
      const answer = await this.#send(this.databaseOf(arm), requests, connections);
      this.#note(answer);
      const things = requests.length * (query.request.answers ?? 1);
      const counters = this.#grown(before, await this.#counters(), { things, sent: requests.length });
      // Connections work side by side, so the time of one thing is that of the round through all of them.
      parts.push({ share: query.share, ms: answer.elapsedMs / things, answer, counters });
    }
    const ms = parts.reduce((sum, part) => sum + part.share * part.ms, 0);
    return { ...this.#roundOf(addUp(parts.map(({ answer }) => answer)), ms), counters: weigh(parts) };
  }

  /** @param {Arm} arm */
  async #measureBuild(arm) {
    const { target, documents, clocks } = this.options;
    const database = this.databaseOf(arm);
    this.#builds += 1;
    // A text of its own, so that nothing is there yet.
    const name = `${arm.id}-${this.#builds}`;
    await saveIndex(target, database, arm, name);
    const [request] = this.#requests(arm, queriesOf(arm)[0], { round: 0, count: 1, designDoc: name });
    const before = await this.#counters();
    const took = request ? await buildIndex(target, database, arm, request, clocks.steady) : 0;
    const counters = this.#grown(before, await this.#counters(), { things: documents, sent: 1 });
    const answer = { latencies: [took], requests: 1, elapsedMs: took, errors: 0, timeouts: 0, refused: 0, bytes: 0 };
    if (this.#isCluster) await waitForIndexers(target, database, this.options.pause);
    const sizes = await readIndexSizes(target, database, [name]);
    return { ...this.#roundOf({ ...answer, firstRefusal: undefined }, took), counters, sizes };
  }

  /** @param {Arm} arm @param {number} round */
  async #measureLoad(arm, round) {
    const { target, documents, seed, clocks } = this.options;
    const { ids = 'sequential', batch = LOAD_BATCH } = arm.load ?? {};
    const database = await target.create();
    try {
      const requests = [...makeLoad(this.experiment.dataset, { seed: `${seed} ${round}`, documents, ids, batch })];
      if (arm.setup) await saveIndex(target, database, arm, arm.id);
      const before = await this.#counters();
      const answer = await this.#send(database, requests, 1);
      this.#note(answer);
      // Writes are complete only when the indexes have them: the first query waits for that.
      const indexMs = arm.setup ? await buildSetup(target, database, arm.setup, clocks.steady) : 0;
      const counters = this.#grown(before, await this.#counters(), { things: documents, sent: requests.length });
      const sizes = await readDatabaseSizes(target, database);
      return { ...this.#roundOf(answer, (answer.elapsedMs + indexMs) / documents), counters, sizes };
    } finally {
      await target.drop(database);
    }
  }

  /** @param {Arm} arm @param {number} round */
  async #measureReplication(arm, round) {
    const { target } = this.options;
    const database = await target.create();
    try {
      const requests = this.#requests(arm, queriesOf(arm)[0], { round, count: 1 });
      const before = await this.#counters();
      const ends = { from: this.databaseOf(arm), to: database };
      const { took, cpuMs } = await replicate(target, requests[0], ends, this.options);
      // What the replicator requests of the server is not of others.
      const counters = this.#grown(before, await this.#counters(), { things: 1, sent: Number.POSITIVE_INFINITY });
      if (round < 0) this.arrived.set(arm.id, await readRevisions(target, database));
      const nothing = { errors: 0, timeouts: 0, refused: 0, bytes: 0, firstRefusal: undefined };
      const answer = { ...nothing, latencies: took === undefined ? [] : [took], requests: 1, elapsedMs: took ?? 0 };
      if (cpuMs !== undefined) counters['processor.cpu ms'] = cpuMs;
      return { ...this.#roundOf(answer, took ?? 0), counters };
    } finally {
      await target.drop(database);
    }
  }

  /**
   * @param {Arm} arm
   * @param {MixedRequest | undefined} query
   * @param {{round: number, count: number, designDoc?: string}} options
   */
  #requests(arm, query, { round, count, designDoc = arm.id }) {
    const { seed, documents } = this.options;
    if (!query) return [];
    if (query.examples) return makeExamples(query.examples, count);
    return makeRequests(query.request, this.experiment.dataset, { seed, round, documents, count, designDoc });
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
  #roundOf({ latencies, requests, elapsedMs, errors, timeouts, refused, bytes }, ms) {
    // A round with failures took the time of other work than the one that is compared.
    const isUsable = latencies.length > 0 && errors === 0 && refused === 0 && latencies.length === requests;
    return { ms: isUsable ? ms : 0, isUsable, elapsedMs, requests, errors, timeouts, refused, bytes, latencies };
  }

  /** @returns {Promise<Counters | undefined>} */
  async #counters() {
    if (this.experiment.counters.length === 0) return undefined;
    const counters = await this.options.target.server.readCounters();
    if (counters) this.counted = { read: counters.read, nodes: counters.nodes };
    return counters;
  }

  /**
   * @param {Counters | undefined} before
   * @param {Counters | undefined} after
   * @param {{things: number, sent: number}} round what it answered, and the requests for that
   * @returns {Record<string, number>}
   */
  #grown(before, after, { things, sent }) {
    // Of other nodes other counters would be the difference.
    if (!before || !after || before.read !== after.read) return {};
    const grown = (/** @type {string} */ name) => (after.values[name] ?? 0) - (before.values[name] ?? 0);
    if (grown(ANSWERED) > sent * (1 + OTHERS) + ASKING * after.nodes) this.isShared = true;
    const known = this.experiment.counters.filter((name) => after.values[name] !== undefined);
    return Object.fromEntries(known.map((name) => [name, grown(name) / things]));
  }
}

/**
 * @param {LoadAnswer[]} answers
 * @returns {LoadAnswer} of all together
 */
function addUp(answers) {
  const sum = (/** @type {'requests' | 'elapsedMs' | 'errors' | 'timeouts' | 'refused' | 'bytes'} */ name) =>
    answers.reduce((all, answer) => all + answer[name], 0);
  return {
    latencies: answers.flatMap(({ latencies }) => latencies),
    requests: sum('requests'),
    elapsedMs: sum('elapsedMs'),
    errors: sum('errors'),
    timeouts: sum('timeouts'),
    refused: sum('refused'),
    bytes: sum('bytes'),
    firstRefusal: answers.find(({ firstRefusal }) => firstRefusal !== undefined)?.firstRefusal,
  };
}

/**
 * @param {{share: number, counters: Record<string, number>}[]} parts
 * @returns {Record<string, number>} a thing answered, of all forms by their shares
 */
function weigh(parts) {
  const names = new Set(parts.flatMap(({ counters }) => Object.keys(counters)));
  return Object.fromEntries(
    [...names].map((name) => [
      name,
      parts.reduce((sum, { share, counters }) => sum + share * (counters[name] ?? 0), 0),
    ]),
  );
}
