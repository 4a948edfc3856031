// `lint --url` on a real CouchDB: what it finds, and that nothing on the server is another than before.

import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COUCHDB_URL, ScratchDatabase } from '../helpers/couchdb.js';
import { runMain } from '../helpers/run-main.js';

const DESIGN_DOC = {
  views: {
    by_date: { map: 'function (doc) {\n  emit(doc.date, doc);\n}' },
    totals: {
      map: 'function (doc) {\n  emit(doc.date, doc.total);\n}',
      reduce: 'function (keys, values) {\n  return sum(values);\n}',
    },
  },
};

describe.skipIf(COUCHDB_URL === undefined)('a real CouchDB', () => {
  const database = new ScratchDatabase(COUCHDB_URL ?? 'http://localhost:5984');
  const folder = mkdtempSync(path.join(os.tmpdir(), 'couch-advisor-live-'));
  const { username, password } = new URL(COUCHDB_URL ?? 'http://localhost:5984');
  const env = { COUCHDB_USER: decodeURIComponent(username), COUCHDB_PASSWORD: decodeURIComponent(password) };

  beforeAll(async () => {
    await database.create();
    await database.ask('PUT', '/_security', { members: { names: [], roles: [] }, admins: { roles: ['_admin'] } });
    await database.ask('PUT', '/_design/orders', DESIGN_DOC);
    await database.ask('POST', '/_index', { index: { fields: ['status', 'date'] }, ddoc: 'status', name: 'by_status' });
    const docs = Array.from({ length: 1200 }, (_, at) => ({
      date: at,
      total: at,
      text: randomBytes(60).toString('hex'),
    }));
    await database.ask('POST', '/_bulk_docs', { docs });
    await database.ask('GET', '/_design/orders/_view/by_date?limit=1');
  });
  afterAll(async () => {
    await database.drop();
    rmSync(folder, { recursive: true });
  });

  /** @returns {Promise<unknown>} what a write would change: sequence, counts, security, design documents, configuration */
  async function state() {
    const [info, security, documents, config] = await Promise.all([
      database.ask('GET', ''),
      database.ask('GET', '/_security'),
      database.ask('GET', '/_all_docs?startkey=%22_design%2F%22&endkey=%22_design0%22&include_docs=true'),
      fetch(`${database.origin}/_node/_local/_config`, { headers: { authorization: database.authorization } }).then(
        (answer) => answer.json(),
      ),
    ]);
    const { update_seq: sequence, doc_count: count, doc_del_count: deleted, purge_seq: purged } = info.answer;
    return { sequence: Number.parseInt(sequence, 10), count, deleted, purged, security, documents, config };
  }

  test('gives findings of documents, figures and plans, and changes nothing', { timeout: 60_000 }, async () => {
    const before = await state();
    const config = { queries: [{ database: database.name, body: { selector: { status: 'open' } } }] };
    writeFileSync(path.join(folder, 'config.json'), JSON.stringify(config));
    const args = ['--config', 'config.json', '--url', `${database.origin}/${database.name}`, '--record', 'kept.jsonl'];
    const { stdout, stderr } = await runMain(['lint', ...args, '--no-cache', '--format', 'json'], { cwd: folder, env });
    const report = JSON.parse(stdout);
    expect(report.errors).toEqual([]);
    expect(report.read).toMatchObject({ designDocs: 2, databases: 1 });
    const rules = report.findings.map((/** @type {any} */ { rule, outcome }) => `${rule}#${outcome}`);
    expect(rules).toContain('view/emit-whole-doc#copies-document');
    expect(rules).toContain('security/public-database#everybody');
    expect(rules.some((/** @type {string} */ id) => id.startsWith('mango/'))).toBe(true);
    for (const text of [stdout, stderr, readFileSync(path.join(folder, 'kept.jsonl'), 'utf8')]) {
      // An option of the server may be called like the password; its value is not shown.
      expect(text.replaceAll('"secret":"*****"', '')).not.toContain(env.COUCHDB_PASSWORD);
      expect(text).not.toContain('-pbkdf2');
    }
    expect(await state()).toEqual(before);

    const again = await runMain(['lint', '--no-config', '--no-cache', 'kept.jsonl', '--format', 'json'], {
      cwd: folder,
    });
    const found = (/** @type {any} */ { findings }) => findings.map((/** @type {any} */ { key }) => key).sort();
    expect(found(JSON.parse(again.stdout))).toEqual(found(report));
  });

  test('a wrong password is one clear error that does not show it', async () => {
    const wrong = { COUCHDB_USER: 'nobody', COUCHDB_PASSWORD: 'w0rd-of-pass' };
    const { stderr, exitCode } = await runMain(['lint', '--no-config', '--url', database.origin], {
      cwd: folder,
      env: wrong,
    });
    expect(stderr).toContain('does not accept these credentials');
    expect(stderr).not.toContain('w0rd-of-pass');
    expect(exitCode).toBe(2);
  });

  test('of databases of one pattern some are read in full, and the one that differs is found', async () => {
    const databases = Array.from({ length: 12 }, (_, at) => {
      const one = new ScratchDatabase(COUCHDB_URL ?? '');
      one.name = `${database.name}-${at}`;
      return one;
    });
    try {
      for (const one of databases) {
        await one.create();
        await one.ask('PUT', '/_design/orders', DESIGN_DOC);
      }
      const [other] = databases;
      await other?.ask('PUT', '/_design/stock', DESIGN_DOC);
      const args = ['--url', database.origin, '--db', `${database.name}-*`, '--per-pattern', '5', '--format', 'json'];
      const { stdout } = await runMain(['lint', '--no-config', '--no-cache', ...args], { cwd: folder, env });
      const { read, errors, notes, findings } = JSON.parse(stdout);
      expect(errors).toEqual([]);
      expect(read).toMatchObject({ databases: 12, databasesInFull: 5 });
      const differing = notes.filter((/** @type {any} */ { reason }) => reason.startsWith('the same design documents'));
      expect(differing).toHaveLength(10);
      const copies = findings.filter((/** @type {any} */ { rule }) => rule === 'view/emit-whole-doc');
      expect(copies.map((/** @type {any} */ { subject }) => subject.designDoc).sort()).toEqual([
        '_design/orders',
        '_design/stock',
      ]);
    } finally {
      for (const one of databases) await one.drop();
    }
  });
});
