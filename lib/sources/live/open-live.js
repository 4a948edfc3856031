// The only entry to a live lint: reads the records of a server. Reads and never writes to the server; records the
// responses in a file where that is requested, and resumes from such a file.

import { openAnswersFile } from './answers-file.js';
import { createClient } from './client.js';
import { LiveRecords, NOT_ALLOWED } from './live-records.js';
import { listDatabases, readDatabases, readServer } from './walk-server.js';

/** @import { ReadResult } from '../record.js' */
/** @import { ClientOptions } from './client.js' */
/** @import { DeclaredQuery } from './live-records.js' */

/**
 * @typedef {object} LiveOptions
 * @property {ClientOptions} server
 * @property {string[]} databases names and globs; none for all
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
export async function openLive({ server, databases, queries, record, now, onProgress }) {
  const { origin } = server;
  const walk = { ask: createClient(server), origin, databases, queries };
  const ofServer = await readServer(walk);
  const { names, isWhole, own } = await listDatabases(walk);
  const live = new LiveRecords(origin);
  const count = isWhole ? names.length + own.length : undefined;
  live.addServer(ofServer, count);
  for (const name of own)
    live.notes.push({ path: `${origin}/${name}`, reason: 'system database; select it with --db' });

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
    if (writer && !record?.resume) writer.writeHead({ origin, at: now(), databases: count }, ofServer);
    const rest = names.filter((name) => left.has(name));
    let done = names.length - rest.length;
    const errors = await readDatabases(walk, rest, (name, answers) => {
      writer?.write({ database: name }, answers);
      live.addDatabase(name, answers);
      done += 1;
      onProgress?.({ done, total: names.length, name });
    });
    live.errors.push(...errors);
  } finally {
    writer?.close();
  }
  live.errors.push(...errorsOfUnread(live, names, databases));
  return live.result();
}

/**
 * A database that is named must be there and be readable, and so must one of all: else nothing was judged that should have been.
 * @param {LiveRecords} live
 * @param {string[]} names of the databases that were to be read
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
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
