// Formats numbers for people. Shares are 0 to 1, sizes in bytes, times in milliseconds.

export const MINUTES_PER_DAY = 1440;

/**
 * @param {number | string} count
 * @returns {string} with a comma before each three digits: `2,310`; fractions as they are
 */
export function formatCount(count) {
  const [whole = '', fraction] = String(count).split('.');
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/**
 * @param {number} bytes
 * @returns {string} in powers of 1000, as file sizes are shown: `25.3 MB`
 */
export function formatBytes(bytes) {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}

/**
 * @param {number} milliseconds
 * @returns {string} `850 ms`, `1.3 s`
 */
export function formatMilliseconds(milliseconds) {
  if (milliseconds < 1000) return `${Number(milliseconds.toPrecision(3))} ms`;
  return `${formatCount((milliseconds / 1000).toFixed(1))} s`;
}

/**
 * @param {number} seconds
 * @returns {string} of an estimate: `3 min`, `4.2 h`
 */
export function formatDuration(seconds) {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`;
  if (seconds < 90 * 60) return `${Math.round(seconds / 60)} min`;
  const hours = seconds / 3600;
  return hours < 48 ? `${Number(hours.toPrecision(2))} h` : `${Number((hours / 24).toPrecision(2))} days`;
}

/**
 * @param {number} share 0 to 1
 * @returns {string} `38 %`
 */
export function formatShare(share) {
  return `${Number((share * 100).toPrecision(2))} %`;
}

/**
 * @param {number} value
 * @returns {number} with three digits that count: more are noise in a rate
 */
export function threeDigits(value) {
  return value >= 100 ? Math.round(value) : Number(value.toPrecision(3));
}

/**
 * @param {number} count
 * @param {string} noun
 * @returns {string} `1 view`, `2,310 views`
 */
export function countOf(count, noun) {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}
