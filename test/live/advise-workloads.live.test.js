// Three workloads with known answers on a real CouchDB: what the plan promises is deployed by its own scripts and measured. Prints the table of
// docs/advise.md.
// COUCHDB_URL=http://admin:password@localhost:5984 npx vitest run test/live/advise-workloads.live.test.js

import { spawnSync } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';
import { afterAll, describe, expect, test } from 'vitest';
import { COUCHDB_URL, ScratchDatabase } from '../helpers/couchdb.js';
import { shopOrders } from '../helpers/find-traffic.js';
import { RecordedTraffic } from '../helpers/recorded-traffic.js';
import { runMain } from '../helpers/run-main.js';
import { createProject } from '../helpers/temporary-project.js';

/** @import { Plan } from '../../lib/advise/plan.js' */

const hasTools = ['curl', 'jq'].every((tool) => spawnSync(tool, ['--version']).status === 0);
const BATCH = 2000;
const REQUESTS = 20;
/** An index is committed five seconds after a change. */
const COMMIT_MS = 7000;
const URL_OF_SERVER = COUCHDB_URL ?? 'http://localhost';
const { username, password, origin } = new URL(URL_OF_SERVER);
const env = { COUCHDB_USER: decodeURIComponent(username), COUCHDB_PASSWORD: decodeURIComponent(password) };
const MAP = "function (doc) { if (doc.type === 'order') emit(doc.date, doc.total); }";
const SUM = 'function (keys, values, rereduce) { return sum(values); }';
const CODE = `const shop = require('nano')('http://localhost:5984').use('NAME');
exports.of = (customer, since) => shop.find({ selector: { customer, date: { $gte: since } }, limit: 200 });
`;

/** @type {string[]} */
const table = [];

