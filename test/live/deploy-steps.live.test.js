// The commands that `ci` writes out, run as they stand against a real CouchDB: the index is there before anybody asks it.

import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deploySteps } from '../../lib/cli/ci/deploy-steps.js';
import { findIndexBuilds } from '../../lib/cli/ci/index-builds.js';
import { COUCHDB_URL, ScratchDatabase } from '../helpers/couchdb.js';
import { temporaryFolder } from '../helpers/git-project.js';
import { readJson } from '../helpers/internals.js';
import { SourceFile } from '../helpers/read-source.js';

const hasTools = ['curl', 'jq'].every((tool) => spawnSync(tool, ['--version']).status === 0);

describe.skipIf(!COUCHDB_URL || !hasTools)('a deploy by the commands', { timeout: 60_000 }, () => {
  const database = new ScratchDatabase(COUCHDB_URL ?? 'http://localhost');
  beforeAll(async () => {
    await database.create();
    await database.ask('POST', '/_bulk_docs', { docs: Array.from({ length: 50 }, (_, n) => ({ _id: `o${n}`, n })) });
  });
  afterAll(async () => {
    await database.drop();
  });

  const NAME = "orders' & stock/€";
  const id = `_design/${NAME}`;
  const url = `/_design/${encodeURIComponent(NAME)}`;
  const before = { _id: id, views: { 'by n?': { map: 'function (doc) { emit(doc.n); }' } } };
  const after = { _id: id, views: { 'by n?': { map: 'function (doc) { emit(-doc.n); }' } } };
  const read = async (/** @type {object} */ document) =>
    (await readJson(new SourceFile("our orders'.json", JSON.stringify(document)), { isDiscovered: false })).records;

  test('the deploy steps leave the new version under the old name, with its index, and nothing of the old one', async () => {
    const { _id, ...body } = before;
    expect((await database.ask('PUT', url, body)).status).toBe(201);
    await database.ask('GET', `${url}/_view/by%20n%3F`);
    const prices = findIndexBuilds(await read(before), await read(after), { documents: undefined, rate: undefined });
    expect((await database.ask('GET', `${url}/_info`)).answer.view_index.signature).toBe(prices[0]?.signatureBefore);

    const folder = temporaryFolder();
    writeFileSync(path.join(folder, "our orders'.json"), JSON.stringify({ ...after, _rev: '7-old' }));
    const script = `set -euo pipefail\n${deploySteps(prices, database.name).join('\n')}\n`;
    const env = { ...process.env, COUCHDB_URL: (COUCHDB_URL ?? '').replace(/\/$/, '') };
    const { stdout, stderr, status } = spawnSync('bash', ['-c', script], { cwd: folder, env, encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('"key":-49');

    const info = (await database.ask('GET', `${url}/_info`)).answer.view_index;
    expect(info.signature).toBe(prices[0]?.signature);
    // Built while it had the other name: its file is as large as 50 rows make it.
    expect(info.sizes.active).toBeGreaterThan(1000);
    expect((await database.ask('GET', `${url}/_view/by%20n%3F?update=false&limit=0`)).answer.total_rows).toBe(50);
    const { rows } = (await database.ask('GET', '/_design_docs')).answer;
    expect(rows.map((/** @type {{id: string}} */ row) => row.id)).toEqual([id]);
  });
});
