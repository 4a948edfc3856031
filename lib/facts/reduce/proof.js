// Facts about what a custom reduce computes. The proof itself is made earlier, and is stored at the view.

/** @import { FactDeclaration, FactValue, Item, ViewSubject } from '../fact.js' */
/** @import { Proof } from '../../proof/proof.js' */
/** @import { DocumentTrial } from '../../proof/try-documents.js' */

/**
 * @param {Omit<FactDeclaration<ViewSubject>, 'subject' | 'sources' | 'extract'>} naming
 * @param {(proof: Proof) => FactValue | undefined} take undefined where the proof says nothing of it
 * @param {string} [nothing] what is said then
 * @returns {FactDeclaration<ViewSubject>}
 */
function proofFact(naming, take, nothing = 'the proof says nothing of it') {
  return {
    ...naming,
    subject: 'view',
    sources: ['design-docs', 'proof'],
    extract: (view) => {
      const { reduce, proof } = view;
      if (!reduce) return { unknown: 'the view has no reduce function in JavaScript' };
      if (!proof) return { unknown: 'no reduce was proved in this run' };
      if (proof.verdict === 'unknown') return { unknown: proof.reason ?? 'the function is not understood' };
      const value = take(proof);
      const basis = proof.basis === 'proved' ? 'proved' : 'inferred';
      return value === undefined ? { unknown: nothing } : { value, basis, place: reduce.place };
    },
  };
}

/**
 * @param {Omit<FactDeclaration<ViewSubject>, 'subject' | 'sources' | 'extract'>} naming
 * @param {(trial: DocumentTrial) => FactValue | undefined} take
 * @param {(trial: DocumentTrial) => string} [why] what is said where it takes nothing
 * @returns {FactDeclaration<ViewSubject>} unknown where no documents were tried
 */
