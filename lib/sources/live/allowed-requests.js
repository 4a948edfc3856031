// Lists every request that a live lint may send. What is not in this list is refused before it leaves the machine.

/** A name or id in a path, as it is written there: escaped, and no step to another path. */
const NAME = '(?!\\.{1,2}(?:/|\\?|$)|%2e)[^/?#]+';
/** A database: its own names begin with a letter or are those that CouchDB gives. A name with slashes has them escaped. */
const DATABASE = `(?:[a-z][^/?#]*|_users|_replicator|_global_changes)`;

/** Databases that CouchDB makes and looks after. */
export const OWN_DATABASES = new Set(['_users', '_replicator', '_global_changes']);

/** Replications of documents that fail, on any node; `states` is there since 2.1 (couch_replicator_httpd.erl). Answered from memory, and from one read of each such document. */
export const FAILING_JOBS = '/_scheduler/docs?limit=1000&states=crashing,failed,error';

/** Running replications on all nodes, those of `_replicate` too (couch_replicator_httpd.erl, 2.1.0 to 3.5.2). Answered from memory, up to 100 values each. */
export const JOBS = '/_scheduler/jobs?limit=500';

/** Compactions that wait and run on the node that answers: 3.4.0 and later (chttpd_node.erl). Answered from memory. */
export const COMPACTIONS = '/_node/_local/_smoosh/status';

/** Changes that are looked through for conflicts. */
const SAMPLED_CHANGES = 200;

/** Method and path. The two POST requests read: `_dbs_info` takes names, `_explain` plans a query and does not run it. @type {[string, RegExp][]} */
const ALLOWED = [
  ['GET', /^\/$/],
  ['GET', /^\/_all_dbs\?limit=\d+(&startkey=[^&#]*)?$/],
  ['GET', /^\/_active_tasks$/],
  ['GET', /^\/_membership$/],
  ['GET', /^\/_scheduler\/docs\?limit=1000&states=crashing,failed,error$/],
  ['GET', /^\/_scheduler\/jobs\?limit=500$/],
  ['GET', /^\/_node\/_local\/_(config|stats|versions|smoosh\/status)$/],
  ['POST', /^\/_dbs_info$/],
  ['GET', new RegExp(`^/${DATABASE}$`)],
  ['GET', new RegExp(`^/${DATABASE}/_(index|revs_limit|security)$`)],
  // The newest changes with all leaves of their documents: the tree of each is read, no document is.
  ['GET', new RegExp(`^/${DATABASE}/_changes\\?style=all_docs&descending=true&limit=${SAMPLED_CHANGES}$`)],
  // Documents with several leaves, up to three of a database: of the answer only the number of conflicts is kept.
  ['GET', new RegExp(`^/[a-z][^/?#]*/(?!_|%5[fF])${NAME}\\?conflicts=true$`)],
  ['GET', new RegExp(`^/${DATABASE}/_all_docs\\?startkey=%22_design%2F%22&endkey=%22_design0%22&include_docs=true$`)],
  // Documents, of the database of --sample-from alone.
  [
    'GET',
    new RegExp(
      `^/${DATABASE}/_all_docs\\?include_docs=true&limit=\\d+&startkey=[^&#]*(&endkey=[^&#]*&inclusive_end=false)?$`,
    ),
  ],
  ['GET', new RegExp(`^/${DATABASE}/_design/${NAME}/_info$`)],
  ['POST', new RegExp(`^/${DATABASE}/_explain$`)],
];

/**
 * @param {string} method
 * @param {string} path with a slash at its head, parts of it escaped
 * @returns {boolean}
 */
export function isAllowed(method, path) {
  // A path that climbs would be another one by the time it is sent.
  if (path.split(/[/?#]/).some((part) => /^(\.|%2e){1,2}$/i.test(part))) return false;
  return ALLOWED.some(([allowed, pattern]) => allowed === method && pattern.test(path));
}

/**
 * @param {string} name
 * @returns {boolean} whether a database can have it (couch_db.erl validate_dbname_int, 3.5.0), and no other path is meant by it
 */
export function isDatabaseName(name) {
  return /^[a-z][a-z0-9_$()+/-]{0,237}$/.test(name) || OWN_DATABASES.has(name);
}

/**
 * @param {string} name of a database
 * @returns {string} as it is written in a path: slashes and plus signs of names are escaped
 */
export function databasePath(name) {
  return `/${encodeURIComponent(name)}`;
}

/**
 * @param {string} name of a database
 * @returns {string} the request that reads its design documents, on every version of CouchDB
 */
export function designDocsPath(name) {
  return `${databasePath(name)}/_all_docs?startkey=%22_design%2F%22&endkey=%22_design0%22&include_docs=true`;
}

/**
 * @param {string} name of a database
 * @param {string} id of a design document
 * @returns {string}
 */
export function indexInfoPath(name, id) {
  return `${databasePath(name)}/_design/${encodeURIComponent(id.replace(/^_design\//, ''))}/_info`;
}

/**
 * @param {string} name of a database
 * @returns {string} the request that shows which of its newest changes left several leaves
 */
export function changesPath(name) {
  return `${databasePath(name)}/_changes?style=all_docs&descending=true&limit=${SAMPLED_CHANGES}`;
}

/**
 * @param {string} name of a database
 * @param {string} id of a document
 * @returns {string}
 */
export function conflictsPath(name, id) {
  return `${databasePath(name)}/${encodeURIComponent(id)}?conflicts=true`;
}
