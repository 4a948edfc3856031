// Facts about Mango queries of HAR files beside the indexes that were read: which of them serves, in what order, and what is
// unknown where something is not told.

import { describe, expect, test } from 'vitest';
import { createProject } from '../../helpers/temporary-project.js';

const UNKNOWN = 'unknown';
const CUSTOMER = { customer: 'customer-7' };

/**
 * @param {string[]} fields
 * @param {{ddoc?: string | undefined, name?: string | undefined, filter?: object, type?: string}} [more]
 * @returns {object} a definition of an index
 */
function index(fields, { filter, ...more } = {}) {
  const definition = filter === undefined ? { fields } : { fields, partial_filter_selector: filter };
  return { index: definition, ddoc: fields.join('-'), name: `by-${fields.join('-')}`, type: 'json', ...more };
}

/**
 * @param {{body?: object, answer?: object, target?: string}} query
 * @returns {object} an entry of a HAR file
 */
function entry({ body, answer, target = '/shop/_find' }) {
  const text = answer && JSON.stringify(answer);
  return {
    startedDateTime: '2026-03-02T08:00:00.000Z',
    time: 5,
    request: {
      method: 'POST',
      url: `http://db.shop.example:5984${target}`,
      ...(body && { postData: { text: JSON.stringify(body) } }),
    },
    response: { status: 200, content: { size: 900, text } },
  };
}

/**
 * @param {{body?: object, answer?: object, target?: string}[]} queries
 * @param {object[]} indexes
 * @returns {Promise<(fact: string) => unknown>} facts of the first one
 */
async function factsOf(queries, indexes) {
  const files = indexes.map((definition, at) => [`index-${at}.json`, definition]);
  const names = files.map(([name]) => String(name));
  const project = createProject({
    'shop.har': { log: { entries: queries.map(entry) } },
    'empty.json': {},
    ...Object.fromEntries(files),
  });
  const argv = ['facts', ...(names.length > 0 ? names : ['empty.json']), '--log', 'shop.har', '--format', 'json'];
  const { stdout } = await project.run(argv);
  const requests = JSON.parse(stdout).subjects.filter((/** @type {any} */ { kind }) => kind === 'request');
  const [{ facts }] = requests.sort((/** @type {any} */ a, /** @type {any} */ b) =>
    lineOf(a.facts) < lineOf(b.facts) ? -1 : 1,
  );
  return (name) => {
    const { value, unknown } = facts[`request.${name}`];
    if (unknown !== undefined) return UNKNOWN;
    return Array.isArray(value) ? value.map((item) => item.value) : value;
  };
}

/**
 * @param {any} facts of a request
 * @returns {string}
 */
function lineOf(facts) {
  return facts['request.exampleLines'].value[0].value;
}

/**
 * @param {object} body
 * @param {object[]} indexes
 * @returns {Promise<(fact: string) => unknown>}
 */
const factsOfBody = (body, indexes) => factsOf([{ body: { selector: CUSTOMER, ...body } }], indexes);

describe('an order', () => {
  test.each([
    ['none', {}, { hasSort: false, sortText: '', sortDirectionsDiffer: false, sortFieldsNotTested: [] }],
    ['an empty list', { sort: [] }, { hasSort: false }],
    ['one field', { sort: ['date'] }, { hasSort: true, sortText: 'date', sortFieldsNotTested: ['date'] }],
    [
      'two, downwards',
      { sort: [{ customer: 'desc' }, { date: 'desc' }] },
      { sortText: 'customer desc, date desc', sortDirectionsDiffer: false, sortFieldsNotTested: ['date'] },
    ],
    ['up and down', { sort: ['customer', { date: 'desc' }] }, { sortDirectionsDiffer: true }],
    ['a field that is tested', { sort: ['customer'] }, { sortFieldsNotTested: [] }],
    ['a field that each document has', { sort: ['_id'] }, { sortFieldsNotTested: [] }],
    [
      'a field that must not be there',
      { selector: { date: { $exists: false } }, sort: ['date'] },
      { sortFieldsNotTested: ['date'] },
    ],
    [
      'a field of an unusual name',
      { sort: ['the date'] },
      { hasSort: UNKNOWN, sortText: UNKNOWN, sortDirectionsDiffer: UNKNOWN, sortFieldsNotTested: UNKNOWN },
    ],
    [
      'fields that may be tested below `$or`',
      { selector: { $or: [{ date: 5 }, { total: 5 }] }, sort: ['date'] },
      { hasSort: true, sortFieldsNotTested: UNKNOWN },
    ],
  ])('%s', async (_, body, expected) => {
    const fact = await factsOfBody(body, []);
    expect(Object.fromEntries(Object.keys(expected).map((name) => [name, fact(name)]))).toEqual(expected);
  });

  test('of a query without a body cannot be told', async () => {
    const fact = await factsOf([{}], [index(['date'])]);
    expect(['hasSort', 'sortIndex', 'sortFieldsNotTested'].map(fact)).toEqual([UNKNOWN, UNKNOWN, UNKNOWN]);
  });
});

