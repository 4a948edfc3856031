// Answers before and after a step of a plan: what a program reads must be the same, whatever else differs.

import { describe, expect, test } from 'vitest';
import { compareAnswers, wholeFind } from '../../../lib/measure/experiments/compare-answers.js';
import { find, viewRequest } from './shop-plan.js';

/** @import { ArmRequest } from '../../../lib/measure/experiments/experiment.js' */

const all = { method: /** @type {const} */ ('GET'), path: '_all_docs', query: { include_docs: true } };
const view = viewRequest('orders/by_status');
const withDocuments = viewRequest('orders/by_status', { include_docs: true });
const ofKey = viewRequest('orders/by_status', { key: 'open' });
const first = find({ selector: {}, limit: 2 });

/** @param {object[]} docs */
const docs = (...docs) => ({ docs, bookmark: String(docs.length) });
/** @param {object[]} rows */
const rows = (...rows) => ({ total_rows: rows.length, offset: 0, rows });
/** @param {string} id @param {object} [rest] */
const row = (id, rest) => ({ id, key: 'open', value: null, ...rest });
/** @param {string} _id @param {number} total */
const order = (_id, total) => ({ _id, _rev: `1-${_id}`, total, address: { city: 'Rome' } });
const [a, b, c] = /** @type {const} */ ([order('a', 0), order('b', 1), order('c', 2)]);

/** @type {[string, 'same' | 'different' | 'unknown', ArmRequest, unknown, ArmRequest, unknown, {isChanged?: boolean, whole?: [unknown, unknown]}?][]} */
const cases = [
  ['equal documents', 'same', first, docs(a, b), first, docs(a, b)],
  ['equal documents of other revisions', 'same', first, docs(a), first, docs({ ...a, _rev: '2-x' })],
  ['fewer documents', 'different', first, docs(a, b), first, docs(a)],
  ['no documents at all', 'same', first, docs(), first, docs()],
  [
    'other documents of the same whole',
    'same',
    first,
    docs(a, b),
    first,
    docs(b, c),
    { whole: [docs(a, b, c), docs(c, b, a)] },
  ],
  [
    'other documents of another whole',
    'different',
    first,
    docs(a, b),
    first,
    docs(b, c),
    { whole: [docs(a, b), docs(b, c)] },
  ],
  ['a whole with more', 'different', first, docs(a, b), first, docs(b, c), { whole: [docs(a, b), docs(a, b, c)] }],
  [
    'another order where it is sorted',
    'different',
    find({ sort: ['total'] }),
    docs(a, b),
    find({ sort: ['total'] }),
    docs(b, a),
    { whole: [docs(a, b), docs(b, a)] },
  ],
  [
    'another order of what is sorted as equal',
    'same',
    find({ sort: [{ 'address.city': 'asc' }] }),
    docs(a, b),
    find({ sort: [{ 'address.city': 'asc' }] }),
    docs(b, a),
    { whole: [docs(a, b), docs(b, a)] },
  ],
  ['fewer fields', 'same', first, docs(a), find({ fields: ['total'] }), docs({ total: 0 })],
  ['another value of a field', 'different', first, docs(a), find({ fields: ['total'] }), docs({ total: 9 })],
  [
    'no shared fields',
    'same',
    find({ fields: ['total'] }),
    docs({ total: 0 }),
    find({ fields: ['x'] }),
    docs({}),
    { whole: [docs(a), docs(a)] },
  ],
  ['equal rows', 'same', view, rows(row('a')), view, rows(row('a'))],
  ['other rows', 'different', view, rows(row('a')), view, rows(row('b'))],
  ['another key', 'different', view, rows(row('a')), view, rows(row('a', { key: 'paid' }))],
  ['another key', 'same', view, rows(row('a')), view, rows(row('a', { key: ['x'] })), { isChanged: true }],
  ['another value', 'different', view, rows(row('a')), view, rows(row('a', { value: 1 }))],
  [
    'parts of the document as the value',
    'same',
    withDocuments,
    rows(row('a', { doc: a })),
    view,
    rows(row('a', { value: { total: 0, city: 'Rome' } })),
    { isChanged: true },
  ],
  [
    'parts of the document as the value, but the program stays',
    'different',
    withDocuments,
    rows(row('a', { doc: a })),
    view,
    rows(row('a', { value: { total: 0 } })),
  ],
  [
    'a value that the document does not have',
    'different',
    withDocuments,
    rows(row('a', { doc: a })),
    view,
    rows(row('a', { value: { total: 7 } })),
    { isChanged: true },
  ],
  [
    'a document that is left out',
    'different',
    withDocuments,
    rows(row('a', { doc: a }), row('b', { doc: b })),
    view,
    rows(row('a', { value: 0 })),
    { isChanged: true },
  ],
  ['equal groups', 'same', view, rows({ key: 'open', value: 3 }), view, rows({ key: 'open', value: 3 })],
  [
    'sums that differ by rounding',
    'same',
    view,
    rows({ key: 1, value: 0.1 + 0.2 }),
    view,
    rows({ key: 1, value: 0.3 }),
  ],
  ['another sum', 'different', view, rows({ key: 1, value: 3 }), view, rows({ key: 1, value: 3.01 })],
  [
    'more figures of a group',
    'same',
    view,
    rows({ key: 1, value: { sum: 3, count: 2 } }),
    view,
    rows({ key: 1, value: { sum: 3, count: 2, min: 1, max: 2, sumsqr: 5 } }),
    { isChanged: true },
  ],
  ['rows that were added up', 'unknown', view, rows(row('a', { value: 1 })), view, rows({ key: null, value: 1 })],
  ['a part of all documents', 'unknown', all, rows(row('a', { doc: a }), row('b', { doc: b })), ofKey, rows(row('a'))],
  ['none of all documents', 'unknown', all, rows(row('a', { doc: a })), ofKey, rows()],
  ['all of all documents', 'same', all, rows(row('a', { doc: a })), ofKey, rows(row('a'))],
  ['what all documents do not have', 'different', all, rows(row('a', { doc: a })), ofKey, rows(row('z'))],
  ['a part of the rows', 'unknown', view, rows(row('a'), row('b')), ofKey, rows(row('a'))],
  ['a part of the rows, found', 'unknown', view, rows(row('a'), row('b')), first, docs(a)],
  [
    'found documents as rows',
    'same',
    first,
    docs(a, b),
    ofKey,
    rows(row('b'), row('c')),
    { whole: [docs(a, b, c), null] },
  ],
  ['fewer rows than were found', 'different', first, docs(a, b), ofKey, rows(row('b'))],
  ['other rows than were found', 'different', first, docs(a), ofKey, rows(row('z')), { whole: [docs(a), null] }],
  ['one request for several', 'unknown', { method: 'GET', path: 'a' }, a, { ...all, answers: 5 }, rows(row('a'))],
  ['one document', 'same', { method: 'GET', path: 'a' }, a, { method: 'GET', path: 'a' }, { ...a, _rev: '2-b' }],
  [
    'changes',
    'unknown',
    { method: 'GET', path: '_changes' },
    { results: [1] },
    { method: 'GET', path: '_changes' },
    {},
  ],
  ['rubbish', 'unknown', view, null, view, rows()],
];

