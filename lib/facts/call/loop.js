// Facts about the loop that repeats a call, and what could be sent instead of it.

import { clientNamed } from '../../clients/index.js';
import { callWritten, sent } from './advised.js';
import { callFact, optionOf } from './call.js';

/** @import { CallSubject, Extracted, FactDeclaration } from '../fact.js' */
/** @import { ValueNode } from '../../sources/record.js' */
/** @import { AnswerStyle, CallLoop, CallRecord } from '../../sources/application/record.js' */

const NO_LOOP = 'no loop repeats it';
const OPEN_LIST = { unknown: 'other code may change the list' };

/**
 * @param {CallRecord} record
 * @param {(loop: CallLoop) => Extracted} extract
 * @returns {Extracted}
 */
function ofLoop({ loop }, extract) {
  return loop ? extract(loop) : { unknown: NO_LOOP };
}

/** Options of a read that requests of many documents do not have. */
const OF_ONE = ['rev', 'revs', 'revs_info', 'conflicts', 'open_revs', 'meta', 'attachments', 'att_encoding_info'];

/** How a design document or a list of them is called; what is called views is mostly in one. */
const DESIGN_NAME = /\bd(?:esign)?_?docs?\b|\bviews\b/i;

/** @type {FactDeclaration<CallSubject>[]} */
export const callLoopFacts = [
  callFact('call.loopPurpose', 'text', {
    meaning:
      'What the loop that repeats it is for: `each` item of a list, `retry`, `pages`; `none` where no loop repeats it.',
    phrases: { each: 'this loop repeats the call', none: 'no loop repeats the call', '*': 'the loop is for `{value}`' },
    extract: ({ loop }) => {
      if (!loop) return { value: 'none' };
      const { purpose, place } = loop;
      return purpose === 'unknown' ? { unknown: 'what ends the loop is unknown', place } : { value: purpose, place };
    },
  }),
  callFact('call.loopListIsLiteral', 'boolean', {
    meaning: 'Whether the list of the loop is written in the code, so that its length is known.',
    phrases: ['the list of the loop is literal', 'the list of the loop is only known at run time'],
    extract: (record) =>
      ofLoop(record, ({ times, place }) =>
        times === 'unknown' ? { ...OPEN_LIST, place } : { value: times !== null, place },
      ),
  }),
  callFact('call.loopTimes', 'count', {
    meaning: 'How many iterations the loop has, where its list is written in the code.',
    phrases: 'the loop has {value} {iteration|iterations}',
    extract: (record) =>
      ofLoop(record, ({ times, place }) => {
        if (times === 'unknown') return { ...OPEN_LIST, place };
        return times === null ? { unknown: 'the list is only known at run time', place } : { value: times, place };
      }),
  }),
  callFact('call.loopOver', 'text', {
    meaning: 'The list that the loop goes through, as it is written.',
    extract: (record) =>
      ofLoop(record, ({ over, place }) =>
        over === null ? { unknown: 'the loop goes through no list' } : { value: over, place },
      ),
  }),
  callFact('call.loopEndsEarly', 'boolean', {
    meaning: 'Whether the loop may stop before the end of its list.',
    phrases: ['the loop may stop early', 'the loop goes to the end of its list'],
    extract: (record) => ofLoop(record, ({ endsEarly }) => ({ value: endsEarly })),
  }),
  callFact('call.turnChangesTarget', 'boolean', {
    meaning: 'Whether the id, the key or the document differs between iterations.',
    phrases: ['each iteration uses another document', 'each iteration uses the same document'],
    extract: (record) =>
      ofLoop(record, ({ changesTarget }) =>
        changesTarget === null
          ? { unknown: 'the code does not show which id, key or document it uses' }
          : { value: changesTarget },
      ),
  }),
  callFact('call.turnChangesDatabase', 'boolean', {
    meaning: 'Whether the database differs between iterations.',
    phrases: ['each iteration uses another database', 'all iterations use one database'],
    extract: (record) =>
      ofLoop(record, ({ changesReceiver }) =>
        changesReceiver === null ? { unknown: 'the receiver was not followed' } : { value: changesReceiver },
      ),
  }),
  callFact('call.isFallback', 'boolean', {
    meaning: 'Whether it runs where a request for all documents of the loop has failed: in the `catch` of a `bulk`.',
    phrases: ['a request for all of them has failed', 'no request for all of them was made before'],
    extract: (record) => ofLoop(record, ({ isFallback, place }) => ({ value: isFallback, place })),
  }),
  callFact('call.turnWaitsForMore', 'boolean', {
    meaning: 'Whether each turn of the loop also waits for work that is no request of the client and no mere reading.',
    phrases: ['each turn waits for other work', 'each turn waits for CouchDB alone'],
    extract: (record) => ofLoop(record, ({ waitsForMore, place }) => ({ value: waitsForMore, place })),
  }),
  callFact('call.readsOwnRows', 'boolean', {
    meaning: 'Whether the loop goes through the rows of a query of the same database and reads the document of each.',
    phrases: ['these rows come from the same database', 'the list is not one of rows'],
    extract: (record) =>
      ofLoop(record, ({ rowQuery, place }) => ({ value: rowQuery !== null, place: rowQuery?.place ?? place })),
  }),
  callFact('call.rowsWithDocs', 'text', {
    meaning: 'That query, with the documents of its rows.',
    extract: (record) =>
      ofLoop(record, ({ rowQuery }) =>
        rowQuery ? { value: rowQuery.withDocs, place: rowQuery.place } : { unknown: 'the loop goes through no rows' },
      ),
  }),
  callFact('call.isInFunction', 'boolean', {
    meaning: 'Whether the loop does not contain the call itself, but calls the function that contains it.',
    phrases: ['this loop calls the function', 'the loop contains the call'],
    extract: (record) => ofLoop(record, ({ through, place }) => ({ value: through !== null, place })),
  }),
  callFact('call.loopCalls', 'text', {
    meaning: 'The function that the loop calls and that contains the call.',
    extract: (record) =>
      ofLoop(record, ({ through, place }) =>
        through === null ? { unknown: 'the loop contains the call itself' } : { value: through, place },
      ),
  }),
  callFact('call.retriedErrors', 'text', {
    meaning:
      'After which errors a retry sends it again: `conflicts` (a test names them), `all`, or `others`; `none` where it is no retry.',
    phrases: {
      conflicts: 'this retries conflicts',
      all: 'this retries all errors',
      none: 'nothing retries the call',
      '*': 'this retries other errors than conflicts',
    },
    extract: ({ retry, loop }) => {
      if (!retry || !loop) return { value: 'none' };
      const { place } = loop;
      return retry.errors === 'unknown'
        ? { unknown: 'which errors it retries was not followed', place }
        : { value: retry.errors, place };
    },
  }),
  callFact('call.retriesSameRevision', 'boolean', {
    meaning: 'Whether each turn of a retry certainly sends the same id and revision.',
    phrases: ['each turn sends the same revision', 'a turn may send another revision'],
    extract: ({ retry }) => ({ value: retry?.sendsSameRevision === true }),
  }),
  callFact('call.hasForce', 'boolean', {
    meaning: 'Whether it may have `force` of PouchDB, with which no conflict is refused.',
    phrases: ['`force` may be set', '`force` is not set'],
    extract: (record) => ({ value: record.options.isOpen || optionOf(record, 'force') !== undefined }),
  }),
  callFact('call.hasOneKey', 'boolean', {
    meaning:
      'Whether it has `key` among its options, or a range that begins where it ends, and no `limit` or `skip`, and so requests all rows of one key.',
    phrases: ['the call has one key', 'the call has no single key'],
    extract: (record) => ({
      value:
        (optionOf(record, 'key') !== undefined || isRangeOfOne(record)) &&
        ['limit', 'skip'].every((option) => optionOf(record, option) === undefined),
    }),
  }),
  callFact('call.targetKind', 'text', {
    meaning:
      'What it reads or writes: a `document`, a `design` document, a `local` one, a `revision` or what belongs to one.',
    phrases: {
      design: 'the id is that of a design document',
      local: 'the document is not replicated',
      revision: 'the call is about a revision',
      '*': 'the id is that of a document',
    },
    extract: (record) => ({ value: targetKind(record) }),
  }),
  callFact('call.writesTogether', 'text', {
    meaning: 'Code that writes all documents of the loop with one request, for its client.',
    extract: (record) => together(record, writing),
  }),
  callFact('call.readsTogether', 'text', {
    meaning: 'Code that reads all documents of the loop with one request, for its client.',
    extract: (record) => together(record, reading),
  }),
  callFact('call.queriesTogether', 'text', {
    meaning: 'The query with all keys of the loop.',
    extract: (record) => together(record, querying),
  }),
];

