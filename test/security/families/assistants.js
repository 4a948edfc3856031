// Attacks by what an assistant is led to: hostile names and files, paths and links out of the roots, calls that are cancelled or whose client goes.

import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { CACHE_ENV } from '../../helpers/cache-folder.js';
import { runMain } from '../../helpers/run-main.js';
import { HOSTILE_NAMES, hostileProject, writeFiles } from '../hostile-project.js';
import { inspectRun, inspectTerminal } from '../inspect.js';

/** @import { Attempt, Family } from '../attack.js' */

const PROGRAM = new URL('../../../bin/couch-advisor.js', import.meta.url).pathname;
const SECRET = 'outside-of-the-roots-4711';
const ORDERS = 'function (doc) {\n  emit(doc.date, doc);\n}';
/** So long a process may take to be gone, in milliseconds. */
const MAX_MS = 20_000;

/** @type {Family} */
export const assistants = {
  id: 'assistants',
  about:
    'An assistant reads nothing outside of the roots, gets every quoted line marked, and no call outlives its client',
  least: { short: 90, full: 300 },
  async *attack({ folder, isFull }) {
    // Each name takes seven calls, most of which prove and try reduces.
    const some = HOSTILE_NAMES.filter((_, at) => at % (isFull ? 3 : 20) === 0);
    for (const { about, name } of some) yield* attackByName(about, name, path.join(folder, 'shop'));
    yield* attackByPaths(path.join(folder, 'paths'));
    if (process.platform === 'linux') yield* attackByLeaving(path.join(folder, 'leaving'));
  },
};

/** @param {object} call @param {string} cwd @returns {Promise<{failure: string | undefined, shown: string}>} what is wrong with the answer, and all of it */
async function callOnce(call, cwd) {
  const ended = await runMain(['mcp', '--call'], { cwd, env: { HOME: cwd }, input: JSON.stringify(call) });
  const { failure = '', text = failure, structured } = JSON.parse(ended.stdout);
  const [, ...lines] = text.split('\n');
  const isMarked = lines.every((/** @type {string} */ line) => line.startsWith('>') || line.startsWith('('));
  const shown = `${text}\n${JSON.stringify(structured ?? {})}`;
  const wrong = /bug in couch-advisor/.test(text)
    ? text
    : isMarked
      ? undefined
      : `a line is not marked: ${text.slice(0, 400)}`;
  return { failure: inspectRun(ended) ?? wrong ?? inspectTerminal(shown), shown };
}

/** @param {string} about @param {string} name @param {string} cwd @returns {AsyncIterable<Attempt>} */
async function* attackByName(about, name, cwd) {
  writeFiles(cwd, hostileProject(name));
  mkdirSync(path.join(cwd, '.git'));
  const map = `function (doc) { emit(doc[${JSON.stringify(name)}], 1); }`;
  const before = listAll(cwd);
  /** @type {Record<string, object>} */
  const calls = {
    lint: { logs: ['logs/*'], documents: ['orders.jsonl'] },
    explain_rule: { rule: name.slice(0, 100) || 'x' },
    prove_reduce: { map, reduce: `function (keys, values) { return ${JSON.stringify(name)} + values; }` },
    digest_log: { logs: ['logs/*'] },
    advise: { logs: ['logs/*'], documents: ['orders.jsonl'] },
    upgrade_check: { from: '1.7', to: '3.5', logs: ['logs/*'] },
    predict_size: { documents: ['orders.jsonl'], views: ['ddocs'] },
  };
  for (const [tool, args] of Object.entries(calls)) {
    const { failure } = await callOnce({ tool, args, roots: [cwd] }, cwd);
    const isWritten = JSON.stringify(listAll(cwd)) !== JSON.stringify(before);
    yield { name: `${about}: ${tool}`, failure: failure ?? (isWritten ? 'something was written' : undefined) };
  }
  rmSync(cwd, { recursive: true });
}

/** @param {string} folder @returns {string[]} */
function listAll(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
}

/** @param {string} folder @returns {AsyncIterable<Attempt>} */
async function* attackByPaths(folder) {
  const [cwd, outside] = [path.join(folder, 'shop'), path.join(folder, 'shop-2')];
  const secret = { _id: `_design/${SECRET}`, views: { [SECRET]: { map: ORDERS } } };
  writeFiles(outside, { 'secret.json': secret, 'secret.log': `${SECRET}\n`, 'secret.jsonl': `{"_id":"${SECRET}"}\n` });
  writeFiles(cwd, { 'ddocs/orders.json': { _id: '_design/orders', views: { a: { map: ORDERS } } } });
  mkdirSync(path.join(cwd, '.git'));
  symlinkSync(outside, path.join(cwd, 'link'));
  symlinkSync('link/../../shop-2/secret.json', path.join(cwd, 'ddocs/linked.json'));
  symlinkSync(path.join(outside, 'secret.log'), path.join(cwd, 'couch.log'));
  const places = [
    '..',
    '../shop-2',
    'ddocs/../../shop-2/secret.json',
    'link',
    'link/secret.json',
    'link/*',
    './link/.',
    outside,
  ]
    .concat(
      `${cwd}/../shop-2`,
      '{ddocs,../shop-2}/*.json',
      '**',
      '../*',
      'ddocs/linked.json',
      'couch.log',
      '/proc/self/root',
      '~',
    )
    .concat(
      `file://${outside}/secret.json`,
      'ddocs\0/../../shop-2',
      `${cwd}-2/secret.json`,
      '%2e%2e/shop-2',
      '/dev/stdin',
      '-',
      '--url=http:',
    );
  for (const place of places) {
    for (const [tool, args] of /** @type {[string, object][]} */ ([
      ['lint', { paths: [place] }],
      ['lint', { logs: [place], documents: [place] }],
      ['digest_log', { logs: [place] }],
    ])) {
      const { failure, shown } = await callOnce({ tool, args, roots: [cwd] }, cwd);
      yield {
        name: `${tool} of ${place}`,
        failure: failure ?? (shown.includes(SECRET) ? 'what is outside of the root is shown' : undefined),
      };
    }
  }
}

