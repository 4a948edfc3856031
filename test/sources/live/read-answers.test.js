import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { FAILING_JOBS } from '../../../lib/sources/live/allowed-requests.js';
import { redactAnswer } from '../../../lib/sources/live/redact.js';
import { readText } from '../../helpers/read-source.js';
import { root } from '../../helpers/run-cli.js';

const ALL = '/_all_docs?startkey=%22_design%2F%22&endkey=%22_design0%22&include_docs=true';

/**
 * @param {Record<string, unknown>} answers
 * @param {Record<string, unknown>} [head]
 */
function read(answers, head) {
  const text = JSON.stringify({ 'couch-advisor-answers': 1, origin: 'http://db:5984', ...head, answers });
  return readText(text, 'answers.json');
}

test('the answers of a real 3.4.3 give its records', async () => {
  const path = 'fixtures/servers/shop.couchdb-3.4.3.jsonl';
  const { records, errors } = await readText(readFileSync(`${root}/${path}`, 'utf8'), path);
  expect(errors).toEqual([]);
  const about = records.map((found) => {
    if (found.kind === 'node') return [found.kind, found.version, found.engine, found.databaseCount, found.nodeCount];
    if (found.kind === 'database')
      return [found.kind, found.docCount, found.shardCount, found.sizes.active, found.security];
    if (found.kind === 'view-index') return [found.kind, found.designDoc, found.sizes.file, found.pendingCount];
    if (found.kind === 'find-query') return [found.kind, found.index.name, found.readsWholeIndex];
    return [found.kind, found.file.path];
  });
  expect(about).toEqual([
    ['node', '3.4.3', 'quickjs', 4, 1],
    ['server-config', 'http://127.0.0.1:15990/_node/_local/_config'],
    ['database', 16293, 2, 5455800, undefined],
    ['design-doc', 'http://127.0.0.1:15990/shop/_design/app'],
    ['view-index', '_design/app', 4629092, 0],
    ['find-query', '_all_docs', true],
  ]);
});

test('sizes of CouchDB 1.x and its list of readers are understood', async () => {
  const { records } = await read({
    '/': { couchdb: 'Welcome', version: '1.6.1' },
    '/shop': { db_name: 'shop', doc_count: 3, doc_del_count: 1, disk_size: 900, data_size: 400 },
    '/shop/_security': { readers: { names: ['anna'], roles: [] }, admins: {} },
  });
  expect(records.find(({ kind }) => kind === 'database')).toMatchObject({
    sizes: { file: 900, active: 400, external: undefined },
    shardCount: undefined,
    security: { isPublic: false, admins: [] },
  });
});

/** @type {[string, string, string[]][]} */
const BROKEN = [
  [
    'a line that is cut short',
    '{"couch-advisor-answers":1,"origin":"http://db","answers":{}}\n{"answers":{"/sh',
    ['truncated-json'],
  ],
  ['another form', '{"couch-advisor-answers":2,"answers":{}}', ['answers-version']],
  ['answers that are no object', '{"couch-advisor-answers":1,"answers":[1]}', []],
];

test.each(BROKEN)('%s is told and thrown at nobody', async (_, text, codes) => {
  const { errors } = await readText(text, 'answers.jsonl');
  expect(errors.map(({ code }) => code)).toEqual(codes);
});

const deep = JSON.parse(`${'{"a":'.repeat(3000)}1${'}'.repeat(3000)}`);

/** @type {unknown[]} */
const HOSTILE = [
  null,
  [],
  'text',
  7,
  true,
  { sizes: 5, cluster: [], doc_count: 'many' },
  { doc_count: -1 },
  { __proto__: null },
  deep,
];

