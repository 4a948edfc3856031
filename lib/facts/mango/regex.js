// Runs the regular expressions of `$regex` where JavaScript gives what PCRE does: CouchDB matches bytes without options
// (mango_selector.erl, re:compile/1 and re:run/3 of OTP 25). What the two may treat differently is unknown.

/** @import { Matcher } from './matcher.js' */

/** `loops`: repetitions; `ways`: how often it must be tried for its other choices. @typedef {{source: string, hasClasses: boolean, isAnchored: boolean, loops: number, ways: number, flags: string}} Regex */

/** More steps might reach the limits of PCRE, or take long here. */
const MAX_STEPS = 1e7;
/** White space of ASCII. */
const SPACE = ' \\t\\n\\v\\f\\r';
const BEFORE_END = '(?=\\n?(?![^]))';
const END = '(?![^])';

/** Escapes outside of classes, as JavaScript writes them. */
const ESCAPES = new Map([
  ['d', '\\d'],
  ['D', '\\D'],
  ['w', '\\w'],
  ['W', '\\W'],
  ['s', `[${SPACE}]`],
  ['S', `[^${SPACE}]`],
  ['b', '\\b'],
  ['B', '\\B'],
  ['n', '\\n'],
  ['r', '\\r'],
  ['t', '\\t'],
  ['f', '\\f'],
  ['A', '^'],
  ['z', END],
  ['Z', BEFORE_END],
]);
const CLASS_ESCAPES = new Map([
  ['d', '\\d'],
  ['w', '\\w'],
  ['s', SPACE],
  ['n', '\\n'],
  ['r', '\\r'],
  ['t', '\\t'],
  ['f', '\\f'],
]);
/** Those that depend on tables of characters, which differ beyond ASCII. */
const BY_TABLE = new Set('dDwWsSbB');

/** The pattern cannot be followed. */
const OPEN = Symbol('open');

/**
 * @param {string} pattern
 * @returns {Regex | 'invalid' | 'open'} `invalid` where PCRE refuses it, `open` where the two engines may differ
 */
export function readRegex(pattern) {
  const reader = new PatternReader(bytesOf(pattern));
  try {
    return reader.read();
  } catch (error) {
    if (error === OPEN) return 'open';
    throw error;
  }
}

/**
 * @param {string} pattern that PCRE accepts
 * @returns {Matcher}
 */
export function matcherOfRegex(pattern) {
  const unknown = { unknown: `PCRE and JavaScript may differ on the regular expression \`${pattern}\`` };
  const regex = readRegex(pattern);
  if (typeof regex === 'string') return (value) => (typeof value === 'string' ? unknown : false);
  const { source, hasClasses, flags, isAnchored, loops, ways } = regex;
  const compiled = new RegExp(source, flags);
  return (value) => {
    if (typeof value !== 'string') return false;
    const bytes = bytesOf(value);
    const isAscii = bytes.length === value.length;
    if (!isAscii && (hasClasses || flags !== '')) return unknown;
    if (ways * bytes.length ** (loops + (isAnchored ? 0 : 1)) > MAX_STEPS) return unknown;
    return compiled.test(bytes);
  };
}

/** @param {string} text @returns {string} its UTF-8, one character for each byte */
function bytesOf(text) {
  return /^[\0-\x7f]*$/.test(text) ? text : Buffer.from(text, 'utf8').toString('latin1');
}

class PatternReader {
  #text;
  #at = 0;
  #depth = 0;
  #hasClasses = false;
  #loops = 0;
  #ways = 1;
  #flags = '';

  /** @param {string} text bytes */
  constructor(text) {
    this.#text = text;
  }

  /** @returns {Regex | 'invalid'} */
  read() {
    if (this.#text.startsWith('(*')) throw OPEN;
    if (this.#text.startsWith('(?i)')) {
      this.#at = 4;
      this.#flags = 'i';
    }
    const isAnchored = this.#text.startsWith('^', this.#at);
    const source = this.#alternatives();
    if (source === undefined || this.#at < this.#text.length) return 'invalid';
    return {
      source,
      hasClasses: this.#hasClasses,
      isAnchored: isAnchored && !source.includes('|'),
      loops: this.#loops,
      ways: this.#ways,
      flags: this.#flags,
    };
  }

  /** @returns {string | undefined} up to the end of the group; undefined where PCRE refuses it */
  #alternatives() {
    let source = '';
    let choices = 1;
    while (this.#at < this.#text.length) {
      const next = this.#text.charAt(this.#at);
      if (next === ')') break;
      if (next === '|') {
        this.#at += 1;
        choices += 1;
        source += '|';
        continue;
      }
      const atom = this.#atom();
      if (atom === undefined) return undefined;
      source += atom.source + this.#quantifier(atom);
    }
    this.#ways *= choices;
    return this.#at < this.#text.length === this.#depth > 0 ? source : undefined;
  }

  /** @returns {{source: string, isAssertion?: boolean, isComplex?: boolean} | undefined} */
  #atom() {
    const next = this.#text.charAt(this.#at);
    if ('*+?'.includes(next)) return undefined;
    if (next === '(') return this.#group();
    if (next === '[') return this.#class();
    if (next === '\\') return this.#escape();
    this.#at += 1;
    if (next === '.') return { source: '[^\\n]' };
    if (next === '^') return { source: '^', isAssertion: true };
    if (next === '$') return { source: BEFORE_END, isAssertion: true };
    // A brace that begins no quantifier is a character; engines disagree on what else begins one.
    if (next === '{') throw OPEN;
    return { source: literal(next) };
  }

