// Makes a string that a regular expression matches, as far as it is of the simple kind. Checks nothing: whether it
// really matches shows when the map runs.

/** @import { Random } from '../../shared/seeded-random.js' */

import { randomInteger } from '../../shared/seeded-random.js';

const SHORT = 'abcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';
/** What `\d` and the like match; what they exclude is excluded by these too. @type {Map<string, string>} */
const CLASSES = new Map(
  Object.entries({ d: DIGITS, D: SHORT, w: SHORT + DIGITS, W: '-', s: ' ', S: SHORT, t: '\t', n: '\n', b: '', B: '' }),
);
/** Items behind `*` and `+`, and the most that are written for `{n}`. */
const SOME = 4;
const MOST = 64;

/**
 * @param {string} pattern
 * @param {Random} random
 * @param {string} [digits] written in the first place where digits may stand in any number
 * @returns {string | undefined} undefined where it is not of the simple kind
 */
export function matchPattern(pattern, random, digits) {
  const writer = new PatternWriter(pattern, random, digits);
  try {
    const text = writer.alternatives(0);
    return writer.at === pattern.length ? text : undefined;
  } catch (error) {
    if (error instanceof NotSimple) return undefined;
    throw error;
  }
}

class NotSimple extends Error {}

class PatternWriter {
  /** @param {string} pattern @param {Random} random @param {string | undefined} digits not written yet */
  constructor(pattern, random, digits) {
    this.pattern = pattern;
    this.random = random;
    this.digits = digits;
    this.at = 0;
    /** What the last item was picked from. */
    this.choice = '';
  }

  /** @param {number} depth @returns {string} the first of what stands between `|` */
  alternatives(depth) {
    if (depth > 20) throw new NotSimple();
    const first = this.sequence(depth);
    while (this.pattern[this.at] === '|') {
      this.at += 1;
      this.sequence(depth);
    }
    return first;
  }

  /** @param {number} depth @returns {string} */
  sequence(depth) {
    let text = '';
    while (this.at < this.pattern.length && this.pattern[this.at] !== '|' && this.pattern[this.at] !== ')') {
      const begin = this.at;
      this.choice = '';
      let item = this.item(depth);
      const end = this.at;
      const isOpen = '*+{'.includes(this.pattern[end] ?? ' ');
      const times = this.times();
      const last = this.at;
      const digits = isOpen && [...DIGITS].every((digit) => this.choice.includes(digit)) ? this.digits : undefined;
      if (digits !== undefined && (this.pattern[end] !== '{' || digits.length <= times)) {
        text += digits.padStart(times, '0');
        this.digits = undefined;
        continue;
      }
      let written = times > 0 ? item : '';
      for (let count = 1; count < times; count += 1) {
        this.at = begin;
        item = this.item(depth);
        written += item;
      }
      this.at = Math.max(last, end);
      text += written;
    }
    return text;
  }

  /** @param {number} depth @returns {string} */
  item(depth) {
    const character = this.pattern[this.at++] ?? '';
    if (character === '^' || character === '$') return '';
    if (character === '.') return this.#pick(SHORT + DIGITS);
    if (character === '[') return this.#pick(this.#class());
    if (character === '\\') return this.#escape();
    if (character !== '(') return character;
    if (this.pattern[this.at] === '?') {
      if (this.pattern[this.at + 1] !== ':') throw new NotSimple();
      this.at += 2;
    }
    const inner = this.alternatives(depth + 1);
    if (this.pattern[this.at] !== ')') throw new NotSimple();
    this.at += 1;
    return inner;
  }

  /** @returns {number} how often the item before is written */
  times() {
    const [whole, , least] = /^(?:([*+?])|\{(\d+)(?:,\d*)?\})\??/.exec(this.pattern.slice(this.at, this.at + 24)) ?? [];
    if (whole === undefined) return 1;
    this.at += whole.length;
    if (least !== undefined) return Math.min(Number(least), MOST);
    return whole.startsWith('?') ? 1 : SOME;
  }

  /** @returns {string} */
  #escape() {
    const character = this.pattern[this.at++] ?? '';
    const known = CLASSES.get(character);
    if (known !== undefined) return this.#pick(known);
    if (/[A-Za-z0-9]/.test(character)) throw new NotSimple();
    return character;
  }

  /** @returns {string} the characters that `[…]` lets through */
  #class() {
    const isNegated = this.pattern[this.at] === '^';
    if (isNegated) this.at += 1;
    let listed = '';
    while (this.at < this.pattern.length && this.pattern[this.at] !== ']') {
      let character = this.pattern[this.at++] ?? '';
      if (character === '\\') {
        const escaped = this.pattern[this.at++] ?? '';
        character = CLASSES.get(escaped) ?? escaped;
      } else if (this.pattern[this.at] === '-' && this.pattern[this.at + 1] !== ']') {
        character = rangeOf(character, this.pattern[this.at + 1] ?? '');
        this.at += 2;
      }
      listed += character;
    }
    this.at += 1;
    if (!isNegated) return listed;
    return [...SHORT, ...DIGITS, '-', ' '].filter((character) => !listed.includes(character)).join('');
  }

  /** @param {string} characters @returns {string} */
  #pick(characters) {
    this.choice = characters;
    return characters[randomInteger(this.random, 0, characters.length)] ?? '';
  }
}

/** @param {string} first @param {string} last @returns {string} at most 64 characters */
function rangeOf(first, last) {
  const [from, to] = [first.charCodeAt(0), last.charCodeAt(0)];
  const length = Math.max(0, Math.min(64, to - from + 1));
  return Array.from({ length }, (_, at) => String.fromCharCode(from + at)).join('');
}
