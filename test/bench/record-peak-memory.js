// Loaded into a measured process with `--import`: writes its peak memory in KiB to the file that is named.

import { writeFileSync } from 'node:fs';
import process from 'node:process';

const file = process.env['PEAK_MEMORY_FILE'];
if (file) process.on('exit', () => writeFileSync(file, String(process.resourceUsage().maxRSS)));
