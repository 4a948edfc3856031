// Compares what the possible engines of two targets answer to the same function.

import { ANSWERS } from '../../javascript/engine-answers.js';
import { engineNames } from '../../javascript/engines.js';
import { possibleEngines } from './needs.js';

/** @import { AnswerName } from '../../javascript/engine-answers.js' */
/** @import { EngineName } from '../../javascript/engines.js' */
/** @import { FunctionSubject } from '../fact.js' */

/**
 * @param {string} name of a difference, as `function.engineAnswers` has it
 * @param {FunctionSubject} before the function, for the target that runs now
 * @param {FunctionSubject} after the same function, for the one to come
 * @returns {string | undefined} both answers to an example; undefined where an engine of both targets may run it, or an answer is not known
 */
export function describeAnswers(name, before, after) {
  const [old, next] = [possibleEngines(before), possibleEngines(after)];
  // Where the engine may stay as it is, the version changes nothing.
  if (old.some((engine) => next.includes(engine))) return undefined;
  const { example, answers } = ANSWERS[/** @type {AnswerName} */ (name)];
  const one = commonAnswer(answers, old);
  const other = commonAnswer(answers, next);
  if (one === undefined || other === undefined || one === other) return undefined;
  return `\`${example}\` is ${one} in ${engineNames(old)} and ${other} in ${engineNames(next)}`;
}

/**
 * @param {Partial<Record<EngineName, string>>} answers
 * @param {EngineName[]} engines
 * @returns {string | undefined} what all of them answer
 */
function commonAnswer(answers, [first, ...others]) {
  const answer = first && answers[first];
  return others.every((engine) => answers[engine] === answer) ? answer : undefined;
}
