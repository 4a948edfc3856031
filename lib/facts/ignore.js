// Facts about ignores: whether they name a rule that exists, and whether they silenced anything in this run.

import { factsOf } from './fact.js';

/** @import { DeclareFact, FactDeclaration, IgnoreSubject } from './fact.js' */

/** @type {DeclareFact<IgnoreSubject>} */
const ignoreFact = factsOf({ subject: 'ignore', sources: ['settings'], basis: 'declared' });

/** @type {FactDeclaration<IgnoreSubject>[]} */
export const ignoreFacts = [
  ignoreFact('ignore.hasKnownForm', 'boolean', {
    meaning: 'Whether the comment starts with a known ignore directive; unknown for an entry of the configuration.',
    phrases: ['the comment is a known one', 'the comment is not a known one'],
    extract: ({ ignore }) => ({ value: ignore.nearestForm === undefined, place: ignore.place }),
  }),
  ignoreFact('ignore.form', 'text', {
    meaning: 'The directive that the comment starts with.',
    extract: ({ ignore }) => (ignore.form ? { value: ignore.form } : { unknown: 'it is not a comment' }),
    basis: 'inferred',
  }),
  ignoreFact('ignore.nearestForm', 'text', {
    meaning: 'The directive that was probably meant, if the written one does not exist.',
    extract: ({ ignore }) => (ignore.nearestForm ? { value: ignore.nearestForm } : { unknown: 'the directive exists' }),
    basis: 'inferred',
  }),
  ignoreFact('ignore.namesRule', 'boolean', {
    meaning: 'Whether the ignore names a rule.',
    phrases: ['the comment names a rule', 'the comment names no rule'],
    extract: ({ ignore }) => ({ value: ignore.rule !== '', place: ignore.place }),
  }),
  ignoreFact('ignore.rule', 'text', {
    meaning: 'The rule id as written in the ignore.',
    extract: ({ ignore }) => ({ value: ignore.rule, place: ignore.place }),
  }),
  ignoreFact('ignore.namesKnownRule', 'boolean', {
    meaning: 'Whether a rule with that id is loaded.',
    phrases: ['the rule exists', 'no rule has this id'],
    extract: ({ ignore }) => ({ value: ignore.knownRule, place: ignore.place }),
  }),
  ignoreFact('ignore.hasNearestRule', 'boolean', {
    meaning: 'Whether a loaded rule has a similar id.',
    phrases: ['a rule has a similar id', 'no rule has a similar id'],
    extract: ({ ignore }) => ({ value: ignore.nearestRule !== undefined, place: ignore.place }),
  }),
  ignoreFact('ignore.nearestRule', 'text', {
    meaning: 'The loaded rule with the most similar id.',
    extract: ({ ignore }) =>
      ignore.nearestRule ? { value: ignore.nearestRule } : { unknown: 'no rule has a similar id' },
    basis: 'inferred',
  }),
  ignoreFact('ignore.silencedCount', 'count', {
    basis: 'measured',
    meaning: 'Number of findings that the ignore silenced in this run.',
    phrases: 'silences {value} {finding|findings}',
    extract: ({ ignore }) => ({ value: ignore.silencedCount, place: ignore.place }),
  }),
];
