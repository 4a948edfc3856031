// The commands of docs/digest.md that run the program as map and reduce step: what they print equals the digest that one process
// makes, byte for byte. Spark is run where python3 has PySpark and there is Java; `SPARK_PYTHON` names another python3.

import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { generateBlocks } from '../bench/logs-generate.js';
import { readBlocks, readExamples } from '../helpers/markdown.js';
import { root } from '../helpers/run-cli.js';

const page = readFileSync(path.join(root, 'docs/digest.md'), 'utf8');
const python = process.env['SPARK_PYTHON'] ?? 'python3';
const NEEDS =
  'needs python3 with PySpark, and Java: pip install pyspark==3.5.6, apt-get install openjdk-17-jre-headless';

/** @type {string} */
let folder;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'couch-advisor-engines-'));
  writeFileSync(path.join(folder, 'couch.log'), hardLog());
  writeFileSync(
    path.join(folder, 'couch-advisor'),
    `#!/bin/sh\nexec "${process.execPath}" "${path.join(root, 'bin/couch-advisor.js')}" "$@"\n`,
    { mode: 0o755 },
  );
  copyFileSync(path.join(root, 'test/spark/digest_log.py'), path.join(folder, 'digest_log.py'));
  const { status } = run('couch-advisor digest couch.log --output whole.json');
  expect(status).toBe(0);
});
afterAll(() => rmSync(folder, { recursive: true }));

/**
 * @param {string} command of bash
 * @param {{bin?: string, env?: Record<string, string>}} [options] `bin`: where programs are looked for first
 */
function run(command, { bin = folder, env = {} } = {}) {
  return spawnSync('bash', ['-c', `set -o pipefail; ${command}`], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, SPARK_LOCAL_DIRS: folder, ...env, PATH: `${folder}:${bin}:${process.env['PATH']}` },
  });
}

/** @returns {Buffer} a log with all that makes cutting it hard: reports, builds, rubbish, clocks that go back */
function hardLog() {
  const lines = [...generateBlocks({ lines: 12_000 })].join('').trimEnd().split('\n');
  const head = (/** @type {number} */ at, /** @type {string} */ level) =>
    `[${level}] ${lines[at]?.slice(9, 36)} couchdb@127.0.0.1 <0.${at}.0>`;
  return Buffer.from(
    lines
      .flatMap((line, at) => {
        if (at % 500 === 7)
          return [`${head(at, 'info')} -------- Starting index update for db: shop idx: _design/a`, line];
        if (at % 500 === 300)
          return [line, `${head(at - 293, 'info')} -------- Index update finished for db: shop idx: _design/a`];
        if (at % 400 === 9) return ['\0\0', line, `broken\r`, '', line.slice(0, 90)];
        if (at % 3000 === 2500) return [line.replace('2026-11-21T', '2026-11-20T'), line];
        if (line.includes('/_find ') && at % 2 === 0) {
          const nonce = line.split(' ')[4];
          const counts = `results_returned=${at % 50} total_docs_examined=${at} execution_time_ms=1.5`;
          return [`${head(at, 'report')} ${nonce} [mango-stats dbname="shop" nonce="${nonce}" ${counts}]`, line];
        }
        return [line];
      })
      .join('\n'),
  );
}

/** @param {string} info */
const commandsOf = (info) =>
  readBlocks(page)
    .filter((block) => block.info === info)
    .flatMap(({ text }) => readExamples(text.replaceAll('\\\n', '')));

test('digests of two days merge to that of both', () => {
  const lines = hardLog().toString('latin1').split('\n');
  // Each line of a day is later than those of the day before.
  writeFileSync(path.join(folder, 'monday.log'), `${lines.slice(0, 5000).join('\n')}\n`, 'latin1');
  writeFileSync(path.join(folder, 'tuesday.log'), lines.slice(5000).join('\n'), 'latin1');
  for (const { command } of commandsOf('console merging')) {
    const { status, stdout, stderr } = run(command);
    expect([command, stderr, stdout, status]).toEqual([command, '', '', 0]);
  }
});

test('with streams of lines and a sort between them, as Hadoop does it', () => {
  for (const { command, output } of commandsOf('console streaming')) {
    const { status, stdout, stderr } = run(command);
    expect([command, stderr, stdout.trimEnd(), status]).toEqual([command, '', output, 0]);
  }
  expect(readFileSync(path.join(folder, 'digest.json'), 'utf8')).toBe(
    readFileSync(path.join(folder, 'whole.json'), 'utf8'),
  );
});

test('Hadoop adds a tab behind the lines that it sorts', () => {
  const map = 'couch-advisor digest --partial --stdin-filename couch.log --part 0 < couch.log';
  const { stdout } = run(`${map} | sed 's/$/\\t/' | couch-advisor digest --merge - --format json`);
  expect(stdout).toBe(readFileSync(path.join(folder, 'whole.json'), 'utf8'));
});

/**
 * Runs the two commands of an example of the page: Spark, and a comparison with what one process makes.
 * @param {string} info of the example
 */
function runOnSpark(info) {
  const [submit, compare] = commandsOf(info);
  const prefix = run(`${python} -c 'import sys; print(sys.prefix)'`).stdout.trim();
  const ended = run(submit?.command ?? '', { bin: path.join(prefix, 'bin'), env: { PYSPARK_PYTHON: python } });
  expect([ended.stdout.trimEnd(), ended.status], ended.stderr).toEqual([submit?.output, 0]);
  expect(run(compare?.command ?? '')).toMatchObject({ status: 0, stdout: '' });
  return JSON.parse(readFileSync(path.join(folder, 'digest.json'), 'utf8'));
}

/** @param {import('vitest').TestContext['skip']} skip */
function skipWithoutSpark(skip) {
  if (run(`${python} -c 'import pyspark' && java -version`).status === 0) return;
  process.stderr.write(`skipped: the digest on Spark, which ${NEEDS}\n`);
  skip(NEEDS);
}

test('on Spark, in a cluster of two workers', ({ skip }) => {
  skipWithoutSpark(skip);
  expect(runOnSpark('console spark')).toEqual(JSON.parse(readFileSync(path.join(folder, 'whole.json'), 'utf8')));
});

test('on Spark, a folder of logs: examples name the file and its line', ({ skip }) => {
  skipWithoutSpark(skip);
  const lines = hardLog().toString('latin1').split('\n');
  const days = [lines.slice(0, 5000), lines.slice(5000, 9000), lines.slice(9000)];
  mkdirSync(path.join(folder, 'logs'));
  // Not in the order of their names, one packed, and one that Hadoop hides.
  for (const [name, day] of /** @type {[string, string[] | undefined][]} */ ([
    ['node-2.log', days[0]],
    ['node 1.log', days[1]],
    ['node-3.log.gz', days[2]],
    ['_SUCCESS', []],
  ])) {
    const text = Buffer.from((day ?? []).map((line) => `${line}\n`).join(''), 'latin1');
    writeFileSync(path.join(folder, 'logs', name), name.endsWith('.gz') ? gzipSync(text) : text);
  }
  const { shapes } = runOnSpark('console spark-folder');
  const places = shapes.flatMap((/** @type {{examples: {file: string, line: number}[]}} */ { examples }) => examples);
  expect(places.length).toBeGreaterThan(5);
  for (const { file, line } of places) {
    const bytes = readFileSync(path.join(folder, file));
    const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1').split('\n')[line - 1];
    expect([file, line, text]).toEqual([file, line, expect.stringMatching(/^(\[report\]|\0*\[notice\]) 2026-/)]);
  }
});
