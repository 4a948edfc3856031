// `confirm` on a real CouchDB: what is known to be faster comes out confirmed, nothing else on the server changes, and an interrupt
// leaves nothing behind.

import path from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COUCHDB_URL } from '../helpers/couchdb.js';
import { root, startCli } from '../helpers/run-cli.js';
import { createProject } from '../helpers/temporary-project.js';

const SCRATCH = 'couch-advisor-scratch-';
const sound = {
  'orders.json': { _id: '_design/orders', views: { all: { map: 'function (doc) { emit(doc._id, null); }' } } },
};

describe.skipIf(!COUCHDB_URL)('confirm on a real CouchDB', { timeout: 180_000 }, () => {
  const { username, password, origin } = new URL(COUCHDB_URL ?? 'http://localhost');
  const env = { COUCHDB_USER: decodeURIComponent(username), COUCHDB_PASSWORD: decodeURIComponent(password) };
  const basic = Buffer.from(`${env.COUCHDB_USER}:${env.COUCHDB_PASSWORD}`).toString('base64');

  /** @param {string} target @returns {Promise<any>} */
  const ask = async (target) => {
    const response = await fetch(`${origin}/${target}`, { headers: { authorization: `Basic ${basic}` } });
    return response.json();
  };

  /** @returns {Promise<Map<string, string>>} update sequences of all databases that are no scratch databases */
  async function state() {
    const names = /** @type {string[]} */ (await ask('_all_dbs')).filter((name) => !name.startsWith(SCRATCH));
    // The number before the hyphen counts the changes; the rest names shards, and may be written in several ways.
    const sequences = names.map(async (name) => {
      const { update_seq: sequence } = await ask(encodeURIComponent(name));
      return /** @type {[string, string]} */ ([name, String(sequence).split('-')[0] ?? '']);
    });
    return new Map(await Promise.all(sequences));
  }

  /** @param {string[]} argv @param {string} cwd */
  const start = (argv, cwd) => startCli(['confirm', '--url', origin, '--yes', ...argv], { cwd, env });

  /** @type {Map<string, string>} */
  let before;
  beforeAll(async () => {
    before = await state();
  });
  afterAll(async () => {
    expect(await state()).toEqual(before);
  });

  test.each([
    ['reduce/custom-sum', 3, ['--max-docs', '500']],
    ['changes/js-filter', 3, ['--max-docs', '100']],
    ['write/random-ids', 1.1, []],
    ['write/bulk-batch-size', 1.5, ['--max-docs', '400']],
    ['call/get-in-loop', 1.5, ['--max-docs', '500']],
    ['call/write-in-loop', 1.5, []],
    ['call/all-documents', 3, []],
  ])('%s is confirmed', async (rule, ratio, args) => {
    const { cwd, read } = createProject(sound);
    const given = [
      'orders.json',
      '--all',
      '--rule',
      rule,
      '--format',
      'json',
      '--budget',
      '15',
      '--journal',
      'rounds.jsonl',
      ...args,
    ];
    const { stdout, stderr, exitCode } = await start(given, cwd).ended;
    expect([stderr, exitCode]).toEqual(['', 1]);
    const [{ verdict }] = JSON.parse(stdout).experiments;
    expect(verdict).toMatchObject({ word: 'confirmed', server: expect.stringMatching(/^CouchDB \d/) });
    expect(verdict.ratio).toBeGreaterThan(ratio);
    expect(stdout + read('rounds.jsonl')).not.toContain(env.COUCHDB_PASSWORD);
    expect(stdout + read('rounds.jsonl')).not.toContain(basic);
  });

  test('the headline findings of the sample project are confirmed, of its own functions, documents and load', async () => {
    const { cwd } = createProject(sound);
    const rules = ['view/include-docs-hot', 'reduce/custom-sum', 'write/random-ids'];
    const project = path.join(root, 'fixtures/projects/shop');
    const given = [project, ...rules.flatMap((rule) => ['--rule', rule]), '--format', 'json', '--budget', '15s'];
    const { stdout, exitCode } = await start([...given, '--journal', 'rounds.jsonl'], cwd).ended;
    expect(exitCode).toBe(1);
    const { experiments, findings } = JSON.parse(stdout);
    expect(experiments).toHaveLength(rules.length);
    for (const { id, rule, verdict } of experiments) {
      expect([id, verdict.word]).toEqual([expect.stringMatching(/ at /), 'confirmed']);
      expect(rules).toContain(rule);
    }
    expect(findings.map((/** @type {any} */ one) => one.verdict.word)).toEqual(rules.map(() => 'confirmed'));
    const reads = experiments.find((/** @type {any} */ one) => one.rule === rules[0]).verdict.counters;
    expect(reads['as-is']['couchdb.database_reads']).toBeGreaterThan(100);
    expect(reads.advised['couchdb.database_reads']).toBeLessThan(10);
  });

  test('a sample is only read, and its values are nowhere in what is kept', async () => {
    const name = `couch-advisor-test-sample-${process.pid}`;
    const send = (/** @type {string} */ target, /** @type {string} */ method, /** @type {unknown} */ body) =>
      fetch(`${origin}/${target}`, {
        method,
        headers: { authorization: `Basic ${basic}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    await send(name, 'PUT', undefined);
    try {
      const docs = Array.from({ length: 60 }, (_, at) => ({
        _id: `order-${at}`,
        type: 'order',
        date: `2026-01-${String((at % 28) + 1).padStart(2, '0')}`,
        customer: 'Ada Lovelace',
      }));
      await send(`${name}/_bulk_docs`, 'POST', { docs });
      const { update_seq: sequence } = await ask(name);
      const { cwd, read } = createProject({
        'orders.json': {
          _id: '_design/orders',
          views: { by_date: { map: "function (doc) { if (doc.type === 'order') emit(doc.date, doc); }" } },
        },
      });
      const args = ['--rule', 'view/emit-whole-doc', '--sample-from', name, '--max-docs', '100', '--runs', '1'];
      const { stdout } = await start([...args, '--format', 'json', '--journal', 'rounds.jsonl'], cwd).ended;
      const [{ id, notes, arms }] = JSON.parse(stdout).experiments;
      expect([id, arms.length]).toEqual(['view/emit-whole-doc at _design/orders/_view/by_date', 4]);
      expect(notes.join(' ')).toContain('60 of your documents');
      expect(stdout + read('rounds.jsonl')).not.toContain('Lovelace');
      const after = await ask(name);
      expect([after.doc_count, String(after.update_seq).split('-')[0]]).toEqual([60, String(sequence).split('-')[0]]);
    } finally {
      await send(name, 'DELETE', undefined);
    }
  });

  // A job waits up to 5 seconds before it starts, so a verdict takes a minute or more: one pair shows the same.
  test('a replication with a filter function calls it for each document, one with a selector never', async () => {
    const { cwd } = createProject(sound);
    const given = ['--all', '--rule', 'replication/filter-function', '--format', 'json', '--max-docs', '300'];
    const { stdout } = await start([...given, '--runs', '1', '--journal', 'rounds.jsonl'], cwd).ended;
    const [{ verdict }] = JSON.parse(stdout).experiments;
    const name = 'couchdb.query_server.calls.ddoc_filter';
    expect(verdict.counters['as-is'][name]).toBeGreaterThanOrEqual(300);
    expect([verdict.word, verdict.counters.advised[name]]).toEqual(['inconclusive', 0]);
    expect(verdict.ratio).toBeGreaterThan(1.5);
  });

  test('the counters of the server show the mechanism', async () => {
    const { cwd } = createProject(sound);
    const given = ['--all', '--rule', 'reduce/custom-sum', '--format', 'json', '--max-docs', '300', '--runs', '3'];
    const { stdout } = await start(given, cwd).ended;
    const [{ verdict }] = JSON.parse(stdout).experiments;
    const name = 'couchdb.query_server.calls.reduce';
    expect(verdict.counters['as-is'][name]).toBeGreaterThan(50);
    expect(verdict.counters['as-is'][name]).toBeGreaterThan(10 * (verdict.counters.advised[name] + 1));
  });

  test.each(/** @type {const} */ (['SIGINT', 'SIGTERM']))('an interrupt by %s cleans up', async (signal) => {
    const { cwd, read } = createProject(sound);
    const given = ['--all', '--rule', 'view/emit-whole-doc', '--max-docs', '500', '--journal', 'rounds.jsonl'];
    const { child, ended } = start(given, cwd);
    await waitFor(() => read('rounds.jsonl').includes('"sample"'));
    child.kill(signal);
    const { stderr, exitCode } = await ended;
    expect(stderr).toContain('the run was interrupted; its databases were dropped');
    expect(exitCode).toBe(3);
    expect(await ownLeftovers(child.pid)).toEqual([]);
  });

  test('what a killed run has left is dropped by the next', async () => {
    const { cwd, read } = createProject(sound);
    const given = ['--all', '--rule', 'view/emit-whole-doc', '--max-docs', '500', '--journal', 'rounds.jsonl'];
    const { child, ended } = start(given, cwd);
    await waitFor(() => read('rounds.jsonl').includes('"sample"'));
    child.kill('SIGKILL');
    await ended;
    expect(await ownLeftovers(child.pid)).not.toEqual([]);
    const next = await start(['--all', '--rule', 'query/n-plus-one', '--max-docs', '100', '--runs', '1'], cwd).ended;
    expect(next.stderr).toContain('dropped databases that a killed run left');
    expect(await ownLeftovers(child.pid)).toEqual([]);
  });

  /** @param {number | undefined} pid @returns {Promise<string[]>} databases whose mark names that process */
  async function ownLeftovers(pid) {
    const names = /** @type {string[]} */ (await ask('_all_dbs')).filter((name) => name.startsWith(SCRATCH));
    const marks = await Promise.all(names.map((name) => ask(`${name}/_local/couch-advisor-scratch`)));
    return names.filter((_, at) => marks[at]?.pid === pid);
  }

  test('a run that is refused makes nothing', async () => {
    const { cwd } = createProject(sound);
    const { stderr, exitCode } = await start(['--all', '--max-docs', '1'], cwd).ended;
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('invalid --max-docs 1')]);
  });
});

/** @param {() => boolean} isThere @returns {Promise<void>} */
async function waitFor(isThere) {
  for (let turn = 0; turn < 600; turn += 1) {
    try {
      if (isThere()) return;
    } catch {
      // The file is not there yet.
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('it never came');
}
