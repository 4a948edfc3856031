// Gives every scenario its tools: scratch databases of one server with as many shards as wanted, loads, timed requests,
// samples. Drops all it made. Knows no scenario.

import { UserError } from '../../../shared/user-error.js';
import { isScratchName } from '../../servers/scratch-name.js';
import { cpuOfTrees, watchMachine } from '../../servers/server-processes.js';
import { Target } from '../../servers/target.js';
import { TimedRequests } from './timed-requests.js';

/** @import { Mechanism } from '../../experiments/experiment.js' */
/** @import { Server } from '../../servers/server.js' */
/** @import { Mark } from '../../servers/target.js' */
/** @import { BenchSample, Settings } from '../scenario.js' */
/** @import { Method, TimedAnswer } from './timed-requests.js' */

/**
 * @typedef {object} WorkbenchOptions
 * @property {Server} server
 * @property {Mark} mark of the run
 * @property {string} seed
 * @property {Settings} settings
 * @property {Record<string, unknown>[]} ownDocuments of the user; none where the scenario makes its own
 * @property {boolean} mayChangeConfig
 * @property {string} cwd where commands of the user run
 * @property {(text: string) => void} onProgress shows what is being done
 * @property {(milliseconds: number) => Promise<void>} pause
 * @property {AbortSignal} [signal]
 */

/** @typedef {{ms: number, things: number} & Partial<BenchSample>} Measured what the work of a sample gives */
/** @typedef {{set: string, arm: string, round: number}} SamplePlace */

export class Workbench {
  /** @type {BenchSample[]} */
  samples = [];
  /** What this server or machine lacks. @type {string[]} */
  missing = [];
  /** @type {string[]} */
  notes = [];
  /** Whether the server was seen to compact a file by itself. */
  wasCompacted = false;
  /** One for each number of shards. @type {Map<string, Target>} */
  #targets = new Map();
  #requests;
  #machine;

  /** @param {WorkbenchOptions} options */
  constructor(options) {
    this.options = options;
    this.server = options.server;
    this.#requests = new TimedRequests(options.server);
    this.#machine = watchMachine(options.server);
  }

  /** @returns {boolean} whether the server's processor time can be read */
  get readsCpu() {
    return (this.server.processes ?? []).length > 0;
  }

  /** @param {Mechanism} mechanism @returns {boolean} */
  has(mechanism) {
    return this.server.mechanisms.has(mechanism);
  }

  /** @param {string} name @returns {number} a setting that is a number */
  number(name) {
    const value = this.options.settings[name];
    if (typeof value !== 'number') throw new TypeError(`not a number: ${name}`);
    return value;
  }

  /** @param {string} name @returns {number[]} a setting that is a list of numbers */
  numbers(name) {
    const value = this.options.settings[name];
    if (!Array.isArray(value)) throw new TypeError(`not an array: ${name}`);
    return value.map(Number);
  }

  /** @throws {UserError} where the run was interrupted */
  check() {
    if (this.options.signal?.aborted) throw new UserError('interrupted', 'the run was interrupted');
  }

  /**
   * @param {number} [shards] as many as the server makes by itself where absent, or where it has none
   * @returns {Promise<string>} the name of a new, empty scratch database
   */
  async create(shards) {
    this.check();
    const key = shards === undefined || !this.has('scatter-gather') ? '' : `q${shards}`;
    const known = this.#targets.get(key);
    const target = known ?? this.#makeTarget(key);
    return target.create();
  }

  /**
   * @param {string} database
   * @param {string} path below it
   * @returns {Promise<any>}
   */
  read(database, path) {
    return this.#targetOf(database).read(database, path);
  }

  /**
   * @param {string} database
   * @param {'PUT' | 'POST' | 'DELETE'} method
   * @param {string} path below it
   * @param {unknown} [body]
   * @returns {Promise<any>}
   */
  write(database, method, path, body) {
    this.check();
    return this.#targetOf(database).write(database, method, path, body);
  }

  /** @param {string} database */
  drop(database) {
    return this.#targetOf(database).drop(database);
  }

  /**
   * One request, timed to its last byte.
   * @param {Method} method
   * @param {string} database
   * @param {string} path below it; empty for the database itself
   * @param {{body?: unknown, text?: string, keeps?: boolean}} [options] `text`: a body that is written already
   * @returns {Promise<TimedAnswer>}
   * @throws {UserError} where the server refuses it
   */
  async time(method, database, path, { body, text, keeps = false } = {}) {
    this.check();
    this.#targetOf(database);
    const { signal } = this.options;
    const written = text ?? (body === undefined ? undefined : JSON.stringify(body));
    const answer = await this.#requests.send(method, path === '' ? database : `${database}/${path}`, {
      ...(written === undefined ? {} : { body: written }),
      keeps,
      signal,
    });
    if (answer.status >= 300) {
      throw new UserError(
        'server-refused',
        `${method} ${path.slice(0, 80)} failed (${answer.status}: ${answer.text.trim().slice(0, 200)})`,
      );
    }
    return answer;
  }

  /**
   * Takes a sample. The work says how long it took; the server's processor time is read around it.
   * @param {SamplePlace} place
   * @param {() => Promise<Measured>} work
   * @returns {Promise<BenchSample>}
   */
  async sample(place, work) {
    this.check();
    this.options.onProgress(`${place.set}, ${place.arm}: round ${place.round + 1}`);
    const at = new Date().toISOString();
    const reading = this.#machine.read();
    const before = this.#readCpu();
    const measured = await work();
    const after = this.#readCpu();
    const others = this.#machine.othersSince(reading);
    const cpu = before === undefined || after === undefined ? {} : { cpuMs: Math.max(0, after - before) };
    /** @type {BenchSample} */
    const sample = { ...place, at, ...cpu, ...(others === null ? {} : { others }), ...measured };
    this.samples.push(sample);
    return sample;
  }

  /** @returns {Promise<string[]>} names of databases that could not be dropped */
  async dropAll() {
    const left = [];
    for (const target of this.#targets.values()) left.push(...(await target.dropAll()));
    this.#requests.close();
    return left;
  }

  /** @returns {number | undefined} milliseconds */
  #readCpu() {
    return this.readsCpu ? cpuOfTrees(this.server.processes ?? []) : undefined;
  }

  /** @param {string} key @returns {Target} */
  #makeTarget(key) {
    const { server, mark } = this.options;
    const query = key === '' ? '' : `?q=${key.slice(1)}`;
    /** @type {Server} */
    const sharded = {
      ...server,
      // Only the request that makes a database takes the number of shards (src/chttpd/src/chttpd_db.erl, create_db_req, 3.5.0).
      ask: (method, path, body) =>
        server.ask(method, method === 'PUT' && isScratchName(path) ? `${path}${query}` : path, body),
    };
    // A name of its own, as each target counts its databases from one.
    const target = new Target(sharded, key === '' ? mark : { ...mark, run: `${mark.run}-${key}` });
    this.#targets.set(key, target);
    return target;
  }

  /** @param {string} database @returns {Target} that made it */
  #targetOf(database) {
    for (const target of this.#targets.values()) if (target.names.includes(database)) return target;
    throw new Error('refused: a database that this run did not create');
  }
}
