// Starts the packed program: compiles itself once where Node.js can keep the compiled code (22.1 and later), then runs
// the command line.

import module from 'node:module';
import path from 'node:path';
import { makeOwnFolder } from '../engine/run/cache-file.js';
import { cacheFolder } from '../engine/run/cache-folder.js';

const compiled = path.join(cacheFolder(process.env), 'compiled');
/** @type {((folder: string) => unknown) | undefined} */
const keepCompiled = Reflect.get(module, 'enableCompileCache');
// Node.js runs what it finds there, so nobody else may write it.
if (keepCompiled && makeOwnFolder(compiled)) keepCompiled(compiled);

/** @type {typeof import('./main.js').main} */
export async function main(given) {
  // Not before there is a cache.
  const program = await import('./main.js');
  return program.main(given);
}
