// Starts a CouchDB in a container, for one run: the image on a free port of this machine, with a password of its own; removed when it is closed.
// The program stays in the foreground: its output is the log of the server, and `--rm` removes a container that ends by itself.

import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import os from 'node:os';
import { UserError } from '../../shared/user-error.js';
import {
  collectOutput,
  describePullFault,
  findEngineFault,
  isPortTaken,
  runProgram,
  startProgram,
  whenEnded,
} from './container-program.js';
import { openCouchdb } from './couchdb.js';
import { authorizationOf } from './credentials.js';
import { requestJson } from './json-request.js';
import { labelArguments, removeOfRun } from './labelled-containers.js';

/** @import { ChildProcess } from 'node:child_process' */
/** @import { Program } from './container-program.js' */
/** @import { Server } from './server.js' */
/** @import { Mark } from './target.js' */

/**
 * @typedef {object} ContainerOptions
 * @property {Program} program
 * @property {string} image `couchdb:3.5`
 * @property {boolean} inMemory whether its data are in a tmpfs
 * @property {number} startMs it responds within this time, or not at all
 * @property {Mark} mark of this run, for its labels
 * @property {AbortSignal} [signal]
 * @property {(text: string) => void} onProgress
 * @property {(line: string) => void} warn a line for people, about what they have to know or do
 */

/** @typedef {{child: ChildProcess, log: () => string, ended: Promise<number | null>, hasEnded: () => boolean}} Running */

/** A large image over a slow line, in milliseconds. */
const PULL_TIMEOUT = 1_800_000;
/** Another program may take the port before the engine does. */
const PORT_ATTEMPTS = 3;
const POLL_MS = 200;
const REQUEST_MS = 5000;
/** So long the program may take to end after its container was removed. */
const END_MS = 10_000;
const LOG_LINES = 8;
const MAX_LINE = 300;
const LIMITS = { timeoutMs: REQUEST_MS, maxBytes: 1_000_000, tooLargeHint: 'check the image' };

const USER = 'couch-advisor';
/** Where the official image has its data, and its port (apache/couchdb-docker, 3.5.0/Dockerfile). */
const DATA = '/opt/couchdb/data';
const PORT = 5984;

/** A reference as the engines read it (distribution/reference): host, path, tag, digest. None begins with a hyphen, so none is an option. */
const IMAGE =
  /^(?:[a-zA-Z0-9][a-zA-Z0-9.-]*(?::\d{1,5})?\/)?[a-z0-9]+(?:[._/-]+[a-z0-9]+)*(?::\w[\w.-]{0,127})?(?:@sha256:[0-9a-f]{64})?$/;

/**
 * @param {string} image
 * @returns {boolean} whether it may be the name of an image
 */
export function isImageName(image) {
  return image.length <= 255 && IMAGE.test(image);
}

/**
 * @param {ContainerOptions} options
 * @returns {Promise<Server>} closing it removes the container
 * @throws {UserError} where it does not start, is no CouchDB, or was interrupted; nothing is left behind then
 */
