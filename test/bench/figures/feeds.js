// Defines the figures about what code does around its queries: indexes created before each of them.

import { orders } from './figure.js';

/** @import { Figure, Site } from './figure.js' */

const INDEX = { index: { fields: ['number'] }, ddoc: 'number', name: 'number' };
const QUERY = { selector: { number: 4711 } };

/** @param {Site} site */
const createIndex = (site) => site.send('POST', '/_index', INDEX);

/** @param {Site} site */
const find = (site) => site.send('POST', '/_find', QUERY);

/** @type {Figure[]} */
export const FEEDS = [
  {
    id: 'index-before-find',
    about: '20,000 documents, one result of an equality, with and without the index created again before',
    prepare: async (site) => {
      await site.load(orders(20000));
      await createIndex(site);
      await find(site);
    },
    runs: 100,
    arms: {
      find,
      both: async (site) => {
        await createIndex(site);
        return find(site);
      },
    },
  },
];