test.each(HOSTILE.map((answer, at) => ({ answer, at })))(
  'hostile answer $at anywhere gives no figure and no crash',
  async ({ answer }) => {
    const node = ['_versions', '_config', '_stats'].map((name) => `/_node/_local/${name}`);
    const paths = ['/', ...node, '/_membership', FAILING_JOBS];
    const ofDatabase = [
      '/shop/_security',
      '/shop/_index',
      `/shop${ALL}`,
      '/shop/_explain {"selector":{}}',
      '/shop/_explain {',
    ];
    const documents = {
      rows: [{ doc: { _id: '_design/a', views: answer, language: answer } }, { doc: answer }, answer],
    };
    for (const shop of [answer, { doc_count: 1 }]) {
      const result = await read({
        ...Object.fromEntries([...paths, ...ofDatabase].map((path) => [path, answer])),
        '/shop': shop,
        [`/shop${ALL}`]: documents,
        '/shop/_design/a/_info': { view_index: answer },
      });
      for (const { kind, ...found } of result.records) {
        if (kind === 'database' && 'docCount' in found) expect([1, undefined]).toContain(found.docCount);
      }
    }
  },
);

test('names such as `__proto__` stay names', async () => {
  const text =
    '{"couch-advisor-answers":1,"origin":"http://db:5984","answers":{"/__proto__":{"doc_count":1},"/constructor":{"doc_count":2},"/_node/_local/_config":{"__proto__":{"toString":"x"}}}}';
  const { records } = await readText(text, 'answers.json');
  expect(records.flatMap((found) => (found.kind === 'database' ? [found.name] : []))).toEqual([
    '__proto__',
    'constructor',
  ]);
  const config = records.find((found) => found.kind === 'server-config');
  expect(config?.options.map(({ section, key, value }) => [section, key, value])).toEqual([
    ['__proto__', 'toString', 'x'],
  ]);
});

/** @type {[string, unknown, unknown][]} */
const SECRETS = [
  ['/_node/_local/_config', { admins: { anna: '-pbkdf2-abc' } }, { admins: { anna: '*****' } }],
  [
    '/_node/_local/_config',
    { chttpd_auth: { secret: 'abc', timeout: '600' } },
    { chttpd_auth: { secret: '*****', timeout: '600' } },
  ],
  ['/_node/_local/_config', { jwt_keys: { 'hmac:a': 'abc' } }, { jwt_keys: { 'hmac:a': '*****' } }],
  [
    '/_node/_local/_config',
    { replicator: { proxy: 'http://anna:abc@proxy:8080' } },
    { replicator: { proxy: 'http://*****@proxy:8080' } },
  ],
  [
    '/_node/_local/_config',
    { ssl: { password: 'abc', key_file: '/etc/k' } },
    { ssl: { password: '*****', key_file: '/etc/k' } },
  ],
  [
    '/_active_tasks',
    [
      { type: 'replication', source: 'http://anna:abc@a/' },
      { type: 'indexer', pid: '<0.1.0>', database: 'shop' },
    ],
    [{ type: 'indexer', database: 'shop' }],
  ],
  [
    '/_node/_local/_stats',
    { couchdb: { reads: { type: 'counter', value: 3, desc: 'x' }, time: { type: 'histogram', value: {} } } },
    { couchdb: { reads: { type: 'counter', value: 3 } } },
  ],
  ['/shop', { db_name: 'shop', update_seq: '1-abc', doc_count: 1 }, { db_name: 'shop', doc_count: 1 }],
  ['/shop', { error: 'forbidden', reason: 'no', stack: ['abc'] }, { error: 'forbidden', reason: 'no' }],
];

test.each(SECRETS)('of %s nothing secret or needless is kept (%#)', (path, answer, kept) => {
  expect(redactAnswer(path, answer)).toEqual(kept);
});

test('the configuration stands in lines that its places fit', async () => {
  const { records } = await read({
    '/_node/_local/_config': { uuids: { algorithm: 'random' }, couchdb: { a: 'x\ny = z' } },
  });
  const config = records.find((found) => found.kind === 'server-config');
  expect(config?.file.text).toBe('[couchdb]\na = x y = z\n\n[uuids]\nalgorithm = random\n\n');
  const option = config?.options.find(({ key }) => key === 'algorithm');
  expect(option?.valuePlace).toMatchObject({ line: 5, column: 13, endColumn: 19 });
  expect(config?.file.text.slice(option?.valueStart, option?.valueEnd)).toBe('random');
});
