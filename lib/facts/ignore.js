// Facts about ignores: whether they name a rule that exists, and whether they silenced anything in this run.

import { declareFacts } from './fact.js';

/** @import { FactDeclaration, IgnoreSubject } from './fact.js' */

/** @type {FactDeclaration<IgnoreSubject>[]} */
export const ignoreFacts = declareFacts({ subject: 'ignore', sources: ['settings'] }, [
  {
    id: 'ignore.hasKnownForm',
    type: 'boolean',
    basis: 'declared',
    meaning:
      'Whether the comment begins with a word that ignores something; an entry of the configuration has no form.',
    extract: ({ ignore }) => ({ value: ignore.nearestForm === undefined, place: ignore.place }),
  },
  {
    id: 'ignore.form',
    type: 'text',
    meaning: 'The word that the comment begins with.',
    extract: ({ ignore }) => (ignore.form ? { value: ignore.form } : { unknown: 'it is no comment' }),
  },
  {
    id: 'ignore.nearestForm',
    type: 'text',
    meaning: 'The word that was meant where there is no such form.',
    extract: ({ ignore }) => (ignore.nearestForm ? { value: ignore.nearestForm } : { unknown: 'the form exists' }),
  },
  {
    id: 'ignore.namesRule',
    type: 'boolean',
    basis: 'declared',
    meaning: 'Whether the ignore names any rule.',
    extract: ({ ignore }) => ({ value: ignore.rule !== '', place: ignore.place }),
  },
  {
    id: 'ignore.rule',
    type: 'text',
    basis: 'declared',
    meaning: 'The rule id as it is written in the ignore.',
    extract: ({ ignore }) => ({ value: ignore.rule, place: ignore.place }),
  },
  {
    id: 'ignore.namesKnownRule',
    type: 'boolean',
    basis: 'declared',
    meaning: 'Whether a rule of that id is loaded.',
    extract: ({ ignore }) => ({ value: ignore.knownRule, place: ignore.place }),
  },
  {
    id: 'ignore.hasNearestRule',
    type: 'boolean',
    basis: 'declared',
    meaning: 'Whether some rule has an id much like the one written.',
    extract: ({ ignore }) => ({ value: ignore.nearestRule !== undefined, place: ignore.place }),
  },
  {
    id: 'ignore.nearestRule',
    type: 'text',
    meaning: 'The rule whose id is most like the one written.',
    extract: ({ ignore }) =>
      ignore.nearestRule ? { value: ignore.nearestRule } : { unknown: 'no rule has a similar id' },
  },
  {
    id: 'ignore.silencedCount',
    type: 'count',
    basis: 'measured',
    meaning: 'How many findings the ignore silenced in this run.',
    extract: ({ ignore }) => ({ value: ignore.silencedCount, place: ignore.place }),
  },
]);
