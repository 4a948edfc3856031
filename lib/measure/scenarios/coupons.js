// Defines the ways to answer "coupons redeemed fewer than 50 times", and summarizes the samples of `coupons`: the time
// of the answer by each way, with few and with more shards, and what each index costs the load. Pure.

import { columnsOf, compare, middle, pointOf, ratioOf, timeEach } from './compare.js';
import { COUPONS } from './published.js';

/** @import { Place } from './compare.js' */
/** @import { BenchSample, BenchTable, Comparison, Findings, Settings } from './scenario.js' */

/** Fewer than so many times. */
export const LIMIT = 50;

/** What a database of coupons holds beside them. @typedef {'none' | 'names' | 'ranges'} IndexDocuments */

/**
 * @typedef {object} Way
 * @property {string} id
 * @property {string} about
 * @property {IndexDocuments} data the database that is queried
 * @property {string} stands for which row of the published table
 */

/** @type {Way[]} */
export const WAYS = [
  {
    id: 'scan documents',
    about: 'the client reads and checks every coupon',
    data: 'none',
    stands: 'Riak, raw map/reduce',
  },
  {
    id: 'scan index documents',
    about: 'the client reads every index document and parses its name',
    data: 'names',
    stands: 'Riak, index keys',
  },
  {
    id: 'range of index documents',
    about: 'the index documents whose name starts with the value are read as one range',
    data: 'ranges',
    stands: 'Riak, key filters',
  },
  { id: 'view, cold', about: 'a view is built, then queried', data: 'none', stands: 'CouchDB, view cold' },
  { id: 'view, warm', about: 'a built view is queried', data: 'none', stands: 'CouchDB, view warm' },
  { id: 'Mango index, cold', about: 'a JSON index is built, then queried', data: 'none', stands: '' },
  { id: 'Mango index, warm', about: 'a built JSON index is queried', data: 'none', stands: '' },
];

/** What a load may bring with it. @type {Record<IndexDocuments, string>} */
export const LOADS = {
  none: 'coupons alone',
  names: 'with index documents, name first',
  ranges: 'with index documents, value first',
};

/** @param {number} shards @returns {string} */
export function setOfQuery(shards) {
  return `query, ${shards} ${shards === 1 ? 'shard' : 'shards'}`;
}

/** @param {number} shards @returns {string} */
export function setOfLoad(shards) {
  return `load, ${shards} ${shards === 1 ? 'shard' : 'shards'}`;
}

/**
 * @param {number} number
 * @returns {string} the code of a coupon: spread over all codes, as such codes are, and the same for the same number
 */
export function codeOf(number) {
  // An odd factor takes every 32-bit number to another one.
  return `coupon-${(Math.imul(number, 0x9e3779b1) >>> 0).toString(36).padStart(7, '0')}`;
}

/**
 * @param {IndexDocuments} data
 * @param {string} code
 * @param {number} count
 * @returns {string} the id of the index document
 */
export function indexIdOf(data, code, count) {
  const value = String(count).padStart(5, '0');
  return data === 'names' ? `idx=redeemed/${code}/${value}` : `idx=redeemed/${value}/${code}`;
}

/**
 * @param {string} id of an index document, name first
 * @returns {number}
 */
export function countInId(id) {
  return Number(id.split('/')[2]);
}

/**
 * @param {readonly BenchSample[]} samples
 * @param {Settings} settings
 * @returns {Findings}
 */
export function summarize(samples, settings) {
  const shards = /** @type {number[]} */ (settings['shards']).filter((count) =>
    samples.some(({ set }) => set === setOfLoad(count)),
  );
  return {
    tables: [askTable(samples, shards), loadTable(samples, shards)],
    comparisons: comparisonsOf(samples, shards),
    pictures: [
      {
        title: 'Query time by access path, relative to the warm view',
        kind: 'bars',
        x: { label: 'access path' },
        y: { label: 'time relative to the warm view', unit: 'times', isLogarithmic: true },
        series: shards.map((count) => {
          const set = setOfQuery(count);
          return {
            name: count === 1 ? '1 shard' : `${count} shards`,
            points: WAYS.flatMap(({ id: arm }) =>
              pointOf(arm, ratioOf(samples, { set, arm }, { set, arm: 'view, warm' })),
            ),
          };
        }),
      },
    ],
  };
}

/**
 * @param {readonly BenchSample[]} samples
 * @param {number[]} shards
 * @returns {BenchTable}
 */
function askTable(samples, shards) {
  return {
    title: `"Redeemed fewer than ${LIMIT} times"`,
    columns: [
      { title: 'access path', unit: 'text' },
      ...shards.flatMap((count) =>
        columnsOf({ [count === 1 ? '1 shard' : `${count} shards`]: 'ms', 'vs. warm view': 'times', response: 'bytes' }),
      ),
    ],
    rows: WAYS.filter(({ id }) => samples.some(({ arm }) => arm === id)).map(({ id: arm }) => [
      arm,
      ...shards.flatMap((count) => {
        const set = setOfQuery(count);
        return [
          middle(samples, { set, arm }, wholeTime),
          ratioOf(samples, { set, arm }, { set, arm: 'view, warm' })?.ratio ?? null,
          middle(samples, { set, arm }, ({ bytes }) => bytes),
        ];
      }),
    ]),
    notes: ['response: bytes sent to the client, which is everything where the client filters'],
  };
}

