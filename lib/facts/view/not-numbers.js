// Facts about emitted values that are computed from fields, and are NaN where a field is missing.

import { asWritten, mapFact, sourceItem } from '../function/flow.js';

/** @import { Node } from 'acorn' */
/** @import { FactDeclaration, ViewSubject } from '../fact.js' */

/** Functions that make NaN of undefined, as they are called. */
const ARITHMETIC = /^(?:parseInt|parseFloat|Number(?:\.parse(?:Int|Float))?|Math\.\w+)\s*\(/;

/** By these a map tests for NaN, which the analysis does not follow. */
const NAN_TEST = /\bis(?:NaN|Finite|Integer|SafeInteger)\b/;

/** @type {FactDeclaration<ViewSubject>[]} */
export const viewNotNumberFacts = [
  mapFact('view.valuesNaNIfMissing', 'list', {
    meaning:
      'Emitted values that are computed from a document field and are NaN if it is missing, without a check before; none in a map that tests for NaN.',
    phrases: '{value} may be NaN',
    extract: ({ flow, fn, text }) => {
      if (NAN_TEST.test(text.text)) return { value: [] };
      const value = flow.emits.flatMap(({ value: emitted, valueNode, pathFacts }) => {
        const fields = emitted.kind === 'typed' ? (emitted.nanWithout ?? []) : [];
        const missing = fields.find((path) => !pathFacts.present.has(path));
        if (missing === undefined || !valueNode) return [];
        const item = sourceItem(text, valueNode.start, valueNode.end);
        return isComputed(valueNode, item.value) ? [{ ...item, detail: { field: asWritten(missing, fn) } }] : [];
      });
      return { value, place: value[0]?.place };
    },
  }),
];

/**
 * @param {Node} node the value as it stands in the call of `emit`: what a variable holds may have been tested on the way
 * @param {string} source of it
 * @returns {boolean}
 */
function isComputed({ type }, source) {
  return (
    type === 'BinaryExpression' || type === 'UnaryExpression' || (type === 'CallExpression' && ARITHMETIC.test(source))
  );
}
