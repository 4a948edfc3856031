// Defines the figures about index builds: what is emitted, reduced, and in how many design documents.

import { orders } from './figure.js';

/** @import { Figure, Site } from './figure.js' */

const MAP = 'function (doc) { emit(doc.number, null); }';
const MAX =
  'function (keys, values, rereduce) { var best = values[0]; for (var i = 1; i < values.length; i++) if (values[i] > best) best = values[i]; return best; }';
const SUM = 'function (keys, values, rereduce) { return sum(values); }';
const NUMBER = 'function (doc) { emit(doc.number, doc.total); }';
const FILTERED = "function (doc) { if (doc.type === 'order') emit(doc.date, null); }";

/** @param {{map: string, reduce?: string}} view @returns {(site: Site, run: number) => Promise<unknown>} builds it, and takes it away */
const build = (view) => async (site, run) => {
  const name = `build-${run}-${Math.random().toString(36).slice(2, 8)}`;
  // The built index is that of this map alone: a comment makes another signature.
  await site.view(name, { ...view, map: `${view.map} // ${name}` });
};

/** @param {Site} site @returns {Promise<unknown>} */
const mango = async (site) => {
  const name = `mango-${Math.random().toString(36).slice(2, 8)}`;
  const index = { fields: ['date'], partial_filter_selector: { type: 'order', number: { $gt: -Math.random() } } };
  await site.send('POST', '/_index', { index, ddoc: name, name });
  return site.send('POST', '/_find', { selector: { date: { $gt: null } }, use_index: [name, name], limit: 1 });
};

/** @param {Site} site @returns {Promise<unknown>} */
const erlang = async (site) => {
  const name = `erlang-${Math.random().toString(36).slice(2, 8)}`;
  const map = `fun({Doc}) -> Emit(proplists:get_value(<<"number">>, Doc, null), null) end. % ${name}`;
  await site.send('PUT', `/_design/${name}`, { language: 'erlang', views: { all: { map } } });
  return site.get(`/_design/${name}/_view/all?limit=1`);
};

/** @param {number} documents @param {number} padding @returns {(site: Site) => Promise<void>} */
const load = (documents, padding) => (site) => site.load(orders(documents, padding));

/** @type {Figure[]} */
export const BUILDS = [
  {
    id: 'build-reduces',
    about: '20,000 documents of 330 bytes',
    prepare: load(20000, 150),
    arms: {
      none: build({ map: NUMBER }),
      _sum: build({ map: NUMBER, reduce: '_sum' }),
      'sum in JavaScript': build({ map: NUMBER, reduce: SUM }),
      'maximum in JavaScript': build({ map: NUMBER, reduce: MAX }),
    },
  },
  {
    id: 'build-values',
    about: '20,000 documents of 330 bytes',
    prepare: load(20000, 150),
    arms: { null: build({ map: MAP }), document: build({ map: 'function (doc) { emit(doc.number, doc); }' }) },
  },
  {
    id: 'build-grouping',
    about: '20,000 documents, four views',
    prepare: load(20000, 150),
    arms: {
      'one document': async (site, run) => {
        const views = Object.fromEntries(
          [1, 2, 3, 4].map((number) => [`v${number}`, { map: `${MAP} // ${number} ${run} ${Math.random()}` }]),
        );
        const name = `one-${run}-${Math.random().toString(36).slice(2, 8)}`;
        await site.send('PUT', `/_design/${name}`, { language: site.language, views });
        await site.get(`/_design/${name}/_view/v1?limit=1`);
      },
      'four documents': async (site, run) => {
        for (const number of [1, 2, 3, 4]) await build({ map: `${MAP} // ${number}` })(site, run);
      },
    },
  },
  {
    id: 'build-small',
    about: '10,000 documents of 300 bytes',
    prepare: load(10000, 120),
    arms: { mango, javascript: build({ map: FILTERED }) },
  },
  {
    // The server has to be started with `[native_query_servers] enable_erlang_query_server = true`.
    id: 'build-erlang',
    about: '20,000 documents of 330 bytes',
    isOptional: true,
    prepare: load(20000, 150),
    arms: { erlang, javascript: build({ map: MAP }) },
  },
  {
    id: 'build-large',
    about: '2,000 documents of 10 kB',
    prepare: load(2000, 9800),
    arms: { mango, javascript: build({ map: FILTERED }) },
  },
];
