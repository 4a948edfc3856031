// Colors text for a terminal, or leaves it plain: decided once by an option and never by looking at a stream or the
// environment, as `styleText` of Node does in some of its forms.

/** @typedef {(text: string) => string} Paint */
/** @typedef {'bold' | 'dim' | 'underline' | 'red' | 'green' | 'yellow' | 'blue' | 'cyan'} Style */
/** @typedef {Record<Style, Paint>} Colors */

/** On and off codes of ECMA-48, "select graphic rendition". @type {[Style, number, number][]} */
const CODES = [
  ['bold', 1, 22],
  ['dim', 2, 22],
  ['underline', 4, 24],
  ['red', 31, 39],
  ['green', 32, 39],
  ['yellow', 33, 39],
  ['blue', 34, 39],
  ['cyan', 36, 39],
];

/**
 * @param {boolean} enabled
 * @returns {Colors} where not enabled, each gives its text back; bold and dim share an off code and do not nest
 */
export function createColors(enabled) {
  const paints = CODES.map(([style, on, off]) => {
    /** @type {Paint} */
    const paint = (text) => (enabled && text !== '' ? `\x1b[${on}m${text}\x1b[${off}m` : text);
    return [style, paint];
  });
  return Object.fromEntries(paints);
}
