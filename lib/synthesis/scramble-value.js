// One text or number in, another of the same form out: the same for the same value and seed. Knows no documents.

import { createRandom, randomInteger } from '../experiments/seeded-random.js';

/** @import { Random } from '../experiments/seeded-random.js' */

const DATE = /^(\d{4})-(\d\d)-(\d\d)(?:([T ])(\d\d):(\d\d)(?::(\d\d))?(?:\.(\d{1,9}))?(Z|[+-]\d\d:?\d\d)?)?$/;
const DAY = 86_400_000;
const MINUTE = 60_000;
/** A word of the old text that is seen in the new one makes for another try. */
const WORD = 4;
const MOST_TRIES = 50;

/**
 * @param {string} text
 * @param {string} seed
 * @returns {string} of the same length and the same bytes in UTF-8, with letters for letters and digits for digits
 */
export function scrambleText(text, seed) {
  const date = moveDate(text, seed);
  if (date !== undefined) return date;
  const words = wordsOf(text);
  const random = createRandom(`${seed} text ${text}`);
  let scrambled = text;
  for (let attempt = 0; attempt < MOST_TRIES; attempt += 1) {
    scrambled = '';
    for (const character of text) scrambled += otherCharacter(character, random);
    if (words.size === 0 || !hasWord(scrambled, words)) break;
  }
  return scrambled;
}

/**
 * @param {number} value
 * @param {string} seed
 * @returns {number} with as many digits before and behind the point; 0 stays 0
 */
export function scrambleNumber(value, seed) {
  if (!Number.isFinite(value) || value === 0) return value;
  const written = String(value);
  const [, sign = '', digits = '', exponent = ''] = /^(-?)([\d.]+)(e.*)?$/.exec(written) ?? [];
  const random = createRandom(`${seed} number ${written}`);
  const first = digits.search(/[1-9]/);
  const last = digits.includes('.') ? digits.length - 1 : -1;
  const draw = (/** @type {string} */ digit, /** @type {number} */ at) => {
    if (digit === '.' || at < first) return digit;
    // Zeros at these ends would change the number of digits.
    return String(randomInteger(random, at === first || at === last ? 1 : 0, 10));
  };
  for (let attempt = 0; attempt < MOST_TRIES; attempt += 1) {
    const made = Number(sign + [...digits].map(draw).join('') + exponent);
    // Beyond 15 digits not every text of digits is a number.
    if (Number.isFinite(made) && String(made).length === written.length) return made;
  }
  return value;
}

/**
 * @param {string} text
 * @param {string} seed
 * @returns {string | undefined} the date in the same form some time earlier, the same for all dates: their order is kept.
 *   Undefined where it is none
 */
function moveDate(text, seed) {
  const parts = DATE.exec(text);
  if (!parts) return undefined;
  const [, year = '', month = '', day = '', letter, hour = '0', minute = '0', second, fraction, zone = ''] = parts;
  const moment = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute));
  if (Number(year) < 1000 || new Date(moment).toISOString().slice(0, 10) !== `${year}-${month}-${day}`)
    return undefined;
  const random = createRandom(`${seed} dates`);
  const days = randomInteger(random, 30, 700);
  const minutes = letter ? randomInteger(random, 1, 24 * 60) : 0;
  const moved = new Date(moment - days * DAY - minutes * MINUTE).toISOString();
  if (!/^\d{4}-/.test(moved)) return undefined;
  if (!letter) return moved.slice(0, 10);
  const seconds = (second === undefined ? '' : `:${second}`) + (fraction === undefined ? '' : `.${fraction}`);
  return `${moved.slice(0, 10)}${letter}${moved.slice(11, 16)}${seconds}${zone}`;
}

/**
 * Letters of two bytes in UTF-8 that have a partner in the other case, and the beginnings of blocks of letters of three and four.
 */
const LOWER = 'àáâãäåæçèéêëìíîïðñòóôõöøùúûüýþ';
const UPPER = LOWER.toUpperCase();
const LETTERS_OF_THREE_BYTES = 0x4e00;
const LETTERS_OF_FOUR_BYTES = 0x20000;

/**
 * @param {string} character
 * @param {Random} random
 * @returns {string}
 */
function otherCharacter(character, random) {
  if (character >= 'a' && character <= 'z') return otherOf('abcdefghijklmnopqrstuvwxyz', character, random);
  if (character >= 'A' && character <= 'Z') return otherOf('ABCDEFGHIJKLMNOPQRSTUVWXYZ', character, random);
  if (character >= '0' && character <= '9') return String(randomInteger(random, 0, 10));
  if (character < '\u0080') return character;
  const point = character.codePointAt(0) ?? 0;
  if (/\p{Nd}/u.test(character)) return otherDigit(point, random);
  if (!/\p{L}/u.test(character)) return character;
  if (point < 0x800) return otherOf(/\p{Lu}/u.test(character) ? UPPER : LOWER, character, random);
  const first = point < 0x10000 ? LETTERS_OF_THREE_BYTES : LETTERS_OF_FOUR_BYTES;
  const drawn = first + randomInteger(random, 0, 0x4000);
  return String.fromCodePoint(drawn === point ? drawn + 1 : drawn);
}

/**
 * @param {string} letters
 * @param {string} letter
 * @param {Random} random
 * @returns {string} another of them
 */
function otherOf(letters, letter, random) {
  const at = letters.indexOf(letter);
  if (at === -1) return letters[randomInteger(random, 0, letters.length)] ?? letter;
  return letters[(at + randomInteger(random, 1, letters.length)) % letters.length] ?? letter;
}

/**
 * @param {number} point of a digit of any script: ten of them stand side by side
 * @param {Random} random
 * @returns {string}
 */
function otherDigit(point, random) {
  let zero = point;
  while (point - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String.fromCodePoint(zero + randomInteger(random, 0, 10));
}

/**
 * @param {string} text
 * @returns {Set<string>} each four letters that stand side by side in it
 */
function wordsOf(text) {
  /** @type {Set<string>} */
  const words = new Set();
  for (const [run] of text.matchAll(/\p{L}{4,}/gu)) {
    for (let at = 0; at + WORD <= run.length; at += 1) words.add(run.slice(at, at + WORD));
  }
  return words;
}

/**
 * @param {string} text
 * @param {Set<string>} words
 * @returns {boolean} whether one of them stands in it
 */
function hasWord(text, words) {
  for (let at = 0; at + WORD <= text.length; at += 1) if (words.has(text.slice(at, at + WORD))) return true;
  return false;
}
