// Facts about the documents that a call writes: what makes their ids, what becomes of deletions, and whether the answer is used.

import { clientNamed } from '../../clients/index.js';
import { oneLine } from '../../shared/printable.js';
import { member, nodePlace } from '../../sources/record.js';
import { callWritten, sent } from './advised.js';
import { callFact, optionOf } from './call.js';

/** @import { CallSubject, Extracted, FactDeclaration } from '../fact.js' */
/** @import { CallRecord, CallWrite } from '../../sources/application/record.js' */

/**
 * @param {(write: CallWrite, record: CallRecord) => Extracted} extract
 * @returns {(record: CallRecord) => Extracted}
 */
function ofWrite(extract) {
  return (record) => (record.write ? extract(record.write, record) : { unknown: 'it writes no documents' });
}

const NOT_SHOWN = { unknown: 'the code does not show where the documents come from' };

/** Characters of quoted code that are shown. */
const MAX_CODE = 60;

/** @type {FactDeclaration<CallSubject>[]} */
export const callWriteFacts = [
  callFact('call.writesMany', 'boolean', {
    meaning:
      'Whether it writes many documents that are made in the same way: a bulk write of a list, or an insert in a loop.',
    phrases: ['the call writes many documents', 'the call writes one document'],
    extract: ofWrite(({ isIdRepeated }, { method, loop }) => ({
      value: method === 'bulk-write' ? isIdRepeated : loop?.purpose === 'each' && loop.changesReceiver === false,
    })),
  }),
  callFact('call.writesAtOnce', 'boolean', {
    meaning:
      'Whether these documents are written at once: with one request, or with requests that do not wait for each other.',
    phrases: ['the documents are written at once', 'the documents are written one after another'],
    extract: ofWrite((_, { method, loop }) => ({ value: method === 'bulk-write' || loop?.isConcurrent === true })),
  }),
  callFact('call.idSource', 'text', {
    meaning:
      'Where the ids of the documents come from: `random`, `clock`, `other`, or `none` where the code gives them none.',
    phrases: {
      clock: 'the ids come from the clock here',
      none: 'the documents have no `_id`',
      random: 'random ids are created here',
      '*': 'the ids come from something else',
    },
    extract: ofWrite(({ idSource, idPlace, isWrittenOut }) =>
      idSource === 'none' && !isWrittenOut ? NOT_SHOWN : { value: idSource, ...(idPlace && { place: idPlace }) },
    ),
  }),
  callFact('call.idCode', 'text', {
    meaning: 'The code that makes a random id, or one from the clock.',
    extract: ofWrite(({ idCode, idPlace }) =>
      idCode === null || !idPlace
        ? { unknown: 'the ids are neither random nor from the clock' }
        : { value: oneLine(idCode, MAX_CODE), place: idPlace },
    ),
  }),
  callFact('call.startsContinuousReplication', 'boolean', {
    meaning:
      'Whether it has a server replicate for good: `replicate` or a document of `_replicator`, with `continuous: true`.',
    phrases: ['the call starts a continuous replication', 'the call starts no continuous replication'],
    extract: ({ method, client, database, target, options }) => {
      const isDocument = method === 'insert' && database === '_replicator';
      const node = isDocument
        ? target
        : method === 'replicate' && !clientNamed(client)?.local
          ? options.node
          : undefined;
      const continuous = node?.type === 'object' ? member(node, 'continuous') : undefined;
      if (continuous?.type !== 'boolean' || !continuous.value) return { value: false };
      return { value: true, place: nodePlace(continuous) };
    },
  }),
  callFact('call.keepsDeletedBody', 'boolean', {
    meaning: 'Whether the code shows that it deletes documents by writing them whole, with `_deleted`.',
    phrases: ['the deletion is made here', 'no whole document is deleted'],
    extract: ofWrite(({ deletionPlace }) => ({
      value: deletionPlace !== null,
      ...(deletionPlace && { place: deletionPlace }),
    })),
  }),
  callFact('call.deletionCode', 'text', {
    meaning: 'The code that makes a deletion of a whole document.',
    extract: ofWrite(({ deletionCode, deletionPlace }) =>
      deletionCode === null || !deletionPlace
        ? { unknown: 'it deletes no whole document' }
        : { value: oneLine(deletionCode, MAX_CODE), place: deletionPlace },
    ),
  }),
  callFact('call.answerIsDropped', 'boolean', {
    meaning: 'Whether its result is unused.',
    phrases: ['the result is unused', 'the code uses the result'],
    extract: ofWrite((_, { result: { use } }) =>
      use === 'used' || use === 'dropped'
        ? { value: use === 'dropped' }
        : { unknown: 'the result goes to code that was not followed' },
    ),
  }),
  callFact('call.changesKnownDocuments', 'boolean', {
    meaning: 'Whether documents it writes have `_rev` or `_deleted`, so that another client may have changed them.',
    phrases: ['the documents have `_rev` or `_deleted`', 'no document has `_rev` or `_deleted`'],
    extract: ofWrite(({ changesKnownDocuments: value, isWrittenOut }) =>
      value || isWrittenOut ? { value } : NOT_SHOWN,
    ),
  }),
  callFact('call.hasOnlyNewDocuments', 'boolean', {
    meaning: 'Whether all documents it writes are written out in the code, without an id of their own.',
    phrases: ['all documents are new', 'some documents may exist already'],
    extract: ofWrite(({ hasOnlyNewDocuments }) =>
      hasOnlyNewDocuments === null ? NOT_SHOWN : { value: hasOnlyNewDocuments },
    ),
  }),
  callFact('call.hasOnlyLiteralDocuments', 'boolean', {
    meaning: 'Whether all documents it writes are literal, with all of their values.',
    phrases: ['all documents are literal', 'some documents are made when the program runs'],
    extract: ofWrite(({ hasOnlyLiteralDocuments }) => ({ value: hasOnlyLiteralDocuments })),
  }),
  callFact('call.takesNewestRevision', 'boolean', {
    meaning:
      'Whether the document it writes comes from elsewhere and gets the `_rev` of the stored one, which is read for nothing else.',
    phrases: ['the newest revision is taken over here', 'the document keeps the revision that it was read with'],
    extract: ({ newestRevision }) => (newestRevision ? { value: true, place: newestRevision } : { value: false }),
  }),
  callFact('call.rowsOfWrite', 'text', {
    meaning: 'The bulk write as code that gets the rows of its answer.',
    extract: (record) =>
      record.method === 'bulk-write' ? { value: rowsOf(record) } : { unknown: 'it is no bulk write' },
  }),
  callFact('call.deletionInstead', 'text', {
    meaning: 'A deletion that keeps no field of the document, for its client.',
    extract: ofWrite(({ deletionInstead, deletedName }, record) => {
      if (deletionInstead === null) return { unknown: 'it deletes no whole document' };
      const write = record.method === 'insert' ? clientNamed(record.client)?.advice.remove : undefined;
      const removal = deletedName === null ? undefined : write?.(deletedName, record);
      return { value: removal === undefined ? deletionInstead : sent(removal, record.written.answer) };
    }),
  }),
  callFact('call.isWithoutNewEdits', 'boolean', {
    meaning: 'Whether it has `new_edits: false`, with which no conflict is rejected.',
    phrases: ['`new_edits` is `false`', '`new_edits` is not `false`'],
    extract: (record) => {
      const { options, target, method } = record;
      const node = optionOf(record, 'new_edits') ?? (target && member(target, 'new_edits'));
      if (node) return { value: node.type !== 'boolean' || !node.value };
      const isOpen = options.isOpen || (method === 'bulk-write' && target?.type === 'unknown');
      return isOpen ? { unknown: 'other code may set `new_edits`' } : { value: false };
    },
  }),
];

/**
 * @param {CallRecord} record
 * @returns {string}
 */
function rowsOf({ client, written }) {
  if (client === 'http') return 'const rows = …';
  const call = callWritten(written);
  if (written.answer === 'callback') return `${call.slice(0, -1)}, (error, rows) => …)`;
  const member = clientNamed(client)?.answerMember;
  const rows = member ? `{ ${member}: rows }` : 'rows';
  return written.answer === 'await' ? `const ${rows} = await ${call}` : `${call}.then((${rows}) => …)`;
}
