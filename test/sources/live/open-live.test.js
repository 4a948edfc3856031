import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, expect, test } from 'vitest';
import { openLive } from '../../../lib/sources/live/open-live.js';
import { startFakeCouchdb } from '../../helpers/fake-couchdb.js';
import { isLong } from '../../helpers/long.js';
import { readText } from '../../helpers/read-source.js';

/** @import { ServedRequest, FakeAnswer } from '../../helpers/fake-couchdb.js' */
/** @import { LiveOptions } from '../../../lib/sources/live/open-live.js' */

const folder = mkdtempSync(path.join(os.tmpdir(), 'couch-advisor-live-'));
afterAll(() => rmSync(folder, { recursive: true }));

// What is held cannot be told from what was not collected yet.
setFlagsFromString('--expose-gc');
/** @type {() => void} */
const collectGarbage = runInNewContext('gc');

const ORDERS = {
  _id: '_design/orders',
  _rev: '1-a',
  views: { by_date: { map: 'function (doc) {\n  emit(doc.date);\n}' } },
};

/**
 * @param {{origin: string}} server
 * @param {Partial<LiveOptions>} [options]
 */
function open({ origin }, options) {
  return openLive({
    server: { origin, headers: {}, rate: 100_000 },
    databases: [],
    queries: [],
    record: undefined,
    now: () => '2026-03-02T08:00:00Z',
    ...options,
  });
}

/**
 * @param {string} name
 * @param {boolean} [resume]
 */
function record(name, resume = false) {
  return { path: path.join(folder, name), shown: name, resume };
}

/**
 * @param {Parameters<typeof startFakeCouchdb>[0]} given
 * @param {(server: Awaited<ReturnType<typeof startFakeCouchdb>>) => Promise<void>} use
 */
async function withServer(given, use) {
  const server = await startFakeCouchdb(given);
  try {
    await use(server);
  } finally {
    await server.close();
  }
}

test('records stand at the address of what they were read from, laid out in lines', async () => {
  await withServer({ designDocs: () => [ORDERS] }, async (server) => {
    const { records, shown, errors, databases } = await open(server);
    expect(errors).toEqual([]);
    expect(databases).toBe(1);
    expect(records.map(({ kind, file }) => `${kind} ${file.path.slice(server.origin.length)}`)).toEqual([
      'node /',
      'server-config /_node/_local/_config',
      'database /shop',
      'design-doc /shop/_design/orders',
      'view-index /shop/_design/orders/_info',
    ]);
    const addresses = records.map(({ file }) => file.path);
    expect(shown.map(({ path: address }) => address).sort()).toEqual(
      [...addresses, `${server.origin}/shop/_security`].sort(),
    );
    const designDoc = records.find(({ kind }) => kind === 'design-doc');
    expect(designDoc?.file.text.split('\n')[5]).toContain('"map": "function (doc) {\\n  emit(doc.date);\\n}"');
    const database = records.find((found) => found.kind === 'database');
    expect(database?.placeOf('sizes', 'active')).toMatchObject({ line: 7, column: 15 });
  });
});

test('only requests that read are sent, and no document is asked for', async () => {
  const queries = [{ database: 'sh*', body: { selector: { status: 'open' } } }];
  await withServer(
    { designDocs: () => [ORDERS, { ...ORDERS, _id: '_design/x', language: 'query' }] },
    async (server) => {
      await open(server, { queries });
      expect(server.served.map(({ method, path: asked }) => `${method} ${asked.split('?')[0]}`)).toEqual([
        'GET /',
        'GET /_node/_local/_versions',
        'GET /_node/_local/_config',
        'GET /_node/_local/_stats',
        'GET /_active_tasks',
        'GET /_membership',
        'GET /_scheduler/docs',
        'GET /_scheduler/jobs',
        'GET /_node/_local/_smoosh/status',
        'GET /_all_dbs',
        'GET /shop',
        'GET /shop/_all_docs',
        'GET /shop/_security',
        'GET /shop/_index',
        'GET /shop/_design/orders/_info',
        'GET /shop/_design/x/_info',
        'GET /shop/_changes',
        'POST /shop/_explain',
      ]);
    },
  );
});

/** @type {[string, (asked: ServedRequest) => FakeAnswer | undefined, Partial<LiveOptions>, string][]} */
const REFUSED = [
  [
    'a wrong password',
    ({ path: asked }) => (asked === '/' ? { status: 401, body: { error: 'unauthorized' } } : undefined),
    {},
    'wrong-password',
  ],
  [
    'a wrong password that shows late',
    ({ path: asked }) =>
      asked.startsWith('/_node')
        ? { status: 401, body: { error: 'unauthorized', reason: 'Name or password is incorrect.' } }
        : undefined,
    {},
    'wrong-password',
  ],
  [
    'another program',
    ({ path: asked }) => (asked === '/' ? { body: { name: 'elastic', version: { number: '8' } } } : undefined),
    {},
    'no-couchdb',
  ],
  ['a list', ({ path: asked }) => (asked === '/' ? { body: [] } : undefined), {}, 'no-couchdb'],
  [
    'a server that lists its databases for admins only',
    ({ path: asked }) => (asked.startsWith('/_all_dbs') ? { status: 401, body: { error: 'unauthorized' } } : undefined),
    {},
    'not-allowed',
  ],
  ['a name that no database has', () => undefined, { databases: ['_utils'] }, 'bad-database-name'],
  ['a glob that fits nothing', () => undefined, { databases: ['stock-*'] }, 'no-database'],
];

