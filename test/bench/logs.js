// `node test/bench/logs.js`: measures the speed and memory of `couch-advisor digest` on a log of 2 million lines, as
// ratios against mawk, and against GoAccess where it is installed. README.md beside it says how to read the figures.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { writeLog } from './logs-generate.js';
import { figures, interleave, peakMemory, timeRun } from './measure.js';
import { readNumber, readOptions } from './read-options.js';
import { unpackProgram } from './unpack-program.js';

/** What the project promises. */
const MAX_AGAINST_MAWK = 2.5;
const MIN_AGAINST_GOACCESS = 15;
const MAX_MEMORY = 200;

const GOACCESS_FORMAT = [
  '--log-format=%h %^ %e [%d:%t %^] "%r" %s %b "%R" "%u" %T',
  '--date-format=%d/%b/%Y',
  '--time-format=%H:%M:%S',
];

const HELP = `Measures the speed and memory of couch-advisor digest on a log that it writes.

  node test/bench/logs.js [options]

  --lines N    of the log (2000000)
  --rounds N   of each program (5)
  --seed N     another one gives another log (1)
  --threads N  of digest (2)
`;

const { values } = readOptions(HELP, {
  lines: { type: 'string', default: '2000000' },
  rounds: { type: 'string', default: '5' },
  seed: { type: 'string', default: '1' },
  threads: { type: 'string', default: '2' },
});
const lines = readNumber('--lines', values.lines, HELP);
const rounds = readNumber('--rounds', values.rounds, HELP);
const folder = mkdtempSync(path.join(tmpdir(), 'couch-advisor-bench-logs-'));
// The first run, which does not count, keeps the compiled code of the program there.
process.env['XDG_CACHE_HOME'] = path.join(folder, 'cache');
try {
  const bin = unpackProgram(folder);
  for (const format of /** @type {const} */ (['couchdb', 'combined'])) measure(format, bin);
} finally {
  rmSync(folder, { recursive: true });
}

/**
 * @param {'couchdb' | 'combined'} format
 * @param {string} bin
 */
function measure(format, bin) {
  const file = path.join(folder, `${format}.log`);
  const bytes = writeLog(file, { lines, seed: Number(values.seed), format });
  tell(
    `${format}: ${lines} lines, ${(bytes / 1e6).toFixed(0)} MB, 50,000 databases, 1,000,000 ids, ${values.threads} threads`,
  );
  const ours = {
    args: [bin, 'digest', file, '--threads', values.threads, '--output', path.join(folder, 'digest.json')],
    cwd: folder,
    exitCodes: [0],
  };
  const times = interleave({ ours: () => timeRun(ours), mawk: () => timeProgram('mawk', ['{n[$9]++}', file]) }, rounds);
  const [us, mawk] = [figures(times.ours), figures(times.mawk)];
  show('us', us);
  show('mawk', mawk);
  verdict('us / mawk', us.median / mawk.median, (ratio) => ratio <= MAX_AGAINST_MAWK, `at most ${MAX_AGAINST_MAWK}`);
  if (format === 'combined' && isInstalled('goaccess')) {
    // It is slow: one run is enough.
    const output = path.join(folder, 'goaccess.json');
    const goaccess = timeProgram('goaccess', [file, '--no-global-config', ...GOACCESS_FORMAT, '-o', output]);
    tell(`  GoAccess ${goaccess.toFixed(0)} ms, one run`);
    verdict(
      'GoAccess / us',
      goaccess / us.median,
      (ratio) => ratio >= MIN_AGAINST_GOACCESS,
      `at least ${MIN_AGAINST_GOACCESS}`,
    );
  }
  verdict('peak memory, MiB', peakMemory(ours), (memory) => memory <= MAX_MEMORY, `at most ${MAX_MEMORY}`);
}

/**
 * @param {string} program
 * @param {string[]} args
 * @returns {number} wall time in milliseconds
 * @throws where it fails: that must not count as speed
 */
function timeProgram(program, args) {
  const started = process.hrtime.bigint();
  const { status, stderr, error } = spawnSync(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  if (error) throw new Error(`${program} is not there; it is in the package of that name`);
  if (status !== 0) throw new Error(`${program} ended with ${status}\n${String(stderr).slice(0, 2000)}`);
  return Number(process.hrtime.bigint() - started) / 1e6;
}

/**
 * @param {string} program
 * @returns {boolean}
 */
function isInstalled(program) {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined;
}

/**
 * @param {string} name
 * @param {import('./measure.js').Figures} times
 */
function show(name, { min, median, max }) {
  tell(`  ${name.padEnd(5)} median ${median.toFixed(0)} ms, min ${min.toFixed(0)}, max ${max.toFixed(0)}`);
}

/**
 * @param {string} name
 * @param {number} value
 * @param {(value: number) => boolean} isWanted
 * @param {string} wanted
 */
function verdict(name, value, isWanted, wanted) {
  tell(`  ${name}: ${value.toFixed(2)} (wanted: ${wanted})${isWanted(value) ? '' : '  MISSED'}`);
}

/** @param {string} text */
function tell(text) {
  process.stdout.write(`${text}\n`);
}
