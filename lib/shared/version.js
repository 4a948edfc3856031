// Compares dotted version numbers, and checks whether a text is one.

/** The newest CouchDB this version of couch-advisor knows: advice is for it where no target is named. */
export const NEWEST_COUCHDB = '3.5.2';

/**
 * @param {string} version that somebody has: a target of two parts, or of one, is the newest release of that line
 * @param {string} release that brought a change: `3.5` is 3.5.0
 * @returns {number} negative where the version is older than the release, 0 where they are the same
 */
export function compareVersions(version, release) {
  const left = version.split('.').map(Number);
  const right = release.split('.').map(Number);
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const newest = index < right.length ? Number.POSITIVE_INFINITY : 0;
    const difference = (left[index] ?? newest) - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/**
 * @param {string} text
 * @returns {boolean} whether it is one to three numbers with dots
 */
export function isVersion(text) {
  return /^\d+(\.\d+){0,2}$/.test(text);
}
