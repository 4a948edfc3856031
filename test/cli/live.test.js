import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { splitAddress } from '../../lib/engine/run/read-server.js';
import { startFakeCouchdb } from '../helpers/fake-couchdb.js';
import { runMain } from '../helpers/run-main.js';

const folder = mkdtempSync(path.join(os.tmpdir(), 'couch-advisor-live-cli-'));
const COPY = { _id: '_design/orders', views: { by_date: { map: 'function (doc) { emit(doc.date, doc); }' } } };
const server = await startFakeCouchdb({ databases: ['shop', 'stock', 'user-a', '_users'], designDocs: () => [COPY] });
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

/** @param {string[]} args @param {Record<string, string>} [env] */
function lint(args, env) {
  server.served.length = 0;
  return runMain(['lint', '--no-config', '--no-cache', '--rate', '1000', ...args], { cwd: folder, env });
}

test('findings stand at the address of the design document', async () => {
  const { stdout, exitCode } = await lint(['--url', `${server.origin}/shop`]);
  expect(stdout).toContain(`${server.origin}/shop/_design/orders:5:`);
  expect(stdout).toContain('view/emit-whole-doc#copies-document');
  expect(stdout).toContain('in 1 database and 1 design document (1 view)');
  expect(exitCode).toBe(0);
});

/** @type {[string, string[], string[]][]} */
const CHOICES = [
  ['all but those of CouchDB', [], ['shop', 'stock', 'user-a']],
  ['those that are named', ['--db', 'stock', '--db', '_users'], ['stock', '_users']],
  ['those that fit a glob', ['--db', 's*'], ['shop', 'stock']],
];

test.each(CHOICES)('reads %s', async (_, args, expected) => {
  const { exitCode } = await lint(['--url', server.origin, ...args]);
  const read = server.served.flatMap(({ path: asked }) => /^\/([^/]+)\/_security$/.exec(asked)?.[1] ?? []);
  expect([...new Set(read)].sort()).toEqual([...expected].sort());
  expect(exitCode).toBe(0);
});

test('credentials are sent from the URL or the environment and shown nowhere', async () => {
  const { host } = new URL(server.origin);
  const fromUrl = await lint([
    '--url',
    `http://anna:p%40ss@${host}/shop`,
    '--record',
    'kept.jsonl',
    '--format',
    'json',
    '--verbose',
  ]);
  expect(server.served.at(-1)?.authorization).toBe(`Basic ${Buffer.from('anna:p@ss').toString('base64')}`);
  const fromEnv = await lint(['--url', server.origin, '--verbose'], { COUCHDB_USER: 'bert', COUCHDB_PASSWORD: 'p@ss' });
  expect(server.served.at(-1)?.authorization).toBe(`Basic ${Buffer.from('bert:p@ss').toString('base64')}`);
  const kept = readFileSync(path.join(folder, 'kept.jsonl'), 'utf8');
  for (const text of [fromUrl.stdout, fromUrl.stderr, fromEnv.stdout, fromEnv.stderr, kept]) {
    expect(text).not.toMatch(/p@ss|p%40ss|anna:|bert/);
  }
});

test('recorded answers are judged elsewhere with the same findings', async () => {
  const live = await lint(['--url', server.origin, '--record', 'answers.jsonl', '--format', 'json']);
  server.served.length = 0;
  const again = await runMain(['lint', '--no-config', '--no-cache', 'answers.jsonl', '--format', 'json'], {
    cwd: folder,
  });
  expect(server.served).toEqual([]);
  expect(JSON.parse(again.stdout).findings).toEqual(JSON.parse(live.stdout).findings);
  expect(JSON.parse(again.stdout).read).toMatchObject({ databases: 3 });
});

test('SARIF names the address as it is', async () => {
  const { stdout } = await lint(['--url', `${server.origin}/shop`, '--format', 'sarif']);
  const [run] = JSON.parse(stdout).runs;
  const { artifactLocation } = run.results[0].locations[0].physicalLocation;
  expect(artifactLocation.uri).toMatch(new RegExp(`^${server.origin}/shop`));
});

test('fixes leave recorded answers as they are', async () => {
  await lint(['--url', server.origin, '--record', 'fixed.jsonl']);
  const before = readFileSync(path.join(folder, 'fixed.jsonl'), 'utf8');
  const { exitCode, stderr } = await runMain(['lint', '--no-config', 'fixed.jsonl', '--fix-unsafe'], { cwd: folder });
  expect(stderr).not.toContain('fixed ');
  expect(exitCode).toBe(0);
  expect(readFileSync(path.join(folder, 'fixed.jsonl'), 'utf8')).toBe(before);
});

test('the version of the server is what advice is for, unless another is named', async () => {
  const target = async (/** @type {string[]} */ ...args) =>
    JSON.parse((await lint(['--url', server.origin, '--format', 'json', ...args])).stdout).target.version;
  expect(await target()).toBe('3.5.0');
  expect(await target('--target', '2.3')).toBe('2.3');
});

test('queries of the configuration are explained', async () => {
  const config = { queries: [{ database: 's*', body: { selector: { status: 'open' } } }] };
  writeFileSync(path.join(folder, 'queries.json'), JSON.stringify(config));
  server.served.length = 0;
  await runMain(['lint', '--config', 'queries.json', '--rate', '1000', '--url', server.origin], { cwd: folder });
  const explained = server.served.filter(({ method, path: asked }) => method === 'POST' && asked.endsWith('/_explain'));
  // Databases are read side by side.
  expect(explained.map(({ path: asked, body }) => [asked, body]).sort()).toEqual([
    ['/shop/_explain', '{"selector":{"status":"open"}}'],
    ['/stock/_explain', '{"selector":{"status":"open"}}'],
  ]);
});