/** @param {CallRecord} record @returns {boolean} `{ startkey: id, endkey: id }` */
function isRangeOfOne(record) {
  const [first, last] = ['start', 'end'].map(
    (side) => optionOf(record, `${side}key`) ?? optionOf(record, `${side}_key`),
  );
  const textOf = (/** @type {ValueNode} */ { file, start, end }) => file.text.slice(start, end);
  return first !== undefined && last !== undefined && /^[\w$]+$/.test(textOf(first)) && textOf(first) === textOf(last);
}

/**
 * @param {CallRecord} record
 * @param {(record: CallRecord) => string} write
 * @returns {Extracted}
 */
function together(record, write) {
  return record.client === null ? { unknown: 'the client is unknown' } : { value: write(record) };
}

/**
 * @param {CallRecord} record
 * @returns {string}
 */
function reading(record) {
  const write = clientNamed(record.client)?.advice.readMany;
  return write ? sent(write(record, targetsOf(record, 'ids')), styleOf(record)) : 'POST /db/_bulk_get';
}

/**
 * @param {CallRecord} record
 * @returns {string}
 */
function writing(record) {
  const { client, loop, method, written } = record;
  const isAlone = written.arguments.length === 1 && written.options.length === 0;
  const docs = (method === 'insert' && isAlone && !loop?.through && loop?.targets) || 'docs';
  const write = clientNamed(client)?.advice.writeMany;
  return write ? sent(write(record, docs), styleOf(record)) : 'POST /db/_bulk_docs';
}

