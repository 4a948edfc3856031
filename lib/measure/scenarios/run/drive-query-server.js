// Drives one query server without a database, as CouchDB would, and times it: one process maps documents one by one, another reduces rows in groups
// like the nodes of the B-tree and is reset before each call. Answers are checked once the clock has stopped.

import process from 'node:process';
import { cpuOfTrees } from '../../servers/server-processes.js';
import { faultOfTrue, reducedOf, rowsOf, writeCommand } from '../query-protocol.js';
import { FUNCTIONS, rowOf } from '../score-views.js';
import { QueryServerFault, QueryServerProcess } from './query-server-process.js';

/** @import { Command } from '../query-protocol.js' */
/** @import { Language } from '../score-views.js' */

/**
 * Rows of one call of a reducer, and results of one call that reduces again. A node of a view's tree takes about 1,279 bytes of terms
 * (couch_btree.erl, get_chunk_size, CouchDB 3.5.0), which holds about so many rows of this view: CouchDB 3.5.0 counted 0.089 calls a
 * document in a build of 20,000.
 */
const ROWS_A_CALL = 12;

/** @typedef {Record<string, any> & {_id: string}} Document */
/** @typedef {{ms: number, cpuMs: number | undefined, documents: number, logged: number}} Driven */

/** What CouchDB sends first. */
const RESET = writeCommand(['reset', { reduce_limit: true, timeout: 5000 }]);

/**
 * @param {string} command
 * @param {{timeoutMs: number, cwd: string}} options
 * @returns {Promise<{language: Language} | {fault: string, stderr: string}>} the first language whose function it takes
 */
export async function findLanguage(command, options) {
  let fault = '';
  let stderr = '';
  for (const language of /** @type {Language[]} */ (['javascript', 'python', 'erlang'])) {
    const server = new QueryServerProcess(command, options);
    try {
      await ready(server, language);
      // Some take every text for a function, and then give nothing.
      const document = { _id: 'a', metadata: { createdAt: '2026-01-02' }, score: 1 };
      const { rows } = expect(rowsOf(await server.ask(writeCommand(['map_doc', document]))));
      if (JSON.stringify(rows) === JSON.stringify([rowOf(document)])) return { language };
      fault ||= 'it accepts the functions but returns wrong rows';
    } catch (error) {
      if (!(error instanceof QueryServerFault)) throw error;
      fault ||= error.message;
    } finally {
      await server.close();
      stderr ||= server.stderr;
    }
  }
  return { fault, stderr };
}

/**
 * @param {string} command
 * @param {object} order
 * @param {Language} order.language
 * @param {readonly Document[]} order.documents
 * @param {boolean} order.reduces whether rows are reduced, too
 * @param {number} order.timeoutMs for each answer
 * @param {string} order.cwd
 * @param {AbortSignal} [order.signal]
 * @returns {Promise<Driven | {fault: string, stderr: string}>}
 */
export async function driveQueryServer(command, { language, documents, reduces, timeoutMs, cwd, signal }) {
  const lines = documents.map((document) => writeCommand(['map_doc', document]));
  const mapper = new QueryServerProcess(command, { timeoutMs, cwd });
  const reducer = reduces ? new QueryServerProcess(command, { timeoutMs, cwd }) : undefined;
  const servers = reducer ? [mapper, reducer] : [mapper];
  const stop = () => void Promise.all(servers.map((server) => server.close()));
  signal?.addEventListener('abort', stop, { once: true });
  try {
    for (const server of servers) await ready(server, language);
    // The first answers include what is loaded and compiled only once.
    for (const line of lines.slice(0, 3)) expect(rowsOf(await mapper.ask(line)));
    const cpuBefore = cpuOf(servers);
    const started = process.hrtime.bigint();
    const results = await work(mapper, { documents, lines, reducer, reduce: FUNCTIONS[language].reduce });
    const ms = Number(process.hrtime.bigint() - started) / 1e6;
    const cpuAfter = cpuOf(servers);
    check(results, documents);
    const cpuMs = cpuBefore === undefined || cpuAfter === undefined ? undefined : cpuAfter - cpuBefore;
    return { ms, cpuMs, documents: documents.length, logged: servers.reduce((sum, { logged }) => sum + logged, 0) };
  } catch (error) {
    if (!(error instanceof QueryServerFault)) throw error;
    return { fault: error.message, stderr: servers.map(({ stderr }) => stderr).find((text) => text !== '') ?? '' };
  } finally {
    signal?.removeEventListener('abort', stop);
    for (const server of servers) await server.close();
  }
}

