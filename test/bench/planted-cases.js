// Lists planted suggestions: some that help, and some that do not, each with the project they are about. All are of one
// shop, made from a seed, so that everybody measures the same.

import { chanceOf, word } from '../helpers/make-ids.js';

/** @typedef {Record<string, unknown>} Json */

/**
 * @typedef {object} PlantedCase
 * @property {string} name
 * @property {boolean} helps
 * @property {string} why it does, or does not
 * @property {string} rule whose experiment is to judge it
 * @property {string} outcome that the rule would have
 * @property {'view' | 'request' | 'load' | 'filter'} subject of the planted finding; a `request` is the first of the log that names the view
 * @property {Json} designDoc
 * @property {[number, string][]} queries requests in ten minutes, and what stands behind the database's name in the address
 * @property {Json[]} documents
 * @property {number} [batch] where the documents are a load: so many in each request
 */

const MS_OF_LOG = 600_000;
const START = Date.parse('2026-03-02T08:00:00.000Z');
const STATES = ['new', 'paid', 'packed', 'sent', 'returned'];
const BY_CUSTOMER = "function (doc) { if (doc.type === 'order') emit(doc.customer, null); }";
const BY_NUMBER = "function (doc) { if (doc.type === 'order') emit(doc.number, null); }";
const WHOLE = "function (doc) { if (doc.type === 'order') emit(doc.number, doc); }";
const TOTALS = "function (doc) { if (doc.type === 'order') emit(doc.customer, doc.total); }";
const TOTALS_BY_DAY = "function (doc) { if (doc.type === 'order') emit([doc.customer, doc.number % 28], doc.total); }";
const SUM = 'function (keys, values, rereduce) { return sum(values); }';
const COUNT = 'function (keys, values, rereduce) { return rereduce ? sum(values) : values.length; }';
const STATS = `function (keys, values, rereduce) {
  var all = { sum: 0, count: 0, min: Infinity, max: -Infinity, sumsqr: 0 };
  values.forEach(function (value) {
    var one = rereduce ? value : { sum: value, count: 1, min: value, max: value, sumsqr: value * value };
    all.sum += one.sum;
    all.count += one.count;
    all.min = Math.min(all.min, one.min);
    all.max = Math.max(all.max, one.max);
    all.sumsqr += one.sumsqr;
  });
  return all;
}`;
const IS_OPEN = "function (doc, req) { return doc.state === 'new'; }";

/**
 * @param {number} count
 * @param {{customers?: number, bytes?: number}} [options] `bytes`: of a text that no view reads
 * @returns {Json[]} orders of the shop, in the order of their ids
 */
function orders(count, { customers = 100, bytes = 150 } = {}) {
  const chance = chanceOf(7);
  return Array.from({ length: count }, (_, at) => ({
    _id: `order-${String(at).padStart(6, '0')}`,
    type: 'order',
    number: at,
    customer: `customer-${String(at % customers).padStart(4, '0')}`,
    state: STATES[at % STATES.length],
    total: Math.floor(chance() * 100_000) / 100,
    note: word(chance, bytes, 'abcdefghijklmnopqrstuvwxyz'),
  }));
}

/** @param {number} count @param {{customers?: number}} [options] @returns {Json[]} of some 60 bytes */
function tinyOrders(count, { customers = count } = {}) {
  return Array.from({ length: count }, (_, at) => ({
    _id: `o${at}`,
    type: 'order',
    number: at,
    customer: at % customers,
    total: 1,
  }));
}

/**
 * @param {string[]} ids in the order in which they are written
 * @param {number} [bytes]
 * @returns {Json[]}
 */
function load(ids, bytes = 20) {
  const chance = chanceOf(11);
  return ids.map((_id) => ({ _id, type: 'order', note: word(chance, bytes, 'abcdefghijklmnopqrstuvwxyz') }));
}

