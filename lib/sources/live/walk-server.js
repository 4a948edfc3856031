// Reads a server database by database: what is requested, in which order, and what to do where it is refused.

import { matchesGlob } from '../../shared/glob.js';
import { formatCount } from '../../shared/units.js';
import { UserError } from '../../shared/user-error.js';
import { asCount, asObject } from '../../shared/values.js';
import {
  COMPACTIONS,
  changesPath,
  databasePath,
  designDocsPath,
  FAILING_JOBS,
  indexInfoPath,
  isAllowed,
  isDatabaseName,
  JOBS,
  OWN_DATABASES,
} from './allowed-requests.js';
import { designDocsOf } from './answer-parts.js';
import { readConflicts } from './read-conflicts.js';
import { redactAnswer } from './redact.js';

/** @import { ReadError } from '../record.js' */
/** @import { Answers } from './answers-file.js' */
/** @import { Ask } from './client.js' */
/** @import { DeclaredQuery } from './live-records.js' */

/** How much of a database is read: all; its design documents and figures; its figures, where `_dbs_info` gives them. @typedef {'all' | 'documents' | 'figures'} Depth */

/**
 * @typedef {object} ServerWalk
 * @property {Ask} ask
 * @property {string} origin
 * @property {string[]} databases names and globs; none for all but those of CouchDB itself
 * @property {DeclaredQuery[]} queries
 */

/** Paths of the server itself that may be refused. The first is requested before. */
const SERVER_PATHS = [
  '/_node/_local/_versions',
  '/_node/_local/_config',
  '/_node/_local/_stats',
  '/_active_tasks',
  '/_membership',
  FAILING_JOBS,
];
/** Those that a run goes on without, whatever comes: an answer that is too large, or comes too late. */
const EXTRA_PATHS = [JOBS, COMPACTIONS];
/** Names that are listed at once. */
const PAGE = 1000;
/** Names that are taken from a server; pages of it have an end then. */
const MAX_NAMES = 1_000_000;
/** Databases that `_dbs_info` describes at once (`[chttpd] max_db_number_for_dbs_info_req`, default.ini, 2.2 to 3.5). */
export const BATCH = 100;
/** Databases that are read side by side: waiting for one server after the other takes long over a slow line. */
const SIDE_BY_SIDE = 4;
/** After so many databases in a row that give no answer at all the server is taken to be gone. */
const MAX_LOST = 3;

/**
 * @param {ServerWalk} walk
 * @returns {Promise<Answers>} of the server itself
 * @throws {UserError} where no CouchDB is there, or it lets nobody in
 */
export async function readServer({ ask, origin }) {
  const welcome = await ask('GET', '/');
  if (welcome.status === 401 || welcome.status === 403) throw notLetIn(origin);
  const about = asObject(welcome.body);
  if (welcome.status !== 200 || about?.['couchdb'] === undefined || typeof about['version'] !== 'string') {
    throw new UserError('no-couchdb', `${origin} does not respond like CouchDB`, {
      hint: 'check the address and the port',
    });
  }
  /** @type {Answers} */
  const answers = new Map([['/', welcome.body]]);
  for (const path of SERVER_PATHS) {
    const { status, body } = await ask('GET', path);
    // `GET /` lets everybody in; a wrong password shows here at the latest.
    if (status === 401 && isWrongPassword(body)) throw notLetIn(origin);
    answers.set(path, redactAnswer(path, bodyOf(status, body)));
  }
  for (const path of EXTRA_PATHS) {
    const { status, body } = await ask('GET', path).catch(unanswered);
    if (status > 0) answers.set(path, redactAnswer(path, bodyOf(status, body)));
  }
  return answers;
}

/**
 * @param {ServerWalk} walk
 * @returns {Promise<{names: string[], isWhole: boolean, own: string[]}>} `isWhole`: these are all that the server has, but for
 *   its `own`
 * @throws {UserError} where they may not be listed, or none is as wanted
 */
