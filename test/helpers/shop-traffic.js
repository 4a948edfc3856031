// Makes the log and the load of fixtures/projects/shop from a seed: ten minutes of a shop, in the form of CouchDB 3's
// own log, and the orders it began with.

import { chanceOf, makeIds } from './make-ids.js';

const SEED = 4;
const START = Date.parse('2026-03-02T08:00:00.000Z');
const MINUTES = 10;
const MS_OF_MINUTE = 60_000;
const ORDERS = 1200;
const CUSTOMERS = ['lena', 'milo', 'ines', 'oskar', 'wanda'];
const STATES = ['new', 'paid', 'sent'];

/** @typedef {{target: string, method?: string, status?: number, least: number, most: number, report?: string}} Ask `least`, `most`: milliseconds it takes */
/** @typedef {(pick: <T>(list: T[]) => T, number: number) => Ask} MakeAsk `number` counts the requests of the shape from 0 */

/** Requests a minute, and what they are. @type {[number, MakeAsk][]} */
const TRAFFIC = [
  [
    12,
    (pick) => ({
      target: `/shop/_design/app/_view/by_status?key=%22${pick(STATES)}%22&limit=200&include_docs=true`,
      least: 140,
      most: 620,
    }),
  ],
  [11, () => ({ target: '/shop/_design/app/_view/totals?group=true', least: 650, most: 1900 })],
  [
    4,
    (_, number) => ({
      target: `/shop/_design/app/_view/by_date?limit=50&skip=${number * 100}`,
      least: 20,
      most: 20 + number * 8,
    }),
  ],
  [
    1,
    (pick) => ({
      target: `/shop/_changes?filter=app/mine&customer=${pick(CUSTOMERS)}&since=120-g1AAAACTeJzLYWBg`,
      least: 3900,
      most: 6800,
    }),
  ],
  [
    2,
    (pick) => ({
      target: `/shop/_design/app/_view/by_customer?key=%22${pick(CUSTOMERS)}%22&limit=1&include_docs=true`,
      least: 4,
      most: 14,
    }),
  ],
  [
    3,
    () => ({
      method: 'POST',
      target: '/shop/_find',
      least: 90,
      most: 240,
      report: 'results_returned=25 total_docs_examined=2310',
    }),
  ],
  [6, (_, number) => ({ target: `/shop/order-${1000 + number * 7}`, least: 2, most: 9 })],
  [3, (_, number) => ({ method: 'PUT', target: `/shop/order-${9000 + number}`, status: 201, least: 9, most: 30 })],
  [1, () => ({ target: '/_up', least: 1, most: 2 })],
];

/** @returns {string} the log */
export function shopLog() {
  const chance = chanceOf(SEED);
  const pick = (/** @type {any[]} */ list) => list[Math.floor(chance() * list.length)];
  /** @type {{time: number, text: string[]}[]} */
  const events = [];
  for (const [perMinute, make] of TRAFFIC) {
    for (let number = 0; number < perMinute * MINUTES; number += 1) {
      const time = START + Math.floor(((number + chance()) / perMinute) * MS_OF_MINUTE);
      const ask = make(pick, number);
      const ms = Math.round(ask.least + (ask.most - ask.least) * chance() ** 2);
      events.push({ time: time + ms, text: requestLines(ask, ms, { time: time + ms, chance }) });
    }
  }
  events.sort((one, other) => one.time - other.time);
  return `${events.flatMap(({ text }) => text).join('\n')}\n`;
}

/**
 * @param {Ask} ask
 * @param {number} ms
 * @param {{time: number, chance: () => number}} about `time`: when it was answered, in milliseconds since 1970
 * @returns {string[]}
 */
function requestLines({ target, method = 'GET', status = 200, report }, ms, { time, chance }) {
  const at = new Date(time).toISOString().replace('Z', `${String(Math.floor(chance() * 1000)).padStart(3, '0')}Z`);
  const process = `couchdb@127.0.0.1 <0.${Math.floor(chance() * 30_000)}.0>`;
  const nonce = Math.floor(chance() * 2 ** 40)
    .toString(16)
    .padStart(10, '0');
  const line = `[notice] ${at} ${process} ${nonce} db.shop.example:5984 10.0.0.9 web ${method} ${target} ${status} ok ${ms}`;
  if (report === undefined) return [line];
  const stats = `dbname="shop" execution_time_ms=${ms - 3}.482 nonce="${nonce}" ${report} total_keys_examined=0`;
  return [`[report] ${at} ${process} ${nonce} [mango-stats ${stats} total_quorum_docs_examined=0]`, line];
}

/** @returns {string} documents, one a line */
export function shopLoad() {
  const chance = chanceOf(SEED);
  const lines = makeIds('uuid4', ORDERS, SEED).map((id) => {
    const order = {
      _id: id,
      type: 'order',
      status: STATES[Math.floor(chance() * STATES.length)],
      total: Math.ceil(chance() * 90),
    };
    return JSON.stringify(order);
  });
  return `${lines.join('\n')}\n`;
}
