// Facts about how much a call reads: what bounds it, and what the program does with the list that comes back.

import { AFTER_LAST_ROW } from '../../clients/client.js';
import { clientNamed } from '../../clients/index.js';
import { member, nodePlace } from '../../sources/record.js';
import { callWritten, requestPath, sent } from './advised.js';
import { booleanOption, callFact, optionOf } from './call.js';

/** @import { Extracted, FactDeclaration } from '../fact.js' */
/** @import { CallSubject } from '../fact.js' */
/** @import { ValueNode } from '../../sources/record.js' */
/** @import { CallRecord, ListUse, PickCondition } from '../../sources/application/record.js' */

/** Uses of a list that are wrong or wasteful where a part of it is missing, the clearest first. @type {ListUse['kind'][]} */
const WHOLE_USES = ['picked', 'all', 'counted'];

const GIVEN = { unknown: 'the list goes to code that was not followed' };

/** A conditional with an object: `isOne ? id : { $gte: id }`. */
const MAY_BE_OBJECT = /^[^?{]*\?(?![.?])(?:\s*\{|[\s\S]*:\s*\{)/;

/** A `limit` from here on is written to get all. */
const AS_GOOD_AS_ALL = 10_000;

/** Pages are mostly smaller. */
const MANY = 500;

/** Options that limit which rows a view or `_all_docs` returns. */
const BOUNDS = [
  'key',
  'keys',
  'startkey',
  'start_key',
  'endkey',
  'end_key',
  'limit',
  'skip',
  'queries',
  'group',
  'group_level',
];

/** The options that begin and end a range, by their names. */
const RANGES = [
  ['startkey', 'start_key'],
  ['endkey', 'end_key'],
];

/** @type {FactDeclaration<CallSubject>[]} */
export const callReadingFacts = [
  callFact('call.listUse', 'text', {
    meaning:
      'What the program does with the list of rows or documents: `all`: goes through it; `picked`: keeps some of it; `counted`: uses its length; `one`: uses an item by its position; `none`: at most tests whether there are any.',
    phrases: {
      all: 'the program uses the whole list here',
      picked: 'the program picks from the list here',
      counted: 'the program counts here',
      one: 'the program uses one item here',
      '*': 'the program uses nothing of the list',
    },
    extract: ({ result: { lists, use } }) => {
      for (const kind of WHOLE_USES) {
        const found = lists.find((use) => use.kind === kind);
        if (found) return { value: kind, place: found.place };
      }
      if (use === 'unknown' || lists.some(({ kind }) => kind === 'given')) return GIVEN;
      const first = lists.find(({ kind }) => kind === 'first');
      return first ? { value: 'one', place: first.place } : { value: 'none' };
    },
  }),
  callFact('call.continues', 'boolean', {
    meaning: 'Whether it has a `bookmark` or `skip`, and so requests one page of many.',
    phrases: ['the call requests one page', 'the call does not request a page'],
    extract: (record) => {
      const node = optionOf(record, 'bookmark') ?? optionOf(record, 'skip');
      if (node) return { value: true, place: nodePlace(node) };
      return record.options.isOpen ? { unknown: 'other code may set `bookmark`' } : { value: false };
    },
  }),
  callFact('call.isUnbounded', 'boolean', {
    meaning: 'Whether nothing limits which rows it requests: no key, range, or limit below 10,000.',
    phrases: ['nothing limits the rows', 'the rows are limited here'],
    extract: (record) => {
      const isBound = (/** @type {ValueNode | undefined} */ node, /** @type {string} */ key) =>
        node !== undefined && !(key === 'limit' && node.type === 'number' && node.value >= AS_GOOD_AS_ALL);
      const key = BOUNDS.find((name) => isBound(optionOf(record, name), name));
      const bound = key === undefined ? undefined : optionOf(record, key);
      if (bound) return { value: false, place: nodePlace(bound) };
      return record.options.isOpen ? { unknown: 'other code may set a key or a limit' } : { value: true };
    },
  }),
  callFact('call.hasConstantRange', 'boolean', {
    meaning:
      'Whether a range that is the same each time, with a start and an end key, is all that limits which rows it requests.',
    phrases: ['the range is the same each time', 'its rows are not those of one constant range'],
    extract: (record) => {
      const isRange = (/** @type {string} */ name) => RANGES.some((pair) => pair.includes(name));
      const keys = RANGES.map((pair) => pair.map((name) => optionOf(record, name)).find((node) => node !== undefined));
      const others = BOUNDS.filter((name) => !isRange(name) && optionOf(record, name) !== undefined);
      const [first] = keys;
      if (others.length > 0 || !first || keys.some((node) => !node || !isConstant(node))) return { value: false };
      return record.options.isOpen
        ? { unknown: 'other code may set a key or a limit' }
        : { value: true, place: nodePlace(first) };
    },
  }),
  callFact('call.hasKeys', 'boolean', {
    meaning: 'Whether it has `keys` among its options.',
    phrases: ['the query is for a list of keys', 'the query is not for a list of keys'],
    extract: (record) => {
      const node = optionOf(record, 'keys');
      if (node) return { value: true, place: nodePlace(node) };
      return record.options.isOpen ? { unknown: 'other code may set `keys`' } : { value: false };
    },
  }),
  callFact('call.readsAttachments', 'boolean', {
    meaning: 'Whether it has `attachments: true` among its options.',
    phrases: ['`attachments` is set here', '`attachments` is not set'],
    extract: (record) => booleanOption(record, 'attachments'),
  }),
  callFact('call.pickedFields', 'list', {
    meaning:
      'Fields of documents by which the program keeps some of the rows, where it uses the list for nothing else.',
    phrases: 'the program keeps rows by {value}',
    extract: (record) => {
      const conditions = pickConditions(record);
      const { use, lists, docFields } = record.result;
      const isGiven = use === 'unknown' || docFields === null || lists.some(({ kind }) => kind === 'given');
      if (conditions.length === 0 && isGiven) return GIVEN;
      return { value: conditions.map(({ field, place }) => ({ value: field, place })), place: conditions[0]?.place };
    },
  }),
  callFact('call.isPicked', 'boolean', {
    meaning: 'Whether the code shows that the program keeps some of the rows by fields of documents.',
    phrases: ['the program keeps some of the rows here', 'no code shows that the program keeps some of the rows'],
    extract: (record) => {
      const [first] = pickConditions(record);
      return { value: first !== undefined, place: first?.place };
    },
  }),
  callFact('call.selectorInstead', 'text', {
    meaning:
      'The Mango query that returns the documents that the program keeps, as far as the code shows the condition.',
    extract: selectorInstead,
  }),
  callFact('call.findInPages', 'text', {
    meaning: 'The call that reads one page, to be repeated with the bookmark of each response.',
    extract: ({ client, written }) => {
      const limit = written.options.find(({ key }) => key === 'limit')?.text ?? 'limit: 200';
      const change = { drop: ['limit', 'skip', 'bookmark'], add: [limit, 'bookmark'] };
      return { value: client === 'http' ? 'POST /db/_find' : sent(callWritten(written, change), written.answer) };
    },
  }),
  callFact('call.pageByKey', 'text', {
    meaning: 'The call that reads the page after the last row of another.',
    extract: (record) => {
      const { client, method, written } = record;
      if (client === 'http') {
        const own = method === 'all-docs' ? 'startkey=…' : 'startkey=…&startkey_docid=…';
        return { value: `GET ${requestPath(record)}?${own}&skip=1&limit=…` };
      }
      const known = clientNamed(client);
      const byKey = known?.advice.afterLastKey ?? AFTER_LAST_ROW;
      const limit = written.options.find(({ key }) => key === 'limit')?.text ?? 'limit: …';
      const own = method === 'all-docs' ? ['startkey: last.id', 'skip: 1'] : ['startkey: last.key', ...byKey];
      // All arguments are among the options there.
      const kept = written.options.filter(({ key }) => key !== null && ['db', 'ddoc', 'view'].includes(key));
      const add = [...own, limit].map((text) => {
        return known?.hasNamedArguments
          ? text.replace('startkey_docid', 'startKeyDocId').replace('startkey', 'startKey')
          : text;
      });
      const call = callWritten({ ...written, options: known?.hasNamedArguments ? kept : [] }, { add });
      return { value: sent(call, written.answer) };
    },
  }),
  callFact('call.limitIsForAll', 'boolean', {
    meaning:
      'Whether its `limit` is probably meant for all matches: from 500 to 9,999 and written in the code, with no order and nothing that continues where another call stopped.',
    phrases: ['the limit is meant for all', 'the limit is that of a page, or as good as none'],
    extract: (record) => {
      const limit = optionOf(record, 'limit');
      const isPage = ['sort', 'bookmark', 'skip', 'descending'].some((name) => optionOf(record, name) !== undefined);
      if (limit?.type !== 'number' || isPage || limit.value < MANY || limit.value >= AS_GOOD_AS_ALL)
        return { value: false };
      return record.options.isOpen
        ? { unknown: 'other code may set a bookmark' }
        : { value: true, place: nodePlace(limit) };
    },
  }),
  callFact('call.selectorIsConstant', 'boolean', {
    meaning: 'Whether its selector is the same each time: all of its values are literal.',
    phrases: ['the selector is the same each time', 'the selector depends on something'],
    extract: (record) => {
      const selector = optionOf(record, 'selector');
      if (!selector) return { unknown: 'the code does not show its selector' };
      return { value: isConstant(selector), place: nodePlace(selector) };
    },
  }),
  callFact('call.selectsOneId', 'boolean', {
    meaning: 'Whether its selector is for the document of one `_id`.',
    phrases: ['the selector is for one `_id`', 'the selector is not for one `_id`'],
    extract: selectsOneId,
  }),
];

/**
 * @param {CallRecord} record
 * @returns {PickCondition[]} none where the list is used for something else too
 */
export function pickConditions({ result: { lists } }) {
  const uses = lists.filter(
    ({ kind, conditions }) => kind !== 'tested' && (kind !== 'picked' || conditions.length > 0),
  );
  const [only] = uses;
  return only?.kind === 'picked' && uses.length === 1 ? only.conditions : [];
}

/**
 * @param {CallRecord} record
 * @returns {Extracted}
 */
function selectorInstead(record) {
  const { on, client, written } = record;
  const conditions = pickConditions(record);
  if (conditions.length === 0) return { unknown: 'the code shows no condition' };
  const members = conditions.map(({ field, selector }) => {
    const key = /^[\w$]+$/.test(field) ? field : `'${field}'`;
    if (selector === key) return key;
    return `${key}: ${selector ?? '…'}`;
  });
  const known = clientNamed(client);
  if (known && !known.advice.find) return { unknown: 'the client has no Mango queries' };
  const fields = readsOnlyIds(record, conditions) ? ", fields: ['_id']" : '';
  const given = `selector: { ${members.join(', ')} }${fields}, limit: 200`;
  if (client === 'http') return { value: `POST /db/_find { ${given} }` };
  const call = known?.advice.find?.(record, given) ?? `${on}.find({ ${given} })`;
  return { value: sent(call, written.answer) };
}

/**
 * @param {CallRecord} record
 * @param {PickCondition[]} conditions
 * @returns {boolean} whether the program keeps nothing but the ids of what it picks
 */
function readsOnlyIds({ result: { docFields } }, conditions) {
  const compared = conditions.map(({ field }) => field.split('.')[0]);
  return docFields?.every((field) => field === '_id' || compared.includes(field)) ?? false;
}

/** @param {ValueNode} node @returns {boolean} */
function isConstant(node) {
  if (node.type === 'object') return !node.isOpen && node.entries.every((entry) => isConstant(entry.node));
  return node.type === 'array' ? node.items.every(isConstant) : node.type !== 'unknown';
}

/**
 * @param {CallRecord} record
 * @returns {Extracted}
 */
function selectsOneId(record) {
  const selector = optionOf(record, 'selector');
  if (!selector || selector.type === 'unknown') return { unknown: 'the code does not show its selector' };
  const id = member(selector, '_id');
  if (!id) return { value: false };
  const place = nodePlace(id);
  // An object may be a range, which is for many; what is computed is most likely an id.
  if (id.type === 'unknown') return { value: !MAY_BE_OBJECT.test(id.file.text.slice(id.start, id.end)), place };
  if (id.type !== 'object') return { value: id.type !== 'array', place };
  return { value: member(id, '$eq') !== undefined, place };
}
