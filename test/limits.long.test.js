// Each function is linted by a process whose heap may grow by 300 MiB and no more: V8 ends one that needs more.

import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LARGE_BODIES, LARGE_REDUCES } from './helpers/large-functions.js';

/** The heap of a run without functions is below 60 MB. */
const HEAP_MIB = 360;

/** @type {string} */
let folder;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'couch-advisor-limits-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/**
 * @param {Record<string, unknown>} document
 * @returns {Promise<number>} the exit code
 */
async function lint(document) {
  const file = join(folder, 'orders.json');
  await writeFile(file, JSON.stringify({ _id: '_design/orders', ...document }));
  const arguments_ = [`--max-old-space-size=${HEAP_MIB}`, 'bin/couch-advisor.js', 'lint', file, '--no-cache'];
  return promisify(execFile)(process.execPath, arguments_, { maxBuffer: 1e9 }).then(
    () => 0,
    ({ code }) => code,
  );
}

test.each(Object.entries(LARGE_BODIES))('a map, a filter and a validation function: %s', async (_, body) => {
  const map = `function (doc) { ${body} }`;
  const other = map.replace('{', '{ function emit() {}');
  expect([0, 1]).toContain(await lint({ views: { v: { map } } }));
  expect([0, 1]).toContain(await lint({ filters: { all: other }, validate_doc_update: other }));
});

test.each(Object.entries(LARGE_REDUCES))('a reduce: %s', async (_, body) => {
  const view = { map: 'function (doc) { emit(doc._id, doc.n); }', reduce: `function (keys, values) { ${body} }` };
  expect([0, 1]).toContain(await lint({ views: { v: view } }));
});
