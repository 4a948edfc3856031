// `couch-advisor digest` from arguments to output: table, file, partial digests and their merging.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { COMMANDS } from '../../lib/cli/commands.js';
import { digestDocument } from '../../lib/reports/digest.js';
import { displayWidth } from '../../lib/reports/display-width.js';
import { LINE_FORMATS } from '../../lib/sources/logs/formats.js';
import { burstyLines } from '../helpers/bursty-traffic.js';
import { renderTextDocument } from '../helpers/internals.js';
import { runMain } from '../helpers/run-main.js';

const root = path.resolve(import.meta.dirname, '../..');
const log = path.join(root, 'fixtures/logs/couchdb.log');
const text = readFileSync(log, 'utf8');
const lines = text.split('\n').filter(Boolean);
const schema = JSON.parse(readFileSync(path.join(root, 'share/schemas/config.schema.json'), 'utf8'));

/** @type {string} */
let cwd;
beforeEach(() => {
  cwd = mkdtempSync(path.join(tmpdir(), 'couch-advisor-digest-'));
  writeFileSync(path.join(cwd, 'couch.log'), text);
  writeFileSync(path.join(cwd, 'package.json'), '{"name": "shop"}\n');
});
afterEach(() => rmSync(cwd, { recursive: true }));

/** @param {string} name */
const json = (name) => JSON.parse(readFileSync(path.join(cwd, name), 'utf8'));
/** @param {unknown} value */
const withoutExamples = (value) =>
  JSON.parse(JSON.stringify(value, (key, item) => (key === 'examples' ? undefined : item)));

const ajv = new Ajv2020({ strict: true, allErrors: true });
/** @type {any} */ (addFormats)(ajv);
const validate = ajv.compile(JSON.parse(readFileSync(path.join(root, 'share/schemas/digest.schema.json'), 'utf8')));
/** @param {unknown} value */
const schemaErrors = (value) => (validate(value) ? null : validate.errors);

test('prints a table, the costliest first', async () => {
  const { stdout, stderr, exitCode } = await runMain(['digest', 'couch.log'], { cwd });
  expect([stderr, exitCode]).toEqual(['', 0]);
  expect(stdout).toMatchInlineSnapshot(`
    "5 requests of 4 query patterns in 10 lines.
    read         couch.log as couchdb
    time         2026-11-21T02:45:00.000Z to 2026-11-21T02:46:20.111Z
    other lines  5, and 0 malformed

    All queries
      The costliest first, with their share of the time of all requests
         query
           time  calls  /min  peak   total     p50     p95     p99  rows  errors
      1  GET shop/_design/orders/_view/by_status?include_docs=true&key&limit
           58 %      1  0.75     1  340 ms  340 ms  340 ms  340 ms   ≤20       -
      2  POST shop/_find
           38 %      1  0.75     1  220 ms  220 ms  220 ms  220 ms    25       -
      3  GET shop/{document}
          2.1 %      1  0.75     1   12 ms   12 ms   12 ms   12 ms    ≤1       -
      4  PUT user-*/{document}
          1.7 %      2   1.5     2   10 ms    1 ms    9 ms    9 ms     -    50 %

      /min, peak: requests per minute, on average and in the busiest minute
      p50, p95, p99: percentiles of the response time
      rows: p95 of rows per response; ≤ where inferred from limit, keys or bytes
      errors: status 400 and above

    Example requests
      1. GET shop/_design/orders/_view/by_status?include_docs=true&key="…"&limit=20
         - couch.log:5
      2. POST shop/_find
         - couch.log:7
      3. GET shop/{document}
         - couch.log:2
      4. PUT user-*/{document}
         - couch.log:9

    Databases grouped by pattern
      - user-*: 2

    Index updates, by shard
      index                updates  total    p50    p95  longest
      shop _design/orders        1  2.5 s  2.5 s  2.5 s    2.5 s

    Query server failures
      - timeout: 1, at couch.log:8
    "
  `);
});

