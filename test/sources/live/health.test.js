// Conflicts are counted without keeping what stands in documents, and two recordings of a server are compared.

import { expect, test } from 'vitest';
import { COMPACTIONS, changesPath, FAILING_JOBS, JOBS } from '../../../lib/sources/live/allowed-requests.js';
import { redactAnswer } from '../../../lib/sources/live/redact.js';
import { startFakeCouchdb } from '../../helpers/fake-couchdb.js';
import { createProject } from '../../helpers/temporary-project.js';

/** @import { ServedRequest } from '../../helpers/fake-couchdb.js' */

const ORIGIN = 'http://db.shop.example:5984';

/** @param {string} at @param {Record<string, unknown>} answers @param {Record<string, unknown>} [more] */
const recording = (at, answers, more) =>
  JSON.stringify({
    'couch-advisor-answers': 1,
    origin: ORIGIN,
    at: `2026-03-02T${at}:00Z`,
    own: ['_users'],
    answers: { '/': { couchdb: 'Welcome', version: '3.5.2' }, ...answers },
    ...more,
  });

/** @param {Record<string, string>} files recordings by name @returns {Promise<string[]>} what is found in all of them */
async function found(files) {
  const report = await createProject(files).lint(Object.keys(files));
  expect(report.errors).toEqual([]);
  return report.findings.map(({ rule, outcome, message }) => `${rule}#${outcome}: ${message}`);
}

/** @param {number} waiting @param {number} active @param {Record<string, unknown>} [config] */
const smoosh = (waiting, active, config = {}) => ({
  [COMPACTIONS]: { channels: { ratio_dbs: { waiting: { size: waiting }, starting: 0, active }, slack_dbs: {} } },
  '/_node/_local/_config': config,
});

test('compactions that wait while none runs are reported if two recordings ten minutes apart say so', async () => {
  const b = recording('08:10', smoosh(9, 0));
  expect(await found({ 'a.jsonl': recording('08:00', smoosh(4, 0)), 'b.jsonl': b })).toEqual([
    `config/compaction-waits#waits: 9 compactions wait on \`${ORIGIN}\`, and none runs in \`ratio_dbs\``,
  ]);
  expect(await found({ 'b.jsonl': b })).toEqual([]);
  expect(await found({ 'a.jsonl': recording('08:01', smoosh(4, 0)), 'b.jsonl': b })).toEqual([]);
  expect(await found({ 'a.jsonl': recording('08:00', smoosh(4, 1)), 'b.jsonl': b })).toEqual([]);
  const night = recording('08:10', smoosh(9, 0, { 'smoosh.ratio_dbs': { from: '20:00' } }));
  expect(await found({ 'a.jsonl': recording('08:00', smoosh(4, 0)), 'b.jsonl': night })).toEqual([]);
});

