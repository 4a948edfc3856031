import { expect, test } from 'vitest';
import { readFiles } from '../../helpers/facts-of.js';

test.each([
  ['sequential', '3.4.3', true],
  ['uuid_v7', '3.5.0', false],
  ['uuid_v7', '3.5.1', true],
  // Only in CouchDB's main branch: 3.5.2 does not start with it.
  ['uuid_v4', '3.5.2', false],
])('%s is known to %s: %s', (algorithm, version, isKnown) => {
  const { shortFact } = readFiles({ 'local.ini': `[uuids]\nalgorithm = ${algorithm}\n` }, version);
  expect(shortFact('server', 'config.uuidAlgorithmIsKnown')).toBe(isKnown);
});
