// Answers `ask(subject, id)`: computes a fact at its first use and remembers it. Facts that no rule uses cost nothing.

import { RecentMemory } from '../shared/recent-memory.js';
import { UserError } from '../shared/user-error.js';
import { extractWithinLimits } from './bailouts.js';

/** @import { Ask, Fact, Subject } from './fact.js' */
/** @import { FactCatalog } from './catalog.js' */

/** Facts are kept for so many subjects: those of a design document or two. */
const RECENT_SUBJECTS = 48;

/**
 * @param {FactCatalog} catalog
 * @returns {Ask} a memory of its own for one run. A call with an id that is not in the catalog, or of a kind that is
 *   neither the subject's nor that of one of its parents, is a mistake of the caller and throws.
 */
export function createAsk(catalog) {
  /** @type {RecentMemory<Subject, Map<string, Fact>>} */
  const memory = new RecentMemory(RECENT_SUBJECTS);
  /** Rules use many facts of one subject in turn. @type {Subject | undefined} */
  let lastOwner;
  /** @type {Map<string, Fact>} */
  let lastFacts = new Map();

  /** @type {Ask} */
  const ask = (subject, id) => {
    if (subject === lastOwner) {
      const fact = lastFacts.get(id);
      if (fact) return fact;
    }
    const declaration = catalog.get(id);
    if (!declaration) throw unsoundRule(`there is no fact \`${id}\``);
    const owner = ownerOfKind(subject, declaration.subject);
    if (!owner)
      throw unsoundRule(
        `\`${id}\` is a fact about ${declaration.subject} subjects, not about ${subject.kind} subjects`,
      );
    const facts = memory.get(owner) ?? new Map();
    if (owner === subject) {
      lastOwner = owner;
      lastFacts = facts;
    }
    const known = facts.get(id);
    if (known) return known;
    const extracted = extractWithinLimits(owner, () => declaration.extract(owner, ask));
    /** @type {Fact} */
    const fact =
      'unknown' in extracted ? extracted : { ...extracted, basis: extracted.basis ?? declaration.basis ?? 'inferred' };
    facts.set(id, fact);
    // Facts that it used may have pushed its subject out.
    memory.set(owner, facts);
    return fact;
  };
  return ask;
}

/**
 * @param {string} message
 * @returns {UserError} of a bundled rule that somebody is writing: those of users are checked before they are run
 */
function unsoundRule(message) {
  return new UserError('unsound-rule', message, { hint: 'npx vitest run test/rules.test.js names the rule' });
}

/**
 * @param {Subject} subject
 * @param {Subject['kind']} kind
 * @returns {Subject | undefined} the subject itself or the nearest of its parents of that kind
 */
function ownerOfKind(subject, kind) {
  /** @type {Subject | undefined} */
  let candidate = subject;
  while (candidate && candidate.kind !== kind) candidate = candidate.kind === 'run' ? undefined : candidate.parent;
  return candidate;
}