/** @param {number} count @returns {string[]} random ids of 32 digits */
function randomIds(count) {
  const chance = chanceOf(13);
  return Array.from({ length: count }, () => word(chance, 32));
}

/** @param {number} count @param {number} share of ids that are somewhere else than in order @returns {string[]} */
function nearlyInOrder(count, share) {
  const chance = chanceOf(17);
  const ids = Array.from({ length: count }, (_, at) => `order-${String(at).padStart(8, '0')}`);
  for (let moved = 0; moved < (count * share) / 2; moved += 1) {
    const [one, other] = [Math.floor(chance() * count), Math.floor(chance() * count)];
    [ids[one], ids[other]] = [ids[other] ?? '', ids[one] ?? ''];
  }
  return ids;
}

/** @param {string} map @param {string} [reduce] @returns {Json} a design document with the view `rows` */
function ddoc(map, reduce) {
  return { _id: '_design/app', language: 'javascript', views: { rows: { map, ...(reduce ? { reduce } : {}) } } };
}

/** @param {string} query @returns {string} */
function rows(query) {
  return `_design/app/_view/rows?${query}`;
}

const NO_DDOC = { _id: '_design/app', language: 'javascript', views: {} };
const VIEW = /** @type {const} */ ('view');
const REQUEST = /** @type {const} */ ('request');
const LOAD = /** @type {const} */ ('load');
const DOCS_HOT = { rule: 'view/include-docs-hot', outcome: 'often-asked', subject: REQUEST };
const CUSTOM_SUM = { rule: 'reduce/custom-sum', outcome: 'equal-in-documents', subject: VIEW };
const CUSTOM_COUNT = { rule: 'reduce/custom-count', outcome: 'equal', subject: VIEW };
const CUSTOM_STATS = { rule: 'reduce/custom-stats', outcome: 'equal-in-documents', subject: VIEW };
const WHOLE_DOC = { rule: 'view/emit-whole-doc', outcome: 'copies-document', subject: VIEW };
const SKIP = { rule: 'query/skip-pagination', outcome: 'skips-thousands', subject: REQUEST };
const IDS = {
  rule: 'write/random-ids',
  subject: LOAD,
  designDoc: NO_DDOC,
  queries: /** @type {[number, string][]} */ ([]),
};
const BATCHES = { ...IDS, rule: 'write/bulk-batch-size' };

