// Facts about ignores: whether they name a rule that exists, and whether they silenced anything in this run.

/** @import { FactDeclaration, IgnoreSubject } from './fact.js' */

/** @type {FactDeclaration<IgnoreSubject>[]} */
export const ignoreFacts = [
  {
    id: 'ignore.rule',
    type: 'text',
    subject: 'ignore',
    sources: ['settings'],
    basis: 'declared',
    meaning: 'The rule id as it is written in the ignore.',
    extract: ({ ignore }) => ({ value: ignore.rule, place: ignore.place }),
  },
  {
    id: 'ignore.namesKnownRule',
    type: 'boolean',
    subject: 'ignore',
    sources: ['settings'],
    basis: 'declared',
    meaning: 'Whether a rule of that id is loaded.',
    extract: ({ ignore }) => ({ value: ignore.knownRule, place: ignore.place }),
  },
  {
    id: 'ignore.hasNearestRule',
    type: 'boolean',
    subject: 'ignore',
    sources: ['settings'],
    basis: 'declared',
    meaning: 'Whether some rule has an id much like the one written.',
    extract: ({ ignore }) => ({ value: ignore.nearestRule !== undefined, place: ignore.place }),
  },
  {
    id: 'ignore.nearestRule',
    type: 'text',
    subject: 'ignore',
    sources: ['settings'],
    meaning: 'The rule whose id is most like the one written.',
    extract: ({ ignore }) =>
      ignore.nearestRule ? { value: ignore.nearestRule } : { unknown: 'no rule has a similar id' },
  },
  {
    id: 'ignore.silencedCount',
    type: 'count',
    subject: 'ignore',
    sources: ['settings'],
    basis: 'measured',
    meaning: 'How many findings the ignore silenced in this run.',
    extract: ({ ignore }) => ({ value: ignore.silencedCount, place: ignore.place }),
  },
];
