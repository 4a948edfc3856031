// Makes the documents of the scenarios from a seed: tiny ones, records of 256 bytes, scores with ballast, coupons.
// Pure.

import { createRandom, randomInteger } from '../../shared/seeded-random.js';

/** @typedef {Record<string, unknown>} Body a document without its id */

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const DAY = 86_400_000;
const YEAR_START = Date.UTC(2026, 0, 1);
/** Bytes of a document of scores without its ballast, about. */
const SCORE_BYTES = 120;
/** Ballast comes in strings of this length, in characters. */
const PIECE = 800;

/**
 * @param {string} seed
 * @param {number} number
 * @returns {Body} one value of 16 letters
 */
export function makeTiny(seed, number) {
  return { value1: letters(createRandom(`${seed} tiny ${number}`), 16) };
}

/**
 * @param {string} seed
 * @param {number} number
 * @returns {Body} of 100 to 413 bytes with an id of ten digits, 256 on average
 */
export function makeRecord(seed, number) {
  const random = createRandom(`${seed} record ${number}`);
  return {
    type: 'stock',
    article: `article-${String(number % 1000).padStart(4, '0')}`,
    count: randomInteger(random, 10, 100),
    note: letters(random, randomInteger(random, 19, 332)),
  };
}

/**
 * @param {string} seed
 * @param {number} number
 * @param {number} bytes about how large the document is to be
 * @returns {Body} a score of a customer with its date; what is missing to the size is ballast that no function reads
 */
export function makeScore(seed, number, bytes) {
  const random = createRandom(`${seed} score ${number}`);
  const date = new Date(YEAR_START + randomInteger(random, 0, 365) * DAY).toISOString().slice(0, 10);
  /** @type {Body} */
  const document = {
    metadata: { docType: 'score', createdAt: date },
    username: letters(random, 6),
    score: randomInteger(random, 0, 5001),
  };
  const ballast = ballastOf(random, bytes - SCORE_BYTES);
  return ballast ? { ...document, custom_data: ballast } : document;
}

/**
 * @param {string} seed
 * @param {number} number
 * @returns {{affiliate_id: string, redeemed_count: number}} counts from 0 to 99, evenly
 */
export function makeCoupon(seed, number) {
  const random = createRandom(`${seed} coupon ${number}`);
  return {
    affiliate_id: `affiliate-${String(randomInteger(random, 0, 200)).padStart(3, '0')}`,
    redeemed_count: randomInteger(random, 0, 100),
  };
}

/**
 * @param {() => number} random
 * @param {number} bytes
 * @returns {Record<string, string> | undefined} undefined where there is no room for any
 */
function ballastOf(random, bytes) {
  if (bytes < 20) return undefined;
  /** @type {[string, string][]} */
  const members = [];
  // A name, quotation marks, colon and comma take 14 characters.
  for (let left = bytes; left > 14; left -= PIECE + 14) {
    members.push([`${letters(random, 8)}${members.length}`, words(random, Math.min(PIECE, left - 14))]);
  }
  return Object.fromEntries(members);
}

/**
 * @param {() => number} random
 * @param {number} length
 * @returns {string} one word again and again, as in the published generator: files compress it
 */
function words(random, length) {
  const word = letters(random, 8);
  return word.repeat(Math.ceil(length / word.length)).slice(0, length);
}

/**
 * @param {() => number} random
 * @param {number} length
 * @returns {string}
 */
function letters(random, length) {
  let text = '';
  while (text.length < length) text += LETTERS[randomInteger(random, 0, LETTERS.length)] ?? 'a';
  return text;
}
