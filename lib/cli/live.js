// What `lint --url` reads: the options of the command line in, the records of a server out. Loaded only where a server is named.

import path from 'node:path';
import { authorizationOf, readServerAddress } from '../servers/credentials.js';
import { sampleDatabase } from '../servers/sample-database.js';
import { UserError } from '../shared/user-error.js';
import { createClient } from '../sources/live/client.js';
import { openLive } from '../sources/live/open-live.js';
import { CLEAR_LINE } from './progress-line.js';

/** @import { Config } from './config.js' */
/** @import { Surroundings } from './main.js' */
/** @import { ClientOptions } from '../sources/live/client.js' */
/** @import { ReadResult } from '../sources/record.js' */

/** @typedef {{url?: string, db?: string[], rate?: number, record?: string, resume?: boolean, sampleFrom?: string}} LiveOptions */

/** Requests a second: a server at work does not feel them, and 10,000 databases take some ten minutes. */
const RATE = 50;
const MOST_RATE = 1000;
/** A terminal is not written to more often, in milliseconds. */
const REDRAW = 100;

/**
 * @param {LiveOptions} options
 * @param {Config} config
 * @param {Surroundings} surroundings
 * @returns {Promise<Required<ReadResult>>}
 * @throws {UserError} where the server cannot be read
 */
export async function readLive({ url = '', db = [], rate = RATE, record, resume = false }, config, surroundings) {
  const { cwd, env, stderr } = surroundings;
  if (resume && record === undefined) {
    throw new UserError('nothing-to-resume', '--resume goes on with the file of --record, and none is named', {
      hint: 'add --record answers.jsonl',
    });
  }
  const { server, database } = readServer({ url, rate }, env);
  if (database !== undefined && db.length > 0) {
    throw new UserError('bad-url', '--url names a database, and --db does so too', {
      hint: 'name the server with --url and the databases with --db',
    });
  }
  const isTerminal = stderr.isTTY === true;
  const live = await openLive({
    server,
    databases: database === undefined ? db : [database],
    queries: config.queries,
    record: record === undefined ? undefined : { path: path.resolve(cwd, record), shown: record, resume },
    now: () => new Date().toISOString(),
    ...(isTerminal ? { tellProgress: progressTeller(stderr) } : {}),
  });
  if (isTerminal) stderr.write(CLEAR_LINE);
  return live;
}

/**
 * Documents of a database of the server, which are read by GET, and kept in no file.
 * @param {LiveOptions} options
 * @param {string} sampleFrom the database
 * @param {number} most documents
 * @param {Surroundings['env']} env
 * @returns {Promise<{documents: Record<string, unknown>[], total: number}>}
 * @throws {UserError} where they cannot be read, or there are none
 */
export async function sampleLive({ url = '', rate = RATE }, sampleFrom, most, env) {
  const { server } = readServer({ url, rate }, env);
  const client = createClient(server);
  return sampleDatabase({ ask: (_method, path) => client('GET', `/${path}`) }, sampleFrom, most);
}

/**
 * @param {{url: string, rate: number}} options
 * @param {Surroundings['env']} env
 * @returns {{server: ClientOptions, database: string | undefined}}
 * @throws {UserError} where the server is not named as it should be
 */
function readServer({ url, rate }, env) {
  if (rate < 1 || rate > MOST_RATE) {
    throw new UserError('bad-number', `--rate is ${rate}, and can be 1 to ${MOST_RATE} requests a second`, {
      hint: `leave it out for ${RATE}`,
    });
  }
  const { address, database } = splitAddress(url);
  const { origin, credentials } = readServerAddress(address, env);
  return { server: { origin, headers: authorizationOf(credentials), rate }, database };
}

/**
 * @param {string} url
 * @returns {{address: string, database: string | undefined}} the address of the server as it was given, and the database that
 *   stands behind it
 * @throws {UserError} where more stands behind it; the message holds no part of what was given
 */
export function splitAddress(url) {
  if (!URL.canParse(url)) return { address: url, database: undefined };
  const parsed = new URL(url);
  const parts = parsed.pathname.split('/').filter(Boolean);
  const [part] = parts;
  if (parts.length > 1 || parsed.search !== '' || parsed.hash !== '') {
    throw new UserError('bad-url', '--url names something below a database', {
      hint: 'write it like --url http://localhost:5984/shop; a slash in a name is written %2F',
    });
  }
  parsed.pathname = '/';
  try {
    return { address: parsed.href, database: part === undefined ? undefined : decodeURIComponent(part) };
  } catch {
    throw new UserError('bad-url', '--url holds a percent sign that begins no escape', { hint: 'write it as %25' });
  }
}

/**
 * @param {Surroundings['stderr']} stderr a terminal
 * @returns {(progress: {done: number, total: number, name: string}) => void}
 */
function progressTeller(stderr) {
  let last = Date.now();
  const started = last;
  return ({ done, total }) => {
    const now = Date.now();
    if (now - last < REDRAW) return;
    last = now;
    const left = Math.ceil((((now - started) / done) * (total - done)) / 1000);
    stderr.write(`${CLEAR_LINE}${done} of ${total} databases, ${left} s left`);
  };
}
