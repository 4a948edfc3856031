// Facts about how much a call reads: what bounds it, and what the program does with the list that comes back.

import { member, nodePlace } from '../../sources/record.js';
import { booleanOption, callFact, optionOf } from './call.js';

/** @import { Extracted, FactDeclaration } from '../fact.js' */
/** @import { CallSubject } from '../fact.js' */
/** @import { CallRecord, ListUse, PickCondition } from '../../sources/application/record.js' */

/** Uses of a list that are wrong or wasteful where a part of it is missing, the clearest first. @type {ListUse['kind'][]} */
const WHOLE_USES = ['picked', 'all', 'counted'];

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

/** @type {FactDeclaration<CallSubject>[]} */
export const callReadingFacts = [
  callFact(
    'call.listUse',
    'text',
    'What the program does with the list of rows or documents: `all`: goes through it; `picked`: keeps some of it; `counted`: uses its length; `one`: uses an item by its position; `none`: at most tests whether there are any.',
    ({ result: { lists } }) => {
      for (const kind of WHOLE_USES) {
        const found = lists.find((use) => use.kind === kind);
        if (found) return { value: kind, place: found.place };
      }
      if (lists.some(({ kind }) => kind === 'given')) return { unknown: 'the list goes to code that was not followed' };
      const first = lists.find(({ kind }) => kind === 'first');
      return first ? { value: 'one', place: first.place } : { value: 'none' };
    },
  ),
  callFact(
    'call.continues',
    'boolean',
    'Whether it has a `bookmark` or `skip`, and so requests one page of many.',
    (record) => {
      const node = optionOf(record, 'bookmark') ?? optionOf(record, 'skip');
      if (node) return { value: true, place: nodePlace(node) };
      return record.options.isOpen ? { unknown: 'other code may set `bookmark`' } : { value: false };
    },
  ),
  callFact(
    'call.isUnbounded',
    'boolean',
    'Whether nothing limits which rows it requests: no key, range, or limit.',
    (record) => {
      const bound = BOUNDS.map((key) => optionOf(record, key)).find((node) => node !== undefined);
      if (bound) return { value: false, place: nodePlace(bound) };
      return record.options.isOpen ? { unknown: 'other code may set a key or a limit' } : { value: true };
    },
  ),
  callFact('call.hasKeys', 'boolean', 'Whether it has `keys` among its options.', (record) => {
    const node = optionOf(record, 'keys');
    if (node) return { value: true, place: nodePlace(node) };
    return record.options.isOpen ? { unknown: 'other code may set `keys`' } : { value: false };
  }),
  callFact('call.readsAttachments', 'boolean', 'Whether it has `attachments: true` among its options.', (record) =>
    booleanOption(record, 'attachments'),
  ),
  callFact(
    'call.pickedFields',
    'list',
    'Fields of documents by which the program keeps some of the rows, where it uses the list for nothing else.',
    (record) => {
      const conditions = pickConditions(record);
      return { value: conditions.map(({ field, place }) => ({ value: field, place })), place: conditions[0]?.place };
    },
  ),
  callFact(
    'call.selectorInstead',
    'text',
    'The Mango query that returns the documents that the program keeps, as far as the code shows the condition.',
    selectorInstead,
  ),
  callFact(
    'call.findInPages',
    'text',
    'The call that reads one page, to be repeated with the bookmark of each response.',
    (record) => {
      const { name, client } = record;
      const given = client === 'ibm-cloud' ? 'db, selector, limit: 200, bookmark' : 'selector, limit: 200, bookmark';
      const partition = name.includes('.partitionedFind(') ? 'partition, ' : '';
      return { value: `${name.slice(0, name.indexOf('('))}(${partition}{ ${given} })` };
    },
  ),
  callFact('call.pageByKey', 'text', 'The call that reads the page after the last row of another.', (record) => {
    const { name, client, method, arguments: given, file } = record;
    const callee = name.slice(0, name.indexOf('('));
    const byKey = client === 'pouchdb' ? 'skip: seen' : 'startkey_docid: last.id, skip: 1';
    const own = method === 'all-docs' ? 'startkey: last.id, skip: 1, limit' : `startkey: last.key, ${byKey}, limit`;
    if (client === 'ibm-cloud') {
      const camel = own.replace('startkey_docid', 'startKeyDocId').replace('startkey', 'startKey');
      return { value: `${callee}({ db, ${method === 'view' ? 'ddoc, view, ' : ''}${camel} })` };
    }
    const names = given.slice(0, -1).map(({ start, end }) => file.text.slice(start, end));
    return { value: `${callee}(${[...names, `{ ${own} }`].join(', ')})` };
  }),
  callFact('call.selectsOneId', 'boolean', 'Whether its selector is for the document of one `_id`.', selectsOneId),
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
  const { name, client } = record;
  const conditions = pickConditions(record);
  if (conditions.length === 0) return { unknown: 'the code shows no condition' };
  if (client === 'cradle') return { unknown: 'the client has no Mango queries' };
  const members = conditions.map(({ field, selector }) => {
    const key = /^[\w$]+$/.test(field) ? field : `'${field}'`;
    if (selector === key) return key;
    return `${key}: ${selector ?? '…'}`;
  });
  const given = `selector: { ${members.join(', ')} }, limit: 200`;
  const receiver = name.slice(0, name.lastIndexOf('.', name.indexOf('(')));
  return {
    value: client === 'ibm-cloud' ? `${receiver}.postFind({ db, ${given} })` : `${receiver}.find({ ${given} })`,
  };
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
  if (id.type !== 'object') return { value: id.type !== 'array', place };
  return { value: member(id, '$eq') !== undefined, place };
}
