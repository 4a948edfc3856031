// However a run on the embedded server ends, its rounds are kept and no process is left behind.

import { readFileSync } from 'node:fs';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { startCli } from '../helpers/run-cli.js';
import { createProject } from '../helpers/temporary-project.js';

const map = "function (doc) {\n  if (doc.type === 'order') emit(doc.date, doc);\n}";
const copying = { 'orders.json': { _id: '_design/orders', language: 'javascript', views: { by_date: { map } } } };

/** @param {() => boolean} isSo @returns {Promise<void>} */
async function waitUntil(isSo) {
  for (let turn = 0; turn < 600; turn += 1) {
    try {
      if (isSo()) return;
    } catch {
      // A file is not there yet.
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('it never came');
}

/** @param {number} pid @returns {number[]} processes that it started */
function childrenOf(pid) {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return text === '' ? [] : text.split(' ').map(Number);
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    // A process that ended and was not waited for is `Z`.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

describe.skipIf(process.platform !== 'linux')('a run that is ended', () => {
  test.each(
    /** @type {const} */ ([
      ['SIGINT', 3, 'the run was interrupted; its databases were dropped'],
      ['SIGTERM', 3, 'the run was interrupted; its databases were dropped'],
      ['SIGKILL', null, ''],
    ]),
  )('by %s leaves its rounds and no process', async (signal, code, told) => {
    const { cwd, read } = createProject(copying);
    const args = ['confirm', '--max-docs', '100', '--budget', '30', '--journal', 'rounds.jsonl'];
    const { child, ended } = startCli(args, { cwd });
    await waitUntil(() => read('rounds.jsonl').includes('"sample"'));
    const servers = childrenOf(child.pid ?? 0);
    expect(servers).toHaveLength(1);
    child.kill(signal);
    const { stderr, exitCode } = await ended;
    expect(exitCode).toBe(code);
    expect(stderr).toContain(told);
    expect(
      read('rounds.jsonl')
        .split('\n')
        .filter((line) => line.includes('"sample"')).length,
    ).toBeGreaterThan(0);
    await waitUntil(() => servers.every((pid) => !isRunning(pid)));
  });
});
