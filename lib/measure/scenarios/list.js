// Lists the scenarios with their settings: small sizes by default, and those of the published measurements. Runs
// nothing.

/** @import { ScenarioSpec } from './scenario.js' */

/** @type {ScenarioSpec[]} */
export const SCENARIOS = [
  {
    name: 'include-docs',
    about: 'query a view that emits the document, one that emits null, and the latter with include_docs',
    question: 'How much slower is include_docs than documents stored in the index?',
    mechanisms: ['document-lookup', 'kept-index'],
    defaults: { size: 2000, rounds: 6, pages: [1, 20, 200], requests: 20 },
    full: { size: 100_000, rounds: 6, pages: [1, 20, 200], requests: 200 },
  },
  {
    name: 'bulk-load',
    about: 'load documents with random, sequential and time-ordered ids, in batches of different sizes',
    question: 'How do id order and batch size affect the load time and the file size?',
    mechanisms: ['append-only-tree', 'round-trip'],
    defaults: { size: 2000, rounds: 6, batch: 1000, batches: [1, 10, 100, 1000], 'shard-count': 1 },
    full: {
      size: 100_000,
      rounds: 6,
      batch: 1000,
      batches: [1, 10, 100, 1000, 2000, 3000, 4000, 6000, 10_000, 20_000],
      'shard-count': 1,
    },
  },
  {
    name: 'index-build',
    about: 'build one view with every query server, with no, an external and a built-in reducer',
    question: 'How do the query server and the reducer affect the speed of an index build?',
    mechanisms: ['query-server'],
    defaults: {
      size: 1000,
      'large-size': 20,
      rounds: 6,
      'document-bytes': [1000, 300_000],
      'shard-count': 1,
      timeout: 5,
    },
    full: {
      size: 50_000,
      'large-size': 300,
      rounds: 6,
      'document-bytes': [1000, 300_000],
      'shard-count': 1,
      timeout: 5,
    },
  },
  {
    name: 'coupons',
    about: 'answer one query by scan, hand-maintained index documents, view and Mango index; with 1 and 4 shards',
    question:
      'Which access path answers "redeemed fewer than 50 times" fastest, and what does it cost during the load?',
    mechanisms: ['kept-index', 'scatter-gather'],
    defaults: { size: 2000, rounds: 6, batch: 1000, shards: [1, 4] },
    full: { size: 100_000, rounds: 6, batch: 1000, shards: [1, 4] },
  },
  {
    name: 'request-overhead',
    about: 'read one document over 120 connections in ten rounds, before and after a change of yours',
    question: 'Does the change make every request faster?',
    mechanisms: ['round-trip'],
    defaults: { rounds: 10, connections: 120, requests: 10, pause: 1 },
    full: { rounds: 10, connections: 120, requests: 400, pause: 90 },
  },
];
