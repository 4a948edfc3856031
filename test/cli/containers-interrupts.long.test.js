// However a run in a container ends, the container is removed, or can be: by `--clean` and by the next run.

import { mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createContainerStandIn, endContainers, removeStandIn } from '../helpers/container-stand-in.js';
import { startCli } from '../helpers/run-cli.js';
import { createProject } from '../helpers/temporary-project.js';

const map = "function (doc) {\n  if (doc.type === 'order') emit(doc.date, doc);\n}";
const copying = { 'orders.json': { _id: '_design/orders', language: 'javascript', views: { by_date: { map } } } };
const ARGS = ['confirm', '--docker', '--max-docs', '100', '--budget', '30', '--journal', 'rounds.jsonl', 'orders.json'];

/** @param {() => boolean} isSo @returns {Promise<void>} */
async function waitUntil(isSo) {
  for (let turn = 0; turn < 1200; turn += 1) {
    try {
      if (isSo()) return;
    } catch {
      // A file is not there yet.
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('it never came');
}

function prepare() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'couch-advisor-containers-'));
  const standIn = createContainerStandIn(folder);
  onTestFinished(() => {
    endContainers(standIn);
    removeStandIn(folder);
  });
  const { cwd, read } = createProject(copying);
  const env = { PATH: standIn.env['PATH'] ?? '', HOME: folder };
  return { standIn, read, start: (/** @type {string[]} */ ...args) => startCli(args, { cwd, env }) };
}

describe.skipIf(process.platform === 'win32')('a run in a container', () => {
  test.each(/** @type {const} */ (['SIGINT', 'SIGTERM']))(
    'that %s ends while it measures leaves none',
    async (signal) => {
      const { standIn, read, start } = prepare();
      const { child, ended } = start(...ARGS);
      await waitUntil(() => read('rounds.jsonl').includes('"sample"'));
      expect(standIn.containers()).toHaveLength(1);
      child.kill(signal);
      const { stderr, exitCode } = await ended;
      expect([exitCode, stderr]).toEqual([
        3,
        expect.stringContaining('the run was interrupted; its databases were dropped'),
      ]);
      expect(standIn.containers()).toEqual([]);
    },
  );

  test('that is interrupted while it starts leaves none', async () => {
    const { standIn, start } = prepare();
    standIn.set({ serves: 'silent' });
    const { child, ended } = start(...ARGS);
    await waitUntil(() => standIn.containers().length === 1);
    child.kill('SIGINT');
    const { stderr, exitCode } = await ended;
    expect([exitCode, stderr]).toEqual([3, 'error: the run was interrupted; its container was removed\n']);
    expect(standIn.containers()).toEqual([]);
  });

  test('that is interrupted on the first of two images does not begin with the second', async () => {
    const { standIn, read, start } = prepare();
    const { child, ended } = start(
      ...ARGS.map((word) => (word === '--docker' ? '--docker=couchdb:3.3,couchdb:3.5' : word)),
    );
    await waitUntil(() => read('rounds.jsonl').includes('"sample"'));
    child.kill('SIGINT');
    const { stdout, stderr } = await ended;
    expect(stderr).toContain('error: the run was interrupted before couchdb:3.5');
    expect(stdout).toContain('couchdb:3.5  not measured');
    expect(standIn.calls().filter(({ args }) => args[0] === 'run')).toHaveLength(1);
    expect(standIn.containers()).toEqual([]);
  });

  test('whose server ends meanwhile says so, with its log', async () => {
    const { standIn, read, start } = prepare();
    const { ended } = start(...ARGS);
    await waitUntil(() => read('rounds.jsonl').includes('"sample"'));
    for (const { pid } of standIn.containers()) process.kill(pid, 'SIGTERM');
    const { stderr, exitCode } = await ended;
    expect(stderr).toContain(
      'couchdb:3.5 ended before the run did\nthe last lines of couchdb:3.5:\n  [info] Apache CouchDB has started.\n',
    );
    expect(exitCode).toBe(3);
    expect(standIn.containers()).toEqual([]);
  });

  test('that is killed leaves one with its labels, which --clean removes', async () => {
    const { standIn, read, start } = prepare();
    const { child, ended } = start(...ARGS);
    await waitUntil(() => read('rounds.jsonl').includes('"sample"'));
    child.kill('SIGKILL');
    await ended;
    expect(standIn.containers()).toMatchObject([
      { labels: { 'couch-advisor.host': os.hostname(), 'couch-advisor.pid': String(child.pid) } },
    ]);
    expect((await start('confirm', '--clean', '--docker').ended).stdout).toBe('removed 1 container\n');
    expect(standIn.containers()).toEqual([]);
  });
});
