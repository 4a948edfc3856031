// Loaded into a measured process with `--import`: writes the processor time of the process, and of each of its threads where Linux tells it, in
// milliseconds, to the file that is named.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';

const TASKS = '/proc/self/task';
/** Threads are gone when the process ends: what they take after the last look is not seen. */
const LOOK_MS = 50;

const file = process.env['PROCESSOR_TIME_FILE'];
if (file) {
  /** @type {Map<string, number>} */
  const threads = new Map();
  const look = () => {
    try {
      for (const id of readdirSync(TASKS)) {
        threads.set(id, Number.parseInt(readFileSync(`${TASKS}/${id}/schedstat`, 'utf8'), 10) / 1e6);
      }
    } catch {
      // Another system, or a thread that has just ended.
    }
  };
  const timer = setInterval(look, LOOK_MS);
  timer.unref();
  process.on('exit', () => {
    look();
    const { userCPUTime, systemCPUTime } = process.resourceUsage();
    const main = threads.get(String(process.pid)) ?? 0;
    threads.delete(String(process.pid));
    const longest = Math.max(0, ...threads.values());
    writeFileSync(file, JSON.stringify({ all: (userCPUTime + systemCPUTime) / 1000, main, longest }));
  });
}