describe('an index for an order', () => {
  const both = index(['customer', 'date']);
  test.each([
    ['no index is known', { sort: ['date'] }, [], UNKNOWN],
    ['it begins with the sort', { sort: ['customer'] }, [index(['customer'])], 'usable'],
    ['it has the sort behind what is equal', { sort: ['date'] }, [both], 'usable'],
    ['and that is a range', { selector: { customer: { $gt: 'c' } }, sort: ['date'] }, [both], 'none'],
    ['and that is not tested', { selector: { total: 5 }, sort: ['date'] }, [both], 'none'],
    ['and it is the whole sort', { selector: { total: 5 }, sort: ['customer', 'date'] }, [both], 'usable'],
    ['it has the sort in another order', { sort: ['date', 'customer'] }, [both], 'none'],
    ['it has more columns than are asked for', { sort: ['customer'] }, [both], 'none'],
    ['the sort has more', { sort: ['date', 'total'] }, [both], 'none'],
    ['one of several has the order', { sort: ['date'] }, [index(['total']), both], 'usable'],
    ['it is partial', { sort: ['date'] }, [index(['date'], { filter: { status: 'open' } })], 'none'],
    ['its filter is empty', { sort: ['date'] }, [index(['date'], { filter: {} })], 'usable'],
    [
      'it is partial and named',
      { sort: ['date'], use_index: 'date' },
      [index(['date'], { filter: { status: 'open' } })],
      'usable',
    ],
    [
      'it is partial and another of its design document is named',
      { sort: ['date'], use_index: ['date', 'by-total'] },
      [index(['date'], { filter: { status: 'open' } })],
      'none',
    ],
    ['it is one of text', { sort: ['date'] }, [index(['date'], { type: 'text' })], UNKNOWN],
    ['ids', { sort: ['_id'] }, [both], 'none'],
    ['ids that are asked for', { selector: { _id: { $gt: null } }, sort: ['_id'] }, [both], 'usable'],
    ['ids that are there', { selector: { _id: { $exists: true } }, sort: ['_id'] }, [both], 'usable'],
    ['ids and more', { selector: { _id: { $gt: null } }, sort: ['_id', 'total'] }, [both], 'none'],
    ['conditions joined by `$or`', { selector: { $or: [{ date: 5 }] }, sort: ['date'] }, [both], UNKNOWN],
  ])('%s', async (_, body, indexes, expected) => {
    expect((await factsOfBody(body, indexes))('sortIndex')).toBe(expected);
  });

  test('of one partition cannot be told', async () => {
    const query = { target: '/shop/_partition/turku/_find', body: { selector: CUSTOMER, sort: ['date'] } };
    expect((await factsOf([query], [both]))('sortIndex')).toBe(UNKNOWN);
  });
});

