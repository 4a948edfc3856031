// Reads the records of the server that `lint --url` names. Loaded only where a server is named.

import path from 'node:path';
import { readLive as read } from '../engine/run/read-server.js';
import { formatCount } from '../shared/units.js';
import { UserError } from '../shared/user-error.js';
import { CLEAR_LINE } from './progress-line.js';

/** @import { ReadResult } from '../sources/record.js' */
/** @import { Config } from './config.js' */
/** @import { Surroundings } from './main.js' */

/** @typedef {{url?: string, db?: string[], rate?: number, perPattern?: number, record?: string, resume?: boolean, sampleFrom?: string, onlyGets?: boolean}} LiveOptions */

/** A terminal is not written to more often, in milliseconds. */
const REDRAW = 100;

/**
 * @param {LiveOptions & {url: string}} options
 * @param {Config} config
 * @param {Surroundings} surroundings
 * @returns {Promise<Required<ReadResult>>}
 * @throws {UserError} where the server cannot be read
 */
export async function readLive({ url, db, rate, perPattern, record, resume = false, onlyGets }, config, surroundings) {
  const { cwd, env, stderr } = surroundings;
  if (resume && record === undefined) {
    throw new UserError('nothing-to-resume', '--resume requires --record', {
      hint: 'add --record answers.jsonl',
    });
  }
  const isTerminal = stderr.isTTY === true;
  const live = await read({
    url,
    env,
    rate,
    onlyGets,
    databases: db,
    perPattern,
    queries: config.queries,
    record: record === undefined ? undefined : { path: path.resolve(cwd, record), shown: record, resume },
    onProgress: isTerminal ? progressOfDatabases(stderr) : undefined,
  });
  if (isTerminal) stderr.write(CLEAR_LINE);
  return live;
}

/**
 * @param {Surroundings['stderr']} stderr a terminal
 * @returns {(progress: {done: number, total: number, name: string}) => void}
 */
function progressOfDatabases(stderr) {
  let last = Date.now();
  const started = last;
  return ({ done, total }) => {
    const now = Date.now();
    if (now - last < REDRAW) return;
    last = now;
    const left = Math.ceil((((now - started) / done) * (total - done)) / 1000);
    stderr.write(`${CLEAR_LINE}${formatCount(done)} of ${formatCount(total)} databases, ${left} s left`);
  };
}