export async function listDatabases({ ask, origin, databases }) {
  const globs = databases.filter((name) => /[*?[\]{}!]/.test(name));
  const wrong = databases.find((name) => !globs.includes(name) && !isDatabaseName(name));
  if (wrong !== undefined) {
    throw new UserError('bad-database-name', `invalid database name \`${wrong}\``, {
      hint: 'names start with a letter and contain a-z, 0-9 and _$()+/-',
    });
  }
  if (databases.length > 0 && globs.length === 0) return { names: [...new Set(databases)], isWhole: false, own: [] };
  const all = await listAll(ask, origin);
  const isWanted = (/** @type {string} */ name) =>
    databases.length === 0
      ? !OWN_DATABASES.has(name)
      : databases.includes(name) || globs.some((glob) => matchesGlob(name, glob));
  const names = all.filter(isWanted);
  if (names.length === 0 && databases.length > 0) {
    throw new UserError('no-database', `no database on ${origin} matches ${databases.join(', ')}`, {
      hint: 'quote globs so that the shell does not expand them',
    });
  }
  return {
    names,
    isWhole: databases.length === 0,
    own: all.filter((name) => OWN_DATABASES.has(name) && !isWanted(name)),
  };
}

/**
 * @param {ServerWalk} walk
 * @param {string[]} names
 * @param {(name: string, answers: Answers) => void} take is given each database when it is read
 * @param {(at: number, isDescribed: boolean) => Depth} [depthOf] by the place in the list; `isDescribed`: whether `_dbs_info` gives
 *   figures
 * @returns {Promise<ReadError[]>} for what could not be read
 */
export async function readDatabases(walk, names, take, depthOf = () => 'all') {
  /** @type {ReadError[]} */
  const errors = [];
  /** @type {Map<string, unknown>} */
  const described = new Map();
  /** Those that were read before the ones in front of them. @type {Map<number, Answers | undefined>} */
  const ready = new Map();
  let next = 0;
  let taken = 0;
  let lostInARow = 0;
  /** @type {Promise<unknown>} */
  let describing = Promise.resolve();
  let isDescribed = true;
  // In the order of their names, so that two runs say the same.
  const takeReady = () => {
    for (; ready.has(taken); taken += 1) {
      const [name, answers] = [names[taken], ready.get(taken)];
      if (name !== undefined && answers) take(name, answers);
      ready.delete(taken);
    }
  };
  const work = async () => {
    for (;;) {
      const at = next;
      const name = names[at];
      if (name === undefined || lostInARow >= MAX_LOST) return;
      next += 1;
      try {
        // Every database of a batch waits for it.
        if (at % BATCH === 0 && names.length > SIDE_BY_SIDE && isDescribed)
          describing = describe(walk, names.slice(at, at + BATCH), described);
        await describing;
        isDescribed &&= at > 0 || described.size > 0;
        const info = described.get(name);
        const answers = await readDatabase(walk, name, { info, depth: depthOf(at, isDescribed) });
        described.delete(name);
        lostInARow = 0;
        ready.set(at, answers);
      } catch (error) {
        if (!(error instanceof UserError)) throw error;
        const { code, message, hint } = error;
        const place = { file: `${walk.origin}/${name}`, line: 1, column: 1 };
        errors.push({ code, message, hint, place });
        if (code === 'server-lost') lostInARow += 1;
        ready.set(at, undefined);
      }
      takeReady();
    }
  };
  await Promise.all(Array.from({ length: Math.min(SIDE_BY_SIDE, names.length) }, work));
  if (lostInARow >= MAX_LOST && next < names.length) {
    const message = `${walk.origin} stopped responding; ${names.length - next} of ${names.length} databases were not read`;
    errors.push({ code: 'server-lost', message, hint: 'with --record, the next run can continue here with --resume' });
  }
  return errors;
}

/**
 * @param {ServerWalk} walk
 * @param {string} name
 * @param {{info: unknown, depth: Depth}} how `info`: what `_dbs_info` reported of it
 * @returns {Promise<Answers | undefined>} undefined where only its figures are wanted, and there are none
 */