describe('an index that is named', () => {
  const date = index(['customer', 'date']);
  const open = index(['customer'], { filter: { status: 'open', $and: [{ 'address.city': { $gt: 'T' } }] } });
  const docs = [{}];
  const warning = '_design/customer was not used because it does not contain a valid index for this query.';

  test.each([
    ['none', {}, [], { hasHint: false, hintName: UNKNOWN, hintIsTaken: UNKNOWN, hintFit: UNKNOWN }],
    [
      'one, and none was read',
      { use_index: 'customer' },
      [],
      { hasHint: true, hintName: 'customer', hintFit: UNKNOWN },
    ],
    [
      'one that fits',
      { use_index: '_design/customer' },
      [index(['customer'])],
      { hintName: 'customer', hintFit: 'usable', hintFilterFields: [] },
    ],
    [
      'by both names',
      { use_index: ['customer', 'by-customer'] },
      [index(['customer']), { ...date, ddoc: '_design/customer' }],
      { hintName: 'customer/by-customer', hintFit: 'usable' },
    ],
    [
      'a design document of several, one of which fits',
      { use_index: 'customer' },
      [{ ...date, ddoc: 'customer' }, index(['customer'])],
      { hintFit: 'usable', hintFilterFields: [] },
    ],
    [
      'one with a column that is not tested',
      { use_index: 'customer-date' },
      [date],
      { hintFit: 'unusable', hintFilterFields: UNKNOWN },
    ],
    ['the index, not its design document', { use_index: 'by-customer-date' }, [date], { hintFit: 'unknown-name' }],
    ['another of the document', { use_index: ['customer-date', 'x'] }, [date], { hintFit: 'unknown-name' }],
    ['a name in three parts', { use_index: 'a/b/c' }, [date], { hasHint: true, hintName: UNKNOWN, hintFit: UNKNOWN }],
    [
      'a name with blanks',
      { use_index: 'by customer' },
      [date],
      { hasHint: true, hintName: UNKNOWN, hintFit: UNKNOWN },
    ],
    [
      'one that the server may have named',
      { use_index: 'a'.repeat(40) },
      [index(['customer'], { ddoc: undefined, name: undefined })],
      { hintFit: UNKNOWN },
    ],
    [
      'one that the server has not named',
      { use_index: 'orders' },
      [index(['customer'], { ddoc: undefined, name: undefined })],
      { hintFit: 'unknown-name' },
    ],
    [
      'an index of the document that the server may have named',
      { use_index: ['customer', 'a'.repeat(40)] },
      [index(['customer'], { name: undefined })],
      { hintFit: UNKNOWN },
    ],
    [
      'a partial one',
      { use_index: 'customer' },
      [open],
      { hintFit: 'usable', hintFilterFields: ['status', 'address.city'] },
    ],
    [
      'a partial one, with one field of its filter',
      { selector: { ...CUSTOMER, address: { city: 'Turku' } }, use_index: 'customer' },
      [open],
      { hintFilterFields: ['status'] },
    ],
    [
      'a partial one whose filter joins by `$or`',
      { use_index: 'customer' },
      [index(['customer'], { filter: { $or: [{ status: 'open' }] } })],
      { hintFit: 'usable', hintFilterFields: UNKNOWN },
    ],
    ['no other may serve', { use_index: 'customer', allow_fallback: false }, [open], { hintMayFallBack: false }],
    ['another may serve', { use_index: 'customer' }, [open], { hintMayFallBack: true }],
  ])('%s', async (_, body, indexes, expected) => {
    const fact = await factsOfBody(body, indexes);
    expect(Object.fromEntries(Object.keys(expected).map((name) => [name, fact(name)]))).toEqual(expected);
  });

  test.each([
    ['taken', { docs }, true],
    ['not taken', { docs, warning }, false],
    ['of an answer that is not kept', undefined, UNKNOWN],
  ])('and is %s', async (_, answer, expected) => {
    const body = { selector: CUSTOMER, use_index: 'customer' };
    expect((await factsOf([{ body, answer }], []))('hintIsTaken')).toBe(expected);
  });
});

describe('a partial index that no query names', () => {
  const open = index(['customer'], { filter: { status: 'open', archived: { $exists: false } } });
  const suited = { selector: { ...CUSTOMER, status: 'open', archived: { $exists: false } } };
  const other = { selector: { total: 5 } };
  test.each([
    ['waits for the query', [suited], [open], ['by-customer']],
    [
      'and one more',
      [suited],
      [open, index(['customer', 'status'], { filter: { status: 1 } })],
      ['by-customer', 'by-customer-status'],
    ],
    ['is partial', [suited], [index(['customer'])], []],
    ['has a field in its filter that is not tested', [{ selector: { ...CUSTOMER, status: 'open' } }], [open], []],
    [
      'has a field in its filter that is tested otherwise',
      [{ selector: { ...suited.selector, archived: { $exists: true } } }],
      [open],
      [],
    ],
    [
      'has a column that is not tested',
      [suited],
      [{ ...open, index: { ...Object(open).index, fields: ['customer', 'date'] } }],
      [],
    ],
    [
      'has a first column without a range',
      [{ selector: { ...suited.selector, customer: { $in: ['c'] } } }],
      [open],
      [],
    ],
    ['is named by another query', [suited, { ...other, use_index: 'customer' }], [open], []],
    ['of another design document is named', [suited, { ...other, use_index: 'total' }], [open], ['by-customer']],
    ['of another name is named', [suited, { ...other, use_index: ['customer', 'x'] }], [open], ['by-customer']],
    ['may be named by a name that is not kept', [suited, { ...other, use_index: 'by customer' }], [open], []],
    ['may be named by a body that is not kept', [suited, undefined], [open], []],
    ['cannot be told without indexes', [suited], [], UNKNOWN],
  ])('%s', async (_, bodies, indexes, expected) => {
    const queries = bodies.map((body) => (body ? { body } : {}));
    expect((await factsOf(queries, indexes))('unnamedPartialIndexes')).toEqual(expected);
  });
});