/** @returns {Parameters<typeof digestDocument>[0]} with figures that are as wide as any */
function wideDigest() {
  const latencyMs = { p50: 59_999, p95: 599_999, p99: 599_999, max: 599_999, mean: 59_999, total: 99_000_000 };
  const examples = Array.from({ length: 3 }, (_, line) => ({
    file: 'a'.repeat(30),
    line: line + 1,
    user: 'u'.repeat(30),
  }));
  return {
    from: '2026-11-21T02:45:00.000Z',
    to: '2026-11-21T02:46:20.111Z',
    lines: { read: 12_345_678, requests: 12_345_678, other: 12_345_678, malformed: 12_345_678 },
    shareOf: 'time',
    folded: true,
    coarseness: 1,
    shapes: Array.from({ length: 12 }, (_, at) => ({
      method: 'GET',
      database: 'shop',
      endpoint: '_view',
      designDoc: '_design/orders',
      view: 'by_status',
      parameters: ['include_docs=true', 'key', 'limit'],
      replication: at === 3,
      count: 12_345_678,
      statuses: { 200: 12_000_000, 500: 345_678 },
      bytes: 123_456,
      latencyMs,
      ratePerMinute: { mean: 12_345.6, peak: 123_456, peakMinutes: 1 },
      share: 0.0833,
      rows: { basis: /** @type {const} */ ('at-most'), p50: 100_000, p95: 1_000_000, max: 1_000_000 },
      examples,
    })),
    databases: [],
    indexBuilds: [{ database: 'shop', designDoc: '_design/orders', builds: 123_456, buildMs: latencyMs, first: null }],
    queryServers: [{ kind: 'timeout', count: 1_234_567, examples }],
    problems: [{ kind: 'other-format', count: 1_234_567, examples }],
  };
}

test('the text fits the terminal, and 80 columns where there is none', () => {
  const files = Array.from({ length: 9 }, (_, at) => ({ path: `logs/couchdb/couch.log.${at}`, format: 'couchdb' }));
  const render = (/** @type {Parameters<typeof renderTextDocument>[1]} */ look) =>
    renderTextDocument(digestDocument(wideDigest(), files), look);
  for (const width of [undefined, 80, 100, 72]) {
    const shown = render({ width }).split('\n');
    expect(shown.filter((line) => displayWidth(line) > (width ?? 80))).toEqual([]);
    expect(shown.filter((line) => line.includes('_view/by_status?include_docs=true&key&limit'))).toHaveLength(12 + 10);
  }
  expect(render({})).toContain('columns that do not fit: peak, p99, bytes; use --format json for all');
  const wide = render({ width: 300 });
  expect(wide).not.toContain('do not fit');
  expect(wide).toMatch(/^ +query .* p99 .* errors$/m);
  expect(wide).toMatch(/^ +1 {2}GET shop\/_design\/orders\/_view\/by_status/m);
  expect(render({ color: true }).split('\n')).toHaveLength(render({ color: false }).split('\n').length);
});

test('writes a digest that fits its schema, and prints the same with --format json', async () => {
  await runMain(['digest', 'couch.log', '--output', 'digest.json'], { cwd });
  const { stdout, exitCode } = await runMain(['digest', 'couch.log', '--format', 'json'], { cwd });
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toEqual(json('digest.json'));
  expect(schemaErrors(json('digest.json'))).toBeNull();
  expect(json('digest.json')).toMatchObject({
    version: 1,
    from: '2026-11-21T02:45:00.000Z',
    to: '2026-11-21T02:46:20.111Z',
    lines: { read: 10, requests: 5, other: 5, malformed: 0 },
  });
});

test('neither values nor users nor peers are kept', async () => {
  const { stdout } = await runMain(['digest', 'couch.log', '--format', 'json'], { cwd });
  for (const word of ['10.0.0.7', 'storefront', 'order', 'cart', 'shop.example']) {
    expect(stdout.replaceAll('_design/orders', '')).not.toContain(word);
  }
});

test('--keep-values shows them with the example lines', async () => {
  const { stdout } = await runMain(['digest', 'couch.log', '--keep-values'], { cwd });
  expect(stdout).toMatch(/GET \/shop\/order%3A17\n\s+- couch.log:2 \(user storefront, peer 10.0.0.7\)/);
});

test('--no-fold tells databases apart', async () => {
  const { stdout } = await runMain(['digest', 'couch.log', '--no-fold'], { cwd });
  expect(stdout).toContain('PUT user-1/{document}');
  expect(stdout).not.toContain('user-*');
});

