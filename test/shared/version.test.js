import { expect, test } from 'vitest';
import { compareVersions, isVersion, NEWEST_COUCHDB } from '../../lib/shared/version.js';

test.each([
  ['3.9', '3.10', -1],
  ['3.10', '3.9', 1],
  ['3.5.2', '3.5.1', 1],
  ['3.5.1', '3.5.2', -1],
  ['2.3.1', '3.0', -1],
  ['3.0', '2.3.1', 1],
  ['3.5.0', '3.5', 0],
  ['3.5.1', '3.5', 1],
])('version %s against release %s', (version, release, sign) => {
  expect(Math.sign(compareVersions(version, release))).toBe(sign);
});

test.each([
  ['3.5', '3.5.1', 1],
  ['3.5', '3.5.99', 1],
  ['3.5', '3.5', 0],
  ['3.5', '3.6', -1],
  ['3', '3.0.0', 1],
  ['3', '3.5.1', 1],
  ['3', '4', -1],
  ['2', '3.0', -1],
])('version %s is the newest of its line, against release %s', (version, release, sign) => {
  expect(Math.sign(compareVersions(version, release))).toBe(sign);
});

test.each([
  ['3', true],
  ['3.5', true],
  ['3.5.2', true],
  [NEWEST_COUCHDB, true],
  ['3.5.2.1', false],
  ['v3.5', false],
  ['3.x', false],
  ['', false],
])('whether "%s" is a version: %s', (text, expected) => {
  expect(isVersion(text)).toBe(expected);
});
