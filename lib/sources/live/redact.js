// Removes from a server's responses what is secret and what no rule needs. Done before anything is kept or shown.

import { hashText } from '../../shared/hash-text.js';
import { HIDDEN } from '../../shared/mask-secrets.js';
import { asCount, asObject } from '../../shared/values.js';
import { HIDDEN_HOST } from '../design-docs/replication.js';
import { COMPACTIONS, FAILING_JOBS, JOBS } from './allowed-requests.js';

/** Sections of the configuration whose values are all secret. */
const SECRET_SECTIONS = new Set(['admins', 'jwt_keys']);
/** Options that hold a secret, in any section. */
const SECRET_KEY = /secret|passw|token|cookie|salt|hmac|credential|(^|_)key$/i;
/** A name and a password in an address. */
const CREDENTIALS = /(\/\/)[^/\s@]*@/g;

/** Tasks that say something of indexes and files. The others are replications, whose addresses are nobody's business. */
const KEPT_TASKS = new Set(['indexer', 'view_compaction', 'database_compaction']);

/** Parts of an error of a replication that may hold addresses, names and ids. */
const ERROR_VALUES = /`[^`]*`|"[^"]*"|https?:\S+/g;

/** What of a database's description is of use: the rest are long opaque numbers. */
const DATABASE_MEMBERS = [
  'db_name',
  'doc_count',
  'doc_del_count',
  'sizes',
  'disk_size',
  'data_size',
  'props',
  'compact_running',
  'cluster',
];

/**
 * @param {string} path
 * @param {unknown} answer
 * @returns {unknown}
 */
export function redactAnswer(path, answer) {
  const object = asObject(answer);
  if (object && typeof object['error'] === 'string') return { error: object['error'], reason: object['reason'] };
  if (path === '/_node/_local/_config') return redactConfig(object);
  if (path === '/_node/_local/_stats') return keepCounters(object);
  if (path === FAILING_JOBS) return { docs: listOf(object?.['docs']).map(redactJob) };
  if (path === JOBS) return { total_rows: object?.['total_rows'], jobs: listOf(object?.['jobs']).map(redactRunning) };
  if (path === COMPACTIONS) return { channels: fromEntries(asObject(object?.['channels']), redactChannel) };
  if (path === '/_active_tasks') return Array.isArray(answer) ? answer.filter(isKeptTask).map(redactTask) : [];
  if (object && !path.slice(1).includes('/') && path !== '/' && !path.startsWith('/_')) return keepMembers(object);
  return answer;
}

/**
 * @param {Record<string, unknown>} info of a database
 * @returns {Record<string, unknown>}
 */
function keepMembers(info) {
  return Object.fromEntries(DATABASE_MEMBERS.flatMap((name) => (name in info ? [[name, info[name]]] : [])));
}

/** No option of CouchDB is longer, in characters. */
const MAX_OPTION = 10_000;

/** @param {Record<string, unknown> | undefined} config @returns {unknown} */
function redactConfig(config) {
  return fromEntries(config, (section, options) =>
    fromEntries(asObject(options), (key, value) => {
      if (SECRET_SECTIONS.has(section) || SECRET_KEY.test(key)) return HIDDEN;
      return String(value).replace(CREDENTIALS, `$1${HIDDEN}@`).slice(0, MAX_OPTION);
    }),
  );
}

/**
 * @param {Record<string, unknown> | undefined} node of `_stats`
 * @returns {unknown} only counters and gauges: histograms are long
 */
function keepCounters(node) {
  /** @type {[string, unknown][]} */
  const kept = [];
  for (const [name, child] of Object.entries(node ?? {})) {
    const object = asObject(child);
    if (!object) continue;
    const { type, value } = object;
    if (type === 'counter' || type === 'gauge') kept.push([name, { value, type }]);
    else if (typeof object['type'] !== 'string') kept.push([name, keepCounters(object)]);
  }
  return Object.fromEntries(kept);
}

/**
 * @param {unknown} job as `_scheduler/docs` describes it
 * @returns {unknown} its state, and hashes of its addresses, so that equal ones stay equal
 */
function redactJob(job) {
  const { database, doc_id, state, info, error_count, source, target } = asObject(job) ?? {};
  const error = String(asObject(info)?.['error'] ?? info ?? '').replace(ERROR_VALUES, '…');
  return { database, doc_id, state, info: { error }, error_count, source: hidden(source), target: hidden(target) };
}

/**
 * @param {unknown} job as `_scheduler/jobs` describes it
 * @returns {unknown} which it is, and how many changes it has to replicate
 */
function redactRunning(job) {
  const { id, database, doc_id, info, source, target } = asObject(job) ?? {};
  const changes_pending = asCount(asObject(info)?.['changes_pending']);
  return { id, database, doc_id, info: { changes_pending }, source: hidden(source), target: hidden(target) };
}

/** @param {unknown} address @returns {string} another one, the same for the same */
function hidden(address) {
  return `https://${HIDDEN_HOST}/${hashText(String(address))}`;
}

/** @param {string} _name @param {unknown} channel of smoosh @returns {unknown} how many compactions wait and run */
function redactChannel(_name, channel) {
  const { waiting, starting, active } = asObject(channel) ?? {};
  return {
    waiting: { size: asCount(asObject(waiting)?.['size']) },
    starting: asCount(starting),
    active: asCount(active),
  };
}

/** @param {unknown} value @returns {unknown[]} */
function listOf(value) {
  return Array.isArray(value) ? value : [];
}

/** @param {unknown} task @returns {boolean} */
function isKeptTask(task) {
  return KEPT_TASKS.has(String(asObject(task)?.['type']));
}

/** @param {unknown} task @returns {unknown} */
function redactTask(task) {
  const { pid: _pid, process_status: _status, ...rest } = asObject(task) ?? {};
  return rest;
}

/**
 * @param {Record<string, unknown> | undefined} object
 * @param {(key: string, value: unknown) => unknown} change
 * @returns {Record<string, unknown>}
 */
function fromEntries(object, change) {
  return Object.fromEntries(Object.entries(object ?? {}).map(([key, value]) => [key, change(key, value)]));
}
