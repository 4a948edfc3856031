// Writes a regular expression of JavaScript as the string that a server takes for PCRE.

/** @import { WrittenRegExp } from '../sources/application/record.js' */

/** Flags of JavaScript that a PCRE pattern can begin with, and those that mean nothing for one match. @type {ReadonlyMap<string, string>} */
const PCRE_FLAGS = new Map([
  ['i', 'i'],
  ['m', 'm'],
  ['s', 's'],
  ['g', ''],
]);
/** What PCRE reads in another way, or not at all: `\u0041`, `\cA`, `[^]`, `[[:`, characters of more than one byte. */
const OTHER_IN_PCRE = /\\[ucpPk]|\[\^?\]|\[\[[:.=]|[^\x00-\x7f]/;

/**
 * @param {WrittenRegExp} written
 * @returns {{text: string, isSure: boolean} | undefined} the expression that gives the same pattern as a string, for PCRE; `isSure`: it certainly does
 */
export function stringForRegExp({ pattern, flags, from }) {
  if (flags === null) return undefined;
  const options = [...flags].map((flag) => PCRE_FLAGS.get(flag));
  if (options.includes(undefined)) return undefined;
  const prefix = options.join('') === '' ? '' : `(?${options.join('')})`;
  if (pattern !== null) {
    if (OTHER_IN_PCRE.test(pattern)) return undefined;
    const text = `${prefix}${pattern}`.replaceAll('\\/', '/');
    return { text: `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`, isSure: true };
  }
  if (!from || OTHER_IN_PCRE.test(from.text)) return undefined;
  const { text, isText } = from;
  if (prefix === '') return { text, isSure: isText };
  if (/^['"`]/.test(text) && isText && !text.includes(' + '))
    return { text: `${text[0]}${prefix}${text.slice(1)}`, isSure: true };
  return { text: `'${prefix}' + ${text}`, isSure: isText };
}
