// Replications are recognized wherever they stand, graphs are not taken for them, and no secret of theirs leaves the program.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { readText, SourceFile } from '../helpers/read-source.js';
import { runMain } from '../helpers/run-main.js';
import { createProject } from '../helpers/temporary-project.js';

const SOURCE = 'https://reader:Hei7taeBah@db.shop.example:6984/shop';
const TARGET = 'https://backup.shop.example/shop/';
const DOCUMENT = { _id: 'backup', source: SOURCE, target: TARGET, continuous: true, owner: 'admin' };
const STATE = { database: '_replicator', doc_id: 'backup', source: 'http://a/shop/', target: 'http://b/shop/' };

/** @param {unknown} value */
const replicationsIn = async (value) =>
  (await readText(typeof value === 'string' ? value : JSON.stringify(value), 'a.json')).records.flatMap((record) =>
    record.kind === 'replication' ? [record] : [],
  );

describe('what is one', () => {
  test.each([
    ['a document', DOCUMENT],
    ['a body of _replicate', { source: SOURCE, target: 'backup', create_target: true }],
    ['objects with addresses', { ...DOCUMENT, source: { url: SOURCE, headers: {} } }],
    ['a body of _bulk_docs', { docs: [{ _id: 'other', n: 1 }, DOCUMENT] }],
    ['an answer of _all_docs', { total_rows: 1, rows: [{ id: 'backup', key: 'backup', value: {}, doc: DOCUMENT }] }],
    ['an array', [{ n: 1 }, DOCUMENT]],
    ['JSON lines', `${JSON.stringify(DOCUMENT)}\n${JSON.stringify({ _id: 'order' })}\n`],
    ['an answer of _scheduler/docs', { total_rows: 1, docs: [{ ...STATE, state: 'running', info: null }] }],
    ['an answer of _scheduler/jobs', { jobs: [{ ...STATE, pid: null, history: [{ type: 'crashed', reason: 'x' }] }] }],
    ['names of databases, which CouchDB 2 took', { ...DOCUMENT, source: 'shop', target: 'http://b/shop' }],
  ])('%s', async (_, value) => {
    expect(await replicationsIn(value)).toHaveLength(1);
  });

  test.each([
    ['links of a graph', { links: [{ source: 'a', target: 'b', value: 1 }] }],
    ['pages that link', [{ source: 'https://a.example/', target: 'https://b.example/' }]],
    ['an edge that is a document', { _id: 'edge', source: 'https://a.example/x', target: 'https://b.example/y' }],
    [
      'a rule of a proxy',
      {
        source: '/shop',
        target: 'http://db:5984',
        filter: 'strip',
        extra: { filter: 1 },
        type: 'x',
        rewrite: true,
        owner: 7,
      },
    ],
    ['numbers', { source: 1, target: 2, continuous: true }],
  ])('not %s', async (name, value) => {
    // A filter and an address alone are enough for a body of `_replicate`.
    expect(await replicationsIn(value)).toHaveLength(name === 'a rule of a proxy' ? 1 : 0);
  });
});

test('a record says what rules need, without secrets', async () => {
  const [record] = await replicationsIn({
    ...DOCUMENT,
    filter: 'orders/open',
    doc_ids: ['a', 'b'],
    worker_processes: 32,
  });
  expect(record).toMatchObject({
    name: 'backup',
    isDocument: true,
    isAnswer: false,
    source: {
      isRemote: true,
      address: 'https://db.shop.example:6984/shop',
      host: 'db.shop.example',
      database: 'shop',
      hasPassword: true,
      isPlaceholder: false,
    },
    target: { address: 'https://backup.shop.example/shop', hasPassword: false },
    filter: 'orders/open',
    docIds: 2,
  });
  expect(record?.settings.get('worker_processes')?.value).toBe(32);
  const { file, ...rest } = /** @type {NonNullable<typeof record>} */ (record);
  expect(file.text).toContain('Hei7taeBah');
  expect(JSON.stringify(rest, (key, value) => (value instanceof SourceFile ? key : value))).not.toContain('Hei7');
});

test.each([
  [
    'crashing',
    { state: 'crashing', info: { error: 'db_not_found: could not open http://a/my_db_name/' } },
    'db_not_found',
  ],
  [
    'error',
    {
      state: 'error',
      info: { error: 'Could not open source database `http://a/b_c/`: {replication_auth_error,\n {x}}' },
    },
    'replication_auth_error',
  ],
  [
    'failed',
    {
      state: 'failed',
      info: { error: 'Replication `8e_1` specified by document `two` already started, triggered by document `one`' },
    },
    'duplicate',
  ],
  ['crashed', { history: [{ type: 'crashed', reason: '{shutdown,max_backoff}' }, { type: 'started' }] }, 'max_backoff'],
])('of the state %s the kind of the error is kept', async (state, more, reason) => {
  expect((await replicationsIn({ docs: [{ ...STATE, ...more }] }))[0]).toMatchObject({ state, reason, isAnswer: true });
});

