// Facts about filter functions of `_changes` and of replication.

import { flowFact, readItems } from './followed.js';
import { followFlow } from './javascript/flow.js';
import { truthOf } from './javascript/flow-operators.js';
import { filterSelector } from './javascript/selector.js';

/** @import { Followed } from './followed.js' */
/** @import { Extracted, FactDeclaration, FilterSubject } from './fact.js' */

/**
 * @param {Omit<FactDeclaration<FilterSubject>, 'subject' | 'sources' | 'extract'>} naming
 * @param {(followed: Followed) => Extracted} take
 * @returns {FactDeclaration<FilterSubject>}
 */
function filterFact(naming, take) {
  return flowFact({ ...naming, subject: 'filter' }, (subject) => subject.function, ['doc', 'req', 'userCtx'], take);
}

/** @type {FactDeclaration<FilterSubject>[]} */
export const filterFacts = [
  filterFact(
    {
      id: 'filter.unguardedReads',
      type: 'list',
      meaning: 'Reads below a field that may be missing, with no test of the document before them.',
    },
    ({ flow, text }) => ({
      value: readItems(
        flow.reads.filter(({ isTested }) => !isTested),
        text,
      ),
    }),
  ),
  filterFact(
    { id: 'filter.mentionsDeleted', type: 'boolean', meaning: 'Whether the filter looks at `doc._deleted`.' },
    ({ flow }) => {
      if (flow.mentioned.has('doc._deleted')) return { value: true };
      return flow.callsUnknown ? { unknown: 'the filter calls functions that are not known' } : { value: false };
    },
  ),
  filterFact(
    {
      id: 'filter.rejectsTombstones',
      type: 'boolean',
      meaning: 'Whether it certainly rejects a document of which only `_id`, `_rev` and `_deleted` are left.',
    },
    ({ tree, fn, text }) => {
      const flow = followFlow(tree, ['tombstone', 'req', 'userCtx']);
      if ('unknown' in flow) return flow;
      const rejects =
        flow.throws.length === 0 &&
        flow.returns.every(({ value }) => truthOf(value) === false) &&
        (flow.returns.length > 0 || flow.endsWithoutReturn);
      return { value: rejects, place: text.place(fn.start, fn.end) };
    },
  ),
  filterFact(
    {
      id: 'filter.fitsSelector',
      type: 'boolean',
      meaning: 'Whether some Mango selector lets the same documents through, whatever they hold.',
    },
    ({ fn }) => {
      const selector = filterSelector(fn);
      return 'unknown' in selector ? { unknown: selector.unknown } : { value: true };
    },
  ),
  filterFact(
    {
      id: 'filter.selector',
      type: 'text',
      meaning:
        'A Mango selector that lets the same documents through as the filter, wherever that does not throw. Texts are equal to it as they are to the database, which passes over characters without weight.',
    },
    ({ fn }) => {
      const selector = filterSelector(fn);
      return 'unknown' in selector ? { unknown: selector.unknown } : { value: JSON.stringify(selector.selector) };
    },
  ),
];
