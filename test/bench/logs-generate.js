// Generates the log of a busy CouchDB from a seed: many databases of one pattern, any number of documents, the queries
// of a shop. Equal seeds give equal logs. Written in blocks, so that a log of any length needs little memory.

import { closeSync, openSync, writeSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { readNumber, readOptions } from './read-options.js';

/**
 * @typedef {object} LogPlan
 * @property {number} lines
 * @property {number} [seed]
 * @property {number} [databases] how many databases of users there are
 * @property {number} [documents] how many document ids there are
 * @property {'couchdb' | 'combined'} [format]
 */

const BLOCK_LINES = 5000;
const START = Date.UTC(2026, 10, 21, 2, 0, 0);
/** A day of traffic, whatever the number of lines. */
const SPAN_MS = 24 * 3600 * 1000;
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
const STATES = ['open', 'paid', 'shipped', 'returned', 'cancelled'];

/**
 * @param {number} seed
 * @returns {() => number} from 0 to below 1 (mulberry32)
 */
function createChance(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/**
 * Writes a log and returns what is in it.
 * @param {string} file
 * @param {LogPlan} plan
 * @returns {number} bytes written
 */
export function writeLog(file, plan) {
  const handle = openSync(file, 'w');
  let bytes = 0;
  try {
    for (const block of generateBlocks(plan)) bytes += writeSync(handle, block);
  } finally {
    closeSync(handle);
  }
  return bytes;
}

/**
 * @param {LogPlan} plan
 * @yields {Buffer} whole lines
 */
export function* generateBlocks({ lines, seed = 1, databases = 50_000, documents = 1_000_000, format = 'couchdb' }) {
  const chance = createChance(seed);
  const whole = (/** @type {number} */ below) => Math.floor(chance() * below);
  const userDatabase = () => `userdb-${hex(whole(databases), 8)}${hex(0x5bd1e995, 8)}`;
  const document = () => `order%3A2026-${String(whole(documents)).padStart(12, '0')}`;
  const day = () => `2026-${String(1 + whole(12)).padStart(2, '0')}-${String(1 + whole(28)).padStart(2, '0')}`;
  for (let at = 0; at < lines; at += BLOCK_LINES) {
    /** @type {string[]} */
    const block = [];
    for (let line = at; line < Math.min(lines, at + BLOCK_LINES); line += 1) {
      const time = new Date(START + Math.floor((line / lines) * SPAN_MS));
      const { method, target, status, ms, bytes } = request(whole, { userDatabase, document, day });
      block.push(format === 'couchdb' ? couchdb(time) : combined(time));

      /** @param {Date} moment */
      function couchdb(moment) {
        const stamp = `${moment.toISOString().slice(0, -1)}${String(whole(1000)).padStart(3, '0')}Z`;
        const nonce = hex(whole(2 ** 32), 8) + hex(whole(256), 2);
        return `[notice] ${stamp} couchdb@couch-${1 + whole(3)}.shop.internal <0.${whole(30000)}.${whole(9)}> ${nonce} couch.shop.example:5984 10.20.${whole(4)}.${whole(250)} storefront ${method} ${target} ${status} ok ${ms}\n`;
      }

      /** @param {Date} moment */
      function combined(moment) {
        const date = `${String(moment.getUTCDate()).padStart(2, '0')}/${MONTHS[moment.getUTCMonth()]}/${moment.getUTCFullYear()}`;
        return `10.20.${whole(4)}.${whole(250)} - storefront [${date}:${moment.toISOString().slice(11, 19)} +0000] "${method} ${target} HTTP/1.1" ${status} ${bytes} "-" "shop-frontend/4.2 (node)" ${(ms / 1000).toFixed(3)}\n`;
      }
    }
    yield Buffer.from(block.join(''), 'latin1');
  }
}

/**
 * @param {(below: number) => number} whole
 * @param {{userDatabase: () => string, document: () => string, day: () => string}} make
 * @returns {{method: string, target: string, status: number, ms: number, bytes: number}}
 */
function request(whole, { userDatabase, document, day }) {
  const ms = 1 + Math.floor(2 ** (whole(1200) / 100));
  const kind = whole(100);
  const answer = (/** @type {string} */ target, method = 'GET', status = 200) => ({
    method,
    target,
    status,
    ms,
    bytes: 40 + whole(90_000),
  });
  if (kind < 24) return answer(`/shop/${document()}`);
  if (kind < 40) return answer(`/${userDatabase()}/${document()}?conflicts=true&revs_info=false`);
  if (kind < 52) {
    const state = STATES[whole(STATES.length)];
    return answer(
      `/shop/_design/orders/_view/by_status?key=%5B%22${state}%22%2C%22${day()}%22%5D&include_docs=true&limit=200&descending=true`,
    );
  }
  if (kind < 62) {
    return answer(
      `/shop/_design/reports/_view/totals_by_day?group_level=2&startkey=%5B%22${day()}%22%5D&endkey=%5B%22${day()}%22%2C%7B%7D%5D&reduce=true`,
    );
  }
  if (kind < 72)
    return answer(`/${userDatabase()}/_changes?feed=longpoll&timeout=20000&since=${whole(99999)}-g1AAAACTeJz`);
  if (kind < 80)
    return answer(
      `/${userDatabase()}/_design/cart/_view/by_article?key=%22${document()}%22&limit=20&skip=${whole(40) * 20}`,
    );
  if (kind < 86) return answer('/shop/_find', 'POST');
  if (kind < 92) return answer(`/${userDatabase()}/${document()}`, 'PUT', 201);
  if (kind < 95) return answer(`/${userDatabase()}/_bulk_docs`, 'POST', 201);
  if (kind < 98) return answer(`/shop/_all_docs?include_docs=true&startkey=%22${document()}%22&limit=500`);
  return answer(`/shop/${document()}`, 'GET', 404);
}

/**
 * @param {number} number
 * @param {number} digits
 * @returns {string}
 */
function hex(number, digits) {
  return number.toString(16).padStart(digits, '0');
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const help = `Writes the log of a busy CouchDB.

  node test/bench/logs-generate.js FILE [LINES [SEED [couchdb|combined]]]   (2000000 lines, seed 1, couchdb)
`;
  const { given } = readOptions(help, {}, { names: ['file', 'lines', 'seed', 'format'] });
  const [file, lines = '2000000', seed = '1', format = 'couchdb'] = given;
  if (file === undefined) {
    process.stderr.write(help);
    process.exit(2);
  }
  writeLog(file, {
    lines: readNumber('LINES', lines, help),
    seed: readNumber('SEED', seed, help),
    format: format === 'combined' ? 'combined' : 'couchdb',
  });
}
