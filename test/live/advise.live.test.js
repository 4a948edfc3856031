// `advise` on a real CouchDB: its indexes are made there, and the server takes them, reads what was predicted, and gets faster.
// COUCHDB_URL=http://admin:password@localhost:5984 npx vitest run test/live/advise.live.test.js

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COUCHDB_URL, ScratchDatabase } from '../helpers/couchdb.js';
import { harOfDay, shopOrders } from '../helpers/find-traffic.js';
import { createRandom, shuffle } from '../helpers/internals.js';
import { startCli } from '../helpers/run-cli.js';
import { runMain } from '../helpers/run-main.js';
import { createProject } from '../helpers/temporary-project.js';

/** @import { Plan } from '../../lib/advise/plan.js' */

const DOCUMENTS = 20_000;
const SAMPLED = 2000;
const BATCH = 2000;
/** By how much a prediction from the sample may differ from what the server reads. */
const FACTOR = 2;
/** Rows or documents more do not matter, whatever the factor is. */
const FEW = 5;

const orders = shopOrders(DOCUMENTS);
const sampled = shuffle(createRandom('advise'), orders).slice(0, SAMPLED);

/** @type {[string, object, {existing?: string[], columns: string[]}][]} */
const workloads = [
  ['an equality', { selector: { customer: 'customer-7' }, limit: 200 }, { columns: ['customer'] }],
  [
    'an equality and a range',
    { selector: { customer: 'customer-7', date: { $gte: '2025-12-01' } }, limit: 200 },
    { columns: ['customer', 'date'] },
  ],
  [
    'an equality and a sort that an index already does',
    { selector: { customer: 'customer-7', date: { $gt: null } }, sort: ['date'], limit: 200 },
    { existing: ['date'], columns: ['customer', 'date'] },
  ],
];

describe.skipIf(!COUCHDB_URL)('advise and a real CouchDB', { timeout: 600_000 }, () => {
  const url = COUCHDB_URL ?? 'http://localhost';
  const { username, password, origin } = new URL(url);
  const env = { COUCHDB_USER: decodeURIComponent(username), COUCHDB_PASSWORD: decodeURIComponent(password) };
  const scratch = new ScratchDatabase(url);
  let version = '';

  beforeAll(async () => {
    await scratch.ask('PUT', '?q=1');
    for (let at = 0; at < orders.length; at += BATCH) {
      await scratch.ask('POST', '/_bulk_docs', { docs: orders.slice(at, at + BATCH) });
    }
    const response = await fetch(origin, { headers: { authorization: scratch.authorization } });
    version = /** @type {any} */ (await response.json()).version;
  }, 300_000);
  afterAll(() => scratch.drop());

  /** @returns {Promise<any[]>} indexes that are no part of CouchDB */
  async function listIndexes() {
    const { answer } = await scratch.ask('GET', '/_index');
    return answer.indexes.filter((/** @type {any} */ { type }) => type === 'json');
  }

  test.each(workloads)('%s', async (_, body, { existing, columns }) => {
    for (const { ddoc, name } of await listIndexes()) await scratch.ask('DELETE', `/_index/${ddoc}/json/${name}`);
    if (existing) {
      await scratch.ask('POST', '/_index', { index: { fields: existing }, ddoc: 'existing', name: 'existing' });
    }
    const project = createProject({
      'shop.har': harOfDay([{ target: `/${scratch.name}/_find`, body, times: 2000, ms: 300 }]),
      'orders.jsonl': sampled.map((one) => JSON.stringify(one)).join('\n'),
      'empty/readme.txt': 'nothing to read here',
    });
    const given = ['--log', 'shop.har', '--docs', 'orders.jsonl', '--url', origin, '--db', scratch.name];
    const { stderr } = await runMain(
      ['advise', ...given, '--target', version, '--format', 'json', '--output', 'plan.json', '--write', 'plan'],
      { cwd: project.cwd, env },
    );
    expect(stderr).toContain('wrote 4 files');
    const plan = /** @type {Plan} */ (JSON.parse(project.read('plan.json')));
    expect(plan.documents.sampled).toBe(SAMPLED);
    // The server counts design documents too.
    expect(plan.documents.total).toBe(DOCUMENTS + (existing ? 1 : 0));
    const [step] = plan.steps;
    expect(step?.change.index?.fields).toEqual(columns);
    const [query] = step?.queries ?? [];
    expect(query?.servedBy).toEqual(existing ? { index: { fields: existing } } : {});

    const before = await readsOf(query?.requests.before ?? []);
    for (const { files } of plan.steps) {
      for (const { path } of files.filter(({ path: name }) => name.includes('/indexes/'))) {
        const { status } = await scratch.ask('POST', '/_index', JSON.parse(project.read(`plan/${path}`)));
        expect(status).toBe(200);
      }
    }
    const after = await readsOf(query?.requests.after ?? []);
    expectNear(query?.before?.documents, before.documents);
    expectNear(query?.after?.rows, after.rows);
    expectNear(query?.after?.documents, after.documents);
    expectNear(query?.after?.results, after.results);

    for (const { body: sent } of query?.requests.after ?? []) {
      const { use_index: named, ...plain } = /** @type {any} */ (sent);
      const explained = await Promise.all(
        [sent, plain].map(async (one) => (await scratch.ask('POST', '/_explain', one)).answer.index),
      );
      expect(explained[0].name).toBe(step?.change.name);
      expect(explained[1].name === step?.change.name).toBe(query?.mustChange.length === 0);
    }

    const confirmed = await startCli(
      [
        'confirm',
        '--plan',
        'plan.json',
        '--url',
        origin,
        '--yes',
        '--format',
        'json',
        '--budget',
        '20',
        '--journal',
        'rounds.jsonl',
      ],
      { cwd: project.cwd, env },
    ).ended;
    // It prints how far it is every ten seconds.
    expect(confirmed.stderr.replaceAll(/^\d+ s: .*\n/gm, '')).toBe('');
    const [experiment] = JSON.parse(confirmed.stdout).experiments;
    expect([experiment.verdict.word, experiment.verdict.reason]).toEqual(['confirmed', expect.any(String)]);
  });

  /** @param {{path: string, body?: unknown}[]} requests */
  async function readsOf(requests) {
    expect(requests.length).toBeGreaterThan(0);
    const sums = { rows: 0, documents: 0, results: 0 };
    for (const { path, body } of requests) {
      const sent = { .../** @type {object} */ (body), execution_stats: true };
      const { answer } = await scratch.ask('POST', `/${path}`, sent);
      sums.rows += answer.execution_stats.total_keys_examined;
      sums.documents += answer.execution_stats.total_docs_examined;
      sums.results += answer.execution_stats.results_returned;
    }
    const mean = (/** @type {number} */ sum) => sum / requests.length;
    return { rows: mean(sums.rows), documents: mean(sums.documents), results: mean(sums.results) };
  }

  /** @param {number | undefined} predicted @param {number} counted */
  function expectNear(predicted = Number.NaN, counted) {
    expect(predicted).toBeLessThanOrEqual(counted * FACTOR + FEW);
    expect(predicted).toBeGreaterThanOrEqual(counted / FACTOR - FEW);
  }
});