test.each(cases)('%s: %s', (_, result, before, answer, after, then, { isChanged = false, whole } = {}) => {
  const pair = { query: 'q1', before, after, isChanged };
  const bodies = { before: answer, after: then, ...(whole ? { wholeBefore: whole[0], wholeAfter: whole[1] } : {}) };
  expect(compareAnswers(pair, bodies)).toEqual({
    result,
    why: result === 'same' ? '' : expect.stringMatching(/^[^A-Z].*[^.]$/),
  });
});

describe('the whole of a `_find`', () => {
  test('is what no limit cuts off, in whole documents', () => {
    const request = find({ selector: { a: 1 }, limit: 2, skip: 1, bookmark: 'x', fields: ['a'] });
    expect(wholeFind(request, find({}), 100)?.body).toEqual({ selector: { a: 1 }, limit: 101 });
  });

  test('keeps fields that both have, unless they could hide the order', () => {
    const request = find({ fields: ['a'] });
    expect(wholeFind(request, request, 9)?.body).toEqual({ fields: ['a'], limit: 10 });
    const sorted = find({ fields: ['a'], sort: ['b'] });
    expect(wholeFind(sorted, sorted, 9)?.body).toEqual({ sort: ['b'], limit: 10 });
  });

  test('is not of views', () => {
    expect(wholeFind(view, view, 9)).toBeUndefined();
  });
});
