import { expect, test } from 'vitest';
import { fixedText } from '../../helpers/fixed.js';

const OPEN = '[cors]\norigins = *\n';

test.each([
  ['[cors]\ncredentials = true\norigins = *\n', '[cors]\ncredentials = false\norigins = *\n'],
  [
    '[cors]\r\norigins = *\r\ncredentials=true ; for the shop\r\n',
    '[cors]\r\norigins = *\r\ncredentials=false ; for the shop\r\n',
  ],
  [
    '[cors]\norigins = *\ncredentials = no\ncredentials = true',
    '[cors]\norigins = *\ncredentials = no\ncredentials = false',
  ],
  // The option of a host is mended there, and one that it inherits gets a line of its own, so that the others keep theirs.
  [
    '[cors]\ncredentials = true\norigins = https://shop.example\n[cors:api.example]\norigins = *\n',
    '[cors]\ncredentials = true\norigins = https://shop.example\n[cors:api.example]\norigins = *\ncredentials = false\n',
  ],
  [
    '[cors]\r\ncredentials = true\r\norigins = https://shop.example\r\n[cors:api.example]\r\norigins = * ; all\r\n\r\n[log]\r\n',
    '[cors]\r\ncredentials = true\r\norigins = https://shop.example\r\n[cors:api.example]\r\norigins = * ; all\r\ncredentials = false\r\n\r\n[log]\r\n',
  ],
  [OPEN, undefined],
])('%j becomes %j', async (before, after) => {
  const lineEnd = before.includes('\r') ? '\r\n' : '\n';
  const whole = (/** @type {string} */ text) => `[chttpd]${lineEnd}enable_cors = true${lineEnd}${text}`;
  expect(await fixedText('set-config-value', whole(before), 'local.ini')).toBe(after && whole(after));
});
