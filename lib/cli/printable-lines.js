// Makes a text of several lines safe for a terminal.

import { printable } from '../shared/printable.js';

/**
 * @param {string} text
 * @returns {string} line ends are kept, and nothing else that works on a terminal
 */
export function printableLines(text) {
  return text.split('\n').map(printable).join('\n');
}
