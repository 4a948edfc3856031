// Makes ids of documents in the orders that people choose: the same for the same seed. All except the ten digits have
// 32 characters, so that only their order differs.

import { createRandom, randomInteger } from '../../shared/seeded-random.js';

/** @typedef {'random' | 'sequential' | 'ten-digits' | 'time-ordered'} IdKind */

export const ID_KINDS = /** @type {const} */ (['random', 'sequential', 'ten-digits', 'time-ordered']);

/** The first moment of ids that are ordered by time, in milliseconds. */
const START = Date.UTC(2026, 0, 1);
/** So many ids fall into one millisecond: those of one have no order of their own (RFC 9562, section 5.7, without a counter). */
const IDS_A_MILLISECOND = 10;

/**
 * @param {IdKind} kind
 * @param {string} seed
 * @param {number} number from 0
 * @returns {string}
 */
export function makeId(kind, seed, number) {
  if (kind === 'sequential') return String(number).padStart(32, '0');
  if (kind === 'ten-digits') return String(number).padStart(10, '0');
  const digits = randomHex(createRandom(`${seed} id ${number}`));
  if (kind === 'random') return digits;
  const time = (START + Math.floor(number / IDS_A_MILLISECOND)).toString(16).padStart(12, '0');
  // UUID 7: 48 bits of time, the version, 12 random bits, the variant, 62 random bits; written without hyphens.
  return `${time}7${digits.slice(13, 16)}8${digits.slice(17)}`;
}

/** @param {() => number} random @returns {string} 32 digits */
function randomHex(random) {
  let text = '';
  while (text.length < 32) text += randomInteger(random, 0, 0x1_0000_0000).toString(16).padStart(8, '0');
  return text;
}