/** @type {[string, string[], number, RegExp][]} */
const WRONG = [
  ['--db without a server', ['--db', 'shop'], 2, /--db requires --url/],
  ['--record without a server', ['--record', 'a.jsonl'], 2, /--record requires --url/],
  ['--fix', ['--url', 'http://localhost:1', '--fix'], 2, /only read/],
  ['no address', ['--url', 'localhost'], 2, /not a server address/],
  ['an address with a password that cannot be read', ['--url', 'http://anna:pass word@'], 2, /not a server address/],
  ['too long an address', ['--url', 'http://localhost:1/shop/_design/orders'], 2, /below a database/],
  ['a database twice', ['--url', 'http://localhost:1/shop', '--db', 'stock'], 2, /--db cannot be used/],
  ['no rate', ['--url', 'http://localhost:1', '--rate', '0'], 2, /invalid --rate 0/],
  ['nothing to go on with', ['--url', 'http://localhost:1', '--resume'], 2, /--resume requires --record/],
];

test.each(WRONG)('%s is one clear error', async (_, args, code, message) => {
  const { stderr, exitCode } = await runMain(['lint', '--no-config', ...args], { cwd: folder });
  expect(stderr).toMatch(message);
  expect(stderr).not.toMatch(/pass word|\n {4}at /);
  expect(exitCode).toBe(code);
});

test('a server that is not there ends the run with one error', async () => {
  const gone = await startFakeCouchdb();
  await gone.close();
  const { stderr, stdout, exitCode } = await lint(['--url', gone.origin]);
  expect(stdout).toBe('');
  expect(stderr).toContain('failed: connection refused');
  expect(exitCode).toBe(3);
});

test.each([
  ['http://h:1', 'http://h:1/', undefined],
  ['http://h:1/', 'http://h:1/', undefined],
  ['http://a:b@h:1/shop/', 'http://a:b@h:1/', 'shop'],
  ['https://h/user%2Fanna%2Bbert', 'https://h/', 'user/anna+bert'],
])('%s names a server and perhaps a database', (url, address, database) => {
  expect(splitAddress(url)).toEqual({ address, database });
});

describe('--sample-from', () => {
  const THROWING = { _id: '_design/sums', views: { paid: { map: 'function (doc) { emit(doc.payment.date); }' } } };
  const DOCUMENTS = Array.from({ length: 40 }, (_, at) => ({
    _id: `order-${String(at).padStart(2, '0')}`,
    ...(at % 4 === 0 ? {} : { payment: { date: at } }),
  }));

  /** @param {string[]} args @param {boolean} [isRefused] */
  async function lintSampled(args, isRefused = false) {
    const rows = [THROWING, ...DOCUMENTS].map((doc) => ({ id: doc._id, doc }));
    const sampled = await startFakeCouchdb({
      designDocs: () => [THROWING],
      special: ({ path: asked }) => {
        const query = new URL(asked, 'http://fake').searchParams;
        if (!asked.startsWith('/shop/_all_docs?include_docs') || !query.has('limit')) return undefined;
        if (isRefused)
          return { status: 403, body: { error: 'forbidden', reason: 'You are not allowed to access this db.' } };
        const start = JSON.parse(query.get('startkey') ?? '""');
        const end = JSON.parse(query.get('endkey') ?? 'null');
        const own = rows.filter(({ id }) => id >= start && (end === null || id < end));
        return { body: { rows: own.slice(0, Number(query.get('limit'))) } };
      },
    });
    try {
      const url = ['--url', `${sampled.origin}/shop`, '--sample-from', 'shop', '--record', 'sampled.jsonl'];
      return { ...(await lint([...url, ...args])), asked: sampled.served };
    } finally {
      await sampled.close();
    }
  }

  test('runs the functions of the server on documents of it, and keeps none of them', async () => {
    const { stdout, exitCode, asked } = await lintSampled(['--verbose']);
    expect(stdout).toContain('ddoc/throws-on-documents');
    expect(stdout).toContain('10 of your documents');
    expect(exitCode).toBe(0);
    expect(new Set(asked.map(({ method }) => method))).toEqual(new Set(['GET']));
    expect(readFileSync(path.join(folder, 'sampled.jsonl'), 'utf8')).not.toContain('order-');
  });

  test('a database that may not be read is an error', async () => {
    const { stderr, exitCode } = await lintSampled([], true);
    expect(stderr).toContain('cannot read the database of --sample-from (403: You are not allowed');
    expect(exitCode).toBe(2);
  });

  test.each([
    ['without a server', ['lint', '--sample-from', 'shop'], '--sample-from requires --url'],
    [
      'beside --docs',
      ['lint', '--url', server.origin, '--sample-from', 'shop', '--docs', 'a.jsonl'],
      '--docs and --sample-from cannot be combined',
    ],
  ])('%s it is an error', async (_, args, message) => {
    const { stderr, exitCode } = await runMain([...args, '--no-config'], { cwd: folder });
    expect(stderr).toContain(message);
    expect(exitCode).toBe(2);
  });
});
