// Parses JSON that somebody else wrote within a bound on its memory: text that would become many times larger as objects is refused before it is parsed.

import { formatCount } from './units.js';
import { UserError } from './user-error.js';

/**
 * Values and keys that JSON may hold. Node.js 20 to 26 takes up to 110 bytes for each while it parses (members of one object with
 * different names), and its callers, which lay them out and make records of them, as much again.
 */
const MAX_VALUES = 1_000_000;
/** A document of CouchDB is nested some levels deep; from about 5,000 on JSON.stringify of Node.js 20 overflows its stack. */
const MAX_LEVELS = 1000;

/** An escape counts as this part of a value: where a string is laid out, it has a place of its own, which takes 40 bytes. */
const ESCAPE = 1 / 8;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * @param {string} text
 * @param {string} name what the text is, as errors begin
 * @param {{hint: string, maxValues?: number | undefined}} options `maxValues`: where the caller keeps nothing of them
 * @returns {unknown}
 * @throws {UserError} of code `json-too-large`; {SyntaxError} where it is no JSON
 */
export function parseBounded(text, name, { hint, maxValues = MAX_VALUES }) {
  const excess = findExcess(text, maxValues);
  if (excess !== undefined) throw new UserError('json-too-large', `${name} ${excess}`, { hint });
  return JSON.parse(text);
}

/**
 * @param {string} text JSON or not
 * @param {number} [maxValues]
 * @returns {string | undefined} what is too much in it, as a predicate; undefined where it may be parsed
 */
export function findExcess(text, maxValues = MAX_VALUES) {
  let values = 1;
  let level = 0;
  // Where the next escape is, also outside of strings: most strings have none and are stepped over.
  let escaped = indexOrEnd(text, '\\', 0);
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = indexOrEnd(text, '"', at + 1);
      for (; escaped < at; escaped = indexOrEnd(text, '\\', escaped + 2)) {
        values += ESCAPE;
        if (escaped === at - 1) at = indexOrEnd(text, '"', at + 1);
      }
    } else if (code === COMMA || code === COLON) values += 1;
    else if (code === OPEN_ARRAY || code === OPEN_OBJECT) {
      values += 1;
      level += 1;
      if (level > MAX_LEVELS) return `is nested more than ${MAX_LEVELS} levels deep`;
    } else if (code === CLOSE_ARRAY || code === CLOSE_OBJECT) level -= 1;
    if (values > maxValues) return `has more than ${formatCount(maxValues)} values`;
  }
  return undefined;
}

/** @param {string} text @param {string} part @param {number} from @returns {number} */
function indexOrEnd(text, part, from) {
  const at = text.indexOf(part, from);
  return at === -1 ? text.length : at;
}
