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
    fields: ['_id'],
    bookmark: 'g1AAAA',
    use_index: ['_design/orders', 'by-customer'],
    limit: 20,
    skip: 5,
  };
  expect(said(body)).toBe(
    'find.selector=customer:eq&find.sort=-customer,-date&find.fields=&find.bookmark=&find.use_index=_design/orders/by-customer&limit=20&skip=5',
  );
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
