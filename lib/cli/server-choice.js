// Decides by the options which servers a command measures on: a CouchDB by its address, one or several in containers, or the embedded server.

import os from 'node:os';
import { makeRunId } from '../measure/experiments/run/run-all.js';
import { isImageName, openContainer } from '../measure/servers/container.js';
import { openCouchdb } from '../measure/servers/couchdb.js';
import { checkEmbedded, openEmbedded } from '../measure/servers/embedded.js';
import { removeLeftovers } from '../measure/servers/labelled-containers.js';
import { printable } from '../shared/printable.js';
import { UserError } from '../shared/user-error.js';
import { NEWEST_COUCHDB } from '../shared/version.js';
import { EXIT } from './exit-codes.js';
import { readDuration } from './read-duration.js';
import { createProgress, isAlive } from './scratch-server.js';

/** @import { Program, ProgramName } from '../measure/servers/container-program.js' */
/** @import { Server } from '../measure/servers/server.js' */
/** @import { Surroundings } from './main.js' */

/** @typedef {Partial<Record<ProgramName, string>> & {url?: string, inMemory?: boolean, startTimeout?: string}} ServerOptions */

/**
 * @typedef {object} ServerChoice
 * @property {string} name the image of a container; what the server is otherwise
 * @property {(signal: AbortSignal) => Promise<Server>} open once; who opens it closes it
 */

/** @type {ProgramName[]} */
const PROGRAMS = ['docker', 'podman', 'nerdctl'];
/** The official image of the newest version, with all its fixes: `couchdb:3.5`. */
const DEFAULT_IMAGE = `couchdb:${NEWEST_COUCHDB.split('.').slice(0, 2).join('.')}`;
/** A container responds within this time, in milliseconds, where no option says otherwise. */
const START_MS = 60_000;

/**
 * To be called before files are read: what cannot be, or needs packages that are not installed, is said at once.
 * @param {ServerOptions} options
 * @param {Surroundings} surroundings
 * @returns {ServerChoice[]} at least one; several where several images were named
 * @throws {UserError}
 */
export function chooseServers(options, { env, stderr }) {
  const { url, inMemory = false, startTimeout } = options;
  const given = chosenProgram(options);
  if (given === undefined) {
    for (const [name, value] of /** @type {const} */ ([
      ['--in-memory', inMemory],
      ['--start-timeout', startTimeout],
    ])) {
      if (!value) continue;
      throw new UserError('unused-option', `${name} requires a container`, { hint: `add --docker: --docker ${name}` });
    }
    if (url !== undefined) return [{ name: 'server', open: () => openCouchdb(url, env) }];
    checkEmbedded();
    return [{ name: 'embedded', open: () => openEmbedded() }];
  }
  const startMs = startTimeout === undefined ? START_MS : readDuration('start-timeout', startTimeout);
  const program = { name: given, env };
  const warn = (/** @type {string} */ line) => void stderr.write(`${printable(line)}\n`);
  return imagesOf(given, options[given] ?? '').map((image) => ({
    name: image,
    open: async (signal) => {
      const progress = createProgress(stderr);
      try {
        await dropLeftContainers(program, warn);
        const mark = { run: makeRunId(), host: os.hostname(), pid: process.pid, at: new Date().toISOString() };
        const { onProgress } = progress;
        return await openContainer({ program, image, inMemory, startMs, mark, signal, onProgress, warn });
      } finally {
        progress.end();
      }
    },
  }));
}

/**
 * @param {ServerOptions} options
 * @param {Surroundings} surroundings
 * @returns {Promise<number | undefined>} the exit code of `--clean`; undefined where no program of containers was named
 */
export async function cleanContainers(options, { env, stdout }) {
  const name = chosenProgram(options);
  if (name === undefined) return undefined;
  const { removed, kept } = await removeLeftovers({ name, env }, { host: os.hostname(), isAlive });
  stdout.write(`removed ${removed.length} ${removed.length === 1 ? 'container' : 'containers'}\n`);
  for (const id of kept) stdout.write(`kept ${id}: its run may still be going on\n`);
  return kept.length > 0 ? EXIT.INCOMPLETE : EXIT.CLEAN;
}

/**
 * @param {ServerOptions} options
 * @returns {ProgramName | undefined}
 * @throws {UserError} where more than one server was named
 */
function chosenProgram(options) {
  const names = PROGRAMS.filter((name) => options[name] !== undefined);
  const all = [...(options.url === undefined ? [] : ['url']), ...names].map((name) => `--${name}`);
  if (all.length > 1) {
    throw new UserError('two-servers', `${all.join(' and ')} cannot be combined`, {
      hint: 'several images of one program: --docker=couchdb:3.3,couchdb:3.5',
    });
  }
  return names[0];
}

/**
 * @param {ProgramName} program
 * @param {string} text what stands behind the option; empty where nothing does
 * @returns {string[]}
 * @throws {UserError}
 */
function imagesOf(program, text) {
  if (text === '') return [DEFAULT_IMAGE];
  const images = [...new Set(text.split(','))];
  const wrong = images.find((image) => !isImageName(image));
  if (wrong === undefined) return images;
  throw new UserError('bad-image', `invalid --${program} ${JSON.stringify(wrong)}: not the name of an image`, {
    hint: `for example: --${program}=${DEFAULT_IMAGE}`,
  });
}

/**
 * @param {Program} program
 * @param {(line: string) => void} warn
 */
async function dropLeftContainers(program, warn) {
  const { removed } = await removeLeftovers(program, { host: os.hostname(), isAlive });
  if (removed.length > 0) warn(`removed containers that a killed run left: ${removed.join(', ')}`);
}
