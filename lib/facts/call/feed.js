// Facts about what code does around a query or a feed: the index before it, the filter and start of a feed, the timer that repeats it.

import { callFact } from './call.js';

/** @import { CallSubject, FactDeclaration } from '../fact.js' */

/** @type {FactDeclaration<CallSubject>[]} */
export const callFeedFacts = [
  callFact(
    'call.createsIndexBefore',
    'boolean',
    'Whether the function of a Mango query creates an index on the same database each time before it, and runs more than once.',
    ({ indexBefore }) => (indexBefore ? { value: true, place: indexBefore } : { value: false }),
  ),
];
