// Reads the records and documents of a run from a CouchDB server. Loaded only where a server is named.

import { authorizationOf, readServerAddress } from '../../measure/servers/credentials.js';
import { sampleDatabase } from '../../measure/servers/sample-database.js';
import { UserError } from '../../shared/user-error.js';
import { createClient } from '../../sources/live/client.js';
import { openLive } from '../../sources/live/open-live.js';

/** @import { ClientOptions } from '../../sources/live/client.js' */
/** @import { LiveOptions } from '../../sources/live/open-live.js' */
/** @import { ReadResult } from '../../sources/record.js' */

/**
 * @typedef {object} ServerOptions
 * @property {string} url of the server or of one of its databases, perhaps with credentials
 * @property {number} [rate] requests a second
 * @property {boolean} [onlyGets] whether nothing but GET is sent: then no plan of a query is requested
 * @property {Record<string, string | undefined>} env where credentials are looked for that the URL does not hold
 */

/** Requests a second: a server at work does not feel them, and 10,000 databases take some ten minutes. */
const RATE = 50;
const MAX_RATE = 1000;
/** Values of a page of documents, which are not judged. */
const MAX_SAMPLE_VALUES = 500_000;

/**
 * @param {ServerOptions & {databases?: string[]} & Partial<Pick<LiveOptions, 'perPattern' | 'queries' | 'record' | 'onProgress'>>} options `databases`: names
 *   and globs; all where absent
 * @returns {Promise<Required<ReadResult>>}
 * @throws {UserError} where the server cannot be read
 */
export async function readLive({ databases = [], perPattern, queries = [], record, onProgress, ...options }) {
  const { server, database } = readServer(options);
  if (perPattern !== undefined && perPattern < 1) {
    throw new UserError('bad-number', `invalid --per-pattern ${perPattern}: must be at least 1`, {
      hint: 'omit it for the default of 100',
    });
  }
  if (database !== undefined && databases.length > 0) {
    throw new UserError('bad-url', '--url already contains a database, so --db cannot be used', {
      hint: 'use --url for the server and --db for the databases',
    });
  }
  return openLive({
    server,
    databases: database === undefined ? databases : [database],
    perPattern,
    queries: options.onlyGets ? [] : queries,
    record,
    now: () => new Date().toISOString(),
    onProgress,
  });
}

/**
 * Documents of a database of the server, which are read by GET, and kept in no file.
 * @param {ServerOptions} options
 * @param {string} sampleFrom the database
 * @param {number} max documents
 * @returns {Promise<{documents: Record<string, unknown>[], total: number}>}
 * @throws {UserError} where they cannot be read, or there are none
 */
export async function sampleLive(options, sampleFrom, max) {
  const { server } = readServer(options);
  const client = createClient({ ...server, maxValues: MAX_SAMPLE_VALUES });
  return sampleDatabase({ ask: (_method, path) => client('GET', `/${path}`) }, sampleFrom, max);
}

/**
 * @param {ServerOptions} options
 * @returns {{server: ClientOptions, database: string | undefined}}
 * @throws {UserError} where the server is not named as it should be
 */
function readServer({ url, rate = RATE, onlyGets, env }) {
  if (rate < 1 || rate > MAX_RATE) {
    throw new UserError('bad-number', `invalid --rate ${rate}: must be between 1 and ${MAX_RATE} requests per second`, {
      hint: `omit it for the default of ${RATE}`,
    });
  }
  const { address, database } = splitAddress(url);
  const { origin, credentials } = readServerAddress(address, env);
  return { server: { origin, headers: authorizationOf(credentials), rate, onlyGets }, database };
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
    throw new UserError('bad-url', '--url contains a path below a database', {
      hint: 'for example: --url http://localhost:5984/shop; write a slash in a name as %2F',
    });
  }
  parsed.pathname = '/';
  try {
    return { address: parsed.href, database: part === undefined ? undefined : decodeURIComponent(part) };
  } catch {
    throw new UserError('bad-url', '--url contains an invalid percent escape', { hint: 'write a percent sign as %25' });
  }
}
