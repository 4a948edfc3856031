// Tests which secrets are found in a text, and that every spelling of one is masked and nothing else.

import { expect, test } from 'vitest';
import { SecretMask, secretsIn } from '../../lib/shared/mask-secrets.js';
import fc from '../helpers/property.js';

test.each([
  ["nano('http://admin:tr0ub4dor@db:5984')", ['tr0ub4dor']],
  ['{"url": "https://a:p%40ss-w0rd@db/shop"}', ['p%40ss-w0rd']],
  ["auth: { username: 'a', password: 'correct horse' }", ['correct horse']],
  ['{"map": "function () { var password = \\"tr0ub4dor\\"; }"}', ['tr0ub4dor']],
  ["const API_KEY = 'k3y-of-many'", ['k3y-of-many']],
  [`Authorization: Basic ${btoa('admin:tr0ub4dor')}`, [btoa('admin:tr0ub4dor'), 'tr0ub4dor']],
  ["headers: { authorization: 'Bearer abc.def-123' }", ['abc.def-123']],
])('%s holds a secret', (text, secrets) => {
  expect([...secretsIn(text)]).toEqual(secrets);
});

test.each([
  "nano('http://admin:admin@localhost:5984')",
  "password: 'string'",
  "password: process.env.PASSWORD, secret: '<your secret>'",
  "url = 'http://user:${password}@host'",
  'https://host/path?a=b:c@d',
  'secret = true',
])('%s holds none', (text) => {
  expect([...secretsIn(text)]).toEqual([]);
});

test('every value in the section of administrators is a secret, and other options by their names', () => {
  const text = '[admins]\nanna = tr0ub4dor\n[chttpd]\nport = 5984x\n[chttpd_auth]\nsecret = 92de07df7e7a3fe1\n';
  expect([...secretsIn(text, 'local.ini')]).toEqual(['tr0ub4dor', '92de07df7e7a3fe1']);
});

const PASSWORD = 'tr0ub/4d"or';

test.each([
  ['as it is', PASSWORD],
  ['in JSON', JSON.stringify(PASSWORD).slice(1, -1)],
  ['percent-encoded', encodeURIComponent(PASSWORD)],
  ['percent-encoded in lower case', encodeURIComponent(PASSWORD).replace(/%../g, (code) => code.toLowerCase())],
])('is masked %s', (_, spelling) => {
  expect(new SecretMask([PASSWORD]).text(`before ${spelling} behind`)).toBe('before ***** behind');
});

test('is masked in base64 whatever stands before and behind it', () => {
  const mask = new SecretMask([PASSWORD]);
  fc.assert(
    fc.property(fc.string({ maxLength: 5 }), fc.string({ maxLength: 5 }), (before, after) => {
      const encoded = Buffer.from(`${before}${PASSWORD}${after}`);
      for (const form of /** @type {const} */ (['base64', 'base64url']))
        expect(mask.text(encoded.toString(form))).toContain('*****');
    }),
  );
});

test('a short secret is masked as a word of its own, and an ordinary word nowhere', () => {
  expect(new SecretMask(['abc1']).text('abc1 xabc1 abc12 "abc1"')).toBe('***** xabc1 abc12 "*****"');
  expect(new SecretMask(['password', 'ab']).isEmpty).toBe(true);
});

test('a copy of a report is masked but for what it is read by, and covers of text keep its places', () => {
  const mask = new SecretMask(['tr0ub4dor']);
  const report = { key: 'tr0ub4dor', list: ['a tr0ub4dor'], map: new Map([['x', 'tr0ub4dor']]), count: 1 };
  expect(mask.deep(report, (key) => key === 'key')).toEqual({
    key: 'tr0ub4dor',
    list: ['a *****'],
    map: new Map([['x', '*****']]),
    count: 1,
  });
  expect(mask.cover('a tr0ub4dor b')).toBe('a ********* b');
});