/** @type {(Omit<PlantedCase, 'helps'>)[]} */
const USELESS = [
  {
    ...DOCS_HOT,
    name: 'documents of one row',
    why: 'one document is read for each request',
    designDoc: ddoc(BY_CUSTOMER),
    queries: [[400, rows('key=%22customer-0001%22&limit=1&include_docs=true')]],
    documents: orders(2000),
  },
  {
    ...DOCS_HOT,
    name: 'the newest document',
    why: 'one document is read for each request',
    designDoc: ddoc(BY_NUMBER),
    queries: [[400, rows('descending=true&limit=1&include_docs=true')]],
    documents: orders(2000),
  },
  {
    ...DOCS_HOT,
    name: 'keys of one row',
    why: 'each key has one row',
    designDoc: ddoc(BY_NUMBER),
    queries: [[400, rows('key=15&include_docs=true')]],
    documents: orders(2000),
  },
  {
    ...DOCS_HOT,
    name: 'tiny documents of one row',
    why: 'one document is read for each request, and it is tiny',
    designDoc: ddoc(BY_CUSTOMER),
    queries: [[400, rows('key=15&include_docs=true')]],
    documents: tinyOrders(1000),
  },
  {
    ...CUSTOM_SUM,
    name: 'a sum that no query reads',
    why: 'all queries say reduce=false',
    designDoc: ddoc(TOTALS, SUM),
    queries: [[200, rows('reduce=false&key=%22customer-0001%22')]],
    documents: orders(2000),
  },
  {
    ...CUSTOM_COUNT,
    name: 'a count that no query reads',
    why: 'all queries say reduce=false',
    designDoc: ddoc(TOTALS, COUNT),
    queries: [[200, rows('reduce=false&limit=20&startkey=%22customer-0001%22')]],
    documents: orders(2000),
  },
  {
    ...CUSTOM_STATS,
    name: 'statistics that no query reads',
    why: 'all queries say reduce=false',
    designDoc: ddoc(TOTALS, STATS),
    queries: [
      [150, rows('reduce=false&key=%22customer-0001%22')],
      [50, rows('reduce=false&limit=50')],
    ],
    documents: orders(2000),
  },
  {
    ...CUSTOM_SUM,
    name: 'pages of rows beside a sum',
    why: 'all queries say reduce=false',
    designDoc: ddoc(TOTALS, SUM),
    queries: [[200, rows('reduce=false&limit=100&skip=20')]],
    documents: orders(1500),
  },
  {
    ...CUSTOM_SUM,
    name: 'a view that no query reads',
    why: 'the logs have requests of another view only',
    designDoc: {
      ...ddoc(TOTALS, SUM),
      views: { rows: { map: TOTALS, reduce: SUM }, by_number: { map: BY_NUMBER } },
    },
    queries: [[200, '_design/app/_view/by_number?limit=20']],
    documents: orders(1000),
  },
  {
    ...WHOLE_DOC,
    name: 'copies that no query reads',
    why: 'the logs have requests of another view only',
    designDoc: { ...ddoc(WHOLE), views: { rows: { map: WHOLE }, by_number: { map: BY_NUMBER } } },
    queries: [[200, '_design/app/_view/by_number?limit=20']],
    documents: orders(1000),
  },
  {
    ...WHOLE_DOC,
    name: 'a copy of one row',
    why: 'one row is read for each request',
    designDoc: ddoc(WHOLE),
    queries: [[400, rows('key=15')]],
    documents: orders(2000),
  },
  {
    ...WHOLE_DOC,
    name: 'copies of tiny documents',
    why: 'the document is hardly larger than two of its fields',
    designDoc: ddoc(WHOLE),
    queries: [[400, rows('startkey=15&limit=10')]],
    documents: tinyOrders(1000),
  },
  {
    ...WHOLE_DOC,
    name: 'the newest copy',
    why: 'one row is read for each request',
    designDoc: ddoc(WHOLE),
    queries: [[400, rows('descending=true&limit=1')]],
    documents: orders(2000),
  },
  {
    ...SKIP,
    name: 'the second page',
    why: 'twenty rows are skipped',
    designDoc: ddoc(BY_NUMBER),
    queries: [[200, rows('limit=20&skip=20')]],
    documents: orders(2000),
  },
  {
    ...IDS,
    outcome: 'partly-out-of-order',
    name: 'numbers without zeros',
    why: 'm10 sorts before m2, but the ids still ascend',
    documents: load(Array.from({ length: 1500 }, (_, at) => `m${at}`)),
    batch: 1000,
  },
  {
    ...IDS,
    outcome: 'partly-out-of-order',
    name: 'ids nearly in order',
    why: '3 % are out of place',
    documents: load(nearlyInOrder(4000, 0.03)),
    batch: 1000,
  },
  {
    ...IDS,
    outcome: 'random-ids',
    name: 'random ids in one request',
    why: 'CouchDB sorts a request itself',
    documents: load(randomIds(2000)),
    batch: 2000,
  },
  {
    ...IDS,
    outcome: 'random-ids',
    name: 'sixty random ids',
    why: 'a B-tree of 60 ids has two or three leaves',
    documents: load(randomIds(60)),
    batch: 20,
  },
  {
    ...IDS,
    outcome: 'random-ids',
    name: 'random ids of large documents',
    why: 'a document is 2,000 times as large as its id',
    documents: load(randomIds(200), 60_000),
    batch: 50,
  },
  {
    ...IDS,
    outcome: 'unsorted',
    name: 'a load that is in order',
    why: 'it is sorted already',
    documents: load(nearlyInOrder(5000, 0)),
    batch: 500,
  },
  {
    ...BATCHES,
    outcome: 'small-requests',
    name: 'requests of 400',
    why: '500 are not much more',
    documents: load(nearlyInOrder(4000, 0)),
    batch: 400,
  },
];

