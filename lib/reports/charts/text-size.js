// Computes the room that text takes in a picture. The real font is unknown here, so the widths are those of DejaVu
// Sans, the widest of the usual fonts: text that fits with them fits with all.

import { printable } from '../../shared/printable.js';

/** Widths of printable ASCII in thousandths of the font size (DejaVu Sans 2.37), from the space on. */
const ASCII_WIDTHS = [
  318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337, 636, 636, 636, 636, 636, 636, 636,
  636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632, 575, 775, 752, 295, 295, 656, 557, 863,
  748, 787, 603, 787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635,
  615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636,
  337, 636, 838,
];
/** Of Latin, Greek and Cyrillic letters and signs; and of all else, which is as wide as high. */
const LETTER_WIDTH = 800;
const OTHER_WIDTH = 1050;
/** Bold letters are wider. */
const BOLD = 1.13;

const ZERO_WIDTH = /[\p{Mn}\p{Me}\p{Cf}]/u;

/**
 * @param {string} text
 * @param {number} size of the font, in pixels
 * @param {boolean} [isBold]
 * @returns {number} pixels of how it is shown, rather too many than too few
 */
export function textWidth(text, size, isBold = false) {
  let thousandths = 0;
  for (const character of printable(text)) {
    const code = /** @type {number} */ (character.codePointAt(0));
    const known = ASCII_WIDTHS[code - 0x20];
    if (known !== undefined && code >= 0x20) thousandths += known;
    else if (code < 0x600 || (code >= 0x2010 && code < 0x2300)) {
      thousandths += ZERO_WIDTH.test(character) ? 0 : LETTER_WIDTH;
    } else thousandths += OTHER_WIDTH;
  }
  return (thousandths / 1000) * size * (isBold ? BOLD : 1);
}

/**
 * @param {string} text
 * @param {number} width pixels
 * @param {number} size of the font
 * @returns {string} the text, or as much of its two ends as there is room for with `…` between them
 */
export function shorten(text, width, size) {
  if (textWidth(text, size) <= width) return text;
  const characters = [...text];
  let fits = 0;
  let tooMany = characters.length;
  while (tooMany - fits > 1) {
    const kept = (fits + tooMany) >> 1;
    if (textWidth(joinEnds(characters, kept), size) <= width) fits = kept;
    else tooMany = kept;
  }
  return joinEnds(characters, fits);
}

/**
 * @param {string} text
 * @param {number} width pixels
 * @param {number} size of the font
 * @returns {string} the text, or as much of its beginning as there is room for with `…` behind it
 */
export function shortenEnd(text, width, size) {
  if (textWidth(text, size) <= width) return text;
  const kept = countFitting(text, width - textWidth('…', size), size, false);
  return `${[...text].slice(0, kept).join('')}…`;
}

/**
 * @param {string[]} characters
 * @param {number} kept how many
 * @returns {string}
 */
function joinEnds(characters, kept) {
  const head = Math.ceil(kept / 2);
  return `${characters.slice(0, head).join('')}…${characters.slice(characters.length - (kept - head)).join('')}`;
}

/**
 * @param {string} text
 * @param {number} width pixels
 * @param {number} size of the font
 * @param {{lines?: number, isBold?: boolean}} [options] `lines`: the most lines; the last one is shortened
 * @returns {string[]} lines, broken at spaces, and within words that are too long for a line; none for an empty text
 */
export function wrapText(text, width, size, { lines: most = Number.POSITIVE_INFINITY, isBold = false } = {}) {
  /** @type {string[]} */
  const lines = [];
  let line = '';
  const words = text.split(/\s+/).flatMap((word) => (word === '' ? [] : [printable(word)]));
  for (const [at, word] of words.entries()) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (textWidth(longer, size, isBold) <= width) {
      line = longer;
      continue;
    }
    if (lines.length === most - 1) {
      const rest = [line, ...words.slice(at)].filter((part) => part !== '').join(' ');
      return [...lines, shorten(rest, isBold ? width / BOLD : width, size)];
    }
    if (line !== '') lines.push(line);
    line = word;
    while (textWidth(line, size, isBold) > width && lines.length < most - 1) {
      const fits = Math.max(1, countFitting(line, width, size, isBold));
      lines.push([...line].slice(0, fits).join(''));
      line = [...line].slice(fits).join('');
    }
    if (textWidth(line, size, isBold) > width) line = shorten(line, isBold ? width / BOLD : width, size);
  }
  if (line !== '') lines.push(line);
  return lines.slice(0, most);
}

/**
 * @param {string} text
 * @param {number} width
 * @param {number} size
 * @param {boolean} isBold
 * @returns {number} how many of its first characters fit
 */
function countFitting(text, width, size, isBold) {
  let used = 0;
  let count = 0;
  for (const character of text) {
    used += textWidth(character, size, isBold);
    if (used > width) break;
    count += 1;
  }
  return count;
}
