// `node test/bench/storage-model.js`: seconds and memory of `predict` for a million documents, each kind of ids in a process of its own.
// `--growth`: the formula for more documents, fitted on 300,000 and checked at a million. `--documents N` for other numbers.

import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { firstDocuments } from '../../lib/storage-model/other-ids.js';
import { checkpointsFor, extrapolate, fitGrowth } from '../../lib/storage-model/predict.js';
import { replay } from '../../lib/storage-model/replay.js';
import { root } from '../helpers/run-cli.js';
import { columnsOf, scoreDocuments } from '../helpers/storage-model.js';
import { readNumber, readOptions } from './read-options.js';

/** @import { IdOrder } from '../helpers/storage-model.js' */

/** What the project promises. */
const MAX_SECONDS = 20;
const MAX_MEGABYTES = 500;
const FITTED = 0.3;

const HELP = `Measures couch-advisor predict on loads that it writes, each kind of ids in a process of its own.

  node test/bench/storage-model.js [options]

  --documents N  of each load (1000000)
  --growth       instead: how well the formula for more documents does
`;

const { values } = readOptions(HELP, {
  documents: { type: 'string', default: '1000000' },
  growth: { type: 'boolean', default: false },
});
const count = Math.max(1000, readNumber('--documents', values.documents, HELP));
/** @type {IdOrder[]} */
const orders = ['random', 'time-ordered', 'sequential'];
if (values.growth) checkGrowth();
else measureSpeed();

function measureSpeed() {
  const folder = mkdtempSync(path.join(tmpdir(), 'couch-advisor-bench-'));
  try {
    for (const ids of orders) {
      const file = path.join(folder, `${ids}.jsonl`);
      const peak = path.join(folder, 'peak');
      writeLoad(file, ids);
      const start = performance.now();
      const { status } = spawnSync(
        process.execPath,
        [
          '--import',
          path.join(import.meta.dirname, 'record-peak-memory.js'),
          path.join(root, 'bin/couch-advisor.js'),
          'predict',
          file,
          '--batch',
          '1000',
        ],
        { encoding: 'utf8', env: { ...process.env, PEAK_MEMORY_FILE: peak } },
      );
      const seconds = (performance.now() - start) / 1000;
      const megabytes = Math.round(Number(readFileSync(peak, 'utf8')) / 1000);
      console.log(
        `${ids}: ${count} documents in ${seconds.toFixed(1)} s (at most ${MAX_SECONDS}), ${megabytes} MB (at most ${MAX_MEGABYTES}), exit ${status}`,
      );
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {string} file
 * @param {IdOrder} ids
 */
function writeLoad(file, ids) {
  const output = openSync(file, 'w');
  let text = '';
  for (const { json } of scoreDocuments(ids, count)) {
    text += `${json}\n`;
    if (text.length < 1 << 20) continue;
    writeSync(output, text);
    text = '';
  }
  writeSync(output, text);
  closeSync(output);
}

function checkGrowth() {
  const fitted = Math.round(count * FITTED);
  for (const ids of orders) {
    const load = columnsOf(scoreDocuments(ids, count));
    for (const batch of [1, 10, 100, 1000, 10_000]) {
      const { curve } = replay(firstDocuments(load, fitted), { shards: 2, batch, checkpoints: checkpointsFor(fitted) });
      const growth = fitGrowth(curve);
      const whole = replay(load, { shards: 2, batch }).loaded.file;
      const error = growth ? `${((extrapolate(growth, count) / whole - 1) * 100).toFixed(1)} %` : 'too few requests';
      console.log(`${ids}, ${batch} a request, fitted on ${fitted}, checked at ${count}: ${error}`);
    }
  }
}
