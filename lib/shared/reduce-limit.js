// Holds the length, by version, from which CouchDB's reduce_limit checks the result of a reduce.

import { compareVersions } from './version.js';

/**
 * runReduce of share/server/views.js: an answer that is longer, and longer than half of its input, is refused. 200 up to 2.0; 4096
 * from 2.1 to 3.5.0; since 3.5.1 `reduce_limit_threshold` sets it, 5000 if nothing does.
 * @param {string} version of CouchDB
 * @returns {number} characters
 */
export function reduceLimit(version) {
  if (compareVersions(version, '2.1') < 0) return 200;
  return compareVersions(version, '3.5.1') < 0 ? 4096 : 5000;
}
