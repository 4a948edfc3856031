// Addresses of CouchDB become shapes; the fast recognition never takes two shapes for one.

import { describe, expect, test } from 'vitest';
import { exampleParameters } from '../../lib/digest/parameters.js';
import { readTarget } from '../../lib/digest/query-fingerprint.js';
import { isWholeTarget, scanTarget } from '../../lib/digest/scan-target.js';
import { databaseOfShard, foldDatabase, isDatabaseName } from '../../lib/shared/fold-database.js';
import { turns } from '../helpers/long.js';
import fc from '../helpers/property.js';

test.each([
  ['/', null, { endpoint: '/' }],
  ['/_up', null, { endpoint: '_up' }],
  ['/_node/_local/_stats/couchdb', null, { endpoint: '_node' }],
  ['/favicon.ico', null, { endpoint: 'other' }],
  ['/wp-login.php?x=1', null, { endpoint: 'other' }],
  ['/_unheard-of', null, { endpoint: 'other' }],
  ['/shop', 'shop', { endpoint: 'database' }],
  ['/shop/', 'shop', { endpoint: 'database', byReplicator: true }],
  ['//shop//order-1', 'shop', { endpoint: 'document' }],
  ['/shop/order%3A17?conflicts=true', 'shop', { endpoint: 'document', parameters: ['conflicts=true'] }],
  ['/shop/order-1/invoice.pdf', 'shop', { endpoint: 'attachment' }],
  ['/shop/_local/3f2a', 'shop', { endpoint: '_local', byReplicator: true }],
  ['/shop/_design/orders', 'shop', { endpoint: '_design', designDoc: '_design/orders' }],
  ['/shop/_design%2Forders', 'shop', { endpoint: '_design', designDoc: '_design/orders' }],
  ['/shop/_design/orders/logo.png', 'shop', { endpoint: 'attachment', designDoc: '_design/orders' }],
  [
    '/shop/_design/orders/_view/by_date?skip=40&limit=20&startkey=%22a%22&start_key_doc_id=x&cachebuster=17',
    'shop',
    {
      endpoint: '_view',
      designDoc: '_design/orders',
      view: 'by_date',
      parameters: ['limit', 'skip', 'startkey', 'startkey_docid'],
    },
  ],
  ['/shop/_design/orders/_view/by_date/queries', 'shop', { endpoint: '_view/queries', view: 'by_date' }],
  ['/shop/_design/orders/_list/csv/by_date', 'shop', { endpoint: '_list', functionName: 'csv', view: 'by_date' }],
  ['/shop/_design/orders/_show/page/order-1', 'shop', { endpoint: '_show', functionName: 'page' }],
  ['/shop/_design/orders/_update/touch/order-1', 'shop', { endpoint: '_update', functionName: 'touch' }],
  [
    '/shop/_all_docs?include_docs=true&keys=%5B%22a%22%5D',
    'shop',
    { endpoint: '_all_docs', parameters: ['include_docs=true', 'keys'] },
  ],
  ['/shop/_all_docs/queries', 'shop', { endpoint: '_all_docs/queries' }],
  ['/shop/_partition/eu/_find', 'shop', { endpoint: '_find', parameters: ['partition'] }],
  ['/shop/_partition/eu/_design/o/_view/v', 'shop', { endpoint: '_view', view: 'v', parameters: ['partition'] }],
  [
    '/shop/_changes?feed=longpoll&since=12-g1AAA&filter=app/mine&customer=c3',
    'shop',
    { endpoint: '_changes', parameters: ['feed=longpoll', 'filter=app/mine', 'since'] },
  ],
  ['/shop/_temp_view', 'shop', { endpoint: '_temp_view' }],
  ['/shop/_revs_diff', 'shop', { endpoint: '_revs_diff', byReplicator: true }],
  ['/shop/_unheard-of', 'shop', { endpoint: 'other' }],
  ['/_users/org.couchdb.user:ann', '_users', { endpoint: 'document' }],
  ['/shop%2Feu/_find', 'shop/eu', { endpoint: '_find' }],
  ['/shop/_all_docs?include_docs=%1b%5b2J&reduce', 'shop', { parameters: ['include_docs=?', 'reduce=?'] }],
  ['/shop/%zz', 'shop', { endpoint: 'document' }],
])('%s', (target, database, fingerprint) => {
  const read = readTarget(target);
  expect(read.database).toBe(database);
  expect(read.fingerprint).toMatchObject(fingerprint);
});

test.each([
  ['user-1', 'user-*'],
  ['userdb-616e6e', 'userdb-*'],
  ['userdb-deadbeef', 'userdb-*'],
  ['tenant/3f2504e0-4f89-11d3-9a0c-0305e82c3301/orders', 'tenant/*/orders'],
  ['cart-00ff00ff00ff', 'cart-*'],
  ['logs-2026-11', 'logs-*-*'],
  ['shop', 'shop'],
  ['facade', 'facade'],
  ['deadbeef', 'deadbeef'],
  ['_users', '_users'],
])('folds %s to %s, and that no further', (name, pattern) => {
  expect(foldDatabase(name)).toBe(pattern);
  expect(foldDatabase(pattern)).toBe(pattern);
});

test.each([
  ['shards/00000000-7fffffff/shop.1795229120', 'shop'],
  ['shards/80000000-ffffffff/tenant/eu.1795229120', 'tenant/eu'],
  ['shop', 'shop'],
])('the database of %s is %s', (name, database) => {
  expect(databaseOfShard(name)).toBe(database);
});