/** @type {(Omit<PlantedCase, 'helps'>)[]} */
const HELPFUL = [
  ...[
    {
      name: 'documents of 100 rows',
      query: 'startkey=15&limit=100&include_docs=true',
      map: BY_NUMBER,
      documents: orders(3000),
    },
    {
      name: 'documents of 300 rows',
      query: 'startkey=15&limit=300&include_docs=true',
      map: BY_NUMBER,
      documents: orders(3000),
    },
    {
      name: 'documents of a customer',
      query: 'key=%22customer-0001%22&include_docs=true',
      map: BY_CUSTOMER,
      documents: orders(3000, { customers: 20 }),
    },
    {
      name: 'large documents of 50 rows',
      query: 'startkey=15&limit=50&include_docs=true',
      map: BY_NUMBER,
      documents: orders(1500, { bytes: 4000 }),
    },
    {
      name: 'the newest 200 documents',
      query: 'descending=true&limit=200&include_docs=true',
      map: BY_NUMBER,
      documents: orders(3000),
    },
  ].map(({ name, query, map, documents }) => ({
    ...DOCS_HOT,
    name,
    why: 'a document is read for each of many rows',
    designDoc: ddoc(map),
    queries: /** @type {[number, string][]} */ ([[400, rows(query)]]),
    documents,
  })),
  {
    ...CUSTOM_SUM,
    name: 'a sum by customer',
    why: 'a call for each of 100 groups',
    designDoc: ddoc(TOTALS, SUM),
    queries: [[200, rows('group=true')]],
    documents: orders(2000),
  },
  {
    ...CUSTOM_SUM,
    name: 'a sum by customer and day',
    why: 'a call for each of 50 groups of a level',
    designDoc: ddoc(TOTALS_BY_DAY, SUM),
    queries: [[200, rows('group_level=1')]],
    documents: orders(2000, { customers: 50 }),
  },
  {
    ...CUSTOM_COUNT,
    name: 'a count by customer',
    why: 'a call for each of 100 groups',
    designDoc: ddoc(TOTALS, COUNT),
    queries: [[200, rows('group=true')]],
    documents: orders(2000),
  },
  {
    ...CUSTOM_STATS,
    name: 'statistics by customer',
    why: 'a call for each of 80 groups',
    designDoc: ddoc(TOTALS, STATS),
    queries: [[200, rows('group=true')]],
    documents: orders(2000, { customers: 80 }),
  },
  {
    ...CUSTOM_SUM,
    name: 'a sum that half of the queries read',
    why: 'a call for each of 100 groups, in half of the requests',
    designDoc: ddoc(TOTALS, SUM),
    queries: [
      [100, rows('group=true')],
      [100, rows('reduce=false&key=%22customer-0001%22')],
    ],
    documents: orders(2000),
  },
  {
    ...CUSTOM_SUM,
    name: 'a sum of many groups in pages',
    why: 'a call for each of 50 groups of a page',
    designDoc: ddoc(TOTALS, SUM),
    queries: [[200, rows('group=true&limit=50&startkey=%22customer-0001%22')]],
    documents: orders(2000, { customers: 400 }),
  },
  {
    ...SKIP,
    name: 'a page after 3,000 rows',
    why: 'all the rows before it are read',
    designDoc: ddoc(BY_NUMBER),
    queries: [[200, rows('limit=20&skip=3000')]],
    documents: orders(5000, { bytes: 20 }),
  },
  {
    ...SKIP,
    name: 'a page of documents after 1,500',
    why: 'all the documents before it are read',
    designDoc: ddoc(BY_NUMBER),
    queries: [[200, rows('include_docs=true&limit=20&skip=1500')]],
    documents: orders(3000, { bytes: 20 }),
  },
  {
    ...WHOLE_DOC,
    name: 'copies of large documents',
    why: '4 kB are sent for each row, of which two fields are read',
    designDoc: ddoc(WHOLE),
    queries: [[400, rows('startkey=15&limit=100')]],
    documents: orders(1500, { bytes: 4000 }),
  },
  {
    ...WHOLE_DOC,
    name: 'copies in long pages',
    why: '1 kB is sent for each of 300 rows',
    designDoc: ddoc(WHOLE),
    queries: [[400, rows('startkey=15&limit=300')]],
    documents: orders(2000, { bytes: 1000 }),
  },
  {
    ...IDS,
    outcome: 'random-ids',
    name: 'random ids in requests of 1,000',
    why: 'each hits a different leaf',
    documents: load(randomIds(10_000)),
    batch: 1000,
  },
  {
    ...IDS,
    outcome: 'random-ids',
    name: 'random ids in requests of 100',
    why: 'each hits a different leaf',
    documents: load(randomIds(6000)),
    batch: 100,
  },
  {
    ...IDS,
    outcome: 'unsorted',
    name: 'half of the ids out of place',
    why: 'each of these hits a different leaf',
    documents: load(nearlyInOrder(8000, 0.5)),
    batch: 100,
  },
  {
    ...BATCHES,
    outcome: 'one-by-one',
    name: 'documents one by one',
    why: 'each is a request and a commit',
    documents: load(nearlyInOrder(400, 0)),
    batch: 1,
  },
  {
    ...BATCHES,
    outcome: 'small-requests',
    name: 'requests of 10',
    why: 'each is a commit',
    documents: load(nearlyInOrder(2000, 0)),
    batch: 10,
  },
  {
    rule: 'changes/js-filter',
    outcome: 'selector-does',
    subject: 'filter',
    name: 'a filter of all changes',
    why: 'the function is called for each change',
    designDoc: { ...NO_DDOC, filters: { open: IS_OPEN } },
    queries: [[60, '_changes?filter=app/open']],
    documents: orders(600),
  },
];

