// Bodies of queries as the shape keeps them: fields and operators, and no value.

import { describe, expect, test } from 'vitest';
import { bodyParameters } from '../../../lib/sources/logs/har-body.js';

/**
 * @param {unknown} body
 * @param {string} [path]
 * @returns {string}
 */
function said(body, path = '/shop/_find') {
  return decodeURIComponent(bodyParameters(path, body));
}

describe('a selector', () => {
  test.each([
    ['equality', { customer: 'customer-7' }, 'customer:eq'],
    ['two conditions on a field', { date: { $gte: '2026', $lt: '2027' } }, 'date:gte,date:lt'],
    ['a field of a field', { address: { city: 'Turku' } }, 'address.city:eq'],
    ['a field of a field, with an operator', { address: { city: { $gt: 'T' } } }, 'address.city:gt'],
    ['a field with a point in its name', { 'address.city': 'Turku' }, 'address.city:eq'],
    ['conditions joined by `$and`', { $and: [{ status: 'open' }, { total: { $gt: 5 } }] }, 'status:eq,total:gt'],
    ['conditions joined by `$or`', { $or: [{ status: 'open' }, { total: 5 }] }, '*:or'],
    ['what must be there', { date: { $exists: true } }, 'date:exists'],
    ['what must not be there', { date: { $exists: false } }, 'date:missing'],
    ['members of a list', { items: { $elemMatch: { article: 'a' } } }, 'items:elemMatch'],
    ['a list as value', { tags: ['new'] }, 'tags:eq'],
    ['an empty object as value', { tags: {} }, 'tags:eq'],
    ['nothing', {}, 'none'],
    ['none at all', undefined, '*:eq'],
    ['a name that is no plain one', { 'e-mail of "x"': 1 }, '?:eq'],
    ['too many conditions', Object.fromEntries(Array.from({ length: 25 }, (_, at) => [`f${at}`, 1])), '?'],
  ])('%s', (_, selector, text) => {
    expect(said({ selector })).toBe(`find.selector=${text}`);
  });

  test('that is nested deep ends in a question mark', () => {
    let selector = /** @type {object} */ ({ status: 'open' });
    for (let depth = 0; depth < 10_000; depth += 1) selector = { $and: [selector] };
    expect(said({ selector })).toBe('find.selector=?');
  });

  test('keeps no value', () => {
    const secret = 'Mrs Secret';
    const body = {
      selector: { name: secret, $or: [{ name: secret }] },
      bookmark: secret,
      use_index: secret,
      sort: [secret],
    };
    expect(said(body)).not.toContain('ecret');
  });
});

test('of a query its order, index, limit and bookmark are kept', () => {
  const body = {
    selector: { customer: 'customer-7' },
    sort: [{ customer: 'desc' }, { date: 'desc' }],
    fields: ['total', '_id'],
    r: 2,
    bookmark: 'g1AAAA',
    use_index: ['_design/orders', 'by-customer'],
    limit: 20,
    skip: 5,
  };
  expect(said(body)).toBe(
    'find.selector=customer:eq&find.sort=-customer,-date&find.fields=_id,total&find.bookmark=&find.use_index=_design/orders/by-customer&find.r=2&limit=20&skip=5',
  );
});

describe('an index that is named', () => {
  const selector = { customer: 'customer-7' };
  const docs = [{}];
  const used = 'find.selector=customer:eq&find.use_index=orders';
  test.each([
    ['as null', { use_index: null }, { docs }, 'find.selector=customer:eq'],
    ['by an empty list', { use_index: [] }, { docs }, 'find.selector=customer:eq'],
    ['by what is no name', { use_index: 5 }, undefined, 'find.selector=customer:eq&find.use_index=?'],
    ['and nothing is known of the answer', { use_index: 'orders' }, undefined, used],
    ['and the answer has no documents', { use_index: 'orders' }, { error: 'invalid_index' }, used],
    ['and taken', { use_index: 'orders' }, { docs }, `${used}&find.hint_taken=true`],
    [
      'and taken, with a warning of another kind',
      { use_index: 'orders' },
      { docs, warning: 'The number of documents examined is high' },
      `${used}&find.hint_taken=true`,
    ],
    [
      'and not taken',
      { use_index: 'orders' },
      {
        docs,
        warning: '_design/orders was not used because it does not contain a valid index for this query.\nMore.',
      },
      `${used}&find.hint_taken=false`,
    ],
    [
      'and not taken, by both names',
      { use_index: ['orders', 'by-date'] },
      { docs, warning: '_design/orders, by-date was not used because it is not a valid index for this query.' },
      `${used}/by-date&find.hint_taken=false`,
    ],
    ['and no other will do', { use_index: 'orders', allow_fallback: false }, undefined, `${used}&find.no_fallback=`],
  ])('%s', (_, body, answer, text) => {
    expect(decodeURIComponent(bodyParameters('/shop/_find', { selector, ...body }, answer))).toBe(text);
  });
});

test('of many fields only that there are many is kept', () => {
  const fields = Array.from({ length: 25 }, (_, at) => `f${at}`);
  expect(said({ selector: {}, fields })).toBe('find.selector=none&find.fields=?');
});

test('of a view what could stand in its address is kept', () => {
  const body = { keys: ['a', 'b'], include_docs: true, startkey_docid: 'order-1', other: 'x' };
  expect(said(body, '/shop/_design/orders/_view/by_date')).toBe(
    'keys=["a","b"]&include_docs=true&startkey_docid=order-1',
  );
});

test.each([
  ['another address', '/shop/_bulk_docs', { docs: [] }],
  ['a list', '/shop/_find', [1]],
  ['no body', '/shop/_find', undefined],
  ['a text', '/shop/_find', 'selector'],
])('nothing is kept of %s', (_, path, body) => {
  expect(bodyParameters(path, body)).toBe('');
});
