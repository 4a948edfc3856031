import { expect, test } from 'vitest';
import { printable } from '../../lib/shared/printable.js';
import fc from '../helpers/property.js';
import { hostileText, RAW_CONTROL } from '../helpers/sample-report.js';

test.each([
  ['ordinary text stays', 'orders/by_date', 'orders/by_date'],
  ['letters of every script stay', '注文 commandé 🙂', '注文 commandé 🙂'],
  ['escape is shown by its picture', '\x1b[31m', '␛[31m'],
  ['line ends and tabs are pictures too', 'a\r\n\tb', 'a␍␊␉b'],
  ['delete has a picture', '\x7f', '␡'],
  ['C1 characters are shown by their number', '\x9b', '<U+009B>'],
  ['overrides of direction are shown by their number', 'a\u202eb\u2069', 'a<U+202E>b<U+2069>'],
  ['line separators are shown by their number', '\u2028\u2029', '<U+2028><U+2029>'],
  ['half a surrogate pair becomes the replacement character', '\ud83dx', '\ufffdx'],
])('%s', (_, text, expected) => {
  expect(printable(text)).toBe(expected);
});

test('nothing that works on a terminal comes through, and what comes through stays as it is', () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      const shown = printable(text);
      expect(shown).not.toMatch(RAW_CONTROL);
      expect(shown).not.toContain('\n');
      expect(printable(shown)).toBe(shown);
    }),
  );
});

test.each([
  ['::error file=x,line=1::owned', '<U+003A>:error file=x,line=1::owned'],
  ['  ::stop-commands::x', '  <U+003A>:stop-commands::x'],
  ['orders\n::add-mask::x', 'orders\u240a::add-mask::x'],
  ['by ::warning::x', 'by <U+003A>:warning::x'],
  ['##[command]owned', '<U+0023>#[command]owned'],
  ["a ##teamcity[buildStatus status='SUCCESS']", "a <U+0023>#teamcity[buildStatus status='SUCCESS']"],
  ['::1', '::1'],
  ['::ffff:10.0.0.7', '::ffff:10.0.0.7'],
  ['## Findings', '## Findings'],
  ['Array::map', 'Array::map'],
])('no word is a command to a runner of CI: %j', (text, shown) => {
  expect(printable(text)).toBe(shown);
});
