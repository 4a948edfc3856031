// Facts about what a custom reduce computes. The proof itself is made earlier, and is stored at the view.

import { joinWords } from '../../shared/join-words.js';
import { factsOf } from '../fact.js';
import { treeOf } from '../index-groups/index-groups.js';

/** @import { About, DeclareFact, FactDeclaration, FactValue, Item, ViewSubject } from '../fact.js' */
/** @import { Proof } from '../../proof/proof.js' */
/** @import { DocumentTrial } from '../../proof/try-documents.js' */

/**
 * @param {string} id
 * @param {FactDeclaration['type']} type
 * @param {About<(proof: Proof, view: ViewSubject) => FactValue | undefined> & {nothing?: string}} about
 *   extracts undefined where the proof says nothing of it; `nothing`: what is said then
 * @returns {FactDeclaration<ViewSubject>}
 */
function proofFact(id, type, { extract, nothing = 'the proof does not cover it', ...about }) {
  return {
    id,
    type,
    subject: 'view',
    sources: ['design-docs', 'proof'],
    ...about,
    extract: (view) => {
      const { reduce, proof } = view;
      if (!reduce) return { unknown: 'the view has no reduce function in JavaScript' };
      if (!proof) return { unknown: 'no reduce was analyzed in this run' };
      if (proof.verdict === 'unknown') return { unknown: proof.reason ?? 'the function could not be analyzed' };
      const value = extract(proof, view);
      const basis = proof.basis === 'proved' ? 'proved' : 'inferred';
      return value === undefined ? { unknown: nothing } : { value, basis, place: reduce.place };
    },
  };
}

/**
 * @param {string} id
 * @param {FactDeclaration['type']} type
 * @param {About<(trial: DocumentTrial) => FactValue | undefined> & {why?: (trial: DocumentTrial) => string}} about
 *   `why`: what is said where nothing is extracted
 * @returns {FactDeclaration<ViewSubject>} unknown where no documents were tried
 */
function documentFact(id, type, { extract, why = () => 'all documents meet the condition', ...about }) {
  return {
    id,
    type,
    subject: 'view',
    sources: ['loads', 'proof'],
    ...about,
    extract: ({ documentTrial, reduce }) => {
      if (!documentTrial) return { unknown: 'no documents were tried' };
      if (documentTrial.rows === 0) return { unknown: 'the map emits nothing for the given documents' };
      const value = extract(documentTrial);
      if (value === undefined) return { unknown: why(documentTrial) };
      return { value, basis: 'measured', place: reduce?.place };
    },
  };
}

/**
 * CouchDB hands all JavaScript reduces of one B-tree the same array (share/server/views.js runReduce, 3.5.2): what one of them does to it changes
 * what the others return, and a built-in does not see.
 * @param {ViewSubject} view
 * @returns {string[]} the views of the same map whose reduce may change the array
 */
function spoilersOf(view) {
  return view.parent.views
    .filter((other) => other !== view && other.reduce && other.map && view.map && treeOf(other) === treeOf(view))
    .filter(({ proof }) => !proof?.isFollowed)
    .map(({ name }) => name);
}

