// Computes what the deploy of an index takes: disk at its peak and in the end, and the time of the build.

import { formatBytes } from './units.js';

/**
 * @typedef {object} IndexDeploy Bytes are of all shards together.
 * @property {number} oldBytes length of the index files that it replaces; 0 for a new index
 * @property {{low: number, high: number}} buildBytes length of the new files right after the build
 * @property {number} newBytes length of them after compaction, which is also what compaction writes beside them
 * @property {boolean} [isGuessed] whether `buildBytes.high` may be exceeded: nobody predicted it from documents
 * @property {number} [documents] of the database
 * @property {number} [rate] documents indexed in a second
 * @property {{low: number, high: number}} [rates] how far the rate may be off
 */

/**
 * @typedef {object} DeployCost
 * @property {{low: number, high: number}} peakBytes old index, new index and the file of its compaction, at once
 * @property {{low: number, high: number}} moreBytes of the peak, what is not on the disk yet
 * @property {number} lastingBytes by how much the indexes are larger in the end, after `_view_cleanup`; negative where they are smaller
 * @property {number | undefined} buildSeconds of all builds, one after the other; undefined where documents or rate are unknown
 * @property {boolean | undefined} fits whether the peak fits into the free disk space; undefined where that is unknown
 * @property {string} reason why it fits, does not, or is unknown, and what to do where it does not: a clause without a full stop
 */

/**
 * The old index stays on the disk until `_view_cleanup` (maintenance/compaction.rst, "Views cleanup"; smoosh runs it now and then after it
 * compacted the database, smoosh_channel.erl), the new one is built beside it, and compaction writes a new file beside that
 * (couch_mrview_compactor.erl); all in 3.5.0. Compaction runs for one index at a time by default (`[smoosh.ratio_views] concurrency`).
 * @param {IndexDeploy[]} indexes that are built
 * @param {number} [free] bytes on the disk; undefined where it is unknown
 * @returns {DeployCost}
 */
export function deployCost(indexes, free) {
  const sum = (/** @type {(index: IndexDeploy) => number} */ of) =>
    indexes.reduce((total, index) => total + of(index), 0);
  const headroom = Math.max(0, ...indexes.map(({ newBytes }) => newBytes));
  const oldBytes = sum((index) => index.oldBytes);
  const moreBytes = {
    low: sum(({ buildBytes }) => buildBytes.low) + headroom,
    high: sum(({ buildBytes }) => buildBytes.high) + headroom,
  };
  const isTimed = indexes.every(({ documents, rate }) => documents !== undefined && rate !== undefined && rate > 0);
  return {
    peakBytes: { low: oldBytes + moreBytes.low, high: oldBytes + moreBytes.high },
    moreBytes,
    lastingBytes: sum(({ newBytes }) => newBytes) - oldBytes,
    buildSeconds: isTimed ? sum(({ documents = 0, rate = 1 }) => documents / rate) : undefined,
    ...judgeSpace(indexes, moreBytes, free),
  };
}

/**
 * @param {IndexDeploy[]} indexes
 * @param {{low: number, high: number}} moreBytes
 * @param {number | undefined} free
 * @returns {Pick<DeployCost, 'fits' | 'reason'>}
 */
function judgeSpace(indexes, { low, high }, free) {
  if (free === undefined) return { fits: undefined, reason: 'the free disk space is unknown (`--free`)' };
  const room = formatBytes(free);
  if (high <= free && indexes.some(({ isGuessed }) => isGuessed))
    return {
      fits: undefined,
      reason: `about ${formatBytes(low)} to ${formatBytes(high)}, and ${room} are free, but the files of a build can be larger; predict them from documents (\`npx --no-install couch-advisor predict --views\`)`,
    };
  if (high <= free) return { fits: true, reason: `${formatBytes(high)} at most, and ${room} are free` };
  if (low <= free)
    return {
      fits: undefined,
      reason: `${formatBytes(low)} to ${formatBytes(high)}, and ${room} are free; ${ADVICE}`,
    };
  const advice = fitsInSteps(indexes, free)
    ? 'deploy one design document at a time, and run `_view_cleanup` after each'
    : ADVICE;
  return { fits: false, reason: `at least ${formatBytes(low)}, and only ${room} are free; ${advice}` };
}

const ADVICE = 'run `_view_cleanup` first, which deletes the files of earlier versions, or make room';

/**
 * @param {IndexDeploy[]} indexes
 * @param {number} free
 * @returns {boolean} whether one after the other fits, in this order
 */
function fitsInSteps(indexes, free) {
  let room = free;
  for (const { oldBytes, buildBytes, newBytes } of indexes) {
    if (buildBytes.high + newBytes > room) return false;
    room += oldBytes - newBytes;
  }
  return indexes.length > 1;
}
