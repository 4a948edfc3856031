// Breaks the lines of a report that are wider than the terminal.

import { displayWidth, wrap } from './display-width.js';

/** Of what goes on on the next line. */
export const INDENT = '    ';

/**
 * @param {string[]} lines
 * @param {number} width
 * @returns {string[]} those that fit as they are, the others broken
 */
export function fitLines(lines, width) {
  return lines.flatMap((line) => {
    if (displayWidth(line) <= width) return [line];
    const margin = /^ */.exec(line)?.[0] ?? '';
    const [first = '', ...rest] = wrap(line.trimStart(), width - INDENT.length - margin.length);
    return [`${margin}${first}`, ...rest.map((more) => `${margin}${INDENT}${more}`)];
  });
}
