// What rules say of options of the server, checked on a real CouchDB whose options may be changed (COUCHDB_MAY_CONFIGURE=1). Each is set back.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compareVersions } from '../../lib/shared/version.js';
import { COUCHDB_URL, ScratchDatabase } from '../helpers/couchdb.js';
import { askServer, countersDuring, MAY_CONFIGURE, serverVersion, withOptions } from '../helpers/live-server.js';

const MAP = 'function (doc) { emit(doc.number, null); }';
/** @type {Record<string, string>} */
const STRANGER = {};
const ORIGIN = { origin: 'https://other.example' };

describe.skipIf(!MAY_CONFIGURE)('options of a real CouchDB', { timeout: 120_000 }, () => {
  const database = new ScratchDatabase(COUCHDB_URL ?? 'http://localhost');
  let version = '';
  const asStranger = async (path = '/_all_dbs') => (await askServer('GET', path, undefined, STRANGER)).status;

  beforeAll(async () => {
    version = await serverVersion();
    await database.create();
    const docs = Array.from({ length: 20 }, (_, number) => ({ number }));
    await database.ask('POST', '/_bulk_docs', { docs });
    await database.ask('PUT', '/_design/v', { views: { all: { map: MAP } } });
    await database.ask('GET', '/_design/v/_view/all');
  });
  afterAll(() => database.drop());

  test('`require_valid_user` takes effect only in `[chttpd]` and with its exact name', async () => {
    const open = `/${database.name}`;
    const [members, admins] = [
      { names: [], roles: [] },
      { names: [], roles: ['_admin'] },
    ];
    await database.ask('PUT', '/_security', { members, admins });
    expect(await asStranger(open)).toBe(200);
    for (const section of ['couch_httpd_auth', 'chttpd_auth']) {
      expect(await withOptions([[section, 'require_valid_user', 'true']], () => asStranger(open))).toBe(200);
    }
    expect(await withOptions([['chttpd', 'Require_Valid_User', 'true']], () => asStranger(open))).toBe(200);
    expect(await withOptions([['chttpd', 'require_valid_user', 'true']], () => asStranger(open))).toBe(401);
  });

  test('the header of `[csp]` is off only if `enable` and `utils_enable` are both false', async () => {
    const hasPolicy = async () => (await askServer('GET', '/_utils/')).headers.has('content-security-policy');
    expect(await hasPolicy()).toBe(true);
    expect(await withOptions([['csp', 'enable', 'false']], hasPolicy)).toBe(true);
    expect(await withOptions([['csp', 'utils_enable', 'false']], hasPolicy)).toBe(true);
    const off = /** @type {[string, string, string][]} */ (
      ['enable', 'utils_enable'].map((key) => ['csp', key, 'false'])
    );
    expect(await withOptions(off, hasPolicy)).toBe(false);
  });

  test('a query server in `[query_servers]` is ignored', async () => {
    const { id } = await database.save({ language: 'python', views: { all: { map: 'def fun(doc): pass' } } });
    const { status, answer } = await withOptions([['query_servers', 'python', '/bin/cat']], () =>
      database.ask('GET', `/${id}/_view/all`),
    );
    expect([status, answer.error]).toEqual([500, 'unknown_query_language']);
  });

  test('`[chttpd] enable_cors` wins over `[httpd] enable_cors`, which is used if it is alone', async () => {
    const allows = async () =>
      (await askServer('GET', '/', undefined, ORIGIN)).headers.get('access-control-allow-origin') !== null;
    /** @type {[string, string, string]} */
    const all = ['cors', 'origins', '*'];
    expect(await withOptions([all, ['httpd', 'enable_cors', 'true']], allows)).toBe(true);
    const both = withOptions([all, ['httpd', 'enable_cors', 'true'], ['chttpd', 'enable_cors', 'false']], allows);
    expect(await both).toBe(false);
  });

  test('every origin gets credentials if `origins` is `*` and `credentials` is true', async () => {
    /** @param {string} credentials @returns {Promise<(string | null)[]>} */
    const headersWith = (credentials) =>
      withOptions(
        [
          ['chttpd', 'enable_cors', 'true'],
          ['cors', 'origins', '*'],
          ['cors', 'credentials', credentials],
        ],
        async () => {
          const { headers } = await askServer('GET', '/', undefined, ORIGIN);
          return ['origin', 'credentials'].map((name) => headers.get(`access-control-allow-${name}`));
        },
      );
    expect(await headersWith('true')).toEqual([ORIGIN.origin, 'true']);
    const [origin, credentials] = await headersWith('false');
    expect([['*', ORIGIN.origin].includes(String(origin)), credentials]).toEqual([true, null]);
  });

  test('JSONP is off by default', async () => {
    const asScript = async () => (await askServer('GET', '/?callback=shop')).text.startsWith('/* CouchDB */shop(');
    expect(await asScript()).toBe(false);
    expect(await withOptions([['chttpd', 'allow_jsonp', 'true']], asScript)).toBe(true);
  });

  test('a new database is closed to others than admins, and open with `default_security = everyone` or `admin_local`', async () => {
    const isOpen = async () => {
      const own = new ScratchDatabase(COUCHDB_URL ?? 'http://localhost');
      await own.create();
      try {
        return (await asStranger(`/${own.name}`)) === 200;
      } finally {
        await own.drop();
      }
    };
    expect(await isOpen()).toBe(false);
    for (const value of ['everyone', 'admin_local']) {
      expect([value, await withOptions([['couchdb', 'default_security', value]], isOpen)]).toEqual([value, true]);
    }
  });

  test('`require_valid_user_except_for_up` requires a user for everything but `/_up`', async () => {
    const statuses = await withOptions([['chttpd', 'require_valid_user_except_for_up', 'true']], async () => [
      await asStranger('/'),
      await asStranger('/_up'),
    ]);
    expect(statuses).toEqual([401, 200]);
  });

  // Not tried here: an algorithm that is not known ends the server.
  test('the algorithms `random`, `sequential`, `utc_random` and `utc_id` make ids', async () => {
    const newer = compareVersions(version, '3.5.1') >= 0 ? ['uuid_v7'] : [];
    for (const algorithm of ['random', 'sequential', 'utc_random', 'utc_id', ...newer]) {
      const { status } = await withOptions([['uuids', 'algorithm', algorithm]], () => database.ask('POST', '', {}));
      expect([algorithm, status]).toEqual([algorithm, 201]);
    }
  });

  test('ids of `sequential` rise, and `utc_id` without a suffix is the time alone', async () => {
    const idsWith = (/** @type {string} */ algorithm) =>
      withOptions(
        [['uuids', 'algorithm', algorithm]],
        async () => (await askServer('GET', '/_uuids?count=3')).answer.uuids,
      );
    const sorted = (/** @type {string[]} */ ids) => ids.toSorted().join() === ids.join();
    expect(sorted(await idsWith('sequential'))).toBe(true);
    const timed = await idsWith('utc_id');
    expect(sorted(timed)).toBe(true);
    expect(timed.every((/** @type {string} */ id) => id.length === 14)).toBe(true);
  });

  test('`query_limit` cuts off an answer without a limit, and refuses a greater limit with 400', async () => {
    const asked = await withOptions([['query_server_config', 'query_limit', '5']], async () => ({
      whole: await database.ask('GET', '/_design/v/_view/all'),
      few: await database.ask('GET', '/_design/v/_view/all?limit=3'),
      many: await database.ask('GET', '/_design/v/_view/all?limit=10'),
    }));
    expect([asked.whole.status, asked.whole.answer.rows.length]).toEqual([200, 5]);
    expect(asked.few.answer.rows).toHaveLength(3);
    expect([asked.many.status, asked.many.answer.error]).toEqual([400, 'query_parse_error']);
  });

  test('a password in each of 20 requests is hashed at most once, and with 600,000 iterations', async () => {
    // From 3.4 on; the rounds of new hashes are 600,000.
    if (compareVersions(version, '3.4') < 0) return;
    const grown = await countersDuring(async () => {
      for (let tries = 0; tries < 20; tries += 1) await askServer('GET', '/_all_dbs');
    });
    expect(grown('couchdb.password_hashing_fast')).toBeGreaterThanOrEqual(20);
    expect(grown('couchdb.password_hashing_slow')).toBeLessThanOrEqual(1);
    const name = `${database.name}-user`;
    const users = await askServer('PUT', '/_users');
    try {
      const doc = { _id: `org.couchdb.user:${name}`, name, password: 'pears and plums', roles: [], type: 'user' };
      await askServer('PUT', `/_users/${encodeURIComponent(doc._id)}`, doc);
      const { answer } = await askServer('GET', `/_users/${encodeURIComponent(doc._id)}`);
      expect([answer.password_scheme, answer.iterations]).toEqual(['pbkdf2', 600_000]);
      await askServer('DELETE', `/_users/${encodeURIComponent(doc._id)}?rev=${answer._rev}`);
    } finally {
      if (users.status === 201) await askServer('DELETE', '/_users');
    }
  });
});
