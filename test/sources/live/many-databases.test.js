// Servers with thousands of databases, one per user: few requests, equal findings once, and what was not read is said.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openLive } from '../../../lib/sources/live/open-live.js';
import { chooseDatabases } from '../../../lib/sources/live/sample-databases.js';
import { startFakeCouchdb } from '../../helpers/fake-couchdb.js';
import { isLong } from '../../helpers/long.js';
import { readText } from '../../helpers/read-source.js';
import { runMain } from '../../helpers/run-main.js';

/** @import { FakeAnswer, ServedRequest } from '../../helpers/fake-couchdb.js' */
/** @import { LiveOptions } from '../../../lib/sources/live/open-live.js' */

const folder = mkdtempSync(path.join(os.tmpdir(), 'couch-advisor-many-'));
afterAll(() => rmSync(folder, { recursive: true }));

const ORDERS = { _id: '_design/orders', views: { by_date: { map: 'function (doc) {\n  emit(doc.date, doc);\n}' } } };
const STOCK = { _id: '_design/stock', views: { all: { map: 'function (doc) {\n  emit(doc.sku, doc);\n}' } } };

/** @param {number} count @param {string} [prefix] @returns {string[]} */
const names = (count, prefix = 'customer-') =>
  Array.from({ length: count }, (_, at) => `${prefix}${String(at).padStart(5, '0')}`);

/**
 * @param {Parameters<typeof startFakeCouchdb>[0]} given
 * @param {Partial<LiveOptions>} options
 */
async function readMany(given, options = {}) {
  const server = await startFakeCouchdb(given);
  try {
    const { origin, served } = server;
    const live = await openLive({
      server: { origin, headers: {}, rate: 1_000_000 },
      databases: [],
      queries: [],
      record: undefined,
      now: () => '2026-03-02T08:00:00Z',
      ...options,
    });
    const notes = live.notes.map(({ path: at, reason }) => `${at.slice(origin.length)} ${reason}`);
    return { ...live, notes, requests: served.map(({ method, path: at }) => `${method} ${at.split('?')[0]}`) };
  } finally {
    await server.close();
  }
}

test('which databases are read in full depends on their names alone, and named ones always are', () => {
  const many = [...names(300), ...names(100, 'shop'), 'stock'];
  const { full, rest } = chooseDatabases(many, { named: ['customer-00000', 'customer-00001'], perPattern: 100 });
  expect(full).toHaveLength(100 + 100 + 1);
  expect(full).toEqual(expect.arrayContaining(['customer-00000', 'customer-00001', 'stock', 'shop00099']));
  expect(full).toEqual([...full].sort((a, b) => many.indexOf(a) - many.indexOf(b)));
  expect(rest).toHaveLength(200);
  const again = chooseDatabases([...many].reverse(), { named: ['customer-00001', 'customer-00000'], perPattern: 100 });
  expect(new Set(again.full)).toEqual(new Set(full));
  expect(again.rest).toEqual(rest);
});

test.runIf(isLong)(
  '2,000 databases take at most 2,000 requests, and each of them is read, or named as not read',
  async () => {
    const databases = [...names(2000), 'shop'];
    const { rest } = chooseDatabases(databases, { named: [], perPattern: 100 });
    const [found = '', missed = ''] = [rest[0], rest.at(-1)];
    const designDocs = (/** @type {string} */ name) => ([found, missed].includes(name) ? [ORDERS, STOCK] : [ORDERS]);
    const live = await readMany({ databases, designDocs });
    expect(live.errors).toEqual([]);
    expect(live.requests.length).toBeLessThanOrEqual(2000);
    expect(live.requests.filter((request) => request.endsWith('/_security'))).toHaveLength(101);
    expect(live.databases).toBe(2001);
    const documents = live.records.flatMap((record) => (record.kind === 'design-doc' ? [record] : []));
    expect(documents.map(({ id, database }) => `${database?.name} ${id}`)).toEqual([
      expect.stringMatching(/^customer-\d+ _design\/orders$/),
      `${found} _design/orders`,
      `${found} _design/stock`,
    ]);
    const looked = live.requests.filter((request) => request.endsWith('/_all_docs')).length;
    const [first] = documents;
    expect(live.notes).toEqual(
      expect.arrayContaining([
        `/customer-* 100 of 2,000 databases were read in full, of ${(looked - 101).toLocaleString('en')} more the design documents, of ${2001 - looked} at most the figures; read more with --per-pattern`,
        `/${missed} its design documents were not read`,
        `/${found} other design documents than ${first?.database?.name} and ${(looked - 3).toLocaleString('en')} more databases \`customer-*\``,
      ]),
    );
    expect(live.notes.filter((note) => note.endsWith('its design documents were not read'))).toHaveLength(
      2001 - looked,
    );
  },
);

