// Loaded into a measured process with `--import`: writes its processor time in milliseconds to the file that is named.

import { writeFileSync } from 'node:fs';
import process from 'node:process';

const file = process.env['PROCESSOR_TIME_FILE'];
if (file) {
  process.on('exit', () => {
    const { userCPUTime, systemCPUTime } = process.resourceUsage();
    writeFileSync(file, String((userCPUTime + systemCPUTime) / 1000));
  });
}
