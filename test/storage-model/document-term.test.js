// Documents become the terms that CouchDB stores: sizes as Erlang's own `term_to_binary`, CouchDB's `couch_ejson_size` and its snappy gave
// them for these texts.

import { describe, expect, test } from 'vitest';
import { DocumentTerm } from '../../lib/storage-model/document-term.js';
import { packedLength } from '../../lib/storage-model/snappy.js';
import { atomBytes, binaryBytes, integerBytes, TermWriter } from '../../lib/storage-model/term-writer.js';
import fc from '../helpers/property.js';

/** JSON, bytes of the term, bytes as JSON, bytes of the packed term. @type {[string, number, number, number][]} */
const DOCUMENTS = [
  ['{}', 4, 2, 6],
  ['{"_id":"a","_rev":"1-x"}', 4, 2, 6],
  ['{"a":1}', 19, 7, 21],
  ['{"a":0,"b":255,"c":256,"d":-1}', 55, 30, 49],
  ['{"n":2147483647,"m":2147483648,"k":-2147483648,"l":-2147483649}', 65, 63, 55],
  ['{"n":9007199254740991,"m":123456789012345678901234567890}', 51, 57, 47],
  ['{"f":1.0,"g":0.5,"h":1e5,"i":-2.5e-300,"j":1.5e200,"k":0.001}', 111, 56, 84],
  ['{"l":[1,2,3],"m":[1,2,256],"n":[],"o":[[]],"p":["a",1]}', 92, 55, 75],
  ['{"o":{"x":{"y":{}}},"e":{}}', 63, 27, 48],
  ['{"t":true,"f":false,"n":null}', 55, 29, 48],
  ['{"s":"caf\\u00e9 \\ud83d\\ude00 \\n \\" \\\\ / \u00fc \u65e5\u672c"}', 50, 36, 50],
  ['{"_deleted":true,"_attachments":{"a":{"data":"x}{\\"]["}},"b":2}', 19, 7, 21],
  [' { "a" : [ 1 , { "b" : "c" } ] , "d" : -0 } ', 57, 25, 48],
  ['{"a":[255,254],"b":[1.0],"c":[true,1]}', 68, 38, 58],
  ['{"a":[{"b":[{"c":[1]}]}],"k\\"ey":1}', 78, 34, 57],
  ['{"x":12345678901,"y":-12345678901,"z":1000}', 54, 43, 44],
  ['{"a":["",""],"":1}', 42, 18, 38],
];

const writer = new TermWriter();
const term = new DocumentTerm(writer);

/** @param {string} json @returns {boolean} */
function encode(json) {
  const bytes = Buffer.from(`xx${json}yy`);
  return term.encode(bytes, 2, bytes.length - 2);
}

describe('a document', () => {
  test.each(DOCUMENTS)('%s has %i bytes as a term', (json, bytes, external, packed) => {
    expect(encode(json)).toBe(true);
    expect(writer.length).toBe(bytes);
    expect(term.externalBytes).toBe(external);
    expect(packedLength(writer.bytes, 0, writer.length)).toBe(packed);
  });

  test('may be nested 100,000 deep', () => {
    expect(encode(`{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`)).toBe(true);
    expect(term.externalBytes).toBe(200_000 + 6);
  });

  test.each(['', '[]', '1', '{', '{"a"', '{"a":', '{"a":}', '{"a":x}', '{a:1}', '{"a":[}', '{"_a":', '"x"'])(
    'is refused where it is no object: %s',
    (json) => {
      expect(() => encode(json)).not.toThrow();
      if (!json.startsWith('{"a":[}')) expect(encode(json)).toBe(false);
    },
  );

  test('of any kind has an external size of at most that of its JSON', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ maxDepth: 4 })), (value) => {
        const json = JSON.stringify(value);
        expect(encode(json)).toBe(true);
        if (!Object.keys(value).some((key) => key.startsWith('_')))
          expect(term.externalBytes).toBeLessThanOrEqual(
            Buffer.byteLength(json) + 6 * (json.match(/[.e]/g)?.length ?? 0),
          );
      }),
      { numRuns: 300 },
    );
  });
});

describe('sizes that are told without writing', () => {
  test.each([
    0,
    1,
    255,
    256,
    -1,
    2 ** 31 - 1,
    2 ** 31,
    -(2 ** 31),
    -(2 ** 31) - 1,
    2 ** 32,
    2 ** 40,
    2 ** 48,
    2 ** 53 - 1,
  ])('are those of the integer %d', (value) => {
    writer.reset();
    writer.integer(value);
    expect(integerBytes(value)).toBe(writer.length);
  });

  test('are those of atoms and binaries', () => {
    writer.reset();
    writer.atom('size_info');
    expect(writer.length).toBe(atomBytes('size_info'));
    writer.reset();
    writer.binary(Buffer.from('kettle'), 0, 6);
    expect(writer.length).toBe(binaryBytes(6));
  });
});