test.each(REFUSED)('%s is refused', async (_, special, options, code) => {
  await withServer({ special }, async (server) => {
    await expect(open(server, options)).rejects.toMatchObject({ name: 'UserError', code });
  });
});

test('databases that may not be read, or are gone, are named and passed over', async () => {
  const databases = ['a', 'forbidden', 'gone', 'locked', 'broken', 'z'];
  /** @param {ServedRequest} asked @returns {FakeAnswer | undefined} */
  const special = ({ path: asked }) => {
    if (asked === '/_dbs_info') return { status: 404, body: { error: 'not_found' } };
    if (asked === '/forbidden') return { status: 403, body: { error: 'forbidden' } };
    if (asked === '/locked') return { status: 401, body: { error: 'unauthorized' } };
    if (asked === '/gone') return { status: 404, body: { error: 'not_found' } };
    if (asked === '/broken') return { status: 500, body: { error: 'badarg' } };
    return undefined;
  };
  await withServer({ databases, special }, async (server) => {
    const { records, notes, errors } = await open(server);
    const read = records.flatMap((found) => (found.kind === 'database' ? [found.name] : []));
    expect(read).toEqual(['a', 'z']);
    expect(notes.map(({ path: at, reason }) => `${at.slice(server.origin.length)} ${reason}`)).toEqual([
      '/forbidden it may not be read',
      '/gone it does not exist',
      '/locked it may not be read',
    ]);
    expect(errors).toMatchObject([{ code: 'database-unreadable', place: { file: `${server.origin}/broken` } }]);
  });
});

test.each([
  ['design documents that fail to be read', 500, 'badarg', ['database-unreadable']],
  ['design documents that may not be read, in one database of two,', 403, 'forbidden', []],
])('%s are never silence', async (_, status, error, codes) => {
  const special = (/** @type {ServedRequest} */ { path: asked }) =>
    asked.startsWith('/a/_all_docs') ? { status, body: { error } } : undefined;
  await withServer({ databases: ['a', 'b'], special }, async (server) => {
    const { errors, notes } = await open(server);
    expect(errors.map(({ code }) => code)).toEqual(codes);
    expect(errors.length + notes.length).toBe(1);
  });
});

test.each([
  ['the only database that there is', ['a'], {}],
  ['a database that is named', ['a', 'b'], { databases: ['a'] }],
])('%s must be readable', async (_, databases, options) => {
  for (const refused of ['/a', '/a/_all_docs']) {
    const special = (/** @type {ServedRequest} */ { path: asked }) =>
      asked.split('?')[0] === refused ? { status: 401, body: { error: 'unauthorized' } } : undefined;
    await withServer({ databases, special }, async (server) => {
      expect((await open(server, options)).errors).toMatchObject([{ code: 'not-allowed' }]);
    });
  }
});

test('a database that was named and is not there is an error', async () => {
  await withServer({}, async (server) => {
    const { errors } = await open(server, { databases: ['stock'] });
    expect(errors).toMatchObject([{ code: 'no-database' }]);
  });
});

test('names and ids that would lead elsewhere are never asked for', async () => {
  const designDocs = () =>
    ['_design/..', '_design/%2e%2e', '_design/', '_design/a/../b'].map((id) => ({ ...ORDERS, _id: id }));
  const databases = ['..', '_session', 'shop', 'shop?x', 'Shop'];
  await withServer({ databases, designDocs }, async (server) => {
    const { errors } = await open(server);
    expect(errors).toEqual([]);
    const asked = server.served.map(({ path: at }) => at).filter((at) => at.startsWith('/shop') || at.includes('..'));
    expect(asked.map((at) => at.split('?')[0])).toEqual([
      '/shop',
      '/shop/_all_docs',
      '/shop/_security',
      '/shop/_design/%252e%252e/_info',
      '/shop/_design/a%2F..%2Fb/_info',
      '/shop/_changes',
    ]);
  });
});

test('databases with the same design documents have them judged once', async () => {
  const designDocs = (/** @type {string} */ name) => (name === 'c' ? [] : [{ ...ORDERS, _rev: `1-${name}` }]);
  await withServer({ databases: ['a', 'b', 'c'], designDocs }, async (server) => {
    const { records, notes } = await open(server);
    expect(records.filter(({ kind }) => kind === 'design-doc').map(({ file }) => file.path)).toEqual([
      `${server.origin}/a/_design/orders`,
    ]);
    expect(records.filter(({ kind }) => kind === 'view-index')).toHaveLength(2);
    expect(notes).toEqual([{ path: `${server.origin}/b`, reason: 'the same design documents as a' }]);
  });
});

