// Where a server is and who may use it, from each place it can be told; and that nothing of it is told in errors.

import { describe, expect, test } from 'vitest';
import { authorizationOf, readNetrc, readServerAddress } from '../../../lib/measure/servers/credentials.js';

const env = { COUCHDB_USER: 'clerk', COUCHDB_PASSWORD: 'till', NETRC: '/shop/netrc' };
const netrc = 'machine db.shop login courier password van\ndefault login guest password door';

describe('credentials', () => {
  test.each([
    ['of the URL come first', 'http://admin:p%40ss@db.shop:5984', env, { user: 'admin', password: 'p@ss' }],
    ['of the environment come next', 'http://db.shop:5984', env, { user: 'clerk', password: 'till' }],
    ['of the netrc file come last', 'http://db.shop:5984', { NETRC: 'x' }, { user: 'courier', password: 'van' }],
    ['of `default` are for other hosts', 'http://elsewhere:5984/', { NETRC: 'x' }, { user: 'guest', password: 'door' }],
    [
      'with a stray percent sign are taken as they are',
      'http://admin:100%25%@db.shop',
      {},
      { user: 'admin', password: '100%25%' },
    ],
  ])('%s', (_, url, given, credentials) => {
    expect(readServerAddress(url, given, () => netrc).credentials).toEqual(credentials);
  });

  test('are not needed', () => {
    expect(readServerAddress('http://db.shop:5984', {}, () => undefined)).toEqual({
      origin: 'http://db.shop:5984',
      credentials: undefined,
    });
    expect(authorizationOf(undefined)).toEqual({});
  });

  test('become a header', () => {
    expect(authorizationOf({ user: 'admin', password: 'ü' })).toEqual({ authorization: 'Basic YWRtaW46w7w=' });
  });
});

test.each([
  ['over several lines', 'machine db.shop\n  login a\n  password b', { user: 'a', password: 'b' }],
  [
    'behind a comment',
    '# machine db.shop login x password y\nmachine db.shop login a password b',
    { user: 'a', password: 'b' },
  ],
  [
    'behind a macro',
    'macdef init\nmachine db.shop login x password y\n\nmachine db.shop login a password b',
    { user: 'a', password: 'b' },
  ],
  ['with an account', 'machine db.shop account z login a password b', { user: 'a', password: 'b' }],
  ['of another host', 'machine elsewhere login a password b', undefined],
  ['without a name', 'machine db.shop password b', undefined],
  ['empty', '', undefined],
])('a netrc file %s', (_, text, credentials) => {
  expect(readNetrc(text, 'db.shop')).toEqual(credentials);
});

test.each([
  ['not a url with secret', 'bad-url'],
  ['ftp://admin:secret@db.shop', 'bad-url'],
  ['http://admin:secret@db.shop/orders', 'bad-url'],
  ['http://admin:secret@db.shop/?q=1', 'bad-url'],
])('%s is refused, and the error tells nothing of it', (url, code) => {
  /** @type {unknown} */
  let thrown;
  try {
    readServerAddress(url, {}, () => undefined);
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toMatchObject({ code });
  expect(JSON.stringify(thrown) + String(thrown)).not.toContain('secret');
});
