// Compares dotted version numbers, and checks whether a text is one.

/** The newest CouchDB this version of couch-advisor knows: advice is for it where no target is named. */
export const NEWEST_COUCHDB = '3.5.2';

/**
 * @param {string} first
 * @param {string} second
 * @returns {number} negative where the first is older, 0 where they are equal as far as the longer one goes
 */
export function compareVersions(first, second) {
  const left = first.split('.').map(Number);
  const right = second.split('.').map(Number);
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
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
