// Scrambles one string or number into another of the same form: the same for the same value and seed. Knows no
// documents.

import { createRandom, randomInteger } from '../../shared/seeded-random.js';

const DATE = /^(\d{4})-(\d\d)-(\d\d)(?:([T ])(\d\d):(\d\d)(?::(\d\d))?(?:\.(\d{1,9}))?(Z|[+-]\d\d:?\d\d)?)?$/;
const DAY = 86_400_000;
const MINUTE = 60_000;
/** A word of the old text that is seen in the new one makes for another try. */
const WORD = 4;
const MAX_TRIES = 50;

/**
 * Each character is moved within its kind by a step that what stands before it decides. So texts that differ stay different, and rows of
 * one key, or of keys with one beginning, stay together.
 * @param {string} text
 * @param {string} seed
 * @returns {string} of the same length and the same bytes in UTF-8, with letters for letters and digits for digits
 */
export function scrambleText(text, seed) {
  const date = moveDate(text, seed);
  if (date !== undefined) return date;
  const words = wordsOf(text);
  let scrambled = text;
  for (let attempt = 0; attempt < MAX_TRIES; attempt += 1) {
    const steps = new Steps(`${seed} text ${attempt}`);
    scrambled = '';
    for (const character of text) scrambled += otherCharacter(character, steps.after(character));
    // A word of the old text may come out at another place, by chance: then another seed is taken, for this text alone.
    if (words.size === 0 || !hasWord(scrambled, words)) break;
  }
  return scrambled;
}

/**
 * @param {number} value
 * @param {string} seed
 * @returns {number} with as many digits before and behind the point, another one for each number; 0 stays 0
 */
export function scrambleNumber(value, seed) {
  if (!Number.isFinite(value) || value === 0) return value;
  const written = String(value);
  const [, sign = '', digits = '', exponent = ''] = /^(-?)([\d.]+)(e.*)?$/.exec(written) ?? [];
  const first = digits.search(/[1-9]/);
  const last = digits.includes('.') ? digits.length - 1 : -1;
  for (let attempt = 0; attempt < MAX_TRIES; attempt += 1) {
    const steps = new Steps(`${seed} number ${attempt} ${sign}${digits.length} ${digits.indexOf('.')}${exponent}`);
    let made = '';
    for (const [at, digit] of [...digits].entries()) {
      const step = steps.after(digit);
      // Zeros at these ends would change the number of digits.
      if (digit === '.' || at < first) made += digit;
      else if (at === first || at === last) made += String(((Number(digit) - 1 + step) % 9) + 1);
      else made += String((Number(digit) + step) % 10);
    }
    const number = Number(sign + made + exponent);
    // Beyond 15 digits not every text of digits is a number.
    if (Number.isFinite(number) && String(number).length === written.length) return number;
  }
  return value;
}

/** Steps that are the same after the same characters: what makes a scrambled text another one for each text. */
class Steps {
  #state;

  /** @param {string} seed */
  constructor(seed) {
    this.#state = Math.floor(createRandom(seed)() * 2 ** 32);
  }

  /** @param {string} character that is moved now @returns {number} a whole number, from what stood before it alone */
  after(character) {
    const step = this.#state >>> 0;
    const mixed = Math.imul(this.#state ^ (character.codePointAt(0) ?? 0), 0x9e3779b1);
    this.#state = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b) ^ (mixed >>> 13);
    return step;
  }
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

/** Letters of two bytes in UTF-8 that have a partner in the other case. */
const LOWER = 'àáâãäåæçèéêëìíîïðñòóôõöøùúûüýþ';
const UPPER = LOWER.toUpperCase();
/** Where blocks of letters of three and of four bytes begin. */
const LETTERS_OF_THREE_BYTES = 0x4e00;
const LETTERS_OF_FOUR_BYTES = 0x20000;
const BLOCK = 0x4000;

/** All other letters of two bytes, as far as they were needed. @type {string} */
let otherLetters = '';

/** @returns {string} */
function otherLettersOfTwoBytes() {
  if (otherLetters === '') {
    const points = Array.from({ length: 0x800 - 0x80 }, (_, at) => String.fromCodePoint(0x80 + at));
    otherLetters = points.filter((one) => /\p{L}/u.test(one) && !LOWER.includes(one) && !UPPER.includes(one)).join('');
  }
  return otherLetters;
}

/**
 * @param {string} character
 * @param {number} step
 * @returns {string} another one of its kind: for one step, another for each character
 */
function otherCharacter(character, step) {
  if (character >= 'a' && character <= 'z') return moved('abcdefghijklmnopqrstuvwxyz', character, step);
  if (character >= 'A' && character <= 'Z') return moved('ABCDEFGHIJKLMNOPQRSTUVWXYZ', character, step);
  if (character >= '0' && character <= '9') return String((Number(character) + (step % 10)) % 10);
  if (character < '\u0080') return character;
  const point = character.codePointAt(0) ?? 0;
  if (/\p{Nd}/u.test(character)) return otherDigit(point, step);
  if (!/\p{L}/u.test(character)) return character;
  if (point < 0x800) {
    const alphabet = [LOWER, UPPER].find((letters) => letters.includes(character)) ?? otherLettersOfTwoBytes();
    return moved(alphabet, character, step);
  }
  const first = point < 0x10000 ? LETTERS_OF_THREE_BYTES : LETTERS_OF_FOUR_BYTES;
  return String.fromCodePoint(first + ((((point - first) % BLOCK) + BLOCK + 1 + (step % (BLOCK - 1))) % BLOCK));
}

/**
 * @param {string} letters
 * @param {string} letter one of them
 * @param {number} step
 * @returns {string} another of them
 */
function moved(letters, letter, step) {
  return letters[(letters.indexOf(letter) + 1 + (step % (letters.length - 1))) % letters.length] ?? letter;
}

/**
 * @param {number} point of a digit of any script: ten of them stand side by side
 * @param {number} step
 * @returns {string}
 */
function otherDigit(point, step) {
  let zero = point;
  while (point - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String.fromCodePoint(zero + ((point - zero + (step % 10)) % 10));
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
