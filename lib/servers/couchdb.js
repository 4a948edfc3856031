// A real CouchDB at an address: what it is, its counters, requests. Reads; writes only into scratch databases.

import { existsSync, statfsSync } from 'node:fs';
import path from 'node:path';
import { UserError } from '../shared/user-error.js';
import { authorizationOf, readServerAddress } from './credentials.js';
import { requestJson } from './json-request.js';
import { guardRequest, isScratchName } from './scratch-name.js';

/** @import { Mechanism } from '../experiments/experiment.js' */
/** @import { Ask, Server } from './server.js' */

/** A request that manages takes no longer, in milliseconds: a build of an index may take minutes. */
const TIMEOUT = 300_000;
/** Longer answers are refused, in bytes: experiments read rows of some ten thousand documents at most. */
const MAX_BYTES = 256 * 1024 * 1024;
const LIMITS = { timeoutMs: TIMEOUT, maxBytes: MAX_BYTES, tooLargeHint: 'check that the address is that of a CouchDB' };
/** The first answer comes soon or the address is wrong. */
const FIRST_TIMEOUT = 10_000;
/** With more databases than this somebody depends on the server. */
const MANY_DATABASES = 20;
/** Requests of others in one second from which on the server is called busy. */
const MUCH_TRAFFIC = 10;

/** @type {ReadonlySet<Mechanism>} */
const MECHANISMS = new Set([
  'document-lookup',
  'kept-index',
  'round-trip',
  'query-server',
  'append-only-tree',
  'scatter-gather',
]);

/** What of the configuration changes figures: section, key. Shard counts have other defaults than the rest (default.ini, 3.5.0). */
const SETTINGS = [
  ['cluster', 'q'],
  ['cluster', 'n'],
  ['couchdb', 'file_compression'],
  ['query_server_config', 'os_process_limit'],
];

/**
 * @param {string} url with or without credentials
 * @param {Record<string, string | undefined>} env
 * @returns {Promise<Server>}
 * @throws {UserError} where no CouchDB answers there, or it lets nobody in
 */
export async function openCouchdb(url, env) {
  const { origin, credentials } = readServerAddress(url, env);
  const headers = authorizationOf(credentials);
  /** @type {Ask} */
  const ask = async (method, path, body) => {
    guardRequest(method, path);
    return requestJson({ origin, headers }, { method, path: `/${path}`, body }, LIMITS);
  };
  const first = { ...LIMITS, timeoutMs: FIRST_TIMEOUT };
  const welcome = await requestJson({ origin, headers }, { method: 'GET', path: '/' }, first);
  if (welcome.status === 401) throw notAllowed(origin);
  if (typeof welcome.body?.version !== 'string' || welcome.body?.couchdb === undefined) {
    throw new UserError('no-couchdb', `${origin} answers, and not as CouchDB does`, {
      hint: 'check the address and the port',
    });
  }
  const databases = await ask('GET', '_all_dbs?limit=1000');
  if (databases.status === 401 || databases.status === 403) throw notAllowed(origin);
  return {
    kind: 'couchdb',
    origin,
    headers,
    mechanisms: MECHANISMS,
    advice: 'run it on a real CouchDB with --url',
    about: await describe(ask, welcome.body.version),
    ask,
    readCounters: () => readCounters(ask),
    readFreeBytes: () => readFreeBytes(ask, origin),
    findSignsOfUse: () => findSignsOfUse(ask, databases.body),
    close: async () => {},
  };
}

/**
 * @param {string} origin
 * @returns {UserError}
 */
function notAllowed(origin) {
  return new UserError('not-allowed', `${origin} does not let these credentials make databases`, {
    hint: 'set COUCHDB_USER and COUCHDB_PASSWORD to a server admin',
  });
}

/**
 * @param {Ask} ask
 * @param {string} version
 * @returns {Promise<Server['about']>}
 */
