// Logs as container engines and collectors deliver them say the same as the bare log, in every command that reads logs.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { isLong } from '../helpers/long.js';
import { root } from '../helpers/run-cli.js';
import { runMain } from '../helpers/run-main.js';
import { createProject } from '../helpers/temporary-project.js';
import { WRAPPERS } from '../helpers/wrap-log.js';

const SHOP = path.join(root, 'fixtures/projects/shop');
const bare = readFileSync(path.join(SHOP, 'logs/couch.log'), 'utf8');
const WRAPPED = path.join(root, 'fixtures/logs-wrapped');

/** Wrappers that make several lines of one; the places of lines are others then. @param {string} name */
const hasPieces = (name) => name.endsWith('pieces');
/** @param {string} text @param {string} name */
const comparable = (text, name) => (hasPieces(name) ? text.replace(/couch\.log:\d+|"line": *\d+/g, '') : text);

/** @param {string[]} args @param {string} log */
async function run(args, log) {
  const { stdout, stderr, exitCode } = await runMain([...args, '--stdin-filename', 'couch.log'], {
    cwd: SHOP,
    input: log,
  });
  return { stdout, stderr, exitCode };
}

/** @type {Map<string, ReturnType<typeof run>>} by arguments */
const ofBare = new Map();
/** @param {string[]} args @returns {ReturnType<typeof run>} of the bare log: made once, as each wrapper is compared with the same one */
function runBare(args) {
  const key = args.join(' ');
  const made = ofBare.get(key) ?? run(args, bare);
  ofBare.set(key, made);
  return made;
}

/** @type {[string, string[]][]} */
const RUNS = [
  ['digest', ['digest', '-', '--format', 'json']],
  ['lint --log', ['lint', 'design-docs', '--log', '-', '--format', 'json']],
  ['advise', ['advise', 'design-docs', '--log', '-', '--format', 'json']],
];

test.each(Object.keys(WRAPPERS))('%s is named, and digested as the bare log', async (name) => {
  const wrapped = WRAPPERS[name]?.(bare) ?? '';
  const { stdout } = await run(['digest', '-'], wrapped);
  expect(stdout).toContain(`as couchdb, unwrapped from ${name.replace(/, (pieces|times|colors)$/, '')}\n`);
  const expected = await runBare(['digest', '-', '--format', 'json']);
  const given = await run(['digest', '-', '--format', 'json'], wrapped);
  expect(comparable(given.stdout, name)).toBe(comparable(expected.stdout, name));
  expect(given.stderr).toBe('');
});

describe.each(isLong ? Object.keys(WRAPPERS) : [])('%s', (name) => {
  const wrapped = WRAPPERS[name]?.(bare) ?? '';
  test.each(RUNS)('%s is as with the bare log', async (_, args) => {
    const expected = await runBare(args);
    const given = await run(args, wrapped);
    expect(comparable(given.stdout, name)).toBe(comparable(expected.stdout, name));
    expect([given.stderr, given.exitCode]).toEqual([expected.stderr, expected.exitCode]);
  });

  test('digest --compare finds no change against the bare log', async () => {
    const pair = createProject({ 'bare.log': bare, 'wrapped.log.gz': gzipSync(wrapped) });
    const report = await pair.run(['digest', '--compare', 'bare.log', 'wrapped.log.gz', '--format', 'json']);
    expect(JSON.parse(report.stdout)).toMatchObject({
      shapes: [],
      traffic: [],
      indexes: [],
      queryServers: [],
      unknown: [],
    });
    expect([report.stderr, report.exitCode]).toEqual(['', 0]);
  });
});

/** Made by logger of util-linux 2.38.1 and journalctl of systemd 252; other programs wrote two of the lines of the journals. @type {[string, string, number][]} */
const REAL = [
  ['journald.jsonl', 'couchdb, unwrapped from JSON (MESSAGE)', 2],
  ['journald-writer.jsonl', 'couchdb-journal, unwrapped from JSON (MESSAGE)', 0],
  ['journal-short-full.log', 'couchdb, unwrapped from syslog', 2],
  ['journal-short-monotonic.log', 'couchdb, unwrapped from syslog', 2],
  ['syslog-3164.log', 'couchdb, unwrapped from syslog', 0],
  ['syslog-5424.log', 'couchdb, unwrapped from syslog', 0],
];

test('every real wrapped log is tested', () => {
  expect(readdirSync(WRAPPED).sort()).toEqual(REAL.map(([name]) => name).sort());
});