test('--merge of digests of parts is the digest of the whole', async () => {
  writeFileSync(path.join(cwd, 'a.log'), lines.slice(0, 6).join('\n'));
  writeFileSync(path.join(cwd, 'b.log'), lines.slice(6).join('\n'));
  for (const [from, to] of [
    ['couch.log', 'whole.json'],
    ['a.log', 'a.json'],
    ['b.log', 'b.json'],
  ]) {
    await runMain(['digest', String(from), '--output', String(to)], { cwd });
  }
  const { exitCode, stderr } = await runMain(['digest', '--merge', 'b.json', 'a.json', '--output', 'merged.json'], {
    cwd,
  });
  expect([exitCode, stderr]).toEqual([0, '']);
  expect(withoutExamples(json('merged.json'))).toEqual(withoutExamples(json('whole.json')));
});

test('--partial maps lines to one line, and --merge - reduces such lines', async () => {
  const parts = [lines.slice(0, 3), [], lines.slice(3, 7), lines.slice(7)];
  let partials = '';
  for (const part of parts) {
    const { stdout, exitCode } = await runMain(['digest', '--partial'], { cwd, input: part.join('\n') });
    expect([exitCode, stdout.split('\n').length, stdout.includes('\t')]).toEqual([0, 2, false]);
    // Hadoop puts a tab behind keys without a value.
    partials += stdout.replace('\n', '\t\n');
  }
  const { stdout, exitCode } = await runMain(['digest', '--merge', '-', '--format', 'json'], { cwd, input: partials });
  expect(exitCode).toBe(0);
  const whole = await runMain(['digest', '-', '--format', 'json'], { cwd, input: text });
  expect(withoutExamples(JSON.parse(stdout))).toEqual(withoutExamples(JSON.parse(whole.stdout)));
});

test('parts with their numbers give the whole digest, with the lines of the whole log', async () => {
  const parts = [lines.slice(0, 6), lines.slice(6)];
  let partials = '';
  for (const [number, part] of parts.entries()) {
    const options = ['--stdin-filename', 'couch.log', '--part', String(number)];
    const { stdout } = await runMain(['digest', '--partial', ...options], { cwd, input: part.join('\n') });
    partials = stdout + partials;
  }
  // Once more as in a tree of reduce steps.
  const between = await runMain(['digest', '--merge', '-', '--partial'], { cwd, input: partials });
  const merged = await runMain(['digest', '--merge', '-', '--format', 'json'], { cwd, input: between.stdout });
  const whole = await runMain(['digest', 'couch.log', '--format', 'json'], { cwd });
  expect(merged.stdout).toBe(whole.stdout);
});

test('a partial digest fits the schema too', async () => {
  const { stdout } = await runMain(['digest', '--partial', '--part', '3'], { cwd, input: text });
  expect(JSON.parse(stdout).parts).toMatchObject([{ file: '<stdin>', part: 3, lines: 10 }]);
  expect(schemaErrors(JSON.parse(stdout))).toBeNull();
});

test('the table says as what each log was read, and what was no log', async () => {
  writeFileSync(path.join(cwd, 'notes.txt'), 'buy milk\n');
  writeFileSync(path.join(cwd, 'couch.log.1'), text);
  const { stdout } = await runMain(['digest', 'couch.log*', 'notes.txt'], { cwd });
  expect(stdout).toMatch(/^read +couch\.log, couch\.log\.1 as couchdb\nnot a log +notes\.txt$/m);
  const { stdout: none } = await runMain(['digest', 'notes.txt'], { cwd });
  expect(none).toContain('no requests: force a format with --log-format');
});

test('terminal escapes in paths are shown, not sent', async () => {
  const bad = String(lines[1]).replace('/shop/order%3A17', '/shop/_design/\u001b]0;x\u0007/_view/\u001b[2J');
  const { stdout } = await runMain(['digest', '-', '--keep-values'], { cwd, input: bad });
  expect(stdout).toContain('␛]0;x␇');
  expect(stdout).not.toMatch(/[\u001b\u0007]/);
});

