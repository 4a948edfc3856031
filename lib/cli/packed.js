// The packed program: loads what earlier runs compiled of it, then is the command line.

import path from 'node:path';
import { cacheFolder } from '../engine/run/cache-folder.js';
import { PROGRAM_FOLDER } from '../package-folder.js';
import { keepCompiledScripts } from './compiled-scripts.js';
import { version } from './version.js';

/** @type {typeof import('./main.js').main} */
export async function main(given) {
  if (!given.env['NODE_DISABLE_COMPILE_CACHE']) {
    keepCompiledScripts(PROGRAM_FOLDER, path.join(cacheFolder(given.env), 'compiled'), {
      version: `${version()}-${process.version}-${process.arch}`,
      command: /^[a-z]+$/.exec(given.argv[0] ?? '')?.[0] ?? 'none',
    });
  }
  // Not before there is a cache.
  const program = await import('./main.js');
  return program.main(given);
}
