// How a function is run to be measured: how often and how long, and what ends it.

/** @import { ProfileOrder } from '../../../sandbox/run-profile.js' */
/** @import { SandboxLimits } from '../../../sandbox/limits.js' */
/** @import { ProfileOptions } from './profile-view.js' */

/** Each probe is a step, too. */
export const PROBED = 2;
/** Plain loops make 10 to 30 million steps in a second; code that makes objects and errors is far slower. */
const STEPS_PER_SECOND = 20_000_000;
const SLOW_STEPS_PER_MS = 5000;
/** How many calls may hang before the others are left alone (sandbox/run-profile.js), and one more. */
const HANGING = 3;
const ANSWER_CHARACTERS = 4 * 1024 * 1024;
const MAX_ROUNDS = 50;
/** Of inputs. */
const WARM_UP = 30;

/**
 * @param {number} inputs
 * @param {number} spendMs
 * @returns {ProfileOrder}
 */
export function timedOrder(inputs, spendMs) {
  // Where the first round alone takes longer, a part of it is measured.
  const mostMs = 2 * spendMs;
  return { isTimed: true, rounds: MAX_ROUNDS, spendMs, mostMs, warmUp: Math.min(inputs, WARM_UP), keepCharacters: 0 };
}

/**
 * @param {Pick<ProfileOptions, 'seconds' | 'callSteps'>} options
 * @param {number} keepCharacters
 * @returns {ProfileOrder}
 */
export function countingOrder({ seconds, callSteps }, keepCharacters) {
  const mostMs = seconds * 1000 + stepsOfHanging(callSteps) / SLOW_STEPS_PER_MS;
  return { isTimed: false, rounds: 1, spendMs: 0, mostMs, warmUp: 0, keepCharacters };
}

/** @param {number} callSteps @returns {number} calls that hang have steps of their own: the others are to be measured all the same */
function stepsOfHanging(callSteps) {
  return HANGING * callSteps * PROBED;
}

/**
 * @param {Pick<ProfileOptions, 'seconds' | 'callSteps'>} options
 * @returns {Partial<SandboxLimits>} of all functions of a view
 */
export function limitsFor({ seconds, callSteps }) {
  return {
    callSteps,
    jobSteps: seconds * STEPS_PER_SECOND + stepsOfHanging(callSteps),
    functionSteps: Number.POSITIVE_INFINITY,
    // All passes together; what ends them before is the time of each.
    functionCpuMs: seconds * 4000 + stepsOfHanging(callSteps) / SLOW_STEPS_PER_MS,
    answerCharacters: ANSWER_CHARACTERS,
  };
}