export async function openContainer(options) {
  const { program, image, inMemory, mark, signal, onProgress, warn } = options;
  await provideImage(options);
  const password = randomBytes(24).toString('hex');
  onProgress(`starting ${image}`);
  /** @type {Running | undefined} */
  let running;
  const close = async () => {
    const left = await removeOfRun(program, mark.run).catch(() => undefined);
    if (running) await endOf(running, left?.length === 0 ? END_MS : 0);
    if (left?.length === 0) return;
    const which = left ? left.join(', ') : `of ${program.name}`;
    warn(
      `the container ${which} could not be removed; \`npx --no-install couch-advisor confirm --clean --${program.name}\` tries again`,
    );
  };
  try {
    for (let attempt = 1; ; attempt += 1) {
      const port = await findFreePort();
      running = start(options, port, password);
      const server = { origin: `http://127.0.0.1:${port}`, headers: authorizationOf({ user: USER, password }) };
      const code = await whenReady(running, server, options);
      if (code === undefined) return await open(server.origin, password);
      if (!isPortTaken(running.log()) || attempt === PORT_ATTEMPTS) throw describeEnd(options, code, running.log());
      await removeOfRun(program, mark.run);
    }
  } catch (error) {
    const log = running?.log() ?? '';
    await close();
    if (signal?.aborted) throw new UserError('interrupted', 'the run was interrupted; its container was removed');
    const isOfServer = error instanceof UserError && LOGGED.has(error.code);
    if (isOfServer) warnOfLog(options, log, password);
    throw error;
  }

  /** @param {string} origin @param {string} secret @returns {Promise<Server>} */
  async function open(origin, secret) {
    const server = await openCouchdb(origin, { COUCHDB_USER: USER, COUCHDB_PASSWORD: secret });
    const about = { ...server.about, name: `${server.about.name} (${image}${inMemory ? ', data in memory' : ''})` };
    return {
      ...server,
      about,
      advice: `run it on the embedded server, without --${program.name}`,
      // Its folder is not on this machine, where another CouchDB may have one of that name.
      readFreeBytes: async () => (inMemory ? os.freemem() : undefined),
      close: async () => {
        if (running?.hasEnded()) {
          warn(`${image} ended before the run did`);
          warnOfLog(options, running.log(), password);
        }
        await close();
      },
    };
  }
}

/**
 * @param {ContainerOptions} options
 * @param {number | null} code
 * @param {string} log
 * @returns {UserError}
 */
function describeEnd({ program, image }, code, log) {
  const hint = 'is it an image of CouchDB 2 or later?';
  return (
    findEngineFault(program.name, log) ??
    new UserError('container-ended', `${image} ended at once (exit code ${code ?? 'unknown'})`, { hint })
  );
}

/**
 * @param {ContainerOptions} options
 * @param {string} log
 * @param {string} password is not shown
 */
function warnOfLog({ image, warn }, log, password) {
  const lines = log
    .replaceAll(password, '***')
    .split(/[\r\n]+/)
    .filter((line) => line.trim() !== '');
  if (lines.length === 0) return;
  warn(`the last lines of ${image}:`);
  for (const line of lines.slice(-LOG_LINES)) warn(`  ${line.trim().slice(0, MAX_LINE)}`);
}

/** Errors that the log of the server explains. */
const LOGGED = new Set(['container-ended', 'container-silent', 'no-couchdb', 'not-allowed', 'server-lost']);

/**
 * @param {ContainerOptions} options
 * @throws {UserError} where the image is not here and cannot be pulled
 */
async function provideImage({ program, image, signal, onProgress }) {
  const name = fullName(program, image);
  const known = await runProgram(program, ['image', 'inspect', name], signal ? { signal } : {});
  if (known.code === 0) return;
  onProgress(`pulling ${image}`);
  const pulled = await runProgram(program, ['pull', name], {
    timeoutMs: PULL_TIMEOUT,
    onLine: (line) => onProgress(`pulling ${image}: ${line}`),
    ...(signal ? { signal } : {}),
  });
  if (pulled.code !== 0) throw describePullFault(image, pulled.stderr || pulled.stdout);
}

/**
 * @param {Program} program
 * @param {string} image
 * @returns {string} with its registry for podman, which cannot ask which one is meant where no terminal is (containers-registries.conf,
 *   short-name-mode)
 */
function fullName({ name }, image) {
  const [first = '', ...rest] = image.split('/');
  const hasRegistry = rest.length > 0 && /[.:]|^localhost$/.test(first);
  if (name !== 'podman' || hasRegistry) return image;
  return `docker.io/${rest.length === 0 ? 'library/' : ''}${image}`;
}

/**
 * @param {ContainerOptions} options
 * @param {number} port
 * @param {string} password goes through the environment: arguments can be seen by everybody on the machine
 * @returns {Running}
 */
