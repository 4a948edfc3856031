// Reads what CouchDB says of itself in its log besides requests: results of couch_scanner, and errors that name a limit or a part that is missing.
// Keys, values and ids of documents in such lines are not kept. The forms are those of couch_scanner_util.erl (log_format_meta), couch_scanner_plugin_*.erl,
// couch_quickjs_scanner_plugin.erl, couch_server.erl, fabric_util.erl, chttpd_auth_cache.erl and dreyfus_httpd.erl, 3.4.3 and 3.5.2.

/** @import { ServerReport } from './log-line.js' */

const SCANNER =
  /^(?:couch_scanner_plugin_(ddoc_features|conflict_finder)|couch_quickjs_scanner_plugin) s:\S+ db:(\S+) (.*)$/s;
const FEATURES = /^(?:ddoc:(.+?) )??((?:(?:updates|shows|lists|rewrites|filters|reduce|validate_doc_update):\d+ ?)+)$/;
const CONFLICTS = /^(doc:.+ )?conflicts:(\[[^\]]*|\d+)/s;
const FAILED = / (?:d?doc|view|clouseau|nouveau) validation failed (?=\{\w)/;
/** What functions print themselves (`log(…)` in JavaScript): not a word of CouchDB's own. */
const PRINTED = /^OS Process \S+ Log ::/;
/** Words of errors, and what they mean. @type {[RegExp, string][]} */
const ERRORS = [
  [/\{error,all_dbs_active\}|\{all_dbs_active,| : all_dbs_active/, 'databases-open'],
  [
    /\{error,emfile\}|\{emfile,|^File operation error: emfile\.|maximum number of file descriptors exhausted/,
    'file-descriptors',
  ],
  [/internal_server_error : No DB shards could be opened/, 'no-shards'],
  [/\bou_est_clouseau\b/, 'search-unreachable'],
  [/aborted since it cannot handle \["BIG_CREATION"\]/, 'search-too-old'],
  [
    /^chttpd_auth_cache changes listener died (?:because the _users database does not exist|database_does_not_exist)/,
    'users-missing',
  ],
];
/** What a function of the comparison is for, by the word that its result begins with. @type {ReadonlyMap<string, string>} */
const ROLES = new Map([
  ['map_doc', 'map'],
  ['reduce', 'reduce'],
  ['rereduce', 'reduce'],
  ['filter', 'filter'],
  ['filter_doc', 'filter'],
  ['update', 'update'],
  ['update_doc', 'update'],
  ['vdu', 'validate_doc_update'],
  ['vdu_doc', 'validate_doc_update'],
  ['clouseau_index', 'index'],
  ['nouveau_index', 'index'],
  ['add_fun', 'function'],
  ['nouveau_add_fun', 'index'],
  ['add_lib', 'lib'],
  ['teach_ddoc', 'document'],
]);
/** Longer names are cut. */
const MAX_NAME = 200;
/** What stands before results is looked at up to this length: an id of a document in it can have any form. */
const MAX_HEAD = 4096;

/**
 * @param {string} text of a message that is no request, read as UTF-8
 * @returns {ServerReport[]} none where it is something else
 */
export function serverReports(text) {
  if (PRINTED.test(text)) return [];
  const scanned = SCANNER.exec(text);
  if (scanned) return scannerReports(scanned[1], scanned[2] ?? '', scanned[3] ?? '');
  const found = ERRORS.find(([pattern]) => pattern.test(text));
  return found ? [{ kind: found[1], database: '', designDoc: '', detail: '', most: 0 }] : [];
}

/**
 * @param {string | undefined} plugin undefined for the comparison of engines
 * @param {string} database
 * @param {string} rest
 * @returns {ServerReport[]}
 */
function scannerReports(plugin, database, rest) {
  if (plugin === 'ddoc_features') {
    const [, designDoc = '', features = ''] = FEATURES.exec(rest.slice(0, MAX_HEAD)) ?? [];
    const names = features.split(' ').flatMap((feature) => feature.split(':')[0] || []);
    return names.map((detail) => ({ kind: 'features', database, designDoc, detail, most: 0 }));
  }
  if (plugin === 'conflict_finder') {
    const [, document, revisions = ''] = CONFLICTS.exec(rest.slice(0, MAX_HEAD)) ?? [];
    if (revisions === '') return [];
    const most = revisions.startsWith('[') ? (revisions.match(/"/g)?.length ?? 0) / 2 : Number(revisions);
    const kind = document === undefined ? 'conflicts' : 'conflicted-document';
    return [{ kind, database, designDoc: '', detail: '', most }];
  }
  const failed = FAILED.exec(rest.slice(0, MAX_HEAD));
  const [, names = ''] = /^ddoc:(.+)$/s.exec(failed ? rest.slice(0, failed.index) : '') ?? [];
  if (!failed || names === '') return [];
  const [withIndex = ''] = names.split(' doc:', 1);
  const [designDoc = '', index = ''] = withIndex.split(' index:', 2);
  const details = differingFunctions(rest.slice(failed.index + failed[0].length), index);
  return details.map((detail) => ({ kind: 'engines-differ', database, designDoc, detail, most: 0 }));
}

/**
 * @param {string} result `{map_doc,<<"id">>,[[…],[…]],[[…],[…]]}` or `{reduce,<<"total">>,…}`: of QuickJS, then of SpiderMonkey
 * @param {string} index name of a full-text index, empty where it is none
 * @returns {string[]} `map 2/3` for the second map of three in the order of the views' names, `reduce total`, `validate_doc_update`
 */
function differingFunctions(result, index) {
  const [word = '', ...parts] = elementsOf(result) ?? [/^\{(\w+)/.exec(result)?.[1] ?? ''];
  const role = ROLES.get(word);
  if (role === undefined) return [];
  if (role === 'index') return [`index ${index || nameIn(parts[0])}`.trim()];
  if (role === 'validate_doc_update' || role === 'lib' || role === 'document') return [role];
  if (role !== 'map') return [`${role} ${nameIn(parts[0])}`.trim()];
  const [quickjs, spidermonkey] = parts.slice(1).map((rows) => elementsOf(rows));
  if (!quickjs || !spidermonkey || quickjs.length !== spidermonkey.length) return [role];
  const places = quickjs.flatMap((rows, at) => (rows === spidermonkey[at] ? [] : [at + 1]));
  return places.length > 0 ? places.map((place) => `${role} ${place}/${quickjs.length}`) : [role];
}

/**
 * @param {string | undefined} term `<<"total">>`
 * @returns {string} empty where it is no readable name
 */
function nameIn(term) {
  const [, name = ''] = /^<<"((?:[^"\\]|\\.)*)"(?:\/utf8)?>>$/s.exec(term ?? '') ?? [];
  return name.replace(/\\(.)/gs, '$1').slice(0, MAX_NAME);
}

/**
 * @param {string | undefined} term a list or tuple as Erlang prints it
 * @returns {string[] | undefined} the texts of its elements; undefined where it is neither, or where its end is cut off
 */
function elementsOf(term) {
  if (term === undefined || !/^[[{]/.test(term)) return undefined;
  /** @type {string[]} */
  const elements = [];
  let depth = 0;
  let from = 1;
  for (let at = 0; at < term.length; at += 1) {
    const char = term[at];
    if (char === '"' || char === "'") {
      at = closingQuote(term, at);
      continue;
    }
    if (char === '[' || char === '{') depth += 1;
    if (char === ']' || char === '}') depth -= 1;
    const isEnd = depth === 0;
    if (isEnd || (depth === 1 && char === ',')) {
      if (at > from || !isEnd) elements.push(term.slice(from, at));
      from = at + 1;
    }
    if (isEnd) return at === term.length - 1 ? elements : undefined;
  }
  return undefined;
}

/**
 * @param {string} term
 * @param {number} start of a quotation mark
 * @returns {number} where the same mark stands again, behind the term where it does not
 */
function closingQuote(term, start) {
  let at = start + 1;
  while (at < term.length && term[at] !== term[start]) at += term[at] === '\\' ? 2 : 1;
  return at;
}