/** @type {PlantedCase[]} */
export const PLANTED = [
  ...USELESS.map((one) => ({ ...one, helps: false })),
  ...HELPFUL.map((one) => ({ ...one, helps: true })),
];

/**
 * @param {PlantedCase} planted
 * @returns {Record<string, string>} its project: files by path
 */
export function filesOf({ designDoc, documents, queries, batch }) {
  const lines = [];
  if (batch === undefined) lines.push(...documents.map((document) => JSON.stringify(document)));
  else {
    for (let first = 0; first < documents.length; first += batch)
      lines.push(JSON.stringify({ docs: documents.slice(first, first + batch) }));
  }
  return {
    'app.json': JSON.stringify(designDoc),
    'documents.jsonl': `${lines.join('\n')}\n`,
    ...(queries.length > 0 ? { 'couch.log': logOf(queries) } : {}),
  };
}

/**
 * @param {PlantedCase['queries']} queries
 * @returns {string} ten minutes of the shop's log, in CouchDB's own format
 */
function logOf(queries) {
  const lines = queries.flatMap(([count, target]) =>
    Array.from({ length: count }, (_, at) => {
      const time = new Date(START + Math.round((at * MS_OF_LOG) / count)).toISOString().replace('Z', '000Z');
      return `[notice] ${time} couchdb@127.0.0.1 <0.1.0> 40905af300 db.shop.example:5984 10.0.0.9 web GET /shop/${target} 200 ok 4`;
    }),
  );
  return `${lines.sort((one, other) => (one.slice(9, 36) < other.slice(9, 36) ? -1 : 1)).join('\n')}\n`;
}