async function describe(ask, version) {
  const [versions, members, ...settings] = await Promise.all([
    ask('GET', '_node/_local/_versions'),
    ask('GET', '_membership'),
    ...SETTINGS.map(([section, key]) => ask('GET', `_node/_local/_config/${section}/${key}`)),
  ]);
  const engine = versions.body?.javascript_engine;
  const nodes = members.body?.cluster_nodes;
  /** @type {Record<string, string>} */
  const found = {};
  for (const [at, { status, body }] of settings.entries()) {
    const name = SETTINGS[at]?.[1];
    if (name !== undefined && status === 200 && typeof body === 'string') found[name] = body.trim();
  }
  return {
    name: `CouchDB ${version}`,
    kind: 'couchdb',
    version,
    ...(engine?.name ? { engine: `${engine.name} ${engine.version ?? ''}`.trim() } : {}),
    ...(Array.isArray(nodes) ? { nodes: nodes.length } : {}),
    settings: found,
  };
}

/**
 * @param {Ask} ask
 * @returns {Promise<Record<string, number> | undefined>} those of the node that answers (`_stats`, CouchDB 2.0 and later)
 */
async function readCounters(ask) {
  const { status, body } = await ask('GET', '_node/_local/_stats');
  if (status !== 200 || typeof body !== 'object' || body === null) return undefined;
  /** @type {Map<string, number>} */
  const counters = new Map();
  /** @param {Record<string, unknown>} node @param {string} name */
  const collect = (node, name) => {
    if (node['type'] === 'counter' && typeof node['value'] === 'number') {
      counters.set(name, node['value']);
      return;
    }
    if (typeof node['type'] === 'string') return;
    for (const [key, child] of Object.entries(node)) {
      if (typeof child === 'object' && child !== null) {
        collect(/** @type {Record<string, unknown>} */ (child), name === '' ? key : `${name}.${key}`);
      }
    }
  };
  collect(body, '');
  return Object.fromEntries(counters);
}

/**
 * CouchDB tells where its files are and not how much room is left there (chttpd_node.erl, 3.5.0); so a server on this machine is
 * asked for the folder, and this machine for the room.
 * @param {Ask} ask
 * @param {string} origin
 * @returns {Promise<number | undefined>} undefined of another machine, a container, or where the folder is not told
 */
async function readFreeBytes(ask, origin) {
  const { hostname } = new URL(origin);
  if (!/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)) return undefined;
  const { status, body } = await ask('GET', '_node/_local/_config/couchdb/database_dir');
  if (status !== 200 || typeof body !== 'string') return undefined;
  // Also a container answers at this address: its folder is not here, or holds another server's files.
  if (!path.isAbsolute(body) || !existsSync(path.join(body, '_dbs.couch'))) return undefined;
  try {
    const { bavail, bsize } = statfsSync(body);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}

/**
 * @param {Ask} ask
 * @param {unknown} databases
 * @returns {Promise<string[]>}
 */
async function findSignsOfUse(ask, databases) {
  const signs = [];
  const names = Array.isArray(databases) ? databases.filter((name) => typeof name === 'string') : [];
  const others = names.filter((name) => !name.startsWith('_') && !isScratchName(name));
  if (others.length > MANY_DATABASES) signs.push(`it has ${others.length} databases`);
  const { body: tasks } = await ask('GET', '_active_tasks');
  const busy = Array.isArray(tasks)
    ? tasks.filter((task) => !/couch-advisor-scratch-/.test(String(task?.database)))
    : [];
  if (busy.length > 0) signs.push(`${busy.length} of its tasks are running`);
  const before = await readCounters(ask);
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const after = await readCounters(ask);
  const requests = (after?.['couchdb.httpd.requests'] ?? 0) - (before?.['couchdb.httpd.requests'] ?? 0);
  if (requests > MUCH_TRAFFIC) signs.push(`it answered ${requests - 1} requests in a second`);
  return signs;
}