test('thresholds of the disk monitor are reported on a server that does not switch it on', async () => {
  const monitor = { background_view_indexing_threshold: '70' };
  const found70 = await found({ 'a.jsonl': recording('08:00', smoosh(0, 0, { disk_monitor: monitor })) });
  expect(found70).toEqual([
    expect.stringMatching(/^config\/dead-options#not-read: .*`\[disk_monitor\] enable` is true$/),
  ]);
  const on = { disk_monitor: { ...monitor, enable: 'true' } };
  expect(await found({ 'a.jsonl': recording('08:00', smoosh(0, 0, on)) })).toEqual([]);
});

test('the newest recording is judged, whatever the order of the files; those of other servers stay apart', async () => {
  const old = recording('07:00', { '/_membership': { all_nodes: ['a'], cluster_nodes: ['a', 'b', 'c'] } });
  const then = recording('08:00', { '/_membership': { all_nodes: ['a', 'b'], cluster_nodes: ['a', 'b'] } });
  const now = recording('09:00', { '/_membership': { all_nodes: ['a'], cluster_nodes: ['a'] } });
  const left = [`config/node-down#nodes-left: \`b\` left the cluster of \`${ORIGIN}\` since an earlier recording`];
  expect(await found({ 'a.jsonl': now, 'b.jsonl': old, 'c.jsonl': then })).toEqual(left);
  expect(await found({ 'a.jsonl': now.replaceAll(ORIGIN, 'http://other:5984'), 'c.jsonl': then })).toEqual([]);
});

/** @param {string} id @param {number | null} pending @param {string | null} doc */
const job = (id, pending, doc) => ({
  id,
  database: doc && '_replicator',
  doc_id: doc,
  user: 'anna',
  info: { changes_pending: pending, source_seq: '12-Hei7' },
  history: [{ type: 'started' }],
  source: 'http://admin:Hei7taeBah@internal.shop.example:5984/orders/',
  target: 'https://backup.shop.example/orders/',
});
/** @param {unknown[]} jobs @param {number} [total] */
const jobs = (jobs, total = jobs.length) => ({ [JOBS]: redactAnswer(JOBS, { total_rows: total, jobs }) });

test('a replication that falls behind is reported, and one that runs in turns is not', async () => {
  const then = recording('08:00', jobs([job('8e', 9000, 'backup')]));
  expect(await found({ 'a.jsonl': then, 'b.jsonl': recording('09:00', jobs([job('8e', 19_000, 'backup')])) })).toEqual([
    'replication/failing#behind: `backup` falls behind: 10,000 more changes wait than in an earlier recording',
  ]);
  for (const pending of [18_999, 9000, null])
    expect(
      await found({ 'a.jsonl': then, 'b.jsonl': recording('09:00', jobs([job('8e', pending, 'backup')])) }),
    ).toEqual([]);
  expect(await found({ 'a.jsonl': then, 'b.jsonl': recording('08:09', jobs([job('8e', 99_000, 'backup')])) })).toEqual(
    [],
  );
  const failing = { doc_id: 'backup', state: 'crashing', error_count: 5, info: { error: 'unauthorized' } };
  const docs = { [FAILING_JOBS]: redactAnswer(FAILING_JOBS, { total_rows: 1, docs: [failing] }) };
  const both = recording('09:00', { ...jobs([job('8e', 99_000, 'backup')]), ...docs });
  expect(await found({ 'a.jsonl': then, 'b.jsonl': both })).toEqual([
    'replication/failing#failing: `backup` fails: `no reason given`',
  ]);
});

test('a continuous job of _replicate that is gone is reported where all jobs are known', async () => {
  const then = recording(
    '08:00',
    jobs([job('8e+continuous', 0, null), job('9f', 0, null), job('7a+continuous', 0, 'b')]),
  );
  expect(await found({ 'a.jsonl': then, 'b.jsonl': recording('09:00', jobs([])) })).toEqual([
    'replication/failing#lost: the continuous replication `8e+continuous` no longer runs',
  ]);
  expect(await found({ 'a.jsonl': then, 'b.jsonl': recording('09:00', jobs([], 2000)) })).toEqual([]);
  expect(await found({ 'a.jsonl': then, 'b.jsonl': recording('09:00', {}) })).toEqual([]);
});

test('nothing of addresses, users and sequences is kept of running jobs', () => {
  expect(JSON.stringify(jobs([job('8e', 1, null), 7]))).not.toMatch(/Hei7|shop\.example|admin|anna/);
});

/** @param {number} most conflicts of one document */
const conflicts = (most, several = 1, changes = 200) => ({
  '/shop': { db_name: 'shop', doc_count: 400, sizes: {} },
  [changesPath('shop')]: { changes, several, documents: [{ conflicts: most, isMost: true }] },
});

test('conflicts that grow between two recordings are reported', async () => {
  const then = recording('08:00', conflicts(5));
  expect(await found({ 'a.jsonl': then, 'b.jsonl': recording('09:00', conflicts(15)) })).toEqual([
    'write/conflicts#grow: a document of `shop` has 10 more conflicts than in an earlier recording',
  ]);
  expect(await found({ 'a.jsonl': then, 'b.jsonl': recording('09:00', conflicts(14)) })).toEqual([]);
  expect(await found({ 'b.jsonl': recording('09:00', conflicts(48)) })).toEqual([]);
  expect(await found({ 'b.jsonl': recording('09:00', conflicts(49)) })).toHaveLength(1);
});

/** @param {number} open of 100 documents @param {number} deleted of them whose other leaves are deleted */
function server(open, deleted, leaves = 2, limit = 1000) {
  const revisions = Array.from({ length: leaves }, (_, at) => ({ rev: `1-${at}` }));
  const rows = Array.from({ length: 100 }, (_, at) => ({
    id: `anna-${at}@shop.example`,
    changes: at < open + deleted ? revisions : [{ rev: '1-a' }],
  }));
  /** @param {ServedRequest} served */
  return ({ path }) => {
    if (path.includes('/_changes?')) return { body: { results: rows } };
    if (path.endsWith('/_revs_limit')) return { text: String(limit) };
    const id = /anna-(\d+)/.exec(decodeURIComponent(path))?.[1];
    if (id === undefined || !path.endsWith('?conflicts=true')) return undefined;
    const list = Number(id) < open ? { _conflicts: revisions.slice(1).map(({ rev }) => rev) } : {};
    return { body: { _id: id, _rev: '1-a', secret: 'Hei7taeBah', ...list } };
  };
}

test.each([
  ['50 with two leaves', server(50, 0), 'widespread: at least 11 % of the newest changes of `shop` have conflicts'],
  ['one with 60 leaves', server(1, 0, 60), 'many: a document of `shop` has 60 conflicting revisions'],
  ['40 with two leaves', server(40, 0), undefined],
  [
    'few revisions are kept',
    server(1, 0, 2, 10),
    'few-revisions: `shop` has conflicts, and keeps 10 revisions of a document',
  ],
  ['few revisions are kept, and the leaves are deleted', server(0, 1, 2, 10), undefined],
  ['50 with a deleted leaf each', server(0, 50, 60), undefined],
])('conflicts are sampled: %s', async (_, special, expected) => {
  const fake = await startFakeCouchdb({ special });
  try {
    const project = createProject({});
    const { findings, errors } = await project.lint(['--url', fake.origin, '--record', 'a.jsonl', '--rate', '1000']);
    expect(errors).toEqual([]);
    const own = findings.filter(({ rule }) => rule === 'write/conflicts');
    expect(own.map(({ outcome, message }) => `${outcome}: ${message}`)).toEqual(expected ? [expected] : []);
    // Three documents at most, and `_revs_limit`.
    const ofDatabase = fake.served.filter(({ path }) => /conflicts=true|_changes|_revs_limit/.test(path));
    expect(ofDatabase.length).toBeLessThanOrEqual(5);
    const kept = project.read('a.jsonl');
    expect(kept).not.toMatch(/anna-|Hei7/);
    expect(kept).toContain('"several"');
  } finally {
    await fake.close();
  }
});
