// Plans the steps of an experiment: create, load, build indexes, warm up, interleaved rounds, drop. Pure: it measures
// nothing, and a test checks the order.

import { createRandom, shuffle } from '../../shared/seeded-random.js';

/** @import { Arm, Experiment } from './experiment.js' */

/**
 * @typedef {object} RoundStep
 * @property {'round'} step
 * @property {string} arm
 * @property {number} pair from 0; a pair has one round of each arm
 * @property {number} position over all rounds, from 0
 */

/** @typedef {{step: 'create' | 'load' | 'compare' | 'drop'}} DatabaseStep */
/** @typedef {{step: 'build' | 'warm-up', arm: string}} ArmStep */
/** @typedef {DatabaseStep | ArmStep | RoundStep} Step */

/**
 * @param {Experiment} experiment
 * @param {{seed: string, pairs: number}} options
 * @returns {Step[]} all steps; the runner may end the rounds early, and then still drops
 */
export function planSteps(experiment, { seed, pairs }) {
  const { arms, answers = [] } = experiment;
  const shared = arms.filter((arm) => arm.measure !== 'load');
  /** @type {Step[]} */
  const steps = [];
  // A round of a load has a database of its own.
  if (shared.length > 0) steps.push({ step: 'create' }, { step: 'load' });
  for (const arm of shared.filter(hasIndex)) steps.push({ step: 'build', arm: arm.id });
  if (answers.length > 0) steps.push({ step: 'compare' });
  for (const arm of arms) steps.push({ step: 'warm-up', arm: arm.id });
  // The warm-up has replicated once.
  if (arms.some(({ measure }) => measure === 'replicate')) steps.push({ step: 'compare' });
  steps.push(...planRounds(experiment, { seed, pairs }));
  if (shared.length > 0) steps.push({ step: 'drop' });
  return steps;
}

/**
 * Rounds in pairs. Which arm begins is drawn for each pair by itself: whatever the machine does meanwhile (drift, bursts, a fan that slows every other
 * second), it then favors either arm in a pair with the same chance, and independently of the other pairs, which is all that the signed-rank test
 * assumes. Mirrored pairs (A B, B A) would be in step with what comes and goes in four rounds.
 * @param {Pick<Experiment, 'id' | 'arms'>} experiment
 * @param {{seed: string, pairs: number}} options
 * @returns {RoundStep[]}
 */
export function planRounds({ id, arms }, { seed, pairs }) {
  const random = createRandom(`${seed} order ${id}`);
  const names = arms.map((arm) => arm.id);
  /** @type {RoundStep[]} */
  const rounds = [];
  for (let pair = 0; pair < pairs; pair += 1) {
    for (const arm of shuffle(random, names)) rounds.push({ step: 'round', arm, pair, position: rounds.length });
  }
  return rounds;
}

/**
 * @param {Arm} arm
 * @returns {boolean} whether something is built for it before the rounds
 */
function hasIndex({ measure, designDoc, index, setup }) {
  if (measure !== 'requests' && measure !== 'replicate') return false;
  return setup ? setup.designDocs.length + setup.indexes.length > 0 : (designDoc ?? index) !== undefined;
}
