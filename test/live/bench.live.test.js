// `bench` on a real CouchDB: every scenario has what the embedded server lacks, nothing is left behind, and no setting stays changed.
// `COUCHJS="…/couchjs …/main.js"` also drives CouchDB's own query server without a database.

import process from 'node:process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COUCHDB_URL } from '../helpers/couchdb.js';
import { startCli } from '../helpers/run-cli.js';
import { createProject } from '../helpers/temporary-project.js';

const SCRATCH = 'couch-advisor-scratch-';
const COUCHJS = process.env['COUCHJS'];

describe.skipIf(!COUCHDB_URL)('bench on a real CouchDB', { timeout: 600_000 }, () => {
  const { username, password, origin } = new URL(COUCHDB_URL ?? 'http://localhost');
  const env = { COUCHDB_USER: decodeURIComponent(username), COUCHDB_PASSWORD: decodeURIComponent(password) };
  const basic = Buffer.from(`${env.COUCHDB_USER}:${env.COUCHDB_PASSWORD}`).toString('base64');

  /** @param {string} target @returns {Promise<any>} */
  const ask = async (target) => {
    const response = await fetch(`${origin}/${target}`, { headers: { authorization: `Basic ${basic}` } });
    return response.json();
  };

  /** @param {number | undefined} pid @returns {Promise<string[]>} scratch databases of that process */
  async function leftBy(pid) {
    const names = /** @type {string[]} */ (await ask('_all_dbs')).filter((name) => name.startsWith(SCRATCH));
    const marks = await Promise.all(names.map((name) => ask(`${name}/_local/couch-advisor-scratch`)));
    return names.filter((_, at) => marks[at]?.pid === pid);
  }

  /**
   * @param {string[]} argv
   * @returns {Promise<any>} the result
   */
  async function measure(argv) {
    const { cwd } = createProject({});
    const { child, ended } = startCli(['bench', ...argv, '--url', origin, '--yes', '--format', 'json'], { cwd, env });
    const { stdout, stderr, exitCode } = await ended;
    expect([stderr, exitCode]).toEqual(['', 0]);
    expect(stdout).not.toContain(env.COUCHDB_PASSWORD);
    expect(stdout).not.toContain(basic);
    expect(await leftBy(child.pid)).toEqual([]);
    return JSON.parse(stdout);
  }

  // Those that --change-config may touch; other tests may change others.
  const readConfig = () =>
    Promise.all(
      ['uuids', 'smoosh.ratio_dbs', 'smoosh.slack_dbs', 'smoosh.ratio_views', 'smoosh.slack_views'].map((name) =>
        ask(`_node/_local/_config/${name}`),
      ),
    );
  /** @type {unknown} */
  let config;
  beforeAll(async () => {
    config = await readConfig();
  });
  afterAll(async () => {
    expect(await readConfig()).toEqual(config);
  });

  test('include_docs costs more than a view that holds the documents', async () => {
    const { comparisons, tables } = await measure([
      'include-docs',
      '--size',
      '2000',
      '--rounds',
      '3',
      '--requests',
      '5',
    ]);
    expect(comparisons[0].what).toBe('all rows: with include_docs / emits the document');
    expect(comparisons[0].measured).toBeGreaterThan(1.5);
    const [index] = tables.slice(1);
    expect(
      index.rows.map((/** @type {any[]} */ row) => row[3]).every((/** @type {number} */ bytes) => bytes > 10_000),
    ).toBe(true);
  });

  test('random ids grow the file more than ids in order, and compaction makes it smaller', async () => {
    const given = [
      'bulk-load',
      '--size',
      '4000',
      '--rounds',
      '2',
      '--batch',
      '100',
      '--batches',
      '50,4000',
      '--change-config',
    ];
    const { comparisons, samples, tables } = await measure(given);
    const file = comparisons.find((/** @type {any} */ one) => one.what.startsWith('file:'));
    expect(file.measured).toBeGreaterThan(1.5);
    for (const { arm, sizes } of samples.filter(
      (/** @type {any} */ sample) => sample.set === 'ids' && sample.arm.includes('random'),
    )) {
      expect([arm, sizes.compacted < sizes.file]).toEqual([arm, true]);
    }
    const arms = tables[0].rows.map((/** @type {any[]} */ [arm]) => arm);
    expect(arms.filter((/** @type {string} */ arm) => arm.startsWith('server, ')).toSorted()).toEqual([
      'server, random',
      'server, sequential',
      'server, utc_id',
      'server, utc_random',
    ]);
    // What the server makes by the random algorithm grows the file as ids do that were made at random here.
    const size = (/** @type {string} */ arm) => tables[0].rows.find((/** @type {any[]} */ row) => row[0] === arm)[4];
    expect(size('server, random') / size('random')).toBeGreaterThan(0.8);
    expect(size('server, sequential') / size('random')).toBeLessThan(0.8);
  });

  test('without being allowed to it changes no setting, and says so', async () => {
    const { notes, tables } = await measure(['bulk-load', '--size', '200', '--rounds', '1', '--batches', '100']);
    expect(notes).toEqual([expect.stringContaining('--change-config')]);
    expect(tables[0].rows.filter((/** @type {any[]} */ [arm]) => String(arm).startsWith('server, '))).toHaveLength(1);
  });

  test('both JavaScript engines are measured, with a curve; what is not offered is told', async () => {
    const { tables, missing, samples } = await measure([
      'index-build',
      '--size',
      '6000',
      '--large-size',
      '5',
      '--rounds',
      '1',
    ]);
    const servers = new Set(samples.map((/** @type {any} */ { arm }) => arm.replace(/, .*$/, '')));
    expect(tables[0].rows.map((/** @type {any[]} */ [server]) => server)).toContain('JavaScript');
    expect(servers).toContain('javascript');
    for (const language of ['erlang', 'python']) {
      expect([
        language,
        servers.has(language) || missing.some((/** @type {string} */ one) => one.includes(language)),
      ]).toEqual([language, true]);
    }
    const external = samples.find(
      (/** @type {any} */ one) => one.arm === 'javascript, external reducer' && one.set === 'documents of 1 kB',
    );
    expect(external.curve.length).toBeGreaterThan(0);
    expect(external.curve.at(-1).done).toBeGreaterThan(0);
    expect(external.curve.at(-1).done).toBeLessThanOrEqual(6000);
  });

  test('every way to the coupons gives the same answer, with 1 and with 4 shards', async () => {
    const { tables, missing } = await measure(['coupons', '--size', '1000', '--rounds', '2']);
    expect(missing).toEqual([]);
    expect(tables[0].rows).toHaveLength(7);
    expect(tables[0].rows.every((/** @type {any[]} */ row) => row.every((cell) => cell !== null))).toBe(true);
  });

  test('a change that a command makes is measured', async () => {
    const change = (/** @type {string} */ state) => `node -e "fetch('${origin}').then(() => {})" && echo ${state}`;
    const given = ['request-overhead', '--rounds', '6', '--connections', '10', '--requests', '5', '--pause', '0'];
    const { verdict, tables } = await measure([...given, '--before', change('a'), '--after', change('b')]);
    expect(verdict.rounds).toBe(6);
    expect(tables[0].rows).toHaveLength(7);
  });

  test('two servers are compared', async () => {
    const given = [
      'request-overhead',
      '--rounds',
      '2',
      '--connections',
      '4',
      '--requests',
      '3',
      '--pause',
      '0',
      '--other-url',
      origin,
    ];
    const { verdict } = await measure(given);
    expect(verdict.rounds).toBe(2);
  });

  test.each(/** @type {const} */ (['SIGINT', 'SIGTERM']))(
    '%s in the middle of a build leaves nothing',
    async (signal) => {
      const { cwd } = createProject({});
      const { child, ended } = startCli(
        ['bench', 'index-build', '--size', '20000', '--large-size', '2', '--url', origin, '--yes'],
        { cwd, env },
      );
      const isBuilding = async () =>
        (await ask('_active_tasks')).some((/** @type {any} */ task) => task.type === 'indexer');
      for (let waited = 0; waited < 1200 && !(await isBuilding()); waited += 1)
        await new Promise((resolve) => setTimeout(resolve, 50));
      child.kill(signal);
      const { stderr, exitCode } = await ended;
      expect(stderr).toContain('the run was interrupted; its databases were dropped');
      expect(exitCode).toBe(3);
      expect(await leftBy(child.pid)).toEqual([]);
    },
  );
});

test.skipIf(!COUCHJS)('the query server of CouchDB is driven without a database', { timeout: 120_000 }, async () => {
  const { cwd } = createProject({});
  const given = ['index-build', '--size', '200', '--large-size', '3', '--rounds', '1', '--query-server', COUCHJS ?? ''];
  const { stdout, stderr, exitCode } = await startCli(['bench', ...given], { cwd }).ended;
  expect([stderr, exitCode]).toEqual(['', 0]);
  expect(stdout).toContain('was given functions in javascript');
  expect(stdout).toMatch(/external +[\d,]+/);
});