test('lines that fit no format are counted and shown', async () => {
  const { stdout, exitCode } = await runMain(['digest', '-'], { cwd, input: `${text}oops\n${text}oops\n` });
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/10 requests of \d+ query patterns in 22 lines\.\n[\s\S]*other lines +10, and 2 malformed/);
  expect(stdout).toContain('lines not understood: 2, at <stdin>:11, <stdin>:22');
});

test.each([
  [['digest'], 2, 'no log file given'],
  [['digest', 'gone.log'], 3, 'gone.log does not exist'],
  [['digest', 'package.json'], 3, 'no line of package.json matches a known log format'],
  [['digest', 'couch.log', '--log-format', 'apache'], 2, 'invalid value `apache` for --log-format'],
  [['digest', '--partial', '--part', 'one'], 2, 'invalid --part: must be a whole number'],
  [['digest', '--partial', '--part', 'first-line'], 3, 'not a part number'],
  [['digest', '--merge', 'couch.log'], 3, 'it is not valid JSON'],
  [['digest', '--merge', 'gone.json'], 3, 'cannot read gone.json'],
  [['digest', 'couch.log', '--output', 'no/such/folder.json'], 3, 'cannot write no/such/folder.json'],
])('%j ends with %i and says why', async (argv, code, told) => {
  const { exitCode, stderr } = await runMain(argv, { cwd });
  expect(exitCode).toBe(code);
  expect(stderr).toContain(told);
});

test('the command line and the schema of the configuration know the formats', () => {
  const option = COMMANDS.find(({ name }) => name === 'digest')?.options.find(({ name }) => name === 'log-format');
  const names = [...LINE_FORMATS.map(({ name }) => name), 'har'].sort();
  expect(option?.choices?.toSorted()).toEqual(names);
  expect(schema.properties.logFormat.enum.toSorted()).toEqual(names);
});

const compareSchema = ajv.compile(
  JSON.parse(readFileSync(path.join(root, 'share/schemas/digest-compare.schema.json'), 'utf8')),
);

