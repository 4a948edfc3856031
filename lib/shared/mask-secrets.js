// Finds secrets in text, and masks every occurrence of a known secret: as it is, escaped, percent-encoded or in base64.

import { decodeEscapes } from './attempt.js';

/** Stands for a secret of any length. */
export const HIDDEN = '*****';

/** A user and a password in an address. */
const IN_ADDRESS = /:\/\/([^\s/@:"'`<>\\]{0,200}):([^\s/@"'`<>\\]{1,200})@/g;
/** A member, variable or option that holds a secret, with its literal value, in JavaScript or JSON. */
const MEMBER =
  /(?:passw(?:or)?d|passphrase|secret|api_?key)\\?["'`]?\s{0,9}[:=]\s{0,9}\\?(["'`])((?:(?!\1)[^\\\n]){3,200})\\?\1/gi;
/** A header that authorizes, or its value. */
const AUTHORIZATION = /\b(?:basic|bearer)\s{1,9}([\w.~+/=-]{8,2000})/gi;
/** The same in an `.ini` file; in the section of administrators every value is a password. */
const OPTION = /^\s*(\[[^\]\n]{0,200}\]|[\w.@-]{0,200}\s{0,9}=\s{0,9}(\S[^\n]*))/gm;
const SECRET_OPTION = /^[\w-]*(?:passw(?:or)?d|secret)\s*=/i;
/** The same in the environment of a container: `COUCHDB_PASSWORD: …`, `- COUCHDB_SECRET=…`. */
const IN_MANIFEST = /\b\w{0,60}(?:passw(?:or)?d|secret|cookie)\w{0,20}["']?\s{0,9}[:=]\s{0,9}["']?([^\s"'#]{3,200})/gi;
const SECRET_SECTION = /^\[(?:admins|jwt_keys)\]/;

/** Ordinary words that are also used as a password: nobody learns anything from them elsewhere. */
const WORDS =
  /^(?:admin|root|couch(?:db)?|pass(?:word|wd)?|secret|user(?:name)?|test|guest|demo|example|changeme|localhost|true|false|null|none|undefined|string)$/i;
/** What merely stands behind such a name is a secret unless it is a word or a placeholder. */
const NO_SECRET = /^(?:[a-z]{1,9}|[\d.]{1,4}|[A-Z_]+|.*[<>{}$[\]].*|[*.…x-]+)$/;
/** Shorter ones stand in too many other words. */
const MIN_LENGTH = 3;
/** Shorter ones are masked where they are a word of their own. */
const LONG = 8;
/** In base64, the bits of the first and last characters also depend on what stands beside it. */
const MIN_BASE64 = 6;

/**
 * @param {string} text of a file
 * @param {string} [path] of the file: what ends in `.ini` holds options, and a manifest perhaps too
 * @returns {Set<string>} the secrets that it contains, as they are written in it
 */
export function secretsIn(text, path = '') {
  const isManifest = /\.ya?ml$/i.test(path);
  const isIni = isManifest || path.endsWith('.ini');
  const found = [...text.matchAll(IN_ADDRESS)].flatMap(([, user = '', password = '']) =>
    password === user || NO_SECRET.test(password.replace(/^[a-z]+$/, '')) ? [] : [password],
  );
  for (const [, , value = ''] of text.matchAll(MEMBER)) if (!NO_SECRET.test(value)) found.push(value);
  for (const [, value = ''] of text.matchAll(AUTHORIZATION)) {
    if (NO_SECRET.test(value)) continue;
    const [, password] = /^[^:]*:([ -~]+)$/.exec(Buffer.from(value, 'base64').toString('latin1')) ?? [];
    found.push(value, ...(password === undefined ? [] : [password]));
  }
  for (const [, value = ''] of isManifest ? text.matchAll(IN_MANIFEST) : [])
    if (!NO_SECRET.test(value)) found.push(value);
  let isSecret = false;
  for (const [, line = '', value = ''] of isIni ? text.matchAll(OPTION) : []) {
    if (line.startsWith('[')) isSecret = SECRET_SECTION.test(line);
    else if ((isSecret || SECRET_OPTION.test(line)) && !NO_SECRET.test(value.trim())) found.push(value.trim());
  }
  return new Set(found);
}

export class SecretMask {
  /** @type {RegExp | undefined} */
  #pattern;

  /** @param {Iterable<string>} secrets as they are, or as they are written in a URL */
  constructor(secrets) {
    const spellings = [...new Set(secrets)].flatMap(spellingsOf).sort((a, b) => b.length - a.length);
    if (spellings.length > 0) this.#pattern = new RegExp([...new Set(spellings.map(patternOf))].join('|'), 'g');
  }

  /** @returns {boolean} whether it masks nothing */
  get isEmpty() {
    return this.#pattern === undefined;
  }

  /**
   * @param {string} text
   * @returns {string} without the secrets
   */
  text(text) {
    return this.#pattern ? text.replace(this.#pattern, HIDDEN) : text;
  }

  /**
   * @param {string} text
   * @returns {string} as long as it was, so that places stay the same
   */
  cover(text) {
    return this.#pattern ? text.replace(this.#pattern, (found) => found.replace(/[^\n]/g, '*')) : text;
  }

  /**
   * @template T
   * @param {T} value anything that can be written as JSON, and maps
   * @param {(key: string) => boolean} [isLeft] members that are left as they are
   * @returns {T} a copy in which every string is without the secrets
   */
  deep(value, isLeft = () => false) {
    if (this.isEmpty) return value;
    /** @param {unknown} inner @returns {unknown} */
    const masked = (inner) => {
      if (typeof inner === 'string') return this.text(inner);
      if (Array.isArray(inner)) return inner.map(masked);
      if (inner instanceof Map) return new Map([...inner].map(([key, member]) => [key, masked(member)]));
      if (typeof inner !== 'object' || inner === null) return inner;
      return Object.fromEntries(
        Object.entries(inner).map(([key, member]) => [key, isLeft(key) ? member : masked(member)]),
      );
    };
    return /** @type {T} */ (masked(value));
  }
}

/** @param {string} secret @returns {string[]} how it may be written */
function spellingsOf(secret) {
  const plain = decodeEscapes(secret);
  if (plain.length < MIN_LENGTH || WORDS.test(plain)) return [];
  const escaped = JSON.stringify(plain).slice(1, -1);
  return [secret, plain, escaped, encodeURIComponent(plain), ...(plain.length < MIN_BASE64 ? [] : base64Of(plain))];
}

/** @param {string} text @returns {string[]} in base64 and base64url, wherever it begins in what was encoded */
function base64Of(text) {
  return [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)]);
    // Whole characters of it alone: six bits each.
    const [start, end] = [Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6)];
    const standard = bytes.toString('base64').slice(start, end);
    return [standard, standard.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

/** @param {string} spelling @returns {string} */
function patternOf(spelling) {
  const exact = spelling
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replace(/%[0-9A-F]{2}/g, (code) => code.replace(/[A-F]/g, (digit) => `[${digit}${digit.toLowerCase()}]`));
  if (spelling.length >= LONG) return exact;
  return `${/^\w/.test(spelling) ? '(?<!\\w)' : ''}${exact}${/\w$/.test(spelling) ? '(?!\\w)' : ''}`;
}
