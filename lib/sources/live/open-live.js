// The only entry to a live lint: reads the records of a server. Reads and never writes to the server; records the
// responses in a file where that is requested, and resumes from such a file.

import { attempt } from '../../shared/attempt.js';
import { openAnswersFile } from './answers-file.js';
import { createClient } from './client.js';
import { LiveRecords, NOT_ALLOWED } from './live-records.js';
import { withoutIds } from './read-conflicts.js';
import { chooseDatabases, MAX_REQUESTS, PER_PATTERN } from './sample-databases.js';
import { BATCH, listDatabases, readDatabases, readServer } from './walk-server.js';

/** @import { ReadResult } from '../record.js' */
/** @import { Ask, ClientOptions } from './client.js' */
/** @import { DeclaredQuery } from './live-records.js' */

/**
 * @typedef {object} LiveOptions
 * @property {ClientOptions} server
 * @property {string[]} databases names and globs; none for all
 * @property {number} [perPattern] databases of one name pattern that are read in full
 * @property {DeclaredQuery[]} queries whose plans are requested
 * @property {{path: string, shown: string, resume: boolean} | undefined} record the file that answers are kept in
 * @property {() => string} now ISO 8601
 * @property {(progress: {done: number, total: number, name: string}) => void} [onProgress]
 */

/**
 * @param {LiveOptions} options
 * @returns {Promise<Required<ReadResult>>}
 * @throws {import('../../shared/user-error.js').UserError} where the server as a whole cannot be read
 */
export async function openLive({ server, databases, perPattern = PER_PATTERN, queries, record, now, onProgress }) {
  const { origin } = server;
  const { ask, sent } = countRequests(createClient(server));
  const walk = { ask, origin, databases, queries };
  const ofServer = await readServer(walk);
  const { names, isWhole, own } = await listDatabases(walk);
  const live = new LiveRecords(origin);
  const count = isWhole ? names.length + own.length : undefined;
  const owned = isWhole ? own : undefined;
  const at = now();
  live.addServer(ofServer, { databases: count, own: owned, at });
  for (const name of own)
    live.notes.push({ path: `${origin}/${name}`, reason: 'system database; select it with --db' });

  const { full, rest } = chooseDatabases(names, { named: databases, perPattern });
  const left = new Set(names);
  const writer =
    record && openAnswersFile(record.path, record.shown, { origin, resume: record.resume, take: takeAgain });
  /** @param {Map<string, unknown>} answers of a run before this one */
  function takeAgain(answers) {
    const name = nameOf(answers);
    if (name === undefined || !left.delete(name)) return;
    live.addDatabase(name, answers);
  }
  try {
    if (writer && !record?.resume) writer.writeHead({ origin, at, databases: count, own: owned }, ofServer);
    const isLeft = (/** @type {string} */ name) => left.has(name);
    let done = names.length - left.size;
    /** @param {string} name @param {Map<string, unknown>} answers */
    const take = (name, answers) => {
      writer?.write({ database: name }, withoutIds(answers));
      live.addDatabase(name, answers);
      done += 1;
      onProgress?.({ done, total: names.length, name });
    };
    live.errors.push(...(await readDatabases(walk, full.filter(isLeft), take)));
    const others = live.errors.some(({ code }) => code === 'server-lost') ? [] : rest.filter(isLeft);
    const free = MAX_REQUESTS - sent() - Math.ceil(others.length / BATCH);
    const further = await readDatabases(walk, others, take, (at, isDescribed) => {
      // Without `_dbs_info` the figures of a database are a request of their own.
      return at < (isDescribed ? free : Math.floor(free / 2)) ? 'documents' : 'figures';
    });
    live.errors.push(...further);
  } finally {
    writer?.close();
  }
  live.addUnread(rest);
  live.errors.push(...errorsOfUnread(live, full, databases));
  return live.result();
}

/**
 * @param {Ask} send
 * @returns {{ask: Ask, sent: () => number}}
 */
function countRequests(send) {
  let count = 0;
  return {
    ask: (...request) => {
      count += 1;
      return send(...request);
    },
    sent: () => count,
  };
}

/**
 * A database that is named must be there and be readable, and so must one of all: else nothing was judged that should have been.
 * @param {LiveRecords} live
 * @param {string[]} names of the databases that were to be read in full
 * @param {string[]} named by the user, and globs
 * @returns {import('../record.js').ReadError[]}
 */
function errorsOfUnread({ notes, origin }, names, named) {
  const missing = notes.filter(({ reason }) => reason === 'it does not exist');
  const refused = notes.filter(({ path, reason }) => reason.endsWith(NOT_ALLOWED) && !path.endsWith('/_config'));
  const isAllRefused = refused.length > 0 && refused.length + missing.length === names.length;
  const isNamed = (/** @type {string} */ path) => named.some((name) => path === `${origin}/${name}`);
  return [
    ...missing
      .filter(({ path }) => isNamed(path))
      .map(({ path }) => ({
        code: 'no-database',
        message: `${path} does not exist`,
        hint: 'check the name in --db',
      })),
    ...refused
      .filter(({ path }) => isAllRefused || isNamed(path))
      .map(({ path, reason }) => ({
        code: 'not-allowed',
        message: `${path}: ${reason} with these credentials`,
        hint: 'set COUCHDB_USER and COUCHDB_PASSWORD to those of a user who may read it',
      })),
  ];
}

/**
 * @param {Map<string, unknown>} answers about one database
 * @returns {string | undefined} its name
 */
function nameOf(answers) {
  const [path] = answers.keys();
  const [, part = ''] = path?.split('/') ?? [];
  if (part === '') return undefined;
  return attempt(() => decodeURIComponent(part));
}