test.each(REAL)('%s is read as %s', async (name, what, others) => {
  const expected = JSON.parse(
    (await run(['digest', '-', '--format', 'json'], readFileSync(path.join(root, 'fixtures/logs/couchdb.log'), 'utf8')))
      .stdout,
  );
  const given = readFileSync(path.join(WRAPPED, name), 'utf8');
  expect((await run(['digest', '-'], given)).stdout).toContain(`as ${what}\n`);
  const digest = JSON.parse((await run(['digest', '-', '--format', 'json'], given)).stdout);
  expect(digest.lines).toEqual({ read: 10 + others, requests: 5, other: 5 + others, malformed: 0 });
  const problems = others > 0 ? [['other-program', others]] : [];
  expect(digest.problems.map((/** @type {any} */ { kind, count }) => [kind, count])).toEqual(problems);
  const counts = (/** @type {any} */ { shapes }) =>
    shapes.map((/** @type {any} */ shape) => [shape.method, shape.view, shape.count, shape.latencyMs]);
  expect(counts(digest)).toEqual(counts(expected));
  expect(digest.from.slice(0, 10)).toBe(name === 'journald-writer.jsonl' ? '2026-11-28' : '2026-11-21');
});

const couch = WRAPPERS['docker compose']?.(bare) ?? '';
const nginx = bare
  .split('\n')
  .filter((line) => line.includes(' GET '))
  .map(() => 'proxy-1    | 10.0.0.9 - - [02/Mar/2026:08:00:01 +0000] "GET /shop/order HTTP/1.1" 200 99\n')
  .join('');

test('programs that log into the same stream are counted as others, and requests of a proxy not twice', async () => {
  const worker = 'worker-1   | {"level":"info","msg":"started"}\n'.repeat(300);
  const { stdout } = await run(['digest', '-', '--format', 'json'], `${worker}${nginx}${couch}`);
  const digest = JSON.parse(stdout);
  const proxied = nginx.split('\n').length - 1;
  expect(digest.lines).toMatchObject({ requests: 430, malformed: 0, other: 330 + proxied });
  expect(digest.problems).toMatchObject([
    { kind: 'other-program', count: 300 + proxied, examples: [{ line: 1 }, { line: 2 }, { line: 3 }] },
  ]);
});

test('pieces of two streams that alternate are joined apart', async () => {
  const [first = '', second = ''] = bare.split('\n').slice(0, 2);
  const cri = [
    `stderr P ${first.slice(0, 50)}`,
    `stdout P ${second.slice(0, 60)}`,
    `stderr F ${first.slice(50)}`,
    `stdout F ${second.slice(60)}`,
    `stderr F ${first}`,
    `stderr P ${second}`,
  ].map((rest) => `2026-11-21T02:46:30.123456789Z ${rest}\n`);
  const { stdout } = await run(['digest', '-', '--format', 'json'], cri.join(''));
  expect(JSON.parse(stdout).lines).toEqual({ read: 4, requests: 4, other: 0, malformed: 0 });
});

test('a broken line of CouchDB stays malformed', async () => {
  const broken = 'couchdb-1  | [notice] 2026-03-02T08:00:01.3';
  const { stdout } = await run(['digest', '-', '--format', 'json'], `${couch}${broken}\n${couch}`);
  expect(JSON.parse(stdout).lines).toMatchObject({ requests: 860, malformed: 1 });
});

test('a member that only some lines have is used where it is', async () => {
  const mixed = bare
    .split('\n')
    .slice(0, -1)
    .map((line, at) => JSON.stringify(at % 2 ? { event: 'heartbeat' } : { level: 'info', 'shop.line': line }))
    .join('\n');
  for (const args of [[], ['--log-field', 'shop.line']]) {
    const digest = JSON.parse((await run(['digest', '-', '--format', 'json', ...args], mixed)).stdout);
    expect(digest.lines).toMatchObject({ read: 460, malformed: 0 });
    expect(digest.problems).toMatchObject([{ kind: 'no-log-line', count: 230, examples: [{ line: 2 }, {}, {}] }]);
  }
});

test('--log-field names the member; the configuration can too', async () => {
  const twice = bare
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.stringify({ a: { text: line }, b: { text: line.replaceAll('/shop/', '/store/') } }))
    .join('\n');
  const named = await run(['digest', '-', '--log-field', 'b.text'], twice);
  expect(named.stdout).toContain('GET store/{document}');
  expect(named.stdout).toContain('unwrapped from JSON (b.text)');
  const configured = createProject({
    'couch.log': twice,
    'orders.json': { _id: '_design/orders', views: { by_date: { map: 'function (doc) { emit(doc.date, null); }' } } },
    'couch-advisor.config.json': { logs: ['couch.log'], logField: 'b.text' },
  });
  const report = JSON.parse((await configured.run(['lint', '--format', 'json'])).stdout);
  expect(JSON.stringify(report)).toContain('store');
});