test.runIf(isLong)('without `_dbs_info` no more requests are sent', async () => {
  const special = (/** @type {ServedRequest} */ { path: at }) =>
    at === '/_dbs_info' ? { status: 404, body: { error: 'not_found' } } : undefined;
  const live = await readMany({ databases: names(3000), designDocs: () => [ORDERS], special });
  expect(live.requests.length).toBeLessThanOrEqual(2000);
  expect(live.requests.filter((request) => request.endsWith('_dbs_info'))).toHaveLength(2);
  const read = live.databases;
  expect(live.notes).toContainEqual(
    `/customer-* 100 of 3,000 databases were read in full, of ${read - 100} more the design documents, of ${(3000 - read).toLocaleString('en')} at most the figures; read more with --per-pattern`,
  );
  expect(live.notes.filter((note) => note.endsWith('its design documents were not read'))).toHaveLength(1000);
  expect(live.notes).toContainEqual(
    `/customer-* nor were those of ${(3000 - read - 1000).toLocaleString('en')} more databases`,
  );
});

test.runIf(isLong)('more are read in full where that is wanted, and a recording says the same', async () => {
  const databases = names(250);
  const file = path.join(folder, 'many.jsonl');
  const record = { path: file, shown: 'many.jsonl', resume: false };
  const live = await readMany({ databases, designDocs: () => [ORDERS] }, { record });
  const again = await readText(readFileSync(file, 'utf8'), 'many.jsonl');
  expect(again.databases).toBe(250);
  expect(again.notes?.map(({ reason }) => reason)).toEqual(live.notes.map((note) => note.replace(/^\S+ /, '')));
  expect(live.notes).toHaveLength(2);
  const all = await readMany({ databases, designDocs: () => [ORDERS] }, { perPattern: 1000 });
  expect(all.requests.filter((request) => request.endsWith('/_security'))).toHaveLength(250);
  expect(all.notes).toHaveLength(1);
});

test('what is found in databases of one pattern is one finding, and so is what cannot be determined', async () => {
  const databases = names(150);
  /** @param {ServedRequest} asked @returns {FakeAnswer | undefined} */
  const special = ({ path: at }) =>
    at.endsWith('/_security') ? { body: { members: { names: [], roles: [] }, admins: {} } } : undefined;
  const designDocs = (/** @type {string} */ name) => (name.endsWith('7') ? [ORDERS, STOCK] : [ORDERS]);
  const server = await startFakeCouchdb({ databases, special, designDocs });
  try {
    const args = ['lint', '--no-config', '--no-cache', '--url', server.origin, '--rate', '1000', '--format', 'json'];
    const { stdout } = await runMain(args, { cwd: folder, env: {} });
    const report = JSON.parse(stdout);
    expect(report.errors).toEqual([]);
    expect(report.read).toMatchObject({ databases: 150, databasesInFull: 100 });
    const of = (/** @type {string} */ rule) =>
      report.findings.filter((/** @type {any} */ found) => found.rule === rule);
    const [open, ...others] = of('security/public-database');
    expect(others).toEqual([]);
    expect(open.message).toContain('(also in 99 more databases `customer-*`)');
    expect(open.related.filter((/** @type {any} */ { key }) => key)).toHaveLength(99);
    expect(of('view/emit-whole-doc')).toHaveLength(2);
    const questions = report.cannotTell.filter((/** @type {any} */ { rule }) => rule === 'security/public-database');
    expect(questions).toMatchObject([
      { reason: 'the database was not read in full (also in 49 more databases `customer-*`)' },
    ]);
  } finally {
    await server.close();
  }
});