async function readDatabase({ ask, queries }, name, { info, depth }) {
  const base = databasePath(name);
  /** @type {Answers} */
  const answers = new Map();
  /** @param {string} path @returns {Promise<unknown>} */
  const read = async (path) => {
    const { status, body } = await ask('GET', path);
    const answer = redactAnswer(path, bodyOf(status, body));
    answers.set(path, answer);
    return answer;
  };
  if (asObject(info)) answers.set(base, redactAnswer(base, info));
  if (depth === 'figures') return answers.size > 0 ? answers : undefined;
  if (answers.size === 0 && asObject(await read(base))?.['error'] !== undefined) return answers;
  const documents = designDocsOf(await read(designDocsPath(name))) ?? [];
  if (depth === 'documents') return answers;
  await read(`${base}/_security`);
  if (documents.some((document) => document['language'] === 'query')) await read(`${base}/_index`);
  for (const document of documents) {
    const path = indexInfoPath(name, String(document['_id']));
    // An id such as `_design/..` would lead to another path.
    const hasIndex = Object.keys(asObject(document['views']) ?? {}).length > 0 && isAllowed('GET', path);
    if (hasIndex) await read(path);
  }
  if (!OWN_DATABASES.has(name) && asCount(asObject(answers.get(base))?.['doc_count']) !== 0) {
    // What is too large or comes too late is not worth the database.
    const sample = await readConflicts(async (path) => (await ask('GET', path).catch(unanswered)).body, name);
    if (sample) answers.set(changesPath(name), sample);
    if (sample && sample.several > 0) await read(`${base}/_revs_limit`);
  }
  for (const query of queries.filter(({ database }) => matchesGlob(name, database))) {
    const { status, body } = await ask('POST', `${base}/_explain`, query.body);
    answers.set(`${base}/_explain ${JSON.stringify(query.body)}`, bodyOf(status, body));
  }
  return answers;
}

/**
 * @param {ServerWalk} walk
 * @param {string[]} keys
 * @param {Map<string, unknown>} described what the server reports is added
 */
async function describe({ ask }, keys, described) {
  // Versions before 2.2 know no such request, it may be for admins only, or take too long: then each database is requested.
  const { status, body } = await ask('POST', '/_dbs_info', { keys }).catch(unanswered);
  if (status !== 200 || !Array.isArray(body)) return;
  for (const item of body.map(asObject)) {
    const info = asObject(item?.['info']);
    if (info && typeof item?.['key'] === 'string') described.set(item['key'], info);
  }
}

/** @param {unknown} error @returns {{status: number, body: unknown}} */
function unanswered(error) {
  if (error instanceof UserError) return { status: 0, body: undefined };
  throw error;
}

/**
 * @param {Ask} ask
 * @param {string} origin
 * @returns {Promise<string[]>}
 */
async function listAll(ask, origin) {
  /** @type {Set<string>} */
  const names = new Set();
  for (let last = ''; ; ) {
    const from = last === '' ? '' : `&startkey=${encodeURIComponent(JSON.stringify(last))}`;
    const { status, body } = await ask('GET', `/_all_dbs?limit=${PAGE}${from}`);
    if (status === 401 || status === 403) {
      throw new UserError('not-allowed', `${origin} lists its databases for server admins only`, {
        hint: 'select databases with --db, or set COUCHDB_USER and COUCHDB_PASSWORD to those of a server admin',
      });
    }
    if (status !== 200 || !Array.isArray(body)) {
      throw new UserError('no-couchdb', `${origin}/_all_dbs returned status ${status} and no list`, {
        hint: 'select the databases to read with --db',
      });
    }
    const fresh = body.filter((name) => typeof name === 'string' && isDatabaseName(name) && !names.has(name));
    for (const name of fresh) names.add(name);
    if (names.size > MAX_NAMES) {
      throw new UserError(
        'too-many-databases',
        `${origin}/_all_dbs lists more than ${formatCount(MAX_NAMES)} databases`,
        {
          hint: 'select the databases to read with --db',
        },
      );
    }
    // Versions before 2.0 ignore the limit and return all at once.
    if (body.length !== PAGE || fresh.length === 0) return [...names];
    last = fresh.at(-1) ?? '';
  }
}

/**
 * @param {number} status
 * @param {unknown} body
 * @returns {unknown} the body; that of a failure always names its error
 */
function bodyOf(status, body) {
  if (status < 400) return body;
  const { error, reason } = asObject(body) ?? {};
  if (typeof error === 'string') return { error, reason };
  return {
    error:
      status === 401
        ? 'unauthorized'
        : status === 403
          ? 'forbidden'
          : status === 404
            ? 'not_found'
            : `status ${status}`,
  };
}

/** @param {unknown} body @returns {boolean} */
function isWrongPassword(body) {
  return /password is incorrect|temporarily locked/i.test(String(asObject(body)?.['reason']));
}

/** @param {string} origin @returns {UserError} */
function notLetIn(origin) {
  return new UserError('wrong-password', `${origin} does not accept these credentials`, {
    hint: 'set COUCHDB_USER and COUCHDB_PASSWORD, or put them into the URL or a netrc file',
  });
}
