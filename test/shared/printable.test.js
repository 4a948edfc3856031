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
