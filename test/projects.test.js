// Whole small projects through the program as people run it. The expected output stands beside each project's folder;
// UPDATE_GOLDEN=1 writes it anew, and the difference is then read like any change of behaviour.

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { root, runCli, transcribe } from './helpers/run-cli.js';
import { runMain } from './helpers/run-main.js';

const folder = path.join(root, 'fixtures/projects');
const entries = readdirSync(folder, { withFileTypes: true });
const projects = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);

/**
 * @param {string} name of a golden file
 * @param {string} actual
 */
function compare(name, actual) {
  const file = path.join(folder, name);
  if (process.env['UPDATE_GOLDEN']) writeFileSync(file, actual);
  expect(existsSync(file), `${name} is missing: run with UPDATE_GOLDEN=1 and read what it writes`).toBe(true);
  expect(actual).toBe(readFileSync(file, 'utf8'));
}

/**
 * @param {string} project
 * @returns {Promise<{findings: {rule: string, place: {file: string}}[], errors: {code: string, message: string, place?: {file: string}}[], read: Record<string, number>}>}
 */
async function lintAsJson(project) {
  return JSON.parse((await runMain(['lint', '--format', 'json'], { cwd: path.join(folder, project) })).stdout);
}

describe.each(projects)('%s', (project) => {
  const cwd = path.join(folder, project);

  test('gives the expected text', () => {
    const args = ['lint'];
    compare(`${project}.expected.txt`, transcribe(args, runCli(args, { cwd })));
  });

  test('gives the expected JSON', async () => {
    const { stdout } = await runMain(['lint', '--format', 'json'], { cwd });
    expect(() => JSON.parse(stdout)).not.toThrow();
    compare(`${project}.expected.json`, stdout);
  });
});

describe('shop', () => {
  test('is judged as bad', async () => {
    const { findings, errors } = await lintAsJson('shop');
    expect(findings.length).toBeGreaterThan(10);
    expect(errors).toEqual([]);
    expect((await runMain(['lint'], { cwd: path.join(folder, 'shop') })).exitCode).toBe(1);
  });
});

describe('quiet', () => {
  test('gives no finding at all, and is read as a whole', async () => {
    const { findings, errors, read } = await lintAsJson('quiet');
    expect(findings).toEqual([]);
    expect(errors).toEqual([]);
    // Two couchapps, six JSON documents, two modules, two dumps with one each.
    expect(read['designDocs']).toBe(12);
  });
});

/**
 * @param {{code: string, place?: {file: string, line: number, column: number}}} error
 * @returns {string}
 */
function describeError({ code, place }) {
  return `${place?.file} ${code} ${place?.line}:${place?.column}`;
}

describe('broken', async () => {
  const cwd = path.join(folder, 'broken');
  const { findings, errors } = await lintAsJson('broken');
  const { exitCode, stdout } = await runMain(['lint'], { cwd });

  test('ends with 3, and with no stack', () => {
    expect(exitCode).toBe(3);
    expect(stdout).not.toMatch(/^\s+at .*:\d+:\d+\)?$/m);
  });

  test.each([
    ['design-docs/truncated.json', ['truncated-json 5:33']],
    ['design-docs/binary.json', ['binary-file 1:1']],
    ['design-docs/empty.json', ['empty-json 1:1']],
    ['design-docs/deep.json', ['too-deep-json 1:533']],
    ['design-docs/duplicate-keys.json', ['duplicate-key 5:5']],
    ['exports/backup.jsonl', ['truncated-json 2:48']],
    ['modules/does-not-parse.js', ['invalid-javascript 6:2']],
    ['couchdb/local.ini', ['ini-outside-section 2:1', 'ini-section 4:1', 'ini-line 8:1']],
    ['indexes/fields-missing.json', ['no-design-documents 1:1']],
    ['couchapps/no-id', ['no-design-documents 1:1']],
  ])('says what is wrong with %s where it is named, and judges the rest', async (file, expected) => {
    const ended = await runMain(['lint', '--format', 'json', file, 'sound.json'], { cwd });
    expect(ended.exitCode).toBe(3);
    const report = JSON.parse(ended.stdout);
    expect(report.errors.map(describeError)).toEqual(expected.map((error) => `${file} ${error}`));
    expect(report.read.designDocs).toBeGreaterThan(0);
  });

  test('says what is wrong with the files that are found', () => {
    const files = new Set(errors.map(({ place }) => place?.file));
    expect([...files].sort()).toEqual([
      'design-docs/deep.json',
      'design-docs/duplicate-keys.json',
      'design-docs/truncated.json',
      'exports/backup.jsonl',
    ]);
  });

  test.each([
    'design-docs/byte-order-mark.json',
    'design-docs/views-not-object.json',
    'design-docs/view-not-object.json',
    'design-docs/map-does-not-parse.json',
    'design-docs/names.json',
    'design-docs/control-characters.json',
    'exports/backup.jsonl',
  ])('still judges %s', (file) => {
    expect(findings.filter(({ place }) => place.file === file)).not.toEqual([]);
  });

  test('lets no control character of the input out', () => {
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  });
});

// Last: with UPDATE_GOLDEN the tests above write the files.
test('every golden file belongs to a project', () => {
  const golden = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name);
  expect(golden.sort()).toEqual(
    projects.flatMap((project) => [`${project}.expected.json`, `${project}.expected.txt`]).sort(),
  );
});
