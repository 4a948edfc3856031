// Manages the databases of a run: makes them, marks them as its own, writes into them, drops them. Refuses every
// database that it did not make. What a killed run left behind is found by its mark.

import { formatCount } from '../../shared/units.js';
import { UserError } from '../../shared/user-error.js';
import { isMadeName, isScratchName, SCRATCH_PREFIX, scratchName } from './scratch-name.js';

/** @import { JsonAnswer } from './json-request.js' */
/** @import { Server } from './server.js' */

/** The document that marks a database as ours; local ones are neither replicated nor counted. */
const MARK = '_local/couch-advisor-scratch';
/** Databases of ours that are looked at; killed runs leave some, and a list of them has an end. */
const MAX_LEFTOVERS = 10_000;
/** What marks of other runs say of their process. @typedef {{run: string, host: string, pid: number, at: string}} Mark */

export class Target {
  /** @type {Set<string>} */
  #made = new Set();
  #count = 0;

  /**
   * @param {Server} server
   * @param {Mark} mark of this run
   */
  constructor(server, mark) {
    this.server = server;
    this.mark = mark;
  }

  /** @returns {string[]} the databases that are there by now */
  get names() {
    return [...this.#made];
  }

  /**
   * @returns {Promise<string>} the name of a new, empty database
   * @throws {UserError} where the server makes none
   */
  async create() {
    this.#count += 1;
    const name = scratchName(this.mark.run, this.#count);
    const { status, body } = await this.server.ask('PUT', name);
    // One that was there before is somebody else's.
    if (status >= 300) throw refused('could not create a scratch database', status, body);
    this.#made.add(name);
    expectSuccess(await this.server.ask('PUT', `${name}/${MARK}`, this.mark), 'could not mark a scratch database');
    return name;
  }

  /**
   * @param {string} name
   * @param {'PUT' | 'POST' | 'DELETE'} method
   * @param {string} path below the database
   * @param {unknown} [body]
   * @returns {Promise<any>} what the server answered
   * @throws {UserError} where it refuses; {Error} where the database is not one of this run
   */
  async write(name, method, path, body) {
    this.own(name);
    return expectSuccess(
      await this.server.ask(method, `${name}/${path}`, body),
      `${method} ${path.slice(0, 80)} failed`,
    );
  }

  /**
   * @param {string} name
   * @param {string} path
   * @returns {Promise<any>}
   */
  async read(name, path) {
    this.own(name);
    return expectSuccess(await this.server.ask('GET', `${name}/${path}`), `GET ${path.slice(0, 80)} failed`);
  }

  /**
   * Replicates once, without checkpoints. The server connects to itself at the port of its own configuration: at the address of this run there
   * may be a published port of a container, or a proxy. A name alone is refused since 3.0.
   * @param {string} source
   * @param {string} target
   * @param {object} job what it passes: a filter or a selector
   * @returns {Promise<any>} what the server answered at the end
   * @throws {UserError} where it refuses; {Error} where one of the databases is not of this run
   */
  async replicate(source, target, job) {
    for (const name of [source, target]) this.own(name);
    const { status, body: port } = await this.server.ask('GET', '_node/_local/_config/chttpd/port');
    if (status !== 200 || !/^\d+$/.test(String(port).trim())) throw refused('could not read its port', status, port);
    const end = (/** @type {string} */ name) => ({
      url: `http://127.0.0.1:${String(port).trim()}/${name}`,
      headers: this.server.headers,
    });
    const whole = { ...job, source: end(source), target: end(target), use_checkpoints: false };
    return expectSuccess(await this.server.ask('POST', '_replicate', whole), 'the replication failed');
  }

  /**
   * @param {string} name
   * @returns {Promise<void>}
   */
  async drop(name) {
    this.own(name);
    const { status, body } = await this.server.ask('DELETE', name);
    if (status >= 300 && status !== 404) throw refused(`could not drop ${name}`, status, body);
    this.#made.delete(name);
  }

  /** @returns {Promise<string[]>} names of those that could not be dropped */
  async dropAll() {
    for (const name of this.names) await this.drop(name).catch(() => {});
    return this.names;
  }

  /**
   * @param {string} name
   * @throws {Error} where this run did not make it: a fault of this program
   */
  own(name) {
    if (!this.#made.has(name)) throw new Error('refused: a database that this run did not create');
  }
}

/**
 * Drops what runs have left that cannot go on: those of dead processes of this machine, or all that are marked. A run that was killed before
 * it could mark a database has left it empty, under a name that this program made.
 * @param {Server} server
 * @param {{host: string, isAlive: (pid: number) => boolean, all?: boolean}} options `all` must not be set while another run is at work
 * @returns {Promise<{dropped: string[], kept: string[], failed: string[]}>} `kept`: such names without our mark, or of runs that may go on;
 *   `failed`: those whose mark could not be read, or that the server did not drop
 * @throws {UserError} where the server does not list its databases
 */
export async function dropLeftovers(server, { host, isAlive, all = false }) {
  const last = `${SCRATCH_PREFIX}\ufff0`;
  const range = `startkey=${encodeURIComponent(JSON.stringify(SCRATCH_PREFIX))}&endkey=${encodeURIComponent(JSON.stringify(last))}`;
  const { status: listed, body } = await server.ask('GET', `_all_dbs?${range}`);
  if (listed !== 200 || !Array.isArray(body)) throw refused('could not list the databases', listed, body);
  const names = body.filter((name) => typeof name === 'string' && isScratchName(name));
  if (names.length > MAX_LEFTOVERS)
    throw new UserError('wrong-answer', `the server lists ${formatCount(names.length)} scratch databases`);
  /** @type {string[]} */
  const dropped = [];
  /** @type {string[]} */
  const kept = [];
  /** @type {string[]} */
  const failed = [];
  for (const name of names) {
    const { status, body: mark } = await server.ask('GET', `${name}/${MARK}`);
    const isMarked =
      status === 200 && typeof mark?.run === 'string' && name.startsWith(`${SCRATCH_PREFIX}${mark.run}-`);
    const isDead = isMarked && mark.host === host && Number.isInteger(mark.pid) && !isAlive(mark.pid);
    const isOurs = isMarked
      ? all || isDead
      : all && status === 404 && isMadeName(name) && (await isEmpty(server, name));
    if (status !== 200 && status !== 404) failed.push(name);
    else if (!isOurs) kept.push(name);
    else if ((await server.ask('DELETE', name)).status < 300) dropped.push(name);
    else failed.push(name);
  }
  return { dropped, kept, failed };
}

/**
 * @param {Server} server
 * @param {string} name
 * @returns {Promise<boolean>} whether nothing was ever written into it
 */
async function isEmpty(server, name) {
  const { status, body } = await server.ask('GET', name);
  return status === 200 && body?.doc_count === 0 && (body.doc_del_count ?? 0) === 0;
}

/**
 * @param {JsonAnswer} answer
 * @param {string} what
 * @returns {any} its body: an object or a list
 */
function expectSuccess({ status, body }, what) {
  if (status >= 300) throw refused(what, status, body);
  if (typeof body === 'object' && body !== null) return body;
  throw new UserError(
    'wrong-answer',
    `${what}: the response is ${body === null ? 'null' : `a ${typeof body}`}, not an object`,
    {
      hint: 'check that this is the address of a CouchDB, and that no proxy changes its responses',
    },
  );
}

/**
 * @param {string} what
 * @param {number} status
 * @param {any} body
 * @returns {UserError}
 */
function refused(what, status, body) {
  const reason = typeof body?.reason === 'string' ? `: ${body.reason.slice(0, 200)}` : '';
  const hint =
    status === 401 || status === 403 ? 'set COUCHDB_USER and COUCHDB_PASSWORD to those of a server admin' : undefined;
  return new UserError('server-refused', `${what} (${status}${reason})`, { ...(hint ? { hint } : {}) });
}
