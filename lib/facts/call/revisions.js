// Facts about the revisions that a database keeps, and whether the code replicates it.

import { clientNamed } from '../../clients/index.js';
import { nodePlace } from '../../sources/record.js';
import { callFact, optionOf } from './call.js';

/** @import { CallSubject, Extracted, FactDeclaration } from '../fact.js' */
/** @import { CallRecord } from '../../sources/application/record.js' */

/** @type {ReadonlySet<CallRecord['method']>} */
const REPLICATES = new Set(['sync', 'replicate']);

/** @type {FactDeclaration<CallSubject>[]} */
export const callRevisionFacts = [
  callFact('call.revsLimit', 'count', {
    meaning:
      'How many revisions of a document the database knows at most, by `revs_limit` of PouchDB; 1,000 where it is not set.',
    phrases: 'the limit is {value} {revision|revisions}',
    extract: (record) => {
      const node = optionOf(record, 'revs_limit');
      if (!node) return { value: 1000 };
      const place = nodePlace(node);
      return node.type === 'number' ? { value: node.value, place } : { unknown: 'its `revs_limit` is computed', place };
    },
  }),
  callFact('call.databaseIsReplicated', 'boolean', {
    meaning: 'Whether code that was read replicates or syncs the database that it opens, by its name.',
    phrases: ['the database is replicated here', 'the code does not replicate the database'],
    extract: isReplicated,
  }),
];

/**
 * @param {CallRecord} record
 * @param {CallSubject} subject
 * @returns {Extracted} with the place of the first call that replicates it
 */
function isReplicated({ database }, { parent }) {
  if (database === null) return { unknown: 'the code does not show the name of the database' };
  const calls = parent.subjects.flatMap((subject) =>
    subject.kind === 'call' && clientNamed(subject.record.client)?.local && REPLICATES.has(subject.record.method)
      ? subject
      : [],
  );
  const found = calls.find(({ record }) => namesOf(record).includes(database));
  if (found) return { value: true, place: found.place };
  const isOpen = calls.some(({ record }) => namesOf(record).length === 0);
  return isOpen ? { unknown: 'the code replicates a database whose name it does not show' } : { value: false };
}

/** @param {CallRecord} call @returns {string[]} the names of databases in it: of `stock.sync(…)`, of `PouchDB.sync('stock', …)` */
function namesOf({ database, arguments: given }) {
  return database !== null
    ? [database]
    : given.slice(0, 2).flatMap((node) => (node.type === 'string' ? node.value : []));
}