/**
 * @param {readonly BenchSample[]} samples
 * @param {number[]} shards
 * @returns {BenchTable}
 */
function loadTable(samples, shards) {
  const plain = LOADS.none;
  /** @type {[string, string, string][]} name, load, what is built behind it */
  const rows = [
    ['no index', plain, ''],
    ['index documents, name first', LOADS.names, ''],
    ['index documents, value first', LOADS.ranges, ''],
    ['view, built after the load', plain, 'view, cold'],
    ['Mango index, built after the load', plain, 'Mango index, cold'],
  ];
  return {
    title: 'Load time and file size by index',
    columns: [
      { title: 'index', unit: 'text' },
      ...shards.flatMap((count) =>
        columnsOf({
          [count === 1 ? '1 shard' : `${count} shards`]: 'ms',
          'vs. no index': 'times',
          'file size': 'bytes',
        }),
      ),
    ],
    rows: rows.map(([name, load, built]) => [
      name,
      ...shards.flatMap((count) => {
        const place = { set: setOfLoad(count), arm: load };
        const alone = middle(samples, { set: setOfLoad(count), arm: plain }, wholeTime);
        const loading = middle(samples, place, wholeTime);
        const building = built === '' ? 0 : middle(samples, { set: setOfQuery(count), arm: built }, wholeTime);
        const whole = loading === null || building === null ? null : loading + building;
        const file = built === '' ? middle(samples, place, ({ sizes }) => sizes?.['file']) : null;
        return [whole, whole === null || alone === null ? null : whole / alone, file];
      }),
    ]),
  };
}

/**
 * @param {readonly BenchSample[]} samples
 * @param {number[]} shards
 * @returns {Comparison[]}
 */
function comparisonsOf(samples, [few, many]) {
  const { ask, load } = COUPONS;
  if (few === undefined) return [];
  /** @type {(arm: string, shards?: number) => Place} */
  const at = (arm, shards = few) => ({ set: setOfQuery(shards), arm });
  const warm = at('view, warm');
  const couch = ask['CouchDB, view warm'];
  const raw = ask['Riak, raw map/reduce'];
  const nodes =
    many === undefined
      ? 'only one shard count was measured'
      : 'shards of one machine are not nodes: they share its processors and its disk';
  /** @type {(what: string, published: number, arm: string) => Comparison} */
  const spread = (what, published, arm) =>
    compare(what, published, many === undefined ? null : ratioOf(samples, at(arm, many), at(arm)), nodes);
  const loads = (/** @type {number} */ count, /** @type {string} */ arm) => ({ set: setOfLoad(count), arm });
  return [
    compare('view cold / view warm', ask['CouchDB, view cold'] / couch, ratioOf(samples, at('view, cold'), warm)),
    compare(
      'scan documents / view warm',
      raw / couch,
      ratioOf(samples, at('scan documents'), warm),
      'published: Riak, raw map/reduce',
    ),
    compare(
      'scan index documents / scan documents',
      ask['Riak, index keys'] / raw,
      ratioOf(samples, at('scan index documents'), at('scan documents')),
      'published: Riak, index keys with map/reduce',
    ),
    compare(
      'range of index documents / scan documents',
      ask['Riak, key filters'] / raw,
      ratioOf(samples, at('range of index documents'), at('scan documents')),
      'published: Riak, key filters, which look at every key; a range of sorted ids does not',
    ),
    spread(
      `scan index documents: ${many ?? 'more'} shards / ${few}`,
      ask['Riak, index keys, 4 nodes'] / ask['Riak, index keys'],
      'scan index documents',
    ),
    spread(
      `range of index documents: ${many ?? 'more'} shards / ${few}`,
      ask['Riak, key filters, 4 nodes'] / ask['Riak, key filters'],
      'range of index documents',
    ),
    compare(
      'load: with index documents / without',
      load['Riak with index keys'] / load['Riak'],
      ratioOf(samples, loads(few, LOADS.names), loads(few, LOADS.none), wholeTime),
    ),
    compare(
      `load with index documents: ${many ?? 'more'} shards / ${few}`,
      load['Riak with index keys, 4 nodes'] / load['Riak with index keys'],
      many === undefined ? null : ratioOf(samples, loads(many, LOADS.names), loads(few, LOADS.names), wholeTime),
      nodes,
    ),
  ];
}

/** The whole time, and not that of a thing: with index documents a load has twice as many. @type {import('./compare.js').Metric} */
function wholeTime(sample) {
  return timeEach(sample) === undefined ? undefined : sample.ms;
}