/**
 * @param {CallRecord} record
 * @returns {string}
 */
function querying(record) {
  const keys = targetsOf(record, 'keys');
  const { client, written } = record;
  if (!clientNamed(client)) return 'POST /db/_design/…/_view/…';
  // `key` of options that stand elsewhere would stay.
  const options = written.options.map(({ key, text }) => ({ key, text: key === null ? '…' : text }));
  const change = {
    drop: ['key', 'keys', 'startkey', 'start_key', 'endkey', 'end_key'],
    add: [keys === 'keys' ? keys : `keys: ${keys}`],
  };
  return sent(callWritten({ ...written, options }, change), styleOf(record));
}

/**
 * @param {CallRecord} record
 * @param {string} name of the list, as the parameter of a function of its own
 * @returns {string} code for it; the list of a loop elsewhere has another name there
 */
function targetsOf({ loop }, name) {
  return loop?.through ? name : (loop?.targets ?? '…');
}

/**
 * @param {CallRecord} record
 * @returns {AnswerStyle} a function that is added may be async
 */
function styleOf({ loop, written: { answerBeforeLoop } }) {
  return loop?.through && answerBeforeLoop === 'promise' ? 'await' : answerBeforeLoop;
}

/**
 * @param {CallRecord} record
 * @returns {'document' | 'design' | 'local' | 'revision'} by how the id begins or is called, and by the options
 */
function targetKind(record) {
  const { arguments: given, target, file, loop } = record;
  const textOf = (/** @type {ValueNode} */ node) =>
    node.type === 'string' ? node.value : file.text.slice(node.start, node.end);
  const written = [...given, ...(target ? [target] : [])].map(textOf);
  if (written.some((text) => /(?:^|['"`])_design\//.test(text))) return 'design';
  if (written.some((text) => /(?:^|['"`])_local\//.test(text))) return 'local';
  if (OF_ONE.some((option) => optionOf(record, option) !== undefined)) return 'revision';
  return [target ? textOf(target) : '', loop?.over ?? ''].some((text) => DESIGN_NAME.test(text))
    ? 'design'
    : 'document';
}
