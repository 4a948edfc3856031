// Table of the figures that people published, as they published them, with their sources. Data only; units are part of
// the names.

/** `include_docs` in views, 2016: CouchDB 1.6.1 on a MacBook Air of 2012, 100,000 documents, seconds. */
export const INCLUDE_DOCS = {
  source:
    '"Why you should (generally) avoid using include_docs", CouchDB 1.6.1, a laptop, 100,000 documents, one call for all rows',
  seconds: { emitdoc: 5.821, emitnull: 4.502, 'emitnull + include_docs': 48.492 },
  cpuShare: { emitdoc: 1.05, emitnull: 0.99, 'emitnull + include_docs': 1.4 },
};

/** Bulk load, 2009: CouchDB 0.9.0, 1.9 million documents of 256 bytes, 1,000 per batch. */
export const BULK_LOAD = {
  source: '"CouchDB 0.9.0 bulk document post performance", 1.9 million documents of 256 bytes, 1,000 per batch',
  minutes: { random: 42, sequential: 12 },
  /** Before bulk inserts: about eight hours, one document a request. */
  singleMinutes: 480,
  /** The database with random ids to that with sequential ones. */
  fileRatio: 6,
  /** Documents a batch at which the time had a peak that nobody expected. */
  peakBatch: 3000,
};

/** @typedef {{option: string, language: string, reducer: 'external' | 'built-in', small: number, large: number}} PublishedBuild */

/**
 * Index builds, 2016: CouchDB 1.6.1 in a container, 100,000 documents, changes a second. The post calls the two sizes 1 kB and 300 kB.
 */
export const INDEX_BUILD = {
  source:
    '"CouchDB Indexing Benchmark", CouchDB 1.6.1 in a container on a laptop, 100,000 documents, mean changes per second',
  builds: /** @type {PublishedBuild[]} */ ([
    { option: 'couchjs', language: 'javascript', reducer: 'external', small: 5799.93, large: 648.5 },
    { option: 'couchjs', language: 'javascript', reducer: 'built-in', small: 10769.73, large: 727.18 },
    { option: 'couchpy', language: 'python', reducer: 'external', small: 8120.69, large: 1564.38 },
    { option: 'couchpy', language: 'python', reducer: 'built-in', small: 10470.51, large: 1590.2 },
    {
      option: 'couchpy, simplejson',
      language: 'python_simplejson',
      reducer: 'built-in',
      small: 10201.86,
      large: 2352.69,
    },
    { option: 'couchpy, PyPy', language: 'python_pypy', reducer: 'built-in', small: 11463.88, large: 1265.2 },
    { option: 'Erlang', language: 'erlang', reducer: 'built-in', small: 19821.25, large: 9363.44 },
  ]),
};

/** Coupons, 2011: CouchDB 1.0.2 against Riak 0.14.1 on rented machines, 100,000 coupons, seconds. */
export const COUPONS = {
  source: '"Riak vs. CouchDB for storing 100,000+ coupons", CouchDB 1.0.2 and Riak 0.14.1, machines with one processor',
  ask: {
    'CouchDB, view cold': 74,
    'CouchDB, view warm': 11,
    'Riak, raw map/reduce': 82,
    'Riak, index keys': 65,
    'Riak, key filters': 56,
    'Riak, index keys, 4 nodes': 40,
    'Riak, key filters, 4 nodes': 34,
  },
  load: { CouchDB: 495, Riak: 358, 'Riak with index keys': 692, 'Riak with index keys, 4 nodes': 1025 },
};

/** One document read by 120 connections, ten rounds, 2015: CouchDB 2 before its release, on a laptop, seconds a round. */
export const REQUEST_OVERHEAD = {
  source:
    '"High Performance Erlang, Finding Bottlenecks in a CouchDB Cluster #1", CouchDB 2 before its release, a laptop, 48,000 requests per round',
  before: [44.61, 43.35, 44.53, 44.88, 44.47, 43.09, 43.37, 44.4, 43.48, 44.63],
  after: [38.47, 39.87, 39.76, 37.78, 38.16, 40.02, 40.0, 40.11, 39.97, 41.92],
};
