// Defines the figures about requests that read: views, documents, changes, Mango queries.

import { idOf, orders } from './figure.js';

/** @import { Figure, Site } from './figure.js' */

const MAP = 'function (doc) { emit(doc.number, null); }';
const SUM = 'function (keys, values, rereduce) { return sum(values); }';
const ids = Array.from({ length: 2000 }, (_, at) => idOf(at * 10));
const fifty = ids.slice(0, 50);
const customers = Array.from({ length: 50 }, (_, at) => `customer-${at * 3}`);
const ranges = Array.from({ length: 50 }, (_, at) => ({ startkey: at * 300, endkey: at * 300 + 19 }));

/** @param {number} count @returns {(site: Site) => Promise<void>} */
const load = (count) => (site) => site.load(orders(count));

/** @param {object} body @returns {(site: Site) => Promise<string>} */
const find = (body) => (site) => site.send('POST', '/_find', body);

/** @param {Site} site @param {string[]} fields */
const index = (site, fields) =>
  site.send('POST', '/_index', { index: { fields }, ddoc: fields.join('-'), name: fields.join('-') });

/** @type {Figure[]} */
export const READS = [
  {
    id: 'changes-filter',
    about: '5,000 changes of 330 bytes',
    prepare: async (site) => {
      await site.load(orders(5000));
      const filters = { open: "function (doc) { return doc.status === 'open'; }" };
      const views = { open: { map: "function (doc) { if (doc.status === 'open') emit(null); }" } };
      await site.send('PUT', '/_design/shop', { language: site.language, filters, views, autoupdate: false });
    },
    runs: { plain: 10, selector: 5, javascript: 1, view: 1 },
    arms: {
      plain: (site) => site.get('/_changes'),
      selector: (site) => site.send('POST', '/_changes?filter=_selector', { selector: { status: 'open' } }),
      javascript: (site) => site.get('/_changes?filter=shop/open'),
      view: (site) => site.get('/_changes?filter=_view&view=shop/open'),
    },
  },
  {
    id: 'changes-since',
    about: '5,000 changes',
    prepare: load(5000),
    runs: { last: 50, all: 10 },
    arms: { last: (site) => site.get('/_changes?since=now'), all: (site) => site.get('/_changes') },
  },
  {
    id: 'list',
    about: '2,000 rows through a list that only passes them on',
    prepare: async (site) => {
      await site.load(orders(2000));
      const lists = { csv: 'function (head, req) { var row; while ((row = getRow())) send(JSON.stringify(row)); }' };
      await site.view('all', { map: MAP }, { lists });
    },
    runs: { view: 20, list: 5 },
    arms: {
      view: (site) => site.get('/_design/all/_view/all'),
      list: (site) => site.get('/_design/all/_list/csv/all'),
    },
  },
  {
    id: 'show',
    about: '50 documents',
    prepare: async (site) => {
      await site.load(orders(2000));
      const shows = { page: 'function (doc, req) { return JSON.stringify(doc); }' };
      await site.send('PUT', '/_design/shop', { language: site.language, shows });
    },
    runs: 4,
    arms: {
      document: async (site) => {
        for (const id of fifty.map((_, at) => idOf(at))) await site.get(`/${id}`);
      },
      show: async (site) => {
        for (const id of fifty.map((_, at) => idOf(at))) await site.get(`/_design/shop/_show/page/${id}`);
      },
    },
  },
  {
    id: 'find-index',
    about: '20,000 documents, 20 results of an equality',
    prepare: async (site) => {
      await site.load(orders(20000));
      await index(site, ['customer']);
      await find({ selector: { customer: 'customer-1' }, limit: 1 })(site);
    },
    runs: { indexed: 20, scanned: 1, regex: 1 },
    arms: {
      indexed: find({ selector: { customer: 'customer-1' }, limit: 20 }),
      scanned: find({ selector: { note: 'none' }, limit: 20 }),
      // The whole index is read, and each document behind it.
      regex: find({ selector: { customer: { $regex: 'none' } }, limit: 20 }),
    },
  },
  {
    id: 'find-scan',
    about: '1,000 documents of 330 bytes, no result',
    prepare: load(1000),
    runs: 20,
    arms: {
      'one result': find({ selector: { _id: idOf(0) } }),
      scanned: find({ selector: { note: 'none' } }),
    },
  },
  {
    id: 'find-covered',
    about: '2,000 results',
    prepare: async (site) => {
      await site.load(orders(20000));
      await index(site, ['date', 'total']);
      await find({ selector: { date: '2026-01-01', total: { $gt: 0 } }, limit: 1 })(site);
    },
    runs: { covered: 10, revision: 2, field: 2, quorum: 2 },
    arms: {
      covered: find({
        selector: { date: { $gt: '2026-06' }, total: { $gt: 0 } },
        fields: ['date', 'total'],
        limit: 2000,
      }),
      revision: find({
        selector: { date: { $gt: '2026-06' }, total: { $gt: 0 } },
        fields: ['date', 'total', '_rev'],
        limit: 2000,
      }),
      field: find({
        selector: { date: { $gt: '2026-06' }, total: { $gt: 0 } },
        fields: ['date', 'total', 'customer'],
        limit: 2000,
      }),
      quorum: find({
        selector: { date: { $gt: '2026-06' }, total: { $gt: 0 } },
        fields: ['date', 'total', 'customer'],
        limit: 2000,
        r: 2,
      }),
    },
  },
  {
    id: 'all-docs-keys',
    about: '2,000 documents by id',
    prepare: load(20000),
    runs: { bulkGet: 3, keys: 2, range: 3 },
    arms: {
      bulkGet: (site) => site.send('POST', '/_bulk_get', { docs: ids.map((id) => ({ id })) }),
      keys: (site) => site.send('POST', '/_all_docs?include_docs=true', { keys: ids }),
      range: (site) => site.get('/_all_docs?include_docs=true&limit=2000'),
    },
  },
  {
    id: 'all-docs-filter',
    about: '20,000 documents of 330 bytes, of which 2,000 or 40 are wanted, in one response',
    prepare: async (site) => {
      await site.load(orders(20000));
      await index(site, ['customer']);
      await index(site, ['status']);
      await find({ selector: { customer: 'customer-1' }, limit: 1 })(site);
      await find({ selector: { status: 'open' }, limit: 1 })(site);
    },
    runs: { forty: 20, thousands: 2, all: 1 },
    arms: {
      forty: find({ selector: { customer: 'customer-1' }, limit: 200 }),
      thousands: find({ selector: { status: 'open' }, limit: 2000 }),
      all: (site) => site.get('/_all_docs?include_docs=true'),
    },
  },
  {
    id: 'whole-database',
    about: 'all of 20,000 documents of 330 bytes, and a page of 50',
    prepare: load(20_000),
    runs: { page: 40, whole: 2 },
    arms: {
      page: (site) => site.get('/_all_docs?include_docs=true&limit=50'),
      whole: (site) => site.get('/_all_docs?include_docs=true'),
    },
  },
  {
    id: 'whole-database-small',
    about: 'all of 2,000 documents of 330 bytes, and a page of 50',
    prepare: load(2_000),
    runs: { page: 40, whole: 10 },
    arms: {
      page: (site) => site.get('/_all_docs?include_docs=true&limit=50'),
      whole: (site) => site.get('/_all_docs?include_docs=true'),
    },
  },
  {
    id: 'whole-find',
    about: 'a Mango query with an index that 20,000 of 20,000 documents match, and a page of 50',
    prepare: async (site) => {
      await site.load(orders(20_000));
      await index(site, ['type']);
      await find({ selector: { type: 'order' }, limit: 1 })(site);
    },
    runs: { page: 40, whole: 1 },
    arms: {
      page: find({ selector: { type: 'order' }, limit: 50 }),
      whole: find({ selector: { type: 'order' }, limit: 100_000 }),
    },
  },
  {
    id: 'polled',
    about: 'all of 2,000 documents of 330 bytes again, and the changes since the last request, of which there are none',
    prepare: load(2_000),
    runs: { changes: 50, whole: 10 },
    arms: {
      changes: (site) => site.get('/_changes?include_docs=true&since=now'),
      whole: (site) => site.get('/_all_docs?include_docs=true'),
    },
  },
  {
    id: 'finds-one-by-one',
    about: '50 Mango queries of one of 500 customers, with an index over 20,000 documents, and one with `$in`',
    prepare: async (site) => {
      await site.load(orders(20_000));
      await index(site, ['customer']);
      await find({ selector: { customer: 'customer-1' }, limit: 1 })(site);
    },
    runs: { one: 2, single: 2 },
    arms: {
      one: find({ selector: { customer: { $in: customers } }, limit: 2_000 }),
      single: async (site) => {
        for (const customer of customers) await find({ selector: { customer }, limit: 200 })(site);
      },
    },
  },
  {
    id: 'ranges-one-by-one',
    about: '50 queries of a range of 20 rows of a view, and one with `queries`',
    prepare: async (site) => {
      await site.load(orders(20_000));
      await site.view('all', { map: MAP });
    },
    runs: { one: 5, single: 2 },
    arms: {
      one: (site) => site.send('POST', '/_design/all/_view/all/queries', { queries: ranges }),
      single: async (site) => {
        for (const { startkey, endkey } of ranges)
          await site.get(`/_design/all/_view/all?startkey=${startkey}&endkey=${endkey}`);
      },
    },
  },
  {
    id: 'rows-one-by-one',
    about: '50 rows of `_all_docs` by `key`, and one request with `keys`',
    prepare: load(2_000),
    runs: { one: 20, single: 2 },
    arms: {
      one: (site) => site.send('POST', '/_all_docs?include_docs=true', { keys: fifty }),
      single: async (site) => {
        for (const id of fifty) await site.get(`/_all_docs?include_docs=true&key=%22${id}%22`);
      },
    },
  },
  {
    id: 'skip',
    about: '20,000 rows, pages of 20, skip=15000',
    prepare: async (site) => {
      await site.load(orders(20000));
      await site.view('all', { map: MAP });
    },
    runs: { key: 50, skip: 5 },
    arms: {
      key: (site) => site.get('/_design/all/_view/all?limit=20&startkey=15000'),
      skip: (site) => site.get('/_design/all/_view/all?limit=20&skip=15000'),
    },
  },
  {
    id: 'skip-documents',
    about: '20,000 rows, pages of 20 with documents, skip=15000',
    prepare: async (site) => {
      await site.load(orders(20000));
      await site.view('all', { map: MAP });
    },
    runs: { key: 20, skip: 1 },
    arms: {
      key: (site) => site.get('/_design/all/_view/all?limit=20&startkey=15000&include_docs=true'),
      skip: (site) => site.get('/_design/all/_view/all?limit=20&skip=15000&include_docs=true'),
    },
  },
  {
    id: 'together',
    about: '50 documents, and 50 keys of a view',
    prepare: async (site) => {
      await site.load(orders(20000));
      await site.view('all', { map: MAP });
    },
    runs: { bulkGet: 20, allDocs: 20, documents: 3, keys: 20, key: 3 },
    arms: {
      bulkGet: (site) => site.send('POST', '/_bulk_get', { docs: fifty.map((id) => ({ id })) }),
      allDocs: (site) => site.send('POST', '/_all_docs?include_docs=true', { keys: fifty }),
      documents: async (site) => {
        for (const id of fifty) await site.get(`/${id}`);
      },
      keys: (site) => site.send('POST', '/_design/all/_view/all', { keys: fifty.map((_, at) => at * 10) }),
      key: async (site) => {
        for (const at of fifty.keys()) await site.get(`/_design/all/_view/all?key=${at * 10}`);
      },
    },
  },
  {
    id: 'include-docs',
    about: '2,000 rows of 20,000 documents of 330 bytes',
    prepare: async (site) => {
      await site.load(orders(20000));
      await site.view('plain', { map: MAP });
      await site.view('copy', { map: 'function (doc) { emit(doc.number, doc); }' });
      await site.view('linked', { map: 'function (doc) { emit(doc.number, { _id: doc.customerId }); }' });
    },
    runs: { copy: 10, plain: 20, 'plain + include_docs': 2, 'copy + include_docs': 1, 'linked + include_docs': 1 },
    arms: {
      copy: (site) => site.get('/_design/copy/_view/copy?limit=2000'),
      plain: (site) => site.get('/_design/plain/_view/plain?limit=2000'),
      'plain + include_docs': (site) => site.get('/_design/plain/_view/plain?limit=2000&include_docs=true'),
      'copy + include_docs': (site) => site.get('/_design/copy/_view/copy?limit=2000&include_docs=true'),
      'linked + include_docs': (site) => site.get('/_design/linked/_view/linked?limit=2000&include_docs=true'),
    },
  },
  {
    id: 'groups',
    about: '20,000 rows in 500 groups',
    prepare: async (site) => {
      await site.load(orders(20000));
      const map = 'function (doc) { emit(doc.customer, doc.total); }';
      await site.view('builtin', { map, reduce: '_sum' });
      await site.view('custom', { map, reduce: SUM });
    },
    runs: { builtin: 5, custom: 1 },
    arms: {
      builtin: (site) => site.get('/_design/builtin/_view/builtin?group=true'),
      custom: (site) => site.get('/_design/custom/_view/custom?group=true'),
    },
  },
  {
    id: 'many-groups',
    about: '50,000 rows with a key each, `_sum`',
    prepare: async (site) => {
      await site.load(orders(50000, 0));
      await site.view('sums', { map: 'function (doc) { emit([doc.date, doc.number], doc.total); }', reduce: '_sum' });
    },
    runs: { level: 5, first: 20, all: 1 },
    arms: {
      level: (site) => site.get('/_design/sums/_view/sums?group_level=1'),
      first: (site) => site.get('/_design/sums/_view/sums?group=true&limit=100'),
      all: (site) => site.get('/_design/sums/_view/sums?group=true'),
    },
  },
];
