// `node test/bench/wrapped-logs.js`: measures the processor time of `couch-advisor digest` on a log in each wrapper, as a ratio against the bare log.
// README.md beside it says how to read the figures.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { WRAPPERS } from '../helpers/wrap-log.js';
import { writeLog } from './logs-generate.js';
import { figures, interleave, processorTime } from './measure.js';
import { readNumber, readOptions } from './read-options.js';
import { unpackProgram } from './unpack-program.js';

/** What the project promises. */
const MAX_AGAINST_BARE = 1.3;

const HELP = `Measures the processor time of couch-advisor digest on wrapped logs, against the bare log.

  node test/bench/wrapped-logs.js [options]

  --lines N    of the log (300000)
  --rounds N   of each wrapper (5)
  --seed N     another one gives another log (1)
`;

const { values } = readOptions(HELP, {
  lines: { type: 'string', default: '300000' },
  rounds: { type: 'string', default: '5' },
  seed: { type: 'string', default: '1' },
});
const folder = mkdtempSync(path.join(tmpdir(), 'couch-advisor-bench-wrapped-'));
// The first run, which does not count, keeps the compiled code of the program there.
process.env['XDG_CACHE_HOME'] = path.join(folder, 'cache');
try {
  measure(unpackProgram(folder));
} finally {
  rmSync(folder, { recursive: true });
}

/** @param {string} bin */
function measure(bin) {
  const bare = path.join(folder, 'bare');
  writeLog(bare, { lines: readNumber('--lines', values.lines, HELP), seed: readNumber('--seed', values.seed, HELP) });
  const text = readFileSync(bare, 'latin1');
  /** @type {Record<string, () => number>} */
  const runs = { bare: () => timeOf(bin, bare) };
  for (const [name, wrap] of Object.entries(WRAPPERS)) {
    if (name.includes(',')) continue;
    const file = path.join(folder, name.replace(/\W+/g, '-'));
    writeFileSync(file, wrap(text), 'latin1');
    runs[name] = () => timeOf(bin, file);
  }
  const times = interleave(runs, readNumber('--rounds', values.rounds, HELP));
  const base = figures(times['bare'] ?? []).median;
  for (const [name, list] of Object.entries(times)) {
    const { min, median, max } = figures(list);
    const ratio = median / base;
    const missed = ratio > MAX_AGAINST_BARE ? '  MISSED' : '';
    process.stdout.write(
      `${name.padEnd(28)} median ${median.toFixed(0)} ms, min ${min.toFixed(0)}, max ${max.toFixed(0)}; against bare ${ratio.toFixed(2)} (wanted: at most ${MAX_AGAINST_BARE})${missed}\n`,
    );
  }
}

/**
 * @param {string} bin
 * @param {string} file
 * @returns {number} milliseconds of all threads
 */
function timeOf(bin, file) {
  const args = [bin, 'digest', file, '--threads', '1', '--output', path.join(folder, 'digest.json')];
  return processorTime({ args, cwd: folder, exitCodes: [0] }).all;
}
