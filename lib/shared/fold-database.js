// Folds names of databases that differ only in numbers or hexadecimal ids into one pattern: `user-1` becomes `user-*`.
// A pattern depends on the name alone, so that parts of a log agree about it.

/** Ids as they are put into names: UUIDs, `userdb-` + hex of the user's name (couch_peruser), runs of hex, numbers. */
const UUID = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g;
/** Eight digits or more with letters among them; words such as `deadbeef` without a digit stay. */
const HEX = /(?<![0-9a-z])(?=[a-f]*[0-9])[0-9a-f]{8,}(?![0-9a-z])/g;
const NUMBER = /[0-9]+/g;
const DIGIT = /[0-9]/;
const UUID_LENGTH = 36;
const USER_DATABASE = 'userdb-';

/** The shard of a database: `shards/00000000-7fffffff/shop.1795229120` (mem3_util, 3.5.0). */
const SHARD = /^shards\/[0-9a-f]{8}-[0-9a-f]{8}\/(.+?)(?:\.\d{10})?$/;

/** What a database may be called (couch_db.erl and fabric2's predecessor mem3, 3.5.0), and the system's own. */
const DATABASE = /^(?:[a-z][a-z0-9_$()+/-]*|(?:.*\/)?_(?:users|replicator|global_changes|dbs|nodes|metadata))$/;

/**
 * @param {string} name
 * @returns {string} of the database, where the name is that of a shard
 */
export function databaseOfShard(name) {
  return name.startsWith('shards/') ? (SHARD.exec(name)?.[1] ?? name) : name;
}

/**
 * @param {string} name
 * @returns {boolean} whether a database can have it
 */
export function isDatabaseName(name) {
  return name.length <= 238 && DATABASE.test(name);
}

/**
 * @param {string} name of a database
 * @returns {string} its pattern, the name itself where nothing in it looks like an id or a number
 */
export function foldDatabase(name) {
  // Logs may name a million databases, so no search is made that cannot find anything.
  const withoutUuids = name.length < UUID_LENGTH ? name : name.replace(UUID, '*');
  const folded = foldUserDatabase(withoutUuids);
  return DIGIT.test(folded) ? folded.replace(HEX, '*').replace(NUMBER, '*') : folded;
}

/**
 * @param {string} name
 * @returns {string} with a star for the hexadecimal name of a user at its end
 */
function foldUserDatabase(name) {
  const prefix = name.lastIndexOf(USER_DATABASE);
  const start = prefix + USER_DATABASE.length;
  if (prefix === -1 || start === name.length) return name;
  for (let at = start; at < name.length; at += 1) {
    const unit = name.charCodeAt(at);
    if (unit < 48 || unit > 102 || (unit > 57 && unit < 97)) return name;
  }
  return `${name.slice(0, start)}*`;
}
