// Runs the command line of Docker, Podman or nerdctl, and says in plain words what it cannot do.
//
// Only options that all three document are used (docs/reference/commandline of docker/cli, docs/source/markdown of containers/podman,
// docs/command-reference.md of containerd/nerdctl): `run --rm --name --label --publish IP:PORT:PORT --env NAME --tmpfs`, `ps --all --quiet
// --no-trunc --filter label=`, `inspect --format`, `image inspect`, `pull`, `rm --force --volumes`. Not `run --detach --rm`, which nerdctl refuses
// (containerd/nerdctl#3698), and no port that the engine chooses (`IP::PORT`), which rootless nerdctl cannot (pkg/portutil).

import { spawn } from 'node:child_process';
import process from 'node:process';
import { UserError } from '../../shared/user-error.js';

/** @import { ChildProcess } from 'node:child_process' */

/** @typedef {'docker' | 'podman' | 'nerdctl'} ProgramName */
/** @typedef {{name: ProgramName, env: Record<string, string | undefined>}} Program */
/** @typedef {{code: number | null, stdout: string, stderr: string}} Ended `code`: null where a signal ended it */

/** All but a pull and a run take seconds, in milliseconds. */
const TIMEOUT = 60_000;
/** Longer output is cut at its head: what counts is said last. */
const MAX_CHARACTERS = 100_000;

/** The socket of the engine belongs to somebody else. */
const NOT_PERMITTED = /permission denied/i;
/** As docker before 28 and since, docker over TCP, podman and nerdctl put it. */
const NOT_RUNNING =
  /cannot connect to the docker daemon|failed to connect to the docker api|is the docker daemon running|error during connect|(?:cannot|unable to) connect to podman|cannot access containerd socket|containerd not running/i;
const NOT_FOUND =
  /manifest unknown|manifest for .* not found|name unknown|no such image|not found|pull access denied|repository does not exist|access to the resource is denied/i;
const PORT_TAKEN = /port is already allocated|address already in use|failed to bind (?:host )?port/i;

/** What to do where a program is missing or its engine is not running. */
const WAYS_OUT =
  'use another one (--docker, --podman, --nerdctl), or a CouchDB that is running: --url http://localhost:5984';

/**
 * @param {Program} program
 * @param {string[]} args never with a secret: everybody on the machine can see them
 * @param {Record<string, string>} [secrets] variables that `--env NAME` passes on
 * @returns {ChildProcess} in a group of its own, so that Ctrl-C does not reach it before its container can be removed
 */
export function startProgram({ name, env }, args, secrets = {}) {
  return spawn(name, args, {
    env: { ...env, ...secrets },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
}

/**
 * @param {Program} program
 * @param {string[]} args
 * @param {{timeoutMs?: number, signal?: AbortSignal, onLine?: (line: string) => void}} [options] `onLine`: each line as it comes
 * @returns {Promise<Ended>} also where it fails
 * @throws {UserError} where it cannot be started, reaches no engine, takes too long or is interrupted
 */
export async function runProgram(program, args, { timeoutMs = TIMEOUT, signal, onLine = () => {} } = {}) {
  const child = startProgram(program, args);
  const output = collectOutput(child, onLine);
  const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
  const abort = () => child.kill('SIGTERM');
  signal?.addEventListener('abort', abort, { once: true });
  try {
    const code = await whenEnded(child, program.name);
    if (signal?.aborted) throw new UserError('interrupted', 'the run was interrupted');
    if (code === null) {
      throw new UserError(
        'container-failed',
        `\`${program.name} ${args[0]}\` did not end within ${timeoutMs / 1000} s`,
        {
          hint: `try it by hand: ${program.name} ${args[0]}`,
        },
      );
    }
    const ended = { code, stdout: output.stdout(), stderr: output.stderr() };
    const fault = code === 0 ? undefined : findEngineFault(program.name, ended.stderr);
    if (fault) throw fault;
    return ended;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

/**
 * @param {ChildProcess} child
 * @param {string} name
 * @returns {Promise<number | null>} its exit code
 * @throws {UserError} where it could not be started
 */
export function whenEnded(child, name) {
  return new Promise((resolve, reject) => {
    child.once('error', (/** @type {NodeJS.ErrnoException} */ { code }) => {
      const message = code === 'ENOENT' ? `${name} was not found on the PATH` : `cannot run ${name} (${code})`;
      reject(new UserError('no-container-program', message, { hint: WAYS_OUT }));
    });
    child.once('close', (code) => resolve(code));
  });
}

/**
 * @param {ChildProcess} child
 * @param {(line: string) => void} [onLine]
 * @returns {{stdout: () => string, stderr: () => string, all: () => string}} what it wrote so far
 */
export function collectOutput(child, onLine = () => {}) {
  const texts = { stdout: '', stderr: '', all: '' };
  for (const name of /** @type {const} */ (['stdout', 'stderr'])) {
    child[name]?.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
      texts[name] = `${texts[name]}${text}`.slice(-MAX_CHARACTERS);
      texts.all = `${texts.all}${text}`.slice(-MAX_CHARACTERS);
      for (const line of text.split(/[\r\n]+/)) if (line.trim() !== '') onLine(line.trim());
    });
  }
  return { stdout: () => texts.stdout, stderr: () => texts.stderr, all: () => texts.all };
}

/**
 * @param {string} name
 * @param {string} stderr
 * @returns {UserError | undefined} where the program did not get as far as the engine
 */
export function findEngineFault(name, stderr) {
  if (NOT_PERMITTED.test(stderr) && /sock|docker api|daemon/i.test(stderr)) {
    const group = name === 'docker' ? 'add your user to the group `docker` and log in again, or ' : '';
    return new UserError('container-not-permitted', `you may not use the engine of ${name}: ${lastLine(stderr)}`, {
      hint: `${group}${WAYS_OUT}`,
    });
  }
  if (!NOT_RUNNING.test(stderr)) return undefined;
  return new UserError('no-container-engine', `${name} cannot reach its engine: ${lastLine(stderr)}`, {
    hint: `start it (Docker Desktop, \`systemctl start docker\`, \`podman machine start\`), or ${WAYS_OUT}`,
  });
}

/**
 * @param {string} image
 * @param {string} stderr of a pull
 * @returns {UserError}
 */
export function describePullFault(image, stderr) {
  if (NOT_FOUND.test(stderr)) {
    return new UserError('no-image', `there is no image ${image}: ${lastLine(stderr)}`, {
      hint: 'the tags of the official image are listed at https://hub.docker.com/_/couchdb',
    });
  }
  return new UserError('pull-failed', `the image ${image} could not be pulled: ${lastLine(stderr)}`, {
    hint: 'check the network and the registry, or pull it by hand',
  });
}

/** @param {string} stderr of a run @returns {boolean} whether the port that was free a moment ago is taken */
export function isPortTaken(stderr) {
  return PORT_TAKEN.test(stderr);
}

/**
 * @param {string} text
 * @returns {string} its last line that says something
 */
function lastLine(text) {
  const lines = text.split(/[\r\n]+/).map((line) => line.trim());
  // docker ends with "See 'docker run --help'." or "Run 'docker run --help' for more information".
  return lines.filter((line) => line !== '' && !/^(?:see|run) '.*--help'/i.test(line)).at(-1) ?? 'no message';
}
