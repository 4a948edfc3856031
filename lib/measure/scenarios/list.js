// Lists the scenarios with their settings: small sizes by default, and those of the published measurements. Runs
// nothing.

/** @import { ScenarioSpec } from './scenario.js' */

/** @type {ScenarioSpec[]} */
export const SCENARIOS = [
  {
    name: 'include-docs',
    about: 'read a view that holds documents, one that holds nothing, and that with include_docs',
    question: 'How much longer does it take to read documents beside an index than in it?',
    mechanisms: ['document-lookup', 'kept-index'],
    defaults: { size: 2000, rounds: 6, pages: [1, 20, 200], requests: 20 },
    full: { size: 100_000, rounds: 6, pages: [1, 20, 200], requests: 200 },
  },
  {
    name: 'bulk-load',
    about: 'load documents under random, sequential and time-ordered ids, in batches of many sizes',
    question: 'What do the order of ids and the size of batches do to the time of a load and to its file?',
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
    about: 'build one view under every query server, with no, an external and a built-in reducer',
    question: 'What do the query server and the reducer do to the speed of an index build?',
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
    about: 'ask one question by scan, hand-kept index documents, view and Mango index; with 1 and 4 shards',
    question: 'Which way into the data answers "redeemed fewer than 50 times" soonest, and what does it cost the load?',
    mechanisms: ['kept-index', 'scatter-gather'],
    defaults: { size: 2000, rounds: 6, batch: 1000, shards: [1, 4] },
    full: { size: 100_000, rounds: 6, batch: 1000, shards: [1, 4] },
  },
  {
    name: 'request-overhead',
    about: 'read one document by 120 connections in ten rounds, before and after a change that you name',
    question: 'Does the change make every request faster?',
    mechanisms: ['round-trip'],
    defaults: { rounds: 10, connections: 120, requests: 10, pause: 1 },
    full: { rounds: 10, connections: 120, requests: 400, pause: 90 },
  },
];