test('code that has a server replicate is one too, PouchDB that replicates itself is not', async () => {
  const project = createProject({
    'jobs.js': `
      const nano = require('nano')('http://127.0.0.1:5984');
      const PouchDB = require('pouchdb');
      async function set() {
        await nano.db.replicate('${SOURCE}', '${TARGET}', { continuous: true, use_checkpoints: false });
        await nano.use('_replicator').insert({ _id: 'a', source: 'shop', target: '${TARGET}', continuous: true });
        PouchDB.replicate('shop', '${TARGET}', { checkpoint: false });
      }
      set();`,
  });
  const { findings } = await project.lint(['jobs.js', '--rule', 'replication/*']);
  expect(findings.map(({ rule, place }) => `${rule} ${place.line}`).sort()).toEqual([
    'replication/local-endpoint 6',
    'replication/no-checkpoints 5',
  ]);
});

test('one continuous replication for each item of a list is advised against, a single one and a short list are not', async () => {
  const body = `source: 'http://127.0.0.1:5984/' + id, target: '${TARGET}'`;
  const project = createProject({
    'jobs.js': `
      const couch = require('nano')('http://127.0.0.1:5984');
      const jobs = couch.use('_replicator');
      async function set(users) {
        for (const id of users) await jobs.insert({ _id: id, ${body}, continuous: true });
        for (const id of users) await couch.db.replication.enable(id, '${TARGET}', { continuous: true });
        for (const id of users) await couch.db.replicate(id, '${TARGET}', { continuous: true });
        for (const id of users) await couch.db.replicate(id, '${TARGET}', {});
        for (const id of ['a', 'b']) await couch.db.replicate(id, '${TARGET}', { continuous: true });
        for (const id of users) await jobs.insert({ _id: id, ${body} });
        await couch.db.replication.enable('shop', '${TARGET}', { continuous: true, use_checkpoints: false });
        await couch.db.replication.disable('shop', '1-a');
      }
      set(process.argv);`,
  });
  const { findings } = await project.lint(['jobs.js', '--rule', 'call/write-in-loop', '--rule', 'replication/*']);
  expect(findings.map(({ outcome, place }) => `${outcome} ${place.line}`)).toEqual([
    'replication-for-each 5',
    'replication-for-each 6',
    'replication-for-each 7',
    'documents-one-by-one 10',
    'none 11',
  ]);
});

const SECRETS = ['Hei7taeBah', 'Zoh5aeQuoo', 'cmVhZGVyOkhlaTd0YWVCYWg'];
const FILES = {
  'replications.json': JSON.stringify(
    {
      docs: [
        { ...DOCUMENT, use_checkpoints: false },
        {
          ...DOCUMENT,
          _id: 'copy',
          source: {
            url: TARGET,
            headers: { 'X-Key': 'Zoh5aeQuoo' },
            auth: { basic: { username: 'reader', password: 'Hei7taeBah' } },
          },
        },
        {
          ...DOCUMENT,
          _id: 'old',
          source: { url: TARGET, headers: { Authorization: 'Basic cmVhZGVyOkhlaTd0YWVCYWg=' } },
          use_checkpoints: false,
        },
        { ...STATE, state: 'crashing', info: { error: `db_not_found: could not open ${SOURCE}` } },
      ],
    },
    undefined,
    1,
  ),
  'broken.json': `{"_id": "broken", "source": "${SOURCE}", "target": "${TARGET}", "continuous": true, }\n`,
};

test.each(['text', 'compact', 'json', 'sarif', 'github', 'junit', 'gitlab', 'markdown', 'html'])(
  'no secret of a replication is printed as %s, or kept in the cache',
  async (format) => {
    const project = createProject(FILES);
    const cache = path.join(project.cwd, 'cache');
    const { stdout, stderr } = await runMain(['lint', '.', '--format', format, '--verbose'], {
      cwd: project.cwd,
      env: { COUCH_ADVISOR_CACHE: cache, XDG_CACHE_HOME: cache },
    });
    expect(stdout).toContain('no-checkpoints');
    const kept = readdirSync(project.cwd, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !(entry.name in FILES))
      .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'latin1'));
    for (const secret of SECRETS) for (const text of [stdout, stderr, ...kept]) expect(text).not.toContain(secret);
  },
);

test.each([[['facts', 'replications.json']], [['facts', 'broken.json']], [['explain', 'replication/failing']]])(
  'nor by %j',
  async (argv) => {
    const { stdout, stderr } = await createProject(FILES).run(argv);
    for (const secret of SECRETS) expect(stdout + stderr).not.toContain(secret);
  },
);