/** @param {string} cwd @returns {AsyncIterable<Attempt>} */
async function* attackByLeaving(cwd) {
  writeFiles(cwd, { 'ddocs/orders.json': { _id: '_design/orders', views: { a: { map: ORDERS } } } });
  mkdirSync(path.join(cwd, '.git'));
  const goodbyes = /** @type {const} */ ([
    'cancel',
    'cancel all of twenty',
    'end of input',
    'SIGTERM',
    'SIGKILL',
    'closed output',
  ]);
  for (const how of goodbyes) yield { name: `a call runs at: ${how}`, failure: await leave(how, cwd) };
}

/** @param {string} how @param {string} cwd @returns {Promise<string | undefined>} what is wrong */
async function leave(how, cwd) {
  const server = spawn(process.execPath, [PROGRAM, 'mcp'], {
    cwd,
    env: { ...process.env, ...CACHE_ENV },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  /** @type {any[]} */
  const answers = [];
  createInterface(server.stdout).on('line', (line) => answers.push(JSON.parse(line)));
  server.stdin.on('error', () => {});
  const send = (/** @type {object} */ message) =>
    server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  try {
    send({ id: 0, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {} } });
    const count = how === 'cancel all of twenty' ? 20 : 1;
    const args = { paths: [pathToFileURL(cwd).pathname] };
    for (let id = 1; id <= count; id++) send({ id, method: 'tools/call', params: { name: 'lint', arguments: args } });
    const children = await until(
      () => childrenOf(server.pid),
      (found) => found.length >= Math.min(count, 2),
    );
    // What is stopped cannot end by itself before it is cancelled.
    for (const pid of children) process.kill(pid, 'SIGSTOP');
    if (how === 'cancel' || how === 'cancel all of twenty') {
      for (let id = count; id >= 1; id--) send({ method: 'notifications/cancelled', params: { requestId: id } });
      await until(
        () => childrenOf(server.pid),
        (found) => found.length === 0,
      );
      send({ id: 99, method: 'ping' });
      await until(
        () => answers,
        (all) => all.some(({ id }) => id === 99),
      );
    }
    if (how === 'closed output') server.stdout.destroy();
    if (how.startsWith('SIG')) server.kill(/** @type {'SIGTERM'} */ (how));
    else server.stdin.end();
    // The parent of a process whose own is gone is another.
    for (const pid of how.startsWith('SIG') ? children : []) process.kill(pid, 'SIGCONT');
    const exit = await until(
      () => server.exitCode ?? server.signalCode,
      (end) => end !== null,
    );
    await until(
      () => children.filter(isAlive),
      (left) => left.length === 0,
    );
    if (!how.startsWith('SIG') && exit !== 0) return `the server ended with ${exit}`;
    const wanted = how === 'cancel all of twenty' ? [0, 19, 20, 99] : how === 'cancel' ? [0, 99] : undefined;
    const ids = answers.map(({ id }) => id).sort((a, b) => a - b);
    return wanted && JSON.stringify(ids) !== JSON.stringify(wanted) ? `answers to ${ids}` : undefined;
  } catch (error) {
    return String(error);
  } finally {
    for (const pid of childrenOf(server.pid)) process.kill(pid, 'SIGKILL');
    server.kill('SIGKILL');
  }
}

/**
 * @template T
 * @param {() => T} look
 * @param {(found: T) => boolean} isRight
 * @returns {Promise<T>}
 * @throws {Error} where it takes too long
 */
async function until(look, isRight) {
  for (const end = Date.now() + MAX_MS; Date.now() < end; await sleep(20)) {
    const found = look();
    if (isRight(found)) return found;
  }
  throw new Error(`after ${MAX_MS / 1000} s: ${JSON.stringify(look())}`);
}

/** @param {number | undefined} pid @returns {number[]} processes of calls */
function childrenOf(pid) {
  const isCall = (/** @type {number} */ child) => readIfThere(`/proc/${child}/cmdline`).includes('--call');
  return readIfThere(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number).filter(isCall);
}

/** @param {string} file @returns {string} empty where its process is gone */
function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** @param {number} pid @returns {boolean} */
function isAlive(pid) {
  const status = readIfThere(`/proc/${pid}/status`);
  return status !== '' && !/^State:\s+Z/m.test(status);
}
