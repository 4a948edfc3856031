// Opens a real CouchDB by its address: its version, its counters, requests. All of them have limits on time and size.
// Writes only to scratch databases.

import { existsSync, statfsSync } from 'node:fs';
import path from 'node:path';
import { formatCount } from '../../shared/units.js';
import { UserError } from '../../shared/user-error.js';
import { authorizationOf, readServerAddress } from './credentials.js';
import { requestJson } from './json-request.js';
import { guardRequest, isScratchName } from './scratch-name.js';
import { findListener, isErlang } from './server-processes.js';

/** @import { Mechanism } from '../experiments/experiment.js' */
/** @import { Ask, Counters, Server } from './server.js' */

/** A request that manages takes no longer, in milliseconds: a build of an index may take minutes. */
const TIMEOUT = 300_000;
/** Larger answers are refused: experiments read rows of some ten thousand documents at most. */
const LIMITS = {
  timeoutMs: TIMEOUT,
  maxBytes: 32 * 1024 * 1024,
  tooLargeHint: 'check that this is the address of a CouchDB, or use a smaller --max-docs',
};
/** What a node says of itself takes 100 kB at most (3.5.2, `_stats`), and several of these answers are read at once. */
const OF_NODE = { ...LIMITS, maxBytes: 8 * 1024 * 1024, maxValues: 100_000 };
const OF_NODE_PATH = /^_(?:node\/|membership|active_tasks)/;
/** The first answer comes soon or the address is wrong. */
const FIRST_TIMEOUT = 10_000;
/** With more databases than this somebody depends on the server. */
const MANY_DATABASES = 20;
/** The requests go to each node; a server that lists more nodes than any cluster has counts as one. */
const MAX_NODES = 100;
/** Requests of others in one second from which on the server is called busy. */
const MUCH_TRAFFIC = 10;

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

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
    guardRequest(method, path, body);
    return requestJson(
      { origin, headers },
      { method, path: `/${path}`, body },
      OF_NODE_PATH.test(path) ? OF_NODE : LIMITS,
    );
  };
  const first = { ...LIMITS, timeoutMs: FIRST_TIMEOUT };
  const welcome = await requestJson({ origin, headers }, { method: 'GET', path: '/' }, first);
  if (welcome.status === 401) throw notAllowed(origin);
  if (typeof welcome.body?.version !== 'string' || welcome.body?.couchdb === undefined) {
    throw new UserError('no-couchdb', `${origin} does not respond like CouchDB`, {
      hint: 'check the address and the port',
    });
  }
  const databases = await ask('GET', '_all_dbs?limit=1000');
  if (databases.status === 401 || databases.status === 403) throw notAllowed(origin);
  const { cluster_nodes: members } = (await ask('GET', '_membership')).body ?? {};
  const isCluster = Array.isArray(members) && members.length <= MAX_NODES;
  const nodes = isCluster ? members.filter((node) => typeof node === 'string') : [];
  return {
    kind: 'couchdb',
    origin,
    headers,
    mechanisms: MECHANISMS,
    advice: 'run it on the embedded server, without --url',
    about: await describe(ask, welcome.body.version, nodes),
    ask,
    processes: await findProcesses(ask, origin, nodes),
    readCounters: () => readCounters(ask, nodes),
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
  return new UserError('not-allowed', `these credentials may not create databases on ${origin}`, {
    hint: 'set COUCHDB_USER and COUCHDB_PASSWORD to those of a server admin',
  });
}

/**
 * @param {Ask} ask
 * @param {string} version
 * @param {string[]} nodes
 * @returns {Promise<Server['about']>}
 */
async function describe(ask, version, nodes) {
  const [versions, ...settings] = await Promise.all([
    ask('GET', '_node/_local/_versions'),
    ...SETTINGS.map(([section, key]) => ask('GET', `_node/_local/_config/${section}/${key}`)),
  ]);
  const engine = versions.body?.javascript_engine;
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
    ...(nodes.length > 0 ? { nodes: nodes.length } : {}),
    settings: found,
  };
}

