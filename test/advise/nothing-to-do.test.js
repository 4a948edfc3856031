// Workloads that no change helps: nothing is proposed, and the plan says why.

import { describe, expect, test } from 'vitest';
import { adviseOn, linesOf, runAdvise, SCAN_MS } from '../helpers/advise.js';
import { shopOrders } from '../helpers/find-traffic.js';
import { sample } from '../helpers/long.js';

/** @import { Advised } from '../helpers/advise.js' */
/** @import { Traffic } from '../helpers/find-traffic.js' */

/** @param {object} body @param {Partial<Traffic>} [more] @returns {Traffic} */
const find = (body, more) => ({ body, times: 1000, ms: SCAN_MS, ...more });
const equal = find({ selector: { customer: 'customer-7' } });
const index = (/** @type {object} */ definition, name = 'by-customer') => ({
  [`indexes/${name}.json`]: { index: definition, ddoc: name, name, type: 'json' },
});

/** Notes that stand in every such plan. */
const USUAL = /^build times assume/;

/** @type {[string, Advised, RegExp | undefined][]} the last: a note or the reason of a rejection */
const cases = [
  [
    'an index serves the query already',
    { traffic: [{ ...equal, ms: 8 }], files: index({ fields: ['customer'] }), args: ['indexes'] },
    undefined,
  ],
  [
    'it is too fast to read all documents, so that the server has an index',
    { traffic: [{ ...equal, ms: 4 }], args: ['--documents', '2000000'] },
    /too fast to read all documents/,
  ],
  [
    'the collection is tiny and changes',
    {
      traffic: [
        { ...equal, ms: 6 },
        { method: 'PUT', target: '/shop/order-1', body: {}, times: 5000, ms: 5 },
      ],
      documents: shopOrders(20),
    },
    /keeping it up to date takes more time than it saves/,
  ],
  [
    'writing is far more frequent than reading',
    {
      traffic: [
        { ...equal, times: 10 },
        { method: 'PUT', target: '/shop/order-1', body: {}, times: 5000, ms: 5 },
      ],
    },
    /keeping it up to date takes more time than it saves/,
  ],
  [
    'all is below $or',
    { traffic: [find({ selector: { $or: [{ customer: 'customer-7' }, { status: 'new' }] } })] },
    /none of their conditions is an equality/,
  ],
  [
    'its only condition is $regex',
    { traffic: [find({ selector: { customer: { $regex: '^customer-7$' } } })] },
    /none of their conditions is an equality/,
  ],
  [
    'its only condition is $ne',
    { traffic: [find({ selector: { customer: { $ne: 'customer-7' } } })] },
    /none of their conditions is an equality/,
  ],
  [
    'its only condition is $in, of which CouchDB makes no range',
    { traffic: [find({ selector: { customer: { $in: ['customer-7', 'customer-14'] } } })] },
    /none of their conditions is an equality/,
  ],
  ['there are no documents', { traffic: [equal], documents: [] }, /add --docs/],
  [
    'no document has the fields',
    { traffic: [find({ selector: { supplier: 'x' } })] },
    /is not judged: no sample document has supplier/,
  ],
  [
    'each request was refused',
    {
      log: linesOf('POST /shop/_find 400 3', { times: 100 }),
      traffic: [{ method: 'GET', target: '/shop/order-1', times: 3 }],
    },
    /every request of these queries was refused/,
  ],
  [
    'an index that was not read must sort it',
    { traffic: [find({ selector: { customer: 'customer-7' }, sort: ['date'] })] },
    /they need an index that was not read/,
  ],
  [
    'the answers took an index that was not read',
    {
      traffic: [
        find({ selector: { customer: 'customer-7' }, use_index: 'by-customer' }, { ms: 8, answer: { docs: [] } }),
      ],
    },
    /they need an index that was not read/,
  ],
  [
    'the log does not show selectors and no code was read',
    { log: linesOf('POST /shop/_find 200 150', { times: 100 }) },
    /\d Mango queries a day are not judged: the log does not show their selectors/,
  ],
  [
    'a value would fail with status 500 once the database has an index',
    { traffic: [equal, find({ selector: { meta: { $eq: { a: 1, b: 2 } } } }, { times: 5 })] },
    /get no index: once one exists, CouchDB [\d.]+ answers them with status 500/,
  ],
  [
    'it reads one document by its id',
    { traffic: [find({ selector: { _id: 'order-000007', status: 'new' } }, { ms: 6 })] },
    undefined,
  ],
  [
    'it reads few documents by a range of ids',
    { traffic: [find({ selector: { _id: { $gte: 'order-000007', $lt: 'order-000009' }, status: 'new' } }, { ms: 6 })] },
    undefined,
  ],
  ['it asks for everything', { traffic: [find({ selector: {} }, { ms: 8 })] }, /none of their conditions/],
  ['a limit ends the scan early', { traffic: [find({ selector: { type: 'order' }, limit: 1 }, { ms: 6 })] }, undefined],
];

describe('nothing is proposed where', () => {
  test.each(sample(cases, 7))('%s', async (_, about, why) => {
    const { plan, titles } = await adviseOn(about);
    expect(titles).toEqual([]);
    expect(plan.total).toMatchObject({ savedMsPerDay: 0, bytes: 0 });
    const said = [...plan.notes.filter((note) => !USUAL.test(note)), ...plan.rejected.map(({ reason }) => reason)];
    if (why) expect(said).toContainEqual(expect.stringMatching(why));
  });

  test('there is no log at all', async () => {
    const { stderr, exitCode } = await runAdvise({});
    expect(stderr).toContain('nothing to advise on: no log was read');
    expect(exitCode).toBe(2);
  });
});

describe('an index that breaks a query is not proposed', () => {
  const breaking = find({ selector: { meta: { $eq: { a: 1, b: 2 } } } }, { times: 5 });

  test('up to 3.3, which does not fail, it is', async () => {
    const { titles } = await adviseOn({ traffic: [equal, breaking], args: ['--target', '3.3.3'] });
    expect(titles).toEqual(['create index by_customer on customer']);
  });

  test('for another database it is', async () => {
    const other = { ...breaking, target: '/archive/_find' };
    const { titles } = await adviseOn({ traffic: [equal, other] });
    expect(titles).toEqual(['create index by_customer on customer']);
  });
});