describe('what is read beside an index', () => {
  const customer = index(['customer']);
  const date = index(['customer', 'date']);
  const dated = { ...CUSTOMER, date: { $gt: '2026' } };
  const whole = { findIsCovered: false, uncoveredFields: UNKNOWN, asksRevision: UNKNOWN };
  test.each([
    ['whole documents', {}, [customer], whole],
    ['whole documents, and no index was read', {}, [], whole],
    [
      'all fields of the index, and the id',
      { fields: ['customer', '_id'] },
      [customer],
      { findIsCovered: true, uncoveredFields: [] },
    ],
    [
      'one field more',
      { fields: ['total'] },
      [customer],
      {
        findIsCovered: false,
        uncoveredFields: ['total'],
        lacksRevisionAlone: false,
        coveringColumns: 'customer, total',
      },
    ],
    [
      'a field that is tested',
      { selector: { ...CUSTOMER, status: 'open' }, fields: ['customer'] },
      [customer],
      { findIsCovered: false, uncoveredFields: ['status'] },
    ],
    [
      'a field that must not be there',
      { selector: { ...CUSTOMER, gone: { $exists: false } }, fields: ['customer'] },
      [customer],
      { findIsCovered: false, uncoveredFields: ['gone'] },
    ],
    [
      'the revision',
      { fields: ['customer', '_rev'] },
      [customer],
      { uncoveredFields: ['_rev'], lacksRevisionAlone: true, asksRevision: true },
    ],
    [
      'the revision and a field',
      { fields: ['total', '_rev'] },
      [customer],
      { uncoveredFields: ['_rev', 'total'], lacksRevisionAlone: false, asksRevision: true },
    ],
    [
      'fields that one of two indexes has',
      { selector: dated, fields: ['date'] },
      [customer, date],
      { findIsCovered: UNKNOWN, uncoveredFields: UNKNOWN, coveringColumns: UNKNOWN },
    ],
    [
      'fields that the index has that is named',
      { selector: dated, fields: ['date'], use_index: 'customer-date' },
      [customer, date],
      { findIsCovered: true, uncoveredFields: [] },
    ],
    [
      'fields that neither of two indexes has',
      { selector: dated, fields: ['total'] },
      [customer, date],
      { findIsCovered: false, uncoveredFields: UNKNOWN },
    ],
    ['fields, and no index fits', { fields: ['date'] }, [date], { findIsCovered: UNKNOWN, uncoveredFields: UNKNOWN }],
    ['fields, and no index was read', { fields: ['date'] }, [], { findIsCovered: UNKNOWN, asksRevision: false }],
    [
      'more fields than are kept',
      { fields: Array.from({ length: 25 }, (_, at) => `f${at}`) },
      [customer],
      { findIsCovered: UNKNOWN, uncoveredFields: UNKNOWN, asksRevision: UNKNOWN },
    ],
    ['one copy', {}, [], { readQuorum: 1 }],
    ['one copy, as it says', { r: 1 }, [], { readQuorum: 1 }],
    ['three copies', { r: 3 }, [], { readQuorum: 3 }],
    ['what CouchDB refuses', { r: '3' }, [], { readQuorum: 1 }],
  ])('%s', async (_, body, indexes, expected) => {
    const fact = await factsOfBody(body, indexes);
    expect(Object.fromEntries(Object.keys(expected).map((name) => [name, fact(name)]))).toEqual(expected);
  });

  test('rows are counted in answers, and not taken from `limit`', async () => {
    const body = { selector: CUSTOMER, limit: 500 };
    expect((await factsOf([{ body }], []))('rowsCountedP50')).toBe(UNKNOWN);
    expect((await factsOf([{ body, answer: { docs: [{}, {}] } }], []))('rowsCountedP50')).toBe(2);
    expect((await factsOf([{}], []))('readQuorum')).toBe(UNKNOWN);
  });
});