/**
 * @param {QueryServerProcess} server
 * @param {Language} language
 */
async function ready(server, language) {
  for (const line of [RESET, writeCommand(['add_fun', FUNCTIONS[language].map])]) {
    const fault = faultOfTrue(await server.ask(line));
    if (fault !== undefined) throw new QueryServerFault(fault);
  }
}

/** @typedef {{rows: unknown[][], sum: unknown}} Results rows of each document, and the reduced value of all */

/**
 * @param {QueryServerProcess} mapper
 * @param {{documents: readonly Document[], lines: string[], reducer: QueryServerProcess | undefined, reduce: string}} order
 * @returns {Promise<Results>}
 */
async function work(mapper, { documents, lines, reducer, reduce }) {
  /** @type {unknown[][]} */
  const all = [];
  /** @type {unknown[]} */
  let pending = [];
  /** @type {unknown[]} */
  let reduced = [];
  for (const [at, line] of lines.entries()) {
    const { rows } = expect(rowsOf(await mapper.ask(line)));
    all.push(rows);
    if (!reducer) continue;
    const id = documents[at]?._id;
    pending.push(...rows.map(([key, value]) => [[key, id], value]));
    if (pending.length < ROWS_A_CALL && at < lines.length - 1) continue;
    reduced.push(await askReducer(reducer, ['reduce', [reduce], pending]));
    pending = [];
  }
  // As the tree's upper nodes, until one value is left.
  while (reducer && reduced.length > 1) {
    /** @type {unknown[]} */
    const upper = [];
    for (let at = 0; at < reduced.length; at += ROWS_A_CALL) {
      const values = reduced.slice(at, at + ROWS_A_CALL);
      upper.push(await askReducer(reducer, ['rereduce', [reduce], values]));
    }
    reduced = upper;
  }
  return { rows: all, sum: reduced[0] };
}

/**
 * @param {QueryServerProcess} reducer
 * @param {Command} command
 * @returns {Promise<unknown>} the one reduced value
 */
async function askReducer(reducer, command) {
  // A process is reset each time it is taken for a call (src/couch/src/couch_query_servers.erl, get_os_process, 3.5.0).
  const fault = faultOfTrue(await reducer.ask(RESET));
  if (fault !== undefined) throw new QueryServerFault(fault);
  return expect(reducedOf(await reducer.ask(writeCommand(command)))).reduced;
}

/**
 * @param {Results} results
 * @param {readonly Document[]} documents
 * @throws {QueryServerFault} where the answers are not what the functions compute
 */
function check({ rows, sum }, documents) {
  const due = documents.map(rowOf);
  const wrong = due.findIndex((row, at) => JSON.stringify(rows[at]) !== JSON.stringify([row]));
  if (wrong !== -1) throw new QueryServerFault(`it returns wrong rows from document ${wrong + 1} on`);
  const total = due.reduce((all, [, score]) => all + score, 0);
  if (sum !== undefined && sum !== total)
    throw new QueryServerFault(`it returns a wrong reduced value: ${JSON.stringify(sum)}`);
}

/** @param {QueryServerProcess[]} servers @returns {number | undefined} milliseconds of their processes; undefined where one cannot be read */
function cpuOf(servers) {
  const all = servers.map(({ pid }) => (pid === undefined ? undefined : cpuOfTrees([pid])));
  return all.reduce((sum, one) => (sum === undefined || one === undefined ? undefined : sum + one), 0);
}

/**
 * @template {object} T
 * @param {T | {fault: string}} result
 * @returns {T}
 */
function expect(result) {
  if ('fault' in result) throw new QueryServerFault(result.fault);
  return result;
}