/** @param {readonly string[]} names @returns {string} */
function reducesOf(names) {
  return `the reduce of ${joinWords(
    names.map((name) => `\`${name}\``),
    'and',
  )}`;
}

/**
 * What a built-in is for: those with a number behind their name are ranks.
 * @param {string} builtin
 * @returns {string}
 */
function familyOf(builtin) {
  const family = /^_(sum|count|stats|approx_count_distinct)$/.exec(builtin)?.[1];
  return family === 'approx_count_distinct' ? 'distinct' : (family ?? 'rank');
}

/**
 * @param {readonly string[]} lines
 * @returns {Item[]}
 */
function toItems(lines) {
  return lines.map((value) => ({ value }));
}

const NO_BUILTIN = 'no built-in returns the same';

/** @type {DeclareFact<ViewSubject>} */
const viewFact = factsOf({ subject: 'view', sources: ['design-docs', 'proof'] });

/** @type {FactDeclaration<ViewSubject>[]} */
export const reduceProofFacts = [
  proofFact('reduce.verdict', 'text', {
    meaning:
      'How a custom reduce compares with the built-ins: `equal` to one, `equalAfterRewrite` of what the map emits, `wrong` (the result depends on how rows are grouped), `grows` with its input, or `custom`.',
    phrases: {
      equal: 'the reduce equals a built-in',
      equalAfterRewrite: 'the reduce equals a built-in after a rewrite of the map',
      wrong: 'the result depends on how rows are grouped or ordered',
      grows: 'the result grows with its input',
      custom: 'the reduce equals no built-in',
    },
    extract: ({ verdict }) => verdict,
  }),
  proofFact('reduce.isProved', 'boolean', {
    meaning: 'Whether the verdict is proved from the code of the reduce; if not, it rests on trials only.',
    phrases: ['this follows from the code of the reduce', 'trials of the reduce show this'],
    extract: ({ basis }) => basis === 'proved',
  }),
  viewFact('reduce.builtin', 'text', {
    meaning: 'The built-in that the reduce is, or that a custom reduce equals, possibly after a rewrite.',
    extract: (view, ask) => {
      if (!view.reduce) return ask(view, 'reduce.runsBuiltin');
      return equalBuiltin.extract(view, ask);
    },
  }),
  proofFact('reduce.builtinFamily', 'text', {
    meaning: 'The purpose of the built-in that a custom reduce equals: `sum`, `count`, `stats`, `distinct` or `rank`.',
    phrases: 'the built-in that matches is of the `{value}` family',
    nothing: NO_BUILTIN,
    extract: ({ builtin }) => builtin && familyOf(builtin),
  }),
  proofFact('reduce.condition', 'text', {
    meaning: 'The condition on the emitted values under which the built-in returns the same.',
    nothing: NO_BUILTIN,
    extract: ({ condition, builtin }, view) => {
      const spoilers = spoilersOf(view);
      if (!condition || spoilers.length === 0) return condition?.text;
      const whole = `${reducesOf(spoilers)} does not change the array of values`;
      // A count looks at no value.
      return builtin === '_count' ? whole : `${condition.text}, and ${whole}`;
    },
  }),
  proofFact('reduce.conditionHolds', 'text', {
    meaning:
      'Whether the emitted values meet the condition: `always` (by the code of the map), `if` (depending on the documents), or `not`.',
    phrases: {
      always: 'the map always meets the condition',
      if: 'it is uncertain whether the condition holds',
      not: 'the map does not meet the condition',
    },
    nothing: NO_BUILTIN,
    extract: ({ conditionHolds }, view) =>
      conditionHolds === 'always' && spoilersOf(view).length > 0 ? 'if' : conditionHolds,
  }),
  proofFact('reduce.conditionDoubt', 'text', {
    meaning:
      'Why it is uncertain whether the condition holds: the map does not check it, or could not be followed; or another reduce that gets the same array may change it.',
    nothing: 'the condition always holds, or never does',
    extract: ({ conditionHolds, conditionOpen }, view) => {
      const spoilers = spoilersOf(view);
      if (conditionHolds === 'always' && spoilers.length > 0)
        return `${reducesOf(spoilers)} gets the same array, and its code does not show that it leaves it as it is`;
      if (conditionHolds !== 'if') return undefined;
      return conditionOpen === undefined
        ? 'the map does not check it'
        : `whether the map checks it could not be determined: ${conditionOpen}`;
    },
  }),
  proofFact('reduce.counterexample', 'text', {
    meaning: 'Rows for which the results differ: the rows, how they are grouped, and both results.',
    nothing: 'there is no counterexample',
    extract: ({ counterexample }) => counterexample?.text.join('; '),
  }),
  proofFact('reduce.differsBy', 'text', {
    meaning:
      'What changes the result for the same rows: `rereduce` (how they are grouped) or `order` (the order in which they arrive).',
    phrases: { rereduce: 'the result depends on the grouping', order: 'the result depends on the order' },
    nothing: 'there is no counterexample',
    extract: ({ verdict, counterexample }) => (verdict === 'wrong' ? counterexample?.cause : undefined),
  }),
  proofFact('reduce.rewrite', 'text', {
    meaning: 'What the map would have to emit for the built-in to return the same, and what clients would read.',
    nothing: 'no rewrite is known',
    extract: ({ rewrite }) => rewrite?.text,
  }),
  proofFact('reduce.pattern', 'text', {
    meaning:
      'The pattern of a custom reduce that a built-in can replace after a rewrite: `states` (counts or sums under names that it lists, by a string of each row). `rounding` (adds, and rounds in each pass) or `pick` (returns the value of the row whose key ends with the greatest or least element).',
    phrases: {
      states: 'the reduce counts or sums by a list of names',
      rounding: 'the reduce rounds the sum in each pass',
      pick: 'the reduce picks one row by its key',
    },
    nothing: 'it matches no known pattern',
    extract: ({ rewrite }) => rewrite?.pattern,
  }),
  proofFact('reduce.outsideCondition', 'text', {
    meaning: 'What the reduce, and the built-in after the rewrite, return for rows that do not meet the condition.',
    nothing: 'the condition always holds, or was not tried on rows that violate it',
    extract: ({ rewrite }) => rewrite?.outside,
  }),
  documentFact('reduce.documentsMeetCondition', 'boolean', {
    meaning:
      'Whether all documents of `--docs` meet the condition, so that the built-in returns the same for each row.',
    phrases: ['all documents meet the condition', 'a document does not meet the condition'],
    why: ({ cutOff }) => `not all documents could be tried: ${cutOff}`,
    extract: ({ failing, cutOff }) =>
      failing === undefined && cutOff !== undefined ? undefined : failing === undefined,
  }),
  documentFact('reduce.triedDocCount', 'count', {
    meaning: 'Number of documents that the map and the reduce were tried on.',
    extract: ({ documents }) => documents,
  }),
  documentFact('reduce.failingDocument', 'text', {
    meaning:
      'The first document that does not meet the condition: its id, what the map emits, and what the built-in returns.',
    extract: ({ failing }) =>
      failing && `${failing.id} (the map emits ${failing.value}, and the built-in returns ${failing.answer})`,
  }),
  proofFact('reduce.growsWithRows', 'boolean', {
    meaning:
      'Whether the result of a custom reduce grows with the number of rows even when few values are distinct; not if a built-in returns the same.',
    phrases: ['the result grows with the number of rows', 'the result does not grow with the rows'],
    nothing: 'its growth was not measured',
    extract: ({ verdict, growsWithRows }) =>
      verdict === 'equal' || verdict === 'equalAfterRewrite' ? false : growsWithRows,
  }),
  proofFact('reduce.growsWithDistinctValues', 'boolean', {
    meaning:
      'Whether the result of a custom reduce grows with the number of distinct values, and not with the number of rows.',
    phrases: ['the result grows with the number of distinct values', 'the result does not grow with distinct values'],
    extract: ({ verdict, growth }) => verdict === 'custom' && growth?.grows === true,
  }),
  proofFact('reduce.proof', 'list', {
    meaning: 'The proof, line by line, to be checked by hand.',
    extract: ({ steps }) => toItems(steps),
  }),
];

const equalBuiltin = proofFact('reduce.builtin', 'text', {
  meaning: '',
  nothing: NO_BUILTIN,
  extract: ({ builtin }) => builtin,
});
