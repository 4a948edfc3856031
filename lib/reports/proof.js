// Words what was proved of a reduce as a document.

import { codeBlock, facts, list, notes, section } from './document/blocks.js';

/** @import { Document, Fact } from './document/blocks.js' */

/** What is shown of a proof (`Proof` of lib/proof/proof.js). @typedef {{verdict: string, basis: string, trials: number, builtin?: string, condition?: {text: string}, conditionHolds?: string, rewrite?: {text: string, changesShape: boolean}, counterexample?: {text: string[]}, reason?: string, steps: string[]}} ShownProof */

/** @type {Record<string, (builtin: string) => string>} */
const VERDICTS = {
  equal: (builtin) => `The reduce equals ${builtin}.`,
  equalAfterRewrite: (builtin) => `The reduce can be replaced by ${builtin} after a rewrite.`,
  wrong: () => 'The reduce is wrong when it is rereduced.',
  grows: () => 'The result of the reduce grows with the rows.',
  custom: () => 'No built-in does the same as the reduce.',
  unknown: () => 'What the reduce computes is unknown.',
};

/** Of the condition on the emitted values. @type {Record<string, string>} */
const HOLDS = { always: 'always true for this map', if: 'true only for some documents', not: 'not true for this map' };

/**
 * @param {ShownProof} proof
 * @returns {Document}
 */
export function proofDocument({ verdict, basis, trials, builtin = '', condition, conditionHolds, rewrite, ...proof }) {
  /** @type {Fact[]} */
  const known = [{ name: 'basis', value: basis === 'proved' ? 'proved from the code' : `tried: ${trials} groupings` }];
  if (condition) {
    const holds = HOLDS[conditionHolds ?? ''];
    known.push({ name: 'condition', value: `${condition.text}${holds ? ` (${holds})` : ''}` });
  }
  if (rewrite) {
    known.push({
      name: 'rewrite',
      value: `${rewrite.text}${rewrite.changesShape ? '; clients get another result' : ''}`,
    });
  }
  const { counterexample, reason, steps } = proof;
  return {
    title: 'Proof of a reduce',
    lead: (VERDICTS[verdict] ?? (() => verdict))(`\`${builtin}\``),
    blocks: [
      facts(known),
      reason !== undefined && notes([reason], 'unknown'),
      counterexample && section('Counterexample', codeBlock(counterexample.text.join('\n'), 'text')),
      steps.length > 0 && section('Steps', list(steps.filter((step) => !counterexample?.text.includes(step)))),
    ],
  };
}