test.each([
  ['shop', true],
  ['a_1$()+/-', true],
  ['_users', true],
  ['Shop', false],
  ['1shop', false],
  ['index.html', false],
  ['_session', false],
  ['x'.repeat(300), false],
])('%s as the name of a database: %s', (name, isName) => {
  expect(isDatabaseName(name)).toBe(isName);
});

describe('the fast recognition', () => {
  const segment = fc.oneof(
    fc.constantFrom(
      ...'shop _design orders _view by_date _all_docs queries _local _partition _find _list %5Fdesign _design%2Forders _users'.split(
        ' ',
      ),
      ...'_session _lxxxx _dxxxxx limit reduce ? & = %zz %ff %00 . .. user-17 _de%73ign _bulk_get'.split(' '),
    ),
    fc.string({ maxLength: 6 }),
  );
  const parameter = fc.oneof(
    fc.constantFrom(
      ...'reduce reduce=true reduce=false group=reduce limit=1 limit=x key=1 keys=[1] include_docs=true group&reduce since=1 revs=true'.split(
        ' ',
      ),
    ),
    fc.string({ maxLength: 6 }),
  );
  const target = fc
    .tuple(fc.array(segment, { maxLength: 6 }), fc.option(fc.array(parameter, { maxLength: 4 })), fc.boolean())
    .map(([path, query, hasSlash]) => `/${path.join('/')}${hasSlash ? '/' : ''}${query ? `?${query.join('&')}` : ''}`);

  /** @param {string} text */
  const look = (text) => {
    const bytes = Buffer.from(text);
    const scan = scanTarget(bytes, 0, bytes.length);
    const isWhole = isWholeTarget(bytes, scan.databaseStart, bytes.length);
    const path = bytes.toString('utf8', isWhole ? 0 : scan.databaseEnd);
    return {
      hash: `${scan.fingerprint.first} ${scan.fingerprint.second}`,
      fingerprint: readTarget(isWhole ? path : `/d${path}`).fingerprint,
    };
  };

  test('never gives two shapes one hash', () => {
    /** @type {Map<string, unknown>} */
    const known = new Map();
    fc.assert(
      fc.property(target, (text) => {
        const { hash, fingerprint } = look(text);
        if (known.has(hash)) expect(fingerprint).toEqual(known.get(hash));
        known.set(hash, fingerprint);
      }),
      { numRuns: 20_000 },
    );
    expect(known.size).toBeGreaterThan(turns({ short: 125, long: 500 }));
  });

  test.each([
    ['/shop/order-1', '/shop/order-2'],
    ['/shop/order-1', '/stock/order-2?cachebuster=1'.replace('?cachebuster=1', '')],
    ['/shop/_all_docs?key=1&limit=2', '/shop/_all_docs?key=%22long%22&limit=500'],
    ['/shop/_partition/a/_find', '/shop/_partition/b/_find'],
    ['/shop/_local/a', '/shop/_local/b'],
    ['/shop/a/b.png', '/shop/c/d.png'],
  ])('has one hash for %s and %s', (first, second) => {
    expect(look(first).hash).toBe(look(second).hash);
  });

  test.each([
    ['/shop/order-1', { hasKey: true, limit: -1 }],
    ['/shop/_all_docs?limit=20&skip=40', { hasKey: false, limit: 20, skip: 40 }],
    ['/shop/_all_docs?limit=-1&skip=', { limit: -1, skip: -1 }],
    ['/shop/_all_docs?limit=99999999999999', { limit: 1_000_000_000 }],
    ['/shop/%zz', { hasBadEscapes: true }],
    ['/shop/%41%4', { hasBadEscapes: true }],
    ['/shop/%41', { hasBadEscapes: false, hasHighBytes: false }],
    ['/shop/é', { hasHighBytes: true }],
  ])('tells of %s what its parts say', (text, found) => {
    const bytes = Buffer.from(text);
    expect(scanTarget(bytes, 0, bytes.length)).toMatchObject(found);
  });
});

test.each([
  ['limit=20&skip=40&include_docs=true&cachebuster=1', 'include_docs=true limit=20 skip=40'],
  ['limit=secret&since=12-g1AAA&rev=1-secret', 'limit=… rev=… since=…'],
  ['key="secret"&startkey=["secret",2026]&endkey=["secret",{}]', 'endkey=["…",{}] key="…" startkey=["…",…]'],
  ['key=12&endkey=null&startkey=true', 'endkey=null key=… startkey=…'],
  ['keys=["a","b","c","d","secret"]', 'keys=["…","…","…","…",…]'],
  ['key={"secret":1}&startkey=[[["secret"]]]', 'key={…} startkey=[[[…]]]'],
  ['key=secret&startkey_docid=secret&key', 'key=… startkey_docid=…'],
  [`key="${'s'.repeat(3000)}"`, 'key=…'],
  ['filter=secret%20one&secret=1', 'filter=?'],
])('%.60s is shown as %s', (query, shown) => {
  expect(exampleParameters(query, (text) => text).join(' ')).toBe(shown);
});

test('no value of a key is in an example, whatever it is', () => {
  fc.assert(
    fc.property(fc.constantFrom('key', 'startkey', 'keys', 'endkey_docid', 'since'), fc.jsonValue(), (name, value) => {
      const [shown] = exampleParameters(`${name}=${encodeURIComponent(JSON.stringify(value))}`, decodeURIComponent);
      expect(shown?.slice(name.length)).toMatch(/^=(?:null|"…"|[…,[\]{}]|"…"|null)+$/);
    }),
    { numRuns: turns({ short: 100, long: 2000 }) },
  );
});
