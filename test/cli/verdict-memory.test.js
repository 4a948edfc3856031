// What `confirm` found is shown by `lint`, is stale where something has changed, and silences what it refuted.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { keepVerdicts, VERDICTS_FILE } from '../../lib/cli/verdict-memory.js';
import { runMain } from '../helpers/run-main.js';
import { createProject } from '../helpers/temporary-project.js';

/** @import { Kept } from '../../lib/cli/verdict-memory.js' */

const MAP = 'function (doc) { emit(doc.date, doc); }';
const DDOC = { _id: '_design/orders', views: { by_date: { map: MAP } } };
const DAY_MS = 86_400_000;

/** @param {string} map */
function project(map = MAP) {
  const { cwd, write } = createProject({ 'orders.json': { ...DDOC, views: { by_date: { map } } } });
  const env = { XDG_CACHE_HOME: path.join(cwd, 'cache') };
  return {
    write,
    folder: path.join(cwd, 'cache/couch-advisor'),
    /** @param {string[]} args */
    lint: (...args) => runMain(['lint', 'orders.json', '--target', '3.5', ...args], { cwd, env }),
  };
}

/**
 * @param {Partial<Kept['verdict']>} [other]
 * @returns {Kept['verdict']}
 */
function verdict(other) {
  const at = new Date(Date.now() - 3.5 * DAY_MS).toISOString();
  const base = { word: 'confirmed', ratio: 9.41, rounds: 12, server: 'CouchDB 3.5.0', counters: {}, warnings: [], at };
  return { ...base, interval: [8.2, 10.1], ...other };
}

/**
 * @param {ReturnType<typeof project>} given
 * @param {Kept['verdict']} told
 */
async function keep({ lint, folder }, told, version = '3.5.0', isPattern = false) {
  const { stdout } = await lint('--format', 'json');
  const [{ key }] = JSON.parse(stdout).findings;
  const { contentOf } = await import('../../lib/cli/verdict-memory.js');
  const content = contentOf(/** @type {never} */ ({ kind: 'view', map: { text: { text: MAP } }, reduce: undefined }));
  keepVerdicts(folder, [{ key, content, version, isPattern, verdict: told }]);
}

describe('lint', () => {
  test('shows what was confirmed, offline', async () => {
    const given = project();
    await keep(given, verdict());
    const { stdout } = await given.lint();
    expect(stdout).toContain('measured: 9.4 times faster on CouchDB 3.5.0, 3 days ago\n');
    const { findings } = JSON.parse((await given.lint('--format', 'json')).stdout);
    expect(findings).toMatchObject([{ verdict: { word: 'confirmed', ratio: 9.41, ageDays: 3, rounds: 12 } }]);
    expect(findings[0].verdict).not.toHaveProperty('stale');
  });

  test('shows what was measured elsewhere as that, and never as a confirmation', async () => {
    const given = project();
    const assumed = [{ part: 'functions', text: 'generic functions with the same pattern' }];
    await keep(given, verdict({ word: 'refuted', ratio: 0.5, assumed }), '3.5.0', true);
    const { stdout } = await given.lint();
    expect(stdout).toContain('stores a copy of each document');
    expect(stdout).not.toContain('measured: ');
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      'pattern: measured elsewhere, refuted, 2 times slower on CouchDB 3.5.0, 3 days ago; assumed: functions',
    );
    const { findings } = JSON.parse((await given.lint('--format', 'json')).stdout);
    expect(findings[0]).toMatchObject({ pattern: { word: 'refuted' } });
    expect(findings[0]).not.toHaveProperty('verdict');
  });

  test('leaves out what was refuted, and says so', async () => {
    const given = project();
    await keep(given, verdict({ word: 'refuted', ratio: 0.8, interval: [0.7, 0.9] }));
    const { stdout, stderr, exitCode } = await given.lint('--verbose');
    expect(stdout).toContain('1 refuted by measurement');
    expect(stdout).not.toContain('stores a copy of each document');
    expect(stdout + stderr).toContain(
      'view/emit-whole-doc at line 5 was refuted by a measurement on CouchDB 3.5.0 3 days ago, 0.80 times as fast',
    );
    expect(exitCode).toBe(0);
  });

  test('says what has changed since, and shows the finding again', async () => {
    const given = project();
    await keep(given, verdict({ word: 'refuted', ratio: 0.8 }));
    given.write({ 'orders.json': { ...DDOC, views: { by_date: { map: MAP, reduce: '_count' } } } });
    const known = await given.lint();
    expect(known.stdout).toContain('1 refuted by measurement');
    given.write({ 'orders.json': { ...DDOC, views: { by_date: { map: MAP.replace('doc.date', 'doc.day') } } } });
    const changed = await given.lint();
    expect(changed.stdout).toContain('stores a copy of each document');
    expect(changed.stdout).toMatch(/\(the\s+functions\s+or\s+the\s+data\s+have\s+changed\s+since\)/);
    const other = await given.lint('--target', '3.3');
    expect(other.stdout).toMatch(/\(the\s+functions/);
  });

  test('says that another version is targeted than was measured', async () => {
    const given = project();
    await keep(given, verdict());
    const { stdout } = await given.lint('--target', '3.3');
    expect(stdout).toContain('measured: 9.4 times faster on CouchDB 3.5.0, 3 days ago (you target 3.3)\n');
  });

  test('believes a CouchDB before the embedded server, and mutes nothing for that one', async () => {
    const given = project();
    const server = 'embedded PouchDB 9.0.0 (memory)';
    await keep(given, verdict({ word: 'refuted', ratio: 0.8, server }), '9.0.0');
    const alone = await given.lint();
    expect(alone.stdout).toContain('stores a copy of each document');
    expect(alone.stdout).toMatch(/\(memory\),\s+3\s+days\s+ago\s+\(which\s+is\s+not\s+CouchDB\)/);
    await keep(given, verdict());
    await keep(given, verdict({ word: 'refuted', ratio: 0.8, server }), '9.0.0');
    const both = await given.lint();
    expect(both.stdout).toContain('measured: 9.4 times faster on CouchDB 3.5.0');
  });

  test.each([
    ['no JSON', '{'],
    ['the first version', '{"version": 1, "verdicts": [{}]}'],
    [
      'other things',
      '{"version": 2, "verdicts": [1, null, {"key": 5}, {"key": "a", "content": "b", "version": "3", "verdict": {}}]}',
    ],
  ])('takes a file with %s for none', async (_, text) => {
    const given = project();
    mkdirSync(given.folder, { recursive: true });
    writeFileSync(path.join(given.folder, VERDICTS_FILE), text);
    const { stdout, stderr } = await given.lint();
    expect(stdout).toContain('stores a copy of each document');
    expect(stderr).toBe('');
  });
});

test('only results are kept, the newest of each finding', async () => {
  const given = project();
  await keep(given, verdict());
  await keep(given, verdict({ word: 'no practical difference', ratio: 1.01 }));
  await keep(given, verdict({ word: 'inconclusive' }));
  const { verdicts } = JSON.parse(readFileSync(path.join(given.folder, VERDICTS_FILE), 'utf8'));
  expect(verdicts).toMatchObject([{ verdict: { word: 'no practical difference', ratio: 1.01 } }]);
});
