// `node test/bench/proofs.js`: measures what it costs to prove 500 distinct reduces with nothing kept, and to lint them again.
// README.md beside it says how to read the figures.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { REDUCERS } from '../proof/reducers/all.js';
import { peakMemory, timeRun } from './measure.js';
import { readOptions } from './read-options.js';

const WANTED = 500;
const MAX_SECONDS = 60;
const MAX_MEMORY = 300;

const HELP = `Measures what it costs to prove ${WANTED} distinct reduces with nothing kept, and to lint them again.

  node test/bench/proofs.js
`;
readOptions(HELP, {});

const bin = path.resolve(import.meta.dirname, '../../bin/couch-advisor.js');
const folder = mkdtempSync(path.join(tmpdir(), 'couch-advisor-bench-'));
process.env['XDG_CACHE_HOME'] = path.join(folder, 'cache');

/**
 * @param {number} count
 * @returns {Record<string, {map: string, reduce: string}>} views with reduces of which no two are the same text
 */
function distinctViews(count) {
  /** @type {Map<string, string>} */
  const maps = new Map();
  for (let round = 0; maps.size < count; round += 1) {
    for (const { map, reduce } of REDUCERS) {
      const renamed = round === 0 ? reduce : `${reduce.replace(/\bvalues\b/g, `values${round}`)}`;
      if (maps.size < count && !maps.has(renamed)) maps.set(renamed, map);
    }
  }
  return Object.fromEntries([...maps].map(([reduce, map], at) => [`view_${at}`, { map, reduce }]));
}

try {
  const document = { _id: '_design/reduces', views: distinctViews(WANTED) };
  writeFileSync(path.join(folder, 'reduces.json'), JSON.stringify(document, null, 1));
  const command = { args: [bin, 'lint', 'reduces.json'], cwd: folder, exitCodes: [0, 1] };
  const clear = () => rmSync(path.join(folder, 'cache'), { recursive: true, force: true });

  const cold = timeRun(command) / 1000;
  const warm = timeRun(command) / 1000;
  clear();
  const memory = peakMemory(command);
  /** @param {string} name @param {string} value @param {string} wanted */
  const line = (name, value, wanted) => process.stdout.write(`${name.padEnd(16)}${value.padStart(10)}   ${wanted}\n`);
  line('', '', `Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model ?? 'unknown processor'}`);
  line('cold, s', cold.toFixed(1), `wanted: at most ${MAX_SECONDS}  ${cold <= MAX_SECONDS ? 'met' : 'MISSED'}`);
  line('warm, s', warm.toFixed(2), '');
  line('warm / cold', (warm / cold).toFixed(3), '');
  line('peak, MiB', memory.toFixed(0), `wanted: at most ${MAX_MEMORY}  ${memory <= MAX_MEMORY ? 'met' : 'MISSED'}`);
} finally {
  rmSync(folder, { recursive: true });
}