describe('--compare', () => {
  beforeEach(() => {
    writeFileSync(path.join(cwd, 'monday.log'), `${burstyLines('monday', { minutes: 60 }).join('\n')}\n`);
    const factors = { 1: { ms: 3 }, 0: { perMinute: 3 }, 2: { perMinute: 1e-9 } };
    const tuesday = burstyLines('tuesday', { minutes: 60, day: 1, factors }).join('\n');
    writeFileSync(path.join(cwd, 'tuesday.log.gz'), gzipSync(`${tuesday}\n`));
  });

  test('prints what changed, the costliest first, within 80 columns', async () => {
    const { stdout, stderr, exitCode } = await runMain(['digest', '--compare', 'monday.log', 'tuesday.log.gz'], {
      cwd,
    });
    expect([stderr, exitCode]).toEqual(['', 0]);
    expect(stdout).toMatch(/^old {13}monday\.log: [\d,]+ requests, 2026-03-02T08:/m);
    expect(stdout).toMatch(
      / {2}GET shop\/_design\/app\/_view\/totals\?group=true\n {4}slower: [\d.]+ times \([\s\S]*?; per day \+[\d.]+ h/,
    );
    expect(stdout).toContain('more frequent: ');
    expect(Math.max(...stdout.split('\n').map(displayWidth))).toBeLessThanOrEqual(80);
  });

  test('takes digests, partial ones too, and gives the same', async () => {
    const { stdout: expected } = await runMain(
      ['digest', '--compare', 'monday.log', 'tuesday.log.gz', '--format', 'json'],
      { cwd },
    );
    await runMain(['digest', 'monday.log', '--output', 'monday.json'], { cwd });
    const { stdout: partial } = await runMain(['digest', '--partial', 'tuesday.log.gz'], { cwd });
    writeFileSync(path.join(cwd, 'tuesday.part'), partial);
    const argv = ['digest', '--compare', 'monday.json', 'tuesday.part'];
    const { stdout, exitCode } = await runMain([...argv, '--format', 'json'], { cwd });
    expect(exitCode).toBe(0);
    await runMain([...argv, '--output', 'changes.json'], { cwd });
    const names = { old: { name: 'x' }, new: { name: 'x' } };
    const unnamed = (/** @type {string} */ printed) => {
      const value = JSON.parse(printed);
      return { ...value, old: { ...value.old, ...names.old }, new: { ...value.new, ...names.new } };
    };
    expect(unnamed(stdout)).toEqual(unnamed(expected));
    expect(readFileSync(path.join(cwd, 'changes.json'), 'utf8')).toBe(stdout);
    expect(compareSchema(JSON.parse(stdout)) ? null : compareSchema.errors).toBeNull();
  });

  test('Markdown keeps names as text, one row for each change', async () => {
    const log = readFileSync(path.join(cwd, 'monday.log'), 'utf8').replaceAll('by_status', '@team|<img>');
    writeFileSync(path.join(cwd, 'monday.log'), log);
    const argv = ['digest', '--compare', 'monday.log', 'tuesday.log.gz', '--format', 'markdown'];
    const { stdout, exitCode } = await runMain(argv, { cwd });
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^<!-- couch-advisor digest --compare -->\n## couch-advisor digest: what changed\n/);
    const rows = stdout.split('\n').filter((line) => line.startsWith('| <code>'));
    expect(rows.length).toBeGreaterThan(1);
    expect(rows.filter((row) => row.split('|').length !== 7)).toEqual([]);
    expect(stdout).toContain('@<!-- -->team&#124;&#60;img&#62;');
    expect(stdout).not.toContain('<img>');
  });

  test('of more than two it shows in how many each query is, and how its time moved', async () => {
    const given = ['monday.log', 'couch.log', 'tuesday.log.gz'];
    const { stdout, stderr, exitCode } = await runMain(['digest', '--compare', ...given, '--format', 'json'], { cwd });
    expect([stderr, exitCode]).toEqual(['', 0]);
    const json = JSON.parse(stdout);
    expect(compareSchema(json) ? null : compareSchema.errors).toBeNull();
    const two = await runMain(['digest', '--compare', 'monday.log', 'tuesday.log.gz', '--format', 'json'], { cwd });
    expect(json).toMatchObject(JSON.parse(two.stdout));
    expect(json.digests.map((/** @type {any} */ { name }) => name)).toEqual(given);
    for (const { found, count, counts, typicalMs } of json.queries) {
      expect(counts.filter((/** @type {number} */ one) => one > 0)).toHaveLength(found);
      expect(counts.reduce((/** @type {number} */ sum, /** @type {number} */ one) => sum + one, 0)).toBe(count);
      expect(typicalMs.map((/** @type {number | null} */ time) => time !== null)).toEqual(
        counts.map((/** @type {number} */ one) => one > 0),
      );
    }
    expect(new Set(json.queries.map((/** @type {any} */ { found }) => found)).size).toBeGreaterThan(1);
    const { stdout: shown } = await runMain(['digest', '--compare', ...given], { cwd });
    expect(shown).toMatch(/All queries\n[\s\S]*2 of 3/);
  });

  test.each([
    [['monday.log'], 2, 'needs at least two logs or digests'],
    [['monday.log', 'tuesday.log.gz', 'monday.log'], 2, 'monday.log is given twice'],
    [[], 2, 'not 0'],
    [['monday.log', './monday.log'], 2, 'needs different inputs'],
    [['-', '-'], 2, 'needs different inputs'],
    [['missing.log', 'monday.log'], 3, 'missing.log does not exist'],
    [['package.json', 'monday.log'], 3, 'package.json is neither a digest nor a log'],
    [['broken.json', 'monday.log'], 3, 'broken.json is not a couch-advisor digest'],
    [['empty.log', 'monday.log'], 2, 'empty.log holds no requests to compare'],
    [['--merge', 'monday.log', 'tuesday.log.gz'], 2, '--compare cannot be combined with --merge'],
    [['--partial', 'monday.log', 'tuesday.log.gz'], 2, '--compare cannot be combined with --partial'],
    [['--part', '3', 'monday.log', 'tuesday.log.gz'], 2, '--compare cannot be combined with --part'],
  ])('%j ends with exit code %i and says why', async (given, expected, message) => {
    writeFileSync(path.join(cwd, 'empty.log'), '');
    writeFileSync(path.join(cwd, 'broken.json'), '{"version": 1, "shapes": 7}');
    const { stdout, stderr, exitCode } = await runMain(['digest', '--compare', ...given], { cwd });
    expect([stdout, exitCode]).toEqual(['', expected]);
    expect(stderr).toContain(message);
    expect(stderr).toContain('hint: ');
  });
});

test('a digest without the newer counters is read, compared and merged', async () => {
  await runMain(['digest', 'couch.log', '--output', 'new.json'], { cwd });
  const old = JSON.parse(readFileSync(path.join(cwd, 'new.json'), 'utf8'));
  delete old.overTime;
  for (const { counters } of old.shapes) delete counters.steps;
  for (const { counters } of old.indexBuilds) delete counters.minutes;
  for (const tally of [...old.queryServers, ...old.problems]) delete tally.counters;
  writeFileSync(path.join(cwd, 'old.json'), JSON.stringify(old));
  for (const argv of [
    ['--merge', 'old.json', 'new.json'],
    ['--compare', 'old.json', 'new.json'],
  ]) {
    const { stderr, exitCode } = await runMain(['digest', ...argv], { cwd });
    expect([stderr, exitCode]).toEqual(['', 0]);
  }
});

describe('a part of a log', () => {
  const M = '2026-11-21T02:46';

  /** @param {string[]} argv @returns {Promise<any>} the digest of the log */
  const digestOf = async (...argv) => {
    const { stdout, stderr, exitCode } = await runMain(['digest', 'couch.log', '--format', 'json', ...argv], { cwd });
    expect([stderr, exitCode]).toEqual(['', 0]);
    return JSON.parse(stdout);
  };
  /** @param {any} digest @returns {Record<string, number>} requests by query */
  const countsOf = ({ shapes }) =>
    Object.fromEntries(
      shapes.map((/** @type {any} */ { method, database, endpoint, view, parameters, count }) => [
        [method, database, endpoint, view, parameters].join(' '),
        count,
      ]),
    );

  test('--begin and --end at one moment share all requests between them', async () => {
    const [all, before, after] = [await digestOf(), await digestOf('--end', M), await digestOf('--begin', M)];
    expect(before.lines.requests).toBeGreaterThan(0);
    expect(after.lines.requests).toBeGreaterThan(0);
    expect(before.lines.requests + after.lines.requests).toBe(all.lines.requests);
    expect(before.to < `${M}:00`).toBe(true);
    expect(after.from >= `${M}:00`).toBe(true);
    const sum = countsOf(before);
    for (const [query, count] of Object.entries(countsOf(after))) sum[query] = (sum[query] ?? 0) + count;
    expect(sum).toEqual(countsOf(all));
    expect(await digestOf('--end', '2026-11-21T03:46+01:00')).toEqual(before);
  });

  test('--exclude leaves out the queries that its globs match, and nothing else', async () => {
    const all = await digestOf();
    const left = await digestOf('--exclude', 'shop/_design/**', '--exclude', '_up');
    const kept = all.shapes.filter(
      (/** @type {any} */ { database, designDoc, endpoint }) =>
        !(database === 'shop' && designDoc) && endpoint !== '_up',
    );
    expect(kept.length).toBeLessThan(all.shapes.length);
    expect(countsOf(left)).toEqual(countsOf({ shapes: kept }));
    expect(left.lines.requests + left.lines.other).toBe(all.lines.requests + all.lines.other);
  });

  test('the report says what it is of', async () => {
    const { stdout } = await runMain(['digest', 'couch.log', '--begin', M, '--exclude', '_up'], { cwd });
    expect(stdout).toMatch(/^only {9}from 2026-11-21T02:46, without _up$/m);
  });

  test.each([
    [['couch.log', '--begin', 'yesterday'], 'invalid --begin "yesterday": must be a date or a time'],
    [['couch.log', '--begin', M, '--end', M], 'invalid --end: must be after --begin'],
    [['--merge', 'couch.json', '--exclude', '_up'], 'need logs: a digest no longer has the lines'],
  ])('%j is an error', async (argv, message) => {
    await runMain(['digest', 'couch.log', '--output', 'couch.json'], { cwd });
    const { stderr, exitCode } = await runMain(['digest', ...argv], { cwd });
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
  });
});
