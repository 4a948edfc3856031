// Facts about the loop that repeats a call, and what could be sent instead of it.

import { callFact, optionOf } from './call.js';

/** @import { CallSubject, Extracted, FactDeclaration } from '../fact.js' */
/** @import { CallLoop, CallRecord } from '../../sources/application/record.js' */

const NO_LOOP = 'no loop repeats it';

/**
 * @param {CallRecord} record
 * @param {(loop: CallLoop) => Extracted} extract
 * @returns {Extracted}
 */
function ofLoop({ loop }, extract) {
  return loop ? extract(loop) : { unknown: NO_LOOP };
}

/** How clients write and read many documents with one request (nano 11.0, PouchDB 9.0, cradle 0.7, @ibm-cloud/cloudant 0.12). */
const TOGETHER = Object.freeze({
  nano: { write: 'bulk({ docs })', read: 'fetch({ keys })' },
  cloudant: { write: 'bulk({ docs })', read: 'fetch({ keys })' },
  pouchdb: { write: 'bulkDocs(docs)', read: 'bulkGet({ docs })' },
  cradle: { write: 'save(docs)', read: 'get(ids)' },
  'ibm-cloud': { write: 'postBulkDocs({ db, bulkDocs })', read: 'postBulkGet({ db, docs })' },
  http: { write: 'POST /db/_bulk_docs', read: 'POST /db/_bulk_get' },
});

/** @type {FactDeclaration<CallSubject>[]} */
export const callLoopFacts = [
  callFact(
    'call.loopPurpose',
    'text',
    'What the loop around it is for: `each` item of a list, `retry`, `pages`; `none` where no loop repeats it.',
    ({ loop }) => {
      if (!loop) return { value: 'none' };
      const { purpose, place } = loop;
      return purpose === 'unknown' ? { unknown: 'what ends the loop is not known', place } : { value: purpose, place };
    },
  ),
  callFact(
    'call.loopListIsLiteral',
    'boolean',
    'Whether the list of the loop is written in the code, with all of its items.',
    (record) => ofLoop(record, ({ times, place }) => ({ value: times !== null, place })),
  ),
  callFact('call.loopTimes', 'count', 'How many turns the loop has, where its list is literal.', (record) =>
    ofLoop(record, ({ times, place }) =>
      times === null ? { unknown: 'the list is made when the program runs', place } : { value: times, place },
    ),
  ),
  callFact('call.loopOver', 'text', 'The list that the loop goes through, as it is written.', (record) =>
    ofLoop(record, ({ over, place }) =>
      over === null ? { unknown: 'it goes through no list' } : { value: over, place },
    ),
  ),
  callFact('call.loopEndsEarly', 'boolean', 'Whether the loop may stop before the end of its list.', (record) =>
    ofLoop(record, ({ endsEarly }) => ({ value: endsEarly })),
  ),
  callFact(
    'call.turnChangesTarget',
    'boolean',
    'Whether the id, the key or the document depends on the turn of the loop.',
    (record) =>
      ofLoop(record, ({ changesTarget }) =>
        changesTarget === null ? { unknown: 'the call does not show what it is about' } : { value: changesTarget },
      ),
  ),
  callFact('call.turnChangesDatabase', 'boolean', 'Whether the database depends on the turn of the loop.', (record) =>
    ofLoop(record, ({ changesReceiver }) =>
      changesReceiver === null ? { unknown: 'the receiver was not followed' } : { value: changesReceiver },
    ),
  ),
  callFact(
    'call.asksOneKey',
    'boolean',
    'Whether it has `key` among its options, and so asks for the rows of one key.',
    (record) => ({
      value: optionOf(record, 'key') !== undefined,
    }),
  ),
  callFact(
    'call.targetKind',
    'text',
    'What the id that it names is of: a `document`, a `design` document, a `local` one.',
    (record) => ({
      value: targetKind(record),
    }),
  ),
  callFact('call.writesTogether', 'text', 'How its client writes many documents with one request.', (record) =>
    together(record, 'write'),
  ),
  callFact('call.readsTogether', 'text', 'How its client reads many documents with one request.', (record) =>
    together(record, 'read'),
  ),
];

/**
 * @param {CallRecord} record
 * @param {'read' | 'write'} what
 * @returns {Extracted}
 */
function together({ client }, what) {
  return client === null ? { unknown: 'the client is not known' } : { value: TOGETHER[client][what] };
}

/**
 * @param {CallRecord} record
 * @returns {'document' | 'design' | 'local'} by how the id begins, as it is written
 */
function targetKind({ arguments: given, target, file }) {
  const written = [...given, ...(target ? [target] : [])].map((node) =>
    node.type === 'string' ? node.value : file.text.slice(node.start, node.end),
  );
  if (written.some((text) => /(?:^|['"`])_design\//.test(text))) return 'design';
  return written.some((text) => /(?:^|['"`])_local\//.test(text)) ? 'local' : 'document';
}
