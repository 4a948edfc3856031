// Writes JSON that is safe to print: characters that would control a terminal are written as escapes.

/** What JSON.stringify leaves raw: DEL, C1, line separators, marks and overrides of direction, the byte order mark. */
const LEFT_RAW = /[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/**
 * @param {unknown} value
 * @param {number} [indent] all of it stands on one line where 0
 * @returns {string} ending in a line feed. Such characters stand only inside strings, so the escapes mean the same.
 */
export function stringifyJson(value, indent = 2) {
  const text = JSON.stringify(value, null, indent);
  return `${text.replace(LEFT_RAW, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`;
}
