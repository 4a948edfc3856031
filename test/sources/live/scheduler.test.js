// Replications that fail are read from a server, without what their addresses show; jobs that take turns and a missing `_users` are found.

import { expect, test } from 'vitest';
import { FAILING_JOBS } from '../../../lib/sources/live/allowed-requests.js';
import { redactAnswer } from '../../../lib/sources/live/redact.js';
import { createProject } from '../../helpers/temporary-project.js';

/** @param {string} id @param {Record<string, unknown>} [more] */
const job = (id, more) => ({
  database: '_replicator',
  doc_id: id,
  source: `http://admin:Hei7taeBah@internal.shop.example:5984/${id}/`,
  target: 'https://backup.shop.example/shop/',
  state: 'crashing',
  info: { error: `db_not_found: could not open http://internal.shop.example:5984/${id}/` },
  error_count: 3,
  ...more,
});
const ALREADY = 'Replication `8e_1` specified by document `d` already started, triggered by document `a`';

/** @typedef {{docs?: unknown[], own?: unknown, total?: number, replicator?: Record<string, string>}} Given */

/** @param {Given} given */
function recording({ docs = [], own = ['_users'], total = 0, replicator = {} }) {
  const gauge = { type: 'gauge', value: total };
  return JSON.stringify({
    'couch-advisor-answers': 1,
    origin: 'http://db.shop.example:5984',
    databases: 1,
    own,
    answers: {
      '/': { couchdb: 'Welcome', version: '3.5.2' },
      '/_node/_local/_config': { replicator },
      '/_node/_local/_stats': { couch_replicator: { jobs: { total: gauge } } },
      [FAILING_JOBS]: redactAnswer(FAILING_JOBS, { total_rows: docs.length, docs }),
    },
  });
}

/** @param {Given} given */
async function found(given) {
  const report = await createProject({ 'answers.jsonl': recording(given) }).lint(['answers.jsonl']);
  expect(report.errors).toEqual([]);
  return report.findings.map(({ rule, outcome, message }) => `${rule}#${outcome}: ${message}`);
}

test('nothing of addresses and names is kept of the jobs, and equal addresses stay equal', () => {
  const docs = [job('a'), job('b', { source: job('a').source }), 7, { doc_id: 'c' }];
  const kept = redactAnswer(FAILING_JOBS, { docs });
  expect(JSON.stringify(kept)).not.toMatch(/Hei7|shop\.example|admin/);
  const { docs: jobs } = /** @type {{docs: Record<string, unknown>[]}} */ (kept);
  expect(jobs).toHaveLength(4);
  expect(jobs[0]?.['source']).toBe(jobs[1]?.['source']);
  expect(jobs[0]?.['source']).not.toBe(jobs[0]?.['target']);
  expect(redactAnswer(FAILING_JOBS, { docs: 'none' })).toEqual({ docs: [] });
});

test('replications that fail for one reason are reported once', async () => {
  const failed = job('d', { state: 'failed', error_count: 1, info: { error: ALREADY } });
  expect(await found({ docs: [job('a'), job('b'), failed, job('c')] })).toEqual([
    'replication/failing#many-failing: `a` and others fail: `db_not_found` (3 replications)',
    'replication/failing#failing: `d` fails: `duplicate`',
  ]);
});

test('a replication that crashed twice may be one whose other side restarts', async () => {
  expect(await found({ docs: [job('a', { error_count: 2 })] })).toEqual([]);
});

test('jobs that take turns are reported if one pauses for long', async () => {
  expect(await found({ total: 1080 })).toEqual([]);
  expect(await found({ total: 1100 })).toEqual([
    'config/replicator-limits#waits: 1,100 replications pause for up to 30 minutes',
  ]);
  const slow = { max_jobs: '5', max_churn: '1', interval: '60000' };
  expect(await found({ total: 53, replicator: slow })).toEqual([
    'config/replicator-limits#waits: 53 replications pause for up to 48 minutes',
  ]);
  expect(await found({ total: 53, replicator: { ...slow, max_churn: '0' } })).toEqual([]);
  expect(await found({ total: 53, replicator: { ...slow, max_jobs: 'many' } })).toEqual([]);
});

test('a server without `_users` was never set up; unknown where not all databases are listed', async () => {
  expect(await found({ own: ['_replicator'] })).toEqual([
    'config/users-missing#unfinished: `http://db.shop.example:5984` has no `_users` database, so its setup was never finished',
  ]);
  expect(await found({ own: 7 })).toEqual([]);
});
