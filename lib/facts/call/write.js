// Facts about the documents that a call writes: what makes their ids, what becomes of deletions, and whether the answer is used.

import { member } from '../../sources/record.js';
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

/** @type {FactDeclaration<CallSubject>[]} */
export const callWriteFacts = [
  callFact(
    'call.writesMany',
    'boolean',
    'Whether it writes many documents that are made in the same way: a bulk write of a list, or an insert in a loop.',
    ofWrite(({ isIdRepeated }, { method, loop }) => ({
      value: method === 'bulk-write' ? isIdRepeated : loop?.purpose === 'each' && loop.changesReceiver === false,
    })),
  ),
  callFact(
    'call.writesAtOnce',
    'boolean',
    'Whether these documents are written at once: with one request, or with requests that do not wait for each other.',
    ofWrite((_, { method, loop }) => ({ value: method === 'bulk-write' || loop?.isConcurrent === true })),
  ),
  callFact(
    'call.idSource',
    'text',
    'Where the ids of the documents come from: `random`, `clock`, `other`, or `none` where the code gives them none.',
    ofWrite(({ idSource, idPlace }) => ({ value: idSource, ...(idPlace && { place: idPlace }) })),
  ),
  callFact(
    'call.idCode',
    'text',
    'The code that makes a random id, or one from the clock.',
    ofWrite(({ idCode, idPlace }) =>
      idCode === null || !idPlace
        ? { unknown: 'the ids are neither random nor from the clock' }
        : { value: shortened(idCode), place: idPlace },
    ),
  ),
  callFact(
    'call.keepsDeletedBody',
    'boolean',
    'Whether it deletes documents by writing them whole, with `_deleted`.',
    ofWrite(({ deletionPlace }) => ({ value: deletionPlace !== null, ...(deletionPlace && { place: deletionPlace }) })),
  ),
  callFact(
    'call.deletionCode',
    'text',
    'The code that makes a deletion of a whole document.',
    ofWrite(({ deletionCode, deletionPlace }) =>
      deletionCode === null || !deletionPlace
        ? { unknown: 'it deletes no whole document' }
        : { value: shortened(deletionCode), place: deletionPlace },
    ),
  ),
  callFact(
    'call.answerIsDropped',
    'boolean',
    'Whether its result is unused.',
    ofWrite(({ isAnswerDropped }) => ({ value: isAnswerDropped })),
  ),
  callFact(
    'call.changesKnownDocuments',
    'boolean',
    'Whether documents it writes have `_rev` or `_deleted`, so that another client may have changed them.',
    ofWrite(({ changesKnownDocuments }) => ({ value: changesKnownDocuments })),
  ),
  callFact(
    'call.hasOnlyNewDocuments',
    'boolean',
    'Whether all documents it writes are literal in the code, without an id of their own.',
    ofWrite(({ hasOnlyNewDocuments }) => ({ value: hasOnlyNewDocuments })),
  ),
  callFact(
    'call.isWithoutNewEdits',
    'boolean',
    'Whether it has `new_edits: false`, with which no conflict is rejected.',
    (record) => {
      const node = optionOf(record, 'new_edits') ?? (record.target && member(record.target, 'new_edits'));
      return { value: node !== undefined && (node.type !== 'boolean' || !node.value) };
    },
  ),
];

/** @param {string} text @returns {string} */
function shortened(text) {
  const line = text.replace(/\s+/g, ' ');
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}
