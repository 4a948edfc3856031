// Measures how many columns text takes in a terminal, and breaks text into lines of so many columns.

/** East Asian Width W and F (Unicode 15.1, EastAsianWidth.txt, small gaps closed), and what is shown as an emoji. */
const WIDE =
  /[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;

/** Marks that stand on the character before, and characters that are not shown; the soft hyphen is. */
const ZERO_WIDTH = /(?!\u00ad)[\p{Mn}\p{Me}\p{Cf}]/u;

/** What createColors puts around text; nothing of the input has it. */
const COLORS = /\x1b\[\d+m/g;

const ASCII = /^[\x20-\x7e]*$/;

/** A CI log takes lines that begin so for commands to its runner (GitHub Actions). */
const RUNNER_COMMAND = /^(::|##\[)/;

/**
 * @param {string} text without control characters, but for colors
 * @returns {number} columns
 */
export function displayWidth(text) {
  if (ASCII.test(text)) return text.length;
  let width = 0;
  for (const character of text.replace(COLORS, '')) {
    if (ZERO_WIDTH.test(character)) continue;
    width += WIDE.test(character) ? 2 : 1;
  }
  return width;
}

/**
 * @param {string} text without control characters
 * @param {number} width columns
 * @returns {string[]} lines broken at spaces; a longer word has a line of its own. No line but the first begins with what
 *   a CI runner takes for a command.
 */
export function wrap(text, width) {
  /** @type {string[]} */
  const lines = [];
  let line = '';
  let lineWidth = 0;
  for (const word of text.split(/ +/)) {
    const wordWidth = displayWidth(word);
    if (line === '' || lineWidth + 1 + wordWidth <= width || RUNNER_COMMAND.test(word)) {
      lineWidth += line === '' ? wordWidth : wordWidth + 1;
      line = line === '' ? word : `${line} ${word}`;
    } else {
      lines.push(line);
      line = word;
      lineWidth = wordWidth;
    }
  }
  lines.push(line);
  return lines;
}