  /** @returns {{source: string, isAssertion?: boolean, isComplex: boolean} | undefined} */
  #group() {
    const [, opening = ''] = /^(\((?:\?[:=!])?)/.exec(this.#text.slice(this.#at)) ?? [];
    if (opening === '(' && /^\([?*]/.test(this.#text.slice(this.#at))) throw OPEN;
    this.#at += opening.length;
    this.#depth += 1;
    const [loops, ways] = [this.#loops, this.#ways];
    const inner = this.#alternatives();
    if (inner === undefined) return undefined;
    this.#depth -= 1;
    this.#at += 1;
    const isAssertion = opening.endsWith('=') || opening.endsWith('!');
    return {
      source: `${isAssertion ? opening : '(?:'}${inner})`,
      isAssertion,
      isComplex: this.#loops > loops || this.#ways > ways || inner === '',
    };
  }

  /** @param {{isAssertion?: boolean, isComplex?: boolean}} atom @returns {string} */
  #quantifier({ isAssertion, isComplex }) {
    const rest = this.#text.slice(this.#at);
    const [quantifier] = /^(?:[*+?]|\{\d{1,3}(?:,\d{0,3})?\})\??/.exec(rest) ?? [''];
    if (quantifier === '') return '';
    const isLoop = /^[*+]|,\}/.test(quantifier);
    // A possessive quantifier, or what PCRE refuses; a group that can match in several ways in each turn takes long.
    if (isAssertion || (isComplex && quantifier !== '?') || /^[*+?{]/.test(rest.slice(quantifier.length))) throw OPEN;
    const [, low, high] = /^\{(\d+),(\d+)\}/.exec(quantifier) ?? [];
    if (low !== undefined && Number(low) > Number(high)) throw OPEN;
    this.#at += quantifier.length;
    if (isLoop || quantifier.startsWith('{')) this.#loops += 1;
    else this.#ways *= 2;
    return quantifier;
  }

  /** @returns {{source: string, isAssertion?: boolean} | undefined} */
  #escape() {
    const letter = this.#text.charAt(this.#at + 1);
    if (letter === '') return undefined;
    const known = ESCAPES.get(letter);
    if (known === undefined && /[A-Za-z0-9]/.test(letter)) throw OPEN;
    this.#at += 2;
    if (BY_TABLE.has(letter)) this.#hasClasses = true;
    return { source: known ?? literal(letter), isAssertion: 'bBAzZ'.includes(letter) };
  }

  /** @returns {{source: string} | undefined} */
  #class() {
    const [, opening = '', body, closing] =
      /^(\[\^?)((?:\\[\s\S]|[^\]\\])*)(\]?)/.exec(this.#text.slice(this.#at)) ?? [];
    if (body === undefined || body === '' || closing === '') throw OPEN;
    if (/\[[:.=]/.test(body)) throw OPEN;
    let source = '';
    for (const [whole, letter] of body.matchAll(/\\([\s\S])|[\s\S]/g)) {
      if (letter === undefined) {
        source += whole === '-' ? '-' : literal(whole);
        continue;
      }
      const known = CLASS_ESCAPES.get(letter);
      if (known === undefined && /[A-Za-z0-9]/.test(letter)) throw OPEN;
      // A range from or to a class of characters is read in several ways.
      if (known !== undefined && BY_TABLE.has(letter) && body.includes('-')) throw OPEN;
      if (BY_TABLE.has(letter)) this.#hasClasses = true;
      source += known ?? literal(letter);
    }
    this.#at += opening.length + body.length + 1;
    try {
      new RegExp(`${opening}${source}]`);
    } catch {
      throw OPEN;
    }
    return { source: `${opening}${source}]` };
  }
}

/** @param {string} character @returns {string} itself, as a pattern */
function literal(character) {
  return /[\\^$.*+?()[\]{}|/-]/.test(character) ? `\\${character}` : character;
}
