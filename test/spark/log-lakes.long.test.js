// The commands of docs/log-lakes.md: the same traffic gives the same digest, byte for byte, whichever way it comes. DuckDB is run where test/tools/install-tools.sh
// installed it.

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readBlocks } from '../helpers/markdown.js';
import { root } from '../helpers/run-cli.js';
import { findTool } from '../helpers/tools.js';
import { WRAPPERS } from '../helpers/wrap-log.js';

const page = readFileSync(path.join(root, 'docs/log-lakes.md'), 'utf8');
const log = readFileSync(path.join(root, 'fixtures/projects/shop/logs/couch.log'), 'utf8');
const duckdb = findTool('duckdb');

/** @type {string} */
let folder;
/** @type {string} */
let whole;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'couch-advisor-lakes-'));
  writeFileSync(path.join(folder, 'couch.log'), log);
  writeFileSync(
    path.join(folder, 'couch-advisor'),
    `#!/bin/sh\nexec "${process.execPath}" "${path.join(root, 'bin/couch-advisor.js')}" "$@"\n`,
    { mode: 0o755 },
  );
  whole = run('couch-advisor digest couch.log --format json').stdout;
  expect(JSON.parse(whole).lines.requests).toBe(430);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** @param {string} command of bash */
function run(command) {
  const env = { ...process.env, PATH: `${folder}:${path.dirname(duckdb ?? '')}:${process.env['PATH']}` };
  return spawnSync('bash', ['-c', `set -o pipefail; ${command}`], { cwd: folder, encoding: 'utf8', env });
}

/** Rows with the line, and columns that nobody asked for; folders by hour, as a collector writes them. */
function makeLake() {
  const rows = log
    .split('\n')
    .slice(0, -1)
    .map((message, at) => ({ number: at, message, container: 'couchdb', part: at < 200 ? 0 : 1 }));
  mkdirSync(path.join(folder, 'json'), { recursive: true });
  writeFileSync(path.join(folder, 'rows.jsonl'), rows.map((row) => JSON.stringify(row)).join('\n'));
  writeFileSync(path.join(folder, 'json/rows.json'), JSON.stringify(rows));
  for (const part of [0, 1]) {
    mkdirSync(path.join(folder, `lake/hour=${part}`), { recursive: true });
    const sql = `COPY (SELECT * FROM read_json('rows.jsonl') WHERE part = ${part} ORDER BY number) TO 'lake/hour=${part}/a.parquet'`;
    expect(run(`duckdb -c "${sql}"`)).toMatchObject({ status: 0, stderr: '' });
  }
}

test.runIf(duckdb)('by DuckDB: Parquet, JSON, and part by part', () => {
  makeLake();
  for (const name of ['duckdb', 'duckdb-json', 'duckdb-parts']) {
    const block = readBlocks(page).find(({ info }) => info === `console ${name}`);
    const { status, stderr } = run((block?.text ?? 'false').replace(/^\$ /gm, ''));
    expect([status, stderr], name).toEqual([0, '']);
    expect(readFileSync(path.join(folder, 'digest.json'), 'utf8'), name).toBe(whole);
    rmSync(path.join(folder, 'digest.json'));
  }
});

test('by every other way: compressed, wrapped, on standard input, in parts', () => {
  writeFileSync(path.join(folder, 'docker.log'), WRAPPERS['docker json-file']?.(log) ?? '');
  writeFileSync(path.join(folder, 'loki.jsonl.gz'), gzipSync(WRAPPERS['JSON (line)']?.(log) ?? ''));
  const lines = log.split(/(?<=\n)/);
  writeFileSync(path.join(folder, 'part.0'), lines.slice(0, 150).join(''));
  writeFileSync(path.join(folder, 'part.1'), lines.slice(150).join(''));
  const named = '--stdin-filename couch.log';
  const partial = (/** @type {number} */ part) =>
    `couch-advisor digest --partial ${named} --part ${part} < part.${part}`;
  for (const lineSource of [
    `cat couch.log | couch-advisor digest - ${named}`,
    `cat docker.log | couch-advisor digest - ${named}`,
    `gunzip -c loki.jsonl.gz | couch-advisor digest - ${named}`,
    `(${partial(1)}; ${partial(0)}) | couch-advisor digest --merge -`,
  ]) {
    expect(run(`${lineSource} --format json`).stdout, lineSource).toBe(whole);
  }
});
