// Facts about ignores: whether they name a rule that exists, and whether they silenced anything in this run.

import { declareFacts } from './fact.js';

/** @import { FactDeclaration, IgnoreSubject } from './fact.js' */

/** @type {FactDeclaration<IgnoreSubject>[]} */
export const ignoreFacts = declareFacts({ subject: 'ignore', sources: ['settings'] }, [
  {
    id: 'ignore.hasKnownForm',
    type: 'boolean',
    basis: 'declared',
    meaning: 'Whether the comment starts with a known ignore directive; unknown for an entry of the configuration.',
    phrases: ['the comment is a known one', 'the comment is not a known one'],
    extract: ({ ignore }) => ({ value: ignore.nearestForm === undefined, place: ignore.place }),
  },
  {
    id: 'ignore.form',
    type: 'text',
    meaning: 'The directive that the comment starts with.',
    extract: ({ ignore }) => (ignore.form ? { value: ignore.form } : { unknown: 'it is not a comment' }),
  },
  {
    id: 'ignore.nearestForm',
    type: 'text',
    meaning: 'The directive that was probably meant, if the written one does not exist.',
    extract: ({ ignore }) => (ignore.nearestForm ? { value: ignore.nearestForm } : { unknown: 'the directive exists' }),
  },
  {
    id: 'ignore.namesRule',
    type: 'boolean',
    basis: 'declared',
    meaning: 'Whether the ignore names a rule.',
    phrases: ['the comment names a rule', 'the comment names no rule'],
    extract: ({ ignore }) => ({ value: ignore.rule !== '', place: ignore.place }),
  },
  {
    id: 'ignore.rule',
    type: 'text',
    basis: 'declared',
    meaning: 'The rule id as written in the ignore.',
    extract: ({ ignore }) => ({ value: ignore.rule, place: ignore.place }),
  },
  {
    id: 'ignore.namesKnownRule',
    type: 'boolean',
    basis: 'declared',
    meaning: 'Whether a rule with that id is loaded.',
    phrases: ['the rule exists', 'no rule has this id'],
    extract: ({ ignore }) => ({ value: ignore.knownRule, place: ignore.place }),
  },
  {
    id: 'ignore.hasNearestRule',
    type: 'boolean',
    basis: 'declared',
    meaning: 'Whether a loaded rule has a similar id.',
    phrases: ['a rule has a similar id', 'no rule has a similar id'],
    extract: ({ ignore }) => ({ value: ignore.nearestRule !== undefined, place: ignore.place }),
  },
  {
    id: 'ignore.nearestRule',
    type: 'text',
    meaning: 'The loaded rule with the most similar id.',
    extract: ({ ignore }) =>
      ignore.nearestRule ? { value: ignore.nearestRule } : { unknown: 'no rule has a similar id' },
  },
  {
    id: 'ignore.silencedCount',
    type: 'count',
    basis: 'measured',
    meaning: 'Number of findings that the ignore silenced in this run.',
    phrases: 'silences {value} {finding|findings}',
    extract: ({ ignore }) => ({ value: ignore.silencedCount, place: ignore.place }),
  },
]);