/**
 * Each node counts what it does itself, and a request to one node has work done on others. Any node passes on to the others (chttpd_node.erl,
 * 3.5.0), where the user may read them.
 * @param {Ask} ask
 * @param {string[]} nodes of the cluster; none where they are not known
 * @returns {Promise<Counters | undefined>} of all nodes, or of the one that answers (`_stats`, CouchDB 2.0 and later)
 */
async function readCounters(ask, nodes) {
  if (nodes.length > 1) {
    const all = await Promise.all(nodes.map((node) => readCountersOf(ask, node)));
    const known = all.filter((one) => one !== undefined);
    if (known.length === nodes.length) return { values: addUp(known), read: nodes.length, nodes: nodes.length };
  }
  const values = await readCountersOf(ask, '_local');
  return values && { values, read: 1, nodes: Math.max(1, nodes.length) };
}

/**
 * @param {Record<string, number>[]} all
 * @returns {Record<string, number>}
 */
function addUp(all) {
  /** @type {Record<string, number>} */
  const sum = {};
  for (const [name, value] of all.flatMap((one) => Object.entries(one))) sum[name] = (sum[name] ?? 0) + value;
  return sum;
}

/**
 * @param {Ask} ask
 * @param {string} node
 * @returns {Promise<Record<string, number> | undefined>} undefined where it does not answer, or may not be read
 */
async function readCountersOf(ask, node) {
  const { status, body } = await ask('GET', `_node/${node}/_stats`);
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
 * @param {Ask} ask
 * @param {string} origin
 * @param {string[]} nodes of the cluster
 * @returns {Promise<number[] | undefined>} ids of the processes of all nodes on this machine; none where the server is elsewhere; undefined
 *   where they are here and cannot be seen, or are those of a container
 */
async function findProcesses(ask, origin, nodes) {
  if (!LOOPBACK.test(new URL(origin).hostname)) return [];
  /** @type {Set<number>} */
  const found = new Set();
  const here = nodes.filter((node) => LOOPBACK.test(node.split('@')[1] ?? ''));
  const ports = await Promise.all(here.map((node) => ask('GET', `_node/${node}/_config/chttpd/port`)));
  const others = ports.map(({ body }) => `http://127.0.0.1:${String(body).trim()}`);
  for (const address of new Set([origin, ...others.filter((one) => /:\d+$/.test(one))])) {
    const pid = findListener(address);
    if (pid === undefined || !isErlang(pid)) return undefined;
    found.add(pid);
  }
  return [...found];
}

/**
 * CouchDB reports where its files are but not how much room is left there (chttpd_node.erl, 3.5.0); so on this machine the server
 * gives the folder, and the machine the room.
 * @param {Ask} ask
 * @param {string} origin
 * @returns {Promise<number | undefined>} undefined of another machine, a container, or where the folder is unknown
 */
async function readFreeBytes(ask, origin) {
  if (!LOOPBACK.test(new URL(origin).hostname)) return undefined;
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
  if (others.length > MANY_DATABASES) signs.push(`it has ${formatCount(others.length)} databases`);
  const { body: tasks } = await ask('GET', '_active_tasks');
  const busy = Array.isArray(tasks)
    ? tasks.filter((task) => !/couch-advisor-scratch-/.test(String(task?.database)))
    : [];
  if (busy.length > 0) signs.push(`${busy.length} tasks are running`);
  const before = await readCountersOf(ask, '_local');
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const after = await readCountersOf(ask, '_local');
  const requests = (after?.['couchdb.httpd.requests'] ?? 0) - (before?.['couchdb.httpd.requests'] ?? 0);
  if (requests > MUCH_TRAFFIC) signs.push(`it served ${formatCount(requests - 1)} requests in one second`);
  return signs;
}
