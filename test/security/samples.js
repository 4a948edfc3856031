// Writes files as the program itself writes them, so that they can be damaged.

import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { keepVerdicts, VERDICTS_FILE } from '../../lib/cli/verdict-memory.js';
import { writeLine } from '../../lib/measure/experiments/results.js';
import { runMain } from '../helpers/run-main.js';

const SHOP = new URL('../../fixtures/projects/shop/', import.meta.url);

/**
 * @template T
 * @param {(cwd: string) => Promise<T>} work in a copy of the sample project
 * @returns {Promise<T>}
 */
async function inShop(work) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'couch-advisor-sample-'));
  try {
    cpSync(SHOP, folder, { recursive: true });
    mkdirSync(path.join(folder, '.git'));
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @returns {Promise<Buffer>} what `digest --output` writes */
export function digestSample() {
  return inShop(async (cwd) => {
    await runMain(['digest', 'logs/couch.log', '--output', 'digest.json'], { cwd });
    return readFileSync(path.join(cwd, 'digest.json'));
  });
}

/** @returns {Promise<Buffer>} what `lint --write-baseline` writes */
export function baselineSample() {
  return inShop(async (cwd) => {
    await runMain(['lint', '--write-baseline', 'baseline.json'], { cwd });
    return readFileSync(path.join(cwd, 'baseline.json'));
  });
}

/** @returns {Promise<Buffer>} what `confirm` keeps of its verdicts, about findings of the sample project */
export function verdictsSample() {
  return inShop(async (cwd) => {
    const { stdout } = await runMain(['lint', 'design-docs', '--no-config', '--format', 'json'], { cwd });
    const words = ['confirmed', 'refuted', 'no practical difference'];
    const kept = JSON.parse(stdout).findings.map((/** @type {{key: string}} */ { key }, /** @type {number} */ at) => ({
      key,
      content: '0123456789abcdef',
      version: '3.5.0',
      isPattern: at % 4 === 3,
      verdict: {
        word: words[at % 3],
        ratio: 9.41,
        interval: [8.2, 10.1],
        rounds: 12,
        server: 'CouchDB 3.5.0',
        counters: { reads: 3 },
        warnings: [],
        at: '2026-11-01T00:00:00.000Z',
      },
    }));
    keepVerdicts(cwd, kept);
    return readFileSync(path.join(cwd, VERDICTS_FILE));
  });
}

/** @returns {Promise<Buffer>} rounds as `confirm` keeps them */
export async function roundsSample() {
  const server = { name: 'CouchDB 3.5.0', kind: 'couchdb', version: '3.5.0', settings: {} };
  const arm = { id: 'as-is', about: 'as it is', buildMs: 120, ms: 4, sizes: {}, counters: {} };
  const lines = [
    {
      type: 'run',
      version: 1,
      at: '2026-11-01T00:00:00.000Z',
      seed: '1',
      connections: null,
      budgetMs: 1000,
      pairs: 6,
      environment: { server },
    },
    { type: 'start', experiment: 'view/emit-whole-doc', fingerprint: 'f1' },
    {
      type: 'sample',
      experiment: 'view/emit-whole-doc',
      arm: 'as-is',
      pair: 0,
      position: 0,
      ms: 4,
      isUsable: true,
      latencies: [4],
    },
    {
      type: 'result',
      experiment: 'view/emit-whole-doc',
      fingerprint: 'f1',
      documents: 1000,
      state: 'done',
      logRatios: [0.1],
      arms: [arm],
    },
  ];
  return Buffer.from(lines.map((line) => writeLine(/** @type {any} */ (line))).join(''));
}
