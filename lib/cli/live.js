// What `lint --url` reads: the options of the command line in, the records of a server out. Loaded only where a server is named.

import path from 'node:path';
import { authorizationOf, readServerAddress } from '../servers/credentials.js';
import { UserError } from '../shared/user-error.js';
import { openLive } from '../sources/live/open-live.js';
import { CLEAR_LINE } from './progress-line.js';

/** @import { Config } from './config.js' */
/** @import { Surroundings } from './main.js' */
/** @import { ReadResult } from '../sources/record.js' */

/** @typedef {{url?: string, db?: string[], rate?: number, record?: string, resume?: boolean}} LiveOptions */

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
  if (rate < 1 || rate > MOST_RATE) {
    throw new UserError('bad-number', `--rate is ${rate}, and can be 1 to ${MOST_RATE} requests a second`, {
      hint: `leave it out for ${RATE}`,
    });
  }
  if (resume && record === undefined) {
    throw new UserError('nothing-to-resume', '--resume goes on with the file of --record, and none is named', {
      hint: 'add --record answers.jsonl',
    });
  }
  const { address, database } = splitAddress(url);
  if (database !== undefined && db.length > 0) {
    throw new UserError('bad-url', '--url names a database, and --db does so too', {
      hint: 'name the server with --url and the databases with --db',
    });
  }
  const { origin, credentials } = readServerAddress(address, env);
  const isTerminal = stderr.isTTY === true;
  const live = await openLive({
    server: { origin, headers: authorizationOf(credentials), rate },
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
