// A tree of sound JSON holds what JSON.parse gives, with places that read back as the same; all else has an error.

import { expect, test } from 'vitest';
import { parseJsonTree } from '../../../lib/sources/design-docs/value-tree.js';
import fc from '../../helpers/property.js';
import { SourceFile } from '../../helpers/read-source.js';

/** @import { ValueNode } from '../../../lib/sources/record.js' */

/**
 * @param {string} text
 * @param {number} [start]
 * @param {number} [end]
 */
function isSound(text, start, end) {
  const { errors } = parseJsonTree(new SourceFile('orders.json', text), start, end);
  return errors.every(({ code }) => code === 'duplicate-key');
}

/** @param {string} text */
function parses(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * @param {ValueNode | undefined} node
 * @returns {string} the value as JSON, made of the nodes alone; the text of each is checked on the way
 */
function readBack(node) {
  if (!node || node.type === 'unknown') throw new Error('no value');
  const written = node.file.text.slice(node.start, node.end);
  expect(parses(written), written).toBe(true);
  if (node.type === 'array') return `[${node.items.map(readBack).join(',')}]`;
  if (node.type === 'object') {
    const members = node.entries.map(({ key, keyStart, keyEnd, node: value }) => {
      expect(JSON.parse(node.file.text.slice(keyStart, keyEnd))).toBe(key);
      return `${JSON.stringify(key)}:${readBack(value)}`;
    });
    return `{${members.join(',')}}`;
  }
  const value = node.type === 'null' ? null : node.value;
  expect(JSON.parse(written)).toBe(value);
  return JSON.stringify(value);
}

test('the values of any JSON are read, however that is indented', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 5, stringUnit: 'binary' }), fc.constantFrom(0, 2, '\t', '\r\n'), (json, indent) => {
      const text = JSON.stringify(JSON.parse(json), null, typeof indent === 'number' ? indent : '\t').replaceAll(
        '\n',
        indent === '\r\n' ? '\r\n' : '\n',
      );
      expect(isSound(text)).toBe(true);
      const { node, errors } = parseJsonTree(new SourceFile('orders.json', text));
      expect(errors).toEqual([]);
      expect(readBack(node)).toBe(JSON.stringify(JSON.parse(text)));
    }),
  );
});

test('what JSON.parse takes is sound, and nothing else', () => {
  const part = fc.constantFrom(
    ...[
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '"a"',
      '"\\',
      '\\u00e',
      '\\n',
      '1',
      '-',
      '0',
      '.5',
      'e+2',
      'true',
      'nul',
      'null',
    ],
    ...[' ', '\n', '\ufeff', '\u00a0', '\u0001', '/*', '//', "'", 'x'],
  );
  const text = fc.oneof(
    fc.array(part, { maxLength: 8 }).map((parts) => parts.join('')),
    fc.tuple(fc.json({ maxDepth: 3 }), fc.nat(), fc.nat({ max: 3 }), part).map(([json, at, cut, extra]) => {
      const offset = at % (json.length + 1);
      return json.slice(0, offset) + extra + json.slice(offset + cut);
    }),
  );
  fc.assert(
    fc.property(text, (written) => {
      // A byte order mark is passed over.
      expect(isSound(written)).toBe(parses(written.replace(/^\ufeff/, '')));
    }),
    { numRuns: 2000 },
  );
});

test.each([
  ['', false],
  [' ', false],
  ['[1,]', false],
  ['{"a":1,}', false],
  ['[01]', false],
  ['[1.]', false],
  ['[+1]', false],
  ['["\t"]', false],
  ['["\\x41"]', false],
  ['["a]', false],
  ['[1] 2', false],
  ['tru', false],
  ['\u00a0[]', false],
  ['[-0.5e-3, 1E5, 0]', true],
  ['"\\ud800"', true],
  [' \r\n\t[ ] ', true],
])('%j: %s', (text, expected) => {
  expect(isSound(text)).toBe(expected);
  expect(parses(text)).toBe(expected);
});

test('only the stretch is read', () => {
  const text = '[1, {"a": "b"}, tru';
  expect(isSound(text, 4, 14)).toBe(true);
  for (const [start, end] of [
    [4, 13],
    [4, 15],
    [10, 12],
    [16, 19],
  ]) {
    expect(isSound(text, start, end), `${start}`).toBe(false);
  }
});
