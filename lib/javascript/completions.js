// Says which statements a `continue` can name (ECMA-262, LabelledEvaluation and LoopContinues).

/** @import { AnyNode } from 'acorn' */

const LOOPS = new Set(['ForStatement', 'ForInStatement', 'ForOfStatement', 'WhileStatement', 'DoWhileStatement']);

/**
 * @param {AnyNode} body of a labelled statement
 * @returns {boolean} whether a `continue` can name its label
 */
export function takesLabels({ type }) {
  return LOOPS.has(type) || type === 'LabeledStatement';
}
