// A profile in, what it says in a sentence out: whether the code is the cost, or the way to it.

/** @import { FunctionProfile } from './profile.js' */

/**
 * @typedef {object} Conclusion
 * @property {number} codeShare 0 to 1: what would be saved by an empty function, of what an index build spends in and around the query server
 * @property {string} sentence
 */

/** From here on the code is called the cost; below the other end, the way to it. */
const MOSTLY_CODE = 0.6;
const MOSTLY_WAY = 0.4;

/**
 * @param {FunctionProfile} profile
 * @returns {Conclusion | undefined} undefined where nothing was timed
 */
export function conclude({ role, engines, pipe, queryServer }) {
  const times = queryServer?.floor
    ? timesOf(queryServer.ns.middle, queryServer.floor.middle)
    : sandboxTimes(engines, pipe);
  if (!times) return undefined;
  const codeShare = times.whole > 0 ? Math.min(1, Math.max(0, times.code / times.whole)) : 0;
  const percent = Math.round(codeShare * 100);
  const what = role === 'map' ? 'an empty map' : 'an empty reduce';
  const around = role === 'map' ? 'reading documents and answering' : 'reading rows and answering';
  if (codeShare >= MOSTLY_CODE) {
    return { codeShare, sentence: `this code is the cost: ${percent} % of the time goes into it and what it returns` };
  }
  if (codeShare <= MOSTLY_WAY) {
    return {
      codeShare,
      sentence: `${what} would still take ${100 - percent} % of the time: ${around} is the cost, not this code`,
    };
  }
  return {
    codeShare,
    sentence: `this code and the way to it cost about the same: ${what} would take ${100 - percent} % of the time`,
  };
}

/**
 * @param {number} whole
 * @param {number} floor
 */
function timesOf(whole, floor) {
  return { whole, code: whole - floor };
}

/**
 * @param {FunctionProfile['engines']} engines
 * @param {FunctionProfile['pipe']} pipe
 * @returns {{whole: number, code: number} | undefined}
 */
function sandboxTimes([quickjs], pipe) {
  if (!quickjs) return undefined;
  const { phases, floor } = quickjs;
  const way = pipe?.ns.middle ?? 0;
  return timesOf(phases.total.middle + way, floor.total.middle + way);
}
