// Facts about what a call reads and what the program then uses of it, joined with the view that it queries.

import { oneLine } from '../../shared/printable.js';
import { nodePlace } from '../../sources/record.js';
import { isKnown } from '../fact.js';
import { parameterOf, passOn, viewNamed } from '../request/view.js';
import { callWritten, requestPath, sent } from './advised.js';
import { callFact, optionOf } from './call.js';
import { isReportedFromLog } from './reported.js';

/** @import { About, Ask, CallSubject, Extracted, FactDeclaration, Item, ViewSubject } from '../fact.js' */
/** @import { CallRecord } from '../../sources/application/record.js' */

/**
 * @param {string} id
 * @param {FactDeclaration['type']} type
 * @param {About<(view: ViewSubject, ask: Ask, subject: CallSubject) => Extracted>} about
 * @returns {FactDeclaration<CallSubject>}
 */
function viewFact(id, type, { extract, ...about }) {
  return callFact(id, type, {
    sources: ['application', 'design-docs'],
    ...about,
    extract: (_, subject, ask) => {
      const view = viewOfCall(subject);
      return 'unknown' in view ? view : extract(view, ask, subject);
    },
  });
}

/** @type {FactDeclaration<CallSubject>[]} */
export const callResultFacts = [
  callFact('call.hasLimit', 'boolean', {
    meaning: 'Whether it has `limit` among its options.',
    phrases: ['the call has a limit', 'the call has no limit'],
    extract: (record) => {
      const node = optionOf(record, 'limit');
      if (node) return { value: true, place: nodePlace(node) };
      return record.options.isOpen ? { unknown: 'other code may set `limit`' } : { value: false };
    },
  }),
  callFact('call.limit', 'count', {
    meaning: 'The most rows that it requests, where its `limit` is literal.',
    phrases: 'the limit is {value} {row|rows}',
    extract: (record) => {
      const node = optionOf(record, 'limit');
      if (!node) return { unknown: record.options.isOpen ? 'other code may set `limit`' : 'it has no `limit`' };
      const place = nodePlace(node);
      return node.type === 'number' ? { value: node.value, place } : { unknown: 'its `limit` is computed', place };
    },
  }),
  callFact('call.isOnlyCounted', 'boolean', {
    meaning: 'Whether only the number of rows in its result is used.',
    phrases: ['only the number of rows is used', 'more than the number of rows is used'],
    extract: ({ result }) => ({ value: result.isOnlyCounted }),
  }),
  callFact('call.usesDocs', 'boolean', {
    meaning: 'Whether the program reads the documents of the rows.',
    phrases: ['the program reads the documents', 'the program does not read the documents'],
    extract: ({ result }) => {
      const { rowMembers } = result;
      if (rowMembers === null) return { unknown: 'the rows go to code that was not followed' };
      return { value: rowMembers.includes('doc') };
    },
  }),
  callFact('call.readsUnchecked', 'text', {
    meaning:
      'What its callback reads a member of before it has tested whether the request failed: `result`, `error`, or `none`. `nothing`: the callback of a write goes on and looks at neither.',
    phrases: {
      result: 'the result is read here, whether there is one or not',
      error: 'the error is read here, whether there is one or not',
      nothing: 'this callback goes on as if the request had succeeded',
      none: 'the callback tests whether the request failed',
    },
    extract: ({ unchecked }) => (unchecked ? { value: unchecked.reads, place: unchecked.place } : { value: 'none' }),
  }),
  callFact('call.uncheckedCode', 'text', {
    meaning:
      'The member that is read there, as it is written; of a callback that reads nothing, the function that is called.',
    extract: ({ unchecked }) =>
      unchecked
        ? { value: oneLine(unchecked.written, 40) }
        : { unknown: 'the callback tests whether the request failed' },
  }),
  callFact('call.docFields', 'list', {
    meaning:
      'The fields of the documents that the program reads, where all of its code was followed, without `_id`, which rows have.',
    phrases: 'the program reads {value}',
    extract: ({ result }) => {
      const { docFields, docPlaces } = result;
      if (docFields === null) return { unknown: 'whole documents go to code that was not followed' };
      const items = docFields.map((field, at) => ({ value: field, place: docPlaces[at] }));
      // Of a linked document it is not that of the row.
      if (items.some(({ value }) => value === '_rev')) return { unknown: 'the revision is not for a view to emit' };
      const own = items.filter(({ value }) => value !== '_id');
      if (own.length === 0 && items.length > 0) return { unknown: 'the program reads only `_id`' };
      return { value: own };
    },
  }),
  callFact('call.valueFields', 'list', {
    meaning: 'The fields of the values of rows that the program reads, where all of its code was followed.',
    phrases: 'the program reads {value} of the values',
    forOwnRules: 'which parts of the values the code needs',
    extract: ({ result: { valueFields } }) =>
      valueFields === null
        ? { unknown: 'whole values go to code that was not followed' }
        : { value: valueFields.map((value) => ({ value })) },
  }),
  callFact('call.viewIsRead', 'boolean', {
    meaning: 'Whether the view it queries is among the design documents that were read, and its map can be followed.',
    phrases: ['the view was read', 'the view was not read'],
    basis: 'declared',
    extract: (_, subject, ask) => {
      const view = viewOfCall(subject);
      const calls = 'unknown' in view ? view : ask(view, 'view.emitCalls');
      return { value: isKnown(calls) && Array.isArray(calls.value) && calls.value.length > 0 };
    },
  }),
  viewFact('call.viewEmitsWholeDoc', 'boolean', {
    meaning: 'Whether the view it queries emits the document, or a copy of it, as value.',
    phrases: ['the view emits whole documents here', 'the view does not emit whole documents'],
    extract: (view, ask) => passOn(ask(view, 'view.emitsWholeDoc')),
  }),
  viewFact('call.viewEmitsLinkedDoc', 'boolean', {
    meaning:
      'Whether the view it queries emits an object with `_id`, which makes `include_docs` fetch another document.',
    phrases: ['the view emits the id of another document', 'the view emits no ids of other documents'],
    extract: (view, ask) => passOn(ask(view, 'view.emitsLinkedDoc')),
  }),
  viewFact('call.viewEmitCount', 'count', {
    meaning: 'How many calls of `emit` the map of the view it queries has.',
    phrases: 'the map has {value} {call|calls} of `emit`',
    extract: (view, ask) => {
      const calls = ask(view, 'view.emitCalls');
      return isKnown(calls) && Array.isArray(calls.value)
        ? { value: calls.value.length }
        : { unknown: 'its map was not followed' };
    },
  }),
  callFact('call.withoutDocs', 'text', {
    meaning: 'The call as it is without `include_docs`.',
    extract: (record) => ({ value: withoutDocs(record) }),
  }),
  callFact('call.isReportedFromLog', 'boolean', {
    meaning:
      'Whether the logs show its query so often that rule view/include-docs-hot reports it, with what to emit instead.',
    phrases: ['the logs show the query often', 'the logs do not show the query often'],
    sources: ['application', 'logs', 'design-docs'],
    basis: 'measured',
    extract: (_, subject, ask) => {
      const view = viewOfCall(subject);
      return { value: !('unknown' in view) && isReportedFromLog(subject.parent, view, ask) };
    },
  }),
  viewFact('call.viewEmits', 'list', {
    meaning: 'The calls of `emit` of the view it queries, as they are written.',
    extract: (view, ask) => passOn(ask(view, 'view.emitCalls')),
  }),
  viewFact('call.viewEmitsInstead', 'text', {
    meaning: 'The call of `emit` of the view it queries, with the fields that the program reads as the value.',
    extract: (view, ask, subject) => {
      const { docFields } = subject.record.result;
      const calls = ask(view, 'view.emitCalls');
      if (!isKnown(calls) || docFields === null) return { unknown: 'the fields or the map are unknown' };
      const [first] = /** @type {Item[]} */ (calls.value);
      const key = first?.detail?.['key'];
      const doc = parameterOf(view);
      if (key === undefined || doc === undefined) return { unknown: 'the call of `emit` does not show its key' };
      const value = docFields
        .filter((field) => field !== '_id')
        .map((field) => `${field}: ${doc}.${field}`)
        .join(', ');
      return { value: `emit(${key}, { ${value} })`, place: first?.place };
    },
  }),
];

/**
 * @param {CallRecord} record
 * @returns {string}
 */
function withoutDocs(record) {
  const { client, written } = record;
  if (client === 'http') return `GET ${requestPath(record)}`;
  // Options that stand elsewhere may have it.
  const isElsewhere = written.options.some(({ key }) => key === null);
  const call = callWritten(written, { drop: ['include_docs'], add: isElsewhere ? ['include_docs: false'] : [] });
  return written.answer === 'callback' ? sent(call, 'callback') : call;
}

/**
 * @param {CallSubject} subject
 * @returns {ViewSubject | {unknown: string}}
 */
export function viewOfCall({ record, parent }) {
  const { designDoc, view } = record;
  if (designDoc === null || view === null) return { unknown: 'the code does not show which view it queries' };
  return viewNamed(parent, designDoc, view);
}
