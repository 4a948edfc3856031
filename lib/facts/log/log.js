// Facts about the logs of a run as a whole.

import { formatCount } from '../../shared/units.js';
import { factsOf } from '../fact.js';

/** @import { DeclareFact, FactDeclaration, LogSubject } from '../fact.js' */

/** What the kinds of the digest mean. @type {ReadonlyMap<string, string>} */
const FAILURES = new Map([
  ['timeout', 'timed out'],
  ['exit', 'crashed'],
  ['error', 'reported an error'],
]);

/** @type {DeclareFact<LogSubject>} */
const logFact = factsOf({ subject: 'log', sources: ['logs'], basis: 'measured' });

/** @type {FactDeclaration<LogSubject>[]} */
export const logFacts = [
  logFact('log.queryServerFailureCount', 'count', {
    meaning: 'Number of query server failures and timeouts in the logs.',
    phrases: '{value} {failure|failures} of query servers',
    extract: ({ record: { queryServerFailures } }) => {
      const [first] = queryServerFailures.flatMap(({ examples }) => examples);
      const place = first && { file: first.file, line: first.line, column: 1 };
      return { value: queryServerFailures.reduce((sum, { count }) => sum + count, 0), place };
    },
  }),
  logFact('log.queryServerFailures', 'list', {
    meaning: 'The kinds of query server failures in the logs, with their counts.',
    extract: ({ record: { queryServerFailures } }) => ({
      value: queryServerFailures.map(({ kind, count, examples: [first] }) => ({
        value: `${FAILURES.get(kind) ?? kind}: ${formatCount(count)}`,
        isProse: true,
        ...(first ? { place: { file: first.file, line: first.line, column: 1 } } : {}),
      })),
    }),
  }),
];