describe.skipIf(!COUCHDB_URL || !hasTools)('workloads with known answers', { timeout: 900_000 }, () => {
  /** @type {ScratchDatabase[]} */
  const made = [];
  afterAll(async () => {
    for (const database of made) await database.drop();
    console.log(table.join('\n'));
  });

  /** @param {string} name @param {object[]} docs */
  async function fill(name, docs) {
    const database = new ScratchDatabase(URL_OF_SERVER);
    database.name = name;
    await database.ask('PUT', '?q=2');
    made.push(database);
    for (let at = 0; at < docs.length; at += BATCH)
      await database.ask('POST', '/_bulk_docs', { docs: docs.slice(at, at + BATCH) });
    return database;
  }

  /** @param {ReturnType<typeof createProject>} project @param {string[]} args @returns {Promise<Plan>} */
  async function advise(project, args) {
    const { stderr } = await runMain(['advise', ...args, '--format', 'json=plan.json', '--write', 'plan'], {
      cwd: project.cwd,
      env,
    });
    expect(stderr).toMatch(/wrote \d+ files/);
    return JSON.parse(project.read('plan.json'));
  }

  /** @param {ReturnType<typeof createProject>} project @param {string} script @returns {number} seconds */
  function runScript(project, script) {
    const from = performance.now();
    const cwd = path.join(project.cwd, 'plan');
    const { stderr, status } = spawnSync('sh', [script], {
      cwd,
      env: { ...process.env, COUCHDB_URL: URL_OF_SERVER },
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    return (performance.now() - from) / 1000;
  }

  /**
   * Alternates the request between a copy of the database as it was and the database with the change: other work on the machine slows both alike.
   * @param {RecordedTraffic} traffic
   * @param {{old: ScratchDatabase, sent: (name: string) => {method?: string, path: string, body?: unknown}, now: ScratchDatabase, query: Plan['steps'][number]['queries'][number] | undefined}} about
   * @returns {Promise<[predicted: number, measured: number]>} milliseconds of a request after the change; `predicted`: from the time before, as it is now
   */
  async function timed(traffic, { old, now, sent, query }) {
    let [before, after] = [0, 0];
    for (let at = -1; at < REQUESTS; at += 1) {
      const times = [(await traffic.send(sent(old.name))).ms, (await traffic.send(sent(now.name))).ms];
      if (at < 0) continue;
      before += times[0] ?? 0;
      after += times[1] ?? 0;
    }
    const ratio = (query?.msAfter ?? 0) / (query?.msBefore ?? 1);
    return [(before / REQUESTS) * ratio, after / REQUESTS];
  }

  /** @param {ScratchDatabase[]} databases @param {string} designDoc @returns {Promise<number>} bytes of their indexes, compacted */
  async function compacted(databases, designDoc) {
    const pause = (/** @type {number} */ msPause) => new Promise((resolve) => setTimeout(resolve, msPause));
    const indexOf = async (/** @type {ScratchDatabase} */ one) =>
      (await one.ask('GET', `/_design/${designDoc}/_info`)).answer.view_index;
    for (const database of databases) await database.ask('POST', `/_compact/${designDoc}`, {});
    for (const database of databases) while ((await indexOf(database)).compact_running) await pause(100);
    // The commit after it writes a header once more: a block for each shard (couch_index.erl, commit_compacted/2 and commit_delay/0).
    await pause(COMMIT_MS);
    let bytes = 0;
    for (const database of databases) bytes += (await indexOf(database)).sizes.file;
    return bytes;
  }

  /** @param {string} what @param {number} predicted @param {number} measured @param {(value: number) => string} show @param {number} factor */
  function compare(what, predicted, measured, show, factor) {
    table.push(`| ${what} | ${show(predicted)} | ${show(measured)} | ${(predicted / measured).toFixed(2)} |`);
    expect(predicted / measured, what).toBeLessThan(factor);
    expect(predicted / measured, what).toBeGreaterThan(1 / factor);
  }
  const ms = (/** @type {number} */ value) => `${value.toFixed(1)} ms`;
  const kB = (/** @type {number} */ value) => `${(value / 1000).toFixed(1)} kB`;
  const seconds = (/** @type {number} */ value) => `${value.toFixed(1)} s`;
  const documents = (/** @type {number} */ value) => `${value.toFixed(0)}`;

  test('files, the server, a HAR file and the log of one traffic at once', async () => {
    const docs = shopOrders(20_000);
    const database = await fill(new ScratchDatabase(URL_OF_SERVER).name, docs);
    const old = await fill(new ScratchDatabase(URL_OF_SERVER).name, docs);
    const app = { _id: '_design/app', language: 'javascript', views: { totals: { map: MAP, reduce: SUM } } };
    for (const one of [database, old]) {
      await one.ask('PUT', '/_design/app', app);
      await one.ask('GET', '/_design/app/_view/totals?reduce=false&limit=0');
    }
    const traffic = new RecordedTraffic(origin, database.authorization, { minutes: 1 });
    const find = (/** @type {number} */ at, name = database.name) => ({
      method: 'POST',
      path: `/${name}/_find`,
      body: {
        selector: { customer: `customer-${at}`, date: { $gte: '2025-12-01' } },
        limit: 200,
        execution_stats: true,
      },
    });
    const view = (name = database.name) => ({ path: `/${name}/_design/app/_view/totals?group=true` });
    for (let at = 0; at < 40; at += 1) {
      await traffic.send(find(at));
      await traffic.send(view());
    }
    const project = createProject({
      'app.json': app,
      'client.js': CODE.replace('NAME', database.name),
      'a.har': traffic.har(),
      'couch.log': traffic.log(),
      'orders.jsonl': docs.map((one) => JSON.stringify(one)).join('\n'),
    });
    const given = ['app.json', 'client.js', '--log', 'a.har', '--log', 'couch.log', '--docs', 'orders.jsonl'];
    const plan = await advise(project, [...given, '--url', origin, '--db', database.name]);
    expect(plan.workload.requests).toBe(80);
    const index = plan.steps.find(({ change }) => change.kind === 'create-index');
    const reduce = plan.steps.find(({ change }) => change.kind === 'change-view');
    expect(plan.steps).toHaveLength(2);
    expect(index?.change.index?.fields).toEqual(['customer', 'date']);
    expect(reduce?.change).toMatchObject({ view: { reduce: '_sum' }, file: expect.stringMatching(/^app\.json:/) });
    expect(reduce?.databases?.revisions[0]?.revision).toMatch(/^1-/);

    runScript(project, `step-${reduce?.number}.sh`);
    const built = runScript(project, `step-${index?.number}.sh`);
    const after = new RecordedTraffic(origin, database.authorization);
    const reduced = await timed(after, { old, now: database, sent: view, query: reduce?.queries[0] });
    compare('`_sum` instead of JavaScript, a request', ...reduced, ms, 3);
    const ofSeven = (/** @type {string} */ name) => find(7, name);
    const found = await timed(after, { old, now: database, sent: ofSeven, query: index?.queries[0] });
    compare('index on two columns, a request', ...found, ms, 3);
    const { answer } = await after.send(find(7));
    compare(
      'the same, documents read',
      index?.queries[0]?.after?.documents ?? 0,
      answer.execution_stats.total_docs_examined,
      documents,
      1.5,
    );
    compare('the same, index', index?.cost.bytes ?? 0, await compacted([database], index?.change.name ?? ''), kB, 1.1);
    compare('the same, build', index?.cost.buildSeconds ?? 0, built, seconds, 3);
    const later = new RecordedTraffic(origin, database.authorization, { minutes: 1, days: 1 });
    for (let at = 0; at < 40; at += 1) for (const sent of [find(at), view()]) await later.send(sent);
    project.write({ 'new.har': later.har() });
    const { stdout } = await runMain(['advise', '--since', 'plan.json', '--log', 'new.har', '--format', 'json'], {
      cwd: project.cwd,
      env,
    });
    for (const { title, verdict, queries } of JSON.parse(stdout).steps) {
      table.push(
        `| --since: ${title.replace(/ of .*/, '')} | | ${verdict}, ${queries[0]?.time?.low} to ${queries[0]?.time?.high} | |`,
      );
      expect(verdict).not.toBe('not held');
    }
    runScript(project, `step-${index?.number}-undo.sh`);
    runScript(project, `step-${reduce?.number}-undo.sh`);
    expect((await database.ask('GET', '/_design/app')).answer.views).toEqual(app.views);
    runScript(project, `step-${reduce?.number}.sh`);
    runScript(project, `step-${reduce?.number}-later.sh`);
    const { rows } = (await database.ask('GET', '/_design_docs')).answer;
    expect(rows.map((/** @type {{id: string}} */ { id }) => id)).toEqual(['_design/app']);
  });

  test('50 databases, of which 3 have the index', async () => {
    // Only the number at the end may be folded.
    const base = new ScratchDatabase(URL_OF_SERVER).name.replaceAll(/\d/g, (digit) =>
      'ghijklmnop'.charAt(Number(digit)),
    );
    const docs = shopOrders(500);
    const all = [];
    for (let at = 0; at < 50; at += 1) all.push(await fill(`${base}-${String(at).padStart(2, '0')}`, docs));
    const old = all.slice(0, 3);
    for (const database of old) {
      await database.ask('POST', '/_index', {
        index: { fields: ['customer'] },
        ddoc: 'customers',
        name: 'of-customer',
      });
    }
    const [first] = /** @type {[ScratchDatabase]} */ (all);
    const traffic = new RecordedTraffic(origin, first.authorization, { minutes: 1 });
    const find = (/** @type {string} */ name) => ({
      method: 'POST',
      path: `/${name}/_find`,
      body: { selector: { customer: 'customer-7' }, limit: 50 },
    });
    for (const { name } of [...all, ...all]) await traffic.send(find(name));
    const project = createProject({
      'a.har': traffic.har(),
      'orders.jsonl': docs.map((one) => JSON.stringify(one)).join('\n'),
    });
    const given = ['--log', 'a.har', '--docs', 'orders.jsonl', '--url', origin, '--db', `${base}-*`];
    const plan = await advise(project, given);
    const [step] = plan.steps;
    expect(step?.change).toMatchObject({
      name: 'of-customer',
      designDoc: '_design/customers',
      database: expect.stringMatching(/\*$/),
    });
    expect(step?.databases).toMatchObject({ count: 47, all: 50, basis: 'server', done: old.map(({ name }) => name) });
    const built = runScript(project, 'step-1.sh');
    const bytes = await compacted(all.slice(3), 'customers');
    compare('47 of 50 databases, indexes in all', step?.cost.bytes ?? 0, bytes, kB, 1.1);
    table.push(
      `| the same, deployed and warmed by its script | ${seconds(step?.cost.buildSeconds ?? 0)} | ${seconds(built)} | |`,
    );
  });

  test('one database, an index that the code makes a partial one', async () => {
    const docs = shopOrders(20_000).map((one, at) => ({ ...one, status: at % 50 === 0 ? 'open' : 'closed' }));
    const database = await fill(new ScratchDatabase(URL_OF_SERVER).name, docs);
    const old = await fill(new ScratchDatabase(URL_OF_SERVER).name, docs);
    const traffic = new RecordedTraffic(origin, database.authorization, { minutes: 1 });
    const selector = { status: 'open', customer: 'customer-0' };
    const find = (/** @type {object} */ more = {}, name = database.name) => ({
      method: 'POST',
      path: `/${name}/_find`,
      body: { selector, limit: 200, ...more },
    });
    for (let at = 0; at < 40; at += 1) await traffic.send(find());
    const code = `const shop = require('nano')('http://localhost:5984').use('${database.name}');\nexports.open = (customer) => shop.find({ selector: { status: 'open', customer }, limit: 200 });\n`;
    const project = createProject({
      'client.js': code,
      'a.har': traffic.har(),
      'orders.jsonl': docs.map((one) => JSON.stringify(one)).join('\n'),
    });
    const plan = await advise(project, [
      'client.js',
      '--log',
      'a.har',
      '--docs',
      'orders.jsonl',
      '--url',
      origin,
      '--db',
      database.name,
    ]);
    const [step] = plan.steps;
    expect(step?.change.index).toEqual({ fields: ['customer'], partial_filter_selector: { status: 'open' } });
    expect(step?.because.join()).toContain('chosen instead of');
    const built = runScript(project, 'step-1.sh');
    const after = new RecordedTraffic(origin, database.authorization);
    const named = { use_index: [step?.change.designDoc.slice(8), step?.change.name] };
    const sent = (/** @type {string} */ name) => find(name === old.name ? {} : named, name);
    const query = step?.queries[0];
    compare('partial index, a request', ...(await timed(after, { old, now: database, sent, query })), ms, 3);
    compare(
      'the same, index',
      step?.cost.bytes ?? 0,
      await compacted([database], step?.change.designDoc.slice(8) ?? ''),
      kB,
      1.1,
    );
    compare('the same, build', step?.cost.buildSeconds ?? 0, built, seconds, 3);
  });

  test('a view that stores whole documents, of which the code reads two fields', async () => {
    const docs = shopOrders(20_000).map((one, at) => ({
      ...one,
      note: `left at the back door by courier ${at * 7919}`,
    }));
    const database = await fill(new ScratchDatabase(URL_OF_SERVER).name, docs);
    const map = 'function (doc) { emit(doc.customer, doc); }';
    const app = { _id: '_design/app', language: 'javascript', views: { by_customer: { map } } };
    await database.ask('PUT', '/_design/app', app);
    await database.ask('GET', '/_design/app/_view/by_customer?limit=0');
    const old = await compacted([database], 'app');
    const traffic = new RecordedTraffic(origin, database.authorization, { minutes: 1 });
    const view = { path: `/${database.name}/_design/app/_view/by_customer?key=%22customer-7%22` };
    for (let at = 0; at < 20; at += 1) await traffic.send(view);
    const code = `const shop = require('nano')('http://localhost:5984').use('${database.name}');
exports.of = async (key) => (await shop.view('app', 'by_customer', { key })).rows.map((row) => [row.value.date, row.value.total]);
`;
    const project = createProject({
      'app.json': app,
      'client.js': code,
      'couch.log': traffic.log(),
      'orders.jsonl': docs.map((one) => JSON.stringify(one)).join('\n'),
    });
    const given = ['app.json', 'client.js', '--log', 'couch.log', '--docs', 'orders.jsonl'];
    const plan = await advise(project, [...given, '--url', origin, '--db', database.name]);
    const [step, ...others] = plan.steps;
    expect(others).toEqual([]);
    expect(step?.change.view?.map).toBe(map.replace(', doc)', ', { date: doc.date, total: doc.total })'));
    const before = await traffic.send(view);
    runScript(project, 'step-1.sh');
    const after = await traffic.send(view);
    const read = (/** @type {{value: {date: string, total: number}}} */ { value: { date, total } }) => [date, total];
    expect(after.answer.rows.map(read)).toEqual(before.answer.rows.map(read));
    const saved = old - (await compacted([database], 'app'));
    compare('two fields instead of whole documents, saved of the index', -(step?.cost.bytes ?? 0), saved, kB, 1.1);
    table.push(`| the same, index before | | ${kB(old)} | |`);
  });
});