test('what is recorded gives the same records again, and holds no secret', async () => {
  const queries = [{ database: 'shop', body: { selector: { status: 'open' } } }];
  const plan = { index: { name: '_all_docs', type: 'special', def: {} }, mrargs: { start_key: null }, covering: false };
  const special = (/** @type {ServedRequest} */ { path: asked }) =>
    asked === '/shop/_explain' ? { body: plan } : undefined;
  await withServer({ designDocs: () => [ORDERS], special }, async (server) => {
    const live = await open(server, { record: record('same.jsonl'), queries });
    const file = path.join(folder, 'same.jsonl');
    const text = readFileSync(file, 'utf8');
    expect(text).not.toContain('secret-hash');
    expect(text).not.toContain('update_seq');
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o077).toBe(0);
    const again = await readText(text, 'same.jsonl');
    expect(again.errors).toEqual([]);
    expect(again.shown?.map(({ path: at, text: shown }) => [at, shown])).toEqual(
      live.shown.map(({ path: at, text: shown }) => [at, shown]),
    );
    expect(again.records.map(({ kind }) => kind)).toEqual(live.records.map(({ kind }) => kind));
  });
});

test('a file that holds something else is not written over', async () => {
  writeFileSync(path.join(folder, 'notes.txt'), 'buy milk\n');
  await withServer({}, async (server) => {
    await expect(open(server, { record: record('notes.txt') })).rejects.toMatchObject({ code: 'not-answers' });
    await expect(open(server, { record: record('missing.jsonl', true) })).rejects.toMatchObject({
      code: 'nothing-to-resume',
    });
    await expect(open(server, { record: record('no/such/folder.jsonl') })).rejects.toMatchObject({
      code: 'cannot-write',
    });
    expect(readFileSync(path.join(folder, 'notes.txt'), 'utf8')).toBe('buy milk\n');
    await open(server, { record: record('other.jsonl') });
  });
  await withServer({}, async (server) => {
    await expect(open(server, { record: record('other.jsonl', true) })).rejects.toMatchObject({ code: 'other-server' });
  });
});

test('a server that goes away ends the run, and the next one goes on where it was', async () => {
  const databases = Array.from({ length: 40 }, (_, at) => `db${String(at).padStart(2, '0')}`);
  let isGone = false;
  let goes = true;
  /** @param {ServedRequest} asked @returns {FakeAnswer | undefined} */
  const special = ({ path: asked }) => {
    if (goes && asked.startsWith('/db20')) isGone = true;
    return isGone ? { text: '{', cut: true } : undefined;
  };
  const designDocs = (/** @type {string} */ name) => [{ ...ORDERS, note: name }];
  await withServer({ databases, designDocs, special }, async (server) => {
    const first = await open(server, { record: record('resume.jsonl') });
    expect(first.errors.at(-1)).toMatchObject({ code: 'server-lost', hint: expect.stringContaining('--resume') });
    expect(first.databases).toBeLessThan(30);
    // The last line may be cut where the program was killed.
    const file = path.join(folder, 'resume.jsonl');
    writeFileSync(file, `${readFileSync(file, 'utf8')}{"database": "db3`);

    isGone = false;
    goes = false;
    const before = server.served.length;
    const whole = await open(server, { record: record('resume.jsonl', true) });
    expect(whole.errors).toEqual([]);
    expect(whole.databases).toBe(40);
    const names = server.served.slice(before).map(({ path: at }) => at.split(/[/?]/)[1]);
    expect(names).not.toContain('db00');
    expect(names).toContain('db39');
    // Afterwards the file says as much as that of a run that was not cut short.
    const again = await readText(readFileSync(file, 'utf8'), 'resume.jsonl');
    expect(again.errors).toEqual([]);
    expect(again.databases).toBe(40);
  });
});

test.runIf(isLong)('1,000 databases are read in flat memory', async () => {
  const databases = Array.from({ length: 1000 }, (_, at) => `user-${String(at).padStart(5, '0')}`);
  const map = `function (doc) {\n  // ${'x'.repeat(40_000)}\n  emit(doc.date);\n}`;
  const designDocs = () => [{ ...ORDERS, views: { by_date: { map } } }];
  await withServer({ databases, designDocs }, async (server) => {
    server.served.push = () => 0;
    /** @type {number[]} */
    const sizes = [];
    let maps = 0;
    const {
      databases: count,
      records,
      errors,
    } = await open(server, {
      record: record('many.jsonl'),
      onProgress: ({ done }) => {
        if (done % 100 === 0) {
          collectGarbage();
          sizes.push(process.memoryUsage().heapUsed);
        }
      },
    });
    for (const { kind } of records) if (kind === 'design-doc') maps += 1;
    expect({ count, errors, maps, told: sizes.length }).toEqual({ count: 1000, errors: [], maps: 1, told: 10 });
    // Some kilobytes of figures are kept of each, and nothing of its design documents, which are 36 MB.
    const [first = 0] = sizes;
    expect((sizes.at(-1) ?? 0) - first).toBeLessThan(10_000_000);
  });
});
