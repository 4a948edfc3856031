// Concludes a profile in one sentence: whether the cost is the code, or the transfer between CouchDB and the query
// server.

import { noiseOf } from '../../shared/noise.js';
import { formatShare } from '../../shared/units.js';

/** @import { FunctionProfile, Span } from './profile.js' */

/**
 * @typedef {object} Conclusion
 * @property {number} codeShare 0 to 1: what would be saved by an empty function, of what an index build spends in and around the query server
 * @property {string} sentence
 * @property {{whole: Span, empty: Span}[]} calls one call, and one of an empty function, with the way there and back; for each engine, in their order
 */

/** From here on the code is called the cost; below the other end, the way to it. */
const MOSTLY_CODE = 0.6;
const MOSTLY_WAY = 0.4;

/**
 * @param {FunctionProfile} profile
 * @returns {Conclusion | undefined} undefined where nothing was timed
 */
export function conclude({ role, rows, engines, pipe, queryServer }) {
  const calls = engines.map(({ phases, floor }) => ({
    whole: add(phases.total, pipe?.ns),
    // An empty function takes no longer than one that does something: what was measured beyond that is noise.
    empty: add(lesser(floor.total, phases.total), pipe?.ns),
  }));
  const compared = queryServer?.floor
    ? { whole: queryServer.ns, empty: lesser(queryServer.floor, queryServer.ns) }
    : calls[0];
  if (!compared) return undefined;
  const { whole, empty } = compared;
  const codeShare = whole.middle > 0 ? 1 - empty.middle / whole.middle : 0;
  const where = queryServer?.floor ? ` in \`${queryServer.command}\`` : '';
  const noise = noiseOf(whole);
  const isNoise = codeShare < noise && !(role === 'map' && rows === 0);
  const sentence = isNoise
    ? `an empty ${role} would take as long${where}: the difference is below the noise of ${formatShare(noise)}`
    : describe(role, rows, codeShare, where);
  return { codeShare, sentence, calls };
}

/**
 * @param {FunctionProfile['role']} role
 * @param {number} rows
 * @param {number} codeShare
 * @param {string} where
 * @returns {string}
 */
function describe(role, rows, codeShare, where) {
  if (role === 'map' && rows === 0) {
    return 'the map emits nothing for these documents, so its cost when it emits is not measured';
  }
  if (codeShare >= MOSTLY_CODE) {
    return `this code dominates: ${formatShare(codeShare)} of the time${where} goes into it and its results`;
  }
  const rest = formatShare(1 - codeShare);
  if (codeShare > MOSTLY_WAY) {
    return `this code and the overhead around it cost about the same: an empty ${role} would take ${rest} of the time${where}`;
  }
  const around = role === 'map' ? 'reading documents and writing results' : 'reading rows and writing results';
  return `an empty ${role} would still take ${rest} of the time${where}: ${around} dominates, not this code`;
}

/**
 * @param {Span} one
 * @param {Span | undefined} other
 * @returns {Span}
 */
function add(one, other = { middle: 0, low: 0, high: 0 }) {
  return { middle: one.middle + other.middle, low: one.low + other.low, high: one.high + other.high };
}

/** @param {Span} one @param {Span} other @returns {Span} */
function lesser(one, other) {
  return one.middle <= other.middle ? one : other;
}