function start({ program, image, inMemory, mark }, port, password) {
  const args = ['run', '--rm', '--name', `couch-advisor-${mark.run}-${port}`, ...labelArguments(mark)];
  args.push('--publish', `127.0.0.1:${port}:${PORT}`, '--env', 'COUCHDB_USER', '--env', 'COUCHDB_PASSWORD');
  if (inMemory) args.push('--tmpfs', DATA);
  args.push(fullName(program, image));
  const child = startProgram(program, args, { COUCHDB_USER: USER, COUCHDB_PASSWORD: password });
  const { all } = collectOutput(child);
  let hasEnded = false;
  const ended = whenEnded(child, program.name).finally(() => {
    hasEnded = true;
  });
  // It is awaited where it matters; until then nobody listens.
  ended.catch(() => {});
  return { child, log: all, ended, hasEnded: () => hasEnded };
}

/**
 * Waits for the first answers, and makes the databases without which CouchDB fills its log with errors (chttpd_auth_cache, 3.5.0, listens to the
 * changes of `_users`; couch_replicator to those of `_replicator`): the setup of a single node makes the same ones (setup.erl).
 * @param {Running} running
 * @param {{origin: string, headers: Record<string, string>}} server
 * @param {ContainerOptions} options
 * @returns {Promise<number | null | undefined>} the exit code where it ended instead
 * @throws {UserError} where it is no CouchDB, does not respond, or was interrupted
 */
async function whenReady(running, server, { image, startMs, signal }) {
  const started = Date.now();
  while (!running.hasEnded()) {
    if (signal?.aborted) throw new UserError('interrupted', 'the run was interrupted');
    const welcome = await tryRequest(server, '/', image);
    if (welcome && (await tryRequest(server, '/_up', image))?.status === 200) {
      for (const name of ['_users', '_replicator']) await makeSystemDatabase(server, name, image);
      return undefined;
    }
    if (Date.now() - started > startMs) {
      throw new UserError('container-silent', `${image} did not respond within ${startMs / 1000} s`, {
        hint: `give it more time: --start-timeout ${Math.ceil((startMs * 3) / 1000)}s`,
      });
    }
    await Promise.race([running.ended.catch(() => {}), new Promise((resolve) => setTimeout(resolve, POLL_MS))]);
  }
  return running.ended;
}

/**
 * @param {{origin: string, headers: Record<string, string>}} server
 * @param {string} path
 * @param {string} image
 * @returns {Promise<{status: number} | undefined>} undefined while nothing answers
 * @throws {UserError} where something else than CouchDB does
 */
async function tryRequest(server, path, image) {
  try {
    const { status, body } = await requestJson(server, { method: 'GET', path }, LIMITS);
    if (path !== '/') return { status };
    // Until its admin is there it lets nobody in.
    if (status !== 200) return undefined;
    if (body?.couchdb !== undefined) return { status };
  } catch (error) {
    // The port is open before the server listens behind it.
    if (error instanceof UserError && error.code === 'server-lost') return undefined;
    if (!(error instanceof UserError)) throw error;
  }
  throw new UserError('no-couchdb', `${image} does not respond like CouchDB`, {
    hint: 'use the official image: --docker=couchdb:3.5',
  });
}

/**
 * @param {{origin: string, headers: Record<string, string>}} server
 * @param {string} name
 * @param {string} image
 * @throws {UserError}
 */
async function makeSystemDatabase(server, name, image) {
  const { status } = await requestJson(server, { method: 'PUT', path: `/${name}` }, { ...LIMITS, timeoutMs: 30_000 });
  // 412: the image made it.
  if (status < 300 || status === 412) return;
  throw new UserError('not-allowed', `${image} refused to create ${name} (status ${status})`, {
    hint: 'the image must take its admin from COUCHDB_USER and COUCHDB_PASSWORD, as the official one does',
  });
}

/** @returns {Promise<number>} that nothing on this machine listens on at the moment */
function findFreePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

/**
 * @param {Running} running
 * @param {number} patienceMs
 * @returns {Promise<void>} when the program has ended, by force where it does not
 */
async function endOf({ child, ended }, patienceMs) {
  const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs);
  await ended.catch(() => {});
  clearTimeout(timer);
}
