// Reads parts of CouchDB's responses as the types they must have; anything else counts as missing.

import { parseJson } from '../../shared/parse-json.js';
import { asCount, asObject } from '../../shared/values.js';
import { isVersion } from '../../shared/version.js';

/** @import { EngineName } from '../../javascript/engines.js' */
/** @import { ConflictSample, DesignDocSketch, FindQueryParts, NodeParts, Sizes } from './record.js' */

/** SpiderMonkey versions that are distinguished, the newest first, and what advice calls them. @type {[number, EngineName][]} */
const SPIDERMONKEYS = [
  [91, 'spidermonkey-91'],
  [78, 'spidermonkey-78'],
  [60, 'spidermonkey-60'],
];

/**
 * @param {ReadonlyMap<string, unknown>} answers
 * @param {string} path
 * @returns {unknown} undefined where there is none, or it is a refusal
 */
export function okAnswer(answers, path) {
  const answer = answers.get(path);
  return typeof asObject(answer)?.['error'] === 'string' ? undefined : answer;
}

/** @param {unknown} value @returns {boolean | undefined} */
export function booleanOf(value) {
  return typeof value === 'boolean' ? value : undefined;
}

/** @param {unknown} value @returns {string[]} the texts of a list */
export function textsOf(value) {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/**
 * @param {unknown} value such as `3.5.0-dirty`
 * @returns {string | undefined} the numbers of it
 */
export function versionOf(value) {
  const numbers = typeof value === 'string' ? (/^\d+(\.\d+){0,2}/.exec(value)?.[0] ?? '') : '';
  return isVersion(numbers) ? numbers : undefined;
}

/**
 * @param {Record<string, unknown> | undefined} engine `{name: "spidermonkey", version: "78"}` (`_versions`, CouchDB 3.x)
 * @returns {EngineName | undefined} as in the target
 */
export function engineOf(engine) {
  if (engine?.['name'] === 'quickjs') return 'quickjs';
  if (engine?.['name'] !== 'spidermonkey') return undefined;
  const version = String(engine['version'] ?? '');
  if (version.startsWith('1.8')) return 'spidermonkey-1.8.5';
  return SPIDERMONKEYS.find(([least]) => Number.parseInt(version, 10) >= least)?.[1];
}

/**
 * Up to 1.x and in 2.x beside the new names, sizes were called `disk_size` and `data_size`.
 * @param {Record<string, unknown>} info
 * @returns {Sizes}
 */
export function sizesOf(info) {
  const sizes = asObject(info['sizes']);
  return {
    file: asCount(sizes?.['file'] ?? info['disk_size']),
    active: asCount(sizes?.['active'] ?? info['data_size']),
    external: asCount(sizes?.['external']),
  };
}

/**
 * @param {unknown} node of `_stats`
 * @param {string} [name]
 * @param {Map<string, number>} [found]
 * @returns {Map<string, number>} counters and gauges by their path: `couchdb.password_hashing_slow`
 */
export function countersOf(node, name = '', found = new Map()) {
  for (const [key, child] of Object.entries(asObject(node) ?? {})) {
    const path = name === '' ? key : `${name}.${key}`;
    const object = asObject(child);
    const isNumber = object?.['type'] === 'counter' || object?.['type'] === 'gauge';
    const count = isNumber ? asCount(object['value']) : undefined;
    if (count !== undefined) found.set(path, count);
    else if (object && typeof object['type'] !== 'string' && path.split('.').length < 8)
      countersOf(object, path, found);
  }
  return found;
}

/**
 * @param {unknown} answer of `_scheduler/jobs`
 * @returns {boolean} whether it lists all of them
 */
export function hasAllJobs(answer) {
  const { total_rows: total, jobs } = asObject(answer) ?? {};
  return Array.isArray(jobs) && jobs.length === total;
}

/**
 * @param {unknown} answer of `_smoosh/status`
 * @returns {NodeParts['compactions']}
 */
export function compactionsOf(answer) {
  const channels = asObject(asObject(answer)?.['channels']);
  return (
    channels &&
    Object.entries(channels).flatMap(([name, channel]) => {
      const { waiting, starting, active } = asObject(channel) ?? {};
      const counts = [asObject(waiting)?.['size'], starting, active].map(asCount);
      const [size, begun, running] = counts;
      // A channel that has just started has no status yet.
      if (size === undefined || begun === undefined || running === undefined) return [];
      return [{ name, waiting: size, running: begun + running }];
    })
  );
}

/**
 * @param {unknown} answer what `readConflicts` made, or a recording of it
 * @returns {ConflictSample | undefined}
 */
export function conflictsOf(answer) {
  const sample = asObject(answer);
  const [changes, several] = [asCount(sample?.['changes']), asCount(sample?.['several'])];
  const documents = sample?.['documents'];
  if (changes === undefined || several === undefined || several > changes || !Array.isArray(documents))
    return undefined;
  return {
    changes,
    several,
    documents: documents.flatMap((item) => {
      const { id, conflicts, isMost } = asObject(item) ?? {};
      const count = asCount(conflicts);
      const known = typeof id === 'string' ? { id } : {};
      return count === undefined ? [] : [{ ...known, conflicts: count, isMost: isMost === true }];
    }),
  };
}

/**
 * @param {unknown} answer of `_all_docs`
 * @returns {Record<string, unknown>[] | undefined} undefined where there is no list
 */
export function designDocsOf(answer) {
  const rows = asObject(answer)?.['rows'];
  if (!Array.isArray(rows)) return undefined;
  return rows.flatMap((row) => {
    const document = asObject(asObject(row)?.['doc']);
    const id = document?.['_id'];
    return document && typeof id === 'string' && id.startsWith('_design/') ? [document] : [];
  });
}

/**
 * @param {Record<string, unknown>} document
 * @returns {DesignDocSketch}
 */
export function sketchOf(document) {
  const views = Object.keys(asObject(document['views']) ?? {});
  const { autoupdate } = document;
  return {
    id: String(document['_id']),
    language: typeof document['language'] === 'string' ? document['language'] : 'javascript',
    viewCount: views.filter((name) => name !== 'lib').length,
    hasValidate: typeof document['validate_doc_update'] === 'string',
    // Only the JSON false counts, for all or for views (ken_server.erl should_update, 3.5.0).
    revision: typeof document['_rev'] === 'string' ? document['_rev'] : null,
    isUpdatedAlone: autoupdate !== false && asObject(autoupdate)?.['views'] !== false,
  };
}

/**
 * @param {string} text of the body that was sent to `_explain`
 * @param {unknown} answer
 * @returns {Omit<FindQueryParts, 'kind' | 'database'> | undefined} undefined where it is no answer of `_explain`
 */
export function queryOf(text, answer) {
  const explained = asObject(answer);
  const index = asObject(explained?.['index']);
  const args = asObject(explained?.['mrargs']);
  const selector = asObject(parseJson(text))?.['selector'];
  if (!explained || !index || typeof index['name'] !== 'string' || selector === undefined) return undefined;
  const start = args?.['start_key'];
  const candidates = Array.isArray(explained['index_candidates']) ? explained['index_candidates'].map(asObject) : [];
  const type = typeof index['type'] === 'string' ? index['type'] : 'json';
  return {
    name: JSON.stringify(selector),
    selector,
    index: { name: index['name'], type, fields: indexFields(asObject(index['def'])?.['fields']) },
    // No bound is null for `_all_docs`, an empty list for an index (`_explain` of 3.4.3 and 3.5.0).
    readsWholeIndex: args && (start === null || start === undefined || (Array.isArray(start) && start.length === 0)),
    unusable: candidates.flatMap((candidate) => {
      const reasons = asObject(candidate?.['analysis'])?.['reasons'];
      const isMissed = Array.isArray(reasons) && reasons.some((item) => asObject(item)?.['name'] === 'field_mismatch');
      const other = asObject(candidate?.['index']);
      const name = other?.['name'];
      return isMissed && typeof name === 'string'
        ? [{ name, fields: indexFields(asObject(other?.['def'])?.['fields']) }]
        : [];
    }),
  };
}

/** @param {unknown} fields `[{"status": "asc"}]` @returns {string[]} */
function indexFields(fields) {
  return Array.isArray(fields) ? fields.flatMap((item) => Object.keys(asObject(item) ?? {})) : [];
}
