// What editors show under the pointer: Markdown, in which names of others are text.

import { expect, test } from 'vitest';
import { hoverText } from '../../lib/cli/commands/lsp/to-protocol.js';

/** @param {string} name @returns {string} the line with the message about a view of that name */
function messageAbout(name) {
  const finding = {
    rule: 'a/b',
    outcome: 'c',
    title: 'x',
    why: '',
    advice: '',
    path: [],
    certainty: 'high',
    sources: [],
  };
  const message = `\`${name}\` copies each document`;
  return hoverText(/** @type {any} */ ({ ...finding, message }), undefined).split('\n')[2] ?? '';
}

test.each([
  ['by_date', '`by_date` copies each document'],
  ['<img src=x>', '`<img src=x>` copies each document'],
  // A backquote of the name moves the borders of code: what is outside of it is escaped, and so is each backquote where they do not pair.
  ['a`<b>`c', '`a`\\<b\\>`c` copies each document'],
  ['``<b>`', '\\`\\`\\`\\<b\\>\\`\\` copies each document'],
  ['``[x](command:open)', '`[x](command:open)` copies each document'],
  ['`[x](command:open)', '\\`\\`\\[x\\]\\(command:open\\)\\` copies each document'],
  ['\u001b[2J\u202e', '`\u241b[2J<U+202E>` copies each document'],
  ['a\n# b', '`a\u240a# b` copies each document'],
])('the name %j is text', (name, expected) => {
  expect(messageAbout(name)).toBe(expected);
});
