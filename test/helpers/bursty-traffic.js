import { createRandom } from './internals.js';

// Makes logs of a shop with traffic that does not change in the long run, but comes in sessions, whose requests follow each other, fail together, and
// get slow together while the server is busy: what a comparison of logs must not take for a change.

/** @import { Random } from '../../lib/shared/seeded-random.js' */

/**
 * @typedef {object} Kind of request
 * @property {string} target
 * @property {number} perMinute sessions
 * @property {number} size requests in a session, on average
 * @property {number} ms that it usually takes
 * @property {number} [failing] part of the sessions that fail
 */

/** @typedef {{perMinute?: number, ms?: number, failing?: number}} Factors what is changed of a kind */

const START = Date.parse('2026-03-02T08:00:00.000Z');
const MS_OF_MINUTE = 60_000;
/** Mean pause within a session. */
const PAUSE_MS = 15_000;
/** Standard deviations of the logarithm of the time: of each request, and of what slows all of a few minutes. */
const NOISE = 0.5;
const BUSY = 0.25;
/** Part of the time that one state of the server lasts into the next minute. */
const LASTING = 0.8;
const OUTLIERS = 0.02;

/** @type {Kind[]} */
const KINDS = [
  { target: '/shop/_design/app/_view/by_status?key=%22new%22&limit=200', perMinute: 6, size: 3, ms: 240 },
  { target: '/shop/_design/app/_view/totals?group=true', perMinute: 2, size: 2, ms: 900 },
  { target: '/shop/_design/app/_view/by_date?limit=50&skip=100', perMinute: 0.5, size: 8, ms: 60 },
  { target: '/shop/_design/app/_view/by_customer?key=%22lena%22', perMinute: 4, size: 1, ms: 12, failing: 0.05 },
  { target: '/shop/_changes?since=12&limit=100', perMinute: 1, size: 1, ms: 30 },
  { target: '/shop/order-1001', perMinute: 10, size: 2, ms: 4, failing: 0.03 },
  { target: '/shop/_all_docs?include_docs=true&limit=20', perMinute: 0.1, size: 5, ms: 80 },
  { target: '/shop/_design/app/_view/missing', perMinute: 0.05, size: 6, ms: 5, failing: 1 },
  { target: '/shop/_design/stock/_view/low?descending=true', perMinute: 0.02, size: 20, ms: 150, failing: 0.2 },
  { target: '/_up', perMinute: 1, size: 1, ms: 1 },
];

/**
 * @param {string} seed
 * @param {{minutes?: number, day?: number, factors?: Record<number, Factors>}} [options] `day`: how many days later it is; `factors`: by the number of a kind
 * @returns {string[]} lines of CouchDB's log in the order of time
 */
export function burstyLines(seed, { minutes = 60, day = 0, factors = {} } = {}) {
  const random = createRandom(seed);
  const start = START + day * 1440 * MS_OF_MINUTE;
  const end = start + minutes * MS_OF_MINUTE;
  /** @type {{time: number, text: string}[]} */
  const lines = [];
  for (const [number, kind] of KINDS.entries()) {
    const { perMinute = 1, ms = 1, failing = 1 } = factors[number] ?? {};
    const busy = busyMinutes(random, minutes + 1);
    for (let session = start - 5 * MS_OF_MINUTE; session < end; ) {
      session += exponential(random) * (MS_OF_MINUTE / (kind.perMinute * perMinute));
      const isFailing = random() < (kind.failing ?? 0) * failing;
      for (let time = session; ; time += exponential(random) * PAUSE_MS) {
        const minute = Math.floor((time - start) / MS_OF_MINUTE);
        const noise = normal(random) * NOISE + (busy[minute] ?? 0) + (random() < OUTLIERS ? 3 : 0);
        const took = Math.round(kind.ms * ms * Math.exp(noise));
        if (time >= start && time < end)
          lines.push({ time, text: lineOf(kind.target, time, isFailing ? 500 : 200, took) });
        if (random() < 1 / kind.size) break;
      }
    }
  }
  return lines.sort((one, other) => one.time - other.time).map(({ text }) => text);
}

/** @param {Random} random @param {number} minutes @returns {number[]} what slows the requests of each minute: a logarithm */
function busyMinutes(random, minutes) {
  const states = [BUSY * normal(random)];
  for (let at = 1; at < minutes; at += 1) {
    states.push((states[at - 1] ?? 0) * LASTING + BUSY * Math.sqrt(1 - LASTING ** 2) * normal(random));
  }
  return states;
}

/** @param {string} target @param {number} time @param {number} status @param {number} ms @returns {string} */
function lineOf(target, time, status, ms) {
  const at = new Date(time).toISOString().replace('Z', '000Z');
  return `[notice] ${at} couchdb@127.0.0.1 <0.11.0> 0123456789 db.shop.example:5984 10.0.0.9 web GET ${target} ${status} ok ${ms}`;
}

/** @param {Random} random @returns {number} 1 on average */
function exponential(random) {
  return -Math.log(1 - random());
}

/** @param {Random} random @returns {number} of standard deviation 1 (Box and Muller) */
function normal(random) {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
