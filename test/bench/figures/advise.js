// Defines the figures that lib/advise/costs.js rests on: what a request costs by what it reads, and an index by what is written.

import { orderBody, orders } from './figure.js';

/** @import { Figure, Site } from './figure.js' */

const DOCUMENTS = 20_000;
const MAP = 'function (doc) { emit(doc.number, null); }';

/** @param {object} body @returns {(site: Site) => Promise<string>} */
const find = (body) => (site) => site.send('POST', '/_find', body);

/** @param {Site} site @param {string[]} fields */
const index = (site, fields) =>
  site.send('POST', '/_index', { index: { fields }, ddoc: fields.join('-'), name: fields.join('-') });

/** @param {Site} site @param {number} count @param {number} run */
const write = (site, count, run) =>
  site.send('POST', '/_bulk_docs', {
    docs: Array.from({ length: count }, (_, at) => ({ _id: `new-${run}-${at}-${Math.random()}`, ...orderBody(at) })),
  });

const byIndex = find({ selector: { number: -1 }, limit: 1 });
const byView = (/** @type {Site} */ site) => site.get('/_design/numbers/_view/numbers?limit=1');

/** @type {Figure[]} */
export const ADVISE = [
  {
    id: 'advise-reads',
    about: '20,000 documents of 330 bytes, two shards: one request',
    isOptional: true,
    prepare: async (site) => {
      await site.load(orders(DOCUMENTS));
      for (const fields of [['number'], ['date', 'total']]) await index(site, fields);
      await site.view('numbers', { map: MAP });
      await byIndex(site);
      await find({ selector: { date: 'none', total: 1 }, limit: 1 })(site);
    },
    runs: {
      request: 50,
      'scan of 20,000': 1,
      '1,000 rows': 20,
      '1,000 rows and documents': 5,
      '2,000 view rows': 20,
      '2,000 view rows with documents': 3,
    },
    arms: {
      request: byIndex,
      'scan of 20,000': find({ selector: { total: -1 }, limit: 25 }),
      '1,000 rows': find({ selector: { number: { $gte: 5000, $lt: 6000 } }, fields: ['number'], limit: 1000 }),
      '1,000 rows and documents': find({ selector: { number: { $gte: 5000, $lt: 6000 }, status: 'none' }, limit: 25 }),
      '2,000 view rows': (site) => site.get('/_design/numbers/_view/numbers?limit=2000'),
      '2,000 view rows with documents': (site) =>
        site.get('/_design/numbers/_view/numbers?limit=2000&include_docs=true'),
    },
  },
  {
    id: 'advise-writes',
    about: 'documents of 330 bytes that are written and then queried, two shards',
    isOptional: true,
    prepare: async (site) => {
      await site.load(orders(2000));
      await site.send('PUT', '/_design/off', { autoupdate: false });
    },
    runs: { '1 written': 20, '1,000 written': 1 },
    arms: { '1 written': (site, run) => write(site, 1, run), '1,000 written': (site, run) => write(site, 1000, run) },
  },
  ...['mango', 'javascript'].map((kind) => ({
    id: `advise-writes-${kind}`,
    about: `the same with one index (${kind}), brought up to date after each request`,
    isOptional: true,
    prepare: async (/** @type {Site} */ site) => {
      await site.load(orders(2000));
      if (kind === 'mango') await index(site, ['number']);
      else await site.view('numbers', { map: MAP });
      await (kind === 'mango' ? byIndex : byView)(site);
    },
    runs: { '1 written': 20, '1,000 written': 1, query: 50 },
    arms: {
      '1 written': async (/** @type {Site} */ site, /** @type {number} */ run) => {
        await write(site, 1, run);
        return (kind === 'mango' ? byIndex : byView)(site);
      },
      '1,000 written': async (/** @type {Site} */ site, /** @type {number} */ run) => {
        await write(site, 1000, run);
        return (kind === 'mango' ? byIndex : byView)(site);
      },
      query: kind === 'mango' ? byIndex : byView,
    },
  })),
];
