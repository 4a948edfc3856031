// Starts the embedded server, for measurements without a CouchDB: PouchDB in a process of its own, behind CouchDB's
// paths. It is a different database from CouchDB: it has fewer mechanisms, and its results hold for itself only.

import { fork } from 'node:child_process';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { permissionFlags } from '../../shared/permission-flags.js';
import { UserError } from '../../shared/user-error.js';
import { requestJson } from './json-request.js';
import { guardRequest } from './scratch-name.js';

/** @import { ChildProcess } from 'node:child_process' */
/** @import { Mechanism } from '../experiments/experiment.js' */
/** @import { Started } from './embedded-process.js' */
/** @import { Ask, Server } from './server.js' */

/** @type {ReadonlySet<Mechanism>} */
const MECHANISMS = new Set(['document-lookup', 'kept-index', 'round-trip', 'temporary-view']);

/** The process starts within this time, in milliseconds, or not at all. */
const START_TIMEOUT = 30_000;
const LIMITS = {
  timeoutMs: 300_000,
  maxBytes: 48 * 1024 * 1024,
  tooLargeHint: 'run it again with a smaller --size',
};

/** No text becomes code, and no member called `__proto__` changes what an object inherits: a second wall, should PouchDB run something after all. */
const HARDENED = ['--disallow-code-generation-from-strings', '--disable-proto=delete'];
/** It loads its modules, listens, has a thread for the sandbox, and writes nothing. */
const RIGHTS = { readsFiles: true, usesNetwork: true, usesThreads: true };

/** The packages it is made of: optional, as a linter needs none of them. */
const PACKAGES = ['pouchdb-core', 'pouchdb-adapter-memory', 'pouchdb-abstract-mapreduce', 'pouchdb-find'];

/**
 * Call it first: without PouchDB, users should not wait for files to be read before they see the error.
 * @throws {UserError} where one of its packages is not installed, with the command that installs them
 */
export function checkEmbedded() {
  const { resolve } = createRequire(import.meta.url);
  const missing = PACKAGES.filter((name) => {
    try {
      resolve(name);
      return false;
    } catch {
      return true;
    }
  });
  if (missing.length > 0) throw notInstalled(missing);
}

/**
 * @param {string[]} missing names of packages
 * @returns {UserError}
 */
function notInstalled(missing) {
  const verb = missing.length === 1 ? 'is' : 'are';
  return new UserError(
    'no-embedded-server',
    `the embedded server requires PouchDB, but ${missing.join(', ')} ${verb} not installed`,
    { hint: `npm install --save-dev ${PACKAGES.join(' ')}` },
  );
}

/**
 * @returns {Promise<Server>}
 * @throws {UserError} where PouchDB is not installed, or the process does not start
 */
export async function openEmbedded() {
  checkEmbedded();
  const child = fork(path.join(import.meta.dirname, 'embedded-process.js'), [], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    execArgv: [...HARDENED, ...permissionFlags(process.allowedNodeEnvironmentFlags, RIGHTS)],
    env: {},
  });
  const started = await waitForStart(child);
  if ('missing' in started) {
    await stop(child);
    throw notInstalled([started.missing]);
  }
  const { port, headers } = started;
  const origin = `http://127.0.0.1:${port}`;
  /** @type {Ask} */
  const ask = async (method, target, body) => {
    guardRequest(method, target);
    try {
      return await requestJson({ origin, headers }, { method, path: `/${target}`, body }, LIMITS);
    } catch {
      throw new UserError('server-lost', 'the embedded server does not respond', {
        hint: 'run it again with a smaller --size',
      });
    }
  };
  return {
    kind: 'embedded',
    origin,
    headers,
    mechanisms: MECHANISMS,
    advice: 'run it on CouchDB with --docker or --url',
    about: {
      name: `embedded PouchDB ${started.version} (memory)`,
      kind: 'embedded',
      version: started.version,
      settings: {},
    },
    ask,
    processes: child.pid === undefined ? undefined : [child.pid],
    readCounters: async () => undefined,
    // It keeps all in memory.
    readFreeBytes: async () => os.freemem(),
    findSignsOfUse: async () => [],
    close: () => stop(child),
  };
}

/**
 * @param {ChildProcess} child
 * @returns {Promise<Started>}
 */
function waitForStart(child) {
  return new Promise((resolve, reject) => {
    const fail = () => {
      child.kill('SIGKILL');
      reject(
        new UserError('no-embedded-server', 'the embedded server did not start', { hint: 'use a CouchDB with --url' }),
      );
    };
    const timer = setTimeout(fail, START_TIMEOUT);
    child.once('exit', fail);
    child.once('message', (message) => {
      clearTimeout(timer);
      child.off('exit', fail);
      resolve(/** @type {Started} */ (message));
    });
  });
}

/**
 * @param {ChildProcess} child
 * @returns {Promise<void>} when it has ended
 */
function stop(child) {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) {
      resolve();
      return;
    }
    child.once('exit', () => resolve());
    child.kill('SIGKILL');
  });
}
