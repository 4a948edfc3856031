// Facts about a call of a CouchDB client in the code of an application: what it is, and how that is known.

import { nodePlace } from '../../sources/record.js';

/** @import { Ask, CallSubject, Extracted, FactDeclaration } from '../fact.js' */
/** @import { ValueNode } from '../../sources/record.js' */
/** @import { CallRecord } from '../../sources/application/record.js' */

/**
 * @param {string} id
 * @param {FactDeclaration['type']} type
 * @param {string} meaning
 * @param {(record: CallRecord, subject: CallSubject, ask: Ask) => Extracted} extract
 * @param {Partial<Pick<FactDeclaration, 'sources' | 'basis'>>} [shared] where it is of more than the code
 * @returns {FactDeclaration<CallSubject>}
 */
export function callFact(id, type, meaning, extract, shared = {}) {
  return {
    id,
    type,
    subject: 'call',
    sources: ['application'],
    ...shared,
    meaning,
    extract: (subject, ask) => extract(subject.record, subject, ask),
  };
}

/** @type {FactDeclaration<CallSubject>[]} */
export const callFacts = [
  callFact(
    'call.method',
    'text',
    'What it does, with one name for all clients: `view`, `get`, `insert`, `find`, …',
    (record, { place }) => ({
      value: record.method,
      place,
    }),
  ),
  callFact(
    'call.client',
    'text',
    'The client: `nano`, `pouchdb`, `cloudant`, `http` for a request that the code builds itself, …',
    ({ client }) =>
      client === null ? { unknown: 'only an option shows that this is a call of CouchDB' } : { value: client },
  ),
  callFact(
    'call.location',
    'text',
    'Where the database is: `http` on a server, `local` in PouchDB itself.',
    ({ location }) =>
      location === 'unknown'
        ? { unknown: 'the code that was read does not show where the database is' }
        : { value: location },
  ),
  callFact(
    'call.receiver',
    'text',
    'How it is known that this is a call of CouchDB: `traced`, `annotated`, `option`.',
    ({ receiver }) => ({
      value: receiver,
    }),
  ),
  callFact(
    'call.isSetUp',
    'boolean',
    'Whether the code runs once: by the name of its file or folder (migrations, seeds, examples), or as a script without a server, a timer or a live feed.',
    ({ isSetUp, isScript }) => ({
      value: isSetUp || isScript,
    }),
  ),
  callFact(
    'call.hasSetUpName',
    'boolean',
    'Whether its file or folder is called after code that runs once: migrations, seeds, examples.',
    ({ isSetUp }) => ({
      value: isSetUp,
    }),
  ),
  callFact('call.includeDocs', 'boolean', 'Whether it has `include_docs: true` among its options.', (record) =>
    booleanOption(record, 'include_docs'),
  ),
];

/**
 * @param {CallRecord} record
 * @param {string} key
 * @returns {Extracted} whether the option is true; false where the call has no such option
 */
export function booleanOption(record, key) {
  const node = optionOf(record, key);
  if (!node) {
    return record.options.isOpen ? { unknown: `other code may set \`${key}\`` } : { value: false };
  }
  const place = nodePlace(node);
  if (node.type === 'boolean') return { value: node.value, place };
  return node.type === 'unknown' ? { unknown: node.reason, place } : { value: false, place };
}

/**
 * @param {CallRecord} record
 * @param {string} key
 * @returns {ValueNode | undefined} the value of the option, the last of equal keys
 */
export function optionOf({ options }, key) {
  return options.node?.entries.findLast((entry) => entry.key === key)?.node;
}