function documentFact(naming, take, why = () => 'all documents meet the condition') {
  return {
    ...naming,
    subject: 'view',
    sources: ['loads', 'proof'],
    extract: ({ documentTrial, reduce }) => {
      if (!documentTrial) return { unknown: 'no documents were tried' };
      if (documentTrial.rows === 0) return { unknown: 'the map emits nothing for the documents that were given' };
      const value = take(documentTrial);
      if (value === undefined) return { unknown: why(documentTrial) };
      return { value, basis: 'measured', place: reduce?.place };
    },
  };
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

/** @type {FactDeclaration<ViewSubject>[]} */
export const reduceProofFacts = [
  proofFact(
    {
      id: 'reduce.verdict',
      type: 'text',
      meaning:
        'What a custom reduce is, compared with the built-ins: `equal` to one, `equalAfterRewrite` of what the map emits, `wrong` (the answer depends on how rows are grouped), `grows` with its input, or `custom`.',
    },
    ({ verdict }) => verdict,
  ),
  proofFact(
    {
      id: 'reduce.isProved',
      type: 'boolean',
      meaning: 'Whether the verdict follows from the code of the reduce; if not, it rests on trials alone.',
    },
    ({ basis }) => basis === 'proved',
  ),
  {
    id: 'reduce.builtin',
    type: 'text',
    subject: 'view',
    sources: ['design-docs', 'proof'],
    meaning: 'The built-in that the reduce is, or that a custom one equals, perhaps after a rewrite.',
    extract: (view, ask) => {
      if (!view.reduce) return ask(view, 'reduce.runsBuiltin');
      return equalBuiltin.extract(view, ask);
    },
  },
  proofFact(
    {
      id: 'reduce.builtinFamily',
      type: 'text',
      meaning: 'What the built-in that equals a custom reduce is for: `sum`, `count`, `stats`, `distinct` or `rank`.',
    },
    ({ builtin }) => builtin && familyOf(builtin),
    NO_BUILTIN,
  ),
  proofFact(
    {
      id: 'reduce.condition',
      type: 'text',
      meaning: 'What must hold for the emitted values so that the built-in answers the same.',
    },
    ({ condition }) => condition?.text,
    NO_BUILTIN,
  ),
  proofFact(
    {
      id: 'reduce.conditionHolds',
      type: 'text',
      meaning:
        'Whether the values that the map emits meet the condition: `always` by its code, `if` something is true of the documents, or `not`.',
    },
    ({ conditionHolds }) => conditionHolds,
    NO_BUILTIN,
  ),
  proofFact(
    {
      id: 'reduce.conditionDoubt',
      type: 'text',
      meaning: 'Why it is not certain that the condition holds: the map does not check it, or could not be followed.',
    },
    ({ conditionHolds, conditionOpen }) => {
      if (conditionHolds !== 'if') return undefined;
      return conditionOpen === undefined
        ? 'the map does not check it'
        : `whether the map checks it could not be determined: ${conditionOpen}`;
    },
    'the condition holds always, or never',
  ),
  proofFact(
    {
      id: 'reduce.conditionField',
      type: 'text',
      meaning: 'What must be a number in every document for the condition to hold.',
    },
    ({ field }) => field,
    'the condition depends on no one field',
  ),
  proofFact(
    {
      id: 'reduce.counterexample',
      type: 'text',
      meaning: 'Rows for which the answers differ: what they are, how they are grouped, and both answers.',
    },
    ({ counterexample }) => counterexample?.text.join('; '),
    'there is no counterexample',
  ),
  proofFact(
    {
      id: 'reduce.differsBy',
      type: 'text',
      meaning:
        'What changes the answer to the same rows: `rereduce` how they are grouped, `order` the order in which they come.',
    },
    ({ verdict, counterexample }) => (verdict === 'wrong' ? counterexample?.cause : undefined),
    'there is no counterexample',
  ),
  proofFact(
    {
      id: 'reduce.rewrite',
      type: 'text',
      meaning: 'What the map would emit so that the built-in gives the same, and what clients would read.',
    },
    ({ rewrite }) => rewrite?.text,
    'no rewrite is known',
  ),
  proofFact(
    {
      id: 'reduce.rewriteChangesAnswer',
      type: 'boolean',
      meaning: 'Whether clients would read the answer in another form after the rewrite.',
    },
    ({ rewrite }) => rewrite?.changesShape,
    'no rewrite is known',
  ),
  proofFact(
    {
      id: 'reduce.pattern',
      type: 'text',
      meaning:
        'What a custom reduce does that a built-in does after a rewrite: `states` counts or sums under names that it lists, by a string of each row; `rounding` adds, and rounds in each pass; `pick` answers the value of the row whose key ends with the greatest or the least element.',
    },
    ({ rewrite }) => rewrite?.pattern,
    'it is none of the patterns that are known',
  ),
  proofFact(
    {
      id: 'reduce.outsideCondition',
      type: 'text',
      meaning: 'What the reduce, and the built-in after the rewrite, answer of rows that do not meet the condition.',
    },
    ({ rewrite }) => rewrite?.outside,
    'the condition holds always, or was not tried outside of it',
  ),
  documentFact(
    {
      id: 'reduce.documentsMeetCondition',
      type: 'boolean',
      meaning:
        'Whether all documents that were given (`--docs`) meet the condition: the built-in answers the same of each row.',
    },
    ({ failing, cutOff }) => (failing === undefined && cutOff !== undefined ? undefined : failing === undefined),
    ({ cutOff }) => `not all documents could be tried: ${cutOff}`,
  ),
  documentFact(
    { id: 'reduce.triedDocCount', type: 'count', meaning: 'How many documents the map and the reduce were tried on.' },
    ({ documents }) => documents,
  ),
  documentFact(
    {
      id: 'reduce.failingDocument',
      type: 'text',
      meaning:
        'The first document that does not meet the condition: its id, what is emitted for it, and what the built-in answers.',
    },
    ({ failing }) =>
      failing && `${failing.id} (the map emits ${failing.value}, and the built-in returns ${failing.answer})`,
  ),
  proofFact(
    {
      id: 'reduce.growsWithRows',
      type: 'boolean',
      meaning:
        'Whether the answer of a custom reduce is longer for more rows though few of their values differ; an answer that a built-in gives too is not.',
    },
    ({ verdict, growsWithRows }) => (verdict === 'equal' || verdict === 'equalAfterRewrite' ? false : growsWithRows),
    'its growth was not measured',
  ),
  proofFact(
    {
      id: 'reduce.growsWithDistinctValues',
      type: 'boolean',
      meaning:
        'Whether the answer of a custom reduce is as long as there are many distinct values, and not as there are many rows.',
    },
    ({ verdict, growth }) => verdict === 'custom' && growth?.grows === true,
  ),
  proofFact(
    { id: 'reduce.proof', type: 'list', meaning: 'The proof, line by line, to be checked by hand.' },
    ({ steps }) => toItems(steps),
  ),
  proofFact(
    { id: 'reduce.trialCount', type: 'count', meaning: 'How many groupings of rows were reduced and compared.' },
    ({ trials }) => trials,
  ),
];

const equalBuiltin = proofFact(
  { id: 'reduce.builtin', type: 'text', meaning: '' },
  ({ builtin }) => builtin,
  NO_BUILTIN,
);
