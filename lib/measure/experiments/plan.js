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
  steps.push(...planRounds(experiment, { seed, pairs }));
  if (shared.length > 0) steps.push({ step: 'drop' });
  return steps;
}

/**
 * Rounds in mirrored pairs (A B, B A, ...): what drifts slowly falls on all arms alike. The seed says which arm begins.
 * @param {Pick<Experiment, 'id' | 'arms'>} experiment
 * @param {{seed: string, pairs: number}} options
 * @returns {RoundStep[]}
 */
export function planRounds({ id, arms }, { seed, pairs }) {
  const random = createRandom(`${seed} order ${id}`);
  const names = arms.map((arm) => arm.id);
  let order = names;
  /** @type {RoundStep[]} */
  const rounds = [];
  for (let pair = 0; pair < pairs; pair += 1) {
    order = pair % 2 === 0 ? shuffle(random, names) : order.toReversed();
    for (const arm of order) rounds.push({ step: 'round', arm, pair, position: rounds.length });
  }
  return rounds;
}

/**
 * @param {Arm} arm
 * @returns {boolean} whether something is built for it before the rounds
 */
function hasIndex({ measure, designDoc, index, setup }) {
  if (measure !== 'requests') return false;
  return setup ? setup.designDocs.length + setup.indexes.length > 0 : (designDoc ?? index) !== undefined;
}
